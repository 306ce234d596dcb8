"""Proposals: edits of a list that somebody requested, the result of each request, and a summary
for a pull request."""

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

_LIKENESS = 0.18
"""From this similarity on two titles are about the same; below it, one shared word decides."""
_NEAREST = 3
"""How many entries of a section count towards its similarity."""
_WORD = re.compile(r"[a-z0-9]{3,}|[\u4e00-\u9fff]{2}")
_EMPTY = frozenset(
    "the and for with from via are can using towards toward into over how what why based "
    "learning model models large language neural network networks approach method new".split()
)


@dataclass(frozen=True, slots=True)
class Place:
    """A section, and why a work belongs there."""

    category: CategoryPath
    like: tuple[str, ...] = ()
    """The most similar titles, if nobody named the section."""


def find_named(document: Document, name: str) -> list[CategoryPath]:
    """Return the categories that a name may mean: the whole path, or else its last part."""
    try:
        wanted = tuple(map(fold, parse_path(name)))
    except UsageError:
        return []
    folded = {path: tuple(map(fold, path)) for path in document.categories}
    exact = [path for path, names in folded.items() if names == wanted]
    ends = [
        [path for path, names in folded.items() if names[-len(last) :] == last]
        for last in (wanted, (fold(name),))
    ]
    return exact or ends[0] or ends[1]


def find_nearest(document: Document, title: str) -> Place | None:
    """Return the section whose titles are most similar to a title; None if none is similar.

    A list with a single section has no other choice.
    """
    categories = {entry.category for entry in document.entries}
    if len(categories) == 1:
        return Place(next(iter(categories)))
    likeness = _likenesses(document, title)
    nearest: dict[CategoryPath, list[Entry]] = {path: [] for path in categories}
    for entry in sorted(document.entries, key=lambda entry: -likeness[entry.index]):
        if likeness[entry.index]:
            nearest[entry.category].append(entry)
    near = max(
        nearest.values(),
        key=lambda held: sum(likeness[one.index] for one in held[:_NEAREST]),
        default=[],
    )
    if not near or likeness[near[0].index] < _LIKENESS:
        return None
    return Place(near[0].category, tuple(entry.fields.title for entry in near[:2]))


def _likenesses(document: Document, title: str) -> list[float]:
    """Return how alike each entry's title is to this one, from 0 to 1: what they share, by how rare
    it is."""
    words = [_words(entry.fields.title) for entry in document.entries]
    counts = Counter(word for each in words for word in each)

    def weight(shared: frozenset[str]) -> float:
        return sum(log(1 + len(words) / counts[w]) ** 2 if w in counts else 1.0 for w in shared)

    own = _words(title)
    shares = [(weight(own & each), weight(own) * weight(each)) for each in words]
    return [shared / sqrt(both) if shared else 0.0 for shared, both in shares]


