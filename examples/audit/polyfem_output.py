"""PolyFEM: its VTU files hold rest positions and the field `solution`, which must be named to be added.

python examples/audit/polyfem_output.py 'out/step_*_surf_contact.vtu'
"""

from __future__ import annotations

import sys

import ccd


def main(arguments: list[str]) -> list[str]:
    """Audit the files of a pattern; returns the verdicts. Without `displacement` it is an error: nothing would move."""
    report = ccd.audit.files(arguments, displacement="solution")
    for step, after in zip(report.steps, report.frames[1:]):
        print(f"{after.name}: {step.verdict}" + ("" if step.time is None else f", first contact at t = {step.time:.6g}"))
    for note in report.notes:
        print("note:", note)
    return [str(step.verdict) for step in report.steps]


if __name__ == "__main__":
    main(sys.argv[1:] or sys.exit(__doc__))
