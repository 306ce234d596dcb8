"""Edit a list as somebody requests, and summarize the edits for a pull request."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import chain
from math import log, sqrt
from pathlib import Path
from typing import Literal

from papertrack.actions.document_settings import get_document
from papertrack.actions.online.fetching import fetch_in_time
from papertrack.actions.references import resolve_reference
from papertrack.category_paths import CategoryPath, format_path, parse_path
from papertrack.documents.encoding import encode_document
from papertrack.documents.markdown.model import Document, Entry, EntryFields
from papertrack.documents.markdown.roles import host_role, role_word
from papertrack.documents.markdown.values import most_common
from papertrack.documents.markdown.write.edit_types import Add, Move, Remove, SetLink
from papertrack.documents.markdown.write.edits import apply_edits
from papertrack.errors import NotFoundError, PapertrackError, UsageError
from papertrack.identifiers import find_arxiv_ids, identify, url_of
from papertrack.identifiers.addresses import split_address
from papertrack.library import Library
from papertrack.library.paths import BIBTEX_SUFFIXES
from papertrack.records import Identifier, Link, PaperFacts
from papertrack.sources import registry
from papertrack.sources.transport import Door
from papertrack.store.lookup import find_papers, get_paper
from papertrack.store.store import Store
from papertrack.sync.markdown.reading import ReadDocument as ReadDocument
from papertrack.sync.markdown.reading import read_document
from papertrack.text import clean, few, fold, plural, shorten, title_key

_MIN_SIMILARITY = 0.18
"""Titles less similar than this are not related: they may share a single word."""
_NEAREST = 3
"""The number of entries that count towards a section's similarity."""
_WORD = re.compile(r"[a-z0-9]{3,}|[\u4e00-\u9fff]{2}")
_STOP_WORDS = frozenset(
    "the and for with from via are can using towards toward into over how what why based "
    "learning model models large language neural network networks approach method new".split()
)


@dataclass(frozen=True, slots=True)
class Place:
    """A section, and why a work belongs there."""

    category: CategoryPath
    similar: tuple[str, ...] = ()
    """The most similar titles, if the request names no section."""


def find_categories(document: Document, name: str) -> list[CategoryPath]:
    """Return the categories that match a name: by whole path, else by the path's end."""
    try:
        target = tuple(map(fold, parse_path(name)))
    except UsageError:
        return []
    folded = {path: tuple(map(fold, path)) for path in document.categories}
    exact = [path for path, names in folded.items() if names == target]
    ends = [
        [path for path, names in folded.items() if names[-len(ending) :] == ending]
        for ending in (target, (fold(name),))
    ]
    return exact or ends[0] or ends[1]


def find_nearest(document: Document, title: str) -> Place | None:
    """Return the section with the titles most similar to this one; None if none is similar.

    Returns the only section of a list with a single section.
    """
    categories = {entry.category for entry in document.entries}
    if len(categories) == 1:
        return Place(next(iter(categories)))
    similarity = _similarities(document, title)
    by_category: dict[CategoryPath, list[Entry]] = {path: [] for path in categories}
    for entry in sorted(document.entries, key=lambda entry: -similarity[entry.index]):
        if similarity[entry.index]:
            by_category[entry.category].append(entry)
    best = max(
        by_category.values(),
        key=lambda entries: sum(similarity[entry.index] for entry in entries[:_NEAREST]),
        default=[],
    )
    if not best or similarity[best[0].index] < _MIN_SIMILARITY:
        return None
    return Place(best[0].category, tuple(entry.fields.title for entry in best[:2]))


def _similarities(document: Document, title: str) -> list[float]:
    """Return each entry's similarity to a title, from 0 to 1; rare shared words count more."""
    words = [_words(entry.fields.title) for entry in document.entries]
    counts = Counter(word for other in words for word in other)

    def weight(common: frozenset[str]) -> float:
        return sum(log(1 + len(words) / counts[w]) ** 2 if w in counts else 1.0 for w in common)

    title_words = _words(title)
    shares = [(weight(title_words & other), weight(title_words) * weight(other)) for other in words]
    return [common / sqrt(product) if common else 0.0 for common, product in shares]


def _words(title: str) -> frozenset[str]:
    return frozenset(_WORD.findall(fold(title))) - _STOP_WORDS


