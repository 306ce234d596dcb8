"""Suggestions: values from sources that differ from the library's, and publications; stored,
shown, accepted or rejected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, NamedTuple

from papertrack.actions.add import add_references
from papertrack.actions.notes import get_note_path, index_note, prepare_note
from papertrack.actions.organise import move_papers, tag_papers
from papertrack.actions.proposals import ACTS, ProposedAct, identified
from papertrack.actions.reading import set_decision
from papertrack.category_paths import parse_path
from papertrack.errors import ConflictError
from papertrack.library import Library
from papertrack.library.files import read_file, replace_file
from papertrack.matching.publications import Evidence, Proposal
from papertrack.records import Author, Identifier, Link
from papertrack.sources.published.registry import title_of as title_of
from papertrack.store.lookup import get_paper
from papertrack.store.papers import add_identifiers, add_links, edit_paper
from papertrack.store.store import Store
from papertrack.store.suggestions import (
    PUBLICATION,
    Suggestion,
    close_suggestion,
    drop_weaker,
    get_suggestion,
    read_proposed,
    read_suggestions,
    suggest,
)
from papertrack.store.written_files import ReplacedFile, keep_replaced
from papertrack.text import plural


def keep_proposal(store: Store, paper_id: int, proposal: Proposal) -> bool:
    """Suggest a publication, unless the reader has already answered it; return whether it is
    new. Call it within an action."""
    for known in read_proposed(store, [paper_id]).get(paper_id, []):
        is_answered = known.state != "open"
        if is_answered and proposal_of(known.value).is_same(proposal):
            return False
    drop_weaker(store, paper_id)
    return suggest(store, paper_id, PUBLICATION, _kept(proposal), source=proposal.sources[0])


def _kept(proposal: Proposal) -> dict[str, Any]:
    return {name.removeprefix("published_"): told for name, told in asdict(proposal).items()}


def proposal_of(kept: Mapping[str, Any]) -> Proposal:
    """Return the publication stored in a suggestion."""
    return Proposal(
        Evidence(kept["evidence"]),
        *(kept["venue"], kept["year"], kept["doi"], kept["type"]),
        tuple((name, value) for name, value in kept["publication"]),
        tuple(Identifier(*one) for one in kept["identifiers"]),
        tuple(kept["sources"]),
    )


def publication_to_json(proposal: Proposal) -> dict[str, object]:
    """Return where it was published, and the evidence, as JSON values."""
    kept = _kept(proposal)
    return {name: kept[name] for name in ("evidence", "venue", "year", "doi", "type", "sources")}


def take_over_publication(store: Store, paper_id: int, proposal: Proposal) -> None:
    """Set a paper's publication; its arXiv id, title and key stay. Call it within an action.
    Raises ConflictError when another paper has the DOI."""
    fields = {
        "venue": proposal.venue,
        "year": proposal.year,
        "published_type": proposal.published_type,
        "publication": proposal.publication or None,
    }
    add_identifiers(store, paper_id, proposal.identifiers)
    for name, value in fields.items():
        if value is not None:
            edit_paper(store, paper_id, name, value)


_SAID = {
    Evidence.LINKED: "linked by {}",
    Evidence.DOI: "the authors' DOI at arXiv, confirmed by {}",
    Evidence.TITLE: "title and authors, {}",
    Evidence.ABSTRACT: "abstract and authors, under another title, {}",
    Evidence.COMMENT: "only the authors say so",
}


def in_words(proposal: Proposal) -> str:
    """Return ``Journal of Things 2023 (linked by Semantic Scholar)``."""
    year = str(proposal.year or "")
    named = proposal.venue if year in proposal.venue else f"{proposal.venue} {year}"
    sources = ", ".join(dict.fromkeys(map(title_of, proposal.sources)))
    return f"{named} ({_SAID[proposal.evidence].format(sources)})"


class ShownSuggestion(NamedTuple):
    """An open suggestion, with the library's value."""

    id: int
    paper_id: int | None
    """The paper; None for a proposal to add one."""
    field: str
    value: object
    """The value as in PaperFacts; for ``links`` one Link."""
    source: str
    citekey: str
    """For a paper to be added, its identifier."""
    present: object
    """The current value, as in PaperFacts, or the existing Link; else None."""


def open_suggestions(
    store: Store, paper_id: int | None = None, *, evidence: str | None = None
) -> list[ShownSuggestion]:
    """Return the open suggestions, of one paper or of all, oldest first; with ``evidence`` only
    publications with that evidence.

    Suggestions that the library agrees with by now are left out.
    """
    shown = [_shown(store, found) for found in read_suggestions(store, paper_id=paper_id)]
    shown = [one for one in shown if one.value != one.present]
    return [one for one in shown if evidence in (None, evidence_of(one))]


def evidence_of(suggestion: ShownSuggestion) -> str | None:
    """Return the evidence of a publication: ``linked``; None for other suggestions."""
    value = suggestion.value
    return value.evidence.value if isinstance(value, Proposal) else None


