"""An LSTM that reads story and question word by word and an LSTM that decodes the answer, with attention (Luong et al. 2015,
arXiv 1508.04025) or without: then it is the LSTM of the papers' tables.

encoder  h_s = LSTM(word_s, h_{s-1}) over the story's words and then the question's
decoder  h_t = LSTM(answer word_{t-1}, h_{t-1}), from the encoder's last state; c_t = attend(h_t, all h_s)
         a_t = tanh(W [c_t; h_t])  (eq. 5), scores of the answer's words from a_t

A story is asked about at its end, so local-m reads around the story's last word, where the paper's translates word t beside
word t.
"""

from __future__ import annotations

from typing import ClassVar, NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from memnet.attention import SCORES, Attention, Trace, weighted_sum
from memnet.attention.align import Scheduled, lowest_finite
from memnet.attention.trace import of_words
from memnet.config.lstm import LSTMConfig
from memnet.encode.batch import Batch
from memnet.encode.examples import Examples, Sizes, numbers
from memnet.encode.vocabulary import STOP_NUMBER
from memnet.models.decoders import States, beam_search, decode, scores
from memnet.models.encoders import StoryWords
from memnet.models.network import Network, Output
from memnet.nn.modules import Linear, LSTMCell, dropout, gather_rows, most
from memnet.nn.random import Random
from memnet.nn.recurrence import lstm


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


class LSTM(Network):
    """R networks; ``embedding (R, V, D)`` of the words that are read, ``answer (R, V, D)`` of those that are decoded."""

    Config = LSTMConfig
    title = "An LSTM encoder and decoder"
    presets = ("lstm", "lstm")
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
            align = Scheduled(config.make_align(dim, random), random.replicas)
            self.attend = Attention(SCORES[config.score](dim, dim, random), align, weighted_sum)
            self.combine = Linear(2 * dim, dim, random, bias=False, std=(2 * dim) ** -0.5)
        self.answer = nn.Parameter(random.normal(sizes.vocabulary, dim, std=std))

    @property
    def alignment(self) -> str | None:
        """The name of its alignment, if it has attention."""
        return None if self.attend is None else self.config.align

    @property
    def noisy(self) -> bool:
        """Whether training draws random numbers in the forward pass."""
        return self.config.dropout > 0

    def lengths(self, data: Examples) -> Tensor:
        """In words, with the question's."""
        return data.words() + numbers(data.questions.lengths)[data.question]

    def encode_data(self, data: Examples) -> Words:
        """Sentences and questions as lists of words."""
        tables = (data.sentences, data.questions)
        return Words(*(numbers(part) for table in tables for part in (table.words, table.lengths)))

    def forward(
        self,
        batch: Batch,
        encoded_data: Words,
        random: Random | None = None,
        samples: int = 1,
        given: Tensor | None = None,
        noise: Random | None = None,
    ) -> Output:
        """Answers, decoded after the ``given`` words or greedily, or by a beam; a trace a word that was decoded."""
        source = self.source(batch, encoded_data)
        embedded = dropout(
            gather_rows(self.embedding, source.words.transpose(1, 2)), self.config.dropout, noise
        )  # (R, W, B, D)
        encoded, cell = lstm(self.encoder.input(embedded), self.encoder.hidden, source.there.transpose(1, 2).to(embedded))
        states = encoded.transpose(1, 2).contiguous()  # (R, B, W, D)
        memory = None if self.attend is None else self.attend.prepare(states)
        mask, traces = source.there.unsqueeze(2), list[Trace]()
        newest = (source.sentence >= 0).sum(2, keepdim=True)  # (R, B, 1)  the story's last word, for local-m
        start: States = tuple(part.unsqueeze(2).expand(-1, -1, samples, -1) for part in (states[:, :, -1], cell))

        def step(state: States, word: Tensor | None) -> tuple[Tensor, States]:
            """The next word's scores (R, B, T, V), and the states h and c (R, B, T, D)."""
            before = torch.zeros_like(state[0]) if word is None else gather_rows(self.embedding, word)
            h, c = self.decoder(before, (state[0], state[1]))
            output = h
            if memory is not None:
                trace = memory.ask(h, mask, position=newest.expand(h.shape[:3]), random=random)
                traces.append(trace)
                output = self.combine(torch.cat([trace.output, h], -1)).tanh()
            score = scores(dropout(output, self.config.dropout, noise), self.answer)
            if self.config.decoder == "words" and self.sizes.answer == 1:  # one word: never the unknown one or a stop
                score = score.masked_fill(
                    torch.arange(score.shape[-1], device=score.device) <= STOP_NUMBER, lowest_finite(score)
                )
            return score, (h, c)

        again = None if given is None else given.unsqueeze(2).expand(-1, -1, samples, -1)
        logits = decode(step, start, self.sizes.answer, again)  # (R, B, T, A, V)
        beams = None
        if given is None and self.config.beam > 1:
            beams = beam_search(step, start, self.sizes.answer, self.config.beam)
            traces.clear()
            decode(step, start, self.sizes.answer, beams[0][:, :, :1])  # what the words of the likeliest answer read
        shown = [of_words(trace, source.sentence, batch.mask.shape[2]) for trace in traces]
        return Output(logits, shown, beams=beams)

    def source(self, batch: Batch, encoded_data: Words) -> Source:
        """The words of each story and then of its question, so that all end together."""
        width = batch.width
        story = StoryWords.of(encoded_data.sentences, encoded_data.lengths, batch.rows()[..., :width], batch.mask[..., :width])
        story_length, asked = story.ends[..., -1:], encoded_data.question_lengths[batch.question].unsqueeze(2)  # (R, B, 1)
        every = torch.cat([story.words, encoded_data.questions[batch.question]], 2)
        statement = F.pad(story.sentence, (0, encoded_data.questions.shape[1]), value=-1)
        places = torch.arange(most(story_length + asked, every.shape[2]), device=story_length.device)
        number = places - (len(places) - story_length - asked)  # of each word, from 0
        index = torch.where(number < story_length, number, number - story_length + story.words.shape[2]).clamp(min=0)
        there = number >= 0
        return Source(every.gather(2, index) * there, there, statement.gather(2, index).masked_fill(~there, -1))
