"""A paper → a new entry of a .bib file, in BibTeX's or biblatex's dialect.

For ``bibtex`` the text is LaTeX: characters with a safe LaTeX name are written with it, the rest
(Chinese, emoji) stays UTF-8, since there is no name for it. For ``biblatex`` all of it is UTF-8.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal

from papertrack.documents.bibtex.hand import Hand
from papertrack.documents.bibtex.names import format_names
from papertrack.documents.bibtex.values import MONTHS
from papertrack.identifiers import arxiv_doi, url_of
from papertrack.identifiers.derived import address_of, type_of, year_of
from papertrack.latex.encode import escape_text, escape_title, escape_verbatim
from papertrack.records import Author, Identifier, Paper

if TYPE_CHECKING:
    from papertrack.documents.bibtex.model import BibLibrary

Dialect = Literal["bibtex", "biblatex"]
_BIBLATEX = frozenset({"journaltitle", "date", "eprinttype", "eprintclass"})
_BIBTEX = frozenset({"journal", "year", "school", "archiveprefix", "primaryclass"})
_BIBLATEX_TYPES = frozenset({"online", "report", "thesis", "software", "dataset", "collection"})
PreprintStyle = Literal["misc", "article"]

_VENUE_FIELD = {
    "article": "journal",
    **dict.fromkeys(("inproceedings", "conference", "incollection", "inbook"), "booktitle"),
    **dict.fromkeys(("phdthesis", "mastersthesis"), "school"),
    **dict.fromkeys(("thesis", "techreport", "report"), "institution"),
}
_BIBTEX_TYPES = frozenset(
    {*_VENUE_FIELD, "book", "booklet", "manual", "misc", "proceedings", "unpublished"}
) - {"thesis", "report"}
_BIBTEX_TYPE_FOR = {
    "report": "techreport",
    "thesis": "phdthesis",
    **dict.fromkeys(("mvbook", "collection", "mvcollection", "reference"), "book"),
    "mvproceedings": "proceedings",
    "inreference": "incollection",
    **dict.fromkeys(("bookinbook", "suppbook"), "inbook"),
}
"""biblatex type → the BibTeX type nearest to it; any other is ``misc``."""

_BIBTEX_TYPE_OF_TYPE = {"mathesis": "mastersthesis", "phdthesis": "phdthesis"}
_BIBTEX_WORDS = {
    **dict.fromkeys(("mathesis", "phdthesis", "techreport"), ""),
    **{"bathesis": "Bachelor's thesis", "candthesis": "Candidate thesis"},
    "resreport": "Research Report",
}
"""biblatex's names for a ``type``, as BibTeX styles would print them; nothing where the type of
the entry says so."""

_OWN_FIELDS = frozenset(
    "title author year date doi url ids eprint archiveprefix eprinttype primaryclass "
    "eprintclass".split()
)
_NAME_FIELDS = frozenset({"editor", "translator", "bookauthor"})
_FIELD_NAME = re.compile(r"[a-z][a-z0-9_-]*")
_UNSAFE_IN_KEY = re.compile(r"""[\s,{}()"#%'=\\~@\x00-\x1f\x7f]+""")
BRACED = re.compile(r"(?<![A-Za-z\\{])\{([^{}\\$]+)\}(?!\})")
"""Words in braces of a title, whose capitals stay as they are."""
_RANGE = re.compile(r"\s*[-–—]+\s*")
_REPEATED = ("doi", "url")
"""What arXiv gives a preprint to say again where it has it."""


def dialect_of(bib: BibLibrary) -> Dialect:
    """Which of the two the file is for: that of most entries whose fields or types tell; else
    BibTeX."""
    balance = 0
    for entry in bib.entries:
        names = {name for name, _ in entry.fields}
        if entry.type in _BIBLATEX_TYPES or not names.isdisjoint(_BIBLATEX):
            balance += 1
        elif not names.isdisjoint(_BIBTEX):
            balance -= 1
    return "biblatex" if balance > 0 else "bibtex"


def entry_of(
    paper: Paper,
    *,
    dialect: Dialect = "bibtex",
    preprint_style: PreprintStyle = "misc",
    protect: Sequence[str] = (),
    extra: Sequence[str] = (),
    hand: Hand | None = None,
) -> str:
    """One entry, ending in a line end, written by a ``hand``, else by papertrack's own.

    ``protect`` lists words whose capitals no style may change, besides those that show it;
    ``extra`` fields to write besides: the ``url`` and ``doi`` that arXiv gives a preprint, whose
    ``eprint`` says the same, and the ``abstract``.
    """
    entry_type = type_in(dialect, paper, preprint_style)
    said = _fields_of(paper, entry_type, dialect, tuple(protect), extra)
    return (hand or Hand()).entry(entry_type, safe_key(paper.citekey), said)


def fields_of(
    paper: Paper, *, dialect: Dialect = "bibtex", protect: Sequence[str] = ()
) -> dict[str, str]:
    """Field → value as in its entry, without delimiters; for changing single fields of a file."""
    return dict(_fields_of(paper, type_in(dialect, paper), dialect, tuple(protect), _REPEATED))


def unprinted_in(paper: Paper) -> str:
    """The characters of its entry that LaTeX has no sign for: without a font encoding of their own
    pdfLaTeX stops at each of them."""
    said = "".join(fields_of(paper).values())
    return "".join(dict.fromkeys(one for one in said if not one.isascii()))


def safe_key(key: str) -> str:
    """``key`` with ``-`` for what would end a key or the entry in BibTeX or biber; never empty."""
    return _UNSAFE_IN_KEY.sub("-", key.strip()) or "-"


