"""A registered .bib file and the library stay in step: each takes what the other changed."""

import pytest

from papertrack.actions.cite.rekey import regenerate_keys
from papertrack.actions.documents import export_registered
from papertrack.actions.organise import remove_papers
from papertrack.actions.reading import mark_pass
from papertrack.documents.bibtex.parse import parse_bibtex
from papertrack.exporters.bibtex import to_bibtex
from papertrack.store.papers import NewPaper, add_new_papers, edit_paper, merge_papers
from papertrack.store.states import add_tags
from tests.bibtex_actions.conftest import REFS, Desk


@pytest.mark.parametrize(
    ("key", "assignment", "old", "new"),
    [
        ("vaswani", "year=2018", "year      = 2017", "year      = 2018"),
        ("kwon:paged", "title=Paged & Co", "Efficient Memory Management with {PagedAttention}",
         r"Paged \& Co"),
        ("knuth", "authors=Don Knuth", "Donald E. Knuth", "Knuth, Don"),
        ("knuth", "doi=10.1000/x", "publisher={AW}}", "publisher={AW}, doi={10.1000/x}}"),
    ],
)  # fmt: skip
def test_one_changed_field_changes_its_place_only(
    desk: Desk, key: str, assignment: str, old: str, new: str
) -> None:
    desk.edit(key, assignment)
    exported = desk.export()
    assert exported.is_written
    assert desk.read() == REFS.replace(old, new)
    assert not desk.export().has_changes
    assert not desk.import_bib().has_changes


def test_what_the_reader_did_is_not_published_in_the_file(desk: Desk) -> None:
    mark_pass(desk.store, [desk.id("vaswani")], 2)
    with desk.store.action("tag"):
        add_tags(desk.store, [desk.id("vaswani")], ["private"])
    assert not desk.export().has_changes


def test_a_preprint_that_was_published_becomes_an_entry_of_that_type(desk: Desk) -> None:
    desk.edit("kwon:paged", "venue=Proceedings of SOSP")
    desk.export()
    assert "@inproceedings{kwon:paged," in desk.read()
    assert 'journal = "arXiv' not in desk.read()
    entry = desk.read().split("@inproceedings{kwon:paged")[1].split("@book")[0]
    assert "booktitle" in entry
    assert 'eprint  = "2309.06180"' in entry
    assert to_bibtex([desk.paper("kwon:paged")]).startswith("@inproceedings{kwon:paged")
    assert not desk.export().has_changes
    assert not desk.import_bib().has_changes


def test_a_new_key_goes_to_its_entry_and_the_old_one_still_names_the_paper(desk: Desk) -> None:
    desk.store.read_citekey_template = lambda: "{auth}{year}"
    regenerate_keys(desk.store, [desk.id("vaswani")])
    desk.export()
    assert desk.read() == REFS.replace("{vaswani,", "{vaswani2017,")
    assert desk.id("vaswani") == desk.id("vaswani2017")


def test_a_paper_is_appended_when_asked_for_and_only_once(desk: Desk) -> None:
    desk.import_bib("@misc{extra, title={Extra}, author={Roe, R}, year={2020}}\n")
    desk.write(REFS)
    desk.import_bib(on_deleted="unlink")
    assert not desk.export().has_changes
    exported = desk.export(added=[desk.id("extra"), desk.id("knuth")])
    assert desk.read().startswith(REFS)
    assert desk.read()[len(REFS) :].count("@misc{extra,") == 1
    assert "knuth" not in exported.diff.split("@@")[-1].replace("@book{knuth", "")
    assert not desk.export(added=[desk.id("extra")]).has_changes


def test_what_changed_in_the_file_is_taken(desk: Desk) -> None:
    desk.replace("year      = 2017", "year      = 2016, doi = {10.1000/attention}")
    desk.replace("{The {\\TeX}book}", "{The Metafontbook}")
    report = desk.import_bib()
    assert report.papers_changed == 2
    assert desk.paper("vaswani").facts.year == 2016
    assert desk.paper("vaswani").facts.identifier("doi") == "10.1000/attention"
    assert desk.paper("knuth").facts.title == "The Metafontbook"
    assert not desk.export().has_changes


