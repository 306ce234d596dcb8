"""What an entry stands on is kept with it: as much as says the same, and no more than that."""

from collections.abc import Callable

import pytest

from papertrack.documents.bibtex.edit import with_key
from papertrack.documents.bibtex.gather import SourceEntry, gathered
from papertrack.documents.bibtex.grounds import MOST, with_references
from papertrack.documents.bibtex.parse import parse_bibtex, parse_whole
from tests.counting import calls_of

WORK = "title={{Title}}, author={{Ann Bee}}, year={{2001}}"


def whole(text: str, number: int = 0) -> str:
    return parse_bibtex(text).entries[number].whole


@pytest.mark.parametrize(
    "preamble",
    [r'"\input{macros}"', r"{\input macros }", r'"\InputIfFileExists{macros}{}{}" # "\relax"'],
)
def test_a_preamble_that_takes_a_file_in_comes_along_with_commands_that_are_not_defined_here(
    preamble: str,
) -> None:
    text = (
        f"@preamble{{{preamble}}}\n"
        r"""@preamble{"\newcommand{\noopsort}[1]{}"}
@misc{a, title={On \ours{things}}}
@misc{b, title={On \noopsort{x}things}}
@misc{c, title={On things}}"""
    )
    assert [text.count("@preamble") for text in map(whole, [text] * 3, range(3))] == [1, 1, 0]
    assert preamble in whole(text, 0)
    assert "noopsort" in whole(text, 1)


RUNS = r"\immediate\write18{x}"


@pytest.mark.parametrize(
    "text",
    [
        f'@string{{p = "{"x" * 6000}{RUNS}"}}\n@preamble{{p # "\\ours"}}',
        f'@string{{p = "{"x" * 20_000}"}}\n@string{{q = p # p # p # p # p # "{RUNS}"}}\n'
        '@preamble{q # "\\ours"}',
        f'@string{{p = "{RUNS}"}}\n@preamble{{p # "\\ours"}}\n@string{{p = "harmless"}}',
    ],
    ids=["behind a long text", "behind an expanded text", "defined anew below"],
)
def test_a_preamble_that_runs_programs_stays_behind_wherever_that_is_hidden(text: str) -> None:
    assert "write18" not in whole(text + r"@misc{a, title={On \ours{things}}}")


def ring(count: int) -> str:
    one = "@inproceedings{{k{:04}, crossref={{k{:04}}}, " + WORK + "}}"
    return "\n".join(one.format(n, (n + 1) % count) for n in range(count))


def related(count: int) -> str:
    one = "@book{{k{}, related={{k{}}}, " + WORK + "}}"
    return "\n".join(one.format(n, (n + 1) % count) for n in range(count))


def members(count: int) -> str:
    one = "@book{{k{}, " + WORK + "}}"
    keys = ",".join(f"k{n}" for n in range(count))
    return "\n".join([f"@set{{s, entryset={{{keys}}}}}", *map(one.format, range(count))])


def children_of_a_long_one(count: int) -> str:
    one = "@inproceedings{{k{}, crossref={{p}}, " + WORK + "}}"
    parent = f"@proceedings{{p, title={{P}}, note={{{'long ' * 300 * count}}}}}"
    return "\n".join([*map(one.format, range(count)), parent])


def chain(count: int) -> str:
    strings = ['@string{s0 = "x"}', *(f"@string{{s{n} = s{n - 1}}}" for n in range(1, count))]
    one = f"@book{{{{k{{}}, publisher=s{count - 1}, {WORK}}}}}"
    return "\n".join([*strings, *map(one.format, range(count))])


def preambles(count: int) -> str:
    one = "@book{{k{}, publisher={{\\x A}}, " + WORK + "}}"
    return "\n".join(['@preamble{"\\def\\x{}"}'] * count + [*map(one.format, range(count))])


def of_parents(count: int) -> str:
    return ring(count).replace("{k0000}", "{none}")


@pytest.mark.parametrize("made", [ring, of_parents])
def test_as_many_more_entries_that_name_each_other_are_as_much_more_work_to_write(
    made: Callable[[int], str],
) -> None:
    def calls(count: int) -> int:
        raws = [entry.raw for entry in parse_bibtex(made(count)).entries]
        owns = [SourceEntry(f"k{n:04}", raw, "main.bib") for n, raw in enumerate(raws)]
        return calls_of(lambda: gathered(owns))

    calls(MOST)  # What is found out once.
    few, more, most = (calls(MOST * times) for times in (2, 3, 4))
    assert most - more < 1.2 * (more - few)


def test_the_entry_of_such_a_text_is_read_without_those_that_it_names() -> None:
    text = whole(ring(MOST))
    assert parse_whole(text) == parse_bibtex(text).entries[0]
    again = f"{text}\n"  # What was parsed above is remembered.
    assert 2 * calls_of(lambda: parse_whole(again)) < calls_of(lambda: parse_bibtex(again))


@pytest.mark.parametrize("made", [ring, related, members, children_of_a_long_one, chain, preambles])
def test_as_many_more_entries_are_as_much_more_work_and_text(
    made: Callable[[int], str],
) -> None:
    def cost(count: int) -> tuple[int, int]:
        text = made(count)
        size = sum(len(entry.whole) for entry in parse_bibtex(text).entries)
        return calls_of(lambda: parse_bibtex(f"{text}\n")), size  # Not what is remembered.

    cost(MOST)  # What is found out once.
    few, more, most = (cost(MOST * times) for times in (2, 3, 4))
    for one, two, three in zip(few, more, most, strict=True):
        assert three - two < 1.2 * (two - one)


def test_an_entry_that_names_too_many_says_so_and_is_read_all_the_same() -> None:
    entries = parse_bibtex(ring(MOST + 1)).entries
    assert all("refers to so many entries" in entry.problems[0] for entry in entries)
    assert {entry.facts.title for entry in entries} == {"Title"}
    assert not any(entry.problems for entry in parse_bibtex(ring(MOST)).entries)


def test_strings_that_need_many_others_are_spelled_out() -> None:
    text = whole(chain(MOST + 10))
    assert text.count("@string") <= MOST
    assert parse_bibtex(text).entries[0].fields == parse_bibtex(chain(MOST + 10)).entries[0].fields
    assert whole(chain(MOST)).count("@string") == MOST


def test_a_new_key_stays_in_the_groups_that_list_it() -> None:
    tree = r"""@comment{jabref-meta: groupstree:
0 AllEntriesGroup:;
1 ExplicitGroup:a\;0\;a\;b\;;
1 StaticGroup:Others\;0\;1\;;
}
"""
    entry = "@misc{a, title={T}}"
    text = with_references(f"{with_key(entry, 'new')}\n{tree}", {"a": "new"})
    assert text.partition("\n")[2] == tree.replace(r"0\;a\;", r"0\;new\;")
    assert parse_bibtex(text).entries[0].categories == (("a",),)
