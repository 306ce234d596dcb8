"""Words that are no titles by themselves, or only here: of sites, of weeks, of what will come."""

from __future__ import annotations

import pytest

from papertrack.documents.markdown.read.document import parse_document

WORKS = (
    ("Attention Is All You Need", "Transformer", "1706.03762"),
    ("Deep Residual Learning for Image Recognition", "ResNet", "1512.03385"),
    ("Generative Adversarial Networks", "GAN", "1406.2661"),
    ("Playing Atari with Deep Reinforcement Learning", "DQN", "1312.5602"),
)


def titles_of(text: str) -> list[str]:
    return [entry.fields.title for entry in parse_document("# List\n\n" + text).entries]


@pytest.mark.parametrize("between", [" - ", ": ", " — ", " "])
def test_a_link_to_the_place_that_it_names_is_no_mere_label(between: str) -> None:
    places = (
        ("PyTorch", "https://pytorch.org", "An open framework for machine learning."),
        ("JAX", "https://github.com/google/jax", "Composable transformations of programs."),
        ("arXiv", "https://arxiv.org/", "A server of preprints for many sciences."),
        ("Ray", "https://ray.io", "A system for programs that grow."),
    )
    items = [f"- [{name}]({url}){between}{about}\n" for name, url, about in places]
    assert titles_of("".join(items)) == [name for name, *_ in places]


def test_what_code_is_written_with_stays_a_label_beside_a_title() -> None:
    url = "https://github.com/someone/attention"
    text = f"- Attention Is All You Need [[PyTorch]]({url}) [[arXiv]](https://arxiv.org/abs/1706.03762)"
    (entry,) = parse_document(text).entries
    assert entry.fields.title == "Attention Is All You Need"


@pytest.mark.parametrize(
    "template",
    [
        "- **Week {n}** (2017-06): {title} — Ann Bee et al. [[Paper]]({url})",
        "- Session {n}: [{title}]({url})",
        "- 第{n}回 {title} [[論文]]({url})",
        "### Session {n}: {title}\n\n- Presenter: Ann Bee\n- Paper: {url}\n",
        "- `[Vision]` **{name}**: *{title}* ([arXiv]({url}))",
        "- Ann Bee, Carl Dee (2018) '{title}', *ICML*. Available at: {url}",
    ],
)
def test_what_counts_or_wraps_titles_is_no_part_of_them(template: str) -> None:
    items = [
        template.format(n=n, title=title, name=name, url=f"https://arxiv.org/abs/{own}")
        for n, (title, name, own) in enumerate(WORKS, start=1)
    ]
    assert titles_of("\n".join(items) + "\n") == [title for title, *_ in WORKS]


def test_an_affiliation_before_et_al_is_no_part_of_the_name() -> None:
    items = [
        f"- [2023/0{n}] **{title}.** *Ann Bee (Some Lab) et al. arXiv.* [[paper](https://arxiv.org/abs/{own})]\n"
        for n, (title, _, own) in enumerate(WORKS, start=1)
    ]
    entries = parse_document("".join(items)).entries
    assert {(entry.fields.authors, entry.fields.venue) for entry in entries} == {
        (("Ann Bee",), "arXiv")
    }


@pytest.mark.parametrize(
    ("names", "authors"),
    [
        ('Doe, Jane, et al. "{title}."', ("Jane Doe",)),
        ("{title} (Ann Bee y Carl Dee,", ("Ann Bee", "Carl Dee")),
    ],
)
def test_names_are_read_as_citations_have_them(names: str, authors: tuple[str, ...]) -> None:
    behind = "2017)" if "(" in names else "*NeurIPS* (2017)"
    items = [
        f"- {names.format(title=title)} {behind}. [link](https://arxiv.org/abs/{own})\n"
        for title, _, own in WORKS
    ]
    entries = parse_document("".join(items)).entries
    assert [entry.fields.title for entry in entries] == [title for title, *_ in WORKS]
    assert {entry.fields.authors for entry in entries} == {authors}
    assert {entry.fields.description for entry in entries} == {None}


def test_what_stands_beside_a_sure_venue_is_none() -> None:
    places = ("NeurIPS 2017", "CVPR 2016", "ICLR 2015", "ICLR 2014")
    makers = ("Google AI", "MSRA", "UC Berkeley", "CMU")
    items = [
        f"- [**{title}**](https://arxiv.org/abs/{own}) | {maker} | {place}\n"
        for (title, _, own), maker, place in zip(WORKS, makers, places, strict=True)
    ]
    entries = parse_document("".join(items)).entries
    assert [entry.fields.venue for entry in entries] == [*places]


