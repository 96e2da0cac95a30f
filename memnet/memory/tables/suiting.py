"""Columns of yes and no with exceptions, and the questions that ask of them what is allowed or suits.

Boat | Horses? | Novices?             Can I bring my horse on the Heron?     Horses?   yes
Heron | yes | with a crew             Is the Heron all right for learners?   Novices?  with a crew

Words that are near by their vectors are of one meaning here, unless the header is a thing of a known kind:
what is said of horses says nothing of goats.
"""

from __future__ import annotations

from memnet.memory.columns import cosine
from memnet.memory.tables.reading import Reading
from memnet.memory.tables.table import Column
from memnet.memory.tables.wording import Token
from memnet.tasks.text.english import AUXILIARIES, kinds_of_word, of_class, singular
from memnet.tasks.world.lexicon import noun_classes, nouns

SUITING = of_class(
    "ok okay fine good right suitable suit suits allowed welcome safe happy bring take accept allow let permit live "
    "comfortable friendly permitted accepted taken alright used"
)
NEAR, APART = 0.42, 0.08  # cosine of a noun to a header, and how much less it is of any other


def suited(reading: Reading) -> list[Column]:
    """The column of yes and no that a question of what suits asks for, or none."""
    tokens = reading.question.tokens
    asking = {
        one.place
        for one in tokens
        if one.low in SUITING and one.place not in reading.used and (not one.is_name or one.text == "OK")
    }
    columns = [one for one in reading.table.columns if one.is_verdict]
    if not asking or not columns or tokens[0].low not in AUXILIARIES:
        return []
    said = [one for one in columns if reading.score(one) >= 1.0]
    if not said:
        left = [one for one in reading.left([]) if not one.is_name and one.place not in asking and is_noun(one)]
        scores = sorted(((nearness(one, column), -column.place, one.place) for one in left for column in columns), reverse=True)
        if not scores or scores[0][0] < NEAR:
            return []
        _, column, place = scores[0]
        if any(score > scores[0][0] - APART for score, other, _ in scores if other != column):
            return []
        said = [reading.table.columns[-column]]
        reading.understood.update({place, *before(reading, place)})
    for place, columns in reading.headers.items():
        reading.understood.update(before(reading, place) if said[0] in columns else ())
    left = [one for one in reading.left([]) if not one.is_name and is_noun(one)]
    reading.understood.update(asking, (one.place for one in left if any(nearness(one, column) >= NEAR for column in said)))
    return said


def is_noun(token: Token) -> bool:
    """Whether a word may be a noun."""
    return "NOUN" in (kinds_of_word(singular(token.low)) or ("NOUN",))


def nearness(token: Token, column: Column) -> float:
    """How near a noun is to a header: 1 where it is of the kind that the header is called, 0 to that of another thing."""
    one = singular(token.low)
    best = 0.0
    for word in map(singular, column.words):
        if word in noun_classes() and one in nouns(word):
            return 1.0
        is_a_kind = any(word in nouns(kind) for kind in noun_classes())
        best = max(best, 1.0 if one == word else 0.0 if is_a_kind else cosine(one, word))
    return best


def before(reading: Reading, place: int) -> set[int]:
    """The places of adjectives and numbers before a noun: "two big" of "two big dogs"."""
    found = set[int]()
    while place > 0 and "ADJ" in kinds_of_word(reading.question.low[place - 1]):
        place -= 1
        found.add(place)
    return found
