"""CSL-JSON, as reference managers and pandoc exchange it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from papertrack.importers.fields import (
    facts_from,
    line,
    month_of,
    names_of,
    organisation,
    people,
    person,
    words_of,
)
from papertrack.importers.found import Found
from papertrack.importers.keys import with_keys
from papertrack.importers.model import Item, Source
from papertrack.importers.zotero.works import read_extra
from papertrack.records import Author

_TYPES = {
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
_KNOWN = {*_TYPES, "article", "bill", "broadcast", "figure", "graphic", "interview", "legal_case"}
_KNOWN |= {"legislation", "map", "motion_picture", "musical_score", "pamphlet", "patent"}
_KNOWN |= {"personal_communication", "review", "review-book", "song", "speech", "treaty"}
_FIELDS = {
    "title": "title",
    "abstract": "abstract",
    "DOI": "doi",
    "URL": "url",
    "volume": "volume",
    "issue": "number",
    "number": "number",
    "page": "pages",
    "publisher": "publisher",
    "publisher-place": "address",
    "edition": "edition",
    "ISBN": "isbn",
    "ISSN": "issn",
    "collection-title": "series",
    "event-title": "eventtitle",
    "event": "eventtitle",
    "version": "version",
    "PMID": "pmid",
    "PMCID": "pmcid",
}
_HOUSES = {"article": "journal", "phdthesis": "school", "techreport": "institution"}


def is_csl(found: Found) -> bool:
    """Whether it is an array of references, each with a type of CSL's."""
    references = _references(found.json)
    return bool(references) and all(
        isinstance(one, dict) and one.get("type") in _KNOWN for one in references[:20]
    )


def read_csl(found: Found) -> Source:
    """The references of a file."""
    references = _references(found.json)
    source = Source("csl", len(references))
    told: list[tuple[str, Item]] = []
    for number, one in enumerate(references, start=1):
        if not isinstance(one, dict):
            source.leave_out(str(number), "", "it is no reference")
            continue
        own = line(str(one.get("id") or number))
        told.append((own, _item(f"{found.path.stem}:{own}", one)))
    for item in with_keys(told):
        source.take(item)
    return source


def _references(told: Any) -> Sequence[Any]:
    if isinstance(told, dict):
        told = told.get("items") or told.get("references")
    return told if isinstance(told, list) else ()


def _item(key: str, one: Mapping[str, Any]) -> Item:
    type_ = _TYPES.get(str(one.get("type")), "misc")
    named = {ours: text for name, ours in _FIELDS.items() if (text := _text(one.get(name)))}
    container, publisher = _text(one.get("container-title")), _text(one.get("publisher"))
    if container:
        named["journal" if type_ == "article" else "booktitle"] = container
    elif type_ in ("phdthesis", "techreport") and publisher:
        named[_HOUSES[type_]] = publisher
    if date := _date(one.get("issued")):
        named["date"] = date
        named.update({"month": month} if (month := month_of(date)) else {})
    editors = _people(one.get("editor"))
    if editors:
        named["editor"] = names_of(editors)
    extra = read_extra(_text(one.get("note")))
    key_given = _text(one.get("citation-key"))
    return Item(
        key=key,
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
    """``2021-05-03``, as precise as it is told."""
    if not isinstance(told, dict):
        return _text(told)
    parts = told.get("date-parts")
    first = parts[0] if isinstance(parts, list) and parts else None
    if isinstance(first, list) and first and first[0]:
        numbers = [_text(one) for one in first if _text(one)]
        return "-".join([numbers[0], *(number.zfill(2) for number in numbers[1:])])
    return _text(told.get("raw")) or _text(told.get("literal"))


def _text(value: Any) -> str:
    """A value as text: numbers too, and nothing of what is no single one."""
    return str(value) if isinstance(value, str | int | float) else ""