def test_a_key_changed_in_the_file_is_followed(desk: Desk) -> None:
    desk.replace("{vaswani,", "{vaswani2017attention,")
    assert desk.import_bib().papers_new == 0
    assert desk.paper("vaswani").citekey == "vaswani2017attention"


@pytest.mark.parametrize(("prefer", "year"), [("file", 2016), ("library", 1999)])
def test_a_change_on_both_sides_is_a_conflict_until_decided(
    desk: Desk, prefer: str, year: int
) -> None:
    desk.edit("vaswani", "year=1999")
    desk.replace("year      = 2017", "year      = 2016")
    text = desk.read()
    for report in (desk.import_bib(), desk.export(), desk.import_bib(), desk.export()):
        (conflict,) = report.conflicts
        assert (conflict.field, conflict.base) == ("year", 2017)
        assert (conflict.file_value, conflict.library_value) == (2016, 1999)
    assert desk.read() == text
    assert desk.paper("vaswani").facts.year == 1999
    desk.import_bib(prefer=prefer)
    desk.export(prefer=prefer)
    assert desk.paper("vaswani").facts.year == year
    assert f"year      = {year}" in desk.read()
    assert not desk.import_bib().conflicts


def test_changes_of_different_fields_are_no_conflict(desk: Desk) -> None:
    desk.edit("vaswani", "year=1999")
    desk.replace("{5998--6008}", "{1--11}")
    assert not desk.export().conflicts
    assert not desk.import_bib().conflicts
    assert dict(desk.paper("vaswani").facts.publication)["pages"] == "1–11"
    assert "year      = 1999" in desk.read()
    assert not desk.export().has_changes


@pytest.mark.parametrize(
    ("on_deleted", "decision", "comes_back"),
    [("unlink", "saved", False), ("discard", "discarded", False), ("put-back", "saved", True)],
)
def test_an_entry_deleted_in_the_file_is_told_and_settled(
    desk: Desk, on_deleted: str, decision: str, comes_back: bool
) -> None:
    desk.write(REFS[: REFS.index("@book")])
    assert desk.import_bib(on_deleted=on_deleted).deleted == ("knuth",)
    assert desk.paper("knuth").decision == decision
    desk.export()
    assert ("knuth" in desk.read()) == comes_back
    assert not desk.import_bib().has_changes


def test_an_entry_moved_in_the_file_changes_nothing(desk: Desk) -> None:
    at = REFS.index("@book")
    desk.write(REFS[at:] + REFS[:at])
    assert not desk.import_bib().has_changes
    assert not desk.export().has_changes


def test_a_byte_order_mark_and_line_ends_stay(empty_desk: Desk) -> None:
    data = b"\xef\xbb\xbf" + REFS.replace("\n", "\r\n").encode()
    empty_desk.bib.write_bytes(data)
    empty_desk.import_bib()
    empty_desk.edit("knuth", "year=1985")
    empty_desk.export()
    assert empty_desk.bib.read_bytes() == data.replace(b"year={1984}", b"year={1985}")


def test_an_identifier_that_another_entry_of_the_file_has_is_told(desk: Desk) -> None:
    desk.replace("publisher={AW}", "publisher={AW}, eprint={2309.06180}")
    report = desk.import_bib()
    assert report.conflicts == ()
    assert [notice.reason for notice in report.notices] == [
        "its arxiv:2309.06180 also belongs to kwon:paged in this file, and can identify "
        "only one of them"
    ]
    assert desk.paper("knuth").facts.identifier("arxiv") is None


def test_an_identifier_that_a_paper_of_another_file_has_is_a_conflict(desk: Desk) -> None:
    other = Desk(desk.store, desk.library, desk.bib.with_name("other.bib"))
    other.import_bib("@misc{cheese, title={A History of Cheese}, eprint={2401.00001}}")
    desk.replace("publisher={AW}", "publisher={AW}, eprint={2401.00001}")
    (conflict,) = desk.import_bib().conflicts
    assert (conflict.field, conflict.citekey, conflict.owner) == ("arxiv", "knuth", "cheese")
    assert desk.paper("knuth").facts.identifier("arxiv") is None


