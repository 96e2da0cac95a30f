"""Errors that a person can act on: what was expected, where, and what to do."""

from __future__ import annotations


class ConfigError(ValueError):
    """A setting is unknown or its value impossible; the message says what is expected."""


class NetworkError(ValueError):
    """A network's folder is missing, foreign or broken; the message says which file and why."""


class TrainingError(RuntimeError):
    """Training cannot start, go on or give a network; the message says what to do."""


class BusyError(TrainingError):
    """Another process is training in the run's folder."""


class AskError(ValueError):
    """A question cannot be answered; the message says why, to the person who asked."""
