"""Two curators' versions of one list made one: both sides' entries, and few markers."""

import re
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from papertrack.documents.bibtex.merge import merge_bibs
from papertrack.documents.markdown.merge import merge_readmes
from papertrack.documents.markdown.read.document import parse_document
from papertrack.documents.merge import Labels, merge_words
from tests.corpus import ROOT, files, needs_corpus, read, some
from tests.timing import assert_seconds

A = "- [Alpha Networks](https://arxiv.org/abs/2401.00001)\n"
B = "- [Beta Networks](https://arxiv.org/abs/2401.00002)\n"
C = "- [Gamma Networks](https://arxiv.org/abs/2401.00003)\n"
D = "- [Delta Networks](https://arxiv.org/abs/2401.00004)\n"
HEAD = "# List\n\n## Nets\n\n"


def merged(base: str, ours: str, theirs: str) -> str:
    """The merged text, of which both sides make the same but for the order; without conflicts."""
    found = merge_readmes(base, ours, theirs, Labels())
    assert found.conflicts == 0, found.text
    assert "<<<<<<<" not in found.text
    return found.text


def conflicts(base: str, ours: str, theirs: str) -> tuple[int, str]:
    found = merge_readmes(base, ours, theirs, Labels())
    return found.conflicts, found.text


def test_what_both_added_in_one_place_is_kept_ours_first() -> None:
    assert merged(HEAD + A, HEAD + A + B, HEAD + A + C) == HEAD + A + B + C


def test_what_one_side_left_alone_is_the_others() -> None:
    assert merged(HEAD + A, HEAD + A, HEAD + A + C) == HEAD + A + C
    assert merged(HEAD + A, HEAD + A + C, HEAD + A) == HEAD + A + C
    assert merged(HEAD + A + B, HEAD + A, HEAD + A + B) == HEAD + A


def test_what_both_added_alike_stands_once() -> None:
    assert merged(HEAD + A, HEAD + A + B, HEAD + A + C + B) == HEAD + A + B + C


def test_an_entry_that_both_edited_is_merged_by_its_words() -> None:
    ours = HEAD + A.replace("\n", " ✅\n") + B
    theirs = HEAD + A.replace("Alpha", "Better Alpha") + B
    assert merged(HEAD + A + B, ours, theirs) == HEAD + (
        "- [Better Alpha Networks](https://arxiv.org/abs/2401.00001) ✅\n" + B
    )


def test_of_two_marks_the_one_that_goes_further_stays() -> None:
    row = "| [Alpha](https://arxiv.org/abs/2401.00001) | {} |\n"
    head = "# L\n\n| Title | Read |\n|---|---|\n"
    versions = [head + row.format(mark) for mark in ("", "✅", "✅ ✅")]
    assert merged(*versions) == versions[2]


def test_only_what_contradicts_stands_between_markers() -> None:
    ours = HEAD + A.replace("Alpha", "First") + B
    theirs = HEAD + A.replace("Alpha", "Last") + B + C
    number, text = conflicts(HEAD + A + B, ours, theirs)
    assert number == 1
    assert text == (
        f"{HEAD}<<<<<<< ours\n{A.replace('Alpha', 'First')}=======\n"
        f"{A.replace('Alpha', 'Last')}>>>>>>> theirs\n{B}{C}"
    )


def test_an_entry_taken_out_by_one_and_edited_by_the_other_is_a_conflict() -> None:
    edited = A.replace("Alpha", "First")
    assert conflicts(HEAD + A + B, HEAD + edited + B, HEAD + B)[0] == 1
    assert conflicts(HEAD + A + B, HEAD + B, HEAD + edited + B)[0] == 1


def test_an_edited_entry_that_one_side_removed_keeps_its_definition() -> None:
    row, definition = "- [Alpha Networks][1]{}\n", "[1]: https://arxiv.org/abs/2401.00001\n"
    base = HEAD + row.format("") + B + "\n" + definition
    edited = base.replace("][1]", "][1] ✅")
    for sides in ((edited, HEAD + B), (HEAD + B, edited)):
        count, text = conflicts(base, *sides)
        assert count == 1
        assert definition in text


def test_a_list_sorted_by_one_keeps_what_the_other_edited_and_added() -> None:
    ours = HEAD + C + B + A
    theirs = HEAD + A + D + B.replace("\n", " ✅\n") + C
    text = merged(HEAD + A + B + C, ours, theirs)
    assert text.count("\n- ") == 4
    assert text.index("Gamma") < text.index("Beta") < text.index("Alpha") < text.index("Delta")
    assert B.replace("\n", " ✅\n") in text


def test_what_was_added_below_an_entry_that_moved_moves_along() -> None:
    base = f"# L\n\n## One\n\n{A}{B}\n## Two\n\n{C}"
    ours = f"# L\n\n## One\n\n{A}{B}{D}\n## Two\n\n{C}"
    theirs = f"# L\n\n## Two\n\n{C}\n## One\n\n{A}{B}"
    text = merged(base, ours, theirs)
    assert text.index("Two") < text.index("One") < text.index("Delta")


def test_new_definitions_with_one_number_get_two() -> None:
    base = "# L\n\n- [Alpha][1]\n\n[1]: https://arxiv.org/abs/2401.00001\n"
    ours = (
        "# L\n\n- [Alpha][1]\n- [Beta][2]\n\n"
        "[1]: https://arxiv.org/abs/2401.00001\n[2]: https://arxiv.org/abs/2401.00002\n"
    )
    theirs = ours.replace("Beta", "Gamma").replace("2401.00002", "2401.00003")
    assert merged(base, ours, theirs) == (
        "# L\n\n- [Alpha][1]\n- [Beta][2]\n- [Gamma][3]\n\n"
        "[1]: https://arxiv.org/abs/2401.00001\n[2]: https://arxiv.org/abs/2401.00002\n"
        "[3]: https://arxiv.org/abs/2401.00003\n"
    )


