"""Delete and add again: ``python benchmarks/documents_again.py [FOLDER] [--show] [--each N]``.

Of every Markdown file, entries spread over it are deleted one by one, and added again: once in *a
library* that had imported the whole list, and then the copy without the entry; once from *facts
only*, by a library that never saw the list. The text is compared with what it was, word by word and
sign by sign: byte for byte the *same*; the entry as it was at another *place* in its list, or with
another number; without words that no library *knows* (remarks, sub-items that are no fact); in
another *style*, which is the same words with other signs; with a *fact* lost, which is anything
that the library knows; *wrong*: put into another section, another table or another paper's details,
with a word that was not there (a link called otherwise, a label that is left over), or with signs
side by side that stand so nowhere in the document (a separator that hangs, half a pair of
brackets); or *refused*: nothing was written. ``--show`` prints what is not the same, ``--only
library`` and ``--only facts`` do one of both. Without FOLDER it is $PAPERTRACK_CORPUS/readmes. It
fails where the library brings back less than 85 % as they were, or anything wrong.
"""

from __future__ import annotations

import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from papertrack.documents.encoding import decode_document
from papertrack.documents.markdown.model import Document, Entry, EntryFields
from papertrack.documents.markdown.read.document import parse_document
from papertrack.documents.markdown.write.edit_types import Add, Remove
from papertrack.documents.markdown.write.edits import apply_edits
from papertrack.library import Library
from papertrack.records import Paper
from papertrack.sync.markdown.reading import items_of
from papertrack.sync.markdown.writing import fields_of_new

if TYPE_CHECKING:
    from library_again import ListInLibrary

EACH = 20
GOAL = 0.85
"""Of the entries, that come back byte for byte in a library that knew the list."""
_WORD = re.compile(r"[^\W_]+")
_SIGNS = re.compile(r"[\W_]+")
_BLANKS = re.compile(r"[^\S\n]+")
_SMALL_TAG = re.compile(r"</?(?:su[bp]|[biu]|em|strong)>")
_NUMBERS = re.compile(r"(?m)^\s*[0-9]+(?=[.)] )|(?<=\]\[)[0-9]+(?=\])")
KINDS = ("same", "place", "knows", "style", "fact", "wrong", "refused")
LIBRARY = Library(Path("/library"))
README = LIBRARY.root / "README.md"


def paper_of(document: Document, entry: Entry) -> Paper:
    """Return the paper that a library makes of an entry when it imports it."""
    item = items_of(document, LIBRARY, README)[entry.index]
    fields = entry.fields
    return Paper(
        1,
        "key",
        item.facts,
        "2026-01-01",
        passes_done=fields.passes or 0,
        rating=fields.rating,
        categories=(entry.category,),
        tags=fields.tags,
        notes=tuple(item.values["note"]),
    )


def listed_as(entry: Entry) -> tuple[object, ...]:
    """Return what an entry lists where."""
    return entry.category, entry.identifiers or entry.fields.title


def chosen(document: Document, each: int) -> list[Entry]:
    """Return entries spread over a document, the same ones every time: none that its section lists
    twice, as a paper that is listed still gets no other row."""
    times = Counter(map(listed_as, document.entries))
    entries = [one for one in document.entries if one.fields.title and times[listed_as(one)] == 1]
    step = max(len(entries) / each, 1)
    starts = (int(number * step) for number in range(min(each, len(entries))))
    pick = random.Random(12)
    return [entries[min(start + pick.randrange(int(step)), len(entries) - 1)] for start in starts]


def added_again(document: Document, entry: Entry) -> tuple[str, str]:
    """Return how an entry comes back, and what came back instead of it."""
    without = apply_edits(document, [Remove(entry.index)])
    if without.refused:
        return "refused", without.refused[0].reason
    fields = fields_of_new(paper_of(document, entry), LIBRARY, README)
    shorter = parse_document(without.text)
    made = apply_edits(shorter, [Add(entry.category, fields)])
    if made.refused:
        return "refused", made.refused[0].reason
    if made.text == document.text:
        return "same", ""
    return compared(document, entry, fields, shorter, parse_document(made.text))


def compared(
    document: Document, old: Entry, fields: EntryFields, shorter: Document, made: Document
) -> tuple[str, str]:
    """Return how an entry that came back differs from what it was, and its text."""
    known = Counter(map(name_of, shorter.entries))
    new = [entry for entry in made.entries if not take(known, name_of(entry))]
    if len(new) != 1:
        return "wrong", f"{len(new)} new entries"
    text = made.text[slice(*new[0].span)]
    if new[0].category != old.category or new[0].group[0] != old.group[0]:
        return "wrong", f"in {new[0].category}: {text}"
    was = document.text[slice(*old.span)]
    if unnumbered(text) == unnumbered(was):
        return "place", f"line {new[0].line}, not {old.line}"
    return kind_of_change(document, (old, new[0]), fields, (was, text)), text


def kind_of_change(
    document: Document, entries: tuple[Entry, Entry], fields: EntryFields, texts: tuple[str, str]
) -> str:
    """Return how an entry that came back differs from what it was: it, and what it says."""
    was, now = (Counter(words(unnumbered(text))) for text in texts)
    if any(not word.isdigit() for word in now - was) or signs(texts[1]) - signs(document.text):
        return "wrong"
    old, new = (split(entry, knows_date=bool(fields.date)) for entry in entries)
    if old != new or known_words(fields) & set(was - now):
        return "fact"
    return "knows" if was - now else "style"


