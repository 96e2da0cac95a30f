"""Every model on equal terms: what the search chose, errors in every cell, and what time, width and alignment change."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from memnet.config import Training, override, parse_settings
from memnet.errors import NetworkError
from memnet.markdown import markdown_table
from memnet.papers import PRESETS
from memnet.papers.declare import NOT_AT_HAND, Runs
from memnet.papers.equal import MEMNN, NAMES, RATES, REGULARISED, SEARCH_TASKS, SEARCHED, TABLES, WAYS, way_of
from memnet.record.measurements import measured_by, read_costs
from memnet.reports.legacy import read_rows
from memnet.training.evaluate import FAILED
from memnet.training.spec import config_hash

Row = Mapping[str, str]
LABELS: dict[str, tuple[str, ...]] = {  # of what a line says after its model
    "equal": ("learns from",),
    "equal-time": ("time",),
    "equal-width": ("width",),
    "equal-align": ("alignment",),
    "equal-10k": (),
    "equal-joint": (),
}
PAIRED: dict[str, tuple[str, ...]] = {  # tables in which models are compared task by task and in pairs, and learned from what
    "equal": tuple(WAYS),
    "equal-10k": ("answers, permuted",),
    "equal-joint": ("answers",),
}
MINUS = {"equal-time": "Universal Transformer", "equal-width": "as it is", "equal-align": "softmax"}  # a line to compare with
HEAD = ("training error", "error (failed)", "all restarts", "facts read", "s a restart")
COSTS = ("parameters", "ms an answer", "Mflop an answer")


class Cell(NamedTuple):
    """All restarts of one line's networks, one network a task or a joint one."""

    rows: list[Row]

    def errors(self, kind: str = "test_error") -> list[float]:
        """Of the chosen networks, task by task."""
        return [float(error) for row in self.rows if row["chosen"] == "1" for error in row[kind].split()]

    @property
    def by_task(self) -> dict[str, float]:
        """Test error of the chosen network by task."""
        chosen = [row for row in self.rows if row["chosen"] == "1"]
        pairs = [zip(row["tasks"].split(), row["test_error"].split(), strict=True) for row in chosen]
        return {task: float(error) for row in pairs for task, error in row}

    @property
    def every(self) -> dict[str, list[float]]:
        """Test errors of all restarts by task."""
        found: dict[str, list[float]] = {}
        for row in self.rows:
            for task, error in zip(row["tasks"].split(), row["test_error"].split(), strict=True):
                found.setdefault(task, []).append(float(error))
        return found

    @property
    def means(self) -> dict[str, float]:
        """The mean test error of all restarts by task."""
        return {task: statistics.mean(errors) for task, errors in self.every.items()}

    @property
    def mean_of_all(self) -> float:
        """The mean test error of all restarts, over tasks."""
        return statistics.mean(self.means.values())

    def facts(self, kind: str) -> float | None:
        """What share of the facts the chosen networks read, or of what they read is facts; None where nothing says."""
        shares = (share for row in self.rows if row["chosen"] == "1" for share in row[kind].split())
        found = [float(share) for share in shares if share != "-"]
        return statistics.mean(found) if found else None

    @property
    def seconds(self) -> float:
        """Of one core, a restart, the mean over networks."""
        return statistics.mean(float(row["seconds"]) for row in self.rows)

    @property
    def figures(self) -> list[str]:
        """What a table says of it, under :data:`HEAD`."""
        errors = self.errors()
        spread = statistics.mean(map(statistics.stdev, self.every.values()))
        shares = [self.facts(kind) for kind in ("fact_precision", "fact_recall")]
        return [
            f"{statistics.mean(self.errors('train_error')):.1f}",
            f"{statistics.mean(errors):.1f} ({sum(error > FAILED for error in errors)})",
            f"{self.mean_of_all:.1f} ± {spread:.1f}",
            ", ".join(f"{100 * share:.0f} %" for share in shares if share is not None),
            f"{self.seconds:.0f}",
        ]


def configured(part: Runs) -> Training:
    """The settings of a line's runs."""
    preset = PRESETS[part.presets[0]]
    return override(preset, parse_settings(part.settings, type(preset)))


