"""Edits of a document: the smallest span that says something different is replaced, no more.

An edit that the document has no place for is refused with a reason, never forced; the others are
made. Edits do not depend on each other's order, except that several edits of one place are made in
the order given. The edited text is read again (``Check``): what does not say what it was to say, or
costs another entry, is refused.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

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
)
from papertrack.documents.markdown.write.explain import Explainer
from papertrack.documents.markdown.write.fields import set_field, set_title
from papertrack.documents.markdown.write.links import Links
from papertrack.documents.markdown.write.markup import safe_url
from papertrack.documents.markdown.write.new_entry import NewEntries
from papertrack.text import clean, split_name


def apply_edits(document: Document, edits: Sequence[Edit]) -> Edited:
    """Return the document's text with the edits made, and those that were not, with reasons.

    Edits name entries of the document as given. Without edits the text is the same object. The
    edited text is read again: an edit that would cost another entry, or the edited one, is refused.
    """
    fitting = _Fitting(Explainer(document), Check(document), Edited(document.text))
    fitting.add(edits)
    return replace(fitting.made, refused=(*fitting.refused, *fitting.made.refused))


_MISREAD = "Afterwards, the entry would no longer be read as the same one."
_MOST_HALVES = 2
"""How often edits that are all missing are halved before they are taken for missing in any
company: many that are refused, and wait, must not cost as many readings with each export."""


@dataclass
class _Fitting:
    """Those of some edits that can be made together: what is in the way of others is reported by
    what is missing, else found by halves, tried plain, and then refused."""

    explainer: Explainer
    check: Check
    made: Edited
    kept: list[Edit] = field(default_factory=list)
    refused: list[Refusal] = field(default_factory=list)

    def add(self, edits: Sequence[Edit], halved: int = 0) -> None:
        """Keep what fits of these edits beside what is kept already."""
        together = [*self.kept, *edits]
        made = _Making(self.explainer, together).make()
        found = self.check.look_at(together, made)
        if found.is_whole:
            self.kept, self.made = together, made
            return
        missing = [edit for edit in edits if edit in found.missing]
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
    """Return an edit with everything escaped that Markdown might take for something else."""
    if isinstance(edit, SetTitle):
        return replace(edit, is_escaped=True)
    return replace(edit, is_plain=True) if isinstance(edit, Add) else edit


def _is_plain(edit: Edit) -> bool:
    return edit.is_escaped if isinstance(edit, SetTitle) else getattr(edit, "is_plain", True)


@dataclass(frozen=True, slots=True)
class _Waiting:
    """An edit still to be made."""

    edit: Edit
    start: int | None
    """Where the entry starts, which finds it again in a patched text; None for a new one."""


class _Making:
    """Edits made without looking back, in rounds: in each those that do not meet."""

    def __init__(self, explainer: Explainer, edits: Sequence[Edit]) -> None:
        """``explainer`` is the document's: it cuts each entry once, however edits are tried."""
        self.document = document = explainer.document
        self.explainer = explainer
        self.refused: list[Refusal] = []
        self.notes: list[Refusal] = []
        # An entry is changed where it stands before it goes or moves.
        ordered = sorted(edits, key=lambda one: {Remove: 1, Move: 2}.get(type(one), 0))
        entries = document.entries
        starts = [None if isinstance(e, Add) else entries[e.entry_index].span[0] for e in ordered]
        self.waiting = list(map(_Waiting, ordered, starts))

    def make(self) -> Edited:
        """Make the edits."""
        while self.waiting:
            self._make_round()
        return Edited(self.document.text, tuple(self.refused), tuple(self.notes))

    def _make_round(self) -> None:
        """Make the edits that do not meet; the others wait for the next round."""
        starts = {entry.span[0]: entry for entry in self.document.entries}
        tools = _tools_of(self.explainer)
        made: list[Patch] = []
        later: list[_Waiting] = []
        for one in self.waiting:
            entry = None if one.start is None else starts.get(one.start)
            patches = self._patches(tools, one, entry)
            if patches is None:
                continue
            if _waits_behind(one, later) or overlaps(made, patches):
                later.append(one)
                continue
            made += patches
            tools.added.extend(sections_entered(self.document, one.edit) if patches else ())
        self._patch(made, later)

    def _patches(self, tools: Tools, one: _Waiting, entry: Entry | None) -> list[Patch] | None:
        """Return the patches of one edit; None if it is refused."""
        try:
            if entry is None and one.start is not None:
                raise NoPlaceError("The entry is no longer in the document.")
            if isinstance(one.edit, Add):
                patches, left_out = _added(tools, one.edit)
                self.notes += [Refusal(one.edit, left_out)] if left_out else []
                return patches
            return _patches_of(tools, one.edit, entry)
        except NoPlaceError as error:
            self.refused.append(Refusal(one.edit, str(error)))
            return None

    def _patch(self, made: Sequence[Patch], later: Sequence[_Waiting]) -> None:
        """Patch the document, and find the entries of the edits that wait in the new text."""
        self.waiting = []
        for one in later:
            if one.start is None:
                self.waiting.append(one)
            elif _is_cut(one.start, made):
                self.refused.append(Refusal(one.edit, "The entry is no longer where it was."))
            else:
                self.waiting.append(_Waiting(one.edit, moved(one.start, made)))
        text = patched(self.document.text, made) if made else self.document.text
        if self.waiting:
            self.document = self.document.parse_again(text)
            self.explainer = Explainer(self.document)
        else:
            self.document = replace(self.document, text=text)


