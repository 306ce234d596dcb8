"""A Zotero that runs is asked by its local API, and only on this machine."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from papertrack.sources import zotero_api
from tests.cli.commands import Command

OWN: list[dict[str, Any]] = [
    {
        "key": "LAMP2345",
        "itemType": "journalArticle",
        "title": "A Lamp",
        "DOI": "10.1000/lamp.5",
        "creators": [{"creatorType": "author", "firstName": "Ama", "lastName": "Osei"}],
        "tags": [{"tag": "light"}, {"tag": "Lighting", "type": 1}],
        "collections": ["COLL3456"],
        "relations": {},
        "dateAdded": "2024-02-03T04:05:06Z",
    },
    {"key": "NOTE2345", "itemType": "note", "parentItem": "LAMP2345", "note": "<p>Mine</p>"},
    {
        "key": "FILE2345",
        "itemType": "attachment",
        "parentItem": "LAMP2345",
        "linkMode": "imported_file",
        "contentType": "application/pdf",
        "filename": "lamp.pdf",
    },
    {
        "key": "ANNO2345",
        "itemType": "annotation",
        "parentItem": "FILE2345",
        "annotationType": "highlight",
        "annotationText": "quoted",
        "annotationColor": "#5fb236",
        "annotationPageLabel": "4",
    },
    {"key": "BINN2345", "itemType": "book", "title": "Gone", "deleted": 1},
    *({"key": f"MANY{n:04}", "itemType": "book", "title": f"Book {n} of many"} for n in range(120)),
]
TREE = [
    {"key": "COLL2345", "name": "Lamps", "parentCollection": False},
    {"key": "COLL3456", "name": "Old", "parentCollection": "COLL2345"},
]
GROUP = [{"key": "GRUP2345", "itemType": "book", "title": "Of us all"}]
PATHS: dict[str, list[dict[str, Any]]] = {
    "/api/users/0/items": OWN,
    "/api/users/0/collections": TREE,
    "/api/groups/77/items": GROUP,
    "/api/groups/77/collections": [],
}


class Api(BaseHTTPRequestHandler):
    """Zotero's local API, as far as it is asked."""

    is_allowed = True
    folder = ""
    total = ""
    """What is said of how much there is, in place of the truth."""
    odd: tuple[dict[str, Any], ...] = ()
    """Items besides."""

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        if not self.is_allowed:
            self.send_error(403, "Local API is not enabled")
            return
        asked = parse_qs(parts.query)
        start, limit = int(asked["start"][0]), int(asked["limit"][0])
        if parts.path == "/api/users/0/groups":
            found = [{"id": 77, "data": {"id": 77, "name": "Reading Group"}}]
        else:
            found = [self.told(one) for one in PATHS[parts.path]]
            found += self.odd * parts.path.endswith("/items")
        body = json.dumps(found[start : start + limit]).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Total-Results", self.total or str(len(found)))
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def told(self, data: dict[str, Any]) -> dict[str, Any]:
        links = {}
        if data.get("filename"):
            place = f"file://{self.folder}/storage/{data['key']}/{data['filename']}"
            links = {"enclosure": {"href": place}}
        return {"key": data["key"], "version": 3, "data": data, "links": links}

    def log_message(self, *arguments: object) -> None:
        """Nothing is told."""


@pytest.fixture
def api(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Api]]:
    place = tmp_path / "Zotero" / "storage" / "FILE2345"
    place.mkdir(parents=True)
    (place / "lamp.pdf").write_bytes(b"%PDF-1.5 x")
    handler = type("Api", (Api,), {"folder": str(tmp_path / "Zotero")})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}"
    monkeypatch.setenv("PAPERTRACK_ZOTERO_API_URL", address)
    yield handler
    server.shutdown()
    server.server_close()


def test_all_that_it_has_is_taken_in(papertrack: Command, library: Path, api: type[Api]) -> None:
    ran = papertrack("import", "--zotero-api", "--json")
    assert ran.code == 0, ran.err
    report = json.loads(ran.out)
    assert report["items"] == len(OWN) + 1
    assert report["imported"] == len(OWN)
    assert [one["item"] for one in report["skipped"]] == ["BINN2345"]
    lamp = json.loads(papertrack("show", "10.1000/lamp.5", "--json").out)
    assert (lamp["categories"], lamp["authors"]) == (["Lamps/Old"], ["Ama Osei"])
    assert sorted(lamp["tags"]) == ["auto:Lighting", "light"]
    texts = "".join((library / note).read_text() for note in lamp["notes"])
    assert "Mine" in texts
    assert "> quoted" in texts
    assert (library / "pdfs/osei-lamp.pdf").is_symlink() or list((library / "pdfs").iterdir())
    assert "Reading Group" in papertrack("category", "list").out


