"""Xiong et al. 2016 (arXiv 1603.01417), table 2: DMN+ on 10,000 questions a task."""

import sys

from memnet.cli import app

app(["reproduce", "dmn-10k", *sys.argv[1:]])
