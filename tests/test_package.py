"""The wheel and the sdist: they build, hold what they must, and the wheel runs when installed."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest
import yaml

from papertrack import __version__

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def run(*command: str | Path, **environ: str) -> str:
    """What a command prints; it has none of this environment's modules but those it installed."""
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    ran = subprocess.run(
        command, capture_output=True, text=True, encoding="utf-8", env={**clean, **environ}
    )
    assert ran.returncode == 0, (command, ran.stdout, ran.stderr)
    return ran.stdout


def test_the_wheel_is_built_checked_installed_and_run(tmp_path: Path) -> None:
    for tool in ("build", "hatchling", "twine"):
        pytest.importorskip(tool)
    dist = tmp_path / "dist"
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", dist, ROOT)
    (wheel,) = dist.glob("*.whl")
    (sdist,) = dist.glob("*.tar.gz")
    run(sys.executable, "-m", "twine", "check", "--strict", wheel, sdist)

    name = f"papertrack_cli-{__version__}"
    assert wheel.name == f"{name}-py3-none-any.whl"
    with zipfile.ZipFile(wheel) as archive:
        files = archive.namelist()
    shipped = ("papertrack/py.typed", "papertrack/sample/README.md", "papertrack/store/schema.sql")
    assert {*shipped, f"{name}.dist-info/licenses/LICENSE"} <= {*files}
    assert {file.split("/")[0] for file in files} == {"papertrack", f"{name}.dist-info"}
    with tarfile.open(sdist) as archive_of_source:
        files = archive_of_source.getnames()
    assert {f"{name}/{file}" for file in ("LICENSE", "README.md", "docs/index.md")} <= {*files}

    fresh = tmp_path / "fresh"
    venv.create(fresh, symlinks=os.name != "nt")
    python = fresh / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", str(python))
    run(*pip, "install", "--quiet", "--no-deps", "--no-index", wheel)
    # The other packages come from this environment, so that nothing is downloaded.
    site = run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip()
    Path(site, "others.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")

    papertrack = python.with_name("papertrack")
    home = {"HOME": str(tmp_path), "COLUMNS": "80"}
    assert run(papertrack, "--version", **home) == f"papertrack {__version__}\n"
    library = tmp_path / "library"
    run(papertrack, "init", "--demo", library, **home)
    run(papertrack, "--library", library, "export", "--md", "--check", **home)
    where = "import papertrack; print(papertrack.__file__)"
    assert Path(run(python, "-P", "-c", where).strip()).is_relative_to(fresh)


def test_the_install_lines_and_the_citation_name_the_package() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for tool in ("uv tool install", "pipx install", "pip install"):
        assert f"{tool} {PROJECT['name']}" in text
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert (citation["version"], citation["license"]) == (__version__, PROJECT["license"])
