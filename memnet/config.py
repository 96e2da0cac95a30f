"""Configurations: flat frozen dataclasses, one a model."""

from __future__ import annotations

import dataclasses
import difflib
import typing
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

Optimizer = Literal["sgd", "adam", "adamw"]
Schedule = Literal["halve", "linear", "cosine", "constant"]

MOST = 1_000_000  # epochs, questions a batch
LIKE = "batches are cut of stories of like length, each question once an epoch: set replacement=false"


class ConfigError(ValueError):
    """A setting is unknown or its value impossible; the message says what is expected."""


@dataclass(frozen=True)
class Training:
    """How a network is trained, whatever it is, what it remembers and how it answers."""

    epochs: int = 100  # after the linear start, where there is one
    batch: int = 32
    replacement: bool = True  # batches drawn with replacement
    optimizer: Optimizer = "sgd"
    lr: float = 0.01
    schedule: Schedule = "halve"  # of ``lr``: halved now and then, to zero, or neither
    warmup: float = 0.0  # share of the epochs in which ``lr`` rises from zero first
    halve_every: int = 25  # epochs; the linear start keeps ``lr``
    clip: float = 40.0  # norm of the gradient
    clip_per: Literal["matrix", "network"] = "matrix"
    validation: float = 0.1  # the last share of the training questions is held out
    selection: Literal["train", "validation"] = "train"  # which error chooses the replica
    watch: Literal["loss", "error"] = "loss"  # of the questions held out, the error's ties decided by the loss
    keep: Literal["last", "best"] = "last"  # weights of the last epoch, or of the best by ``watch``
    patience: int = 0  # stop after so many epochs that were not better by ``watch``, 0 for never
    settled: int = 0  # stop after so many epochs in a row without an error of the questions held out, 0 for never
    l2: float = 0.0  # l2 |parameters|^2 / 2 is added to the mean loss
    decay: float = 0.0  # adamw: weights lose lr * decay of themselves each step
    supervision: Literal["answers", "facts"] = "answers"  # learn from answers, or from supporting facts too
    facts: float = 1.0  # share of the training questions whose supporting facts are used
    questions: int = 0  # learn from the first so many training questions, 0 for all
    capacity: int = 50  # the most recent statements are remembered
    decoder: Literal["class", "words"] = "class"  # an answer of several words is one class, or told word by word
    absent: float = 0.0  # share of the training questions that are asked without their evidence too
    exchange: bool = False  # words that the training stories use alike change places, anew each step

    default_restarts = 10  # networks trained side by side, unless asked otherwise

    def __post_init__(self) -> None:
        check_fields(self)
        require(0 <= self.epochs <= MOST, "epochs", f"0 to {MOST}", self.epochs)
        require(1 <= self.batch <= MOST, "batch", f"1 to {MOST}", self.batch)
        require(self.lr > 0, "lr", "above 0", self.lr)
        require(1 <= self.halve_every <= MOST, "halve_every", f"1 to {MOST}", self.halve_every)
        require(self.clip > 0, "clip", "above 0", self.clip)
        require(0 < self.validation < 1, "validation", "between 0 and 1", self.validation)
        require(0 <= self.patience <= MOST, "patience", f"0 to {MOST}", self.patience)
        require(0 <= self.settled <= MOST, "settled", f"0 to {MOST}", self.settled)
        require(self.l2 >= 0, "l2", "0 or more", self.l2)
        require(self.decay >= 0, "decay", "0 or more", self.decay)
        require(0 <= self.warmup < 1, "warmup", "0 or more, below 1", self.warmup)
        if self.decay > 0 and self.optimizer != "adamw":
            raise ConfigError(f"decay is for optimizer=adamw, not {self.optimizer}; l2 is for all")
        if self.schedule != "halve" and self.halve_every != Training.halve_every:
            raise ConfigError(f"halve_every is for schedule=halve, not {self.schedule}")
        if self.watch == "error" and self.keep == "last" and self.patience == 0:
            raise ConfigError("watch says which epoch is the best, which keep=last and patience=0 do not ask; set one of them")
        require(0 < self.facts <= 1, "facts", "above 0, at most 1", self.facts)
        require(self.questions >= 0, "questions", "0 or more", self.questions)
        require(1 <= self.capacity <= MOST, "capacity", f"1 to {MOST}", self.capacity)
        require(0 <= self.absent <= 1, "absent", "0 to 1", self.absent)
        if self.absent > 0 and (self.decoder, self.supervision) != ("class", "answers"):
            raise ConfigError("absent needs decoder=class and supervision=answers: no evidence is a class, and has no facts")
        if self.facts < 1 and self.supervision != "facts":
            raise ConfigError("facts is a share of the supporting facts, which only supervision=facts uses")

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


