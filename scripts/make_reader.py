"""Train the reader of ordinary English from nothing, or go on where its training stopped; then put it into the package.

    python scripts/make_reader.py runs/reader [--steps 20000] [--seed 1] [--half]

draws stories of the world (``memnet.tasks.world``) as they are wanted, writes a checkpoint and a line of ``log.txt`` every 500
steps, and goes on from the checkpoint when it is called again. ``--half`` computes forward and backward in bfloat16;
``--processes 2`` learns from two batches a step, each in a process of its own. ``--device cuda --workers 15 --minutes 9`` is
for a GPU and ends after nine minutes, which are some fourteen hours of two cores.

    python scripts/make_reader.py runs/reader --publish

puts the average of the weights, the forms of the twenty tasks' sentences, and what makes probabilities as often right as they
say (fitted on ``tests/own_words/calibration.txt``) into ``memnet/ask/networks/memnet/english``. ``--calibrate`` with that
folder fits the last anew, where the reader answers in another way than when it was published; ``--score`` prints how well
it answers stories to develop with, and those that it learned from.
"""

from __future__ import annotations

import argparse
import json
import math
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from random import Random

import torch

from memnet.ask.english import FOLDER, FORMS
from memnet.ask.hub import BUNDLED
from memnet.encode.vocabulary import OpenVocabulary
from memnet.errors import ConfigError, NetworkError
from memnet.files import write_atomically, write_json
from memnet.measure.core_hours import core_hours
from memnet.measure.english import UNTOLD, Asked, own_words
from memnet.measure.everyday import is_right
from memnet.models.checkpoint import CARD, load_network
from memnet.reading.answers import BITS, Reply, TrainedReader
from memnet.reading.differences import check_free
from memnet.reading.examples import LOG_SHARE, MIX_SHARE, WORDS_A_BATCH
from memnet.reading.graphed import train_graphed
from memnet.reading.kinds import CONFIG, ReaderConfig
from memnet.reading.network import Reader
from memnet.reading.training import FILE, ReaderTraining, Settings
from memnet.reading.widening import grown, opened, widened
from memnet.reading.words import Words
from memnet.tasks.families import find
from memnet.tasks.world.told import draw_told
from memnet.training.drawn_forms import drawn_forms

DEVELOPMENT, CALIBRATION = ("dev_a.txt", "dev_b.txt"), ("calibration.txt",)
LIMITS = (("minutes", 0, math.inf), ("mixed", 0, 0.83), ("logs", 0, 0.78), ("steps", 1, math.inf), ("every", 1, math.inf))
GROWN = ("layers", "hidden")  # sizes that a reader may have more of than the one whose weights it begins with
SCORED = 300  # templates that are drawn to see how well they were learned


def train(folder: Path, training: ReaderTraining, workers: int, every: int) -> None:
    """Train to the end, with a log."""
    folder.mkdir(parents=True, exist_ok=True)

    def log(line: str) -> None:
        line = f"{datetime.now():%Y-%m-%d %H:%M}  {line}"
        print(line, flush=True)
        with (folder / "log.txt").open("a", encoding="utf-8") as file:
            file.write(line + "\n")

    if training.device.type == "cuda":
        train_graphed(training, folder, log, every, workers)
    else:
        training.run(folder, log, every, workers)


def publish(training: ReaderTraining, stories: Path) -> None:
    """Fit what makes probabilities right, and write what the package needs."""
    check_free(BUNDLED / FOLDER)
    reader = TrainedReader(training.average.in_numpy(), training.words)
    developed, fresh = (judged(reader, [stories / name for name in names]) for names in (DEVELOPMENT, CALIBRATION))
    slope, shift = fitted([(reply.probability, right) for reply, right in fresh if reply.kind != "untold"])
    facts = {"training": {**asdict(training.settings), "done": training.steps}}
    values = {"calibration": [slope, shift], "calibrated_on": f"{len(fresh):,} questions of stories in free wording"}
    out = BUNDLED / FOLDER
    TrainedReader(training.average.in_numpy(), training.words, {**facts, **values}).save(out)
    net, vocabulary, _ = load_network(BUNDLED)
    assert isinstance(vocabulary, OpenVocabulary)
    write_json(out / FORMS, asdict(drawn_forms(find(["sim/all"]), vocabulary, net.config)))
    write_atomically(out / CARD, card(training, facts["training"], [right for _, right in developed], len(fresh)))
    print(out, values)


def calibrate(folder: Path, stories: Path) -> None:
    """Fit what makes probabilities right for a published reader, where it answers in another way than when it was published."""
    found = TrainedReader.load(folder)
    fresh = judged(TrainedReader(found.reader, found.words), [stories / name for name in CALIBRATION])
    fit = fitted([(reply.probability, right) for reply, right in fresh if reply.kind != "untold"])
    write_json(folder / CONFIG, {**json.loads((folder / CONFIG).read_text(encoding="utf-8")), "calibration": fit})
    print(folder, fit)


