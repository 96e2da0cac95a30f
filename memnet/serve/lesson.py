"""The lesson: a page for the wall of a classroom, on which a class predicts what each hop reads before a key shows it."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Container
from functools import cache
from pathlib import Path

from memnet.ask.hub import BUNDLED_NAME

HERE = Path(__file__).parent
PAGE, STORIES = HERE / "lesson.html", HERE / "lesson.toml"
SCRIPT_END = "</"  # in JSON within a page it would end the script that has it


@cache
def stories() -> list[dict[str, str]]:
    """The lesson's stories in order: title, network, story, question, and what is asked before and said after."""
    return list(tomllib.loads(STORIES.read_text(encoding="utf-8"))["story"])


def lesson_networks() -> list[str]:
    """The names of the networks of the package that the lesson asks, in order."""
    return [*dict.fromkeys(story["network"] for story in stories())]


def lesson_html(networks: Container[str], address: str = "") -> str:
    """The page with those stories whose network is there; it shows the class the ``address`` of the page for itself.

    A story of the class's own is for the network that reads ordinary English, where it is there.
    """
    shown = [story for story in stories() if story["network"] in networks]
    english = BUNDLED_NAME if BUNDLED_NAME in networks else ""
    given = json.dumps({"stories": shown, "own": english, "address": address}, ensure_ascii=False).replace(SCRIPT_END, "<\\/")
    return PAGE.read_text(encoding="utf-8").replace("{{lesson}}", given)
