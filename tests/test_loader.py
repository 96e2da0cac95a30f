"""Networks on disk that are broken, foreign or hostile: one sentence, soon, and no memory taken for what is not there."""

import contextlib
import json
import os
import pickle
import shutil
import struct
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memnet.ask.predictor import Predictor
from memnet.config import override
from memnet.encode.examples import examples
from memnet.encode.saved import LONGEST
from memnet.encode.vocabulary import Vocabulary
from memnet.errors import AskError, NetworkError
from memnet.models import MODELS
from memnet.models.checkpoint import CONFIG, MODEL, load_network, save_network
from memnet.nn.random import Random
from tests.conftest import read_json, wander

FACTS = {"data": ["own/moves"], "hash": "0"}


def made(folder: Path, model: str = "memn2n", **changes: Any) -> Path:
    """A small network that learned nothing."""
    config = override(MODELS[model].Config(), {"dim": 16, **changes} if model != "baseline" else changes)
    vocabulary = Vocabulary.of(wander(1), by_word=config.decoder == "words")
    data = examples([wander(1)], vocabulary, config.memory_size)
    net = MODELS[model](config, MODELS[model].measure(config, data, vocabulary), Random(0, 1))
    save_network(folder, model, net, vocabulary, "card", FACTS)
    return folder


@pytest.fixture(scope="session")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("good") / "net")


def refused(folder: Path) -> str:
    """What is said of a network that cannot be had."""
    start = time.monotonic()
    with pytest.raises(NetworkError) as error:
        load_network(folder)
    assert time.monotonic() - start < 10
    said = str(error.value)
    assert said
    assert "\n" not in said
    return said


def changed(good: Path, folder: Path, **settings: Any) -> Path:
    """A copy with other settings."""
    shutil.copytree(good, folder)
    saved = read_json(folder / CONFIG)
    (folder / CONFIG).write_text(json.dumps(saved | settings))
    return folder


@pytest.mark.parametrize("model", MODELS)
def test_networks_of_every_kind_come_back(model: str, tmp_path: Path):
    load_network(made(tmp_path / "net", model))


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"dim": 4096, "hops": 64}, "does not hold the network"),
        ({"dim": 4096, "hops": 64, "vocabulary": ["<unk>", *map(str, range(1_000_000))]}, "does not hold the network"),
        ({"ages": 10**6, "memory_size": 10**6, "longest": 10**6}, "does not hold the network"),
        ({"dim": 10**30}, "dim must be"),
        ({"hops": -1}, "hops must be"),
        ({"init_std": 10**400}, "init_std must be a number, not 1000"),
        ({"init_std": 1e300}, None),
        ({"score": ["dot"]}, "score must be"),
        ({"vocabulary": []}, "a vocabulary starts with"),
        ({"vocabulary": "x" * LONGEST}, "more than 16,777,216 bytes"),
        *(({"temperature": value}, "temperature must be a number from") for value in (1e-300, 0, -1, 1e300, True, "1", None)),
        ({"data": []}, "data must be"),
        ({"data": None}, "data must be"),
        ({"format": 2}, "expected format 1"),
        ({"model": "oracle"}, "model is 'oracle', expected one of"),
        ({"model": []}, "model is"),
        ({"vocabulary": Vocabulary.of(wander(1)).entries[:-1]}, "does not hold the network"),
    ],
)
def test_absurd_settings(good: Path, settings: dict[str, Any], expected: str | None, tmp_path: Path):
    folder = changed(good, tmp_path / "net", **settings)
    if expected is None:  # what training alone looks at harms nobody
        load_network(folder)
    else:
        assert expected in refused(folder)


@pytest.mark.parametrize("content", ['{"architectures": ["BertModel"]}', '{"model": "memn2n", "dim'])
def test_configurations_of_something_else_and_halves(good: Path, content: str, tmp_path: Path):
    (changed(good, tmp_path / "net") / CONFIG).write_text(content)
    assert CONFIG in refused(tmp_path / "net")


LOAD = """
import os, pathlib, resource, sys
from memnet.errors import NetworkError
from memnet.models.checkpoint import load_network
for folder in sys.argv[1:]:
    if os.fork() == 0:  # each measures its own memory
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        try:
            load_network(pathlib.Path(folder))
            said = "loaded"
        except NetworkError:
            said = "refused"
        print(said, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, flush=True)
        os._exit(0)
    os.wait()
"""


@pytest.mark.skipif(os.name == "nt", reason="forks")
def test_memory_is_not_taken_for_what_a_configuration_claims(tmp_path: Path):
    vocabulary = ["<unk>", "<stop>", *map(str, range(200_000))]  # 3 GiB of weights
    folders = [
        str(changed(made(tmp_path / f"{model} good", model), tmp_path / model, dim=4096, vocabulary=vocabulary))
        for model in ("dmn", "transformer", "lstm", "memnn")
    ]
    done = subprocess.run([sys.executable, "-c", LOAD, *folders], capture_output=True, text=True, timeout=120)
    told = [line.split() for line in done.stdout.splitlines()]
    assert [said for said, _ in told] == ["refused"] * 4, done.stderr
    assert max(int(grown) for _, grown in told) < 700_000  # KiB


