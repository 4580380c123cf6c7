"""examples/python/volume_frames.py: frames with every contact marked, the same by either search."""

import subprocess
import sys

from conftest import CHECKOUT

EXAMPLE = CHECKOUT / "examples" / "python" / "volume_frames.py"


def run(*arguments):
    done = subprocess.run([sys.executable, str(EXAMPLE), *arguments], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_frames(tmp_path):
    text = run(str(tmp_path / "a"), "3")
    assert text == run(str(tmp_path / "b"), "3", "volccd")
    counts = [int(line.split()[2]) for line in text.splitlines()]
    assert len(counts) == 3 and counts[-1] > 20
    for i, count in enumerate(counts, 1):
        frame = (tmp_path / "a" / f"frame{i}.svg").read_text()
        assert frame.count("<circle") == count and frame.count("<polygon") > 500
        assert frame == (tmp_path / "b" / f"frame{i}.svg").read_text()
