"""The parts of the README and of the documentation that are made from results and configurations.

A part stands between two marks, ``<!-- NAME: python scripts/write_pages.py -->`` and ``<!-- end of NAME -->``.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

from memnet.errors import ConfigError
from memnet.files import write_atomically
from memnet.markdown import markdown_table
from memnet.models import MODELS
from memnet.papers.declare import SIZES, Study
from memnet.papers.ours import NETWORKS
from memnet.papers.thousand import IN_TURN
from memnet.record.measurements import EnglishScore
from memnet.record.runs import read_rows
from memnet.reports.babilong_page import in_short
from memnet.reports.comparison import RETRIEVED, growing_memory, models_compared
from memnet.reports.equal_appendix import appendix
from memnet.reports.equal_page import carried, seven_rows
from memnet.reports.measurements import line_by_line, measured
from memnet.reports.procedure import beside, chosen_networks, mean_in_print
from memnet.reports.reading import constant_errors, in_words
from memnet.reports.settings import model_settings, shared_settings
from memnet.reports.studies import permutation_in_short
from memnet.reports.tables import collect, summary
from memnet.reports.templates import render
from memnet.reports.unseen_names_page import in_the_package
from memnet.training.candidates import ranking

HEADS = ("network", "learns from", "% wrong after 1,000 questions", "the paper's", "% wrong after 10,000", "the paper's")
SYSTEMS = "**Rules and networks: rules made by hand hide or rename words first**"  # parts them from networks that read the text


def beside_the_papers(runs: Path, published: Path) -> str:
    """The README's table: what is wrong and fails, of networks and of systems that rename the words, ours and the papers'."""

    def cells(preset: str, family: str) -> list[str]:
        if not preset:
            return ["", ""]
        part = collect(runs, published, family, 0, [preset])[0]
        return [failing(f"{part.mean:.1f}", part.failed), part.printed_cell.replace("(port)", "(re-implemented)")]

    recorded = read_rows(runs)

    def of_study(study: Study | None) -> list[str]:
        if study is None:
            return ["", ""]
        found, paper = chosen_networks(recorded, study), mean_in_print(published, study, beside(study))[0]
        return [failing(f"{statistics.mean(found.means()):.2f}", found.failed_on_average()), paper]

    rows = [
        [name, learns, *(cell for family, preset in zip(SIZES, (few, many), strict=True) for cell in cells(preset, family))]
        for name, (learns, few, many) in NETWORKS.items()
    ]
    systems = [[name, learns, *of_study(few), *of_study(many)] for name, (learns, few, many) in IN_TURN.items()]
    table = markdown_table(HEADS, [*rows, [SYSTEMS, *[""] * (len(HEADS) - 1)], *systems], "llrrrr")
    constant = constant_errors(recorded)
    return render("beside-the-papers", table=table, constant=in_words(constant) if constant else "")


def failing(error: str, failed: int) -> str:
    """An error with the number of tasks that fail, where any does."""
    return f"{error} ({failed} fail)" if failed else error


def network_in_short(results: Path) -> str:
    """What the network in the package reaches: the twenty tasks, long texts, a person's own words."""
    own_words = line_by_line("everyday-in-short", results / "everyday.csv", EnglishScore)
    return "\n".join((in_the_package(results / "open.csv"), in_short(results), own_words))


def which_rank() -> str:
    """The presets by whether their networks rank candidates."""
    rows = [[what, ", ".join(f"`{name}`" for name in names)] for what, names in ranking().items()]
    return markdown_table(("ranks candidates", "presets"), rows, "ll")


def parts(root: Path) -> Mapping[str, Mapping[str, Callable[[], str]]]:
    """What makes each part, by its page and its name."""
    results = root / "results"
    runs, published = results / "runs.csv", results / "published.csv"
    return {
        "README.md": {
            "table": partial(beside_the_papers, runs, published),
            "network": partial(network_in_short, results),
        },
        "docs/results.md": {
            "summary": partial(summary, runs, published),
            "models": partial(models_compared, runs, published, results / "models.csv"),
            "memory": partial(growing_memory, results / "memory.csv", results / RETRIEVED),
        },
        **measured(results),
        "docs/equal-terms.md": {
            "seven rows": partial(seven_rows, runs),
            "two tasks": partial(carried, runs),
            "appendix": partial(appendix, runs, results / "models.csv"),
        },
        "docs/families.md": {"candidates": which_rank},
        "docs/permutation.md": {"permuted": partial(permutation_in_short, runs, published)},
        "docs/settings.md": {
            **{group: partial(shared_settings, group) for group in ("training", "attention")},
            **{model: partial(model_settings, model) for model in MODELS},
        },
    }


def with_part(text: str, name: str, part: str) -> str:
    """A text with a part between its two marks. Raises :class:`~memnet.errors.ConfigError` where it has none."""
    begin, end = f"<!-- {name}: python scripts/write_pages.py -->\n", f"<!-- end of {name} -->\n"
    before, found, rest = text.partition(begin)
    _, ended, after = rest.partition(end)
    if not (found and ended):
        raise ConfigError(f"the text has no place for {name}; expected {begin.strip()} and {end.strip()}, a line each")
    return "".join((before, begin, "\n", part, "\n\n", end, after))


def pages(root: Path) -> Iterator[tuple[Path, str]]:
    """Every page with its parts as they are now."""
    for page, made in parts(root).items():
        text = (root / page).read_text(encoding="utf-8")
        for name, make in made.items():
            text = with_part(text, name, make())
        yield root / page, text


def write_pages(root: Path) -> list[Path]:
    """Write the parts of every page anew; the pages that changed."""
    changed = []
    for path, text in pages(root):
        if text != path.read_text(encoding="utf-8"):
            write_atomically(path, text)
            changed.append(path)
    return changed
