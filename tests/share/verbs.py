"""What a curator or a job may do to a shared library, drawn by lot: every verb that writes."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any
from unittest.mock import patch

from papertrack.actions import undo
from papertrack.actions.add import add_references
from papertrack.actions.cite.rekey import rekey_papers
from papertrack.actions.cite.showing import papers_to_copy
from papertrack.actions.document_settings import change_settings
from papertrack.actions.documents import import_file
from papertrack.actions.duplicates import call_different
from papertrack.actions.edit import edit_fields, parse_assignments
from papertrack.actions.enrich.run import enrich_paper
from papertrack.actions.enrich.suggestions import answer_suggestions, open_suggestions
from papertrack.actions.migrate.library_file import take_library
from papertrack.actions.notes import prepare_note
from papertrack.actions.online.published.proposals import keep_proposal
from papertrack.actions.organise import (
    add_category,
    change_path,
    merge_two_papers,
    move_papers,
    order_category,
    remove_category,
    remove_papers,
    rename_tag_everywhere,
    tag_papers,
)
from papertrack.actions.outputs import write_output
from papertrack.actions.ranking import wishes
from papertrack.actions.reading import (
    lay_aside,
    mark_pass,
    next_paper,
    set_decision,
    set_rating,
    take_papers_in_hand,
    unmark_pass,
)
from papertrack.actions.share.compact import compact_logs
from papertrack.actions.share.contradictions import read_contradictions, settle
from papertrack.actions.share.take import take_in_logs
from papertrack.actions.split import split_off
from papertrack.actions.triage import Told, change_labels, tell_of_pass
from papertrack.actions.watch.inbox import fill_inbox
from papertrack.actions.watch.match import WatchPlan, match_topics, ready_watchers
from papertrack.actions.watch.topics import create_topic, delete_topic, edit_topic
from papertrack.errors import PapertrackError
from papertrack.exporters.json import to_json
from papertrack.holdings import Announcement
from papertrack.library import Library
from papertrack.matching.publications import Evidence, Proposal
from papertrack.records import (
    Author,
    Decision,
    Identifier,
    Link,
    Paper,
    PaperFacts,
    Reading,
)
from papertrack.sources.source import SourceRecord
from papertrack.store.lookup import get_paper
from papertrack.store.share.lines import Line, read_lines
from papertrack.store.store import Store
from papertrack.store.watch.announcements import record_batch
from papertrack.sync.threeway import Prefer
from tests.share import with_readme
from tests.share.with_readme import BIB, LISTS, NAME

REFERENCES = [f"24{month:02d}.0000{n}" for month in (1, 2) for n in (1, 2, 3)]
POSTS = ["https://example.org/post/one", "https://example.org/post/two"]
PATHS = [("Serving",), ("Speculation",), ("New", "Deep"), ("New",), ("Serving", "Deep")]
MEETING = [("Both",), ("Both", "Deep"), ("Speculation",), ("New",)]
"""Paths to which several devices rename different categories."""
DECISIONS: list[Decision] = ["saved", "discarded", "inbox"]
WHY = [None, "why"]
EDITS = [
    *("title=T", "title=U", "venue=V", "doi=10.1000/x", "code=https://github.com/a/b"),
    *("citekey=mine2024", "authors=Ada Abara; Bo Chen", "year=2023", "kind=post", "abstract=A."),
    *("url=https://example.org/post/one", "arxiv=2401.00009", "note=notes/own.md", "code="),
]
TOPICS = ("Decoding", "Caches")
WORDS = ("speculative", "cache", "moe")
NUMBER = (1, 2, 3)


@dataclass
class Device:
    """A machine with its own copy of the library."""

    name: str
    library: Library
    store: Store
    takeaways: set[str] = field(default_factory=set)
    left_out: list[Line] = field(default_factory=list)
    """What its log said before it was made shorter."""

    @property
    def environ(self) -> dict[str, str]:
        return {"PAPERTRACK_DEVICE": self.name}

    def look(self) -> Any:
        return take_in_logs(self.store, self.library, self.environ)

    @property
    def readme(self) -> Path:
        return self.library.root / NAME

    @property
    def files(self) -> dict[str, str]:
        """What stands in the lists and in the notes."""
        root = self.library.root
        paths = [*(root / name for name in LISTS), *sorted(root.glob("notes/*.md"))]
        there = (path for path in paths if path.exists())
        return {str(path.relative_to(root)): path.read_text(encoding="utf-8") for path in there}

    def sync_files(self, prefer: Prefer = None) -> None:
        """As ``papertrack sync`` does, once what others did was taken in."""
        with suppress(PapertrackError):
            with_readme.bring_in_step(self.store, self.library, prefer)


Verb = Callable[[Device, random.Random], Any]


def paper_of(store: Store, choose: random.Random) -> int:
    ids = store.select_column("SELECT id FROM papers ORDER BY id")
    if not ids:
        raise PapertrackError("There is no paper.")
    return int(choose.choice(ids))


def add(device: Device, choose: random.Random) -> None:
    decision: Decision = "inbox" if device.name == "job" else "saved"
    reference = choose.choice(REFERENCES + POSTS)
    add_references(device.store, [reference], category=choose.choice(PATHS), decision=decision)


def read(device: Device, choose: random.Random) -> None:
    paper, number = paper_of(device.store, choose), choose.choice([None, 1, 2, 3])
    about: dict[str, Any] = choose.choice(
        [{}, {"minutes": 5}, {"version": 2}, {"at": "2026-01-01"}]
    )
    takeaway = f"{device.name} {choose.random()}"
    mark_pass(device.store, [paper], number, takeaway=takeaway, **about)
    device.takeaways.add(takeaway)


def tell(device: Device, choose: random.Random) -> None:
    """Say more of a pass that was recorded: the former takeaway gives way."""
    told = Told(choose.choice([None, 7]), f"{device.name} {choose.random()}")
    if tell_of_pass(device.store, paper_of(device.store, choose), choose.choice(NUMBER), told):
        device.takeaways.add(told.takeaway or "")


def enrich(device: Device, choose: random.Random) -> None:
    """What a source says of a paper of arXiv, some of it otherwise than the reader."""
    paper = get_paper(device.store, paper_of(device.store, choose))
    arxiv_id = paper.facts.identifier("arxiv") or choose.choice(REFERENCES)
    identifier = Identifier("arxiv", arxiv_id)
    facts = PaperFacts(
        title=f"On {choose.choice(WORDS)} {arxiv_id}",
        authors=tuple(
            Author(name) for name in choose.sample(["Ada Abara", "Bo Chen", "Cy Diaz"], 2)
        ),
        abstract=f"We study {choose.choice(WORDS)}.",
        version=choose.choice([1, 2, 3]),
        submitted="2024-01-05",
        updated=choose.choice(["2024-01-05", "2024-02-06"]),
        primary_category="cs.LG",
        arxiv_categories=("cs.LG", "cs.CL"),
        identifiers=(identifier, *choose.choice([(), (Identifier("doi", "10.1000/x"),)])),
        links=choose.choice([(), (Link("code", "https://github.com/a/c"),)]),
    )
    with device.store.action("enrich", paper.citekey):
        enrich_paper(device.store, paper.id, SourceRecord(identifier, facts, "arxiv-api"))


def look_for_publication(device: Device, choose: random.Random) -> None:
    venue = choose.choice(["ICML", "NeurIPS"])
    doi = choose.choice([None, "10.1000/x", "10.1000/y"])
    proposal = Proposal(
        *(Evidence.TITLE, venue, 2024, doi, "inproceedings"),
        *((("booktitle", venue),), (), ("dblp",)),
    )
    with device.store.action("published", venue):
        keep_proposal(device.store, paper_of(device.store, choose), proposal)


def answer(device: Device, choose: random.Random) -> None:
    found = [one.id for one in open_suggestions(device.store)]
    if found:
        number = choose.choice(found)
        accept, reject = choose.choice([([number], []), ([], [number])])
        answer_suggestions(device.store, accept=accept, reject=reject)


def watch(device: Device, choose: random.Random) -> None:
    """What the nightly look does once arXiv has answered."""
    day = date(2026, 1, choose.randint(5, 9))
    batch = [
        Announcement(
            arxiv_id,
            1,
            "new",
            PaperFacts(
                title=f"On {choose.choice(WORDS)} {arxiv_id}",
                abstract=f"We study {choose.choice(WORDS)}.",
                authors=(Author("Ada Abara"),),
                primary_category="cs.LG",
                arxiv_categories=("cs.LG",),
                identifiers=(Identifier("arxiv", arxiv_id),),
            ),
        )
        for arxiv_id in choose.sample(REFERENCES, 2)
    ]
    record_batch(device.store, "cs.LG", batch, day=day, source="feed")
    with device.store.action("watch", "into the inbox"):
        watchers, _ = ready_watchers(device.store, WatchPlan(("cs.LG",), 30))
        match_topics(device.store, watchers, since=None)
        fill_inbox(device.store, [one.topic for one in watchers])


def write_note(device: Device, choose: random.Random) -> None:
    """Write on in a paper's note, at its end."""
    note = prepare_note(device.store, device.library, paper_of(device.store, choose))
    with note.path.open("a", encoding="utf-8") as file:
        file.write(f"A thought of {device.name}, {choose.randint(1, 10**6)}.\n")


