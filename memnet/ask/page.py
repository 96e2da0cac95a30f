"""The web page: an answer and its heat map as HTML, and the form around them, by gradio (the extra ``demo``)."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from memnet.ask.answer import Answer
from memnet.ask.endpoint import INTERNAL_ERROR, MAX_CONCURRENT, MAX_QUESTION, MAX_STORY, RefusedError, ask_in_turn, read_story
from memnet.ask.predictor import Predictor
from memnet.ask.screen import runners_up
from memnet.errors import AskError
from memnet.tasks.simulator import FILES, PUBLISHED, simulate

MAX_NAMED = 8  # unknown words that the page names
NO_SECOND = "none"
LOG = logging.getLogger(__name__)


def cell_style(weight: float) -> str:
    """The colours of a cell, from white (0) to dark blue (1), as CSS."""
    part = min(1.0, max(0.0, weight))
    red, green, blue = (round(255 + part * (end - 255)) for end in (8, 72, 140))
    return f"background:rgb({red},{green},{blue});color:{'#fff' if part > 0.7 else '#111'}"


def heat_map_html(answer: Answer) -> str:
    """A table as HTML: a row a sentence, a column a hop, the weight in the cell; evidence is bold and marked with an arrow."""
    if not answer.hops or not answer.hops[0]:
        return "<p>This network reads no sentences: it has no attention to show.</p>"
    weights = {(read.number, hop): read.weight for hop, reads in enumerate(answer.hops) for read in reads}
    sentences = {read.number: read.sentence for reads in answer.hops for read in reads}
    evidence = {read.number for read in answer.evidence}

    def row(head: str, values: Sequence[float], marked: bool) -> str:
        cells = "".join(f'<td style="{cell_style(value)}">{value:.2f}</td>' for value in values)
        sign, kind = ("\N{BLACK RIGHT-POINTING TRIANGLE}", ' class="evidence"') if marked else ("", "")
        return f'<tr{kind}><td class="mark">{sign}</td><th scope="row">{head}</th>{cells}</tr>'

    hops = range(len(answer.hops))
    rows = [
        row(f"{number} {escape(sentences[number])}", [weights.get((number, hop), 0.0) for hop in hops], number in evidence)
        for number in sorted(sentences)
    ]
    if any(answer.null_weights):
        rows.append(row(answer.null_label, answer.null_weights, False))
    heads = "".join(f'<th scope="col">hop {hop + 1}</th>' for hop in hops)
    return (
        f'<div class="heat"><table><thead><tr><th></th><th scope="col">sentence</th>{heads}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
        '<p class="note">How much each hop read each sentence; '
        "\N{BLACK RIGHT-POINTING TRIANGLE} and bold: what the answer rests on.</p>"
    )


def answer_notes(answer: Answer, questions: int) -> list[str]:
    """What else there is to say of an answer, a sentence each."""
    unknown = [f"{word!r} (near it: {', '.join(near)})" if near else repr(word) for word, near in answer.unknown_words.items()]
    more = len(unknown) - MAX_NAMED
    notes = []
    if unknown:
        notes.append(f"I do not know {', '.join(unknown[:MAX_NAMED])}{f' and {more} more words' if more > 0 else ''}.")
    if answer.typing_note:
        notes.append(answer.typing_note)
    if answer.truncated:
        notes.append(f"{answer.truncated} older sentence(s) are beyond my memory.")
    if questions:
        notes.append(f"{questions} question(s) among the statements are left out.")
    return [*notes, *(f"{note}." for note in answer.effort_notes)]


def answer_html(answer: Answer, questions: int = 0) -> str:
    """An answer as HTML: the answer, its probability, the runners-up, the heat map, and what else there is to say."""
    best = f"<strong>{escape(answer.text)}</strong> <span>{answer.probability:.0%}</span>"
    others = runners_up(answer)
    then = f" <small>then {escape(others)}</small>" if others else ""
    if not answer.answerable:
        best = f"<strong>{escape(answer.refusal)}</strong>"
        then = "" if answer.out_of_story_words else f" <small>my guess: {escape(answer.text)}</small>"
    below = "".join(f'<p class="note">{escape(note)}</p>' for note in answer_notes(answer, questions))
    return f'<p class="answer">{best}{then}</p>{heat_map_html(answer)}{below}'


def answer_section(networks: Mapping[str, Predictor], name: str, story: str, question: str) -> str:
    """The part of the page that is a network's: its answer, or why there is none, as HTML."""
    try:
        if name not in networks:
            raise RefusedError(404, "There is no network of that name.")
        typed = read_story(story)
        content = answer_html(ask_in_turn(networks[name], typed, question), typed.questions)
    except (RefusedError, AskError) as error:
        content = f'<p class="refused">{escape(str(error))}</p>'
    except Exception:
        LOG.exception("a question failed")
        content = f'<p class="refused">{escape(INTERNAL_ERROR)}</p>'
    return f'<section aria-live="polite"><h3>{escape(name)}</h3>{content}</section>'


