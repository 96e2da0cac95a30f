"""The candidates for what a question means, each with its features and, when it is wanted, its answer."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from memnet.memory.tables.cells import DATE, MONEY, NO, NUMBER, TEXT, YES
from memnet.memory.tables.degrees import is_past
from memnet.memory.tables.ranked.asked import HUMAN, IS, NOUN, Asked
from memnet.memory.tables.ranked.concepts import is_about
from memnet.memory.tables.ranked.condition import EMPTY, IS_NOT, MEANT
from memnet.memory.tables.ranked.conditions import NEAR, NOT, conditions
from memnet.memory.tables.ranked.features import AT, FEATURES, condition_features, head_features, question_features, unlinked
from memnet.memory.tables.ranked.naming import is_code
from memnet.memory.tables.ranked.pairs import SEVERAL_ANSWERS, Both
from memnet.memory.tables.ranked.queries import CELL_VERDICT, MANY, WHETHER, Head, Meant, has, heads, sets_of
from memnet.memory.tables.ranked.query import COUNT, LEAST, LIST, MEAN, MOST, SUM, VERDICT, Query
from memnet.memory.tables.ranked.ranks import ranks_of
from memnet.memory.tables.table import NUMBERING, Column, Table
from memnet.memory.tables.told import Told, refused
from memnet.memory.tables.wording import Question
from memnet.tasks.text.english import SPEAKERS, of_class

MOST_WORDS = 60  # of a question
MADE = of_class("made born built bought sold found grown printed")
BY_KIND = of_class("which what who how")
DOING, WHOM = ([(word, verb) for verb in ("did", "does", "do")] for word in ("what", "who"))
SPOKEN = 0.7  # strength of a denial from which a question surely speaks of it
OF_CODES = of_class("number numbers no nos code codes id ids tag tags ref reference serial asset ticket")
BOUGHT = of_class("buy buys bought purchase purchased sell sells sold")
ARE_THERE = (("are", "there"), ("are", "there", "?"), ("do", "we", "have"), ("have", "we", "got"))
OF_KINDS, OF_NAMES = ("number", "name"), of_class("first last middle maiden full second")
OF_EVERY = of_class("and all every everyone everybody everything both only each")
NEEDS = {  # words, and what a column has to be about where a question has them
    of_class("left remaining"): ("stock", "quantity", "places_free", "capacity", "balance"),
    of_class("full"): ("places_free", "capacity", "attendance"),
}
SEVERAL = of_class("second third fourth fifth two three four five 2 3 4 5")


@dataclass(eq=False)
class Candidates:
    """All queries of a question, the answer of the reading that explains every word, and that there is none."""

    asked: Asked
    meant: list[Meant]
    heads: list[Head]
    strict: Told
    x: NDArray[np.float32]  # (sets x heads + 2, len(FEATURES)); the last two are the strict reading and a refusal

    @classmethod
    def of(cls, table: Table, question: Question, strict: Told) -> Candidates:
        """Those of a table. Raises ValueError for a question without words, or of too many."""
        if not 0 < len(question.tokens) <= MOST_WORDS:
            raise ValueError(f"a question of {len(question.tokens)} words")
        asked = Asked(table, question)
        every = conditions(asked)
        some, asks = sets_of(asked, every), heads(asked)
        both = Both(asked, some)  # it lets the columns be read, once for all wordings
        of_question = question_features(asked) + unlinked(asked, every)
        of_question[AT["strict answers"]], of_question[AT["strict refused"]] = bool(strict.parts), not strict.parts
        of_sets = condition_features(asked, some) + of_question
        parts = []
        for head in asks:
            x = of_sets + head_features(asked, head)
            both.fill(head, x)
            parts.append(x)
        last = np.tile(of_question, (2, 1))
        last[0] += strict_features(asked, strict)
        last[1, AT["refuse"]] = 1
        return cls(asked, some, asks, strict, np.concatenate([*parts, last]).astype(np.float32))

    def __len__(self) -> int:
        return len(self.x)

    def query(self, number: int) -> tuple[Meant, Head] | None:
        """The conditions and what is asked of a candidate; None for the last two."""
        if number >= len(self.meant) * len(self.heads):
            return None
        return self.meant[number % len(self.meant)], self.heads[number // len(self.meant)]

    @cached_property
    def beyond(self) -> bool:
        """Whether no query can say what is asked: both of the biggest, what is left of no stock, "Is everyone insured?"."""
        low = self.asked.low
        ordered = any(one.operation in (MOST, LEAST) for one in self.heads)
        some = ordered and not SEVERAL.isdisjoint(low) and ranks_of(low) == (1, 1)
        columns = self.asked.table.columns
        left = any(
            not words.isdisjoint(low) and not any(is_about(one, *kinds) for one in columns) for words, kinds in NEEDS.items()
        )
        whether = low[0] in WHETHER and "or" not in low and not (NOT | OF_EVERY).isdisjoint(low)
        return some or left or whether

    @cached_property
    def excluded(self) -> NDArray[np.bool_]:
        """(candidates,) whether it cannot be meant:

        - a "not" of the question denies nothing in it
        - "when" is answered by no time, or by that of another deed; "what did", by a time
        - "where" asks for somebody whose things the rows are, or for where something was made
        - "who does Ann manage" is answered by a manager
        - an adjective or a noun that has to be read is not
        - yes or no leaves a name, a number or a noun, is of a column that only a noun is near to, or of one of two cells
        - "how many" is answered by a name or a day, a "phone number" by an order's, what something was bought for by a fare
        """
        low = self.asked.low
        denied = not NOT.isdisjoint(low)
        some = [(denied and not denies(one, low)) or (low[0] == "where" and self.is_elsewhere(one)) for one in self.meant]
        never = [self.is_of_a_near_noun(head) for head in self.heads]
        never = [
            one or (counts(low) and tells_no_number(head)) or self.is_of_another_name(head) or self.is_of_another_kind(head)
            for one, head in zip(never, self.heads, strict=True)
        ]
        deeds = [any(map(is_past, head.target.words)) for head in self.heads]
        of_deeds = np.concatenate([np.repeat(deeds, len(self.meant)), [False, False]]).astype(bool)
        found: NDArray[np.bool_] = np.concatenate([np.tile(some, len(self.heads)), [False, False]]).astype(bool)
        found |= np.concatenate([np.repeat(never, len(self.meant)), [False, False]]).astype(bool)
        for at in self.needed:
            found |= ~np.array([*(self.reads(at, one, head) for head in self.heads for one in self.meant), True, True])
        left = self.x[:, AT["left names"]] + self.x[:, AT["left digits"]] + self.x[:, AT["left nouns"]]
        verdict = self.x[:, AT["do verdict"]] + self.x[:, AT["do cell verdict"]]
        found |= (self.x[:, AT["do verdict"]] > 0) & (left > 0)
        found |= (verdict > 0) & (self.x[:, AT["same column"]] > 0)  # "Do Ann and Bo hold it?"
        if low[0] == "when":
            read_otherwise = self.x[:, AT["left others"]] + self.x[:, AT["condition meant"]]
            found |= (self.x[:, AT["when fits"]] < 0) | (of_deeds & (read_otherwise > 0))
        elif low[:2] in WHOM and low[2:3] and low[2] not in SPEAKERS:  # "Who does Ann manage?" asks for no manager
            asks = [bool(self.asked.heard[head.target].places) for head in self.heads]
            found |= np.concatenate([np.repeat(asks, len(self.meant)), [False, False]]).astype(bool)
        elif low[:2] in DOING:
            found |= self.x[:, AT["date"]] > 0
        return found

    @cached_property
    def needed(self) -> list[int]:
        """The words that have to be read: "Which violin is old?", "Which items are broken?", "What is the colour of it?"."""
        asked, low, last = self.asked, self.asked.low, max(self.asked.content, default=-1)
        ends = last == len(low) - 1 or low[last + 1 :] == ("?",)
        found = [last] if last > 0 and ends and low[last - 1] in IS and low[0] in BY_KIND else []
        if low[0] == "which" and self.is_of_cells(asked.noun):
            found.append(asked.noun)
        of_it = low[0] == "what" and low[1:2] and low[1] in IS and low[2:3] == ("the",) and low[4:5] == ("of",)
        return [*found, 3] if of_it and 3 in asked.content else found

    def is_of_cells(self, at: int) -> bool:
        """Whether a word is of cells of some rows and of no header: "violin" of violin 1 and violin 2."""
        named = any(at in one.places and one.cells for each in self.meant for one in each.conditions)
        return named and not any(at in heard.header for heard in self.asked.heard.values())

    def reads(self, at: int, meant: Meant, head: Head) -> bool:
        """Whether a candidate reads a word: as a condition, if it surely is one, or as of a column that it is about."""
        columns = [head.target, *([head.measure] if head.measure else []), *(one.column for one in meant.conditions)]
        said = any(at in one.places and (one.cells or one.strength >= SPOKEN) for one in meant.conditions)
        return said or any(at in self.asked.heard[one].places for one in columns)

    def is_of_a_near_noun(self, head: Head) -> bool:
        """Whether yes or no is that of a column which only a noun is near to: sheep are no goats."""
        if head.operation != CELL_VERDICT or self.asked.heard[head.target].places:
            return False
        near = self.asked.heard[head.target].near
        return not any(value >= NEAR and self.asked.classes.get(at) != NOUN for at, value in near.items())

    def is_of_another_name(self, head: Head) -> bool:
        """Whether a column is no number or name of the kind that is asked for, or says nothing of buying and selling."""
        asked, heard = self.asked, self.asked.heard[head.target].places
        if head.operation not in (LIST, SUM, MEAN) or head.target is asked.label:
            return False
        pairs = enumerate(zip(asked.low, asked.low[1:], strict=False))  # a word and the one behind it
        kinds = [at for at, (word, behind) in pairs if behind in OF_KINDS and (at in asked.content or word in OF_NAMES)]
        people = asked.low[:2] == ("how", "many") and asked.low[2:3] != () and asked.low[2] in HUMAN
        if people and head.target.kind == NUMBER and not heard:
            return True  # "How many people can it carry?" asks for no hands of a horse
        if any(asked.low[at] not in NUMBERING and at not in heard and not self.is_named(at) for at in kinds):
            return True
        return not BOUGHT.isdisjoint(asked.low) and head.target.kind == MONEY and not heard

    def is_of_another_kind(self, head: Head) -> bool:
        """Whether rows are counted for "how many rooms", a date tells "how old", or "which violin" and "what is" get no thing.

        "How many rooms are there?" asks for the different ones of Room 2 and Room 4, and "What is order 4109?" for no remark.
        """
        asked, low, target = self.asked, self.asked.low, head.target
        if low[:2] == ("how", "many"):
            rooms = any(
                2 in one.places and len(one.cells) > 1 and one.column is not asked.label
                for each in self.meant
                for one in each.conditions
            )
            return head.operation == COUNT and low[3:] in ARE_THERE and rooms
        if low[:2] == ("how", "old"):
            return head.operation == LIST and target.kind == DATE
        if low[:2] == ("what", "is"):
            return head.operation == LIST and target.is_notes and not asked.heard[target].places
        label = low[0] == "which" and any(
            asked.noun in one.places and one.column is asked.label
            for each in self.meant
            for one in each.conditions
            if one.cells
        )
        return label and head.operation in (MOST, LEAST) and target not in (asked.label, asked.table.columns[0])

    def is_named(self, at: int) -> bool:
        """Whether a word is in a cell that a condition names."""
        return any(at in each.places for one in self.meant for each in one.conditions if each.cells)

    def is_elsewhere(self, meant: Meant) -> bool:
        """Whether no table says where that is: where something was made, or where somebody is whose things the rows are."""
        named = {one.column for one in meant.conditions if one.cells}
        made = not MADE.isdisjoint(self.asked.low)
        return made or (bool(named) and named <= {*self.asked.people} and self.asked.label not in named)

    @cached_property
    def answers(self) -> dict[tuple[tuple[int, ...], Head], Told]:
        """Those that were looked up."""
        return {}

    def told(self, number: int) -> Told:
        """The answer of a candidate."""
        both = self.query(number)
        if both is None:
            return self.strict if number == len(self) - 2 else refused("nothing in the table says that")
        return self.told_of(*both)

    def told_by_name(self, number: int) -> Told:
        """The same; of the rows' codes, which nobody asks for, the rows by their names."""
        both, first = self.query(number), self.asked.table.columns[0]
        label, is_key = self.asked.label, is_code(first) and len({*first.cells}) == len(first.cells)
        by_code = both is not None and both[1].target is first and both[1].operation in (LIST, MOST, LEAST)
        if both is None or not by_code or not is_key or self.asks_for_codes(first):
            return self.told(number)
        named = label in self.asked.people or any(one.column is label for one in both[0].conditions)
        return self.told(number) if named else self.told_of(both[0], replace(both[1], target=label))

    def asks_for_codes(self, first: Column) -> bool:
        """Whether a question asks for codes, by a word such as "number", or one of the header of the rows' codes."""
        at = self.asked.noun
        return not OF_CODES.isdisjoint(self.asked.low) or (at >= 0 and at in self.asked.heard[first].header)

    def told_of(self, meant: Meant, head: Head) -> Told:
        """The answer of a query."""
        key = meant.rows, head
        if key not in self.answers:
            self.answers[key] = told_of(self.asked.table, meant.rows, head)
        return self.answers[key]


