"""Apply edits to a document by replacing only the smallest spans that differ.

An edit that the document has no place for is refused with a reason; the others are made. The order
of edits does not matter, except for several edits of one place, which are made in the order given.
The edited text is parsed again (``Check``): an edit that is not read back as meant, or that costs
another entry, is refused.
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
)
from papertrack.documents.markdown.write.entries import (
    Place,
    date_of,
    moved_entry,
    place_of,
    removed,
    sections_entered,
    standing_of_new,
)
from papertrack.documents.markdown.write.explain import Explainer
from papertrack.documents.markdown.write.fields import set_field, set_title
from papertrack.documents.markdown.write.links import Links
from papertrack.documents.markdown.write.markup import safe_url
from papertrack.documents.markdown.write.new_entry import NewEntries
from papertrack.text import clean, split_name


def apply_edits(document: Document, edits: Sequence[Edit]) -> Edited:
    """Apply edits to a document.

    Returns the text, and the refused edits with reasons. Edits refer to entries of the given
    document. Without edits, the text is the same object. The edited text is parsed again, and an
    edit that would cost another entry, or its own, is refused.
    """
    fitting = _Fitting(Explainer(document), Check(document), Edited(document.text))
    fitting.add(edits)
    return replace(fitting.made, refused=(*fitting.refused, *fitting.made.refused))


_MISREAD = "Afterwards, the entry would no longer be read as the same one."
_MOST_HALVES = 2
"""How often edits that are all missing are halved before they count as unreadable in any
combination.

