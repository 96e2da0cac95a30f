"""A Universal Transformer over mentions: the same story with other names is the same to it, with the same answer.

Interchangeable words (names, places, colours; found by counting) are of one kind, and the network never sees which of them a
word is. It sees where a word is said again.

element    a statement and one of its names: the statement's words, each name by its kind alone, and which name of it this is
           (a statement without names is one element), and as which name the question says the same word; last the question
step       x = x + self-attention(norm x), x = x + feed-forward(norm x), the same weights again and again (Dehghani et al. 2019,
           arXiv 1807.03819); the scores of each head have learned biases (Shaw et al. 2018, arXiv 1803.02155), from i to j:
               rank      i and j say the same word, and how many times it is said between them
               distance  how many statements later j is
               link      they stand in one statement, the statement of i says the word of j, that of j the word of i
answer     an entry's own score, one for all words of a kind, plus log p of each of its names, p = what a last attention over
           the mentions reads of its word (a pointer, Vinyals et al. 2015, arXiv 1506.03134)

No order is given: that the latest statement about a name counts, or what a question leads to, has to be learned.
"""

from __future__ import annotations

from typing import ClassVar, NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from memnet.attention import Attention, Trace, scaled_dot, softmax, weighted_sum
from memnet.config.mentions import MentionsConfig
from memnet.encode.batch import Batch
from memnet.encode.examples import Examples, Sizes
from memnet.models.encoders import Code, batch_table
from memnet.models.transformer import Elements, Transformer
from memnet.nn.modules import Linear, gather_rows
from memnet.nn.random import Random

MOST = 8  # names of a statement that are distinct; those after the last are as it is
FIRST_BIAS = 2.0  # what some heads like at first: the same word, the same statement, a statement with the word
LINKS = 5  # no link, in one statement, i's statement says j's word, j's says i's, both
LEAST = 1e-6  # chance of a word, at the least


class Named(NamedTuple):
    """A data set whose statements, U, and questions, Q, name words that are interchangeable."""

    sentences: Code
    questions: Code
    names: Tensor  # (U + Q, K)  entries, 0 after the last
    counts: Tensor  # (U + Q,)  elements of each: its names, and at least one of a statement
    kind: Tensor  # (V,)  the first entry of a word's kind, of any other entry itself
    form: Tensor  # (V,)  the first entry that is the same answer with other names, as all lists of two places
    lists: Tensor  # (V, V)  which names an answer lists

    def to(self, device: torch.device | str) -> Named:
        """On another device."""
        return Named(**{name: part.to(device) for name, part in self._asdict().items()})


def names_of(words: Tensor, lengths: Tensor, is_name: Tensor) -> tuple[Tensor, Tensor]:
    """The names among ``words (U, L)``, in order and 0 after the last, and how many: (U, L) and (U,)."""
    named = is_name[words] & (torch.arange(words.shape[1]) < lengths.unsqueeze(1))
    order = (~named).long().sort(dim=1, stable=True).indices
    return (words * named).gather(1, order), named.sum(1)


def forms_of_answers(kind: Tensor, lists: tuple[tuple[int, ...], ...]) -> Tensor:
    """For each entry the first whose names are of the same kinds, (V,); one without names is like none but itself."""
    first = dict[object, int]()
    keys = (tuple(int(kind[name]) for name in names) or -1 - entry for entry, names in enumerate(lists))
    return torch.tensor([first.setdefault(key, entry) for entry, key in enumerate(keys)])