def counts(low: Sequence[str]) -> bool:
    """Whether a question begins with "how many" or "number of", or with a word before these."""
    return has(low[:3], MANY)


def tells_no_number(head: Head) -> bool:
    """Whether what is looked up are days, or cells of words."""
    column = head.target
    words = column.kind == TEXT and sum(map(str.isdigit, (cell[0] for cell in column.told))) < len(column.told) / 2
    return head.operation == LIST and (words or column.kind == DATE)


def denies(meant: Meant, low: Sequence[str]) -> bool:
    """Whether a condition denies something that the question surely speaks of, or means a cell by its "not" too."""
    return any(
        (one.kind in (IS_NOT, EMPTY) and one.strength >= SPOKEN)
        or (one.kind == MEANT and any(low[at] in NOT for at in one.places))
        for one in meant.conditions
    )


def strict_features(asked: Asked, strict: Told) -> NDArray[np.float32]:
    """(len(FEATURES),) with what the strict reading answers: of which column, and how much."""
    x = np.zeros(len(FEATURES), np.float32)
    if strict.read and strict.parts:
        target = Counter(column for _, column in strict.read).most_common(1)[0][0]
        x = head_features(asked, Head(LIST, target)) if target in asked.heard else x
        x[AT["do list"]] = 0
    parts = len(strict.parts)
    x[AT["strict"]], x[AT["strict parts"]] = 1, math.log1p(parts)
    x[AT["strict verdict"]] = {*strict.parts} <= {"yes", "no"} and parts > 0
    x[AT["answers one"]], x[AT["answers many"]] = parts == 1, parts > SEVERAL_ANSWERS
    x[AT["answers several"]] = 1 < parts <= SEVERAL_ANSWERS
    x[AT["several fits"]], x[AT["one fits"]] = parts > 1 and asked.several, parts == 1 and not asked.several
    return x


def told_of(table: Table, rows: tuple[int, ...], head: Head) -> Told:
    """What is asked of some rows."""
    if head.operation == VERDICT:
        return Told(("yes" if rows else "no",), tuple((row, head.target) for row in rows[:1]) or ((0, head.target),))
    if head.operation == CELL_VERDICT:
        said = {verdict_of(head.target, row) for row in rows}
        if len(said) != 1 or "" in said:
            return refused("some are and some are not" if len(said) > 1 else "nothing says that")
        return Told((said.pop(),), ((rows[0], head.target),))
    return Query(table, rows, head.target, head.operation, head.measure, head.fewest, head.ranks, head.unit).told()


def verdict_of(column: Column, row: int) -> str:
    """Yes or no of a cell, no of an empty one where others are ticked; else the cell itself."""
    cell = column.cells[row]
    low = cell.lower()
    return "yes" if low in YES else "no" if low in NO or (not low and column.is_ticked) else cell


__all__ = ["AT", "FEATURES", "Candidates"]
