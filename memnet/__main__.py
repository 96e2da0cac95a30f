"""``python -m memnet`` is the command ``memnet``."""

from memnet.cli import main

main()
