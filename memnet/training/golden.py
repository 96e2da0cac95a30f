"""Golden weights: what every preset has learned after two epochs on fixed stories, to hold changed code against.

The stories and the digests stand in ``tests/golden``. ``python scripts/declare_code.py`` compares them with what today's code
learns and, where nothing differs, declares it equal to the code on record (:mod:`memnet.record.provenance`).
"""

from __future__ import annotations

import csv
import hashlib
import io
import math
from collections.abc import Iterable
from dataclasses import astuple, dataclass, fields, replace
from pathlib import Path
from typing import Any

import torch

from memnet.config import Training, override, parse_settings
from memnet.errors import TrainingError
from memnet.files import write_atomically
from memnet.papers import PRESETS
from memnet.record.provenance import code_name, machine
from memnet.tasks.families import find
from memnet.training.dataset import DataSet
from memnet.training.evaluate import evaluate
from memnet.training.loop import train_networks
from memnet.training.spec import specify

FILE = "weights.csv"
SUMS = ("size", "angle", "loss")
CLOSE = 2e-3  # how far a sum may be from the one on file where another processor or version rounds otherwise, as a share
DRAWN_CLOSE = 5e-2  # the same where memories are drawn: a chance that is rounded otherwise draws another one
SOLVED_CLOSE = 1e-2  # the same where a solver stops within its tolerance: where that is depends on rounding
SHORT = {"epochs": 2, "batch": 8, "linear_start": 1, "softmax_epochs": 1, "halve_every": 1}
NO_STREAM: dict[str, Any] = {
    "stream": 0,
    "phrasing": 0.0,
    "background": 0,
    "facts_alone": 0.0,
}  # the simulator may change, the stories not
VARIANTS = (  # settings of runs on record that no preset has
    *(
        f"pe-ls-rn null=none align={one}"
        for one in ("argmax score=concat", "local_m window=5 score=concat", "local_p window=5 score=general")
    ),
    *(
        "pe-ls-rn null=none align=sparsemax",
        "pe-ls-rn null=none score=general",
        "pe-ls-rn encoding=pe",
        "pe-ls-rn decoder=words",
    ),
    *(
        f"pe-ls-rn null=none align=hard samples=5 softmax_epochs=1 baseline={one}"
        for one in ("none", "mean", "loo score=concat")
    ),
    *(f"equal-{model} align=argmax" for model in ("memn2n", "dmn-plus", "lstm", "transformer", "universal")),
    *(f"equal-{model} align=hard samples=5" for model in ("memn2n", "dmn-plus", "lstm", "transformer", "universal")),
    *(f"equal-{model} supervision=facts" for model in ("memn2n", "dmn-plus", "lstm", "transformer", "universal", "causal")),
    *("equal-memnn align=hard supervision=answers time=age samples=5", "memnn-am-ng-nl blocks=0 scheduled_sampling=0"),
    *("dmn-plus supervision=facts decoder=words", "dmn-plus-facts stop=true", "dmn-plus-10k optimizer=adamw l2=0 decay=0.2"),
    *("universal-canonical cloze=1", "universal-long time=absolute", "ngram-story weighting=counts", "ngram features=story"),
)


@dataclass(frozen=True)
class Golden:
    """What the networks of a case have learned: a digest, and sums for processors that round otherwise."""

    case: str
    digest: str  # of the weights, and of what the networks answer and read
    size: float  # of the weights: the root of their mean square
    angle: float  # their sum, each times a cosine of its place
    loss: float  # mean over the test questions
    code: str = ""
    torch: str = ""
    machine: str = ""

    def same_maker(self, other: Golden) -> bool:
        """Whether both were computed by the same version on one kind of processor, so that every bit must agree."""
        return (self.torch, self.machine) == (other.torch, other.machine)

    def differs(self, other: Golden) -> bool:
        """In any bit; or, where another version or processor computed it, in a sum.

        A solver's weights are compared by sums in any case: processors of one name and equal instructions round it otherwise.
        """
        solved = getattr(short(self.case), "estimator", "") == "logistic"
        if self.same_maker(other) and not solved:
            return self.digest != other.digest
        sums = ((getattr(self, name), getattr(other, name)) for name in SUMS)
        close = SOLVED_CLOSE if solved else DRAWN_CLOSE if "align=hard" in self.case else CLOSE
        return not all(math.isclose(one, two, rel_tol=close, abs_tol=close) for one, two in sums)


