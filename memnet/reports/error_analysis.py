"""What a network does not learn, task by task, and what that lacks: more questions, or more."""

from __future__ import annotations

from pathlib import Path

from memnet.markdown import decimals, grid, markdown_table, one_decimal
from memnet.papers import ours
from memnet.papers.declare import SIZES, Runs
from memnet.record.published import paper_figures
from memnet.record.runs import Row, labels, read_rows
from memnet.reports.select import select
from memnet.reports.tables import collect
from memnet.reports.templates import render
from memnet.tasks.families import fails_above


def error_analysis(runs: Path, published: Path) -> str:
    """What a network does not learn from 1,000 questions, with the tasks that fail trained again, one thing changed."""
    plain, few, many = (
        collect(runs, published, family, 0, [name])[0]
        for name, family in (ours.NOT_PERMUTED, ours.ANALYSED, ours.MORE_QUESTIONS)
    )
    kinds = {"training": "train_error", "held out": "validation_error", "test": "test_error"}
    errors = {head: {label: found[-1] for label, found in few.by_label(kind).items()} for head, kind in kinds.items()}
    recall = {labels(row)[0]: row["fact_recall"] for row in few.rows if row["chosen"] == "1"}
    printed = paper_figures(published, *ours.ANALYSED_PAPER).errors
    columns = [(head, decimals(found)) for head, found in errors.items()]
    columns.append(("facts read", {task: read_share(share) for task, share in recall.items()}))
    for head, others in (
        ("test, not permuted", plain.chosen),
        (f"test, {SIZES[many.family]}", many.chosen),
        (f"paper, {SIZES[few.family]}", printed),
    ):
        columns.append((head, {task: one_decimal(others.get(task)) for task in few.chosen}))
    left = {
        task: cause(errors["training"][task], test, many.chosen.get(task), fails_above(few.family))
        for task, test in few.chosen.items()
    }
    return render(
        "error-analysis",
        preset=ours.ANALYSED[0],
        without=ours.NOT_PERMUTED[0],
        more=ours.MORE_QUESTIONS[0],
        restarts=ours.RESTARTS,
        table=grid([*columns, ("what is left", left)], align="lrrrrrrrl"),
        ablations=ablations(runs),
        again=restarts_of_more_questions(runs),
    )


def read_share(share: str) -> str:
    """A share in whole percent, nothing where there is none."""
    return "" if share in ("", "-") else f"{100 * float(share):.0f} %"


def ablations(runs: Path) -> str:
    """The tasks that fail with one thing changed: training and test error, and the recall of the supporting facts."""
    columns = []
    for name, settings in ours.ABLATIONS.items():
        found: list[Row] = select(
            read_rows(runs), Runs(ours.ANALYSED[:1], tasks=ours.ABLATED_TASKS, settings=settings, restarts=1)
        )
        cells = {
            labels(row)[0]: f"{float(row['train_error']):.1f}, {float(row['test_error']):.1f}, {read_share(row['fact_recall'])}"
            for row in found
        }
        columns.append((name, cells))
    return grid(columns, rows=ours.ABLATED_TASKS)


def restarts_of_more_questions(runs: Path) -> str:
    """The restarts from more questions beside each other: how much of what is learned is luck."""
    preset, family = ours.MORE_QUESTIONS
    found = select(read_rows(runs), Runs((preset,), family, tasks=ours.STARTED_AGAIN, restarts=ours.RESTARTS))
    lines = []
    for task in ours.STARTED_AGAIN:
        restarts = sorted((row for row in found if labels(row) == [task]), key=lambda row: int(row["replica"]))
        each, chosen = (
            ", ".join(one_decimal(float(row["test_error"])) for row in part)
            for part in (restarts, [row for row in restarts if row["chosen"] == "1"])
        )
        lines.append([task, each, chosen])
    return markdown_table(["task", "each restart", "chosen"], lines)


def cause(training: float, test: float, later: float | None, limit: float) -> str:
    """Why a task fails, as far as three errors in percent tell: of training, of the test, and from ten times the questions."""
    if test <= limit:
        return "nothing: learned"
    found = "overfitted: training error at most half the test error" if training <= test / 2 else "not found"
    if later is None:
        return found
    return f"{found}; with 10,000 questions " + ("learned" if later <= limit else "too it is left")
