"""The floor of a training step, and the command that prints it."""

import csv
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from memnet.api import preset_named
from memnet.measure.floor import Counted, Floor, Rates, weight_bytes
from memnet.measure.speed import training
from memnet.tasks.families import find
from tests.conftest import ran


def test_products_are_counted_forward_and_backward():
    x, weight = torch.randn(2, 5, 3), torch.randn(2, 3, 4, requires_grad=True)
    with Counted() as counted:
        loss = (x @ weight).relu().sum()
    assert counted.operations == 2 * 2 * 5 * 3 * 4, "two products of 5 x 3 and 3 x 4, a multiplication and a sum each"
    with Counted() as counted:
        torch.autograd.grad(loss, weight)
    assert counted.operations == 240, "of the weight alone, as x needs no gradient: x^T (3 x 5) times 5 x 4, twice"
    with Counted() as counted:
        torch.randn(9, 9).softmax(1).sum()
    assert counted.operations == 0


def test_the_floor_is_the_longer_of_two_times():
    rates = Rates(operations=2e9, bytes=1e9)
    assert rates.seconds(Floor(operations=4e6, bytes=weight_bytes(1000, adam=False))) == pytest.approx(0.002)
    assert rates.seconds(Floor(operations=4e6, bytes=weight_bytes(1_000_000, adam=True))) == pytest.approx(0.032)


def test_rates_are_operations_and_bytes_over_the_time_of_a_clock():
    seconds = iter(range(1000))
    rates = Rates.measured(lambda: float(next(seconds)))
    assert (rates.operations, rates.bytes) == (2 * 1024**3, 2 * 32 * 2**20), "a second each, by this clock"


def test_the_floor_of_networks_grows_with_their_number():
    config = replace(preset_named("pe-ls-joint-1hop"), dim=4, batch=1, epochs=2, linear_start=0, noise=0.0, fused=False)
    rates = Rates(operations=1e6, bytes=1e12)
    tasks = find(["sim/qa1"])
    one, two = (training("", config, tasks, restarts, 0.0, rates) for restarts in (1, 2))
    assert two.operations == pytest.approx(2 * one.operations), "replicas are products of their own"
    assert two.bytes == 2 * one.bytes
    assert one.floor == pytest.approx(1000 * one.operations / 1e6)
    assert one.times_floor == pytest.approx(one.milliseconds / one.floor)


@pytest.mark.parametrize("settings", [(), ("--set", "fused=false")])
def test_the_bench_prints_how_far_a_step_is_from_its_floor(settings: tuple[str, ...], tmp_path: Path):
    path = tmp_path / "speed.csv"
    done = ran("bench", "train", "sim/qa1", "--seconds", 0.1, "--restarts", 2, *settings, "--write", path)
    head, line, *caption = done.stdout.split("preset ", 1)[1].splitlines()
    assert "ms/step floor, ms x floor" in " ".join(head.split())
    *_, step, floor, times, _, batch, _, restarts = line.split()
    with path.open(encoding="utf-8") as file:
        (saved,) = csv.DictReader(file)
    assert (batch, restarts) == ("32", "2")
    assert float(times) == pytest.approx(float(saved["milliseconds"]) / float(saved["floor"]), abs=0.06)
    assert (float(step), float(floor)) == pytest.approx((float(saved["milliseconds"]), float(saved["floor"])), abs=0.006)
    operations = float(saved["operations"])
    rate = float(" ".join(caption).split(" GFLOP/s")[0].split()[-1])
    assert float(saved["floor"]) == pytest.approx(1000 * operations / (rate * 1e9), rel=0.01), "its products take longest"
    assert "leaves out" in " ".join(caption)
