"""The questions that one network learns from, is chosen by and is tested on."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from memnet.config import Training
from memnet.encode.examples import Examples, examples
from memnet.encode.forms import Forms, forms_of
from memnet.encode.normalizer import Normalizer, common, interchangeable
from memnet.encode.normalizers import Normalizers, learned_normalizer
from memnet.encode.permute import Permutation
from memnet.encode.vectors import Vectors
from memnet.encode.vocabulary import STOP, TEST, TRAIN, UNKNOWN, VALID, OpenVocabulary, Vocabulary
from memnet.errors import ConfigError, TrainingError
from memnet.tasks.families import FAMILIES, Task
from memnet.tasks.text import Story, answer_entry, divide, one_line, words
from memnet.tasks.text.entities import bracketed_names
from memnet.tasks.text.evidence import always_told, stories_without_evidence
from memnet.tasks.text.names import name_words
from memnet.training.asked import Asked, asked_of
from memnet.training.candidates import check_candidates
from memnet.training.limits import check_lengths, furthest_fact
from memnet.training.start import Start
from memnet.training.stream import MASKED, Cloze, Redrawn, Stream

WORDS = 3  # epochs of a stream in everyday words, whose words are known
SHOWN = 100  # names that are printed


def check_facts(tasks: Sequence[Task], config: Training, counts: FactCounts) -> None:
    """Raise :class:`TrainingError` where no supporting fact can be learned from."""
    if counts.used == 0 and counts.beyond:
        raise TrainingError(
            f"the supporting facts of {counts.beyond:,} of the {counts.questions:,} training questions of "
            f"{', '.join(task.name for task in tasks)} are further back than the {config.memory_size:,} statements that the "
            f"memory holds, and nothing is left to learn from; set memory_size={max(map(furthest_fact, tasks))}"
        )
    if counts.used == 0:
        share = f" (of a share of {config.facts:g})" if config.facts < 1 else ""
        raise TrainingError(
            f"no training question of {', '.join(task.name for task in tasks)}{share} lists a supporting fact that can "
            "be learned from; give some, or train a network that learns from answers alone"
        )


def epochs_of(
    learned: Sequence[Sequence[Story]], config: Training, vocabulary: Vocabulary, permutation: Permutation | None
) -> Redrawn | Cloze | None:
    """What each epoch learns from where epochs of the same stories differ: in their names' markers, or in masked words."""
    if config.open_vocabulary:
        differ = config.marker_order == "drawn" or config.marker_gaps
        return Redrawn(learned, config) if config.redraws and differ else None
    if not config.cloze:
        return None
    if isinstance(vocabulary.normalizer, Normalizers):
        raise ConfigError("cloze masks words of one task, and canonical names those of several each in its own way")
    groups = vocabulary.normalizer.groups if permutation is None else permutation.groups
    return Cloze.of([story for stories in learned for story in stories], groups, vocabulary.normalizer, config)


def knows_all_is_told(config: Training) -> bool:
    """Whether a network has met no story that lacks what is asked about, so that nothing but a check can tell it."""
    return not config.open_vocabulary and config.unanswerable == 0


class Names(NamedTuple):
    """Words that are of names, for an open vocabulary."""

    words: frozenset[str]
    given: bool = True  # by a person or by the tasks, not learned from the training stories

    @classmethod
    def of(cls, tasks: Sequence[Task], given: frozenset[str] | None = None) -> Names:
        """Those ``given``, or of tasks. Raises :class:`TrainingError` where the training stories have none."""
        stories = [story for task in tasks for story in task.train]
        known = [FAMILIES[task.family].names for task in tasks]
        if given is None and all(known):
            return cls(frozenset[str]().union(*(names() for names in known if names is not None)))
        if given is None and (marked := bracketed_names(text for story in stories for text in story.statements)):
            return cls(marked)
        stated = {word for story in stories for text in story.statements for word in words(text)}
        if given is None:
            found = cls(frozenset[str]().union(*(name_words(task.train) for task in tasks)), given=False)
        else:
            found = cls(given & stated)
        if not found.words:
            raise TrainingError(
                f"open_vocabulary: no statement of {', '.join(task.name for task in tasks)} has a "
                + ("word that looks like a name; name some: --names FILE" if given is None else "word of the names given")
            )
        return found

    def describe(self) -> str:
        """The first of the words, in alphabetical order, and how many there are more."""
        more = f" and {len(self.words) - SHOWN} more" if len(self.words) > SHOWN else ""
        return " ".join(sorted(self.words)[:SHOWN]) + more


