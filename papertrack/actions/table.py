"""Tables of papers for a related work section: what is known of them, and what the reader says in
passes, takeaways and notes; in a README they are kept up to date."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from papertrack.actions.cite.showing import papers_to_copy
from papertrack.actions.document_settings import get_document
from papertrack.actions.notes import QUESTIONS, get_note_path
from papertrack.category_paths import format_path
from papertrack.documents.encoding import decode_document, encode_document
from papertrack.documents.markdown.kept_tables import fill_tables, find_tables, marker_lines
from papertrack.errors import PapertrackError, UsageError
from papertrack.exporters.table import to_markdown
from papertrack.identifiers.derived import address_of, month_of, year_of
from papertrack.library import Library
from papertrack.library.files import read_file
from papertrack.library.trust import refuse_outside
from papertrack.queries.nodes import And, Not, Term, Text
from papertrack.queries.parser import parse_query
from papertrack.records import Paper
from papertrack.store.documents import RegisteredDocument, set_document_settings
from papertrack.store.listing import ORDERS, find_ids
from papertrack.store.lookup import get_papers
from papertrack.store.records import is_shared
from papertrack.store.store import Store
from papertrack.store.written_files import ReplacedFile, keep_replaced
from papertrack.sync.write import replace_document
from papertrack.text import clean, fold, plural, shorten, strip_markup

DEFAULT_COLUMNS = "title,authors,year,venue"
_FIELDS: dict[str, Callable[[Paper], object]] = {
    "key": lambda paper: paper.citekey,
    "title": lambda paper: paper.facts.title,
    "authors": lambda paper: ", ".join(author.name for author in paper.facts.authors),
    "year": year_of,
    "date": lambda paper: (paper.facts.submitted or month_of(paper) or "")[:10],
    "venue": lambda paper: paper.facts.venue,
    "link": address_of,
    "code": lambda paper: next((x.url for x in paper.facts.links if x.role == "code"), None),
    "arxiv": lambda paper: paper.facts.identifier("arxiv"),
    "doi": lambda paper: paper.facts.identifier("doi"),
    "kind": lambda paper: paper.facts.kind,
    "category": lambda paper: "; ".join(map(format_path, paper.categories)),
    "tags": lambda paper: ", ".join(paper.tags),
    "rating": lambda paper: paper.rating,
    "pass": lambda paper: paper.passes_done,
    "decision": lambda paper: paper.decision,
    "added": lambda paper: paper.added[:10],
}
_OF_READINGS = re.compile("(read|minutes|takeaway)([123]?)")
_PRIVATE = {"takeaway": "takeaways", "minutes": "minutes"}
"""What a sharer of the library calls these columns; all others that are no field are notes."""
_PARTED = {re.split("[:,]", one)[0]: one for several in QUESTIONS.values() for one in several}
"""The questions of new notes by their names, such as the five Cs."""
_HEADING = re.compile(r"#{1,6}\s+(.+?)[\s#]*$|\*page .*?: (.+)\* <!-- [\da-f]{8}-[\da-f]{8} -->$")
"""A heading, or the line above a quote whose colour means something."""
_SIGNS = re.compile(r"\s*(?:(?:[-*+>]|\d{1,9}[.)])\s+)*")
_MOST_ROWS = 2_000
_MOST_OF_NOTE = 1_000_000
_LONGEST = 1_000
"""Letters of a cell."""


@dataclass(frozen=True, slots=True)
class Table:
    """Papers with what the columns say of them; nothing where that is not known."""

    query: str
    columns: list[str]
    rows: list[dict[str, str | None]]
    file: str | None = None
    """Where it was written."""

    @property
    def cells(self) -> list[list[str]]:
        return [[row[name] or "" for name in self.columns] for row in self.rows]

    def sentences(self) -> Iterator[str]:
        yield f"{self.file}: a table of {plural(len(self.rows), 'paper')}."


def parse_columns(text: str) -> list[str]:
    """The names of columns in a list with commas, each once."""
    names = dict.fromkeys(" ".join(name.split()) for name in text.split(","))
    return [name for name in names if name] or DEFAULT_COLUMNS.split(",")


def make_table(
    store: Store, library: Library, query: str, columns: list[str], order: str = ""
) -> Table:
    """A table of the papers that match, without discarded ones unless the query names them; in one
    of ORDERS, or the oldest first.

    Raises UsageError for a wrong query, too many papers, and a column that is neither a field nor a
    heading in the notes of these papers.
    """
    asked = parse_query(query)
    if "discarded" not in query:
        asked = And((asked, Not(Term("is", Text("discarded")))))
    ids = find_ids(store, asked, order=order or "submitted", is_reversed=not order)
    if len(ids) > _MOST_ROWS:
        raise UsageError(
            f"{len(ids):,} papers match, and a table has at most {_MOST_ROWS:,}: ask for fewer."
        )
    has_keys = "key" in columns and not store.is_trial
    papers = papers_to_copy(store, ids).papers if has_keys else get_papers(store, ids)
    of_notes = [name for name in columns if _kind_of(name) == "notes"]
    notes = [_sections(_note_of(store, library, paper)) if of_notes else {} for paper in papers]
    headings = {*map(_key, _PARTED), *(key for one in notes for key in one)}
    for name in of_notes:
        if not name.startswith("note:") and _key(name) not in headings:
            known = [*_FIELDS, "read", "minutes", "takeaway", *sorted(headings)]
            near = difflib.get_close_matches(name.lower(), known, n=3)
            raise UsageError(
                f"There is no column {name!r}, and no such heading in the notes of these papers. "
                f"{'Did you mean' if near else 'There are'} {', '.join(near or known)}"
                f"{'?' if near else '.'}"
            )
    rows = [
        {name: _cell(paper, sections, name) for name in columns}
        for paper, sections in zip(papers, notes, strict=True)
    ]
    return Table(query, columns, rows)


def _kind_of(column: str) -> str | None:
    """What kind of private data a column shows, as `share.private` calls it."""
    reading = _OF_READINGS.fullmatch(column)
    return None if column in _FIELDS else _PRIVATE.get(reading[1]) if reading else "notes"


def _cell(paper: Paper, sections: dict[str, str], column: str) -> str | None:
    if column in _FIELDS:
        value = _FIELDS[column](paper)
    elif reading := _OF_READINGS.fullmatch(column):
        value = _of_readings(paper, *reading.groups())
    else:
        value = strip_markup(sections.get(_key(column), ""))
    text = "" if value is None else clean(str(value))
    return shorten(text, _LONGEST) or None


def _of_readings(paper: Paper, what: str, number: str) -> object:
    """The last day, all minutes or the last takeaway of a pass, or of all passes."""
    chosen = [
        one for one in paper.readings if str(one.pass_number) == (number or str(one.pass_number))
    ]
    if what == "minutes":
        return sum(one.minutes or 0 for one in chosen) or None
    if what == "read":
        return max(((one.at or "")[:10] for one in chosen), default=None)
    told = [(one.pass_number, one.at or "", one.takeaway) for one in chosen if one.takeaway]
    return max(told)[-1] if told else None


def _note_of(store: Store, library: Library, paper: Paper) -> str:
    """The text of the paper's note; nothing where it has none that may be read."""
    with suppress(PapertrackError):
        if paper.notes:
            data = read_file(get_note_path(store, library, paper.notes[0]))
            return data[:_MOST_OF_NOTE].decode("utf-8", "replace")
    return ""


