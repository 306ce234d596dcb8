"""An entry's text cut into atoms, by form alone: what is between separators, in which wrappers.

``1. A. One, B. Two. **A Title: Of Words.** *ICLR* (2024). [[pdf]](…)`` has the atoms ``A. One``,
``B. Two``, ``A Title`` and ``Of Words`` (bold), ``ICLR`` (emphasis), ``2024`` (in round brackets)
and a link whose label says its role. What an atom is, is found elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from papertrack.documents.markdown.link_labels import names_place
from papertrack.documents.markdown.model import PlacedLink, Skip
from papertrack.documents.markdown.roles import role_word
from papertrack.documents.markdown.values import Span
from papertrack.identifiers import parse_arxiv_id

_IN_WORD = r"\([^()\s]{1,15}\)[\w-]|(?<=\w)\((?:[^()\s\d]{1,3}|\d)\)"
"""Brackets that belong to a word: ``(Mis)Fitting``, ``O(1)``; a year's do not."""
_BRACE = r"(?<![^\s*_`\[])\{(?=[^\W_][^{}\r\n]{0,40}\}[*_`\]]{0,3}\s)"
"""What opens braces around words apart from others, ``{Orca} A System``, as in no formula."""
_DATE = (
    r"(?<![a-z])(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?,?[ ]"
    r"(?:[0-9]{1,2}(?:st|nd|rd|th)?,?[ ])?(?:19|20)[0-9]{2}(?![0-9])"
)
"""``Mar., 2025``, ``June 3rd, 2024``: one date, whatever signs are in it."""
_AFFILIATION = r"\([^()\r\n]{1,60}\)(?=,?[ ]et[ ]al\b)"
"""Where the one author works who is named: ``Zhiheng Xi (Fudan University) et al``."""
# What each of the tokens begins with is looked for first: most characters begin none.
_TOKEN = re.compile(
    rf"""(?=[-\\*_<\[\](){{}}（【“「『《«）】”」』》»"`'.?!。！？,，、;；:：｜•|·/–—~→⇒➜➔⟶=\r\n]
         |(?<![a-z])[jfmasond])
      (?:\\(?P<escaped>.)|(?P<whole>{_DATE}|{_AFFILIATION})
      |(?P<stars>\*{{1,3}}|(?<!\w)_{{1,3}}|_{{1,3}}(?!\w)|~~(?!\s)|(?<!\s)~~)
      |<(?P<tag>/?(?:b|strong|i|em|br|a|p|li|dt|dd|summary|h[1-6]))\b[^<>]{{0,300}}>
      |(?P<open>(?!{_IN_WORD})\(|{_BRACE}|[\[（【“「『《«])|(?P<close>[\])）】}}”」』》»])
      |(?P<quote>")
      |(?P<tex>``(?!`)|'')
      |(?P<sentence>[.?!](?=["”’)\]*_]{{0,4}}(?:\s|\Z|[\[(*]))|[。！？])
      |(?P<comma>[,，、;；])|(?P<shortcode>:[a-z0-9_+-]{{2,40}}:)|(?P<colon>[:：])
      |(?P<bar>[｜•]|[|·](?=\s)|(?<=\s)[|·/](?=\S|\s))
      |(?P<dash>(?<=\s)(?:[-–—~]{{1,3}}>?|[→⇒➜➔⟶]|=>)(?=\s)|——?)|(?P<line>[\r\n]))
    """,
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
_WORD_WITH_BRACKETS = re.compile(_IN_WORD + r"|\{[^{}\r\n]{1,60}\}")
_LEAD = re.compile(
    r"(?P<lead>\#[0-9]{1,4}|(?:19|20)?[0-9]{2}[./-][0-9]{1,2}(?:[./-][0-9]{1,2})?"
    r"|第[0-9]{1,3}[回次期讲講週周])\s+(?=\S)"
)
"""A number or a date that only a blank parts from the words behind it."""
_LEADS = frozenset("#0123456789第")
"""What it begins with."""
_FAMILY = r"(?:(?:van|von|de|der|den|di|da|la|le|el|al|bin|ten)[ ]){0,3}[^\W\d_a-z][\w'’-]{1,30}"
_GIVEN = r"(?:[^\W\d_a-z]\.?[ -]?){0,3}"
_ONE, _TURNED = rf"{_FAMILY}[ ]{_GIVEN}", rf"{_FAMILY},[ ]{_GIVEN}"
_INITIALS_LAST = re.compile(
    rf"[ \t>]*(?:[-+*][ \t]+|\[?[0-9]{{1,4}}[.)\]][ \t]+)?"
    rf"(?:(?P<others>(?:{_ONE}(?:,|,?[ ](?:&|and))[ ]){{0,30}}){_ONE}"
    rf"|(?P<turned>(?:{_TURNED}(?:,|,?[ ](?:&|and))[ ]){{0,30}}{_TURNED}))"
)
"""Names up to the last one's initial, as medicine writes them, ``Dao T, Fu DY, Ermon S``, or
journals, ``Dao, T. & Fu, D. Y``."""
_MORE_NAMES = re.compile(r"[ ]?(?:[^\W\d_a-z]\.|[,;&]|(?:and|et)\b)|-")
_GOES_ON = re.compile(r"\s+(?!(?:[^\s.,]+[ ]){1,2}(?:and|und|et|&)[ ])(?:[^\s.,;:?!()]+[ ]){3}")
"""Words behind a full stop that are too many for a family name."""
_VOLUME = re.compile(r"\s+(?:Part |Teil |Partie )?[IVX]{1,4}(?=[.:]?\s*(?:\Z|[\[(*\r\n]))")
"""``A Title. II``: a part of a work, whose number is the title's."""
_CLOSING = dict(zip("[(（【{“「『《«", "])）】}”」』》»", strict=True))
_WRAPS = dict.fromkeys("[【{", "square") | dict.fromkeys("(（", "round")
_WRAPS |= dict.fromkeys("“「『《«", "quote")
_STAR_WRAPS = {"~~": "emph"}
_STAR_WRAPS |= {
    n * sign: kind for n, kind in enumerate(("emph", "bold", "bold"), 1) for sign in "*_"
}
_TAG_WRAPS = {"b": "bold", "strong": "bold", "i": "emph", "em": "emph"}
RANKS = {"": 0, ",": 1, ":": 2, "-": 3, "?": 4, "_": 5, ".": 6, "|": 7, "/": 8}
"""The separators from the weakest to the strongest: ``_`` is a line end, ``/`` a line break."""
_EDGES = frozenset(" \t\r\n,.;:|*_~-–—，。；：、｜•·\\")
_OPENINGS = frozenset("$#@&<'‘’+")
_ENDINGS = frozenset("?!%$'’\"+>)]}…？！™®°*&;/")
_WORD_BEFORE = 12
"""Characters before an address."""
_ABBREVIATIONS = frozenset(
    "vs st dr jr sr mr ms prof no vol pp fig etc e.g i.e cf proc conf trans int symp adv rev lett "
    "phys comput sci univ inc intl eds ed et u serv inf eng softw syst netw knowl intell appl "
    "theor technol distrib manag secur commun oper".split()
)


@dataclass(slots=True, eq=False)
class Wrap:
    """Emphasis, brackets, quotes or a link around some atoms."""

    kind: str
    """``bold``, ``emph``, ``square``, ``round``, ``quote``, ``code`` or ``link``."""
    start: int
    inner: int
    """Where its content starts."""
    sign: str = ""
    """What closes it."""
    inner_end: int = -1
    end: int = -1
    """Where it ends; -1 of one that nothing closes."""
    link: PlacedLink | None = None


@dataclass(slots=True, eq=False)
class Atom:
    """A stretch of words without a separator, or a link that only says what it is for."""

    start: int
    end: int
    wraps: tuple[Wrap, ...]
    """From the outermost to the innermost."""
    before: str
    """The strongest separator before it, of ``RANKS``."""
    link: PlacedLink | None = None
    """What it is, if it is no words: a badge, an address, ``[[pdf]](…)``."""


def linked_by(atom: Atom) -> PlacedLink | None:
    """Return the link that words stand in, if they stand in one."""
    for wrap in atom.wraps:
        if wrap.link:
            return wrap.link
    return None


def is_label(link: PlacedLink) -> bool:
    """Return whether a link's text only says what it is for, rather than what it leads to."""
    return link.is_badge or (link.form != "wiki" and _only_says(link.label.strip(), link.url))


@lru_cache(maxsize=256)  # Of one entry several readers ask for the same links.
def _only_says(label: str, url: str) -> bool:
    """Whether a text that leads to an address only says what that is for."""
    if names_place(label, url):
        return False
    return (
        not label
        or _is_address(label, url)
        or role_word(label) is not None
        or role_word(label.rstrip("0123456789 ")) is not None
        or parse_arxiv_id(label) is not None
    )


def _is_address(label: str, url: str) -> bool:
    """Whether a label is the address that it leads to, be it behind a word: ``论文链接：https://…``."""
    return bool(url) and label.endswith(url) and len(label) - len(url) <= _WORD_BEFORE


class Cutter:
    """One pass over an entry's text, with the stack of its open wrappers."""

    def __init__(self, text: str, span: Span, skips: Mapping[int, Skip]) -> None:
        """``skips`` are by where they start."""
        self.text = text
        self.skips = skips
        self.atoms: list[Atom] = []
        self.stack: list[Wrap] = []
        self.separator = ""
        self.origin, self.end = span
        self.start = span[0]
        self.limit = span[1]
        self.scan(*span)
        torn = [atom for atom in self.atoms for wrap in atom.wraps if wrap.end < 0]
        for atom in torn:
            atom.wraps = tuple(wrap for wrap in atom.wraps if wrap.end >= 0)

    def scan(self, position: int, end: int) -> None:
        """Cut a stretch; what is opened in it is closed in it."""
        depth = len(self.stack)
        for start in sorted(at for at in self.skips if position <= at < end):
            if start >= position:
                self.scan_words(position, start)
                position = self.skip(start)
        self.scan_words(position, end)
        del self.stack[depth:]

    def scan_words(self, position: int, end: int) -> None:
        """Cut what holds no link; its last atom ends at its end."""
        self.start, self.limit = position, end
        for match in _TOKEN.finditer(self.text, position, end):
            _TAKERS[match.lastgroup or ""](self, match)
        self.flush(end)

    def skip(self, start: int) -> int:
        """Take a link, or a thing without words; return where it ends."""
        end, what = self.skips[start]
        is_within = any(wrap.link for wrap in self.stack)  # A link holds no other.
        if what is None or (is_within and what != "code"):
            return end
        if what == "code":
            inner = self.text[start:end].strip("`")
            begin = self.text.find(inner, start)
            self.wrapped(Wrap("code", start, begin), begin + len(inner), end)
        elif is_label(what) or self.is_where(what):
            self.atoms.append(Atom(start, end, tuple(self.stack), self.separator, what))
            self.separator = ""
        else:
            self.wrapped(
                Wrap("link", start, what.label_span[0], link=what), what.label_span[1], end
            )
        return end

    def is_where(self, link: PlacedLink) -> bool:
        """Whether a link that names its place says where the work before it is: ``A Title.
        [arXiv](https://arxiv.org)``."""
        return names_place(link.label.strip(), link.url) and any(
            atom.link is None and " " in self.text[atom.start : atom.end] for atom in self.atoms
        )

    def wrapped(self, wrap: Wrap, inner_end: int, end: int) -> None:
        """Cut what a link or a code span holds."""
        self.stack.append(wrap)
        wrap.inner_end, wrap.end = inner_end, end
        if wrap.kind == "code":
            self.start = wrap.inner
            self.flush(inner_end)
        else:
            self.scan(wrap.inner, inner_end)
        self.stack.pop()

    def flush(self, end: int) -> None:
        """End the words that are being read."""
        start, end = trimmed(self.text, self.start, end)
        while (
            start < end
            and self.text[start] in _LEADS
            and (lead := _LEAD.match(self.text, start, end))
        ):
            self.atoms.append(Atom(start, lead.end("lead"), tuple(self.stack), self.separator))
            self.separator = ""
            start, end = trimmed(self.text, lead.end(), end)
        if start < end and (
            self.text[start].isalnum() or any(map(str.isalnum, self.text[start:end]))
        ):
            self.atoms.append(Atom(start, end, tuple(self.stack), self.separator))
            self.separator = ""

    def cut(self, match: re.Match[str], separator: str = "") -> None:
        """End the words before a sign that parts them from what follows."""
        if match.start() > self.start:
            self.flush(match.start())
        if RANKS[separator] > RANKS[self.separator]:
            self.separator = separator
        self.start = match.end()

    def open(self, match: re.Match[str], kind: str, sign: str) -> None:
        self.cut(match)
        self.stack.append(Wrap(kind, match.start(), match.end(), sign))

    def close(self, match: re.Match[str], sign: str) -> bool:
        """Close the innermost wrapper that this sign closes; return whether there is one. Within a
        link none is closed that was opened before it."""
        depth = len(self.stack) - 1
        while depth >= 0 and self.stack[depth].sign != sign and not self.stack[depth].link:
            depth -= 1
        if depth < 0 or self.stack[depth].link:
            return False
        self.cut(match)
        wrap = self.stack[depth]
        wrap.inner_end, wrap.end = match.start(), match.end()
        del self.stack[depth:]
        return True

    def at_stars(self, match: re.Match[str]) -> None:
        sign, start, end = match.group(), match.start(), match.end()
        before, after = self.text[start - 1 : start], self.text[end : end + 1]
        if not before.isspace() and self.close(match, sign):
            return
        is_before_more = end < self.limit or end in self.skips
        if is_before_more and not after.isspace() and not (before.isalnum() and sign[0] == "_"):
            self.open(match, _STAR_WRAPS[sign], sign)

    def at_open(self, match: re.Match[str]) -> None:
        sign = match.group()[-1]
        if sign == "{" and (
            self.atoms or trimmed(self.text, self.start, match.start())[0] < match.start()
        ):
            return  # Within words braces keep capitals, as BibTeX has it.
        self.open(match, _WRAPS[sign], _CLOSING[sign])

    def at_close(self, match: re.Match[str]) -> None:
        self.close(match, match.group()[-1])

    def at_escaped(self, match: re.Match[str]) -> None:
        if match["escaped"] == "[":
            self.at_open(match)
        elif match["escaped"] == "]":
            self.at_close(match)
        elif match["escaped"] in "\r\n":
            self.cut(match, "/")

    def at_quote(self, match: re.Match[str]) -> None:
        if not self.close(match, '"'):
            self.open(match, "quote", '"')

    def at_tex(self, match: re.Match[str]) -> None:
        """Quotes as LaTeX has them: ``like these''."""
        if match.group() == "``":
            self.open(match, "quote", "''")
        else:
            self.close(match, "''")

    def at_tag(self, match: re.Match[str]) -> None:
        name = match["tag"].lower()
        if kind := _TAG_WRAPS.get(name):
            self.open(match, kind, f"</{name}")
        elif name[:1] == "/" and name[1:] in _TAG_WRAPS:
            self.close(match, f"<{name}")
        else:
            self.cut(match, "" if name in ("a", "/a") else "/")

    def at_sentence(self, match: re.Match[str]) -> None:
        word = self.text[max(self.start, match.start() - 8) : match.start()].split(" ")[-1]
        is_initial = (len(word) == 1 and word.isupper()) or "." in word
        is_initial = is_initial and not self.ends_names(match.start())
        is_volume = match.group() == "." and _VOLUME.match(self.text, match.end(), self.limit)
        is_within = is_initial or is_volume or word.casefold() in _ABBREVIATIONS
        if match.group() != "." or not is_within:
            is_own = match.group() in "?!？！"
            if is_own:
                self.flush(match.end())  # It is the words' own.
                self.start = match.end()
            self.cut(match, "?" if is_own else ".")

    def ends_names(self, at: int) -> bool:
        """Whether a full stop behind an initial ends names whose initials come last: of one name
        alone, if no comma has turned it, only the number of words behind it tells."""
        names = _INITIALS_LAST.fullmatch(self.text, self.origin, at)
        if names is None or _MORE_NAMES.match(self.text, at + 1, self.end):
            return False
        are_sure = bool(names["others"] or names["turned"])
        return are_sure or _GOES_ON.match(self.text, at + 1, self.end) is not None

    def at_whole(self, match: re.Match[str]) -> None:
        """Leave what is in it alone."""

    def at_line(self, match: re.Match[str]) -> None:
        is_break = self.text[match.start() - 2 : match.start()] == "  "
        self.cut(match, "/" if is_break else "_")


_SIGNS = {"comma": ",", "colon": ":", "bar": "|", "dash": "-", "shortcode": ""}
_TAKERS = {name: getattr(Cutter, f"at_{name}") for name in "stars open close escaped".split()}
_TAKERS |= {
    name: getattr(Cutter, f"at_{name}") for name in "quote tex tag sentence line whole".split()
}
_TAKERS |= {
    name: (lambda cutter, match, sign=sign: cutter.cut(match, sign))
    for name, sign in _SIGNS.items()
}


def trimmed(text: str, start: int, end: int) -> Span:
    """Return a stretch without blanks, separators and signs at its ends."""
    # Most stretches begin and end with a letter, which is looked for first.
    while start < end and not (
        text[start].isalnum()
        or text[start] in _OPENINGS
        or (text[start] in "({" and _WORD_WITH_BRACKETS.match(text, start))
    ):
        start += 1
    while end > start and not text[end - 1].isalnum() and _is_edge(text[end - 1]):
        end -= 1
    return start, end


def _is_edge(char: str) -> bool:
    """Whether words end before a character that is no letter."""
    return char in _EDGES or (char not in _ENDINGS and (char > "\x7f" or char in "([{<"))
