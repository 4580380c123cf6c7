"""Vertices on a device: what is refused anywhere, and steps on the stand-in for NVIDIA's driver, whose kernels run on PoCL.

The library opens a driver once a process, so the second half runs in a process of its own, with CCD_STAND_IN set.
"""

import ctypes
import gc
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from conftest import sheets

import ccd
from ccd._native import abi
from ccd._native.call import check

ROOT = Path(__file__).resolve().parents[3]
EXAMPLE = ROOT / "examples" / "device" / "arrays.py"
STAND_IN = os.environ.get("CCD_STAND_IN")
CUDA, ROCM, HOST = 2, 10, 1


class Interface:
    """An array that has a __cuda_array_interface__, of version 3."""

    def __init__(self, data, shape, typestr="<f8", **more):
        interface = {"data": (data, False), "shape": shape, "typestr": typestr, "version": 3, **more}
        self.__cuda_array_interface__ = {key: value for key, value in interface.items() if value != "left out"}


class Managed(ctypes.Structure):
    """The tensor at the beginning of a DLManagedTensor."""

    _fields_ = [
        ("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32), ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]  # fmt: skip


class Tensor:
    """An array that has __dlpack__; streams are those that it was asked for."""

    def __init__(self, data, shape, *, bits=64, code=2, lanes=1, strides=None, offset=0, device=(CUDA, 0)):
        self.device, self.streams = device, []
        self.shape = (ctypes.c_int64 * len(shape))(*shape)
        self.strides = (ctypes.c_int64 * len(shape))(*strides) if strides else None
        pointer = ctypes.POINTER(ctypes.c_int64)
        self.c = Managed(
            data, *device, len(shape), code, bits, lanes,
            ctypes.cast(self.shape, pointer), ctypes.cast(self.strides, pointer) if strides else pointer(), offset,
        )  # fmt: skip

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, *, stream=None):
        self.streams.append(stream)
        new = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)(
            ("PyCapsule_New", ctypes.pythonapi)
        )
        return new(ctypes.addressof(self.c), b"dltensor", None)


@pytest.fixture
def scene(triangles):
    faces, x0, x1 = triangles
    return ccd.Mesh(faces=faces), x0, x1


