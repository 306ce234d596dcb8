"""One item of Zotero's → what it says of a work."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from papertrack.identifiers import parse_arxiv_id
from papertrack.identifiers.citekeys import is_citekey
from papertrack.importers.fields import facts_from, month_of, names_of, organisation, people, person
from papertrack.importers.zotero.rows import Creator
from papertrack.records import Author, PaperFacts
from papertrack.text import clean

_TYPES = {
    **dict.fromkeys(("journalArticle", "magazineArticle", "newspaperArticle"), "article"),
    "conferencePaper": "inproceedings",
    "book": "book",
    **dict.fromkeys(("bookSection", "encyclopediaArticle", "dictionaryEntry"), "incollection"),
    "thesis": "phdthesis",
    **dict.fromkeys(("report", "standard"), "techreport"),
    "manuscript": "unpublished",
    **dict.fromkeys(("webpage", "blogPost", "forumPost"), "online"),
    "computerProgram": "software",
    "dataset": "dataset",
}
"""Zotero's types as BibTeX or biblatex call them; all others are ``misc``."""
_FIELDS = {
    "title": "title",
    **dict.fromkeys(("caseName", "nameOfAct", "subject"), "title"),
    "abstractNote": "abstract",
    "DOI": "doi",
    "url": "url",
    "volume": "volume",
    **dict.fromkeys(("issue", "reportNumber", "seriesNumber", "patentNumber"), "number"),
    "pages": "pages",
    **dict.fromkeys(("publisher", "label", "company"), "publisher"),
    "place": "address",
    "edition": "edition",
    "ISBN": "isbn",
    "ISSN": "issn",
    "series": "series",
    "seriesTitle": "series",
    "conferenceName": "eventtitle",
    "university": "school",
    "institution": "institution",
    "versionNumber": "version",
    "reportType": "type",
    "thesisType": "type",
    "accessDate": "urldate",
}
_HOUSES = {
    "article": "journal",
    **dict.fromkeys(("inproceedings", "incollection"), "booktitle"),
}
"""Where the name of the publication goes, by the type."""
_PUBLICATIONS = (
    *("publicationTitle", "proceedingsTitle", "bookTitle", "encyclopediaTitle", "dictionaryTitle"),
    *("websiteTitle", "blogTitle", "forumTitle"),
)
_FIRST = ("author", "programmer", "presenter", "inventor", "artist", "podcaster", "interviewee")
"""Who made a work, by what they are called for its type; the first kind that there is."""
_LINE = re.compile(r"\s*([A-Za-z][\w .-]{0,40}?)\s*[:=]\s*(\S.*?)\s*")
_READ_STATUS = frozenset(("read status", "reading status", "status"))
_STORED_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:\s|$)")
_ARXIV_CATEGORY = re.compile(r"\[([a-z-]+(?:\.[A-Za-z-]+)?)\]")
_EXTRA_FIELDS = {
    "doi": "doi",
    "pmid": "pmid",
    "pmcid": "pmcid",
    "issn": "issn",
    "isbn": "isbn",
    "url": "url",
    "container title": "booktitle",
    "publisher": "publisher",
    "volume": "volume",
    "issue": "number",
    "page": "pages",
    "event": "eventtitle",
    "event place": "address",
}
"""What lines of ``extra`` say that no field of an item's type had a place for."""


class Extra(NamedTuple):
    """What stands in the field ``extra``, where plug-ins and readers put what had no place."""

    fields: dict[str, str]
    citekeys: tuple[str, ...]
    statuses: tuple[str, ...]
    rest: str
    """The lines that are the reader's own words."""


def work_of(
    type_: str, fields: Mapping[str, str], creators: Sequence[Creator], extra: Extra
) -> tuple[str, PaperFacts]:
    """The type of an item as BibTeX has it, and what it says of the work."""
    entry_type = _type_of(type_, fields)
    named = dict(extra.fields)
    named.update(_bib_fields(entry_type, fields))
    named.update(_eprint(type_, fields, extra))
    editors = _names(creators, ("editor", "seriesEditor", "bookAuthor"))
    if editors:
        named.setdefault("editor", names_of(editors))
    return entry_type, facts_from(entry_type, named, _authors(creators))


