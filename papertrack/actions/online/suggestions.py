"""Suggested values, publications and proposals: store, list, accept or reject them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from papertrack.actions.add import add_references
from papertrack.actions.notes import get_note_path, index_note, prepare_note
from papertrack.actions.organise import move_papers, tag_papers
from papertrack.actions.proposals import ACTS, ProposedAct, identified
from papertrack.actions.reading import set_decision
from papertrack.actions.results import shaped
from papertrack.category_paths import parse_path
from papertrack.errors import ConflictError
from papertrack.library import Library
from papertrack.library.files import read_file, replace_file
from papertrack.matching.publications import Evidence, Proposal
from papertrack.records import Author, Identifier, Link
from papertrack.sources.published.services import title_of as title_of
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
    """Store a suggested publication, unless the user has answered it; return whether it is new.

    Call it within an action.
    """
    for earlier in read_proposed(store, [paper_id]).get(paper_id, []):
        is_answered = earlier.state != "open"
        if is_answered and proposal_of(earlier.value).is_same(proposal):
            return False
    drop_weaker(store, paper_id)
    value = {name.removeprefix("published_"): value for name, value in asdict(proposal).items()}
    return suggest(store, paper_id, PUBLICATION, value, source=proposal.sources[0])


def proposal_of(stored: Mapping[str, Any]) -> Proposal:
    """Return the publication stored in a suggestion."""
    return Proposal(
        Evidence(stored["evidence"]),
        *(stored["venue"], stored["year"], stored["doi"], stored["type"]),
        tuple((name, value) for name, value in stored["publication"]),
        tuple(Identifier(*identifier) for identifier in stored["identifiers"]),
        tuple(stored["sources"]),
    )


@dataclass(frozen=True, slots=True)
class Publication:
    """A suggested publication, with its evidence, as it is printed."""

    evidence: str
    venue: str
    year: int | None
    doi: str | None
    type: str | None
    sources: tuple[str, ...]

    @classmethod
    def of(cls, proposal: Proposal | None) -> Publication | None:
        """Return a publication as it is printed; None for None."""
        return shaped(cls, proposal, type=proposal.published_type) if proposal else None


def apply_publication(store: Store, paper_id: int, proposal: Proposal) -> None:
    """Set a paper's publication. Call it within an action.

    Leaves arXiv id, title and citekey as they are. Raises ConflictError when another paper has
    the DOI.
    """
    add_identifiers(store, paper_id, proposal.identifiers)
    for name in ("venue", "year", "published_type", "publication"):
        if value := getattr(proposal, name):
            edit_paper(store, paper_id, name, value)


_EVIDENCE_TEXTS = {
    Evidence.LINKED: "linked by {}",
    Evidence.DOI: "the authors' DOI at arXiv, confirmed by {}",
    Evidence.TITLE: "title and authors, {}",
    Evidence.ABSTRACT: "abstract and authors, under another title, {}",
    Evidence.COMMENT: "only the authors say so",
}


def publication_text(proposal: Proposal) -> str:
    """Return ``Journal of Things 2023 (linked by Semantic Scholar)``."""
    year = str(proposal.year or "")
    place = proposal.venue if year in proposal.venue else f"{proposal.venue} {year}"
    sources = ", ".join(dict.fromkeys(map(title_of, proposal.sources)))
    return f"{place} ({_EVIDENCE_TEXTS[proposal.evidence].format(sources)})"


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

    @property
    def publication(self) -> Proposal | None:
        """The suggested publication; None for other suggestions."""
        return self.value if isinstance(self.value, Proposal) else None


def open_suggestions(
    store: Store, paper_id: int | None = None, *, evidence: str | None = None
) -> list[ShownSuggestion]:
    """Return the open suggestions, of one paper or of all, oldest first.

    With ``evidence``, returns only publications with that evidence. Leaves out suggestions that
    equal the library's current value.
    """
    suggestions = [_as_shown(store, s) for s in read_suggestions(store, paper_id=paper_id)]
    return [
        s
        for s in suggestions
        if s.value != s.present
        and (evidence is None or (s.publication and s.publication.evidence == evidence))
    ]


class AnsweredSuggestions(NamedTuple):
    """The user's answers to suggestions."""

    accepted: tuple[ShownSuggestion, ...]
    rejected: tuple[ShownSuggestion, ...]
    conflicts: tuple[str, ...] = ()
    """Why some could not be accepted and stay open: another paper has the DOI."""

    @property
    def summary(self) -> str:
        """Return ``2 suggestions accepted, 1 suggestion rejected``."""
        answers = (("accepted", self.accepted), ("rejected", self.rejected))
        parts = [f"{plural(len(of), 'suggestion')} {answer}" for answer, of in answers if of]
        is_empty = self == AnsweredSuggestions((), ())
        return ", ".join(parts) or f"No {'open suggestions' if is_empty else 'suggestion accepted'}"