def test_what_a_source_says_anew_is_exported_too(desk: Desk) -> None:
    with desk.store.action("enrich"):
        edit_paper(desk.store, desk.id("kwon:paged"), "year", 2024, source="arxiv")
    desk.export()
    assert 'year    = "2024"' in desk.read()


def test_an_edited_string_or_parent_changes_what_its_entries_say(empty_desk: Desk) -> None:
    empty_desk.import_bib(
        '@string{sosp = "Symposium on Operating Systems"}\n'
        "@inproceedings{a, title={A Title of Its Own}, booktitle=sosp # { (poster)}}\n"
        "@inproceedings{b, title={Another Title of Its Own}, crossref={volume}}\n"
        "@misc{c, title={Not Concerned by Any of This}}\n"
        "@proceedings{volume, title={Proceedings of a Workshop}, year={2001}}\n"
    )
    empty_desk.replace("Symposium on", "SIGOPS Symposium on")
    empty_desk.replace("year={2001}", "year={2002}")
    report = empty_desk.import_bib()
    assert (report.papers_changed, report.conflicts) == (3, ())
    assert empty_desk.paper("a").facts.venue == "SIGOPS Symposium on Operating Systems (poster)"
    assert empty_desk.paper("b").facts.year == 2002
    assert not empty_desk.import_bib().has_changes
    assert not empty_desk.export().has_changes


def test_a_preprint_that_is_published_says_its_arxiv_id_no_longer_as_a_volume(
    empty_desk: Desk,
) -> None:
    empty_desk.import_bib(
        "@article{a,\n  title={A Title of Its Own}, journal={ArXiv},\n"
        "  author={Ada Roe},\n  year={2019},\n  volume={abs/1907.10641}\n}\n"
    )
    empty_desk.edit("a", "venue=Proceedings of ACL")
    empty_desk.export()
    assert empty_desk.read() == (
        "@inproceedings{a,\n  title={A Title of Its Own},\n"
        "  author={Ada Roe},\n  year={2019},\n  booktitle={Proceedings of ACL},\n"
        "  eprint={1907.10641},\n  archivePrefix={arXiv}\n}\n"
    )
    assert not empty_desk.import_bib().has_changes


def test_a_file_is_not_written_so_that_it_would_be_read_in_another_encoding(
    empty_desk: Desk,
) -> None:
    data = "@misc{gbk, title={深度学习的数学原理}, author={张三}}\n".encode("gb18030")
    empty_desk.bib.write_bytes(data)
    empty_desk.import_bib()
    empty_desk.edit("gbk", "title=深度学习 ☃")
    (exported,) = export_registered(empty_desk.store, empty_desk.library, "bibtex")
    assert "convert the file to UTF-8" in str(exported.error)
    assert empty_desk.bib.read_bytes() == data
    assert empty_desk.paper("gbk").facts.title == "深度学习 ☃"


def test_a_paper_that_comes_back_has_its_entry_again_in_its_own_words(desk: Desk) -> None:
    remove_papers(desk.store, [desk.id("kwon:paged")])
    desk.export()
    assert "kwon:paged" not in desk.read()
    desk.undo()
    assert desk.read() == REFS
    assert not desk.export().has_changes
    assert not desk.import_bib().has_changes
    desk.edit("kwon:paged", "year=1999")
    desk.export()
    assert 'year    = "1999"' in desk.read()


def test_an_indented_entry_comes_back_beside_a_note_written_meanwhile(desk: Desk) -> None:
    desk.replace("@Article{kwon", "  @Article{kwon")
    desk.replace("@book{knuth", "  @book{knuth")
    desk.import_bib()
    indented = desk.read()
    remove_papers(desk.store, [desk.id("kwon:paged")])
    desk.export()
    desk.replace("{The {\\TeX}book}", "{The {\\TeX}book}, note={mine}")
    desk.import_bib()
    desk.undo(2)
    assert desk.read() == indented.replace("{The {\\TeX}book}", "{The {\\TeX}book}, note={mine}")


