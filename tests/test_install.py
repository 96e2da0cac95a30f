"""What is built works outside the checkout, with the oldest and the newest versions of what it needs too."""

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
VERSIONS = ("3.11", "3.12", "3.13", "3.14")


def python(version: str) -> str:
    """A Python of that version on this machine; the test is skipped where there is none."""
    roots = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for path in filter(None, (shutil.which(f"python{version}"), *sorted(roots.glob(f"{version}.*/bin/python")))):
        if subprocess.run([path, "-c", ""], capture_output=True).returncode == 0:  # pyenv has names for what it has not
            return str(path)
    pytest.skip(f"there is no Python {version} on this machine")


def tried(*arguments: str) -> str:
    """What the script says of environments where every trial went well."""
    if not all(map(importlib.util.find_spec, ("build", "uv"))):
        pytest.skip("the extra test is not installed")
    done = subprocess.run([sys.executable, ROOT / "scripts" / "try_install.py", *arguments], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr[-3000:]
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["wheel", "sdist"])
def test_what_is_built_works_outside_the_checkout(kind: str):
    assert ": 0 failed" in tried(kind, "--extras")


@pytest.mark.slow
@pytest.mark.parametrize("extras", [(), ("--extras",)])
@pytest.mark.parametrize("end", ["oldest", "newest"])
@pytest.mark.parametrize("version", VERSIONS)
def test_the_oldest_and_the_newest_versions_work(version: str, end: str, extras: tuple[str, ...]):
    assert ": 0 failed" in tried(end, "--python", python(version), *extras)
