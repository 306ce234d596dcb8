"""Edits of a document: the smallest span that says something different is replaced, no more.

An edit that the document has no place for is refused with a reason, never forced; the others are
made. Edits do not depend on each other's order, except that several edits of one place are made in
the order given.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from papertrack.documents.markdown.marks.style import kind_of, mark_text, style_like
from papertrack.documents.markdown.model import Document, Entry
from papertrack.documents.markdown.read.dates import date_pattern
from papertrack.documents.markdown.syntax import plain
from papertrack.documents.markdown.values import Span, write_date
from papertrack.documents.markdown.write.cells import (
    date_text,
    rating_samples,
    rating_text,
    set_pass_cells,
    set_value,
)
from papertrack.documents.markdown.write.definitions import Numbering
from papertrack.documents.markdown.write.edit_types import (
    Add,
    Edit,
    Edited,
    Move,
    NoPlaceError,
    Refusal,
    Remove,
    SetDate,
    SetLink,
    SetPasses,
    SetRating,
    SetTitle,
    SetVenue,
    no_place,
)
from papertrack.documents.markdown.write.entries import (
    date_of,
    moved_entry,
    place_of,
    removed,
    sections_entered,
)
from papertrack.documents.markdown.write.explain import Explainer
from papertrack.documents.markdown.write.links import end_of_words, set_link
from papertrack.documents.markdown.write.markup import as_entities, escape_title, light_escape
from papertrack.documents.markdown.write.new_entry import NewEntries
from papertrack.documents.markdown.write.patches import Patch, moved, overlaps, patched, replaced
from papertrack.documents.markdown.write.venues import Venues
from papertrack.documents.markdown.write.wholeness import Check, Found
from papertrack.text import clean, is_same_title


def apply_edits(document: Document, edits: Sequence[Edit]) -> Edited:
    """Return the document's text with the edits made, and those that were not, with reasons.

    Edits name entries of the document as given. Without edits the text is the same object. The
    edited text is read again: an edit that would cost another entry, or the edited one, is refused.
    """
    check, explainer = Check(document), Explainer(document)
    edited = _Making(explainer, edits).make()
    found = check.look_at(edits, edited)
    if found.is_whole:
        return edited
    fitting = _Fitting(explainer, check)
    fitting.part(found.made, found)
    made = _Making(explainer, fitting.kept).make()
    return replace(made, refused=(*edited.refused, *fitting.refused, *made.refused))


_MISREAD = "The entry would not be read as itself afterwards."
_MOST_HALVES = 2
"""How often edits that are all missing are halved before they are taken for missing in any
company: many that are refused, and wait, must not cost as many readings with each export."""


@dataclass
class _Fitting:
    """Those of some edits that can be made together: the others are told by what is missing, else
    found by halves."""

    explainer: Explainer
    check: Check
    kept: list[Edit] = field(default_factory=list)
    refused: list[Refusal] = field(default_factory=list)

    def part(self, edits: Sequence[Edit], found: Found, halved: int = 0) -> None:
        """Keep what fits of edits of which not all do, as was ``found``."""
        missing = [edit for edit in edits if edit in found.missing]
        there = [edit for edit in edits if edit not in missing]
        if len(edits) == 1 or (halved >= _MOST_HALVES and not there):
            self._add_otherwise(edits)
        elif missing and there:
            self.add(there)
            self.add(missing, halved)
        else:
            middle = len(edits) // 2
            self.add(edits[:middle], halved + len(missing) // len(edits))
            self.add(edits[middle:], halved + len(missing) // len(edits))

    def add(self, edits: Sequence[Edit], halved: int = 0) -> None:
        """Keep what fits of these edits beside what is kept already."""
        found = self._found(edits)
        if found.is_whole:
            self.kept += edits
        else:
            self.part(edits, found, halved)

    def _add_otherwise(self, edits: Sequence[Edit]) -> None:
        """Keep the edits that can be made in another way, all at once; refuse the others."""
        ways = {way: edit for edit in edits for way in _other_ways(edit)}
        self._keep(list(ways))
        made = [edit for way, edit in ways.items() if way in self.kept]
        left = (edit for edit in edits if edit not in made)
        self.refused += [Refusal(edit, _MISREAD) for edit in left]

    def _keep(self, ways: Sequence[Edit]) -> None:
        """Keep those of these edits that fit, and look for no other way."""
        found = self._found(ways) if ways else None
        if found is None or found.is_whole:
            self.kept += ways
            return
        # What is missing may be kept already: then one of these is in its way.
        there = [way for way in ways if way not in found.missing]
        if len(there) < len(ways):
            self._keep(there)
        elif len(ways) > 1:
            self._keep(ways[: len(ways) // 2])
            self._keep(ways[len(ways) // 2 :])

    def _found(self, edits: Sequence[Edit]) -> Found:
        together = [*self.kept, *edits]
        return self.check.look_at(together, _Making(self.explainer, together).make())


def _other_ways(edit: Edit) -> list[Edit]:
    """Return how an edit can be made instead: a title that is not read as it is meant to be with
    all of it escaped, such a new entry with only what it cannot do without."""
    if isinstance(edit, SetTitle):
        return [replace(edit, is_escaped=True)]
    return [replace(edit, is_plain=True)] if isinstance(edit, Add) else []


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
        self.waiting = [_Waiting(edit, _start_of(document, edit)) for edit in ordered]

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
    venues: Venues
    new: NewEntries

    @property
    def added(self) -> list[int]:
        return self.new.added


def _tools_of(explainer: Explainer) -> Tools:
    document, numbering = explainer.document, Numbering(explainer.document)
    venues = Venues(document, numbering)
    return Tools(document, numbering, venues, NewEntries(document, numbering, explainer))


def _start_of(document: Document, edit: Edit) -> int | None:
    return None if isinstance(edit, Add) else document.entries[edit.entry_index].span[0]


def _waits_behind(one: _Waiting, later: Sequence[_Waiting]) -> bool:
    """Whether an edit of the same entry has to wait."""
    return one.start is not None and any(other.start == one.start for other in later)


def _is_cut(offset: int, patches: Sequence[Patch]) -> bool:
    return any(p.span[0] <= offset < p.span[1] and not p.text for p in patches)


def _added(tools: Tools, edit: Add) -> tuple[list[Patch], str]:
    """Return the patches that add a new entry, its lines and its link definitions, and a sentence
    of what it does not say."""
    place = place_of(tools.document, edit.category, edit.fields.title)
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
        raise NoPlaceError("Other works stand in the same row.")
    match edit:
        case SetTitle():
            return _title(document, numbering, entry, edit)
        case SetLink():
            return set_link(document, numbering, entry, edit)
        case SetVenue():
            return tools.venues.patches(entry, edit)
        case Move():
            return moved_entry(document, entry, edit, tools.added)
        case Remove():
            return removed(document, numbering, entry)
        case _:
            return _value(document, entry, edit)


_VALUES = {
    SetPasses: ("passes", "reading mark"),
    SetRating: ("rating", "rating"),
    SetDate: ("date", "date"),
}
"""The fields that edits set, and what they are called."""


def _value(document: Document, entry: Entry, edit: SetPasses | SetRating | SetDate) -> list[Patch]:
    """Return the patch that writes a value: into its cell, or where an entry that is no row has
    it, or others have theirs."""
    field, called = _VALUES[type(edit)]
    if field not in entry.places:
        raise NoPlaceError(no_place(entry, called))
    if _says_so(document, entry, edit, field):
        return []
    if isinstance(edit, SetPasses) and entry.anatomy.pass_cells:
        return set_pass_cells(document, entry, edit.passes, edit.at)
    span, text = _written(document, entry, edit)
    if entry.shape == "row":
        return set_value(document, entry, field, span, text)
    if span is not None:
        is_same = document.text[slice(*span)].strip() == text
        return [] if is_same else [replaced(document.text, span, text)]
    return _beside_words(document, entry, field, text) if text else []


def _says_so(
    document: Document, entry: Entry, edit: SetPasses | SetRating | SetDate, field: str
) -> bool:
    """Whether an entry says a value already; of passes as far as its marks tell them apart."""
    old = getattr(entry.fields, field)
    if getattr(edit, field) == old:
        return True
    is_passes = isinstance(edit, SetPasses) and edit.passes > 0 and bool(old)
    return is_passes and document.marks_of(entry.group).max_passes == 1


def _written(
    document: Document, entry: Entry, edit: SetPasses | SetRating | SetDate
) -> tuple[Span | None, str]:
    """Return where an entry has its value, if it has one, and the new one in the right style."""
    anatomy = entry.anatomy
    if isinstance(edit, SetPasses):
        return anatomy.mark.span if anatomy.mark else None, _mark_text(document, entry, edit)
    if isinstance(edit, SetRating):
        return anatomy.rating, rating_text(document, edit.rating, rating_samples(document, entry))
    return anatomy.date, _date_text(document, entry, edit)


def _beside_words(document: Document, entry: Entry, field: str, text: str) -> list[Patch]:
    """Return the patch that puts a value before an entry's words, or behind them."""
    if field == "passes" and _marks_come_first(document, entry):
        start = entry.anatomy.own[0]
        return [Patch((start, start), text + " ")]
    end = end_of_words(document, entry)
    return [Patch((end, end), " " + text)]


