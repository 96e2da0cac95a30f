"""Question-answer pairs as a key-value memory: keys are frequent questions, values their answers.

    k_i = tf-idf(question_i), q = tf-idf(asked)         both of length 1, so q . k_i is their cosine
    p   = softmax([q . k_1, ..., q . k_M, threshold] / temperature)       the last is "none of these"
    o   = sum_i p_i v_i                                 v_i chooses an answer: o has a probability for each distinct one

Addressing is the project's own attention: a memory whose keys and values differ (Miller et al. 2016, arXiv 1606.03126).
A question that shares no word with the one asked is masked. A word that no question has makes q longer, with the idf of a
word that was never seen, so what is asked about something else is near to none. Nothing is trained but the words' idf: a
synonym is another word.

    >>> faq = QuestionAnswerPairs([
    ...     ("How do I reset my password?", "By the link on the first page."),
    ...     ("When do you open?", "At nine."),
    ... ])
    >>> answer = faq.ask("I forgot my password, how can I reset it?")
    >>> answer.answer, answer.answerable
    ('By the link on the first page.', True)
    >>> faq.ask("Do cats like milk?").answerable
    False
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.preprocessing import normalize

from memnet.ask.arguments import question_words
from memnet.errors import AskError, ConfigError
from memnet.infer.attention import attend, likeliest
from memnet.tasks.table import read_table
from memnet.tasks.text import FormatError, one_line, visible, words

MAX_PAIRS = 10_000  # a value has a number for each distinct answer: the memory grows with the square of their number
TEMPERATURE, THRESHOLD = 0.05, 0.2  # of cosines
COLDEST, HOTTEST = 1e-6, 1e6  # cosines over a temperature stay numbers


@dataclass(frozen=True)
class PairRead:
    """A pair that was read: its number (from 1), its question and answer, and its attention weight."""

    number: int
    question: str
    answer: str
    weight: float

    def __repr__(self) -> str:
        return (
            f"PairRead({self.number}, {one_line(self.question, 30)!r}, {one_line(self.answer, 30)!r}, weight={self.weight:.3g})"
        )


@dataclass(frozen=True)
class PairAnswer:
    """An answer, how probable it is, and the pairs that were read for it.

    The weights of all pairs and ``unanswerable`` sum to 1. Pairs with the same answer add up to its probability.
    """

    answer: str  # "" where no pair shares a word with the question
    probability: float
    unanswerable: float  # the weight of none of these
    pairs: list[PairRead]  # the most read first
    unknown_words: list[str]  # of the question, in none of the pairs' questions

    def __repr__(self) -> str:
        if not self.answerable:
            return f"<PairAnswer: none of the questions is near that ({self.unanswerable:.0%})>"
        return f"<PairAnswer {one_line(self.answer, 60)!r} ({self.probability:.0%})>"

    @property
    def answerable(self) -> bool:
        """Whether some pair's question is as near as the threshold: it is read at least as much as none of these."""
        return bool(self.pairs) and self.pairs[0].weight >= self.unanswerable

    def as_json(self) -> dict[str, Any]:
        """As JSON values: the fields and ``answerable``."""
        return asdict(self) | {"answerable": self.answerable}


