"""Import another tool's items as one action that accounts for each item.

The first time, an item becomes a paper or is matched with one, by the rule for .bib files. Later
imports bring only what changed there, and nothing that the user changed here.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter
from os import F_OK, access
from typing import Any, NamedTuple, TypeVar

from papertrack.actions.migrate.imported_files import FileImport
from papertrack.category_paths import format_path
from papertrack.documents.bibtex.facts import BibEntry
from papertrack.documents.note_highlights import set_highlights
from papertrack.errors import DocumentError, UsageError
from papertrack.identifiers.citekeys import file_stem
from papertrack.importers.html import Meanings, quotes_of
from papertrack.importers.model import Item, ItemNote, Source
from papertrack.importers.pdfs import NOTHING
from papertrack.library import Library
from papertrack.matching.judge import Answer, Description, judge
from papertrack.matching.people import people_of
from papertrack.pdfs.texts import words_of
from papertrack.records import DECISIONS, PASSES, READER, Decision, Paper, PaperFacts
from papertrack.store import papers
from papertrack.store.categories import ensure_categories, put_in_category, take_out_of_category
from papertrack.store.journal import changed_papers
from papertrack.store.known import described, read_known
from papertrack.store.lookup import citekey_of, field_sources, find_papers, get_paper
from papertrack.store.papers import keep_original
from papertrack.store.states import add_tags, decide, rate, remove_tags, set_passes
from papertrack.store.store import Store
from papertrack.store.versions import TakenItem, is_made_name, removed_items, set_added, taken_items
from papertrack.sync.bibtex.linking import BibLinker, Grouping
from papertrack.sync.bibtex.reading import BibItem
from papertrack.sync.format import ImportNotes
from papertrack.sync.items import Resolver
from papertrack.sync.report import ImportReport, Merged, SkippedItem
from papertrack.sync.threeway import Fields, Values, merge
from papertrack.sync.threeway import Merged as MergedFields
from papertrack.text import clean, few, fold, plural, shorten, title_key, valid_moment

_SHORT = 80
"""Values of at least this many characters are kept as a digest."""
_FIELDS = Fields(sets=("tags", "categories"))
_MOST_AUTHORS = 10
"""The most authors whose names are searched on the first page of a PDF."""
_ANOTHER = object()
"""A last value that no field has, so that the field counts as changed in the library."""
_Made = dict[str, str | None]
"""The files made from an item, by name, and the targets of those that are links."""


def record_of(item: Item, made: Mapping[str, str | None]) -> str:
    """Return the record to keep of an item.

    ``made`` maps the names of the files made from it to link targets.
    """
    return json.dumps({"made": dict(made), "said": content_of(item)}, ensure_ascii=False)


def content_of(item: Item) -> dict[str, Any]:
    """Return an item's content, with long values as digests, as it reads back from JSON."""
    facts = item.facts
    return {
        "fields": {name: digest_of(getattr(facts, name)) for name in papers.known_fields(facts)},
        "identifiers": [f"{id.scheme}:{id.value}" for id in facts.identifiers],
        "links": [digest_of(link) for link in facts.links],
        "tags": list(item.tags),
        "automatic_tags": list(item.automatic_tags),
        "categories": [list(path) for path in item.categories],
        "statuses": list(item.statuses),
        "passes": item.passes,
        "rating": item.rating,
        "notes": {note.key: digest_of(note.text) for note in item.notes},
        "quotes": {note.key: [*note.annotations] for note in item.notes if note.annotations},
        "files": {file.key: str(file.path or "") for file in item.files},
    }


def digest_of(value: object) -> str:
    """Return a short value itself, and of a long one its digest."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    if len(text) <= _SHORT:
        return text
    return f"sha256:{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:24]}"


def tags_of(content: Mapping[str, Any]) -> list[str]:
    """Return the user's own tags of an item, then the automatic ones with a prefix."""
    return [*content.get("tags", ()), *(f"auto:{tag}" for tag in content.get("automatic_tags", ()))]


