"""Serve the terminal UI to a browser, only for people who have the printed address.

Any page in a browser may send requests to this machine, and a stranger's host name may lead to it
(DNS rebinding). So each request must be for an address of ours, come from a page of ours, and carry
a secret that only the printed address contains. A browser keeps the secret in a cookie, which it
also sends to servers of other users on other ports. So they must not connect at all.
"""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
from collections.abc import Awaitable, Callable
from ipaddress import ip_address
from urllib.parse import urlsplit

from aiohttp import web
from textual_serve.server import Server

_COOKIE = "papertrack"
_POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; font-src 'self' data:; connect-src 'self' ws: wss:; "
    "frame-ancestors 'none'"
)
"""Nothing is loaded from elsewhere, not even fonts, and no other page may frame it."""
_TYPE_AT_ONCE = """
<script>
  // What is typed goes to the terminal as soon as it is there, not only after a click on it.
  new MutationObserver((_, watching) => {
    const typed = document.querySelector(".xterm-helper-textarea");
    if (typed && document.body.classList.contains("-first-byte")) {
      typed.focus();
      watching.disconnect();
    }
  }).observe(document.body, { attributes: true });
</script>
"""
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
OwnerOf = Callable[[tuple[str, int], tuple[str, int]], int | None]
"""Returns the user of a local connection from its two ends; None for an unknown one."""


class GuardedServer(Server):
    """Serves the output of a command to requests that are admitted."""

    def __init__(self, command: str, *, host: str, port: int, owner_of: OwnerOf) -> None:
        super().__init__(command, host=host, port=port, title="papertrack")
        self._owner_of = owner_of
        self._token = secrets.token_urlsafe(32)

    @property
    def address(self) -> str:
        """Return the address to open, with its secret."""
        return f"{self.public_url}/?token={self._token}"

    def initialize_logging(self) -> None:
        """Log neither requests, as the first contains the secret, nor malformed ones."""
        super().initialize_logging()
        for name in ("access", "server"):
            logging.getLogger(f"aiohttp.{name}").disabled = True

    async def _make_app(self) -> web.Application:
        app = await super()._make_app()
        app.middlewares.append(self._guard)
        return app

    async def on_startup(self, app: web.Application) -> None:
        """Print the address, which will work in a moment."""
        self.console.print(f"Open {self.address}", soft_wrap=True, highlight=False, markup=False)
        self.console.print(
            "Anyone who has this address can read and change the library. Ctrl+C stops the server."
        )

    @web.middleware
    async def _guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        if not self._is_ours(request):
            raise web.HTTPForbidden(text="This address is not served here.")
        if self._is_let_in(request.query.get("token")):
            # The secret stays in no history and goes to no other page.
            answer: web.StreamResponse = web.HTTPFound("/")
            answer.set_cookie(_COOKIE, self._token, httponly=True, samesite="Strict")
            return answer
        if not self._is_let_in(request.cookies.get(_COOKIE)):
            raise web.HTTPForbidden(text="Open the address that papertrack printed.")
        if await asyncio.to_thread(self._is_of_other_user, request):
            raise web.HTTPForbidden(text="The request comes from another user of this machine.")
        answer = await handler(request)
        if isinstance(answer, web.Response) and answer.content_type == "text/html":
            answer.text = f"{answer.text}{_TYPE_AT_ONCE}"
        if not answer.prepared:
            answer.headers["Content-Security-Policy"] = _POLICY
            answer.headers["Referrer-Policy"] = "no-referrer"
        return answer

    def _is_ours(self, request: web.Request) -> bool:
        """Return whether a request is for this server's name and comes from its own pages."""
        origin = request.headers.get("Origin")
        try:
            is_from_here = origin is None or urlsplit(origin).netloc == request.host
            return is_from_here and self._is_own_name(urlsplit(f"//{request.host}").hostname)
        except ValueError:  # It is no address.
            return False

    def _is_of_other_user(self, request: web.Request) -> bool:
        """Return whether a program of another user sent a request. root may do anything anyway."""
        info, closed = request.get_extra_info, ("0.0.0.0", 0)
        owner = self._owner_of(info("peername", closed)[:2], info("sockname", closed)[:2])
        return owner is not None and owner not in (0, os.geteuid())

    def _is_own_name(self, name: str | None) -> bool:
        """Return whether a name is this server's; nobody can redirect a numeric address."""
        if name in (self.host, "localhost"):
            return True
        try:
            ip_address(name or "")
        except ValueError:
            return False
        return True

    def _is_let_in(self, token: str | None) -> bool:
        given = (token or "").encode(errors="replace")
        return secrets.compare_digest(given, self._token.encode())
