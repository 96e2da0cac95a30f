"""The playground: it answers as memnet does, holds all that it needs, and in a browser asks nobody else."""

import json
import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file

import memnet
from memnet.ask.example import Example, example_of, verdict
from memnet.ask.hub import NETWORKS, packaged
from memnet.serve.lesson import stories
from memnet.serve.playground import reply
from memnet.tasks.families import EXAMPLES
from tests.ask.playing import Page
from tests.conftest import loaded

ROOT = Path(__file__).parent.parent.parent
STORY = ["John got the football.", "Mary went to the kitchen.", "John moved to the garden.", "Sandra went to the office."]
WHERE = "Where is the football?"
MISSING = ("torch", "lzma", "regex", "typer", "tqdm", "huggingface_hub", "filelock", "prompt_toolkit", "rich", "lemminflect")
QUESTIONS, AT_ONCE, CLOSE = 2000, 50, 1e-4  # asked in the browser, a call; of probabilities


def asked(story: list[str] | str, question: str, network: str = "memn2n", **more: Any) -> dict[str, Any]:
    text = story if isinstance(story, str) else "\n".join(story)
    return {"do": "ask", "network": network, "story": text, "question": question, **more}


def ask(*what: Any, **more: Any) -> Any:
    return json.loads(reply(json.dumps(asked(*what, **more))))


def examples(number: int) -> list[Example]:
    tasks = list(EXAMPLES.members)
    return [example_of(tasks[seed % len(tasks)], seed) for seed in range(number)]


# What the page asks


@pytest.mark.parametrize("name", ["memn2n", "dmn-plus", "memnn"])
def test_the_page_answers_as_memnet_does(name: str):
    network = memnet.load(name)
    for example in examples(20):
        found = ask(example.story, example.question, name, example=example._asdict())
        wanted = network.ask(example.statements, example.question)
        assert found["answer"] == (wanted.text if wanted.answerable else None)
        assert found["probability"] == pytest.approx(wanted.chance, abs=1e-12)
        assert found["story"] == example.statements
        assert ('class="verdict right"' in found["html"]) == (verdict(wanted, example.answer) == "Right.")


def test_a_sentence_that_is_struck_keeps_its_place_and_is_not_read():
    found = ask(STORY, WHERE, struck=[1])
    wanted = memnet.load("memn2n").ask(STORY[1:], WHERE)
    assert found["probability"] == wanted.chance
    rows = re.findall(
        r'data-reads="([\d. ]+)".*?<td class="number">(\d+)</td><td class="text"><span>(.*?)</span>', found["html"]
    )
    assert [(int(number), text) for _, number, text in rows] == list(enumerate(STORY, 1))
    assert set(rows[0][0].split()) == {"0.000"}
    most = max(rows, key=lambda row: float(row[0].split()[-1]))
    assert int(most[1]) == wanted.hops[-1][0].number + 1
    assert ask(STORY, WHERE, struck=[1, 2, 3, 4])["error"].startswith("The story is empty")


def test_attention_is_soft_or_hard_as_it_is_set():
    plain, one = ask(STORY, WHERE), ask(STORY, WHERE, change={"temperature": 1, "hard": False, "moved": {"0": {}}})
    assert plain == one
    hard, soft = ask(STORY, WHERE, change={"hard": True}), ask(STORY, WHERE, change={"temperature": 100})
    for hop in hard["apart"]["hops"]:
        assert sorted({*hop["weights"], hop["null"][1]}) == [0, 1]
        assert np.argmax([*hop["weights"], hop["null"][1]]) == np.argmax([*hop["scores"], hop["null"][0]])
    for hop in soft["apart"]["hops"]:
        assert max(hop["weights"]) < 0.3
    assert soft["probability"] < plain["probability"]
    assert ask(STORY, WHERE, change={"temperature": 0})["error"] == "A temperature is more than 0."


