"""Tables that answer one question each: does a simulated story teach as much, how many questions does a task need, ...

Made from ``results/runs.csv`` and ``results/published.csv``, as the tables of the networks in :mod:`memnet.table`.
"""

from __future__ import annotations

import csv
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from memnet.checkpoint import NetworkError
from memnet.config import MemN2NConfig, Training, TransformerConfig, override, parse_settings
from memnet.evaluate import FAILED
from memnet.presets import PRESETS
from memnet.records import read_rows
from memnet.runs import config_hash
from memnet.table import PUBLISHED, columns, number, published_errors, regime_of

SUPERVISED = "memnn-am-ng-nl"  # whose training questions are counted
RETRIEVAL = ("pe-ls-rn", "pe-ls-rn-facts", "memnn-am-ng-nl")
EXCHANGED = (  # presets without and with words exchanged
    ("pe-ls-rn", "pe-ls-rn-exchange"),
    ("dmn-plus", "dmn-plus-exchange"),
    ("dmn-plus-facts", "dmn-plus-facts-exchange"),
    ("lstm-attention", "lstm-attention-exchange"),
    ("transformer", "transformer-exchange"),
    ("universal", "universal-exchange"),
)
ATTENTION_TASKS = ("qa1", "qa2", "qa4", "qa6", "qa9", "qa12", "qa14", "qa15", "qa20")
PLAIN = {"null": "none", "selection": "validation"}  # the settings all rows of the attention table share


