"""For all tests: no socket leaves this machine, and the fake arXiv is at hand."""

from __future__ import annotations

import gc
import os
import shutil
import tempfile
from pathlib import Path

from hypothesis import settings

from tests.loopback_only import sitecustomize

ROOT = Path(__file__).parent.parent
# Whatever the tests start finds the project, and the guard that is at work here by its import.
GUARD = Path(sitecustomize.__file__).parent
os.environ["PYTHONPATH"] = os.pathsep.join(map(str, (GUARD, ROOT)))
# Nor does each of them compile the project anew: an installed program has its bytecode too.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# Where there is room for it, the tests' own files are in memory: thousands of libraries would each
# wait for the disk. That what is confirmed is on it is the business of tests/crash.
MEMORY = Path("/dev/shm")
ROOM = 2 << 30
"""Bytes that must be free there; containers often have 64 MB."""
if MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ROOM:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))
    os.environ.setdefault("TMPDIR", str(MEMORY))
    tempfile.tempdir = None  # It is looked up again, also by those who asked before.

# As in the program: looking for garbage takes a twentieth of the time, and more while tests are
# collected, whose functions stay anyway.
gc.set_threshold(100_000, 20, 20)


def pytest_collection_finish() -> None:
    gc.freeze()


# A busy machine is not a failure: only what a property says counts, not how long it took. The same
# examples each time, so that a change is judged by itself; HYPOTHESIS_PROFILE=search tries others,
# and more.
settings.register_profile(
    "papertrack", max_examples=25, deadline=None, derandomize=True, print_blob=True
)
settings.register_profile("search", max_examples=400, deadline=None, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "papertrack"))

pytest_plugins = ["tests.fake_arxiv.fixtures", "tests.forked"]
