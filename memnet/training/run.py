"""Runs as data: from a spec to a trained network's folder and to rows of ``results/runs.csv``."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any

from memnet.encode.batch import batches
from memnet.encode.forms import FOLDER, FORMS
from memnet.encode.saved import EXAMPLES_FILE
from memnet.encode.vectors import read_vectors
from memnet.errors import BusyError, DivergedError, TrainingError, counted
from memnet.files import leftovers, write_json
from memnet.locks import locked
from memnet.models.checkpoint import CARD, CONFIG, MODEL, save_network
from memnet.nn.random import MetaInit
from memnet.record.runs import IDENTITY
from memnet.tasks.families import FAMILIES, Task
from memnet.tasks.families.old_names import modern
from memnet.tasks.families.remarks import remarks as remarks_on
from memnet.tasks.text import one_line
from memnet.training.calibrate import temperature
from memnet.training.card import card, unusable_facts
from memnet.training.dataset import DataSet
from memnet.training.fused import shortcut
from memnet.training.held_out import keep_examples
from memnet.training.inputs import Inputs
from memnet.training.limits import truncation
from memnet.training.loop import Progress, Watch, make_networks, train_networks
from memnet.training.makers import begun
from memnet.training.memory import check_memory
from memnet.training.result import PARTS
from memnet.training.spec import Spec, identity
from memnet.training.state import CHECKPOINT, METRICS

RUN, LOCK, DIVERGED = "run.json", ".lock", "diverged.jsonl"  # the last: metrics of a training that came to nothing
FILES = (RUN, CONFIG, MODEL, CARD, CHECKPOINT, EXAMPLES_FILE, f"{FOLDER}/{FORMS}")


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
            **{name: parts_of([task.get(name) for task in row["tasks"].values()]) for name in ("splits", "kinds")},
            **{
                name: listed(row, name)
                for name in ("fact_precision", "fact_recall", "fact_exact", "fact_hops", "head_similarity")
            },
            "epochs": str(row["epochs"]),
            "stopped": str(row["stopped_epoch"]),
            "seconds": f"{run['seconds'] / spec.restarts:.2f}",
            **run["versions"],
        }
        for row in run["replicas"]
    ]


def parts_of(tasks: Sequence[Mapping[str, float] | None]) -> str:
    """The errors of splits or kinds in a row of the record, by data set, as ``near=1.5;far=20 -``; empty where none has any."""
    cells = (";".join(f"{name.replace(' ', '_')}={error:g}" for name, error in (found or {}).items()) for found in tasks)
    return " ".join(cell or "-" for cell in cells) if any(tasks) else ""


@contextmanager
def opened(folder: Path, spec: Spec, resume: bool | None) -> Iterator[dict[str, Any] | None]:
    """Make or re-enter a run's folder and hold it; what ``run.json`` says where the run is finished, else None.

    ``resume`` is None where either will do: another process may make the folder at any moment. Raises :class:`TrainingError`
    where the folder holds something else, a run while ``resume`` is False, or another process's training.
    """
    try:
        str(folder).encode()
    except UnicodeEncodeError as error:
        raise TrainingError(f"{one_line(str(folder))} is no name in UTF-8; choose another --out") from error
    if folder.exists() and not folder.is_dir():
        raise TrainingError(f"{folder} is a file; choose another --out")
    if resume and not folder.is_dir():
        raise TrainingError(f"{folder} does not exist, there is nothing to resume; leave --resume out")
    folder.mkdir(parents=True, exist_ok=True)
    names = {path.name for path in folder.iterdir()} - {LOCK, DIVERGED, *(part.name for part in unfinished(folder))}
    if names and RUN not in names:
        raise TrainingError(f"{folder} holds other files; choose another --out")
    with locked(folder / LOCK, f"another process is training in {folder}"):
        yield entered(folder, spec, resume)


@contextmanager
def cleared(folder: Path) -> Iterator[None]:
    """Leave no run in a folder where no replica stays finite, so that one with other settings may follow; the metrics stay.

    Raises :class:`~memnet.errors.DivergedError`, which names the file of the metrics.
    """
    try:
        yield
    except DivergedError as error:
        (folder / METRICS).replace(folder / DIVERGED)
        for name in (RUN, CHECKPOINT, EXAMPLES_FILE):
            (folder / name).unlink(missing_ok=True)
        raise DivergedError(f"{error}; the metrics are in {folder / DIVERGED}") from error


def is_held(folder: Path) -> bool:
    """Whether another process is training in a run's folder."""
    if not (folder / LOCK).exists():
        return False
    try:
        with locked(folder / LOCK, "it is held"):
            return False
    except BusyError:
        return True


