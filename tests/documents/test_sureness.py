"""What is not sure is not written: doubtful titles, new entries of lists without a rule."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import pytest

from papertrack.documents.markdown.model import Document, EntryFields
from papertrack.documents.markdown.read.document import parse_document
from papertrack.documents.markdown.write.edit_types import Add, Edit, Edited, SetTitle
from papertrack.documents.markdown.write.edits import EditCheck, EditResult, apply_edits
from papertrack.documents.markdown.write.summary import find_doubt
from papertrack.records import Link

SIGNS = "~!@%^&=+;/"
LOOSE = "# List\n\n## Papers\n\n" + "".join(
    f"- Paper Number {n} {sign} [pdf](https://arxiv.org/abs/2301.1000{n})\n"
    for n, sign in enumerate(SIGNS)
)
NAMED = "# List\n\n## Papers\n\n" + "".join(
    f"- [{name} of Things](https://arxiv.org/abs/2301.1000{n})\n"
    for n, name in enumerate(("A Study", "The Growth", "A Theory", "The Fall"))
)
LONG = "Fairness and interactive performance of O(64) and CFS kernel schedulers"
DOUBTFUL = (
    "+ Fast Kernels of Linux. SOSP(2019) [[pdf]](https://a.example/1)\n"
    "+ Slow Kernels of Linux. SOSP(2020) [[pdf]](https://a.example/2)\n"
    f"+ {LONG}. ATC(2020) [[pdf]](https://a.example/3)\n"
)
LINK = "https://arxiv.org/abs/2302.00001"
NEW = EntryFields(
    title="A New Paper",
    links=(Link("paper", LINK),),
    authors=("Ada Lovelace", "Alan Turing"),
)


@pytest.mark.parametrize(
    ("line", "is_complete"),
    [
        (f"- [A New Paper]({LINK})", True),
        (f"- [A New Paper]({LINK}) [code](https://a.example/of-another)", False),
        (f"- [A New Paper]({LINK}). Turing after Lovelace, in words of one kind.", False),
        (f"- [A New Paper]({LINK}). Grace Hopper, Edsger Dijkstra", False),
    ],
)
def test_a_new_entry_is_read_with_its_links_and_names_and_no_others(
    line: str, is_complete: bool
) -> None:
    document, edit = parse_document(NAMED), Add(("Papers",), NEW)
    edited = Edited(f"{NAMED}{line}\n")
    assert EditCheck(document).compare([edit], edited).is_complete == is_complete


def test_a_new_entry_of_a_list_without_a_rule_has_no_sign_that_is_its_own() -> None:
    document = parse_document(LOOSE)
    edited = apply_edits(document, [Add(("Papers",), NEW)])
    (line,) = set(edited.text.splitlines()) - set(LOOSE.splitlines())
    assert re.fullmatch(rf"- A New Paper (?:[{SIGNS}] )?\[pdf\]\({LINK}\)", line)


def test_what_is_doubtful_of_a_list_is_told_in_a_sentence_each() -> None:
    (told,) = find_doubt(parse_document(LOOSE))
    assert told.reason.startswith("Only ")
    assert "a new entry may not look as you would write it" in told.reason
    assert not find_doubt(parse_document(NAMED))


def test_a_doubtful_title_is_told_and_never_replaced_unless_the_reader_says_it_is_one() -> None:
    document = parse_document(DOUBTFUL)
    entry = document.entries[-1]
    assert not entry.anatomy.is_title_sure
    (told,) = find_doubt(document)
    assert (told.line, told.text) == (3, entry.fields.title)
    edited = apply_edits(document, [SetTitle(entry.index, "Another Title")])
    assert edited.text == DOUBTFUL
    assert "may not be the entry's title" in edited.refused[0].reason
    said = parse_document(DOUBTFUL, {"title": LONG})
    assert said.entries[-1].fields.title == LONG
    edited = apply_edits(said, [SetTitle(entry.index, "Another Title")])
    assert "+ Another Title. ATC(2020)" in edited.text


def _adds(title: str, count: int) -> list[Add]:
    """New entries, of which the links and the numbers in their titles differ."""
    links = (Link("paper", f"https://arxiv.org/abs/2302.{n:05}") for n in range(1, count + 1))
    fields = (
        replace(NEW, title=f"{title} {n}", links=(link,), authors=())
        for n, link in enumerate(links)
    )
    return [Add(("Papers",), one) for one in fields]


def test_many_new_entries_that_cannot_be_written_cost_few_readings_and_hold_up_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    document, texts = parse_document(LOOSE), list[str]()
    read_again = Document.parse_again

    def counted(self: Document, text: str) -> Document:
        texts.append(text)
        return read_again(self, text)

    monkeypatch.setattr(Document, "parse_again", counted)
    unreadable, good = _adds("![picture](a.png)", 40), Add(("Papers",), NEW)
    edited = apply_edits(document, [*unreadable[:20], good, *unreadable[20:]])
    assert [refusal.edit for refusal in edited.refused] == unreadable
    assert NEW.title in edited.text
    assert len(texts) < 20


def test_new_entries_that_fit_only_when_plain_come_through_together() -> None:
    adds = _adds("A `Half Quoted Title", 12)
    edited = apply_edits(parse_document(LOOSE), adds)
    assert not edited.refused
    assert edited.text.count("Half Quoted") == 12


def test_a_new_entry_that_would_spoil_one_that_is_kept_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As in a list of which the new entry, in any way, hides what another edit has made."""
    document, adding = parse_document(NAMED), Add(("Papers",), NEW)
    titling = SetTitle(0, "Another Study")

    def compare(self: EditCheck, edits: Sequence[Edit], edited: Edited) -> EditResult:
        found = EditResult(self, edits, self.document.parse_again(edited.text))
        added = [edit for edit in edits if isinstance(edit, Add)]
        missing: list[Edit] = [edit for edit in added if not edit.is_escaped]
        if added and not missing and titling in edits:
            missing = [titling]
        vars(found).update(is_complete=not missing, missing=missing)
        return found

    monkeypatch.setattr(EditCheck, "compare", compare)
    edited = apply_edits(document, [titling, adding])
    assert "[Another Study]" in edited.text
    assert [refusal.edit for refusal in edited.refused] == [adding]
