"""A larger network of facts that reads as the first did: training goes on from there (Net2Net, Chen et al. 2016)."""

from __future__ import annotations

from dataclasses import replace

import torch

from memnet.facts.network import FactNetwork


def grown(network: FactNetwork, layers: int, hidden: int) -> FactNetwork:
    """A network of so many layers and hidden features, with the same outputs. Draws from torch's generator.

    What the new ones add to what was there is zero at first. Raises ValueError for fewer than there are.
    """
    old = network.config
    if layers < old.layers or hidden < old.hidden:
        raise ValueError(f"a network of {old.layers} layers and {old.hidden} hidden features cannot shrink")
    large = FactNetwork(replace(old, layers=layers, hidden=hidden), network.vectors.numpy())
    shapes = dict(large.named_parameters())
    with torch.no_grad():
        for name, weight in shapes.items():
            if name.startswith(("layers.", "hops.")) and name.split(".")[2] in ("out", "again"):
                weight.zero_()
        for name, weight in network.named_parameters():
            shapes[name][tuple(map(slice, weight.shape))] = weight
    return large
