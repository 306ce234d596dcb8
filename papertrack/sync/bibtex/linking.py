"""Works of a .bib file → papers: new ones written together, known ones completed."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, field, replace

from papertrack.documents.bibtex.model import BibEntry
from papertrack.identifiers import unique_citekey
from papertrack.records import Author, Identifier, Paper, PaperFacts, Skipped
from papertrack.store.adding import FIELDS, NewPaper, add_new_papers
from papertrack.store.categories import put_in_category
from papertrack.store.citekeys import Citekeys
from papertrack.store.lookup import citekey_of, field_sources, get_paper
from papertrack.store.papers import (
    READER,
    add_identifiers,
    add_links,
    edit_paper,
    keep_original,
)
from papertrack.store.states import decide
from papertrack.store.store import Store
from papertrack.sync.bibtex.reading import SOURCE, entry_tags, paper_values
from papertrack.sync.bibtex.works import Grouped, Work, free_identifiers
from papertrack.sync.linking import add_marks
from papertrack.sync.threeway import Values
from papertrack.text import clean, fold, shorten

_PUBLISHED = ("venue", "year", "published_type", "publication")
"""What a published version says together: of a preprint it takes the place of the preprint's."""


@dataclass(slots=True)
class LinkedWorks:
    """The papers of a file's works, and what the user is to be told about it."""

    papers: list[tuple[int, Values]] = field(default_factory=list)
    """For each work the paper and what the library says of it now."""
    notices: list[Skipped] = field(default_factory=list)


def link_works(store: Store, grouped: Grouped, document: str, citekey_template: str) -> LinkedWorks:
    """Give every work its paper, new or completed, with keys, marks, groups and original text."""
    linked = LinkedWorks()
    keys = Citekeys(store, citekey_template)
    taken = keys.owners()
    claims = _claims(grouped.works, taken)
    # Any number will do: a key that an entry has is free for no other one's work.
    taken |= dict.fromkeys(claims, 0)
    drafts = []
    for work in grouped.works:
        if work.paper_id is None:
            for key in map(str.lower, _keys_of(work.entries)):
                if claims.get(key) is work:
                    del taken[key]
            drafts.append(_draft(work, grouped, document, keys, taken, linked.notices))
    ids = iter(add_new_papers(store, drafts, source=SOURCE))
    written = iter(drafts)
    for work in grouped.works:
        if work.paper_id is None:
            work.paper_id = next(ids)
            draft = next(written)
            paper = Paper(work.paper_id, draft.citekey, draft.facts, added="")
        else:
            _complete(store, work, grouped, document, linked.notices)
            paper = get_paper(store, work.paper_id)
        linked.papers.append((work.paper_id, paper_values(_with_marks(store, paper, work.entries))))
    return linked


def _claims(works: Sequence[Work], taken: Container[str]) -> dict[str, Work]:
    """The free keys of the file, in small letters, and whose each is: as for BibTeX that of the
    first entry with it; keys in ``ids`` come after all entries' own."""
    entries = sorted(
        ((entry, work) for work in works for entry in work.entries),
        key=lambda pair: pair[0].span,
    )
    claims: dict[str, Work] = {}
    for entry, work in entries:
        claims.setdefault(clean(entry.citekey or "").lower(), work)
    for entry, work in entries:
        for alias in entry.citekey_aliases:
            claims.setdefault(clean(alias).lower(), work)
    return {key: work for key, work in claims.items() if key and key not in taken}


def joined_facts(first: PaperFacts, second: PaperFacts) -> PaperFacts:
    """The first, completed by the second; a preprint takes over how it was published.

    Identifiers are those of the first: who owns the others is another question.
    """
    changes: dict[str, object] = {}
    for name in FIELDS:
        old, new = getattr(first, name), getattr(second, name)
        if name == "authors" and old and new:
            changes[name] = with_families(old, new)
        elif new not in (None, ()) and _is_taken(name, first, second):
            changes[name] = new
    known = {(link.role, link.url) for link in first.links}
    more = tuple(link for link in second.links if (link.role, link.url) not in known)
    return replace(first, links=(*first.links, *more), **changes)  # type: ignore[arg-type]


def _is_taken(name: str, first: PaperFacts, second: PaperFacts) -> bool:
    """Whether what the second says of a field completes the first, or is newer."""
    if name in _PUBLISHED:
        if first.venue is not None:
            return False
        if second.venue is not None:
            return True
    return getattr(first, name) in (None, ())


def with_families(known: Sequence[Author], told: Sequence[Author]) -> tuple[Author, ...]:
    """The known authors, with the family names that ``told`` shows of the same people.

    arXiv and READMEs have names as printed, of which ``text.split_name`` cannot see that the last
    two words are the family's; a .bib file may say so.
    """
    if len(known) != len(told):
        return tuple(known)
    return tuple(
        one if one.family else replace(one, family=_end_of(one.name, other.family or ""))
        for one, other in zip(known, told, strict=True)
    )


def _end_of(name: str, family: str) -> str | None:
    """The end of the name that spells this family name, accents and hyphens apart."""
    words = name.split(" ")
    ends = (" ".join(words[place:]) for place in range(len(words)))
    return next((end for end in ends if fold(end) == fold(family)), None)


