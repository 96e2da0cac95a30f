"""Hold today's code against the golden weights and, where every one is the same, declare it equal to the code on record.

python scripts/declare_code.py           compare all, a minute of one core, and add the code to results/codes.csv
python scripts/declare_code.py --make    put on file what today's code learns, which is another code's from then on
"""

from __future__ import annotations

import sys
from pathlib import Path

import torch

from memnet.record.provenance import code_hash, code_name, declare_equal
from memnet.training.golden import cases, golden, read_golden, write_golden

FOLDER = Path(__file__).parent.parent / "tests" / "golden"


def main(make: bool) -> None:
    """See above. Stops with one line where something differs."""
    torch.set_num_threads(1)
    if make:
        write_golden((golden(case, FOLDER) for case in cases()), FOLDER)
        return
    on_file = read_golden(FOLDER)
    if other := on_file.keys() ^ set(cases()):
        raise SystemExit(
            f"not on file, or there no more: {', '.join(sorted(other))}; make the file anew from the code on record"
        )
    differing = [case for case in cases() if on_file[case].differs(golden(case, FOLDER))]
    if differing:
        raise SystemExit(f"{len(differing)} of {len(on_file)} learn something else: {', '.join(differing)}")
    (recorded,) = {code_name(one.code) for one in on_file.values()}
    if code_name() != recorded:
        declare_equal(recorded)
    print(f"all {len(on_file)} learn what they did: code {code_hash()} is {recorded}")


if __name__ == "__main__":
    main(sys.argv[1:] == ["--make"])