def cell(rows: Sequence[Row], part: Runs, table: str) -> Cell:
    """The networks of a line. Raises :class:`~memnet.errors.NetworkError` where a run is lacking."""
    (model,) = part.presets
    own = (model, config_hash(configured(part)), part.size, part.source, "en", str(part.seed), str(part.restarts))
    names = ("preset", "config", "size", "source", "variant", "seed", "restarts")
    tasks = [" ".join(part.all_tasks)] if part.joint else part.all_tasks
    found = [row for row in rows if tuple(row[name] for name in names) == own and row["tasks"] in tasks]
    said, wanted = " ".join((model, *part.settings)), (part.restarts or 1) * len(tasks)
    if len(found) > wanted:
        raise NetworkError(
            f"{len(found)} networks of {said} are on record instead of {wanted}; they learned from different texts"
        )
    if len(found) < wanted:
        raise NetworkError(
            f"{len(found)} networks of {said} are there instead of {wanted}; 'memnet reproduce {table}' makes the others, with "
            "--results in a file of your own"
        )
    return Cell(found)


def against(runs: Path, table: str, measure: Callable[[Cell, Runs], float]) -> dict[str, list[tuple[float, float]]]:
    """By model the points of a figure: a measure of each line and the mean test error of all its restarts."""
    rows, (_, parts) = read_rows(runs), TABLES[table]
    points: dict[str, list[tuple[float, float]]] = {}
    for (model, *_), part in parts.items():
        found = cell(rows, part, table)
        points.setdefault(NAMES[model], []).append((measure(found, part), found.mean_of_all))
    return points


def searches(rows: Sequence[Row], model: str) -> dict[tuple[str, str], Cell]:
    """The networks of each pair of settings in the search for a model."""
    return {
        (rate, strength): cell(rows, part, "equal-search") for (name, rate, strength), part in SEARCHED.items() if name == model
    }


def searched(rows: Sequence[Row], model: str) -> dict[tuple[str, str], float]:
    """The mean validation error of each pair of settings in the search for a model."""
    return {pair: statistics.mean(found.errors("validation_error")) for pair, found in searches(rows, model).items()}


def best(found: Mapping[tuple[str, str], float]) -> tuple[str, str]:
    """The pair with the least mean validation error; of equal ones the first."""
    return min(found, key=found.__getitem__)


def search(runs: Path) -> str:
    """The table of the search."""
    rows, lines = read_rows(runs), []
    for model, strengths in REGULARISED.items():
        found, tried = searched(rows, model), searches(rows, model)
        mark = {best(found): "**"}
        for rate in RATES:
            cells = ((mark.get((rate, strength), ""), found[rate, strength]) for strength in strengths)
            seconds = sum(tried[rate, strength].seconds for strength in strengths) * len(SEARCH_TASKS)
            lines.append([NAMES[model], f"`{rate}`", *(f"{bold}{error:.1f}{bold}" for bold, error in cells), f"{seconds:.0f}"])
    models: dict[tuple[str, str], list[str]] = {}
    for model, strengths in REGULARISED.items():
        models.setdefault(strengths, []).append(NAMES[model])
    pairs = "; ".join(f"`{weak}` and `{strong}` ({', '.join(names)})" for (weak, strong), names in models.items())
    text = (
        f"Validation error in percent, the mean over {', '.join(SEARCH_TASKS)} with 100 questions each, learned from answers "
        "with words as they are (MemNN: facts), one restart, seed 0, published bAbI v1.2 text (en, 1k). The table chooses the "
        "learning rate and regularisation with which each model is compared, in bold, of equal ones the first; a few points "
        "between two cells may be chance.\n\n"
        f"- *weak* and *strong* regularisation: {pairs}.\n"
        f"- *seconds* of one core: of the {2 * len(SEARCH_TASKS)} networks of a line."
    )
    return f"{text}\n\n{markdown_table(['model', 'learning rate', 'weak', 'strong', 'seconds'], lines, 'llrrr')}"