@dataclass(frozen=True)
class MemN2NConfig(Training):
    """An end-to-end memory network (Sukhbaatar et al. 2015)."""

    dim: int = 20
    hops: int = 3
    tying: Literal["adjacent", "layerwise"] = "adjacent"
    encoding: Literal["bow", "pe", "pe_code", "self_attention"] = "pe_code"
    temporal: bool = True  # memories carry their age
    noise: float = 0.0  # random empty memories, at most this share of the story's
    null: Literal["none", "unused"] = "unused"  # reading nothing: never, or as often as the paper's unused slots
    relu: bool = False  # the larger network's non-linearity after each hop
    init_std: float = 0.1
    linear_start: int = 0  # epochs without softmax, at most
    linear_until: Literal["epochs", "validation"] = "epochs"  # or until the validation loss stops falling
    score: Literal["dot", "scaled_dot", "general", "concat", "interaction"] = "dot"
    align: Literal["softmax", "linear", "sigmoid", "sparsemax", "local_m", "local_p", "hard"] = "softmax"
    read: Literal["weighted_sum", "gated_gru", "attention_gru"] = "weighted_sum"
    window: float = 0.0  # local alignments: memories to each side
    samples: int = 0  # hard alignment: addresses drawn for a question while training
    baseline: Literal["none", "mean", "loo"] = "none"  # hard alignment: subtracted from the loss
    entropy: float = 0.0  # hard alignment: reward for undecided addresses
    warm_start: int = 0  # epochs of softmax before another alignment
    test_samples: int = 0  # hard alignment: answers averaged over so many addresses, 0 for the likeliest
    attention_rows: int = 0  # encoding self_attention: rows over the words of a sentence
    penalty: float = 0.0  # encoding self_attention: on rows that look at the same words

    def __post_init__(self) -> None:
        super().__post_init__()
        self.check_attention()
        require(1 <= self.dim <= 4096, "dim", "1 to 4096", self.dim)
        require(1 <= self.hops <= 64, "hops", "1 to 64", self.hops)
        require(0 <= self.noise <= 1, "noise", "0 to 1", self.noise)
        require(self.init_std > 0, "init_std", "above 0", self.init_std)
        require(0 <= self.linear_start <= MOST, "linear_start", f"0 to {MOST}", self.linear_start)

    @property
    def linear_epochs(self) -> int:
        """Epochs of a linear start."""
        return self.linear_start

    @property
    def linear_to_validation(self) -> bool:
        """Whether a linear start ends when the validation loss stops falling."""
        return self.linear_until == "validation"

    @property
    def warm_epochs(self) -> int:
        """Epochs of softmax before another alignment."""
        return self.warm_start

    def check_attention(self) -> None:
        """Raise :class:`ConfigError` where score, alignment and read make no sense together."""
        check_alignment(self)
        require(0 <= self.test_samples <= 1000, "test_samples", "0 to 1000", self.test_samples)
        require(self.entropy >= 0, "entropy", "0 or more", self.entropy)
        require(0 <= self.warm_start <= MOST, "warm_start", f"0 to {MOST}", self.warm_start)
        require(0 <= self.attention_rows <= 64, "attention_rows", "0 to 64", self.attention_rows)
        require(self.penalty >= 0, "penalty", "0 or more", self.penalty)
        gates = self.read != "weighted_sum"
        rules = [
            (
                self.null != "none" and self.align in NO_NULL,
                f"align={self.align} cannot read nothing: its weights share no sum with a null memory; set null=none",
            ),
            (
                0 < self.epochs <= self.warm_start,
                f"warm_start must be less than the {self.epochs} epochs, or {self.align} would never be trained",
            ),
            (
                self.linear_until == "validation" and self.linear_start == 0,
                "linear_until=validation says when the linear phase ends, and linear_start=0 has none",
            ),
            (
                self.align == "hard" and self.linear_until == "validation",
                "linear_until=validation ends the linear phase of each replica at a time of its own; align=hard needs epochs",
            ),
            (
                self.optimizer != "sgd" and self.linear_until == "validation",
                "linear_until=validation gives each replica a schedule of its own, and adam has one for all; use optimizer=sgd",
            ),
            (
                self.decoder == "words" and self.test_samples > 0,
                "test_samples averages answers of one class; decoder=words tells each of them word by word",
            ),
            (
                gates and (self.linear_start > 0 or self.align == "linear"),
                f"read={self.read} takes its weights as gates between 0 and 1, and linear ones are not: "
                "set linear_start=0 and another alignment",
            ),
            (
                self.warm_start > 0 and self.align in ("softmax", "linear"),
                f"warm_start is softmax before another alignment, not before {self.align}",
            ),
            (
                (self.attention_rows > 0) != (self.encoding == "self_attention"),
                "attention_rows, 1 or more, and encoding=self_attention go together",
            ),
            (
                self.penalty > 0 and self.encoding != "self_attention",
                f"penalty is for encoding=self_attention, not {self.encoding}",
            ),
        ]
        check_rules(rules)