OutcomeKind = Literal[
    "added", "removed", "moved", "published", "known", "not-found", "undecided", "refused"
]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of one request."""

    kind: OutcomeKind
    reference: str
    """The request as it was written."""
    title: str | None = None
    category: str | None = None
    line: int | None = None
    """The entry's line, from 1, in the new text; for a removed entry in the old one."""
    text: str | None = None
    """The entry's text."""
    reason: str | None = None
    """A sentence that says why the entry is in this section, or why nothing was done."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """The edited text, and the result of each request."""

    text: str
    outcomes: tuple[Outcome, ...]
    notes: str | None = None


@dataclass(frozen=True, slots=True)
class Lookup:
    """What the library and the sources know about the requested works."""

    facts: Mapping[Identifier, PaperFacts] = field(default_factory=dict)
    asked: frozenset[Identifier] = frozenset()
    """The works that sources were asked about, or would have been while online."""
    problem: str | None = None
    """Why other works are unknown: the sources asked, and their answers."""
    is_unreachable: bool = False
    """Whether a source did not answer."""

    def why_unknown(self, identifier: Identifier) -> str:
        """Return why a work has no title."""
        if self.problem and identifier in self.asked:
            return self.problem
        return "No source knows such works, and no title was given."


@dataclass(frozen=True, slots=True)
class Changes:
    """The requested changes to existing entries, each named by a reference."""

    remove: tuple[str, ...] = ()
    move: tuple[str, ...] = ()
    to: str | None = None
    published: tuple[tuple[str, str], ...] = ()
    """References to entries, each with the address of the published version."""


Identifiers = Callable[[str], Sequence[Identifier]]
"""Returns all identifiers of the paper that a reference names in a library."""
_Planned = tuple[Add | Move | Remove | SetLink, Outcome]
"""An edit, and the result to report if it is made."""


def propose(
    document: Document, request: Request, lookup: Lookup, changes: Changes, identifiers: Identifiers
) -> Proposal:
    """Edit a document as requested, in its own style, and return the result of each request.

    Raises NotFoundError for a missing entry or category, and UsageError for an ambiguous name.
    """
    edits = [*_edits(document, changes, identifiers)]
    skipped = []
    if request.omitted:
        reason = f"A request may name at most {MAX_WORKS} works."
        skipped.append(Outcome("undecided", plural(request.omitted, "further work"), reason=reason))
    for work in request.works:
        planned = _plan_addition(document, work, lookup, request.category)
        if isinstance(planned, Outcome):
            skipped.append(planned)
        else:
            edits.append(planned)
    edited = apply_edits(document, [edit for edit, _ in edits])
    reasons = {refusal.edit: refusal.reason for refusal in edited.refused}
    new_document = edited.document or document
    outcomes = [
        replace(outcome, kind="refused", reason=reasons[edit])
        if edit in reasons
        else _locate(document, new_document, edit, outcome)
        for edit, outcome in edits
    ]
    return Proposal(edited.text, (*outcomes, *skipped), request.notes)


def _plan_addition(
    document: Document, work: Work, lookup: Lookup, category: str | None
) -> _Planned | Outcome:
    """Plan a new entry for a work, or return why there is none."""
    facts = lookup.facts.get(work.identifier)
    if entry := _entry_of(document, work, facts):
        category_name = format_path(entry.category) or None
        return Outcome("known", work.reference, entry.fields.title, category_name, entry.line)
    title = (facts and facts.title) or work.title
    if title is None:
        return Outcome("not-found", work.reference, reason=lookup.why_unknown(work.identifier))
    place = _place(document, category, title)
    if isinstance(place, str):
        return Outcome("undecided", work.reference, title, reason=place)
    reasons = []
    if place.similar:
        reasons.append(f"No section was named; the most similar work is {_quoted(place.similar)}.")
    if facts is None:
        reasons.append("Its title is from the request: no source knows it.")
    reason = " ".join(reasons) or None
    fields = _fields_of(work, title, facts or PaperFacts(kind="post"))
    category_name = format_path(place.category) or None
    outcome = Outcome("added", work.reference, title, category_name, reason=reason)
    return Add(place.category, fields), outcome


_MIN_TITLE = 12
"""Titles of at most this many letters can name several works."""


def _quoted(titles: Sequence[str]) -> str:
    return " and ".join(f"“{title}”" for title in titles)


def _entry_of(document: Document, work: Work, found_facts: PaperFacts | None) -> Entry | None:
    """Return a work's entry in the list, if it has one."""
    facts = found_facts or PaperFacts()
    identifiers, key = {work.identifier, *facts.identifiers}, title_key(facts.title or "")
    same_id = (entry for entry in document.entries if identifiers.intersection(entry.identifiers))
    same_title = (entry for entry in document.entries if title_key(entry.fields.title) == key)
    return next(same_id, None) or (next(same_title, None) if len(key) > _MIN_TITLE else None)


