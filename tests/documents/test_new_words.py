"""The words of new entries: none that its list would not have there, and none left over."""

from __future__ import annotations

import random
import re
from dataclasses import replace

import pytest

from papertrack.documents.markdown.model import EntryFields
from papertrack.documents.markdown.read.document import parse_document
from papertrack.documents.markdown.write.edit_types import Add
from papertrack.documents.markdown.write.edits import apply_edits
from papertrack.documents.markdown.write.new_entry import without_empty_labels
from papertrack.records import Link
from tests.corpus import WHOLE
from tests.documents.list_grammars import ListGrammar, works
from tests.documents.samples import added_lines, edited, entry_named
from tests.documents.test_new_entries import ARXIV, DAYS, NEW, listed

PAPER = NEW.links[:1]
_MARKER = re.compile(r"(?:- \[.\]|[-+*]|[0-9]+\.) ")
NAMES = ("Ada Low", "Ben Roe", "Cy Poe", "Di Moe", "Ed Doe", "Flo Toe")


def added(text: str, fields: EntryFields = NEW) -> list[str]:
    """Return the lines that a new entry adds to a list."""
    return added_lines(text, edited(parse_document(text), Add(("C",), fields)))


def test_a_column_of_numbers_counts_on() -> None:
    head = "# L\n\n## C\n\n| # | Title | Links |\n|---|---|---|\n"
    text = listed(f"| {{n}} | Paper Number {{n}} | [paper]({ARXIV}{{id}}) |")
    text = head + text.partition("## C\n\n")[2]
    assert added(text) == [f"| 7 | A New Thing | [paper]({ARXIV}2403.00001) |"]


@pytest.mark.parametrize(
    ("number", "new"), [("#{n} ", "#7 "), ("**[{n}]** ", "**[7]** "), ("No. {n}: ", "No. 7: ")]
)
def test_a_number_is_written_as_the_others_are(number: str, new: str) -> None:
    text = listed(f"- {number}*Paper Number {{n}}* [[pdf]]({ARXIV}{{id}})")
    assert added(text) == [f"- {new}*A New Thing* [[pdf]]({ARXIV}2403.00001)"]


def test_a_label_that_names_a_site_names_that_of_the_new_link() -> None:
    badge = "![thecvf](https://img.shields.io/badge/pdf-thecvf-blue.svg)"
    site = "https://openaccess.thecvf.com/content/{n}.pdf"
    head = "# L\n\n## C\n\n| Title | Paper |\n|---|---|\n"
    rows = listed(f"| Paper Number {{n}} | [{badge}]({site}) |").partition("## C\n\n")[2]
    shown = badge.replace("thecvf", "arXiv")
    new = f"| A New Thing | [{shown}]({ARXIV}2403.00001) |"
    assert added(head + rows, EntryFields(NEW.title, links=PAPER)) == [new]
    text = listed(f"- [Paper Number {{n}}]({ARXIV}{{id}}) [[github]](https://github.com/{{a}})")
    code = Link("code", "https://gitlab.com/new/thing")
    fields = EntryFields(NEW.title, links=(*PAPER, code))
    assert added(text, fields)[0].endswith("[[gitlab]](https://gitlab.com/new/thing)")


@pytest.mark.parametrize("form", ["pdf/{id}", "pdf/{id}.pdf", "html/{id}", "abs/{id}"])
def test_links_to_arxiv_have_the_form_of_their_list(form: str) -> None:
    address = f"https://arxiv.org/{form}"
    text = listed(f"- [Paper Number {{n}}]({address})")
    new = f"https://arxiv.org/{form.replace('{id}', '2403.00001')}"
    assert added(text, EntryFields(NEW.title, links=PAPER)) == [f"- [A New Thing]({new})"]


