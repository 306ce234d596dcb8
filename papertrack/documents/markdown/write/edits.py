"""Apply edits to a document by replacing only the smallest spans that differ.

An edit is refused with a reason if the document has no place for it; the others are still applied.
The order of edits matters only for edits of one place. The edited text is parsed again
(``EditCheck``): an edit is refused if it would not be read back as meant, or if another entry would
be lost.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

from papertrack.documents.markdown.link_labels import arxiv_work
from papertrack.documents.markdown.model import Document, Entry
from papertrack.documents.markdown.write.definitions import Numbering
from papertrack.documents.markdown.write.edit_types import (
    Add,
    Edit,
    Edited,
    Move,
    NoPlaceError,
    Patch,
    Refusal,
    Remove,
    SetLink,
    SetTitle,
    SetVenue,
    moved,
    overlaps,
    patched,
    place_in_patched,
)
from papertrack.documents.markdown.write.entries import (
    Place,
    date_of,
    moved_entry,
    place_of,
    removed,
    sections_entered,
    sort_key_of_new,
)
from papertrack.documents.markdown.write.explain import Splitter
from papertrack.documents.markdown.write.fields import set_field, set_title
from papertrack.documents.markdown.write.links import LinkEditor
from papertrack.documents.markdown.write.markup import safe_url
from papertrack.documents.markdown.write.new_entry import NewEntries
from papertrack.text import clean, split_name


def apply_edits(document: Document, edits: Sequence[Edit]) -> Edited:
    """Apply edits to a document.

    Returns the new text, and the refused edits with reasons. Edits refer to the entries of this
    document by index. Without edits, the text is the same object.
    """
    unchanged = Edited(document.text, document=document)
    fitting = _EditSelection(Splitter(document), EditCheck(document), unchanged)
    fitting.add(edits)
    return replace(fitting.made, refused=(*fitting.refused, *fitting.made.refused))


_MISREAD = "Afterwards, the entry would no longer be read as the same one."
_MOST_HALVES = 2
"""How often a set of edits is halved if none of them can be read back.

