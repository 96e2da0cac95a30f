"""What a network does not learn, task by task, and what that lacks: more questions, or more."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from memnet.config import override, parse_settings
from memnet.markdown import markdown_table
from memnet.papers import PRESETS
from memnet.papers.ours import (
    ABLATED_TASKS,
    ABLATIONS,
    ANALYSED,
    ANALYSED_PAPER,
    MORE_QUESTIONS,
    NOT_PERMUTED,
    RESTARTS,
    STARTED_AGAIN,
)
from memnet.reports.columns import collect, one_decimal, paper_errors, task_number
from memnet.reports.legacy import read_rows
from memnet.training.evaluate import FAILED
from memnet.training.spec import config_hash


def error_analysis(runs: Path, published: Path) -> str:
    """What a network does not learn from 1,000 questions, with the tasks that fail trained again, one thing changed."""
    (preset, _), (without, _), (more, _) = ANALYSED, NOT_PERMUTED, MORE_QUESTIONS
    plain, few, many = (
        {task_number(row["tasks"]): row for row in part.rows if row["chosen"] == "1"}
        for part in (collect(runs, published, size, 0, [name])[0] for name, size in (NOT_PERMUTED, ANALYSED, MORE_QUESTIONS))
    )
    theirs, _ = paper_errors(published, *ANALYSED_PAPER)
    rows = []
    for task, row in sorted(few.items()):
        errors = {name: float(row[f"{name}_error"]) for name in ("train", "validation", "test")}
        other, later = (float(part[task]["test_error"]) if task in part else None for part in (plain, many))
        facts = "" if row["fact_recall"] in ("", "-") else f"{100 * float(row['fact_recall']):.0f} %"
        cells = [f"{errors[name]:.1f}" for name in ("train", "validation", "test")]
        cells += [facts, one_decimal(other), one_decimal(later), one_decimal(theirs.get(task))]
        rows.append([f"qa{task}", *cells, cause(errors["train"], errors["test"], later)])
    head = [
        "task",
        "training",
        "held out",
        "test",
        "facts read",
        "test, not permuted",
        "test, 10k",
        "paper, 1k",
        "what is left",
    ]
    return "\n".join(
        [
            f"What `{preset}` does not learn from 1,000 questions, published bAbI v1.2 text (en): errors in percent of the "
            "chosen network on the questions that it learned from, on those held out, and on the test questions; how often the "
            f"supporting facts are among the sentences read; the test errors of `{without}`, which permutes no words, and of "
            f"`{more}`, with 10,000 questions, both with other settings too; and the paper's mean over ten seeds from 1,000 "
            "(with adaptive halting; of a fixed depth it prints no tasks).",
            "",
            markdown_table(head, rows, "lrrrrrrrl"),
            "",
            "The tasks that fail, with one thing changed, one restart: errors in percent on the questions that the network "
            "learned from and on the test questions, and how often the supporting facts are among the sentences read.",
            "",
            ablations(runs, preset),
            "",
            f"`{more}`, {RESTARTS} restarts: test errors in percent of each, and of the one with the lowest validation error.",
            "",
            restarts_of_more_questions(runs),
        ]
    )


def ablations(runs: Path, preset: str) -> str:
    """The tasks that fail with one thing changed: training and test error, and the recall of the supporting facts."""
    config = PRESETS[preset]
    wanted = {
        config_hash(override(config, parse_settings(settings, type(config)))): name for name, settings in ABLATIONS.items()
    }
    again = {(row["tasks"], wanted[row["config"]]): row for row in runs_of(runs, preset, "1k", 1) if row["config"] in wanted}
    rows = []
    for task in ABLATED_TASKS:
        cells = []
        for change in ABLATIONS:
            row = again.get((task, change), {})
            read = f", {100 * float(row['fact_recall']):.0f} %" if row else ""
            cells.append(f"{float(row['train_error']):.1f}, {float(row['test_error']):.1f}{read}" if row else "")
        rows.append([task, *cells])
    return markdown_table(["task", *ABLATIONS], rows)


def restarts_of_more_questions(runs: Path) -> str:
    """The restarts from more questions beside each other: how much of what is learned is luck."""
    preset, size = MORE_QUESTIONS
    own = config_hash(PRESETS[preset])
    found = [row for row in runs_of(runs, preset, size, RESTARTS) if row["config"] == own]
    rows = []
    for task in STARTED_AGAIN:
        restarts = sorted((row for row in found if row["tasks"] == task), key=lambda row: int(row["replica"]))
        each, chosen = (
            ", ".join(one_decimal(float(row["test_error"])) for row in part)
            for part in (restarts, [row for row in restarts if row["chosen"] == "1"])
        )
        rows.append([task, each, chosen])
    return markdown_table(["task", "each restart", "chosen"], rows)


def runs_of(runs: Path, preset: str, size: str, restarts: int) -> Iterator[dict[str, str]]:
    """A preset's runs of so many restarts on the published questions of a size, whatever its settings."""
    own = {"preset": preset, "size": size, "variant": "en", "source": "published", "seed": "0", "restarts": str(restarts)}
    return (row for row in read_rows(runs) if own.items() <= row.items())


def cause(training: float, test: float, later: float | None) -> str:
    """Why a task fails, as far as three errors in percent tell: of training, of the test, and from ten times the questions."""
    if test <= FAILED:
        return "nothing: learned"
    found = "overfitted: training error at most half the test error" if training <= test / 2 else "not found"
    if later is None:
        return found
    return f"{found}; with 10,000 questions " + ("learned" if later <= FAILED else "too it is left")
