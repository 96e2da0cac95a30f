"""Our own: presets with permutation augmentation, linear baselines, and studies that are in no paper."""

from __future__ import annotations

from dataclasses import replace

from memnet.config.baselines import BaselineConfig
from memnet.config.causal import CausalConfig
from memnet.config.lstm import LSTMConfig
from memnet.config.transformer import TransformerConfig
from memnet.config.walk import WalkConfig
from memnet.config.writable import WritableConfig
from memnet.papers.declare import TASKS, Column, Paper, Runs, Study, Table
from memnet.papers.sukhbaatar2015 import PE_LS_RN
from memnet.papers.xiong2016 import DMN_PLUS_10K

# Permutation augmentation: presets of the papers with interchangeable words permuted at every step.

DMN_PLUS = replace(DMN_PLUS_10K, epochs=300, batch=50, patience=100, stop_after_perfect=10, dropout=0.0, permute=True)
UNIVERSAL = TransformerConfig(
    epochs=200, stop_after_perfect=10, dropout=0.1, position_mask_std=1.0, max_relative_distance=16, permute=True
)
# The Universal Transformer without augmentation, as many steps as its authors trained: 5,556 epochs of 18 batches of 50.
UNIVERSAL_LONG = replace(UNIVERSAL, epochs=5556, permute=False, stop_after_perfect=0, restore_best=False)

PRESETS = {
    "pe-ls-rn-permute": replace(PE_LS_RN, permute=True),
    "dmn-plus-permute": DMN_PLUS,
    "dmn-plus-facts-permute": replace(DMN_PLUS, supervision="facts"),
    "dmn-plus-permute-10k": replace(DMN_PLUS, epochs=150, batch=100, patience=40, stop_after_perfect=3),
    "transformer-permute": replace(UNIVERSAL, universal=False),
    "universal-permute": UNIVERSAL,
    "universal-permute-10k": replace(UNIVERSAL, epochs=60, stop_after_perfect=3, dropout=0.0),
    "universal-act-permute": replace(UNIVERSAL, halting="act", layers=6),
    "universal-long": UNIVERSAL_LONG,
    "lstm-attention-permute": LSTMConfig(align="softmax", score="general", permute=True),
    "causal": CausalConfig(),
    "writable": WritableConfig(),
    "writable-states": WritableConfig(epochs=12, batch=560, permute=True),
    "open-joint": CausalConfig(
        epochs=180,
        hidden=512,
        open_vocabulary=True,
        stream=1000,
        phrasing=0.3,
        facts_alone=0.1,
        unanswerable=0.05,
        supervision="facts",
    ),
    "causal-open": CausalConfig(
        epochs=16,
        batch=48,
        dim=64,
        hidden=128,
        open_vocabulary=True,
        marker_order="question",
        marker_gaps=0.15,
        restore_best=True,
    ),
    "walk": WalkConfig(span=2, epochs=8, states=6, dropout=0.3, package_vectors=True),
    "walk-sum": WalkConfig(compose="sum", states=16, dim=64, batch=128, epochs=10),
    "frequent": BaselineConfig(estimator="frequent"),
    "ngram": BaselineConfig(),
    "ngram-story": BaselineConfig(question=False),
    "tfidf-logistic": BaselineConfig(features="story", weighting="tfidf", ngrams=2),
    "tfidf-svm": BaselineConfig(features="story", weighting="tfidf", ngrams=2, estimator="svm"),
}

# Beside what a network makes of names that it has never met.

UNSEEN_NAMES_BESIDE = {  # heads of columns -> model, size and regime of a row in results/published.csv
    "UT, best seed of each task": ("UT w/ dynamic halting, best seed per task of 10", "10k", "joint"),
    "UT, mean of 10 seeds": ("UT w/ dynamic halting, mean over 10 seeds", "10k", "joint"),
    "MemN2N": ("MemN2N PE LS RN joint 3 hops", "10k", "joint"),
}

