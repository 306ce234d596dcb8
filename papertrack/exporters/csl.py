"""Turn a paper's BibTeX or biblatex entry into a CSL item, from which CSL-JSON, CSL-YAML, RIS and
Hayagriva are written.

Types and variables are those of CSL 1.0.2 (https://docs.citationstyles.org, appendices III, IV);
fields become variables as in pandoc's biblatex reader. An item is plain data: names are mappings of
``family``, ``given``, ``suffix`` or ``literal``, dates are ``{"date-parts": [[year, month, day],
…]}`` with one or two dates, and everything else is text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from papertrack.documents.bibtex.fresh import fields_of, type_in
from papertrack.documents.bibtex.gather import own_under
from papertrack.documents.bibtex.names import MONTHS, parse_names
from papertrack.documents.bibtex.parse import parse_whole
from papertrack.exporters.bibtex import OwnEntries, under_each_key
from papertrack.identifiers.derived import address_of, parts_of
from papertrack.latex.decode import decode_latex
from papertrack.records import Author, Paper
from papertrack.text import clean

Item = dict[str, Any]
Fields = Mapping[str, str]

_TYPES = {
    "article": "article-journal",
    **dict.fromkeys(("periodical", "suppperiodical", "review"), "article-journal"),
    **dict.fromkeys(("book", "mvbook", "collection", "mvcollection", "manual"), "book"),
    **dict.fromkeys(("proceedings", "mvproceedings", "reference", "mvreference"), "book"),
    "booklet": "pamphlet",
    **dict.fromkeys(("inbook", "incollection", "bookinbook"), "chapter"),
    **dict.fromkeys(("suppbook", "suppcollection"), "chapter"),
    "inreference": "entry-encyclopedia",
    **dict.fromkeys(("inproceedings", "conference"), "paper-conference"),
    **dict.fromkeys(("thesis", "phdthesis", "mastersthesis"), "thesis"),
    **dict.fromkeys(("report", "techreport"), "report"),
    "unpublished": "manuscript",
    **dict.fromkeys(("software", "dataset", "patent", "standard", "performance"), ""),
    **dict.fromkeys(("softwareversion", "softwaremodule", "codefragment"), "software"),
    **dict.fromkeys(("online", "electronic", "www"), "webpage"),
    **dict.fromkeys(("artwork", "image"), "graphic"),
    **dict.fromkeys(("audio", "music"), "song"),
    **dict.fromkeys(("movie", "video"), "motion_picture"),
    **{"jurisdiction": "legal_case", "legislation": "legislation", "legal": "treaty"},
    "letter": "personal_communication",
}
"""BibTeX or biblatex type → CSL type; empty if the name is the same."""
_SUBTYPES = {"magazine": "article-magazine", "newspaper": "article-newspaper"}
"""CSL types for biblatex's ``entrysubtype`` of articles."""
_OFFICES = {"us": "U.S.", "eu": "European", "de": "German", "fr": "French", "uk": "British"}
_GENRES = {
    "phdthesis": "PhD thesis",
    "mastersthesis": "Master’s thesis",
    "mathesis": "Master’s thesis",
    "bathesis": "Bachelor’s thesis",
    "candthesis": "Candidate thesis",
    "techreport": "technical report",
    "resreport": "research report",
    "patent": "Patent",
    "patreq": "Patent request",
    **{f"patent{code}": f"{name} patent" for code, name in _OFFICES.items()},
    **{f"patreq{code}": f"{name} patent request" for code, name in _OFFICES.items()},
    **{"software": "Computer software", "datacd": "Data CD", "audiocd": "Audio CD"},
}
"""The words for biblatex's keys in ``type``, and for BibTeX's thesis types."""
_IN_ARTICLES = frozenset({"article-journal", "article-magazine", "article-newspaper"})
_SAME: dict[str, str] = {
    **{"volumes": "number-of-volumes", "pagetotal": "number-of-pages", "edition": "edition"},
    **{"chapter": "chapter-number", "isbn": "ISBN", "issn": "ISSN", "version": "version"},
    **{"abstract": "abstract", "pubstate": "status", "origtitle": "original-title"},
    **{"origpublisher": "original-publisher", "origlocation": "original-publisher-place"},
    **{"eventtitle": "event-title", "venue": "event-place"},
    **{"annotation": "annote", "annote": "annote", "series": "collection-title"},
    **{"shortjournal": "container-title-short", "pmid": "PMID", "pmcid": "PMCID"},
}
"""Fields that are CSL variables under another name."""
_PUBLISHERS = ("school", "institution", "organization", "howpublished", "publisher")
_DATES = {"eventdate": "event-date", "origdate": "original-date", "urldate": "accessed"}
_NAMES = {"author": "author", "translator": "translator", "bookauthor": "container-author"}
_EDITORS = {"director": "director", "compiler": "compiler", "organizer": "organizer"}
"""biblatex's ``editortype`` → the role of a name; all others are editors."""
_LANGUAGES = {
    **{"german": "de-DE", "ngerman": "de-DE", "austrian": "de-AT", "naustrian": "de-AT"},
    **{"english": "en-US", "american": "en-US", "usenglish": "en-US", "british": "en-GB"},
    **{"ukenglish": "en-GB", "canadian": "en-CA", "australian": "en-AU", "french": "fr-FR"},
    **{"francais": "fr-FR", "spanish": "es-ES", "italian": "it-IT", "portuguese": "pt-PT"},
    **{"brazil": "pt-BR", "brazilian": "pt-BR", "dutch": "nl-NL", "russian": "ru-RU"},
    **{"polish": "pl-PL", "czech": "cs-CZ", "danish": "da-DK", "swedish": "sv-SE"},
    **{"norwegian": "nb-NO", "finnish": "fi-FI", "greek": "el-GR", "latin": "la"},
    **{"hungarian": "hu-HU", "turkish": "tr-TR", "ukrainian": "uk-UA", "japanese": "ja-JP"},
    **{"chinese": "zh-CN", "korean": "ko-KR", "arabic": "ar", "hebrew": "he-IL"},
    **{"catalan": "ca-AD", "croatian": "hr-HR", "slovene": "sl-SI", "romanian": "ro-RO"},
}
"""Languages of babel and polyglossia → BCP 47 codes."""
_CODE = re.compile(r"[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*")
_EDTF = re.compile(
    r"(?P<year>-?[0-9]{4,6})(?:-2[1-4]|-(?P<month>0[1-9]|1[0-2])(?:-(?P<day>[0-9]{2})(?:T.*)?)?)?"
)
"""Numbers above this, such as -21, are seasons."""
_MONTHS = {name: n for n, name in enumerate(MONTHS, 1)} | {str(n): n for n in range(1, 13)}
_YEAR = re.compile(r"(?<![0-9])[0-9]{4}(?![0-9])")
_ADDRESSES = {
    "arxiv": "https://arxiv.org/abs/",
    "jstor": "https://www.jstor.org/stable/",
    "pubmed": "https://www.ncbi.nlm.nih.gov/pubmed/",
    "hdl": "https://hdl.handle.net/",
}
"""biblatex's ``eprinttype`` → the prefix of its ``eprint`` in an address."""


