"""Find in public PDFs what pdftotext reads: `python benchmarks/pdfs.py [FOLDER] [--pdfs N]`.

FOLDER holds PDFs; without it they come from the documentation packages of Debian that are named
below, downloaded and unpacked into a folder of the benchmark's own (apt-get and dpkg are needed,
and pdftotext in any case). Phrases of five words of a sentence are drawn from what pdftotext reads
of a page, and must be found on that page, with a sentence. Also measured: processor time to index
2,000 pages, bytes a page, milliseconds for a phrase and for the sentences of its first twenty
pages.
"""

from __future__ import annotations

import argparse
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from limits import exit_code

from papertrack.pdfs.passages import sentence_with
from papertrack.pdfs.reader import PdfReader, UnreadablePdf
from papertrack.store.pdfs import PdfIndex, open_index
from papertrack.store.store import Store

PACKAGES = ("texlive-latex-recommended-doc", "texlive-latex-base-doc", "libtasn1-doc")
PHRASES_A_FILE = 3
WORD = re.compile(r"[^\W\d_]{2,}[,)]?")


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--pdfs", type=int, default=120)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        files = sorted((options.folder or downloaded(Path(scratch))).rglob("*.pdf"))
        files = [path for path in files if path.is_file() and path.stat().st_size > 20_000]
        random.Random(7).shuffle(files)
        return measure(files[: options.pdfs], Path(scratch))


def downloaded(scratch: Path) -> Path:
    """The packages, unpacked."""
    for package in PACKAGES:
        subprocess.run(["apt-get", "download", "-qq", package], cwd=scratch, check=True)
    for package in scratch.glob("*.deb"):
        subprocess.run(["dpkg", "-x", package, scratch], check=True)
    return scratch


def measure(files: list[Path], scratch: Path) -> int:
    from datetime import UTC, datetime

    with (
        Store.create(scratch / "papertrack.db", now=lambda: datetime.now(UTC)) as store,
        open_index(store) as index,
    ):
        begun, pages = time.process_time(), 0
        unread = []
        with PdfReader() as reader:
            for path in files:
                try:
                    text = reader.read(path)
                except UnreadablePdf as error:
                    unread.append(str(error))
                    continue
                index.put(str(path), "", text.pages)
                pages += len(text.pages)
        seconds = time.process_time() - begun
        seconds += resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        size = (scratch / "pdf-texts.db").stat().st_size / pages
        print(f"{len(files)} PDFs, {pages} pages; not read: {unread or 'none'}")
        cost = 2000 * seconds / pages
        print(f"{cost:.1f} s of processor time for 2,000 pages, {size:.0f} bytes each")
        found, asked, times = find_phrases(index, files)
    print(f"{found} of {asked} phrases found on their pages: {found / asked:.1%}")
    phrase, sentences = (1000 * median(one) for one in zip(*times, strict=True))
    print(f"{phrase:.1f} ms for a phrase, {sentences:.1f} ms with its first twenty sentences")
    return exit_code(
        ("seconds for 2,000 pages", cost, 15),
        ("bytes a page", size, 4096),
        ("phrases not found, %", 100 * (1 - found / asked), 2),
        ("ms for a phrase", phrase, 20),
        ("ms with twenty sentences", sentences, 100),
        ("PDFs not read", len(unread), 0),
    )


def find_phrases(index: PdfIndex, files: list[Path]) -> tuple[int, int, list[tuple[float, float]]]:
    """How many phrases were found, of how many; the seconds of each without and with sentences."""
    rng = random.Random(11)
    found = asked = 0
    times = []
    for path in files:
        for number, phrase in drawn(path, rng):
            begun = time.perf_counter()
            places = index.places_of(phrase)
            after = time.perf_counter()
            sentences = [sentence_with(index.text_of(place), phrase) for place in places[:20]]
            times.append((after - begun, time.perf_counter() - begun))
            here = [place for place in places if place.name == str(path) and place.page == number]
            asked += 1
            if here and all(sentences):
                found += 1
            else:
                print(f"  {path.name}, page {number}: {phrase!r}")
    return found, asked, times


def drawn(path: Path, rng: random.Random) -> list[tuple[int, str]]:
    """Phrases of a sentence that stand together on a page, as pdftotext reads it."""
    read = subprocess.run(["pdftotext", path, "-"], capture_output=True, check=True).stdout
    places = []
    for number, page in enumerate(read.decode(errors="replace").split("\f"), start=1):
        words = page.split()
        places += [
            (number, " ".join(words[at : at + 5]))
            for at in range(len(words) - 5)
            if all(map(WORD.fullmatch, words[at : at + 5]))
        ]
    return rng.sample(places, min(PHRASES_A_FILE, len(places)))


if __name__ == "__main__":
    sys.exit(main())
