"""Editors get the citations they ask for, from this machine alone."""

import http.client
import json
import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from textual.widgets import OptionList

from papertrack.actions.cite.better_bibtex import Answers
from papertrack.cli.cite_server import CiteServer
from papertrack.errors import UsageError
from papertrack.exporters.citations import cite_picked
from papertrack.library.settings import Bibtex
from papertrack.store.categories import put_in_category
from papertrack.store.citekeys import Citekeys
from papertrack.store.listing import find_ids, read_rows
from papertrack.store.store import Store
from papertrack.tui.picker import Picker
from tests.bibtex_actions.conftest import Desk
from tests.exporters.papers import make_paper
from tests.store.conftest import ticking_clock


@pytest.mark.parametrize(
    ("parameters", "written"),
    [
        ({}, r"\cite{a,b:c}"),
        ({"format": "latex", "command": "parencite"}, r"\parencite{a,b:c}"),
        ({"format": "biblatex"}, r"\autocite{a,b:c}"),
        ({"format": "citep"}, r"\citep{a,b:c}"),
        ({"format": "pandoc"}, "@a; @b:c"),
        ({"format": "pandoc", "brackets": "1"}, "[@a; @b:c]"),
        ({"format": "typst"}, "@a @b:c"),
        ({"format": "org"}, "[cite:@a;@b:c]"),
        ({"format": "mmd"}, "[#a][][#b:c][]"),
        ({"format": "asciidoctor-bibtex"}, "cite:[a, b:c]"),
        ({"format": "playground", "keyprefix": "<", "keypostfix": ">", "separator": " "},
         "<a> <b:c>"),
    ],
)  # fmt: skip
def test_what_was_picked_is_written_as_the_editor_asks(
    parameters: dict[str, str], written: str
) -> None:
    papers = [make_paper(1, "a"), make_paper(2, "b:c")]
    assert cite_picked(papers, parameters) == written
    assert cite_picked([], parameters) == ""


def test_an_unknown_format_names_the_known() -> None:
    with pytest.raises(UsageError, match="pandoc"):
        cite_picked([make_paper()], {"format": "word"})


@pytest.fixture
def server(desk: Desk) -> Iterator[CiteServer]:
    @contextmanager
    def answering() -> Iterator[Answers]:
        with Store.open(desk.library.database, now=ticking_clock()) as store:
            yield Answers(store, name="library", settings=Bibtex())

    server = CiteServer(0, answering)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def ask(
    server: CiteServer, path: str, body: object = None, headers: dict[str, str] | None = None
) -> tuple[int, str]:
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=20)
    data = None if body is None else json.dumps(body)
    connection.request("GET" if body is None else "POST", path, data, headers or {})
    response = connection.getresponse()
    answer = response.status, response.read().decode()
    connection.close()
    return answer


def call(server: CiteServer, method: str, *parameters: object) -> Any:
    asked = {"jsonrpc": "2.0", "method": method, "params": list(parameters), "id": 7}
    status, text = ask(server, "/better-bibtex/json-rpc", asked)
    answer = json.loads(text)
    assert (status, answer["id"]) == (200, 7)
    return answer.get("result", answer.get("error"))


def test_an_editor_finds_and_exports_what_it_looks_for(server: CiteServer, desk: Desk) -> None:
    assert set(call(server, "api.ready")) == {"zotero", "betterbibtex"}
    assert call(server, "user.groups") == [{"id": 1, "name": "library"}]
    (found,) = call(server, "item.search", "attention all")
    assert (found["citekey"], found["citation-key"], found["libraryID"]) == ("vaswani",) * 2 + (1,)
    assert [one["id"] for one in call(server, "item.search", "attention al")] == ["vaswani"]
    assert [one["id"] for one in call(server, "item.search", "atten")] == ["vaswani"]
    assert [one["id"] for one in call(server, "item.search", "kwon:paged")] == ["kwon:paged"]
    since = [[["dateModified", "isAfter", "2020-01-01 00:00:00"]], 1]
    assert len(call(server, "item.search", *since)) == 3
    assert call(server, "item.citationkey", ["1:knuth", "x"]) == {"1:knuth": "knuth", "x": None}
    for translator in ("Better BibLaTeX", "biblatex", "f895aa0d-f28e-47fe-b247-2ea77c6ed583"):
        assert "{vaswani," in call(server, "item.export", ["vaswani"], translator)
    items = json.loads(call(server, "item.export", ["knuth"], "Better CSL JSON"))
    assert [item["citation-key"] for item in items] == ["knuth"]
    (item,) = json.loads(call(server, "item.export", ["knuth"], "BetterBibTeX JSON"))["items"]
    assert item["citationKey"] == "knuth"
    filtered = call(server, "item.pandoc_filter", ["knuth", "nobody"], True)
    assert (list(filtered["items"]), list(filtered["errors"])) == (["knuth"], ["nobody"])
    assert "knuth" not in call(server, "item.bibliography", ["vaswani"])


