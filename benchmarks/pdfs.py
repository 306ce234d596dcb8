"""Find in public PDFs what pdftotext reads: `python benchmarks/pdfs.py [FOLDER] [--pdfs N]`.

FOLDER holds PDFs; without it they come from the documentation packages of Debian that are named
below, downloaded and unpacked into a folder of the benchmark's own (apt-get and dpkg are needed,
and pdftotext in any case). Phrases of five words of a sentence are drawn from what pdftotext reads
of a page, and must be found on that page, with a sentence. Also measured: processor time to index
2,000 pages, bytes a page, milliseconds for a phrase and for the sentences of its first twenty
pages.

Highlights are written over words of copies, by the boxes that pdftotext gives these words, rounded
as viewers do; what is read of each must be those words.
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
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from xml.etree import ElementTree

import pypdfium2
from limits import exit_code
from pypdfium2 import raw

from papertrack.pdfs.reader import PdfReader, UnreadablePdf
from papertrack.pdfs.texts import sentence_with
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
    same, marked = read_marks(files, scratch / "marked.pdf")
    print(f"{same} of {marked} highlights equal to the marked words: {same / marked:.1%}")
    return exit_code(
        ("seconds for 2,000 pages", cost, 15),
        ("bytes a page", size, 4096),
        ("phrases not found, %", 100 * (1 - found / asked), 2),
        ("ms for a phrase", phrase, 20),
        ("ms with twenty sentences", sentences, 100),
        ("PDFs not read", len(unread), 0),
        ("highlights not equal, %", 100 * (1 - same / marked), 5),
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


Word = tuple[str, float, float, float, float]
"""What it says, and its box: left, top, right, bottom, from the page's upper left corner."""


def read_marks(files: list[Path], copy: Path) -> tuple[int, int]:
    """How many highlights are read as they were marked, of how many: one on each of up to three
    pages of each file."""
    rng = random.Random(5)
    same = asked = 0
    with PdfReader() as reader:
        for path in files:
            document = pypdfium2.PdfDocument(path)
            wanted = {}
            for number in rng.sample(range(len(document)), min(3, len(document))):
                page = document[number]
                blocks = [] if page.get_rotation() else list(blocks_of(path, number + 1))
                if blocks:
                    wanted[number + 1] = mark_words(page, rng.choice(blocks), rng)
            document.save(copy)
            asked += len(wanted)
            for one in reader.highlights(copy) if wanted else ():
                words = wanted.pop(one.page, None) if one.kind == "highlight" else None
                if words is None:
                    continue
                if letters_of(words) == letters_of(one.text):
                    same += 1
                else:
                    print(f"  {path.name}, page {one.page}:\n    {words}\n    {one.text}")
    return same, asked


def blocks_of(path: Path, page: int) -> Iterator[list[list[Word]]]:
    """The blocks of text of a page, as pdftotext sees them: lines of words."""
    command = ["pdftotext", "-bbox-layout", "-f", str(page), "-l", str(page), path, "-"]
    read = subprocess.run(command, capture_output=True, check=True).stdout.decode(errors="replace")
    body = re.sub(r"[^\x09\x0a\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "", read)
    body = body[body.index("<doc>") : body.index("</doc>")] + "</doc>"
    for block in ElementTree.fromstring(body).iter("block"):
        lines = [
            [
                (
                    word.text or "",
                    *(float(word.get(name, 0)) for name in ("xMin", "yMin", "xMax", "yMax")),
                )
                for word in line.iter("word")
            ]
            for line in block.iter("line")
        ]
        if sum(map(len, lines)) > 8:
            yield lines


def mark_words(page: pypdfium2.PdfPage, lines: list[list[Word]], rng: random.Random) -> str:
    """Highlight some words that follow each other, a quad for each line; return them."""
    left, bottom, _, _ = page.get_mediabox()
    top = bottom + page.get_height()
    words = [(number, word) for number, line in enumerate(lines) for word in line]
    start = rng.randrange(len(words) - 4)
    chosen = words[start : start + rng.randint(3, 30)]
    digits = rng.choice((0, 1, 3))
    made = raw.FPDFPage_CreateAnnot(page, raw.FPDF_ANNOT_HIGHLIGHT)
    for line in sorted({line for line, _ in chosen}):
        lefts, tops, rights, bottoms = zip(
            *(one[1:] for at, one in chosen if at == line), strict=True
        )
        x1, x2 = round(left + min(lefts), digits), round(left + max(rights), digits)
        y1, y2 = round(top - min(tops), digits), round(top - max(bottoms), digits)
        quad = raw.FS_QUADPOINTSF(x1, y1, x2, y1, x1, y2, x2, y2)
        raw.FPDFAnnot_AppendAttachmentPoints(made, quad)
    raw.FPDFPage_CloseAnnot(made)
    return " ".join(word for _, (word, *_) in chosen)


def letters_of(text: str) -> str:
    """A text without what a line's end may change: blanks and hyphens."""
    return re.sub(r"[\s\u00ad\u2010\u2011-]", "", unicodedata.normalize("NFKC", text))


if __name__ == "__main__":
    sys.exit(main())
