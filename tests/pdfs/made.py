"""PDFs that tests make: pages of lines, each at a height, in letters of a size."""

from collections.abc import Sequence
from pathlib import Path

import pypdf
from pypdf.generic import (
    ArrayObject,
    DecodedStreamObject,
    DictionaryObject,
    FloatObject,
    NameObject,
    NumberObject,
)

Lines = Sequence[str | tuple[int, str]]
"""The lines of a page from its top, in letters of 10 points or of the size that is given."""
_TURNS = {0: "1 0 0 1 0 0", 90: "0 1 -1 0 800 0", 180: "-1 0 0 -1 800 800", 270: "0 -1 1 0 0 800"}
_FONT = {
    "/Type": "/Font",
    "/Subtype": "/Type1",
    "/BaseFont": "/Helvetica",
    "/Encoding": "/WinAnsiEncoding",
}


_TO_UNICODE = b"""/CIDInit /ProcSet findresource begin 12 dict begin begincmap
1 begincodespacerange <00> <FF> endcodespacerange
1 beginbfrange <20> <7A> <0020> endbfrange
1 beginbfchar <3D> <FB01> endbfchar
endcmap end end"""


def drawn_font(writer: pypdf.PdfWriter) -> DictionaryObject:
    """A Type 3 font: each glyph is drawn. A sign of equality is the ligature of f and i."""
    glyph, letters = DecodedStreamObject(), DecodedStreamObject()
    glyph.set_data(b"600 0 0 0 500 700 d1 0 0 500 700 re f")
    letters.set_data(_TO_UNICODE)
    names = [NameObject(f"/g{code}") for code in range(32, 123)]
    encoding = {NameObject("/Differences"): ArrayObject([NumberObject(32), *names])}
    drawing = writer._add_object(glyph)
    values = {
        "/Type": NameObject("/Font"),
        "/Subtype": NameObject("/Type3"),
        "/FirstChar": NumberObject(32),
        "/LastChar": NumberObject(122),
        "/FontBBox": ArrayObject(map(NumberObject, (0, 0, 600, 700))),
        "/FontMatrix": ArrayObject(map(FloatObject, (0.001, 0, 0, 0.001, 0, 0))),
        "/Widths": ArrayObject([NumberObject(600)] * len(names)),
        "/Encoding": DictionaryObject(encoding),
        "/CharProcs": DictionaryObject(dict.fromkeys(names, drawing)),
        "/ToUnicode": writer._add_object(letters),
    }
    return DictionaryObject({NameObject(name): value for name, value in values.items()})


def make_pdf(
    path: Path,
    *pages: Lines,
    password: str = "",
    turned: str = "",
    columns: Sequence[Sequence[str]] = (),
    rotate: int = 0,
    is_drawn: bool = False,
    **metadata: str,
) -> None:
    """A PDF with these pages; ``turned`` runs up the margin of the first, in large letters; or of
    one page with ``columns`` side by side. Pages that ``rotate`` are drawn so that they are
    upright then; letters that are ``is_drawn`` are of ``drawn_font``."""
    writer = pypdf.PdfWriter()
    font = DictionaryObject({NameObject(k): NameObject(v) for k, v in _FONT.items()})
    font = drawn_font(writer) if is_drawn else font
    fonts = DictionaryObject({NameObject("/F1"): writer._add_object(font)})
    for number, lines in enumerate(pages or ([],)):
        page = writer.add_blank_page(800 if rotate else 600, 800)
        page[NameObject("/Rotate")] = NumberObject(rotate)
        page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
        content = DecodedStreamObject()
        commands = [f"{_TURNS[rotate]} cm"]
        commands += [f"BT /F1 30 Tf 0 1 -1 0 40 100 Tm ({turned}) Tj ET"] if number == 0 else []
        for at, line in enumerate(lines):
            size, text = (10, line) if isinstance(line, str) else line
            text = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
            commands.append(f"BT /F1 {size} Tf 60 {740 - 26 * at} Td ({text}) Tj ET")
        for left, column in enumerate(columns):
            commands += [
                f"BT /F1 10 Tf {60 + 260 * left} {740 - 12 * at} Td ({text}) Tj ET"
                for at, text in enumerate(column)
            ]
        content.set_data("\n".join(commands).encode("latin-1"))
        page[NameObject("/Contents")] = writer._add_object(content)
    writer.add_metadata({f"/{name}": value for name, value in metadata.items()})
    if password:
        writer.encrypt(password, algorithm="RC4-128")
    path.parent.mkdir(parents=True, exist_ok=True)
    writer.write(path)
