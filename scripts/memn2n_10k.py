"""Sukhbaatar et al. 2015 (arXiv 1503.08895), table 3: MemN2N on 10,000 questions a task."""

import sys

from memnet.cli import app

app(["reproduce", "memn2n-10k", *sys.argv[1:]])
