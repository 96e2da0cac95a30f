"""The files around the code: version, citation, changelog, contributing, and what a wheel brings."""

import re
import subprocess
import sys
import tomllib
import zlib
from pathlib import Path
from typing import Any

import pytest
import yaml

import memnet
from memnet.errors import NetworkError
from memnet.papers import PAPERS
from memnet.record import recorded as module
from memnet.record.provenance import CODES
from memnet.record.recorded import PAPERS_CSV, RUNS_CSV, own_or_recorded, recorded
from tests.conftest import memnet as called

ROOT = Path(__file__).parent.parent
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
CITATION: dict[str, Any] = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
CHANGES = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


# The version


def test_the_version_is_the_same_everywhere():
    version = PROJECT["project"]["version"]
    assert (memnet.__version__, CITATION["version"]) == (version, version)
    newest = re.search(r"^## \[(.+?)\] - (\S+)$", CHANGES, re.MULTILINE)
    assert newest is not None
    assert newest.groups() == (version, CITATION["date-released"])


def test_the_changelog_has_the_form_of_keep_a_changelog():
    heads = re.findall(r"^## (.*)$", CHANGES, re.MULTILINE)
    heads = heads[1:] if heads[0] == "[Unreleased]" else heads
    found = [re.fullmatch(r"\[(\d+)\.(\d+)\.(\d+)\] - \d{4}-\d\d-\d\d", head) for head in heads]
    assert all(found), heads
    versions = [tuple(map(int, one.groups())) for one in found if one]
    assert versions == sorted(versions, reverse=True)
    kinds = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
    assert set(re.findall(r"^### (.*)$", CHANGES, re.MULTILINE)) <= kinds
    assert all(line.startswith(("- ", "  ")) for part in CHANGES.split("\n### ")[1:] for line in entries(part))


def entries(part: str) -> list[str]:
    """The lines of a group of changes, without its heading and those of the next version."""
    return [line for line in part.split("\n## ")[0].splitlines()[1:] if line]


# The citation


def test_the_citation_is_valid():
    """What the schema of version 1.2.0 asks for; `cffconvert --validate` checks the whole of it."""
    assert CITATION["cff-version"] == "1.2.0"
    assert {"message", "title", "authors"} <= CITATION.keys()
    assert CITATION["type"] == "software"
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", CITATION["date-released"])
    known = {"type", "title", "authors", "year", "journal"}
    for reference in CITATION["references"]:
        assert reference.keys() == known
        assert all(author.keys() <= {"given-names", "name-particle", "family-names"} for author in reference["authors"])
    assert PROJECT["project"]["license"] == CITATION["license"]


def test_the_citation_names_every_paper_as_its_file_does():
    cited = {reference["title"]: reference for reference in CITATION["references"]}
    citations = [paper.citation for paper in PAPERS.values() if paper.citation is not None]
    assert cited.keys() == {citation.title for citation in citations}
    for citation in citations:
        reference = cited[citation.title]
        names = [
            " ".join(author[part] for part in ("given-names", "name-particle", "family-names") if part in author)
            for author in reference["authors"]
        ]
        assert tuple(names) == citation.authors
        assert (reference["year"], reference["journal"]) == (citation.year, f"arXiv:{citation.arxiv}")


# Contributing


def test_contributing_names_what_there_is():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#:]+)\)", text):
        assert (ROOT / target).exists(), target
    for path in re.findall(r"`((?:memnet|tasks|results|\.ci)/[\w/.]*)`", text):
        assert (ROOT / path).exists(), path
    for path in re.findall(r"(?:tests|\.ci)/\w+(?:\.py)?", text):
        assert (ROOT / path).exists(), path
    assert PROJECT["tool"]["ruff"]["line-length"] == 128
    assert "no line more than 128 columns" in text


# What a wheel brings


def test_every_folder_of_code_is_packaged():
    folders = {".".join(path.parent.relative_to(ROOT).parts) for path in (ROOT / "memnet").rglob("__init__.py")}
    folders |= {"memnet." + ".".join(path.parent.relative_to(ROOT).parts) for path in (ROOT / "tasks").rglob("__init__.py")}
    assert set(PROJECT["tool"]["setuptools"]["packages"]) == folders | {"memnet.results"}


def test_of_a_checkout_only_the_tasks_are_part_of_the_package(tmp_path: Path):
    """Also in a process of its own elsewhere, and nothing is loaded before it is asked for."""
    names = ("tasks", "scripts", "tests", "results", "docs")
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); import memnet; from importlib.util import find_spec as find\n"
    code += f"print('memnet.tasks' in sys.modules, *[name for name in {names} if find('memnet.' + name)])\n"
    code += "import memnet.tasks.families; print(memnet.tasks.__file__)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=True)
    assert done.stdout.splitlines() == ["False tasks", str(ROOT / "tasks" / "__init__.py")]


