"""Citation keys: make, freeze and rename them, and keep former keys.

This module alone decides on keys; ``identifiers.citekeys`` only spells them.

- A key is made from the template when a paper is added. A better one may replace it once the
  authors are known, until somebody may have copied it.
- A key that was shown to be copied, came from a file or was typed is *frozen*: it never changes by
  itself. Showing a key is no action of the user, so undo does not unfreeze it, on any device.
  Typing one is an action: undo restores the former key, frozen or not.
- A former key becomes an alias that still finds its paper. If it was never frozen, a draft, no file
  gets an entry for it. No two papers have, or had, the same key, ignoring case.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from papertrack.errors import ConflictError
from papertrack.identifiers import arxiv_month
from papertrack.identifiers.citekeys import make_citekey, unique_citekey
from papertrack.records import DEFAULT_TEMPLATE, Identifier, Paper, PaperFacts
from papertrack.store.lookup import citekey_of, get_paper
from papertrack.store.store import Store

IS_FROZEN = """(p.is_citekey_given
    OR EXISTS (SELECT 1 FROM shown_citekeys shown WHERE shown.paper_id = p.id))"""
"""SQL condition for ``papers p`` with a frozen key.

A key is frozen if it was typed or came from a file, which is stored with the paper and undo
reverses; or if it was shown to be copied, which nothing reverses. Devices exchange both facts
separately.
"""
_NOT_FROZEN = """
    SELECT DISTINCT value FROM json_each(?)
    WHERE value NOT IN (SELECT paper_id FROM shown_citekeys)
    AND EXISTS (SELECT 1 FROM papers WHERE id = value AND NOT is_citekey_given)"""
"""SQL: those of some papers whose keys are not frozen; their rows are read last."""


class Citekeys:
    """The keys of a library."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._taken = Taken(store)
        self._reached: dict[str, int] = {}

    def owners_of(self, keys: Iterable[str]) -> dict[str, int]:
        """Return the papers that have or had these keys, by key in its stored spelling.

        Case does not count.
        """
        return self._store.select_dict(
            """SELECT citekey, id FROM papers
               WHERE citekey IN (SELECT value FROM json_each(?1))
               UNION ALL SELECT alias, paper_id FROM citekey_aliases
               WHERE alias IN (SELECT value FROM json_each(?1))""",
            (list(keys),),
        )

    def spelled(self) -> dict[str, int]:
        """Return every key that a paper has or had, and the paper."""
        return self._store.select_dict(
            "SELECT citekey, id FROM papers UNION ALL SELECT alias, paper_id FROM citekey_aliases"
        )

    def undone(self) -> dict[str, int]:
        """Return keys that undo removed from all papers, with their former papers.

        Files may still have them.
        """
        rows = self._store.execute(
            """SELECT json_extract(c.new, '$.citekey'), c.paper_id
               FROM changes c JOIN actions a ON a.id = c.action_id AND a.state <> 'done'
               WHERE c.table_name = 'papers' AND c.operation = 'update'
               AND json_extract(c.new, '$.citekey') <> json_extract(c.old, '$.citekey')
               AND c.paper_id IN (SELECT id FROM papers) ORDER BY c.id"""
        )
        taken = Taken(self._store)
        return {key: paper_id for key, paper_id in rows if key not in taken}

    def wanted(self, facts: PaperFacts) -> str:
        """Return the key that the template makes of these facts, whether or not it is taken."""
        read_template = self._store.read_citekey_template
        template = (read_template() if read_template else "") or DEFAULT_TEMPLATE
        return make_citekey(
            facts.authors, _year_of(facts), facts.title, template=template, venue=facts.venue
        )

    def make(
        self, facts: PaperFacts, *, wanted: str | None = None, paper_id: int | None = None
    ) -> str:
        """Return a free key for these facts: the wanted one, or the same with a suffix.

        ``paper_id``: the paper's own keys, including former ones, are free for it.
        """
        key = wanted or self.wanted(facts)
        if paper_id is not None:
            return unique_citekey(key, Taken(self._store, paper_id))
        return unique_citekey(key, self._taken, self._reached)

    def keep(self, wanted: Iterable[str]) -> list[str]:
        """Return these keys, with a suffix for each that is taken, also by one before it."""
        keys = []
        for one in wanted:
            keys.append(unique_citekey(one, self._taken, self._reached))
            self._taken.take(keys[-1])
        return keys

    def make_several(self, several: Sequence[PaperFacts]) -> list[str]:
        """Return a free key for each of these facts, no key twice."""
        return self.keep(map(self.wanted, several))

    def improve(self, before: Paper) -> str:
        """Give a paper its proper key, if its key was made while no author was known.

        ``before`` is the paper as it was then. A frozen key stays. Returns the paper's key now.
        """
        facts = get_paper(self._store, before.id).facts
        wanted = self.wanted(facts)
        is_provisional = facts.authors and not before.facts.authors
        if not is_provisional or wanted == before.citekey or self.are_frozen([before.id]):
            return before.citekey
        key = self.make(facts, paper_id=before.id)
        self.rename(before.id, key, is_frozen=False)
        return key

    def rename(self, paper_id: int, key: str, *, is_frozen: bool = True) -> None:
        """Give the paper another key; the old one stays as an alias. Raises ConflictError."""
        old = citekey_of(self._store, paper_id)
        if old == key:
            return
        execute = self._store.execute
        execute("DELETE FROM citekey_aliases WHERE alias = ? AND paper_id = ?", (key, paper_id))
        if key in Taken(self._store, but_by=paper_id):
            raise ConflictError(f"The citekey {key} is taken; choose another one.")
        is_given = self.are_frozen([paper_id])
        execute(
            "UPDATE papers SET citekey = ?, is_citekey_given = ? WHERE id = ?",
            (key, is_frozen, paper_id),
        )
        if old.lower() != key.lower():
            self.add_alias(paper_id, old, is_given=is_given)

    def add_alias(self, paper_id: int, alias: str, *, is_given: bool = True) -> bool:
        """Add a key that also names the paper; False when a paper has or had it already."""
        if alias in Taken(self._store):
            return False
        self._store.insert("citekey_aliases", (alias, paper_id, is_given))
        return True

    def are_frozen(self, paper_ids: Sequence[int]) -> bool:
        """Return whether these papers' keys may be in somebody's text, and so never change."""
        sql = f"SELECT NOT EXISTS ({_NOT_FROZEN})"
        return bool(self._store.select_value(sql, (list(paper_ids),)))

    def freeze(self, paper_ids: Sequence[int]) -> None:
        """Freeze these papers' keys, on every device."""
        sql = f"INSERT INTO shown_citekeys {_NOT_FROZEN}"
        if self._store.execute(sql, (list(paper_ids),)).rowcount:
            self._store.write_records(paper_ids)


