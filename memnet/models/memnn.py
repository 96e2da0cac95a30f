"""Strongly supervised memory networks (Weston et al. 2014, arXiv 1410.3916; Weston et al. 2015, arXiv 1502.05698).

I  a sentence is its features: a bag of words, with NG also of 2-grams and 3-grams
G  every sentence is written to memory, with its time
O  o_1 = argmax s_O(x, m_i)      o_2 = argmax s_O([x, m_o1], m_i)      ... kappa hops, or, with AM, until "nothing more"
R  answer = argmax over words s_R([x, m_o1, ..., m_ok], w)

s(x, y) = (U x) . (U y), the blocks of U for question, found facts and candidate apart; with NL s(x, y) = W tanh(U x) . (U y).
What O finds and what R says are learned by margin ranking, from supporting facts and from answers.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from memnet.attention import Rows, Trace, dot, weighted_sum
from memnet.attention.align import NEVER
from memnet.attention.reinforce import MovingMean
from memnet.batch import Batch, Examples, Sizes, Vocabulary
from memnet.config import MemNNConfig
from memnet.decode import counted, prediction, scores, spell
from memnet.encode import Codes, encoded, feature_code, memories
from memnet.models.network import Network, Output, Step
from memnet.replicated import Linear, Random


class Ranking(NamedTuple):
    """How O ranks the memories, for Q states of a search."""

    logits: Tensor  # (R, B, Q, M)  -inf where a memory may not be found
    newer: Tensor  # (R, B, Q)  what being the newer of two is worth
    stop: Tensor | None  # (R, B, Q)  the logit of "nothing more"

    def ahead(self, target: Tensor) -> Tensor:
        """s_O(x, y, y') of the memory y = ``target (R, B, Q)`` against every y': (R, B, Q, M).

        Where O can stop M + 1 of them, the last "nothing more"; a target of M is "nothing more" itself.
        """
        memories = self.logits.shape[-1]
        places, place = torch.arange(memories, device=target.device), target.unsqueeze(-1)
        every = self.logits if self.stop is None else torch.cat([self.logits, self.stop.unsqueeze(-1)], -1)
        time = (place - places).sign() * (place < memories) * self.newer.unsqueeze(-1)
        time = time if self.stop is None else F.pad(time, (0, 1))
        return every.gather(-1, place) - every + time

    def found(self, pairs: bool) -> Tensor:
        """The memory that is found, (R, B, Q), -1 for "nothing more" and where there is none."""
        place, best = self.champion() if pairs else self.logits.max(-1)[::-1]
        if self.stop is not None:
            place = torch.where(self.stop > best, -1, place)
        return torch.where(best > NEVER, place, -1)

    def champion(self) -> tuple[Tensor, Tensor]:
        """A tournament from the oldest memory to the newest: y replaces the champion y' where s_O(x, y, y') > 0 (algorithm 1).

        Returns the champion's place and its logit.
        """
        best = self.logits[..., 0]
        place = torch.zeros_like(best, dtype=torch.long)
        for challenger in range(1, self.logits.shape[-1]):
            score = self.logits[..., challenger]
            wins = score - best + self.newer > 0
            wins |= (best == NEVER) & (score > NEVER)
            best, place = torch.where(wins, score, best), place.masked_fill(wins, challenger)
        return place, best


class MemNN(Network):
    """R networks: ``output_map (R, 3 + blocks, F, D)`` and ``response_map (R, 2 + blocks, F, D)``, F features.

    Blocks of U_O: question, candidate, found facts, and one more for each of the first found facts; of U_R the
    same without the candidate, whose words are ``words (R, V, D)``.
    """

    Config = MemNNConfig
    config: MemNNConfig

    def __init__(self, config: MemNNConfig, sizes: Sizes, random: Random) -> None:
        super().__init__(config, sizes, random)
        features, dim, std = sizes.vocabulary + len(sizes.grams), config.dim, config.init_std
        self.hops = min(config.hops, sizes.listed)
        self.blocks = min(config.blocks, self.hops)
        self.output_map = nn.Parameter(random.normal(3 + self.blocks, features, dim, std=std))
        self.response_map = nn.Parameter(random.normal(2 + self.blocks, features, dim, std=std))
        self.words = nn.Parameter(random.normal(sizes.vocabulary, dim, std=std))
        self.said = nn.Parameter(random.normal(sizes.vocabulary, dim, std=std)) if sizes.answer > 1 else None
        self.stop = nn.Parameter(random.normal(dim, std=std)) if config.adaptive else None
        pairs = config.time == "pairs"
        self.order = nn.Parameter(random.normal(2, dim, std=std)) if pairs else None  # after the last found fact; newer
        self.age = nn.Parameter(random.normal(2, sizes.ages, dim, std=std)) if config.time == "age" else None
        self.output_match, self.response_match = (
            Linear(dim, dim, random, bias=False, std=dim**-0.5) if config.nonlinear else None for _ in range(2)
        )

    @classmethod
    def measure(cls, config: MemNNConfig, data: Examples, vocabulary: Vocabulary) -> Sizes:  # type: ignore[override]
        """What a network must know of the questions that it learns from, their n-grams with NG."""
        return data.sizes(vocabulary, 3 if config.ngrams else 0)

    def codes(self, data: Examples) -> Codes:
        """I: sentences and questions as features."""
        per_story = float(data.count.float().mean()) if len(data) else 0.0
        return Codes(feature_code(data.sentences, self.sizes, per_story), feature_code(data.questions, self.sizes, 0.0))

    def generalise(self, blocks: Tensor, ages: Tensor | None, batch: Batch, codes: Codes) -> list[Rows]:
        """G: the story written to memory, in every block (R, K, F, D), the first of them with ``ages (R, <= K, S, D)``."""
        ages = blocks.new_zeros(len(blocks), 0, self.sizes.ages, blocks.shape[3]) if ages is None else ages
        ages = F.pad(ages, (0, 0, 0, 0, 0, blocks.shape[1] - ages.shape[1]))
        return memories(torch.cat([blocks, ages], 2), codes.sentences, batch)

    def rank(self, state: Tensor, candidates: Rows, last: Tensor, free: Tensor) -> Ranking:
        """s_O of ``state (R, B, Q, D)`` with every memory ``free (R, B, Q, M)``, the last found at ``last (R, B, Q)``."""
        asked = state if self.output_match is None else self.output_match(state.tanh())
        logits, newer = dot(asked, candidates), asked.new_zeros(asked.shape[:-1])
        if self.order is not None:
            after, newer = (self.order[:, :, None, None] * asked.unsqueeze(1)).sum(-1).unbind(1)
            later = torch.arange(logits.shape[-1], device=last.device) > last.unsqueeze(-1)
            logits = logits + after.unsqueeze(-1) * (later & (last >= 0).unsqueeze(-1))
        stop = None if self.stop is None else (self.stop[:, None, None] * asked).sum(-1)
        return Ranking(logits.masked_fill(~free, NEVER), newer, stop)

    def search(self, batch: Batch, codes: Codes, known: Tensor | None = None) -> list[Trace]:
        """O: found facts hop by hop, each appended to the question, until every question has all of its own.

        Where a fact is ``known (R, B, hops)``, its place in memory, it is taken as found; -1 is to be found.
        """
        asked, candidates, found = self.output_memory(batch, codes)
        state = asked.unsqueeze(2)
        last, free = torch.full_like(batch.question, -1).unsqueeze(2), batch.mask.unsqueeze(2)
        going = torch.ones_like(batch.question, dtype=torch.bool).unsqueeze(2)
        traces: list[Trace] = []
        for hop in range(self.hops):
            ranking = self.rank(state, candidates, last, free)
            place = ranking.found(self.order is not None).masked_fill(~going, -1)
            if known is not None:
                told = known[:, :, hop : hop + 1]
                place = torch.where(told >= 0, told, place)
            going = place >= 0
            weights = one_hot(place, free.shape[-1])
            read = self.append(found, weights, hop)
            state, last, free = state + read, torch.where(going, place, last), free & (weights == 0)
            traces.append(Trace(read, weights, ranking.logits, null=(~going).float()))
            if not bool(going.any()):
                break
        return traces

    def output_memory(self, batch: Batch, codes: Codes) -> tuple[Tensor, Rows, list[Rows]]:
        """The question (R, B, D) as O sees it, the memory as candidates, and as found facts, in every block."""
        question, blocks = self.output_map.split([1, self.output_map.shape[1] - 1], 1)
        candidates, *found = self.generalise(blocks, self.age, batch, codes)
        return encoded(question.squeeze(1), codes.questions, batch.question), candidates, found

    def append(self, found: list[Rows], weights: Tensor, hop: int) -> Tensor:
        """What found facts (R, B, Q, M), of Q hops from ``hop`` on, add to a question: (R, B, Q, D)."""
        total = weighted_sum(weights, found[0])
        own = [weighted_sum(each.unsqueeze(2), found[1 + hop + i]) for i, each in self.own(weights, hop)]
        return total if not own else total + F.pad(torch.cat(own, 2), (0, 0, 0, weights.shape[2] - len(own)))

    def own(self, weights: Tensor, hop: int) -> list[tuple[int, Tensor]]:
        """The hops among Q from ``hop`` on that have a block of their own."""
        return [(i, each) for i, each in enumerate(weights.unbind(2)) if hop + i < self.blocks]

    def response(self, batch: Batch, codes: Codes, weights: Tensor, given: Tensor | None) -> Tensor:
        """R: the scores of the answer's words from question and found facts ``weights (R, B, hops, M)``: (R, B, A, V)."""
        question, blocks = self.response_map.split([1, self.response_map.shape[1] - 1], 1)
        found = self.generalise(blocks, None, batch, codes)
        state = encoded(question.squeeze(1), codes.questions, batch.question)
        if weights.shape[2]:
            state = state + self.append(found, weights, 0).sum(2)
        replica = torch.arange(len(state), device=state.device).unsqueeze(1)

        def step(state: Tensor, word: Tensor | None) -> tuple[Tensor, Tensor]:
            if word is not None and self.said is not None:
                state = state + self.said[replica, word]
            return scores(state if self.response_match is None else self.response_match(state.tanh()), self.words), state

        return spell(step, state, self.sizes.answer, given)

    def forward(
        self, batch: Batch, codes: Codes, random: Random | None = None, samples: int = 1, given: Tensor | None = None
    ) -> Output:
        """Find facts, without being told any, and answer."""
        traces = self.search(batch, codes)
        read = [trace.weights for trace in traces] or [batch.mask.unsqueeze(2).new_zeros(*batch.mask.shape[:2], 0, 1).float()]
        return Output(self.response(batch, codes, torch.cat(read, 2), given).unsqueeze(2), traces)

    def objective(self, batch: Batch, codes: Codes, random: Random, mean: MovingMean) -> Step:
        """Margin ranking of the supporting facts and of the answer's words (Weston et al. 2014, section 3.1)."""
        finding, weights = self.learn_to_find(batch, codes, random)
        logits = self.response(batch, codes, weights, batch.answer)  # (R, B, A, V)
        ahead, rival = answer_rivals(logits, batch.answer)
        rival = drawn(rival, self.config.negative_words, self.sizes.vocabulary, random)
        answering = self.ranking_loss(ahead, rival).sum(2)  # (R, B)
        wrong = (prediction(logits.detach()) != batch.answer).any(-1).sum(1)
        return Step((finding + answering).sum(1), answering.detach().sum(1), wrong)

    def learn_to_find(self, batch: Batch, codes: Codes, random: Random) -> tuple[Tensor, Tensor]:
        """What finding each supporting fact after those before it costs, (R, B), and the facts R learns from, (R, B, hops, M).

        These are the true ones or, for the share ``own_picks`` of the hops, what O would find there. In hops that no
        fact is told for - none of a question's, or those after the last where O cannot stop - it is what O finds.
        """
        memories, told = batch.mask.shape[2], (batch.facts >= 0).sum(2)  # (R, B)
        facts = batch.facts[..., : self.hops]
        facts = F.pad(facts, (0, self.hops - facts.shape[2]), value=-1)  # (R, B, K)
        true = one_hot(facts, memories)
        asked, candidates, found = self.output_memory(batch, codes)
        state = asked.unsqueeze(2) + before(self.append(found, true, 0).cumsum(2), 0.0)
        free = batch.mask.unsqueeze(2) & (before(true.cumsum(2), 0.0) == 0)
        ranking = self.rank(state, candidates, before(facts, -1), free)
        target, rival = facts, drawn(free, self.config.negatives, batch.told[..., None, None], random)
        if self.config.adaptive:
            ended = (torch.arange(self.hops, device=told.device) == told.unsqueeze(2)) & (told > 0).unsqueeze(2)
            target, rival = facts.masked_fill(ended, memories), F.pad(rival, (0, 1), value=True)
        taught, target = target >= 0, target.clamp(min=0)
        rival = rival.scatter(3, target.unsqueeze(3), False) & taught.unsqueeze(3)
        cost = self.ranking_loss(ranking.ahead(target), rival).sum(2)
        with torch.no_grad():
            own = taught & (random.uniform(*facts.shape[1:]).to(taught.device) < self.config.own_picks)
            weights = one_hot(torch.where(own, ranking.found(self.order is not None), facts), memories)
            untold = (told == 0).unsqueeze(2) if self.config.adaptive else facts < 0  # (R, B, 1 or K)
            if bool(untold.any()):
                alone = torch.cat([trace.weights for trace in self.search(batch, codes, facts)], 2)
                alone = F.pad(alone, (0, 0, 0, self.hops - alone.shape[2]))
                weights = torch.where(untold.unsqueeze(3), alone, weights)
        return cost, weights

    def ranking_loss(self, ahead: Tensor, rival: Tensor) -> Tensor:
        """sum over rivals of max(0, margin - s(true) + s(rival)): ``ahead (..., N)``, which are ``rival (..., N)`` -> (...)."""
        return (self.config.margin - ahead).clamp(min=0).masked_fill(~rival, 0.0).sum(-1)

    def loss(self, logits: Tensor, answer: Tensor) -> Tensor:
        """What answers cost, (R, B, A, V) and (R, B, A) -> (R, B): the margin ranking loss against every word."""
        return self.ranking_loss(*answer_rivals(logits, answer)).sum(2)


