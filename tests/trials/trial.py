"""A trial: numbered cases, each drawn from its own number alone; how many were run, and which failed and why."""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from types import FrameType

SECONDS, MEMORY = 10, 1 << 30  # that a case may take, and bytes beyond what was taken before


class TooSlow(BaseException):
    """A case took too long; nothing that a program catches."""


@contextmanager
def time_limit(seconds: int) -> Iterator[None]:
    """Raise :class:`TooSlow` after so many seconds."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise TooSlow(f"more than {seconds} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def peak() -> int:
    """The most memory that this process has had, in bytes."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def run_trial(name: str, case: Callable[[Random], object], cases: int | None = None, seconds: int = SECONDS) -> None:
    """Run the cases that are not done, print how many there were, and fail where one raised, hung or took memory."""
    number = cases or int(os.environ.get("MEMNET_TRIAL_CASES", "200"))
    kept = Path(os.environ["MEMNET_TRIALS"]) / f"{name}.jsonl" if os.environ.get("MEMNET_TRIALS") else None
    results = [json.loads(line) for line in kept.read_text().splitlines()] if kept is not None and kept.exists() else []
    started, before = time.monotonic(), len(results)
    for seed in range(before, number):
        most = peak()
        failure = ""
        try:
            with time_limit(seconds):
                case(Random(f"{name} {seed}"))
        except (Exception, TooSlow) as error:
            failure = f"{type(error).__name__}: {error}"[:500]
        if not failure and peak() - most > MEMORY:
            failure = f"{peak() - most:,} bytes more than before"
        results.append({"case": seed, "failure": failure})
        if kept is not None:
            kept.parent.mkdir(parents=True, exist_ok=True)
            with open(kept, "a", encoding="utf-8") as file:
                file.write(json.dumps(results[-1]) + "\n")
    failed = [result for result in results if result["failure"]]
    took = time.monotonic() - started
    print(f"\n{name}: {len(results):,} cases ({before:,} from before), {len(failed):,} failed, {took:.0f} s")
    assert not failed, "\n".join(f"case {result['case']}: {result['failure']}" for result in failed[:20])


ODD = (
    b"",
    b"\0",
    b"\xff",
    b"\xef\xbb\xbf",
    b"\r",
    b"\n",
    b"\t",
    b"?",
    b"-1",
    b"0",
    b"1e309",
    b"99999999999",
    b"NaN",
    b"null",
    b"[]",
)
ODD += ("ä\u202e\u200d\u0301".encode(), b"\x1b[2J", b"{}", b'"', b"\\", b",", b"word " * 3000, b"a" * 9000, b"1 ", b"/")


def mutate(data: bytes, draw: Random) -> bytes:
    """A few places changed: bytes flipped, cut out, put in, doubled or swapped; or the end cut off."""
    for _ in range(draw.choice((1, 1, 1, 2, 3, 8))):
        at, to = sorted((draw.randrange(len(data) + 1), draw.randrange(len(data) + 1)))
        to = draw.choice((to, min(to, at + draw.randrange(1, 20))))
        part = data[at:to]
        data = draw.choice(
            (
                data[:at] + bytes(one ^ (1 << draw.randrange(8)) for one in part[:4]) + data[at + len(part[:4]) :],
                data[:at] + data[to:],
                data[:at] + draw.choice(ODD) + data[at:],
                data[:at] + draw.choice(ODD) + data[to:],
                data[:to] + part + data[to:],
                data[:at] + part[::-1] + data[to:],
                data[:at],
            )
        )
    return data
