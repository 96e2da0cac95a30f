"""Stories of log books: entries in the words of :mod:`~memnet.tasks.world.log_forms`, and questions about what they say.

    Heat gun -> Tomasz
    rain coming in under the back door again
    Tomasz: heat gun back on shelf B, the nozzle is cracked
    Where's the heat gun?            shelf B
    Who had it before ...?           what a state says that each entry changed

An entry is chosen whose facts can follow what was told: only who has a thing gives it away, and it comes from where it is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cache
from random import Random

from ..text.tokens import split
from .log_answers import Log, answer_to
from .log_forms import ARTICLE, KIND_OF, LISTED, SLOT, Form, Forms, OwnNames, all_forms, capital
from .log_state import State
from .stamps import stamps
from .texts import Question, Statement, Story
from .told import statements_of

ENTRIES, PEOPLE, THINGS, PLACES = (4, 14), (3, 6), (2, 5), (2, 5)  # of a story, at least and at most
QUESTIONS = (4, 9)
OTHER_FILE = 0.4  # share of entries in the words of another field
SHORT, LOWER, WRITES = 0.3, 0.25, 0.1  # shares: of short names; of stories in small letters; of entries with who writes them
STAMPED = 0.4  # share of stories with a day before each entry
AMONG, UNTOLD = 0.3, 0.15  # shares: of entries after which a question is asked; of those that are not told, which are kept
ELSE, ELSEWHERE = "else", 20  # a question about something else, and of how many forms they count
NAMED = 0.92  # share of questions about whom and what entries name
BEST = 0.9  # share of names that follow from what was told, where there are such
TRIES = 12  # forms that are tried for an entry or a question
Fact = tuple[str, dict[str, str]]


@cache
def told_forms() -> tuple[tuple[Forms, tuple[Form, ...]], ...]:
    """The forms of entries that a story can have, of each file: without a speaker, or what may be so or not."""
    return tuple((forms, tuple(filter(is_plain, forms.told))) for forms in all_forms())


def is_plain(form: Form) -> bool:
    """Whether a form names all by slots and says what is so."""
    slots = {*SLOT.findall(form.text)}
    roles = {slot for _, named in form.facts for slot in named.values()}
    return slots <= {*KIND_OF, *LISTED} and roles <= slots and all(kind != "either" for kind, _ in form.facts)


@cache
def asked_forms() -> dict[str, tuple[Form, ...]]:
    """All questions that a story can have, by what they ask."""
    found: dict[str, list[Form]] = {}
    for form in (form for forms in all_forms() for form in forms.asked if is_plain(form) and form.text.endswith("?")):
        found.setdefault(":".join(kind for kind, _ in form.facts) or ELSE, []).append(form)
    return {kind: tuple(forms) for kind, forms in found.items()}


@cache
def weights() -> tuple[float, ...]:
    """How often each kind of question is tried: those that people ask in many ways are asked often."""
    return tuple((ELSEWHERE if kind == ELSE else len(forms)) ** 0.7 for kind, forms in asked_forms().items())


class Book:
    """A story as it is drawn."""

    def __init__(self, random: Random) -> None:
        self.random, self.state = random, State()
        self.forms, self.told = random.choice(told_forms())
        names = OwnNames(random, self.forms.lists)
        self.names = {
            kind: self.different(names, kind, random.randint(*count))
            for kind, count in (("who", PEOPLE), ("what", THINGS), ("to", PLACES))
        }
        self.own = names
        self.statements, self.questions = list[Statement](), list[Question]()
        self.lower = random.random() < LOWER
        self.days = stamps(random) if random.random() < STAMPED else None
        self.stamps = dict[int, str]()
        heads = [ARTICLE.sub("", name).split()[-1].lower() for name in self.names["what"]]
        self.short = {
            name: head
            for name, head in zip(self.names["what"], heads, strict=True)
            if heads.count(head) == 1 and " " in ARTICLE.sub("", name) and not head[0].isdigit()
        }

    def different(self, names: OwnNames, kind: str, count: int) -> list[str]:
        """Names of which none is a part of another."""
        found = list[str]()
        for _ in range(4 * count):
            name = names.of(kind)
            bare = ARTICLE.sub("", name).lower()
            others = [ARTICLE.sub("", one).lower() for one in found]
            if (
                len(found) < count
                and "." not in name
                and not any(f" {bare} " in f" {one} " or f" {one} " in f" {bare} " for one in others)
            ):
                found.append(name)
        return found

    def bound(self, form: Form) -> dict[str, str] | None:
        """Names for the slots of a form that can follow what was told; None where there are none."""
        given: dict[str, str] = {}
        for kind, slots in form.facts:
            self.bind(kind, slots, given)
        for slot in SLOT.findall(form.text):
            if slot not in given and not self.give(slot, given):
                return None
        return given

    def give(self, slot: str, given: dict[str, str], best: Collection[str] = ()) -> bool:
        """A slot its name: one of the ``best``, mostly, or one that no other slot has."""
        if slot in LISTED:
            given[slot] = self.own.of(slot)
            return True
        rest = [name for name in self.names[KIND_OF[slot]] if name not in given.values()]
        better = sorted({*rest} & {*best})
        if not rest:
            return False
        given[slot] = self.random.choice(better if better and self.random.random() < BEST else rest)
        return True

    def bind(self, kind: str, slots: dict[str, str], given: dict[str, str]) -> None:
        """The slots of a fact the names that follow from what was told: who has the thing, where it is."""
        state, what = self.state, slots.get("what")
        if what and what not in given and KIND_OF.get(what) == "what":
            fits = [name for name in self.names["what"] if self.is_likely(kind, name)]
            self.give(what, given, fits)
        name = given.get(what or "", "")
        who, source = slots.get("who"), slots.get("source")
        if who and who not in given and kind in ("give", "drop", "has", "put", "carry"):
            self.give(who, given, [state.holder.get(name) or ""])
        if source and source not in given:
            self.give(source, given, [state.place.get(name or given.get(who or "", "")) or ""])
        if kind in ("not at", "no longer at") and slots.get("to", "") not in given and "to" in slots:
            self.give(slots["to"], given, [state.place.get(name) or ""])

    def is_likely(self, kind: str, name: str) -> bool:
        """Whether people would write that of a thing: what is mended had a fault."""
        holder = self.state.holder.get(name)
        return {
            "give": holder is not None,
            "drop": holder is not None,
            "mended": bool(self.state.fault.get(name)),
            "take": holder is None,
            "put": holder is not None,
        }.get(kind, True)

    def entry(self) -> bool:
        """One more entry, if one of the forms that are tried can follow."""
        for _ in range(TRIES):
            told = self.told if self.random.random() > OTHER_FILE else self.random.choice(told_forms())[1]
            form = self.random.choice(told)
            given = self.bound(form)
            if given is None:
                continue
            facts = [(kind, {role: given[slot] for role, slot in slots.items()}) for kind, slots in form.facts]
            if self.can_follow(facts):
                self.tell(form, given, facts)
                return True
        return False

    def can_follow(self, facts: list[Fact]) -> bool:
        """Whether the state allows each fact after those before it."""
        ahead = State(dict(self.state.holder), dict(self.state.place), dict(self.state.fault), {*self.state.missing})
        for kind, roles in facts:
            if not ahead.allows(kind, roles):
                return False
            ahead.apply(kind, roles, ())
        return True

    def tell(self, form: Form, given: dict[str, str], facts: list[Fact]) -> None:
        """An entry with its names."""
        text = self.filled(form.text, given)
        if self.random.random() < WRITES:
            text = f"{ARTICLE.sub('', self.own.of('who'))}: {text}"
        first = len(self.statements)
        if self.days is not None:
            self.stamps[first] = next(self.days)
            text = f"{self.stamps[first]}: {text}"
        self.statements += statements_of(text.lower() if self.lower else text, idle=not facts)
        for kind, roles in facts:
            self.state.apply(kind, roles, tuple(range(first, len(self.statements))))

    def filled(self, text: str, given: dict[str, str]) -> str:
        """A form with names in its slots, some of them short."""
        made = ""
        for number, part in enumerate(SLOT.split(text)):
            if number % 2:
                name = given[part]
                if name in self.short and self.random.random() < SHORT and any(name in each for each in self.seen()):
                    name = f"the {self.short[name]}" if ARTICLE.match(name) else self.short[name]
                part = capital(name) if not made or made.endswith((". ", "! ", "? ")) else name
            made += part
        return made

    def seen(self) -> Iterator[set[str]]:
        """Whom and what each event is about."""
        for event in self.state.events:
            yield {*event.roles.values()}

    def ask(self) -> bool:
        """One more question about what was told up to here, if one of the forms that are tried has an answer."""
        for _ in range(TRIES):
            form = self.random.choice(asked_forms()[self.random.choices([*asked_forms()], weights())[0]])
            given: dict[str, str] = {}
            named = [*set[str]().union(*self.seen())] if self.random.random() < NAMED else []
            if not all(self.give(slot, given, named) for slot in SLOT.findall(form.text) if slot not in given):
                continue
            text = self.filled(form.text, given)
            asked = [(kind, {role: given[slot] for role, slot in slots.items()}) for kind, slots in form.facts]
            found = answer_to(self.log(), asked, text)
            if found is None or (found[0].kind == "untold" and self.random.random() > UNTOLD):
                continue
            text = text.lower() if self.lower else text
            answer, evidence = found
            self.questions.append(Question(tuple(split(text)), text, answer, evidence, "log", len(self.statements)))
            return True
        return False

    def log(self) -> Log:
        """What was told so far."""
        return Log(self.state, self.statements, self.stamps, self.names, self.short)

    def story(self) -> Story:
        """As it stands."""
        return Story(tuple(self.statements), tuple(self.questions))


def draw_log(random: Random) -> Story:
    """A stretch of a log book with questions about it."""
    book = Book(random)
    wanted = random.randint(*QUESTIONS)
    for _ in range(random.randint(*ENTRIES)):
        book.entry()
        if book.state.events and len(book.questions) < wanted and random.random() < AMONG:
            book.ask()
    while len(book.questions) < wanted and book.statements and book.ask():
        pass
    return book.story()
