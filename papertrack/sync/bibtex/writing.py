"""Edit the entries of a .bib file for an export, and recognise restored entries."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from papertrack.documents.bibtex import edit
from papertrack.documents.bibtex.facts import BibEntry, venue_in
from papertrack.documents.bibtex.fresh import BRACED, Dialect, fields_of, type_in
from papertrack.documents.bibtex.names import format_names
from papertrack.latex.encode import escape_text
from papertrack.records import Paper
from papertrack.store.documents import StoredEntry
from papertrack.sync.items import Item, Plan
from papertrack.sync.threeway import PUBLICATION, SCHEMES, Values, without

_VENUES = ("journal", "journaltitle", "booktitle", "school", "institution", "howpublished")
# Value → groups of fields. In each group, the first field that the entry has is changed.
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
"""Types that an entry may have only because its venue was unknown."""
_WHOLE = re.compile(r"\{(?:[^{}]|\{[^{}]*\})*\}")
"""A title in braces of its own."""


FieldEdit = tuple[str, str | None]
"""The name of a field and its new value; None removes the field."""


def edited_entry(
    entry: BibEntry, paper: Paper, names: Collection[str], dialect: Dialect, protect: Sequence[str]
) -> str:
    """Return the entry's text with the paper's values of the fields ``names``.

    A type that the user chose for a published work stays when only its venue changes.
    """
    may_be_preprint = "venue" in names and entry.type in _PREPRINT_TYPES
    if may_be_preprint and paper.facts.venue is not None and not _is_type_chosen(entry, paper):
        # Its type was that of a preprint; the publication has another one.
        paper = paper._replace(facts=paper.facts._replace(published_type=None))
    old = dict(reversed(entry.fields))
    title = old.get("title", "")
    data = fields_of(paper, dialect=dialect, protect=(*protect, *BRACED.findall(title)))
    encode = dialect == "bibtex"
    if paper.facts.title and _WHOLE.fullmatch(title):
        data["title"] = "{" + escape_text(paper.facts.title, encode=encode) + "}"
    if paper.facts.authors:
        data["author"] = format_names(paper.facts.authors, encode=encode, old=old.get("author", ""))
    fields = {name.casefold(): (name, value) for name, value in data.items()}
    text, entry_type = entry.raw, type_in(dialect, paper)
    has_new_type = entry_type != entry.type and (may_be_preprint or "type" in names)
    if has_new_type:
        text = edit.with_type(text, entry_type)
    for name, new in _edits(entry, paper, names, fields, has_new_type=has_new_type):
        text = edit.with_field(text, name, new)
    return edit.with_key(text, paper.citekey) if "citekey" in names else text


def _is_type_chosen(entry: BibEntry, paper: Paper) -> bool:
    """Return whether the type stays right for another venue."""
    kind = paper.facts.published_type
    if kind == entry.type and entry.facts.venue is None:
        # An article without a venue is one, but not if it has an arXiv id.
        return kind != "unpublished" and entry.facts.identifier("arxiv") is None
    return kind != "unpublished"


def new_keys(entries: Sequence[BibEntry], plan: Plan) -> dict[str, str]:
    """Return the new keys of entries by their old keys in lower case.

    If several entries have one key, others refer to the first.
    """
    new = {
        number: change.value
        for number, sets in plan.sets.items()
        for change in sets
        if change.field == "citekey"
    }
    first: dict[str, int] = {}
    for number, entry in enumerate(entries if new else ()):
        first.setdefault((entry.citekey or "").casefold(), number)
    return {key: new[number] for key, number in first.items() if key and number in new}


def _edits(
    entry: BibEntry,
    paper: Paper,
    names: Collection[str],
    fields: dict[str, tuple[str, str]],
    *,
    has_new_type: bool,
) -> Iterator[FieldEdit]:
    for aliases in _places(names):
        yield from _field_edits(entry, aliases, fields)
    if "venue" in names:
        yield from _venue_edits(entry, paper, fields, has_new_type=has_new_type)
        if entry.facts.venue is None and paper.facts.venue is not None:
            yield from _eprint_edits(entry, fields)


def _places(names: Collection[str]) -> Iterator[tuple[str, ...]]:
    for name in names:
        if name.startswith(PUBLICATION):
            yield (name.removeprefix(PUBLICATION),)
        else:
            yield from _FIELDS.get(name, ())


def _field_edits(
    entry: BibEntry, aliases: tuple[str, ...], fields: dict[str, tuple[str, str]]
) -> Iterator[FieldEdit]:
    present = [name for name, _ in entry.fields if name in aliases]
    field = next((fields[alias] for alias in aliases if alias in fields), None)
    if field is None:
        yield from ((name, None) for name in present)
    elif not present:
        yield field
    elif (present[0], field[1]) not in entry.fields:
        yield present[0], field[1]


def _venue_edits(
    entry: BibEntry, paper: Paper, fields: dict[str, tuple[str, str]], *, has_new_type: bool
) -> Iterator[FieldEdit]:
    """Yield the edits of the venue, in its present field unless a new type needs another.

    Removes only the field that had the venue, and arXiv as a venue: a thesis' school in a book is
    none.
    """
    own = dict(reversed(entry.fields))
    venue, _ = venue_in(entry.type, own)
    publication = dict(paper.facts.publication)
    places = (name for name in _VENUES if name in fields and name not in publication)
    target, value = next((fields[name] for name in places), ("", ""))
    if target and venue and (not has_new_type or (target, venue) == ("journal", "journaltitle")):
        target = venue
    arxiv_id = entry.facts.identifier("arxiv")
    for name in without([name for name in _VENUES if name in own], [target]):
        if name == venue or (arxiv_id is not None and arxiv_id in own[name]):
            yield name, None
    if target:
        yield target, value


def _eprint_edits(entry: BibEntry, fields: dict[str, tuple[str, str]]) -> Iterator[FieldEdit]:
    """Move an arXiv id from a journal "arXiv", its volume or pages into fields of its own."""
    arxiv_id = entry.facts.identifier("arxiv")
    if arxiv_id is None:
        return
    may_hold = ("volume", "number", "pages", *_VENUES)
    misplaced = [name for name, text in entry.fields if name in may_hold and arxiv_id in text]
    yield from ((name, None) for name in without(misplaced, _VENUES))
    if misplaced and "eprint" not in dict(entry.fields):
        for name in ("eprint", "archiveprefix", "eprinttype"):
            if name in fields:
                yield fields[name]


def says_again(item: Item, was: StoredEntry) -> bool:
    """Return whether a restored entry has its former values.

    It may not if its @string is now below it. An entry that was removed with its paper is restored
    anyway.
    """
    return was.paper_id is None or item.text == was.text


def is_same_paper(now: Values, then: Values) -> bool:
    """Return whether these are values of one paper, maybe retitled.

    Otherwise another paper was given the key.
    """
    if now.get("title") == then.get("title"):
        return True
    if any(name in now and now[name] == then.get(name) for name in SCHEMES):
        return True
    return all(name in now and now[name] == then.get(name) for name in ("authors", "year"))
