"""The reader of ordinary English: words, overlap by hand, what may not be seen, labels, when none is said."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
import torch

from memnet.reading.answers import NONE_FROM, TrainedReader, decide
from memnet.reading.collate import collate
from memnet.reading.examples import HARD, example, hardest
from memnet.reading.kinds import ANSWERS, WIDEST
from memnet.reading.network import Output
from memnet.reading.spans import Span
from memnet.reading.tokens import CAPITAL, EMBEDDING, NAMES, OVERLAPS, ROW, encode
from memnet.reading.words import Words
from memnet.tasks.text.placed_sentences import LONGEST, sentences
from memnet.tasks.world import Dials, draw, split
from tests.small_reader import SMALL, TOLD, reader, told


@pytest.fixture(scope="module")
def words() -> Words:
    return Words.load()


def test_words_share_lemmas_and_say_more_the_rarer_they_are(words: Words):
    assert words.find("Suitcases").lemma == words.find("suitcase").lemma == "suitcase"
    assert words.find("went").lemma == words.find("go").lemma
    assert words.find("2").lemma == words.find("two").lemma
    assert words.find("the").weight == 0
    assert 0 < words.find("city").weight < words.find("suitcase").weight == 1
    odd = words.find("Glorpniks")
    assert (odd.row, odd.lemma, odd.weight) == (0, "glorpnik", 1)
    assert words.units[words.find("kitchen").row] @ words.units[words.find("bathroom").row] > 0.6


def test_capitals_say_nothing_where_every_letter_is_one(words: Words):
    told, asked = ["ann", "took", "the", "lamp"], ["who", "has", "it"]
    loud = encode([[word.upper() for word in told]], [([word.upper() for word in asked], 1)], words)
    small = encode([told], [(asked, 1)], words)
    assert (loud.story == small.story).all()
    assert (loud.questions == small.questions).all()
    assert encode([["Ann", "took", "the", "LAMP"]], [(asked, 1)], words).story[:, CAPITAL].tolist() == [1, 0, 0, 1, 0]


def test_a_name_without_a_vector_can_be_read_as_a_known_one(words: Words):
    story, asked = [split("Glorpnik saw Ann ."), split("Vrezza and Glorpnik sat .")], [(split("Where did Glorpnik go ?"), 2)]
    known, renamed = encode(story, asked, words), encode(story, asked, words, renamed=True)
    first, second = (words.find(name) for name in NAMES[:2])
    changed = np.flatnonzero((known.story != renamed.story).any(1))
    assert [tuple(row) for row in renamed.story[changed][:, [ROW, EMBEDDING]].tolist()] == [
        (name.row, name.embedding) for name in (first, second, first)
    ]
    assert renamed.questions[3, ROW] == first.row
    assert (known.story[:, 3:] == renamed.story[:, 3:]).all()  # equal words stay equal, and where they stand
    assert (known.present == renamed.present).all()


def test_overlap_by_hand(words: Words):
    overlap = dict(zip(OVERLAPS, told(words, TOLD, "Where is the lamp?").overlap[0].T, strict=True))
    where, be, lamp = (words.find(word).weight for word in ("where", "is", "lamp"))
    share = lamp / (where + be + lamp)
    assert overlap["share"].tolist() == pytest.approx([share] * 5 + [0.0] * 11)
    assert overlap["last mention"].tolist() == pytest.approx([share] * 5 + [0.0] * 11)
    assert overlap["asked for"].tolist() == pytest.approx([0, 0, 0, lamp, 0] + [0.0] * 11)
    assert overlap["asked for on the right"].tolist()[:4] == pytest.approx([0.65**3 * lamp, 0.65**2 * lamp, 0.65 * lamp, 0])
    sides = told(words, TOLD, "Where is she?").overlap[0].T
    she = words.find("she").weight
    assert sides[OVERLAPS.index("asked for on the left"), 5:].tolist() == pytest.approx(
        [0, 0.65 * she, 0.65**2 * she, 0.65**3 * she, 0.65**4 * she, 0.65**5 * she] + [0.0] * 5
    )
    assert overlap["recency"].tolist() == pytest.approx([0.2] * 5 + [0.1] * 6 + [0.0] * 5)


def test_nothing_is_seen_that_is_told_later_nor_another_question(words: Words):
    network = reader(words).eval()

    def answers(story: list[str], asked: list[tuple[str, int]]) -> Output:
        encoded = encode([split(text) for text in story], [(split(text), after) for text, after in asked], words)
        noise = torch.randn(1, 60, SMALL.marker_dim, generator=torch.Generator().manual_seed(1))
        noise[:, 0] = 0
        inputs = collate([encoded], np.random.default_rng(0), SMALL.marker_dim)
        return network(inputs._replace(markers=noise[:, : encoded.markers]))

    with torch.no_grad():
        one = answers(TOLD[:2], [("She took the attic?", 2)])
        later = answers(TOLD, [("She took the attic?", 2)])
        beside = answers(TOLD, [("She took the attic?", 2), ("Who has a suitcase?", 3)])
    for other in (later, beside):
        torch.testing.assert_close(other.answer[0, 0], one.answer[0, 0], atol=1e-5, rtol=1e-4)
        torch.testing.assert_close(other.evidence[0, 0, :11], one.evidence[0, 0], atol=1e-4, rtol=1e-4)
        torch.testing.assert_close(other.spans[0, 0, :11].exp(), one.spans[0, 0].exp(), atol=1e-4, rtol=1e-4)
        assert bool((other.evidence[0, 0, 11:] < -1000).all())
        assert bool((other.spans[0, 0, 11:] < -1000).all())


def test_padding_changes_nothing(words: Words):
    network = reader(words).eval()
    short, long = told(words, TOLD[:1], "Who took it?"), told(words, TOLD * 3, "Where is Ann?", "Who has the lamp?")
    together = collate([short, long], np.random.default_rng(0), SMALL.marker_dim)
    alone = collate([short], np.random.default_rng(0), SMALL.marker_dim)
    alone = alone._replace(markers=together.markers[:1, : short.markers])
    with torch.no_grad():
        one, both = network(alone), network(together)
    torch.testing.assert_close(both.answer[0, :1], one.answer[0], atol=1e-5, rtol=1e-4)
    torch.testing.assert_close(both.evidence[0, :1, :5], one.evidence[0], atol=1e-4, rtol=1e-4)
    torch.testing.assert_close(both.spans[0, :1, :5].exp(), one.spans[0].exp(), atol=1e-4, rtol=1e-4)


def test_a_story_is_read_once_for_all_its_questions(words: Words):
    network = reader(words).eval()
    inputs = collate([told(words, TOLD, "Where is Ann?")], np.random.default_rng(0), SMALL.marker_dim)
    with torch.no_grad():
        torch.testing.assert_close(network(inputs, network.read(inputs)).answer, network(inputs).answer)


def test_a_trained_reader_reads_a_story_once_for_questions_with_as_many_new_words(words: Words):
    def fresh() -> TrainedReader:
        return TrainedReader(reader(words).in_numpy(), words)

    kept, asked = fresh(), ["Where is Ann?", "Where is Bob?", "Who has the lamp?", "Who took the suitcase and the attic?"]
    read, times = kept.reader.read, []
    kept.reader.read = lambda arrays: times.append(arrays) or read(arrays)  # type: ignore[method-assign]
    replies = [kept.answer(TOLD, question) for question in asked]
    assert len(times) == 2, "once with the markers of the first two, and once with those of the others"
    assert replies == [fresh().answer(TOLD, question) for question in asked]
    other = kept.answer([*TOLD[:2], "Ann has a suitcase."], asked[0])
    assert other == fresh().answer([*TOLD[:2], "Ann has a suitcase."], asked[0]) != replies[0]


def test_a_sentence_without_an_end_is_read_in_pieces(words: Words):
    network = TrainedReader(reader(words).in_numpy(), words)
    endless = " ".join(f"wug{number}" for number in range(3000)) + " Ann has the lamp."
    assert {len(one.words) for one in sentences([endless])} <= {LONGEST, 3004 % LONGEST}
    assert len(network.answer([endless], "Who has the lamp?").reads) == 1


def test_spans_stay_in_a_statement(words: Words):
    inputs = collate([told(words, TOLD[:2], "Where is Ann?")], np.random.default_rng(0), SMALL.marker_dim)
    with torch.no_grad():
        spans = reader(words)(inputs).spans[0, 0]
    assert float(spans.exp().sum()) == pytest.approx(1, abs=1e-5)
    fits = [(first, more) for first in range(11) for more in range(WIDEST) if spans[first, more] > -1000]
    assert fits == [(first, more) for first in range(11) for more in range((5 if first < 5 else 11) - first)]


def test_labels_name_the_words_of_the_answer(words: Words):
    checked = 0
    for seed in range(30):
        story = draw(Random(seed), Dials(statements=(4, 9)))
        made = example(story, words)
        if made is None:
            continue
        flat = [word for statement in story.statements for word in (*statement.words, "")]
        for question, right in zip(made.story.questions, made.labels, strict=True):
            if ANSWERS[right.answer].endswith("spans"):
                for (at, first, last), mentions in zip(question.answer.spans, right.spans, strict=True):
                    wanted = list(story.statements[at].words[first:last])
                    assert wanted in [flat[a : b + 1] for a, b in mentions]
                    checked += 1
            elif ANSWERS[right.answer] == "untold":
                assert right.reason >= 0
    assert checked > 30


def test_questions_of_hard_kinds_are_kept_before_others():
    stories = [draw(Random(f"hard {number}"), Dials(questions=3.0)) for number in range(60)]
    kept = [hardest(story, Random(number)) for number, story in enumerate(stories)]
    for story, fewer in zip(stories, kept, strict=True):
        assert len(fewer.questions) == min(len(story.questions), len(story.statements))
        assert [question for question in story.questions if question in fewer.questions] == list(fewer.questions)
    before, after = ([question.kind in HARD for story in some for question in story.questions] for some in (stories, kept))
    assert sum(after) / len(after) > 1.2 * sum(before) / len(before)


@pytest.mark.parametrize(
    ("untold", "kind"), [(0.2, "span"), (NONE_FROM - 0.01, "span"), (NONE_FROM + 0.01, "untold"), (0.9, "untold")]
)
def test_none_is_said_before_it_is_the_likeliest(untold: float, kind: str):
    answer = np.zeros(len(ANSWERS), np.float32)
    answer[0], answer[ANSWERS.index("untold")] = 1 - untold, untold
    reply = decide(answer, np.ones(9, np.float32), [Span("attic", 1.0, {}, (0, 0, 0), False)], (1.0,), 2)
    assert (reply.kind, reply.untold) == (kind, pytest.approx(untold))
    assert reply.text == ("attic" if kind == "span" else "")
    if kind == "untold":
        assert reply.runners_up[0] == ("attic", pytest.approx(1 - untold))
