"""What a result depends on besides its settings: code, versions, the machine."""

from __future__ import annotations

import hashlib
import platform
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
        "machine": processor() if device == "cpu" else f"{torch.cuda.get_device_name(device)}, {processor()}",
    }


@cache
def processor() -> str:
    """The machine's kind of processor, as it names itself."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        text = ""
    named = [line.partition(":")[2].strip() for line in text.splitlines() if line.startswith("model name")]
    return named[0] if named else platform.processor() or platform.machine()


def pick_device(name: str) -> str:
    """``auto`` is cuda where there is one. Raises :class:`~memnet.errors.ConfigError`."""
    if name not in ("auto", "cpu", "cuda"):
        raise ConfigError(f"device must be auto, cpu or cuda, not {name!r}")
    if name == "cuda" and not torch.cuda.is_available():
        raise ConfigError("device cuda is asked for, but this torch sees none; use --device cpu")
    return "cuda" if name != "cpu" and torch.cuda.is_available() else "cpu"


LEARNING = (  # what decides what is learned
    "attention",
    "data",
    "models",
    "nn",
    *(f"training/{name}.py" for name in ("dataset", "evaluate", "loop", "optimizer", "permuted", "result", "state")),
    *(f"tasks/{name}.py" for name in ("evidence", "interchangeable", "text")),
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
