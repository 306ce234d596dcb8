import pytest
from hypothesis import given
from hypothesis import strategies as st

from papertrack.documents.encoding import decode_bib, encode_bib
from papertrack.errors import DocumentError

TEXT = "@misc{k,\r\n title = {Müller naïve café}}\n"


@pytest.mark.parametrize(
    ("data", "text", "encoding"),
    [
        (TEXT.encode(), TEXT, "utf-8"),
        (b"\xef\xbb\xbf" + TEXT.encode(), TEXT, "utf-8-sig"),
        (b"\xff\xfe" + TEXT.encode("utf-16-le"), TEXT, "utf-16-le-sig"),
        (b"\xfe\xff" + TEXT.encode("utf-16-be"), TEXT, "utf-16-be-sig"),
        (TEXT.encode("utf-16-le"), TEXT, "utf-16-le"),
        (TEXT.encode("utf-16-be"), TEXT, "utf-16-be"),
        (TEXT.encode("latin-1"), TEXT, "cp1252"),
        ("% Encoding: ISO-8859-2\n€ł".replace("€", "").encode("iso8859-2"),
         "% Encoding: ISO-8859-2\nł", "iso8859-2"),
        ("@misc{中文, title={测试题目}}".encode("gbk"), "@misc{中文, title={测试题目}}", "gb18030"),
        ("@misc{а, title={О больших числах}}".encode("cp1251"),
         "@misc{а, title={О больших числах}}", "cp1251"),
        ("@misc{a, title={Größe, Äöü, l'été à Orléans}}".encode("cp1252"),
         "@misc{a, title={Größe, Äöü, l'été à Orléans}}", "cp1252"),
        (b"a \x81 \xe9", "a \x81 é", "latin-1"),
        ("Jörg\n".encode() + "thèse\n".encode("latin-1") + "ß\n".encode(), "Jörg\nthèse\nß\n",
         "utf-8+cp1252"),
        ("Jörg\rthèse\r".encode("latin-1") + "ß".encode(), "Jörg\rthèse\rß", "utf-8+cp1252"),
        (b"% Encoding: ISO-8859-2\n" + "Łódź\n".encode("iso8859-2") + "Łódź".encode(),
         "% Encoding: ISO-8859-2\nŁódź\nŁódź", "utf-8+iso8859-2"),
        ("О больших\n".encode("cp1251") * 2 + "числах".encode(),
         "О больших\nО больших\nчислах", "utf-8+cp1251"),
        # Both characters of the first line are UTF-8 by chance: of GBK it is one text.
        ("联通\n".encode("gbk") + "测试题目在这里\n".encode("gbk") * 8,
         "联通\n" + "测试题目在这里\n" * 8, "gb18030"),
        (b"", "", "utf-8"),
    ],
)  # fmt: skip
def test_the_encoding_is_found(data: bytes, text: str, encoding: str) -> None:
    assert decode_bib(data) == (text, encoding)


@pytest.mark.parametrize("data", [b"\x00\x01\x02PNG", b"%PDF-1.4\x00"])
def test_binary_data_is_refused(data: bytes) -> None:
    with pytest.raises(DocumentError, match="NUL bytes"):
        decode_bib(data)


def test_a_character_that_the_files_encoding_lacks_is_refused_and_named() -> None:
    with pytest.raises(DocumentError, match="cp1252, which cannot represent '中'"):
        encode_bib("中", "cp1252")


@given(st.binary())
def test_any_bytes_that_are_read_are_written_the_same(data: bytes) -> None:
    try:
        text, encoding = decode_bib(data)
    except DocumentError:
        return
    assert encode_bib(text, encoding, data) == data


LINES = st.lists(
    st.tuples(
        st.sampled_from(["thèse", "Müller", "plain", "Köln"]), st.sampled_from(["utf-8", "cp1252"])
    ),
    min_size=1,
    max_size=12,
)  # fmt: skip


@given(LINES, st.integers(0, 12), st.sampled_from(["thèse", "Søren", "plain"]))
def test_each_line_of_a_file_in_two_encodings_stays_as_it_was_written(
    lines: list[tuple[str, str]], at: int, new: str
) -> None:
    data = b"".join(f"{text}\n".encode(codec) for text, codec in lines)
    text, encoding = decode_bib(data)
    assert encode_bib(text, encoding, data) == data
    above, below = text.splitlines(keepends=True)[:at], text.splitlines(keepends=True)[at:]
    edited = "".join([*above, f"{new}{at} new\n", *below])
    after = encode_bib(edited, encoding, data)
    assert decode_bib(after)[0] == edited
    written = after.splitlines(keepends=True)
    assert written[: len(above)] + written[len(above) + 1 :] == data.splitlines(keepends=True)


@pytest.mark.parametrize("codec", ["utf-8", "cp1252"])
@pytest.mark.parametrize("title", ["Größe", "„Größe“"])
def test_an_edited_line_that_is_edited_back_has_its_bytes_again(codec: str, title: str) -> None:
    other = {"utf-8": "cp1252", "cp1252": "utf-8"}[codec]
    first, entry = (
        "@misc{a, title={Über}}\n",
        f"@misc{{b, title={{{title}}},\n  author={{Müller}}}}\n",
    )
    data = first.encode(other) + entry.encode(codec) + first.encode(other)
    text, encoding = decode_bib(data)
    edited = encode_bib(text.replace(title, "Plain"), encoding, data)
    assert encode_bib(text, encoding, edited) == data
