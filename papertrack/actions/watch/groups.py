"""Digests for others: what some topics found, for the addresses and files of a reading group.

A group sees what its topics found and why, but not what the user decided, read or ranked.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import groupby
from operator import attrgetter
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
"""The form of the digest for each file suffix. JSON is missing: it has the user's decisions."""


@dataclass(frozen=True, slots=True)
class Group:
    """A mail address or file, and the topics whose papers go there."""

    to: str
    topics: frozenset[str]

    @property
    def form(self) -> str | None:
        """The format of its file; None for an address."""
        return FORMS.get(PurePath(self.to).suffix.lower())


def find_groups(
    store: Store, digests: Mapping[str, Sequence[str]]
) -> tuple[list[Group], list[str]]:
    """Return each address and file in the settings with its topics.

    A category stands for the topics whose papers go into it. Also returns a sentence for each name
    that is neither a topic's nor a category's.
    """
    topics = list_topics(store)
    by_place: dict[str, set[str]] = {}
    unknown = []
    for name, places in digests.items():
        topic_names = {topic.name for topic in topics if _is_meant(topic, name)}
        if not topic_names:
            unknown.append(
                f"digests.{name}: no topic has this name or files into this category, so nothing "
                f"goes to {', '.join(places)}."
            )
        for place in places:
            by_place.setdefault(place, set()).update(topic_names)
    groups = [Group(place, frozenset(names)) for place, names in by_place.items() if names]
    return groups, unknown


def _is_meant(topic: Topic, name: str) -> bool:
    """Return whether a name is the topic's, or that of its category or a parent of it."""
    path = parse_path(name.casefold())
    above = tuple(map(str.casefold, topic.category[: len(path)]))
    return topic.name.casefold() == name.casefold() or above == path


def check_groups(digests: Mapping[str, Sequence[str]], mail: Mail, *, is_mailed: bool) -> None:
    """Raise UsageError for a place that is neither an address nor a digest file.

    With ``is_mailed``, also if mails could not be sent.
    """
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
    """Return the settings that send a group's digest: the same sender, and only this address."""
    return replace(mail, sender=mail.sender or next(iter(mail.to), None), to=(address,))


def digest_of_group(
    store: Store, group: Group, *, since: date, until: date, only: Collection[str] | None = None
) -> Digest:
    """Return what the group's topics found from a day on, best first.

    With ``only``, just the papers with these keys.
    """
    rows = [row for row in found_since(store, start_of(since)) if row.topic in group.topics]
    papers = {paper.id: paper for paper in get_papers(store, sorted({f.paper_id for f in rows}))}
    if only is not None:
        rows = [row for row in rows if papers[row.paper_id].citekey in only]

    def entries(of_topic: Iterator[Found]) -> Iterator[DigestEntry]:
        for row in of_topic:
            yield DigestEntry(papers[row.paper_id], row.reason, row.score, is_known=False)

    topics = tuple(
        DigestTopic(name, tuple(entries(of_topic)))
        for name, of_topic in groupby(rows, key=attrgetter("topic"))
    )
    return Digest(since.isoformat(), until.isoformat(), topics)


def write_group(store: Store, library: Library, group: Group, digest: Digest) -> Path | None:
    """Write a group's file and return its path; None, and no file, if the digest is empty.

    ``{date}`` in the name makes one file for each day. A feed also contains earlier papers. Raises
    ConflictError for a file that papertrack did not write, and PapertrackError when the file cannot
    be written, or lies outside of a library that is not trusted.
    """
    if not digest.topics:
        return None
    target = Path(group.to.replace("{date}", digest.until)).expanduser()
    path = target if target.is_absolute() else library.root / target
    if group.form == "atom":
        rows = (row for row in found_since(store, EVER) if row.topic in group.topics)
        text = to_atom(
            feed_entries(store, rows)[:FEED_ENTRIES],
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
