"""Find which papers manuscripts cite, their entries, and problems in their reference list."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Literal

from papertrack.actions.cite.manuscripts import Manuscript
from papertrack.actions.cite.showing import papers_to_copy
from papertrack.actions.duplicates import find_duplicates
from papertrack.documents.bibtex.blocks import read_blocks
from papertrack.documents.bibtex.fresh import fields_of, type_in, unprinted_in
from papertrack.documents.bibtex.gather import parts_of
from papertrack.documents.bibtex.names import MONTHS
from papertrack.documents.bibtex.parse import parse_whole
from papertrack.documents.manuscripts import latex
from papertrack.documents.manuscripts.latex import has_other_fonts
from papertrack.documents.manuscripts.model import EVERYTHING, Citation, Defined
from papertrack.documents.manuscripts.registry import is_label
from papertrack.exporters.bibtex import Dialect, SourceEntry, to_bibtex
from papertrack.identifiers import identify
from papertrack.records import Paper
from papertrack.store.citekeys import Citekeys
from papertrack.store.lookup import citekey_of, find_paper
from papertrack.store.store import Store
from papertrack.store.versions import originals_with
from papertrack.sync.bibtex import own as texts
from papertrack.sync.bibtex.format import BibFormat


def own_entries(
    store: Store, papers: Iterable[Paper], *, protect: Sequence[str] = ()
) -> dict[int, list[SourceEntry]]:
    """Return the .bib entries that were imported for each paper, with the library's later changes;
    ``protect`` lists words whose capitals are kept in changed titles."""
    return texts.own_entries(
        store, papers, lambda read: BibFormat(store, str(read.path), read, protect)
    )


def bib_entries(
    store: Store,
    papers: Iterable[Paper],
    *,
    dialect: Dialect = "bibtex",
    protect: Sequence[str] = (),
    extra: Sequence[str] = (),
) -> str:
    """Return BibTeX text with the papers' entries under their citekeys, and all that these need.

    New entries have the ``extra`` fields of ``entry_of``.
    """
    papers = list(papers)
    own = own_entries(store, papers, protect=protect)
    return to_bibtex(papers, own=own, dialect=dialect, protect=protect, extra=extra)


def find_sets(store: Store, keys: Collection[str]) -> dict[str, list[int]]:
    """Return which of these keys name biblatex entry sets, with the papers in each set."""
    found: dict[str, list[int]] = {}
    for paper_id, text in originals_with(store, "@set") if keys else ():
        for block in read_blocks(text):
            if block.type == "set" and block.key in keys:
                found.setdefault(block.key, []).append(paper_id)
    return found


FindingKind = Literal[
    "unknown", "case", "duplicate", "preprint", "incomplete", "missing", "unprintable"
]
_IS_CITED = attrgetter("is_cited")
_NEAR = 60
"""The least rapidfuzz score, of 100, at which a similar key is suggested."""
# What biber and BibTeX's standard styles warn of when it is missing (biblatex manual, 2.1).
_REQUIRED = {
    "article": ("journal",),
    "inproceedings": ("booktitle",),
    "incollection": ("booktitle",),
    "book": ("publisher",),
    "phdthesis": ("school",),
    "mastersthesis": ("school",),
    "techreport": ("institution",),
}
# Fields that biblatex and the styles take as well.
_INSTEAD = {
    "author": ("editor", "key", "organization"),
    "year": ("date",),
    "journal": ("journaltitle",),
    "school": ("institution",),
    "institution": ("school",),
}
_OF_STYLES = {
    *MONTHS,
    *"acmcs acta cacm ibmjrd ibmsj ieeese ieeetc ieeetcad ipl jacm jcss scp sicomp".split(),
    *"tcs tocs tods tog toms toois toplas".split(),
}
"""Names of the @strings that BibTeX's standard styles define."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A problem with a cited key or an included file."""

    file: str
    line: int
    """The line of the key's first citation, counted from 1."""
    citekey: str | None
    """None for a file."""
    kind: FindingKind
    message: str
    nearest: str | None = None
    """For an unknown key, the library's key with the most similar spelling."""


