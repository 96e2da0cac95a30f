"""The command line. Heavy packages are imported inside the commands: ``memnet --help`` answers at once."""

from __future__ import annotations

import signal
import sys
from pathlib import Path
from typing import Annotated

import typer

from memnet.cli import ask, bench, data, evaluate, faq, plot, results, serve, train
from memnet.cli.common import Command, load_plugins, plain_errors, utf8_streams

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Memory networks that answer questions about a story: train, evaluate and ask them.",
)
app.add_typer(data.app, name="data")
app.add_typer(bench.app, name="bench")
app.add_typer(plot.app, name="plot")
for command in (train.train, train.presets, ask.ask, faq.faq, results.sweep, results.table, results.reproduce, serve.serve):
    app.command(cls=Command)(command)
app.command("eval", cls=Command)(evaluate.evaluate_run)


def show_version(value: bool) -> None:
    """Print the version and end."""
    if value:
        import memnet

        typer.echo(f"memnet {memnet.__version__}")
        raise typer.Exit


@app.callback()
def main_options(
    version: Annotated[bool, typer.Option("--version", callback=show_version, is_eager=True, help="Show it and end.")] = False,
    plugin: Annotated[
        list[Path] | None, typer.Option(help="A Python file that adds models, scores or tasks; may be repeated.")
    ] = None,
) -> None:
    """Options of every command."""
    utf8_streams()
    with plain_errors():
        load_plugins(plugin or [])


def main() -> None:
    """The command ``memnet``; asked to end, it cleans up as after Ctrl-C."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    app()
