"""Put highlights and comments of a paper's PDFs into its note.

A highlight is recognised by comparing it with what was read last time, which is stored with the
paper: viewers change names, places and texts, but seldom all of them.
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
from papertrack.documents.note_highlights import set_highlights
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
from papertrack.sync.document_export import replace_document
from papertrack.text import clean, clean_block, group, plural

_SOURCE = "highlights:pdf"
_ALIKE = 75
"""The least percentage of its text that a changed highlight shares with the former one."""
_MOST_COMPARED = 10_000
"""The most pairs of highlights whose texts are compared."""
_TYPES = [int, str, str, str, str, str, int]
"""The types of a highlight's fields."""


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
    """Quotes that stay as they are because the user edited them or wrote text after them."""
    left_out: int
    """How many quotes the user deleted from the note; their highlights are left out."""
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
            yield f"Left {plural(self.kept, 'quote')} with words of yours unchanged."
        if self.left_out:
            left_out = plural(self.left_out, "deleted quote")
            yield f"Left out {left_out}; --all brings them back."


def note_highlights(
    store: Store, library: Library, paper_id: int, meanings: Meanings, *, with_deleted: bool = False
) -> NotedHighlights:
    """Put the highlights of a paper's PDFs into its note, as one action if they change it.

    Highlights whose quotes the user deleted are left out unless ``with_deleted``. ``meanings``
    maps colour names to meanings. Raises NotFoundError for a paper without a PDF, UnreadablePdf,
    the errors of ``get_note_path``, and PapertrackError when the note cannot be read or written.
    """
    paper = get_paper(store, paper_id)
    files, unread = _read(store, paper)
    read = _without_duplicates(files)
    old, homes = _recorded(store, paper_id)
    if not read and not old:
        return NotedHighlights(None, False, None, [], 0, 0, 0, 0, 0, unread, None)
    note = _note_of(store, library, paper)
    present, before = _note_content(note, paper)
    by_id = assign_ids(old, list(read))
    # Highlights in unread files may still exist, so they are kept.
    by_id |= {id: old[id] for id in old.keys() - by_id if homes.get(id) not in files}
    by_id = dict(sorted(by_id.items(), key=lambda pair: (pair[1].page, pair[1].at)))
    homes = {id: read.get(mark) or homes.get(id, "") for id, mark in by_id.items()}
    is_shared = len(papers_with_note(store, note.name)) > 1
    origin = f" of {escaped(paper.citekey)}" if is_shared else ""
    texts = quotes_of({id: _annotation(mark, origin) for id, mark in by_id.items()}, meanings)
    update = set_highlights(before, texts, old.keys() - (texts if with_deleted else {}))
    data = update.text.encode()
    with store.action("highlights", f"{note.name} of {paper.citekey}") as action:
        record = {"made": {}, "highlights": by_id, "files": homes}
        keep_original(store, paper_id, _SOURCE, json.dumps(record, ensure_ascii=False))
        if data != present:
            keep_replaced(store, action.id, ReplacedFile(note.name, present, data))
        if data != present and not store.is_trial:
            replace_document(store, note.name, note.path, present, data, is_ours=False)
    if not store.is_trial:
        index_note(store, library, note.name)
    shown = [_shown_highlight(mark, meanings) for mark in read]
    diff = unified_diff(before, update.text, note.name, note.name) or None
    return NotedHighlights(
        note.name, note.is_new, note.questions_for, shown, *update[1:], unread, diff
    )


def _note_content(note: NoteFile, paper: Paper) -> tuple[bytes, str]:
    """Return the bytes and the text of a note; of a note still to be made, its template."""
    is_there = note.path.exists()
    due = note.questions_for or 1
    data = read_file(note.path) if is_there else template(paper, due).encode()
    try:
        return data, data.decode()
    except UnicodeDecodeError as error:
        raise DocumentError(f"{note.path} is not UTF-8, so nothing was written into it.") from error


def has_highlights(store: Store, paper_id: int) -> bool:
    """Return whether highlights of the paper's PDFs were ever put into its note."""
    return _SOURCE in get_originals(store, paper_id)


def _note_of(store: Store, library: Library, paper: Paper) -> NoteFile:
    """Return the paper's note; make it if there is none."""
    if paper.notes and (path := get_note_path(store, library, paper.notes[0])).is_file():
        return NoteFile(path, paper.notes[0], is_new=False, questions_for=None)
    return prepare_note(store, library, paper.id)


