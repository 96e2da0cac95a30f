"""Programs ``memnet`` and ``python`` that begin at once: processes forked from one that has imported what they need.

Each is a process of its own, with its own folder, environment, streams and exit status, and gets the signals that are sent
to it; once it was killed, it has ended when its streams have. Not for what hangs on how a process begins: its memory, the
environment at its imports, which modules it loads.
"""

import json
import os
import runpy
import select
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from subprocess import DEVNULL, PIPE, Popen
from tempfile import TemporaryDirectory
from threading import Thread

ROOT = Path(__file__).parent.parent
PROGRAM = """#!/bin/sh
exec "{python}" -IS "{folder}/ask.py" {name} "$@"
"""
ASK = """
import json, os, signal, socket, sys
server = socket.socket(socket.AF_UNIX)
server.connect(os.path.join(os.path.dirname(sys.argv[0]), "server"))
asked = json.dumps([sys.argv[1:], os.getcwd(), dict(os.environ)]).encode() + b"\\n"
socket.send_fds(server, [asked], [0, 1, 2])
for number in (signal.SIGINT, signal.SIGTERM):
    signal.signal(number, lambda number, frame: server.send(bytes([number])))
sys.exit(int(server.makefile().readline() or 1))
"""


@contextmanager
def programs() -> Iterator[Path]:
    """A folder with the two programs, for PATH, as long as what forks them runs."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "ask.py").write_text(ASK, encoding="utf-8")
        for name in ("memnet", "python"):
            (folder / name).write_text(PROGRAM.format(python=sys.executable, folder=folder, name=name), encoding="utf-8")
            (folder / name).chmod(0o755)
        command = [sys.executable, "-m", "tests.forked", str(folder / "server")]
        with Popen(command, cwd=ROOT, stdin=DEVNULL, stdout=PIPE) as server:
            assert server.stdout is not None
            assert server.stdout.readline() == b"ready\n"
            yield folder
            server.kill()


def run(words: list[str]) -> None:
    """``memnet ...``, ``python -c CODE`` or ``python FILE``, to its end."""
    if words[0] == "memnet":
        sys.argv = words
        runpy.run_module("memnet", run_name="__main__", alter_sys=True)
    elif words[1] != "-c":
        sys.argv = words[1:]
        runpy.run_path(words[1], run_name="__main__")
    else:
        sys.argv = words[1:2]
        exec(compile(words[2], "<string>", "exec"), {"__name__": "__main__"})


def pass_on(asked: socket.socket, process: int) -> None:
    """Signals, a byte each, to a process; where who asked for it is gone, it is killed."""
    while number := asked.recv(1):
        os.kill(process, number[0])
    os.kill(process, signal.SIGKILL)


def begin(asked: socket.socket, words: list[str], folder: str, environment: dict[str, str], streams: list[int]) -> None:
    """Fork the process that is asked for, and tell its exit status; return in that process alone."""
    if process := os.fork():
        for stream in streams:
            os.close(stream)
        Thread(target=pass_on, args=(asked, process), daemon=True).start()
        asked.sendall(b"%d\n" % os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]))
        os._exit(0)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    sys.path[0] = ""
    run(words)


def serve(address: str) -> None:
    """Fork whatever is asked for until killed, or until the tests have ended without doing so."""
    parent = os.getppid()
    import torch  # noqa: F401

    import memnet.api
    import memnet.cli  # noqa: F401

    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(address)
        listener.listen()
        print("ready", flush=True)
        while os.getppid() == parent:
            if not select.select([listener], [], [], 5)[0]:
                continue
            asked, _ = listener.accept()
            with asked:
                text, streams, _, _ = socket.recv_fds(asked, 1 << 16, 3)
                while not text.endswith(b"\n"):
                    text += asked.recv(1 << 16)
                words, folder, environment = json.loads(text)
                if "serve" in words:
                    with suppress(ImportError):
                        import gradio  # noqa: F401
                if not os.fork():
                    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                    listener.close()
                    begin(asked, words, folder, environment, streams)
                    return
                for stream in streams:
                    os.close(stream)


if __name__ == "__main__":
    serve(sys.argv[1])
