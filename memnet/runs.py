"""Runs as data: from a spec to a trained network's folder and to rows of ``results/runs.csv``."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

import memnet
from memnet.checkpoint import CARD, CONFIG, MODEL, save_network, write_json
from memnet.config import RULES, BaselineConfig, ConfigError, Training, model_of
from memnet.presets import PRESETS
from memnet.records import IDENTITY
from memnet.tasks.published import Task
from memnet.train import (
    CHECKPOINT,
    BusyError,
    DataSet,
    Progress,
    Result,
    Spec,
    TrainingError,
    mean_error,
    one_source,
    train,
    versions,
)

WHAT = {
    "memn2n": "An end-to-end memory network",
    "memnn": "A strongly supervised memory network",
    "dmn": "A dynamic memory network",
    "baseline": "A linear classifier, no memory network,",
    "transformer": "A Transformer",
    "lstm": "An LSTM encoder and decoder",
}
RUN, LOCK = "run.json", ".lock"
FILES = (RUN, CONFIG, MODEL, CARD, CHECKPOINT)
LEARNING = (
    "attention",
    "models",
    "batch.py",
    "decode.py",
    "encode.py",
    "evaluate.py",
    "exchange.py",
    "recurrence.py",
    "vectors.py",
    "replicated.py",
    "supervision.py",
    "train.py",
    "tasks/alike.py",
    "tasks/text.py",
)


@cache
def code_hash() -> str:
    """Of the source that decides what is learned, so that a row can be held against the code that made it."""
    root = Path(memnet.__file__).parent
    digest = hashlib.sha256()
    for name in LEARNING:
        path = root / name
        if not path.exists():  # a checkout has tasks/ beside memnet/
            path = root.parent / name
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            digest.update(file.read_bytes())
    return digest.hexdigest()[:12]


def settings(spec: Spec) -> str:
    """How a run's configuration differs from its preset, as ``key=value key=value``."""
    return setting_changes(spec.preset, spec.config)


def setting_changes(preset: str, config: Training) -> str:
    """How a configuration differs from a preset, as ``key=value key=value``."""
    ours, theirs = vars(config), vars(PRESETS[preset])
    return " ".join(f"{name}={value}" for name, value in ours.items() if theirs[name] != value)


def config_hash(config: Training) -> str:
    """Of every field that is not as the model's configuration has it by default: a new setting changes no old hash."""
    changed = {
        field.name: getattr(config, field.name) for field in fields(config) if getattr(config, field.name) != field.default
    }
    return hashlib.sha256(json.dumps(changed, sort_keys=True).encode()).hexdigest()[:8]


def identity(spec: Spec) -> tuple[str, ...]:
    """The values of the :data:`IDENTITY` columns."""
    hashed = hashlib.sha256(spec.data_hash.encode()).hexdigest()[:12] if len(spec.tasks) > 1 else spec.data_hash
    parts = (spec.model, spec.preset, settings(spec), config_hash(spec.config), " ".join(spec.tasks), spec.size)
    return (*parts, spec.variant, spec.source, hashed, str(spec.seed), str(spec.restarts))


def rows(spec: Spec, run: dict[str, Any]) -> list[dict[str, str]]:
    """One row a trained network, from a run's ``run.json``; a joint network's errors stand in the order of its tasks."""

    def said(value: Any) -> str:
        if isinstance(value, list):
            return "/".join(map(said, value)) or "-"
        return "-" if value is None else f"{value:g}"

    def listed(row: dict[str, Any], name: str) -> str:
        return " ".join(said(task.get(name)) for task in row["tasks"].values())

    return [
        {
            **dict(zip(IDENTITY, identity(spec), strict=True)),
            "replica": str(row["replica"]),
            "selection": spec.config.selection,
            "chosen": str(int(row["chosen"])),
            **{f"{part}_error": listed(row, f"{part}_error") for part in ("train", "validation", "test")},
            **{name: listed(row, name) for name in ("fact_precision", "fact_recall", "fact_exact", "fact_hops", "heads_alike")},
            "epochs": str(row["epochs"]),
            "stopped": str(row["stopped_epoch"]),
            "seconds": f"{run['seconds'] / spec.restarts:.2f}",
            **run["versions"],
        }
        for row in run["replicas"]
    ]