def transfer(runs: Path, preset: str = "pe-ls-rn") -> str:
    """Training on simulated stories beside training on published ones, the test set published in both.

    A training set of 1,000 questions is one draw: the published one, other thousands of the published
    10k text, and simulated ones. The difference of the means over sets is held against its standard
    error, from the spread between sets pooled over both kinds.
    """
    drawn: dict[int, dict[str, dict[str, list[float]]]] = {}  # task -> kind -> set -> errors of its restarts
    kinds = {"published": "published", "resampled": "published", "transfer": "simulated"}
    for row in read_rows(runs):
        same = (row["preset"], row["size"], row["variant"], row["settings"], row["seed"]) == (preset, "1k", "en", "", "0")
        if same and row["source"] in kinds and regime_of(row) == "single" and row["test_error"]:
            number = int(row["tasks"].removeprefix("qa"))
            sets = drawn.setdefault(number, {}).setdefault(kinds[row["source"]], {})
            sets.setdefault(f"{row['source']} {row['data']}", []).append(float(row["test_error"]))
    lines = [
        f"Test error in percent on the published test set (bAbI v1.2, en, 1k, `{preset}`, ten restarts a set) of networks "
        "trained on 1,000 published or on 1,000 simulated questions.",
        "",
        "| task | published 1,000: mean ± sd of restarts | published sets | their mean | simulated sets | their mean ± sd "
        "of restarts | difference | two standard errors |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    outside, total = [], 0
    for task, found in sorted(drawn.items()):
        if not {"published", "simulated"} <= found.keys() or len(found["simulated"]) < 2:
            continue
        ours, theirs = ([statistics.mean(errors) for errors in found[kind].values()] for kind in ("simulated", "published"))
        first = next(errors for name, errors in found["published"].items() if name.startswith("published"))
        free = len(ours) + len(theirs) - 2
        pooled = sum((len(part) - 1) * statistics.variance(part) for part in (ours, theirs) if len(part) > 1) / free
        two = 2 * (pooled * (1 / len(ours) + 1 / len(theirs))) ** 0.5
        difference = statistics.mean(ours) - statistics.mean(theirs)
        restarts = statistics.mean(statistics.pstdev(errors) for errors in found["simulated"].values())
        total += 1
        if abs(difference) > two:
            outside.append(f"qa{task}")
        lines.append(
            f"| qa{task} | {statistics.mean(first):.1f} ± {statistics.pstdev(first):.1f} | {len(theirs)} "
            f"({min(theirs):.1f} to {max(theirs):.1f}) | {statistics.mean(theirs):.1f} "
            f"| {', '.join(f'{one:.1f}' for one in ours)} | {statistics.mean(ours):.1f} ± {restarts:.1f} "
            f"| {difference:+.1f} | {two:.1f} |"
        )
    if not total:
        raise NetworkError(f"{runs} has no tasks trained on published and on two simulated sets; 'memnet sweep' makes them")
    lines += [
        "",
        f"{total - len(outside)} of {total} differences are within two standard errors"
        + (f"; not {', '.join(outside)}." if outside else ".")
        + " The published sets are the published 1,000 training questions and other thousands of the 10k text (task 3: the "
        "first alone, its 10k text was not at hand).",
    ]
    return "\n".join(lines)


def current(row: dict[str, str], config: Training) -> bool:
    """Whether a run had this configuration and as many restarts as is usual for it."""
    return (row["config"], row["restarts"]) == (config_hash(config), str(config.default_restarts))


def questions(runs: Path, published: Path, preset: str = SUPERVISED) -> str:
    """How many training questions a task needs for 95 %, ours beside the paper's (Weston et al. 2015, table 3)."""
    theirs: dict[int, str] = {}
    published_errors(published, *PUBLISHED[preset, "1k"][:1], "1k", "single")  # says where the file is missing or another
    with open(published, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if (row["model"], row["metric"]) == (PUBLISHED[preset, "1k"][0], "n_examples_for_95"):
                theirs[int(row["task"])] = row["value"].lower()
    errors: dict[int, dict[int, float]] = {}
    for row in read_rows(runs):
        own = (row["preset"], row["size"], row["variant"], row["source"], row["seed"]) == (preset, "1k", "en", "published", "0")
        changed = dict(pair.split("=", 1) for pair in row["settings"].split())
        if own and row["chosen"] == "1" and not changed.keys() - {"questions"} and regime_of(row) == "single":
            number = int(changed.get("questions", 1000))
            if not current(row, replace(PRESETS[preset], questions=int(changed.get("questions", 0)))):
                continue
            errors.setdefault(int(row["tasks"].removeprefix("qa")), {})[number] = float(row["test_error"])
    numbers = sorted({number for found in errors.values() for number in found})
    if len(numbers) < 2:
        raise NetworkError(
            f"{runs} has no runs of {preset} with fewer questions and {PRESETS[preset].default_restarts} restarts; "
            f"'memnet sweep all --preset {preset} --set questions=100' makes them"
        )
    lines = [
        f"Training questions that a task needs for 95 % of the test questions, published bAbI v1.2 text (en), `{preset}`; the "
        "test error in percent after the first so many questions, a tenth of them held out to choose the restart.",
        "",
        "| task | needed | paper | " + " | ".join(map(str, numbers)) + " |",
        "| --- | ---: | ---: |" + " ---: |" * len(numbers),
    ]
    for task, found in sorted(errors.items()):
        enough = [number for number in numbers if found.get(number, 100.0) <= FAILED]
        cells = " | ".join(f"{found[number]:.1f}" if number in found else "" for number in numbers)
        needed = str(enough[0]) if enough else "fail" if numbers[-1] in found else f"> {max(found)}"
        lines.append(f"| qa{task} | {needed} | {theirs.get(task, '')} | {cells} |")
    return "\n".join(lines)


def retrieval(runs: Path, presets: Sequence[str] = RETRIEVAL) -> str:
    """Whether the chosen networks read the supporting facts of the test questions."""
    found: dict[int, dict[str, dict[str, str]]] = {}
    for row in read_rows(runs):
        same = (row["size"], row["variant"], row["source"], row["seed"], row["settings"]) == ("1k", "en", "published", "0", "")
        if same and row["preset"] in presets and row["chosen"] == "1" and row["fact_exact"] and regime_of(row) == "single":
            if not current(row, PRESETS[row["preset"]]):
                continue
            found.setdefault(int(row["tasks"].removeprefix("qa")), {})[row["preset"]] = row
    shown = [preset for preset in presets if any(preset in rows for rows in found.values())]
    if not shown:
        raise NetworkError(
            f"{runs} has no run of {', '.join(presets)} with its usual restarts and its facts measured; "
            f"'memnet sweep all --preset {presets[0]}' makes them"
        )
    lines = [
        "Supporting facts read by the chosen networks on the test questions, published bAbI v1.2 text (en, 1k), in percent: of "
        "the sentences read the share that are facts (precision), of the facts the share read (recall), questions where both "
        "sets are the same (exact), and for each hop, where it read a sentence, how often that is a fact.",
        "",
        "| task | " + " | ".join(f"`{preset}` precision | recall | exact | by hop" for preset in shown) + " |",
        "| --- |" + " ---: | ---: | ---: | --- |" * len(shown),
    ]

    def percent(value: str) -> str:
        return "" if value == "-" else f"{100 * float(value):.1f}"

    sums: dict[str, list[list[float]]] = {preset: [[], [], []] for preset in shown}
    for task, rows in sorted(found.items()):
        cells: list[str] = []
        for preset in shown:
            if preset not in rows:
                cells += [""] * 4
                continue
            one = rows[preset]
            values = [one[f"fact_{name}"] for name in ("precision", "recall", "exact")]
            for total, value in zip(sums[preset], values, strict=True):
                total += [] if value == "-" else [100 * float(value)]
            cells += [*map(percent, values), " ".join(percent(hop) or "-" for hop in one["fact_hops"].split("/"))]
        lines.append(f"| qa{task} | " + " | ".join(cells) + " |")
    means = [
        cell
        for preset in shown
        for cell in (*(f"**{statistics.mean(part):.1f}**" if part else "" for part in sums[preset]), "")
    ]
    return "\n".join([*lines, "| mean | " + " | ".join(means) + " |"])


def exchange(runs: Path, published: Path) -> str:
    """Networks that learned with words exchanged beside networks that learned without, 1,000 questions."""
    parts = [columns(runs, published, "1k", 0, [preset])[0] for pair in EXCHANGED for preset in pair]
    others = [
        sorted(
            name for name, value in vars(PRESETS[after]).items() if name != "exchange" and value != vars(PRESETS[before])[name]
        )
        for before, after in EXCHANGED
    ]
    lines = [
        "Test error in percent of the chosen networks, published bAbI v1.2 text (en, 1k): without and with words that the "
        "training stories use alike exchanged at every step.",
        "",
        "| task | " + " | ".join(f"`{part.name}`" for part in parts) + " |",
        "| --- |" + " ---: |" * len(parts),
    ]
    for task in sorted(set().union(*(part.chosen for part in parts))):
        lines.append(f"| qa{task} | " + " | ".join(number(part.chosen.get(task)) for part in parts) + " |")
    lines.append("| mean | " + " | ".join(f"**{statistics.mean(part.chosen.values()):.1f}**" for part in parts) + " |")
    failed = (str(sum(error > FAILED for error in part.chosen.values())) for part in parts)
    lines += ["| failed (> 5 %) | " + " | ".join(failed) + " |", ""]
    for (before, after), names in zip(EXCHANGED, others, strict=True):
        besides = f"{', '.join(names)} differ too" if names else "nothing else differs"
        restarts = " and ".join(part.rows[0]["restarts"] for part in parts if part.name in (before, after))
        lines.append(f"- `{before}`, `{after}`: chosen from {restarts}; {besides}.")
    return "\n".join(lines)


SEEDED = (
    ("dmn-plus", "1k"),
    ("dmn-plus-exchange", "1k"),
    ("dmn-plus-facts-exchange", "1k"),
    ("dmn-plus-exchange-10k", "10k"),
)
SEEDS = (0, 1)


def seeds(runs: Path, published: Path) -> str:
    """Whether another seed - other initial weights, order and noise - gives other errors."""
    found = [
        (f"`{preset}`, {size}, seed {seed}", columns(runs, published, size, seed, [preset])[0])
        for preset, size in SEEDED
        for seed in SEEDS
    ]
    lines = [
        "Test error in percent of the chosen networks, published bAbI v1.2 text (en), each preset with two seeds: other "
        "initial weights, order and noise, the same questions held out.",
        "",
        "| task | " + " | ".join(name for name, _ in found) + " |",
        "| --- |" + " ---: |" * len(found),
    ]
    for task in sorted({task for _, part in found for task in part.chosen}):
        lines.append(f"| qa{task} | " + " | ".join(number(part.chosen.get(task)) for _, part in found) + " |")
    mean = (f"**{number(statistics.mean(part.chosen.values()))}**" for _, part in found)
    failed = (str(sum(error > FAILED for error in part.chosen.values())) for _, part in found)
    lines += ["| mean | " + " | ".join(mean) + " |", "| failed (> 5 %) | " + " | ".join(failed) + " |", ""]
    for name, part in found:
        restarts = part.rows[0]["restarts"]
        codes = ", ".join(sorted({row["code"] for row in part.rows}))
        lines.append(f"- {name}: chosen from {restarts}, {part.seconds:,.0f} s of one core; code {codes}.")
    return "\n".join(lines)


LEFT = (("universal", "1k"), ("universal-exchange", "1k"), ("universal-exchange-10k", "10k"))
LEFT_TASKS = ("qa3", "qa16", "qa17")  # that fail, and are trained again with one thing changed
LEFT_CHANGES = {  # column -> what is changed
    "one restart": (),
    "facts taught": ("supervision=facts",),
    "none exchanged": ("exchange=false",),
    "no dropout": ("dropout=0",),
}


def left(runs: Path, published: Path) -> str:
    """What a network does not learn from 1,000 questions, task by task, and what that lacks: more questions, or more."""
    plain, few, many = (
        {int(row["tasks"].removeprefix("qa")): row for row in part.rows if row["chosen"] == "1"}
        for part in (columns(runs, published, size, 0, [preset])[0] for preset, size in LEFT)
    )
    (without, _), (preset, _), (more, _) = LEFT
    theirs, _ = published_errors(published, "UT w/ dynamic halting, mean over 10 seeds", "1k", "single")
    lines = [
        f"What `{preset}` does not learn from 1,000 questions, published bAbI v1.2 text (en): errors in percent of the chosen "
        "network on the questions that it learned from, on those held out, and on the test questions; how often the "
        f"supporting facts are among the sentences read; the test errors of `{without}`, which exchanges no words, and of "
        f"`{more}`, with 10,000 questions, both with other settings too; and the paper's mean over ten seeds from 1,000 (with "
        "adaptive halting; of a fixed depth it prints no tasks).",
        "",
        "| task | training | held out | test | facts read | test, none exchanged | test, 10k | paper, 1k | what is left |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |",
    ]
    for task, row in sorted(few.items()):
        errors = {name: float(row[f"{name}_error"]) for name in ("train", "validation", "test")}
        other, later = (float(part[task]["test_error"]) if task in part else None for part in (plain, many))
        facts = "" if row["fact_recall"] in ("", "-") else f"{100 * float(row['fact_recall']):.0f} %"
        cells = [f"{errors[name]:.1f}" for name in ("train", "validation", "test")]
        cells += [facts, number(other), number(later), number(theirs.get(task))]
        lines.append(f"| qa{task} | {' | '.join(cells)} | {what_is_left(errors['train'], errors['test'], later)} |")
    lines += [
        "",
        "The tasks that fail, with one thing changed, one restart: errors in percent on the questions that the network learned "
        "from and on the test questions, and how often the supporting facts are among the sentences read.",
        "",
        "| task | " + " | ".join(LEFT_CHANGES) + " |",
        "| --- |" + " ---: |" * len(LEFT_CHANGES),
    ]
    wanted = {config_hash(override(PRESETS[preset], changed(settings))): name for name, settings in LEFT_CHANGES.items()}
    again = {(row["tasks"], wanted[row["config"]]): row for row in single(runs, preset) if row["config"] in wanted}
    for name in LEFT_TASKS:
        cells = []
        for change in LEFT_CHANGES:
            row = again.get((name, change), {})
            read = f", {100 * float(row['fact_recall']):.0f} %" if row else ""
            cells.append(f"{float(row['train_error']):.1f}, {float(row['test_error']):.1f}{read}" if row else "")
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def changed(settings: Sequence[str]) -> dict[str, object]:
    """Settings as ``--set`` takes them, of the Universal Transformer."""
    return parse_settings(settings, TransformerConfig)


def single(runs: Path, preset: str) -> Iterator[dict[str, str]]:
    """A preset's runs of one restart on the published 1,000 questions, whatever its settings."""
    own = {"preset": preset, "size": "1k", "variant": "en", "source": "published", "seed": "0", "restarts": "1"}
    return (row for row in read_rows(runs) if own.items() <= row.items())


def what_is_left(training: float, test: float, later: float | None) -> str:
    """Why a task fails, as far as three errors in percent tell: of training, of the test, and from ten times the questions."""
    if test <= FAILED:
        return "nothing: learned"
    cause = "learned by heart: it errs at most half as often on what it learned from" if training <= test / 2 else "not found"
    if later is None:
        return cause
    return f"{cause}; with 10,000 questions " + ("learned" if later <= FAILED else "too it is left")


def attention(runs: Path, preset: str = "pe-ls-rn") -> str:
    """Scores and alignments beside each other: the network chosen by validation, and all restarts."""
    config = {name: str(value) for name, value in vars(PRESETS[preset]).items()}
    found: dict[tuple[str, str, str], dict[str, list[dict[str, str]]]] = {}
    for row in read_rows(runs):
        settings = dict(pair.split("=", 1) for pair in row["settings"].split())
        own = {name: value for name, value in settings.items() if name not in PLAIN}
        if (row["preset"], row["size"], row["variant"], row["source"], row["seed"]) != (preset, "1k", "en", "published", "0"):
            continue
        if not current(row, override(PRESETS[preset], parse_settings(row["settings"].split(), MemN2NConfig))):
            continue
        if not PLAIN.items() <= settings.items() or not own.keys() <= {
            "score",
            "align",
            "window",
            "samples",
            "baseline",
            "warm_start",
        }:
            continue
        align = own.get("align", config["align"])
        if align == "hard":
            align = f"hard, {own.get('baseline', config['baseline'])}"
        elif "window" in own:
            align += f", window {float(own['window']):g}"
        rest = " ".join(f"{name}={own[name]}" for name in ("samples", "warm_start") if name in own)
        found.setdefault((own.get("score", config["score"]), align, rest), {}).setdefault(row["tasks"], []).append(row)
    lines = [
        f"Test error in percent, published bAbI v1.2 text (en, 1k), `{preset}` with padding masked and nothing else to read "
        "(null=none): the restart of ten with the lowest validation error, and in brackets mean and standard deviation of all.",
        "",
        "| score | alignment | settings | " + " | ".join(ATTENTION_TASKS) + " | mean |",
        "| --- | --- | --- |" + " ---: |" * (len(ATTENTION_TASKS) + 1),
    ]
    for (score, align, rest), tasks in found.items():
        cells, chosen = [], []
        for task in ATTENTION_TASKS:
            errors = [float(row["test_error"]) for row in tasks.get(task, []) if row["test_error"]]
            best = [float(row["test_error"]) for row in tasks.get(task, []) if row["chosen"] == "1"]
            chosen += best
            cells.append(f"{best[0]:.1f} ({statistics.mean(errors):.1f} ± {statistics.pstdev(errors):.1f})" if best else "")
        mean = f"**{statistics.mean(chosen):.1f}**" if len(chosen) == len(ATTENTION_TASKS) else ""
        lines.append(f"| {score} | {align} | {rest} | " + " | ".join(cells) + f" | {mean} |")
    if not found:
        raise NetworkError(f"{runs} has no run of {preset} with null=none and selection=validation; 'memnet sweep' makes them")
    return "\n".join(lines)
