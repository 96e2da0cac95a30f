"""What a page calls things: tasks by their names in the paper, networks by what they are; and how often they are right."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from memnet.ask.answer import Answer
from memnet.ask.example import Example, verdict
from memnet.ask.predictor import Predictor
from memnet.tasks.families import EXAMPLES, members_in, number_of


def errors_of(network: Predictor) -> dict[str, float]:
    """The test error, by member, in percent that a network was saved with; of an older one, nothing."""
    saved = network.metadata.get("errors", ())
    return {members_in([row["data"]])[0]: row["test"] for row in saved if row["test"] is not None}


def percent_right(error: float) -> str:
    """How often a network with so many percent error is right.

    >>> percent_right(13.9), percent_right(0.0), percent_right(90.7)
    ('86.1%', '100%', '9.3%')
    """
    return f"{round(100 - error, 1):g}%"


def task_labels(network: Predictor) -> list[tuple[str, str]]:
    """The label and the name of every task that examples are drawn of: number, title, how often the network is right."""
    errors = errors_of(network)
    return [
        (f"{number} {title}" + (f" ({percent_right(errors[task])} right)" if task in errors else ""), task)
        for number, (task, title) in enumerate(EXAMPLES.members.items(), 1)
    ]


def network_label(network: Predictor) -> str:
    """What a network is, as the title of its model says, without the article: "End-to-end memory network"."""
    title = network.engine.title.rstrip(",").split(" ", 1)[1]
    return title[0].upper() + title[1:]


def network_labels(networks: Mapping[str, Predictor]) -> list[tuple[str, str]]:
    """The label and the name of every network; the label has the name too where several networks are of one kind."""
    labels = {name: network_label(network) for name, network in networks.items()}
    shared = list(labels.values())
    return [(f"{label} ({name})" if shared.count(label) > 1 else label, name) for name, label in labels.items()]


def judgement(network: Predictor, example: Example, answer: Answer) -> str:
    """Whether the answer to an example is right, and how often the network is in its task, where that is known; as HTML."""
    found, errors, often = verdict(answer, example.answer), errors_of(network), ""
    kind = "right" if found == "Right." else "wrong"
    if example.task in errors:
        often = (
            f"It answers {percent_right(errors[example.task])} of the test questions of task {number_of(example.task)} right."
        )
    return f'<p class="verdict {kind}">{escape(found)} <small>{often}</small></p>'
