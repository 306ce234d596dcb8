"""A library is the reader's own, or a stranger's until they say otherwise."""

import os
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from threading import Thread

import pytest

from papertrack.errors import PapertrackError
from papertrack.library import Library, personal_folder
from papertrack.library import trust as trusting
from papertrack.library.settings import Settings
from papertrack.library.settings_in_force import load_settings
from papertrack.library.trust import distrust, has_trusted, is_trusted, refuse_outside, trust

DATA = ("papertrack.db", "state", "intents", "backups")
THEIRS = """\
pdf_viewer = "evil"

[arxiv]
api_url = "https://evil.example/api"
contact = "them@example.org"

[mail]
host = "smtp.evil.example"
to = ["them@evil.example"]
password_command = "touch /tmp/never"

[reading]
in_hand = 7
"""


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    for name in ("CONFIG", "STATE", "DATA"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(home / name.lower()))
    return home


@pytest.fixture
def library(tmp_path: Path) -> Library:
    root = tmp_path / "cloned"
    root.mkdir()
    (root / "papertrack.toml").write_text(THEIRS, encoding="utf-8")
    return Library(root)


def settings_of(library: Library) -> tuple[Settings, list[str]]:
    told: list[str] = []
    return load_settings(library, os.environ, told.append), told


def test_a_strangers_settings_run_nothing_and_name_no_host(library: Library) -> None:
    found, (told,) = settings_of(library)
    assert found.pdf_viewer is None
    assert found.arxiv.api_url is None
    assert found.mail.host is None
    assert found.mail.to == ()
    assert found.mail.password_command is None
    for key in ("pdf_viewer", "arxiv.api_url", "mail.host", "mail.password_command"):
        assert key in told
    assert "papertrack config --trust" in told


def test_what_harms_nobody_counts_all_the_same(library: Library) -> None:
    found, _ = settings_of(library)
    assert found.reading.in_hand == 7
    assert found.arxiv.contact == "them@example.org"


def test_every_setting_that_runs_sends_or_names_a_host_needs_trust(library: Library) -> None:
    """A new setting of this kind that nobody marked would be used of a stranger."""
    every = {
        f"{table}.{key}": value
        for table, values in asdict(Settings()).items()
        if isinstance(values, dict)
        for key, value in values.items()
    }
    reach = [key for key in every if key.endswith(("url", "host", "command")) or "mail." in key]
    assert len(reach) >= 14
    for key in reach:
        table, _, name = key.partition(".")
        value = {"port": 99, "security": "tls", "to": ["a@b.c"]}.get(name, "https://a.b")
        text = f"[{table}]\n{name} = {value!r}\n"
        library.settings_path.write_text(text, encoding="utf-8")
        found, told = settings_of(library)
        assert told, key
        assert found == Settings()


def test_the_readers_own_settings_and_the_environment_are_never_a_strangers(
    library: Library, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = home / "config" / "papertrack" / "papertrack.toml"
    own.parent.mkdir(parents=True)
    own.write_text("pdf_viewer = 'mine'\n[reading]\nin_hand = 2\n", encoding="utf-8")
    monkeypatch.setenv("PAPERTRACK_MAIL_HOST", "smtp.mine.example")
    found, _ = settings_of(library)
    assert found.pdf_viewer == "mine"
    assert found.mail.host == "smtp.mine.example"
    assert found.reading.in_hand == 7, "what harms nobody is the library's to say"


@pytest.mark.parametrize(
    "address", ["http://127.0.0.1:8080/api", "http://localhost/x", "http://[::1]:1/"]
)
def test_an_address_of_this_machine_needs_trust_too(library: Library, address: str) -> None:
    """Services that answer only their own machine trust whoever asks from there."""
    library.settings_path.write_text(f"[arxiv]\napi_url = '{address}'\n", encoding="utf-8")
    found, told = settings_of(library)
    assert found.arxiv.api_url is None
    assert told
    trust(library, {"arxiv.api_url": address})
    found, told = settings_of(library)
    assert (found.arxiv.api_url, told) == (address, [])


def test_trust_is_bound_to_what_the_settings_say(library: Library) -> None:
    powerful = {
        "arxiv.api_url": "https://evil.example/api",
        "mail.host": "smtp.evil.example",
        "mail.password_command": "touch /tmp/never",
        "mail.to": ["them@evil.example"],
        "pdf_viewer": "evil",
    }
    trust(library, powerful)
    found, told = settings_of(library)
    assert told == []
    assert found.pdf_viewer == "evil"
    changed = THEIRS.replace('"evil"', '"worse"')
    library.settings_path.write_text(changed, encoding="utf-8")
    found, told = settings_of(library)
    assert found.pdf_viewer is None
    assert found.mail.host is None
    assert len(told) == 1
    assert is_trusted(library), "the folder is the same"


def test_trust_is_bound_to_the_folder(library: Library) -> None:
    trust(library, {})
    assert is_trusted(library)
    moved = library.root.rename(library.root.with_name("moved"))
    library.root.mkdir()
    assert not is_trusted(library), "another folder stands there now"
    assert not is_trusted(Library(moved))
    assert not distrust(Library(moved))
    assert distrust(library)
    assert not is_trusted(library)


def test_the_personal_library_is_the_readers_own() -> None:
    personal_folder().mkdir(parents=True)
    assert is_trusted(Library(personal_folder()))
    assert not has_trusted(Library(personal_folder()), {"pdf_viewer": "evil"})


@pytest.mark.parametrize("own", ["data", *(f"data/{n}" for n in DATA)])
def test_a_library_holds_its_own_files_unless_a_link_leads_out(
    library: Library, tmp_path: Path, own: str
) -> None:
    assert library.holds_own_files()
    place, outside, inside = library.root / own, tmp_path / "outside", library.root / "inside"
    place.parent.mkdir(exist_ok=True)
    for target, is_held in ((outside, False), (inside, True)):
        target.mkdir()
        place.symlink_to(target)
        assert library.holds_own_files() is is_held
        place.unlink()


def test_nothing_leads_out_of_an_untrusted_library(library: Library, tmp_path: Path) -> None:
    outside = tmp_path / "bashrc"
    outside.write_text("mine\n", encoding="utf-8")
    (library.root / "exports").mkdir()
    link = library.root / "exports" / "references.bib"
    link.symlink_to(outside)
    refuse_outside(library, library.root / "README.md")
    for path in (link, outside, library.root / ".." / "bashrc"):
        with pytest.raises(PapertrackError, match="papertrack config --trust"):
            refuse_outside(library, path)
    trust(library, {})
    refuse_outside(library, link)


def test_two_who_trust_at_once_forget_neither(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Library(tmp_path / "other")
    other.root.mkdir()
    beside = Thread(target=trust, args=(other, {}))
    write = trusting._write

    def write_late(known: Mapping[str, trusting.TrustedFolder]) -> None:
        monkeypatch.setattr(trusting, "_write", write)
        beside.start()
        beside.join(0.1)  # It waits for this one; where it does not, it is done by then.
        write(known)

    monkeypatch.setattr(trusting, "_write", write_late)
    trust(library, {})
    beside.join()
    assert is_trusted(library)
    assert is_trusted(other)


def test_rubbish_in_the_list_of_trusted_folders_trusts_nobody(library: Library, home: Path) -> None:
    for rubbish in (b"", b"[]", b'{"x": 1}', b"\xff", b'{"x": {"inode": 1}}'):
        state = home / "state" / "papertrack"
        state.mkdir(parents=True, exist_ok=True)
        (state / "trusted.json").write_bytes(rubbish)
        assert not is_trusted(library)
    trust(library, {})
    assert is_trusted(library)
