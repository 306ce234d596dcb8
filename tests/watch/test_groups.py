"""Digests for reading groups: topics that go to addresses and files of their own."""

from __future__ import annotations

import json
import subprocess
from datetime import date
from pathlib import Path

import pytest

from tests.cli.commands import Command
from tests.fake_arxiv import FakeArxiv
from tests.watch.smtp_server import SmtpServer
from tests.watch.test_commands import MONDAY, TUESDAY, add_topic, go_to, library
from tests.watch.test_mail import message_of

__all__ = ["library"]


@pytest.fixture
def groups(library: Path, papertrack: Command) -> Path:
    """Two topics, one of which files into LLM/Decoding, and a group that follows this category."""
    add_topic(papertrack)
    assert papertrack("topic", "edit", "decoding", "--category", "LLM/Decoding").code == 0
    added = papertrack("topic", "add", "all of it", "--query", "a OR the OR of OR title:t*")
    assert added.code == 0
    return library


def configure(papertrack: Command, **settings: str) -> None:
    for key, value in settings.items():
        assert papertrack("config", "--mine", key.replace("__", "."), value).code == 0


def test_a_category_goes_to_a_file_a_feed_and_an_address(
    groups: Path, papertrack: Command, fake_arxiv: FakeArxiv, monkeypatch: pytest.MonkeyPatch
) -> None:
    with SmtpServer() as server:
        configure(papertrack, mail__host="127.0.0.1", mail__port=str(server.port))
        configure(papertrack, mail__security="none", mail__sender="night@example.org")
        configure(papertrack, digests__LLM="group@example.org, g/{date}.md, g/group.atom")
        assert papertrack("watch", "--mail").code == 0
        (mail,) = server.delivered
        assert mail.recipients == ["group@example.org"], "the reader asked for no mail"
        assert message_of(mail.data)["Subject"] == f"papertrack: 1 paper in 1 topic, {MONDAY}"
        assert papertrack("watch", "--mail").code == 0
        assert len(server.delivered) == 1, "nothing new, nothing sent"
        first = Path(f"g/{MONDAY}.md").read_text()
        go_to(fake_arxiv, monkeypatch, TUESDAY)
        assert papertrack("watch", "--mail").code == 0
        assert len(server.delivered) == 2
    assert first.count("### ") == 1
    assert "## decoding" in first
    assert "all of it" not in first
    assert sorted(path.name for path in Path("g").iterdir()) == [
        f"{MONDAY}.md",
        f"{TUESDAY}.md",
        "group.atom",
    ]
    assert Path("g/group.atom").read_text().count("<entry>") == 2
    assert str(groups) not in Path("g/group.atom").read_text()


def test_a_group_sees_nothing_of_what_the_reader_decided_or_had(
    groups: Path, papertrack: Command
) -> None:
    configure(papertrack, digests__decoding="known.txt, other.md, papers.html")
    assert papertrack("watch", "--no-look").code == 0
    assert not Path("known.txt").exists(), "there is nothing to tell"
    assert papertrack("watch").code == 0
    texts = {name: Path(name).read_text() for name in ("known.txt", "other.md", "papers.html")}
    (paper,) = json.loads(papertrack("list", "--all", "topic:decoding", "--json").out)
    for text in texts.values():
        assert paper["title"] in text
        for private in ("already", "inbox", "Probably", "Unexpected", "not fetched"):
            assert private not in text


def test_a_place_that_no_digest_can_go_to_is_refused_when_it_is_set(
    groups: Path, papertrack: Command
) -> None:
    ran = papertrack("config", "--mine", "digests.decoding", "papers.json")
    assert ran.code == 2
    assert "'papers.json' is neither an address nor a file whose name ends in one of .md" in ran.err


