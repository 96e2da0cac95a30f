"""Stories of slots: statements that a question's words begin say what a slot holds, and the others change it.

    Beaker 1 has green, green.     a slot: the words of the question, then what it holds
    pour out the green chemical    an instruction
    Beaker 1 has?  nothing         a question, and the slot's state after the instructions told so far
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from memnet.encode.batch import Batch
from memnet.encode.examples import Examples
from memnet.encode.vocabulary import STOP_NUMBER
from memnet.errors import TrainingError


class States(NamedTuple):
    """What :class:`~memnet.models.writable.WritableMemory` needs to know of a data set of U distinct statements."""

    words: Tensor  # (U, L)  of statements, 0 after the end
    lengths: Tensor  # (U,)
    slot: Tensor  # (U,)  the question that a statement answers, -1 for an instruction
    held: Tensor  # (U, A)  what a slot holds, stop symbols after the last word
    given: Tensor  # (stories, J, S, A)  the states after the instructions as the answers say, -1 where none does

    def to(self, device: torch.device | str) -> States:
        """On another device."""
        return States(*(part.to(device) for part in self))

    @classmethod
    def of(cls, data: Examples, parts: int) -> States:
        """Of every question's story; a slot holds at most ``parts`` words. Raises :class:`TrainingError`."""
        words, lengths = torch.from_numpy(data.sentences.words), torch.from_numpy(data.sentences.lengths)
        slot, held = slots_of(data, parts)
        first = slot[data.memory] >= 0  # (N, M)
        first &= torch.arange(first.shape[1]) < data.count.unsqueeze(1)
        number = first.long().cumprod(1).sum(1)  # of slots
        if len(data) and bool((number == data.count).any()):
            raise TrainingError(
                "a question stands before any instruction, or no statement at its story's start begins with the question's "
                "words; this network reads stories such as 'Beaker 1 has green.', an instruction, then 'Beaker 1 has?'"
            )
        step = data.count - number - 1
        match = first & (slot[data.memory] == data.question.unsqueeze(1))
        if len(data) and not bool(match.any(1).all()):
            raise TrainingError("a question names no slot: no statement at its story's start begins with its words")
        place = (match * torch.arange(match.shape[1])).amax(1)
        stories, steps, slots = (int(part.max()) + 1 if len(data) else 1 for part in (data.story, step, number - 1))
        given = torch.full((stories, steps, slots, data.answer.shape[1]), -1)
        given[data.story, step, place] = data.answer
        return cls(words, lengths, slot, held, given)


def slots_of(data: Examples, parts: int) -> tuple[Tensor, Tensor]:
    """For each statement the question whose words it begins with, -1 for none, and the words that follow, (U,) and (U, A)."""
    asked = {
        tuple(words[:length].tolist()): row
        for row, (words, length) in enumerate(zip(data.questions.words, data.questions.lengths, strict=True))
    }
    lengths = sorted({len(words) for words in asked}, reverse=True)
    slot = torch.full((len(data.sentences.words),), -1)
    held = torch.full((len(data.sentences.words), parts), STOP_NUMBER)
    for row, (words, length) in enumerate(zip(data.sentences.words.tolist(), data.sentences.lengths, strict=True)):
        begin = next((size for size in lengths if size < length and tuple(words[:size]) in asked), None)
        if begin is not None:
            slot[row] = asked[tuple(words[:begin])]
            rest = words[begin:length][:parts]
            held[row, : len(rest)] = torch.tensor(rest)
    return slot, held


def places_in(rows: Tensor, batch: Batch, group: Tensor, states: States) -> Tensor:
    """Which slot of its story each question asks for, (R, B), of stories ``rows (R, G, M)`` in groups."""
    named = states.slot[rows].gather(1, group.unsqueeze(2).expand(-1, -1, rows.shape[2]))  # (R, B, M)
    match = named == batch.question.unsqueeze(2)
    return (match * torch.arange(rows.shape[2], device=rows.device)).amax(2)
