"""Drawing by matplotlib (the extra ``plot``): an empty figure, lines of points, and files that are written whole."""

from __future__ import annotations

import io
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from memnet.errors import ConfigError, extra_needed
from memnet.files import write_atomically
from memnet.markdown import in_order
from memnet.tasks.text import visible

FORMATS = (".png", ".svg", ".pdf")
MARKS = "osD^vPX*"
MOST_MARKS = 200  # points of a line that are marked; of more the line alone is drawn


def canvas(width: float, height: float) -> Any:
    """An empty figure of so many inches. Raises :class:`~memnet.errors.ConfigError` without matplotlib."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ConfigError(extra_needed("a figure", "matplotlib", "plot")) from error
    return Figure(figsize=(width, height), layout="constrained")


def lines_of(lines: Mapping[str, Sequence[tuple[float, float]]], x: str, y: str, log: bool = False) -> Any:
    """Lines of points (x, y) by name."""
    figure = canvas(7, 4.2)
    axes = figure.add_subplot()
    for place, (name, points) in enumerate(lines.items()):
        mark, width = (MARKS[place % 8], 1.5) if len(points) <= MOST_MARKS else ("", 0.7)
        axes.plot(*zip(*sorted(points), strict=True), marker=mark, markersize=4, linewidth=width, label=plain(name))
    if log:
        axes.set_xscale("log")
    axes.set_ylim(bottom=0)
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8)
    return figure


def bars_of(groups: Mapping[str, Mapping[str, float]], y: str) -> Any:
    """Bars by group and name: the names beside each other, one bar of each group at a name that the group has."""
    figure, names = canvas(8, 4), list(dict.fromkeys(name for group in groups.values() for name in group))
    axes = figure.add_subplot()
    for place, (head, group) in enumerate(groups.items()):
        shift = 0.8 * ((place + 0.5) / len(groups) - 0.5)
        axes.bar([names.index(name) + shift for name in group], list(group.values()), 0.8 / len(groups), label=plain(head))
    axes.set_xticks(range(len(names)), [plain(name).replace(" ", "\n") for name in names], fontsize=8)
    axes.set_ylabel(y)
    axes.grid(axis="y", alpha=0.3)
    axes.legend(fontsize=8)
    return figure


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


def number(task: str) -> int:
    """Of a task, as its name has it."""
    return int("".join(filter(str.isdigit, task)))


def errors_by_task(errors: Mapping[str, Mapping[str, float]]) -> Any:
    """Test error per task, ``errors`` by model and task: one mark a model in a row a task."""
    tasks = in_order(task for found in errors.values() for task in found)
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
    axes.set_yticks(range(len(tasks)), [f"task {number(task)}" for task in tasks])
    axes.invert_yaxis()
    axes.set_xlabel("test error, %; dotted: 5 %, above which a task fails")
    axes.grid(axis="x", alpha=0.3)
    axes.legend(fontsize=8)
    return figure


def restarts(errors: Mapping[str, Mapping[str, tuple[list[float], float]]]) -> Any:
    """Spread over restarts: by model and task all restarts' test errors and the chosen one's."""
    figure = canvas(8, 0.4 + 2.0 * len(errors))
    for row, (model, found) in enumerate(errors.items(), 1):
        axes = figure.add_subplot(len(errors), 1, row)
        places = {number(task): found[task] for task in in_order(found)}
        for place, (every, chosen) in places.items():
            axes.scatter([place] * len(every), every, s=14, color="tab:blue", alpha=0.5)
            axes.scatter([place], [chosen], s=40, facecolors="none", edgecolors="black")
        axes.set_title(f"{model}: every restart, the chosen one ringed", fontsize=9)
        axes.set_xticks(list(places))
        axes.set_ylabel("test error, %")
        axes.grid(axis="y", alpha=0.3)
    axes.set_xlabel("task")
    return figure
