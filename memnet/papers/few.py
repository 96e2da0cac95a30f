"""Fewer than a thousand questions a task: the protocol of ``memnet reproduce few-questions``. It is in no paper.

The first 25, 50, 100, 250 and 500 of a task's 1,000 published training questions, the tenth of them that validation asks among
them, answers alone; the whole published test set. Beside them the runs on record with all 1,000.

MemN2N has ten restarts, as on record; the others have one restart, and the cascade one seed, to keep the study short. So the
table shows the mean over restarts too. The cascade is the procedure of :mod:`memnet.papers.thousand`. The rules of its reading
take 500 questions that are learned from, and with fewer they find nothing: there its candidates read the text as it is
written, but for phrases.
"""

from __future__ import annotations

from memnet.papers.declare import Paper, Runs, Study
from memnet.papers.thousand import PRESETS as CASCADE_PRESETS
from memnet.papers.thousand import THOUSAND
from memnet.tasks.text.interchangeable import QUESTIONS

NUMBERS = (25, 50, 100, 250, 500)  # of questions a task; and all of them
ALL = 1000
NETWORKS = {"MemN2N": "pe-ls-rn", "DMN+": "dmn-plus", "Universal Transformer": "universal"}
RESTARTS = {"pe-ls-rn": 10, "dmn-plus": 1, "universal": 1}
CASCADE = "cascade"
CASCADE_SEEDS = (0,)
READ_BY_RULES = ("consistent", "synonyms", "canonical", "permute")  # settings that ask for interchangeable words


def as_written(preset: str, number: int) -> tuple[str, ...]:
    """What changes in a candidate of the cascade that has so many questions: no rule where they are too few for any."""
    if number - number // 10 >= QUESTIONS:
        return ()
    config = CASCADE_PRESETS[preset]
    return tuple(f"{name}=false" for name in READ_BY_RULES if getattr(config, name))


def of_network(preset: str, number: int) -> Study:
    """The runs of a network with so many questions."""
    if number == ALL:
        return Study(preset, "", (Runs((preset,)),))
    return Study(preset, "", (Runs((preset,), settings=(f"questions={number}",), restarts=RESTARTS[preset]),))


def of_cascade(number: int) -> Study:
    """Those of the cascade."""
    if number == ALL:
        return THOUSAND
    runs = (
        Runs((preset,), settings=(f"questions={number}", *as_written(preset, number)), seed=seed, restarts=1)
        for preset in THOUSAND.presets
        for seed in CASCADE_SEEDS
    )
    return Study(CASCADE, "", tuple(runs), in_turn=True)


CELLS: dict[tuple[str, int], Study] = {
    **{(name, number): of_network(preset, number) for name, preset in NETWORKS.items() for number in (*NUMBERS, ALL)},
    **{(CASCADE, number): of_cascade(number) for number in (*NUMBERS, ALL)},
}
FEW = Study(
    "few-questions",
    "Errors with 25 to 1,000 questions a task, answers alone",
    tuple(part for cell in CELLS.values() for part in cell.runs),
    parts=tuple(CELLS.values()),
    grows=True,
)

PAPER = Paper(None, {}, studies=(FEW,))
