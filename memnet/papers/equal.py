"""Every model on equal terms: the same questions, recipe, search, restarts and time, declared in one place.

Recipe. Adam, a learning rate that falls to zero, batches of 50, the norm of the gradient at most 1; the epoch with the least
validation error is kept, ten epochs in a row without an error end a training. So many epochs that a restart takes about
:data:`SECONDS` of a core in the mean over the tasks.

Search. The same grid for every model: four learning rates times its own regularisation, weak and strong, one restart, on
:data:`SEARCH_TASKS`. The mean validation error chooses (:data:`CHOSEN`), for all that follows; test errors choose nothing.

All of it: ``memnet reproduce equal-search``.
"""

from __future__ import annotations

from itertools import product
from typing import Any

from memnet.config import Training
from memnet.models.causal import CausalConfig
from memnet.models.dmn import DMNConfig
from memnet.models.lstm import LSTMConfig
from memnet.models.memn2n import MemN2NConfig
from memnet.models.memnn import MemNNConfig
from memnet.models.transformer import TransformerConfig
from memnet.papers.declare import Paper, Runs, Study

SECONDS = 12
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

Lines = dict[tuple[str, ...], Runs]  # of a table: what a line says first, the model before all, and its runs


def study(name: str, title: str, lines: Lines) -> Study:
    """The study of a table's lines."""
    return Study(name, title, tuple(lines.values()))


def needs(model: str) -> tuple[str, ...]:
    """Settings without which a model does not learn: the MemNN learns what to read from facts, and from nothing else."""
    return ("supervision=facts",) if model == "equal-memnn" else ()


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

TABLES: dict[str, tuple[str, Lines]] = {
    "equal-search": ("The same search for every model, by validation error on three tasks", SEARCHED),
}

ABOUT = {model: f"{name}, on equal terms" for model, name in NAMES.items()}

PAPER = Paper(None, MODELS, studies=tuple(study(name, *table) for name, table in TABLES.items()), about=ABOUT)