def test_a_publisher_is_nobody_s_name() -> None:
    text = (
        "1. **A Primer on Salt Lakes.** Lectures on Water, Morgan & Claypool Publishers, 2020. "
        "[book](https://doi.org/10.2200/s1)\n\n    *Ann Bee, Carl Dee.*\n"
    )
    (entry,) = parse_document(text).entries
    assert entry.fields.authors == ("Ann Bee", "Carl Dee")


@pytest.mark.parametrize("header", ["Topic", "Talk", "Discussion", "Paper"])
def test_the_works_of_a_reading_group_are_its_titles(header: str) -> None:
    people = ("Jane Doe", "Ann Bee", "Tom Cat", "Eve Fay")
    rows = [
        f"| {n} | 2024-01-{n:02} | {title} [[pdf]](https://arxiv.org/pdf/{own}) | {who} |\n"
        for n, ((title, _, own), who) in enumerate(zip(WORKS, people, strict=True), start=1)
    ]
    table = f"| # | Date | {header} | Presenter |\n|--|--|--|--|\n" + "".join(rows)
    assert titles_of(table) == [title for title, *_ in WORKS]


@pytest.mark.parametrize("words", ["(coming soon)", "TODO", "*To be added*", "敬请期待……"])
def test_words_that_promise_works_are_none(words: str) -> None:
    items = [f"- [{title}](https://arxiv.org/abs/{own})\n" for title, _, own in WORKS]
    assert titles_of("".join(items) + f"- {words}\n") == [title for title, *_ in WORKS]


def test_a_work_that_a_sentence_calls_by_a_common_word_is_mentioned() -> None:
    text = "# List\n\nPlease cite our [survey](https://arxiv.org/abs/2301.00001).\n"
    document = parse_document(text)
    assert document.entries == ()
    assert [one.identifier.value for one in document.mentioned] == ["2301.00001"]


def test_labels_of_links_below_a_work_may_be_in_other_languages() -> None:
    items = [
        f"- Lecture : [{title}](https://arxiv.org/abs/{own})\n- Diapos : [cours](c{own}.pdf)\n"
        for title, _, own in WORKS
    ]
    assert titles_of("".join(items)) == [title for title, *_ in WORKS]


@pytest.mark.parametrize(
    "template",
    [
        "- {title}, Vaswani & Doe, ICML 2018 ([paper]({url}))",
        "- He & Doe, {title}, ICML 2018 [[pdf]]({url})",
        "- Ann Bee, Jane Doe: {title}. ICML 2018. {url}",
        "- Bee, A., Doe, J.: {title}. In: ICML 2018. {url}",
        "- **{name}:** **{title}** [[pdf]]({url})",
        "- [{title},]({url}) Ann Bee, ICML",
        '## <a id="{name}"></a>{title}\n\n[Paper]({url}), [Code](https://a.org/{name})\n',
        "### 🔹 {title}\n📄 [Paper]({url}) | 💻 [Code](https://a.org/{name})\n",
        "### {title} (ICML 2018)\n\n[Paper]({url}) | [Code](https://a.org/{name})\n",
    ],
)
def test_names_signs_and_anchors_beside_titles_are_no_part_of_them(template: str) -> None:
    works = [*WORKS, ("Adam: A Method for Stochastic Optimization", "Adam", "1412.6980")]
    items = [
        template.format(title=title, name=name, url=f"https://arxiv.org/abs/{own}")
        for title, name, own in works
    ]
    assert titles_of("\n".join(items) + "\n") == [title for title, *_ in works]


def test_people_above_the_links_of_a_project_are_no_title() -> None:
    text = (
        "[Ann Bee](https://bee.org), [Carl Dee](https://dee.org)\n\n"
        "[[Paper]](https://arxiv.org/abs/2301.00001) [[Code]](https://github.com/a/b)\n"
    )
    document = parse_document("# A Great Model for Everything\n\n" + text)
    assert document.entries == ()
    assert [one.line for one in document.skipped] == [3, 5]


