"""Stories of logs of movements: the lines that name one thing among others, and the questions about it.

So a reader of a long log gets them: :mod:`memnet.tasks.movements` draws the log, of its half to learn from.
"""

from __future__ import annotations

from random import Random

from .. import movements
from ..text.tokens import split
from .log_forms import ARTICLE
from .stamps import stamps
from .texts import Answer, Question, Statement, Story
from .told import mentions_of, reason_of

LINES, ABOUT, OTHERS = 80, 12, (2, 8)  # of a log; of a story about its thing, at most, and about others
EVERY, MOST_ASKED = 40, 6  # questions of each kind that are drawn; the things of which most are asked
COUNTED, WHEN, NOBODY = "often", "when", "nobody has"


def draw_moved(random: Random, stamped: bool) -> Story:
    """A story of one thing of a log, with a day before each line where it is ``stamped``; with no question at worst."""
    log = movements.draw(random, lines=LINES, half="train", number=EVERY)
    things = [one.text.removeprefix("the ") for one in log.cast.things]
    about = {name: [at for at, line in enumerate(log.lines) if names(line.text, name)] for name in things}
    asked_of = {name: [one for one in log.questions if names(one.text, name)] for name in things}
    name = random.choice(sorted(things, key=lambda thing: len(asked_of[thing]))[-MOST_ASKED:])
    kept = about[name][-ABOUT:]
    rest = [at for at in range(len(log.lines)) if at not in about[name]]
    chosen = sorted({*kept, *random.sample(rest, random.randint(*OTHERS))})
    days = stamps(random)
    told = [f"{next(days)}: {log.lines[at].text}" if stamped else log.lines[at].text for at in chosen]
    statements = [Statement(tuple(split(text.rstrip("."))), text) for text in told]
    place = {at: number for number, at in enumerate(chosen)}
    questions = []
    for one in asked_of[name]:
        if not {*one.evidence} <= {*chosen} or (one.kind == COUNTED and len(kept) < len(about[name])):
            continue
        evidence = tuple(place[at] for at in one.evidence)
        text = one.answer or ""
        if one.kind == WHEN:
            text = told[evidence[-1]].partition(":")[0] if stamped and evidence else ""
        answer = answer_of(one, text, statements, evidence)
        if answer is not None:
            questions.append(Question(tuple(split(one.text)), one.text, answer, evidence, "log", len(statements)))
    return Story(tuple(statements), tuple(questions))


def names(text: str, name: str) -> bool:
    """Whether a text has a name in whole words.

    >>> names("Ann took drill 5.", "drill 5"), names("Ann took drill 52.", "drill 5")
    (True, False)
    """
    return f" {' '.join(split(name))} " in f" {' '.join(split(text))} "


def answer_of(asked: movements.Question, text: str, statements: list[Statement], evidence: tuple[int, ...]) -> Answer | None:
    """The answer as a reader gives it; ``None`` where the statements do not have its words."""
    if asked.kind == NOBODY:
        return Answer("nothing", "nothing")
    if not text:
        return Answer("untold", "", reason=reason_of(asked.text))
    if asked.kind == COUNTED:
        return Answer("number", text, number=int(text)) if text.isdigit() else None
    found = mentions_of(tuple(split(ARTICLE.sub("", text))), statements)
    if asked.kind == WHEN:
        found = tuple(span for span in found if span[0] == evidence[-1])[:1]
    return Answer("span", text, found[-1:], (found,)) if found else None
