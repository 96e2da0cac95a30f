"""Recurrent networks over whole sequences: against torch.nn.GRU, against single steps, by finite differences."""

import gc
import weakref
from collections.abc import Callable

import pytest
import torch
from torch import Tensor

from memnet.nn.modules import GRUCell, Linear, LSTMCell
from memnet.nn.random import Random
from memnet.nn.recurrence import LSTM, Scan, by_gate, last, lstm, scan
from tests.by_hand import recurrent

DRAW = torch.Generator().manual_seed(0)


def normal(*shape: int) -> torch.Tensor:
    return torch.randn(*shape, generator=DRAW, dtype=torch.float64)


@pytest.mark.parametrize("reverse", [False, True])
def test_a_gru_is_torchs(reverse: bool):
    cell = GRUCell(5, 4, Random(0, 2), std=0.5).double()
    x = normal(2, 7, 3, 5).requires_grad_()  # (R, T, N, D_in)
    states = scan(by_gate(x, cell), cell.hidden, reverse=reverse)
    for replica in range(2):
        torchs = recurrent(torch.nn.GRU, cell, replica, torch.float64)
        told = x[replica].flip(0) if reverse else x[replica]
        expected = torchs(told)[0]
        expected = expected.flip(0) if reverse else expected
        torch.testing.assert_close(states[replica], expected)
        weights = normal(7, 3, 4)
        ours = torch.autograd.grad(
            (states[replica] * weights).sum(), [x, cell.hidden.weight, cell.input.bias], retain_graph=True
        )
        wanted = torch.autograd.grad((expected * weights).sum(), [x, torchs.weight_hh_l0, torchs.bias_ih_l0])
        torch.testing.assert_close(ours[0], wanted[0])
        torch.testing.assert_close(ours[1][replica], wanted[1].T)
        torch.testing.assert_close(ours[2][replica], wanted[2])