class FactCounts(NamedTuple):
    """Of training questions, how many have supporting facts that cannot be learned from as they are listed."""

    questions: int
    used: int  # whose facts are used
    missing: int  # that list none
    many: int  # that list more than there are hops
    beyond: int  # some of whose facts are older than the memory reaches

    @classmethod
    def of(cls, data: Examples, share: float, hops: int) -> FactCounts:
        """Counted before a share of the questions is left out."""
        listed, known = (data.facts >= 0).sum(1), (data.facts >= 0).sum(1) + data.lost
        used = int((data.with_facts_of(share).facts >= 0).any(1).sum())
        counts = (int(which.sum()) for which in (known == 0, listed > hops, data.lost > 0))
        return cls(len(data), used, *counts)


@dataclass(frozen=True)
class DataSet:
    """The numbers of one or several tasks, for one network."""

    names: tuple[str, ...]
    vocabulary: Vocabulary
    train: Examples
    valid: Examples
    test: Examples
    asked: tuple[Asked, ...]  # the test questions, with their splits and kinds
    facts: FactCounts
    vectors: Vectors | None = None  # of the words, from a file
    permutation: Permutation | None = None  # of interchangeable words, where permute=true
    stream: Stream | Redrawn | Cloze | None = None  # of what each epoch learns from, where epochs differ
    entities: Names | None = None  # of an open vocabulary
    always_told: frozenset[str] = frozenset()  # what questions of a closed vocabulary ask about, which the story names
    forms: Forms | None = None  # of the sentences of one's own stories, where the vocabulary is open
    start: Start | None = None  # the network that training starts from, whose words these are

    def __repr__(self) -> str:
        sizes = f"{len(self.train):,} training, {len(self.valid):,} validation and {len(self.test):,} test questions"
        return one_line(f"<DataSet of {', '.join(self.names[:5])}{' ...' * (len(self.names) > 5)}: {sizes}>")

    @classmethod
    def of(
        cls, tasks: Sequence[Task], config: Training, names: frozenset[str] | None = None, start: Start | None = None
    ) -> DataSet:
        """Vocabulary and sizes come from the training text, or of a network to ``start`` from; names too unless ``names`` are.

        Raises :class:`TrainingError`.
        """
        check_candidates(tasks, config)
        for task in tasks:
            check_lengths(task, config)
        if config.questions:
            tasks = [first_questions(task, config.questions) for task in tasks]
        for task in tasks:
            check_answers(task)
        parts = [task.split(config.validation) for task in tasks]
        stream = Stream.of(tasks, config) if config.stream else None
        entities = Names.of(tasks, names) if config.open_vocabulary and start is None else None
        if start is None:
            normalizer = learned_normalizer([part[0] for part in parts], config)
            vocabulary = learned_vocabulary(tasks, config, stream, entities, normalizer)
        else:
            vocabulary = start.vocabulary
        learned = [[*part[0], *stories_without_evidence(part[0], config.unanswerable)] for part in parts]
        train, valid, test = (
            examples([vocabulary.prepare(part, seed) for part in stories], vocabulary, config.memory_size)
            for seed, stories in ((TRAIN, learned), (VALID, [part[1] for part in parts]), (TEST, [task.test for task in tasks]))
        )
        check_lists(tasks, vocabulary)
        if not bool((valid.answer >= 0).all(1).any()):
            raise TrainingError(
                f"no validation question of {', '.join(task.name for task in tasks)} has an answer that training has; "
                "validation chooses networks, give it questions like the training's"
            )
        counts = FactCounts.of(train, config.facts, config.num_reads(vocabulary.answer))
        if config.supervision == "facts":
            check_facts(tasks, config, counts)
            train = train.with_facts_of(config.facts)
        task_names = tuple(task.name for task in tasks)
        permutation = None
        if config.permute:
            permutation = Permutation(vocabulary, permuted_words(tasks, [part[0] for part in parts], config, vocabulary))
        epochs = stream or epochs_of(learned, config, vocabulary, permutation)
        return cls(
            task_names,
            vocabulary,
            train,
            valid,
            test,
            asked_of(tasks, vocabulary),
            counts,
            None,
            permutation,
            epochs,
            entities,
            always_told(story for part in parts for story in part[0]) if knows_all_is_told(config) else frozenset(),
            own_forms(tasks, vocabulary),
            start,
        )

    def held_out(self, config: Training) -> tuple[Examples, str]:
        """Questions that training never had, and what they are: validation's, or of a stream an epoch after the last."""
        if isinstance(self.stream, Stream):
            return self.stream.epoch(config.epochs, self.vocabulary), "fresh simulated questions"
        return self.valid, "the validation questions"


