"""A reader of ordinary English: words with vectors, answers as spans of the story; trained on :mod:`memnet.tasks.world`.

words.py       the words that have vectors, their lemmas and weights
tokens.py      a story and its questions as numbers, with how they overlap
network.py     the network, on the attention core
examples.py    stories of the world as examples and batches
training.py    the loss, a step, checkpoints
"""
