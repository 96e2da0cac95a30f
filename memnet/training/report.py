"""What one network did with test questions: errors, facts read, splits and kinds, and what it answered to each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from memnet.encode.examples import examples
from memnet.encode.vocabulary import TEST, Vocabulary
from memnet.models.network import Network
from memnet.tasks.families import FAMILIES, Task
from memnet.tasks.scores import RANKED, SCORES
from memnet.tasks.text.evidence import Kind, stories_without_evidence
from memnet.training.asked import answers_of, asked_of, by_split_and_kind, error, score_of
from memnet.training.evaluate import Outcome, evaluate, retrieval
from memnet.training.limits import check_test_lengths

WITHOUT: dict[str, Kind] = {"without": "subject", "without_one": "one", "without_facts": "facts"}


def report_on(net: Network, vocabulary: Vocabulary, tasks: Sequence[Task], evidence: bool = False) -> dict[str, Any]:
    """What one network did with the test questions of data sets, as JSON values: errors in percent, facts read, ...

    With ``evidence`` also how often it says that there is none, with the evidence and without. Raises :class:`TrainingError`
    where a test story is longer than those that the network could learn from.
    """
    report: dict[str, Any] = {}
    unknown_words, unknown_answers = 0, 0
    for task in tasks:
        check_test_lengths(task, net.config)
    for task in tasks:
        questions = examples([vocabulary.prepare(task.test, TEST)], vocabulary, net.config.memory_size)
        outcome = evaluate(net, questions)
        unknown_words, unknown_answers = unknown_words + questions.unknown_words, unknown_answers + questions.unknown_answers
        asked, score = asked_of([task], vocabulary), score_of(task)
        answers = answers_of(asked, outcome.prediction[0], None if outcome.rank is None else outcome.rank[0], vocabulary)
        report[task.name] = {
            "test_error": round(float(outcome.error()[0]), 4) if score == "exact" else error(score, answers),
            "questions": len(questions),
            **by_split_and_kind(asked, answers, score),
            **({name: round(SCORES[name](answers).share, 4) for name in RANKED} if outcome.rank is not None else {}),
            **retrieval(outcome.read[0], questions).flat(),
            **outcome.averages(),
        }
        if evidence:
            report[task.name]["no_evidence"] = says_none(outcome, vocabulary)
            for name, kind in WITHOUT.items():
                stories = vocabulary.prepare(stories_without_evidence(task.test, kind=kind), TEST)
                bare = examples([stories], vocabulary, net.config.memory_size)
                report[task.name][f"no_evidence_{name}"] = says_none(evaluate(net, bare), vocabulary) if len(bare) else None
    errors = [row["test_error"] for row in report.values()]
    return {
        "tasks": report,
        "mean_error": round(sum(errors) / len(errors), 4),
        "failed": sum(report[task.name]["test_error"] > FAMILIES[task.family].fails_above for task in tasks),
        "made": "+".join(sorted({FAMILIES[task.family].made for task in tasks})),
        "unknown_words": unknown_words,
        "unknown_answers": unknown_answers,
    }


def says_none(outcome: Outcome, vocabulary: Vocabulary) -> float | None:
    """How often one network answers that there is no evidence, a share; None where nothing was asked."""
    prediction = outcome.prediction
    return round(float((prediction[0, :, 0] == vocabulary.no_evidence).double().mean()), 4) if prediction.shape[1] else None


def predictions(net: Network, vocabulary: Vocabulary, task: Task) -> Iterator[dict[str, Any]]:
    """Every test question of a data set with what one network answers, as JSON values, in the words of its story."""
    check_test_lengths(task, net.config)
    outcome = evaluate(net, examples([vocabulary.prepare(task.test, TEST)], vocabulary, net.config.memory_size))
    asked = asked_of([task], vocabulary)
    answers = answers_of(asked, outcome.prediction[0], None if outcome.rank is None else outcome.rank[0], vocabulary)
    written = [question for story in task.test for question in story.questions]
    words = vocabulary.in_words_of(task.test, TEST)
    judge = SCORES[score_of(task) if score_of(task) in ("set", "path") else "exact"]  # the others are of more than one answer
    for one, answer, question, in_words in zip(asked, answers, written, words, strict=True):
        yield {
            "data": task.name,
            "split": one.split,
            "story": one.story,
            "question": question.text.strip(),
            "answer": in_words(answer.answer),
            "expected": question.answer,
            "right": bool(judge([answer]).right),
            **({"kind": question.kind} if question.kind else {}),
            **({"rank": answer.rank} if question.candidates else {}),
        }
