"""include/ccd.h in ctypes: the structs, the prototypes, and the search for the shared library.

Nothing is loaded before the first call of `library()`: `import ccd` starts no Go runtime, so a program may still fork.
"""

from __future__ import annotations

import ctypes
import functools
import os
import sys
from ctypes import POINTER, c_char_p, c_double, c_int32, c_int64, c_size_t, c_uint32, c_void_p
from pathlib import Path
from typing import Any

from .errors import LibraryError

VERSION = 100  # CCD_VERSION of the header these declarations follow

PROGRESS = ctypes.CFUNCTYPE(c_int32, c_double, c_void_p)


class Stats(ctypes.Structure):
    """ccd_stats"""

    _fields_ = [
        ("struct_size", c_size_t),
        ("boxes", c_int64),
        ("candidates", c_int64 * 4),
        ("impacts", c_int64),
        ("undecided", c_int64),
        ("seconds_build", c_double),
        ("seconds_broad", c_double),
        ("seconds_narrow", c_double),
        ("seconds_total", c_double),
        ("peak_bytes", c_int64),
        ("threads", c_int32),
        ("reserved", c_int32),
    ]


class Options(ctypes.Structure):
    """ccd_options"""

    _fields_ = [
        ("struct_size", c_size_t),
        ("tolerance", c_double),
        ("min_separation", c_double),
        ("t_max", c_double),
        ("max_boxes", c_int64),
        ("method", c_int32),
        ("threads", c_int32),
        ("flags", c_uint32),
        ("reserved", c_uint32),
        ("memory_limit", c_size_t),
        ("progress", PROGRESS),
        ("progress_user", c_void_p),
        ("scene_bound", c_double * 3),
        ("stats", POINTER(Stats)),
    ]


class Impact(ctypes.Structure):
    """ccd_impact"""

    _fields_ = [
        ("verdict", c_int32),
        ("kind", c_int32),
        ("a", c_int64),
        ("b", c_int64),
        ("toi_lo", c_double),
        ("toi_hi", c_double),
        ("u", c_double),
        ("v", c_double),
        ("point", c_double * 3),
        ("normal", c_double * 3),
        ("width", c_double),
        ("flags", c_uint32),
        ("reserved", c_uint32),
    ]


class Bound(ctypes.Structure):
    """ccd_bound"""

    _fields_ = [("alpha", c_double), ("distance", c_double), ("separation", c_double)]


class Constraint(ctypes.Structure):
    """ccd_constraint"""

    _fields_ = [("impact", Impact), ("vertices", c_int32 * 4), ("weights", c_double * 4), ("gap", c_double)]


class Slab(ctypes.Structure):
    """ccd_slab"""

    _fields_ = [("axis", c_int32), ("reserved", c_int32), ("lo", c_double), ("hi", c_double)]


class Intersection(ctypes.Structure):
    """ccd_intersection"""

    _fields_ = [("kind", c_int32), ("reserved", c_int32), ("a", c_int64), ("b", c_int64)]


class NearPair(ctypes.Structure):
    """ccd_near_pair"""

    _fields_ = [
        ("kind", c_int32),
        ("reserved", c_int32),
        ("a", c_int64),
        ("b", c_int64),
        ("lo", c_double),
        ("hi", c_double),
        ("u", c_double),
        ("v", c_double),
        ("point_a", c_double * 3),
        ("point_b", c_double * 3),
    ]


class RigidMotion(ctypes.Structure):
    """ccd_rigid_motion"""

    _fields_ = [
        ("rotation", c_double * 4),
        ("position", c_double * 3),
        ("velocity", c_double * 3),
        ("spin", c_double * 3),
        ("pivot", c_double * 3),
    ]


class RigidOptions(ctypes.Structure):
    """ccd_rigid_options"""

    _fields_ = [
        ("struct_size", c_size_t),
        ("t0", c_double),
        ("t1", c_double),
        ("separation", c_double),
        ("tolerance", c_double),
        ("max_steps", c_int64),
        ("method", c_int32),
        ("flags", c_uint32),
    ]


