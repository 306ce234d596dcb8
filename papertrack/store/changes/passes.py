"""How many passes a paper has done, left out of the journal where its readings say it.

A paper has done the highest pass that was recorded. Marking one thus changes two rows, a reading
and this count, and most of what a year of reading adds to the journal would be the second one.
What undo and redo change of readings they count again.
"""

from __future__ import annotations

from papertrack.store.database import Database

RAISED = """EXISTS (
    SELECT 1 FROM readings n WHERE n.id = l.row_key ->> 0 AND l.operation = 'insert'
    AND NOT EXISTS (SELECT 1 FROM readings r
        WHERE r.paper_id = n.paper_id AND r.id < n.id AND r.pass >= n.pass))"""
"""SQL: the change ``l``, one of a reading, gave its paper a pass that it had not done."""

COUNTED_ANEW = """l.table_name = 'paper_states'
    AND ifnull(l.old, '') || ifnull(l.new, '') LIKE '%"passes_done"%'"""
"""SQL: the change ``l`` says itself what the count was, or is: its undo would bring back one of
which the readings are gone."""

_COUNTED = "(SELECT ifnull(max(pass), 0) FROM readings r WHERE r.paper_id = s.paper_id)"
"""SQL: how many passes the readings say that the paper of the state ``s`` has done."""


def leave_out_counts(db: Database, action_id: int) -> None:
    """Take what an action changed of nothing but counts out of its changes, where it added
    readings, and these say what the count was before and is now."""
    db.execute(
        """WITH touched AS MATERIALIZED (
               SELECT row_key ->> 0 AS id, paper_id, operation FROM changes
               WHERE action_id = ?1 AND table_name = 'readings'),
           counted AS MATERIALIZED (
               SELECT paper_id FROM touched GROUP BY 1 HAVING min(operation = 'insert'))
           DELETE FROM changes WHERE action_id = ?1 AND table_name = 'paper_states'
           AND operation = 'update' AND paper_id IN (SELECT paper_id FROM counted)
           AND new = (SELECT json_object('passes_done', max(pass)) FROM readings r
                      WHERE r.paper_id = changes.paper_id)
           AND old = (SELECT json_object('passes_done', ifnull(max(pass), 0)) FROM readings r
                      WHERE r.paper_id = changes.paper_id
                      AND r.id NOT IN (SELECT id FROM touched))""",
        (action_id,),
    )


def papers_to_count(db: Database, action_id: int) -> list[int]:
    """The papers whose count goes with the readings that an action changed: the journal says
    nothing of it, and it is what the readings say now. To be asked before these change."""
    return db.select_column(
        f"""SELECT s.paper_id FROM paper_states s WHERE s.passes_done = {_COUNTED}
            AND s.paper_id IN (
                SELECT paper_id FROM changes WHERE action_id = ?1 AND table_name = 'readings'
                EXCEPT SELECT paper_id FROM changes l WHERE action_id = ?1 AND {COUNTED_ANEW})""",
        (action_id,),
    )


def count_passes(db: Database, action_id: int, paper_ids: list[int]) -> None:
    """Note of these papers how many passes their readings say that they have done, and of others
    whose readings an action changed, no fewer: a journal of before told the counts, which readings
    of later actions may have made others since."""
    db.execute(
        f"""UPDATE paper_states AS s SET passes_done = {_COUNTED}
            WHERE paper_id IN (SELECT value FROM json_each(?1))
            OR (passes_done < {_COUNTED} AND paper_id IN (
                SELECT paper_id FROM changes WHERE action_id = ?2 AND table_name = 'readings'))""",
        (paper_ids, action_id),
    )
