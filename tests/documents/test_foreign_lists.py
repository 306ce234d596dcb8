"""Forms of lists that strangers keep: no work is lost, and nothing else is read as one."""

from __future__ import annotations

import pytest

from papertrack.documents.markdown.read.document import parse_document

PAPERS = "https://papers.example/"


def titles(text: str) -> list[str]:
    return [entry.fields.title for entry in parse_document(text).entries]


def test_labelled_links_below_the_next_paragraph_are_those_of_another_work() -> None:
    text = (
        "# L\n\n## Bees\n\n"
        "**Swarms of Bees**. Ann Bee, Cy Dee, Eva Fox.\n- [paper](https://arxiv.org/pdf/2401.00001)\n\n"
        "**Winter-To-Winter Memory Combs**. Gil Hay, Ida Jay. ICML 2023.\n"
        "- [paper](https://arxiv.org/pdf/2401.00002)\n\n"
        "**Wax in Winter**. Kim Lee, Mia Ney. ICLR 2022.\n"
        "- [paper](https://arxiv.org/pdf/2401.00003)\n"
    )
    document = parse_document(text)
    assert [entry.fields.title for entry in document.entries] == [
        "Swarms of Bees",
        "Winter-To-Winter Memory Combs",
        "Wax in Winter",
    ]
    assert [entry.fields.venue for entry in document.entries] == [None, "ICML 2023", "ICLR 2022"]


@pytest.mark.parametrize("summary", ["2021", "Older", "Papers of 2021"])
def test_a_fold_over_a_list_is_a_category(summary: str) -> None:
    text = (
        f"# L\n\n## Bees\n\n<details open>\n<summary>{summary}</summary>\n\n"
        "- How Swarms of Bees Decide Where to Go\n  [[link]](https://ojs.example/view/16721)\n"
        "  [[video]](https://video.example/1)\n  - Ann Bee and Cy Dee. *AAAI*, 2021.\n<br><br>\n"
        "- Combs, Cells and Wax in a Cold Winter\n  [[link]](https://arxiv.org/abs/2401.00002)\n"
        "  - Eva Fox, Gil Hay, and Ida Jay. *CVPR*, 2021.\n\n</details>\n"
    )
    document = parse_document(text)
    assert [entry.fields.title for entry in document.entries] == [
        "How Swarms of Bees Decide Where to Go",
        "Combs, Cells and Wax in a Cold Winter",
    ]
    assert {entry.category for entry in document.entries} == {("Bees", summary)}


def test_a_fold_named_by_a_year_over_one_work_is_a_category() -> None:
    text = (
        "# L\n\n<details>\n<summary>2016</summary>\n\n- How Swarms of Bees Decide Where to Go\n"
        "  [[link]](https://arxiv.org/abs/2401.00002)\n  - Ann Bee, Cy Dee. 2016.\n\n</details>\n"
    )
    assert titles(text) == ["How Swarms of Bees Decide Where to Go"]


REFERENCES = (
    'Bee, Ann, et al. "How Swarms of Bees Decide." Journal of Hives 3 (2019): 1-9.',
    'Dee, Cy, and Eva Fox. "Combs and Cells of Plains." arXiv preprint arXiv:2401.00002 (2021).',
    'Hay, Gil, Ida Jay, and Kim Lee. "Wax in a Cold Winter." Proceedings of the AAAI. 2020.',
)
HOW_SWARMS = ["How Swarms of Bees Decide", "Combs and Cells of Plains", "Wax in a Cold Winter"]


def test_numbered_references_in_lines_are_an_entry_each() -> None:
    text = (
        "# **References**\n\n\\[1\\] Bee, A., et al. (2020). Swarms Are Slow Learners. Hives.  \n"
        "\\[2\\] OpenHives. (2023). Combs of the Plains Report. arXiv.  \n"
        "\\[3\\] Dee, C. (2010). Building Better Hives Together. Hive Press.\n"
    )
    expected = ["Swarms Are Slow Learners", "Combs of the Plains Report"]
    assert titles(text) == [*expected, "Building Better Hives Together"]


