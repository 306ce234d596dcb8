"""Lists whose fields were read wrongly once: what they say, and others of the same classes."""

from __future__ import annotations

from typing import Any

import pytest

from papertrack.documents.markdown.model import Document, EntryFields
from papertrack.documents.markdown.read.document import parse_document
from papertrack.documents.markdown.write.edit_types import SetDate, SetPasses, SetRating, SetTitle
from papertrack.documents.markdown.write.edits import apply_edits
from tests.corpus import ROOT, needs_corpus, read

ARXIV = "https://arxiv.org/abs/2401.0070"


def only(text: str) -> EntryFields:
    """Return what the one entry of a list says."""
    (entry,) = parse_document(text).entries
    return entry.fields


def told(document: Document) -> list[str]:
    """Return the sentences on what was not read."""
    return [one.reason for one in document.skipped]


RIGHT: list[tuple[str, str, list[Any]]] = [
    ("02-labels-one-by-one", "kind", ["paper"] * 4),
    ("05-cjk-remark-as-authors", "authors", [()] * 5),
    ("05-cjk-remark-as-authors", "venue", [None] * 4 + ["ICLR 2019"]),
    ("06-two-works-in-a-bullet", "kind", ["paper"] * 3),
    ("11-prose-as-venue", "venue", [None] * 3),
    ("13-logseq", "passes", [1, 0, 0, 0, 1]),
    ("38-details-in-cell", "passes", [1, 0, 2]),
    ("13-logseq", "rating", [4, None, None, None, None]),
    ("13-logseq", "authors", [("Ann Quist", "Bo Odell"), (), (), (), ()]),
    ("13-logseq", "description", [None, "a thought on waves", None, None, None]),
    (
        "13-logseq",
        "title",
        ["Lamps Without Light", "Counting Waves", "Knots and Fog", "Half a Harbour", "Sails"],
    ),
    (
        "22-bibtex-details",
        "authors",
        [("Ann Quist", "Bo Odell"), ("Cy Marek",), ("Dee Sable",), ("Eve Tuure",)],
    ),
    (
        "28-doi-venue-comma",
        "venue",
        [
            "IEEE Int. Conf. Electronics, Circuits, and Systems (ICECS)",
            "Optics Express",
            "Ph.D. Thesis",
        ],
    ),
    (
        "30-wikilinks-table",
        "title",
        [
            *("Lamps Without Light", "Counting Waves", "knots and fog"),
            *("Lamps Without Light", "Half a Harbour", "Painted Sails"),
        ],
    ),
    ("30-wikilinks-table", "kind", ["paper"] * 6),
    ("38-details-in-cell", "title", ["Lamps Without Light", "Counting Waves", "Knots and Fog"]),
    ("40-year-headings", "year", [2023, 2023, 2022]),
    (
        "41-quoted-titles",
        "title",
        ["Lamps Without Light", "Counting Waves", "Knots and Fog", "Half a Harbour"],
    ),
    ("45-local-pdf", "kind", ["paper"] * 2),
    (
        "49-cancelled-meeting",
        "title",
        ["Lamps Without Light", "Counting Waves at Night", "Knots and Fog"],
    ),
    ("break-and-star", "rating", [None] * 4),
    ("contents-only", "title", []),
    ("labelled-emoji-publisher-date-key", "venue", ["ICLR 2026", "ACL 2025"]),
    ("labelled-emoji-publisher-date-key", "date", ["2026-01-03", "2025-03-09"]),
    ("labelled-emoji-publisher-date-key", "tags", [("folding", "robots"), ("maps", "cats")]),
    ("labelled-venue-date-plain", "venue", ["ICLR 2026", "ACL 2025"]),
    ("labelled-venue-date-plain", "date", ["2026-01-03", "2025-03-09"]),
    (
        "labelled-venue-date-plain",
        "authors",
        [("Ann Bee", "Cyd Dee"), ("Eve Fox", "Gus Hay")],
    ),
    ("plain-titles-with-venue", "kind", ["paper"] * 5),
]


