"""Three versions of a .bib file made one: nothing is lost, doubled or torn."""

import re
from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from papertrack.documents.bibtex.blocks import Block, read_blocks
from papertrack.documents.bibtex.merge import merge_bibs
from papertrack.documents.bibtex.names import unquoted
from papertrack.documents.merge import Labels, Merged, merge_lines
from tests.timing import assert_seconds

BASE = """% A head
@string{jd = "J. Doors"}

@article{alpha,
  title = {Of Doors},
  year  = 2001,
}

@book{beta,
  title = {Of Windows},
  year  = 2002,
}

@xdata{press,
  publisher = {Press},
}
"""


def merged(ours: str, theirs: str, base: str = BASE) -> Merged:
    found = merge_bibs(base, ours, theirs, Labels())
    assert_no_block_is_torn(found.text)
    return found


def assert_no_block_is_torn(text: str) -> None:
    conflicts = re.findall(r"(?ms)^<{7} .*?^>{7} [^\n]*\n?", text)
    assert all(one.count("<<<<<<< ") == 1 for one in conflicts)
    for side in (r"(?ms)^<{7} [^\n]*\n(.*?)^={7}\n.*?^>{7} [^\n]*(?:\n|\Z)",
                 r"(?ms)^<{7} [^\n]*\n.*?^={7}\n(.*?)^>{7} [^\n]*(?:\n|\Z)"):  # fmt: skip
        one = re.sub(side, r"\1", text)
        assert not [block for block in read_blocks(one) if block.kind == "broken"]
        keys = Counter(block.key for block in entries_of(one) if block.key)
        assert max(keys.values(), default=1) == 1


def added(text: str, more: str) -> str:
    return text + "\n" + more


@pytest.mark.parametrize(
    "block",
    [
        "@xdata{x%,\n  publisher = {Press %},\n  location = {Rome},\n}\n",
        "@set{s%,\n  entryset = {alpha,beta},\n  note = {%},\n}\n",
        "@string{j% =\n  \"Journal %\"\n}\n",
        "@misc{,\n  title = {Keyless %},\n  year = 2020\n}\n",
        "@preamble{\"\\newcommand{\\x%}{}\"\n}\n",
        "@comment{jabref-meta: sort%:\nkey;\n}\n",
        "@comment{\nfree words %\n}\n",
        "%@misc{hidden%,\n  title = {H%},\n}\n",
    ],
)  # fmt: skip
def test_a_block_of_any_type_is_one_piece(block: str) -> None:
    one, two = block.replace("%", "1", 3), block.replace("%", "2", 3)
    if block.startswith("%"):
        one, two = (f"%{x[1:]}" for x in (one, two))
    found = merged(added(BASE, one), added(BASE, two))
    assert (found.text, found.conflicts) == (added(added(BASE, one), two), 0)


def test_what_both_add_differently_under_one_name_is_a_conflict() -> None:
    for one, two in (('@string{x = "A"}\n', '@string{x = "B"}\n'),
                     ("@misc{x, year=1}\n", "@misc{x, year=2}\n")):  # fmt: skip
        found = merged(added(BASE, one), added(BASE, two))
        end = f"<<<<<<< ours\n{one}=======\n{two}>>>>>>> theirs\n"
        assert (found.text, found.conflicts) == (added(BASE, end), 1)


def test_both_may_have_sorted_anew_and_edited() -> None:
    parts = re.split(r"\n\n", BASE.strip())
    ours = "\n\n".join([parts[0], *reversed(parts[1:])]) + "\n"
    theirs = BASE.replace("2001", "2011")
    assert merged(ours, theirs).text == ours.replace("2001", "2011")
    assert merged(theirs, ours).text == ours.replace("2001", "2011")


def test_a_new_layout_is_no_conflict_with_an_edit() -> None:
    ours = BASE.replace(
        "  title = {Of Doors},\n  year  = 2001,", '\ttitle="Of Doors",\n\tyear={2001}'
    )
    theirs = BASE.replace("Of Doors", "Of Great Doors")
    expected = ours.replace('"Of Doors"', "{Of Great Doors}")
    assert merged(ours, theirs) == Merged(expected, 0)
    assert merged(theirs, ours) == Merged(theirs, 0)


def test_each_side_may_add_a_last_field_and_change_others() -> None:
    ours = BASE.replace("2001,\n", "2001,\n  doi   = {10.1/a},\n").replace("@book", "@Manual")
    theirs = BASE.replace("2001,\n", "2001,\n  pages = {1--9},\n").replace("  year  = 2002,\n", "")
    found = merged(ours, theirs)
    assert found.conflicts == 0
    assert "2001,\n  doi   = {10.1/a},\n  pages = {1--9},\n}" in found.text
    assert "@Manual{beta,\n  title = {Of Windows},\n}" in found.text


def test_an_edit_finds_an_entry_that_got_another_key() -> None:
    ours = BASE.replace("{alpha", "{doe2001doors")
    theirs = BASE.replace("2001", "2011")
    expected = ours.replace("= 2001", "= 2011")
    assert [merged(ours, theirs), merged(theirs, ours)] == [Merged(expected, 0)] * 2


