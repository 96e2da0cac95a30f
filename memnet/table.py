"""Tables made from ``results/runs.csv`` and ``results/published.csv``: ours beside the papers'."""

from __future__ import annotations

import csv
import hashlib
import io
import statistics
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from memnet.checkpoint import NetworkError
from memnet.config import RULES, model_of, override, parse_settings
from memnet.evaluate import FAILED
from memnet.presets import PRESETS
from memnet.records import read_rows
from memnet.runs import config_hash

PUBLISHED = {  # preset, size -> model, regime in published.csv
    ("bow", "1k"): ("MemN2N BoW 3 hops", "single"),
    ("pe", "1k"): ("MemN2N PE 3 hops", "single"),
    ("pe-ls-rn", "1k"): ("MemN2N PE LS RN 3 hops", "single"),
    ("pe-ls-joint-1hop", "1k"): ("MemN2N 1 hop PE LS joint", "joint"),
    ("pe-ls-joint-2hop", "1k"): ("MemN2N 2 hops PE LS joint", "joint"),
    ("pe-ls-joint", "1k"): ("MemN2N 3 hops PE LS joint", "joint"),
    ("pe-ls-rn-joint", "1k"): ("MemN2N PE LS RN joint 3 hops", "joint"),
    ("pe-ls-lw-joint", "1k"): ("MemN2N PE LS LW joint 3 hops", "joint"),
    ("pe-ls-rn", "10k"): ("MemN2N PE LS RN 3 hops", "single"),
    ("pe-ls-rn-large", "10k"): ("MemN2N best (larger d=100 + ReLU, 'PE LS RN*')", "single"),
    ("pe-ls-rn-joint-10k", "10k"): ("MemN2N PE LS RN joint 3 hops", "joint"),
    ("memnn", "1k"): ("MemNN (Weston 2014)", "single"),
    ("memnn-am", "1k"): ("MemNN AM", "single"),
    ("memnn-am-ng", "1k"): ("MemNN AM+NG", "single"),
    ("memnn-am-nl", "1k"): ("MemNN AM+NL", "single"),
    ("memnn-am-ng-nl", "1k"): ("MemNN AM+NG+NL", "single"),
    ("memnn-am-ng-nl-joint", "1k"): ("MemNN AM+NG+NL multitask", "joint"),
    ("dmn", "1k"): ("DMN", "single"),
    ("dmn-plus-facts", "1k"): ("DMN", "single"),
    ("dmn-plus-facts-exchange", "1k"): ("DMN", "single"),
    ("dmn-plus", "1k"): ("DMN+ (therne re-implementation quoted by QRN)", "single"),
    ("dmn-plus-exchange", "1k"): ("DMN+ (therne re-implementation quoted by QRN)", "single"),
    ("dmn-10k", "10k"): ("DMN", "single"),
    ("dmn-plus-facts-10k", "10k"): ("DMN", "single"),
    ("dmn-plus-10k", "10k"): ("DMN+", "single"),
    ("dmn-plus-exchange-10k", "10k"): ("DMN+", "single"),
    ("transformer", "1k"): ("Transformer", "single"),
    ("transformer-exchange", "1k"): ("Transformer", "single"),
    ("transformer-10k", "10k"): ("Transformer", "single"),
    ("universal", "1k"): ("Universal Transformer (fixed depth)", "single"),
    ("universal-exchange", "1k"): ("Universal Transformer (fixed depth)", "single"),
    ("universal-act-exchange", "1k"): ("UT w/ dynamic halting, mean over 10 seeds", "single"),
    ("universal-10k", "10k"): ("Universal Transformer (fixed depth)", "single"),
    ("universal-exchange-10k", "10k"): ("Universal Transformer (fixed depth)", "single"),
    ("lstm", "1k"): ("LSTM", "single"),
    ("ngram", "1k"): ("N-gram classifier", "single"),
    ("ngram-story", "1k"): ("N-gram classifier", "single"),
}

SIZE_UNSAID = {"DMN": "1k"}  # whose paper does not say how many questions -> where published.csv has it

