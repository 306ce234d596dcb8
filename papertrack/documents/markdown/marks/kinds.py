"""The kinds of reading marks: how each is read and written. Add a new kind to ``KINDS``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from papertrack.documents.markdown.marks.kind import (
    MAX_PASSES,
    CellReader,
    Mark,
    MarkKind,
    MarkSamples,
    MarkStyle,
    Slot,
)
from papertrack.documents.markdown.marks.vocabulary import (
    CHECKS,
    NUMBERS,
    PASS_SIGNS,
    PASS_WORDS,
    Level,
    bare,
    level_of,
    read_word_for,
)
from papertrack.documents.markdown.values import (
    PREFIX_TAG,
    Span,
    find_date,
    most_common,
    write_date,
)
from papertrack.text import without_edges


class RepeatedSign(MarkKind):
    """A sign that is repeated for each pass: ``✅ ✅``."""

    def __init__(self, name: str, plural_name: str, signs: str, usual: str) -> None:
        """``signs`` matches all spellings of the sign; ``usual`` is the most common one."""
        self.name, self.plural_name, self.signs, self.usual = name, plural_name, signs, usual
        self.within = re.compile(rf"{signs}(?:(?:[ \t]|<br[ ]?/?>)*{signs}){{0,11}}")
        self._one = re.compile(signs)

    def read(self, text: str, span: Span, slot: Slot) -> Mark:
        """Count the signs. Each is one pass, up to three."""
        return Mark(self, span, min(len(self._one.findall(text)), MAX_PASSES))

    def learn(self, style: MarkStyle, samples: MarkSamples) -> MarkStyle:
        """Return a style with the sign of the samples and the separator between repeated signs."""
        sign = most_common([self._one.findall(text)[0] for text in samples.texts]) or self.usual
        several = [self._one.split(text)[1:-1] for text in samples.texts]
        separator = most_common([blanks[0] for blanks in several if blanks])
        separator = style.separator if separator is None else separator
        return replace(style, sign=sign, separator=separator, max_passes=MAX_PASSES)

    def write(self, style: MarkStyle, passes: int, at: str | None) -> str:
        """Return the sign, repeated."""
        return style.separator.join([style.sign] * passes) if passes else style.unread or ""


_BOX = r"\[[ xX✓✔√/~]\]"
_MORE_BOXES = rf"(?:[ \t]?{_BOX}){{%s,{MAX_PASSES - 1}}}"


class Box(MarkKind):
    """A box to tick, ``[x]``, or a row with a box for each pass, ``[x] [x] [ ]``."""

    name = "box"
    plural_name = "boxes to tick"
    is_slot = True
    within = before = re.compile(_BOX + _MORE_BOXES % 0 + r"(?=[ \t]|$)")
    behind = re.compile(_BOX + _MORE_BOXES % 1 + r"[ \t]*$")

    def read(self, text: str, span: Span, slot: Slot) -> Mark:
        """Count the ticked boxes. A stroke (``[/]``) means that a pass was started."""
        states = [box[1] for box in re.findall(_BOX, text)]
        passes = sum(state not in " /~" for state in states)
        return Mark(self, span, passes, is_begun=not passes and set(states) > {" "})

    def spell(self, samples: MarkSamples) -> Sequence[str | None]:
        boxes = [re.findall(_BOX, text) for text in samples.texts]
        width = max(map(len, boxes), default=1)
        ticked = most_common([box for row in boxes for box in row if box[1] not in " /~"]) or "[x]"
        blank = "" if any("][" in text for text in samples.texts) else " "
        rows = _rows(ticked, "[ ]", width, blank)
        return None if width == 1 else rows[0], *rows[1:]

    def write(self, style: MarkStyle, passes: int, at: str | None) -> str | None:
        """Return the boxes. An unread entry has an empty box."""
        return super().write(style, passes, at) or "[ ]"


class HtmlBox(MarkKind):
    """A checkbox in HTML: ``<input type="checkbox" checked>``."""

    name = "html_box"
    plural_name = "boxes to tick in HTML"
    is_slot = True
    within = before = re.compile(
        r"<input\b[^<>]{0,200}?\btype=[\"']?checkbox\b[^<>]{0,200}>", re.IGNORECASE
    )
    _CHECKED = re.compile(
        r"[ \t]+checked(?:=(?:[\"'][^\"'<>]*[\"']|\w+))?(?=[\s/>])", re.IGNORECASE
    )
    _END = re.compile(r"[ \t]*/?>$")

    def read(self, text: str, span: Span, slot: Slot) -> Mark:
        return Mark(self, span, int(self._CHECKED.search(text) is not None))

    def spell(self, samples: MarkSamples) -> Sequence[str | None]:
        """Return an empty and a ticked box. A state that no sample shows has the others'
        attributes."""
        sample = samples.sample or '<input type="checkbox">'
        ticked = samples.usual(1) or self._END.sub(r" checked\g<0>", sample)
        return samples.usual(0) or self._CHECKED.sub("", ticked), ticked


class Word(MarkKind):
    """A word or sign for how far a work was read.

    It is in a reading column or beside a title: ``[Skimmed]``, ``(read)``, ``DONE``. Any word for
    reading means one finished pass. In a column with both *skimmed* and *read*, *read* means two
    passes.
    """

    name = "word"
    plural_name = "words"
    before = re.compile(
        rf"[☐⬜🔲]\ufe0f?(?=[ \t])|{PREFIX_TAG}(?!{PREFIX_TAG})"
        r"|(?:TODO|DOING|DONE|LATER|WAITING|NOW)(?=[ \t]+(?:\[|\*\*))"
    )
    behind = re.compile(r"[(\[][A-Za-z\u4e00-\u9fff -]{1,14}[)\]][ \t]*$")
    _CLEAR = re.compile(
        r"read|skim|todo|to do|done|finished|queue|studied|[读看読]|[☐⬜🔲□❌✗✘]", re.IGNORECASE
    )

    def read(self, text: str, span: Span, slot: Slot) -> Mark | None:
        """Return the mark for the level of a word.

        ○ means *read* beside ×, as in Japan; beside ● it means *unread*.
        """
        level = level_of(text)
        if bare(text) == "○" and "●" not in slot.words and slot.words & {*"×✕✖❌✗✘"}:
            level = Level.READ
        if level is None:
            return None
        return Mark(self, span, slot.passes[level], is_begun=level is Level.BEGUN)

    def is_clear(self, text: str) -> bool:
        return self._CLEAR.search(text) is not None

    def spell(self, samples: MarkSamples) -> Sequence[str | None]:
        """Return the sample word for each level.

        If no sample means *read*, a word that fits the other samples is chosen.
        """
        words: dict[Level | None, list[str]] = {}
        for mark, text in samples.marks:
            level = Level.READ if mark.passes and bare(text) == "○" else level_of(text)
            words.setdefault(level, []).append(text)
        usual = {level: most_common(texts) for level, texts in words.items()}
        unread, begun, skimmed, read, deep = map(usual.get, Level)
        if not read and not deep:
            read = read_word_for(skimmed or unread or begun or "")
        return unread, skimmed, read, deep


_NUMBER = "|".join(
    sorted({re.escape(one) for form in NUMBERS for one in form if one != "-"}, key=len)[::-1]
)
_FRAMES = tuple(
    re.compile(
        rf"(?P<before>[*_~`\[(【（ \t]*{before})(?P<number>{_NUMBER}|\d)"
        rf"(?P<after>{after}[*_~`\])】） \t]*)",
        re.IGNORECASE,
    )
    for before, after in (
        ("", r"[ ]?(?:[/／⁄∕]|of|out of)[ ]?(?P<of>\d)"),
        ("(?:第|已读|读了?|看了?)?", f"[ ]?(?:{PASS_SIGNS})(?:已?读|阅读)?"),
        (rf"(?:(?:{PASS_WORDS}|step|stage|level)[ .:#-]*|[x×])", ""),
        ("", rf"(?:[ -]?(?:{PASS_WORDS}|time|step)(?:es|s)?|[x×])?(?: done| read)?"),
    )
)
"""The text around the number in a counted mark."""
_PLURAL = re.compile(r"(?P<word>\b(?:pass|read|reading|round|time|step))(?:es|s)?\b")


class _Number(NamedTuple):
    """The number in a counted mark, such as 二 in 第二遍, and the text around it."""

    passes: int
    form: Sequence[str]
    match: re.Match[str]
    of: int = MAX_PASSES

    @property
    def is_numbering(self) -> bool:
        """Whether it is only a number, as before the items of a list."""
        around = self.match["before"].strip("*_ ") + self.match["after"].strip("*_ .)")
        return not around and (self.form[0].isdecimal() or self.form[0] in ("-", "0️⃣", "⓪"))

    def written(self, passes: int) -> str:
        """Return the mark with another number."""
        old, new = self.match["number"], self.form[passes]
        if old[0].isupper():
            new = new.upper() if old.isupper() else new.capitalize()
        is_many = passes != 1 and self.form[0] not in ("0th", "zeroth")

        def plural(match: re.Match[str]) -> str:
            return match["word"] + ("es" if match["word"].endswith("ss") else "s") * is_many

        return self.match["before"] + new + _PLURAL.sub(plural, self.match["after"])


def _number_in(text: str) -> _Number | None:
    """Return the number of a counted mark; None for any other text."""
    match = next(filter(None, (frame.fullmatch(text) for frame in _FRAMES)), None)
    if match is None:
        return None
    number, of = match["number"].casefold(), int(match.groupdict().get("of") or MAX_PASSES)
    # 一 has two forms: 第一遍 is followed by 二, 一遍 by 两.
    forms = [form for form in NUMBERS if number in form] or [_digits_like(number)]
    form = forms[-1 if match["before"].endswith("第") else 0]
    is_count = number in form[: of + 1] and of <= MAX_PASSES
    return _Number(form.index(number), form, match, of) if is_count else None


def _digits_like(number: str) -> list[str]:
    """Return the digits 0 to 3 in the script of a number; none if it is a word."""
    numbers = range(MAX_PASSES + 1) if number.isdecimal() else ()
    return [_in_digits_of(number, number_in_script) for number_in_script in numbers]


def _in_digits_of(sample: str, number: int) -> str:
    """Return a number in the script of a sample: ١٠٠ for 100 beside ٥٠."""
    digit = next(filter(str.isdecimal, sample))
    zero = ord(digit) - int(digit)
    return "".join(chr(zero + int(digit_char)) for digit_char in str(number))


def _with_number(text: str, number: int) -> str:
    """Return a text with its digits replaced by a number, in the same script."""
    return re.sub(r"\d+", lambda digits: _in_digits_of(digits.group(), number), text)


def passes_counted(phrase: str) -> int | None:
    """Return the number in a phrase like ``second pass``; None for any other phrase."""
    number = _number_in(phrase)
    return None if number is None or number.is_numbering else number.passes


_NAMES_PASS = re.compile(f"{PASS_WORDS}|{PASS_SIGNS}", re.IGNORECASE)


def pass_named(header: str) -> int | None:
    """Return the pass that a header names, or None: ``1st pass`` 1, ``P2`` 2, ``第三遍`` 3."""
    plain = re.sub(r"^[PR](?=[ .#-]*[0-9])", "pass", without_edges(header), flags=re.IGNORECASE)
    plain = re.sub("(?:회차?|차|번째)$", "회독", plain)
    return (passes_counted(plain) or None) if _NAMES_PASS.search(plain) else None


class Count(MarkKind):
    """The number of finished passes: ``2/3``, ``2nd``, 两遍."""

    name = "count"
    plural_name = "counts"

    def read(self, text: str, span: Span, slot: Slot) -> Mark | None:
        number = _number_in(text)
        return Mark(self, span, number.passes) if number else None

    def is_clear(self, text: str) -> bool:
        return passes_counted(text) is not None

    def spell(self, samples: MarkSamples) -> Sequence[str | None]:
        number = _number_in(samples.sample)
        assert number is not None, "only counts are marks of this kind"
        numbers = range(1, number.of + 1)
        return samples.usual(0), *(samples.usual(n) or number.written(n) for n in numbers)

    def write(self, style: MarkStyle, passes: int, at: str | None) -> str | None:
        """Return the count. A fraction such as ``0/3`` is written for unread works too."""
        number = _number_in(style.words[0])
        if passes or style.unread is not None or number is None or "/" not in number.match["after"]:
            return super().write(style, passes, at)
        return number.written(0)


_SHARE = re.compile(r"[(\[]?(?P<share>\d{1,3})[ ]?[%％٪][)\]]?(?: (?:read|done|complete))?")


def _share_in(text: str) -> int | None:
    """Return the percentage that a text is, from 0 to 100, or None."""
    match = _SHARE.fullmatch(text)
    share = int(match["share"]) if match else None
    return share if share is not None and share <= 100 else None


def _is_third(text: str) -> bool:
    return _share_in(text) in (33, 34, 66, 67)


class Share(MarkKind):
    """The share of a work that was read: ``50%``. All of it is one pass.

    In a column with 33 % or 67 %, each third is a pass.
    """

    name = "share"
    plural_name = "percentages"

    def read(self, text: str, span: Span, slot: Slot) -> Mark | None:
        share = _share_in(text)
        if share is None:
            return None
        passes = round(share * 3 / 100) if slot.shows(_is_third) else share // 100
        return Mark(self, span, passes, is_begun=not passes and share > 0)

    def is_clear(self, text: str) -> bool:
        share = _share_in(text)
        return share is not None and (share % 5 == 0 or _is_third(text))

    def spell(self, samples: MarkSamples) -> Sequence[str | None]:
        are_thirds = any(mark.passes > 1 or _is_third(text) for mark, text in samples.marks)
        numbers = enumerate((33, 67, 100) if are_thirds else (100,), start=1)
        words = (samples.usual(n) or _with_number(samples.sample, share) for n, share in numbers)
        return samples.usual(0), *words


_FULL = "●■◆▲🟩🟢✅☑✔✓▰█🌕⚫★"
_EMPTY = "○□◇△⬜⚪☐▱░🌑☆🔲"
_PIP = re.compile(rf"[{_FULL}{_EMPTY}]\ufe0f?")
_PIPS = re.compile(
    rf"(?P<full>(?:[{_FULL}]\ufe0f?[ ]?)*)(?P<empty>(?:[{_EMPTY}]\ufe0f?[ ]?)*)(?<![ ])"
)


def _pips_in(text: str) -> re.Match[str] | None:
    """Match a row of two or three full and empty signs."""
    match = _PIPS.fullmatch(text)
    return match if match and 2 <= count_signs(text) <= MAX_PASSES else None


def count_signs(row: str) -> int:
    """Count the full and empty signs in a row."""
    return len(_PIP.findall(row))


def _has_both_pips(text: str) -> bool:
    match = _pips_in(text)
    return match is not None and all(match.groups())


def _rows(full: str, empty: str, width: int, blank: str) -> list[str]:
    """Return rows of ``width`` signs, from all empty to all full."""
    rows = ([full] * n + [empty] * (width - n) for n in range(width + 1))
    return [blank.join(filter(None, row)) for row in rows]


_ROW_OF_SIGNS = (
    r"(?:(?:[☑✅✔✓🟩]\ufe0f?[ ]?){0,2}(?:[☐⬜🔲]\ufe0f?[ ]?){1,3}|(?:🟩[ ]?){3})(?<=\S)(?<!\w)"
)


class Pips(MarkKind):
    """A row of full and empty signs, where each full one is a finished pass: ``●●○``.

    If no cell of a column has both kinds of signs, each sign is a mark of another kind.
    """

    name = "pips"
    plural_name = "full and empty signs"
    is_slot = is_only_in_cells = True
    before = re.compile(rf"{_ROW_OF_SIGNS}(?=[ \t])")
    behind = re.compile(rf"{_ROW_OF_SIGNS}[ \t]*$")

    def read(self, text: str, span: Span, slot: Slot) -> Mark | None:
        """Count the full signs of a row.

        It must be beside a title, or in a column where some row has both kinds of signs.
        """
        is_clear = not slot.texts or slot.shows(_has_both_pips)
        pips = _pips_in(text.rstrip()) if is_clear else None
        return Mark(self, span, count_signs(pips["full"])) if pips else None

    def spell(self, samples: MarkSamples) -> Sequence[str | None]:
        signs = _PIP.findall("".join(samples.texts))
        full = most_common([sign for sign in signs if sign[0] in _FULL])
        empty = most_common([sign for sign in signs if sign[0] in _EMPTY])
        width = max(map(count_signs, samples.texts))
        full = full or {"☐": "☑", "⬜": "✅", "🔲": "✅"}.get(empty or "", "●")
        return _rows(full, empty or "○", width, samples.blank)


_TALLY = re.compile(r"(?P<sign>[xX*+])(?:[ ]?(?P=sign)){0,2}")
_IS_CHECK = re.compile(rf"[{CHECKS}]|:(?:white|heavy)_check_mark:")


class Tally(MarkKind):
    """A letter that is repeated for each pass: ``x``, ``xx``.

    In a column with check marks, ``x`` means *no*.
    """

    name = "tally"
    plural_name = "letters"

    def read(self, text: str, span: Span, slot: Slot) -> Mark | None:
        match, means_no = _TALLY.fullmatch(text), slot.shows(_IS_CHECK.search)
        if match is None or (means_no and match["sign"] not in "xX"):
            return None
        return Mark(self, span, 0 if means_no else text.count(match["sign"]))

    def is_clear(self, text: str) -> bool:
        return text in ("x", "X")

    def spell(self, samples: MarkSamples) -> Sequence[str | None]:
        return None, *_rows(samples.sample[0], "", MAX_PASSES, samples.blank)[1:]


class Day(MarkKind):
    """The day of reading, alone in a cell."""

    name = "date"
    plural_name = "dates"
    is_only_in_cells = True
    needs = "The reading column contains dates, but the date of reading is not known."

    def find(self, text: str, span: Span, slot: Slot) -> Mark | None:
        """Return the date that fills a cell.

        Other dates in the text show whether the day or the month comes first.
        """
        date = find_date(text, *span)
        return Mark(self, span, 1, date.iso) if date and date.span == span else None

    def learn(self, style: MarkStyle, samples: MarkSamples) -> MarkStyle:
        """Return a style with the date format of the samples."""
        dates = filter(None, map(find_date, samples.texts))
        return replace(style, date_format=most_common([day.pattern for day in dates]), max_passes=1)

    def write(self, style: MarkStyle, passes: int, at: str | None) -> str | None:
        """Return the date ``at``; None if it is unknown."""
        if not passes:
            return style.unread or ""
        return write_date(at, style.date_format or "%Y-%m-%d") if at else None


class Declared(MarkKind):
    """A sign whose number of passes is given by a legend or by the user's settings."""

    name = "said"
    plural_name = "signs with a meaning of their own"

    def __init__(self, meanings: Mapping[str, int]) -> None:
        """``meanings`` maps each sign to its number of passes."""
        self.meanings = {bare(sign): passes for sign, passes in meanings.items()}
        self._signs = {passes: sign for sign, passes in reversed([*meanings.items()])}

    def read(self, text: str, span: Span, slot: Slot) -> Mark | None:
        passes = self.meanings.get(bare(text))
        return None if passes is None else Mark(self, span, passes)

    def is_clear(self, text: str) -> bool:
        return True

    def spell(self, samples: MarkSamples) -> Sequence[str | None]:
        numbers = range(max([1, *self.meanings.values()]) + 1)
        unread, *words = (samples.usual(n) or self._signs.get(n) for n in numbers)
        usual = next(filter(None, words), "✅")
        return unread, *(word or usual for word in words)


