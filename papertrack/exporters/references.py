"""Papers as references: CSL-JSON, the input of citeproc, Pandoc, Quarto and Zotero; RIS, which
EndNote, Mendeley, Zotero and Papers import; and a line of text, with what cites them in one.

Types and variables are those of CSL 1.0.2 (https://docs.citationstyles.org, appendices III, IV),
tags those of RIS's specification by Research Information Systems (2011).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from papertrack.documents.bibtex.values import MONTHS
from papertrack.exporters.yaml import to_yaml
from papertrack.identifiers.derived import address_of, parts_of, type_of, year_of
from papertrack.records import Author, Paper
from papertrack.text import clean

_TYPES: dict[str, tuple[str, str | None]] = {
    "article": ("article-journal", "JOUR"),
    **dict.fromkeys(("inproceedings", "conference"), ("paper-conference", "CPAPER")),
    "proceedings": ("book", "CONF"),
    **dict.fromkeys(("incollection", "inbook"), ("chapter", "CHAP")),
    "book": ("book", "BOOK"),
    "collection": ("book", None),
    "booklet": ("pamphlet", None),
    **dict.fromkeys(("phdthesis", "mastersthesis", "thesis"), ("thesis", "THES")),
    **dict.fromkeys(("techreport", "report"), ("report", "RPRT")),
    "manual": ("report", None),
    "unpublished": ("manuscript", "UNPB"),
    "software": ("software", "COMP"),
    "dataset": ("dataset", "DATA"),
    "online": ("webpage", "ELEC"),
}
"""BibTeX's type → CSL's and RIS's."""
_FIELDS: dict[str, tuple[str, str | None]] = {
    "volume": ("volume", "VL"),
    **dict.fromkeys(("number", "issue"), ("issue", "IS")),
    "publisher": ("publisher", "PB"),
    **dict.fromkeys(("address", "location"), ("publisher-place", "CY")),
    "series": ("collection-title", "T3"),
    "edition": ("edition", "ET"),
    "isbn": ("ISBN", "SN"),
    "issn": ("ISSN", "SN"),
    "pages": ("page", None),  # In RIS the first and the last have a tag each.
}
"""BibTeX's field → CSL's variable and RIS's tag."""
_NOT_MARKDOWN = {"id", "type", "DOI", "URL", "issued"}
_MARKUP = re.compile(r"[\\`*_{}\[\]<>$@~^#|&!]|-(?=-)|\.(?=\.\.)")
_MONTHS = {name: number for number, name in enumerate(MONTHS, start=1)}
_NAMED_AUTHORS = 6
"""With more of them, the first three are named and the rest are "et al."."""


def to_csl_json(papers: Iterable[Paper]) -> str:
    """An array of items with the citekey as ``id``, in the order of the keys."""
    items = [_csl_item(paper) for paper in sorted(papers, key=lambda paper: paper.citekey)]
    return json.dumps(items, ensure_ascii=False, indent=2) + "\n"


def to_csl_yaml(papers: Iterable[Paper]) -> str:
    """CSL-JSON's items as Pandoc and Quarto take them: under ``references``, as Markdown."""
    items = json.loads(to_csl_json(papers))
    for item in items:
        for name in set(item) - _NOT_MARKDOWN:
            item[name] = _as_markdown(item[name])
    return to_yaml({"references": items})


def _as_markdown(value: Any) -> Any:
    """Texts with a backslash before what Markdown would take for more than text."""
    if isinstance(value, dict):
        return {name: _as_markdown(part) for name, part in value.items()}
    if isinstance(value, list):
        return [_as_markdown(part) for part in value]
    return _MARKUP.sub(r"\\\g<0>", value) if isinstance(value, str) else value


def _csl_item(paper: Paper) -> dict[str, object]:
    facts = paper.facts
    arxiv_id = facts.identifier("arxiv")
    item: dict[str, object | None] = {
        "id": paper.citekey,
        "type": _types_of(paper)[0],
        "title": facts.title and clean(facts.title),
        "author": [_csl_name(author) for author in facts.authors] or None,
        "issued": _issued(paper),
        "container-title": facts.venue and clean(facts.venue),
        "DOI": facts.identifier("doi"),
        "URL": address_of(paper),
        "abstract": facts.abstract,
        "note": _said(paper, "note"),
        "keyword": _keywords(paper.tags),
    }
    for name, text in facts.publication:
        if name in _FIELDS:
            item.setdefault(_FIELDS[name][0], clean(text))
    if arxiv_id is not None:
        item["number"] = f"arXiv:{arxiv_id}"
        item["archive"] = "arXiv"
        item["archive_location"] = arxiv_id
    return {name: value for name, value in item.items() if value is not None}


def _keywords(tags: Sequence[str]) -> str | None:
    """Tags apart by commas, or by semicolons where one has a comma in it."""
    if not any("," in tag for tag in tags):
        return ", ".join(tags) or None
    return "".join(f"{tag}; " for tag in tags).strip()


def _types_of(paper: Paper) -> tuple[str, str]:
    """CSL's and RIS's; CSL's word for a preprint is "article", and other pages are web pages."""
    csl, ris = _TYPES.get(type_of(paper) or "", (None, None))
    if paper.facts.identifier("arxiv") is not None:
        return csl or "article", ris or "GEN"
    return csl or "webpage", ris or "ELEC"


