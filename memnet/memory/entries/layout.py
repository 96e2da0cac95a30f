"""Plain text: whether a line's end ends a sentence, as in a list, or goes on, as in prose that is wrapped at a margin."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain, pairwise

from memnet.memory.entries.entry import Passage
from memnet.tasks.text import FormatError

PAUSE = 1.0  # seconds after which what came slowly is taken in
PIECE = 1 << 18  # characters that are looked at together
LONGEST = 1 << 20  # characters without an empty line or a line's end
SAMPLED = 200  # lines of a block that decide
ENOUGH = 8  # pairs of lines by which a block is decided by itself
NARROW = 45  # columns; nobody wraps prose at fewer
CLOSED = re.compile(r"""[.!?…:;]["'”’»)\]*_]*$""")
SPACES_ONLY = re.compile(r"\n[^\S\n]+(?=\n|\Z)")
EMPTY_LINES = re.compile(r"\n\n+")
BULLET = re.compile(r"[-*•‣·–—] +(?=\S)")
NUMBER = re.compile(r"(?:[-*•‣·–—]|\d{1,6}[.)]) +(?=\S)")  # of an item
INNER_STOP = re.compile(r"""[.!?]["'”’)]* (\w)""")
ODD_SPACES = ("  ", *(one for one in map(chr, range(0x3001)) if one.isspace() and one not in " \n"))
INITIAL = re.compile(r"\W*(\w)")


def small(line: str) -> bool:
    """Whether a line goes on from another by its look: it begins with a small letter."""
    if line[:1].isupper():
        return False
    first = INITIAL.match(line)
    return first is not None and first[1].islower() and not BULLET.match(line)


def a_line_each(*blocks: Sequence[str]) -> bool | None:
    """Whether every line of these blocks is an entry of its own; None where nothing says so, as in blocks of one line.

    What decides: in wrapped prose a line that is left open goes on with a small letter, and the next line's first word would
    not have fitted. Where a text has no capitals, full stops inside and at the ends of its lines decide, and the margin.
    """
    sampled = [[line.strip() for line in lines[:SAMPLED]] for lines in blocks]
    lines, pairs = [*chain.from_iterable(sampled)], [pair for lines in sampled for pair in pairwise(lines)]
    if not pairs:
        return None
    margin = sorted(map(len, lines))[int(0.95 * (len(lines) - 1))] if len(lines) > 20 else max(map(len, lines))
    fits = sum(len(one) + 1 + len(other.split(" ", 1)[0]) <= margin for one, other in pairs) / len(pairs)
    open_pairs = [other for one, other in pairs if not CLOSED.search(one)]
    if len(open_pairs) <= 0.05 * len(pairs):
        return True
    inner = [found for line in lines for found in INNER_STOP.findall(line)]
    begins = [found[1] for line in lines if (found := INITIAL.match(line))]
    capitals = any(one.isupper() for one in (*begins, *inner))
    goes_on = sum(map(small, open_pairs)) / len(open_pairs)
    if capitals and goes_on > 0.3 and (inner or fits < 0.5 or goes_on < 0.9):
        return False
    if not capitals or goes_on > 0.3:
        if len(open_pairs) > 0.5 * len(pairs) and len(inner) > 0.2 * len(pairs):
            return False
        return fits > 0.4 or margin < NARROW or len(open_pairs) <= 0.2 * len(pairs)
    return fits > 0.4 or margin < NARROW or len(pairs) > 2


def a_list(lines: Sequence[str]) -> bool:
    """Whether a few lines are entries though those around them are wrapped: none goes on from another, and more would fit."""
    return not any(map(small, lines[1:])) and not any(map(CLOSED.search, lines[:-1])) and a_line_each(lines) is True


def paragraphs(text: str) -> list[tuple[int, str]]:
    """The blocks between empty lines, each with the number of line ends before it."""
    text = SPACES_ONLY.sub("\n", f"\n{text}")[1:]
    found, line, last = list[tuple[int, str]](), 0, 0
    for match in EMPTY_LINES.finditer(text):
        block = text[last : match.start()]
        if block.strip():
            skipped = len(block) - len(block.lstrip("\n"))
            found.append((line + skipped, block.strip("\n")))
        line, last = line + text.count("\n", last, match.end()), match.end()
    block = text[last:]
    if block.strip():
        found.append((line + len(block) - len(block.lstrip("\n")), block.strip("\n")))
    return found


def joined(lines: Sequence[str], number: int, indented: Sequence[bool]) -> Iterator[Passage]:
    """A block of wrapped lines as one passage, or several: bullets begin new ones, and indented lines if the first is one.

    ``number`` is that of the first line.
    """
    begins = indented if indented[0] and sum(indented) < len(lines) else [False] * len(lines)
    kept, first = list[str](), number
    listed = sum(NUMBER.match(line) is not None for line in lines) > 1
    mark = NUMBER if listed else BULLET
    for place, line in enumerate(lines, number):
        if kept and (begins[place - number] or mark.match(line)):
            yield passage(kept, first)
            kept, first = [], place
        kept.append(without(mark, line) if listed else line)
    yield passage(kept, first)


