"""A reader so small that tests train it, and stories as it sees them."""

from __future__ import annotations

import torch

from memnet.reading.kinds import ReaderConfig
from memnet.reading.network import Reader
from memnet.reading.tokens import Encoded, encode
from memnet.reading.words import Words
from memnet.tasks.world import split

TOLD = ["Ann took the lamp.", "She went to the attic.", "Bob has a suitcase."]
SMALL = ReaderConfig(dim=16, heads=2, layers=3, hops=1, hidden=16, marker_dim=8, pointer_dim=8, phrase_dim=4)


def reader(words: Words, seed: int = 0) -> Reader:
    """One that was not trained."""
    torch.manual_seed(seed)
    return Reader(SMALL, words.vectors)


def told(words: Words, story: list[str], *asked: str) -> Encoded:
    """A story with questions at its end."""
    return encode([split(text) for text in story], [(split(text), len(story)) for text in asked], words)
