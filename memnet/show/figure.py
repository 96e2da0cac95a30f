"""The heat map of an answer as a figure: what every hop or head read of every statement."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any

from memnet.ask.answer import Answer, in_words
from memnet.errors import ConfigError
from memnet.figures import canvas, plain


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
    reply = f"{answer.text} ({answer.probability:.0%})" if answer.answerable else "I cannot tell"
    caption = f"{question} {reply}" + ("" if expected is None else f", expected {in_words(expected)}")
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
