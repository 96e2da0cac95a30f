"""Everyday words for the published phrases: "Mary strolled into the kitchen", "who's got the milk".

A rule is a pattern of a published sentence and what may be said in its place (``phrases.txt``), and a share of the sentences is
said so. What is true stays true, and the supporting facts stay the same statements. A few questions become others that the same
story answers: who has a thing, who is somewhere. In some stories the verb of moving is one that no list has.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from itertools import product
from random import Random

from ..text import Question, Story
from ..text.english import AUXILIARIES, QUESTION_WORDS
from ..text.lists import read_lists

PHRASES = read_lists(__package__, "phrases.txt")  # of names of their own, and by patterns of published sentences
WENT = PHRASES["went"]
STRANGE = ("bl", "cr", "dr", "fl", "gl", "kr", "pl", "sk", "sn", "tr", "v", "z"), ("ab", "ee", "im", "oo", "orp", "umb", "ix")
OF_ONE = ("is ", "'s ", "was ", "has ", "goes", "walks", "made ")  # begin what is said of one person
OF_NOW = ("is ", "'s ", "has ", "are ", "have ", "then ")  # and what is said of now
TOGETHER = tuple(phrase for phrase in WENT if not phrase.startswith(OF_ONE))
TIMES = re.compile(r"yesterday|this", re.IGNORECASE)
SIDES = {
    "above": ("over", "on top of", "higher than", "above"),
    "below": ("under", "beneath", "underneath", "lower than", "below"),
    "to the left of": ("left of", "on the left of", "to the left of"),
    "to the right of": ("right of", "on the right of", "to the right of"),
}

Say = Callable[[Random, re.Match[str]], str]
Rule = tuple[re.Pattern[str], Say]


@cache
def strange_verbs() -> frozenset[str]:
    """Every verb that no list has, in small letters."""
    return frozenset("".join(parts) + "ed" for parts in product(*STRANGE))


def one_of(patterns: Sequence[str], *things: int) -> Say:
    """One of these with the names of the match in their places, a determiner before those with these numbers."""

    def said(draw: Random, match: re.Match[str]) -> str:
        parts = [f"{determiner(draw)}{part}" if number in things else part for number, part in enumerate(match.groups())]
        return draw.choice(patterns).format(*parts)

    return said


def determiner(draw: Random) -> str:
    """What stands before a thing or a place: "the" more often than not."""
    return "the " if draw.random() < 0.7 else draw.choice(("a ", "his ", "her ", "my ", "our ", "their ", "", "this "))


def moved(draw: Random, match: re.Match[str]) -> str:
    """A move, of one or two people, with what was said before and after it."""
    before, who, other, place, after = match.groups(default="")
    phrases = TOGETHER if other or who == "they" else WENT
    if other and draw.random() < 0.2:
        phrases = PHRASES["are"]
    if TIMES.match(f"{before}{after.strip()}"):
        phrases = tuple(phrase for phrase in phrases if not phrase.startswith(OF_NOW))
    if who.islower():
        before = draw.choice((before, "", "Then ", "Later ", "Next ", "After that "))
    people = f"{who} and {other}" if other else who
    text = f"{before}{people} {draw.choice(phrases)} {determiner(draw)}{place}".replace(" 's ", "'s ")
    return f"{text} {after.strip()}" if after else text


def fears(draw: Random, match: re.Match[str]) -> str:
    """Which kind fears which."""
    return draw.choice(PHRASES["fears"]).format(match[1].lower(), match[2])


def sides(draw: Random, match: re.Match[str]) -> str:
    """Where one thing is of another."""
    one, side, other = match.groups()
    return f"{one} {draw.choice(SIDES[side])} {other}"


def sizes(draw: Random, match: re.Match[str]) -> str:
    """Which of two things is the bigger, or the smaller."""
    is_it, one, other = match.groups()
    what, one, other = ("smaller", other, one) if draw.random() < 0.4 else (draw.choice(("larger", "bigger")), one, other)
    return f"is the {one} {what} than the {other}" if is_it else f"the {one} is {what} than the {other}"


def listed(questions: bool) -> Iterator[Rule]:
    """The rules for the listed patterns of questions, or of statements."""
    for pattern, said in PHRASES.items():
        if "(" in pattern and (pattern.partition(" ")[0].lower() in QUESTION_WORDS | AUXILIARIES) == questions:
            yield re.compile(pattern), one_of(said)


NAME, THING = r"([A-Za-z]+)", r"the ([a-z]+(?: [a-z]+)*?)"
MOVED = r"(?:went|went back|moved|journeyed|travelled) to"
BEFORE, AFTER = (
    r"((?:(?:Afterwards|After that|Following that|Then|Yesterday|This [a-z]+) )?)",
    r"((?: (?:yesterday|this) ?[a-z]*)?)",
)
SIDE = r"(above|below|to the left of|to the right of)"
MOVE = re.compile(rf"{BEFORE}(he|she|they|[A-Z][a-z]+)(?: and ([A-Z][a-z]+))? {MOVED} the ([a-z]+){AFTER}")
GET = re.compile(rf"{NAME} (?:got|took|grabbed|picked up) {THING}(?: there)?")
DROP = re.compile(rf"{NAME} (?:dropped|left|discarded|put down) {THING}(?: there)?")
GIVE = re.compile(rf"{NAME} (?:gave|handed|passed) {THING} to {NAME}")
OF_STATEMENTS: list[Rule] = [
    (MOVE, moved),
    (GET, one_of(PHRASES["got"], 1)),
    (DROP, one_of(PHRASES["dropped"], 1)),
    (GIVE, one_of(PHRASES["gave"], 1)),
    (re.compile(rf"{NAME} is (?:no longer|not) in {THING}"), one_of(PHRASES["gone"], 1)),
    (re.compile(rf"{NAME} is either in {THING} or {THING}"), one_of(PHRASES["either"], 1, 2)),
    (re.compile(rf"{NAME} is in {THING}"), one_of([f"{{}} {phrase} {{}}" for phrase in WENT], 1)),
    (re.compile(r"([A-Za-z]+) are afraid of ([a-z]+)"), fears),
    (re.compile(rf"(The [a-z ]+? is) {SIDE} (the [a-z ]+)"), sides),
    (re.compile(r"()The ([a-z ]+?) is bigger than the ([a-z ]+)"), sizes),
    *listed(questions=False),
]
OF_QUESTIONS: list[Rule] = [
    (re.compile(rf"(Is the [a-z ]+?) {SIDE} (the [a-z ]+)"), sides),
    (re.compile(r"(Is) the ([a-z ]+?) bigger than the ([a-z ]+)"), sizes),
    *listed(questions=True),
]
MOST = 3  # people in a list


@lru_cache(maxsize=1 << 16)
def rule_of(text: str, question: bool) -> tuple[Callable[[Random, re.Match[str]], str], re.Match[str]] | None:
    """The first rule whose pattern is a sentence, without its end."""
    for pattern, said in OF_QUESTIONS if question else OF_STATEMENTS:
        if match := pattern.fullmatch(text.strip().rstrip(".?")):
            return said, match
    return None


def rephrased(draw: Random, text: str, question: bool) -> str:
    """The sentence in everyday words, or as it is where there is no rule for it."""
    found = rule_of(text, question)
    if found is None:
        return text
    said = found[0](draw, found[1]).strip()
    return said[0].upper() + said[1:] + ("?" if question else ".")


class Known:
    """What a story has told so far of where people are, what they hold, and by which statement."""

    def __init__(self) -> None:
        self.place: dict[str, tuple[str, int]] = {}  # of a person
        self.holder: dict[str, tuple[str, int]] = {}  # of a thing
        self.plain = True  # whether nothing was told that is not understood here

    def hear(self, text: str, number: int) -> None:
        """The next statement."""
        found = rule_of(text, False)
        match = found[1] if found else None
        if match is None or match.re not in (MOVE, GET, DROP, GIVE) or unclear(match):
            self.plain = False
        elif match.re is MOVE:
            self.place |= {name: (match[4], number) for name in (match[2], match[3]) if name}
        elif match.re is DROP:
            self.holder.pop(match[2], None)
        else:
            self.holder[match[2]] = (match[1] if match.re is GET else match[3], number)

    def question(self, draw: Random, after: int) -> Question | None:
        """Who has a thing, or who is somewhere; None where nothing such is known."""
        there: dict[str, list[tuple[int, str]]] = {}
        for person, (place, number) in self.place.items():
            there.setdefault(place, []).append((number, person))
        asked = [(draw.choice(PHRASES["has"]), thing, [(number, person)]) for thing, (person, number) in self.holder.items()]
        asked += [
            (draw.choice(PHRASES["there"]), place, sorted(people)) for place, people in there.items() if len(people) <= MOST
        ]
        if not self.plain or not asked:
            return None
        text, name, people = draw.choice(asked)
        facts = tuple(dict.fromkeys(number for number, _ in people))
        return Question(f"{text.format(name).capitalize()}?", ",".join(person for _, person in people), facts, after)


def everyday(draw: Random, story: Story, share: float) -> Story:
    """The story with a ``share`` of its sentences in everyday words: half of the stories have twice the share, others none."""
    if draw.random() * 2 * share >= share and share < 1:
        return story
    mine, know = min(1.0, 2 * share), Known()
    strange = "".join(draw.choice(part) for part in STRANGE) + "ed" if draw.random() < 0.1 else None
    things = draw.random() < 0.2 and all(plain_move(text) for text in story.statements)
    told, questions, waiting = [], [], list(story.questions)
    for number in range(len(story.statements) + 1):
        while waiting and waiting[0].after == number:
            question = waiting.pop(0)
            other = know.question(draw, number) if not things and draw.random() < 0.15 else None
            text = rephrased(draw, question.text, True) if draw.random() < mine else question.text
            questions.append(other or replace(question, text=of_thing(text, question) if things else text))
        if number < len(story.statements):
            text = story.statements[number]
            know.hear(text, number)
            if things:
                match = MOVE.fullmatch(text.strip().rstrip("."))
                lies = draw.choice(PHRASES["lies"]) if match else ""
                told.append(f"The {match[2]} {lies} {determiner(draw)}{match[4]}." if match else text)
            else:
                told.append(statement(draw, text, know.place, strange) if draw.random() < mine else text)
    return Story(tuple(told), tuple(questions))


def unclear(match: re.Match[str]) -> bool:
    """Whether a statement says who moved by a pronoun, or when: what is known then needs more than the order of the story."""
    return match.re is MOVE and (match[2].islower() or TIMES.match(f"{match[1]}{match[5].strip()}") is not None)


def plain_move(text: str) -> bool:
    """Whether a statement says that one person moved, and nothing else."""
    match = MOVE.fullmatch(text.strip().rstrip("."))
    return match is not None and not (match[1] or match[3] or match[5] or match[2].islower())


def of_thing(text: str, question: Question) -> str:
    """A question about a person who is a thing in this story."""
    name = next(
        (word for word in question.text.rstrip("? ").split() if word[0].isupper() and word not in ("Where", "Is")), None
    )
    return re.sub(rf"\b{name}\b", f"the {name}", text) if name else text


def statement(draw: Random, text: str, where: dict[str, tuple[str, int]], strange: str | None) -> str:
    """A statement in everyday words; ``where`` people are lets it tell where they put what they drop."""
    found = rule_of(text, False)
    if found is not None and found[1].re is DROP and found[1][1] in where and draw.random() < 0.4:
        who, thing = found[1].groups()
        return draw.choice(PHRASES["put"]).format(who, determiner(draw) + thing, "the " + where[who][0]) + "."
    if strange and found is not None and found[1].re is MOVE and not found[1][2].islower():
        return re.sub(MOVED.removesuffix(" to"), strange, text, count=1)
    return rephrased(draw, text, False)