class RigidImpact(ctypes.Structure):
    """ccd_rigid_impact"""

    _fields_ = [
        ("verdict", c_int32),
        ("flags", c_uint32),
        ("toi_lo", c_double),
        ("toi_hi", c_double),
        ("face_a", c_int64),
        ("face_b", c_int64),
        ("feature_a", c_int32),
        ("feature_b", c_int32),
        ("point_a", c_double * 3),
        ("point_b", c_double * 3),
        ("normal", c_double * 3),
        ("distance", c_double),
        ("steps", c_int64),
    ]


class RigidContact(ctypes.Structure):
    """ccd_rigid_contact"""

    _fields_ = [("a", c_int64), ("b", c_int64), ("impact", RigidImpact)]


class RigidMeshContact(ctypes.Structure):
    """ccd_rigid_mesh_contact"""

    _fields_ = [("body", c_int64), ("element", c_int32), ("reserved", c_int32), ("impact", RigidImpact)]


class PatchForm(ctypes.Structure):
    """ccd_patch_form"""

    _fields_ = [("shape", c_int32), ("u", c_int32), ("v", c_int32)]


class PatchImpact(ctypes.Structure):
    """ccd_patch_impact"""

    _fields_ = [
        ("verdict", c_int32),
        ("flags", c_uint32),
        ("a", c_int64),
        ("b", c_int64),
        ("toi_lo", c_double),
        ("toi_hi", c_double),
        ("uv_a", c_double * 2),
        ("uv_b", c_double * 2),
        ("point", c_double * 3),
        ("normal", c_double * 3),
        ("width", c_double),
    ]


class PatchLeft(ctypes.Structure):
    """ccd_patch_left"""

    _fields_ = [("pairs", c_int64), ("from", c_double)]


class VolumeContact(ctypes.Structure):
    """ccd_volume_contact"""

    _fields_ = [
        ("impact", Impact),
        ("vertices", c_int32 * 4),
        ("elements", c_int32 * 2),
        ("cls", c_uint32),
        ("reserved", c_uint32),
    ]


_HANDLE, _ARRAY, _OPTIONS = c_void_p, c_void_p, POINTER(Options)
_OUT_HANDLE, _OUT_SIZE, _OUT_IMPACT = POINTER(c_void_p), POINTER(c_size_t), POINTER(Impact)

_PAIR = [_ARRAY, _OPTIONS, _OUT_IMPACT]
_PAIRS = [_ARRAY, c_size_t, _OPTIONS, _ARRAY]
_STEP = [_HANDLE, _ARRAY, _ARRAY, c_size_t]
_FRAME = [_HANDLE, _ARRAY, c_size_t]
_RIGID = [_HANDLE, _ARRAY, _HANDLE, _ARRAY]
_RIGID_SCENE = [_ARRAY, _ARRAY, c_size_t, _ARRAY, _ARRAY, c_size_t, POINTER(RigidOptions), _OPTIONS]
_RIGID_MESH = [_ARRAY, _ARRAY, c_size_t, *_STEP, POINTER(RigidOptions), _OPTIONS]
_SLAB = [*_STEP, POINTER(Slab), _OPTIONS]

_FORM = POINTER(PatchForm)
_PATCHES = [*_STEP, *_STEP]

