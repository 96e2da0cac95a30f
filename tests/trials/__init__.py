"""Hard trials: mutated inputs and crashes, seeded, many cases each. ``python -m pytest -m slow tests/trials -s`` runs them.

``MEMNET_TRIAL_CASES`` says how many cases (200), ``MEMNET_TRIALS`` names a folder that remembers which are done, so that a
trial that was stopped goes on.
"""