def test_what_a_plain_installation_brings_is_small():
    """What readers learn from stays in the source; networks and word vectors hardly shrink in a wheel."""
    folders = {"memnet.tasks": ROOT / "tasks", "memnet.results": ROOT / "results"}
    files = set[Path]()
    for package, patterns in PROJECT["tool"]["setuptools"]["package-data"].items():
        within = next((name for name in folders if package.startswith(name)), "memnet")
        folder = folders.get(within, ROOT / "memnet").joinpath(*package.removeprefix(within).strip(".").split("."))
        found = {path for pattern in patterns for path in folder.glob(pattern) if path.is_file()}
        assert found, f"{package}: no file of {patterns} in {folder}"
        files |= found
    assert not [path for path in files if path.parent.name in ("told", "answered", "events", "entries", "ways")]
    assert sum(len(zlib.compress(path.read_bytes(), 6)) for path in files) < 27_000_000


def test_the_results_on_record_are_packaged_and_small():
    mapped, brought = PROJECT["tool"]["setuptools"]["package-dir"], PROJECT["tool"]["setuptools"]["package-data"]
    assert mapped["memnet.results"] == "results"
    files = [ROOT / "results" / name for name in brought["memnet.results"]]
    measured = {
        "published_sources.csv",
        "models.csv",
        "memory.csv",
        "memory_retrieved.csv",
        "babilong.csv",
        "babilong_published.csv",
    }
    assert {RUNS_CSV, PAPERS_CSV, "published_sources.csv", CODES} | measured == {file.name for file in files}
    assert sum(len(zlib.compress(file.read_bytes())) for file in files) < 700_000  # as in a wheel


def test_where_the_results_on_record_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    packaged = tmp_path / "site-packages" / "memnet" / "results"
    packaged.mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(module, "PACKAGED", (packaged, tmp_path / "nowhere"))
    with pytest.raises(NetworkError, match=r"installed without the results on record: runs.csv is in the folder results of a"):
        recorded(RUNS_CSV)
    for command in (["table", "memn2n-1k"], ["reproduce", "--list"], ["presets"], ["plot", "results", "figures"]):
        done = called(*command)
        assert (done.returncode, done.stdout) == (1, "")
        assert "call the command there or name the file by an option" in done.stderr
    for name in (RUNS_CSV, PAPERS_CSV):
        (packaged / name).write_text("", encoding="utf-8")
    assert (recorded(RUNS_CSV), own_or_recorded()) == (packaged / RUNS_CSV, packaged / RUNS_CSV)
    Path("results").mkdir()
    Path("results", RUNS_CSV).write_text("", encoding="utf-8")  # of a sweep of one's own
    assert (recorded(RUNS_CSV), own_or_recorded()) == (packaged / RUNS_CSV, Path("results", RUNS_CSV))
    Path("results", PAPERS_CSV).write_text("", encoding="utf-8")  # of a checkout
    assert (recorded(RUNS_CSV), recorded(PAPERS_CSV)) == (Path("results", RUNS_CSV), Path("results", PAPERS_CSV))


def test_from_another_folder_the_results_are_those_of_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    here = called("table", "memn2n-1k").stdout
    listed = called("reproduce", "--list").stdout
    monkeypatch.chdir(tmp_path)
    assert called("table", "memn2n-1k").stdout == here
    assert called("reproduce", "--list").stdout == listed
    assert "memn2n-1k          20 runs, all on record" in listed


@pytest.mark.slow
def test_an_installed_wheel_has_the_results(tmp_path: Path):
    pip = [sys.executable, "-m", "pip"]
    built = tmp_path / "source"
    subprocess.run(["git", "-C", str(ROOT), "checkout-index", "-a", f"--prefix={built}/"], check=True)
    subprocess.run([*pip, "wheel", "-q", "--no-deps", "-w", str(tmp_path), str(built)], check=True)
    [wheel] = tmp_path.glob("*.whl")
    assert wheel.stat().st_size < 8_000_000
    subprocess.run([*pip, "install", "-q", "--no-deps", "--target", str(tmp_path / "there"), str(wheel)], check=True)
    command = [sys.executable, "-m", "memnet", "reproduce", "--list"]
    done = subprocess.run(command, cwd=tmp_path, env={"PYTHONPATH": str(tmp_path / "there")}, capture_output=True, text=True)
    assert "memn2n-1k          20 runs, all on record" in done.stdout, done.stderr


def test_every_package_is_locked_with_hashes():
    """All that the package, its tests and its site need, in the versions of constraints.txt; torch is each machine's own."""
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    entries = re.findall(r"^([a-z0-9][\w.-]*)==(\S+)(.*?)(?=^\S|\Z)", text, flags=re.MULTILINE | re.DOTALL)
    locked = {name: version for name, version, _ in entries}
    assert len(locked) > 100
    assert all(re.findall(r"--hash=sha256:[0-9a-f]{64}\b", rest) for _, _, rest in entries)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = [*project["dependencies"], *project["optional-dependencies"]["test"], *project["optional-dependencies"]["docs"]]
    names = {re.split(r"[\[>=<]", one)[0].lower().replace("_", "-") for one in needed}
    assert names - locked.keys() == {"torch"}
    pinned = re.findall(r"^([\w-]+)==(\S+)$", (ROOT / "constraints.txt").read_text(encoding="utf-8"), flags=re.MULTILINE)
    versions = {name.lower().replace("_", "-"): version for name, version in pinned}
    assert {name: locked[name] for name in versions.keys() & locked.keys()} == {
        name: version for name, version in versions.items() if name in locked
    }
