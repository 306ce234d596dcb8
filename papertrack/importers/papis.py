"""Import papis: a folder of folders, each with an ``info.yaml``, or one such file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from papertrack.errors import PapertrackError
from papertrack.identifiers.citekeys import is_citekey
from papertrack.importers.fields import facts_from, line, month_of, organisation, people, person
from papertrack.importers.html import escaped
from papertrack.importers.model import (
    Found,
    Item,
    ItemFile,
    ItemNote,
    Source,
    read_head,
    read_whole,
)
from papertrack.latex.decode import decode_latex
from papertrack.records import Author
from papertrack.text import clean, clean_block

_FILE = "info.yaml"
_KEY = re.compile(rb"^(?:papis_id|author_list|ref|title|files)\s*:", re.M)
_MAX_BYTES = 4 * 2**20
"""The largest ``info.yaml`` that is read."""
_MAX_DEPTH = 100
"""How many brackets may be open; papis nests two."""
_MAX_EXPANSION = 10
"""How many times larger a file may become when its aliases are expanded."""
_LONGEST_NUMBER = 300
"""The most letters of a value that is not a text."""
_UNBUILDABLE = (ValueError, LookupError, AttributeError, OverflowError, RecursionError)
"""What PyYAML raises, besides its own errors, for a value that does not fit its tag."""
_OWN_FIELDS = frozenset("author author_list files notes tags ref papis_id type time-added".split())
_RENAMED = {
    "journaltitle": "journal",
    "full_journal_title": "journal",
    "issue": "number",
    "venue": "booktitle",
    "location": "address",
    "organization": "publisher",
    "page-range": "pages",
}
_LATEX = re.compile(r"[\\{}]")
_TIME = re.compile(r"(\d{4}-\d\d-\d\d)-(\d\d:\d\d:\d\d)")
_HTML = re.compile(r"(?<!\\)((?:\\\\)*)<(?=[a-zA-Z/!?])")
"""A tag's beginning that no backslash escapes."""
_PRIVATE = (".toml", ".db")
_STATUSES = ("status", "reading_status", "read_status", "reading-status")


def is_papis(candidate: Found) -> bool:
    """Return whether it is a file with a papis document, or a folder with such files."""
    if candidate.is_folder:
        return next(_files(candidate.path), None) is not None
    return _is_document(candidate.head) and bool(_load(candidate.text))


def read_papis(candidate: Found) -> Source:
    """Return all documents of a file, or below a folder."""
    files = list(_files(candidate.path)) if candidate.is_folder else [candidate.path]
    root = candidate.path if candidate.is_folder else candidate.path.parent.parent
    source = Source("papis", 0)
    for path in filter(source.can_name, files):
        documents: list[Any] = []  # One, or several as `papis export` writes them.
        with suppress(PapertrackError):
            documents = _load(read_whole(path).decode("utf-8", "replace"))
        source.count += max(1, len(documents))
        for number, document in enumerate(documents):
            if isinstance(document, dict) and document:
                source.take(_item(path, root, document, number))
            else:
                source.leave_out(path.parent.name, path.name, "it is not a papis document")
        if not documents:
            source.leave_out(path.parent.name, path.name, "it is not valid YAML")
    return source


def _files(folder: Path) -> Iterator[Path]:
    """Yield the documents below a folder in order, without following links."""
    for path in sorted(folder.rglob(_FILE)):
        if path.is_file() and not path.is_symlink() and _is_document(read_head(path)):
            yield path


def _is_document(head: bytes) -> bool:
    return _KEY.search(head) is not None and not head.startswith((b"#", b"-", b"|", b"<", b"@"))


def _load(text: str) -> list[Any]:
    """Return the YAML documents in a text; none if it is invalid or nested too deeply."""
    import yaml

    if len(text) > _MAX_BYTES or _is_nested(text):
        return []
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)(text)
    documents: list[Any] = []
    try:
        while loader.check_node():
            node = loader.get_node()
            if _size_of(node, {}) > _MAX_EXPANSION * len(text) + _MAX_BYTES:
                return []
            documents.append(loader.construct_document(node))
    except (yaml.YAMLError, *_UNBUILDABLE):
        return []
    finally:
        loader.dispose()
    return documents if all(d is None or isinstance(d, dict) for d in documents) else []


def _size_of(node: Any, sizes: dict[int, int]) -> int:
    """Return how many letters a YAML node has after its aliases are expanded.

    Nested aliases can fill the memory. Raises ValueError for a node that contains itself.
    """
    if id(node) in sizes:
        if not sizes[id(node)]:
            raise ValueError("An alias is used within its own value.")
        return sizes[id(node)]
    sizes[id(node)] = 0
    if isinstance(node.value, str):
        size = len(node.value) + 1
        if size > _LONGEST_NUMBER and not node.tag.endswith(":str"):
            raise ValueError("Thousands of digits take long to read, and fit into no library.")
    else:
        pairs = (c if isinstance(c, tuple) else (c,) for c in node.value)
        size = 1 + sum(_size_of(child, sizes) for pair in pairs for child in pair)
    sizes[id(node)] = size
    return size


def _is_nested(text: str) -> bool:
    if max(text.count("["), text.count("{")) > _MAX_DEPTH * 100:
        return True
    depth = 0
    for sign in re.findall(r"[\[\]{}]|^ {200,}", text, re.M):
        depth += 1 if sign in "[{" else -1 if sign in "]}" else _MAX_DEPTH
        if depth > _MAX_DEPTH:
            return True
    return False


