"""Text for a terminal: an answer, what each hop read, a heat map; as wide as asked, legible without colour."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from memnet.ask.answer import Answer, in_words
from memnet.tasks.text import visible

BLOCKS_ACROSS, BLOCKS_UP = " ▏▎▍▌▋▊▉█", " ▁▂▃▄▅▆▇█"
ASCII = " .:-=+*#@"
SHADES = " ░▒▓█"
SMALLEST_SHOWN = 0.005  # weights below are shown as none
MAX_ROWS = 12  # statements shown below an answer


@dataclass(frozen=True)
class Layout:
    """How text is laid out: so many columns, with colours or without, with block characters or ASCII alone."""

    width: int = 80
    colour: bool = False
    blocks: bool = True


class Row(NamedTuple):
    """A statement: its number in the story, its text, the weight that each hop gave it, and whether it is evidence."""

    number: int
    sentence: str
    weights: list[float]
    is_evidence: bool


def columns(text: str) -> int:
    """How many columns of a terminal a text takes."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.category(one) in ("Mn", "Me", "Cf") else 1 + (unicodedata.east_asian_width(one) in "WF")
        for one in text
    )


def clip(text: str, width: int) -> str:
    """The first characters of a text, as many as fit."""
    used = 0
    for place, one in enumerate(text):
        used += columns(one)
        if used > width:
            return text[:place]
    return text


def ellipsize(text: str, layout: Layout, width: int) -> str:
    """A text of at most so many columns; an ellipsis stands where it was cut."""
    if columns(text) <= width:
        return text
    mark = "…" if layout.blocks else "..."
    return clip(text, width - columns(mark)).rstrip() + mark if width >= columns(mark) else clip(text, width)


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
            part = clip(word, width - columns(line)) or word[:1]
            lines.append(line + part)
            line, word = indent, word[len(part) :]
        line += word
    return "\n".join([*lines, line])


def styled(text: str, code: int, layout: Layout) -> str:
    """In a colour or weight of ANSI terminals, where there are colours."""
    return f"\x1b[{code}m{text}\x1b[0m" if layout.colour and text.strip() else text


BOLD, FAINT, GREEN = 1, 2, 32


def visible_weight(value: float) -> float:
    """A weight as it is drawn, 0 to 1: linear weights may be below and above, and the smallest count as none."""
    return min(1.0, abs(value)) if abs(value) >= SMALLEST_SHOWN else 0.0


