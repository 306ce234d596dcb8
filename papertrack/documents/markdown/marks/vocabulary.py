"""Words and signs for how far a work was read: ``to read``, 已读, 🟡."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from enum import IntEnum
from html import unescape


class Level(IntEnum):
    """How far a work was read."""

    UNREAD = 0
    BEGUN = 1
    SKIMMED = 2
    READ = 3
    DEEP = 4


_FAMILIES = (
    "unread, not read, not yet, not yet read, to read, to-read, toread, tbr, want to read, queued, "
    "queue, later, read later, backlog, wishlist"
    "| reading, in progress, in-progress, ongoing, started, begun, wip, doing, current, partial, "
    "currently reading, partially, partially read, partly read, half read"
    "| skimmed, skim, skimming, abstract only, abstract, glanced, browsed, scanned"
    "| read, complete, completed, studied, fully read"
    "| deep read, deeply read, read in depth, in depth, in-depth, close read, close reading, "
    "read closely, carefully read, mastered, reread, re-read, reimplemented, re-implemented, "
    "implemented, reproduced",
    "todo, to do, to-do, planned, pending, waiting | now || done",
    "not started ||| finished",
    "no ||| yes",
    "n ||| y",
    "未读, 待读, 想读, 没读, 待写 | 在读, 阅读中, 正在读 | 浏览 | 已读, 读完, 已读完, 读",
    "|| 略读, 泛读, 粗读, 已略读, 已泛读, 已粗读 || 精读, 已精读, 复现, 已复现",
    "未看, 待看, 没看 ||| 已看, 看完",
    "未完成 | 进行中 || 已完成, 完成",
    "否 ||| 是",
    "未読 ||| 既読",
    "積読 | 読書中, 読み中 | 流し読み | 読了 | 精読",
    "いいえ ||| はい",
    "안 읽음, 읽을 예정, 예정 | 읽는 중, 진행 중 | 훑어봄 | 읽음, 완독, 완료",
    "아니오 ||| 예",
    "por leer, pendiente, sin leer, no leído | leyendo, en curso | hojeado, ojeado"
    "| leído, leída, leídos, terminado",
    "||| sí",
    "à lire, non lu, à faire, pas lu | en cours, en lecture | survolé, parcouru| lu, lue, terminé",
    "non ||| oui",
    "ungelesen, zu lesen, noch nicht gelesen | in arbeit, lese ich || gelesen",
    "offen ||| erledigt, fertig",
    "nein ||| ja",
    "da leggere, non letto | in lettura, in corso | scorso | letto, letta, finito",
    "||| sì",
    "não lido, por ler, a ler | lendo, em andamento | folheado | lido, lida, concluído",
    "não ||| sim",
    "nee ||| ja",
    "не прочитано, к чтению | читаю, в процессе | просмотрено | прочитано, готово",
    "нет ||| да",
    "okunmadı, okunacak | okunuyor | göz atıldı | okundu, tamamlandı",
    "nie ||| tak",
    "❌, ✖, ✕, ×, ❎, -, –, —, ⬜, 🔲, ◻, ▢, ☐, ✗, ✘, 🔖 | ⏳, ⌛, 🚧, 🔄, 📖",
    "□ ||| ■",
    "○ | ◐, ◔, ◑, ◕ || ●",
    "🌑 | 🌒, 🌓, 🌔, 🌗 || 🌕",
    "⚪, 🔴 | 🟡, 🟠 || 🟢, 🟩",
)
"""Words that are used together: unread | begun | skimmed | read | read in depth.

The first word for *read* is written beside the others of its family. A family of signs without
*read* goes with ✅.
"""
_CHECK_BESIDE = {"☐": "☑", "✗": "✓", "✘": "✔"}
_NUMBER_FORMS = (
    "0th, 1st, 2nd, 3rd | zeroth, first, second, third | zero, one, two, three | i, ii, iii",
    "never, once, twice, thrice | 0️⃣, 1️⃣, 2️⃣, 3️⃣ | ⓪, ①, ②, ③",
    "零, 一, 两, 三 | 零, 一, 二, 三 | 初, 再, 三度",
    "1ª, 2ª, 3ª | 1º, 2º, 3º | primera, segunda, tercera | primer, segundo, tercer",
    "1re, 2e, 3e | 1er, 2e, 3e | 1ère, 2ème, 3ème | première, deuxième, troisième",
    "première, seconde, troisième | premier, deuxième, troisième",
    "erste, zweite, dritte | erster, zweiter, dritter | erstes, zweites, drittes",
    "prima, seconda, terza | primo, secondo, terzo | primeira, segunda, terceira",
    "1-й, 2-й, 3-й | первый, второй, третий | первое, второе, третье | первая, вторая, третья",
    "birinci, ikinci, üçüncü | 첫, 두, 세 | 첫번째, 두번째, 세번째 | 첫 번째, 두 번째, 세 번째",
)
NUMBERS = [
    ["-", *form.strip().split(", ")][-4:] for row in _NUMBER_FORMS for form in row.split("|")
]
"""The numbers from 0 to 3 in words. Digits are handled in ``kinds``.