def specify(
    tasks: Sequence[Task], preset: str, config: Training, size: str, variant: str, seed: int, restarts: int | None = None
) -> Spec:
    """A run's spec. The size of one's own tasks is their number of training questions."""
    names, hashes = tuple(task.name for task in tasks), "+".join(task.hash for task in tasks)
    source = one_source(tasks)
    if source == "own":
        size, variant = str(sum(len(story.questions) for task in tasks for story in task.train)), "own"
    if restarts is None:
        restarts = config.default_restarts
    elif restarts > 1 and isinstance(config, BaselineConfig):
        raise ConfigError("a baseline draws nothing, so every restart would be the same; leave --restarts out")
    model, story_seed = model_of(config), tasks[0].story_seed
    return Spec(names, preset, config, size, variant, source, hashes, seed, restarts, model, story_seed)


def default_folder(spec: Spec) -> Path:
    """``runs/qa1-pe-ls-rn-1k-seed0`` and the like."""
    parts = [spec.what, spec.preset, *settings(spec).split(), spec.size]
    parts += [spec.variant] if spec.variant not in ("en", "own") else []
    parts += [spec.source] if spec.source not in ("published", "own") else []
    parts += [f"stories{spec.story_seed}"] if spec.story_seed else []
    parts += [f"{spec.restarts}x"] if spec.restarts != spec.config.default_restarts else []
    return Path("runs") / re.sub(r"[^\w.=+-]", "_", "-".join([*parts, f"seed{spec.seed}"]))


@contextmanager
def opened(folder: Path, spec: Spec, resume: bool) -> Iterator[dict[str, Any] | None]:
    """Make or re-enter a run's folder and hold it; what ``run.json`` says where the run is finished, else None.

    Raises :class:`TrainingError` where the folder holds something else, a run while ``resume`` is
    False, or another process's training.
    """
    if folder.exists() and not folder.is_dir():
        raise TrainingError(f"{folder} is a file; choose another --out")
    if resume and not folder.is_dir():
        raise TrainingError(f"{folder} does not exist, there is nothing to resume; leave --resume out")
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / RUN).exists() and any(other.name != LOCK and other not in leftovers(folder) for other in folder.iterdir()):
        raise TrainingError(f"{folder} holds other files; choose another --out")
    lock = FileLock(folder / LOCK, timeout=0)
    try:
        lock.acquire()
    except Timeout as error:
        raise BusyError(f"another process is training in {folder}") from error
    try:
        yield entered(folder, spec, resume)
    finally:
        lock.release()


def leftovers(folder: Path) -> list[Path]:
    """What a killed process was writing in a run's folder."""
    return [part for name in FILES for part in folder.glob(f".{name}.*.tmp")]


def entered(folder: Path, spec: Spec, resume: bool) -> dict[str, Any] | None:
    """See :func:`opened`."""
    path = folder / RUN
    if not path.exists():
        write_json(path, {"spec": spec.flat()})
    elif not resume:
        raise TrainingError(f"{folder} holds a run already; go on with --resume, or choose another --out")
    try:
        saved = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise TrainingError(f"{path} cannot be read ({error}); choose another --out") from error
    if not isinstance(saved, dict) or saved.get("spec") != json.loads(json.dumps(spec.flat())):
        raise TrainingError(f"{folder} holds another run (its tasks, data, settings or seed differ); choose another --out")
    for part in leftovers(folder):
        part.unlink(missing_ok=True)
    return saved if "replicas" in saved else None


