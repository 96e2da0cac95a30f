"""Values that stories tell: numbers, times of day, dates, prices, lengths.

Values(random).clock()   ->   half past nine      .price()   ->   eighty dollars      .date()   ->   the fifth of May
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeVar

from ..text.tokens import NUMBER_WORDS
from .entities import Entity, value
from .lexicon import nouns

Item = TypeVar("Item")

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = nouns("month")


ORDINALS = nouns("ordinal")
SMALL_NUMBERS = {
    "price": "dollars euros pounds",
    "weight": "kilos pounds grams",
    "length": "metres feet",
    "distance": "miles kilometres",
}


CLOCK = (
    *("{word}", "{word} o'clock", "half past {word}", "quarter to {word}", "quarter past {word}"),
    *("noon", "midnight", "{hour} am", "{hour} pm"),
)
PARTS_OF_YEAR = ("morning", "afternoon", "evening", "summer", "winter", "spring", "autumn")
PAST = nouns("past time")


SUMS = {
    "thirty": 30,
    "forty": 40,
    "fifty": 50,
    "sixty": 60,
    "eighty": 80,
    "two hundred": 200,
    "nine hundred": 900,
    "a hundred": 100,
    "a thousand": 1000,
}


class Values:
    """Draws values."""

    def __init__(self, random: Random):
        self.random = random

    def chance(self, share: float) -> bool:
        """True in a share of cases."""
        return self.random.random() < share

    def pick(self, items: Sequence[Item]) -> Item:
        """One of several, each as likely."""
        return items[int(self.random.random() * len(items))]

    def number(self, low: int, high: int) -> Entity:
        """A number in words or digits."""
        count = self.random.randint(low, high)
        made = value("number", NUMBER_WORDS[count] if count < len(NUMBER_WORDS) and self.chance(0.8) else str(count))
        made.rank = count
        return made

    def clock(self) -> Entity:
        """A time of day."""
        hour = self.random.randint(1, 12)
        word = NUMBER_WORDS[hour]
        if self.chance(0.55):
            text = self.pick(CLOCK).format(word=word, hour=hour)
        else:
            text = f"{hour + self.pick((0, 8))}:{self.pick(('00', '05', '10', '15', '20', '30', '40', '45', '50'))}"
        return value("time", text, "at")

    def date(self) -> Entity:
        """A day or date to come or that was."""
        roll = self.random.random()
        if roll < 0.4:
            return value("time", self.pick(DAYS), "on")
        if roll < 0.5:
            return value("time", f"{self.pick(DAYS)} {self.pick(('morning', 'afternoon', 'evening', 'night'))}", "on")
        if roll < 0.65:
            return value("time", f"{self.pick(MONTHS)} {self.random.randint(1, 30)}", "on")
        if roll < 0.78:
            return value("time", f"the {self.pick(ORDINALS)} of {self.pick(MONTHS)}", "on")
        if roll < 0.9:
            return value("time", self.pick(MONTHS), "in")
        return value("time", f"{self.pick(DAYS)} at {self.pick(NUMBER_WORDS[1:13])}", "on")

    def time(self, tense: str = "past") -> Entity:
        """When something happened, or will."""
        if tense in ("future", "going"):
            if self.chance(0.6):
                return value("time", self.pick(nouns("future time")))
            return self.clock() if self.chance(0.4) else value("time", self.pick(DAYS), "on")
        roll = self.random.random()
        if roll < 0.3:
            return value("time", self.pick(PAST))
        if roll < 0.55:
            return self.date()
        if roll < 0.75:
            return self.clock()
        if roll < 0.82:
            return value("time", str(self.random.randint(1950, 2025)), "in")
        if roll < 0.92:
            return value("time", f"the {self.pick(PARTS_OF_YEAR)}", "in")
        return value("time", f"{self.pick(('after', 'before', 'during'))} {self.pick(nouns('occasion'))}")

    def price(self) -> Entity:
        """A sum of money."""
        words = {word: number for number, word in enumerate(NUMBER_WORDS) if number > 1} | SUMS
        amount = self.pick(tuple(words)) if self.chance(0.6) else str(self.random.randint(2, 999))
        unit = self.pick(nouns("currency"))
        return value("price", f"{amount} {unit}", rank=words.get(amount) or int(amount))
