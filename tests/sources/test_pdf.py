"""PDFs: from arXiv only, checked, and whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from papertrack.actions.online import pdf
from papertrack.actions.online.pdf import fetch_into
from papertrack.errors import ConflictError, PapertrackError
from papertrack.sources.failures import Refused, SourceFailure, TooLarge, WrongHost
from papertrack.sources.transport import Door
from tests.fake_arxiv import FakeArxiv


def test_a_pdf_is_written_whole_and_replaces_an_older_one(door: Door, tmp_path: Path) -> None:
    file = tmp_path / "kwon.pdf"
    size = fetch_into(door, "2406.00023", 4, file)
    assert file.read_bytes().startswith(b"%PDF-1.7\n2406.00023v4")
    assert file.stat().st_size == size
    fetch_into(door, "2406.00023", None, file)
    assert b"2406.00023v" not in file.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kwon.pdf", "state"]


@pytest.mark.parametrize(
    "fault",
    """
        html-pdf fake-pdf html rate forbidden not-found empty short-of-length bomb
        redirect-foreign
    """.split(),
)
def test_whatever_is_no_pdf_leaves_the_old_file(
    door: Door, fake_arxiv: FakeArxiv, tmp_path: Path, fault: str
) -> None:
    file = tmp_path / "kwon.pdf"
    file.write_bytes(b"old")
    fake_arxiv.fail("site", fault)
    with pytest.raises(PapertrackError):
        fetch_into(door, "2406.00023", 1, file)
    assert file.read_bytes() == b"old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kwon.pdf", "state"]


def test_a_version_that_does_not_exist_is_refused(door: Door, tmp_path: Path) -> None:
    with pytest.raises(Refused, match="404"):
        fetch_into(door, "2406.00023", 99, tmp_path / "kwon.pdf")


def test_a_pdf_from_another_endpoint_is_not_arxivs(
    door: Door, fake_arxiv: FakeArxiv, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests.fake_arxiv import faults

    elsewhere = faults._to(f"{fake_arxiv.base('oai')}/oai")
    monkeypatch.setitem(faults.CHANGES, "redirect-https", elsewhere)
    fake_arxiv.fail("site", "redirect-https")
    fake_arxiv.fail("oai", "pdf")
    with pytest.raises(WrongHost):
        fetch_into(door, "2406.00023", 1, tmp_path / "kwon.pdf")


def test_a_pdf_larger_than_any_is_refused(
    door: Door, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pdf, "MAX_PDF_BYTES", 100)
    with pytest.raises(TooLarge):
        fetch_into(door, "2406.00023", 1, tmp_path / "kwon.pdf")


def test_a_link_is_never_written_through(door: Door, fake_arxiv: FakeArxiv, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_text("mine")
    for target in (outside, tmp_path / "nowhere"):
        link = tmp_path / "kwon.pdf"
        link.unlink(missing_ok=True)
        link.symlink_to(target)
        with pytest.raises(ConflictError):
            fetch_into(door, "2406.00023", 1, link)
    with pytest.raises(ConflictError):
        fetch_into(door, "2406.00023", 1, tmp_path)
    assert outside.read_text() == "mine"
    assert not fake_arxiv.asked()


@pytest.mark.parametrize(("fault", "is_left_alone"), [("drip", False), ("rate", True)])
def test_a_slow_pdf_leaves_arxivs_pages_within_reach(
    door: Door,
    fake_arxiv: FakeArxiv,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    fault: str,
    is_left_alone: bool,
) -> None:
    monkeypatch.setattr(pdf, "PDF_DEADLINE_SECONDS", 0.3)
    fake_arxiv.fail("site", fault)
    with pytest.raises(SourceFailure):
        fetch_into(door, "2406.00023", 1, tmp_path / "kwon.pdf")
    assert (door.cooldown(fake_arxiv.host("site")) is not None) == is_left_alone


def test_a_failed_write_leaves_no_piece(
    door: Door, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        fetch_into(door, "2406.00023", 1, tmp_path / "kwon.pdf")
    assert [path.name for path in tmp_path.iterdir()] == ["state"]
