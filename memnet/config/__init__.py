"""How a network is trained: a flat frozen dataclass, of which every model has its own."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Annotated, Any, ClassVar, Literal, TypeVar

from memnet.config.settings import Above, Range, Setting, settings_of
from memnet.errors import ConfigError, hint
from memnet.tasks.text import one_line

MOST = 1_000_000  # epochs, questions a batch
UNANSWERABLE = 0.5  # share of questions without evidence, where an open vocabulary asks for some
BUCKETS = "batches hold stories of similar length, each question once an epoch: set replacement=false"

Optimizer = Literal["sgd", "adam", "adamw"]
Schedule = Literal["halve", "linear", "cosine", "constant"]
ClipPer = Literal["matrix", "network"]
Selection = Literal["train", "validation"]
Supervision = Literal["answers", "facts"]
Decoder = Literal["class", "words"]
NameOrder = Literal["near", "story", "drawn"]
MarkerOrder = Literal["drawn", "story", "question"]
Count = Annotated[int, Range(0, MOST)]
OneOrMore = Annotated[int, Range(1, MOST)]
UpTo1000 = Annotated[int, Range(0, 1000)]
UpTo64 = Annotated[int, Range(1, 64)]
Share = Annotated[float, Range(0, 1)]
BelowOne = Annotated[float, Range(0, 1, "[)")]
ZeroOrMore = Annotated[float, Range(0)]
Positive = Annotated[float, Above(0)]
Width = Annotated[int, Range(1, 4096), "width of the embeddings"]
Noise = Annotated[Share, "random empty memories among the story's, at most this share of them"]


@dataclass(frozen=True)
class Training:
    """How a network is trained, whatever it is, what it remembers and how it answers."""

    epochs: Annotated[Count, "passes over the training questions, after the linear start where there is one"] = 100
    batch: Annotated[OneOrMore, "questions in a batch"] = 32
    replacement: Annotated[bool, "batches are drawn with replacement; false: each question once an epoch"] = True
    optimizer: Annotated[Optimizer, "gradient descent, Adam, or AdamW with its weight decay"] = "sgd"
    lr: Annotated[Positive, "learning rate"] = 0.01
    schedule: Annotated[Schedule, "the learning rate is halved every few epochs, falls to zero, or is constant"] = "halve"
    warmup: Annotated[BelowOne, "share of the epochs in which the learning rate first rises from zero"] = 0.0
    halve_every: Annotated[OneOrMore, "schedule=halve: epochs between two halvings, none in the linear start"] = 25
    clip: Annotated[Positive, "largest norm of the gradient"] = 40.0
    clip_per: Annotated[ClipPer, "whether the norm is of each matrix or of the whole network"] = "matrix"
    validation: Annotated[float, Above(0, 1), "this share of the training questions, the last ones, is held out"] = 0.1
    selection: Annotated[Selection, "the error that chooses the replica which is kept"] = "train"
    monitor: Annotated[Literal["loss", "error"], "best epoch: by held-out loss, or by held-out error and then loss"] = "loss"
    restore_best: Annotated[bool, "keep the weights of the best epoch (by monitor), not of the last"] = False
    patience: Annotated[Count, "early stopping: after so many epochs that were not better (by monitor); 0 for never"] = 0
    stop_after_perfect: Annotated[Count, "stop after so many epochs in a row without a held-out error; 0 for never"] = 0
    l2: Annotated[ZeroOrMore, "weight penalty: l2 |parameters|^2 / 2 is added to the mean loss"] = 0.0
    decay: Annotated[ZeroOrMore, "optimizer=adamw: each step takes lr * decay of itself from a weight"] = 0.0
    supervision: Annotated[Supervision, "learn from answers alone, or to read the supporting facts too"] = "answers"
    facts: Annotated[float, Range(0, 1, "(]"), "supervision=facts: share of the questions whose facts are used"] = 1.0
    questions: Annotated[int, Range(0), "learn from the first so many training questions; 0 for all"] = 0
    memory_size: Annotated[OneOrMore, "how many statements are remembered, the most recent ones"] = 50
    sentence_words: Annotated[OneOrMore, "most words of a sentence, a question or an answer; longer ones are refused"] = 1000
    story_words: Annotated[int, Range(1, 1000 * MOST), "most words of a story, its questions among them"] = 100_000
    max_memory: Annotated[ZeroOrMore, "GB of memory that training may take; 0: what is free"] = 0.0
    decoder: Annotated[Decoder, "an answer of several words is one class, or decoded word by word"] = "class"
    unanswerable: Annotated[Share, "share of the training questions that are also asked without their evidence"] = 0.0
    open_vocabulary: Annotated[bool, "names become markers, drawn anew for every story: any names are understood"] = False
    marker_order: Annotated[MarkerOrder, "open_vocabulary: markers are drawn, or the first is of the story's or question's"] = (
        "drawn"
    )
    marker_gaps: Annotated[BelowOne, "markers in order: share of them that training leaves out, others in every epoch"] = 0.0
    stream: Annotated[Count, "fresh simulated questions a task and epoch, more of slow tasks; 0: always the same"] = 0
    facts_alone: Annotated[Share, "with stream: share of the questions also asked about their supporting facts alone"] = 0.0
    phrasing: Annotated[Share, "with stream: share of the sentences that are put in everyday words"] = 0.0
    background: Annotated[UpTo1000, "with stream: sentences of books, at most, that stand in half of the stories"] = 0
    phrases: Annotated[bool, "words that always stand beside each other are read as one"] = False
    consistent: Annotated[bool, "only interchangeable words that give equal questions equal answers, and more of these"] = False
    permute: Annotated[bool, "permutation augmentation: interchangeable words are permuted anew at every step"] = False
    synonyms: Annotated[bool, "interchangeable words that no question asks for or about are read as one word"] = False
    canonical: Annotated[bool, "interchangeable words are named in the order of a question and its story"] = False
    name_order: Annotated[NameOrder, "canonical: what a question leads to is named first, or as told, or drawn"] = "near"
    cloze: Annotated[float, Range(0, 1000), "permute, canonical: masked statements an epoch for each question"] = 0.0

    refused: ClassVar[Mapping[str, str]] = {}  # an alignment or a setting of hard ones -> why this network cannot take it
    group = "training"
    fitted = False  # whether a network is fitted in one piece, without epochs
    default_restarts = 10  # networks trained side by side, unless asked otherwise
    excess_facts = "each hop may read any of them"  # of questions that list more facts than there are hops
    dim = 1  # width, for guesses of how long a training takes
    noise = 0.0  # share of random empty memories
    redraws = True  # open_vocabulary: whether markers are drawn anew for every epoch, which matters to most networks
    vectors = "none"  # what becomes of word vectors from a file
    samples, test_samples, entropy = 0, 0, 0.0  # hard attention
    gradient, baseline = "reinforce", "none"  # its gradient

    def __repr__(self) -> str:
        """The settings that differ from the model's defaults; ``vars(config)`` has all."""
        changed = [f"{one.name}={getattr(self, one.name)}" for one in fields(self) if getattr(self, one.name) != one.default]
        return one_line(f"{type(self).__name__}({', '.join(changed)})")

    def __post_init__(self) -> None:
        check_values(self)
        for conflict in self.conflicts():
            raise ConfigError(conflict)

    def conflicts(self) -> Iterator[str]:
        """What is wrong between settings, a sentence each, in the order in which they are refused."""
        if self.decay > 0 and self.optimizer != "adamw":
            yield f"decay is for optimizer=adamw, not {self.optimizer}; l2 is for all"
        if self.schedule != "halve" and self.halve_every != Training.halve_every:
            yield f"halve_every is for schedule=halve, not {self.schedule}"
        if self.monitor == "error" and not self.restore_best and self.patience == 0:
            yield "monitor says which epoch is the best, which restore_best=false and patience=0 do not ask; set one of them"
        if self.unanswerable > 0 and not self.open_vocabulary and (self.decoder, self.supervision) != ("class", "answers"):
            yield "unanswerable needs decoder=class and supervision=answers: no evidence is a class, and has no facts"
        for name in ("phrasing", "facts_alone", "background") if not self.stream else ():
            if getattr(self, name):
                yield f"{name} is of the stories of a stream: set stream too, as stream=1000"
        reads = [name for name in ("phrases", "consistent", "permute", "synonyms", "canonical", "cloze") if getattr(self, name)]
        if reads and (self.open_vocabulary or self.stream):
            yield (
                f"{' and '.join(reads)}: of the words of a text as it is, and open_vocabulary and stream draw names and "
                "stories anew; choose one"
            )
        if self.marker_order != "drawn" and not self.open_vocabulary:
            yield "marker_order is of the markers of open_vocabulary=true; set it too"
        if self.marker_gaps > 0 and self.marker_order == "drawn":
            yield "marker_gaps are of markers in order: set marker_order=question or marker_order=story"
        if self.permute and self.canonical:
            yield "permute draws the words that canonical names in order; choose one"
        if self.consistent and not (self.permute or self.canonical or self.synonyms):
            yield "consistent: of interchangeable words; set permute=true, canonical=true or synonyms=true"
        if self.name_order != "near" and not self.canonical:
            yield "name_order is of the words that canonical=true names; set it too"
        if self.cloze and not (self.permute or self.canonical):
            yield "cloze: of interchangeable words; set permute=true or canonical=true"
        if self.cloze and self.supervision != "answers":
            yield "cloze asks questions that list no supporting facts; set supervision=answers"
        if self.facts < 1 and self.supervision != "facts":
            yield "facts is a share of the supporting facts, which only supervision=facts uses"

    def refusal(self, name: str) -> str | None:
        """Why this network cannot take an alignment or a setting of hard ones, None where it can."""
        return self.refused.get(name)

    @classmethod
    def takes(cls, name: str) -> bool:
        """Whether a setting may be changed from its default."""
        return True

    @property
    def linear_epochs(self) -> int:
        """Epochs of a linear start."""
        return 0

    @property
    def linear_to_validation(self) -> bool:
        """Whether a linear start ends when the validation loss stops falling."""
        return False

    @property
    def fusible(self) -> bool:
        """Whether a compiled loop may compute the steps of training."""
        return False

    @property
    def warm_epochs(self) -> int:
        """Epochs of softmax before another alignment."""
        return 0

    @property
    def draws(self) -> bool:
        """Whether training draws addresses, as hard attention does."""
        return False

    @property
    def untrainable(self) -> bool:
        """Whether the alignment gives the scores no gradient, so that softmax trains in its place."""
        return False

    def num_reads(self, answer: int) -> int:
        """How often a network reads its memory for a question whose answer has so many words."""
        return 0

    def lower_the_loss(self) -> str:
        """What to try when the loss does not stay finite: half the learning rate, or the model's own where that is lower."""
        return f"lower the learning rate (--set lr={min(self.lr / 2, type(self).lr):g})"

    @classmethod
    def dependent_settings(cls, chosen: Mapping[str, Any], every: Mapping[str, Any]) -> dict[str, Any]:
        """What the ``chosen`` settings cannot do without, unless it is among ``every`` setting that was given.

        With an open vocabulary anything may be asked, so a network learns to say that there is no evidence.
        """
        return {"unanswerable": UNANSWERABLE} if every.get("open_vocabulary") is True else {}