def csl_items(papers: Iterable[Paper], own: OwnEntries | None = None) -> list[Item]:
    """Return an item for each key by which a paper may be cited, in the order of the keys.

    The data come from the paper's ``own`` entry, or else from the library.
    """
    own = own or {}
    items = (
        csl_item(named, own)
        for paper in papers
        for named in under_each_key(paper, own.get(paper.id, ()), "bibtex")
    )
    return sorted(items, key=lambda item: item["id"])


def csl_item(paper: Paper, own: OwnEntries) -> Item:
    """Return the item of a paper under its citekey, from its ``own`` entry if it has one."""
    entries = own.get(paper.id, ())
    if entries:
        entry = parse_whole(own_under(paper.citekey, entries, is_biblatex=False).text)
        item = item_of(entry.type, dict(reversed((*entry.fields, *entry.borrowed))))
    else:
        item = item_of(type_in("biblatex", paper), fields_of(paper, dialect="biblatex"))
        item["title"] = clean(paper.facts.title or "")
        item["author"] = list(map(csl_name, paper.facts.authors))
        item["DOI"] = paper.facts.identifier("doi")
    item = {"id": paper.citekey, **_completed(paper, item)}
    return {name: value for name, value in item.items() if value}


def _completed(paper: Paper, item: Item) -> Item:
    """Return an item completed with the library's data."""
    facts = paper.facts
    if (arxiv_id := facts.identifier("arxiv")) is not None:
        item |= {"number": f"arXiv:{arxiv_id}", "archive": "arXiv", "archive_location": arxiv_id}
    if item["type"] in ("", "webpage"):  # CSL's word for a preprint is "article".
        item["type"] = "webpage" if arxiv_id is None else "article"
    ours = {
        "URL": address_of(paper),
        "DOI": facts.identifier("doi"),
        "abstract": facts.abstract,
        "keyword": _keywords(paper.tags),
    }
    item |= {name: value for name, value in ours.items() if value and not item.get(name)}
    day = (facts.submitted or "")[:10]
    if day and item.get("issued") == {"date-parts": [[int(day[:4])]]}:  # All that is known.
        item["issued"] = {"date-parts": [[int(part) for part in day.split("-")]]}
    return item


