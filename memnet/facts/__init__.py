"""What single sentences say of where people and things are, as facts with keys and values, and hops over them.

kinds.py      kinds of facts and questions, the roles that words play in them
network.py    a network that reads one sentence, on the attention core
examples.py   sentences of the world with their facts
training.py   the loss, batches, a training in minutes
reader.py     text in, facts out
timeline.py   questions answered by hops over facts: the newest that fits, then those of who had it
"""
