"""Words of a story that may be the answer: which of them are said together, and what else could be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from memnet.tasks.text.english import of_class

LEAST = 0.02  # how likely a piece of a list must be, beside the likeliest
NEARLY = 0.4  # how likely another piece must be, beside the least likely one that is said, in the list that it is of
JOINING = of_class(", and or")


class Span(NamedTuple):
    """Words that may be the answer, how likely they are, how much of that in which statements, and where they stand first."""

    text: str
    chance: float
    stands: dict[int, float]
    place: tuple[int, int, int]  # sentence, first and last word
    is_listed: bool  # whether a comma, "and" or "or" stands beside them

    def overlaps(self, other: Span) -> bool:
        """Whether the two have a word of the story in common, or the words of one are a part of the other's.

        >>> pen, pencil = Span("a pen", 0.5, {}, (0, 2, 3), True), Span("pencil", 0.4, {}, (0, 6, 6), True)
        >>> pen.overlaps(pencil), pen.overlaps(Span("the red pen", 0.1, {}, (1, 0, 2), True))
        (False, True)
        """
        mine, others = (f" {plain(span.text)} " for span in (self, other))
        is_part = mine in others or others in mine
        (sentence, first, last), (beside, begin, end) = self.place, other.place
        return is_part or (sentence == beside and first <= end and begin <= last)


def plain(text: str) -> str:
    """A phrase without what does not tell it from others: case and articles."""
    words = [word for word in text.lower().split() if word not in ("the", "a", "an")]
    return " ".join(words)


def apart(spans: Sequence[Span], count: int) -> tuple[str, ...]:
    """The first of the spans, as many as are wanted, in the story's order; none overlaps another or is hardly likely.

    Where several are wanted, further pieces of the same list are said too that are nearly as likely.

    >>> bags, stove = Span("bags", 0.4, {}, (0, 2, 2), True), Span("a stove", 0.3, {}, (0, 6, 7), True)
    >>> tins, both = Span("tins", 0.25, {}, (0, 4, 4), True), Span("bags and tins", 0.1, {}, (0, 2, 4), True)
    >>> apart([bags, stove, tins, both], 1), apart([bags, stove, tins, both], 2)
    (('bags',), ('bags', 'tins', 'a stove'))
    """
    found: list[Span] = []
    for span in spans:
        least = (LEAST * spans[0].chance) if len(found) < count else NEARLY * found[-1].chance
        is_wanted = len(found) < count or (count > 1 and span.is_listed and span.place[0] in {one.place[0] for one in found})
        if is_wanted and span.chance >= least and not any(map(span.overlaps, found)):
            found.append(span)
    return tuple(span.text for span in sorted(found, key=lambda one: one.place))


def unlike(ranked: Sequence[tuple[str, float]], said: Sequence[str]) -> Iterator[tuple[str, float]]:
    """Of ranked answers those that are neither ``said`` nor one of an earlier one: no word of theirs is all that they add.

    >>> list(unlike([("the Bob", 0.4), ("Ann and Bob", 0.3), ("Cid", 0.2), ("cid", 0.1)], ["Bob"]))
    [('Cid', 0.2)]
    """
    earlier = [{*plain(one).split()} for one in said]
    for text, chance in ranked:
        words = {*plain(text).split()}
        if not any(words <= other or (other and other <= words) for other in earlier):
            earlier.append(words)
            yield text, chance


def with_quotes(reads: Sequence[float], stands: Sequence[Mapping[int, float]]) -> tuple[float, ...]:
    """How much is read of each statement: half of it as evidence, half as where what is quoted ``stands``.

    >>> with_quotes([0.0, 1.0], [{0: 0.2, 1: 0.6}]), with_quotes([1.0], [{0: 0.0}])
    ((0.125, 0.875), (0.5,))
    """
    shares = [{place: chance / (sum(one.values()) or 1.0) for place, chance in one.items()} for one in stands]
    quoted = [sum(one.get(place, 0.0) for one in shares) for place in range(len(reads))]
    return tuple(0.5 * read + 0.5 * quote / len(stands) for read, quote in zip(reads, quoted, strict=True))