class TestRefused:
    """What no driver is needed for."""

    @pytest.mark.parametrize(
        ("x0", "words"),
        [
            (Interface(64, (6, 3), "<i4"), r"x0 has dtype int32: on a device it must be float32 or float64"),
            (Interface(64, (6, 3), "<f2"), r"x0 has dtype float16: on a device"),
            (Interface(64, (6, 3), ">f8"), r"x0 has dtype >f8: on a device"),
            (Interface(64, (6, 4)), r"x0 has shape \(6, 4\): must be \(n, 3\)"),
            (Interface(64, (18,)), r"x0 has shape \(18,\): must be \(n, 3\)"),
            (Interface(64, (6, 3), strides=(8, 48)), r"x0 has strides \(8, 48\): on a device the coordinates .* side by side"),
            (Interface(64, (6, 3), strides=(0, 8)), r"x0 has strides \(0, 8\): one vertex for all rows"),
            (Interface(64, (6, 3), mask=object()), r"x0 is a masked array"),
            (Interface(64, (6, 3), stream=0), r"x0.__cuda_array_interface__ has the stream 0"),
            (Interface(64, (6, 3), "left out"), r"x0.__cuda_array_interface__ is .*: not of version 2 or 3"),
            (Interface(64, (6, 3), "what"), r"x0.__cuda_array_interface__ is .*: not of version 2 or 3"),
            (Interface(64, (5, 3)), r"x0 has 5 vertices, x1 has 6"),
            (Tensor(64, (6, 3), code=0), r"x0 has dtype of DLPack's code 0 with 64 bits, 1 at a time: on a device"),
            (Tensor(64, (6, 3), bits=16), r"x0 has dtype of DLPack's code 2 with 16 bits"),
            (Tensor(64, (6, 3), lanes=3), r"x0 has dtype of DLPack's code 2 with 64 bits, 3 at a time"),
            (Tensor(64, (6, 3), strides=(1, 6)), r"x0 has strides \(8, 48\): on a device the coordinates"),
            (Tensor(64, (6, 3), device=(ROCM, 0)), r"x0 is on a device of DLPack's type 10: must be on the host or"),
        ],
    )  # fmt: skip
    def test_arrays(self, scene, x0, words):
        with pytest.raises(ccd.ArgumentError, match=words):
            ccd.step.earliest(scene[0], x0, Interface(64, (6, 3)))

    def test_what_raises_is_an_error_that_names_the_array(self, scene):
        class Lost:
            @property
            def __cuda_array_interface__(self):
                raise RuntimeError("requires grad")

        class NoPack(Tensor):
            def __dlpack__(self, *, stream=None):
                raise BufferError("cannot export")

        with pytest.raises(ccd.ArgumentError, match="x0 is not an array: requires grad"):
            ccd.step.earliest(scene[0], Lost(), scene[2])
        with pytest.raises(ccd.ArgumentError, match="x1 is not an array: cannot export"):
            ccd.step.earliest(scene[0], scene[1], NoPack(64, (6, 3)))

    def test_both_in_one_place(self, scene):
        mesh, x0, x1 = scene
        with pytest.raises(ccd.ArgumentError, match="x0 is on a device, x1 is on the host: both must be in one place"):
            ccd.step.earliest(mesh, Interface(64, (6, 3)), x1)
        with pytest.raises(ccd.ArgumentError, match="x1 is on a device, x0 is on the host"):
            ccd.step.size(mesh, x0, Tensor(64, (6, 3)))
        with pytest.raises(ccd.ArgumentError, match="x0 and x1 have 5 vertices: the mesh has 6"):
            ccd.step.collisions(mesh, Interface(64, (5, 3)), Interface(64, (5, 3)))

    def test_calls_for_the_host(self, scene):
        mesh, a = scene[0], Interface(64, (6, 3))
        with pytest.raises(ccd.UnsupportedError, match=r"^x0 is on a device: calls of ccd.broad take vertices of the host"):
            ccd.broad.candidates(mesh, a, a)
        with pytest.raises(ccd.UnsupportedError, match=r"^x0 is on a device: .*intervals take vertices of the host"):
            ccd.step.intervals(mesh, a, a)

    def test_arrays_of_the_host(self, scene):
        """An object of the host that has DLPack alone is read; one that is also an array is NumPy's to read."""

        class Host:
            def __init__(self, x):
                self.x = x

            def __dlpack_device__(self):
                return self.x.__dlpack_device__()

            def __dlpack__(self, **how):
                return self.x.__dlpack__(**how)

        mesh, x0, x1 = scene
        assert ccd.step.earliest(mesh, Host(x0), Host(x1)) == ccd.step.earliest(mesh, x0, x1)
        assert ccd.step.earliest(mesh, x0.tolist(), Host(x1)).contact
        with pytest.raises(ccd.ArgumentError, match=r"x0 has shape \(18,\)"):
            ccd.step.earliest(mesh, Host(x0.ravel()), Host(x1))

    def test_results_need_a_device_of_cuda(self, scene):
        """Other devices have no addresses that other libraries know; the stand-in's process has one of CUDA."""
        if any(d.driver.startswith("CUDA") for d in ccd.devices()):
            pytest.skip("there is a device of CUDA")
        pairs = ccd.broad.candidates(*scene)
        for call in (
            lambda: ccd.step.collisions_on_device(*scene),
            lambda: pairs.step(*scene[1:]).collisions_on_device(),
            lambda: pairs.on_device("edge-edge"),
        ):
            with pytest.raises(ccd.UnsupportedError, match="device_index is 0: there is no device of NVIDIA's driver: "):
                call()


