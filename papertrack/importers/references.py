"""Lists of references as publishers and tools exchange them.

CSL-JSON, RIS, PubMed's nbib and the CSV that Zotero exports.
"""

from __future__ import annotations

import csv
import io
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import rispy

from papertrack.identifiers import identify
from papertrack.identifiers.citekeys import is_citekey
from papertrack.identifiers.derived import parts_of
from papertrack.importers.fields import (
    MONTHS,
    facts_from,
    line,
    month_of,
    names_of,
    organisation,
    people,
    person,
    words_of,
)
from papertrack.importers.html import escaped, markdown_of
from papertrack.importers.model import Found, Item, ItemNote, Source
from papertrack.importers.zotero.items import read_extra, work_of
from papertrack.importers.zotero.rows import Creator
from papertrack.records import Author, PaperFacts
from papertrack.text import fold

_Reference = TypeVar("_Reference")


def _source_of(
    found: Found,
    tool: str,
    references: Sequence[_Reference],
    item_of: Callable[[_Reference], Item | None],
) -> Source:
    """A list's references, each read by itself: one that is cut off spoils no other."""
    source = Source(tool, len(references))
    told: list[tuple[str, Item]] = []
    for number, reference in enumerate(references, start=1):
        item = item_of(reference)
        if item is None:
            source.leave_out(str(number), line(str(reference)[:80]), "it cannot be read")
            continue
        key = f"{found.path.stem}:{item.key or number}"
        notes = tuple(replace(note, key=f"{key}-{note.key}") for note in item.notes)
        told.append((item.key or str(number), replace(item, key=key, notes=notes)))
    for item in _with_keys(told):
        source.take(item)
    return source


_LEAST, _STEM = 3, 4
"""Letters of a name or a word by which a key tells of its work: so many at least, and no more."""
_WORD = re.compile(r"[^\W\d_]+")


def _with_keys(told: Sequence[tuple[str, Item]]) -> list[Item]:
    """The items, each with its id as a citekey, where that is one: others write numbers there.

    Keys are made of a name and a title: where most ids tell so of their works, all of them are
    keys, else those alone that do.
    """
    may_be = [(one, item) for one, item in told if is_citekey(one) and identify(one) is None]
    telling = {one for one, item in may_be if _tells_of(one, item.facts)}
    keys = {one for one, _ in may_be} if 2 * len(telling) > len(may_be) else telling
    return [
        replace(item, citekeys=tuple(dict.fromkeys((*item.citekeys, one)))) if one in keys else item
        for one, item in told
    ]


def _tells_of(key: str, facts: PaperFacts) -> bool:
    """Whether the first author's name is in a key, or a word of the title."""
    names = " ".join(parts_of(author)[0] for author in facts.authors[:1])
    words = _WORD.findall(fold(f"{names} {facts.title or ''}"))
    return any(word[:_STEM] in fold(key) for word in words if len(word) >= _LEAST)


def _note(key: str, title: str, texts: Iterable[str]) -> tuple[ItemNote, ...]:
    """What the reader wrote, under the title of what it is about."""
    body = "\n\n".join(filter(None, map(markdown_of, texts)))
    return (ItemNote(key, f"# {escaped(title)}\n\n{body}\n"),) if body.strip() else ()


def _inverted(name: str) -> Author | None:
    """``Last, First, Suffix``, or somebody with one name."""
    family, comma, rest = line(name).partition(",")
    if not comma:
        return person("", family) if " " not in family else organisation(family)
    given, _, suffix = (part.strip() for part in rest.partition(","))
    return person(given, family, suffix)


# CSL-JSON, as reference managers and pandoc exchange it.