@needs_corpus
@pytest.mark.parametrize(("name", "field", "values"), RIGHT)
def test_the_reported_lists_say_what_is_right(name: str, field: str, values: list[Any]) -> None:
    assert ROOT is not None
    document = parse_document(read(ROOT / "reported" / "lists" / f"{name}.md"))
    assert [getattr(entry.fields, field) for entry in document.entries] == values


@needs_corpus
@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("06-two-works-in-a-bullet", "“The Lamp File System” is the entry of this line"),
        ("24-front-matter-sessions", "The front matter has a list (2 titles)"),
        ("contents-only", "It links to a place on another page"),
    ],
)
def test_the_reported_lists_tell_what_is_not_read(name: str, reason: str) -> None:
    assert ROOT is not None
    document = parse_document(read(ROOT / "reported" / "lists" / f"{name}.md"))
    assert any(one.startswith(reason) for one in told(document))


@needs_corpus
def test_the_titles_of_the_reported_links_are_whole() -> None:
    assert ROOT is not None
    document = parse_document(read(ROOT / "reported" / "lists" / "20-issues-links.md"))
    titles = {entry.line: entry.fields.title for entry in document.entries}
    assert titles[19] == "Désingularisation des métriques du port. I"
    assert titles[20] == "Desingularisation des metriques du port. II"
    (old,) = [entry for entry in document.entries if entry.line == 13]
    assert [one.value for one in old.identifiers] == ["hep-ph/9510424"]


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["Venue: NeurIPS 2025"], {"venue": "NeurIPS 2025"}),
        (["**Conference**: ICML 2024"], {"venue": "ICML 2024"}),
        (["会议：CVPR 2023"], {"venue": "CVPR 2023"}),
        (["📅 Published: 2024-05-07"], {"date": "2024-05-07"}),
        (["Año: 2021"], {"date": "2021"}),
        (["Datum: 3. 4. 2024"], {"date": "2024-04-03"}),
        (["🔑 Keywords: masts, ropes"], {"tags": ("masts", "ropes")}),
        (["标签：桅杆、绳索"], {"tags": ("桅杆", "绳索")}),
        (["Author: Sable"], {"authors": ("Sable",)}),
        (["Autores: Ana Ruiz, Luz Paz"], {"authors": ("Ana Ruiz", "Luz Paz")}),
        (["TL;DR: It tells masts from ropes."], {"description": "It tells masts from ropes."}),
        (["Rating: 4", "Venue: ICML"], {"rating": 4, "venue": "ICML"}),
    ],
)
def test_lines_behind_labels_say_what_their_labels_say(
    lines: list[str], said: dict[str, Any]
) -> None:
    below = "".join(f"  - {line}\n" for line in lines)
    fields = only(f"# Papers\n\n- [Ropes That Sing in the Wind]({ARXIV}1)\n{below}")
    assert fields.title == "Ropes That Sing in the Wind"
    assert {name: getattr(fields, name) for name in said} == said


def test_what_stands_behind_labels_is_edited_there() -> None:
    text = (
        f"# Papers\n\n- [Ropes That Sing in the Wind]({ARXIV}1)\n"
        "  - Date: 2024-05-07\n  - Rating: 4\n"
    )
    edited = apply_edits(parse_document(text), [SetDate(0, "2024-06-01"), SetRating(0, 5)])
    assert not edited.refused
    assert edited.text == text.replace("2024-05-07", "2024-06-01").replace("4\n", "5\n")


