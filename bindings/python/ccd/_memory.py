"""Memory that the library keeps between calls."""

from __future__ import annotations

from ._native import abi
from ._native.call import check


def trim() -> None:
    """Return to the system the memory that finished calls have left to later ones.

    A finished call leaves its working memory to the next one, which saves the time to get it: some tens of bytes for each
    vertex, edge and face. Without calls the library returns it by itself after some minutes. The environment variable
    ``CCD_KEEP_MEMORY`` bounds what a call leaves, in bytes: a call that used more leaves nothing. Objects keep what they hold.
    The call takes milliseconds, and the next ones take longer.

    Raises
    ------
    ForkedError
        This process is a fork of one that had loaded the library.

    Examples
    --------
    >>> import ccd
    >>> ccd.trim()
    """
    check(abi.library().ccd_trim())