class Mentions(Transformer):
    """R networks; beside a Transformer's parameters ``which (R, 8, D)``, ``asked_as (R, 8, D)`` and tables of biases.

    ``rank (R, 2 r + 1, H')``, ``distance (R, 2 d + 1, H')`` and ``link (R, 5, H')`` are for H' = 2 H + 1: the heads of the
    steps, those of the last reading, and the pointer.
    """

    Config = MentionsConfig
    title = "A Universal Transformer over mentions"
    presets = ("mentions", "mentions")
    config: MentionsConfig
    word_rows: ClassVar[dict[str, int]] = {}

    def __init__(self, config: MentionsConfig, sizes: Sizes, random: Random) -> None:
        super().__init__(config, sizes, random)
        dim, heads = config.dim, config.heads
        self.which = nn.Parameter(random.normal(MOST, dim, std=1.0))
        self.asked_as = nn.Parameter(random.normal(MOST, dim, std=1.0))
        rows = {"rank": 2 * config.ranks + 1, "distance": 2 * config.distances + 1, "link": LINKS}
        tables = {name: random.normal(number, 2 * heads + 1, std=0.1) for name, number in rows.items()}
        tables["rank"][:, :, 0] += FIRST_BIAS
        tables["link"][:, 1, 1 % heads] += FIRST_BIAS
        tables["link"][:, 2:, 2 % heads] += FIRST_BIAS
        self.rank, self.distance, self.link = (nn.Parameter(tables[name]) for name in rows)
        self.point_query, self.point_key = (Linear(dim, dim, random, std=dim**-0.5) for _ in range(2))
        self.point = Attention(scaled_dot, softmax, weighted_sum)

    def lengths(self, data: Examples) -> Tensor:
        """In statements."""
        return data.count

    def encode_data(self, data: Examples) -> Named:  # type: ignore[override]
        """Besides: the names of each statement and question."""
        plain, entries = super().encode_data(data), self.sizes.vocabulary
        kind, lists = torch.arange(entries), torch.zeros(entries, entries)
        for group in self.sizes.groups:
            kind[list(group)] = min(group)
        for entry, listed in enumerate(self.sizes.lists):
            lists[entry, list(listed)] = 1.0
        is_name = torch.zeros(entries, dtype=torch.bool)
        is_name[[name for group in self.sizes.groups for name in group]] = True
        tables = [
            names_of(torch.from_numpy(table.words), torch.from_numpy(table.lengths), is_name)
            for table in (data.sentences, data.questions)
        ]
        most = max(1, *(int(counts.max()) for _, counts in tables if len(counts)))
        names = torch.cat([F.pad(found, (0, max(0, most - found.shape[1])))[:, :most] for found, _ in tables])
        counts = torch.cat([tables[0][1].clamp(min=1), tables[1][1]])
        form = forms_of_answers(kind, self.sizes.lists or ((),) * entries)
        return Named(plain.sentences, plain.questions, names, counts, kind, form, lists)

    def elements(self, batch: Batch, encoded_data: Named) -> Elements:
        """A name of a statement or of the question each, in the order of the text, and last the question."""
        embedding = self.embedding[:, encoded_data.kind]
        rows = (embedding.unsqueeze(1) * self.masks.unsqueeze(2)).flatten(1, 2)  # (R, L V, D)
        width = batch.width
        memory, count = batch.rows()[..., :width], batch.num_memories.unsqueeze(2)
        question = gather_rows(*batch_table(rows, encoded_data.questions, batch.question)) + self.asked.unsqueeze(1)
        texts = torch.cat([gather_rows(*batch_table(rows, encoded_data.sentences, memory)), question.unsqueeze(2)], 2)
        here = Mentioned.of(batch, memory, encoded_data)
        x = texts.gather(2, here.text.unsqueeze(3).expand(-1, -1, -1, texts.shape[3]))
        name = (gather_rows(embedding, here.word) + gather_rows(self.which, here.which)) * (here.word > 0).unsqueeze(3)
        same = here.same if self.config.same_words else torch.zeros_like(here.same)
        asked = same & (here.statement == count).unsqueeze(2)
        x = x + name + asked.to(x) @ gather_rows(self.asked_as, here.which)
        times = torch.zeros_like(x)
        if self.config.time in ("age", "both"):
            times = times + self.signal(count - here.statement)
        if self.config.time in ("absolute", "both"):
            times = times + self.signal(here.statement + 1)
        place = torch.arange(1, x.shape[2] + 1, device=x.device).expand_as(here.word)
        sentence = here.statement.where(here.statement < count, -1)
        bias = self.biases(here, same)
        heads = self.config.heads
        return Elements(
            x, times, here.there.unsqueeze(2), place, sentence, bias[:, :, :heads], bias[:, :, heads:, -1:, :-1], here.word
        )

    def biases(self, here: Mentioned, same: Tensor) -> Tensor:
        """What is added to each head's score of element j by element i, (R, B, H', N, N)."""
        ranks, far = self.config.ranks, self.config.distances
        said = (same.tril(-1)).sum(3)  # how often the word was said before
        rank = (said.unsqueeze(2) - said.unsqueeze(3)).clamp(-ranks, ranks) + ranks
        rank = rank.where(same, 2 * ranks + 1)
        distance = (here.statement.unsqueeze(2) - here.statement.unsqueeze(3)).clamp(-far, far) + far
        together = here.together
        says = (together.to(self.rank) @ same.to(self.rank) > 0) & ~together  # the statement of i the word of j
        link = together + 2 * says + torch.where(says, 2, 3) * says.transpose(2, 3)
        rank_table = F.pad(self.rank, (0, 0, 0, 1))  # no bias where the words are not the same
        table = rank_table[:, :, None, None] + self.distance[:, None, :, None] + self.link[:, None, None]
        code = (rank * (2 * far + 1) + distance) * LINKS + link
        return gather_rows(table.flatten(1, 3), code).movedim(4, 2)

    def entry_scores(self, state: Tensor, story: Tensor, parts: Elements, encoded_data: Named) -> Tensor:
        """Scores of answers, (R, B, T, V), from ``state (R, B, T, D)`` and the story's elements ``(R, B T, N - 1, D)``."""
        own = super().entry_scores(state, story, parts, encoded_data)[..., encoded_data.form]
        if not self.sizes.groups:
            return own
        assert parts.word is not None
        assert parts.last_bias is not None
        word, bias = parts.word[..., :-1], parts.last_bias[:, :, -1]
        asks = self.point_query(state.flatten(1, 2)).unsqueeze(2)
        words = F.one_hot(word, self.sizes.vocabulary).to(state)
        nothing = torch.zeros_like(asks[..., 0])
        trace: Trace = self.point(asks, self.point_key(story), words, (word > 0).unsqueeze(2), nothing, bias=bias)
        assert trace.null is not None
        chance = trace.output + trace.null.unsqueeze(3) / sum(map(len, self.sizes.groups))  # of nothing: every name as much
        return own + (chance.clamp(min=LEAST).log() @ encoded_data.lists.T).view_as(own)