_CSL_TYPES = {
    **dict.fromkeys(("article-journal", "article-magazine", "article-newspaper"), "article"),
    "paper-conference": "inproceedings",
    "book": "book",
    **dict.fromkeys(("chapter", "entry", "entry-encyclopedia", "entry-dictionary"), "incollection"),
    "thesis": "phdthesis",
    **dict.fromkeys(("report", "standard"), "techreport"),
    "manuscript": "unpublished",
    **dict.fromkeys(("webpage", "post", "post-weblog"), "online"),
    "software": "software",
    "dataset": "dataset",
}
"""CSL's types as BibTeX or biblatex call them; ``article`` is a preprint, and the rest ``misc``."""
_KNOWN_TYPES = frozenset(
    "article bill broadcast figure graphic interview legal_case legislation map motion_picture "
    "musical_score pamphlet patent personal_communication review review-book song speech "
    "treaty".split()
).union(_CSL_TYPES)
_CSL_FIELDS = {
    **{name: name for name in ("title", "abstract", "volume", "publisher", "edition", "version")},
    **{name: name.lower() for name in ("DOI", "URL", "ISBN", "ISSN", "PMID", "PMCID")},
    **{"issue": "number", "number": "number", "page": "pages", "publisher-place": "address"},
    **{"collection-title": "series", "event-title": "eventtitle", "event": "eventtitle"},
}
_CSL_HOUSES = {"phdthesis": "school", "techreport": "institution"}


def is_csl(found: Found) -> bool:
    """Whether it is an array of references, each with a type of CSL's."""
    references = _references(found.json)
    return bool(references) and all(
        isinstance(one, dict) and str(one.get("type")) in _KNOWN_TYPES for one in references[:20]
    )


def read_csl(found: Found) -> Source:
    """The references of a file."""
    return _source_of(found, "csl", _references(found.json), _csl_item)


def _references(told: Any) -> Sequence[Any]:
    if isinstance(told, dict):
        told = told.get("items") or told.get("references")
    return told if isinstance(told, list) else ()


def _csl_item(one: Any) -> Item | None:
    if not isinstance(one, dict):
        return None
    type_ = _CSL_TYPES.get(str(one.get("type")), "misc")
    named = {ours: text for name, ours in _CSL_FIELDS.items() if (text := _text(one.get(name)))}
    container, publisher = _text(one.get("container-title")), _text(one.get("publisher"))
    if container:
        named["journal" if type_ == "article" else "booktitle"] = container
    elif type_ in _CSL_HOUSES:
        named[_CSL_HOUSES[type_]] = publisher
    date = _date(one.get("issued"))
    named |= {"date": date, "month": month_of(date), "editor": names_of(_people(one.get("editor")))}
    named = {name: text for name, text in named.items() if text}
    extra = read_extra(_text(one.get("note")))
    key_given = _text(one.get("citation-key"))
    return Item(
        key=line(str(one.get("id") or "")),
        type=type_,
        facts=facts_from(type_, {**extra.fields, **named}, _people(one.get("author"))),
        citekeys=tuple(filter(None, (key_given, *extra.citekeys))),
        tags=words_of(_text(one.get("keyword"))),
        statuses=extra.statuses,
    )


def _people(told: Any) -> tuple[Author, ...]:
    return people(_names(told)) if isinstance(told, list) else ()


def _names(told: Sequence[Any]) -> Iterator[Author | None]:
    for one in told:
        if not isinstance(one, dict):
            continue
        if literal := _text(one.get("literal")):
            yield organisation(literal)
            continue
        particles = (_text(one.get("non-dropping-particle")), _text(one.get("dropping-particle")))
        family = " ".join(filter(None, (*particles, _text(one.get("family")))))
        yield person(_text(one.get("given")), family, _text(one.get("suffix")))


def _date(told: Any) -> str:
    """``2021-05-03``, as precise as it is known."""
    if not isinstance(told, dict):
        return _text(told)
    parts = told.get("date-parts")
    first = parts[0] if isinstance(parts, list) and parts else None
    if isinstance(first, list) and first and first[0]:
        numbers = list(filter(None, map(_text, first)))
        return "-".join([numbers[0], *(number.zfill(2) for number in numbers[1:])])
    return _text(told.get("raw")) or _text(told.get("literal"))


def _text(value: Any) -> str:
    """Return a single value as text, numbers too; empty for lists and objects."""
    return str(value) if isinstance(value, str | int | float) else ""


# RIS, which publishers and tools export, and PubMed's nbib: lines that begin with a tag.

