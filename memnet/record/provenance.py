"""What a result depends on besides its settings: code, versions, the machine."""

from __future__ import annotations

import ast
import csv
import hashlib
import platform
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

from memnet.errors import ConfigError
from memnet.files import write_atomically
from memnet.version import VERSION


def versions(device: str = "cpu") -> dict[str, str]:
    """Of what a result depends on."""
    import numpy
    import torch

    return {
        "memnet": VERSION,
        "python": platform.python_version(),
        "torch": torch.__version__,
        "numpy": numpy.__version__,
        "machine": machine() if device == "cpu" else f"{accelerator(device)}, {machine()}",
    }


@cache
def cpuinfo(name: str) -> str:
    """What the system says of the first processor under one of the names, nothing where it does not."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    return next((line.partition(":")[2].strip() for line in text.splitlines() if line.startswith(name)), "")


def processor() -> str:
    """The machine's kind of processor, as it names itself."""
    return cpuinfo("model name") or platform.processor() or platform.machine()


INSTRUCTIONS = ("avx", "avx2", "fma", "avx512f", "avx512_vnni", "avx512_bf16", "amx_tile", "asimd", "sve", "sve2")
APART = "; "  # between a processor's model and its instruction sets


def machine() -> str:
    """The processor's model, and those of its instruction sets that decide which kernels compute, and so how they round.

    Machines whose model has one name may differ in these, and then in the last bits of every result.
    """
    import torch

    flags = set((cpuinfo("flags") or cpuinfo("Features")).split())
    known = " ".join(name for name in INSTRUCTIONS if name in flags)
    return f"{processor()}{APART}{known or torch.backends.cpu.get_cpu_capability().lower()}"


DEVICES = ("auto", "cpu", "cuda", "mps")


def accelerator(device: str) -> str:
    """A device's kind, as it names itself where it does; Apple's is named by the processor that it is a part of."""
    import torch

    return torch.cuda.get_device_name(device) if device == "cuda" else device


def pick_device(name: str) -> str:
    """The device of that name; ``auto`` is cuda where there is one, else the cpu.

    Raises :class:`~memnet.errors.ConfigError` for another name and where there is no such device.
    """
    import torch

    if name not in DEVICES:
        raise ConfigError(f"device must be {', '.join(DEVICES[:-1])} or {DEVICES[-1]}, not {name!r}")
    there: dict[str, Callable[[], bool]] = {"cuda": torch.cuda.is_available, "mps": torch.backends.mps.is_available}
    if name == "auto":
        return "cuda" if there["cuda"]() else "cpu"
    if name in there and not there[name]():
        raise ConfigError(f"device {name} is asked for, but this torch sees none; use --device cpu")
    return name


LEARNING = (  # what decides what is learned
    "attention",
    *(f"composing/{name}.py" for name in ("answers", "examples", "lexicon", "network", "training")),
    "config",
    "encode",
    "models",
    "nn",
    *(
        f"training/{name}.py"
        for name in ("arrays", "asked", "dataset", "evaluate", "fused", "kernel", "loop", "optimizer", "objective")
    ),
    *(f"training/{name}.py" for name in ("result", "state", "stream")),
    "tasks/scores.py",
    *(
        f"tasks/text/{name}.py"
        for name in ("__init__", "canonical", "english", "evidence", "interchangeable", "phrases", "scripts")
    ),
)
ASKING = ("ask", "facts", "infer", "reading")  # with its networks, what decides an answer besides
REMEMBERING = (*ASKING, "memory")
PACKAGE = Path(__file__).parent.parent
CODES = "codes.csv"  # in results: hashes of code that is proved equal to recorded code
COLUMNS = ("code", "equals", "torch", "machine")


@cache
def code_hash() -> str:
    """Of the source that decides what is learned, so that a row can be held against the code that made it."""
    return hash_of(path.read_text(encoding="utf-8") for path in files_of(LEARNING))


def files_of(names: Iterable[str], ending: str = "*.py") -> Iterator[Path]:
    """The files of packages and modules, by their paths below the package; a checkout has ``tasks/`` beside ``memnet/``."""
    for name in names:
        path = PACKAGE / name if (PACKAGE / name).exists() else PACKAGE.parent / name
        yield from (one for one in path.rglob(ending) if one.is_file()) if path.is_dir() else [path]


