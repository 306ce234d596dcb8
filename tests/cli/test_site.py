"""``papertrack export --site``: what is published, what is not, and what one change changes."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from papertrack.exporters.site.names import page_names
from papertrack.exporters.site.pages import PER_PAGE
from tests.cli.commands import Command
from tests.cli.conftest import furnish

KEY = "fast2022inference"
RESOURCE = re.compile(r"""<(?:script|link|img|iframe)\b[^>]*?(?:src|href)=["']([^"']*)""")


@pytest.fixture
def library(papertrack: Command, home: Path, made_shelf: Path) -> Path:
    """The sample library, in the current folder."""

    def sample() -> None:
        assert papertrack("init", "--demo", home).code == 0

    furnish(home, made_shelf, sample)
    papertrack("trust")
    return home


@pytest.fixture
def site(library: Path, tmp_path: Path) -> Path:
    return tmp_path / "site"


def files(site: Path) -> dict[str, bytes]:
    return {
        path.relative_to(site).as_posix(): path.read_bytes()
        for path in site.rglob("*")
        if path.is_file()
    }


def changed(before: dict[str, bytes], after: dict[str, bytes]) -> set[str]:
    return {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}


def published(papertrack: Command, site: Path, *options: str) -> dict[str, bytes]:
    ran = papertrack("export", "--site", site, *options)
    assert ran.code == 0, ran.err
    return files(site)


def test_every_saved_paper_has_a_row_and_a_page_without_javascript(
    papertrack: Command, site: Path
) -> None:
    pages = published(papertrack, site, "--title", "What\nwe \u202e<read>")
    papers = json.loads(papertrack("list", "is:saved", "--json").out)
    index = pages["index.html"].decode()
    assert "<h1>What we &lt;read&gt;</h1>" in index
    for paper in papers:
        assert f'href="papers/{paper["citekey"]}.html"' in index
        page = pages[f"papers/{paper['citekey']}.html"].decode()
        assert f"{{{paper['citekey']}," in page  # The BibTeX entry
        assert '<meta name="citation_title"' in page
    assert [one["citekey"] for one in json.loads(pages["library.json"])]
    assert len(json.loads(pages["search.json"])["key"]) == len(papers)


def test_nothing_new_changes_no_byte_and_no_time(papertrack: Command, site: Path) -> None:
    before = published(papertrack, site)
    times = {path: path.stat().st_mtime_ns for path in site.rglob("*")}
    again = papertrack("export", "--site", site)
    assert "nothing to do" in again.err
    assert papertrack("export", "--site", site, "--check").code == 0
    assert files(site) == before
    assert {path: path.stat().st_mtime_ns for path in site.rglob("*")} == times


def test_one_pass_changes_five_files_and_one_paper_six(papertrack: Command, site: Path) -> None:
    before = published(papertrack, site)
    papertrack("pass", KEY, "3")
    after = published(papertrack, site)
    assert changed(before, after) == {
        *("index.html", f"papers/{KEY}.html", "search.json", "library.json"),
    }
    papertrack("add", "--title", "A Paper Nobody Wrote", "--authors", "Ada Byron")
    more = published(papertrack, site)
    assert len(changed(after, more)) <= 6
    assert "feed.xml" in changed(after, more)


def test_older_pages_stay_when_papers_are_added(
    papertrack: Command, site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def add(count: int, day: int) -> None:
        monkeypatch.setenv("PAPERTRACK_NOW", f"2026-03-{day:02}T09:30:00+00:00")
        name = f"many{day}.bib"
        Path(name).write_text(
            "".join(f"@misc{{k{day}x{at}, title={{T {day} {at}}}}}\n" for at in range(count))
        )
        assert papertrack("import", name).code == 0

    add(2 * PER_PAGE, 2)
    before = published(papertrack, site)
    assert {name for name in before if name.startswith("pages/")} == {"pages/1.html"}
    assert before["index.html"].count(b'class="paper"') >= PER_PAGE
    rows = sum(before[name].count(b'class="paper"') for name in ("index.html", "pages/1.html"))
    assert rows == len(json.loads(before["library.json"]))
    missing = 3 * PER_PAGE - rows - 1
    add(missing, 3)
    before = published(papertrack, site)
    assert "pages/2.html" not in before
    add(1, 4)
    after = published(papertrack, site)
    assert "pages/2.html" in after
    assert len(changed(before, after)) <= 6
    assert before["pages/1.html"] == after["pages/1.html"]


def test_what_is_private_appears_only_when_it_is_named(
    papertrack: Command, site: Path, library: Path
) -> None:
    papertrack("pass", KEY, "1", "--minutes", "4321", "--takeaway", "Secret takeaway.")
    papertrack("edit", KEY, "rating=2")
    papertrack("discard", "awq2023activation", "--reason", "Secret reason.")
    note = Path(papertrack("note", KEY, "--print").out.strip())
    note.write_text("Secret note.\n")
    secrets = {
        "takeaways": b"Secret takeaway.",
        "minutes": b"4321",
        "notes": b"Secret note.",
        "ratings": b"2 of 5",
    }
    whole = b"".join(published(papertrack, site).values())
    assert not [name for name, text in secrets.items() if text in whole]
    assert b"awq2023activation" not in whole
    assert b"Secret reason." not in whole
    assert b'"decision":' not in published(papertrack, site)["library.json"]
    for name, text in secrets.items():
        shown = published(papertrack, site.with_name(name), "--with", name)
        whole = b"".join(shown.values())
        assert [other for other, what in secrets.items() if what in whole] == [name], text
    named = published(papertrack, site.with_name("all"), "is:discarded OR is:saved")
    assert "papers/awq2023activation.html" in named
    assert b"Secret reason." not in b"".join(named.values())
    narrow = published(papertrack, site.with_name("one"), "NOT is:discarded category:Serving")
    assert 0 < len([name for name in narrow if name.startswith("papers/")]) < 10


def test_an_address_that_could_not_be_published_is_refused(papertrack: Command, site: Path) -> None:
    for address in ("javascript:alert(1)", "https://me:word@a.example/", "https://a.example/?a=#b"):
        ran = papertrack("export", "--site", site, "--address", address)
        assert ran.code == 2
        assert "--address" in ran.err
        assert not site.exists()


def test_notes_in_bib_files_are_private_like_other_notes(
    papertrack: Command, site: Path, library: Path
) -> None:
    Path("zotero.bib").write_text(
        "@article{own2020, title={Owned}, annote={Secret remark.}, note={Secret extra.}}\n"
        "@misc{own2021, title={Mine}, howpublished={\\url{file:///home/me/Secret.pdf}}}\n"
    )
    papertrack("import", "zotero.bib")
    papertrack("edit", KEY, "description=A public line.")
    whole = b"".join(published(papertrack, site).values())
    assert b"Secret" not in whole
    assert b"A public line." in whole
    shown = b"".join(published(papertrack, site, "--with", "notes").values())
    assert b"Secret remark." in shown
    assert b"Secret extra." in shown
    assert b"Secret.pdf" not in shown


def test_each_part_of_a_query_asks_for_discarded_papers_itself(
    papertrack: Command, site: Path, library: Path
) -> None:
    papertrack("discard", "awq2023activation")
    papertrack("tag", "awq2023activation", "+later")
    named = published(papertrack, site, f"is:inbox OR tag:later OR citekey:{KEY}")
    assert f"papers/{KEY}.html" in named
    assert "papers/awq2023activation.html" not in named
    asked = published(papertrack, site, "(is:Discarded OR is:inbox) tag:later")
    assert "papers/awq2023activation.html" in asked


def test_a_former_key_leads_to_the_page_of_the_new_one(papertrack: Command, site: Path) -> None:
    published(papertrack, site)
    papertrack("edit", KEY, "citekey=leviathan2023fast")
    pages = published(papertrack, site)
    assert b"url=leviathan2023fast.html" in pages[f"papers/{KEY}.html"]
    assert "papers/leviathan2023fast.html" in pages


def test_a_page_that_has_gone_is_removed_and_nothing_else(papertrack: Command, site: Path) -> None:
    published(papertrack, site)
    (site / "CNAME").write_text("papers.example.org\n")
    (site / "papers" / "mine.html").write_text("<p>By hand.</p>\n")
    papertrack("discard", KEY)
    pages = published(papertrack, site)
    assert f"papers/{KEY}.html" not in pages
    assert {"CNAME", "papers/mine.html"} <= set(pages)


def test_files_of_others_are_refused_before_anything_is_written(
    papertrack: Command, site: Path
) -> None:
    for name in ("index.html", "search.json", f"papers/{KEY}.html"):
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_text("By hand.\n")
        ran = papertrack("export", "--site", site)
        assert ran.code == 5
        assert "was not written by papertrack" in ran.err
        assert files(site) == {name: b"By hand.\n"}
        (site / name).unlink()


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_links_lead_nowhere(papertrack: Command, site: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    site.mkdir()
    (site / "papers").symlink_to(elsewhere)
    assert papertrack("export", "--site", site).code == 5
    assert not list(elsewhere.iterdir())
    (site / "papers").unlink()
    (elsewhere / "victim").write_text("kept")
    (site / "search.json").symlink_to(elsewhere / "victim")
    assert papertrack("export", "--site", site).code == 5
    assert (elsewhere / "victim").read_text() == "kept"


def test_markup_of_strangers_is_text_and_odd_addresses_are_no_links(
    papertrack: Command, site: Path
) -> None:
    Path("odd.md").write_text(
        "# <b>Odd</b> & “quoted”\n\n"
        "- [A <script>alert(1)</script> \"title\"](https://example.org/a?b=1&c='2')\n"
        "- [Another one](javascript:alert(2))\n",
        encoding="utf-8",
    )
    papertrack("import", "odd.md")
    pages = published(papertrack, site, "--title", "</title><script>alert(3)</script>")
    for name, data in pages.items():
        if name.endswith(".html"):
            assert b"<script>" not in data, name
            assert b'href="javascript:' not in data, name


def test_pages_ask_no_other_host_and_run_no_inline_script(papertrack: Command, site: Path) -> None:
    for name, data in published(papertrack, site, "--address", "https://example.org/p").items():
        if not name.endswith(".html"):
            continue
        text = data.decode()
        for address in RESOURCE.findall(text.replace('rel="canonical" href', "")):
            assert not re.match(r"(?:https?:)?//", address), (name, address)
        assert " style=" not in text
        assert "onclick" not in text


def test_the_feed_names_the_pages_where_they_are_published(papertrack: Command, site: Path) -> None:
    pages = published(papertrack, site, "--address", "https://example.org/papers")
    feed = ElementTree.fromstring(pages["feed.xml"])
    links = [
        link.get("href", "") for link in feed.iterfind(".//{*}entry/{*}link[@rel='alternate']")
    ]
    assert links
    assert all(link.startswith("https://example.org/papers/papers/") for link in links)
    assert papertrack("export", "--site", site, "--address", "javascript:x").code == 2


def test_pages_have_safe_names_and_one_each() -> None:
    keys = ["../../etc", "Foo2020", "foo2020", "a:b/c", "con", "müller2020", "-o", ".x", "k" * 300]
    names = page_names(keys)
    assert names["Foo2020"] == "Foo2020"
    assert len({name.casefold() for name in names.values()}) == len(keys)
    for name in names.values():
        assert re.fullmatch(r"[A-Za-z0-9_~][A-Za-z0-9_.~+-]*", name)
        assert len(name) < 200
        assert name.lower() != "con"


def test_a_dry_run_writes_nothing_and_options_go_together(papertrack: Command, site: Path) -> None:
    ran = papertrack("export", "--site", site, "--dry-run")
    assert (ran.code, site.exists()) == (0, False)
    assert "papers, would write " in ran.err
    assert papertrack("export", "--site", site, "--check").code == 5
    assert papertrack("export", "--site", site, "--bib").code == 2
    assert papertrack("export", "--bib", "--title", "x").code == 2


def test_nothing_is_written_for_no_paper_and_over_no_file(papertrack: Command, site: Path) -> None:
    before = published(papertrack, site)
    ran = papertrack("export", "--site", site, "tag:nobody")
    assert ran.code == 3
    assert "No saved paper matches 'tag:nobody': nothing was written." in ran.err
    assert files(site) == before
    Path("page.html").write_text("Mine.")
    ran = papertrack("export", "--site", "page.html")
    assert "page.html is a file. Nothing was written" in ran.err
    assert Path("page.html").read_text() == "Mine."