def _item(path: Path, root: Path, document: Mapping[Any, Any], number: int) -> Item:
    parent = document.get("parent")
    if isinstance(parent, dict):  # The form of Hayagriva.
        document = {**parent, "journal": parent.get("title", ""), **document}
    own_name = path.parent.name if path.name == _FILE else f"{path.parent.name}/{path.stem}"
    type_ = line(str(document.get("type") or "misc")).lower()
    facts = facts_from(type_, _fields(document), _authors(document))
    ref = clean(str(document.get("ref") or "")).strip()
    name, rating = facts.title or path.parent.name, document.get("rating")
    added = _TIME.fullmatch(str(document.get("time-added") or ""))
    return Item(
        key=line(str(document.get("papis_id") or (f"{own_name}:{number}" if number else own_name))),
        type=type_,
        facts=facts,
        citekeys=(ref,) if is_citekey(ref) else (),
        categories=_category(path, root),
        tags=_tags(document.get("tags")),
        notes=tuple(_notes(path.parent, document.get("notes"), name)),
        files=tuple(_attached(path.parent, document.get("files"))),
        statuses=tuple(line(str(document[field])) for field in _STATUSES if document.get(field)),
        rating=int(rating) if isinstance(rating, int | float) and 1 <= rating <= 5 else None,
        # The time zone is unknown: ``2021-01-31-12:00:00``.
        added=f"{added[1]}T{added[2]}+00:00" if added else None,
    )


def _fields(document: Mapping[Any, Any]) -> dict[str, str]:
    """Return a document's fields under their names in .bib files, with the month as a word."""
    fields = {
        _RENAMED.get(str(name), str(name)).lower(): _plain(str(name), value)
        for name, value in document.items()
        if str(name) not in _OWN_FIELDS and isinstance(value, str | int | float)
    }
    if "year" in fields or "date" in fields:
        fields.setdefault("month", month_of(fields.get("date", "")))
    if re.fullmatch("[0-9]{1,2}", fields.get("month", "")):
        fields["month"] = month_of(f"2000-{int(fields['month']):02}")
    return fields


def _plain(name: str, value: object) -> str:
    """Return a value without LaTeX, which some have from a .bib file; not for URLs."""
    text = str(value)
    return decode_latex(text) if _LATEX.search(text) and name not in ("url", "doi") else text


def _authors(document: Mapping[Any, Any]) -> tuple[Author, ...]:
    """Return the authors from the list of names, or from a text with ``and`` between names."""
    names = document.get("author_list") or document.get("author")
    if isinstance(names, list) and names:
        return people(_name(name) for name in names if isinstance(name, dict))
    text = document.get("author")
    return people(map(_inverted, str(text).split(" and "))) if isinstance(text, str) else ()


def _name(name: Mapping[Any, Any]) -> Author | None:
    given = _plain(
        "given", name.get("given") or name.get("given_name") or name.get("given-name") or ""
    )
    family = _plain("family", name.get("family") or name.get("surname") or name.get("name") or "")
    return person(given, family) if given else organisation(family)


def _inverted(name: str) -> Author | None:
    family, comma, given = _plain("author", name).partition(",")
    return person(given, family) if comma else Author(line(family)) if line(family) else None


def _category(path: Path, root: Path) -> tuple[tuple[str, ...], ...]:
    """Return the folders between the library's and the document's own."""
    if not path.is_relative_to(root):
        return ()
    folders = path.relative_to(root).parts[:-2]
    return (tuple(line(name) or "…" for name in folders),) if folders else ()


def _tags(tags: Any) -> tuple[str, ...]:
    """Return tags from a list, or from a text with commas or, in old versions, blanks."""
    if isinstance(tags, str):
        tags = tags.split("," if "," in tags else None)
    words: Sequence[Any] = tags if isinstance(tags, list) else ()
    return tuple(dict.fromkeys(filter(None, (line(str(word)) for word in words))))


def _notes(folder: Path, name: Any, title: str) -> Iterator[ItemNote]:
    path = _file_in(folder, name)
    if path is None:
        return
    try:
        text = clean_block(read_whole(path).decode("utf-8", "replace")).strip()
    except PapertrackError:
        return
    if text:
        # The note is the user's Markdown, but its HTML could run where it is shown.
        text_without_html = _HTML.sub(r"\1\\<", text)
        head = "" if text_without_html.startswith("#") else f"# {escaped(title)}\n\n"
        yield ItemNote(folder.name, f"{head}{text_without_html}\n")


def _attached(folder: Path, value: Any) -> Iterator[ItemFile]:
    names = value if isinstance(value, list) else [value] if isinstance(value, str) else []
    for number, name in enumerate(names):
        path = _file_in(folder, name)
        problem = "" if path else "its file does not exist, or is outside its folder"
        yield ItemFile(f"{folder.name}-{number}", path, line(str(name)), problem)


def _file_in(folder: Path, name: Any) -> Path | None:
    """Return a file in the document's folder, also after links are followed, or None.

    A document from elsewhere must not name what is kept where it was saved: hidden files such as
    ``.env``, and papertrack's settings and database.
    """
    if not isinstance(name, str) or not name:
        return None
    try:
        path = (folder / name).resolve()
        inside = path.relative_to(folder.resolve())
        is_private = any(part.startswith(".") for part in inside.parts) or path.suffix in _PRIVATE
        return path if path.is_file() and not is_private else None
    except (OSError, RuntimeError, ValueError):  # A link to itself; a name that no file can have.
        return None
