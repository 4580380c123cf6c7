"""The command `ccd`: one module for every command, and what they share."""

from .app import main

__all__ = ["main"]
