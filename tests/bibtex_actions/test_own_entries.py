"""What a .bib file brought goes out as its own text, wherever an entry goes out."""

import pytest

from papertrack.actions.cite.citing import bib_entries, cited_papers, own_entries
from papertrack.actions.cite.manuscripts import read_manuscripts
from papertrack.actions.cite.rekey import regenerate_keys
from papertrack.actions.documents import import_file
from papertrack.documents.bibtex.parse import parse_bibtex
from papertrack.exporters.bibtex import to_bib_file
from papertrack.store.documents import forget_document, read_documents
from papertrack.store.listing import find_ids
from papertrack.store.lookup import get_papers
from tests.bibtex_actions.conftest import Desk

UNUSUAL = r"""@preamble{"\newcommand{\noopsort}[1]{}"}
@string{aj = {\aj}}
@STRING(press = "Some {P}ress" )

@MastersThesis{one,
  title   = {{B}ayesian methods, and the \emph{odd} rest},
  author  = {{\noopsort{b}}Abel, A.},
  year    = {to appear}, keywords = "x; y",
  note    = {See \href{https://x.example/a_b}{here}},
  mine    = 12 # press,
}
@Letter{two, title="Of my own kind", author={B. Bee}, year={300 BC}, journal = aj,
  langid={latin}, shorttitle={Own} }
@inproceedings{three, title={A part}, author={C. Cee}, crossref={whole}, pages={1-2}}
@proceedings{whole, title={The whole}, booktitle={The whole}, year=1999, publisher=press}
"""


def export(desk: Desk, **options: object) -> str:
    """All papers as `export --bib -o` writes them."""
    papers = get_papers(desk.store, find_ids(desk.store, order="id"))
    own = own_entries(desk.store, papers)
    return to_bib_file(papers, own=own, **options)  # type: ignore[arg-type]


def raws(text: str) -> dict[str, str]:
    return {entry.citekey or "": entry.raw for entry in parse_bibtex(text).entries}


def test_every_entry_goes_out_as_it_came_in(empty_desk: Desk) -> None:
    empty_desk.import_bib(UNUSUAL)
    assert raws(export(empty_desk)) == raws(UNUSUAL)


def test_what_entries_need_stands_above_and_what_they_name_below(empty_desk: Desk) -> None:
    empty_desk.import_bib(UNUSUAL)
    text = export(empty_desk)
    order = ["@string{aj", "@preamble", "@MastersThesis", "@proceedings"]
    assert [text.index(one) for one in order] == sorted(text.index(one) for one in order)
    assert text.count("@string") == text.count("@STRING") == text.count("@preamble") == 1


def test_one_entry_is_cited_with_what_it_needs(empty_desk: Desk) -> None:
    empty_desk.import_bib(UNUSUAL)
    text = bib_entries(empty_desk.store, [empty_desk.paper("three")])
    assert text == (
        '@STRING(press = "Some {P}ress" )\n\n'
        "@inproceedings{three, title={A part}, author={C. Cee}, crossref={whole}, pages={1-2}}\n\n"
        "@proceedings{whole, title={The whole}, booktitle={The whole}, year=1999, "
        "publisher=press}\n"
    )


def test_only_the_fields_that_the_library_changed_are_other(empty_desk: Desk) -> None:
    empty_desk.import_bib(UNUSUAL)
    empty_desk.edit("two", "title=Of another kind")
    assert raws(export(empty_desk))["two"] == raws(UNUSUAL)["two"].replace(
        '"Of my own kind"', '"Of another kind"'
    )


def test_an_edit_taken_back_gives_the_entry_its_text_again(empty_desk: Desk) -> None:
    empty_desk.import_bib(UNUSUAL)
    empty_desk.edit("one", "title=Another")
    empty_desk.export()
    assert raws(export(empty_desk)) == raws(empty_desk.read())
    empty_desk.edit("one", "title=Bayesian methods, and the odd rest")
    assert raws(export(empty_desk)) == raws(UNUSUAL)


def test_what_was_edited_by_hand_goes_out_once_it_is_imported(empty_desk: Desk) -> None:
    empty_desk.import_bib(UNUSUAL)
    empty_desk.replace("{latin}", "{greek}")
    empty_desk.replace("Some {P}ress", "Other {P}ress")
    empty_desk.import_bib()
    assert raws(export(empty_desk)) == raws(empty_desk.read())
    assert "Other {P}ress" in export(empty_desk)


def test_every_key_has_an_entry(empty_desk: Desk) -> None:
    empty_desk.import_bib(UNUSUAL)
    regenerate_keys(empty_desk.store, [empty_desk.id("two")])
    key = empty_desk.paper("two").citekey
    assert key != "two"
    text = export(empty_desk)
    assert raws(text)["two"] == raws(UNUSUAL)["two"]
    assert raws(text)[key] == raws(UNUSUAL)["two"].replace("two", key)


def test_each_entry_of_a_joined_work_goes_out_as_it_is(empty_desk: Desk) -> None:
    text = """@misc{pre, title={One {T}itle of a Work}, author={A. Bee}, eprint={2309.06180}}
@article{pub, title={One Title of a Work}, author={A. Bee}, journal={J}, eprint={2309.06180}}
"""
    empty_desk.import_bib(text)
    assert empty_desk.id("pre") == empty_desk.id("pub")
    assert raws(export(empty_desk)) == raws(text)


