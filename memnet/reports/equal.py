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
from memnet.papers.equal import MEMNN, NAMES, RATES, REGULARISED, SEARCH_TASKS, SEARCHED, TABLES, WAYS
from memnet.reports.scaling import read_costs
from memnet.training.evaluate import FAILED
from memnet.training.records import read_rows
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
    "equal": ("answers, permuted", "facts, permuted"),
    "equal-10k": ("answers, permuted",),
    "equal-joint": ("answers",),
}
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
    def every(self) -> list[list[float]]:
        """Test errors of all restarts, task by task."""
        found: dict[str, list[float]] = {}
        for row in self.rows:
            for task, error in zip(row["tasks"].split(), row["test_error"].split(), strict=True):
                found.setdefault(task, []).append(float(error))
        return list(found.values())

    @property
    def mean_of_all(self) -> float:
        """The mean test error of all restarts."""
        return statistics.mean(map(statistics.mean, self.every))

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
        spread = statistics.mean(map(statistics.pstdev, self.every))
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
    if len(found) != (part.restarts or 1) * len(tasks):
        said = " ".join((model, *part.settings))
        raise NetworkError(f"{len(found)} networks of {said} are on record; 'memnet reproduce {table}' makes the others")
    return Cell(found)


def against(runs: Path, table: str, measure: Callable[[Cell, Runs], float]) -> dict[str, list[tuple[float, float]]]:
    """By model the points of a figure: a measure of each line and the mean test error of all its restarts."""
    rows, (_, parts) = read_rows(runs), TABLES[table]
    points: dict[str, list[tuple[float, float]]] = {}
    for (model, *_), part in parts.items():
        found = cell(rows, part, table)
        points.setdefault(NAMES[model], []).append((measure(found, part), found.mean_of_all))
    return points


def searched(rows: Sequence[Row], model: str) -> dict[tuple[str, str], float]:
    """The mean validation error of each pair of settings in the search for a model."""
    return {
        (rate, strength): statistics.mean(cell(rows, part, "equal-search").errors("validation_error"))
        for (name, rate, strength), part in SEARCHED.items()
        if name == model
    }


def best(found: Mapping[tuple[str, str], float]) -> tuple[str, str]:
    """The pair with the least mean validation error; of equal ones the first."""
    return min(found, key=found.__getitem__)


def search(runs: Path) -> str:
    """The table of the search."""
    rows, lines = read_rows(runs), []
    for model, strengths in REGULARISED.items():
        found = searched(rows, model)
        mark = {best(found): "**"}
        for rate in RATES:
            cells = ((mark.get((rate, strength), ""), found[rate, strength]) for strength in strengths)
            lines.append([NAMES[model], f"`{rate}`", *(f"{bold}{error:.1f}{bold}" for bold, error in cells)])
    models: dict[tuple[str, str], list[str]] = {}
    for model, strengths in REGULARISED.items():
        models.setdefault(strengths, []).append(NAMES[model])
    pairs = "; ".join(f"`{weak}` and `{strong}` ({', '.join(names)})" for (weak, strong), names in models.items())
    text = (
        f"Validation error in percent, the mean over {', '.join(SEARCH_TASKS)} with 100 questions each, one restart, seed 0, "
        "published bAbI v1.2 text (en, 1k). The table chooses the learning rate and regularisation with which each model is "
        "compared, in bold; a few percent between two cells may be chance.\n\n"
        f"- *weak* and *strong* regularisation: {pairs}."
    )
    return f"{text}\n\n{markdown_table(['model', 'learning rate', 'weak', 'strong'], lines, 'llrr')}"


def on_equal_terms(runs: Path, table: str, costs: Path | None = None) -> str:
    """One of the other tables of :data:`~memnet.papers.equal.TABLES`; with the costs of an answer where a file has them."""
    rows, (_, parts) = read_rows(runs), TABLES[table]
    lines = [[NAMES[model], *label, *cell(rows, part, table).figures] for (model, *label), part in parts.items()]
    if costs is not None:
        measured = read_costs(costs)
        for line, part in zip(lines, parts.values(), strict=True):
            network = (part.presets[0], configured(part).dim)
            if network not in measured:
                said = "{} of width {}".format(*network)
                raise NetworkError(f"{costs} has no costs of {said}; 'memnet bench models' measures its networks for task 2")
            line += measured[network].figures
    first, label = next(iter(parts.values())), LABELS[table]
    lacking = "".join(f" (the text of {task} could not be had)" for task in NOT_AT_HAND[first.size])
    tasks = ", ".join(first.tasks or [f"{len(first.all_tasks)} tasks{lacking}"])
    words = SAID.get(table, ", permuted words (MemNN: facts)")
    text = TEXT.format(tasks=tasks, size=first.size, restarts=first.restarts, words=words)
    head = ["model", *label, *HEAD, *(COSTS if costs is not None else ())]
    text += COSTS_READ if costs is not None else ""
    text = f"{text}\n\n{markdown_table(head, lines, 'l' * (1 + len(label)) + 'r' * (len(head) - 1 - len(label)))}"
    chosen = {label: cell(rows, part, table).by_task for label, part in parts.items()}
    text += f"\n\n{GAINED}\n\n{gains(chosen)}" if table == "equal" else ""
    for way in PAIRED.get(table, ()):
        own = {NAMES[model]: errors for (model, *label), errors in chosen.items() if not label or way in label}
        own |= {NAMES[MEMNN]: chosen[MEMNN, "facts"]} if table == "equal" else {}
        own = {name: own[name] for name in NAMES.values()}
        text += f"\n\n{BY_TASK.format(way=way)}\n\n{by_task(own)}\n\n{PAIRS.format(way=way)}\n\n{differences(own)}"
    return text