def _note_of(key: str, made: Mapping[str, str | None]) -> str | None:
    """Return the file that was made from a note."""
    end = f"-{file_stem(key)}.md"
    names = (name for name in made if name.startswith("notes/") and name.endswith(end))
    return next(names, None)


def _values(content: Mapping[str, Any]) -> Values:
    """Return an item's content by field, for the three-way engine."""
    return {
        **content.get("fields", {}),
        "rating": content.get("rating"),
        "tags": tags_of(content),
        "categories": content.get("categories", []),
    }


class Meaning(NamedTuple):
    """What a word means here."""

    decision: Decision = "saved"
    passes: int = 0

    def __str__(self) -> str:
        return f"pass {self.passes}" if self.passes else self.decision


_WORDS: Mapping[str, Meaning] = {
    **dict.fromkeys(("new", "inbox", "unsorted"), Meaning("inbox")),
    **dict.fromkeys(("to read", "unread", "not read", "want to read", "todo"), Meaning("saved")),
    **dict.fromkeys(("in progress", "reading", "skimmed", "started"), Meaning(passes=1)),
    **dict.fromkeys(("read", "done", "finished", "completed"), Meaning(passes=2)),
    **dict.fromkeys(("not reading", "abandoned", "rejected"), Meaning("discarded")),
}
"""The meanings of words in status fields of tools and their plug-ins.

A paper that is being read has a first pass, and one that was read a second.
"""


class Statuses:
    """The table of words and meanings."""

    def __init__(self, mappings: Sequence[str] = ()) -> None:
        """``mappings`` are the user's own meanings: ``to read=saved``. Raises UsageError."""
        self._own = dict(map(_parse, mappings))

    def of(self, item: Item) -> Meaning | None:
        """Return what an item's words mean: the most passes, or else the first decision.

        Words that the user mapped are also looked up among tags and categories.
        """
        words = [_word(status) for status in item.statuses]
        meanings = [_WORDS[word] for word in words if word in _WORDS and word not in self._own]
        meanings += [self._own[word] for word in (*words, *_named(item)) if word in self._own]
        return max(meanings, key=attrgetter("passes")) if meanings else None

    def table(self, items: Iterable[Item]) -> list[tuple[str, int, str]]:
        """Return the words in use, how many items have each, and its meaning."""
        counted: Counter[str] = Counter()
        for item in items:
            counted.update({_word(status) for status in item.statuses})
            counted.update({*_named(item)} & self._own.keys())
        meanings = {**_WORDS, **self._own}
        return [
            (word, number, str(meanings.get(word, "nothing yet: set it with --map")))
            for word, number in counted.most_common()
        ]


def _named(item: Item) -> list[str]:
    """Return an item's tags and categories, where words that the user mapped are looked up."""
    categories = (path[-1] for path in item.categories)
    return [*map(_word, (*item.tags, *item.automatic_tags, *categories))]


def _parse(text: str) -> tuple[str, Meaning]:
    word, equals, meaning = text.rpartition("=")
    meaning = _word(meaning).removeprefix("pass ").removeprefix("pass")
    if equals and _word(word):
        for decision in DECISIONS:
            if meaning == decision:
                return _word(word), Meaning(decision)
        if meaning in map(str, PASSES):
            return _word(word), Meaning(passes=int(meaning))
    raise UsageError(
        f"--map {text!r} has no meaning: write WORD=MEANING, such as 'to read=saved', with one of "
        f"{few([*DECISIONS, 'pass 1', 'pass 2', 'pass 3'], shown=6)}."
    )


def _word(text: str) -> str:
    return " ".join(fold(clean(text)).replace("_", " ").replace("-", " ").split()).lower()


Progress = Callable[[int, int, str], None]
"""Called with the number of items done, their total, and the current step."""
_STEP = 250
"""Progress is reported each time this many items are done."""
_T = TypeVar("_T")
REMOVED = "you removed it here"