TABLES = {  # name -> size, presets
    "memn2n-1k": ("1k", ("pe-ls-rn",)),
    "memn2n-rows-1k": ("1k", ("bow", "pe", "pe-ls", "masked")),
    "memn2n-joint-1k": ("1k", ("pe-ls-joint-1hop", "pe-ls-joint-2hop", "pe-ls-joint", "pe-ls-rn-joint", "pe-ls-lw-joint")),
    "memn2n-10k": ("10k", ("pe-ls-rn", "pe-ls-rn-large")),
    "memn2n-facts-1k": ("1k", ("pe-ls-rn", "pe-ls-rn-facts")),
    "memnn-1k": (
        "1k",
        ("memnn", "memnn-am", "memnn-am-ng", "memnn-am-nl", "memnn-am-ng-nl", "memnn-am-ng-nl-age", "memnn-am-ng-nl-joint"),
    ),
    "dmn-1k": ("1k", ("dmn-plus-facts", "dmn-plus-facts-exchange", "dmn-plus", "dmn-plus-exchange")),
    "dmn-steps-1k": ("1k", ("dmn", "odmn", "dmn2", "dmn3")),
    "dmn-10k": ("10k", ("dmn-10k", "dmn-plus-facts-10k", "dmn-plus-10k", "dmn-plus-exchange-10k")),
    "transformer-1k": (
        "1k",
        ("transformer", "universal", "transformer-exchange", "universal-exchange", "universal-act-exchange"),
    ),
    "transformer-10k": ("10k", ("transformer-10k", "universal-10k", "universal-exchange-10k")),
    "lstm-1k": ("1k", ("lstm", "lstm-attention", "lstm-attention-exchange")),
    "baselines-1k": ("1k", ("ngram", "ngram-story", "tfidf-logistic", "tfidf-svm", "frequent")),
}
RESTARTS = {  # of the tables' runs, where they are not as many as usual
    **dict.fromkeys(("pe-ls-rn-large", "memnn-am-ng-nl-joint", "dmn-plus"), 2),
    **dict.fromkeys(
        ("dmn-plus-facts", "dmn-plus-facts-10k", "dmn-plus-10k", "transformer", "transformer-10k", "universal-10k"), 1
    ),
    **dict.fromkeys(("transformer-exchange", "universal-act-exchange", "universal-exchange-10k"), 1),
    **dict.fromkeys(("dmn-plus-exchange", "dmn-plus-facts-exchange", "dmn-plus-exchange-10k", "lstm-attention-exchange"), 1),
    **dict.fromkeys(("lstm", "lstm-attention", "lstm-attention-10k", "memnn-am-ng-nl-10k"), 1),
    **dict.fromkeys(("dmn", "dmn-10k", "odmn", "dmn2", "dmn3"), 1),
}
SIMULATED = ("qa3",)  # whose published text of 10,000 questions was not at hand
ON_SIMULATED: dict[str, tuple[str, ...]] = {  # preset -> what is changed on those, whose stories are the longest by far
    "dmn-plus-10k": ("epochs=15",),
    "dmn-plus-exchange-10k": ("epochs=15",),
    "universal-10k": ("epochs=15",),
    "universal-exchange-10k": (),
}


EXCHANGES = " Presets with `exchange` in their name learned with words exchanged, the papers' networks without."


class Column(NamedTuple):
    """A preset's results on the twenty tasks."""

    name: str
    chosen: dict[int, float]  # test error of the chosen network of each task
    every: dict[int, list[float]]  # of all restarts
    published: dict[int, float]
    published_mean: float | None
    rows: list[dict[str, str]]
    seconds: float


