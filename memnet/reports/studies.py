"""Tables that answer one question each: how many questions a task needs, which facts are read, seeds, permutation."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from memnet.errors import NetworkError
from memnet.markdown import markdown_table
from memnet.papers import COLUMNS, PRESETS
from memnet.papers.declare import TASKS
from memnet.papers.ours import PERMUTED, RETRIEVING, SEEDED, SEEDS, STEPS, STEPS_CHANGED, STEPS_PRESET, STEPS_TASKS, UNLEARNED
from memnet.papers.weston2015 import QUESTIONS_PRESET
from memnet.reports.columns import (
    Results,
    all_restarts,
    collect,
    column_head,
    has_config,
    means,
    one_decimal,
    regime_of,
    task_number,
    with_changes,
)
from memnet.reports.legacy import read_rows
from memnet.reports.published import published_errors, published_questions
from memnet.training.evaluate import FAILED

PRINTED_STEPS = "UT w/ dynamic halting, mean over 10 seeds"


def questions(runs: Path, published: Path, preset: str = QUESTIONS_PRESET) -> str:
    """How many training questions a task needs for 95 %, ours beside the paper's (Weston et al. 2015, table 3)."""
    theirs = published_questions(published, COLUMNS[preset, "1k"].published or "")
    config = PRESETS[preset]
    errors: dict[int, dict[int, float]] = {}
    for row in read_rows(runs):
        own = (row["preset"], row["size"], row["variant"], row["source"], row["seed"]) == (preset, "1k", "en", "published", "0")
        changed = dict(pair.split("=", 1) for pair in row["settings"].split())
        if own and row["chosen"] == "1" and not changed.keys() - {"questions"} and regime_of(row) == "single":
            if not has_config(row, replace(config, questions=int(changed.get("questions", 0)))):
                continue
            errors.setdefault(task_number(row["tasks"]), {})[int(changed.get("questions", 1000))] = float(row["test_error"])
    numbers = sorted({number for found in errors.values() for number in found})
    if len(numbers) < 2:
        raise NetworkError(
            f"{runs} has no runs of {preset} with fewer questions and {config.default_restarts} restarts; "
            f"'memnet sweep all --preset {preset} --set questions=100' makes them"
        )
    rows = []
    for task, found in sorted(errors.items()):
        enough = [number for number in numbers if found.get(number, 100.0) <= FAILED]
        needed = str(enough[0]) if enough else "fail" if numbers[-1] in found else f"> {max(found)}"
        rows.append([f"qa{task}", needed, theirs.get(task, ""), *(one_decimal(found.get(number)) for number in numbers)])
    text = (
        f"Training questions that a task needs for 95 % of the test questions, published bAbI v1.2 text (en), `{preset}`; the "
        "test error in percent after the first so many questions, a tenth of them held out to choose the restart."
    )
    return f"{text}\n\n{markdown_table(['task', 'needed', 'paper', *map(str, numbers)], rows)}"


def percent(value: str) -> str:
    """A share of a runs file in percent, nothing where there is none."""
    return "" if value == "-" else f"{100 * float(value):.1f}"


def retrieval(runs: Path, presets: Sequence[str] = RETRIEVING) -> str:
    """Whether the chosen networks read the supporting facts of the test questions."""
    found: dict[int, dict[str, dict[str, str]]] = {}
    for row in read_rows(runs):
        same = (row["size"], row["variant"], row["source"], row["seed"], row["settings"]) == ("1k", "en", "published", "0", "")
        if same and row["preset"] in presets and row["chosen"] == "1" and row["fact_exact"] and regime_of(row) == "single":
            if not has_config(row, PRESETS[row["preset"]]):
                continue
            found.setdefault(task_number(row["tasks"]), {})[row["preset"]] = row
    shown = [preset for preset in presets if any(preset in rows for rows in found.values())]
    if not shown:
        raise NetworkError(
            f"{runs} has no run of {', '.join(presets)} with its usual restarts and its facts measured; "
            f"'memnet sweep all --preset {presets[0]}' makes them"
        )
    measures = ("precision", "recall", "exact")
    rows = []
    shares: dict[tuple[str, str], list[float]] = {(preset, name): [] for preset in shown for name in measures}
    for task, by_preset in sorted(found.items()):
        cells: list[str] = []
        for preset in shown:
            if preset not in by_preset:
                cells += [""] * 4
                continue
            one = by_preset[preset]
            for name in measures:
                value = one[f"fact_{name}"]
                shares[preset, name] += [] if value == "-" else [100 * float(value)]
                cells.append(percent(value))
            cells.append(" ".join(percent(hop) or "-" for hop in one["fact_hops"].split("/")))
        rows.append([f"qa{task}", *cells])
    means = []
    for preset in shown:
        parts = (shares[preset, name] for name in measures)
        means += [*(f"**{statistics.mean(part):.1f}**" if part else "" for part in parts), ""]
    text = (
        "Supporting facts read by the chosen networks on the test questions, published bAbI v1.2 text (en, 1k), in percent: of "
        "the sentences read the share that are facts (precision), of the facts the share read (recall), questions where both "
        "sets are the same (exact), and for each hop, where it read a sentence, how often that is a fact."
    )
    head = ["task", *(cell for preset in shown for cell in (f"`{preset}` precision", "recall", "exact", "by hop"))]
    return f"{text}\n\n{markdown_table(head, [*rows, ['mean', *means]], 'l' + 'rrrl' * len(shown))}"


