"""A story: statements, and questions asked among them, with answers as spans of its words.

    story = draw(Random(1))
    story.statements[0].text        "Selime picked up the lamp."
    story.questions[0].text         "Where is the lamp?"
    story.questions[0].answer       Answer("span", "bank", spans=((4, 5, 6),))

A span is (statement, first word, word after the last); words are those of :func:`tasks.text.tokens.split`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

from ..text.tokens import NUMBER_WORDS, join, split
from . import counting, doing, handling, knowing, moving, relating
from .asker import Asked, Asker
from .asking import draw as draw_question
from .correcting import corrected
from .dials import FAMILIES, FAMILY_NAMES, WEIGHTS, Dials
from .entities import Entity
from .lexicon import table, talk
from .lines import Line
from .records import Being, Deed, Record
from .telling import Teller, Telling
from .templates import fill
from .texts import REASONS, Answer, Mention, Question, Span, Statement, Story


class Storyteller(Teller):
    """Tells one story."""

    def __init__(self, random: Random, dials: Dials):
        super().__init__(random, dials)
        self.last_family = ""
        self.ended = False
        self.statements: list[Statement] = []
        self.mentions: list[tuple[Mention, ...]] = []  # of each statement
        self.questions: list[Question] = []
        self.named: dict[Entity, list[Span]] = {}
        self.links: dict[int, set[int]] = {}  # a statement with a pronoun -> where its meaning was last named
        self.families = self.choose_families()
        self.asker = Asker(self)
        self.asked: set[str] = set()

    def choose_families(self) -> list[str]:
        """The families of this story: some of all, or those of the dials."""
        if self.dials.families:
            return list(self.dials.families)
        count = self.random.randint(*self.dials.variety)
        names = [name for name in FAMILIES for _ in range(round(WEIGHTS.get(name, 1.0) * 4))]
        chosen = [self.pick(names) for _ in range(count)]
        return [name for name in chosen for _ in range(self.random.randint(1, 3))]

    # ---- statements

    def line(self, question: bool = False) -> Line:
        """A new sentence."""
        return Line(
            self.random,
            self.focus,
            self.cast.heads,
            0 if question else self.dials.pronouns,
            question=question,
            plain=self.dials.published,
        )

    def tell(self) -> None:
        """Add one statement."""
        if self.chance(self.dials.small_talk):
            self.small_talk()
            return
        if self.chance(self.dials.corrections) and self.correct():
            return
        for _ in range(60):
            name = self.pick(self.families)
            telling = FAMILY[name](self)
            if telling is not None:
                self.last_family = name
                self.say(telling)
                return
        if self.dials.families:
            self.ended = True  # nothing more that its families can say
        else:
            self.families = ["deeds", "moves", "facts"]

    def small_talk(self) -> None:
        """Add a line that means nothing."""
        words = split(self.pick(talk()["idle"]))
        self.statements.append(Statement(tuple(words), join(words) + ".", idle=True))
        self.mentions.append(())

    def say(self, telling: Telling) -> None:
        """Add a statement, now and then of two facts."""
        line = self.line()
        records = list(telling.records)
        told = self.introduce(line, telling)
        if self.chance(self.dials.prefixes):
            line.put(*split(self.pick(talk()["prefix"])))
        telling.say(line)
        records += [told] if told is not None and line.apposition is None else []
        if len(records) == 1 and self.chance(self.dials.compounds) and "because" not in line.words and "if" not in line.words:
            records += self.join_another(line, telling)
        self.finish(line, records)

    def introduce(self, line: Line, telling: Telling) -> Being | None:
        """Say who a new person is, in passing: "Sasha, the new intern, ..." """
        subject = telling.subject
        if (
            subject is None
            or subject.known
            or subject.det
            or subject.owner is not None
            or subject.members
            or not isinstance(telling.records[0], Deed)
        ):
            return None
        if (
            telling.records[0].mode
            or not self.chance(0.12)
            or self.dials.published
            or subject in self.world.facts.get("role", {})
        ):
            return None
        line.apposition = self.cast.value("post")
        return Being("role", subject, line.apposition)

    def join_another(self, line: Line, telling: Telling) -> list[Record]:
        """Add a second fact to a sentence: "and went home", "but Ann is in the garden"."""
        number = len(self.statements)
        self.world.learn(telling.records[0], number)
        for _ in range(4):
            family = self.last_family if self.chance(0.8) and self.last_family else self.pick(self.families)
            other = FAMILY[family](self)
            if other is None or len(other.records) > 1:
                continue
            same = other.subject is not None and other.subject is telling.subject
            if same and telling.follow is not None and other.follow is not None and self.chance(0.8):
                line.put("and")
                other.follow(line)
            else:
                inner = self.line()
                inner.pronouns = 0.0
                other.say(inner)
                if not inner.words or {"because", "so", "if"} & set(inner.words) or len(inner.words) + len(line.words) > 24:
                    continue
                line.put(*self.pick(((",", "and"), ("and",), (",", "but"), ("and",), (",", "while"), (";",))))
                start = len(line.words)
                line.words += inner.words
                line.mentions += [(entity, first + start, last + start) for entity, first, last in inner.mentions]
                line.objects += inner.objects
            return [other.records[0]]
        return []

    def finish(self, line: Line, records: list[Record]) -> None:
        """Add a sentence to the story and learn what it says."""
        number = len(self.statements)
        line.finish()
        self.statements.append(Statement(tuple(line.words), join(line.words) + "."))
        self.mentions.append((*line.mentions, *line.pronoun_places))
        for entity in line.referred:
            spans = [self.named.get(one, []) for one in (entity.members or (entity,))]
            self.links.setdefault(number, set()).update(span[-1][0] for span in spans if span)
        for entity, start, end in line.mentions:
            self.named.setdefault(entity, []).append((number, start, end))
        line.move_focus()
        self.cast.recent = [*self.cast.recent[-8:], *(entity for entity, _, _ in line.mentions)]
        for record in records:
            if record.statement < 0:
                self.world.learn(record, number)

    def correct(self) -> bool:
        """Take back something that was just said: "Actually, the meeting starts at ten." """
        for old in reversed(self.world.records[-3:]):
            new, text, names = corrected(self, old)
            if new is None or old.void:
                continue
            line = self.line()
            line.pronouns = 0
            line.put(*split(self.pick(talk()["correction"])))
            fill(line, text, names)
            number = len(self.statements)
            self.world.correct(old, new, number)
            self.finish(line, [])
            return True
        return False

    # ---- questions

    def ask(self) -> None:
        """Ask one question about what has been told."""
        wrong = self.chance(self.dials.unanswerable)
        for _ in range(14):
            asked = draw_question(self.asker, wrong)
            if asked is None:
                continue
            line = self.line(question=True)
            asked.say(line)
            line.finish()
            text = join(line.words) + ("." if line.words[0] == "Tell" else "?")
            answer = self.answer(asked)
            if answer is not None and text + answer.text not in self.asked:
                self.asked.add(text + answer.text)
                evidence = self.evidence(asked.found.why)
                number, named = len(self.statements), tuple(line.mentions)
                self.questions.append(
                    Question(tuple(line.words), text, answer, evidence, asked.kind, number, asked.query, named)
                )
                return

    def evidence(self, why: frozenset[int]) -> tuple[int, ...]:
        """The statements that an answer takes, with those that its pronouns lean on."""
        return tuple(sorted(why.union(*(self.links.get(number, ()) for number in why))))

    def answer(self, asked: Asked) -> Answer | None:
        """An answer in the words of the story; ``None`` where the story has no words for it."""
        found = asked.found
        if found.kind == "span":
            answer = self._spans(found.items, found.why)
            return self._beyond(answer, found.items[0]) if answer is not None and asked.query[0] == "where" else answer
        if found.kind == "number":
            return Answer(
                "number",
                NUMBER_WORDS[found.number] if found.number < len(NUMBER_WORDS) else str(found.number),
                number=found.number,
            )
        if found.kind == "path":
            return Answer("path", ", ".join(found.path), path=found.path)
        if found.kind == "untold":
            return Answer("untold", "not told", reason=self._reason(asked))
        if found.kind == "nothing":
            return Answer("nothing", "nobody" if asked.kind in ("who_in", "who") else "nothing")
        return Answer(found.kind, found.kind)

    def _beyond(self, answer: Answer, item: Entity) -> Answer:
        """The same with what the place is in beyond that."""
        also: list[Span] = []
        positions = self.world.places.positions
        while item in positions and len(also) < 5:
            position = positions[item]
            spot = position.spot.root() if position.spot is not None else None
            outer = position.by if position.by is not None else spot.place if spot is not None else None
            if outer is None or outer not in self.named:
                break
            also.append(self.named[outer][-1])
            item = outer
        return replace(answer, also=tuple(also)) if also else answer

    def _spans(self, items: list[Entity], why: frozenset[int]) -> Answer | None:
        spans, mentions, texts = [], [], []
        number = 0
        for item in items:
            named = self.named.get(item)
            if not named:
                return None
            early = [span for span in named if span[0] <= max(why, default=0)]
            best = max((span for span in named if span[0] in why), default=early[-1] if early else named[-1])
            spans.append(best)
            mentions.append(tuple(named))
            texts.append(self._words_of(item, best))
            if item.kind == "number":
                number = item.rank
        order = sorted(range(len(spans)), key=lambda place: spans[place])
        if any(spans[one] == spans[other] for one in order for other in order if one < other):
            return None
        text = ", ".join(texts[place] for place in order)
        if number and len(items) == 1:
            return Answer("number", text, tuple(spans), tuple(mentions), number=number)
        return Answer("span", text, tuple(spans[place] for place in order), tuple(mentions[place] for place in order))

    def _words_of(self, item: Entity, span: Span) -> str:
        if item.speaking in ("I", "we"):
            return "you"
        words = list(self.statements[span[0]].words[span[1] : span[2]])
        if span[1] == 0 and words[0] in ("My", "Our", "Your", "The", "His", "Her", "Their"):
            words[0] = words[0].lower()
        elif span[1] == 0 and item.words[0] == words[0].lower():
            words[0] = item.words[0]
        return join(words)

    def _reason(self, asked: Asked) -> str:
        """Why there is no answer, as a sentence."""
        if asked.missing is not None:
            line = self.line(question=True)
            line.plain = True
            asked.missing(line)
            line.finish()
            return join(line.words)
        text = table("asking.toml")["why_not"].get(asked.query[0])
        if text is None or not asked.names:
            return REASONS.get(asked.found.reason, "Nothing says that")
        line = self.line(question=True)
        line.plain = True
        fill(line, text, asked.names)
        line.finish()
        return join(line.words)


Family = Callable[[Teller], "Telling | None"]
MODULES = (moving, handling, doing, knowing, relating, counting)
FAMILY: dict[str, Family] = {
    name: getattr(module, name) for name in FAMILY_NAMES for module in MODULES if hasattr(module, name)
}


def draw(random: Random, dials: Dials | None = None) -> Story:
    """One story."""
    dials = dials or Dials()
    teller = Storyteller(random, dials)
    count = random.randint(*dials.statements)
    while len(teller.statements) < count and not teller.ended:
        teller.tell()
        more = int(dials.questions) + (random.random() < dials.questions % 1)
        for _ in range(more if len(teller.statements) >= dials.asked_from else 0):
            teller.ask()
    for _ in range(20):
        if teller.questions:
            break
        if not teller.ended:
            teller.tell()
        teller.ask()
    told, asked, records = tuple(teller.statements), tuple(teller.questions), tuple(teller.world.records)
    return Story(told, asked, records, frozenset(teller.links), tuple(teller.mentions))


def stories(seed: int = 0, dials: Dials | None = None) -> Iterator[Story]:
    """Stories without end, the same for the same seed and dials."""
    random = Random(seed)
    while True:
        yield draw(random, dials)