def test_files_that_are_no_weights(good: Path, tmp_path: Path):
    class Evil:
        def __reduce__(self) -> tuple[Any, ...]:
            return os.mkdir, (str(tmp_path / "evil"),)

    whole = (good / MODEL).read_bytes()
    length = struct.unpack("<Q", whole[:8])[0]
    header = json.loads(whole[8 : 8 + length])
    huge = {"embedding": {"dtype": "F32", "shape": [1, 1 << 20, 1 << 20], "data_offsets": [0, 1 << 42]}}
    sparse = json.dumps({"embedding": {"dtype": "F32", "shape": [1, 1 << 30], "data_offsets": [0, 1 << 32]}}).encode()
    cases = {
        "pickle": pickle.dumps(Evil()),
        "empty": b"",
        "no numbers": whole[:-4] + struct.pack("<f", float("nan")),
        "short": whole[: len(whole) // 2],
        "longer": whole + b"x",
        "header": struct.pack("<Q", 1 << 62) + whole[8:],
        "claims": struct.pack("<Q", len(json.dumps(huge))) + json.dumps(huge).encode(),
        "text": b"version https://git-lfs.github.com/spec/v1\n",
        "type": whole.replace(b'"F32"', b'"I32"'),
        "name": whole.replace(b'"embedding"', b'"embeddinG"'),
    }
    assert "embedding" in header
    for name, content in cases.items():
        folder = tmp_path / name
        shutil.copytree(good, folder)
        (folder / MODEL).write_bytes(content)
        assert MODEL in refused(folder)
    assert not (tmp_path / "evil").exists()
    shutil.copytree(good, tmp_path / "sparse")
    with open(tmp_path / "sparse" / MODEL, "wb") as file:
        file.write(struct.pack("<Q", len(sparse)) + sparse)
        file.truncate(8 + len(sparse) + (1 << 32))
    assert "the most of a network" in refused(tmp_path / "sparse")


@pytest.mark.parametrize("part", [CONFIG, MODEL])
def test_files_that_are_no_files(good: Path, part: str, tmp_path: Path):
    for kind in ("missing", "folder", "pipe", "device", "loop"):
        folder = tmp_path / kind
        shutil.copytree(good, folder)
        (folder / part).unlink()
        if kind == "folder":
            (folder / part).mkdir()
        elif kind == "pipe":
            os.mkfifo(folder / part)
        elif kind == "device":
            (folder / part).symlink_to("/dev/zero")
        elif kind == "loop":
            (folder / part).symlink_to(folder / part)
        assert part in refused(folder)


def mutated(whole: bytes, draw: Any) -> bytes:
    """Bytes with a few changed, cut out or put in."""
    content = bytearray(whole)
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.integers(0, max(0, len(content) - 1)))
        what = draw(st.sampled_from(["flip", "cut", "insert", "end"]))
        if what == "flip" and content:
            content[place] ^= draw(st.integers(1, 255))
        elif what == "cut":
            del content[place : place + draw(st.integers(1, 40))]
        elif what == "insert":
            content[place:place] = draw(st.binary(min_size=1, max_size=20))
        else:
            del content[place:]
    return bytes(content)


VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**20), 10**20),
    st.sampled_from([4096, 64, 10**6, 0, -1]),
    st.floats(allow_subnormal=False),
    st.text(max_size=10),
    st.lists(st.one_of(st.integers(-2, 10), st.text(max_size=3)), max_size=4),
    st.dictionaries(st.text(max_size=3), st.integers(), max_size=2),
)


def load_or_refuse(folder: Path) -> None:
    """A network that was changed is refused, or answers; nothing else."""
    start = time.monotonic()
    with contextlib.suppress(NetworkError):
        net, vocabulary, _ = load_network(folder)
        with contextlib.suppress(AskError):
            Predictor(net, vocabulary).ask(["Mary went to the kitchen."], "Where is Mary?")
    assert time.monotonic() - start < 20


def attempts(examples: int, good: Path, work: Path) -> None:
    """Many changed copies of a network."""
    saved, config, model = read_json(good / CONFIG), (good / CONFIG).read_bytes(), (good / MODEL).read_bytes()
    shutil.copytree(good, work)

    @settings(max_examples=examples, database=None)
    @given(st.data())
    def one(data: st.DataObject) -> None:
        kind = data.draw(st.sampled_from(["config", "weights", "header", "settings"]))
        (work / CONFIG).write_bytes(mutated(config, data.draw) if kind == "config" else config)
        (work / MODEL).write_bytes(mutated(model, data.draw) if kind == "weights" else model)
        if kind == "header":
            end = 8 + struct.unpack("<Q", model[:8])[0]
            (work / MODEL).write_bytes(mutated(model[:end], data.draw) + model[end:])
        if kind == "settings":
            some = data.draw(st.dictionaries(st.sampled_from(sorted(saved)), VALUES, min_size=1, max_size=3))
            (work / CONFIG).write_text(json.dumps(saved | some))
        load_or_refuse(work)

    one()


def test_changed_networks_are_refused_or_answer(good: Path, tmp_path: Path):
    attempts(100, good, tmp_path / "work")
