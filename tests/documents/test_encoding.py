"""Bytes kept or refused, and mis-decoded text."""

from __future__ import annotations

import codecs

import pytest
from ftfy.badness import is_bad
from hypothesis import given
from hypothesis import strategies as st

from papertrack.documents.encoding import decode_document, encode_document
from papertrack.documents.markdown.repair import find_damage, repair_encoding
from papertrack.errors import DocumentError

GAPS = (("", "", ""), ("- A ", " b ", " c"), ("| é", "abcd", "é |"), ("a", "abcdefgh", " "))
TEXT = "# Títle\r\n\n- 论文 ✅\rend"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        TEXT.encode(),
        codecs.BOM_UTF8 + TEXT.encode(),
        codecs.BOM_UTF16_LE + TEXT.encode("utf-16-le"),
        codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"),
    ],
)
def test_text_comes_back_as_the_same_bytes(data: bytes) -> None:
    text, encoding = decode_document(data)
    assert encode_document(text, encoding) == data
    assert "\ufeff" not in text


@given(st.binary(max_size=200))
def test_any_bytes_are_kept_or_refused(data: bytes) -> None:
    try:
        text, encoding = decode_document(data)
    except DocumentError:
        return
    assert encode_document(text, encoding) == data


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ("Caf\xe9\n".encode("latin-1"), "line 1 has the byte 0xe9"),
        (b"a\n\nb\xff\n", "line 3"),
        (b"PNG\0\0", "binary"),
        (codecs.BOM_UTF32_LE + "a".encode("utf-32-le"), "UTF-32"),
        (b"\xff\xfea", "UTF-8 first"),
        (b"a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> x\n", "Line 2 starts with the conflict marker"),
    ],
)
def test_what_cannot_be_kept_is_refused_with_what_to_do(data: bytes, words: str) -> None:
    with pytest.raises(DocumentError, match=words):
        decode_document(data)


def test_text_with_lone_surrogates_is_refused_when_written() -> None:
    with pytest.raises(DocumentError):
        encode_document("\ud800", "utf-8")


def mis_decoded(text: str, codec: str) -> str:
    import ftfy.bad_codecs

    assert ftfy.bad_codecs
    return text.encode("utf-8").decode(codec)


@pytest.mark.parametrize("codec", ["macroman", "sloppy-windows-1252", "sloppy-windows-1254"])
def test_text_decoded_with_a_wrong_codec_is_found_and_repaired(codec: str) -> None:
    lines = ["# 📚 Papers", "plain", "- 图解注意力 — explained", "| ✅ ✅ | ⭐️ |"]
    damaged = "\n".join(mis_decoded(line, codec) for line in lines)
    assert {skipped.line for skipped in find_damage(damaged)} == {1, 3, 4}
    repaired, beyond_repair = repair_encoding(damaged)
    assert repaired.split("\n") == lines
    assert beyond_repair == ()


@pytest.mark.parametrize("codec", ["cp1252", "mac_roman", "cp1251", "latin-1"])
def test_damage_is_found_wherever_it_stands_in_a_line(codec: str) -> None:
    words = ("“Ünïted” ", "naïve — ", "📄 ", "Ł", "½ of ", "论文 ✅ ", "à", "…")
    lines = [
        f"{pad}{a}{between}{b}{end}" for a in words for b in words for pad, between, end in GAPS
    ]
    for line in (*lines, *(line.encode().decode(codec, "replace") for line in lines)):
        is_damaged = "\ufffd" in line or "\uf8ff" in line or is_bad(line)
        assert bool(find_damage(line)) == is_damaged, line


def test_what_lost_bytes_is_reported_and_not_guessed_at() -> None:
    whole = mis_decoded("中文标题和说明", "sloppy-windows-1252")
    lost = whole.replace("\xad", "")
    assert lost != whole
    repaired, beyond_repair = repair_encoding(f"{whole}\n{lost}\n")
    first, second = repaired.splitlines()
    assert first == "中文标题和说明"
    assert second.endswith("文标题和说明")
    assert [skipped.line for skipped in beyond_repair] == [2]
    assert repair_encoding(repaired)[0] == repaired


@pytest.mark.parametrize(
    "text", ["naïve café — “quoted” ✅\n", "图解注意力\n", "Ångström §5 ±3 µm\n", ""]
)
def test_sound_text_is_not_touched(text: str) -> None:
    assert find_damage(text) == ()
    assert repair_encoding(text)[0] == text
