"""What another .bib brought goes into a file in place as its own text, with what it needs."""

from pathlib import Path

import pytest

from papertrack.actions.cite.citing import bib_entries
from papertrack.actions.cite.rekey import regenerate_keys
from papertrack.actions.documents import export_registered, import_file
from papertrack.actions.organise import remove_papers
from papertrack.sync.report import DocumentExport
from tests.bibtex_actions.conftest import Desk
from tests.bibtex_actions.test_own_entries import UNUSUAL, export, raws


def imported(desk: Desk, text: str, name: str = "other.bib") -> Path:
    path = desk.bib.with_name(name)
    path.write_bytes(text.encode())
    import_file(desk.store, desk.library, path)
    return path


def exported(desk: Desk, path: Path, *keys: str) -> DocumentExport:
    added = [desk.id(key) for key in keys]
    (done,) = export_registered(desk.store, desk.library, "bibtex", paths=[path], added=added)
    assert done.error is None, done.error
    return done


def read(path: Path) -> str:
    return path.read_bytes().decode()


def test_an_entry_goes_into_another_file_as_its_own_text(empty_desk: Desk) -> None:
    empty_desk.import_bib(UNUSUAL)
    other = imported(empty_desk, "@book{k, title={K}}\n")
    exported(empty_desk, other, "two", "three")
    text = read(other)
    assert text.startswith("@book{k, title={K}}\n\n@STRING(press")
    wanted = {key: raws(UNUSUAL)[key] for key in ("two", "three", "whole")}
    assert raws(text) == {"k": "@book{k, title={K}}", **wanted}
    assert text.index("@inproceedings") < text.index("@proceedings")


def test_what_went_there_is_in_step_afterwards(empty_desk: Desk) -> None:
    empty_desk.import_bib(UNUSUAL)
    other = imported(empty_desk, "@book{k, title={K}}\n")
    exported(empty_desk, other, "three")
    text = read(other)
    assert not exported(empty_desk, other, "three", "whole").is_written
    report = import_file(empty_desk.store, empty_desk.library, other)
    assert (report.papers_new, report.papers_changed, report.conflicts) == (0, 0, ())
    assert read(other) == text
    empty_desk.edit("three", "title=Another part")
    exported(empty_desk, other)
    assert read(other) == text.replace("{A part}", "{Another part}")


def test_an_entry_stands_above_the_parent_that_the_file_has(empty_desk: Desk) -> None:
    empty_desk.import_bib(UNUSUAL)
    whole = raws(UNUSUAL)["whole"]
    start = '@book{k, title={K}}\n\n@string(press = "Some {P}ress")\n\n% Mine\n'
    other = imported(empty_desk, f"{start}{whole}\n@book{{l, title={{L}}}}\n")
    exported(empty_desk, other, "three")
    three = raws(UNUSUAL)["three"]
    above = start.removesuffix("% Mine\n")
    assert read(other) == f"{above}{three}\n\n% Mine\n{whole}\n@book{{l, title={{L}}}}\n"
    before = read(other)
    empty_desk.edit("l", "title=Another")
    exported(empty_desk, other)
    assert read(other) == before.replace("{L}", "{Another}")


def test_a_string_that_means_something_else_there_gets_another_name(empty_desk: Desk) -> None:
    empty_desk.import_bib('@string{c = "One"}\n@article{a, title={First of all}, journal = c}\n')
    other = imported(empty_desk, '@string{c = "Two"}\n@article{b, title={Second}, journal = c}\n')
    exported(empty_desk, other, "a")
    assert read(other) == (
        '@string{c = "Two"}\n@article{b, title={Second}, journal = c}\n\n'
        '@string{c-2 = "One"}\n\n@article{a, title={First of all}, journal = c-2}\n'
    )


def test_a_parent_under_a_key_that_is_taken_gets_another(empty_desk: Desk) -> None:
    empty_desk.import_bib(UNUSUAL)
    other = imported(empty_desk, "@book{whole, title={Of quite another work}}\n")
    exported(empty_desk, other, "three")
    text = read(other)
    parents = [key for key in raws(text) if key.startswith("whole")]
    assert len(parents) == 2
    assert f"crossref={{{parents[1]}}}" in text


def test_a_line_end_of_the_file_is_that_of_new_entries(empty_desk: Desk) -> None:
    empty_desk.import_bib(UNUSUAL)
    other = imported(empty_desk, "@book{k, title={K}}\r\n")
    exported(empty_desk, other, "three", "two")
    assert "\n" not in read(other).replace("\r\n", "")


def test_an_entry_that_left_its_file_comes_back_as_it_was(empty_desk: Desk) -> None:
    empty_desk.import_bib(UNUSUAL)
    two = raws(UNUSUAL)["two"]
    empty_desk.replace(two, "")
    empty_desk.import_bib()
    exported(empty_desk, empty_desk.bib, "two")
    assert raws(empty_desk.read())["two"] == two