def answer_suggestions(
    store: Store, library: Library, *, accept: Sequence[int] = (), reject: Sequence[int] = ()
) -> AnsweredSuggestions:
    """Accept some suggestions and reject others. Sources do not suggest rejected values again.

    An accepted value counts as edited by the user. Raises NotFoundError, and changes nothing,
    when one of the suggestions is not open.
    """
    conflicts = []
    accepted = []
    with store.action("suggestions") as action:
        for suggestion in [_as_shown(store, get_suggestion(store, number)) for number in accept]:
            try:
                _apply(store, library, suggestion, action.id)
            except ConflictError as conflict:
                conflicts.append(str(conflict))
                continue
            accepted.append(suggestion)
            close_suggestion(store, suggestion.id, "accepted")
        rejected = [_as_shown(store, get_suggestion(store, number)) for number in reject]
        for suggestion in rejected:
            close_suggestion(store, suggestion.id, "rejected")
        answered = AnsweredSuggestions(tuple(accepted), tuple(rejected), tuple(conflicts))
        action.summary = answered.summary
    return answered


def _apply(store: Store, library: Library, suggestion: ShownSuggestion, action_id: int) -> None:
    """Write an accepted value within the user's action. Raises what this kind of change raises."""
    paper_id = suggestion.paper_id or 0  # Only a proposal to add a paper has none.
    match suggestion.value:
        case ProposedAct("add", text):
            identified(text)
            add_references(store, [text])
        case ProposedAct("category", text):
            move_papers(store, [paper_id], parse_path(text), is_added=True)
        case ProposedAct("tag", text):
            tag_papers(store, [paper_id], add=[text])
        case ProposedAct("discard", text):
            set_decision(store, [paper_id], "discarded", reason=text)
        case ProposedAct("note", text):
            _add_to_note(store, library, action_id, paper_id, text)
        case Link() as link:
            add_links(store, paper_id, [link])
        case Proposal() as proposal:
            apply_publication(store, paper_id, proposal)
        case value:
            edit_paper(store, paper_id, suggestion.field, value)


def _add_to_note(store: Store, library: Library, action_id: int, paper_id: int, text: str) -> None:
    """Append a text to the paper's note, and keep the former note for undo."""
    note = prepare_note(store, library, paper_id)
    path = get_note_path(store, library, note.name)
    if store.is_trial:
        return
    old = read_file(path)
    gap = b"\n" if old.endswith(b"\n") else b"\n\n"
    data = old + gap + text.encode() + b"\n"
    keep_replaced(store, action_id, ReplacedFile(note.name, old, data))
    replace_file(path, old, data)
    index_note(store, library, note.name)


def describe_value(value: object) -> str:
    """Return a field's value as one line of text; empty for None."""
    if isinstance(value, Link):
        return value.url
    if isinstance(value, ProposedAct):
        return value.in_words
    if isinstance(value, Proposal):
        return publication_text(value)
    if isinstance(value, tuple):
        return "; ".join(v.name if isinstance(v, Author) else str(v) for v in value)
    return "" if value is None else str(value)


def value_as_lines(value: object) -> str:
    """Return a field's value as text that keeps the lines of a proposed note."""
    if isinstance(value, ProposedAct):
        return "\n\n".join(filter(None, (value.value, value.reason)))
    return describe_value(value)


def _as_shown(store: Store, suggestion: Suggestion) -> ShownSuggestion:
    number, paper_id, field, value, source = suggestion
    paper = get_paper(store, paper_id) if paper_id is not None else None
    present: object = None
    if paper is None or field in ACTS:
        value = ProposedAct.of(field, value)
        citekey = paper.citekey if paper else value.value
        return ShownSuggestion(number, paper_id, field, value, source, citekey, None)
    facts = paper.facts
    if field == "links":
        link = Link(*value)  # type: ignore[misc]  # As `enrich` stores it.
        present = next((own for own in facts.links if own.url == link.url), None)
        value = present or link
    elif field == PUBLICATION:
        value = proposal_of(value)  # type: ignore[arg-type]  # As `keep_proposal` stores it.
        present = facts.venue
    else:
        present = getattr(facts, field) or None
    return ShownSuggestion(number, paper_id, field, value, source, paper.citekey, present)
