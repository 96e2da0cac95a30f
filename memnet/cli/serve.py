"""``memnet serve``: the web page and its JSON endpoint, by gradio (the extra ``demo``)."""

from __future__ import annotations

import socket
import sys
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Annotated

import typer

from memnet.cli.common import LeastChance, fail, one_thread, plain_errors, refuse_beside

if TYPE_CHECKING:
    from starlette.applications import Starlette

    from memnet.ask.predictor import Predictor
    from memnet.memory import Memory

HERE, EVERYWHERE = "127.0.0.1", "0.0.0.0"
SWITCH_SECONDS = 0.0002  # after which a thread with a long question lets another go on: short ones wait for that many times

WatchedRun = Annotated[
    Path | None, typer.Option(metavar="RUN", help="What 'memnet train --watch' kept in RUN, epoch by epoch, in a page.")
]
LessonFlag = Annotated[
    bool, typer.Option("--lesson", help="A lesson, step by step by the arrow keys; without --host a class can join.")
]


def serve(
    runs: Annotated[list[str] | None, typer.Argument(metavar="RUN", help="Networks' folders; else the package's.")] = None,
    host: Annotated[
        str | None, typer.Option(help="The address to listen at, else 127.0.0.1; other machines reach 0.0.0.0.")
    ] = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes a free one.")] = 7860,
    allow_origin: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ORIGIN", help="A site whose web pages may ask, as https://example.org; may be repeated; '*': all."
        ),
    ] = None,
    root_path: Annotated[str, typer.Option(metavar="PATH", help="Where a proxy has the page, as /qa.")] = "",
    token_file: Annotated[
        Path | None, typer.Option(help="A file with a token that who asks must know; else the variable MEMNET_TOKEN.")
    ] = None,
    memories: Annotated[Path | None, typer.Option(metavar="FOLDER", help="Where memories outlive the server.")] = None,
    memory: Annotated[Path | None, typer.Option(metavar="FOLDER", help="A memory on disk that programs ask.")] = None,
    sure: LeastChance = 0.0,
    watch: WatchedRun = None,
    lesson: LessonFlag = False,
) -> None:
    """Serve a web page where you tell a story, ask, and see what the networks read; and a JSON endpoint."""
    if watch is not None:
        given: dict[str, object] = {"a RUN": runs, "--host": host, "--allow-origin": allow_origin, "--root-path": root_path}
        given |= {"--token-file": token_file, "--memories": memories, "--memory": memory, "--sure": sure, "--lesson": lesson}
        with plain_errors():
            refuse_beside("--watch", "which shows one run on this machine", given)
        serve_run(watch, port)
        return
    one_thread()
    from memnet.memory import Memory
    from memnet.memory.long_memory import LongMemory
    from memnet.serve.lesson import lesson_networks
    from memnet.serve.memories import Memories
    from memnet.serve.origins import read_token
    from memnet.serve.web import create_app

    sys.setswitchinterval(SWITCH_SECONDS)
    with plain_errors():
        token, held = read_token(token_file), Memories(memories)
        host = host or (EVERYWHERE if lesson else HERE)
        named = networks(list(dict.fromkeys([*(runs or []), *lesson_networks()])) if lesson else runs or [], sure)
        listening = listen(host, port)
        on_disk = None if memory is None else Memory(LongMemory.opened(memory, say=partial(typer.echo, err=True)))
        made = create_app(named, host, allow_origin or [], root_path, token, held, on_disk)
        begin_memory(on_disk)  # the last that may be refused: what is refused leaves no folder
        made.state.address = page_address(listening) if lesson else ""
        run_app(made, listening, lesson)


def run_app(made: Starlette, listening: socket.socket, lesson: bool) -> None:
    """Serve the page and the endpoint until Ctrl-C, and print their address once they are ready."""
    import uvicorn

    from memnet.serve.connection import GRACE_SECONDS, Connection, Server
    from memnet.serve.endpoint import prepare_to_answer

    config = uvicorn.Config(
        made, http=Connection, ws="none", log_level="critical", access_log=False, timeout_graceful_shutdown=GRACE_SECONDS
    )
    listening.listen(128)
    prepare_to_answer()
    said = lesson_lines(listening) if lesson else [f"memnet is at {page_address(listening)} (Ctrl-C ends it)"]
    typer.echo("\n".join(said))
    with suppress(KeyboardInterrupt):
        Server(config).run(sockets=[listening])


def begin_memory(memory: Memory | None) -> None:
    """Make the memory that programs ask where there is none, and say it; what is no memory ends the command with 2."""
    from memnet.errors import NetworkError

    try:
        if memory is not None and memory.begin():
            typer.echo(f"{memory.long.folder} held no memory: a new one is made, and nothing is in it yet", err=True)
    except NetworkError as error:
        fail(f"--memory {error}", 2)


def serve_run(run: Path, port: int) -> None:
    """Serve the page of one run, finished or being trained, until Ctrl-C."""
    from memnet.serve.watch import Kept, serve_watched

    with plain_errors():
        at, number = serve_watched(Kept(run), port).server_address[:2]
        typer.echo(f"{run} is at http://{at!s}:{number}/ (Ctrl-C ends it)")
        with suppress(KeyboardInterrupt):
            Event().wait()


def networks(runs: list[str], sure: float = 0.0) -> dict[str, Predictor]:
    """The networks by name: the last part of what was typed, or the whole where two share it; of nothing, the package's.

    Raises :class:`~memnet.errors.NetworkError`.
    """
    import memnet
    from memnet.ask.hub import packaged

    runs = runs or packaged()
    last = [Path(run).name or run for run in runs]
    return {name if last.count(name) == 1 else run: memnet.load(run, sure) for name, run in zip(last, runs, strict=True)}


def page_address(listening: socket.socket) -> str:
    """The page's address for whoever can reach it: of all addresses of this machine the one that others reach."""
    at, number = listening.getsockname()[:2]
    at = own_address() if at in (EVERYWHERE, "::") else at
    return f"http://{f'[{at}]' if ':' in at else at}:{number}/"


def lesson_lines(listening: socket.socket) -> list[str]:
    """Where the teacher opens the lesson and where the class asks."""
    at, number = listening.getsockname()[:2]
    here = f"http://{HERE}:{number}/" if at == EVERYWHERE else page_address(listening)
    only = {EVERYWHERE: "whoever is in your network may ask; --host 127.0.0.1 keeps it here", HERE: "on this computer only"}
    return [
        f"the lesson, for the wall: {here}lesson (right arrow: next, left arrow: back; Ctrl-C ends it)",
        f"the page, for the class: {page_address(listening)} ({only.get(at, 'whoever reaches that address may ask')})",
    ]


def own_address() -> str:
    """The address at which other machines reach this one, as far as it knows; the name of this one where it knows none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # of documentation: nothing is sent, but the way there is looked up
            return str(probe.getsockname()[0])
        except OSError:
            return socket.gethostname()


def listen(host: str, port: int) -> socket.socket:
    """A socket at an address. Raises :class:`~memnet.errors.ConfigError` where nobody can listen there."""
    from memnet.errors import ConfigError

    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        listening = socket.socket(family, kind, protocol)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
    except (OSError, UnicodeError) as error:
        why = getattr(error, "strerror", None) or error
        raise ConfigError(f"cannot listen at {host}, port {port}: {why}; try another --host or --port") from error
    return listening
