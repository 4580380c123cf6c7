"""Writes bench/reports/gpu.md and threads.md from the results of check.py: python report.py RESULTS [--out FOLDER].

RESULTS is results.json, or its folder. Results of a stand-in are refused, as are those of a part that failed: nothing
is claimed of what did not run. threads.md is written where there were at least 4 cores.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

REPORTS = Path(__file__).resolve().parents[1] / "reports"
STAND_INS = ("stand-in", "pthread", "cpu")  # names of devices that are none
LEAST_CORES = 4
WRITTEN = "Written by `make device-report` from the results of `make device-check`."


def table(columns: list[str], rows: list[list[str]]) -> str:
    """A table of Markdown, its first column left-aligned, and the others right-aligned."""
    lines = [columns, ["---", *["--:"] * (len(columns) - 1)], *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def about(machine: dict[str, Any], device: dict[str, Any] | None) -> str:
    """The machine, as a table."""
    rows = (
        []
        if device is None
        else [["device", device["name"]], ["driver", device["driver"]], ["memory", f"{device['memory'] / 2**30:.1f} GiB"]]
    )
    rows += [[name, str(machine[name])] for name in ("processor", "cores", "system", "python", "date", "commit")]
    return table(["machine", "value"], rows)


def number(x: Any) -> str:
    """A cell: milliseconds with three digits that count, or nothing."""
    return "-" if x is None else f"{x:,.0f}" if x >= 1000 else f"{x:.3g}"


def gpu(results: dict[str, Any]) -> str:
    """The report on the device."""
    parts = results["parts"]
    device = next((d for d in parts["bits"].get("devices", []) if not d["refused"]), None)
    if device is None or device["name"].lower().startswith(STAND_INS):
        raise ValueError(
            f"the device is {device['name'] if device else 'none'}: there is nothing to report on a graphics processor"
        )
    for name in ("bits", "same", "times"):
        if parts.get(name, {}).get("state") != "passed":
            raise ValueError(f"the part {name} is {parts.get(name, {}).get('state', 'absent')}: mend it first")
    compared, meshes = parts["same"]["calls"], parts.get("meshes", {})
    text = f"# Graphics processors\n\n{WRITTEN} Medians in milliseconds.\n\n"
    text += about(results["machine"], device)
    text += f"\nThe bits of {len(compared)} calls on {len({row['scene'] for row in compared})} scenes are those of the CPU"
    if meshes.get("state") == "passed":
        text += f", as are those of the steps of {meshes['meshes']:,} random meshes"
    text += ".\n\n"
    columns = ["ms, 1 thread", "ms, all threads", "ms, device", "ms, vertices there", "ms waiting"]
    names = ["1 thread", "all threads", "device", "vertices there", "waiting for the device"]
    rows = [
        [f"{row['scene']}, {row['call']}, {row['d']:g}", f"{row['pairs']:,}", *(number(row.get(c)) for c in columns)]
        for row in parts["times"]["steps"]
    ]
    text += table(["scene, call, separation", "pairs", *names], rows)
    if parts.get("kernels", {}).get("kernels"):
        text += "\n## Kernels\n\nTimes between two events; ms a call is of all launches of one call.\n\n"
        rows = [
            [
                f"{row['scene']}, {row['call']}, `{row['kernel']}`",
                f"{row['launches']:g}",
                number(row["ms a call"]),
                number(row["median"]),
            ]
            for row in parts["kernels"]["kernels"]
        ]
        text += table(["scene, call, kernel", "launches", "ms a call", "median"], rows)
    return text + "\n## Other parts\n\n" + table(["part", "state"], _states(parts))


def _states(parts: dict[str, Any]) -> list[list[str]]:
    """What each part ended with; the tools and packages of a part one by one."""
    rows = []
    for name, part in parts.items():
        rows.append([name, part["state"]])
        rows += [[f"{name}: left out for want of time", f"from {left['from']} on"] for left in part.get("left out", [])]
        rows += [[f"{name}: {tool['tool']}", f"exit code {tool['code']}"] for tool in part.get("tools", [])]
        rows += [[f"{name}: {package['package']}", package["state"]] for package in part.get("packages", [])]
        rows += [
            [f"{name}: {level['level']}", "same bits" if level["same"] else "other bits"] for level in part.get("levels", [])
        ]
    return rows


def threads(results: dict[str, Any]) -> str:
    """The report on threads."""
    part = results["parts"].get("threads", {})
    if part.get("state") != "passed" or part.get("cores", 0) < LEAST_CORES:
        raise ValueError(
            f"the part threads is {part.get('state', 'absent')}, on {part.get('cores', 0)} cores: needs {LEAST_CORES} or more"
        )
    counts = [int(key.partition(", ")[2]) for key in part["threads"][0] if key.startswith("ms, ")]
    columns = ["scene, call", *(f"ms, {n}" for n in counts), *(f"gain, {n}" for n in counts[1:])]
    columns += [f"processor time, {n}" for n in counts[1:]]
    rows = []
    for row in part["threads"]:
        wall, used = [row[f"ms, {n}"] for n in counts], [row[f"processor ms, {n}"] for n in counts]
        cells = (
            [number(ms) for ms in wall]
            + [f"{wall[0] / ms:.2f}" for ms in wall[1:]]
            + [f"{ms / used[0]:.2f}" for ms in used[1:]]
        )
        rows.append([f"{row['scene']}, {row['call']}", *cells])
    text = f"# Threads\n\n{WRITTEN} Medians of wall clock in milliseconds; the gain is the time of one\n"
    text += (
        "thread divided by that of n. Processor time is a multiple of that of one thread. All results have the same bits.\n\n"
    )
    return text + about(results["machine"], None) + "\n" + table(columns, rows)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=Path, help="results.json, or the folder that has it")
    parser.add_argument("--out", type=Path, default=REPORTS, help="folder for the reports (bench/reports)")
    given = parser.parse_args()
    path = given.results / "results.json" if given.results.is_dir() else given.results
    results, refused = json.loads(path.read_text()), 0
    for name, make in (("gpu.md", gpu), ("threads.md", threads)):
        try:
            text = make(results)
        except ValueError as error:
            print(f"{name} is not written: {error}", file=sys.stderr)
            refused += 1
            continue
        (given.out / name).write_text(text)
        print(given.out / name)
    return int(refused > 0)


if __name__ == "__main__":
    sys.exit(main())