def cases() -> list[str]:
    """Every preset, and the variants: a preset's name and settings."""
    return [*PRESETS, *VARIANTS]


def short(case: str) -> Training:
    """The settings of a case, each of its phases shortened to an epoch or two; the core trains, unless fused=true is said."""
    preset, *settings = case.split(" ")
    config = PRESETS[preset]
    config = override(config, parse_settings(settings, type(config)))
    if config.fitted:
        return config
    fewer: dict[str, Any] = {name: value for name, value in SHORT.items() if vars(config).get(name)}
    if config.schedule != "halve":
        del fewer["halve_every"]
    core: dict[str, Any] = {"fused": False} if config.fusible and "fused=true" not in settings else {}
    return replace(config, **fewer, **core, **(NO_STREAM if config.stream else {}))


def golden(case: str, folder: Path) -> Golden:
    """Two networks of a case, trained on the stories of ``folder`` for two epochs, by today's code on this machine."""
    config = short(case)
    rules = config.permute or config.canonical or config.synonyms  # which take 500 questions to be found
    tasks = find([str(folder / ("many" if rules else "few"))])
    if config.open_vocabulary and config.decoder == "class":  # which a list of new names is no entry of
        tasks = [task for task in tasks if task.member != "lists"]
    config = replace(config, batch=32) if rules else config
    data = DataSet.of(tasks, config)
    spec = specify(tasks, case.split(" ")[0], config, seed=0, restarts=min(2, config.default_restarts))
    net = train_networks(spec, data).net
    outcome = evaluate(net, data.test)
    weights = [value.detach().float() for value in net.state_dict().values()]
    digest = hashlib.sha256()
    for value in (*weights, outcome.prediction, outcome.read, outcome.loss):
        digest.update(value.contiguous().numpy().tobytes())
    flat = torch.cat([value.flatten() for value in weights]).double()
    turned = (flat * torch.arange(len(flat)).cos()).sum()
    size, angle, loss = (
        round(float(number), 6) for number in (flat.square().mean().sqrt(), turned, outcome.loss.double().nanmean())
    )
    return Golden(case, digest.hexdigest()[:16], size, angle, loss, code_name(), torch.__version__, machine())


def read_golden(folder: Path) -> dict[str, Golden]:
    """Those on file, by case; of several those that this version on this processor computed, if there are any.

    Raises :class:`TrainingError` where the stories are not those that they were made of.
    """
    with open(folder / FILE, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    found: dict[str, Golden] = {}
    for row in rows:
        if row.pop("stories") != stories_digest(folder):
            raise TrainingError(f"the stories in {folder} are not those that {FILE} was made of; restore them, or make it anew")
        size, angle, loss = (float(row[name]) for name in SUMS)
        one = Golden(row["case"], row["digest"], size, angle, loss, row["code"], row["torch"], row["machine"])
        if one.case not in found or (one.torch, one.machine) == (torch.__version__, machine()):
            found[one.case] = one
    return found


def write_golden(found: Iterable[Golden], folder: Path) -> None:
    """Put them on file, with the digest of their stories, in place of what is there."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*(field.name for field in fields(Golden)), "stories"])
    writer.writerows([*astuple(one), stories_digest(folder)] for one in found)
    write_atomically(folder / FILE, text.getvalue())


def stories_digest(folder: Path) -> str:
    """Of the fixed stories."""
    return hashlib.sha256(b"".join(path.read_bytes() for path in sorted(folder.glob("*/*.txt")))).hexdigest()[:12]
