r"""What LaTeX itself cites of small manuscripts is what is found; new keys compile like the old.

Each manuscript is compiled; its .aux and .bcf files are the truth.
"""

import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from papertrack.actions.cite.manuscripts import read_manuscripts
from papertrack.actions.cite.rekey import Rekeyed, update_files, write_keys
from tests.citations.finding import find_in

PLAIN = "\\documentclass{article}\n"
BIBLATEX = "\\documentclass{article}\n\\usepackage[backend=biber,style=%s]{biblatex}\n"
NATBIB = "\\documentclass{article}\n\\usepackage{natbib}\n"

# File → text, and the packages that it needs besides LaTeX's own.
MANUSCRIPTS: dict[str, tuple[str, Mapping[str, str]]] = {
    "notes with macros, brackets and parentheses": (
        "natbib.sty",
        {
            "main.tex": NATBIB + r"""\usepackage{shortvrb}\MakeShortVerb{\|}\shortcites{never}
\newcommand{\newcite}{\citet}\begin{document}\section{A}\label{thm:a}
|\cite{never}| \newcite{zero} $\cite{in-math}$ {\cite{in-braces}} \parbox[t]{3cm}{\cite{in-box}}
Foo~\cite{one} (see also \cite{two}). \cite[Theorem~\ref{thm:a}]{three} and
\citep[\emph{cf.}][]{four,five}; \citet*[p.~3 (a)]{six} [and \cite{seven}].
\citep [see] [p. 3] {eight} \citeauthor {nine}, \citeyearpar{ten}
% \cite{never}
\citetext{see \citealp{eleven}} \setcitestyle{numbers} \defcitealias{twelve}{Paper~I}
\citetalias{thirteen} 50\% \cite{fourteen} \\ \cite{fifteen} \\\cite{sixteen}\\cite{never}
\end{document} \cite{never}
""",
        },
    ),
    "biblatex's own": (
        "biblatex.sty",
        {
            "main.tex": BIBLATEX % "authoryear" + r"""\begin{document}
\cites(see)(all)[1]{one}[2][3]{two} {three} \textcites{four}{five}(no) \parencites[a]{six}{seven}
\volcite{3}{eight} \pvolcite[see]{2}[4]{nine} \volcites{1}{ten}{2}[p. 5]{eleven}
\citefield{twelve}{title} \citename{thirteen}{author} \citelist{fourteen}{location}
\cite[{see [x]}]{fifteen} \autocite*[see][]{sixteen} \footcite{seventeen}\nocite{eighteen, nineteen}
\fullcite{twenty} \Textcite{a:b} \footfullcite[12]{c-d} \supercite{e_f} \parencite
  [p. 3]
  {g.h}
\end{document}
""",
        },
    ),
    "apacite": (
        "apacite.sty",
        {
            "main.tex": PLAIN + r"""\usepackage{apacite}\begin{document}
\cite<e.g.>[p. 3]{one} \citeA{two} \citeNP<see>{three} \shortcite{four} \citeyear{five}
\fullciteA[p.~1]{six} \nocite{seven} \maskcite{eight} \citeauthor<a~\emph{b}>{nine}
\end{document}
""",
        },
    ),
    "bibentry": (
        "bibentry.sty",
        {
            "main.tex": PLAIN + r"""\usepackage{natbib,bibentry}\nobibliography*\begin{document}
\bibentry{one}. \nocite{*}
\end{document}
""",
        },
    ),
    "own macros": (
        "natbib.sty xparse.sty",
        {
            "main.tex": NATBIB + r"""\usepackage{mine}
\newcommand{\mycite}[1]{\citep{#1}}
\newcommand\seecite[2][]{see \citep[#1]{#2}}
\renewcommand{\cite}[1]{\citet{#1}}
\newcommand{\rfc}[1]{\citep{rfc#1}}
\newcommand{\short}{\citealp}
\def\refer#1#2{#1 in \mycite{#2}}
\let\again\refer
\NewDocumentCommand{\both}{s o m m}{#3: \IfNoValueTF{#2}{\cite{#4}}{\citep[#2]{#4}}}
\newcommand{\citemark}[1]{\textsuperscript{#1}}
\makeatletter
\newcommand{\either}{\@ifnextchar[{\e@with}{\e@without}}
\def\e@with[#1]#2{\citep[#1]{#2}} \def\e@without#1{\citep{#1}}
\makeatother
\begin{document}
\mycite{one} \seecite[p. 3]{two} \seecite{three,four} \cite{five} \rfc{2616} \short[p. 4]{six}
\refer{It}{seven} \again{It}{eight} \both{It}{nine} \both*[x]{It}{ten}
\citemark{no} \either{eleven} \either[p. 5]{twelve} \frompackage{It}{thirteen}
\end{document}
""",
            "mine.sty": "\\newcommand{\\frompackage}[2]{#1 says \\citep{#2}}\n"
            "\\endinput\n\\cite{never}",
        },
    ),
    "what LaTeX does not read": (
        "listings.sty comment.sty fancyvrb.sty",
        {
            "main.tex": PLAIN + r"""\usepackage{listings,comment,fancyvrb,url}
\DefineVerbatimEnvironment{mycode}{Verbatim}{}
\lstnewenvironment{mylisting}{}{}
\newif\ifdraft
\begin{document}
\verb|\cite{never}| \verb*+\cite{never}+ \lstinline!\cite{never}! \cite{one}
\lstinline{\cite{never}} \lstinline[language=TeX]{\emph{\cite{never}}}
\url{https://example.org/a%20b} \cite{two} % \cite{never}
\begin{verbatim}
\cite{never} \begin{comment}
\end{verbatim}
\begin{lstlisting}
\cite{never} % \end{document}
\end{lstlisting}
\begin{comment}
\cite{never}
\end{comment}
\begin{mycode}
\cite{never}
\end{mycode}
\begin{mylisting}
\cite{never}
\end{mylisting}
\iffalse \cite{never} \ifdraft \cite{never} \else \cite{never} \fi
  \cite{never} \else \cite{three} \fi
\iftrue \cite{four} \else \cite{never} \fi \cite{five}
% \begin{verbatim}
\cite{six}
% \end{verbatim}
\cite{seven,% the first
  eight,
  % never,
  ni%
  ne}
\end{document}
\cite{never}
""",
        },
    ),
    "files taken in": (
        "import.sty subfiles.sty",
        {
            "main.tex": PLAIN + r"""\usepackage{import,subfiles}
\newcommand{\chap}[1]{\input{parts/#1}}
\begin{document}
\input a
\input{parts/b.tex}
\include{parts/c}
\import{parts/}{d}
\subimport{parts/}{e}
\InputIfFileExists{parts/f}{}{}
\InputIfFileExists{parts/none}{}{}
\chap{g}
\subfile{parts/h}
\input{glyphtounicode}
\end{document}
""",
            "a.tex": "\\cite{one}\\endinput\n\\cite{never}",
            "parts/b.tex": "\\cite{two} \\input{parts/deep}",
            "parts/c.tex": "\\cite{three}",
            "parts/d.tex": "\\cite{four} \\input{within}",
            "parts/e.tex": "\\cite{five}",
            "parts/f.tex": "\\cite{six}",
            "parts/g.tex": "\\cite{seven}",
            "parts/h.tex": "\\documentclass[../main]{subfiles}\n\\begin{document}\n\\cite{eight}\n"
            "\\end{document}\n\\cite{never}",
            "parts/deep.tex": "\\cite{nine}",
            "parts/within.tex": "\\cite{ten}",
            "parts/unused.tex": "\\cite{never}",
        },
    ),
    "biblatex by macros": (
        "biblatex.sty",
        {
            "main.tex": BIBLATEX % "numeric" + r"""
\DeclareCiteCommand{\mine}{\usebibmacro{prenote}}{\usebibmacro{cite}}{\multicitedelim}{}
\newcommand{\many}[2]{\parencites[see][]{#1}[also][]{#2}}
\newcommand{\quoted}[3][]{``#3''~\autocite[#1]{#2}}
\newrobustcmd*{\plain}[1]{\mkbibbrackets{\cite{#1}}}
\begin{document}
\mine{one} \mine[p. 3]{two} \many{three}{four} \quoted[p.~5]{five}{Text, with a comma}
\plain{six,seven} \footnote{Said in \cite{eight} (and \cite{nine}).}
\begin{table}\caption[Short]{By \textcite{ten}}\begin{tabular}{l}
a & \cite{eleven} \\ \cite{twelve} \end{tabular}\end{table}
\end{document}
""",
        },
    ),
    "beamer": (
        "beamer.cls bibentry.sty natbib.sty",
        {
            "main.tex": r"""\documentclass{beamer}
\usepackage{natbib}\usepackage{bibentry}\nobibliography*
\begin{document}
\begin{frame}<1-2>[fragile]{See \cite{one}}\bibentry{two}
\only<1>{\cite{three}}\only<2>{Say \citep[p.~2]{four}}
\begin{block}{By \citet{five}}\begin{itemize}\item<1-> \cite{six}\end{itemize}\end{block}
\begin{verbatim}
\cite{never}
\end{verbatim}
\end{frame}
\begin{frame}\frametitle{\citeauthor{seven}}\onslide<2->{\citeyear{eight}}\uncover<1>{\cite{nine}}
\footnotetext{\cite{ten}}\alert<1>{\citealt{eleven}}\end{frame}
\bibliographystyle{plain}\nobibliography{x}
\end{document}
""",
        },
    ),
    "REVTeX": (
        "revtex4-2.cls",
        {
            "main.tex": r"""\documentclass[aps,prl,reprint]{revtex4-2}
\begin{document}\title{On \cite{one}}\author{A}
\begin{abstract}Abstract \cite{two}.\end{abstract}\maketitle
As Refs.~\onlinecite{three,four} and \citenum{five} show~\cite{six,
  seven , %never
  eight}. \textbf{See \citealp{nine}.}
\begin{widetext}$$ x \text{ \cite{eleven}} $$\end{widetext}
\begin{figure}\caption[short]{Of \textcite{twelve}}\end{figure}
\begin{acknowledgments}\cite{fourteen}\end{acknowledgments}
\bibliography{x}\end{document}
""",
        },
    ),
    "acmart": (
        "acmart.cls",
        {
            "main.tex": r"""\documentclass[acmsmall,nonacm]{acmart}
\citestyle{acmauthoryear}\setcitestyle{notesep={; }}
\begin{document}\title{On}\author{A}\affiliation{\institution{I}\country{C}}
\begin{abstract}\cite{one}\end{abstract}\maketitle
\citeyearpar{two} \shortcite{three} \citeN{four} \citeauthor{five} \citep[see][12]{six}
\citet*{seven}
\begin{acks}
\citeyear{eight}
\end{acks}
\bibliographystyle{ACM-Reference-Format}\bibliography{x}\end{document}
""",
        },
    ),
    "memoir by chapters": (
        "memoir.cls",
        {
            "main.tex": r"""\documentclass{memoir}
\includeonly{in,parts/deep}
\begin{document}\frontmatter\chapter[Short]{Long \cite{two}}
\include{in}\include{parts/deep}
\sidefootnote{\cite{three}}\sidebar{\cite{four}}\epigraph{Text}{\cite{five}}
\chapterprecis{\cite{six}}\sourceatright{\cite{eight}}
\begin{comment}
\cite{never}
\end{comment}
\bibliography{x}\end{document}
""",
            "in.tex": r"\chapter{In}\cite{nine}\input{parts/more}" + "\n",
            "parts/deep.tex": r"\chapter{Deep}\cite{ten}" + "\n\\endinput\n\\cite{never}\n",
            "parts/more.tex": r"\cite{eleven}" + "\n",
        },
    ),
    "nested subfiles": (
        "subfiles.sty standalone.sty",
        {
            "main.tex": PLAIN + r"""\usepackage{subfiles}\usepackage{standalone}
\begin{document}\subfile{parts/one}\input{pictures/one}
\subfileinclude{parts/two}\end{document}
""",
            "parts/one.tex": r"""\documentclass[../main]{subfiles}
\begin{document}\cite{one}\subfile{inner}\ifSubfilesClassLoaded{}{\cite{two}}
\end{document}
\cite{never}
""",
            "parts/inner.tex": r"""\documentclass[../main]{subfiles}
\begin{document}\cite{three}\end{document}
""",
            "parts/two.tex": r"""\documentclass[../main]{subfiles}
\begin{document}\cite{four}\end{document}
""",
            "pictures/one.tex": r"""\documentclass{standalone}\usepackage{amsmath}
\begin{document}\cite{five}\end{document}
""",
        },
    ),
    "biblatex's sections and notes": (
        "biblatex.sty cleveref.sty hyperref.sty",
        {
            "main.tex": BIBLATEX % "verbose" + r"""\usepackage{hyperref}\usepackage{cleveref}
\DeclareCiteCommand{\mycite}{}{\printfield{title}}{;}{}
\newrobustcmd{\seealso}[2][]{\autocite[see also][#1]{#2}}
\begin{document}
\section{A}\label{sec:a}\Cref{sec:a}, \cref{sec:a,sec:b}
\parencites[see][12]{one}[cf.][]{two}[]{three} \citeauthor*{four} \Citeauthor{five}
\smartcite[a][b]{six} \Smartcite{seven} \smartcites(x)(y){eight}{nine} \footfullcite[3]{ten}
\footcites{eleven}[2]{twelve} \citetitle*[1]{thirteen} \citeyear*{fourteen} \citedate{fifteen}
\citeurl{sixteen} \parencite*{seventeen} \notecite[n]{eighteen} \pnotecite{nineteen}
\fnotecite{twenty} \mycite{one-one} \seealso[p.~4]{one-two} \footcitetext{one-three}
\begin{refsection}\cite{two-one}\nocite{two-two}\end{refsection}
\begin{refsegment}\cite{two-three}\end{refsegment}
\newrefsection\textcite{two-four}\endrefsection
\citereset\mancite
\begin{filecontents}{gone.tex}
\cite{never}
\end{filecontents}
\ftvolcite{3}[4]{three-one} \Volcite{1}{three-two} \Avolcites{1}{three-three}
\avolcite{2}{three-four}
\entrydata{four-one}{\printfield{title}}
\label{sec:b}\end{document}
""",
        },
    ),
    "natbib's names for works": (
        "natbib.sty cleveref.sty listings.sty",
        {
            "main.tex": NATBIB + r"""\usepackage{listings}\usepackage{cleveref}
\newcommand{\mycite}[1]{\cite{#1}}\newcommand\both[2]{\citep{#1,#2}}
\newcommand*{\withnote}[2][p.~1]{\citep[#1]{#2}}\def\plaincite#1{\citet{#1}}
\let\oldcite\cite\DeclareRobustCommand{\robust}[1]{\citealp{#1}}
\lstset{escapeinside={(*}{*)}}\lstMakeShortInline|
\newenvironment{paper}[1]{\section{\citet{#1}}}{}
\begin{document}\defcitealias{one}{Paper~I}\cite{two}\citetalias{one} \citepalias[p.~2]{one}
\mycite{three} \both{four}{five} \withnote{six} \withnote[p.~2]{seven} \plaincite{eight}
\oldcite{nine} \robust{ten} \mycite {eleven} \Cref{never-label} \cref{never-label}
|\cite{never}| \lstinline!\cite{never}!
\begin{lstlisting}[caption={See \cite{twelve}}]
\cite{never}
\end{lstlisting}
\iffalse \cite{never} \else \cite{thirteen} \fi \iftrue \cite{fourteen} \else \cite{never} \fi
\newif\ifdraft\drafttrue\ifdraft\cite{fifteen}\fi
\begin{paper}{sixteen}\citefullauthor{seventeen}
\Citealt{eighteen} \Citet*[a][b]{nineteen}\end{paper}
\bibliography{x}\end{document}
""",
        },
    ),
    "keys of all kinds": (
        "biblatex.sty",
        {
            "main.tex": BIBLATEX % "numeric" + r"""\begin{document}
\cite{DBLP:conf/x/Y20} \cite{10.1000/182} \cite{a+b} \cite{Müller:2020} \cite{a'b} \cite{a&b}
\cite{1999} \cite{x.y-z_w} \cite{ spaced , out }
\end{document}
""",
        },
    ),
    "a class of its own and conditionals": (
        "natbib.sty etoolbox.sty",
        {
            "main.tex": r"""\documentclass[draft]{thesis}
\newcommand{\chapters}{parts}
\newif\iflong\longtrue\newif\ifshort
\begin{document}\seework{one}\input{\chapters/in}
\iflong\cite{two}\ifshort\cite{never}\else\cite{three}\fi\else\cite{never}\fi
\ifshort\input{\chapters/never}\fi
\ifdraft\cite{four}\fi
\shorttrue\ifshort\cite{five}\else\cite{never}\fi
\begin{remark}{six}See \specialcite[p.~2]{seven}.\end{remark}
\bibliographystyle{plainnat}\bibliography{abbrv,works}
\end{document}
""",
            "thesis.cls": r"""\NeedsTeXFormat{LaTeX2e}\ProvidesClass{thesis}
\newif\ifdraft\DeclareOption{draft}{\drafttrue}\DeclareOption*{}\ProcessOptions
\LoadClass{article}\RequirePackage{natbib}
\newcommand{\seework}[1]{see \citep{#1}}
\newcommand{\specialcite}[2][]{\citep[#1]{#2}}
\newenvironment{remark}[1]{\textbf{By \citet{#1}.}}{}
\newcommand{\quiet}{\let\citep\specialcite}
""",
            "parts/in.tex": r"\cite{eight}\iffalse\cite{never}\fi" + "\n",
            "parts/never.tex": r"\cite{never}" + "\n",
        },
    ),
    "parts, each with a bibliography": (
        "biblatex.sty import.sty",
        {
            "main.tex": BIBLATEX % "alphabetic" + r"""\usepackage{import}
\addbibresource{common.bib}\addbibresource[location=local]{parts/two.bib}
\makeatletter
\newcommand{\inpart}[2]{\subimport{parts/#1/}{#2}}\makeatother
\begin{document}
\begin{refsection}[common.bib]\inpart{a}{text}\printbibliography\end{refsection}
\import{./parts/b/}{text.tex}
\nocite{*}\textcite{one}\parencite[\emph{cf.}][]{two}
\printbibliography\end{document}
""",
            "parts/a/text.tex": r"\cite{three}\input{more}" + "\n",
            "parts/a/more.tex": r"\autocite{four}" + "\n",
            "parts/b/text.tex": "\\cite{five}\n\\endinput\n\\cite{never}\n",
        },
    ),
    "quotations of csquotes": (
        "biblatex.sty csquotes.sty",
        {
            "main.tex": BIBLATEX % "authoryear" + r"""\usepackage{csquotes}\begin{document}
\textcquote[12]{one}{A quote} \blockcquote[see][3]{two}[.]{quote} \textcquote{three}{x}
\foreigntextcquote{english}[3]{four}{Quote} \hyphentextcquote{english}{five}{quote}
\begin{displaycquote}[45]{six}Text\end{displaycquote}
\begin{foreigndisplaycquote}{english}[see][1]{seven}\cite{eight}\end{foreigndisplaycquote}
\end{document}
""",
        },
    ),
    "chapters by macros with arguments": (
        "import.sty",
        {
            "main.tex": PLAIN + r"""\usepackage{import}\newcommand{\CH}{parts}
\makeatletter\def\input@path{{more/}}\makeatother
\newcommand{\chap}[1]{\input{\CH/#1/#1}}\newcommand{\bit}[2]{\input{#1/#2.tex}}
\newcommand{\inpart}[1]{\bit{parts/b}{#1}}\newcommand{\from}{\import{parts/}}
\begin{document}\chap{a}\inpart{text}\from{c}\input{beside}
\IfFileExists{local.tex}{\input{local}}{}\end{document}
""",
            "parts/a/a.tex": r"\cite{one}" + "\n",
            "parts/b/text.tex": r"\cite{two}" + "\n",
            "parts/c.tex": r"\cite{three}" + "\n",
            "more/beside.tex": r"\cite{four}" + "\n",
        },
    ),
}  # fmt: skip


