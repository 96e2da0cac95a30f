"""Weston et al. 2015 (arXiv 1502.05698), table 3: strongly supervised MemNN on 1,000 questions a task."""

import sys

from memnet.cli import app

app(["reproduce", "memnn-1k", *sys.argv[1:]])