def test_a_paper_at_arxiv_is_linked_to_its_page_and_its_file_where_others_are() -> None:
    file = "https://arxiv.org/pdf/"
    text = listed(f"- [Paper Number {{n}}]({ARXIV}{{id}}) [[pdf]]({file}{{id}})")
    line = f"- [A New Thing]({ARXIV}2403.00001) [[pdf]]({file}2403.00001)"
    assert added(text, EntryFields(NEW.title, links=PAPER)) == [line]


def test_a_link_to_arxiv_stays_as_it_is_where_the_list_has_several_forms() -> None:
    lines = listed(f"- [Paper Number {{n}}]({ARXIV}{{id}})").splitlines(keepends=True)
    mixed = [line.replace("/abs/", "/pdf/") if at % 2 else line for at, line in enumerate(lines)]
    new = f"- [A New Thing]({ARXIV}2403.00001)"
    assert added("".join(mixed), EntryFields(NEW.title, links=PAPER)) == [new]


def test_what_one_link_is_called_no_other_is() -> None:
    line = f"- [Paper Number {{n}}]({ARXIV}{{id}})"
    text = listed(line).replace("2401.00001)", "2401.00001) [[WRITING]](https://kaggle.com/a/b)")
    text = text.replace("2402.00002)", "2402.00002) [[Names of Things]](https://kaggle.com/c/d)")
    data = Link("data", "https://kaggle.com/e/fruit")
    (new,) = added(text, EntryFields(NEW.title, links=(*PAPER, data)))
    assert new == f"- [A New Thing]({ARXIV}2403.00001) [[fruit]](https://kaggle.com/e/fruit)"


def test_a_link_keeps_the_name_that_says_more_than_the_kind_of_thing() -> None:
    line = f"- Paper Number {{n}} [[Paper]]({ARXIV}{{id}}) [[GitHub]](https://github.com/{{a}})"
    text = listed(line).replace(
        "[[GitHub]](https://github.com/Own3", "[[Big]](https://github.com/Own3"
    )
    url = "https://github.com/new/thing"
    (new,) = added(text, EntryFields(NEW.title, links=(*PAPER, Link("code", url, "A Tool"))))
    assert new == f"- A New Thing [[Paper]]({ARXIV}2403.00001) [[A Tool]]({url})"
    (new,) = added(text, EntryFields(NEW.title, links=(*PAPER, Link("code", url, "code"))))
    assert new == f"- A New Thing [[Paper]]({ARXIV}2403.00001) [[GitHub]]({url})"


def test_a_label_of_nothing_is_left_out() -> None:
    text = "".join(
        f"- [Paper Number {n}]({ARXIV}{day}.0000{n})\n  - {name}, Mary Jones\n  - Keyword: \n"
        f"  - Code: [official](https://github.com/own{n}/repo{n})\n"
        for n, (name, day) in enumerate(zip(NAMES, DAYS, strict=True), 1)
    )
    assert added(f"# L\n\n## C\n\n{text}") == [
        f"- [A New Thing]({ARXIV}2403.00001)",
        "  - Ada Lovelace, Alan Turing, Grace Hopper",
        "  - Code: [official](https://github.com/new/thing)",
    ]


def test_a_label_above_what_it_is_for_stays() -> None:
    text = "- A\n  - Code:\n    - [a](https://a.org)\n  - **Note**:"
    assert without_empty_labels(text) == "- A\n  - Code:\n    - [a](https://a.org)"


def test_no_others_are_told_of_where_all_authors_are_named() -> None:
    lines = [
        f"- **Paper Number {n}**, {name}, Ann Bee, Bob Cee, et al. [pdf]({ARXIV}{day}.0000{n})"
        for n, (name, day) in enumerate(zip(NAMES, DAYS, strict=True), 1)
    ]
    text = "# L\n\n## C\n\n" + "\n".join(lines) + "\n"
    (new,) = added(text, EntryFields(NEW.title, authors=NEW.authors, links=PAPER))
    assert new.startswith("- **A New Thing**, Ada Lovelace, Alan Turing, Grace Hopper")
    assert "et al" not in new