def take_file(device: Device, choose: random.Random) -> None:
    """Import what some other library wrote: the same file, on whichever device."""
    assert not take_library(device.store, "friend.json", choose.choice(FRIENDS)).skipped


def split(device: Device, choose: random.Random) -> None:
    aliases = device.store.select_column("SELECT alias FROM citekey_aliases ORDER BY 1")
    if aliases:
        split_off(device.store, device.library, choose.choice(aliases))


def settle_one(device: Device, choose: random.Random) -> None:
    if found := read_contradictions(device.store):
        one = choose.choice(found)
        settle(device.store, [(one, choose.choice(one.devices))])


def write_out(device: Device, choose: random.Random) -> None:
    """Replace a file that papertrack did not write: undo puts it back."""
    path = device.library.database.parent / "out.txt"
    path.write_text(f"own {choose.random()}")
    write_output(device.store, device.library, path, b"written", is_forced=True)


def shorten_logs(device: Device, choose: random.Random) -> None:
    """Put the own log together, with the month that is still written; as years later."""
    logs = device.library.journal / device.name
    before = [line for path in logs.glob("*.log") for line in read_lines(path.read_bytes()).lines]
    store = device.store
    with (
        patch.object(store, "now", lambda: datetime(2026, 2, 1, tzinfo=UTC)),
        # What is left out is kept below.
        patch("papertrack.actions.share.compact.uncommitted", return_value=[]),
    ):
        compact_logs(store, device.library, "2026-02")
    device.left_out += before