def import_source(
    store: Store,
    library: Library,
    name: str,
    source: Source,
    *,
    meanings: Meanings | None = None,
    statuses: Statuses | None = None,
    is_copying: bool = False,
    progress: Progress = lambda done, total, doing: None,
) -> ImportReport:
    """Import all items of a source, as one action that can be undone.

    Notes become files in the library; other files are linked from its PDF folder, or copied.
    ``meanings`` maps colours of annotations to their meanings. Raises PapertrackError if a file
    cannot be made; then nothing is imported.
    """
    for place, item in enumerate(source.items):
        notes = tuple(_with_quotes(note, meanings or {}) for note in item.notes)
        source.items[place] = replace(item, notes=notes)
    with store.action("import", name) as action:
        run = _ItemImport(store, library, source, statuses or Statuses(), is_copying, progress)
        run.take()
        added, changed = changed_papers(store, action.id)
        new = plural(len(added), "new paper")
        action.summary = f"{name} ({source.tool}): {new}, {len(changed)} changed"
    files = "copied_files" if is_copying else "linked_files"
    counts = {**source.counts, files: run.file_import.finish()}
    papers = set(run.papers.values())
    missing = [file.title for item in source.items for file in item.files if file.problem]
    many = plural(len(missing), "attachment")
    about = [f"The files of {many} are not available: {few(missing)}."] if missing else []
    return ImportReport(
        file=name,
        papers_new=len(added),
        papers_changed=len(changed & papers),
        papers_unchanged=len(papers - added - changed),
        entries=len(source.items),
        skipped=tuple(run.skipped),
        is_first=not run.imports,
        items=source.count,
        imported=run.imported,
        merged=tuple(run.merged),
        merged_items=run.merged_items,
        counts=counts,
        categories=tuple(map(format_path, source.categories)),
        told=(*source.notices, *about, *run.notices),
    )


