"""What stands behind a colon: the title of a short name, or what a title is about."""

from __future__ import annotations

import pytest

from papertrack.documents.markdown.read.document import parse_document

WORKS = {
    "1706.03762": "Attention Is All You Need",
    "1512.03385": "Deep Residual Learning for Image Recognition",
    "1412.6980": "Adam: A Method for Stochastic Optimization",
}
ABOUT = ("The transformer, where it began.", "Why: gradients vanish.", "Everybody's optimizer.")
CHINESE = ("注意力机制", "残差网络，图像识别", "最常用的优化器")


def titles_of(text: str) -> list[str]:
    return [entry.fields.title for entry in parse_document(text).entries]


@pytest.mark.parametrize("about", [ABOUT, CHINESE], ids=["english", "chinese"])
@pytest.mark.parametrize(
    "template",
    [
        "- [{title}]({url}): {about}",
        "- **[{title}]({url})**: {about}",
        "- **{title}**: {about} [paper]({url})",
        "- [{title}]({url})：{about}",
    ],
)
def test_what_a_title_is_about_is_no_part_of_it(template: str, about: tuple[str, ...]) -> None:
    lines = [
        template.format(title=title, about=one, url=f"https://arxiv.org/abs/{arxiv_id}")
        for (arxiv_id, title), one in zip(WORKS.items(), about, strict=True)
    ]
    assert titles_of("# List\n\n" + "\n".join(lines)) == list(WORKS.values())


def test_chinese_behind_a_plain_english_title_says_what_it_is_about() -> None:
    lines = [
        f"- {title}：{about} [[论文](https://arxiv.org/abs/{arxiv_id})]"
        for (arxiv_id, title), about in zip(WORKS.items(), CHINESE, strict=True)
    ]
    assert titles_of("# 论文\n\n" + "\n".join(lines)) == list(WORKS.values())


@pytest.mark.parametrize("sign", ["", "**", "_", "***"])
def test_a_short_name_in_a_link_and_the_rest_behind_it_are_one_title(sign: str) -> None:
    works = {
        "[ReAct](https://arxiv.org/abs/2210.03629)": "Synergizing Reasoning and Acting",
        "[Toolformer](https://arxiv.org/abs/2302.04761)": "Models Can Teach Themselves",
    }
    text = "".join(f"- {sign}{link}{sign}: {rest}\n" for link, rest in works.items())
    assert titles_of(f"# List\n\n{text}") == [
        "ReAct: Synergizing Reasoning and Acting",
        "Toolformer: Models Can Teach Themselves",
    ]


@pytest.mark.parametrize(
    ("names", "label"),
    [
        ("Vaswaniら", "論文"),
        ("Vaswani 외", "논문"),
        ("Vaswani 等", "论文"),
        ("Vaswani et al.", "pdf"),
    ],
)
def test_names_with_others_and_labels_are_known_in_several_languages(
    names: str, label: str
) -> None:
    lines = [
        f"- {title}, {names}, 2017 [[{label}](https://arxiv.org/abs/{arxiv_id})]"
        for arxiv_id, title in WORKS.items()
    ]
    document = parse_document("# List\n\n" + "\n".join(lines))
    assert [entry.fields.title for entry in document.entries] == list(WORKS.values())
    assert {entry.fields.authors for entry in document.entries} == {("Vaswani",)}
    roles = {link.role for entry in document.entries for link in entry.fields.links}
    assert roles == {"paper"}


BEHIND_NAMES = (
    ("Ada Low, Ben Roe, Cy Poe", "Orcas Hunt by Sound: A Field Study"),
    ("Dee Moe, Eve Zoe and Guy Hue", "DeepTide: Learning When the Sea Comes Back"),
    ("Kim Lee, Lou May, Mia Nye, Ned Oak", "ReefNet: Counting Fish by Their Shadows"),
    ("Pat Quo, Ray Sun", "Whales Sing Louder near Ships"),
    ("Sam Tam, Una Vey, Wes Yew", "Kelp and How It Grows Back after Storms"),
)


@pytest.mark.parametrize("sign", [":", "."])
def test_what_a_title_begins_with_before_a_colon_is_no_author(sign: str) -> None:
    lines = [
        f"- {names}{sign} {title}, ICML, 2014. [[Paper]](https://conf.example/{number}.pdf)"
        for number, (names, title) in enumerate(BEHIND_NAMES)
    ]
    entries = parse_document("# List\n\n" + "\n".join(lines) + "\n").entries
    assert [entry.fields.title for entry in entries] == [title for _, title in BEHIND_NAMES]
    assert [len(entry.fields.authors) for entry in entries] == [3, 3, 4, 2, 3]
