"""A Universal Transformer over mentions of interchangeable words, which it does not see."""

from __future__ import annotations

import pytest
import torch

from memnet.config import override
from memnet.encode.batch import batches
from memnet.encode.examples import examples
from memnet.encode.normalizer import Normalizer
from memnet.encode.vocabulary import UNKNOWN, Vocabulary
from memnet.errors import ConfigError
from memnet.models.mentions import LINKS, Mentioned, Mentions, MentionsConfig
from memnet.nn.random import Random
from memnet.tasks.text import Question, Story, texts_of, words

GROUPS = (("garden", "kitchen", "office"), ("ann", "john", "mary"))
LISTED = ("ann,john", "ann,mary", "john,mary", "john,ann", "mary,ann", "mary,john")
SMALL = MentionsConfig(dim=16, heads=4, hidden=16, layers=2, dropout=0.0)


def told(one: str, two: str, three: str, here: str, there: str) -> Story:
    """Who went where, and who met whom."""
    said = (f"{one} went to the {here}", f"{two} went to the {there}", "it rains", f"{one} met {two}", f"{one} left {three}")
    asked = (Question(f"where is {one}", here, (), after=5), Question(f"who met {two}", f"{one},{three}", (), after=4))
    return Story(said, asked)


def made(story: Story, config: MentionsConfig = SMALL):
    """An untrained network of a vocabulary with groups, the vocabulary, the batch of a story's questions, its data encoded."""
    found = {word for text in texts_of(story) for word in words(text)} | {name for group in GROUPS for name in group}
    vocabulary = Vocabulary([UNKNOWN, *sorted(found | set(LISTED))], normalizer=Normalizer(groups=GROUPS))
    data = examples([[story]], vocabulary, 50)
    net = Mentions(config, data.sizes(vocabulary), Random(0, 1))
    (batch,) = batches(data, torch.arange(len(data)).view(1, 1, -1), net.sizes.ages)
    return net, vocabulary, batch, net.encode_data(data)


def test_the_same_story_with_other_names_has_the_same_answers():
    """Logits move with the names, lists of them too; those of other words stay."""
    story, other = told("mary", "john", "ann", "office", "garden"), told("john", "ann", "mary", "garden", "kitchen")
    change = {"mary": "john", "john": "ann", "ann": "mary", "office": "garden", "garden": "kitchen", "kitchen": "office"}
    net, vocabulary, batch, encoded = made(story)
    moved = [vocabulary.number[",".join(change.get(word, word) for word in entry.split(","))] for entry in vocabulary.entries]
    logits = net(batch, encoded).logits[0, :, 0, 0]
    _, _, batch, encoded = made(other)
    torch.testing.assert_close(net(batch, encoded).logits[0, :, 0, 0][:, moved], logits)
    told_apart = logits[:, [vocabulary.number[name] for name in ("office", "garden", "kitchen")]]
    assert (told_apart[:, 0] - told_apart[:, 1]).abs().min() > 1e-4, "where a name stands must make a difference"


def test_what_recurs_is_seen_and_where():
    """The elements of a story, and the codes of the biases between them, by hand."""
    net, vocabulary, batch, encoded = made(told("mary", "john", "ann", "office", "garden"))
    here = Mentioned.of(batch, batch.rows()[..., : batch.width], encoded)
    mary, john, ann, office, garden = (vocabulary.number[name] for name in ("mary", "john", "ann", "office", "garden"))
    said = [mary, office, john, garden, 0, mary, john, mary, ann, mary, 0]
    assert here.word[0, 0].tolist() == said
    assert here.statement[0, 0].tolist() == [0, 0, 1, 1, 2, 3, 3, 4, 4, 5, 5]
    assert here.which[0, 0].tolist() == [0, 1, 0, 1, 0, 0, 1, 0, 1, 0, 0]
    assert here.word[0, 1].tolist() == [mary, office, john, garden, 0, mary, john, john, 0, 0, 0]
    assert here.there[0, 1].tolist() == [True] * 8 + [False, False, True], "the question is last"
    with torch.no_grad():
        for table in (net.rank, net.distance, net.link):
            table.zero_()
        net.rank[0, :, 0] = torch.arange(9.0)
        net.distance[0, :, 1] = torch.arange(33.0)
        net.link[0, :, 2] = torch.arange(float(LINKS))
    bias = net.biases(here, here.same)[0, 0]
    assert bias[0, 0, 9].item() == 4 + 3, "mary is said three times after"
    assert bias[0, 9, 0].item() == 4 - 3
    assert bias[0, 0, 2].item() == 0, "mary is not john"
    assert bias[1, 0, 9].item() == 16 + 5
    assert [bias[2, 0, j].item() for j in (1, 6, 2)] == [1, 3, 0], "in one statement; in one with mary; in none"
    assert bias[2, 6, 0].item() == 2, "the statement of john says mary"
    assert bias[2, 0, 5].item() == 4


def test_without_biases_of_words_names_are_alike():
    story = told("mary", "john", "ann", "office", "garden")
    net, _, batch, encoded = made(story, override(SMALL, {"same_words": False, "distances": 0}))
    bias = net.elements(batch, encoded).bias
    together = Mentioned.of(batch, batch.rows()[..., : batch.width], encoded).together
    assert bias is not None
    assert bias[0, 0, 0][together[0, 0]].unique().numel() == 1
    assert bias[0, 0, 0][~together[0, 0]].unique().numel() == 1


@pytest.mark.parametrize("settings", [{"permute": True}, {"decoder": "words"}, {"elements": "words"}, {"noise": 0.1}])
def test_what_it_cannot_do_is_refused(settings):
    with pytest.raises(ConfigError):
        override(SMALL, settings)
