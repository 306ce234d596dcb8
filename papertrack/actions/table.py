"""Tables of papers for a related work section: metadata, and the user's passes, takeaways and
notes."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from types import MappingProxyType

from papertrack.actions.cite.showing import papers_to_copy
from papertrack.actions.notes import QUESTIONS, get_note_path
from papertrack.documents.markdown.kept_tables import find_tables, with_markers
from papertrack.documents.note_highlights import colour_meaning
from papertrack.errors import PapertrackError, UsageError
from papertrack.exporters.csv import COLUMNS, cells_of
from papertrack.exporters.table import FORMS
from papertrack.library import Library
from papertrack.library.files import read_file
from papertrack.queries.nodes import And, Not, Or, Query, Term, Text
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
"""Short names of fields, besides those of `export --csv`."""
_OF_READINGS = re.compile("(read|minutes|takeaway)([123]?)")
_PRIVATE = {"takeaway": "takeaways", "minutes": "minutes"}
"""The names of these in `share.private`; all columns that are not fields count as notes."""
_LOCAL = "local"
"""Data that no other machine has: documents and PDFs."""
_KINDS = {
    **{"note": "notes", "notes": "notes", "takeaway": "takeaways"},
    **dict.fromkeys(("decision", "inbox", "saved", "discarded"), "discards"),
    **dict.fromkeys(("text", "document", "pdf"), _LOCAL),
}
"""Fields of queries, values of ``is:`` and ``has:``, and columns, with what they would tell."""
_PUBLIC_WORDS = ("title", "author", "abstract", "tag", "id", "citekey")
"""Where words without a field are looked for if notes and takeaways are private."""
_ASKED = {re.split("[:,]", line)[0]: line for lines in QUESTIONS.values() for line in lines}
"""The questions of new notes by their names, such as the five Cs."""
_HEADING = re.compile(r"#{1,6}\s++(.*[^\s#])")
_SIGNS = re.compile(r"\s*(?:(?:[-*+>]|\d{1,9}[.)])\s+)*")
_DEFAULT = "title,authors,year,venue"
_MOST_ROWS = 1_000
_MOST_COLUMNS = 30
_MOST_OF_NOTE = 1_000_000
_LONGEST = 1_000
"""The most letters in a cell."""


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of a table; an empty cell is None."""

    query: str
    columns: list[str]
    rows: list[dict[str, str | None]]
    order: str | None

    def text(self, form: str) -> str:
        """Return the table in one of FORMS, or as it is kept in a README."""
        if form == "readme":
            parts = [self.query.strip(), ",".join(self.columns), *filter(None, [self.order])]
            marked = with_markers(" | ".join(parts), self.text("md").strip())
            requests = [_parts_of(table.request) for table in find_tables(marked)]
            if "-->" in self.query or requests != [parts]:
                raise UsageError(
                    "A table's marker cannot hold this query: `-->` would end it, and "
                    "` | ` separates query, columns and order. Write the query without them."
                )
            return marked
        cells = [[row[name] or "" for name in self.columns] for row in self.rows]
        return FORMS[form](self.columns, cells)


def make_table(
    store: Store,
    library: Library,
    query: str,
    columns: str = "",
    order: str = "",
    *,
    private: Mapping[str, str] = MappingProxyType({}),
) -> Table:
    """Return a table of the papers that match a query.

    ``private`` are the kinds of data that neither a column nor the choice of papers may tell, with
    what the user can do about it.

    ``order`` is one of ORDERS; by default the oldest paper comes first. ``columns`` are names
    separated by commas. Discarded papers are left out unless the query names them. Raises
    UsageError for a wrong query, order or number of papers, and for a column that is neither a
    field nor a heading in the notes of these papers.
    """
    texts = map(str.strip, (columns or _DEFAULT).split(","))
    names = list(dict.fromkeys(filter(None, texts)))
    ids = _matching(store, query, order, private)
    has_keys = {"key", "citekey"} & {*names} and not store.is_trial
    papers = papers_to_copy(store, ids).papers if has_keys else get_papers(store, ids)
    read = _note_of if "notes" in map(_kind_of, names) else lambda *_: ""
    notes = [_sections(read(store, library, paper), paper) for paper in papers]
    _check_columns(names, {_key(name): name.lower() for name in chain(_ASKED, *notes)}, private)
    pairs = zip(papers, notes, strict=True)
    rows = [{name: _cell(*pair, name) for name in names} for pair in pairs]
    return Table(query, names, rows, order or None)


def _parts_of(marker: str) -> list[str]:
    """Return the query, columns and order in the marker of a table."""
    return [part.strip() for part in re.split(r"\s\|\s", f"{marker} ")]


def _matching(store: Store, query: str, order: str, private: Mapping[str, str]) -> list[int]:
    if order not in ("", *ORDERS):
        raise UsageError(f"There is no order {order!r}. Choose from {', '.join(sorted(ORDERS))}.")
    parsed = _public(parse_query(query), private)
    if "discarded" not in query and "discards" not in private:
        parsed = And((parsed, Not(Term("is", Text("discarded")))))
    ids = find_ids(store, parsed, order=order or "submitted", is_reversed=not order)
    if len(ids) > _MOST_ROWS:
        raise UsageError(f"A table has at most {_MOST_ROWS:,} papers, not {len(ids):,}.")
    return ids


