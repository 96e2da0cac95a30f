"""The stories in free wording are of the form that their page gives, and no two files share a story."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).with_name("own_words")
FILES = ("dev_a.txt", "dev_b.txt", "calibration.txt", "kept_c.txt", "kept_d.txt")


def stories(name: str) -> list[list[str]]:
    return [story.splitlines() for story in (FOLDER / name).read_text(encoding="utf-8").strip().split("\n\n")]


def test_stories_have_kinds_statements_and_questions_with_answers():
    for name in FILES:
        found = stories(name)
        assert len(found) == 200
        for story in found:
            assert story[0].startswith("# kind: "), story
            asked = [line for line in story[1:] if line.startswith("? ")]
            assert 1 <= len(asked) <= 4, story
            assert len(story) - 1 > len(asked), story
            for line in asked:
                question, arrow, answer = line[2:].partition(" -> ")
                assert arrow, line
                assert question.strip(), line
                assert all(part.strip() for part in answer.split("|")), line


def test_no_story_stands_twice():
    told = [tuple(line for line in story[1:] if not line.startswith("? ")) for name in FILES for story in stories(name)]
    assert len(set(told)) == len(told) == 1000