# name -> (result, arguments), in the header's order. A test compares this table with the header.
PROTOTYPES: dict[str, tuple[Any, list[Any]]] = {
    "ccd_status_name": (c_char_p, [c_int32]),
    "ccd_last_error": (c_size_t, [c_char_p, c_size_t]),
    "ccd_version": (c_uint32, []),
    "ccd_simd_level": (c_char_p, []),
    "ccd_options_init": (None, [_OPTIONS, c_size_t]),
    "ccd_pair_vertex_face": (c_int32, _PAIR),
    "ccd_pair_edge_edge": (c_int32, _PAIR),
    "ccd_pair_point_edge": (c_int32, _PAIR),
    "ccd_pair_point_point": (c_int32, _PAIR),
    "ccd_pairs_vertex_face": (c_int32, _PAIRS),
    "ccd_pairs_edge_edge": (c_int32, _PAIRS),
    "ccd_pairs_point_edge": (c_int32, _PAIRS),
    "ccd_pairs_point_point": (c_int32, _PAIRS),
    "ccd_mesh_create": (c_int32, [c_size_t, _ARRAY, c_size_t, _ARRAY, c_size_t, _OUT_HANDLE]),
    "ccd_mesh_destroy": (c_int32, [_HANDLE]),
    "ccd_mesh_counts": (c_int32, [_HANDLE, _OUT_SIZE, _OUT_SIZE, _OUT_SIZE]),
    "ccd_mesh_edges": (c_int32, [_HANDLE, _ARRAY, c_size_t, _OUT_SIZE]),
    "ccd_mesh_faces": (c_int32, [_HANDLE, _ARRAY, c_size_t, _OUT_SIZE]),
    "ccd_mesh_set_patches": (c_int32, [_HANDLE, _ARRAY, c_size_t]),
    "ccd_mesh_set_components": (c_int32, [_HANDLE]),
    "ccd_mesh_set_static": (c_int32, [_HANDLE, _ARRAY, c_size_t]),
    "ccd_mesh_set_excluded": (c_int32, [_HANDLE, c_int32, _ARRAY, c_size_t]),
    "ccd_broad_candidates": (c_int32, [*_STEP, _OPTIONS, _OUT_HANDLE]),
    "ccd_candidates_count": (c_int32, [_HANDLE, _OUT_SIZE, _OUT_SIZE]),
    "ccd_candidates_count_kind": (c_int32, [_HANDLE, c_int32, _OUT_SIZE]),
    "ccd_candidates_copy": (c_int32, [_HANDLE, c_int32, _ARRAY, c_size_t, _OUT_SIZE]),
    "ccd_candidates_destroy": (c_int32, [_HANDLE]),
    "ccd_step_earliest": (c_int32, [*_STEP, _OPTIONS, _OUT_IMPACT]),
    "ccd_step_collisions": (c_int32, [*_STEP, _OPTIONS, _OUT_HANDLE]),
    "ccd_step_pairs": (c_int32, [*_STEP, c_int32, _ARRAY, c_size_t, _OPTIONS, _ARRAY]),
    "ccd_step_size": (c_int32, [*_STEP, _OPTIONS, POINTER(c_double)]),
    "ccd_impacts_count": (c_int32, [_HANDLE, _OUT_SIZE]),
    "ccd_impacts_copy": (c_int32, [_HANDLE, _ARRAY, c_size_t, _OUT_SIZE]),
    "ccd_impacts_destroy": (c_int32, [_HANDLE]),
    "ccd_candidates_earliest": (c_int32, [*_STEP, _OPTIONS, _OUT_IMPACT]),
    "ccd_candidates_collisions": (c_int32, [*_STEP, _OPTIONS, _OUT_HANDLE]),
    "ccd_candidates_size": (c_int32, [*_STEP, _OPTIONS, POINTER(c_double)]),
    "ccd_step_linesearch": (c_int32, [*_STEP, c_double, _OPTIONS, POINTER(Bound)]),
    "ccd_step_activeset": (c_int32, [*_STEP, _OPTIONS, _OUT_HANDLE]),
    "ccd_constraints_count": (c_int32, [_HANDLE, _OUT_SIZE]),
    "ccd_constraints_copy": (c_int32, [_HANDLE, _ARRAY, c_size_t, _OUT_SIZE]),
    "ccd_constraints_destroy": (c_int32, [_HANDLE]),
    "ccd_step_slabs": (c_int32, [*_STEP, c_size_t, _ARRAY]),
    "ccd_step_slab_earliest": (c_int32, [*_SLAB, _OUT_IMPACT]),
    "ccd_step_slab_collisions": (c_int32, [*_SLAB, _OUT_HANDLE]),
    "ccd_step_slab_size": (c_int32, [*_SLAB, POINTER(c_double)]),
    "ccd_proximity_intersections": (c_int32, [*_FRAME, _OPTIONS, _OUT_HANDLE]),
    "ccd_proximity_intersects": (c_int32, [*_FRAME, _OPTIONS, POINTER(c_int32)]),
    "ccd_intersections_count": (c_int32, [_HANDLE, _OUT_SIZE]),
    "ccd_intersections_copy": (c_int32, [_HANDLE, _ARRAY, c_size_t, _OUT_SIZE]),
    "ccd_intersections_destroy": (c_int32, [_HANDLE]),
    "ccd_proximity_near": (c_int32, [*_FRAME, c_double, _OPTIONS, _OUT_HANDLE]),
    "ccd_near_pairs_count": (c_int32, [_HANDLE, _OUT_SIZE]),
    "ccd_near_pairs_copy": (c_int32, [_HANDLE, _ARRAY, c_size_t, _OUT_SIZE]),
    "ccd_near_pairs_destroy": (c_int32, [_HANDLE]),
    "ccd_proximity_distance": (c_int32, [*_FRAME, _OPTIONS, POINTER(NearPair)]),
    "ccd_rigid_options_init": (None, [POINTER(RigidOptions), c_size_t]),
    "ccd_rigid_body_create": (c_int32, [_ARRAY, c_size_t, _ARRAY, c_size_t, _OUT_HANDLE]),
    "ccd_rigid_body_destroy": (c_int32, [_HANDLE]),
    "ccd_rigid_earliest": (c_int32, [*_RIGID, POINTER(RigidOptions), POINTER(RigidImpact)]),
    "ccd_rigid_batch": (c_int32, [*_RIGID, c_size_t, POINTER(RigidOptions), _ARRAY]),
    "ccd_rigid_pose": (c_int32, [POINTER(RigidMotion), c_double, _ARRAY, _ARRAY]),
    "ccd_rigid_between": (c_int32, [_ARRAY, _ARRAY, _ARRAY, _ARRAY, c_double, _ARRAY, POINTER(RigidMotion)]),
    "ccd_rigid_screw": (c_int32, [_ARRAY, _ARRAY, _ARRAY, _ARRAY, c_double, POINTER(RigidMotion)]),
    "ccd_rigid_scene_earliest": (c_int32, [*_RIGID_SCENE, _ARRAY]),
    "ccd_rigid_scene_contacts": (c_int32, [*_RIGID_SCENE, _OUT_HANDLE]),
    "ccd_rigid_contacts_count": (c_int32, [_HANDLE, _OUT_SIZE]),
    "ccd_rigid_contacts_copy": (c_int32, [_HANDLE, _ARRAY, c_size_t, _OUT_SIZE]),
    "ccd_rigid_contacts_destroy": (c_int32, [_HANDLE]),
    "ccd_rigid_mesh_earliest": (c_int32, [*_RIGID_MESH, _ARRAY]),
    "ccd_rigid_mesh_collisions": (c_int32, [*_RIGID_MESH, _OUT_HANDLE]),
    "ccd_rigid_mesh_contacts_count": (c_int32, [_HANDLE, _OUT_SIZE]),
    "ccd_rigid_mesh_contacts_copy": (c_int32, [_HANDLE, _ARRAY, c_size_t, _OUT_SIZE]),
    "ccd_rigid_mesh_contacts_destroy": (c_int32, [_HANDLE]),
    "ccd_volume_create": (c_int32, [c_size_t, _ARRAY, c_size_t, _ARRAY, c_size_t, _OUT_HANDLE]),
    "ccd_volume_destroy": (c_int32, [_HANDLE]),
    "ccd_volume_counts": (c_int32, [_HANDLE, _OUT_SIZE, _OUT_SIZE, _OUT_SIZE, _OUT_SIZE]),
    "ccd_volume_edges": (c_int32, [_HANDLE, _ARRAY, c_size_t, _OUT_SIZE]),
    "ccd_volume_faces": (c_int32, [_HANDLE, _ARRAY, c_size_t, _OUT_SIZE]),
    "ccd_volume_origins": (c_int32, [_HANDLE, _ARRAY, c_size_t, _OUT_SIZE]),
    "ccd_volume_add_vertices": (c_int32, [_HANDLE, _ARRAY, c_size_t, POINTER(c_int32)]),
    "ccd_volume_add": (c_int32, [_HANDLE, _ARRAY, c_size_t, _ARRAY, c_size_t, POINTER(c_int32)]),
    "ccd_volume_remove": (c_int32, [_HANDLE, _ARRAY, c_size_t]),
    "ccd_volume_split": (c_int32, [_HANDLE, c_int32, _ARRAY, c_size_t, POINTER(c_int32)]),
    "ccd_volume_merge": (c_int32, [_HANDLE, c_int32, c_int32]),
    "ccd_volume_earliest": (c_int32, [*_STEP, c_uint32, _OPTIONS, _ARRAY]),
    "ccd_volume_collisions": (c_int32, [*_STEP, c_uint32, _OPTIONS, _OUT_HANDLE]),
    "ccd_volume_contacts_count": (c_int32, [_HANDLE, _OUT_SIZE]),
    "ccd_volume_contacts_copy": (c_int32, [_HANDLE, _ARRAY, c_size_t, _OUT_SIZE]),
    "ccd_volume_contacts_destroy": (c_int32, [_HANDLE]),
    "ccd_volume_trajectories": (c_int32, [_ARRAY, _ARRAY, _ARRAY, c_size_t, c_double, _ARRAY, c_size_t]),
    "ccd_patch_pair": (c_int32, [_FORM, _ARRAY, _ARRAY, _ARRAY, _FORM, _ARRAY, _ARRAY, _ARRAY, _OPTIONS, _ARRAY]),
    "ccd_patch_create": (c_int32, [c_size_t, _FORM, c_size_t, _ARRAY, c_size_t, _ARRAY, _OUT_HANDLE]),
    "ccd_patch_create_nurbs": (c_int32, [c_int32, c_int32, _ARRAY, c_size_t, _ARRAY, c_size_t, _ARRAY, _OUT_HANDLE]),
    "ccd_patch_destroy": (c_int32, [_HANDLE]),
    "ccd_patch_counts": (c_int32, [_HANDLE, _OUT_SIZE, _OUT_SIZE]),
    "ccd_patch_earliest": (c_int32, [*_PATCHES, _OPTIONS, _ARRAY]),
    "ccd_patch_collisions": (c_int32, [*_PATCHES, _OPTIONS, _OUT_HANDLE]),
    "ccd_patch_manifold": (c_int32, [*_PATCHES, c_double, c_double, _OPTIONS, _OUT_HANDLE]),
    "ccd_patch_self_earliest": (c_int32, [*_STEP, c_double, _OPTIONS, _ARRAY, POINTER(PatchLeft)]),
    "ccd_patch_self_collisions": (c_int32, [*_STEP, c_double, _OPTIONS, _OUT_HANDLE, POINTER(PatchLeft)]),
    "ccd_patch_self_manifold": (
        c_int32,
        [*_STEP, c_double, c_double, c_double, _OPTIONS, _OUT_HANDLE, POINTER(PatchLeft)],
    ),
    "ccd_patch_impacts_count": (c_int32, [_HANDLE, _OUT_SIZE]),
    "ccd_patch_impacts_copy": (c_int32, [_HANDLE, _ARRAY, c_size_t, _OUT_SIZE]),
    "ccd_patch_impacts_destroy": (c_int32, [_HANDLE]),
    "ccd_patch_file_read": (c_int32, [c_char_p, _OUT_HANDLE]),
    "ccd_patch_file_counts": (c_int32, [_HANDLE, _OUT_SIZE, _OUT_SIZE, _OUT_SIZE, _OUT_SIZE, POINTER(c_double)]),
    "ccd_patch_file_copy": (c_int32, [_HANDLE, _ARRAY, _FORM, _ARRAY, _ARRAY]),
    "ccd_patch_file_destroy": (c_int32, [_HANDLE]),
    "ccd_file_read": (c_int32, [c_char_p, _OUT_HANDLE]),
    "ccd_file_counts": (c_int32, [_HANDLE, _OUT_SIZE, _OUT_SIZE, _OUT_SIZE]),
    "ccd_file_copy": (c_int32, [_HANDLE, _ARRAY, _ARRAY, _ARRAY]),
    "ccd_file_destroy": (c_int32, [_HANDLE]),
    "ccd_cells_read": (c_int32, [c_char_p, _OUT_HANDLE]),
    "ccd_cells_counts": (c_int32, [_HANDLE, _OUT_SIZE, _OUT_SIZE, _OUT_SIZE]),
    "ccd_cells_copy": (c_int32, [_HANDLE, _ARRAY, _ARRAY, _ARRAY]),
    "ccd_cells_destroy": (c_int32, [_HANDLE]),
    "ccd_queries_read": (c_int32, [c_char_p, _OUT_HANDLE]),
    "ccd_queries_count": (c_int32, [_HANDLE, _OUT_SIZE, POINTER(c_int32)]),
    "ccd_queries_copy": (c_int32, [_HANDLE, _ARRAY, _ARRAY]),
    "ccd_queries_destroy": (c_int32, [_HANDLE]),
}