class Mentioned(NamedTuple):
    """Which element is what: N - 1 names of statements and the question, and the question."""

    word: Tensor  # (R, B, N)  its entry, 0 for none
    which: Tensor  # (R, B, N)  which name of its statement
    statement: Tensor  # (R, B, N)  its place, that of the question after the last
    text: Tensor  # (R, B, N)  the same, the question's after the longest story's last
    there: Tensor  # (R, B, N)  bool
    same: Tensor  # (R, B, N, N)  bool: both say the same word
    together: Tensor  # (R, B, N, N)  bool: they are of one statement

    @classmethod
    def of(cls, batch: Batch, memory: Tensor, data: Named) -> Mentioned:
        """Of the statements ``memory (R, B, M)`` and the question of each story."""
        count, statements = batch.num_memories.unsqueeze(2), len(data.sentences.row)
        places = torch.arange(memory.shape[2] + 1, device=memory.device)
        rows = F.pad(memory, (0, 1)).scatter(2, count, batch.question.unsqueeze(2) + statements)
        length = data.counts[rows] * (places <= count)
        ends = length.cumsum(2)
        number = torch.arange(int(ends[..., -1].max()), device=memory.device)
        statement = torch.searchsorted(ends, number.expand(*ends.shape[:2], -1).contiguous(), right=True)
        there = number < ends[..., -1:]
        statement = statement.where(there, 0)
        which = (number - (ends - length).gather(2, statement)).where(there, 0)
        word = data.names[rows.gather(2, statement), which.clamp(max=data.names.shape[1] - 1)] * there
        last = F.pad(there, (0, 1), value=True)
        statement = torch.cat([statement, count], 2)
        word, which = F.pad(word, (0, 1)), F.pad(which.clamp(max=MOST - 1), (0, 1))
        text = statement.where(statement < count, memory.shape[2])
        same = (word.unsqueeze(3) == word.unsqueeze(2)) & (word > 0).unsqueeze(3)
        together = (statement.unsqueeze(3) == statement.unsqueeze(2)) & last.unsqueeze(2) & last.unsqueeze(3)
        return cls(word, which, statement, text, last, same, together)