def _csl_name(author: Author) -> dict[str, str]:
    """Family and given names; a name that has no parts is ``literal``."""
    family, given, suffix = parts_of(author)
    if not given:
        return {"literal": family}
    return {"family": family, "given": given, **({"suffix": suffix} if suffix else {})}


def _said(paper: Paper, name: str) -> str | None:
    """What is known of its publication under this name."""
    return clean(dict(paper.facts.publication).get(name, "")) or None


def _issued(paper: Paper) -> dict[str, list[list[int]]] | None:
    year = year_of(paper)
    if year is None:
        return None
    month = _said(paper, "month") or ""
    if (number := _MONTHS.get(month.casefold()[:3]) or _number(month)) is not None:
        return {"date-parts": [[year, number]]}
    submitted = paper.facts.submitted or ""
    parts = [int(part) for part in submitted[:10].split("-")] if submitted else [year]
    return {"date-parts": [parts if parts[0] == year else [year]]}


def _number(month: str) -> int | None:
    """A month that is written as a number."""
    is_month = month.isascii() and month.isdigit() and 1 <= int(month[:3]) <= len(_MONTHS)
    return int(month) if is_month else None


def to_ris(papers: Iterable[Paper]) -> str:
    """One record per paper in the order of the citekeys, lines ended by CR and LF, as RIS asks."""
    ordered = sorted(papers, key=lambda paper: paper.citekey)
    return "\r\n".join("".join(_ris_lines(paper)) for paper in ordered)


def _ris_lines(paper: Paper) -> Iterator[str]:
    """A line for each tag. Cleaned text has no line end, so none begins a tag of its own."""
    facts = paper.facts
    arxiv_id = facts.identifier("arxiv")
    year = year_of(paper)
    lines = [
        ("TY", _types_of(paper)[1]),
        ("ID", paper.citekey),
        ("TI", facts.title),
        # Last, First, Suffix.
        *(("AU", ", ".join(filter(None, parts_of(author)))) for author in facts.authors),
        ("PY", str(year) if year is not None else None),
        ("T2", facts.venue),
        *((_FIELDS[name][1], text) for name, text in facts.publication if name in _FIELDS),
        *_ris_pages(paper),
        ("DO", facts.identifier("doi")),
        ("UR", address_of(paper)),
        ("M1", f"arXiv:{arxiv_id}" if arxiv_id is not None else None),
        ("AB", facts.abstract),
        *(("KW", tag) for tag in paper.tags),
    ]
    for tag, text in lines:
        if tag and text and (line := clean(text)):
            yield f"{tag}  - {line}\r\n"
    yield "ER  - \r\n"


def _ris_pages(paper: Paper) -> Iterator[tuple[str, str]]:
    pages = dict(paper.facts.publication).get("pages", "").replace("--", "–").replace("-", "–")
    first, _, last = pages.partition("–")
    yield "SP", first
    yield "EP", last


def format_reference(paper: Paper) -> str:
    """One line for a person: authors (year). title. where it appeared. address.

    A preprint is cited as arXiv asks: ``arXiv:2309.06180 [cs.LG]`` (arXiv help, *How to cite*).
    """
    facts = paper.facts
    names = [author.name for author in facts.authors]
    if len(names) > _NAMED_AUTHORS:
        names = [*names[:3], "et al."]
    year = year_of(paper)
    who_and_when = " ".join(filter(None, (", ".join(names), f"({year})" if year else "")))
    doi = facts.identifier("doi")
    where = f"https://doi.org/{doi}" if doi is not None else address_of(paper)
    sentences = [who_and_when, facts.title or paper.citekey, facts.venue, _preprint(paper)]
    ended = [text if text[-1] in ".?!" else f"{text}." for text in sentences if text]
    return clean(" ".join([*ended, where] if where else ended))


def _preprint(paper: Paper) -> str | None:
    arxiv_id, category = paper.facts.identifier("arxiv"), paper.facts.primary_category
    if arxiv_id is None:
        return None
    return f"arXiv:{arxiv_id} [{category}]" if category else f"arXiv:{arxiv_id}"


def cite_latex(keys: Sequence[str], *, command: str = "cite") -> str:
    r"""``\cite{kwon2023efficient,leviathan2022fast}``."""
    return f"\\{command}{{{','.join(keys)}}}"


def cite_pandoc(keys: Sequence[str]) -> str:
    """``[@kwon2023efficient; @leviathan2022fast]``, as in Pandoc's Markdown and in Quarto.

    A key with characters that end a bare key there is written ``@{...}``.
    """
    return "[" + "; ".join(f"@{_pandoc_key(key)}" for key in keys) + "]"


def cite_typst(keys: Sequence[str]) -> str:
    """``@kwon2023efficient @leviathan2022fast``; ``#cite(label("…"))`` where a label cannot be."""
    return " ".join(
        f"@{key}" if _is_plain(key, "_-.:") else f'#cite(label("{key}"))' for key in keys
    )


def _pandoc_key(key: str) -> str:
    return key if _is_plain(key, "_:.#$%&-+?<>~/") else "{" + key + "}"


def _is_plain(key: str, punctuation: str) -> bool:
    """Whether ``key`` begins and ends alphanumeric, with nothing but ``punctuation`` between."""
    inner = all(char.isalnum() or char in punctuation for char in key)
    return inner and key[:1].isalnum() and key[-1:].isalnum()
