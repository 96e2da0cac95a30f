"""The picture of an answer, to be saved: question, answer, and the story with what each hop read, as SVG."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

from memnet.ask.answer import Answer
from memnet.show.folding import NULLS, Fold
from memnet.show.terminal import Row, fold, visible_weight
from memnet.tasks.text import visible

WIDTH, MARGIN, LINE, PAD = 900, 24, 22, 8  # pixels
COLUMN = 52  # pixels of a hop's column
LETTER = 8.2  # pixels that a letter takes, on average and generously
NUMBER = 56  # pixels before a sentence: its number, and a mark where the answer rests on it
FEWEST = 24  # letters of a line, however many hops there are
INK, FAINT, BLUE = "#111", "#666", "37,99,235"
STRONGEST = 0.55  # how opaque a shade is at weight 1
NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # no part of XML 1.0


def picture(answer: Answer, question: str, label: str, parts: Sequence[Row | Fold]) -> str:
    """An SVG image of an answer by the network called ``label`` and of the ``parts`` of its story."""
    hops = len(answer.hops)
    room = max(FEWEST * LETTER, WIDTH - 2 * MARGIN - NUMBER - COLUMN * hops)
    width = round(2 * MARGIN + NUMBER + room + COLUMN * hops)
    drawn, y = heading(answer, question, label, width)
    if parts:
        columns = "".join(text(left(width, hops, hop), y, f"hop {hop + 1}", FAINT, 13) for hop in range(hops))
        drawn, y = drawn + columns, y + LINE
    for part in parts:
        if isinstance(part, Fold):
            drawn, y = drawn + text(MARGIN + NUMBER, y, f"… {part.text} …", FAINT, 13), y + LINE + PAD
        else:
            line, y = sentence(part, answer.null_label, width, room, y)
            drawn += line
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{y}" viewBox="0 0 {width} {y}" '
        f'font-family="system-ui, sans-serif"><rect width="100%" height="100%" fill="#fff"/>{drawn}</svg>'
    )


def heading(answer: Answer, question: str, label: str, width: int) -> tuple[str, int]:
    """Question, answer and the network's name, and how far down they reach."""
    says = f"{answer.text} ({answer.probability:.0%})" if answer.answerable else answer.refusal
    drawn, y = "", MARGIN + LINE
    for part, ink, size in ((question, INK, 17), (says, INK, 20), (label, FAINT, 14)):
        for line in wrapped(part, (width - 2 * MARGIN) * 16 / size):
            drawn += text(MARGIN, y, line, ink, size, bold=part is says)
            y += LINE + 4
    return drawn, y + PAD


def sentence(row: Row, null_label: str, width: int, room: float, y: int) -> tuple[str, int]:
    """A sentence with its shade and what each hop read of it, and how far down it reaches."""
    weights = [visible_weight(weight) for weight in row.weights]
    lines = wrapped(row.sentence if row.number else NULLS[null_label], room)
    height = len(lines) * LINE + PAD - 4
    drawn = shade(MARGIN + NUMBER - 6, y - 16, room, height, max(weights))
    mark = "\N{BLACK RIGHT-POINTING TRIANGLE} " if row.is_evidence else ""
    drawn += text(MARGIN, y, f"{mark}{row.number or ''}", INK if row.is_evidence else FAINT, 14)
    for number, line in enumerate(lines):
        drawn += text(MARGIN + NUMBER, y + number * LINE, line, INK if any(weights) else FAINT, 16, row.is_evidence)
    for hop, weight in enumerate(weights):
        if weight:
            x = left(width, len(weights), hop)
            drawn += shade(x - 4, y - 16, COLUMN - 4, height, weight) + text(x, y, f"{weight:.0%}", INK, 14)
    return drawn, y + len(lines) * LINE + PAD


def left(width: int, hops: int, hop: int) -> int:
    """Where the column of a hop, numbered from 0, begins, in pixels."""
    return width - MARGIN - COLUMN * (hops - hop) + 8


def wrapped(words: str, room: float) -> list[str]:
    """Text without control characters in lines of so many pixels at most, where letters are of the usual width."""
    return fold(NO_XML.sub(" ", visible(words)), max(FEWEST, int(room / LETTER))).split("\n")


def shade(x: float, y: int, width: float, height: int, weight: float) -> str:
    """A rectangle, the bluer the more was read; nothing where nothing was."""
    size = f'x="{x:g}" y="{y}" width="{width:g}" height="{height}" rx="4"'
    return f'<rect {size} fill="rgb({BLUE})" fill-opacity="{STRONGEST * weight:.2f}"/>' if weight else ""


def text(x: float, y: int, line: str, ink: str, size: int, bold: bool = False) -> str:
    """A line of text whose first letter stands on ``(x, y)``."""
    weight = ' font-weight="bold"' if bold else ""
    return f'<text x="{x:g}" y="{y}" fill="{ink}" font-size="{size}"{weight}>{escape(line)}</text>'
