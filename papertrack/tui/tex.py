"""TeX in titles and abstracts made readable: the common commands as Unicode. Pure and linear.

Only what is surely meant is changed; what is not known stays as its author wrote it.
"""

from __future__ import annotations

import re
import unicodedata

_GREEK = (
    "alpha α beta β gamma γ delta δ epsilon ε varepsilon ε zeta ζ eta η theta θ vartheta ϑ iota ι "
    "kappa κ lambda λ mu μ nu ν xi ξ pi π varpi ϖ rho ρ varrho ϱ sigma σ varsigma ς tau τ "
    "upsilon υ phi φ varphi φ chi χ psi ψ omega ω Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π "
    "Sigma Σ Upsilon Υ Phi Φ Psi Ψ Omega Ω"
)
_SIGNS = (
    "times × cdot · cdots ⋯ ldots … dots … pm ± mp ∓ le ≤ leq ≤ leqslant ≤ ge ≥ geq ≥ geqslant ≥ "
    "ne ≠ neq ≠ approx ≈ sim ∼ simeq ≃ cong ≅ equiv ≡ propto ∝ ll ≪ gg ≫ in ∈ notin ∉ ni ∋ "
    "subset ⊂ subseteq ⊆ supset ⊃ supseteq ⊇ cup ∪ cap ∩ setminus ∖ emptyset ∅ varnothing ∅ "
    "infty ∞ partial ∂ nabla ∇ forall ∀ exists ∃ neg ¬ land ∧ wedge ∧ lor ∨ vee ∨ oplus ⊕ "
    "otimes ⊗ odot ⊙ circ ∘ bullet • star ⋆ ast ∗ dagger † ddagger ‡ sum ∑ prod ∏ int ∫ sqrt √ "
    "to → rightarrow → leftarrow ← Rightarrow ⇒ Leftarrow ⇐ leftrightarrow ↔ Leftrightarrow ⇔ "
    "mapsto ↦ longrightarrow ⟶ uparrow ↑ downarrow ↓ langle ⟨ rangle ⟩ lfloor ⌊ rfloor ⌋ "
    "lceil ⌈ rceil ⌉ Vert ‖ | ‖ mid ∣ parallel ∥ perp ⊥ angle ∠ ell ℓ hbar ℏ Re ℜ Im ℑ aleph ℵ "
    "prime ′ degree ° S § P ¶ copyright © pounds £ vdash ⊢ models ⊨ top ⊤ bot ⊥ triangle △ "
    "square □ Box □ checkmark ✓ lesssim ≲ gtrsim ≳ prec ≺ succ ≻ div ÷ ss ß ae æ AE Æ oe œ OE Œ "
    "o ø O Ø l ł L Ł aa å AA Å i ı j ȷ"
)
_words = f"{_GREEK} {_SIGNS}".split()
SYMBOLS = dict(zip(_words[::2], _words[1::2], strict=True))
"""Command without its backslash → the character."""

_FUNCTIONS = frozenset(
    "log ln exp sin cos tan min max sup inf lim arg argmin argmax det dim ker deg gcd Pr tanh "
    "softmax poly polylog".split()
)
_STYLES = frozenset(
    "mathrm mathbf mathit mathsf mathtt mathcal mathfrak mathscr text textbf textit texttt textsc "
    "textrm textsf emph operatorname boldsymbol bm pmb mbox hbox underline uline bf it rm sc tt "
    "em left right big Big bigl bigr Bigl Bigr displaystyle textstyle limits nolimits ensuremath "
    "mathop url href".split()
)
_BLACKBOARD = dict(zip("CHNPQRZEFKBDIST", "ℂℍℕℙℚℝℤ𝔼𝔽𝕂𝔹𝔻𝕀𝕊𝕋", strict=True))
_ACCENTS = {
    **{"`": "\u0300", "'": "\u0301", "^": "\u0302", "~": "\u0303", '"': "\u0308", "=": "\u0304"},
    **{".": "\u0307", "hat": "\u0302", "widehat": "\u0302", "tilde": "\u0303", "bar": "\u0304"},
    **{"widetilde": "\u0303", "overline": "\u0304", "dot": "\u0307", "ddot": "\u0308"},
    **{"vec": "\u20d7", "u": "\u0306", "v": "\u030c", "H": "\u030b", "c": "\u0327", "k": "\u0328"},
    **{"r": "\u030a", "acute": "\u0301", "grave": "\u0300", "check": "\u030c", "breve": "\u0306"},
}
_SUPERSCRIPT = str.maketrans(
    dict(
        zip(
            "0123456789+-=()abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVW*′",
            "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂ*′",
            strict=True,
        )
    )
)
_SUBSCRIPT = str.maketrans(
    dict(
        zip(
            "0123456789+-=()aehijklmnoprstuvxβγρφχ",
            "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧᵨᵩᵪ",
            strict=True,
        )
    )
)
_TOKEN = re.compile(r"\\(?:[A-Za-z]+|[^A-Za-z\s])|[{}^_$~]|[^\\{}^_$~]+|\\", re.DOTALL)
# A dollar sign before a blank closes nothing, and one before a digit neither: prices stay prices.
_MATH = re.compile(r"(?<!\\)\${1,2}(?=[^\s$])([^$]*[^\s$\\])\${1,2}(?![0-9])")
_MAX_DEPTH = 20


