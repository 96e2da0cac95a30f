"""Connections to the server, bounded in number and in time: nobody can hold it up by being slow (the extra ``demo``)."""

from __future__ import annotations

import asyncio
import os
import socket
from threading import Thread, Timer
from types import FrameType
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from memnet.serve.gate import Receive, Scope, Send, refuse
from memnet.serve.turns import TURNS, RefusedError

MAX_CONNECTIONS = 250  # whose requests are answered; beyond, they are asked to come again, and beyond twice as many cut off
LOOK_SECONDS = 10  # between two looks at a connection
GRACE_SECONDS = 2  # after a signal, when what is being answered is refused
REFUSE_SECONDS = 1.0  # that saying so may take
STOP_SECONDS = 4.5  # after a signal, when the process ends whatever is being computed


async def refuse_busy(scope: Scope, receive: Receive, send: Send) -> None:
    """Tell whoever asks that there are too many connections; an ASGI application."""
    if scope["type"] == "http":
        await refuse(scope, send, RefusedError(503, "There are too many connections; try again in a second."))


class Connection(H11Protocol):
    """A connection that is cut off where nothing moved between two looks at it.

    That is where no request began, however many bytes of one have come, and where an answer is sent of which the other side
    takes nothing. How long a body may take, and a question, is for the application to say.
    """

    looking: asyncio.TimerHandle | None = None
    seen: tuple[Any, bool, int] = (None, True, 0)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """As an asyncio protocol."""
        super().connection_made(transport)
        if len(self.connections) > 2 * MAX_CONNECTIONS:
            transport.abort()
            return
        if len(self.connections) > MAX_CONNECTIONS:
            self.app = refuse_busy
        self.looking = self.loop.call_later(LOOK_SECONDS, self.look)

    def connection_lost(self, exc: Exception | None) -> None:
        """As an asyncio protocol."""
        if self.looking is not None:
            self.looking.cancel()
        super().connection_lost(exc)

    def look(self) -> None:
        """Cut the connection off, or look again later."""
        idle = self.cycle is None or self.cycle.response_complete
        now = self.cycle, idle, self.transport.get_write_buffer_size()
        if now == self.seen and (idle or now[2]):
            self.transport.abort()
            return
        self.seen = now
        self.looking = self.loop.call_later(LOOK_SECONDS, self.look)


class Server(uvicorn.Server):
    """A server that refuses what waits when a signal stops it, and so ends as soon as the answers at hand are computed.

    After ``GRACE_SECONDS`` these are refused too, and after ``STOP_SECONDS`` it ends, whatever is computed: nothing is lost by
    that, for what was acknowledged of a memory is on the disk.
    """

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """As a signal handler. The turns are stopped by a thread: this one may hold their lock where the signal comes."""
        for thread in (Timer(STOP_SECONDS, os._exit, [0]), Thread(target=TURNS.stop)):
            thread.daemon = True
            thread.start()
        super().handle_exit(sig, frame)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Also wait until what was cancelled has been refused."""
        await super().shutdown(sockets)
        if tasks := [*self.server_state.tasks]:
            await asyncio.wait(tasks, timeout=REFUSE_SECONDS)
