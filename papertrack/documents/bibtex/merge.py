"""Merge three versions of a .bib file, block by block, in any order.

A block of any type is one piece. An entry is recognized by its key, or by its title after its key
changed; a @string by its name. Fields are compared by name and value, so that a new layout on one
side does not conflict with an edit on the other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence

from papertrack.documents import merge
from papertrack.documents.bibtex.blocks import Block, read_blocks
from papertrack.documents.bibtex.edit import with_key, with_type, with_value
from papertrack.documents.bibtex.names import pieces
from papertrack.documents.bibtex.parse import refuse_conflicts
from papertrack.text import title_key


def merge_bibs(base: str, ours: str, theirs: str, labels: merge.Labels) -> merge.Merged:
    """Merge two versions of a .bib file that come from ``base``.

    A file with an unterminated block is merged line by line, as git does. If both sides exchanged
    keys between entries in different ways, each of these entries is in conflict, so that choosing
    one side for all keeps every work. Raises DocumentError for a text that has conflict markers
    already.
    """
    texts = (base, ours, theirs)
    for text in texts:
        refuse_conflicts(text)
    blocks = [[one for one in read_blocks(text) if one.kind != "text"] for text in texts]
    if any(block.kind == "broken" for side in blocks for block in side):
        return merge.merge_lines(base, ours, theirs, labels)
    counts = (Counter(one.key.casefold() for one in side) for side in blocks)
    twice = {key for count in counts for key, times in count.items() if times > 1}
    exchanged = [_exchanged(blocks[0], side) for side in blocks]
    is_disputed = all(exchanged[1:]) and exchanged[1] != exchanged[2]
    disputed = {key for side in exchanged if is_disputed for pair in side.items() for key in pair}
    sides = [
        merge.split(text, _named(text, parts, twice, former))
        for text, parts, former in zip(texts, blocks, exchanged, strict=True)
    ]

    def merge_texts(was: merge.Piece | None, ours: merge.Piece, theirs: merge.Piece) -> str | None:
        # Merged one by one, two entries could get one key.
        has_key = was and was.content and was.content.key.casefold() in disputed
        return None if has_key and ours.plain != theirs.plain else _merge_texts(was, ours, theirs)

    return merge.merge_pieces(texts, sides, labels, merge_texts)


def _exchanged(was: Sequence[Block], blocks: Sequence[Block]) -> dict[str, str]:
    """Find entries that took over the key of another entry.

    Maps the new key of such an entry to its old one, both in lower case. Entries are recognized by
    their titles.
    """
    old_titles, titles = _titles(was), _titles(blocks)
    old_keys, keys = ({title: key for key, title in side.items()} for side in (old_titles, titles))
    exchanged = {
        key: old_keys[title]
        for key, title in titles.items()
        if key in old_titles and old_titles[key] in keys and old_keys.get(title, key) != key
    }
    # An entry whose title alone changed keeps its key.
    while stay := [key for key, old in exchanged.items() if old in titles and old not in exchanged]:
        for key in stay:
            del exchanged[key]
    return exchanged


def _titles(blocks: Sequence[Block]) -> dict[str, str]:
    """Map keys in lower case to titles, where both are unique in a version."""
    entries = [one for one in blocks if one.kind == "entry" and one.key]
    pairs = [
        (one.key.casefold(), title_key(_said_by_field(one).get("title", ""))) for one in entries
    ]
    keys, titles = (Counter(one) for one in zip(*pairs, strict=True)) if pairs else ({}, {})
    return {key: title for key, title in pairs if title and keys[key] == titles[title] == 1}


def _named(
    text: str, blocks: Sequence[Block], twice: Container[str], exchanged: Mapping[str, str]
) -> Iterator[merge.NamedSpan]:
    """Yield the blocks of a text, each with other text on its lines, such as ``%``.

    Entries whose key is in ``twice`` are distinguished by their titles, as some version has two of
    that key. Entries with an ``exchanged`` key keep their old name.
    """
    done = 0
    starts = [*(block.start for block in blocks[1:]), len(text)]
    for block, following in zip(blocks, starts, strict=False):
        line_end = text.find("\n", block.end)
        end = line_end if 0 <= line_end < following else block.end
        end = len(text) if line_end < 0 and following == len(text) else end
        start = max(text.rfind("\n", 0, block.start) + 1, done)
        done = start + len(text[start:end].rstrip())
        title, content = "", " ".join(block.raw.split())
        if block.kind == "entry":
            fields = _said_by_field(block)
            title, content = title_key(fields.get("title", "")), repr(sorted(fields.items()))
            content = f"{block.type} {block.key} {content}"
        kind, name = _name_of(block, title, content)
        name = exchanged.get(name, name) if kind == "entry" else name
        name = f"{name}\0{title}" if block.key.casefold() in twice else name
        yield merge.NamedSpan(start, done, (kind, name), content, title, block)


def _name_of(block: Block, title: str, content: str) -> tuple[str, str]:
    if block.kind == "comment":  # JabRef's start with their kind: "jabref-meta: grouping:".
        return "comment", ":".join(block.text.split(":")[:2]) if ":" in block.text else block.text
    if block.kind == "entry" and not block.key:
        return "keyless", title or content
    return block.kind, block.key.casefold() or block.text


def _said_by_field(block: Block) -> dict[str, str]:
    """Map field names in lower case to plain values; the first of duplicates counts."""
    return {part.name.casefold(): _said(part.value) for part in reversed(block.fields)}


def _said(value: str) -> str:
    """Normalize a value: blanks do not count, and a @string differs from a word."""
    texts = ("@" + part.text.casefold() if part.is_name else part.text for part in pieces(value))
    return " ".join("".join(texts).split())


def _merge_texts(was: merge.Piece | None, ours: merge.Piece, theirs: merge.Piece) -> str | None:
    """Merge two versions of a piece; None where they contradict each other."""
    text = merge.undisputed(was.text if was else None, ours.text, theirs.text)
    if text is not None or theirs.plain in (ours.plain, was.plain if was else None):
        return text or ours.text
    block, other = ours.content, theirs.content
    if block is not None and other is not None and block.kind == "entry":
        merged = _merge_entries(was.content if was else None, block, other)
        return ours.text.replace(block.raw, merged, 1) if merged else None
    if was and ours.plain == was.plain:
        return theirs.text
    merged = merge.merge_words(was.text, ours.text, theirs.text) if was else None
    return merged if merged is None or block is None or _is_one_block(merged) else None


def _merge_entries(was: Block | None, ours: Block, theirs: Block) -> str | None:
    """Return our entry with their changes; None if both changed one field."""
    text = ours.raw
    old, mine, other = (_said_by_field(one) if one else {} for one in (was, ours, theirs))
    written = {one.name.casefold(): (one.name, one.value) for one in reversed(theirs.fields)}
    for name in [*reversed(written), *(name for name in old if name not in written)]:
        before, here, there = old.get(name), mine.get(name), other.get(name)
        if there in (before, here):
            continue
        field, value = written.get(name, (name, None))
        if here != before:
            if before is None or here is None or there is None:
                return None
            merged = merge.merge_words(before, here, there)
            if merged is None or "@" in merged:
                return None
            value = "{" + merged + "}"
        text = with_value(text, field, value)
    old_type, old_key = (was.type, was.key) if was else (None, None)
    entry_type = merge.undisputed(old_type, ours.type, theirs.type)
    key = merge.undisputed(old_key, ours.key, theirs.key)
    if entry_type is None or key is None:
        return None
    text = text if entry_type == ours.type else with_type(text, entry_type)
    text = text if key == ours.key else with_key(text, key)
    return text if _is_one_block(text) else None


def _is_one_block(text: str) -> bool:
    blocks = list(read_blocks(text))
    return len(blocks) == 1 and blocks[0].kind != "broken"