class QuestionAnswerPairs:
    """A memory of (question, answer) pairs.

    ``threshold`` (0 to 1) is the cosine below which a question matches no pair; a lower ``temperature`` reads the
    nearest pair more and the others less. Raises :class:`~memnet.errors.ConfigError` where pairs or numbers make no sense.
    """

    def __init__(
        self, pairs: Iterable[tuple[str, str]], temperature: float = TEMPERATURE, threshold: float = THRESHOLD
    ) -> None:
        self.pairs, self.temperature, self.threshold = list(pairs), temperature, threshold
        if not COLDEST <= temperature <= HOTTEST:
            raise ConfigError(f"the temperature must be {COLDEST:g} to {HOTTEST:g}, not {temperature}")
        if not 0 <= threshold <= 1:
            raise ConfigError(f"the threshold must be 0 to 1, not {threshold}")
        if not 0 < len(self.pairs) <= MAX_PAIRS:
            raise ConfigError(f"expected 1 to {MAX_PAIRS:,} pairs of a question and an answer, found {len(self.pairs):,}")
        for number, (question, answer) in enumerate(self.pairs, 1):
            if not words(question) or not answer.strip():
                raise ConfigError(f"pair {number} has no {'answer' if words(question) else 'question'}")
        self.vectorizer = TfidfVectorizer(analyzer=words, norm=None)
        self.keys = normalize(self.vectorizer.fit_transform([question for question, _ in self.pairs]))  # (M, V), sparse
        self.unseen_idf = math.log(1 + len(self.pairs)) + 1  # scikit-learn's idf, of a word in none of the questions
        self.answers = list(dict.fromkeys(answer for _, answer in self.pairs))  # A distinct ones
        place = {answer: number for number, answer in enumerate(self.answers)}
        chosen = [place[answer] for _, answer in self.pairs]
        self.values = np.eye(len(self.answers), dtype=np.float32)[chosen]  # (M, A)

    def __repr__(self) -> str:
        return f"<QuestionAnswerPairs: {len(self.pairs):,} questions, {len(self.answers):,} answers>"

    @classmethod
    def read(cls, path: Path | str, temperature: float = TEMPERATURE, threshold: float = THRESHOLD) -> QuestionAnswerPairs:
        """From a file, see :func:`read_pairs`. Raises :class:`~memnet.tasks.text.FormatError` or OSError."""
        return cls(read_pairs(Path(path)), temperature, threshold)

    def ask(self, question: str, reads: int = 3) -> PairAnswer:
        """The answer to a question, with the ``reads`` pairs that were read most.

        Raises :class:`~memnet.ask.answer.AskError` for a question without words.
        """
        asked = question_words(question)
        if reads < 1:
            raise AskError("At least 1 pair is read.")
        counts = Counter(asked)
        unseen = [word for word in counts if word not in self.vectorizer.vocabulary_]
        vector = self.vectorizer.transform([question])  # (1, V), sparse
        shared = vector.indices  # D words; the keys' other words change no product
        length = math.hypot(*vector.data, *(counts[word] * self.unseen_idf for word in unseen))
        query = (vector[:, shared].toarray() / length / self.temperature).astype(np.float32)  # (1, D)
        key = self.keys[:, shared].toarray().astype(np.float32)  # (M, D)
        null = np.array([self.threshold / self.temperature], np.float32)
        trace = attend(query, key, self.values, mask=(key > 0).any(1), null=null)
        output, weights = trace.output[0], trace.weights[0]  # (A,), (M,)
        best = int(likeliest(output, 1)[0])
        most = [place for place in likeliest(weights, reads).tolist() if weights[place] > 0]
        return PairAnswer(
            self.answers[best] if most else "",
            float(output[best]),
            float(trace.null[0]) if trace.null is not None else 0.0,
            [PairRead(place + 1, self.pairs[place][0], self.pairs[place][1], float(weights[place])) for place in most],
            unseen,
        )


def read_pairs(path: Path) -> list[tuple[str, str]]:
    """The pairs of a CSV or TSV file, whose first line names the columns ``question`` and ``answer``; others are left out.

    Raises :class:`~memnet.tasks.text.FormatError`, which names the line, or OSError.
    """
    pairs: list[tuple[str, str]] = []
    first_line: dict[tuple[str, ...], int] = {}
    for line, cells in read_table(path, ("question", "answer"))[1]:
        question, answer = cells["question"], cells["answer"]
        if not words(question) or not answer:
            raise FormatError(f"{path}:{line}: the {'answer' if words(question) else 'question'} is empty")
        earlier = first_line.setdefault(words(question), line)
        if earlier != line:
            raise FormatError(f"{path}:{line}: the question is that of line {earlier}; expected each question once")
        pairs.append((question, answer))
    if not 0 < len(pairs) <= MAX_PAIRS:
        raise FormatError(f"{path}: expected 1 to {MAX_PAIRS:,} pairs below the first line, found {len(pairs):,}")
    return pairs


def render(answer: PairAnswer) -> str:
    """An answer, or that there is none, and the questions that were read for it, in plain text without control characters."""
    if answer.answerable:
        lines = [f"{answer.answer}  ({answer.probability:.0%})"]
    else:
        lines = [f"None of the questions is near that ({answer.unanswerable:.0%})"]
    lines += [f"  {read.weight:4.0%}  {read.number}. {read.question}" for read in answer.pairs if read.weight >= 0.005]
    if answer.unknown_words:
        lines.append(f"  no question has the word{'s' * (len(answer.unknown_words) > 1)} {', '.join(answer.unknown_words)}")
    return "\n".join(map(visible, lines))