@dataclass(slots=True)
class _ItemImport:
    store: Store
    library: Library
    source: Source
    statuses: Statuses
    is_copying: bool
    progress: Progress
    file_import: FileImport = field(init=False)
    imports: Mapping[str, TakenItem] = field(default_factory=dict)
    papers: dict[str, int] = field(default_factory=dict)
    """The paper of each item, by the item's key."""
    imported: int = 0
    merged: list[Merged] = field(default_factory=list)
    merged_items: int = 0
    skipped: list[SkippedItem] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)

    def take(self) -> None:
        """Import each item, or count it as skipped."""
        self.imports = taken_items(self.store, self.source.tool)
        removed = removed_items(self.store, self.source.tool) - self.imports.keys()
        for number, skip in enumerate(self.source.left_out, start=1):
            self.skipped.append(SkippedItem(number, skip.reason, shorten(skip.name), skip.key))
        ensure_categories(self.store, self.source.categories)
        fresh, again = [], []
        for item in self.source.items:
            if item.key in self.imports:
                again.append(item)
            elif item.key in removed:
                self._skip_whole(item, REMOVED)
            else:
                fresh.append(item)
        self.file_import = FileImport(self.store, self.library, self.is_copying)
        self._import_new(fresh)
        for item in self._with_progress(again, "looking for changes"):
            old = self.imports[item.key]
            self.papers[item.key] = old.paper_id
            if old.record.get("said") != content_of(item):
                item = self._update(item, old)
            self._count(item, old.paper_id, is_new=False)
        self.file_import.put_in_place()

    def _entries_of(
        self, items: Sequence[Item]
    ) -> tuple[list[Item], list[Meaning | None], list[BibItem]]:
        """Return the items that can become papers, their states, and the items as entries."""
        papers_by_key = {item.key: _papers_of_title(self.store, item) for item in items}
        items = [item for item in items if not self._is_unknown(item, papers_by_key[item.key])]
        meanings = [self.statuses.of(item) for item in items]
        entries = [
            _entry_of(number, item, meaning, *papers_by_key[item.key])
            for number, (item, meaning) in enumerate(zip(items, meanings, strict=True))
        ]
        return items, meanings, entries

    def _import_new(self, items: Sequence[Item]) -> None:
        if not items:
            return
        items, meanings, entries = self._entries_of(items)
        notes, tool = ImportNotes(), self.source.tool
        looking = self._with_progress(entries, "matching with your papers")
        grouped = Grouping(self.store, entries, looking)
        old_ids = {work.paper_id for work in grouped.works}
        linker = BibLinker(self.store, tool, notes, grouped=grouped)
        links = linker.link(entries, Resolver(self.store, tool, None))
        self.notices += [f"{notice.text}: {notice.reason}" for notice in notes.notices]
        done_ids: set[int] = set()
        counted = self._with_progress(items, "writing notes and links")
        for linked, item, meaning in zip(links, counted, meanings, strict=True):
            paper_id = linked.paper_id
            is_new = paper_id not in old_ids and paper_id not in done_ids
            done_ids.add(paper_id)
            self.papers[item.key] = paper_id
            imported = self._complete_paper(item, paper_id, meaning if is_new else None)
            self._count(imported, paper_id, is_new=is_new)
        self._set_dates(items, old_ids)

    def _is_unknown(self, item: Item, papers: Sequence[Paper]) -> bool:
        """Skip a PDF whose paper cannot be identified; return whether it was skipped."""
        has_name = item.facts.title or item.facts.identifiers or not item.titles
        if len(papers) == 1 or (has_name and not papers):
            return False
        ways = few([f"`papertrack pdf add FILE --to {paper.citekey}`" for paper in papers])
        reason = f"its title is that of several papers; choose one: {ways}" if papers else NOTHING
        if self.source.count == 1:
            raise DocumentError(f"{item.name}: {reason}. It was not imported.")
        self._skip_whole(item, reason)
        return True

    def _with_progress(self, values: Sequence[_T], doing: str) -> Iterator[_T]:
        """Yield each item, reporting progress."""
        for done, value in enumerate(values, start=1):
            yield value
            if done % _STEP == 0 or done == len(values):
                self.progress(done, len(values), doing)

    def _complete_paper(self, item: Item, paper_id: int, meaning: Meaning | None) -> Item:
        """Give a paper the item's notes and files, and a new paper its decision.

        Returns the item without what could not be read.
        """
        if meaning is not None and meaning.decision != "saved":
            decide(self.store, paper_id, meaning.decision)
        made: _Made = {}
        imported = self._make_parts(item, paper_id, {}, made)
        if made or imported is not item:  # Otherwise the stored record is already right.
            record = record_of(imported, made)
            keep_original(self.store, paper_id, f"{self.source.tool}:{item.key}", record)
        return imported

    def _make_parts(self, item: Item, paper_id: int, then: Mapping[str, Any], made: _Made) -> Item:
        """Make the notes and files of an item that are new since ``then``.

        Adds them to ``made``. Returns the item without those that could not be read.
        """
        if not item.notes and not item.files:
            return item
        files = then.get("files") or {}
        self._give_notes(item.notes, paper_id, then, made)
        new = [file for file in item.files if files.get(file.key, "") != str(file.path or "")]
        linked = self.file_import.files(citekey_of(self.store, paper_id), new)
        # New files replace links whose targets no longer exist.
        moved = [name for name, to in made.items() if to and not access(to, F_OK)]
        for name in moved if linked.names else ():
            del made[name]
        made |= linked.names
        self.notices += linked.notices()
        # The next import tries unreadable files again.
        return item.without(linked.problems) if linked.problems else item

    def _give_notes(
        self, notes: Iterable[ItemNote], paper_id: int, then: Mapping[str, Any], made: _Made
    ) -> None:
        old_digests, quotes = then.get("notes") or {}, then.get("quotes") or {}
        for note in notes:
            if not note.text or old_digests.get(note.key) == digest_of(note.text):
                continue
            name = _note_of(note.key, made)
            if name is None and note.key in old_digests:
                continue  # The user removed the note from the paper.
            if name is None:
                citekey = citekey_of(self.store, paper_id)
                name = self.file_import.note(self.source.tool, citekey, note.key, note.text)
                papers.add_note(self.store, paper_id, name)
                made[name] = None
            elif not self.file_import.rewrite(name, note, frozenset(quotes.get(note.key, ()))):
                conflict = f"{name} was changed on both sides: your version here was kept"
                self.notices.append(clean(conflict))

    def _update(self, item: Item, old: TakenItem) -> Item:
        """Import what changed in an item; return it without what could not be read."""
        store, facts = self.store, item.facts
        paper, then = get_paper(store, old.paper_id), old.record.get("said") or {}
        merged = self._merged(item, paper, then)
        self._write(item, paper.id, merged)
        owners = find_papers(store, facts.identifiers)
        free = [id for id in facts.identifiers if owners.get(id, paper.id) == paper.id]
        papers.add_identifiers(store, paper.id, free)
        papers.add_links(store, paper.id, facts.links)
        files = dict(old.record.get("made") or {}).items()
        made = {name: target for name, target in files if is_made_name(name)}
        imported = self._make_parts(item, paper.id, then, made)
        keep_original(store, paper.id, f"{self.source.tool}:{item.key}", record_of(imported, made))
        if stays := sorted(merged.open - {"passes", "rating"}):
            self.notices.append(f"{paper.citekey}: your {few(stays)} here was kept")
        return imported

    def _merged(self, item: Item, paper: Paper, old: Mapping[str, Any]) -> MergedFields:
        """Return what changed in the item since ``old``, as far as it should be imported.

        A field of the library counts as unchanged, unless the user or a better source set it.
        Nothing lowers the reading progress.
        """
        content, meaning = content_of(item), self.statuses.of(item)
        base, file = _values(old), _values(content)
        file["passes"] = max(item.passes, meaning.passes if meaning else 0)
        progress = [(state.get("statuses"), state.get("passes")) for state in (old, content)]
        base["passes"] = file["passes"] if progress[0] == progress[1] else None
        facts = {name: getattr(paper.facts, name) for name in papers.known_fields(paper.facts)}
        now: Values = {
            **{name: digest_of(value) for name, value in facts.items()},
            "passes": paper.passes_done,
            "rating": paper.rating,
            "tags": list(paper.tags),
            "categories": [list(path) for path in paper.categories],
        }
        sources = field_sources(self.store, paper.id)
        then = dict(now, rating=base["rating"])
        for name in old.get("fields", {}) | content["fields"]:
            source = sources.get(name)
            if source == READER or (source != self.source.tool and name in facts):
                then[name] = _ANOTHER
        return merge(_FIELDS, base, file, then, now, lambda *_: None, held=("passes",))

    def _write(self, item: Item, paper_id: int, merged: MergedFields) -> None:
        store = self.store
        for name, value in merged.scalars.items():
            if name == "passes":
                set_passes(store, paper_id, value)
            elif name == "rating":
                rate(store, paper_id, value)
            else:
                value = getattr(item.facts, name)
                papers.edit_paper(store, paper_id, name, value, source=self.source.tool)
        remove_tags(store, [paper_id], merged.removed.get("tags", ()))
        add_tags(store, [paper_id], merged.added.get("tags", ()))
        for path in merged.removed.get("categories", ()):
            take_out_of_category(store, paper_id, tuple(path))
        for path in merged.added.get("categories", ()):
            put_in_category(store, [paper_id], tuple(path))

    def _set_dates(self, items: Sequence[Item], old_ids: set[int | None]) -> None:
        dates: dict[int, str] = {}
        for item in items:
            paper_id = self.papers[item.key]
            added = valid_moment(item.added or "")
            if added and paper_id not in old_ids:
                dates[paper_id] = min(added, dates.get(paper_id, added))
        set_added(self.store, dates.items())

    def _count(self, item: Item, paper_id: int, *, is_new: bool) -> None:
        lost = [file for file in item.files if file.problem and file.stands_for]
        for file in lost:
            self._skip(file.key, file.title, file.problem)
        parts = sum(note.stands_for for note in item.notes)
        parts += sum(file.stands_for for file in item.files) - len(lost)
        if item.key in self.imports:
            self.merged_items += item.stands_for + parts
            return
        self.imported += parts
        if is_new:
            self.imported += item.stands_for
            return
        self.merged_items += item.stands_for
        self.merged.append(Merged(item.key, shorten(item.name), citekey_of(self.store, paper_id)))

    def _skip_whole(self, item: Item, reason: str) -> None:
        """Count an item as skipped, with everything that belongs to it."""
        parts = [(item.key, item.name, item.stands_for)]
        parts += [(note.key, item.name, note.stands_for) for note in item.notes]
        parts += [(file.key, file.title, file.stands_for) for file in item.files]
        for key, name, count in parts:
            for _ in range(count):
                self._skip(key, name, reason)

    def _skip(self, key: str, name: str, reason: str) -> None:
        self.skipped.append(SkippedItem(len(self.skipped) + 1, reason, shorten(name), key))


