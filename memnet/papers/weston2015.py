"""MemNN, strongly supervised, on the twenty tasks that this paper introduced."""

from __future__ import annotations

from dataclasses import replace

from memnet.config.memnn import MemNNConfig
from memnet.papers.declare import Citation, Column, Paper, Runs, Study, Table

CITATION = Citation(
    authors=(
        "Jason Weston",
        "Antoine Bordes",
        "Sumit Chopra",
        "Alexander M. Rush",
        "Bart van Merriënboer",
        "Armand Joulin",
        "Tomas Mikolov",
    ),
    year=2015,
    title="Towards AI-Complete Question Answering: A Set of Prerequisite Toy Tasks",
    arxiv="1502.05698",
)

AM = MemNNConfig(adaptive=True)
AM_NG_NL = replace(AM, ngrams=True, nonlinear=True)

PRESETS = {
    "memnn": MemNNConfig(hops=2),
    "memnn-am": AM,
    "memnn-am-ng": replace(AM, ngrams=True),
    "memnn-am-nl": replace(AM, nonlinear=True),
    "memnn-am-ng-nl": AM_NG_NL,
    "memnn-am-ng-nl-age": replace(AM_NG_NL, time="age", align="argmax"),
    "memnn-am-ng-nl-10k": replace(AM_NG_NL, epochs=20),
    "memnn-am-ng-nl-joint": replace(AM_NG_NL, dim=100, lr=0.003, epochs=20),
}

ABOUT = {
    "memnn": "reads two sentences, one after another",
    "memnn-am": "reads until nothing more is to be found (AM)",
    "memnn-am-ng": "AM, and n-grams (NG)",
    "memnn-am-nl": "AM, and a non-linear match (NL)",
    "memnn-am-ng-nl": "AM, n-grams and a non-linear match",
    "memnn-am-ng-nl-age": "as memnn-am-ng-nl, time as each sentence's age",
    "memnn-am-ng-nl-10k": "as memnn-am-ng-nl, for 10,000 questions",
    "memnn-am-ng-nl-joint": "as memnn-am-ng-nl, one network for all tasks",
}

TABLE = Table(
    "memnn-1k",
    "MemNN, strongly supervised (Weston et al. 2015, table 3)",
    "babi",
    (
        Column("memnn", published="MemNN (Weston 2014)"),
        Column("memnn-am", published="MemNN AM"),
        Column("memnn-am-ng", published="MemNN AM+NG"),
        Column("memnn-am-nl", published="MemNN AM+NL"),
        Column("memnn-am-ng-nl", published="MemNN AM+NG+NL"),
        Column("memnn-am-ng-nl-age"),
        Column("memnn-am-ng-nl-joint", published="MemNN AM+NG+NL multitask", joint=True, restarts=2),
    ),
)

QUESTIONS_PRESET = "memnn-am-ng-nl"  # the paper prints how many questions this row needs for 95 %
QUESTIONS = Study(
    "questions",
    "How many questions a task needs (Weston et al. 2015, table 3)",
    tuple(Runs((QUESTIONS_PRESET,), settings=changes) for changes in ((), *((f"questions={n}",) for n in (100, 250, 500)))),
)

PAPER = Paper(
    CITATION,
    PRESETS,
    (TABLE,),
    (QUESTIONS,),
    other_columns={"babi-10k": (Column("memnn-am-ng-nl-10k", restarts=1, stands_for="memnn-am-ng-nl"),)},
    about=ABOUT,
)
