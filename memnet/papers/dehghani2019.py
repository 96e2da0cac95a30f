"""The Universal Transformer, and the Transformer beside it."""

from __future__ import annotations

from memnet.config.transformer import TransformerConfig
from memnet.papers.declare import Citation, Column, Paper, Table

CITATION = Citation(
    authors=("Mostafa Dehghani", "Stephan Gouws", "Oriol Vinyals", "Jakob Uszkoreit", "Łukasz Kaiser"),
    year=2019,
    title="Universal Transformers",
    arxiv="1807.03819",
)

PRESETS = {
    "transformer": TransformerConfig(universal=False),
    "universal": TransformerConfig(),
    "transformer-10k": TransformerConfig(
        universal=False, epochs=15, stop_after_perfect=3, dropout=0.1, position_mask_std=1.0, max_relative_distance=16
    ),
    "universal-10k": TransformerConfig(
        epochs=50, stop_after_perfect=3, dropout=0.1, position_mask_std=1.0, max_relative_distance=16
    ),
    "universal-act": TransformerConfig(halting="act", layers=6),
}

ABOUT = {
    "transformer": "Transformer over sentences",
    "universal": "Universal Transformer, three steps",
    "transformer-10k": "as transformer, for 10,000 questions",
    "universal-10k": "as universal, for 10,000 questions",
    "universal-act": "as universal, each sentence halts alone (ACT)",
}

FIXED_DEPTH = "Universal Transformer (fixed depth)"

TABLES = (
    Table(
        "transformer-1k",
        "Transformer and Universal Transformer (Dehghani et al. 2019), 1,000 questions",
        "babi",
        (
            Column("transformer", published="Transformer", restarts=1),
            Column("universal", published=FIXED_DEPTH),
            Column("transformer-permute", published="Transformer", restarts=1),
            Column("universal-permute", published=FIXED_DEPTH),
            Column("universal-act-permute", published="UT w/ dynamic halting, mean over 10 seeds", restarts=1),
        ),
    ),
    Table(
        "transformer-10k",
        "Transformer and Universal Transformer (Dehghani et al. 2019), 10,000 questions",
        "babi-10k",
        (
            Column("transformer-10k", published="Transformer", restarts=1, stands_for="transformer"),
            Column("universal-10k", published=FIXED_DEPTH, restarts=1, simulated=("epochs=15",), stands_for="universal"),
            Column("universal-permute-10k", published=FIXED_DEPTH, restarts=1, simulated=(), stands_for="universal-permute"),
        ),
    ),
)

PAPER = Paper(CITATION, PRESETS, TABLES, about=ABOUT)
