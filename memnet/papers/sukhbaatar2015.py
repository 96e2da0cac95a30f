"""MemN2N: end-to-end memory networks.

The rows follow what the authors' code does where it differs from their text: a linear start of
fixed length, learning rate 0.005 in both phases when there is one, the gradient's norm per weight
matrix, batches with replacement, unused memory slots that take part in the softmax, and a position
encoding that spans the longest sentence. The preset ``masked`` is what one would do without knowing
that code: padding masked, the printed position encoding, chosen by validation.
"""

from __future__ import annotations

from dataclasses import replace

from memnet.config.memn2n import MemN2NConfig
from memnet.papers.declare import Citation, Column, Paper, Table

CITATION = Citation(
    authors=("Sainbayar Sukhbaatar", "Arthur Szlam", "Jason Weston", "Rob Fergus"),
    year=2015,
    title="End-To-End Memory Networks",
    arxiv="1503.08895",
)

BOW = MemN2NConfig(encoding="bow")
PE = MemN2NConfig()
PE_LS = replace(PE, lr=0.005, linear_start=20)
PE_LS_RN = replace(PE_LS, noise=0.1)
JOINT = replace(PE_LS, dim=50, epochs=60, halve_every=15, linear_start=30)

PRESETS = {
    "bow": BOW,
    "pe": PE,
    "pe-ls": PE_LS,
    "pe-ls-rn": PE_LS_RN,
    "pe-ls-rn-large": replace(PE_LS_RN, dim=100, relu=True),
    "pe-ls-joint-1hop": replace(JOINT, hops=1),
    "pe-ls-joint-2hop": replace(JOINT, hops=2),
    "pe-ls-joint": JOINT,
    "pe-ls-rn-joint": replace(JOINT, noise=0.1),
    "pe-ls-lw-joint": replace(JOINT, tying="layerwise"),
    "pe-ls-rn-joint-10k": replace(JOINT, noise=0.1, epochs=20, halve_every=5, linear_start=10),
    "pe-ls-rn-facts": replace(PE_LS_RN, supervision="facts"),
    "masked": replace(PE_LS_RN, encoding="pe", null="none", selection="validation", restore_best=True),
}

ABOUT = {
    "bow": "bag of words",
    "pe": "position encoding",
    "pe-ls": "position encoding, linear start",
    "pe-ls-rn": "position encoding, linear start, random noise",
    "pe-ls-rn-large": "as pe-ls-rn, of width 100 and with ReLU",
    "pe-ls-joint-1hop": "one hop, one network for all tasks",
    "pe-ls-joint-2hop": "two hops, one network for all tasks",
    "pe-ls-joint": "three hops, one network for all tasks",
    "pe-ls-rn-joint": "as pe-ls-joint, with random noise",
    "pe-ls-lw-joint": "as pe-ls-joint, with layer-wise tying",
    "pe-ls-rn-joint-10k": "as pe-ls-rn-joint, for 10,000 questions",
    "pe-ls-rn-facts": "as pe-ls-rn, learns from supporting facts too",
    "masked": "as pe-ls-rn, padding masked, chosen by validation",
}

PE_LS_RN_1K = Column("pe-ls-rn", published="MemN2N PE LS RN 3 hops")

TABLES = (
    Table(
        "memn2n-1k",
        "MemN2N, 1,000 questions: the PE LS RN column (Sukhbaatar et al. 2015, table 1)",
        "babi",
        (PE_LS_RN_1K,),
    ),
    Table(
        "memn2n-rows-1k",
        "MemN2N, 1,000 questions: BoW, PE, PE LS, and masked padding",
        "babi",
        (
            Column("bow", published="MemN2N BoW 3 hops"),
            Column("pe", published="MemN2N PE 3 hops"),
            Column("pe-ls"),
            Column("masked"),
        ),
    ),
    Table(
        "memn2n-joint-1k",
        "MemN2N, 1,000 questions, one network for the twenty tasks",
        "babi",
        (
            Column("pe-ls-joint-1hop", published="MemN2N 1 hop PE LS joint", joint=True),
            Column("pe-ls-joint-2hop", published="MemN2N 2 hops PE LS joint", joint=True),
            Column("pe-ls-joint", published="MemN2N 3 hops PE LS joint", joint=True),
            Column("pe-ls-rn-joint", published="MemN2N PE LS RN joint 3 hops", joint=True),
            Column("pe-ls-lw-joint", published="MemN2N PE LS LW joint 3 hops", joint=True),
        ),
    ),
    Table(
        "memn2n-10k",
        "MemN2N, 10,000 questions (table 3)",
        "babi-10k",
        (
            Column("pe-ls-rn", published="MemN2N PE LS RN 3 hops"),
            Column("pe-ls-rn-large", published="MemN2N best (larger d=100 + ReLU, 'PE LS RN*')", restarts=2),
        ),
    ),
    Table(
        "memn2n-facts-1k",
        "MemN2N that learns from supporting facts too",
        "babi",
        (PE_LS_RN_1K, Column("pe-ls-rn-facts")),
    ),
)

PAPER = Paper(
    CITATION,
    PRESETS,
    TABLES,
    other_columns={
        "babi-10k": (
            Column(
                "pe-ls-rn-joint-10k",
                published="MemN2N PE LS RN joint 3 hops",
                joint=True,
                stands_for="pe-ls-rn-joint",
            ),
        )
    },
    about=ABOUT,
)
