"""Which fields a document has a place for, entry by entry.

A row has the places of its columns. For a list the document itself is the example: what some
entry of the same shape shows, every entry of that shape can show.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from papertrack.documents.markdown.marks.kind import MarkStyle
from papertrack.documents.markdown.model import Entry, Field, Group, Shape


def with_places(
    entries: Sequence[Entry], marks: MarkStyle, others: Mapping[Group, MarkStyle]
) -> tuple[Entry, ...]:
    """Return the entries with the places that their document gives them.

    ``others`` are of the groups that mark passes otherwise than the document.
    """
    shown: dict[Shape, set[Field]] = {}
    for entry in entries:
        if entry.shape != "row":
            shown.setdefault(entry.shape, set()).update(_shown(entry))
    return tuple(
        entry if entry.shape == "row" else replace(entry, places=_places(entry, shown, own))
        for entry in entries
        for own in [others.get(entry.group, marks)]
    )


def _shown(entry: Entry) -> set[Field]:
    """Return the fields that an entry shows and that others of its shape could show as well.

    A slot to fill is no such field: a list has boxes to tick or it has none.
    """
    fields: set[Field] = set()
    if entry.anatomy.mark and not entry.anatomy.mark.kind.is_slot:
        fields.add("passes")
    if entry.anatomy.rating:
        fields.add("rating")
    roles = {link.role for link in entry.anatomy.links if not entry.anatomy.is_title(link)}
    if "code" in roles:
        fields.add("code")
    if "note" in roles:
        fields.add("note")
    return fields


def _places(entry: Entry, shown: Mapping[Shape, set[Field]], marks: MarkStyle) -> frozenset[Field]:
    places: set[Field] = {"title", "paper", "move", *shown[entry.shape]}
    if entry.anatomy.date:
        places.add("date")
    if entry.anatomy.mark:
        places.add("passes")
    elif marks.kind and marks.kind.is_slot:
        places.discard("passes")
    return frozenset(places)
