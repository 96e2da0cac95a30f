"""Requests to the JSON endpoint: answers, limits, and odd input."""

import asyncio
import json
import time
import xml.etree.ElementTree as ElementTree
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memnet.ask.predictor import Predictor
from memnet.measure.speed import peak
from memnet.serve.endpoint import (
    MAX_BODY,
    MAX_QUESTION,
    MAX_STATEMENTS,
    MAX_STORY,
    MAX_WORDS,
    TypedStory,
    parse_request,
    read_story,
)
from memnet.serve.gate import ASK, PICTURE
from memnet.serve.page import Shown, answer_section, answers_html
from memnet.serve.turns import MAX_ASKED, RefusedError
from memnet.serve.web import create_app
from memnet.tasks.text import short_words, words
from tests.ask.serving import STORY_TEXT, TAGS, Parsed, Served, asked
from tests.conftest import wander

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize(
    ("story", "expected"),
    [
        ("Mary went home. John did too.\n\n  It rained.  ", TypedStory(["Mary went home.", "John did too.", "It rained."])),
        ("1 Mary went home.\n2 Where is Mary?\thome\t1\n3 John left.", TypedStory(["Mary went home.", "John left."], 1)),
        ("1 Mary went home.\n1 John left.", TypedStory(["John left."])),
        (["Mary went home. John did too.", "Who?"], TypedStory(["Mary went home. John did too.", "Who?"])),
        ("", TypedStory([])),
    ],
)
def test_what_was_typed_becomes_statements(story: str | list[str], expected: TypedStory):
    assert read_story(story) == expected


def test_limits_of_a_story():
    assert len(read_story(["a"] * MAX_STATEMENTS).statements) == MAX_STATEMENTS
    assert read_story("x" * MAX_STORY).statements == ["x" * MAX_STORY]
    for story in (
        ["a"] * (MAX_STATEMENTS + 1),
        "a\n" * (MAX_STATEMENTS + 1),
        "x" * (MAX_STORY + 1),
        ["x" * MAX_STORY, "y"],
        "\ud800",
        ["\udfff"],
    ):
        with pytest.raises(RefusedError) as refused:
            read_story(story)
        assert refused.value.status == 422


