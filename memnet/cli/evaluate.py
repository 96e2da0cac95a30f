"""``memnet eval``: test error per task, and whether the sentences that were read are the supporting facts."""

from __future__ import annotations

import errno
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

import typer

from memnet.cli.common import DataFolder, RunName, plain_errors, refuse_beside
from memnet.cli.composing import evaluate_composer
from memnet.cli.data_sets import trained_on
from memnet.errors import counted
from memnet.tasks.scores import RANKED

WITHOUT = {
    "no_evidence": "with their evidence",
    "no_evidence_without": "without what speaks of their subject",
    "no_evidence_without_one": "without one of several facts",
    "no_evidence_without_facts": "without the supporting facts alone (an older statement may answer)",
}


def evaluate_run(
    run: RunName,
    tasks: Annotated[list[str] | None, typer.Argument(help="Other tasks than those it was trained on.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    evidence: Annotated[bool, typer.Option("--evidence", help="How often it says that there is none.")] = False,
    predictions: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A new file for each question's answer, as JSON lines.")
    ] = None,
    data: DataFolder = None,
) -> None:
    """Test error per data set, split and kind, and how often the sentences read most are the supporting facts."""
    import torch

    from memnet.ask.hub import find_network
    from memnet.composing.bot import read_config
    from memnet.files import write_atomically
    from memnet.models.checkpoint import load_network
    from memnet.training.report import predictions as predict
    from memnet.training.report import report_on

    torch.set_num_threads(1)
    with plain_errors():
        if read_config(Path(run)) is not None:
            refuse_beside(run, "a composer, which reads no evidence", {"--evidence": evidence})
            evaluate_composer(Path(run), tasks, as_json, predictions, data)
            return
        net, vocabulary, saved = load_network(find_network(run))
        found = trained_on(run, saved, tasks, data)
        whole = report_on(net, vocabulary, found, evidence)
        if predictions is not None:
            if predictions.exists():
                raise FileExistsError(errno.EEXIST, "it exists already; choose another --predictions", str(predictions))
            lines = (json.dumps(one, ensure_ascii=False) for task in found for one in predict(net, vocabulary, task))
            write_atomically(predictions, "".join(f"{line}\n" for line in lines))
    unknown, never = whole.pop("unknown_words"), whole.pop("unknown_answers")
    if as_json:
        typer.echo(json.dumps(whole))
        return
    echo_report(whole, evidence)
    if unknown or never:
        asked = counted(never, "question")
        typer.echo(f"unknown to the network: {counted(unknown, 'word')} of the test text, and the answers to {asked}")


def echo_report(whole: dict[str, Any], evidence: bool) -> None:
    """Print a line for each data set, split and kind, and the means."""
    report = whole["tasks"]
    width = max(12, *map(len, report))
    typer.echo(f"{'data set':<{width}} {'test error %':>12} {'questions':>10}   facts: precision  recall  exact  by hop")
    for name, row in report.items():
        facts = [share(row[f"fact_{part}"]) for part in ("precision", "recall", "exact")]
        hops = " ".join(map(share, row["fact_hops"])) or "-"
        hops += "".join(f"  ({row[spent]:.1f} {spent})" for spent in ("steps", "passes") if spent in row)
        hops += f"  head similarity {' '.join(map(share, row['head_similarity']))}" if "head_similarity" in row else ""
        if evidence:
            hops += f"   says no evidence: {' '.join(share(row[name]) for name in WITHOUT)}"
        read = f"{facts[0]:>18} {facts[1]:>7} {facts[2]:>6}  {hops}"
        typer.echo(f"{name:<{width}} {row['test_error']:>12.1f} {row['questions']:>10} {read}")
        for part in ("splits", "kinds"):
            for key, error in row.get(part, {}).items():
                typer.echo(f"  {key:<{width - 2}} {error:>12.1f}")
        if ranks := [f"{measure} {row[measure]:.3f}" for measure in RANKED if measure in row]:
            typer.echo(f"  of candidates: {', '.join(ranks)}")
    typer.echo(f"{overall(whole['mean_error'], whole['failed'], report)}, {whole['made']} data")
    for name, where in WITHOUT.items() if evidence else ():
        known = [row[name] for row in report.values() if row[name] is not None]
        mean = sum(known) / max(1, len(known))
        typer.echo(f"says it has no evidence for {mean:.1%} of the questions {where}, mean over {len(known)} tasks")


def overall(mean_error: float, failed: int, names: Iterable[str]) -> str:
    """The mean error over data sets, in percent, and how many failed by their families' limits; of one whether it did."""
    from memnet.tasks.families import family_of

    limits = [family_of(name).fails_above for name in names]
    limit = " or ".join(f"{one:g}" for one in sorted(set(limits)))
    if len(limits) == 1:
        return f"error {mean_error:.2f} %, {f'failed (> {limit} %)' if failed else f'not failed (<= {limit} %)'}"
    return f"mean error {mean_error:.2f} %, {failed} of {len(limits)} failed (> {limit} %)"


def share(value: float | None) -> str:
    """Three decimals, or a dash."""
    return "-" if value is None else f"{value:.3f}"
