"""Taking back what exports did to a .bib file: edited entries in their own words, and those that
went, with their papers or by hand, where they were.

An export writes a value in its own words; what stood there before may have said the same by a
@string, in the journal of a preprint or with other LaTeX.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from papertrack.documents.bibtex.model import BibLibrary
from papertrack.documents.bibtex.parse import parse_bibtex
from papertrack.documents.bibtex.units import deleted_hunk, with_hunks
from papertrack.documents.hunks import Hunk
from papertrack.store.documents import EntryState, StoredEntry
from papertrack.store.history import Former
from papertrack.store.lookup import find_by_citekey, get_originals, get_paper
from papertrack.store.store import Store
from papertrack.sync.bibtex.reading import (
    ReadBib,
    entry_keys,
    entry_values,
    fingerprint,
    paper_values,
)
from papertrack.sync.history import History, Return, hunks_of, put_back
from papertrack.sync.threeway import SCHEMES, Values


def return_entries(
    store: Store,
    read: ReadBib,
    name: str,
    stored: Sequence[StoredEntry],
    present: Collection[int | None],
    history: History,
) -> tuple[ReadBib, list[StoredEntry]]:
    """The file, a document of this name, with the entries that come back: those that went with
    papers that are there again, and those that were deleted in it and are wanted. And what is
    remembered of those.

    ``present`` are the papers that have an entry. What cannot be read as it was does not return.
    """
    # Whom the reader unlinked from the file has no entry to come back.
    settled = {*present, *(one.paper_id for one in stored)}
    deleted = list(_find_deleted(store, read, name, stored, present, history))
    returns = [*deleted, *_find_returns(store, read, history, settled)]
    entries = read.bib.entries

    def apply(hunks: Sequence[Hunk]) -> tuple[tuple[str, BibLibrary], Sequence[Hunk]]:
        text = with_hunks(read.text, entries, entry_keys(entries), hunks)
        return (text, parse_bibtex(text, file=str(read.path))), ()

    (text, bib), done = put_back(
        returns,
        (read.text, read.bib),
        apply,
        lambda made: Counter(entry_keys(made[1].entries)),
        lambda entry: entry.key,
    )
    if not done or len(bib.entries) != len(entries) + len(done):
        return read, []
    history.note_returned(one.removed for one in done)
    by_key = dict(zip(entry_keys(bib.entries), bib.entries, strict=True))
    back = []
    for one in done:
        before = one.removed.entry
        entry = by_key[before.key]
        base, text_now = entry_values(entry), fingerprint(entry)
        linked = EntryState.LINKED
        back.append(replace(before, paper_id=one.paper_id, text=text_now, base=base, state=linked))
    return replace(read, text=text, bib=bib), back


def _find_deleted(
    store: Store,
    read: ReadBib,
    name: str,
    stored: Sequence[StoredEntry],
    present: Collection[int | None],
    history: History,
) -> Iterator[Return]:
    """Entries that are wanted back and of which the text is known: as the file or an export
    wrote it last."""
    wanted = _wanted_back(stored, present, _keys_in_use(read))
    texts = [text for one in wanted.values() for text in _known_texts(store, name, one, history)]
    if not texts:
        return
    # Read together with the file, whose @strings and parents they may use.
    known = parse_bibtex("\n\n".join([read.text, *texts]), file=str(read.path)).entries
    raws = {fingerprint(entry): entry.raw for entry in known}
    keys = [one.key for one in stored]
    for number, one in wanted.items():
        if one.text in raws:
            hunk = deleted_hunk(raws[one.text], keys, number)
            yield Return(Former(one, None, []), one.paper, (hunk,))


def _wanted_back(
    stored: Sequence[StoredEntry],
    present: Collection[int | None],
    keys: Collection[str | None],
) -> dict[int, StoredEntry]:
    """The entries wanted back, by their position, without those that are there already."""
    return {
        position: one
        for position, one in enumerate(stored)
        if one.state is EntryState.WANTED and one.paper_id not in present and one.key not in keys
    }


def _known_texts(store: Store, name: str, entry: StoredEntry, history: History) -> Iterator[str]:
    for at, text in get_originals(store, entry.paper).items():
        if at.startswith(f"{name}:"):
            yield text
    yield from history.texts_written(entry.id)


def _find_returns(
    store: Store, read: ReadBib, history: History, present: Collection[int | None]
) -> Iterator[Return]:
    keys = _keys_in_use(read)
    for removed in history.removed:
        citekey = removed.entry.base.get("citekey", "")
        paper_id = find_by_citekey(store, citekey)
        if paper_id is None or paper_id in present or keys & {citekey, removed.entry.key}:
            continue
        if _is_same_paper(paper_values(get_paper(store, paper_id)), removed.entry.library):
            yield Return(removed, paper_id, hunks_of([removed]))


def _keys_in_use(read: ReadBib) -> set[str | None]:
    return {*entry_keys(read.bib.entries), *(entry.citekey for entry in read.bib.entries)}


def _is_same_paper(now: Values, then: Values) -> bool:
    """Whether it may be retitled, but is no other one that was given the key."""
    if now.get("title") == then.get("title"):
        return True
    if any(name in now and now[name] == then.get(name) for name in SCHEMES):
        return True
    return all(name in now and now[name] == then.get(name) for name in ("authors", "year"))
