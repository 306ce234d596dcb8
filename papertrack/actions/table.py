"""Tables that compare papers: their metadata, passes, takeaways and notes."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain

from papertrack.actions.cite.showing import papers_to_copy
from papertrack.actions.notes import QUESTIONS, get_note_path
from papertrack.documents.markdown.kept_tables import find_tables, in_markers
from papertrack.documents.note_highlights import meaning_above
from papertrack.errors import PapertrackError, UsageError
from papertrack.exporters.csv import COLUMNS, cells_of
from papertrack.exporters.table import FORMS
from papertrack.library import Library
from papertrack.library.files import read_file
from papertrack.queries.nodes import And, Not, Term, Text
from papertrack.queries.parser import parse_query
from papertrack.records import Paper
from papertrack.store.documents import RegisteredDocument
from papertrack.store.listing import ORDERS, find_ids
from papertrack.store.lookup import get_papers
from papertrack.store.records import is_shared
from papertrack.store.store import Store
from papertrack.text import clean, fold, shorten, strip_markup

_SHORT = {
    **{"key": "citekey", "link": "url", "date": "submitted", "category": "categories"},
    **{"pass": "passes_done", "arxiv": "arxiv_id"},
}
"""Names of columns beside those of `export --csv`."""
_OF_READINGS = re.compile("(read|minutes|takeaway)([123]?)")
_PRIVATE = {"takeaway": "takeaways", "minutes": "minutes"}
"""The names in `share.private` for these columns; columns that are no field are notes."""
_ASKED = {re.split("[:,]", one)[0]: one for several in QUESTIONS.values() for one in several}
"""The questions in the template of new notes, by name; the five Cs are among them."""
_HEADING = re.compile(r"#{1,6}\s+(.+?)[\s#]*$")
_SIGNS = re.compile(r"\s*(?:(?:[-*+>]|\d{1,9}[.)])\s+)*")
_DEFAULT = "title,authors,year,venue"
_MOST_ROWS = 1_000
_MOST_COLUMNS = 30
_MOST_OF_NOTE = 1_000_000
_LONGEST = 1_000
"""The most characters in a cell."""


@dataclass(frozen=True, slots=True)
class Table:
    """The papers, and the text of each column for them; empty for unknown values."""

    query: str
    columns: list[str]
    rows: list[dict[str, str | None]]
    order: str | None

    def text(self, form: str) -> str:
        """Return the table in one of FORMS, or with the markers that keep it in a README."""
        if form == "readme":
            asked = [self.query.strip(), ",".join(self.columns), *filter(None, [self.order])]
            kept = in_markers(" | ".join(asked), self.text("md").strip())
            if "-->" in self.query or [_parts_of(one.asked) for one in find_tables(kept)] != [
                asked
            ]:
                raise UsageError(
                    "The marker of a table cannot hold this query: it ends at `-->`, and ` | ` "
                    "parts query, columns and order. Ask for the papers without them."
                )
            return kept
        cells = [[row[name] or "" for name in self.columns] for row in self.rows]
        return FORMS[form](self.columns, cells)


def make_table(
    store: Store, library: Library, query: str, columns: str = "", order: str = ""
) -> Table:
    """Make a table of the matching papers, in one of ORDERS or the oldest first.

    ``columns`` are names separated by commas. Discarded papers are left out unless the query asks
    for them. Raises UsageError for an invalid query or order, too many papers, and a column that is
    neither a field nor a heading in the notes of these papers.
    """
    parted = map(str.strip, (columns or _DEFAULT).split(","))
    names = list(dict.fromkeys(filter(None, parted)))
    ids = _matching(store, query, order)
    has_keys = {"key", "citekey"} & {*names} and not store.is_trial
    papers = papers_to_copy(store, ids).papers if has_keys else get_papers(store, ids)
    read = _note_of if "notes" in map(_kind_of, names) else lambda *_: ""
    notes = [_sections(read(store, library, paper), paper) for paper in papers]
    _check_columns(names, {_key(name): name.lower() for name in chain(_ASKED, *notes)})
    pairs = zip(papers, notes, strict=True)
    rows = [{name: _cell(*pair, name) for name in names} for pair in pairs]
    return Table(query, names, rows, order or None)


def _parts_of(asked: str) -> list[str]:
    """Return the query, columns and order in the marker of a table."""
    return [part.strip() for part in re.split(r"\s\|\s", f"{asked} ")]


def _matching(store: Store, query: str, order: str) -> list[int]:
    if order not in ("", *ORDERS):
        raise UsageError(f"There is no order {order!r}. Choose from {', '.join(sorted(ORDERS))}.")
    asked = parse_query(query)
    if "discarded" not in query:
        asked = And((asked, Not(Term("is", Text("discarded")))))
    ids = find_ids(store, asked, order=order or "submitted", is_reversed=not order)
    if len(ids) > _MOST_ROWS:
        raise UsageError(f"A table has at most {_MOST_ROWS:,} papers, not {len(ids):,}.")
    return ids


def _kind_of(column: str) -> str | None:
    """Return the name in `share.private` for a column; None if the column is not private."""
    reading = _OF_READINGS.fullmatch(column)
    if column in (*_SHORT, *COLUMNS):
        return None
    return _PRIVATE.get(reading[1]) if reading else "notes"


def _check_columns(names: list[str], headings: Mapping[str, str]) -> None:
    if len(names) > _MOST_COLUMNS:
        raise UsageError(f"A table has at most {_MOST_COLUMNS} columns, not {len(names)}.")
    for name in names:
        is_new = not name.startswith("note:") and _key(name) not in headings
        if _kind_of(name) == "notes" and is_new:
            known = sorted(
                {*_SHORT, *COLUMNS, *"read minutes takeaway".split(), *headings.values()}
            )
            near = difflib.get_close_matches(name.lower(), known, n=3)
            raise UsageError(
                f"There is no column {name!r}, and no such heading in the notes of these papers. "
                f"{'Did you mean' if near else 'Choose from'}: {', '.join(near or known)}."
            )


def _cell(paper: Paper, sections: dict[str, str], column: str) -> str | None:
    if reading := _OF_READINGS.fullmatch(column):
        text = _of_readings(paper, *reading.groups())
    elif _kind_of(column):
        below = [text for name, text in sections.items() if _key(name) == _key(column)]
        text = strip_markup(" ".join(below))
    else:
        text = cells_of(paper)[_SHORT.get(column, column)]
    return shorten(clean(text), _LONGEST) or None


def _of_readings(paper: Paper, what: str, number: str) -> str:
    """Return the last day, all minutes or the last takeaway of one pass, or of all passes."""
    values = [
        value
        for one in paper.readings
        if number in ("", str(one.pass_number))
        and (value := getattr(one, "at" if what == "read" else what))
    ]
    if what == "minutes":
        return str(sum(values) or "")
    return str(max(values, default=""))[:10] if what == "read" else "".join(values[-1:])


def _note_of(store: Store, library: Library, paper: Paper) -> str:
    """Return the text of the paper's note; empty if it has none that may be read."""
    with suppress(PapertrackError):
        for name in paper.notes[:1]:
            data = read_file(get_note_path(store, library, name))
            return data[:_MOST_OF_NOTE].decode("utf-8", "replace")
    return ""


