"""Tables that answer one question each; what each is made from is declared beside its paper."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from memnet.errors import NetworkError
from memnet.markdown import bold, decimals, grid, in_order, markdown_table, one_decimal
from memnet.papers import COLUMNS, PRESETS, ours
from memnet.papers.declare import QUESTIONS, SIZES, TASKS, Runs
from memnet.papers.weston2015 import QUESTIONS_PRESET
from memnet.record.published import published_figures, published_questions
from memnet.record.runs import KINDS, Row, labels, read_rows
from memnet.reports.pivot import Networks, failed_row
from memnet.reports.select import columns_of, configs_of, select, with_changes
from memnet.reports.tables import collect, values
from memnet.reports.templates import render
from memnet.tasks.families import fails_above
from memnet.training.spec import setting_changes

FAMILY = "babi"  # whose runs these tables are of
PRINTED_STEPS = "UT w/ dynamic halting, mean over 10 seeds"


def questions(runs: Path, published: Path, preset: str = QUESTIONS_PRESET) -> str:
    """How many training questions a task needs for 95 %, ours beside the paper's (Weston et al. 2015, table 3)."""
    papers = published_questions(published, COLUMNS[preset, FAMILY].published or "")
    rows, most, errors = read_rows(runs), QUESTIONS[FAMILY], dict[int, dict[str, float]]()
    for settings in dict.fromkeys(row["settings"] for row in rows if row["preset"] == preset):
        name, _, number = settings.partition("=")
        if name == "questions" or not name:
            part = Runs((preset,), settings=(settings,) * bool(name))
            errors.setdefault(int(number or most), {}).update(Networks(found).chosen if (found := select(rows, part)) else {})
    numbers = sorted(number for number, found in errors.items() if found)
    if len(numbers) < 2:
        raise NetworkError(
            f"{runs} has no runs of {preset} with fewer questions and {PRESETS[preset].default_restarts} restarts; "
            f"'memnet sweep all --preset {preset} --set questions=100' makes them"
        )
    needed = {}
    for task in {task for found in errors.values() for task in found}:
        there = [number for number in numbers if task in errors[number]]
        enough = [number for number in there if errors[number][task] <= fails_above(FAMILY)]
        needed[task] = str(enough[0]) if enough else "fail" if numbers[-1] in there else f"> {there[-1]}"
    columns = [("needed", needed), ("paper", {task: papers.get(task, "") for task in needed})]
    columns += [(str(number), decimals(errors[number])) for number in numbers]
    return render("questions", preset=preset, table=grid(columns))


def percent(value: str) -> str:
    """A share of a runs file in percent, nothing where there is none."""
    return "" if value == "-" else f"{100 * float(value):.1f}"