@pytest.mark.parametrize("update", [True, False])
@pytest.mark.parametrize("reverse", [False, True])
def test_gated_steps_one_by_one_and_by_finite_differences(update: bool, reverse: bool):
    width = (3 if update else 2) * 4
    hidden = Linear(4, width, Random(0, 2), std=0.5).double()
    with torch.no_grad():
        hidden.bias.normal_(generator=DRAW)
    products = [normal(2, 5, 3, 4).requires_grad_() for _ in range(width // 4)]  # with the biases of all but the last
    gate = torch.rand(2, 5, 3, generator=DRAW, dtype=torch.float64)
    gate[:, 2] = 0.0
    gate.requires_grad_()
    h = torch.zeros(2, 3, 4, dtype=torch.float64)
    expected = [h] * 5
    for t in reversed(range(5)) if reverse else range(5):
        x, u = [part[:, t] for part in products], (h @ hidden.weight).chunk(width // 4, -1)
        n = (x[-1] + (x[0] + u[0]).sigmoid() * (u[-1] + hidden.bias[:, None, -4:])).tanh()
        whole = n + (x[1] + u[1]).sigmoid() * (h - n) if update else n
        h = h + gate[:, t].unsqueeze(-1) * (whole - h)
        expected[t] = h
    torch.testing.assert_close(scan(products, hidden, gate, reverse), torch.stack(expected, 1))
    everything = (gate, hidden.weight, hidden.bias[:, -4:], *products)
    assert torch.autograd.gradcheck(lambda *parts: Scan.apply(*parts[:3], reverse, True, *parts[3:]), everything)
    assert torch.autograd.gradcheck(lambda *parts: Scan.apply(*parts[:3], reverse, False, *parts[3:]), everything)
    if not reverse:
        assert torch.equal(last(products, hidden, gate), scan(products, hidden, gate)[:, -1])


def test_a_shut_gate_keeps_the_state():
    cell = GRUCell(2, 3, Random(0, 1), std=0.5)
    x = torch.randn(1, 4, 2, 2, generator=DRAW)
    gate = torch.tensor([[[1.0, 1.0], [0.0, 1.0], [0.0, 0.0], [0.0, 0.0]]])
    states = scan(by_gate(x, cell), cell.hidden, gate)
    assert torch.equal(states[:, 1:, 0], states[:, :1, 0].expand(-1, 3, -1))
    assert torch.equal(states[:, 3, 1], states[:, 1, 1])
    backwards = scan(by_gate(x, cell), cell.hidden, gate, reverse=True)
    assert torch.equal(backwards[:, 2:], torch.zeros(1, 2, 2, 3))  # it starts at the last step that counts


@pytest.mark.parametrize("number", [1, 3])
@pytest.mark.parametrize("dim", [8, 32, 80])
def test_a_replica_is_the_same_alone_and_among_others(dim: int, number: int):
    x, found = torch.randn(3, 4, number, dim), []
    for replicas in (1, 3):
        random = Random(0, replicas)
        gru, cell, told = GRUCell(dim, dim, random), LSTMCell(dim, dim, random), x[:replicas].clone().requires_grad_()
        states = scan(by_gate(told, gru), gru.hidden) + lstm(cell.input(told), cell.hidden, torch.ones(replicas, 4, number))[0]
        gradients = torch.autograd.grad(states.square().sum(), [told, *gru.parameters(), *cell.parameters()])
        found.append([states, *gradients])
    for alone, among in zip(*found, strict=True):
        assert torch.equal(alone[0], among[0])


def test_an_lstm_is_torchs():
    cell = LSTMCell(5, 4, Random(0, 2), std=0.5).double()
    x = normal(2, 7, 3, 5).requires_grad_()
    there = torch.ones(2, 7, 3, dtype=torch.float64)
    there[1, :4, 2] = 0.0  # a sequence of three
    states, last_cell = lstm(cell.input(x), cell.hidden, there)
    assert float(states[1, :4, 2].abs().sum()) == 0.0
    weights, of_cell = normal(7, 3, 4), normal(3, 4)
    for replica in range(2):
        torchs = recurrent(torch.nn.LSTM, cell, replica, torch.float64)
        expected, (_, its_cell) = torchs(x[replica])
        if replica == 1:
            short, (_, short_cell) = torchs(x[1, 4:, 2:])
            expected = torch.cat([expected[:, :2], torch.cat([torch.zeros(4, 1, 4), short])], 1)
            its_cell = torch.cat([its_cell[:, :2], short_cell], 1)
        torch.testing.assert_close(states[replica], expected)
        torch.testing.assert_close(last_cell[replica], its_cell[0])
        inputs = [x, cell.hidden.weight, cell.input.bias, cell.hidden.bias]
        ours = torch.autograd.grad(
            (states[replica] * weights).sum() + (last_cell[replica] * of_cell).sum(), inputs, retain_graph=True
        )
        parameters = [x, torchs.weight_hh_l0, torchs.bias_ih_l0]
        wanted = torch.autograd.grad((expected * weights).sum() + (its_cell[0] * of_cell).sum(), parameters)
        torch.testing.assert_close(ours[0], wanted[0])
        torch.testing.assert_close(ours[1][replica], wanted[1].T)
        torch.testing.assert_close(ours[2][replica], wanted[2])
        torch.testing.assert_close(ours[3][replica], wanted[2])


def scanned() -> Tensor:
    cell = GRUCell(3, 16, Random(0, 1))
    return scan(by_gate(torch.randn(1, 5, 2, 3), cell), cell.hidden)


def read_by_an_lstm() -> Tensor:
    cell = LSTMCell(3, 4, Random(0, 1))
    return lstm(cell.input(torch.randn(1, 5, 8, 3)), cell.hidden, torch.ones(1, 5, 8))[0]


@pytest.mark.parametrize(("read", "part"), [(scanned, 1), (read_by_an_lstm, 2)])
def test_states_are_freed_with_the_last_that_knows_them(read: Callable[[], Tensor], part: int):
    gc.disable()  # a cycle would wait for it
    try:
        states = read()
        node = states.grad_fn.next_functions[0][0]
        kept = weakref.ref(node.kept[2][part])
        states.sum().backward()
        del states, node
        assert kept() is None
    finally:
        gc.enable()


def test_an_lstms_steps_are_its_cells_and_by_finite_differences():
    cell = LSTMCell(3, 4, Random(0, 2), std=0.5).double()
    x, there = normal(2, 5, 3, 3), torch.ones(2, 5, 3, dtype=torch.float64)
    states, last_cell = lstm(cell.input(x), cell.hidden, there)
    h = c = torch.zeros(2, 3, 4, dtype=torch.float64)
    for t in range(5):
        h, c = cell(x[:, t], (h, c))
        torch.testing.assert_close(states[:, t], h)
    torch.testing.assert_close(last_cell, c)
    there[0, :2, 1] = 0.0
    products = normal(2, 5, 3, 16).requires_grad_()
    assert torch.autograd.gradcheck(
        lambda *parts: LSTM.apply(parts[0], there, *parts[1:]), (products, cell.hidden.weight, cell.hidden.bias)
    )