def label(device: Device, choose: random.Random) -> None:
    wanted: Mapping[str, bool] = {
        choose.choice(["#a", "#b", "New", "Serving/Deep"]): choose.random() < 0.6 for _ in range(2)
    }
    change_labels(device.store, [paper_of(device.store, choose)], wanted)


def undo_any(device: Device, choose: random.Random) -> None:
    """Take back one of the last acts, also of others."""
    ids = device.store.select_column("SELECT id FROM actions ORDER BY id DESC LIMIT 8")
    if ids:
        undo.undo(device.store, device.library, choose.choice(ids))


def _friends(*arxiv_ids: str) -> str:
    """What a friend's library exported."""
    return to_json(
        Paper(
            number,
            f"friend{arxiv_id[-1]}",
            PaperFacts(
                title=f"By a friend {arxiv_id}",
                identifiers=(Identifier("arxiv", arxiv_id),),
                authors=(Author("Cy Diaz"),),
            ),
            "2025-03-01T10:00:00+00:00",
            passes_done=1,
            readings=(Reading(1, "2025-03-01T10:00:00+00:00", 30, takeaway=f"Of {arxiv_id}."),),
            categories=(("New",),),
            tags=("friend",),
        )
        for number, arxiv_id in enumerate(arxiv_ids, 1)
    )


FRIENDS = [_friends("2401.00001", "2401.00007"), _friends("2401.00001")]


def some(device: Device, choose: random.Random, most: int = 3) -> list[int]:
    ids = device.store.select_column("SELECT id FROM papers ORDER BY id")
    return choose.sample(ids, min(len(ids), choose.randint(1, most)))


