"""The sentence table of a data set, and the batches cut from it.

A task has few distinct sentences, so a data set is a table of them plus stories that are rows of
row numbers; a network encodes each distinct sentence once a step.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from memnet.replicated import Random
from memnet.tasks.evidence import NOTHING
from memnet.tasks.text import Story, words

UNKNOWN, STOP = NOTHING, "<stop>"
STOP_NUMBER = 1  # where a vocabulary has it
EDGE = -1  # stands before the first and after the last word of a sentence in an n-gram
Integers = NDArray[np.int64]


class Vocabulary:
    """Words and answers by number; number 0 is the unknown word.

    An answer of several words ("apple,football") is one entry of its own, or, where the entries have a
    stop symbol, it is told word by word: at most ``answer`` of them, then the stop symbol.
    """

    def __init__(self, entries: Sequence[str], answer: int = 1) -> None:
        self.entries, self.answer = tuple(entries), answer
        self.number = {entry: number for number, entry in enumerate(self.entries)}
        if not self.entries or self.entries[0] != UNKNOWN or len(self.number) != len(self.entries):
            raise ValueError(f"a vocabulary starts with {UNKNOWN} and names every entry once")
        self.stop = self.number.get(STOP)
        if answer < 1 or (answer > 1 and self.stop != STOP_NUMBER):
            raise ValueError(f"answers of several words need {STOP} as the second entry")

    def __len__(self) -> int:
        return len(self.entries)

    @classmethod
    def of(cls, stories: Iterable[Story], by_word: bool = False) -> Vocabulary:
        """Every word and answer of these (training) stories, in alphabetical order; ``by_word``: every word of an answer."""
        found: set[str] = set()
        longest = 1
        for story in stories:
            for text in (*story.statements, *(question.text for question in story.questions)):
                found.update(words(text))
            for question in story.questions:
                entry = answer_entry(question.answer)
                parts = entry.split(",") if by_word else [entry]
                found.update(parts)
                longest = max(longest, len(parts))
        first = [UNKNOWN, STOP] if by_word else [UNKNOWN]
        return cls([*first, *sorted(found - {UNKNOWN, STOP})], longest)

    def answer_numbers(self, answer: str) -> list[int]:
        """An answer's entries, ``answer`` of them, stop symbols after the last; -1 where this vocabulary has none.

        The unknown word is the answer where there is no evidence (:mod:`memnet.tasks.evidence`).
        """
        entry = answer_entry(answer)
        if self.stop is None:
            return [0] if entry == UNKNOWN else [self.number.get(entry, 0) or -1]
        numbers = [self.number.get(word, 0) or -1 for word in entry.split(",")]
        if len(numbers) > self.answer:
            return [*numbers[: self.answer - 1], -1]
        return numbers + [self.stop] * (self.answer - len(numbers))

    def answer_text(self, numbers: Sequence[int]) -> str:
        """The answer of such numbers, to the first stop symbol."""
        said = list(numbers)
        if self.stop in said:
            said = said[: said.index(self.stop)]
        return ",".join(self.entries[number] for number in said)

    def __getitem__(self, word: str) -> int:
        return self.number.get(word, 0)


def answer_entry(answer: str) -> str:
    """An answer as the vocabulary writes it: lower case, single spaces, none around commas."""
    parts = unicodedata.normalize("NFC", answer.lower()).split(",")
    return ",".join(" ".join(part.split()) for part in parts)


@dataclass(frozen=True)
class Sentences:
    """Distinct sentences: ``words (U, L)``, padded with 0, and ``lengths (U,)``."""

    words: Integers
    lengths: Integers

    @classmethod
    def of(cls, texts: Iterable[tuple[str, ...]], vocabulary: Vocabulary) -> Sentences:
        """A table of tuples of words."""
        numbers = [[vocabulary[word] for word in text] for text in texts] or [[]]
        table = np.zeros((len(numbers), max(1, *map(len, numbers), 1)), np.int64)
        for row, sentence in zip(table, numbers, strict=True):
            row[: len(sentence)] = sentence
        return cls(table, np.array([len(sentence) for sentence in numbers], np.int64))

    def ngrams(self, number: int, longest: int) -> list[tuple[int, ...]]:
        """The n-grams of 2 to ``longest`` words of a sentence, whose edges count as words."""
        told = [EDGE, *self.words[number, : self.lengths[number]].tolist(), EDGE]
        return [tuple(told[i : i + n]) for n in range(2, longest + 1) for i in range(len(told) - n + 1)]


class Sizes(NamedTuple):
    """What a network must know of the questions that it is trained on (the validation part is not among them)."""

    vocabulary: int  # V, words and answers
    ages: int  # S, the most statements before a question, at most the memory's capacity
    longest: int  # words of the longest sentence or question
    answer: int = 1  # A, words of the longest answer, 1 where an answer is one entry
    listed: int = 0  # the most supporting facts of a question
    grams: tuple[tuple[int, ...], ...] = ()  # n-grams of word numbers


@dataclass(frozen=True)
class Examples:
    """Questions with their memories, as numbers. ``N`` questions, at most ``M`` memories each."""

    sentences: Sentences
    questions: Sentences
    question: Tensor  # (N,)  row of ``questions``
    memory: Tensor  # (N, M)  rows of ``sentences``, oldest first, zero after the end
    count: Tensor  # (N,)  memories of each
    answer: Tensor  # (N, A)  vocabulary entries, -1 where the vocabulary has none
    facts: Tensor  # (N, F)  supporting facts as places in memory, -1 after the end
    lost: Tensor  # (N,)  supporting facts that are older than the memory reaches
    task: Tensor  # (N,)  number of the task
    unknown_words: int = 0  # words in these stories that the vocabulary lacks
    unknown_answers: int = 0

    def __len__(self) -> int:
        return len(self.question)

    def sizes(self, vocabulary: Vocabulary, ngrams: int = 0) -> Sizes:
        """The sizes of a network that learns from these questions, and their n-grams, of 2 to ``ngrams`` words."""
        longest = max(self.sentences.lengths.max(), self.questions.lengths.max())
        facts = int((self.facts >= 0).sum(1).max()) if len(self) else 0
        found = {
            gram
            for table in (self.sentences, self.questions)
            for number in range(len(table.words))
            for gram in table.ngrams(number, ngrams)
        }
        return Sizes(len(vocabulary), self.memory.shape[1], int(longest), vocabulary.answer, facts, tuple(sorted(found)))

    def with_facts_of(self, share: float) -> Examples:
        """The same with the supporting facts of so many questions, chosen once and for all; the others list none."""
        order = torch.randperm(len(self), generator=torch.Generator().manual_seed(0))
        without = order[round(share * len(self)) :]
        return replace(self, facts=self.facts.index_fill(0, without, -1))

    def words(self) -> Tensor:
        """Of each story up to its question, (N,)."""
        there = torch.arange(self.memory.shape[1]) < self.count.unsqueeze(1)
        return (torch.from_numpy(self.sentences.lengths).clamp(min=1)[self.memory] * there).sum(1)

    def select(self, index: Tensor) -> Examples:
        """The questions numbered."""
        per_question = {name: getattr(self, name)[index] for name in PER_QUESTION}
        return Examples(**{**self.__dict__, **per_question})


PER_QUESTION = ("question", "memory", "count", "answer", "facts", "lost", "task")


def examples(stories_of_tasks: Sequence[Sequence[Story]], vocabulary: Vocabulary, capacity: int) -> Examples:
    """Every question of these tasks with the ``capacity`` statements before it that are most recent."""
    sentence_rows: dict[tuple[str, ...], int] = {}
    question_rows: dict[tuple[str, ...], int] = {}
    rows: list[tuple[int, list[int], list[int], list[int], int, int]] = []
    unknown = 0
    for task, stories in enumerate(stories_of_tasks):
        for story in stories:
            told = []
            for text in story.statements:
                sentence = words(text)
                unknown += sum(word not in vocabulary.number for word in sentence)
                told.append(sentence_rows.setdefault(sentence, len(sentence_rows)))
            for question in story.questions:
                asked = words(question.text)
                unknown += sum(word not in vocabulary.number for word in asked)
                first = max(0, question.after - capacity)
                listed = dict.fromkeys(question.supporting_facts)
                reached = [fact - first for fact in listed if fact >= first]
                rows.append(
                    (
                        question_rows.setdefault(asked, len(question_rows)),
                        told[first : question.after],
                        vocabulary.answer_numbers(question.answer),
                        reached,
                        len(listed) - len(reached),
                        task,
                    )
                )

    def padded(lists: list[list[int]], fill: int) -> Tensor:
        table = np.full((len(lists), max([1, *map(len, lists)])), fill, np.int64)
        for row, values in zip(table, lists, strict=True):
            row[: len(values)] = values
        return torch.from_numpy(table)

    def column(field: int) -> Tensor:
        return torch.tensor([row[field] for row in rows], dtype=torch.long)

    return Examples(
        Sentences.of(sentence_rows, vocabulary),
        Sentences.of(question_rows, vocabulary),
        question=column(0),
        memory=padded([row[1] for row in rows], 0),
        count=torch.tensor([len(row[1]) for row in rows], dtype=torch.long),
        answer=torch.tensor([row[2] for row in rows], dtype=torch.long).view(-1, vocabulary.answer),
        facts=padded([row[3] for row in rows], -1),
        lost=column(4),
        task=column(5),
        unknown_words=unknown,
        unknown_answers=sum(-1 in row[2] for row in rows),
    )


class Batch(NamedTuple):
    """A step's questions for every replica. The memories that exist, ``N`` in all, are listed flat."""

    question: Tensor  # (R, B)  row of the questions' table
    answer: Tensor  # (R, B, A)
    mask: Tensor  # (R, B, M)  where a memory is
    told: Tensor  # (R, B)  how many memories
    story: Tensor  # (N,)  which of the R B stories
    place: Tensor  # (N,)  which of the R B M places
    sentence: Tensor  # (N,)  row of the sentences' table
    age: Tensor  # (N,)  0 for the newest, stretched by empty memories, below ``ages``
    ages: int
    facts: Tensor  # (R, B, F)  supporting facts as places in memory, -1 after the end

    def rows(self) -> Tensor:
        """The memories' rows of the sentences' table, (R, B, M), zero where no memory is."""
        return self.spread(self.sentence)

    @property
    def width(self) -> int:
        """Of the longest story."""
        return max(1, int(self.told.max()))

    def spread(self, value: Tensor) -> Tensor:
        """Whole numbers of the memories (N,) in their places, (R, B, M), zero where no memory is."""
        return (
            torch.zeros_like(self.mask, dtype=torch.long).flatten().index_copy_(0, self.place, value.long()).view_as(self.mask)
        )

    def to(self, device: torch.device | str) -> Batch:
        """On another device."""
        moved = {name: part.to(device) for name, part in self._asdict().items() if isinstance(part, Tensor)}
        return self._replace(**moved)  # type: ignore[arg-type]


