"""Lists of tagged references: RIS, which publishers and tools export, and PubMed's nbib."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from papertrack.importers.fields import facts_from, line, month_of, organisation, people, person
from papertrack.importers.found import Found
from papertrack.importers.html import escaped, markdown_of
from papertrack.importers.keys import with_keys
from papertrack.importers.model import Item, ItemNote, Source
from papertrack.records import Author

_RIS_START = re.compile(r"TY {0,3}- ?\s*[A-Z]")
_RIS_LINE = re.compile(r"^([A-Z][A-Z0-9]) {0,3}-(?: |$)", re.M)
_NBIB_LINE = re.compile(r"([A-Z]{2,4}) {0,2}- ?(.*)")
_TYPES = {
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
    "title": ("title", "primary_title"),
    "abstract": ("abstract", "notes_abstract"),
    "doi": ("doi",),
    "volume": ("volume",),
    "number": ("number",),
    "publisher": ("publisher",),
    "address": ("place_published",),
    "edition": ("edition",),
    "series": ("tertiary_title",),
}
_RIS_HOUSES = ("journal_name", "secondary_title", "alternate_title3", "alternate_title2")


def is_ris(found: Found) -> bool:
    """Whether its first line that says something begins a reference of RIS's."""
    return bool(found.lines) and _RIS_START.match(found.lines[0]) is not None


def is_nbib(found: Found) -> bool:
    """Whether it begins with the number of a record of PubMed's."""
    return bool(found.lines) and re.match(r"PMID ?- ?\d", found.lines[0]) is not None


def read_ris(found: Found) -> Source:
    """The references of a RIS file, each read by itself: one that is cut off spoils no other."""
    import rispy

    text = _RIS_LINE.sub(r"\1  - ", found.text)
    return _read(found, "ris", list(_chunks(text, "TY  - ")), lambda one: _ris_item(one, rispy))


def read_nbib(found: Found) -> Source:
    """The records of a file of PubMed's."""
    chunks = list(_chunks(re.sub(r"^PMID ?- ?", "PMID- ", found.text, flags=re.M), "PMID- "))
    return _read(found, "nbib", chunks, _nbib_item)


def _read(
    found: Found, tool: str, chunks: Sequence[str], item_of: Callable[[str], Item | None]
) -> Source:
    source = Source(tool, len(chunks))
    told: list[tuple[str, Item]] = []
    for number, chunk in enumerate(chunks, start=1):
        item = item_of(chunk)
        if item is None:
            source.leave_out(str(number), line(chunk[:80]), "it cannot be read")
            continue
        key = f"{found.path.stem}:{item.key or number}"
        notes = tuple(ItemNote(f"{key}-{note.key}", note.text) for note in item.notes)
        told.append((item.key, item.renamed(key, notes)))
    for item in with_keys(told):
        source.take(item)
    return source


def _chunks(text: str, start: str) -> Iterator[str]:
    """The references of a text, each from its first line on."""
    starts = [found.start() for found in re.finditer(f"^{re.escape(start)}", text, re.M)]
    for at, end in zip(starts, [*starts[1:], len(text)], strict=True):
        yield text[at:end]


def _ris_item(chunk: str, rispy: Any) -> Item | None:
    ended = chunk if re.search(r"^ER  -", chunk, re.M) else f"{chunk.rstrip()}\nER  - \n"
    try:
        told = rispy.loads(ended)[0]
    except (IndexError, ValueError, KeyError, TypeError, OSError):
        return None
    type_ = _TYPES.get(_of(told, "type_of_reference"), "misc")
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
    notes = [one for one in (*_all(told, "notes"), *_all(told, "research_notes")) if one.strip()]
    title = line(named["title"]) or "Note"
    body = "\n\n".join(markdown_of(one) for one in notes)
    return Item(
        key=key,
        type=type_,
        facts=facts_from(type_, named, people(map(_inverted, authors))),
        tags=tuple(dict.fromkeys(filter(None, map(line, _all(told, "keywords"))))),
        notes=(ItemNote("note", f"# {escaped(title)}\n\n{body}\n"),) if body.strip() else (),
    )


def _of(told: Mapping[str, Any], *names: str) -> str:
    return next((str(told[name]) for name in names if told.get(name)), "")


def _all(told: Mapping[str, Any], name: str) -> list[str]:
    found = told.get(name) or []
    return [str(one) for one in found] if isinstance(found, list) else [str(found)]


def _inverted(name: str) -> Author | None:
    """``Last, First, Suffix``, or somebody with one name."""
    family, comma, rest = line(name).partition(",")
    if not comma:
        return person("", family) if " " not in family else organisation(family)
    given, _, suffix = (part.strip() for part in rest.partition(","))
    return person(given, family, suffix)


def _nbib_item(chunk: str) -> Item | None:
    told: dict[str, list[str]] = {}
    last: list[str] = []
    for one in chunk.splitlines():
        found = _NBIB_LINE.fullmatch(one)
        if found:
            last = told.setdefault(found[1], [])
            last.append(found[2].strip())
        elif one.startswith("      ") and last:
            last[-1] = f"{last[-1]} {one.strip()}"
    first = {name: values[0] for name, values in told.items()}
    doi = next((one for one in told.get("AID", []) if one.endswith("[doi]")), "")
    date = _pubmed_date(first.get("DP", ""))
    named = {
        "title": first.get("TI", "").removesuffix("."),
        "abstract": first.get("AB", ""),
        "journal": first.get("JT", "") or first.get("TA", ""),
        "volume": first.get("VI", ""),
        "number": first.get("IP", ""),
        "pages": first.get("PG", ""),
        "issn": first.get("IS", "").partition(" ")[0],
        "doi": doi.removesuffix("[doi]").strip() or first.get("LID", "").partition(" [doi]")[0],
        "pmid": first.get("PMID", ""),
        "pmcid": first.get("PMC", ""),
        "date": date,
        "month": month_of(date),
    }
    authors = people(map(_inverted, told.get("FAU") or told.get("AU") or []))
    groups = people(map(organisation, told.get("CN", [])))
    return Item(
        key=first.get("PMID", ""),
        type="article",
        facts=facts_from("article", named, (*authors, *groups)),
        tags=tuple(dict.fromkeys(filter(None, map(line, told.get("OT", []))))),
        automatic_tags=tuple(dict.fromkeys(line(one).strip("*") for one in told.get("MH", []))),
    )


_PUBMED_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()


def _pubmed_date(told: str) -> str:
    """``2021 May 3`` as ``2021-05-03``."""
    year, _, rest = told.partition(" ")
    month = rest[:3]
    if month not in _PUBMED_MONTHS:
        return year
    return f"{year}-{_PUBMED_MONTHS.index(month) + 1:02}"