ABOUT = {
    "pe-ls-rn-permute": "as pe-ls-rn, with permutation augmentation",
    "dmn-plus-permute": "as dmn-plus, with permutation augmentation",
    "dmn-plus-facts-permute": "as dmn-plus-facts, with permutation augmentation",
    "dmn-plus-permute-10k": "as dmn-plus-permute, for 10,000 questions",
    "transformer-permute": "as transformer, with permutation augmentation",
    "universal-permute": "as universal, with permutation augmentation",
    "universal-permute-10k": "as universal-permute, for 10,000 questions",
    "universal-act-permute": "as universal-act, with permutation augmentation",
    "universal-long": "as universal, 100,000 steps, the last epoch kept",
    "lstm-attention-permute": "as lstm-attention, with permutation augmentation",
    "writable": "a memory whose sentences rewrite its slots",
    "writable-states": "as writable, of stories that ask for every slot",
    "causal": "Universal Transformer that reads a story once",
    "open-joint": "as causal, for any names, the network of the package",
    "causal-open": "as causal, for any names, smaller",
    "walk": "walks relations from name to name by a learned table",
    "walk-sum": "as walk, relations are vectors that are added",
    "frequent": "the most frequent answer",
    "ngram": "linear classifier over n-grams of both texts",
    "ngram-story": "as ngram, of the story alone",
    "tfidf-logistic": "logistic regression over TF-IDF",
    "tfidf-svm": "support vector machine over TF-IDF",
}

PERMUTED = (  # presets without and with permutation augmentation
    ("pe-ls-rn", "pe-ls-rn-permute"),
    ("dmn-plus", "dmn-plus-permute"),
    ("dmn-plus-facts", "dmn-plus-facts-permute"),
    ("lstm-attention", "lstm-attention-permute"),
    ("transformer", "transformer-permute"),
    ("universal", "universal-permute"),
)
PERMUTATION = Study(
    "permutation",
    "Permutation augmentation: networks with and without, 1,000 questions",
    tuple(Runs((preset,)) for pair in PERMUTED for preset in pair),
)

# Linear baselines, beside the n-gram classifier of Weston et al. 2015.

NGRAM = ("ngram", "ngram-story")
BASELINES = Table(
    "baselines-1k",
    "Linear classifiers and the most frequent answer, 1,000 questions",
    "babi",
    (
        Column("frequent"),
        Column("ngram", published="N-gram classifier"),
        Column("ngram-story", published="N-gram classifier"),
        Column("tfidf-logistic"),
        Column("tfidf-svm"),
    ),
    variants=(
        Runs(NGRAM, joint=True),
        *(Runs(NGRAM, settings=(changed,)) for changed in ("weighting=counts", "ngrams=1", "features=story")),
    ),
)

# Every score and alignment of the attention core in one network.

ATTENTION_PRESET = "pe-ls-rn"
ATTENTION_TASKS = ("qa1", "qa2", "qa4", "qa6", "qa9", "qa12", "qa14", "qa15", "qa20")
ATTENTION_SETTINGS = {"null": "none", "selection": "validation"}  # that all rows share
HARD: dict[str, object] = {"align": "hard", "samples": 5, "softmax_epochs": 20}
ATTENTION_ROWS: tuple[dict[str, object], ...] = (
    {},
    {"align": "argmax"},  # the control of hard attention: softmax trained, read by argmax
    {"align": "sparsemax"},
    {"align": "local_m", "window": 5},
    {"align": "local_p", "window": 5},
    HARD,
    HARD | {"baseline": "mean"},
    HARD | {"baseline": "loo"},
)


def attention_runs(tasks: tuple[str, ...], **changes: object) -> Runs:
    """A row of the attention table: the settings that all share, and what is changed."""
    settings = tuple(f"{name}={value}" for name, value in (ATTENTION_SETTINGS | changes).items())
    return Runs((ATTENTION_PRESET,), tasks=tasks, settings=settings)