def permuted_words(
    tasks: Sequence[Task], learned: Sequence[Sequence[Story]], config: Training, vocabulary: Vocabulary
) -> list[list[str]]:
    """Groups of words that may be permuted: those that the tasks' families know, else those that counting finds."""
    known = [FAMILIES[task.family].symmetric.get(task.member) for task in tasks]
    if all(known):
        there = [[frozenset(group) & vocabulary.number.keys() for group in groups or ()] for groups in known]
        return [sorted(group) for group in common(there)]
    return interchangeable([vocabulary.prepare(stories, TRAIN) for stories in learned], config, "permute")


def own_forms(tasks: Sequence[Task], vocabulary: Vocabulary) -> Forms | None:
    """The forms of the sentences of a person's own training stories, for a network of any names."""
    if not isinstance(vocabulary, OpenVocabulary) or any(FAMILIES[task.family].made != "own" for task in tasks):
        return None
    return forms_of((task.train for task in tasks), vocabulary)


def learned_vocabulary(
    tasks: Sequence[Task], config: Training, stream: Stream | None, entities: Names | None, normalizer: Normalizer | Normalizers
) -> Vocabulary:
    """Of the training stories, and of the first epochs of a stream in everyday words."""
    by_word, stories = config.decoder == "words", [story for task in tasks for story in task.train]
    if stream is not None and config.phrasing:
        stories += [story for epoch in range(WORDS) for of_task in stream.stories(epoch) for story in of_task]
    if entities is not None:
        return OpenVocabulary.open(stories, entities.words, by_word, config.marker_order)
    return Vocabulary.of(stories, by_word, normalizer, [MASKED] if config.cloze else [])


def check_lists(tasks: Sequence[Task], vocabulary: Vocabulary) -> None:
    """Refuse lists of names as one class each: names that are new have none. Raises :class:`TrainingError`."""
    if vocabulary.stop is not None or not vocabulary.markers:
        return
    for task in tasks:
        for story in vocabulary.prepare(task.train, 0):
            for question in story.questions:
                if "," in question.answer and not set(vocabulary.markers).isdisjoint(question.answer.split(",")):
                    raise TrainingError(
                        f"{task.name}: an answer lists names, and with decoder=class every list is an entry of its own, which "
                        "new names have not; set decoder=words"
                    )


def first_questions(task: Task, number: int) -> Task:
    """The task with the first so many of its training questions. Raises :class:`TrainingError`."""
    there = sum(len(story.questions) for story in task.train)
    if number > there:
        raise TrainingError(f"{task.name} has {there} training questions, not {number}; set questions={there} or fewer")
    return dataclasses.replace(task, train=divide(task.train, number)[0])


def check_answers(task: Task) -> None:
    """Refuse answers that a vocabulary cannot tell from its own marks. Raises :class:`TrainingError`."""
    for story in task.train:
        for question in story.questions:
            if {"", UNKNOWN, STOP} & set(answer_entry(question.answer).split(",")):
                raise TrainingError(
                    f"{task.name}: the answer {question.answer!r} to {question.text.strip()!r} has nothing, "
                    f"{UNKNOWN} or {STOP} between its commas; expected words"
                )