@dataclass(frozen=True, slots=True)
class CitedPapers:
    """The papers that manuscripts cite, under the keys that the manuscripts use."""

    papers: tuple[Paper, ...]
    citations: int
    findings: tuple[Finding, ...]
    problem: str | None = None
    """Why the keys could not be frozen."""


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a key is first cited."""

    manuscript: Manuscript
    citation: Citation

    def finding(self, kind: FindingKind, message: str, nearest: str | None = None) -> Finding:
        file, line = str(self.manuscript.path), self.citation.line
        return Finding(file, line, self.citation.citekey, kind, message, nearest)


def cited_papers(
    store: Store,
    manuscripts: Sequence[Manuscript],
    *,
    everything: Callable[[], Iterable[int]] = tuple,
) -> CitedPapers:
    r"""Find what the manuscripts cite, check it, and freeze the cited keys.

    A paper that is cited under a former key keeps that key in the result, because its author wrote
    it; a paper cited under two keys appears twice; for a biblatex set, its members appear.
    ``everything`` finds the papers for ``\nocite{*}``.
    """
    places = _first_places(manuscripts)
    has_everything = places.pop(EVERYTHING, None) is not None
    every = list(everything()) if has_everything else []
    while True:  # What an entry cites is cited, too, and may cite more.
        owners = Citekeys(store).owners_of(places)
        keys = {key.lower(): paper_id for key, paper_id in owners.items()}
        spelled: dict[str, str] = {}
        for key in places:
            spelled.setdefault(key.lower(), key)
        sets = find_sets(store, [key for key in places if key.lower() not in keys])
        cited = {key: keys[lower] for lower, key in spelled.items() if lower in keys}
        members = [paper_id for several in sets.values() for paper_id in several]
        shown = papers_to_copy(store, list(dict.fromkeys([*cited.values(), *members, *every])))
        by_id = {paper.id: paper for paper in shown.papers}
        own = own_entries(store, [by_id[paper_id] for paper_id in cited.values()])
        more = dict(_cited_by_entries(cited, own, places))
        if not more:
            break
        places |= more
    findings = [
        *_missing_files(manuscripts),
        *_of_spelling(store, manuscripts, places, spelled, keys.keys() | map(str.lower, sets)),
        *_repeated(store, cited, places, by_id),
    ]
    findings += (
        finding
        for key, paper_id in cited.items()
        for finding in _entry_findings(by_id[paper_id], own.get(paper_id, ()), places[key])
    )
    findings += _unprintable(manuscripts, cited, by_id, own, places)
    findings.sort(key=lambda finding: (finding.file, finding.line))
    count = sum(len(list(filter(_IS_CITED, one.citations))) for one in manuscripts)
    papers = tuple(_under_their_keys(cited, by_id))
    return CitedPapers(papers, count, tuple(findings), shown.problem)


def _under_their_keys(cited: dict[str, int], by_id: dict[int, Paper]) -> Iterator[Paper]:
    """Return the cited papers under the keys in the manuscripts, then the others under their
    own."""
    for key, paper_id in cited.items():
        yield by_id[paper_id]._replace(citekey=key, citekey_aliases=())
    named = set(cited.values())
    for paper_id, paper in by_id.items():
        if paper_id not in named:
            yield paper._replace(citekey_aliases=())


def _first_places(manuscripts: Sequence[Manuscript]) -> dict[str, _Place]:
    places: dict[str, _Place] = {}
    for manuscript in manuscripts:
        for citation in filter(_IS_CITED, manuscript.citations):
            places.setdefault(citation.citekey, _Place(manuscript, citation))
    return places


def _cited_by_entries(
    cited: Mapping[str, int], own: Mapping[int, Sequence[SourceEntry]], places: Mapping[str, _Place]
) -> Iterator[tuple[str, _Place]]:
    r"""Yield keys that only entries cite, as in a note ``Reprinted in \cite{…}``, each with the
    place where that entry is cited."""
    for key, paper_id in cited.items():
        for entry in own.get(paper_id, ()):
            # In a .bib file % begins no comment.
            text = entry.text.replace("%", " ") if "cite" in entry.text else ""
            for citation in latex.scan(text, Defined()).citations if text else ():
                if citation.citekey not in places and citation.citekey != EVERYTHING:
                    place = places[key]
                    named = replace(place.citation, citekey=citation.citekey)
                    yield citation.citekey, _Place(place.manuscript, named)


def _of_spelling(
    store: Store,
    manuscripts: Sequence[Manuscript],
    places: dict[str, _Place],
    spelled: dict[str, str],
    known: Container[str],
) -> Iterator[Finding]:
    """Find keys that are cited in two spellings, and keys that name no paper."""
    for key, place in places.items():
        first = spelled[key.lower()]
        if first != key:
            message = (
                f"is also cited as {first}: BibTeX and biber distinguish upper and lower case in "
                "keys"
            )
            yield place.finding("case", message)
        elif key.lower() not in known and not _is_label(place, manuscripts):
            yield _unknown(store, place)


def _missing_files(manuscripts: Sequence[Manuscript]) -> Iterator[Finding]:
    for manuscript in manuscripts:
        for inclusion in manuscript.missing:
            why = "there is no such file" if inclusion.files else "its macro is not defined"
            message = f"{inclusion.name} is included, but {why}: its citations are left out"
            yield Finding(str(manuscript.path), inclusion.line, None, "missing", message)


def _is_label(place: _Place, manuscripts: Sequence[Manuscript]) -> bool:
    """Return whether an unknown ``@key`` in Markdown or Typst refers to a figure or heading."""
    key = place.citation.citekey
    label = place.manuscript.language.label
    if not label:
        return False
    return is_label(key) or any(label.format(key) in one.text for one in manuscripts)


def _unknown(store: Store, place: _Place) -> Finding:
    from rapidfuzz import fuzz, process

    identifier = identify(place.citation.citekey)
    if identifier is not None and (paper_id := find_paper(store, [identifier])) is not None:
        nearest = citekey_of(store, paper_id)
        message = f"is not a key but names a paper of the library: its key is {nearest}"
        return place.finding("unknown", message, nearest)
    lower = place.citation.citekey.lower()
    keys = Citekeys(store).spelled()
    match = process.extractOne(
        lower, list(keys), scorer=fuzz.ratio, processor=str.lower, score_cutoff=_NEAR
    )
    if match is None:
        message = "is not a key of the library: `papertrack add` adds the paper by its id or DOI"
        return place.finding("unknown", message)
    message = f"is not a key of the library: the nearest key is {match[0]}"
    return place.finding("unknown", message, match[0])


def _repeated(
    store: Store, cited: dict[str, int], places: dict[str, _Place], by_id: dict[int, Paper]
) -> Iterator[Finding]:
    """Find works cited under two keys: two keys of one paper, or two papers that look like one
    work."""
    first_key: dict[int, str] = {}
    for key, paper_id in cited.items():
        first = first_key.setdefault(paper_id, key)
        if first != key:
            message = f"is another key of {first}: it would be listed twice"
            yield places[key].finding("duplicate", message)
    key_of = {by_id[paper_id].citekey: key for paper_id, key in first_key.items()}
    for pair in find_duplicates(store, list(first_key)):
        key, other = key_of[pair.other], key_of[pair.citekey]
        reasons = ", ".join(pair.reasons)
        yield places[key].finding("duplicate", f"may be the same work as {other}: {reasons}")


def _entry_findings(paper: Paper, own: Sequence[SourceEntry], place: _Place) -> Iterator[Finding]:
    facts = paper.facts
    if facts.venue is None and facts.identifier("arxiv") is not None:
        doi = facts.identifier("doi")
        known = facts.journal_ref or (f"doi:{doi}" if doi else None)
        if known:
            message = (
                f"is cited as a preprint, but was published: {known}. "
                f"`papertrack edit {paper.citekey} venue=…` records where"
            )
            yield place.finding("preprint", message)
    missing = list(_missing(paper, own))
    if missing:
        message = f"has no {', no '.join(missing)}: biber and BibTeX styles warn about it"
        yield place.finding("incomplete", message)
    for name in sorted(parts_of(own[0]).undefined - _OF_STYLES) if own else ():
        message = f"names {name}, which no @string defines: BibTeX leaves it out"
        yield place.finding("incomplete", message)


def _unprintable(
    manuscripts: Sequence[Manuscript],
    cited: Mapping[str, int],
    by_id: Mapping[int, Paper],
    own: Mapping[int, Sequence[SourceEntry]],
    places: Mapping[str, _Place],
) -> Iterator[Finding]:
    """Find characters that pdfLaTeX cannot print, in entries that papertrack makes."""
    if any(has_other_fonts(one.text) for one in manuscripts):
        return
    for key, paper_id in cited.items():
        is_latex = places[key].manuscript.language.name == "LaTeX"
        if is_latex and not own.get(paper_id) and (signs := unprinted_in(by_id[paper_id])):
            message = (
                "has letters that pdfLaTeX cannot print with its default fonts: "
                f"{', '.join(signs)}. Use XeLaTeX or LuaLaTeX, or a font encoding that has them"
            )
            yield places[key].finding("unprintable", message)


def _missing(paper: Paper, own: Sequence[SourceEntry]) -> Iterator[str]:
    """Return the fields that the entry lacks, whether the reader wrote it or papertrack makes
    it."""
    if own:
        entry = parse_whole(own[0].text)
        entry_type, fields = entry.type, {name for name, _ in (*entry.fields, *entry.borrowed)}
    else:
        entry_type, fields = type_in("bibtex", paper), set(fields_of(paper))
    for name in ("title", "author", "year", *_REQUIRED.get(entry_type, ())):
        if fields.isdisjoint((name, *_INSTEAD.get(name, ()))):
            yield name