@dataclass(frozen=True)
class MemNNConfig(Training):
    """A strongly supervised memory network (Weston et al. 2014 and 2015): it learns what to find from supporting facts."""

    epochs: int = 60
    replacement: bool = False
    optimizer: Literal["sgd", "adam"] = "adam"
    lr: float = 0.005
    schedule: Literal["halve", "linear"] = "linear"
    selection: Literal["train", "validation"] = "validation"
    supervision: Literal["answers", "facts"] = "facts"
    capacity: int = 1000
    decoder: Literal["class", "words"] = "words"
    dim: int = 50
    hops: int = 10  # kappa, the most facts that are found; never more than a training question lists
    adaptive: bool = False  # AM: learn when nothing more is to be found
    ngrams: bool = False  # NG: sentences as bags of words, 2-grams and 3-grams
    nonlinear: bool = False  # NL: a tanh layer in the match
    time: Literal["pairs", "age", "none"] = "pairs"  # the newer of two memories, the age of one, or no time at all
    blocks: int = 3  # of the first found facts, how many have a block of U of their own besides the common one
    margin: float = 1.0
    negatives: int = 10  # memories drawn as rivals of a fact, 0 for all
    negative_words: int = 0  # words drawn as rivals of an answer's, 0 for all
    own_picks: float = 0.5  # share of the hops in which R learns from the fact that O would find
    init_std: float = 0.1

    default_restarts = 5

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.supervision != "facts":
            raise ConfigError("a MemNN learns what to find from supporting facts and from nothing else: set supervision=facts")
        if self.exchange:
            raise ConfigError("exchange is for networks that know a sentence by its words alone; a MemNN knows n-grams too")
        require(1 <= self.dim <= 4096, "dim", "1 to 4096", self.dim)
        require(1 <= self.hops <= 64, "hops", "1 to 64", self.hops)
        require(0 <= self.blocks <= 64, "blocks", "0 to 64", self.blocks)
        require(self.margin > 0, "margin", "above 0", self.margin)
        require(self.negatives >= 0, "negatives", "0 or more", self.negatives)
        require(self.negative_words >= 0, "negative_words", "0 or more", self.negative_words)
        require(0 <= self.own_picks <= 1, "own_picks", "0 to 1", self.own_picks)
        require(self.init_std > 0, "init_std", "above 0", self.init_std)


@dataclass(frozen=True)
class DMNConfig(Training):
    """A dynamic memory network (Kumar et al. 2016, Xiong et al. 2016); the defaults are DMN+."""

    epochs: int = 256
    batch: int = 100
    replacement: bool = False
    optimizer: Optimizer = "adam"
    lr: float = 0.001
    schedule: Schedule = "constant"
    selection: Literal["train", "validation"] = "validation"
    keep: Literal["last", "best"] = "best"
    patience: int = 20
    l2: float = 0.001
    capacity: int = 1000
    dim: int = 80
    passes: int = 3
    input: Literal["words", "fusion"] = (
        "fusion"  # GRU over the story's words, or encoded sentences and a GRU in both directions
    )
    features: Literal["kumar", "xiong"] = "xiong"  # what the gate sees
    align: Literal["sigmoid", "softmax"] = "softmax"  # of the gate
    read: Literal["gated_gru", "attention_gru"] = "attention_gru"  # of an episode
    update: Literal["gru", "relu"] = "relu"  # of the memory: one GRU, or a layer for each pass
    stop: bool = False  # an end-of-passes signal among the facts: reading it ends the passes
    dropout: float = 0.1  # of encoded sentences and of what answers
    vectors: Literal["none", "train", "keep"] = "none"  # word vectors from a file: none, trained on, or kept as they are

    default_restarts = 4

    def __post_init__(self) -> None:
        super().__post_init__()
        require(1 <= self.dim <= 4096, "dim", "1 to 4096", self.dim)
        require(1 <= self.passes <= 64, "passes", "1 to 64", self.passes)
        require(0 <= self.dropout < 1, "dropout", "0 or more, below 1", self.dropout)
        if self.replacement:
            raise ConfigError(LIKE)
        if self.stop and self.align == "sigmoid":
            raise ConfigError("stop needs align=softmax: the end of the passes is chosen in place of the facts")
        if self.exchange and self.vectors != "none":
            raise ConfigError("exchange gives words the vectors of others, and vectors gives each its own: set one of them")


