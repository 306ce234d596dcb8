"""What somebody asks for: the works that a text names, its category and its notes.

The text is a stranger's: words of an issue, or the answers of an issue form, which GitHub writes
under a heading each. Nothing in it is ever run, and only web addresses and ids are taken
from it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from papertrack.documents.markdown.roles import host_role, role_word
from papertrack.identifiers import find_arxiv_ids, identify, url_of
from papertrack.records import Identifier
from papertrack.text import clean

MAX_WORKS = 50
"""How many works one request may name."""
_HIDDEN = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_HEADING = re.compile(r"^#{2,4}[ \t]+(?P<name>[^\r\n]+)$", re.MULTILINE)
_CATEGORY = re.compile(r"categor|section|heading|topic|类别|分类|章节", re.IGNORECASE)
_NOTES = re.compile(
    r"note|comment|reason|why|about|descri|additional|checklist|备注|说明", re.IGNORECASE
)
_NO_ANSWER = ("_no response_", "none", "n/a", "-", "i do not know")
_LINK = re.compile(
    r"\[(?P<label>[^\[\]\r\n]{1,300})\]\((?P<target>https?://[^\s()<>]{1,2000}(?:\([^\s()<>]*\))?)\)"
    r"|(?P<url>https?://[^\s<>\[\]\"'`|]{1,2000})"
    r"|(?<![\w/.])(?P<doi>10\.[0-9]{4,9}/[^\s<>\[\]\"'`|]{1,300})"
)
_PARAGRAPH = re.compile(r"(?:\r?\n[ \t]*){2,}|\r?\n(?=[ \t]*(?:[-*+]|[0-9]{1,3}[.)])[ \t])")


@dataclass(frozen=True, slots=True)
class Wanted:
    """A work that is asked for."""

    written: str
    """How the request names it."""
    identifier: Identifier
    url: str
    title: str | None = None
    """What the request calls it, if anything."""
    code: tuple[str, ...] = ()
    """Addresses of its code, as the request has them."""


@dataclass(frozen=True, slots=True)
class Request:
    """What somebody asks for."""

    wanted: tuple[Wanted, ...]
    category: str | None = None
    notes: str | None = None
    left_out: int = 0
    """How many works it names beyond MAX_WORKS."""


def request_of(references: Sequence[str]) -> tuple[Request, list[str]]:
    """Return what ids and addresses ask for, and those of them that name nothing."""
    found = [(text, wanted_of(text.strip())) for text in references]
    known = tuple(wanted for _, wanted in found if wanted)
    return Request(_each_once(known)), [text for text, wanted in found if wanted is None]


def parse_request(text: str) -> Request:
    """Return what a text asks for: free words, or the answers of an issue form."""
    fields = _fields(_HIDDEN.sub("", text))
    category = next(iter(_answers(fields, _CATEGORY)), "")
    notes = "\n".join(_answers(fields, _NOTES))
    links = [said for name, said in fields if not _is_aside(name)]
    # A form may have its links in another field.
    works = _works_of(links) or _works_of([notes])
    left_out = max(len(works) - MAX_WORKS, 0)
    return Request(works[:MAX_WORKS], clean(category) or None, notes or None, left_out)


def _answers(fields: Sequence[tuple[str, str]], wanted: re.Pattern[str]) -> list[str]:
    return [said for name, said in fields if wanted.search(name)]


def _is_aside(name: str) -> bool:
    """Whether a field is for the section or for notes."""
    return bool(_CATEGORY.search(name) or _NOTES.search(name))


def _works_of(texts: Iterable[str]) -> tuple[Wanted, ...]:
    return _each_once(work for text in texts for work in _works(text))


def _fields(text: str) -> list[tuple[str, str]]:
    """Return what stands under each heading, what is before the first under an empty one."""
    headings = [*_HEADING.finditer(text)]
    starts = [0, *(match.end() for match in headings)]
    ends = [*(match.start() for match in headings), len(text)]
    names = ["", *(match["name"] for match in headings)]
    said = (text[start:end].strip() for start, end in zip(starts, ends, strict=True))
    pairs = zip(names, said, strict=True)
    return [(name, words) for name, words in pairs if words and words.lower() not in _NO_ANSWER]


def _works(text: str) -> Iterator[Wanted]:
    """Yield the works of a text; code beside the one work of a paragraph, or a line, is its."""
    for paragraph in _PARAGRAPH.split(text):
        together = _together(list(_named(paragraph)))
        for part in [paragraph] if together else paragraph.splitlines():
            named = list(_named(part))
            yield from _together(named) or named


def _together(named: Sequence[Wanted]) -> list[Wanted]:
    """Return the one work of these with the code that the others are; nothing where they are
    several works, or none."""
    code = [one for one in named if host_role(one.url) == "code"]
    works = [one for one in named if one not in code]
    return [replace(works[0], code=tuple(one.url for one in code))] if len(works) == 1 else []


def _named(text: str) -> Iterator[Wanted]:
    """Yield what a text names, with the titles that links have."""
    for match in _LINK.finditer(text):
        if wanted := wanted_of(_target(match)):
            yield replace(wanted, title=_title(clean(match["label"] or "")))
    ids = (wanted_of(paper.id) for paper in find_arxiv_ids(_LINK.sub(" ", text)))
    yield from filter(None, ids)


def _target(match: re.Match[str]) -> str:
    """Return an address or DOI without the punctuation of the sentence around it."""
    if match["target"]:
        return match["target"]
    written = (match["url"] or match["doi"]).rstrip(".,;:!?'\"")
    return written if "(" in written else written.rstrip(")")


def _title(label: str) -> str | None:
    """Return a label that is a title: no address, and no mere word for a link."""
    is_title = len(label) > 3 and not role_word(label) and "://" not in label
    return label if is_title else None


def wanted_of(text: str) -> Wanted | None:
    """Return the work that an id, a DOI or a web address names; None where it names nothing."""
    identifier = identify(text)
    if identifier is None or (identifier.scheme == "url" and not text.lower().startswith("http")):
        return None
    is_address = text.lower().startswith(("http://", "https://"))
    url = text if is_address and identifier.scheme not in ("arxiv",) else url_of(identifier)
    return Wanted(text, identifier, url)


def _each_once(works: Iterable[Wanted]) -> tuple[Wanted, ...]:
    found: dict[Identifier, Wanted] = {}
    for work in works:
        before = found.setdefault(work.identifier, work)
        if before is not work:
            code = tuple(dict.fromkeys((*before.code, *work.code)))
            found[work.identifier] = replace(before, title=before.title or work.title, code=code)
    return tuple(found.values())
