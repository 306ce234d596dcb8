"""What opens in an entry is closed again."""

import pytest

from papertrack.documents.markdown.grammar.balance import closed_choice, is_balanced


@pytest.mark.parametrize(
    ("gaps", "closes"),
    [
        (("- **[", "](", ")** [[", "](", ")]"), True),
        (("- **[", "](", ")** [[", "](", ")**"), False),
        (("* *", "* (", ")"), True),
        (("1. [", "](", ")\n  - ", "\n"), True),
        ((r"- \[", "](", ")"), False),
    ],
)
def test_bullets_and_escapes_open_nothing(gaps: tuple[str, ...], closes: bool) -> None:
    assert is_balanced(gaps) == closes


def test_the_likeliest_texts_that_close_all_are_chosen() -> None:
    assert closed_choice((["- [["], ["]("], [")**", ")", ")]"])) == ["- [[", "](", ")]"]
    assert closed_choice((["- [["], ["]("], [")**"])) is None
