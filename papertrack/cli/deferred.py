"""Modules of Python's own that click and pathlib import for what few commands do: each is read when
something is asked of it that is not known without.

They and what they import were a tenth of a short command's time; ``inspect``, which brings Python's
own parser, most of that.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from importlib.util import find_spec, module_from_spec
from threading import RLock
from types import ModuleType
from typing import Any


def defer_modules() -> None:
    """Let the imports of these modules, from now on, cost nothing until one is needed."""
    is_linux = sys.platform == "linux"
    # All texts here are English, and of click's nobody has put a translation where Python looks.
    _defer("gettext", {"gettext": str, "ngettext": lambda one, many, n: one if n == 1 else many})
    _defer("inspect", {"cleandoc": _cleandoc})
    _defer("ipaddress", {})
    _defer("platform", {"system": lambda: os.uname().sysname} if is_linux else {})
    _defer("urllib.parse", {"quote_from_bytes": _quote_from_bytes})


class _Deferred(ModuleType):
    """A module that is read when it has no answer."""

    def __getattr__(self, name: str) -> Any:
        if name != "__path__":  # Every ``from … import`` asks it, and none of them is a package.
            read(self)
        return ModuleType.__getattribute__(self, name)


_waiting: set[ModuleType] = set()
"""Those that nobody has begun to read."""
_reading = RLock()
"""Held while one is read: other threads wait for it, and it may ask itself."""


def _defer(name: str, answers: Mapping[str, Callable[..., object]]) -> None:
    spec = None if name in sys.modules else find_spec(name)
    if spec is not None:
        module = module_from_spec(spec)
        vars(module).update(answers)
        module.__class__ = _Deferred
        _waiting.add(module)
        sys.modules[name] = module
        package, _, own_name = name.rpartition(".")
        if package:
            setattr(sys.modules[package], own_name, module)


def read(module: ModuleType) -> None:
    """Make a module what it is without being deferred, its own answers in the place of ours."""
    with _reading:
        if module in _waiting:
            _waiting.remove(module)
            spec = module.__spec__
            assert spec is not None and spec.loader is not None  # noqa: PT018
            spec.loader.exec_module(module)
            module.__class__ = ModuleType


def _quote_from_bytes(*arguments: Any) -> str:
    """``urllib.parse.quote_from_bytes``, which pathlib keeps for the addresses of files."""
    module = sys.modules["urllib.parse"]
    read(module)
    quoted: str = module.quote_from_bytes(*arguments)
    return quoted


def _cleandoc(text: str) -> str:
    """``inspect.cleandoc``, which click asks of each option's help: of one line, that line."""
    if "\n" not in text and "\t" not in text and not text.startswith(" "):
        return text
    module = sys.modules["inspect"]
    read(module)
    cleaned: str = module.cleandoc(text)
    return cleaned
