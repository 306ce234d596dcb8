"""A new kind of reading mark is one line of the table of kinds: nothing else learns of it."""

from __future__ import annotations

import pytest

from papertrack.documents.markdown.check.document import check_document
from papertrack.documents.markdown.marks import kinds
from papertrack.documents.markdown.marks.kind import MarkKind
from papertrack.documents.markdown.marks.kinds import RepeatedSign
from papertrack.documents.markdown.read.document import parse_document
from papertrack.documents.markdown.settings import check_setting
from papertrack.documents.markdown.write.edit_types import Add, SetPasses
from papertrack.documents.markdown.write.edits import apply_edits
from papertrack.errors import UsageError
from tests.documents.samples import edited, line_pairs, paper

LINK = "[T{0}](https://arxiv.org/abs/2301.0000{0})"
TABLE = "## S\n\n| Title | Read |\n|--|--|\n" + "".join(
    f"| {LINK.format(number)} | {mark} |\n" for number, mark in enumerate(("◆", "◆◆◆", ""), 1)
)
LIST = f"## S\n\n- ◆◆ {LINK.format(1)}\n- {LINK.format(2)} - What it is ◆\n- {LINK.format(3)}\n"


@pytest.fixture(autouse=True)
def diamond(monkeypatch: pytest.MonkeyPatch) -> MarkKind:
    """The next kind of mark, as CONTRIBUTING has it: one line more among the kinds."""
    kind = RepeatedSign("diamond", "diamonds", signs="◆", usual="◆")
    monkeypatch.setattr(kinds, "KINDS", (*kinds.KINDS, kind))
    return kind


def passes_in(text: str) -> list[int | None]:
    return [entry.fields.passes for entry in parse_document(text).entries]


def test_a_new_mark_is_read_in_tables_and_lists() -> None:
    assert passes_in(TABLE) == [1, 3, 0]
    assert passes_in(LIST) == [2, 1, None]
    assert parse_document(LIST).entries[1].fields.description == "What it is"
    assert not check_document(parse_document(TABLE))


def test_a_new_mark_is_told_without_a_header_and_silenced_by_a_legend() -> None:
    assert passes_in(TABLE.replace("Read", "  ")) == [1, 3, 0]
    assert passes_in("◆ = code is available\n\n" + LIST) == [None, None, None]


def test_a_new_mark_is_learnt_written_and_comes_back(diamond: MarkKind) -> None:
    for text in (TABLE, LIST):
        document = parse_document(text)
        assert (document.style.marks.kind, document.style.marks.max_passes) == (diamond, 3)
        assert document.style.to_dict()["reading_mark_text"] == "◆"
        marked = edited(document, SetPasses(2, 2))
        assert passes_in(marked)[2] == 2
        assert len(line_pairs(text, marked)) == 1
        back = edited(parse_document(marked), SetPasses(2, 0))
        assert back.rstrip() == text.rstrip()


def test_a_new_entry_has_its_own_marks_not_those_of_its_model() -> None:
    new = paper("New", "https://arxiv.org/abs/2302.00001", passes=2)
    row = edited(parse_document(TABLE), Add(("S",), new)).splitlines()[-1]
    assert row.endswith("| ◆◆ |")
    item = edited(parse_document(LIST), Add(("S",), new)).splitlines()[-1]
    assert item.count("◆") == 2


def test_a_new_sign_can_be_set_and_another_one_cannot() -> None:
    document = parse_document(TABLE)
    check_setting(document, "mark", "◆")
    with pytest.raises(UsageError, match="is not a valid mark"):
        check_setting(document, "mark", "✅")


def test_marks_of_two_signs_in_one_list_keep_their_own() -> None:
    text = f"- ✅ {LINK.format(1)}\n- ◆ {LINK.format(2)}\n- ◆ {LINK.format(3)}\n"
    written = apply_edits(parse_document(text), [SetPasses(0, 2), SetPasses(1, 3)]).text
    assert written == text.replace("✅", "✅ ✅").replace("- ◆ [T2]", "- ◆ ◆ ◆ [T2]")
