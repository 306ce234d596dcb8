"""A README in the libraries of several devices: worked at by verbs and by hand, brought in step,
and met as the files of git meet."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

from papertrack.actions.documents import export_registered, import_file
from papertrack.library import Library
from papertrack.store.documents import read_documents
from papertrack.store.store import Store
from papertrack.sync.threeway import Prefer

NAME = "README.md"
BIB = "refs.bib"
LISTS = (NAME, BIB)
README = """\
# Papers

A list that two keep.

## Serving

| Title | Date | Code | Read | Remarks |
| :--- | :--- | :--- | :--- | :--- |
| [Batching by Iteration](https://arxiv.org/abs/2207.10003) | 2022/07 | | ✅ | |
| [Paged Memory](https://arxiv.org/abs/2309.10001) | 2023/09 | [p](https://p.org) | ✅ ✅ | |
| [Chunked Prefills](https://arxiv.org/abs/2403.10004) | 2024/03 | | | ask Mira |

## Speculation

- [Drafting Ahead](https://arxiv.org/abs/2211.10002) - guesses early
- [Trees of Drafts](https://arxiv.org/abs/2305.10005)
- [Acting Twice](https://arxiv.org/abs/2310.10006) ✅

That is all so far.
"""
REFERENCES = """\
% What we cite.
@article{batching2022,
  title = {Batching by Iteration},
  author = {Abara, Ada and Chen, Bo},
  year = {2022},
  eprint = {2207.10003},
  archivePrefix = {arXiv},
}

@inproceedings{paged2023,
  title     = "Paged Memory",
  author    = "Diaz, Cy",
  booktitle = {Systems},
  year      = 2023,
  eprint    = {2309.10001},
}

@misc{drafting, title = {Drafting Ahead}, author = {Eno, Di}, year = {2022}, eprint = {2211.10002}}
"""
_ADDED = ["2501.00001", "2501.00002", "2501.00003", "2402.00009"]


def bring_in_step(store: Store, library: Library, prefer: Prefer = None) -> list[str]:
    """Take in what the README says and write what the library does, as ``papertrack sync``;
    return what was left undecided."""
    left: list[object] = []
    for one in read_documents(store):
        path = library.root / one.path
        if path.exists():
            left += import_file(store, library, path, prefer=prefer).conflicts
    for export in (
        *export_registered(store, library, "markdown", prefer=prefer),
        *export_registered(store, library, "bibtex", prefer=prefer),
    ):
        if export.error:
            raise export.error
        left += export.conflicts
    return list(map(str, left))


def edit_by_hand(path: Path, choose: random.Random) -> None:
    """Do something to the list as its reader does, who knows no rules."""
    if path.exists():
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        edit = choose.choice(_EDITS)
        path.write_text("".join(edit(lines, choose)), encoding="utf-8")


def _rows(lines: list[str]) -> list[int]:
    return [number for number, line in enumerate(lines) if "](http" in line]


def _mark(lines: list[str], choose: random.Random) -> list[str]:
    for number in choose.sample(_rows(lines), min(1, len(_rows(lines)))):
        line = lines[number]
        if line.startswith("|"):
            cells = line.split(" | ")
            lines[number] = " | ".join([*cells[:3], f"{cells[3].strip()} ✅".strip(), *cells[4:]])
        elif "✅" not in line:
            lines[number] = line.rstrip("\n") + " ✅\n"
    return lines


def _remark(lines: list[str], choose: random.Random) -> list[str]:
    word = f"remark{choose.randint(1, 10**6)}"
    for number in choose.sample(_rows(lines), min(1, len(_rows(lines)))):
        line = lines[number].rstrip("\n")
        is_row = line.startswith("|")
        lines[number] = f"{line[:-1]}{word} |\n" if is_row else f"{line} {word}\n"
    return lines


def _delete(lines: list[str], choose: random.Random) -> list[str]:
    for number in choose.sample(_rows(lines), min(1, len(_rows(lines)))):
        del lines[number]
    return lines


def _add(lines: list[str], choose: random.Random) -> list[str]:
    rows = [number for number in _rows(lines) if lines[number].startswith("- ")]
    reference = choose.choice(_ADDED)
    if rows and not any(reference in line for line in lines):
        link = f"[Added {reference}](https://arxiv.org/abs/{reference})"
        lines.insert(choose.choice(rows), f"- {link}\n")
    return lines


def _prose(lines: list[str], choose: random.Random) -> list[str]:
    return [*lines, f"\nMore to say: {choose.randint(1, 10**6)}.\n"]


_EDITS: list[Callable[[list[str], random.Random], list[str]]] = [
    _mark,
    _mark,
    _remark,
    _delete,
    _add,
    _add,
    _prose,
]


def edit_bib(path: Path, choose: random.Random) -> None:
    """Do something to the .bib file as its reader does."""
    if not path.exists():
        return
    text = path.read_text(encoding="utf-8")
    number = choose.randint(1, 10**6)
    reference = choose.choice(_ADDED)
    entry = (
        f"\n@article{{own{number},\n  title = {{Added {reference}}},\n"
        f"  author = {{Fay, Gil}},\n  year = {{2025}},\n  eprint = {{{reference}}},\n}}\n"
    )
    edits = [
        text + (entry if reference not in text else ""),
        text.replace("{Systems}", f"{{Systems {number}}}"),
        text.replace("  year = {2022},", f"  year = {{2022}},\n  note = {{n{number}}},", 1),
        text.replace("  year = {2025},", "  year = {2024},", 1),
        f"{text}\n% A remark: {number}.\n",
    ]
    path.write_text(choose.choice(edits), encoding="utf-8")