@dataclass(frozen=True)
class TransformerConfig(Training):
    """A Transformer over the story, universal unless said otherwise (Vaswani et al. 2017, Dehghani et al. 2019)."""

    epochs: int = 100
    batch: int = 50
    replacement: bool = False
    optimizer: Optimizer = "adamw"
    lr: float = 0.002
    schedule: Schedule = "cosine"
    warmup: float = 0.05
    clip: float = 1.0
    clip_per: Literal["matrix", "network"] = "network"
    decay: float = 0.01
    selection: Literal["train", "validation"] = "validation"
    keep: Literal["last", "best"] = "best"
    capacity: int = 1000
    dim: int = 64
    hidden: int = 128  # of the feed-forward networks
    heads: int = 4
    layers: int = 3  # or steps of the universal one, at most so many with adaptive halting
    universal: bool = True  # the same layer again and again, with a signal of the step
    halting: Literal["fixed", "act"] = "fixed"  # depth: fixed, or each element's own (ACT)
    ponder: float = 0.01  # halting=act: cost of a step
    elements: Literal["sentences", "words"] = "sentences"  # what attends to itself
    time: Literal["age", "absolute", "both", "none"] = "age"  # places counted from the question back, from the start, or both
    places: float = 0.0  # standard deviation of the masks of words' places before training; their mean is 1
    reach: int = 0  # each head has a learned preference for distances up to so many elements, 0 for none
    dropout: float = 0.3
    noise: float = 0.0  # random empty memories, at most this share of the story's
    score: Literal["dot", "scaled_dot", "general", "concat"] = "scaled_dot"
    align: Literal["softmax", "sigmoid", "sparsemax", "local_m", "local_p", "hard"] = "softmax"
    window: float = 0.0  # local alignments: elements to each side
    samples: int = 0  # hard alignment: addresses drawn for a question while training
    baseline: Literal["none", "mean", "loo"] = "none"  # hard alignment: subtracted from the loss

    default_restarts = 3

    def __post_init__(self) -> None:
        super().__post_init__()
        check_alignment(self)
        require(1 <= self.heads <= 64, "heads", "1 to 64", self.heads)
        require(
            2 <= self.dim <= 4096 and self.dim % (2 * self.heads) == 0,
            "dim",
            f"a multiple of {2 * self.heads} (heads={self.heads})",
            self.dim,
        )
        require(1 <= self.hidden <= 65_536, "hidden", "1 to 65536", self.hidden)
        require(1 <= self.layers <= 64, "layers", "1 to 64", self.layers)
        require(self.ponder >= 0, "ponder", "0 or more", self.ponder)
        require(self.places >= 0, "places", "0 or more", self.places)
        require(0 <= self.reach <= 10_000, "reach", "0 to 10000", self.reach)
        require(0 <= self.dropout < 1, "dropout", "0 or more, below 1", self.dropout)
        require(0 <= self.noise <= 1, "noise", "0 to 1", self.noise)
        aged = self.elements == "sentences" and self.time in ("age", "both")
        check_rules(
            [
                (self.replacement, LIKE),
                (self.halting == "act" and not self.universal, "halting=act repeats one layer: it needs universal=true"),
                (
                    self.halting == "fixed" and self.ponder != TransformerConfig.ponder,
                    "ponder is the cost of a step of halting=act, and halting=fixed takes all of them",
                ),
                (
                    self.noise > 0 and not aged,
                    "noise stretches the ages of sentences: it needs time=age and elements=sentences",
                ),
            ]
        )


