"""The Dockerfile: built where there is docker, and read line by line everywhere."""

import json
import re
import shlex
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from tests.conftest import ran

ROOT = Path(__file__).parent.parent
FILE = ROOT / "Dockerfile"
OF_DEBIAN = ("pip", "rm", "useradd", "install", "memnet", "python")  # commands that python:slim has, and what pip installs


def instructions() -> list[tuple[str, str]]:
    """The instructions, each with what stands behind it; lines that go on are one."""
    lines = FILE.read_text(encoding="utf-8").replace("\\\n", " ").splitlines()
    return [tuple(line.split(" ", 1)) for line in lines if line.strip() and not line.startswith("#")]  # type: ignore[misc]


def commands() -> list[list[str]]:
    """The words of every command that is run."""
    found = []
    for name, rest in instructions():
        if name == "RUN":
            found += [shlex.split(each) for each in rest.split("&&")]
        if name in ("ENTRYPOINT", "HEALTHCHECK"):
            found.append(json.loads(rest.removeprefix("CMD ")))
    return found


def test_every_instruction_is_one():
    known = ["FROM", "COPY", "RUN", "USER", "WORKDIR", "VOLUME", "EXPOSE", "HEALTHCHECK", "ENTRYPOINT"]
    assert {name for name, _ in instructions()} <= {*known}
    assert instructions()[0][0] == "FROM"
    assert instructions()[-1][0] == "ENTRYPOINT"


def test_every_command_exists():
    assert {words[0] for words in commands()} == {*OF_DEBIAN}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert "memnet" in project["scripts"]
    [[*_, wanted]] = [[word for word in words if word.startswith("/src")] for words in commands() if words[0] == "pip"]
    assert re.fullmatch(r"/src\[(\w+)\]", wanted)[1] in project["optional-dependencies"]  # type: ignore[index]


def test_what_is_copied_and_used_is_there():
    copied = dict(rest.split() for name, rest in instructions() if name == "COPY")
    assert copied == {".": "/src"}
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    for path in re.findall(r"/src/([\w./]+)", FILE.read_text(encoding="utf-8")):
        assert (ROOT / path).exists(), path
        assert path not in ignored
    assert not {"memnet", "tasks", "results", "pyproject.toml", "README.md", "LICENSE"} & {*ignored}


def test_the_python_is_one_that_is_supported():
    version = re.fullmatch(r"python:(3\.\d+)-slim", dict(instructions())["FROM"])[1]  # type: ignore[index]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    least = project["requires-python"].removeprefix(">=")
    assert tuple(map(int, version.split("."))) >= tuple(map(int, least.split(".")))


def test_the_server_is_called_as_it_may_be():
    pytest.importorskip("gradio", reason="the page needs gradio")
    from memnet.serve.gate import HEALTH

    [serve] = [words for words in commands() if words[0] == "memnet"]
    usage = ran("serve", "--help").stdout
    assert serve[1] == "serve"
    assert all(option in usage for option in serve if option.startswith("--"))
    port, health = dict(instructions())["EXPOSE"], dict(instructions())["HEALTHCHECK"]
    assert f"default: {port}" in usage
    assert f"127.0.0.1:{port}{HEALTH}'" in health
    user, folder = dict(instructions())["USER"], dict(instructions())["VOLUME"]
    assert [*serve[-2:]] == ["--memories", folder]
    assert ["install", "-d", "-o", user, folder] in commands()
    assert ["useradd", "--create-home", user] in commands()


@pytest.mark.slow
def test_the_image_answers():
    docker = shutil.which("docker")
    if docker is None or subprocess.run([docker, "info"], capture_output=True).returncode:
        pytest.skip("the image is built where a docker daemon runs")
    subprocess.run([docker, "build", "-t", "memnet-test", ROOT], check=True)
    asks = "import memnet; print(memnet.load().ask(['Mary went to the kitchen.'], 'Where is Mary?').answer)"
    done = subprocess.run(
        [docker, "run", "--rm", "--entrypoint", "python", "memnet-test", "-c", asks], capture_output=True, text=True, check=True
    )
    assert done.stdout == "kitchen\n"