ATTENTION = Study(
    "attention",
    "Scores and alignments of the attention core beside each other",
    (
        *(
            attention_runs(ATTENTION_TASKS, **({} if score == "dot" else {"score": score}), **row)
            for score in ("dot", "general", "concat")
            for row in ATTENTION_ROWS
        ),
        attention_runs(("qa4",), **HARD | {"baseline": "loo", "softmax_epochs": 0}),
        attention_runs(("qa4",), score="concat", **HARD | {"baseline": "loo", "softmax_epochs": 60}),
    ),
)

# The models beside each other: name -> its presets by what they learn from.

COMPARED = {
    "MemNN": {"babi": "memnn-am-ng-nl", "babi-10k": "memnn-am-ng-nl-10k"},
    "MemN2N": {"babi": "pe-ls-rn", "babi-10k": "pe-ls-rn"},
    "MemN2N, permuted words": {"babi": "pe-ls-rn-permute"},
    "DMN+": {"babi": "dmn-plus", "babi-10k": "dmn-plus-10k"},
    "DMN+, permuted words": {"babi": "dmn-plus-permute", "babi-10k": "dmn-plus-permute-10k"},
    "LSTM with attention": {"babi": "lstm-attention", "babi-10k": "lstm-attention-10k"},
    "LSTM with attention, permuted words": {"babi": "lstm-attention-permute"},
    "Transformer": {"babi": "transformer", "babi-10k": "transformer-10k"},
    "Transformer, permuted words": {"babi": "transformer-permute"},
    "Universal Transformer": {"babi": "universal", "babi-10k": "universal-10k"},
    "Universal Transformer, permuted words": {"babi": "universal-permute", "babi-10k": "universal-permute-10k"},
}
WITH_FACTS = {  # those that may learn from supporting facts too, as the MemNN does
    "MemN2N, facts": {"babi": "pe-ls-rn-facts"},
    "DMN, facts": {"babi": "dmn", "babi-10k": "dmn-10k"},
    "DMN+, facts": {"babi": "dmn-plus-facts", "babi-10k": "dmn-plus-facts-10k"},
    "DMN+, facts, permuted words": {"babi": "dmn-plus-facts-permute"},
}
COMPARISON = Study(
    "comparison",
    "The models beside each other, 1,000 and 10,000 questions",
    tuple(Runs((preset,), family) for presets in (COMPARED | WITH_FACTS).values() for family, preset in presets.items()),
)

# Whether networks read the supporting facts.

RETRIEVING = ("pe-ls-rn", "pe-ls-rn-facts", "memnn-am-ng-nl")
RETRIEVAL = Study("retrieval", "Whether the networks read the supporting facts", (Runs(RETRIEVING),))

# What a network does not learn: preset and family of it, without permutation, and with more questions.

ANALYSED, NOT_PERMUTED, MORE_QUESTIONS = (
    ("universal-permute", "babi"),
    ("universal", "babi"),
    ("universal-permute-10k", "babi-10k"),
)
ANALYSED_PAPER = ("universal-act-permute", "babi")  # whose published row is the paper's, task by task
ABLATED_TASKS = ("qa3", "qa16", "qa17")  # that fail, and are trained again with one thing changed
ABLATIONS: dict[str, tuple[str, ...]] = {  # column -> the settings that are changed
    "one restart": (),
    "facts taught": ("supervision=facts",),
    "not permuted": ("permute=false",),
    "no dropout": ("dropout=0",),
}
STARTED_AGAIN = tuple(
    task for task in ABLATED_TASKS if task in TASKS["babi-10k"]
)  # whether more questions suffice hangs on luck
RESTARTS = 3  # for each of these
ERROR_ANALYSIS = Study(
    "error-analysis",
    "What the Universal Transformer does not learn from 1,000 questions, task by task",
    (
        *(Runs((preset,), family) for preset, family in (NOT_PERMUTED, ANALYSED, MORE_QUESTIONS)),
        *(Runs(ANALYSED[:1], tasks=ABLATED_TASKS, settings=settings, restarts=1) for settings in ABLATIONS.values()),
        Runs(MORE_QUESTIONS[:1], MORE_QUESTIONS[1], tasks=STARTED_AGAIN, restarts=RESTARTS),
    ),
)

