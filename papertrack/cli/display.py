"""A paper in words: what its state, date, authors and warnings are called on the screen."""

from __future__ import annotations

from collections.abc import Sequence

from papertrack.cli.output import style

STATE_COLOURS = {"inbox": "yellow", "discarded": "red", "unread": None}


def state_word(decision: str, passes_done: int) -> str:
    """``inbox``, ``discarded``, ``unread`` or ``pass 2``: the first that says most."""
    if decision != "saved" and not passes_done:
        return decision
    return f"pass {passes_done}" if passes_done else "unread"


def coloured_state(word: str) -> str:
    """A state word in its colour: green for passes, yellow for what waits."""
    colour = STATE_COLOURS.get(word, "green")
    return style(word, fg=colour) if colour else word


def month_shown(submitted: str | None, arxiv_id: str | None) -> str:
    """``2023-09``: the month of version 1, as a source or the arXiv id says; else empty."""
    if submitted is None and arxiv_id is not None:
        from papertrack.identifiers import arxiv_month

        return arxiv_month(arxiv_id)
    return (submitted or "")[:7]


def author_shown(first: str | None, count: int) -> str:
    """``Kwon et al.``, ``Keshav``: the first author's last name, and whether there are more."""
    if not first:
        return ""
    name = first.rpartition(" ")[2]
    return f"{name} et al." if count > 1 else name


def warnings(
    is_withdrawn: bool | None,
    version: int | None,
    version_read: int | None,
    *,
    has_other_title: bool = False,
    is_brief: bool = False,
) -> Sequence[str]:
    """What the reader should know before trusting what they remember of the paper.

    Brief, it is a word each, for a line that has to show the title too.
    """
    found = []
    if is_withdrawn:
        found.append("withdrawn")
    if version and version_read and version > version_read:
        found.append(
            f"v{version}, read v{version_read}"
            if is_brief
            else f"v{version} is out, you read v{version_read}"
        )
    if has_other_title:
        found.append("retitled" if is_brief else "arXiv has another title")
    return found
