"""One part of check.py: python3 parts.py NAME OUT.json SECONDS [--small].

Exits with 0, with 1 where something differs, or with 3 where the part is skipped.
"""

from __future__ import annotations

import ctypes
import importlib.util
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ccd
import numpy as np

HERE = Path(__file__).resolve().parent
SEPARATIONS = (0.0, 1e-3)


class Skipped(Exception):
    """What this machine lacks."""


class Part:
    """The results so far, written after each, so that a part that is stopped leaves what it has."""

    def __init__(self, out: Path, seconds: float, small: bool):
        self.out, self.small, self.end = out, small, time.monotonic() + seconds
        self.held: dict[str, Any] = {}
        self.wrong = 0

    @property
    def left(self) -> float:
        """Seconds that are left."""
        return self.end - time.monotonic()

    def keep(self, name: str, value: Any) -> None:
        """Keep a result, or add it to the list of this name."""
        if isinstance(value, dict):
            self.held.setdefault(name, []).append(value)
            print(name, json.dumps(value), flush=True)
        else:
            self.held[name] = value
            print(f"{name}: {value}", flush=True)
        new = self.out.with_suffix(".new")
        new.write_text(json.dumps(self.held))
        os.replace(new, self.out)

    def over(self, what: str) -> bool:
        """Whether the time is over; notes what is left out then."""
        if self.left > 0:
            return False
        self.keep("left out", {"from": what})
        return True

    def differs(self, text: str) -> None:
        """Note a result that is wrong, and go on."""
        self.wrong += 1
        self.keep("wrong", {"what": text})


class Scene:
    """Two frames of a mesh, of an archive in the packed folder."""

    def __init__(self, path: Path):
        with np.load(path) as held:
            self.x0, self.x1, faces = held["x0"], held["x1"], held["faces"]
        self.name, self.mesh = path.stem, ccd.Mesh(faces=faces, vertices=len(self.x0))
        ends = self.x0[self.mesh.edges]
        self.edge = float(np.linalg.norm(ends[:, 0] - ends[:, 1], axis=1).mean())


def scenes(part: Part) -> list[Scene]:
    """The scenes, the smallest first."""
    found = sorted((HERE / "scenes").glob("*.npz"), key=lambda path: path.stat().st_size)
    return [Scene(path) for path in found[: 1 if part.small else None]]


def device() -> Any:
    """The first device that can be used."""
    listed = ccd.devices()
    usable = [found for found in listed if not found.refused]
    if not usable:
        raise Skipped("; ".join(f"{found.name}: {found.refused}" for found in listed) or "ccd info lists no device")
    return usable[0]


def cuda() -> Any:
    """The driver of NVIDIA, or what stands in for it; the first device's context is this thread's."""
    name = os.environ.get("CCD_LIBCUDA") or "libcuda.so.1"
    try:
        library = ctypes.CDLL(name)
    except OSError as error:
        raise Skipped(f"NVIDIA's driver is not here: {error}") from None
    context, number = ctypes.c_void_p(), ctypes.c_int()
    for name_, *arguments in (
        ("cuInit", 0), ("cuDeviceGet", ctypes.byref(number), 0), ("cuDevicePrimaryCtxRetain", ctypes.byref(context), number),
        ("cuCtxPushCurrent_v2", context),
    ):  # fmt: skip
        code = getattr(library, name_)(*arguments)
        if code:
            raise Skipped(f"{name_} failed with CUDA's error {code}")
    return library


class OnDevice:
    """An array that was copied to the device, by the driver alone."""

    def __init__(self, library: Any, array: Any):
        host, place = np.ascontiguousarray(array), ctypes.c_uint64()
        stream = ctypes.c_void_p()
        steps = (
            ("cuMemAlloc_v2", ctypes.byref(place), ctypes.c_size_t(host.nbytes)),
            ("cuStreamCreate", ctypes.byref(stream), 1),
        )
        for name, *arguments in steps:
            assert not getattr(library, name)(*arguments), name
        assert not library.cuMemcpyHtoDAsync_v2(place, host.ctypes, ctypes.c_size_t(host.nbytes), stream)
        assert not library.cuStreamSynchronize(stream)
        interface = {"data": (place.value, False), "shape": host.shape, "typestr": host.dtype.str, "version": 3}
        self.__cuda_array_interface__ = interface


def same(a: Any, b: Any) -> bool:
    """Whether two results have the same bits."""
    if isinstance(a, np.ndarray):
        return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
    if isinstance(a, ccd.Candidates):
        return all(same(np.asarray(a[kind]), np.asarray(b[kind])) for kind in ccd.Kind if int(kind) < 5)
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    if isinstance(a, (tuple, list)):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b))
    if hasattr(a, "__dict__") and type(a).__module__.startswith("ccd"):
        return same(vars(a), vars(b))
    return bool(a == b)