def test_a_paper_that_comes_back_changed_has_an_entry_that_says_so(desk: Desk) -> None:
    remove_papers(desk.store, [desk.id("kwon:paged")])
    desk.export()
    desk.store.undo()
    desk.edit("kwon:paged", "year=1999")
    desk.export()
    assert desk.read() == REFS.replace('"2023"', '"1999"')
    assert not desk.export().has_changes


@pytest.mark.parametrize(
    ("key", "old", "new"), [("kwon:paged", "Efficient", "Faster"), ("vaswani", "Need", "Want")]
)
def test_a_paper_retitled_and_removed_before_an_export_has_its_entry_again(
    desk: Desk, key: str, old: str, new: str
) -> None:
    title = desk.paper(key).facts.title or ""
    desk.edit(key, f"title={title.replace(old, new)}")
    remove_papers(desk.store, [desk.id(key)])
    desk.export()
    desk.undo()
    assert desk.read() == REFS.replace(old, new)
    assert not desk.export().has_changes
    assert not desk.import_bib().has_changes


@pytest.mark.parametrize("key", ["vaswani", "kwon:paged", "knuth"])
def test_a_deleted_entry_that_is_put_back_has_its_own_words(desk: Desk, key: str) -> None:
    (entry,) = (one.raw for one in parse_bibtex(REFS).entries if one.citekey == key)
    desk.replace(entry, "")
    desk.import_bib(on_deleted="put-back")
    desk.export()
    assert desk.read() == REFS
    assert not desk.export().has_changes
    assert not desk.import_bib().has_changes


@pytest.mark.parametrize("blanks", [0, 1, 2, 3])
@pytest.mark.parametrize("key", ["vaswani", "kwon:paged", "knuth"])
def test_a_deleted_entry_that_is_added_again_stands_where_it_was(
    desk: Desk, key: str, blanks: int
) -> None:
    """However many of the line ends beside it were deleted with it."""
    (entry,) = (one.raw for one in parse_bibtex(REFS).entries if one.citekey == key)
    at = REFS.index(entry)
    end = at + len(entry)
    while blanks and REFS[end : end + 1] == "\n":
        end, blanks = end + 1, blanks - 1
    desk.write(REFS[:at] + REFS[end:])
    desk.import_bib()
    assert not desk.export().has_changes
    desk.export(added=[desk.id(key)])
    assert desk.read() == REFS
    assert not desk.import_bib().has_changes
    assert not desk.export().has_changes


def test_a_deleted_entry_that_is_wanted_back_still_is_after_another_import(desk: Desk) -> None:
    desk.write(REFS[: REFS.index("@book")])
    desk.import_bib(on_deleted="put-back")
    assert not desk.import_bib(on_deleted="unlink").has_changes
    desk.export()
    assert "knuth" in desk.read()


def test_a_deleted_entry_is_put_back_as_an_export_wrote_it_last_and_says_what_changed_since(
    desk: Desk,
) -> None:
    desk.edit("knuth", "year=1985")
    desk.export()
    desk.write(desk.read()[: desk.read().index("@book")])
    desk.import_bib(on_deleted="put-back")
    desk.edit("knuth", "title=The TeXbook, 2nd ed.")
    desk.export()
    assert "title={The {TeXbook}, 2nd ed.}, author={Donald E. Knuth}, year={1985}" in desk.read()


def test_a_deleted_entry_whose_string_is_gone_too_is_put_back_with_it(desk: Desk) -> None:
    desk.write(REFS[REFS.index("@Article") :])
    desk.import_bib(on_deleted="put-back")
    desk.export()
    string, _, entry = REFS[REFS.index("@string") : REFS.index("@Article")].strip().partition("\n")
    assert f"{string}\n{entry}" in desk.read()
    assert not desk.export().has_changes


