"""papis: a folder of folders, each with an ``info.yaml``, or one such file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
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
_MOST_BYTES = 4 * 2**20
"""Of one ``info.yaml``."""
_DEEPEST = 100
"""How many brackets may be open: papis nests two."""
_MOST_SAID = 10
"""How many times what a file writes its aliases may say."""
_LONGEST_NUMBER = 300
"""Letters of a value that is no text."""
_NO_VALUE = (ValueError, LookupError, AttributeError, OverflowError, RecursionError)
"""What PyYAML raises, besides its own errors, for a value that is not what its tag says."""
_OWN = frozenset("author author_list files notes tags ref papis_id type time-added".split())
_RENAMED = {
    "journaltitle": "journal",
    "full_journal_title": "journal",
    "issue": "number",
    "venue": "booktitle",
    "location": "address",
    "organization": "publisher",
    "page-range": "pages",
}
_PLAIN = re.compile(r"[\\{}]")
_TIME = re.compile(r"(\d{4}-\d\d-\d\d)-(\d\d:\d\d:\d\d)")
_STATUSES = ("status", "reading_status", "read_status", "reading-status")


def is_papis(found: Found) -> bool:
    """Whether it is a file of one document, or a folder with such files in it."""
    if found.is_folder:
        return next(_files(found.path), None) is not None
    return _is_document(found.head) and bool(_load(found.text))


def read_papis(found: Found) -> Source:
    """All documents below a folder, or those of a file."""
    files = list(_files(found.path)) if found.is_folder else [found.path]
    root = found.path if found.is_folder else found.path.parent.parent
    source = Source("papis", 0)
    for path in files:
        documents = _documents(path)
        source.count += max(1, len(documents))
        for number, told in enumerate(documents):
            if isinstance(told, dict) and told:
                source.take(_item(path, root, told, number))
            else:
                source.leave_out(path.parent.name, path.name, "it is not a papis document")
        if not documents:
            source.leave_out(path.parent.name, path.name, "it is not valid YAML")
    source.categories = list(dict.fromkeys(at for one in source.items for at in one.categories))
    return source


def _documents(path: Path) -> list[Any]:
    """What a file holds: one document, or several as `papis export` writes them."""
    try:
        return _load(read_whole(path).decode("utf-8", "replace"))
    except PapertrackError:
        return []


def _files(folder: Path) -> Iterator[Path]:
    """The documents below a folder, in its order; no link is followed."""
    for path in sorted(folder.rglob(_FILE)):
        if path.is_file() and not path.is_symlink() and _is_document(read_head(path)):
            yield path


def _is_document(head: bytes) -> bool:
    return _KEY.search(head) is not None and not head.startswith((b"#", b"-", b"|", b"<", b"@"))


def _load(text: str) -> list[Any]:
    """What a text says as YAML; nothing for what is none, and for what is nested like a trap."""
    import yaml

    if len(text) > _MOST_BYTES or _is_nested(text):
        return []
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)(text)
    found: list[Any] = []
    try:
        while loader.check_node():
            node = loader.get_node()
            if _size_of(node, {}) > _MOST_SAID * len(text) + _MOST_BYTES:
                return []
            found.append(loader.construct_document(node))
    except (yaml.YAMLError, *_NO_VALUE):
        return []
    finally:
        loader.dispose()
    return found if all(one is None or isinstance(one, dict) for one in found) else []


def _size_of(node: Any, known: dict[int, int]) -> int:
    """Return how many letters a node of YAML stands for, with what its aliases repeat: those of
    aliases fill the memory. Raises ValueError for one that holds itself."""
    if id(node) in known:
        if not known[id(node)]:
            raise ValueError("An alias is used within its own value.")
        return known[id(node)]
    known[id(node)] = 0
    if isinstance(node.value, str):
        size = len(node.value) + 1
        if size > _LONGEST_NUMBER and not node.tag.endswith(":str"):
            raise ValueError("Thousands of digits take long to read, and fit into no library.")
    else:
        pairs = (one if isinstance(one, tuple) else (one,) for one in node.value)
        size = 1 + sum(_size_of(one, known) for pair in pairs for one in pair)
    known[id(node)] = size
    return size


def _is_nested(text: str) -> bool:
    if max(text.count("["), text.count("{")) > _DEEPEST * 100:
        return True
    depth = 0
    for sign in re.findall(r"[\[\]{}]|^ {200,}", text, re.M):
        depth += 1 if sign in "[{" else -1 if sign in "]}" else _DEEPEST
        if depth > _DEEPEST:
            return True
    return False


def _item(path: Path, root: Path, told: Mapping[Any, Any], number: int) -> Item:
    parent = told.get("parent")
    if isinstance(parent, dict):  # As Hayagriva has it.
        told = {**parent, "journal": parent.get("title", ""), **told}
    own_name = path.parent.name if path.name == _FILE else f"{path.parent.name}/{path.stem}"
    type_ = line(str(told.get("type") or "misc")).lower()
    facts = facts_from(type_, _fields(told), _authors(told))
    ref = clean(str(told.get("ref") or "")).strip()
    name, stars = facts.title or path.parent.name, told.get("rating")
    added = _TIME.fullmatch(str(told.get("time-added") or ""))
    return Item(
        key=line(str(told.get("papis_id") or (f"{own_name}:{number}" if number else own_name))),
        type=type_,
        facts=facts,
        citekeys=(ref,) if is_citekey(ref) else (),
        categories=_category(path, root),
        tags=_tags(told.get("tags")),
        notes=tuple(_notes(path.parent, told.get("notes"), name)),
        files=tuple(_attached(path.parent, told.get("files"))),
        statuses=tuple(line(str(told[one])) for one in _STATUSES if told.get(one)),
        rating=int(stars) if isinstance(stars, int | float) and 1 <= stars <= 5 else None,
        # In a zone that nobody knows: ``2021-01-31-12:00:00``.
        added=f"{added[1]}T{added[2]}+00:00" if added else None,
    )


def _fields(told: Mapping[Any, Any]) -> dict[str, str]:
    """What an item says, under the names that .bib files have for it; its month as a word."""
    fields = {
        _RENAMED.get(str(name), str(name)).lower(): _plain(str(name), value)
        for name, value in told.items()
        if str(name) not in _OWN and isinstance(value, str | int | float)
    }
    if "year" in fields or "date" in fields:
        fields.setdefault("month", month_of(fields.get("date", "")))
    if re.fullmatch("[0-9]{1,2}", fields.get("month", "")):
        fields["month"] = month_of(f"2000-{int(fields['month']):02}")
    return fields


def _plain(name: str, value: object) -> str:
    """A value without the LaTeX that some have from a .bib file; addresses as they are."""
    text = str(value)
    return decode_latex(text) if _PLAIN.search(text) and name not in ("url", "doi") else text


def _authors(told: Mapping[Any, Any]) -> tuple[Author, ...]:
    """Of the list of names; or of the text, in which ``and`` parts them."""
    found = told.get("author_list") or told.get("author")
    if isinstance(found, list) and found:
        return people(_name(one) for one in found if isinstance(one, dict))
    text = told.get("author")
    return people(map(_inverted, str(text).split(" and "))) if isinstance(text, str) else ()


def _name(one: Mapping[Any, Any]) -> Author | None:
    given = _plain(
        "given", one.get("given") or one.get("given_name") or one.get("given-name") or ""
    )
    family = _plain("family", one.get("family") or one.get("surname") or one.get("name") or "")
    return person(given, family) if given else organisation(family)


def _inverted(name: str) -> Author | None:
    family, comma, given = _plain("author", name).partition(",")
    return person(given, family) if comma else Author(line(family)) if line(family) else None


def _category(path: Path, root: Path) -> tuple[tuple[str, ...], ...]:
    """The folders between the library's and the document's own."""
    if not path.is_relative_to(root):
        return ()
    between = path.relative_to(root).parts[:-2]
    return (tuple(line(name) or "…" for name in between),) if between else ()


def _tags(told: Any) -> tuple[str, ...]:
    """A list, or a text with commas, or with blanks as papis once wrote it."""
    if isinstance(told, str):
        told = told.split("," if "," in told else None)
    words: Sequence[Any] = told if isinstance(told, list) else ()
    return tuple(dict.fromkeys(filter(None, (line(str(word)) for word in words))))


def _notes(folder: Path, told: Any, title: str) -> Iterator[ItemNote]:
    path = _inside(folder, told)
    if path is None:
        return
    try:
        text = clean_block(read_whole(path).decode("utf-8", "replace")).strip()
    except PapertrackError:
        return
    if text:
        # A note is the reader's own Markdown; as text its HTML would run where it is shown.
        safe = re.sub(r"<(?=[a-zA-Z/!?])", r"\\<", text)
        head = "" if safe.startswith("#") else f"# {escaped(title)}\n\n"
        yield ItemNote(folder.name, f"{head}{safe}\n")


def _attached(folder: Path, told: Any) -> Iterator[ItemFile]:
    names = told if isinstance(told, list) else [told] if isinstance(told, str) else []
    for number, name in enumerate(names):
        path = _inside(folder, name)
        problem = "" if path else "its file does not exist, or is outside its folder"
        yield ItemFile(f"{folder.name}-{number}", path, line(str(name)), problem)


def _inside(folder: Path, name: Any) -> Path | None:
    """A file in the document's folder, also when links are followed."""
    if not isinstance(name, str) or not name or "\0" in name:
        return None
    try:
        path = (folder / name).resolve()
        is_there = path.is_relative_to(folder.resolve()) and path.is_file()
    except OSError:
        return None
    return path if is_there else None
