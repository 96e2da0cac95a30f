"""Stories that the server holds."""

import json
import time
from pathlib import Path
from subprocess import DEVNULL
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import memnet.serve.memories
from memnet.ask.predictor import Predictor
from memnet.errors import BusyError, ConfigError, NetworkError
from memnet.serve.memories import MAX_MEMORIES, Memories, memory_request
from memnet.serve.turns import RefusedError
from tests.ask.serving import STORY, STORY_TEXT, Served
from tests.conftest import refused


def test_a_memory_over_http(client: Any):
    made = client.post("/api/memories", json={"story": STORY_TEXT}).json()
    assert made == {"id": made["id"], "statements": 3}
    place = f"/api/memories/{made['id']}"
    assert client.post(f"{place}/ask", json={"question": "Where is Mary?"}).json()["answer"] == "office"
    assert (
        client.post(f"{place}/statements", json={"story": "Mary went to the garden. Where is she?"}).json()["statements"] == 4
    )
    assert client.post(f"{place}/ask", json={"question": "Where is Mary?", "network": "plain"}).json()["answer"] == "garden"
    assert client.get(place).json()["story"] == [*STORY, "Mary went to the garden."]
    assert client.delete(place).json() == {"id": made["id"], "statements": 0}
    for answer in (client.get(place), client.delete(place), client.post(f"{place}/ask", json={"question": "Where is Mary?"})):
        assert (answer.status_code, "no memory of that id" in answer.json()["error"]) == (404, True)
    assert client.put(place).headers["allow"] == "GET or HEAD or DELETE".replace(" or", ",")


def test_limits_of_a_memory(client: Any):
    made = client.post("/api/memories", json={"story": ["Mary left."] * 999}).json()["id"]
    place = f"/api/memories/{made}/statements"
    assert client.post(place, json={"story": "John left."}).json()["statements"] == 1000
    for story, why in (("John left.", "1,001 statements; at most 1,000"), ("x" * 21_000, "21,000 characters; at most 20,000")):
        answer = client.post(place, json={"story": story})
        assert (answer.status_code, why in answer.json()["error"]) == (422, True)
    assert client.get(f"/api/memories/{made}").json()["statements"] == 1000
    words = client.post("/api/memories", json={"story": ["a " * 2500]}).json()["id"]
    assert client.post(f"/api/memories/{words}/statements", json={"story": ["b " * 2501]}).status_code == 422


def test_the_one_that_was_idle_longest_makes_room(caplog: pytest.LogCaptureFixture):
    memories = Memories()
    names = [memories.create([str(number)]) for number in range(MAX_MEMORIES)]
    with pytest.raises(RefusedError, match="holds 200 memories, each used in the last 60 minutes; delete one") as full:
        memories.create([])
    assert full.value.status == 503
    for name in names[:2]:
        memories.held[name] = memories.held[name]._replace(used=time.time() - 3700)
    memories.story(names[0])
    new = memories.create(["new"])
    assert [new in memories.held, names[0] in memories.held, names[1] in memories.held] == [True, True, False]
    assert f"memory {names[1]} is dropped for a new one: nobody used it for 62 minutes" in caplog.text


@settings(max_examples=25)
@given(st.lists(st.tuples(st.sampled_from(["create", "append", "delete", "restart"]), st.text(max_size=30)), max_size=12))
def test_a_restart_keeps_memories(tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, str]]):
    folder, expected = tmp_path_factory.mktemp("memories"), dict[str, list[str]]()
    memories = Memories(folder)
    for step, text in [*steps, ("restart", "")]:
        name = next(iter(expected), "")
        if step == "create":
            expected[memories.create([text])] = [text]
        if step == "append" and name:
            memories.append(name, [text])
            expected[name] = [*expected[name], text]
        if step == "delete" and name:
            memories.delete(name)
            del expected[name]
        if step == "restart":
            memories.kept.close()
            memories = Memories(folder)
        assert {each: held.story for each, held in memories.held.items()} == expected
    assert {path.stem for path in folder.glob("*.json")} == {*expected}
    memories.kept.close()


@pytest.mark.slow
def test_a_killed_server_has_its_memories_again(runs: list[Path], tmp_path: Path, programs: Path):
    import httpx

    pytest.importorskip("gradio", reason="the page needs gradio")
    folder = tmp_path / "held"
    for first in (True, False):
        with (
            Served(runs[:1], tmp_path, DEVNULL, "--memories", folder, programs=programs) as server,
            httpx.Client(base_url=server.address, trust_env=False, timeout=60) as client,
        ):
            if first:
                place = "/api/memories/" + client.post("/api/memories", json={"story": STORY_TEXT}).json()["id"]
                client.post(f"{place}/statements", json={"story": "Mary went to the garden."})
                assert "another server keeps its memories in" in refused("serve", runs[0], "--memories", folder, "--port", 0)
            assert client.post(f"{place}/ask", json={"question": "Where is Mary?"}).json()["answer"] == "garden"


def test_folders_that_hold_no_memories_are_one_sentence(tmp_path: Path):
    name = "a" * 22
    path = tmp_path / f"{name}.json"
    wrong = [
        "{",
        "[]",
        "{}",
        '{"statements": 3}',
        '{"statements": [3]}',
        json.dumps({"statements": ["a"] * 1001}),
        "[" * 60_000,
    ]
    for text in wrong:
        path.write_text(text)
        with pytest.raises(ConfigError, match=r"is no memory of this server: expected .* move it away"):
            Memories(tmp_path)
    path.unlink()
    (tmp_path / "other.json").write_text('{"statements": []}')
    with pytest.raises(ConfigError, match=r"other\.json is no memory"):
        Memories(tmp_path)
    (tmp_path / "other.json").unlink()
    path.symlink_to("/etc/hostname")
    with pytest.raises(NetworkError, match="is a link"):
        Memories(tmp_path)
    path.unlink()
    (tmp_path / f".{name}.json.x.tmp").write_text("{")
    memories = Memories(tmp_path)
    assert [each.name for each in tmp_path.iterdir()] == [".lock"]
    with pytest.raises(BusyError, match="another server"):
        Memories(tmp_path)
    memories.kept.close()
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match="cannot be used: File exists"):
        Memories(tmp_path / "file")


def test_a_full_disk_changes_nothing(tmp_path: Path, networks: dict[str, Predictor], monkeypatch: pytest.MonkeyPatch):
    memories = Memories(tmp_path)
    name = memories.create(STORY)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(memnet.serve.memories, "write_json", full)
    body = json.dumps({"story": "Mary left."}).encode()
    for args in (("", ""), (name, "statements")):
        status, said = memory_request(memories, networks, "POST", *args, body)
        assert (status, said) == (507, {"error": "The memory cannot be kept: No space left on device."})
    assert {each: held.story for each, held in memories.held.items()} == {name: STORY}
    memories.kept.close()
