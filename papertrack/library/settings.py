"""The settings of a library, with their types, bounds, defaults and meanings.

Plain dataclasses: what a file or the environment sets is checked by pydantic (``setting_values``),
which costs a tenth of a second; defaults need none.
"""

# Without `from __future__ import annotations`: pydantic reads the types of fields.
# ruff: noqa: RUF009

from collections.abc import Callable, Iterator, Mapping
from dataclasses import Field, dataclass, field, fields, is_dataclass
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from annotated_types import Ge, Le

from papertrack.records import DEFAULT_TEMPLATE


class _IsAddress:
    """Marks an address that may be asked: pydantic refuses others."""

    def __get_pydantic_core_schema__(self, source: Any, handler: Callable[[Any], Any]) -> Any:
        from pydantic_core.core_schema import no_info_after_validator_function

        return no_info_after_validator_function(_check_address, handler(source))


def _check_address(url: str) -> str:
    from papertrack.identifiers.addresses import is_loopback  # Defaults need no check.

    parts = urlsplit(url)
    if parts.scheme == "https" and parts.hostname:
        return url
    if parts.scheme == "http" and is_loopback(parts.hostname):
        return url
    raise ValueError("must be an https address (plain http only for this machine)")


_PREFIX = "PAPERTRACK_"
"""What the names of all environment variables begin with."""
NAMED_BY_READERS = ("tui.keys", "tui.queries", "digests")
"""Tables of the reader's own names, which no variable can hold."""
_OTHER_VARIABLES = ("DEBUG", "FEED_HOSTS", "LIBRARY", "MAIL_PASSWORD", "NOW", "SHARE_PRIVATE")
"""Those that are no settings."""
Address = Annotated[str, _IsAddress()]
Kind = Literal["takeaways", "minutes", "notes", "reasons", "discards"]


def _setting(default: Any, meaning: str, *, is_powerful: bool = False) -> Any:
    """A setting; one that ``is_powerful`` runs a program, sends a secret or names a host: a
    stranger's is not used."""
    said = {"meaning": meaning, "is_powerful": is_powerful}
    if isinstance(default, dict):
        return field(default_factory=dict, metadata=said)
    return field(default=default, metadata=said)


class _Table:
    __slots__ = ()
    __pydantic_config__ = {"strict": True, "extra": "forbid"}  # noqa: RUF012 - pydantic's way


@dataclass(frozen=True, slots=True)
class Arxiv(_Table):
    """Where arXiv is asked, and how often. An address of None means arXiv's own."""

    api_url: Address | None = _setting(
        None, "Where papers are asked about and searched.", is_powerful=True
    )
    feed_url: Address | None = _setting(
        None, "Where the day's announcements are.", is_powerful=True
    )
    listing_url: Address | None = _setting(
        None, "Where the day's announcements are besides, as a web page.", is_powerful=True
    )
    catchup_url: Address | None = _setting(
        None, "Where announcements of the last 90 days are.", is_powerful=True
    )
    oai_url: Address | None = _setting(
        None, "Where older announcements are (OAI-PMH).", is_powerful=True
    )
    datacite_url: Address | None = _setting(
        None, "Where DOIs are asked about, and papers when arXiv's API is away.", is_powerful=True
    )
    biorxiv_url: Address | None = _setting(
        None, "Where bioRxiv and medRxiv say what is new.", is_powerful=True
    )
    pdf_url: Address | None = _setting(None, "Where PDFs are.", is_powerful=True)
    contact: str | None = _setting(
        None, "Your e-mail or web address, sent with every request: arXiv asks for one."
    )
    interval_seconds: Annotated[float, Ge(0), Le(3600)] = _setting(
        3.0,
        "The least time between two requests. arXiv asks for 3; less is used only for "
        "loopback addresses.",
    )
    offline: bool = _setting(
        False, "Never use the network: commands act as if no source could be reached."
    )


def _address_of(service: str) -> Any:
    """The setting for the address of a service that knows publications."""
    meaning = f"Where {service} is asked where papers were published."
    return _setting(None, meaning, is_powerful=True)


def _key_of(service: str, use: str) -> Any:
    """The setting for a key of such a service."""
    meaning = f"Your key for {service}, which is free: with it {use}. Keep it in your own settings "
    return _setting(None, meaning + "or in the environment.", is_powerful=True)


