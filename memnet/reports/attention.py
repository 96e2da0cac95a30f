"""Every score and alignment of the attention core in one network, beside each other."""

from __future__ import annotations

import statistics
from pathlib import Path

from memnet.config import override, parse_settings
from memnet.errors import NetworkError
from memnet.markdown import markdown_table
from memnet.papers import PRESETS
from memnet.papers.ours import ATTENTION_PRESET, ATTENTION_SETTINGS, ATTENTION_TASKS, ATTENTION_VARIED
from memnet.reports.columns import has_config
from memnet.reports.legacy import read_rows

Row = tuple[str, str, str]  # score, alignment, other settings


def row_of(own: dict[str, str], config: dict[str, str]) -> Row:
    """Where a run with these settings changed stands, beside the preset's own."""
    align = own.get("align", config["align"])
    if align == "hard":
        align = f"hard, {own.get('baseline', config['baseline'])}"
    elif "window" in own:
        align += f", window {float(own['window']):g}"
    rest = " ".join(f"{name}={own[name]}" for name in ("samples", "softmax_epochs") if name in own)
    return own.get("score", config["score"]), align, rest


def attention_runs(runs: Path, preset: str) -> dict[Row, dict[str, list[dict[str, str]]]]:
    """The runs of the table, by its row and by task."""
    config = {name: str(value) for name, value in vars(PRESETS[preset]).items()}
    found: dict[Row, dict[str, list[dict[str, str]]]] = {}
    for row in read_rows(runs):
        if (row["preset"], row["size"], row["variant"], row["source"], row["seed"]) != (preset, "1k", "en", "published", "0"):
            continue
        if not has_config(row, override(PRESETS[preset], parse_settings(row["settings"].split(), type(PRESETS[preset])))):
            continue
        settings = dict(pair.split("=", 1) for pair in row["settings"].split())
        own = {name: value for name, value in settings.items() if name not in ATTENTION_SETTINGS}
        if ATTENTION_SETTINGS.items() <= settings.items() and own.keys() <= set(ATTENTION_VARIED):
            found.setdefault(row_of(own, config), {}).setdefault(row["tasks"], []).append(row)
    return found


def attention(runs: Path, preset: str = ATTENTION_PRESET) -> str:
    """Scores and alignments beside each other: the network chosen by validation, and all restarts."""
    found = attention_runs(runs, preset)
    if not found:
        raise NetworkError(f"{runs} has no run of {preset} with null=none and selection=validation; 'memnet sweep' makes them")
    rows = []
    for (score, align, rest), tasks in found.items():
        cells, chosen, every = [], [], []
        for task in ATTENTION_TASKS:
            errors = [float(row["test_error"]) for row in tasks.get(task, []) if row["test_error"]]
            best = [float(row["test_error"]) for row in tasks.get(task, []) if row["chosen"] == "1"]
            chosen += best
            every += [errors] if best else []
            cells.append(f"{best[0]:.1f} ({statistics.mean(errors):.1f} ± {statistics.stdev(errors):.1f})" if best else "")
        mean = ""
        if len(chosen) == len(ATTENTION_TASKS):
            over_all, spread = (statistics.mean(map(of, every)) for of in (statistics.mean, statistics.stdev))
            mean = f"**{statistics.mean(chosen):.1f}** ({over_all:.1f} ± {spread:.1f})"
        rows.append([score, align, rest, *cells, mean])
    text = (
        f"Test error in percent, published bAbI v1.2 text (en, 1k), `{preset}` with padding masked and nothing else to read "
        "(null=none): the restart of ten with the lowest validation error, and in brackets mean and sample standard deviation "
        "of all (mean: of both over the tasks)."
    )
    head = ["score", "alignment", "settings", *ATTENTION_TASKS, "mean"]
    return f"{text}\n\n{markdown_table(head, rows, 'lll' + 'r' * (len(head) - 3))}"