def _names() -> tuple[str, ...]:
    """File names of the shared library on this system: as installed, then as built."""
    if sys.platform == "darwin":
        return "libccd-toi.1.dylib", "libccd.dylib"
    if sys.platform == "win32":
        return "ccd-toi-1.dll", "ccd.dll"
    return "libccd-toi.so.1", "libccd.so"


def library_path() -> Path:
    """Where the shared library is: CCD_LIBRARY in the environment, else beside this package, else the checkout's build/.

    Raises LibraryError when it is nowhere, saying where it was looked for.
    """
    given = os.environ.get("CCD_LIBRARY")
    if given:
        if not Path(given).is_file():
            raise LibraryError(f"CCD_LIBRARY is {given!r}: no such file")
        return Path(given)
    here = Path(__file__).resolve().parent
    folders = [here]
    checkout = here.parents[2]
    if (checkout / "include" / "ccd.h").is_file():
        folders.append(checkout / "build")
    for folder in folders:
        for name in _names():
            if (folder / name).is_file():
                return folder / name
    looked = ", ".join(str(folder) for folder in folders)
    raise LibraryError(f"the shared library {_names()[-1]} is not in {looked}: run `make lib`, or set CCD_LIBRARY to its path")


@functools.cache
def library() -> ctypes.CDLL:
    """The shared library with its prototypes, loaded on the first call. A CDLL releases the GIL in every call."""
    path = library_path()
    try:
        lib = ctypes.CDLL(str(path))
    except OSError as error:
        raise LibraryError(f"{path} cannot be loaded: {error}") from error
    for name, (result, arguments) in PROTOTYPES.items():
        try:
            function = getattr(lib, name)
        except AttributeError:
            raise LibraryError(f"{path} has no {name}: it is another library, or older than this package") from None
        function.restype, function.argtypes = result, arguments
    version = lib.ccd_version()
    if version // 10000 != VERSION // 10000 or version < VERSION:
        raise LibraryError(f"{path} is of version {version}, this package needs {VERSION} or newer of the same major")
    return lib


def last_error() -> str:
    """Text of the last error on this thread."""
    lib = library()
    buffer = ctypes.create_string_buffer(512)
    length = lib.ccd_last_error(buffer, len(buffer))
    if length >= len(buffer):
        buffer = ctypes.create_string_buffer(length + 1)
        lib.ccd_last_error(buffer, len(buffer))
    return buffer.value.decode("utf-8", "replace")