Edits that were refused are tried at every export, so they must not cost many parses.
"""


@dataclass
class _EditSelection:
    """Finds a set of edits that can be applied together.

    An edit that cannot be read back is tried again with everything escaped, and then refused. If
    the failing edits are unknown, the set is halved.
    """

    splitter: Splitter
    check: EditCheck
    made: Edited
    kept: list[Edit] = field(default_factory=list)
    refused: list[Refusal] = field(default_factory=list)

    def add(self, edits: Sequence[Edit], halved: int = 0) -> None:
        """Keep those of these edits that can be applied together with the ones already kept."""
        together = [*self.kept, *edits]
        made = _EditRun(self.splitter, together).make()
        result = self.check.compare(together, made)
        if result.is_complete:
            self.kept, self.made = together, replace(made, document=result.after)
            return
        missing = [edit for edit in edits if edit in result.missing]
        there = [edit for edit in edits if edit not in missing]
        if missing and there:
            self.add(there)
            self.add(missing, halved)
        elif len(edits) > 1 and (there or halved < _MOST_HALVES):
            middle = len(edits) // 2
            self.add(edits[:middle], halved + bool(missing))
            self.add(edits[middle:], halved + bool(missing))
        elif not all(getattr(edit, "is_escaped", True) for edit in edits):
            self.add(list(map(_as_escaped, edits)), _MOST_HALVES)
        else:
            self.refused += [Refusal(edit, _MISREAD) for edit in edits]


def _as_escaped(edit: Edit) -> Edit:
    """Return an edit with everything escaped that Markdown could misread."""
    return replace(edit, is_escaped=True) if isinstance(edit, (Add, SetTitle)) else edit


class _Pending(NamedTuple):
    """An edit that is not applied yet."""

    edit: Edit
    start: int | None
    """Where its entry starts in the current text; None for a new entry."""


class _EditRun:
    """Applies edits without checking them, in rounds of edits that do not overlap."""

    def __init__(self, splitter: Splitter, edits: Sequence[Edit]) -> None:
        """``splitter`` is shared between runs, so that each entry is split only once."""
        self.document = document = splitter.document
        self.splitter = splitter
        self.refused: list[Refusal] = []
        self.notes: list[Refusal] = []
        self.places: dict[Edit, int] = {}
        # Entries are changed before they are moved or removed.
        ordered = sorted(edits, key=lambda edit: {Remove: 1, Move: 2}.get(type(edit), 0))
        entries = document.entries
        starts = [None if isinstance(e, Add) else entries[e.entry_index].span[0] for e in ordered]
        self.waiting = list(map(_Pending, ordered, starts))

    def make(self) -> Edited:
        """Apply all edits."""
        while self.waiting:
            self._make_round()
        return Edited(self.document.text, tuple(self.refused), tuple(self.notes), self.places)

    def _make_round(self) -> None:
        """Apply the edits that do not overlap. The others wait for the next round.

        If an edit of an entry waits, later edits of this entry wait too.
        """
        starts = {entry.span[0]: entry for entry in self.document.entries}
        document, numbering = self.document, Numbering(self.document)
        links = LinkEditor(document, numbering, self.splitter)
        tools = Writers(document, numbering, links, NewEntries(document, numbering, self.splitter))
        applied: list[Patch] = []
        entering: dict[Edit, Patch] = {}
        later: list[_Pending] = []
        for waiting in self.waiting:
            entry = None if waiting.start is None else starts.get(waiting.start)
            patches = self._patches(tools, waiting, entry)
            if patches is None:
                continue
            is_behind = entry is not None and any(other.start == waiting.start for other in later)
            if is_behind or overlaps(applied, patches):
                later.append(waiting)
                continue
            applied += patches
            if patches and isinstance(waiting.edit, Add | Move):
                # The first patch of a move takes the entry out.
                entering[waiting.edit] = patches[1 if isinstance(waiting.edit, Move) else 0]
            tools.new.added.extend(sections_entered(document, waiting.edit) if patches else ())
        self.places = {edit: moved(place, applied) for edit, place in self.places.items()}
        for edit, patch in entering.items():
            self.places[edit] = place_in_patched(patch, applied)
        self._patch(applied, later)

    def _patches(self, tools: Writers, item: _Pending, entry: Entry | None) -> list[Patch] | None:
        """Return the patches of one edit; None if it is refused."""
        try:
            if entry is None and item.start is not None:
                raise NoPlaceError("The entry is no longer in the document.")
            if isinstance(item.edit, Add):
                patches, left_out = _patches_of_new(tools, item.edit)
                self.notes += [Refusal(item.edit, left_out)] if left_out else []
                return patches
            return _patches_of_edit(tools, item.edit, entry)
        except NoPlaceError as error:
            self.refused.append(Refusal(item.edit, str(error)))
            return None

    def _patch(self, made: Sequence[Patch], later: Sequence[_Pending]) -> None:
        """Apply the patches, and find the entries of the waiting edits in the new text."""
        self.waiting = []
        gone = [patch.span for patch in made if not patch.text]
        for edit, start in later:
            if start is not None and any(first <= start < end for first, end in gone):
                self.refused.append(Refusal(edit, "The entry is no longer where it was."))
            else:
                self.waiting.append(_Pending(edit, None if start is None else moved(start, made)))
        text = patched(self.document.text, made) if made else self.document.text
        if self.waiting:
            self.document = self.document.parse_again(text)
            self.splitter = Splitter(self.document)
        else:
            self.document = replace(self.document, text=text)


@dataclass(frozen=True)
class Writers:
    """The objects that make the patches for edits of one document."""

    document: Document
    numbering: Numbering
    links: LinkEditor
    new: NewEntries
    places: dict[tuple[tuple[str, ...], bool], Place] = field(default_factory=dict)
    """A cache of places for new entries, by category and whether the title is in ASCII letters."""


def _patches_of_new(tools: Writers, edit: Add) -> tuple[list[Patch], str]:
    """Return the patches that add a new entry, and a sentence about what it leaves out."""
    where = edit.category, edit.fields.title.isascii()
    if where not in tools.places:  # Cached, because finding the order of a section takes time.
        tools.places[where] = place_of(tools.document, edit.category, edit.fields.title)
    place = tools.places[where]
    fields = replace(edit.fields, date=date_of(edit.fields))
    section = place.section.index
    ahead = tools.new.added.count(section)
    near = place.nearest(fields, ahead)
    if place.table is not None:
        new = tools.new.row(place.table, near, fields, is_escaped=edit.is_escaped)
    else:
        new = tools.new.item(near, section, fields, is_escaped=edit.is_escaped)
    sort_key = sort_key_of_new(fields)
    return [place.insertion(new.lines, sort_key, ahead), *new.definitions], new.left_out


def _patches_of_edit(tools: Writers, edit: Edit, entry: Entry | None) -> list[Patch]:
    """Return the patches for one edit of an entry; none if the entry is so already."""
    assert entry is not None, "every edit but Add has an entry"
    assert not isinstance(edit, Add), "new entries are made elsewhere"
    document, numbering = tools.document, tools.numbering
    if entry.is_shared and isinstance(edit, SetLink | SetVenue):
        raise NoPlaceError("The same row contains other works.")
    match edit:
        case SetTitle():
            return set_title(document, numbering, entry, edit)
        case SetLink():
            return tools.links.patches(entry, edit)
        case SetVenue():
            return tools.links.set_venue(entry, edit)
        case Move():
            return moved_entry(document, entry, edit, tools.new.added)
        case Remove():
            return removed(document, numbering, entry)
        case _:
            return set_field(document, entry, edit)


class EditCheck:
    """Compares a document with the text after edits, to find edits that went wrong."""

    def __init__(self, document: Document) -> None:
        self.document = document

    @cached_property
    def unclosed(self) -> set[int]:
        """How many round brackets the entries leave open outside of their fields.

        Usually 0; -1 for ``1)``. New entries must have one of these numbers.
        """
        text = self.document.text
        return {0, *(_unclosed_in(text, entry) for entry in self.document.entries)}

    def compare(self, edits: Sequence[Edit], edited: Edited) -> EditResult:
        """Parse the edited text, and return which edits it shows."""
        unmade = {refusal.edit for refusal in edited.refused}
        made = [edit for edit in edits if edit not in unmade]
        after = self.document if edited.text == self.document.text else None
        return EditResult(self, made, after or self.document.parse_again(edited.text))


@dataclass(frozen=True)
class EditResult:
    """Which of some edits the edited text shows."""

    check: EditCheck
    made: Sequence[Edit]
    after: Document

    @cached_property
    def is_complete(self) -> bool:
        """Whether all edits are read as meant, and no other entry was lost.

        Untouched entries must have the same identifiers or titles, and retitled ones their new
        titles.
        """
        before, after = self.check.document.entries, self.after.entries
        if self.after is self.check.document:
            return True
        touched = _touched(self.made, object)
        others = [entry for entry in before if entry.index not in touched]
        # In a row with several works, none may be read as the row's own work.
        shared = {entry.fields.title for entry in others if entry.is_shared}
        added = sum(isinstance(edit, Add) for edit in self.made)
        return (
            not self.missing
            and len(after) == len(before) + added - len(_touched(self.made, Remove))
            and Counter(map(_work_of, others)) <= Counter(map(_work_of, after))
            and shared <= {entry.fields.title for entry in after}
        )

    @cached_property
    def missing(self) -> list[Edit]:
        """The edits whose entry, title or new entry is not read as meant.

        All edits of such an entry are included, because one may have spoilt another.
        """
        before, after = self.check.document.entries, self.after.entries
        then, now = (Counter(e.fields.title for e in entries) for entries in (before, after))
        identified = {entry.identifiers for entry in after}
        gone, touched = _touched(self.made, Remove), _touched(self.made, object)
        titles = [edit for edit in self.made if isinstance(edit, SetTitle)]
        retitled = {edit.entry_index: clean(edit.title) for edit in titles}
        changed = gone | retitled.keys()
        # Count equal titles, so that another entry with the new title does not hide a lost one.
        wanted = Counter(title for at, title in retitled.items() if at not in gone)
        unchanged = (entry.fields.title for entry in before if entry.index not in changed)
        wanted.update(title for title in unchanged if title in wanted)

        def is_lost(at: int) -> bool:
            if at in retitled:
                return now[retitled[at]] < wanted[retitled[at]]
            entry, count = before[at], now[before[at].fields.title]
            if entry.identifiers:
                return entry.identifiers not in identified and count != 1
            # Without identifiers, entries with one title must be as many as before.
            return count not in (1, then[entry.fields.title])

        lost = {at for at in touched - gone if is_lost(at)}
        return [edit for edit in self.made if _touched([edit], object) & lost or self._failed(edit)]

    def _failed(self, edit: Edit) -> bool:
        """Return whether an edit adds an entry that is not read as meant."""
        text, unclosed = self.after.text, self.check.unclosed
        return isinstance(edit, Add) and not any(
            _matches_added(text, entry, edit) and _unclosed_in(text, entry) in unclosed
            for entry in self._by_title.get(clean(edit.fields.title), ())
        )

    @cached_property
    def _by_title(self) -> dict[str, list[Entry]]:
        """The entries of the edited text by title."""
        entries: dict[str, list[Entry]] = {}
        for entry in self.after.entries:
            entries.setdefault(entry.fields.title, []).append(entry)
        return entries


def _matches_added(text: str, entry: Entry, edit: Add) -> bool:
    """Return whether an entry is the one that an edit adds, read as meant.

    It has one of the new links and no others, no other authors, no names that are not read as
    authors, and no open brackets.
    """
    fields, own_text = edit.fields, _ESCAPED.sub("", text[slice(*entry.anatomy.body)])
    wanted = {address for link in fields.links for address in (link.url, safe_url(link.url))}
    # The path of a note may start with "./".
    wanted |= {f"./{url}" for url in wanted if ":" not in url}
    # The list may link to the PDFs of arXiv papers.
    wanted = set(map(arxiv_work, wanted))
    read = {arxiv_work(link.url) for link in entry.fields.links}
    # If the first two authors are shown, they must be read as authors, unless they are in the title
    # or description.
    families = [split_name(clean(name))[0] for name in fields.authors]
    words = clean(f"{fields.title} {fields.description or ''}")
    pair, shown = families[:2], text[slice(*entry.span)]
    is_named = len(pair) > 1 and all(name in shown for name in pair)
    is_named = is_named and not all(name in words for name in pair)
    return (
        {split_name(clean(name))[0].casefold() for name in entry.fields.authors}
        <= {name.casefold() for name in families}
        and (
            not any(link.role in ("paper", "code") for link in fields.links)
            or not read
            or bool(wanted & read)
        )
        and read <= wanted
        and bool(entry.fields.authors or not is_named)
        and own_text.count("[") == own_text.count("]")
        and own_text.count("`") % 2 == 0
    )


_ESCAPED = re.compile(r"\\.")


def _unclosed_in(text: str, entry: Entry) -> int:
    """Return how many round brackets an entry leaves open outside of its fields."""
    fields = entry.fields
    values = (fields.title, fields.description or "", fields.venue or "", *fields.authors)
    body, *words = (_ESCAPED.sub("", part) for part in (text[slice(*entry.anatomy.body)], *values))
    return body.count("(") - body.count(")") - sum(w.count("(") - w.count(")") for w in words)


def _touched(made: Sequence[Edit], kind: type) -> set[int]:
    """Return the indexes of the existing entries that edits of this kind change."""
    return {
        edit.entry_index for edit in made if isinstance(edit, kind) and not isinstance(edit, Add)
    }


def _work_of(entry: Entry) -> tuple[object, ...]:
    """Return what identifies an entry's work. Other entries may have the same."""
    return entry.identifiers or (entry.fields.title,)
