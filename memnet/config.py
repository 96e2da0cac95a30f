"""How a network is trained: a flat frozen dataclass, of which every model has its own."""

from __future__ import annotations

import dataclasses
import itertools
import sys
import typing
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Literal, TypeVar

from memnet.errors import ConfigError, hint
from memnet.tasks.text import one_line

Optimizer = Literal["sgd", "adam", "adamw"]
Schedule = Literal["halve", "linear", "cosine", "constant"]

MOST = 1_000_000  # epochs, questions a batch
UNANSWERABLE = 0.5  # share of questions without evidence, where an open vocabulary asks for some
BUCKETS = "batches hold stories of similar length, each question once an epoch: set replacement=false"


@dataclass(frozen=True)
class OneOf:
    """The values of a field, as in ``Annotated[str, OneOf(ALIGNS)]``: the names in a registry, and some more."""

    registry: Iterable[str]
    more: tuple[str, ...] = ()

    @property
    def names(self) -> list[str]:
        """What there is now: a registry may grow."""
        return [*self.more, *self.registry]


@dataclass(frozen=True)
class Training:
    """How a network is trained, whatever it is, what it remembers and how it answers."""

    epochs: int = 100  # passes over the training questions, after the linear start where there is one
    batch: int = 32  # questions in a batch
    replacement: bool = True  # batches are drawn with replacement; false: each question once an epoch
    optimizer: Optimizer = "sgd"  # gradient descent, Adam, or AdamW with its weight decay
    lr: float = 0.01  # learning rate
    schedule: Schedule = "halve"  # of the learning rate: halved every few epochs, to zero (linear, cosine), or constant
    warmup: float = 0.0  # share of the epochs in which the learning rate first rises from zero
    halve_every: int = 25  # schedule=halve: epochs between two halvings; the linear start keeps the learning rate
    clip: float = 40.0  # largest norm of the gradient
    clip_per: Literal["matrix", "network"] = "matrix"  # whether the norm is of each matrix or of the whole network
    validation: float = 0.1  # this share of the training questions, the last ones, is held out
    selection: Literal["train", "validation"] = "train"  # the error that chooses the replica which is kept
    monitor: Literal["loss", "error"] = "loss"  # what makes an epoch the best: held-out loss, or held-out error and then loss
    restore_best: bool = False  # keep the weights of the best epoch (by monitor), not of the last
    patience: int = 0  # early stopping: after so many epochs that were not better (by monitor); 0 for never
    stop_after_perfect: int = 0  # stop after so many epochs in a row without an error on held-out questions; 0 for never
    l2: float = 0.0  # weight penalty: l2 |parameters|^2 / 2 is added to the mean loss
    decay: float = 0.0  # optimizer=adamw: each step takes lr * decay of itself from a weight
    supervision: Literal["answers", "facts"] = "answers"  # learn from answers alone, or from supporting facts too
    facts: float = 1.0  # supervision=facts: share of the training questions whose supporting facts are used
    questions: int = 0  # learn from the first so many training questions; 0 for all
    memory_size: int = 50  # how many statements are remembered, the most recent ones
    sentence_words: int = 1000  # most words of a sentence, a question or an answer; longer ones are refused
    story_words: int = 100_000  # most words of a story, its questions among them
    decoder: Literal["class", "words"] = "class"  # an answer of several words is one class, or decoded word by word
    unanswerable: float = 0.0  # share of the training questions that are also asked without their evidence
    open_vocabulary: bool = False  # names become markers, drawn anew for every story: a story may have any names
    stream: int = 0  # fresh simulated questions a task and epoch, more of slow tasks; 0: the same in every epoch
    facts_alone: float = 0.0  # with stream: share of the questions that are also asked about their supporting facts alone
    phrasing: float = 0.0  # with stream: share of the sentences that are put in everyday words
    background: int = 0  # with stream: sentences of books, at most, that stand in half of the stories
    phrases: bool = False  # words that always stand beside each other are read as one
    consistent: bool = False  # interchangeable words: only those that give equal questions equal answers, and more of these
    permute: bool = False  # permutation augmentation: interchangeable words are permuted anew at every step
    synonyms: bool = False  # interchangeable words that no question asks for or about are read as one word
    canonical: bool = False  # interchangeable words are named in the order in which a question and its story have them
    cloze: float = 0.0  # with permute or canonical: statements with a masked word, an epoch, for each training question

    default_restarts = 10  # networks trained side by side, unless asked otherwise
    excess_facts = "each hop may read any of them"  # of questions that list more facts than there are hops
    dim = 1  # width, for guesses of how long a training takes
    noise = 0.0  # share of random empty memories
    vectors = "none"  # what becomes of word vectors from a file
    samples, test_samples, entropy = 0, 0, 0.0  # hard attention
    gradient, baseline = "reinforce", "none"  # its gradient

    def __repr__(self) -> str:
        """The settings that differ from the model's defaults; ``vars(config)`` has all."""
        changed = [f"{one.name}={getattr(self, one.name)}" for one in fields(self) if getattr(self, one.name) != one.default]
        return one_line(f"{type(self).__name__}({', '.join(changed)})")

    def __post_init__(self) -> None:
        check_fields(self)
        require(0 <= self.epochs <= MOST, "epochs", f"0 to {MOST}", self.epochs)
        require(1 <= self.batch <= MOST, "batch", f"1 to {MOST}", self.batch)
        require(self.lr > 0, "lr", "above 0", self.lr)
        require(1 <= self.halve_every <= MOST, "halve_every", f"1 to {MOST}", self.halve_every)
        require(self.clip > 0, "clip", "above 0", self.clip)
        require(0 < self.validation < 1, "validation", "between 0 and 1", self.validation)
        require(0 <= self.patience <= MOST, "patience", f"0 to {MOST}", self.patience)
        require(0 <= self.stop_after_perfect <= MOST, "stop_after_perfect", f"0 to {MOST}", self.stop_after_perfect)
        require(self.l2 >= 0, "l2", "0 or more", self.l2)
        require(self.decay >= 0, "decay", "0 or more", self.decay)
        require(0 <= self.warmup < 1, "warmup", "0 or more, below 1", self.warmup)
        if self.decay > 0 and self.optimizer != "adamw":
            raise ConfigError(f"decay is for optimizer=adamw, not {self.optimizer}; l2 is for all")
        if self.schedule != "halve" and self.halve_every != Training.halve_every:
            raise ConfigError(f"halve_every is for schedule=halve, not {self.schedule}")
        if self.monitor == "error" and not self.restore_best and self.patience == 0:
            raise ConfigError(
                "monitor says which epoch is the best, which restore_best=false and patience=0 do not ask; set one of them"
            )
        require(0 < self.facts <= 1, "facts", "above 0, at most 1", self.facts)
        require(self.questions >= 0, "questions", "0 or more", self.questions)
        require(1 <= self.memory_size <= MOST, "memory_size", f"1 to {MOST}", self.memory_size)
        require(1 <= self.sentence_words <= MOST, "sentence_words", f"1 to {MOST}", self.sentence_words)
        require(1 <= self.story_words <= 1000 * MOST, "story_words", f"1 to {1000 * MOST}", self.story_words)
        require(0 <= self.unanswerable <= 1, "unanswerable", "0 to 1", self.unanswerable)
        require(0 <= self.stream <= MOST, "stream", f"0 to {MOST}", self.stream)
        if self.unanswerable > 0 and not self.open_vocabulary and (self.decoder, self.supervision) != ("class", "answers"):
            raise ConfigError(
                "unanswerable needs decoder=class and supervision=answers: no evidence is a class, and has no facts"
            )
        require(0 <= self.phrasing <= 1, "phrasing", "0 to 1", self.phrasing)
        require(0 <= self.facts_alone <= 1, "facts_alone", "0 to 1", self.facts_alone)
        require(0 <= self.background <= 1000, "background", "0 to 1000", self.background)
        streamed = {"phrasing": self.phrasing, "facts_alone": self.facts_alone, "background": self.background}
        for name, value in streamed.items():
            if value and not self.stream:
                raise ConfigError(f"{name} is of the stories of a stream: set stream too, as stream=1000")
        require(0 <= self.cloze <= 1000, "cloze", "0 to 1000", self.cloze)
        reads = [name for name in ("phrases", "consistent", "permute", "synonyms", "canonical", "cloze") if getattr(self, name)]
        if reads and (self.open_vocabulary or self.stream):
            raise ConfigError(
                f"{' and '.join(reads)}: of the words of a text as it is, and open_vocabulary and stream draw names and "
                "stories anew; choose one"
            )
        if self.permute and self.canonical:
            raise ConfigError("permute draws the words that canonical names in order; choose one")
        if self.consistent and not (self.permute or self.canonical or self.synonyms):
            raise ConfigError("consistent: of interchangeable words; set permute=true, canonical=true or synonyms=true")
        if self.cloze and not (self.permute or self.canonical):
            raise ConfigError("cloze: of interchangeable words; set permute=true or canonical=true")
        if self.cloze and self.supervision != "answers":
            raise ConfigError("cloze asks questions that list no supporting facts; set supervision=answers")
        if self.facts < 1 and self.supervision != "facts":
            raise ConfigError("facts is a share of the supporting facts, which only supervision=facts uses")

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
        """What to try when the loss does not stay finite."""
        return f"lower the learning rate (--set lr={self.lr / 2:g})"

    @classmethod
    def dependent_settings(cls, chosen: Mapping[str, Any], every: Mapping[str, Any]) -> dict[str, Any]:
        """What the ``chosen`` settings cannot do without, unless it is among ``every`` setting that was given.

        With an open vocabulary anything may be asked, so a network learns to say that there is no evidence.
        """
        return {"unanswerable": UNANSWERABLE} if every.get("open_vocabulary") is True else {}