def _place(document: Document, category: str | None, title: str) -> Place | str:
    """Return a section for a new entry, or a sentence about the decision to make."""
    matches = find_categories(document, category) if category else []
    if len(matches) == 1:
        return Place(matches[0])
    nearest = find_nearest(document, title)
    if matches:
        choices = ", ".join(map(format_path, matches))
        return f"{category!r} may be one of {choices}."
    if not category:
        return nearest or "No section was named, and no work in the list is similar."
    hint = f" The nearest is {format_path(nearest.category)}" if nearest else ""
    if nearest and nearest.similar:
        hint += f" with {_quoted(nearest.similar)}"
    return f"The list has no section {category!r}.{hint}{'.' if nearest else ''}"


def _fields_of(work: Work, title: str, facts: PaperFacts) -> EntryFields:
    """Return the fields of a new entry; the list's style decides which of them it shows."""
    # The request's link to code comes before that of the sources.
    code = [Link("code", url) for url in work.code]
    code += [link for link in facts.links if link.role == "code"]
    return EntryFields(
        title=title,
        kind=facts.kind,
        date=(facts.submitted or str(facts.year or ""))[:10] or None,
        links=(Link("paper", work.url), *code[:1]),
        authors=tuple(author.name for author in facts.authors),
        venue=facts.venue,
    )


def _edits(document: Document, changes: Changes, identifiers: Identifiers) -> Iterator[_Planned]:
    for reference in changes.remove:
        for entry in find_entries(document, reference, identifiers):
            yield Remove(entry.index), _outcome_of(document, "removed", reference, entry)
    for reference in changes.move:
        entry = _single(find_entries(document, reference, identifiers), reference)
        target = _get_category(document, changes.to or "")
        outcome = _outcome_of(document, "moved", reference, entry)
        outcome = replace(outcome, category=format_path(target))
        yield Move(entry.index, target), outcome
    for reference, url in changes.published:
        entry = _single(find_entries(document, reference, identifiers), reference)
        work = parse_work(url.strip())
        if work is None:
            raise UsageError(f"{url!r} is neither an address nor a DOI.")
        label = label_for(document, work.url)
        edit = SetLink(entry.index, "paper", work.url, label, is_beside=True)
        yield edit, _outcome_of(document, "published", reference, entry)


_LABELS = {"arxiv": "arXiv", "doi": "DOI", "openreview": "OpenReview", "acl": "ACL"}
_LONG_LABEL = 20


def label_for(document: Document, url: str) -> str:
    """Return the label for a link to a published version.

    It is the list's usual label for the same site, else the site's name.
    """
    identifier, address = identify(url), split_address(url)
    host = address.host if address else ""
    links = chain.from_iterable(entry.anatomy.links for entry in document.entries)
    common = most_common(
        [
            link.label
            for link in links
            if (other := split_address(link.url))
            and other.host == host
            and 0 < len(link.label) < _LONG_LABEL
            and not link.is_badge
        ]
    )
    scheme = identifier.scheme if identifier else "url"
    return common or _LABELS.get(scheme, host)


def _get_category(document: Document, name: str) -> CategoryPath:
    matches = find_categories(document, name)
    if len(matches) == 1:
        return matches[0]
    if not matches:
        raise NotFoundError(f"The list has no section {name!r}.")
    raise UsageError(f"{name!r} may be one of {', '.join(map(format_path, matches))}.")


def _outcome_of(document: Document, kind: OutcomeKind, reference: str, entry: Entry) -> Outcome:
    text = document.text[slice(*entry.span)].rstrip("\r\n")
    where = format_path(entry.category) or None
    return Outcome(kind, reference, entry.fields.title, where, entry.line, text)