def calls(s: Scene) -> dict[str, Callable[..., Any]]:
    """Every call that may run on a device."""
    step, given = ccd.step, (s.mesh, s.x0, s.x1)

    def pairs(**o: Any) -> Any:
        some = ccd.broad.candidates(*given, min_separation=o["min_separation"])["edge-edge"][:20_000]
        return step.pairs(*given, "edge-edge", some, **o)

    def region_collisions(**o: Any) -> Any:
        inf, half = float("inf"), float(np.median(s.x0[:, 0]))
        regions = [((lo, -inf, -inf), (hi, inf, inf)) for lo, hi in ((-inf, half), (half, inf))]
        return [step.collisions(*given, region=region, **o) for region in regions]

    return {
        "earliest": lambda **o: step.earliest(*given, **o),
        "collisions": lambda **o: step.collisions(*given, **o),
        "size": lambda **o: step.size(*given, **o),
        "advance": lambda **o: step.advance(*given, **o),
        "sizes": lambda **o: step.sizes(*given, **o),
        "linesearch": lambda **o: step.linesearch(*given, **o),
        "activeset": lambda **o: step.activeset(*given, **o),
        "candidates": lambda **o: ccd.broad.candidates(*given, **o),
        "candidates.collisions": lambda **o: ccd.broad.candidates(*given, **o).step(s.x0, s.x1).collisions(**o),
        "pairs": pairs,
        "region_collisions": region_collisions,
        "candidates.earliest": lambda **o: ccd.broad.candidates(*given, **o).step(s.x0, s.x1).earliest(**o),
    }


# ---- the parts


def bits(part: Part) -> None:
    """(a) What there is, the self-test of each device, and the digests at every level of SIMD."""
    text = subprocess.run([sys.executable, "-m", "ccd", "info"], capture_output=True, text=True, check=False)
    part.keep("info", text.stdout + text.stderr)
    for found in ccd.devices():
        about = {"name": found.name, "driver": found.driver, "memory": found.memory, "refused": found.refused}
        part.keep("devices", about)
    part.keep("simd", ccd.simd_level())
    flags = next((line for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("flags")), "").split()
    levels = ["generic", *(["avx2"] if "avx2" in flags else []), *(["avx512"] if "avx512vl" in flags else [])]
    want, began = (HERE / "bits.txt").read_text(), time.monotonic()
    running = {}
    for level in levels[-1:] if part.small else levels:
        environment = os.environ | {"CCD_SIMD": level}
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
        running[level] = subprocess.Popen([HERE / "bits"], env=environment, text=True, **streams)  # type: ignore[call-overload]
    for level, process in running.items():
        got = process.communicate()[0]
        seconds = round(time.monotonic() - began, 1)
        part.keep("levels", {"level": level, "same": got == want, "seconds": seconds})
        if got != want:
            part.differs(f"digests at the level {level}: {got}, not {want}")


def same_bits(part: Part) -> None:
    """(b) Every call with device="gpu" has the bits of device="cpu"."""
    device()
    for s in scenes(part):
        for d in SEPARATIONS:
            for name, call in calls(s).items():
                if part.over(f"{s.name}, {name}, {d}"):
                    return
                if name == "linesearch" and not d:
                    continue  # a line search is a bound by a distance
                stats, row = ccd.Stats(), {"scene": s.name, "d": d, "call": name}
                try:
                    wanted, got = call(min_separation=d), call(min_separation=d, device="gpu", stats=stats)
                    row |= {"same": same(wanted, got), "used": bool(stats.device_used)}
                except Exception as error:
                    row |= {"same": False, "error": repr(error)}
                part.keep("calls", row)
                if not row["same"]:
                    part.differs(f"{s.name}, {name}, separation {d}: the device has other bits, or an error")


def meshes(part: Part) -> None:
    """(c) Random meshes, as long as there is time."""
    device()
    total, seed, rate = 0, 1, 0.0
    while part.left > 5 and not (part.small and total):
        count = 100 if total == 0 else max(100, int(rate * min(part.left / 3, 10)))
        began = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            command = [HERE / "soak", "-device", str(count), "-seed", str(seed), "-out", folder]
            got = subprocess.run(command, capture_output=True, text=True, check=False)
        total, seed = total + count, seed + count
        rate = count / (time.monotonic() - began)
        part.keep("meshes", total)
        part.keep("meshes_per_second", round(rate, 1))
        if got.returncode:
            part.differs(f"seeds {seed - count} to {seed - 1}: {got.stdout[-2000:]}{got.stderr[-2000:]}")


