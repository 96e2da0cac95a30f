"""bAbI from 1,000 questions a task, answers alone: the protocol of ``memnet reproduce thousand``; and three beside it.

A system, not a network alone: rules made by hand rename the words of each question and its story before a network reads them,
those first that the question leads to. That order does much of it (``thousand-parts``). The limits of the rules that find
phrases and interchangeable words were set by hand, too, by looking at what they find in these tasks, published and simulated.

Data. The published English text of bAbI v1.2, 1,000 questions a task; no supporting facts, no simulated story, no other text,
no list of names and no grammar. 900 questions of each task are learned from, the stories with the last 100 are for validation.
Phrases, synonyms and interchangeable words are found in the stories that are learned from (:mod:`memnet.tasks.text.phrases`,
:mod:`memnet.tasks.text.canonical`).

Choice. One procedure for all tasks. For each task and seed the candidates are tried in their order, until one makes no
error on the validation questions; if none does, the one with the fewest is chosen, of equal ones the first. Within a training
the epoch is chosen by validation too.

Test. The test questions are asked of a network after its last epoch; they stop and choose nothing. Five seeds, each the whole
procedure again, and every one is counted.

The candidates' settings were chosen by validation errors of seeds 0 and 1 on the tasks that were learned worst (2, 3, 7, 8, 17,
18, 19), whose test errors were printed beside them: seeds 2, 3 and 4 are the cleaner ones. All seeds have the same 900, 100
and test questions.

Beside it: ``thousand-unordered`` has no rule that orders words, ``thousand-facts`` learns from the supporting facts of the
same questions too, ``thousand-joint`` is one network for all twenty tasks, ``ten-thousand`` has ten times the questions of the
19 tasks whose text could be had.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from memnet.config.dmn import DMNConfig
from memnet.config.mentions import MentionsConfig
from memnet.papers.declare import TASKS, Column, Paper, Printed, Runs, Shown, Study
from memnet.papers.ours import DMN_PLUS, UNIVERSAL
from memnet.papers.sukhbaatar2015 import PE_LS_RN

AS_WORDS: dict[str, Any] = {"phrases": True, "consistent": True, "synonyms": True}
CANONICAL: dict[str, Any] = {**AS_WORDS, "canonical": True}

DMN_PLUS_CANONICAL = DMNConfig(epochs=100, patience=40, stop_after_perfect=20, dropout=0.2, **CANONICAL)
UNIVERSAL_CANONICAL = replace(UNIVERSAL, epochs=100, permute=False, **CANONICAL)

MENTIONS = MentionsConfig(  # sees none of the names that are drawn
    epochs=40,
    batch=25,
    dropout=0.05,
    position_mask_std=1.0,
    monitor="error",
    stop_after_perfect=3,
    name_order="drawn",
    **CANONICAL,
)

PRESETS = {
    "mentions": MENTIONS,
    "pe-ls-rn-canonical": replace(PE_LS_RN, selection="validation", **CANONICAL),
    "dmn-plus-canonical": DMN_PLUS_CANONICAL,
    "universal-canonical": UNIVERSAL_CANONICAL,
    "universal-permute-phrases": replace(UNIVERSAL, epochs=120, **AS_WORDS),
    "universal-canonical-joint": replace(
        UNIVERSAL_CANONICAL, dim=128, hidden=256, heads=8, epochs=60, lr=0.001, monitor="error"
    ),
    "universal-canonical-10k": replace(UNIVERSAL_CANONICAL, epochs=30, stop_after_perfect=3),
    "universal-canonical-facts": replace(UNIVERSAL_CANONICAL, supervision="facts"),
    "dmn-plus-canonical-facts": replace(DMN_PLUS_CANONICAL, supervision="facts"),
    "dmn-plus-facts-phrases": replace(DMN_PLUS, supervision="facts", **AS_WORDS),
}

ABOUT = {
    "mentions": "Universal Transformer that sees where words recur",
    "pe-ls-rn-canonical": "as pe-ls-rn, with canonical names",
    "dmn-plus-canonical": "as dmn-plus, with canonical names",
    "universal-canonical": "as universal, with canonical names",
    "universal-permute-phrases": "as universal-permute, with phrases and synonyms",
    "universal-canonical-joint": "as universal-canonical, wider, for all tasks",
    "universal-canonical-10k": "as universal-canonical, for 10,000 questions",
    "universal-canonical-facts": "as universal-canonical, learns from facts too",
    "dmn-plus-canonical-facts": "as dmn-plus-canonical, learns from facts too",
    "dmn-plus-facts-phrases": "as dmn-plus-facts-permute, with phrases and synonyms",
}

SEEDS = (0, 1, 2, 3, 4)


def in_turn(presets: Sequence[str], family: str = "babi", seeds: tuple[int, ...] = SEEDS) -> tuple[Runs, ...]:
    """The runs of presets that are tried in turn, in this order: a network each, from every seed."""
    return tuple(Runs((preset,), family, seed=seed, restarts=1) for preset in presets for seed in seeds)


THOUSAND = Study(
    "thousand",
    "The twenty tasks from 1,000 questions each, answers alone: networks tried in turn and chosen by validation, five seeds",
    in_turn(("universal-canonical", "dmn-plus-canonical", "universal-permute-phrases")),  # the one that learns fastest first
    in_turn=True,
)
UNORDERED = Study(
    "thousand-unordered",
    "The twenty tasks from 1,000 questions each, answers alone, by networks that are given no order of names or statements",
    (
        *(Runs(("universal-permute",), seed=seed) for seed in SEEDS),
        *(Runs(("mentions",), seed=seed, restarts=1) for seed in SEEDS),
    ),
    in_turn=True,
)
FACTS = Study(
    "thousand-facts",
    "The twenty tasks from 1,000 questions each and their supporting facts: networks tried in turn and chosen by validation",
    in_turn(("universal-canonical-facts", "dmn-plus-canonical-facts", "dmn-plus-facts-phrases")),
    in_turn=True,
)
JOINT = Study(
    "thousand-joint",
    "One network for the twenty tasks, 1,000 questions each, answers alone",
    tuple(Runs(("universal-canonical-joint",), joint=True, seed=seed, restarts=1) for seed in SEEDS),
)
TEN_THOUSAND = Study(
    "ten-thousand",
    "19 tasks from 10,000 questions each, answers alone: networks tried in turn and chosen by validation",
    in_turn(("universal-canonical-10k", "universal-permute-10k"), "babi-10k", seeds=(0,)),
    in_turn=True,
)
HAD = TASKS["babi-10k"]  # the tasks of which other thousands can be had
OTHERS, OTHER_SEEDS = range(1, 6), SEEDS[:3]  # which other thousands of the published 10,000
OTHER_THOUSANDS = {
    number: Study(
        f"thousand {number}",
        f"The procedure on thousand {number} of the published 10,000",
        tuple(replace(part, tasks=HAD, story_seed=number) for part in in_turn(THOUSAND.presets, "resampled", OTHER_SEEDS)),
        in_turn=True,
    )
    for number in OTHERS
}
SPREAD = Study(
    "other-thousands",
    "The procedure on five other thousands of the published 10,000, three seeds each: does it hang on the draw?",
    tuple(part for study in OTHER_THOUSANDS.values() for part in study.runs),
    parts=tuple(OTHER_THOUSANDS.values()),
    grows=True,
)
PARTS: dict[str, tuple[str, ...]] = {  # the first candidate with one part of its reading changed
    "as it is": (),
    "no phrases": ("phrases=false",),
    "synonyms apart": ("synonyms=false",),
    "groups as counted": ("consistent=false",),
    "own names": ("canonical=false",),
    "permuted names": ("canonical=false", "permute=true"),
    "masked words too": ("cloze=1.0",),
}
PARTS_SEED = 5  # none of the procedure's own
PARTS_TASKS = tuple(task for task in TASKS["babi"] if task not in ("qa2", "qa3"))  # where another candidate is chosen
ORDERS: dict[str, tuple[str, ...]] = {  # a network with its names given in another order
    "as it is": (),
    "order of the story": ("name_order=story",),
    "drawn order": ("name_order=drawn",),
    "own names": ("canonical=false",),
}
ORDERED = ("pe-ls-rn-canonical",)  # whose names are; the one that trains fastest
ORDERED_TASKS = ("qa14", "qa16")  # of those where own names cost the Universal Transformer most
NOT_TRAINED = ("frequent", "ngram")  # the most frequent training answer, and logistic regression over n-grams
AS_READ = tuple(f"{name}=true" for name in CANONICAL)
READINGS: dict[str, tuple[str, ...]] = {  # theirs, of all twenty tasks
    "as written": (),
    "as it is read": AS_READ,
    "order of the story": (*AS_READ, "name_order=story"),
    "drawn order": (*AS_READ, "name_order=drawn"),
}
ABLATION = Study(
    "thousand-parts",
    "What each part of the reading adds: universal-canonical with one part changed, 1,000 questions, one seed",
    (
        *(
            Runs((THOUSAND.presets[0],), tasks=PARTS_TASKS, seed=PARTS_SEED, settings=settings, restarts=1)
            for settings in PARTS.values()
        ),
        *(Runs(ORDERED, tasks=ORDERED_TASKS, seed=PARTS_SEED, settings=settings, restarts=1) for settings in ORDERS.values()),
        *(Runs(NOT_TRAINED, settings=settings, restarts=1) for settings in READINGS.values()),
    ),
)

# What is printed beside them.

OF_PAPER = "Universal Transformer"
MEAN_OF_SEEDS = Printed(f"{OF_PAPER}, mean of ten seeds", "UT w/ dynamic halting, mean over 10 seeds")
BEST_OF_TASK = Printed(f"{OF_PAPER}, of ten seeds the best for each task", "UT w/ dynamic halting, best seed per task of 10")
FIXED_DEPTH = Printed(f"{OF_PAPER}, fixed depth", "Universal Transformer (fixed depth)")
OF_A_THOUSAND = "1,000 questions a task, of which 900 are learned from and 100 choose"
NOTHING_ELSE = "no other text, no list of names, no grammar; words are renamed for each question by hand-made rules"
SHOWN = {
    THOUSAND.name: Shown(
        f"{OF_A_THOUSAND}; answers alone, no supporting facts, {NOTHING_ELSE}.",
        BEST_OF_TASK,
        "paper, best of ten",
        (MEAN_OF_SEEDS,),
        (
            BEST_OF_TASK,
            FIXED_DEPTH,
            Printed("GA+MAGE, which has coreferences from elsewhere", "GA+MAGE (uses external coreference annotations)"),
            Printed("QRN, two layers", "QRN 2r"),
            Printed("QRN, three layers", "QRN 3r"),
            Printed("GMemN2N", "GMemN2N"),
            Printed("MemN2N", "MemN2N PE LS RN 3 hops", "Sukhbaatar"),
            Printed("QDREN", "QDREN"),
            Printed("UMN, one invariant", "UMN 1 invariant", supervision="weak"),
            Printed("EntNet", "EntNet"),
        ),
    ),
    UNORDERED.name: Shown(
        f"{OF_A_THOUSAND}; answers alone, no supporting facts, no other text, no list of names, no grammar. Interchangeable "
        "words are permuted at random, or not seen at all: no rule orders them.",
        BEST_OF_TASK,
        "paper, best of ten",
        (MEAN_OF_SEEDS,),
        (BEST_OF_TASK, FIXED_DEPTH, Printed("MemN2N", "MemN2N PE LS RN 3 hops", "Sukhbaatar")),
        renamed=False,
    ),
    FACTS.name: Shown(
        f"{OF_A_THOUSAND}; answers and the supporting facts of the same questions, {NOTHING_ELSE}.",
        Printed("UMN, one invariant", "UMN 1 invariant", supervision="strong"),
        "paper, UMN",
        once=(
            Printed("GGT-NN, which is also taught the state after each statement", "GGT-NN direct reference"),
            Printed("UMN, one invariant", "UMN 1 invariant", supervision="strong"),
            Printed("DMN, which does not say how many questions it had", "DMN", "Kumar"),
            Printed("MemNN", "MemNN strongly supervised (AM+NG+NL)", "Sukhbaatar"),
            Printed("logic programs, partly written by hand (Mitra and Baral)", "ASP + ILP + statistical NLP"),
        ),
    ),
    JOINT.name: Shown(
        f"one network for all twenty tasks, {OF_A_THOUSAND}; answers alone, no supporting facts, "
        f"{NOTHING_ELSE}; of what is learned from it is known which story is from which task.",
        BEST_OF_TASK,
        "paper, best of ten",
        (MEAN_OF_SEEDS,),
        (
            BEST_OF_TASK,
            FIXED_DEPTH,
            Printed("MemN2N", "MemN2N PE LS RN joint 3 hops", "Sukhbaatar"),
            Printed("match-memory network", "DMRNN-3"),
        ),
    ),
    TEN_THOUSAND.name: Shown(
        "10,000 questions a task, of which 9,000 are learned from and 1,000 choose; answers alone, no supporting facts, "
        f"{NOTHING_ELSE}. Task 3's text could not be had.",
        BEST_OF_TASK,
        "paper, best of ten",
        (MEAN_OF_SEEDS,),
        (
            BEST_OF_TASK,
            FIXED_DEPTH,
            Printed("EntNet", "EntNet", "Henaff"),
            Printed("QRN, its later figure, all twenty tasks", "QRN (as cited by Universal Transformers)"),
            Printed("QRN, six layers, all twenty tasks", "QRN 6r200"),
        ),
    ),
}

IN_TURN: dict[str, tuple[str, Study | None, Study | None]] = {  # rows of the README's table of systems
    "[names hidden](docs/thousand.md#without-a-rule-of-order) or swapped, two networks tried in turn": (
        "answers",
        UNORDERED,
        None,
    ),
    "[words renamed](docs/thousand.md) in an order made by hand, three tried in turn": ("answers", THOUSAND, TEN_THOUSAND),
}


PAPER = Paper(
    None,
    PRESETS,
    studies=(THOUSAND, UNORDERED, FACTS, JOINT, TEN_THOUSAND, ABLATION, SPREAD),
    other_columns={"babi": (Column("universal-canonical-joint", joint=True, restarts=1),)},
    about=ABOUT,
)