def find_entries(document: Document, reference: str, all_identifiers: Identifiers) -> list[Entry]:
    """Return the entries of a work, given an id, an address, a citekey or the start of a title.

    Raises NotFoundError when there is none, UsageError when several titles begin with the text.
    """
    identifiers = {identify(reference.strip()), *all_identifiers(reference)}
    entries = [entry for entry in document.entries if identifiers.intersection(entry.identifiers)]
    return entries or _find_by_title(document, reference)


def _find_by_title(document: Document, reference: str) -> list[Entry]:
    """Return the entries with a title; its first words are enough if they are unique."""
    start = fold(reference.strip()) or "\n"
    entries = [entry for entry in document.entries if fold(entry.fields.title).startswith(start)]
    if not entries:
        raise NotFoundError(f"No entry of the list has the name {reference!r}.")
    if exact := [entry for entry in entries if fold(entry.fields.title) == start]:
        return exact
    titles = list(dict.fromkeys(f"“{entry.fields.title}”" for entry in entries))
    if len(titles) > 1:
        raise UsageError(f"Several titles begin with {reference!r}: {few(titles)}.")
    return entries


def _single(entries: Sequence[Entry], reference: str) -> Entry:
    if len(entries) > 1:
        lines = ", ".join(str(entry.line) for entry in entries)
        raise UsageError(f"{reference!r} is in several lines: {lines}. Edit those by hand.")
    return entries[0]


def _locate(
    old: Document, new: Document, edit: Add | Move | Remove | SetLink, outcome: Outcome
) -> Outcome:
    """Add the line and the text of the edited entry to an outcome."""
    if isinstance(edit, Remove):
        return outcome
    if isinstance(edit, Add):  # Find a new entry by its address, else by its title.
        section = [entry for entry in new.entries if entry.category == edit.category]
        address, key = identify(edit.fields.links[0].url), title_key(edit.fields.title)
        entries = [*filter(lambda entry: address in entry.identifiers, section)]
        entries += filter(lambda entry: title_key(entry.fields.title) == key, section)
    else:
        identifiers = {*old.entries[edit.entry_index].identifiers}
        entries = [entry for entry in new.entries if identifiers.intersection(entry.identifiers)]
    if not entries:
        return outcome
    text = new.text[slice(*entries[0].span)].rstrip("\r\n")
    return replace(outcome, line=entries[0].line, text=text)


SECONDS = 120.0
"""How long to wait for sources; the job that answers issues has time."""


def facts_in_library(store: Store, works: Sequence[Work]) -> dict[Identifier, PaperFacts]:
    """Return the library's facts about works, if they include a title."""
    owners = find_papers(store, [work.identifier for work in works])
    facts = {i: get_paper(store, paper).facts for i, paper in owners.items()}
    return {i: paper_facts for i, paper_facts in facts.items() if paper_facts.title}


def identifiers_in_library(store: Store, reference: str) -> tuple[Identifier, ...]:
    """Return all identifiers of the paper that a reference names; none for an unknown one."""
    try:
        return get_paper(store, resolve_reference(store, reference)).facts.identifiers
    except PapertrackError:
        return ()


def ask_sources(door: Door, works: Sequence[Work]) -> Lookup:
    """Ask the sources about works, except those that no source can look up."""
    identifiers = works_to_ask(works)
    if not identifiers:
        return Lookup()
    fetched = fetch_in_time(door, identifiers, SECONDS)
    facts = {identifier: record.facts for identifier, record in fetched.records.items()}
    return Lookup(facts, frozenset(identifiers), fetched.problem, fetched.is_unreachable)


def works_to_ask(works: Sequence[Work]) -> list[Identifier]:
    """Return the identifiers that a source can look up."""
    return [work.identifier for work in works if registry.best_identifier([work.identifier])]


def read_list(path: Path, store: Store | None, library: Library | None) -> ReadDocument:
    """Read a README, with its settings if it is registered in the library.

    Raises UsageError for a .bib file, and the errors of ``read_document``.
    """
    if path.suffix.lower() in BIBTEX_SUFFIXES:
        raise UsageError(f"{path}: `propose` is for READMEs.")
    settings = {}
    if store is not None and library is not None:
        with suppress(NotFoundError):
            settings = dict(get_document(store, library, path).settings)
    return read_document(path, settings)


