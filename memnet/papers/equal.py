"""Every model on equal terms: the same questions, recipe, search, restarts and time, declared in one place.

Recipe. Adam, a learning rate that falls to zero, batches of 50, the norm of the gradient at most 1; the epoch with the least
validation error is kept, ten epochs in a row without an error end a training. So many epochs that a restart takes about
:data:`SECONDS` of a core in the mean over the tasks.

Search. The same grid for every model: four learning rates times its own regularisation, weak and strong, one restart, on
:data:`SEARCH_TASKS`. The mean validation error chooses (:data:`CHOSEN`), for all that follows; test errors choose nothing.

Cells. Every model from answers and from answers and supporting facts, with words as they are and permuted (:data:`WAYS`):
1,000 questions a task, :data:`RESTARTS` restarts of which validation chooses one. The MemNN's n-grams cannot be permuted, so it
has words as they are. It learns what to read from facts, or by trial from answers (:data:`BY_TRIAL`).

Beside them, with permuted words (the MemNN with facts) on :data:`FEW_TASKS`, a ninth, a third and three times the time, half
and double the width, and hard attention; and what fits, :data:`FEW_RESTARTS` restarts: 10,000 questions a task with permuted
words, and one network for all tasks with words as they are, of which none is interchangeable in every task. And each network by
the recipe with which our other tables train it (:data:`BY_OWN`), so that one sees whom the common recipe suits.

All of it: ``memnet reproduce equal-search equal equal-time equal-width equal-align equal-10k equal-joint equal-own``.
"""

from __future__ import annotations

from dataclasses import fields
from itertools import product
from typing import Any

from memnet.config import Training
from memnet.config.causal import CausalConfig
from memnet.config.dmn import DMNConfig
from memnet.config.lstm import LSTMConfig
from memnet.config.memn2n import MemN2NConfig
from memnet.config.memnn import MemNNConfig
from memnet.config.transformer import TransformerConfig
from memnet.papers.declare import Paper, Runs, Study

SECONDS, RESTARTS = 12, 5
RECIPE: dict[str, Any] = {
    "batch": 50,
    "replacement": False,
    "optimizer": "adam",
    "decay": 0.0,
    "schedule": "linear",
    "clip": 1.0,
    "clip_per": "network",
    "selection": "validation",
    "monitor": "error",
    "restore_best": True,
    "patience": 0,
    "stop_after_perfect": 10,
}
LOOKS_BACK: dict[str, Any] = {"position_mask_std": 1.0, "max_relative_distance": 16}  # as our other Transformers
MODELS: dict[str, Training] = {  # the epochs are those that take SECONDS
    "equal-memn2n": MemN2NConfig(epochs=420, linear_start=0, memory_size=1000, **RECIPE),
    "equal-memnn": MemNNConfig(epochs=160, adaptive=True, ngrams=True, nonlinear=True, **RECIPE),
    "equal-dmn-plus": DMNConfig(epochs=36, l2=0.0, **RECIPE),
    "equal-lstm": LSTMConfig(epochs=26, align="softmax", score="general", **RECIPE),
    "equal-transformer": TransformerConfig(epochs=31, universal=False, **LOOKS_BACK, **RECIPE),
    "equal-universal": TransformerConfig(epochs=33, **LOOKS_BACK, **RECIPE),
    "equal-causal": CausalConfig(epochs=21, **RECIPE),
}
NAMES = {
    "equal-memn2n": "MemN2N",
    "equal-memnn": "MemNN",
    "equal-dmn-plus": "DMN+",
    "equal-lstm": "LSTM with attention",
    "equal-transformer": "Transformer",
    "equal-universal": "Universal Transformer",
    "equal-causal": "causal Universal Transformer",
}
RATES = ("lr=0.0007", "lr=0.002", "lr=0.006", "lr=0.02")
REGULARISED: dict[str, tuple[str, str]] = {  # each model's own, weak and strong
    "equal-memn2n": ("noise=0.0", "noise=0.1"),
    "equal-memnn": ("l2=0.0", "l2=0.0001"),
    "equal-dmn-plus": ("dropout=0.1", "dropout=0.3"),
    "equal-lstm": ("dropout=0.1", "dropout=0.3"),
    "equal-transformer": ("dropout=0.1", "dropout=0.3"),
    "equal-universal": ("dropout=0.1", "dropout=0.3"),
    "equal-causal": ("dropout=0.1", "dropout=0.3"),
}
SEARCH_TASKS = ("qa5", "qa10", "qa14")
MEMNN, CAUSAL = "equal-memnn", "equal-causal"
FACTS, PERMUTED, PERMUTED_TOO = ("supervision=facts",), ("permute=true",), ", permuted"

