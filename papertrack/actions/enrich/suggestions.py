"""What sources say against values that the library keeps: shown, accepted or rejected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from papertrack.records import Author, Link
from papertrack.store.lookup import get_paper
from papertrack.store.papers import add_links, edit_paper
from papertrack.store.store import Store
from papertrack.store.suggestions import (
    Suggestion,
    close_suggestion,
    get_suggestion,
    read_suggestions,
)
from papertrack.text import few


@dataclass(frozen=True, slots=True)
class ShownSuggestion:
    """One open suggestion beside what the library has."""

    id: int
    paper_id: int
    citekey: str
    field: str
    present: object
    """The value now: as PaperFacts has it, or the Link that is there already; else None."""
    value: object
    """The value suggested; for ``links`` a Link."""
    source: str


def open_suggestions(store: Store, paper_id: int | None = None) -> list[ShownSuggestion]:
    """The open suggestions, of one paper or of all, oldest first.

    Those that the library has come to agree with by itself are left out.
    """
    shown = [_shown(store, found) for found in read_suggestions(store, paper_id=paper_id)]
    return [one for one in shown if one.value != one.present]


def accept_suggestions(
    store: Store, suggestion_ids: Sequence[int], *, dry_run: bool = False
) -> list[ShownSuggestion]:
    """Take these values over. The field counts as edited by the reader from then on.

    Raises NotFoundError, with nothing changed, when one of them is not open.
    """
    accepted = [_shown(store, get_suggestion(store, number)) for number in suggestion_ids]
    with store.action("accept", _summary("accepted", accepted), dry_run=dry_run):
        for suggestion in accepted:
            if isinstance(suggestion.value, Link):
                add_links(store, suggestion.paper_id, [suggestion.value])
            else:
                edit_paper(store, suggestion.paper_id, suggestion.field, suggestion.value)
            close_suggestion(store, suggestion.id, "accepted")
    return accepted


def reject_suggestions(
    store: Store, suggestion_ids: Sequence[int], *, dry_run: bool = False
) -> list[ShownSuggestion]:
    """Put these values aside: no source suggests them again. Raises NotFoundError as above."""
    rejected = [_shown(store, get_suggestion(store, number)) for number in suggestion_ids]
    with store.action("reject", _summary("rejected", rejected), dry_run=dry_run):
        for suggestion in rejected:
            close_suggestion(store, suggestion.id, "rejected")
    return rejected


def value_in_words(value: object) -> str:
    """A field's value as one line of text; empty for None."""
    if isinstance(value, Link):
        return value.url
    if isinstance(value, tuple):
        return "; ".join(v.name if isinstance(v, Author) else str(v) for v in value)
    return "" if value is None else str(value)


def _summary(verb: str, suggestions: Sequence[ShownSuggestion]) -> str:
    return f"{verb} {few([f'{one.field} of {one.citekey}' for one in suggestions])}"


def _shown(store: Store, suggestion: Suggestion) -> ShownSuggestion:
    paper = get_paper(store, suggestion.paper_id)
    value, present = suggestion.value, None
    if suggestion.field == "links":
        value = Link(*value)  # type: ignore[misc]  # As enriching has written it.
        present = next((link for link in paper.facts.links if link.url == value.url), None)
        value = value if present is None else present
    else:
        present = getattr(paper.facts, suggestion.field) or None
    return ShownSuggestion(
        id=suggestion.id,
        paper_id=paper.id,
        citekey=paper.citekey,
        field=suggestion.field,
        present=present,
        value=value,
        source=suggestion.source,
    )
