"""What is undone gives a .bib file its bytes back."""

from papertrack.actions.documents import export_registered, import_file
from papertrack.actions.organise import merge_two_papers, remove_papers
from papertrack.actions.reading import mark_pass
from tests.bibtex_actions.conftest import REFS, Desk

LISTED = r"""@string{icml = {Proc. of ICML}}

@InProceedings{leviathan,
  title     = {Fast Inference from Transformers via {S}peculative {D}ecoding},
  author    = {Leviathan, Yaniv and Kalman, Matan},
  booktitle = icml,
  year      = 2023,
  eprint    = {2211.17192},
  mynote    = {read twice},
}

@misc{other, title={Something Else}, eprint={2302.01318}, archiveprefix={arXiv}, year=2023}
"""
README = "# List\n\n- [Speculative Decoding](https://arxiv.org/abs/2211.17192)\n"


def test_a_title_of_another_list_that_is_undone_leaves_the_bib_its_own(desk: Desk) -> None:
    readme = desk.bib.with_name("README.md")
    readme.write_text(README)
    import_file(desk.store, desk.library, readme)
    desk.import_bib(LISTED)
    desk.edit("leviathan", "title=Another Title")
    for kind in ("bibtex", "markdown"):
        export_registered(desk.store, desk.library, kind)  # type: ignore[arg-type]
    assert "Another Title" in desk.read() + readme.read_text()
    desk.store.undo()
    for kind in ("bibtex", "markdown"):
        export_registered(desk.store, desk.library, kind)  # type: ignore[arg-type]
    assert (desk.read(), readme.read_text()) == (LISTED, README)


def test_an_undone_merge_gives_both_entries_back_as_they_were(desk: Desk) -> None:
    desk.import_bib(LISTED)
    merge_two_papers(desk.store, desk.id("other"), desk.id("leviathan"))
    desk.export()
    desk.undo()
    assert desk.read() == LISTED


def test_edits_and_removals_of_several_exports_are_undone_without_a_trace(desk: Desk) -> None:
    for number, key in enumerate(("vaswani", "knuth"), start=1):
        desk.edit(key, f"title=Some Title {number}", "year=1999")
        desk.export()
        remove_papers(desk.store, [desk.id(key)])
        mark_pass(desk.store, [desk.id("kwon:paged")], number)
        desk.export()
    desk.undo(6)
    assert desk.read() == REFS


def test_an_entry_removed_and_brought_back_after_others_changed_is_there(desk: Desk) -> None:
    remove_papers(desk.store, [desk.id("vaswani")])
    removal = desk.store.select_value("SELECT max(id) FROM actions")
    desk.export()
    desk.edit("knuth", "year=1985")
    desk.export()
    desk.store.undo(removal)
    desk.export()
    assert desk.read() == REFS.replace("year={1984}", "year={1985}")
