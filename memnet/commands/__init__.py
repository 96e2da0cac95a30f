"""The groups of commands: ``memnet data``, ``memnet bench``, ``memnet plot``; and ``memnet serve``."""
