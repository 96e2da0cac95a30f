"""Fewer than a thousand questions a task: the protocol of ``memnet reproduce few-questions``. It is in no paper.

The first 25, 50, 100, 250 and 500 of a task's 1,000 published training questions, the tenth of them that validation asks among
them, answers alone; the whole published test set. Beside them the runs on record with all 1,000.

MemN2N has ten restarts, as on record; the others have one restart, and the cascades one seed, to keep the study short. So the
table shows the mean over restarts too. The cascades are two procedures of :mod:`memnet.papers.thousand`, one with a rule that
orders names and one without. Their rules take 500 questions that are learned from, and with fewer they find nothing: there the
candidates read the text as it is written, but for phrases.
"""

from __future__ import annotations

from typing import Any

from memnet.papers.declare import Paper, Runs, Study
from memnet.papers.ours import PRESETS as PERMUTED
from memnet.papers.thousand import PRESETS as READ
from memnet.papers.thousand import THOUSAND, UNORDERED
from memnet.tasks.text.interchangeable import QUESTIONS

NUMBERS = (25, 50, 100, 250, 500)  # of questions a task; and all of them
ALL = 1000
NETWORKS = {"MemN2N": "pe-ls-rn", "DMN+": "dmn-plus", "Universal Transformer": "universal"}
RESTARTS = {"pe-ls-rn": 10, "dmn-plus": 1, "universal": 1}
CASCADE, UNORDERED_CASCADE = "cascade", "unordered cascade"
CASCADES = {CASCADE: THOUSAND, UNORDERED_CASCADE: UNORDERED}
CASCADE_SEEDS = (0,)
READ_BY_RULES: dict[str, Any] = {  # settings that ask for interchangeable words, and what they are without
    "consistent": False,
    "synonyms": False,
    "canonical": False,
    "permute": False,
    "name_order": "near",
}


def as_written(preset: str, number: int) -> tuple[str, ...]:
    """What changes in a candidate of a cascade that has so many questions: no rule where they are too few for any."""
    if number - number // 10 >= QUESTIONS:
        return ()
    config = {**PERMUTED, **READ}[preset]
    changed = {name: value for name, value in READ_BY_RULES.items() if getattr(config, name) != value}
    return tuple(f"{name}={str(value).lower()}" for name, value in changed.items())


def of_network(preset: str, number: int) -> Study:
    """The runs of a network with so many questions."""
    if number == ALL:
        return Study(preset, "", (Runs((preset,)),))
    return Study(preset, "", (Runs((preset,), settings=(f"questions={number}",), restarts=RESTARTS[preset]),))


def of_cascade(name: str, number: int) -> Study:
    """Those of a cascade, one restart of each candidate."""
    procedure = CASCADES[name]
    if number == ALL:
        return procedure
    runs = (
        Runs((preset,), settings=(f"questions={number}", *as_written(preset, number)), seed=seed, restarts=1)
        for preset in procedure.presets
        for seed in CASCADE_SEEDS
    )
    return Study(name, "", tuple(runs), in_turn=True)


CELLS: dict[tuple[str, int], Study] = {
    **{(name, number): of_network(preset, number) for name, preset in NETWORKS.items() for number in (*NUMBERS, ALL)},
    **{(name, number): of_cascade(name, number) for name in CASCADES for number in (*NUMBERS, ALL)},
}
FEW = Study(
    "few-questions",
    "Errors with 25 to 1,000 questions a task, answers alone",
    tuple(part for cell in CELLS.values() for part in cell.runs),
    parts=tuple(CELLS.values()),
    grows=True,
)

PAPER = Paper(None, {}, studies=(FEW,))
