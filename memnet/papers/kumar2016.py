"""DMN: dynamic memory networks, with supporting facts. Its columns stand in the tables of :mod:`memnet.papers.xiong2016`."""

from __future__ import annotations

from dataclasses import replace

from memnet.config.dmn import DMNConfig
from memnet.papers.declare import Citation, Paper

CITATION = Citation(
    authors=(
        "Ankit Kumar",
        "Ozan Irsoy",
        "Peter Ondruska",
        "Mohit Iyyer",
        "James Bradbury",
        "Ishaan Gulrajani",
        "Victor Zhong",
        "Romain Paulus",
        "Richard Socher",
    ),
    year=2016,
    title="Ask Me Anything: Dynamic Memory Networks for Natural Language Processing",
    arxiv="1506.07285",
)

DMN = DMNConfig(
    input="words", features="kumar", align="sigmoid", read="gated_gru", update="gru", decoder="words", supervision="facts"
)
PUBLISHED_ROW = "DMN"  # the paper's row, which does not say how many questions it learned from ...
PUBLISHED_SIZE = "1k"  # ... so results/published.csv lists it here

PRESETS = {
    "dmn": replace(DMN, dropout=0.5, l2=0.00001, monitor="error", patience=30, stop_after_perfect=5),
    "dmn-10k": replace(
        DMN, epochs=20, lr=0.002, schedule="linear", monitor="error", dropout=0.3, l2=0.00001, stop_after_perfect=5
    ),
}

ABOUT = {
    "dmn": "GRU over words, gated reads, learns from facts",
    "dmn-10k": "as dmn, for 10,000 questions",
}

PAPER = Paper(CITATION, PRESETS, about=ABOUT)