def _draft(
    work: Work,
    grouped: Grouped,
    document: str,
    keys: Citekeys,
    taken: dict[str, int],
    notices: list[Skipped],
) -> NewPaper:
    first, *others = work.entries
    facts = _with_note(first.facts, first)
    for entry in others:
        facts = joined_facts(facts, _with_note(entry.facts, entry))
    if others or grouped.clashes:
        facts = replace(facts, identifiers=free_identifiers(work, grouped.clashes))
    given = _keys_of(work.entries)
    wanted = given[0] if given else keys.wanted(facts)
    citekey = unique_citekey(wanted, taken)
    if given and citekey != wanted:
        notices.append(_key_is_taken(first, wanted, citekey))
    taken[citekey.lower()] = 0
    aliases = []
    for key in given[1:]:
        if key.lower() not in taken:
            taken[key.lower()] = 0
            aliases.append(key)
    return NewPaper(
        facts,
        citekey,
        is_citekey_given=bool(given),
        citekey_aliases=tuple(aliases),
        originals=tuple(_originals(work.entries, document).items()),
    )


def _complete(
    store: Store, work: Work, grouped: Grouped, document: str, notices: list[Skipped]
) -> None:
    """Fill in what the library's paper lacks and the file's entries say."""
    paper_id = work.paper_id
    assert paper_id is not None
    paper = get_paper(store, paper_id)
    facts = paper.facts
    for entry in work.entries:
        facts = joined_facts(facts, _with_note(entry.facts, entry))
    owners = field_sources(store, paper_id)
    for name in FIELDS:
        value = getattr(facts, name)
        if value != getattr(paper.facts, name) and owners.get(name) != READER:
            edit_paper(store, paper_id, name, value, source=SOURCE)
    add_identifiers(store, paper_id, _addable(paper, work, grouped))
    add_links(store, paper_id, facts.links)
    for source, text in _originals(work.entries, document).items():
        keep_original(store, paper_id, source, text)
    if paper.decision == "inbox":
        decide(store, paper_id, "saved")
    _give_keys(store, paper, work.entries, notices)


def _addable(paper: Paper, work: Work, grouped: Grouped) -> list[Identifier]:
    known = set(paper.facts.identifiers)
    return [i for i in free_identifiers(work, grouped.clashes) if i not in known]


def _give_keys(
    store: Store, paper: Paper, entries: Sequence[BibEntry], notices: list[Skipped]
) -> None:
    """Keys that stand in the file name the paper: as its own if it has none that was given."""
    keys = Citekeys(store)
    for key in _keys_of(entries):
        if key.lower() in (paper.citekey.lower(), *map(str.lower, paper.citekey_aliases)):
            continue
        if keys.is_frozen(paper.id):
            is_free = keys.add_alias(paper.id, key)
        else:
            is_free = key.lower() not in keys.owners()
            if is_free:
                keys.rename(paper.id, key)
        if not is_free:
            notices.append(_key_is_taken(entries[0], key, citekey_of(store, paper.id)))


def _keys_of(entries: Sequence[BibEntry]) -> list[str]:
    """The entries' own keys, then those in ``ids``; each once without regard to case."""
    keys = [entry.citekey for entry in entries] + [a for e in entries for a in e.citekey_aliases]
    by_lower: dict[str, str] = {}
    for key in filter(None, (clean(key or "") for key in keys)):
        by_lower.setdefault(key.lower(), key)
    return list(by_lower.values())


def _key_is_taken(entry: BibEntry, key: str, citekey: str) -> Skipped:
    reason = f"its key {key!r} is that of another paper: the library calls this one {citekey}"
    return Skipped(entry.line, reason, shorten(entry.raw))


def _originals(entries: Sequence[BibEntry], document: str) -> dict[str, str]:
    """The entries' texts by ``file:key``; those that share a key are kept together."""
    texts: dict[str, str] = {}
    for entry in entries:
        source = f"{document}:{entry.citekey or ''}"
        texts[source] = f"{texts[source]}\n\n{entry.raw}" if source in texts else entry.raw
    return texts


def _with_note(facts: PaperFacts, entry: BibEntry) -> PaperFacts:
    return replace(facts, description=entry.note) if entry.note else facts


def _with_marks(store: Store, paper: Paper, entries: Sequence[BibEntry]) -> Paper:
    """Write what other tools noted of the reading; return the paper with it."""
    said: Values = {
        "passes": max((entry.passes or 0 for entry in entries), default=0),
        "rating": next((entry.rating for entry in entries if entry.rating), None),
        "tags": [tag for entry in entries for tag in entry_tags(entry)],
    }
    paths = dict.fromkeys(path for entry in entries for path in entry.categories)
    if not any((*said.values(), *paths)):
        return paper
    add_marks(store, paper.id, paper, said)
    for path in paths:
        put_in_category(store, paper.id, path)
    return replace(
        paper,
        passes_done=max(said["passes"], paper.passes_done),
        rating=paper.rating or said["rating"],
        tags=tuple(dict.fromkeys((*paper.tags, *said["tags"]))),
        categories=tuple(dict.fromkeys((*paper.categories, *paths))),
    )
