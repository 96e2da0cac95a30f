"""Every figure of ours in the result tables and pages, made again from the files in ``results``; nothing of memnet is imported.

``python tests/recompute.py`` prints, for each page, how many cells of its tables were compared, how many of them hold
figures, and each that differs. What a cell means is written above its table; here it is written down once more, by itself:

- *chosen*: of a run's restarts the one with the lowest training or validation error, whichever the run's rule is;
- *all restarts*: the mean over them, ± their standard deviation (of a sample: divided by their number less one);
- *mean*: over tasks; *failed*: tasks with an error above 5 %.

Only figures that stand in a file of ``results`` can be made again. The cells of ``simulator.md``, ``reinforce.md`` and
``attention-cost.md`` are measured and have no such file.
"""

from __future__ import annotations

import csv
import re
import statistics
from functools import partial
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "results"
NOT_RECOMPUTED = ("simulator", "reinforce", "attention-cost")
FAILED = 5.0

Row = dict[str, str]
Grid = list[list[str]]  # the cells of a table, its head first, without marks of bold and code

WESTON, SUKHBAATAR, DEHGHANI = "Weston et al. 2015", "Sukhbaatar et al. 2015", "Dehghani et al. 2019"
KUMAR, XIONG, SEO = "Kumar et al. 2016", "Xiong et al. 2016", "Seo et al. 2017"
FIXED = (DEHGHANI, "Universal Transformer (fixed depth)", "")
PLAIN = (DEHGHANI, "Transformer", "")
DMN, PORT = (KUMAR, "DMN", "1k"), (SEO, "DMN+ (therne re-implementation quoted by QRN)", "")
PAPERS = {  # the paper's row beside a preset: who prints it, its name there, and where the size is not ours, the size
    "pe-ls-rn": (SUKHBAATAR, "MemN2N PE LS RN 3 hops", ""),
    "bow": (SUKHBAATAR, "MemN2N BoW 3 hops", ""),
    "pe": (SUKHBAATAR, "MemN2N PE 3 hops", ""),
    "pe-ls-joint-1hop": (SUKHBAATAR, "MemN2N 1 hop PE LS joint", ""),
    "pe-ls-joint-2hop": (SUKHBAATAR, "MemN2N 2 hops PE LS joint", ""),
    "pe-ls-joint": (SUKHBAATAR, "MemN2N 3 hops PE LS joint", ""),
    "pe-ls-rn-joint": (SUKHBAATAR, "MemN2N PE LS RN joint 3 hops", ""),
    "pe-ls-lw-joint": (SUKHBAATAR, "MemN2N PE LS LW joint 3 hops", ""),
    "pe-ls-rn-large": (SUKHBAATAR, "MemN2N best (larger d=100 + ReLU, 'PE LS RN*')", ""),
    "memnn": (WESTON, "MemNN (Weston 2014)", ""),
    "memnn-am": (WESTON, "MemNN AM", ""),
    "memnn-am-ng": (WESTON, "MemNN AM+NG", ""),
    "memnn-am-nl": (WESTON, "MemNN AM+NL", ""),
    "memnn-am-ng-nl": (WESTON, "MemNN AM+NG+NL", ""),
    "memnn-am-ng-nl-joint": (WESTON, "MemNN AM+NG+NL multitask", ""),
    "dmn": DMN,
    "dmn-10k": DMN,
    "dmn-plus-facts": DMN,
    "dmn-plus-facts-permute": DMN,
    "dmn-plus-facts-10k": DMN,
    "dmn-plus": PORT,
    "dmn-plus-permute": PORT,
    "dmn-plus-10k": (XIONG, "DMN+", ""),
    "dmn-plus-permute-10k": (XIONG, "DMN+", ""),
    "transformer": PLAIN,
    "transformer-permute": PLAIN,
    "transformer-10k": PLAIN,
    "universal": FIXED,
    "universal-permute": FIXED,
    "universal-10k": FIXED,
    "universal-permute-10k": FIXED,
    "universal-act-permute": (DEHGHANI, "UT w/ dynamic halting, mean over 10 seeds", ""),
    "lstm": (WESTON, "LSTM", ""),
    "ngram": (WESTON, "N-gram classifier", ""),
    "ngram-story": (WESTON, "N-gram classifier", ""),
}
TASK_TABLES = (  # of the papers, task by task, in the order of the summary
    "memn2n-1k",
    "memn2n-rows-1k",
    "memn2n-joint-1k",
    "memn2n-10k",
    "memn2n-facts-1k",
    "memnn-1k",
    "dmn-1k",
    "dmn-steps-1k",
    "dmn-10k",
    "transformer-1k",
    "transformer-10k",
    "lstm-1k",
    "baselines-1k",
)
JOINT = re.compile(r"-joint(-|$)")  # presets that are one network for all tasks
BASELINES = ("frequent", "ngram", "ngram-story", "tfidf-logistic", "tfidf-svm")  # fitted once, with nothing drawn


class Cell(NamedTuple):
    """A cell of a page beside what it should be."""

    where: str
    printed: str
    expected: str

    @property
    def right(self) -> bool:
        """Whether they are the same."""
        return self.printed == self.expected

    @property
    def figure(self) -> bool:
        """Whether the cell holds a figure that is no name of a task."""
        return re.search(r"\d", re.sub(r"^qa\d+$", "", self.expected)) is not None