@pytest.mark.parametrize(
    "heading",
    ["News", "🔥 Latest Updates", "更新日志", "What's new?", "News & Updates (2024)", "最新动态"],
)
def test_lines_of_news_without_a_link_are_no_works(heading: str) -> None:
    news = "- [2024/01/01] We release the code.\n- **2024-02-01**: Accepted by [ICML](https://icml.cc)!\n"
    items = [f"- [{title}](https://arxiv.org/abs/{own})\n" for title, _, own in WORKS]
    text = f"## {heading}\n\n{news}- Our [model](https://a.org/m) is out.\n\n## Papers\n\n"
    titles = titles_of(text + "".join(items))
    assert not [title for title in titles if "release" in title]
    assert titles[-len(WORKS) :] == [title for title, *_ in WORKS]


@pytest.mark.parametrize("heading", ["News Recommendation", "Update Rules", "动态规划", "消息传递"])
def test_a_topic_that_begins_like_news_has_works_without_links(heading: str) -> None:
    items = [f"- [{title}](https://arxiv.org/abs/{own})\n" for title, _, own in WORKS]
    text = f"## {heading}\n\n{''.join(items)}- Layer Normalization, 2016\n"
    assert titles_of(text) == [*(title for title, *_ in WORKS), "Layer Normalization"]


@pytest.mark.parametrize(
    ("item", "title"),
    [
        ("[PyTorch: An Imperative Style]({url})", "PyTorch: An Imperative Style"),
        ("TensorFlow: A System of Shells [pdf]({url})", "TensorFlow: A System of Shells"),
        (
            "A Nice Method of Shells. [OpenReview](https://openreview.net) [GitHub](https://github.com)",
            "A Nice Method of Shells",
        ),
        ("[https://x.org](https://x.org) A Tool of Shells", "A Tool of Shells"),
        ("A tool of shells, <https://shells.org>", "A tool of shells"),
        (
            "'Twas the Night: A Study of 'Shells' [pdf]({url})",
            "'Twas the Night: A Study of 'Shells'",
        ),
    ],
)
def test_titles_are_whole_and_nothing_beside_them_is_one(item: str, title: str) -> None:
    url = "https://arxiv.org/abs/1912.01703"
    assert titles_of(f"# List\n\n- {item.format(url=url)}\n") == [title]


def test_words_listed_behind_a_name_stay_in_its_title() -> None:
    text = (
        "- ICRA 2024, Orca: Fast, Robust, Dexterous Hands for Daily Work, [site](https://a.org/)\n"
        "- arXiv 2024.05, Learning to Walk on Uneven Ground, [site](https://b.org/)\n"
        "- RSS 2023, Diffusion Policies for Visual Control, [site](https://c.org/)\n"
    )
    assert titles_of(text)[0] == "Orca: Fast, Robust, Dexterous Hands for Daily Work"


@pytest.mark.parametrize("byline", [" - Jane Doe and Carl Dee", " -by Jane Doe Carl Dee Eve Fox"])
def test_people_behind_a_dash_in_a_link_are_no_part_of_its_title(byline: str) -> None:
    items = [
        f"- [{title}{byline * (n == 1)}](https://arxiv.org/abs/{own})\n"
        for n, (title, _, own) in enumerate(WORKS)
    ]
    assert titles_of("".join(items)) == [title for title, *_ in WORKS]


@pytest.mark.parametrize(
    ("line", "title", "authors"),
    [
        ("How to Have a Good Career. Jane Doe", "How to Have a Good Career", ("Jane Doe",)),
        (
            "SysTalks 2019: Jane Doe, Carl Dee, Eve Fox and so on",
            "SysTalks 2019",
            ("Jane Doe", "Carl Dee", "Eve Fox"),
        ),
    ],
)
def test_the_speakers_of_a_talk_are_its_authors(
    line: str, title: str, authors: tuple[str, ...]
) -> None:
    text = f"- {line} [[YouTube]](https://www.youtube.com/watch?v=2nKD6zFQ8xI)\n"
    others = "".join(f"- {title} [[pdf]](https://arxiv.org/pdf/{own})\n" for title, _, own in WORKS)
    entry = parse_document(text + others).entries[0]
    assert (entry.fields.title, entry.fields.authors) == (title, authors)


def test_of_a_sentence_about_a_tool_its_name_is_the_title() -> None:
    text = "- TorchServe is a flexible tool for serving models. [[GitHub]](https://github.com/pytorch/serve)\n"
    assert titles_of(text) == ["TorchServe"]


