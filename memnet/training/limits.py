"""How long the sentences and stories may be that a network learns from: a few that are very long cost the memory of all."""

from __future__ import annotations

from collections.abc import Sequence

from memnet.config import Training
from memnet.errors import TrainingError
from memnet.tasks.families import Task
from memnet.tasks.families.parlai import is_parlai
from memnet.tasks.text import Question, Story, words


def check_lengths(task: Task, config: Training) -> None:
    """Refuse a sentence of more than ``sentence_words`` words, and a story of more than ``story_words``, before training.

    A question and an answer are sentences. Raises :class:`TrainingError` with file and line (of a parquet file, the row).
    """
    for part, stories in {"train": task.train, "valid": task.valid or [], "test": task.test}.items():
        check_stories(task, part, stories, config, "or allow more: --set")


def check_test_lengths(task: Task, config: Training) -> None:
    """Refuse test stories that are longer than a network may learn from: see :func:`check_lengths`."""
    check_stories(task, "test", task.test, config, "or train a network that reads more: memnet train --set")


def check_stories(task: Task, part: str, stories: Sequence[Story], config: Training, more: str) -> None:
    """Refuse stories of one part that are too long; ``more`` says how to have longer ones read."""
    for number, story in enumerate(stories):
        lengths = [longest(line) for line in story.in_order()]
        most = max(lengths, default=0)
        for what, length, limit in (("sentence", most, config.sentence_words), ("story", sum(lengths), config.story_words)):
            if length > limit:
                at = lengths.index(most) if what == "sentence" else 0
                raise TrainingError(
                    f"{place(task, part, stories, number, at)}: a {what} of {length:,} words, at most {limit:,} are read; "
                    f"shorten it, {more} {what}_words={length}"
                )


def truncation(task: Task, config: Training) -> str:
    """How many training questions have statements or supporting facts further back than the memory reaches; or nothing."""
    asked = [(question, question.after) for story in task.train for question in story.questions]
    longer = [after for _, after in asked if after > config.memory_size]
    if not longer:
        return ""
    furthest = furthest_fact(task)
    lost = sum(any(after - fact > config.memory_size for fact in question.supporting_facts) for question, after in asked)
    facts = f"; the supporting facts of {lost:,} are up to {furthest:,} statements back" if lost else ""
    return (
        f"{len(longer):,} of the {len(asked):,} training questions follow more than the {config.memory_size:,} statements that "
        f"the memory holds{facts}; --set memory_size={furthest if lost else max(longer)} would hold them"
    )


def furthest_fact(task: Task) -> int:
    """How many statements back the supporting fact of a training question is, at most."""
    asked = (question for story in task.train for question in story.questions)
    return max((question.after - fact for question in asked for fact in question.supporting_facts), default=0)


def longest(line: str | Question) -> int:
    """Words of a statement; of a question or its answer, whichever has more."""
    if isinstance(line, Question):
        return max(len(words(line.text)), len(words(line.answer)), line.answer.count(",") + 1)
    return len(words(line))


def place(task: Task, part: str, stories: Sequence[Story], number: int, at: int) -> str:
    """Where line ``at`` of a story stands: ``file:line``; the row of a parquet file; else which story."""
    if part not in task.files:
        return f"{task.name}, {part} story {number + 1}, line {at + 1}"
    file = task.files[part]
    if file.suffix.lower() == ".parquet":
        return f"{file}, row {number}, line {at + 1}"
    if file.suffix.lower() != ".txt" or not file.is_file() or is_parlai(file.read_text(encoding="utf-8-sig")):
        return f"{file}, story {number + 1}, line {at + 1}"
    before = sum(len(story.statements) + len(story.questions) for story in stories[:number])
    return f"{file}:{before + at + 1}"
