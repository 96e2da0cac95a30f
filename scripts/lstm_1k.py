"""The LSTM of the papers' tables, and one with attention (Luong et al. 2015), on 1,000 questions a task."""

import sys

from memnet.cli import app

app(["reproduce", "lstm-1k", *sys.argv[1:]])
