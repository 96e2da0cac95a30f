"""The figures of the runs on record: errors by task, spread over restarts, errors by time, size, questions and memory."""

from __future__ import annotations

import statistics
from contextlib import suppress
from pathlib import Path
from typing import Any

from memnet.errors import NetworkError
from memnet.figures import bars_of, errors_by_task, lines_of, restarts, shares_of
from memnet.papers.ours import COMPARED, UNSEEN_NAMES_BESIDE
from memnet.papers.thousand import THOUSAND
from memnet.record.measurements import EnglishScore, MemoryScore, NetworkNumber, ScalingPoint, read_costs, read_csv
from memnet.record.published import published_figures
from memnet.record.runs import read_rows
from memnet.reports.babilong_page import lines
from memnet.reports.comparison import FIRST, by_questions
from memnet.reports.equal import against, seconds, width
from memnet.reports.equal_page import bars
from memnet.reports.few import lines as few_lines
from memnet.reports.pivot import Networks
from memnet.reports.procedure import chosen_networks
from memnet.reports.tables import collect
from memnet.reports.unseen_names_page import Numbers

SHARED = ("everyday", "memories")  # files of measurements, and what is drawn of them
OF_NAMES = {"as published": "published", "everything renamed": "everything"}
GIVEN = ("right", "refused", "wrong")
FIGURES = (
    "few",
    "equal",
    "time",
    "width",
    "errors",
    "restarts",
    "questions",
    "memory",
    "babilong",
    *SHARED,
    "open",
    "thousand",
)
OF_ALL = "mean test error of all restarts, five tasks, %"


def overview(runs: Path, published: Path) -> dict[str, Any]:
    """Errors by model, spread over restarts, error against training questions and against memory size, by name.

    ``memory.csv``, ``models.csv`` and the files of BABILong are looked for beside the runs; what is not there is not drawn.
    Raises :class:`~memnet.errors.NetworkError` where no model has runs.
    """
    parts: dict[str, Networks] = {}
    for model, presets in COMPARED.items():  # a model without runs is not drawn
        for part in collect(runs, published, FIRST, 0, [presets[FIRST]], none=True)[:1]:
            parts[model] = part
    if not parts:
        raise NetworkError(f"{runs} has no run of {', '.join(COMPARED)} on 1,000 questions; 'memnet sweep' makes them")
    model_of = {presets[FIRST]: model for model, presets in COMPARED.items()}
    points: dict[str, list[tuple[float, float]]] = {}
    memory = runs.parent / "memory.csv"
    for point in read_csv(memory, ScalingPoint) if memory.exists() else ():
        points.setdefault(model_of.get(point.preset, point.preset), []).append((point.statements, point.error))
    return {
        **on_equal_terms(runs),
        "errors": errors_by_task({model: part.chosen for model, part in parts.items()}),
        "restarts": restarts(
            {model: {task: (part.every[task], part.chosen[task]) for task in part.chosen} for model, part in parts.items()}
        ),
        "questions": lines_of(by_questions(runs), "training questions", "mean test error, %", log=True),
        **({"memory": lines_of(points, "statements in the memory", "error, %", log=True)} if points else {}),
        **on_babilong(runs.parent),
        **in_shares(runs.parent),
        **of_unseen_names(runs.parent, published),
        **of_a_thousand(runs),
        **(
            {"few": lines_of(few, "training questions a task", "mean test error, %", log=True)}
            if (few := few_lines(runs))
            else {}
        ),
    }


def on_babilong(results: Path) -> dict[str, Any]:
    """Answers that are right against the length of the text, where the files of BABILong are there."""
    with suppress(NetworkError):
        return {"babilong": lines_of(lines(results), "GPT-2 tokens", "tasks 1 to 5 of BABILong, % right", log=True)}
    return {}


def in_shares(results: Path) -> dict[str, Any]:
    """What is right, refused and wrong of stories in ordinary English and of memories, where they were measured."""
    figures, (english, memories) = {}, (results / f"{name}.csv" for name in SHARED)
    if english.exists():
        scores = [one for one in read_csv(english, EnglishScore) if " statements" not in one.set]
        rows = {one.set: (one.right, 100 - one.right - one.wrong, one.wrong) for one in scores}
        figures["everyday"] = shares_of(rows, GIVEN, "percent of the questions; unanswerable ones are right where refused")
    if memories.exists():
        mine = [one for one in read_csv(memories, MemoryScore) if (one.system, one.kind) == ("memnet", "all")]
        rows = {f"{one.benchmark}, {one.set}": (one.right, one.refused, one.wrong) for one in mine if one.right == one.right}
        rows = dict(sorted(rows.items(), key=lambda row: row[0].partition(",")[0]))
        figures["memories"] = shares_of(rows, GIVEN, "percent of the questions that have an answer")
    return figures


def of_unseen_names(results: Path, published: Path) -> dict[str, Any]:
    """Errors by task with names as published and with others, beside the papers', where they were measured."""
    with suppress(NetworkError):
        measured = Numbers(read_csv(results / "open.csv", NetworkNumber))
        ours = {head: measured.values(measure) for head, measure in OF_NAMES.items()}
        papers = {head: published_figures(published, *row).errors for head, row in UNSEEN_NAMES_BESIDE.items()}
        return {"open": errors_by_task({f"ours, {head}": values for head, values in ours.items()} | papers)}
    return {}


def of_a_thousand(runs: Path) -> dict[str, Any]:
    """Errors of the procedure on 1,000 questions a task, by task and seed, where its runs are on record."""
    with suppress(NetworkError):
        chosen = chosen_networks(read_rows(runs), THOUSAND)
        tasks = list(dict.fromkeys(place[0] for place in chosen.network))
        errors = dict(zip(map(str, tasks), chosen.errors(0), strict=True))
        found = {task: (every, statistics.mean(every)) for task, every in errors.items()}
        return {"thousand": restarts({"Five seeds": found}, "their mean ringed")}
    return {}


def on_equal_terms(runs: Path) -> dict[str, Any]:
    """Error against training time and against parameters in the comparison on equal terms, where its runs are on record."""
    figures = {}
    with suppress(NetworkError):
        figures["equal"] = bars_of(bars(runs), "mean test error, %")
    with suppress(NetworkError):
        points = against(runs, "equal-time", lambda found, _: seconds(found))
        figures["time"] = lines_of(points, "seconds of one core a restart", OF_ALL, log=True)
    with suppress(NetworkError):
        costs = read_costs(runs.parent / "models.csv")
        sizes = against(runs, "equal-width", lambda _, part: costs[part.presets[0], width(part)].parameters)
        figures["width"] = lines_of(sizes, "parameters", OF_ALL, log=True)
    return figures