def _read(store: Store, paper: Paper) -> tuple[dict[str, list[Highlight]], list[str]]:
    """Return the highlights in a paper's PDFs, by file, and sentences about unreadable PDFs.

    Raises the errors of ``note_highlights`` if no PDF can be read.
    """
    pdfs = known_pdfs(store, [paper.id])
    files, unread, failure = dict[str, list[Highlight]](), missing_sentences(store, pdfs), None
    with PdfReader() as reader:
        for file in pdfs:
            try:
                files |= {file.name: reader.highlights(file.path)} if file.mark else {}
            except UnreadablePdf as error:
                failure = error
                unread.append(str(error))
    if files:
        return files, unread
    none = f"{paper.citekey} has no PDF. `papertrack pdf add FILE` adds one of yours."
    raise failure or NotFoundError(" ".join(unread) or none)


def _without_duplicates(files: Mapping[str, Sequence[Highlight]]) -> dict[Highlight, str]:
    """Return the highlights of all files, each with its file.

    A highlight that several files have, or that is drawn in several strokes, appears once.
    """
    marks = [(mark, name) for name, several in files.items() for mark in several]
    same = {
        (mark.page, mark.kind, mark.text, mark.comment): (mark, name) for mark, name in marks[::-1]
    }
    return dict(sorted(same.values(), key=lambda pair: (pair[0].page, pair[0].at)))


def _recorded(store: Store, paper_id: int) -> tuple[dict[str, Highlight], dict[str, str]]:
    """Return what was read last time, by id, and the file of each highlight.

    Returns nothing for a malformed record, such as one in a stranger's library.
    """
    stored = get_originals(store, paper_id).get(_SOURCE)
    with suppress(ValueError, TypeError, KeyError, AttributeError):
        record = json.loads(stored or "{}")
        items, homes = record["highlights"].items(), record.get("files", {}).items()
        right = ((id, row) for id, row in items if list(map(type, row)) == _TYPES)
        return {id: Highlight(*row) for id, row in right}, {id: str(name) for id, name in homes}
    return {}, {}


def _shown_highlight(mark: Highlight, meanings: Meanings) -> ShownHighlight:
    colour = colour_name(mark.colour)
    text, comment = clean(mark.text) or None, clean_block(mark.comment) or None
    return ShownHighlight(mark.page, mark.kind, colour or None, meanings.get(colour), text, comment)


def _annotation(mark: Highlight, origin: str) -> Annotation:
    comment = escaped(clean_block(mark.comment)).strip()
    return Annotation(str(mark.page), mark.kind + origin, mark.colour, clean(mark.text), comment)


_Key = Callable[[Highlight], object]
_SAME: tuple[_Key, ...] = (
    lambda mark: (mark.page, mark.kind, mark.text, mark.comment, mark.name),
    lambda mark: (mark.page, mark.kind, mark.text or mark.comment),
    lambda mark: mark.name,
    lambda mark: (mark.kind, mark.text or mark.comment),
)
"""Functions that return a key of a highlight, the most reliable first."""


def assign_ids(old: Mapping[str, Highlight], marks: Sequence[Highlight]) -> dict[str, Highlight]:
    """Return the highlights in order, with their ids from last time.

    A new highlight gets an id made from its content, so that another machine makes the same.
    """
    free, left, ids = dict(old), dict(enumerate(marks)), dict[int, str]()
    for key in _SAME:
        for number, id in _pairs(left, free, key):
            ids[number] = id
            del free[id], left[number]
    if len(free) * len(left) > _MOST_COMPARED:
        free.clear()
    used_ids = {*old}
    for number, mark in left.items():
        ids[number] = _similar(mark, free) or next(
            id for id in _digests(mark) if id not in used_ids
        )
        free.pop(ids[number], None)
        used_ids.add(ids[number])
    return {ids[number]: mark for number, mark in enumerate(marks)}


def _pairs(
    left: dict[int, Highlight], free: dict[str, Highlight], key: _Key
) -> list[tuple[int, str]]:
    """Return the number and the id of highlights that have the same key, each id once."""
    waiting = group((key(mark), id) for id, mark in reversed(free.items()))
    return [
        (number, waiting[key(mark)].pop())
        for number, mark in left.items()
        if key(mark) and waiting.get(key(mark))
    ]


def _digests(mark: Highlight) -> Iterator[str]:
    text = f"{mark.name} {mark.page} {mark.kind} {mark.text or mark.comment}"
    return (sha256(f"{text}{n or ''}".encode()).hexdigest()[:8] for n in count())


def _similar(mark: Highlight, free: Mapping[str, Highlight]) -> str | None:
    """Return the id of a highlight on the same page whose text or comment has changed."""
    from rapidfuzz.fuzz import partial_ratio

    for id, other in free.items():
        if (mark.page, mark.kind) == (other.page, other.kind):
            texts = (mark.text, other.text) if mark.text else (mark.comment, other.comment)
            if partial_ratio(*texts) >= _ALIKE or (not mark.text and mark.at == other.at):
                return id
    return None
