"""Temperatures: probabilities that are as often right as they say."""

import pytest
import torch

from memnet.training import calibrate


@pytest.mark.parametrize("truth", [0.5, 1.0, 3.0])
def test_the_temperature_of_scores_that_were_multiplied_is_found(truth: float, monkeypatch: pytest.MonkeyPatch):
    draw = torch.Generator().manual_seed(0)
    scores = 2 * torch.randn(1, 4000, 1, 6, generator=draw)
    right = torch.multinomial(scores[0, :, 0].softmax(1), 1, generator=draw)
    monkeypatch.setattr(calibrate, "held_out_scores", lambda *_: (truth * scores, right))
    assert calibrate.temperature(None, None) == pytest.approx(truth, rel=0.1)


def test_where_nothing_is_wrong_nothing_becomes_certain(monkeypatch: pytest.MonkeyPatch):
    scores = torch.zeros(1, 50, 1, 3)
    scores[..., 1] = 4.0
    scores[..., 2] = float("-inf")  # a word that is never said
    monkeypatch.setattr(calibrate, "held_out_scores", lambda *_: (scores, torch.ones(50, 1, dtype=torch.long)))
    found = calibrate.temperature(None, None)
    assert 0.2 < found < 1.0
    assert (scores[0, 0, 0] / found).softmax(0)[1] < 1


def test_answers_of_several_words_count_to_their_stop(monkeypatch: pytest.MonkeyPatch):
    """What stands after the first stop symbol, entry 1, is no part of an answer."""
    draw = torch.Generator().manual_seed(1)
    scores = torch.randn(1, 300, 3, 5, generator=draw)
    right = torch.tensor([2, 1, 1]).expand(300, 3)
    found = []
    for last in (0.0, 9.0):
        changed = scores.clone()
        changed[:, :, 2] += last * torch.eye(5)[4]
        monkeypatch.setattr(calibrate, "held_out_scores", lambda *_, changed=changed: (changed, right))
        found.append(calibrate.temperature(None, None))
    assert found[0] == pytest.approx(found[1])
