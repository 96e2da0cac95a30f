"""An LSTM that reads story and question word by word and an LSTM that tells the answer, with attention (Luong et al. 2015,
arXiv 1508.04025) or without: then it is the LSTM of the papers' tables.

encoder  h_s = LSTM(word_s, h_{s-1}) over the story's words and then the question's
decoder  h_t = LSTM(answer word_{t-1}, h_{t-1}), from the encoder's last state; c_t = attend(h_t, all h_s)
         a_t = tanh(W [c_t; h_t])  (eq. 5), scores of the answer's words from a_t
"""

from __future__ import annotations

from typing import ClassVar, NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from memnet.attention import ALIGNS, READS, SCORES, Attention, Trace
from memnet.attention.align import LOWEST
from memnet.batch import STOP_NUMBER, Batch, Examples, Sizes
from memnet.config import LSTMConfig
from memnet.decode import States, beam_search, scores, spell
from memnet.encode import StoryWords, of_statements
from memnet.models.network import Network, Output
from memnet.recurrence import lstm
from memnet.replicated import Linear, LSTMCell, Random, dropout, picked


class Words(NamedTuple):
    """Sentences and questions as lists of words."""

    sentences: Tensor  # (U, L)  zero after the end
    lengths: Tensor  # (U,)
    questions: Tensor  # (U', L')
    question_lengths: Tensor  # (U',)

    def to(self, device: torch.device | str) -> Words:
        """On another device."""
        return Words(*(part.to(device) for part in self))


class Source(NamedTuple):
    """Stories with their questions as words that end together, W of them."""

    words: Tensor  # (R, B, W)  zero before the first
    there: Tensor  # (R, B, W)  bool
    sentence: Tensor  # (R, B, W)  the place of the statement that a word is of, -1 for the question's


class Seq2Seq(Network):
    """R networks; ``embedding (R, V, D)`` of the words that are read, ``answer (R, V, D)`` of those that are told."""

    Config = LSTMConfig
    config: LSTMConfig
    by_length = True
    reads_by_word = True
    word_rows: ClassVar[dict[str, int]] = {"embedding": 1, "answer": 1}

    def __init__(self, config: LSTMConfig, sizes: Sizes, random: Random) -> None:
        super().__init__(config, sizes, random)
        dim, std = config.dim, config.dim**-0.5
        self.embedding = nn.Parameter(random.normal(sizes.vocabulary, dim, std=1.0))
        self.encoder, self.decoder = (LSTMCell(dim, dim, random, std) for _ in range(2))
        for cell in (self.encoder, self.decoder):  # a cell remembers until it has learned to forget
            assert cell.input.bias is not None
            nn.init.ones_(cell.input.bias[:, dim : 2 * dim])
        self.attend: Attention | None = None
        if config.align != "none":
            align = ALIGNS[config.align](dim, random, config.window)
            self.attend = Attention(SCORES[config.score](dim, dim, random), align, READS["weighted_sum"](dim, random))
            self.combine = Linear(2 * dim, dim, random, bias=False, std=(2 * dim) ** -0.5)
        self.answer = nn.Parameter(random.normal(sizes.vocabulary, dim, std=std))

    @property
    def noisy(self) -> bool:  # type: ignore[override]
        """Whether training draws random numbers in the forward pass."""
        return self.config.dropout > 0

    def lengths(self, data: Examples) -> Tensor:
        """In words, with the question's."""
        return data.words() + torch.from_numpy(data.questions.lengths)[data.question]

    def codes(self, data: Examples) -> Words:
        """Sentences and questions as lists of words."""
        tables = (data.sentences, data.questions)
        return Words(*(torch.from_numpy(part) for told in tables for part in (told.words, told.lengths)))

    def forward(
        self, batch: Batch, codes: Words, random: Random | None = None, samples: int = 1, given: Tensor | None = None
    ) -> Output:
        """Answers, told after the ``given`` words or greedily, or by a beam; a trace a word that was told."""
        source = self.source(batch, codes)
        embedded = dropout(picked(self.embedding, source.words.transpose(1, 2)), self.config.dropout, random)  # (R, W, B, D)
        states, cell = lstm(self.encoder.input(embedded), self.encoder.hidden, source.there.transpose(1, 2).to(embedded))
        memory = states.transpose(1, 2)  # (R, B, W, D)
        traces: list[Trace] = []
        start: States = (memory[:, :, -1], cell)

        def step(state: States, word: Tensor | None) -> tuple[Tensor, States]:
            before = torch.zeros_like(state[0]) if word is None else picked(self.embedding, word)
            h, c = self.decoder(before, (state[0], state[1]))
            told, beam = h, h.shape[1] // memory.shape[1]
            if self.attend is not None:
                number = torch.full_like(h[..., :1], len(traces) + 1)  # the decoder's step, for local-m
                keys, mask = (part.repeat_interleave(beam, 1) for part in (memory, source.there.unsqueeze(2)))
                trace: Trace = self.attend(h.unsqueeze(2), keys, mask=mask, position=number)
                traces.append(trace)
                told = self.combine(torch.cat([trace.output.squeeze(2), h], 2)).tanh()
            said = scores(dropout(told, self.config.dropout, random), self.answer)
            if self.config.decoder == "words" and self.sizes.answer == 1:  # one word: never the unknown one or a stop
                said = said.masked_fill(torch.arange(said.shape[-1], device=said.device) <= STOP_NUMBER, LOWEST)
            return said, (h, c)

        logits = spell(step, start, self.sizes.answer, given)
        beams = None
        if given is None and self.config.beam > 1:
            traces.clear()
            beams = beam_search(step, start, self.sizes.answer, self.config.beam)
            traces.clear()
            spell(step, start, self.sizes.answer, beams[0][:, :, 0])  # what the words of the likeliest answer read
        shown = [of_sentences(trace, source.sentence, batch.mask.shape[2]) for trace in traces]
        return Output(logits.unsqueeze(2), shown, beams=beams)

    def source(self, batch: Batch, codes: Words) -> Source:
        """The words of each story and then of its question, so that all end together."""
        width = max(1, int(batch.told.max()))
        story = StoryWords.of(codes.sentences, codes.lengths, batch.rows()[..., :width], batch.mask[..., :width])
        told, asked = story.ends[..., -1:], codes.question_lengths[batch.question].unsqueeze(2)  # (R, B, 1)
        every = torch.cat([story.words, codes.questions[batch.question]], 2)
        of = F.pad(story.sentence, (0, codes.questions.shape[1]), value=-1)
        places = torch.arange(int((told + asked).max()), device=told.device)
        number = places - (len(places) - told - asked)  # of each word, from 0
        index = torch.where(number < told, number, number - told + story.words.shape[2]).clamp(min=0)
        there = number >= 0
        return Source(every.gather(2, index) * there, there, of.gather(2, index).masked_fill(~there, -1))


def of_sentences(trace: Trace, sentence: Tensor, places: int) -> Trace:
    """What a word of the answer read, (R, B, 1, W), told of the statements; what it read of the question is of none."""
    parts = of_statements(trace.weights.squeeze(2), trace.logits.softmax(-1).squeeze(2), sentence, places)
    weights, logits, rest = (part.unsqueeze(2) for part in parts)
    return Trace(trace.output, weights, logits, None, rest)
