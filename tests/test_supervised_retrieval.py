"""Three ways to learn what to read: their limits, their gradients by hand, and that each learns on a toy book."""

import itertools
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from torch import Tensor

from memnet.measure.supervision import compare_supervision
from memnet.models.gated_reader import GatedReader
from memnet.models.retriever import Retriever, RetrieverConfig
from memnet.nn.random import Random
from memnet.record.measurements import write_csv
from memnet.reports.measurements import WAYS as TITLES
from memnet.reports.measurements import spread, supervision_table
from memnet.tasks.simulator import entity_words
from memnet.tasks.text import Question, Story, words
from memnet.tasks.text.background import Background
from memnet.training import supervised_retrieval
from memnet.training.supervised_retrieval import (
    ASK,
    LEARN,
    WAYS,
    Batch,
    Course,
    Encoded,
    answer_loss,
    asked_of,
    gates_of,
    learned,
    scattered,
    stories_of,
)

KNOWN = ["where", "is", "mary", "john", "went", "to", "the", "park", "barn"]
TOLD = ["Mary went to the park.", "John went to the barn.", "A book says nothing.", "Mary is at the barn."]
BIG = 60.0  # as good as infinity


def reader_of(seed: int = 0) -> GatedReader:
    """One that has learned nothing."""
    return GatedReader(KNOWN, Random(seed, 1, "reader"), dim=8)


def question(reader: GatedReader, sentences: list[str], answer: str = "barn") -> Batch:
    """One question about sentences, of which the last is the fact."""
    mask = torch.ones(1, len(sentences), dtype=torch.bool)
    facts = torch.arange(len(sentences)).unsqueeze(0) == len(sentences) - 1
    numbers, asked, told = torch.zeros(1, len(sentences), 1).long(), reader.bags(["Where is Mary?"]), reader.bags(sentences)
    return Batch(asked.float(), told.float().unsqueeze(0), numbers, mask, facts, torch.tensor([KNOWN.index(answer)]))


def answers(reader: GatedReader, sentences: list[str], gates: list[float] | None = None) -> Tensor:
    """What a reader says of sentences behind gates, (V,)."""
    one = question(reader, sentences)
    return reader(one.asked, one.memories, one.mask.unsqueeze(1), None if gates is None else torch.tensor([[gates]]))[0, 0]


def test_bags_count_the_words_that_are_known():
    found = reader_of().bags(["The park, the barn and Rose", "", "Mary"])
    assert found.tolist() == [[0, 0, 0, 0, 0, 0, 2, 1, 1], [0] * 9, [0, 0, 1, 0, 0, 0, 0, 0, 0]]


def test_gates_that_are_wide_open_change_nothing():
    reader = reader_of()
    torch.testing.assert_close(answers(reader, TOLD, [BIG] * 4), answers(reader, TOLD))


def test_a_gate_that_is_shut_takes_its_sentence_away_and_makes_no_other_older():
    reader = reader_of()
    torch.testing.assert_close(answers(reader, TOLD, [BIG, BIG, -BIG, BIG]), answers(reader, [*TOLD[:2], TOLD[3]]))
    assert not torch.allclose(answers(reader, TOLD), answers(reader, [*TOLD[:2], TOLD[3]]))


def test_a_reading_by_hand():
    """Two sentences, half let through the newer: p = softmax(q.k + log sigmoid(g) - r a) with ages 1/2 and 0."""
    reader, gates = reader_of(), [BIG, 0.0]
    embedding, told = reader.embedding[0], reader.bags(TOLD[:2]) / 5**0.5  # five words each, all of them known
    query = embedding[[KNOWN.index(word) for word in ("where", "is", "mary")]].sum(0) / 3**0.5
    logits = (told @ embedding) @ query + torch.tensor([-0.1 * 0.5, torch.log(torch.tensor(0.5))])
    wanted = reader.out((logits.softmax(0) @ told).view(1, 1, 1, -1))[0, 0, 0]
    torch.testing.assert_close(answers(reader, TOLD[:2], gates), wanted)


def gradients(loss: Tensor, reader: GatedReader, gates: Tensor) -> Tensor:
    """Of a loss in the gates and in everything of the reader, as one row."""
    parts = [gates, *reader.parameters()]
    found = torch.autograd.grad(loss, parts, allow_unused=True)
    given = (torch.zeros_like(part) if one is None else one for part, one in zip(parts, found, strict=True))
    return torch.cat([one.flatten() for one in given])


def test_the_mean_of_reinforce_is_the_exact_gradient_of_two_gates():
    reader, course = reader_of(), Course(samples=4, price=0.3)
    batch, gates = question(reader, TOLD[1:3]), torch.tensor([[0.7, -0.4]], requires_grad=True)
    expected = torch.zeros(())
    for drawn in itertools.product([False, True], repeat=2):
        open_ = torch.tensor([list(drawn)])
        chance = torch.where(open_, gates.sigmoid(), 1 - gates.sigmoid()).prod()
        expected = expected + chance * (answer_loss(reader, batch, open_.unsqueeze(1), None)[0, 0] + 0.3 * sum(drawn))
    exact = gradients(expected, reader, gates)
    random = Random(0, 1, "gates")
    many = Batch(*(part.repeat_interleave(3000, 0) for part in batch))
    wide = gates.expand(3000, -1)
    estimate = gradients(WAYS["reinforce"](reader, many, wide, course, random), reader, gates)
    assert float((exact[:2]).abs().min()) > 0.02
    torch.testing.assert_close(estimate, exact, atol=0.01, rtol=0.03)


