"""Figures, by matplotlib (the extra ``plot``): what is drawn is what ``ask`` and the tables say in words."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memnet.checkpoint import write_atomically
from memnet.config import ConfigError

if TYPE_CHECKING:
    from memnet.answer import Answer

FORMATS = (".png", ".svg", ".pdf")


def canvas(width: float, height: float) -> Any:
    """An empty figure of so many inches. Raises :class:`~memnet.config.ConfigError` without matplotlib."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ConfigError("figures need matplotlib: pip install 'memnet-qa[plot]'") from error
    return Figure(figsize=(width, height), layout="constrained")


def save(figure: Any, path: Path) -> None:
    """Write a figure, whole or not at all, in the format that its name says. Raises :class:`~memnet.config.ConfigError`."""
    if path.suffix not in FORMATS:
        raise ConfigError(f"{path}: a figure's name ends in {', '.join(FORMATS)}")
    from matplotlib import rc_context

    drawn, undated = io.BytesIO(), {".png": None, ".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
    with rc_context({"svg.hashsalt": "memnet"}):  # the same figure is the same bytes
        figure.savefig(drawn, format=path.suffix[1:], dpi=120, metadata=undated[path.suffix])
    write_atomically(path, drawn.getvalue())


def plain(text: str) -> str:
    """Text without formulas: matplotlib takes what stands between dollars for one."""
    return text.replace("$", r"\$")


def attention_map(answer: Answer, question: str, facts: Sequence[int], expected: str | None = None) -> Any:
    """How much each hop (or pass) read each sentence; the supporting facts, places from 0, are marked.

    Statements that are beyond the network's memory are not drawn.
    """
    hops = len(answer.hops)
    if not hops:
        raise ConfigError("this network reads no sentences: it has no attention to draw")
    weights = {(hop, read.number - 1): read.weight for hop, reads in enumerate(answer.hops) for read in reads}
    rows = sorted({row for _, row in weights})
    table = [[weights.get((hop, row), 0.0) for hop in range(hops)] for row in rows]
    nothing = any(answer.nothing)
    if nothing:
        table.append(list(answer.nothing))
    sentence = {read.number - 1: read.sentence for read in answer.hops[0]}
    labels = [f"{row + 1} {plain(sentence[row])}{' *' if row in facts else ''}" for row in rows] + ["(nothing)"] * nothing
    told = f"{question} {answer.answer} ({answer.probability:.0%})" + ("" if expected is None else f", expected {expected}")
    title = "\n".join(textwrap.wrap(plain(told), 60))
    figure = canvas(4.5 + 0.5 * hops, 1.4 + 0.21 * len(table))
    axes = figure.add_subplot()
    image = axes.imshow(table, aspect="auto", cmap="Blues", vmin=0.0, vmax=max(1.0, *(max(row) for row in table)))
    axes.set_xticks(range(hops), [str(hop + 1) for hop in range(hops)])
    axes.set_yticks(range(len(labels)), labels, fontsize=8)
    axes.set_xlabel("hop")
    axes.set_title(title, fontsize=9)
    for mark, label in enumerate(axes.get_yticklabels()):
        label.set_fontweight("bold" if mark < len(rows) and rows[mark] in facts else "normal")
    for row, line in enumerate(table if len(table) <= 30 else ()):
        for hop, weight in enumerate(line):
            if weight >= 0.005:
                color = "white" if weight > 0.5 else "black"
                axes.text(hop, row, f"{weight:.2f}", ha="center", va="center", fontsize=7, color=color)
    figure.colorbar(image, ax=axes, shrink=0.6, label="weight")
    return figure