def publication_of(suggestion: ShownSuggestion) -> dict[str, object] | None:
    """Return a publication as JSON values, field by field; None for other suggestions."""
    value = suggestion.value
    return publication_to_json(value) if isinstance(value, Proposal) else None


class AnsweredSuggestions(NamedTuple):
    """The reader's answers to suggestions."""

    accepted: tuple[ShownSuggestion, ...]
    rejected: tuple[ShownSuggestion, ...]
    conflicts: tuple[str, ...] = ()
    """Why some could not be accepted and stay open: another paper has the DOI."""

    @property
    def summary(self) -> str:
        """Return ``2 suggestions accepted, 1 suggestion rejected``."""
        if self == AnsweredSuggestions((), ()):
            return "No open suggestions"
        parts = []
        if self.accepted or not self.rejected:
            parts.append(f"{plural(len(self.accepted), 'suggestion')} accepted")
        if self.rejected:
            parts.append(f"{plural(len(self.rejected), 'suggestion')} rejected")
        return ", ".join(parts)


def answer_suggestions(
    store: Store,
    library: Library,
    *,
    accept: Sequence[int] = (),
    reject: Sequence[int] = (),
) -> AnsweredSuggestions:
    """Accept some suggestions and reject others: no source suggests rejected values again.

    An accepted value counts as edited by the reader from then on. Raises NotFoundError, with
    nothing changed, when one of the suggestions is not open.
    """
    conflicts = []
    accepted = []
    with store.action("suggestions") as action:
        for suggestion in [_shown(store, get_suggestion(store, number)) for number in accept]:
            try:
                _take_over(store, library, suggestion, action.id)
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


def _take_over(store: Store, library: Library, suggestion: ShownSuggestion, action_id: int) -> None:
    value, paper_id = suggestion.value, suggestion.paper_id
    if isinstance(value, ProposedAct):
        _accept_act(store, library, action_id, paper_id, value)
        return
    assert paper_id is not None  # Only papers to be added have none.
    if isinstance(value, Link):
        add_links(store, paper_id, [value])
    elif isinstance(value, Proposal):
        take_over_publication(store, paper_id, value)
    else:
        edit_paper(store, paper_id, suggestion.field, value)


def _accept_act(
    store: Store, library: Library, action_id: int, paper_id: int | None, proposed: ProposedAct
) -> None:
    """Do what was proposed, within the reader's action. Raises what the act itself raises."""
    if proposed.act == "add" or paper_id is None:
        identified(proposed.value)
        add_references(store, [proposed.value])
        return
    match proposed.act:
        case "category":
            move_papers(store, [paper_id], parse_path(proposed.value), is_added=True)
        case "tag":
            tag_papers(store, [paper_id], add=[proposed.value])
        case "discard":
            set_decision(store, [paper_id], "discarded", reason=proposed.value)
        case "note":
            _add_to_note(store, library, action_id, paper_id, proposed.value)


def _add_to_note(store: Store, library: Library, action_id: int, paper_id: int, text: str) -> None:
    """Write a text at the end of the paper's note; what the note was is kept for undo."""
    note = prepare_note(store, library, paper_id)
    path = get_note_path(store, library, note.name)
    if store.is_trial:
        return
    seen = read_file(path)
    gap = b"\n" if seen.endswith(b"\n") else b"\n\n"
    data = seen + gap + text.encode() + b"\n"
    keep_replaced(store, action_id, ReplacedFile(note.name, seen, data))
    replace_file(path, seen, data)
    index_note(store, library, note.name)


def value_in_words(value: object) -> str:
    """Return a field's value as one line of text; empty for None."""
    if isinstance(value, Link):
        return value.url
    if isinstance(value, ProposedAct):
        return value.in_words
    if isinstance(value, Proposal):
        return in_words(value)
    if isinstance(value, tuple):
        return "; ".join(v.name if isinstance(v, Author) else str(v) for v in value)
    return "" if value is None else str(value)


def value_in_lines(value: object) -> str:
    """Return a field's value as text that keeps the lines of a proposed note."""
    if isinstance(value, ProposedAct):
        return "\n\n".join(filter(None, (value.value, value.reason)))
    return value_in_words(value)


def _shown(store: Store, suggestion: Suggestion) -> ShownSuggestion:
    said = (suggestion.id, suggestion.paper_id, suggestion.field)
    if suggestion.paper_id is None:
        act = ProposedAct.of(suggestion.field, suggestion.value)
        return ShownSuggestion(*said, act, suggestion.source, act.value, None)
    paper = get_paper(store, suggestion.paper_id)
    value: object = suggestion.value
    present: object = None
    if suggestion.field == "links":
        value = Link(*value)  # type: ignore[misc]  # As enriching has written it.
        present = next((link for link in paper.facts.links if link.url == value.url), None)
        value = value if present is None else present
    elif suggestion.field in ACTS:
        value = ProposedAct.of(suggestion.field, value)
    elif suggestion.field == PUBLICATION:
        value = proposal_of(value)  # type: ignore[arg-type]  # As looking has written it.
        present = paper.facts.venue
    else:
        present = getattr(paper.facts, suggestion.field) or None
    return ShownSuggestion(*said, value, suggestion.source, paper.citekey, present)
