"""A network for relations as a folder: its configuration, its weights and its card."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING

from memnet.errors import NetworkError
from memnet.files import write_atomically, write_json, write_tensors
from memnet.memory.relations.in_numpy import RelationNetwork
from memnet.memory.relations.sizes import Sizes
from memnet.packing import read_weights
from memnet.reading.words import Words

if TYPE_CHECKING:
    from memnet.memory.relations.network import RelationNetwork as TrainedNetwork

FOLDER = Path(__file__).parent / "network"  # made by scripts/make_relations.py
CONFIG, MODEL, CARD = "config.json", "model.safetensors", "README.md"
NAME, FORMAT = "relations", 1
TEXT = """---
library_name: memnet
license: mit
---

# A reader of relations

Reads what single sentences say of a name ("The landlord of flat 3 is Mr Osei.") and answers questions of one to four such
relations, hop by hop; the newest of facts that contradict each other counts. It knows words by vectors (GloVe) and names by
their place alone.

Trained in {steps:,} steps on sentences and questions with made-up names: relations of MQuAKE (templates: MIT){but}, everyday
ones, and invented ones of any noun and verb. `python scripts/make_relations.py --measure` prints how often it is right.
"""


def relations_card(steps: int, left_out: Sequence[str]) -> str:
    """The card of a network that was trained so, but for some relations."""
    return TEXT.format(steps=steps, but=f" but {', '.join(left_out)}" if left_out else "")


def save(net: TrainedNetwork, folder: Path, card: str, facts: Mapping[str, object]) -> None:
    """A network as a folder, with ``facts`` of its training."""
    folder.mkdir(parents=True, exist_ok=True)
    write_tensors(folder / MODEL, net.state_dict())
    write_json(folder / CONFIG, {"format": FORMAT, "model": NAME, **net.sizes.as_dict(), **facts})
    write_atomically(folder / CARD, card)


def load(folder: Path) -> RelationNetwork:
    """A saved one, to answer with. Raises :class:`~memnet.errors.NetworkError`."""
    try:
        saved = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
        if saved["format"] != FORMAT or saved["model"] != NAME:
            raise ValueError(f"{folder / CONFIG} is of something else")
        sizes = Sizes(**{one.name: saved[one.name] for one in fields(Sizes)})
        weights = {name: value[0] for name, value in read_weights(folder / MODEL).items()}
        return RelationNetwork(sizes, Words.load().vectors, weights)
    except (OSError, KeyError, TypeError, ValueError, IndexError) as error:
        raise NetworkError(f"{folder} holds no reader of relations that can be read: {error}") from error
