"""Write the parts of README.md and docs/ that are made from results and configurations:

    python scripts/write_pages.py

It changes what stands between their marks, and prints the pages that changed.
"""

from __future__ import annotations

from pathlib import Path

from memnet.reports.pages import write_pages

if __name__ == "__main__":
    for page in write_pages(Path(__file__).resolve().parent.parent):
        print(page)
