"""Packages from npm that tests use and papertrack does not."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

_PATIENCE_SECONDS = 100


def install(folder: Path, *packages: str) -> Path:
    """Install packages below a folder; return where they are. Skips the test where npm, or its
    registry, does not do it in time."""
    # The guard of the tests keeps Python from other machines, not npm from its registry.
    try:
        subprocess.run(
            ["npm", "install", "--silent", "--no-audit", "--no-fund", *packages],
            cwd=folder,
            env={**os.environ, "HOME": str(folder)},
            capture_output=True,
            timeout=_PATIENCE_SECONDS,
            check=True,
        )
    except (OSError, subprocess.SubprocessError) as error:
        pytest.skip(f"npm could not install {' '.join(packages)}: {error}")
    return folder / "node_modules"
