"""The example that wrings a ring of hexahedra: it runs, finds contacts, and draws them."""

import re
import subprocess
import sys

from conftest import CHECKOUT


def test_ring_is_wrung_and_drawn(tmp_path):
    example = CHECKOUT / "examples" / "volume" / "wring.py"
    run = subprocess.run([sys.executable, example, tmp_path], capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr
    counts = [int(n) for n in re.findall(r"(\d+) contacts", run.stdout)]
    assert len(counts) == 8 and counts[0] == 0 and counts[3] > 0 and counts[-1] > 1000
    for step, count in enumerate(counts):
        assert (tmp_path / f"wring-{step}.svg").read_text().count("<circle") == count
