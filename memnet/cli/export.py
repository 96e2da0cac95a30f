"""``memnet export``: a trained network as a file that others can run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from memnet.cli.common import RunOrOwn, fail, plain_errors


def export(
    run: RunOrOwn = None,
    onnx: Annotated[
        Path, typer.Option(metavar="FILE", help="The graph's file; its words are written beside it, as .json.")
    ] = Path("network.onnx"),
    statements: Annotated[
        int | None, typer.Option(min=1, help="The most of a story that the graph has room for; as many as training had.")
    ] = None,
    words: Annotated[
        int | None, typer.Option(min=1, help="The most words of a statement or question; as many as training had.")
    ] = None,
) -> None:
    """Write a network as a graph of ONNX, to be asked without memnet (needs the extra onnx).

    The file answers one question about one story, both as numbers of words. It is tried against the network first.
    """
    import torch

    from memnet.ask.hub import find_network
    from memnet.models.onnx import export as write

    torch.set_num_threads(1)
    if not onnx.parent.is_dir():
        fail(f"there is no folder {onnx.parent} for {onnx.name}: make it first")
    with plain_errors():
        room = write(find_network(run), onnx, statements, words)
        typer.echo(f"{onnx} and {onnx.with_suffix('.json')}: {room.statements} statements of {room.words} words")
