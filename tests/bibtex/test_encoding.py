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
        (b"", "", "utf-8"),
    ],
)  # fmt: skip
def test_the_encoding_is_found(data: bytes, text: str, encoding: str) -> None:
    assert decode_bib(data) == (text, encoding)


@pytest.mark.parametrize("data", [b"\x00\x01\x02PNG", b"%PDF-1.4\x00"])
def test_binary_data_is_refused(data: bytes) -> None:
    with pytest.raises(DocumentError, match="zero bytes"):
        decode_bib(data)


def test_a_character_that_the_files_encoding_lacks_is_refused_and_named() -> None:
    with pytest.raises(DocumentError, match="cp1252, which has no '中'"):
        encode_bib("中", "cp1252")


@given(st.binary())
def test_any_bytes_that_are_read_are_written_the_same(data: bytes) -> None:
    try:
        text, encoding = decode_bib(data)
    except DocumentError:
        return
    assert encode_bib(text, encoding) == data
