"""What the page without a server asks of Python, which runs in the browser: JSON in, JSON out (docs/playground.md).

It is the package's own code: the same parser, network, probabilities and HTML as the page of ``memnet serve``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from memnet.ask.answer import Answer, Read
from memnet.ask.by_hand import Change, apart, changed, plane
from memnet.ask.example import as_example, example_of
from memnet.ask.parser import StoryParser
from memnet.ask.predictor import Predictor
from memnet.errors import AskError, ConfigError, NetworkError
from memnet.serve.labels import judgement, network_label, task_labels
from memnet.show.html import answer_html

OPENED_BY_HAND = "memn2n"  # the model whose hops are shown as numbers
NO_LIBRARY = "This page cannot read emoji, or writing without spaces between words. memnet on your own computer can."


@cache
def network(name: str) -> Predictor:
    """A network of the package, opened once."""
    return Predictor.from_name(name)


def reply(request: str) -> str:
    """The reply to a request, {"do": one of :data:`DOES`, ...}; where there is none, {"error": one sentence}."""
    asked = json.loads(request)
    try:
        value = DOES[asked["do"]](asked)
    except (AskError, ConfigError, NetworkError) as error:
        value = {"error": str(error)}
    except ModuleNotFoundError as error:
        if error.name != "regex":
            raise
        value = {"error": NO_LIBRARY}
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def open_network(asked: Mapping[str, Any]) -> dict[str, Any]:
    """What a network is called, the tasks that it may be asked, and whether its hops can be shown as numbers."""
    opened = network(asked["network"])
    known = [word for word in opened.known_words if "," not in word] if opened.engine.model == OPENED_BY_HAND else []
    return {"label": network_label(opened), "tasks": task_labels(opened), "words": known}


def example(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Another story of a task, with its question and the right answer."""
    return example_of(asked["task"], asked["seed"])._asdict()


def answer(asked: Mapping[str, Any]) -> dict[str, Any]:
    """The answer to a question about a story without the statements that are struck, as HTML, and its hops as numbers."""
    opened = network(asked["network"])
    stories = StoryParser().parse(asked["story"])
    statements, left_out = stories[-1].statements, sum(len(story.questions) for story in stories)
    struck = {number for number in asked.get("struck", ()) if number <= len(statements)}
    told = [text for number, text in enumerate(statements, 1) if number not in struck]
    change = change_of(asked.get("change") or {})
    if change != Change():
        opened = changed(opened, change)
    found = opened.ask(told, asked["question"])
    shown = as_example(asked.get("example"))
    judged = "" if shown is None or struck or change != Change() else judgement(opened, shown, found)
    html = answer_html(restored(found, statements, struck), judged, left_out, buttons=True)
    value: dict[str, Any] = {"html": html, "story": statements}
    value |= {"answer": found.text if found.answerable else None, "probability": found.chance}
    return value | ({"apart": apart(opened, told, asked["question"])} if opened.engine.model == OPENED_BY_HAND else {})


def change_of(value: Mapping[str, Any]) -> Change:
    """What a person changed, of JSON values."""
    moved = {int(table): {word: (x, y) for word, (x, y) in places.items()} for table, places in value.get("moved", {}).items()}
    moved = {table: places for table, places in moved.items() if places}
    among = value.get("among", ()) if moved else ()
    return Change(float(value.get("temperature", 1)), bool(value.get("hard")), moved, among, value.get("instead", {}))


def restored(answer: Answer, statements: Sequence[str], struck: Collection[int]) -> Answer:
    """An answer to a story without the statements that are struck, with the numbers of the whole story; nobody read those."""
    if not struck or not answer.hops:
        return answer
    kept = [number for number in range(1, len(statements) + 1) if number not in struck]
    unread = [Read(number, statements[number - 1], 0.0) for number in sorted(struck)]
    hops = [[read._replace(number=kept[read.number - 1]) for read in hop] + unread for hop in answer.hops]
    return replace(answer, hops=hops, story=statements)


def words(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Words of a table in two dimensions."""
    return plane(network(asked["network"]), asked["table"], asked["words"]).as_json()


DOES: Mapping[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
    "open": open_network,
    "example": example,
    "ask": answer,
    "words": words,
}
