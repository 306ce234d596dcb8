"""What people say of how far they read, in words and signs: *to read*, *reading*, *skimmed*, ⚪."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Mapping
from enum import IntEnum
from html import unescape


class Level(IntEnum):
    """How far a work was read, by what a word says."""

    UNREAD = 0
    BEGUN = 1
    SKIMMED = 2
    READ = 3
    DEEP = 4


_TOLD_APART = (Level.SKIMMED, Level.READ, Level.DEEP)


def _words(level: Level, words: str) -> dict[str, Level]:
    return dict.fromkeys((word.strip() for word in words.split(",")), level)


LEVELS: Mapping[str, Level] = {
    **_words(
        Level.UNREAD,
        "unread, not read, not yet, not yet read, not started, todo, to do, to-do, to read, "
        "to-read, toread, tbr, want to read, queued, queue, planned, later, read later, "
        "backlog, pending, wishlist, no, n, non, nein, não, nee, нет, nie, いいえ, 아니오, "
        "未读, 待读, 想读, 没读, 未看, 待看, 没看, 未完成, 否, 未読, 積読, 안 읽음, "
        "por leer, pendiente, à lire, ungelesen, zu lesen, da leggere, não lido, "
        "не прочитано, sin leer, no leído, non lu, à faire, pas lu, non letto, por ler, "
        "a ler, к чтению, noch nicht gelesen, offen, okunmadı, okunacak, 待写, 읽을 예정, "
        "예정, ❌, ✗, ✘, ✖, ✕, ×, ❎, -, –, —, ⬜, ☐, 🔲, □, ◻, ▢, ○, ⚪, 🔴, 🌑, 🔖",
    ),
    **_words(
        Level.BEGUN,
        "reading, in progress, in-progress, ongoing, started, begun, wip, doing, current, "
        "currently reading, partial, partially, partially read, partly read, half read, "
        "在读, 阅读中, 进行中, 正在读, 読書中, 読み中, leyendo, en curso, en cours, "
        "en lecture, in arbeit, lese ich, in lettura, in corso, lendo, em andamento, читаю, "
        "в процессе, okunuyor, 읽는 중, 진행 중, 🟡, 🟠, 🌒, 🌓, 🌔, 🌗, ◐, ◔, ◑, ◕, ⏳, ⌛, "
        "🚧, 🔄, 📖",
    ),
    **_words(
        Level.SKIMMED,
        "skimmed, skim, skimming, abstract only, abstract, glanced, browsed, scanned, 略读, "
        "泛读, 粗读, 浏览, 流し読み, hojeado, ojeado, survolé, parcouru, scorso, folheado, "
        "просмотрено, göz atıldı, 훑어봄",
    ),
    **_words(
        Level.READ,
        "read, done, finished, yes, y, sí, oui, ja, sim, sì, да, tak, はい, 예, complete, "
        "completed, studied, fully read, 已读, 读完, 是, 已完成, 读, 看完, 已看, 完成, 読了, "
        "既読, 읽음, leído, lu, gelesen, letto, lido, прочитано, leída, leídos, lue, letta, "
        "lida, erledigt, fertig, terminado, terminé, finito, concluído, готово, okundu, "
        "tamamlandı, 완독, 완료, 🟢, 🌕, ●, ■, 🟩",
    ),
    **_words(
        Level.DEEP,
        "deep read, deeply read, read in depth, in depth, in-depth, close read, "
        "close reading, read closely, carefully read, mastered, reread, re-read, "
        "reimplemented, re-implemented, implemented, reproduced, 精读, 复现, 精読",
    ),
}
CIRCLES = "🟢🟡🟠🔴⚪"
"""Signs whose meaning is a habit only: a legend may say otherwise."""
_SHORTCODES = {
    ":x:": "❌",
    ":heavy_multiplication_x:": "✖",
    ":negative_squared_cross_mark:": "❎",
    ":white_large_square:": "⬜",
    ":green_circle:": "🟢",
    ":yellow_circle:": "🟡",
    ":orange_circle:": "🟠",
    ":red_circle:": "🔴",
    ":white_circle:": "⚪",
    ":hourglass:": "⌛",
    ":hourglass_flowing_sand:": "⏳",
    ":construction:": "🚧",
    ":book:": "📖",
    ":bookmark:": "🔖",
}
_AROUND = "*_~`\"'[](){}【】（） \t\u3000"
_SEPARATORS = ":：-–—,，.·|;；<> \t"
_VARIANT = "\ufe0f"
_PHRASES: tuple[tuple[re.Pattern[str], Level], ...] = tuple(
    (re.compile(pattern), level)
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
    for level in (Level(level),)
)


def bare(token: str) -> str:
    """Return a mark without case, emphasis and brackets, with the sign that a code stands for."""
    plain = unescape(token).replace(_VARIANT, "").strip(_AROUND).casefold()
    return _SHORTCODES.get(plain, plain)


def bare_of_list(token: str) -> str:
    """Return what stands before or behind a title without the separators around it."""
    plain = bare(token)
    return plain if plain in LEVELS else bare(token.strip(_SEPARATORS)) or plain


def without_sign(plain: str) -> str:
    """Return a word without the one pictorial sign before it: ``📚 to read``."""
    has_sign = len(plain) > 1 and unicodedata.category(plain[0]) == "So"
    return plain[1:].strip() if has_sign else plain


def level_of(token: str) -> Level | None:
    """Return what a word or sign says, whatever is around it; None if that is unknown."""
    plain = bare(token)
    found = LEVELS.get(plain)
    return LEVELS.get(without_sign(plain)) if found is None else found


def level_of_phrase(phrase: str) -> Level | None:
    """Return what the words of a legend say about reading; None if they say nothing of it."""
    found = level_of(phrase)
    if found is not None:
        return found
    plain = bare(phrase)
    return next((level for pattern, level in _PHRASES if pattern.search(plain)), None)


def passes_of(levels: Collection[Level]) -> dict[Level, int]:
    """Return the passes that each level stands for where these are told apart.

    *Skimmed* is the first pass; *read* the one behind it, and *in depth* the next.
    """
    told = set(_TOLD_APART).intersection(levels)
    passes = {level: 1 + sum(other < level for other in told) for level in _TOLD_APART}
    return {Level.UNREAD: 0, Level.BEGUN: 0, **passes}
