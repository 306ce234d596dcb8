"""What imports and `papertrack merge` make of entries that look alike: 780 pairs, of 52 kinds.

The pairs are those of `tests/matching/entries.py`: 390 of two works (parts, volumes, chapters and
books, theses and articles, versions, errata, replies, reprints, copied DOIs, namesakes, one word
apart) and 390 of one work (preprint and print, other spellings, other titles, slips). They are
imported in two files of one library. Printed are how many of two works are joined (none may be),
what share of one work is joined or listed (at least 95 %) and of what is listed is true (at least
98 %); then how the time grows for titles that are all the same.
Run by hand: python benchmarks/look_alikes.py
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from limits import exit_code  # noqa: E402

from papertrack.actions.documents import import_file  # noqa: E402
from papertrack.actions.duplicates import find_duplicates  # noqa: E402
from papertrack.library import Library  # noqa: E402
from papertrack.store.store import Store  # noqa: E402
from tests.fresh_store import fresh_store  # noqa: E402
from tests.matching.entries import ONE_WORK, TWO_WORKS, pairs  # noqa: E402
from tests.matching.test_library import listed_pairs, taken  # noqa: E402
from tests.matching.titles import HELD_OUT, TUNED_ON  # noqa: E402
from tests.store.conftest import ticking_clock  # noqa: E402

PAIRS = 390
SEED = 2026
EQUAL = 1_000
MOST_WRONG, LEAST_SEEN, LEAST_TRUE = 0, 0.95, 0.98
MOST_GROWTH = 2.5
"""How much longer twice as many equal titles may take."""


def opened(folder: Path) -> Store:
    return fresh_store(folder / "data" / "papertrack.db", now=ticking_clock())


def measure_pairs(folder: Path) -> tuple[int, float, float]:
    two = list(pairs((*TUNED_ON, *HELD_OUT), TWO_WORKS, PAIRS, SEED))
    # By another chance, else one work of these has the title, people and year of one of those.
    one = list(pairs((*TUNED_ON, *HELD_OUT), ONE_WORK, PAIRS, SEED + 1))
    with opened(folder) as store:
        wrong = taken(store, folder, two, "two", files=2)
        joined = taken(store, folder, one, "one", files=2)
        listed = listed_pairs(store)
    names = [frozenset((f"one{n}a", f"one{n}b")) for n in range(PAIRS)]
    missed = [n for n in range(PAIRS) if n not in joined and names[n] not in listed]
    false = listed - {*names}
    print("joined, of two works:", Counter(two[n].kind for n in wrong) or "none")
    print("missed, of one work:", Counter(one[n].kind for n in missed) or "none")
    told = [min(name) for name in false if min(name)[:3] == "two"]
    print("listed, of two works:", Counter(two[int(name[3:-1])].kind for name in told) or "none")
    return len(wrong), 1 - len(missed) / PAIRS, 1 - len(false) / len(listed)


def seconds_for_equal(folder: Path, count: int) -> float:
    """How long an import and a list take of so many works of one title."""
    text = "\n".join(
        f"@article{{k{n}, title = {{Annual Report on the State of Things}}, "
        f"author = {{Roe, Ann and Family{n}, Bo}}, year = {{{1900 + n % 100}}}, volume = {{{n}}}}}"
        for n in range(count)
    )
    path = folder / f"equal{count}.bib"
    path.write_text(text, encoding="utf-8")
    with opened(folder) as store:
        started = time.perf_counter()
        import_file(store, Library(folder), path)
        find_duplicates(store)
        return time.perf_counter() - started


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        wrong, seen, true = measure_pairs(Path(folder))
    print(f"{2 * PAIRS} pairs: {wrong} of two works joined; of one work {seen:.1%} seen; "
          f"{true:.1%} of what is listed is true")  # fmt: skip
    times = []
    for count in (EQUAL, 2 * EQUAL, 4 * EQUAL):
        with tempfile.TemporaryDirectory() as folder:
            times.append(seconds_for_equal(Path(folder), count))
        print(f"{count:,} works of one title: {times[-1]:.1f} s")
    return exit_code(
        ("two works joined", wrong, MOST_WRONG),
        ("one work missed", 1 - seen, 1 - LEAST_SEEN),
        ("false among the listed", 1 - true, 1 - LEAST_TRUE),
        ("growth of the time with twice the titles", times[2] / times[1], MOST_GROWTH),
    )


if __name__ == "__main__":
    sys.exit(main())
