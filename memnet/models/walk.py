"""Networks that walk from name to name: what is said of a and m, and of m and c, tells how a and c are related.

statement about a and b   its words, with their places beside the two names -> the relation r(a, b), chances of K relations
hop                       r(a, c) += (1 - |r(a, c)|) sum_m w_m compose(r(a, m), r(m, c)), w = align(how sure both are) over the
                          names m: what was said or concluded stays, the share of it that was unknown is filled in
answer                    from r(a, c) of the two names asked about

Every hop is the same, and there are as many as there are names. Names are markers, and only their roles count: subject, object,
another. With ``compose=table`` a state is again one of K relations after each hop, so that what is learned of two steps holds
at the tenth. Its first relations are the answers, and a word that is one speaks for it. With ``compose=sum`` a state is a
vector to which each statement adds: u + o (Sukhbaatar et al. 2015). Both are learned from answers alone.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn

from memnet.attention import Attention, dot, softmax, weighted_sum
from memnet.config import Training
from memnet.config.walk import WalkConfig
from memnet.encode.batch import Batch
from memnet.encode.examples import Examples, Sizes
from memnet.encode.pairs import OBJECT, SUBJECT, Pairs, Told, facts_of, pairs_of
from memnet.encode.vocabulary import Vocabulary
from memnet.models.network import Network, Output
from memnet.nn.modules import Linear, dropout
from memnet.nn.random import Random
from memnet.nn.relations import TINY, Directed, Sum, Table, agreed
from memnet.reading.words import Words

VECTORS = 100  # width of the package's
FAR = 12  # words from a name, beyond which the distance is no longer told
COPIED = 6.0  # what a word that is an answer adds to its relation before training
ABOUT = 2  # width of what a name's statements tell of it alone, as whether it is a woman's
SURE = 4.0  # of how sure a relation is, before training
UNLIKELY = -20.0  # log-probability of what is no answer in training


class Walked(NamedTuple):
    """What is known of pairs of names: sources A by names N."""

    state: Tensor  # (R, B, A, N, W)
    known: Tensor  # (R, B, A, N)  bool
    part: Tensor  # (R, B, A, N, M)  how often each statement has part in it

    def of(self, source: Tensor) -> Walked:
        """Of the sources numbered, (R, B, A)."""
        replica, story = (torch.arange(size, device=source.device) for size in source.shape[:2])
        return Walked(*(one[replica.view(-1, 1, 1), story.view(1, -1, 1), source] for one in self))

    def where(self, changed: Tensor, other: Walked) -> Walked:
        """This where it ``changed (R, B, A, N)``, another elsewhere."""
        return Walked(
            *(
                torch.where(changed.view(*changed.shape, *[1] * (one.dim() - 4)), one, old)
                for one, old in zip(self, other, strict=True)
            )
        )


class Reader(nn.Module):
    """A relation's logits from the words of a form: three words side by side, read by a few rows of attention.

    h_t = relu(W [x_{t-1}; x_t; x_{t+1}]), x_t a word with its places beside the subject and the object.
    """

    def __init__(self, config: WalkConfig, words: int, width: int, codes: dict[int, int], random: Random) -> None:
        super().__init__()
        dim, self.rate = config.dim, config.dropout
        self.project = Linear(VECTORS, dim, random, bias=False, std=VECTORS**-0.5) if config.package_vectors else None
        self.given: Tensor
        self.register_buffer("given", torch.zeros(words, VECTORS) if config.package_vectors else None)
        self.embedding = nn.Parameter(random.normal(words, dim, std=0.5))
        self.beside = nn.ParameterList([random.normal(2 * FAR + 1, dim, std=0.5) for _ in range(2)])
        self.inner = Linear(3 * dim, dim, random, std=(3 * dim) ** -0.5)
        self.rows = nn.Parameter(random.normal(config.rows + 1, dim, std=dim**-0.5))  # the last one copies
        self.out = Linear(config.rows * dim, width, random, std=(config.rows * dim) ** -0.5)
        self.copied = nn.Parameter(random.normal(1, std=0.0, mean=COPIED))
        self.attend = Attention(dot, softmax, weighted_sum)
        code = torch.zeros(words, width)  # which word speaks for which relation
        code[list(codes), list(codes.values())] = 1.0
        self.register_buffer("code", code, persistent=False)
        self.code: Tensor

    def forward(self, words: Tensor, lengths: Tensor, roles: tuple[int, int], noise: Random | None) -> Tensor:
        """Forms ``words (F, L)`` -> (R, F, width)."""
        place = torch.arange(words.shape[1], device=words.device)
        kept = dropout(torch.ones_like(self.embedding[..., :1]), self.rate, noise)  # whole words
        table = self.embedding * kept
        if self.project is not None:
            table = table + self.project(self.given.expand(len(table), -1, -1))
        told = table[:, words]  # (R, F, L, D)
        for beside, role in zip(self.beside, roles, strict=True):
            at = (words == role).long().cumsum(1).eq(0).sum(1, keepdim=True)  # of the first
            told = told + beside[:, (place - at).clamp(-FAR, FAR) + FAR]
        there = place < lengths.unsqueeze(1)
        told = told * there.unsqueeze(2)
        none = torch.zeros_like(told[:, :, :1])
        around = torch.cat([torch.cat([none, told[:, :, :-1]], 2), told, torch.cat([told[:, :, 1:], none], 2)], 3)
        hidden = self.inner(around).relu()
        query = self.rows.unsqueeze(1).expand(-1, len(words), -1, -1)
        trace = self.attend(query, hidden, hidden, there.unsqueeze(1))
        copied = (trace.weights[:, :, -1:] @ self.code[words]).squeeze(2) * self.copied.unsqueeze(2)
        read = dropout(trace.output[:, :, :-1].flatten(2), self.rate, noise)
        found: Tensor = self.out(read) + copied
        return found


class Walk(Network):
    """R networks: a reader of what is said of two names, and a composition of relations that is the same in every hop."""

    Config = WalkConfig
    title = "A network that walks relations from name to name"
    presets = ("walk", "walk")
    config: WalkConfig

    def __init__(self, config: WalkConfig, sizes: Sizes, random: Random) -> None:
        super().__init__(config, sizes, random)
        self.answers = list(sizes.answers) or [0]
        table = config.compose == "table"
        number = len(self.answers)
        self.codes = config.states + number if table else config.states
        self.roles = sizes.vocabulary - sizes.entities + SUBJECT, sizes.vocabulary - sizes.entities + OBJECT
        width = self.codes + (2 + 2 * ABOUT) * table
        own = {entry: code for code, entry in enumerate(self.answers)} if table else {}
        self.read = Reader(config, sizes.vocabulary, width, own, random)
        self.composition = Table(self.codes, number, random) if table else Sum(self.codes, number, random)
        self.sure = nn.Parameter(random.normal(1, std=0.0, mean=SURE))
        self.directed = Directed(self.codes, random) if table else None
        self.about = nn.Parameter(random.normal(ABOUT, self.codes, std=0.1)) if table else None
        self.fits = Linear(self.codes, 1, random)
        self.ways = Attention(dot, config.make_align(1, random), weighted_sum)
        self.evidence = Attention(dot, softmax, weighted_sum)

    @classmethod
    def measure(cls, config: Training, data: Examples, vocabulary: Vocabulary) -> Sizes:
        """Besides: which entries are answers."""
        answers = data.answer[data.answer >= 0].unique().tolist()
        return super().measure(config, data, vocabulary)._replace(answers=tuple(answers))

    def know_words(self, vocabulary: Vocabulary) -> None:
        """The vectors of the package for the words that have one."""
        if self.config.package_vectors:
            words = Words.load()
            rows = [words.rows.get(entry, 0) for entry in vocabulary.entries]
            self.read.given.copy_(torch.from_numpy(words.vectors[rows]))

    @property
    def alignment(self) -> str:
        """The name of its alignment."""
        return self.config.align

    @property
    def noisy(self) -> bool:
        """Whether training draws random numbers in the forward pass."""
        return self.config.dropout > 0

    def encode_data(self, data: Examples) -> Pairs:
        """The facts of every statement."""
        return pairs_of(data, self.sizes.vocabulary, self.sizes.entities, self.config.span)

    def forward(
        self,
        batch: Batch,
        encoded_data: Pairs,
        random: Random | None = None,
        samples: int = 1,
        given: Tensor | None = None,
        noise: Random | None = None,
    ) -> Output:
        """Answers, and one trace: how much each statement has part in what was concluded of the two names."""
        told = facts_of(encoded_data, batch)
        walked = self.walk(self.told(told, encoded_data, batch, noise), told)
        replica, story = (torch.arange(size, device=batch.mask.device) for size in told.counts.shape)
        where = replica.unsqueeze(1), story.unsqueeze(0)
        source = told.asked[..., 0] if self.composition.symmetric else torch.zeros_like(told.asked[..., 0])
        state, part = (one[(*where, source, told.asked[..., 1])] for one in (walked.state, walked.part))
        logits = torch.full((*told.counts.shape, self.sizes.vocabulary), UNLIKELY, device=state.device)
        logits[..., self.answers] = self.composition.scores(state)
        logits = self.named(logits, walked.state[(*where, source)], told)
        share = (part / part.sum(2, keepdim=True).clamp(min=1.0)).clamp(min=1e-6).log().unsqueeze(3)
        trace = self.evidence.prepare(share).ask(torch.ones_like(share[..., :1, :]), batch.mask.unsqueeze(2))
        return Output(logits.unsqueeze(2).unsqueeze(3), [trace])

    def named(self, logits: Tensor, states: Tensor, told: Told) -> Tensor:
        """``logits (R, B, V)``; where one name alone is asked about, other names answer, by their ``states (R, B, N, W)``."""
        alone = (told.asked[..., 0] == told.asked[..., 1]).unsqueeze(2)
        fits = self.fits(states).squeeze(3).gather(2, told.number.clamp(0, told.names - 1))  # (R, B, markers)
        here = alone & told.present
        first = self.sizes.vocabulary - self.sizes.entities
        rest = logits[..., first:]
        width = min(rest.shape[2], fits.shape[2])
        rest = torch.cat([torch.where(here[..., :width], fits[..., :width], rest[..., :width]), rest[..., width:]], 2)
        return torch.cat([logits[..., :first], rest], 2)

    def told(self, told: Told, pairs: Pairs, batch: Batch, noise: Random | None) -> Walked:
        """What statements say of each two names: their logits are added."""
        shape = *told.counts.shape, told.names, told.names
        forms, which = told.form.unique(return_inverse=True)
        lengths = pairs.lengths[forms]
        words = pairs.words[forms, : int(lengths.max()) if len(lengths) else 1]
        read = self.read(words, lengths, self.roles, noise)  # (R, F, width)
        if self.directed is None or self.about is None:
            said = read.new_zeros(*shape, self.codes).index_put(told.pair, read[told.replica, which], accumulate=True)
            state = said - said.transpose(2, 3)
        else:
            kin, own = read.split([self.codes + 2, 2 * ABOUT], 2)
            turned = kin[:, torch.searchsorted(forms, pairs.turned[forms])]
            said = agreed(self.directed(kin, turned)[told.replica, which], told.pair, shape)
            about = read.new_zeros(*shape[:3], ABOUT)
            for names, what in zip((told.subject, told.object), own[told.replica, which].split(ABOUT, 1), strict=True):
                about = about.index_put((told.replica, told.story, names), what, accumulate=True)
            fit = (about.tanh().flatten(1, 2) @ self.about).view(*shape[:2], 1, told.names, self.codes).transpose(2, 3)
            state = (said.clamp(min=TINY).log() + fit).softmax(-1) * said.sum(-1, keepdim=True)
        known = torch.zeros(shape, dtype=torch.bool, device=read.device).index_put(told.pair, torch.tensor(True))
        part = read.new_zeros(*shape, batch.mask.shape[2])
        one = read.new_ones(())
        part = part.index_put((*told.pair, told.statement), one, accumulate=True)
        second = tuple(index[told.joined] for index in (*told.pair, told.statement + 1))
        part = part.index_put(second, one, accumulate=True)
        return Walked(state * known.unsqueeze(4), known, part)

    def walk(self, direct: Walked, told: Told) -> Walked:
        """What is concluded of each two names (table), or of the first name asked about and each other (sum)."""
        every, names = self.composition.symmetric, torch.arange(told.names, device=told.counts.device)
        source = names.expand(*told.counts.shape, -1) if every else told.asked[..., :1]
        itself = source.unsqueeze(3) == names
        now = direct if every else direct.of(source)
        for hop in range(told.names - 1):
            beyond = now if every else direct
            step = (now.known.unsqueeze(4) & direct.known.unsqueeze(2)).any(3) & ~itself
            new = now.known | step
            changed = new & (hop < told.counts - 1).view(*told.counts.shape, 1, 1) if every else step & ~now.known
            if not changed.is_meta and not bool(changed.any()):
                break
            now = self.hop(now, beyond)._replace(known=new).where(changed, now)
        return now

    def hop(self, now: Walked, right: Walked) -> Walked:
        """One more step of each way: ``now`` (R, B, A, N), and from there ``right`` (R, B, N, N)."""
        both = self.composition.compose(now.state, right.state)  # (R, B, A, C, M, W)
        certain = self.composition.certain
        sure = certain(now.state).unsqueeze(3) + certain(right.state).transpose(2, 3).unsqueeze(2) + certain(both)
        there = now.known.unsqueeze(3) & right.known.transpose(2, 3).unsqueeze(2)  # (R, B, A, C, M)
        query = self.sure.view(-1, 1, 1, 1, 1, 1).expand(*sure.shape[:4], 1, 1)
        trace = self.ways.prepare(sure.unsqueeze(5), both).ask(query, there.unsqueeze(4))
        left = self.composition.open(now.state)
        state = now.state + left * trace.output.squeeze(4)
        return Walked(state, now.known, (1 - left) * now.part + left * self.parts(trace.weights.squeeze(4), now, right))

    def parts(self, weights: Tensor, left: Walked, right: Walked) -> Tensor:
        """The statements' parts in ways of ``weights (R, B, A, C, M)``, (R, B, A, C, statements)."""
        before = weights @ left.part  # (R, B, A, C, statements)
        after = (weights.transpose(2, 3) @ right.part.transpose(2, 3)).transpose(2, 3)
        return before + after
