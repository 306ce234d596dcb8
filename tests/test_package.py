"""The wheel and the sdist: they build, hold what they must, and the wheel runs when installed."""

from __future__ import annotations

import importlib.metadata
import os
import re
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


TOP_LEVEL = {
    *(".ci", ".devcontainer", ".github", ".gitignore", ".pre-commit-config.yaml"),
    *("ARCHITECTURE.md", "CHANGELOG.md", "CITATION.cff", "CONTRIBUTING.md", "LICENSE", "Makefile"),
    *("README.md", "SECURITY.md", "benchmarks", "constraints.txt", "data", "docs", "exports"),
    *("mkdocs.yml", "papertrack", "pyproject.toml", "tests"),
}


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="needs a clone")
def test_nothing_made_by_hand_is_kept_beside_the_project() -> None:
    """What a command wrote here while it was tried, such as a page, belongs to nobody."""
    assert {name.partition("/")[0] for name in run("git", "-C", ROOT, "ls-files").split()} == (
        TOP_LEVEL
    )


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and the sdist, just built."""
    for tool in ("build", "hatchling"):
        pytest.importorskip(tool)
    dist = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", dist, ROOT)
    return dist


def test_the_wheel_and_the_sdist_hold_what_they_must(dist: Path) -> None:
    pytest.importorskip("twine")
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


def make_stand_ins(folder: Path) -> None:
    """Make an empty wheel of each package that papertrack needs, so that nothing is downloaded."""
    folder.mkdir()
    for needed in PROJECT["dependencies"]:
        name = re.split(r"[^\w-]", needed)[0].replace("-", "_")
        version = importlib.metadata.version(name)
        about = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
        kind = "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        with zipfile.ZipFile(folder / f"{name}-{version}-py3-none-any.whl", "w") as wheel:
            for file, text in (("METADATA", about), ("WHEEL", kind), ("RECORD", "")):
                wheel.writestr(f"{name}-{version}.dist-info/{file}", text)


def install_lines() -> list[str]:
    """The README's ways to install the package from the index."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    return re.findall(rf"(?:uv tool|pipx|pip) install {PROJECT['name']}", text)


@pytest.mark.parametrize("line", install_lines())
def test_the_installed_wheel_runs(dist: Path, tmp_path: Path, line: str) -> None:
    tool, *words = line.split()
    pytest.importorskip(tool)
    (wheel,) = dist.glob("*.whl")
    make_stand_ins(tmp_path / "needed")
    environ = {
        "HOME": str(tmp_path),
        "COLUMNS": "80",
        **{f"{name}_FIND_LINKS": str(tmp_path / "needed") for name in ("PIP", "UV")},
        **{f"{name}_NO_INDEX": "1" for name in ("PIP", "UV")},
        "PIPX_DEFAULT_PYTHON": sys.executable,
        "PIPX_HOME": str(tmp_path / "pipx"),
        "PIPX_BIN_DIR": str(tmp_path / "bin"),
        "UV_PYTHON": sys.executable,
        "UV_PYTHON_DOWNLOADS": "never",
        "UV_CACHE_DIR": str(tmp_path / "cache"),
        "UV_TOOL_DIR": str(tmp_path / "uv"),
        "UV_TOOL_BIN_DIR": str(tmp_path / "bin"),
    }
    places = {"uv": "uv/papertrack-cli", "pipx": "pipx/venvs/papertrack-cli", "pip": "fresh"}
    place = tmp_path / places[tool]
    scripts = place / ("Scripts" if os.name == "nt" else "bin")
    python = scripts / f"python{'.exe' * (os.name == 'nt')}"
    where = []
    if tool == "pip":
        venv.create(place, symlinks=os.name != "nt")
        where = ["--disable-pip-version-check", "--python", str(python)]
    options = [str(wheel) if word == PROJECT["name"] else word for word in words]
    run(sys.executable, "-m", tool, *where, *options, **environ)
    # The code of the other packages comes from this environment.
    site = run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip()
    Path(site, "others.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")

    papertrack = (scripts if tool == "pip" else tmp_path / "bin") / "papertrack"
    assert run(papertrack, "--version", **environ) == f"papertrack {__version__}\n"
    if tool == "uv":  # What it does is the same, whoever installed it.
        library = tmp_path / "library"
        run(papertrack, "init", "--demo", library, **environ)
        run(papertrack, "--library", library, "export", "--md", "--check", **environ)
    code = "import papertrack; print(papertrack.__file__)"
    assert Path(run(python, "-P", "-c", code).strip()).is_relative_to(place)


def test_the_install_lines_and_the_citation_name_the_package() -> None:
    assert [line.split()[0] for line in install_lines()] == ["uv", "pipx", "pip"]
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert (citation["version"], citation["license"]) == (__version__, PROJECT["license"])