def execute(
    spec: Spec,
    data: DataSet,
    folder: Path,
    device: str = "cpu",
    progress: Progress | None = None,
    every: float = 5.0,
) -> dict[str, Any]:
    """Train in a folder that is :func:`opened`, leave the chosen network and its card there; what ``run.json`` says."""
    code = code_hash()  # of what runs now, whatever becomes of the files meanwhile
    result = train(spec, data, folder, resume=True, device=device, progress=progress, every=every)
    run = {
        "spec": spec.flat(),
        "versions": {"code": code, **versions(device)},
        "seconds": round(result.seconds, 3),
        "chosen": result.chosen,
        "facts": unusable_facts(spec, data),
        "replicas": result.rows,
    }
    facts = {
        "tasks": list(spec.tasks),
        "preset": spec.preset,
        "size": spec.size,
        "variant": spec.variant,
        "source": spec.source,
        "data_hash": spec.data_hash,
        "story_seed": spec.story_seed,
        "seed": spec.seed,
        "replica": result.chosen,
        "restarts": spec.restarts,
    }
    save_network(folder, spec.model, result.net.cpu().replica(result.chosen), data.vocabulary, card(spec, result, data), facts)
    write_json(folder / RUN, run)
    (folder / CHECKPOINT).unlink(missing_ok=True)
    return run


def unusable_facts(spec: Spec, data: DataSet) -> str:
    """Which training questions have supporting facts that cannot be learned from as they are told, empty where none has."""
    counts = data.facts
    if spec.config.supervision != "facts" or not (counts.missing or counts.many or counts.beyond):
        return ""
    then = "the first are learned" if spec.model == "memnn" else "each hop may read any of them"
    return (
        f"supporting facts of {counts.questions} training questions: {counts.missing} list none, {counts.many} more than there "
        f"are hops ({then}), {counts.beyond} some that the memory no longer holds; those of {counts.told} are learned from"
    )


def cell(value: float | None, digits: int = 1) -> str:
    """A number of a card's table, or nothing."""
    return "" if value is None else f"{value:.{digits}f}"


def card(spec: Spec, result: Result, data: DataSet) -> str:
    """The model card: what the network is, its data, its errors, its use and its limits."""
    chosen = result.rows[result.chosen]
    table = "\n".join(
        f"| {name} | {cell(task['train_error'])} | {cell(task['validation_error'])} | {cell(task['test_error'])} "
        f"| {cell(task['fact_recall'], 3)} |"
        for name, task in chosen["tasks"].items()
    )
    means = sorted(mean_error(row, "test") for row in result.rows if row["tasks"])
    rule = RULES[spec.config.selection]
    stories = f" (stories {spec.story_seed})" if spec.story_seed else ""
    extra = f", changed: {settings(spec)}" if settings(spec) else ""
    said = unusable_facts(spec, data)
    facts = f"\n- {said}" if said else ""
    moved = f"\n- words that changed places in training: {data.exchange.told()}" if data.exchange else ""
    return f"""---
library_name: memnet-qa
tags: [question-answering, memory-network, babi]
---
# {spec.model}, {spec.preset}: {", ".join(spec.tasks)}

{WHAT[spec.model]} that answers questions about a story of short sentences, made with memnet {memnet.__version__}.

- data: {spec.source} text{stories}, {spec.size}, {spec.variant}, hash {spec.data_hash}
- preset `{spec.preset}`{extra}, seed {spec.seed}
- replica {result.chosen} of {spec.restarts}, chosen by the lowest {rule} error; the test set chose nothing
- mean test error of the {len(means)} that were trained to the end: {means[0]:.1f} to {means[-1]:.1f} %{facts}{moved}

| task | train error % | validation error % | test error % | fact recall |
| --- | --- | --- | --- | --- |
{table}

Use: `memnet ask FOLDER`, `memnet eval FOLDER`. Limits: it knows the words and the kind of story that it was trained on,
remembers the {spec.config.capacity} most recent sentences, and answers with a word of its training text.
"""