def test_an_unlinked_entry_does_not_come_back_because_its_paper_was_removed_once(
    desk: Desk,
) -> None:
    entry = REFS[REFS.index("@book") :]
    remove_papers(desk.store, [desk.id("knuth")])
    desk.export()
    desk.store.undo()
    desk.write(desk.read() + entry)
    desk.import_bib()
    desk.replace(entry, "")
    desk.import_bib(on_deleted="unlink")
    assert not desk.export().has_changes


@pytest.mark.parametrize("at_once", [True, False])
def test_entries_that_come_back_are_where_they_were(empty_desk: Desk, at_once: bool) -> None:
    text = REFS.replace("@Article", "% About paging\n@Article") + PREPRINT_AND_PUBLISHED
    empty_desk.import_bib(text)
    ids = [empty_desk.id(key) for key in ("pub", "knuth", "kwon:paged")]
    for chosen in [ids] if at_once else [[one] for one in ids]:
        remove_papers(empty_desk.store, chosen)
        empty_desk.export()
    assert empty_desk.read().count("@") == 2
    for _ in [ids] if at_once else ids:
        empty_desk.store.undo()
    empty_desk.export()
    assert empty_desk.read() == text
    assert not empty_desk.export().has_changes
    assert not empty_desk.import_bib().has_changes


def test_an_entry_comes_back_beside_what_is_left_of_its_neighbours(desk: Desk) -> None:
    remove_papers(desk.store, [desk.id("kwon:paged")])
    desk.export()
    desk.write("% New start\n" + desk.read()[desk.read().index("@book") :])
    desk.import_bib(on_deleted="unlink")
    desk.store.undo(2)
    desk.export()
    entries = REFS[REFS.index("@Article") :]
    assert desk.read() == f"% New start\n{entries}"


def test_another_paper_under_a_removed_ones_key_has_not_its_entry(desk: Desk) -> None:
    remove_papers(desk.store, [desk.id("knuth")])
    desk.export()
    other = Desk(desk.store, desk.library, desk.bib.with_name("other.bib"))
    other.import_bib("@misc{knuth, title={Life of Knuth}}\n")
    (exported, _) = export_registered(desk.store, desk.library, "bibtex")
    assert not exported.has_changes


def test_the_log_says_each_verb_once(desk: Desk) -> None:
    desk.edit("vaswani", "year=1999")
    desk.store.read_citekey_template = lambda: "{auth}{year}"
    regenerate_keys(desk.store, [desk.id("vaswani")])
    desk.export()
    rows = desk.store.connection.execute("SELECT summary FROM actions ORDER BY id").fetchall()
    assert [row[0] for row in rows] == [
        *("main.bib", "year of vaswani", "vaswani to vaswani1999", "main.bib")
    ]


def test_a_merge_changes_no_key_in_a_file(desk: Desk) -> None:
    with desk.store.action("merge"):
        merge_papers(desk.store, desk.id("vaswani"), desk.id("knuth"))
    desk.export()
    keys = [entry.citekey for entry in parse_bibtex(desk.read()).entries]
    assert keys == ["vaswani", "kwon:paged", "knuth"]
    assert desk.id("knuth") == desk.id("vaswani")
    assert not desk.export().has_changes
    assert not desk.import_bib().has_changes


def test_a_merge_takes_no_field_out_of_a_file_that_the_kept_paper_does_not_have(
    desk: Desk,
) -> None:
    desk.import_bib(REFS + "@misc{web, title={Attention}, howpublished={Talk}, note={see p. 5}}\n")
    with desk.store.action("merge"):
        merge_papers(desk.store, desk.id("vaswani"), desk.id("web"))
    desk.export()
    assert "note={see p. 5}" in desk.read()
    assert not desk.export().has_changes
    assert not desk.import_bib().has_changes


def test_no_export_gives_two_entries_one_key(desk: Desk) -> None:
    desk.replace("@book{knuth", "@misc{vaswani2017, title={Added by Hand}}\n@book{knuth")
    desk.store.read_citekey_template = lambda: "{auth}{year}"
    regenerate_keys(desk.store, [desk.id("vaswani")])
    desk.export()
    keys = [entry.citekey for entry in parse_bibtex(desk.read()).entries]
    assert keys == ["vaswani", "kwon:paged", "vaswani2017", "knuth"]


