"""What a result depends on besides its settings: code, versions, the machine."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Callable
from functools import cache
from pathlib import Path

import torch

from memnet.errors import ConfigError
from memnet.version import VERSION


def versions(device: str = "cpu") -> dict[str, str]:
    """Of what a result depends on."""
    import numpy

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
    flags = set((cpuinfo("flags") or cpuinfo("Features")).split())
    known = " ".join(name for name in INSTRUCTIONS if name in flags)
    return f"{processor()}{APART}{known or torch.backends.cpu.get_cpu_capability().lower()}"


DEVICES = ("auto", "cpu", "cuda", "mps")


def accelerator(device: str) -> str:
    """A device's kind, as it names itself where it does; Apple's is named by the processor that it is a part of."""
    return torch.cuda.get_device_name(device) if device == "cuda" else device


def pick_device(name: str) -> str:
    """The device of that name; ``auto`` is cuda where there is one, else the cpu.

    Raises :class:`~memnet.errors.ConfigError` for another name and where there is no such device.
    """
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
    "data",
    "models",
    "nn",
    *(f"training/{name}.py" for name in ("dataset", "evaluate", "loop", "optimizer", "permuted", "result", "state", "stream")),
    *(f"tasks/text/{name}.py" for name in ("__init__", "canonical", "evidence", "interchangeable", "phrases")),
)


@cache
def code_hash() -> str:
    """Of the source that decides what is learned, so that a row can be held against the code that made it."""
    root = Path(__file__).parent.parent
    digest = hashlib.sha256()
    for name in LEARNING:
        path = root / name
        if not path.exists():  # a checkout has tasks/ beside memnet/
            path = root.parent / name
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            digest.update(file.read_bytes())
    return digest.hexdigest()[:12]
