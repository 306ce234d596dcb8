"""What sources say against values that the library keeps: shown, accepted or rejected."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from papertrack.actions.online.published.proposals import (
    in_words,
    proposal_of,
    publication_to_json,
    take_over_publication,
)
from papertrack.errors import ConflictError
from papertrack.matching.publications import Proposal
from papertrack.records import Author, Link
from papertrack.store.lookup import get_paper
from papertrack.store.papers import add_links, edit_paper
from papertrack.store.store import Store
from papertrack.store.suggestions import (
    PUBLICATION,
    Suggestion,
    close_suggestion,
    get_suggestion,
    read_suggestions,
)
from papertrack.text import plural


class ShownSuggestion(NamedTuple):
    """One open suggestion, beside what the library has."""

    id: int
    paper_id: int
    field: str
    value: object
    """As PaperFacts has it; for ``links`` one Link."""
    source: str
    citekey: str
    present: object
    """The value now: as PaperFacts has it, or the Link that is there already; else None."""


def open_suggestions(
    store: Store, paper_id: int | None = None, *, evidence: str | None = None
) -> list[ShownSuggestion]:
    """The open suggestions, of one paper or of all, oldest first; with ``evidence`` only the
    publications that stand on that class of it.

    Those that the library has come to agree with by itself are left out.
    """
    shown = [_shown(store, found) for found in read_suggestions(store, paper_id=paper_id)]
    shown = [one for one in shown if one.value != one.present]
    return [one for one in shown if evidence in (None, evidence_of(one))]


def evidence_of(suggestion: ShownSuggestion) -> str | None:
    """What a publication stands on: ``linked``; None of other suggestions."""
    value = suggestion.value
    return value.evidence.value if isinstance(value, Proposal) else None


def publication_of(suggestion: ShownSuggestion) -> dict[str, object] | None:
    """A publication as JSON values, field by field; None of other suggestions."""
    value = suggestion.value
    return publication_to_json(value) if isinstance(value, Proposal) else None


class AnsweredSuggestions(NamedTuple):
    """What the reader said to some suggestions."""

    accepted: tuple[ShownSuggestion, ...]
    rejected: tuple[ShownSuggestion, ...]
    conflicts: tuple[str, ...] = ()
    """Why some could not be taken over, which stay open: another paper has the DOI."""

    @property
    def summary(self) -> str:
        """``2 suggestions accepted, 1 suggestion rejected``."""
        parts = []
        if self.accepted or not self.rejected:
            parts.append(f"{plural(len(self.accepted), 'suggestion')} accepted")
        if self.rejected:
            parts.append(f"{plural(len(self.rejected), 'suggestion')} rejected")
        return ", ".join(parts)


def answer_suggestions(
    store: Store, *, accept: Sequence[int] = (), reject: Sequence[int] = ()
) -> AnsweredSuggestions:
    """Take some values over, and put others aside: no source suggests those again.

    An accepted value counts as edited by the reader from then on. Raises NotFoundError, with
    nothing changed, when one of the suggestions is not open.
    """
    conflicts = []
    accepted = []
    with store.action("suggestions") as action:
        for suggestion in [_shown(store, get_suggestion(store, number)) for number in accept]:
            try:
                _take_over(store, suggestion)
            except ConflictError as conflict:
                conflicts.append(str(conflict))
                continue
            accepted.append(suggestion)
            close_suggestion(store, suggestion.id, "accepted")
        rejected = [_shown(store, get_suggestion(store, number)) for number in reject]
        for suggestion in rejected:
            close_suggestion(store, suggestion.id, "rejected")
        answered = AnsweredSuggestions(tuple(accepted), tuple(rejected), tuple(conflicts))
        action.summary = answered.summary
    return answered


def _take_over(store: Store, suggestion: ShownSuggestion) -> None:
    value, paper_id = suggestion.value, suggestion.paper_id
    if isinstance(value, Link):
        add_links(store, paper_id, [value])
    elif isinstance(value, Proposal):
        take_over_publication(store, paper_id, value)
    else:
        edit_paper(store, paper_id, suggestion.field, value)


def value_in_words(value: object) -> str:
    """A field's value as one line of text; empty for None."""
    if isinstance(value, Link):
        return value.url
    if isinstance(value, Proposal):
        return in_words(value)
    if isinstance(value, tuple):
        return "; ".join(v.name if isinstance(v, Author) else str(v) for v in value)
    return "" if value is None else str(value)


def _shown(store: Store, suggestion: Suggestion) -> ShownSuggestion:
    paper = get_paper(store, suggestion.paper_id)
    value: object = suggestion.value
    present: object = None
    if suggestion.field == "links":
        value = Link(*value)  # type: ignore[misc]  # As enriching has written it.
        present = next((link for link in paper.facts.links if link.url == value.url), None)
        value = value if present is None else present
    elif suggestion.field == PUBLICATION:
        value = proposal_of(value)  # type: ignore[arg-type]  # As looking has written it.
        present = paper.facts.venue
    else:
        present = getattr(paper.facts, suggestion.field) or None
    said = (suggestion.id, suggestion.paper_id, suggestion.field, value, suggestion.source)
    return ShownSuggestion(*said, paper.citekey, present)
