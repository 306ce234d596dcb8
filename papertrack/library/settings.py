"""The settings of a library, with their types, bounds, defaults and meanings.

Importing this costs pydantic; commands that need no setting do not import it, nor do those for
which ``settings_files`` finds that nobody set theirs.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, JsonValue, Strict
from pydantic.fields import FieldInfo

from papertrack.identifiers.addresses import is_loopback
from papertrack.identifiers.citekeys import DEFAULT_TEMPLATE
from papertrack.library.settings_files import DEFAULT_IN_HAND


def _check_address(url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme == "https" and parts.hostname:
        return url
    if parts.scheme == "http" and is_loopback(parts.hostname):
        return url
    raise ValueError("must be an https address (plain http only to this machine)")


Address = Annotated[str, AfterValidator(_check_address)]
# TOML has arrays only: strict mode would take a list for no tuple.
Words = Annotated[tuple[str, ...], Strict(False)]


Kind = Literal["takeaways", "minutes", "notes", "reasons", "discards"]


_POWERFUL: dict[str, JsonValue] = {"is_powerful": True}
"""Marks a setting that runs a program, sends a secret or names a host: a stranger's is not used."""


class _Table(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")


class Arxiv(_Table):
    """Where arXiv is asked, and how often. An address of None means arXiv's own."""

    api_url: Address | None = Field(
        default=None,
        json_schema_extra=_POWERFUL,
        description="Where papers are asked about and searched.",
    )
    feed_url: Address | None = Field(
        default=None, json_schema_extra=_POWERFUL, description="Where the day's announcements are."
    )
    listing_url: Address | None = Field(
        default=None,
        json_schema_extra=_POWERFUL,
        description="Where the day's announcements are besides, as a web page.",
    )
    catchup_url: Address | None = Field(
        default=None,
        json_schema_extra=_POWERFUL,
        description="Where announcements of the last 90 days are.",
    )
    oai_url: Address | None = Field(
        default=None,
        json_schema_extra=_POWERFUL,
        description="Where older announcements are (OAI-PMH).",
    )
    datacite_url: Address | None = Field(
        default=None,
        json_schema_extra=_POWERFUL,
        description="Where DOIs are asked about, and papers when arXiv's API is away.",
    )
    pdf_url: Address | None = Field(
        default=None, json_schema_extra=_POWERFUL, description="Where PDFs are."
    )
    contact: str | None = Field(
        default=None,
        description="Your e-mail or web address, sent with every request: arXiv asks for one.",
    )
    interval_seconds: float = Field(
        default=3.0,
        ge=0,
        le=3600,
        description="The least time between two requests. arXiv asks for 3; less is used only for "
        "loopback addresses.",
    )
    offline: bool = Field(
        default=False,
        description="Ask nothing: commands do at once what they do when no source can be reached.",
    )


def _address_of(service: str) -> Any:
    """The field for the address of a service that knows publications."""
    return Field(
        default=None,
        json_schema_extra=_POWERFUL,
        description=f"Where {service} is asked where papers were published.",
    )


def _key_of(service: str, use: str) -> Any:
    """The field for a key of such a service."""
    return Field(
        default=None,
        json_schema_extra=_POWERFUL,
        description=f"Your key for {service}, which is free: with it {use}. Keep it in your own "
        "settings or in the environment.",
    )


class Sources(_Table):
    """Who is asked where papers were published. An address of None means the service's own."""

    crossref_url: Address | None = _address_of("Crossref")
    semantic_scholar_url: Address | None = _address_of("Semantic Scholar")
    openalex_url: Address | None = _address_of("OpenAlex")
    dblp_url: Address | None = _address_of("DBLP")
    openreview_url: Address | None = _address_of("OpenReview")
    acl_url: Address | None = _address_of("the ACL Anthology")
    semantic_scholar_key: str | None = _key_of(
        "Semantic Scholar", "you are not in the queue of all who have none"
    )
    openalex_key: str | None = _key_of("OpenAlex", "fifty works are one request")


class Citekeys(_Table):
    template: str = Field(
        default=DEFAULT_TEMPLATE,
        description="How a new paper's BibTeX key is made; keys once given stay.",
    )


class Reading(_Table):
    in_hand: int = Field(
        default=DEFAULT_IN_HAND, ge=1, description="How many papers to read at one time."
    )


class Bibtex(_Table):
    protect: Words = Field(
        default=(),
        description="Words whose capitals BibTeX titles keep, besides those found by rule.",
    )
    fields: Annotated[tuple[Literal["url", "doi", "abstract"], ...], Strict(False)] = Field(
        default=(),
        description="What new BibTeX entries have besides: of preprints the url and doi at arXiv "
        "(eprint says the same), and the abstract.",
    )


class Manuscripts(_Table):
    commands: Words = Field(
        default=(),
        description="Macros of a LaTeX class that take files or keys, as they are used, with the "
        r"words keys, file or folder for that: `\olimport[folder]{file}`, `\seealso[]{keys}`.",
    )


class Check(_Table):
    """What `papertrack check` looks for."""

    ignore: Words = Field(
        default=(),
        description="Kinds of findings that `check` leaves out, as `several-sections`.",
    )
    fail_on: Literal["note", "warning", "error"] = Field(
        default="note",
        description="How grave a finding must be for `check` to exit with 5: note, warning, error.",
    )


class Watch(_Table):
    """The nightly watch."""

    arxiv_categories: Words = Field(
        default=("cs.AI", "cs.CL", "cs.LG"),
        description="Where topics look that name no category of arXiv.",
    )
    keep_days: int = Field(
        default=30,
        ge=7,
        le=3650,
        description="How many days announcements are kept, so that a new topic can look back.",
    )


class Ranking(_Table):
    """What of the announcements that no topic matched comes into the inbox."""

    outside: int | None = Field(
        default=None,
        ge=0,
        le=50,
        description="How many papers outside your topics each watch puts into the inbox, the best "
        "by rank; unset none until there are fifty decisions, and then three.",
    )


class Share(_Table):
    """What other devices are not told."""

    private: Annotated[tuple[Kind, ...], Strict(False)] | None = Field(
        default=None,
        description="What stays on the machine where it was noted, in a shared library, besides "
        "what you said: any of takeaways, minutes, notes, reasons and discards.",
    )


class Mail(_Table):
    """Where the digest is sent to. Without ``host`` and ``to`` nothing is sent."""

    host: str | None = Field(
        default=None,
        json_schema_extra=_POWERFUL,
        description="The mail server that sends the digest.",
    )
    port: int = Field(
        default=587, ge=1, le=65535, json_schema_extra=_POWERFUL, description="Its port."
    )
    security: Literal["starttls", "tls", "none"] = Field(
        default="starttls",
        json_schema_extra=_POWERFUL,
        description="How the connection is encrypted: starttls, tls, or none to this machine.",
    )
    sender: str | None = Field(
        default=None,
        json_schema_extra=_POWERFUL,
        description="The address in From; by default the first of mail.to.",
    )
    to: Words = Field(
        default=(), json_schema_extra=_POWERFUL, description="The addresses that get the digest."
    )
    user: str | None = Field(
        default=None,
        json_schema_extra=_POWERFUL,
        description="The name to log in with. The password is $PAPERTRACK_MAIL_PASSWORD, or what "
        "mail.password_command prints; it never stands in the settings.",
    )
    password_command: str | None = Field(
        default=None,
        json_schema_extra=_POWERFUL,
        description="A command that prints the password of mail.user.",
    )


class Zotero(_Table):
    api_url: Address | None = Field(
        default=None,
        json_schema_extra=_POWERFUL,
        description="Where a Zotero that runs on this machine answers (`import --zotero-api`); "
        "by default http://localhost:23119/api/users/0.",
    )


class Tui(_Table):
    theme: str | None = Field(
        default=None,
        description="The colours of the terminal UI, by the name of a theme of Textual.",
    )
    keys: dict[str, str] = Field(
        default_factory=dict,
        description="Keys of the terminal UI, separated by commas, for the name of an action.",
    )
    queries: dict[str, str] = Field(
        default_factory=dict,
        description="Queries that you ask often, by the names under which the terminal UI has "
        "them: `papertrack config tui.queries.survey 'tag:survey pass:0'`.",
    )


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
    pdf_viewer: str | None = Field(
        default=None,
        json_schema_extra=_POWERFUL,
        description="What `papertrack open --pdf` starts; by default the system's own program.",
    )


def setting_meanings() -> dict[str, str]:
    """Every setting's key, as ``papertrack config`` takes it (``arxiv.api_url``) → what the
    setting means, in a sentence or two."""
    return {key: field.description or "" for key, field in _fields()}


def powerful_keys() -> list[str]:
    """The keys of the settings that run programs, send secrets or name hosts."""
    return [key for key, field in _fields() if field.json_schema_extra is _POWERFUL]


def _fields() -> Iterator[tuple[str, FieldInfo]]:
    for name, field in Settings.model_fields.items():
        table = field.annotation
        if isinstance(table, type) and issubclass(table, BaseModel):
            for inner, inner_field in table.model_fields.items():
                yield f"{name}.{inner}", inner_field
        else:
            yield name, field
