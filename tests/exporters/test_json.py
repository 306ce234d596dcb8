import json

from papertrack.exporters.json import paper_to_json, to_json
from papertrack.records import PaperFacts
from tests.exporters.papers import HOSTILE, make_paper


def test_what_is_unknown_is_null_and_lists_are_empty() -> None:
    shape = paper_to_json(make_paper(facts=PaperFacts(), readings=(), categories=()))
    for key in ("title", "arxiv_id", "version", "doi", "url", "abstract", "rating", "submitted"):
        assert shape[key] is None, key
    for key in ("authors", "categories", "tags", "readings", "links", "notes", "topics"):
        assert shape[key] == [], key


def test_the_text_is_an_array_that_reads_back_as_the_same_values() -> None:
    papers = [make_paper(number, title=title) for number, title in enumerate(HOSTILE)]
    text = to_json(papers)
    read = json.loads(text)
    assert [
        {**shape, **paper_to_json(paper)} for shape, paper in zip(read, papers, strict=True)
    ] == read
    assert text.endswith("]\n")
    assert to_json([]) == "[]\n"
