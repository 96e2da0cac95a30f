"""Watching a training: loss, error and what one network reads for one question, epoch by epoch, as a page of this machine.

The page is served with the standard library alone, by the process that trains or by another that reads the run's folder. It
asks once a second for the epochs that it does not have, so that it can be opened, reloaded or closed at any time.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock, Thread
from typing import Any, Protocol
from urllib.parse import parse_qs, urlsplit

from memnet.ask.answer import Answer
from memnet.ask.predictor import Predictor
from memnet.encode.saved import CONFIG
from memnet.errors import AskError, ConfigError, NetworkError
from memnet.files import write_atomically
from memnet.models import Network
from memnet.tasks.families import Task
from memnet.tasks.text import Question
from memnet.training.dataset import DataSet
from memnet.training.held_out import STATEMENTS, before, held_out
from memnet.training.run import RUN
from memnet.training.spec import Spec
from memnet.training.state import METRICS as METRICS_FILE

PAGE = Path(__file__).parent / "watch.html"
HERE = "127.0.0.1"
HOSTS = (HERE, "localhost")  # other names may be those of a page elsewhere that points at this machine
WATCHED = 0  # of the networks that are trained side by side, the one whose reading is shown
READINGS = "readings.jsonl"  # of a run's folder: what its page shows, then a line an epoch
METRICS = ("replica", "phase", "train_loss", "train_error", "validation_error")


class Source(Protocol):
    """What a page asks for epochs."""

    def since(self, run: int, epoch: int) -> dict[str, Any]:
        """What a page does not have that has so many epochs of a run; of another run, all of the latest."""
        ...


class Watched:
    """What a page shows of the runs of a command: the latest run's question, and an entry an epoch.

    An instance is what :func:`~memnet.training.run.make_run` takes as ``watch``. Threads may read it while a run adds to it.
    What it shows is kept in the run's folder too, a line an epoch, for :class:`Kept`.
    """

    def __init__(self) -> None:
        self.lock = Lock()
        self.run, self.ended = 0, False
        self.about: dict[str, Any] = {}
        self.epochs: list[dict[str, Any]] = []
        self.statements: list[str] = []
        self.question = ""
        self.file: Path | None = None

    def begin(self, spec: Spec, tasks: Sequence[Task], folder: Path | None = None) -> None:
        """Begin another run, in a ``folder``: choose the question that is watched."""
        self.statements, asked = question_to_watch(tasks[0])
        self.question = asked.text.strip()
        about = {
            "what": spec.what,
            "model": spec.model,
            "networks": spec.restarts,
            "total": spec.config.linear_epochs + spec.config.epochs,
            "story": self.statements,
            "question": self.question,
            "expected": asked.answer,
        }
        with self.lock:
            self.run, self.about, self.epochs = self.run + 1, about, []
            self.file = None if folder is None else folder / READINGS

    def __call__(self, net: Network, data: DataSet, rows: Sequence[dict[str, Any]]) -> None:
        """Add an epoch: the metrics of the networks, and what the first of them answers and reads."""
        entry: dict[str, Any] = {"rows": [{name: row[name] for name in METRICS} for row in rows]}
        entry["epoch"] = rows[0]["epoch"] if rows else len(self.epochs) + 1
        answer = answer_now(net, data, self.statements, self.question)
        if answer is not None:
            weights = [{read.number: round(read.weight, 4) for read in hop} for hop in answer.hops]
            entry |= {"hops": weights, "null": [round(null, 4) for null in answer.null_weights]}
            entry |= {"answer": answer.text, "probability": round(answer.probability, 4)}
        with self.lock:
            if self.file is not None:
                self.keep(self.file, entry)
            self.epochs.append(entry)

    def choose(self, replica: int) -> None:
        """Say which of the networks, numbered from 0, was kept in the end."""
        with self.lock:
            self.about = {**self.about, "kept": replica}

    def keep(self, file: Path, entry: dict[str, Any]) -> None:
        """Write an epoch at the end of a run's file; the first of a run that goes on comes after those before it."""
        if not self.epochs:
            before = lines_of(file)[1:] if file.exists() else []
            self.epochs = [one for one in before if one["epoch"] < entry["epoch"]]
            write_atomically(file, "".join(f"{json.dumps(one)}\n" for one in (self.about, *self.epochs)))
        with file.open("a", encoding="utf-8") as out:
            out.write(f"{json.dumps(entry)}\n")

    def since(self, run: int, epoch: int) -> dict[str, Any]:
        """What a page does not have that has so many epochs of a run; of another run, all of the latest."""
        with self.lock:
            start = max(0, epoch) if run == self.run else 0
            return {"run": self.run, "ended": self.ended, "about": self.about, "from": start, "epochs": self.epochs[start:]}