def _sections(note: str) -> dict[str, str]:
    """What stands below each heading of a note, question of its template and colour with a meaning,
    up to the next of them."""
    found: dict[str, list[str]] = {}
    name = ""
    for line in note.splitlines():
        text = _SIGNS.sub("", line, count=1)
        if heading := _HEADING.match(line):
            name, text = heading[1] or heading[2], ""
        for question, whole in _PARTED.items():
            if text.startswith(f"{question}:"):
                name, text = question, text.removeprefix(whole).removeprefix(f"{question}:")
        found.setdefault(_key(name), []).append(text)
    return {
        key: text for key, lines in found.items() if (text := " ".join(" ".join(lines).split()))
    }


def _key(name: str) -> str:
    """``Contributions`` and ``contribution`` are one column."""
    words = re.findall(r"\w+", fold(name.removeprefix("note:")))
    return " ".join(words).removesuffix("s")


def readme_tables(
    store: Store, library: Library, document: RegisteredDocument
) -> Callable[[str], str]:
    """What makes the tables of a README, by what their markers say.

    A marker may be a stranger's. So what is private in a shared library is never shown, nor in
    another one before the reader allowed it for this README.
    """
    private: Collection[str] = {*_PRIVATE.values(), "notes"}
    allow = f"To allow it: `papertrack documents {document.path} --set tables=private`."
    if is_shared(store):
        from papertrack.actions.share.records import private_kinds

        private, allow = private_kinds(store, library, os.environ), "It stays on your machine."
    elif document.settings.get("tables") == "private":
        private = ()

    def make(asked: str) -> str:
        query, names, order = (*re.split(r"\s\|\s", f"{asked} "), "", "")[:3]
        columns, order = parse_columns(names), order.strip()
        if order not in ("", *ORDERS):
            raise UsageError(
                f"There is no order {order!r}. Choose from {', '.join(sorted(ORDERS))}."
            )
        for name in columns:
            if _kind_of(name) in private:
                raise UsageError(f"The column {name!r} is private, and was not written. {allow}")
        table = make_table(store, library, query.strip(), columns, order)
        return to_markdown(columns, table.cells)

    return make


def put_into_readme(store: Store, library: Library, path: Path, table: Table, order: str) -> None:
    """Put a table at the end of a README that the library feeds, between markers, in an action of
    its own; nothing where it is there already.

    Raises NotFoundError for another file, UsageError where it is no place for a table, and
    PapertrackError when it cannot be written.
    """
    document = get_document(store, library, path)
    asked = " | ".join([table.query, ",".join(table.columns), *([order] if order else [])])
    if document.kind != "markdown" or re.search(r"\s\|\s|-->|[\r\n]", table.query):
        raise UsageError(f"{path} cannot have a table of {table.query}: write it with -o FILE.")
    refuse_outside(library, path)
    seen = read_file(path)
    text, encoding = decode_document(seen)
    there = find_tables(text).tables
    if any(one.asked.strip() == asked for one in there):
        return
    eol = "\r\n" if "\r\n" in text else "\n"
    gap = "" if text.endswith(("\n", "\r")) or not text else eol
    text = f"{text}{gap}{eol}{marker_lines(asked, eol)}"
    if len(find_tables(text).tables) == len(there):
        raise UsageError(f"The end of {path} is in a block of code or HTML. Write the markers.")
    with store.action("table", document.path) as action:
        if any(map(_kind_of, table.columns)):
            settings = {**document.settings, "tables": "private"}
            document = document._replace(settings=settings)
            set_document_settings(store, document.id, settings)
        text, refused = fill_tables(text, readme_tables(store, library, document), lambda *_: False)
        if refused:
            raise UsageError(refused[-1])
        data = encode_document(text, encoding)
        keep_replaced(store, action.id, ReplacedFile(document.path, seen, data))
        if not store.is_trial:
            replace_document(store, document.path, path, seen, data)
