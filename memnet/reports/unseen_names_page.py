"""``results/open.md``: what a network makes of names that it has never met, beside the papers; of ``results/open.csv``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from memnet.markdown import markdown_table
from memnet.measure.measured import BYTES, PARAMETERS, QUESTION, START, STORY, Measured
from memnet.measure.unseen_names import (
    CALIBRATION,
    EVERYDAY,
    EVERYDAY_REFUSED,
    EVERYTHING,
    PEOPLE,
    PUBLISHED,
    REFUSED,
    SYSTEMATIC,
    WITHOUT,
    WITHOUT_ONE,
)
from memnet.reports.pivot import FAILED_ROW, bold, failing, one_decimal, two_decimals
from memnet.reports.published import published_figures, published_rows
from memnet.reports.select import in_order
from memnet.tasks.families import FAILS_ABOVE
from memnet.tasks.text.renaming import REVERSED_TASKS, SYSTEMATIC_TASKS

PAPERS = {  # heads of columns -> model, size and regime of a row in results/published.csv
    "UT, best seed of each task": ("UT w/ dynamic halting, best seed per task of 10", "10k", "joint"),
    "UT, mean of 10 seeds": ("UT w/ dynamic halting, mean over 10 seeds", "10k", "joint"),
    "MemN2N": ("MemN2N PE LS RN joint 3 hops", "10k", "joint"),
}
ERRORS = {PUBLISHED: "as published", PEOPLE: "people renamed", EVERYTHING: "everything renamed", SYSTEMATIC: "sys-bAbI"}
OTHERS = {
    REFUSED: "answerable refused",
    WITHOUT: "unanswerable refused",
    WITHOUT_ONE: "one fact missing, refused",
    CALIBRATION: "calibration error",
}
AS_PUBLISHED, AS_RENAMED = "sys_babi_as_published", "sys_babi_renamed"  # metrics in results/published.csv
CHANGED = (*SYSTEMATIC_TASKS, *REVERSED_TASKS)
SETS = {  # tasks that a mean of sys-bAbI is over; task 5 is not in the papers', by their code
    "the 12 of the papers": tuple(task for task in CHANGED if task != "qa5"),
    "the 13 that change": CHANGED,
    "all 20": tuple(f"qa{number}" for number in range(1, 21)),
}


def unseen_names_page(measured: Measured, published: Path) -> str:
    """The whole page, with a line end. Raises :class:`~memnet.errors.NetworkError` where the papers' figures are missing."""
    about = measured.about
    trained = "the published text" if about.source == "published" else "simulated stories alone"
    parts = [
        "# Names that no network has met",
        f"Made by `memnet bench unseen-names`: preset `{about.preset}`, one network for the twenty tasks, trained on "
        f"{trained}; weights `{about.weights}`, memnet {about.memnet}. Every number is in [open.csv](open.csv).",
        "## Published test sets, as published and with other names",
        by_task(measured, published),
        BELOW_TASKS,
        "## sys-bAbI: people do what in training only others do",
        systematic(measured, published),
        systematic_note(measured),
        *everyday(measured),
        "## Size and speed",
        size_and_speed(measured),
        f"On one core of {about.processor}; medians. The start is the time of the command `memnet ask` from its start to the "
        "end of its answer, less that of `import torch`.",
    ]
    return "\n\n".join(parts) + "\n"


LIMIT = f"{FAILS_ABOVE:.0f}"
BELOW_TASKS = f"""\
In percent, of 1,000 published test questions a task (bAbI v1.2, en); a task fails above {LIMIT} %. Nothing was chosen by
these questions. A question that is refused is not answered: it counts as an error.

- **People renamed**: every story has people with names that no published or simulated story has, women for women and men for
  men. Tasks 4 and 17 to 19 have no people.
- **Everything renamed**: people, places, things, animals, colours, shapes and containers, with names of one word or several
  ("red square" is "maroon hexagon", "box of chocolates" is "jar of cookies"). Verbs, directions and what people feel are no
  names. In task 20 the rooms keep their names: no story says that the hungry go to the kitchen.
- **sys-bAbI**: see below; the tasks that it leaves alone are as published.
- **Answerable refused**: of the questions as published. **Unanswerable refused**: of the same questions after every statement
  about their subject was taken away. **One fact missing, refused**: after one of several supporting facts was taken away.
- **Calibration error**: expected calibration error of the answers' probabilities on the questions as published, ten bins of
  equal width (arXiv 1706.04599).
- The papers: Universal Transformer with dynamic halting (Dehghani et al. 2019) and MemN2N (Sukhbaatar et al. 2015), one network
  for the twenty tasks, trained on the published text, 10,000 questions each. What they err with other names is not printed."""


