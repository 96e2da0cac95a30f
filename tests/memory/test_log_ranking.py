"""Logs by ranking: which entries fit a question, what candidates they make, and which is answered."""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
import torch

from memnet.ask.answer import Answer
from memnet.errors import NetworkError
from memnet.files import write_arrays
from memnet.measure.entry_matching import EntryMatching, Lesson, MatchingCourse, lessons, save_matching, train_matching
from memnet.memory.entrywise.ranked.answering import RELEVANCE, SCORER, is_same, key_of_parts, shares_of
from memnet.memory.entrywise.ranked.candidates import (
    BEFORE,
    COUNT,
    EVER,
    EVERY,
    FIRST,
    LEAST,
    LISTED,
    MOST,
    NEWEST,
    SUM,
    Candidate,
    candidates_of,
    said,
)
from memnet.memory.entrywise.ranked.features import AT, FEATURES, Known, features_of
from memnet.memory.entrywise.ranked.lines import Log, asked_words, told_of
from memnet.memory.entrywise.ranked.matching import EntryMatcher
from memnet.memory.entrywise.ranked.relevance import FEATURES as OF_AN_ENTRY
from memnet.memory.entrywise.ranked.relevance import MISSING, OF_WORDS, Readings, behind, missing_of, words_of
from memnet.memory.entrywise.reader import COUNTED, NO, NOTHING, TIME, YES, EntryReading
from memnet.memory.tables.ranked.scorer import Scorer
from memnet.memory.values import Held
from memnet.memory.weighing import refusal
from memnet.tasks.asked_logs import parse, read_logs
from memnet.tasks.world.answered_logs import LogError
from memnet.tasks.world.answered_logs import parse as parse_answered

TEXTS = ("Ann took the long saw", "saw back in the shed", "Bo cleaned pump 7", "Bo took the long saw", "tea at four")


def log_of(texts: Sequence[str] = TEXTS) -> Log:
    """A log of these lines."""
    return Log.of([Held(at, text, f"2026-03-0{at + 1} 08:00", "log.txt", at + 1) for at, text in enumerate(texts)])


def readings_of(every: Sequence[tuple[str, Sequence[tuple[str, float]]]]) -> Readings:
    """Entries with the answers that a reader would give."""
    log = log_of([text for text, _ in every])
    readings = [EntryReading(0.9, tuple(answers), 2.0) for _, answers in every]
    return Readings(
        log.held, log.texts, readings, np.zeros((len(every), len(OF_AN_ENTRY)), np.float32), np.zeros(len(MISSING), np.float32)
    )


def made(question: str, every: Sequence[tuple[str, str]], chances: Sequence[float]) -> dict[str, list[tuple[str, ...]]]:
    """The answers of each operation, where each entry has one sure answer."""
    found = candidates_of(
        readings_of([(text, [(answer, 1.0)]) for text, answer in every]), np.array(chances, np.float32), question
    )
    by_operation = dict[str, list[tuple[str, ...]]]()
    for one in found:
        by_operation.setdefault(one.operation, []).append(said(one, question))
    return {operation: list(dict.fromkeys(parts)) for operation, parts in by_operation.items()}


def test_words_of_a_question_that_say_something():
    words = {one.lemma: one for one in asked_words("Who cleaned pump 7 for Ann last?")}
    assert [*words] == ["clean", "pump", "7", "ann"]
    assert words["clean"].is_verb
    assert words["ann"].is_name
    assert words["7"].has_digit


def test_a_rare_word_weighs_more():
    log = log_of()
    assert log.weight("pump") == pytest.approx(np.log(6 / 1))
    assert log.weight("saw") == pytest.approx(np.log(6 / 3))
    assert log.weight("lathe") == pytest.approx(np.log(6 / 3))  # that no entry has, as if three had it


def test_what_entries_share_with_a_question_by_hand():
    x = words_of(log_of(), "Who has pump 7?")
    assert x[:, 0].tolist() == [0, 0, 1, 0, 0]  # both words, of which none has any but the third
    assert missing_of(log_of(), "Who has pump 7?").tolist() == [0, 0, 0]
    away = missing_of(log_of(), "Who lent Zed PJ-03?")
    assert away[1:].tolist() == [1, 1]
    assert away[0] == pytest.approx(1.0)


def test_an_entry_about_another_thing_of_the_kind_is_noticed():
    texts = ["Ann took the short saw", "the long saw is back", "Bo oiled saw 4", "a saw", "the saw, short of teeth"]
    log = Log.of([Held(at, text) for at, text in enumerate(texts)])
    of_words = words_of(log, "Who has the long saw?")[:, OF_WORDS.index("another of its kind")]
    assert of_words.tolist() == [1.0, 0.0, 0.0, 0.0, 0.0]


