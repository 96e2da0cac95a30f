"""The description of what programs may ask, against what is answered."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from memnet.ask.answer import Read
from memnet.serve.endpoint import MAX_BODY
from memnet.serve.gate import DOCS, EVENTS, OPENAPI, SERVED, methods
from memnet.serve.long_memory import ACTIONS
from memnet.serve.openapi import description
from tests.ask.serving import answered

jsonschema = pytest.importorskip("jsonschema", reason="the description is compared by jsonschema")
OPERATIONS = [
    (path, method)
    for path, operations in description()["paths"].items()
    for method in operations
    if method in ("get", "post", "delete")
]
OF_THE_PAGE = {"/", "/lesson", "/theme.css", "/favicon.ico", "/manifest.json", EVENTS}


def check(status: int, answer: Any, path: str, method: str) -> None:
    """An answer is as the description says."""
    found = description()
    said = found["paths"][path][method]["responses"][str(status)]
    if "$ref" in said:
        said = found["components"]["responses"][said["$ref"].rsplit("/", 1)[1]]
    kind = answer.headers["content-type"].partition(";")[0]
    if kind == "application/json":
        jsonschema.Draft202012Validator({**said["content"][kind]["schema"], "components": found["components"]}).validate(
            answer.json()
        )
    else:
        assert said["content"].keys() == {kind}


def bodies(path: str, method: str) -> list[Any]:
    """The example, and bodies that are refused."""
    request = description()["paths"][path][method].get("requestBody")
    if request is None:
        return [None]
    example = request["content"]["application/json"]["example"]
    odd = [{}, [], {**example, "other": 1}, {**example, "network": "none"}, " " * (MAX_BODY + 1), {**example, "network": None}]
    odd += [{**example, name: value} for name in example for value in ("", "x" * 21_000, 3, ["\ud800"], "Quo vadis?")]
    return [example, *odd]


def test_all_that_is_served_is_described():
    assert {*description()["paths"]} >= {*SERVED} - OF_THE_PAGE - {OPENAPI, DOCS}
    for path, operations in description()["paths"].items():
        said = {method.upper() for method in operations} - {"PARAMETERS"}
        assert said == {*methods(path.replace("{id}", "a"))} - {"HEAD"}


def test_the_page_lists_every_field_of_an_answer():
    page = (Path(__file__).parent.parent.parent / "docs" / "web.md").read_text(encoding="utf-8")
    table = page.partition("| field | holds |")[2].partition("\n\n")[0]
    named = re.findall(r"`(\w+)`", " ".join(line.split("|")[1] for line in table.splitlines()[2:]))
    assert sorted(named) == sorted(description()["components"]["schemas"]["Answer"]["properties"])
    read = Read(1, "Mary left.", 0.0)
    assert {*named} == {*answered([[1.0]], superseded=[read], contradicting=[read]).as_json()}


@pytest.mark.parametrize(("path", "method"), OPERATIONS)
def test_answers_are_as_described(client: Any, request: pytest.FixtureRequest, path: str, method: str):
    remembers = request.getfixturevalue("rememberer") if path in ACTIONS else client
    seen, declared = set(), set(map(int, description()["paths"][path][method]["responses"]))
    for body in bodies(path, method):
        for known in (True, False):
            at = path.replace("{id}", "none")
            if known and at != path:
                at = path.replace("{id}", client.post("/api/memories", json={"story": "Mary went to the office."}).json()["id"])
            content = None if body is None else body if isinstance(body, str) else json.dumps(body)
            asked = remembers if known else client
            answer = asked.request(method.upper(), at, content=content)
            assert answer.status_code in declared, (at, body, answer.text)
            check(answer.status_code, answer, path, method)
            seen.add(answer.status_code)
    assert seen == declared - {503, 507}


def test_answers_of_all_the_packages_networks_are_as_described():
    from memnet.ask.hub import packaged
    from memnet.ask.predictor import Predictor

    found = description()
    schema = {"$ref": "#/components/schemas/Answer", "components": found["components"]}
    for name in packaged():
        answer = Predictor.from_name(name).ask(["Mary went to the kitchen.", "John went to teh office."], "Where is Mary?")
        jsonschema.Draft202012Validator(schema).validate(json.loads(json.dumps(answer.as_json())))


def test_the_description_and_its_page(client: Any):
    import memnet

    found = client.get(OPENAPI).json()
    assert found == description()
    assert found["info"]["version"] == memnet.__version__
    page = client.get(DOCS)
    assert page.headers["content-type"].startswith("text/html")
    for path, method in OPERATIONS:
        assert f"<h2>{method.upper()} {path}</h2>" in page.text
    assert 'href="openapi.json"' in page.text


def test_every_reference_leads_somewhere():
    found = description()

    def walk(value: Any) -> None:
        if isinstance(value, dict) and "$ref" in value:
            at = found
            for part in value["$ref"].split("/")[1:]:
                at = at[part]
        for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
            walk(each)

    walk(found)
