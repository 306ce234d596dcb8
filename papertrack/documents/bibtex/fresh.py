"""Write a paper as a new .bib entry, in BibTeX's or biblatex's dialect.

For ``bibtex`` the text is LaTeX: characters with a safe LaTeX name are encoded, and the rest
(Chinese, emoji) stays UTF-8. For ``biblatex`` all text is UTF-8.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeVar

from bibtexparser import model
from bibtexparser.library import Library
from bibtexparser.writer import BibtexFormat, write

from papertrack.documents.bibtex.blocks import Block
from papertrack.documents.bibtex.names import MONTHS, delimited_as, format_names
from papertrack.identifiers import arxiv_doi, url_of
from papertrack.identifiers.derived import address_of, type_of, year_of
from papertrack.latex.encode import escape_text, escape_title, escape_verbatim
from papertrack.records import Author, Identifier, Paper
from papertrack.text import group

if TYPE_CHECKING:
    from papertrack.documents.bibtex.facts import BibLibrary


_Value = TypeVar("_Value")
_TYPE = re.compile(r"@[ \t]*([\w-]*)")
_SEPARATOR = re.compile(r"\s*,\s*")
_CASES: dict[str, Callable[[str], str]] = {
    "lower": str,  # Our names are in lower case, except archivePrefix and the like.
    "upper": str.upper,
    "title": lambda word: word[:1].upper() + word[1:],
}


class Gaps(NamedTuple):
    """The blanks around the ``=`` of a field. Columns count from the start of its name."""

    before: int = 1
    equals_at: int = 14
    """The column of the ``=``, wide enough for ``archivePrefix``; 0 for none."""
    after: int = 1
    value_at: int = 0
    """The column of the value; 0 for none."""


@dataclass(frozen=True, slots=True)
class Hand:
    """The layout of a .bib file. The defaults are papertrack's own."""

    indent: str = "  "
    is_on_one_line: bool = False
    gaps: Gaps = field(default_factory=Gaps)
    delimiter: str = "{"
    are_numbers_bare: bool = False
    has_last_comma: bool = True
    closing: str = "\n"
    """The text before the last brace of an entry."""
    case_of_names: str = "lower"
    case_of_types: str = "lower"
    words: Mapping[str, str] = field(default_factory=dict)
    """Names of fields, and types with an ``@``: lower case → as the file writes them."""

    def entry(self, entry_type: str, key: str, pairs: Iterable[tuple[str, str]]) -> str:
        """Return an entry with these fields, ending in a line end. Values have no delimiters."""
        layout = BibtexFormat()
        layout.indent, layout.trailing_comma = self.indent, self.has_last_comma
        written = [self.field(name, value) for name, value in pairs]
        # bibtexparser cannot lay out the blanks after "=", so it gets placeholders for the fields.
        signs = [model.Field(f"\0{number}\0", "") for number in range(len(written))]
        entry_type = self._word("@" + entry_type, self.case_of_types)[1:]
        text = write(Library([model.Entry(entry_type, key, signs)]), layout)
        text = text.removesuffix("\n}\n") + self.closing + "}\n"
        if self.is_on_one_line:
            text = text.replace(f"\n{self.indent}", " ")
        for number, text_of_field in enumerate(written):
            text = text.replace(f"\0{number}\0 = ", text_of_field, 1)
        return text

    def field(self, name: str, value: str) -> str:
        """Return a field with its value in delimiters."""
        return self.before_value(name) + self.delimited(name, value)

    def before_value(self, name: str) -> str:
        """Return a field's name, its ``=``, and the blanks around it."""
        gaps = self.gaps
        name = self._word(name, self.case_of_names)
        start = name.ljust(max(gaps.equals_at, len(name) + gaps.before)) + "="
        return start + " " * max(gaps.value_at - len(start), gaps.after)

    def delimited(self, name: str, value: str) -> str:
        """Return the value in delimiters, or bare if it is a month or a bare number."""
        is_number = self.are_numbers_bare and value.isdecimal()
        if is_number or (name.casefold() == "month" and value in MONTHS):
            return value
        return delimited_as(value, self.delimiter)

    def _word(self, word: str, case: str) -> str:
        start = int(word[:1] == "@")
        return self.words.get(word.casefold(), word[:start] + _CASES[case](word[start:]))