@cache
def asking_hash(packages: tuple[str, ...]) -> str:
    """Of packages, such as :data:`ASKING`, and of the networks and word lists in them: what makes a measurement of answers."""
    sources, others = list[str](), list[str]()
    for path in files_of(packages, "*.*"):
        if path.suffix == ".py":
            sources.append(path.read_text(encoding="utf-8"))
        elif path.suffix not in (".md", ".pyc", ".nbi", ".nbc"):
            others.append(f"{path.name} {hashlib.sha256(path.read_bytes()).hexdigest()}")
    return hashlib.sha256("\n".join([hash_of(sources), *sorted(others)]).encode()).hexdigest()[:12]


def hash_of(sources: Iterable[str]) -> str:
    """Of the statements of modules, whatever the modules' names, the statements' order and the version of Python.

    Nothing counts that decides nothing: comments, docstrings, annotations, and which module of memnet's a name is imported
    from, so that a module may be renamed and a function moved. That a name is imported under another name does count.
    """
    statements = {shape(node) for source in sources for node in code_of(ast.parse(source).body)}
    return hashlib.sha256("\n".join(sorted(statements)).encode()).hexdigest()[:12]


def code_of(body: list[ast.stmt]) -> list[ast.stmt]:
    """Statements without the docstring, and without imports of memnet's modules but for the names that they give anew."""
    if body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
        body = body[1:]
    return [ast.Import(names) if names is not None else node for node in body if (names := renamed(node)) != []]


def renamed(node: ast.stmt) -> list[ast.alias] | None:
    """The imports under another name of a statement that imports from memnet; None for any other statement."""
    if isinstance(node, ast.ImportFrom):
        ours = node.level > 0 or (node.module or "").partition(".")[0] == "memnet"
        return [alias for alias in node.names if alias.asname] if ours else None
    if isinstance(node, ast.Import) and all(alias.name.partition(".")[0] == "memnet" for alias in node.names):
        return [alias for alias in node.names if alias.asname]
    return None


def shape(value: object) -> str:
    """A piece of a syntax tree as text: kinds, names and numbers."""
    if isinstance(value, ast.Constant):
        return repr(value.value)
    if isinstance(value, ast.AST):
        parts = {name: getattr(value, name, None) for name in value._fields if name not in ("annotation", "returns")}
        if isinstance(body := parts.get("body"), list):
            parts["body"] = code_of(body)
        if isinstance(value, ast.JoinedStr):  # Python 3.12 has empty texts within
            parts["values"] = [part for part in value.values if getattr(part, "value", None) != ""]
        told = (f"{name}={shape(part)}" for name, part in parts.items() if part not in (None, []))
        return f"{type(value).__name__}({', '.join(told)})"
    return f"[{', '.join(map(shape, value))}]" if isinstance(value, list) else repr(value)


def codes_file() -> Path:
    """The hashes that are declared equal: of a checkout, or the copy that the package brings."""
    return next((path for root in (PACKAGE, PACKAGE.parent) if (path := root / "results" / CODES).is_file()), Path(CODES))


@cache
def equal_codes() -> dict[str, str]:
    """The recorded code that each declared hash equals."""
    if not codes_file().is_file():
        return {}
    with open(codes_file(), encoding="utf-8", newline="") as file:
        return {row["code"]: row["equals"] for row in csv.DictReader(file)}


def code_name(code: str | None = None) -> str:
    """The name of a code on record, by default of today's: that of recorded code which it equals, else its own hash."""
    code = code_hash() if code is None else code
    return equal_codes().get(code, code)


def declare_equal(recorded: str) -> None:
    """Add today's code to those that equal code on record; :mod:`memnet.training.golden` proves it first."""
    import torch

    path = codes_file()
    lines = path.read_text(encoding="utf-8") if path.is_file() else ",".join(COLUMNS) + "\n"
    write_atomically(path, f"{lines}{code_hash()},{recorded},{torch.__version__},{machine()}\n")
    equal_codes.cache_clear()
