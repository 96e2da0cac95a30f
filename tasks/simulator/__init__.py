"""The simulator: fresh stories of the twenty tasks, drawn as the published ones were.

The same task, dials, seed and number of questions give the same stories on every machine.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, fields, replace
from functools import cache, partial
from importlib import resources
from pathlib import Path
from random import Random
from types import ModuleType

from ..files import check_is_new, new_folder
from ..text import Story, words, write, written_words
from ..text.confusing import FOR_TRAINING, RELATED, confusing_lines
from ..text.english import PEOPLE_PRONOUNS
from ..text.lists import read_lists
from ..text.renaming import rename_story
from .phrasing import PHRASES, everyday, strange_verbs
from .world import DialError, Dials

VERSION = "1.1.0"  # of the stories: changes whenever the same seed gives others
LISTED = {file: called.rpartition("_") for file, called in map(str.split, read_lists(__package__, "tasks.txt")["tasks"])}
TASKS = {file: title for file, (_, _, title) in LISTED.items()}
PUBLISHED_NAMES = {file: name for file, (name, _, _) in LISTED.items() if name}  # by which the stories on record were drawn
PUBLISHED_TASKS = tuple(PUBLISHED_NAMES.values())
FILE_TITLES = {PUBLISHED_NAMES.get(file, file): title for file, title in TASKS.items()}  # by the names that users give
REGISTERED: dict[str, ModuleType] = {}  # tasks from outside
EVERYWHERE = frozenset({"background", "distractors", "phrasing", "new_names"})
IDLE = PHRASES["idle sentences"]
CONFUSING, NAMED = 0.15, 0.3  # of the lines beside a story: share in its words, and share of the others that have a name of it
LONG = 5  # letters of a word of a book that a name may replace
ALIASES = dict(pair.split() for pair in PHRASES["people and names that no published story has"])


@cache
def entity_words() -> frozenset[str]:
    """Every word of the names of the twenty tasks and of idle sentences, and strange verbs: none of them is to be known."""
    from . import deduction, induction, motivation, position, size, world

    casts = (world.HOUSE, world.GIVERS, world.TOWN)
    names = [name for cast in casts for part in cast for name in part]
    names += [*world.PEOPLE, *world.PLACES, *world.THINGS, *ALIASES.values(), size.SMALL, size.MIDDLE, *size.LARGE]
    for plural in (deduction.PLURAL, deduction.MORE):
        names += [*plural, *plural.values()]
    names += [*deduction.PEOPLE, *induction.PEOPLE, *induction.SPECIES, *induction.COLOURS, *position.SHAPES]
    names += motivation.ACTORS
    names += [name for wanted in motivation.WANTS.values() for name in wanted]
    idle = frozenset(word for text in IDLE for word in words(text)) - {"the", "is", "it", "a", "on", "by"}
    return (frozenset(word for name in names for word in words(name)) - {"of"}) | strange_verbs() | idle


def register(name: str, teller: ModuleType, title: str) -> None:
    """Add a task from outside: ``teller`` has ``story(draw, dials)`` and ``DIALS`` as a file of this folder has.

    Raises :class:`DialError` where it has not, or where there is a task of that name.
    """
    if not callable(getattr(teller, "story", None)) or not isinstance(getattr(teller, "DIALS", None), Set):
        raise DialError(f"the task {name!r} needs a function story(draw, dials) and DIALS, a set of names of dials")
    if name in FILE_TITLES or name in TASKS:
        raise DialError(f"there is a task {name!r} already; give yours another name")
    REGISTERED[name] = teller
    FILE_TITLES[name] = TASKS[name] = title


def task_name(name: str) -> str:
    """A task's file here, where a published task may be called by its published name."""
    return next((file for file, published in PUBLISHED_NAMES.items() if published == name), name)


@cache
def module(name: str) -> ModuleType:
    """The file of a task. Raises :class:`DialError` where it is not installed."""
    if name in REGISTERED:
        return REGISTERED[name]
    try:
        return importlib.import_module(f"{__name__}.{name}")
    except ModuleNotFoundError as error:
        raise DialError(
            f"{name} is named in tasks.txt, but tasks/simulator/{name}.py is not found; install again, or run python -m "
            "memnet in its folder"
        ) from error


def known_tasks() -> str:
    """The names that there are, for a message."""
    others = (name for name in FILE_TITLES if name not in PUBLISHED_TASKS)
    return ", ".join([f"{PUBLISHED_TASKS[0]} to {PUBLISHED_TASKS[-1]}", *others])


