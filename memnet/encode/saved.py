"""The configuration of a trained network as its folder has it: what is read of it without torch, and what is refused."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from memnet.encode.normalizers import saved_normalizer
from memnet.encode.sentences import Sizes
from memnet.encode.vocabulary import OpenVocabulary, Vocabulary
from memnet.errors import NetworkError

FORMAT = 1
LONGEST = 16 << 20  # bytes of a configuration
COLDEST, HOTTEST = 1e-6, 1e6  # scores over a temperature stay numbers
MODEL, CONFIG, CARD = "model.safetensors", "config.json", "README.md"
EXAMPLES_FILE = "examples.json"  # in a run's folder; it is not part of the network, and goes nowhere with it
LONGEST_CARD = 1_000_000  # bytes
FACTS = ("data", "hash", "preset", "seed", "replica", "restarts", "errors", "always_told", "longest_story")
CALIBRATION = ("temperature", "calibrated_on")  # of its probabilities
ERRORS = {"data", "train", "validation", "test"}  # of each data set, in percent
ORIGIN = ("started_from",)  # the weights that its training started from, where it did
HASH = 12  # digits of the SHA-256 of the weights that name a network


def read_config(path: Path) -> dict[str, Any]:
    """What a network's configuration says. Raises :class:`NetworkError`."""
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
    return saved


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
        return OpenVocabulary(entries, answer, entities, names, told, str(saved.get("marker_order", "drawn")))
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
    sizes = Sizes(len(vocabulary), **numbers, grams=found, entities=len(vocabulary.markers), answers=tuple(answers))
    return vocabulary, sizes._replace(groups=vocabulary.groups, lists=vocabulary.lists)


def weights_hash(folder: Path) -> str:
    """The beginning of the SHA-256 of a network's weights. Raises :class:`NetworkError` where there are none."""
    if not (folder / MODEL).is_file():
        raise NetworkError(f"{folder / MODEL} is missing, {folder} holds no trained network")
    return hashlib.sha256((folder / MODEL).read_bytes()).hexdigest()[:HASH]
