"""What single sentences say of where people and things are, as facts with keys and values, and hops over them.

kinds.py      kinds of facts and questions, the roles that words play in them
network.py    a network that reads one sentence, on the attention core
examples.py   sentences of the world with their facts
log_examples.py, ways.py   lines of logs, and ways to say one thing, with theirs
training.py   the loss, batches, a training in minutes
reader.py     text in, facts out
gate.py       which sentences of a long text may say something of whereabouts at all
names.py      phrases as keys: which name the same
timeline.py   hops over facts: where somebody or something was, and who had it, in order
answers.py    questions answered from a timeline: the newest that fits, and what it supersedes
"""
