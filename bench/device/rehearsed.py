"""Checks the results of a rehearsal: python rehearsed.py OUT [--no-device]. What a stand-in can do must have run."""

from __future__ import annotations

import json
import sys
from pathlib import Path

RAN = {
    "pocl": {"bits", "same", "meshes", "times", "threads", "worlds"},
    "stand-in": {"bits", "same", "meshes", "times", "kernels", "threads", "worlds", "sanitizer"},
}


def main() -> None:
    wrong = []
    for name, expected in RAN.items():
        expected = expected & {"bits", "threads", "worlds"} if "--no-device" in sys.argv else expected
        path = Path(sys.argv[1]) / name / "results.json"
        parts = json.loads(path.read_text())["parts"] if path.is_file() else {}
        for part in expected:
            state = parts.get(part, {}).get("state", "absent")
            if state != "passed":
                wrong.append(f"{name}: {part}: {state}")
        print(f"{name}: " + ", ".join(f"{part} {found['seconds']:.0f} s, {found['state']}" for part, found in parts.items()))
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
