"""Proposed publications as suggestions: kept, shown, taken over."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from papertrack.matching.publications import Evidence, Proposal
from papertrack.records import Identifier
from papertrack.sources.published.registry import title_of as title_of
from papertrack.store.papers import add_identifiers, edit_paper
from papertrack.store.store import Store
from papertrack.store.suggestions import PUBLICATION, drop_weaker, read_proposed, suggest


def keep_proposal(store: Store, paper_id: int, proposal: Proposal) -> bool:
    """Propose it, unless the reader has answered to this publication; whether it is news. Call it
    within an action."""
    for known in read_proposed(store, [paper_id]).get(paper_id, []):
        is_answered = known.state != "open"
        if is_answered and proposal_of(known.value).is_same(proposal):
            return False
    drop_weaker(store, paper_id)
    return suggest(store, paper_id, PUBLICATION, _kept(proposal), source=proposal.sources[0])


def _kept(proposal: Proposal) -> dict[str, Any]:
    return {
        "evidence": proposal.evidence.value,
        "venue": proposal.venue,
        "year": proposal.year,
        "doi": proposal.doi,
        "type": proposal.published_type,
        "publication": [list(pair) for pair in proposal.publication],
        "identifiers": [list(one) for one in proposal.identifiers],
        "sources": list(proposal.sources),
    }


def proposal_of(kept: Mapping[str, Any]) -> Proposal:
    """The proposal that is kept as a suggestion's value."""
    return Proposal(
        Evidence(kept["evidence"]),
        kept["venue"],
        kept["year"],
        kept["doi"],
        kept["type"],
        tuple((name, value) for name, value in kept["publication"]),
        tuple(Identifier(*one) for one in kept["identifiers"]),
        tuple(kept["sources"]),
    )


def publication_to_json(proposal: Proposal) -> dict[str, object]:
    """Where it appeared, and what speaks for it, as JSON values."""
    kept = _kept(proposal)
    return {name: kept[name] for name in ("evidence", "venue", "year", "doi", "type", "sources")}


def take_over_publication(store: Store, paper_id: int, proposal: Proposal) -> None:
    """Let the paper be published there: its arXiv id stays, and so do its title and its key. Call
    it within an action. Raises ConflictError when another paper has the DOI."""
    fields = {
        "venue": proposal.venue,
        "year": proposal.year,
        "published_type": proposal.published_type,
        "publication": proposal.publication or None,
    }
    add_identifiers(store, paper_id, proposal.identifiers)
    for name, value in fields.items():
        if value is not None:
            edit_paper(store, paper_id, name, value)


_SAID = {
    Evidence.LINKED: "linked by {}",
    Evidence.DOI: "the DOI at arXiv, confirmed by {}",
    Evidence.TITLE: "title and authors, {}",
    Evidence.ABSTRACT: "abstract and authors, under another title, {}",
    Evidence.COMMENT: "only the authors say so",
}


def in_words(proposal: Proposal) -> str:
    """``Journal of Things 2023 (linked by Semantic Scholar)``."""
    year = str(proposal.year or "")
    named = proposal.venue if year in proposal.venue else f"{proposal.venue} {year}"
    sources = ", ".join(dict.fromkeys(map(title_of, proposal.sources)))
    return f"{named} ({_SAID[proposal.evidence].format(sources)})"
