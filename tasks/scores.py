"""Is this answer right? The one place that says so: a score is a fraction of right answers, and fractions add.

``exact`` and ``set`` judge a question; ``path`` the steps of a way, however they are parted; ``dialog`` a whole story, right
when every answer in it is; ``state`` what is asked at a story's end, right when all of it is. Of questions with candidates
``hits@k`` counts those whose right answer is among the k best, and ``mean_reciprocal_rank`` is 1 over its rank, in the mean.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from .text import Question, answer_entry


@dataclass(frozen=True)
class Score:
    """How many of so many are right.

    >>> Score(3, 4) + Score(0, 1), Score(3, 4).error
    (Score(right=3, asked=5), 25.0)
    """

    right: float = 0
    asked: int = 0

    def __add__(self, other: Score) -> Score:
        return Score(self.right + other.right, self.asked + other.asked)

    @property
    def share(self) -> float:
        """Between 0 and 1; of nothing asked 0."""
        return self.right / self.asked if self.asked else 0.0

    @property
    def error(self) -> float:
        """In percent; of nothing asked 0."""
        return 100 * (1 - self.share) if self.asked else 0.0


class Answered(NamedTuple):
    """A question with the answer that was given: ``rank`` is the right one's among the candidates, from 1; 0 without such."""

    story: int  # its number: questions of one story are judged together by some scores
    question: Question
    answer: str
    rank: int = 0


def same_answer(given: str, expected: str) -> bool:
    """Whether an answer is the expected one, letter case and spaces apart.

    >>> same_answer("Apple, football", "apple,football"), same_answer("football,apple", "apple,football")
    (True, False)
    """
    return answer_entry(given) == answer_entry(expected)


def same_set(given: str, expected: str) -> bool:
    """Whether the parts of two lists are the same in any order.

    >>> same_set("football,apple", "apple,football")
    True
    """
    return sorted(answer_entry(given).split(",")) == sorted(answer_entry(expected).split(","))


def same_path(given: str, expected: str) -> bool:
    """Whether the steps of two ways are the same, in order, parted by commas, spaces or "then".

    >>> same_path("s, then w", "s,w"), same_path("w,s", "s,w")
    (True, False)
    """
    steps = ([step for step in re.split(r"[\s,]+", text.lower()) if step not in ("", "then")] for text in (given, expected))
    return next(steps) == next(steps)


def is_right(one: Answered, same: Callable[[str, str], bool]) -> bool:
    """Whether an answer is the expected one, or another that is right."""
    return any(same(one.answer, right) for right in (one.question.answer, *one.question.also))


Judge = Callable[[Iterable[Answered]], Score]


def by_question(same: Callable[[str, str], bool]) -> Judge:
    """A score of single answers."""

    def judge(answers: Iterable[Answered]) -> Score:
        return sum((Score(int(is_right(one, same)), 1) for one in answers), Score())

    return judge


def per_dialog(answers: Iterable[Answered]) -> Score:
    """Stories of which every answer is right."""
    return whole(answers, lambda questions: questions)


def exact_state(answers: Iterable[Answered]) -> Score:
    """Stories of which every answer at the end is right: that is where most is told before."""
    return whole(answers, lambda asked: [one for one in asked if one.question.after == max(a.question.after for a in asked)])


def whole(answers: Iterable[Answered], which: Callable[[list[Answered]], Sequence[Answered]]) -> Score:
    """Stories whose answers, those that count, are all right."""
    stories: dict[int, list[Answered]] = defaultdict(list)
    for one in answers:
        stories[one.story].append(one)
    right = (all(is_right(one, same_answer) for one in which(asked)) for asked in stories.values())
    return sum((Score(int(each), 1) for each in right), Score())


def hits(best: int) -> Judge:
    """Of the questions with candidates, those whose right answer is among so many best."""

    def judge(answers: Iterable[Answered]) -> Score:
        return sum((Score(int(1 <= one.rank <= best), 1) for one in answers if one.question.candidates), Score())

    return judge


def mean_reciprocal_rank(answers: Iterable[Answered]) -> Score:
    """Of the questions with candidates, the sum of 1 over the right answer's rank."""
    return sum((Score(1 / one.rank if one.rank else 0.0, 1) for one in answers if one.question.candidates), Score())


SCORES: Mapping[str, Judge] = {
    "exact": by_question(same_answer),
    "set": by_question(same_set),
    "path": by_question(same_path),
    "dialog": per_dialog,
    "state": exact_state,
    "hits@1": hits(1),
    "hits@5": hits(5),
    "hits@10": hits(10),
    "mean_reciprocal_rank": mean_reciprocal_rank,
}
RANKED = ("hits@1", "hits@5", "hits@10", "mean_reciprocal_rank")  # of questions with candidates