def test_the_numbers_of_a_hop_are_those_of_its_equations():
    found = ask(STORY, WHERE)
    hops = found["apart"]["hops"]
    for hop, after in zip(hops, [*hops[1:], None], strict=True):
        query, memory, weights = (np.array(hop[name]) for name in ("query", "memory", "weights"))
        assert memory @ query == pytest.approx(hop["scores"], abs=5e-3)
        odds = np.exp([*hop["scores"], hop["null"][0]])
        assert [*weights, hop["null"][1]] == pytest.approx(odds / odds.sum(), abs=1e-3)
        assert query + hop["output"] == pytest.approx(hop["state"], abs=5e-4)
        if after:
            assert after["query"] == hop["state"]
            assert weights @ np.array(after["memory"]) == pytest.approx(hop["output"], abs=5e-3)
    assert hops[-1]["answers"][0] == ["garden", pytest.approx(found["probability"], abs=1e-6)]
    assert hops[0]["answers"][0][0] != "garden", "the first hop alone cannot know"


def test_a_memory_without_empty_places_shows_none():
    story = [f"Mary went to the {('office', 'park')[number % 2]}." for number in range(60)]
    hops = ask(story, "Where is Mary?")["apart"]["hops"]
    assert [len(hop["scores"]) for hop in hops] == [50] * 3
    assert {hop["null"] for hop in hops} == {None}


def test_a_word_has_the_vectors_that_it_is_given():
    given = ask(STORY, WHERE, change={"instead": {"john": "mary"}})
    assert given["answer"] == "kitchen"
    assert ask(STORY, WHERE)["answer"] == "garden", "the network itself is as it was"
    assert "no vector for 'unicorn'" in ask(STORY, WHERE, change={"instead": {"unicorn": "mary"}})["error"]
    among = ["john", "mary", "sandra", "kitchen", "garden", "football", "the", "unicorn"]
    plane = json.loads(reply(json.dumps({"do": "words", "network": "memn2n", "table": 0, "words": among})))
    assert plane["words"] == among[:-1]
    places = dict(zip(plane["words"], np.array(plane["places"]), strict=True))
    assert np.mean(list(places.values()), 0) == pytest.approx([0, 0], abs=1e-3)
    network = memnet.load("memn2n")
    vectors = network.engine.network.weights["embedding"][0]  # type: ignore[attr-defined]
    number = network.vocabulary.number
    for one, other in (("john", "mary"), ("kitchen", "football")):
        apart = np.linalg.norm(places[one] - places[other])
        assert apart <= np.linalg.norm(vectors[number[one]] - vectors[number[other]]) + 1e-3
    far = np.subtract(places["kitchen"], places["garden"])
    moved = ask(STORY, WHERE, change={"moved": {"0": {"football": list(far)}}, "among": among})["apart"]["hops"][0]
    gone = np.subtract(moved["query"], ask(STORY, WHERE)["apart"]["hops"][0]["query"])
    assert 0 < np.linalg.norm(gone) < 2 * np.linalg.norm(far), "the question's place encoding counts a word up to twice"
    assert "no table 4" in ask(STORY, WHERE, change={"moved": {"4": {"john": [1, 0]}}, "among": among})["error"]


def test_another_network_has_no_numbers_and_cannot_be_changed():
    assert "apart" not in ask(STORY, WHERE, "dmn-plus")
    assert "cannot be taken apart" in ask(STORY, WHERE, "dmn-plus", change={"hard": True})["error"]


# What is packed


def test_the_page_names_no_other_place():
    for path in (path for path in (ROOT / "docs" / "play").rglob("*") if path.is_file()):
        found = re.findall(r"(?:https?:)?//[\w.]+[\w/]*", re.sub(r"(?m)(^|\s)//\s.*$", "", path.read_text(encoding="utf-8")))
        assert set(found) <= {"http://www.w3.org/2000/svg"}, path.name


TYPES = {"float32": "F32", "float16": "F16", "int8": "I8"}  # of numbers -> in a file