@pytest.mark.parametrize("quote", ['**"{}."**', '**"{}"**.', '"**{}.**"', '*"{},"*'])
def test_the_full_stop_in_quotes_in_bold_is_no_part_of_a_title(quote: str) -> None:
    works = "".join(
        f"[{n}] Bee, Ann, et al. {quote.format(title)} Letters of Hives {n} (2019).\n\n"
        for n, title in enumerate(HOW_SWARMS, 1)
    )
    assert titles(f"# L\n\n## Sources\n\n{works}") == HOW_SWARMS


@pytest.mark.parametrize("number", ["[{}] ", "[{}]. ", "\\[{}\\] "])
@pytest.mark.parametrize("joint", ["\n\n", "  \n"])
def test_numbered_references_in_paragraphs_are_entries(number: str, joint: str) -> None:
    lines = (number.format(n) + line for n, line in enumerate(REFERENCES, 1))
    assert titles(f"# L\n\n## Sources\n\n{joint.join(lines)}\n") == HOW_SWARMS


@pytest.mark.parametrize("heading", ["References", "**Bibliography**", "参考文献", "Literatur"])
def test_references_in_paragraphs_below_their_heading_are_entries(heading: str) -> None:
    below = "\n\n".join(REFERENCES)
    assert titles(f"# L\n\n## {heading}\n\n{below}\n") == HOW_SWARMS
    assert titles(f"# {heading}\n\n{below}\n") == HOW_SWARMS


def test_prose_that_cites_a_work_is_no_reference() -> None:
    text = (
        "# L\n\n## Background\n\nBee et al. (2019) show how swarms decide, and we follow them.\n\n"
        "## References\n\nThe list below was last changed by Ann Bee in 2019.\n"
    )
    assert titles(text) == []


def test_a_paragraph_whose_link_is_its_venue_is_an_entry() -> None:
    text = (
        "# L\n\n## Bees\n\n**How Swarms of Bees Decide Where to Go**  \nAnn Bee, Cy Dee, Eva Fox\n"
        f"[VIS 2024 Short Paper]({PAPERS}1.html)\n\n"
        "**Combs, Cells and Wax in a Cold Winter**  \nGil Hay and Ida Jay  \n"
        f"[TVCG 2022]({PAPERS}2.html)\n\nWe were at [VIS 2024](https://vis.example) with Ann Bee.\n"
    )
    document = parse_document(text)
    assert [(entry.fields.title, entry.fields.venue) for entry in document.entries] == [
        ("How Swarms of Bees Decide Where to Go", "VIS 2024 Short Paper"),
        ("Combs, Cells and Wax in a Cold Winter", "TVCG 2022"),
    ]


@pytest.mark.parametrize("label", ["doc", "リンク", "🔗 link", "here"])
def test_a_word_that_only_points_is_no_title_of_a_row(label: str) -> None:
    rows = "".join(
        f"| 2021-10-{n} | {topic} | Bees, Hives | [{label}]({PAPERS}{n}) |\n"
        for n, topic in ((12, "Swarms of Bees"), (19, "Combs and Cells"), (26, "Wax in Winter"))
    )
    text = f"# L\n\n| Date | Topic | Keywords | Summary |\n|---|---|---|---|\n{rows}"
    assert titles(text) == ["Swarms of Bees", "Combs and Cells", "Wax in Winter"]


def test_a_word_that_only_points_is_no_title_of_an_html_row() -> None:
    cells = "<td>How Swarms of Bees Decide</td><td>Bee et al</td><td>2018</td>"
    row = '<tr>{}<td><a href="{}">リンク</a></td></tr>\n'
    text = (
        "# L\n\n<table>\n<tr><th>タイトル</th><th>著者</th><th>年</th><th>リンク</th></tr>\n"
        + row.format(cells, "https://arxiv.org/abs/2401.00001")
        + row.format(cells.replace("Bees", "Ants"), f"{PAPERS}1")
        + "</table>\n"
    )
    document = parse_document(text)
    assert [entry.fields.title for entry in document.entries] == ["How Swarms of Bees Decide"]
    assert [skipped.line for skipped in document.skipped] == [6]


