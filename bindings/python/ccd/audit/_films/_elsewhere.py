"""Films whose library runs in a process of its own: damaged files may end it, and it prints."""

from __future__ import annotations

import importlib
from typing import Any

from .._apart import Apart
from ._film import Film, Shape

_KEPT = ("times", "notes", "left_out", "rounded")


class Elsewhere(Film):
    """A film that a process of its own reads; polygons are divided here."""

    def __init__(self, path: str, made: str, before: Apart | None = None):
        super().__init__(path)
        self.process = Apart(path, f"{__name__}:Served", path, made, before=before)
        self._named: dict[int, list[str]] = {}
        self._take(self.process.call("known"))

    def _take(self, known: dict[str, Any]) -> None:
        for name in _KEPT:
            setattr(self, name, known[name])

    def names(self, k: int) -> list[str]:
        """The bodies that are there in a frame."""
        if k not in self._named:
            found, known = self.process.call("names", k)
            self._named = {k: found}
            self._take(known)
        return self._named[k]

    def shape(self, k: int, name: str) -> Shape:
        """A body in a frame."""
        found: Shape
        found, known = self.process.call("shape", k, name)
        self._take(known)
        return found

    def close(self) -> None:
        """End the process."""
        self.process.close()


class Served:
    """The film in that process."""

    def __init__(self, path: str, made: str):
        module, _, name = made.partition(":")
        self.film: Film = getattr(importlib.import_module(module), name)(path)

    def known(self) -> dict[str, Any]:
        """What is known of all frames."""
        return {name: getattr(self.film, name) for name in _KEPT}

    def names(self, k: int) -> tuple[list[str], dict[str, Any]]:
        """The bodies that are there in a frame."""
        return self.film.names(k), self.known()

    def shape(self, k: int, name: str) -> tuple[Shape, dict[str, Any]]:
        """A body in a frame."""
        return self.film.shape(k, name), self.known()
