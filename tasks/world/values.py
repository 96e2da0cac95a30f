"""Values that stories tell: numbers, times of day, dates, prices, lengths.

Values(random).clock()   ->   half past nine      .price()   ->   eighty dollars      .date()   ->   the fifth of May
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeVar

from .entities import Entity, value

Item = TypeVar("Item")

NUMBERS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"),
)


DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)


ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "tenth", "twelfth", "twentieth", "thirtieth")
SMALL_NUMBERS = {
    "price": "dollars euros pounds",
    "weight": "kilos pounds grams",
    "length": "metres feet",
    "distance": "miles kilometres",
}


PAST = (
    *(
        "yesterday",
        "last week",
        "last night",
        "this morning",
        "last year",
        "two days ago",
        "an hour ago",
        "last month",
        "yesterday evening",
    ),
    *(
        "three weeks ago",
        "a week ago",
        "this afternoon",
        "last summer",
        "last Friday",
        "last Tuesday",
        "the day before yesterday",
        "last winter",
    ),
    *(
        "a minute ago",
        "years ago",
        "on Christmas Eve",
        "at dawn",
        "at night",
        "last Sunday",
        "yesterday morning",
        "ten minutes ago",
        "in the middle of the night",
    ),
)


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
        made = value("number", NUMBERS[count] if count < len(NUMBERS) and self.chance(0.8) else str(count))
        made.rank = count
        return made

    def clock(self) -> Entity:
        """A time of day."""
        hour = self.random.randint(1, 12)
        word = NUMBERS[hour]
        text = self.pick(
            (
                word,
                f"{word} o'clock",
                f"half past {word}",
                f"quarter to {word}",
                f"quarter past {word}",
                "noon",
                "midnight",
                f"{hour} {self.pick(('am', 'pm'))}",
            )
            if self.chance(0.55)
            else (
                f"{hour}:{self.pick(('00', '05', '10', '15', '20', '30', '40', '45', '50'))}",
                f"{hour + 8}:{self.pick(('00', '15', '30', '45'))}",
            )
        )
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
        return value("time", f"{self.pick(DAYS)} at {self.pick(NUMBERS[1:13])}", "on")

    def time(self, tense: str = "past") -> Entity:
        """When something happened, or will."""
        if tense in ("future", "going"):
            words = (
                "tomorrow",
                "next week",
                "next month",
                "tonight",
                "tomorrow morning",
                "next Friday",
                "next year",
                "this evening",
                "next summer",
                "soon",
                "next Tuesday",
                "in an hour",
                "in two days",
            )
            text = self.pick(words)
            return (
                value("time", text)
                if self.chance(0.6)
                else self.clock()
                if self.chance(0.4)
                else value("time", self.pick(DAYS), "on")
            )
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
            return value(
                "time", f"the {self.pick(('morning', 'afternoon', 'evening', 'summer', 'winter', 'spring', 'autumn'))}", "in"
            )
        return value(
            "time",
            f"{self.pick(('after', 'before', 'during'))} {self.pick(('lunch', 'dinner', 'breakfast', 'school', 'work', 'class', 'the break', 'the meeting', 'the match', 'the storm'))}",
        )

    def price(self) -> Entity:
        """A sum of money."""
        words = {word: number for number, word in enumerate(NUMBERS) if number > 1} | SUMS
        amount = self.pick(tuple(words)) if self.chance(0.6) else str(self.random.randint(2, 999))
        unit = self.pick(("dollars", "euros", "pounds", "dollars", "euros", "cents", "francs", "rupees", "yen", "crowns"))
        return value("price", f"{amount} {unit}", rank=words.get(amount) or int(amount))