def read(name: str) -> list[Row]:
    """The lines of a file in ``results``."""
    with open(RESULTS / name, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


RUNS, PUBLISHED = read("runs.csv"), read("published.csv")


def grids(text: str) -> list[Grid]:
    """The tables of a page."""
    found = []
    for block in text.split("\n\n"):
        lines = [line for line in block.splitlines() if line.startswith("| ")]
        if len(lines) > 1:
            cells = [line[2:-2].replace("`", "").replace("**", "").split(" | ") for line in lines]
            found.append([[cell.strip() for cell in line] for line in (cells[0], *cells[2:])])
    return found


def page(path: str) -> str:
    """The text of a page, by its path in the repository."""
    return (ROOT / path).read_text(encoding="utf-8")


def number(task: str) -> int:
    """3 of qa3."""
    return int(task.removeprefix("qa"))


def mean(values: list[float]) -> float:
    """Of at least one."""
    return statistics.mean(values)


class Network(NamedTuple):
    """A preset's runs of one size, seed and number of restarts."""

    preset: str
    size: str
    joint: bool
    rows: list[Row]

    @property
    def restarts(self) -> int:
        """Of each run."""
        return int(self.rows[0]["restarts"])

    @property
    def chosen(self) -> dict[int, float]:
        """Test errors by task of the restart that is chosen."""
        found: dict[int, float] = {}
        for row in self.rows:
            if row["chosen"] == "1":
                found |= by_task(row, "test_error")
        return dict(sorted(found.items()))

    @property
    def every(self) -> dict[int, list[float]]:
        """Test errors by task of all restarts."""
        found: dict[int, list[float]] = {}
        for row in self.rows:
            for task, error in by_task(row, "test_error").items():
                found.setdefault(task, []).append(error)
        return found

    @property
    def paper(self) -> tuple[dict[int, float], float | None]:
        """The errors that the paper prints, by task, and their mean, of networks that learned one task or all as these did."""
        if self.preset not in PAPERS or self.joint != (JOINT.search(self.preset) is not None):
            return {}, None
        return printed_by(*PAPERS[self.preset][:2], PAPERS[self.preset][2] or self.size, "joint" if self.joint else "single")

    @property
    def paper_mean(self) -> float | None:
        """The mean of the paper's errors over our tasks, else the one it prints."""
        errors, printed = self.paper
        same = [errors[task] for task in self.chosen if task in errors]
        return mean(same) if same else printed

    @property
    def mean(self) -> float:
        """Over tasks, of the chosen."""
        return mean(list(self.chosen.values()))

    @property
    def over_all(self) -> str:
        """The mean of all restarts, ± their standard deviation where there are several; both are means over tasks."""
        over_all = one(mean([mean(errors) for errors in self.every.values()]))
        if self.restarts == 1:
            return over_all
        return f"{over_all} ± {mean([statistics.stdev(errors) for errors in self.every.values()]):.1f}"

    @property
    def failed(self) -> int:
        """Tasks that the chosen networks fail."""
        return sum(error > FAILED for error in self.chosen.values())

    @property
    def seconds(self) -> float:
        """Of one core, all restarts."""
        return sum(float(row["seconds"]) for row in self.rows)

    @property
    def trained(self) -> str:
        """What a head says of restarts where there is one."""
        if self.preset in BASELINES:
            return "fitted once"
        return "one restart" if self.restarts == 1 else ""


def by_task(row: Row, name: str) -> dict[int, float]:
    """The errors of a row, by task."""
    return dict(zip(map(number, row["tasks"].split()), map(float, row[name].split()), strict=True))


def printed_by(paper: str, model: str, size: str, regime: str, supervision: str = "") -> tuple[dict[int, float], float | None]:
    """The errors of a row of a paper, by task, and the mean that it prints; where named, of one supervision alone."""
    errors: dict[str, float] = {}
    for row in PUBLISHED:
        own = (row["model"], row["train_size"], row["regime"]) == (model, size, regime) and row["paper"].startswith(paper)
        own = own and row["supervision"] in (supervision or row["supervision"],)
        if own and row["metric"] in ("error", "accuracy"):
            value = float(row["value"])
            if row["task"] in errors:
                raise ValueError(f"{paper} has two lines of {model}, {size}, {regime}, task {row['task']}")
            errors[row["task"]] = value if row["metric"] == "error" else 100 - value
    average = errors.pop("mean", None)
    return {int(task): error for task, error in errors.items()}, average


LINE = re.compile(r"- `([\w-]+)`: one network (for all tasks|a task), (\d+) task\(s\), .*?, code ([0-9a-f, ]+)\.")


def codes_below(name: str) -> dict[tuple[str, bool], set[str]]:
    """The code that made a table's columns, as the lines below it name it."""
    found = LINE.findall(page(f"results/tables/{name}.md"))
    return {(preset, scope == "for all tasks"): set(codes.split(", ")) for preset, scope, _, codes in found}


CODES = {  # of every column of a table task by task, whose size its name says
    (*column, "10k" if name.endswith("10k") else "1k"): codes
    for name in TASK_TABLES
    for column, codes in codes_below(name).items()
}


def network(preset: str, size: str, joint: bool | None = None, seed: str = "0", restarts: str | None = None) -> Network:
    """The runs of a preset as it stands on the published English text.

    Of several codes that did so with other settings of the preset, those that the line below its table names.
    """
    joint = JOINT.search(preset) is not None if joint is None else joint
    own = {"preset": preset, "size": size, "seed": seed, "source": "published", "variant": "en", "settings": ""}
    rows = [row for row in RUNS if own.items() <= row.items() and (" " in row["tasks"]) == joint]
    made_by = CODES.get((preset, joint, size), set()) if seed == "0" else set()
    if len({row["config"] for row in rows}) > 1:
        rows = [row for row in rows if row["code"] in made_by]
    number_of: dict[str, set[str]] = {}
    for row in rows:
        number_of.setdefault(row["restarts"], set()).add(row["tasks"])
    restarts = restarts or max(number_of, key=lambda key: len(number_of[key]))
    rows = [row for row in rows if row["restarts"] == restarts]
    if made_by and {row["code"] for row in rows} != made_by:
        raise ValueError(f"{preset}, {size}: the line below its table names other code than its runs")
    found = Network(preset, size, joint, rows)
    check_choice(found)
    return found


def check_choice(found: Network) -> None:
    """Refuse runs that lack restarts, or where another restart has a lower error of the kind that chooses."""
    runs: dict[str, list[Row]] = {}
    for row in found.rows:
        runs.setdefault(row["tasks"], []).append(row)
    for tasks, rows in runs.items():
        if sorted(int(row["replica"]) for row in rows) != list(range(found.restarts)):
            raise ValueError(f"{found.preset}, {tasks}: not a row for each restart")
        errors = [mean(list(by_task(row, f"{row['selection']}_error").values())) for row in rows]
        [chosen] = [error for error, row in zip(errors, rows, strict=True) if row["chosen"] == "1"]
        if chosen > min(errors):
            raise ValueError(f"{found.preset}, {tasks}: a restart that was not chosen has a lower {rows[0]['selection']} error")


def one(value: float | None) -> str:
    """One decimal, or nothing."""
    return "" if value is None else f"{value:.1f}"


def signed(ours: float | None, theirs: float | None) -> str:
    """A difference, where there are both."""
    return "" if ours is None or theirs is None else f"{ours - theirs:+.1f}"


def with_deviation(errors: list[float]) -> str:
    """Mean ± standard deviation, which one restart has none of."""
    if len(errors) < 2:
        return one(mean(errors)) if errors else ""
    return f"{mean(errors):.1f} ± {statistics.stdev(errors):.1f}"


def columns_of(name: str) -> list[Network]:
    """The networks of a table task by task, in the order of the lines below it."""
    size = "10k" if name.endswith("10k") else "1k"
    return [network(preset, size, joint) for preset, joint in codes_below(name)]


def heading(found: Network, mark: str = "") -> str:
    """What stands above a network's column."""
    joint = ", joint" if found.joint and not JOINT.search(found.preset) else ""
    return mark + found.preset + mark + joint + (f", {found.trained}" if found.trained else "")


def whose(part: Network) -> str:
    """What stands above the figures beside ours."""
    return "port" if PAPERS[part.preset] == PORT else "paper"


def task_table(name: str) -> list[Grid]:
    """A table of a paper, task by task."""
    parts = columns_of(name)
    there = [bool(part.paper[0] or part.paper[1]) for part in parts]
    head = ["task"]
    for part, paper in zip(parts, there, strict=True):
        head += [heading(part), "all restarts", *([whose(part), "difference"] if paper else [])]
    grid = [head]
    for task in sorted({task for part in parts for task in part.chosen}):
        line = [f"qa{task}"]
        for part, paper in zip(parts, there, strict=True):
            ours, theirs = part.chosen.get(task), part.paper[0].get(task)
            line += [one(ours), with_deviation(part.every.get(task, []))]
            line += [one(theirs), signed(ours, theirs)] if paper else []
        grid.append(line)
    averages, failed = ["mean"], ["failed (> 5 %)"]
    for part, paper in zip(parts, there, strict=True):
        same = [part.paper[0][task] > FAILED for task in part.chosen if task in part.paper[0]]
        averages += [one(part.mean), part.over_all]
        averages += [one(part.paper_mean), signed(part.mean, part.paper_mean)] if paper else []
        failed += [str(part.failed), ""]
        failed += [str(sum(same)) if same else "", ""] if paper else []
    return [[*grid, averages, failed]]


def task_csv(name: str) -> Grid:
    """The same as CSV."""
    grid = [["preset", "regime", "restarts", "size", "task", "chosen", "mean", "sd", "paper", "difference"]]
    for part in columns_of(name):
        for task, error in part.chosen.items():
            every, paper = part.every[task], part.paper[0].get(task)
            deviation = f"{statistics.stdev(every):.4g}" if len(every) > 1 else ""
            theirs = ["", ""] if paper is None else [f"{paper:g}", f"{error - paper:.4g}"]
            known = [part.preset, "joint" if part.joint else "single", str(part.restarts), part.size, f"qa{task}"]
            grid.append([*known, f"{error:g}", f"{mean(every):.4g}", deviation, *theirs])
    return grid


def summary() -> list[Grid]:
    """The columns of all tables of the papers, a line each, in the order that the page has; a column stands once."""
    grid = [["preset", "questions", "networks", "ours", "all restarts", "paper"]]
    for name in TASK_TABLES:
        for part in columns_of(name):
            line = summary_line(part)
            if line not in grid:
                grid.append(line)
    return [grid]


def summary_line(part: Network) -> list[str]:
    """A column in a line."""
    tasks = len(part.chosen)
    networks = f"1 for {tasks} tasks" if part.joint else f"{tasks}, one a task"
    networks += f", {part.trained or f'chosen from {part.restarts}'}"
    same = [part.paper[0][task] > FAILED for task in part.chosen if task in part.paper[0]]
    paper = beside(part) + (f" ({sum(same)})" if same else "")
    return [part.preset, part.size, networks, f"{part.mean:.1f} ({part.failed})", part.over_all, paper]


def beside(part: Network) -> str:
    """The mean that is printed for a network, and whether by a re-implementation."""
    if part.paper_mean is None:
        return ""
    return f"{part.paper_mean:.1f}" + (" (port)" if whose(part) == "port" else "")


README = (  # as its lines stand: what each network learned from, its presets for 1,000 and 10,000 questions
    ("answers, facts", "memnn-am-ng-nl", "memnn-am-ng-nl-10k"),
    ("answers", "pe-ls-rn", "pe-ls-rn"),
    ("answers", "dmn-plus", "dmn-plus-10k"),
    ("answers, facts", "dmn-plus-facts", "dmn-plus-facts-10k"),
    ("answers", "lstm", ""),
    ("answers", "transformer", "transformer-10k"),
    ("answers", "universal", "universal-10k"),
    ("answers", "universal-permute", "universal-permute-10k"),
)


def readme() -> list[Grid]:
    """The README's table, the networks' names as they stand there; then the sentence about the network in the package."""
    names = [line[0] for line in grids(page("README.md"))[0][1:]]
    own, of_studies = names[: len(README)], names[len(README) :]
    grid = [["network", "learns from", "1k: ours", "of", "paper", "10k: ours", "of", "paper"]]
    for name, (learns, few, many) in zip(own, README, strict=True):
        line = [name, learns]
        for size, preset in (("1k", few), ("10k", many)):
            part = network(preset, size) if preset else None
            all_of = f": {part.over_all}" if part and part.restarts > 1 else ""
            line += [f"{part.mean:.1f} ({part.failed})", f"{part.restarts}{all_of}", beside(part)] if part else [""] * 3
        grid.append(line)
    beside_printed = {
        "thousand": (DEHGHANI, TEN, "1k", "single"),
        "ten-thousand": (DEHGHANI, TEN if len(in_turn("ten-thousand")) > 1 else TEN_BEST, "10k", "single"),
        "thousand-facts": (CINGILLIOGLU, UMN, "1k", "single", "strong"),
        "thousand-joint": (DEHGHANI, TEN if len(in_turn("thousand-joint")) > 1 else TEN_BEST, "1k", "joint"),
    }
    studies = (
        ("answers", "thousand", "ten-thousand"),
        ("answers, facts", "thousand-facts", ""),
        ("answers", "thousand-joint", ""),
    )

    def in_print(study: str) -> str:
        by_number, average = printed_by(*beside_printed[study])
        had = [error for task, error in by_number.items() if task != 3]  # whose text of 10,000 questions could not be had
        return f"{mean(had) if study == 'ten-thousand' else average:.2f}"

    for name, (learns, *both) in zip(of_studies, studies, strict=True):
        line = [name, learns]
        for study in both:
            errors = [list(of_seed.values()) for of_seed in errors_of(study).values()] if study else []
            failed = sum(mean(list(of_task)) > FAILED for of_task in zip(*errors, strict=True))
            of_seeds = [mean(of_seed) for of_seed in errors]
            spread = f" ± {statistics.stdev(of_seeds):.2f}" if len(of_seeds) > 1 else ""
            ours = f"{mean(of_seeds):.2f}{spread} ({failed})" if study else ""
            line += [ours, str(len(IN_TURN[study][0])), in_print(study)] if study else [""] * 3
        grid.append(line)
    return [grid]


COMPARED = {  # what each model learned from, its presets for 1,000 and 10,000 questions
    "MemNN": ("answers, facts", "memnn-am-ng-nl", "memnn-am-ng-nl-10k"),
    "MemN2N": ("answers", "pe-ls-rn", "pe-ls-rn"),
    "MemN2N, permuted words": ("answers", "pe-ls-rn-permute", ""),
    "DMN+": ("answers", "dmn-plus", "dmn-plus-10k"),
    "DMN+, permuted words": ("answers", "dmn-plus-permute", "dmn-plus-permute-10k"),
    "LSTM with attention": ("answers", "lstm-attention", "lstm-attention-10k"),
    "LSTM with attention, permuted words": ("answers", "lstm-attention-permute", ""),
    "Transformer": ("answers", "transformer", "transformer-10k"),
    "Transformer, permuted words": ("answers", "transformer-permute", ""),
    "Universal Transformer": ("answers", "universal", "universal-10k"),
    "Universal Transformer, permuted words": ("answers", "universal-permute", "universal-permute-10k"),
    "MemN2N, facts": ("answers, facts", "pe-ls-rn-facts", ""),
    "DMN, facts": ("answers, facts", "dmn", "dmn-10k"),
    "DMN+, facts": ("answers, facts", "dmn-plus-facts", "dmn-plus-facts-10k"),
    "DMN+, facts, permuted words": ("answers, facts", "dmn-plus-facts-permute", ""),
}


def models_compared() -> list[Grid]:
    """What each model learned from and its errors; then the facts that it reads, and what it costs."""
    costs = {row["preset"]: row for row in read("models.csv")}
    head = ["restarts", "epochs", "training error", "error", "all restarts"]
    errors = [["model", "learns from", "1k: restarts", *head[1:], "10k: restarts", *head[1:]]]
    others = [["model", "facts read", "training s a task, 1k", "10k", "parameters", "ms an answer", "Mflop an answer"]]
    for model, (learns, few, many) in COMPARED.items():
        parts = [network(preset, size) if preset else None for size, preset in (("1k", few), ("10k", many))]
        line = [model, learns]
        for part in parts:
            if part is None:
                line += [""] * 5
                continue
            most = max(int(row["epochs"]) for row in part.rows)
            training = mean([float(row["train_error"]) for row in part.rows if row["chosen"] == "1"])
            line += [str(part.restarts), str(most), one(training)]
            line += [f"{part.mean:.1f} ({part.failed} of {len(part.chosen)})", part.over_all]
        errors.append(line)
        measured = [f"{part.seconds / len(part.chosen):.0f}" if part else "" for part in parts]
        cost = costs.get(few)
        measured += cost_cells(cost) if cost else []
        others.append([model, facts_read(few), *measured, *[""] * (5 - len(measured))])
    return [errors, others]


def cost_cells(cost: Row) -> list[str]:
    """Parameters, milliseconds and millions of operations."""
    return [f"{int(cost['parameters']):,}", f"{float(cost['milliseconds']):.2f}", f"{float(cost['flops']) / 1_000_000:.2f}"]


def facts_read(preset: str) -> str:
    """Precision and recall of the chosen networks, where the runs have them; means over tasks."""
    chosen = [row for row in network(preset, "1k").rows if row["chosen"] == "1"]
    shares = [[float(row[name]) for row in chosen if row[name] not in ("", "-")] for name in ("fact_precision", "fact_recall")]
    return ", ".join(f"{100 * mean(share):.0f} %" for share in shares if share)


def growing_memory() -> list[Grid]:
    """Error, time and memory by the statements of a story, where all are read and where a retriever finds what is read."""
    return [memory_grid("memory.csv"), memory_grid("memory_retrieved.csv")]


def memory_grid(file: str) -> Grid:
    """One of the two."""
    points = {(row["preset"], int(row["statements"])): row for row in read(file)}
    sizes = sorted({statements for _, statements in points})
    grid = [["model", *(f"{size:,}" for size in sizes)]]
    for model, (_, few, _) in COMPARED.items():
        line = []
        for size in sizes:
            row = points.get((few, size))
            numbers = [float(row[name]) for name in ("error", "milliseconds", "peak")] if row else []
            line.append("{:.1f} %, {:,.1f} ms, {:,.0f}".format(*numbers) if numbers else "")
        if any(line):
            grid.append([model, *line])
    return grid


def side_by_side(heads: list[str], parts: list[Network]) -> Grid:
    """The errors of chosen networks task by task, with the means and the tasks that fail."""
    grid = [["task", *(head + (f", {part.trained}" if part.trained else "") for head, part in zip(heads, parts, strict=True))]]
    for task in sorted({task for part in parts for task in part.chosen}):
        grid.append([f"qa{task}", *(one(part.chosen.get(task)) for part in parts)])
    grid.append(["mean", *(one(part.mean) for part in parts)])
    grid.append(["mean of all restarts", *(part.over_all for part in parts)])
    return [*grid, ["failed (> 5 %)", *(str(part.failed) for part in parts)]]


PERMUTED = ("pe-ls-rn", "dmn-plus", "dmn-plus-facts", "lstm-attention", "transformer", "universal")
SEEDED = [
    (preset, size, seed)
    for preset, size in (
        ("dmn-plus", "1k"),
        ("dmn-plus-permute", "1k"),
        ("dmn-plus-facts-permute", "1k"),
        ("dmn-plus-permute-10k", "10k"),
    )
    for seed in ("0", "1")
]


def permutation() -> list[Grid]:
    """Networks without and with permutation augmentation."""
    presets = [name for preset in PERMUTED for name in (preset, f"{preset}-permute")]
    return [side_by_side(presets, [network(preset, "1k") for preset in presets])]


def seeds() -> list[Grid]:
    """Networks with two seeds."""
    heads = [f"{preset}, {size}, seed {seed}" for preset, size, seed in SEEDED]
    return [side_by_side(heads, [network(preset, size, seed=seed) for preset, size, seed in SEEDED])]


IN_TURN = {  # presets, size, scope, and the column of printed errors
    "thousand": (("universal-canonical", "dmn-plus-canonical", "universal-permute-phrases"), "1k", "single"),
    "thousand-facts": (
        ("universal-canonical-facts", "dmn-plus-canonical-facts", "dmn-plus-facts-phrases"),
        "1k",
        "single",
    ),
    "thousand-joint": (("universal-canonical-joint",), "1k", "joint"),
    "ten-thousand": (("universal-canonical-10k", "universal-permute-10k"), "10k", "single"),
}
TEN_BEST, TEN = "UT w/ dynamic halting, best seed per task of 10", "UT w/ dynamic halting, mean over 10 seeds"
CINGILLIOGLU, UMN = "Cingillioglu", "UMN 1 invariant"
FIXED_DEPTH = "Universal Transformer (fixed depth)"
BEST_OF_TASK = ("Universal Transformer, of ten seeds the best for each task", DEHGHANI, TEN_BEST)
OF_FIXED_DEPTH = ("Universal Transformer, fixed depth", DEHGHANI, FIXED_DEPTH)
OF_TEN = ("Universal Transformer, mean of ten seeds", DEHGHANI, TEN)
IN_PRINT = {  # a study's lines of printed means: over seeds, then of a network chosen once
    "thousand": (
        [OF_TEN],
        [
            BEST_OF_TASK,
            OF_FIXED_DEPTH,
            ("GA+MAGE, which has coreferences from elsewhere", "Dhingra", "GA+MAGE (uses external coreference annotations)"),
            ("QRN, two layers", SEO, "QRN 2r"),
            ("QRN, three layers", SEO, "QRN 3r"),
            ("GMemN2N", SEO, "GMemN2N"),
            ("MemN2N", SUKHBAATAR, "MemN2N PE LS RN 3 hops"),
            ("QDREN", "Madotto", "QDREN"),
            ("UMN, one invariant", CINGILLIOGLU, UMN, "weak"),
            ("EntNet", "Henaff", "EntNet"),
        ],
    ),
    "thousand-facts": (
        [],
        [
            ("GGT-NN, which is also taught the state after each statement", "Johnson", "GGT-NN direct reference"),
            ("UMN, one invariant", CINGILLIOGLU, UMN, "strong"),
            ("DMN, which does not say how many questions it had", KUMAR, "DMN"),
            ("MemNN", SUKHBAATAR, "MemNN strongly supervised (AM+NG+NL)"),
            ("logic programs, partly written by hand (Mitra and Baral)", "Mitra", "ASP + ILP + statistical NLP"),
        ],
    ),
    "thousand-joint": (
        [OF_TEN],
        [
            BEST_OF_TASK,
            OF_FIXED_DEPTH,
            ("MemN2N", SUKHBAATAR, "MemN2N PE LS RN joint 3 hops"),
            ("match-memory network", "Samothrakis", "DMRNN-3"),
        ],
    ),
    "ten-thousand": (
        [OF_TEN],
        [
            BEST_OF_TASK,
            OF_FIXED_DEPTH,
            ("EntNet", "Henaff", "EntNet"),
            ("QRN, its later figure, all twenty tasks", SEO, "QRN (as cited by Universal Transformers)"),
            ("QRN, six layers, all twenty tasks", SEO, "QRN 6r200"),
        ],
    ),
}


def failed_in_print(paper: str, model: str, size: str, regime: str, supervision: str = "") -> str:
    """The failed tasks that a paper counts."""
    own = {"model": model, "train_size": size, "regime": regime, "task": "failed", "metric": "count"}
    own |= {"supervision": supervision} if supervision else {}
    counts = [row["value"] for row in PUBLISHED if own.items() <= row.items() and row["paper"].startswith(paper)]
    return counts[0] if counts else ""


def in_turn(study: str) -> dict[int, dict[str, Row]]:
    """By seed and task the network with the least validation error of those tried in turn, the first of equal ones."""
    presets, size, scope = IN_TURN[study]
    tasks = [task for task in TASKS if (size, task) != ("10k", "qa3")]
    found: dict[int, dict[str, Row]] = {}
    for preset in presets:
        own = {"preset": preset, "size": size, "source": "published", "variant": "en", "settings": "", "restarts": "1"}
        for row in (row for row in RUNS if own.items() <= row.items() and (" " in row["tasks"]) == (scope == "joint")):
            for place, task in enumerate(row["tasks"].split()):
                chosen = found.setdefault(int(row["seed"]), {})
                alone = {**row, **{name: row[name].split()[place] for name in ("validation_error", "test_error")}}
                if task not in chosen or float(alone["validation_error"]) < float(chosen[task]["validation_error"]):
                    chosen[task] = alone
    return {seed: chosen for seed, chosen in sorted(found.items()) if set(chosen) == set(tasks)}


def errors_of(study: str) -> dict[int, dict[str, float]]:
    """By seed and task the test error of the chosen network."""
    return {seed: {task: float(row["test_error"]) for task, row in rows.items()} for seed, rows in in_turn(study).items()}


def of_seeds(study: str) -> list[Grid]:
    """Errors task by task and seed by seed, and the means beside printed ones."""
    chosen, errors, (presets, size, scope) = in_turn(study), errors_of(study), IN_TURN[study]
    tasks = [task for task in TASKS if all(task in of_seed for of_seed in errors.values())]
    over_seeds, once = IN_PRINT[study]
    _, paper, model, *facts = once[1] if study == "thousand-facts" else once[0]
    theirs = {task: error for task, error in printed_by(paper, model, size, scope, *facts)[0].items() if f"qa{task}" in tasks}
    several = len(presets) > 1
    column = ["paper, UMN" if study == "thousand-facts" else "paper, best of ten"]
    many = len(chosen) > 1
    seeds = ["mean", "± sd", *(f"seed {seed}" for seed in chosen)] if many else ["error"]
    grid = [["task", *seeds, *["networks chosen"] * several, "validation", *column]]

    def in_cells(values: list[float], places: int) -> list[str]:
        every = [mean(values), statistics.stdev(values), *values] if many else values
        return [f"{value:.{places}f}" if places == 2 else one(value) for value in every]

    for task in tasks:
        own = [of_seed[task] for of_seed in errors.values()]
        names = [rows[task]["preset"] for rows in chosen.values()]
        order = sorted(dict.fromkeys(names), key=lambda name: -names.count(name))
        said = ", ".join(name + (f" x {names.count(name)}" if names.count(name) > 1 else "") for name in order)
        held_out = mean([float(rows[task]["validation_error"]) for rows in chosen.values()])
        line = [task, *in_cells(own, 1), *[said] * several, one(held_out)]
        grid.append([*line, one(theirs.get(number(task)))])
    means = [mean(list(of_seed.values())) for of_seed in errors.values()]
    failed = [sum(error > FAILED for error in of_seed.values()) for of_seed in errors.values()]
    empty = [""] * (1 + several)
    grid.append(["mean", *in_cells(means, 2), *empty, one(mean(list(theirs.values())))])
    over_all = str(sum(mean([of_seed[task] for of_seed in errors.values()]) > FAILED for task in tasks))
    failing = [over_all, ""] if many else []
    grid.append(["failed (> 5 %)", *failing, *map(str, failed), *empty, str(sum(error > FAILED for error in theirs.values()))])

    def held_out_of(seed: int, task: str) -> float:
        return float(chosen[seed][task]["validation_error"])

    best = []
    for task in tasks:
        seed = min(chosen, key=lambda seed: sum(held_out_of(seed, each) for each in (tasks if scope == "joint" else [task])))
        best.append(errors[seed][task])

    def printed(name: str, paper: str, model: str, *facts: str) -> list[str]:
        by_number, average = printed_by(paper, model, size, scope, *facts)
        same = [error for task, error in by_number.items() if f"qa{task}" in tasks]
        value = mean(same) if size == "10k" and same else average
        fails = str(sum(error > FAILED for error in same)) if same else failed_in_print(paper, model, size, scope, *facts)
        return ["", name, "" if value is None else f"{value:.2f}", fails]

    ours = ["ours, of the seeds the best by validation, of equal ones the first"] if many else ["ours"]
    ours += [f"{mean(best):.2f}", str(sum(error > FAILED for error in best))]
    beside = [["", "", "mean error", "failed"]]
    alone = []
    if several:
        rows = [row for row in RUNS if row["preset"] == presets[0] and row["settings"] == "" and int(row["seed"]) in chosen]
        first = [float(row["test_error"]) for row in rows]
        by_task_of_first = [[float(row["test_error"]) for row in rows if row["tasks"] == task] for task in tasks]
        fails = str(sum(mean(of) > FAILED for of in by_task_of_first))
        alone = [["", f"ours, {presets[0]} alone", f"{mean(first):.2f}", fails]]
    if many:
        both = [f"{mean(means):.2f}", over_all]
        beside += [["mean over seeds", f"ours, {len(chosen)} seeds", *both], *alone, *(printed(*line) for line in over_seeds)]
    beside += [["chosen once" if many else "", *ours], *([] if many else alone)]
    beside += [printed(*line) for line in once]
    beside += [] if many else [["mean over seeds", *printed(*line)[1:]] for line in over_seeds]
    return [grid, beside]


PARTS = {
    "as it is": "",
    "no phrases": "phrases=False",
    "synonyms apart": "synonyms=False",
    "groups as counted": "consistent=False",
    "own names": "canonical=False",
    "permuted names": "canonical=False permute=True",
    "masked words too": "cloze=1.0",
}


def parts_of_reading() -> list[Grid]:
    """The first candidate with one part of its reading changed."""
    own = {"preset": "universal-canonical", "size": "1k", "source": "published", "variant": "en", "seed": "5", "restarts": "1"}
    found = {
        name: {row["tasks"]: row for row in RUNS if own.items() <= row.items() and row["settings"] == changed}
        for name, changed in PARTS.items()
    }
    tasks = [task for task in TASKS if task not in ("qa2", "qa3")]
    grid = [["task", *PARTS]]
    grid += [[task, *(one(float(rows[task]["test_error"])) for rows in found.values())] for task in tasks]
    for name, kind in (("mean", "test_error"), ("mean, validation", "validation_error")):
        grid.append([name, *(f"{mean([float(rows[task][kind]) for task in tasks]):.2f}" for rows in found.values())])
    failed = [sum(float(rows[task]["test_error"]) > FAILED for task in tasks) for rows in found.values()]
    return [[*grid, ["failed (> 5 %)", *map(str, failed)]]]


STEPS = {"1,000": "epochs=56", "10,000": "epochs=556", "100,000": ""}
STEPS_TASKS = ("qa14", "qa16", "qa17", "qa19")
STEPS_CHANGED = {
    "as it is": "epochs=556",
    "adaptive halting, six steps": "epochs=556 halting=act layers=6",
    "width 128 and 512": "dim=128 epochs=556 hidden=512 lr=0.001",
    "places counted from the start": "epochs=556 time=absolute",
}


def training_steps() -> list[Grid]:
    """The Universal Transformer after ten and a hundred times as many steps."""
    own = {"preset": "universal-long", "size": "1k", "source": "published", "variant": "en", "seed": "0", "restarts": "1"}
    theirs = printed_by(DEHGHANI, TEN, "1k", "single")[0]
    grid = [["task", *(cell for steps in STEPS for cell in (f"{steps} steps: training", "validation", "test")), "paper"]]
    totals = [0.0] * 9
    for task in STEPS_TASKS:
        line = []
        for settings in STEPS.values():
            (row,) = [row for row in RUNS if (own | {"settings": settings, "tasks": task}).items() <= row.items()]
            line += [float(row[kind]) for kind in ("train_error", "validation_error", "test_error")]
        grid.append([task, *map(one, line), one(theirs.get(number(task)))])
        totals = [before + error for before, error in zip(totals, line, strict=True)]
    grid.append(["twenty tasks, at least", *(one(total / 20) for total in totals), ""])
    below = [["", "training", "validation", "test"]]
    for name, settings in STEPS_CHANGED.items():
        (row,) = [row for row in RUNS if (own | {"settings": settings, "tasks": "qa16"}).items() <= row.items()]
        below.append([name, *(one(float(row[kind])) for kind in ("train_error", "validation_error", "test_error"))])
    return [grid, below]


def questions() -> list[Grid]:
    """How many questions a task needs; of the MemNN with all three extensions."""
    preset = "memnn-am-ng-nl"
    found: dict[int, dict[int, float]] = {}
    for task, error in network(preset, "1k").chosen.items():
        found[task] = {1000: error}
    own = {"preset": preset, "size": "1k", "source": "published", "variant": "en", "seed": "0", "chosen": "1"}
    for few in (100, 250, 500):
        for row in RUNS:
            if own.items() <= row.items() and row["settings"] == f"questions={few}" and row["restarts"] == "5":
                found[number(row["tasks"])][few] = float(row["test_error"])
    printed = {
        row["task"]: row["value"].lower()
        for row in PUBLISHED
        if (row["model"], row["metric"]) == (PAPERS[preset][1], "n_examples_for_95")
    }
    sizes = (100, 250, 500, 1000)
    grid = [["task", "needed", "paper", *map(str, sizes)]]
    for task, errors in found.items():
        enough = [size for size in sizes if size in errors and errors[size] <= FAILED]
        needed = str(enough[0]) if enough else "fail"
        grid.append([f"qa{task}", needed, printed.get(str(task), ""), *(one(errors.get(size)) for size in sizes)])
    return [grid]


def retrieval() -> list[Grid]:
    """The facts that chosen networks read, in percent."""
    presets, measures = ("pe-ls-rn", "pe-ls-rn-facts", "memnn-am-ng-nl"), ("precision", "recall", "exact")
    head, lines, averages = ["task"], {f"qa{task}": [f"qa{task}"] for task in range(1, 21)}, ["mean"]
    for preset in presets:
        head += [f"{preset} precision", "recall", "exact", "by hop"]
        rows = {row["tasks"]: row for row in network(preset, "1k").rows if row["chosen"] == "1"}
        for task, line in lines.items():
            line += [share(rows[task][f"fact_{measure}"]) for measure in measures]
            line.append(" ".join(share(hop) or "-" for hop in rows[task]["fact_hops"].split("/")))
        for measure in measures:
            shares = [row[f"fact_{measure}"] for row in rows.values()]
            averages.append(one(mean([100 * float(value) for value in shares if value != "-"])))
        averages.append("")
    return [[head, *lines.values(), averages]]


def share(value: str) -> str:
    """In percent, nothing where there is none."""
    return "" if value == "-" else f"{100 * float(value):.1f}"


def error_analysis() -> list[Grid]:
    """What a network does not learn, and the tasks that fail with one thing changed."""
    preset = "universal-permute"
    few = {number(row["tasks"]): row for row in network(preset, "1k").rows if row["chosen"] == "1"}
    plain, many = network("universal", "1k").chosen, network(f"{preset}-10k", "10k").chosen
    theirs, _ = printed_by(*PAPERS["universal-act-permute"][:2], "1k", "single")
    head = [
        "task",
        "training",
        "held out",
        "test",
        "facts read",
        "test, not permuted",
        "test, 10k",
        "paper, 1k",
        "what is left",
    ]
    whole = [head]
    for task, row in sorted(few.items()):
        train, held, test = (float(row[f"{part}_error"]) for part in ("train", "validation", "test"))
        read_of_facts = "" if row["fact_recall"] in ("", "-") else f"{100 * float(row['fact_recall']):.0f} %"
        left = "nothing: learned"
        if test > FAILED:
            left = "overfitted: training error at most half the test error" if 2 * train <= test else "not found"
            if task in many:
                left += "; with 10,000 questions " + ("learned" if many[task] <= FAILED else "too it is left")
        others = [one(plain.get(task)), one(many.get(task)), one(theirs.get(task)), left]
        whole.append([f"qa{task}", f"{train:.1f}", f"{held:.1f}", f"{test:.1f}", read_of_facts, *others])
    changes = {
        "one restart": "",
        "facts taught": "supervision=facts",
        "not permuted": "permute=False",
        "no dropout": "dropout=0.0",
    }
    changed = [["task", *changes]]
    for name in ("qa3", "qa16", "qa17"):
        line = [name]
        for settings in changes.values():
            own = {"preset": preset, "size": "1k", "source": "published", "seed": "0", "restarts": "1", "tasks": name}
            [row] = [row for row in RUNS if own.items() <= row.items() and row["settings"] == settings]
            line.append("{:.1f}, {:.1f}, {:.0f} %".format(*(float(row[n]) * f for n, f in ERRORS_AND_RECALL)))
        changed.append(line)
    restarts = [["task", "each restart", "chosen"]]
    for name in ("qa16", "qa17"):
        own = {"preset": f"{preset}-10k", "size": "10k", "source": "published", "seed": "0", "restarts": "3", "tasks": name}
        rows = sorted((row for row in RUNS if own.items() <= row.items()), key=lambda row: int(row["replica"]))
        (best,) = [one(float(row["test_error"])) for row in rows if row["chosen"] == "1"]
        restarts.append([name, ", ".join(one(float(row["test_error"])) for row in rows), best])
    return [whole, changed, restarts]


ERRORS_AND_RECALL = (("train_error", 1), ("test_error", 1), ("fact_recall", 100))
NINE = ("qa1", "qa2", "qa4", "qa6", "qa9", "qa12", "qa14", "qa15", "qa20")


def attention() -> list[Grid]:
    """Scores and alignments: the settings of a line are read from its cells, then its runs are looked up."""
    grid = [["score", "alignment", "settings", *NINE, "mean"]]
    runs: dict[frozenset[str], list[Row]] = {}
    own = {"preset": "pe-ls-rn", "size": "1k", "source": "published", "variant": "en", "seed": "0", "restarts": "10"}
    for row in RUNS:
        if own.items() <= row.items():
            runs.setdefault(frozenset(row["settings"].split()), []).append(row)
    for score, align, rest in [line[:3] for line in grids(page("results/tables/attention.md"))[0][1:]]:
        kind, _, detail = align.partition(", ")
        settings = {"null=none", "selection=validation", *rest.split()}
        settings |= {f"score={score}"} if score != "dot" else set()
        settings |= {f"align={kind}"} if kind != "softmax" else set()
        settings |= {f"window={float(detail.removeprefix('window '))}"} if kind.startswith("local") else set()
        settings |= {f"baseline={detail}"} if kind == "hard" and detail != "none" else set()
        part = Network("pe-ls-rn", "1k", False, runs[frozenset(settings)])
        check_choice(part)
        cells = {f"qa{task}": f"{error:.1f} ({with_deviation(part.every[task])})" for task, error in part.chosen.items()}
        average = f"{one(part.mean)} ({part.over_all})" if len(cells) == len(NINE) else ""
        grid.append([score, align, rest, *(cells.get(task, "") for task in NINE), average])
    return [grid]


def transfer() -> list[Grid]:
    """Networks of published and of simulated questions, sets of 1,000, both tested on the published ones."""
    head = ["task", "published 1,000: mean ± sd of restarts", "published sets", "their mean", "simulated sets"]
    grid = [[*head, "their mean ± sd of restarts", "difference", "two standard errors"]]
    own = {"preset": "pe-ls-rn", "size": "1k", "variant": "en", "seed": "0", "settings": "", "restarts": "10"}
    for task in range(1, 21):
        sets: dict[str, dict[str, list[float]]] = {"published": {}, "resampled": {}, "transfer": {}}
        for row in RUNS:
            if own.items() <= row.items() and row["tasks"] == f"qa{task}" and row["source"] in sets:
                sets[row["source"]].setdefault(row["data"], []).append(float(row["test_error"]))
        [first] = sets["published"].values()
        theirs = [mean(errors) for errors in (first, *sets["resampled"].values())]
        ours = [mean(errors) for errors in sets["transfer"].values()]
        squares = sum((value - mean(part)) ** 2 for part in (ours, theirs) for value in part)
        pooled = squares / (len(ours) + len(theirs) - 2)
        two = 2 * (pooled / len(ours) + pooled / len(theirs)) ** 0.5
        within = mean([statistics.stdev(errors) for errors in sets["transfer"].values()])
        line = [
            f"qa{task}",
            with_deviation(first),
            f"{len(theirs)} ({min(theirs):.1f} to {max(theirs):.1f})",
            one(mean(theirs)),
        ]
        line += [", ".join(map(one, ours)), f"{mean(ours):.1f} ± {within:.1f}", f"{mean(ours) - mean(theirs):+.1f}", one(two)]
        grid.append(line)
    return [grid]


def trials() -> list[Grid]:
    """Cases and failures of the hard trials; their titles as they stand, in the order of the file or of the page."""
    printed = grids(page("docs/reliability.md"))[0]
    grid = [["test", "cases", "failures", "seconds", "slowest case, s", "most memory, MiB"]]
    for row, line in zip(read("trials.csv"), printed[1:], strict=True):
        in_processes = row["trial"].startswith(("crashes-", "killed-", "two-", "full-disk-"))
        numbers = [f"{int(row['cases']):,}", f"{int(row['failures']):,}", f"{float(row['seconds']):,.0f}"]
        memory = "" if in_processes else f"{int(row['memory']) / 2**20:,.0f}"
        grid.append([line[0], *numbers, f"{float(row['slowest']):.1f}", memory])
    return [grid]


OPEN = {(row["measure"], row["subject"]): float(row["value"]) for row in read("open.csv")}
TASKS = [f"qa{task}" for task in range(1, 21)]


def of_open(measure: str, tasks: list[str] = TASKS) -> list[float]:
    """The values of a measure, of the tasks that have it."""
    return [OPEN[measure, task] for task in tasks if (measure, task) in OPEN]


def open_page() -> list[Grid]:
    """What the network in the package makes of names that it has never met."""
    ours = {
        "as published": "published",
        "people renamed": "people",
        "everything renamed": "everything",
        "sys-bAbI": "sys-babi",
        "answerable refused": "refused",
        "unanswerable refused": "refused without evidence",
        "one fact missing, refused": "refused without one fact",
        "calibration error": "calibration",
    }
    papers = {
        "UT, best seed of each task": (DEHGHANI, "UT w/ dynamic halting, best seed per task of 10"),
        "UT, mean of 10 seeds": (DEHGHANI, "UT w/ dynamic halting, mean over 10 seeds"),
        "MemN2N": (SUKHBAATAR, "MemN2N PE LS RN joint 3 hops"),
    }
    heads = ["as published", *papers, *list(ours)[1:]]
    columns: dict[str, list[str]] = {}
    for head, measure in ours.items():
        values = of_open(measure)
        failed = str(sum(value > FAILED for value in values)) if list(ours).index(head) < 4 else ""
        columns[head] = [*(one(OPEN.get((measure, task))) for task in TASKS), f"{mean(values):.2f}", failed]
    for head, row in papers.items():
        errors, average = printed_by(*row, "10k", "joint")
        failed = str(sum(error > FAILED for error in errors.values()))
        columns[head] = [*(one(errors[number(task)]) for task in TASKS), "" if average is None else f"{average:.2f}", failed]
    names = [*TASKS, "mean", "failed (> 5 %)"]
    by_tasks = [["task", *heads], *([name, *(columns[head][line] for head in heads)] for line, name in enumerate(names))]
    return [by_tasks, systematic(), everyday(), size_and_speed()]


def systematic() -> Grid:
    """Means over the tasks that sys-bAbI changes, of ours and of the papers'."""
    grid = [["network", "tasks", "as published", "sys-bAbI", "gap"]]
    changed = [f"qa{task}" for task in (1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14)]
    without = [task for task in changed if task != "qa5"]
    for what, tasks in (("the 12 of the papers", without), ("the 13 that change", changed), ("all 20", TASKS)):
        before, after = mean(of_open("published", tasks)), mean(of_open("sys-babi", tasks))
        grid.append(["ours, open-joint", what, *(f"{value:.2f}" for value in (before, after, after - before))])
    found: dict[str, dict[str, float]] = {}
    for row in PUBLISHED:
        if row["metric"].startswith("sys_babi"):
            found.setdefault(row["model"], {})[row["metric"]] = float(row["value"])
    for model, values in found.items():
        before_after = [values.get("sys_babi_as_published"), values.get("sys_babi_renamed")]
        gap = "" if None in before_after else f"{before_after[1] - before_after[0]:.2f}"  # type: ignore[operator]
        cells = ["" if value is None else f"{value:.2f}" for value in before_after]
        grid.append([model, "the 12 of the papers", *cells, gap])
    return grid


def everyday() -> Grid:
    """Stories in everyday words, by their kind."""
    measures, kinds = ("everyday", "everyday refused"), [str(kind) for kind in range(1, 21)]
    lines = [[kind, *(one(OPEN[measure, kind]) for measure in measures)] for kind in kinds]
    means = [one(mean(of_open(measure, kinds))) for measure in measures]
    return [["kind", "answered right", "refused"], *lines, ["all", *means]]


def size_and_speed() -> Grid:
    """Of the network in the package."""
    known = {measure: value for (measure, of), value in OPEN.items() if of == "network"}
    return [
        ["of the network", ""],
        ["parameters", f"{known['parameters']:,.0f}"],
        ["file of weights, bytes", f"{known['bytes']:,.0f}"],
        ["a story of 50 statements and a question, ms", f"{known['ms story']:.2f}"],
        ["a question about 50 statements that are known, ms", f"{known['ms question']:.2f}"],
        ["memnet ask, start to answer, without importing torch, s", f"{known['s start']:.2f}"],
    ]


def permutation_page() -> list[Grid]:
    """The means without and with permutation augmentation; how many settings differ is not made from runs."""
    [printed] = grids(page("docs/permutation.md"))[-1:]
    grid = [printed[0]]
    for preset, line in zip(PERMUTED, printed[1:], strict=True):
        pair = [network(name, "1k") for name in (preset, f"{preset}-permute")]
        figures = [cell for own in pair for cell in (one(own.mean), str(own.restarts), own.over_all)]
        grid.append([preset, *figures, line[-1]])
    return [grid]


def baselines_page() -> list[Grid]:
    """The variants of the n-gram classifiers, in whole percent."""
    variants = {
        "counts in place of presence (--set weighting=counts)": "weighting=counts",
        "words only (--set ngrams=1)": "ngrams=1",
        "all sentences (--set features=story)": "features=story",
        "one classifier for all tasks (--joint)": "",
    }
    grid = [["variant", "ngram", "ngram-story"]]
    for variant, settings in variants.items():
        line = [variant]
        for preset in grid[0][1:]:
            own = {"preset": preset, "size": "1k", "source": "published", "variant": "en", "settings": settings}
            rows = [row for row in RUNS if own.items() <= row.items() and (" " in row["tasks"]) == (not settings)]
            line.append(f"{mean([error for row in rows for error in by_task(row, 'test_error').values()]):.0f} %")
        grid.append(line)
    return [grid]


class Equal(NamedTuple):
    """A model of the comparison on equal terms."""

    name: str
    strengths: tuple[str, str]  # its regularisation, weak and strong
    own: frozenset[str]  # settings that its preset has already, so that no row names them
    epochs: int
    widths: tuple[tuple[str, int], ...]
    aligned: bool = True  # whether hard attention is tried


DROPOUT = ("dropout=0.1", "dropout=0.3")
EQUAL = {
    "equal-memn2n": Equal("MemN2N", ("noise=0.0", "noise=0.1"), frozenset({"noise=0.0"}), 420, (("dim", 20),)),
    "equal-memnn": Equal(
        "MemNN", ("l2=0.0", "l2=0.0001"), frozenset({"l2=0.0", "supervision=facts"}), 160, (("dim", 50),), aligned=False
    ),
    "equal-dmn-plus": Equal("DMN+", DROPOUT, frozenset({"dropout=0.1"}), 36, (("dim", 80),)),
    "equal-lstm": Equal("LSTM with attention", DROPOUT, frozenset({"dropout=0.1", "lr=0.002"}), 26, (("dim", 64),)),
    "equal-transformer": Equal(
        "Transformer", DROPOUT, frozenset({"dropout=0.3", "lr=0.002"}), 31, (("dim", 64), ("hidden", 128))
    ),
    "equal-universal": Equal(
        "Universal Transformer", DROPOUT, frozenset({"dropout=0.3", "lr=0.002"}), 33, (("dim", 64), ("hidden", 128))
    ),
    "equal-causal": Equal(
        "causal Universal Transformer", DROPOUT, frozenset(), 21, (("dim", 128), ("hidden", 256)), aligned=False
    ),
}
RATES = ("lr=0.0007", "lr=0.002", "lr=0.006", "lr=0.02")
SEARCHED, FIVE = ("qa5", "qa10", "qa14"), ("qa2", "qa5", "qa7", "qa14", "qa18")


def equal_rows(model: str, settings: set[str], restarts: int, size: str = "1k", joint: bool = False) -> list[Row]:
    """All restarts of a model with these settings."""
    own = {"preset": model, "size": size, "restarts": str(restarts), "seed": "0", "source": "published", "variant": "en"}
    wanted = settings - EQUAL[model].own
    return [
        row
        for row in RUNS
        if own.items() <= row.items() and set(row["settings"].split()) == wanted and (" " in row["tasks"]) == joint
    ]


def equal_tried(model: str, rate: str, strength: str) -> list[Row]:
    """The networks of one pair of settings in the search."""
    needed = {"supervision=facts"} if model == "equal-memnn" else set()
    return [row for row in equal_rows(model, {rate, strength, *needed}, 1) if row["tasks"] in SEARCHED]


def equal_search(model: str) -> dict[tuple[str, str], float]:
    """Mean validation errors of the search, by learning rate and regularisation."""
    pairs = [(rate, strength) for rate in RATES for strength in EQUAL[model].strengths]
    return {pair: mean([float(row["validation_error"]) for row in equal_tried(model, *pair)]) for pair in pairs}


def equal_searched() -> list[Grid]:
    """The search of the comparison on equal terms."""
    grid = [["model", "learning rate", "weak", "strong", "seconds"]]
    for model, known in EQUAL.items():
        found = equal_search(model)
        for rate in RATES:
            seconds = sum(float(row["seconds"]) for strength in known.strengths for row in equal_tried(model, rate, strength))
            errors = [one(found[rate, strength]) for strength in known.strengths]
            grid.append([known.name, rate, *errors, f"{seconds:.0f}"])
    return [grid]


def equal_chosen(model: str) -> set[str]:
    """Settings with the least validation error in the search, the first of equal ones."""
    found = equal_search(model)
    return set(next(pair for pair, error in found.items() if error == min(found.values())))


def equal_usual(model: str, times: float | None = None) -> set[str]:
    """What was chosen with permuted words, or with facts where nothing else teaches; of so many times the epochs."""
    known, settings = EQUAL[model], equal_chosen(model)
    settings |= {"supervision=facts"} if model == "equal-memnn" else {"permute=True"}
    if times is not None:
        settings |= {f"epochs={round(known.epochs * times)}"}
    return settings


def equal_cells(rows: list[Row]) -> list[str]:
    """The figures of a line."""
    found = Network("", "", False, rows)
    training = [error for row in rows if row["chosen"] == "1" for error in by_task(row, "train_error").values()]
    shares = [
        [float(share) for row in rows if row["chosen"] == "1" for share in row[kind].split() if share != "-"]
        for kind in ("fact_precision", "fact_recall")
    ]
    spread = mean([statistics.stdev(errors) for errors in found.every.values()])
    return [
        one(mean(training)),
        f"{one(mean(list(found.chosen.values())))} ({sum(error > FAILED for error in found.chosen.values())})",
        f"{one(mean([mean(errors) for errors in found.every.values()]))} ± {one(spread)}",
        ", ".join(f"{100 * mean(of):.0f} %" for of in shares if of),
        f"{mean([float(row['seconds']) for row in rows]):.0f}",
    ]


STUDENT = {
    20: 2.093024,
    19: 2.100922,
    5: 2.776445,
}  # the 97.5 % point of Student's t of one degree of freedom less than there are tasks
EQUAL_HEAD = ["training error", "error (failed)", "all restarts", "facts read", "s a restart"]


def interval(own: dict[int, float], other: dict[int, float]) -> str:
    """What errors differ by, the mean over tasks and half its 95 % interval."""
    by = [own[task] - other[task] for task in own]
    half = STUDENT[len(by)] * (sum((value - mean(by)) ** 2 for value in by) / (len(by) - 1) / len(by)) ** 0.5
    return f"{mean(by):+.1f} ± {half:.1f}"


def equal_difference(own: Network, other: Network) -> str:
    """What the chosen networks differ by, in brackets all restarts."""
    all_of_own, all_of_other = ({task: mean(errors) for task, errors in one.every.items()} for one in (own, other))
    return f"{interval(own.chosen, other.chosen)} ({interval(all_of_own, all_of_other)})"


def equal_way(model: str, way: str) -> set[str]:
    """The settings of a way in which a model learns. A MemNN has words as they are, and learns by trial without facts."""
    settings = equal_chosen(model) | ({"supervision=facts"} if way.startswith("facts") else set())
    if model != "equal-memnn":
        return settings | ({"permute=True"} if way.endswith("permuted") else set())
    trial = {"align=hard", "samples=5", "time=age", "supervision=answers", "epochs=24"}
    return settings | (set() if way.startswith("facts") else trial)


def equal_of_all() -> list[Grid]:
    """Every model, from answers and facts, words as they are and permuted; what each way changes; and the pairs of models."""
    grid = [["model", "learns from", *EQUAL_HEAD]]
    ways = ("answers", "answers, permuted", "facts", "facts, permuted")
    gained = [["model", *ways[1:]]]
    networks: dict[str, dict[str, Network]] = {way: {} for way in ways}
    for model, known in EQUAL.items():
        for way in ways:
            rows = [row for row in equal_rows(model, equal_way(model, way), 5) if row["tasks"] in TASKS]
            networks[way][known.name] = Network("", "", False, rows)
            if model != "equal-memnn" or "permuted" not in way:
                grid.append([known.name, way, *equal_cells(rows)])
        if model != "equal-memnn":
            first, *others = (networks[way][known.name] for way in ways)
            gained.append([known.name, *(equal_difference(other, first) for other in others)])
    return [grid, gained, *(table for way in ways for table in equal_pairs(networks[way]))]


def equal_pairs(found: dict[str, Network]) -> list[Grid]:
    """Errors task by task, of the chosen and of all restarts, and those of one model less those of each after it."""
    names = list(found)
    by = [["task", *names]]
    for task in sorted(found[names[0]].chosen):
        every = [own.every[task] for own in found.values()]
        said = [f"{one(mean(of))} ± {one(statistics.stdev(of))}" for of in every]
        by.append([f"qa{task}", *(f"{one(own.chosen[task])} ({of})" for own, of in zip(found.values(), said, strict=True))])
    grid = [["row less column", *names[1:]]]
    for place, name in enumerate(names[:-1]):
        grid.append([name, *[""] * place, *(equal_difference(found[name], found[other]) for other in names[place + 1 :])])
    return [by, grid]


def equal_many(joint: bool) -> list[Grid]:
    """Two restarts: ten times the questions with three tenths of the epochs, or one network for all tasks, not permuted."""
    grid, found = [["model", *EQUAL_HEAD]], {}
    for model, known in EQUAL.items():
        settings = equal_chosen(model) if joint else equal_usual(model, 0.3)
        if model == "equal-memnn":
            settings |= {"supervision=facts", "epochs=24"} if joint else {"supervision=facts"}
        rows = equal_rows(model, settings, 2, "1k" if joint else "10k", joint)
        grid.append([known.name, *equal_cells(rows)])
        found[known.name] = Network("", "", joint, rows)
    return [grid, *equal_pairs(found)]


def equal_changed(what: str) -> list[Grid]:
    """What time, width or alignment changes, on five tasks, and how far each line is from the one that it is held against."""
    costs = {(row["preset"], int(row["width"])): cost_cells(row) for row in read("models.csv")} if what == "width" else None
    against = {"time": "Universal Transformer", "width": "as it is", "alignment": "softmax"}[what]
    head = ["model", what, *EQUAL_HEAD, f"minus {against}"]
    grid = [[*head, *(["parameters", "ms an answer", "Mflop an answer"] if costs else [])]]
    lines: dict[tuple[str, str], tuple[Network, list[str]]] = {}
    for model, known in EQUAL.items():
        usual = equal_usual(model)
        widths = {times: usual | {f"{name}={round(width * times)}" for name, width in known.widths} for times in (0.5, 2.0)}
        changed = {
            "time": {
                "a ninth": equal_usual(model, 1 / 9),
                "a third": equal_usual(model, 1 / 3),
                "as it is": usual,
                "three times": equal_usual(model, 3),
            },
            "width": {"half": widths[0.5], "as it is": usual, "double": widths[2.0]},
            "alignment": {
                "softmax": usual,
                "argmax": usual | {"align=argmax"},
                "REINFORCE": usual | {"align=hard", "samples=5"},
            },
        }
        for name, settings in changed[what].items():
            if what != "alignment" or known.aligned:
                rows = [row for row in equal_rows(model, settings, 5) if row["tasks"] in FIVE]
                width = round(known.widths[0][1] * {"half": 0.5, "double": 2}.get(name, 1))
                lines[known.name, name] = Network("", "", False, rows), costs[model, width] if costs else []
    for (model_name, name), (own, of_answer) in lines.items():
        other = (against, name) if what == "time" else (model_name, against)
        less = "" if other == (model_name, name) else equal_difference(own, lines[other][0])
        grid.append([model_name, name, *equal_cells(own.rows), less, *of_answer])
    return [grid]


OWN_RECIPES = (  # model on equal terms, what it learns from, the preset of the other tables and its restarts
    ("equal-memn2n", "answers", "pe-ls-rn", 10),
    ("equal-memn2n", "answers, permuted", "pe-ls-rn-permute", 10),
    ("equal-memn2n", "facts", "pe-ls-rn-facts", 10),
    ("equal-memnn", "facts", "memnn-am-ng-nl", 5),
    ("equal-dmn-plus", "answers", "dmn-plus", 2),
    ("equal-dmn-plus", "answers, permuted", "dmn-plus-permute", 1),
    ("equal-dmn-plus", "facts", "dmn-plus-facts", 1),
    ("equal-dmn-plus", "facts, permuted", "dmn-plus-facts-permute", 1),
    ("equal-lstm", "answers", "lstm-attention", 1),
    ("equal-lstm", "answers, permuted", "lstm-attention-permute", 1),
    ("equal-transformer", "answers", "transformer", 1),
    ("equal-transformer", "answers, permuted", "transformer-permute", 1),
    ("equal-universal", "answers", "universal", 3),
    ("equal-universal", "answers, permuted", "universal-permute", 3),
)


def equal_and_own() -> list[Grid]:
    """Every network by the recipe of our other tables and by the one that is the same for all, of all restarts."""

    def mean_of_all(rows: list[Row]) -> tuple[dict[int, float], str, float]:
        every = Network("", "", False, rows).every
        means = {task: mean(errors) for task, errors in every.items()}
        spreads = [statistics.stdev(errors) for errors in every.values() if len(errors) > 1]
        said = one(mean(list(means.values()))) + (f" ± {one(mean(spreads))}" if spreads else "")
        return means, said, mean([float(row["seconds"]) for row in rows])

    head = ["model", "learns from", "its own recipe", "restarts", "error, own", "s a restart, own"]
    grid = [[*head, "error, equal", "s a restart, equal", "own less equal"]]
    ways = ("answers", "answers, permuted")
    owned: dict[str, dict[str, dict[int, float]]] = {way: {} for way in ways}
    shared: dict[str, dict[str, dict[int, float]]] = {way: {} for way in ways}
    for way, model in ((way, model) for way in ways for model in EQUAL):
        if way == "answers" or model != "equal-memnn":
            rows = [row for row in equal_rows(model, equal_way(model, way), 5) if row["tasks"] in TASKS]
            shared[way][EQUAL[model].name] = mean_of_all(rows)[0]
    for model, way, preset, restarts in OWN_RECIPES:
        wanted = {"preset": preset, "size": "1k", "seed": "0", "source": "published", "variant": "en", "settings": ""}
        rows = [row for row in RUNS if wanted.items() <= row.items() and row["tasks"] in TASKS]
        own, own_said, own_seconds = mean_of_all([row for row in rows if row["restarts"] == str(restarts)])
        rows = [row for row in equal_rows(model, equal_way(model, way), 5) if row["tasks"] in TASKS]
        equal, equal_said, equal_seconds = mean_of_all(rows)
        line = [
            EQUAL[model].name,
            way,
            preset,
            str(restarts),
            own_said,
            f"{own_seconds:.1f}",
            equal_said,
            f"{equal_seconds:.1f}",
        ]
        grid.append([*line, interval(own, equal)])
        if way in owned:
            owned[way][EQUAL[model].name] = own
    pairs = []
    for way in ways:
        names = list(owned[way])
        across = [[name, *(interval(own, equal) for equal in shared[way].values())] for name, own in owned[way].items()]
        among = [
            [name, *[""] * place, *(interval(owned[way][name], owned[way][other]) for other in names[place + 1 :])]
            for place, name in enumerate(names[:-1])
        ]
        pairs += [[["row less column", *shared[way]], *across], [["row less column", *names[1:]], *among]]
    return [grid, *pairs]


PAGES = {  # page -> what makes its tables again, besides those task by task
    "results/tables/summary.md": summary,
    "results/tables/comparison.md": lambda: [*models_compared(), *growing_memory()],
    "results/tables/permutation.md": permutation,
    "results/tables/equal-search.md": equal_searched,
    "results/tables/equal.md": equal_of_all,
    "results/tables/equal-time.md": lambda: equal_changed("time"),
    "results/tables/equal-width.md": lambda: equal_changed("width"),
    "results/tables/equal-align.md": lambda: equal_changed("alignment"),
    "results/tables/equal-10k.md": lambda: equal_many(joint=False),
    "results/tables/equal-joint.md": lambda: equal_many(joint=True),
    "results/tables/equal-own.md": equal_and_own,
    "results/tables/seeds.md": seeds,
    **{f"results/tables/{study}.md": partial(of_seeds, study) for study in IN_TURN},
    "results/tables/thousand-parts.md": parts_of_reading,
    "results/tables/training-steps.md": training_steps,
    "results/tables/questions.md": questions,
    "results/tables/retrieval.md": retrieval,
    "results/tables/error-analysis.md": error_analysis,
    "results/tables/attention.md": attention,
    "results/tables/transfer.md": transfer,
    "results/open.md": open_page,
    "README.md": readme,
    "docs/results.md": lambda: [*summary(), *models_compared(), *growing_memory()],
    "docs/reliability.md": trials,
    "docs/permutation.md": permutation_page,
    "docs/baselines.md": baselines_page,
}
ALL_PAGES = (*(f"results/tables/{name}.md" for name in TASK_TABLES), *PAGES)


def made_again(path: str) -> list[Grid]:
    """What the tables of a page should be."""
    return PAGES[path]() if path in PAGES else task_table(Path(path).stem)


LINE_OF_A_COLUMN = re.compile(
    r"- `(?P<preset>[\w-]+)`: one network (?P<scope>for all tasks|a task), (?P<tasks>\d+) task\(s\), "
    r"(?P<restarts>fitted once|one restart|\d+ restarts, chosen by the lowest \w+ error)"
    r"(?:; (?P<epochs>[\d to]+) epochs[^,;]*(?:, permutation augmentation)?)?, seed (?P<seed>\d+); published data \w+; "
    r"(?P<seconds>[\d,]+) s of one core; torch (?P<torch>.*?), numpy (?P<numpy>.*?), python (?P<python>[\d., ]+?)"
    r"(?:, on (?P<machines>.*?))?, code (?P<code>[0-9a-f, ]+)\."
    r"(?: (?:The paper prints|A re-implementation has) a mean of (?P<mean>[\d.]+)\.)?(?P<rest>.*)"
)


def lines_below(name: str) -> list[Cell]:
    """The figures in the lines below a table, each of which says how a column was made."""
    cells = []
    for line in page(f"results/tables/{name}.md").splitlines():
        found = LINE_OF_A_COLUMN.match(line)
        if not found:
            continue
        size = "1k" if found["tasks"] == "20" else "10k"
        part = network(found["preset"], size, found["scope"] == "for all tasks", found["seed"])
        expected = in_words(part) | {
            kind: ", ".join(sorted({row[kind] for row in part.rows})) for kind in ("torch", "numpy", "python", "code")
        }
        where = f"results/tables/{name}.md, line of {part.preset}, {size}"
        cells += [Cell(f"{where}: {key}", found[key] or "", value) for key, value in expected.items()]
        if "Head similarity" in line:
            cells.append(Cell(f"{where}: heads", " ".join(re.findall(r"\d\.\d\d", found["rest"])), head_similarity(part)))
    return cells


def in_words(part: Network) -> dict[str, str]:
    """What the line of a column says of its runs."""
    row = part.rows[0]
    rule = {"train": "training", "validation": "validation"}[row["selection"]]
    epochs = sorted({int(row["epochs"]) for row in part.rows})
    fitted = part.preset in BASELINES
    return {
        "tasks": str(len(part.chosen)),
        "restarts": part.trained or f"{part.restarts} restarts, chosen by the lowest {rule} error",
        "epochs": "" if fitted else " to ".join(map(str, dict.fromkeys((epochs[0], epochs[-1])))),
        "seconds": f"{part.seconds:,.0f}",
        "machines": ", ".join(sorted({row["machine"] for row in part.rows} - {""})),
        "mean": "" if part.paper[1] is None else f"{part.paper[1]:g}",
    }


def head_similarity(part: Network) -> str:
    """The means over tasks, layer by layer, then the lowest and the highest of all."""
    found = [list(map(float, row["head_similarity"].split("/"))) for row in part.rows if row["chosen"] == "1"]
    values = [value for layers in found for value in layers]
    means = [mean([layers[place] for layers in found]) for place in range(len(found[0]))]
    return " ".join(f"{value:.2f}" for value in (*means, min(values), max(values)))


def compared(where: str, expected: list[Grid], printed: list[Grid]) -> list[Cell]:
    """Every cell of tables that are made again, found by their heads, those of one head in order; a missing one is one cell."""
    cells, left = [], list(printed)
    for grid in expected:
        same = [one for one in left if one[0] == grid[0]]
        if not same:
            cells.append(Cell(where, "no table with this head", " | ".join(grid[0])))
            continue
        found = same[0]
        del left[next(place for place, one in enumerate(left) if one is found)]
        cells.append(Cell(f"{where}: lines of the table '{grid[0][0]}'", str(len(found)), str(len(grid))))
        for line, its in zip(grid, found, strict=False):
            cells += [
                Cell(f"{where}: {line[0]}, column {column + 1} ({grid[0][column]})", theirs, ours)
                for column, (ours, theirs) in enumerate(zip(line, its, strict=True))
            ]
    return cells


def csv_of(name: str) -> list[Grid]:
    """The tables of a CSV file, an empty line between two."""
    text = (RESULTS / "tables" / f"{name}.csv").read_text(encoding="utf-8")
    return [list(csv.reader(block.splitlines())) for block in text.split("\n\n")]


def sentences(path: str) -> list[str]:
    """Sentences with figures outside tables that a page must have."""
    published = of_open("published")
    if path == "README.md":
        failed = sum(error > FAILED for error in published)
        return [f"has {mean(published):.1f} % error, {failed} of 20 tasks failed"]
    if path == "results/tables/transfer.md":
        outside = [line[0] for line in transfer()[0][1:] if abs(float(line[6])) > float(line[7])]
        return [f"{20 - len(outside)} of 20 differences are within two standard errors; not {', '.join(outside)}."]
    if path == "results/tables/seeds.md":
        parts = [network(preset, size, seed=seed) for preset, size, seed in SEEDED]
        return [
            f"- `{part.preset}`, {part.size}, seed {part.rows[0]['seed']}: chosen from {part.restarts}, {part.seconds:,.0f} s "
            f"of one core; code {', '.join(sorted({row['code'] for row in part.rows}))}."
            for part in parts
        ]
    if path == "results/tables/permutation.md":
        pairs = [[network(name, "1k") for name in (preset, f"{preset}-permute")] for preset in PERMUTED]
        return [f"`{a.preset}`, `{b.preset}`: chosen from {a.restarts} and {b.restarts};" for a, b in pairs]
    return [
        f"- `{preset}` on **simulated** stories of qa3, whose published 10k text was not at hand (not in the table, the mean "
        f"or the failed tasks){changed}: {error} % of simulated test questions, all restarts {error}; "
        for preset, changed, error in simulated(Path(path).stem)
    ]


SIMULATED = {  # with what changed
    "dmn-plus-10k": "epochs=15",
    "dmn-plus-permute-10k": "epochs=15",
    "universal-10k": "epochs=15",
    "universal-permute-10k": "",
}


def simulated(name: str) -> list[tuple[str, str, str]]:
    """The presets of a table that were trained on simulated stories too: with what changed, and the test error.

    Of several codes that did so with other settings of the preset, that of the column.
    """
    found = []
    for part in columns_of(name) if name in TASK_TABLES and name.endswith("10k") else []:
        if part.preset not in SIMULATED:
            continue
        settings = SIMULATED[part.preset]
        own = {"preset": part.preset, "size": "10k", "source": "simulated", "tasks": "qa3", "settings": settings}
        rows = [row for row in RUNS if own.items() <= row.items()]
        if len(rows) > 1:
            rows = [row for row in rows if row["code"] in CODES[part.preset, False, "10k"]]
        [row] = rows
        found.append((part.preset, f", with {settings}" if settings else "", one(float(row["test_error"]))))
    return found


def check(path: str) -> list[Cell]:
    """Every cell of a page and of the CSV beside it, and the figures in the lines below its table."""
    expected, name, text = made_again(path), Path(path).stem, page(path)
    cells = compared(path, expected, grids(text))
    cells += [Cell(path, known if known in " ".join(text.split("\n")) else "missing", known) for known in sentences(path)]
    if path.startswith("results/tables/"):
        as_csv = [task_csv(name)] if name in TASK_TABLES else expected
        cells += compared(path.replace(".md", ".csv"), as_csv, csv_of(name))
        cells += lines_below(name)
    return cells


def main() -> int:
    """Print what was compared; 1 where a cell differs."""
    total = figures = wrong = 0
    for path in ALL_PAGES:
        cells = check(path)
        holding = [cell for cell in cells if cell.figure]
        print(f"{path:<36} {len(cells):>5} cells, {len(holding):>5} of them figures")
        for cell in cells:
            if not cell.right:
                print(f"  {cell.where}: printed {cell.printed!r}, recomputed {cell.expected!r}")
        total, figures = total + len(cells), figures + len(holding)
        wrong += sum(not cell.right for cell in cells)
    print(f"{total:,} cells, {figures:,} of them figures; {wrong} differ")
    return int(wrong > 0)


if __name__ == "__main__":
    raise SystemExit(main())
