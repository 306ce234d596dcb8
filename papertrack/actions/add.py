"""Add papers by arXiv id, DOI or address. Needs no network."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, TypedDict, Unpack

from papertrack.errors import UsageError
from papertrack.identifiers import arxiv_month, identify, url_of
from papertrack.identifiers.addresses import normalise_url
from papertrack.records import Decision, Identifier, Kind, Link, PaperFacts
from papertrack.store.categories import put_in_category
from papertrack.store.citekeys import stub_citekey
from papertrack.store.documents import want_entries_again
from papertrack.store.lookup import citekey_of, find_by_title, find_paper, get_paper
from papertrack.store.papers import READER, add_paper
from papertrack.store.states import add_tags, decide
from papertrack.store.store import Store
from papertrack.text import few, shorten

if TYPE_CHECKING:
    from papertrack.actions.edit import Assignment
    from papertrack.sources.source import SourceRecord

Outcome = Literal["new", "saved", "known"]

_KIND_OF_ROLE: dict[str | None, Kind] = {
    "paper": "paper",
    "pdf": "paper",
    "code": "project",
    "project": "project",
    "post": "post",
}


@dataclass(frozen=True, slots=True)
class AddedPaper:
    """The result for one reference."""

    reference: str
    id: int
    citekey: str
    outcome: Outcome
    """``new``, ``saved`` if the paper was in the inbox or discarded before, or ``known``."""
    is_waiting: bool = False
    """Whether a source still has to be asked about it, which ``enrich`` does."""


class Filing(TypedDict, total=False):
    """What added papers get."""

    decision: Decision
    """``saved``, if it is left out."""
    category: tuple[str, ...] | None
    tags: Sequence[str]


def add_references(
    store: Store,
    texts: Sequence[str],
    *,
    records: Mapping[Identifier, SourceRecord] = MappingProxyType({}),
    **filing: Unpack[Filing],
) -> list[AddedPaper]:
    """Add one paper for each text, or find it in the library; all get the category and tags.

    For an arXiv id alone, the month is taken from the id; ``records`` (see ``add_online``) complete
    the papers that they describe. Raises UsageError, with nothing added, when a text names no work;
    the error lists all such texts.
    """
    identifiers, decision = _identify_all(texts), filing.get("decision", "saved")
    added: dict[int, AddedPaper] = {}
    with store.action("add") as action:
        for text, identifier in zip(texts, identifiers, strict=True):
            record = records.get(identifier)
            paper_id = find_paper(store, [identifier])
            outcome: Outcome = "known"
            if paper_id is None:
                facts = stub_facts(text, identifier)
                paper_id = add_paper(
                    store,
                    _joined(facts, record) if record else facts,
                    source=record.source if record else "reference",
                    decision=decision,
                    citekey=None if record else stub_citekey(identifier),
                )
                outcome = "new"
            elif decision == "saved" and get_paper(store, paper_id).decision != "saved":
                decide(store, paper_id, "saved")
                outcome = "saved"
            _file(store, paper_id, filing)
            if record:
                # Imported only if sources were asked, because this takes time.
                from papertrack.actions.online.enrich import enrich_paper

                enrich_paper(store, paper_id, record)
            citekey = citekey_of(store, paper_id)
            added.setdefault(paper_id, AddedPaper(text.strip(), paper_id, citekey, outcome))
        if decision == "inbox":
            # Imported here because only this needs the ranking.
            from papertrack.actions.ranking import rank_newcomers

            rank_newcomers(store, list(added))
        action.summary = few([paper.citekey for paper in added.values()])
    return list(added.values())


def add_described(
    store: Store, text: str | None, fields: Sequence[Assignment], **filing: Unpack[Filing]
) -> AddedPaper:
    """Add a paper from what the user says about it, such as its title; asks no source.

    ``text`` is its id, DOI or address, if it has one. A paper with that, or with the same title, is
    not added again and keeps its fields. Raises UsageError when ``text`` names no work.
    """
    from papertrack.actions.edit import edit_fields

    values, decision = {item.field: item.value for item in fields}, filing.get("decision", "saved")
    identifiers = _identify_all([text] if text is not None else [])
    with store.action("add") as action:
        owner = find_paper(store, identifiers)
        paper_ids = [owner] if owner else find_by_title(store, values["title"], limit=1)
        if paper_ids:
            paper_id = paper_ids[0]
        else:
            stub = stub_facts(text, identifiers[0]) if text is not None else PaperFacts()
            paper_id = add_paper(store, stub._replace(**values), source=READER, decision=decision)
            edit_fields(store, paper_id, fields)  # Text that was typed as TeX stays TeX.
        _file(store, paper_id, filing)
        citekey = citekey_of(store, paper_id)
        action.summary = citekey
    return AddedPaper(text or values["title"], paper_id, citekey, "known" if paper_ids else "new")


def _file(store: Store, paper_id: int, filing: Filing) -> None:
    """Give a paper its category and tags, and let READMEs list it again."""
    category = filing.get("category")
    if category is not None:
        put_in_category(store, [paper_id], category)
    if filing.get("decision", "saved") == "saved":
        want_entries_again(store, [paper_id], category)
    add_tags(store, [paper_id], filing.get("tags", ()))


def stub_facts(text: str, identifier: Identifier) -> PaperFacts:
    """Return what a reference alone says: the identifier, the address, and for arXiv the month."""
    arxiv_id = identifier.value if identifier.scheme == "arxiv" else None
    is_address = normalise_url(text) is not None
    url = text.strip() if is_address and arxiv_id is None else url_of(identifier)
    return PaperFacts(
        kind=_kind_at(url) if identifier.scheme == "url" else "paper",
        identifiers=(identifier,),
        links=(Link("paper", url),),
        submitted=arxiv_month(arxiv_id) if arxiv_id else None,
    )


def _kind_at(url: str) -> Kind:
    """Return the kind of a page that is no identified work, by its host."""
    # Imported here because most added papers have an id, and need no list of hosts.
    from papertrack.documents.markdown.roles import host_role

    return _KIND_OF_ROLE.get(host_role(url), "resource")


def _joined(stub: PaperFacts, record: SourceRecord) -> PaperFacts:
    """Return the record with the address that the reference gave."""
    # The record's other identifiers may belong to another paper: enriching sees to them.
    return record.facts._replace(kind=stub.kind, links=stub.links, identifiers=stub.identifiers)


def _identify_all(texts: Sequence[str]) -> list[Identifier]:
    identified = [(text, identify(text.strip())) for text in texts]
    unknown = [shorten(text, 80) for text, identifier in identified if identifier is None]
    if unknown:
        raise UsageError(
            f"No arXiv id, DOI or address: {', '.join(map(repr, unknown))}. Nothing was added."
        )
    return [identifier for _, identifier in identified if identifier is not None]