def _keywords(tags: Sequence[str]) -> str | None:
    """Return tags separated by commas, or by semicolons if one contains a comma."""
    if not any("," in tag for tag in tags):
        return ", ".join(tags) or None
    return "".join(f"{tag}; " for tag in tags).strip()


def item_of(entry_type: str, fields: Fields) -> Item:
    """Return an entry as an item without its key; ``fields`` include inherited ones, by lower-case
    name, with LaTeX as written. The ``type`` is empty if the entry's type says nothing."""
    texts = {name: text for name, value in fields.items() if (text := decode_latex(value))}
    kind = _kind(entry_type, texts)
    if entry_type == "periodical":  # Its title is the journal's.
        texts |= {"journaltitle": texts.get("title", ""), "title": texts.get("issuetitle", "")}
    item: Item = {
        "type": kind,
        **dict(_titles(kind, texts)),
        **dict(_names(fields, texts)),
        "title-short": texts.get("shorttitle") or _title_short(fields),
        **dict(_dates(fields)),
        **{name: texts[field] for field, name in _SAME.items() if field in texts},
        **dict(_numbers(kind, texts)),
        **dict(_publishing(kind, entry_type, texts)),
        "language": _language(texts),
        "note": ". ".join(texts[name] for name in ("note", "addendum") if name in texts),
        **dict(_addresses(fields, texts)),
    }
    return {name: value for name, value in item.items() if value or name == "type"}


def _kind(entry_type: str, texts: Fields) -> str:
    """Return the CSL type; empty if the entry's type says nothing."""
    kind = _TYPES.get(entry_type, "") or (entry_type if entry_type in _TYPES else "")
    if kind == "article-journal":
        return _SUBTYPES.get(texts.get("entrysubtype", ""), kind)
    return "speech" if kind == "manuscript" and "eventtitle" in texts else kind


def _publishing(kind: str, entry_type: str, texts: Fields) -> Iterator[tuple[str, str]]:
    """Yield who published a work, where, and the kind of report or thesis."""
    publishers = dict.fromkeys(texts[name] for name in _PUBLISHERS if name in texts)
    yield "publisher", "; ".join(publishers)
    place = texts.get("address") or texts.get("location", "").replace(" and ", "; ")
    yield ("jurisdiction" if kind == "patent" else "publisher-place"), place
    is_thesis = entry_type.endswith("sthesis") or entry_type == "phdthesis"
    genre = texts.get("type") or (entry_type if is_thesis else "")
    yield "genre", _GENRES.get(genre, genre)


def _titles(kind: str, texts: Fields) -> Iterator[tuple[str, str]]:
    """Yield the title of a work, and the title of the book, journal or series that contains it."""
    title = _with_subtitle(texts, "title", "subtitle", "titleaddon")
    main = _with_subtitle(texts, "maintitle", "mainsubtitle", "maintitleaddon")
    journal = texts.get("journaltitle") or texts.get("journal", "")
    if subtitle := texts.get("journalsubtitle"):
        journal = f"{journal}: {subtitle}"
    book = _with_subtitle(texts, "booktitle", "booksubtitle", "booktitleaddon")
    if main and not book:
        yield from (("title", main), ("volume-title", title))
    else:
        yield "title", title
        yield "volume-title", book if main else ""
    if kind != "book":
        yield "container-title", journal or (main if book else "") or book


def _title_short(fields: Fields) -> str:
    """Return the part of a title before its subtitle, or before a colon outside braces."""
    title, depth = fields.get("title", ""), 0
    for at, char in enumerate(title):
        depth += (char == "{") - (char == "}")
        if char == ":" and not depth:
            return decode_latex(title[:at])
    return decode_latex(title) if "subtitle" in fields else ""


def _with_subtitle(texts: Fields, title: str, subtitle: str, addition: str) -> str:
    whole = ": ".join(texts[name] for name in (title, subtitle) if name in texts)
    return ". ".join(filter(None, (whole, texts.get(addition, ""))))


