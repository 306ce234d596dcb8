"""Digests for others: what some topics found, for the addresses and files of a reading group.

A group gets papers and reasons, but never the reader's decisions, passes or ranks.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import groupby
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from papertrack.actions.outputs import write_output
from papertrack.actions.watch.digest import EVER, FEED_ENTRIES, check_mail, feed_entries, start_of
from papertrack.category_paths import parse_path
from papertrack.errors import UsageError
from papertrack.exporters.digest import Digest, DigestEntry, DigestTopic, to_atom
from papertrack.exporters.registry import write_digest_as
from papertrack.library import Library
from papertrack.library.trust import refuse_planted
from papertrack.store.lookup import get_papers
from papertrack.store.store import Store
from papertrack.store.watch.topics import Found, Topic, found_since, list_topics

if TYPE_CHECKING:
    from papertrack.library.settings import Mail

FORMS = {".md": "md", ".html": "html", ".txt": "text", ".atom": "atom"}
"""The form of the digest for each file suffix. JSON is missing: it has the reader's decisions."""


@dataclass(frozen=True, slots=True)
class Group:
    """A mail address or file, and the topics whose papers go there."""

    to: str
    topics: frozenset[str]

    @property
    def form(self) -> str | None:
        """The form of the file; None for a mail address."""
        return FORMS.get(PurePath(self.to).suffix.lower())


def find_groups(
    store: Store, digests: Mapping[str, Sequence[str]]
) -> tuple[list[Group], list[str]]:
    """Return the places of the digests with their topics, and messages. A category stands for
    the topics that file into it or below it. A message reports each name that is neither a
    topic's nor a category's."""
    topics = list_topics(store)
    by_place: dict[str, set[str]] = {}
    unknown = []
    for name, places in digests.items():
        named = {one.name for one in topics if _is_meant(one, name)}
        if not named:
            unknown.append(
                f"digests.{name}: no topic has this name or files into this category, so nothing "
                f"goes to {', '.join(places)}."
            )
        for place in places:
            by_place.setdefault(place, set()).update(named)
    groups = [Group(place, frozenset(names)) for place, names in by_place.items() if names]
    return groups, unknown


def _is_meant(topic: Topic, name: str) -> bool:
    """Return whether a name is the topic's, or that of its category or a parent of it."""
    path = parse_path(name.casefold())
    above = tuple(map(str.casefold, topic.category[: len(path)]))
    return topic.name.casefold() == name.casefold() or above == path


def check_groups(digests: Mapping[str, Sequence[str]], mail: Mail, *, is_mailed: bool) -> None:
    """Check the places of the digests. Raises UsageError for a place that is neither a mail
    address nor a file in a known form, and for mail settings that cannot work, if digests are to
    be mailed."""
    for name, places in digests.items():
        addresses = [place for place in places if Group(place, frozenset()).form is None]
        for address in addresses:
            if "@" not in address or "/" in address:
                raise UsageError(
                    f"digests.{name}: {address!r} is neither an address nor a file whose name ends "
                    f"in one of {', '.join(FORMS)}."
                )
            if is_mailed:
                check_mail(mail_of(mail, address))


def mail_of(mail: Mail, address: str) -> Mail:
    """Return the mail settings for a group's digest: the same sender, only the group's address."""
    return replace(mail, sender=mail.sender or next(iter(mail.to), None), to=(address,))


def digest_of_group(
    store: Store, group: Group, *, since: date, until: date, only: Collection[str] | None = None
) -> Digest:
    """Return what the group's topics found since a day, best first; with ``only``, just those
    papers."""
    found = [one for one in found_since(store, start_of(since)) if one.topic in group.topics]
    papers = {paper.id: paper for paper in get_papers(store, sorted({f.paper_id for f in found}))}
    if only is not None:
        found = [one for one in found if papers[one.paper_id].citekey in only]

    def entries(of_topic: Iterator[Found]) -> Iterator[DigestEntry]:
        for one in of_topic:
            yield DigestEntry(papers[one.paper_id], one.reason, one.score, is_known=False)

    topics = tuple(
        DigestTopic(name, tuple(entries(of_topic)))
        for name, of_topic in groupby(found, key=lambda one: one.topic)
    )
    return Digest(since.isoformat(), until.isoformat(), topics)


def write_group(store: Store, library: Library, group: Group, digest: Digest) -> Path | None:
    """Write a group's file; return None, and write nothing, if there is no news.

    ``{date}`` in its name makes a file for each day. A feed also has earlier papers. Raises
    ConflictError for a file that papertrack did not write, and PapertrackError when the file cannot
    be written or is outside an untrusted library.
    """
    if not digest.topics:
        return None
    named = Path(group.to.replace("{date}", digest.until)).expanduser()
    path = named if named.is_absolute() else library.root / named
    if group.form == "atom":
        found = (one for one in found_since(store, EVER) if one.topic in group.topics)
        text = to_atom(
            feed_entries(store, found)[:FEED_ENTRIES],
            name=f"{library.root}:{group.to}",
            updated=store.stamp(),
            title=f"papertrack: {', '.join(sorted(group.topics))}",
            place=path.name,
        )
    else:
        text = write_digest_as(group.form or "md", digest)
    refuse_planted(library, path)
    write_output(store, library, path, text.encode())
    return path
