"""Every command that writes, at work on a library that has something of everything."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from papertrack.cli.old_words import modern
from tests.pdfs.made import make_pdf
from tests.pdfs.marked import boxes, highlight, mark

# ruff: noqa: E501  # Table rows are one line each.

README = """\
# Reading List

My own list, kept by hand since 2024. ✅ is a first pass.

## Serving

| Title | Date | Code | Note | Read | Remarks |
| :---- | :--- | :--- | :--- | :--- | :------ |
| [Paged Memory for Serving](https://arxiv.org/abs/2309.10001) | 2023/09 | [paged](https://github.com/example/paged) | | ✅ ✅ | years of precious remarks |
| [Chunked Prefills](https://arxiv.org/abs/2403.10004) | 2024/03 | | | | ask Mira |

## Speculation

- **[Drafting Ahead](https://arxiv.org/abs/2211.10002)** - finds what was guessed too early
- [Trees of Drafts](https://arxiv.org/abs/2402.10005)
  with a second line of mine

That is all so far.
"""

BIBTEX = """\
% my own references
@string{jol = "Journal of Lists"}

@article{lamp05,
    author  = {Osei, Ama and Lind, Per},
    title   = {A {Lamp} for Lost Papers},
    journal = jol,
    year    = 2024,
    mynote  = {years of precious remarks},
}

@misc{paged, title={Paged Memory for Serving}, author={Kim, Dana}, eprint={2309.10001},
  archiveprefix={arXiv}, year=2023}

@inproceedings{drawer, title = {The Drawer Problem}, author = {Ruiz, Ana}, year = 2022}
"""

MANUSCRIPT = r"""\documentclass{article}
\begin{document}
Lamps \cite{lamp05} and pages \cite{paged}.
\end{document}
"""

INFO = """\
ref: osei2021
title: A Lamp for the Second Drawer
author_list:
- {family: Osei, given: Ama}
year: 2021
tags: [light]
notes: notes.md
files: [lamp.pdf]
"""

Edit = Callable[[Path], None]


class At(NamedTuple):
    """A command line that is run at another time."""

    now: str
    command: str


Step = str | Edit | At
"""A command line without its ``papertrack``, or what the reader does by hand in the library."""


def written(name: str, text: str) -> Edit:
    """The reader writes a file."""

    def write(library: Path) -> None:
        path = library / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    return write


def replaced(name: str, old: str, new: str) -> Edit:
    """The reader edits a file."""

    def replace(library: Path) -> None:
        text = (library / name).read_text(encoding="utf-8")
        assert old in text, old
        (library / name).write_text(text.replace(old, new), encoding="utf-8")

    return replace


def highlighted(library: Path) -> None:
    """The reader highlights words in a PDF."""
    path = library / "2309.10001.pdf"
    make_pdf(path, ["Pages for the cache."])
    mark(path, 1, highlight(boxes(path, 1, "the cache"), Contents="How?"))


def repository(library: Path) -> None:
    """The reader makes a repository of the library."""
    subprocess.run(["git", "init", "-q", library], check=True)


DESK: Sequence[Step] = (
    written("README.md", README),
    written("main.bib", BIBTEX),
    written("thesis/paper.tex", MANUSCRIPT),
    "init",
    "import README.md main.bib",
    "pass 2403.10004 1 --minutes 12 --takeaway 'Chunks of equal cost.'",
    "tag paged +kv",
    "note 2309.10001",
    "add 2401.00001 --category Serving --inbox",
    "enrich",
    "topic add decoding --query transformers --arxiv cs.LG",
    "config bibtex.protect 'GPU, LoRA'",
    "export",
    "backup",
)
"""How the library came to be that most commands work on."""

BACK = ("undo", "export --md --bib")


@dataclass(frozen=True)
class Case:
    """One command, what goes before it, and the way back."""

    command: str
    before: Sequence[Step] = ()
    back: Sequence[str] = BACK
    """Commands that lead back to what was before it, if there is such a way."""
    start: Sequence[Step] = DESK
    by_hand: bool = False
    """Whether it edits the reader's files as the reader would: the library reads them after."""
    now: str = ""
    """When it is run, if not the night that all else is done."""

    @property
    def verb(self) -> str:
        return modern(self.command.split())[0]


_EDITED = (
    replaced("README.md", "| ask Mira |", "| asked Mira |"),
    replaced("README.md", "✅ ✅ |", "✅ ✅ ✅ |"),
    replaced("main.bib", "year = 2022", "year = 2021"),
)
_MARKERS = replaced(
    "README.md",
    "- **[Drafting Ahead](https://arxiv.org/abs/2211.10002)** - finds what was guessed too early\n",
    "<<<<<<< HEAD\n"
    "- **[Drafting Ahead](https://arxiv.org/abs/2211.10002)** - finds what was guessed too early\n"
    "- [Mine](https://arxiv.org/abs/2401.00002) - of this side\n"
    "=======\n"
    "- **[Drafting Ahead](https://arxiv.org/abs/2211.10002)** - finds what was guessed too early\n"
    "- [Theirs](https://arxiv.org/abs/2401.00003) - of that side\n"
    ">>>>>>> theirs\n",
)
"""A README as git leaves it after a merge that it could not make."""
_MISREAD = "- [Modèles à réaction](https://arxiv.org/abs/2401.00004)\n".encode().decode("cp1252")
_PAPIS = (
    written("papis/osei/info.yaml", INFO),
    written("papis/osei/notes.md", "Mine, and long.\n"),
    written("papis/osei/lamp.pdf", "%PDF-1.5 x"),
    written("papis/lind/info.yaml", "ref: lind2022\ntitle: Drawers\nyear: 2022\n"),
)
"""A library of papis."""
_TWO_REQUESTS = "".join(
    f"{one}\n" for one in ("2402.00001", "2402.00002", *(f"2301.{n:05}" for n in range(1, 51)))
)
_CHANGED = (
    "pass 2211.10002 1",
    "rm 2309.10001",
    "edit 2402.10005 title='Trees of Many Drafts'",
    "edit lamp05 year=2023",
)
_NO_WAY_BACK: tuple[str, ...] = ()

CASES = (
    Case("init", start=(), back=_NO_WAY_BACK),
    Case("demo sample", start=(), back=_NO_WAY_BACK),
    Case("config reading.in_hand 3", back=("config reading.in_hand --unset",)),
    Case("config --mine pdf_viewer evince", back=("config --mine pdf_viewer --unset",)),
    Case("trust", before=("trust --forget",), back=("trust --forget",)),
    Case("trust --forget", back=("trust",)),
    Case("backup", before=("tag paged +x",), back=_NO_WAY_BACK),
    Case("backup ../stick/papers.db", back=_NO_WAY_BACK),
    Case("doctor --compact", before=("rm lamp05",), back=_NO_WAY_BACK),
    Case("restore", before=("tag paged +x",), back=_NO_WAY_BACK),
    Case(
        "doctor --repair",
        before=(written("notes/.a.md.papertrack-999999.x", "half a no"),),
        back=_NO_WAY_BACK,
    ),
    Case("queue 2403.10004 2211.10002"),
    Case("snooze 2403.10004"),
    Case("queue 2403.10004 --aside", before=("queue 2403.10004",)),
    Case("next"),
    Case("pass 2211.10002 2 --minutes 9 --takeaway 'Guess, then check.'"),
    Case("pass paged --undo"),
    Case("note 2211.10002"),
    Case("save 2401.00001"),
    Case("discard 2401.00001 --reason 'read the survey'"),
    Case("add 2402.00001 2402.00002 --category Serving --tag moe"),
    Case("add 2402.00003 --offline --inbox"),
    Case("edit paged title='Pages' rating=5 code=https://github.com/example/pages"),
    Case("tag paged +moe -kv"),
    Case("tag --rename kv cache"),
    Case("move 2403.10004 --category Speculation"),
    Case("move 2403.10004 --category Speculation --also"),
    Case("category order Serving --last"),
    Case("category rename Serving Systems/Serving"),
    Case("category add Training"),
    Case("category rm Training", before=("category add Training",)),
    Case("rm 2309.10001"),
    Case("merge paged drawer"),
    Case("split drawer", before=("merge paged drawer", "export --md --bib")),
    Case("undo", before=("rm 2309.10001", "export --md --bib"), back=("redo", "export --md --bib")),
    Case("redo", before=("rm 2309.10001", "undo")),
    Case("enrich", before=(written("ids.txt", _TWO_REQUESTS), "import ids.txt")),
    Case("published 2401.00007", before=("add 2401.00007 --offline",), back=_NO_WAY_BACK),
    Case("watch", before=(At("2026-11-17T08:17:00+00:00", "watch"),), back=_NO_WAY_BACK),
    Case("watch --digest md -o night.md", back=_NO_WAY_BACK),
    Case(
        "watch install --github --package git+https://example.org/p --at 03:17 --yes",
        before=(repository,),
        back=("watch uninstall --yes",),
    ),
    Case(
        "watch uninstall --yes",
        before=(
            repository,
            "watch install --github --package git+https://example.org/p --at 03:17 --yes",
        ),
        back=_NO_WAY_BACK,
    ),
    Case("ranking more 2211.10002"),
    Case("ranking less 2211.10002"),
    Case("ranking less 2211.10002 --back", before=("ranking less 2211.10002",)),
    Case("ranking forget decoding"),
    Case("topic add graphs --query graphs"),
    Case("topic edit decoding --query caches"),
    Case("topic pause decoding"),
    Case("topic resume decoding", before=("topic pause decoding",)),
    Case("topic rm decoding"),
    Case("topic backfill decoding --since 2026-09-01", back=_NO_WAY_BACK),
    Case("digest --format html -o digest.html", before=("watch",), back=_NO_WAY_BACK),
    Case("search-arxiv title:transformers --add 1"),
    Case("pdf 2403.10004", back=_NO_WAY_BACK),
    Case("pdf add own.pdf --to 2403.10004", before=(written("own.pdf", "%PDF-1.5 x"),)),
    Case("pdf add 2403.10009.pdf --copy", before=(written("2403.10009.pdf", "%PDF-1.5 x"),)),
    Case(
        "note 2309.10001 --highlights",
        before=(highlighted, "pdf add 2309.10001.pdf --copy"),
        back=("undo",),
    ),
    Case("suggestions --accept-all"),
    Case("suggestions --reject-all"),
    Case("import README.md main.bib", start=(*DESK[:2], "init")),
    Case("import README.md main.bib", before=_EDITED),
    Case("import papis", before=_PAPIS),
    Case("import papis --copy", before=_PAPIS),
    Case("import kept.json", start=(*DESK, "export --json -o kept.json", "rm paged lamp05")),
    Case("import old.txt --repair-encoding", before=(written("old.txt", _MISREAD),)),
    Case("export --md", before=_CHANGED),
    Case("export --bib", before=_CHANGED),
    Case("export", before=_CHANGED),
    Case("export --bib -o out.bib", back=_NO_WAY_BACK),
    Case("export --json", before=_CHANGED, back=_NO_WAY_BACK),
    Case(
        "export --md -o mine.md --force",
        before=(written("mine.md", "# By hand\n"),),
        back=_NO_WAY_BACK,
    ),
    Case("sync", before=(*_EDITED, *_CHANGED), back=("undo", "sync")),
    Case("sync --resolve", before=(_MARKERS,), back=_NO_WAY_BACK, by_hand=True),
    Case("propose README.md 2402.00007 --category Serving --write", back=_NO_WAY_BACK),
    Case("propose README.md --remove 2403.10004 --write --summary pr.md", back=_NO_WAY_BACK),
    Case(
        "propose README.md --install-github --package git+https://example.org/p",
        before=(repository,),
        back=_NO_WAY_BACK,
    ),
    Case("check README.md --write-baseline known.json", back=_NO_WAY_BACK),
    Case(
        "check README.md --install-github --package git+https://example.org/p",
        before=(repository,),
        back=_NO_WAY_BACK,
    ),
    Case("documents README.md --set order=none"),
    Case("documents README.md --unset order", before=("documents README.md --set order=none",)),
    Case("documents main.bib --forget"),
    Case("cite paged 2402.10005 --latex"),
    Case("cite --tex thesis/paper.tex -o thesis/refs.bib", back=_NO_WAY_BACK),
    Case("rekey paged lamp05 --template {auth}:{year} --in thesis --write"),
    Case("duplicates --different paged drawer"),
    Case(
        "merge-file base.md README.md theirs.md",
        before=(
            written("base.md", README),
            written("theirs.md", README.replace("ask Mira", "ask Otto")),
        ),
        back=_NO_WAY_BACK,
    ),
)

READING = {
    "list": "only reads",
    "show": "only reads",
    "open": "starts other programs; the note that it makes is that of `note`",
    "stats": "only reads",
    "table": "writes as `export -o` does; in a README it is part of `export --md`",
    "audit": "asks, and writes nothing down",
    "log": "only reads",
    "share": "draws names by lot, so no two runs are alike; test_shared.py kills it",
    "tui": "calls the actions of the commands",
    "mcp": "speaks with an agent; tests/mcp does",
}
"""Commands that are not among the cases, and why."""
