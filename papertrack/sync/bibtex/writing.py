"""Making an export's changes in a .bib file: entries that are edited, added, or come back."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from papertrack.documents.bibtex import edit
from papertrack.documents.bibtex.facts import BibEntry, venue_in
from papertrack.documents.bibtex.fresh import BRACED, Dialect, fields_of, type_in
from papertrack.documents.bibtex.grounds import entry_of_whole
from papertrack.documents.bibtex.names import format_names
from papertrack.latex.encode import escape_text
from papertrack.records import Paper
from papertrack.store.documents import StoredEntry
from papertrack.sync.items import Item
from papertrack.sync.threeway import PUBLICATION, SCHEMES, Values, without

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
_WHOLE = re.compile(r"\{(?:[^{}]|\{[^{}]*\})*\}")
"""A title that is in braces of its own."""


FieldEdit = tuple[str, str | None]
"""The name of a field and its new value; None where it goes."""


def edited_entry(
    entry: BibEntry,
    paper: Paper,
    changed: Collection[str],
    dialect: Dialect,
    protect: Sequence[str],
) -> str:
    """The entry's text changed so that it says the paper's values named in ``changed``.

    A type that the reader chose for a published work stays when only its venue changes.
    """
    may_be_preprint = "venue" in changed and entry.type in _PREPRINT_TYPES
    if may_be_preprint and paper.facts.venue is not None and not _is_type_chosen(entry, paper):
        # Its type said how a preprint is cited; where it was published says another one.
        paper = paper._replace(facts=paper.facts._replace(published_type=None))
    old = dict(reversed(entry.fields))
    title = old.get("title", "")
    said = fields_of(paper, dialect=dialect, protect=(*protect, *BRACED.findall(title)))
    encode = dialect == "bibtex"
    if paper.facts.title and _WHOLE.fullmatch(title):
        said["title"] = "{" + escape_text(paper.facts.title, encode=encode) + "}"
    if paper.facts.authors:
        said["author"] = format_names(paper.facts.authors, encode=encode, old=old.get("author", ""))
    wanted = {name.casefold(): (name, value) for name, value in said.items()}
    text, entry_type = entry.raw, type_in(dialect, paper)
    has_new_type = entry_type != entry.type and (may_be_preprint or "type" in changed)
    if has_new_type:
        text = edit.with_type(text, entry_type)
    for name, new in _edits(entry, paper, changed, wanted, has_new_type=has_new_type):
        text = edit.with_field(text, name, new)
    return edit.with_key(text, paper.citekey) if "citekey" in changed else text


def _is_type_chosen(entry: BibEntry, paper: Paper) -> bool:
    """Whether the type that is known continues being right where the venue is another one."""
    known = paper.facts.published_type
    if known == entry.type and entry.facts.venue is None:
        # An article of which nobody said where is one; as a preprint it says so only.
        return known != "unpublished" and entry.facts.identifier("arxiv") is None
    return known != "unpublished"


def new_keys(entries: Sequence[BibEntry], texts: Mapping[tuple[int, int], str]) -> dict[str, str]:
    """Old keys of entries, in small letters, and new ones that they have in their new ``texts``, by
    spans. Of several with one key the first is what others name."""
    first: dict[str, BibEntry] = {}
    for entry in entries:
        first.setdefault((entry.citekey or "").casefold(), entry)
    renamed: dict[str, str] = {}
    for key, entry in first.items():
        text = texts.get(entry.span)
        new = entry_of_whole(text).key if text and key else key
        if new.casefold() != key:
            renamed[key] = new
    return renamed


def _edits(
    entry: BibEntry,
    paper: Paper,
    changed: Collection[str],
    wanted: dict[str, tuple[str, str]],
    *,
    has_new_type: bool,
) -> Iterator[FieldEdit]:
    for aliases in _places(changed):
        yield from _field_edits(entry, aliases, wanted)
    if "venue" in changed:
        yield from _venue_edits(entry, paper, wanted, has_new_type=has_new_type)
        if entry.facts.venue is None and paper.facts.venue is not None:
            yield from _eprint_edits(entry, wanted)


def _places(changed: Collection[str]) -> Iterator[tuple[str, ...]]:
    for name in changed:
        if name.startswith(PUBLICATION):
            yield (name.removeprefix(PUBLICATION),)
        else:
            yield from _FIELDS.get(name, ())


def _field_edits(
    entry: BibEntry, aliases: tuple[str, ...], wanted: dict[str, tuple[str, str]]
) -> Iterator[FieldEdit]:
    present = [name for name, _ in entry.fields if name in aliases]
    named = next((wanted[alias] for alias in aliases if alias in wanted), None)
    if named is None:
        yield from ((name, None) for name in present)
    elif not present:
        yield named
    elif (present[0], named[1]) not in entry.fields:
        yield present[0], named[1]


def _venue_edits(
    entry: BibEntry, paper: Paper, wanted: dict[str, tuple[str, str]], *, has_new_type: bool
) -> Iterator[FieldEdit]:
    """The venue stays in the field that says one, unless another type has another field for it.

    Only what said it goes then, and what says arXiv: a thesis' school in a book is no venue.
    """
    own = dict(reversed(entry.fields))
    said, _ = venue_in(entry.type, own)
    others = dict(paper.facts.publication)
    places = (name for name in _VENUES if name in wanted and name not in others)
    target, value = next((wanted[name] for name in places), ("", ""))
    if target and said and (not has_new_type or (target, said) == ("journal", "journaltitle")):
        target = said
    arxiv_id = entry.facts.identifier("arxiv")
    for name in without([name for name in _VENUES if name in own], [target]):
        if name == said or (arxiv_id is not None and arxiv_id in own[name]):
            yield name, None
    if target:
        yield target, value


def _eprint_edits(entry: BibEntry, wanted: dict[str, tuple[str, str]]) -> Iterator[FieldEdit]:
    """An arXiv id that stood in a journal "arXiv", its volume or pages gets fields of its own."""
    arxiv_id = entry.facts.identifier("arxiv")
    if arxiv_id is None:
        return
    may_hold = ("volume", "number", "pages", *_VENUES)
    misplaced = [name for name, text in entry.fields if name in may_hold and arxiv_id in text]
    yield from ((name, None) for name in without(misplaced, _VENUES))
    if misplaced and "eprint" not in dict(entry.fields):
        for name in ("eprint", "archiveprefix", "eprinttype"):
            if name in wanted:
                yield wanted[name]


def key_of(entry: Item | StoredEntry) -> str:
    return entry.key


def says_again(item: Item, was: StoredEntry) -> bool:
    """Whether an entry that came back says what it said: a @string may be below it now. One that
    went with its paper comes back however that is."""
    return was.paper_id is None or item.text == was.text


def is_same_paper(now: Values, then: Values) -> bool:
    """Whether it may be retitled, but is no other one that was given the key."""
    if now.get("title") == then.get("title"):
        return True
    if any(name in now and now[name] == then.get(name) for name in SCHEMES):
        return True
    return all(name in now and now[name] == then.get(name) for name in ("authors", "year"))
