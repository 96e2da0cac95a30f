"""What the commands share: options, and errors that a person can act on."""

from __future__ import annotations

import errno
import os
import re
import shlex
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer
import typer.core

if TYPE_CHECKING:
    from memnet.record.measurements import Measurement
    from memnet.tasks.text.background import Background


class Command(typer.core.TyperCommand):
    """A command whose help names what the registries hold; they, and torch, are imported when it is asked for."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Fill in the names."""
        for parameter in self.params:
            text = getattr(parameter, "help", None) or ""
            if "{families}" in text:
                from memnet.tasks.families import FAMILIES, numbered

                titles = (f"{name} ({family.title})" for name, family in FAMILIES.items())
                text = text.format(families=", ".join(titles), examples=" or ".join(numbered(1, 2)))
            if "{models}" in text or "{restarts}" in text:
                from memnet.models import MODELS

                restarts = (f"{name} {kind.default_restarts}" for name, kind in MODELS.configs.items())
                text = text.format(models=", ".join(MODELS), restarts=", ".join(restarts))
            parameter.help = text.replace(SETTING, setting_help(str(parameter.name))) if SETTING in text else text  # type: ignore[attr-defined]
        super().format_help(ctx, formatter)


SETTING = "{setting}"  # in the help of an option: what the setting of its name means, and may be


def setting_help(name: str) -> str:
    """What a setting's annotation says, of the first kind of network that has it."""
    from memnet.config.settings import settings_of
    from memnet.models import MODELS

    setting = next(found[name] for kind in MODELS.configs.values() if name in (found := settings_of(kind)))
    first = setting.help.partition(" ")[0]
    return f"{first if '=' in first else first.capitalize()}{setting.help[len(first) :]}."


def load_plugins(paths: list[Path]) -> None:
    """The files that --plugin names, after what is installed."""
    from memnet import plugins

    plugins.load_installed()
    for path in paths:
        plugins.load(path)


def utf8_streams() -> None:
    """What is typed or piped in is UTF-8, whatever the locale says; what cannot be printed in it is escaped."""
    if sys.stdin is None:  # closed by whoever started us: nothing is typed
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115
    if hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(encoding="utf-8", errors="strict")
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")


def utf8_text(value: str | None) -> str | None:
    """A text of the command line: its bytes are UTF-8, whatever the locale says. Raises :class:`typer.BadParameter`."""
    try:
        return None if value is None else os.fsencode(value).decode("utf-8")
    except UnicodeError as error:
        raise typer.BadParameter("this is not UTF-8 text") from error