def test_no_sign_that_is_looked_for_is_read_as_a_query(server: CiteServer) -> None:
    for words in ("\\", '"', 'queue "', "is:inbox", "title:", "(", "-x OR"):
        assert call(server, "item.search", words) == []


def test_the_whole_library_is_exported_by_its_address(server: CiteServer) -> None:
    _, text = ask(server, "/better-bibtex/export/library?/1/library.json")
    assert {item["id"] for item in json.loads(text)} == {"vaswani", "kwon:paged", "knuth"}
    status, text = ask(server, "/better-bibtex/export/library?/1/library.biblatex")
    assert (status, text.count("\n@") >= 2) == (200, True)


def test_what_plug_ins_ask_is_answered_as_they_expect(server: CiteServer, desk: Desk) -> None:
    with desk.store.action("put"):
        put_in_category(desk.store, [desk.id("knuth")], ("Typesetting", "TeX & more"))
    # A plug-in for VS Code asks for what it found in a text of Pandoc.
    assert "Knuth" in call(server, "item.bibliography", ["@knuth"], {"id": "apa"})
    assert "{knuth," in call(server, "item.export", ["@knuth"], "biblatex")
    # One for Obsidian makes Markdown of HTML, and asks where a collection is in.
    told = call(server, "item.bibliography", ["knuth"], {"quickCopy": True, "contentType": "html"})
    assert told.startswith('<div class="csl-bib-body"><div class="csl-entry">')
    inner = {"key": "Typesetting", "name": "Typesetting"}
    held = {"key": "Typesetting/TeX & more", "name": "TeX & more"}
    assert call(server, "item.collections", ["knuth"]) == {"knuth": [held]}
    held_in = {**held, "parentCollection": inner}
    assert call(server, "item.collections", ["knuth"], True) == {"knuth": [held_in]}


def test_what_an_address_names_is_exported(server: CiteServer, desk: Desk) -> None:
    with desk.store.action("put"):
        put_in_category(desk.store, [desk.id("knuth")], ("Typesetting", "TeX"))
    for address, keys in (
        ("library?/1/library.f4b52ab0-f878-4556-85a0-c7aeedd09dfc", 3),
        ("library?/1/library.json&exportNotes=true", 3),
        ("collection?/1/Typesetting.json", 1),
        ("collection?/1/Typesetting%2FTeX.json", 1),
        ("item?citationKeys=knuth,vaswani&translator=csljson", 2),
    ):
        status, text = ask(server, f"/better-bibtex/export/{address}")
        assert (status, len(json.loads(text))) == (200, keys), address


def test_an_export_by_its_newer_address_is_answered(server: CiteServer) -> None:
    status, text = ask(server, "/better-bibtex/export?/library;id:1/library.json")
    assert (status, len(json.loads(text))) == (200, 3)
    assert ask(server, "/better-bibtex/export/collection?/1/None.json")[0] == 404


def test_a_wrong_question_is_answered_with_what_is_wrong(server: CiteServer) -> None:
    assert call(server, "item.unheard")["code"] == -32601
    assert "nobody" in call(server, "item.export", ["nobody"], "bibtex")["message"]
    assert call(server, "item.export", ["knuth"], "Word")["code"] == -32602
    assert call(server, "item.export", 1, 2, 3, 4, 5)["code"] == -32602
    assert json.loads(ask(server, "/better-bibtex/json-rpc", [])[1]) == []
    assert ask(server, "/elsewhere")[0] == 404
    assert ask(server, "/better-bibtex/cayw?format=word")[0] == 400


