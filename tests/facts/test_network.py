"""The network of facts: its shapes, that sentences do not see each other, what it names, and how it is kept."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor

from memnet.errors import NetworkError
from memnet.facts.growing import grown
from memnet.facts.kinds import KINDS, ROLES, SLOTS, Fact, Phrase
from memnet.facts.network import FactNetwork
from memnet.facts.numbers import LONGEST, NO_WORD, FactConfig, Numbers, padded
from memnet.facts.reader import CONFIG, LONGEST_PHRASE, MODEL, FactReader, fact_of, is_said
from memnet.files import read_tensors, write_tensors
from memnet.reading.words import Words
from memnet.tasks.text.tokens import WORD, split

CONFIGURED = FactConfig(dim=16, heads=2, layers=1, hidden=16, hops=1, pointer_dim=8)
TEXTS = ["Ann left.", "Ann carried the heavy blue box from the attic to the yard with Bob.", "Where is Ann?"]


@pytest.fixture(scope="module")
def network() -> FactNetwork:
    torch.manual_seed(1)
    return FactNetwork(CONFIGURED, Words.load().vectors).eval()


def rows(texts: list[str]) -> Tensor:
    numbers = Numbers()
    return torch.from_numpy(padded([numbers.sentence(split(text), text.endswith("?")) for text in texts]))


def test_what_it_reads_has_a_kind_a_slot_and_two_ends_a_role(network: FactNetwork):
    words = rows(TEXTS)
    assert words.shape == (3, 1 + max(len(split(text)) for text in TEXTS), 5)
    found = network(words)
    assert found.kind.shape == (3, SLOTS, len(KINDS))
    assert found.start.shape == found.end.shape == (3, SLOTS, len(ROLES), words.shape[1])


def test_a_sentence_is_read_alike_alone_and_beside_longer_ones(network: FactNetwork):
    together = network(rows(TEXTS))
    for number, text in enumerate(TEXTS):
        words = rows([text])
        length = words.shape[1]
        alone = network(words)
        torch.testing.assert_close(alone.kind[0], together.kind[number])
        torch.testing.assert_close(alone.start[0], together.start[number, ..., :length])
        torch.testing.assert_close(alone.end[0], together.end[number, ..., :length])
        beyond = together.start[number, ..., length:].exp()
        assert bool((beyond == 0).all()), "what is no word is pointed at"
    assert bool((rows(TEXTS)[0, 3:] == NO_WORD).all())


def test_a_thing_whose_words_are_its_place_is_nowhere():
    level, whole = Phrase(0, 2, "tank level"), Phrase(0, 3, "tank level = 11.9")
    wrong, right = Fact("at", {"what": level, "to": whole}), Fact("at", {"what": level, "to": Phrase(2, 3, "11.9")})
    assert (wrong.is_in_itself, right.is_in_itself, Fact("at", {"what": level}).is_in_itself) == (True, False, False)
    assert not is_said(wrong, whole.text)
    assert is_said(right, whole.text)


def test_another_word_is_another_reading(network: FactNetwork):
    one, other = network(rows(["Ann left the attic."])), network(rows(["Ann left the cellar."]))
    assert not torch.allclose(one.start, other.start)


# What it names


def pointing(**places: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
    """Log-probabilities of the first and the last word of each role, of four words; roles that are not given point at none."""
    start, end = np.full((len(ROLES), 6), -9.0, np.float32), np.full((len(ROLES), 6), -9.0, np.float32)
    for number, role in enumerate(ROLES):
        first, last = places.get(role, (0, 0))
        start[number, first] = end[number, last] = 0.0
    return start, end


def said(kind: str, asks: bool = False, **places: tuple[int, int]):
    text = "Ann took old lamps."
    chances = np.where(np.array(KINDS) == kind, 0.9, 0.1 / len(KINDS)).astype(np.float32)
    return fact_of(chances, *pointing(**places), text, [mark.span() for mark in WORD.finditer(text)], asks)


def test_roles_are_spans_and_the_word_before_the_first_is_none():
    fact = said("take", who=(1, 1), what=(3, 4))
    assert (fact.kind, {role: phrase.text for role, phrase in fact.roles.items()}) == (
        "take",
        {"who": "Ann", "what": "old lamps"},
    )
    assert fact.roles["what"][:2] == (2, 4)
    assert fact.probability == pytest.approx(0.9)
    assert said("none").roles == {}


def test_no_phrase_ends_before_it_begins_or_begins_before_the_sentence():
    assert said("take", what=(4, 2)).text("what") not in ("lamps took old", "took old lamps")
    assert said("take", what=(0, 3)).text("what") != "Ann took old"
    assert LONGEST_PHRASE < LONGEST


def test_a_statement_asks_nothing_and_a_question_says_nothing():
    assert said("where").kind != "where"
    assert said("where", asks=True).kind == "where"
    assert said("take", asks=True).kind != "take"


# Longer sentences


def test_of_a_longer_sentence_the_first_words_are_read(network: FactNetwork):
    reader = FactReader(network.in_numpy())
    words = [f"word{number}" for number in range(LONGEST + 30)]
    assert rows([" ".join(words)]).shape[1] == LONGEST + 1
    long, short = reader.read([" ".join(words), " ".join(words[:LONGEST])], False)
    for one, other in zip(long, short, strict=True):
        assert (one.kind, one.roles) == (other.kind, other.roles)
        assert one.probability == pytest.approx(other.probability)
    ((left, *_),) = reader.read([" ".join(words[: LONGEST - 1])], False)
    assert left.probability != pytest.approx(long[0].probability, abs=1e-9), "a word that is read counts"


# On the disk


def test_it_is_kept_in_8_bits(network: FactNetwork, tmp_path: Path):
    FactReader(network.in_numpy(), {"training": {"steps": 3}}).save(tmp_path / "reader")
    again = FactReader.load(tmp_path / "reader")
    assert again.metadata["training"] == {"steps": 3}
    assert again.network.config == CONFIGURED
    kept = again.network.weights
    for name, weight in network.in_numpy().weights.items():
        assert np.abs(kept[name] - weight).max() <= np.abs(weight).max() / 127, name
    stored, _ = read_tensors(tmp_path / "reader" / MODEL)
    assert stored["kind.weight"].dtype == torch.int8
    one, other = network(rows(TEXTS)).kind.detach().numpy(), again.network(rows(TEXTS).numpy()).kind
    np.testing.assert_allclose(one, other, atol=0.05, rtol=0.05)
    assert not np.array_equal(one, other)


def without_a_tensor(folder: Path) -> None:
    tensors, metadata = read_tensors(folder / MODEL)
    tensors.pop("kind.weight")
    write_tensors(folder / MODEL, tensors, metadata)


def of_another_size(folder: Path) -> None:
    saved = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
    saved["network"]["dim"] = 32
    (folder / CONFIG).write_text(json.dumps(saved), encoding="utf-8")


DAMAGES = {
    "no weights": lambda folder: (folder / MODEL).unlink(),
    "half of the weights": lambda folder: (folder / MODEL).write_bytes((folder / MODEL).read_bytes()[:2000]),
    "a weight is missing": without_a_tensor,
    "no configuration": lambda folder: (folder / CONFIG).unlink(),
    "no JSON": lambda folder: (folder / CONFIG).write_text("{", encoding="utf-8"),
    "of something else": lambda folder: (folder / CONFIG).write_text("{}", encoding="utf-8"),
    "of another size": of_another_size,
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_folder_is_refused_in_a_sentence(network: FactNetwork, tmp_path: Path, damage: str):
    folder = tmp_path / "reader"
    FactReader(network.in_numpy()).save(folder)
    DAMAGES[damage](folder)
    with pytest.raises(NetworkError) as refused:
        FactReader.load(folder)
    assert str(folder) in str(refused.value)


def test_a_grown_network_reads_as_before(network: FactNetwork):
    large = grown(network, 3, 24).eval()
    assert (large.config.layers, large.config.hidden) == (3, 24)
    for one, other in zip(network(rows(TEXTS)), large(rows(TEXTS)), strict=True):
        torch.testing.assert_close(one, other)
    with pytest.raises(ValueError, match="1 layers and 16 hidden features cannot shrink"):
        grown(network, 1, 8)
