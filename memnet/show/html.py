"""An answer as HTML, for the page and for notebooks: the answer, how sure it is, and the story with what each hop read.

It is styled by ``answer.css``, legible on white and on black. The buttons of the hops work by ``page.js`` of the page.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

from memnet.ask.answer import Answer
from memnet.show.rows import (
    SMALLEST_SHOWN,
    Row,
    counted,
    fold_title,
    folded,
    other_notes,
    runners_up,
    visible_weight,
    word_notes,
)
from memnet.tasks.text import visible

STYLE = Path(__file__).parent / "answer.css"
BLUE, STRONGEST = (37, 99, 235), 0.55  # a cell is this much of this colour at weight 1; the text keeps the page's colour
MARK = "\N{BLACK RIGHT-POINTING TRIANGLE}"  # before what the answer rests on
MOST_LISTED = 200  # statements of a story without weights
HOP = (
    "A hop is one look at the story. What a hop reads changes what the next one looks for, "
    "so several hops can put several sentences together."
)
STEP = "Press hop 1, then the next ones, to see the network read step by step."
ATTENTION = "How much of what a hop read came from each sentence, in percent. The darker, the more; blank is none."
NULLS = {"(nothing)": "no sentence", "(end)": "nothing more: the hops end here"}  # what a hop reads that reads none


def notebook_html(answer: Answer) -> str:
    """An answer in a notebook: its style, the question and :func:`answer_html`."""
    asked = f"<p>{escape(visible(answer.question))}</p>" if answer.question else ""
    return f'<style>{STYLE.read_text(encoding="utf-8")}</style><div class="memnet">{asked}{answer_html(answer)}</div>'


def answer_html(answer: Answer, verdict: str = "", questions: int = 0, buttons: bool = False) -> str:
    """The answer, notes, and the story; ``questions`` were left out of the story, and ``buttons`` step through the hops.

    ``verdict`` is HTML that stands below the answer.
    """
    notes = word_notes(answer.unknown_words, answer.typing_errors)
    notes += [f"{counted(answer.truncated, 'older statement')} beyond my memory."] * bool(answer.truncated)
    notes += [f"{counted(questions, 'question')} among the statements, and left out."] * bool(questions)
    notes += [f"{note}." for note in (*answer.length_notes, *answer.effort_notes)] + other_notes(answer)
    said = "".join(f'<p class="note">{escape(note)}</p>' for note in notes)
    return f"{headline(answer)}{verdict}{said}{story_html(answer, buttons)}"


def headline(answer: Answer) -> str:
    """The answer and its confidence, which can be unfolded to say what that is, and the other answers."""
    if not answer.answerable:
        guess = f"<small>my guess: {escape(visible(answer.guess))}</small>" if answer.guess else ""
        return f'<div class="answer refusal"><strong>{escape(visible(answer.refusal))}</strong> {guess}</div>'
    others = [f"{name} {chance:.0%}" if chance >= SMALLEST_SHOWN else f"{name} <1%" for name, chance in runners_up(answer)]
    then = f"<small>other answers: {escape(' · '.join(others))}</small>" if others else ""
    meaning = "How likely the network takes this answer to be. " + (
        f"It was checked on {answer.calibrated_on}: of answers with 90% about nine in ten are right."
        if answer.calibrated_on
        else "Nobody checked how often it is right with such a percentage."
    )
    return (
        f'<div class="answer"><strong>{escape(visible(answer.text))}</strong> '
        f"{term(f'confidence {answer.probability:.0%}', meaning)}{then}</div>"
    )


def term(name: str, meaning: str) -> str:
    """A name that says what it means when it is pressed."""
    return f'<details class="term"><summary>{escape(name)}</summary><span>{escape(meaning)}</span></details>'


def story_html(answer: Answer, buttons: bool = False) -> str:
    """The story: a line a sentence, the darker the more it was read, a cell a hop; what was hardly read is folded."""
    if not answer.hops or not answer.hops[0]:
        return f'<p class="note">This network reads no sentences: it has no attention to show.</p>{numbered(answer.story)}'
    unknown = {
        word.lower(): f"not known; near it: {', '.join(near)}" if near else "not known"
        for word, near in {**answer.unknown_words, **answer.typing_errors}.items()
    }
    lines = "".join(part_html(part, unknown) for part in folded(answer))
    heads = "".join(f'<th data-column="{hop}">{hop}</th>' for hop in range(1, len(answer.hops) + 1))
    head = f'<tr><th class="text" colspan="3">{term("attention, percent by hop", ATTENTION)}</th>{heads}</tr>'
    rests = f'<p class="note">{MARK} the answer rests on it</p>' if answer.evidence else ""
    table = f'<table class="story"><thead>{head}</thead><tbody>{lines}</tbody></table>'
    return f"{hop_buttons(answer) if buttons else ''}{table}{rests}"


def numbered(statements: Sequence[str]) -> str:
    """Statements with their numbers, a line each; of very many the last."""
    more = max(0, len(statements) - MOST_LISTED)
    lines = [f"({more:,} more)"] * bool(more)
    lines += [f"{number} {escape(visible(text))}" for number, text in enumerate(statements[more:], more + 1)]
    return f"<div>{'<br>'.join(lines)}</div>" if lines else ""


def hop_buttons(answer: Answer) -> str:
    """A button for all hops and one for each, where there are several, and below them what the chosen hop read."""
    said = [hop_text(answer, hop) for hop in range(1, len(answer.hops) + 1)]
    meaning = term("What is a hop?", HOP)
    if len(said) == 1:
        return f'<div class="hops">1 hop {meaning}</div><p class="said">{escape(said[0])}</p>'
    buttons = "".join(
        f'<button type="button" data-step="{step}" aria-pressed="{"false" if step else "true"}">'
        f"{f'hop {step}' if step else 'all hops'}</button>"
        for step in range(len(said) + 1)
    )
    lines = "".join(
        f'<p class="said" data-of="{step}"{" hidden" if step else ""}>{escape(line)}</p>'
        for step, line in enumerate([STEP, *said])
    )
    return f'<div class="hops" role="group" aria-label="hops">{buttons}{meaning}</div>{lines}'


def hop_text(answer: Answer, hop: int) -> str:
    """What a hop, numbered from 1, read most, in a sentence."""
    most, null = answer.hops[hop - 1][0], answer.null_weights[hop - 1]
    if null > most.weight:
        return f"Hop {hop} read {NULLS[answer.null_label]} ({null:.0%})."
    return f"Hop {hop} read sentence {most.number} most ({most.weight:.0%}): {visible(most.sentence)}"


def part_html(part: Sequence[Row], unknown: Mapping[str, str]) -> str:
    """A line, or several that can be unfolded."""
    lines = "".join(line_html(row, unknown) for row in part)
    if len(part) == 1:
        return lines
    folds = f'<details class="fold"><summary>{fold_title(part)}</summary><table class="story">{lines}</table></details>'
    return f'<tr><td colspan="{3 + len(part[0].weights)}">{folds}</td></tr>'


def line_html(row: Row, unknown: Mapping[str, str]) -> str:
    """A sentence with its mark and number, shaded as it was read most, and a cell a hop."""
    kind = " evidence" if row.is_evidence else "" if row.most else " unread"
    text = mark_unknown(row.text, unknown) if row.number else f"<em>{escape(row.text)}</em>"
    reads = " ".join(f"{weight:.3f}" for weight in row.shown)
    return (
        f'<tr class="line{kind}" data-reads="{reads}" style="--read:{row.most:.3f}">'
        f'<td class="mark">{MARK if row.is_evidence else ""}</td><td class="number">{row.number or ""}</td>'
        f'<td class="text"><span>{text}</span></td>{"".join(map(cell_html, row.weights, range(1, len(row.weights) + 1)))}</tr>'
    )


def cell_html(weight: float, hop: int) -> str:
    """The percent that a hop read, the bluer the more; blank where it counts as none."""
    shown = visible_weight(weight)
    shade = f' style="background:rgba({",".join(map(str, BLUE))},{STRONGEST * shown:.2f})"' if shown else ""
    return f'<td data-column="{hop}"{shade}>{round(100 * weight) if shown else ""}</td>'


def mark_unknown(sentence: str, unknown: Mapping[str, str]) -> str:
    """A sentence as HTML; words that the network does not know are underlined and say so."""
    return "".join(
        f'<u title="{escape(unknown[piece.lower()])}">{escape(piece)}</u>' if piece.lower() in unknown else escape(piece)
        for piece in re.split(r"(\w+)", sentence)
    )
