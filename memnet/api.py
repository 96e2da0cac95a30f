"""``memnet.train`` and ``memnet.load``: what the command line does, from Python."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from memnet.config import Training, override, parse_settings, with_dependent_settings
from memnet.errors import ConfigError, TrainingError, hint
from memnet.models import MODELS, model_of
from memnet.papers import PRESETS
from memnet.record.provenance import pick_device
from memnet.tasks.families import Task, find, numbered
from memnet.tasks.text import one_line
from memnet.training.inputs import Inputs
from memnet.training.loop import Progress
from memnet.training.report import report_on
from memnet.training.result import mean_error
from memnet.training.run import make_run
from memnet.training.settings_file import SettingsFile, read_settings
from memnet.training.spec import Spec, default_folder, specify

if TYPE_CHECKING:
    from memnet.ask.answer import Answer
    from memnet.ask.encoded import EncodedStory
    from memnet.ask.predictor import Predictor


OPTIONS = ("score", "align", "read", "window", "samples", "baseline", "supervision", "facts")  # of the command line

NO_TASK = f"name a data set, such as {numbered(1)[0]}, or a folder of *train*.txt and *test*.txt files"


class Trained:
    """A trained network: ask it, evaluate it, save it.

    ``run`` is what ``run.json`` says of all restarts, ``errors`` the chosen network's mean error in percent on the
    questions that it learned from, on those held out and on the test questions.
    """

    def __init__(self, predictor: Predictor, spec: Spec, tasks: Sequence[Task], run: Mapping[str, Any]) -> None:
        self.predictor, self.spec, self.tasks, self.run = predictor, spec, tuple(tasks), run
        chosen = run["replicas"][run["chosen"]]
        self.errors = {part: mean_error(chosen, part) for part in ("train", "validation", "test")}

    def __repr__(self) -> str:
        errors = ", ".join(f"{part} {error:.1f}" for part, error in self.errors.items())
        return one_line(f"<{self.spec.model} {self.spec.preset} on {self.spec.what}: error % {errors}>")

    def ask(self, story: str | Sequence[str] | EncodedStory, question: str, **options: Any) -> Answer:
        """See :meth:`memnet.ask.predictor.Predictor.ask`."""
        return self.predictor.ask(story, question, **options)

    def __call__(self, question: Any, context: Any = None, **options: Any) -> Any:
        """See :meth:`memnet.ask.pipeline.Pipeline.__call__`."""
        return self.predictor(question, context, **options)

    def evaluate(
        self,
        *tasks: Path | str,
        evidence: bool = False,
        data: Path | str | None = None,
    ) -> dict[str, Any]:
        """Errors in percent and facts read on the test questions, of its own tasks or of others, as ``memnet eval --json``.

        ``data`` is the folder of published data, as for :func:`train`.
        """
        found = find_tasks(tasks, data) if tasks else self.tasks
        return report_on(self.predictor.net, self.predictor.vocabulary, found, evidence)

    def save(self, folder: Path | str) -> None:
        """Save the network with its card: ``memnet.load`` and ``memnet ask`` take the folder."""
        self.predictor.save_pretrained(folder)


def train(
    *tasks: Path | str,
    preset: str | None = None,
    model: str | None = None,
    config: Path | str | None = None,
    data: Path | str | None = None,
    restarts: int | None = None,
    seed: int = 0,
    vectors: Path | str | None = None,
    keep_vectors: bool = False,
    names: Path | str | None = None,
    start_from: Path | str | None = None,
    out: Path | str | None = None,
    resume: bool = False,
    device: str = "cpu",
    progress: Progress | None = None,
    **settings: Any,
) -> Trained:
    """Train one network on data sets, by name or as a folder of files: ``memnet.train("my_stories", epochs=20)``.

    Of several data sets one network learns all. ``data`` is the folder of published data. Without ``out`` nothing is kept but
    what is returned. ``vectors`` is a file of word vectors to start from, which ``keep_vectors`` leaves as they are; ``names``
    a file of the names in your own files, for ``open_vocabulary=True``; ``start_from`` a trained network whose weights and
    words to start from. ``settings`` are those of the model (``memnet settings MODEL`` lists them), as ``--set`` takes them;
    ``config`` is a TOML file of them, in whose place they are taken. Raises what is an error on the command line too:
    :class:`~memnet.errors.ConfigError`, :class:`~memnet.errors.TrainingError` and the data's errors.
    """
    from memnet.ask.hub import find_network
    from memnet.ask.predictor import Predictor

    if not tasks:
        raise ConfigError(NO_TASK)
    if resume and out is None:
        raise ConfigError("resume goes on with the run in a folder: name it by out")
    if keep_vectors and vectors is None:
        raise ConfigError("keep_vectors is of word vectors from a file: name it by vectors")
    group = find_tasks(tasks, data)
    pairs = ["vectors=keep"] if keep_vectors else []
    file = None if config is None else read_settings(Path(config))
    name, chosen = choose_config(model, preset, len(group) > 1, pairs, settings, vectors is not None, file)
    words, known = (None if path is None else Path(path) for path in (vectors, names))
    inputs = Inputs(words, known, None if start_from is None else find_network(start_from))
    spec = specify(group, name, chosen, seed, restarts, inputs)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "run" if out is None else Path(out)
        run, _ = make_run(spec, group, folder, resume, pick_device(device), inputs, progress)
        network = Predictor.load(folder)
        _ = network.net  # in memory before the folder is gone
        return Trained(network, spec, group, run)


def find_tasks(tasks: Sequence[Path | str], data: Path | str | None) -> list[Task]:
    """The stories of data sets named in Python. Raises :class:`ConfigError` for what is no name, and the data's errors."""
    for task in tasks:
        if not isinstance(task, Path | str):
            raise ConfigError(f"{NO_TASK}; {task!r} is no name. Several are named one after another")
    return find([str(task) for task in tasks], None if data is None else Path(data))