def test_a_list_that_cuts_all_authors_off_behind_the_first_always_does() -> None:
    lines = [
        f"- **Paper Number {n}**, {name} et.al., [pdf]({ARXIV}{day}.0000{n})"
        for n, (name, day) in enumerate(zip(NAMES, DAYS, strict=True), 1)
    ]
    text = "# L\n\n## C\n\n" + "\n".join(lines) + "\n"
    (new,) = added(text, EntryFields(NEW.title, authors=("Ada Lovelace",), links=PAPER))
    assert new == f"- **A New Thing**, Ada Lovelace et.al., [pdf]({ARXIV}2403.00001)"


def test_a_description_with_gaps_where_links_were_is_not_written() -> None:
    text = listed(f"- [Paper Number {{n}}]({ARXIV}{{id}}) - says {{n}} things of note")
    told = "also on , and in"
    fields = EntryFields(NEW.title, links=PAPER, description=told)
    assert added(text, fields) == [f"- [A New Thing]({ARXIV}2403.00001)"]


def test_links_of_no_certain_purpose_are_written_only_where_others_are_called_so() -> None:
    text = listed(f"- [Paper Number {{n}}]({ARXIV}{{id}}) [[poster]](https://a.org/{{n}})")
    other = Link("other", "https://b.org/data", "ESC-50")
    (new,) = added(text, EntryFields(NEW.title, links=(*PAPER, other)))
    assert new == f"- [A New Thing]({ARXIV}2403.00001)"


def test_a_venue_that_one_entry_of_many_has_is_no_part_of_them() -> None:
    lines = [f"- [Paper Number {n}]({ARXIV}2401.{n:05})" for n in range(1, 40)]
    lines[7] += " (ICLR 2021)"
    text = "# L\n\n## C\n\n" + "\n".join(lines) + "\n"
    fields = EntryFields(NEW.title, venue="ICML 2024", links=PAPER)
    assert added(text, fields) == [f"- [A New Thing]({ARXIV}2403.00001)"]


def test_a_bullet_is_set_as_most_are() -> None:
    text = listed(f"- [Paper Number {{n}}]({ARXIV}{{id}})").replace("- [Paper", "-  [Paper", 1)
    assert added(text, EntryFields(NEW.title, links=PAPER)) == [
        f"- [A New Thing]({ARXIV}2403.00001)"
    ]


def test_a_venue_that_others_show_by_a_picture_is_no_text() -> None:
    picture = "![ICLR 2024](https://img.shields.io/badge/ICLR-2024-red)"
    head = "# L\n\n## C\n\n| Title | Link |\n|---|---|\n"
    rows = listed(f"| Paper Number {{n}} <br /> {picture} | [pdf]({ARXIV}{{id}}) |")
    text = head + rows.partition("## C\n\n")[2]
    assert added(text, EntryFields(NEW.title, venue="ICML 2024", links=PAPER)) == [
        f"| A New Thing | [pdf]({ARXIV}2403.00001) |"
    ]
    assert added(text, EntryFields(NEW.title, venue="ICLR 2024", links=PAPER)) == [
        f"| A New Thing <br /> {picture} | [pdf]({ARXIV}2403.00001) |"
    ]


def test_a_word_alone_in_brackets_beside_those_of_the_names_is_a_tag() -> None:
    lines = [
        f"- ({tag}) ({name}, Ann Bee). *Paper Number {n}*. [pdf]({ARXIV}{day}.0000{n})"
        for n, (tag, name, day) in enumerate(
            zip(("Theory", "Method", "Dataset") * 2, NAMES, DAYS, strict=True)
        )
    ]
    document = parse_document("# L\n\n## C\n\n" + "\n".join(lines) + "\n")
    assert [entry.fields.tags for entry in document.entries[:3]] == [
        ("Theory",),
        ("Method",),
        ("Dataset",),
    ]
    assert document.entries[1].fields.authors == ("Ben Roe", "Ann Bee")