def judged(reader: TrainedReader, files: Sequence[Path]) -> list[tuple[Reply, bool]]:
    """What a reader answers to the questions of files, and whether it is right."""
    return [is_rightly_answered(reader, one) for file in files for one in own_words(file)]


def is_rightly_answered(reader: TrainedReader, one: Asked) -> tuple[Reply, bool]:
    """What a reader answers to a question, and whether that is right."""
    reply = reader.answer(one.statements, one.question)
    if reply.kind == "untold":
        return reply, not one.told
    return reply, one.told and is_right(",".join(reply.spans) or reply.text, one.answers)


def score(folder: Path, stories: Path) -> None:
    """Print what a published reader answers right, of stories to develop with and of templates that it learned from."""
    found = TrainedReader.load(folder)
    reader = TrainedReader(found.reader, found.words)
    developed = [right for _, right in judged(reader, [stories / name for name in DEVELOPMENT])]
    random, learned = Random("scored"), []
    for story in [draw_told(random) for _ in range(SCORED)]:
        for question in story.questions:
            answer = UNTOLD if question.answer.kind == "untold" else question.answer.text
            told = tuple(one.text for one in story.statements[: question.after])
            learned.append(is_rightly_answered(reader, Asked(told, question.text, (answer,)))[1])
    for name, right in (("stories to develop with", developed), ("templates that it learned from", learned)):
        print(f"{name}: {sum(right) / len(right):.1%} right of {len(right):,} questions")


def card(training: ReaderTraining, settings: dict[str, object], right: list[bool], calibrated: int) -> str:
    """What the reader is, what it learned from, how good it is and what it cannot do."""
    size = sum(weight.numel() for weight in training.average.parameters())
    return f"""---
license: mit
library_name: memnet
---

# The reader of ordinary English

{size:,} parameters in {BITS} bits, beside word vectors of memnet/reading/words.npz (GloVe, public domain). Trained for
{settings["done"]:,} steps (seed {settings["seed"]}, learning rates {settings["muon"]} of Muon and {settings["lr"]} of AdamW,
dropout {settings["dropout"]}) on stories
of memnet.tasks.world, of 2 to 24 statements: drawn by its grammar, from templates that a language model wrote, and
{settings["logs"]:.0%} of them log books. It was trained on no test set. Where training was stopped and went on, or began with
the weights of another reader, steps, stories and settings were others before.

Of {len(right):,} questions of stories in free wording (tests/own_words/dev_*.txt) it answers
{sum(right) / len(right):.1%} right, or refuses rightly, before its weights are rounded to {BITS} bits. Its percentages
were fitted on {calibrated:,} questions of others (tests/own_words/calibration.txt). For other stories see
the table of docs/everyday.md, which also says how often it is wrong.

It cannot do sums over several sentences, apply rules reliably, give the way from place to place, or say anything in words that
the story does not have, but yes, no, maybe, nothing and numbers to 20. English only. It should decide nothing about people.
"""


def fitted(chances: list[tuple[float, bool]]) -> tuple[float, float]:
    """Slope and shift of the logistic that makes probabilities as often right as they say."""
    from sklearn.linear_model import LogisticRegression

    inside = [min(1 - 1e-6, max(1e-6, chance)) for chance, _ in chances]
    found = LogisticRegression(C=1e4).fit([[math.log(one / (1 - one))] for one in inside], [ok for _, ok in chances])
    return round(float(found.coef_[0, 0]), 4), round(float(found.intercept_[0]), 4)