class Driver:
    """The stand-in for NVIDIA's driver, as a caller that has memory there uses it."""

    def __init__(self):
        self.lib = ctypes.CDLL(os.environ["CCD_LIBCUDA"])
        assert [d.name for d in ccd.devices()][:1] == ["stand-in"]  # this starts the driver
        self.context, self.stream = ctypes.c_void_p(), ctypes.c_void_p()
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(self.context), 7)

    def call(self, name, *arguments):
        code = getattr(self.lib, name)(*arguments)
        assert code == 0, (name, code)

    def put(self, x, late=None):
        """Copy an array to the device, on a stream that is late if one is named; return the address."""
        x, address = np.ascontiguousarray(x), ctypes.c_uint64()
        self.call("cuCtxPushCurrent_v2", self.context)
        self.call("cuStreamCreate", ctypes.byref(self.stream), 1)
        self.call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(max(1, x.nbytes)))
        os.environ["CCD_STANDIN_LATE"] = str(late or "")
        self.call("cuMemcpyHtoDAsync_v2", address, ctypes.c_void_p(x.ctypes.data), ctypes.c_size_t(x.nbytes), self.stream)
        os.environ["CCD_STANDIN_LATE"] = ""
        self.call("cuCtxPopCurrent_v2", ctypes.byref(ctypes.c_void_p()))
        return address.value

    def knows(self, address):
        """Whether an address is in memory of the device."""
        value = ctypes.c_int()
        self.call("cuCtxPushCurrent_v2", self.context)
        code = self.lib.cuPointerGetAttribute(ctypes.byref(value), 2, ctypes.c_uint64(address))
        self.call("cuCtxPopCurrent_v2", ctypes.byref(ctypes.c_void_p()))
        return code == 0


def copied(address, shape, strides, dtype):
    """What lies at an address of the stand-in, which is one of the host."""
    if 0 in shape:
        return np.empty(shape, dtype)
    size = sum((n - 1) * stride for n, stride in zip(shape, strides)) + dtype.itemsize
    buffer = ctypes.create_string_buffer(size)
    ctypes.memmove(buffer, address, size)
    return np.ndarray(shape, dtype, buffer, strides=strides).copy()


def read_interface(x):
    """Read an array by its __cuda_array_interface__."""
    i = x.__cuda_array_interface__
    assert i["version"] == 3 and i["stream"] is None
    dtype = np.dtype(i["typestr"])
    strides = i["strides"] or np.empty(i["shape"], dtype).strides
    return copied(i["data"][0], i["shape"], strides, dtype)


class consume:
    """Take the tensor out of a capsule, as a consumer of DLPack does; delete lets it go."""

    def __init__(self, capsule):
        get = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(("PyCapsule_GetPointer", ctypes.pythonapi))
        rename = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_char_p)(("PyCapsule_SetName", ctypes.pythonapi))
        self.managed = get(capsule, b"dltensor")
        self.tensor = Managed.from_address(self.managed)
        rename(capsule, b"used_dltensor")

    def delete(self):
        deleter = ctypes.c_void_p.from_address(self.managed + ctypes.sizeof(Managed) + 8).value
        ctypes.CFUNCTYPE(None, ctypes.c_void_p)(deleter)(self.managed)


def read_dlpack(x):
    """Read an array by DLPack, and let it go."""
    taken = consume(x.__dlpack__(stream=2))
    t, dtype = taken.tensor, np.dtype(f"{'iuf'[taken.tensor.code]}{taken.tensor.bits // 8}")
    assert (t.device_type, t.device_id) == x.__dlpack_device__() and t.lanes == 1 and t.byte_offset == 0
    shape = tuple(t.shape[i] for i in range(t.ndim))
    found = copied(t.data, shape, tuple(dtype.itemsize * t.strides[i] for i in range(t.ndim)), dtype)
    taken.delete()
    return found


@pytest.fixture(scope="module")
def driver():
    return Driver()


def same(a, b):
    """Whether two results have the same bits."""
    if isinstance(a, (tuple, list)):
        return len(a) == len(b) and all(map(same, a, b))
    return a.tobytes() == b.tobytes() if isinstance(a, np.ndarray) else repr(a) == repr(b)


