"""The answer, one class or word by word: one decoder for every network.

An answer is A vocabulary entries. With one class A is 1 and the entry is the whole answer; word
by word it is a list of words and stop symbols after the last.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from memnet.encode.vocabulary import STOP_NUMBER
from memnet.nn.modules import GRUCell
from memnet.nn.random import Random

State = TypeVar("State")


States = tuple[Tensor, ...]


def decode(
    step: Callable[[State, Tensor | None], tuple[Tensor, State]], state: State, length: int, given: Tensor | None = None
) -> Tensor:
    """The scores of an answer's words, (..., A, V), each decoded after the words before it.

    ``step(state, word)`` gives the scores (..., V) of the next word and the next state; ``word (...)`` is the
    one before, None at the start: of the answer ``given (..., A)`` (teacher forcing), or the likeliest that may be
    said, also where the given one is -1.
    """
    scores: list[Tensor] = []
    word: Tensor | None = None
    for place in range(length):
        score, state = step(state, word)
        scores.append(score)
        word = mask_special(score, place, length).argmax(-1)
        if given is not None:
            word = torch.where(given[..., place] >= 0, given[..., place], word)
    return torch.stack(scores, -2)


def beam_search(
    step: Callable[[States, Tensor | None], tuple[Tensor, States]],
    state: States,
    length: int,
    width: int,
) -> tuple[Tensor, Tensor]:
    """The likeliest answers that a beam of ``width`` finds, (R, B, K, A), and their log-probabilities (R, B, K), best first.

    ``step`` as in :func:`decode`, of ``state`` tensors (R, B, K', ...), with K' = 1 at the first word and K afterwards: its
    scores are (R, B, K', V). An answer ends with its first stop symbol. K is ``width``, or as many as there are.
    """
    score, state = step(state, None)
    words = score.shape[-1]
    total, word = mask_special(score.squeeze(2), 0, length).log_softmax(-1).topk(min(width, words), -1)  # (R, B, K)
    decoded, parent = word.unsqueeze(3), torch.zeros_like(word)
    for place in range(1, length):
        state = tuple(beams(part, parent) for part in state)
        score, state = step(state, decoded[..., -1])
        more = mask_special(score, place, length).log_softmax(-1)  # (R, B, K, V)
        ended = (decoded == STOP_NUMBER).any(3, keepdim=True)
        stop = torch.arange(words, device=more.device) == STOP_NUMBER
        more = torch.where(ended, torch.zeros_like(more).masked_fill(~stop, float("-inf")), more)
        total, best = (total.unsqueeze(3) + more).flatten(2).topk(min(width, decoded.shape[2] * words), -1)
        parent, word = best.div(words, rounding_mode="floor"), best % words
        decoded = torch.cat([decoded.gather(2, parent.unsqueeze(3).expand(-1, -1, -1, place)), word.unsqueeze(3)], 3)
    return decoded, total


def beams(part: Tensor, number: Tensor) -> Tensor:
    """Beams by number, (R, B, K', ...), (R, B, K) -> (R, B, K, ...)."""
    return part.gather(2, number.view(*number.shape, *[1] * (part.dim() - 3)).expand(-1, -1, -1, *part.shape[3:]))


class WordByWord(nn.Module):
    """A GRU that tells an answer (Kumar et al. 2016, section 2.4).

    h_0 = state          h_j = GRU([word_{j-1}; context], h_{j-1})          scores W h_j

    The word before the first is zero; ``context``, the question of a dynamic memory network, may have no width.
    """

    def __init__(self, dim: int, random: Random, context: int = 0, std: float = 0.1) -> None:
        super().__init__()
        self.cell = GRUCell(dim + context, dim, random, std)

    def forward(
        self, state: Tensor, words: Tensor, length: int, given: Tensor | None = None, context: Tensor | None = None
    ) -> Tensor:
        """``state (R, ..., D)``, ``words (R, V, D)``, ``given (R, ..., A)``, ``context (R, ..., C)`` -> (R, ..., A, V)."""
        replica = torch.arange(len(state), device=state.device).view(-1, *[1] * (state.dim() - 2))

        def step(h: Tensor, word: Tensor | None) -> tuple[Tensor, Tensor]:
            before = torch.zeros_like(h) if word is None else words[replica.expand_as(word), word]
            h = self.cell(before if context is None else torch.cat([before, context], -1), h)
            return scores(h, words), h

        return decode(step, state, length, given)


def mask_special(score: Tensor, place: int, length: int) -> Tensor:
    """The scores (..., V) of a word of answers decoded word by word, never the unknown word or a stop before the first."""
    if length == 1:
        return score
    never = torch.arange(score.shape[-1], device=score.device) <= (STOP_NUMBER if place == 0 else 0)
    return score.masked_fill(never, float("-inf"))


def scores(state: Tensor, words: Tensor) -> Tensor:
    """Every word's product with the state: (R, ..., D), (R, V, D) -> (R, ..., V)."""
    return (state.flatten(1, -2) @ words.transpose(1, 2)).view(*state.shape[:-1], -1)


def answer_mask(answer: Tensor) -> Tensor:
    """Which entries of answers (..., A) count: all up to the first stop symbol, and it. (..., A), bool."""
    stopped = (answer == STOP_NUMBER).cumsum(-1)
    return F.pad(stopped[..., :-1], (1, 0)) == 0


def spoken_words(answer: Tensor) -> Tensor:
    """Which entries of answers (..., A) are words: the first, and all before a stop symbol. (..., A), bool."""
    return F.pad((answer[..., 1:] == STOP_NUMBER).cumsum(-1) == 0, (1, 0), value=True)


def prediction(logits: Tensor) -> Tensor:
    """The likeliest words, nothing but stop symbols after the first: (..., A, V) -> (..., A)."""
    length = logits.shape[-2]
    decoded = torch.stack([mask_special(score, place, length).argmax(-1) for place, score in enumerate(logits.unbind(-2))], -1)
    return decoded.where(answer_mask(decoded), torch.full_like(decoded, STOP_NUMBER))