def without(mark: re.Pattern[str], line: str) -> str:
    """A line without the mark that begins it.

    >>> without(BULLET, "- Ann: the boss"), without(BULLET, "Ann - the boss")
    ('Ann: the boss', 'Ann - the boss')
    """
    begins = mark.match(line)
    return line[begins.end() :] if begins else line


def passage(lines: Sequence[str], number: int) -> Passage:
    """Lines of single spaces as one passage."""
    if len(lines) == 1:
        return Passage(lines[0], number)
    return Passage(" ".join(lines), number, breaks=[*accumulate(len(line) + 1 for line in lines[:-1])])


def separate(lines: Sequence[str], number: int, hung: Sequence[bool]) -> Iterator[Passage]:
    """A passage a line, without its bullet or number.

    One that is ``hung``, further in than the first, belongs to the one before; so does one that goes on with a small letter
    where others begin with a capital.
    """
    capitals = sum(not small(line) for line in lines) >= 0.7 * len(lines)
    mark = NUMBER if sum(NUMBER.match(line) is not None for line in lines) > 1 else BULLET
    kept = list[str]()
    for place, (line, further) in enumerate(zip(lines, hung, strict=True), number):
        if kept and not further and not (capitals and small(line) and not CLOSED.search(kept[-1])):
            yield passage(kept, place - len(kept))
            kept = []
        kept.append(line if kept else without(mark, line))
    yield passage(kept, number + len(lines) - len(kept))


class Layout:
    """Takes a text apart into passages, piece by piece; ``lines`` says whether a line is an entry, None that it be decided."""

    def __init__(self, lines: bool | None = None) -> None:
        self.fixed, self.usual = lines, lines

    def passages(self, text: str, line: int) -> Iterator[Passage]:
        """Of whole blocks of a text that begin in a line of this number."""
        blocks = [(number, block.split("\n")) for number, block in paragraphs(text)]
        plain = not any(odd in text for odd in ODD_SPACES)
        if self.fixed is None:
            self.settle([lines for _, lines in blocks])
        for number, lines in blocks:
            if len(lines) == 1:
                yield Passage(lines[0].strip() if plain else " ".join(lines[0].split()), line + number)
                continue
            indented = [one[:1] in (" ", "\t") for one in lines]
            hung = [
                one and not indented[0] and not NUMBER.match(told.lstrip()) for one, told in zip(indented, lines, strict=True)
            ]
            lines = [" ".join(one.split()) for one in lines]
            if self.lines([one for one, further in zip(lines, hung, strict=True) if not further]):
                yield from separate(lines, line + number, hung)
            else:
                yield from joined(lines, line + number, indented)

    def lines(self, lines: Sequence[str]) -> bool:
        """Whether the lines of a block are entries."""
        if self.fixed is not None:
            return self.fixed
        if len(lines) <= ENOUGH:
            return bool(self.usual) or (len(lines) > 2 and a_list(lines))
        found = a_line_each(lines)
        return bool(self.usual) if found is None else found

    def settle(self, blocks: Sequence[Sequence[str]]) -> None:
        """Decide for short blocks, by all of a piece; a piece of few lines leaves it as it was."""
        several = [lines for lines in blocks if len(lines) > 1]
        sampled, pairs = list[Sequence[str]](), 0
        for lines in several:
            sampled.append(lines)
            pairs += len(lines) - 1
            if pairs > SAMPLED:
                break
        if pairs and (self.usual is None or pairs > ENOUGH):
            decided = a_line_each(*sampled)
            self.usual = self.usual if decided is None else decided


def pieces(parts: Iterable[str], layout: Layout, size: int = PIECE, seconds: float = PAUSE) -> Iterator[tuple[int, str]]:
    """Whole blocks of a text, some at a time, with the number of their first line.

    They come when there are ``size`` characters, or, where a text comes slowly, every few ``seconds``. A block that does not
    end is cut after :data:`LONGEST` characters, behind a full stop, else a line's end, else a space.
    """
    held, length, line, last = list[str](), 0, 1, time.monotonic()
    try:
        for part in parts:
            held.append(part)
            length += len(part)
            slow = time.monotonic() - last > seconds
            if length >= size or slow:
                text = "".join(held)
                cut = end_of_block(text, slow, layout)
                held, length, last = [text[cut:]], len(text) - cut, time.monotonic()
                if cut:
                    yield line, text[:cut]
                    line += text.count("\n", 0, cut)
    except FormatError:  # what came before it counts
        yield line, "".join(held)
        raise
    if rest := "".join(held):
        yield line, rest


def end_of_block(text: str, slow: bool, layout: Layout) -> int:
    """Up to where a text is taken in before more of it is there; 0 where it has no end yet."""
    if (cut := text.rfind("\n\n") + 2) > 1:
        return cut
    if slow or layout.usual:
        cut = text.rfind("\n" if layout.usual else ".\n")
        return 0 if cut < 0 else text.index("\n", cut) + 1
    if len(text) < LONGEST:
        return 0
    for end in (".\n", ". ", "\n", " "):
        if (cut := text.rfind(end) + len(end)) > len(text) // 2:
            return cut
    return len(text)
