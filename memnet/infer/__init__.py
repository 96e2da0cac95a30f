"""Trained networks in numpy alone: what answers where nothing is trained, without torch.

| file | what it holds |
| --- | --- |
| `attention` | the core: score, align, read; heads, hops |
| `layers`, `sentences`, `answers` | products and norms, recurrent cells; sentences as sums of words; answers word by word |
| `network` | stories as numbers, what a network makes of them, and what every network is |
| `causal`, `memn2n`, `memnn`, `dmn` | a network a file, with the formulas of its file in :mod:`memnet.models` |
| `finder`, `retriever` | what searches a memory, what keeps the statements of a text |
| `saved` | a network's folder, opened: or None where its settings are for torch |

The readers of English, of facts and of relations stand beside those that are trained (``in_numpy.py`` in :mod:`memnet.reading`,
:mod:`memnet.facts` and :mod:`memnet.memory.relations`).

There is one network here (R = 1), no gradient and nothing drawn. Words, names, refusals and calibration are those of
:mod:`memnet.encode` and :mod:`memnet.ask`, for both. ``tests/test_infer.py`` holds every packaged network against torch.
"""