def on_equal_terms(runs: Path, table: str, costs: Path | None = None) -> str:
    """One of the other tables of :data:`~memnet.papers.equal.TABLES`; with the costs of an answer where a file has them."""
    rows, (_, parts) = read_rows(runs), TABLES[table]
    cells = {line: cell(rows, part, table) for line, part in parts.items()}
    lines = [[NAMES[model], *label, *own.figures] for (model, *label), own in cells.items()]
    first, label = next(iter(parts.values())), LABELS[table]
    head = ["model", *label, *HEAD]
    text = TEXT.format(
        tasks=tasks_of(first),
        size=first.size,
        restarts=first.restarts,
        words=SAID.get(table, f", permuted words{MEMNN_LEARNS}"),
    )
    if table in MINUS:
        head.append(f"minus {MINUS[table]}")
        text += COMPARED.format(what=MINUS[table], line=OTHER[table])
        for line, (name, own) in zip(lines, cells.items(), strict=True):
            line.append("" if (other := reference(table, name)) == name else difference(own, cells[other]))
    if costs is not None:
        head += COSTS
        text += f"{COSTS_READ}; {measured_by(read_costs(costs).values())}."
        for line, figures in zip(lines, costs_of(costs, list(parts.values())), strict=True):
            line += figures
    sections = [text, markdown_table(head, lines, "l" * (1 + len(label)) + "r" * (len(head) - 1 - len(label)))]
    if table == "equal":
        sections += [GAINED, gains(cells)]
    for way in PAIRED.get(table, ()):
        found = {NAMES[model]: cells[(model, way_of(model, way)) if label else (model,)] for model in NAMES}
        memnn = MEMNN_LEARNS
        if table == "equal":
            memnn = "" if way == way_of(MEMNN, way) else " (MemNN: words as they are)"
        sections += [
            BY_TASK.format(way=way, memnn=memnn),
            by_task(found),
            PAIRS.format(way=way, memnn=memnn),
            differences(found),
        ]
    return "\n\n".join(sections)


def tasks_of(part: Runs) -> str:
    """Which tasks a table has, and which it lacks."""
    lacking = "".join(f" (the text of {task} could not be had)" for task in NOT_AT_HAND[part.size])
    return ", ".join(part.tasks or [f"{len(part.all_tasks)} tasks{lacking}"])


def reference(table: str, line: tuple[str, ...]) -> tuple[str, ...]:
    """The line of a table from which another is subtracted."""
    model, label = line
    return ("equal-universal", label) if table == "equal-time" else (model, MINUS[table])


def costs_of(costs: Path, parts: Sequence[Runs]) -> list[list[str]]:
    """What an answer of each line's network costs. Raises :class:`~memnet.errors.NetworkError` where that was not measured."""
    measured, found = read_costs(costs), []
    for part in parts:
        network = (part.presets[0], configured(part).dim)
        if network not in measured:
            said = "{} of width {}".format(*network)
            raise NetworkError(f"{costs} has no costs of {said}; 'memnet bench models' measures its networks for task 2")
        found.append(measured[network].figures)
    return found


def gains(cells: Mapping[tuple[str, ...], Cell]) -> str:
    """Of each model that learns in all ways what each changes of the errors from answers, as :func:`difference`."""
    first, *others = WAYS
    models = [model for model in NAMES if all((model, way) in cells for way in WAYS)]
    lines = [[NAMES[model], *(difference(cells[model, way], cells[model, first]) for way in others)] for model in models]
    return markdown_table(["model", *others], lines, "l" + "r" * len(others))


def by_task(cells: Mapping[str, Cell]) -> str:
    """A line a task with the error of each chosen network, and that of all its restarts in brackets."""

    def said(own: Cell, task: str) -> str:
        every = own.every[task]
        return f"{own.by_task[task]:.1f} ({statistics.mean(every):.1f} ± {statistics.stdev(every):.1f})"

    tasks = sorted(next(iter(cells.values())).by_task, key=lambda task: int(task[2:]))
    lines = [[task, *(said(own, task) for own in cells.values())] for task in tasks]
    return markdown_table(["task", *cells], lines, "l" + "r" * len(cells))


def interval(own: Mapping[str, float], other: Mapping[str, float]) -> str:
    """The mean difference of errors over tasks and half its 95 % interval, as in a paired t test; bold without zero in it."""
    from scipy.stats import t as student

    found = [own[task] - other[task] for task in own]
    mean, half = statistics.mean(found), student.ppf(0.975, len(found) - 1) * statistics.stdev(found) / len(found) ** 0.5
    bold = "**" if abs(mean) > half else ""
    return f"{bold}{mean:+.1f} ± {half:.1f}{bold}"