def test_an_own_entry_goes_out_with_what_the_library_changed(empty_desk: Desk) -> None:
    empty_desk.import_bib(UNUSUAL)
    other = imported(empty_desk, "@book{k, title={K}}\n")
    empty_desk.edit("three", "title=Another part")
    empty_desk.edit("whole", "title=The entire")
    exported(empty_desk, other, "three")
    said = raws(read(other))
    assert said["three"] == raws(UNUSUAL)["three"].replace("{A part}", "{Another part}")
    assert said["whole"] == raws(UNUSUAL)["whole"].replace(
        "title={The whole}", "title={The entire}", 1
    )


def test_a_parent_that_is_not_selected_says_what_the_library_says(empty_desk: Desk) -> None:
    empty_desk.import_bib(UNUSUAL)
    empty_desk.edit("whole", "title=The entire")
    text = bib_entries(empty_desk.store, [empty_desk.paper("three")])
    whole = raws(UNUSUAL)["whole"].replace("title={The whole}", "title={The entire}", 1)
    assert raws(text) == {"three": raws(UNUSUAL)["three"], "whole": whole}


def test_what_names_an_entry_follows_its_new_key(empty_desk: Desk) -> None:
    text = UNUSUAL + "@set{s, entryset = {two, whole}}\n"
    empty_desk.import_bib(text)
    before = empty_desk.read()
    regenerate_keys(empty_desk.store, [empty_desk.id("whole")])
    key = empty_desk.papers()[3].citekey
    assert key != "whole"
    said = raws(bib_entries(empty_desk.store, [empty_desk.paper("three")]))
    assert f"crossref={{{key}}}" in said["three"]
    assert key in said
    empty_desk.export()
    now = before.replace("{whole,", f"{{{key},").replace("crossref={whole}", f"crossref={{{key}}}")
    assert empty_desk.read() == now.replace("{two, whole}", f"{{two,{key}}}")
    assert raws(bib_entries(empty_desk.store, [empty_desk.paper("three")])) == said
    assert raws(export(empty_desk)) == {**raws(now), "whole": raws(UNUSUAL)["whole"]}


def test_a_key_taken_back_is_taken_back_where_it_is_named(empty_desk: Desk) -> None:
    empty_desk.import_bib(UNUSUAL)
    before = empty_desk.read()
    regenerate_keys(empty_desk.store, [empty_desk.id("whole")])
    empty_desk.export()
    empty_desk.undo()
    assert empty_desk.read() == before


def test_a_set_goes_out_with_all_of_its_members(empty_desk: Desk) -> None:
    entries = "@book{a, title={A book of one}}\n\n@book{b, title={Quite another}}\n"
    empty_desk.import_bib(f"@set{{s, entryset={{a,b}}}}\n\n{entries}")
    assert "@set{s, entryset={a,b}}" in export(empty_desk)
    assert "@set" not in bib_entries(empty_desk.store, [empty_desk.paper("a")])
    other = imported(empty_desk, "@book{k, title={K}}\n")
    exported(empty_desk, other, "a", "b")
    assert read(other).count("@set{s, entryset={a,b}}") == 1
    assert not exported(empty_desk, other, "a", "b").is_written


@pytest.mark.parametrize("order", [("leaf", "stem"), ("stem", "leaf")])
def test_parents_of_parents_come_below(empty_desk: Desk, order: tuple[str, str]) -> None:
    root = "@collection{root, title={All of it}, year=1999}\n"
    empty_desk.import_bib(
        "@inbook{leaf, title={A leaf}, crossref={stem}}\n"
        f"@book{{stem, title={{A stem}}, crossref={{root}}}}\n{root}"
    )
    other = imported(empty_desk, root)
    for key in order:
        exported(empty_desk, other, key)
    assert list(raws(read(other))) == ["leaf", "stem", "root"]


def test_a_paper_that_is_removed_leaves_no_entry_behind(empty_desk: Desk) -> None:
    empty_desk.import_bib(UNUSUAL)
    other = imported(empty_desk, "@book{k, title={K}}\n")
    exported(empty_desk, other, "two")
    remove_papers(empty_desk.store, [empty_desk.id("two")])
    exported(empty_desk, other)
    assert list(raws(read(other))) == ["k"]


@pytest.mark.parametrize(
    ("jan", "written"), [("J. Anim. Nutr.", "month = {January}"), ("Jan.", "month = jan")]
)
def test_a_month_stays_one_where_the_file_means_something_else_by_its_name(
    empty_desk: Desk, jan: str, written: str
) -> None:
    empty_desk.import_bib("@article{one, title={One}, journal={J}, month = jan}\n")
    strings = f'@string{{jan = "{jan}"}}\n\n@article{{k, title={{K}}, journal = jan}}\n'
    other = imported(empty_desk, strings)
    exported(empty_desk, other, "one")
    assert raws(read(other))["one"] == f"@article{{one, title={{One}}, journal={{J}}, {written}}}"
