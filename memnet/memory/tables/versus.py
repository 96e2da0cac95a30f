"""Two columns of a row that a question compares, as a condition: the rows where one is more than the other.

Which items cost more than they sell for?        cost > price
Where is the price below the cost?               price < cost
Which books were returned after they were due?   returned > due
Which teams have as many wins as losses?         wins = losses
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from memnet.ask.joined import is_verb
from memnet.memory.columns import is_of
from memnet.memory.tables.cells import DATE, MONEY, NUMBER, ORDERED, currencies
from memnet.memory.tables.degrees import ATTRIBUTES, COSTS, Degree, bases, costs_are_asked, is_cost, only, sign_in
from memnet.memory.tables.joined import Joined
from memnet.memory.tables.limits import ABOVE, BELOW, CLAUSES, MORE_OR_LESS, Limit
from memnet.memory.tables.table import Column, Table
from memnet.memory.tables.wording import JOINING, TIME_NOUNS, Question, Token, is_word
from memnet.tasks.text.english import AUXILIARIES, of_class
from memnet.tasks.text.tokens import NUMBER_WORDS

EXCEEDING = of_class("exceed exceeds exceeded")
EQUALLING = of_class("equal equals equalled")
SCALING = of_class("twice double half triple thrice times quarter percent no average mean median total sum all any other most")
OWN = of_class("their its his her they it he she")
BEFORE_SIDE = OWN | AUXILIARIES | of_class("the a an own to was were is are be been")
SELLING = of_class("price sale selling retail")  # of a header: what something sells for
PLAIN = of_class("size height length number")  # attributes of adjectives that say of any number that it is more: "longer"
JOINER = 0.4  # what a preposition of a header counts


class Comparison(NamedTuple):
    """Words that compare: their places, which side is to be more, 0 where both are as much, and where the second begins."""

    places: tuple[int, ...]
    sign: int
    begin: int
    adjective: str = ""
    of_dates: bool = False
    is_sure: bool = False  # that a side follows: behind "than"
    is_scaled: bool = False  # "twice as much as", "10 more than"


def versus_of(table: Table, question: Question, used: set[int]) -> tuple[list[Limit], list[tuple[int, ...]]]:
    """The conditions on two columns of a question, and the places of the comparisons of which one side is not clear."""
    found, lost = list[Limit](), list[tuple[int, ...]]()
    for one in comparisons(question.low):
        end = next((at for at in range(one.begin, len(question.low)) if question.low[at] in CLAUSES), len(question.low))
        side = range(one.begin, end)
        low = question.low[side.start : side.stop]
        if not side or any(at in used for at in side) or any(word in NUMBER_WORDS or word[0].isdigit() for word in low):
            continue  # another row, or a number
        is_scaled = one.is_scaled or any(map(is_scaling, low))
        limit = None if is_scaled else limit_of(table, question, one, side, used)
        if limit is not None:
            found.append(limit)
        elif one.is_sure and is_of_columns(table, question, side):
            lost.append((*one.places, *(at for at in side if at not in one.places)))
    return found, lost


def comparisons(low: Sequence[str]) -> Iterator[Comparison]:
    """The words of a question that compare what stands before them with what follows.

    >>> [(one.places, one.sign, one.begin) for one in comparisons("is the cost lower than the price".split())]
    [((3, 4), -1, 5)]
    >>> [(one.places, one.sign) for one in comparisons("are there as many wins as losses".split())]
    [((2, 3, 5), 0)]
    """
    for at, word in enumerate(low):
        if word == "than" and (how := next((place for place in range(at - 1, 0, -1) if degree_in(low[place])), None)):
            adjective, sign = degree_in(low[how]) or ("", 1)
            of_dates = ATTRIBUTES.get(adjective, ("", 0))[0] == "date"
            yield Comparison((how, at), sign, at + 1, adjective, of_dates, True, is_scaling(low[how - 1]))
        elif word in EXCEEDING:
            yield Comparison((at,), 1, at + 1, is_sure=True)
        elif word in ABOVE | BELOW and at:
            yield Comparison((at,), 1 if word in ABOVE else -1, at + 1)
        elif word in ("after", "before") and at:
            yield Comparison((at,), 1 if word == "after" else -1, at + 1, of_dates=True)
        elif word in EQUALLING and at:
            yield Comparison((at,), 0, at + 1, is_sure=True)
        elif word == "exactly" and at and {*low[at + 1 : at + 2]} & (OWN | {"the"}):
            yield Comparison((at,), 0, at + 1)
        elif word == "as" and (how := next((place for place in range(at - 1, 0, -1) if low[place] in ("as", "same")), None)):
            much = (how + 1,) if low[how] == "as" and (low[how + 1] in ("many", "much") or low[how + 1] in ATTRIBUTES) else ()
            if low[how] == "same" or much:
                adjective = low[how + 1] if much and low[how + 1] in ATTRIBUTES else ""
                scaled = is_scaling(low[how - 1])
                yield Comparison((how, *much, at), 0, at + 1, adjective, is_sure=True, is_scaled=scaled)


def is_scaling(word: str) -> bool:
    """Whether a word makes more of a number, or less, or of several one: "twice", "10", "average"."""
    return word in SCALING or word in NUMBER_WORDS or word[0].isdigit()


def degree_in(word: str) -> tuple[str, int] | None:
    """The adjective of a comparative, "" of "more", and which side it makes the more; None of another word.

    >>> degree_in("heavier"), degree_in("fewer"), degree_in("cheaper"), degree_in("water")
    (('heavy', 1), ('', -1), ('cheap', -1), None)
    """
    if word in ("higher", "lower"):
        return word.removesuffix("er"), MORE_OR_LESS[word]
    if word in MORE_OR_LESS or word == "greater":
        return "", MORE_OR_LESS.get(word, 1)
    base = next((base for base in bases(word, "er") if base in ATTRIBUTES), "")
    return (base, ATTRIBUTES[base][1]) if base else None


def limit_of(table: Table, question: Question, one: Comparison, side: range, used: set[int]) -> Limit | None:
    """The condition of a comparison; None where a side is no column alone, or both are of different units."""
    columns = [
        each for each in table.of_kind((DATE,) if one.of_dates else ORDERED) if each.is_amount and each is not table.thing
    ]
    second = named_by([question.tokens[at] for at in side], columns, table)
    if second is None:
        return None
    like = [each for each in columns if each is not second and is_comparable(each, second)]
    first, said = first_of(table, question, one, second, like, used)
    sign = one.sign if first is None or not one.adjective else sign_for(one, first)
    if first is None or sign is None:
        return None
    return Limit(first, compares(sign), tuple(sorted({*one.places, *side, *said})), False, second)


def compares(sign: int) -> Callable[[object], bool]:
    """Whether one of two values is more than the other, less, or as much, by 1, -1 and 0."""
    return lambda found: found == sign


def named_by(tokens: Sequence[Token], columns: Sequence[Column], table: Table) -> Column | None:
    """The column that all words of a side name: of several that with the fewest other words in its header."""
    told = [one for one in tokens if one.low not in BEFORE_SIDE]
    scores = dict[Column, tuple[float, int]]()
    for column in columns:
        said = [one for one in told if is_in_header(one, column, told)]
        joiners = [one for one in told if not one.says and one.low in column.words]
        is_date = column.kind == DATE
        left = [one for one in told if one.says and one not in said and not (is_date and one.low in TIME_NOUNS)]
        if said and column.unit:  # "their trailers carry", of a trailer's capacity in kg
            left = [one for one in left if not is_verb(one.low) or costs_are_asked(one) or is_headed(one, table)]
        if isinstance(table, Joined) and column in table.of_second:  # "their trailers carry"
            left = [one for one in left if not is_headed(one, table)]
        left = [one for one in left if not is_of_rows(one, table)]
        if (said or joiners) and not left:
            others = sum(not any(is_word(one.low, word) for one in told) for word in column.words)
            scores[column] = len(said) + JOINER * len(joiners), -others
    best = max(scores.values(), default=None)
    return only([column for column, score in scores.items() if score == best])


def is_headed(token: Token, table: Table) -> bool:
    """Whether a word is one of any header."""
    return any(is_word(token.low, word) for column in table.columns for word in column.words if word not in JOINING)


def is_of_rows(token: Token, table: Table) -> bool:
    """Whether a word is what a row is called."""
    return not token.forms.isdisjoint(table.nouns)


def is_in_header(token: Token, column: Column, beside: Sequence[Token]) -> bool:
    """Whether a word is one of a column's header, or says what that is an amount of: "wide" of width, "sell for" of a price."""
    if not token.says and token.low not in ATTRIBUTES:
        return False
    if any(is_word(token.low, word) for word in column.words if word not in JOINING):
        return True
    if is_of(token.low, "sell") and any(one.low in ("for", "at") for one in beside):
        return not SELLING.isdisjoint(column.words)
    return token.low in ATTRIBUTES and any(is_word(ATTRIBUTES[token.low][0], word) for word in column.words)


