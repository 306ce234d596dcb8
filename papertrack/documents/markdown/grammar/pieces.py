"""Split an entry's text into atoms, by punctuation and markup alone.

An atom is a stretch of words between separators, with the wrappers around it. ``1. A. One, B. Two.
**A Title: Of Words.** *ICLR* (2024). [[pdf]](…)`` has the atoms ``A. One``, ``B. Two``, ``A Title``
and ``Of Words`` (bold), ``ICLR`` (emphasis), ``2024`` (in round brackets) and a link labelled with
a role. What an atom means is decided elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from papertrack.documents.markdown.link_labels import names_place
from papertrack.documents.markdown.model import PlacedLink, Skip
from papertrack.documents.markdown.roles import role_word
from papertrack.documents.markdown.values import ABBREVIATED_JOURNAL, Span
from papertrack.identifiers import parse_arxiv_id

_IN_WORD = r"\([^()\s]{1,15}\)[\w-]|(?<=\w)\((?:[^()\s\d]{1,3}|\d)\)|(?<=\d)\(\d\d?[a-z]?\)"
"""Brackets that are part of a word, ``(Mis)Fitting``, ``O(1)``, or of a volume, ``18(10)``, unlike
those around a year."""
_BRACE = r"(?<![^\s*_`\[])\{(?=[^\W_][^{}\r\n]{0,40}\}[*_`\]]{0,3}\s)"
"""An opening brace before separate words, ``{Orca} A System``, unlike in a formula."""
_DATE = (
    r"(?<![a-z])(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?,?[ ]"
    r"(?:[0-9]{1,2}(?:st|nd|rd|th)?,?[ ])?(?:19|20)[0-9]{2}(?![0-9])"
)
"""One date, including the separators in it: ``Mar., 2025``, ``June 3rd, 2024``."""
_AFFILIATION = r"\([^()\r\n]{1,60}\)(?=,?[ ]et[ ]al\b)"
"""An affiliation between a name and ``et al``: ``Zhiheng Xi (Fudan University) et al``."""
# The lookahead has the first characters of all tokens. It only makes the search faster.
_TOKEN = re.compile(
    rf"""(?=[-\\*_<\[\](){{}}（【“「『《«）】”」』》»"`'.?!。！？,，、;；:：｜•|·/–—~→⇒➜➔⟶=@\r\n]
         |(?<![a-z])[jfmasond])
      (?:\\(?P<escaped>.)|(?P<whole>{_DATE}|{_AFFILIATION})
      |(?P<stars>\*{{1,3}}|(?<!\w)_{{1,3}}|_{{1,3}}(?!\w)|~~(?!\s)|(?<!\s)~~)
      |<(?P<tag>/?(?:b|strong|i|em|br|a|p|li|dt|dd|summary|h[1-6]|code|kbd|font|span))\b[^<>]{{0,300}}>
      |(?P<open>(?!{_IN_WORD})\(|{_BRACE}|[\[（【“「『《«])|(?P<close>[\])）】}}”」』》»])
      |(?P<quote>")
      |(?P<tex>``(?!`)|'')
      |(?P<sentence>[.?!](?=["”’)\]*_]{{0,4}}(?:\s|\Z|[\[(*]))|[。！？])
      |(?P<comma>[,，、;；])|(?P<shortcode>:[a-z0-9_+-]{{2,40}}:)|(?P<colon>[:：])
      |(?P<bar>[｜•]|[|·](?=\s)|(?<=\s)[|·/](?=\S|\s))
      |(?P<dash>(?<=\s)(?:[-–—~]{{1,3}}>?|[→⇒➜➔⟶]|=>)(?=\s)|(?<=\s)@(?=\s|[A-Z])|——?)|(?P<line>[\r\n]))
    """,
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
_WORD_WITH_BRACKETS = re.compile(_IN_WORD + r"|\{[^{}\r\n]{1,60}\}")
_LEAD = re.compile(
    r"(?P<lead>\#[0-9]{1,4}|(?:19|20)?[0-9]{2}[./-][0-9]{1,2}(?:[./-][0-9]{1,2})?"
    r"|第[0-9]{1,3}[回次期讲講週周])\s+(?=\S)"
)
"""A number or date before an entry that is followed only by a blank."""
_LEADS = frozenset("#0123456789第")
"""The first characters that such a lead may have."""
_FAMILY = r"(?:(?:van|von|de|der|den|di|da|la|le|el|al|bin|ten)[ ]){0,3}[^\W\d_a-z][\w'’-]{1,30}"
_GIVEN = r"(?:[^\W\d_a-z]\.?[ -]?){0,3}"
_ONE, _TURNED = rf"{_FAMILY}[ ]{_GIVEN}", rf"{_FAMILY},[ ]{_GIVEN}"
_INITIALS_LAST = re.compile(
    rf"[ \t>]*(?:[-+*][ \t]+|\[?[0-9]{{1,4}}[.)\]][ \t]+)?"
    rf"(?:(?P<others>(?:{_ONE}(?:,|,?[ ](?:&|and))[ ]){{0,30}}){_ONE}"
    rf"|(?P<turned>(?:{_TURNED}(?:,|,?[ ](?:&|and))[ ]){{0,30}}{_TURNED}))"
)
"""Names up to the initial of the last one.

Medical journals write ``Dao T, Fu DY, Ermon S``, others ``Dao, T. & Fu, D. Y``.
"""
_MORE_NAMES = re.compile(r"[ ]?(?:[^\W\d_a-z]\.|[,;&]|(?:and|et)\b)|-")
_GOES_ON = re.compile(r"\s+(?!(?:[^\s.,]+[ ]){1,2}(?:and|und|et|&)[ ])(?:[^\s.,;:?!()]+[ ]){3}")
"""Words after a full stop that are too many to be a family name."""
_VOLUME = re.compile(r"\s+(?:Part |Teil |Partie )?[IVX]{1,4}(?=[.:]?\s*(?:\Z|[\[(*\r\n]))")
"""The number of a part, which belongs to the title: ``A Title. II``."""
_CLOSING = dict(zip("[(（【{“「『《«", "])）】}”」』》»", strict=True))
_WRAPS = dict.fromkeys("[【{", "square") | dict.fromkeys("(（", "round")
_WRAPS |= dict.fromkeys("“「『《«", "quote")
_STAR_WRAPS = {"~~": "emph"}
_STAR_WRAPS |= {
    n * sign: kind for n, kind in enumerate(("emph", "bold", "bold"), 1) for sign in "*_"
}
_TAG_WRAPS = {"b": "bold", "strong": "bold", "i": "emph", "em": "emph"}
_TAG_WRAPS |= {"code": "code", "kbd": "code"}
_WITHIN_WORDS = ("a", "/a", "font", "/font", "span", "/span")
"""Tags that separate words, but do not start a line."""
RANKS = {"": 0, ",": 1, ":": 2, "-": 3, "?": 4, "_": 5, ".": 6, "|": 7, "/": 8}
"""Ranks of the separators, weakest first. ``_`` is a line end, ``/`` a line break."""
_EDGES = frozenset(" \t\r\n,.;:|*_~-–—，。；：、｜•·\\")
_OPENINGS = frozenset("$#@&<'‘’+")
_ENDINGS = frozenset("?!%$'’\"+>)]}…？！™®°*&;/")
_WORD_BEFORE = 12
"""The most characters that may precede an address in its label."""
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
    """The text that closes it."""
    inner_end: int = -1
    end: int = -1
    """Where it ends; -1 if it is never closed."""
    link: PlacedLink | None = None


@dataclass(slots=True, eq=False)
class Atom:
    """A stretch of words without a separator, or a link that only names a role."""

    start: int
    end: int
    wraps: tuple[Wrap, ...]
    """Its wrappers, outermost first."""
    before: str
    """The strongest separator before it; see ``RANKS``."""
    link: PlacedLink | None = None
    """The link, if the atom has no words of its own: a badge, an address, ``[[pdf]](…)``."""


def linked_by(atom: Atom) -> PlacedLink | None:
    """Return the link around the words of an atom, or None."""
    for wrap in atom.wraps:
        if wrap.link:
            return wrap.link
    return None


def roles_of_links(atoms: Iterable[Atom]) -> set[str]:
    """Return what the links of some atoms are for."""
    return {getattr(atom.link or linked_by(atom), "role", "") for atom in atoms}


def is_full_line(text: str, end: int, width: int) -> bool:
    """Return whether a line ends where the next word did not fit in a width above 0."""
    line = end - text.rfind("\n", 0, end) - 1
    word = "".join(text[end : end + width + 1].split()[:1])
    return line + len(word) >= width > 0


def is_label(link: PlacedLink) -> bool:
    """Return whether a link's text only says what the link is for: ``pdf``, a badge."""
    return link.is_badge or (link.form != "wiki" and _names_only_role(link.label.strip(), link.url))


_COUNT = re.compile(r"[ ]?[0-9]{1,2}\Z")
"""A number after a role: ``Code 2``. Four digits would be a year: ``arXiv 2019``."""


@lru_cache(maxsize=256)  # Cached, because several modules ask about the links of one entry.
def _names_only_role(label: str, url: str) -> bool:
    """Return whether a label only says what its link is for.

    It may also be the link's address, perhaps after a word: ``论文链接：https://…``.
    """
    if names_place(label, url):
        return False
    is_address = bool(url) and label.endswith(url) and len(label) - len(url) <= _WORD_BEFORE
    is_role = any(map(role_word, (label, _COUNT.sub("", label))))
    is_sign = not any(map(str.isalnum, label))
    return is_sign or is_address or is_role or parse_arxiv_id(label) is not None


_DEEPEST = 30
"""How deep wrappers may be nested. Deeper ones are ignored."""


class Cutter:
    """Splits an entry's text into atoms in one pass, with a stack of open wrappers."""

    def __init__(
        self, text: str, span: Span, skips: Mapping[int, Skip], *, wrap_width: int = 0
    ) -> None:
        """``skips`` maps the offsets of links, code spans and texts without words to these.

        Lines that end where the next word did not fit in ``wrap_width`` are wrapped.
        """
        self.wrap_width = wrap_width
        self.text = text
        self.skips = skips
        self.atoms: list[Atom] = []
        self.stack: list[Wrap] = []
        self.separator = ""
        self.origin, self.end = span
        self.start = span[0]
        self.limit = span[1]
        self.scan(*span)
        for atom in self.atoms:
            atom.wraps = tuple(wrap for wrap in atom.wraps if wrap.end >= 0)

    def scan(self, position: int, end: int) -> None:
        """Split a stretch. Wrappers that open in it also end in it."""
        depth = len(self.stack)
        for start in sorted(at for at in self.skips if position <= at < end):
            if start >= position:
                self.scan_words(position, start)
                position = self.skip(start)
        self.scan_words(position, end)
        del self.stack[depth:]

    def scan_words(self, position: int, end: int) -> None:
        """Split a text without links. Its last atom ends at its end."""
        self.start, self.limit = position, end
        for match in _TOKEN.finditer(self.text, position, end):
            _HANDLERS[match.lastgroup or ""](self, match)
        self.flush(end)

    def skip(self, start: int) -> int:
        """Add the atoms of a link or code span, and return where it ends."""
        end, skipped = self.skips[start]
        is_within = any(wrap.link for wrap in self.stack)  # A link contains no other link.
        if skipped is None or (is_within and skipped != "code"):
            return end
        if skipped == "code":
            inner = self.text[start:end].strip("`")
            begin = self.text.find(inner, start)
            self.wrapped(Wrap("code", start, begin), begin + len(inner), end)
        elif is_label(skipped) or self.is_site_name(skipped):
            self.atoms.append(Atom(start, end, tuple(self.stack), self.separator, skipped))
            self.separator = ""
        else:
            self.wrapped(
                Wrap("link", start, skipped.label_span[0], link=skipped), skipped.label_span[1], end
            )
        return end

    def is_site_name(self, link: PlacedLink) -> bool:
        """Return whether a link names the site of the work before it.

        Example: ``A Title. [arXiv](https://arxiv.org)``.
        """
        return names_place(link.label.strip(), link.url) and any(
            atom.link is None and " " in self.text[atom.start : atom.end] for atom in self.atoms
        )

    def wrapped(self, wrap: Wrap, inner_end: int, end: int) -> None:
        """Split the content of a link or code span."""
        self.stack.append(wrap)
        wrap.inner_end, wrap.end = inner_end, end
        if wrap.kind == "code":
            self.start = wrap.inner
            self.flush(inner_end)
        else:
            self.scan(wrap.inner, inner_end)
        self.stack.pop()

    def flush(self, end: int) -> None:
        """Add the current words as an atom."""
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
        """Add the words before a separator or wrapper as an atom."""
        if match.start() > self.start:
            self.flush(match.start())
        if RANKS[separator] > RANKS[self.separator]:
            self.separator = separator
        self.start = match.end()

    def open(self, match: re.Match[str], kind: str, sign: str) -> None:
        self.cut(match)
        if len(self.stack) < _DEEPEST:
            self.stack.append(Wrap(kind, match.start(), match.end(), sign))

    def close(self, match: re.Match[str], sign: str) -> bool:
        """Close the innermost wrapper with this closing text. Returns whether there is one.

        Inside a link, wrappers that were opened before it stay open.
        """
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
            return  # Inside words, braces only protect capitals, as in BibTeX.
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
        """Handle LaTeX quotes: ``like these''."""
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
            self.cut(match, "" if name in _WITHIN_WORDS else "/")

    def at_sentence(self, match: re.Match[str]) -> None:
        word = self.text[max(self.start, match.start() - 8) : match.start()].split(" ")[-1]
        is_initial = (len(word) == 1 and word.isupper()) or "." in word
        is_initial = is_initial and not self.ends_names(match.start())
        is_volume = match.group() == "." and _VOLUME.match(self.text, match.end(), self.limit)
        is_journal = ABBREVIATED_JOURNAL.match(self.text, match.start() - len(word), self.limit)
        is_short = word.casefold() in _ABBREVIATIONS
        is_within = any((is_initial, is_volume, is_journal, is_short))
        if match.group() != "." or not is_within:
            is_own = match.group() in "?!？！"
            if is_own:
                self.flush(match.end())  # The sign is part of the words.
                self.start = match.end()
            self.cut(match, "?" if is_own else ".")

    def ends_names(self, at: int) -> bool:
        """Return whether a full stop after an initial ends a list of names.

        It does after several names that end with initials. After a single name without a comma, it
        does if more words follow than a family name has.
        """
        names = _INITIALS_LAST.fullmatch(self.text, self.origin, at)
        if names is None or _MORE_NAMES.match(self.text, at + 1, self.end):
            return False
        are_sure = bool(names["others"] or names["turned"])
        return are_sure or _GOES_ON.match(self.text, at + 1, self.end) is not None

    def at_whole(self, match: re.Match[str]) -> None:
        """Do nothing, so that a date or affiliation stays in one atom."""

    def at_line(self, match: re.Match[str]) -> None:
        if self.text[match.start() - 2 : match.start()] == "  ":
            self.cut(match, "/")
        elif not is_full_line(self.text, match.start(), self.wrap_width):
            # Behind a comma, names go on in the next line.
            self.cut(match, "" if self.text[match.start() - 1] in ",，、" else "_")


_SIGNS = {"comma": ",", "colon": ":", "bar": "|", "dash": "-", "shortcode": ""}
_HANDLERS = {
    name: getattr(Cutter, f"at_{name}")
    for name in "stars open close escaped quote tex tag sentence line whole".split()
}
_HANDLERS |= {
    name: (lambda cutter, match, sign=sign: cutter.cut(match, sign))
    for name, sign in _SIGNS.items()
}


def trimmed(text: str, start: int, end: int) -> Span:
    """Return a stretch without blanks, separators and signs at its ends."""
    # Letters are checked first, because most stretches start and end with one.
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
    """Return whether a character at the end of words is not part of them."""
    return char in _EDGES or (char not in _ENDINGS and (char > "\x7f" or char in "([{<"))
