"""What a question leads to is the same whether statements are listed or looked up."""

from pathlib import Path
from random import Random

import pytest

from memnet.memory import hops, long_memory
from memnet.memory.long_memory import LongMemory
from memnet.models.retriever import RetrieverConfig
from tests.memory.test_long_memory import ByWord

NAMES = [
    "Mary",
    "John",
    "Anna",
    "Bob",
    "mouse",
    "mice",
    "wolves",
    "wolf",
    "kitchen",
    "hall",
    "attic",
    "o'brien",
    "merry-go-round",
]


class Keeping(ByWord):
    """Reads at most some statements."""

    def __init__(self, keep: int) -> None:
        super().__init__()
        self.config = RetrieverConfig(keep=keep)
        self.number = {
            word: place
            for place, word in enumerate(
                ["to", "went", "the", "where", "is", "she", "he", "they", "then", "after", "that", "knew"], 4
            )
        }


def text(draw: Random) -> list[str]:
    """Statements, of which some go on from others, and sentences between them."""
    forms = [
        "{0} went to the {1}.",
        "She went to the {1}.",
        "Then he went to the {1}.",
        "The {0} knew.",
        "{0} went to the {2}.",
    ]
    forms += ["After that they went to the {1}.", "{0}'s {1} went to the {2}."]
    return [
        draw.choice(forms).format(*draw.choices(NAMES, k=2), f"yard{draw.randrange(20)}") for _ in range(draw.randrange(1, 60))
    ]


@pytest.mark.parametrize("keep", [1, 3, 500])
def test_what_is_looked_up_is_what_a_list_gives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, keep: int) -> None:
    some = 0
    for seed in range(10):
        draw = Random(f"{keep} {seed}")
        memory = LongMemory(tmp_path / str(seed), Keeping(keep), "by word")
        list(memory.remember([f"{one}\n\n" for one in text(draw)]))
        for story in ((), ("Mary went to the quay.", "She went to the barn.", "Bob knew.")):
            for name in draw.sample([*NAMES, "Eve", "quay"], 4):
                found = {}
                for listed in (0, 10**9):
                    for module in (hops, long_memory):
                        monkeypatch.setattr(module, "LISTED", listed)
                    found[listed] = memory.about(f"Where is {name}?", story)
                assert found[0] == found[10**9], (seed, name, story)
                some += 0 < len(found[0]) < len(memory.kept())
    assert some > 10
