"""What an entry of a .bib file and the library's paper say of each other, in the same words.

Values are plain JSON: they are stored with each entry, as what both sides said when last in step.
A value that is not known is missing. Abstracts, notes and links are not among them: they only
come in, with the entry's first import.
"""

from __future__ import annotations

import hashlib

from papertrack.documents.bibtex import BibEntry
from papertrack.records import Paper, PaperFacts
from papertrack.sync.threeway import PUBLICATION, SCHEMES, Fields, Values

SETS = ("tags", "categories")
"""Values that are sets. They and the next ones only come in: a file that others compile is not
where the reader's own marks are published."""
READING = ("passes", "rating", *SETS)
PUBLISHED = ("venue", "year", "type")
"""How a work was published: a preprint's entry and the published version's differ in them."""
FIELDS = Fields(sets=SETS, incoming=READING, stands_for_text=True)
SOURCE = "bibtex"
"""The source of fields that a .bib file gave."""


def entry_values(entry: BibEntry) -> Values:
    """What the entry says; its own key is the ``citekey``."""
    values = _facts_values(entry.facts)
    values["citekey"] = entry.citekey
    values["passes"] = entry.passes
    values["rating"] = entry.rating
    values["tags"] = list(entry_tags(entry))
    values["categories"] = [list(path) for path in entry.categories]
    return _known(values)


def paper_values(paper: Paper) -> Values:
    """What the library says, as far as ``entry_values`` could say it."""
    values = _facts_values(paper.facts)
    values["citekey"] = paper.citekey
    values["passes"] = paper.passes_done or None
    values["rating"] = paper.rating
    values["tags"] = list(paper.tags)
    values["categories"] = [list(path) for path in paper.categories]
    return _known(values)


def entry_tags(entry: BibEntry) -> tuple[str, ...]:
    """The entry's tags; JabRef's priority, for which papertrack has no field, is one of them."""
    return (*entry.tags, *((f"prio{entry.priority}",) if entry.priority else ()))


def fingerprint(entry: BibEntry) -> str:
    """Stands for the entry's text, and for what it takes from @strings and parents.

    Another one means that the entry was edited, or one of those.
    """
    text = entry.raw
    if entry.borrowed:
        text += "".join(f"\n{name}={value}" for name, value in entry.borrowed)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _facts_values(facts: PaperFacts) -> Values:
    values: Values = {
        "title": facts.title,
        "authors": [author.name for author in facts.authors],
        "venue": facts.venue,
        "year": facts.year,
        "type": facts.published_type,
        "primary_category": facts.primary_category,
    }
    for identifier in facts.identifiers:
        if identifier.scheme in SCHEMES:
            values.setdefault(identifier.scheme, identifier.value)
    for name, text in facts.publication:
        values.setdefault(PUBLICATION + name, text)
    return values


def _known(values: Values) -> Values:
    return {name: value for name, value in values.items() if value or value == 0}
