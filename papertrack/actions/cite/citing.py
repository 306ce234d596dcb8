"""Find the papers that manuscripts cite, their BibTeX entries, and problems with them."""

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
    """Return the imported .bib entries of each paper, updated with the library's changes.

    ``protect`` lists words whose capitals are protected in changed titles.
    """
    return texts.own_entries(
        store, papers, lambda file: BibFormat(store, str(file.path), file, protect)
    )


def bib_entries(
    store: Store,
    papers: Iterable[Paper],
    *,
    dialect: Dialect = "bibtex",
    protect: Sequence[str] = (),
    extra: Sequence[str] = (),
) -> str:
    """Return BibTeX text with the papers' entries and the entries and @strings they refer to.

    New entries get the ``extra`` fields of ``entry_of``.
    """
    papers = list(papers)
    entries = own_entries(store, papers, protect=protect)
    return to_bibtex(papers, own=entries, dialect=dialect, protect=protect, extra=extra)


def find_sets(store: Store, keys: Collection[str]) -> dict[str, list[int]]:
    """Map those keys that name biblatex entry sets to the papers in the set."""
    sets: dict[str, list[int]] = {}
    for paper_id, text in originals_with(store, "@set") if keys else ():
        for block in read_blocks(text):
            if block.type == "set" and block.key in keys:
                sets.setdefault(block.key, []).append(paper_id)
    return sets


