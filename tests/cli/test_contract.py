"""What ``--json`` prints is a contract: every command has a model of it, and keeps to it.

The other tests hold what their commands print against the models too (see ``conftest.papertrack``).
"""

import json
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from pydantic import ValidationError

from papertrack.cli import app
from papertrack.cli.contract import CONTRACT
from papertrack.cli.old_words import modern
from tests.cli.commands import Command
from tests.cli.contract import check_contract, command_of, missing


def with_json(name: str, command: click.Command) -> Iterator[str]:
    """The commands that print JSON when asked, groups among them."""
    if any("--json" in param.opts for param in command.params):
        yield name
    if isinstance(command, click.Group):
        for inner, one in command.commands.items():
            yield from with_json(f"{name} {inner}", one)


def test_every_command_with_json_has_a_model_and_every_model_a_command() -> None:
    context = click.Context(app.papertrack)
    found = []
    for name in {**app.COMMANDS, **app.HIDDEN}:
        command = app.papertrack.get_command(context, name)
        assert command is not None
        found += with_json(name, command)
    assert set(CONTRACT) == set(found)


README = """\
# List

## Serving

| Title | Read |
|---|---|
| [A paper about pages](https://arxiv.org/abs/2309.06180) | ✅ |
| [A paper about pages](https://arxiv.org/abs/2401.00001) | |
| no link at all | [x](https://example.org/?a) [y](https://example.org/?b) |

[unused]: https://example.org
"""
BIBTEX = "@article{one,\n  title = {One Title},\n  author = {Ada Low},\n  year = 2020,\n}\n"
ONCE = ("--dry-run", "--json")
RUNS: list[tuple[str, ...]] = [
    ("init", "again", "--json"),
    ("demo", "play", "--json"),
    ("config", "--json"),
    ("trust", "--json"),
    ("config", "reading.in_hand", "--json"),
    ("import", "README.md", "main.bib", "--json"),
    ("list", "--json"),
    ("show", "2309.06180", "--json"),
    ("show", "one", "--raw", "--json"),
    ("stats", "--json"),
    ("log", "--json"),
    ("queue", "one", "--json"),
    ("next", "--json"),
    ("pass", "one", "1", "--minutes", "3", "--takeaway", "Yes.", "--json"),
    ("pass", "--query", "", "--yes", "--json"),
    ("pass", "one", "--undo", "--json"),
    ("show", "one", "--json"),
    ("note", "one", "--print", "--json"),
    ("save", "one", "--json"),
    ("snooze", "one", "--json"),
    ("show", "one", "--json"),
    ("snooze", "one", "--back", "--json"),
    ("discard", "one", "--reason", "old", "--json"),
    ("add", "2402.00001", "--json", "--offline"),
    ("edit", "one", "rating=4", "venue=Here", "--json"),
    ("tag", "one", "+few", "--json"),
    ("tag", "--query", "", "-y", "+few", "--json"),
    ("tag", "--json"),
    ("tag", "--rename", "few", "many", "--json"),
    ("move", "one", "--category", "Serving/Fast", "--json"),
    ("category", "list", "--json"),
    ("category", "--json"),
    ("category", "add", "Spare", "--json"),
    ("category", "rename", "Spare", "Other", "--json"),
    ("category", "order", "Other", "--first", "--json"),
    ("category", "rm", "Other", "--json"),
    ("rm", "2402.00001", *ONCE),
    ("merge", "2309.06180", "2401.00001", *ONCE),
    ("undo", "--json"),
    ("redo", "--json"),
    ("redo", "--json"),
    ("enrich", *ONCE),
    ("published", *ONCE),
    ("audit", "main.bib", "--offline", "--json"),
    ("topic", "add", "pages", "--query", "pages", "--arxiv", "cs.LG", "--json"),
    ("topic", "edit", "pages", "--query", "pages NOT books", "--json"),
    ("topic", "list", "--json"),
    ("topic", "--json"),
    ("topic", "pause", "pages", "--json"),
    ("topic", "resume", "pages", "--json"),
    ("topic", "preview", "pages", "--json", "--arxiv", "cs.LG"),
    ("topic", "backfill", "pages", "--since", "2026-02", *ONCE),
    ("topic", "rm", "pages", *ONCE),
    ("why", "2309.06180", "--json"),
    ("rank", "records.jsonl", "--json"),
    ("ranking", "show", "--json"),
    ("ranking", "--json"),
    ("ranking", "more", "2309.06180", "--json"),
    ("ranking", "less", "2309.06180", "--json"),
    ("ranking", "less", "--back", "2309.06180", "--json"),
    ("ranking", "forget", "pages", "--json"),
    ("ranking", "forget", "--back", "pages", *ONCE),
    ("watch", "status", "--json"),
    ("pdf", "2309.06180", *ONCE),
    ("pdf", "index", "--json"),
    ("suggestions", "--json"),
    ("suggestions", "--accept-all", *ONCE),
    ("export", "--json", "-o", "-"),
    ("table", "--columns", "title,takeaway", "--json"),
    ("sync", "--json"),
    ("propose", "README.md", "2402.00002", "--offline", "--json"),
    ("check", "README.md", "--json"),
    ("check", "README.md", "--write-baseline", "known.json", "--json"),
    ("documents", "--json"),
    ("documents", "README.md", "--json"),
    ("documents", "main.bib", "--json"),
    ("cite", "one", "--json"),
    ("cite", "--tex", "paper.tex", "--json"),
    ("rekey", "one", "--template", "{auth}{year}", "--in", "paper.tex", *ONCE),
    ("duplicates", "--json"),
    ("merge-file", "README.md", "README.md", "README.md", "--json"),
    ("duplicates", "--different", "2309.06180", "2401.00001", "--json"),
    ("backup", "--json"),
    ("restore", "--json"),
    ("doctor", "--json"),
    ("share", "on", "--json"),
    ("share", "status", "--json"),
    ("share", "--json"),
    ("share", "off", "--json"),
]
BY_OTHER_TESTS = {"search", "pdf add"}
"""They need an arXiv, or PDFs: their own tests run them, and check the contract."""


