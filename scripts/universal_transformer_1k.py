"""Dehghani et al. 2019 (arXiv 1807.03819), table 1: Transformer and Universal Transformer, 1,000 questions a task."""

import sys

from memnet.cli import app

app(["reproduce", "transformer-1k", *sys.argv[1:]])