USUAL = RepeatedSign(
    "check",
    "check marks",
    signs=rf"(?=[{CHECKS}:&])(?:✅|✔️|✔|☑️|☑|(?<![\w(])[✓√](?![\w({{^\\-])"
    r"|:white_check_mark:|:heavy_check_mark:|:ballot_box_with_check:"
    r"|&(?:check|checkmark|#10003|#10004|#9745|#9989|#x2713|#x2714|#x2705);)",
    usual="✅",
)
"""The kind to write if a document has a place for marks but no marks yet."""
ROW = Pips()
KINDS: tuple[MarkKind, ...] = (
    ROW,
    USUAL,
    Box(),
    HtmlBox(),
    Word(),
    Count(),
    Share(),
    Tally(),
    Day(),
)
"""All kinds, in the order in which they are tried. Add new kinds here."""


def cell_reader(kinds: Sequence[MarkKind], texts: Iterable[str]) -> CellReader:
    """Return a function that reads marks from the cells of a column with these texts.

    It prefers a mark that fills its cell to one with other text beside it.
    """
    slot = Slot(text.strip() for text in texts)

    def read(text: str, span: Span) -> Mark | None:
        marks = [mark for kind in kinds if (mark := kind.find(text, span, slot))]
        return next((mark for mark in marks if mark.span == span), marks[0] if marks else None)

    return read


def is_pass_mark(text: str) -> bool:
    """Return whether a text is a mark for a single pass that fills its cell.

    It is a sign, a box, a word, or the date of that pass.
    """
    plain = text.strip()
    whole = (0, len(plain))
    mark = cell_reader(KINDS, [plain])(plain, whole)
    return mark is not None and mark.span == whole


def is_only_marks(text: str) -> bool:
    """Return whether a text has only signs that are reading marks everywhere."""
    signs = (kind.signs for kind in KINDS if kind.signs)
    return any(re.fullmatch(rf"[ \t]*(?:{sign}[ \t]*){{1,12}}", text) for sign in signs)


def without_signs(text: str) -> str:
    """Return a text without the signs that are reading marks everywhere."""
    for kind in KINDS:
        text = re.sub(kind.signs, " ", text) if kind.signs else text
    return text