def teller_of(name: str, dials: Dials) -> Callable[[Random], Story]:
    """The function that draws a task's stories. Raises :class:`DialError` for a dial that it does not have."""
    if task_name(name) not in TASKS:
        raise DialError(f"no task is called {name!r}: expected {known_tasks()}")
    task = module(task_name(name))
    have = task.DIALS | EVERYWHERE
    if dials.facts is not None and dials.facts > 1 and "facts" in task.DIALS:
        have |= module("two_facts").DIALS  # whose world it is then
    for field in fields(Dials):
        if getattr(dials, field.name) != field.default and field.name not in have:
            raise DialError(f"{name} has no dial {field.name!r}; it has {', '.join(sorted(have))}")
    facts = dials.facts  # of tasks 1 to 3, which are one world asked to different depths
    for wrong, said in (
        (facts is not None and not 1 <= facts <= 8, f"facts must be 1 to 8, not {facts}"),
        (facts == 1 and dials.objects is not None, "with facts 1 there are no objects; leave objects out"),
        (
            facts is not None and facts < 3 and dials.path is not None,
            f"with facts {facts} nothing is asked about the way of an object; leave path out",
        ),
        (dials.statements is not None and dials.statements < 1, f"statements must be 1 or more, not {dials.statements}"),
        (dials.distractors < 0, f"distractors must be 0 or more, not {dials.distractors}"),
        (dials.new_names and dials.people is not None, "new_names gives other names to the published people; leave people out"),
        (not 0 <= dials.phrasing <= 1, f"phrasing must be 0 to 1, not {dials.phrasing}"),
    ):
        if wrong:
            raise DialError(said)
    if facts is not None:
        task = module(("single_fact", "two_facts", "three_facts")[min(facts, 3) - 1])
    story: Callable[[Random, Dials], Story] = task.story

    def told(draw: Random) -> Story:
        one = story(draw, dials)
        one = everyday(draw, one, dials.phrasing) if dials.phrasing else one
        one = distracted(draw, one, dials.distractors)
        if dials.background and draw.random() < 0.5:
            one = distracted(draw, one, draw.randint(1, dials.background), BackgroundLines(draw, one.statements), anywhere=True)
        return one

    return told


@cache
def book_lines() -> tuple[str, ...]:
    """Sentences of books that look most like statements, to a retriever that learned to tell them apart."""
    return tuple(resources.files(__name__).joinpath("book_lines.txt").read_text(encoding="utf-8").splitlines())


@dataclass(frozen=True)
class BackgroundLines:
    """Draws lines that say nothing of a story: of books, some of them with one of its names, or in its words and confusing."""

    draw: Random
    statements: Sequence[str]

    def __call__(self) -> str:
        """One line."""
        if self.statements and self.draw.random() < CONFUSING:
            return confusing_lines(self.draw, self.statements, 1, FOR_TRAINING, RELATED)[0]
        line = self.draw.choice(book_lines())
        return self.with_name(line) if self.draw.random() < NAMED else line

    def with_name(self, line: str) -> str:
        """The line with a name of the story in the place of a long word, where there are both."""
        names = [word for text in self.statements for word in written_words(text) if word.lower() in entity_words()]
        places = [word for word in written_words(line) if len(word) >= LONG]
        return line.replace(self.draw.choice(places), self.draw.choice(names), 1) if names and places else line


def distracted(draw: Random, story: Story, number: int, line: Callable[[], str] | None = None, anywhere: bool = False) -> Story:
    """The story with idle sentences among its statements; supporting facts stay the same sentences.

    They may stand anywhere before the last question, next to a question too, but not between a sentence and the one that goes
    on with "he", "she" or "they", unless ``anywhere`` is meant.
    """
    if number == 0:
        return story
    line = line or partial(draw.choice, IDLE)
    last = story.questions[-1].after
    whole = [
        gap
        for gap in range(last + 1)
        if anywhere or gap == len(story.statements) or PEOPLE_PRONOUNS.isdisjoint(words(story.statements[gap]))
    ]
    idle: dict[int, int] = {}  # of each gap, after so many statements
    for _ in range(number):
        gap = draw.choice(whole)
        idle[gap] = idle.get(gap, 0) + 1
    statements: list[str] = []
    place: list[int] = []  # where each statement stands now
    after: dict[int, int] = {}  # how much is told before the questions of a gap
    for gap in range(len(story.statements) + 1):
        here = idle.get(gap, 0)
        first = here if gap == last else draw.randint(0, here)  # these stand before the questions of this gap
        statements += [line() for _ in range(first)]
        after[gap] = len(statements)
        statements += [line() for _ in range(here - first)]
        if gap < len(story.statements):
            place.append(len(statements))
            statements.append(story.statements[gap])
    questions = tuple(
        replace(q, supporting_facts=tuple(place[fact] for fact in q.supporting_facts), after=after[q.after])
        for q in story.questions
    )
    return Story(tuple(statements), questions)