# Headings of the help, and under each the options that several commands share.
BABILONG_NAMES_HELP = "published, or unseen: everything in the stories has another name."
StoryNames = Annotated[str, typer.Option("--names", help=BABILONG_NAMES_HELP)]
CONFUSING_HELP = "Share of sentences in the stories' words about others."
ConfusingShare = Annotated[float, typer.Option("--confusing", min=0, max=1, help=CONFUSING_HELP)]
SampleSeed = Annotated[int, typer.Option("--seed", min=0, help="Which questions, places in the books and slots.")]
BackgroundFolder = Annotated[
    Path | None, typer.Option("--background", help="A folder of books as .txt files, none of them trained with.")
]
LengthNames = Annotated[list[str] | None, typer.Option("--length", help="Only this length, such as 128k; may be repeated.")]
RepeatFlag = Annotated[bool, typer.Option("--repeat", help="Begin the books again where they are too short.")]
CellQuestions = Annotated[
    int | None, typer.Option("--questions", min=1, help="Of a task and length; 1,000 up to 32k, 100 above.")
]
NETWORK, ATTENTION, LEARNING, STORIES, RUNS = "The network", "Attention", "Learning", "Stories", "The run"
DATA_HELP = "Folder of the published text; else MEMNET_DATA, else what 'memnet data fetch' got."
TASKS_HELP = "FAMILY/MEMBER, such as {examples}, FAMILY/all, or a folder of *train*.txt and *test*.txt files: {families}."
TaskNames = Annotated[list[str], typer.Argument(metavar="DATA", help=TASKS_HELP)]
DataFolder = Annotated[Path | None, typer.Option("--data", help=DATA_HELP, rich_help_panel=STORIES)]
JOINT_HELP = "One network for all the tasks named."
JointFlag = Annotated[bool, typer.Option("--joint", help=JOINT_HELP, rich_help_panel=NETWORK)]
SETTINGS_HELP = "'memnet settings MODEL' lists them."
SET_HELP = f"Change a setting, as key=value; may be repeated for others. {SETTINGS_HELP}"
Settings = Annotated[list[str] | None, typer.Option("--set", help=SET_HELP, rich_help_panel=NETWORK)]
CONFIG_HELP = "A TOML file of settings, and of a model or preset; options and --set are taken in their place."
ConfigFile = Annotated[Path | None, typer.Option("--config", metavar="FILE", help=CONFIG_HELP, rich_help_panel=NETWORK)]
ScoreName = Annotated[str | None, typer.Option(help=SETTING, rich_help_panel=ATTENTION)]
AlignName = Annotated[str | None, typer.Option(help=SETTING, rich_help_panel=ATTENTION)]
ReadName = Annotated[str | None, typer.Option(help=SETTING, rich_help_panel=ATTENTION)]
VECTORS_HELP = "dmn: a file of word vectors in GloVe's format to start from; --set vectors=keep keeps them as they are."
VectorsFile = Annotated[Path | None, typer.Option(help=VECTORS_HELP, rich_help_panel=LEARNING)]
OPEN_HELP = f"{SETTING} A network learns to say where there is no evidence, too (not with --set unanswerable=0)."
OpenVocabularyFlag = Annotated[bool, typer.Option("--open-vocabulary", help=OPEN_HELP, rich_help_panel=LEARNING)]
NAMES_HELP = "With --open-vocabulary: a file of the names in your own files; without it they are found, and printed."
NamesFile = Annotated[Path | None, typer.Option("--names", metavar="FILE", help=NAMES_HELP, rich_help_panel=LEARNING)]
START_HELP = "Start from the weights and words of a trained network: a folder, or one of the package such as memnet."
StartName = Annotated[str | None, typer.Option("--start-from", metavar="RUN", help=START_HELP, rich_help_panel=LEARNING)]
MODEL_HELP = "The kind of network: {models}; or a preset."
ModelName = Annotated[str | None, typer.Option(help=MODEL_HELP, rich_help_panel=NETWORK)]
RESTARTS_HELP = "Networks trained side by side, of which one is chosen; by default {restarts}."
Restarts = Annotated[int | None, typer.Option(min=1, max=1000, help=RESTARTS_HELP, rich_help_panel=LEARNING)]
WindowSize = Annotated[float | None, typer.Option(help=SETTING, rich_help_panel=ATTENTION)]
SampleCount = Annotated[int | None, typer.Option(help=SETTING, rich_help_panel=ATTENTION)]
BaselineName = Annotated[str | None, typer.Option(help=SETTING, rich_help_panel=ATTENTION)]
SupervisionName = Annotated[str | None, typer.Option(help=SETTING, rich_help_panel=LEARNING)]
FactShare = Annotated[float | None, typer.Option(help=SETTING, rich_help_panel=LEARNING)]
JOBS_HELP = "Processes; as many as there are cores."
JobCount = Annotated[int | None, typer.Option(min=1, help=JOBS_HELP, rich_help_panel=RUNS)]
BACKEND_HELP = "local, dask or ray: this machine's cores, or a running cluster."
BackendName = Annotated[str, typer.Option(help=BACKEND_HELP, rich_help_panel=RUNS)]
ADDRESS_HELP = "Of the cluster, such as tcp://10.0.0.1:8786 (dask) or auto (ray)."
Address = Annotated[str | None, typer.Option(help=ADDRESS_HELP, rich_help_panel=RUNS)]
DeviceName = Annotated[str, typer.Option(help="Where each run trains: auto, cpu, cuda or mps.", rich_help_panel=RUNS)]
DRY_HELP = "Only say what would be run, and how long that would take."
DryRun = Annotated[bool, typer.Option("--dry-run", help=DRY_HELP, rich_help_panel=RUNS)]
RunsFile = Annotated[Path | None, typer.Option("--results", help="A file of runs; else the runs on record.")]
PublishedFile = Annotated[Path | None, typer.Option("--published", help="The papers' figures; else those on record.")]
RUN_HELP = "The folder of a trained network, a network of the package such as memn2n, or the id of one on the Hugging Face hub"
RunName = Annotated[str, typer.Argument(metavar="RUN", help=f"{RUN_HELP}.")]
LeastChance = Annotated[float, typer.Option("--sure", min=0, max=1, help="Give no answer that is less probable than this.")]
COMPOSER_HELP = "The folder of a network that composes answers, made by 'memnet train' with dialogs such as dialog/task5."
ComposerName = Annotated[str, typer.Argument(metavar="RUN", help=COMPOSER_HELP)]
RunOrOwn = Annotated[str | None, typer.Argument(metavar="RUN", help=f"{RUN_HELP}; without, the package's own.")]

