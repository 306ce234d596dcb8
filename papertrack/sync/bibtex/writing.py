"""Making an export's changes in a .bib file."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from papertrack.documents.bibtex import edit
from papertrack.documents.bibtex.edit import BibEdit
from papertrack.documents.bibtex.fresh import Dialect, dialect_of, entry_of, fields_of, type_in
from papertrack.documents.bibtex.model import BibEntry, BibLibrary
from papertrack.documents.bibtex.parse import parse_bibtex
from papertrack.errors import DocumentError
from papertrack.records import Paper
from papertrack.sync.bibtex.reading import FIELDS, BibItem, ReadBib, entry_values
from papertrack.sync.changes import Add, Plan, Remove
from papertrack.sync.history import History, Steps, accepted
from papertrack.sync.threeway import PUBLICATION

_VENUES = ("journal", "journaltitle", "booktitle", "school", "institution", "howpublished")
# Value → the fields of which one says it; the first that the entry has is changed.
_FIELDS: dict[str, tuple[tuple[str, ...], ...]] = {
    "title": (("title",), ("subtitle",)),
    "authors": (("author",),),
    "year": (("year", "date"),),
    "primary_category": (("primaryclass", "eprintclass"),),
    "arxiv": (("eprint",), ("archiveprefix", "eprinttype")),
    "doi": (("doi",),),
    "url": (("url",),),
}
_PREPRINT_TYPES = frozenset({"misc", "online", "article", "unpublished"})
"""Types that an entry may have only because its venue was not known."""


def entry_edits(
    entry: BibEntry,
    paper: Paper,
    changed: Collection[str],
    dialect: Dialect,
    protect: Sequence[str],
) -> list[BibEdit]:
    """What to change in the entry so that it says the paper's values named in ``changed``."""
    if "venue" in changed and entry.facts.venue is None and entry.type in _PREPRINT_TYPES:
        # Its type said how a preprint is cited; where it was published says another one.
        paper = replace(paper, facts=replace(paper.facts, published_type=None))
    wanted = {
        name.casefold(): (name, value)
        for name, value in fields_of(paper, dialect=dialect, protect=protect).items()
    }
    edits = list(_type_edits(entry, type_in(dialect, paper), changed))
    for aliases in _places(changed):
        edits += _field_edits(entry, aliases, wanted)
    if "venue" in changed:
        edits += _venue_edits(entry, wanted)
        if entry.facts.venue is None and paper.facts.venue is not None:
            edits += _eprint_edits(entry, wanted)
    if "citekey" in changed:
        edits.append(edit.SetKey(entry.span[0], paper.citekey))
    return edits


def _type_edits(entry: BibEntry, wanted: str, changed: Collection[str]) -> Iterator[BibEdit]:
    """A type that the reader chose for a published work stays when only its venue changes."""
    is_wrong = "type" in changed or ("venue" in changed and entry.type in _PREPRINT_TYPES)
    if is_wrong and wanted != entry.type:
        yield edit.SetType(entry.span[0], wanted)


def _places(changed: Collection[str]) -> Iterator[tuple[str, ...]]:
    for name in changed:
        if name.startswith(PUBLICATION):
            yield (name.removeprefix(PUBLICATION),)
        else:
            yield from _FIELDS.get(name, ())


def _field_edits(
    entry: BibEntry, aliases: tuple[str, ...], wanted: dict[str, tuple[str, str]]
) -> Iterator[BibEdit]:
    start = entry.span[0]
    present = [name for name, _ in entry.fields if name in aliases]
    named = next((wanted[alias] for alias in aliases if alias in wanted), None)
    if named is None:
        for name in present:
            yield edit.RemoveField(start, name)
        return
    if present and (present[0], named[1]) in entry.fields:
        return
    yield edit.SetField(start, present[0] if present else named[0], named[1])


def _venue_edits(entry: BibEntry, wanted: dict[str, tuple[str, str]]) -> Iterator[BibEdit]:
    """The venue moves to the field of the entry's type; ``journaltitle`` stays what it is."""
    start = entry.span[0]
    present = [name for name, _ in entry.fields if name in _VENUES]
    target, value = next((wanted[name] for name in _VENUES if name in wanted), ("", ""))
    if target == "journal" and "journaltitle" in present:
        target = "journaltitle"
    for name in present:
        if name != target:
            yield edit.RemoveField(start, name)
    if target:
        yield edit.SetField(start, target, value)