@pytest.mark.parametrize("name", packaged())
def test_networks_are_read_without_the_library_safetensors(name: str):
    reader = loaded(ROOT / "scripts" / "browser" / "safetensors.py")
    path = NETWORKS / name / "model.safetensors"
    wanted = load_file(path)
    with reader.safe_open(path, "np") as file:
        assert {*file.keys()} == wanted.keys()
        for key, value in wanted.items():
            assert np.array_equal(file.get_tensor(key), value)
            assert (file.get_slice(key).get_dtype(), file.get_slice(key).get_shape()) == (
                TYPES[value.dtype.name],
                list(value.shape),
            )


def from_packed(
    making: ModuleType, files: Iterable[tuple[str, bytes]], requests: Sequence[dict[str, Any]], folder: Path
) -> list[Any]:
    """What the page replies that is made of these files and the packed part of numpy alone, in a process of its own."""
    for name, data in files:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    missing = [name for name in MISSING if not (folder / name).exists()]
    missing += [f"numpy.{name}" for name in making.NOT_OF_NUMPY]
    program = (
        f"import sys\nfor name in {missing!r}: sys.modules[name] = None\n"
        f"sys.path[:] = [{str(folder)!r}, *(path for path in sys.path if path and path != {str(ROOT)!r})]\n"
        "import memnet.serve.playground as page, safetensors\n"
        f"assert page.__file__.startswith({str(folder)!r}) and safetensors.__file__.startswith({str(folder)!r})\n"
        f"for request in {[json.dumps(one) for one in requests]!r}: print(page.reply(request))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=folder, env={}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return [*map(json.loads, done.stdout.splitlines())]


@pytest.mark.parametrize("network", sorted({one["network"] for one in stories()}))
def test_what_is_packed_answers_every_story_of_the_page(network: str, making: ModuleType, tmp_path: Path):
    told = [
        {"do": "ask", "network": network, "story": one["story"].strip(), "question": one["question"]}
        for one in stories()
        if one["network"] == network
    ]
    examples = [{"do": "example", "network": network, "task": task, "seed": 1} for task in list(EXAMPLES.members)[:15]]
    said = from_packed(making, [*making.code(), *making.of_network(network)], [*told, *examples], tmp_path)
    for one, replied in zip([*told, *examples], said, strict=True):
        assert "error" not in replied, one
    assert [replied["answer"] for replied in said[: len(told)]] == [
        json.loads(reply(json.dumps(one)))["answer"] for one in told
    ]


def test_what_is_packed_is_enough_to_answer(making: ModuleType, tmp_path: Path):
    example = {"do": "example", "network": "memn2n", "task": list(EXAMPLES.members)[1], "seed": 3}
    opened = {"do": "open", "network": "memn2n"}
    requests = [asked(STORY, WHERE), asked("\U0001f408 sat.", WHERE), example, opened]
    files = [*making.code(), *making.of_network("memn2n")]
    answered, refused, another, network = from_packed(making, files, requests, tmp_path)
    assert (answered["answer"], answered["html"]) == ("garden", ask(STORY, WHERE)["html"])
    assert refused["error"].startswith("This page cannot read emoji")
    assert another["question"].endswith("?")
    assert network["label"] == "End-to-end memory network"


def test_files_with_another_checksum_are_refused(making: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    wheel = tmp_path / "numpy.whl"
    wheel.write_bytes(b"another")
    lock = {"packages": {"numpy": {"file_name": "numpy.whl", "sha256": "0" * 64}}}
    with pytest.raises(SystemExit, match="checksum differs"):
        making.numpy_wheel(lock, wheel)
    monkeypatch.setattr(making, "CACHE", tmp_path)
    monkeypatch.setattr(making.shutil, "which", lambda name: name)
    (tmp_path / f"pyodide-{making.PYODIDE}.tgz").write_bytes(b"another")
    with pytest.raises(SystemExit, match="is not Pyodide"):
        making.pyodide()


# In a browser


@pytest.mark.slow
def test_in_a_browser_it_answers_strikes_and_changes_and_asks_nobody_else(site: str, browser: Any):
    page = Page(browser, site)
    print(f"the first answer after {page.run('performance.now()') / 1000:.1f} s")
    assert page.said().startswith("garden")
    page.click("[aria-label$='sentence 3']")
    assert not page.said().startswith("garden")
    assert page.run("document.querySelectorAll('tr.struck').length") == 1
    page.click("[aria-label$='sentence 3']")
    page.click("#hard")
    assert page.run("document.querySelectorAll('#hop .weight').length") == 8
    page.click("#soft .row button:last-child")
    page.click("#words button")
    assert page.said().startswith("kitchen")
    for dark, name in ((False, "light"), (True, "dark")):
        scheme = {"features": [{"name": "prefers-color-scheme", "value": name}]}
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", scheme)
        for width in (390, 1400):
            size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
            browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
            assert page.run("document.documentElement.scrollWidth") <= width
        ink = page.run("getComputedStyle(document.body).color")
        assert (min(map(int, re.findall(r"\d+", ink)[:3])) > 128) == dark
    asks = "document.querySelector('#question')"
    page.run(f"({asks}.value = 'Where is the laptop?', {asks}.dispatchEvent(new Event('input')))")
    page.answered()
    assert page.said().startswith("I cannot tell")
    thens = page.run("[...document.querySelectorAll('#soft .then, #words .then')].map(each => each.textContent)")
    assert all(then.startswith("If it did not refuse, it would answer: ") for then in thens)
    film = "document.querySelector('#film iframe')"
    page.run(f"{film}.scrollIntoView()")
    page.run(f"new Promise(done => setInterval(() => {film}.contentDocument.querySelector('#story tr') && done(), 100))")
    assert page.run(f"{film}.contentDocument.documentElement.scrollHeight <= {film}.clientHeight")
    size = {"width": 390, "height": 900, "deviceScaleFactor": 1, "mobile": True}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    page.run("new Promise(done => setTimeout(done, 500))")
    letters = f"{film}.contentDocument.querySelector('#chart text').getBoundingClientRect().height"
    assert page.run(letters) >= 12, "a chart's letters are read on a phone"
    assert page.run(f"{film}.contentDocument.documentElement.scrollWidth <= {film}.clientWidth")
    told = "document.querySelector('#story')"
    page.run(f"({told}.value = '<b>Sandra</b> went to the park.', {told}.dispatchEvent(new Event('input')))")
    page.answered()
    assert page.run("document.querySelectorAll('#answer b, #lab b').length") == 0
    fetched = page.run("performance.getEntriesByType('resource').map(each => each.name)")
    assert all(each.startswith(site.removesuffix("play/index.html")) for each in fetched)
    assert [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"] == []


@pytest.mark.slow
def test_a_browser_answers_every_story_of_the_page_as_memnet_does(site: str, browser: Any):
    told = [asked(one["story"].strip(), one["question"], one["network"]) for one in stories()]
    for one, found in zip(told, Page(browser, site).ask(told), strict=True):
        value, wanted = found["value"], json.loads(reply(json.dumps(one)))
        assert (value.get("error"), value["answer"]) == (None, wanted["answer"]), one
        assert value["probability"] == pytest.approx(wanted["probability"], abs=CLOSE)


@pytest.mark.slow
def test_answers_in_a_browser_are_those_of_memnet(site: str, browser: Any):
    page, took = Page(browser, site), list[float]()
    for name, number in (("memn2n", QUESTIONS), ("dmn-plus", 200), ("memnn", 200), ("memnet", 40)):
        chosen = examples(number)
        wanted = memnet.load(name).ask_many([(one.statements, one.question) for one in chosen])
        for start in range(0, number, AT_ONCE):
            part = slice(start, start + AT_ONCE)
            replies = page.ask([asked(one.statements, one.question, name) for one in chosen[part]])
            for found, answer in zip(replies, wanted[part], strict=True):
                assert found["value"]["answer"] == (answer.text if answer.answerable else None)
                assert found["value"]["probability"] == pytest.approx(answer.chance, abs=CLOSE)
            took += [found["ms"] for found in replies] if name == "memn2n" else []
        print(f"{name}: {number} answers are equal")
    print(f"memn2n: an answer in {np.median(took):.1f} ms, 95 of 100 in {np.percentile(took, 95):.1f} ms")