def check_rules(rules: Sequence[tuple[object, str]]) -> None:
    """Raise :class:`ConfigError` with the message of the first rule that is broken."""
    for broken, message in rules:
        if broken:
            raise ConfigError(message)


def require(condition: bool, name: str, expected: str, value: object) -> None:
    """Raise :class:`ConfigError` unless ``condition``."""
    if not condition:
        raise ConfigError(f"{name} must be {expected}, not {one_line(repr(value))}")


HINTS: dict[tuple[type, bool], dict[str, Any]] = {}  # what hints_of has looked up


def hints_of(kind: type[Training], include_extras: bool = False) -> dict[str, Any]:
    """The types of the fields. Python compiles every annotation anew, which costs milliseconds a configuration."""
    if (kind, include_extras) not in HINTS:
        HINTS[kind, include_extras] = typing.get_type_hints(kind, include_extras=include_extras)
    return HINTS[kind, include_extras]


def allowed_values(kind: type[Training], name: str) -> list[str] | None:
    """The values that a field may have, by its annotation; None where it is a number or a switch."""
    annotation = hints_of(kind, include_extras=True)[name]
    if typing.get_origin(annotation) is Literal:
        return [str(value) for value in typing.get_args(annotation)]
    sets = [extra for extra in typing.get_args(annotation)[1:] if isinstance(extra, OneOf)]
    return sets[0].names if sets else None


