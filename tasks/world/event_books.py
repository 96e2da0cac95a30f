"""Events of log books, and which of them tell what people ask: lexicon/events/*.txt, which a language model wrote.

    # book: a school's instrument store
    slot thing: cello C-04 | trumpet TR-11 | violin 7
    slot person: Ms Okoro | Jonas | R. Vance
    event lent:
    {person} signed out {thing}.
    Lent {thing} to {person}.
    event returned:
    {thing} back, brought by {person}.
    ask:
    Who has {thing}?
    told by lent: {person}
    told by returned: nobody

An ``ask`` is told by the newest line of these events; ``ask count``, ``sum``, ``most``, ``least`` and ``first`` by all of them.
``list now`` asks for things, which are listed no more by ``no`` or where a slot of the question has another value; ``list
ever`` asks for all that ever were.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from random import Random

from ..text.tokens import WORD, split
from .lexicon import training_texts
from .texts import Answer, Question, Statement, Story

SLOT = re.compile(r"\{(\w+)\}")
NUMBER = re.compile(r"\d+")
HEAD = re.compile(r"(?:slot (?P<slot>\w+):(?P<values>.+)|event (?P<event>[\w -]+):|(?P<how>ask|ask \w+|list now|list ever):)")
TOLD = re.compile(r"told by (?P<event>[\w -]+?): (?P<answer>\{\w+\}|[a-z]+)")
HOW = ("ask", "ask count", "ask sum", "ask most", "ask least", "ask first", "list now", "list ever")
ANSWERS = {  # what tells an answer that is no slot
    **{word: Answer("nothing", word) for word in ("nobody", "nothing", "nowhere")},
    **{word: Answer(word, word) for word in ("yes", "no")},
    "when": Answer("maybe", "when"),  # the time of the line
    "count": Answer("number", "one", number=1),  # the line counts
}
NOT_TOLD = Answer("untold", "not told")
ASKED, OTHERS = 3, 6  # questions about a line that it tells, and that it does not tell, at most
SAME, SAME_OF_OTHERS = 0.8, 0.9  # shares of values of a question that the line has, where it tells the question and where not
BRIEFLY, JOINED, LABELLED, STRANGE = (
    0.15,
    0.12,
    0.12,
    0.05,
)  # shares: a value's code alone, two events in a line, lines with a word
# before them that says where, questions of another book
LABELS = ("INFO", "WARN", "[A2]", "OPS", "YARD", "shift 2", "desk:", "[night]", "NOTE", "Lab", "B-watch", "team 3:")


class EventError(ValueError):
    """A file of events that is not of the form."""


@dataclass
class Ask:
    """A question in several wordings, and what answers it in each event that tells it."""

    how: str
    wordings: list[str] = field(default_factory=list)
    told: dict[str, str] = field(default_factory=dict)


@dataclass
class Book:
    """What a log is about: values of its slots, wordings of its events, questions."""

    name: str
    slots: dict[str, list[str]] = field(default_factory=dict)
    events: dict[str, list[str]] = field(default_factory=dict)
    asks: list[Ask] = field(default_factory=list)
    file: str = ""  # of the lexicon, without its ending


def parse(text: str) -> Iterator[Book]:
    """The books of a file. Raises :class:`EventError`, which names the line."""
    book, wordings = Book(""), list[str]()
    for number, line in enumerate([*text.splitlines(), "# book: end"], 1):
        line = line.strip()
        if line.startswith("# book:"):
            if book.name:
                check(book, number)
                yield book
            book, wordings = Book(line[7:].strip()), []
        elif not line or line.startswith("#"):
            continue
        elif head := HEAD.fullmatch(line):
            wordings = begun(book, head)
        elif (told := TOLD.fullmatch(line)) and book.asks:
            book.asks[-1].told[told["event"]] = told["answer"]
        elif line.startswith(("told by", "slot ", "event ", "ask", "list ")) and (line.endswith(":") or "told by" in line):
            raise EventError(f"line {number}: {line[:60]!r} is no heading, and no 'told by EVENT: ANSWER' behind a question")
        elif book.events or book.asks:
            wordings.append(line)
        else:
            raise EventError(f"line {number}: expected a slot or an event, found {line[:60]!r}")


def begun(book: Book, head: re.Match[str]) -> list[str]:
    """What a heading begins in a book: the list that its wordings go to."""
    if head["slot"]:
        book.slots[head["slot"]] = [value.strip() for value in head["values"].split("|") if value.strip()]
        return []
    if head["event"]:
        return book.events.setdefault(head["event"], [])
    book.asks.append(Ask(head["how"]))
    return book.asks[-1].wordings


def check(book: Book, line: int) -> None:
    """Raise :class:`EventError` for a slot or an event that is named and not there, and for an answer that a wording lacks."""
    for name, wordings in (*book.events.items(), *((one.how, one.wordings) for one in book.asks)):
        if not wordings:
            raise EventError(f"before line {line}: {name!r} of {book.name!r} has no wording")
        for text in wordings:
            if unknown := set(SLOT.findall(text)) - book.slots.keys():
                raise EventError(
                    f"before line {line}, {name!r}: {text!r} has {min(unknown)!r}, which is no slot of {book.name!r}"
                )
    for ask in book.asks:
        if ask.how not in HOW:
            raise EventError(f"before line {line}: {ask.how!r} is none of {', '.join(HOW)}")
        for event, answer in ask.told.items():
            if event not in book.events:
                raise EventError(
                    f"before line {line}: {ask.wordings[:1]} is told by {event!r}, which is no event of {book.name!r}"
                )
            slot = answer.strip("{}")
            if answer not in ANSWERS and not all(slot in SLOT.findall(text) for text in book.events[event]):
                raise EventError(
                    f"before line {line}: a wording of {event!r} lacks {answer}, or it is none of {', '.join(ANSWERS)}"
                )


@cache
def books() -> tuple[Book, ...]:
    """Those of the lexicon."""
    return tuple(replace(book, file=name) for name, text in training_texts("events").items() for book in parse(text))


@dataclass(frozen=True)
class Filled:
    """A wording with values in its slots; where each stands among the words of the text, first and after its last."""

    text: str
    places: Mapping[str, tuple[int, int]]

    @classmethod
    def of(cls, wording: str, values: Mapping[str, str]) -> Filled:
        """A wording, filled."""
        text, places, end = "", dict[str, tuple[int, int]](), 0
        for slot in SLOT.finditer(wording):
            text += wording[end : slot.start()]
            places[slot[1]] = (len(text), len(text) + len(values[slot[1]]))
            text, end = text + values[slot[1]], slot.end()
        text += wording[end:]
        words = [(word.start(), word.end()) for word in WORD.finditer(text)]
        found = {}
        for name, (first, last) in places.items():
            inside = [at for at, (begin, after) in enumerate(words) if first <= begin and after <= last]
            if inside:
                found[name] = (inside[0], inside[-1] + 1)
        return cls(text, found)


def draw_entry(random: Random, among: Sequence[Book] = ()) -> Story:
    """A line of a log, and questions of which it tells some."""
    among = among or books()
    book = random.choice(among)
    names = random.sample(sorted(book.events), 2 if random.random() < JOINED else 1)
    values, line, before = drawn_values(book, random), Filled("", {}), list[Filled]()
    said = dict[str, Filled]()
    for name in names:
        filled = Filled.of(random.choice(book.events[name]), values)
        text = filled.text[:1].upper() + filled.text[1:] if random.random() < 0.9 else filled.text
        label = f"{random.choice(LABELS)} " if not before and random.random() < LABELLED else ""
        start = len(split(line.text)) + len(split(label))
        shifted = {slot: (first + start, last + start) for slot, (first, last) in filled.places.items()}
        before.append(filled)
        said[name] = Filled(text, shifted)
        line = Filled(f"{line.text} {label}{text}".strip(), {**line.places, **shifted})
    words = tuple(split(line.text))
    questions = [asked_of(one, said, values, book, random) for one in chosen(book, names, random)]
    if random.random() < STRANGE:
        other = random.choice(among)
        if other is not book:
            questions.append(asked_of(random.choice(other.asks), {}, drawn_values(other, random), other, random))
    random.shuffle(questions)
    return Story((Statement(words, line.text),), tuple(questions))


def drawn_values(book: Book, random: Random) -> dict[str, str]:
    """A value for each slot, no two of them the same."""
    values = dict[str, str]()
    for slot, options in book.slots.items():
        free = [one for one in options if one not in values.values()]
        values[slot] = random.choice(free or options)
    return values


def chosen(book: Book, names: Sequence[str], random: Random) -> list[Ask]:
    """Questions about a line: some that an event of it tells, some that none of them tells."""
    told = [one for one in book.asks if sum(name in one.told for name in names) == 1]
    others = [one for one in book.asks if not any(name in one.told for name in names)]
    found = random.sample(told, min(len(told), ASKED)), random.sample(others, min(len(others), OTHERS))
    return [*found[0], *found[1]]


def asked_of(ask: Ask, said: Mapping[str, Filled], values: Mapping[str, str], book: Book, random: Random) -> Question:
    """A question about a line, with what the line tells."""
    teller = next((name for name in said if name in ask.told), None)
    wording = random.choice(ask.wordings)
    there = {slot for one in said.values() for slot in one.places}
    same, wanted = True, dict[str, str]()
    for slot in SLOT.findall(wording):
        keeps = random.random() < (SAME if teller else SAME_OF_OTHERS) ** (1 / max(1, len(SLOT.findall(wording))))
        others = [one for one in book.slots[slot] if one != values[slot]]
        wanted[slot] = values[slot] if keeps or not others else another(values[slot], others, random)
        if teller and slot in said[teller].places:
            same = same and wanted[slot] == values[slot]
        elif slot not in there and others:
            wanted[slot] = random.choice(book.slots[slot])
    text = Filled.of(wording, {slot: briefly(value, random) for slot, value in wanted.items()}).text
    text = text[:1].upper() + text[1:]
    answer = answer_of(ask, teller, said, same) if teller else NOT_TOLD
    evidence = () if answer is NOT_TOLD else (0,)
    return Question(tuple(split(text)), text, answer, evidence, ask.how, 1)


def another(value: str, others: Sequence[str], random: Random) -> str:
    """Another value: one of others, or, as often, the same with another number: "pump 8" for "pump 7"."""
    number = NUMBER.search(value)
    if number is None or random.random() < 0.5:
        return random.choice(others)
    changed = int(number[0]) + random.choice((-2, -1, 1, 2, 3, 10))
    return f"{value[: number.start()]}{abs(changed):0{len(number[0])}d}{value[number.end() :]}"


def answer_of(ask: Ask, teller: str, said: Mapping[str, Filled], same: bool) -> Answer:
    """What a line tells of a question, whose values are those of the line, or others."""
    if not same:
        return ANSWERS["no"] if ask.how == "list now" else NOT_TOLD
    told = ask.told[teller]
    if told in ANSWERS:
        return ANSWERS[told]
    filled = said[teller]
    span = (0, *filled.places[told.strip("{}")])
    return Answer("span", told, spans=(span,), mentions=((span,),))


def briefly(value: str, random: Random) -> str:
    """A value as a question may have it: of "cello C-04" now and then "C-04".

    >>> briefly("violin", Random(1))
    'violin'
    """
    *_, last = words = value.split()
    has_code = len(words) > 1 and any(map(str.isdigit, last)) and (any(map(str.isalpha, last)) or len(last) > 2)
    return last if has_code and random.random() < BRIEFLY else value