def difference(own: Cell, other: Cell) -> str:
    """The :func:`interval` of the chosen networks, in brackets that of the means of all restarts."""
    return f"{interval(own.by_task, other.by_task)} ({interval(own.means, other.means)})"


def difference_of_all(own: Cell, other: Cell) -> str:
    """The :func:`interval` of the means of all restarts."""
    return interval(own.means, other.means)


def differences(cells: Mapping[str, Cell], of: Callable[[Cell, Cell], str] = difference) -> str:
    """Of each pair what the row's errors are more than the column's, as :func:`difference` unless another is given."""
    others, lines = list(cells)[1:], []
    for place, (name, own) in enumerate(list(cells.items())[:-1]):
        lines.append([name, *("" if column < place else of(own, cells[other]) for column, other in enumerate(others))])
    return markdown_table(["row less column", *others], lines, "l" + "r" * len(others))


MEMNN_LEARNS = " (MemNN: facts)"
TEXT = """\
Test error in percent over {tasks}, published bAbI v1.2 text (en, {size}), seed 0{words}.

- *training error*, *error*: of the networks chosen from {restarts} restarts by validation, on the training and on the test
  questions; in brackets how many of them fail (error above 5 %).
- *all restarts*: the mean of all networks; ± the sample standard deviation of the restarts of one task, the mean over tasks.
  The mean over all tasks spreads less.
- *facts read*: of the sentences read, the share that are supporting facts; of the facts, the share that were read.
- *s a restart*: seconds of one core for each restart."""
SAID = {  # of a table's networks, where it is not that they learn with permuted words, the MemNN from facts
    "equal": """.
Every model learns from answers; with *facts* what it reads is learned from the supporting facts of the training questions, too.
*Permuted*: words that are interchangeable, such as names, are permuted anew at every step of training. The MemNN has words as
they are; without facts it learns what to read by trial (REINFORCE)""",
    "equal-align": """, permuted words.
With argmax softmax trains and one memory is read to answer; with REINFORCE each restart reads one memory from the first epoch,
draws five addresses a question and has no baseline""",
    "equal-10k": """.
Permuted words (MemNN: facts), three tenths of the epochs on ten times the questions: about twice the seconds a restart""",
    "equal-joint": """.
One network learns all tasks from answers (MemNN: facts), words as they are, with the epochs of a network for one task; MemNN
with 24, as its n-grams of all tasks take longer""",
}
OTHER = {
    "equal-time": "the Universal Transformer with the same share of its usual epochs",
    "equal-width": "the same model with its usual width",
    "equal-align": "the same model with softmax",
}
COMPARED = """
- *minus {what}*: the error minus that of {line}, the mean over tasks, in brackets of all restarts; ± half the 95 %
  interval of a paired t test over the tasks, in bold where it leaves out zero before rounding. Five tasks make it wide."""
COSTS_READ = """
- *parameters*, *ms an answer*, *Mflop an answer*: of a network for task 2; the median time of an answer, one thread; the median
  number of multiplications and additions in its matrix products, in millions"""
GAINED = """\
What permuted words and supporting facts change: the error of the chosen networks less that from answers alone, the mean over
tasks, in brackets of all restarts; ± half the 95 % interval of a paired t test over the tasks, in bold where it leaves out
zero before rounding. Of 18 that change nothing about one would be bold by chance. The MemNN's words cannot be permuted:"""
BY_TASK = """\
Errors of the chosen networks task by task, in brackets the mean and standard deviation of all restarts, learned from
*{way}*{memnn}:"""
PAIRS = """\
Pairs of them, learned from *{way}*{memnn}: the error of the row's networks less that of the column's, the mean over tasks of
the chosen networks, in brackets of all restarts; ± half the 95 % interval of a paired t test over the tasks, in bold where it
leaves out zero before rounding. It says what other tasks of this kind might give, not what other restarts or questions would.
Of 21 pairs without a difference about one would be bold by chance, and of those in brackets another:"""
