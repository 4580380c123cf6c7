"""The charts of the reports: drawn from their tables by `ccd plot`, so that both say the same."""

from __future__ import annotations

from pathlib import Path

from ccd import plot


def draw(reports: list[Path]) -> list[Path]:
    """Write the pictures of reports beside them."""
    written = []
    for report in reports:
        for name, picture in plot.report(report):
            written.append(report.with_name(f"{name}.svg"))
            written[-1].write_text(picture)
    return written