def _eprint_edits(entry: BibEntry, wanted: dict[str, tuple[str, str]]) -> Iterator[BibEdit]:
    """An arXiv id that stood in a journal "arXiv", its volume or pages gets fields of its own."""
    start, arxiv_id = entry.span[0], entry.facts.identifier("arxiv")
    if arxiv_id is None:
        return
    may_hold = ("volume", "number", "pages", *_VENUES)
    misplaced = [name for name, text in entry.fields if name in may_hold and arxiv_id in text]
    for name in misplaced:
        if name not in _VENUES:
            yield edit.RemoveField(start, name)
    if misplaced and all(name != "eprint" for name, _ in entry.fields):
        for name in ("eprint", "archiveprefix", "eprinttype"):
            if name in wanted:
                yield edit.SetField(start, *wanted[name])


@dataclass(frozen=True, slots=True)
class BibWriting:
    """The writing of one .bib file."""

    read: ReadBib
    name: str
    items: Sequence[BibItem]
    plan: Plan
    history: History
    protect: Sequence[str]

    def write(self) -> tuple[ReadBib, dict[int, int]]:
        """The file with the plan's changes made, and number → place of the entries that stay.

        Those added come after them. Raises DocumentError when that would not be read as it was
        written.
        """
        removed = {change.number for change in self.plan.changes if isinstance(change, Remove)}
        added = [change.paper for change in self.plan.changes if isinstance(change, Add)]
        stay = [item.number for item in self.items if item.number not in removed]
        places = {number: place for place, number in enumerate(stay)}
        dialect = dialect_of(self.read.bib) if self.plan.changes else "bibtex"
        changes = self._changes(dialect)
        others: list[BibEdit] = [
            edit.RemoveEntry(self._start(number)) for number in sorted(removed)
        ]
        others += [edit.AddEntry(entry_of(p, dialect=dialect, protect=self.protect)) for p in added]
        if not others and not changes:
            return self.read, places
        text, bib = self._apply(others, changes, places)
        if len(bib.entries) != len(places) + len(added):
            raise DocumentError(
                f"{self.name} would not be read again as it was written. It was left as it is; "
                "please report this with the file."
            )
        self._note({number: bib.entries[places[number]] for number in changes})
        return replace(self.read, text=text, bib=bib), places

    def _start(self, number: int) -> int:
        return self.items[number].entry.span[0]

    def _changes(self, dialect: Dialect) -> dict[int, list[BibEdit]]:
        """Number of an entry → what makes it say what the library says."""
        changes = {}
        for number, several in self.plan.sets.items():
            names = [change.field for change in several]
            entry, paper = self.items[number].entry, several[0].paper
            if edits := entry_edits(entry, paper, names, dialect, self.protect):
                changes[number] = edits
        return changes

    def _apply(
        self,
        others: Sequence[BibEdit],
        changes: Mapping[int, list[BibEdit]],
        places: Mapping[int, int],
    ) -> tuple[str, BibLibrary]:
        """The file's text with all changes made, and what it then holds.

        An entry gets its old text if only exports edited it since; but not where its @string or
        crossref has come to say something else.
        """
        steps = self.history.find_steps(self.plan, self.items, FIELDS)

        def make(left: Sequence[Steps]) -> tuple[str, BibLibrary]:
            texts = {number: back[0].entry.text for number, back in left}
            edits = list(others)
            for number, own in changes.items():
                old = texts.get(number)
                edits += own if old is None else [edit.ReplaceEntry(self._start(number), old)]
            text = edit.apply_bib_edits(self.read.text, edits)
            return text, parse_bibtex(text)

        def find_misread(made: tuple[str, BibLibrary], left: Sequence[Steps]) -> list[Steps]:
            entries = made[1].entries
            read = {n: entries[places[n]] for n, _ in left if places[n] < len(entries)}
            said = {n: FIELDS.exported(entry_values(entry)) for n, entry in read.items()}
            return [
                (number, back)
                for number, back in left
                if said.get(number) != FIELDS.exported(back[0].entry.base)
            ]

        return accepted([one for one in steps if one[0] in changes], make, find_misread)[0]

    def _note(self, edited: Mapping[int, BibEntry]) -> None:
        """Remember what the entries were that are changed or taken out."""
        entries, keys = self.read.bib.entries, [item.key for item in self.items]
        for kept in self.plan.kept:
            number = kept.number
            if number is not None and number in edited:
                self.history.note_edited(kept.stored, self.items[number], edited[number].raw)
            elif number is not None and kept.is_removed:
                hunk = edit.removed_hunk(self.read.text, entries, keys, number)
                self.history.note_removed(replace(kept.stored, key=keys[number]), [hunk])
