"""The README: its commands run and show what it says, its tables are those of the code.

To bring the generated parts up to date: ``python -m tests.test_readme``.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from papertrack.cli.app import COMMANDS

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
GENERATED = re.compile(r"<!-- ([a-z -]+) -->\n(.*?)<!-- end -->", re.DOTALL)
NOT_RUN = ("make ", "pip ")
"""Commands of the README that are tried elsewhere: they make an environment."""
JSON_MEANINGS = {
    "id": "number in this library",
    "kind": "`paper`, `post`, `project` or `resource`",
    "citekey": "BibTeX key",
    "title": "",
    "authors": "array of names",
    "arxiv_id": "`2309.06180`, never with a version",
    "version": "newest known arXiv version",
    "doi": "",
    "url": "where the work itself is",
    "submitted": "version 1: `2023-09`, as precise as known",
    "updated": "this version",
    "primary_category": "arXiv's: `cs.LG`",
    "arxiv_categories": "array, primary first",
    "abstract": "",
    "categories": "array of your own: `LLM/Serving`",
    "tags": "array",
    "passes_done": "0 to 3",
    "readings": "array of `pass`, `at`, `minutes`, `version`, `takeaway`",
    "decision": "`inbox`, `saved` or `discarded`",
    "decision_reason": "",
    "rating": "1 to 5",
    "links": "array of `role`, `label`, `url`",
    "notes": "array of paths in the library",
    "topics": "array",
    "added": "when it came into the library",
    "description": "a line, as a README had it",
    "comment": "the authors', on arXiv",
    "venue": "where it was published",
    "year": "of publication",
    "journal_ref": "",
    "is_withdrawn": "",
    "citekey_aliases": "array of former keys",
}


def blocks(text: str) -> Iterator[tuple[str, list[str]]]:
    """Each command of the README's console blocks, with the lines shown below it.

    A file that the README shows, in a fence like ```` ```bibtex main.bib ````, is written by one.
    """
    for language, file, block in re.findall(
        r"^```([a-z]+)(?: ([a-z.]+))?\n(.*?)^```$", text, re.DOTALL | re.MULTILINE
    ):
        if file:
            yield f"printf %s {shlex.quote(block)} > {file}", []
        elif language == "console":
            for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                command, _, shown = part.partition("\n")
                yield command, shown.splitlines()


def run_in_terminal(command: str, folder: Path, environ: dict[str, str]) -> tuple[int, list[str]]:
    """Exit code and lines of a command that thinks it is on a terminal."""
    import pty

    ours, theirs = pty.openpty()
    running = subprocess.Popen(
        ["bash", "-c", command],
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
        cwd=folder,
        env=environ,
    )
    os.close(theirs)
    output = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:  # Linux says so when the other end is closed.
            break
        if not piece:
            break
        output += piece
    os.close(ours)
    return running.wait(), output.decode().replace("\r\n", "\n").splitlines()


def agree(shown: list[str], printed: list[str]) -> bool:
    """Whether the README shows what was printed; a line ``…`` stands for any lines."""
    if "…" not in shown:
        return shown == printed or not shown
    at = shown.index("…")
    head, tail = shown[:at], shown[at + 1 :]
    return printed[:at] == head and (not tail or printed[-len(tail) :] == tail)


@pytest.mark.skipif(os.name == "nt", reason="the README's commands are for a POSIX shell")
def test_every_command_of_the_readme_does_what_it_shows(tmp_path: Path) -> None:
    binaries = tmp_path / "bin"
    binaries.mkdir()
    shim = binaries / "papertrack"
    shim.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m papertrack "$@"\n')
    shim.chmod(0o755)
    environ = {
        "PATH": f"{binaries}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": os.environ.get("PYTHONPATH", str(ROOT)),
        "HOME": str(tmp_path),
        "COLUMNS": "100",
        "LANG": "C.UTF-8",
        "NO_COLOR": "1",
        "PAPERTRACK_ARXIV_OFFLINE": "true",
        "PAPERTRACK_NOW": "2026-03-01T09:30:00+00:00",
    }
    folder = tmp_path
    ran = 0
    for command, shown in blocks(README.read_text(encoding="utf-8")):
        if command.startswith(NOT_RUN):
            continue
        if command.startswith("cd "):
            folder = folder / command.removeprefix("cd ")
            continue
        code, printed = run_in_terminal(command, folder, environ)
        assert code == 0, (command, printed)
        assert agree(shown, printed), (command, shown, printed)
        ran += 1
    assert ran > 20


def test_a_difference_from_the_readme_is_seen() -> None:
    assert agree(["a", "…", "c"], ["a", "b", "c"])
    assert not agree(["a", "…", "c"], ["a", "b", "d"])
    assert not agree(["a"], ["b"])


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_in_the_readme(name: str) -> None:
    assert f"\n  {name} " in README.read_text(encoding="utf-8")


def test_the_generated_parts_are_those_of_the_code() -> None:
    parts = dict(GENERATED.findall(README.read_text(encoding="utf-8")))
    assert parts == generated()


def test_the_json_table_names_every_key() -> None:
    from papertrack.exporters.json import paper_to_json
    from papertrack.records import Paper, PaperFacts

    assert list(paper_to_json(Paper(1, "k", PaperFacts(), "2026"))) == list(JSON_MEANINGS)


def generated() -> dict[str, str]:
    """The parts between the README's marks, as they must be."""
    return {
        "papertrack --help": f"```text\n{_help()}```\n",
        "query fields": _query_fields(),
        "json keys": _table(
            ("Key", "Value"), [(f"`{key}`", text) for key, text in JSON_MEANINGS.items()]
        ),
        "settings": _settings(),
    }


def _help() -> str:
    import click

    from papertrack.cli.app import papertrack

    context = click.Context(
        papertrack, info_name="papertrack", terminal_width=96, help_option_names=["-h", "--help"]
    )
    return papertrack.get_help(context) + "\n"


def _query_fields() -> str:
    from papertrack.queries import FIELDS

    rows = []
    for field in FIELDS:
        names = " ".join(f"`{name}:`" for name in (field.name, *field.aliases))
        values = ", ".join(f"`{value}`" for value, _ in field.values)
        rows.append((names, f"{field.help}{': ' if values else ''}{values}"))
    return _table(("Field", "Asks for"), rows)


def _settings() -> str:
    from papertrack.library.settings import Settings, setting_meanings

    defaults = Settings().model_dump(mode="json")
    rows = []
    for key, meaning in setting_meanings().items():
        value = defaults
        for part in key.split("."):
            value = value[part]
        shown = ", ".join(value) if isinstance(value, list) else json.dumps(value).strip('"')
        rows.append((f"`{key}`", f"`{shown}`" if value not in (None, [], {}) else "", meaning))
    return _table(("Setting", "Default", "Meaning"), rows)


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head)]
    lines += [tuple(cell.replace("|", "\\|") for cell in row) for row in rows]
    return "".join(f"|{'|'.join(f' {cell} ' if cell else ' ' for cell in row)}|\n" for row in lines)


def rewrite() -> None:
    """Put the generated parts into the README."""
    parts = generated()
    text = README.read_text(encoding="utf-8")
    README.write_text(
        GENERATED.sub(lambda m: f"<!-- {m[1]} -->\n{parts[m[1]]}<!-- end -->", text),
        encoding="utf-8",
    )


if __name__ == "__main__":
    rewrite()