def test_every_command_keeps_to_its_model(papertrack: Command, shelf: Path) -> None:
    (shelf / "README.md").write_text(README, encoding="utf-8")
    (shelf / "main.bib").write_text(BIBTEX, encoding="utf-8")
    (shelf / "paper.tex").write_text("\\cite{one,two}\n\\bibliography{main}\n", encoding="utf-8")
    (shelf / "records.jsonl").write_text('{"title": "Pages"}\n', encoding="utf-8")
    silent, ran_names = [], set()
    for arguments in RUNS:
        ran = papertrack(*arguments)
        assert ran.code in (0, 3, 4, 5), f"{arguments}: {ran.err}"
        if not ran.out.strip():
            silent.append(arguments)
        ran_names.add(command_of(modern(arguments), CONTRACT))
    assert silent == []
    assert ran_names | BY_OTHER_TESTS == set(CONTRACT)


def test_what_is_not_in_the_model_fails(papertrack: Command, shelf: Path) -> None:
    value = json.loads(papertrack("show", "2309.06180", "--json").out)
    for wrong in (
        value | {"more": 1},
        value | {"title": ""},
        value | {"passes_done": "1"},
        {key: value[key] for key in value if key != "tags"},
    ):
        with pytest.raises((ValidationError, AssertionError)):
            check_contract(["show", "2309.06180", "--json"], json.dumps(wrong))


def test_the_schema_of_every_command_names_its_keys(papertrack: Command) -> None:
    assert papertrack("schema").out.split("\n")[:-1] == list(CONTRACT)
    for name in CONTRACT:
        if name == "export":  # Its --json is a format.
            continue
        schema = json.loads(papertrack(*name.split(), "--schema").out)
        assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
        assert schema["title"] == f"papertrack {name} --json"
        assert json.loads(papertrack("schema", *name.split()).out) == schema
    paper = json.loads(papertrack("list", "--schema").out)["$defs"]["Paper"]
    assert list(paper["properties"]) == paper["required"]
    assert paper["properties"]["decision"]["enum"] == ["inbox", "saved", "discarded"]


def test_the_schema_of_no_command_is_a_usage_error(papertrack: Command) -> None:
    assert papertrack("schema", "tui").code == papertrack("tui", "--schema").code == 2


@pytest.mark.parametrize(
    ("value", "lacks"),
    [
        ({"papers": []}, [".dry_run"]),
        ({"papers": [{"citekey": "a"}], "dry_run": False}, [".papers[].tags"]),
        (
            {"papers": [{"citekey": "", "tags": ["x"]}], "dry_run": True},
            [".papers[].citekey is empty"],
        ),
        ({"papers": {}, "dry_run": True}, [".papers is no list"]),
        ({"papers": [{"citekey": "a", "tags": ["x"], "more": 1}], "dry_run": True}, []),
        ([{"tag": "x"}], []),
    ],
)
def test_a_key_that_goes_is_seen(value: object, lacks: list[str]) -> None:
    one = {"dry_run": None, "papers": [{"citekey": "text", "tags": ["text"]}]}
    assert list(missing({"any of": [one, [{"tag": "text"}]]}, value)) == lacks
