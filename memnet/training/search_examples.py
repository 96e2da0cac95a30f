"""Questions to train a search with: stories of the world told one among others, as people speak or write them down.

A memory holds dozens of stories. In some, two people speak: a story's person is one of them, and says "I". Questions are of
four kinds: those that the story answers, those that it does not, those of a story that the memory lacks, and those that ask
the wrong speaker, whose sentences are still wanted but answer nothing.
"""

from __future__ import annotations

import calendar
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from random import Random

from memnet.reading.compared import Candidate, compare, words_of
from memnet.tasks.world import Dials, Story, draw
from memnet.tasks.world.lexicon import names
from memnet.tasks.world.slots import Template, slotted
from memnet.tasks.world.texts import Question
from memnet.tasks.world.told import draw_told, idle_lines, written
from memnet.training.search import Asked

SPOKEN, WORLD, ELSEWHERE, WRONG, DATED = 0.7, 0.3, 0.15, 0.12, 0.12  # shares
STORIES, ASKED_STORIES, QUESTIONS = (15, 40), 16, 3  # in a memory; those that are asked about; of each
HELD_OUT = 10  # one of so many written stories trains nothing
USUAL = 6  # sentences of a story
OTHER_SPEAKER = 0.35  # of idle lines
ASKED_BEFORE, IDLE = 0.4, 0.3  # of statements: the other speaker asks for it first; an idle line comes first
WORDY, GOES_ON = 0.5, 0.6  # of memories in which people say much at once; of sentences there that go on
LEAST_WORDS = 2  # words of a question that say something: fewer do not tell which story is meant
AGREES = {"is": "am", "was": "was", "has": "have", "'s": "'m", "does": "do", "goes": "go"}


@dataclass
class Memory:
    """Sentences, and the questions (text, wanted sentences, whether they answer)."""

    told: list[Candidate] = field(default_factory=list)
    questions: list[tuple[str, tuple[int, ...], bool]] = field(default_factory=list)


def evidence(question: Question) -> tuple[int, ...]:
    """The statements that answer: those named, or those that an answer's words stand in."""
    return question.evidence or tuple(sorted({statement for statement, _, _ in question.answer.spans}))


def askable(question: Question) -> bool:
    """Whether a question tells what it is about, and a sentence or none answers it."""
    says = sum(word.weight > 0.5 for word in words_of(question.text))
    return says >= LEAST_WORDS and (question.answer.kind == "untold" or bool(evidence(question)))


def person(story: Story, random: Random) -> str | None:
    """Somebody of whom the story speaks: a name that a statement begins with and a question has."""
    known = _names()
    asked = {word for question in story.questions for word in question.words}
    first = sorted({one.words[0] for one in story.statements if one.words and one.words[0] in asked} & known)
    return random.choice(first) if first else None


@cache
def _names() -> frozenset[str]:
    return frozenset(name.title() for kind in ("woman", "man") for group in names(kind) for name in group)


def spoken(words: Sequence[str], name: str, speaker: str) -> str:
    """A statement about a person in that person's words where it begins with the name, and by another name elsewhere."""
    said = [speaker if word == name else word for word in words]
    if said and words[0] == name:
        said[0] = "I"
        if len(said) > 1:
            said[1] = AGREES.get(said[1], said[1])
    return joined(said)


def joined(words: Sequence[str]) -> str:
    """Words as a text; marks stand after a word."""
    text = ""
    for word in words:
        text += word if not text or word in ",;:.!?" or word.startswith("'") or word == "n't" else f" {word}"
    return text


@cache
def templates_of(part: str) -> tuple[Template, ...]:
    """The written stories to train with ("train"), or one of ten that never trained anything here ("test")."""
    return tuple(one for number, one in enumerate(written()) if (number % HELD_OUT == 0) == (part == "test"))


def drawn_story(random: Random, part: str) -> Story:
    """A written story, or one of the simulator's."""
    if random.random() < WORLD:
        return draw(
            random, Dials(statements=(3, 9), people=(2, 4), questions=1.0, words="train" if part == "train" else "kept")
        )
    return draw_told(random, slotted(random.choice(templates_of(part))))