def gains(errors: Mapping[tuple[str, ...], Mapping[str, float]]) -> str:
    """Of each model that learns in all ways what each changes of the errors from answers, as :func:`difference`."""
    first, *others = WAYS
    models = [model for model in NAMES if all((model, way) in errors for way in WAYS)]
    lines = [[NAMES[model], *(difference(errors[model, way], errors[model, first]) for way in others)] for model in models]
    return markdown_table(["model", *others], lines, "l" + "r" * len(others))


def by_task(errors: Mapping[str, Mapping[str, float]]) -> str:
    """A line a task with the error of each."""
    tasks = next(iter(errors.values()))
    lines = [[task, *(f"{own[task]:.1f}" for own in errors.values())] for task in sorted(tasks, key=lambda task: int(task[2:]))]
    return markdown_table(["task", *errors], lines, "l" + "r" * len(errors))


def difference(own: Mapping[str, float], other: Mapping[str, float]) -> str:
    """The mean difference of errors over tasks and half its 95 % interval, as in a paired t test; bold without zero in it."""
    from scipy.stats import t as student

    found = [own[task] - other[task] for task in own]
    mean, half = statistics.mean(found), student.ppf(0.975, len(found) - 1) * statistics.stdev(found) / len(found) ** 0.5
    bold = "**" if abs(mean) > half else ""
    return f"{bold}{mean:+.1f} ± {half:.1f}{bold}"


def differences(errors: Mapping[str, Mapping[str, float]]) -> str:
    """Of each pair what the row's errors are more than the column's, as :func:`difference`."""
    lines = [
        [name, *("" if other == name else difference(own, errors[other]) for other in errors)] for name, own in errors.items()
    ]
    return markdown_table(["row less column", *errors], lines, "l" + "r" * len(errors))


TEXT = """\
Test error in percent over {tasks}, published bAbI v1.2 text (en, {size}), seed 0{words}.

- *training error*, *error*: of the networks chosen from {restarts} restarts by validation, on the training and on the test
  questions; in brackets how many of them fail (error above 5 %).
- *all restarts*: of all networks; ± their standard deviation, the mean over tasks.
- *facts read*: of the sentences read, the share that are supporting facts; of the facts, the share that were read.
- *s a restart*: seconds of one core for each restart."""
SAID = {  # of a table's networks, where it is not that they learn with permuted words, the MemNN from facts
    "equal": """.
Every model learns from answers; with *facts* what it reads is learned from the supporting facts of the training questions, too.
*Permuted*: words that are interchangeable, such as names, are permuted anew at every step of training""",
    "equal-align": """, permuted words.
With argmax softmax trains and one memory is read to answer; with REINFORCE each restart reads one memory from the first epoch,
draws five addresses a question and has no baseline""",
    "equal-10k": """.
Permuted words (MemNN: facts), three tenths of the epochs: about twice the seconds a restart""",
    "equal-joint": """.
One network learns all tasks from answers (MemNN: facts), words as they are, with the epochs of a network for one task; MemNN
with 24, as its n-grams of all tasks take longer""",
}
GAINED = """\
What permuted words and supporting facts change: the error of the chosen networks less that from answers alone, the mean over
tasks, ± half the 95 % interval of a paired t test over them; in bold where the interval leaves out zero:"""
BY_TASK = "Errors of the chosen networks task by task, learned from *{way}* (MemNN: *facts*):"
PAIRS = """\
Pairs of them: the error of the row's networks less that of the column's, the mean over tasks, ± half the 95 % interval of a
paired t test over them, learned from *{way}* (MemNN: *facts*); in bold where the interval leaves out zero. It says what other
tasks of this kind might give, not what another draw of restarts or questions would; of 21 pairs that do not differ one would be
bold:"""
COSTS_READ = """
- *parameters*, *ms an answer*, *Mflop an answer*: of a network for task 2; the median time of an answer, one thread, and of its
  matrix products' multiplications and additions in millions."""
