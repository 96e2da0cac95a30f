"""The papers' rows as configurations, and our own beside them.

The MemN2N rows follow what the authors' code does where it differs from their text: a linear
start of fixed length, learning rate 0.005 in both phases when there is one, the gradient's norm
per weight matrix, batches with replacement, unused memory slots that take part in the softmax, and
a position encoding that spans the longest sentence. The preset ``masked`` is what one would do
without knowing that code: padding masked, the printed position encoding, chosen by validation.
"""

from __future__ import annotations

from dataclasses import replace

from memnet.config import BaselineConfig, DMNConfig, LSTMConfig, MemN2NConfig, MemNNConfig, Training, TransformerConfig

BOW = MemN2NConfig(encoding="bow")
PE = MemN2NConfig()
PE_LS = replace(PE, lr=0.005, linear_start=20)
PE_LS_RN = replace(PE_LS, noise=0.1)
JOINT = replace(PE_LS, dim=50, epochs=60, halve_every=15, linear_start=30)

AM = MemNNConfig(adaptive=True)
AM_NG_NL = replace(AM, ngrams=True, nonlinear=True)

PRESETS: dict[str, Training] = {
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
    "pe-ls-rn-exchange": replace(PE_LS_RN, exchange=True),
    "masked": replace(PE_LS_RN, encoding="pe", null="none", selection="validation", keep="best"),
}
DMN = DMNConfig(
    input="words", features="kumar", align="sigmoid", read="gated_gru", update="gru", decoder="words", supervision="facts"
)
DMN_PLUS_10K = DMNConfig(epochs=150, lr=0.002, schedule="linear", watch="error", patience=0, settled=3, dropout=0.3, l2=0.00001)
DMN_PLUS_EXCHANGE = replace(DMN_PLUS_10K, epochs=300, batch=50, patience=100, settled=10, dropout=0.0, exchange=True)
EXCHANGE = TransformerConfig(epochs=200, settled=10, dropout=0.1, places=1.0, reach=16, exchange=True)

PRESETS |= {
    "memnn": MemNNConfig(hops=2),
    "memnn-am": AM,
    "memnn-am-ng": replace(AM, ngrams=True),
    "memnn-am-nl": replace(AM, nonlinear=True),
    "memnn-am-ng-nl": AM_NG_NL,
    "memnn-am-ng-nl-age": replace(AM_NG_NL, time="age"),
    "memnn-am-ng-nl-10k": replace(AM_NG_NL, epochs=20),
    "memnn-am-ng-nl-joint": replace(AM_NG_NL, dim=100, lr=0.003, epochs=20),
    "dmn": replace(DMN, dropout=0.5, l2=0.00001, watch="error", patience=30, settled=5),
    "odmn": replace(DMN, align="softmax", supervision="answers"),
    "dmn2": replace(DMN, align="softmax", supervision="answers", input="fusion"),
    "dmn3": DMNConfig(update="gru"),
    "dmn-plus": DMNConfig(),
    "dmn-plus-facts": DMNConfig(supervision="facts", dropout=0.5, l2=0.00001, watch="error", patience=60),
    "dmn-plus-exchange": DMN_PLUS_EXCHANGE,
    "dmn-plus-facts-exchange": replace(DMN_PLUS_EXCHANGE, supervision="facts"),
    "dmn-10k": replace(DMN, epochs=20, lr=0.002, schedule="linear", watch="error", dropout=0.3, l2=0.00001, settled=5),
    "dmn-plus-10k": DMN_PLUS_10K,
    "dmn-plus-facts-10k": replace(DMN_PLUS_10K, supervision="facts", epochs=20, patience=12, settled=0),
    "dmn-plus-exchange-10k": replace(DMN_PLUS_EXCHANGE, epochs=150, batch=100, patience=40, settled=3),
    "transformer": TransformerConfig(universal=False),
    "universal": TransformerConfig(),
    "transformer-10k": TransformerConfig(universal=False, epochs=15, settled=3, dropout=0.1, places=1.0, reach=16),
    "universal-10k": TransformerConfig(epochs=50, settled=3, dropout=0.1, places=1.0, reach=16),
    "transformer-exchange": replace(EXCHANGE, universal=False),
    "universal-exchange": EXCHANGE,
    "universal-exchange-10k": replace(EXCHANGE, epochs=60, settled=3, dropout=0.0),
    "universal-act": TransformerConfig(halting="act", layers=6),
    "universal-act-exchange": replace(EXCHANGE, halting="act", layers=6),
    "lstm": LSTMConfig(),
    "lstm-attention": LSTMConfig(align="softmax", score="general"),
    "lstm-attention-exchange": LSTMConfig(align="softmax", score="general", exchange=True),
    "lstm-attention-10k": LSTMConfig(align="softmax", score="general", epochs=5),
    "frequent": BaselineConfig(estimator="frequent"),
    "ngram": BaselineConfig(),
    "ngram-story": BaselineConfig(question=False),
    "tfidf-logistic": BaselineConfig(features="story", weighting="tfidf", ngrams=2),
    "tfidf-svm": BaselineConfig(features="story", weighting="tfidf", ngrams=2, estimator="svm"),
}
DEFAULTS = {  # model -> its preset for one task, and for a joint network
    "memn2n": ("pe-ls-rn", "pe-ls-rn-joint"),
    "memnn": ("memnn-am-ng-nl", "memnn-am-ng-nl-joint"),
    "dmn": ("dmn-plus", "dmn-plus"),
    "transformer": ("universal", "universal"),
    "lstm": ("lstm", "lstm"),
    "baseline": ("ngram", "ngram"),
}