def _names(fields: Fields, texts: Fields) -> Iterator[tuple[str, list[dict[str, str]]]]:
    """Yield the names of an entry by role."""
    for field, role in _NAMES.items():
        if names := names_of(fields.get(field, "")):
            yield role, names
    by_role: dict[str, list[dict[str, str]]] = {}
    for field in ("editor", "editora", "editorb", "editorc"):
        role = _EDITORS.get(texts.get(f"{field}type", "editor"), "editor")
        if names := names_of(fields.get(field, "")):
            by_role.setdefault(role, []).extend(names)
    yield from by_role.items()


def names_of(value: str) -> list[dict[str, str]]:
    """Parse the names in a BibTeX list of people."""
    return list(map(csl_name, parse_names(value)))


def csl_name(author: Author) -> dict[str, str]:
    """Return family and given names; a name without parts is ``literal``."""
    family, given, suffix = parts_of(author)
    if not given:
        return {"literal": family}
    return {"family": family, "given": given, **({"suffix": suffix} if suffix else {})}


def _dates(fields: Fields) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the dates of an entry."""
    if issued := _date(fields.get("date", "")) or _issued(fields):
        yield "issued", issued
    for field, name in _DATES.items():
        if date := _date(fields.get(field, "")):
            yield name, date


def _date(text: str) -> dict[str, Any] | None:
    """Parse a date, or the first and last date of a range, as biblatex writes them (EDTF, levels 0
    and 1): ``2023-06-09``, ``1530/1540``, ``-0044``, ``1900~``."""
    parts = [_EDTF.fullmatch(end.strip().rstrip("?~%")) for end in text.split("/")[:2]]
    dates = [[int(number) for number in part.groups() if number] for part in parts if part]
    if not dates:
        return None
    for date_parts in dates:  # A year before Christ is one less there: 0 is the first of them.
        date_parts[0] -= date_parts[0] <= 0
    date: dict[str, Any] = {"date-parts": dates}
    return date | {"circa": True} if text.rstrip().endswith(("?", "~", "%")) else date


def iso_date(date: Mapping[str, Any] | None) -> str | None:
    """Return an item's date as ``2023-06-09``, as precise as known; of a range, the first date.

    None for a year before Christ or of five digits.
    """
    year, *rest = date["date-parts"][0] if date else [-1]
    return "-".join([f"{year:04}", *(f"{part:02}" for part in rest)]) if 0 < year < 10_000 else None


def _issued(fields: Fields) -> dict[str, Any] | None:
    """Return the publication date from the fields ``year``, ``month`` and ``day``."""
    year = decode_latex(fields.get("year", ""))
    if (date := _date(year)) is None or len(date["date-parts"]) > 1:
        match = _YEAR.search(year)
        return date or ({"date-parts": [[int(match.group())]]} if match else None)
    month = month_of(decode_latex(fields.get("month", "")))
    day = decode_latex(fields.get("day", ""))
    if month is not None:
        date["date-parts"][0].append(month)
        if day.isdecimal() and 0 < int(day[:3]) < 32:
            date["date-parts"][0].append(int(day))
    return date


def month_of(text: str) -> int | None:
    """Parse a month written as a number or by its English name; None for other words."""
    return _MONTHS.get(text.lstrip("0")) or _MONTHS.get(text.casefold()[:3])


def _numbers(kind: str, texts: Fields) -> Iterator[tuple[str, str]]:
    """Yield pages, volume and number (of an issue, a series or the work itself)."""
    yield "page", re.sub(r"\s*[-–—]+\s*", "–", texts.get("pages") or texts.get("eid", ""))
    yield "volume", ".".join(texts[name] for name in ("volume", "part") if name in texts)
    number, issue = texts.get("number", ""), texts.get("issue", "")
    if kind in _IN_ARTICLES:
        yield "issue", ", ".join(filter(None, (number, issue)))
    elif number:
        yield "collection-number" if "series" in texts else "number", number


def _language(texts: Fields) -> str | None:
    """Return the language code of an entry; None if it is not known."""
    name = texts.get("language") or texts.get("langid", "")
    return _LANGUAGES.get(name.casefold()) or (name if _CODE.fullmatch(name) else None)


def _addresses(fields: Fields, texts: Fields) -> Iterator[tuple[str, str]]:
    """Yield DOI and address; for a work in an archive, its page there."""
    if doi := texts.get("doi"):
        yield "DOI", re.sub(r"^(?:https?://(?:dx\.)?doi\.org/|doi:\s*)", "", doi, flags=re.I)
    url = clean(fields.get("url", "").replace("\\", "").strip())
    archive = (texts.get("eprinttype") or texts.get("archiveprefix") or "").casefold()
    if not url and archive in _ADDRESSES and "eprint" in texts:
        url = _ADDRESSES[archive] + texts["eprint"]
    yield "URL", url