def signs(text: str) -> set[str]:
    """Return what stands side by side between the words of a text, line by line, cell by cell."""
    runs = (_BLANKS.sub(" ", run) for run in _SIGNS.findall(f"\n{text.strip()}\n"))
    return {part for run in runs for one in parted(run) for part in in_cells(one)}


def parted(run: str) -> tuple[str, ...]:
    """Return what of some signs ends a line and what starts one."""
    first, is_broken, rest = run.partition("\n")
    last = rest.rpartition("\n")[2]
    return (f"{first.rstrip()}$", f"^{last}") if is_broken else (run,)


def in_cells(run: str) -> list[str]:
    """Return what of some signs stands in one cell: of empty ones nothing."""
    cells = run.split("|")
    return [cell.strip() for cell in cells if cell.strip(" $^")] if len(cells) > 1 else cells


def words(text: str) -> list[str]:
    """Return the words of a text; a raised sign parts none."""
    return _WORD.findall(_SMALL_TAG.sub("", text))


def known_words(fields: EntryFields) -> set[str]:
    """Return the words of what a library knows of a paper."""
    labels = (link.label or "" for link in fields.links)
    said = (fields.title, fields.venue or "", *fields.authors, *fields.tags, *labels)
    return {word for text in said for word in _WORD.findall(text)}


def unnumbered(text: str) -> str:
    """Return an entry without the numbers that count it and its definitions."""
    return _NUMBERS.sub("0", text.strip())


def take(names: Counter[tuple[object, ...]], name: tuple[object, ...]) -> bool:
    names[name] -= 1
    return names[name] >= 0


def name_of(entry: Entry) -> tuple[object, ...]:
    return (entry.identifiers, entry.fields.title, entry.category)


def split(entry: Entry, *, knows_date: bool) -> tuple[object, ...]:
    """Return what an entry says that a library keeps."""
    fields = entry.fields
    links = frozenset((link.role, link.label, link.url) for link in fields.links)
    date = fields.date if knows_date else None
    single = (fields.title, date, fields.passes or 0, fields.rating, fields.venue)
    return (*single, fields.authors, links, frozenset(fields.tags))


def indented(text: str) -> Iterator[str]:
    for line in text.rstrip().splitlines():
        yield f"      {line[:300]}"


def returned(known: ListInLibrary, document: Document, entry: Entry) -> tuple[str, str]:
    """Return how an entry comes back in a library that knew the list, and what came instead."""
    without, text = known.again(document, entry)
    if text == document.text:
        return "same", ""
    if text == without:
        return "refused", "nothing was written"
    fields = fields_of_new(paper_of(document, entry), LIBRARY, README)
    return compared(document, entry, fields, parse_document(without), parse_document(text))


Again = Callable[[Entry], tuple[str, str]]


def from_facts(path: Path, document: Document) -> Iterator[Again]:
    """Yield what adds an entry again from facts only."""
    yield partial(added_again, document)


def in_library(path: Path, document: Document) -> Iterator[Again]:
    """Yield what adds an entry again in a library that knew the list."""
    from library_again import ListInLibrary

    with TemporaryDirectory() as folder:
        yield partial(returned, ListInLibrary(Path(folder), path), document)


WAYS = {
    "library": ("In a library that knew the list", in_library),
    "facts": ("From facts only", from_facts),
}


def option(name: str, default: str) -> str:
    return sys.argv[sys.argv.index(name) + 1] if name in sys.argv else default


def counted(again: Again, document: Document, each: int, *, shows: bool) -> Counter[str]:
    """Return how often entries come back how; print those that do not come as they were."""
    counts: Counter[str] = Counter()
    for entry in chosen(document, each):
        kind, came = again(entry)
        counts[kind] += 1
        if shows and kind != "same":
            was = document.text[slice(*entry.span)]
            print(f"  {kind}: line {entry.line}", *indented(was), *indented(came), sep="\n")
    return counts


def print_counts(name: str, counts: Counter[str]) -> None:
    print(f"{name:50} {''.join(f'{counts[kind]:8}' for kind in KINDS)}", flush=True)


def measured(way: str, each: int, *, shows: bool) -> bool:
    """Print how the entries of all files come back; return whether that is good enough."""
    # Imported here because tests use the functions above, from where this file is a package's.
    from corpus import corpus_files

    title, way_of = WAYS[way]
    folder, paths = corpus_files("readmes", "*.md")
    print(f"{title:50} {''.join(f'{kind:>8}' for kind in KINDS)}")
    total: Counter[str] = Counter()
    for path in paths:
        document = parse_document(decode_document(path.read_bytes())[0])
        for again in way_of(path, document):
            counts = counted(again, document, each, shows=shows)
        total += counts
        print_counts(str(path.relative_to(folder))[:50], counts)
    print_counts("all", total)
    share = (total["same"] + total["place"]) / max(total.total(), 1)
    print(f"as they were: {total['same'] / max(total.total(), 1):.1%}, ", end="")
    print(f"with those at another place: {share:.1%}; wrong: {total['wrong']}\n")
    return total["same"] >= GOAL * total.total() and not total["wrong"]


def main() -> int:
    each, shows, only = int(option("--each", str(EACH))), "--show" in sys.argv, option("--only", "")
    sys.argv = [one for one in sys.argv[:2] if not one.startswith("--")]
    good = {way: measured(way, each, shows=shows) for way in WAYS if only in ("", way)}
    return 0 if good.get("library", True) else 1


if __name__ == "__main__":
    sys.exit(main())