@dataclass(frozen=True)
class LSTMConfig(Training):
    """An LSTM that reads and one that answers, with attention (Luong et al. 2015) or, by default, without."""

    epochs: int = 100
    batch: int = 50
    replacement: bool = False
    optimizer: Optimizer = "adam"
    lr: float = 0.002
    schedule: Schedule = "linear"
    clip: float = 5.0
    clip_per: Literal["matrix", "network"] = "network"
    selection: Literal["train", "validation"] = "validation"
    keep: Literal["last", "best"] = "best"
    patience: int = 20
    capacity: int = 1000
    decoder: Literal["class", "words"] = "words"
    dim: int = 64
    align: Literal["none", "softmax", "sigmoid", "sparsemax", "local_m", "local_p"] = "none"  # none: no attention
    score: Literal["dot", "scaled_dot", "general", "concat"] = "dot"
    window: float = 0.0  # local alignments: words to each side
    beam: int = 1  # answers are told by a beam of so many, 1 is greedily
    dropout: float = 0.1

    default_restarts = 3

    def __post_init__(self) -> None:
        super().__post_init__()
        check_window(self.align, self.window)
        require(1 <= self.dim <= 4096, "dim", "1 to 4096", self.dim)
        require(1 <= self.beam <= 100, "beam", "1 to 100", self.beam)
        require(0 <= self.dropout < 1, "dropout", "0 or more, below 1", self.dropout)
        check_rules(
            [
                (self.replacement, LIKE),
                (self.beam > 1 and self.decoder == "class", "an answer of one class needs no beam; set decoder=words"),
                (self.align == "none" and self.score != "dot", "score is of the attention, and align=none has none"),
                (
                    self.align == "none" and self.supervision == "facts",
                    "facts are for attention to learn, and align=none has none",
                ),
                (
                    self.supervision == "facts" and self.align in LOCAL,
                    f"align={self.align} cannot be told facts: its window may not reach them; set supervision=answers",
                ),
            ]
        )


@dataclass(frozen=True)
class BaselineConfig(Training):
    """A linear classifier over counts, or the most frequent answer: fitted, not trained in epochs."""

    selection: Literal["train", "validation"] = "validation"
    capacity: int = 1000
    estimator: Literal["frequent", "logistic", "svm"] = "logistic"
    features: Literal["related", "story"] = "related"  # of sentences that share a word with the question, or of all
    question: bool = True  # count the question's n-grams too
    weighting: Literal["binary", "counts", "tfidf"] = "binary"
    ngrams: int = 3  # of 1 to so many words
    inverse_penalty: float = 1.0  # C of scikit-learn's estimators

    default_restarts = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        require(1 <= self.ngrams <= 5, "ngrams", "1 to 5", self.ngrams)
        require(self.inverse_penalty > 0, "inverse_penalty", "above 0", self.inverse_penalty)
        for field in dataclasses.fields(self):
            fitted = field.name in BaselineConfig.__annotations__ or field.name in ("validation", "questions")
            if not fitted and getattr(self, field.name) != field.default:
                raise ConfigError(
                    f"{field.name} is for networks that are trained step by step; a baseline is fitted in one piece"
                )
        if self.estimator == "frequent":
            for name in ("features", "question", "weighting", "ngrams", "inverse_penalty"):
                if getattr(self, name) != getattr(BaselineConfig, name):
                    raise ConfigError(f"{name} changes nothing for estimator=frequent, which looks at answers alone")


LOCAL = ("local_m", "local_p")


def check_window(align: str, window: float) -> None:
    """Raise :class:`ConfigError` where a local alignment has no window, or another has one."""
    require(0 <= window <= MOST, "window", f"0 to {MOST}", window)
    local = align in LOCAL
    check_rules(
        [
            (local and window <= 0, f"align={align} needs a window: how many memories to each side, as window=5"),
            (not local and window > 0, f"window is for local_m and local_p; align={align} reads the whole memory"),
        ]
    )


def check_alignment(config: MemN2NConfig | TransformerConfig) -> None:
    """Raise :class:`ConfigError` where a local or a hard alignment lacks what it needs, or another has it."""
    check_window(config.align, config.window)
    require(0 <= config.samples <= 1000, "samples", "0 to 1000", config.samples)
    of_drawing = ("samples", "baseline", "entropy", "test_samples")
    drawn = [name for name in of_drawing if getattr(config, name, 0) not in (0, "none")]
    check_rules(
        [
            (config.align != "hard" and drawn, f"{' and '.join(drawn)}: only align=hard draws addresses, not {config.align}"),
            (config.align == "hard" and config.samples < 1, "align=hard learns from drawn addresses: set samples=1 or more"),
            (
                config.baseline == "loo" and config.samples < 2,
                "baseline=loo is the mean over the other samples: set samples=2 or more",
            ),
            (
                config.supervision == "facts" and config.align in LOCAL,
                f"align={config.align} cannot be told facts: its window may not reach them; set supervision=answers",
            ),
        ]
    )