def test_code_within_a_sentence_is_no_tag() -> None:
    text = listed(f"- [Paper Number {{n}}]({ARXIV}{{id}}) `Own{{n}}` `202{{n}}`")
    text += f"- [A Last One]({ARXIV}2405.00009) splits work by `torch.distributed` and is fast\n"
    document = parse_document(text)
    assert entry_named(document, "A Last").fields.tags == ()
    assert entry_named(document, "Paper Number 1").fields.tags == ("Own1",)


def test_a_title_without_a_link_has_sub_items_with_labels_in_any_language() -> None:
    text = "# L\n\n## C\n\n" + "".join(
        f"- **Paper Number {n} About Things**\n  - 作者：{name}, Mary Jones\n"
        f"  - 链接：[论文]({ARXIV}{day}.0000{n}) [代码](https://github.com/own{n}/repo{n})\n"
        for n, (name, day) in enumerate(zip(NAMES, DAYS, strict=True), 1)
    )
    document = parse_document(text)
    assert [entry.category for entry in document.entries] == [("C",)] * len(NAMES)
    assert added(text) == [
        "- **A New Thing**",
        "  - 作者：Ada Lovelace, Alan Turing, Grace Hopper",
        f"  - 链接：[论文]({ARXIV}2403.00001) [代码](https://github.com/new/thing)",
    ]


def test_a_list_of_headings_gets_a_heading() -> None:
    lines = [
        f"### [Paper Number {n}]({ARXIV}{day}.0000{n})\n\n*{name}, Mary Jones*\n"
        for n, (name, day) in enumerate(zip(NAMES, DAYS, strict=True), 1)
    ]
    text = "# L\n\n## C\n\n" + "\n".join(lines)
    newest = Link("paper", f"{ARXIV}2409.00001")
    fields = EntryFields("The New Thing", authors=NEW.authors, links=(newest,))
    new = (
        f"\n\n### [The New Thing]({ARXIV}2409.00001)\n\n*Ada Lovelace, Alan Turing, Grace Hopper*\n"
    )
    assert edited(parse_document(text), Add(("C",), fields)) == text + new[1:]
    text += "\n## D\n\nWords.\n"
    after = edited(parse_document(text), Add(("C",), fields))
    assert after == text.replace("\n\n## D", f"{new}\n## D")
    after = edited(parse_document(text), Add(("C",), replace(fields, title="A New Thing")))
    assert after == text.replace("\n\n###", f"{new}\n###".replace("The New", "A New"), 1)


@pytest.mark.parametrize("seed", range(0, 72, 3 if WHOLE else 9))
def test_a_list_of_any_style_gets_a_work_as_it_writes_its_own(seed: int) -> None:
    grammar = ListGrammar(seed)
    # Names in small letters are not read as names, and what is not read back is not written.
    pool = [one for one in works() if not re.search(r"\s[a-z]", " ".join(one.authors))]
    *others, new = random.Random(seed).sample(pool, 13)
    code = Link("code", f"https://github.com/a/{new.arxiv}")
    fields = EntryFields(
        title=new.title,
        authors=new.authors[:4],
        venue="CVPR 2024",
        date="2025-04",
        tags=("Survey",) if "{}" in grammar.tag else (),
        links=(Link("paper", f"{ARXIV}{new.arxiv}"), code),
    )
    document = parse_document(grammar.text(others))
    after = parse_document(edited(document, Add(document.sections[-1].path, fields)))
    shown = after.text[slice(*entry_named(after, new.title).span)]
    expected = re.sub(r"(?<=[?!])( ?)[.]", r"\1", grammar.first_item(13, new))
    assert _MARKER.sub("", shown).strip() == _MARKER.sub("", expected)


