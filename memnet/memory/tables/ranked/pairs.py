"""What a network sees of conditions and of what is asked together: words that neither reads, and how many answers there are."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from memnet.infer.attention import log_normalized
from memnet.memory.tables.ranked.asked import DIGITS, HUMAN, NAME, NOUN, OTHER, Asked
from memnet.memory.tables.ranked.features import AT, Array
from memnet.memory.tables.ranked.matching import Matcher
from memnet.memory.tables.ranked.queries import AVERAGE, SHARES, TOTAL, Head, Meant, mask_of
from memnet.memory.tables.ranked.query import COUNT, DISTINCT, GAP, GROUP, LIST, MEAN, SHARE, SUM
from memnet.memory.tables.ranked.ranks import PLACED, is_end
from memnet.memory.tables.ranked.spans import APART, MINUTES
from memnet.memory.tables.table import Column

SEVERAL_ANSWERS = 12  # at most; more are many
READ = 16  # wordings of a question that are read
LARGE = 1 << 20  # rows times different cells, from which they are counted one by one


def bits_of(masks: NDArray[np.uint64]) -> NDArray[np.int64]:
    """How many bits of each are set."""
    found: NDArray[np.int64] = np.unpackbits(masks.view(np.uint8).reshape(len(masks), -1), axis=1).sum(1, dtype=np.int64)
    return found


class Both:
    """What depends on conditions and on what is asked: words that neither reads, and how many answers there are."""

    def __init__(self, asked: Asked, some: Sequence[Meant]) -> None:
        self.asked, self.some = asked, some
        self.masks = np.array([one.mask for one in some], np.uint64)
        self.of_class = [
            np.uint64(mask_of([at for at, kind in asked.classes.items() if kind == each]))
            for each in (NAME, DIGITS, NOUN, OTHER)
        ]
        self.content = np.uint64(mask_of(asked.content))
        self.of_headers = np.zeros(len(some), np.uint64)  # words that speak of the columns of conditions
        for at, one in enumerate(some):
            for each in one.conditions:
                self.of_headers[at] |= np.uint64(mask_of(asked.heard[each.column].places))
        label = asked.heard[asked.label].header
        self.of_label = np.uint64(mask_of([*label]) | mask_of([at for at in asked.content if asked.low[at] in HUMAN]))
        self.of_noun = np.uint64(1 << asked.noun) if asked.noun >= 0 else np.uint64(0)
        ends = [at for at, word in enumerate(asked.low) if is_end(word) or word in TOTAL | AVERAGE | PLACED]
        ends += [*(asked.degree.places if asked.degree is not None else ())]
        self.of_ends = np.uint64(mask_of(frozenset(ends)))
        spans = [at for at, word in enumerate(asked.low) if word in SHARES | APART or word in MINUTES]
        self.of_spans = self.of_ends | np.uint64(mask_of(frozenset(spans)))
        self.rows = np.zeros((len(some), len(asked.table)), bool)
        for at, one in enumerate(some):
            self.rows[at, list(one.rows)] = True
        self.codes: dict[Column, NDArray[np.int64]] = {}
        self.places = {column: at for at, column in enumerate(asked.table.columns)}
        self.places |= {one: self.places[one.second] for one in asked.derived}
        self.matches, self.over = matched(asked, some)
        self.read, self.read_over = read_by(asked, some)

    def cells(self, column: Column) -> NDArray[np.int64]:
        """A number for each different cell by row; -1 for an empty one."""
        if column not in self.codes:
            number = {cell: at for at, cell in enumerate(column.distinct)}
            self.codes[column] = np.array([number.get(cell, -1) for cell in column.cells])
        return self.codes[column]

    def fill(self, head: Head, x: Array) -> None:
        """Into ``x (sets, len(FEATURES))``."""
        heard = self.asked.heard[head.target]
        free = ~self.masks
        header = np.uint64(mask_of([*heard.header]))
        share = sum(
            ((free >> np.uint64(at)) & np.uint64(1)).astype(np.float32) * len(of_it) for at, of_it in heard.header.items()
        )
        x[:, AT["header said left"]] = bits_of(header & free) > 0
        x[:, AT["header share left"]] = np.minimum(1.0, share / heard.words) if heard.header else 0.0
        for places, value in heard.concept.items():
            mask = np.uint64(mask_of(places))
            x[:, AT["concept left"]] = np.maximum(x[:, AT["concept left"]], value * ((mask & free) == mask))
        for at, value in heard.near.items():
            bit = ((free >> np.uint64(at)) & np.uint64(1)).astype(np.float32)
            x[:, AT["near left"]] = np.maximum(x[:, AT["near left"]], value * bit)
            if at in heard.cells:
                x[:, AT["cells left"]] = np.maximum(x[:, AT["cells left"]], heard.cells[at] * bit)
        x[:, AT["is conditioned"]] = [head.target.place in one.columns for one in self.some]
        x[:, AT["conditioned of cells"]] = [
            any(c.column is head.target and c.cells for c in one.conditions) for one in self.some
        ]
        for name, column in (("asked", head.target), ("measure", head.measure)):
            if column is not None:
                x[:, AT[f"{name} match"]] = self.matches[:, self.places[column]]
                x[:, AT[f"{name} match over"]] = self.over[:, self.places[column]]
                x[:, AT[f"{name} read"]] = self.read[:, self.places[column]]
                x[:, AT[f"{name} read over"]] = self.read_over[:, self.places[column]]
        self.left(head, x)
        self.answers(head, x)

    def left(self, head: Head, x: Array) -> None:
        """Words that nothing reads."""
        asked = self.asked
        read = self.masks | self.of_headers | self.of_label
        if head.operation not in (COUNT, GROUP):
            read = read | np.uint64(mask_of(asked.heard[head.target].places))
        if head.measure is not None:
            read = read | np.uint64(mask_of(asked.heard[head.measure].places)) | self.of_ends
        if head.operation in (SUM, MEAN, GROUP, DISTINCT):
            read = read | self.of_ends
        if head.operation in (SHARE, GAP):
            read = read | self.of_spans
        if head.operation in (COUNT, DISTINCT) or (head.operation == LIST and head.target is asked.label):
            read = read | self.of_noun
        for name, mask in zip(("left names", "left digits", "left nouns", "left others"), self.of_class, strict=True):
            x[:, AT[name]] = bits_of(mask & ~read)
        x[:, AT["left share"]] = bits_of(self.content & ~read) / max(1, len(asked.content))
        x[:, AT["left noun asked"]] = bits_of(self.of_noun & ~read)

    def answers(self, head: Head, x: Array) -> None:
        """How many different cells are the answer."""
        if head.operation != LIST:
            several = head.ranks[0] != head.ranks[1]
            x[:, AT["answers several" if several else "answers one"]] = 1
            x[:, AT["several fits"]] = several
            return
        cells = self.cells(head.target)
        told = cells >= 0
        number = self.different(cells, told, len(head.target.distinct))
        rows = self.rows.sum(1)
        x[:, AT["answers none"]], x[:, AT["answers one"]] = number == 0, number == 1
        x[:, AT["answers several"]], x[:, AT["answers many"]] = (
            (number > 1) & (number <= SEVERAL_ANSWERS),
            number > SEVERAL_ANSWERS,
        )
        x[:, AT["several fits"]], x[:, AT["one fits"]] = (
            (number > 1) & self.asked.several,
            (number == 1) & (not self.asked.several),
        )
        x[:, AT["empty share"]] = 1 - (self.rows & told).sum(1) / np.maximum(1, rows)

    def different(self, cells: NDArray[np.int64], told: NDArray[np.bool_], size: int) -> NDArray[np.int64]:
        """(sets,) how many different cells the rows of each have, of ``size`` in all."""
        if len(cells) * size > LARGE:
            return np.array([len(np.unique(cells[rows & told])) for rows in self.rows])
        one_hot = np.zeros((len(cells), size), np.float32)
        one_hot[np.nonzero(told)[0], cells[told]] = 1
        found: NDArray[np.int64] = ((self.rows.astype(np.float32) @ one_hot) > 0).sum(1)
        return found


def matched(asked: Asked, some: Sequence[Meant]) -> tuple[Array, Array]:
    """Of the words that conditions leave: log p that they ask for each column, and less that of any other, (sets, columns)."""
    questions = np.stack([asked.rows(frozenset().union(*(each.places for each in one.conditions))) for one in some])
    different, which = np.unique(questions, axis=0, return_inverse=True)
    found = log_normalized(Matcher.load().asked(different, asked.table.columns))
    return found[which.ravel()], less_the_best_other(found)[which.ravel()]


def read_by(asked: Asked, some: Sequence[Meant]) -> tuple[Array, Array]:
    """log p that the question asks for each column, with what conditions read as names, and less that of any other, as above.

    Of conditions beyond the likeliest ones the whole question is read.
    """
    named = [frozenset().union(*(each.places for each in one.conditions)) for one in some]
    different = [*dict.fromkeys([frozenset(), *named])][:READ]
    found, at = asked.read(different), {places: number for number, places in enumerate(different)}
    which = [at.get(places, 0) for places in named]
    return found[which], less_the_best_other(found)[which]


def less_the_best_other(found: Array) -> Array:
    """Each of some logarithms less the greatest of the others of its row, (B, columns).

    >>> less_the_best_other(np.array([[-1.0, -3.0, -4.0]])).tolist()
    [[2.0, -2.0, -3.0]]
    """
    best = np.sort(found, axis=1)
    others = np.where(found == best[:, -1:], best[:, -2:-1] if found.shape[1] > 1 else 0.0, best[:, -1:])
    difference: Array = found - others
    return difference


__all__ = ["SEVERAL_ANSWERS", "Both", "bits_of"]
