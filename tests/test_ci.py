"""What CI runs fails where a test fails."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def command_of_the_tests() -> str:
    """README's own command for the tests, without what installs the package."""
    blocks = re.findall(r"^```sh\n(.*?)^```", (ROOT / "README.md").read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    command = blocks[1].rpartition("&&")[2].strip()
    assert command.startswith("python -m pytest")
    return command


@pytest.mark.skipif(os.name == "nt", reason="bash")
@pytest.mark.parametrize(
    ("tests", "trial", "failed"),
    [
        ("assert 1 + 1 == 3", "assert True", ["test_one"]),
        ("assert True", "assert 1 + 1 == 3", ["test_two"]),
        pytest.param("assert True", "assert True", [], marks=pytest.mark.slow),
    ],
    ids=["a test fails", "a trial fails", "passes"],
)
def test_ci_ends_as_the_tests_do(tests: str, trial: str, failed: list[str], tmp_path: Path):
    """The script itself, in a folder with a test and a trial, README's command, linters that find nothing and no site."""
    (tmp_path / ".ci").mkdir()
    shutil.copy(ROOT / ".ci" / "run", tmp_path / ".ci" / "run")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    (tmp_path / "tests" / "trials").mkdir(parents=True)
    (tmp_path / "tests" / "test_one.py").write_text(f"def test_one():\n    {tests}\n")
    slow = f"import pytest\n\n@pytest.mark.slow\ndef test_two():\n    {trial}\n"
    (tmp_path / "tests" / "trials" / "test_two.py").write_text(slow)
    (tmp_path / "bin").mkdir()
    for linter in ("ruff", "codespell", "mypy", "mkdocs"):
        (tmp_path / "bin" / linter).write_text("#!/bin/sh\necho linted\n")
        (tmp_path / "bin" / linter).chmod(0o755)
    (tmp_path / "bin" / "python").write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    (tmp_path / "bin" / "python").chmod(0o755)
    blocks = ("mkdir -p .venv/bin && touch .venv/bin/activate", f". .venv/bin/activate && {command_of_the_tests()}")
    (tmp_path / "README.md").write_text("".join(f"```sh\n{block}\n```\n\n" for block in blocks))
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    environment |= {"PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}", "PYTEST_XDIST_AUTO_NUM_WORKERS": "1"}
    environment |= {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_PLUGINS": "xdist.plugin"}  # seconds less than with all
    done = subprocess.run([tmp_path / ".ci" / "run"], env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == len(failed), done.stdout + done.stderr
    assert re.findall(r"^FAILED .*::(\w+)", done.stdout, flags=re.MULTILINE) == failed
    assert "1 passed" in done.stdout or failed == ["test_one"]
    assert done.stdout.count("linted") == (0 if failed == ["test_one"] else 5)