def _words(title: str) -> frozenset[str]:
    return frozenset(_WORD.findall(fold(title))) - _EMPTY


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
    """Its line, from 1: in the new text, or for a removed entry in the old one."""
    text: str | None = None
    """Its lines in the text."""
    reason: str | None = None
    """A sentence: why in this section, or why not done."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """The edited text, and the result of each request."""

    text: str
    outcomes: tuple[Outcome, ...]
    notes: str | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """What is known about the requested works."""

    facts: Mapping[Identifier, PaperFacts] = field(default_factory=dict)
    asked: frozenset[Identifier] = frozenset()
    """The works that sources were asked about, or would have been."""
    problem: str | None = None
    """Why others are not known: which sources were asked, and what they answered."""
    is_unreachable: bool = False
    """Whether a source that may know them did not answer."""

    def why_not(self, identifier: Identifier) -> str:
        """Return why nothing is known about a work without a title."""
        if self.problem and identifier in self.asked:
            return self.problem
        return "No source knows such works, and no title was given."


@dataclass(frozen=True, slots=True)
class Changes:
    """Requested changes besides new entries, by references to entries."""

    remove: tuple[str, ...] = ()
    move: tuple[str, ...] = ()
    to: str | None = None
    published: tuple[tuple[str, str], ...] = ()
    """References, and the addresses of the published versions of these works."""


Identifiers = Callable[[str], Sequence[Identifier]]
"""Returns all identifiers that a library has for the paper of a reference."""
_Planned = tuple[Add | Move | Remove | SetLink, Outcome]
"""An edit, and the result to report if it is made."""


def propose(
    document: Document,
    request: Request,
    found: Found,
    changes: Changes,
    identifiers: Identifiers,
) -> Proposal:
    """Return the edits for a request and changes, in the document's own style.

    Raises NotFoundError for a reference to a missing entry, and UsageError for an ambiguous one,
    and for an unknown category.
    """
    edits = [*_changes(document, changes, identifiers)]
    before = []
    if request.left_out:
        reason = f"A request may name at most {MAX_WORKS} works."
        before.append(Outcome("undecided", plural(request.left_out, "further work"), reason=reason))
    for wanted in request.wanted:
        made = _adding(document, wanted, found, request.category)
        if isinstance(made, Outcome):
            before.append(made)
        else:
            edits.append(made)
    edited = apply_edits(document, [edit for edit, _ in edits])
    reasons = {refusal.edit: refusal.reason for refusal in edited.refused}
    after = document.parse_again(edited.text)
    outcomes = [
        replace(outcome, kind="refused", reason=reasons[edit])
        if edit in reasons
        else _placed(document, after, edit, outcome)
        for edit, outcome in edits
    ]
    return Proposal(edited.text, (*outcomes, *before), request.notes)


def _adding(
    document: Document, wanted: Wanted, found: Found, category: str | None
) -> _Planned | Outcome:
    """Return the new entry of a work, or why there is none."""
    facts = found.facts.get(wanted.identifier)
    if entry := _entry_of(document, wanted, facts):
        where = format_path(entry.category) or None
        return Outcome("known", wanted.written, entry.fields.title, where, entry.line)
    title = (facts and facts.title) or wanted.title
    if title is None:
        return Outcome("not-found", wanted.written, reason=found.why_not(wanted.identifier))
    place = _place(document, category, title)
    if isinstance(place, str):
        return Outcome("undecided", wanted.written, title, reason=place)
    reasons = []
    if place.like:
        reasons.append(f"No section was named; the most similar work is {_quoted(place.like)}.")
    if facts is None:
        reasons.append("Its title is from the request: no source knows it.")
    why = " ".join(reasons) or None
    fields = _fields_of(wanted, title, facts or PaperFacts(kind="post"))
    where = format_path(place.category) or None
    return Add(place.category, fields), Outcome("added", wanted.written, title, where, reason=why)


_TELLING = 12
"""Letters of a title from which on it names one work."""


def _quoted(titles: Sequence[str]) -> str:
    return " and ".join(f"“{title}”" for title in titles)


def _entry_of(document: Document, wanted: Wanted, facts: PaperFacts | None) -> Entry | None:
    """Return the entry that a work has already."""
    known = facts or PaperFacts()
    own, key = {wanted.identifier, *known.identifiers}, title_key(known.title or "")
    named = (entry for entry in document.entries if own.intersection(entry.identifiers))
    titled = (entry for entry in document.entries if title_key(entry.fields.title) == key)
    return next(named, None) or (next(titled, None) if len(key) > _TELLING else None)


def _place(document: Document, category: str | None, title: str) -> Place | str:
    """Return where a work goes, or a sentence on what has to be decided."""
    named = find_named(document, category) if category else []
    if len(named) == 1:
        return Place(named[0])
    nearest = find_nearest(document, title)
    if named:
        several = ", ".join(map(format_path, named))
        return f"{category!r} may be one of {several}."
    if not category:
        return nearest or "No section was named, and no work in the list is similar."
    hint = f" The nearest is {format_path(nearest.category)}" if nearest else ""
    if nearest and nearest.like:
        hint += f" with {_quoted(nearest.like)}"
    return f"The list has no section {category!r}.{hint}{'.' if nearest else ''}"


def _fields_of(wanted: Wanted, title: str, facts: PaperFacts) -> EntryFields:
    """Return what the new entry says, as far as the list has places for it."""
    # Code as the request has it, else as is known.
    code = [Link("code", url) for url in wanted.code]
    code += [link for link in facts.links if link.role == "code"]
    return EntryFields(
        title=title,
        kind=facts.kind,
        date=(facts.submitted or str(facts.year or ""))[:10] or None,
        links=(Link("paper", wanted.url), *code[:1]),
        authors=tuple(author.name for author in facts.authors),
        venue=facts.venue,
    )


def _changes(document: Document, changes: Changes, identifiers: Identifiers) -> Iterator[_Planned]:
    for reference in changes.remove:
        for entry in find_entries(document, reference, identifiers):
            yield Remove(entry.index), _about(document, "removed", reference, entry)
    for reference in changes.move:
        entry = _only(find_entries(document, reference, identifiers), reference)
        target = _named_category(document, changes.to or "")
        outcome = replace(_about(document, "moved", reference, entry), category=format_path(target))
        yield Move(entry.index, target), outcome
    for reference, url in changes.published:
        entry = _only(find_entries(document, reference, identifiers), reference)
        wanted = wanted_of(url.strip())
        if wanted is None:
            raise UsageError(f"{url!r} is neither an address nor a DOI.")
        label = label_for(document, wanted.url)
        edit = SetLink(entry.index, "paper", wanted.url, label, is_beside=True)
        yield edit, _about(document, "published", reference, entry)


_LABELS = {"arxiv": "arXiv", "doi": "DOI", "openreview": "OpenReview", "acl": "ACL"}
_LONG_LABEL = 20


def label_for(document: Document, url: str) -> str:
    """Return the label of a link to a published version: the one that the list uses for the same
    site, else the site's name."""
    identifier, place = identify(url), split_address(url)
    host = place.host if place else ""
    links = chain.from_iterable(entry.anatomy.links for entry in document.entries)
    usual = most_common(
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
    return usual or _LABELS.get(scheme, host)


def _named_category(document: Document, name: str) -> CategoryPath:
    named = find_named(document, name)
    if len(named) == 1:
        return named[0]
    if not named:
        raise NotFoundError(f"The list has no section {name!r}.")
    raise UsageError(f"{name!r} may be one of {', '.join(map(format_path, named))}.")


def _about(document: Document, kind: OutcomeKind, reference: str, entry: Entry) -> Outcome:
    text = document.text[slice(*entry.span)].rstrip("\r\n")
    where = format_path(entry.category) or None
    return Outcome(kind, reference, entry.fields.title, where, entry.line, text)


def find_entries(document: Document, reference: str, identifiers: Identifiers) -> list[Entry]:
    """Return the entries of the work that an id, an address, a citekey or the start of a title
    names. Raises NotFoundError when there is none, UsageError when several titles begin so."""
    known = {identify(reference.strip()), *identifiers(reference)}
    found = [entry for entry in document.entries if known.intersection(entry.identifiers)]
    return found or _titled(document, reference)


def _titled(document: Document, reference: str) -> list[Entry]:
    """Return the entries of the one title that a reference is, or begins."""
    start = fold(reference.strip()) or "\n"
    named = [one for one in document.entries if fold(one.fields.title).startswith(start)]
    if not named:
        raise NotFoundError(f"No entry of the list has the name {reference!r}.")
    if exact := [entry for entry in named if fold(entry.fields.title) == start]:
        return exact
    titles = list(dict.fromkeys(f"“{entry.fields.title}”" for entry in named))
    if len(titles) > 1:
        raise UsageError(f"Several titles begin with {reference!r}: {few(titles)}.")
    return named


def _only(entries: Sequence[Entry], reference: str) -> Entry:
    if len(entries) > 1:
        lines = ", ".join(str(entry.line) for entry in entries)
        raise UsageError(f"{reference!r} is in several lines: {lines}. Edit those by hand.")
    return entries[0]


def _placed(
    before: Document, after: Document, edit: Add | Move | Remove | SetLink, outcome: Outcome
) -> Outcome:
    """Return an outcome with the line and the text that an edited entry has now."""
    if isinstance(edit, Remove):
        return outcome
    if isinstance(edit, Add):  # It is known by its address, else by its title.
        held = [entry for entry in after.entries if entry.category == edit.category]
        address, key = identify(edit.fields.links[0].url), title_key(edit.fields.title)
        named = [*filter(lambda one: address in one.identifiers, held)]
        named += filter(lambda one: title_key(one.fields.title) == key, held)
    else:
        own = {*before.entries[edit.entry_index].identifiers}
        named = [entry for entry in after.entries if own.intersection(entry.identifiers)]
    if not named:
        return outcome
    text = after.text[slice(*named[0].span)].rstrip("\r\n")
    return replace(outcome, line=named[0].line, text=text)


SECONDS = 120.0
"""How long to wait for sources; nobody watches the job that answers issues."""


def facts_in_library(store: Store, wanted: Sequence[Wanted]) -> dict[Identifier, PaperFacts]:
    """Return what the library knows about works, for those with a title."""
    owners = find_papers(store, [one.identifier for one in wanted])
    facts = {identifier: get_paper(store, paper).facts for identifier, paper in owners.items()}
    return {identifier: known for identifier, known in facts.items() if known.title}


def identifiers_in_library(store: Store, reference: str) -> tuple[Identifier, ...]:
    """Return all identifiers of the paper that a reference names; none for any other text."""
    try:
        return get_paper(store, resolve_reference(store, reference)).facts.identifiers
    except PapertrackError:
        return ()


def ask_sources(door: Door, wanted: Sequence[Wanted]) -> Found:
    """Return what sources say about works; skips works that no source knows."""
    asked = askable(wanted)
    if not asked:
        return Found()
    fetched = fetch_in_time(door, asked, SECONDS)
    facts = {identifier: record.facts for identifier, record in fetched.records.items()}
    is_unreachable = fetched.failure is not None
    return Found(facts, frozenset(asked), fetched.problem, is_unreachable)


def askable(wanted: Sequence[Wanted]) -> list[Identifier]:
    """Return the works that a source may know."""
    return [one.identifier for one in wanted if registry.best_identifier([one.identifier])]


def read_list(path: Path, store: Store | None, library: Library | None) -> ReadDocument:
    """Read a README, with its settings if a library feeds it.

    Raises UsageError for a .bib file, and the errors of ``read_document``.
    """
    if path.suffix.lower() in BIBTEX_SUFFIXES:
        raise UsageError(f"{path}: `propose` is for READMEs.")
    settings = {}
    if store is not None and library is not None:
        with suppress(NotFoundError):
            settings = dict(get_document(store, library, path).settings)
    return read_document(path, settings)


def encoded(read: ReadDocument, text: str) -> bytes:
    """Return the bytes of an edited text, in the list's encoding."""
    return encode_document(text, read.encoding)


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
    """Return the proposal for a file as Markdown, grouped by result."""
    lines = [f"## Proposed for {_code(file)}", ""]
    for kind, heading in _HEADINGS.items():
        outcomes = [one for one in proposal.outcomes if one.kind == kind]
        if outcomes:
            lines += [f"### {heading} ({len(outcomes)})", ""]
            lines += [line for one in outcomes for line in _told(one)] + [""]
    if not proposal.outcomes:
        lines += ["The request names no work.", ""]
    if proposal.notes:
        lines += ["### Notes from the request", "", *_fenced(proposal.notes, ""), ""]
    return "\n".join(lines).rstrip() + "\n"


def _told(outcome: Outcome) -> Iterator[str]:
    named = _code(outcome.title or outcome.reference)
    where = f", {_code(outcome.category)}" if outcome.category else ""
    line = f", line {outcome.line}" if outcome.line else ""
    reason = f": {_sentence(outcome.reason)}" if outcome.reason else ""
    asked = f" (requested as {_code(outcome.reference)})" if outcome.title else ""
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
    for line in text.splitlines():  # Without what cannot be seen.
        yield indent + "".join(sign for sign in line if sign.isprintable() or sign == "\t")
    yield f"{indent}{ticks}"


# -- What somebody asks for: the works that a text names, its category and its notes.
#
# The text is a stranger's: words of an issue, or the answers of an issue form, which GitHub
# writes under a heading each. Nothing in it is ever run, and only web addresses and ids are taken
# from it.

MAX_WORKS = 50
"""The most works that one request may name."""
_HIDDEN = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_HEADING = re.compile(r"^#{2,4}[ \t]+(?P<name>[^\r\n]+)$", re.MULTILINE)
_ASIDE = {
    "category": re.compile(r"categor|section|heading|topic|类别|分类|章节", re.IGNORECASE),
    "notes": re.compile(
        r"note|comment|reason|why|about|descri|additional|checklist|备注|说明", re.IGNORECASE
    ),
}
"""The names of fields that are not about works."""
_NO_ANSWER = ("_no response_", "none", "n/a", "-", "i do not know")
_LINK = re.compile(
    r"\[(?P<label>[^\[\]\r\n]{1,300})\]\((?P<target>https?://[^\s()<>]{1,2000}(?:\([^\s()<>]*\))?)\)"
    r"|(?P<url>https?://[^\s<>\[\]\"'`|]{1,2000})"
    r"|(?<![\w/.])(?P<doi>10\.[0-9]{4,9}/[^\s<>\[\]\"'`|]{1,300})"
)
_PARAGRAPH = re.compile(r"(?:\r?\n[ \t]*){2,}|\r?\n(?=[ \t]*(?:[-*+]|[0-9]{1,3}[.)])[ \t])")


@dataclass(frozen=True, slots=True)
class Wanted:
    """A requested work."""

    written: str
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

    wanted: tuple[Wanted, ...]
    category: str | None = None
    notes: str | None = None
    left_out: int = 0
    """How many works beyond MAX_WORKS it names."""


def request_of(references: Sequence[str]) -> tuple[Request, list[str]]:
    """Return the request for these ids and addresses, and those that name nothing."""
    found = [(text, wanted_of(text.strip())) for text in references]
    known = tuple(wanted for _, wanted in found if wanted)
    return Request(_each_once(known)), [text for text, wanted in found if wanted is None]


def parse_request(text: str) -> Request:
    """Parse a request: free text, or the answers of an issue form."""
    by_kind = _fields(_HIDDEN.sub("", text))
    notes, category = "\n".join(by_kind["notes"]), "".join(by_kind["category"][:1])
    works = _each_once(work for said in by_kind["links"] for work in _works(said))
    works = works or _each_once(_works(notes))  # A form may have its links in another field.
    left_out = max(len(works) - MAX_WORKS, 0)
    return Request(works[:MAX_WORKS], clean(category) or None, notes or None, left_out)


def _fields(text: str) -> Mapping[str, Sequence[str]]:
    """Return the answers of a form that name works (``links``), the section, or are notes; what
    stands before the first heading names works."""
    before, *named = _HEADING.split(text)
    found = defaultdict[str, list[str]](list)
    for name, words in [("", before), *zip(named[::2], named[1::2], strict=True)]:
        if (said := words.strip()) and said.lower() not in _NO_ANSWER:
            kinds = [kind for kind, pattern in _ASIDE.items() if pattern.search(name)]
            for kind in kinds or ["links"]:
                found[kind].append(said)
    return found


def _works(text: str) -> Iterator[Wanted]:
    """Yield the works of a text; code beside the one work of a paragraph, or a line, is its."""
    for paragraph in _PARAGRAPH.split(text):
        together = _together(list(_named(paragraph)))
        for part in [paragraph] if together else paragraph.splitlines():
            named = list(_named(part))
            yield from _together(named) or named


def _together(named: Sequence[Wanted]) -> list[Wanted]:
    """Return the one work of these with the code that the others are; nothing where they are
    several works, or none."""
    code = [one for one in named if host_role(one.url) == "code"]
    works = [one for one in named if one not in code]
    return [replace(works[0], code=tuple(one.url for one in code))] if len(works) == 1 else []


def _named(text: str) -> Iterator[Wanted]:
    """Yield what a text names, with the titles that links have."""
    for match in _LINK.finditer(text):
        if wanted := wanted_of(_target(match)):
            label = clean(match["label"] or "")
            # Neither an address nor a mere word for a link is a title.
            is_title = len(label) > 3 and not role_word(label) and "://" not in label
            yield replace(wanted, title=label if is_title else None)
    ids = (wanted_of(paper.id) for paper in find_arxiv_ids(_LINK.sub(" ", text)))
    yield from filter(None, ids)


def _target(match: re.Match[str]) -> str:
    """Return an address or DOI without the punctuation of the sentence around it."""
    if match["target"]:
        return match["target"]
    written = (match["url"] or match["doi"]).rstrip(".,;:!?'\"")
    return written if "(" in written else written.rstrip(")")


def wanted_of(text: str) -> Wanted | None:
    """Return the work of an id, a DOI or a web address; None if it names nothing."""
    identifier = identify(text)
    if identifier is None or (identifier.scheme == "url" and not text.lower().startswith("http")):
        return None
    is_address = text.lower().startswith(("http://", "https://"))
    url = text if is_address and identifier.scheme not in ("arxiv",) else url_of(identifier)
    return Wanted(text, identifier, url)


def _each_once(works: Iterable[Wanted]) -> tuple[Wanted, ...]:
    found: dict[Identifier, Wanted] = {}
    for work in works:
        before = found.setdefault(work.identifier, work)
        if before is not work:
            code = tuple(dict.fromkeys((*before.code, *work.code)))
            found[work.identifier] = replace(before, title=before.title or work.title, code=code)
    return tuple(found.values())
