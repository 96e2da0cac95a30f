"""Every model on equal terms: the same recipe, lines that can be trained, and what the tables say of rows."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from memnet.config import Training
from memnet.errors import NetworkError
from memnet.models import MODELS as KINDS
from memnet.models import model_of
from memnet.papers.declare import Runs
from memnet.papers.equal import (
    ALIGNED,
    ALL_TASKS,
    BESIDE,
    CELLS,
    CHOSEN,
    MANY,
    MODELS,
    NAMES,
    OWN,
    RATES,
    RECIPE,
    REGULARISED,
    SEARCHED,
    TABLES,
    TIMES,
    WAYS,
    WIDTHS,
    way_of,
)
from memnet.record.measurements import AnswerCost, write_csv
from memnet.record.runs import COLUMNS, append_rows, read_rows
from memnet.reports.equal import (
    best,
    differences,
    figures,
    gains,
    networks,
    on_equal_terms,
    own_recipes,
    reference,
    search,
    searched,
)
from memnet.reports.pairs import Pairs, in_pairs, p_value, sign_p_value
from memnet.reports.pivot import Networks
from memnet.reports.select import configs_of
from memnet.training.spec import config_hash

ROOT = Path(__file__).resolve().parent.parent
RUNS = ROOT / "results" / "runs.csv"


def configured(part: Runs) -> Training:
    [config] = configs_of(part).values()
    return config


def together(rows: list[dict[str, str]]) -> Networks:
    """Rows as the whole networks of a column, whatever their number of restarts."""
    number = str(sum(row["data"] == rows[0]["data"] for row in rows))
    return Networks([row | {"restarts": number} for row in rows])


def test_every_model_that_attends_takes_part():
    later = {
        "writable",
        "walk",
        "mentions",
    }  # made after the search, of named memories and relations
    assert {model_of(config) for config in MODELS.values()} == KINDS.keys() - {"baseline"} - later


@pytest.mark.parametrize("table", TABLES)
def test_every_line_can_be_trained_by_the_same_recipe(table: str):
    for label, part in TABLES[table][1].items():
        config = configured(part)
        assert label[0] == part.presets[0]
        assert {name: getattr(config, name) for name in RECIPE} == RECIPE, label
        assert part.settings[:2] == CHOSEN[label[0]] or table == "equal-search", label


def test_every_model_has_the_same_search():
    assert list(MODELS) == list(REGULARISED)
    for model, strengths in REGULARISED.items():
        assert [label[1:] for label in SEARCHED if label[0] == model] == [(rate, one) for rate in RATES for one in strengths]


def test_one_thing_is_changed():
    for lines in (TIMES, WIDTHS, ALIGNED):
        usual = {label[0]: configured(part) for label, part in lines.items() if label[1] in ("as it is", "softmax")}
        for (model, _), part in lines.items():
            before, after = vars(usual[model]), vars(configured(part))
            changed = {name for name in after if after[name] != before[name]}
            assert changed <= {"epochs"} or changed <= {"dim", "hidden"} or changed <= {"align", "samples"}
    assert configured(TIMES["equal-lstm", "three times"]).epochs == 3 * MODELS["equal-lstm"].epochs
    assert configured(WIDTHS["equal-universal", "half"]).hidden == 64


def rows_of(part: Runs, errors: Iterable[tuple[float, float, float]]) -> list[dict[str, str]]:
    """A row for each restart and task: training, validation and test error; the first restart is the chosen one."""
    (model,) = part.presets
    found = []
    for data in part.data:
        for replica, kinds in enumerate(errors):
            row = dict.fromkeys(COLUMNS, "") | {"preset": model, "config": config_hash(configured(part)), "data": data}
            row |= {"selection": "validation", "seed": "0", "restarts": str(part.restarts)}
            row |= {"chosen": str(int(replica == 0)), "seconds": "20", "fact_precision": "0.5", "fact_recall": "0.25"}
            repeated = (" ".join([f"{error:g}"] * len(data.split())) for error in kinds)
            found.append(row | dict(zip(("train_error", "validation_error", "test_error"), repeated, strict=True)))
    return found


def test_a_cell_of_one_network_a_task():
    part = CELLS["equal-lstm", "answers, permuted"]
    found = networks(rows_of(part, [(1, 2, 6), (1, 2, 8), (1, 2, 8), (1, 2, 8), (1, 2, 10)]), part, "equal")
    assert figures(found) == ["1.0", "6.0 (20)", "8.0 ± 1.4", "50 %, 25 %", "20"]
    twice = rows_of(part, [(1, 2, 6)] * 6)
    with pytest.raises(NetworkError, match=r"120 networks of equal-lstm .* instead of 100; they learned from different texts"):
        networks(twice, part, "equal")
    with pytest.raises(NetworkError, match=r"20 networks of equal-lstm .* are there instead of 100; 'memnet reproduce equal'"):
        networks(rows_of(part, [(1, 2, 4)]), part, "equal")


def test_a_cell_of_one_network_for_all_tasks():
    part = ALL_TASKS["equal-lstm",]
    found = networks(rows_of(part, [(1, 2, 6), (1, 2, 8)]), part, "equal-joint")
    assert figures(found) == ["1.0", "6.0 (20)", "7.0 ± 1.4", "50 %, 25 %", "20"]
    assert found.chosen == {f"qa{task}": 6.0 for task in range(1, 21)}


def test_ten_thousand_questions_have_three_tenths_of_the_epochs_and_one_task_less():
    for (model,), part in MANY.items():
        assert configured(part).epochs == round(0.3 * MODELS[model].epochs)
        assert (part.family, len(part.all_tasks), part.restarts) == ("babi-10k", 19, 2)


@pytest.mark.parametrize("table", [name for name in TABLES if name != "equal-search"])
def test_a_table_has_a_line_for_each_of_its_lines(table: str, tmp_path: Path):
    _, lines = TABLES[table]
    for part in dict.fromkeys(lines.values()):
        append_rows(tmp_path / "runs.csv", rows_of(part, [(1, 2, place) for place in range(part.restarts or 1)]))
    costs = {(part.presets[0], configured(part).dim) for part in WIDTHS.values()}
    (tmp_path / "models.csv").write_text(write_csv([AnswerCost(*network, 1234, 1.5, 5e4) for network in costs]))
    report = on_equal_terms(tmp_path / "runs.csv", table, tmp_path / "models.csv" if table == "equal-width" else None)
    printed = report.split(" ---: |\n")[1].split("\n\n")[0].splitlines()
    assert len(printed) == len(lines)
    for (model, *label), line in zip(lines, printed, strict=True):
        assert line.startswith(" | ".join([f"| {NAMES[model]}", *label, "1.0"]))
        assert line.endswith("| 1,234 | 1.50 | 0.05 |") == (table == "equal-width")
    (tmp_path / "models.csv").write_text(write_csv([AnswerCost("bow", 20, 1234, 1.5, 5e4)]))
    with pytest.raises(NetworkError, match=r"models.csv has no costs of equal-memn2n of width"):
        on_equal_terms(tmp_path / "runs.csv", table, tmp_path / "models.csv")


def test_the_difference_of_two_models_has_an_interval_over_tasks(tmp_path: Path):
    one, other = (
        [row | {"test_error": str(error)} for row, error in zip(rows_of(part, [(0, 0, 0)]), errors, strict=True)]
        for part, errors in (
            (CELLS["equal-lstm", "answers, permuted"], [7, 9] * 10),
            (CELLS["equal-memn2n", "answers, permuted"], [5, 5] * 10),
        )
    )
    lines = in_pairs(
        lambda pairs: differences({"LSTM": together(one), "MemN2N": together(list(reversed(other)))}, pairs.difference)
    ).splitlines()[2:]
    assert lines == [
        "| LSTM | **+3.0 ± 0.5** (**+3.0 ± 0.5**) |"
    ]  # 2.093 standard errors of 20 numbers that are 1 from their mean
    near = [row | {"test_error": str(float(row["test_error"]) + (-1) ** place)} for place, row in enumerate(other)]
    again = [row | {"chosen": "0", "test_error": str(float(row["test_error"]) + 2)} for row in near]
    chosen, every = together(near), together([*near, *again])  # a second restart, worse by 2: the mean is worse by 1
    (line,) = in_pairs(lambda pairs: differences({"a": together(other), "b": every}, pairs.difference)).splitlines()[2:]
    assert line == "| a | +0.0 ± 0.5 (**-1.0 ± 0.5**) |"
    three = in_pairs(lambda pairs: differences({"a": together(other), "b": chosen, "c": every}, pairs.difference)).splitlines()
    assert three[0] == "| row less column | b | c |"
    assert three[3].startswith("| b |  | +0.0 ± 0.0 (")
    assert len(three) == 4


def test_what_each_way_changes_is_of_the_models_that_learn_in_every_way():
    part = CELLS["equal-lstm", "answers"]
    ways = {("equal-lstm", way): together(rows_of(part, [(0, 0, 8 - place)])) for place, way in enumerate(WAYS)}
    memnn = {("equal-memnn", "facts"): ways["equal-lstm", "facts"]}
    (line,) = in_pairs(lambda pairs: gains(memnn | ways, pairs)).splitlines()[2:]
    changed = [f"**-{place}.0 ± 0.0** (**-{place}.0 ± 0.0**)" for place in (1, 2, 3)]
    assert line == f"| LSTM with attention | {' | '.join(changed)} |"


def test_a_network_by_its_own_recipe_is_held_against_itself_and_others_on_equal_terms(tmp_path: Path):
    for place, part in enumerate(OWN.values()):  # 3 % more of each by its own recipe than of the one before it
        append_rows(tmp_path / "runs.csv", rows_of(part, [(1, 2, 3 * place)] * (part.restarts or 0)))
    for part in BESIDE.values():
        append_rows(tmp_path / "runs.csv", rows_of(part, [(1, 2, 10)] * (part.restarts or 0)))
    table, *pairs = [
        part.splitlines()[2:] for part in own_recipes(tmp_path / "runs.csv").split("\n\n") if part.startswith("| ")
    ]
    assert len(table) == len(OWN)
    assert table[1] == (
        "| MemN2N | answers, permuted | `pe-ls-rn-permute` | 10 | 3.0 ± 0.0 | 20.0 | 10.0 ± 0.0 | 20.0 | **-7.0 ± 0.0** |"
    )
    across, among, *_ = pairs
    assert across[1] == "| DMN+ |" + " **+2.0 ± 0.0** |" * 7  # 12 % less 10 % of each
    assert among[0] == "| MemN2N | **-12.0 ± 0.0** | **-24.0 ± 0.0** | **-30.0 ± 0.0** | **-36.0 ± 0.0** |"
    assert [line.split(" | ")[0] for line in among] == ["| MemN2N", "| DMN+", "| LSTM with attention", "| Transformer"]


def test_one_restart_has_no_spread():
    part = OWN["equal-transformer", "answers"]
    assert networks(rows_of(part, [(1, 2, 6)]), part, "equal-own").all_restarts == "6.0"


def test_a_line_is_held_against_the_usual_one_or_the_network_beside_it():
    assert reference("equal-time", ("equal-lstm", "a third")) == ("equal-universal", "a third")
    assert reference("equal-width", ("equal-lstm", "half")) == ("equal-lstm", "as it is")
    assert reference("equal-align", ("equal-lstm", "argmax")) == ("equal-lstm", "softmax")


def test_the_memnn_has_words_as_they_are_and_learns_by_trial_without_facts():
    memnn = {way: configured(part) for (model, way), part in CELLS.items() if model == "equal-memnn"}
    assert list(memnn) == ["answers", "facts"]
    assert (memnn["answers"].supervision, memnn["answers"].align) == ("answers", "hard")
    assert [way_of("equal-memnn", way) for way in WAYS] == ["answers", "answers", "facts", "facts"]
    assert [way_of("equal-lstm", way) for way in WAYS] == list(WAYS)


def test_the_search_chooses_by_validation_and_of_equal_ones_the_first(tmp_path: Path):
    part = next(iter(SEARCHED.values()))
    errors = {("a", "x"): 3, ("a", "y"): 2, ("b", "x"): 2}
    assert best({pair: together(rows_of(part, [(0, error, 0)])) for pair, error in errors.items()}) == ("a", "y")
    for (_, rate, strength), part in SEARCHED.items():
        validation = 5 if (rate, strength[-1]) == (RATES[2], "1") else 7
        append_rows(tmp_path / "runs.csv", rows_of(part, [(0, validation, 100 - validation)]))
    text = search(tmp_path / "runs.csv")
    assert (
        "| LSTM with attention | `lr=0.006` | **5.0** | 7.0 | 120 |" in text
    )  # two networks of each of three tasks, 20 s each
    assert "| LSTM with attention | `lr=0.002` | 7.0 | 7.0 | 120 |" in text


def test_what_is_declared_as_chosen_is_what_the_search_on_record_chose():
    rows = read_rows(RUNS)
    assert {model: best(searched(rows, model)) for model in MODELS} == CHOSEN


def test_a_difference_is_sure_after_correction_for_all_of_a_page():
    """One with p 0.04 is sure alone and not beside another; equal comparisons count once."""
    zero = dict.fromkeys("abcdefgh", 0.0)
    near = dict(zip(zero, (1.0, 2.0, 0.5, -0.6, 1.5, 0.8, -0.4, 1.9), strict=True))
    noise = dict(zip(zero, (1.0, -1.0, 2.0, -2.0, 0.5, -0.5, 1.0, 0.0), strict=True))
    assert 0.025 < p_value([*near.values()]) < 0.05
    assert in_pairs(lambda pairs: pairs.interval(near, zero)).startswith("**+0.8")
    assert in_pairs(lambda pairs: pairs.interval(near, zero) + pairs.interval(near, zero)).startswith("**+0.8")
    assert "**" not in in_pairs(lambda pairs: pairs.interval(near, zero) + pairs.interval(noise, zero))
    assert Pairs().interval(near, zero).startswith("+0.8")  # which are sure is not known before all are made


def test_p_values_by_hand():
    assert p_value([1.0, 1.0, 1.0]) == 0
    assert p_value([0.0, 0.0]) == 1
    assert p_value([1.0, 2.0, 3.0]) == pytest.approx(0.0742, abs=1e-4)  # t = 2 / (1 / sqrt(3)) = 3.46, two degrees of freedom
    assert sign_p_value([-1.0, -2.0, -3.0, 4.0, 0.0]) == pytest.approx(2 * 5 / 16)  # three of four, or more
    assert sign_p_value([0.0, 0.0]) == 1