def readable(text: str) -> str:
    """The text with TeX commands, accents, sub- and superscripts as Unicode where there is one.

    ``readable(r"$O(n^2 \\log n)$ for $\\alpha \\le 1$") == "O(n² log n) for α ≤ 1"``.
    """
    if "\\" not in text and "$" not in text:
        return text
    parts, done = [], 0
    for math in _MATH.finditer(text):
        parts += [_read(text[done : math.start()], is_math=False), _read(math[1], is_math=True)]
        done = math.end()
    parts.append(_read(text[done:], is_math=False))
    return unicodedata.normalize("NFC", "".join(parts))


def _read(text: str, *, is_math: bool) -> str:
    reader = _Reader(_TOKEN.findall(text), is_math=is_math)
    parts = []
    while not reader.is_done():
        parts.append(reader.next())
    return "".join(parts)


class _Reader:
    """Walks the tokens once; a group within more than 20 others is read as if it had no braces."""

    def __init__(self, tokens: list[str], *, is_math: bool) -> None:
        self._tokens = tokens
        self._at = 0
        self._depth = 0
        self._in_math = is_math

    def is_done(self) -> bool:
        return self._at >= len(self._tokens)

    def next(self) -> str:
        """The next token, or the group or command that begins with it, as Unicode."""
        token = self._tokens[self._at]
        self._at += 1
        match token:
            case "{":
                return self._group()
            case "}":
                return ""
            case "^" | "_" if self._in_math:
                return self._script(token)
            case "~":
                return " "
        if len(token) > 1 and token[0] == "\\":
            return self._command(token[1:])
        return token

    def _argument(self) -> str:
        """What a command or a script applies to: one group, command or character."""
        if self.is_done() or self._depth >= _MAX_DEPTH:
            return ""
        token = self._tokens[self._at]
        if token[:1] == "\\" or token in ("{", "}", "$", "^", "_", "~"):
            self._depth += 1
            argument = "" if token in ("}", "$") else self.next()
            self._depth -= 1
            return argument
        stripped = token.lstrip()
        self._tokens[self._at] = stripped[1:]
        return stripped[:1]

    def _group(self) -> str:
        if self._depth >= _MAX_DEPTH:
            return ""
        self._depth += 1
        parts = []
        while not self.is_done() and self._tokens[self._at] != "}":
            parts.append(self.next())
        self._at += 1
        self._depth -= 1
        return "".join(parts)

    def _script(self, mark: str) -> str:
        table = _SUPERSCRIPT if mark == "^" else _SUBSCRIPT
        text = self._argument()
        if text and all(ord(char) in table for char in text):
            return text.translate(table)
        return f"{mark}({text})" if len(text) > 1 else f"{mark}{text}"

    def _command(self, name: str) -> str:
        if name in _ACCENTS:
            letter = self._argument().replace("ı", "i").replace("ȷ", "j")
            return letter[:1] + _ACCENTS[name] + letter[1:] if letter else ""
        if name in SYMBOLS:
            self._skip_blank()
            return SYMBOLS[name]
        if name in _STYLES:
            self._skip_blank()
            return ""
        match name:
            case "frac" | "tfrac" | "dfrac":
                return f"{_operand(self._argument())}/{_operand(self._argument())}"
            case "mathbb":
                return "".join(_BLACKBOARD.get(char, char) for char in self._argument())
            case "(" | ")" | "[" | "]":
                self._in_math = name in "(["
                return ""
            case "," | ";" | ":" | "!" | " " | "quad" | "qquad" | "\\":
                return "" if name in ",!" else " "
        if name in _FUNCTIONS or not name.isalpha():
            return name
        if not self.is_done() and self._tokens[self._at] == "{":
            return f"\\{name}{{{self._argument()}}}"
        return "\\" + name

    def _skip_blank(self) -> None:
        """TeX eats the blank after a command; in math, blanks around signs read better."""
        if not self._in_math and not self.is_done():
            self._tokens[self._at] = self._tokens[self._at].lstrip(" ") or ""


def _operand(text: str) -> str:
    return text if len(text) <= 1 or text.isalnum() else f"({text})"
