"""The `punto` command: thin, and it imports late."""

from punto.cli.entry import main

__all__ = ["main"]