def unfinished(folder: Path) -> list[Path]:
    """What a killed process was writing in a run's folder."""
    return [part for name in FILES for part in leftovers(folder / name)]


def entered(folder: Path, spec: Spec, resume: bool | None) -> dict[str, Any] | None:
    """See :func:`opened`."""
    path = folder / RUN
    if not path.exists():
        write_json(path, {"spec": spec.flat()})
    elif resume is False:
        raise TrainingError(f"{folder} holds a run already; go on with --resume, or choose another --out")
    try:
        saved = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise TrainingError(f"{path} cannot be read ({error}); remove the folder, or choose another") from error
    if not isinstance(saved, dict) or not is_of(saved.get("spec"), spec):
        raise TrainingError(f"{folder} holds another run (its data, settings or seed differ); choose another --out")
    for part in unfinished(folder):
        part.unlink(missing_ok=True)
    if "replicas" not in saved:
        return None
    (folder / CHECKPOINT).unlink(missing_ok=True)  # of a process that was killed after its last epoch
    return saved


def is_of(saved: Any, spec: Spec) -> bool:
    """Whether a saved spec is this one; a setting that is newer than the folder had its default value then."""
    if not isinstance(saved, dict) or not isinstance(saved.get("config"), dict):
        return False
    defaults = {setting.name: setting.default for setting in fields(spec.config)}
    wanted: dict[str, Any] = json.loads(json.dumps(spec.flat()))
    try:
        saved = modern(saved)
    except (KeyError, TypeError, ValueError):
        return False
    return {**saved, "config": {**defaults, **saved["config"]}} == wanted


def make_run(
    spec: Spec,
    tasks: Sequence[Task],
    folder: Path,
    resume: bool | None = False,
    device: str = "cpu",
    inputs: Inputs | None = None,
    progress: Progress | None = None,
    every: float = 5.0,
    tell: Callable[[str], None] | None = None,
    watch: Watch | None = None,
) -> tuple[dict[str, Any], bool]:
    """The one place that makes a run: from its spec and stories to its folder; what ``run.json`` says.

    And whether it was made now, or found finished. ``inputs`` are those that the spec was made with. What is wrong with the
    data is found before a folder is made; ``tell`` gets a sentence for whatever a person should know of it,
    and ``watch`` the networks after each epoch. Raises
    :class:`TrainingError` and :class:`ConfigError`.
    """
    tell = tell or (lambda sentence: None)
    inputs = inputs or Inputs()
    inputs.check(spec.config)
    data = DataSet.of(tasks, spec.config, inputs.given_names, inputs.begun(spec.config))
    check_exact_gradient(spec, data)
    if much := check_memory(spec, data, device):
        tell(f"{spec.what}: {much}")
    if (vectors := inputs.vectors) is not None:
        found = read_vectors(vectors, data.vocabulary, spec.config.dim)
        data = replace(data, vectors=found)
        tell(
            f"{spec.what}: {int(found.known.sum())} of the {len(data.vocabulary)} words that it learns from have vectors in "
            f"{vectors}"
        )
    with opened(folder, spec, resume) as finished:
        if finished:
            return finished, False
        for task in tasks:
            for sentence in remarks_on(task) if FAMILIES[task.family].made == "own" else ():
                tell(f"{task.name}: {sentence}")
            if cut_off := truncation(task, spec.config):
                tell(f"{task.name}: {cut_off}")
        for sentence in remarks(spec, data):
            tell(sentence)
        keep_examples(folder, tasks)  # before the run counts as finished
        return execute(spec, data, folder, device, progress, every, tell, watch), True