@pytest.mark.parametrize(
    "below",
    [
        "  id:: 1234\n  rating:: 3\n  tags:: [[ropes]]\n",
        "  SCHEDULED: <2024-06-03 Mon>\n  rating:: 3\n",
        "  rating:: 3\n  :LOGBOOK:\n  CLOCK: [2024-06-03 Mon 01:18]\n  :END:\n",
    ],
)
def test_properties_of_note_programs_are_no_words_of_the_entry(below: str) -> None:
    fields = only(f"- Reading\n\t- [Ropes That Sing]({ARXIV}1)\n" + below.replace("  ", "\t  "))
    assert (fields.title, fields.rating, fields.description) == ("Ropes That Sing", 3, None)
    assert fields.date is None
    assert fields.authors == ()


@pytest.mark.parametrize(
    "title",
    [
        '["Ropes That Sing"](URL) by Ann Bee',
        "[“Ropes That Sing”](URL)",
        "**《Ropes That Sing》** [paper](URL)",
        "[«Ropes That Sing»](URL)",
        '[**"Ropes That Sing"**](URL)',
    ],
)
def test_titles_come_without_the_quotes_around_them(title: str) -> None:
    assert only(f"# Papers\n\n- {title.replace('URL', ARXIV + '1')}\n").title == "Ropes That Sing"


def test_a_short_name_before_its_venue_is_the_title() -> None:
    names = ("Lamp2Vec (ICML 2014)", "Ropes (EMNLP 2014)")
    lines = [f"- [{name}]({ARXIV}{number})" for number, name in enumerate(names)]
    entries = parse_document("\n".join(["# Papers", "", *lines, ""])).entries
    assert [(one.fields.title, one.fields.venue) for one in entries] == [
        ("Lamp2Vec", "ICML 2014"),
        ("Ropes", "EMNLP 2014"),
    ]


def test_a_word_for_links_where_others_have_venues_is_one() -> None:
    venues = ("ATC(2018)", "ACM(2008)", "OSDI(2020)", "SOSP(2019)")
    lines = [
        f"+ Ropes of Kind {kind} That Sing in the Wind. {venue} [[pdf]](https://a.b/{kind}.pdf)"
        for kind, venue in enumerate(venues)
    ]
    entries = parse_document("\n".join(["# Papers", "", *lines, ""])).entries
    assert [one.fields.venue for one in entries] == [venue[:-6] for venue in venues]


@pytest.mark.parametrize("form", ["{} [pdf]({})", "[{}]({})"])
def test_a_reference_says_the_same_in_a_link(form: str) -> None:
    work = "Quist, D., Odell, V., Marek, A.: Ropes that sing: A study of masts. In: ICML. (2016)"
    others = ("Harbours at Night", "Sails of the Wind")
    items = [f"- {form.format(one, f'{ARXIV}{n}')}" for n, one in enumerate((work, *others))]
    fields = parse_document("\n".join(["# Papers", "", *items, ""])).entries[0].fields
    assert fields.title == "Ropes that sing: A study of masts"
    assert fields.authors == ("D. Quist", "V. Odell", "A. Marek")
    assert (fields.venue, fields.date) == ("ICML", "2016")


@pytest.mark.parametrize("id_", ["", " arXiv:2401.00701"])
def test_a_preprint_below_a_title_is_a_venue(id_: str) -> None:
    below = f"  - Quist, Ann, Bo Odell, and Cy Marek.\n  - arXiv preprint{id_} (2024).\n"
    fields = only(f"# Papers\n\n- Ropes That Sing in the Wind [[paper]]({ARXIV}1)\n{below}")
    assert (fields.venue, fields.date) == ("arXiv preprint", "2024")


@pytest.mark.parametrize("label", ["`video` <{}>", "Video: {}", "video [{}]({})"])
def test_a_link_behind_its_label_is_no_remark(label: str) -> None:
    below = label.replace("{}", "https://youtu.be/1")
    text = f"# Papers\n\n- [Ropes That Sing in the Wind]({ARXIV}1)\n  - {below} (Ann Quist)\n"
    assert only(text).description is None