def empty_memories(count: Tensor, longest: int, share: float, random: Random) -> Tensor:
    """Where random empty memories fall: for each story the sorted places of 0 .. ceil(share n) of them.

    ``count (S, R, B)``, none above ``longest`` -> (S, R, B, K) increasing places in 0 .. n + k - 1, counted from the newest,
    a uniform subset of size k; entries beyond k are past every memory. With share 0.1 this is the
    random noise of Sukhbaatar et al. 2015, section 4.1: the empty memories only stretch time.
    """
    steps, _, size = count.shape
    most = (count.float() * share).ceil().long()  # (S, R, B)
    widest = math.ceil(longest * share)
    draws = random.uniform(widest + 1, steps, size).permute(1, 2, 0, 3)  # (K + 1, S, R, B)
    number = (draws[0] * (most + 1)).long()  # k, uniform in 0 .. most
    beyond = longest + widest
    taken: list[Tensor] = []
    for i in range(widest):  # Floyd's sampling of k places out of n + k
        bound = count + i  # the last place allowed to draw number i
        place = (draws[i + 1] * (bound + 1)).long()
        for earlier in taken:
            place = torch.where(earlier == place, bound, place)
        taken.append(torch.where(i < number, place, beyond + i))
    return torch.stack(taken, -1).sort(-1).values if taken else count.new_zeros(*count.shape, 0)


