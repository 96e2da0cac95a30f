"""How well a network answers ordinary English: right, wrong, refused and how sure, on stories told in several ways.

Answers are compared as people would: without articles and prepositions, lists in any order, numbers as digits, "none" as 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from memnet.ask.predictor import Predictor
from memnet.errors import AskError, NetworkError
from memnet.measure.everyday import is_right, read_everyday
from memnet.record.measurements import EnglishScore
from memnet.tasks.families import find
from memnet.tasks.world import MIXES, Dials, Story, draw, small_talk

UNTOLD = "not told"
SURE, HALF = 0.9, 0.5
BINS = 10
LENGTHS = (3, 10, 20, 40, 80, 160)  # statements
FIVE = {  # statements of one kind, and the question about one of them
    "P went to the R": ("{p} went to the {r}.", "Where is {p}?", "{r}"),
    "The I is in the R": ("The {i} is in the {r}.", "Where is the {i}?", "{r}"),
    "P moved the I to the R": ("{p} moved the {i} to the {r}.", "Where is the {i}?", "{r}"),
    "P put the I in the R": ("{p} put the {i} in the {r}.", "Where is the {i}?", "{r}"),
    "P gave the I to Q": ("{p} gave the {i} to {q}.", "Who has the {i}?", "{q}"),
}
STORIES = 200  # of a set that is drawn
OF_TASKS = replace(  # moves, of pairs and by pronouns too, takes, drops and gives, in the words of the tasks
    MIXES["T12"], families=("moves", "moves_together", "moves_after", "taking", "dropping", "handing"), statements=(6, 20)
)


@dataclass(frozen=True)
class Asked:
    """A question about a story, and every answer that is right; "not told" where the story does not say."""

    statements: tuple[str, ...]
    question: str
    answers: tuple[str, ...]

    @property
    def told(self) -> bool:
        """Whether the story says."""
        return UNTOLD not in self.answers


@dataclass(frozen=True)
class Outcome:
    """What became of a question."""

    right: bool
    refused: bool
    told: bool
    probability: float  # of the answer


def own_words(path: Path) -> list[Asked]:
    """Stories in free wording. Raises :class:`~memnet.errors.NetworkError`, which names a line by its number alone."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise NetworkError(f"{path} cannot be read as stories in free wording: {error}") from error
    found, statements = [], list[str]()
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("# kind:"):
            statements = []
        elif line.startswith("? "):
            question, arrow, answers = line[2:].rpartition(" -> ")
            if not arrow or not statements:
                raise NetworkError(f"{path}, line {number}: expected '? question -> answer' after a story's statements")
            found.append(Asked(tuple(statements), question, tuple(one.strip() for one in answers.split("|"))))
        elif line.strip():
            statements.append(line)
    return found


def outcome(predictor: Predictor, asked: Asked) -> Outcome:
    """Ask as a person does; what cannot be asked at all counts as refused."""
    try:
        answer = predictor.ask(asked.statements, asked.question, runners_up=0, reads=1)
    except AskError:
        return Outcome(not asked.told, True, asked.told, 0.0)
    chance = answer.probability * (1 - answer.unanswerable)
    if not answer.answerable:
        return Outcome(not asked.told, True, asked.told, answer.unanswerable)
    return Outcome(asked.told and is_right(answer.text, asked.answers), False, asked.told, chance)


def when_sure(one: Outcome, sure: float) -> Outcome:
    """What becomes of a question where no answer is given that is less probable than ``sure``."""
    return one if one.refused or one.probability >= sure else Outcome(not one.told, True, one.told, one.probability)


def score(name: str, outcomes: Sequence[Outcome]) -> EnglishScore:
    """The shares of outcomes in percent; the calibration error is of what was answered (Guo et al. 2017), over ten bins."""

    def share(found: Iterable[bool], all_of: int) -> float:
        return round(100 * sum(found) / max(1, all_of), 2)

    answered = [one for one in outcomes if not one.refused]
    told, untold = [one for one in outcomes if one.told], [one for one in outcomes if not one.told]
    gaps = dict[int, float]()
    for one in answered:
        place = min(BINS - 1, int(one.probability * BINS))
        gaps[place] = gaps.get(place, 0.0) + one.right - one.probability
    return EnglishScore(
        name,
        len(outcomes),
        share((one.right for one in outcomes), len(outcomes)),
        share((not one.right for one in answered), len(outcomes)),
        share((one.refused and one.told for one in outcomes), len(outcomes)),
        share((not one.right and one.probability > SURE for one in answered), len(outcomes)),
        share((one.refused for one in untold), len(untold)),
        share((one.refused for one in told), len(told)),
        round(100 * sum(map(abs, gaps.values())) / max(1, len(answered)), 2),
    )


def of_world(dials: Dials, seed: int, stories: int = STORIES) -> Iterator[Asked]:
    """Questions of fresh stories of the world, each with the statements told before it."""
    for number in range(stories):
        story = draw(Random(f"measured {seed} {number}"), dials)
        for question in story.questions:
            answers = answers_of(story, question.answer.kind, question.answer.text)
            if question.answer.kind != "path":
                yield Asked(tuple(one.text for one in story.statements[: question.after]), question.text, answers)


