"""All queries that a question may mean: conditions that go together, the column that is asked for, and what is made of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from memnet.memory.tables.cells import MONEY, NUMBER, ORDERED, TEXT
from memnet.memory.tables.degrees import ordered_column, sign_in
from memnet.memory.tables.ranked.asked import Asked
from memnet.memory.tables.ranked.condition import DAY, Condition
from memnet.memory.tables.ranked.linking import says
from memnet.memory.tables.ranked.query import (
    COUNT,
    DISTINCT,
    GAP,
    GROUP,
    GROUP_MEAN,
    GROUP_SUM,
    LEAST,
    LIST,
    MEAN,
    MOST,
    SHARE,
    SUM,
    VERDICT,
)
from memnet.memory.tables.ranked.ranks import asks_for_an_end, ranks_of
from memnet.memory.tables.ranked.spans import APART, unit_in
from memnet.memory.tables.table import Column
from memnet.tasks.text.english import AUXILIARIES, of_class

CELL_VERDICT = "cell verdict"  # yes or no by the cell of a column of such
OPERATIONS = (
    *(LIST, COUNT, DISTINCT, SUM, MEAN, MOST, LEAST, GROUP, VERDICT, CELL_VERDICT),
    *(GROUP_SUM, GROUP_MEAN, SHARE, GAP),
)
CONDITIONS, TOGETHER, SETS = 12, 4, 100  # that are tried, that go together, and how many sets of them
MEASURES = 8
TOTAL, AVERAGE = (
    of_class("total altogether sum combined overall together all add added up"),
    of_class("average mean typical typically averaging averages usual usually norm per"),
)
MANY = (("how", "many"), ("number", "of"), ("how", "often"), ("count",))
COUNTING = of_class("number count headcount tally many often total figure")
ONCE = of_class("once")
OF_CELLS = of_class("who whose whom when where which why")  # what they begin asks for no number, and for neither yes nor no
MUCH = (("how", "much"), ("how", "many"))
ADDED = TOTAL | of_class(  # words of sums: "What did the repairs come to?", "the bill for everything"
    "altogether worth everything bill income takings come comes came bring brings brought take took taken make makes made earn "
    "earned spend spent pay paid charged charge owe owes owed cost costs raise raised"
)
DIFFERENT = of_class("different distinct various unique separate")
ASKED = 2  # other columns that a question asks for most, of which the most and the least are looked up
SHARES = of_class("share percent percentage % proportion fraction pct")
FEW = of_class("fewest least lowest smallest rarest")
WHETHER = AUXILIARIES | of_class("any anyone anybody anything")


@dataclass(frozen=True)
class Meant:
    """Conditions that go together, and the rows that meet them."""

    conditions: tuple[Condition, ...]
    rows: tuple[int, ...]
    mask: int  # a bit for each word that they read

    @property
    def columns(self) -> frozenset[int]:
        """The places of their columns."""
        return frozenset(one.column.place for one in self.conditions)


@dataclass(frozen=True)
class Head:
    """What is asked of rows."""

    operation: str
    target: Column
    measure: Column | None = None
    by_degree: bool = field(default=False, compare=False)  # whether the measure is what a word of degree compares by
    fewest: bool = False  # of groups of rows: which has fewest of them, or the least of the measure
    ranks: tuple[int, int] = (1, 1)  # which places of an order
    unit: str = ""  # of time, for a gap


def mask_of(places: Sequence[int] | frozenset[int]) -> int:
    """A bit for each place."""
    return sum(1 << at for at in places)


def sets_of(asked: Asked, every: Sequence[Condition]) -> list[Meant]:
    """Sets of conditions of which no two read one word, the likeliest first; the empty one, too."""
    order = sorted(every, key=lambda one: -one.prior)[:CONDITIONS]
    masks = [mask_of(one.places) for one in order]
    found: list[tuple[float, tuple[int, ...]]] = []

    def grow(first: int, chosen: tuple[int, ...], used: int, prior: float) -> None:
        found.append((prior, chosen))
        if len(chosen) < TOGETHER:
            for at in range(first, len(order)):
                if not used & masks[at]:
                    grow(at + 1, (*chosen, at), used | masks[at], prior + order[at].prior)

    grow(0, (), 0, 0.0)
    best = sorted(found, key=lambda one: -one[0])[:SETS]
    best = best if any(not chosen for _, chosen in best) else [*best, (0.0, ())]
    return [meant(asked, [order[at] for at in chosen]) for _, chosen in best]


def meant(asked: Asked, chosen: Sequence[Condition]) -> Meant:
    """Conditions with the rows that meet them all; of several cells of one column any."""
    by_column = dict[Column, frozenset[int]]()
    for one in chosen:
        before = by_column.get(one.column)
        either = bool(one.cells) or (one.kind == DAY and "or" in asked.low)
        by_column[one.column] = one.rows if before is None else (before | one.rows if either else before & one.rows)
    rows = frozenset(range(len(asked.table)))
    for some in by_column.values():
        rows &= some
    mask = 0
    for one in chosen:
        mask |= mask_of(one.places)
    return Meant(tuple(chosen), tuple(sorted(rows)), mask)


def has(low: Sequence[str], phrases: Sequence[tuple[str, ...]]) -> bool:
    """Whether a question has one of some phrases."""
    return any(tuple(low[at : at + len(one)]) == one for one in phrases for at in range(len(low) - len(one) + 1))


def heads(asked: Asked) -> list[Head]:
    """All that may be asked of rows, by the words of the question."""
    return [*dict.fromkeys(_heads(asked))]


def _heads(asked: Asked) -> Iterator[Head]:
    low, table = asked.low, asked.table
    told = [*(one for one in table.columns if one.told), *asked.derived]
    numbers = [one for one in told if one.kind in (NUMBER, MONEY) and one.is_amount]
    for column in told:
        yield Head(LIST, column)
    free = low[0] not in OF_CELLS
    if free or not COUNTING.isdisjoint(low):
        yield Head(COUNT, asked.label)
        different = not (DIFFERENT | ONCE).isdisjoint(low)
        for column in told:
            if (asked.heard[column].places or different) and column.kind not in (NUMBER, MONEY):
                yield Head(DISTINCT, column)
    if free or has(low, MUCH) or not ADDED.isdisjoint(low):
        yield from (Head(SUM, one) for one in numbers)
    if not AVERAGE.isdisjoint(low):
        yield from (Head(MEAN, one) for one in numbers)
    if free or not WHETHER.isdisjoint(low[:2]):
        yield Head(VERDICT, asked.label)
        yield from (Head(CELL_VERDICT, one) for one in told if one.is_verdict or one.is_ticked)
    if not SHARES.isdisjoint(low):
        yield Head(SHARE, asked.label)
    if not APART.isdisjoint(low):
        yield from (Head(GAP, one, unit=unit_in(low)) for one in told if one.kind in ORDERED and one.is_amount)
    yield from extremes(asked, told)


def extremes(asked: Asked, told: Sequence[Column]) -> Iterator[Head]:
    """The most and the least of everything that can be ordered, and what most rows have."""
    low = asked.low
    if not asks_for_an_end(low):
        return
    beside = [one for one in asked.question.tokens if says(one)]
    by_degree = ordered_column(asked.table, asked.degree, beside, low) if asked.degree is not None else None
    targets = [asked.label, *asked.people, asked.table.columns[0]]
    targets += [one for one in told if asked.heard[one].places]
    targets += [one for one in asked.most_asked[:ASKED] if one.told]
    targets, ranks = [*dict.fromkeys(targets)], ranks_of(low)
    measures = [one for one in told if one.kind in ORDERED and one not in asked.derived][:MEASURES]
    for measure in [*measures, *(one for one in asked.derived if one.kind in ORDERED)]:
        signs: tuple[str, ...] = (MOST, LEAST)
        if measure is by_degree and asked.degree is not None:
            signs = (MOST,) if sign_in(asked.degree, measure) > 0 else (LEAST,)
        for target in (measure,) if asks_for_the_measure(asked, measure) else dict.fromkeys([*targets, measure]):
            for sign in signs:
                yield Head(sign, target, measure, measure is by_degree, ranks=ranks)
    fewest = not FEW.isdisjoint(low)
    if ranks == (1, 1):
        yield from (Head(GROUP, target, fewest=fewest) for target in targets)
        yield from of_groups(asked, targets, [one for one in told if one.kind in (NUMBER, MONEY) and one.is_amount], fewest)


def asks_for_the_measure(asked: Asked, measure: Column) -> bool:
    """Whether a place of an order is asked of the measure itself: "What is the third highest price?"."""
    last = len(asked.low) - 1
    return ranks_of(asked.low) != (1, 1) and asked.low[:2] == ("what", "is") and last in asked.heard[measure].header


def of_groups(asked: Asked, targets: Sequence[Column], measures: Sequence[Column], fewest: bool) -> Iterator[Head]:
    """Whose rows come to the most or the least of a number, of cells that several rows have; on average, where that is said."""
    operation = GROUP_SUM if AVERAGE.isdisjoint(asked.low) else GROUP_MEAN
    groups = [one for one in targets if one.kind == TEXT and 1 < len(one.distinct) < len(one.told)]
    for measure in measures[:MEASURES]:
        less = fewest or (asked.degree is not None and sign_in(asked.degree, measure) < 0)
        yield from (Head(operation, one, measure, fewest=less) for one in groups)


__all__ = ["CELL_VERDICT", "OPERATIONS", "Head", "Meant", "heads", "mask_of", "sets_of"]
