"""What Dyna-bAbI's networks are trained on (Tamari et al. 2022, section 4), with the mixes' people and places.

concat    the original tasks, a thousand questions of each, as the simulator draws them
inject    the same stories with more questions: where somebody, and where something is
diverse   stories of 20 statements of fewer kinds than a mix has, drawn freely, with one question each

The original text knows neither Julie nor the park. Each of its stories is told here with people and places of the mixes, drawn
for that story, so that no test asks about a name that training never had.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from random import Random

from ..simulator import simulate
from ..text import Question, Story, words
from ..text.renaming import rename_story
from .replay import acts

WOMEN, MEN = ("Mary", "Sandra", "Julie"), ("John", "Daniel", "Bill", "Fred", "Jeff")
PLACES = ("bathroom", "bedroom", "cinema", "garden", "hallway", "kitchen", "office", "park", "school")
THINGS = ("apple", "football", "milk")
NAMES = frozenset(name.lower() for name in (*WOMEN, *MEN, *PLACES, *THINGS))

TASKS = {"T7": (1, 2, 3, 5, 11, 12, 13), "T12": (1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13)}
INJECTED = {  # of each task the kinds of questions that are added
    **dict.fromkeys((3, 5, 7, 8), ("where", "where_thing")),
    **dict.fromkeys((2, 6, 9, 10), ("where",)),
}

MOVES, CARRY = ("moves",), ("moves", "taking", "dropping")
GIVE = (*CARRY, "handing")
Facts = range
Group = tuple[tuple[str, ...], str, Facts, float]  # kinds of statements, of question, supporting facts, share
FREELY: dict[str, tuple[Group, ...]] = {  # as the authors' settings have them, but for questions about who gave what
    "T7": (
        *((CARRY, "where", range(facts, facts + 1), 1.0) for facts in (1, 2, 3)),
        *((CARRY, "where_thing", range(facts, facts + 1), 1.0) for facts in (2, 3)),
        (CARRY, "where_before", range(3, 4), 5.0),
        *((GIVE, "where_thing", range(facts, facts + 1), 1.0) for facts in (2, 3)),
        *((GIVE, "where", range(facts, facts + 1), 1.0) for facts in (1, 2, 3)),
        (("moves", "moves_after"), "where", range(1, 16), 1.0),
        (("moves", "moves_together", "moves_after"), "where", range(1, 16), 1.0),
        (("moves", "moves_together"), "where", range(1, 16), 1.0),
    ),
    "T12": (
        *((CARRY, "where", facts, 1.0) for facts in (range(1, 2), range(2, 3), range(3, 16))),
        *((CARRY, "where_thing", facts, 1.0) for facts in (range(2, 3), range(3, 4), range(4, 16))),
        *((CARRY, "where_before", facts, 2.5) for facts in (range(3, 4), range(4, 16))),
        *((GIVE, "where_thing", facts, 1.0) for facts in (range(2, 3), range(3, 4), range(4, 16))),
        *((GIVE, "where", facts, 1.0) for facts in (range(1, 2), range(2, 3), range(3, 16))),
        (("moves", "moves_after"), "where", range(1, 16), 1.0),
        (("moves", "moves_together", "moves_after"), "where", range(1, 16), 1.0),
        (("moves", "moves_together"), "where", range(1, 16), 1.0),
        *((kinds, "is_in", range(1, 16), 1.0) for kinds in (MOVES, (*MOVES, "denials"), (*MOVES, "either"))),
        *((kinds, "where", range(1, 16), 0.5) for kinds in ((*MOVES, "denials"), (*MOVES, "either"))),
        (GIVE, "count_carried", range(1, 16), 1.0),
        (CARRY, "list_carried", range(1, 16), 1.0),
    ),
}


def recast(story: Story, random: Random) -> Story:
    """A story of the original tasks with people and places of the mixes: women stay women, as "she" stays."""
    said = {word.capitalize() for text in (*story.statements, *(one.text for one in story.questions)) for word in words(text)}
    names: dict[str, str] = {}
    for cast in (WOMEN, MEN):
        here = [name for name in cast if name in said]
        names |= dict(zip(here, random.sample(cast, len(here)), strict=True))
    here = [place for place in PLACES if place.capitalize() in said]
    return rename_story(story, names | dict(zip(here, random.sample(PLACES, len(here)), strict=True)))


@dataclass
class Known:
    """What a story of the original tasks lets one conclude: where people are, who has things and where these lie."""

    place: dict[str, str] = field(default_factory=dict)  # of people, and of things that nobody has
    holder: dict[str, str] = field(default_factory=dict)

    def of(self, name: str) -> str:
        """Where somebody or something is, empty where that is not known."""
        return self.place.get(self.holder.get(name, name), "")

    def told(self, statement: str) -> None:
        """One more statement, in small letters. What says nothing of a deed makes a place unknown, or known."""
        done = acts([statement])
        if not done:
            who, *_, where = statement.split()
            self.place[who] = where if " is in the " in statement else ""
            return
        (act,) = done
        if act.kind == "move":
            self.place[act.person] = act.thing
            return
        met = [one for one in (act.person, act.receiver) if one]
        here = next(filter(None, map(self.of, (*met, act.thing))), "")
        self.place |= dict.fromkeys(met, here)
        if act.kind == "drop":
            self.place[act.thing] = here
            self.holder.pop(act.thing, None)
        else:
            self.holder[act.thing] = act.receiver or act.person


def with_more_questions(story: Story, kinds: tuple[str, ...], random: Random) -> Story:
    """The story with a question of each kind where it asks one, about whom or what it tells of, where that is known."""
    known, people, told = Known(), [name.lower() for name in (*WOMEN, *MEN)], 0
    questions: list[Question] = []
    for question in story.questions:
        for text in story.statements[told : question.after]:
            known.told(" ".join(words(text)))
        told = question.after
        questions.append(question)
        for kind in kinds:
            about = people if kind == "where" else THINGS
            if found := [name for name in about if known.of(name)]:
                name = random.choice(found)
                asked = f"Where is {name.capitalize()}?" if kind == "where" else f"Where is the {name}?"
                questions.append(Question(asked, known.of(name), (), question.after))
    return replace(story, questions=tuple(questions))


def concat(member: str, questions: int, seed: int, inject: bool = False) -> Iterator[Story]:
    """So many questions of each of a mix's original tasks; ``inject``: and those that are added."""
    for number in TASKS[member]:
        random = Random(f"dyna {member} {number} {seed}")
        for story in simulate(f"qa{number}", questions, seed):
            one = recast(story, random)
            yield with_more_questions(one, INJECTED.get(number, ()), random) if inject else one


def diverse(member: str, questions: int, seed: int, tell: Callable[[Random, Group], Iterator[Story]]) -> Iterator[Story]:
    """As many questions as concat has, of the groups that ``tell`` draws stories of."""
    total = questions * len(TASKS[member])
    shares = sum(share for *_, share in FREELY[member])
    for number, group in enumerate(FREELY[member]):
        random = Random(f"dyna diverse {member} {number} {seed}")
        yield from islice(tell(random, group), round(total * group[3] / shares))


REGIMES: Mapping[str, str] = {
    "concat": "trained on the original tasks",
    "inject": "trained on the original tasks with more questions",
    "diverse": "trained on stories drawn freely",
}