def _mark_text(document: Document, entry: Entry, edit: SetPasses) -> str:
    """Return a reading mark; one for an item is of the kind that it has, else the document's."""
    style = document.marks_of(entry.group)
    if entry.shape == "row":
        text, reason = mark_text(style, edit.passes, edit.at), kind_of(style).needs
    else:
        style = style_like(document.text, entry.anatomy.mark, style)
        text = None if kind_of(style).is_only_in_cells else mark_text(style, edit.passes)
        reason = no_place(entry, "reading mark")
    if text is None:
        raise NoPlaceError(reason)
    return text


def _marks_come_first(document: Document, entry: Entry) -> bool:
    """Whether the document's marks stand before titles."""
    for other in document.entries:
        mark, title = other.anatomy.mark, other.anatomy.title
        if other.shape == entry.shape and mark and title:
            return mark.span[0] < title[0]
    return False


def _date_text(document: Document, entry: Entry, edit: SetDate) -> str:
    """Return a date as the table, or an entry that is no row, writes its own."""
    text = None
    if entry.shape == "row":
        text = date_text(document, document.table_of(entry), edit.date)
    elif edit.date and entry.anatomy.date:
        pattern = document.style.chosen_date_format or date_pattern(document.text, entry)
        text = write_date(edit.date, pattern) if pattern else None
    if text is None:
        raise NoPlaceError("The date is not known as precisely as the document writes dates.")
    return text