@dataclass(frozen=True, slots=True)
class Sources(_Table):
    """Who is asked where papers were published. An address of None means the service's own."""

    crossref_url: Address | None = _address_of("Crossref")
    semantic_scholar_url: Address | None = _address_of("Semantic Scholar")
    openalex_url: Address | None = _address_of("OpenAlex")
    dblp_url: Address | None = _address_of("DBLP")
    openreview_url: Address | None = _address_of("OpenReview")
    acl_url: Address | None = _address_of("the ACL Anthology")
    semantic_scholar_key: str | None = _key_of(
        "Semantic Scholar", "you do not share a queue with everyone who has no key"
    )
    openalex_key: str | None = _key_of("OpenAlex", "fifty works are one request")


@dataclass(frozen=True, slots=True)
class Citekeys(_Table):
    template: str = _setting(
        DEFAULT_TEMPLATE, "How a new paper's BibTeX key is made; keys once given stay."
    )


@dataclass(frozen=True, slots=True)
class Reading(_Table):
    in_hand: Annotated[int, Ge(1)] = _setting(5, "How many papers to read at one time.")


@dataclass(frozen=True, slots=True)
class Bibtex(_Table):
    protect: tuple[str, ...] = _setting(
        (), "Words whose capitals BibTeX titles keep, besides those found by rule."
    )
    fields: tuple[Literal["url", "doi", "abstract"], ...] = _setting(
        (),
        "More fields of new BibTeX entries: url and doi of preprints at arXiv (eprint has the "
        "same), and the abstract.",
    )


@dataclass(frozen=True, slots=True)
class Manuscripts(_Table):
    commands: tuple[str, ...] = _setting(
        (),
        "Macros of a LaTeX class that take files or keys, as they are used, with the "
        r"words keys, file or folder for that: `\olimport[folder]{file}`, `\seealso[]{keys}`.",
    )


@dataclass(frozen=True, slots=True)
class Check(_Table):
    """What `papertrack check` looks for."""

    ignore: tuple[str, ...] = _setting(
        (), "Kinds of findings that `check` leaves out: `several-sections`."
    )
    fail_on: Literal["note", "warning", "error"] = _setting(
        "note", "The severity from which `check` exits with 5: note, warning, error."
    )


@dataclass(frozen=True, slots=True)
class Watch(_Table):
    """The nightly watch."""

    arxiv_categories: tuple[str, ...] = _setting(
        ("cs.AI", "cs.CL", "cs.LG"), "Where topics look that name no category of arXiv."
    )
    keep_days: Annotated[int, Ge(7), Le(3650)] = _setting(
        30, "How many days announcements are kept, for new topics."
    )


@dataclass(frozen=True, slots=True)
class Ranking(_Table):
    """What of the announcements that no topic matched comes into the inbox."""

    outside: Annotated[int, Ge(0), Le(50)] | None = _setting(
        None,
        "How many papers outside your topics each watch puts into the inbox, the best "
        "by rank; unset none until there are fifty decisions, and then three.",
    )


@dataclass(frozen=True, slots=True)
class Share(_Table):
    """What stays on this device."""

    private: tuple[Kind, ...] | None = _setting(
        None,
        "What else stays on your machine in a shared library: any of takeaways, minutes, notes, "
        "reasons and discards.",
    )


@dataclass(frozen=True, slots=True)
class Mail(_Table):
    """Where the digest is sent to. Without ``host`` and ``to`` nothing is sent."""

    host: str | None = _setting(None, "The mail server that sends the digest.", is_powerful=True)
    port: Annotated[int, Ge(1), Le(65535)] = _setting(587, "Its port.", is_powerful=True)
    security: Literal["starttls", "tls", "none"] = _setting(
        "starttls",
        "How the connection is encrypted: starttls, tls, or none to this machine.",
        is_powerful=True,
    )
    sender: str | None = _setting(
        None, "The address in From; by default the first of mail.to.", is_powerful=True
    )
    to: tuple[str, ...] = _setting((), "The addresses that get the digest.", is_powerful=True)
    user: str | None = _setting(
        None,
        "The name to log in with. The password is $PAPERTRACK_MAIL_PASSWORD, or what "
        "mail.password_command prints; it is never in the settings.",
        is_powerful=True,
    )
    password_command: str | None = _setting(
        None, "A command that prints the password of mail.user.", is_powerful=True
    )


