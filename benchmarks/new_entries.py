"""Are new entries as the curator writes them? ``benchmarks/new_entries.py [--show] [LIST …]``

Of every list in $PAPERTRACK_CORPUS (readmes, further/readmes), or of these, entries spread over it
are taken out of a copy and added again by what they say themselves: title, authors, venue, year,
date, links, tags. Only entries that can be known count: nothing is left of them without these
facts, dates and the words that most of their eight nearest neighbours share, and half of those
have their form. An entry that comes back is the *same* byte for byte (numbers that count entries
and definitions aside), in another *style*, with a *foreign* word that neither the entry nor most
of its neighbours have, *misplaced* (in another section, or where a sorted section's order is
broken), or *refused*, with a sentence. ``--show`` prints what is not the same as diffs; ``--each
N`` takes N of each list.
"""

from __future__ import annotations

import random
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import ndiff
from pathlib import Path

from papertrack.documents.encoding import decode_document
from papertrack.documents.markdown.model import Document, Entry, EntryFields
from papertrack.documents.markdown.read.document import parse_document
from papertrack.documents.markdown.write.edit_types import Add, Remove
from papertrack.documents.markdown.write.edits import apply_edits
from papertrack.identifiers import arxiv_month, parse_arxiv_id
from papertrack.matching.venues import YEAR, parsed_venue

EACH, GOAL = 15, 0.85
NEAREST = 8
KINDS = ("same", "style", "foreign", "misplaced", "refused")
_WORD = re.compile(r"[^\W_]+")
_ARXIV = re.compile(r"(?<![0-9])[0-9]{4}\.[0-9]{4,5}(?:v[0-9]+)?")
_DIGITS = re.compile(r"[0-9]+")
_NUMBERS = re.compile(r"(?m)^[\s>|*#-]*\[?[#(]?[0-9]+(?=[.)\]|: ])|(?<=\]\[)[0-9]+(?=\])")
_FACTS = ("authors", "venue", "date", "tag", "rating", "number")


def text_of(document: Document, entry: Entry) -> str:
    return document.text[slice(*entry.span)].strip()


def nearest(document: Document, entry: Entry) -> list[Entry]:
    """Return the eight entries of the same group that stand nearest."""
    alike = [e for e in document.entries if e.group == entry.group and e.index != entry.index]
    alike = [e for e in alike if e.shape == entry.shape]
    return sorted(alike, key=lambda other: abs(other.line - entry.line))[:NEAREST]


def spans_of(document: Document, entry: Entry) -> list[tuple[int, int, str]]:
    """Return where an entry says its facts, and what each is, none overlapping another."""
    anatomy, found = entry.anatomy, []
    if anatomy.title:
        found.append((*anatomy.title, "T"))
    found += [(*part.span, part.role) for part in anatomy.parts if part.role in _FACTS]
    for link in anatomy.links:
        form = _ARXIV.sub("ID", link.url) if parse_arxiv_id(link.url) else link.role
        span = link.url_span
        if link.form == "reference":
            span, form = (link.label_span[1] + 2, link.span[1] - 1), link.role
        found.append((*span, form))
    if anatomy.mark:
        found.append((*anatomy.mark.span, "mark"))
    kept: list[tuple[int, int, str]] = []
    for start, end, name in sorted(found):
        inside = entry.span[0] <= start < end <= entry.span[1]
        if inside and (not kept or start >= kept[-1][1]):
            kept.append((start, end, name))
    return kept


def form_of(document: Document, entry: Entry) -> str:
    """Return an entry with names in the places of its facts, and all that it says of its own."""
    position, form = entry.span[0], ""
    repositories = [link.url.split("//")[-1].partition("/")[2] for link in entry.anatomy.links]
    for start, end, name in [*spans_of(document, entry), (entry.span[1], entry.span[1], "")]:
        form += document.text[position:start] + name
        if name == "venue":
            form += parsed_venue(document.text[start:end])[1]
        if name == "authors" and "et al" in document.text[start:end]:
            form += "+"
        position = end
    for path in repositories:
        if path.count("/") >= 1:
            form = form.replace(path.strip("/"), "REPO")
    return _DIGITS.sub("0", _ARXIV.sub("ID", form)).strip()


def fields_of(document: Document, entry: Entry) -> EntryFields:
    """Return what an entry says itself, as somebody tells it of a paper that was added by id."""
    fields = entry.fields
    year = YEAR.search(fields.venue or "")
    ids = (paper.id for link in fields.links if (paper := parse_arxiv_id(link.url)))
    date = fields.date if entry.anatomy.date else next(map(arxiv_month, ids), None)
    return EntryFields(
        title=fields.title,
        kind=fields.kind,
        passes=fields.passes,
        rating=fields.rating,
        date=date,
        links=tuple(link._replace(label=None) for link in fields.links),
        tags=fields.tags,
        authors=fields.authors,
        venue=fields.venue,
        year=(2000 + int(year.group()[-2:]) if year else int(date[:4]) if date else None),
    )


def words(text: str) -> set[str]:
    return {word.casefold() for word in _WORD.findall(text)}


def is_knowable(document: Document, entry: Entry) -> bool:
    """Return whether an entry says nothing but facts and words that most near ones say too, in a
    form that half of them have."""
    others = nearest(document, entry)
    form = form_of(document, entry)
    if len(others) < 2 or not entry.anatomy.title or entry.is_shared:
        return False
    if not entry.fields.authors and any(p.role == "authors" for p in entry.anatomy.parts):
        return False
    if any(link.role in ("author", "related") for link in entry.anatomy.links):
        return False  # Nobody tells whose page it is.
    forms = [form_of(document, other) for other in others]
    shared = Counter(word for other in forms for word in words(other))
    left = [word for word in words(form) if shared[word] * 2 < len(others)]
    return not left and 2 * sum(other == form for other in forms) >= len(others)


