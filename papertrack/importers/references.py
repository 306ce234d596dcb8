"""Import lists of references in formats that publishers and tools exchange.

The formats are CSL-JSON, RIS, PubMed's nbib and the CSV that Zotero exports.
"""

from __future__ import annotations

import csv
import io
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
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
from papertrack.text import fold, group

_Reference = TypeVar("_Reference")


def _source_of(
    candidate: Found,
    tool: str,
    references: Sequence[_Reference],
    item_of: Callable[[_Reference], Item | None],
) -> Source:
    """Return a list's references; one that cannot be read does not affect the others."""
    source = Source(tool, len(references))
    items_with_ids: list[tuple[str, Item]] = []
    for number, reference in enumerate(references, start=1):
        item = item_of(reference)
        if item is None:
            source.leave_out(str(number), line(str(reference)[:80]), "it cannot be read")
            continue
        key = f"{candidate.path.stem}:{item.key or number}"
        notes = tuple(replace(note, key=f"{key}-{note.key}") for note in item.notes)
        items_with_ids.append((item.key or str(number), replace(item, key=key, notes=notes)))
    for item in _add_citekeys(items_with_ids):
        source.take(item)
    return source


_MIN_LETTERS, _STEM_LETTERS = 3, 4
"""The least letters of a word that may occur in a citation key, and how many are compared."""
_WORD = re.compile(r"[^\W\d_]+")


def _add_citekeys(items_with_ids: Sequence[tuple[str, Item]]) -> list[Item]:
    """Return the items, with their ids as citation keys if they are keys and not numbers.

    A key has words of its work. If most ids do, all ids are keys; else only those that do.
    """
    candidates = [pair for pair in items_with_ids if is_citekey(pair[0]) and not identify(pair[0])]
    telling = {id for id, item in candidates if _names_work(id, item.facts)}
    keys = {id for id, _ in candidates} if 2 * len(telling) > len(candidates) else telling
    return [
        replace(item, citekeys=tuple(dict.fromkeys((*item.citekeys, id)))) if id in keys else item
        for id, item in items_with_ids
    ]


def _names_work(key: str, facts: PaperFacts) -> bool:
    """Return whether a key has the first author's name, or a word of the title."""
    names = " ".join(parts_of(author)[0] for author in facts.authors[:1])
    words = _WORD.findall(fold(f"{names} {facts.title or ''}"))
    return any(word[:_STEM_LETTERS] in fold(key) for word in words if len(word) >= _MIN_LETTERS)


def _note(key: str, title: str, texts: Iterable[str]) -> tuple[ItemNote, ...]:
    """Return the user's text as a note under the title of the work."""
    body = "\n\n".join(filter(None, map(markdown_of, texts)))
    return (ItemNote(key, f"# {escaped(title)}\n\n{body}\n"),) if body.strip() else ()


