"""What each hop of the package's network read, a test story of each task: ``python scripts/attention_figures.py [OUT]``."""

import sys
from pathlib import Path

from memnet.ask.hub import BUNDLED
from memnet.cli import app
from memnet.tasks.families import EXAMPLES

out = Path(sys.argv[1] if len(sys.argv) > 1 else "results/figures/attention")
out.mkdir(parents=True, exist_ok=True)
for task in EXAMPLES.members:
    command = ["plot", "attention", str(BUNDLED), str(out / f"{task}.svg"), "--task", task, "--question", "5"]
    app(command, standalone_mode=False)