def has(packages: str) -> bool:
    found = [
        subprocess.run(["kpsewhich", name], capture_output=True, check=False).stdout
        for name in packages.split()
    ]
    return all(found)


def compiled(folder: Path) -> None:
    """One run of LaTeX, which goes on where something is wrong in the eyes of a package.

    A package may be there without what it stands on: the test is skipped by the name of that.
    """
    done = subprocess.run(
        ["pdflatex", "-draftmode", "-interaction=nonstopmode", "-no-shell-escape", "main.tex"],
        cwd=folder,
        capture_output=True,
        check=False,
        timeout=100,
    )
    if lacks := re.search(rb"! LaTeX Error: File `([^']+\.(?:sty|cls))' not found", done.stdout):
        pytest.skip(f"needs {lacks[1].decode()}")


def cited_by_latex(folder: Path) -> set[str]:
    """The keys of the .bcf file of biblatex, or of all .aux files."""
    bcf = folder / "main.bcf"
    files = [bcf] if bcf.exists() else list(folder.rglob("*.aux"))
    assert files
    return {
        one.citekey
        for path in files
        for one in find_in(path.read_text(encoding="utf-8"), path.name).citations
        if not one.citekey.endswith("Control")  # REVTeX's own.
    }


@pytest.fixture(params=list(MANUSCRIPTS))
def folder(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    if not shutil.which("pdflatex") or not shutil.which("kpsewhich"):
        pytest.skip("needs pdflatex")
    packages, files = MANUSCRIPTS[request.param]
    if not has(packages):
        pytest.skip(f"needs {packages}")
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    compiled(tmp_path)
    return tmp_path


def test_what_latex_cites_is_found_and_nothing_else(folder: Path) -> None:
    manuscripts = read_manuscripts([folder / "main.tex"])
    found = {one.citekey for file in manuscripts for one in file.citations if one.is_cited}
    assert found == cited_by_latex(folder)
    assert [one for file in manuscripts for one in file.missing] == []


def test_new_keys_are_what_latex_cites_then(folder: Path) -> None:
    before = cited_by_latex(folder)
    rekeyed = [
        Rekeyed(key, re.sub(r"^(rfc)?", r"\1new:", key)) for key in sorted(before) if key != "*"
    ]
    followed = update_files([folder / "main.tex"], rekeyed)
    by_hand = {use.before for file in followed for use in file.uses if use.by_hand}
    write_keys(followed)
    compiled(folder)
    renamed = {one.citekey for one in rekeyed if one.citekey_before not in by_hand} | by_hand
    assert cited_by_latex(folder) == renamed | (before & {"*"})
    # Only a comment within a key keeps it from being written.
    assert by_hand <= {"nine"}