def encode_list(document: ReadDocument, text: str) -> bytes:
    """Return the bytes of an edited text, in the list's encoding."""
    return encode_document(text, document.encoding)


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
    """Format a proposal for a file as Markdown, grouped by result."""
    lines = [f"## Proposed for {_code(file)}", ""]
    for kind, heading in _HEADINGS.items():
        outcomes = [outcome for outcome in proposal.outcomes if outcome.kind == kind]
        if outcomes:
            lines += [f"### {heading} ({len(outcomes)})", ""]
            lines += [line for outcome in outcomes for line in _format_outcome(outcome)] + [""]
    if not proposal.outcomes:
        lines += ["The request names no work.", ""]
    if proposal.notes:
        lines += ["### Notes from the request", "", *_fenced(proposal.notes, ""), ""]
    return "\n".join(lines).rstrip() + "\n"


def _format_outcome(outcome: Outcome) -> Iterator[str]:
    title = _code(outcome.title or outcome.reference)
    category = f", {_code(outcome.category)}" if outcome.category else ""
    line = f", line {outcome.line}" if outcome.line else ""
    reason = f": {_sentence(outcome.reason)}" if outcome.reason else ""
    request = f" (requested as {_code(outcome.reference)})" if outcome.title else ""
    yield f"- {title}{request}{category}{line}{reason}"
    if outcome.text and outcome.kind in _WITH_TEXT:
        yield from ("", *_fenced(outcome.text, "  "), "")


def _code(text: str) -> str:
    """Put a text into a code span; backticks in the text cannot end it."""
    short = shorten(text, 200) or " "
    ticks = "`" * (max(map(len, re.findall("`+", short)), default=0) + 1)
    pad = " " if "`" in (short[:1], short[-1:]) else ""
    return f"{ticks}{pad}{short}{pad}{ticks}"


def _sentence(reason: str) -> str:
    """Escape the markup of a reason, which may quote a stranger's text."""
    escaped = re.sub(r"([\\`*_\[\]<>~|#@])", r"\\\1", clean(reason))
    return escaped.replace("\\@", "&#64;").replace("://", "&#58;//")


def _fenced(text: str, indent: str) -> Iterator[str]:
    ticks = "`" * max(3, max(map(len, re.findall("`+", text)), default=0) + 1)
    yield f"{indent}{ticks}markdown"
    for line in text.splitlines():  # Drop invisible characters.
        yield indent + "".join(c for c in line if c.isprintable() or c == "\t")
    yield f"{indent}{ticks}"


# -- Parse requests: the works that a text names, its category and its notes.
#
# A stranger wrote the text. It is an issue, or the answers of an issue form, with a heading above
# each answer. papertrack never runs any of it, and only reads web addresses and ids from it.

MAX_WORKS = 50
"""The most works that one request may name."""
_HIDDEN = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_HEADING = re.compile(r"^#{2,4}[ \t]+(?P<name>[^\r\n]+)$", re.MULTILINE)
_OTHER_FIELDS = {
    "category": re.compile(r"categor|section|heading|topic|类别|分类|章节", re.IGNORECASE),
    "notes": re.compile(
        r"note|comment|reason|why|about|descri|additional|checklist|备注|说明", re.IGNORECASE
    ),
}
"""Names of form fields with something else than works."""
_NO_ANSWER = ("_no response_", "none", "n/a", "-", "i do not know")
_LINK = re.compile(
    r"\[(?P<label>[^\[\]\r\n]{1,300})\]\((?P<target>https?://[^\s()<>]{1,2000}(?:\([^\s()<>]*\))?)\)"
    r"|(?P<url>https?://[^\s<>\[\]\"'`|]{1,2000})"
    r"|(?<![\w/.])(?P<doi>10\.[0-9]{4,9}/[^\s<>\[\]\"'`|]{1,300})"
)
_PARAGRAPH = re.compile(r"(?:\r?\n[ \t]*){2,}|\r?\n(?=[ \t]*(?:[-*+]|[0-9]{1,3}[.)])[ \t])")


@dataclass(frozen=True, slots=True)
class Work:
    """A requested work."""

    reference: str
    """Its name in the request."""
    identifier: Identifier
    url: str
    title: str | None = None
    """Its title in the request, if any."""
    code: tuple[str, ...] = ()
    """Addresses of its code in the request."""