def test_a_table_of_titles_and_venues_lists_works_without_links() -> None:
    text = (
        "# L\n\n## 論文リスト\n\n| 📚 タイトル | 会議・年 | 要約 |\n|---|---|---|\n"
        "| **How Swarms of Bees Decide** | ACL 2019 | 群れの話。 |\n"
        "| **Combs and Cells of Plains** | EMNLP 2023 Findings | 巣の話。 |\n"
    )
    document = parse_document(text)
    assert [(entry.fields.title, entry.fields.venue) for entry in document.entries] == [
        ("How Swarms of Bees Decide", "ACL 2019"),
        ("Combs and Cells of Plains", "EMNLP 2023 Findings"),
    ]


BROWSED = ("[{id}] {title}", "[{id}v2] {title}", "{title} | OpenReview", "{title} (hives.example)")


@pytest.mark.parametrize("label", BROWSED)
def test_what_a_browser_adds_to_a_title_is_no_part_of_it(label: str) -> None:
    works = (
        ("1812.00222", "How Swarms of Bees Decide Where to Go"),
        ("1812.05068", "Combs and Cells"),
        ("1812.07971", "Non-local Bees"),
        ("1812.02919", "Wax, Honey and Bees: A Survey"),
    )
    address = "https://openreview.net/forum?id=B" if "|" in label else "https://arxiv.org/abs/"
    items = "".join(
        f"- [ ] [{label.format(id=number, title=title)}]({address}{number})\n"
        for number, title in works
    )
    document = parse_document(f"# L\n\n## Bees\n\n{items}- [ ] [Hives]({PAPERS}9)\n")
    assert [entry.fields.title for entry in document.entries] == [
        *(title for _, title in works),
        "Hives",
    ]
    assert {entry.fields.venue for entry in document.entries} == {None}


def test_where_a_work_comes_from_is_no_part_of_its_title() -> None:
    items = "".join(
        f"* {title} (from {where}) [paper](https://arxiv.org/abs/2401.0000{n})\n"
        for n, (title, where) in enumerate(
            zip(HOW_SWARMS, ("Hive Labs", "Ann Bee", "Wax"), strict=True)
        )
    )
    text = f"# L\n\n## Bees\n\n{items}* Bees (Learning From Scratch) [paper](https://arxiv.org/abs/2401.00009)\n"
    assert titles(text) == [*HOW_SWARMS, "Bees (Learning From Scratch)"]


@pytest.mark.parametrize("issue", ["(9)", "(10)", "(11)", "(13s)"])
def test_the_issue_of_a_journal_is_part_of_the_venue(issue: str) -> None:
    text = (
        "# L\n\n## References\n\n"
        f"1. Bee, A., Dee, C.: How swarms decide. Proceedings of the Hives {issue[1]}8{issue}, "
        "1817–1829 (2023). https://doi.org/10.14778/3594512.3594514\n"
        "2. Fox, E., Hay, G.: Combs of the plains. Letters of the Hives 4(2), 11–19 (2021). "
        "https://doi.org/10.14778/3594512.3594515\n"
    )
    venues = [entry.fields.venue for entry in parse_document(text).entries]
    assert venues == [f"Proceedings of the Hives {issue[1]}8{issue}", "Letters of the Hives 4(2)"]


