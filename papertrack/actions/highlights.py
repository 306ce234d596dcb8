"""Put highlights and comments of a paper's PDFs into its note.

A highlight is recognised by what was read of it last time, which is stored with the paper: viewers
change names, places and texts, but rarely all of them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from itertools import count

from papertrack.actions.notes import NoteFile, get_note_path, index_note, prepare_note, template
from papertrack.actions.pdfs import missing_sentences
from papertrack.differences import unified_diff
from papertrack.documents.note_highlights import put_highlights
from papertrack.errors import DocumentError, NotFoundError
from papertrack.importers.html import Annotation, Meanings, colour_name, escaped, quotes_of
from papertrack.library import Library
from papertrack.library.files import read_file
from papertrack.pdfs.reader import Highlight, PdfReader, UnreadablePdf
from papertrack.records import Paper
from papertrack.store.lookup import get_paper, papers_with_note
from papertrack.store.papers import keep_original
from papertrack.store.pdfs import known_pdfs
from papertrack.store.store import Store
from papertrack.store.versions import get_originals
from papertrack.store.written_files import ReplacedFile, keep_replaced
from papertrack.sync.write import replace_document
from papertrack.text import clean, clean_block, plural

_SOURCE = "highlights:pdf"
_ALIKE = 75
"""The least percentage of its text that a changed highlight shares with the former one."""
_MOST_COMPARED = 10_000
"""The most pairs of highlights whose texts are compared."""
_TYPES = [int, str, str, str, str, str, int]
"""The fields of a highlight."""


@dataclass(frozen=True, slots=True)
class ShownHighlight:
    """A highlight or comment of a PDF."""

    page: int
    kind: str
    colour: str | None
    """Its plain name, such as yellow."""
    meaning: str | None
    """The meaning of this colour in the settings."""
    text: str | None
    comment: str | None


@dataclass(frozen=True, slots=True)
class NotedHighlights:
    """The result of putting a paper's highlights into its note."""

    path: str | None
    """The path of the note; None if there is none, and nothing to put into one."""
    is_new: bool
    questions_for_pass: int | None
    highlights: list[ShownHighlight]
    added: int
    changed: int
    removed: int
    kept: int
    """Quotes that stay as they are because the reader edited them or wrote text after them."""
    left_out: int
    """How many quotes the reader deleted from the note; their highlights are left out."""
    unread: list[str]
    """Messages about PDFs that could not be read; their quotes stay as they are."""
    diff: str | None

    def sentences(self) -> Iterator[str]:
        yield from self.unread
        if not self.path:
            yield "There is no highlight in its PDF."
            return
        counts = {"added": self.added, "changed": self.changed, "removed": self.removed}
        done = ", ".join(f"{n} {what}" for what, n in counts.items() if n) or "nothing new"
        yield f"{self.path}: {plural(len(self.highlights), 'highlight')}, {done}."
        if self.kept:
            yield f"{plural(self.kept, 'quote')} with words of yours left as it is."
        if self.left_out:
            left_out = plural(self.left_out, "highlight")
            yield f"{left_out} whose quote you deleted left out; --all brings them back."


def note_highlights(
    store: Store, library: Library, paper_id: int, meanings: Meanings, *, with_deleted: bool = False
) -> NotedHighlights:
    """Put the highlights of a paper's PDFs into its note, as one action if the note changes.

    ``with_deleted`` also restores quotes that the reader deleted. ``meanings`` maps colour names to
    meanings. Raises NotFoundError for a paper without a PDF, UnreadablePdf, the errors of
    ``get_note_path``, and PapertrackError when the note cannot be read or written.
    """
    paper = get_paper(store, paper_id)
    files, unread = _read(store, paper)
    found = _once(files)
    known, homes = _known(store, paper_id)
    if not found and not known:
        return NotedHighlights(None, False, None, [], 0, 0, 0, 0, 0, unread, None)
    note = _note_of(store, library, paper)
    seen, before = _seen(note, paper)
    by_id = follow(known, list(found))
    # Nobody knows what became of those in files that were not read.
    by_id |= {id: known[id] for id in known.keys() - by_id if homes.get(id) not in files}
    by_id = dict(sorted(by_id.items(), key=lambda pair: (pair[1].page, pair[1].at)))
    homes = {id: found.get(one) or homes.get(id, "") for id, one in by_id.items()}
    is_shared = len(papers_with_note(store, note.name)) > 1
    whose = f" of {escaped(paper.citekey)}" if is_shared else ""
    texts = quotes_of({id: _annotation(one, whose) for id, one in by_id.items()}, meanings)
    update = put_highlights(before, texts, known.keys() - (texts if with_deleted else {}))
    data = update.text.encode()
    with store.action("highlights", f"{note.name} of {paper.citekey}") as action:
        record = {"made": {}, "highlights": by_id, "files": homes}
        keep_original(store, paper_id, _SOURCE, json.dumps(record, ensure_ascii=False))
        if data != seen:
            keep_replaced(store, action.id, ReplacedFile(note.name, seen, data))
        if data != seen and not store.is_trial:
            replace_document(store, note.name, note.path, seen, data, is_ours=False)
    if not store.is_trial:
        index_note(store, library, note.name)
    shown = [_shown(one, meanings) for one in found]
    diff = unified_diff(before, update.text, note.name, note.name) or None
    return NotedHighlights(
        note.name, note.is_new, note.questions_for, shown, *update[1:], unread, diff
    )


