"""What CSL, RIS and Hayagriva carry of an entry: what pandoc carries of it, and one item a key."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from papertrack.cli.app import run
from papertrack.documents.bibtex.parse import parse_bibtex
from papertrack.exporters.csl import item_of
from tests.cli.commands import Command
from tests.cli.conftest import home, papertrack

__all__ = ["home", "papertrack"]

WORKS = """\
@phdthesis{attic, author={Ann Quist}, title={Attics}, school={University of Ports}, year=2003}
@techreport{beam, author={Bo Reyes}, title={Beams}, institution={Beam Office}, number={B-7},
  year=1998, month=apr}
@inproceedings{coast, author={Cy Ames}, title={Coasts}, editor={Ed Vane and Fay Wold},
  booktitle={Coasts of the Year}, series={Lecture Notes}, number={12}, pages={3--9}, year=2005}
@article{dune, author={Di Bell}, title={Dunes: A Map}, journaltitle={Sand}, date={2023-06-09},
  langid={ngerman}, number={4}, issn={1234-5678}}
@online{eddy, author={El Cobb}, title={Eddies}, date={2022-11}, url={https://example.org/eddy},
  urldate={2023-01-02}}
@book{fjord, author={Fo Dunn}, title={Fjords}, translator={Gil Marsh}, date={1530/1540},
  edition={2}, location={Oslo and Bergen}}
@patent{gorge, author={Gus Ekman}, title={A Gorge}, number={US7654321}, type={patentus}, year=1999}
@software{hull, author={Hy Ford}, title={Hull}, version={1.2.3}, date={2022}}
"""


def item(entry: str) -> dict[str, Any]:
    """What the last entry of some says, as an item of CSL."""
    found = parse_bibtex(entry).entries[-1]
    return item_of(found.type, dict(reversed((*found.fields, *found.borrowed))))


def dated(*parts: list[int]) -> dict[str, object]:
    return {"date-parts": list(parts)}


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        (
            "@phdthesis{k, school={University of Ports}, year=2003}",
            {
                "type": "thesis",
                "publisher": "University of Ports",
                "genre": "PhD thesis",
                "issued": dated([2003]),
            },
        ),
        (
            "@thesis{k, type={mathesis}, institution={Ports}}",
            {"type": "thesis", "publisher": "Ports", "genre": "Master’s thesis"},
        ),
        (
            "@techreport{k, institution={Beam Office}, number={B-7}, year=1998, month=apr}",
            {
                "type": "report",
                "publisher": "Beam Office",
                "number": "B-7",
                "issued": dated([1998, 4]),
            },
        ),
        (
            "@article{k, journal={Journal}, shortjournal={J}, pmid={12}, pmcid={PMC3}}",
            {
                "type": "article-journal",
                "container-title": "Journal",
                "container-title-short": "J",
                "PMID": "12",
                "PMCID": "PMC3",
            },
        ),
        (
            "@inproceedings{k, editor={Ed Vane}, series={Notes}, number={12}, pages={3--9}}",
            {
                "type": "paper-conference",
                "editor": [{"family": "Vane", "given": "Ed"}],
                "collection-title": "Notes",
                "collection-number": "12",
                "page": "3–9",
            },
        ),
        (
            "@incollection{k, bookauthor={Bo Reyes}, translator={Gil Marsh}, booktitle={B}}",
            {
                "type": "chapter",
                "container-title": "B",
                "container-author": [{"family": "Reyes", "given": "Bo"}],
                "translator": [{"family": "Marsh", "given": "Gil"}],
            },
        ),
        (
            "@article{k, journaltitle={Sand}, number=4, volume=2, langid={ngerman}, eid={e9}}",
            {
                "type": "article-journal",
                "container-title": "Sand",
                "issue": "4",
                "volume": "2",
                "page": "e9",
                "language": "de-DE",
            },
        ),
        ("@article{k, langid={british}}", {"language": "en-GB"}),
        ("@article{k, entrysubtype={newspaper}}", {"type": "article-newspaper"}),
        (
            "@article{k, title={Dunes: A Map}}",
            {"title": "Dunes: A Map", "title-short": "Dunes"},
        ),
        (
            "@book{k, title={Tides}, subtitle={Two}, maintitle={Seas}}",
            {"title": "Seas", "volume-title": "Tides: Two", "title-short": "Tides"},
        ),
        ("@book{k, date={2023-06-09}}", {"issued": dated([2023, 6, 9])}),
        ("@book{k, date={1530/1540}}", {"issued": dated([1530], [1540])}),
        ("@book{k, date={-0044}}", {"issued": dated([-45])}),
        ("@book{k, date={2010-21}}", {"issued": dated([2010])}),
        ("@book{k, date={2020-01-02T10:11:12Z}}", {"issued": dated([2020, 1, 2])}),
        ("@book{k, date={/2010}}", {"issued": dated([2010])}),
        ("@book{k, date={1900~}}", {"issued": {**dated([1900]), "circa": True}}),
        ("@book{k, year={2019}, month={jun}, day={3}}", {"issued": dated([2019, 6, 3])}),
        ("@book{k, year={in 1870}}", {"issued": dated([1870])}),
        (
            "@online{k, urldate={2023-01-02}, url={https://example.org/a_b}}",
            {"type": "webpage", "accessed": dated([2023, 1, 2]), "URL": "https://example.org/a_b"},
        ),
        ("@misc{k, eprint={123}, eprinttype={jstor}}", {"URL": "https://www.jstor.org/stable/123"}),
        ("@misc{k, doi={https://doi.org/10.1/x}}", {"DOI": "10.1/x"}),
        (
            "@patent{k, number={US1}, type={patentus}, location={Oslo}}",
            {"type": "patent", "number": "US1", "genre": "U.S. patent", "jurisdiction": "Oslo"},
        ),
        ("@software{k, version={1.2}}", {"type": "software", "version": "1.2"}),
        ("@book{k, note={One}, addendum={Two}}", {"note": "One. Two"}),
        ("@unpublished{k, eventtitle={Day}}", {"type": "speech", "event-title": "Day"}),
        (
            "@collection{k, editor={Ann Quist}, editora={Bo Reyes}, editoratype={compiler}}",
            {
                "editor": [{"family": "Quist", "given": "Ann"}],
                "compiler": [{"family": "Reyes", "given": "Bo"}],
            },
        ),
    ],
)
def test_an_item_says_what_pandoc_says_of_an_entry(entry: str, said: dict[str, object]) -> None:
    found = item(entry)
    assert {name: found.get(name) for name in said} == said


def test_all_three_formats_carry_what_stands_in_the_bib_file(
    papertrack: Command, home: Path
) -> None:
    def items() -> dict[str, dict[str, Any]]:
        found = json.loads(papertrack("export", "--csl", "-o", "-").out)
        return {one["id"]: one for one in found}

    (home / "works.bib").write_text(WORKS)
    assert run(["init"]) == 0
    assert papertrack("import", "works.bib").code == 0
    told = items()
    assert told["attic"]["publisher"] == "University of Ports"
    assert [one["family"] for one in told["coast"]["editor"]] == ["Vane", "Wold"]
    assert (told["eddy"]["accessed"], told["fjord"]["issued"]) == (
        dated([2023, 1, 2]),
        dated([1530], [1540]),
    )
    assert told["fjord"]["publisher-place"] == "Oslo; Bergen"
    ris = papertrack("export", "--ris", "-o", "-").out
    for line in ("ED  - Vane, Ed", "PB  - Beam Office", "DA  - 2023/06/09", "Y2  - 2023/01/02"):
        assert line in ris
    works = yaml.safe_load(papertrack("export", "--hayagriva", "-o", "-").out)
    assert works["attic"]["organization"] == "University of Ports"
    assert works["coast"]["parent"]["editor"][1] == {"name": "Wold", "given-name": "Fay"}
    assert works["dune"]["date"] == "2023-06-09"
    assert works["eddy"]["url"] == {"value": "https://example.org/eddy", "date": "2023-01-02"}
    # What the library changed is in the item.
    assert papertrack("edit", "dune", "title=Dunes Anew", "year=2024").code == 0
    assert items()["dune"]["title"] == "Dunes Anew"
    assert items()["dune"]["issued"]["date-parts"][0][0] == 2024


def test_each_key_of_a_joined_work_has_an_item(papertrack: Command, home: Path) -> None:
    entry = "@misc{%s, title={A Title of Its Own}, author={Roe, R}, year={2020}}\n"
    (home / "twice.bib").write_text(entry % "a" + entry % "b")
    assert run(["init"]) == 0
    papertrack("import", "twice.bib")
    items = json.loads(papertrack("export", "--csl", "-o", "-").out)
    assert [one["id"] for one in items] == ["a", "b"]
    works = yaml.safe_load(papertrack("export", "--hayagriva", "-o", "-").out)
    assert [*works] == ["a", "b"]
    # What imports RIS gives keys of its own: two records would be two papers there.
    assert papertrack("export", "--ris", "-o", "-").out.count("TY  - ") == 1


def test_pandoc_takes_the_ris_for_what_the_csl_says(papertrack: Command, home: Path) -> None:
    if not shutil.which("pandoc"):
        pytest.skip("needs pandoc")
    (home / "works.bib").write_text(WORKS)
    assert run(["init"]) == 0
    papertrack("import", "works.bib")
    wanted = {one["id"]: one for one in json.loads(papertrack("export", "--csl", "-o", "-").out)}
    papertrack("export", "--ris", "-o", "out.ris")
    read = subprocess.run(
        ["pandoc", "-f", "ris", "-t", "csljson", "out.ris"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    found = {one["id"]: one for one in json.loads(read)}
    assert found.keys() == wanted.keys()
    for key, one in found.items():
        assert one["title"] == wanted[key]["title"]
        assert one.get("publisher") == wanted[key].get("publisher")
        assert one["issued"]["date-parts"][0][0] == wanted[key]["issued"]["date-parts"][0][0]