def _sections(note: str, paper: Paper) -> dict[str, str]:
    """Return the text below each heading of a note, question of the template and meaning of a
    colour. Text ends at the next of these, at a quote in another colour, or at the end of the
    quotes. Quotes of other papers are left out."""
    found: dict[str, str] = {}
    name, citekeys = "", {paper.citekey, *paper.citekey_aliases}
    for line in note.splitlines():
        text = _SIGNS.sub("", line, count=1)
        if heading := _HEADING.match(line):
            name, text = heading[1], ""
        elif (meaning := meaning_above(line, citekeys)) is not None:
            name, text = meaning, ""
        for question, whole in _ASKED.items():
            if text.startswith(f"{question}:"):
                name, text = question, text.removeprefix(whole).removeprefix(f"{question}:")
        found[name] = f"{found.get(name, '')} {text}".strip()
    found.pop("", None)
    return found


def _key(name: str) -> str:
    """Return the column's key: ``Contributions`` and ``contribution`` are one column."""
    words = re.findall(r"\w+", fold(name.removeprefix("note:")))
    return " ".join(words).removesuffix("s")


def readme_tables(
    store: Store, library: Library, document: RegisteredDocument
) -> Callable[[str], str]:
    """Return a function that makes the tables of a README, from the text of their markers.

    A marker may be a stranger's. So data that is private in a shared library never appears, and in
    other libraries only if the reader allowed it for this README.
    """
    private: Collection[str] = {*_PRIVATE.values(), "notes"}
    allow = f"To allow it: `papertrack documents {document.path} --set tables=private`."
    if is_shared(store):
        from papertrack.actions.share.records import private_kinds

        private, allow = private_kinds(store, library, os.environ), "It stays on your machine."
    elif document.settings.get("tables") == "private":
        private = ()

    def make(asked: str) -> str:
        table = make_table(store, library, *_parts_of(asked)[:3])
        for name in table.columns:
            if _kind_of(name) in private:
                raise UsageError(f"The column {name!r} is private, and was not written. {allow}")
        return table.text("md")

    return make
