"""One world in ordinary English: stories of what people do, where things are and what is so, with questions and answers.

Selime picked up the lamp. She hurried to the bank with Tom. On Monday the old bike was sold to Ann for sixty euros.
Where is the lamp?           bank             (span 1:3-4; statements 0, 1)
Who bought the bike?         Ann              (span 2)
Why did Tom go to the bank?  not told         Nothing says why

>>> from random import Random
>>> from memnet.tasks.world import Dials, draw
>>> story = draw(Random(1), Dials(statements=(6, 6)))
>>> len(story.statements)
6
"""

from ..text.tokens import join, split
from .dials import MIXES, Dials
from .padding import balanced, padded, small_talk
from .story import draw, stories
from .texts import Answer, Question, Statement, Story

__all__ = [
    "MIXES",
    "Answer",
    "Dials",
    "Question",
    "Statement",
    "Story",
    "balanced",
    "draw",
    "join",
    "padded",
    "small_talk",
    "split",
    "stories",
]