def test_keys_that_an_editor_gets_are_frozen(server: CiteServer, desk: Desk) -> None:
    desk.import_bib("@misc{, title={No Key of Its Own}, author={Roe, R}, year={2020}}\n")
    key = desk.papers()[-1].citekey
    assert not Citekeys(desk.store).are_frozen([desk.id(key)])
    call(server, "item.export", [key], "bibtex")
    assert Citekeys(desk.store).are_frozen([desk.id(key)])


def test_no_web_page_is_answered(server: CiteServer) -> None:
    asked = {"method": "item.search", "params": ["a"]}
    for headers in (
        {"Host": "evil.example:23119"},
        {"Host": "127.0.0.1.evil.example"},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://localhost.evil.example"},
        {"Sec-Fetch-Site": "cross-site"},
    ):
        for path in ("cayw?probe=true", "export/library?/1/library.json"):
            assert ask(server, f"/better-bibtex/{path}", headers=headers)[0] == 403
        assert ask(server, "/better-bibtex/json-rpc", asked, headers)[0] == 403


def test_programs_of_this_machine_are_answered(server: CiteServer) -> None:
    for headers in ({"Host": "localhost:23119"}, {"Origin": "http://127.0.0.1:23119"}):
        path = "/better-bibtex/cayw?probe=true"
        assert ask(server, path, headers=headers) == (200, "ready")


def test_what_an_editor_wants_is_picked_in_the_terminal(server: CiteServer, desk: Desk) -> None:
    path = "/better-bibtex/cayw?format=pandoc&brackets=1"
    assert ask(server, path)[0] == 503
    server.can_pick = True
    answers: list[tuple[int, str]] = []
    editor = threading.Thread(target=lambda: answers.append(ask(server, path)))
    editor.start()
    request = server.requests.get(timeout=20)
    request.picked.put([desk.id("knuth"), desk.id("vaswani")])
    editor.join(20)
    assert answers == [(200, "[@knuth; @vaswani]")]


async def test_typing_narrows_and_enter_takes(desk: Desk) -> None:
    app = Picker(read_rows(desk.store, find_ids(desk.store)))
    async with app.run_test() as pilot:
        await pilot.press(*"vaswa")
        await pilot.pause()
        assert app.query_one(OptionList).option_count == 1
        await pilot.press("enter")
    assert app.return_value == [desk.id("vaswani")]


async def test_marked_papers_are_taken_in_the_order_of_marking(desk: Desk) -> None:
    app = Picker(read_rows(desk.store, find_ids(desk.store, order="citekey")))
    async with app.run_test() as pilot:
        await pilot.press(*"knuth")
        await pilot.pause()
        await pilot.press("tab", *["backspace"] * 5, *"kwon")
        await pilot.pause()
        await pilot.press("tab", "enter")
    assert app.return_value == [desk.id("knuth"), desk.id("kwon:paged")]


async def test_escape_takes_nothing(desk: Desk) -> None:
    app = Picker(read_rows(desk.store, find_ids(desk.store)))
    async with app.run_test() as pilot:
        await pilot.press("escape")
    assert app.return_value == []


def test_an_editor_that_goes_away_leaves_no_word_in_the_terminal(
    server: CiteServer, capsys: pytest.CaptureFixture[str]
) -> None:
    server.can_pick = True
    before = set(threading.enumerate())
    with socket.create_connection(("127.0.0.1", server.server_port)) as editor:
        editor.sendall(b"GET /better-bibtex/cayw HTTP/1.0\r\nHost: localhost\r\n\r\n")
        request = server.requests.get(timeout=20)
        # Closed so, what is written to it fails at once.
        editor.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    request.picked.put([])
    for thread in set(threading.enumerate()) - before:
        thread.join(20)
    assert capsys.readouterr().err == ""