@pytest.mark.parametrize(
    "title", ['"[Ropes, "Sing](URL)".', "“[Ropes” Sing](URL)", "([Ropes) Sing](URL)"]
)
def test_what_closes_in_a_link_was_opened_in_it(title: str) -> None:
    fields = only(f"# Papers\n\n- {title.replace('URL', ARXIV + '1')}\n")
    assert (fields.title[:5], fields.title[-4:]) == ("Ropes", "Sing")


def test_quotes_within_a_title_are_its_own() -> None:
    title = '"Why Should I Sing": Ropes in the Wind'
    assert only(f"# Papers\n\n- [{title}]({ARXIV}1)\n").title == title


@pytest.mark.parametrize(
    ("sign", "rating"),
    [("<br>:star:[code](https://github.com/a/b)", None), (" ⭐⭐⭐", 3), (" ⭐[pdf](x.pdf)", None)],
)
def test_a_star_right_before_a_label_is_no_rating(sign: str, rating: int | None) -> None:
    text = f"# Papers\n\n- [Ropes That Sing in the Wind]({ARXIV}1){sign}\n"
    assert only(text).rating == rating


@pytest.mark.parametrize(
    ("words", "venue"),
    [
        ("Before the transactions end, ropes sing.", None),
        ("In the journal that she kept, ropes sing.", None),
        ("*Journal of Ropes*, 2024.", "Journal of Ropes"),
        (
            "IEEE Trans. Ropes, Masts, and Sails (TRMS), 2024.",
            "IEEE Trans. Ropes, Masts, and Sails (TRMS)",
        ),
    ],
)
def test_a_sentence_is_no_venue_and_a_venue_is_whole(words: str, venue: str | None) -> None:
    text = f"# Papers\n\n- [Ropes That Sing in the Wind]({ARXIV}1). {words}\n"
    assert only(text).venue == venue


@pytest.mark.parametrize(
    "remark", ["同様に、初心者には少し難しい内容となっている。", "注：有意思的方向，值得一读"]
)
def test_remarks_in_chinese_and_japanese_name_nobody(remark: str) -> None:
    assert only(f"# Papers\n\n- [Ropes That Sing]({ARXIV}1)\n  - {remark}\n").authors == ()


def test_names_in_chinese_and_japanese_are_authors() -> None:
    fields = only(f"# 论文\n\n- [Ropes That Sing]({ARXIV}1)\n  - 作者：李沐、山田太郎\n")
    assert fields.authors == ("李沐", "山田太郎")


@pytest.mark.parametrize(
    ("heading", "year"),
    [
        ("2023", 2023),
        ("2023年", 2023),
        ("Papers of 2022", 2022),
        ("2021 papers", 2021),
        ("GPT 4", 0),
    ],
)
def test_a_heading_of_a_year_dates_what_has_no_date(heading: str, year: int) -> None:
    text = f"# Papers\n\n## {heading}\n\n- [Ropes That Sing in the Wind](https://a.b/ropes.pdf)\n"
    assert (only(text).year or 0) == year
    assert only(text.replace("pdf)", "pdf) (2019)")).year is None


@pytest.mark.parametrize("word", ["(cancelled)", "no meeting", "Holiday", "休会", "entfällt"])
def test_a_meeting_without_a_work_is_none(word: str) -> None:
    rows = [f"- 2024-01-{day} | [Ropes of Kind {day}]({ARXIV}{day})" for day in (12, 19, 26)]
    text = "\n".join(["# Group", "", *rows, f"- 2024-02-02 | {word} |", ""])
    assert len(parse_document(text).entries) == 3


def test_titles_that_lead_to_notes_on_another_page_are_works() -> None:
    text = (
        "# Papers\n\n- [Attention Is All You Need](notes.md#attention)\n"
        "- [Deep Residual Learning for Image Recognition](notes.md#resnet)\n"
    )
    assert len(parse_document(text).entries) == 2


