"""Import what changed in an item that was imported before, unless the reader changed it here.

What an item said is kept beside its paper, with the files that were made from it; changes since
then are merged by the three-way engine.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from papertrack.actions.migrate.made import Making
from papertrack.actions.migrate.statuses import Meaning
from papertrack.identifiers.citekeys import file_stem
from papertrack.importers.model import Item
from papertrack.records import READER, Paper
from papertrack.store import papers
from papertrack.store.categories import put_in_category, take_out_of_category
from papertrack.store.lookup import field_sources, find_papers, get_paper
from papertrack.store.originals import is_made_name
from papertrack.store.states import add_tags, rate, remove_tags, set_passes
from papertrack.store.store import Store
from papertrack.sync.threeway import Fields, Merged, Values, merge
from papertrack.text import clean, few

_SHORT = 80
"""Values of at least this many characters are kept as a digest."""
_FIELDS = Fields(sets=("tags", "categories"))
_ANOTHER = object()
"""Stands for the library's last value where somebody else changed it since."""


def record_of(item: Item, made: Mapping[str, str | None]) -> str:
    """Return the record to keep of an item, with the files ``made`` from it, by name, and link
    targets."""
    return json.dumps({"made": dict(made), "said": said_of(item)}, ensure_ascii=False)


def said_of(item: Item) -> dict[str, Any]:
    """Return what an item says, as it reads back from JSON."""
    facts = item.facts
    return {
        "fields": {name: digest_of(getattr(facts, name)) for name in papers.known_fields(facts)},
        "identifiers": [f"{one.scheme}:{one.value}" for one in facts.identifiers],
        "links": [digest_of(link) for link in facts.links],
        "tags": list(item.tags),
        "automatic_tags": list(item.automatic_tags),
        "categories": [list(path) for path in item.categories],
        "statuses": list(item.statuses),
        "passes": item.passes,
        "rating": item.rating,
        "notes": {note.key: digest_of(note.text) for note in item.notes},
        "files": {file.key: str(file.path or "") for file in item.files},
    }


def digest_of(value: object) -> str:
    """Return a short value itself, or the digest of a long one."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    if len(text) <= _SHORT:
        return text
    return f"sha256:{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:24]}"


def tags_of(said: Mapping[str, Any]) -> list[str]:
    """Return the reader's own tags of an item, and the others, which have a prefix."""
    return [*said.get("tags", ()), *(f"auto:{tag}" for tag in said.get("automatic_tags", ()))]


@dataclass(slots=True)
class Update:
    """One item that changed."""

    store: Store
    tool: str
    making: Making
    item: Item
    paper_id: int
    record: Mapping[str, Any]
    """The record of it from the last import."""

    def take(self, meaning: Meaning | None) -> list[str]:
        """Import what changed; return sentences about values that the library kept."""
        paper = get_paper(self.store, self.paper_id)
        then: Mapping[str, Any] = self.record.get("said") or {}
        merged = self._merged(paper, then, meaning)
        self._write(merged)
        facts = self.item.facts
        owners = find_papers(self.store, facts.identifiers)
        free = [one for one in facts.identifiers if owners.get(one, paper.id) == paper.id]
        papers.add_identifiers(self.store, paper.id, free)
        papers.add_links(self.store, paper.id, facts.links)
        made = {
            name: target
            for name, target in dict(self.record.get("made") or {}).items()
            if is_made_name(name)
        }
        told = list(self._take_notes(paper, then.get("notes") or {}, made))
        told += self._take_files(paper, then.get("files") or {}, made)
        text = record_of(self.item, made)
        papers.keep_original(self.store, self.paper_id, f"{self.tool}:{self.item.key}", text)
        if stays := sorted(merged.open - {"passes", "rating"}):
            told.append(f"{paper.citekey}: your {few(stays)} here was kept")
        return told

    def _merged(self, paper: Paper, said: Mapping[str, Any], meaning: Meaning | None) -> Merged:
        """Return what changed there since ``said``, as far as it should be imported.

        The library's value of a field counts as its last one, unless the reader or a better source
        set it. Nothing lowers the reading progress.
        """
        now_said = said_of(self.item)
        base, file = _values(said), _values(now_said)
        file["passes"] = max(self.item.passes, meaning.passes if meaning else 0)
        told = [(one.get("statuses"), one.get("passes")) for one in (said, now_said)]
        base["passes"] = file["passes"] if told[0] == told[1] else None
        known = {name: getattr(paper.facts, name) for name in papers.known_fields(paper.facts)}
        now: Values = {
            **{name: digest_of(value) for name, value in known.items()},
            "passes": paper.passes_done,
            "rating": paper.rating,
            "tags": list(paper.tags),
            "categories": [list(path) for path in paper.categories],
        }
        sources = field_sources(self.store, paper.id)
        then = dict(now, rating=base["rating"])
        for name in said.get("fields", {}) | now_said["fields"]:
            source = sources.get(name)
            if source == READER or (source != self.tool and name in known):
                then[name] = _ANOTHER
        return merge(_FIELDS, base, file, then, now, lambda *_: None, held=("passes",))

    def _write(self, merged: Merged) -> None:
        store, paper_id = self.store, self.paper_id
        for name, value in merged.scalars.items():
            if name == "passes":
                set_passes(store, paper_id, value)
            elif name == "rating":
                rate(store, paper_id, value)
            else:
                value = getattr(self.item.facts, name)
                papers.edit_paper(store, paper_id, name, value, source=self.tool)
        remove_tags(store, paper_id, merged.removed.get("tags", ()))
        add_tags(store, paper_id, merged.added.get("tags", ()))
        for path in merged.removed.get("categories", ()):
            take_out_of_category(store, paper_id, tuple(path))
        for path in merged.added.get("categories", ()):
            put_in_category(store, paper_id, tuple(path))

    def _take_notes(
        self, paper: Paper, then: Mapping[str, str], made: dict[str, str | None]
    ) -> Iterator[str]:
        for note in self.item.notes:
            if not note.text or then.get(note.key) == digest_of(note.text):
                continue
            name = _note_of(note.key, made)
            if name is None and note.key in then:
                continue  # The reader has taken it from the paper.
            if name is None:
                name = self.making.note(self.tool, paper.citekey, note.key, note.text)
                papers.add_note(self.store, paper.id, name)
                made[name] = None
            elif not self.making.rewrite(name, note.text):
                yield clean(f"{name} was changed on both sides: your version here was kept")

    def _take_files(
        self, paper: Paper, then: Mapping[str, str], made: dict[str, str | None]
    ) -> list[str]:
        new = [file for file in self.item.files if then.get(file.key, "") != str(file.path or "")]
        files = self.making.files(paper.citekey, new)
        made |= files.names
        # Such a one is new again the next time.
        self.item = self.item.without(files.problems)
        return files.told()


def _note_of(key: str, made: Mapping[str, str | None]) -> str | None:
    """Return the file that was made from a note."""
    end = f"-{file_stem(key)}.md"
    names = (name for name in made if name.startswith("notes/") and name.endswith(end))
    return next(names, None)


def _values(said: Mapping[str, Any]) -> Values:
    """Return what an item says, by field, for the three-way engine."""
    return {
        **said.get("fields", {}),
        "rating": said.get("rating"),
        "tags": tags_of(said),
        "categories": said.get("categories", []),
    }