@dataclass(frozen=True, slots=True)
class Request:
    """A request for works."""

    works: tuple[Work, ...]
    category: str | None = None
    notes: str | None = None
    omitted: int = 0
    """The number of works beyond MAX_WORKS."""


def make_request(references: Sequence[str]) -> tuple[Request, list[str]]:
    """Make a request from ids and addresses; return the texts that name no work too."""
    pairs = [(text, parse_work(text.strip())) for text in references]
    works = tuple(work for _, work in pairs if work)
    return Request(_merge_works(works)), [text for text, work in pairs if work is None]


def parse_request(text: str) -> Request:
    """Parse a request: free text, or the answers of an issue form."""
    answers = _fields(_HIDDEN.sub("", text))
    notes, category = "\n".join(answers["notes"]), "".join(answers["category"][:1])
    works = _merge_works(work for answer in answers["links"] for work in _find_works(answer))
    works = works or _merge_works(_find_works(notes))  # A form may have its links in another field.
    omitted = max(len(works) - MAX_WORKS, 0)
    return Request(works[:MAX_WORKS], clean(category) or None, notes or None, omitted)


def _fields(body: str) -> Mapping[str, Sequence[str]]:
    """Group a form's answers into ``links``, ``category`` and ``notes``.

    Text before the first heading belongs to ``links``.
    """
    intro, *sections = _HEADING.split(body)
    answers = defaultdict[str, list[str]](list)
    for name, text in [("", intro), *zip(sections[::2], sections[1::2], strict=True)]:
        if (answer := text.strip()) and answer.lower() not in _NO_ANSWER:
            kinds = [kind for kind, pattern in _OTHER_FIELDS.items() if pattern.search(name)]
            for kind in kinds or ["links"]:
                answers[kind].append(answer)
    return answers


def _find_works(text: str) -> Iterator[Work]:
    """Yield the works in a text; code links belong to the only work of a paragraph or line."""
    for paragraph in _PARAGRAPH.split(text):
        merged = _attach_code(list(_find_references(paragraph)))
        for part in [paragraph] if merged else paragraph.splitlines():
            works = list(_find_references(part))
            yield from _attach_code(works) or works


def _attach_code(works: Sequence[Work]) -> list[Work]:
    """If all but one of the works are code links, return that one with them; else nothing."""
    code = [work for work in works if host_role(work.url) == "code"]
    papers = [work for work in works if work not in code]
    return [replace(papers[0], code=tuple(work.url for work in code))] if len(papers) == 1 else []


def _find_references(text: str) -> Iterator[Work]:
    """Yield linked works with the links' labels as titles, then works named by arXiv ids."""
    for match in _LINK.finditer(text):
        if work := parse_work(_target(match)):
            label = clean(match["label"] or "")
            # An address or a word such as "code" is no title.
            is_title = len(label) > 3 and not role_word(label) and "://" not in label
            yield replace(work, title=label if is_title else None)
    ids = (parse_work(paper.id) for paper in find_arxiv_ids(_LINK.sub(" ", text)))
    yield from filter(None, ids)


def _target(match: re.Match[str]) -> str:
    """Return an address or DOI without the punctuation after it."""
    if match["target"]:
        return match["target"]
    target = (match["url"] or match["doi"]).rstrip(".,;:!?'\"")
    return target if "(" in target else target.rstrip(")")


def parse_work(text: str) -> Work | None:
    """Parse an id, a DOI or a web address; None if the text is none of these."""
    identifier = identify(text)
    if identifier is None or (identifier.scheme == "url" and not text.lower().startswith("http")):
        return None
    is_address = text.lower().startswith(("http://", "https://"))
    url = text if is_address and identifier.scheme not in ("arxiv",) else url_of(identifier)
    return Work(text, identifier, url)


def _merge_works(works: Iterable[Work]) -> tuple[Work, ...]:
    unique: dict[Identifier, Work] = {}
    for work in works:
        first = unique.setdefault(work.identifier, work)
        if first is not work:
            code = tuple(dict.fromkeys((*first.code, *work.code)))
            unique[work.identifier] = replace(first, title=first.title or work.title, code=code)
    return tuple(unique.values())