def test_the_packaged_networks_know_as_many_features_as_there_are():
    for path, features in ((RELEVANCE, OF_AN_ENTRY), (SCORER, FEATURES)):
        assert {weights["mean"].shape for weights in Scorer.load(path).members} == {(len(features),)}


def test_how_far_behind_the_greatest():
    gap, rank = behind(np.array([1.0, 3.0, 2.0], np.float32))
    assert gap.tolist() == [2.0, 0.0, 1.0]
    assert rank == pytest.approx(np.log1p([2, 0, 1]))


def test_a_matcher_in_numpy_is_the_one_in_torch():
    torch.manual_seed(0)
    net, log = EntryMatching(MatchingCourse(dim=8)).eval(), log_of()
    with torch.no_grad():
        of_torch = net(*net.keys(log), log, "Who has the big saw?")
    of_numpy = EntryMatcher({name: value.numpy() for name, value in net.state_dict().items()}).match(
        log, "Who has the big saw?"
    )
    assert of_numpy == pytest.approx(of_torch.numpy(), abs=1e-5)


def test_a_matcher_knows_shared_words_before_it_has_learned():
    torch.manual_seed(0)
    net, log = EntryMatching(MatchingCourse(dim=8)).eval(), log_of()
    matcher = EntryMatcher({name: value.detach().numpy() for name, value in net.state_dict().items()})
    assert int(matcher.match(log, "Who cleaned pump 7?").argmax()) == 2
    assert matcher.match(log_of([]), "Who?").shape == (0,)
    assert np.isfinite(matcher.match(log_of(["?", "!"]), "Who?")).all()


def test_a_matcher_learns_what_else_is_meant(tmp_path: Path):
    lines = ["Ann gone home ill", "Bo mended the saw", "Cid off sick", "pump 7 filled"]
    row = {"about": "x", "lines": lines, "questions": [{"ask": "Who is absent?", "says": {"0": "Ann", "2": "Cid"}}]}
    every = [*lessons([*parse_answered(json.dumps(row), "x")])]
    assert every[0].telling == (0, 2)
    matcher = train_matching(every * 30, MatchingCourse(dim=8, epochs=3, logs=1, dropout=0.0, lr=0.02))
    assert {*np.argsort(-matcher.match(every[0].log, "Who is absent?"))[:2].tolist()} == {0, 2}
    save_matching(matcher, tmp_path / "matcher.safetensors")
    loaded = EntryMatcher.load(tmp_path / "matcher.safetensors")
    assert loaded.match(every[0].log, "Who?") == pytest.approx(matcher.match(every[0].log, "Who?"), abs=0.05)


def test_a_file_of_other_weights_is_no_matcher(tmp_path: Path):
    write_arrays(tmp_path / "other.safetensors", {"a": np.zeros(1, np.float32)})
    with pytest.raises(NetworkError, match="holds no matcher of entries"):
        EntryMatcher.load(tmp_path / "other.safetensors")


def test_the_newest_and_the_first_and_what_was_before():
    every = [("Ann took it", "Ann"), ("Bo took it", "Bo"), ("it is back", NOTHING), ("Cid took it", "Cid")]
    found = made("Who had it before?", every, [0.9, 0.9, 0.9, 0.9])
    assert found[NEWEST][0] == ("Cid",)
    assert found[FIRST][0] == ("Ann",)
    assert found[BEFORE] == [("Bo",)]  # nobody in between
    assert made("Who had it before Bo?", every, [0.9] * 4)[BEFORE] == [("Ann",), ("Bo",)]


def test_the_newest_answers_as_far_as_it_tells_it():
    every = readings_of([("Ann took it", [("Ann", 1.0)]), ("Bo took it", [("Bo", 0.5), ("it", 0.5)])])
    found = [one for one in candidates_of(every, np.array([0.8, 0.5], np.float32), "Who has it?") if one.operation == NEWEST]
    assert [(one.parts, pytest.approx(one.chance)) for one in found] == [
        (("Ann",), pytest.approx(0.5 * 0.8)),
        (("Bo",), pytest.approx(0.25)),
        (("it",), pytest.approx(0.25)),
    ]
    assert found[0].rest == pytest.approx(0.5 * 0.2)


def test_counts_hang_on_how_likely_an_entry_must_be():
    every = [("pump failed", COUNTED), ("pump failed again", COUNTED), ("pump fine", NO), ("pump failed", COUNTED)]
    assert made("How often did it fail?", every, [0.9, 0.6, 0.9, 0.4])[COUNT] == [("3",), ("2",), ("1",)]
    assert made("Did it fail?", every, [0.9, 0.6, 0.9, 0.4])[EVER] == [("yes",)]


