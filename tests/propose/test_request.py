"""What is asked for: ids and addresses of a stranger's text, and nothing else of it."""

from __future__ import annotations

import pytest

from papertrack.actions.lists.propose import MAX_WORKS, make_request, parse_request

FORM = """\
### Links

https://arxiv.org/abs/2309.06180v2
- [A paper with a title](https://arxiv.org/pdf/2311.18677.pdf), code: https://github.com/a/split

### Category

LLM/Serving

### Notes

Better than 1909.08053, see https://example.org/why
"""


def test_a_form_gives_its_links_its_category_and_its_notes() -> None:
    request = parse_request(FORM)
    assert [one.identifier.value for one in request.works] == ["2309.06180", "2311.18677"]
    assert [one.title for one in request.works] == [None, "A paper with a title"]
    assert [one.code for one in request.works] == [(), ("https://github.com/a/split",)]
    assert request.category == "LLM/Serving"
    assert request.notes == "Better than 1909.08053, see https://example.org/why"


def test_an_answer_that_was_not_given_is_none() -> None:
    request = parse_request("### Links\n\n2309.06180\n\n### Category\n\n_No response_\n")
    assert (request.category, request.notes) == (None, None)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("Please add arXiv:2309.06180 (and 2401.09670)!", ["2309.06180", "2401.09670"]),
        ("see https://arxiv.org/abs/2309.06180.", ["2309.06180"]),
        ("(https://doi.org/10.1145/3600006.3613165)", ["10.1145/3600006.3613165"]),
        ("doi 10.1145/3600006.3613165, thanks", ["10.1145/3600006.3613165"]),
        ("twice 2309.06180 https://arxiv.org/pdf/2309.06180", ["2309.06180"]),
        ("<!-- 2309.06180 --> nothing", []),
        ("<!--" * 15_000 + " 2309.06180", []),
        ("javascript:alert(1) file:///etc/passwd", []),
        ("", []),
    ],
)
def test_works_are_found_in_free_words(text: str, values: list[str]) -> None:
    assert [one.identifier.value for one in parse_request(text).works] == values


def test_more_works_than_anyone_reads_are_counted_and_left_out() -> None:
    text = "\n".join(f"- 2301.{number:05}" for number in range(1, MAX_WORKS + 4))
    request = parse_request(text)
    assert (len(request.works), request.omitted) == (MAX_WORKS, 3)


def test_a_word_that_names_nothing_is_given_back() -> None:
    request, unread = make_request(["2309.06180", "attention"])
    assert (len(request.works), unread) == (1, ["attention"])
