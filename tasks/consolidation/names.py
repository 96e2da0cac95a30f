"""Names that nothing bears: of people, cities, books and so on, of syllables that one half has and the other lacks."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

BEGINS = {
    "train": ("Bal", "Dor", "Fen", "Gri", "Hul", "Jas", "Kel", "Mor", "Nev", "Pra", "Ros", "Tul", "Wes", "Zan"),
    "test": (
        "Ari",
        "Bre",
        "Cos",
        "Dwe",
        "El",
        "Fau",
        "Gam",
        "Hes",
        "Ilt",
        "Kov",
        "Lun",
        "Mab",
        "Ors",
        "Quin",
        "Sar",
        "Vel",
        "Yor",
    ),
}
MIDDLES = {"train": ("a", "e", "ida", "or", "une", "ith"), "test": ("o", "i", "ane", "ul", "ery", "osk")}
ENDS = {"train": ("ren", "mar", "dil", "vos", "ket", "ban"), "test": ("tha", "lin", "gos", "pir", "nam", "dre", "wick")}
TITLES = {
    "train": (("Silent", "Crooked", "Golden", "Last", "Hollow"), ("Harbour", "Orchard", "Winter", "Lantern", "Bridge", "Crow")),
    "test": (("Broken", "Distant", "Crimson", "Second", "Paper"), ("Garden", "Tide", "Mirror", "Sparrow", "Clock", "Meadow")),
}


class Names:
    """Draws names, none twice."""

    def __init__(self, draw: Random, half: str) -> None:
        self.draw, self.half, self.used = draw, half, set[str]()

    def word(self) -> str:
        """A made-up word with a capital."""
        parts = [self.draw.choice(listed[self.half]) for listed in (BEGINS, MIDDLES, ENDS)]
        if self.draw.random() < 0.3:
            parts.insert(2, self.draw.choice(ENDS[self.half]) + self.draw.choice(MIDDLES[self.half]))
        return "".join(parts)

    def title(self) -> str:
        """Of a book, a song, a show."""
        first, second = (self.draw.choice(listed) for listed in TITLES[self.half])
        return self.draw.choice(
            (f"The {first} {second}", f"{first} {second} of {self.word()}", f"{self.word()} and the {second}")
        )

    def new(self, kind: str) -> str:
        """A name of a kind that was not drawn before."""
        while (name := FORMS[kind](self)) in self.used:
            pass
        self.used.add(name)
        return name


FORMS: dict[str, Callable[[Names], str]] = {
    "person": lambda names: f"{names.word()} {names.word()}",
    "musician": lambda names: names.draw.choice((f"{names.word()} {names.word()}", f"The {names.word()}s")),
    "player": lambda names: f"{names.word()} {names.word()}",
    "city": lambda names: names.draw.choice((names.word(), f"{names.word()} City", f"Port {names.word()}")),
    "country": lambda names: names.draw.choice((f"{names.word()}ia", f"{names.word()}land", f"Republic of {names.word()}")),
    "continent": lambda names: f"{names.word()}ica",
    "language": lambda names: f"{names.word()}ish",
    "religion": lambda names: f"{names.word()}ism",
    "sport": lambda names: f"{names.word().lower()}ball",
    "position": lambda names: f"{names.draw.choice(('left', 'right', 'deep', 'first'))} {names.word().lower()}er",
    "genre": lambda names: f"{names.word().lower()} {names.draw.choice(('rock', 'folk', 'jazz', 'wave'))}",
    "field": lambda names: f"{names.word().lower()}ology",
    "place": lambda names: f"{names.draw.choice(('Mount', 'Lake', 'Cape'))} {names.word()}",
    "building": lambda names: f"{names.word()} {names.draw.choice(('Tower', 'Palace', 'Theatre', 'Hall'))}",
    "university": lambda names: f"{names.word()} {names.draw.choice(('University', 'College', 'Institute'))}",
    "company": lambda names: f"{names.word()} {names.draw.choice(('Industries', 'Group', 'Inc.', 'Motors', 'Media'))}",
    "label": lambda names: f"{names.word()} Records",
    "brand": lambda names: names.word(),
    "product": lambda names: f"{names.word()} {names.draw.randint(2, 90)}0",
    "software": lambda names: f"{names.word()}OS",
    "organization": lambda names: f"{names.draw.choice(('Society', 'Academy', 'League'))} of {names.word()}",
    "team": lambda names: f"{names.word()} {names.draw.choice(('United', 'Rovers', 'Athletic'))}",
    "book": Names.title,
    "song": Names.title,
    "show": Names.title,
    "character": lambda names: f"{names.draw.choice(('Captain', 'Professor', 'Inspector'))} {names.word()}",
}