def hand_of(blocks: Iterable[Block]) -> Hand:
    """Return the layout that most of these entries have."""
    entries = [block for block in blocks if block.kind == "entry" and block.fields]
    if not (hands := [_hand_of_one(block) for block in entries]):
        return Hand()
    parts = {part.name: _most([getattr(h, part.name) for h in hands]) for part in fields(Hand)[:-1]}
    written = group((word.casefold(), word) for block in entries for word in _words(block))
    return Hand(**parts, words={lower: _most(several) for lower, several in written.items()})


def _hand_of_one(block: Block) -> Hand:
    values = [part.value for part in block.fields]
    entry_type, *names = _words(block)
    separators = separators_of(block)
    # A comma at the start of a line is not part of the indent.
    indents = [text.rpartition("\n")[2].replace(",", "") for text in separators if "\n" in text]
    end = block.raw[block.fields[-1].end - block.start : -1].replace("\r\n", "\n")
    return Hand(
        indent=_most(indents or ["  "]),
        is_on_one_line=len(indents) * 2 < len(separators),
        gaps=_gaps_of(block),
        delimiter='"' if sum(value[:1] == '"' for value in values) * 2 > len(values) else "{",
        are_numbers_bare=any(map(str.isdigit, values)),
        has_last_comma="," in end,
        closing="\n" if end.strip(", \n\t") else end.replace(",", ""),
        case_of_names=_most([_case_of(name) for name in names]),
        case_of_types=_case_of(entry_type[1:]),
    )


def _most(values: Sequence[_Value]) -> _Value:
    return Counter(values).most_common(1)[0][0]


def _words(block: Block) -> list[str]:
    """Return the entry's type with an ``@``, and the names of its fields."""
    head = _TYPE.match(block.raw)
    return ["@" + head[1] if head else "@", *(part.name for part in block.fields)]


def _case_of(word: str) -> str:
    if word.isupper():
        return "upper"
    return "title" if word[:1].isupper() else "lower"


def separators_of(block: Block) -> list[str]:
    """Return the texts between the key and the fields of an entry."""
    starts = [block.key_start + len(block.key), *(part.end for part in block.fields)]
    texts = (
        block.raw[start - block.start : part.start - block.start]
        for start, part in zip(starts, block.fields, strict=False)
    )
    return [text for text in texts if _SEPARATOR.fullmatch(text)]


def _gaps_of(block: Block) -> Gaps:
    equals, values = [], []
    for part in block.fields:
        at = block.raw.index("=", part.start - block.start + len(part.name))
        equals.append(at - part.start + block.start)
        values.append(part.value_start - part.start)
    before = {at - len(part.name) for at, part in zip(equals, block.fields, strict=True)}
    after = {value - at - 1 for at, value in zip(equals, values, strict=True)}
    # Unequal gaps mean that the "=" signs, or the values, are aligned in a column.
    is_even, is_even_after = len(before) == 1, len(after) == 1
    return Gaps(
        min(before) if is_even else 1,
        0 if is_even else _most(equals),
        min(after) if is_even_after else 1,
        0 if is_even_after else _most(values),
    )


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
"""biblatex type → the nearest BibTeX type. Any other type becomes ``misc``."""

_BIBTEX_TYPE_OF_TYPE = {"mathesis": "mastersthesis", "phdthesis": "phdthesis"}
_BIBTEX_WORDS = {
    **dict.fromkeys(("mathesis", "phdthesis", "techreport"), ""),
    **{"bathesis": "Bachelor's thesis", "candthesis": "Candidate thesis"},
    "resreport": "Research Report",
}
"""biblatex's values of ``type`` → what BibTeX styles print; empty if the entry's type implies
it."""

_OWN_FIELDS = frozenset(
    "title author year date doi url ids eprint archiveprefix eprinttype primaryclass "
    "eprintclass".split()
)
_NAME_FIELDS = frozenset({"editor", "translator", "bookauthor"})
_FIELD_NAME = re.compile(r"[a-z][a-z0-9_-]*")
_UNSAFE_IN_KEY = re.compile(r"""[\s,{}()"#%'=\\~@\x00-\x1f\x7f]+""")
BRACED = re.compile(r"(?<![A-Za-z\\{])\{([^{}\\$]+)\}(?!\})")
"""Words in braces in a title; they keep their capitals."""
_RANGE = re.compile(r"(?<!\s)\s*[-–—]+\s*")
_REPEATED = ("doi", "url")
"""Fields that repeat what ``eprint`` says of a preprint."""


