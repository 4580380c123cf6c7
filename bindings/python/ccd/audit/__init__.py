"""Audits of recorded simulations: what crosses in each frame, and what every step between two frames let pass.

Both frames of a step may be clean while a thread passed through a cloth between them. Here every step is computed exactly,
with vertices on straight lines, and each is separate by proof, or has events that say what happened.

`frames` takes arrays, `files` the files of a sequence, and a `Recorder` the positions of a simulation while it runs.
The command `ccd audit` does the same, and writes a page for a browser.

>>> import numpy as np, ccd
>>> mesh = ccd.Mesh(faces=[[0, 1, 2], [3, 4, 5]])
>>> x = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [1, 0.2, 1], [0.2, 1, 1]])
>>> report = ccd.audit.frames(mesh, [x, x - np.outer([0, 0, 0, 2, 2, 2], [0, 0, 1])])
>>> str(report.verdict), report.steps[0].time
('passed through', 0.5)
"""

from __future__ import annotations

from ._audit import frames
from ._files import files
from ._recorder import AuditError, Recorder
from ._results import Event, Frame, Report, StepResult, Verdict

__all__ = ["AuditError", "Event", "Frame", "Recorder", "Report", "StepResult", "Verdict", "files", "frames"]