def _title(document: Document, numbering: Numbering, entry: Entry, edit: SetTitle) -> list[Patch]:
    span = entry.anatomy.title
    # A picture or a tag in the place of a title stays.
    if span is None or not entry.fields.title or not is_text(document.text[slice(*span)]):
        raise NoPlaceError("The entry shows no title.")
    if edit.title == entry.fields.title:
        return []
    if not (entry.anatomy.is_title_sure or is_same_title(entry.fields.title, _told(document))):
        raise NoPlaceError(
            f"It is doubtful that {entry.fields.title!r} is the entry's title, so it is not "
            "replaced (`papertrack documents FILE --set title=…` says the title of one entry)."
        )
    write = escape_title if edit.is_escaped else retitled
    return [
        Patch(span, write(document.text, edit.title, entry)),
        *numbering.retitled(entry, edit.title),
    ]


def _told(document: Document) -> str:
    """Return the title that the reader said of one entry."""
    return document.settings.get("title", "")


_HTML = ("html_row", "details")
_VOID = ("br", "img", "hr", "input", "wbr")
_TAG = re.compile(r"<(?P<close>/?)(?P<name>[A-Za-z][A-Za-z0-9]*)(?=[\s/>])[^<>]*>")
_OPEN_TAG = re.compile(r"(?<!\\)<[A-Za-z/!]")
_BLANKS = re.compile(r"[ \t\r\n]+")


def retitled(text: str, title: str, entry: Entry) -> str:
    """Return a title for the place of an entry's in ``text``: the words at its start and end that
    the old one has too are the same characters, and of the others only markup is escaped.

    Whether it is read as the title there is for the caller to see; ``markup.escape_title`` is.
    """
    assert entry.anatomy.title is not None, "the caller asked for an entry that shows a title"
    source = text[slice(*entry.anatomy.title)]
    old, new = plain(source).split(" "), clean(title).split(" ")
    first = _common(old, new)
    last = _common(old[first:][::-1], new[first:][::-1])
    head, tail = _head(source, old[:first]), _tail(source, old[len(old) - last :])
    middle = new[first if head else 0 : len(new) - last if tail else len(new)]
    pieces = [head, _escaped(" ".join(middle), entry), tail]
    written = " ".join(filter(None, pieces))
    is_same = plain(written) == " ".join(new)
    return written if is_same else _escaped(" ".join(new), entry)


def is_text(source: str) -> bool:
    """Return whether words can take the place of a source: it says something, and holds no tag
    that is opened or closed elsewhere."""
    if _OPEN_TAG.search(_TAG.sub("", source)):
        return False
    tags = [*_TAG.finditer(source)]
    opened, closed = _names(tags, ""), _names(tags, "/")
    return [name for name in opened if name not in _VOID] == closed and bool(plain(source))


def _names(tags: Sequence[re.Match[str]], close: str) -> list[str]:
    """Return the names of the tags that open, or that close, sorted."""
    return sorted(tag["name"].lower() for tag in tags if tag["close"] == close)


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many words two titles begin with that are the same."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((n for n, (a, b) in pairs if a != b), min(len(one), len(other)))


def _escaped(words: str, entry: Entry) -> str:
    if not words:
        return ""
    return as_entities(words) if entry.shape in _HTML else light_escape(words, entry.shape)


def _head(source: str, words: Sequence[str]) -> str:
    """Return what says just these words at the start of a source; nothing if emphasis or the like
    reaches beyond them."""
    ends = [*(match.start() for match in _BLANKS.finditer(source)), len(source)]
    said = " ".join(words)
    return next((source[:end] for end in ends if words and plain(source[:end]) == said), "")


def _tail(source: str, words: Sequence[str]) -> str:
    starts = [*(match.end() for match in _BLANKS.finditer(source)), 0]
    said = " ".join(words)
    return next((source[at:] for at in starts if words and plain(source[at:]) == said), "")
