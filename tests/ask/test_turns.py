"""Whose turn it is: clients one after another, equal shares, nothing for those that left, and a stop."""

import asyncio
import contextlib
from collections import Counter
from concurrent.futures import Future
from threading import Event, Lock
from time import monotonic
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memnet.serve.turns import CLIENT, PATIENCE, SHORT, STOPPING, RefusedError, Turns


def busy(turns: Turns) -> Event:
    """Nothing else is computed until this is set."""
    begun, go = Event(), Event()

    def wait() -> None:
        begun.set()
        go.wait(20)

    turns.submit("busy", wait)
    assert begun.wait(20)
    return go


@given(st.lists(st.sampled_from("abcd"), max_size=20))
def test_clients_have_their_turns_one_after_another(clients: list[str]):
    turns, order = Turns(1, 1000), list[str]()
    go = busy(turns)
    futures = [turns.submit(client, lambda client=client: order.append(client)) for client in clients]  # type: ignore[misc]
    go.set()
    for future in futures:
        future.result(20)
    assert Counter(order) == Counter(clients)
    rounds, count = list[tuple[int, int]](), Counter[str]()
    first = list(dict.fromkeys(clients))
    for client in order:
        rounds.append((count[client], first.index(client)))
        count[client] += 1
    assert rounds == sorted(rounds), "nobody has a second turn while another waits for a first"
    turns.pool.shutdown()
    assert not turns.asked
    assert not any(turns.waiting.values())


def test_one_client_does_not_shut_others_out():
    turns = Turns(1, 8)
    go = busy(turns)
    futures = [turns.submit("many", lambda: None) for _ in range(4)]  # the other half is the busy one's
    with pytest.raises(RefusedError, match="too many questions at once; try again in 1 second"):
        turns.submit("many", lambda: None)
    for client in range(100):  # each has one
        futures.append(turns.submit(str(client), lambda: None))
    with pytest.raises(RefusedError) as refused:
        turns.submit("7", lambda: None)
    assert refused.value.status == 503
    go.set()
    for future in futures:
        future.result(20)
    assert len([turns.submit("many", lambda: None) for _ in range(7)]) == 7, "what was computed counts no more"


def test_what_is_cancelled_is_not_computed_and_counts_no_more():
    turns, done = Turns(1, 4), list[int]()
    go = busy(turns)
    for number in range(100):
        assert turns.submit("a", lambda number=number: done.append(number)).cancel()  # type: ignore[misc]
    assert not turns.waiting[True]
    last: Future[None] = turns.submit("a", lambda: done.append(100))
    go.set()
    last.result(20)
    assert done == [100]


def test_long_ones_leave_a_thread_to_short_ones():
    turns, go, order = Turns(2), Event(), list[str]()

    def work(name: str, wait: bool) -> None:
        order.append(name)
        assert not wait or go.wait(20)

    long = [turns.submit(client, lambda: work("long", True), SHORT + 1) for client in "aab"]
    for client in "aaac":
        turns.submit(client, lambda: work("short", False), SHORT).result(20)
    assert order == ["long", *["short"] * 4]
    go.set()
    for future in long:
        future.result(20)
    assert order[5:] == ["long"] * 2
    assert turns.long == 0


def test_long_ones_begin_where_no_short_one_waits():
    turns, order = Turns(1), list[str]()
    go = busy(turns)
    turns.long_ended = monotonic()
    done = [turns.submit("a", lambda: order.append("long"), SHORT + 1)]
    done += [turns.submit(client, lambda: order.append("short")) for client in "abc"]
    go.set()
    for each in done:
        each.result(20)
    assert order == [*["short"] * 3, "long"]


def test_short_ones_do_not_shut_long_ones_out(monkeypatch: pytest.MonkeyPatch):
    turns, order = Turns(1), list[str]()
    go = busy(turns)
    turns.long_ended = now = monotonic()
    monkeypatch.setattr("memnet.serve.turns.monotonic", lambda: now + PATIENCE + 1)
    done = [turns.submit("a", lambda: order.append("long"), SHORT + 1) for _ in range(2)]
    done += [turns.submit("b", lambda: order.append("short")) for _ in range(2)]
    go.set()
    for each in done:
        each.result(20)
    assert order == ["long", "short", "short", "long"]


def test_a_stop_refuses_what_waits():
    turns = Turns(1, 8)
    go = busy(turns)
    waits = turns.submit("a", lambda: None)
    turns.stop()
    for refused in (waits.result, lambda timeout: turns.submit("b", lambda: None)):
        with pytest.raises(RefusedError, match=STOPPING):
            refused(20)
    go.set()


def test_an_error_reaches_who_asked():
    def fail() -> None:
        raise KeyError("a")

    with pytest.raises(KeyError):
        Turns(1).submit("a", fail).result(20)


def test_a_task_that_is_cancelled_cancels_its_turn(monkeypatch: pytest.MonkeyPatch):
    turns, done, lock = Turns(1, 8), list[Any](), Lock()
    monkeypatch.setattr("memnet.serve.turns.TURNS", turns)
    from memnet.serve.turns import in_turn

    async def ask() -> None:
        CLIENT.set("a")
        await in_turn(lambda: done.append(1))

    async def leave() -> None:
        with lock:
            task = asyncio.create_task(ask())
            await asyncio.sleep(0.05)
            assert list(turns.waiting[True]) == ["a"]
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task

    go = busy(turns)
    asyncio.run(leave())
    assert not any(turns.waiting.values())
    go.set()
    turns.pool.shutdown()
    assert done == []