def published_errors(path: Path, model: str, size: str, regime: str) -> tuple[dict[int, float], float | None]:
    """A paper's test error per task, and the mean that it prints."""
    errors, mean = {}, None
    try:
        with open(path, newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                if (row["model"], row["train_size"], row["regime"]) != (model, size, regime):
                    continue
                if row["metric"] not in ("error", "accuracy"):
                    continue
                error = float(row["value"]) if row["metric"] == "error" else 100 - float(row["value"])
                if row["task"] == "mean":
                    mean = error
                else:
                    errors[int(row["task"])] = error
    except FileNotFoundError as error:
        raise NetworkError(f"{path} is missing: it holds the papers' figures; run this in a checkout, or name it") from error
    except (KeyError, ValueError, csv.Error) as error:
        raise NetworkError(f"{path} is not the papers' figures: {type(error).__name__} {error}") from error
    return errors, mean


def column(runs: Sequence[dict[str, str]], published: Path, preset: str, size: str) -> Column:
    """One preset's column from rows of one size, seed, regime and number of restarts."""
    chosen: dict[int, float] = {}
    every: dict[int, list[float]] = {}
    count: dict[str, int] = {}
    for row in runs:
        count[row["tasks"]] = count.get(row["tasks"], 0) + 1
        errors = row["test_error"].split()  # none where the network was stopped
        for task, error in zip(row["tasks"].split(), errors, strict=bool(errors)):
            number = int(task.removeprefix("qa"))
            every.setdefault(number, []).append(float(error))
            if row["chosen"] == "1":
                chosen[number] = float(error)
    for tasks, rows in count.items():
        if rows != int(runs[0]["restarts"]):
            raise NetworkError(f"{preset}, {tasks}: expected {runs[0]['restarts']} rows, one a restart, found {rows}")
    if runs[0]["selection"] not in RULES or not chosen:
        raise NetworkError(f"{preset}: no row is chosen by a rule that is known ({', '.join(RULES)})")
    regime = regime_of(runs[0])
    theirs: dict[int, float] = {}
    mean = None
    if PUBLISHED.get((preset, size), ("", ""))[1] == regime:
        model = PUBLISHED[preset, size][0]
        theirs, mean = published_errors(published, model, SIZE_UNSAID.get(model, size), regime)
    return Column(preset, chosen, every, theirs, mean, list(runs), sum(float(row["seconds"]) for row in runs))


def regime_of(row: dict[str, str]) -> str:
    """Whether a network learned one task or several."""
    return "joint" if len(row["tasks"].split()) > 1 else "single"


def columns(
    runs: Path, published: Path, size: str, seed: int, presets: Sequence[str] | None, none: bool = False
) -> list[Column]:
    """A column for every preset, regime and number of restarts that has runs on the published English text.

    Only runs with the preset as it stands, no setting changed; joint runs of different sets of tasks stay apart. Of
    ``presets`` that are named, runs of some tasks with other restarts than those of more tasks have no column. That there is no
    run is an error, unless ``none`` allows it.
    """
    found = [
        row
        for row in read_rows(runs)
        if (row["size"], row["seed"], row["source"], row["variant"], row["settings"])
        == (size, str(seed), "published", "en", "")
    ]
    result = []
    for preset, config in PRESETS.items():
        if presets and preset not in presets:
            continue
        groups: dict[tuple[str, str], list[dict[str, str]]] = {}
        for row in found:
            if row["preset"] == preset and row["config"] == config_hash(config):
                tasks = row["tasks"] if regime_of(row) == "joint" else ""
                groups.setdefault((tasks, row["restarts"]), []).append(row)
        told = {key: {row["tasks"] for row in group} for key, group in groups.items()}
        alone = [tasks for (joint, _), tasks in told.items() if not joint]
        less = {key for key, tasks in told.items() if presets and not key[0] and any(tasks < more for more in alone)}
        whole = [group for key, group in groups.items() if key not in less]
        try:
            result += [column(group, published, preset, size) for group in whole]
        except ValueError as error:
            if isinstance(error, NetworkError):
                raise
            raise NetworkError(f"{runs}: a row of {preset} is not as it was written: {error}") from error
    if not result and not none:
        what = f" of {', '.join(presets)}" if presets else ""
        raise NetworkError(f"{runs} has no run{what} on the published {size} text with seed {seed}; 'memnet sweep' makes them")
    return result


def summary(runs: Path, published: Path, seed: int = 0) -> str:
    """Every result table's columns in a line each: mean error and failed tasks, ours and the papers'."""
    lines = [
        "Mean test error in percent over the tasks, published bAbI v1.2 text (en): of the networks chosen by the rule; of all "
        "restarts, ± their standard deviation, the mean over tasks, where there are several; and the paper's over the same "
        "tasks. In brackets the failed tasks (error above 5 %)." + EXCHANGES,
        "",
        "| preset | questions | networks | ours | all restarts | paper |",
        "| --- | --- | --- | ---: | ---: | ---: |",
    ]
    shown: set[tuple[str, str]] = set()
    for size, presets in TABLES.values():
        new = [preset for preset in presets if (preset, size) not in shown]
        if not new:
            continue
        shown.update((preset, size) for preset in new)
        for part in columns(runs, published, size, seed, new, True):
            ours, every, theirs = means(part)
            joint = regime_of(part.rows[0]) == "joint"
            tasks, restarts = len(part.chosen), part.rows[0]["restarts"]
            networks = f"1 for {tasks} tasks" if joint else f"{tasks}, one a task"
            failed = sum(error > FAILED for error in part.chosen.values())
            paper = number(theirs)
            if part.published and theirs is not None:
                paper += f" ({sum(part.published[task] > FAILED for task in part.chosen)})"
            networks += f", chosen from {restarts}" if int(restarts) > 1 else ""
            over_all = number(every)
            if int(restarts) > 1:
                over_all += f" ± {statistics.mean(statistics.pstdev(errors) for errors in part.every.values()):.1f}"
            lines.append(f"| `{part.name}` | {size} | {networks} | {number(ours)} ({failed}) | {over_all} | {paper} |")
    return "\n".join(lines)


def means(part: Column) -> tuple[float, float, float | None]:
    """Of the chosen networks, of all restarts, and of the paper over the same tasks."""
    same = [part.published[task] for task in part.chosen if task in part.published]
    every = statistics.mean([statistics.mean(errors) for errors in part.every.values()])
    return statistics.mean(part.chosen.values()), every, statistics.mean(same) if same else part.published_mean


def number(value: float | None) -> str:
    """One decimal, or nothing."""
    return "" if value is None else f"{value:.1f}"


def spread(errors: Sequence[float]) -> str:
    """Mean and standard deviation, which one restart has none of, or nothing."""
    if len(errors) < 2:
        return number(errors[0] if errors else None)
    return f"{statistics.mean(errors):.1f} ± {statistics.pstdev(errors):.1f}"


def beside(part: Column, ours: float | None, every: str, paper: float | None) -> list[str]:
    """A column's cells of one line: the chosen network, all restarts, and where there is one the paper and the difference."""
    if not (part.published or part.published_mean):
        return [number(ours), every]
    difference = "" if ours is None or paper is None else f"{ours - paper:+.1f}"
    return [number(ours), every, number(paper), difference]


def render(runs: Path, published: Path, size: str, seed: int, presets: Sequence[str] | None = None) -> str:
    """Test error in percent per task as a Markdown table, with the protocol below it."""
    parts = columns(runs, published, size, seed, presets)
    tasks = sorted({task for part in parts for task in part.chosen})
    head = ["task"]
    for part in parts:
        joint = ", joint" if regime_of(part.rows[0]) == "joint" and "joint" not in part.name else ""
        head += [part.name + joint, "all restarts", *(["paper", "difference"] if part.published or part.published_mean else [])]
    lines = [
        f"Test error in percent, published bAbI v1.2 text (en, {size}), seed {seed}: the chosen network, the mean and the "
        "standard deviation over all restarts, the paper, and by how much the chosen network errs more (+) or less than it."
        + (EXCHANGES if any(PRESETS[part.name].exchange for part in parts) else ""),
        "",
        "| " + " | ".join(head) + " |",
        "| --- |" + " ---: |" * (len(head) - 1),
    ]

    def add(label: str, cells: Iterable[list[str]]) -> None:
        lines.append("| " + " | ".join([label, *(cell for part in cells for cell in part)]) + " |")

    for task in tasks:
        add(
            f"qa{task}",
            (beside(part, part.chosen.get(task), spread(part.every.get(task, [])), part.published.get(task)) for part in parts),
        )
    averages, fails = [], []
    for part in parts:
        ours, over_all, paper = means(part)
        averages.append(
            [f"**{cell}**" if place == 0 else cell for place, cell in enumerate(beside(part, ours, number(over_all), paper))]
        )
        failed = sum(error > FAILED for error in part.chosen.values())
        same = [part.published[task] for task in part.chosen if task in part.published]
        theirs = str(sum(error > FAILED for error in same)) if same else ""
        fails.append([str(failed), "", theirs, ""][: len(averages[-1])])
    add("mean", averages)
    add("failed (> 5 %)", fails)
    lines.append("")
    for part in parts:
        lines.append(protocol(part))
        lines += on_simulated(runs, published, part, size, seed)
    return "\n".join(lines)


def on_simulated(runs: Path, published: Path, part: Column, size: str, seed: int) -> list[str]:
    """What a column's preset did on simulated stories of the tasks of :data:`SIMULATED`, a line each; never in the table."""
    if part.name not in ON_SIMULATED:
        return []
    lines, changes = [], ON_SIMULATED[part.name]
    config = override(PRESETS[part.name], parse_settings(changes, type(PRESETS[part.name])))
    changed = f", with {', '.join(changes)}" if changes else ""
    for task in SIMULATED:
        key = (part.name, config_hash(config), task, size, str(seed), "simulated", " ".join(changes), part.rows[0]["restarts"])
        names = ("preset", "config", "tasks", "size", "seed", "source", "settings", "restarts")
        sets: dict[str, list[dict[str, str]]] = {}  # by the stories
        for row in read_rows(runs):
            if tuple(row[name] for name in names) == key:
                sets.setdefault(row["data"], []).append(row)
        for rows in sets.values():
            its = column(rows, published, part.name, size)._replace(published={}, published_mean=None)
            number_of = int(task.removeprefix("qa"))
            lines.append(
                f"- `{part.name}` on **simulated** stories of {task}, whose published {size} text was not at hand (not in the "
                f"table, the mean or the failed tasks){changed}: {its.chosen[number_of]:.1f} % of simulated test questions, "
                f"all restarts {spread(its.every[number_of])}; " + protocol(its).removeprefix(f"- `{part.name}`: ")
            )
    return lines


def render_csv(runs: Path, published: Path, size: str, seed: int, presets: Sequence[str] | None = None) -> str:
    """The numbers of :func:`render`, a line a preset and task."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["preset", "regime", "restarts", "size", "task", "chosen", "mean", "sd", "paper", "difference"])
    for part in columns(runs, published, size, seed, presets):
        first = part.rows[0]
        for task, error in sorted(part.chosen.items()):
            every, paper = part.every[task], part.published.get(task)
            deviation = f"{statistics.pstdev(every):.4g}" if len(every) > 1 else ""
            ours = [f"{error:g}", f"{statistics.mean(every):.4g}", deviation]
            theirs = ["", ""] if paper is None else [f"{paper:g}", f"{error - paper:.4g}"]
            writer.writerow([part.name, regime_of(first), first["restarts"], size, f"qa{task}", *ours, *theirs])
    return text.getvalue()


def cells(markdown: str) -> str:
    """The lines of Markdown tables as CSV, an empty line between two tables."""
    blocks = [[line for line in block.splitlines() if line.startswith("| ")] for block in markdown.split("\n\n")]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for number_of, (head, _, *lines) in enumerate(block for block in blocks if len(block) > 1):
        text.write("\n" if number_of else "")
        for line in (head, *lines):
            writer.writerow(cell.strip() for cell in line[2:-2].replace("`", "").replace("**", "").split(" | "))
    return text.getvalue()


def protocol(part: Column) -> str:
    """How a column came to be, in one line."""
    first = part.rows[0]
    rule = RULES[first["selection"]]
    count = len(part.chosen)
    scope = "one network for all tasks" if regime_of(first) == "joint" else "one network a task"
    codes = sorted({row["code"] for row in part.rows})
    printed = "" if part.published_mean is None else f" The paper prints a mean of {part.published_mean:g}."
    if PUBLISHED.get((part.name, first["size"]), ("",))[0] in SIZE_UNSAID:
        printed += " It does not say how many questions that was learned from."
    config = PRESETS[part.name]
    fewest, most = (pick(int(row["epochs"]) for row in part.rows) for pick in (min, max))
    epochs = f"{most} epochs" if fewest == most else f"{fewest} to {most} epochs"
    epochs += " after the linear start" if config.linear_epochs else ""
    count_of = f"{first['restarts']} restarts, chosen by the lowest {rule} error" if first["restarts"] != "1" else "one restart"
    trained = f"{count_of}; {epochs}" + (", words exchanged" if config.exchange else "")
    if model_of(config) == "baseline":
        trained = "fitted once"
    data = hashlib.sha256("\n".join(sorted({row["data"] for row in part.rows})).encode()).hexdigest()[:12]
    made = [f"{name} {', '.join(sorted({row[name] for row in part.rows}))}" for name in ("torch", "numpy", "python")]
    machines = sorted({row["machine"] for row in part.rows} - {""})
    made += [f"on {', '.join(machines)}"] if machines else []
    return (
        f"- `{part.name}`: {scope}, {count} task(s), {trained}, seed {first['seed']}; {first['source']} data {data}; "
        f"{part.seconds:,.0f} s of one core; {', '.join(made)}, code {', '.join(codes)}.{printed}{alike(part)}"
    )


def alike(part: Column) -> str:
    """How alike the heads of each layer of the chosen networks read, in a sentence; nothing where there are no heads."""
    cells = [row["heads_alike"] for row in part.rows if row["chosen"] == "1"]
    found = [[float(value) for value in cell.split("/")] for cell in cells if cell not in ("", "-")]
    if not found:
        return ""
    layers = ", ".join(f"{statistics.mean(values):.2f}" for values in zip(*found, strict=True))
    lowest, highest = min(map(min, found)), max(map(max, found))
    return (
        f" Heads of a layer read alike by {layers} (layer by layer, the last reading last: the mean cosine between two heads' "
        f"weights for the question, mean over tasks; {lowest:.2f} to {highest:.2f})."
    )