def example_story(task: str, seed: int) -> tuple[str, str]:
    """A simulated story of a task, a statement a line, and the last question that it asks."""
    story = simulate(task, 20, seed)[0]
    last = story.questions[-1]
    return "\n".join(story.statements[: last.after]), last.text.strip()


STYLE = """
.heat { max-height: 60vh; overflow: auto; }
.heat table { border-collapse: collapse; width: 100%; font-size: 0.92em; }
.heat th, .heat td { padding: 2px 8px; border: 1px solid var(--border-color-primary); text-align: left; }
.heat tbody th { font-weight: normal; width: 99%; overflow-wrap: anywhere; }
.heat thead th { white-space: nowrap; font-weight: 600; }
.heat td { text-align: right; font-variant-numeric: tabular-nums; }
.heat td.mark { border-right: none; padding: 2px 0 2px 6px; }
.heat tbody th { border-left: none; }
.heat tr.evidence th, .heat tr.evidence td { font-weight: 700; }
.answer { font-size: 1.15em; }
.answer strong { font-size: 1.25em; }
.answer small { display: block; }
.note { opacity: 0.8; font-size: 0.9em; overflow-wrap: anywhere; }
.refused { border-left: 4px solid #c60; padding-left: 8px; }
footer { display: none !important; }
"""


def make_page(networks: Mapping[str, Predictor]) -> Any:
    """The page, a ``gradio.Blocks``."""
    import gradio as gr

    def update(story: str, question: str, first: str, second: str) -> tuple[str, Any]:
        if not question.strip():
            return '<p class="note">Tell a story, ask about it, and the answer stands here.</p>', gr.update(visible=False)
        other = answer_section(networks, second, story, question) if second != NO_SECOND else ""
        return answer_section(networks, first, story, question), gr.update(value=other, visible=bool(other))

    def load(task: str) -> tuple[str, str]:
        return example_story(task, secrets.randbelow(10**6))

    names = list(networks)
    tasks = [(f"{task[2:]} {FILES[task].replace('-', ' ')}", task) for task in PUBLISHED]
    with gr.Blocks(analytics_enabled=False, title="memnet") as blocks:
        gr.Markdown("# memnet\nTell a story, ask about it, and see which sentences the network read.")
        with gr.Row():
            with gr.Column(scale=3):
                story = gr.Textbox(
                    label="Story, one statement a line", lines=9, max_lines=9, max_length=MAX_STORY, elem_id="story"
                )
                question = gr.Textbox(label="Question", max_length=MAX_QUESTION, elem_id="question")
            with gr.Column(scale=2):
                task = gr.Dropdown(tasks, value=PUBLISHED[0], label="Task", elem_id="task")
                load_example = gr.Button("Load an example story", elem_id="example")
                with gr.Row():
                    first = gr.Dropdown(names, value=names[0], label="Network", elem_id="network", min_width=120)
                    second = gr.Dropdown(
                        [NO_SECOND, *names], value=NO_SECOND, label="Beside it", elem_id="beside", min_width=120
                    )
                press = gr.Button("Ask", variant="primary", elem_id="ask")
        with gr.Row():
            with gr.Column():
                answer = gr.HTML(elem_id="answer")
            with gr.Column():
                other = gr.HTML(visible=False, elem_id="other")
        wires: dict[str, Any] = {"show_progress": "hidden", "api_visibility": "private", "trigger_mode": "always_last"}
        changes = [press.click, question.submit, *(each.change for each in (question, story, first, second)), blocks.load]
        gr.on(changes, update, [story, question, first, second], [answer, other], **wires)
        load_example.click(load, task, [story, question], **wires)
    return blocks.queue(max_size=100, default_concurrency_limit=4 * MAX_CONCURRENT, api_open=False)
