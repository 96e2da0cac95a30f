"""Reports: result tables, studies and figures, made from ``results/runs.csv`` and what :mod:`memnet.papers` declares."""