@core_hours()
def main() -> None:
    """Read the arguments, and train or publish."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--steps", type=int, default=Settings.steps)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--half", action="store_true")
    parser.add_argument("--dropout", type=float, default=0.1)
    parser.add_argument("--written-from", type=int, default=0, help="the step from which written stories are drawn too")
    parser.add_argument("--device", default="cpu", help="cpu or cuda")
    parser.add_argument("--mixed", type=float, default=MIX_SHARE, help="the share of stories of the tasks and mixes")
    parser.add_argument("--logs", type=float, default=LOG_SHARE, help="the share of stories of log books")
    parser.add_argument("--words", type=int, default=WORDS_A_BATCH, help="words of a batch")
    parser.add_argument(
        "--minutes", type=float, default=0.0, help="end after so long, with learning rates that have fallen by then"
    )
    parser.add_argument("--again", type=int, default=0, help="steps after these, with learning rates that fall anew")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=NUMBER",
        help="a size of the reader: layers=8; with --begin layers and hidden",
    )
    parser.add_argument("--workers", type=int, default=1, help="processes that draw stories, beside each that learns")
    parser.add_argument("--processes", type=int, default=1, help="processes that learn together, a batch each")
    parser.add_argument("--every", type=int, default=500, help="steps from one checkpoint and line of the log to the next")
    parser.add_argument("--widen", type=Path, metavar="FOLDER", help="begin with the reader of a folder, twice as wide")
    parser.add_argument("--begin", type=Path, metavar="FOLDER", help="begin with the reader of a folder, as the package's")
    parser.add_argument(
        "--keep", type=float, default=0.0, help="the share that the weights of --begin have in those that are published"
    )
    parser.add_argument(
        "--muon", type=float, default=Settings.muon, help="the learning rate of matrices; the others' is a tenth"
    )
    parser.add_argument("--publish", action="store_true")
    parser.add_argument("--calibrate", action="store_true", help="fit the percentages of a published reader anew")
    parser.add_argument("--score", action="store_true", help="print what a published reader answers right, by itself")
    parser.add_argument("--stories", type=Path, default=Path("tests/own_words"))
    given = parser.parse_args()
    refuse(parser, given)
    try:
        sizes = sizes_of(given.set, bool(given.begin))
        if given.calibrate or given.score:
            (calibrate if given.calibrate else score)(given.folder, given.stories)
        elif given.processes == 1 or given.publish:
            make(given, sizes)
        else:
            with tempfile.TemporaryDirectory() as folder:
                torch.multiprocessing.spawn(together, (given, sizes, f"file://{folder}/met"), given.processes)
    except (ConfigError, NetworkError) as error:
        parser.error(str(error))


def refuse(parser: argparse.ArgumentParser, given: argparse.Namespace) -> None:
    """End with a sentence where options do not go together."""
    if given.keep and not (given.begin and given.publish and 0 < given.keep < 1):
        parser.error("--keep is a share, 0 to 1, of the weights of --begin FOLDER in those of --publish")
    if given.set and given.widen:
        parser.error("--set has no meaning with --widen, which doubles every size")
    for name, least, most in LIMITS:
        if not least <= getattr(given, name) <= most:
            parser.error(f"--{name} {getattr(given, name)}: expected {least} {f'to {most}' if most < math.inf else 'or more'}")
    if given.device.startswith("cuda") and not torch.cuda.is_available():
        parser.error(f"--device {given.device}: torch finds no GPU here; leave it out")
    if given.device.startswith("cuda") and (given.processes > 1 or given.written_from):
        parser.error("--processes and --written-from have no meaning on a GPU")
    if given.minutes and (given.again or given.processes > 1):
        parser.error("--minutes has no meaning with --again, and processes that learn together would end apart")
    if given.calibrate and given.score:
        parser.error("--calibrate and --score are two commands: give one of them")
    if given.publish and not (given.folder / FILE).exists():
        parser.error(f"{given.folder} has no checkpoint: train first")


def sizes_of(given: Sequence[str], begins: bool = False) -> dict[str, int]:
    """The sizes of a reader, of NAME=NUMBER each. Raises :class:`~memnet.errors.ConfigError`."""
    found = dict[str, int]()
    known = asdict(ReaderConfig())
    for each in given:
        name, _, number = each.partition("=")
        if name not in known or not number.isdigit() or int(number) < 1:
            raise ConfigError(f"--set {each}: expected one of {', '.join(known)}, '=' and a number")
        found[name] = int(number)
    if begins and (others := found.keys() - GROWN):
        raise ConfigError(
            f"--set {min(others)}: a reader that begins with another's weights can only have more {' or '.join(GROWN)}"
        )
    config = ReaderConfig(**found)
    if config.dim % config.heads:
        raise ConfigError(f"--set dim={config.dim}: expected a multiple of the {config.heads} heads")
    return found


def together(process: int, given: argparse.Namespace, sizes: dict[str, int], meet: str) -> None:
    """One of several processes that learn together."""
    torch.distributed.init_process_group("gloo", init_method=meet, rank=process, world_size=given.processes)
    make(given, sizes)
    torch.distributed.destroy_process_group()


def make(given: argparse.Namespace, sizes: dict[str, int]) -> None:
    """Train or publish."""
    torch.manual_seed(given.seed)
    torch.set_num_threads(1)
    words = Words.load()
    settings = Settings(
        seed=given.seed,
        steps=given.steps,
        half=given.half,
        dropout=given.dropout,
        written_from=given.written_from,
        words=given.words,
        mixed=given.mixed,
        logs=given.logs,
        again=given.again,
        minutes=given.minutes,
        muon=given.muon,
        lr=round(given.muon / 10, 6),
    )
    if given.widen or given.begin:
        reader = widened(opened(given.widen)) if given.widen else grown(opened(given.begin), **sizes)
    else:
        reader = Reader(ReaderConfig(**sizes), words.vectors)
    training = ReaderTraining(reader.to(given.device), words, settings)
    first = [weight.detach().clone() for weight in training.reader.parameters()]
    training.resume(given.folder)
    if given.publish:
        with torch.no_grad():  # between two trainings' weights lie better ones (Wortsman et al. 2022)
            torch._foreach_lerp_([*training.average.parameters()], first, given.keep)
        publish(training, given.stories)
    else:
        train(given.folder, training, given.workers, given.every)


if __name__ == "__main__":
    main()
