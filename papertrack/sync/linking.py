"""Finding the paper that an entry is about, or making it, and filling in what the entry knows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from papertrack.identifiers.addresses import normalise_url
from papertrack.identifiers.derived import is_telling, telling_length
from papertrack.matching.judge import ADDRESS, Answer, Description, judge
from papertrack.records import Identifier, Link, Paper, PaperFacts, Skipped
from papertrack.store import papers
from papertrack.store.categories import put_all_in_category
from papertrack.store.citekeys import Citekeys
from papertrack.store.documents import StoredEntry, find_document, papers_in_file, said_titles
from papertrack.store.known import NO_SOURCES
from papertrack.store.lookup import (
    citekey_of,
    field_sources,
    find_by_title,
    find_papers,
    get_paper,
    get_papers,
    known_title_keys,
    papers_at,
    title_key_of,
)
from papertrack.store.states import add_tags, decide, rate, set_passes
from papertrack.store.store import Store
from papertrack.sync.format import Linked
from papertrack.sync.items import Asking, Category, Item
from papertrack.sync.threeway import Conflict, Merged, Side, Values
from papertrack.text import fold, shorten, title_key

_WORDS = 3
"""Words that a title needs to be compared with another one by them."""


def owners_of(
    store: Store, identifiers: Sequence[Identifier], title: str | None
) -> dict[Identifier, int]:
    """Whose these identifiers of a work with this title are: an address only of the same title."""
    return {
        identifier: paper_id
        for identifier, paper_id in find_papers(store, identifiers).items()
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
        at = (self.found.get(one, {}).get(title_key(title or "")) for one in identifiers)
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
            is_named = identifier.scheme != ADDRESS or goes_by(self.store, owner, title)
            if owner != paper_id and not is_named:
                self._part(identifier, owner)
        own_title = {title_key(title or "")}
        return tuple(
            one
            for one in identifiers
            if owners.get(one, paper_id) == paper_id and self.found.get(one, {}).keys() <= own_title
        )

    def note(self, identifier: Identifier, title: str | None, paper_id: int | None) -> None:
        """Remember that the paper with this title is found at a shared address."""
        if identifier in self.found and paper_id is not None:
            self.found[identifier].setdefault(title_key(title or ""), paper_id)

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
            reason = (
                f"It is the same paper as line {other.line}, although the titles differ, because "
                "they share an address. To split them, remove this line, import, put it back, and "
                "import"
            )
            told.append(Skipped(item.line, reason, shorten(item.text)))
    return told


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
                reason = (
                    f"It has the {identifier.scheme} identifier of {where}, but another title: it "
                    "became a separate paper without that identifier. Was it pasted by mistake?"
                )
                told.append(Skipped(item.line, reason, shorten(item.text)))
    return told


def _registered(item: Item) -> list[Identifier]:
    return [identifier for identifier in item.identifiers if identifier.scheme != ADDRESS]


def settle_corrections(
    store: Store, asking: Asking | None, paper: Paper, items: Sequence[Item], merged: Merged
) -> None:
    """Ask about a registered identifier that the paper's entries show in place of another one,
    where a source has confirmed that by its title: else the new one is taken for a correction.

    With nobody to ask (``asking``), what is confirmed stays.
    """
    gone = dict(merged.removed.get("identifiers", ()))
    come = dict(merged.added.get("identifiers", ()))
    schemes = sorted(gone.keys() & come.keys() - {ADDRESS})
    for scheme in schemes if _is_confirmed(store, paper, items[0].title) else ():
        values = gone[scheme], come[scheme], gone[scheme]
        side: Side | None = "library"
        if asking is not None:
            side = asking.ask(items[0].line, paper.citekey, scheme, *values)
        if side != "file":  # It is as it is in the library.
            for changes in (merged.removed, merged.added):
                pairs = changes.get("identifiers", ())
                changes["identifiers"] = tuple(pair for pair in pairs if pair[0] != scheme)
        if side is None:
            merged.open.add("identifiers")


def _is_confirmed(store: Store, paper: Paper, title: str | None) -> bool:
    """Whether a source was asked for the paper's identifier, and the title is still its entry's."""
    is_titled = title_key(paper.facts.title or "") == title_key(title or "")
    return is_titled and not {*field_sources(store, paper.id).values()} <= {*NO_SOURCES}


UNMISTAKABLE = 25
"""Letters from which on it does so even when only one of the two is known to be a paper."""

_MANY = 50
"""Papers of one title, of which a title names none any more."""


def add_marks(
    store: Store, paper_id: int, before: Paper | None, said: Values, *, read_at: str | None = None
) -> None:
    """Give a paper, new unless it is known what it was ``before``, what entries say of reading it:
    more passes than were done, a rating where there is none, and tags."""
    passes, rating, tags = map(said.get, ("passes", "rating", "tags"))
    if passes and passes > (before.passes_done if before else 0):
        set_passes(store, paper_id, passes, at=read_at)
    if rating and (before is None or before.rating is None):
        rate(store, paper_id, rating)
    if tags:
        add_tags(store, paper_id, tags)


def complete(
    store: Store,
    paper: Paper,
    fields: Values,
    identifiers: Sequence[Identifier],
    links: Sequence[Link],
    *,
    source: str,
) -> None:
    """Give a known paper what entries say and it lacks."""
    for name, value in fields.items():
        papers.edit_paper(store, paper.id, name, value, source=source)
    papers.add_identifiers(store, paper.id, identifiers)
    papers.add_links(store, paper.id, links)


def save_listed(store: Store, paper: Paper, *, is_of_others: bool) -> None:
    """Let a known paper be saved from now on, unless the reader decided otherwise. A file ``of
    others``, which other devices took in and this one reads the first time, decides nothing that
    they did not."""
    if paper.decision == "inbox" and not is_of_others:
        decide(store, paper.id, "saved")


@dataclass(frozen=True, slots=True)
class Linker:
    """What links the items of a document, one after another."""

    store: Store
    source: str
    """The source of the fields that the items give."""
    sections: Collection[Category] | None = None
    """Those of a list that is read here the first time, though other devices know it; None of any
    other."""

    def link(self, items: Sequence[Item], asking: Asking) -> list[Linked]:
        """Find each item's paper by its identifiers, then by its title; else make one.

        What the paper lacks is filled in, and it is in the item's category from now on.
        """
        named = (identifier for item in items for identifier in item.identifiers)
        shared = SharedAddresses.of(self.store, named)
        citekeys = Citekeys(self.store)
        is_known = self._known_names(items, shared).isdisjoint
        linked: list[Linked] = []
        # Papers are made in the order of their items.
        for are_new, run in groupby(items, lambda item: is_known(_names_of(item))):
            if are_new:
                linked += self._add(list(run), citekeys)
                continue
            for item in run:
                linked.append(self._link(item, asking, shared, citekeys, linked))
        return linked

    def _known_names(self, items: Sequence[Item], shared: SharedAddresses) -> set[Name]:
        """The identifiers and keys of titles that the library has or several of the items have: an
        item with none of them is about a paper of its own, whatever the others make of theirs."""
        items_of = Counter(name for item in items for name in _names_of(item))
        identifiers = [name for name in items_of if isinstance(name, Identifier)]
        titles = [name for name in items_of if isinstance(name, str)]
        known: set[Name] = {name for name, number in items_of.items() if number > 1}
        known.update(shared.found, find_papers(self.store, identifiers))
        return known | known_title_keys(self.store, titles)

    def _add(self, items: Sequence[Item], citekeys: Citekeys) -> list[Linked]:
        """Make the papers of items of which nothing is known, all at once."""
        facts = [item.facts for item in items]
        keys = citekeys.make_several(facts)
        drafts = list(map(draft_of, items, facts, keys))
        ids = papers.add_new_papers(self.store, drafts, source=self.source)
        pairs = list(zip(items, ids, strict=True))
        for item, paper_id in pairs:
            add_tags(self.store, paper_id, item.values.get("tags") or ())
            self._add_notes(item, paper_id)
        for category, run in groupby(pairs, lambda pair: pair[0].category):
            self._put_in_category([paper_id for _, paper_id in run], category)
        return [Linked(paper_id, None) for paper_id in ids]

    def owner(self, item: Item) -> int | None:
        """The paper that has the item's strongest identifier that the library knows."""
        return next(iter(self._owners(item).values()), None)

    def _owners(self, item: Item) -> dict[Identifier, int]:
        """Whose the item's identifiers are, but for those that were pasted onto another title."""
        owners = owners_of(self.store, item.identifiers, item.title)
        return {
            identifier: paper_id
            for identifier, paper_id in owners.items()
            if not is_strangers(self.store, identifier, paper_id, item.title)
        }

    def _link(
        self,
        item: Item,
        asking: Asking,
        shared: SharedAddresses,
        citekeys: Citekeys,
        linked: Sequence[Linked],
    ) -> Linked:
        """Link an item, after those that are ``linked``."""
        owners = self._owners(item)
        paper_id = next(iter(owners.values()), None)
        paper_id = paper_id or shared.find(item.identifiers, item.title)
        own = shared.own(item.identifiers, paper_id, item.title)
        paper_id = paper_id or self._find_by_title(item, own, asking.document, linked)
        before = None
        if paper_id is None:
            facts = item.facts._replace(identifiers=own)
            paper_id = papers.add_paper(self.store, facts, source=self.source, keys=citekeys)
        else:
            before = get_paper(self.store, paper_id)
            self._fill_in(before, item, own)
        for identifier in item.identifiers:
            shared.note(identifier, item.title, paper_id)
        self._add_rest(item, paper_id, before)
        if len(set(owners.values())) > 1:  # The strongest was followed.
            keys = [citekey_of(self.store, owner) for owner in dict.fromkeys(owners.values())]
            told = ("identifiers", None, [f"{i.scheme}:{i.value}" for i in owners], keys)
            asking.conflicts.append(Conflict(asking.document, item.line, keys[0], *told))
        return Linked(paper_id, before)

    def _add_rest(self, item: Item, paper_id: int, before: Paper | None) -> None:
        """Give a paper what the item says of reading it, its notes and its category."""
        add_marks(self.store, paper_id, before, item.values, read_at=item.read_at)
        self._add_notes(item, paper_id)
        # Of a paper that was put where the list has no section for it the row stayed behind.
        is_held = before and self.sections and {*before.categories}.isdisjoint(self.sections)
        if not is_held:
            self._put_in_category([paper_id], item.category)

    def _put_in_category(self, paper_ids: Sequence[int], category: Category) -> None:
        if category:
            put_all_in_category(self.store, paper_ids, category)

    def _add_notes(self, item: Item, paper_id: int) -> None:
        for note in item.values.get("note", ()):
            if "://" not in note:
                papers.add_note(self.store, paper_id, note)

    def _find_by_title(
        self, item: Item, own: Sequence[Identifier], document: str, linked: Sequence[Linked]
    ) -> int | None:
        """The paper with this title, unless an identifier of the same scheme says otherwise.

        A preprint and its publication are so found to be one work; two blog posts called
        "Scaling Laws" at different addresses are not. Where several have the title nothing says
        which it is, unless one of them waits for its item here; of very many the first are looked
        at, or a list with thousands of one title would take hours.
        """
        ids = find_by_title(self.store, item.title or "", limit=_MANY)
        if own and len(ids) == _MANY:
            return None
        papers_of_title = get_papers(self.store, ids)
        same = [paper for paper in papers_of_title if self._is_same_work(item, own, paper)]
        if len(same) > 1:
            return None if own else self._waiting(same, item, document, linked)
        return same[0].id if same else None

    def _waiting(
        self, same: Sequence[Paper], item: Item, document: str, linked: Sequence[Linked]
    ) -> int | None:
        """Of several papers of one title the one that the item of a list that other devices write
        may be: one in the item's category that nothing tells from it, first of those that have no
        item in this document yet. Were it a new paper, the list would grow by one each time."""
        ids = [paper.id for paper in same]
        known = find_document(self.store, document)
        listed = papers_in_file(self.store, known.id, ids) if known else set()
        listed |= {one.paper_id for one in linked}
        about = Description.of(item.facts)
        waiting = [
            (paper.id in listed, paper.citekey, paper.id)
            for paper in same
            if item.category in paper.categories
            and judge(about, Description.of(paper.facts)).answer is not Answer.DIFFERENT
        ]
        return min(waiting)[2] if waiting else None

    def _is_same_work(self, item: Item, own: Sequence[Identifier], paper: Paper) -> bool:
        """Whether the paper, which has the item's title, may be what the item is about, of whose
        identifiers these are its ``own``."""
        schemes = {identifier.scheme for identifier in own}
        others = {identifier.scheme for identifier in paper.facts.identifiers}
        if schemes & others:
            return False
        key = title_key(item.title or "")
        if paper.facts.kind != item.facts.kind:
            return telling_length(key) >= UNMISTAKABLE and not (schemes and others)
        if not is_telling(key):
            return (
                not others
                and _said_by(item) <= _held_by(paper)
                and item.category in paper.categories
            )
        # Rows called "Basic Knowledge" that lead to files of their own are several things.
        if telling_length(key) >= UNMISTAKABLE or schemes or others:
            return True
        held, said = _held_by(paper), _said_by(item)
        return not (held and said and held.isdisjoint(said))

    def _fill_in(self, paper: Paper, item: Item, own: Sequence[Identifier]) -> None:
        facts = item.facts
        if own and not paper.facts.identifiers:
            papers.set_kind(self.store, paper.id, facts.kind)
        missing = [name for name in papers.FIELDS if getattr(paper.facts, name) in (None, ())]
        said = {name: getattr(facts, name) for name in missing}
        news = {name: value for name, value in said.items() if value not in (None, ())}
        complete(self.store, paper, news, own, facts.links, source=self.source)
        save_listed(self.store, paper, is_of_others=self.sections is not None)


Name = Identifier | str
"""What two items may have in common that are about one paper: an identifier, or the key of a
title."""


def draft_of(item: Item, facts: PaperFacts, citekey: str) -> papers.NewPaper:
    """The new paper that an item is about, which says these facts."""
    said = item.values
    readings = papers.readings_of(said.get("passes") or 0, at=item.read_at)
    return papers.NewPaper(facts, citekey, readings=readings, rating=said.get("rating") or None)


def _names_of(item: Item) -> set[Name]:
    return {*item.identifiers, title_key(item.title or "")}


def _held_by(paper: Paper) -> set[str]:
    return {link.url for link in paper.facts.links} | set(paper.notes)


def _said_by(item: Item) -> set[str]:
    return {link.url for link in item.facts.links} | set(item.values.get("note", ()))
