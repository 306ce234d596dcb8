"""What click imports of Python and a command does not need is not read at its start."""

import inspect
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest

from papertrack.cli import app
from papertrack.cli.deferred import _cleandoc

SHORT = [("show", "zero"), ("list",), ("list", "--json"), ("pass", "zero", "1"), ("undo", "--yes")]


def asked(script: str, *arguments: str) -> Any:
    """What a script says, in a fresh process."""
    done = subprocess.run(
        [
            *(sys.executable, "-c"),
            f"import json, sys\n{script}\nprint(json.dumps(said), file=sys.stderr)",
            *arguments,
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stderr.splitlines()[-1])


def after_defer(script: str) -> Any:
    return asked(
        "for name in ('gettext', 'inspect', 'ipaddress', 'locale', 'platform'):\n"
        "    sys.modules.pop(name, None)\n"
        "from papertrack.cli.deferred import defer_modules\n"
        f"defer_modules()\n{script}"
    )


@pytest.mark.parametrize("arguments", SHORT)
def test_a_short_command_reads_no_parser_of_python(shelf: Path, arguments: tuple[str, ...]) -> None:
    script = """
from papertrack.cli import run_command
assert run_command() == 0
said = list(sys.modules)
if "quote" in vars(sys.modules.get("urllib.parse", object)):
    said.append("rules of addresses")
"""
    modules = asked(script, *arguments)
    assert {"click", "papertrack.store.store"} <= set(modules)
    # The first three come with inspect, the last with gettext.
    assert not {"ast", "dis", "tokenize", "locale", "rules of addresses"} & set(modules)


def test_a_list_of_all_reads_no_language_of_queries(shelf: Path) -> None:
    script = """
from papertrack.cli import run_command
assert run_command() == 0
said = [name for name in sys.modules if name.startswith("papertrack.queries.")]
"""
    assert asked(script, "list", "--limit", "5") == ["papertrack.queries.nodes"]


def test_a_deferred_module_is_the_real_one_once_it_is_asked() -> None:
    script = """
import inspect
before = "ast" in sys.modules
from inspect import signature
said = [before, "ast" in sys.modules, str(signature(inspect.cleandoc)),
    type(inspect).__name__, inspect.cleandoc.__module__, inspect is sys.modules["inspect"]]
"""
    before, after, shown, kind, owner, is_one = after_defer(script)
    assert (before, after, kind, owner, is_one) == (False, True, "module", "inspect", True)
    assert shown == str(inspect.signature(inspect.cleandoc))


def test_deferred_modules_answer_as_they_would() -> None:
    script = """
import inspect, ipaddress, platform
texts = ["One line.", "", "  One, indented", "One\\n    and more\\n", "With\\ta tab"]
ours = [platform.system(), *map(inspect.cleandoc, texts)]
assert platform.node() and ipaddress.ip_address("::1").is_loopback and inspect.isfunction(print) < 1
said = ours == [platform.system(), *map(inspect.cleandoc, texts)]
"""
    assert after_defer(script) is True


def test_addresses_of_files_are_what_they_are() -> None:
    script = """
from pathlib import Path
before = Path("/a b/ü%?#").as_uri()
import urllib.parse, urllib.request
said = [before, Path("/a b/ü%?#").as_uri(), urllib.parse.urlsplit("https://a.b/c").path]
"""
    address = Path("/a b/ü%?#").as_uri()
    assert asked(
        f"from papertrack.cli.deferred import defer_modules\ndefer_modules()\n{script}"
    ) == [
        address,
        address,
        "/c",
    ]


def test_texts_are_what_they_are_without_what_looks_for_translations() -> None:
    script = """
from gettext import gettext, ngettext
said = [gettext("path"), ngettext("paper", "papers", 1), ngettext("paper", "papers", 0)]
said.append("locale" in sys.modules)
import gettext
said.append(gettext.NullTranslations().gettext("path"))
"""
    assert after_defer(script) == ["path", "paper", "papers", False, "path"]


def test_what_a_deferred_module_has_not_is_missed_as_ever() -> None:
    script = """
import inspect
try:
    inspect.nothing
except AttributeError as error:
    said = str(error)
"""
    assert after_defer(script) == "module 'inspect' has no attribute 'nothing'"


def test_threads_that_ask_at_once_all_get_what_they_asked() -> None:
    script = """
import inspect
from threading import Barrier, Thread
said, start = [], Barrier(8)
def ask():
    start.wait()
    said.append(inspect.signature(ask).__class__.__name__)
threads = [Thread(target=ask) for _ in range(8)]
for one in threads: one.start()
for one in threads: one.join()
"""
    assert after_defer(script) == ["Signature"] * 8


def test_the_help_of_options_is_what_inspect_makes_of_it() -> None:
    for name in app.COMMANDS:
        command = app.papertrack.get_command(click.Context(app.papertrack), name)
        assert command is not None
        for option in command.params:
            text = getattr(option, "help", None)
            assert text is None or _cleandoc(text) == inspect.cleandoc(text) == text
