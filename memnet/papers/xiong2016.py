"""DMN+, the steps from DMN to it, and both beside DMN with supporting facts (Kumar et al. 2016).

On 1,000 questions the paper prints nothing for DMN+ without facts; the row beside it is a re-implementation's.
"""

from __future__ import annotations

from dataclasses import replace

from memnet.config.dmn import DMNConfig
from memnet.papers.declare import Citation, Column, Paper, Table
from memnet.papers.kumar2016 import DMN, PUBLISHED_ROW, PUBLISHED_SIZE

CITATION = Citation(
    authors=("Caiming Xiong", "Stephen Merity", "Richard Socher"),
    year=2016,
    title="Dynamic Memory Networks for Visual and Textual Question Answering",
    arxiv="1603.01417",
)

DMN_PLUS_10K = DMNConfig(
    epochs=150, lr=0.002, schedule="linear", monitor="error", patience=0, stop_after_perfect=3, dropout=0.3, l2=0.00001
)

PRESETS = {
    "odmn": replace(DMN, align="softmax", supervision="answers"),
    "dmn2": replace(DMN, align="softmax", supervision="answers", input="fusion"),
    "dmn3": DMNConfig(update="gru"),
    "dmn-plus": DMNConfig(),
    "dmn-plus-facts": DMNConfig(supervision="facts", dropout=0.5, l2=0.00001, monitor="error", patience=60),
    "dmn-plus-10k": DMN_PLUS_10K,
    "dmn-plus-facts-10k": replace(DMN_PLUS_10K, supervision="facts", epochs=20, patience=12, stop_after_perfect=0),
}

ABOUT = {
    "odmn": "as dmn, learns from answers alone",
    "dmn2": "as odmn, with the input fusion layer",
    "dmn3": "as dmn2, with the attention GRU",
    "dmn-plus": "as dmn3, with an untied ReLU update",
    "dmn-plus-facts": "as dmn-plus, learns from supporting facts too",
    "dmn-plus-10k": "as dmn-plus, for 10,000 questions",
    "dmn-plus-facts-10k": "as dmn-plus-facts, for 10,000 questions",
}


def with_facts(preset: str, stands_for: str | None = None) -> Column:
    """A column that learns from supporting facts, beside DMN."""
    return Column(preset, published=PUBLISHED_ROW, published_size=PUBLISHED_SIZE, restarts=1, stands_for=stands_for)


REIMPLEMENTED = "DMN+ (therne re-implementation quoted by QRN)"

TABLES = (
    Table(
        "dmn-1k",
        "DMN+ with supporting facts, beside DMN (Kumar et al. 2016), and without (Xiong et al. 2016), 1,000 questions",
        "babi",
        (
            Column("dmn-plus", published=REIMPLEMENTED, restarts=2),
            with_facts("dmn-plus-facts"),
            Column("dmn-plus-permute", published=REIMPLEMENTED, restarts=1),
            with_facts("dmn-plus-facts-permute"),
        ),
    ),
    Table(
        "dmn-steps-1k",
        "DMN with supporting facts, and the steps from it to DMN+: ODMN, DMN2, DMN3, 1,000 questions",
        "babi",
        (with_facts("dmn"), *(Column(preset, restarts=1) for preset in ("odmn", "dmn2", "dmn3"))),
    ),
    Table(
        "dmn-10k",
        "DMN with supporting facts and DMN+ (Xiong et al. 2016, table 2), 10,000 questions",
        "babi-10k",
        (
            with_facts("dmn-10k", "dmn"),
            Column(
                "dmn-plus-10k",
                published="DMN+",
                paper="Xiong et al. 2016",
                restarts=1,
                simulated=("epochs=15",),
                stands_for="dmn-plus",
            ),
            with_facts("dmn-plus-facts-10k", "dmn-plus-facts"),
            Column(
                "dmn-plus-permute-10k",
                published="DMN+",
                paper="Xiong et al. 2016",
                restarts=1,
                simulated=("epochs=15",),
                stands_for="dmn-plus-permute",
            ),
        ),
    ),
)

PAPER = Paper(CITATION, PRESETS, TABLES, about=ABOUT)