_RIS_START = re.compile(r"TY {0,3}- ?\s*[A-Z]")
_RIS_LINE = re.compile(r"^([A-Z][A-Z0-9]) {0,3}-(?: |$)", re.M)
_NBIB_LINE = re.compile(r"([A-Z]{2,4}) {0,2}- ?(.*)")
_RIS_TYPES = {
    **dict.fromkeys(("JOUR", "JFULL", "MGZN", "NEWS", "ABST", "INPR", "EJOUR"), "article"),
    **dict.fromkeys(("CONF", "CPAPER"), "inproceedings"),
    **dict.fromkeys(("BOOK", "EBOOK", "EDBOOK"), "book"),
    **dict.fromkeys(("CHAP", "ECHAP", "ENCYC", "DICT"), "incollection"),
    "THES": "phdthesis",
    **dict.fromkeys(("RPRT", "STAND", "GOVDOC"), "techreport"),
    **dict.fromkeys(("UNPB", "MANSCPT"), "unpublished"),
    **dict.fromkeys(("ELEC", "BLOG", "ICOMM"), "online"),
    "COMP": "software",
    **dict.fromkeys(("DATA", "AGGR", "DBASE"), "dataset"),
}
_RIS_FIELDS: Mapping[str, Sequence[str]] = {
    **{"title": ("title", "primary_title"), "abstract": ("abstract", "notes_abstract")},
    **{name: (name,) for name in ("doi", "volume", "number", "publisher", "edition")},
    **{"address": ("place_published",), "series": ("tertiary_title",)},
}
_NBIB_FIELDS = {"AB": "abstract", "VI": "volume", "IP": "number", "PG": "pages", "PMID": "pmid"} | {
    "PMC": "pmcid"
}
_RIS_HOUSES = ("journal_name", "secondary_title", "alternate_title3", "alternate_title2")


def is_ris(found: Found) -> bool:
    """Whether its first line that says something begins a reference of RIS's."""
    return bool(found.lines) and _RIS_START.match(found.lines[0]) is not None


def is_nbib(found: Found) -> bool:
    """Whether it begins with the number of a record of PubMed's."""
    return bool(found.lines) and re.match(r"PMID ?- ?\d", found.lines[0]) is not None


def read_ris(found: Found) -> Source:
    """The references of a RIS file."""
    text = _RIS_LINE.sub(r"\1  - ", found.text)
    return _source_of(found, "ris", list(_chunks(text, "TY  - ")), _ris_item)


def read_nbib(found: Found) -> Source:
    """The records of a file of PubMed's."""
    text = re.sub(r"\n {6,}", " ", re.sub(r"^PMID ?- ?", "PMID- ", found.text, flags=re.M))
    return _source_of(found, "nbib", list(_chunks(text, "PMID- ")), _nbib_item)


def _chunks(text: str, start: str) -> Iterator[str]:
    """The references of a text, each from its first line on."""
    starts = [found.start() for found in re.finditer(f"^{re.escape(start)}", text, re.M)]
    for at, end in zip(starts, [*starts[1:], len(text)], strict=True):
        yield text[at:end]


def _ris_item(chunk: str) -> Item | None:
    ended = chunk if re.search(r"^ER  -", chunk, re.M) else f"{chunk.rstrip()}\nER  - \n"
    try:
        told = rispy.RisParser().parse(ended)[0]
    except (IndexError, ValueError, KeyError, TypeError, OSError):
        return None
    type_ = _RIS_TYPES.get(_of(told, "type_of_reference"), "misc")
    named = {ours: _of(told, *names) for ours, names in _RIS_FIELDS.items()}
    if house := _of(told, *_RIS_HOUSES):
        named["journal" if type_ == "article" else "booktitle"] = house
    if type_ == "phdthesis":
        named["school"] = named.pop("publisher")
    named["url"] = next(iter(_all(told, "urls")), "")
    named["pages"] = "-".join(filter(None, (_of(told, "start_page"), _of(told, "end_page"))))
    number = _of(told, "issn")
    named["isbn" if type_ in ("book", "incollection") else "issn"] = number
    date = _of(told, "year", "publication_year", "date").strip("/").replace("/", "-")
    named |= {"date": date, "month": month_of(date)}
    authors = _all(told, "authors") or _all(told, "first_authors")
    key = line(_of(told, "id", "label"))
    notes = (*_all(told, "notes"), *_all(told, "research_notes"))
    return Item(
        key=key,
        type=type_,
        facts=facts_from(type_, named, people(map(_inverted, authors))),
        tags=tuple(dict.fromkeys(filter(None, map(line, _all(told, "keywords"))))),
        notes=_note("note", line(named["title"]) or "Note", notes),
    )


