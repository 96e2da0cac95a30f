"""The search over a memory's sentences: what it sees and how it ranks, by hand, and what must change nothing."""

import math
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np
import pytest
import torch

from memnet.attention import Trace
from memnet.attention.trace import best
from memnet.errors import NetworkError
from memnet.memory.search import FOLDER, Searcher, candidate, forms_of, terms_of, with_neighbours
from memnet.models.finder import Finder, FinderConfig
from memnet.reading.compared import FEATURES, Candidate, compare, date_lemmas, words_of
from memnet.reading.words import Words
from memnet.training.search import Asked, SearchTraining, chosen, collate, refusal, train
from memnet.training.search_examples import Memory, memory, person, spoken


class Held(NamedTuple):
    number: int
    text: str
    when: str | None = None
    source: str = ""


DIARY = [
    "Last weekend we camped by the lake in Norway.",
    "The soup needed more salt.",
    "My brother repairs old violins in Cremona.",
    "She bought a green bicycle for forty euros.",
    "The children painted the fence yellow.",
    "On Friday the dentist moved my appointment to June.",
]


def candidates(texts: list[str], **more: str) -> list[Candidate]:
    return [Candidate(text, number, **more) for number, text in enumerate(texts)]


def column(compared_features: np.ndarray, name: str) -> list[float]:
    return [round(float(value), 4) for value in compared_features[:, FEATURES.index(name)]]


# What it sees


def test_bm25_and_shares_are_those_of_the_formula():
    told = candidates(["Violins and more violins.", "A violin.", "Nothing of the kind here at all."])
    seen = compare(told, "Who repairs violins?").features
    rare = math.log(1 + (3 - 2 + 0.5) / (2 + 0.5))  # two of three sentences have it, whatever its form
    lengths = [4, 2, 7]
    usual = [1.2 * (0.5 + 0.5 * length / np.mean(lengths)) for length in lengths]
    wanted = [rare * count * 2.2 / (count + one) if count else 0.0 for count, one in zip((2, 1, 0), usual, strict=True)]
    assert Words.load().find("violins").weight == 1
    assert column(seen, "words: bm25") == pytest.approx(wanted, abs=1e-3)
    absent = math.log(1 + 3.5 / 0.5) * sum(Words.load().find(word).weight for word in ("who", "repairs"))
    assert column(seen, "words: share") == pytest.approx([rare / (rare + absent)] * 2 + [0], abs=1e-3)


def test_a_word_is_as_rare_as_the_whole_memory_says():
    told = candidates(["A violin.", "A lamp."])
    seen = compare(told, "violin", lambda lemma: {"violin": 9}[lemma], 100).features
    length = 2.0
    wanted = math.log(1 + 91.5 / 9.5) * 2.2 / (1 + 1.2 * (0.5 + 0.5 * length / length))
    assert column(seen, "words: bm25") == pytest.approx([wanted, 0], abs=1e-3)


def test_the_nearest_word_stands_in_for_one_that_is_missing():
    units, find = Words.load().units, Words.load().find
    seen = compare(candidates(["A guitar.", "A tax."]), "violin").features
    cosines = [float(units[find("violin").row] @ units[find(word).row]) for word in ("guitar", "tax")]
    assert column(seen, "vectors: best words") == pytest.approx([max(one, 0) ** 2 for one in cosines], abs=1e-3)
    assert cosines[0] > 0.5 > cosines[1]


def test_neighbours_are_those_of_the_same_source_by_their_numbers():
    told = [Candidate("A violin.", 7, source="a"), Candidate("A lamp.", 8, source="a"), Candidate("A chair.", 8, source="b")]
    seen = compare(told, "violin").features
    assert column(seen, "neighbours: share of -1") == [0, 1, 0]
    assert column(seen, "neighbours: share of +1") == [0, 0, 0]


def test_who_speaks_and_when():
    told = [Candidate("I camped.", 0, "Ann", "2023-05-08"), Candidate("Ann camped.", 1, "Bo", "2023-06-08")]
    seen = compare(told, "Where did Ann camp in May 2023?").features
    assert column(seen, "speaker: said by who is named") == [1, 0]
    assert column(seen, "speaker: name in the text") == [0, 1]
    date = column(seen, "time: date")
    assert date[0] == 1
    assert 0 < date[1] < 1  # the year alone
    assert date_lemmas("8 May, 2023") == date_lemmas("2023-05-08")


def test_owners_and_forms_are_one_word():
    assert [word.lemma for word in words_of("Ann's violins")] == ["ann", "violin"]
    assert forms_of("camp")[0] == "camp"
    assert {"camps", "camped", "camping"} <= {*forms_of("camp")}
    assert {"lake", "lakes"} <= {*terms_of("Where is the lake?")}
    assert "the" not in terms_of("Where is the lake?")
    assert terms_of("the of") == ["the", "of"]  # nothing else to go by


