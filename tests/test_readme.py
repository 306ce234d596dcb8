"""The README and docs/: commands run and print what is shown, tables match the code.

To bring the generated parts up to date: ``python -m tests.test_readme``.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from papertrack.cli.app import COMMANDS

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
START = ROOT / "docs" / "index.md"
PAGES = sorted((ROOT / "docs").glob("*.md"))
TEXTS = (README, *PAGES)
MAX_README_LINES, MAX_TOUR_LINES = 160, 60
GENERATED = re.compile(r"<!-- ([a-z -]+) -->\n(.*?)<!-- end -->", re.DOTALL)
NOT_RUN = ("make ", "pip ", "pipx ", "uv ")
"""Commands that make an environment: tests/test_package.py installs what they install."""
LINK = re.compile(r"\]\(([^)#\s]+)[^)]*\)")
CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.DOTALL | re.MULTILINE)
"""Code, in which nothing is a link."""
JSON_MEANINGS = {
    "id": "number in this library",
    "kind": "`paper`, `post`, `project` or `resource`",
    "citekey": "BibTeX key",
    "title": "",
    "authors": "array of names",
    "arxiv_id": "`2309.06180`, never with a version",
    "version": "newest known arXiv version",
    "doi": "",
    "url": "address of the paper itself",
    "submitted": "when version 1 was submitted, as precisely as known: `2023-09`",
    "updated": "when this version was submitted",
    "primary_category": "on arXiv: `cs.LG`",
    "arxiv_categories": "array, primary first",
    "abstract": "",
    "categories": "array of your categories: `LLM/Serving`; a slash in a name is `\\/`",
    "tags": "array",
    "passes_done": "0 to 3",
    "readings": "array of `pass`, `at`, `minutes`, `version`, `takeaway`",
    "decision": "`inbox`, `saved` or `discarded`",
    "decision_reason": "",
    "rating": "1 to 5",
    "snoozed_until": "the day until which it is snoozed (`papertrack save --until`)",
    "links": "array of `role`, `label`, `url`",
    "notes": "array of paths in the library",
    "topics": "array",
    "added": "when it was added to the library",
    "description": "a line about it from a README",
    "comment": "the authors' comment on arXiv",
    "venue": "where it was published",
    "year": "year of publication",
    "journal_ref": "",
    "is_withdrawn": "",
    "citekey_aliases": "array of former keys",
    "rank": "for papers without a decision: `score` (above 0: more like what you keep) "
    "and `reasons`, an array of `kind` (`words`, `authors`, `near`, `topic`), "
    "`text`, `citekey` (docs/ranking.md)",
}


def blocks(text: str) -> Iterator[tuple[str, list[str]]]:
    """Each command of a text's console blocks, with the lines shown below it.

    A file that the text shows, in a fence like ```` ```bibtex main.bib ````, is written by one.
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


PROGRESS = re.compile(r"\x1b\[\?25l.*?\x1b\[\?25h\s*\x1b\[1A\x1b\[2K", re.DOTALL)
"""A line that is gone when what took long is done."""


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
    text = output.decode().replace("\r\n", "\n")
    return running.wait(), PROGRESS.sub("", text).splitlines()


def agree(shown: list[str], printed: list[str]) -> bool:
    """Whether a text shows what was printed; a line ``…`` stands for any lines."""
    if "…" not in shown:
        return shown == printed or not shown
    at = shown.index("…")
    head, tail = shown[:at], shown[at + 1 :]
    return printed[:at] == head and (not tail or printed[-len(tail) :] == tail)


SAMPLE = "papertrack init --demo papers"
"""What makes the library in which the examples of the pages run, as they say."""


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory, forked_papertrack: Path) -> Callable[[], Path]:
    """A folder with the sample library in it, as it was made: the same one again at each call."""
    desk = tmp_path_factory.mktemp("desk")
    kept = desk.with_name(f"{desk.name}-kept")

    def put_back() -> Path:
        if not kept.exists():
            code, printed = run_in_terminal(SAMPLE, desk, environ_in(desk, forked_papertrack))
            assert code == 0, printed
            shutil.copytree(desk, kept, symlinks=True)
        shutil.rmtree(desk)
        return Path(shutil.copytree(kept, desk, symlinks=True))

    return put_back


def environ_in(home: Path, program: Path) -> dict[str, str]:
    """The environment of the commands, with ``papertrack`` in it."""
    return {
        "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": os.environ.get("PYTHONPATH", str(ROOT)),
        "HOME": str(home),
        "COLUMNS": "100",
        "LANG": "C.UTF-8",
        "NO_COLOR": "1",
        "PAPERTRACK_ARXIV_OFFLINE": "true",
        "PAPERTRACK_NOW": "2026-03-01T09:30:00+00:00",
    }


def run_all(commands: Iterable[tuple[str, list[str]]], folder: Path, program: Path) -> int:
    """Run commands in a folder, one after another; return how many there were."""
    environ, ran = environ_in(folder, program), 0
    for command, shown in commands:
        if command.startswith(NOT_RUN):
            continue
        if command.startswith("cd "):
            folder = folder / command.removeprefix("cd ")
            continue
        code, printed = run_in_terminal(command, folder, environ)
        assert code == 0, (command, printed)
        assert agree(shown, printed), (command, shown, printed)
        ran += 1
    return ran


@pytest.mark.skipif(os.name == "nt", reason="the commands are for a POSIX shell")
@pytest.mark.parametrize("text", TEXTS, ids=lambda path: path.name)
def test_every_command_does_what_the_text_shows(
    text: Path, tmp_path: Path, sample: Callable[[], Path], forked_papertrack: Path
) -> None:
    commands = list(blocks(text.read_text(encoding="utf-8")))
    if text in (README, START):
        assert run_all(commands, tmp_path, forked_papertrack) > 7
    elif commands:
        # As the pages say, their examples run in the sample library; these two make their own.
        run_all([("cd papers", []), *commands], sample(), forked_papertrack)


def test_the_readme_is_short_enough_to_be_read() -> None:
    text = README.read_text(encoding="utf-8")
    tour = re.search(r"^## A tour\n(.*?)^## ", text, re.DOTALL | re.MULTILINE)
    assert len(text.splitlines()) <= MAX_README_LINES
    assert tour
    assert len(tour[1].splitlines()) <= MAX_TOUR_LINES


def links_of(text: Path) -> list[str]:
    return LINK.findall(CODE.sub("`code`", text.read_text(encoding="utf-8")))


def test_the_first_page_leads_to_every_page() -> None:
    linked = links_of(START)
    assert "docs/index.md" in links_of(README)
    assert [page.name for page in PAGES if page != START and page.name not in linked] == []


@pytest.mark.parametrize("text", TEXTS, ids=lambda path: path.name)
def test_every_link_to_a_file_leads_somewhere(text: Path) -> None:
    files = [link for link in links_of(text) if "://" not in link]
    assert [file for file in files if not (text.parent / file).exists()] == []


def test_a_difference_from_the_readme_is_seen() -> None:
    assert agree(["a", "…", "c"], ["a", "b", "c"])
    assert not agree(["a", "…", "c"], ["a", "b", "d"])
    assert not agree(["a"], ["b"])


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_in_the_docs(name: str) -> None:
    text = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    assert re.search(rf"^  (?:.*  )?{name} ", text, re.MULTILINE)


def test_the_generated_parts_are_those_of_the_code() -> None:
    parts = [part for text in TEXTS for part in GENERATED.findall(text.read_text(encoding="utf-8"))]
    assert len(parts) == len(dict(parts)), "a part stands twice"
    assert dict(parts) == generated()


def test_the_json_table_names_every_key() -> None:
    from papertrack.exporters.json import paper_to_json
    from papertrack.records import Paper, PaperFacts

    shown = [*paper_to_json(Paper(1, "k", PaperFacts(), "2026")), "rank"]
    assert shown == list(JSON_MEANINGS)


def generated() -> dict[str, str]:
    """The parts between the marks of the texts, as they must be."""
    return {
        "papertrack --help": f"```text\n{_help()}```\n",
        "query fields": _query_fields(),
        "json keys": _table(
            ("Key", "Value"), [(f"`{key}`", text) for key, text in JSON_MEANINGS.items()]
        ),
        "settings": _settings(),
        "findings": _findings(),
        "keys": _keys(),
    }


def _help() -> str:
    import click

    from papertrack.cli.app import papertrack

    context = click.Context(
        papertrack, info_name="papertrack", terminal_width=96, help_option_names=["-h", "--help"]
    )
    return papertrack.get_help(context) + "\n"


def _query_fields() -> str:
    from papertrack.queries.fields import FIELDS

    rows = []
    for field in FIELDS:
        names = " ".join(f"`{name}:`" for name in (field.name, *field.aliases))
        values = ", ".join(f"`{value}`" for value, _ in field.values)
        rows.append((names, f"{field.help}{': ' if values else ''}{values}"))
    return _table(("Field", "Matches"), rows)


def _settings() -> str:
    from dataclasses import asdict

    from papertrack.library.settings import Settings, setting_meanings

    defaults = json.loads(json.dumps(asdict(Settings())))
    rows = []
    for key, meaning in setting_meanings().items():
        value = defaults
        for part in key.split("."):
            value = value[part]
        shown = ", ".join(value) if isinstance(value, list) else json.dumps(value).strip('"')
        rows.append((f"`{key}`", f"`{shown}`" if value not in (None, [], {}) else "", meaning))
    return _table(("Setting", "Default", "Meaning"), rows)


def _findings() -> str:
    from papertrack.documents.markdown.check.findings import RULES

    rows = [(f"`{kind}`", rule.level, rule.meaning) for kind, rule in RULES.items()]
    return _table(("Kind", "Level", "Meaning"), rows)


def _keys() -> str:
    from papertrack.tui.keys import (
        APP_KEYS,
        DEED_KEYS,
        LIBRARY_KEYS,
        LIST_KEYS,
        PAPER_KEYS,
        VERB_KEYS,
    )

    places = {
        "everywhere": (*VERB_KEYS, *DEED_KEYS, *APP_KEYS),
        "in lists": (*LIST_KEYS, *LIBRARY_KEYS),
        "on the screen of a paper": PAPER_KEYS,
    }
    rows = []
    for place, bindings in places.items():
        rows += [(_key_names(b.key), f"`{b.id}`", place, b.tooltip) for b in bindings]
    return _table(("Key", "Name", "Where", "What it does"), rows)


def _key_names(keys: str) -> str:
    from textual.keys import format_key

    return " ".join(f"`{format_key(key)}`" for key in keys.split(","))


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head)]
    lines += [tuple(cell.replace("|", "\\|") for cell in row) for row in rows]
    return "".join(f"|{'|'.join(f' {cell} ' if cell else ' ' for cell in row)}|\n" for row in lines)


def rewrite() -> None:
    """Put the generated parts into the texts."""
    parts = generated()
    for path in TEXTS:
        text = path.read_text(encoding="utf-8")
        path.write_text(
            GENERATED.sub(lambda m: f"<!-- {m[1]} -->\n{parts[m[1]]}<!-- end -->", text),
            encoding="utf-8",
        )


if __name__ == "__main__":
    rewrite()
