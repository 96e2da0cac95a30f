"""Drawing by matplotlib (the extra ``plot``): an empty figure, and files that are written whole."""

from __future__ import annotations

import io
import warnings
from pathlib import Path
from typing import Any

from memnet.errors import ConfigError, extra_needed
from memnet.files import write_atomically
from memnet.tasks.text import visible

FORMATS = (".png", ".svg", ".pdf")


def canvas(width: float, height: float) -> Any:
    """An empty figure of so many inches. Raises :class:`~memnet.errors.ConfigError` without matplotlib."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ConfigError(extra_needed("a figure", "matplotlib", "plot")) from error
    return Figure(figsize=(width, height), layout="constrained")


def save(figure: Any, path: Path) -> None:
    """Write a figure, whole or not at all, in the format that its name says. Raises :class:`~memnet.errors.ConfigError`."""
    if path.suffix.lower() not in FORMATS:
        raise ConfigError(f"{path}: a figure's name ends in {', '.join(FORMATS)}")
    if not path.parent.is_dir():
        raise ConfigError(f"{path}: there is no folder {path.parent}")
    write_atomically(path, image(figure, path.suffix.lower()))


def image(figure: Any, suffix: str, as_text: bool = False) -> bytes:
    """A figure in one of the :data:`FORMATS`; ``as_text`` leaves the letters of an SVG to whoever shows it."""
    from matplotlib import rc_context

    drawn, undated = io.BytesIO(), {".png": None, ".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
    with (
        rc_context({"svg.hashsalt": "memnet", "svg.fonttype": "none" if as_text else "path"}),  # the same bytes each time
        warnings.catch_warnings(action="ignore"),  # letters that the font lacks
    ):
        figure.savefig(drawn, format=suffix[1:], dpi=120, metadata=undated[suffix])
    return drawn.getvalue()


def plain(text: str) -> str:
    """Text without control characters, and without formulas: matplotlib takes what stands between dollars for one."""
    return visible(text).replace("$", r"\$")