def test_a_speaker_stands_before_a_colon():
    assert candidate(Held(3, "Ann Lee: I sold it.", "2023-05-08", "a")) == Candidate(
        "I sold it.", 3, "Ann Lee", "2023-05-08", "a"
    )
    for text in ("It is this: a boat.", "At 10:30 we left.", "Ann:"):
        assert candidate(Held(0, text)).text == text


def test_neighbours_come_with_what_an_index_found():
    assert with_neighbours([7, 2], 9) == [1, 2, 3, 6, 7, 8]
    assert with_neighbours([7, 2], 8, 4) == [2, 3, 6, 7]
    assert with_neighbours([], 9) == []


# How it ranks


def by_hand(hops: int) -> Finder:
    """One feature, one hidden number: a key is the feature, and likeness to what was read counts three in a second hop."""
    net = Finder(FinderConfig(hidden=1, hops=hops), ["one"]).eval()
    with torch.no_grad():
        for parameter in net.parameters():
            parameter.zero_()
        net.key.weight[0, 0] = net.query[0] = 1.0
        net.null.bias[0] = 0.5
        if hops == 2:
            net.sharp[0] = 1.0
            net.key_again.weight[0, 3] = 3.0  # likeness of words to what was read, without itself
            net.query_again[0] = 1.0
    return net


def test_one_hop_is_a_softmax_with_nothing_among_the_choices():
    features = torch.tensor([[[2.0], [0.0], [1.0]]])
    found = by_hand(1)(features, torch.zeros(1, 2, 3, 3), torch.ones(1, 3, dtype=torch.bool))
    scores = np.exp([2.0, 0.0, 1.0])
    total = scores.sum() + np.exp(0.5)
    np.testing.assert_allclose(found.traces[0].weights[0, 0].detach(), scores / total, rtol=1e-5)
    np.testing.assert_allclose(found.nothing.detach(), [np.exp(0.5) / total], rtol=1e-5)
    np.testing.assert_allclose(found.logits[0].detach(), [2, 0, 1], atol=1e-6)


def test_the_second_hop_asks_with_what_the_first_read():
    features, similarity = torch.tensor([[[2.0], [0.0], [0.0]]]), torch.zeros(1, 2, 3, 3)
    similarity[0, 0] = torch.eye(3)
    similarity[0, 0, 0, 2] = similarity[0, 0, 2, 0] = 1.0  # the third sentence has the words of the first
    found = by_hand(2)(features, similarity, torch.ones(1, 3, dtype=torch.bool))
    weights = np.exp([2.0, 0.0, 0.0]) / np.exp([2.0, 0.0, 0.0]).sum()
    wanted = [2 + 3 * weights[2], 0, 3 * weights[0]]
    np.testing.assert_allclose(found.logits[0].detach(), wanted, rtol=1e-5)
    assert found.logits[0, 2] > found.logits[0, 1]


def test_the_best_are_in_order_and_the_oldest_of_equals_first():
    logits = torch.tensor([[1.0, 3.0, float("-inf"), 3.0]])
    places, scores = best(Trace(logits, logits, logits), 3)
    assert places.tolist() == [[1, 3, 0]]
    assert scores.tolist() == [[3, 3, 1]]


def wandered(hops: int = 2) -> Finder:
    """A network with all its features and weights that are drawn."""
    torch.manual_seed(1)
    net = Finder(FinderConfig(hops=hops), FEATURES).eval()
    net.fit_scale(torch.from_numpy(compare(candidates(DIARY), "Where did we camp?").features))
    return net


@pytest.mark.parametrize("hops", [1, 2])
def test_several_questions_at_once_are_answered_as_each_alone(hops: int):
    net = wandered(hops)
    asked = [
        Asked.of(compare(candidates(DIARY[:many]), query), [0], True)
        for many, query in ((6, "Where did we camp?"), (2, "Who repairs violins?"), (4, "What was yellow?"))
    ]
    with torch.no_grad():
        together = collate(asked, chosen())
        found = net(together.features, together.similarity, together.mask)
        for row, one in enumerate(asked):
            batch = collate([one], chosen())
            alone = net(batch.features, batch.similarity, batch.mask)
            size = len(one.wanted)
            torch.testing.assert_close(found.logits[row, :size], alone.logits[0], rtol=1e-4, atol=1e-4)
            torch.testing.assert_close(found.nothing[row], alone.nothing[0], rtol=1e-4, atol=1e-5)
            assert bool((found.traces[-1].weights[row, 0, size:] == 0).all())


@pytest.mark.parametrize("shipped", [False, True])
def test_the_order_of_the_sentences_changes_no_score(shipped: bool):
    searcher = Searcher.load() if shipped else Searcher(wandered().in_numpy())
    told = candidates(DIARY, speaker="Ann")
    query = "Where did Ann go camping?"
    scores = dict(searcher.rank(told, query, len(told)))
    order = Random(3).sample(range(len(told)), len(told))
    shuffled = dict(searcher.rank([told[place] for place in order], query, len(told)))
    assert [shuffled[order.index(place)] for place in range(len(told))] == pytest.approx(
        [scores[place] for place in range(len(told))], abs=1e-3
    )


