"""``memnet layers``: which statement read which, before a network answered."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from memnet.cli.common import CausalOrOwn, plain_errors, utf8_text


def layers(
    run: CausalOrOwn = None,
    story: Annotated[Path, typer.Option(help="A file of statements, one a line.")] = Path("story.txt"),
    question: Annotated[
        str | None, typer.Option(help="What is asked; else the file's last question.", callback=utf8_text)
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="A figure's file besides: .png, .svg or .pdf (needs the extra plot).")
    ] = None,
) -> None:
    """Show which statement read which in each layer, of a network whose statements read each other."""
    import torch

    from memnet.ask.layers import read_layers
    from memnet.ask.predictor import Predictor
    from memnet.cli.plot import last_question
    from memnet.figures import save
    from memnet.show.layers import layers_map

    torch.set_num_threads(1)
    with plain_errors():
        statements, asked, _, _ = last_question(story, question)
        found = read_layers(Predictor.from_name(run), statements, asked)
        typer.echo(found)
        if out is not None:
            save(layers_map(found), out)
            typer.echo(out)