def retrieval(runs: Path, presets: Sequence[str] = ours.RETRIEVING) -> str:
    """Whether the chosen networks read the supporting facts of the test questions."""
    rows, columns = read_rows(runs), list[tuple[str, Mapping[str, str]]]()
    for preset in presets:
        chosen = [row for row in select(rows, Runs((preset,))) if row["chosen"] == "1" and row["fact_exact"]]
        for name in ("precision", "recall", "exact") if chosen else ():
            shares = {labels(row)[0]: row[f"fact_{name}"] for row in chosen}
            known = [100 * float(share) for share in shares.values() if share != "-"]
            cells = {task: percent(share) for task, share in shares.items()}
            cells["mean"] = bold(f"{statistics.mean(known):.1f}" if known else "")
            columns.append((f"`{preset}` precision" if name == "precision" else name, cells))
        if chosen:
            hops = {labels(row)[0]: " ".join(percent(hop) or "-" for hop in row["fact_hops"].split("/")) for row in chosen}
            columns.append(("by hop", hops))
    if not columns:
        raise NetworkError(
            f"{runs} has no run of {', '.join(presets)} with its usual restarts and its facts measured; "
            f"'memnet sweep all --preset {presets[0]}' makes them"
        )
    return render("retrieval", table=grid(columns, below=("mean",), align="l" + "rrrl" * (len(columns) // 4)))


def training_steps(runs: Path, published: Path) -> str:
    """Errors after ten and a hundred times as many steps, beside the paper's; of one task also with one thing changed."""
    printed, rows = published_figures(published, PRINTED_STEPS, SIZES[FAMILY], "single").errors, read_rows(runs)
    steps = Runs((ours.STEPS_PRESET,), tasks=ours.STEPS_TASKS, restarts=1)
    found = with_changes(rows, steps, ours.STEPS, "training-steps")
    changed = with_changes(rows, replace(steps, tasks=(ours.UNLEARNED,)), ours.STEPS_CHANGED, "training-steps")
    columns, least = [], "twenty tasks, at least"
    for name in ours.STEPS:
        for kind, head in zip(KINDS, ("training", "validation", "test"), strict=True):
            errors = {task: float(found[name, task][kind]) for task in ours.STEPS_TASKS}
            cells = decimals(errors) | {least: one_decimal(sum(errors.values()) / len(TASKS[FAMILY]))}
            columns.append((f"{name} steps: {head}" if head == "training" else head, cells))
    columns.append(("paper", {task: one_decimal(printed.get(task)) for task in ours.STEPS_TASKS}))
    others = [
        [name, *(one_decimal(float(changed[name, ours.UNLEARNED][kind])) for kind in KINDS)] for name in ours.STEPS_CHANGED
    ]
    return render(
        "training-steps",
        preset=ours.STEPS_PRESET,
        unlearned=ours.UNLEARNED,
        changed=ours.STEPS_CHANGED,
        table=grid(columns, rows=ours.STEPS_TASKS, below=(least,)),
        others=markdown_table(["", "training", "validation", "test"], others),
    )


def side_by_side(names: Sequence[str], parts: Sequence[Networks]) -> str:
    """The test errors of the chosen networks task by task, their mean, of all restarts too, and the tasks that fail."""
    below = ("mean", "mean of all restarts", failed_row(parts[0].family))
    columns = []
    for name, part in zip(names, parts, strict=True):
        ends = (bold(one_decimal(part.mean)), part.all_restarts, str(part.failed))
        columns.append((part.head(name), decimals(part.chosen) | dict(zip(below, ends, strict=True))))
    return grid(columns, below=below)


def pairs_permuted(runs: Path, published: Path) -> list[tuple[list[Networks], list[str]]]:
    """Networks without and with permutation augmentation, and the other settings in which they differ."""
    found = []
    for pair in ours.PERMUTED:
        settings, changed = (vars(PRESETS[name]) for name in pair)
        others = sorted(name for name, value in changed.items() if name != "permute" and value != settings[name])
        found.append(([collect(runs, published, FAMILY, 0, [preset])[0] for preset in pair], others))
    return found


def permutation(runs: Path, published: Path) -> str:
    """Networks that learned with permutation augmentation beside networks that learned without, 1,000 questions."""
    pairs = pairs_permuted(runs, published)
    parts = [part for pair, _ in pairs for part in pair]
    return render("permutation", table=side_by_side([f"`{part.preset}`" for part in parts], parts), pairs=pairs)


def permutation_in_short(runs: Path, published: Path) -> str:
    """The means of :func:`permutation`, a line a network."""
    lines = []
    for pair, others in pairs_permuted(runs, published):
        figures = [cell for part in pair for cell in (one_decimal(part.mean), part.restarts, part.all_restarts)]
        lines.append([f"`{pair[0].preset}`", *figures, str(len(others) or "none")])
    head = ["preset", "without", "restarts", "all restarts", "with", "restarts", "all restarts", "other settings that differ"]
    return markdown_table(head, lines, "lrrrrrrr")


def seeds(runs: Path, published: Path) -> str:
    """Whether another seed - other initial weights, order and noise - gives other errors."""
    found = {
        (preset, family, seed): collect(runs, published, family, seed, [preset])[0]
        for preset, family in ours.SEEDED
        for seed in ours.SEEDS
    }
    names = [f"`{preset}`, {SIZES[family]}, seed {seed}" for preset, family, seed in found]
    codes = [", ".join(values(part.rows, "code")) for part in found.values()]
    each = list(zip(names, found.values(), codes, strict=True))
    return render("seeds", table=side_by_side(names, list(found.values())), each=each)


def attention(runs: Path, preset: str = ours.ATTENTION_PRESET) -> str:
    """Every score and alignment in one network: the network chosen by validation, and all restarts."""
    rows, lines = list[Row](read_rows(runs)), dict[tuple[str, str, str], dict[str, Networks]]()
    for part in ours.ATTENTION.runs:
        [config] = configs_of(replace(part, presets=(preset,))).values()
        settings = dict(pair.split("=", 1) for pair in setting_changes(preset, config).split())
        if networks := select(rows, replace(part, presets=(preset,))):
            line = lines.setdefault(line_of(settings, preset), {})
            line |= {
                task: Networks(only) for task in part.all_tasks if (only := [row for row in networks if labels(row) == [task]])
            }
    if not lines:
        raise NetworkError(f"{runs} has no run of {preset} with null=none and selection=validation; 'memnet sweep' makes them")
    table = []
    for first, found in sorted(lines.items(), key=lambda line: min(rows.index(one.rows[0]) for one in line[1].values())):
        cells = {task: f"{one.mean:.1f} ({one.all_restarts})" for task, one in found.items()}
        mean = ""
        if len(found) == len(ours.ATTENTION_TASKS):
            whole = Networks([row for one in found.values() for row in one.rows])
            mean = f"{bold(one_decimal(whole.mean))} ({whole.all_restarts})"
        table.append([*first, *(cells.get(task, "") for task in ours.ATTENTION_TASKS), mean])
    head = ["score", "alignment", "settings", *ours.ATTENTION_TASKS, "mean"]
    return render("attention", preset=preset, table=markdown_table(head, table, "lll" + "r" * (len(head) - 3)))


def line_of(changed: Mapping[str, str], preset: str) -> tuple[str, str, str]:
    """Score, alignment and other settings of a line of the attention table."""
    settings = {name: str(value) for name, value in vars(PRESETS[preset]).items()} | dict(changed)
    align = settings["align"]
    if align == "hard":
        align = f"hard, {settings['baseline']}"
    elif "window" in changed:
        align += f", window {float(changed['window']):g}"
    rest = " ".join(f"{name}={changed[name]}" for name in ("samples", "softmax_epochs") if name in changed)
    return settings["score"], align, rest


def transfer(runs: Path, preset: str = ours.TRANSFER_PRESET) -> str:
    """Training on simulated stories beside training on published ones, the test set published in both.

    A training set of 1,000 questions is one draw: the published one, other thousands of the
    10,000 published questions, and simulated ones. The difference of the means over sets is held against its standard
    error, from the spread between sets pooled over both kinds.
    """
    rows = read_rows(runs)
    sets = {
        family: Networks(found[0]).every
        for family in (FAMILY, "resampled", "transfer")
        if (found := columns_of(rows, family, 0, [preset]))
    }
    lines = []
    for task in in_order(sets.get(FAMILY, ())):
        first = sets[FAMILY][task]
        others, drawn = (
            [errors for label, errors in sets.get(family, {}).items() if label.partition("@")[0] == task]
            for family in ("resampled", "transfer")
        )
        if len(drawn) < 2 or min(map(len, (first, *drawn))) < 2:
            continue  # a single restart
        published, simulated = ([statistics.mean(errors) for errors in found] for found in ([first, *others], drawn))
        free = len(simulated) + len(published) - 2
        pooled = sum((len(part) - 1) * statistics.variance(part) for part in (simulated, published) if len(part) > 1) / free
        two = 2 * (pooled * (1 / len(simulated) + 1 / len(published))) ** 0.5
        difference = statistics.mean(simulated) - statistics.mean(published)
        lines.append((task, first, [*map(statistics.stdev, drawn)], published, simulated, difference, two))
    if not lines:
        raise NetworkError(f"{runs} has no tasks trained on published and on two simulated sets; 'memnet sweep' makes them")
    outside = [task for task, *_, difference, two in lines if abs(difference) > two]
    return render("transfer", preset=preset, lines=lines, outside=outside, mean=statistics.mean, sd=statistics.stdev)
