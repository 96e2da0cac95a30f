"""What "not" denies in a question about a table: a cell, a condition on a number, or what yes and no say.

Who does not work in Graz?             city: every other, but no row that leaves it empty
Which items does Ann not own?          the cell before "not", where rows are asked for
Is Bob not remote?                     the question without "not", and the other answer
Is nobody remote?                      that of anybody, and the other answer
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from memnet.memory.tables.limits import Limit
from memnet.memory.tables.named import Named
from memnet.memory.tables.spoken import Spoken
from memnet.memory.tables.table import Column
from memnet.memory.tables.wording import PERSONS, Question
from memnet.tasks.text.english import of_class

DENYING = of_class("not never neither nor cannot")
DENYING_NEXT = of_class("no without outside except excluding")  # deny the cell behind them alone
NOBODY = of_class("nobody no-one none")
SCOPE_ENDS = of_class("and but , ; who which that")
BETWEEN = of_class("a an any the in on at of by")  # words between "no" and a cell
SOME = of_class("any anything anyone anybody something someone somebody everyone everybody all every each")


class Denied(NamedTuple):
    """What is denied: cells, and conditions on numbers; ``lost`` where nothing says what "not" denies."""

    named: tuple[Named, ...] = ()
    limits: tuple[Limit, ...] = ()
    lost: bool = False


def denied_in(spoken: Spoken, states: Iterable[tuple[int, ...]]) -> Denied:
    """What a question denies; ``states`` are the places of conditions by yes and no, which are denied by themselves."""
    named, limits, lost = list[Named](), list[Limit](), False
    low, taken = spoken.question.low, spoken.used | {at for one in spoken.limits for at in one.places}
    told = {at for places in states for at in places}
    for at, word in enumerate(low):
        if word in DENYING_NEXT and at not in taken:
            named += [one for one in spoken.named if one.tokens[0] > at and {*low[at + 1 : one.tokens[0]]} <= BETWEEN][:1]
        if word not in DENYING or at in taken:
            continue
        end = next((place for place in range(at + 1, len(low)) if low[place] in SCOPE_ENDS | DENYING), len(low))
        inside = [one for one in spoken.named if at < one.tokens[0] < end]
        ends = {one: min(one.places) if one.versus is None else max(one.places) for one in spoken.limits}
        inside_limits = [one for one in spoken.limits if at < ends[one] < end]
        if any(at < place < end for place in told):
            continue
        if not inside and not inside_limits:
            before = subject_of(spoken, at)
            named += before
            lost |= not before and not (word == "neither" and "nor" in low)
        else:
            named += inside
            limits += inside_limits
            lost |= not joined(low, inside, inside_limits) or goes_on(spoken, inside, end)
    lost |= any(spoken.table.columns[place].is_notes for one in named for place in one.rows)
    return Denied(tuple(dict.fromkeys(named)), tuple(limits), lost)


def subject_of(spoken: Spoken, place: int) -> list[Named]:
    """The cell before "not" that is denied: whose rows are asked for, as in "Which items does Ann not own?"."""
    thing = spoken.table.thing.place
    asks_rows = spoken.noun is None or spoken.is_of_rows(spoken.noun)
    return [one for one in spoken.named if one.tokens[-1] == place - 1 and asks_rows and thing not in one.rows][:1]


def joined(low: tuple[str, ...], named: list[Named], limits: list[Limit]) -> bool:
    """Whether only one thing is denied, or each of several that "or" stands between."""
    places = sorted(
        [(min(one.tokens), max(one.tokens)) for one in named] + [(min(one.places), max(one.places)) for one in limits]
    )
    return all("or" in low[first[1] : second[0]] for first, second in pairwise(places))


def goes_on(spoken: Spoken, named: list[Named], end: int) -> bool:
    """Whether "and" joins another cell of a column that is denied: "not in Graz and Linz" may mean either or both."""
    after = [one for one in spoken.named if end < one.tokens[0] and {*spoken.question.low[end + 1 : one.tokens[0]]} <= BETWEEN]
    is_and = spoken.question.low[end : end + 1] in (("and",), (",",))
    return is_and and any({*one.rows} & {*other.rows} for one in after for other in named)


def other_rows(columns: Iterable[Column], rows: frozenset[int]) -> frozenset[int]:
    """The rows that have cells in columns, but not these rows."""
    return frozenset(row for one in columns for row, cell in enumerate(one.cells) if cell) - rows


def opposite(question: Question, taken: Iterable[int]) -> tuple[Question, bool] | None:
    """A question of yes or no without "not" or with "anybody" for "nobody", and whether its answer turns round; else None.

    >>> opposite(Question.of("Is nobody remote?"), ())[0].low, opposite(Question.of("Is Bob not remote?"), ())[0].low
    (('is', 'anybody', 'remote'), ('is', 'bob', 'remote'))
    """
    low, tokens = question.low, question.tokens
    at = next((place for place, word in enumerate(low) if word in NOBODY | {"no"} | DENYING), 0)
    if not at or at in {*taken} or sum(word in NOBODY | {"no"} | DENYING for word in low) > 1:
        return None
    if low[at] == "no" or low[at] in NOBODY:
        if at > 2 or (at == 2 and low[1] != "there"):
            return None
        one = low[at] == "no" and low[at + 1 : at + 2] == ("one",)
        word = "anybody" if one or low[at] != "no" else "any"
        words = [*tokens[:at], replace(tokens[at], text=word), *tokens[at + 1 + one :]]
    elif low[at] not in ("not", "never") or not {*low[1:at]}.isdisjoint(SOME | PERSONS):
        return None
    else:
        words = [*tokens[:at], *tokens[at + 1 :]]
    return Question(question.text, tuple(replace(one, place=place) for place, one in enumerate(words))), at > 1 or low[
        at
    ] != "not"