def _papers_of_title(store: Store, item: Item) -> list[Paper]:
    """Return the papers that a PDF names by title and by an author.

    Returns none for an item that is not a PDF, or whose identifier the library knows.
    """
    if not item.titles or find_papers(store, item.facts.identifiers):
        return []
    papers = read_known(store, (), filter(None, map(title_key, item.titles)))
    hits = ([paper for paper in papers if _is_titled(item, title, paper)] for title in item.titles)
    return next(filter(None, hits), [])


def _is_titled(item: Item, title: str, paper: Paper) -> bool:
    """Return whether a PDF with this title is a paper, judged by the authors on its first page.

    If the authors are unknown, only the PDF's own title counts: a page may name other works.
    """
    if not paper.facts.authors and title_key(title) != title_key(item.facts.title or title):
        return False
    people, words = people_of(paper.facts.authors[:_MOST_AUTHORS]), {*words_of(item.page).split()}
    names = {words_of(person.family).rpartition(" ")[2] for person in people}
    if item.page and names and words.isdisjoint(names):
        return False
    pdf = Description(item.facts._replace(title=title, authors=paper.facts.authors))
    return judge(described(paper), pdf, has_key=True).answer is Answer.SAME


def _with_quotes(note: ItemNote, meanings: Meanings) -> ItemNote:
    """Return a note with its annotations in its text."""
    quotes = quotes_of(note.annotations, meanings)
    return replace(note, text=set_highlights(note.text, quotes, frozenset()).text, quotes=quotes)


@dataclass(frozen=True, kw_only=True)
class _ItemEntry(BibEntry):
    """An item of another tool in the form of a .bib entry, with given facts."""

    facts: PaperFacts


def _entry_of(
    number: int, item: Item, meaning: Meaning | None, paper: Paper | None = None
) -> BibItem:
    """Return an item as a .bib entry, for matching and adding papers.

    With a ``paper``, the entry gets that paper's title, authors and key.
    """
    record, facts, citekeys = record_of(item, {}), item.facts, item.citekeys
    if paper is not None:
        facts = facts._replace(title=paper.facts.title, authors=paper.facts.authors)
        citekeys = (paper.citekey, *citekeys)
    entry = _ItemEntry(
        citekey=citekeys[0] if citekeys else None,
        type=item.type,
        facts=facts,
        raw=record,
        span=(number, number),
        line=number + 1,
        whole=record,
        tags=tuple(tags_of(content_of(item))),
        categories=item.categories,
        passes_done=max(item.passes, meaning.passes if meaning else 0),
        rating=item.rating,
        citekey_aliases=citekeys[1:],
    )
    return BibItem(number, item.key, entry.line, (), "", entry, {})
