"""What networks are made of, in numpy and as the papers write it, and their weights in PyTorch's own modules."""

from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from memnet.nn.modules import GRUCell, LSTMCell


def array(x: Tensor, replica: int = 0) -> np.ndarray:
    return x.detach().numpy()[replica].astype(np.float64)


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def softmax(x: np.ndarray) -> np.ndarray:
    powers = np.exp(x - x.max())
    return powers / powers.sum()


def linear(layer: Any, x: np.ndarray, replica: int = 0) -> np.ndarray:
    return x @ array(layer.weight, replica) + (0 if layer.bias is None else array(layer.bias, replica))


def gru(cell: GRUCell, x: np.ndarray, h: np.ndarray, replica: int = 0) -> np.ndarray:
    d = len(h)
    a, u = linear(cell.input, x, replica), linear(cell.hidden, h, replica)
    r, z = sigmoid(a[:d] + u[:d]), sigmoid(a[d : 2 * d] + u[d : 2 * d])
    return (1 - z) * np.tanh(a[2 * d :] + r * u[2 * d :]) + z * h


def recurrent(kind: type[nn.Module], cell: GRUCell | LSTMCell, replica: int, dtype: torch.dtype = torch.float32) -> nn.Module:
    """PyTorch's layer or cell of a kind with the weights of a replica of ours."""
    made = kind(cell.input.weight.shape[1], cell.hidden.weight.shape[1]).to(dtype)
    last = "" if kind.__name__.endswith("Cell") else "_l0"
    with torch.no_grad():
        for name, part in (("ih", cell.input), ("hh", cell.hidden)):
            getattr(made, f"weight_{name}{last}").copy_(part.weight[replica].T)
            getattr(made, f"bias_{name}{last}").copy_(part.bias[replica])
    return made