def _public(query: Query, private: Mapping[str, str]) -> Query:
    """Return the query without what is private; whoever wrote it sees which papers match.

    Raises UsageError for a field that is private.
    """
    match query:
        case Not(part):
            return Not(_public(part, private))
        case And(parts) | Or(parts):
            return type(query)(tuple(_public(part, private) for part in parts))
        case Term(None, value) if not {"notes", "takeaways"}.isdisjoint(private):
            return Or(tuple(Term(name, value) for name in _PUBLIC_WORDS))
        case Term(name, value):
            choice = getattr(value, "text", "") if name in ("is", "has") else ""
            kind = _KINDS.get(choice or f"{name}")
            _refuse_private(private, f"The condition {f'{name}:{choice}'!r}", kind)
    return query


def _refuse_private(private: Mapping[str, str], what: str, kind: str | None) -> None:
    if advice := private.get(f"{kind}"):
        raise UsageError(f"{what} is private, and was not written. {advice}")


def _kind_of(column: str) -> str | None:
    """Return what `share.private` calls the content of a column; None if it is not private."""
    reading = _OF_READINGS.fullmatch(column)
    if column in (*_SHORT, *COLUMNS):
        return _KINDS.get(column)
    return _PRIVATE.get(reading[1]) if reading else "notes"


def _check_columns(
    names: list[str], headings: Mapping[str, str], private: Mapping[str, str]
) -> None:
    if len(names) > _MOST_COLUMNS:
        raise UsageError(f"A table has at most {_MOST_COLUMNS} columns, not {len(names)}.")
    for name in names:
        is_new = not name.startswith("note:") and _key(name) not in headings
        if _kind_of(name) == "notes" and is_new:
            columns = sorted(
                {*_SHORT, *COLUMNS, *"read minutes takeaway".split(), *headings.values()}
            )
            near = difflib.get_close_matches(name.lower(), columns, n=3)
            raise UsageError(
                f"There is no column {name!r}, and no such heading in the notes of these papers. "
                f"{'Did you mean' if near else 'Choose from'}: {', '.join(near or columns)}."
            )
        _refuse_private(private, f"The column {name!r}", _kind_of(name))


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
        for reading in paper.readings
        if number in ("", str(reading.pass_number))
        and (value := getattr(reading, "at" if what == "read" else what))
    ]
    if what == "minutes":
        return str(sum(values) or "")
    return str(max(values, default=""))[:10] if what == "read" else "".join(values[-1:])


def _note_of(store: Store, library: Library, paper: Paper) -> str:
    """Return the text of the paper's note; "" if it has none, or none that may be read."""
    with suppress(PapertrackError):
        for name in paper.notes[:1]:
            data = read_file(get_note_path(store, library, name))
            return data[:_MOST_OF_NOTE].decode("utf-8", "replace")
    return ""


def _sections(note: str, paper: Paper) -> dict[str, str]:
    """Return the texts of a note by heading, template question, or colour with a meaning.

    A text ends at the next of these, at any colour, or at the end of the quotes. Quotes of other
    papers are left out.
    """
    sections: dict[str, str] = {}
    name, citekeys = "", {paper.citekey, *paper.citekey_aliases}
    for line in note.splitlines():
        text = _SIGNS.sub("", line, count=1)
        if heading := _HEADING.match(line):
            name, text = heading[1], ""
        elif (meaning := colour_meaning(line, citekeys)) is not None:
            name, text = meaning, ""
        for question, full in _ASKED.items():
            if text.startswith(f"{question}:"):
                name, text = question, text.removeprefix(full).removeprefix(f"{question}:")
        sections[name] = f"{sections.get(name, '')} {text}".strip()
    sections.pop("", None)
    return sections


def _key(name: str) -> str:
    """Return the form in which names of columns are compared: ``Contributions`` equals
    ``contribution``."""
    return " ".join(re.findall(r"\w+", fold(name.removeprefix("note:")))).removesuffix("s")


def readme_tables(
    store: Store, library: Library, document: RegisteredDocument
) -> Callable[[str], str]:
    """Return a function that makes a table of a README from the text of its marker.

    A stranger may have written the marker. So nothing private is ever shown in a shared library,
    and elsewhere only in a README for which the user has allowed it.
    """
    kinds: Collection[str] = {*_PRIVATE.values(), "notes"}
    allow = f"To allow it: `papertrack documents {document.path} --set tables=private`."
    if is_shared(store):
        from papertrack.actions.share.records import private_kinds

        kinds, allow = private_kinds(store, library, os.environ), "It stays on your machine."
    elif document.settings.get("tables") == "private":
        return lambda marker: make_table(store, library, *_parts_of(marker)[:3]).text("md")
    private = dict.fromkeys((*kinds, _LOCAL), allow)

    def make(marker: str) -> str:
        return make_table(store, library, *_parts_of(marker)[:3], private=private).text("md")

    return make
