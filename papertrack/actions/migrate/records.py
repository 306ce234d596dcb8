"""What is kept of an item that was taken: what it said, to find later what changed, and which files
were made of it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from papertrack.importers.model import Item
from papertrack.store.papers import known_fields

_SHORT = 80
"""Letters from which on a value is kept as its digest."""


def record_of(item: Item, made: Mapping[str, str | None]) -> str:
    """What is kept of an item, with the files that were ``made`` of it, by name, and what those
    lead to that are links."""
    return json.dumps({"made": dict(made), "said": said_of(item)}, ensure_ascii=False)


def said_of(item: Item) -> dict[str, Any]:
    """What an item says, as JSON reads it back."""
    facts = item.facts
    return {
        "fields": {name: digest_of(getattr(facts, name)) for name in known_fields(facts)},
        "identifiers": [f"{one.scheme}:{one.value}" for one in facts.identifiers],
        "links": [digest_of(link) for link in facts.links],
        "tags": list(item.tags),
        "automatic_tags": list(item.automatic_tags),
        "categories": [list(path) for path in item.categories],
        "statuses": list(item.statuses),
        "passes": item.passes,
        "rating": item.rating,
        "notes": {note.key: digest_of(note.text) for note in item.notes},
        "files": {file.key: str(file.path or "") for file in item.files},
    }


def digest_of(value: object) -> str:
    """What stands for a value: itself, if it is short."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    if len(text) <= _SHORT:
        return text
    return f"sha256:{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:24]}"
