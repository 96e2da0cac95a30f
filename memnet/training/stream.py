"""Training whose epochs differ: fresh simulated stories, or the same stories with other markers for their names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from memnet.config import Training
from memnet.encode.examples import Examples, examples
from memnet.encode.normalizer import Normalizer
from memnet.encode.vocabulary import Vocabulary
from memnet.errors import ConfigError, TrainingError
from memnet.tasks.families import FAMILIES, Task
from memnet.tasks.simulator import PUBLISHED_TASKS, Dials, simulate, task_name
from memnet.tasks.text import Question, Story, answer_entry, words
from memnet.tasks.text.evidence import stories_of_facts, stories_without_evidence

MIXED = Dials(people=8, places=10, distractors=2)
FAR = Dials(path=2, at_once=2)
HELD = Dials(people=6, places=9, objects=6, distractors=2)
MIX: dict[str, tuple[tuple[float, Dials], ...]] = {  # of each task the shares of its questions, as published and otherwise
    **dict.fromkeys(
        ("single_fact", "negation", "indefinite", "coreference", "compound_coreference"), ((0.4, Dials()), (0.1, MIXED))
    ),
    **dict.fromkeys(("two_relations", "time_order", "induction", "motivation"), ((0.6, Dials()),)),
    "two_facts": ((2.0, Dials()), (0.3, Dials(people=2, places=3, objects=4)), (0.2, HELD)),
    "three_facts": (  # a room reached late on an object's way is asked about too seldom to be learned: 3 of 4 ask of the second
        *((4.5, Dials()), (0.7, Dials(people=2, places=3, objects=6)), (0.5, HELD)),
        *((3.0, replace(FAR, people=1, objects=6)), (3.5, replace(FAR, people=2, objects=6)), (4.0, FAR)),
    ),
    "three_relations": ((2.2, Dials()), (0.3, HELD)),
    "yes_no": ((0.4, Dials()), (0.1, HELD)),
    "counting": ((3.0, Dials()), (0.8, Dials(people=2, objects=6)), (0.4, HELD)),
    "lists": ((2.5, Dials()), (0.5, HELD)),
    "conjunction": ((1.0, Dials()), (0.2, MIXED)),
    "deduction": ((0.7, Dials()), (0.2, Dials(people=2, kinds=2)), (0.2, Dials(people=6, kinds=6))),
    "position": ((2.0, Dials()), (0.5, Dials(path=1))),  # eight questions a story
    "size": ((1.2, Dials()), (0.2, Dials(chain=1)), (0.2, Dials(chain=3))),
    "path": (  # a path of two steps is learned after those of one, and in a small town first
        *((0.3, Dials(path=1)), (0.7, Dials(places=3)), (1.2, Dials(places=4))),
        *((4.0, Dials()), (0.3, Dials(places=8))),
    ),
}
PLAIN = ((1.0, Dials()),)
OF_MIXES = 20.0  # the share of a task that a family draws by itself
BETWEEN = 100_000  # seeds of a task's variants are so far apart
MASKED = "masked-word"  # stands in a statement for the word that is to be predicted
FIRST = 1_000_000  # seeds from here on are of streams: those below are of data sets, train and test


@dataclass(frozen=True)
class Stream:
    """So many questions of each task an epoch, times its shares; they depend on the epoch and the story seed alone."""

    families: tuple[str, ...]
    names: tuple[str, ...]
    questions: int
    seed: int
    config: Training

    @classmethod
    def of(cls, tasks: Sequence[Task], config: Training) -> Stream:
        """Of tasks that the simulator or their family draws. Raises :class:`TrainingError` for others."""
        for task in tasks:
            family = FAMILIES[task.family]
            if family.fresh is None and (task.member not in PUBLISHED_TASKS or not family.drawn):
                drawn = " or ".join(f"{name}/{task.member}" for name, family in FAMILIES.items() if family.drawn)
                raise TrainingError(f"stream draws fresh stories, and those of {task.name} cannot be drawn; name {drawn}")
        families, names = tuple(task.family for task in tasks), tuple(task.member for task in tasks)
        return cls(families, names, config.stream, tasks[0].seed, config)

    def stories(self, number: int) -> list[list[Story]]:
        """The stories of an epoch, from 0, by task."""
        seed = FIRST * (1 + self.seed) + number
        return [self.of_task(family, name, seed) for family, name in zip(self.families, self.names, strict=True)]

    def of_task(self, family: str, name: str, seed: int) -> list[Story]:
        """A task's, of each variant its share."""
        if draw := FAMILIES[family].fresh:
            return draw(name, round(OF_MIXES * self.questions), seed)
        found: list[Story] = []
        for place, (share, variant) in enumerate(MIX.get(task_name(name), PLAIN)):
            dials = replace(variant, phrasing=self.config.phrasing, background=self.config.background)
            found += simulate(name, max(1, round(share * self.questions)), seed + place * BETWEEN, dials)
        return found

    def epoch(self, number: int, vocabulary: Vocabulary) -> Examples:
        """The questions of an epoch, none whose answer the vocabulary lacks; some also of no facts, or of facts alone."""
        prepared = []
        for place, stories in enumerate(self.stories(number)):
            without = stories_without_evidence(stories, self.config.unanswerable)
            alone = stories_of_facts(stories, self.config.facts_alone)
            prepared.append(vocabulary.prepare([*stories, *without, *alone], number * len(self.names) + place))
        told = examples(prepared, vocabulary, self.config.memory_size)
        return told.select((told.answer >= 0).all(1).nonzero().flatten())


