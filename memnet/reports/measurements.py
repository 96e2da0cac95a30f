"""Tables of measurements: the cost of attention, gradients, ways to learn what to read, hard trials."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from memnet.markdown import grid
from memnet.record import measurements as record
from memnet.record.family_scores import Consistency, MixScore
from memnet.reports import can_page
from memnet.reports.babilong_page import beside_others, by_length, harder
from memnet.reports.dialog_page import printed as dialogs_printed
from memnet.reports.dialog_page import scores as dialog_scores
from memnet.reports.family_page import table_of_family
from memnet.reports.memories_page import by_kind, by_task, found_by_kind, printed, side_by_side
from memnet.reports.templates import render
from memnet.reports.unseen_names_page import PARTS, part_of
from memnet.tasks.families.babilong import PRINTED, UNPRINTED

WAYS = {
    "facts": "supporting facts",
    "answers": "answers alone",
    "priced": "answers, and a price of what is read",
    "reinforce": "REINFORCE, and the same price",
}


def line_by_line(template: str, path: Path, kind: type[record.Measurement]) -> str:
    """A template with a row for each line of a file, and below it what measured them."""
    return render(template, lines=record.read_csv(path, kind))


def tables_of_families(results: Path, *families: str) -> dict[str, Callable[[], str]]:
    """The tables of families by their names, of those that have been measured."""
    files = {name: results / "families" / f"{name}.csv" for name in families}
    return {name: partial(table_of_family, name, path) for name, path in files.items() if path.is_file()}


def attention_cost(path: Path) -> str:
    """Milliseconds, and MiB kept for the backward pass, by memories, a line a part."""
    lines, columns = record.read_csv(path, record.AttentionCost), dict[str, dict[str, str]]()
    for one in lines:
        columns.setdefault(f"{one.memories:,}", {})[one.parts] = f"{one.milliseconds:,.2f} ms, {one.kept:,.2f}"
    table = grid([*columns.items()], "score, alignment, read", rows=dict.fromkeys(one.parts for one in lines))
    return render("attention-cost", table=table, lines=lines)


def spread(found: Sequence[float], digits: int = 1) -> str:
    """The mean over seeds, and the least and the largest: "97.0 (96.2 to 97.4)"."""
    mean, least, most = (f"{one:,.{digits}f}" for one in (statistics.fmean(found), min(found), max(found)))
    return mean if least == most else f"{mean} ({least} to {most})"


def supervision_table(path: Path) -> str:
    """A line a way: percent right by sentences of novels around a story, facts kept, others kept, seconds."""
    lines, columns = record.read_csv(path, record.WayToLearn), dict[str, dict[str, str]]()
    lengths = sorted({one.sentences for one in lines})
    for way, title in WAYS.items():
        by_length = {length: [one for one in lines if (one.way, one.sentences) == (way, length)] for length in lengths}
        longest = by_length[lengths[-1]]
        for length, found in by_length.items():
            columns.setdefault(f"right, {length:,}", {})[title] = spread([one.right for one in found])
        columns.setdefault("facts kept", {})[title] = spread([one.facts_kept for one in longest])
        columns.setdefault("others kept", {})[title] = spread([one.others_kept for one in longest], 2)
        columns.setdefault("seconds", {})[title] = f"{statistics.fmean(one.seconds for one in longest):.0f}"
    return render("supervision", table=grid([*columns.items()], "learns from", rows=WAYS.values()), lines=lines)


def measured(results: Path) -> dict[str, dict[str, Callable[[], str]]]:
    """What makes the parts of pages that measurements are in, by the page and the part's name."""

    def unseen_names(part: str) -> str:
        return part_of(part, record.read_csv(results / "open.csv", record.NetworkNumber), results / "published.csv")

    return {
        "results/babilong.md": {
            "beside": partial(beside_others, results),
            "first": partial(by_length, results, PRINTED),
            "rest": partial(by_length, results, UNPRINTED),
            "harder": partial(harder, results),
            "reading": partial(line_by_line, "babilong-reading", results / "babilong_reading.csv", record.ReadingCost),
        },
        "results/memories.md": {
            "log": partial(side_by_side, results, record.LOG),
            "log kinds": partial(by_kind, results, record.LOG),
            "facts": partial(side_by_side, results, record.FACTS),
            "facts kinds": partial(by_kind, results, record.FACTS),
            "conversations": partial(side_by_side, results, record.CONVERSATIONS),
            "conversation kinds": partial(found_by_kind, results, record.CONVERSATIONS),
            "texts": partial(by_task, results, record.TEXT),
            "printed": partial(printed, results),
        },
        "results/open.md": {part: partial(unseen_names, part) for part in PARTS},
        "results/tables/attention-cost.md": {"costs": partial(attention_cost, results / "attention_cost.csv")},
        "results/tables/reinforce.md": {
            "estimates": partial(line_by_line, "reinforce", results / "reinforce.csv", record.GradientEstimate)
        },
        "docs/can.md": {
            "own words": partial(can_page.stories, results, can_page.OWN_WORDS),
            "tasks": partial(can_page.of_tasks, results),
            "drawn": partial(can_page.stories, results, can_page.DRAWN),
            "log": partial(can_page.kinds, results, record.LOG, can_page.LOG),
            "facts": partial(can_page.kinds, results, record.FACTS, can_page.FACTS),
            "conversations": partial(can_page.kinds, results, record.CONVERSATIONS, can_page.CONVERSATIONS),
        },
        "docs/families/dialog.md": {
            "scores": partial(dialog_scores, results),
            "printed": partial(dialogs_printed, results),
        },
        "docs/long-memory.md": {"supervision": partial(supervision_table, results / "supervision.csv")},
        "docs/families/dyna.md": {
            "mixes": partial(line_by_line, "mixes", results / "mixes.csv", MixScore),
            **tables_of_families(results, "dyna"),
        },
        **{f"docs/families/{name}.md": tables_of_families(results, name) for name in ("scone", "stepgame", "clutrr")},
        "docs/families/tomi.md": {
            "follows": partial(line_by_line, "beliefs", results / "beliefs.csv", Consistency),
            **tables_of_families(results, "tomi", "tom-babi"),
        },
        "docs/everyday.md": {"scores": partial(line_by_line, "everyday", results / "everyday.csv", record.EnglishScore)},
        "docs/reliability.md": {"trials": partial(line_by_line, "trials", results / "trials.csv", record.Trial)},
    }
