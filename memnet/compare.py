"""The models beside each other: what they cost, and how they fare as the memory grows. Measured, not asserted."""

from __future__ import annotations

import csv
import io
import multiprocessing
import statistics
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import NamedTuple

import torch

from memnet.answer import Answerer
from memnet.bench import peak
from memnet.checkpoint import NetworkError, load_network
from memnet.config import Training
from memnet.evaluate import FAILED
from memnet.records import read_rows
from memnet.runs import execute, opened, specify
from memnet.table import columns, means, protocol
from memnet.tasks.published import Task
from memnet.tasks.simulator import distracted, simulate, simulated_task
from memnet.tasks.text import Story
from memnet.tasks.world import Dials
from memnet.train import DataSet

SIZES = ("1k", "10k")
COMPARED = {  # name -> its presets by the size of the training data
    "MemNN": {"1k": "memnn-am-ng-nl", "10k": "memnn-am-ng-nl-10k"},
    "MemN2N": {"1k": "pe-ls-rn", "10k": "pe-ls-rn"},
    "MemN2N, words exchanged": {"1k": "pe-ls-rn-exchange"},
    "DMN+": {"1k": "dmn-plus", "10k": "dmn-plus-10k"},
    "DMN+, words exchanged": {"1k": "dmn-plus-exchange", "10k": "dmn-plus-exchange-10k"},
    "LSTM with attention": {"1k": "lstm-attention", "10k": "lstm-attention-10k"},
    "LSTM with attention, words exchanged": {"1k": "lstm-attention-exchange"},
    "Transformer": {"1k": "transformer", "10k": "transformer-10k"},
    "Transformer, words exchanged": {"1k": "transformer-exchange"},
    "Universal Transformer": {"1k": "universal", "10k": "universal-10k"},
    "Universal Transformer, words exchanged": {"1k": "universal-exchange", "10k": "universal-exchange-10k"},
}
IDLE = 5  # distractors in a training story


class Cost(NamedTuple):
    """Of a network for task 2: its parameters, and milliseconds an answer, the median over test questions asked one by one."""

    preset: str
    parameters: int
    milliseconds: float


class Grown(NamedTuple):
    """Of questions about stories of so many statements: percent of wrong answers, ms an answer, the process's peak in MiB."""

    preset: str
    statements: int
    questions: int
    error: float
    milliseconds: float
    peak: float


