"""Sukhbaatar et al. 2015 (arXiv 1503.08895), table 1: MemN2N, one network for the twenty tasks."""

import sys

from memnet.cli import app

app(["reproduce", "memn2n-joint-1k", *sys.argv[1:]])