def bar(weight: float, cells: int, layout: Layout) -> str:
    """A weight as a bar of so many cells, an eighth of one or more where anything was read; one cell is filled from below."""
    steps = math.ceil(visible_weight(weight) * 8 * cells)
    if cells == 1:
        return (BLOCKS_UP if layout.blocks else ASCII)[steps]
    if not layout.blocks:
        return ("#" * -(-steps // 8)).ljust(cells)
    return ("█" * (steps // 8) + BLOCKS_ACROSS[steps % 8].strip()).ljust(cells)


def statement_rows(answer: Answer, most: int) -> list[Row]:
    """The statements in memory in story order: those relied on and those read most, at most so many."""
    hops, found = len(answer.hops), dict[int, Row]()
    evidence = {read.number for read in answer.evidence}
    for hop, reads in enumerate(answer.hops):
        for read in reads:
            row = found.setdefault(read.number, Row(read.number, visible(read.sentence), [0.0] * hops, read.number in evidence))
            row.weights[hop] = read.weight
    best = sorted(found.values(), key=lambda row: (not row.is_evidence, -max(map(visible_weight, row.weights)), -row.number))
    return sorted(best[:most])


def rows_with_null(answer: Answer, most: int) -> list[Row]:
    """The :func:`statement_rows`, and one without a number for reading nothing where a hop did."""
    read_nothing = max(map(visible_weight, answer.null_weights), default=0.0) > 0
    null = [Row(0, answer.null_label, answer.null_weights, False)] if read_nothing else []
    return statement_rows(answer, most) + null


def omission_notes(answer: Answer, shown: Sequence[Row]) -> list[str]:
    """What is not shown, in words: statements that were read less, and those that the memory does not reach."""
    others = len({read.number for hop in answer.hops for read in hop} - {row.number for row in shown})
    notes = [f"{others} other statement{'s were' if others > 1 else ' was'} read less"] if others else []
    if answer.truncated:
        notes.append(f"{answer.truncated} older statement{'s are' if answer.truncated > 1 else ' is'} beyond my memory")
    return notes


def row_prefix(row: Row, digits: int) -> str:
    """What stands before a row: a star where it was relied on, and its number."""
    return f"{'*' if row.is_evidence else ' '} {row.number or '':>{digits}} "


def runners_up(answer: Answer) -> str:
    """The runners-up with their probabilities, those below a half percent without; "" where there are none."""
    likely = ", ".join(
        f"{visible(in_words(name))} {chance:.0%}" for name, chance in answer.runners_up if chance >= SMALLEST_SHOWN
    )
    others = ", ".join(visible(in_words(name)) for name, chance in answer.runners_up if chance < SMALLEST_SHOWN)
    return "; ".join(filter(None, [likely, others and f"{others} below 1%"]))


def answer_sentence(answer: Answer) -> str:
    """The answer with its probability and the runners-up, in a sentence."""
    after = runners_up(answer)
    return f"{visible(answer.text)} ({answer.probability:.0%}{'; then ' + after if after else ''})"


def bars(answer: Answer, layout: Layout, most: int = MAX_ROWS) -> str:
    """The story, a line a statement with a bar for each hop; a star before the statements relied on."""
    shown = rows_with_null(answer, most)
    if not shown:
        return ""
    digits = max(len(str(row.number)) for row in shown)
    hops = len(answer.hops)
    cells = max(1, min(5, layout.width // 3 // hops - 1))
    fit = max(1, min(hops, (layout.width - digits - 11) // (cells + 1)))
    titles = " ".join(str(hop if cells > 1 else hop % 10).ljust(cells) for hop in range(1, fit + 1))
    lines = [(" " * (digits + 3) + titles + (" hop" if fit == hops else f" hop, of {hops}")).rstrip()]
    for row in shown:
        start = row_prefix(row, digits) + " ".join(bar(weight, cells, layout) for weight in row.weights[:fit]) + " "
        line = clip((start + ellipsize(row.sentence, layout, layout.width - columns(start))).rstrip(), layout.width)
        read = any(map(visible_weight, row.weights))
        lines.append(
            styled(line, GREEN if row.is_evidence else 0 if read else FAINT, layout) if row.is_evidence or not read else line
        )
    lines += [fold(f"  ({note})", layout.width, "  ") for note in omission_notes(answer, shown)]
    return "\n".join(clip(line, layout.width) if line is lines[0] else line for line in lines)


def answer_text(answer: Answer, layout: Layout) -> str:
    """An answer, or that there is no evidence for one, and what was read for it."""
    if answer.answerable:
        first = fold(answer_sentence(answer), layout.width, "  ")
        name, mark, rest = first.partition(" (")
        lines = [styled(name, BOLD, layout) + mark + rest]
    else:
        lines = [styled(fold(f"{visible(answer.refusal)}.", layout.width), BOLD, layout)]
        if not answer.out_of_story_words:
            lines.append(fold(f"My guess: {visible(answer.text)}", layout.width, "  "))
    return "\n".join([*lines, *answer.effort_notes, *filter(None, [bars(answer, layout)])])


def heat_map(answer: Answer, question: str, layout: Layout, most: int = 30) -> str:
    """The heat map of an answer: a line a statement, a column a hop, shaded and in percent; a star where it was relied on.

    Where a terminal is too narrow for both, a statement stands above its numbers.
    """
    shown = rows_with_null(answer, most)
    digits = max((len(str(row.number)) for row in shown), default=1)
    shades = 2 if len(answer.hops) * 6 + 30 <= layout.width else 1
    cell = shades + 3 + (shades > 1)
    room = max(1, layout.width - digits - 3)
    apart = room - cell * len(answer.hops) - 1 < 12  # the sentence on a line of its own
    fit = max(1, min(len(answer.hops), room // cell))
    indent = " " * (digits + 3)
    says = answer_sentence(answer) if answer.answerable else f"{visible(answer.refusal)}."
    asked = fold(f"{visible(question)} {says}", layout.width, "  ")
    titles = "".join(f"{hop:>{shades + 3}}".ljust(cell) for hop in range(1, fit + 1))
    of = "hop" if fit == len(answer.hops) else f"hop, of {len(answer.hops)}"
    lines = [asked, clip(f"{indent}{titles.rstrip()} {of}", layout.width)]
    for row in shown:
        read = "".join(shade(weight, shades, layout).ljust(cell) for weight in row.weights[:fit]).rstrip()
        start = row_prefix(row, digits)
        if apart:
            both = [start + ellipsize(row.sentence, layout, layout.width - len(start)), *([indent + read] if read else [])]
        else:
            start += read.ljust(cell * fit + 1)
            both = [start + ellipsize(row.sentence, layout, layout.width - columns(start))]
        lines += [
            styled(clip(line.rstrip(), layout.width), GREEN, layout) if row.is_evidence else clip(line.rstrip(), layout.width)
            for line in both
        ]
    lines += [fold(f"  ({note})", layout.width, "  ") for note in omission_notes(answer, shown)]
    return "\n".join(lines)


def shade(weight: float, cells: int, layout: Layout) -> str:
    """A weight as shading and percent; nothing where nothing was read."""
    size = visible_weight(weight)
    if size == 0:
        return ""
    block = (SHADES if layout.blocks else ASCII[::2])[math.ceil(size * 4)] * cells
    return f"{block}{round(100 * size):>3}"