def test_sums_and_ends():
    every = [("diesel 40 L", "40 L"), ("diesel 15 L", "15 L"), ("diesel 52 L", "52 L")]
    found = made("How much diesel in all?", every, [0.9, 0.9, 0.9])
    assert found[SUM] == [("107",)]
    assert found[MOST][:2] == [("52 L",), ("2026-03-03 08:00",)]
    assert found[LEAST][:2] == [("15 L",), ("2026-03-02 08:00",)]
    things = [("tram 4: 510 km", "tram 4"), ("tram 5: 470 km", "tram 5")]
    assert ("tram 4",) in made("Which tram ran most?", things, [0.9, 0.9])[MOST]


def test_a_list_of_now_leaves_out_what_is_over():
    every = [("Bay 1 shut", "Bay 1"), ("Bay 2 shut", "Bay 2"), ("Bay 1 open again", NO), ("Bay 3 shut", "Bay 3")]
    found = made("Which bays are shut?", every, [0.9] * 4)
    assert found[LISTED] == [("Bay 2", "Bay 3")]
    assert found[EVERY] == [("Bay 1", "Bay 2", "Bay 3")]


def test_nothing_is_nobody_where_who_is_asked():
    assert made("Who has it?", [("it is back", NOTHING)], [0.9])[NEWEST] == [("nobody",)]
    assert made("When was it lent?", [("it is out", TIME)], [0.9])[NEWEST] == [("2026-03-01 08:00",)]
    assert made("Is it out?", [("it is out", YES)], [0.9])[NEWEST] == [("yes",)]


def test_features_are_finite_and_say_which_operation():
    question, readings = "Who has it?", readings_of([("Ann took it", [("Ann", 1.0)]), ("Bo took it", [("Bo", 1.0)])])
    chances = np.array([0.2, 0.9], np.float32)
    every = candidates_of(readings, chances, question)
    x = features_of(readings, chances, every, Known(refusal(question)), question)
    assert x.shape == (len(every) + 2, len(FEATURES))
    assert np.isfinite(x).all()
    assert x[0, AT[f"does {NEWEST}"]] == 1
    assert x[-1, AT["does refusal"]] == 1
    assert x[-2, AT["does known"]] == 1
    assert x[:, AT["known none"]].all()


def known(text: str) -> Answer:
    """An answer that facts have."""
    return Answer(text, 0.8, [], [], [], {}, 0)


def test_one_answer_of_several_candidates_is_as_likely_as_they_are_together():
    every = [Candidate(("Ann",), NEWEST, 0.5), Candidate(("Bo",), FIRST, 0.4), Candidate(("Ann",), FIRST, 0.1)]
    shares, best = shares_of(every, np.array([0.2, 0.3, 0.1, 0.25, 0.15], np.float32), known("Ann Lee"), "Who has it?")
    assert shares == {("ann",): pytest.approx(0.55), ("bo",): pytest.approx(0.3)}
    assert best[("ann",)] is None  # what facts have is the likeliest of these
    assert best[("bo",)] == every[1]
    shares, _ = shares_of(every, np.array([0.2, 0.3, 0.1, 0.25, 0.15], np.float32), refusal("Who?"), "Who has it?")
    assert sum(shares.values()) == pytest.approx(0.6)


def test_lists_are_the_same_part_by_part():
    assert key_of_parts(("The big saw", "PJ-03")) == ("big saw", "pj-03")
    assert is_same(("big saw",), ("saw",), "What is out?")
    assert not is_same(("big saw", "x"), ("saw", "x"), "What is out?")
    assert not is_same(("a",), ("a", "b"), "What is out?")


def test_logs_with_questions_are_read(tmp_path: Path):
    question = {"ask": ["Who?", "who now"], "kind": "now", "answers": ["Ann", ["Ann", "Bo"]], "says": {"0": "Ann"}}
    row = {"about": "a yard", "lines": ["2026-03-01 08:00 Ann left"], "questions": [question]}
    (tmp_path / "yard.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    (log,) = read_logs(tmp_path)
    assert (log.name, log.questions[0].answers, log.questions[0].lists) == ("yard 1", ("Ann",), (("Ann", "Bo"),))
    question["says"] = {"4": "Ann"}
    (tmp_path / "yard.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    with pytest.raises(LogError, match=r"yard.jsonl, line 1: .*there is no line 4"):
        [*read_logs(tmp_path)]
    with pytest.raises(LogError, match="has no logs"):
        [*read_logs(tmp_path / "nowhere")]
    with pytest.raises(ValueError, match="a list of wordings"):
        parse(json.dumps({**row, "questions": [{**question, "ask": "Who?"}]}), "x")


def test_lessons_have_all_wordings():
    row = {
        "about": "x",
        "lines": ["Ann left"],
        "questions": [{"ask": "Who left?", "more": ["who is gone"], "says": {"0": "Ann"}}],
    }
    found: list[Lesson] = [*lessons([*parse_answered(json.dumps(row), "x")])]
    assert [one.question for one in found] == ["Who left?", "who is gone"]
    assert told_of("Ann took PJ-03").lemmas == ("ann", "take", "pj-03")
