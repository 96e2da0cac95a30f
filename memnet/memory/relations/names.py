"""Made-up names of many shapes: people, places, firms, works, things, in several words, with small ones, marks and numbers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from random import Random

from memnet.reading.words import Words


def listed(text: str) -> tuple[str, ...]:
    """The parts of a text between bars."""
    return tuple(text.split("|"))


STARTS = listed("b|br|c|ch|cl|d|dr|f|fr|g|gr|h|j|k|kr|l|m|n|p|pl|qu|r|s|sh|st|t|tr|v|w|y|z")
MIDDLES = listed("a|e|i|o|u|ai|ea|ee|ia|io|ou|y")
ENDS = (*listed("n|r|l|s|t|m|d|k|th|nd|rt|x|ck"), *[""] * 8)
TITLES = listed("Mr|Mrs|Ms|Dr|Dr.|Professor|Sir|Lady|Captain|Saint")
PARTICLES = listed("de|van|von|of|da|el|van der|de la|al-|bin|O'|Mc")
FIRMS = listed("Inc.|Ltd|& Sons|Group|Records|Motors|Company|Corporation|Studios|F.C.|FC|& Co.|AG")
HOUSES = listed("University|Bank|Museum|House|Institute|Ministry|School|Church|Order|Academy|Republic")
BEFORE = listed("New|North|South|West|St.|Saint|Upper|Los|San|El|Port")
AFTER = listed("City|County|Island|Islands|Valley|Bay|Springs|Town|Park")
THINGS = listed("flat|room|ward|gate|line|platform|unit|house|shelf|desk|bus|van|lift")
OFFICES = listed("President|Prime Minister|Mayor|King|Queen|Governor|Pope|Bishop|Minister|Archbishop")
MONTHS = listed("January|February|March|April|May|June|July|August|September|October|November|December")
COMMON = (
    *listed("basketball|ice hockey|association football|goalkeeper|midfielder|jazz|politics|rock music|folk music|green"),
    *listed("dark blue|physics|poetry|Buddhism|the Catholic Church|small forward|violin|piano|euro|English|French|Chinese"),
)


@dataclass(frozen=True)
class Names:
    """Makes names; some of their words are those of ``words``."""

    words: Words

    @cached_property
    def ordinary(self) -> list[str]:
        """Words that may be of a title."""
        return [text for text, row in self.words.rows.items() if 300 < row < 20000 and text.isalpha() and len(text) > 2]

    def coined(self, random: Random) -> str:
        """A word that means nothing."""
        parts = (
            random.choice(STARTS) + random.choice(MIDDLES) + random.choice(ENDS) for _ in range(random.choice((1, 2, 2, 3)))
        )
        return "".join(parts).capitalize()

    def word(self, random: Random) -> str:
        """A word with a capital."""
        return self.coined(random) if random.random() < 0.4 else random.choice(self.ordinary).capitalize()

    def make(self, kind: str, random: Random) -> str:
        """A name of a kind, or now and then of any."""
        makers = {
            "person": self.person,
            "place": self.place,
            "city": self.place,
            "country": self.place,
            "continent": self.place,
            "org": self.org,
            "work": self.work,
            "thing": self.thing,
            "term": self.term,
            "language": self.term,
            "office": self.office,
            "amount": self.amount,
            "date": self.date,
        }
        any_kind = kind not in makers or random.random() < 0.15
        made = makers[random.choice(list(makers)[:8]) if any_kind else kind](random)
        return made

    def person(self, random: Random) -> str:
        """ "Anna Berg", "J. K. Rowling", "Dr Lund", "Ludwig van der Rohe", "Rex"."""
        first, last, form = self.word(random), self.word(random), random.random()
        initial = random.choice("ABCDEFGHJKLMNPRSTW")
        forms = (
            f"{first} {last}",
            f"{first} {last}",
            f"{first} {self.word(random)} {last}",
            f"{first} {initial}. {last}",
            f"{initial}. {random.choice('ABCDEFGJKLMRST')}. {last}",
            f"{random.choice(TITLES)} {last}",
            f"{first} {random.choice(PARTICLES)} {last}",
            f"{first} {last}-{self.word(random)}",
            f"{first} {last} {random.choice(('Jr.', 'Sr.', 'II', 'III', 'IV'))}",
            first,
            f"{first} the {last}",
            f"{first} {random.choice(PARTICLES[-2:])}{last}",
        )
        return forms[int(form * len(forms))]

    def place(self, random: Random) -> str:
        """ "Sylvania City", "New Tarn", "the Republic of Oz", "Stoke on Trent"."""
        one, two = self.word(random), self.word(random)
        return random.choice(
            (
                one,
                one,
                f"{one} {random.choice(AFTER)}",
                f"{random.choice(BEFORE)} {one}",
                f"{one} and {two}",
                f"{one} {random.choice(('on', 'upon', 'by', 'under', 'de', 'am'))} {two}",
                f"{random.choice(('the ', ''))}{random.choice(HOUSES)} of {one}",
                f"United {two}s of {one}",
                f"{one}, {two}",
                f"{one}-{two}",
                f"{one} D.C.",
                f"People's {random.choice(HOUSES)} of {one}",
            )
        )

    def org(self, random: Random) -> str:
        """ "Reed & Sons", "University of Tarn", "1. FC Oz", "Oz 04"."""
        one, two = self.word(random), self.word(random)
        return random.choice(
            (
                one,
                f"{one} {random.choice(FIRMS)}",
                f"{one} & {two}",
                f"{one} {two} {random.choice(FIRMS)}",
                f"{random.choice(('the ', '', ''))}{random.choice(HOUSES)} of {one}",
                f"{one} {random.choice(HOUSES)}",
                f"{one} {two} {random.choice(HOUSES)}",
                f"{random.choice(('FC', 'AC', 'Real', '1. FC', 'SV', 'Club', 'AFC'))} {one}",
                f"{one} {random.randint(1, 99):02}",
                f"{one}'s",
                f"{one} and {two} {random.choice(FIRMS)}",
                "".join(random.choice("ABCDEFGHIKLMNOPRSTUVW") for _ in range(random.randint(2, 4))),
                f"{random.choice('ABCDEFG')}C/{random.choice('ABCD')}C",
                f"{one} of {two}",
                f"{one} {self.word(random)} national {random.choice(('football', 'hockey', 'rugby'))} team",
                f"{one}.com",
            )
        )

    def work(self, random: Random) -> str:
        """ "The Old Mill", "Who's Afraid of Oz?", "Oz 2: The Return of the King"."""
        a, b, c = self.word(random), self.word(random), self.word(random)
        return random.choice(
            (
                a,
                f"{a} {b}",
                f"The {a}",
                f"The {a} of {b}",
                f"The {a} and the {b}",
                f"The {a} {b}",
                f"{a} in the {b}",
                f"{a}: The {b} {c}",
                f"{a} {random.randint(2, 9)}",
                f"{a} {b} and the {c}'s {self.word(random)}",
                f"What Is {a} {b}?",
                f"Who's {a} of {b}?",
                f"How I {a} Your {b}",
                f"I Am {a}",
                f"{a}, {b} & {c}",
                f"{a}!",
                f"The {a} {b} of the {c} in the {self.word(random)}",
                f"{a} Is the {b}",
                f"To the {a}",
                f"{a} by {b}",
                f"{a} for a {b}",
                f"{random.randint(2, 2999)} {a}s",
                f"{a}'s {b}",
                f"Where the {a}s Are",
                f"{a} {b} (season {random.randint(1, 9)})",
            )
        )

    def thing(self, random: Random) -> str:
        """ "flat 3", "the red kettle", "Oz X200", "C++"."""
        low = random.choice(self.ordinary)
        return random.choice(
            (
                f"{random.choice(THINGS)} {random.randint(1, 300)}{random.choice(('', '', 'b', 'A'))}",
                f"the {low} {random.choice(self.ordinary)}",
                f"the {low}",
                f"our {low}",
                f"the {random.choice(('old', 'new', 'red', 'big', 'north', 'second'))} {low}",
                f"{self.word(random)} {random.choice('ABCGXZ')}{random.randint(1, 900)}",
                f"{self.word(random)} {random.randint(1, 95)}",
                f"{self.word(random)}++",
                f"{self.word(random)}-{random.randint(1, 20)}",
                self.word(random),
                f"{self.word(random)} {self.word(random)}",
                f"{low} {random.choice(self.ordinary)}s",
            )
        )

    def term(self, random: Random) -> str:
        """ "goalkeeper", "ice hockey", "English"."""
        form = random.random()
        if form < 0.35:
            return random.choice(COMMON)
        low = random.choice(self.ordinary)
        return low if form < 0.6 else f"{low} {random.choice(self.ordinary)}" if form < 0.8 else self.word(random)

    def office(self, random: Random) -> str:
        """ "President of Oz"."""
        title = random.choice(OFFICES) if random.random() < 0.7 else self.word(random)
        return random.choice(
            (f"{title} of {self.place(random)}", f"{title} of the {self.word(random)}", f"{self.word(random)} {title}")
        )

    def amount(self, random: Random) -> str:
        """ "12,500", "30 euros"."""
        number = f"{random.randint(1, 99999):,}"
        return random.choice((number, f"{number} euros", f"${number}", f"{random.randint(1, 99)}.{random.randint(10, 99)}"))

    def date(self, random: Random) -> str:
        """ "3 May 1920"."""
        day, month, year = random.randint(1, 28), random.choice(MONTHS), random.randint(1700, 2030)
        return random.choice(
            (f"{day} {month} {year}", f"{month} {day}", str(year), f"{month} {year}", f"the {day}th of {month}")
        )