def of_tests(name: str) -> Iterator[Asked]:
    """The test questions of a data set."""
    for story in find([name])[0].test:
        for question in story.questions:
            yield Asked(story.statements[: question.after], question.text, (question.answer,))


def answers_of(story: Story, kind: str, text: str) -> tuple[str, ...]:
    """The right answer of a world's question."""
    return (UNTOLD,) if kind == "untold" else (text,)


def same_words(kind: str, statements: int, seed: int, stories: int = 50) -> Iterator[Asked]:
    """Stories whose statements are all of one form, about up to 60 people, things and places."""
    statement, question, answer = FIVE[kind]
    for number in range(stories):
        random = Random(f"same words {kind} {statements} {seed} {number}")
        people, things, places = names_of(random)
        who, what = some_of(random, people, statements), some_of(random, things, statements)
        told = []
        for person, thing in zip(who, what, strict=True):
            other = random.choice([one for one in people if one != person])
            told.append({"p": person, "q": other, "i": thing, "r": random.choice(places)})
        key = "p" if "{p}" in question else "i"
        asked = random.choice(told)[key]
        last = next(one for one in reversed(told) if one[key] == asked)
        yield Asked(tuple(statement.format(**one) for one in told), question.format(**{key: asked}), (answer.format(**last),))


def some_of(random: Random, names: Sequence[str], count: int) -> list[str]:
    """As many as are wanted, none twice where there are enough."""
    return random.sample(names, count) if count <= len(names) else random.choices(names, k=count)


def names_of(random: Random, most: int = 60) -> tuple[list[str], list[str], list[str]]:
    """People, things and places."""
    from memnet.tasks.world.lexicon import names, nouns

    people = sorted({name for kind in ("woman", "man") for group in names(kind) for name in group})
    things = sorted({*nouns("tool"), *nouns("gadget"), *nouns("kitchenware")})
    places = sorted({*nouns("room"), *nouns("public"), *nouns("shop")})
    return random.sample(people, most), random.sample(things, most), random.sample(places, min(most, len(places)))


def with_small_talk(asked: Iterable[Asked], lines: int = 20, seed: int = 0) -> Iterator[Asked]:
    """The same questions with lines that mean nothing scattered in their stories."""
    for number, one in enumerate(asked):
        random = Random(f"small talk {seed} {number}")
        statements = list(one.statements)
        for line in small_talk(random, lines):
            statements.insert(random.randint(0, len(statements)), line.text)
        yield replace(one, statements=tuple(statements))


def sets(folder: Path, kept: bool, seed: int) -> dict[str, Callable[[Predictor], list[Asked]]]:
    """What is measured, by name; ``folder`` holds the tests' stories. Kept stories only where they are asked for."""

    def answered(predictor: Predictor) -> list[Asked]:
        told = [asked for asked in development() if asked.told]
        return [asked for asked in told if outcome(predictor, asked).right]

    def development() -> list[Asked]:
        return [asked for name in ("dev_a", "dev_b") for asked in own_words(folder / "own_words" / f"{name}.txt")]

    def everyday(_: Predictor) -> list[Asked]:
        return [Asked(one.statements, one.question, one.answers) for one in read_everyday(folder / "everyday_stories.txt")]

    found: dict[str, Callable[[Predictor], list[Asked]]] = {
        "everyday stories": everyday,
        "own words, to develop with": lambda _: development(),
        "of these answered right, with 20 lines of small talk": lambda predictor: list(with_small_talk(answered(predictor))),
        "mixed stories of the tasks' sentences": lambda _: list(of_world(OF_TASKS, seed)),
        "mixed stories of the world": lambda _: list(of_world(Dials(), seed)),
        "mix T7": lambda _: list(of_tests(f"dyna/T7@{seed}")),
        "mix T12": lambda _: list(of_tests(f"dyna/T12@{seed}")),
    }
    if kept:
        found["own words, kept"] = lambda _: [
            asked for name in ("kept_c", "kept_d") for asked in own_words(folder / "own_words" / f"{name}.txt")
        ]
    for kind in FIVE:
        for length in LENGTHS:
            found[f"{kind}, {length} statements"] = lambda _, kind=kind, length=length: list(same_words(kind, length, seed))  # type: ignore[misc]
    return found


def bench_english(predictor: Predictor, folder: Path, names: Sequence[str], kept: bool, seed: int) -> Iterator[EnglishScore]:
    """Score sets, all of them without ``names``. Raises :class:`~memnet.errors.NetworkError` for a name that there is not."""
    found = sets(folder, kept, seed)
    if unknown := [name for name in names if name not in found]:
        raise NetworkError(f"there is no set {unknown[0]!r}; there are: {'; '.join(found)}")
    for name in names or found:
        outcomes = [outcome(predictor, asked) for asked in found[name](predictor)]
        yield score(name, outcomes)
        if name.startswith("own words"):
            yield score(f"{name}, --sure {HALF}", [when_sure(one, HALF) for one in outcomes])
