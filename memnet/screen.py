"""Text for a terminal: an answer, what each hop read, a heat map; as wide as asked, legible without colour."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from memnet.answer import Answer
from memnet.tasks.text import visible

ACROSS, UP = " ▏▎▍▌▋▊▉█", " ▁▂▃▄▅▆▇█"
ASCII = " .:-=+*#@"
SHADES = " ░▒▓█"
SEEN = 0.005  # weights below are shown as none
ROWS = 12  # statements shown below an answer


@dataclass(frozen=True)
class Look:
    """How text is laid out: so many columns, with colours or without, with block characters or ASCII alone."""

    width: int = 80
    colour: bool = False
    blocks: bool = True


class Row(NamedTuple):
    """A statement: its number in the story, its text, the weight that each hop gave it, and whether it was relied on."""

    number: int
    sentence: str
    weights: list[float]
    relied: bool


def columns(text: str) -> int:
    """How many columns of a terminal a text takes."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.category(one) in ("Mn", "Me", "Cf") else 1 + (unicodedata.east_asian_width(one) in "WF")
        for one in text
    )


def taken(text: str, width: int) -> str:
    """The first characters of a text, as many as fit."""
    used = 0
    for place, one in enumerate(text):
        used += columns(one)
        if used > width:
            return text[:place]
    return text


def shortened(text: str, look: Look, width: int) -> str:
    """A text of at most so many columns; an ellipsis stands where it was cut."""
    if columns(text) <= width:
        return text
    mark = "…" if look.blocks else "..."
    return taken(text, width - columns(mark)).rstrip() + mark if width >= columns(mark) else taken(text, width)


def fold(text: str, width: int, indent: str = "") -> str:
    """A text in lines of at most so many columns, broken between words where they fit; ``indent`` before all but the first."""
    indent = indent if columns(indent) < width - 1 else ""
    lines, line = list[str](), text[: len(text) - len(text.lstrip(" "))][: max(0, width - 2)]
    for word in text.lstrip(" ").split(" "):
        room = width - columns(line) - 1
        if line.strip() and columns(word) > room:
            lines.append(line)
            line = indent
        elif line.strip():
            line += " "
        while columns(line) + columns(word) > width:
            part = taken(word, width - columns(line)) or word[:1]
            lines.append(line + part)
            line, word = indent, word[len(part) :]
        line += word
    return "\n".join([*lines, line])


def painted(text: str, code: int, look: Look) -> str:
    """In a colour or weight of ANSI terminals, where there are colours."""
    return f"\x1b[{code}m{text}\x1b[0m" if look.colour and text.strip() else text


BOLD, FAINT, GREEN = 1, 2, 32


def weight_of(value: float) -> float:
    """How much was read, 0 to 1: linear weights may be below and above."""
    return min(1.0, abs(value)) if abs(value) >= SEEN else 0.0


