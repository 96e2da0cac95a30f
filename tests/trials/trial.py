"""A trial: numbered cases, each drawn from its own number alone; how many were run, and which failed and why."""

import json
import os
import signal
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any

from memnet.measure.speed import peak
from memnet.record.maker import Maker

SECONDS, MEMORY = 10, 1 << 30  # that a case may take, and bytes beyond what was taken before the first
STUCK = 30  # seconds after a case's own limit, when its process is killed
CASES, FOLDER = "MEMNET_TRIAL_CASES", "MEMNET_TRIALS"  # in the environment: how many, and where results are kept

Result = dict[str, Any]  # case, failure, seconds, memory (bytes) and what made it


class Draw(Random):
    """The random numbers of a case, and which case it is."""

    def __init__(self, name: str, case: int) -> None:
        super().__init__(f"{name} {case}")
        self.case = case


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


def forget_most_memory() -> None:
    """Let :func:`~memnet.measure.speed.peak` begin anew, where the system can."""
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return


def number_of_cases(otherwise: int = 200) -> int:
    """How many cases the environment asks for."""
    return int(os.environ.get(CASES, str(otherwise)))


def results_of(path: Path) -> dict[int, Result]:
    """What is known of each case; of one that was tried again, the last."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return {result["case"]: result for result in map(json.loads, lines)}


def keep(path: Path, result: Result) -> None:
    """Add a result, in one piece."""
    with open(path, "ab", buffering=0) as file:
        file.write(json.dumps(result).encode() + b"\n")


def run_trial(
    name: str, case: Callable[[Draw], object], cases: int | None = None, seconds: int = SECONDS, memory: int = MEMORY
) -> None:
    """Run the cases that are not done, print how many there were, and fail where one raised, hung, died or took memory.

    They are run in a process of their own, so that a case that ends the process is a failure like any other. A case that
    failed is tried again when the trial goes on.
    """
    number = number_of_cases() if cases is None else cases
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(os.environ.get(FOLDER) or scratch).absolute() / f"{name}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        before = {at for at, result in results_of(path).items() if not result["failure"] and at < number}
        todo, started = [at for at in range(number) if at not in before], time.monotonic()
        while todo:
            kept = len(path.read_bytes().splitlines()) if path.exists() else 0
            died = run_apart(partial(run_cases, path, name, case, todo, seconds, memory), path, seconds + STUCK)
            ran = len(path.read_bytes().splitlines()) - kept if path.exists() else 0
            if died and ran < len(todo):
                keep(path, {"case": todo[ran], "failure": died, "seconds": 0.0, "memory": 0, **asdict(Maker.here())})
                ran += 1
            todo = todo[ran:]
        results = [result for at, result in sorted(results_of(path).items()) if at < number]
    failed = [result for result in results if result["failure"]]
    took = time.monotonic() - started
    print(f"\n{name}: {len(results):,} cases ({len(before):,} from before), {len(failed):,} failed, {took:.0f} s")
    assert not failed, "\n".join(f"case {result['case']}: {result['failure']}" for result in failed[:20])


def run_list(name: str, cases: Sequence[Any], run_case: Callable[[Any, Path], object], scratch: Path) -> None:
    """A trial of listed cases with a ``name``, ``refused`` or not, each in a folder of its own; a failure names its case."""
    print(f"\n{name}: {sum(not case.refused for case in cases)} of {len(cases)} are read, the others refused")

    def case(draw: Draw) -> None:
        chosen = cases[draw.case]
        (folder := scratch / f"{draw.case}").mkdir()
        try:
            run_case(chosen, folder)
        except Exception as error:
            raise AssertionError(f"{chosen.name}: {type(error).__name__}: {error}") from error

    run_trial(name, case, min(number_of_cases(), len(cases)), seconds=60)


def run_cases(path: Path, name: str, case: Callable[[Draw], object], todo: Sequence[int], seconds: int, memory: int) -> None:
    """Run cases and keep what became of each, up to the first that fails: after that, this process may be in any state."""
    made, before = asdict(Maker.here()), peak()
    for at in todo:
        forget_most_memory()
        started, failure = time.monotonic(), ""
        try:
            with time_limit(seconds):
                case(Draw(name, at))
        except (Exception, TooSlow) as error:
            failure = f"{type(error).__name__}: {error}"[:500]
        took, more = time.monotonic() - started, max(0, round((peak() - before) * 2**20))
        if not failure and more > memory:
            failure = f"{more:,} bytes more than before the first case"
        keep(path, {"case": at, "failure": failure, "seconds": round(took, 3), "memory": more, **made})
        if failure:
            return


def run_apart(work: Callable[[], object], path: Path, silent: float) -> str:
    """Run something in a copy of this process; how that died, where it did.

    It is killed where the file ``path`` has not grown for so many seconds.
    """
    child = os.fork()
    if child == 0:
        code = 1
        try:
            work()
            code = 0
        finally:
            os._exit(code)
    size, since = -1, time.monotonic()
    while True:
        try:
            ended, status = os.waitpid(child, os.WNOHANG)
            now = path.stat().st_size if path.exists() else 0
            if now != size:
                size, since = now, time.monotonic()
            hangs = not ended and time.monotonic() - since > silent
            time.sleep(0 if ended else 0.05)
        except BaseException:  # an interrupt: the child is not left alone
            end(child)
            raise
        if hangs:
            end(child)
            return f"hung for {silent:.0f} s"
        if ended:
            code = os.waitstatus_to_exitcode(status)
            return "" if code == 0 else f"the process ended with {code}" if code > 0 else signal.Signals(-code).name


def end(child: int) -> None:
    """Kill a child that was not waited for."""
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


ODD = (b"", *b"\0 \xff \xef\xbb\xbf \r \n \t ? -1 0 1e309 99999999999 NaN null []".split(b" "))
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