def test_words_are_counted_for_each_network_that_is_asked(client: Any, networks: dict[str, Predictor]):
    story = ["Mary went to the office a b c d e."] * (MAX_WORDS // 10)
    assert asked(client, story=story, question="Where is Mary?")[0] == 200
    status, value = asked(client, story=[*story, "John left."], question="Where is Mary?")
    assert (status, value["error"]) == (422, "The story has 5,002 words; at most 5,000 are read: shorten the story.")
    text = "\n".join(story[: MAX_WORDS // 20])
    for more, refused in (("", 0), ("John left.", 2)):
        page = answers_html(networks, Shown(f"{text}\n{more}", "Where is Mary?", "sure", "plain"), None)
        assert page.count("2,502 words, asked of 2 networks 5,004; at most 5,000 are read: shorten the story or") == refused
        assert page.count('class="refused"') == refused


@pytest.mark.parametrize("name", ["sure", "plain", None])
def test_the_endpoint_answers_as_ask_does(client: Any, networks: dict[str, Predictor], name: str | None):
    status, value = asked(client, story=STORY_TEXT, question="Where is Mary?", **({"network": name} if name else {}))
    assert status == 200
    assert value["answer"] == "office"
    assert value == json.loads(json.dumps(networks[name or "sure"].ask(STORY_TEXT.splitlines(), "Where is Mary?").as_json()))
    assert asked(client, story=STORY_TEXT.splitlines(), question="Where is Mary?", network=name) == (status, value)


def test_no_evidence_and_unknown_words_are_told(client: Any):
    status, value = asked(client, story="John went to the garden.\nJohn went to the office.", question="Where is Mary?")
    assert (status, value["answerable"]) == (200, False)
    assert value["unanswerable"] > 0.5
    status, value = asked(client, story="Mary went to the gardn.", question="Where is Mary?")
    assert (status, value["unknown_words"]) == (200, {"gardn": ["garden"]})


@pytest.mark.parametrize(
    ("body", "status", "expected"),
    [
        (b"", 400, "not JSON"),
        (b"Where is Mary?", 400, "not JSON"),
        (b"\xff\xfe", 400, "not JSON"),
        (b"[" * 60000, 400, "not JSON"),
        (b"9" * 5000, 400, "not JSON"),
        (b"[]", 400, "JSON object"),
        (
            b'{"network": "sure"}',
            400,
            "The request has no story and question. The request must be a JSON object with story, question",
        ),
        (b'{"story": "", "question": "", "netwrok": ""}', 400, "There is no field 'netwrok'; did you mean 'network'?"),
        (
            b'{"story": "", "x\\ud800": 1}',
            400,
            "There is no field 'x\\ud800'; the request must be a JSON object with story, question",
        ),
        (b'{"story": [1], "question": ""}', 400, "a text or a list"),
        (b'{"story": null, "question": ""}', 400, "a text or a list"),
        (b'{"story": "", "question": NaN}', 400, "The field 'question' must be a text"),
        (b'{"story": "", "question": "", "network": {}}', 400, "The field 'network' must be a name"),
        (b'{"story": "", "question": "", "network": "../secret"}', 404, "there are sure, plain"),
        (b'{"story": "", "question": "Where is Mary?"}', 422, "story is empty"),
        (b'{"story": "Mary left.", "question": "?"}', 422, "no words"),
        (b'{"story": "Mary left.", "question": "Quo vadis?"}', 422, "none of the words"),
        (b'{"story": "Mary \\ud800 left.", "question": "Where is Mary?"}', 422, "not Unicode"),
        (b'{"story": "Mary left.", "question": "\\udcff Where is Mary?"}', 422, "not Unicode"),
        (json.dumps({"story": "x" * (MAX_STORY + 1), "question": "Where is Mary?"}).encode(), 422, "at most 20,000"),
        (json.dumps({"story": "a\n" * 1001, "question": "Where is Mary?"}).encode(), 422, "at most 1,000"),
        (json.dumps({"story": "a", "question": "a" * (MAX_QUESTION + 1)}).encode(), 422, "at most 300"),
        (b" " * (MAX_BODY + 1), 413, "at most 64 KiB"),
    ],
)
@pytest.mark.parametrize("path", [ASK, PICTURE])
def test_what_cannot_be_answered_is_refused_in_one_sentence(client: Any, path: str, body: bytes, status: int, expected: str):
    answer = client.post(path, content=body)
    assert answer.status_code == status
    assert list(answer.json()) == ["error"]
    assert expected in answer.json()["error"]


def test_the_picture_of_an_answer_is_xml_whatever_was_typed(client: Any):
    strange = "\x00\x1b[31m \ufffe ]]> & <script> $x$ " + "w" * 200 + " 玛丽" * 20
    drawn = client.post(PICTURE, json={"story": [strange, "Mary went to the office."], "question": "Where is Mary?"})
    assert (drawn.status_code, drawn.headers["content-type"]) == (200, "image/svg+xml")
    texts = ["".join(each.itertext()).strip() for each in ElementTree.fromstring(drawn.content).iter(f"{SVG}text")]
    assert any("<script> $x$ www" in each for each in texts)
    assert "End-to-end memory network (sure)" in texts
    assert any(each.startswith("2 Mary went to the office.") for each in texts)
    assert sum(each.endswith(" *") for each in texts) == 1
    assert any(each.startswith("Where is Mary? office") for each in texts)
    assert max(map(len, texts)) < 140


def test_a_body_of_unknown_length_is_cut_off(client: Any):
    assert client.post("/api/ask", content=(b" " * 1024 for _ in range(100))).status_code == 413


def test_a_failure_shows_no_traceback(networks: dict[str, Predictor], client: Any, monkeypatch: pytest.MonkeyPatch):
    def fail(*_: object) -> None:
        raise RuntimeError("secret")

    monkeypatch.setattr(networks["plain"], "ask", fail)
    status, value = asked(client, story=STORY_TEXT, question="Where is Mary?", network="plain")
    assert (status, list(value)) == (500, ["error"])
    page = answer_section(networks, "plain", STORY_TEXT, "Where is Mary?")
    for said in (value["error"], page):
        assert "Something went wrong" in said
        assert "secret" not in said
        assert "Traceback" not in said


def test_many_at_once_get_the_same_answers_as_alone(networks: dict[str, Predictor]):
    pytest.importorskip("gradio", reason="the page needs gradio")
    from httpx import ASGITransport, AsyncClient

    stories = [(list(story.statements[: one.after]), one.text) for story in wander(5, 8) for one in story.questions]
    questions = [(name, *each) for name in networks for each in stories]
    alone = [networks[name].ask(*each).as_json() for name, *each in questions]

    async def everyone() -> list[Any]:
        async with AsyncClient(
            transport=ASGITransport(create_app(networks)), base_url="http://127.0.0.1", timeout=100
        ) as client:
            bodies = [dict(zip(("network", "story", "question"), each, strict=True)) for each in questions]
            found: list[Any] = []
            for start in range(0, len(bodies), MAX_ASKED):
                group = bodies[start : start + MAX_ASKED]
                found += await asyncio.gather(*(client.post("/api/ask", json=body) for body in group))
            return found

    assert [answer.json() for answer in asyncio.run(everyone())] == json.loads(json.dumps(alone))
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda each: networks[each[0]].ask(*each[1:]).as_json(), questions)) == alone


def test_long_texts_are_not_kept():
    before = short_words.cache_info().currsize
    for number in range(101, 120):
        assert len(words("x " * number)) == number
    assert short_words.cache_info().currsize == before


def odd_texts() -> st.SearchStrategy[str]:
    """What a story or a question might be: words that are known or not, other scripts, control characters, much of it."""
    known = st.sampled_from(["Mary", "John", "went", "to", "the", "kitchen.", "garden", "Where", "is", "?", "\n", "1 ", "\t"])
    strange = st.text(st.characters(), max_size=60)
    piece = st.one_of(
        known, strange, st.sampled_from(["玛丽", "Мария", "\u202e", "\x00", "\ud800", "<script>", "${a}", "x" * 400])
    )
    joined = st.lists(piece, max_size=12).map(" ".join)
    length = st.sampled_from([250, 1000, 4000, 19_000, MAX_STORY, 25_000])
    many = st.builds(
        lambda one, length: (one * (length // len(one) + 1))[:length], st.one_of(known, joined.filter(len)), length
    )
    return st.one_of(joined, many, strange)


def odd_bodies() -> st.SearchStrategy[bytes]:
    """Bodies of requests, most of them nearly right."""
    texts = odd_texts()
    statements = st.lists(texts, max_size=5) | st.builds(lambda one, n: [one[:20]] * n, texts, st.sampled_from([10, 999, 2500]))
    anything = st.recursive(
        st.none() | st.booleans() | st.floats(allow_subnormal=False) | st.text(max_size=9),
        lambda inner: st.lists(inner, max_size=3),
    )
    wrong = st.dictionaries(st.sampled_from(["story", "question", "network", "other"]), anything | texts, max_size=4)
    network = st.sampled_from(["sure", "plain", "none", "../sure", None])
    question = texts | st.sampled_from(["Where is Mary?", "Where is John", "kitchen", "Is Mary in the kitchen?"])
    right = st.fixed_dictionaries({"story": texts | statements, "question": question}, optional={"network": network})
    return st.one_of(st.binary(max_size=200), (right | right | wrong).map(lambda value: json.dumps(value).encode()))


def fuzz(client: Any, networks: dict[str, Predictor], examples: int) -> dict[int, int]:
    """So many odd requests to the endpoint and the page; how many ended with each status."""
    found: dict[int, int] = {}
    with suppress(OSError):  # of Linux: the most memory is counted anew, whatever other tests held (proc(5))
        Path("/proc/self/clear_refs").write_text("5")
    before = peak()

    @settings(max_examples=examples)
    @given(odd_bodies())
    def check(body: bytes) -> None:
        began = time.monotonic()
        answer = client.post("/api/ask", content=body)
        found[answer.status_code] = found.get(answer.status_code, 0) + 1
        assert answer.status_code in (200, 400, 404, 413, 422)
        assert (answer.status_code == 200) == ("answer" in answer.json())
        assert "Traceback" not in answer.text
        if answer.status_code in (200, 422):
            asked = json.loads(body)
            story = asked["story"] if isinstance(asked["story"], str) else "\n".join(asked["story"])
            page = answer_section(networks, "sure", story, asked["question"])
            assert Parsed(page).tags <= TAGS
            assert "Something went wrong" not in page
        assert time.monotonic() - began < 20

    check()
    assert peak() < before + 448  # MiB: below a gibibyte in a process that has answered nothing else
    return found


def test_odd_requests_are_answered_or_refused(client: Any, networks: dict[str, Predictor]):
    fuzz(client, networks, 60)


@pytest.mark.slow
def test_thousands_of_odd_requests_are_answered_or_refused(client: Any, networks: dict[str, Predictor]):
    found = fuzz(client, networks, 2000)
    assert {200, 400, 404, 422} <= found.keys()
    assert sum(found.values()) >= 2000


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the memory of another process is read in /proc")
def test_many_large_requests_at_once_stay_below_a_gibibyte(runs: list[Path], tmp_path: Path):
    import httpx

    strange = " ".join(f"{number:05}" for number in range(3000))
    stories = ["Mary went home.\n" * MAX_STATEMENTS, "Mary " * 4000, strange, "x" * MAX_STORY, STORY_TEXT]
    with (
        Served(runs, tmp_path) as served,
        httpx.Client(base_url=served.address, trust_env=False, timeout=300) as client,
        ThreadPoolExecutor(16) as pool,
    ):
        answers = list(pool.map(lambda i: asked(client, story=stories[i % 5], question="Where is Mary?")[0], range(200)))
        status = Path(f"/proc/{served.process.pid}/status").read_text()
    assert answers == [200] * 200
    assert int(status.partition("VmHWM:")[2].split()[0]) < 2**20  # KiB


def test_a_field_that_stands_twice_is_refused():
    with pytest.raises(RefusedError) as refused:
        parse_request(b'{"story": "Mary left.", "question": "Where is Mary?", "question": "Where is John?"}')
    assert (refused.value.status, str(refused.value)) == (400, "The field 'question' stands there twice.")