Lines = dict[tuple[str, ...], Runs]  # of a table: what a line says first, the model before all, and its runs


def study(name: str, title: str, lines: Lines) -> Study:
    """The study of a table's lines."""
    return Study(name, title, tuple(lines.values()))


def needs(model: str) -> tuple[str, ...]:
    """Settings without which a model does not learn."""
    return FACTS if model == MEMNN else ()


SEARCHED: Lines = {
    (model, rate, strength): Runs((model,), tasks=SEARCH_TASKS, settings=(rate, strength, *needs(model)), restarts=1)
    for model, strengths in REGULARISED.items()
    for rate, strength in product(RATES, strengths)
}
CHOSEN: dict[str, tuple[str, str]] = {  # what the search chose; a test holds it against the runs on record
    "equal-memn2n": ("lr=0.02", "noise=0.0"),
    "equal-memnn": ("lr=0.0007", "l2=0.0001"),
    "equal-dmn-plus": ("lr=0.006", "dropout=0.1"),
    "equal-lstm": ("lr=0.006", "dropout=0.3"),
    "equal-transformer": ("lr=0.006", "dropout=0.3"),
    "equal-universal": ("lr=0.006", "dropout=0.1"),
    "equal-causal": ("lr=0.002", "dropout=0.1"),
}


BY_TRIAL = ("align=hard", "samples=5", "time=age", "supervision=answers", "epochs=24")  # a MemNN's without facts, by REINFORCE
WAYS: dict[str, tuple[str, ...]] = {  # what a model learns from, and its settings
    "answers": (),
    "answers, permuted": PERMUTED,
    "facts": FACTS,
    "facts, permuted": (*FACTS, *PERMUTED),
}


def usual(model: str) -> tuple[str, ...]:
    """The settings of a model where one thing more is changed: what was chosen, and permuted words or facts."""
    return (*CHOSEN[model], *(FACTS if model == MEMNN else PERMUTED))


def way_of(model: str, way: str) -> str:
    """A way in which a model learns: the MemNN with words as they are, where the others have them permuted."""
    return way.removesuffix(PERMUTED_TOO) if model == MEMNN else way


CELLS: Lines = {
    (model, way): Runs(
        (model,),
        settings=(*CHOSEN[model], *(BY_TRIAL if model == MEMNN and settings != FACTS else settings)),
        restarts=RESTARTS,
    )
    for model in MODELS
    for way, settings in WAYS.items()
    if way == way_of(model, way)
}

# What time, more parameters and other alignments give, on five tasks.

CARRYING = ("qa2", "qa16")  # tasks that MemN2N learns by its own recipe and the Transformers here do not
FEW_TASKS = ("qa2", "qa5", "qa7", "qa14", "qa18")  # two facts, three arguments, counting, time, size


def few(model: str, settings: tuple[str, ...]) -> Runs:
    """Runs of a model on the five tasks."""
    return Runs((model,), tasks=FEW_TASKS, settings=settings, restarts=RESTARTS)


def with_epochs(model: str, times: float) -> tuple[str, ...]:
    """A model's usual settings with so many times the epochs."""
    return (*usual(model), f"epochs={round(times * MODELS[model].epochs)}")


def with_width(model: str, times: float) -> tuple[str, ...]:
    """A model's usual settings with so many times the width."""
    config = MODELS[model]
    names = [field.name for field in fields(config) if field.name in ("dim", "hidden")]
    widths = {name: round(times * getattr(config, name)) for name in names}
    return (*usual(model), *(f"{name}={width}" for name, width in widths.items()))


TIMES: Lines = {
    (model, name): few(model, with_epochs(model, times) if times != 1 else usual(model))
    for model in MODELS
    for name, times in (("a ninth", 1 / 9), ("a third", 1 / 3), ("as it is", 1), ("three times", 3))
}
WIDTHS: Lines = {
    (model, name): few(model, with_width(model, times) if times != 1 else usual(model))
    for model in MODELS
    for name, times in (("half", 0.5), ("as it is", 1), ("double", 2))
}
ALIGNED: Lines = {
    (model, name): few(model, (*usual(model), *settings))
    for model in MODELS
    if model not in (MEMNN, CAUSAL)  # an argmax already; and the questions of a story would share every address drawn
    for name, settings in (("softmax", ()), ("argmax", ("align=argmax",)), ("REINFORCE", ("align=hard", "samples=5")))
}

