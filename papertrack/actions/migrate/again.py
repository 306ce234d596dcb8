"""An item that was taken before and says something else now: only that is taken, and only where the
reader has not said otherwise here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from papertrack.actions.migrate import records
from papertrack.actions.migrate.made import Making
from papertrack.actions.migrate.statuses import Meaning
from papertrack.category_paths import format_path
from papertrack.identifiers.citekeys import file_stem
from papertrack.importers.model import Item
from papertrack.records import READER, Paper
from papertrack.store import papers
from papertrack.store.categories import put_in_category, take_out_of_category
from papertrack.store.lookup import field_sources, find_papers, get_paper
from papertrack.store.states import add_tags, rate, remove_tags, set_passes
from papertrack.store.store import Store
from papertrack.text import clean, few


@dataclass(slots=True)
class Update:
    """One item that changed."""

    store: Store
    tool: str
    making: Making
    item: Item
    paper_id: int
    record: Mapping[str, Any]
    """What was kept of it last time."""

    def take(self, meaning: Meaning | None, tags: Sequence[str]) -> list[str]:
        """Take what changed; return sentences about what stays as it is here."""
        paper = get_paper(self.store, self.paper_id)
        then: Mapping[str, Any] = self.record.get("said") or {}
        stays = list(self._take_fields(paper, then.get("fields") or {}))
        self._take_names(paper)
        self._take_tags(tags, then)
        self._take_categories(paper, then.get("categories") or [])
        self._take_reading(paper, then, meaning)
        made = dict(self.record.get("made") or {})
        told = list(self._take_notes(paper, then.get("notes") or {}, made))
        told += self._take_files(paper, then.get("files") or {}, made)
        text = records.record_of(self.item, made)
        papers.keep_original(self.store, self.paper_id, f"{self.tool}:{self.item.key}", text)
        if stays:
            told.append(f"{paper.citekey}: {few(stays)} stays as you have it here")
        return told

    def _take_fields(self, paper: Paper, then: Mapping[str, str]) -> Iterator[str]:
        """Take fields that changed there, unless the reader or a better source gave them."""
        sources = field_sources(self.store, paper.id)
        now = records.said_of(self.item)["fields"]
        for name in sorted(now.keys() | then.keys()):
            if now.get(name) == then.get(name):
                continue
            value, present = (getattr(one, name) for one in (self.item.facts, paper.facts))
            if value == present:
                continue
            is_free = sources.get(name) == self.tool or present in (None, ())
            if is_free and sources.get(name) != READER:
                papers.edit_paper(self.store, paper.id, name, value, source=self.tool)
            else:
                yield name

    def _take_names(self, paper: Paper) -> None:
        facts = self.item.facts
        owners = find_papers(self.store, facts.identifiers)
        free = [one for one in facts.identifiers if owners.get(one, paper.id) == paper.id]
        papers.add_identifiers(self.store, paper.id, free)
        papers.add_links(self.store, paper.id, facts.links)

    def _take_tags(self, tags: Sequence[str], then: Mapping[str, Any]) -> None:
        before = [*then.get("tags", ())]
        before += [f"auto:{tag}" for tag in then.get("automatic_tags", ())]
        remove_tags(self.store, self.paper_id, [tag for tag in before if tag not in tags])
        add_tags(self.store, self.paper_id, [tag for tag in tags if tag not in before])

    def _take_categories(self, paper: Paper, then: Sequence[Sequence[str]]) -> None:
        before, now = {tuple(path) for path in then}, set(self.item.categories)
        for path in sorted(before - now):
            if path in paper.categories:
                take_out_of_category(self.store, paper.id, path)
        for path in sorted(now - before, key=format_path):
            put_in_category(self.store, paper.id, path)

    def _take_reading(self, paper: Paper, then: Mapping[str, Any], meaning: Meaning | None) -> None:
        """Take a status or a rating that is another one there."""
        item = self.item
        passes = max(item.passes, meaning.passes if meaning else 0)
        was = then.get("statuses"), then.get("passes")
        if was != (list(item.statuses), item.passes) and passes > paper.passes_done:
            set_passes(self.store, paper.id, passes)
        if item.rating != then.get("rating") and paper.rating == then.get("rating"):
            rate(self.store, paper.id, item.rating)

    def _take_notes(
        self, paper: Paper, then: Mapping[str, str], made: dict[str, str | None]
    ) -> Iterator[str]:
        for note in self.item.notes:
            if not note.text or then.get(note.key) == records.digest_of(note.text):
                continue
            name = self._name_of(note.key, made)
            if name is None and note.key in then:
                continue  # The reader has taken it from the paper.
            if name is None:
                name = self.making.note(self.tool, paper.citekey, note.key, note.text)
                papers.add_note(self.store, paper.id, name)
                made[name] = None
            elif not self.making.rewrite(name, note.text):
                yield clean(f"{name} was changed here and there: it stays as you have it here")

    def _name_of(self, key: str, made: Mapping[str, str | None]) -> str | None:
        """The file that was made of a note."""
        end = f"-{file_stem(key)}.md"
        names = [name for name in made if name.startswith("notes/")]
        return next((name for name in names if name.endswith(end)), None)

    def _take_files(
        self, paper: Paper, then: Mapping[str, str], made: dict[str, str | None]
    ) -> list[str]:
        new = [file for file in self.item.files if then.get(file.key, "") != str(file.path or "")]
        files = self.making.files(paper.citekey, new)
        made |= files.names
        # Such a one is new again the next time.
        self.item = self.item.without(files.problems)
        return files.told()
