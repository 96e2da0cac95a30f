"""Install memnet in new environments, outside the checkout, and try it there.

``python scripts/try_install.py wheel sdist`` installs what is built with the pinned versions of constraints.txt, by pip.
``python scripts/try_install.py oldest newest`` installs the wheel with the oldest or the newest versions that pyproject.toml
allows and that have wheels, by uv (https://docs.astral.sh/uv), for every Python that is named by ``--python``; each takes
several GB for as long as it is tried where PyTorch's default build is the one for GPUs. With ``--extras`` the extras that
people run are installed too, and tried. A line a trial that fails, a line an environment; exits with 1 where a trial failed.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urljoin
from urllib.request import Request, urlopen

ROOT = Path(__file__).resolve().parent.parent
ALWAYS = ("train",)  # what is tried trains
EXTRAS = ("dask", "demo", "parquet", "plot", "ray", "tensorboard")  # the others are for work on memnet itself
ENDS = {"oldest": "lowest-direct", "newest": "highest"}  # as uv calls them
BUILDS = ("wheel", "sdist")
SECONDS = 900  # of one process, at most
STORY = "Alice put the laptop in the lab.\nBob took the laptop.\nBob ran into the attic.\n"
KNOWN = "Mary went to the kitchen.\nJohn went to the garden.\nMary went to the office.\n"  # in words of every network
FILES = {
    "story.txt": STORY,
    "pairs.csv": "question,answer\nHow do I log in?,With a key.\nWho pays?,Nobody.\n",
    "facts.csv": "who,place\n"
    + "".join(f"{who},{place}\n" for who in ("Ann", "Bo", "Cy") for place in ("lab", "attic", "hall", "shed")),
}
MODELS = ("memn2n", "memnn", "dmn", "transformer", "causal", "lstm")
SIMULATED = ("--restarts", "2", "--set", "epochs=1")


class Trial(NamedTuple):
    """A command of memnet and what it must print."""

    arguments: Sequence[str]
    prints: str  # a regular expression
    stdin: str = ""


def memnet(*arguments: str, prints: str, stdin: str = "") -> Trial:
    """A trial of a command."""
    return Trial(arguments, prints, stdin)


DEFAULT = (
    memnet("train", "--help", prints="--device"),
    memnet("ask", "--story", "story.txt", "--question", "Where is the laptop?", prints="^attic "),
    *(memnet("ask", name, "--question", "Where is Mary?", prints="^office ", stdin=KNOWN) for name in MODELS[:2]),
    memnet("ask", "dmn-plus", prints="^office ", stdin=KNOWN + "Where is Mary?\n"),
    memnet("faq", "pairs.csv", "--question", "how to log in", prints="With a key"),
    *(memnet("train", "qa1", "--model", name, *SIMULATED, "--out", f"runs/{name}", prints="kept in runs/") for name in MODELS),
    memnet("train", "qa1", "--model", "baseline", *SIMULATED[:2], "--out", "runs/baseline", prints="kept in runs/"),
    memnet("eval", "runs/memn2n", prints="qa1"),
    memnet("ask", "runs/memn2n", "--question", "Where is Mary?", prints=r"\(\d+%", stdin=KNOWN),
    memnet("sweep", "qa1", "qa2", *SIMULATED, "--preset", "bow", "--jobs", "2", prints=r"\[2/2 done"),
    memnet("table", "memn2n-1k", prints=r"^\| qa20 "),
    memnet("presets", prints="pe-ls-rn"),
    memnet("reproduce", "--list", prints=r"memn2n-1k +20 run\(s\), all on record"),
    memnet("settings", "memn2n", prints="hops"),
    memnet("data", "show", "sim/qa1", prints="Where is "),
    memnet("data", "make", "facts.csv", "--out", "made", "--statement", "{who} ran to the {place}.",
           "--question", "Where is {who}?", "--answer", "{place}", prints="made"),
)  # fmt: skip
WITH_EXTRAS = (
    memnet("data", "export", "sim/qa1", "--out", "parquet", prints="parquet"),
    memnet("plot", "results", "figures", prints="figures"),
    memnet("plot", "attention", "runs/memn2n", "attention.png", prints="attention.png"),
    memnet("plot", "curves", "runs/memn2n", "--out", "curves.png", prints="curves.png"),
    memnet("plot", "tensorboard", "runs/memn2n", "--out", "board", prints="board"),
)


class Environment(NamedTuple):
    """A new virtual environment with memnet in it, and an empty folder to try it in."""

    python: Path
    folder: Path

    def run(self, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        """Python with arguments, in the folder."""
        return subprocess.run(
            [str(self.python), *arguments],
            input=stdin,
            capture_output=True,
            text=True,
            cwd=self.folder,
            env=bare_environment(),
            timeout=SECONDS,
        )

    def versions(self) -> dict[str, str]:
        """Of Python and of what pyproject.toml names."""
        asked = "import json, platform; from importlib.metadata import distributions as every; print(json.dumps({'python': "
        asked += (
            "platform.python_version()} | {one.metadata['Name'].lower().replace('_', '-'): one.version for one in every()}))"
        )
        there: dict[str, str] = json.loads(self.run("-c", asked).stdout)
        return {name: there[name] for name in ("python", *named_packages()) if name in there}


def bare_environment() -> dict[str, str]:
    """This process's environment without what would let a trial see the checkout or the published text."""
    hidden = ("PYTHONPATH", "MEMNET_DATA", "VIRTUAL_ENV")
    return {name: value for name, value in os.environ.items() if name not in hidden} | {"COLUMNS": "200"}