class TestSteps:
    __test__ = bool(STAND_IN)  # test_on_the_stand_in runs it, in another process

    def calls(self, mesh, x0, x1, candidates):
        """Every call of a step that takes options, and of candidates."""
        step, edges = ccd.step, np.stack([np.arange(300), np.arange(300)[::-1] + 300], 1)
        region = ((-np.inf, -np.inf, -np.inf), (0.4, np.inf, np.inf))
        yield from (
            (name, lambda a, b, name=name, **o: getattr(step, name)(mesh, a, b, **o))
            for name in ("earliest", "collisions", "size", "advance", "sizes", "activeset")
        )
        yield "visit", lambda a, b, **o: np.sort(np.concatenate(list(step.stream(mesh, a, b, threads=1, **o))))
        yield "pairs", lambda a, b, **o: step.pairs(mesh, a, b, "edge-edge", edges, **o)
        found = step.collisions(mesh, x0, x1)
        yield "gradients", lambda a, b, **o: step.gradients(mesh, a, b, found[:50], **o)
        yield "linesearch", lambda a, b, **o: step.linesearch(mesh, a, b, 0.2, min_separation=0.05, **o)
        yield from (
            (f"{name} in a region", lambda a, b, name=name, **o: getattr(step, name)(mesh, a, b, region=region, **o))
            for name in ("earliest", "collisions", "size")
        )
        yield from (
            (f"candidates.{name}", lambda a, b, name=name, **o: getattr(candidates.step(a, b), name)(**o))
            for name in ("earliest", "collisions", "size", "advance")
        )

    @pytest.mark.parametrize("dtype", [np.float64, np.float32])
    def test_every_call_has_the_bits_of_the_host(self, driver, dtype):
        faces, x0, x1 = sheets(16)
        x0, x1 = x0.astype(dtype), x1.astype(dtype)
        mesh = ccd.Mesh(faces=faces)
        candidates = ccd.broad.candidates(mesh, x0, x1)
        size, typestr = x0.itemsize, np.dtype(dtype).str
        a, b = Interface(driver.put(x0), x0.shape, typestr), Tensor(driver.put(x1), x1.shape, bits=8 * size)
        for name, call in self.calls(mesh, x0, x1, candidates):
            want = call(x0, x1)
            for device in "gpu", "cpu", "auto":
                stats = ccd.Stats()
                got = call(a, b, device=device, stats=stats)
                assert same(got, want), (name, device)
                assert stats.device_used == (device == "gpu") or device == "auto" or name == "gradients", (name, device)
        assert len(ccd.step.collisions(mesh, a, b)) > 100
        assert set(b.streams) == {1}

    def test_nothing_is_copied_there(self, driver):
        """The records of the vertices are on the device before the search begins: a copy would be a second transfer up."""
        faces, x0, x1 = sheets(12)
        mesh = ccd.Mesh(faces=faces)
        a, b = (Interface(driver.put(x), x.shape, "<f8") for x in (x0, x1))
        there, here = ccd.Stats(), ccd.Stats()
        ccd.step.collisions(mesh, a, b, device="gpu", stats=there)
        ccd.step.collisions(mesh, x0, x1, device="gpu", stats=here)
        assert there.device_peak_bytes == here.device_peak_bytes > 64 * len(x0)

    def test_strides_and_offsets(self, driver):
        faces, x0, x1 = sheets(8)
        mesh = ccd.Mesh(faces=faces)
        want = ccd.step.earliest(mesh, x0, x1)
        wide = np.full((len(x0), 7), np.nan)
        wide[:, 1:4], wide[:, 4:7] = x0, x1
        at = driver.put(wide)
        a = Interface(at + 8, x0.shape, strides=(56, 8))
        b = Tensor(at, x0.shape, strides=(7, 1), offset=32)
        assert ccd.step.earliest(mesh, a, b, device="gpu") == want
        back = driver.put(x1[::-1])
        b = Interface(back + 24 * (len(x1) - 1), x1.shape, strides=(-24, 8))
        assert ccd.step.earliest(mesh, a, b, device="gpu") == want

    @pytest.mark.parametrize("late", [77, 1, 2])
    def test_the_stream_is_waited_for(self, driver, late):
        faces, x0, x1 = sheets(6)
        mesh = ccd.Mesh(faces=faces)
        a = Interface(driver.put(x0, late), x0.shape, stream=late)
        b = Interface(driver.put(x1, late), x1.shape, stream=late)
        assert ccd.step.earliest(mesh, a, b) == ccd.step.earliest(mesh, x0, x1)
        if late == 1:  # DLPack's way
            a, b = Tensor(driver.put(x0, late), x0.shape), Tensor(driver.put(x1, late), x1.shape)
            assert ccd.step.earliest(mesh, a, b) == ccd.step.earliest(mesh, x0, x1)

    def test_errors_name_array_and_index(self, driver, scene):
        mesh, x0, x1 = scene
        at, wrong = driver.put(x0), x1.copy()
        wrong[4, 2] = np.nan
        a = Interface(at, (6, 3))
        with pytest.raises(ccd.NonFiniteError, match=r"^x1\[4\]\[2\] is NaN"):
            ccd.step.earliest(mesh, a, Interface(driver.put(wrong), (6, 3)))
        host = np.zeros((6, 3))
        for x, words in (
            (Interface(host.ctypes.data, (6, 3)), r"^x1.data is 0x[0-9a-f]+: not memory that CUDA knows"),
            (Interface(0, (6, 3)), r"^x1.data is NULL, but there are 6 vertices"),
            (Interface(at + 4, (6, 3)), r"^x1.data is 0x[0-9a-f]+: not a multiple of 8"),
            (Interface(at + 72, (6, 3)), r"^x1: vertex 5, at 0x[0-9a-f]+, is not in the memory of device 0: .* fewer than 6"),
            (Interface(at, (6, 3), strides=(28, 8)), r"^x1.stride is 28: not a multiple of 8"),
            (Tensor(at, (6, 3), device=(CUDA, 3)), r"^x1.device is 3: the memory is on device 0"),
        ):
            with pytest.raises(ccd.ArgumentError, match=words):
                ccd.step.earliest(mesh, a, x, device="gpu")
        with pytest.raises(ccd.ArgumentError, match="device_index is 1: the vertices are on device 0"):
            ccd.step.earliest(mesh, a, a, device="gpu", device_index=1)
        with pytest.raises(ccd.UnsupportedError, match="x0 and x1 cannot be read: cuEventRecord failed"):
            ccd.step.earliest(mesh, Interface(at, (6, 3), stream=0xBAD), a, device="auto")
        with pytest.raises(ccd.UnsupportedError, match="device is 'gpu': only the exact method"):
            ccd.step.earliest(mesh, a, a, device="gpu", method="tight-inclusion")

    def test_results_on_the_device_have_the_bits_of_the_host(self, driver):
        faces, x0, x1 = sheets(12)
        mesh = ccd.Mesh(faces=faces)
        want, pairs = ccd.step.collisions(mesh, x0, x1), ccd.broad.candidates(mesh, x0, x1)
        a, b = (Interface(driver.put(x), x.shape, "<f8") for x in (x0, x1))
        for got in (
            ccd.step.collisions_on_device(mesh, a, b, device="gpu"),
            ccd.step.collisions_on_device(mesh, x0, x1),
            pairs.step(a, b).collisions_on_device(),
        ):
            assert set(got) == {*want.dtype.names, "pairs"} - {"reserved"} and len(want) > 100
            for name, column in got.items():
                host = np.stack([want["a"], want["b"]], 1) if name == "pairs" else want[name]
                for found in (read_interface(column), read_dlpack(column)):
                    assert found.dtype == host.dtype == column.dtype and found.shape == host.shape == column.shape
                    assert found.tobytes() == host.tobytes(), name
        for kind in ccd.Kind:
            got = pairs.on_device(kind)
            assert read_dlpack(got["pairs"]).tolist() == pairs[kind].tolist()
            assert read_interface(got["b"]).tolist() == pairs[kind][:, 1].tolist()
        assert len(pairs["edge-edge"]) > 100 and len(pairs["point-point"]) == 0
        assert got["pairs"].__cuda_array_interface__["data"] == (0, False) and got["a"].__dlpack_device__() == (CUDA, 0)

    def test_results_live_until_the_last_consumer_lets_go(self, driver, scene):
        mesh, x0, x1 = scene
        got = ccd.step.collisions_on_device(mesh, x0, x1)
        column = got["toi_lo"]
        address = column.__cuda_array_interface__["data"][0]
        unused, used = column.__dlpack__(), column.__dlpack__(stream=1, max_version=(1, 0), copy=False)
        tensor = consume(used)
        del got, column, used
        assert driver.knows(address)
        del unused
        gc.collect()
        assert (
            driver.knows(address)
            and np.ctypeslib.as_array(ctypes.cast(address, ctypes.POINTER(ctypes.c_double)), (1,))[0] == 0.5
        )
        tensor.delete()
        assert not driver.knows(address)

    def test_results_that_are_refused(self, driver, scene):
        mesh, x0, x1 = scene
        got = ccd.step.collisions_on_device(mesh, x0, x1)
        with pytest.raises(BufferError, match="copy is True"):
            got["a"].__dlpack__(copy=True)
        with pytest.raises(BufferError, match=r"dl_device is \(1, 0\): the array is on \(2, 0\)"):
            got["a"].__dlpack__(dl_device=(HOST, 0))
        with pytest.raises(ccd.ArgumentError, match="name is 'time': must be one of verdict, kind, pairs, a, b, toi_lo"):
            got["time"]
        pairs = ccd.broad.candidates(mesh, x0, x1)
        with pytest.raises(
            ccd.OutOfMemoryError, match="memory_limit is 100: the columns need 256 bytes on the device, of which 100"
        ):
            pairs.on_device("edge-edge", memory_limit=100)
        with pytest.raises(ccd.UnsupportedError, match=r"device_index is 1: device 1 .* only devices of NVIDIA's driver share"):
            pairs.on_device("edge-edge", device_index=1)
        with pytest.raises(ccd.UnsupportedError, match="device_index is 9: there is no device 9"):
            pairs.on_device("edge-edge", device_index=9)
        column, few = abi.DeviceColumn(), pairs.on_device("vertex-face")
        with pytest.raises(ccd.ArgumentError, match='name is "x": must be one of pairs, a, b'):
            check(abi.library().ccd_device_columns_get(few["a"]._owner.handle, b"x", ctypes.byref(column)))

    def test_no_vertices(self, driver):
        mesh = ccd.Mesh(faces=np.zeros((0, 3), int), vertices=0)
        empty = Interface(0, (0, 3))
        assert ccd.step.earliest(mesh, empty, empty).verdict == ccd.Verdict.SEPARATE

    def test_example(self, driver, capsys):
        example = importlib.util.spec_from_file_location("arrays_example", EXAMPLE)
        module = importlib.util.module_from_spec(example)
        example.loader.exec_module(module)
        put = lambda x: Interface(driver.put(x), x.shape, "<f4")  # noqa: E731
        read = lambda hits: (read_dlpack(hits["toi_lo"]).min(), read_interface(hits["pairs"]).max())  # noqa: E731
        module.PACKAGES["stand-in"] = lambda x, speed: (put(x), put(x + speed)), read
        assert module.main(["stand-in"]) == 0
        assert re.search(r"^stand-in: \d{3,} impacts, the first at t = 0\.\d+, as on the CPU$", capsys.readouterr().out)


