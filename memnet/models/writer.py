"""Writing a memory by reading: every word of a slot is copied from a slot, now or earlier, from what was said, or a list."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from memnet.attention import Attention, scaled_dot, softmax, weighted_sum
from memnet.models.states import Blocks, lost
from memnet.nn.modules import Linear
from memnet.nn.random import Random

HIDDEN = -1e9  # is added to the logit of what may not be read, once for all layers: cheaper than a mask in each
STAYS = 3.0  # what a slot's own word has to begin with


class Writer(nn.Module):
    """One attention over the words that slots hold and held, those that were said, and a list of C words: a pointer network.

    query   relu(W h_s + p_k) V         of word k of slot s (Vinyals et al. 2015, arXiv 1506.03134)
    key     relu(W' h_t + p'_l) V'      of word l of slot t, in this state or an earlier one
            relu(W" h_w) V"             of a word w that was said and is of the list; U e_c of word c of the list
    share   of each word of the list: what it and all slots' words that are the same get (Merity et al. 2016, arXiv 1609.07843)

    ``h`` is what the last layer makes of slots and words. The score is a scaled product, plus what is preferred by how far
    slots, their words, and states or sentences lie apart, and of what was held once and is no more.
    """

    def __init__(self, dim: int, parts: int, slots: int, ages: int, random: Random) -> None:
        super().__init__()
        std = dim**-0.5
        self.ages, self.most = ages, slots
        self.attend = Attention(scaled_dot, softmax, weighted_sum)
        self.asks, self.holds = Linear(dim, dim, random, std=std), Linear(dim, dim, random, std=std)
        self.ask_part, self.hold_part = (nn.Parameter(random.normal(parts, dim, std=0.5)) for _ in range(2))
        self.query, self.key, self.listed = (Linear(dim, dim, random, std=std) for _ in range(3))
        self.hears, self.heard = Linear(dim, dim, random, std=std), Linear(dim, dim, random, std=std)
        self.since = nn.Parameter(random.normal(ages, std=0.1))
        self.apart = nn.Parameter(random.normal(2 * slots + 1, std=0.1))
        self.above = nn.Parameter(random.normal(2 * parts - 1, std=0.1))
        self.age = nn.Parameter(random.normal(2 * ages, std=0.1))
        self.gone = nn.Parameter(torch.zeros(random.replicas, 1))
        self.stays = nn.Parameter(torch.full((random.replicas, 1), STAYS))

    def forward(self, slots: Tensor, said: Tensor, blocks: Blocks, states: Tensor, words: Tensor, entries: Tensor) -> Tensor:
        """Slots ``(R, G, J, S, D)`` that hold ``states (R, G, J, S, A)``, and the words that are ``said (R, G, J, L, D)``.

        ``words (R, C, D)`` are the vectors of the list, ``entries (C,)`` their numbers. Gives shares (R, G, J, S, A, C).
        """
        steps, number, parts = states.shape[2:]
        asks = self.query((self.asks(slots).unsqueeze(4) + self.ask_part[:, None, None, None]).relu()).flatten(2, 4)
        holds = self.key((self.holds(slots).unsqueeze(4) + self.hold_part[:, None, None, None]).relu()).flatten(2, 4)
        heard = self.heard(self.hears(said).relu()).flatten(2, 3)
        listed = self.listed(words).unsqueeze(1).expand(-1, slots.shape[1], -1, -1)
        cells = [(one.flatten(2).unsqueeze(3) == entries).to(slots.dtype) for one in (states, blocks.words)]
        same = torch.eye(len(entries), device=slots.device, dtype=slots.dtype).expand(*slots.shape[:2], -1, -1)
        memory = self.attend.prepare(torch.cat([holds, heard, listed], 2), torch.cat([*cells, same], 2))
        held = blocks.slots.repeat_interleave(parts, 3).flatten(2)
        there = torch.cat([held, blocks.there.flatten(2) & cells[1].any(3)], 2).unsqueeze(2)
        cell = torch.arange(steps * number * parts, device=slots.device)
        block = cell // (number * parts)
        told = torch.arange(steps, device=slots.device).repeat_interleave(said.shape[3])
        bias = torch.cat([self.moves(block, cell // parts % number, cell % parts), self.recent(block, told)], 2)
        gone = F.pad(lost(states)[:, :, block].repeat_interleave(parts, 4).flatten(3), (0, told.shape[0]))  # (R, G, Q, M)
        bias = bias.unsqueeze(1) + self.gone.view(-1, 1, 1, 1) * gone
        readable = there & (block.unsqueeze(1) >= torch.cat([block, told]))
        bias = torch.where(readable, bias, HIDDEN)  # (R, G, Q, M)
        share: Tensor = memory.ask(asks, bias=F.pad(bias, (0, len(entries)))).output
        found: Tensor = share.unflatten(2, (steps, number, parts))
        return found

    def recent(self, block: Tensor, told: Tensor) -> Tensor:
        """What is preferred of words by how long ago they were said, (R, Q, M)."""
        return self.since[:, (block.unsqueeze(1) - told).clamp(0, self.ages - 1)]

    def moves(self, block: Tensor, slot: Tensor, part: Tensor) -> Tensor:
        """What is preferred to be copied where, by how far apart the two are, (R, Q, M)."""
        far = slot.unsqueeze(0) - slot.unsqueeze(1)
        above = part.unsqueeze(0) - part.unsqueeze(1)
        age = (block.unsqueeze(1) - block.unsqueeze(0)).clamp(0, self.ages - 1)
        stays = (far == 0) & (above == 0) & (age == 0)
        old = age + self.ages * (far == 0)
        found: Tensor = self.apart[:, far + self.most] + self.above[:, above + self.above.shape[1] // 2] + self.age[:, old]
        return found + self.stays.unsqueeze(2) * stays