class Teller:
    """Tells stories into one memory."""

    def __init__(self, random: Random) -> None:
        self.random, self.memory = random, Memory()
        self.speakers = tuple(random.sample(sorted(_names()), 2)) if random.random() < SPOKEN else ()
        self.years = random.randint(2019, 2025)
        self.wordy = random.random() < WORDY

    def tell(self, story: Story, asks: bool) -> None:
        """A story's sentences, idle lines and questions of the other speaker among them, and questions about it."""
        random = self.random
        name = person(story, random) if self.speakers else None
        speaker = random.choice(self.speakers) if self.speakers else ""
        when = f"{self.years}-{random.randint(1, 12):02}-{random.randint(1, 28):02}"
        begin, places, spoken_of = len(self.memory.told), list[int](), self.spoken_of(story)
        for number, statement in enumerate(story.statements):
            other = next((one for one in self.speakers if one != speaker), "")
            if number in spoken_of and random.random() < ASKED_BEFORE:
                words = ["you" if word == name else word for word in spoken_of[number].words]
                self.add(joined(words) + "?", other, when)
            elif random.random() < IDLE:
                self.add(random.choice(idle_lines()).text, other if random.random() < OTHER_SPEAKER else speaker, when)
            said = spoken(statement.words, name, speaker) if name else joined(statement.words)
            said += random.choice((".", ".", ".", "!", ""))
            self.add_or_go_on(said, speaker if name or random.random() < 0.5 else "", when, begin)
            places.append(len(self.memory.told) - 1)
        if asks:
            for question in self.of(story):
                self.ask(question, places, name, speaker, when)

    def spoken_of(self, story: Story) -> dict[int, Question]:
        """Questions by the first statement that answers them: the other speaker may ask one just before."""
        return {min(evidence(one)): one for one in story.questions if evidence(one)} if self.speakers else {}

    def add_or_go_on(self, text: str, speaker: str, when: str, begin: int) -> None:
        """One more sentence, or, of who says much at once, more of the story's last that begins at ``begin``."""
        told = self.memory.told
        if self.wordy and len(told) > begin and told[-1].speaker == speaker and self.random.random() < GOES_ON:
            told[-1] = told[-1]._replace(text=f"{told[-1].text} {text}")
        else:
            self.add(text, speaker, when)

    def add(self, text: str, speaker: str, when: str) -> None:
        """One sentence."""
        self.memory.told.append(Candidate(text, len(self.memory.told), speaker, when))

    def of(self, story: Story) -> list[Question]:
        """Some of a story's questions, all statements told."""
        fit = [one for one in story.questions if one.after == len(story.statements) and askable(one)]
        return self.random.sample(fit, min(QUESTIONS, len(fit)))

    def ask(self, question: Question, places: Sequence[int], name: str | None, speaker: str, when: str) -> None:
        """A question of a story, now and then of the wrong speaker, or with the day or the month in it."""
        random, words = self.random, list(question.words)
        answered, wanted = question.answer.kind != "untold", tuple(places[one] for one in evidence(question))
        named = name is not None and name in words
        if named:
            other = next(one for one in self.speakers if one != speaker)
            wrong = answered and random.random() < WRONG
            words = [(other if wrong else speaker) if word == name else word for word in words]
            answered = answered and not wrong
        text = joined(words)
        if random.random() < DATED:
            year, month, day = when.split("-")
            text += f" {random.choice((f'on {int(day)} ', 'in '))}{calendar.month_name[int(month)]}"
            text += random.choice(("", f" {year}", f", {year}"))
        self.memory.questions.append((text + "?", wanted, answered))

    def ask_elsewhere(self, story: Story) -> None:
        """Questions of a story that is not told."""
        self.memory.questions += [(joined(one.words) + "?", (), False) for one in self.of(story)]


def memory(random: Random, sentences: int | None = None, part: str = "train") -> Memory:
    """Stories told one after another, with questions about some of them; about so many sentences."""
    teller, many = Teller(random), random.randint(*STORIES)
    share = ASKED_STORIES / (many if sentences is None else sentences / USUAL)
    number = 0
    while len(teller.memory.told) < sentences if sentences is not None else number < many:
        teller.tell(drawn_story(random, part), random.random() < share)
        number += 1
    for _ in range(ASKED_STORIES):
        if random.random() < ELSEWHERE:
            teller.ask_elsewhere(drawn_story(random, part))
    return teller.memory


def examples(random: Random, count: int) -> Iterator[Asked]:
    """So many questions of memories that are drawn."""
    while count > 0:
        drawn = memory(random)
        for text, wanted, answered in drawn.questions[:count]:
            yield Asked.of(compare(drawn.told, text), wanted, answered)
        count -= len(drawn.questions)
