"""Figures, by matplotlib (the extra ``plot``): what is drawn is what ``ask`` and the tables say in words."""

from __future__ import annotations

import io
import textwrap
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memnet.errors import ConfigError
from memnet.files import write_atomically
from memnet.tasks.text import visible

if TYPE_CHECKING:
    from memnet.ask.answer import Answer

FORMATS = (".png", ".svg", ".pdf")
MARKS = "osD^vPX*"


def canvas(width: float, height: float) -> Any:
    """An empty figure of so many inches. Raises :class:`~memnet.config.ConfigError` without matplotlib."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ConfigError("figures need matplotlib: pip install matplotlib") from error
    return Figure(figsize=(width, height), layout="constrained")


def save(figure: Any, path: Path) -> None:
    """Write a figure, whole or not at all, in the format that its name says. Raises :class:`~memnet.config.ConfigError`."""
    if path.suffix.lower() not in FORMATS:
        raise ConfigError(f"{path}: a figure's name ends in {', '.join(FORMATS)}")
    if not path.parent.is_dir():
        raise ConfigError(f"{path}: there is no folder {path.parent}")
    from matplotlib import rc_context

    drawn, undated = io.BytesIO(), {".png": None, ".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
    with rc_context({"svg.hashsalt": "memnet"}), warnings.catch_warnings(action="ignore"):  # the same bytes; letters it lacks
        figure.savefig(drawn, format=path.suffix[1:].lower(), dpi=120, metadata=undated[path.suffix.lower()])
    write_atomically(path, drawn.getvalue())


def plain(text: str) -> str:
    """Text without control characters, and without formulas: matplotlib takes what stands between dollars for one."""
    return visible(text).replace("$", r"\$")


def attention_map(answer: Answer, question: str, facts: Sequence[int], expected: str | None = None) -> Any:
    """How much each hop, pass, or head of a layer read each sentence; the supporting facts, places from 0, are marked.

    Statements that are beyond the network's memory are not drawn.
    """
    if not answer.hops:
        raise ConfigError("this network reads no sentences: it has no attention to draw")
    weights = {(hop, read.number - 1): read.weight for hop, reads in enumerate(answer.hops) for read in reads}
    rows = sorted({row for _, row in weights})
    if answer.head_weights:
        names = [f"{layer}.{head}" for layer, heads in enumerate(answer.head_weights, 1) for head in range(1, len(heads) + 1)]
        table = [[head[row - answer.truncated] for heads in answer.head_weights for head in heads] for row in rows]
    else:
        names = [str(hop) for hop in range(1, len(answer.hops) + 1)]
        table = [[weights.get((hop, row), 0.0) for hop in range(len(names))] for row in rows]
    hops = len(names)
    null_weights = (
        [weight for heads in answer.head_null_weights for weight in heads] if answer.head_weights else list(answer.null_weights)
    )
    reads_nothing = any(null_weights)
    if reads_nothing:
        table.append(null_weights)
    sentence = {read.number - 1: read.sentence for read in answer.hops[0]}
    labels = [f"{row + 1} {plain(sentence[row])}{' *' if row in facts else ''}" for row in rows] + [
        answer.null_label
    ] * reads_nothing
    reply = f"{answer.answer} ({answer.probability:.0%})" if answer.answerable else "no evidence"
    caption = f"{question} {reply}" + ("" if expected is None else f", expected {expected}")
    title = "\n".join(textwrap.wrap(plain(caption), 60))
    figure = canvas(4.5 + 0.5 * hops, 1.4 + 0.21 * len(table))
    axes = figure.add_subplot()
    image = axes.imshow(table, aspect="auto", cmap="Blues", vmin=0.0, vmax=max(1.0, *(max(row) for row in table)))
    axes.set_xticks(range(hops), names, fontsize=8 if answer.head_weights else None)
    axes.set_yticks(range(len(labels)), labels, fontsize=8)
    axes.set_xlabel("layer.head, the last reading the answer's" if answer.head_weights else "hop")
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


def errors_by_task(errors: Mapping[str, Mapping[int, float]]) -> Any:
    """Test error per task, ``errors`` by model and task: one mark a model in a row a task."""
    tasks = sorted({task for found in errors.values() for task in found})
    figure = canvas(8, 0.5 + 0.3 * len(tasks))
    axes = figure.add_subplot()
    for place, (model, found) in enumerate(errors.items()):
        shift = 0.6 * ((place + 0.5) / len(errors) - 0.5)
        axes.scatter(
            [found[task] for task in found],
            [tasks.index(task) + shift for task in found],
            s=22,
            label=model,
            marker=MARKS[place % 8],
        )
    axes.axvline(5, color="grey", linewidth=0.8, linestyle=":")
    axes.set_yticks(range(len(tasks)), [f"task {task}" for task in tasks])
    axes.invert_yaxis()
    axes.set_xlabel("test error, %; dotted: 5 %, above which a task fails")
    axes.grid(axis="x", alpha=0.3)
    axes.legend(fontsize=8)
    return figure


def restarts(errors: Mapping[str, Mapping[int, tuple[list[float], float]]]) -> Any:
    """Spread over restarts: by model and task all restarts' test errors and the chosen one's."""
    figure = canvas(8, 0.4 + 2.0 * len(errors))
    for place, (model, found) in enumerate(errors.items(), 1):
        axes = figure.add_subplot(len(errors), 1, place)
        tasks = sorted(found)
        for task in tasks:
            every, chosen = found[task]
            axes.scatter([task] * len(every), every, s=14, color="tab:blue", alpha=0.5)
            axes.scatter([task], [chosen], s=40, facecolors="none", edgecolors="black")
        axes.set_title(f"{model}: every restart, the chosen one ringed", fontsize=9)
        axes.set_xticks(tasks)
        axes.set_ylabel("test error, %")
        axes.grid(axis="y", alpha=0.3)
    axes.set_xlabel("task")
    return figure


def lines_of(lines: Mapping[str, Sequence[tuple[float, float]]], x: str, y: str, log: bool = False) -> Any:
    """Lines of points (x, y) by name."""
    figure = canvas(7, 4.2)
    axes = figure.add_subplot()
    for place, (name, points) in enumerate(lines.items()):
        axes.plot(*zip(*sorted(points), strict=True), marker=MARKS[place % 8], markersize=4, label=plain(name))
    if log:
        axes.set_xscale("log")
    axes.set_ylim(bottom=0)
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8)
    return figure