def named_packages() -> list[str]:
    """The packages that pyproject.toml asks for to run memnet, with its extras."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = project["dependencies"] + [one for extra in (*ALWAYS, *EXTRAS) for one in project["optional-dependencies"][extra]]
    return [re.split(r"[<>=!~\[; ]", one)[0].lower().replace("_", "-") for one in asked]


def call(*command: str | Path) -> None:
    """Run a command that has to work. Raises ``RuntimeError`` with what it said."""
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, env=bare_environment())
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))}:\n{done.stderr[-3000:] or done.stdout[-3000:]}")


def build(kind: str, folder: Path) -> Path:
    """A wheel or an sdist of the files that git knows, as they are in the checkout."""
    source = folder / "source"
    if not source.exists():
        listed = subprocess.run(["git", "-C", str(ROOT), "ls-files", "-z"], capture_output=True, check=True).stdout
        for name in listed.decode().rstrip("\0").split("\0"):
            if (ROOT / name).is_file():
                (source / name).parent.mkdir(parents=True, exist_ok=True)
                (source / name).write_bytes((ROOT / name).read_bytes())
    call(sys.executable, "-m", "build", "-q", f"--{kind}", "--outdir", folder, source)
    [built] = folder.glob("*.whl" if kind == "wheel" else "*.tar.gz")
    return built


def install_pinned(built: Path, folder: Path, extras: Sequence[str]) -> Environment:
    """What is built, with the versions of constraints.txt, as the README installs them."""
    call(sys.executable, "-m", "venv", folder / "venv")
    made = Environment(folder / "venv" / "bin" / "python", folder / "empty")
    call(made.python, "-m", "pip", "install", "-q", "-c", ROOT / "constraints.txt", with_extras(built, extras))
    return made


def install_end(built: Path, folder: Path, extras: Sequence[str], end: str, python: str) -> Environment:
    """What is built, with the oldest or the newest versions that it allows and that have wheels for a Python."""
    uv = [sys.executable, "-m", "uv"]
    call(*uv, "venv", "-q", "--python", python, "--no-python-downloads", folder / "venv")
    made = Environment(folder / "venv" / "bin" / "python", folder / "empty")
    install = (*uv, "pip", "install", "-q", "--python", made.python)
    call(*install, "--resolution", ENDS[end], "--only-binary", ":all:", *requirements(extras))
    call(*install, "--no-deps", built)
    return made


def requirements(extras: Sequence[str]) -> list[str]:
    """What memnet and these extras need, each with its lower bound."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return [*project["dependencies"], *(one for extra in extras for one in project["optional-dependencies"][extra])]


def with_extras(built: Path, extras: Sequence[str]) -> str:
    """The requirement that installs a file with extras."""
    return f"memnet-qa[{','.join(extras)}] @ {built.as_uri()}" if extras else f"memnet-qa @ {built.as_uri()}"


def failures(environment: Environment, extras: Sequence[str]) -> Iterator[str]:
    """Try everything; what fails, a text each."""
    environment.folder.mkdir()
    for name, content in FILES.items():
        (environment.folder / name).write_text(content, encoding="utf-8")
    where = environment.run("-c", "import memnet; print(memnet.__file__)").stdout
    if str(environment.python.parent.parent) not in where:
        yield f"memnet is imported from {where}"
    for arguments, prints in (
        (("--help",), "Usage: "),
        (("ask", "--story", "story.txt", "--question", "Where is Bob?"), "^attic "),
    ):
        done = environment.run("-m", "memnet", *arguments)
        if done.returncode or not re.search(prints, done.stdout, re.MULTILINE):
            yield f"{' '.join(arguments)}: exit {done.returncode}\n{(done.stdout + done.stderr)[-1500:]}"
    trials = (*DEFAULT, *(WITH_EXTRAS if "plot" in extras else ()))
    done = environment.run("-c", IN_ONE_PROCESS, stdin=json.dumps(trials))
    yield from done.stdout.split("\0")[:-1]
    if done.returncode:
        yield done.stderr[-1500:]
    if "demo" in extras:
        yield from page_failures(environment)
    for backend in ("dask", "ray"):
        if backend in extras:
            done = environment.run("-c", CLUSTERS[backend])
            if done.returncode or "[2/2 done" not in done.stdout:
                yield f"a sweep on {backend}: exit {done.returncode}\n{(done.stdout + done.stderr)[-1500:]}"


