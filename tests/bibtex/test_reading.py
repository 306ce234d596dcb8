import pytest

from papertrack.documents.bibtex.facts import BibEntry
from papertrack.documents.bibtex.parse import parse_bibtex
from papertrack.exporters.bibtex import names_of, tree_of


def entry_with(fields: dict[str, str]) -> BibEntry:
    said = "".join(f", {name} = {{{value}}}" for name, value in fields.items())
    (entry,) = parse_bibtex(f"@misc{{key{said}}}").entries
    return entry


def reading_of(entry: BibEntry) -> tuple[object, ...]:
    return entry.tags, entry.passes_done, entry.rating, entry.facts.description


NOTHING = ((), 0, None, None)


def test_nothing_is_noted_where_no_tool_noted_it() -> None:
    assert reading_of(entry_with({"title": "T"})) == NOTHING


def test_jabrefs_reading_state_is_read() -> None:
    entry = entry_with(
        {"readstatus": "skimmed", "ranking": "rank4", "priority": "prio2", "review": "Good.\n\nYes"}
    )
    assert reading_of(entry) == (("prio2",), 1, 4, "Good.\n\nYes")
    assert entry_with({"readstatus": "read"}).passes_done == 2
    unknown = {"readstatus": "?", "ranking": "rank9", "priority": "prio0"}
    assert reading_of(entry_with(unknown)) == NOTHING


@pytest.mark.parametrize(
    ("fields", "tags"),
    [
        ({"keywords": "a, b c,,a"}, ("a", "b c")),
        ({"keywords": "a, b; c"}, ("a, b", "c")),
        ({"keywords": '{GPU}, K{\\"o}ln', "mendeley-tags": "x"}, ("GPU", "Köln", "x")),
    ],
)
def test_keywords_become_tags(fields: dict[str, str], tags: tuple[str, ...]) -> None:
    assert entry_with(fields).tags == tags


GROUPS = r"""
@misc{a, groups = {Deep, Unknown}}
@misc{b, title = {In the old way}}
@Comment{jabref-meta: grouping:
0 AllEntriesGroup:;
1 StaticGroup:LLM\;0\;1\;0x6d74baff\;\;A group\;;
2 StaticGroup:Deep\;0\;1\;\;\;\;;
1 KeywordGroup:Search\;0\;author\;X\;0\;0\;;
2 StaticGroup:Below a search\;0\;;
1 ExplicitGroup:Old\;0\;b\;c\;;
}
"""


def test_jabref_groups_become_categories_by_their_path() -> None:
    library = parse_bibtex(GROUPS)
    assert library.groups == (("LLM",), ("LLM", "Deep"), ("Below a search",), ("Old",))
    assert library.entries[0].categories == (("LLM", "Deep"), ("Unknown",))
    assert library.entries[1].categories == (("Old",),)


def test_an_entry_is_in_each_group_of_the_name_that_it_gives() -> None:
    tree = (
        "@comment{jabref-meta: grouping:\n0 AllEntriesGroup:;\n1 StaticGroup:A\\;0;\n"
        "2 StaticGroup:Lamps\\;0;\n1 StaticGroup:B\\;0;\n2 StaticGroup:Lamps\\;0;\n}"
    )
    (entry,) = parse_bibtex("@misc{a, title = {A work}, groups = {lamps}}\n" + tree).entries
    assert entry.categories == (("A", "Lamps"), ("B", "Lamps"))


def test_groups_that_an_export_told_apart_by_their_paths_come_back_with_their_name() -> None:
    paths = [("A", "Lamps"), ("B", "Lamps"), ("B", "Lamps", "Lamps"), ("B", "Suns - old")]
    names = names_of(paths)
    entries = "".join(
        f"@misc{{e{at}, title = {{Work {at}}}, groups = {{{names[path]}}}}}\n"
        for at, path in enumerate(paths)
    )
    library = parse_bibtex(entries + tree_of(names))
    assert [entry.categories for entry in library.entries] == [(path,) for path in paths]
    assert set(library.groups) == {*paths, ("A",), ("B",)}


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize("width", [1, 7, 30, 31, 70])
def test_a_tree_of_groups_folded_anywhere_keeps_its_names_and_keys(
    width: int, line_end: str
) -> None:
    keys = [f"Person_{year}_Work" for year in range(1970, 1990)]
    tree = "1 ExplicitGroup:Read in Spring\\;0\\;" + "\\;".join(keys) + "\\;;"
    folded = line_end.join(tree[at : at + width] for at in range(0, len(tree), width))
    entries = "".join(f"@misc{{{key}, title = {{A work}}}}\n" for key in keys)
    comment = f"@comment{{jabref-meta: grouping:{line_end}0 AllEntriesGroup:;{line_end}{folded}}}"
    library = parse_bibtex(entries + comment)
    assert library.groups == (("Read in Spring",),)
    assert [entry.categories for entry in library.entries] == [(("Read in Spring",),)] * len(keys)


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (r"\href{https://example.org/a_b}{A Linked Title} of Note", "A Linked Title of Note"),
        (r"{\SortNoop{b}}Title\thanks{To all}\footnote{Or not}", "Title"),
        (r"\textcolor{red}{Red} and \color{blue} Blue", "Red and Blue"),
        (r"Wide\hspace{2pt}Words and\kern1pt More", "Wide Words and More"),
        (r"A\kern-.1em B\hspace*{1em}C", "A B C"),
        (r"On \foreignlanguage{ngerman}{Gr{\"u}ne W{\"a}lder}", "On Grüne Wälder"),
        (r"\selectlanguage{french}\'Etudes", "Études"),
        (r"\og Les mots\fg{} d'abord, n\textsuperscript{o}~5", "« Les mots » d'abord, nᵒ 5"),
        (r"{\t oo} and \t{ia}, {\f a} and {\G e}", "o͡o and i͡a, ȃ and ȅ"),
        (r"The {\cb{S}}tefan and \cb{t} Forms", "The Ștefan and ț Forms"),
        (r"Tr\h{a} l\h{\ohorn}i, \uhorn{}ng", "Trả lởi, ưng"),
        ("Tenth Work &amp; Its HTML &lt;i&gt;x&lt;/i&gt;", "Tenth Work & Its HTML x"),
        (r"R\&amp;D and R&D, &c; Ren&eacute;e &#x2F; &#228;", "R&amp;D and R&D, &c; Renée / ä"),
        (
            "<i>In Vitro</i> Work<sub>2</sub> of CO<SUB>2</SUB> <b>now</b>",
            "In Vitro Work₂ of CO₂ now",
        ),
        ("a < b and b > c", "a < b and b > c"),
    ],
)
def test_what_is_shown_has_no_markup(written: str, read: str) -> None:
    (entry,) = parse_bibtex(f"@misc{{a, title = {{{written}}}}}").entries
    assert entry.facts.title == read
