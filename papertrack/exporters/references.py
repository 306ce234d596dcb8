"""Papers as references: CSL-JSON and CSL-YAML, the input of citeproc, Pandoc, Quarto and Zotero;
RIS, which EndNote, Mendeley, Zotero and Papers import; and a line of text, with what cites them in
one.

Tags of RIS are those of its specification by Research Information Systems (2011).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from papertrack.exporters.bibtex import OwnEntries
from papertrack.exporters.csl import Item, csl_item, csl_items, iso_date
from papertrack.exporters.yaml import to_yaml
from papertrack.identifiers.derived import address_of, year_of
from papertrack.records import Paper
from papertrack.text import clean

_RIS_TYPES = {
    "article": "GEN",
    "article-journal": "JOUR",
    "article-magazine": "MGZN",
    "article-newspaper": "NEWS",
    "book": "BOOK",
    "chapter": "CHAP",
    "dataset": "DATA",
    "entry-encyclopedia": "ENCYC",
    "graphic": "ART",
    "legal_case": "CASE",
    "legislation": "STAT",
    "manuscript": "UNPB",
    "motion_picture": "MPCT",
    "pamphlet": "PAMP",
    "paper-conference": "CPAPER",
    "patent": "PAT",
    "personal_communication": "PCOMM",
    "report": "RPRT",
    "software": "COMP",
    "song": "SOUND",
    "standard": "STAND",
    "thesis": "THES",
    "webpage": "ELEC",
}
"""CSL's type → RIS's; ``GEN`` for any other."""
_RIS_TAGS = {
    "container-title": "T2",
    "collection-title": "T3",
    "volume": "VL",
    "issue": "IS",
    "publisher": "PB",
    "publisher-place": "CY",
    "edition": "ET",
    "ISBN": "SN",
    "ISSN": "SN",
    "first-page": "SP",
    "last-page": "EP",
    "DOI": "DO",
    "URL": "UR",
    "number": "M1",
    "genre": "M3",
    "language": "LA",
    "title-short": "ST",
    "note": "N1",
    "abstract": "AB",
}
"""CSL's variable → RIS's tag; of pages the first and the last have one each."""
_RIS_NAMES = (("author", "AU"), ("editor", "ED"), ("translator", "A4"))
_NOT_MARKDOWN = {"id", "type", "DOI", "URL", "issued"}
_MARKUP = re.compile(r"[\\`*_{}\[\]<>$@~^#|&!]|-(?=-)|\.(?=\.\.)")
_NAMED_AUTHORS = 6
"""With more of them, the first three are named and the rest are "et al."."""


def to_csl_json(papers: Iterable[Paper], *, own: OwnEntries | None = None) -> str:
    """Return an array of items with the citekey as ``id``, one for each key, in their order."""
    return json.dumps(csl_items(papers, own), ensure_ascii=False, indent=2) + "\n"


def to_csl_yaml(papers: Iterable[Paper], *, own: OwnEntries | None = None) -> str:
    """Return CSL-JSON's items as Pandoc and Quarto take them: under ``references``, as Markdown."""
    items = csl_items(papers, own)
    for item in items:
        for name in set(item) - _NOT_MARKDOWN:
            item[name] = _as_markdown(item[name])
    return to_yaml({"references": items})


def _as_markdown(value: Any) -> Any:
    """Return texts with a backslash before what Markdown would take for more than text."""
    if isinstance(value, dict):
        return {name: _as_markdown(part) for name, part in value.items()}
    if isinstance(value, list):
        return [_as_markdown(part) for part in value]
    return _MARKUP.sub(r"\\\g<0>", value) if isinstance(value, str) else value


def to_ris(papers: Iterable[Paper], *, own: OwnEntries | None = None) -> str:
    """Return a record for each paper in the order of their keys, lines ended by CR and LF, as RIS
    asks. Those who import it cite by keys of their own: other keys would be papers twice."""
    ordered = sorted(papers, key=lambda paper: paper.citekey)
    items = ((csl_item(paper, own or {}), paper.tags) for paper in ordered)
    return "\r\n".join("".join(_ris_lines(*one)) for one in items)


def _ris_lines(item: Item, tags: Iterable[str]) -> Iterator[str]:
    """Yield a line for each tag. Cleaned text has no line end, so none begins a tag of its own."""
    first, _, last = item.get("page", "").partition("–")
    said = {**item, "first-page": first, "last-page": last}
    dates = (iso_date(item.get(name)) or "" for name in ("issued", "accessed"))
    issued, accessed = (date.replace("-", "/") for date in dates)
    lines = [
        ("TY", _RIS_TYPES.get(item["type"], "GEN")),
        ("ID", item["id"]),
        ("TI", item.get("title")),
        *((tag, _ris_name(name)) for role, tag in _RIS_NAMES for name in item.get(role, ())),
        ("PY", issued.partition("/")[0]),
        ("DA", issued if "/" in issued else ""),
        ("Y2", accessed),
        *((tag, said.get(name)) for name, tag in _RIS_TAGS.items()),
        *(("KW", tag) for tag in tags),
    ]
    for tag, text in lines:
        if tag and text and (line := clean(text)):
            yield f"{tag}  - {line}\r\n"
    yield "ER  - \r\n"


def _ris_name(name: dict[str, str]) -> str:
    """Return ``Last, First, Suffix``."""
    parts = (name.get(part) for part in ("family", "given", "suffix", "literal"))
    return ", ".join(filter(None, parts))


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
