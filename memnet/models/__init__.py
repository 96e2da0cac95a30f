"""The networks, by name."""

from memnet.models.baselines import Baseline, Fitted
from memnet.models.dmn import DMN
from memnet.models.memn2n import MemN2N
from memnet.models.memnn import MemNN
from memnet.models.network import Network, Output
from memnet.models.seq2seq import Seq2Seq
from memnet.models.transformer import Transformer

__all__ = ["DMN", "MODELS", "Baseline", "Fitted", "MemN2N", "MemNN", "Network", "Output", "Seq2Seq", "Transformer"]

MODELS: dict[str, type[Network]] = {
    "memn2n": MemN2N,
    "memnn": MemNN,
    "dmn": DMN,
    "transformer": Transformer,
    "lstm": Seq2Seq,
    "baseline": Baseline,
}
