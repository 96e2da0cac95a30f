"""Tables of measurements: the cost of attention, gradients, ways to learn what to read, hard trials."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from memnet.markdown import markdown_table
from memnet.record.measurements import (
    AttentionCost,
    EnglishScore,
    GradientEstimate,
    NetworkNumber,
    Trial,
    WayToLearn,
    measured_by,
    read_csv,
)
from memnet.reports.babilong_page import beside_others, by_length, cost_of_reading, harder
from memnet.reports.pivot import grid
from memnet.reports.unseen_names_page import tables
from memnet.tasks.families.babilong import PRINTED, UNPRINTED

WAYS = {
    "facts": "supporting facts",
    "answers": "answers alone",
    "priced": "answers, and a price of what is read",
    "reinforce": "REINFORCE, and the same price",
}
TRIALS = {
    "crashes-memn2n": "a training of MemN2N dies",
    "crashes-memnn": "a training of MemNN dies",
    "crashes-dmn": "a training of a DMN dies",
    "crashes-lstm": "a training of an LSTM dies",
    "crashes-transformer": "a training of a Transformer dies",
    "crashes-causal": "a training of a causal Transformer dies",
    "crashes-sweeps": "a sweep dies",
    "killed-sweeps": "a sweep or one of its workers is killed",
    "two-sweeps": "two sweeps of the same runs at once",
    "full-disk-simulated": "a disk is full, after any byte",
    "full-disk-mounted": "a small file system is full",
    "networks": "mutated network folders",
    "stories": "mutated story files",
    "parquet": "mutated parquet files",
    "lines": "mutated lines of a conversation",
    "requests": "odd HTTP requests",
}
APART = ("crashes-", "killed-", "two-", "full-disk-")  # whose cases run in processes of their own: not measured


def below(table: str, lines: Sequence[AttentionCost | GradientEstimate | WayToLearn | Trial], text: str = "") -> str:
    """A table, and below it what its numbers are and what measured them."""
    made = measured_by(lines)
    return f"{table}\n\n{text} {made[0].upper()}{made[1:]}.".replace("\n\n ", "\n\n")


def attention_cost(path: Path) -> str:
    """Milliseconds, and MiB kept for the backward pass, by memories, a line a part."""
    lines, columns = read_csv(path, AttentionCost), dict[str, dict[str, str]]()
    for one in lines:
        columns.setdefault(f"{one.memories:,}", {})[one.parts] = f"{one.milliseconds:,.2f} ms, {one.kept:,.2f}"
    return below(grid([*columns.items()], "score, alignment, read", rows=dict.fromkeys(one.parts for one in lines)), lines)


def gradient_estimates(path: Path) -> str:
    """Bias, spread and time of the gradient of hard attention, a line each number of memories, baseline and samples."""
    lines = read_csv(path, GradientEstimate)
    form = "{0.memories} {0.baseline} {0.samples} {0.bias:.3f} {0.chance:.3f} {0.deviation:.2f} {0.milliseconds:.2f}"
    rows = [form.format(one).split() for one in lines]
    head = ["memories", "baseline", "samples T", "mean error", "of an unbiased mean", "error of one estimate", "ms"]
    return below(markdown_table(head, rows, "rlrrrrr"), lines, f"{lines[0].estimates:,} estimates of each kind.")


def spread(found: Sequence[float], digits: int = 1) -> str:
    """The mean over seeds, and the least and the largest: "97.0 (96.2 to 97.4)"."""
    mean, least, most = (f"{one:,.{digits}f}" for one in (statistics.fmean(found), min(found), max(found)))
    return mean if least == most else f"{mean} ({least} to {most})"


def supervision_table(path: Path) -> str:
    """A line a way: percent right by sentences of novels around a story, facts kept, others kept, seconds."""
    lines, columns = read_csv(path, WayToLearn), dict[str, dict[str, str]]()
    lengths = sorted({one.sentences for one in lines})
    for way, title in WAYS.items():
        by_length = {length: [one for one in lines if (one.way, one.sentences) == (way, length)] for length in lengths}
        longest = by_length[lengths[-1]]
        for length, found in by_length.items():
            columns.setdefault(f"right, {length:,}", {})[title] = spread([one.right for one in found])
        columns.setdefault("facts kept", {})[title] = spread([one.facts_kept for one in longest])
        columns.setdefault("others kept", {})[title] = spread([one.others_kept for one in longest], 2)
        columns.setdefault("seconds", {})[title] = f"{statistics.fmean(one.seconds for one in longest):.0f}"
    text = (
        f"Means over {len({one.seed for one in lines})} seeds, in brackets the least and the largest: percent of "
        f"{lines[0].questions:,} questions that are answered right among so many sentences of novels, percent of their "
        f"supporting facts that are kept, sentences kept of 1,000 of the novels, and seconds of training on one core, "
        f"{lines[0].steps:,} steps."
    )
    return below(grid([*columns.items()], "learns from", rows=WAYS.values()), lines, text)


def english_table(path: Path) -> str:
    """A line a set of questions in ordinary English: right, wrong, refused, and how far percentages can be trusted."""
    lines = read_csv(path, EnglishScore)
    columns = {
        "right": "right",
        "wrong": "wrong",
        "refused though told": "refused",
        "wrong at over 90 %": "wrong_and_sure",
        "not told: refused": "unanswerable_refused",
        "calibration error": "calibration",
    }
    rows = [[one.set, f"{one.questions:,}", *(f"{getattr(one, name):.1f}" for name in columns.values())] for one in lines]
    return below(markdown_table(["stories", "questions", *columns], rows, "lrrrrrrr"), lines)


def trials_table(path: Path) -> str:
    """A row a trial, in the order of :data:`TRIALS`; those that it does not know come last, by their names."""
    lines = {line.trial: line for line in read_csv(path, Trial)}
    rows = [
        [
            TRIALS.get(one.trial, one.trial),
            f"{one.cases:,}",
            f"{one.failures:,}",
            f"{one.seconds:,.0f}",
            f"{one.slowest:.1f}",
            "" if one.trial.startswith(APART) else f"{one.memory / 2**20:,.0f}",
        ]
        for one in (lines[name] for name in dict.fromkeys([*TRIALS, *lines]) if name in lines)
    ]
    head = ["test", "cases", "failures", "seconds", "slowest case, s", "most memory, MiB"]
    return below(markdown_table(head, rows), [*lines.values()])


def measured(results: Path) -> dict[str, dict[str, Callable[[], str]]]:
    """What makes the parts of pages that measurements are in, by the page and the part's name."""

    def unseen_names(part: str) -> str:
        return tables(read_csv(results / "open.csv", NetworkNumber), results / "published.csv")[part]

    babilong: dict[str, Callable[[Path], str]] = {
        "beside": beside_others,
        "first": partial(by_length, tasks=PRINTED),
        "rest": partial(by_length, tasks=UNPRINTED),
        "harder": harder,
        "reading": cost_of_reading,
    }
    return {
        "results/babilong.md": {name: partial(make, results) for name, make in babilong.items()},
        "results/open.md": {part: partial(unseen_names, part) for part in ("network", "tasks", "sys-bAbI", "everyday", "size")},
        "results/tables/attention-cost.md": {"costs": partial(attention_cost, results / "attention_cost.csv")},
        "results/tables/reinforce.md": {"estimates": partial(gradient_estimates, results / "reinforce.csv")},
        "docs/long-memory.md": {"supervision": partial(supervision_table, results / "supervision.csv")},
        "docs/everyday.md": {"scores": partial(english_table, results / "everyday.csv")},
        "docs/reliability.md": {"trials": partial(trials_table, results / "trials.csv")},
    }
