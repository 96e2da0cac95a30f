"""Whose turn it is: a few threads compute answers, and the clients that wait for one have their turns one after another."""

from __future__ import annotations

import asyncio
import math
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import ContextVar
from functools import partial
from threading import RLock
from time import monotonic
from typing import Any, NamedTuple, TypeVar

MAX_CONCURRENT = 2  # answers that are computed at the same time; others wait
MAX_ASKED = 32  # questions that are answered or wait for it, shared by the clients; more are asked to come again
SHORT = 4 * 1024  # bytes of what is asked about; one thread answers nothing longer
PATIENCE = 5.0  # seconds that long questions wait for short ones: then one is begun however many short ones wait
RETRY_AFTER = 1  # seconds
STOPPING = "The server is stopping."
CLIENT: ContextVar[str] = ContextVar("CLIENT", default="")  # the address that the request at hand comes from

Value = TypeVar("Value")


class RefusedError(ValueError):
    """A request that is not taken: one sentence to the person who asked, and the HTTP status that goes with it."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class Job(NamedTuple):
    """Something to compute, and where it goes; whether it is short."""

    work: Callable[[], Any]
    future: Future[Any]
    short: bool


class Turns:
    """Computes what clients ask on so many threads, always the same: every thread that ever computed keeps memory of its own.

    Each client has an equal share of what may be asked at once, ``most``; what it asks beyond that is refused. One of the
    threads computes short jobs alone, and a long one is begun where no short one waits, or none was begun for ``PATIENCE``: all
    threads of Python share one processor, so that a short job beside a long one takes more than twice its time.
    """

    def __init__(self, threads: int = MAX_CONCURRENT, most: int = MAX_ASKED) -> None:
        self.most, self.pool, self.stopped = most, ThreadPoolExecutor(threads), False
        self.long, self.most_long = 0, max(1, threads - 1)  # jobs that are being computed
        self.long_ended = -math.inf  # when the last of them was, as :func:`time.monotonic`
        self.lock = RLock()  # a signal that stops the server may come while it is held
        self.waiting: dict[bool, dict[str, deque[Job]]] = {True: {}, False: {}}  # short or not, by client; the first is next
        self.asked = dict[str, int]()  # what waits or is being computed, by client

    def submit(self, client: str, work: Callable[[], Value], size: int = 0) -> Future[Value]:
        """Compute something of so many bytes when it is this client's turn; not if it is cancelled by then.

        Raises :class:`RefusedError`.
        """
        job = Job(work, Future(), size <= SHORT)
        with self.lock:
            if self.stopped:
                raise RefusedError(503, STOPPING)
            number = self.asked.get(client, 0)
            if number >= max(1, self.most // len({*self.asked, client})):
                raise RefusedError(503, f"There are too many questions at once; try again in {RETRY_AFTER} second.")
            self.asked[client] = number + 1
            self.waiting[job.short].setdefault(client, deque()).append(job)
        job.future.add_done_callback(partial(self.left, client, job))
        try:
            self.pool.submit(self.compute)
        except RuntimeError as error:
            raise RefusedError(503, STOPPING) from error
        return job.future

    def next_job(self) -> Job | None:
        """What the client asked first whose turn it is, which is then behind the others; short jobs before long ones."""
        with self.lock:
            late = monotonic() - self.long_ended > PATIENCE
            for short in (False, True) if late else (True, False):
                waiting = self.waiting[short]
                if waiting and (short or self.long < self.most_long):
                    client = next(iter(waiting))
                    jobs = waiting.pop(client)
                    job = jobs.popleft()
                    if jobs:
                        waiting[client] = jobs
                    self.long += not short
                    return job
        return None

    def compute(self) -> None:
        """Compute what may be computed now."""
        while job := self.next_job():
            try:
                if job.future.set_running_or_notify_cancel():
                    job.future.set_result(job.work())
            except BaseException as error:
                job.future.set_exception(error)
            if not job.short:
                with self.lock:
                    self.long, self.long_ended = self.long - 1, monotonic()

    def left(self, client: str, job: Job, _: Future[Any]) -> None:
        """Count a job no more that was computed or cancelled."""
        with self.lock:
            self.asked[client] -= 1
            if not self.asked[client]:
                del self.asked[client]
            waiting = self.waiting[job.short]
            if job in waiting.get(client, ()):
                waiting[client].remove(job)
                if not waiting[client]:
                    del waiting[client]

    def stop(self) -> None:
        """Begin nothing any more: what waits is refused, what is being computed ends."""
        with self.lock:
            self.stopped = True
            jobs = [job for waiting in self.waiting.values() for some in waiting.values() for job in some]
            for waiting in self.waiting.values():
                waiting.clear()
        self.pool.shutdown(wait=False, cancel_futures=True)
        for job in jobs:
            if job.future.set_running_or_notify_cancel():
                job.future.set_exception(RefusedError(503, STOPPING))


TURNS = Turns()


async def in_turn(work: Callable[[], Value], size: int = 0) -> Value:
    """What is computed, of so many bytes, when it is the turn of this request's client; nothing if its task is cancelled.

    Raises :class:`RefusedError`.
    """
    return await asyncio.wrap_future(TURNS.submit(CLIENT.get(), work, size))