# The one that ships


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("Where did you go camping?", 0),
        ("who mends violins", 2),
        ("How much did the bike cost?", 3),
        ("What colour is the fence?", 4),
        ("When do I have to see the dentist?", 5),
    ],
)
def test_what_answers_comes_first(query: str, wanted: int):
    found = Searcher.load().rank(candidates(DIARY), query, k=2)
    assert len(found) == 2
    assert found[0][0] == wanted
    assert found[0][1] > found[1][1]


def test_nothing_wins_where_nothing_matches():
    searcher = Searcher.load()
    told = candidates(DIARY)
    known, unknown = (searcher.search(told, query) for query in ("Who repairs old violins?", "Where is the spectrometer?"))
    assert unknown.nothing > known.nothing
    assert not searcher.answers(unknown)
    assert searcher.answers(known)
    assert unknown.best[0][1] < known.best[0][1]


def test_without_sentences_or_words_nothing_is_found():
    for told, query in (([], "Where?"), (candidates(DIARY), "?!")):
        assert Searcher.load().search(told, query) == ([], 1.0)


def test_it_is_loaded_with_its_card():
    card = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert "make_search.py make" in card
    assert "LoCoMo" in card
    searcher = Searcher.load()
    numbers = sum(value.size for name, value in searcher.net.weights.items() if name not in ("mean", "scale"))
    assert f"{numbers:,}" in card
    assert searcher.net.features == FEATURES
    assert 0 < searcher.refuses_from < 1


def test_a_folder_that_holds_no_search_is_named(tmp_path: Path):
    with pytest.raises(NetworkError, match="no network that searches"):
        Searcher.load(tmp_path)
    Finder(FinderConfig(), FEATURES).save(tmp_path / "a", "card", {})
    with pytest.raises(NetworkError, match="refuses_from"):
        Searcher.load(tmp_path / "a")
    with pytest.raises(NetworkError, match="words: smell"):
        Searcher(Finder(FinderConfig(), ["words: smell"]).in_numpy())


def test_what_is_saved_is_what_is_loaded(tmp_path: Path):
    net = wandered()
    net.save(tmp_path / "a", "card", {"refuses_from": 0.25})
    loaded = Searcher.load(tmp_path / "a")
    assert loaded.refuses_from == 0.25
    told = candidates(DIARY)
    assert loaded.rank(told, "Who repairs violins?") == Searcher(net.in_numpy()).rank(told, "Who repairs violins?")


# What it learns from


def test_drawn_memories_have_what_is_asked_and_are_the_same_for_a_seed():
    one, other = memory(Random(5), 150), memory(Random(5), 150)
    assert one == other
    assert {answered for _, _, answered in one.questions} == {True, False}
    for text, wanted, answered in one.questions:
        assert text.endswith("?")
        assert all(place < len(one.told) for place in wanted)
        assert wanted or not answered
    assert [candidate.number for candidate in one.told] == list(range(len(one.told)))


def test_a_person_speaks_of_oneself():
    assert spoken(["Ann", "is", "in", "Oslo", ",", "Bo", "said"], "Ann", "Cleo") == "I am in Oslo, Bo said"
    assert spoken(["Bo", "met", "Ann"], "Ann", "Cleo") == "Bo met Cleo"


def test_templates_that_measure_train_nothing():
    from memnet.training.search_examples import templates_of

    train_part, test_part = ({one.text for one in templates_of(part)} for part in ("train", "test"))
    assert len(test_part) > 100
    assert not train_part & test_part


def test_a_few_questions_are_learned():
    questions = [
        ("Who repairs violins?", 2),
        ("Where did we camp?", 0),
        ("What was painted yellow?", 4),
        ("Who needs salt?", 1),
    ]
    asked = [Asked.of(compare(candidates(DIARY), query), [place], True) for query, place in questions] * 8
    asked += [Asked.of(compare(candidates(DIARY), "Where is the spectrometer?"), [], False)] * 8
    net = train(asked, FinderConfig(hidden=8), SearchTraining(epochs=15, drop=0.0))
    searcher = Searcher(net.in_numpy())
    for query, place in questions:
        assert searcher.rank(candidates(DIARY), query, 1)[0][0] == place
    nothing = [searcher.search(candidates(DIARY), query).nothing for query in ("Where is the spectrometer?", questions[0][0])]
    assert nothing[0] > 0.5 > nothing[1]


def test_refusal_parts_what_is_answered_from_what_is_not():
    nothing, answered = np.array([0.1, 0.2, 0.3, 0.8, 0.9]), np.array([True, True, True, False, False])
    assert 0.3 < refusal(nothing, answered) <= 0.8


def test_people_are_named_by_the_story():
    from memnet.tasks.world import Dials, draw

    found = [person(draw(Random(seed), Dials(statements=(4, 8))), Random(0)) for seed in range(20)]
    assert any(found)
    assert isinstance(memory(Random(1), 30, "test"), Memory)
