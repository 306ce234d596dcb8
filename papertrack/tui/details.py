"""Everything that the library knows about a paper besides its abstract, as text for a pane."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from textual.content import Content

from papertrack.actions.ranking import shown_reasons
from papertrack.errors import PapertrackError
from papertrack.library import Library
from papertrack.library.files import read_file
from papertrack.library.paths import path_of_name
from papertrack.records import Paper
from papertrack.store.journal import LoggedAction, read_log
from papertrack.store.listing import ListedPaper
from papertrack.store.lookup import get_papers
from papertrack.store.store import Store
from papertrack.text import clean
from papertrack.tui import texts
from papertrack.tui.texts import PASS_NAMES, with_keys

_HISTORY = 12
_MAX_NOTE = 200_000
FIVE_CS = ("Category", "Context", "Correctness", "Contributions", "Clarity")
"""The five Cs that a first pass should answer: S. Keshav, How to Read a Paper (2007)."""

_C_LINE = re.compile(rf"^[-*#\s]{{0,8}}\**({'|'.join(FIVE_CS)})\**\s{{0,4}}:\**(.*)$")


@dataclass(frozen=True, slots=True)
class Details:
    """A paper with everything that the library knows about it."""

    paper: Paper
    reasons: list[tuple[str, str]]
    history: list[LoggedAction]
    note: str | None


def read_details(store: Store, library: Library, paper_ids: Sequence[int]) -> list[Details]:
    """Read what the library knows about papers, and their notes from the files."""
    return [
        Details(
            paper,
            shown_reasons(store, paper.id),
            read_log(store, paper_id=paper.id, limit=_HISTORY),
            read_note(library, paper),
        )
        for paper in get_papers(store, paper_ids)
    ]


def details_text(
    details: Details,
    like_it: Sequence[ListedPaper] = (),
    cites: Sequence[ListedPaper] = (),
    cited_by: Sequence[ListedPaper] = (),
) -> Content:
    """Return the text beside the abstract.

    It has passes, labels, links and history, then the papers that it cites, that cite it, and that
    are similar.
    """
    paper = details.paper
    answers = five_cs(details.note or "")
    cs = [f"{name:<14}{clean(answers.get(name, '·'))[:300]}" for name in FIVE_CS if answers]
    papers = [
        (name, texts.lines_of([f"{row.citekey}  {texts.line(row.title or '')}" for row in rows]))
        for name, rows in (("Cites", cites), ("Cited by", cited_by), ("Related", like_it))
    ]
    lines_of, labels = texts.lines_of, map(clean, texts.labels(paper))
    return texts.sections(
        [
            next_step(paper),
            ("Passes", texts.passes(paper)),
            ("Decision", texts.decision(paper)),
            ("Five Cs", lines_of(cs, if_empty="none; `e` starts a note with these questions")),
            ("Categories and tags", lines_of(labels, if_empty="none; `t` adds some")),
            ("Links", texts.links(paper)),
            ("Notes", lines_of(map(clean, paper.notes))),
            ("History", lines_of(map(texts.action_line, details.history))),
            # At the end, because they are found later: nothing above them moves.
            *papers,
        ]
    )


_STEPS = (
    "Five to ten minutes: title, abstract and introduction, headings, conclusion, references you "
    "know. Then you can answer the five Cs.",
    "Up to an hour: figures, diagrams and graphs; note the main points and which references to "
    "read, skip proofs.",
    "Several hours: re-create it in your mind, question every assumption, think how you would "
    "present it.",
)
"""What each pass is, after S. Keshav, How to Read a Paper (2007)."""


def next_step(paper: Paper) -> tuple[str, Content]:
    """Return what to do next with a paper, and the keys for it, under its name."""
    done = paper.passes_done
    if paper.decision == "inbox":
        return "Decide", with_keys(
            "`s` saves it for a first pass, `d` discards it, `x` discards it with a reason."
        )
    if paper.decision == "discarded" or done == len(_STEPS):
        return "Done with", with_keys("`r` rates it, `e` opens its note, `Y` copies its BibTeX.")
    number = done + 1
    keys = f"`O` opens the PDF, `m` starts the timer, `{number}` records the pass."
    return f"Next: {PASS_NAMES[done]} pass", with_keys(f"{_STEPS[done]}\n{keys}")


def read_note(library: Library, paper: Paper) -> str | None:
    """Return the text of the paper's first note, an error if it is lost, or None without one."""
    if not paper.notes:
        return None
    path = path_of_name(library, paper.notes[0])
    if not path.resolve().is_relative_to(library.root.resolve()):
        return f"(The note {path} is outside the library.)"
    try:
        return read_file(path)[:_MAX_NOTE].decode("utf-8", errors="replace")
    except PapertrackError as error:
        return f"({error})"


def five_cs(note: str) -> dict[str, str]:
    """Return the note's answers to the five Cs: the lines below each question, or after it.

    A question as in the template, with nothing below, has no answer.
    """
    answers: dict[str, str] = {}
    current: str | None = None
    for line in note.splitlines():
        if match := _C_LINE.match(line):
            current = match[1]
            inline = match[2].strip()
            answers[current] = "" if inline.endswith("?") else inline.partition("? ")[2] or inline
        elif current is None or line.startswith(("#", "- ", "* ")):
            current = None
        else:
            answers[current] = f"{answers[current]} {line.strip()}".strip()
    return {name: text for name, text in answers.items() if text}