def asked(story: Story) -> list[tuple[tuple[str, ...], str]]:
    """Every question with what was told before it: two that agree in both are the same question."""
    return [(story.statements[: question.after], question.text) for question in story.questions]


def simulate(
    name: str, questions: int, seed: int, dials: Dials | None = None, avoid: frozenset[object] = frozenset()
) -> list[Story]:
    """Stories of a task until so many questions are asked; the last story is cut there.

    A story with a question in ``avoid`` (see :func:`asked`) is drawn again. Raises :class:`DialError`
    for a dial that the task does not have or cannot follow, and where 1,000 stories in a row were to be avoided.
    """
    dials = dials or Dials()
    if questions < 0:
        raise DialError(f"the number of questions must be 0 or more, not {questions}")
    tell = teller_of(name, dials)
    draw = Random(f"{PUBLISHED_NAMES.get(name, name)} {seed}")
    stories: list[Story] = []
    refused = silent = 0
    while questions > 0:
        story = tell(draw)
        silent = 0 if story.questions else silent + 1
        if silent == 1000:
            raise DialError(f"{name} asks nothing: 1000 stories in a row have no question")
        if len(story.questions) > questions:
            keep = story.questions[:questions]
            story = replace(story, statements=story.statements[: keep[-1].after], questions=keep)
        if avoid and not avoid.isdisjoint(asked(story)):
            refused += 1
            if refused == 1000:
                raise DialError(
                    f"{name} has too few stories: the last 1000 drawn all have a question that training has; {questions} "
                    "test questions are missing. Ask for fewer, or let them overlap."
                )
            continue
        refused = 0
        stories.append(story)
        questions -= len(story.questions)
    return stories


def simulated_task(
    name: str, train: int = 1000, test: int = 1000, seed: int = 0, dials: Dials | None = None, overlap: bool = True
) -> tuple[list[Story], list[Story]]:
    """Training and test stories of a task; without ``overlap`` no test question stands in training."""
    dials = dials or Dials()
    train_stories = simulate(name, train, 2 * seed, dials)
    avoid = frozenset() if overlap else frozenset(known for story in train_stories for known in asked(story))
    test_stories = simulate(name, test, 2 * seed + 1, dials, avoid)
    if dials.new_names:
        others = [rename_story(story, ALIASES) for story in test_stories]
        if others == test_stories:
            raise DialError(f"{name} has no people who could have new names; leave new_names out")
        test_stories = others
    return train_stories, test_stories


def shared_questions(train: list[Story], test: list[Story]) -> int:
    """How many test questions stand in training, with the same statements before them."""
    known = {one for story in train for one in asked(story)}
    return sum(one in known for story in test for one in asked(story))


def write_tasks(
    names: Sequence[str], out: Path, train: int, test: int, seed: int, dials: Dials, overlap: bool
) -> list[tuple[str, int, int]]:
    """Write ``NAME_single-supporting-fact_train.txt`` and the like into a new folder, all or nothing.

    Gives each task's number of test questions and how many of them stand in training. Raises :class:`DialError`, and
    :class:`~memnet.tasks.families.DataError` where the folder is there already.
    """
    check_is_new(out)
    wanted = [name for given in names for name in (PUBLISHED_TASKS if given == "all" else (given,))]
    if len(set(wanted)) < len(wanted):
        raise DialError("a task is named more than once")
    report, files = [], {}
    for name in wanted:
        stories, asked_later = simulated_task(name, train, test, seed, dials, overlap)
        report.append((name, test, shared_questions(stories, asked_later)))
        for part, told in (("train", stories), ("test", asked_later)):
            files[f"{name}_{FILE_TITLES[name]}_{part}.txt"] = write(told)
    with new_folder(out) as folder:
        for file, text in files.items():
            (folder / file).write_bytes(text.encode())
    return report


__all__ = ["FILE_TITLES", "VERSION", "DialError", "Dials", "shared_questions", "simulate", "simulated_task", "write_tasks"]
