"""LSTM encoder and decoder, with this paper's global attention and without any.

The paper translates and prints no bAbI results; the row without attention is the LSTM of the other papers' tables.
"""

from __future__ import annotations

from memnet.config.lstm import LSTMConfig
from memnet.papers.declare import Citation, Column, Paper, Table

CITATION = Citation(
    authors=("Minh-Thang Luong", "Hieu Pham", "Christopher D. Manning"),
    year=2015,
    title="Effective Approaches to Attention-based Neural Machine Translation",
    arxiv="1508.04025",
)

PRESETS = {
    "lstm": LSTMConfig(),
    "lstm-attention": LSTMConfig(align="softmax", score="general"),
    "lstm-attention-10k": LSTMConfig(align="softmax", score="general", epochs=5),
}

ABOUT = {
    "lstm": "LSTM without attention",
    "lstm-attention": "LSTM with global attention, general score",
    "lstm-attention-10k": "as lstm-attention, for 10,000 questions",
}

TABLE = Table(
    "lstm-1k",
    "LSTM without and with attention, 1,000 questions",
    "babi",
    (
        Column("lstm", published="LSTM", paper="Weston et al. 2015", restarts=1),
        Column("lstm-attention", restarts=1),
        Column("lstm-attention-permute", restarts=1),
    ),
)

PAPER = Paper(
    CITATION,
    PRESETS,
    (TABLE,),
    other_columns={"babi-10k": (Column("lstm-attention-10k", restarts=1, stands_for="lstm-attention"),)},
    about=ABOUT,
)
