"""Strongly supervised memory networks (Weston et al. 2014, arXiv 1410.3916; Weston et al. 2015, arXiv 1502.05698).

I  a sentence is its features: a bag of words, with NG also of 2-grams and 3-grams
G  every sentence is written to memory, with its time
O  o_1 = argmax s_O(x, m_i)      o_2 = argmax s_O([x, m_o1], m_i)      ... kappa hops, or, with AM, until "nothing more"
R  answer = argmax over words s_R([x, m_o1, ..., m_ok], w)

s(x, y) = (U x) . (U y), the blocks of U for question, found facts and candidate apart; with NL s(x, y) = W tanh(U x) . (U y).
What O finds and what R says are learned by margin ranking, from supporting facts and from answers. With hard attention O draws
what it finds, and learns from answers alone by REINFORCE.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from memnet.attention import ALIGNS, SCORES, Attention, Rows, Trace
from memnet.attention.align import NEVER, Tournament
from memnet.attention.attend import Memory
from memnet.attention.reinforce import MovingMean
from memnet.attention.trace import place_read
from memnet.config.memnn import MemNNConfig
from memnet.encode.batch import Batch
from memnet.encode.examples import Examples, Sizes
from memnet.encode.vocabulary import Vocabulary
from memnet.models.decoders import decode, prediction, scores
from memnet.models.encoders import EncodedData, encoded, feature_code, memories
from memnet.models.memnn_response import FactRead, Found
from memnet.models.network import Network, Output, Step, mean_answer
from memnet.models.ranking import answer_rivals, before, drawn, lead, one_hot, ranking_loss
from memnet.nn.modules import Linear
from memnet.nn.random import Random


class MemNN(Network):
    """R networks: ``output_map (R, 3 + blocks, F, D)`` and ``response_map (R, 2 + blocks, F, D)``, F features.

    Blocks of U_O: question, candidate, found facts, and one more for each of the first found facts; of U_R the
    same without the candidate, whose words are ``words (R, V, D)``.
    """

    Config = MemNNConfig
    title = "A strongly supervised memory network"
    presets = ("memnn-am-ng-nl", "memnn-am-ng-nl-joint")
    config: MemNNConfig

    def __init__(self, config: MemNNConfig, sizes: Sizes, random: Random) -> None:
        super().__init__(config, sizes, random)
        features, dim, std = sizes.vocabulary + len(sizes.grams), config.dim, config.init_std
        self.hops = min(config.hops, sizes.listed) if config.supervision == "facts" else config.hops
        self.blocks = min(config.blocks, self.hops)
        self.output_map = nn.Parameter(random.normal(3 + self.blocks, features, dim, std=std))
        self.response_map = nn.Parameter(random.normal(2 + self.blocks, features, dim, std=std))
        self.words = nn.Parameter(random.normal(sizes.vocabulary, dim, std=std))
        self.said_words = nn.Parameter(random.normal(sizes.vocabulary, dim, std=std)) if sizes.answer > 1 else None
        self.stop = nn.Parameter(random.normal(dim, std=std)) if config.adaptive else None
        pairs = config.time == "pairs"
        align = Tournament(random.normal(2, dim, std=std)) if pairs else ALIGNS[config.align](dim, random, 0.0)
        self.attend = Attention(SCORES[config.score](dim, dim, random), align, FactRead())  # type: ignore[arg-type]
        self.age = nn.Parameter(random.normal(2, sizes.ages, dim, std=std)) if config.time == "age" else None
        self.output_match, self.response_match = (
            Linear(dim, dim, random, bias=False, std=dim**-0.5) if config.nonlinear else None for _ in range(2)
        )

    @classmethod
    def measure(cls, config: MemNNConfig, data: Examples, vocabulary: Vocabulary) -> Sizes:  # type: ignore[override]
        """What a network must know of the questions that it learns from, their n-grams with NG."""
        return data.sizes(vocabulary, 3 if config.ngrams else 0)

    @property
    def tournament(self) -> Tournament | None:
        """Its sense of which of two memories is the newer, where it has one."""
        align = self.attend.align
        return align if isinstance(align, Tournament) else None

    @property
    def alignment(self) -> str:
        """The name of its alignment."""
        return self.config.align

    def phase_name(self, replica: int) -> str:
        """Its kind of training."""
        return "hard" if self.config.draws else "training"

    @property
    def num_draws(self) -> int:
        """Once a hop."""
        return self.hops

    def num_choices(self, batch: Batch) -> int:
        """Every place of the memory, and "nothing more" where O can stop."""
        return batch.mask.shape[2] + (self.stop is not None)

    def encode_data(self, data: Examples) -> EncodedData:
        """I: sentences and questions as features."""
        return EncodedData(
            feature_code(data.sentences, self.sizes, data.per_story), feature_code(data.questions, self.sizes, 0.0)
        )

    def generalise(self, blocks: Tensor, ages: Tensor | None, batch: Batch, encoded_data: EncodedData) -> list[Rows]:
        """G: the story written to memory, in every block (R, K, F, D), the first of them with ``ages (R, <= K, S, D)``."""
        ages = blocks.new_zeros(len(blocks), 0, self.sizes.ages, blocks.shape[3]) if ages is None else ages
        ages = F.pad(ages, (0, 0, 0, 0, 0, blocks.shape[1] - ages.shape[1]))
        return memories(torch.cat([blocks, ages], 2), encoded_data.sentences, batch)

    def output_memory(self, batch: Batch, encoded_data: EncodedData) -> tuple[Tensor, Rows, Found]:
        """The question (R, B, D) as O sees it, the memory as candidates, and as found facts."""
        question, blocks = self.output_map.split([1, self.output_map.shape[1] - 1], 1)
        candidates, common, *of_hops = self.generalise(blocks, self.age, batch, encoded_data)
        return encoded(question.squeeze(1), encoded_data.questions, batch.question), candidates, Found(common, of_hops)

    def find(
        self, memory: Memory, state: Tensor, last: Tensor, free: Tensor, random: Random | None, going: Tensor | None = None
    ) -> tuple[Trace, Tensor, Tensor | None]:
        """O: what ``state (R, B, Q, D)`` finds among the memories ``free (R, B, Q, M)``, the last found at ``last (R, B, Q)``.

        Also the query, (R, B, Q, D), and the logit of "nothing more", (R, B, Q). Where not ``going`` nothing is to be chosen.
        """
        free = free if going is None else free & going.unsqueeze(-1)
        query = state if self.output_match is None else self.output_match(state.tanh())
        bias = None
        if self.tournament is not None:
            after, _ = self.tournament.worths(query)
            later = torch.arange(free.shape[-1], device=last.device) > last.unsqueeze(-1)
            bias = after.unsqueeze(-1) * (later & (last >= 0).unsqueeze(-1))
        stop = self.stop_logit(query)
        stop = stop if stop is None or going is None else stop.masked_fill(~going, NEVER)
        return memory.ask(query, free, stop, bias, random=random), query, stop

    def stop_logit(self, query: Tensor) -> Tensor | None:
        """The logit of "nothing more", (R, B, Q), where O can stop."""
        return None if self.stop is None else (self.stop[:, None, None] * query).sum(-1)

    def search(
        self,
        batch: Batch,
        encoded_data: EncodedData,
        known: Tensor | None = None,
        random: Random | None = None,
        samples: int = 1,
    ) -> tuple[list[Trace], list[Tensor | None]]:
        """O: found facts hop by hop, each appended to the question, until every question has all of its own.

        Where a fact is ``known (R, B, hops)``, its place in memory, it is taken as found; -1 is to be found. Last, the logits
        of "nothing more", (R, B, T), -inf for questions that have all of their own.
        """
        asked, candidates, found = self.output_memory(batch, encoded_data)
        state = asked.unsqueeze(2).expand(-1, -1, samples, -1)
        free = batch.mask.unsqueeze(2).expand(-1, -1, samples, -1)
        last = torch.full(state.shape[:3], -1, device=state.device)
        going = torch.ones_like(last, dtype=torch.bool)
        traces, stops = list[Trace](), list[Tensor | None]()
        for hop in range(self.hops):
            memory = self.attend.prepare(candidates, (found, hop))
            trace, _, stop = self.find(memory, state, last, free, random, going)
            weights = trace.weights
            if known is not None:
                given = known[:, :, hop : hop + 1]
                weights = torch.where((given >= 0).unsqueeze(-1), one_hot(given, free.shape[-1]), weights)
            stops.append(stop)
            going = weights.any(-1)
            read = trace.output * going.unsqueeze(-1) if known is None else memory.read(weights)
            state, last = state + read, torch.where(going, place_read(weights), last)
            free = free & (weights == 0)
            traces.append(trace._replace(output=read, weights=weights, null=(~going).float()))
            if trace.log_prob is None and not torch.compiler.is_exporting() and not bool(going.any()):
                break
        return traces, stops

    def response(self, batch: Batch, encoded_data: EncodedData, weights: Tensor, given: Tensor | None) -> Tensor:
        """R: answers' scores (R, B, T, A, V); ``weights (R, B, T, hops, M)`` of found facts, answers ``given (R, B, A)``."""
        return self.responder(batch, encoded_data, weights)(given)

    def responder(self, batch: Batch, encoded_data: EncodedData, weights: Tensor) -> Callable[[Tensor | None], Tensor]:
        """What scores the words of any answers, (R, B, A) -> (R, B, T, A, V), from question and found facts, taken in once."""
        question, blocks = self.response_map.split([1, self.response_map.shape[1] - 1], 1)
        common, *of_hops = self.generalise(blocks, None, batch, encoded_data)
        found = Found(common, of_hops)
        samples = weights.shape[2]
        state = encoded(question.squeeze(1), encoded_data.questions, batch.question).unsqueeze(2).expand(-1, -1, samples, -1)
        if weights.shape[3]:
            state = state + torch.stack([found.read(each).sum(2) for each in weights.unbind(2)], 2)
        replica = torch.arange(len(state), device=state.device).view(-1, 1, 1)

        def step(state: Tensor, word: Tensor | None) -> tuple[Tensor, Tensor]:
            if word is not None and self.said_words is not None:
                state = state + self.said_words[replica, word]
            return scores(state if self.response_match is None else self.response_match(state.tanh()), self.words), state

        def scored(given: Tensor | None) -> Tensor:
            again = None if given is None else given.unsqueeze(2).expand(-1, -1, samples, -1)
            return decode(step, state, self.sizes.answer, again)

        return scored

    def forward(
        self,
        batch: Batch,
        encoded_data: EncodedData,
        random: Random | None = None,
        samples: int = 1,
        given: Tensor | None = None,
        noise: Random | None = None,
    ) -> Output:
        """Find facts, none of which is given, and answer."""
        traces, stops = self.search(batch, encoded_data, None, random, samples)
        none = batch.mask.new_zeros(*batch.mask.shape[:2], samples, 0, 1).float()
        read = torch.stack([trace.weights for trace in traces], 3) if traces else none
        scored = self.responder(batch, encoded_data, read)

        def others(given: Tensor) -> Tensor:
            return torch.stack([mean_answer(scored(one)) for one in given.unbind(2)], 2)

        return Output(scored(given), traces, nulls=stops, decode=others)

    def objective(self, batch: Batch, encoded_data: EncodedData, random: Random, mean: MovingMean) -> Step:
        """Margin ranking of the supporting facts and of the answer's words (Weston et al. 2014, section 3.1).

        Of hard attention that of the answer's words, by REINFORCE or exactly, and the likelihood of the facts where they
        supervise.
        """
        if self.config.draws:
            return super().objective(batch, encoded_data, random, mean)
        finding, weights = self.learn_to_find(batch, encoded_data, random)
        logits = self.response(batch, encoded_data, weights.unsqueeze(2), batch.answer).squeeze(2)  # (R, B, A, V)
        ahead, rival = answer_rivals(logits, batch.answer)
        rival = drawn(rival, self.config.negative_words, self.sizes.vocabulary, random)
        answering = ranking_loss(ahead, rival, self.config.margin).sum(2)  # (R, B)
        wrong = (prediction(logits.detach()) != batch.answer).any(-1).sum(1)
        return Step((finding + answering).sum(1), answering.detach().sum(1), wrong)

    def learn_to_find(self, batch: Batch, encoded_data: EncodedData, random: Random) -> tuple[Tensor, Tensor]:
        """What finding each supporting fact after those before it costs, (R, B), and the facts R learns from, (R, B, hops, M).

        These are the true ones or, for the share ``scheduled_sampling`` of the hops, what O would find there. In hops for
        which no fact is listed - none of a question's, or those after the last where O cannot stop - it is what O finds.
        """
        memories, listed = batch.mask.shape[2], (batch.facts >= 0).sum(2)  # (R, B)
        facts = batch.facts[..., : self.hops]
        facts = F.pad(facts, (0, self.hops - facts.shape[2]), value=-1)  # (R, B, K)
        true = one_hot(facts, memories)
        asked, candidates, found = self.output_memory(batch, encoded_data)
        state = asked.unsqueeze(2) + before(found.read(true).cumsum(2), 0.0)
        free = batch.mask.unsqueeze(2) & (before(true.cumsum(2), 0.0) == 0)
        trace, query, _ = self.find(self.attend.prepare(candidates, ()), state, before(facts, -1), free, None)
        target, rival = facts, drawn(free, self.config.negatives, batch.num_memories[..., None, None], random)
        if self.config.adaptive:
            ended = (torch.arange(self.hops, device=listed.device) == listed.unsqueeze(2)) & (listed > 0).unsqueeze(2)
            target, rival = facts.masked_fill(ended, memories), F.pad(rival, (0, 1), value=True)
        taught, target = target >= 0, target.clamp(min=0)
        rival = rival.scatter(3, target.unsqueeze(3), False) & taught.unsqueeze(3)
        cost = ranking_loss(self.lead(trace, query, target), rival, self.config.margin).sum(2)
        with torch.no_grad():
            sampled = taught & (random.uniform(*facts.shape[1:]).to(taught.device) < self.config.scheduled_sampling)
            weights = torch.where(sampled.unsqueeze(3), trace.weights, true)
            unlisted = (listed == 0).unsqueeze(2) if self.config.adaptive else facts < 0  # (R, B, 1 or K)
            if bool(unlisted.any()):
                alone = torch.cat([each.weights for each in self.search(batch, encoded_data, facts)[0]], 2)
                alone = F.pad(alone, (0, 0, 0, self.hops - alone.shape[2]))
                weights = torch.where(unlisted.unsqueeze(3), alone, weights)
        return cost, weights

    def lead(self, trace: Trace, query: Tensor, target: Tensor) -> Tensor:
        """How far the memory ``target (R, B, Q)`` is ahead of every other of what O found, see :func:`lead`."""
        newer = query.new_zeros(query.shape[:-1]) if self.tournament is None else self.tournament.worths(query)[1]
        return lead(trace.logits, self.stop_logit(query), newer, target)

    def loss(self, logits: Tensor, answer: Tensor) -> Tensor:
        """What answers cost, (..., A, V) and (..., A) -> (...): the margin ranking loss against every word."""
        return ranking_loss(*answer_rivals(logits, answer), self.config.margin).sum(-1)
