"""An answer at a terminal: what each hop read as bars or as a heat map; as wide as asked, legible without colour."""

from __future__ import annotations

import math
import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from typing import TextIO

from memnet.ask.answer import Answer
from memnet.show.rows import SHORT_STORY, SMALLEST_SHOWN, Row, omissions, other_notes, rows, runners_up, visible_weight
from memnet.tasks.text import visible

BLOCKS_ACROSS, BLOCKS_UP = " ▏▎▍▌▋▊▉█", " ▁▂▃▄▅▆▇█"
ASCII = " .:-=+*#@"
SHADES = " ░▒▓█"
BOLD, EVIDENCE = "bold", "green"
MOST_LINES, NARROW = 5, 12  # of a sentence that an answer relies on; columns below which it has one line


@dataclass(frozen=True)
class Layout:
    """How text is laid out: so many columns, with colours or without, with block characters or ASCII alone."""

    width: int = 80
    colour: bool = False
    blocks: bool = True

    @classmethod
    def of(cls, stream: TextIO, piped: bool = False, environment: Mapping[str, str] = os.environ) -> Layout:
        """For a stream: colours for terminals that have them, unless NO_COLOR says otherwise.

        Through a pipe no colours, and 80 columns unless COLUMNS says otherwise.
        """
        try:
            "█…".encode(stream.encoding or "ascii")
            blocks = True
        except (LookupError, UnicodeEncodeError):
            blocks = False
        if piped:
            asked = environment.get("COLUMNS", "")
            return cls(int(asked) if asked.isascii() and asked.isdigit() and int(asked) > 0 else cls.width, False, blocks)
        colour = stream.isatty() and not environment.get("NO_COLOR") and environment.get("TERM", "dumb") != "dumb"
        return cls(max(1, shutil.get_terminal_size().columns), colour, blocks)


def styled(text: str, style: str, layout: Layout) -> str:
    """In a colour or weight of ANSI terminals, where there are colours."""
    if not layout.colour or not text.strip():
        return text
    from rich.console import Console  # here, as they take longer to import than most texts to draw
    from rich.text import Text

    console = Console(file=StringIO(), force_terminal=True, color_system="standard", no_color=False, legacy_windows=False)
    with console.capture() as drawn:
        console.print(Text(text, style), end="", soft_wrap=True)
    return drawn.get()


def columns(text: str) -> int:
    """How many columns of a terminal a text takes."""
    if text.isascii() and text.isprintable():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def clip(text: str, width: int) -> str:
    """The first characters of a text, as many as fit."""
    if columns(text) <= width:
        return text
    from rich.cells import chop_cells

    return chop_cells(text, width)[0] if width > 0 else ""


def ellipsize(text: str, layout: Layout, width: int) -> str:
    """A text of at most so many columns; an ellipsis stands where it was cut."""
    if columns(text) <= width:
        return text
    mark = "…" if layout.blocks else "..."
    return clip(text, width - len(mark)).rstrip() + mark if width > len(mark) else clip(text, width)


def wrapped(text: str, width: int) -> list[str]:
    """A text in lines of at most so many columns, two at least, broken between words where they fit."""
    width = max(width, 2)
    if columns(text) <= width:
        return [text]
    from rich.console import Console
    from rich.text import Text

    lines = Text(text).wrap(Console(file=StringIO(), width=width), width, overflow="fold")
    return [line.plain for line in lines] or [""]


def fold(text: str, width: int, indent: str = "") -> str:
    """A :func:`wrapped` text as one, with ``indent`` before all lines but the first."""
    indent = indent if len(indent) < width - 1 else ""
    first = wrapped(text, width)[0]
    rest = text[len(first) :].strip()
    return "\n".join([first.rstrip(), *(indent + line.rstrip() for line in wrapped(rest, width - len(indent)) if rest)])