def choose_config(
    model: str | None,
    preset: str | None,
    joint: bool,
    pairs: Sequence[str] = (),
    options: Mapping[str, Any] = MappingProxyType({}),
    vectors: bool = False,
    file: SettingsFile | None = None,
) -> tuple[str, Training]:
    """The preset of a model, or the one named, and its settings with those changed by ``file``, ``pairs`` and ``options``.

    ``vectors`` says that there is a file of word vectors. Raises :class:`~memnet.errors.ConfigError`.
    """
    name, *more = dict.fromkeys(choose_presets(model, [preset] if preset else [], joint, file))
    if more:
        raise ConfigError(f"--model {model} and --preset {preset} name two presets; leave one out")
    config = change(name, pairs, options, file)
    if vectors and not any(field == "vectors" for field in vars(config)):
        raise ConfigError(f"--vectors is for the model dmn; preset {name} has no use for word vectors")
    if vectors and "vectors=none" in pairs:
        raise ConfigError("--vectors names a file and --set vectors=none wants none; leave one out")
    if vectors and config.vectors == "none":
        config = override(config, {"vectors": "train"})
    if not vectors and config.vectors != "none":
        raise ConfigError(f"vectors={config.vectors} needs a file: name it by --vectors")
    return name, config


def plan_runs(
    groups: Sequence[Sequence[Task]],
    preset: str,
    config: Training,
    seed: int,
    restarts: int | None,
    out: Path | None,
    resume: bool,
    inputs: Inputs | None = None,
) -> list[tuple[Spec, Sequence[Task], Path]]:
    """A run a group of tasks: its spec, its stories and its folder. Raises :class:`TrainingError` where two share one."""
    specs = [specify(group, preset, config, seed, restarts, inputs) for group in groups]
    folders = [default_folder(spec) for spec in specs]
    if out is not None:
        folders = [out] if len(specs) == 1 else [out / folder.name for folder in folders]
    if len(set(folders)) < len(folders):
        raise TrainingError("two of these tasks would be kept in one folder; give their files other names")
    for folder in folders if not resume else ():
        if folder.exists() and len(folders) > 1:
            raise TrainingError(f"{folder} exists already; go on with --resume, or choose another --out")
    return list(zip(specs, groups, folders, strict=True))


def preset_named(name: str) -> Training:
    """A preset's configuration. Raises :class:`~memnet.errors.ConfigError`."""
    if name not in PRESETS:
        listed = "'memnet presets' lists them, and one of a plugin needs memnet --plugin FILE"
        raise ConfigError(f"there is no preset {name!r}; {hint(name, PRESETS, listed)}")
    return PRESETS[name]


def choose_presets(model: str | None, presets: Sequence[str], joint: bool, file: SettingsFile | None = None) -> list[str]:
    """The presets named, or a model's own; a preset may stand for its model. Raises :class:`~memnet.errors.ConfigError`.

    Where neither is named, those of a ``file`` are taken.
    """
    if file is not None and model is None and not presets:
        try:
            return choose_presets(file.model, [file.preset] if file.preset else [], joint)
        except ConfigError as error:
            raise ConfigError(f"{file.path}: {error}") from error
    if model is not None and model not in MODELS:
        presets, model = [model, *presets], model_of(preset_named(model))
    if not presets:
        return [MODELS[model or "memn2n"].presets[joint]]
    for name in presets:
        model_of_preset = model_of(preset_named(name))
        if model not in (None, model_of_preset):
            raise ConfigError(f"the preset {name!r} is of the model {model_of_preset}, not {model}; leave --model out")
    return list(presets)


def change(preset: str, pairs: Sequence[str], options: Mapping[str, Any], file: SettingsFile | None = None) -> Training:
    """A preset with the settings of a ``file``, those of ``pairs``, "key=value", and of the options that were given.

    And with what those need. A later one of these takes the place of an earlier; only options and pairs must not both be given.
    """
    config = preset_named(preset)
    given = {name: value for name, value in options.items() if value is not None}
    for name in given:
        if name not in vars(config) and name in OPTIONS:
            raise ConfigError(f"--{name} is no option of the model {model_of(config)}, of which the preset {preset!r} is")
    filed = {} if file is None else file.settings(type(config))
    filed = {name: value for name, value in filed.items() if name not in given}
    try:
        return override(config, with_dependent_settings(given, {**filed, **parse_settings(pairs, type(config))}, config))
    except ConfigError as error:
        raise ConfigError(f"{preset if file is None else f'{preset}, {file.path}'}: {error}") from error
