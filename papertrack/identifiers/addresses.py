"""Web addresses: parse them defensively, and normalize them so that a page has one address."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple
from urllib import parse

MAX_LENGTH = 4096
"""Longer texts are not parsed: no identifier and hardly any URL is so long."""

# Patterns are strings, which re compiles at their first use, to keep the start-up fast.
_MAX_HOST = 253
_HOST = r"[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\]"
_USUAL = r"https?://([a-z0-9-]+(?:\.[a-z0-9-]+)+)((?:/[!\"$->@-\[\]-~]*)?)"
"""The form of most URLs: a host and a path."""
_PERCENT = "%([0-9A-Fa-f]{2})?"
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_RESERVED = "/:@!$&'()*+,;=~?%"

_TRACKING = frozenset(
    "_hsenc _hsmi ck_subscriber_id dclid fbclid from_wecom gclid gclsrc igsh igshid mc_cid mc_eid "
    "mkt_tok msclkid oly_anon_id oly_enc_id ref_src ref_url s_cid scm share_code share_from "
    "share_medium share_source share_token spm spm_id_from trk twclid vd_source vero_id wt_mc "
    "yclid".split()
)
# Parameters that these sites add without showing another page.
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
    """The path as written, still percent-encoded."""
    query: str
    fragment: str


@lru_cache(maxsize=16)  # Several parsers ask for the parts of the same URL.
def split_address(text: str) -> Address | None:
    """Split an http(s) URL; without a scheme, ``https://`` is assumed.

    Return None for anything else: other schemes, user names (``https://arxiv.org@evil.example``),
    blanks, control characters and backslashes, an impossible host or port.
    """
    text = text.strip() if len(text) <= MAX_LENGTH else ""
    match = re.fullmatch(_USUAL, text)
    if match is not None and len(match[1]) <= _MAX_HOST:
        return Address(_without_www(match[1]), None, match[2], "", "")
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
    host = _without_www(_to_ascii_host(host.lower().rstrip(".")))
    return host if len(host) <= _MAX_HOST and re.fullmatch(_HOST, host) else None


def _without_www(host: str) -> str:
    while host.startswith("www.") and "." in host[4:]:
        host = host[4:]
    return host


def _to_ascii_host(host: str) -> str:
    """Return the host in the ASCII form of DNS, so that look-alikes become visible."""
    if host.isascii() or len(host) > _MAX_HOST:
        return host
    try:
        return host.encode("idna").decode("ascii")
    except UnicodeError:
        return ""


def is_loopback(host: str | None) -> bool:
    """Return whether a host, as in ``urlsplit``, is this machine: ``localhost``, ``::1``."""
    if host in (None, "", "localhost"):
        return host == "localhost"
    # Imported here because few callers need it.
    import ipaddress

    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def normalise_url(url: str) -> str | None:
    """Return a form of an http(s) URL that is equal for equal pages, or None.

    It is for comparing, not for display. The scheme becomes https, and the host lower case without
    ``www.`` and default port. Fragment, tracking parameters and trailing slashes are removed. Other
    parameters keep their order, which may matter. A fragment that is a route (``#/…``, ``#!…``) is
    kept. ``github.com/Owner/Repo.git`` becomes ``github.com/owner/repo``. Normalizing twice has the
    same result as once. Rules: RFC 3986, 6.2.2 and 6.2.3.
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
    query = _with_prefix("?", _without_tracking(address))
    route = _escape(address.fragment) if address.fragment[:1] in ("/", "!") else ""
    return f"https://{address.host}{port}{path.rstrip('/')}{query}{_with_prefix('#', route)}"


def _with_prefix(sign: str, text: str) -> str:
    return sign + text if text else ""


def _escape(text: str) -> str:
    """Normalize percent-encoding: only where needed, in capitals."""

    def normal(code: re.Match[str]) -> str:
        if code[1] is None:
            return "%25"
        char = chr(int(code[1], 16))
        return char if char in _UNRESERVED else f"%{code[1].upper()}"

    return parse.quote(re.sub(_PERCENT, normal, text), safe=_RESERVED)


def _without_dot_segments(path: str) -> str:
    segments: list[str] = []
    for segment in path.split("/")[1:]:
        if segment == "..":
            del segments[-1:]
        elif segment != ".":
            segments.append(segment)
    return "".join(f"/{segment}" for segment in segments)


def _repository_path(path: str) -> str:
    """Normalize GitHub paths: lower-case names, and no path for the root of the main branch."""
    parts = path.split("/")
    owner, repository, *more = [*filter(None, parts), "", ""]
    repository = re.sub(r"(?:\.git)+$", "", repository.lower()) or repository
    inner = list(filter(None, more))
    normal = [owner.lower(), repository, *([] if inner in _GITHUB_ROOTS else inner)]
    return "".join(f"/{part}" for part in filter(None, normal))


def _without_tracking(address: Address) -> str:
    extra = _TRACKING_OF_HOST.get(address.host, frozenset())
    parameters = []
    for parameter in _escape(address.query).split("&"):
        name = parameter.partition("=")[0].lower()
        if parameter and not (name.startswith("utm_") or name in _TRACKING or name in extra):
            parameters.append(parameter)
    return "&".join(parameters)