def test_what_only_the_nearest_say_of_themselves_is_no_word_of_a_new_one() -> None:
    text = listed(f"- Paper Number {{n}}. Paper: {ARXIV}{{id}}")
    far = "".join(f"- Older Paper {n}. Paper: {ARXIV}2301.000{n}\n" for n in range(10, 20))
    near = text.partition("## C\n\n")[2].replace("Paper:", "Paper(Oral):")
    (new,) = added(f"# L\n\n## C\n\n{far}{near}", EntryFields(NEW.title, links=PAPER))
    assert new == f"- A New Thing. Paper: {ARXIV}2403.00001"


def test_a_preprint_is_known_by_its_venue_where_it_has_no_address_at_arxiv() -> None:
    text = listed("- arXiv 2024, Paper Number {n}, [Website](https://a.org/{n})")
    site = Link("project", "https://b.org/new")
    fields = EntryFields(NEW.title, links=(site,), venue="arXiv", year=2024)
    assert added(text, fields) == [f"- arXiv 2024, A New Thing, [Website]({site.url})"]


@pytest.mark.parametrize("sign", ["**", "*", "`", ""])
def test_the_name_before_a_colon_is_emphasised_as_others_are(sign: str) -> None:
    text = listed(f"- {sign}Name{{n}}{sign}: Paper Number {{n}} [[pdf]]({ARXIV}{{id}})")
    (new,) = added(text, EntryFields("DAViD: A New Thing", links=PAPER))
    assert new == f"- {sign}DAViD{sign}: A New Thing [[pdf]]({ARXIV}2403.00001)"


def test_formulas_stay_formulas_where_a_list_has_some() -> None:
    text = listed(f"- [Paper Number {{n}}]({ARXIV}{{id}})")
    fields = EntryFields("Harris$^+$ and Z$^2$", links=PAPER)
    assert added(text, fields) == [rf"- [Harris\$^+\$ and Z\$^2\$]({ARXIV}2403.00001)"]
    shown = text.replace("Number 3", "Number $k^3$")
    assert added(shown, fields) == [f"- [Harris$^+$ and Z$^2$]({ARXIV}2403.00001)"]


def test_a_word_for_nothing_stands_where_others_that_lack_the_same_have_it() -> None:
    line = f"- Paper Number {{n}}\n  - Paper: {ARXIV}{{id}}\n  - Code: https://github.com/{{a}}"
    text = listed(line)
    for n in (2, 5):
        text = text.replace(f"https://github.com/Own{n}/repo{n}", "None")
    assert added(text, EntryFields(NEW.title, links=PAPER)) == [
        "- A New Thing",
        f"  - Paper: {ARXIV}2403.00001",
        "  - Code: None",
    ]
    assert added(text)[-1] == "  - Code: https://github.com/new/thing"


def test_a_new_entry_does_not_copy_the_anchor_of_another() -> None:
    text = "# L\n\n" + "".join(
        f'- <a name="Key{n}"></a>[Ropes of Kind {n}]({ARXIV}2401.0000{n}), ICML 2024\n'
        for n in range(1, 5)
    )
    fields = EntryFields(
        title="Masts That Bend",
        links=(Link("paper", f"{ARXIV}2402.00001"),),
        venue="ICML",
        year=2024,
    )
    made = apply_edits(parse_document(text), [Add((), fields)])
    assert added_lines(text, made.text) == [f"- [Masts That Bend]({ARXIV}2402.00001), ICML 2024"]


def test_an_address_is_unencrypted_only_where_all_others_are() -> None:
    text = listed(f"- [Paper Number {{n}}]({ARXIV.replace('https', 'http')}{{id}})")
    fields = EntryFields(NEW.title, links=PAPER)
    assert added(text, fields) == ["- [A New Thing](http://arxiv.org/abs/2403.00001)"]
    assert added(text.replace("http:", "https:", 1), fields) == [
        f"- [A New Thing]({ARXIV}2403.00001)"
    ]