def test_links_to_sections_with_counts_are_contents() -> None:
    text = (
        "# Survey\n\n## Topics\n\n- [Graph Neural Networks](papers.md#gnn) (36 papers)\n"
        "- [Large Language Model Agents](papers.md#agents) (12)\n"
    )
    document = parse_document(text)
    assert not document.entries
    assert len(told(document)) == 2


def test_what_a_cell_folds_away_is_no_work_of_its_own() -> None:
    text = (
        "| Paper | Read |\n|---|---|\n"
        f"| [Ropes That Sing]({ARXIV}1)"
        f"<details><summary>see</summary>[Masts]({ARXIV}2)</details> | |\n"
    )
    document = parse_document(text)
    assert [entry.fields.title for entry in document.entries] == ["Ropes That Sing"]
    assert [one.identifier.value for one in document.mentioned] == ["2401.00702"]


@pytest.mark.parametrize(
    ("link", "title"),
    [
        ("[[ropes/sing|Ropes That Sing]]", "Ropes That Sing"),
        ("[[Ropes That Sing]]", "Ropes That Sing"),
    ],
)
def test_links_to_notes_are_titles_as_note_programs_write_them(link: str, title: str) -> None:
    fields = only(f"# Papers\n\n- 2024-05-02: {link} #ropes ★★★★☆\n")
    assert (fields.title, fields.date, fields.rating) == (title, "2024-05-02", 4)
    assert (fields.tags, fields.description) == (("ropes",), None)
    assert [one.role for one in fields.links] == ["note"]


def test_labels_in_two_brackets_are_no_notes() -> None:
    fields = only(f"# Papers\n\n- Ropes That Sing in the Wind [[paper]]({ARXIV}1) [[code]] [[3]]\n")
    assert fields.title == "Ropes That Sing in the Wind"
    assert [one.role for one in fields.links] == ["paper"]


@pytest.mark.parametrize("name", ["README.org", "README.rst", "README.adoc"])
def test_other_markups_are_refused_by_name(name: str) -> None:
    from papertrack.documents.recognize import foreign_format

    assert foreign_format("* Ropes\n", name[6:]) is not None


def test_a_mark_is_written_beside_one_of_two_entries_with_one_title() -> None:
    text = (
        "# L\n\n1. [Ropes That Sing](ropes)\n2. [Masts](masts)\n\n"
        "## Week 1\n\n* [Ropes That Sing](ropes)\n"
        f"* [Tides]({ARXIV}1)\n\n## More\n\n* ✅ [Knots]({ARXIV}2)\n* ✅ [Fog]({ARXIV}3)\n"
    )
    edited = apply_edits(parse_document(text), [SetPasses(2, 1)])
    assert not edited.refused
    assert edited.text == text.replace("1\n\n* [Ropes", "1\n\n* ✅ [Ropes")


@pytest.mark.parametrize(
    "names",
    [
        "*[Ann Bee](https://ann.example.org), Cy Dee, [Eve Fox](https://eve.example.org).*",
        "[Ann Bee](https://ann.example.org), [Cy Dee](https://cy.example.org), Eve Fox.",
    ],
)
def test_people_are_authors_whether_they_are_linked_or_not(names: str) -> None:
    text = (
        f"# L\n\n**Ropes That Sing in the Wind.**<br>\n{names}<br>\nICCV 2023. [[PDF]({ARXIV}1)]\n"
    )
    fields = only(text)
    assert fields.title == "Ropes That Sing in the Wind"
    assert fields.authors == ("Ann Bee", "Cy Dee", "Eve Fox")
    assert fields.venue == "ICCV 2023"


def test_a_column_of_venues_or_years_says_either() -> None:
    text = (
        "| Paper | 收录 |\n|---|---|\n"
        f"| [Ropes That Sing]({ARXIV}1) | 2022 |\n| [Masts That Bend]({ARXIV}2) | WWW 2020 |\n\n"
        "| 논문 | 연도 |\n|---|---|\n"
        f"| [Tides That Turn]({ARXIV}3) | NeurIPS 2013 |\n| [Fog That Lifts]({ARXIV}4) | 2018 |\n"
    )
    entries = parse_document(text).entries
    assert [entry.fields.venue for entry in entries] == [None, "WWW 2020", "NeurIPS 2013", None]
    assert [entry.fields.date for entry in entries] == ["2022", None, "2013", "2018"]


