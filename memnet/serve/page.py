"""The web page: a story, a question, and what one or two networks answer and read, by gradio (the extra ``demo``)."""

from __future__ import annotations

import json
import logging
import secrets
from collections.abc import Callable, Mapping
from functools import partial
from html import escape
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

from memnet.ask.example import Example, as_example, example_of
from memnet.ask.predictor import Predictor
from memnet.errors import AskError
from memnet.serve.endpoint import INTERNAL_ERROR, MAX_QUESTION, MAX_STORY, ask_checked, check_work, read_story
from memnet.serve.labels import judgement, network_label, network_labels, task_labels
from memnet.serve.turns import RefusedError, in_turn
from memnet.show.html import STYLE as ANSWER_STYLE
from memnet.show.html import answer_html
from memnet.tasks.families import EXAMPLES, members_in

NONE = ""  # in place of the second network's name
FIRST_TASK, FIRST_SEED = list(EXAMPLES.members)[1], 1  # of the example that the page opens with: two sentences answer it
HERE = Path(__file__).parent
STYLES, SCRIPT = (ANSWER_STYLE, HERE / "page.css"), HERE / "page.js"
LOG = logging.getLogger(__name__)
READ_LINK = "() => [Object.fromEntries(new URLSearchParams(location.hash.slice(1)))]"


class Shown(NamedTuple):
    """What stands in the boxes: a story, a statement a line, a question, the names of one or two networks."""

    story: str
    question: str
    first: str
    second: str = NONE


def answer_section(
    networks: Mapping[str, Predictor], name: str, story: str, question: str, example: Example | None = None, together: int = 1
) -> str:
    """A network's part of the page: its answer, or why there is none, as HTML; of an example, whether it is right.

    So many networks are asked ``together``.
    """
    head = escape(name)
    try:
        if name not in networks:
            raise RefusedError(404, "There is no network of that name.")
        network = networks[name]
        label = network_label(network)
        head = f"{escape(label)} <small>{escape(name)}</small>"
        typed = read_story(story)
        check_work(typed, together)
        answer = ask_checked(network, typed, question)
        judged = "" if example is None else judgement(network, example, answer)
        content = answer_html(answer, judged, typed.questions, buttons=True)
        content += picture_buttons(story, question, name) * bool(answer.hops)
    except (RefusedError, AskError) as error:
        content = f'<p class="refused">{escape(str(error))}</p>'
    except Exception:
        LOG.exception("a question failed")
        content = f'<p class="refused">{escape(INTERNAL_ERROR)}</p>'
    return f'<section class="panel memnet" aria-live="polite"><h3>{head}</h3>{content}</section>'


def picture_buttons(story: str, question: str, name: str) -> str:
    """What saves the picture of an answer: the server is asked to draw it."""
    request = escape(json.dumps({"story": story, "question": question, "network": name}))
    buttons = " ".join(f'<button type="button" data-save="{kind}">{kind.upper()}</button>' for kind in ("svg", "png"))
    return f'<p class="save" data-request="{request}">Save the picture: {buttons}</p>'


def link(shown: Shown) -> str:
    """What follows the page's address in a link that opens it with this story, question and networks."""
    return "#" + urlencode(shown._asdict(), errors="replace")


def answers_html(networks: Mapping[str, Predictor], shown: Shown, example: Example | None) -> str:
    """Everything below the question: a panel for each network side by side, and the link to all of this, as HTML."""
    if not shown.question.strip():
        return '<p class="note">Ask a question about the story, and the answer stands here.</p>'
    untouched = example if example and (example.story, example.question) == (shown.story, shown.question) else None
    names = [name for name in (shown.first, shown.second) if name != NONE]
    panels = "".join(answer_section(networks, name, shown.story, shown.question, untouched, len(names)) for name in names)
    copied = f'<a class="share" href="{escape(link(shown))}">Copy a link to this story and question</a>'
    return f'<div class="panels">{panels}</div><p>{copied}</p>'


def opened(networks: Mapping[str, Predictor], wanted: object) -> tuple[Shown, Example | None]:
    """What the page opens with: what a link says, or an example that two networks answer, where there are two."""
    said = {key: value for key, value in wanted.items() if isinstance(value, str)} if isinstance(wanted, dict) else {}
    first = said["first"] if said.get("first") in networks else next(iter(networks))
    other = next((name for name in networks if name != first), NONE)
    second = said["second"] if said.get("second") in [*networks, NONE] else other
    if said.get("story") or said.get("question"):
        return Shown(said.get("story", ""), said.get("question", ""), first, second), None
    example = first_example(networks[first])
    return Shown(example.story, example.question, first, second), example


def first_example(network: Predictor) -> Example:
    """The example that the page opens with: a story in words that the network knows, where that is known."""
    return network.examples[0] if network.examples else example_of(first_task(network), FIRST_SEED)


def another_example(network: Predictor, task: str | None) -> Example:
    """An example of a task, or of the network's own stories where no task is chosen and it has some."""
    if task is None and network.examples:
        return secrets.choice(network.examples)
    return example_of(task or first_task(network), secrets.randbelow(10**6))