def test_many_new_numbers_that_collide_are_changed_at_once() -> None:
    def defined(numbers: range, folder: str = "a") -> str:
        lines = (f"[{number}]: https://example.org/{folder}/{number}\n" for number in numbers)
        return "# Papers\n\n- [A Title of Words][1]\n\n" + "".join(lines)

    base, theirs = defined(range(4_000, 8_000)), defined(range(1, 8_000))
    ours = defined(range(4_000, 8_000)) + "[1]: https://example.org/b\n"
    assert_seconds(4, lambda: merge_readmes(base, ours, theirs, Labels()))


def test_numbered_items_that_both_added_count_on() -> None:
    base = HEAD + A.replace("- ", "1. ")
    ours, theirs = base + B.replace("- ", "2. "), base + C.replace("- ", "2. ")
    assert merged(base, ours, theirs) == ours + C.replace("- ", "3. ")


def test_the_later_of_two_days_stays() -> None:
    versions = [
        f"# L\n\nUpdated: {day}\n\n{A}" for day in ("2025-01-02", "2025-03-01", "2025-02-09")
    ]
    assert merged(*versions) == versions[1]


def test_works_that_share_an_address_are_told_apart() -> None:
    one, other, third = (f"- [{name}](https://conf.example/papers)\n" for name in ("Q", "R", "S"))
    assert merged(HEAD + one, HEAD + one + other, HEAD + one + third) == HEAD + one + other + third


def test_a_last_line_without_an_end_gets_one_when_more_follows() -> None:
    base, ours = HEAD + A.rstrip(), HEAD + A + B.rstrip()
    assert merged(base, ours, HEAD + A + C) == HEAD + A + B + C


@pytest.mark.parametrize("text", ["", HEAD, HEAD + A + B, "\n\n", "no list at all"])
def test_a_version_that_equals_the_base_changes_nothing(text: str) -> None:
    other = HEAD + C
    assert merged(text, text, text) == text
    assert merged(text, other, text) == other
    assert merged(text, text, other) == other


def test_words_of_languages_without_blanks_are_merged_too() -> None:
    assert merge_words("深入理解机制", "深入理解权重机制", "深刻理解机制") == "深刻理解权重机制"


def test_entries_of_a_bib_file_are_its_pieces() -> None:
    one = "@article{one,\n  title = {One},\n  year = 2020,\n}\n\n"
    two, three = one.replace("one", "two"), one.replace("one", "three")
    ours = one.replace("2020", "2021") + two
    theirs = one.replace("{One}", "{Number One}") + three
    found = merge_bibs(one, ours, theirs, Labels())
    edited = one.replace("2020", "2021").replace("{One}", "{Number One}")
    assert (found.text, found.conflicts) == (edited + two + three, 0)


def test_lines_that_both_sides_added_in_two_places_stay_in_both() -> None:
    base = f"# L\n\n## One\n\n{A}\n## Two\n\n{B}"
    table = "| Title | Year |\n|---|---|\n| [{}](https://arxiv.org/abs/2401.0000{}) | 2024 |\n"
    note = "<details>\n\n{}\n\n</details>\n"
    for one, two in (
        (table.format("Gamma", 3), table.format("Delta", 4)),
        (note.format("Words"), note.format("Other words")),
    ):
        ours = base.replace(A, f"{A}\n{one}")
        theirs = base.replace(B, f"{B}\n{two}")
        assert merged(base, ours, theirs) == ours.replace(B, f"{B}\n{two}")
        assert merged(base, theirs, ours) == ours.replace(B, f"{B}\n{two}")


CONFLICTS = [path.parent for path in some(files("merges/conflicts/*/base.md"), "merge", 40)]


def works(text: str) -> Counter[object]:
    return Counter(one.identifiers or one.fields.title for one in parse_document(text).entries)


@needs_corpus
@pytest.mark.parametrize("folder", CONFLICTS, ids=lambda folder: folder.name[:60])
def test_the_conflicts_of_real_curators_keep_the_entries_of_both(folder: Path) -> None:
    paths = [folder / f"{name}.md" for name in ("ours", "base", "theirs")]
    ours, base, theirs = map(read, paths)
    found = merge_readmes(base, ours, theirs, Labels())
    added = (works(ours) - works(base)) | (works(theirs) - works(base))
    assert not added - works(found.text)
    assert works(base) & works(ours) & works(theirs) <= works(found.text)
    by_git = subprocess.run(["git", "merge-file", "-p", *paths], capture_output=True, check=False)
    assert in_markers(found.text) * 2 <= in_markers(by_git.stdout.decode())


def in_markers(text: str) -> int:
    """The lines that somebody has to decide about."""
    return sum(block.count("\n") for block in re.findall(r"(?ms)^<{7} .*?^>{7} ", text))


@needs_corpus
def test_a_real_conflict_of_a_bib_file_is_merged_as_its_maintainer_did() -> None:
    assert ROOT is not None
    (folder,) = (path.parent for path in files("merges/conflicts/*/base.bib"))
    versions = [read(folder / f"{name}.bib") for name in ("base", "ours", "theirs", "resolved")]
    assert merge_bibs(*versions[:3], Labels()).text == versions[3]
