"""The classical baselines against scikit-learn used directly, and as a user meets them."""

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

from memnet.encode.examples import examples
from memnet.encode.vocabulary import Vocabulary
from memnet.models import model_of
from memnet.models.baselines import BaselineConfig
from memnet.models.checkpoint import load_network
from memnet.papers import PRESETS
from memnet.tasks.text import words
from memnet.training.evaluate import evaluate
from tests.conftest import memnet, ran, read_json, refused, wander
from tests.test_memn2n import network

BASELINES = [name for name, config in PRESETS.items() if model_of(config) == "baseline"]


def grams(sentences: list[tuple[str, ...]], longest: int, mark: str) -> list[str]:
    """The n-grams of sentences, by name; with two or more words the edges count."""
    found = [f"{mark}{word}" for sentence in sentences for word in sentence]
    for sentence in sentences:
        told = ["<", *sentence, ">"]
        found += [mark + " ".join(told[i : i + n]) for n in range(2, longest + 1) for i in range(len(told) - n + 1)]
    return found


def documents(seed: int, config: BaselineConfig) -> tuple[list[list[str]], list[str]]:
    told, said = [], []
    for story in wander(seed):
        for question in story.questions:
            asked = words(question.text)
            sentences = [words(statement) for statement in story.statements[: question.after]]
            if config.features == "related":
                sentences = [sentence for sentence in sentences if set(sentence) & set(asked)]
            if config.features == "question":
                sentences = []
            parts = grams(sentences, config.ngrams, "s:")
            told.append(parts + (grams([asked], config.ngrams, "q:") if config.question else []))
            said.append(question.answer)
    return told, said


ALONE = BaselineConfig(features="question", ngrams=4)


@pytest.mark.parametrize("config", [*(PRESETS[name] for name in BASELINES), ALONE], ids=[*BASELINES, "question alone"])
def test_a_baseline_is_what_scikit_learn_makes_of_the_same_documents(config: BaselineConfig):
    net, _, vocabulary = network(config, 1, wander(1))
    test = evaluate(net, examples([wander(2)], vocabulary, config.memory_size))
    ours = [vocabulary.answer_text(numbers) for numbers in test.prediction[0].tolist()]
    told, said = documents(1, config)
    if config.estimator == "frequent":
        assert set(ours) == {max(set(said), key=said.count)}
        return
    vectorizer = CountVectorizer(analyzer=lambda document: document, binary=config.weighting == "binary")
    counts, asked = vectorizer.fit_transform(told), vectorizer.transform(documents(2, config)[0])
    if config.weighting == "tfidf":
        transformer = TfidfTransformer().fit(counts)
        counts, asked = transformer.transform(counts), transformer.transform(asked)
    kind = LogisticRegression(max_iter=10_000) if config.estimator == "logistic" else LinearSVC(max_iter=10_000, random_state=0)
    expected = kind.fit(counts, said).predict(asked)
    assert np.mean(np.array(ours) == expected) >= 0.98  # the same but for ties
    assert test.read.shape[2] == 0


def test_two_answers_and_one():
    for rooms in (("kitchen", "garden"), ("kitchen",)):
        stories = [s for s in wander(1, 60) if all(q.answer in rooms for q in s.questions)]
        config = BaselineConfig()
        net, data, vocabulary = network(config, 1, stories)
        said = {vocabulary.answer_text(numbers) for numbers in evaluate(net, data).prediction[0].tolist()}
        assert said == {question.answer for story in stories for question in story.questions}


def test_as_a_user(own_folder: Path, tmp_path: Path):
    run = tmp_path / "run"
    ran("train", own_folder, "--model", "baseline", "--out", run)
    assert sorted(path.name for path in run.iterdir() if not path.name.startswith(".")) == [
        "README.md",
        "config.json",
        "examples.json",
        "model.safetensors",
        "run.json",
    ]
    report = json.loads(memnet("eval", run, own_folder, "--json").stdout)["tasks"]["own/moves"]
    assert report["fact_recall"] is None
    saved = read_json(run / "run.json")
    assert report["test_error"] == pytest.approx(saved["replicas"][0]["tasks"]["own/moves"]["test_error"], abs=1e-3)
    said = memnet("ask", run, "--question", "Where is Mary?", stdin="Mary went to the garden.\n")
    assert said.stdout.startswith("garden"), said.stderr
    assert "hop" not in said.stdout
    net, vocabulary, _ = load_network(run)
    assert isinstance(vocabulary, Vocabulary)
    assert net.config == dataclasses.replace(PRESETS["ngram"])
    assert "there are no training steps to measure" in refused("bench", "train", "--preset", "ngram")
