"""A published table made again from nothing: ``python scripts/reproduce.py memnn-1k``; without a name, every paper's tables.

What stands after the name are the options of ``memnet reproduce``.
"""

import sys

from memnet.cli import app
from memnet.papers import PAPERS

if len(sys.argv) > 1:
    app(["reproduce", *sys.argv[1:]])
for paper in PAPERS.values():
    if paper.citation is not None and paper.tables:
        print(paper.citation, *(f"    {table.name:<16} {table.title}" for table in paper.tables), sep="\n")