def cost(run: Path, task: Task, questions: int) -> Cost:
    """Of a trained network, asked the first test questions of a task, one thread."""
    torch.set_num_threads(1)
    net, vocabulary, saved = load_network(run)
    answerer, times = Answerer(net, vocabulary), []
    asked = [(story, question) for story in task.test for question in story.questions][:questions]
    for story, question in asked:
        started = time.perf_counter()
        answerer.ask(story.statements[: question.after], question.text, reads=3)
        times.append(time.perf_counter() - started)
    number = sum(parameter.numel() for parameter in net.parameters())
    return Cost(saved["preset"], number, 1000 * sorted(times)[len(times) // 2])


def able(config: Training, statements: int) -> Training:
    """The configuration with a memory that reaches so far."""
    return replace(config, capacity=max(config.capacity, statements))


def trained(preset: str, config: Training, folder: Path) -> Path:
    """A network for task 1 with a few idle sentences in each story, simulated; its folder."""
    stories, tests = simulated_task("qa1", seed=0, dials=Dials(distractors=IDLE))
    task = Task("qa1", stories, tests, None, "simulated", f"distractors={IDLE}")
    spec = specify([task], preset, config, "1k", "en", 0, min(3, config.default_restarts))
    with opened(folder, spec, resume=folder.exists()):
        execute(spec, DataSet.of([task], config), folder)
    return folder


def long_stories(statements: int, questions: int) -> list[Story]:
    """Stories of task 1 whose last question is asked after so many statements, most of them idle ones."""
    found: list[Story] = []
    for story in simulate("qa1", 5 * questions, 1001):
        last = story.questions[-1]
        short = Story(story.statements[: last.after], (last,))
        found.append(distracted(Random(len(found)), short, max(0, statements - last.after)))
    return found[:questions]


def asked_long(run: Path, statements: int, questions: int) -> Grown:
    """A trained network asked about long stories, one thread, in this process."""
    torch.set_num_threads(1)
    net, vocabulary, saved = load_network(run)
    answerer, wrong, times = Answerer(net, vocabulary), 0, []
    stories = long_stories(statements, questions)
    for story in stories:
        question = story.questions[0]
        started = time.perf_counter()
        answer = answerer.ask(story.statements[: question.after], question.text, reads=3)
        times.append(time.perf_counter() - started)
        wrong += answer.answer != question.answer
    middle = sorted(times)[len(times) // 2]
    return Grown(saved["preset"], statements, len(stories), 100 * wrong / len(stories), 1000 * middle, peak())


def growth(configs: Mapping[str, Training], sizes: Sequence[int], questions: int) -> Iterator[Grown]:
    """Error, time and memory of each preset by statements in the memory, each point in a process of its own.

    Of stories of more than a thousand statements a tenth as many questions are asked.
    """
    context = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory() as folder:
        for preset, config in configs.items():
            run = trained(preset, config, Path(folder) / preset)
            for size in sizes:
                with context.Pool(1) as pool:
                    yield pool.apply(asked_long, (run, size, questions if size <= 1000 else max(1, questions // 10)))


def write_csv(rows: Sequence[Cost] | Sequence[Grown]) -> str:
    """Measurements as CSV, a line each."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(rows[0]._fields)
    writer.writerows([f"{value:.4g}" if isinstance(value, float) else value for value in row] for row in rows)
    return text.getvalue()


def read_costs(path: Path) -> dict[str, Cost]:
    """What :func:`write_csv` wrote of costs, by preset. Raises :class:`~memnet.checkpoint.NetworkError`."""
    return {row["preset"]: Cost(row["preset"], int(row["parameters"]), float(row["milliseconds"])) for row in lines(path)}


def read_growth(path: Path) -> list[Grown]:
    """What :func:`write_csv` wrote of growth. Raises :class:`~memnet.checkpoint.NetworkError`."""
    return [
        Grown(
            row["preset"],
            int(row["statements"]),
            int(row["questions"]),
            *(float(row[name]) for name in ("error", "milliseconds", "peak")),
        )
        for row in lines(path)
    ]


def lines(path: Path) -> list[dict[str, str]]:
    """The rows of a CSV file. Raises :class:`~memnet.checkpoint.NetworkError`."""
    try:
        with open(path, newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))
    except FileNotFoundError as error:
        raise NetworkError(f"{path} is missing; 'memnet bench models' and 'memnet bench memory' write it") from error


def comparison(runs: Path, published: Path, costs: Path, grown: Path) -> str:
    """The comparison table: every model at the same data, and below it as the memory grows.

    Raises :class:`~memnet.checkpoint.NetworkError` where a file is missing.
    """
    measured, points = read_costs(costs), read_growth(grown)
    lines = [
        "Published bAbI v1.2 text (en), one network a task: mean test error in percent of the networks chosen by the rule, in "
        "brackets the failed tasks (error above 5 %) of those that were trained; of the sentences read the share that are "
        "supporting facts, and of the facts the share that were read (precision and recall, mean over tasks, 1k); seconds "
        "of one core to train what was chosen from, mean over tasks; parameters and the median time of an answer of a "
        "network for task 2 at 1k, one thread.",
        "",
        "| model | 1k error | 10k error | facts read | training s a task, 1k | 10k | parameters | ms an answer |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    below: list[str] = []
    for model, presets in COMPARED.items():
        cells, seconds, facts = {}, {}, ""
        for size, preset in presets.items():
            part = columns(runs, published, size, 0, [preset])[0]
            ours, _, _ = means(part)
            failed = sum(error > FAILED for error in part.chosen.values())
            cells[size] = f"{ours:.1f} ({failed} of {len(part.chosen)})"
            seconds[size] = f"{part.seconds / len(part.chosen):.0f}"
            if size == "1k":
                found = [
                    [float(row[name]) for row in part.rows if row["chosen"] == "1" and row[name] not in ("", "-")]
                    for name in ("fact_precision", "fact_recall")
                ]
                facts = ", ".join(f"{100 * statistics.mean(shares):.0f} %" for shares in found if shares)
            below.append(protocol(part))
        its = measured.get(presets["1k"])
        numbers = [f"{its.parameters:,}", f"{its.milliseconds:.2f}"] if its else ["", ""]
        told = [*(cells.get(size, "") for size in SIZES), facts, *(seconds.get(size, "") for size in SIZES), *numbers]
        lines.append("| " + " | ".join([model, *told]) + " |")
    sizes = sorted({point.statements for point in points})
    lines += [
        "",
        f"Simulated stories of task 1 with idle sentences among the others, networks trained with {IDLE} of them in a story "
        "(1,000 questions, chosen by their own rule): error in percent, milliseconds an answer and the process's peak of "
        f"memory in MiB, by statements in the memory; {asked_of(points)}.",
        "",
        "| model | " + " | ".join(f"{size:,}" for size in sizes) + " |",
        "| --- |" + " ---: |" * len(sizes),
    ]
    for model, presets in COMPARED.items():
        mine = {point.statements: point for point in points if point.preset == presets["1k"]}
        if mine:
            grown_to = (mine.get(size) for size in sizes)
            points_of = [f"{p.error:.1f} %, {p.milliseconds:,.1f} ms, {p.peak:,.0f}" if p else "" for p in grown_to]
            lines.append("| " + " | ".join([model, *points_of]) + " |")
    return "\n".join([*lines, "", *below])


def asked_of(points: Sequence[Grown]) -> str:
    """How many questions were asked, by statements in the memory."""
    numbers: dict[str, list[str]] = {}
    for size in sorted({point.statements for point in points}):
        few, many = (f(point.questions for point in points if point.statements == size) for f in (min, max))
        numbers.setdefault(str(few) if few == many else f"{few} to {many}", []).append(f"{size:,}")
    return "; ".join(f"{number} questions about {', '.join(sizes)}" for number, sizes in numbers.items())


def by_questions(runs: Path) -> dict[str, list[tuple[float, float]]]:
    """Mean test error of the chosen networks by training questions, of every preset that was run on several sizes.

    Over the tasks that have all its sizes; 1k and 10k are 1,000 and 10,000 questions.
    """
    found: dict[str, dict[int, dict[str, float]]] = {}
    for row in read_rows(runs):
        own = (row["variant"], row["source"], row["seed"], row["chosen"]) == ("en", "published", "0", "1")
        changed = dict(pair.split("=", 1) for pair in row["settings"].split())
        if own and not changed.keys() - {"questions"} and " " not in row["tasks"] and row["size"] in ("1k", "10k"):
            number = int(changed.get("questions", {"1k": 1000, "10k": 10_000}[row["size"]]))
            found.setdefault(row["preset"].removesuffix("-10k"), {}).setdefault(number, {})[row["tasks"]] = float(
                row["test_error"]
            )
    lines: dict[str, list[tuple[float, float]]] = {}
    for preset, sizes in found.items():
        tasks = set.intersection(*(set(errors) for errors in sizes.values()))
        if len(sizes) > 1 and len(tasks) >= 10:
            lines[f"{preset} ({len(tasks)} tasks)"] = [
                (number, statistics.mean(errors[task] for task in tasks)) for number, errors in sizes.items()
            ]
    return lines