def chosen(document: Document, each: int) -> list[Entry]:
    """Return entries spread over a list that can be known, the same ones each time."""
    times = Counter((e.category, e.identifiers or e.fields.title) for e in document.entries)
    order = list(document.entries)
    random.Random(7).shuffle(order)
    found: list[Entry] = []
    for entry in order:
        if len(found) >= each:
            break
        once = times[entry.category, entry.identifiers or entry.fields.title] == 1
        if once and entry.fields.title and is_knowable(document, entry):
            found.append(entry)
    return sorted(found, key=lambda entry: entry.index)


def unnumbered(text: str) -> str:
    return _NUMBERS.sub("0", text.strip())


def again(document: Document, entry: Entry) -> tuple[str, str]:
    """Return how an entry comes back, and its text or why not."""
    removed = apply_edits(document, [Remove(entry.index)])
    if removed.refused:
        return "", ""
    copy = parse_document(removed.text)
    edited = apply_edits(copy, [Add(entry.category, fields_of(document, entry))])
    if edited.refused:
        return "refused", edited.refused[0].reason
    return compared(document, entry, copy, parse_document(edited.text))


def compared(document: Document, entry: Entry, copy: Document, made: Document) -> tuple[str, str]:
    """Return how the one new entry of a document is, beside what it was."""
    known = Counter((e.identifiers, e.fields.title, e.category) for e in copy.entries)
    new = []
    for one in made.entries:
        name = (one.identifiers, one.fields.title, one.category)
        known[name] -= 1
        new += [one] if known[name] < 0 else []
    if len(new) != 1:
        return "misplaced", f"{len(new)} new entries"
    was, now = text_of(document, entry), text_of(made, new[0])
    if new[0].category != entry.category or breaks_order(document, entry, made, new[0]):
        return "misplaced", f"line {new[0].line}, was {entry.line}: {now}"
    if unnumbered(was) == unnumbered(now):
        return "same", now
    shared = Counter(
        w for other in nearest(document, entry) for w in words(text_of(document, other))
    )
    foreign = words(unnumbered(now)) - words(unnumbered(was))
    told = words(repr(fields_of(document, entry)))
    foreign = {word for word in foreign - told if shared[word] < 0.5 * NEAREST}
    return ("foreign" if foreign else "style"), now


def breaks_order(document: Document, old: Entry, made: Document, new: Entry) -> bool:
    """Return whether a section in the order of its dates is so no more."""
    if entry_is_counted(document, old):
        return False  # It goes where its number asks.
    before = [_day(e) for e in document.entries if e.group == old.group]
    after = [_day(e) for e in made.entries if e.group == new.group]
    return any(
        _is_sorted(before, is_reversed=way) and not _is_sorted(after, is_reversed=way)
        for way in (False, True)
    )


def entry_is_counted(document: Document, entry: Entry) -> bool:
    return entry.shape == "numbered" or document.text[entry.anatomy.body[0] :][:3].strip().isdigit()


def _day(entry: Entry) -> str:
    ids = [one.value for one in entry.identifiers if one.scheme == "arxiv"]
    return entry.fields.date or (arxiv_month(ids[0]) if ids else "")


def _is_sorted(dates: Sequence[str], *, is_reversed: bool) -> bool:
    if len(dates) < 4 or "" in dates or len(set(dates)) < 2:
        return False
    width = min(map(len, dates))
    cut = [date[:width] for date in dates]
    return cut == sorted(cut, reverse=is_reversed)


def diff(was: str, now: str) -> Iterator[str]:
    for line in ndiff(was.splitlines(), now.splitlines()):
        yield f"      {line[:320]}"


def lists() -> list[Path]:
    # Imported here because tests use the functions above, from where this file is a package's.
    from corpus import corpus_files

    folders = ("readmes", "further/readmes")
    return [path for folder in folders for path in corpus_files(folder, "*.md")[1]]


def main() -> int:
    arguments, shows = sys.argv[1:], "--show" in sys.argv
    each = int(arguments[arguments.index("--each") + 1]) if "--each" in arguments else EACH
    named = [one for one in arguments if not one.startswith("--") and not one.isdigit()]
    sys.argv = sys.argv[:1]
    paths = list(map(Path, named)) or lists()
    total: Counter[str] = Counter()
    used = 0
    print(f"{'':60}{''.join(f'{kind:>10}' for kind in KINDS)}")
    for path in paths:
        document = parse_document(decode_document(path.read_bytes())[0])
        counts: Counter[str] = Counter()
        for entry in chosen(document, each):
            kind, came = again(document, entry)
            if not kind:
                continue
            counts[kind] += 1
            if shows and kind != "same":
                print(f"  {kind}: line {entry.line}")
                print("\n".join(diff(text_of(document, entry), came)))
        used += bool(counts)
        total += counts
        print(f"{path.name[:58]:60}{''.join(f'{counts[kind]:10}' for kind in KINDS)}", flush=True)
    share = total["same"] / max(total.total(), 1)
    print(f"{f'{total.total()} entries of {used} lists':60}", end="")
    print("".join(f"{total[kind]:10}" for kind in KINDS), f"  {share:.1%}")
    return 0 if share >= GOAL and not total["misplaced"] + total["foreign"] else 1


if __name__ == "__main__":
    sys.exit(main())
