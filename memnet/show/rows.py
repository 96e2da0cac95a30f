"""The rows of an answer, which every drawing of it shows: its sentences, what each hop read of them, and what to remark."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from memnet.ask.answer import MAX_NAMED, Answer, Read, in_words, listed, typing_note
from memnet.tasks.text import visible

SMALLEST_SHOWN = 0.005  # weights and probabilities below are shown as none
SHORT_STORY = 12  # statements that are all shown; in a longer story those that were hardly read are folded
NEGLIGIBLE_WEIGHT = 0.02  # by every hop


class Row(NamedTuple):
    """A sentence, or reading nothing: its number in the story, 0 for nothing, its text, a weight a column, and its mark."""

    number: int
    text: str
    weights: list[float]
    is_evidence: bool

    @property
    def shown(self) -> list[float]:
        """The weights as they are drawn."""
        return [visible_weight(weight) for weight in self.weights]

    @property
    def most(self) -> float:
        """The largest weight that is drawn."""
        return largest_shown(self.weights)


def largest_shown(weights: Sequence[float]) -> float:
    """The largest of weights as they are drawn."""
    return max(map(visible_weight, weights), default=0.0)


def visible_weight(value: float) -> float:
    """A weight as it is drawn, 0 to 1: linear weights may be below and above, and the smallest count as none."""
    return min(1.0, abs(value)) if abs(value) >= SMALLEST_SHOWN else 0.0


def rows(answer: Answer, most: int | None = None, heads: bool = False) -> list[Row]:
    """The sentences in memory in story order, and last reading nothing where a hop did.

    Of ``most`` sentences at most, those that the answer relies on come first, then those read most. A column is a hop, or with
    ``heads`` a head of a layer, of an answer that has such.
    """
    evidence = {read.number for read in answer.evidence}
    found = {read.number: read for hop in answer.hops for read in hop}
    weights = {number: [0.0] * len(answer.hops) for number in found}
    for hop, reads in enumerate(answer.hops):
        for read in reads:
            weights[read.number][hop] = read.weight
    null_weights = answer.null_weights
    if heads and answer.head_weights:
        by_head = [head for layer in answer.head_weights for head in layer]
        weights = {number: [head[number - 1 - answer.truncated] for head in by_head] for number in found}
        null_weights = [weight for layer in answer.head_null_weights for weight in layer]
    best = sorted(found, key=lambda number: (number not in evidence, -largest_shown(weights[number]), -number))
    shown = [Row(number, sentence(found[number]), weights[number], number in evidence) for number in sorted(best[:most])]
    nothing = Row(0, answer.null_label, null_weights, False)
    return shown + [nothing] * (nothing.most > 0)


def sentence(read: Read) -> str:
    """A sentence as it is shown, with where and when it was said, where that is known."""
    return visible(f"{read.sentence} ({read.place})" if read.place else read.sentence)


def other_notes(answer: Answer) -> list[str]:
    """What other sources say instead, and what was so before, the newest first, a line each."""
    contradicting = [f"contradicted by: {sentence(read)}" for read in answer.contradicting]
    return contradicting + [f"superseded: {sentence(read)}" for read in answer.superseded]


def folded(answer: Answer) -> list[list[Row]]:
    """The rows in story order, each alone, but in a long story neighbours that were hardly read together."""
    every = rows(answer)
    parts: list[list[Row]] = []
    fold = False
    for row in every:
        hardly = bool(row.number) and not row.is_evidence and row.most < NEGLIGIBLE_WEIGHT and len(every) > SHORT_STORY
        if hardly and fold:
            parts[-1].append(row)
        else:
            parts.append([row])
        fold = hardly
    return parts


def fold_title(part: Sequence[Row]) -> str:
    """What stands in place of rows that were hardly read: "41 sentences not read"."""
    return f"{len(part):,} sentences " + (
        f"read less than {NEGLIGIBLE_WEIGHT:.0%} each" if any(row.most for row in part) else "not read"
    )


def runners_up(answer: Answer) -> list[tuple[str, float]]:
    """The other answers as people say them, with their probabilities."""
    return [(visible(in_words(name)), chance) for name, chance in answer.runners_up]


def counted(count: int, name: str, verb: str = "is are") -> str:
    """How many there are, with the verb.

    >>> counted(1, "question"), counted(1200, "other statement", "was were")
    ('1 question is', '1,200 other statements were')
    """
    one, more = verb.split()
    return f"{count:,} {name} {one}" if count == 1 else f"{count:,} {name}s {more}"


def omissions(answer: Answer, shown: Sequence[Row]) -> list[str]:
    """What has no row, in words: sentences that were read less, and those that the memory does not reach."""
    others = len({read.number for hop in answer.hops for read in hop} - {row.number for row in shown})
    notes = [f"{counted(others, 'other statement', 'was were')} read less"] if others else []
    notes += [f"{counted(answer.truncated, 'older statement')} beyond my memory"] * bool(answer.truncated)
    return notes + answer.length_notes


def word_notes(unknown: Mapping[str, Sequence[str]], errors: Mapping[str, Sequence[str]]) -> list[str]:
    """Unknown words and words that look like typing errors, each with what is near, in a sentence each."""
    named = [f"'{word}'" + (f" (near: {', '.join(near)})" if near else "") for word, near in list(unknown.items())[:MAX_NAMED]]
    named += [f"{len(unknown) - MAX_NAMED:,} more"] * (len(unknown) > MAX_NAMED)
    said = f"I do not know the word{'s' * (len(named) > 1)} {listed(named)}." if named else ""
    return [visible(note) for note in (said, typing_note(errors)) if note]