def test_titles_with_a_dated_venue_are_works_beside_others_with_links() -> None:
    text = (
        "# L\n\n## Bees\n\n- How Swarms of Bees Decide (SIGMOD 2017)\n"
        "- Combs and Cells: A Conceptual Approach (Letters 2020)\n"
        "- Wax for Winter (arXiv 2021) [Source Code](https://github.com/a/wax)\n"
        "- Honey for Winter (VLDB 2022)\n- Towards Better Hives (CIDR 2023)\n"
        "- slow hives in the plains (ICML 2019)\n\n## Hives\n\n"
        "- We moved to a new site\n- [Talks](https://talks.example)\n"
    )
    assert titles(text) == [
        "How Swarms of Bees Decide",
        "Combs and Cells: A Conceptual Approach",
        "Wax for Winter",
        "Honey for Winter",
        "Towards Better Hives",
        "slow hives in the plains",
        "Talks",
    ]


def test_two_titles_with_dated_venues_are_works_and_one_award_is_none() -> None:
    text = (
        "# L\n\n## Hives\n\n- Towards Warmer Hives for Slow Bees! (CIDR 2022)\n"
        "- Farming Your Honey. (ICDE 2022, **best demo award**)\n\n## Me\n\n"
        "- Best Paper Award (CVPR 2019)\n\n[site](https://site.example)\n"
    )
    assert titles(text)[:2] == ["Towards Warmer Hives for Slow Bees!", "Farming Your Honey"]
    assert "Best Paper Award" not in titles(text)


@pytest.mark.parametrize("heading", ["News", "Updates"])
def test_a_dated_venue_in_the_news_is_no_work(heading: str) -> None:
    text = (
        f"# L\n\n## {heading}\n\n- Our Paper on Bees Was Accepted to VLDB 2022\n"
        "- See [the site](https://site.example) for more\n"
    )
    assert "Our Paper on Bees Was Accepted to" not in " ".join(titles(text))


def test_boxes_of_what_is_to_come_are_no_works() -> None:
    text = (
        "# L\n\n## 🏎️ Coming Soon\n\n- [x] Append the repository link to each paper.\n"
        "- [ ] Provide an interactive table.\n\n## Bees\n\n- [ ] How Swarms of Bees Decide\n"
    )
    assert titles(text) == ["How Swarms of Bees Decide"]


@pytest.mark.parametrize("url", ["https://github.com/Ann/bees#{}", "https://gitee.com/a/b/#{}"])
def test_links_to_the_places_of_one_repository_are_contents(url: str) -> None:
    names = ("Swarms", "Combs-and-Cells", "Wax")
    items = "".join(f"* [{name}]({url.format(name)})\n" for name in names)
    nested = f"* [Bees]({url.format('Bees')})\n  " + items.replace("\n*", "\n  *").strip() + "\n"
    for contents in (items, nested):
        text = f"# L\n\n## Overview\n\n{contents}\n## Wax\n\n* [How Swarms Decide]({PAPERS}1)\n"
        assert titles(text) == ["How Swarms Decide"]


def test_a_name_before_a_quoted_title_is_its_author() -> None:
    text = (
        '# L\n\n## References\n\n- Ann Bee, "The Swarm: A Model of\n  Bees", Letters 6(5), 1958.\n'
        '- Cy Dee, Eva Fox, "Combs and Cells", Hive Press, 1969.\n'
        '- Gil Hay, "Wax in Winter", Communications of the Hives 38(3), 1995.\n'
    )
    authors = [entry.fields.authors for entry in parse_document(text).entries]
    assert authors == [("Ann Bee",), ("Cy Dee", "Eva Fox"), ("Gil Hay",)]


def test_names_that_go_on_in_the_next_line_are_authors() -> None:
    text = (
        "# L\n\n## References\n\n- Ann Bee, Cy Dee, Eva Fox, Gil Hay,\n"
        '  Ida Jay, "Wax: A Simple Way to Keep Hives\n  from Freezing", Letters of Hives 5, 2014.\n'
        '- Kim Lee, Mia Ney, "Combs and Cells", Hive Press, 1969.\n'
    )
    first, _ = parse_document(text).entries
    assert first.fields.authors == ("Ann Bee", "Cy Dee", "Eva Fox", "Gil Hay", "Ida Jay")
