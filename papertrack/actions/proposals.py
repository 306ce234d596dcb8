"""Proposals: the only way in which an agent can change a library, and only if the user agrees.

The user accepts or rejects them like other suggestions. A paper is proposed by an identifier,
never by a title or a record, so that no invented paper gets in. A proposal removes nothing, marks
no pass and writes no file.
"""

from __future__ import annotations

import json
from typing import NamedTuple

from papertrack.category_paths import format_path, parse_path
from papertrack.errors import ConflictError, UsageError
from papertrack.identifiers import identify
from papertrack.records import Identifier
from papertrack.store.lookup import citekey_of, find_paper, get_paper
from papertrack.store.store import Store
from papertrack.store.suggestions import count_open, propose
from papertrack.text import clean, clean_lines, shorten

ACTS = ("add", "category", "tag", "note", "discard")
"""What can be proposed: the ``field`` of a suggestion."""
AGENT = "agent:"
"""The prefix of a proposal's source; the agent's name follows."""
MAX_OPEN = 200
"""The most open proposals of all agents, so that the user can look through them."""
_LONGEST = {"add": 200, "category": 300, "tag": 100, "note": 4_000, "discard": 500}
_LONGEST_REASON = 500
_REGISTERED = ("arxiv", "doi", "openreview", "acl", "dblp")
"""Identifier schemes for which a source can confirm that the work exists."""


class ProposedAct(NamedTuple):
    """What an agent proposes."""

    act: str
    """One of ``ACTS``."""
    value: str
    """An identifier, a category, a tag, the text of a note, or the reason to discard the paper."""
    reason: str

    @property
    def in_words(self) -> str:
        """Return ``add 2309.06180 (cited by three of your papers)``: the whole proposal on one
        line."""
        why = f" ({clean(self.reason)})" if self.reason else ""
        return f"{self.act} {clean(self.value.replace(chr(10), ' ↵ '))}{why}"

    @classmethod
    def of(cls, act: str, stored: object) -> ProposedAct:
        """Return the proposal that is stored as a suggestion's value."""
        value = stored if isinstance(stored, dict) else {}
        return cls(act, str(value.get("value", "")), str(value.get("reason", "")))


def propose_act(
    store: Store, agent: str, act: str, value: str, *, reason: str = "", paper_id: int | None = None
) -> str:
    """Store a proposal for the user, and return a sentence about it.

    Raises UsageError for an invalid proposal; ConflictError if the library has the paper, or the
    paper the category or tag already, if the user has answered the same proposal, or if too many
    are waiting.
    """
    value, reason = _checked(act, value), clean(reason)[:_LONGEST_REASON]
    _refuse_repetition(store, act, value, paper_id)
    if count_open(store, source_start=AGENT) >= MAX_OPEN:
        raise ConflictError(f"{MAX_OPEN} proposals are waiting for the user. No more are accepted.")
    proposal = json.dumps({"value": value, "reason": reason}, ensure_ascii=False, sort_keys=True)
    source = AGENT + (clean(agent)[:60] or "unknown")
    paper = "" if paper_id is None else f" for {citekey_of(store, paper_id)}"
    summary = f"{source} proposes{paper}: {act} {shorten(clean(value), 60)}"
    # The user did not do this, so undo and redo skip it.
    with store.action("suggestions", summary, can_undo=False):
        answer = propose(store, paper_id, act, proposal, source=source)
    if answer in ("accepted", "rejected"):
        raise ConflictError(f"The user has {answer} this proposal. Do not make it again.")
    return "It waits for the user, who accepts or rejects it in papertrack."


def _refuse_repetition(store: Store, act: str, value: str, paper_id: int | None) -> None:
    """Raise ConflictError for a paper that the library has, or a label that its paper has."""
    if act == "add" and (owner := find_paper(store, [identified(value)])):
        raise ConflictError(f"{value} is in the library already, as {citekey_of(store, owner)}.")
    if paper_id is not None:
        paper = get_paper(store, paper_id)
        labels = {"tag": paper.tags, "category": map(format_path, paper.categories)}.get(act, ())
        if value.casefold() in map(str.casefold, labels):
            raise ConflictError(f"{paper.citekey} has the {act} {value!r} already.")


def _checked(act: str, value: str) -> str:
    """Return the proposal's value as it is stored. Raises UsageError."""
    if len(value) > _LONGEST[act]:
        raise UsageError(f"The {act} is too long: at most {_LONGEST[act]:,} characters.")
    text = (clean_lines(value) if act == "note" else clean(value)).strip()
    if not text:
        raise UsageError(f"The {act} is empty.")
    if act == "category":
        return format_path(parse_path(text))
    if act == "add":
        identifier = identified(text)
        return identifier.value if identifier.scheme in ("arxiv", "doi") else text
    return text


def identified(text: str) -> Identifier:
    identifier = identify(text)
    if identifier is None or identifier.scheme not in _REGISTERED:
        raise UsageError(
            f"{shorten(text, 80)!r} is not an arXiv id or DOI. Propose a paper by one of these, "
            "so that it is known to exist."
        )
    return identifier