BOOK = {"key": "ODDS2345", "itemType": "book", "title": "An Odd Book"}


@pytest.mark.parametrize(
    ("odd", "total"),
    [
        ({"key": "ODDS2345", "data": {**BOOK, "collections": None}}, ""),
        ({"key": "ODDS2345", "data": {**BOOK, "collections": 5}}, ""),
        ({"key": [1], "data": BOOK}, ""),
        ({"key": {"a": 1}, "data": BOOK}, "\u00b2"),
        ({"key": "ODDS2345", "data": BOOK}, "9" * 5_000),
    ],
)
def test_what_is_odd_in_it_hinders_nothing_else(
    papertrack: Command, library: Path, api: type[Api], odd: dict[str, Any], total: str
) -> None:
    api.odd, api.total = (odd,), total
    ran = papertrack("import", "--zotero-api")
    assert ran.code == 0, ran.err
    assert "An Odd Book" in papertrack("list", "title:odd").out
    assert "A Lamp" in papertrack("list", "title:lamp").out


def test_pages_without_end_are_refused(
    papertrack: Command, library: Path, api: type[Api], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(zotero_api, "_MOST_PAGES", 2)
    api.odd, api.total = ({"key": "ODDS2345", "data": BOOK},) * 500, "999999999"
    ran = papertrack("import", "--zotero-api")
    assert ran.code == 4
    assert "more than any library has" in ran.err


def test_it_is_the_same_library_as_the_database(
    papertrack: Command, library: Path, api: type[Api]
) -> None:
    papertrack("import", "--zotero-api")
    again = json.loads(papertrack("import", "--zotero-api", "--json").out)
    assert (again["imported"], again["papers_new"], again["papers_changed"]) == (0, 0, 0)


def test_one_that_does_not_allow_it_says_where_to_switch_it_on_and_may_be_asked_at_once(
    papertrack: Command, library: Path, api: type[Api]
) -> None:
    api.is_allowed = False
    ran = papertrack("import", "--zotero-api")
    assert ran.code == 4
    assert "Allow other applications" in ran.err
    api.is_allowed = True
    assert papertrack("import", "--zotero-api").code == 0


def test_following_takes_in_what_changes_waits_for_one_that_is_away_and_ends_with_ctrl_c(
    papertrack: Command, library: Path, api: type[Api], monkeypatch: pytest.MonkeyPatch
) -> None:
    added = {"key": "LATE2345", "itemType": "book", "title": "Late Lamps", "DOI": "10.1000/late"}
    noted = {"key": "NEXT2345", "itemType": "book", "title": "Next Lamps", "DOI": "10.1000/next"}
    monkeypatch.setitem(PATHS, "/api/users/0/items", OWN[:5])

    def add(item: dict[str, Any]) -> None:
        PATHS["/api/users/0/items"] = [*PATHS["/api/users/0/items"], item]

    def away() -> None:
        api.is_allowed = False

    def back() -> None:
        api.is_allowed = True
        add(noted)

    def interrupt() -> None:
        raise KeyboardInterrupt

    turns = iter([lambda: None, lambda: add(added), away, back, interrupt])
    monkeypatch.setattr("papertrack.cli.import_._wait", lambda seconds: next(turns)())
    ran = papertrack("import", "--zotero-api", "--follow")
    assert ran.code == 130
    for doi in ("10.1000/lamp.5", "10.1000/late", "10.1000/next"):
        assert papertrack("show", doi).code == 0
    told = [line for line in ran.err.splitlines() if "new paper" in line]
    assert [line.partition("(")[2][0] for line in told] == ["2", "1", "1"]
    assert ran.err.count("Allow other applications") == 1
    papertrack("undo")
    assert papertrack("show", "10.1000/next").code == 3
    assert papertrack("show", "10.1000/late").code == 0


def test_no_other_machine_is_asked(
    papertrack: Command, library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PAPERTRACK_ZOTERO_API_URL", "https://zotero.example/api")
    ran = papertrack("import", "--zotero-api")
    assert ran.code == 2
    assert "this machine" in ran.err


@pytest.mark.parametrize(
    "arguments", [(), ("--follow",), ("a.md", "--zotero-api"), ("--zotero-api", "--follow", "-n")]
)
def test_options_that_do_not_go_together_are_refused(
    papertrack: Command, library: Path, arguments: tuple[str, ...]
) -> None:
    assert papertrack("import", *arguments).code == 2
