"""Entries of a .bib file that come back: those of papers that are there again, and those that were
deleted by hand and are wanted."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

from papertrack.documents.bibtex.edit import deleted_hunk
from papertrack.documents.bibtex.grounds import entry_of_whole
from papertrack.documents.hunks import Hunk
from papertrack.store.documents import EntryState, StoredEntry
from papertrack.store.lookup import find_by_citekey, get_paper
from papertrack.store.originals import get_originals
from papertrack.store.store import Store
from papertrack.sync.bibtex import reading
from papertrack.sync.bibtex.reading import ReadBib
from papertrack.sync.history import Former, History, Return, gone, in_order
from papertrack.sync.items import Item
from papertrack.sync.threeway import SCHEMES, Values


@dataclass(frozen=True, slots=True)
class Returning:
    """What may come back into a file, which is as it was read."""

    store: Store
    name: str
    """What the library calls the file."""
    read: ReadBib
    history: History
    hunk_of: Callable[[Former, tuple[str, str]], Hunk | None]
    """Returns what went with an entry, by the texts of the file before and after."""

    def find(
        self,
        stored: Sequence[StoredEntry],
        present: Collection[int | None],
        keys: Collection[str],
    ) -> list[Return]:
        """What comes back of the entries ``stored``, beside the papers ``present`` in the file and
        the keys that are there."""
        used = {*keys, *(entry.citekey for entry in self.read.bib.entries)}
        # Whom the reader unlinked from the file has no entry to come back.
        settled = {*present, *(one.paper_id for one in stored)}
        return [*self._find_deleted(stored, present, used), *self._find_removed(settled, used)]

    def _find_deleted(
        self,
        stored: Sequence[StoredEntry],
        present: Collection[int | None],
        used: Collection[str | None],
    ) -> Iterator[Return]:
        """Entries deleted by hand that are wanted back and of which the text is known: as the file
        or an export wrote it last. ``present`` are the papers and ``used`` the keys that are there.
        """
        wanted = {
            position: one
            for position, one in enumerate(stored)
            if one.state is EntryState.WANTED and one.paper_id not in present
            if one.key not in used
        }
        texts = [text for one in wanted.values() for text in self._known_texts(one)]
        if not texts:
            return
        # Read together with the file, whose @strings and parents they may use.
        together = "\n\n".join([self.read.text, *texts])
        known = self.read.parse(together).entries
        raws = {reading.fingerprint(entry): entry.raw for entry in known}
        keys = [one.key for one in stored]
        for number, one in wanted.items():
            if one.text in raws:
                raw, former = raws[one.text], self.history.former_of(one)
                noted = self._hunks_of(former) if former else ()
                is_same = any(unit.text == raw for hunk in noted for unit in hunk.units)
                back = noted if is_same else (deleted_hunk(raw, keys, number),)
                yield Return(one, one.paper, back)

    def _hunks_of(self, former: Former) -> tuple[Hunk, ...]:
        hunk = self.hunk_of(former, self.history.texts_around(former))
        return in_order([hunk] if hunk else [], former)

    def _known_texts(self, entry: StoredEntry) -> list[str]:
        originals = get_originals(self.store, entry.paper).items()
        here = [text for source, text in originals if source.startswith(f"{self.name}:")]
        former = self.history.former_of(entry)
        return [
            *(entry_of_whole(text).raw for text in here),
            *([former.entry.text] if former else []),
        ]

    def _find_removed(
        self, present: Collection[int | None], used: set[str | None]
    ) -> Iterator[Return]:
        """Entries that went with papers that are there again."""
        for removed in self.history.removed:
            citekey = removed.entry.base.get("citekey", "")
            paper_id = find_by_citekey(self.store, citekey)
            if paper_id is None or paper_id in present or {citekey, removed.entry.key} & used:
                continue
            now = reading.paper_values(get_paper(self.store, paper_id))
            if _is_same_paper(now, removed.entry.library) and (hunks := self._hunks_of(removed)):
                yield Return(gone(removed.entry), paper_id, hunks)


def key_of(entry: Item | StoredEntry) -> str:
    return entry.key


def says_again(item: Item, was: StoredEntry) -> bool:
    """Whether an entry that came back says what it said: a @string may stand below it now. One that
    went with its paper comes back however that is."""
    return was.paper_id is None or item.text == was.text


def _is_same_paper(now: Values, then: Values) -> bool:
    """Whether it may be retitled, but is no other one that was given the key."""
    if now.get("title") == then.get("title"):
        return True
    if any(name in now and now[name] == then.get(name) for name in SCHEMES):
        return True
    return all(name in now and now[name] == then.get(name) for name in ("authors", "year"))