def stub_citekey(identifier: Identifier) -> str | None:
    """Return the key for an arXiv paper of which only the id is known: ``arxiv2309.06180``."""
    return f"arxiv{identifier.value}" if identifier.scheme == "arxiv" else None


class Taken:
    """The keys that are taken, as a container that reads only the keys it is asked for."""

    def __init__(self, store: Store, but_by: int | None = None) -> None:
        self._store = store
        self._but_by = but_by
        """The paper whose own keys do not count."""
        self._reserved: set[str] = set()
        """Keys, in lower case, of papers that are still to be written."""

    def take(self, key: str) -> None:
        """Reserve the key for a paper that is still to be written."""
        self._reserved.add(key.lower())

    def release(self, key: str) -> None:
        """Free a key that was reserved for a paper."""
        self._reserved.discard(key.lower())

    def __contains__(self, key: object) -> bool:
        if not isinstance(key, str) or key.lower() in self._reserved:
            return True
        is_taken = self._store.select_value(
            """SELECT EXISTS (SELECT 1 FROM papers WHERE citekey = ?1 AND id IS NOT ?2)
               OR EXISTS (SELECT 1 FROM citekey_aliases WHERE alias = ?1 AND paper_id IS NOT ?2)""",
            (key, self._but_by),
        )
        return bool(is_taken)


def _year_of(facts: PaperFacts) -> int | None:
    """Return the year for a citekey: of version 1 for a preprint, else of publication."""
    for identifier in facts.identifiers:
        if identifier.scheme == "arxiv":
            return int(arxiv_month(identifier.value)[:4])
    if facts.submitted:
        return int(facts.submitted[:4])
    return facts.year