def test_facts_teach_the_gates_and_answers_do_not():
    reader, gates = reader_of(), torch.tensor([[0.7, -0.4]], requires_grad=True)
    loss = WAYS["facts"](reader, question(reader, TOLD[2:]), gates, Course(), Random(0, 1))
    [found] = torch.autograd.grad(loss, [gates])
    torch.testing.assert_close(found, gates.detach().sigmoid() - torch.tensor([[0.0, 1.0]]))


def test_a_price_is_paid_for_what_is_let_through_alone():
    reader, gates, course = reader_of(), torch.tensor([[0.7, -0.4]]), Course(price=0.5)
    batch = question(reader, TOLD[2:])
    one, other = (WAYS[way](reader, batch, gates, course, Random(0, 1)) for way in ("priced", "answers"))
    torch.testing.assert_close(one - other, 0.5 * gates.sigmoid().sum())


def test_texts_are_padded_and_only_what_is_kept_is_read():
    reader, retriever = reader_of(), Retriever(RetrieverConfig(longest=6), ["went"], Random(0, 1, "weights"))
    story = Story(tuple(TOLD[:2]), (Question("Where is Mary?", "park", (0,), 2), Question("Where is John?", "barn", (1,), 2)))
    books, draw = Background([[f"Book {number}." for number in range(9)]]), supervised_retrieval.Draw(1)
    encoded = Encoded(retriever, reader, books.sentences, [story])
    samples = [scattered(draw, story, one, books, count) for one, count in zip(story.questions, (5, 2), strict=True)]
    batch = encoded.batch(samples, books)
    assert batch.mask.sum(1).tolist() == [7, 4]
    assert batch.facts.sum(1).tolist() == [1, 1]
    assert batch.memories[batch.facts].tolist() == reader.bags(TOLD[:2]).tolist()
    assert bool((batch.memories[~batch.mask] == 0).all())
    gates = gates_of(retriever, batch)
    assert bool((gates[~batch.mask] == 0).all())
    torch.testing.assert_close(gates[batch.facts], retriever.scores(TOLD[:2]))
    kept = encoded.batch(samples, books, {TOLD[0], "Book 3."})
    assert kept.facts.sum(1).tolist() == [1, 0]
    nothing = encoded.batch(samples, books, set())
    assert bool(reader(nothing.asked, nothing.memories, nothing.mask.unsqueeze(1)).isfinite().all())


WORDS = ["evening", "candle", "letter", "whisper", "never", "upon", "though", "carriage", "winter", "silence", "answered"]
NAMES = ["Mary kitchen", "John garden", "Sandra office", "Daniel hallway"]  # a book that misleads whoever reads on
TOY = Background([[f"{' '.join(WORDS[place:] + WORDS[:place])} {names}." for place in range(11) for names in NAMES]])


@pytest.mark.parametrize("way", WAYS)
def test_each_way_learns_on_a_toy_book(way: str):
    course = Course(steps=300, alone=100, lr=0.01, batch=8, questions=300, background=(5, 10), samples=4)
    told = [one for story in stories_of(LEARN, course) for one in story.statements]
    known = dict.fromkeys(word for one in [*told, *TOY.sentences] for word in words(one) if word not in entity_words())
    retriever, reader, _ = learned(way, course, TOY, list(known))
    told = [one for story in stories_of(ASK, course) for one in story.statements]
    of_stories, of_books = retriever.scores(told), retriever.scores(TOY.sentences)
    if way != "answers":  # which leave a gate open where the reader passes over the sentence by itself
        assert of_stories.mean() > of_books.mean() + 2, "gates tell statements from sentences of books"
    encoded, asked = Encoded(retriever, reader, [], stories_of(ASK, course)), asked_of(stories_of(ASK, course))
    batch = encoded.batch([scattered(supervised_retrieval.Draw(0), *one, Background([["-"]]), 0) for one in asked], TOY)
    right = reader(batch.asked, batch.memories, batch.mask.unsqueeze(1))[:, 0].max(1).indices == batch.answer
    assert right.float().mean() > 0.35, "one place of six is right by chance"


def test_a_table_has_a_line_a_way_and_the_spread_of_the_seeds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("memnet.measure.supervision.LENGTHS", (4, 8))
    course = Course(steps=2, alone=1, batch=2, questions=20, background=(1, 2), samples=2)
    rows = list(compare_supervision(course, range(2), TOY, TOY, questions=5))
    assert len(rows) == 2 * len(WAYS) * 2
    (tmp_path / "a.csv").write_text(write_csv([replace(row, right=90.0 + row.seed) for row in rows]))
    table = supervision_table(tmp_path / "a.csv")
    assert [line.count("90.5 (90.0 to 91.0)") for line in table.splitlines()[2:6]] == [2] * len(WAYS)
    assert "2 seeds" in table
    assert TITLES.keys() == WAYS.keys()
    assert spread([1.0, 1.0]) == "1.0"