# Ten times the questions, and one network for all tasks: what fits.

FEW_RESTARTS = 2
JOINT: dict[str, tuple[str, ...]] = {MEMNN: ("epochs=24",)}  # matched with the n-grams of all tasks, in the others' seconds
MANY: Lines = {
    (model,): Runs((model,), "babi-10k", settings=with_epochs(model, 0.3), restarts=FEW_RESTARTS) for model in MODELS
}
ALL_TASKS: Lines = {
    (model,): Runs((model,), joint=True, settings=(*CHOSEN[model], *needs(model), *JOINT.get(model, ())), restarts=FEW_RESTARTS)
    for model in MODELS
}

# Each network by the recipe that our other tables train it with, beside the one that is the same for all.

BY_OWN: dict[tuple[str, str], tuple[str, int]] = {  # a model and what it learns from -> the preset, and its restarts there
    ("equal-memn2n", "answers"): ("pe-ls-rn", 10),
    ("equal-memn2n", "answers, permuted"): ("pe-ls-rn-permute", 10),
    ("equal-memn2n", "facts"): ("pe-ls-rn-facts", 10),
    ("equal-memnn", "facts"): ("memnn-am-ng-nl", 5),
    ("equal-dmn-plus", "answers"): ("dmn-plus", 2),
    ("equal-dmn-plus", "answers, permuted"): ("dmn-plus-permute", 1),
    ("equal-dmn-plus", "facts"): ("dmn-plus-facts", 1),
    ("equal-dmn-plus", "facts, permuted"): ("dmn-plus-facts-permute", 1),
    ("equal-lstm", "answers"): ("lstm-attention", 1),
    ("equal-lstm", "answers, permuted"): ("lstm-attention-permute", 1),
    ("equal-transformer", "answers"): ("transformer", 1),
    ("equal-transformer", "answers, permuted"): ("transformer-permute", 1),
    ("equal-universal", "answers"): ("universal", 3),
    ("equal-universal", "answers, permuted"): ("universal-permute", 3),
}
OWN: Lines = {line: Runs((preset,), restarts=restarts) for line, (preset, restarts) in BY_OWN.items()}
OWN_WAYS = ("answers", "answers, permuted")  # in which every network by its own recipe is compared with every other
BESIDE: Lines = {line: part for line, part in CELLS.items() if line in OWN or line[1] in OWN_WAYS}

TABLES: dict[str, tuple[str, Lines]] = {
    "equal-search": ("The same search for every model, by validation error on three tasks", SEARCHED),
    "equal": ("Every model on equal terms, 1,000 questions, five restarts", CELLS),
    "equal-time": ("What a ninth, a third and three times the training time give, five tasks", TIMES),
    "equal-width": ("What half and double the width give, five tasks", WIDTHS),
    "equal-align": ("What hard attention gives in each model, five tasks", ALIGNED),
    "equal-10k": ("Every model on equal terms, 10,000 questions, two restarts", MANY),
    "equal-joint": ("Every model on equal terms, one network for all tasks, two restarts", ALL_TASKS),
}

LABELS: dict[str, tuple[str, ...]] = {  # of what a line says after its model
    "equal": ("learns from",),
    "equal-time": ("time",),
    "equal-width": ("width",),
    "equal-align": ("alignment",),
    "equal-10k": (),
    "equal-joint": (),
}
PAIRED: dict[str, tuple[str, ...]] = {  # tables in which models are compared task by task and in pairs, and learned from what
    "equal": tuple(WAYS),
    "equal-10k": ("answers, permuted",),
    "equal-joint": ("answers",),
}
SUBTRACTED = {"equal-time": "Universal Transformer", "equal-width": "as it is", "equal-align": "softmax"}  # the line that is

ABOUT = {model: f"{name} ({' '.join(CHOSEN[model])})" for model, name in NAMES.items()}

STUDIES = (
    *(study(name, *table) for name, table in TABLES.items()),
    Study("equal-own", "Each network by its own recipe and on equal terms", (*OWN.values(), *BESIDE.values())),
)
PAPER = Paper(None, MODELS, studies=STUDIES, about=ABOUT)

NOT_LEARNED = {"qa2": "two facts", "qa17": "positional reasoning", "qa19": "path finding"}  # by nearly all of them