def dialect_of(bib: BibLibrary) -> Dialect:
    """Return the dialect of most entries whose fields or types show one; else BibTeX."""
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
    """Return a paper's entry, ending in a line end.

    It has the layout of ``hand``, or papertrack's own. ``protect`` lists words whose capitals no
    style may change, in addition to those that are recognized. ``extra`` lists optional fields to
    write: ``abstract``, and for a preprint the ``url`` and ``doi`` that repeat its ``eprint``.
    """
    entry_type = type_in(dialect, paper, preprint_style)
    pairs = _fields_of(paper, entry_type, dialect, tuple(protect), extra)
    return (hand or Hand()).entry(entry_type, safe_key(paper.citekey), pairs)


def fields_of(
    paper: Paper, *, dialect: Dialect = "bibtex", protect: Sequence[str] = ()
) -> dict[str, str]:
    """Return the fields of a paper's entry, as name → value without delimiters.

    Used to change single fields of a file.
    """
    return dict(_fields_of(paper, type_in(dialect, paper), dialect, tuple(protect), _REPEATED))


def unprinted_in(paper: Paper) -> str:
    """Return the characters of an entry that have no LaTeX command.

    pdfLaTeX stops at each of them unless a font encoding covers it.
    """
    text = "".join(fields_of(paper).values())
    return "".join(dict.fromkeys(char for char in text if not char.isascii()))


def safe_key(key: str) -> str:
    """Replace what would end a key or the entry in BibTeX or biber by ``-``. Never empty."""
    return _UNSAFE_IN_KEY.sub("-", key.strip()) or "-"


def is_published(paper: Paper) -> bool:
    """Return whether the paper has a venue, or a type that implies one."""
    venue, published_type = paper.facts.venue, paper.facts.published_type
    return venue is not None or published_type not in (None, "misc", "online", "article")


def type_in(dialect: Dialect, paper: Paper, preprint_style: PreprintStyle = "misc") -> str:
    """Return the type of the paper's entry, without ``@``."""
    kind = type_of(paper)
    if kind is not None:
        if dialect == "biblatex" or kind in _BIBTEX_TYPES:
            return kind
        thesis = _BIBTEX_TYPE_OF_TYPE.get(dict(paper.facts.publication).get("type", ""))
        return thesis if thesis and kind == "thesis" else _BIBTEX_TYPE_FOR.get(kind, "misc")
    if preprint_style == "article" and paper.facts.identifier("arxiv") is not None:
        return "article"
    return "online" if dialect == "biblatex" and address_of(paper) is not None else "misc"


def _fields_of(
    paper: Paper, entry_type: str, dialect: Dialect, protect: tuple[str, ...], extra: Sequence[str]
) -> Iterator[tuple[str, str]]:
    """Yield name and value of each field, in order, without delimiters.

    ``_REPEATED`` fields and the abstract come only if ``extra`` lists them.
    """
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
    """Return the field and text of the venue, or None.

    An arXiv preprint set as an article names arXiv there.
    """
    facts = paper.facts
    if facts.venue is not None:
        # Styles do not print the booktitle of a @misc entry.
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
    """Return the encoded value, or nothing if the entry's type implies it."""
    encode = dialect == "bibtex"
    if name == "month" and text in MONTHS:
        return text if encode else str(MONTHS.index(text) + 1)
    if name == "type" and encode and not (text := _BIBTEX_WORDS.get(text, text)):
        return ""
    if name == "pages":
        return "--".join(escape_text(end, encode=encode) for end in _RANGE.split(text))
    if name in _NAME_FIELDS:
        return format_names([Author(name=part) for part in text.split(" and ")], encode=encode)
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
    # The address of a preprint is its arXiv page.
    if (not is_preprint or "url" in repeated) and (url := _url_of(paper)):
        yield "url", escape_verbatim(url)
    if (record := facts.identifier("dblp")) is not None:
        yield "biburl", escape_verbatim(url_of(Identifier("dblp", record)))


def _url_of(paper: Paper) -> str | None:
    """Return the address to write; for a published paper, its own page.

    A published paper with a DOI needs no other address.
    """
    if not is_published(paper):
        return address_of(paper)
    for link in paper.facts.links:
        if link.role == "paper" and "arxiv.org/" not in link.url:
            return link.url
    has_doi = paper.facts.identifier("doi") is not None
    return None if has_doi else address_of(paper)