@dataclass(frozen=True)
class Tools:
    """What edits of a document are made with."""

    document: Document
    numbering: Numbering
    links: Links
    new: NewEntries
    places: dict[tuple[tuple[str, ...], bool], Place] = field(default_factory=dict)
    """Where new entries of a category go; of titles in English letters or not."""

    @property
    def added(self) -> list[int]:
        return self.new.added


def _tools_of(explainer: Explainer) -> Tools:
    document, numbering = explainer.document, Numbering(explainer.document)
    links, new = Links(document, numbering, explainer), NewEntries(document, numbering, explainer)
    return Tools(document, numbering, links, new)


def _waits_behind(one: _Waiting, later: Sequence[_Waiting]) -> bool:
    """Whether an edit of the same entry has to wait."""
    return one.start is not None and any(other.start == one.start for other in later)


def _is_cut(offset: int, patches: Sequence[Patch]) -> bool:
    return any(p.span[0] <= offset < p.span[1] and not p.text for p in patches)


def _added(tools: Tools, edit: Add) -> tuple[list[Patch], str]:
    """Return the patches that add a new entry, its lines and its link definitions, and a sentence
    of what it does not say."""
    where = edit.category, edit.fields.title.isascii()
    if where not in tools.places:  # Many new entries of a section find its order once.
        tools.places[where] = place_of(tools.document, edit.category, edit.fields.title)
    place = tools.places[where]
    fields = replace(edit.fields, date=date_of(edit.fields))
    section = place.section.index
    ahead = tools.added.count(section)
    near = place.nearest(fields, ahead)
    if place.table is not None:
        new = tools.new.row(place.table, near, fields, is_plain=edit.is_plain)
    else:
        new = tools.new.item(near, section, fields, is_plain=edit.is_plain)
    return [place.put(new.lines, fields, ahead), *new.definitions], new.left_out


def _patches_of(tools: Tools, edit: Edit, entry: Entry | None) -> list[Patch]:
    """Return the patches that make one edit of an entry; none if the document already says so."""
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
            return moved_entry(document, entry, edit, tools.added)
        case Remove():
            return removed(document, numbering, entry)
        case _:
            return set_field(document, entry, edit)


class Check:
    """What a document is held against after edits."""

    def __init__(self, document: Document) -> None:
        self.document = document

    @cached_property
    def unclosed(self) -> set[int]:
        """How many round brackets entries leave open beside their titles: none, but for ``1)``."""
        text = self.document.text
        return {0, *(_unclosed_in(text, entry) for entry in self.document.entries)}

    def look_at(self, edits: Sequence[Edit], edited: Edited) -> Found:
        """Return what of these edits is found in the edited text, read again."""
        unmade = {refusal.edit for refusal in edited.refused}
        made = [edit for edit in edits if edit not in unmade]
        after = self.document if edited.text == self.document.text else None
        return Found(self, made, after or self.document.parse_again(edited.text))