def check_values(config: Any) -> None:
    """Raise :class:`ConfigError` where a field's value is not of its kind or breaks its rule."""
    for name, setting in settings_of(type(config)).items():
        setting.check(getattr(config, name))


RULES = {"train": "training", "validation": "validation"}  # which error chooses a replica, in words

Config = TypeVar("Config", bound=Training)


def override(config: Config, settings: Mapping[str, Any]) -> Config:
    """The configuration with some fields changed. Raises :class:`ConfigError`."""
    check_names(settings, type(config))
    return dataclasses.replace(config, **settings)


WIDTH, REPEATS = ("dim",), ("hops", "passes", "layers", "steps")
SYNONYMS: dict[str, Sequence[str]] = {  # what other libraries call a setting
    **dict.fromkeys(("learning_rate", "learningrate", "step_size"), ("lr",)),
    **dict.fromkeys(("hidden_size", "hidden_dim", "d_model", "embedding_dim", "embed_dim", "embedding_size", "width"), WIDTH),
    **dict.fromkeys(("batch_size", "per_device_train_batch_size"), ("batch",)),
    **dict.fromkeys(("num_epochs", "n_epochs", "max_epochs", "num_train_epochs"), ("epochs",)),
    **dict.fromkeys(("dropout_rate", "dropout_p", "dropout_prob", "p_dropout"), ("dropout",)),
    **dict.fromkeys(("n_hops", "num_hops", "max_hops", "num_layers", "n_layers"), REPEATS),
    **dict.fromkeys(("num_heads", "n_heads", "nhead", "num_attention_heads"), ("heads",)),
    **dict.fromkeys(("dim_feedforward", "d_ff", "ffn_dim", "intermediate_size"), ("hidden",)),
    **dict.fromkeys(("weight_decay", "wd"), ("decay", "l2")),
    **dict.fromkeys(("max_grad_norm", "grad_clip", "gradient_clip_val", "clip_norm"), ("clip",)),
    **dict.fromkeys(("lr_scheduler", "lr_scheduler_type", "scheduler"), ("schedule",)),
    **dict.fromkeys(("warmup_ratio", "warmup_steps"), ("warmup",)),
    **dict.fromkeys(("early_stopping", "early_stopping_patience"), ("patience",)),
    **dict.fromkeys(("beam_size", "num_beams", "beam_width"), ("beam",)),
    **dict.fromkeys(("validation_split", "val_split", "validation_fraction"), ("validation",)),
}