def _colour(name: str) -> Any:
    """The setting for what a colour of highlights means."""
    return _setting(None, f"What highlights in {name} mean: this word stands with their quotes.")


@dataclass(frozen=True, slots=True)
class Highlights(_Table):
    """What the colours of highlights mean, such as one of the five Cs."""

    yellow: str | None = _colour("yellow")
    red: str | None = _colour("red")
    green: str | None = _colour("green")
    blue: str | None = _colour("blue")
    purple: str | None = _colour("purple")
    magenta: str | None = _colour("magenta")
    orange: str | None = _colour("orange")
    grey: str | None = _colour("grey")


@dataclass(frozen=True, slots=True)
class Zotero(_Table):
    api_url: Address | None = _setting(
        None,
        "Where a Zotero that runs on this machine answers (`import --zotero-api`); "
        "by default http://localhost:23119/api/users/0.",
        is_powerful=True,
    )


@dataclass(frozen=True, slots=True)
class Tui(_Table):
    theme: str | None = _setting(
        None, "The colours of the terminal UI, by the name of a theme of Textual."
    )
    keys: dict[str, str] = _setting(
        {}, "Keys of the terminal UI, separated by commas, for the name of an action."
    )
    queries: dict[str, str] = _setting(
        {},
        "Your saved queries, by their names in the terminal UI: `papertrack config "
        "tui.queries.survey 'tag:survey pass:0'`.",
    )


@dataclass(frozen=True, slots=True)
class Settings(_Table):
    """All settings of one library. Each one's description is what users read about it."""

    arxiv: Arxiv = Arxiv()
    sources: Sources = Sources()
    citekeys: Citekeys = Citekeys()
    reading: Reading = Reading()
    bibtex: Bibtex = Bibtex()
    manuscripts: Manuscripts = Manuscripts()
    check: Check = Check()
    watch: Watch = Watch()
    ranking: Ranking = Ranking()
    share: Share = Share()
    mail: Mail = Mail()
    tui: Tui = Tui()
    zotero: Zotero = Zotero()
    highlights: Highlights = Highlights()
    digests: dict[str, tuple[str, ...]] = _setting(
        {},
        "The addresses and files (.md, .html, .txt, .atom) that get a digest of their own, for the "
        "name of a topic or category. Never used from the file of a shared library.",
        is_powerful=True,
    )
    pdf_viewer: str | None = _setting(
        None,
        "The program for `papertrack open --pdf`, with `{page}` for the page; by default the "
        "system's own.",
        is_powerful=True,
    )


def setting_meanings() -> dict[str, str]:
    """Every setting's key, as ``papertrack config`` takes it (``arxiv.api_url``) → what the
    setting means, in a sentence or two."""
    return {key: one.metadata["meaning"] for key, one in _fields()}


def variables() -> dict[str, str]:
    """Key → environment variable: ``arxiv.api_url`` → ``PAPERTRACK_ARXIV_API_URL``."""
    return {
        key: _PREFIX + key.replace(".", "_").upper()
        for key in setting_meanings()
        if key not in NAMED_BY_READERS
    }


def misspelled_variables(environ: Mapping[str, str]) -> Iterator[str]:
    """A sentence for each environment variable that looks like one of papertrack's and is none."""
    from difflib import get_close_matches

    known = [*variables().values(), *(_PREFIX + name for name in _OTHER_VARIABLES)]
    tables = tuple(f"{_PREFIX}{one.name.upper()}_" for one in fields(Settings))
    for name in environ:
        if name.startswith(_PREFIX) and name not in known:
            near = get_close_matches(name, known, n=1, cutoff=0.85)
            if near:
                yield f"{name} is ignored: there is no such setting. Did you mean {near[0]}?"
            elif name.startswith(tables):
                yield f"{name} is ignored: there is no such setting. `papertrack config` lists all."


def powerful_keys() -> list[str]:
    """The keys of the settings that run programs, send secrets or name hosts."""
    return [key for key, one in _fields() if one.metadata["is_powerful"]]


def _fields() -> Iterator[tuple[str, "Field[Any]"]]:
    for one in fields(Settings):
        if is_dataclass(one.default):
            yield from ((f"{one.name}.{inner.name}", inner) for inner in fields(one.default))
        else:
            yield one.name, one
