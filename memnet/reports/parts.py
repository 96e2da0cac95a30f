"""What each part of how a text is read adds: a network with one part changed, beside the network as it is."""

from __future__ import annotations

import statistics
from pathlib import Path

from memnet.errors import NetworkError
from memnet.markdown import markdown_table
from memnet.papers.thousand import ABLATION, PARTS, PARTS_SEED
from memnet.reports.columns import one_decimal, with_changes
from memnet.reports.legacy import read_rows
from memnet.training.evaluate import FAILED


def parts_of_reading(runs: Path) -> str:
    """The table of ``memnet reproduce thousand-parts``. Raises :class:`~memnet.errors.NetworkError` where a run is lacking."""
    (preset,), tasks = ABLATION.presets, ABLATION.tasks
    found = with_changes(read_rows(runs), preset, PARTS, PARTS_SEED)
    if lacking := [(name, task) for name in PARTS for task in tasks if (name, task) not in found]:
        name, task = lacking[0]
        raise NetworkError(
            f"{len(lacking)} runs are lacking ({name}, {task} ...); 'memnet reproduce {ABLATION.name}' makes them"
        )

    def errors(name: str, kind: str) -> list[float]:
        return [float(found[name, task][kind]) for task in tasks]

    tests = {name: errors(name, "test_error") for name in PARTS}
    lines = [[task, *(one_decimal(of[place]) for of in tests.values())] for place, task in enumerate(tasks)]
    lines.append(["mean", *(f"**{statistics.mean(of):.2f}**" for of in tests.values())])
    lines.append(["mean, validation", *(f"{statistics.mean(errors(name, 'validation_error')):.2f}" for name in PARTS)])
    lines.append(["failed (> 5 %)", *(str(sum(error > FAILED for error in of)) for of in tests.values())])
    changed = "; ".join(f"*{name}* is `{' '.join(settings)}`" for name, settings in PARTS.items() if settings)
    text = (
        f"Test error in percent, published bAbI v1.2 text (en, 1k), answers alone: `{preset}`, one network a task, "
        f"seed {PARTS_SEED}, and the same with one part of its reading changed. {changed[0].upper()}{changed[1:]}."
    )
    return f"{text}\n\n{markdown_table(['task', *PARTS], lines)}"