CAUSAL_HELP = "The folder of a trained network whose statements read each other (--model causal), or its id on the hub"
CausalOrOwn = Annotated[str | None, typer.Argument(metavar="RUN", help=f"{CAUSAL_HELP}; without, the package's own.")]
RunOrReader = Annotated[str | None, typer.Argument(metavar="RUN", help=f"{RUN_HELP}; without, the package's for long texts.")]


PIPED = "what is piped in"  # as errors call it
FULL = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC))  # a disk, or a person's share of it; Windows has no such share


def fail(message: object, code: int = 1) -> NoReturn:
    """End with one sentence on standard error."""
    typer.echo(f"memnet: {message}", err=True)
    raise typer.Exit(code)


class Terminated(SystemExit):
    """Somebody asked the process to end, by SIGTERM."""


STOPS = (KeyboardInterrupt, Terminated)


def fail_stopped(error: BaseException, kept: str = "") -> NoReturn:
    """End as after Ctrl-C or SIGTERM, with what is kept and how to go on."""
    fail(f"stopped; {kept}" if kept else "stopped", 143 if isinstance(error, Terminated) else 130)


def one_thread() -> None:
    """Answer with one thread: a question is too little work for more. Before numpy or torch is imported."""
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(name, "1")


def refuse_beside(option: str, why: str, others: Mapping[str, object]) -> None:
    """Refuse the first of ``others`` that was given, by its name on the command line, beside an ``option`` that ignores it.

    Raises :class:`~memnet.errors.ConfigError`.
    """
    from memnet.errors import ConfigError

    for name, value in others.items():
        if value:
            raise ConfigError(f"{name} has no use beside {option}, {why}; leave one of them out")


@contextmanager
def plain_errors() -> Iterator[None]:
    """Errors that a person can act on become one sentence; others stay what they are."""
    try:
        yield
    except BrokenPipeError:  # the reader has gone: the command line's framework ends quietly
        raise
    except OSError as error:
        from memnet.errors import no_file

        advice = "; make room and give the command again, a training with --resume" if error.errno in FULL else ""
        name = error.filename2 or error.filename  # where one is put in place of another: the other
        if isinstance(error, FileNotFoundError | IsADirectoryError) and isinstance(name, str) and Path(name).parent.is_dir():
            fail(no_file(name))
        fail(f"{error.filename or ''}: {error.strerror or error}".lstrip(": ") + advice)
    except STOPS as error:
        fail_stopped(error)
    except Exception as error:
        from memnet.errors import missing_extra

        if is_plain(error):
            fail(error)
        if missing := missing_extra(error):
            fail(missing)
        if not is_memory_error(error):
            raise
        fail("not enough memory; try a smaller network, fewer restarts or smaller batches")


def is_plain(error: Exception) -> bool:
    """Whether an error is a sentence that a person can act on. What says so is imported once there is an error."""
    from memnet.errors import AskError, ConfigError, NetworkError, TrainingError
    from memnet.tasks.families import DataError
    from memnet.tasks.simulator.world import DialError
    from memnet.tasks.text import FormatError
    from memnet.tasks.text.background import BackgroundError

    plain = (AskError, BackgroundError, ConfigError, DataError, DialError, FormatError, NetworkError, TrainingError)
    return isinstance(error, plain)


