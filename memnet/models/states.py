"""Stories whose sentences change what named memories hold, as blocks: a state, and the words of what changes it.

    Beaker 1 has green, green.     a slot: the words of a question, then what it holds
    pour out the green chemical    an instruction
    Beaker 1 has?  nothing         a question, and what the slot holds after the instructions told so far

Where questions name no slot, every statement is an instruction, and the question is the last: its answer is written into a slot
without a name.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor

from memnet.encode.batch import Batch
from memnet.encode.examples import Examples, numbers
from memnet.encode.vocabulary import STOP_NUMBER


class States(NamedTuple):
    """A data set of U distinct statements and Q distinct questions."""

    words: Tensor  # (U + Q, L)  0 after the end
    lengths: Tensor  # (U + Q,)
    statements: Tensor  # ()  U
    slot: Tensor  # (U,)  the question that a statement answers, -1 for an instruction
    held: Tensor  # (U, A)  what a slot holds, stop symbols after the last word
    given: Tensor  # (stories, J, S, A)  the states after the instructions as the answers say, -1 where none does
    named: Tensor  # ()  bool: every question names a slot of its story

    def to(self, device: torch.device | str) -> States:
        """On another device."""
        return States(*(part.to(device) for part in self))

    @classmethod
    def of(cls, data: Examples, parts: int) -> States:
        """Of every question's story; a slot holds at most ``parts`` words, what is more is left out."""
        tables = [numbers(table.words) for table in (data.sentences, data.questions)]
        longest = max(table.shape[1] for table in tables)
        words = torch.cat([F.pad(table, (0, longest - table.shape[1])) for table in tables])
        lengths = torch.cat([numbers(table.lengths) for table in (data.sentences, data.questions)])
        slot, held = slots_of(data, parts)
        first = slot[data.memory] >= 0  # (N, M)
        first &= torch.arange(first.shape[1]) < data.count.unsqueeze(1)
        first = first.long().cumprod(1).bool()
        step = data.count - first.sum(1) - 1
        match = first & (slot[data.memory] == data.question.unsqueeze(1))
        named = bool(len(data)) and bool((match.any(1) & (step >= 0)).all())
        given = torch.full((1, 1, 1, parts), -1)
        if named:
            place = (match * torch.arange(match.shape[1])).amax(1)
            sizes = (int(part.max()) + 1 for part in (data.story, step, place))
            given = torch.full((*sizes, parts), -1)
            given[data.story, step, place] = data.answer
        return cls(words, lengths, torch.tensor(len(tables[0])), slot, held, given, torch.tensor(named))


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


class Blocks(NamedTuple):
    """G stories as J blocks each: S slots of A words, and L words of an instruction that rewrites them."""

    first: Tensor  # (R, G, S, A)  words of the state that a story opens with
    slots: Tensor  # (R, G, J, S)  bool, which slots there are
    words: Tensor  # (R, G, J, L)
    there: Tensor  # (R, G, J, L)  bool, which words there are
    given: Tensor  # (R, G, J, S, A)  the states after the instructions, -1 where nobody says
    source: Tensor  # (R, G, J, L + S)  the statement that an element is of, -1 for a question's and its answer
    block: Tensor  # (R, B)  of each question, after which its answer stands
    slot: Tensor  # (R, B)  which it asks for

    def up_to(self, step: int) -> Blocks:
        """The first so many blocks."""
        parts = ("slots", "words", "there", "given", "source")
        return self._replace(**{name: getattr(self, name)[:, :, :step] for name in parts})