``-`` stands for a missing word for 0.
"""
PASS_WORDS = (
    "pass|reading|read|round|pasada|lectura|passe|lecture|passage|durchgang|lesung|lesen|lettura|"
    "passata|leitura|passagem|проход|прочтение|чтение|okuma|geçiş"
)
PASS_SIGNS = "遍|次|刷|回目?|周目|読|读|阅读|회독|독"
"""Words for *pass* beside its number, in languages without blanks between words."""
CIRCLES = "🟢🟡🟠🔴⚪"
"""Signs whose meaning is only a custom; a legend may give them another."""
CHECKS = "✅✔☑✓√"
_SHORTCODES = {
    f":{name}:": sign
    for name, sign in zip(
        "x heavy_multiplication_x negative_squared_cross_mark white_large_square green_circle "
        "yellow_circle orange_circle red_circle white_circle hourglass hourglass_flowing_sand "
        "construction book bookmark".split(),
        "❌✖❎⬜🟢🟡🟠🔴⚪⌛⏳🚧📖🔖",
        strict=True,
    )
}
_PHRASES: tuple[tuple[re.Pattern[str], Level], ...] = tuple(
    (re.compile(pattern), Level(level))
    for pattern, level in (
        (r"\bun-?read|\bnot\b|\bto[- ]?(?:be )?read\b|\btodo\b|\bqueue|\blater\b|\bplan", 0),
        (r"未|待|想读|没", 0),
        (r"\breading now\b|\bin progress\b|\bstarted\b|\bongoing\b|\bcurrently\b|\bpart", 1),
        (r"在读|阅读中|进行中|正在", 1),
        (r"\bskim|\babstract\b|\bglance|泛读|略读|粗读|浏览", 2),
        (r"\bdeep|\bin[- ]depth\b|\bcareful|\bthorough|\bre-?implement|\breproduc|精读|复现", 4),
        (r"\bread\b|\bdone\b|\bfinish|\bcomplete|\bstudied\b|已读|读完|读过|看完", 3),
        (r"\breading\b", 1),
    )
)
_AROUND = "*_~`\"'[](){}【】（） \t\u3000"
_SEPARATORS = ":：-–—,，.·|;；<> \t"
_PICTURE_BEFORE = re.compile(r"^(?P<around>[*_~`\[(]*)[^\w\s*_~`\[(]+\s*(?=\w)")


def _parse_families() -> tuple[dict[str, Level], dict[str, str]]:
    """Return the level of each word, and the word for *read* that goes with it."""
    levels: dict[str, Level] = {}
    read_words: dict[str, str] = {}
    for family in _FAMILIES:
        rows = enumerate(family.split("|"))
        words = {word.strip(): Level(at) for at, row in rows for word in row.split(",")}
        words.pop("", None)
        read = next((word for word, level in words.items() if level >= Level.READ), "✅")
        levels |= words
        read_words |= dict.fromkeys(words, read)
    return levels, read_words | _CHECK_BESIDE


LEVELS, _READ_WORDS = _parse_families()


def bare(token: str) -> str:
    """Return a mark in lower case, without emphasis, brackets and separators around it.

    A shortcode such as ``:x:`` is replaced by its sign.
    """
    plain = _stripped(token, _AROUND)
    return plain if plain in LEVELS else _stripped(token.strip(_SEPARATORS), _AROUND) or plain


def _stripped(token: str, signs: str) -> str:
    # No mark is longer; unescape raises an error for thousands of digits.
    plain = unescape(token[:1_000]).replace("\ufe0f", "").strip(signs).casefold()
    return _SHORTCODES.get(plain, plain)


def _without_sign(plain: str) -> str:
    """Return a word without a pictorial sign before it: ``📚 to read``."""
    has_sign = len(plain) > 1 and unicodedata.category(plain[0]) == "So"
    return plain[1:].strip() if has_sign else plain


def level_of(token: str) -> Level | None:
    """Return the level of a word or sign, ignoring punctuation around it; None if unknown."""
    plain = bare(token)
    level = LEVELS.get(plain)
    return LEVELS.get(_without_sign(plain)) if level is None else level


def level_of_phrase(phrase: str) -> Level | None:
    """Return the level that the words of a legend mean; None if they do not mention reading."""
    exact, plain = level_of(phrase), bare(phrase)
    if exact is not None:
        return exact
    return next((level for pattern, level in _PHRASES if pattern.search(plain)), None)


def passes_of(levels: Collection[Level | None]) -> dict[Level | None, int]:
    """Return the number of passes of each level, given which levels a document uses.

    *Skimmed* is the first pass, *read* the next one, and *in depth* the one after that.
    """
    done = (Level.SKIMMED, Level.READ, Level.DEEP)
    passes: dict[Level | None, int]
    passes = {level: 1 + sum(other < level and other in levels for other in done) for level in done}
    return {Level.UNREAD: 0, Level.BEGUN: 0} | passes


_TASKS = ("TODO", "DOING", "LATER", "NOW", "WAITING")


def read_word_for(other: str) -> str:
    """Return the word or sign for *read* that fits another mark, in the same case and markup."""
    plain = other.strip("*_~` \t")
    if plain in _TASKS:
        return "DONE"
    word = _without_sign(bare(plain))
    if not word[:1].isalpha():
        return _READ_WORDS.get(bare(plain), "✅")
    read = _READ_WORDS.get(word, "read")
    start = plain.casefold().find(word)
    if start >= 0 and plain[start].isupper():
        read = read.capitalize()
    kept = _PICTURE_BEFORE.sub(r"\g<around>✅ ", other)
    at = kept.casefold().find(word)
    return kept[:at] + read + kept[at + len(word) :] if at >= 0 else read
