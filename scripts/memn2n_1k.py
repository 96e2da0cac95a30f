"""Sukhbaatar et al. 2015 (arXiv 1503.08895), table 1: MemN2N, the PE LS RN column, 1,000 questions a task."""

import sys

from memnet.cli import app

app(["reproduce", "memn2n-1k", *sys.argv[1:]])