def _inverted(name: str) -> Author | None:
    """Parse ``Last, First, Suffix``, or a single name."""
    family, comma, other_names = line(name).partition(",")
    if not comma:
        return person("", family) if " " not in family else organisation(family)
    given, _, suffix = (part.strip() for part in other_names.partition(","))
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
"""CSL's types in BibTeX or biblatex; ``article`` is a preprint, and other types are ``misc``."""
_ALL_CSL_TYPES = frozenset(
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
_CSL_PUBLISHER_FIELDS = {"phdthesis": "school", "techreport": "institution"}


def is_csl(candidate: Found) -> bool:
    """Return whether it is an array of references with CSL types."""
    references = _references(candidate.json)
    return bool(references) and all(
        isinstance(r, dict) and str(r.get("type")) in _ALL_CSL_TYPES for r in references[:20]
    )


def read_csl(candidate: Found) -> Source:
    """Return the references of a CSL-JSON file."""
    return _source_of(candidate, "csl", _references(candidate.json), _csl_item)


def _references(data: Any) -> Sequence[Any]:
    if isinstance(data, dict):
        data = data.get("items") or data.get("references")
    return data if isinstance(data, list) else ()


def _csl_item(entry: Any) -> Item | None:
    if not isinstance(entry, dict):
        return None
    type_ = _CSL_TYPES.get(str(entry.get("type")), "misc")
    bib = {b: text for n, b in _CSL_FIELDS.items() if (text := _text(entry.get(n)))}
    container, publisher = _text(entry.get("container-title")), _text(entry.get("publisher"))
    if container:
        bib["journal" if type_ == "article" else "booktitle"] = container
    elif type_ in _CSL_PUBLISHER_FIELDS:
        bib[_CSL_PUBLISHER_FIELDS[type_]] = publisher
    date = _date(entry.get("issued"))
    bib |= {"date": date, "month": month_of(date), "editor": names_of(_people(entry.get("editor")))}
    bib = {name: text for name, text in bib.items() if text}
    extra = read_extra(_text(entry.get("note")))
    citekey = _text(entry.get("citation-key"))
    return Item(
        key=line(str(entry.get("id") or "")),
        type=type_,
        facts=facts_from(type_, {**extra.fields, **bib}, _people(entry.get("author"))),
        citekeys=tuple(filter(is_citekey, (citekey, *extra.citekeys))),
        tags=words_of(_text(entry.get("keyword"))),
        statuses=tuple(extra.statuses),
    )


def _people(names: Any) -> tuple[Author, ...]:
    return people(_names(names)) if isinstance(names, list) else ()


def _names(names: Sequence[Any]) -> Iterator[Author | None]:
    for name in names:
        if not isinstance(name, dict):
            continue
        if literal := _text(name.get("literal")):
            yield organisation(literal)
            continue
        particles = (_text(name.get("non-dropping-particle")), _text(name.get("dropping-particle")))
        family = " ".join(filter(None, (*particles, _text(name.get("family")))))
        yield person(_text(name.get("given")), family, _text(name.get("suffix")))


def _date(date: Any) -> str:
    """Return a date like ``2021-05-03``, as precise as it is known."""
    if not isinstance(date, dict):
        return _text(date)
    parts = date.get("date-parts")
    first = parts[0] if isinstance(parts, list) and parts else None
    year, *rest = map(_text, first) if isinstance(first, list) and first else ("",)
    if year not in ("", "0"):
        return "-".join([year, *(number.zfill(2) for number in rest if number)])
    return _text(date.get("raw")) or _text(date.get("literal"))


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
_RIS_VENUE_FIELDS = ("journal_name", "secondary_title", "alternate_title3", "alternate_title2")


def is_ris(candidate: Found) -> bool:
    """Return whether the first line begins a RIS reference."""
    return bool(candidate.lines) and _RIS_START.match(candidate.lines[0]) is not None


def is_nbib(candidate: Found) -> bool:
    """Return whether it begins with the number of a PubMed record."""
    return bool(candidate.lines) and re.match(r"PMID ?- ?\d", candidate.lines[0]) is not None


def read_ris(candidate: Found) -> Source:
    """Return the references of a RIS file."""
    text = _RIS_LINE.sub(r"\1  - ", candidate.text)
    return _source_of(candidate, "ris", list(_chunks(text, "TY  - ")), _ris_item)


def read_nbib(candidate: Found) -> Source:
    """Return the records of a PubMed file."""
    text = re.sub(r"\n {6,}", " ", re.sub(r"^PMID ?- ?", "PMID- ", candidate.text, flags=re.M))
    return _source_of(candidate, "nbib", list(_chunks(text, "PMID- ")), _nbib_item)


def _chunks(text: str, start: str) -> Iterator[str]:
    """Yield the references of a text, split before each start line."""
    starts = [match.start() for match in re.finditer(f"^{re.escape(start)}", text, re.M)]
    for begin, end in pairwise([*starts, len(text)]):
        yield text[begin:end]


def _ris_item(chunk: str) -> Item | None:
    ended = chunk if re.search(r"^ER  -", chunk, re.M) else f"{chunk.rstrip()}\nER  - \n"
    try:
        entry = rispy.RisParser().parse(ended)[0]
    except (IndexError, ValueError, KeyError, TypeError, OSError):
        return None
    type_ = _RIS_TYPES.get(_get(entry, "type_of_reference"), "misc")
    fields = {bibtex_name: _get(entry, *names) for bibtex_name, names in _RIS_FIELDS.items()}
    if venue := _get(entry, *_RIS_VENUE_FIELDS):
        fields["journal" if type_ == "article" else "booktitle"] = venue
    if type_ == "phdthesis":
        fields["school"] = fields.pop("publisher")
    fields["url"] = next(iter(_all_of(entry, "urls")), "")
    fields["pages"] = "-".join(filter(None, (_get(entry, "start_page"), _get(entry, "end_page"))))
    number = _get(entry, "issn")
    fields["isbn" if type_ in ("book", "incollection") else "issn"] = number
    date = _get(entry, "year", "publication_year", "date").strip("/").replace("/", "-")
    fields |= {"date": date, "month": month_of(date)}
    authors = _all_of(entry, "authors") or _all_of(entry, "first_authors")
    key = line(_get(entry, "id", "label"))
    notes = (*_all_of(entry, "notes"), *_all_of(entry, "research_notes"))
    return Item(
        key=key,
        type=type_,
        facts=facts_from(type_, fields, people(map(_inverted, authors))),
        tags=tuple(dict.fromkeys(filter(None, map(line, _all_of(entry, "keywords"))))),
        notes=_note("note", line(fields["title"]) or "Note", notes),
    )


def _get(entry: Mapping[str, Any], *names: str) -> str:
    return next((str(entry[name]) for name in names if entry.get(name)), "")


def _all_of(entry: Mapping[str, Any], name: str) -> list[str]:
    values = entry.get(name) or []
    return [str(value) for value in values] if isinstance(values, list) else [str(values)]


def _nbib_item(chunk: str) -> Item:
    rows = filter(None, map(_NBIB_LINE.fullmatch, chunk.splitlines()))
    tags = defaultdict(list, group((row[1], row[2].strip()) for row in rows))
    first = {tag: values[0] for tag, values in tags.items()}
    doi = next((article_id for article_id in tags["AID"] if article_id.endswith("[doi]")), "")
    date = _pubmed_date(first.get("DP", ""))
    fields = {
        **{name: first.get(tag, "") for tag, name in _NBIB_FIELDS.items()},
        "title": first.get("TI", "").removesuffix("."),
        "journal": _get(first, "JT", "TA"),
        "issn": first.get("IS", "").partition(" ")[0],
        "doi": doi.removesuffix("[doi]").strip() or first.get("LID", "").partition(" [doi]")[0],
        **{"date": date, "month": month_of(date)},
    }
    authors = people(map(_inverted, tags["FAU"] or tags["AU"]))
    groups = people(map(organisation, tags["CN"]))
    return Item(
        key=first.get("PMID", ""),
        type="article",
        facts=facts_from("article", fields, (*authors, *groups)),
        tags=tuple(dict.fromkeys(filter(None, map(line, tags["OT"])))),
        automatic_tags=tuple(dict.fromkeys(line(heading).strip("*") for heading in tags["MH"])),
    )


def _pubmed_date(date: str) -> str:
    """Convert ``2021 May 3`` to ``2021-05-03``."""
    year, _, month_and_day = date.partition(" ")
    month = month_and_day[:3].lower()
    return f"{year}-{MONTHS.index(month) + 1:02}" if month in MONTHS else year


# The CSV that Zotero exports: its columns are the fields of its items.

_CSV_COLUMNS = frozenset(("Key", "Item Type", "Title", "Author", "Publication Title", "Date Added"))


def is_zotero_csv(candidate: Found) -> bool:
    """Return whether the first row has the names of Zotero's columns."""
    first = candidate.text.partition("\n")[0]
    return first.startswith('"Key"') and set(_rows(first)[0]) >= _CSV_COLUMNS


def read_zotero_csv(candidate: Found) -> Source:
    """Return the rows of the file, which has no collections."""
    names, *rows = _rows(candidate.text)
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


def _csv_item(row: Mapping[str, str]) -> Item:
    fields = {_field_of(name): value for name, value in row.items() if value}
    fields.setdefault("date", row.get("Publication Year", ""))
    extra = read_extra(row.get("Extra", ""))
    names = map(line, row.get("Author", "").split(";"))
    creators = [
        Creator("author", given, family, not comma)
        for family, comma, given in (name.partition(",") for name in names if name)
    ]
    type_, facts = work_of(row.get("Item Type", ""), fields, creators, extra)
    key = line(row.get("Key", ""))
    added = row.get("Date Added", "").replace(" ", "T")
    return Item(
        key=key,
        type=type_,
        facts=facts,
        citekeys=tuple(extra.citekeys),
        tags=words_of(f"{row.get('Manual Tags', '')};"),
        automatic_tags=words_of(f"{row.get('Automatic Tags', '')};"),
        notes=_note(f"{key}-notes", facts.title or key, [row.get("Notes", ""), extra.rest]),
        statuses=tuple(extra.statuses),
        added=f"{added}+00:00" if len(added) == 19 else None,
    )


def _field_of(column: str) -> str:
    """Return Zotero's field name for a column: ``abstractNote`` for ``Abstract Note``."""
    return column if column.isupper() else column[:1].lower() + column[1:].replace(" ", "")