Many refused edits that wait for every export must not cost many parses.
"""


@dataclass
class _Fitting:
    """Finds edits that can be made together.

    Edits that prevent others are found by what is missing, or else by halving. They are tried in
    plain form, and then refused.
    """

    explainer: Explainer
    check: Check
    made: Edited
    kept: list[Edit] = field(default_factory=list)
    refused: list[Refusal] = field(default_factory=list)

    def add(self, edits: Sequence[Edit], halved: int = 0) -> None:
        """Keep those of these edits that fit with the ones already kept."""
        together = [*self.kept, *edits]
        made = _Making(self.explainer, together).make()
        result = self.check.look_at(together, made)
        if result.is_whole:
            self.kept, self.made = together, made
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
        elif not all(map(_is_plain, edits)):
            self.add(list(map(_as_plain, edits)), _MOST_HALVES)
        else:
            self.refused += [Refusal(edit, _MISREAD) for edit in edits]


def _as_plain(edit: Edit) -> Edit:
    """Return an edit with everything escaped that Markdown might misread."""
    if isinstance(edit, SetTitle):
        return replace(edit, is_escaped=True)
    return replace(edit, is_plain=True) if isinstance(edit, Add) else edit


def _is_plain(edit: Edit) -> bool:
    return edit.is_escaped if isinstance(edit, SetTitle) else getattr(edit, "is_plain", True)


class _Waiting(NamedTuple):
    """An edit that is still to be made."""

    edit: Edit
    start: int | None
    """Where the entry starts, to find it again in a patched text; None for a new entry."""


class _Making:
    """Makes edits without checking them, in rounds of edits that do not overlap."""

    def __init__(self, explainer: Explainer, edits: Sequence[Edit]) -> None:
        """``explainer`` is shared, so that each entry is split only once."""
        self.document = document = explainer.document
        self.explainer = explainer
        self.refused: list[Refusal] = []
        self.notes: list[Refusal] = []
        # An entry is changed where it stands, before it is removed or moved.
        ordered = sorted(edits, key=lambda edit: {Remove: 1, Move: 2}.get(type(edit), 0))
        entries = document.entries
        starts = [None if isinstance(e, Add) else entries[e.entry_index].span[0] for e in ordered]
        self.waiting = list(map(_Waiting, ordered, starts))

    def make(self) -> Edited:
        """Make all edits."""
        while self.waiting:
            self._make_round()
        return Edited(self.document.text, tuple(self.refused), tuple(self.notes))

    def _make_round(self) -> None:
        """Make the edits that do not overlap; the others wait for the next round.

        So do edits of an entry of which another edit waits.
        """
        starts = {entry.span[0]: entry for entry in self.document.entries}
        document, numbering = self.document, Numbering(self.document)
        links = Links(document, numbering, self.explainer)
        tools = Tools(document, numbering, links, NewEntries(document, numbering, self.explainer))
        made: list[Patch] = []
        later: list[_Waiting] = []
        for waiting in self.waiting:
            entry = None if waiting.start is None else starts.get(waiting.start)
            patches = self._patches(tools, waiting, entry)
            if patches is None:
                continue
            is_behind = entry is not None and any(other.start == waiting.start for other in later)
            if is_behind or overlaps(made, patches):
                later.append(waiting)
                continue
            made += patches
            tools.new.added.extend(sections_entered(document, waiting.edit) if patches else ())
        self._patch(made, later)

    def _patches(self, tools: Tools, waiting: _Waiting, entry: Entry | None) -> list[Patch] | None:
        """Return the patches of one edit; None if it is refused."""
        try:
            if entry is None and waiting.start is not None:
                raise NoPlaceError("The entry is no longer in the document.")
            if isinstance(waiting.edit, Add):
                patches, left_out = _added(tools, waiting.edit)
                self.notes += [Refusal(waiting.edit, left_out)] if left_out else []
                return patches
            return _patches_of(tools, waiting.edit, entry)
        except NoPlaceError as error:
            self.refused.append(Refusal(waiting.edit, str(error)))
            return None

    def _patch(self, made: Sequence[Patch], later: Sequence[_Waiting]) -> None:
        """Apply the patches, and find the entries of the waiting edits in the new text."""
        self.waiting = []
        gone = [patch.span for patch in made if not patch.text]
        for edit, start in later:
            if start is not None and any(first <= start < end for first, end in gone):
                self.refused.append(Refusal(edit, "The entry is no longer where it was."))
            else:
                self.waiting.append(_Waiting(edit, None if start is None else moved(start, made)))
        text = patched(self.document.text, made) if made else self.document.text
        if self.waiting:
            self.document = self.document.parse_again(text)
            self.explainer = Explainer(self.document)
        else:
            self.document = replace(self.document, text=text)


@dataclass(frozen=True)
class Tools:
    """The objects that make edits of a document."""

    document: Document
    numbering: Numbering
    links: Links
    new: NewEntries
    places: dict[tuple[tuple[str, ...], bool], Place] = field(default_factory=dict)
    """The places for new entries, by category and whether the title is in Latin letters."""


def _added(tools: Tools, edit: Add) -> tuple[list[Patch], str]:
    """Return the patches that add a new entry, and a sentence about what it leaves out."""
    where = edit.category, edit.fields.title.isascii()
    if where not in tools.places:  # The order of a section is computed once for many new entries.
        tools.places[where] = place_of(tools.document, edit.category, edit.fields.title)
    place = tools.places[where]
    fields = replace(edit.fields, date=date_of(edit.fields))
    section = place.section.index
    ahead = tools.new.added.count(section)
    near = place.nearest(fields, ahead)
    if place.table is not None:
        new = tools.new.row(place.table, near, fields, is_plain=edit.is_plain)
    else:
        new = tools.new.item(near, section, fields, is_plain=edit.is_plain)
    standing = standing_of_new(fields)
    return [place.put(new.lines, standing, ahead), *new.definitions], new.left_out


def _patches_of(tools: Tools, edit: Edit, entry: Entry | None) -> list[Patch]:
    """Return the patches of one edit of an entry; none if the document says so already."""
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
            return tools.links.publish(entry, edit)
        case Move():
            return moved_entry(document, entry, edit, tools.new.added)
        case Remove():
            return removed(document, numbering, entry)
        case _:
            return set_field(document, entry, edit)


class Check:
    """Compares a document with its edited text."""

    def __init__(self, document: Document) -> None:
        self.document = document

    @cached_property
    def unclosed(self) -> set[int]:
        """How many round brackets entries leave open outside their titles.

        Usually 0; -1 for ``1)``.
        """
        text = self.document.text
        return {0, *(_unclosed_in(text, entry) for entry in self.document.entries)}

    def look_at(self, edits: Sequence[Edit], edited: Edited) -> Found:
        """Parse the edited text, and find the edits in it."""
        unmade = {refusal.edit for refusal in edited.refused}
        made = [edit for edit in edits if edit not in unmade]
        after = self.document if edited.text == self.document.text else None
        return Found(self, made, after or self.document.parse_again(edited.text))


@dataclass(frozen=True)
class Found:
    """Which of some edits the edited text shows."""

    check: Check
    made: Sequence[Edit]
    after: Document

    @cached_property
    def is_whole(self) -> bool:
        """Whether the text still holds all entries.

        Untouched entries have their names, retitled ones their new titles, and others their
        identifiers or titles.
        """
        before, after = self.check.document.entries, self.after.entries
        if self.after is self.check.document:
            return True
        touched = _touched(self.made, object)
        others = [entry for entry in before if entry.index not in touched]
        # Other works in a row must not be read as the row's subject.
        shared = {entry.fields.title for entry in others if entry.is_shared}
        added = sum(isinstance(edit, Add) for edit in self.made)
        return (
            not self.missing
            and len(after) == len(before) + added - len(_touched(self.made, Remove))
            and Counter(map(_name, others)) <= Counter(map(_name, after))
            and shared <= {entry.fields.title for entry in after}
        )

    @cached_property
    def missing(self) -> list[Edit]:
        """The edits whose entries, titles or new entries are not read as meant.

        All edits of such an entry are listed, because one may have spoilt another.
        """
        before, after = self.check.document.entries, self.after.entries
        then, now = (Counter(e.fields.title for e in entries) for entries in (before, after))
        identified = {entry.identifiers for entry in after}
        gone, touched = _touched(self.made, Remove), _touched(self.made, object)
        titles = [edit for edit in self.made if isinstance(edit, SetTitle)]
        retitled = {edit.entry_index: clean(edit.title) for edit in titles}
        changed = gone | retitled.keys()
        # An entry that lost its new title must not be matched with another of the same title.
        wanted = Counter(title for at, title in retitled.items() if at not in gone)
        unchanged = (entry.fields.title for entry in before if entry.index not in changed)
        wanted.update(title for title in unchanged if title in wanted)

        def is_lost(at: int) -> bool:
            if at in retitled:
                return now[retitled[at]] < wanted[retitled[at]]
            entry, count = before[at], now[before[at].fields.title]
            if entry.identifiers:
                return entry.identifiers not in identified and count != 1
            # Entries known only by a shared title count as present if their number is unchanged.
            return count not in (1, then[entry.fields.title])

        lost = {at for at in touched - gone if is_lost(at)}
        return [edit for edit in self.made if _touched([edit], object) & lost or self._is_not(edit)]

    def _is_not(self, edit: Edit) -> bool:
        """Return whether an edit adds an entry that is not read as meant."""
        text, unclosed = self.after.text, self.check.unclosed
        return isinstance(edit, Add) and not any(
            _says(text, entry, edit) and _unclosed_in(text, entry) in unclosed
            for entry in self._by_title.get(clean(edit.fields.title), ())
        )

    @cached_property
    def _by_title(self) -> dict[str, list[Entry]]:
        """The entries of the edited text by title."""
        entries: dict[str, list[Entry]] = {}
        for entry in self.after.entries:
            entries.setdefault(entry.fields.title, []).append(entry)
        return entries


def _says(text: str, entry: Entry, edit: Add) -> bool:
    """Return whether a new entry is read as it was meant.

    It has its link and no other authors or links, shows no names that are not read as authors, and
    leaves no bracket open.
    """
    fields, own_text = edit.fields, _ESCAPED.sub("", text[slice(*entry.anatomy.own_span)])
    wanted = {address for link in fields.links for address in (link.url, safe_url(link.url))}
    # A file beside the document may be written "./notes/a.md".
    wanted |= {f"./{url}" for url in wanted if ":" not in url}
    # A list may write arXiv addresses so that they lead to the PDF.
    wanted = set(map(arxiv_work, wanted))
    read = {arxiv_work(link.url) for link in entry.fields.links}
    # Adjacent names are authors, unless the title or description contains them.
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
    """Return how many round brackets an entry leaves open, outside of its fields."""
    fields = entry.fields
    values = (fields.title, fields.description or "", fields.venue or "", *fields.authors)
    body, *words = (
        _ESCAPED.sub("", part) for part in (text[slice(*entry.anatomy.own_span)], *values)
    )
    return body.count("(") - body.count(")") - sum(w.count("(") - w.count(")") for w in words)


def _touched(made: Sequence[Edit], kind: type) -> set[int]:
    """Return the indexes of the entries that edits of this kind change."""
    return {
        edit.entry_index for edit in made if isinstance(edit, kind) and not isinstance(edit, Add)
    }


def _name(entry: Entry) -> tuple[object, ...]:
    """Return what an entry names, which other entries may share."""
    return entry.identifiers or (entry.fields.title,)