def answer_rivals(logits: Tensor, answer: Tensor) -> tuple[Tensor, Tensor]:
    """How far each of an answer's words (R, B, A) is ahead of every word, (R, B, A, V), and which are its rivals."""
    true = answer.unsqueeze(-1)
    rival = torch.ones_like(logits, dtype=torch.bool).scatter(-1, true, False) & counted(answer).unsqueeze(-1)
    return logits.gather(-1, true) - logits, rival


def drawn(rival: Tensor, number: int, of: Tensor | int, random: Random) -> Tensor:
    """``rival (R, B, Q, N)`` with no more than ``number`` of the first ``of`` left, drawn anew; 0 leaves all."""
    if number == 0:
        return rival
    place = (random.uniform(*rival.shape[1:3], number).to(rival.device) * of).long()
    return rival & torch.zeros_like(rival).scatter_(3, place, True)


def one_hot(place: Tensor, width: int) -> Tensor:
    """(...) -> (..., width), all zero for a place of -1."""
    return torch.zeros(*place.shape, width, device=place.device).scatter_(
        -1, place.clamp(min=0).unsqueeze(-1), (place >= 0).float().unsqueeze(-1)
    )


def before(values: Tensor, first: float) -> Tensor:
    """Each hop's predecessor, ``first`` before the first: (R, B, K, ...) -> the same shape."""
    return torch.cat([torch.full_like(values[:, :, :1], first), values[:, :, :-1]], 2)