FindingKind = Literal[
    "unknown", "case", "duplicate", "preprint", "incomplete", "missing", "unprintable"
]
_IS_CITED = attrgetter("is_cited")
_MIN_SIMILARITY = 60
"""The rapidfuzz score (of 100) from which a similar key is suggested."""
# biber and BibTeX's standard styles warn if these are missing (biblatex manual, 2.1).
_REQUIRED = {
    "article": ("journal",),
    "inproceedings": ("booktitle",),
    "incollection": ("booktitle",),
    "book": ("publisher",),
    "phdthesis": ("school",),
    "mastersthesis": ("school",),
    "techreport": ("institution",),
}
# Fields that biblatex and the styles accept in place of others.
_ALTERNATIVES = {
    "author": ("editor", "key", "organization"),
    "year": ("date",),
    "journal": ("journaltitle",),
    "school": ("institution",),
    "institution": ("school",),
}
_STYLE_STRINGS = {
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
    r"""Find the papers that manuscripts cite, check them, and freeze the cited keys.

    A paper cited under a former key has that key in the result, and a paper cited under two keys
    appears twice. A biblatex set is replaced by its members. ``everything`` returns the papers
    for ``\nocite{*}``.
    """
    places = _first_places(manuscripts)
    has_everything = places.pop(EVERYTHING, None) is not None
    all_ids = list(everything()) if has_everything else []
    while True:  # Entries can cite other entries.
        owners = Citekeys(store).owners_of(places)
        keys = {key.lower(): paper_id for key, paper_id in owners.items()}
        spellings: dict[str, str] = {}
        for key in places:
            spellings.setdefault(key.lower(), key)
        sets = find_sets(store, [key for key in places if key.lower() not in keys])
        cited = {key: keys[lower] for lower, key in spellings.items() if lower in keys}
        members = [paper_id for ids in sets.values() for paper_id in ids]
        result = papers_to_copy(store, list(dict.fromkeys([*cited.values(), *members, *all_ids])))
        by_id = {paper.id: paper for paper in result.papers}
        entries = own_entries(store, [by_id[paper_id] for paper_id in cited.values()])
        nested = dict(_cited_by_entries(cited, entries, places))
        if not nested:
            break
        places |= nested
    findings = [
        *_check_files(manuscripts),
        *_check_spelling(store, manuscripts, places, spellings, keys.keys() | map(str.lower, sets)),
        *_check_duplicates(store, cited, places, by_id),
    ]
    findings += (
        finding
        for key, paper_id in cited.items()
        for finding in _check_entry(by_id[paper_id], entries.get(paper_id, ()), places[key])
    )
    findings += _check_characters(manuscripts, cited, by_id, entries, places)
    findings.sort(key=attrgetter("file", "line"))
    count = sum(len(list(filter(_IS_CITED, manuscript.citations))) for manuscript in manuscripts)
    papers = tuple(_with_cited_keys(cited, by_id))
    return CitedPapers(papers, count, tuple(findings), result.problem)


def _with_cited_keys(cited: dict[str, int], by_id: dict[int, Paper]) -> Iterator[Paper]:
    """Yield the cited papers with the manuscripts' keys, then the others with their own keys."""
    for key, paper_id in cited.items():
        yield by_id[paper_id]._replace(citekey=key, citekey_aliases=())
    cited_ids = set(cited.values())
    for paper_id, paper in by_id.items():
        if paper_id not in cited_ids:
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
    r"""Yield keys that only entries cite, as in a note ``Reprinted in \cite{…}``.

    Each comes with the place at which that entry is cited.
    """
    for key, paper_id in cited.items():
        for entry in own.get(paper_id, ()):
            # In a .bib file, % does not start a comment.
            text = entry.text.replace("%", " ") if "cite" in entry.text else ""
            for citation in latex.scan(text, Defined()).citations if text else ():
                if citation.citekey not in places and citation.citekey != EVERYTHING:
                    place = places[key]
                    nested = replace(place.citation, citekey=citation.citekey)
                    yield citation.citekey, _Place(place.manuscript, nested)


def _check_spelling(
    store: Store,
    manuscripts: Sequence[Manuscript],
    places: dict[str, _Place],
    spellings: dict[str, str],
    known_keys: Container[str],
) -> Iterator[Finding]:
    """Find keys that are cited in two spellings, and keys that name no paper."""
    for key, place in places.items():
        first = spellings[key.lower()]
        if first != key:
            message = (
                f"is also cited as {first}: BibTeX and biber distinguish upper and lower case in "
                "keys"
            )
            yield place.finding("case", message)
        elif key.lower() not in known_keys and not _is_label(place, manuscripts):
            yield _unknown_key(store, place)


def _check_files(manuscripts: Sequence[Manuscript]) -> Iterator[Finding]:
    for manuscript in manuscripts:
        for inclusion in manuscript.missing:
            why = "there is no such file" if inclusion.files else "its macro is not defined"
            message = f"{inclusion.name} is included, but {why}: its citations are left out"
            yield Finding(str(manuscript.path), inclusion.line, None, "missing", message)


def _is_label(place: _Place, manuscripts: Sequence[Manuscript]) -> bool:
    """Return whether an unknown ``@key`` in Markdown or Typst refers to a figure or heading."""
    key, label = place.citation.citekey, place.manuscript.language.label
    if not label:
        return False
    return is_label(key) or any(label.format(key) in manuscript.text for manuscript in manuscripts)


def _unknown_key(store: Store, place: _Place) -> Finding:
    from rapidfuzz import fuzz, process

    identifier = identify(place.citation.citekey)
    if identifier is not None and (paper_id := find_paper(store, [identifier])) is not None:
        nearest = citekey_of(store, paper_id)
        message = f"is not a key but names a paper of the library: its key is {nearest}"
        return place.finding("unknown", message, nearest)
    lower = place.citation.citekey.lower()
    keys = Citekeys(store).spelled()
    match = process.extractOne(
        lower, list(keys), scorer=fuzz.ratio, processor=str.lower, score_cutoff=_MIN_SIMILARITY
    )
    if match is None:
        message = "is not a key of the library: `papertrack add` adds the paper by its id or DOI"
        return place.finding("unknown", message)
    message = f"is not a key of the library: the nearest key is {match[0]}"
    return place.finding("unknown", message, match[0])


def _check_duplicates(
    store: Store, cited: dict[str, int], places: dict[str, _Place], by_id: dict[int, Paper]
) -> Iterator[Finding]:
    """Find works cited under two keys: of one paper, or of two papers that look like one work."""
    first_key: dict[int, str] = {}
    for key, paper_id in cited.items():
        first_used = first_key.setdefault(paper_id, key)
        if first_used != key:
            message = f"is another key of {first_used}: it would be listed twice"
            yield places[key].finding("duplicate", message)
    key_of = {by_id[paper_id].citekey: key for paper_id, key in first_key.items()}
    for pair in find_duplicates(store, list(first_key)):
        key, other = key_of[pair.other], key_of[pair.citekey]
        reasons = ", ".join(pair.reasons)
        yield places[key].finding("duplicate", f"may be the same work as {other}: {reasons}")


def _check_entry(paper: Paper, entries: Sequence[SourceEntry], place: _Place) -> Iterator[Finding]:
    facts = paper.facts
    if facts.venue is None and facts.identifier("arxiv") is not None:
        doi = facts.identifier("doi")
        publication = facts.journal_ref or (f"doi:{doi}" if doi else None)
        if publication:
            message = (
                f"is cited as a preprint, but was published: {publication}. "
                f"`papertrack edit {paper.citekey} venue=…` records where"
            )
            yield place.finding("preprint", message)
    missing = list(_missing_fields(paper, entries))
    if missing:
        message = f"has no {', no '.join(missing)}: biber and BibTeX styles warn about it"
        yield place.finding("incomplete", message)
    for name in sorted(parts_of(entries[0]).undefined - _STYLE_STRINGS) if entries else ():
        message = f"names {name}, which no @string defines: BibTeX leaves it out"
        yield place.finding("incomplete", message)


def _check_characters(
    manuscripts: Sequence[Manuscript],
    cited: Mapping[str, int],
    by_id: Mapping[int, Paper],
    entries: Mapping[int, Sequence[SourceEntry]],
    places: Mapping[str, _Place],
) -> Iterator[Finding]:
    """Find characters that pdfLaTeX cannot print, in entries that papertrack makes."""
    if any(has_other_fonts(manuscript.text) for manuscript in manuscripts):
        return
    for key, paper_id in cited.items():
        is_latex = places[key].manuscript.language.name == "LaTeX"
        if is_latex and not entries.get(paper_id) and (signs := unprinted_in(by_id[paper_id])):
            message = (
                "has letters that pdfLaTeX cannot print with its default fonts: "
                f"{', '.join(signs)}. Use XeLaTeX or LuaLaTeX, or a font encoding that has them"
            )
            yield places[key].finding("unprintable", message)


def _missing_fields(paper: Paper, entries: Sequence[SourceEntry]) -> Iterator[str]:
    """Yield required fields that the paper's entry lacks, be it the user's or a new one."""
    if entries:
        entry = parse_whole(entries[0].text)
        entry_type, fields = entry.type, {name for name, _ in (*entry.fields, *entry.borrowed)}
    else:
        entry_type, fields = type_in("bibtex", paper), set(fields_of(paper))
    for name in ("title", "author", "year", *_REQUIRED.get(entry_type, ())):
        if fields.isdisjoint((name, *_ALTERNATIVES.get(name, ()))):
            yield name