def test_what_one_side_deleted_and_the_other_edited_is_a_conflict() -> None:
    beta = "@book{beta,\n  title = {Of Windows},\n  year  = 2002,\n}\n"
    found = merged(BASE.replace(beta + "\n", ""), BASE.replace("2002", "2012"))
    assert found.conflicts == 1
    assert f"<<<<<<< ours\n=======\n{beta.replace('2002', '2012')}>>>>>>> theirs\n" in found.text
    assert merged(BASE.replace(beta + "\n", ""), BASE) == Merged(BASE.replace(beta + "\n", ""), 0)


def test_a_file_with_a_block_that_does_not_end_is_merged_by_lines() -> None:
    broken = BASE + "@misc{open, title={x\n"
    found = merge_bibs(
        broken, broken.replace("2001", "2003"), broken.replace("2002", "2004"), Labels()
    )
    assert found == Merged(broken.replace("2001", "2003").replace("2002", "2004"), 0)


def entries_of(text: str) -> list[Block]:
    return [block for block in read_blocks(text) if block.kind == "entry"]


def library(number: int) -> list[str]:
    return [
        f"@article{{k{n},\n  title = {{A Work of Number {n}}},\n  year = {2000 + n},\n}}"
        for n in range(number)
    ]


def changed(entries: list[str], side: str, random: Random) -> list[str]:
    """What somebody makes of a library, in which each side edits its own fields."""
    made = []
    for entry in entries:
        what = random.randrange(8)
        if what == 0:
            continue
        if what in (1, 2):
            entry = entry.replace("\n}", f"\n  note{side} = {{of {side}}},\n}}")
        if what == 3:
            entry = entry.replace("title = {", "title   =   {").replace("  year", "\tyear")
        if what == 4:
            entry = re.sub(r"\{(k\d+),", rf"{{{side}\1,", entry)
        made.append(entry)
    made += [f"@misc{{{side}{n},\n  title = {{New {n} of {side}}},\n}}" for n in range(3)]
    if random.randrange(2):
        random.shuffle(made)
    return made


@given(st.integers(0, 10**9), st.integers(0, 12))
def test_no_edits_of_two_sides_lose_or_double_anything(seed: int, number: int) -> None:
    random = Random(seed)
    base = library(number)
    sides = [changed(base, side, random) for side in ("a", "b")]
    texts = ["\n\n".join(entries) + "\n" for entries in (base, *sides)]
    found = merge_bibs(texts[0], texts[1], texts[2], Labels())
    assert_no_block_is_torn(found.text)
    titles = [{title_of(one) for one in entries_of(text)} for text in texts]
    kept = (titles[1] & titles[2]) | (titles[1] | titles[2]) - titles[0]
    result = re.sub(r"(?m)^(?:<{7} .*|={7}|>{7} .*)\n", "", found.text)
    counts = Counter(title_of(one) for one in entries_of(result))
    assert kept <= set(counts) <= titles[1] | titles[2]
    gone = [one for text in texts[1:] for one in entries_of(text) if title_of(one) not in counts]
    assert not [one for one in gone if "note" in one.raw]
    for text, note in zip(texts[1:], (r"notea *=", r"noteb *="), strict=True):
        assert len(re.findall(note, text)) <= len(re.findall(note, result))
    if not found.conflicts:
        assert max(counts.values(), default=1) == 1


def title_of(entry: Block) -> str:
    return next(unquoted(one.value, {}) for one in entry.fields if one.name == "title")


def test_thousands_of_equal_lines_are_merged_without_comparing_each_with_each() -> None:
    base = "x = y\n" * 8000

    def merge() -> None:
        assert merge_lines(base, base[6:], "z\n" + base, Labels()).text == "z\n" + base[6:]

    assert_seconds(5, merge)  # Each with each takes a minute.


ONE, TWO = "@misc{one, title = {First}, note = {n1}}", "@misc{two, title = {Second}, note = {n2}}"
EXCHANGED = f"{ONE}\n\n{TWO}\n".replace("{one", "{1").replace("{two", "{one").replace("{1", "{two")


def test_an_edit_finds_its_entry_where_two_have_exchanged_their_keys() -> None:
    base = f"{ONE}\n\n{TWO}\n"
    edited = base.replace("n1", "read")
    for sides in ((EXCHANGED, edited), (edited, EXCHANGED)):
        made = merged(*sides, base=base)
        assert (made.text, made.conflicts) == (EXCHANGED.replace("n1", "read"), 0)
    both = merged(EXCHANGED, EXCHANGED.replace("n1", "read"), base=base)
    assert (both.text, both.conflicts) == (EXCHANGED.replace("n1", "read"), 0)


def test_nothing_is_lost_where_both_sides_exchange_keys_otherwise() -> None:
    base = f"{ONE}\n\n{TWO}\n\n@misc{{three, title = {{Third}}}}\n"
    turned = base.replace("{two", "{3").replace("{three", "{two").replace("{3", "{three")
    ours, theirs = EXCHANGED + base.partition("n2}\n")[2], turned.replace("n2", "read")
    made = merged(ours, theirs, base=base)
    assert made.conflicts == 3
    for side in (1, 2):
        chosen = re.sub(r"(?s)<{7} ours\n(.*?)={7}\n(.*?)>{7} theirs\n", rf"\{side}", made.text)
        raws = [{block.raw for block in read_blocks(one)} for one in (chosen, ours, theirs)]
        assert raws[0] == raws[side]
    added = "@misc{four, title = {Fourth}}\n"
    made = merged(ours, theirs + added, base=base)
    assert made.text.endswith(f">>>>>>> theirs\n{added}")
