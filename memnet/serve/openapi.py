"""What programs may ask: ``openapi.json``, kept by hand beside the endpoints, and a page of it."""

from __future__ import annotations

import json
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from memnet.version import VERSION

OPENAPI = Path(__file__).parent / "openapi.json"
HEAD = '<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>memnet: JSON</title>'
STYLE = "<style>body{font:1rem/1.5 system-ui;max-width:45rem;margin:auto;padding:1rem}pre{overflow:auto}</style>"


@cache
def description() -> dict[str, Any]:
    """The description, as OpenAPI has it."""
    found: dict[str, Any] = json.loads(OPENAPI.read_text(encoding="utf-8"))
    found["info"]["version"] = VERSION
    return found


def description_html() -> str:
    """A page of it: for each path and method what it does, an example, and what it answers."""
    found = description()
    parts = [HEAD, STYLE, f"<h1>memnet {VERSION}</h1><p>{escape(found['info']['description'])}"]
    parts.append('<p><a href="./">The page</a> · <a href="openapi.json">openapi.json</a>')
    for path, operations in found["paths"].items():
        for method, operation in operations.items():
            if method == "parameters":
                continue
            parts.append(f"<h2>{method.upper()} {escape(path)}</h2><p>{escape(operation['summary'])}")
            if body := operation.get("requestBody"):
                parts.append(f"<pre>{escape(json.dumps(body['content']['application/json']['example']))}</pre>")
            for status, answer in operation["responses"].items():
                said = found["components"]["responses"][answer["$ref"].rsplit("/", 1)[1]] if "$ref" in answer else answer
                parts.append(f"<br>{status}: {escape(said['description'])}")
    return "\n".join(parts)