def test_a_file_that_is_forgotten_leaves_its_entries(empty_desk: Desk) -> None:
    empty_desk.import_bib(UNUSUAL)
    empty_desk.edit("two", "title=Of another kind")
    with empty_desk.store.action("documents"):
        forget_document(empty_desk.store, read_documents(empty_desk.store)[0].id)
    wanted = raws(UNUSUAL)
    wanted["two"] = wanted["two"].replace('"Of my own kind"', '"Of another kind"')
    assert raws(export(empty_desk)) == wanted


def test_strings_of_two_files_that_differ_get_two_names(empty_desk: Desk) -> None:
    desk = empty_desk
    desk.import_bib('@string{c = "One"}\n@article{a, title={First of all}, journal=c, month=jan}\n')
    other = desk.bib.with_name("other.bib")
    other.write_text('@string{C="Two"}@string{jan="J"}\n@article{b, title={B}, journal=c#jan}\n')
    import_file(desk.store, desk.library, other)
    text = export(desk)
    assert raws(text)["a"] == "@article{a, title={First of all}, journal=c, month=jan}"
    values = {e.citekey: e.facts.venue for e in parse_bibtex(text).entries}
    assert values == {"a": "One", "b": "TwoJ"}


def test_a_work_in_two_files_has_one_entry_for_each_key(empty_desk: Desk) -> None:
    desk = empty_desk
    desk.import_bib("@misc{a, title={One {T}itle}, eprint={2309.06180}}\n")
    other = desk.bib.with_name("other.bib")
    both = "@misc{a, title={{One} Title}, eprint={2309.06180}}\n@misc{b, eprint=2309.06180}\n"
    other.write_text(both)
    import_file(desk.store, desk.library, other)
    assert raws(export(desk)) == {
        "a": "@misc{a, title={One {T}itle}, eprint={2309.06180}}",
        "b": "@misc{b, eprint=2309.06180}",
    }


def test_keys_of_two_works_that_differ_in_case_stay_two(empty_desk: Desk) -> None:
    text = "@book{Foo, title={The first of two}}\n@book{foo, title={Quite another book}}\n"
    empty_desk.import_bib(text)
    assert raws(text).items() <= raws(export(empty_desk)).items()


def test_a_key_with_accents_coded_apart_is_one_key(empty_desk: Desk) -> None:
    text = "@book{gru\u0308n, title={A book of one}}\n"
    empty_desk.import_bib(text)
    assert raws(export(empty_desk)) == raws(text)


def test_an_entry_behind_a_comment_sign_stays_behind_it(empty_desk: Desk) -> None:
    text = "%@book{a,\n% title={A book of one}\n%}\n\n@book{b, title={Quite another}}\n"
    empty_desk.import_bib(text)
    assert export(empty_desk) == text


def test_warnings_blame_an_entry_only_for_what_it_lacks(empty_desk: Desk) -> None:
    empty_desk.import_bib(
        "@article{a, title={One}, author={A}, journal={CoRR}, year={to appear}}\n"
        "@article{b, title={Two}, author={B}, journaltitle=some, date={2019-05-03}}\n"
        "@article{c, title={Three}, author={C}, year=1999}\n"
    )
    paper = empty_desk.bib.with_name("paper.tex")
    paper.write_text("\\cite{a,b,c}")
    cited = cited_papers(empty_desk.store, read_manuscripts([paper]))
    told = [(one.citekey, one.kind) for one in cited.findings]
    assert told == [("b", "incomplete"), ("c", "incomplete")]
    assert "names some, which no @string defines" in cited.findings[0].message


def test_a_key_that_biblatex_knows_by_its_entry_gives_it_no_second_one(empty_desk: Desk) -> None:
    text = "@book{a, title={A book of one}, ids={b, c}}\n"
    empty_desk.import_bib(text)
    cited = [empty_desk.paper("a")._replace(citekey=key) for key in ("a", "b")]
    assert bib_entries(empty_desk.store, cited, dialect="biblatex") == text
    assert raws(bib_entries(empty_desk.store, cited)).keys() == {"a", "b"}


def test_an_entry_that_bibtex_reads_and_one_that_biber_reads_both_go_out(empty_desk: Desk) -> None:
    both = "%@book{a,\n% title={A book}\n%}\n\n@book{a, title={A book of one}, related={r}}\n\n"
    empty_desk.import_bib(f"{both}@book{{r, title={{Quite another}}}}\n")
    text = export(empty_desk)
    assert text.startswith(both)
    assert text.endswith("\n\n@book{r, title={Quite another}}\n")


@pytest.mark.parametrize("blank", ["\xa0", "\u2009"])
def test_a_key_with_a_blank_stays_as_it_is_and_stops_nothing(empty_desk: Desk, blank: str) -> None:
    odd = f"@article{{Klein{blank}Tank2013, title={{Of Heat and Rain}}, year=2013}}"
    plain = "@article{plain2014, title={Of Snow on Roofs}, year=2014}"
    empty_desk.import_bib(f"{odd}\n\n{plain}\n")
    text = export(empty_desk)
    assert text == f"{odd}\n\n{plain}\n"
