"""Drawing by matplotlib (the extra ``plot``): an empty figure, lines of points, and files that are written whole."""

from __future__ import annotations

import io
import textwrap
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
TRAINING, VALIDATION = ", training", ", validation"  # ends of the names of two lines of one network
MARKED = 40  # points of a line that are marked at most; of more the line alone is drawn


def canvas(width: float, height: float) -> Any:
    """An empty figure of so many inches. Raises :class:`~memnet.errors.ConfigError` without matplotlib."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ConfigError(extra_needed("a figure", "matplotlib", "plot")) from error
    return Figure(figsize=(width, height), layout="constrained")


def lines_of(lines: Mapping[str, Sequence[tuple[float, float]]], x: str, y: str, log: bool = False) -> Any:
    """Lines of points (x, y) by name: of "MemN2N" and "MemN2N, validation" the second is dashed, in the colour of the first."""
    figure = canvas(9, 4.2)
    axes = figure.add_subplot()
    first = {name: base if (base := name.partition(", ")[0]) in lines or VALIDATION in name else name for name in lines}
    first = {name: base.removesuffix(TRAINING) for name, base in first.items()}
    places = list(dict.fromkeys(first.values()))
    for name, points in lines.items():
        place, is_other = places.index(first[name]), first[name] != name.removesuffix(TRAINING)
        style = {"color": f"C{place}", "linestyle": "--" if is_other else "-"}
        mark, width = (MARKS[place % 8], 1.5) if len(points) <= MARKED else ("", 0.9)
        axes.plot(*zip(*sorted(points), strict=True), marker=mark, markersize=4, linewidth=width, label=plain(name), **style)
    if log:
        axes.set_xscale("log")
    axes.set_ylim(bottom=0)
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8, loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)
    return figure


def shares_of(rows: Mapping[str, Sequence[float]], parts: Sequence[str], x: str) -> Any:
    """Stacked bars, one a name, of the percents of its parts, the first of which is written in its bar."""
    figure = canvas(8, 0.9 + 0.32 * len(rows))
    axes = figure.add_subplot()
    names, before = [plain(name) for name in rows], [0.0] * len(rows)
    for place, part in enumerate(parts):
        widths = [found[place] for found in rows.values()]
        drawn = axes.barh(names, widths, left=before, label=part, color=("#2563eb", "#b8bcc4", "#d9480f")[place % 3])
        before = [at + width for at, width in zip(before, widths, strict=True)]
        if place == 0:
            said = [f"{width:.0f}" if width > 5 else "" for width in widths]
            axes.bar_label(drawn, said, label_type="center", fontsize=8, color="white")
    axes.invert_yaxis()
    axes.set_xlim(0, 100)
    axes.set_xlabel(x)
    axes.tick_params(axis="y", labelsize=8)
    axes.legend(fontsize=8, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=len(parts), frameon=False)
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
    """Test error per task, ``errors`` by model and task: a table of colours, a row a task, with the figures in it."""
    tasks = in_order(task for found in errors.values() for task in found)
    table = [[found.get(task, float("nan")) for found in errors.values()] for task in tasks]
    figure = canvas(2.0 + 0.62 * len(errors), 1.6 + 0.24 * len(tasks))
    axes = figure.add_subplot()
    axes.imshow(table, aspect="auto", cmap="Oranges", vmin=0, vmax=100)
    axes.set_xticks(range(len(errors)), [textwrap.fill(plain(name), 12, break_long_words=False) for name in errors], fontsize=7)
    axes.xaxis.tick_top()
    axes.set_yticks(range(len(tasks)), [f"task {number(task)}" for task in tasks], fontsize=8)
    for row, found in enumerate(table):
        for column, error in enumerate(found):
            weight, color = ("bold", "white" if error > 60 else "black") if error > 5 else ("normal", "#666666")
            said = "" if error != error else f"{error:.0f}"
            axes.text(column, row, said, ha="center", va="center", fontsize=7, color=color, fontweight=weight)
    legend = "percent of the test questions that are answered wrong; bold: the task fails, above 5 %"
    axes.set_xlabel(textwrap.fill(legend, max(30, 12 * len(errors))), fontsize=8)
    return figure


def restarts(errors: Mapping[str, Mapping[str, tuple[list[float], float]]], ring: str = "the chosen one ringed") -> Any:
    """Spread over restarts: by model and task all restarts' test errors, and the chosen one's; of those with several."""
    shown = {model: found for model, found in errors.items() if any(len(every) > 1 for every, _ in found.values())}
    figure = canvas(8, 0.6 + 1.9 * len(shown))
    for row, (model, found) in enumerate(shown.items(), 1):
        axes = figure.add_subplot(len(shown), 1, row)
        places = {number(task): found[task] for task in in_order(found)}
        for place, (every, chosen) in places.items():
            axes.scatter([place] * len(every), every, s=14, color="tab:blue", alpha=0.5)
            axes.scatter([place], [chosen], s=40, facecolors="none", edgecolors="black")
        axes.axhline(5, color="grey", linewidth=0.8, linestyle=":")
        axes.set_title(f"{plain(model)}: a dot each, {ring}; dotted: 5 %, above which a task fails", fontsize=9)
        axes.set_xticks(list(places))
        axes.set_ylabel("test error, %")
        axes.set_ylim(bottom=-0.5)
        axes.grid(axis="y", alpha=0.3)
    axes.set_xlabel("task")
    return figure