def _of(told: Mapping[str, Any], *names: str) -> str:
    return next((str(told[name]) for name in names if told.get(name)), "")


def _all(told: Mapping[str, Any], name: str) -> list[str]:
    found = told.get(name) or []
    return [str(one) for one in found] if isinstance(found, list) else [str(found)]


def _nbib_item(chunk: str) -> Item:
    told = defaultdict[str, list[str]](list)
    for row in chunk.splitlines():
        if found := _NBIB_LINE.fullmatch(row):
            told[found[1]].append(found[2].strip())
    first = {tag: values[0] for tag, values in told.items()}
    doi = next((one for one in told["AID"] if one.endswith("[doi]")), "")
    date = _pubmed_date(first.get("DP", ""))
    named = {
        **{name: first.get(tag, "") for tag, name in _NBIB_FIELDS.items()},
        "title": first.get("TI", "").removesuffix("."),
        "journal": _of(first, "JT", "TA"),
        "issn": first.get("IS", "").partition(" ")[0],
        "doi": doi.removesuffix("[doi]").strip() or first.get("LID", "").partition(" [doi]")[0],
        **{"date": date, "month": month_of(date)},
    }
    authors = people(map(_inverted, told["FAU"] or told["AU"]))
    groups = people(map(organisation, told["CN"]))
    return Item(
        key=first.get("PMID", ""),
        type="article",
        facts=facts_from("article", named, (*authors, *groups)),
        tags=tuple(dict.fromkeys(filter(None, map(line, told["OT"])))),
        automatic_tags=tuple(dict.fromkeys(line(one).strip("*") for one in told["MH"])),
    )


def _pubmed_date(told: str) -> str:
    """``2021 May 3`` as ``2021-05-03``."""
    year, _, rest = told.partition(" ")
    month = rest[:3].lower()
    return f"{year}-{MONTHS.index(month) + 1:02}" if month in MONTHS else year


# The CSV that Zotero exports: its columns are the fields of its items.

_CSV_COLUMNS = frozenset(("Key", "Item Type", "Title", "Author", "Publication Title", "Date Added"))


def is_zotero_csv(found: Found) -> bool:
    """Whether its first row has the names of the columns that Zotero exports."""
    first = found.text.partition("\n")[0]
    return first.startswith('"Key"') and set(_rows(first)[0]) >= _CSV_COLUMNS


def read_zotero_csv(found: Found) -> Source:
    """The rows of such a file: it has no collections, which Zotero does not write there."""
    names, *rows = _rows(found.text)
    source = Source("zotero-csv", len(rows))
    for row in rows:
        source.take(_csv_item(dict(zip(names, row, strict=False))))
    source.notices.append("a Zotero CSV has no collections: the Zotero folder has them")
    return source


def _rows(text: str) -> list[list[str]]:
    csv.field_size_limit(2**27)
    try:
        return [row for row in csv.reader(io.StringIO(text)) if row] or [[]]
    except csv.Error:
        return [[]]


def _csv_item(told: Mapping[str, str]) -> Item:
    fields = {_field_of(name): value for name, value in told.items() if value}
    fields.setdefault("date", told.get("Publication Year", ""))
    extra = read_extra(told.get("Extra", ""))
    names = map(line, told.get("Author", "").split(";"))
    creators = [
        Creator("author", given, family, not comma)
        for family, comma, given in (name.partition(",") for name in names if name)
    ]
    type_, facts = work_of(told.get("Item Type", ""), fields, creators, extra)
    key = line(told.get("Key", ""))
    added = told.get("Date Added", "").replace(" ", "T")
    return Item(
        key=key,
        type=type_,
        facts=facts,
        citekeys=extra.citekeys,
        tags=words_of(f"{told.get('Manual Tags', '')};"),
        automatic_tags=words_of(f"{told.get('Automatic Tags', '')};"),
        notes=_note(f"{key}-notes", facts.title or key, [told.get("Notes", ""), extra.rest]),
        statuses=extra.statuses,
        added=f"{added}+00:00" if len(added) == 19 else None,
    )


def _field_of(column: str) -> str:
    """Zotero's own name of a column's field: ``abstractNote`` of ``Abstract Note``."""
    return column if column.isupper() else column[:1].lower() + column[1:].replace(" ", "")
