"""The exit codes of the command `ccd`."""

from __future__ import annotations

FOUND_NOTHING, FOUND, BAD_INPUT, CANCELLED, DEFECT = range(5)
UNREAD = 141  # what a shell reports of a program that SIGPIPE ended: never 0, because no program read the report