@pytest.mark.skipif(not EXAMPLE.is_file(), reason="no checkout: the example is not there")
class TestExample:
    def test_packages_without_a_device_are_skipped(self):
        result = subprocess.run([sys.executable, EXAMPLE], capture_output=True, text=True, timeout=300)
        assert result.returncode == 0, result.stdout + result.stderr
        lines = re.findall(r"^(cupy|torch|warp): (skipped \(.+\)|.* as on the CPU)$", result.stdout, re.M)
        assert [name for name, _ in lines] == ["cupy", "torch", "warp"]


@pytest.mark.skipif(not (ROOT / "gpu" / "testdata").is_dir(), reason="no checkout: the stand-in is not there")
@pytest.mark.skipif(bool(STAND_IN), reason="this is the other process")
def test_on_the_stand_in(tmp_path):
    if not shutil.which("cc") or not shutil.which("go"):
        pytest.skip("the stand-in needs a C compiler and Go")
    listed = subprocess.run(
        [sys.executable, "-c", "import ccd; print([d.name for d in ccd.devices() if not d.refused])"],
        env={**os.environ, "CCD_OPENCL_CPU": "1"}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    if "pthread" not in listed.stdout and "cpu" not in listed.stdout:
        pytest.skip(f"PoCL is not among the devices: {listed.stdout.strip()}")
    library, kernels = tmp_path / "libcuda.so", tmp_path / "kernels.cl"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, ROOT / "gpu" / "testdata" / "cuda.c", "-ldl"], check=True)
    made = subprocess.run(["go", "run", "./core/ccdtest/kernels"], cwd=ROOT, capture_output=True, check=True)
    kernels.write_bytes(made.stdout)
    environment = {"CCD_LIBCUDA": str(library), "CCD_STANDIN_PROGRAM": str(kernels), "CCD_STAND_IN": "1", "CCD_OPENCL_CPU": "1"}
    result = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "TestSteps", __file__],
        env={**os.environ, **environment}, cwd=ROOT, capture_output=True, text=True, timeout=900,
    )  # fmt: skip
    text = result.stdout + result.stderr
    assert result.returncode == 0 and " passed" in text and "skipped" not in text, text