FLOOR = 700 << 20  # bytes of addresses, less than which torch cannot be loaded
TRAINING_FLOOR = 1300 << 20  # the same with what training loads besides: with less, OpenBLAS asks for memory without an end
TRAINING = ("train", "sweep", "reproduce")  # commands
NO_ROOM = {RuntimeError: ("memory", "bad_alloc"), ImportError: ("failed to map segment", "allocate memory")}  # as libraries say


def is_memory_error(error: BaseException) -> bool:
    """Whether an error means that there is not enough memory, whoever says so."""
    signs = next((signs for kind, signs in NO_ROOM.items() if isinstance(error, kind)), ())
    return isinstance(error, MemoryError) or any(sign in str(error) for sign in signs)


def check_address_space(command: str | None) -> None:
    """End with a sentence where the system allows this process less memory than a command loads: it would abort, or hang."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    limit, least = resource.getrlimit(resource.RLIMIT_AS)[0], TRAINING_FLOOR if command in TRAINING else FLOOR
    if limit != resource.RLIM_INFINITY and limit < least:
        what = f"memnet {command or ''}".strip()
        fail(
            f"this shell allows a process {limit >> 20:,} MiB of memory, and {what} needs {least >> 20:,} to start; raise it: "
            "ulimit -v unlimited"
        )


def try_command(*words: object) -> str:
    """What to give next, as a shell takes it.

    >>> try_command("ask", "runs/own"), try_command("ask", "$(touch pwn)")
    ('try: memnet ask runs/own', "try: memnet ask '$(touch pwn)'")
    """
    return f"try: memnet {shlex.join(map(str, words))}"


def choice(name: str, value: str, allowed: tuple[str, ...]) -> None:
    """Refuse a value that is not one of ``allowed``."""
    if value not in allowed:
        fail(f"{name} must be {' or '.join(allowed)}, not {value!r}", 2)


def check_model(model: str | None) -> None:
    """Refuse what is neither a kind of network nor a preset."""
    if model is None:
        return
    from memnet.models import MODELS
    from memnet.papers import PRESETS

    if model not in PRESETS:
        choice("--model", model, (*MODELS, "a preset ('memnet presets' lists them)"))


def lengths_of(names: Sequence[str] | None) -> dict[str, int]:
    """BABILong's lengths of these names, or all, in tokens."""
    from memnet.tasks.babilong import LENGTHS

    for name in names or []:
        choice("--length", name, tuple(LENGTHS))
    return {name: LENGTHS[name] for name in names or LENGTHS}


def books_of(folder: Path | None, option: str = "--background") -> Background:
    """The books of a folder. Raises :class:`~memnet.errors.ConfigError` where none is given."""
    from memnet.errors import ConfigError
    from memnet.tasks.text.background import Background

    if folder is None:
        raise ConfigError(f"{option} is missing: a folder of books as .txt files, such as those of Project Gutenberg")
    return Background.read(folder)


def show(lines: Iterable[Any], write: Path | None, columns: str, kept: Sequence[Any] = ()) -> None:
    """Print a table, a line as soon as it is measured, and write the lines so far into a file.

    ``columns`` are attributes of a line and their forms, such as ``"preset:<20; error %=error:>8.1f"``. Lines that were
    ``kept`` before stay in the file, but for those that are measured anew.
    """
    named = [re.fullmatch(r"(?:(.+)=)?(.+):([<>]\d+)(.*)", column) for column in columns.split("; ")]
    parts = [(match[1] or match[2], match[2], match[3], match[4]) for match in named if match]
    typer.echo(" ".join(f"{head:{width}}" for head, _, width, _ in parts))
    form, done = " ".join(f"{{0.{name}:{width}{rest}}}" for _, name, width, rest in parts), [*kept]
    for line in lines:
        typer.echo(form.format(line))
        done = [*(other for other in done if not kept or other.place != line.place), line]
        keep(write, done)


def keep(write: Path | None, lines: Sequence[Measurement]) -> None:
    """Write measurements, where they are to be kept."""
    from memnet.files import write_atomically
    from memnet.record.measurements import write_csv

    if write is not None and lines:
        write_atomically(write, write_csv(lines))