@dataclass(frozen=True)
class Found:
    """What is found of some edits in the text that they made."""

    check: Check
    made: Sequence[Edit]
    after: Document

    @cached_property
    def is_whole(self) -> bool:
        """Whether the text holds all entries: the untouched under their own names, the retitled
        ones under their new titles, the others under their identifiers or titles."""
        before, after = self.check.document.entries, self.after.entries
        if self.after is self.check.document:
            return True
        touched = _touched(self.made, object)
        others = [entry for entry in before if entry.index not in touched]
        # What is left alone in a row must not be taken for what the row is about.
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
        """The edits whose entries, titles or new entries are not there as they are meant: of an
        entry all, since one may have spoilt what the other made."""
        before, after = self.check.document.entries, self.after.entries
        then, now = (Counter(e.fields.title for e in entries) for entries in (before, after))
        identified = {entry.identifiers for entry in after}
        gone, touched = _touched(self.made, Remove), _touched(self.made, object)
        titles = [edit for edit in self.made if isinstance(edit, SetTitle)]
        retitled = {edit.entry_index: clean(edit.title) for edit in titles}
        changed = gone | retitled.keys()
        # One that is not read under its new title is not found in another one of the same title.
        wanted = Counter(title for at, title in retitled.items() if at not in gone)
        wanted.update(
            entry.fields.title
            for entry in before
            if entry.fields.title in wanted and entry.index not in changed
        )

        def is_lost(at: int) -> bool:
            if at in retitled:
                return now[retitled[at]] < wanted[retitled[at]]
            entry, count = before[at], now[before[at].fields.title]
            if entry.identifiers:
                return entry.identifiers not in identified and count != 1
            # Of several that nothing but one title names, each is there while as many are.
            return count not in (1, then[entry.fields.title])

        lost = {at for at in touched - gone if is_lost(at)}
        return [edit for edit in self.made if _touched([edit], object) & lost or self._is_not(edit)]

    def _is_not(self, edit: Edit) -> bool:
        """Whether an edit adds an entry that is not there as it is meant."""
        text, unclosed = self.after.text, self.check.unclosed
        return isinstance(edit, Add) and not any(
            _says(text, entry, edit) and _unclosed_in(text, entry) in unclosed
            for entry in self._by_title.get(clean(edit.fields.title), ())
        )

    @cached_property
    def _by_title(self) -> dict[str, list[Entry]]:
        """The entries of the edited text by their titles."""
        found: dict[str, list[Entry]] = {}
        for entry in self.after.entries:
            found.setdefault(entry.fields.title, []).append(entry)
        return found


def _says(text: str, entry: Entry, edit: Add) -> bool:
    """Whether an entry has the link that it was written for and no other authors or links, shows
    no names that are not read as such, and no half of a pair of brackets."""
    fields, own = edit.fields, _ESCAPED.sub("", text[slice(*entry.anatomy.own)])
    wanted = {one for link in fields.links for one in (link.url, safe_url(link.url))}
    # A file beside the document may be written "./notes/a.md".
    wanted |= {f"./{url}" for url in wanted if ":" not in url}
    # The list's own form of arXiv's addresses may lead to the paper's file.
    wanted = set(map(arxiv_work, wanted))
    read = {arxiv_work(link.url) for link in entry.fields.links}
    # Names side by side are authors, unless they are words of the title or of the description.
    families = [split_name(clean(name))[0] for name in fields.authors]
    said = clean(f"{fields.title} {fields.description or ''}")
    pair, shown = families[:2], text[slice(*entry.span)]
    is_named = len(pair) > 1 and all(name in shown for name in pair)
    is_named = is_named and not all(name in said for name in pair)
    return (
        {split_name(clean(name))[0].casefold() for name in entry.fields.authors}
        <= {name.casefold() for name in families}
        and (fields.main_link is None or not read or bool(wanted & read))
        and read <= wanted
        and bool(entry.fields.authors or not is_named)
        and own.count("[") == own.count("]")
        and own.count("`") % 2 == 0
    )


_ESCAPED = re.compile(r"\\.")


def _unclosed_in(text: str, entry: Entry) -> int:
    """Return how many round brackets an entry leaves open, the words of its fields aside."""
    fields = entry.fields
    told = (fields.title, fields.description or "", fields.venue or "", *fields.authors)
    own, *words = (_ESCAPED.sub("", one) for one in (text[slice(*entry.anatomy.own)], *told))
    return own.count("(") - own.count(")") - sum(w.count("(") - w.count(")") for w in words)


def _touched(made: Sequence[Edit], kind: type) -> set[int]:
    """Return the indexes of the entries that edits of this kind are about."""
    return {
        edit.entry_index for edit in made if isinstance(edit, kind) and not isinstance(edit, Add)
    }


def _name(entry: Entry) -> tuple[object, ...]:
    """Return what an entry names, whatever else names it too."""
    return entry.identifiers or (entry.fields.title,)
