import json

from papertrack.exporters.json import paper_to_json, to_json
from papertrack.records import PaperFacts
from tests.exporters.papers import HOSTILE, make_paper

PROMISED = {
    *("id", "kind", "citekey", "title", "authors", "arxiv_id", "version", "doi", "url"),
    *("submitted", "updated", "primary_category", "arxiv_categories", "abstract", "categories"),
    *("tags", "passes_done", "readings", "decision", "rating", "links", "notes", "topics"),
    "added",
}


def test_a_paper_has_at_least_the_keys_that_the_readme_promises() -> None:
    assert paper_to_json(make_paper()).keys() >= PROMISED


def test_what_is_unknown_is_null_and_lists_are_empty() -> None:
    shape = paper_to_json(make_paper(facts=PaperFacts(), readings=(), categories=()))
    for key in ("title", "arxiv_id", "version", "doi", "url", "abstract", "rating", "submitted"):
        assert shape[key] is None, key
    for key in ("authors", "categories", "tags", "readings", "links", "notes", "topics"):
        assert shape[key] == [], key


def test_readings_links_and_categories_have_their_documented_shape() -> None:
    shape = paper_to_json(make_paper())
    assert shape["readings"] == [
        {
            "pass": 1,
            "at": "2024-03-02",
            "minutes": 30,
            "version": 1,
            "takeaway": "Pages for the cache",
        },
        {"pass": 2, "at": None, "minutes": None, "version": None, "takeaway": None},
    ]
    assert shape["links"] == [
        {"role": "code", "label": "vllm", "url": "https://github.com/vllm-project/vllm"}
    ]
    assert shape["categories"] == ["LLM/Serving"]
    assert shape["url"] == "https://arxiv.org/abs/2309.06180"


def test_the_text_is_an_array_that_reads_back_as_the_same_values() -> None:
    papers = [make_paper(number, title=title) for number, title in enumerate(HOSTILE)]
    text = to_json(papers)
    read = json.loads(text)
    assert [
        {**shape, **paper_to_json(paper)} for shape, paper in zip(read, papers, strict=True)
    ] == read
    assert text.endswith("]\n")
    assert to_json([]) == "[]\n"
