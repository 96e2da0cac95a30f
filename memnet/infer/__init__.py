"""Trained networks in numpy alone: what answers where nothing is trained, without torch.

| file | what it holds |
| --- | --- |
| `attention` | the core: score, align, read; heads, hops |
| `layers`, `sentences`, `answers` | products and norms, recurrent cells; sentences as sums of words; answers word by word |
| `network` | stories as numbers, what a network makes of them, and what every network is |
| `causal`, `memn2n`, `memnn`, `dmn` | a network a file, with the formulas of its file in :mod:`memnet.models` |
| `reader`, `facts`, `finder`, `sentence_gate` | the reader of English, of facts, what searches, what keeps statements |
| `saved` | a network's folder, opened: or None where its settings are for torch |

There is one network here (R = 1), no gradient and nothing drawn. Words, names, refusals and calibration are those of
:mod:`memnet.encode` and :mod:`memnet.ask`, for both. ``tests/test_infer.py`` holds every packaged network against torch.
"""
