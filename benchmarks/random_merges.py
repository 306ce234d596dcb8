"""500 random edits on both sides of real .bib files, merged: `random_merges.py [FOLDER]`.

Each side edits, re-keys, lays out anew, deletes and adds entries, and may sort the file. Counted
are entries that are lost or doubled, blocks that do not end, and edits that are gone. The files are
those of FOLDER, or $PAPERTRACK_CORPUS, with five entries or more under keys of their own. The run
fails if anything was lost.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from pathlib import Path
from random import Random

from corpus import corpus_files

from papertrack.documents.bibtex.blocks import Block, read_blocks
from papertrack.documents.bibtex.edit import with_field, with_key
from papertrack.documents.bibtex.merge import merge_bibs
from papertrack.documents.encoding import decode_bib
from papertrack.documents.merge import Labels
from papertrack.errors import DocumentError

_MERGES = 500
_LONGEST = 60_000
_MARKER = re.compile(r"^(?:<<<<<<<|=======|>>>>>>>).*\n?", re.MULTILINE)
_CHANGES = ("edit", "rekey", "layout", "delete", "add")
Done = dict[str, tuple[str, str]]
"""By the key of an entry what a side did to it, and a word that shows it."""


def main() -> int:
    _, paths = corpus_files("", "*.bib")
    texts = list(filter(None, map(_text_of, filter(Path.is_file, paths))))
    lost = markers = 0
    for seed in range(_MERGES):
        random = Random(seed)
        base = random.choice(texts)
        (ours, by_us), (theirs, by_them) = (_edited(base, random, side) for side in ("A", "B"))
        merged = merge_bibs(base, ours, theirs, Labels())
        markers += merged.conflicts
        if problems := _problems(base, merged.text, by_us, by_them):
            lost += 1
            print(f"seed {seed}: {', '.join(problems)}")
    print(f"{_MERGES} merges of {len(texts)} files: {lost} lose something, {markers} markers")
    return 1 if lost else 0


def _text_of(path: Path) -> str | None:
    try:
        text, _ = decode_bib(path.read_bytes()[: _LONGEST + 1])
    except DocumentError:
        return None
    blocks = list(read_blocks(text)) if len(text) <= _LONGEST else []
    keys = [block.key.casefold() for block in _entries(blocks)]
    is_whole = all(block.kind != "broken" for block in blocks)
    return text if is_whole and len(keys) == len(set(keys)) >= 5 else None


def _entries(blocks: list[Block]) -> list[Block]:
    return [one for one in blocks if one.kind == "entry" and one.fields and one.key]


def _edited(text: str, random: Random, side: str) -> tuple[str, Done]:
    """One side of a merge, and what it did."""
    entries = _entries(list(read_blocks(text)))
    raws = [entry.raw for entry in entries]
    done: Done = {}
    for at in random.sample(range(len(entries)), min(len(entries), 6)):
        entry, change, word = entries[at], random.choice(_CHANGES), f"{side}{at}"
        if change == "edit":
            raws[at] = with_field(entry.raw, "note", f"noted by {word}")
        elif change == "rekey":
            raws[at] = with_key(entry.raw, f"key{word}")
        elif change == "layout":
            raws[at] = re.sub(r"\n[ \t]+", "\n        ", entry.raw)
        elif change == "delete":
            raws[at] = ""
        else:
            raws[at] += f"\n\n@misc{{add{word}, title={{Added by {word} of {side}}}}}"
        done[f"add{word}" if change == "add" else entry.key] = change, word
    if random.random() < 0.4:
        raws.sort(key=str.casefold)
    pieces, end = [], 0
    for entry, raw in zip(entries, raws, strict=True):
        pieces += text[end : entry.start], raw
        end = entry.end
    return "".join([*pieces, text[end:]]), done


def _problems(base: str, merged: str, by_us: Done, by_them: Done) -> list[str]:
    """What the merged text lacks or has twice; of both sides of a conflict either may stand."""
    blocks = list(read_blocks(_MARKER.sub("", merged)))
    counts = Counter(block.key for block in blocks if block.kind == "entry")
    problems = ["a block does not end" for block in blocks if block.kind == "broken"]
    for entry in _entries(list(read_blocks(base))):
        changes = [side[entry.key] for side in (by_us, by_them) if entry.key in side]
        names = {entry.key, *(f"key{word}" for change, word in changes if change == "rekey")}
        if all(change != "delete" for change, _ in changes):
            problems += [] if names & counts.keys() else [f"{entry.key} is lost"]
            problems += [
                f"the edit of {entry.key} is lost"
                for change, word in changes
                if change == "edit" and f"noted by {word}" not in merged
            ]
    added = (
        key for side in (by_us, by_them) for key, (change, _) in side.items() if change == "add"
    )
    problems += [f"{key} is there {counts[key]} times" for key in added if counts[key] != 1]
    if merged == _MARKER.sub("", merged):
        problems += [f"{key} is there twice" for key, count in counts.items() if count > 1]
    return problems


if __name__ == "__main__":
    sys.exit(main())
