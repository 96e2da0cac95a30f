"""What a training was, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from memnet.encode.examples import Examples
from memnet.models import Network
from memnet.tasks.families import FAMILIES
from memnet.training.asked import answers_of, by_split_and_kind, error
from memnet.training.dataset import DataSet
from memnet.training.evaluate import Outcome, evaluate, retrieval
from memnet.training.spec import Spec
from memnet.training.state import State

PARTS = ("train", "validation", "test")


@dataclass(frozen=True)
class Result:
    """Trained replicas and what they did."""

    net: Network
    chosen: int
    rows: list[dict[str, Any]]  # one a replica
    seconds: float

    def __repr__(self) -> str:
        error = mean_error(self.rows[self.chosen], "test")
        chosen = f"number {self.chosen} of {len(self.rows)} chosen, test error {error:.1f} %"
        return f"<Result: {chosen}; {self.seconds:.0f} s>"


def finish(spec: Spec, data: DataSet, state: State, encoded_data: tuple[Any, Any], seconds: float) -> Result:
    """Evaluate every replica once on each part and choose one, by training or validation error."""
    net = state.net
    parts = {
        "train": (data.train, evaluate(net, data.train, encoded_data[0])),
        "validation": (data.valid, evaluate(net, data.valid, encoded_data[1])),
        "test": (data.test, evaluate(net, data.test)),
    }
    alive = state.stopped == 0
    selected = parts[spec.config.selection][1]
    order = sorted(
        alive.nonzero().flatten().tolist(),
        key=lambda r: (float(selected.error()[r]), float(selected.loss[r].double().nanmean()), r),
    )
    rows = []
    for replica in range(spec.restarts):
        names = data.names if bool(alive[replica]) else ()
        tasks = {name: replica_errors(parts, replica, number) for number, name in enumerate(names)}
        for number, name in enumerate(names):
            tasks[name] |= as_asked(data, parts["test"][1], replica, number)
        row = {
            "replica": replica,
            "chosen": replica == order[0],
            "stopped_epoch": int(state.stopped[replica]),
            "epochs": int(state.soft_epochs[replica]),
            "tasks": tasks,
        }
        rows.append(row)
    return Result(net, order[0], rows, seconds)


def replica_errors(parts: dict[str, tuple[Examples, Outcome]], replica: int, task: int) -> dict[str, Any]:
    """What one network did with the questions of one task: errors in percent, facts found, questions asked."""
    errors: dict[str, Any] = {}
    for part, (data, outcome) in parts.items():
        wrong = outcome.wrong[replica][data.task == task]
        errors[f"{part}_error"] = round(100 * float(wrong.double().mean()), 4) if len(wrong) else None
    data, outcome = parts["test"]
    here = (data.task == task).nonzero().flatten()
    found = retrieval(outcome.read[replica][here], data.select(here)).flat()
    similarity = [] if outcome.head_similarity is None else outcome.head_similarity[replica][here].double().mean(0).tolist()
    return errors | {"questions": len(here), **found, "head_similarity": [round(value, 4) for value in similarity]}


def as_asked(data: DataSet, outcome: Outcome, replica: int, task: int) -> dict[str, Any]:
    """What one network did with a data set whose answers are judged otherwise than one by one, or with its splits and kinds."""
    score = FAMILIES[data.names[task].partition("/")[0]].score
    here = [number for number, one in enumerate(data.asked) if one.task == task]
    asked = [data.asked[number] for number in here]
    if score == "exact" and len({(one.split, one.question.kind) for one in asked}) < 2:
        return {}
    rank = None if outcome.rank is None else outcome.rank[replica][here]
    answers = answers_of(asked, outcome.prediction[replica][here], rank, data.vocabulary)
    return {"test_error": error(score, answers), **by_split_and_kind(asked, answers, score)}


def mean_error(row: dict[str, Any], part: str) -> float:
    """A replica's error over its tasks, of "train", "validation" or "test", in percent."""
    values = [task[f"{part}_error"] for task in row["tasks"].values()]
    return float(sum(value for value in values if value is not None) / max(1, sum(value is not None for value in values)))