@dataclass(frozen=True)
class Redrawn:
    """The same training stories in every epoch, by task, with other markers for their names; they depend on the epoch alone."""

    stories: Sequence[Sequence[Story]]
    config: Training

    def epoch(self, number: int, vocabulary: Vocabulary) -> Examples:
        """The questions of an epoch, from 0, in the order of the stories."""
        prepared = [
            vocabulary.prepare(part, FIRST + number * len(self.stories) + place, self.config.marker_gaps)
            for place, part in enumerate(self.stories)
        ]
        found = examples(prepared, vocabulary, self.config.memory_size)
        return found.with_facts_of(self.config.facts) if self.config.supervision == "facts" else found


Place = tuple[int, int, int]  # a story, a statement of it, a word of that, by number


@dataclass(frozen=True)
class Cloze:
    """The training questions, and statements with a masked word, asked before they are stated: others in every epoch.

    "Mary dropped the ..." asks what Mary carries, and no supporting facts are needed to learn it (Devlin et al. 2019, arXiv
    1810.04805, section 3.1, mask words of a text; here a statement is a question about those before it).
    """

    stories: Sequence[Story]  # as the text has them
    places: Sequence[Place]  # of the words that may be masked, of the stories with their phrases as words
    config: Training

    @classmethod
    def of(cls, stories: Sequence[Story], groups: Sequence[Sequence[str]], normalizer: Normalizer, config: Training) -> Cloze:
        """Of training stories; interchangeable words are masked that questions ask for or about.

        Raises :class:`~memnet.errors.ConfigError` where there are none.
        """
        asked = {
            word for story in stories for question in story.questions for word in words(normalizer.normalize(question.text))
        }
        asked.update(part for story in stories for one in story.questions for part in answer_entry(one.answer).split(","))
        names = {word for group in groups for word in group} & asked
        read = [[words(normalizer.normalize(text)) for text in story.statements] for story in stories]
        places = [
            (number, after, place)
            for number, sentences in enumerate(read)
            for after, sentence in enumerate(sentences)
            for place, word in enumerate(sentence)
            if word in names
        ]
        if not places:
            raise ConfigError("cloze: no statement has an interchangeable word that questions ask for or about; set cloze=0")
        return cls(stories, places, config)

    def epoch(self, number: int, vocabulary: Vocabulary) -> Examples:
        """The questions of an epoch, from 0, with others that it draws: those whose answer, as it is named, training has."""
        questions = sum(len(story.questions) for story in self.stories)
        drawn = Random(number).sample(self.places, min(len(self.places), round(self.config.cloze * questions)))
        asked: list[list[Question]] = [list(story.questions) for story in self.stories]
        for story, after, place in drawn:
            sentence = list(words(vocabulary.normalizer.normalize(self.stories[story].statements[after])))
            word, sentence[place] = sentence[place], MASKED
            asked[story].append(Question(" ".join(sentence), word, (), after))
        read = [
            Story(story.statements, tuple(sorted(found, key=lambda question: question.after)))
            for story, found in zip(self.stories, asked, strict=True)
        ]
        known = [
            replace(story, questions=tuple(one for one in story.questions if min(vocabulary.answer_numbers(one.answer)) >= 0))
            for story in vocabulary.prepare(read, number)
        ]
        return examples([[story for story in known if story.questions]], vocabulary, self.config.memory_size)