# What the Universal Transformer learns without augmentation in the steps that its authors trained it.

STEPS: dict[str, tuple[str, ...]] = {"1,000": ("epochs=56",), "10,000": ("epochs=556",), "100,000": ()}
STEPS_PRESET, STEPS_TASKS = "universal-long", ("qa14", "qa16", "qa17", "qa19")  # of those that universal fails
UNLEARNED = "qa16"  # stays at chance
STEPS_CHANGED: dict[str, tuple[str, ...]] = {  # one thing as in the paper or its code, 10,000 steps
    name: (*STEPS["10,000"], *settings)
    for name, settings in {
        "as it is": (),
        "adaptive halting, six steps": ("halting=act", "layers=6"),
        "width 128 and 512": ("dim=128", "hidden=512", "lr=0.001"),
        "places counted from the start": ("time=absolute",),
    }.items()
}
TRAINING_STEPS = Study(
    "training-steps",
    "The Universal Transformer without augmentation after 1,000, 10,000 and 100,000 steps, 1,000 questions",
    (
        *(Runs((STEPS_PRESET,), tasks=STEPS_TASKS, settings=settings, restarts=1) for settings in STEPS.values()),
        *(Runs((STEPS_PRESET,), tasks=(UNLEARNED,), settings=settings, restarts=1) for settings in STEPS_CHANGED.values()),
    ),
)

# Whether another seed gives other errors.

SEEDED = (
    ("dmn-plus", "babi"),
    ("dmn-plus-permute", "babi"),
    ("dmn-plus-facts-permute", "babi"),
    ("dmn-plus-permute-10k", "babi-10k"),
)
SEEDS = (0, 1)
SEEDS_STUDY = Study(
    "seeds",
    "DMN+ with another seed",
    tuple(Runs((preset,), family, seed=seed) for preset, family in SEEDED for seed in SEEDS),
)

# Whether a simulated story teaches as much as a published one.

TRANSFER_PRESET = "pe-ls-rn"
TRANSFER = Study(
    "transfer",
    "Trained on simulated stories, tested on published ones",
    (
        Runs((TRANSFER_PRESET,)),
        *(Runs((TRANSFER_PRESET,), "transfer", story_seed=seed) for seed in range(3)),
        *(Runs((TRANSFER_PRESET,), "resampled", TASKS["babi-10k"], story_seed=seed) for seed in range(1, 5)),
    ),
)

# What the README shows.

NETWORKS = {  # rows: what it learns from, its presets for 1,000 and 10,000 questions
    "[MemNN](docs/memnn.md)": ("answers, facts", "memnn-am-ng-nl", "memnn-am-ng-nl-10k"),
    "[MemN2N](docs/memn2n.md)": ("answers", "pe-ls-rn", "pe-ls-rn"),
    "[DMN+](docs/dmn.md)": ("answers", "dmn-plus", "dmn-plus-10k"),
    "DMN+": ("answers, facts", "dmn-plus-facts", "dmn-plus-facts-10k"),
    "[LSTM](docs/lstm.md)": ("answers", "lstm", ""),
    "[Transformer](docs/transformer.md)": ("answers", "transformer", "transformer-10k"),
    "Universal Transformer": ("answers", "universal", "universal-10k"),
    "Universal Transformer, [names swapped](docs/permutation.md)": ("answers", "universal-permute", "universal-permute-10k"),
}

PAPER = Paper(
    None,
    PRESETS,
    (BASELINES,),
    (ATTENTION, COMPARISON, RETRIEVAL, ERROR_ANALYSIS, TRAINING_STEPS, SEEDS_STUDY, PERMUTATION, TRANSFER),
    other_columns={"babi": (Column("pe-ls-rn-permute"),)},
    about=ABOUT,
)