def training_steps(runs: Path, published: Path) -> str:
    """Errors after ten and a hundred times as many steps, beside the paper's; of one task also with one thing changed."""
    printed, _ = published_errors(published, PRINTED_STEPS, "1k", "single")
    kinds = ("train_error", "validation_error", "test_error")
    known = read_rows(runs)
    found, changed = (with_changes(known, STEPS_PRESET, changes) for changes in (STEPS, STEPS_CHANGED))
    lacking = [(steps, task) for steps in STEPS for task in STEPS_TASKS if (steps, task) not in found]
    lacking += [(name, UNLEARNED) for name in STEPS_CHANGED if (name, UNLEARNED) not in changed]
    if lacking:
        raise NetworkError(f"{runs} lacks {len(lacking)} of these runs; 'memnet reproduce training-steps' makes them")
    errors = {task: [float(found[steps, task][kind]) for steps in STEPS for kind in kinds] for task in STEPS_TASKS}
    rows = [[task, *map(one_decimal, of), one_decimal(printed.get(task_number(task)))] for task, of in errors.items()]
    least = (sum(of) / len(TASKS["1k"]) for of in zip(*errors.values(), strict=True))
    rows.append(["twenty tasks, at least", *map(one_decimal, least), ""])
    others = [[name, *(one_decimal(float(changed[name, UNLEARNED][kind])) for kind in kinds)] for name in STEPS_CHANGED]
    head = ["task", *(cell for steps in STEPS for cell in (f"{steps} steps: training", "validation", "test")), "paper"]
    settings = "; ".join(f"*{name}* is `{' '.join(of)}`" for name, of in STEPS_CHANGED.items())
    return "\n\n".join(
        [
            "Error in percent on the training, validation and test questions, published bAbI v1.2 text (en, 1k): "
            f"`{STEPS_PRESET}`, no augmentation, one restart, batches of 50, each length with a learning rate that falls to "
            "zero at its end, the last epoch kept. Beside it the paper's mean over ten seeds, with adaptive halting. The last "
            "line is the mean over the twenty tasks if all others had no error.",
            markdown_table(head, rows),
            f"Task {task_number(UNLEARNED)} after 10,000 steps, with one thing changed towards the paper's: {settings}.",
            markdown_table(["", "training", "validation", "test"], others),
        ]
    )


OF_ALL = (
    "Of all restarts: the mean over tasks, ± their sample standard deviation (the mean over tasks) where there are several."
)


def errors_beside(names: Sequence[str], parts: Sequence[Results]) -> str:
    """The test errors of the chosen networks task by task, their mean, of all restarts too, and the tasks that fail."""
    tasks = sorted({task for part in parts for task in part.chosen})
    rows = [[f"qa{task}", *(one_decimal(part.chosen.get(task)) for part in parts)] for task in tasks]
    rows.append(["mean", *(f"**{one_decimal(statistics.mean(part.chosen.values()))}**" for part in parts)])
    rows.append(["mean of all restarts", *(all_restarts(part) for part in parts)])
    rows.append(["failed (> 5 %)", *(str(part.failed) for part in parts)])
    heads = (column_head(part, name) for name, part in zip(names, parts, strict=True))
    return markdown_table(["task", *heads], rows)


def permutation(runs: Path, published: Path) -> str:
    """Networks that learned with permutation augmentation beside networks that learned without, 1,000 questions."""
    parts = [collect(runs, published, "1k", 0, [preset])[0] for pair in PERMUTED for preset in pair]
    lines = [
        "Test error in percent of the chosen networks, published bAbI v1.2 text (en, 1k): without and with permutation "
        "augmentation: interchangeable words are permuted at every step. " + OF_ALL,
        "",
        errors_beside([f"`{part.preset}`" for part in parts], parts),
        "",
    ]
    for before, after in PERMUTED:
        names = also_changed(before, after)
        besides = f"{', '.join(names)} differ too" if names else "nothing else differs"
        restarts = " and ".join(part.rows[0]["restarts"] for part in parts if part.preset in (before, after))
        lines.append(f"- `{before}`, `{after}`: chosen from {restarts}; {besides}.")
    return "\n".join(lines)


def also_changed(before: str, after: str) -> list[str]:
    """The settings besides ``permute`` in which a preset with permutation augmentation differs from the one without."""
    settings, changed = vars(PRESETS[before]), vars(PRESETS[after])
    return sorted(name for name, value in changed.items() if name != "permute" and value != settings[name])


def permutation_in_short(runs: Path, published: Path) -> str:
    """The means of :func:`permutation`, a line a network."""
    lines = []
    for pair in PERMUTED:
        parts = [collect(runs, published, "1k", 0, [preset])[0] for preset in pair]
        figures = [cell for part in parts for cell in (f"{means(part)[0]:.1f}", part.rows[0]["restarts"], all_restarts(part))]
        lines.append([f"`{pair[0]}`", *figures, str(len(also_changed(*pair)) or "none")])
    head = ["preset", "without", "of", "all restarts", "with", "of", "all restarts", "other settings that differ"]
    return markdown_table(head, lines, "lrrrrrrr")


def seeds(runs: Path, published: Path) -> str:
    """Whether another seed - other initial weights, order and noise - gives other errors."""
    found = {
        f"`{preset}`, {size}, seed {seed}": collect(runs, published, size, seed, [preset])[0]
        for preset, size in SEEDED
        for seed in SEEDS
    }
    lines = [
        "Test error in percent of the chosen networks, published bAbI v1.2 text (en), each preset with two seeds: other "
        "initial weights, order and noise, the same questions held out. " + OF_ALL,
        "",
        errors_beside(list(found), list(found.values())),
        "",
    ]
    for name, part in found.items():
        restarts = part.rows[0]["restarts"]
        codes = ", ".join(sorted({row["code"] for row in part.rows}))
        lines.append(f"- {name}: chosen from {restarts}, {part.seconds:,.0f} s of one core; code {codes}.")
    return "\n".join(lines)