def timed(part: Part, call: Callable[[], Any], seconds: float) -> tuple[float, int]:
    """The median milliseconds of rounds for some seconds, after a first that is not counted."""
    call()
    times: list[float] = []
    end = time.monotonic() + min(seconds, part.left)
    while len(times) < (3 if part.left > 0 else 1) or (time.monotonic() < end and len(times) < 50):
        began = time.perf_counter()
        call()
        times.append(1e3 * (time.perf_counter() - began))
    return round(statistics.median(times), 3), len(times)


def times(part: Part) -> None:
    """(d) Whole steps: one thread, all threads, the device with vertices of the host and with vertices that are there."""
    part.keep("device", device().name)
    for s in scenes(part):
        try:
            library = cuda()
            there = OnDevice(library, s.x0), OnDevice(library, s.x1)
        except Skipped as reason:
            there = None
            part.keep("vertices on the device", f"skipped: {reason}")
        for name in ("earliest", "collisions", "size"):
            call = getattr(ccd.step, name)
            for d in SEPARATIONS:
                if part.over(f"{s.name}, {name}, {d}"):
                    return
                row: dict[str, Any] = {"scene": s.name, "call": name, "d": d}
                stats, each = ccd.Stats(), 0.1 if part.small else max(0.1, part.left / 80)

                def step(*x: Any, call: Any = call, d: float = d, mesh: Any = s.mesh, **options: Any) -> Any:
                    return call(mesh, *x, min_separation=d, **options)

                row["ms, 1 thread"], _ = timed(part, lambda step=step, s=s: step(s.x0, s.x1, threads=1), each)
                row["ms, all threads"], _ = timed(part, lambda step=step, s=s: step(s.x0, s.x1), each)
                row["ms, device"], row["rounds"] = timed(
                    part, lambda step=step, s=s, stats=stats: step(s.x0, s.x1, device="gpu", stats=stats), each
                )
                row["ms waiting"], row["peak"] = round(1e3 * stats.device_seconds, 3), stats.device_peak_bytes
                row["pairs"] = sum(stats.candidates.values())
                if there is not None:
                    row["ms, vertices there"], _ = timed(part, lambda step=step, there=there: step(*there, device="gpu"), each)
                part.keep("steps", row)


def kernels(part: Part) -> None:
    """(d) The time of each kernel, by events that a library before the driver records."""
    cuda()
    shim = HERE / "libtimes.so"
    if "CCD_TIMES" not in os.environ:  # the driver is opened once a process
        real = os.environ.get("CCD_LIBCUDA")
        folder = tempfile.mkdtemp()
        environment = os.environ | {"CCD_LIBCUDA": str(shim), "CCD_TIMES": "1"}
        if real:
            os.symlink(real, Path(folder) / "libcuda.so.1")
            environment["LD_LIBRARY_PATH"] = os.pathsep.join([folder, *filter(None, [os.environ.get("LD_LIBRARY_PATH")])])
        more = ["--small"] if part.small else []
        command = [sys.executable, __file__, "kernels", str(part.out), f"{part.left:.1f}", *more]
        code = subprocess.run(command, env=environment, check=False).returncode
        shutil.rmtree(folder)
        raise SystemExit(code)
    device()
    library, text = ctypes.CDLL(str(shim)), ctypes.create_string_buffer(1 << 16)
    for s in scenes(part):
        for name, d in (("collisions", 0.0), ("earliest", 0.0), ("earliest", SEPARATIONS[-1])):
            if part.over(f"{s.name}, {name}"):
                break
            call, rounds = getattr(ccd.step, name), 1 if part.small else 9
            call(s.mesh, s.x0, s.x1, device="gpu", min_separation=d)
            library.ccd_times(text, ctypes.c_size_t(len(text)))
            for _ in range(rounds):
                call(s.mesh, s.x0, s.x1, device="gpu", min_separation=d)
            library.ccd_times(text, ctypes.c_size_t(len(text)))
            for line in text.value.decode().splitlines():
                kernel, count, total, median = line.split()
                row = {
                    "kernel": kernel,
                    "launches": int(count) / rounds,
                    "ms a call": float(total) / rounds,
                    "median": float(median),
                }
                part.keep("kernels", {"scene": s.name, "call": f"{name}, d = {d:g}" if d else name} | row)
    if "kernels" not in part.held:
        part.differs("no kernel was measured")


