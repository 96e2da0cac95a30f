"""The model card: what a network is, its data, its errors, its use and its limits."""

from __future__ import annotations

from collections.abc import Sequence

from memnet.config import RULES
from memnet.markdown import markdown_table
from memnet.models import MODELS
from memnet.tasks.families import ALL, FAMILIES, Name, all_of
from memnet.training.dataset import DataSet
from memnet.training.result import Result, mean_error
from memnet.training.spec import Spec, settings
from memnet.version import VERSION


def unusable_facts(spec: Spec, data: DataSet) -> str:
    """Which training questions have supporting facts that cannot be learned from as they are listed, empty where none has."""
    counts = data.facts
    if spec.config.supervision != "facts" or not (counts.missing or counts.many or counts.beyond):
        return ""
    return (
        f"supporting facts of {counts.questions} training questions: {counts.missing} list none, {counts.many} more than there "
        f"are hops ({spec.config.excess_facts}), {counts.beyond} some that the memory no longer holds; those of {counts.used} "
        "are learned from"
    )


def cell(value: float | None, digits: int = 1) -> str:
    """A number of a card's table, or nothing."""
    return "" if value is None else f"{value:.{digits}f}"


def choice(spec: Spec, result: Result) -> str:
    """What the network was chosen from and by what, and the errors of all that were trained to the end, as lines of a list."""
    if spec.restarts == 1:
        return "- one network was trained; the test set chose nothing"
    means = sorted(mean_error(row, "test") for row in result.rows if row["tasks"])
    rule = RULES[spec.config.selection]
    over_all = f"{means[0]:.1f} to {means[-1]:.1f} %" if len(means) > 1 else f"{means[0]:.1f} %"
    return (
        f"- replica {result.chosen + 1} of {spec.restarts}, chosen by the lowest {rule} error; the test set chose nothing\n"
        f"- mean test error of the {len(means)} that were trained to the end: {over_all}"
    )


def card(spec: Spec, result: Result, data: DataSet) -> str:
    """The model card: what the network is, its data, its errors, its use and its limits."""
    chosen = result.rows[result.chosen]
    head = ["data set", "train error %", "validation error %", "test error %", "fact recall"]
    parts = ("train_error", "validation_error", "test_error")
    tasks = chosen["tasks"].items()
    rows = [[name, *(cell(task[part]) for part in parts), cell(task["fact_recall"], 3)] for name, task in tasks]
    if len(rows) > 1:
        rows.append(["mean", *(f"**{mean_error(chosen, part):.1f}**" for part in ("train", "validation", "test")), ""])
    table = markdown_table(head, rows, "lllll")
    extra = f", changed: {settings(spec)}" if settings(spec) else ""
    unusable = unusable_facts(spec, data)
    facts = f"\n- {unusable}" if unusable else ""
    started = f"\n- training started from a trained network, weights {data.start.hash}" if data.start else ""
    streamed = (
        f"\n- {spec.config.epochs} epochs of fresh simulated questions, about {spec.config.stream:,} a data set"
        if spec.config.stream
        else ""
    )
    moved = "".join(f"\n- {line}" for line in data.vocabulary.normalizer.describe())
    moved += f"\n- words permuted in training: {data.permutation.describe()}" if data.permutation else ""
    learned = ", ".join(names_for_people(spec.data))
    return f"""---
library_name: memnet-qa
tags: [question-answering, memory-network]
---
# {spec.model}, {spec.preset}: {learned}

{MODELS[spec.model].title} that answers questions about a story of short sentences, made with memnet {VERSION} by

    {command(spec, data)}

- data: {data_of(spec)}
- preset `{spec.preset}`{extra}, seed {spec.seed}
{choice(spec, result)}{started}{streamed}{facts}{moved}

{table}

Use: `memnet ask FOLDER`, `memnet eval FOLDER`. Limits: it knows the kind of story that it was trained on, of up to
{int(data.train.count.max())} statements, remembers the {spec.config.memory_size} most recent, {words_of(data)}.
"""


def data_of(spec: Spec) -> str:
    """Which stories a network has learned from, and the hash by which they are known again."""
    titles = ", ".join(dict.fromkeys(FAMILIES[name.partition("/")[0]].title for name in spec.data))
    return f"{titles}; {' '.join(names_for_people(spec.data))}; hash {spec.short_hash}"


def names_for_people(names: Sequence[str]) -> list[str]:
    """Names of data sets as a command takes them: those of a whole family in one."""
    first = Name.read(names[0])
    if first and first.family in FAMILIES and len(names) > 1:
        whole = [str(first._replace(member=member)) for member in all_of(FAMILIES[first.family])]
        if list(names) == whole:
            return [str(first._replace(member=ALL))]
    return list(names)


def command(spec: Spec, data: DataSet) -> str:
    """The command that made the network; FOLDER, FILE and RUN stand for what it was given of one's own."""
    own_stories = all(FAMILIES[name.partition("/")[0]].made == "own" for name in spec.data)
    parts = ["memnet train", *(["FOLDER"] if own_stories else names_for_people(spec.data))]
    parts += ["--joint"] if len(spec.data) > 1 else []
    parts += [f"--preset {spec.preset}"]
    parts += [f"--set {setting}".replace("=True", "=true").replace("=False", "=false") for setting in settings(spec).split()]
    parts += [f"--restarts {spec.restarts}"] if spec.restarts != spec.config.default_restarts else []
    parts += [f"--seed {spec.seed}"] if spec.seed else []
    parts += ["--vectors FILE"] if data.vectors is not None else []
    parts += ["--names FILE"] if data.entities is not None and data.entities.given else []
    parts += ["--start-from RUN"] if data.start is not None else []
    return " ".join(parts)


def words_of(data: DataSet) -> str:
    """What a network makes of words, as the end of a sentence."""
    if data.vocabulary.markers:
        return f"and takes every word that it does not know for a name; up to {len(data.vocabulary.markers)} names a story"
    return "and answers with a word of its training text"
