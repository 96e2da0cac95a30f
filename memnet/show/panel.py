"""An answer as the page shows it: the answer, how sure it is, and the story with what each hop read highlighted, as HTML.

The buttons of the hops and of the picture work by ``page.js``; colours and places are those of ``page.css``.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping, Sequence
from html import escape

from memnet.ask.answer import Answer, in_words
from memnet.show.folding import NULLS, Fold, story_parts
from memnet.show.picture import picture
from memnet.show.terminal import SMALLEST_SHOWN, Row, visible_weight
from memnet.tasks.text import visible

MAX_NAMED = 8  # unknown words that are named
HOP = (
    "A hop is one look at the story. What a hop reads changes what the next one looks for, "
    "so several hops can put several sentences together."
)
STEP = "Press hop 1, then the next ones, to see the network read step by step."
ATTENTION = "How much of what a hop read came from each sentence, in percent. The darker, the more; blank is none."


def answer_html(answer: Answer, question: str, label: str, questions: int = 0, verdict: str = "") -> str:
    """What stands below a network's name: answer, verdict, notes, hops and story; ``questions`` were left out of the story.

    ``verdict`` is HTML that stands below the answer.
    """
    notes = "".join(f'<p class="note">{escape(note)}</p>' for note in answer_notes(answer, questions))
    return f"{headline(answer)}{verdict}{notes}{story_html(answer)}{picture_links(answer, question, label)}"


def headline(answer: Answer) -> str:
    """The answer and its confidence, which can be unfolded to say what that is, and the runners-up."""
    if not answer.answerable:
        guess = "" if answer.out_of_story_words else f"<small>my guess: {escape(visible(answer.text))}</small>"
        return f'<div class="answer refusal"><strong>{escape(visible(answer.refusal))}</strong> {guess}</div>'
    others = [f"{visible(in_words(name))} {percent(chance)}" for name, chance in answer.runners_up]
    then = f"<small>other answers: {escape(' · '.join(others))}</small>" if others else ""
    return (
        f'<div class="answer"><strong>{escape(visible(answer.text))}</strong> '
        f"{term(f'confidence {answer.probability:.0%}', confidence_text(answer))}{then}</div>"
    )


def percent(chance: float) -> str:
    """A probability in percent; the smallest are not said to be none.

    >>> percent(0.25), percent(0.004)
    ('25%', '<1%')
    """
    return f"{chance:.0%}" if chance >= SMALLEST_SHOWN else "<1%"


def confidence_text(answer: Answer) -> str:
    """What the percentage of an answer means."""
    if answer.calibrated_on:
        checked = f"It was checked on {answer.calibrated_on}: of answers with 90% about nine in ten are right."
    else:
        checked = "Nobody checked how often it is right with such a percentage."
    return f"How likely the network takes this answer to be. {checked}"


def term(name: str, meaning: str) -> str:
    """A name that says what it means when it is pressed."""
    return f'<details class="term"><summary>{escape(name)}</summary><span>{escape(meaning)}</span></details>'


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
        notes.append(f"{counted(answer.truncated, 'older sentence')} beyond my memory.")
    if questions:
        notes.append(f"{counted(questions, 'question')} among the statements, and left out.")
    return [*notes, *(f"{note}." for note in answer.effort_notes)]


def counted(count: int, name: str) -> str:
    """How many there are, with the verb.

    >>> counted(1, "question"), counted(1200, "question")
    ('1 question is', '1,200 questions are')
    """
    return f"{count:,} {name}{' is' if count == 1 else 's are'}"


def story_html(answer: Answer) -> str:
    """The hops to step through, and the story: a line a sentence, the darker the more it was read, a cell a hop."""
    if not answer.hops or not answer.hops[0]:
        return '<p class="note">This network reads no sentences: it has no attention to show.</p>'
    unknown = {word.lower(): near_words(near) for word, near in {**answer.unknown_words, **answer.typing_errors}.items()}
    lines = "".join(part_html(part, answer.null_label, unknown) for part in story_parts(answer))
    heads = "".join(f'<span data-column="{hop}">{hop}</span>' for hop in range(1, len(answer.hops) + 1))
    head = f'<div class="line head">{term("attention, percent by hop", ATTENTION)}<span class="cells">{heads}</span></div>'
    rests = '<p class="note">\N{BLACK RIGHT-POINTING TRIANGLE} the answer rests on it</p>' if answer.evidence else ""
    return f'{hop_buttons(answer)}<div class="story">{head}{lines}</div>{rests}'


def near_words(near: Sequence[str]) -> str:
    """What is said of an unknown word where it stands."""
    return f"not known; near it: {', '.join(near)}" if near else "not known"


def hop_buttons(answer: Answer) -> str:
    """A button for all hops and one for each, where there are several, and below them what the chosen hop read."""
    hops = range(1, len(answer.hops) + 1)
    said = [hop_text(answer, hop) for hop in hops]
    if len(said) == 1:
        return f'<div class="hops">1 hop {term("What is a hop?", HOP)}</div><p class="said">{escape(said[0])}</p>'
    names = ["all hops", *(f"hop {hop}" for hop in hops)]
    buttons = "".join(
        f'<button type="button" data-step="{step}" aria-pressed="{"false" if step else "true"}">{name}</button>'
        for step, name in enumerate(names)
    )
    lines = "".join(
        f'<p class="said" data-of="{step}"{" hidden" if step else ""}>{escape(line)}</p>'
        for step, line in enumerate([STEP, *said])
    )
    return f'<div class="hops" role="group" aria-label="hops">{buttons}{term("What is a hop?", HOP)}</div>{lines}'


def hop_text(answer: Answer, hop: int) -> str:
    """What a hop, numbered from 1, read most, in a sentence."""
    most, null = answer.hops[hop - 1][0], answer.null_weights[hop - 1]
    if null > most.weight:
        return f"Hop {hop} read {NULLS[answer.null_label]} ({null:.0%})."
    return f"Hop {hop} read sentence {most.number} most ({most.weight:.0%}): {visible(most.sentence)}"


def part_html(part: Row | Fold, null_label: str, unknown: Mapping[str, str]) -> str:
    """A line, or several that can be unfolded."""
    if isinstance(part, Fold):
        inner = "".join(line_html(row, null_label, unknown) for row in part.rows)
        return f'<details class="fold"><summary>{part.text}</summary>{inner}</details>'
    return line_html(part, null_label, unknown)


def line_html(row: Row, null_label: str, unknown: Mapping[str, str]) -> str:
    """A sentence with its number, shaded as it was read most, and a cell a hop: percent, blank where it was not read."""
    weights = [visible_weight(weight) for weight in row.weights]
    cells = "".join(cell_html(hop, weight) for hop, weight in enumerate(weights, 1))
    kind = " evidence" if row.is_evidence else "" if any(weights) else " unread"
    text = mark_unknown(row.sentence, unknown) if row.number else f"<em>{escape(NULLS[null_label])}</em>"
    mark = "\N{BLACK RIGHT-POINTING TRIANGLE}" if row.is_evidence else ""
    reads = " ".join(f"{weight:.3f}" for weight in weights)
    return (
        f'<div class="line{kind}" data-reads="{reads}" style="--read:{max(weights):.3f}">'
        f'<span class="mark">{mark}</span><span class="number">{row.number or ""}</span>'
        f'<span class="text"><span>{text}</span></span><span class="cells">{cells}</span></div>'
    )


def cell_html(hop: int, weight: float) -> str:
    """The percent that a hop, numbered from 1, read; blank for none."""
    if weight == 0:
        return f'<span data-column="{hop}"></span>'
    return f'<span data-column="{hop}" class="read" style="--read:{weight:.3f}">{round(100 * weight)}</span>'


def mark_unknown(sentence: str, unknown: Mapping[str, str]) -> str:
    """A sentence as HTML; words that the network does not know are underlined and say so."""
    pieces = re.split(r"(\w+)", sentence)
    return "".join(
        f'<u title="{escape(unknown[piece.lower()])}">{escape(piece)}</u>' if piece.lower() in unknown else escape(piece)
        for piece in pieces
    )


def picture_links(answer: Answer, question: str, label: str) -> str:
    """Links that save the picture of the answer; the picture is in the link itself."""
    drawn = base64.b64encode(picture(answer, question, label, story_parts(answer)).encode()).decode()
    return (
        f'<p class="save">Save the picture: <a download="memnet.svg" href="data:image/svg+xml;base64,{drawn}">SVG</a> '
        '<button type="button" data-png>PNG</button></p>'
    )