def check_exact_gradient(spec: Spec, data: DataSet) -> None:
    """Refuse a sum over too many addresses at once, not after the epochs of another alignment. Raises ConfigError."""
    if spec.config.gradient == "exact":
        net = make_networks(spec.model, spec.config, data, MetaInit())
        longest = data.train.count.max(0).indices.view(1, 1, 1)
        net.num_sequences(next(batches(data.train, longest, net.sizes.ages)))


def remarks(spec: Spec, data: DataSet) -> Iterator[str]:
    """Which words are names or permuted, which facts cannot be used as listed, and what tests have that training never had."""
    if data.entities is not None and not data.entities.given:
        yield (
            f"{spec.what}: these words are taken for names: {data.entities.describe()}; if that is wrong, give a file of the "
            "names (memnet data names prints one to start from)"
        )
    for line in data.vocabulary.normalizer.describe():
        yield f"{spec.what}: {line}"
    if data.permutation is not None:
        yield f"{spec.what}: interchangeable words: {data.permutation.describe()}"
    if unusable := unusable_facts(spec, data):
        yield f"{spec.what}: {unusable}"
    for part, examples in (("validation", data.valid), ("test", data.test)):
        if examples.unknown_words or examples.unknown_answers:
            yield (
                f"{spec.what}: the {part} set has {counted(examples.unknown_words, 'word')} that training lacks, and "
                f"{counted(examples.unknown_answers, 'question')} whose answer training never had (counted as errors)"
            )


def execute(
    spec: Spec,
    data: DataSet,
    folder: Path,
    device: str = "cpu",
    progress: Progress | None = None,
    every: float = 5.0,
    tell: Callable[[str], None] | None = None,
    watch: Watch | None = None,
) -> dict[str, Any]:
    """Train in a folder that is :func:`opened`, leave the chosen network and its card there; what ``run.json`` says.

    ``tell`` gets a sentence where another version began it.
    """
    by = shortcut(spec.config, device, data.permutation is not None)
    made = begun(folder / RUN, device, tell or (lambda sentence: None), by)  # what runs now, whatever becomes of files
    with cleared(folder):
        result = train_networks(spec, data, folder, resume=True, device=device, progress=progress, every=every, watch=watch)
    run = {
        "spec": spec.flat(),
        "versions": made,
        "seconds": round(result.seconds, 3),
        "chosen": result.chosen,
        "facts": unusable_facts(spec, data),
        "replicas": result.rows,
    }
    errors = result.rows[result.chosen]["tasks"].items()
    facts = {
        "data": list(spec.data),
        "hash": spec.hash,
        "preset": spec.preset,
        "seed": spec.seed,
        "replica": result.chosen,
        "restarts": spec.restarts,
        "errors": [{"data": name} | {part: task[f"{part}_error"] for part in PARTS} for name, task in errors],
    }
    if data.start is not None:
        facts["started_from"] = data.start.hash
    if data.always_told:
        facts["always_told"] = sorted(data.always_told)
    facts["longest_story"] = int(data.train.count.max())
    net = result.net.cpu().replica(result.chosen)
    held_out, description = data.held_out(spec.config)
    facts |= {"temperature": temperature(net, held_out), "calibrated_on": description}
    save_network(folder, spec.model, net, data.vocabulary, card(spec, result, data), facts)
    if data.forms is not None:
        (folder / FOLDER).mkdir(exist_ok=True)
        write_json(folder / FOLDER / FORMS, asdict(data.forms))
    write_json(folder / RUN, run)
    (folder / CHECKPOINT).unlink(missing_ok=True)
    return run