def by_task(measured: Measured, published: Path) -> str:
    """Everything that is measured task by task, the papers' errors beside it."""
    papers = {head: published_figures(published, *row) for head, row in PAPERS.items()}
    measures = [*ERRORS, *OTHERS]
    values = {measure: measured.by_task(measure) for measure in measures}
    head = ["task", ERRORS[PUBLISHED], *papers, *list(ERRORS.values())[1:], *OTHERS.values()]

    def row(name: str, ours: list[str], theirs: list[str]) -> list[str]:
        return [name, ours[0], *theirs, *ours[1:]]

    rows = [
        row(
            task,
            [one_decimal(values[measure].get(task)) for measure in measures],
            [one_decimal(paper.errors.get(task)) for paper in papers.values()],
        )
        for task in in_order(values[PUBLISHED])
    ]
    ours = [bold(two_decimals(measured.mean(measure))) for measure in measures]
    rows.append(row("mean", ours, [two_decimals(paper.mean) for paper in papers.values()]))
    failed = [str(measured.failed(measure)) if measure in ERRORS else "" for measure in measures]
    theirs = [str(failing(paper.errors.values())) if paper.errors else "" for paper in papers.values()]
    rows.append(row(FAILED_ROW, failed, theirs))
    return markdown_table(head, rows)


def systematic(measured: Measured, published: Path) -> str:
    """The mean errors over sets of tasks that were all asked about, with names as published and changed, beside the papers'."""
    asked, rows = measured.by_task(SYSTEMATIC).keys(), []
    for what, tasks in SETS.items():
        if asked >= set(tasks):
            before, after = (measured.mean(measure, tasks) for measure in (PUBLISHED, SYSTEMATIC))
            rows.append(systematic_row(f"ours, `{measured.about.preset}`", what, before, after))
    for model, (before, after) in papers_systematic(published).items():
        rows.append(systematic_row(model, next(iter(SETS)), before, after))
    return markdown_table(["network", "tasks", "as published", "sys-bAbI", "gap"], rows, "llrrr")


def systematic_row(network: str, tasks: str, before: float | None, after: float | None) -> list[str]:
    """A line of means in percent, and their difference where both are known."""
    gap = None if before is None or after is None else after - before
    return [network, tasks, two_decimals(before), two_decimals(after), two_decimals(gap)]


def papers_systematic(published: Path) -> dict[str, tuple[float | None, float | None]]:
    """The papers' mean errors on sys-bAbI, as published and renamed, by model."""
    found: dict[str, dict[str, float]] = {}
    for row in published_rows(published):
        if row["metric"] in (AS_PUBLISHED, AS_RENAMED):
            found.setdefault(row["model"], {})[row["metric"]] = float(row["value"])
    return {model: (values.get(AS_PUBLISHED), values.get(AS_RENAMED)) for model, values in found.items()}


def systematic_note(measured: Measured) -> str:
    """What is compared with what."""
    about = measured.about
    ours = (
        f"**Ours is not trained as the papers' were**: on simulated stories (preset `{about.preset}`), never on the published "
        "text."
        if about.source != "published"
        else f"Ours was trained on the published {about.size} text (preset `{about.preset}`)."
    )
    return (
        "Mean test error in percent. The papers' networks were trained jointly on the published text of the twenty tasks, "
        "10,000 questions each. At test Daniel is Bill, John is Fred and Sandra is Julie in tasks 1-3, 6-9 and 11-13, and the "
        "reverse in tasks 5, 10 and 14 (Park, Choi, Lee 2024, arXiv 2406.01012; names and tasks as in its authors' code, "
        "github.com/taewonpark/AID, whose mean leaves task 5 out). "
        f"{ours}"
    )


def everyday(measured: Measured) -> Iterator[str]:
    """Stories in everyday words, where they were asked about."""
    right, refused = measured.by_task(EVERYDAY), measured.by_task(EVERYDAY_REFUSED)
    if not right:
        return
    kinds = sorted(right, key=int)
    rows = [[kind, one_decimal(right[kind]), one_decimal(refused[kind])] for kind in kinds]
    rows.append(["all", *(bold(one_decimal(measured.mean(measure))) for measure in (EVERYDAY, EVERYDAY_REFUSED))])
    yield "## Stories in everyday words"
    yield markdown_table(["kind", "answered right", "refused"], rows)
    yield (
        f"In percent, of {measured.questions(EVERYDAY)} stories that people might type (tests/everyday_stories.txt), of kinds "
        "like the twenty tasks; a blind test set: no network is trained or chosen by it. Asked as at the prompt; an "
        "answer is right in any letters, with or without an article, a list in any order."
    )


def size_and_speed(measured: Measured) -> str:
    """A table of two columns."""
    rows = [
        ["parameters", counted(measured.of_network(PARAMETERS))],
        ["file of weights, bytes", counted(measured.of_network(BYTES))],
        ["a story of 50 statements and a question, ms", two_decimals(measured.of_network(STORY))],
        ["a question about 50 statements that are known, ms", two_decimals(measured.of_network(QUESTION))],
        ["`memnet ask`, start to answer, without importing torch, s", two_decimals(measured.of_network(START))],
    ]
    return markdown_table(["of the network", ""], rows)


def counted(value: float | None) -> str:
    """A whole number, or nothing."""
    return "" if value is None else f"{value:,.0f}"