class Kept:
    """What a page shows of the run in a folder, finished or being trained: what was kept of each epoch."""

    def __init__(self, folder: Path) -> None:
        """Raises :class:`~memnet.errors.NetworkError` where there is no run with epochs."""
        self.folder = folder
        self.since(0, 0)

    def since(self, run: int, epoch: int) -> dict[str, Any]:
        """As :meth:`Watched.since`. Of a run that kept no readings, its metrics alone."""
        if (self.folder / READINGS).exists():
            about, *epochs = lines_of(self.folder / READINGS)
        else:
            epochs = of_metrics(lines_of(self.folder / METRICS_FILE))
            networks = len(epochs[0]["rows"]) if epochs else 1
            about = {"what": "", "model": self.folder.name, "networks": networks, "total": len(epochs), "story": []}
        start = max(0, epoch) if run == 1 else 0
        ended = (self.folder / CONFIG).exists()  # written with the weights, when all is learned
        if ended and (chosen := chosen_of(self.folder / RUN)) is not None:
            about["kept"] = chosen
        return {"run": 1, "ended": ended, "about": about, "from": start, "epochs": epochs[start:]}


def lines_of(file: Path) -> list[dict[str, Any]]:
    """The whole lines of a file of JSON. Raises :class:`~memnet.errors.NetworkError` where it cannot be read."""
    try:
        whole = file.read_text(encoding="utf-8").rpartition("\n")[0]
        return [json.loads(line) for line in whole.splitlines()]
    except (OSError, ValueError) as error:
        raise NetworkError(f"{file} cannot be read ({error}); expected the folder of a run that 'memnet train' made") from error


def chosen_of(file: Path) -> int | None:
    """Which of its networks, numbered from 0, a run kept; None where its file does not say so yet."""
    try:
        chosen = json.loads(file.read_text(encoding="utf-8")).get("chosen")
    except (OSError, ValueError, AttributeError):
        return None
    return chosen if isinstance(chosen, int) else None


def of_metrics(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Entries of a run's metrics: a row a network and epoch."""
    epochs = dict[int, list[dict[str, Any]]]()
    for row in rows:
        epochs.setdefault(row["epoch"], []).append({name: row.get(name) for name in METRICS})
    return [{"epoch": epoch, "rows": found} for epoch, found in epochs.items()]


def question_to_watch(task: Task) -> tuple[list[str], Question]:
    """The statements and the question that are watched: of those held out, a short one that needs many facts."""
    story, question = max(
        held_out(task), key=lambda one: (one[1].after <= STATEMENTS, len(one[1].supporting_facts), -one[1].after)
    )  # of several, the first
    return before(story, question), question


def answer_now(net: Network, data: DataSet, statements: Sequence[str], question: str) -> Answer | None:
    """What the watched network of those being trained answers in its present phase; None where it cannot be asked."""
    one = net.replica(WATCHED).cpu()
    cut = slice(WATCHED, WATCHED + 1)
    for schedule, whole in zip(one.schedules, net.schedules, strict=True):
        schedule.set_phases(whole.linear[cut], whole.softmax[cut])
    try:
        return Predictor(one, data.vocabulary).ask(statements, question)
    except AskError:
        return None


def handler(watched: Source) -> type[BaseHTTPRequestHandler]:
    """What answers the page: itself at ``/``, and at ``/epochs?run=1&have=7`` what it does not have yet."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            host = self.headers.get("Host", "").rpartition(":")[0]
            asked = urlsplit(self.path)
            if host not in HOSTS or asked.path not in ("/", "/epochs"):
                self.reply(404, "text/plain", b"There is no such page.")
            elif asked.path == "/":
                self.reply(200, "text/html; charset=utf-8", PAGE.read_bytes())
            else:
                given = {name: value[0] for name, value in parse_qs(asked.query).items()}
                run, have = (int(found) if (found := given.get(name, "0")).isdecimal() else 0 for name in ("run", "have"))
                self.reply(200, "application/json", json.dumps(watched.since(run, have)).encode())

        def reply(self, status: int, kind: str, body: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Cache-Control", "no-store")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            """Log nothing: the terminal shows the training."""

    return Handler


def serve_watched(watched: Source, port: int = 0) -> ThreadingHTTPServer:
    """Serve the page in a thread that ends with the process. Raises :class:`~memnet.errors.ConfigError` where it cannot."""
    try:
        server = ThreadingHTTPServer((HERE, port), handler(watched))
    except OSError as error:
        raise ConfigError(f"--watch-port {port}: {error.strerror or error}; 0 takes a free port") from error
    Thread(target=server.serve_forever, daemon=True).start()
    return server
