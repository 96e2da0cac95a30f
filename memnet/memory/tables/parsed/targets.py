"""The column that a question asks for, by its question word, the words of headers, and what columns are about."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from memnet.memory.columns import cosine
from memnet.memory.tables.cells import DATE, MONEY, NUMBER, ORDERED, TEXT
from memnet.memory.tables.parsed.concepts import asked_of, concepts
from memnet.memory.tables.table import NUMBERING, Column, Table
from memnet.memory.tables.wording import GENERIC, PERSONS, Question, is_word
from memnet.tasks.text.english import AUXILIARIES, QUESTION_WORDS, function_words, kinds_of_word, of_class, singular

WHO, WHEN, WHERE = of_class("who whom whose"), of_class("when"), of_class("where whereabouts")
HOLDS = 0.5  # what "got" says of a column of who holds things
LIVING = of_class("from live lives living come comes coming based work works working sit sits stay stays")
READ = "_"  # stands for a word that is read
DAYS = of_class("date dates day days night nights morning mornings evening evenings time year month")
HUMAN = PERSONS | of_class("guest guests customer customers client clients owner owners colleague colleagues staff folk us")
IS = of_class("is are was")
NUMBERS = of_class("number numbers no")
SORTS = of_class("kind sort type kinds sorts types")
CODES = re.compile(r"(?=.*\d)[\w./-]+|[A-Z0-9]{5,}")
OF_CODES = of_class("number numbers no nos code codes id ids tag tags ref reference serial asset ticket")
UNIQUE, LIKE, NAMED = 0.4, 0.7, 0.8
OF_KIND, OF_NOUN, OF_LABEL, ASKED_ALREADY, BY_VECTOR, LESS = 1.5, 2.0, 0.6, 3.0, 0.8, 0.3


def label_of(table: Table) -> Column:
    """The column of what rows are called by people: names that are no codes, of people where these stand first."""
    first = table.columns[0]
    if is_code(first) and not {*first.words} & NUMBERING and len(first.distinct) == len(first.told):
        return first  # "Line" of B1 and B2, "Hive"
    texts = [one for one in table.columns if one.kind == TEXT and one.told and not one.is_notes and not is_code(one)]
    texts = [one for one in texts if not function_words().issuperset(one.words)] or texts
    full = [one for one in texts if len(one.told) > NAMED * len(table)] or texts
    if not full:
        return table.columns[0]
    things = [one for one in full if not one.likeness_to_people]
    if not things or (full[0] not in things and full[0] is table.columns[0]):
        return full[0]
    varied = [one for one in things if len(one.distinct) >= UNIQUE * len(one.told)]
    if not varied and len(first.distinct) == len(first.told) and is_code(first):
        return first
    return varied[0] if varied else max(things, key=lambda one: len(one.distinct))


def is_code(column: Column) -> bool:
    """Whether a column numbers things: its cells are single words with figures."""
    codes = sum(CODES.fullmatch(cell) is not None for cell in column.distinct)
    return column.is_numbering or (column.kind not in ORDERED and codes > NAMED * len(column.distinct))


def people_of(table: Table) -> list[Column]:
    """The columns of people, in their order."""
    return [one for one in table.columns if one.likeness_to_people > 0]


@dataclass(frozen=True)
class Target:
    """A column that may be asked for, how much speaks for it, and the words that do."""

    column: Column
    score: float
    tokens: frozenset[int]


def noun_of(question: Question) -> tuple[int, str]:
    """The noun behind "which" or "what", of "what kind of plant" the latter, its place and itself; -1 and "" for none."""
    low = question.low
    if low[:1] == ("what",) and low[1:2] in (("is",), ("are",), ("was",)) and low[2:3] == ("the",) and low[4:5] == ("of",):
        return 3, low[3]
    for place, word in enumerate(low[:-1]):
        if word in ("which", "what"):
            at = place + 1
            if low[at] in SORTS and low[at + 1 : at + 2] == ("of",) and at + 2 < len(low):
                at += 2
            while at < len(low) - 1 and low[at] in ("of", "the", "our", "my", "other", "different"):
                at += 1
            if low[at].isalpha() and low[at] not in AUXILIARIES:
                return at, low[at]
    owned = next((one.place + 1 for one in question.tokens if one.owning and one.place + 1 < len(low)), -1)
    if owned > 0 and low[0] in ("what", "who") and low[1] in IS:
        return owned, low[owned]
    return -1, ""


class Wanted:
    """What a question asks for, whatever the columns."""

    def __init__(self, table: Table, question: Question, read: Collection[int]) -> None:
        self.low = [word if place not in read else READ for place, word in enumerate(question.low)]
        self.question, self.read = question, read
        self.at, self.noun = noun_of(question)
        low = [word.removesuffix("s") if word in ("whats", "wheres", "whos") else word for word in question.low]
        self.word = next((word for word in low if word in QUESTION_WORDS | WHERE), "")
        self.people, self.label = people_of(table), label_of(table)
        self.of_sort = self.at > 1 and question.low[self.at - 1] == "of" and question.low[self.at - 2] in SORTS
        self.of_sort = self.of_sort and any(is_word(self.noun, one) for one in self.label.words)
        self.of_people = (
            self.word in WHO or singular(self.noun) in HUMAN or (not self.word and not HUMAN.isdisjoint(question.low[:3]))
        )

    def columns(self, table: Table) -> list[Column]:
        """The columns that the question word may ask for: people, dates, places, amounts; all where there is none of these."""
        told = [one for one in table.columns if one.told]
        kinds: list[Column] = []
        if self.of_people:
            kinds = [
                *self.people,
                *(one for one in told if one not in self.people and is_doer(one) and asked_of(one, self.low)[0] >= 1),
            ]
            kinds = kinds or [self.label]
        elif self.word in WHEN or self.noun in DAYS:
            kinds = [one for one in told if one.kind == DATE]
        elif self.word in WHERE and self.label in self.people and LIVING.isdisjoint(self.question.low):
            kinds = [one for one in told if one is self.label]  # where somebody is, no table says
        elif self.word in WHERE:
            kinds = [one for one in told if one.is_place or is_about(one, "place", "origin")]
        elif self.question.low[:2] == ("how", "much"):
            kinds = [one for one in told if one.kind in (MONEY, NUMBER) and one.is_amount]
        elif self.word in ("which", "what") and self.question.low[0] not in AUXILIARIES:
            kinds = [
                one for one in told if not one.is_verdict or (self.noun and any(is_word(self.noun, word) for word in one.words))
            ]
        if self.word == "what" and self.at < 0 and DAYS.isdisjoint(self.low):
            kinds = [one for one in kinds or told if one.kind != DATE]
        return kinds or told

    def score(self, column: Column) -> tuple[float, set[int]]:
        """How much speaks for a column, and the places of the words that do."""
        score, found = asked_of(column, self.low)
        tokens = {*found}
        if found and all(self.low[at] in NUMBERS and self.is_of_another(at - 1) for at in found):
            score, tokens = 0.0, set()  # "phone number" is no "Plot no."
        score += OF_KIND * self.of_kind(column)
        if self.at >= 0 and self.at not in self.read:
            about = [one for one in concepts() if one.fits(column) and (self.noun,) in one.asks and column not in self.people]
            if any(is_word(self.noun, one) for one in column.words) or about or begin_so(column, self.noun):
                score += OF_NOUN
                tokens.add(self.at)
        if self.of_sort and is_about(column, "kind") and column is not self.label:
            score += OF_NOUN
        plain = self.word in ("which", "what", "")
        if plain and column.kind == DATE and (self.at < 0 or not any(is_word(self.noun, one) for one in column.words)):
            score -= OF_KIND
        if column is self.label and plain and (self.at < 0 or self.noun in GENERIC or self.at in self.read):
            score += OF_LABEL
        if (
            plain
            and not tokens
            and (column.kind in ORDERED or column.is_verdict or (column in self.people and column is not self.label))
        ):
            score -= OF_KIND
        return score, tokens

    def is_of_another(self, place: int) -> bool:
        """Whether a word before "number" says of what, and is no word of what rows are called."""
        word = self.low[place] if place >= 0 else ""
        is_noun = "NOUN" in (kinds_of_word(word) or ("NOUN",))
        return word.isalpha() and is_noun and not any(is_word(word, one) for one in self.label.words)

    def of_kind(self, column: Column) -> float:
        """How much a column has what the question word asks for."""
        if self.of_people:
            holds = HOLDS * (is_about(column, "holder") and not {"got", "has", "have"}.isdisjoint(self.question.low))
            return holds + (0.0 if column not in self.people else 1.0 if column is self.people[0] else 0.8)
        if self.word in WHEN or self.noun in DAYS:
            last = 0.3 * ("last" in self.question.low and "last" in column.words) - 0.3 * is_about(column, "birth")
            return 1.0 * (column.kind == DATE) + last
        if self.word in WHERE:
            return 0.6 * column.is_place + 0.6 * is_about(column, "place", "origin")
        if self.word == "how":
            after = self.question.low[self.question.low.index("how") + 1 :]
            if after[:1] == ("much",):
                of_what = after[1:2] and after[1] not in AUXILIARIES and after[1] not in ("for", "to")
                return 0.0 if of_what else 1.0 * (column.kind == MONEY) + 0.4 * (column.kind == NUMBER and column.is_amount)
            return (1.0 if after[:1] == ("many",) else 0.3) * (column.kind in (NUMBER, MONEY) and column.is_amount)
        return 0.0


def targets(
    table: Table, question: Question, conditioned: Collection[Column], left: Sequence[int], read: Collection[int] = ()
) -> list[Target]:
    """Columns that may be asked for, the best first.

    Those that are ``conditioned`` hardly; ``left`` are the places of words to explain, ``read`` of those that name cells.
    """
    wanted, found = Wanted(table, question, read), []
    for column in wanted.columns(table):
        score, tokens = wanted.score(column)
        near, place = nearest(column, question, left)
        if near >= LIKE:
            score += BY_VECTOR * near
            tokens.add(place)
        score -= ASKED_ALREADY * (column in conditioned) + LESS * column.is_notes
        label = wanted.label
        of_code = (
            (column.is_numbering or (column is table.columns[0] and is_code(column)))
            and column is not label
            and OF_CODES.isdisjoint(wanted.low)
            and bool(tokens)
        )
        found.append(Target(label if of_code else column, score, frozenset(tokens)))
    return sorted(found, key=lambda one: (-one.score, one.column.place))


def begin_so(column: Column, noun: str) -> bool:
    """Whether cells of a column begin with a noun: "Rail 5", "Rail 2"."""
    begins = [cell for cell in column.distinct if is_word(noun, (cell.split() or [""])[0].lower() or READ)]
    return column.kind == TEXT and len(begins) > 1 and 2 * len(begins) >= len(column.distinct)


def is_doer(column: Column) -> bool:
    """Whether a column may hold who does something, such as a firm."""
    return is_about(column, "supplier", "maker", "owner", "holder", "does")


def is_about(column: Column, *names: str) -> bool:
    """Whether a column is about one of some concepts."""
    return any(one.name in names and one.fits(column) for one in concepts())


def nearest(column: Column, question: Question, left: Sequence[int]) -> tuple[float, int]:
    """How near a word of a question is to one of a header, by vectors, and its place."""
    scores = [
        (cosine(question.low[place], word), place)
        for place in left
        for word in column.words
        if word.isalpha() and len(word) > 2 and question.low[place].isalpha()
    ]
    return max(scores, default=(0.0, -1))


__all__ = ["Target", "is_about", "is_code", "label_of", "people_of", "targets"]
