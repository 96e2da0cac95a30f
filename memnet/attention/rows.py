"""A memory given as rows of a table, before it is gathered."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from memnet.nn.modules import Linear

AT_ONCE = 65_536  # memories that are made at once


class Rows(NamedTuple):
    """Memories that are sums of a few table rows: a sentence's words, and its age.

    ``table (R, W + S, D)`` has W rows for words and S for ages. The sentence of memory n is either
    row ``sentence[n]`` of ``basis @ words``, where ``basis (U, W)`` has U distinct sentences as
    sums of words, or, without a basis, ``sum_j coefficient[n, j] * words[sentence[n, j]]``. Few
    distinct sentences want the first, many the second; the numbers are the same.

    No memory is ever made. An inner product with all of them is one product with the table, of
    which each story picks its own numbers; a weighted sum is the mirror image. Only the ``N``
    memories that exist are listed, so padding costs nothing and cannot leak.

    ``sentence (N,)`` or ``(N, J)`` and ``age (N,)`` point into the flat (R, B, U or W) and
    (R, B, S), ``place (N,)`` into the flat (R, B, M); ``shape`` is (R, B, M).
    """

    table: Tensor
    basis: Tensor | None
    sentence: Tensor
    coefficient: Tensor | None
    age: Tensor
    place: Tensor
    shape: tuple[int, int, int]
    ages: int

    def __repr__(self) -> str:
        return f"<Rows: memories {(*self.shape, self.table.shape[2])} as sums of a table's rows {tuple(self.table.shape)}>"

    def inner(self, query: Tensor) -> Tensor:
        """q . m for every query and memory: (R, B, Q, D) -> (R, B, Q, M), zero where no memory is."""
        with_table = query.flatten(1, 2) @ self.table.transpose(1, 2)  # (R, B Q, W + S)
        words, ages = with_table.split([with_table.shape[2] - self.ages, self.ages], 2)
        if self.basis is not None:
            words = words @ self.basis.T  # (R, B Q, U)
        queries = query.shape[2]
        terms = by_row(words, queries).index_select(0, self.sentence.flatten())  # (N, Q) or (N J, Q)
        if self.coefficient is not None:
            terms = (terms.view(*self.coefficient.shape, queries) * self.coefficient.unsqueeze(-1)).sum(1)
        terms = terms + by_row(ages, queries).index_select(0, self.age)
        replicas, batch, memories = self.shape
        dense = terms.new_zeros(replicas * batch * memories, queries).index_copy_(0, self.place, terms)
        return dense.view(replicas, batch, memories, queries).transpose(2, 3)

    def mix(self, weights: Tensor) -> Tensor:
        """sum_i w_i m_i: (R, B, Q, M) -> (R, B, Q, D)."""
        replicas, batch, queries, _ = weights.shape
        terms = weights.transpose(2, 3).reshape(-1, queries).index_select(0, self.place)  # (N, Q)
        words, stories = self.table.shape[1] - self.ages, replicas * batch

        def spread(rows: int, address: Tensor, numbers: Tensor) -> Tensor:
            flat = numbers.new_zeros(stories * rows, queries).index_add_(0, address, numbers)
            return flat.view(replicas, batch, rows, queries).transpose(2, 3).reshape(replicas, -1, rows)

        ages = spread(self.ages, self.age, terms)  # (R, B Q, S)
        if self.basis is not None:
            sentences = spread(len(self.basis), self.sentence, terms) @ self.basis  # (R, B Q, W)
        else:
            assert self.coefficient is not None
            parts = terms.unsqueeze(1) * self.coefficient.unsqueeze(-1)  # (N, J, Q)
            sentences = spread(words, self.sentence.flatten(), parts.flatten(0, 1))
        return (torch.cat([sentences, ages], 2) @ self.table).view(replicas, batch, queries, -1)

    def gather(self) -> Tensor:
        """The memories themselves, (R, B, M, D), zero where no memory is; some ten thousand at a time."""
        replicas, batch, memories = self.shape
        dense = self.table.new_zeros(replicas * batch * memories, self.table.shape[2])
        parts = torch.arange(len(self.place), device=self.place.device).split(AT_ONCE)
        for part in parts if len(parts) > 1 else [slice(None)]:
            dense = dense.index_copy_(0, self.place[part], self.made(part))
        return dense.view(replicas, batch, memories, -1)

    def made(self, part: Tensor | slice, alone: bool = False) -> Tensor:
        """Some of the memories as they are listed, (N', D); of a few ``alone`` no other sentence is made."""
        batch = self.shape[1]
        words, ages = self.table.split([self.table.shape[1] - self.ages, self.ages], 1)

        def rows(table: Tensor, address: Tensor) -> Tensor:
            count, width = table.shape[1:]
            replica = address // (batch * count)
            return table.reshape(-1, width)[replica * count + address % count]

        if self.basis is not None and alone:
            replica, number = self.sentence[part] // (batch * len(self.basis)), self.sentence[part] % len(self.basis)
            sentences = (self.basis[number].unsqueeze(1) @ words[replica]).squeeze(1)
        elif self.basis is not None:
            sentences = rows(self.basis @ words, self.sentence[part])  # (N', D)
        else:
            assert self.coefficient is not None
            sentences = (rows(words, self.sentence[part]) * self.coefficient[part].unsqueeze(-1)).sum(1)
        made: Tensor = sentences + rows(ages, self.age[part])
        return made

    def at(self, place: Tensor) -> Tensor:
        """The memories at ``place (R, B, Q)`` alone, (R, B, Q, D), zero where no memory is."""
        replicas, batch, memories = self.shape
        number = self.place.new_full((replicas * batch * memories + 1,), len(self.place))  # of the memory in each place
        number[self.place] = torch.arange(len(self.place), device=self.place.device)
        story = torch.arange(replicas * batch, device=place.device).view(replicas, batch, 1)
        listed = number[story * memories + place].flatten()  # (R B Q,)
        there = listed < len(self.place)
        found = self.table.new_zeros(len(listed), self.table.shape[2])
        found[there] = self.made(listed[there], alone=True)
        return found.view(*place.shape, -1)

    def map(self, linear: Linear) -> Rows:
        """W m + b for every memory: a product with the table, and b on the ages, of which each memory has one."""
        table = self.table @ linear.weight
        if linear.bias is not None:
            words = table.shape[1] - self.ages
            table = torch.cat([table[:, :words], table[:, words:] + linear.bias.unsqueeze(1)], 1)
        return self._replace(table=table)


def gathered(memory: Tensor | Rows) -> Tensor:
    """A memory as a tensor, (..., M, D)."""
    return memory.gather() if isinstance(memory, Rows) else memory


def row_at(memory: Tensor | Rows, place: Tensor) -> Tensor:
    """One memory a query: ``place (..., Q)`` of the M memories -> (..., Q, D), zero where there is none."""
    if isinstance(memory, Rows):
        return memory.at(place)
    return memory.gather(-2, place.unsqueeze(-1).expand(*place.shape, memory.shape[-1]))


def by_row(scores: Tensor, queries: int) -> Tensor:
    """(R, B Q, T) -> (R B T, Q)."""
    replicas, _, rows = scores.shape
    return scores.view(replicas, -1, queries, rows).transpose(2, 3).reshape(-1, queries)
