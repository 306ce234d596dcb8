"""A proposal in Markdown, for the text of a pull request.

Words of strangers stand in code spans and fences only, where they are no markup, mention nobody
and close nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from papertrack.actions.propose.run import Outcome, OutcomeKind, Proposal
from papertrack.category_paths import format_path
from papertrack.text import clean, shorten

_HEADINGS: dict[OutcomeKind, str] = {
    "added": "Added",
    "removed": "Removed",
    "moved": "Moved",
    "published": "Marked as published",
    "known": "In the list already",
    "not-found": "Not found",
    "undecided": "For you to decide",
    "refused": "Could not be done",
}
_WITH_TEXT = ("added", "removed", "moved", "published")


def to_markdown(proposal: Proposal, file: str) -> str:
    """Return what was proposed for a file, by what became of it."""
    lines = [f"## Proposed for {_code(file)}", ""]
    for kind, heading in _HEADINGS.items():
        outcomes = [one for one in proposal.outcomes if one.kind == kind]
        if outcomes:
            lines += [f"### {heading} ({len(outcomes)})", ""]
            lines += [line for one in outcomes for line in _told(one)] + [""]
    if not proposal.outcomes:
        lines += ["Nothing in the request names a work.", ""]
    if proposal.notes:
        lines += ["### Notes of the request", "", *_fenced(proposal.notes, ""), ""]
    return "\n".join(lines).rstrip() + "\n"


def _told(outcome: Outcome) -> Iterator[str]:
    named = _code(outcome.title or outcome.reference)
    where = f", {_code(format_path(outcome.category))}" if outcome.category else ""
    line = f", line {outcome.line}" if outcome.line else ""
    reason = f": {_sentence(outcome.reason)}" if outcome.reason else ""
    asked = f" (asked for as {_code(outcome.reference)})" if outcome.title else ""
    yield f"- {named}{asked}{where}{line}{reason}"
    if outcome.text and outcome.kind in _WITH_TEXT:
        yield from ("", *_fenced(outcome.text, "  "), "")


def _code(text: str) -> str:
    """Return a text as a code span that it cannot leave."""
    shown = shorten(text, 200) or " "
    ticks = "`" * (max(map(len, re.findall("`+", shown)), default=0) + 1)
    pad = " " if "`" in (shown[:1], shown[-1:]) else ""
    return f"{ticks}{pad}{shown}{pad}{ticks}"


def _sentence(reason: str) -> str:
    """Return a reason, which may quote strangers, without markup."""
    shown = re.sub(r"([\\`*_\[\]<>~|#@])", r"\\\1", clean(reason))
    return shown.replace("\\@", "&#64;").replace("://", "&#58;//")


def _fenced(text: str, indent: str) -> Iterator[str]:
    ticks = "`" * max(3, max(map(len, re.findall("`+", text)), default=0) + 1)
    yield f"{indent}{ticks}markdown"
    for line in text.splitlines():
        yield indent + _visible(line)
    yield f"{indent}{ticks}"


def _visible(line: str) -> str:
    """Return a line without what cannot be seen."""
    return "".join(sign for sign in line if sign.isprintable() or sign == "\t")