WRAPPED = """# Papers

## Models

- **Attention Is All You Need**. Ashish Vaswani, Noam Shazeer,
  Niki Parmar. *NeurIPS* 2017.
  [pdf](https://arxiv.org/pdf/1706.03762)
- **Deep Residual Learning for Image Recognition**. Kaiming He,
  Xiangyu Zhang, Shaoqing Ren, Jian Sun. *CVPR* 2016.
  [pdf](https://arxiv.org/pdf/1512.03385)
- **Efficient Memory Management for Large Language Model Serving
  with PagedAttention**. Woosuk Kwon, Zhuohan Li. *SOSP* 2023.
  [pdf](https://arxiv.org/pdf/2309.06180)
- **Playing Atari with Deep Reinforcement Learning**. Volodymyr
  Mnih, Koray Kavukcuoglu, David Silver. *NIPS Workshop* 2013.
  [pdf](https://arxiv.org/pdf/1312.5602)
- **Language Models are Few-Shot Learners**. Tom Brown, Benjamin
  Mann, Nick Ryder. *NeurIPS* 2020.
  [pdf](https://arxiv.org/pdf/2005.14165)
"""
"""A list that an editor has wrapped at 64 characters."""


def test_wrapped_lines_part_neither_titles_nor_names() -> None:
    entries = parse_document(WRAPPED).entries
    titles = [" ".join(entry.fields.title.split()) for entry in entries]
    assert titles[2] == (
        "Efficient Memory Management for Large Language Model Serving with PagedAttention"
    )
    assert entries[3].fields.authors == ("Volodymyr Mnih", "Koray Kavukcuoglu", "David Silver")
    assert entries[4].fields.authors == ("Tom Brown", "Benjamin Mann", "Nick Ryder")
    assert [entry.fields.description for entry in entries] == [None] * 5


def test_lines_that_end_early_still_part_what_an_entry_says() -> None:
    items = [
        f"- {title}\n  Ann Bee, Carl Dee\n  [pdf](https://arxiv.org/pdf/{own})\n"
        for title, _, own in WORKS
    ]
    entries = parse_document("# List\n\n" + "".join(items)).entries
    assert [(entry.fields.title, entry.fields.authors) for entry in entries] == [
        (title, ("Ann Bee", "Carl Dee")) for title, *_ in WORKS
    ]


@pytest.mark.parametrize(
    "words", ["Deep Learning", "Must Read", "Hugging Face", "Jupyter Notebook"]
)
@pytest.mark.parametrize("before", [" - ", ". "])
def test_two_words_behind_a_title_are_no_author_unless_of_a_talk(words: str, before: str) -> None:
    text = f"- [How to Train Your Model Well](https://jane.org/train){before}{words}\n"
    assert parse_document(text).entries[0].fields.authors == ()


def test_a_sentence_may_be_the_title_of_a_paper() -> None:
    title = "ChatGPT is a remarkable tool for experts"
    for item in (
        f"[{title}](https://arxiv.org/abs/2306.03102)",
        f"**{title}**. [pdf](https://a.org)",
    ):
        assert titles_of(f"- {item}\n") == [title]
    both = f"- {title}. [paper](https://a.org) [code](https://github.com/jane/tool)\n"
    assert titles_of(both) == [title]


def test_a_title_that_looks_like_a_name_stays_the_title_before_one_author() -> None:
    text = "- Deep Learning. Yann LeCun. Nature 2015. [paper](https://x.org/1)\n"
    assert titles_of(text) == ["Deep Learning"]


@pytest.mark.parametrize(
    "item",
    [
        "[A Title in a Link](https://arxiv.org/abs/2401.00013)\n  Ann Bee, Carl Dee\n  ICML 2024",
        "A Title in a Link\n  Ann Bee, Carl Dee, ICML 2024\n  https://arxiv.org/abs/2401.00016",
        "[A Title in a Link](https://arxiv.org/abs/2401.00011)\n  Authors: Ann Bee, Carl Dee\n"
        "  Venue: ICML 2024",
    ],
)
def test_a_line_that_ends_early_in_a_wrapped_list_still_parts_what_an_entry_says(item: str) -> None:
    wrapped = [WRAPPED.replace("pdf/1", f"pdf/{n}").replace("pdf/2", f"pdf/{n}") for n in "34567"]
    entry = parse_document("".join(wrapped) + f"- {item}\n").entries[-1].fields
    assert parse_document(wrapped[0]).style.wrap_width
    assert (entry.title, entry.authors, entry.venue) == (
        "A Title in a Link",
        ("Ann Bee", "Carl Dee"),
        "ICML 2024",
    )
