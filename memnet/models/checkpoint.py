"""A trained network as a folder: config.json, model.safetensors and its card."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from memnet.config import Training, override
from memnet.config.settings import settings_of
from memnet.encode.examples import Sizes
from memnet.encode.normalizers import saved_normalizer
from memnet.encode.vocabulary import OpenVocabulary, Vocabulary
from memnet.errors import ConfigError, NetworkError
from memnet.files import read_shapes, read_tensors, write_atomically, write_json, write_tensors
from memnet.models import MODELS, Network
from memnet.nn.random import MetaInit
from memnet.tasks.families.old_names import modern

FORMAT = 1
LONGEST = 16 << 20  # bytes of a configuration
COLDEST, HOTTEST = 1e-6, 1e6  # scores over a temperature stay numbers
LARGEST = 1 << 27  # numbers of a network
MODEL, CONFIG, CARD = "model.safetensors", "config.json", "README.md"
LONGEST_CARD = 1_000_000  # bytes
FACTS = ("data", "hash", "preset", "seed", "replica", "restarts", "errors", "always_told", "longest_story")
CALIBRATION = ("temperature", "calibrated_on")  # of its probabilities
ERRORS = {"data", "train", "validation", "test"}  # of each data set, in percent
ORIGIN = ("started_from",)  # the weights that its training started from, where it did


def save_network(folder: Path, model: str, net: Network, vocabulary: Vocabulary, card: str, facts: Mapping[str, Any]) -> None:
    """One network (R = 1) as a folder: flat ``config.json``, ``model.safetensors`` and a model card."""
    folder.mkdir(parents=True, exist_ok=True)
    config = {
        "format": FORMAT,
        "model": model,
        **dataclasses.asdict(net.config),
        **{name: value for name, value in net.sizes._asdict().items() if name != "vocabulary"},
        **facts,
        **vocabulary.saved(),
    }
    write_tensors(folder / MODEL, net.state_dict())
    write_json(folder / CONFIG, config)
    write_atomically(folder / CARD, card)


def load_network(folder: Path) -> tuple[Network, Vocabulary, dict[str, Any]]:
    """A saved network, its vocabulary and its whole configuration. Raises :class:`NetworkError`."""
    path = folder / CONFIG
    if not folder.is_dir():
        raise NetworkError(f"{folder} is no folder; expected one made by 'memnet train'")
    saved = read_config(path)
    model = MODELS[saved["model"]]
    try:
        kind, saved = model.Config, modern(saved)
        config = override(kind(), {field.name: saved[field.name] for field in dataclasses.fields(kind) if field.name in saved})
        vocabulary, sizes = saved_sizes(saved, config.memory_size)
        check_facts(saved)
    except KeyError as error:
        raise NetworkError(f"{path} lacks {error.args[0]!r}") from error
    except (ConfigError, ValueError) as error:
        raise NetworkError(f"{path}: {error}{of_a_plugin(model, saved)}") from error
    return with_weights(folder, model, config, sizes), vocabulary, saved


def read_config(path: Path) -> dict[str, Any]:
    """What a network's configuration says, of a model that is known. Raises :class:`NetworkError`."""
    try:
        if path.exists() and not path.is_file():
            raise NetworkError(f"{path} is no file")
        if path.stat().st_size > LONGEST:
            raise NetworkError(f"{path} has more than {LONGEST:,} bytes; a network's configuration is shorter")
        saved = json.loads(path.read_text(encoding="utf-8"))
    except NetworkError:
        raise
    except FileNotFoundError as error:
        unfinished = (path.parent / "run.json").exists()
        why = ": its run is not finished, go on with memnet train --resume" if unfinished else ""
        raise NetworkError(f"{path} is missing, {path.parent} holds no trained network{why}") from error
    except OSError as error:
        raise NetworkError(f"{path} cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise NetworkError(f"{path} is not JSON: {error}") from error
    if not isinstance(saved, dict) or saved.get("format") != FORMAT:
        raise NetworkError(f"{path} is not the configuration of a network (expected format {FORMAT})")
    if not isinstance(saved.get("model"), str) or saved["model"] not in MODELS:
        raise NetworkError(
            f"{path}: model is {saved.get('model')!r}, expected one of {', '.join(MODELS)}; one of a plugin needs "
            "memnet --plugin FILE"
        )
    return saved


def with_weights(folder: Path, model: type[Network], config: Training, sizes: Sizes) -> Network:
    """The network with the weights in its folder. Raises :class:`NetworkError`."""
    path, weights = folder / CONFIG, folder / MODEL
    found = read_shapes(weights)  # what does not fit is refused before memory is taken for it
    if sum(math.prod(shape) for _, shape in found.values()) > LARGEST:
        raise NetworkError(f"{weights} holds more than {LARGEST:,} numbers, the most of a network")
    try:
        net = model(config, sizes, MetaInit())
    except RuntimeError as error:  # sizes whose product is no number any more
        raise NetworkError(f"{path} describes a network that is too large") from error
    if found != {name: ("F32", tuple(value.shape)) for name, value in net.state_dict().items()}:
        raise NetworkError(f"{weights} does not hold the network that {path} describes")
    tensors, _ = read_tensors(weights)
    if not all(bool(torch.stack(value.aminmax()).isfinite().all()) for value in tensors.values() if value.numel()):
        raise NetworkError(f"{weights} holds numbers that are not finite")
    net.load_state_dict(tensors, assign=True)
    return net.eval()


def check_facts(saved: Mapping[str, Any]) -> None:
    """Raise ValueError where a configuration does not say what was learned, how well, and how sure the network may be."""
    json.dumps(saved, ensure_ascii=False).encode()
    data = saved.get("data")
    if not (isinstance(data, list) and data and all(isinstance(name, str) for name in data)):
        raise ValueError("data must be a list of names")
    temperature = saved.get("temperature", 1.0)
    if type(temperature) not in (int, float) or not COLDEST <= temperature <= HOTTEST:
        raise ValueError(f"temperature must be a number from {COLDEST:g} to {HOTTEST:g}")
    longest = saved.get("longest_story", 0)
    if type(longest) is not int or longest < 0:
        raise ValueError("longest_story must be a number of statements")
    check_errors(saved.get("errors", []))


def check_errors(errors: object) -> None:
    """Raise ValueError where these are not the errors of a network, in percent, a row a data set."""
    for row in errors if isinstance(errors, list) else [errors]:
        if not isinstance(row, dict) or row.keys() != ERRORS or not isinstance(row["data"], str):
            raise ValueError(f"errors must be a list of rows with {', '.join(sorted(ERRORS))}")
        for part in ERRORS - {"data"}:
            if not (row[part] is None or (type(row[part]) in (int, float) and 0 <= row[part] <= 100)):
                raise ValueError(f"errors must be percentages, not {row[part]!r}")


def of_a_plugin(model: type[Network], saved: Mapping[str, Any]) -> str:
    """What to do where a saved score, alignment or read has a name that nobody here knows: a plugin may."""
    rules = {name: setting.rule for name, setting in settings_of(model.Config).items() if name in ("score", "align", "read")}
    unknown = [name for name, rule in rules.items() if name in saved and rule is not None and saved[name] not in rule]
    return "; one of a plugin needs memnet --plugin FILE" if unknown else ""


def read_card(folder: Path) -> str | None:
    """The model card in a network's folder, None where there is none. Raises :class:`NetworkError`."""
    path = folder / CARD
    try:
        if path.exists() and not path.is_file():
            raise NetworkError(f"{path} is no file")
        if path.exists() and path.stat().st_size > LONGEST_CARD:
            raise NetworkError(f"{path} is larger than {LONGEST_CARD:,} bytes: it is no model card")
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise NetworkError(f"{folder / CARD} cannot be read: {error}") from error


def saved_vocabulary(saved: Mapping[str, Any], entries: list[str], answer: int) -> Vocabulary:
    """The vocabulary in a saved configuration. Raises ValueError."""
    entities, names = saved.get("entities", 0), saved.get("names", [])
    if type(entities) is not int or not 0 <= entities <= len(entries):
        raise ValueError("entities must be a whole number, less than the entries of the vocabulary")
    if not (isinstance(names, list) and all(isinstance(name, str) for name in names)):
        raise ValueError("names must be a list of words")
    kinds = saved.get("kinds", {})
    if not (isinstance(kinds, dict) and all(isinstance(found, list) for found in kinds.values())):
        raise ValueError("kinds must name lists of answers")
    if not all(isinstance(entry, str) for found in kinds.values() for entry in found):
        raise ValueError("kinds must name lists of words")
    told = {kind: frozenset(found) for kind, found in kinds.items()}
    if entities:
        return OpenVocabulary(entries, answer, entities, names, told)
    return Vocabulary(entries, answer, told, saved_normalizer(saved))


def saved_sizes(saved: Mapping[str, Any], memory_size: int) -> tuple[Vocabulary, Sizes]:
    """The vocabulary and the sizes in a saved configuration. Raises KeyError or ValueError."""
    entries = saved["vocabulary"]
    if not (isinstance(entries, list) and all(isinstance(entry, str) for entry in entries)):
        raise ValueError("vocabulary must be a list of words")
    bounds = {"ages": (1, memory_size), "longest": (1, 10**6), "answer": (1, 1000), "listed": (0, 10**6)}
    numbers = {"answer": 1, "listed": 0} | {
        name: saved[name] for name in bounds if name in saved or name in ("ages", "longest")
    }
    for name, (least, most) in bounds.items():
        if type(numbers[name]) is not int or not least <= numbers[name] <= most:
            raise ValueError(f"{name} must be a whole number from {least} to {most}")
    grams = saved.get("grams", [])
    if not (isinstance(grams, list) and all(isinstance(gram, list) and all(type(n) is int for n in gram) for gram in grams)):
        raise ValueError("grams must be a list of lists of word numbers")
    if len({tuple(gram) for gram in grams}) != len(grams):
        raise ValueError("grams must name every n-gram once")
    answers = saved.get("answers", [])
    if not (isinstance(answers, list) and all(type(entry) is int and 0 <= entry < len(entries) for entry in answers)):
        raise ValueError("answers must be a list of numbers of words")
    vocabulary = saved_vocabulary(saved, entries, numbers["answer"])
    found = tuple(tuple(gram) for gram in grams)
    return vocabulary, Sizes(len(vocabulary), **numbers, grams=found, entities=len(vocabulary.markers), answers=tuple(answers))