def worlds(part: Part) -> None:
    """Many worlds of one mesh in one call, on the CPU and on the device: as many single calls, and the same bits."""
    rng = np.random.default_rng(5)
    faces = np.concatenate([np.array([[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]]) + 4 * i for i in range(25)])
    k = 50 if part.small else 2000
    shape = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    x0 = (rng.uniform(0, 6, (k, 25, 1, 3)) + shape).reshape(k, 100, 3)
    x1 = x0 + np.repeat(rng.normal(0, 0.3, (k, 25, 3)), 4, axis=1)
    mesh = ccd.Mesh(faces=faces, vertices=100)
    for n in sorted({1, len(os.sched_getaffinity(0))}):
        if part.over(f"{n} threads"):
            return
        single, _ = timed(part, lambda n=n: [ccd.step.earliest(mesh, a, b, threads=n) for a, b in zip(x0, x1)], part.left / 6)
        batch, _ = timed(part, lambda n=n: ccd.step.earliest_batch(mesh, x0, x1, threads=n), part.left / 6)
        part.keep("worlds", {"worlds": k, "threads": n, "ms, a call each": single, "ms, one call": batch})
        found = ccd.step.earliest_batch(mesh, x0, x1, threads=n)
        if [ccd.Impact.from_record(r) for r in found] != [ccd.step.earliest(mesh, a, b) for a, b in zip(x0, x1)]:
            part.differs(f"{n} threads: worlds have other bits than single calls")
    if all(d.refused for d in ccd.devices()) or part.over("the device"):
        return
    if not same(ccd.step.earliest_batch(mesh, x0, x1, device="gpu"), ccd.step.earliest_batch(mesh, x0, x1)):
        part.differs("worlds have other bits on the device")
    batch, _ = timed(part, lambda: ccd.step.earliest_batch(mesh, x0, x1, device="gpu"), part.left / 2)
    part.keep("worlds", {"worlds": k, "device": True, "ms, one call": batch})


def threads(part: Part) -> None:
    """(e) The calls with 1 to 16 threads: wall clock and processor time, and the same bits."""
    cores = len(os.sched_getaffinity(0))
    counts = [n for n in (1, 2, 4, 8, 16) if n <= cores] or [1]
    part.keep("cores", cores)
    work = [(s, name, call) for s in scenes(part) for name, call in _threaded(s).items()]
    for i, (s, name, call) in enumerate(work):
        if part.over(f"{s.name}, {name}"):
            break
        row: dict[str, Any] = {"scene": s.name, "call": name}
        each = 0.1 if part.small else max(0.05, part.left / (len(work) - i) / (2 * len(counts)))
        wanted = call(threads=1)
        for n in counts:
            if not same(wanted, call(threads=n)):
                part.differs(f"{s.name}, {name}: {n} threads have other bits")
            used = time.process_time()
            row[f"ms, {n}"], rounds = timed(part, lambda call=call, n=n: call(threads=n), each)
            row[f"processor ms, {n}"] = round(1e3 * (time.process_time() - used) / (rounds + 1), 3)
        part.keep("threads", row)


def _threaded(s: Scene) -> dict[str, Callable[..., Any]]:
    def near(threads: int) -> Any:
        return ccd.proximity.near(s.mesh, s.x0, s.edge / 20, threads=threads)

    return {name: calls(s)[name] for name in ("earliest", "collisions", "sizes")} | {"near": near}


def sanitizer(part: Part) -> None:
    """(f) compute-sanitizer's memcheck and racecheck, on the smallest scene."""
    tool = shutil.which("compute-sanitizer") or shutil.which("/usr/local/cuda/bin/compute-sanitizer")
    if tool is None:
        raise Skipped("compute-sanitizer is not installed")
    for check in ("memcheck", "racecheck"):
        command = [
            tool,
            "--tool",
            check,
            "--error-exitcode",
            "9",
            sys.executable,
            __file__,
            "one",
            str(part.out.with_name("one.json")),
            "60",
        ]
        try:
            got = subprocess.run(
                command,
                capture_output=True,
                text=True,
                check=False,
                timeout=max(2, part.left / (2 if check == "memcheck" else 1)),
            )
            text, code = got.stdout + got.stderr, got.returncode
        except subprocess.TimeoutExpired as late:
            text, code = str(late.stdout or "") + " it ended late", -1
        part.keep("tools", {"tool": check, "code": code, "text": text[-3000:]})
        if code not in (0, -1):
            part.differs(f"{check}: {text[-3000:]}")