IN_ONE_PROCESS = """
import json, re, sys, traceback
from typer.testing import CliRunner
from memnet.cli import app
for arguments, prints, stdin in json.load(sys.stdin):
    done = CliRunner().invoke(app, arguments, stdin)
    if done.exit_code or not re.search(prints, done.output, re.MULTILINE):
        error = "".join(traceback.format_exception(*done.exc_info)) if done.exit_code else ""
        print(" ".join(arguments), ": exit ", done.exit_code, chr(10), (done.output + error)[-1500:], sep="", end=chr(0))
"""  # imports PyTorch once, not in every command
SWEEP = (
    "import subprocess, sys; sys.exit(subprocess.call([sys.executable, '-m', 'memnet', 'sweep', 'qa1', 'qa2', "
    f"*{SIMULATED!r}, '--preset', 'bow', "
    "'--results', '{0}.csv', '--work', '{0}', '--backend', '{0}', '--address', address]))"
)
CLUSTERS = {
    "dask": "from distributed import LocalCluster\nif __name__ == '__main__':\n"
    " with LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as cluster:\n"
    "  address = cluster.scheduler_address\n  " + SWEEP.format("dask"),
    "ray": "import ray\nray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)\n"
    "address = ray.get_runtime_context().gcs_address\n" + SWEEP.format("ray"),
}


def page_failures(environment: Environment) -> Iterator[str]:
    """Serve the page; fetch it, the files that it names, and an answer of its endpoint."""
    command = [str(environment.python), "-u", "-m", "memnet", "serve", "--port", "0"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=environment.folder, env=bare_environment())
    try:
        assert server.stdout is not None
        found = re.search(r"http://\S+", server.stdout.readline())
        if found is None:
            yield "serve: no address"
            return
        page = fetch(found[0]).decode()
        named = re.findall(r'(?:src|href)="(\./[^"]+|/[^"/][^"]*|assets/[^"]+)"', page)
        if not named:
            yield "serve: the page names no files"
        for name in sorted(set(named)):
            if not fetch(urljoin(found[0], name)):
                yield f"serve: {name} is empty"
        body = json.dumps({"story": STORY, "question": "Where is the laptop?"}).encode()
        answer = fetch(Request(urljoin(found[0], "api/ask"), body, {"content-type": "application/json"}))
        if json.loads(answer).get("answer") != "attic":
            yield f"serve: {answer.decode()}"
    except (OSError, ValueError) as error:
        yield f"serve: {type(error).__name__}: {error}"
    finally:
        server.terminate()
        server.wait(timeout=30)


def fetch(address: str | Request) -> bytes:
    """What is at an address. Raises OSError."""
    with urlopen(address, timeout=60) as answer:
        content: bytes = answer.read()
    return content


def describe(versions: Mapping[str, str]) -> str:
    """As words."""
    return ", ".join(f"{name} {version}" for name, version in versions.items())


def main() -> None:
    """See the top of the file."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("kinds", nargs="+", choices=(*BUILDS, *ENDS))
    parser.add_argument("--python", action="append", help="a version such as 3.12; may be repeated; by default this one")
    parser.add_argument("--extras", action="store_true", help=f"install {', '.join(EXTRAS)} too")
    chosen = parser.parse_args()
    failed = False
    for kind in chosen.kinds:
        this = f"{sys.version_info.major}.{sys.version_info.minor}"
        for python in (chosen.python or [this]) if kind in ENDS else [this]:
            with tempfile.TemporaryDirectory(prefix="memnet-") as name:
                failed |= not tried(kind, python, (*ALWAYS, *EXTRAS) if chosen.extras else ALWAYS, Path(name))
    sys.exit(failed)


def tried(kind: str, python: str, extras: Sequence[str], folder: Path) -> bool:
    """Install one environment in a folder and try it; whether all went well."""
    started = time.monotonic()
    built = build(kind if kind in BUILDS else "wheel", folder)
    environment = install_pinned(built, folder, extras) if kind in BUILDS else install_end(built, folder, extras, kind, python)
    number = 0
    for failure in failures(environment, extras):
        number += 1
        print(f"FAILED {failure}", flush=True)
    seconds = time.monotonic() - started
    print(f"{kind}, {describe(environment.versions())}: {number} failed, {seconds:.0f} s", flush=True)
    return number == 0


if __name__ == "__main__":
    main()
