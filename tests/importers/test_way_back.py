"""What came from another tool goes back with all that the reader sorted."""

import json
from pathlib import Path

import pytest

from tests.cli.commands import Command


def sorted_by_reader(papertrack: Command) -> dict[str, tuple[list[str], list[str]]]:
    """Each paper's categories and tags, by its title."""
    papers = json.loads(papertrack("list", "--all", "--json").out)
    return {one["title"]: (sorted(one["categories"]), sorted(one["tags"])) for one in papers}


def test_groups_and_tags_are_the_same_in_a_library_made_of_the_bib(
    papertrack: Command, library: Path, tmp_path: Path
) -> None:
    for n, (folder, tags) in enumerate((("Lamps/Old", "light, 中文"), ("Rooms/Old", "R&D"))):
        place = library / "papis" / folder / str(n)
        place.mkdir(parents=True)
        info = f"title: Lamps Number {n}\nyear: 2021\nauthor: Osei, Ama\ntags: [{tags}]\n"
        (place / "info.yaml").write_text(info + "files: [lamp.pdf]\n", encoding="utf-8")
        (place / "lamp.pdf").write_bytes(b"%PDF-1.5 x")
    assert papertrack("import", "papis").code == 0
    back = tmp_path / "back.bib"
    assert papertrack("export", "--bib", "-o", back, "--groups").code == 0
    told = sorted_by_reader(papertrack)
    assert told["Lamps Number 0"] == (["Lamps/Old"], ["light", "中文"])
    text = back.read_text(encoding="utf-8")
    assert text.count("pdf:PDF}") == 2
    papertrack("init", tmp_path / "second")
    papertrack("--library", tmp_path / "second", "import", back)
    again = json.loads(papertrack("--library", tmp_path / "second", "list", "--all", "--json").out)
    assert {one["title"]: (one["categories"], sorted(one["tags"])) for one in again} == told


@pytest.mark.parametrize("form", ["csl", "ris"])
def test_references_come_back_with_their_keys_and_tags(
    papertrack: Command, library: Path, tmp_path: Path, form: str
) -> None:
    (library / "mine.bib").write_text(
        "@article{lamp-of-mine:21, title={Lamps Lost}, author={Osei, Ama and Lind, Per},"
        " year={2021}, doi={10.1000/lamp.5}, journal={Journal of Lists}, volume={7},"
        " keywords={light}}\n"
        "@misc{drafts, title={Drafting Ahead}, author={Lind, Per}, year={2022},"
        " eprint={2211.10002}, archiveprefix={arXiv}, abstract={What is ahead.}}\n"
    )
    papertrack("import", "mine.bib")
    papertrack("tag", "drafts", "to read, soon")
    back = tmp_path / f"back.{form}"
    assert papertrack("export", f"--{form}", "-o", back).code == 0
    papertrack("init", tmp_path / "second")
    papertrack("--library", tmp_path / "second", "import", back)
    again = papertrack("--library", tmp_path / "second", "list", "--all", "--json").out
    names = ("citekey", "title", "authors", "year", "doi", "arxiv_id", "venue", "abstract", "tags")
    first, second = (
        {one["citekey"]: {name: one[name] for name in names} for one in json.loads(text)}
        for text in (papertrack("list", "--all", "--json").out, again)
    )
    assert second == first


def test_numbers_and_addresses_are_no_keys(papertrack: Command, library: Path) -> None:
    ids = ("ITEM-1", "temp_id_17", "https://example.org/17", "8a2b-77", "3")
    items = [{"id": one, "type": "book", "title": f"Lamps No. {n}"} for n, one in enumerate(ids)]
    (library / "others.json").write_text(json.dumps(items))
    papertrack("import", "others.json")
    keys = {one["citekey"] for one in json.loads(papertrack("list", "--all", "--json").out)}
    assert len(keys) == len(ids)
    assert not keys & set(ids)


def test_groups_go_with_a_bib_file_of_ones_own_choice_alone(
    papertrack: Command, library: Path
) -> None:
    assert papertrack("export", "--groups").code == 2
    assert papertrack("export", "--csv", "-o", "x.csv", "--groups").code == 2
