"""The batches of a data set."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from memnet.encode.examples import Examples
from memnet.nn.modules import most
from memnet.nn.random import Random

CHUNK = 64  # steps whose random numbers are drawn together
AT_ONCE = 1 << 21  # places of statements, at most, in the steps whose batches are made together


class Batch(NamedTuple):
    """A step's questions for every replica. The memories that exist, ``N`` in all, are listed flat."""

    question: Tensor  # (R, B)  row of the questions' table
    answer: Tensor  # (R, B, A)
    mask: Tensor  # (R, B, M)  where a memory is
    num_memories: Tensor  # (R, B)
    story: Tensor  # (N,)  which of the R B stories
    place: Tensor  # (N,)  which of the R B M places
    sentence: Tensor  # (N,)  row of the sentences' table
    age: Tensor  # (N,)  0 for the newest, stretched by empty memories, below ``ages``
    ages: int
    facts: Tensor  # (R, B, F)  supporting facts as places in memory, -1 after the end
    of_story: Tensor  # (R, B)  number of the story: questions of one share the first of its memories

    def __repr__(self) -> str:
        replicas, size, memories = self.mask.shape
        return f"<Batch: {size} questions for each of {replicas} replicas, about at most {memories} statements>"

    def rows(self) -> Tensor:
        """The memories' rows of the sentences' table, (R, B, M), zero where no memory is."""
        return self.spread(self.sentence)

    @property
    def width(self) -> int:
        """Of the longest story."""
        return max(1, most(self.num_memories, self.mask.shape[2]))

    def spread(self, value: Tensor) -> Tensor:
        """Whole numbers of the memories (N,) in their places, (R, B, M), zero where no memory is."""
        return (
            torch.zeros_like(self.mask, dtype=torch.long).flatten().index_copy_(0, self.place, value.long()).view_as(self.mask)
        )

    def to(self, device: torch.device | str) -> Batch:
        """On another device."""
        moved = {name: part.to(device) for name, part in self._asdict().items() if isinstance(part, Tensor)}
        return self._replace(**moved)  # type: ignore[arg-type]


def empty_memories(count: Tensor, longest: int, share: float, random: Random) -> Tensor:
    """Where random empty memories fall: for each story the sorted places of 0 .. ceil(share n) of them.

    ``count (S, R, B)``, none above ``longest`` -> (S, R, B, K) increasing places in 0 .. n + k - 1, counted from the newest,
    a uniform subset of size k; entries beyond k are past every memory. With share 0.1 this is the
    random noise of Sukhbaatar et al. 2015, section 4.1: the empty memories only stretch time.
    """
    steps, replicas, size = count.shape
    most = (count.float() * share).ceil().long()  # (S, R, B)
    widest = math.ceil(longest * share)
    draws = random.uniform(widest + 1, steps, size).permute(1, 2, 0, 3)  # (K + 1, S, R, B)
    number = (draws[0] * (most + 1)).long()  # k, uniform in 0 .. most
    some = at_once(replicas * size * (longest + widest))
    parts = zip(count.split(some), number.split(some), draws[1:].split(some, 1), strict=True)
    return torch.cat([sampled(*part, longest + widest) for part in parts]) if widest else count.new_zeros(*count.shape, 0)


def sampled(count: Tensor, number: Tensor, draws: Tensor, beyond: int) -> Tensor:
    """Floyd's sampling of ``number`` places out of ``count`` and as many, by ``draws (K, ...)``; increasing, (..., K)."""
    taken: list[Tensor] = []
    seen = torch.zeros(*count.shape, beyond, dtype=torch.bool)  # which places are taken
    for i, draw in enumerate(draws):
        bound = count + i  # the last place allowed to draw number i
        place = (draw * (bound + 1)).long().unsqueeze(-1)
        place = torch.where(seen.gather(-1, place), bound.unsqueeze(-1), place)
        seen.scatter_(-1, place, True)
        taken.append(torch.where(i < number, place.squeeze(-1), beyond + i))
    return torch.stack(taken, -1).sort(-1).values


def at_once(places: int) -> int:
    """How many steps of so many places are made together."""
    return max(1, AT_ONCE // max(1, places))


def batches(
    data: Examples, picks: Tensor, ages: int, noise: float = 0.0, random: Random | None = None, chunk: int = CHUNK
) -> Iterator[Batch]:
    """Batches of the questions ``picks (S, R, B)``, one a step.

    ``noise`` is the largest share of random empty memories, drawn from ``random`` (None: none).
    Ages past the last of ``ages`` share its vector.
    """
    longest = data.memory.shape[1]
    for chunk_picks in picks.split(chunk):
        some = at_once(chunk_picks[0].numel() * longest)
        empty: Sequence[Tensor | None] = [None] * math.ceil(len(chunk_picks) / some)
        if random is not None and noise > 0:
            empty = empty_memories(data.count[chunk_picks], longest, noise, random).split(some)  # (S, R, B, K)
        for part, places in zip(chunk_picks.split(some), empty, strict=True):
            yield from made(data, part, ages, places)


def made(data: Examples, part: Tensor, ages: int, empty: Tensor | None) -> Iterator[Batch]:
    """See :func:`batches`: of some steps at once."""
    longest, (_, replicas, size) = data.memory.shape[1], part.shape
    count = data.count[part]  # (S, R, B)
    mask = torch.arange(longest) < count.unsqueeze(-1)  # (S, R, B, M)
    step_places = replicas * size * longest
    where = mask.flatten().nonzero().squeeze(1)  # of all these steps
    first = where - where % longest  # of its story
    age = count.flatten()[where.div(longest, rounding_mode="floor")] - 1 - (where - first)
    if empty is not None:
        age = age + passed(empty, longest).flatten()[first + age]
    age = age.clamp(max=ages - 1)
    sizes = mask.sum((1, 2, 3)).tolist()
    fields = zip(
        data.question[part].unbind(),
        data.answer[part].unbind(),
        mask.unbind(),
        count.unbind(),
        where.split(sizes),
        data.memory[part].flatten()[where].split(sizes),
        age.split(sizes),
        data.facts[part].unbind(),
        data.story[part].unbind(),
        strict=True,
    )
    for step, (question, answer, there, told, flat, sentence, aged, facts, of_story) in enumerate(fields):
        place = flat - step * step_places
        story = place.div(longest, rounding_mode="floor")
        yield Batch(question, answer, there, told, story, place, sentence, aged, ages, facts, of_story)


def passed(empty: Tensor, longest: int) -> Tensor:
    """How many of the ``empty (..., K)`` memories are newer than a memory that is 0 .. M - 1 statements old, (..., M)."""
    reach = (empty - torch.arange(empty.shape[-1])).clamp(max=longest)  # an empty memory ages all as old or older
    counted = torch.zeros(*empty.shape[:-1], longest + 1, dtype=torch.int32)
    return counted.scatter_add_(-1, reach, torch.ones_like(reach, dtype=torch.int32))[..., :longest].cumsum(-1)
