"""Pointers between the names of a story, and what a sentence does to them; :mod:`memnet.models.tracker` learns it."""

from __future__ import annotations

from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor

from memnet.attention import softmax
from memnet.encode.examples import Sentences, Sizes
from memnet.models.encoders import Code, listed
from memnet.nn.modules import sigmoid

NOBODY, PRONOUN = -1, -2
NAMES = 3  # of a sentence that are read: the last ones; of a question the first ones
TINY = 1e-6
FIRST_WRITE, FIRST_ERASE = -1.0, 2.0  # biases before training: pointers change seldom, and then forget all


class Told(NamedTuple):
    """Distinct sentences: their words by place, and their names."""

    code: Code
    names: Tensor  # (U, NAMES)  numbers of markers, NOBODY after the last, and PRONOUN

    def to(self, device: torch.device | str) -> Told:
        """On another device."""
        return Told(self.code.to(device), self.names.to(device))


def told(sentences: Sentences, sizes: Sizes, per_story: float, backward: bool) -> Told:
    """Words by how many names stand after them (``backward``), or before them, and the names in that order.

    A pronoun of people stands in the place of a name.
    """
    words, lengths = torch.from_numpy(sentences.words), torch.from_numpy(sentences.lengths)
    there = torch.arange(words.shape[1]) < lengths.unsqueeze(1)
    pronoun = torch.isin(words, torch.tensor([number for (number,) in sizes.grams], dtype=torch.long))
    is_name = ((words >= sizes.vocabulary - sizes.entities) | pronoun) & there
    before = is_name.cumsum(1) - is_name.long()
    place = is_name.sum(1, keepdim=True) - before - is_name.long() if backward else before
    row = words + sizes.vocabulary * place.clamp(max=NAMES)
    numbers = (words - (sizes.vocabulary - sizes.entities)).masked_fill(pronoun, PRONOUN)
    names = torch.full((len(words), NAMES), NOBODY)
    sentence, word = (is_name & (place < NAMES)).nonzero(as_tuple=True)
    names[sentence, place[sentence, word]] = numbers[sentence, word]
    coefficient = (there & ~is_name).float()
    return Told(listed(row, coefficient, lengths, (NAMES + 1) * sizes.vocabulary, per_story), names)


def one_hot(names: Tensor, entities: int) -> Tensor:
    """Numbers of entities as vectors, zero for negative ones: (...) -> (..., E)."""
    return F.one_hot(names.clamp(min=-1) + 1, entities + 1)[..., 1:].float()


class Step(NamedTuple):
    """What one sentence, or all of them, does to the state; each with a number for each of its NAMES referents."""

    about: Tensor  # (..., N)  whom it is about: the next sentence's "she"
    write: Tensor  # (..., N)  whose pointers change
    logit: Tensor  # (..., N)  the same before the logistic function
    forget: Tensor  # (..., 1 + N)  of these pointers: all, and those to each
    value: Tensor  # (..., 2 N + 1)  where they point then: to each, where each points, nowhere
    together: Tensor  # (..., N, N)  logits: whether two are in one place
    acts: Tensor  # (..., N, N + 1)  of which other the pointer says who this is, none last

    @classmethod
    def of(cls, numbers: Tensor) -> Step:
        """From a linear map of a sentence's words, (..., WIDTH)."""
        about, write, forget, value, together, acts = numbers.split(PARTS, -1)
        alone = torch.eye(NAMES, NAMES + 1, dtype=torch.bool, device=numbers.device)
        acts = torch.unflatten(acts, -1, (NAMES, NAMES + 1)).masked_fill(alone, -1e4)
        return cls(
            sigmoid(about),
            sigmoid(write + FIRST_WRITE),
            write + FIRST_WRITE,
            sigmoid(forget + forget.new_tensor([FIRST_ERASE] + [0.0] * NAMES)),
            softmax(value).weights,
            torch.unflatten(together, -1, (NAMES, NAMES)),
            softmax(acts).weights,
        )

    def at(self, place: int) -> Step:
        """Of the sentence at a place of each story: (R, G, W, ...) -> (R, G, ...)."""
        return Step(*(part[:, :, place] for part in self))


PARTS = [NAMES, NAMES, 1 + NAMES, 2 * NAMES + 1, NAMES**2, NAMES * (NAMES + 1)]


