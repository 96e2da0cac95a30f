"""Make the network that comes with the package: joint over the twenty tasks, and it says when it has no evidence.

    python scripts/make_network.py [OUT]

trains it from the published 1k text (MEMNET_DATA, or 'memnet data fetch') and puts weights, configuration and card into OUT,
by default ``memnet/ask/network``.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from memnet.ask.hub import BUNDLED
from memnet.models.folder import CARD, CONFIG, MODEL

COMMAND = ["train", "all", "--joint", "--source", "published", "--preset", "pe-ls-rn-joint", "--restarts", "5"]
SETTINGS = ("unanswerable=0.3", "selection=validation", "restore_best=true")


def main(out: Path) -> None:
    """Train in a temporary folder and keep what a network is."""
    with tempfile.TemporaryDirectory() as folder:
        run = Path(folder) / "run"
        changes = [part for setting in SETTINGS for part in ("--set", setting)]
        subprocess.run([sys.executable, "-m", "memnet", *COMMAND, *changes, "--out", str(run)], check=True)
        out.mkdir(parents=True, exist_ok=True)
        for name in (MODEL, CONFIG, CARD):
            shutil.copyfile(run / name, out / name)
    print(out)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else BUNDLED)