def named_blocks(rows: Tensor, count: Tensor, story: Tensor, group: Tensor, batch: Batch, states: States) -> Blocks:
    """Stories ``rows (R, G, M)`` of ``count (R, G)`` statements; ``group (R, B)`` is each question's story."""
    place = torch.arange(rows.shape[2], device=rows.device)
    slots = ((states.slot[rows] >= 0) & (place < count.unsqueeze(2))).long().cumprod(2).bool()
    number = slots.sum(2)
    most, steps = int(number.max()), max(1, int((count - number).max()))
    told = number.unsqueeze(2) + torch.arange(steps, device=rows.device)  # (R, G, J)
    told = told.where(told < count.unsqueeze(2), -1)
    words, there = words_of(rows.gather(2, told.clamp(min=0)), told >= 0, states)
    source = F.pad(told.unsqueeze(3).expand(-1, -1, -1, words.shape[3]), (0, most))
    source[..., words.shape[3] :] = place[:most]
    asked = states.slot[rows].gather(1, group.unsqueeze(2).expand(-1, -1, rows.shape[2])) == batch.question.unsqueeze(2)
    asked &= place < batch.num_memories.unsqueeze(2)
    return Blocks(
        states.held[rows[..., :most]],
        slots[..., :most].unsqueeze(2).expand(-1, -1, steps, -1),
        words,
        there,
        states.given[story][:, :, :steps, :most],
        source,
        batch.num_memories - 1 - number.gather(1, group),
        (asked * place).amax(2),
    )


def unnamed_blocks(rows: Tensor, batch: Batch, states: States, empty: Tensor) -> Blocks:
    """The story of each question, ``rows (R, B, M)``, and the question; its answer's slot holds the word ``empty``, ()."""
    count, parts = batch.num_memories, states.held.shape[1]
    told = torch.arange(int(count.max()) + 1, device=rows.device).expand(*rows.shape[:2], -1)  # (R, B, J)
    last = told == count.unsqueeze(2)
    sentence = F.pad(rows, (0, 1)).gather(2, told.clamp(max=rows.shape[2]))
    sentence = torch.where(last, states.statements + batch.question.unsqueeze(2), sentence)
    words, there = words_of(sentence, told <= count.unsqueeze(2), states)
    source = told.where(told < count.unsqueeze(2), -1).unsqueeze(3).expand_as(words)
    first = torch.full((*count.shape, 1, parts), STOP_NUMBER, device=rows.device)
    first[..., 0] = empty
    given = first.unsqueeze(2).expand(-1, -1, told.shape[2], -1, -1)  # what is written between is read by nobody
    return Blocks(
        first, last.unsqueeze(3), words, there, given, F.pad(source, (0, 1), value=-1), count, torch.zeros_like(count)
    )


def words_of(sentence: Tensor, told: Tensor, states: States) -> tuple[Tensor, Tensor]:
    """The words of sentences (R, G, J), as many as the longest that is ``told`` has, and which there are: (R, G, J, L)."""
    length = states.lengths[sentence] * told
    longest = max(1, int(length.max()))
    return states.words[sentence][..., :longest], torch.arange(longest, device=length.device) < length.unsqueeze(3)


def rewritten(states: Tensor, ages: int) -> Tensor:
    """Which slots the latest instructions rewrote, the last one first: (R, G, J, S, A) -> bool (R, G, J, S, ages)."""
    steps = states.shape[2]
    changed = F.pad((states[:, :, 1:] != states[:, :, :-1]).any(4), (0, 0, ages, 0))  # (R, G, J - 1 + ages, S)
    return torch.stack([changed[:, :, ages - age : ages - age + steps] for age in range(1, ages + 1)], 4)


def counted(states: Tensor, there: Tensor, empty: Tensor) -> Tensor:
    """Where each slot stands, counted in six ways, (R, G, J, S, A) -> (R, G, J, S, 6).

    How many slots stand to its left and to its right: of all, of those that hold something, of those that hold the same.
    ``there (R, G, J, S)`` says which slots there are, ``empty ()`` is the word of one that holds nothing.
    """
    word, found = states[..., 0], list[Tensor]()
    for which in (there, there & (word != empty)):
        up_to = which.long().cumsum(3)
        found += [up_to - which.long(), up_to[..., -1:] - up_to]
    same = (word.unsqueeze(4) == word.unsqueeze(3)) & there.unsqueeze(3)  # (R, G, J, S, S)
    return torch.stack([*found, same.tril(-1).sum(4), same.triu(1).sum(4)], 4)


def lost(states: Tensor) -> Tensor:
    """Whether no slot before instruction j holds what slot s held before instruction i, by their first words.

    (R, G, J, S, A) -> bool (R, G, J, J, S), j before i.
    """
    word = states[..., 0]
    return (word[:, :, :, None, None] != word[:, :, None, :, :, None]).all(5)
