"""The command line. Heavy packages are imported inside the commands: ``memnet --help`` answers at once."""

from __future__ import annotations

import signal
import sys
from collections import UserDict
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer
import typer.core
import typer.main

from memnet.cli.common import (
    Command,
    Terminated,
    check_address_space,
    is_memory_error,
    load_plugins,
    plain_errors,
    utf8_streams,
)
from memnet.errors import missing_extra


class Entry(NamedTuple):
    """Where a command or a group of commands is, and under which heading the help lists it."""

    module: str  # of memnet.cli
    attribute: str
    panel: str

    def build(self, name: str) -> Any:
        """Import it, and make what the command line's framework calls."""
        found = getattr(import_module(f"{__name__}.{self.module}"), self.attribute)
        if not isinstance(found, typer.Typer):
            function, found = found, typer.Typer(add_completion=False)
            found.command(name)(function)
        for each in found.registered_commands:
            each.cls = Command if each.cls in (None, typer.core.TyperCommand) else each.cls
        command: Any = typer.main.get_command(found)
        command.name, command.rich_help_panel = name, self.panel
        return command


ASK, TRAIN, RESULTS, STORIES = "Ask a network", "Train and evaluate", "Results and figures", "Stories and speed"
ENTRIES = {
    "ask": Entry("ask", "ask", ASK),
    "remember": Entry("remember", "remember", ASK),
    "forget": Entry("forget", "forget", ASK),
    "serve": Entry("serve", "serve", ASK),
    "faq": Entry("faq", "faq", ASK),
    "chat": Entry("composing", "chat", ASK),
    "train": Entry("train", "train", TRAIN),
    "eval": Entry("evaluate", "evaluate_run", TRAIN),
    "export": Entry("export", "export", TRAIN),
    "sweep": Entry("sweep", "sweep", TRAIN),
    "presets": Entry("presets", "presets", TRAIN),
    "settings": Entry("presets", "settings", TRAIN),
    "table": Entry("results", "table", RESULTS),
    "reproduce": Entry("reproduce", "reproduce", RESULTS),
    "plot": Entry("plot", "app", RESULTS),
    "layers": Entry("layers", "layers", RESULTS),
    "data": Entry("data", "app", STORIES),
    "bench": Entry("bench_memory", "app", STORIES),
}


class Commands(UserDict[str, Any]):
    """The commands by name; one is imported and built when it is asked for, which takes longer than to answer a question."""

    def __getitem__(self, name: str) -> Any:
        """The command. Raises KeyError."""
        if isinstance(entry := self.data[name], Entry):
            self.data[name] = entry.build(name)
        return self.data[name]


class AllCommands(typer.core.TyperGroup):
    """The command ``memnet``, whose commands are those of :data:`ENTRIES`."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.commands = Commands(ENTRIES)


app = typer.Typer(
    cls=AllCommands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Memory networks that answer questions about a story: train, evaluate and ask them.",
)


def show_version(value: bool) -> None:
    """Print the version and end."""
    if value:
        import memnet

        typer.echo(f"memnet {memnet.__version__}")
        raise typer.Exit


@app.callback()
def main_options(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", callback=show_version, is_eager=True, help="Show it and end.")] = False,
    plugin: Annotated[
        list[Path] | None, typer.Option(help="A Python file that adds models, scores or tasks; may be repeated.")
    ] = None,
) -> None:
    """Options of every command."""
    utf8_streams()
    check_address_space(context.invoked_subcommand)
    with plain_errors():
        load_plugins(plugin or [])


def terminate(*_: object) -> None:
    """As a signal handler. Raises :class:`~memnet.cli.common.Terminated`."""
    raise Terminated(143)


def main() -> None:
    """The command ``memnet``; asked to end, it cleans up as after Ctrl-C."""
    signal.signal(signal.SIGTERM, terminate)
    try:
        app()
    except (MemoryError, ImportError, RuntimeError) as error:  # of an import: commands catch their own
        if missing := missing_extra(error):
            sys.exit(f"memnet: {missing}")
        if not is_memory_error(error):
            raise
        sys.exit(f"memnet: not enough memory to load what this command needs ({type(error).__name__}); see ulimit -v")
