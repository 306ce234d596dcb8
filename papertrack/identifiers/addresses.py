"""Web addresses: parse them defensively, and normalise them so that one page has one address."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple
from urllib import parse

MAX_LENGTH = 4096
"""Longer texts are not parsed: no identifier and hardly any address is so long."""

# Patterns are texts, which re compiles and keeps at their first use: start-up does not pay.
_LONGEST_HOST = 253
_HOST = r"[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\]"
_USUAL = r"https?://([a-z0-9-]+(?:\.[a-z0-9-]+)+)((?:/[!\"$->@-\[\]-~]*)?)"
"""The form of most addresses: a host and a path."""
_PERCENT = "%([0-9A-Fa-f]{2})?"
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_RESERVED = "/:@!$&'()*+,;=~?%"

_TRACKING = frozenset(
    "_hsenc _hsmi ck_subscriber_id dclid fbclid from_wecom gclid gclsrc igsh igshid mc_cid mc_eid "
    "mkt_tok msclkid oly_anon_id oly_enc_id ref_src ref_url s_cid scm share_code share_from "
    "share_medium share_source share_token spm spm_id_from trk twclid vd_source vero_id wt_mc "
    "yclid".split()
)
# What these sites add to an address without showing another page.
_TRACKING_OF_HOST = {
    "github.com": frozenset(("tab", "readme")),
    "pubmed.ncbi.nlm.nih.gov": frozenset(("fc", "ff", "v")),
    "youtube.com": frozenset(("ab_channel", "feature", "si", "t")),
    "youtu.be": frozenset(("feature", "si", "t")),
}
_GITHUB_ROOTS = (["tree", "main"], ["tree", "master"], ["tree", "HEAD"])


class Address(NamedTuple):
    """The parts of an http(s) address. The host is lower case ASCII without ``www.``."""

    host: str
    port: int | None
    """None for the default one."""
    path: str
    """As written, still percent-encoded."""
    query: str
    fragment: str


@lru_cache(maxsize=16)  # To identify one address, several parsers ask for its parts in turn.
def split_address(text: str) -> Address | None:
    """Split an http(s) address; without a scheme, ``https://`` is assumed.

    None for everything else: other schemes, user names (``https://arxiv.org@evil.example``),
    blanks, control characters and backslashes inside, an impossible host or port.
    """
    text = text.strip() if len(text) <= MAX_LENGTH else ""
    usual = re.fullmatch(_USUAL, text)
    if usual is not None and len(usual[1]) <= _LONGEST_HOST:
        return Address(_without_www(usual[1]), None, usual[2], "", "")
    if not _is_one_word(text):
        return None
    try:
        parts = parse.urlsplit(text if "://" in text else f"https://{text}")
        port = parts.port
    except ValueError:
        return None
    host = _normal_host(parts.hostname or "")
    if parts.scheme not in ("http", "https") or "@" in parts.netloc or host is None:
        return None
    port = None if port in (80, 443) else port
    return Address(host, port, parts.path, parts.query, parts.fragment)


def _is_one_word(text: str) -> bool:
    return text.isprintable() and text != "" and " " not in text and "\\" not in text


def _normal_host(host: str) -> str | None:
    host = _without_www(_in_ascii(host.lower().rstrip(".")))
    return host if len(host) <= _LONGEST_HOST and re.fullmatch(_HOST, host) else None


def _without_www(host: str) -> str:
    while host.startswith("www.") and "." in host[4:]:
        host = host[4:]
    return host


def _in_ascii(host: str) -> str:
    """Return the host in the ASCII form of DNS, so that look-alikes become visible."""
    if host.isascii() or len(host) > _LONGEST_HOST:
        return host
    try:
        return host.encode("idna").decode("ascii")
    except UnicodeError:
        return ""


def is_loopback(host: str | None) -> bool:
    """Return whether a host, as ``urlsplit`` returns it, is this machine itself: ``localhost``,
    ``::1``."""
    if host in (None, "", "localhost"):
        return host == "localhost"
    # Imported here because few who name a paper name a machine.
    import ipaddress

    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def normalise_url(url: str) -> str | None:
    """Return a form of an http(s) address that is equal for equal pages; None for anything else.

    It is for comparing, not for display: the scheme becomes https; the host lower case, without
    ``www.`` and default port; fragment, tracking parameters and trailing slashes are removed; other
    parameters keep their order, which may be significant. A fragment that is a route (``#/…``,
    ``#!…``) is kept. ``github.com/Owner/Repo.git`` becomes ``github.com/owner/repo``. Normalising
    twice has the same result as once. Rules: RFC 3986, 6.2.2 and 6.2.3.
    """
    if not re.match(r"\s*https?://", url[:64], re.IGNORECASE):
        return None
    address = split_address(url)
    if address is None:
        return None
    path = _without_dot_segments(_escape(address.path))
    if address.host == "github.com":
        path = _repository_path(path)
    port = "" if address.port is None else f":{address.port}"
    query = _led_by("?", _without_tracking(address))
    route = _escape(address.fragment) if address.fragment[:1] in ("/", "!") else ""
    return f"https://{address.host}{port}{path.rstrip('/')}{query}{_led_by('#', route)}"


def _led_by(sign: str, text: str) -> str:
    return sign + text if text else ""


def _escape(text: str) -> str:
    """Normalise percent-encoding: only where needed, in capitals."""

    def normal(code: re.Match[str]) -> str:
        if code[1] is None:
            return "%25"
        char = chr(int(code[1], 16))
        return char if char in _UNRESERVED else f"%{code[1].upper()}"

    return parse.quote(re.sub(_PERCENT, normal, text), safe=_RESERVED)


def _without_dot_segments(path: str) -> str:
    kept: list[str] = []
    for segment in path.split("/")[1:]:
        if segment == "..":
            del kept[-1:]
        elif segment != ".":
            kept.append(segment)
    return "".join(f"/{segment}" for segment in kept)


def _repository_path(path: str) -> str:
    """Normalise GitHub paths: names ignore case, and the root of the main branch is the
    repository."""
    parts = path.split("/")
    owner, repository, *rest = [*filter(None, parts), "", ""]
    repository = re.sub(r"(?:\.git)+$", "", repository.lower()) or repository
    below = list(filter(None, rest))
    kept = [owner.lower(), repository, *([] if below in _GITHUB_ROOTS else below)]
    return "".join(f"/{part}" for part in filter(None, kept))


def _without_tracking(address: Address) -> str:
    own = _TRACKING_OF_HOST.get(address.host, frozenset())
    kept = []
    for parameter in _escape(address.query).split("&"):
        name = parameter.partition("=")[0].lower()
        if parameter and not (name.startswith("utm_") or name in _TRACKING or name in own):
            kept.append(parameter)
    return "&".join(kept)