def test_one_place_gets_one_digest_of_all_its_topics(groups: Path, papertrack: Command) -> None:
    configure(papertrack, digests__decoding="group.txt")
    assert papertrack("config", "--mine", "digests.all of it", "group.txt").code == 0
    assert papertrack("watch").code == 0
    text = Path("group.txt").read_text()
    assert "\ndecoding\n---" in text
    assert "\nall of it\n---" in text


def test_a_file_of_somebody_elses_is_left_alone_and_the_other_places_get_theirs(
    groups: Path, papertrack: Command
) -> None:
    Path("notes.md").write_text("Mine.\n")
    configure(papertrack, digests__decoding="notes.md, group.md", digests__nobody="x.md")
    ran = papertrack("watch")
    assert ran.code == 0
    assert "notes.md was not written by papertrack" in ran.err
    assert "digests.nobody: no topic has this name or files into this category" in ran.err
    assert Path("notes.md").read_text() == "Mine.\n"
    assert Path("group.md").exists()
    assert not Path("x.md").exists()


def test_an_address_that_cannot_be_sent_to_hides_no_other(
    groups: Path, papertrack: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    with SmtpServer(refuses="RCPT") as server:
        configure(papertrack, mail__host="127.0.0.1", mail__port=str(server.port))
        configure(papertrack, mail__security="none", mail__to="me@example.org")
        configure(papertrack, digests__decoding="one@example.org, two@example.org, group.md")
        ran = papertrack("watch", "--mail", "--json")
    assert ran.code == 4
    assert json.loads(ran.out)["papers_new"] >= 1
    assert "did not accept the mail" in ran.err
    assert Path("group.md").exists()
    configure(papertrack, digests__decoding="one@example.org\r\nBcc: all@example.org")
    ran = papertrack("watch", "--mail")
    assert ran.code == 2
    assert "is not an address" in ran.err


def test_the_file_of_a_shared_library_names_no_place(groups: Path, papertrack: Command) -> None:
    """Whoever may push a topic and its place has nothing asked, sent or written."""
    for arguments in (("init", "-q"), ("add", "."), ("commit", "-qm", "All")):
        subprocess.run(
            ["git", "-c", "user.name=a", "-c", "user.email=b@c.d", *arguments], check=True
        )
    assert papertrack("share", "on", "--private", "nothing").code == 0
    ran = papertrack("config", "digests.decoding", "mine@example.org")
    assert ran.code == 2
    assert "add --mine" in ran.err
    with SmtpServer() as server:
        configure(papertrack, mail__host="127.0.0.1", mail__port=str(server.port))
        configure(papertrack, mail__security="none", mail__to="me@example.org")
        toml = Path("papertrack.toml")
        toml.write_text(
            toml.read_text() + '\n[digests]\ndecoding = ["them@example.org", "/tmp/x.md", "x.md"]\n'
        )
        for trust in ((), ("config", "--trust")):
            assert not trust or papertrack(*trust).code == 0
            ran = papertrack("watch", "--mail")
            assert ran.code == 0
            assert "sets digests, which are ignored because the file is shared" in ran.err
        assert [mail.recipients for mail in server.delivered] == [["me@example.org"]]
    assert not Path("x.md").exists()


def test_a_library_that_is_not_trusted_names_no_place(groups: Path, papertrack: Command) -> None:
    toml = Path("papertrack.toml")
    toml.write_text(toml.read_text() + '\n[digests]\ndecoding = ["x.md"]\n')
    ran = papertrack("watch")
    assert "sets digests, which are not trusted on this machine" in ran.err
    assert not Path("x.md").exists()
    papertrack("config", "--trust")
    assert papertrack("watch", "--since", date(2026, 11, 15).isoformat()).code == 0


def test_places_are_shown_as_they_are_typed(groups: Path, papertrack: Command) -> None:
    configure(papertrack, digests__decoding="a@example.org, b.md", digests__LLM="c.md")
    assert papertrack("config", "digests").out.startswith("decoding=a@example.org, b.md; LLM=c.md")
