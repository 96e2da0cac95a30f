"""The memory on disk that a server has."""

import json
import socket
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

from memnet.ask.predictor import Predictor
from memnet.cli.serve import begin_memory
from memnet.memory import Memory
from memnet.memory.files import LOCK, NOTES, TEXT
from memnet.memory.long_memory import LongMemory
from memnet.serve.long_memory import ACTIONS, MOST_FOUND
from memnet.serve.web import create_app
from tests.conftest import memnet

NAMES = sorted(path.rpartition("/")[2] for path in ACTIONS)


def posted(client: Any, action: str, **body: object) -> Any:
    """What is answered with status 200."""
    answer = client.post(f"/api/memory/{action}", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def refused(client: Any, action: str, content: object) -> tuple[int, str]:
    """The status and the sentence of a refusal."""
    body = content if isinstance(content, str) else json.dumps(content)
    answer = client.post(f"/api/memory/{action}", content=body)
    assert answer.json().keys() == {"error"}, answer.text
    return answer.status_code, answer.json()["error"]


def test_an_answer_says_where_and_when_it_was_told(unchanged: tuple[Any, Memory]):
    rememberer, _ = unchanged
    answer = posted(rememberer, "ask", question="Where is Mary?")
    (read,) = answer["evidence"]
    assert (answer["answer"], read["when"], read["source"], read["line"]) == ("garden", "2026-03-02T10:00", "log.txt", 2)
    assert [one["sentence"] for one in answer["superseded"]] == ["Mary went to the kitchen."]
    assert posted(rememberer, "ask", question="Where is Mary?", until="2026-03-01", since=None)["answer"] == "kitchen"
    late = posted(rememberer, "ask", question="Where is Mary?", since="2026-03-03")
    assert not late["answerable"]


def test_another_source_that_contradicts_is_told(rememberer: Any):
    for place, source in (("shed", "notes.md"), ("garage", "list.csv")):
        posted(rememberer, "add", text=f"The drill is in the {place}.", source=source)
    answer = posted(rememberer, "ask", question="Where is the drill?")
    (read,) = answer["contradicting"]
    assert (answer["answer"], read["sentence"], read["source"]) == ("garage", "The drill is in the shed.", "notes.md")


def test_what_is_found_has_its_number_and_score(unchanged: tuple[Any, Memory]):
    rememberer, _ = unchanged
    found = posted(rememberer, "search", query="Who has the milk?")["found"]
    assert {**found[0], "score": 0} == {
        "number": 2,
        "text": "John took the milk.",
        "when": "2026-03-03",
        "source": "chat",
        "line": 0,
        "score": 0,
    }
    assert [one["score"] for one in found] == sorted((one["score"] for one in found), reverse=True)
    assert len(posted(rememberer, "search", query="Where did Mary go?", k=1)["found"]) == 1


def test_what_is_added_is_on_the_disk_and_answers(rememberer: Any, memory: Memory):
    told = posted(rememberer, "add", text="Mary went to the attic. Bob left.", when="2026-03-04", source="diary")
    assert told == {"numbers": [3, 4], "sentences": 5}
    assert posted(rememberer, "ask", question="Where is Mary?")["answer"] == "attic"
    with Memory.open(memory.long.folder) as again:
        assert (again[4].text, again[4].when, again[4].source) == ("Bob left.", "2026-03-04", "diary")


def test_what_is_forgotten_answers_no_more(rememberer: Any, memory: Memory):
    (struck,) = posted(rememberer, "forget", number=1)["struck"]
    assert struck == {
        "number": 1,
        "text": "Mary went to the garden.",
        "when": "2026-03-02T10:00",
        "source": "log.txt",
        "line": 2,
    }
    assert posted(rememberer, "ask", question="Where is Mary?")["answer"] == "kitchen"
    assert posted(rememberer, "forget", number=1)["struck"] == []
    assert [one["number"] for one in posted(rememberer, "forget", before="2026-03-03", source="log.txt")["struck"]] == [0]
    assert b"John" in (memory.long.folder / TEXT).read_bytes()
    assert [one["number"] for one in posted(rememberer, "forget", about="milk", number=[0, 2], wipe=True)["struck"]] == [2]
    assert b"John" not in (memory.long.folder / TEXT).read_bytes()
    assert refused(rememberer, "ask", {"question": "Where is Mary?"}) == (
        422,
        "The memory holds no statement to answer from.",
    )


@pytest.mark.parametrize(
    ("action", "body", "status", "said"),
    [
        ("ask", "{", 400, 'expected {"question": "..."}'),
        ("ask", [], 400, "a JSON object with question and if you like, since, until"),
        ("ask", {}, 400, "a JSON object with question"),
        ("ask", {"question": "Who?", "network": "x"}, 400, "a JSON object with question"),
        ("ask", {"question": 3}, 400, "The field 'question' must be a text."),
        ("ask", {"question": "Who?", "since": "soon"}, 400, "The field 'since' must be a time in ISO 8601"),
        ("ask", {"question": "Who?", "until": 2026}, 400, "The field 'until' must be a time in ISO 8601"),
        ("ask", {"question": "x" * 301}, 422, "The question has 301 characters; at most 300 are read."),
        ("ask", {"question": "\ud800"}, 422, "The question is not Unicode text."),
        ("search", {"query": "milk", "k": True}, 400, f"The field 'k' must be a whole number from 1 to {MOST_FOUND}."),
        ("search", {"query": "milk", "k": 0}, 400, "The field 'k' must be a whole number"),
        ("search", {"query": "milk", "k": MOST_FOUND + 1}, 400, "The field 'k' must be a whole number"),
        ("search", {"query": None}, 400, "The field 'query' must be a text."),
        ("add", {"text": ["Bob left."]}, 400, "The field 'text' must be a text."),
        ("add", {"text": "Bob left.", "source": 3}, 400, "The field 'source' must be a text."),
        ("add", {"text": "x" * 20_001}, 422, "The text has 20,001 characters; at most 20,000 are read."),
        ("add", {"text": "Bob left.", "when": "yesterday"}, 400, "The field 'when' must be a time in ISO 8601"),
        ("add", {"text": "Bob left.", "source": "x" * 301}, 422, "The source has 301 characters"),
        ("add", {"text": " \n"}, 422, "The text is empty"),
        ("add", " " * 70_000, 413, "The request is too long"),
        ("forget", "", 400, 'expected {"about": "..."}'),
        ("forget", {}, 400, "Say what to forget"),
        ("forget", {"wipe": True, "number": None}, 400, "Say what to forget"),
        ("forget", {"about": "Mary", "wipe": "yes"}, 400, "The field 'wipe' must be true or false."),
        ("forget", {"number": True}, 400, "The field 'number' must be the number of a sentence, or a list of such."),
        ("forget", {"number": ["0"]}, 400, "The field 'number' must be the number of a sentence"),
        ("forget", {"number": 3}, 422, "there is no sentence 3; the memory has the numbers 0 to 2"),
        ("forget", {"number": -1}, 422, "there is no sentence -1"),
        ("forget", {"before": "March"}, 400, "The field 'before' must be a time in ISO 8601"),
    ],
)
def test_bad_requests_are_one_sentence(unchanged: tuple[Any, Memory], action: str, body: object, status: int, said: str):
    client, memory = unchanged
    answered = refused(client, action, body)
    assert answered[0] == status
    assert said in answered[1]
    assert len(memory) == 3


@pytest.mark.parametrize("action", NAMES)
def test_without_a_memory_there_is_none(client: Any, action: str):
    assert refused(client, action, {}) == (404, "This server has no memory on disk; start it with --memory FOLDER.")
    assert client.get(f"/api/memory/{action}").status_code == 405
    assert client.post("/api/memory/other", json={}).status_code == 404


def test_who_has_no_token_is_refused(networks: dict[str, Predictor], memory: Memory):
    pytest.importorskip("gradio", reason="the page needs gradio")
    from starlette.testclient import TestClient

    with TestClient(create_app(networks, token="a" * 16, memory=memory), base_url="http://127.0.0.1:7860") as client:
        for action in NAMES:
            assert client.post(f"/api/memory/{action}", json={"about": "Mary"}).status_code == 401
        right = {"authorization": f"Bearer {'a' * 16}"}
        assert client.post("/api/memory/search", json={"query": "milk"}, headers=right).status_code == 200
    assert len(memory) == 3


def test_another_process_that_writes_is_waited_for(rememberer: Any, memory: Memory):
    with FileLock(memory.long.folder / LOCK):
        answer = rememberer.post("/api/memory/add", json={"text": "Bob left."})
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")
        assert "Another process writes to the memory" in answer.json()["error"]
        assert posted(rememberer, "ask", question="Who took the milk?")["answer"] == "John"
    assert posted(rememberer, "add", text="Bob left.")["sentences"] == 4


def test_a_folder_that_breaks_is_said_in_the_log(rememberer: Any, memory: Memory, caplog: pytest.LogCaptureFixture):
    (memory.long.folder / NOTES).unlink()
    for action, body, status in (("add", {"text": "Bob left."}, 507), ("ask", {"question": "Where is Mary?"}, 500)):
        assert refused(rememberer, action, body) == (status, "Something went wrong here; the server's own output says what.")
    assert "notes.bin is missing" in caplog.text
    assert "Traceback" not in caplog.text


def test_many_threads_add_and_ask(rememberer: Any, memory: Memory):
    def told(number: int) -> tuple[list[int], str]:
        added = posted(rememberer, "add", text=f"Bob took the cup{number}.", source=f"thread {number}")
        return added["numbers"], posted(rememberer, "ask", question="Who took the milk?")["answer"]

    with ThreadPoolExecutor(6) as pool:
        done = list(pool.map(told, range(6)))
    assert sorted(number for numbers, _ in done for number in numbers) == [3, 4, 5, 6, 7, 8]
    assert {answer for _, answer in done} == {"John"}
    assert {memory[numbers[0]].source for numbers, _ in done} == {f"thread {number}" for number in range(6)}


def test_a_folder_of_other_files_is_one_sentence(tmp_path: Path):
    (tmp_path / "letter.txt").write_text("Dear Mary,")
    for folder, said in ((tmp_path, "holds other files, such as 'letter.txt'"), (tmp_path / "letter.txt", "letter.txt")):
        done = memnet("serve", "--memory", folder, "--port", 0)
        assert done.returncode == 2
        assert said in done.stderr
        assert done.stderr.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


@pytest.mark.parametrize("wrong", [("--root-path", "qa"), ("--allow-origin", "nowhere"), ("no-network",)])
def test_a_server_that_is_refused_makes_no_memory(tmp_path: Path, wrong: tuple[str, ...]):
    assert memnet("serve", "--memory", tmp_path / "new", "--port", 0, *wrong).returncode not in (0, None)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = memnet("serve", "--memory", tmp_path / "new", "--port", taken.getsockname()[1])
    assert "cannot listen" in done.stderr
    assert [*tmp_path.iterdir()] == []


def test_a_new_memory_is_made_and_it_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    for said in (f"{tmp_path / 'new'} held no memory: a new one is made, and nothing is in it yet\n", ""):
        begin_memory(Memory(LongMemory.opened(tmp_path / "new")))
        assert capsys.readouterr() == ("", said)
