"""What is read otherwise than last time, of text that nobody has changed.

A newer papertrack reads lists better. That is no edit of the reader's: the library follows where
it still says what was read then, and nothing that it knows is taken from it: no pass, rating, tag,
note or link. What the reader edited stays. None of this is a conflict; it is said once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence, Set
from typing import Any

from papertrack.records import LINK_ROLES, Paper
from papertrack.store.documents import StoredEntry
from papertrack.sync.format import Format
from papertrack.sync.items import Item
from papertrack.sync.report import Reread
from papertrack.sync.threeway import Values, without

_RAISED = ("passes", "rating")
"""Fields that a better reading raises and never lowers."""
_CLEARED = ("authors", "venue", "description")
"""Fields that a better reading may find to be none."""
FIELDS = ("title", "authors", "venue", "date", "description", "kind", *_RAISED)
"""Single values that are told when they are read otherwise."""


def rebased(
    document: Format, item: Item, before: StoredEntry, paper: Paper, names: Collection[str]
) -> StoredEntry:
    """What the entry was last time as if the fields ``names``, which are read otherwise now, had
    been read so then, as far as the library is to keep what it says of them."""
    base, library, file = dict(before.base), dict(before.library), item.values
    now = document.library_values(paper)
    for name in names:
        if name in document.fields.sets:
            base[name] = _kept_members(name, base.get(name, []), file)
        elif name in _RAISED:
            base[name] = file.get(name)
            if _is_raised(file.get(name), now.get(name)):
                base[name], library[name] = None, now.get(name)
        elif library.get(name) != now.get(name) or not _says(paper, name, base, now):
            base[name] = file.get(name)
    return before._replace(base=base, library=library)


def _is_raised(file: int | None, now: int | None) -> bool:
    return (file or 0) > (now or 0)


def _kept_members(name: str, members: Sequence[Any], file: Values) -> list[Any]:
    """The members of a set that was read, but for those that would be taken from the library now:
    a link is, when its address is another kind of link now."""
    if name == "identifiers":
        return list(members)
    shown = {target for role in LINK_ROLES for target in file.get(role, ())}
    gone = without(members, file.get(name, []))
    lost = [one for one in gone if name not in LINK_ROLES or one not in shown]
    return [*without(members, lost)]


def _says(paper: Paper, name: str, base: Values, now: Values) -> bool:
    """Whether the library says of a field what was read, and not what the reader edited."""
    if now.get(name) is not None:
        return bool(now[name] == base.get(name))
    known = value_of(paper, name)
    return name == "date" or known in (None, []) or known == base.get(name)


def emptied(paper: Paper, items: Sequence[Item], base: Values, names: Collection[str]) -> Values:
    """The fields that no item says any more, and the library only because it was read so."""
    return {
        name: None
        for name in _CLEARED
        if name in names and base.get(name) and value_of(paper, name) == base[name]
        if not any(item.values.get(name) for item in items)
    }


def value_of(paper: Paper, name: str) -> Any:
    """What the library has of a field that entries tell."""
    facts = paper.facts
    values: dict[str, Callable[[], Any]] = {
        "authors": lambda: [author.name for author in facts.authors],
        "passes": lambda: paper.passes_done,
        "rating": lambda: paper.rating,
        "date": lambda: facts.submitted,
        "tags": lambda: list(paper.tags),
        "identifiers": lambda: [f"{one.scheme}:{one.value}" for one in facts.identifiers],
        "links": lambda: [f"{link.role} {link.url}" for link in facts.links],
    }
    return values[name]() if name in values else getattr(facts, name)


def told(before: Paper, after: Paper, line: int, names: Set[str]) -> Iterator[Reread]:
    """What the library has taken of the fields that are read otherwise."""
    roles = {"links"} if names & {*LINK_ROLES} else set()
    for name in (*FIELDS, "tags", "identifiers", "links"):
        old, new = value_of(before, name), value_of(after, name)
        if name in {*names, *roles} and old != new:
            yield Reread(after.citekey, line, name, old, new)
