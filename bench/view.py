"""How `ccd view` bears a large scene: size and time of the page, memory, times of drawing and picking, in headless Chromium.

python bench/view.py [FACES] [FOLDER]

Chromium draws WebGL with SwiftShader here, on the processor's cores: a GPU is far faster. Prints one line of JSON.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path

import ccd
import numpy as np
from ccd.view._browser import Browser


def scene(faces: int) -> tuple[ccd.Mesh, np.ndarray, np.ndarray]:
    """Two waving sheets; the upper one comes down until its lowest bump passes through the lower one."""
    n = round((faces / 4) ** 0.5) + 1
    x, y = (grid.ravel() for grid in np.meshgrid(np.linspace(-1, 1, n), np.linspace(-1, 1, n)))
    corner = (np.arange(n - 1)[:, None] * n + np.arange(n - 1)).ravel()
    one = np.vstack([np.stack([corner, corner + 1, corner + n], 1), np.stack([corner + 1, corner + n + 1, corner + n], 1)])
    lower = np.column_stack([x, y, 0.05 * np.sin(9 * x) * np.cos(7 * y)])
    upper = np.column_stack([x, y, 0.4 + 0.04 * np.cos(11 * x + y) - 0.3 * np.exp(-60 * ((x - 0.1) ** 2 + (y + 0.2) ** 2))])
    x0 = np.vstack([lower, upper])
    x1 = np.vstack([lower, upper - [0, 0, 0.15]])
    return ccd.Mesh(faces=np.vstack([one, one + n * n]), vertices=2 * n * n), x0, x1


def resident(group: int) -> float:
    """Megabytes that the processes of a group hold, shared memory counted once for each."""
    total = 0
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if int((entry / "stat").read_text().rpartition(")")[2].split()[2]) == group:
                    total += int((entry / "statm").read_text().split()[1]) * resource.getpagesize()
            except (OSError, IndexError):
                pass  # it has ended
    return total / 1e6


# Draws, and waits until it is drawn: reading a pixel needs the whole picture.
DRAWN = """(async () => {
  const times = [], pixel = new Uint8Array(4);
  for (let i = 0; i < %d; i++) {
    const from = performance.now();
    %s; paint(devicePixelRatio); gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    times.push(performance.now() - from);
    await new Promise((done) => setTimeout(done));
  }
  return times.sort((a, b) => a - b)[times.length >> 1];
})()"""


def drag(browser: Browser, moves: int) -> list[float]:
    """Milliseconds between the pictures that a person sees while dragging."""
    browser.evaluate(
        "globalThis.shown = []; (function tick(now) { shown.push(now); if (shown.length < 2000) requestAnimationFrame(tick); })"
        "(performance.now())"
    )
    browser.call("Input.dispatchMouseEvent", type="mousePressed", x=800, y=350, button="left", buttons=1, clickCount=1)
    for i in range(moves):
        browser.call("Input.dispatchMouseEvent", type="mouseMoved", x=800 + 6 * i, y=350 + 2 * i, buttons=1)
    times = browser.evaluate("shown.splice(0)")
    browser.call("Input.dispatchMouseEvent", type="mouseReleased", x=800, y=350, button="left", buttons=0, clickCount=1)
    return sorted(b - a for a, b in pairwise(times))


def main() -> None:
    faces = int(sys.argv[1]) if len(sys.argv) > 1 else 3_000_000
    folder = Path(sys.argv[2] if len(sys.argv) > 2 else tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)
    told: dict[str, object] = {"cores": os.cpu_count(), "load": os.getloadavg()[0]}
    mesh, x0, x1 = scene(faces)
    begun = time.perf_counter()
    impacts = ccd.step.collisions(mesh, x0, x1)
    told |= {
        "faces": mesh.counts[2],
        "vertices": mesh.counts[0],
        "impacts": len(impacts),
        "step_s": time.perf_counter() - begun,
    }
    begun = time.perf_counter()
    view = ccd.view(mesh, x0, x1, impacts=impacts)
    view.save(folder / "large.html")
    told |= {"write_s": time.perf_counter() - begun, "page_MB": (folder / "large.html").stat().st_size / 1e6}
    told |= {"python_MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3}
    with Browser(1280, 800, timeout=600) as browser:
        begun = time.perf_counter()
        browser.open((folder / "large.html").as_uri())
        told["load_s"] = time.perf_counter() - begun
        browser.evaluate(DRAWN % (1, ""))
        told["first_picture_s"] = time.perf_counter() - begun
        told["renderer"] = browser.evaluate(
            "(e => gl.getParameter(e ? e.UNMASKED_RENDERER_WEBGL : gl.RENDERER))(gl.getExtension('WEBGL_debug_renderer_info'))"
        )
        told["turn_ms"] = browser.evaluate(DRAWN % (5, "camera.turn += 0.05"))
        told["time_ms"] = browser.evaluate(DRAWN % (5, "state.s = (state.s + 0.07) % 1"))
        told["coarse_lists_ms"] = browser.evaluate(
            "((from) => { moves(); return performance.now() - from; })(performance.now())"
        )
        told["coarse_faces"] = browser.evaluate("(coarse.lists || []).reduce((sum, one) => sum + one.count / 3, 0)")
        told["moving_ms"] = browser.evaluate(DRAWN % (15, "coarse.drawing = coarse.lists !== null; camera.turn += 0.05"))
        browser.evaluate("coarse.drawing = false")
        pick = "for (const [x, y] of [[400, 300], [450, 350], [500, 320]]) { const hit = under(x, y); found += hit !== null; }"
        told["pick_ms"], told["picked"] = browser.evaluate(
            f"((from) => {{ let found = 0; {pick} return [(performance.now() - from) / 3, found]; }})(performance.now())"
        )
        between = drag(browser, 30)
        told |= {"drag_median_ms": between[len(between) // 2], "drag_worst_ms": between[-1]}
        told["browser_MB"] = resident(browser._pid)
        told["heap_MB"] = browser.evaluate("performance.memory.usedJSHeapSize") / 1e6
    print(json.dumps({name: round(x, 3) if isinstance(x, float) else x for name, x in told.items()}))


if __name__ == "__main__":
    main()
