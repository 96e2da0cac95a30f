"""What is known of a candidate: how its operation fits the question, how surely entries tell it, what kind of answer it is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from memnet.ask.answer import Answer, spaced
from memnet.facts.names import key_of
from memnet.memory.entrywise.amounts import is_amount, is_of_another_kind
from memnet.memory.entrywise.operations import (
    BEFORE,
    COUNT,
    EVERY,
    FIRST,
    LEAST,
    LISTED,
    MOST,
    NEWEST,
    SUM,
    asks_for_several,
    of_superlative,
    operation_of,
)
from memnet.memory.entrywise.ranked.candidates import EVER, KNOWN, LEVELS, REFUSAL, Candidate
from memnet.memory.entrywise.ranked.lines import asked_words
from memnet.memory.entrywise.ranked.relevance import AT as OF_ENTRY
from memnet.memory.entrywise.ranked.relevance import KINDS, MISSING, OPERATIONS, Readings
from memnet.memory.entrywise.reader import NO, NOTHING, YES
from memnet.memory.wanted import kind_of, may_answer
from memnet.memory.weighing import agree
from memnet.tasks.text.tokens import split

Array = NDArray[np.float32]
EVERY_OPERATION = (NEWEST, FIRST, BEFORE, COUNT, EVER, SUM, MOST, LEAST, EVERY, LISTED, KNOWN, REFUSAL)
SAID = (  # words of questions that tell operations apart
    "how many much often times when where who whose which what why is are has have did does do was were can last "
    "latest first before previous ever yet still now moment currently all every each total altogether most least "
    "anybody anyone any name list date day time number long far old since so wrong recent recently then after "
)
CUES = tuple(SAID.split())
OF_SOURCE = (
    "near",
    "exact known",
    "all codes",
    "other code",
    "names",
    "log odds",
    "suits",
    "planned",
    "not",
    "if",
    "asks",
    "near rank",
    "odds rank",
    "match",
    "match rank",
)
OF_CANDIDATE = (
    *("chance", "log odds of it", "rest", "parts", "behind", "is meant", "recency"),
    *(
        "number",
        "digits",
        "capital",
        "time",
        "yes",
        "no",
        "nothing",
        "code",
        "amount",
        "words",
        "echo",
        "may answer",
        "another kind",
    ),
    *("agrees", "differs", "same entry", "known chance", "known none", "known later", "known surely", "known of entries"),
)
OF_QUESTION = (
    "greatest",
    "second",
    "expected",
    "several",
    "unknown",
    "unknown code",
    "unknown name",
    "asks for several",
    "superlative",
    "asked words",
)
FEATURES = (
    *(f"does {one}" for one in EVERY_OPERATION),
    *(f"level {level}" for level in LEVELS),
    *OF_CANDIDATE,
    *(f"source {one}" for one in OF_SOURCE),
    *OF_QUESTION,
    *(f"kind {kind}" for kind in KINDS),
    *(f"operation {one}" for one in OPERATIONS),
    *(f"cue {cue}" for cue in CUES),
)
AT = {name: at for at, name in enumerate(FEATURES)}
SPOKEN_OF = {YES: "yes", NO: "no", NOTHING: "nothing"}
SURELY = 6.0  # the greatest log-odds


class Known(NamedTuple):
    """What is known of a question before its candidates are ranked."""

    answer: Answer
    surely: bool = False  # facts surely know it
    of_entries: bool = False  # entries say it, by rules


def odds(chance: float) -> float:
    """Log-odds within bounds."""
    return max(-SURELY, min(SURELY, math.log((chance + 1e-6) / (1 - chance + 1e-6))))


def of_question(readings: Readings, chances: Array, question: str) -> Array:
    """What is the same for all candidates of a question (FEATURES,)."""
    x = np.zeros(len(FEATURES), np.float32)
    best = np.sort(chances)[::-1]
    words, told = asked_words(question), [*map(str.lower, split(question))]
    x[AT["greatest"]] = best[0] if len(best) else 0.0
    x[AT["second"]] = best[1] if len(best) > 1 else 0.0
    x[AT["expected"]] = math.log1p(float(chances.sum()))
    x[AT["several"]] = math.log1p(int((chances >= LEVELS[1]).sum()))
    for name, value in zip(MISSING, readings.missing.tolist(), strict=True):
        x[AT[name]] = value
    x[AT["asks for several"]] = asks_for_several(told)
    x[AT["superlative"]] = any(map(of_superlative, told))
    x[AT["asked words"]] = len(words)
    x[AT[f"kind {kind_of(question)}"]] = 1.0
    x[AT[f"operation {operation_of(question).kind}"]] = 1.0
    for cue in {*CUES} & {*told}:
        x[AT[f"cue {cue}"]] = 1.0
    return x


def of_answer(x: Array, text: str, question: str) -> None:
    """What kind of answer it is."""
    low, words = text.lower(), split(text)
    x[AT["yes"]], x[AT["no"]] = low in ("yes", YES), low in ("no", NO)
    x[AT["nothing"]] = low in ("nothing", "nobody", "nowhere", NOTHING)
    x[AT["number"]] = text.replace(".", "").isdigit()
    x[AT["digits"]] = any(map(str.isdigit, text))
    x[AT["capital"]] = text[:1].isupper() and not any(map(str.isdigit, text))
    x[AT["code"]] = len(words) == 1 and any(map(str.isdigit, text)) and any(map(str.isupper, text))
    x[AT["amount"]] = is_amount(text)
    x[AT["words"]] = math.log1p(len(words))
    x[AT["echo"]] = bool(key_of(text)) and {*key_of(text)} <= {*key_of(question)}
    x[AT["may answer"]] = may_answer(question, SPOKEN_OF.get(text, text))
    x[AT["another kind"]] = is_of_another_kind(text, question)


def features_of(readings: Readings, chances: Array, every: Sequence[Candidate], given: Known, question: str) -> Array:
    """What is known of each candidate, of what is known otherwise and of the refusal: (C + 2, FEATURES)."""
    shared, known = of_question(readings, chances, question), given.answer
    shared[AT["known chance"]], shared[AT["known none"]] = known.probability if known.answerable else 0.0, not known.answerable
    shared[AT["known surely"]], shared[AT["known of entries"]] = given.surely, given.of_entries
    x = np.repeat(shared[None], len(every) + 2, axis=0)
    place_of = {(held.source, held.line, held.when or ""): at for at, held in enumerate(readings.held)}
    behind = [(read.source, read.line, read.when) for read in known.evidence] if known.answerable else []
    of_known = [place_of[one] for one in behind if one in place_of]
    for row, one in zip(x, every, strict=False):
        row[AT[f"does {one.operation}"]] = 1.0
        if one.level in LEVELS:
            row[AT[f"level {one.level}"]] = 1.0
        row[AT["chance"]], row[AT["log odds of it"]], row[AT["rest"]] = one.chance, odds(one.chance), one.rest
        row[AT["parts"]], row[AT["behind"]] = math.log(len(one.parts)), math.log1p(len(one.behind))
        row[AT["is meant"]] = one.operation == operation_of(question).kind
        of_answer(row, one.parts[0], question)
        if one.behind:
            of_source(row, readings, chances, one.behind[0])
            row[AT["time"]] = one.parts[0] == spaced(readings.held[one.behind[0]].when or "")
        if known.answerable:
            text = ",".join(one.parts)
            row[AT["agrees"]] = (
                agree(SPOKEN_OF.get(text, text), known.text, question)
                if len(one.parts) == 1
                else sorted(map(key_of, one.parts)) == sorted(map(key_of, known.parts))
            )
            row[AT["differs"]] = 1.0 - row[AT["agrees"]]
            row[AT["same entry"]] = any(at in of_known for at in one.behind[:1])
            row[AT["known later"]] = bool(of_known) and bool(one.behind) and max(of_known) > one.behind[0]
    row = x[-2]
    row[AT[f"does {KNOWN}"]] = 1.0
    row[AT["chance"]], row[AT["log odds of it"]] = known.probability, odds(known.probability)
    if known.answerable:
        row[AT["parts"]] = math.log(max(1, len(known.parts)))
        of_answer(row, known.text, question)
        row[AT["behind"]] = math.log1p(len(of_known))
        if of_known:
            of_source(row, readings, chances, max(of_known, key=lambda at: float(chances[at])))
    x[-1][AT[f"does {REFUSAL}"]] = 1.0
    return x


def of_source(row: Array, readings: Readings, chances: Array, at: int) -> None:
    """What is known of the entry that supports an answer most."""
    row[AT["recency"]] = math.log1p(int((chances[at + 1 :] >= LEVELS[0]).sum()))
    for name in OF_SOURCE:
        row[AT[f"source {name}"]] = readings.x[at, OF_ENTRY[name]]