VERBS: list[Verb] = [
    *[add] * 5,
    *[read] * 5,
    tell,
    enrich,
    enrich,
    look_for_publication,
    answer,
    watch,
    take_file,
    split,
    settle_one,
    settle_one,
    label,
    shorten_logs,
    shorten_logs,
    undo_any,
    lambda d, r: unmark_pass(d.store, [paper_of(d.store, r)], r.randint(1, 3)),
    lambda d, r: set_decision(d.store, some(d, r), r.choice(DECISIONS), reason=r.choice(WHY)),
    lambda d, r: set_rating(d.store, [paper_of(d.store, r)], r.choice([None, 1, 3, 5])),
    lambda d, r: tag_papers(d.store, some(d, r), add=[r.choice("abcD")]),
    lambda d, r: tag_papers(d.store, [paper_of(d.store, r)], remove=[r.choice("abcd")]),
    lambda d, r: rename_tag_everywhere(d.store, r.choice("abc"), r.choice("abcd")),
    lambda d, r: move_papers(d.store, some(d, r), r.choice(PATHS)),
    lambda d, r: move_papers(d.store, [paper_of(d.store, r)], r.choice(PATHS), is_added=True),
    lambda d, r: edit_fields(d.store, paper_of(d.store, r), parse_assignments([r.choice(EDITS)])),
    lambda d, r: edit_fields(d.store, paper_of(d.store, r), parse_assignments([r.choice(EDITS)])),
    lambda d, r: remove_papers(d.store, [paper_of(d.store, r)]),
    lambda d, r: merge_two_papers(d.store, paper_of(d.store, r), paper_of(d.store, r)),
    lambda d, r: call_different(d.store, paper_of(d.store, r), paper_of(d.store, r)),
    lambda d, r: rekey_papers(d.store, None),
    lambda d, r: papers_to_copy(d.store, some(d, r)),
    lambda d, r: next_paper(d.store, limit=5),
    lambda d, r: take_papers_in_hand(d.store, some(d, r), limit=5, is_forced=True),
    lambda d, r: lay_aside(d.store, some(d, r)),
    lambda d, r: wishes.wish(d.store, some(d, r), r.choice(["more", "less", None])),
    lambda d, r: wishes.forget(d.store, r.choice(WORDS)),
    lambda d, r: wishes.recall(d.store, r.choice(WORDS)),
    lambda d, r: add_category(d.store, r.choice([("New", "Other"), ("Else",)])),
    lambda d, r: change_path(d.store, r.choice(PATHS), (f"Renamed by {d.name}",)),
    lambda d, r: change_path(d.store, r.choice([*PATHS, *MEETING]), r.choice(MEETING)),
    lambda d, r: order_category(d.store, r.choice(PATHS), "first"),
    lambda d, r: remove_category(d.store, r.choice(PATHS)),
    lambda d, r: create_topic(d.store, r.choice(TOPICS), r.choice(WORDS)),
    lambda d, r: create_topic(d.store, r.choice(TOPICS), r.choice(WORDS), category=r.choice(PATHS)),
    lambda d, r: edit_topic(d.store, r.choice(TOPICS), query=r.choice(["x", "y"])),
    lambda d, r: edit_topic(d.store, r.choice(TOPICS), is_paused=r.choice([True, False])),
    lambda d, r: delete_topic(d.store, r.choice(TOPICS)),
    *[lambda d, r: undo.undo(d.store, d.library)] * 2,
    *[lambda d, r: undo.redo(d.store, d.library)] * 2,
]


def place(choose: random.Random) -> tuple[str, ...]:
    return choose.choice([*PATHS, *MEETING, ("Both", "Deep", "Deeper")])


PLACES: list[Verb] = [
    add,
    read,
    lambda d, r: move_papers(d.store, [paper_of(d.store, r)], place(r)),
    lambda d, r: move_papers(d.store, [paper_of(d.store, r)], place(r)),
    lambda d, r: change_path(d.store, place(r), place(r)),
    lambda d, r: change_path(d.store, place(r), place(r)),
    lambda d, r: change_path(d.store, place(r), place(r)),
    lambda d, r: add_category(d.store, place(r)),
    lambda d, r: order_category(d.store, place(r), "first"),
    lambda d, r: remove_category(d.store, place(r)),
    lambda d, r: remove_papers(d.store, [paper_of(d.store, r)]),
    lambda d, r: create_topic(d.store, r.choice("TU"), r.choice(["moe", "cache"])),
    lambda d, r: edit_topic(d.store, r.choice("TU"), new_name=r.choice("TUV")),
    lambda d, r: delete_topic(d.store, r.choice("TUV")),
    lambda d, r: d.store.undo(),
    lambda d, r: d.store.redo(),
]
"""What is done to categories and topics, so that many end up at one place, or in each other."""

BY_HAND: list[Verb] = [
    *VERBS,
    *[write_note] * 3,
    write_out,
    *[lambda d, r: with_readme.edit_by_hand(d.readme, r)] * 12,
    *[lambda d, r: with_readme.edit_bib(d.library.root / BIB, r)] * 6,
    lambda d, r: change_settings(d.store, d.library, d.readme, {"order": "none"}),
    lambda d, r: change_settings(d.store, d.library, d.readme, {"order": None}),
    *[lambda d, r: d.sync_files()] * 6,
]
"""What is done to a library and to its lists."""

KINDS: Sequence[Sequence[Verb]] = (VERBS, PLACES, BY_HAND)


def begin_lists(device: Device) -> None:
    """Give a library a README and a .bib file."""
    for name, text in ((NAME, with_readme.README), (BIB, with_readme.REFERENCES)):
        path = device.library.root / name
        path.write_text(text, encoding="utf-8")
        import_file(device.store, device.library, path)
