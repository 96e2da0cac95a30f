"""Whose turn it is: a few threads compute answers, and the clients that wait for one have their turns one after another."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import ContextVar
from functools import partial
from threading import RLock
from typing import Any, NamedTuple, TypeVar

MAX_CONCURRENT = 2  # answers that are computed at the same time; others wait
MAX_ASKED = 32  # questions that are answered or wait for it, shared by the clients; more are asked to come again
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
    """Something to compute, and where it goes."""

    work: Callable[[], Any]
    future: Future[Any]


class Turns:
    """Computes what clients ask on so many threads, always the same: every thread that ever computed keeps memory of its own.

    Each client has an equal share of what may be asked at once, ``most``; what it asks beyond that is refused.
    """

    def __init__(self, threads: int = MAX_CONCURRENT, most: int = MAX_ASKED) -> None:
        self.most, self.pool, self.stopped = most, ThreadPoolExecutor(threads), False
        self.lock = RLock()  # a signal that stops the server may come while it is held
        self.waiting = dict[str, deque[Job]]()  # by client; it is the first one's turn
        self.asked = dict[str, int]()  # what waits or is being computed, by client

    def submit(self, client: str, work: Callable[[], Value]) -> Future[Value]:
        """Compute something when it is this client's turn; not if it is cancelled by then. Raises :class:`RefusedError`."""
        job = Job(work, Future())
        with self.lock:
            if self.stopped:
                raise RefusedError(503, STOPPING)
            number = self.asked.get(client, 0)
            if number >= max(1, self.most // len({*self.asked, client})):
                raise RefusedError(503, f"There are too many questions at once; try again in {RETRY_AFTER} second.")
            self.asked[client] = number + 1
            self.waiting.setdefault(client, deque()).append(job)
        job.future.add_done_callback(partial(self.left, client, job))
        try:
            self.pool.submit(self.compute_next)
        except RuntimeError as error:
            raise RefusedError(503, STOPPING) from error
        return job.future

    def compute_next(self) -> None:
        """Compute what the client asked first whose turn it is, which is then behind the others."""
        with self.lock:
            if not self.waiting:
                return
            client = next(iter(self.waiting))
            jobs = self.waiting.pop(client)
            work, future = jobs.popleft()
            if jobs:
                self.waiting[client] = jobs
        if future.set_running_or_notify_cancel():
            try:
                value = work()
            except BaseException as error:
                future.set_exception(error)
            else:
                future.set_result(value)

    def left(self, client: str, job: Job, _: Future[Any]) -> None:
        """Count a job no more that was computed or cancelled."""
        with self.lock:
            self.asked[client] -= 1
            if not self.asked[client]:
                del self.asked[client]
            if job in self.waiting.get(client, ()):
                self.waiting[client].remove(job)
                if not self.waiting[client]:
                    del self.waiting[client]

    def stop(self) -> None:
        """Begin nothing any more: what waits is refused, what is being computed ends."""
        with self.lock:
            self.stopped = True
            jobs = [job for some in self.waiting.values() for job in some]
            self.waiting.clear()
        self.pool.shutdown(wait=False, cancel_futures=True)
        for job in jobs:
            if job.future.set_running_or_notify_cancel():
                job.future.set_exception(RefusedError(503, STOPPING))


TURNS = Turns()


async def in_turn(work: Callable[[], Value]) -> Value:
    """What is computed when it is the turn of the client of this request; nothing where its task is cancelled before.

    Raises :class:`RefusedError`.
    """
    return await asyncio.wrap_future(TURNS.submit(CLIENT.get(), work))