@pytest.mark.parametrize(
    ("key", "assignments"),
    [
        ("vaswani", ["venue=ICML", "year=2018"]),
        ("kwon:paged", ["venue=Proceedings of SOSP", "authors=Woosuk Kwon"]),
        ("knuth", ["title=The TeX Book", "doi=10.1000/x"]),
    ],
)
def test_what_is_undone_gives_the_entry_its_own_words_again(
    desk: Desk, key: str, assignments: list[str]
) -> None:
    for assignment in assignments:
        desk.edit(key, assignment)
        assert desk.export().is_written
    for _ in assignments:
        desk.store.undo()
    desk.export()
    assert desk.read() == REFS
    assert not desk.export().has_changes
    assert not desk.import_bib().has_changes


def test_an_entry_edited_by_hand_since_an_export_keeps_that_when_the_rest_is_undone(
    desk: Desk,
) -> None:
    desk.edit("kwon:paged", "title=Other")
    desk.export()
    desk.replace("50% done", "60% done")
    desk.import_bib()
    desk.edit("kwon:paged", "title=Efficient Memory Management with PagedAttention")
    desk.export()
    assert desk.read() == REFS.replace("50% done", "60% done")


def test_own_words_with_a_string_that_says_something_else_by_now_do_not_come_back(
    desk: Desk,
) -> None:
    desk.edit("vaswani", "venue=ICML")
    desk.export()
    desk.replace('"Advances in Neural Information Processing Systems"', '"NIPS"')
    desk.import_bib()
    desk.edit("vaswani", "venue=Advances in Neural Information Processing Systems")
    desk.export()
    assert "booktitle = {Advances in Neural Information Processing Systems}" in desk.read()


PREPRINT_AND_PUBLISHED = """@article{pre,
  title = {Fast Inference}, author = {Roe, Jane},
  journal = {arXiv preprint arXiv:2211.17192}, year = 2022
}
@inproceedings{pub,
  title = {Fast Inference}, author = {Roe, Jane},
  booktitle = {ICML}, year = 2023, eprint = {2211.17192}, archiveprefix = {arXiv}
}
"""


def test_a_new_venue_goes_where_the_old_one_stood_and_a_preprint_stays_one(
    empty_desk: Desk,
) -> None:
    desk = empty_desk
    assert desk.import_bib(PREPRINT_AND_PUBLISHED).papers_new == 1
    desk.edit("pub", "venue=NeurIPS", "year=2024", "title=Faster Inference")
    desk.export()
    wanted = PREPRINT_AND_PUBLISHED.replace("ICML", "NeurIPS").replace("2023", "2024")
    assert desk.read() == wanted.replace("Fast Inf", "Faster Inf")
    assert not desk.export().has_changes
    assert not desk.import_bib().has_changes


BIBLATEX = "@article{k, title={Keys}, journaltitle={Journal of Keys}, date={2001-02}}\n"


@pytest.mark.parametrize(
    ("entry", "old", "new"),
    [
        ("@phdthesis{a, title={On Art}, school={ETH}, year={2018}}", "ETH", "MIT"),
        ("@periodical{a, title={On Art}, journal={AcP}, volume=9}", "AcP", "MIT"),
        ("@bookinarticle{a, title={On Art}, Journaltitle = {AcP}}", "AcP", "MIT"),
        (
            "@inproceedings{a, title={On Art}, journal={Notes}, booktitle={ICA}}",
            "{Notes}",
            "{MIT}",
        ),
        ("@book{a, title={On Art}, school={ETH}}", "{ETH}", "{ETH}, booktitle={MIT}"),
        (
            "@manual{a, title={On Art}, institution={ETH}, howpublished={Leaflet}}",
            "{Leaflet}",
            "{Leaflet}, booktitle={MIT}",
        ),
    ],
)
@pytest.mark.parametrize("other", ["", BIBLATEX])
def test_a_new_venue_stands_where_the_entry_says_one_and_other_fields_stay(
    empty_desk: Desk, other: str, entry: str, old: str, new: str
) -> None:
    desk = empty_desk
    desk.import_bib(f"{other}{entry}\n")
    desk.edit("a", "venue=MIT")
    desk.export()
    assert desk.read() == f"{other}{entry.replace(old, new)}\n"
    assert not desk.import_bib().has_changes


