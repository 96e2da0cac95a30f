"""The study of few questions: which runs it needs, which cells its table has, and which come next."""

from pathlib import Path

import pytest

from memnet.config import override, parse_settings
from memnet.errors import NetworkError
from memnet.papers import PRESETS, STUDIES
from memnet.papers.declare import TASKS, Study
from memnet.papers.few import ALL, CASCADE, CASCADES, CELLS, NETWORKS, NUMBERS, UNORDERED_CASCADE, as_written
from memnet.papers.thousand import THOUSAND, UNORDERED
from memnet.record.runs import append_rows
from memnet.reports.few import few_questions, lines
from memnet.reports.reproduce import all_restarts, in_turns, jobs_of
from memnet.tasks.text.interchangeable import QUESTIONS
from memnet.training.spec import config_hash
from tests.records import run

FEWEST = NUMBERS[0]


def rows_of(study: Study, error: float, validation: float = 0.0) -> list[dict[str, str]]:
    """Every run of a study's first preset, each network with these errors."""
    found = []
    for part in all_restarts(study).runs:
        (preset,), settings = part.presets, " ".join(part.settings)
        if preset != study.presets[0]:
            continue
        config = override(PRESETS[preset], parse_settings(part.settings, type(PRESETS[preset])))
        errors = [error] * (part.restarts or config.default_restarts)
        for task in part.all_tasks:
            made = run(f"babi/{task}", errors, preset, seed=str(part.seed), settings=settings, config=config_hash(config))
            found += [row | {"validation_error": f"{validation:g}"} for row in made]
    return found


def test_with_too_few_questions_for_any_rule_a_cascade_reads_the_text_as_it_is():
    for preset in (*THOUSAND.presets, *UNORDERED.presets):
        assert as_written(preset, ALL) == ()
        for number in NUMBERS:
            assert number - number // 10 < QUESTIONS
            config = override(PRESETS[preset], parse_settings(as_written(preset, number), type(PRESETS[preset])))
            assert not any((config.canonical, config.consistent, config.synonyms, config.permute))
            assert config.phrases == PRESETS[preset].phrases
    assert (CELLS[CASCADE, ALL], CELLS[UNORDERED_CASCADE, ALL]) == (THOUSAND, UNORDERED)


def test_the_table_has_the_cells_whose_networks_are_all_there(tmp_path: Path):
    runs, name = tmp_path / "runs.csv", "MemN2N"
    with pytest.raises(NetworkError, match="no cell of few-questions with all its tasks"):
        few_questions(runs)
    append_rows(
        runs, rows_of(CELLS[name, FEWEST], 40) + rows_of(CELLS[CASCADE, FEWEST], 30) + rows_of(CELLS[name, 50], 20)[10:]
    )
    text = few_questions(runs)
    assert f"| network | {FEWEST} |\n| --- | ---: |\n| {name} | 40.0 (20) |" in text
    assert f"| {CASCADE} | 30.0 (20) |" in text
    assert f"| {name} | 40.0 (10 restarts) |" in text
    assert f"| {CASCADE} | 30.0 (1 seed) |" in text
    assert "Not all networks are trained yet with 25, 50, 100, 250, 500 questions" in text  # task 1 of 50 is lacking
    assert lines(runs) == {}  # a point is no line
    append_rows(runs, rows_of(CELLS[name, ALL], 5))
    assert lines(runs) == {name: [(FEWEST, 40.0), (ALL, 5.0)]}


def test_a_part_that_is_tried_in_turn_goes_on_after_networks_that_err(tmp_path: Path, published: Path):
    study, runs = all_restarts(STUDIES["few-questions"]), tmp_path / "runs.csv"
    assert study.takes_turns

    def planned() -> set[tuple[str, str]]:
        jobs, _ = jobs_of(study, runs, tmp_path, published, tasks=["qa1"])
        return {(job.spec.preset, str(job.spec.config.questions)) for job in jobs}

    second = THOUSAND.presets[1]
    firsts = {cascade.presets[0] for cascade in CASCADES.values()}
    assert {(preset, str(number)) for preset in {*NETWORKS.values(), *firsts} for number in NUMBERS} <= planned()
    assert planned().isdisjoint({(second, str(FEWEST)), (UNORDERED.presets[1], str(FEWEST))})
    there, lacking = in_turns([], study)
    assert there == 0
    seeds = sum(len(cascade.seeds) for cascade in CASCADES.values())
    assert lacking == 20 * (len(NETWORKS) + len(CASCADES)) * len(NUMBERS) + 20 * (len(NETWORKS) + seeds)
    failed = rows_of(CELLS[CASCADE, FEWEST], 30, validation=50)
    assert in_turns(failed, study) == (20, lacking)  # of each task the second candidate is next
    perfect = rows_of(CELLS[CASCADE, FEWEST], 30)
    assert in_turns(perfect, study) == (20, lacking - 20)


def test_cells_are_of_all_tasks():
    for (name, number), study in CELLS.items():
        assert study.tasks == list(TASKS["babi"])
        assert study.in_turn == (name in CASCADES)
        assert number == ALL or all(f"questions={number}" in part.settings for part in study.runs)
