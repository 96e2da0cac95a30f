"""Hold today's code against the golden weights and, where every one is the same, declare it equal to the code on record.

python scripts/declare_code.py           compare all, a minute of one core, and add the code to results/codes.csv
python scripts/declare_code.py --make    put on file what today's code learns, which is another code's from then on
python scripts/declare_code.py walk      cases that are meant to learn something else: compare the rest, put these on file anew

Runs of a case that learns something else are on record still: take another setting for the new ones, or replace them
(``scripts/replace_runs.py``).
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import torch

from memnet.record.provenance import code_hash, code_name, declare_equal
from memnet.training.golden import cases, golden, read_golden, write_golden

FOLDER = Path(__file__).parent.parent / "tests" / "golden"


def main(named: Sequence[str]) -> None:
    """See above. Stops with one line where something differs."""
    torch.set_num_threads(1)
    if "--make" in named:
        write_golden((golden(case, FOLDER) for case in cases()), FOLDER)
        return
    on_file = read_golden(FOLDER)
    if other := on_file.keys() ^ set(cases()):
        raise SystemExit(
            f"not on file, or there no more: {', '.join(sorted(other))}; make the file anew from the code on record"
        )
    if strange := set(named) - set(cases()):
        raise SystemExit(f"no such case: {', '.join(sorted(strange))}; cases are presets and golden.VARIANTS")
    rest = [case for case in cases() if case not in named]
    differing = [case for case in rest if on_file[case].differs(golden(case, FOLDER))]
    if differing:
        raise SystemExit(f"{len(differing)} of {len(rest)} learn something else: {', '.join(differing)}")
    (recorded,) = {code_name(one.code) for one in on_file.values()}
    if code_name() != recorded:
        declare_equal(recorded)
    if named:
        write_golden((golden(case, FOLDER) if case in named else one for case, one in on_file.items()), FOLDER)
    print(f"all {len(rest)} learn what they did: code {code_hash()} is {recorded}")


if __name__ == "__main__":
    main(sys.argv[1:])