class Cast(NamedTuple):
    """The E names that are told in each of some stories, of all that there are markers for."""

    place: Tensor  # (R, G, markers)  a marker's number in its story, -1 where the story does not have it
    size: int  # E

    @classmethod
    def of(cls, markers: Tensor, entities: int) -> Cast:
        """Of the markers in the sentences of stories, (R, G, W, N), -1 where there is none."""
        told = one_hot(markers, entities).flatten(2, 3).amax(2) > 0
        number = told.cumsum(2)
        return cls(torch.where(told, number - 1, -1), max(1, int(number[..., -1].max())))

    def number(self, markers: Tensor) -> Tensor:
        """Markers (R, G, ...) as numbers in their stories."""
        flat = self.place.gather(2, markers.flatten(2).clamp(min=0)).view_as(markers)
        return torch.where(markers >= 0, flat, markers)

    def marked(self) -> Tensor:
        """What turns numbers in a story to markers, (R, G, E, markers)."""
        return one_hot(self.place, self.size).transpose(2, 3)


class Story(NamedTuple):
    """Stories as they are read: T = W + 1 times, the first before anything was told."""

    who: Cast
    pointers: Tensor  # (R, G, T, E, E)
    place: Tensor  # (R, G, E)  whether a name is a place: no sentence is about it, and none changes where it points
    names: Tensor  # (R, G, T, N, E)  that each sentence has
    frames: Tensor  # (R, G, T, D)  its words
    cost: Tensor  # (R,)  of what is learned beside the answers


def follow(which: Tensor, pointers: Tensor) -> Tensor:
    """One hop: ``which (..., N, E)`` to where it points in ``pointers (..., E, E)``, as far as it points somewhere."""
    return which @ pointers + which * (1 - pointers.sum(-1)).unsqueeze(-2)


def filled(pointers: Tensor, step: Step, ends: Tensor, there: Tensor) -> Tensor:
    """Pointers with places that were not known, of those that are always where somebody else of the sentence is.

    ``ends (R, G, N, E)`` are where hops from each referent end, ``there`` as far as these are places.
    """
    apart = 1 - torch.eye(NAMES, device=ends.device)
    sure = (2 * sigmoid(step.together) - 1).clamp(min=0) * apart
    offered = sure @ there
    offered = offered / offered.sum(-1, keepdim=True).clamp(min=1)
    found = (ends - there).clamp(0, 1).transpose(-1, -2) @ offered
    room = (1 - pointers.sum(-1, keepdim=True)).clamp(min=0)
    return pointers + found * room / torch.maximum(room, found.sum(-1, keepdim=True)).clamp(min=TINY)


def written(pointers: Tensor, step: Step, referents: Tensor) -> Tensor:
    """Pointers after a sentence about ``referents (R, G, N, E)``."""
    each = referents / referents.sum(-1, keepdim=True).clamp(min=1)
    target = (step.write.unsqueeze(-1) * referents).sum(2).clamp(max=1)
    value = (step.value[..., :-1].unsqueeze(-1) * torch.cat([each, each @ pointers], 2)).sum(2)
    all_of, some = step.forget[..., :1], (step.forget[..., 1:].unsqueeze(-1) * referents).sum(2).clamp(max=1)
    kept = pointers * (1 - all_of - (1 - all_of) * some).unsqueeze(-2)
    new = kept + value.unsqueeze(-2)
    new = new / new.sum(-1, keepdim=True).clamp(min=1)
    return torch.lerp(pointers, new, target.unsqueeze(-1))


def acting_cost(pointers: Tensor, step: Step, referents: Tensor) -> Tensor:
    """How little the state says who a sentence names, (R, G, N): - log of a mixture of what the others point to, and chance."""
    each = referents / referents.sum(-1, keepdim=True).clamp(min=1)
    points = each @ pointers
    weight = step.acts[..., :NAMES] * points.sum(-1).unsqueeze(-2)
    chance = (weight * (each @ points.transpose(-1, -2))).sum(-1) + (1 - weight.sum(-1)) / referents.shape[-1]
    return -chance.clamp(min=TINY).log()


def together_cost(step: Step, there: Tensor) -> Tensor:
    """How wrong it is about who is in one place, where both places are known, (R, G)."""
    apart = 1 - torch.eye(NAMES, device=there.device)
    known = there.sum(-1).clamp(max=1)
    both = known.unsqueeze(-1) * known.unsqueeze(-2) * apart
    same = (there @ there.transpose(-1, -2)).clamp(0, 1)
    return (F.binary_cross_entropy_with_logits(step.together, same, reduction="none") * both).sum((-1, -2))