def test_a_remark_below_a_title_is_its_description() -> None:
    text = (
        f"# L\n\n- [Ropes That Sing]({ARXIV}1)\n  - Ann Bee, Cy Dee, Eve Fox\n"
        "  - It tells how ropes sing when the wind turns.\n  - ICML 2024\n"
    )
    fields = only(text)
    assert fields.authors == ("Ann Bee", "Cy Dee", "Eve Fox")
    assert fields.venue == "ICML 2024"
    assert fields.description == "It tells how ropes sing when the wind turns."


@pytest.mark.parametrize(
    ("behind", "authors"),
    [
        ("Quist, Odell, Marek", ("Quist", "Odell", "Marek")),
        ("Vision, Language, Robots", ()),
        ("Quist et al.", ("Quist",)),
    ],
)
def test_families_behind_a_title_are_authors_and_topics_are_not(
    behind: str, authors: tuple[str, ...]
) -> None:
    text = (
        "# L\n\nOn vision, language and robots.\n\n"
        f"- [Ropes That Sing]({ARXIV}1) {behind}\n- [Masts That Bend]({ARXIV}2) Sable et al.\n"
    )
    assert parse_document(text).entries[0].fields.authors == authors
    alone = text.replace("Sable et al.", "").replace("Quist et al.", "")
    assert parse_document(alone).entries[0].fields.authors == ()


@pytest.mark.parametrize(
    ("line", "venue", "tags"),
    [
        ("[Ropes That Sing](URL) (ICLR 2023 spotlight)", "ICLR 2023", ("spotlight",)),
        ("[Ropes That Sing](URL). Int. Conf. Ropes and Masts (ICRM), 2023.", None, ()),
        ("[Ropes That Sing](URL) `LinkedIn` `2020`", None, ("LinkedIn",)),
        ("[Ropes That Sing](URL) (Google 2016)", None, ("Google",)),
    ],
)
def test_where_a_work_appeared_is_told_from_how_and_by_whom(
    line: str, venue: str | None, tags: tuple[str, ...]
) -> None:
    fields = only(f"# L\n\n- {line.replace('URL', ARXIV + '1')}\n")
    assert fields.title == "Ropes That Sing"
    assert fields.venue == (
        venue or ("Int. Conf. Ropes and Masts (ICRM)" if "Int" in line else None)
    )
    assert fields.tags == tags


def test_who_wrote_a_work_is_no_part_of_its_title() -> None:
    text = f"# L\n\n- [Ropes That Sing: An Odyssey - by Ann Bee et al.]({ARXIV}1)\n"
    assert (only(text).title, only(text).authors) == ("Ropes That Sing: An Odyssey", ("Ann Bee",))


def test_task_words_of_note_programs_are_marks_and_are_written() -> None:
    text = (
        f"- Reading\n\t- DONE [Ropes That Sing]({ARXIV}1)\n\t- TODO [Masts That Bend]({ARXIV}2)\n"
    )
    document = parse_document(text)
    assert [entry.fields.passes for entry in document.entries] == [1, 0]
    edited = apply_edits(document, [SetPasses(1, 1)])
    assert edited.text == text.replace("TODO", "DONE")


def test_marks_below_each_other_in_a_cell_are_counted_and_written_so() -> None:
    rows = f"| [Ropes]({ARXIV}1) | ✅<br>✅ |\n| [Masts]({ARXIV}2) | ✅ |\n"
    text = f"| Paper | Read |\n|---|---|\n{rows}"
    document = parse_document(text)
    assert [entry.fields.passes for entry in document.entries] == [2, 1]
    edited = apply_edits(document, [SetPasses(1, 3)])
    assert edited.text == text.replace("| ✅ |", "| ✅<br>✅<br>✅ |")