def check_rules(rules: Sequence[tuple[object, str]]) -> None:
    """Raise :class:`ConfigError` with the message of the first rule that is broken."""
    for broken, message in rules:
        if broken:
            raise ConfigError(message)


CONFIGS: dict[str, type[Training]] = {
    "memn2n": MemN2NConfig,
    "memnn": MemNNConfig,
    "dmn": DMNConfig,
    "transformer": TransformerConfig,
    "lstm": LSTMConfig,
    "baseline": BaselineConfig,
}


def model_of(config: Training) -> str:
    """The kind of network that a configuration is of."""
    return next(name for name, kind in CONFIGS.items() if type(config) is kind)


NO_NULL = ("linear", "sigmoid", "local_m", "local_p")  # alignments that cannot read nothing


def fitting(chosen: Mapping[str, Any], given: Mapping[str, Any], kind: type[Training]) -> dict[str, Any]:
    """The settings ``chosen`` by name, with what an alignment or a read of this kind cannot do without, unless ``given``.

    A local alignment gets a window, hard ones get samples and a baseline, none that cannot read nothing
    is asked to, and reads with gates start without the linear phase.
    """
    if twice := sorted(chosen.keys() & given.keys()):
        raise ConfigError(f"{' and '.join(twice)} is given twice, as an option and by --set")
    settings, every = dict(chosen), {**chosen, **given}
    align, read = settings.get("align", "softmax"), settings.get("read", "weighted_sum")
    if align in NO_NULL and hasattr(kind, "null"):
        settings["null"] = "none"
    if align in ("local_m", "local_p") and hasattr(kind, "window"):
        settings.setdefault("window", 5.0)
    if align == "hard" and hasattr(kind, "samples"):
        settings.setdefault("samples", 5)
        samples = every.get("samples", settings["samples"])
        settings.setdefault("baseline", "loo" if isinstance(samples, int) and samples > 1 else "mean")
    if read != "weighted_sum" and hasattr(kind, "linear_start"):
        settings["linear_start"] = 0
    return {**settings, **given}


def require(condition: bool, name: str, expected: str, value: object) -> None:
    """Raise :class:`ConfigError` unless ``condition``."""
    if not condition:
        raise ConfigError(f"{name} must be {expected}, not {value!r}")


def check_fields(config: Training) -> None:
    """Raise :class:`ConfigError` where a field's value is not of its type."""
    for name, kind in typing.get_type_hints(type(config)).items():
        value = getattr(config, name)
        if typing.get_origin(kind) is Literal:
            require(value in typing.get_args(kind), name, " or ".join(map(str, typing.get_args(kind))), value)
        elif kind is float:
            number = isinstance(value, int | float) and not isinstance(value, bool)
            require(number and value == value and abs(value) != float("inf"), name, "a number", value)
        else:
            require(type(value) is kind, name, {bool: "true or false", int: "a whole number"}[kind], value)


RULES = {"train": "training", "validation": "validation"}  # which error chooses a replica, in words

Config = TypeVar("Config", bound=Training)


def override(config: Config, settings: Mapping[str, Any]) -> Config:
    """The configuration with some fields changed. Raises :class:`ConfigError`."""
    known = [field.name for field in dataclasses.fields(config)]
    for name in settings:
        if name not in known:
            near = difflib.get_close_matches(name, known, 1)
            hint = f"; did you mean {near[0]!r}?" if near else f"; there are {', '.join(known)}"
            raise ConfigError(f"there is no setting {name!r}{hint}")
    return dataclasses.replace(config, **settings)


def parse_settings(pairs: Sequence[str], kind: type[Training]) -> dict[str, Any]:
    """``["dim=50", "relu=true"]`` as values of the fields' types. Raises :class:`ConfigError`."""
    hints = typing.get_type_hints(kind)
    settings: dict[str, Any] = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        name, text = name.strip(), text.strip()
        if not equals or not name:
            raise ConfigError(f"a setting is written key=value, not {pair!r}")
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
