"""Writing a memory by reading: every word of a slot is copied from some slot, now or earlier, or is one of a list."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from memnet.attention import Attention, scaled_dot, softmax, weighted_sum
from memnet.nn.modules import Linear
from memnet.nn.random import Random

HIDDEN = -1e9  # is added to the logit of what may not be read, once for all layers: cheaper than a mask in each
STAYS = 3.0  # what a slot's own word has to begin with


class Writer(nn.Module):
    """One attention over the words that slots hold and held, and over a list of C words: a pointer network.

    query   relu(W h_s + p_k) V         of word k of slot s (Vinyals et al. 2015, arXiv 1506.03134)
    key     relu(W' h_t + p'_l) V'      of word l of slot t, in this state or an earlier one; U e_c of word c of the list
    share   of each word of the list: what it and all slots' words that are the same get (Merity et al. 2016, arXiv 1609.07843)

    The score is a scaled product, plus what is preferred by how far slots, words and states lie apart.
    """

    def __init__(self, dim: int, parts: int, slots: int, ages: int, random: Random) -> None:
        super().__init__()
        std = dim**-0.5
        self.ages, self.most = ages, slots
        self.attend = Attention(scaled_dot, softmax, weighted_sum)
        self.asks, self.holds = Linear(dim, dim, random, std=std), Linear(dim, dim, random, std=std)
        self.ask_part, self.hold_part = (nn.Parameter(random.normal(parts, dim, std=0.5)) for _ in range(2))
        self.query, self.key, self.listed = (Linear(dim, dim, random, std=std) for _ in range(3))
        self.apart = nn.Parameter(random.normal(2 * slots + 1, std=0.1))
        self.above = nn.Parameter(random.normal(2 * parts - 1, std=0.1))
        self.age = nn.Parameter(random.normal(2 * ages, std=0.1))
        self.stays = nn.Parameter(torch.full((random.replicas, 1), STAYS))

    def forward(self, x: Tensor, states: Tensor, there: Tensor, words: Tensor, entries: Tensor) -> Tensor:
        """Slots ``x (R, G, J, S, D)`` that hold ``states (R, G, J, S, A)``, those that are ``there (R, G, J, S)``.

        ``words (R, C, D)`` are the vectors of the list, ``entries (C,)`` their numbers. Gives shares (R, G, J, S, A, C).
        """
        steps, slots, parts = states.shape[2:]
        number = len(entries)
        asks = self.query((self.asks(x).unsqueeze(4) + self.ask_part[:, None, None, None]).relu()).flatten(2, 4)
        holds = self.key((self.holds(x).unsqueeze(4) + self.hold_part[:, None, None, None]).relu()).flatten(2, 4)
        listed = self.listed(words).unsqueeze(1).expand(-1, x.shape[1], -1, -1)
        same = torch.eye(number, device=x.device).expand(*x.shape[:2], -1, -1)
        value = torch.cat([(states.flatten(2).unsqueeze(3) == entries).to(x.dtype), same.to(x.dtype)], 2)
        cell = torch.arange(steps * slots * parts, device=x.device)
        block, slot, part = cell // (slots * parts), cell // parts % slots, cell % parts
        readable = (block.unsqueeze(1) >= block) & there.repeat_interleave(parts, 3).flatten(2).unsqueeze(2)
        bias = torch.where(readable, self.moves(block, slot, part).unsqueeze(1), HIDDEN)  # (R, G, Q, M)
        memory = self.attend.prepare(torch.cat([holds, listed], 2), value)
        share: Tensor = memory.ask(asks, bias=F.pad(bias, (0, number))).output
        return share.unflatten(2, (steps, slots, parts))

    def moves(self, block: Tensor, slot: Tensor, part: Tensor) -> Tensor:
        """What is preferred to be copied where, by how far apart the two are, (R, Q, M)."""
        far = slot.unsqueeze(0) - slot.unsqueeze(1)
        above = part.unsqueeze(0) - part.unsqueeze(1)
        age = (block.unsqueeze(1) - block.unsqueeze(0)).clamp(0, self.ages - 1)
        stays = (far == 0) & (above == 0) & (age == 0)
        old = age + self.ages * (far == 0)
        found = self.apart[:, far + self.most] + self.above[:, above + self.above.shape[1] // 2] + self.age[:, old]
        return found + self.stays.unsqueeze(2) * stays