def check_names(names: Iterable[str], kind: type[Training]) -> None:
    """Raise :class:`ConfigError` where one of the names is no setting."""
    known = settings_of(kind)
    for name in names:
        if name not in known:
            near = hint(name, known, "", SYNONYMS)
            said = [f"there is no setting {name!r};", near, "'memnet settings MODEL' lists them"]
            raise ConfigError(" ".join(filter(None, said)))


def parse_settings(pairs: Sequence[str], kind: type[Training]) -> dict[str, Any]:
    """``["dim=50", "relu=true"]`` as values of the fields' types. Raises :class:`ConfigError`."""
    known = settings_of(kind)
    settings: dict[str, Any] = {}
    for pair in pairs:
        name, equals, text = map(str.strip, pair.partition("="))
        if not equals or not name:
            raise ConfigError(f"a setting is written key=value, not {pair!r}")
        if name in settings:
            raise ConfigError(f"{name} is given twice; give one value, or both to memnet sweep, which makes a grid of them")
        settings[name] = known[name].parse(text) if name in known else text
    return settings


def grid(pairs: Sequence[str]) -> list[list[str]]:
    """Every combination of what is given for a setting more than once.

    >>> grid(["dim=20", "hops=2", "dim=50"])
    [['dim=20', 'hops=2'], ['dim=50', 'hops=2']]
    """
    values: dict[str, dict[str, None]] = {}
    for pair in pairs:
        values.setdefault(pair.partition("=")[0].strip(), {})[pair] = None
    return [list(chosen) for chosen in itertools.product(*values.values())]


def with_dependent_settings(chosen: Mapping[str, Any], given: Mapping[str, Any], preset: Training) -> dict[str, Any]:
    """The settings ``chosen`` by options, with what those of a preset cannot do without then, unless ``given`` by ``--set``.

    Raises :class:`ConfigError` where a setting is given by both.
    """
    if twice := sorted(chosen.keys() & given.keys()):
        raise ConfigError(f"{' and '.join(twice)} is given twice, as an option and by --set")
    every = {**chosen, **given}
    needed = preset.dependent_settings(chosen, every)
    if preset.open_vocabulary:  # which has a share of its own
        needed.pop("unanswerable", None)
    return {**needed, **every}


GROUPS = ("network", "attention", "training")  # of settings, in the order in which they are shown


def taken(kind: type[Training]) -> list[Setting]:
    """Every setting that a configuration takes: the network's own first, then those of attention, then of training."""
    found = [setting for setting in settings_of(kind).values() if kind.takes(setting.name)]
    return sorted(found, key=lambda setting: GROUPS.index(setting.group))
