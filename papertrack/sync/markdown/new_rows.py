"""What a new entry says of its paper, and dates as entries show them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from papertrack.documents.markdown.model import EntryFields
from papertrack.identifiers import identify
from papertrack.identifiers.derived import address_of, month_of
from papertrack.library import Library
from papertrack.library.paths import note_url
from papertrack.records import Link, Paper
from papertrack.sync.markdown.values import EXPORTED_ROLES


def fields_of_new(paper: Paper, library: Library, document: Path) -> EntryFields:
    """What a new entry of the paper is to say, as far as the document has places for it."""
    facts = paper.facts
    return EntryFields(
        title=facts.title or "",
        kind=facts.kind,
        passes=paper.passes_done,
        rating=paper.rating,
        date=day_submitted(paper),
        links=tuple(_links_of(paper, library, document)),
        tags=paper.tags,
        description=facts.description,
        authors=tuple(author.name for author in facts.authors),
        venue=facts.venue,
    )


def _links_of(paper: Paper, library: Library, document: Path) -> Iterator[Link]:
    own = _own_link(paper)
    if own is not None:
        yield own
    address = own.url if own else None
    for link in paper.facts.links:
        if link.role in EXPORTED_ROLES and link.url != address:
            yield link
    for name in paper.notes:
        yield Link("note", note_url(library, document, name))


def _own_link(paper: Paper) -> Link | None:
    """The link that shows the paper itself; one to its code stays that."""
    links = paper.facts.links
    named = (link for link in links if identify(link.url) in paper.facts.identifiers)
    own = next((link for link in links if link.role == "paper"), None) or next(named, None)
    if own is not None and own.role == "code":
        return own
    address = own.url if own else address_of(paper)
    return None if address is None else Link("paper", address)


def day_submitted(paper: Paper) -> str | None:
    """When version 1 was submitted, as precisely as it is known."""
    submitted = paper.facts.submitted
    return submitted[:10] if submitted else month_of(paper)


def day_of_pass(paper: Paper, number: int) -> str | None:
    """The day when a pass was last done, if it is known."""
    read = [reading.at for reading in paper.readings if reading.pass_number == number]
    return next((at[:10] for at in reversed(read) if at), None)
