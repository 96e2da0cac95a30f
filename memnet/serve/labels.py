"""What the page calls things: tasks by their names in the paper, networks by what they are and how often they are right."""

from __future__ import annotations

from collections.abc import Mapping

from memnet.ask.predictor import Predictor
from memnet.tasks.simulator import PUBLISHED

TITLES = {  # Weston et al. 2015, arXiv 1502.05698, table 3
    "qa1": "single supporting fact",
    "qa2": "two supporting facts",
    "qa3": "three supporting facts",
    "qa4": "two-argument relations",
    "qa5": "three-argument relations",
    "qa6": "yes/no questions",
    "qa7": "counting",
    "qa8": "lists and sets",
    "qa9": "simple negation",
    "qa10": "indefinite knowledge",
    "qa11": "basic coreference",
    "qa12": "conjunction",
    "qa13": "compound coreference",
    "qa14": "time reasoning",
    "qa15": "basic deduction",
    "qa16": "basic induction",
    "qa17": "positional reasoning",
    "qa18": "size reasoning",
    "qa19": "path finding",
    "qa20": "agents' motivations",
}


def errors_of(network: Predictor) -> dict[str, float]:
    """The test error of each task in percent that a network was saved with; of an older one, nothing."""
    saved = network.metadata.get("errors", ())
    return {row["data"].rpartition("/")[2]: row["test"] for row in saved if row["test"] is not None}


def percent_right(error: float) -> str:
    """How often a network with so many percent error is right.

    >>> percent_right(13.9), percent_right(0.0), percent_right(90.7)
    ('86.1%', '100%', '9.3%')
    """
    return f"{round(100 - error, 1):g}%"


def task_label(task: str, errors: Mapping[str, float]) -> str:
    """The number and title of a task, and how often a network with these test errors is right.

    >>> task_label("qa19", {"qa19": 13.9}), task_label("qa1", {})
    ('19 path finding (86.1% right)', '1 single supporting fact')
    """
    right = f" ({percent_right(errors[task])} right)" if task in errors else ""
    return f"{task.removeprefix('qa')} {TITLES[task]}{right}"


def task_labels(network: Predictor) -> list[tuple[str, str]]:
    """The label and the name of every task, as a network does on it."""
    errors = errors_of(network)
    return [(task_label(task, errors), task) for task in PUBLISHED]


def network_label(network: Predictor) -> str:
    """What a network is, as the title of its model says, without the article: "End-to-end memory network"."""
    title = network.net.title.rstrip(",").split(" ", 1)[1]
    return title[0].upper() + title[1:]


def network_labels(networks: Mapping[str, Predictor]) -> list[tuple[str, str]]:
    """The label and the name of every network; the label has the name too where several networks are of one kind."""
    labels = {name: network_label(network) for name, network in networks.items()}
    shared = list(labels.values())
    return [(f"{label} ({name})" if shared.count(label) > 1 else label, name) for name, label in labels.items()]