def read_extra(text: str) -> Extra:
    """Take apart what stands in ``extra``: one thing a line, ``name: value``."""
    found = Extra({}, (), (), "")
    rest = []
    for line in text.splitlines():
        told = _LINE.fullmatch(line)
        name = told[1].casefold().replace("_", " ") if told else ""
        better = _with_line(found, name, told[2]) if told else None
        if better is None:
            rest.append(line)
        else:
            found = better
    return found._replace(rest="\n".join(rest).strip())


def _with_line(found: Extra, name: str, value: str) -> Extra | None:
    """What is known with one more line; None for one that is the reader's own."""
    if name in ("citation key", "citationkey", "bibtex"):
        key = clean(value.removeprefix("bibtex:")).strip()
        return found._replace(citekeys=(*found.citekeys, key)) if is_citekey(key) else found
    if name in _READ_STATUS:
        return found._replace(statuses=(*found.statuses, value))
    if name.startswith("read status "):  # When it was set.
        return found
    if name == "arxiv":
        return found._replace(fields={**found.fields, **_of_arxiv(value)})
    if name.startswith("tex."):
        return found._replace(fields={name[4:]: value, **found.fields})
    if name in _EXTRA_FIELDS:
        return found._replace(fields={_EXTRA_FIELDS[name]: value, **found.fields})
    return None


def _of_arxiv(value: str) -> dict[str, str]:
    """An id as Zotero writes it: ``2002.05160 [cs]``."""
    if parse_arxiv_id(value.partition("[")[0].strip()) is None:
        return {}
    category = _ARXIV_CATEGORY.search(value)
    told = {"eprint": value.partition("[")[0].strip(), "archiveprefix": "arXiv"}
    return told | ({"primaryclass": category[1]} if category and "." in category[1] else {})


def _type_of(type_: str, fields: Mapping[str, str]) -> str:
    found = _TYPES.get(type_, "misc")
    if type_ == "thesis" and re.search(r"master|msc|diplom", fields.get("thesisType", ""), re.I):
        return "mastersthesis"
    return found


def _bib_fields(entry_type: str, fields: Mapping[str, str]) -> dict[str, str]:
    named: dict[str, str] = {}
    for name, ours in _FIELDS.items():
        if fields.get(name, "").strip():
            named.setdefault(ours, fields[name])
    date = plain_date(fields.get("date") or fields.get("issueDate") or "")
    if date:
        named["date"] = date
        named.update({"month": month} if (month := month_of(date)) else {})
    if "urldate" in named:
        named["urldate"] = named["urldate"][:10]  # Without the time.
    publication = next((fields[name] for name in _PUBLICATIONS if fields.get(name)), "")
    if publication:
        named[_HOUSES.get(entry_type, "booktitle")] = publication
    if entry_type not in ("phdthesis", "mastersthesis", "techreport"):
        named.pop("type", None)
    return named


def plain_date(stored: str) -> str:
    """A date without what Zotero keeps beside it: ``2019-05-00 May 2019`` is ``2019-05``."""
    found = _STORED_DATE.match(stored)
    if found is None or found[1] == "0000":
        return stored
    return "-".join(part for part in found.groups() if part != "00")


def _eprint(type_: str, fields: Mapping[str, str], extra: Extra) -> dict[str, str]:
    """The arXiv id of a preprint, which has fields of its own since Zotero 6."""
    if "eprint" in extra.fields:
        return {}
    archive = f"{fields.get('repository', '')} {fields.get('archive', '')}".casefold()
    number = fields.get("archiveID") or fields.get("archiveLocation") or fields.get("number") or ""
    is_arxiv = "arxiv" in archive or number.casefold().startswith("arxiv:")
    if type_ not in ("preprint", "journalArticle", "manuscript", "report") or not is_arxiv:
        return {}
    return _of_arxiv(number.removeprefix("arXiv:").removeprefix("arxiv:"))


def _authors(creators: Sequence[Creator]) -> tuple[Author, ...]:
    for role in _FIRST:
        if found := _names(creators, (role,)):
            return found
    others = [one for one in creators if one.role not in ("editor", "seriesEditor", "translator")]
    return people(map(_name, others)) if not _names(creators, ("editor",)) else ()


def _names(creators: Sequence[Creator], roles: Sequence[str]) -> tuple[Author, ...]:
    return people(_name(one) for one in creators if one.role in roles)


def _name(creator: Creator) -> Author | None:
    if creator.is_one_name:
        return organisation(creator.family or creator.given)
    return person(creator.given, creator.family)