U = f"{ARXIV}1"


@pytest.mark.parametrize(
    ("line", "title", "authors"),
    [
        (f"Ropes That Sing. V. Vapnik. 1995. [pdf]({U})", "Ropes That Sing", ("V. Vapnik",)),
        (f"Ropes That Sing. X. Li and Y. Wu. [pdf]({U})", "Ropes That Sing", ("X. Li", "Y. Wu")),
        (f"Ropes That Sing. II. [pdf]({U})", "Ropes That Sing. II", ()),
    ],
)
def test_a_roman_number_behind_a_title_is_no_initial(
    line: str, title: str, authors: tuple[str, ...]
) -> None:
    fields = only(f"# L\n\n- {line}\n")
    assert (fields.title, fields.authors) == (title, authors)


def test_links_that_a_row_folds_away_are_its_own_if_it_has_no_other() -> None:
    folded = (
        f"<details><summary>links</summary>[paper]({U}) [code](https://github.com/a/b)</details>"
    )
    text = f"| Title | Links |\n|---|---|\n| Ropes That Sing | {folded} |\n"
    (entry,) = parse_document(text).entries
    assert [one.value for one in entry.identifiers] == ["2401.00701"]
    assert [one.role for one in entry.fields.links] == ["paper", "code"]
    summary = (
        f"| Title |\n|---|\n| <details><summary>[Ropes That Sing]({U})</summary>x</details> |\n"
    )
    assert only(summary).title == "Ropes That Sing"


@pytest.mark.parametrize(
    "line",
    [
        f"[[ICLR 2024]] Ropes That Sing [pdf]({U})",
        f"[[Survey]] Ropes That Sing [pdf]({U})",
        f"Ropes That Sing [[NeurIPS 2023]] [[paper]]({U})",
    ],
)
def test_words_in_two_brackets_beside_a_link_are_no_title(line: str) -> None:
    assert only(f"# Papers\n\n- {line}\n").title == "Ropes That Sing"


@pytest.mark.parametrize(
    "line",
    ["[[Home]]", "see [[Home]] for more", "if [[ -z $x ]]; then", "TODO ask [[Ann Bee]] on it"],
)
def test_links_to_notes_within_words_are_no_works(line: str) -> None:
    assert not parse_document(f"# Notes\n\n- {line}\n- and more\n").entries


def test_a_title_that_is_a_note_keeps_the_note_when_it_is_corrected() -> None:
    text = "# Papers\n\n- 2024-05-02: [[Ropes That Sing]] ★★★★☆\n"
    made = apply_edits(parse_document(text), [SetTitle(0, "Masts That Bend")])
    assert made.text == text.replace("Sing]]", "Sing|Masts That Bend]]")


@pytest.mark.parametrize(
    "items",
    [
        "- ✅ [Ropes](notes.md#ropes) (3)\n- [x] [Masts](notes.md#masts) (4)\n",
        "- [Ropes](notes.md#ropes) (2020)\n- [Masts](notes.md#masts) (2021)\n",
        "- [BERT](notes.md#bert)\n- [GPT](notes.md#gpt)\n- [ResNet](notes.md#resnet)\n",
    ],
)
def test_works_with_notes_on_another_page_are_no_contents(items: str) -> None:
    assert not any("another page" in one for one in told(parse_document(f"# Read\n\n{items}")))


@pytest.mark.parametrize(
    "title", ["DONE Right: Ropes", "TODO Lists for Agents", "LATER Layers Learn"]
)
def test_titles_may_begin_with_task_words(title: str) -> None:
    fields = only(f"# Papers\n\n- {title} [paper]({U})\n")
    assert (fields.title, fields.passes) == (title, None)


