"""Handle keys one at a time, each completely before the next, however fast they are typed.

Textual passes a key to the widget that has the focus when the key arrives. So keys that were typed
before a window opened would go to the list below it, or be lost.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any

from textual.app import App
from textual.events import Event, Key, Paste
from textual.message import Message

from papertrack.text import clean

_ROUNDS = 2
"""A key may be handled through a message, such as a line's Submitted, which bubbles likewise."""
_OVERDUE_SECONDS = 0.5


def without_commands(event: Event) -> Event:
    """Return a paste as clean text, because copied text may hide commands to the terminal.

    A paste that comes back unhandled is passed on unchanged, to avoid an endless loop.
    """
    if isinstance(event, Paste) and not event.is_forwarded:
        return Paste(clean(event.text))
    return event


class KeyHandled(Message):
    """Follows a key on its way from the focused widget to the app."""

    def __init__(self, number: int, rounds: int) -> None:
        super().__init__()
        self.number = number
        self.rounds = rounds


class Keys:
    """The queue of keys that wait for their turn."""

    def __init__(self, app: App[Any], pass_on: Callable[[Key], Awaitable[None]]) -> None:
        self._app = app
        self._pass_on = pass_on
        self._waiting: deque[Key] = deque()
        self._number = 0
        """The number of the key that is being handled."""
        self.is_handling = False
        """Whether a key is being handled; others wait behind it."""
        self._timed_number = 0
        """The last key whose turn has a timer."""
        self._holds = 0

    async def take(self, key: Key) -> None:
        """Pass a key on in its turn."""
        self._waiting.append(key)
        if not self.is_handling:
            await self._next()
        elif self._timed_number != self._number:
            self._set_timer(self._number)

    def _set_timer(self, number: int) -> None:
        """Make sure that a key's turn ends: a widget that is removed drops its messages.

        If the key is only slow, the second message comes later and has no effect.
        """
        self._timed_number = number

        def follow_again() -> None:
            if self.is_handling and number == self._number:
                self.follow_here()
                self._set_timer(number)

        self._app.set_timer(_OVERDUE_SECONDS, follow_again)

    def put_first(self, key: Key) -> None:
        """Make a key the next one, while another is being handled."""
        self._waiting.appendleft(key)

    def follow_here(self) -> None:
        """Follow the key from the current screen: a closed one passes nothing on."""
        if self.is_handling:
            self._send(_ROUNDS - 1)

    async def follow(self, message: KeyHandled) -> None:
        """Send the message once more, or end the key's turn after the messages of its screen."""
        if message.number != self._number:
            return
        if message.rounds:
            self._send(message.rounds - 1)
        elif not self._app.screen.call_later(self.end, message.number):
            await self.end(message.number)

    async def end(self, number: int) -> None:
        """Take the next key if this one is still being handled."""
        if number == self._number and self.is_handling and not self._holds:
            await self._next()

    def hold(self) -> None:
        """Stop handling keys until ``release``, because their meaning depends on a result."""
        self._holds += 1

    def release(self) -> None:
        """Continue after ``hold``, once the screen shows the results."""
        self._holds -= 1
        self.follow_here()

    async def _next(self) -> None:
        self.is_handling = bool(self._waiting)
        if self._waiting:
            self._number += 1
            await self._pass_on(self._waiting.popleft())
            self._send(_ROUNDS - 1)

    def _send(self, rounds: int) -> None:
        target = self._app.focused or self._app.screen
        # From the widget itself: a message never goes up to the one that has sent it.
        target.post_message(KeyHandled(self._number, rounds).set_sender(target))