def is_published(paper: Paper) -> bool:
    """Whether it has a venue, or a type that implies one: more than a preprint or a page."""
    venue, known = paper.facts.venue, paper.facts.published_type
    return venue is not None or known not in (None, "misc", "online", "article")


def type_in(dialect: Dialect, paper: Paper, preprint_style: PreprintStyle = "misc") -> str:
    """The type of the paper's entry, without ``@``."""
    known = type_of(paper)
    if known is not None:
        if dialect == "biblatex" or known in _BIBTEX_TYPES:
            return known
        thesis = _BIBTEX_TYPE_OF_TYPE.get(dict(paper.facts.publication).get("type", ""))
        return thesis if thesis and known == "thesis" else _BIBTEX_TYPE_FOR.get(known, "misc")
    if preprint_style == "article" and paper.facts.identifier("arxiv") is not None:
        return "article"
    return "online" if dialect == "biblatex" and address_of(paper) is not None else "misc"


def _fields_of(
    paper: Paper,
    entry_type: str,
    dialect: Dialect,
    protect: tuple[str, ...],
    extra: Sequence[str],
) -> Iterator[tuple[str, str]]:
    """Name and value, without delimiters, of each field in its order; of ``_REPEATED`` and the
    abstract those that are ``extra``."""
    facts = paper.facts
    encode = dialect == "bibtex"
    protect = (*protect, *BRACED.findall(dict(facts.publication).get("title", "")))
    if facts.title is not None:
        yield "title", escape_title(facts.title, encode=encode, protect=protect)
    if names := format_names(facts.authors, encode=encode):
        yield "author", names
    if venue := _venue_of(paper, entry_type):
        yield venue[0], escape_text(venue[1], encode=encode)
    if (year := year_of(paper)) is not None:
        yield "year", str(year)
    yield from _publication_fields(paper, venue[0] if venue else None, dialect)
    yield from _identifier_fields(paper, dialect, extra)
    former = [key for key in paper.citekey_aliases if key not in paper.draft_keys]
    if dialect == "biblatex" and former:
        yield "ids", ",".join(map(safe_key, former))
    if "abstract" in extra and facts.abstract:
        yield "abstract", escape_text(facts.abstract, encode=encode)


def _venue_of(paper: Paper, entry_type: str) -> tuple[str, str] | None:
    """Field and text of where it appeared; an arXiv preprint set as an article says just that."""
    facts = paper.facts
    if facts.venue is not None:
        # A style prints no booktitle of a @misc entry.
        other = "howpublished" if entry_type == "misc" else "booktitle"
        return _VENUE_FIELD.get(entry_type, other), facts.venue
    arxiv_id = facts.identifier("arxiv")
    if entry_type == "article" and arxiv_id is not None:
        return "journal", f"arXiv preprint arXiv:{arxiv_id}"
    return None


def _publication_fields(
    paper: Paper, venue_field: str | None, dialect: Dialect
) -> Iterator[tuple[str, str]]:
    seen = {*_OWN_FIELDS, venue_field}
    for name, text in paper.facts.publication:
        if name in seen or not _FIELD_NAME.fullmatch(name) or not text.strip():
            continue
        seen.add(name)
        if value := _publication_value(name, text, dialect):
            yield name, value


def _publication_value(name: str, text: str, dialect: Dialect) -> str:
    """The value; nothing where the type of the entry says it."""
    encode = dialect == "bibtex"
    if name == "month" and text in MONTHS:
        return text if encode else str(MONTHS.index(text) + 1)
    if name == "type" and encode and not (text := _BIBTEX_WORDS.get(text, text)):
        return ""
    if name == "pages":
        return "--".join(escape_text(end, encode=encode) for end in _RANGE.split(text))
    if name in _NAME_FIELDS:
        authors = [Author(name=part) for part in text.split(" and ")]
        return format_names(authors, encode=encode)
    return escape_text(text, encode=encode)


def _identifier_fields(
    paper: Paper, dialect: Dialect, repeated: Sequence[str]
) -> Iterator[tuple[str, str]]:
    facts = paper.facts
    arxiv_id, doi = facts.identifier("arxiv"), facts.identifier("doi")
    is_preprint = arxiv_id is not None and not is_published(paper)
    if arxiv_id is not None:
        yield "eprint", escape_verbatim(arxiv_id)
        yield ("archivePrefix", "arXiv") if dialect == "bibtex" else ("eprinttype", "arxiv")
        if facts.primary_category is not None:
            name = "primaryClass" if dialect == "bibtex" else "eprintclass"
            yield name, escape_verbatim(facts.primary_category)
        if is_preprint and doi in (None, arxiv_doi(arxiv_id)):
            doi = arxiv_doi(arxiv_id) if "doi" in repeated else None
    if doi is not None:
        yield "doi", escape_verbatim(doi)
    # The address of a preprint is arXiv's page.
    if (not is_preprint or "url" in repeated) and (url := _url_of(paper)):
        yield "url", escape_verbatim(url)
    if (record := facts.identifier("dblp")) is not None:
        yield "biburl", escape_verbatim(url_of(Identifier("dblp", record)))


def _url_of(paper: Paper) -> str | None:
    """Of a published paper its own page: ``eprint`` and ``doi`` say where the rest is."""
    if not is_published(paper):
        return address_of(paper)
    for link in paper.facts.links:
        if link.role == "paper" and "arxiv.org/" not in link.url:
            return link.url
    has_doi = paper.facts.identifier("doi") is not None
    return None if has_doi else address_of(paper)
