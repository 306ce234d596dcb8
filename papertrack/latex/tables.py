"""Tables for ``encode`` and ``decode``: LaTeX for each character.

They contain what plain LaTeX with its usual encodings (OT1 or T1, and the text companion, in the
kernel since 2020) prints without a package.
"""

from __future__ import annotations

SPECIALS = {
    "&": r"\&",
    "%": r"\%",
    "#": r"\#",
    "_": r"\_",
    "$": r"\$",
    # BibTeX counts the braces of \{ and \} too, so a single one needs a name.
    "{": r"{\textbraceleft}",
    "}": r"{\textbraceright}",
    "\\": r"{\textbackslash}",
    "~": r"{\textasciitilde}",
    "^": r"{\textasciicircum}",
    "`": r"{\textasciigrave}",
    # In OT1, LaTeX's first encoding, these three print as other characters.
    "<": r"{\textless}",
    ">": r"{\textgreater}",
    "|": r"{\textbar}",
}
"""Characters that LaTeX would execute, or not print, without escaping."""

ACCENTS = {
    **{"\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0304": "=", "\u0306": "u"},
    **{"\u0307": ".", "\u0308": '"', "\u030a": "r", "\u030b": "H", "\u030c": "v", "\u0323": "d"},
    **{"\u0326": "textcommabelow", "\u0327": "c", "\u0328": "k", "\u0331": "b"},
}
"""The name of LaTeX's accent for each combining mark."""

