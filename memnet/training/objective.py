"""An objective whose network has interchangeable words permuted."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from memnet.models import Network


class Objective(nn.Module):
    """A network's :meth:`~memnet.models.Network.objective` as a module's forward pass."""

    def __init__(self, net: Network) -> None:
        super().__init__()
        self.net = net

    def forward(self, *given: Any) -> Any:
        """As of the network."""
        return self.net.objective(*given)


def permuted(net: Network, rows: Tensor) -> dict[str, Tensor]:
    """The parameters of :class:`Objective` that have a row for every word, where an entry has the row of ``rows (R, V)``."""
    changed = {}
    for name, dimension in net.word_rows.items():
        parameter = net.get_parameter(name)
        rest = torch.arange(rows.shape[1], parameter.shape[dimension]).expand(len(rows), -1)  # the ages of a MemN2N
        index = torch.cat([rows, rest], 1).to(parameter.device)
        index = index.view(len(rows), *[1] * (dimension - 1), -1, *[1] * (parameter.dim() - dimension - 1))
        changed[f"net.{name}"] = parameter.take_along_dim(index, dimension)
    return changed