def bar(weight: float, cells: int, look: Look) -> str:
    """A weight as a bar of so many cells, an eighth of one or more where anything was read; one cell is filled from below."""
    steps = math.ceil(weight_of(weight) * 8 * cells)
    if cells == 1:
        return (UP if look.blocks else ASCII)[steps]
    if not look.blocks:
        return ("#" * -(-steps // 8)).ljust(cells)
    return ("█" * (steps // 8) + ACROSS[steps % 8].strip()).ljust(cells)


def rows(answer: Answer, most: int) -> list[Row]:
    """The statements in memory in story order: those relied on and those read most, at most so many."""
    hops, found = len(answer.hops), dict[int, Row]()
    relied = {read.number for read in answer.evidence} if answer.known else set()
    for hop, reads in enumerate(answer.hops):
        for read in reads:
            row = found.setdefault(read.number, Row(read.number, visible(read.sentence), [0.0] * hops, read.number in relied))
            row.weights[hop] = read.weight
    best = sorted(found.values(), key=lambda row: (not row.relied, -max(map(weight_of, row.weights)), -row.number))
    return sorted(best[:most])


def with_nothing(answer: Answer, most: int) -> list[Row]:
    """The :func:`rows`, and one without a number for reading nothing where a hop did."""
    nothing = [Row(0, answer.null, answer.nothing, False)] if max(map(weight_of, answer.nothing), default=0.0) else []
    return rows(answer, most) + nothing


def left_out(answer: Answer, shown: Sequence[Row]) -> list[str]:
    """What is not shown, said."""
    others = len({read.number for hop in answer.hops for read in hop} - {row.number for row in shown})
    said = [f"{others} other statement{'s were' if others > 1 else ' was'} read less"] if others else []
    if answer.forgotten:
        said.append(f"{answer.forgotten} older statement{'s are' if answer.forgotten > 1 else ' is'} beyond my memory")
    return said


def head(row: Row, digits: int) -> str:
    """What stands before a row: a star where it was relied on, and its number."""
    return f"{'*' if row.relied else ' '} {row.number or '':>{digits}} "


def said(answer: Answer) -> str:
    """The answer with its probability and the runners-up, in a sentence."""
    likely = ", ".join(f"{visible(name)} {chance:.0%}" for name, chance in answer.runners_up if chance >= SEEN)
    others = ", ".join(visible(name) for name, chance in answer.runners_up if chance < SEEN)
    after = "; ".join(filter(None, [likely, others and f"{others} below 1%"]))
    return f"{visible(answer.answer)} ({answer.probability:.0%}{'; then ' + after if after else ''})"


def bars(answer: Answer, look: Look, most: int = ROWS) -> str:
    """The story, a line a statement with a bar for each hop; a star before the statements relied on."""
    shown = with_nothing(answer, most)
    if not shown:
        return ""
    digits = max(len(str(row.number)) for row in shown)
    hops = len(answer.hops)
    cells = max(1, min(5, look.width // 3 // hops - 1))
    fit = max(1, min(hops, (look.width - digits - 11) // (cells + 1)))
    titles = " ".join(str(hop if cells > 1 else hop % 10).ljust(cells) for hop in range(1, fit + 1))
    lines = [(" " * (digits + 3) + titles + (" hop" if fit == hops else f" hop, of {hops}")).rstrip()]
    for row in shown:
        start = head(row, digits) + " ".join(bar(weight, cells, look) for weight in row.weights[:fit]) + " "
        line = taken((start + shortened(row.sentence, look, look.width - columns(start))).rstrip(), look.width)
        read = any(map(weight_of, row.weights))
        lines.append(painted(line, GREEN if row.relied else 0 if read else FAINT, look) if row.relied or not read else line)
    lines += [fold(f"  ({note})", look.width, "  ") for note in left_out(answer, shown)]
    return "\n".join(taken(line, look.width) if line is lines[0] else line for line in lines)


def told(answer: Answer, look: Look) -> str:
    """An answer, or that there is no evidence for one, and what was read for it."""
    if answer.known:
        first = fold(said(answer), look.width, "  ")
        name, mark, rest = first.partition(" (")
        lines = [painted(name, BOLD, look) + mark + rest]
    else:
        lines = [painted(fold(f"I have no evidence for that{answer.doubt}.", look.width), BOLD, look)]
        lines.append(fold(f"If I had to answer: {said(answer)}", look.width, "  "))
    return "\n".join([*lines, *answer.spent, *filter(None, [bars(answer, look)])])


def heat(answer: Answer, question: str, look: Look, most: int = 30) -> str:
    """The heat map of an answer: a line a statement, a column a hop, shaded and in percent; a star where it was relied on.

    Where a terminal is too narrow for both, a statement stands above its numbers.
    """
    shown = with_nothing(answer, most)
    digits = max((len(str(row.number)) for row in shown), default=1)
    shades = 2 if len(answer.hops) * 6 + 30 <= look.width else 1
    cell = shades + 3 + (shades > 1)
    room = max(1, look.width - digits - 3)
    apart = room - cell * len(answer.hops) - 1 < 12  # the sentence on a line of its own
    fit = max(1, min(len(answer.hops), room // cell))
    indent = " " * (digits + 3)
    asked = fold(f"{visible(question)} {said(answer) if answer.known else 'I have no evidence for that.'}", look.width, "  ")
    titles = "".join(f"{hop:>{shades + 3}}".ljust(cell) for hop in range(1, fit + 1))
    of = "hop" if fit == len(answer.hops) else f"hop, of {len(answer.hops)}"
    lines = [asked, taken(f"{indent}{titles.rstrip()} {of}", look.width)]
    for row in shown:
        read = "".join(shaded(weight, shades, look).ljust(cell) for weight in row.weights[:fit]).rstrip()
        start = head(row, digits)
        if apart:
            both = [start + shortened(row.sentence, look, look.width - len(start)), *([indent + read] if read else [])]
        else:
            start += read.ljust(cell * fit + 1)
            both = [start + shortened(row.sentence, look, look.width - columns(start))]
        lines += [
            painted(taken(line.rstrip(), look.width), GREEN, look) if row.relied else taken(line.rstrip(), look.width)
            for line in both
        ]
    lines += [fold(f"  ({note})", look.width, "  ") for note in left_out(answer, shown)]
    return "\n".join(lines)


def shaded(weight: float, cells: int, look: Look) -> str:
    """A weight as shading and percent; nothing where nothing was read."""
    size = weight_of(weight)
    if size == 0:
        return ""
    shade = (SHADES if look.blocks else ASCII[::2])[math.ceil(size * 4)] * cells
    return f"{shade}{round(100 * size):>3}"