def cut(
    data: Examples, picks: Tensor, ages: int, noise: float = 0.0, random: Random | None = None, chunk: int = 64
) -> Iterator[Batch]:
    """Batches of the questions ``picks (S, R, B)``, one a step.

    ``noise`` is the largest share of random empty memories, drawn from ``random`` (None: none).
    Ages past the last of ``ages`` share its vector.
    """
    for part in picks.split(chunk):
        _, replicas, size = part.shape
        count = data.count[part]  # (S, R, B)
        places = torch.arange(data.memory.shape[1], dtype=torch.int16 if data.memory.shape[1] < 1 << 14 else torch.int32)
        mask = places < count.unsqueeze(-1)  # (S, R, B, M)
        age = (count.to(places.dtype) - 1).unsqueeze(-1) - places
        if random is not None and noise > 0:
            empty = empty_memories(count, data.memory.shape[1], noise, random)  # (S, R, B, K)
            reach = (empty - torch.arange(empty.shape[-1])).to(places.dtype)  # an empty memory ages all as old or older
            age = sum(((age >= one.unsqueeze(-1)) for one in reach.unbind(-1)), age)
        age = age.clamp(0, ages - 1)
        step_places = replicas * size * mask.shape[-1]
        where = mask.flatten().nonzero().squeeze(1)  # over the whole chunk
        sizes = mask.sum((1, 2, 3)).tolist()
        fields = zip(
            data.question[part].unbind(),
            data.answer[part].unbind(),
            mask.unbind(),
            count.unbind(),
            where.split(sizes),
            data.memory[part].flatten()[where].split(sizes),
            age.flatten()[where].split(sizes),
            data.facts[part].unbind(),
            strict=True,
        )
        for step, (question, answer, there, told, flat, sentence, aged, facts) in enumerate(fields):
            place = flat - step * step_places
            story = place.div(mask.shape[-1], rounding_mode="floor")
            yield Batch(question, answer, there, told, story, place, sentence, aged, ages, facts)
