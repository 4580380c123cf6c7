#!/bin/sh
# Ruckig 0.19.4 (PyPI ruckig), Python 3.11, Linux x86-64.
#
# A robot's edge is a straight segment between two configurations; Synchronization.Phase is for trajectories along it.
# Expected: at rest at both ends it stays on the segment, also when it is only asked to take longer (minimum_duration),
#           and when the start velocity points along the segment up to the rounding of a measured state (1e-6).
# Seen:     at rest: 5e-16 off the segment. With minimum_duration = 10: 1.0e-3 off. With a start velocity 1e-6 (relative)
#           off the direction of the segment: 3.2e-2 off, of a length of 2.3; result Working in all three, and no field says
#           that the phases are no longer synchronized. TimeIfNecessary, at rest: 0.24 off.
# Why it matters: a proof for the segment says nothing about what the robot does. Whoever times an edge with Ruckig must
# measure how far the trajectory leaves it, or certify the trajectory, whose pieces are cubics.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/python" -m pip install --quiet --disable-pip-version-check ruckig==0.19.4 numpy==2.4.6
cat >"$work/run.py" <<'PY'
import sys

import numpy as np
from ruckig import InputParameter, Result, Ruckig, Synchronization, Trajectory

GOAL = np.array([1, 0.5, -2])


def off(synchronization, velocity=(0, 0, 0), minimum_duration=None):
    """How far the trajectory from 0 to GOAL leaves the segment."""
    motion = InputParameter(3)
    motion.current_position, motion.current_velocity, motion.current_acceleration = [0] * 3, list(velocity), [0] * 3
    motion.target_position, motion.target_velocity, motion.target_acceleration = list(GOAL), [0] * 3, [0] * 3
    motion.max_velocity, motion.max_acceleration, motion.max_jerk = [1, 2, 1.5], [2, 5, 3], [10, 8, 20]
    motion.synchronization, motion.minimum_duration = synchronization, minimum_duration
    trajectory = Trajectory(3)
    assert Ruckig(3).calculate(motion, trajectory) == Result.Working
    along = GOAL / np.linalg.norm(GOAL)
    at = np.array([trajectory.at_time(t)[0] for t in np.linspace(0, trajectory.duration, 2001)])
    return np.linalg.norm(at - np.outer(at @ along, along), axis=1).max()


phase = Synchronization.Phase
nearly = 0.1 * GOAL * [1 + 1e-6, 1, 1]
seen = {
    "Phase, at rest": (off(phase), 0, 1e-12),
    "Phase, start velocity along the segment": (off(phase, 0.1 * GOAL), 0, 1e-12),
    "Phase, start velocity 1e-6 off the segment": (off(phase, nearly), 0.02, 0.05),
    "Phase, minimum_duration = 10": (off(phase, minimum_duration=10), 5e-4, 2e-3),
    "TimeIfNecessary, at rest": (off(Synchronization.TimeIfNecessary), 0.1, 0.4),
}
for what, (value, _, _) in seen.items():
    print(f"{what}: {value:.1e} off the segment")
sys.exit(0 if all(low <= value <= high for value, low, high in seen.values()) else "the behavior has changed")
PY
"$work/venv/bin/python" "$work/run.py"
