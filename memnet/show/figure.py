"""The figure of an answer: what every hop or head read of every sentence."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Container
from typing import Any

from memnet.ask.answer import Answer, in_words
from memnet.errors import ConfigError
from memnet.figures import canvas, plain
from memnet.show.rows import rows
from memnet.tasks.text import one_line

LONGEST = 120  # letters of a sentence
MOST = 100  # sentences
NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # no part of XML 1.0


def written(text: str) -> str:
    """Text as a figure of any format can have it."""
    return plain(NO_XML.sub(" ", text))


def attention_map(
    answer: Answer,
    question: str,
    facts: Container[int] | None = None,
    expected: str | None = None,
    most: int | None = None,
    by: str = "",
) -> Any:
    """How much each hop, pass, or head of a layer read each sentence; the supporting facts, places from 0, are marked.

    Without ``facts`` what the answer relies on is marked. At most so many sentences are drawn, and none that are beyond the
    network's memory. ``by`` names the network.
    """
    if not answer.hops:
        raise ConfigError("this network reads no sentences: it has no attention to draw")
    shown = rows(answer, most, heads=True)
    marked = [row.number > 0 and (row.is_evidence if facts is None else row.number - 1 in facts) for row in shown]
    table = [row.weights for row in shown]
    heads = [f"{layer}.{head}" for layer, found in enumerate(answer.head_weights, 1) for head in range(1, len(found) + 1)]
    names = heads or [str(hop) for hop in range(1, len(answer.hops) + 1)]
    labels = [
        f"{row.number} {written(one_line(row.text, LONGEST))}{' *' * mark}" if row.number else row.text
        for row, mark in zip(shown, marked, strict=True)
    ]
    reply = f"{answer.text} ({answer.probability:.0%})" if answer.answerable else "I cannot tell"
    caption = f"{question} {reply}" + ("" if expected is None else f", expected {in_words(expected)}")
    title = "\n".join([*textwrap.wrap(written(caption), 60), *([written(by)] if by else [])])
    figure = canvas(4.5 + 0.5 * len(names), 1.4 + 0.21 * len(table))
    axes = figure.add_subplot()
    image = axes.imshow(table, aspect="auto", cmap="Blues", vmin=0.0, vmax=max(1.0, *(max(row) for row in table)))
    axes.set_xticks(range(len(names)), names, fontsize=8 if heads else None)
    axes.set_yticks(range(len(labels)), labels, fontsize=8)
    axes.set_xlabel("layer.head, the last reading the answer's" if heads else "hop")
    axes.set_title(title, fontsize=9)
    for label, mark in zip(axes.get_yticklabels(), marked, strict=True):
        label.set_fontweight("bold" if mark else "normal")
    for place, weights in enumerate(table if len(table) <= 30 else ()):
        for hop, weight in enumerate(weights):
            if weight >= 0.005:
                color = "white" if weight > 0.5 else "black"
                axes.text(hop, place, f"{weight:.2f}", ha="center", va="center", fontsize=7, color=color)
    figure.colorbar(image, ax=axes, shrink=0.6, label="weight")
    return figure