def is_comparable(one: Column, other: Column) -> bool:
    """Whether cells of two columns can be compared: both are dates, or amounts of one unit and one currency."""
    if DATE in (one.kind, other.kind):
        return one.kind == other.kind
    units = {unit for column in (one, other) if (unit := column.unit.lower())}
    number = next((column for column in (one, other) if column.kind == NUMBER), None)
    mixed = number is not None and MONEY in (one.kind, other.kind)
    called = number is not None and any(is_word(word, cost) for word in number.words for cost in COSTS)
    return len(units) < 2 and (not mixed or called) and len(currencies([*one.told, *other.told])) < 2


def first_of(
    table: Table, question: Question, one: Comparison, second: Column, like: Sequence[Column], used: set[int]
) -> tuple[Column | None, set[int]]:
    """The column that stands before a comparison, of those ``like`` the second, and the places of its words."""
    start = next((at + 1 for at in range(one.places[0], 0, -1) if question.low[at] in CLAUSES | {"whose", "that"}), 0)
    before = [question.tokens[at] for at in range(start, one.begin) if at not in used and at not in one.places]
    said = {
        column: [each for each in before if is_in_header(each, column, before) and not is_noun_of_rows(each, table, question)]
        for column in like
    }
    named = {column: words for column, words in said.items() if words}
    joiners = {column: sum(not each.says and each.low in column.words for each in before) for column in like}
    adjective = ATTRIBUTES.get(one.adjective, ("", 0))[0]
    direct = [column for column in like if adjective and any(is_word(adjective, word) for word in column.words)]
    if named and not (len(direct) == 1 and adjective not in PLAIN):  # "with 25 seats are wider than they are long"
        scores = {column: (len(words), joiners[column], column in direct) for column, words in named.items()}
        best = only([column for column, score in scores.items() if score == max(scores.values())])
        return best, {each.place for each in named.get(best, ())} if best else set()
    if direct:
        return only(direct), set()
    free = [each for each in before if each.says and not is_noun_of_rows(each, table, question)]
    kin = [column for column in like if not {*column.words}.isdisjoint(second.words)]
    if free:
        return None, set()
    return only(kin) or only(like if one.of_dates or one.adjective in ("", "high", "low") else []), set()


def is_noun_of_rows(token: Token, table: Table, question: Question) -> bool:
    """Whether a word is the noun behind "which", or what a row is called."""
    low = question.low[: token.place]
    return low[-1:] in (("which",), ("what",), ("many",)) or is_of_rows(token, table)


def sign_for(one: Comparison, first: Column) -> int | None:
    """Which side an adjective makes the more of a column; None where it says nothing of such a column: "faster" of hours."""
    attribute, sign = ATTRIBUTES[one.adjective]
    fits = any(is_word(attribute, word) for word in first.words) or attribute in PLAIN
    fits |= (attribute == "date" and first.kind == DATE) or (attribute in ("price", "value") and is_cost(first))
    if not fits:
        return None
    return one.sign and sign_in(Degree(one.adjective, attribute, sign, one.places, False), first)


def is_of_columns(table: Table, question: Question, side: range) -> bool:
    """Whether words compare with another column: they name a header, or speak of what the row has: "their", "they"."""
    told = [question.tokens[at] for at in side]
    headed = any(is_in_header(one, column, told) for one in told for column in table.columns)
    return headed or (len(told) > 1 and told[0].low in OWN)