@pytest.mark.parametrize(
    ("entry", "first", "second"),
    [
        ("@article{a, title={On Art}}", "@article", "@article"),
        ("@article{a, title={On Art}, eprint={2309.06180}}", "@article", "@inproceedings"),
        ("@misc{a, title={On Art}}", "@article", "@inproceedings"),
        ("@unpublished{a, title={On Art}, note={Draft}}", "@article", "@inproceedings"),
        ("@online{a, title={On Art}, urldate={2020-01-02}}", "@article", "@inproceedings"),
        ("@techreport{a, title={On Art}}", "@techreport", "@techreport"),
    ],
)
def test_a_venue_makes_another_type_only_of_what_has_no_place_for_it_or_was_a_preprint(
    empty_desk: Desk, entry: str, first: str, second: str
) -> None:
    desk = empty_desk
    desk.import_bib(f"{entry}\n")
    for venue, wanted in [("Journal of Art", first), ("Workshop on Art", second)]:
        desk.edit("a", f"venue={venue}")
        desk.export()
        assert desk.read().startswith(wanted + "{")
        assert f"={{{venue}}}" in desk.read()
    desk.edit("a", "venue=")
    desk.export()
    assert desk.read() == f"{entry}\n"


def test_what_a_preprint_said_of_its_printing_stays_when_it_is_published(empty_desk: Desk) -> None:
    desk = empty_desk
    desk.import_bib("@misc{a, title={On Art}, howpublished={Leaflet, read at ETH}}\n")
    desk.edit("a", "venue=Nature")
    desk.export()
    assert "howpublished={Leaflet, read at ETH}, journal={Nature}" in desk.read()


def test_a_doi_in_place_of_the_preprint_leaves_its_arxiv_id_known(desk: Desk) -> None:
    desk.replace('journal = "arXiv preprint arXiv:2309.06180"', 'doi = "10.1145/3600006.3613165"')
    desk.import_bib()
    identifiers = {(i.scheme, i.value) for i in desk.paper("kwon:paged").facts.identifiers}
    assert identifiers == {("arxiv", "2309.06180"), ("doi", "10.1145/3600006.3613165")}
    assert not desk.export().has_changes
    assert not desk.import_bib().has_changes


def paper_of_entry(desk: Desk, key: str) -> list[int]:
    return desk.store.select_column("SELECT paper_id FROM entries WHERE key = ?", (key,))


def add_twin(desk: Desk, citekey: str, of: str) -> None:
    """Have the library hold a work once more, as after a merge that another device undid."""
    facts = desk.paper(of).facts._replace(identifiers=())
    with desk.store.action("add", citekey):
        add_new_papers(desk.store, [NewPaper(facts, citekey)], source="reader")


def test_an_entry_with_the_key_of_its_works_other_paper_is_that_ones(desk: Desk) -> None:
    add_twin(desk, "vaswani2017", of="vaswani")
    desk.replace("{vaswani,", "{vaswani2017,")
    assert desk.import_bib().conflicts == ()
    assert paper_of_entry(desk, "vaswani2017") == [desk.id("vaswani2017")]
    assert not desk.export().has_changes
    assert not desk.import_bib().has_changes


def test_an_entry_with_the_key_of_another_work_gets_its_own_back(desk: Desk) -> None:
    other = Desk(desk.store, desk.library, desk.bib.with_name("other.bib"))
    other.import_bib("@misc{cheese, title={A History of Cheese}, eprint={2401.00001}}")
    desk.replace("{kwon:paged,", "{cheese,")
    desk.import_bib()
    assert paper_of_entry(desk, "cheese") == [desk.id("kwon:paged"), desk.id("cheese")]
    export_registered(desk.store, desk.library, "bibtex")
    assert desk.read() == REFS