LETTERS = {
    **{"ß": "ss", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ø": "o", "Ø": "O", "ł": "l"},
    **{"Ł": "L", "å": "aa", "Å": "AA", "ı": "i", "ȷ": "j", "đ": "dj", "Đ": "DJ", "ð": "dh"},
    **{"Ð": "DH", "þ": "th", "Þ": "TH", "ŋ": "ng", "Ŋ": "NG"},
    **{"ĳ": "ij", "Ĳ": "IJ", "ẞ": "SS"},
    **{"¿": "textquestiondown", "¡": "textexclamdown", "‘": "textquoteleft"},
    **{"’": "textquoteright", "“": "textquotedblleft", "”": "textquotedblright"},
    **{"‚": "quotesinglbase", "„": "quotedblbase", "«": "guillemotleft", "»": "guillemotright"},
    **{"‹": "guilsinglleft", "›": "guilsinglright", "…": "textellipsis"},
    **{"§": "textsection", "¶": "textparagraph", "©": "textcopyright", "®": "textregistered"},
    **{"™": "texttrademark", "°": "textdegree", "·": "textperiodcentered", "•": "textbullet"},
    **{"†": "textdagger", "‡": "textdaggerdbl", "€": "texteuro", "£": "textsterling"},
    **{"¥": "textyen", "¢": "textcent", "ª": "textordfeminine", "º": "textordmasculine"},
    **{"×": "texttimes", "÷": "textdiv", "±": "textpm", "¬": "textlnot", "½": "textonehalf"},
    **{"¼": "textonequarter", "¾": "textthreequarters", "←": "textleftarrow"},
    **{"→": "textrightarrow", "↑": "textuparrow", "↓": "textdownarrow", "№": "textnumero"},
    **{"–": "textendash", "—": "textemdash", "µ": "textmu"},
    **{"‰": "textperthousand"},
}
"""The name of the macro that prints each character in text."""

SYMBOLS = {
    **{"α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "varepsilon", "ϵ": "epsilon"},
    **{"ζ": "zeta", "η": "eta", "θ": "theta", "ϑ": "vartheta", "ι": "iota", "κ": "kappa"},
    **{"λ": "lambda", "μ": "mu", "ν": "nu", "ξ": "xi", "π": "pi", "ρ": "rho", "σ": "sigma"},
    **{"ς": "varsigma", "τ": "tau", "υ": "upsilon", "φ": "varphi", "ϕ": "phi", "χ": "chi"},
    **{"ψ": "psi", "ω": "omega"},
    **{"Γ": "Gamma", "Δ": "Delta", "Θ": "Theta", "Λ": "Lambda", "Ξ": "Xi", "Π": "Pi"},
    **{"Σ": "Sigma", "Υ": "Upsilon", "Φ": "Phi", "Ψ": "Psi", "Ω": "Omega"},
    **{"ℓ": "ell", "∞": "infty", "∂": "partial", "∇": "nabla", "∈": "in", "∉": "notin"},
    **{"⊂": "subset", "⊆": "subseteq", "∪": "cup", "∩": "cap", "∀": "forall", "∃": "exists"},
    **{"≤": "leq", "≥": "geq", "≠": "neq", "≈": "approx", "≡": "equiv", "∼": "sim", "≪": "ll"},
    **{"≫": "gg", "∝": "propto", "⊕": "oplus", "⊗": "otimes", "⊥": "perp", "∘": "circ"},
    **{"⋆": "star", "√": "surd", "∑": "sum", "∏": "prod", "∫": "int", "↔": "leftrightarrow"},
    **{"⇒": "Rightarrow", "⇔": "Leftrightarrow", "⇐": "Leftarrow", "⟹": "Longrightarrow"},
    **{"⟺": "Longleftrightarrow", "⟶": "longrightarrow", "⟵": "longleftarrow", "↦": "mapsto"},
    **{"↪": "hookrightarrow", "⇀": "rightharpoonup", "⇌": "rightleftharpoons", "⇑": "Uparrow"},
    **{"⇓": "Downarrow", "∧": "wedge", "∨": "vee", "∅": "emptyset", "∖": "setminus", "∋": "ni"},
    **{"≺": "prec", "≻": "succ", "⊢": "vdash", "⊣": "dashv", "⊨": "models", "⊤": "top"},
    **{"⊃": "supset", "⊇": "supseteq", "⊎": "uplus", "⊓": "sqcap", "⊔": "sqcup", "∓": "mp"},
    **{"⌈": "lceil", "⌉": "rceil", "⌊": "lfloor", "⌋": "rfloor", "⟨": "langle", "⟩": "rangle"},
    **{"∥": "parallel", "‖": "Vert", "∣": "mid", "⋯": "cdots", "⋮": "vdots", "⋱": "ddots"},
    **{"⊙": "odot", "⊖": "ominus", "∮": "oint", "ℵ": "aleph", "≃": "simeq", "≅": "cong"},
    **{"≍": "asymp", "≐": "doteq", "∐": "coprod", "⋃": "bigcup", "⋂": "bigcap", "⋀": "bigwedge"},
    **{"⋁": "bigvee", "∗": "ast", "ℏ": "hbar", "ϖ": "varpi", "ϱ": "varrho", "⋈": "bowtie"},
    **{"∠": "angle", "♯": "sharp", "♭": "flat", "♮": "natural", "℘": "wp", "△": "triangle"},
    **{"≲": "lesssim", "≳": "gtrsim", "⊊": "subsetneq", "⊈": "nsubseteq", "≮": "nless"},
    **{"⋉": "ltimes", "⋊": "rtimes", "⊠": "boxtimes", "∄": "nexists", "∤": "nmid"},
    **{"≜": "triangleq", "⊩": "Vdash", "□": "square", "✓": "checkmark", "ℶ": "beth"},
    "∦": "nparallel",
}
"""The name of the macro that prints each character in mathematics.

The last four lines need the package amssymb.
"""


def _letters_from(first: str) -> dict[str, str]:
    """Return the capital and small letters of an alphabet that begins at this character."""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    return {letter: chr(ord(first) + index) for index, letter in enumerate(letters)}


_CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_SMALL_DIGITS = "0123456789+−=()"
STYLED = {
    "textsuperscript": dict(
        zip(
            f"{_SMALL_DIGITS}abcdefghijklmnoprstuvwxyz′",
            "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ′",
            strict=True,
        )
    ),
    "textsubscript": dict(
        zip(f"{_SMALL_DIGITS}aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", strict=True)
    ),
    "mathbb": dict(zip(_CAPITALS, "𝔸𝔹ℂ𝔻𝔼𝔽𝔾ℍ𝕀𝕁𝕂𝕃𝕄ℕ𝕆ℙℚℝ𝕊𝕋𝕌𝕍𝕎𝕏𝕐ℤ", strict=True)),
    "mathcal": dict(zip(_CAPITALS, "𝒜ℬ𝒞𝒟ℰℱ𝒢ℋℐ𝒥𝒦ℒℳ𝒩𝒪𝒫𝒬ℛ𝒮𝒯𝒰𝒱𝒲𝒳𝒴𝒵", strict=True)),
    "mathfrak": {**_letters_from("𝔄"), "C": "ℭ", "H": "ℌ", "I": "ℑ", "R": "ℜ", "Z": "ℨ"},
    "mathbf": _letters_from("𝐀"),
    "mathit": {**_letters_from("𝐴"), "h": "ℎ"},
    "mathsf": _letters_from("𝖠"),
    "mathtt": _letters_from("𝙰"),
    # Characters that differ in Unicode but not in print: Greek letters that look like Latin ones, ∆
    # and Δ. A hyphen in mathematics is a minus, because biber converts \textminus to a character
    # that older LaTeX does not accept.
    "mathord": dict(zip("ABEZHIKMNOPTXoΔ·-", "ΑΒΕΖΗΙΚΜΝΟΡΤΧο∆⋅−", strict=True)),
}
r"""The character for each macro and argument: ℝ for ``\\mathbb{R}``."""

MATH_MACROS = (
    dict.fromkeys(SYMBOLS.values(), 0)
    | dict.fromkeys(
        "times div pm mp cdot cdots ldots dots ast bullet setminus le ge ne to rightarrow "
        "leftarrow Leftarrow mapsto uparrow downarrow longrightarrow lceil rceil lfloor rfloor "
        "langle rangle vert Vert mid parallel hbar imath jmath Re Im emptyset neg wedge vee supset "
        "supseteq ni dagger ddagger prime simeq cong asymp prec succ triangle oint aleph varpi "
        "varrho quad qquad log ln lg exp sin cos tan max min sup inf lim arg det dim ker deg gcd "
        "Pr tanh sinh cosh odot ominus diamond models vdash top bot".split(),
        0,
    )
    | dict.fromkeys(
        "mathcal mathbb mathrm mathbf mathit mathsf mathtt mathfrak sqrt hat widehat tilde "
        "widetilde bar overline underline vec dot ddot check breve acute grave".split(),
        1,
    )
    | {"frac": 2}
)
r"""The macros that mathematics in a title may use, with their number of arguments.

All of them only print (``\\mathbb`` and ``\\mathfrak`` with the package amssymb). A list of
harmless macros can be complete; a list of harmful ones cannot.
"""