def chosen_task(example: Example | None) -> str | None:
    """The task that is chosen with an example; none with a network's own."""
    return example.task if example and example.task in EXAMPLES.members else None


def first_task(network: Predictor) -> str:
    """The task of the example that the page opens with: one that the network was trained on, where that is known."""
    learned = [task for task in (FIRST_TASK, *EXAMPLES.members) if task in members_in(network.metadata.get("data", ()))]
    return learned[0] if learned else FIRST_TASK


def when_in_turn(function: Callable[..., Any], outputs: int) -> Callable[..., Any]:
    """An event's function, when it is its client's turn; the last of its outputs is HTML, which says where it is refused."""

    async def answer(*values: Any) -> Any:
        try:
            return await in_turn(partial(function, *values), sum(len(value) for value in values if isinstance(value, str)))
        except RefusedError as error:
            import gradio as gr

            said = f'<p class="refused">{escape(str(error))}</p>'
            return (*[gr.skip()] * (outputs - 1), said) if outputs > 1 else said

    return answer


def event_error(page: Any, event: Mapping[str, Any]) -> str:
    """What is wrong with an event that a browser sends to the ``page``, in a sentence, or ""."""
    number, data = event.get("fn_index"), event.get("data")
    function = page.fns.get(number) if type(number) is int else None
    if function is None:
        return "There is no such event."
    if not isinstance(data, list) or len(data) != len(function.inputs):
        return f"The event needs {len(function.inputs)} values."
    for value, box in zip(data, function.inputs, strict=True):
        choices = getattr(box, "choices", None)
        if choices is not None and value is not None and value not in [choice for _, choice in choices]:
            return f"{box.label} has no such choice."
    return ""


def make_page(networks: Mapping[str, Predictor]) -> Any:
    """The page, a ``gradio.Blocks``."""
    import gradio as gr

    def chosen(name: str | None) -> Predictor:
        return networks[name or next(iter(networks))]

    def update(*state: Any) -> str:
        *values, example = state
        return answers_html(networks, Shown(*(value or "" for value in values)), as_example(example))

    def change_network(*state: Any) -> tuple[Any, str]:
        return gr.update(choices=task_labels(chosen(state[2]))), update(*state)

    def load_example(task: str | None, first: str, second: str) -> tuple[Any, ...]:
        example = another_example(chosen(first), task)
        shown = Shown(example.story, example.question, first or NONE, second or NONE)
        return chosen_task(example), *shown[:2], example._asdict(), answers_html(networks, shown, example)

    def open_page(wanted: object) -> tuple[Any, ...]:
        shown, example = opened(networks, wanted)
        labels = task_labels(networks[shown.first])
        chosen = gr.update(choices=labels, value=chosen_task(example))
        return *shown, example._asdict() if example else None, chosen, answers_html(networks, shown, example)

    labelled = network_labels(networks)
    with gr.Blocks(analytics_enabled=False, title="memnet", fill_width=True) as blocks:
        gr.Markdown("# memnet\nTell a story, ask about it, and see which sentences the network read.")
        wanted, example = gr.JSON(visible=False), gr.JSON(visible=False)
        with gr.Row(elem_id="page"):
            with gr.Column(elem_id="boxes"):
                task = gr.Dropdown(task_labels(networks[labelled[0][1]]), value=None, label="Example", elem_id="task")
                again = gr.Button("Another example", size="sm", elem_id="example")
                with gr.Accordion("Write your own story", open=False, elem_id="own"):
                    story = gr.Textbox(label="A statement a line", lines=6, max_lines=12, max_length=MAX_STORY, elem_id="story")
                question = gr.Textbox(label="Question", max_length=MAX_QUESTION, elem_id="question")
                press = gr.Button("Ask", variant="primary", elem_id="ask")
                with gr.Column(elem_id="networks"):
                    first = gr.Dropdown(labelled, label="Network", elem_id="network")
                    second = gr.Dropdown([("no other network", NONE), *labelled], label="Compare with", elem_id="beside")
            answer = gr.HTML(elem_id="answer")
        wires: dict[str, Any] = {"show_progress": "hidden", "api_visibility": "private", "trigger_mode": "always_last"}
        wires["queue"] = False  # an event is one request, and the server keeps nothing between two of them
        shown = [story, question, first, second]
        asked = [press.click, question.submit, question.input, story.input, second.input]
        loaded, all_boxes = [task, story, question, example, answer], [*shown, example, task, answer]
        gr.on(asked, when_in_turn(update, 1), [*shown, example], answer, **wires)
        first.input(when_in_turn(change_network, 2), [*shown, example], [task, answer], **wires)
        gr.on([task.input, again.click], when_in_turn(load_example, 5), [task, first, second], loaded, **wires)
        blocks.load(when_in_turn(open_page, len(all_boxes)), wanted, all_boxes, js=READ_LINK, **wires)
    return blocks