def one(part: Part) -> None:
    """A step of two cloths on the device, for the tools of (f)."""
    sys.path.insert(0, str(HERE / "examples" / "device"))
    import arrays

    mesh, x, speed = arrays.cloths()
    stats = ccd.Stats()
    got = ccd.step.collisions(mesh, x, x + speed, device="gpu", stats=stats)
    if not stats.device_used or not same(got, ccd.step.collisions(mesh, x, x + speed)):
        part.differs("the two cloths have other impacts on the device")


def arrays(part: Part) -> None:
    """(g) Vertices and results on the device, through other packages' arrays."""
    done = 0
    for package in ("cupy", "torch", "jax"):
        if importlib.util.find_spec(package) is None:
            part.keep("packages", {"package": package, "state": "skipped: not installed"})
            continue
        try:
            state = _through(package)
            done += 1
        except Skipped as reason:
            state = f"skipped: {reason}"
        except Exception as error:
            state = f"failed: {error!r}"[:2000]
            part.differs(f"{package}: {state}")
        part.keep("packages", {"package": package, "state": state})
    if not done and not part.wrong:
        raise Skipped("no package finds a device of CUDA")


def _through(package: str) -> str:
    sys.path.insert(0, str(HERE / "examples" / "device"))
    import arrays as example

    mesh, x, speed = example.cloths()
    listed = ccd.step.collisions(mesh, x, x + speed)
    if package == "jax":
        import jax

        jax.config.update("jax_enable_x64", True)
        try:
            place = jax.devices("gpu")[0]
        except RuntimeError as error:
            raise Skipped(str(error)[:200]) from None
        x0 = jax.device_put(x, place)
        x1 = jax.device_put(x + speed, place)
        hits = ccd.step.collisions_on_device(mesh, x0, x1, device="gpu")
        back = {name: np.asarray(jax.numpy.from_dlpack(hits[name])) for name in ("toi_lo", "pairs")}
    else:
        put, _ = example.PACKAGES[package]
        try:
            x0, x1 = put(x, speed)
        except example.Skipped as reason:
            raise Skipped(str(reason)) from None
        hits = ccd.step.collisions_on_device(mesh, x0, x1, device="gpu")
        module = __import__(package)
        found = {name: module.from_dlpack(hits[name]) for name in ("toi_lo", "pairs")}
        back = {name: column.get() if package == "cupy" else column.cpu().numpy() for name, column in found.items()}
    pairs = np.stack([listed["a"], listed["b"]], 1)
    assert same(np.ascontiguousarray(back["toi_lo"]), np.ascontiguousarray(listed["toi_lo"])), "times differ"
    assert np.array_equal(back["pairs"], pairs), "pairs differ"
    return f"{len(pairs)} impacts, as on the CPU"


def header(part: Part) -> None:
    """(h) ccd/device.h in CUDA C++, and in Warp where it is installed."""
    nvcc = shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")
    states = []
    if nvcc is None:
        states.append("nvcc is not installed")
    else:
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / "step"
            source = HERE / "examples" / "device" / "step.cu"
            for command in ([nvcc, "-arch=native", "-I", HERE / "include", source, "-o", program], [program]):
                got = subprocess.run(command, capture_output=True, text=True, check=False)
                if got.returncode:
                    break
        part.keep("CUDA C++", got.stdout + got.stderr)
        if got.returncode or "pair 0: contact at 0.33333333333333331" not in got.stdout:
            part.differs(f"step.cu: {got.stdout}{got.stderr}"[-3000:])
    if importlib.util.find_spec("warp") is None:
        states.append("Warp is not installed")
    else:
        example = HERE / "examples" / "device" / "warp_step.py"
        environment = os.environ | {"PYTHONPATH": os.environ["PYTHONPATH"]}
        got = subprocess.run([sys.executable, example], env=environment, capture_output=True, text=True, check=False)
        part.keep("Warp", got.stdout + got.stderr[-2000:])
        if got.returncode:
            part.differs(f"warp_step.py: {got.stdout}{got.stderr}"[-3000:])
    if len(states) == 2:
        raise Skipped("; ".join(states))
    for state in states:
        part.keep("skipped", state)


PARTS = {
    "bits": bits, "same": same_bits, "meshes": meshes, "times": times, "kernels": kernels, "threads": threads,
    "worlds": worlds, "sanitizer": sanitizer, "arrays": arrays, "header": header, "one": one,
}  # fmt: skip


def main() -> int:
    name, out, seconds, *more = sys.argv[1:]
    part = Part(Path(out), float(seconds), "--small" in more)
    try:
        PARTS[name](part)
    except Skipped as reason:
        print(f"skipped: {reason}", flush=True)
        return 1 if part.wrong else 3
    return 1 if part.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