def check_fields(config: Training) -> None:
    """Raise :class:`ConfigError` where a field's value is not of its type."""
    hints = hints_of(type(config))
    for field in dataclasses.fields(config):
        name, kind, value = field.name, hints[field.name], getattr(config, field.name)
        names = allowed_values(type(config), name)
        if names is not None:
            require(value in names, name, " or ".join(names), value)
        elif kind is float:
            number = isinstance(value, int | float) and not isinstance(value, bool)
            require(number and abs(value) <= sys.float_info.max, name, "a number", value)
        else:
            require(type(value) is kind, name, {bool: "true or false", int: "a whole number", str: "a word"}[kind], value)


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
    known = [field.name for field in dataclasses.fields(kind)]
    for name in names:
        if name not in known:
            near = hint(name, known, "", SYNONYMS)
            said = [f"there is no setting {name!r};", near, "'memnet settings MODEL' lists them"]
            raise ConfigError(" ".join(filter(None, said)))


def parse_settings(pairs: Sequence[str], kind: type[Training]) -> dict[str, Any]:
    """``["dim=50", "relu=true"]`` as values of the fields' types. Raises :class:`ConfigError`."""
    hints = hints_of(kind)
    settings: dict[str, Any] = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        name, text = name.strip(), text.strip()
        if not equals or not name:
            raise ConfigError(f"a setting is written key=value, not {pair!r}")
        if name in settings:
            raise ConfigError(f"{name} is given twice; give one value, or both to memnet sweep, which makes a grid of them")
        wanted = hints.get(name)
        try:
            if wanted is bool:
                settings[name] = {"true": True, "false": False}[text.lower()]
            elif wanted in (int, float):
                settings[name] = wanted(text)
            else:
                settings[name] = text
        except (KeyError, ValueError) as error:
            expected = "true or false" if wanted is bool else "a whole number" if wanted is int else "a number"
            raise ConfigError(f"{name} must be {expected}, not {text!r}") from error
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
