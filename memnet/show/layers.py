"""The figure of what statements read of each other: a square a layer, a row a reader, the last row the question."""

from __future__ import annotations

from typing import Any

from memnet.ask.layers import SHARE, Layers
from memnet.figures import canvas
from memnet.show.figure import LONGEST, written
from memnet.tasks.text import one_line

WIDTH = 2.2  # inches of a square


def layers_map(layers: Layers) -> Any:
    """How much each statement, and last the question, read of each statement in every layer."""
    names = [f"{number} {written(one_line(text, LONGEST))}" for number, text in enumerate(layers.statements, layers.first)]
    names.append(written(one_line(layers.question, LONGEST)))
    numbers = [str(layers.first + place) for place in range(len(layers.statements))]
    figure = canvas(3.5 + WIDTH * len(layers.reads), 1.2 + 0.3 * len(names))
    squares = figure.subplots(1, len(layers.reads), sharey=True, squeeze=False)[0]
    for number, (axes, layer) in enumerate(zip(squares, layers.reads, strict=True), 1):
        axes.imshow(layer, aspect="auto", cmap="Blues", vmin=0.0, vmax=1.0)
        axes.set_title(f"layer {number}", fontsize=9)
        axes.set_xticks(range(len(numbers)), numbers, fontsize=8)
        axes.set_yticks(range(len(names)), names, fontsize=8)
        axes.set_xlabel("reads statement", fontsize=8)
        for reader, row in enumerate(layer):
            for place, share in enumerate(row):
                if share >= SHARE and len(row) <= 12:
                    color = "white" if share > 0.5 else "black"
                    axes.text(place, reader, f"{share:.2f}", ha="center", va="center", fontsize=6, color=color)
    return figure