def test_what_goes_with_later_is_done() -> None:
    text = f"- L\n\t- LATER [Ropes That Sing]({U})\n\t- LATER [Masts That Bend]({ARXIV}2)\n"
    made = apply_edits(parse_document(text), [SetPasses(0, 1)])
    assert made.text == text.replace("LATER", "DONE", 1)


@pytest.mark.parametrize(
    ("below", "said"),
    [
        (
            "ICLR 2024 reviews are mixed",
            {"venue": None, "description": "ICLR 2024 reviews are mixed"},
        ),
        ("used in CVPR workshop 2021 by us", {"venue": None}),
        ("Venue: N/A", {"venue": None}),
        ("Venue: under review", {"venue": None}),
        ("Conference: 2020", {"venue": None}),
        ("Publisher: Springer", {"venue": None}),
        ("Venue: the place where ropes hang is a venue.", {"venue": None}),
        ("Venue: ICLR 2024, Date: 2024-05-01", {"venue": None, "date": None}),
        ("日期：2024年5月1日", {"date": "2024-05-01"}),
        ("Datum: 3. Mai 2024", {"date": None}),
        ("Date: last week of 2023", {"date": None}),
        ("Date: TBD", {"date": None}),
        ("Authors: Ann Bee, ICML 2020", {"description": None}),
        ("Date read: 2024-05-01", {"description": None, "date": None}),
        ("Tags: #nlp #cv", {"tags": ("nlp", "cv")}),
        ("Tags: `nlp` `cv`", {"tags": ("nlp", "cv")}),
        ("Tags: C#, F#", {"tags": ("C#", "F#")}),
        ("Tags: none", {"tags": ()}),
        ("Comment: -", {"description": None}),
        ("Stars: 5", {"rating": None}),
        ("[x] read the whole text", {"description": None}),
    ],
)
def test_lines_below_say_no_more_than_they_do(below: str, said: dict[str, Any]) -> None:
    fields = only(f"# Papers\n\n- [Ropes That Sing in the Wind]({U})\n  - {below}\n")
    assert {name: getattr(fields, name) for name in said} == said


@pytest.mark.parametrize(
    "line",
    [
        f"#MeToo and the Ropes [paper]({U})",
        f"[Ropes That Sing]({U}) color #fff",
        f"[Ropes That Sing]({U}) see #issue-3",
        f"[Ropes That Sing]({U}) our #favourite paper",
    ],
)
def test_signs_of_numbers_within_words_are_no_tags(line: str) -> None:
    assert only(f"# Papers\n\n- {line}\n").tags == ()


@pytest.mark.parametrize(
    "line",
    [
        f"[Ropes That Sing]({U}) Paris, London, Berlin",
        f"[Ropes That Sing]({U}), [Hugging Face](https://huggingface.co/a), [Open Review](https://openreview.net/x)",
        f"[Ropes That Sing]({U}), [Model Zoo](https://a.b/zoo), [Model Weights](https://a.b/w)",
    ],
)
def test_places_and_links_behind_a_title_are_nobody(line: str) -> None:
    assert only(f"# Papers\n\n- {line}\n").authors == ()


@pytest.mark.parametrize(
    ("words", "venue"),
    [
        ("ICML, slides, and video", "ICML"),
        ("CVPR (USA)", "CVPR"),
        ("ICML (MIT), 2021", "ICML"),
    ],
)
def test_a_short_venue_takes_in_no_words_behind_it(words: str, venue: str) -> None:
    assert only(f"# Papers\n\n- [Ropes That Sing in the Wind]({U}), {words}\n").venue == venue


def test_files_of_few_words_are_no_papers() -> None:
    text = "# Me\n\n- [CV](cv.pdf)\n- [Homework 1](hw1.pdf)\n- [Trusting the Tide](tide.pdf)\n"
    kinds = [entry.fields.kind for entry in parse_document(text).entries]
    assert kinds == ["resource", "resource", "paper"]
