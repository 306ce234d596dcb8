"""What identifiers say of who is who. They only accumulate: a work has many.

Works of different titles may share an address: a conference's list of papers, an organisation's
page, a repository that holds three papers. It is a link of each of them then, and no identifier of
any. A registered identifier (an arXiv id, a DOI) is believed unless the titles are clearly of two
works: then it was pasted from another row. What a list calls a work for short is no other title.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from papertrack.identifiers.addresses import normalise_url
from papertrack.matching.judge import ADDRESS, Answer, Description, judge
from papertrack.records import Identifier, Link, Paper, Skipped
from papertrack.store import papers
from papertrack.store.documents import StoredEntry, said_titles
from papertrack.store.known import NO_SOURCES
from papertrack.store.lookup import (
    citekey_of,
    field_sources,
    find_papers,
    get_paper,
    papers_at,
    title_key_of,
)
from papertrack.store.store import Store
from papertrack.sync.items import Asking, Item
from papertrack.sync.threeway import Merged, Side
from papertrack.text import fold, shorten, title_key

_WORDS = 3
"""Words that a title needs to be compared with another one by them."""


def owners_of(
    store: Store, identifiers: Sequence[Identifier], title: str | None
) -> dict[Identifier, int]:
    """Whose these identifiers of a work with this title are: an address only of the same title."""
    owners = find_papers(store, identifiers)
    return {
        identifier: paper_id
        for identifier, paper_id in owners.items()
        if identifier.scheme != ADDRESS or goes_by(store, paper_id, title)
    }


def goes_by(store: Store, paper_id: int, title: str | None) -> bool:
    """Whether a paper may have this title: it is the paper's in the library or in a document, or
    one of both has none."""
    key, known = title_key(title or ""), title_key_of(store, paper_id)
    if not key or not known or known == key:
        return True
    return key in map(title_key, said_titles(store, paper_id))


@dataclass(slots=True)
class SharedAddresses:
    """The addresses of some works, as far as papers have them as mere links."""

    store: Store
    found: dict[Identifier, dict[str, int]] = field(default_factory=dict)
    """Address → the key of a title → the paper with that title that is found there."""

    @classmethod
    def of(cls, store: Store, identifiers: Iterable[Identifier]) -> SharedAddresses:
        """Those of these addresses that papers without any identifier have as links."""
        addresses = list(dict.fromkeys(one.value for one in identifiers if one.scheme == ADDRESS))
        shared = cls(store)
        for paper_id, url, key in papers_at(store, addresses):
            if normal := normalise_url(url):
                shared.found.setdefault(Identifier(ADDRESS, normal), {})[key] = paper_id
        return shared

    def find(self, identifiers: Sequence[Identifier], title: str | None) -> int | None:
        """The paper with this title that is found at one of these addresses."""
        key = title_key(title or "")
        at = (self.found.get(one, {}).get(key) for one in identifiers)
        return next((paper_id for paper_id in at if paper_id is not None), None)

    def own(
        self, identifiers: Sequence[Identifier], paper_id: int | None, title: str | None
    ) -> tuple[Identifier, ...]:
        """Those of these identifiers that this paper (None for a new one) with this title may have.

        An address that a paper of another title has stays a link of both, and is an identifier of
        neither from now on.
        """
        owners = find_papers(self.store, identifiers)
        for identifier, owner in owners.items():
            if owner != paper_id and not self._is_named(identifier, owner, title):
                self._part(identifier, owner)
        free = (one for one in identifiers if owners.get(one, paper_id) == paper_id)
        return tuple(one for one in free if not self._is_others(one, title))

    def note(self, identifier: Identifier, title: str | None, paper_id: int | None) -> None:
        """Remember that the paper with this title is found at a shared address."""
        if identifier in self.found and paper_id is not None:
            self.found[identifier].setdefault(title_key(title or ""), paper_id)

    def _is_others(self, identifier: Identifier, title: str | None) -> bool:
        """Whether works with other titles are found at an address."""
        return bool(self.found.get(identifier, {}).keys() - {title_key(title or "")})

    def _is_named(self, identifier: Identifier, owner: int, title: str | None) -> bool:
        return identifier.scheme != ADDRESS or goes_by(self.store, owner, title)

    def _part(self, identifier: Identifier, owner: int) -> None:
        """Let an address be a mere link of the paper that had it as an identifier."""
        facts = get_paper(self.store, owner).facts
        if not any(normalise_url(link.url) == identifier.value for link in facts.links):
            papers.add_links(self.store, owner, [Link("paper", identifier.value)])
        papers.remove_identifiers(self.store, owner, [identifier])
        self.found.setdefault(identifier, {})[title_key(facts.title or "")] = owner


def find_joined(items: Sequence[Item], stored: Mapping[int, StoredEntry]) -> list[Skipped]:
    """What to report of entries with different titles at one address that an earlier version
    took for one paper; ``stored`` is what each item was last time, by its number."""
    first: dict[tuple[int | None, Identifier], Item] = {}
    told = []
    for item in items:
        addresses = [one for one in item.identifiers if one.scheme == ADDRESS]
        if item.number not in stored or not addresses:
            continue
        other = first.setdefault((stored[item.number].paper_id, addresses[0]), item)
        if title_key(other.title or "") != title_key(item.title or ""):
            told.append(_joined(item, other.line))
    return told


def _joined(item: Item, line: int) -> Skipped:
    reason = (
        f"It is the same paper as line {line}, whose title is another, because they share an "
        "address. To split them, remove this line, import, put it back, and import"
    )
    return Skipped(item.line, reason, shorten(item.text))


def is_strangers(store: Store, identifier: Identifier, owner: int, title: str | None) -> bool:
    """Whether a registered identifier of a paper was pasted onto a title that is clearly of another
    work than all titles that the paper goes by."""
    if identifier.scheme == ADDRESS or goes_by(store, owner, title):
        return False
    known = [get_paper(store, owner).facts.title, *said_titles(store, owner)]
    return all(_are_two_works(identifier, title or "", other) for other in known if other)


def _are_two_works(identifier: Identifier, one: str, other: str) -> bool:
    """Whether titles that stand with one identifier are of two works, and none is a short name."""
    if min(len(one.split()), len(other.split())) < _WORDS:
        return False
    names = _names_within(one, other), _names_within(other, one)
    if True in names:
        return False
    shared = frozenset((identifier,))
    pair = Description(one, identifiers=shared), Description(other, identifiers=shared)
    return names == (False, False) or judge(*pair).answer is not Answer.SAME


def _names_within(one: str, other: str) -> bool | None:
    """Whether the name before the colon of one title stands in another; None if it has none."""
    name, colon, _ = one.partition(":")
    words = fold(name).split()
    if not colon or not 0 < len(words) < _WORDS:
        return None
    return f" {' '.join(words)} " in f" {' '.join(fold(other).replace(':', ' ').split())} "


def find_pasted(
    store: Store, items: Sequence[Item], linked: Iterable[tuple[Item, int]]
) -> list[Skipped]:
    """What to report of items, with their papers, whose registered identifier is that of a
    clearly other work among ``items`` or in the library: it may have been pasted by mistake."""
    lines: dict[Identifier, int] = {}
    for item in items:
        for identifier in _registered(item):
            lines.setdefault(identifier, item.line)
    told = []
    owners = find_papers(store, lines)
    for item, paper_id in linked:
        for identifier in dict.fromkeys(_registered(item)):
            owner = owners.get(identifier, paper_id)
            if owner != paper_id and is_strangers(store, identifier, owner, item.title):
                line = lines[identifier]
                where = f"line {line}" if line < item.line else citekey_of(store, owner)
                told.append(_pasted(item, identifier.scheme, where))
    return told


def _registered(item: Item) -> list[Identifier]:
    return [identifier for identifier in item.identifiers if identifier.scheme != ADDRESS]


def _pasted(item: Item, scheme: str, where: str) -> Skipped:
    reason = (
        f"It has the {scheme} identifier of {where}, whose title is another: it is a paper of its "
        "own, without it. Was it pasted by mistake?"
    )
    return Skipped(item.line, reason, shorten(item.text))


def settle_corrections(
    store: Store, asking: Asking | None, paper: Paper, items: Sequence[Item], merged: Merged
) -> None:
    """Ask about a registered identifier that the paper's entries show in place of another one,
    where a source has confirmed that by its title: else the new one is taken for a correction.

    With nobody to ask (``asking``), what is confirmed stays.
    """
    gone = dict(merged.removed.get("identifiers", ()))
    come = dict(merged.added.get("identifiers", ()))
    title = next((item.title for item in items), None)
    for scheme in sorted(gone.keys() & come.keys() - {ADDRESS}):
        if not _is_confirmed(store, paper, title):
            continue
        values = gone[scheme], come[scheme], gone[scheme]
        side: Side | None = "library"
        if asking is not None:
            side = asking.ask(items[0].line, paper.citekey, scheme, *values)
        if side != "file":
            _leave(merged, scheme)
        if side is None:
            merged.open.add("identifiers")


def _is_confirmed(store: Store, paper: Paper, title: str | None) -> bool:
    """Whether a source was asked for the paper's identifier, and the title is still its entry's."""
    if title_key(paper.facts.title or "") != title_key(title or ""):
        return False
    return not {*field_sources(store, paper.id).values()} <= {*NO_SOURCES}


def _leave(merged: Merged, scheme: str) -> None:
    """Let the identifier of this scheme be as it is in the library."""
    for changes in (merged.removed, merged.added):
        changes["identifiers"] = tuple(
            pair for pair in changes.get("identifiers", ()) if pair[0] != scheme
        )