def bar(weight: float, cells: int, layout: Layout) -> str:
    """A weight as a bar of so many cells, an eighth of one or more where anything was read; one cell is filled from below."""
    steps = math.ceil(visible_weight(weight) * 8 * cells)
    if cells == 1:
        return (BLOCKS_UP if layout.blocks else ASCII)[steps]
    if not layout.blocks:
        return ("#" * -(-steps // 8)).ljust(cells)
    return ("█" * (steps // 8) + BLOCKS_ACROSS[steps % 8].strip()).ljust(cells)


def shade(weight: float, cells: int, layout: Layout) -> str:
    """A weight as shading and percent; nothing where nothing was read."""
    size = visible_weight(weight)
    block = (SHADES if layout.blocks else ASCII[::2])[math.ceil(size * 4)] * cells
    return f"{block}{round(100 * size):>3}" if size else " " * (cells + 3)


def answer_sentence(answer: Answer) -> str:
    """The answer with its probability and the runners-up, or that there is none and why, in a sentence."""
    if not answer.answerable:
        return f"{visible(answer.refusal)}."
    others = runners_up(answer)
    likely = ", ".join(f"{name} {chance:.0%}" for name, chance in others if chance >= SMALLEST_SHOWN)
    unlikely = ", ".join(name for name, chance in others if chance < SMALLEST_SHOWN)
    after = "; ".join(filter(None, [likely, unlikely and f"{unlikely} below 1%"]))
    return f"{visible(answer.text)} ({answer.probability:.0%}{'; then ' + after if after else ''})"


def answer_text(answer: Answer, layout: Layout) -> str:
    """An answer, or that there is no evidence for one, and what was read for it."""
    name, mark, rest = fold(answer_sentence(answer), layout.width, "  " * answer.answerable).partition(" (")
    lines = [styled(name, BOLD, layout) + mark + rest if answer.answerable else styled(name + mark + rest, BOLD, layout)]
    if answer.guess:
        lines.append(fold(f"My guess: {visible(answer.guess)}", layout.width, "  "))
    earlier = [fold(f"  {note}", layout.width, "    ") for note in other_notes(answer)]
    return "\n".join([*lines, *answer.effort_notes, *bars(answer, layout), *earlier])


def bars(answer: Answer, layout: Layout) -> list[str]:
    """The story, a line a statement with a bar for each hop; a star before the statements relied on."""
    cells = max(1, min(5, layout.width // 3 // max(1, len(answer.hops)) - 1))
    return story_lines(answer, layout, rows(answer, SHORT_STORY), cells, lambda weight: bar(weight, cells, layout))


def heat_map(answer: Answer, question: str, layout: Layout, most: int = 30) -> str:
    """The heat map of an answer: a line a statement, a column a hop, shaded and in percent; a star where it was relied on.

    Where a terminal is too narrow for both, a statement stands above its numbers.
    """
    shades = 2 if len(answer.hops) * 6 + 30 <= layout.width else 1
    asked = fold(f"{visible(question)} {answer_sentence(answer)}", layout.width, "  ")
    lines = story_lines(answer, layout, rows(answer, most), shades + 3, lambda weight: shade(weight, shades, layout), 12)
    return "\n".join([asked, *lines])


def sentence_lines(row: Row, layout: Layout, width: int) -> list[str]:
    """A row's sentence in lines of at most so many columns: what the answer relies on with its source, of another one line."""
    if row.is_evidence and width >= NARROW:
        return wrapped(ellipsize(row.text, layout, MOST_LINES * width), width)
    return [ellipsize(row.text, layout, width)]


def story_lines(
    answer: Answer, layout: Layout, shown: Sequence[Row], cells: int, draw: Callable[[float], str], least: int = 0
) -> list[str]:
    """Rows as lines of a mark, a number, so many cells a hop as ``draw`` fills them, and the sentence.

    Where a sentence would have fewer than ``least`` columns, it stands on a line of its own.
    """
    if not shown:
        return []
    digits, hops = max(len(str(row.number)) for row in shown), len(answer.hops)
    room = layout.width - digits - 3
    apart = room - hops * (cells + 1) < least
    fit = max(1, min(hops, (room if apart else room - 8) // (cells + 1)))
    titles = " ".join(f"{hop if cells > 1 else hop % 10:{'>' if least else '<'}{cells}}" for hop in range(1, fit + 1))
    lines = [clip(f"{' ' * (digits + 3)}{titles} {'hop' if fit == hops else f'hop, of {hops}'}".rstrip(), layout.width)]
    for row in shown:
        start = f"{'*' if row.is_evidence else ' '} {row.number or '':>{digits}} "
        read = " ".join(map(draw, row.weights[:fit])) + " "
        parts = [start, " " * len(start) + read] if apart else [start + read]
        indent = columns(parts[0])
        first, *more = sentence_lines(row, layout, layout.width - indent)
        parts[:1] = [parts[0] + first, *(" " * indent + line for line in more)]
        drawn = [clip(part.rstrip(), layout.width) for part in parts if part.strip()]
        lines += [styled(line, EVIDENCE, layout) for line in drawn] if row.is_evidence else drawn
    return lines + [fold(f"  ({note})", layout.width, "  ") for note in omissions(answer, shown)]