def _seen(note: NoteFile, paper: Paper) -> tuple[bytes, str]:
    """Return the bytes of a note, as changed so far in a dry run, and its text."""
    is_there = note.path.exists()
    due = note.questions_for or 1
    seen = read_file(note.path) if is_there else template(paper, due).encode()
    try:
        return seen, seen.decode()
    except UnicodeDecodeError as error:
        raise DocumentError(f"{note.path} is not UTF-8, so nothing was written into it.") from error


def has_highlights(store: Store, paper_id: int) -> bool:
    """Return whether highlights of the paper's PDFs were ever put into its note."""
    return _SOURCE in get_originals(store, paper_id)


def _note_of(store: Store, library: Library, paper: Paper) -> NoteFile:
    """Return the paper's note, made if necessary."""
    if paper.notes and (path := get_note_path(store, library, paper.notes[0])).is_file():
        return NoteFile(path, paper.notes[0], is_new=False, questions_for=None)
    return prepare_note(store, library, paper.id)


def _read(store: Store, paper: Paper) -> tuple[dict[str, list[Highlight]], list[str]]:
    """Return the highlights by PDF, and messages about PDFs that cannot be read. Raises the
    errors of ``note_highlights`` if no PDF can be read."""
    known = known_pdfs(store, [paper.id])
    files, unread, failure = dict[str, list[Highlight]](), missing_sentences(store, known), None
    with PdfReader() as reader:
        for file in known:
            try:
                files |= {file.name: reader.highlights(file.path)} if file.mark else {}
            except UnreadablePdf as error:
                failure = error
                unread.append(str(error))
    if files:
        return files, unread
    none = f"{paper.citekey} has no PDF. `papertrack pdf add FILE` adds one of yours."
    raise failure or NotFoundError(" ".join(unread) or none)


def _once(files: Mapping[str, Sequence[Highlight]]) -> dict[Highlight, str]:
    """Return each highlight once, with its file. Several copies of a PDF have the same
    highlights, and viewers split one into several strokes."""
    every = [(one, name) for name, several in files.items() for one in several]
    same = {(one.page, one.kind, one.text, one.comment): (one, name) for one, name in every[::-1]}
    return dict(sorted(same.values(), key=lambda pair: (pair[0].page, pair[0].at)))


def _known(store: Store, paper_id: int) -> tuple[dict[str, Highlight], dict[str, str]]:
    """Return the stored highlights by id, and the file of each. Both are empty if the record has
    another form, as in a stranger's library."""
    kept = get_originals(store, paper_id).get(_SOURCE)
    with suppress(ValueError, TypeError, KeyError, AttributeError):
        record = json.loads(kept or "{}")
        found, homes = record["highlights"].items(), record.get("files", {}).items()
        right = ((id, one) for id, one in found if list(map(type, one)) == _TYPES)
        return {id: Highlight(*one) for id, one in right}, {id: str(name) for id, name in homes}
    return {}, {}


def _shown(one: Highlight, meanings: Meanings) -> ShownHighlight:
    colour = colour_name(one.colour)
    text, comment = clean(one.text) or None, clean_block(one.comment) or None
    return ShownHighlight(one.page, one.kind, colour or None, meanings.get(colour), text, comment)


def _annotation(one: Highlight, whose: str) -> Annotation:
    comment = escaped(clean_block(one.comment)).strip()
    return Annotation(str(one.page), one.kind + whose, one.colour, clean(one.text), comment)


_Key = Callable[[Highlight], object]
_SAME: tuple[_Key, ...] = (
    lambda one: (one.page, one.kind, one.text, one.comment, one.name),
    lambda one: (one.page, one.kind, one.text or one.comment),
    lambda one: one.name,
    lambda one: (one.kind, one.text or one.comment),
)
"""Functions that return what identifies a highlight, the most reliable first."""


def follow(known: Mapping[str, Highlight], found: Sequence[Highlight]) -> dict[str, Highlight]:
    """Return the highlights in order, under their known ids. A new id is made from the content,
    so that another machine makes the same one."""
    free, left, ids = dict(known), dict(enumerate(found)), dict[int, str]()
    for key in _SAME:
        for number, id in _pairs(left, free, key):
            ids[number] = id
            del free[id], left[number]
    if len(free) * len(left) > _MOST_COMPARED:
        free.clear()
    taken = {*known}
    for number, one in left.items():
        ids[number] = _like(one, free) or next(id for id in _digests(one) if id not in taken)
        free.pop(ids[number], None)
        taken.add(ids[number])
    return {ids[number]: one for number, one in enumerate(found)}


def _pairs(
    left: dict[int, Highlight], free: dict[str, Highlight], key: _Key
) -> list[tuple[int, str]]:
    """Pair the highlights that have the same key; each is used once."""
    waiting: dict[object, list[str]] = {}
    for id, one in reversed(free.items()):
        waiting.setdefault(key(one), []).append(id)
    return [
        (number, waiting[key(one)].pop())
        for number, one in left.items()
        if key(one) and waiting.get(key(one))
    ]


def _digests(one: Highlight) -> Iterator[str]:
    said = f"{one.name} {one.page} {one.kind} {one.text or one.comment}"
    return (sha256(f"{said}{n or ''}".encode()).hexdigest()[:8] for n in count())


def _like(one: Highlight, known: Mapping[str, Highlight]) -> str | None:
    """Pair highlights of one page whose text became longer or shorter, or whose comment changed."""
    from rapidfuzz.fuzz import partial_ratio

    for id, other in known.items():
        if (one.page, one.kind) == (other.page, other.kind):
            texts = (one.text, other.text) if one.text else (one.comment, other.comment)
            if partial_ratio(*texts) >= _ALIKE or (not one.text and one.at == other.at):
                return id
    return None
