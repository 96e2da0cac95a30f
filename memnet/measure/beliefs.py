"""What the answers of stories about beliefs are a function of: two rules, and how often one form of story has two answers.

*seen*: who is in the room of a thing, or enters it, sees where it is, and sees who else sees it. That is what stories mean.
*labelled*: as *seen*, but a belief about a belief is mistaken only if the other of the two people was out as the thing was
moved, did not come back, and nobody else was ever in that room. That is what ToMi's answers of the second order are.

A form is a story and its question with names in the order in which they come. A form with two answers would be a limit to every
reader; a rule that gives all answers shows that there is none.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from memnet.record.family_scores import Consistency
from memnet.tasks.families import Task
from memnet.tasks.families.beliefs import FIRST, MEMORY, REALITY, order_of
from memnet.tasks.text import Question, Story, texts_of, words
from memnet.tasks.text.entities import EntityReader, anonymize
from memnet.tasks.text.names import MARKERS, name_words

WENT = re.compile(r"(\S+) (entered|exited) the (\S+)\.")
LIES = re.compile(r"The (\S+) is in the (\S+)\.")
MOVED = re.compile(r"(\S+) moved the (\S+) to the (\S+)\.")
CAPITAL = re.compile(r"\b[A-Z]\w+")


@dataclass
class Told:
    """What a story came to: where its thing was and is, what people saw of it, and who was in its room."""

    beginning: str = ""
    now: str = ""
    mover: str = ""

    def __post_init__(self) -> None:
        self.saw: dict[str, str] = {}  # by person
        self.saw_see: dict[tuple[str, str], str] = {}  # where one saw another see it
        self.visitors: set[str] = set()

    @classmethod
    def of(cls, statements: Sequence[str]) -> Told:
        """One thing, which somebody moves once; it is in the room of who moves it."""
        found, rooms = cls(), dict[str, str]()
        home, found.mover = home_of(statements)
        for text in statements:
            if went := WENT.fullmatch(text):
                rooms[went[1]] = went[3] if went[2] == "entered" else ""
                if rooms[went[1]] != home:
                    continue
                found.visitors.add(went[1])
            elif lies := LIES.fullmatch(text):
                found.beginning = found.now = lies[2]
            elif moved := MOVED.fullmatch(text):
                found.now = moved[3]
            else:
                continue
            if found.now:
                found.look(
                    {one for one, room in rooms.items() if room == home} | ({found.mover} if MOVED.fullmatch(text) else set())
                )
        return found

    def look(self, there: Iterable[str]) -> None:
        """All who are there see the thing, and each other."""
        there = list(there)
        for one in there:
            self.saw[one] = self.now
            self.saw_see |= {(one, other): self.now for other in there if other != one}


def home_of(statements: Sequence[str]) -> tuple[str, str]:
    """The room where the thing is moved, and who moves it; empty where nobody does."""
    rooms: dict[str, str] = {}
    for text in statements:
        if went := WENT.fullmatch(text):
            rooms[went[1]] = went[3] if went[2] == "entered" else ""
        elif moved := MOVED.fullmatch(text):
            return rooms.get(moved[1], ""), moved[1]
    return "", ""


def seen(told: Told, question: Question) -> str:
    """The answer by what people saw."""
    order, people = order_of(question), CAPITAL.findall(question.text)[1:]
    if order in (MEMORY, REALITY):
        return told.beginning if order == MEMORY else told.now
    first = told.saw.get(people[0], told.now)
    return first if order == FIRST else told.saw_see.get((people[0], people[1]), first)


def labelled(told: Told, question: Question) -> str:
    """The answer as ToMi has it."""
    people = CAPITAL.findall(question.text)[1:]
    if len(people) < 2:
        return seen(told, question)
    (other,) = set(people) - {told.mover} or {people[0]}
    mistaken = told.saw.get(other) != told.now and told.visitors <= set(people)
    return told.beginning if mistaken else told.now


def consistency(task: Task) -> Iterator[Consistency]:
    """Of the training and the validation questions together, by kind; test questions are not looked at."""
    stories = [*task.train, *(task.valid or [])]
    names = name_words(task.train)
    reader = EntityReader(frozenset(word for story in stories for text in texts_of(story) for word in words(text)) - names)
    forms: dict[str, dict[tuple[object, ...], Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    right: dict[str, Counter[str]] = defaultdict(Counter)
    for story in stories:
        told = Told.of(story.statements)
        for question in story.questions:
            one = anonymize(Story(story.statements, (question,)), reader, MARKERS)
            forms[question.kind][*one.statements, one.questions[0].text][one.questions[0].answer] += 1
            right[question.kind] += Counter(
                rule.__name__ for rule in (seen, labelled) if rule(told, question) == question.answer
            )
    for kind, found in sorted(forms.items()):
        asked = sum(answers.total() for answers in found.values())
        most = sum(max(answers.values()) for answers in found.values())
        shares = (100 * right[kind][rule.__name__] / asked for rule in (seen, labelled))
        yield Consistency(task.name, kind, asked, len(found), 100 * most / asked, *shares)
