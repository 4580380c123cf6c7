"""Arguments that several commands share, and the options of a call that are made from them."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from .. import errors
from ..impact import Kind
from ..options import Method, Norm

#: The arguments that say how rigid bodies move, by the names in the program.
MOVING = ("pose", "velocity", "angular_velocity", "pose_b", "velocity_b", "angular_velocity_b")

#: The same as the command line names them.
MOVING_OPTIONS = [f"--{name}".replace("_", "-") for name in MOVING]

# The methods of a call, by what it is about.
PAIR_METHODS = [str(m) for m in (Method.DEFAULT, Method.TIGHT_INCLUSION, Method.TIME_CONTRACTED, Method.EXACT)]
VOLUME_METHODS = [*PAIR_METHODS, str(Method.VOLCCD)]
RIGID_METHODS = [str(m) for m in (Method.DEFAULT, Method.D2M, Method.D2M_SPHERES)]
PATCH_METHODS = [str(m) for m in (Method.DEFAULT, Method.TIGHT_INCLUSION, Method.TIME_CONTRACTED)]


def add_options(parser: argparse.ArgumentParser, methods: Sequence[str] = PAIR_METHODS, tolerance: float = 1e-6) -> None:
    """The options of a call: what counts as a contact, and what the call may use."""
    parser.add_argument("--min-separation", type=float, default=0.0, metavar="D", help="contact means distance <= D (0)")
    text = "the norm of D (default: euclidean); max is not for rigid bodies, patches and near pairs"
    parser.add_argument("--norm", choices=[str(n) for n in Norm], default="default", help=text)
    text = "how near a reported contact must be ({})".format(f"{tolerance:g}".replace("e-0", "e-"))
    parser.add_argument("--tolerance", type=float, default=tolerance, metavar="D", help=text)
    parser.add_argument("--t-max", type=float, default=1.0, metavar="T", help="count only times up to this (1)")
    if methods:
        text = "method of the narrow phase (default)"
        parser.add_argument("--method", type=_word, choices=methods, default="default", help=text)
    text = "budget of one query; 0 = none (1000000)"
    parser.add_argument("--max-iterations", type=int, default=1000000, metavar="N", help=text)
    parser.add_argument("--threads", type=int, default=0, metavar="N", help="0 = all this process may use (0)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def add_radii(parser: Any) -> None:
    """The thickness of cloth, rods and points."""
    one = parser.add_mutually_exclusive_group()
    one.add_argument(
        "--radius", type=float, metavar="R", help="radius of every vertex, added to the separation of its pairs (0)"
    )
    one.add_argument("--radii", metavar="FILE", help="a radius for each vertex: .npy, or text with a number a line")


def add_exclude_near(parser: Any) -> None:
    """Pairs that are near in the mesh."""
    text = "leave out pairs within N edges of each other in the mesh that are within their separation in A, as in thick cloth"
    parser.add_argument("--exclude-near", type=int, metavar="N", help=text)


def add_frames(parser: Any) -> None:
    """How the frames in files are meant."""
    text = "add these point data of each file to its vertices: of files that hold rest positions"
    parser.add_argument("--displacement", metavar="NAME", help=text)
    text = "join points that are copies of each other in the first frame: of files with points for each element"
    parser.add_argument("--weld", action="store_true", help=text)


def add_films(parser: Any) -> None:
    """What a film needs that its file does not say."""
    parser.add_argument("--animation", metavar="NAME", help="the animation of a glTF that has several; * is all at once")
    parser.add_argument(
        "--mesh", dest="mesh_file", metavar="FILE", help="a file with the faces, for PC2 and MDD; the deck of an OP2"
    )


def refuse(given: argparse.Namespace, names: Iterable[str], why: str) -> None:
    """Refuse options that would have no effect, if the command line names them."""
    for name in names:
        if name in given.named:
            raise errors.ArgumentError(f"{name} would have no effect: {why}; leave it out")


def refuse_others(given: argparse.Namespace, names: Iterable[str], why: str) -> None:
    """Refuse all options but these, if the command line names them."""
    refuse(given, [name for name in given.named if name not in names], why)


def _word(text: str) -> str:
    return text.replace("_", "-")


def options(given: argparse.Namespace) -> dict[str, Any]:
    """The keywords of a call."""
    return dict(
        min_separation=given.min_separation,
        norm=given.norm,
        tolerance=given.tolerance,
        t_max=given.t_max,
        method=getattr(given, "method", None) or "default",
        max_iterations=given.max_iterations,
        threads=given.threads,
    )


# ---- kinds of queries


def kind(name: str) -> Kind:
    """The kind of queries that a word names."""
    try:
        found: Kind = Kind.of("kind", name)
        return found
    except errors.ArgumentError:
        raise argparse.ArgumentTypeError(f"{name!r}: must be one of {', '.join(map(str, Kind))}") from None


def kind_of(path: str, given: Kind | None) -> Kind:
    """The kind of a file's queries: as given, or read from its path, the nearest part first."""
    if given is not None:
        return given
    for part in reversed(Path(path).resolve().parts):
        name = part.lower().replace("_", "-")
        for found, word, short in ((Kind.VERTEX_FACE, "vertex-face", "vf"), (Kind.EDGE_EDGE, "edge-edge", "ee")):
            if word in name or (name.endswith(".csv") and name.split(".")[0].endswith(short)):
                return found
    raise errors.ArgumentError(f"{path}: the path does not name the kind of its queries: give --kind")


# ---- rigid bodies


def add_motions(parser: Any) -> None:
    """The motions of two bodies, and the first time that counts."""
    for side, body in (("", "A"), ("-b", "B")):
        parser.add_argument(f"--pose{side}", type=_pose, metavar="X,Y,Z[,QW,QX,QY,QZ]", help=f"of {body} at t = 0 (origin)")
        parser.add_argument(f"--velocity{side}", type=_three, metavar="X,Y,Z", help=f"of {body}'s origin (0)")
        text = f"of {body}, axis times radians per unit of time (0)"
        parser.add_argument(f"--angular-velocity{side}", type=_three, metavar="X,Y,Z", help=text)
    parser.add_argument("--t-min", type=float, default=0.0, metavar="T", help="count only times from this on (0)")


def add_root(parser: Any) -> None:
    """Where the files of a scene may be."""
    parser.add_argument("--root", metavar="DIR", help="files of a scene may not be outside of this folder (anywhere)")
    parser.add_argument("--strict", action="store_true", help="the same with the scene's own folder: for scenes of others")


def _numbers(text: str, *counts: int) -> list[float]:
    try:
        values = [float(x) for x in text.split(",")]
    except ValueError:
        values = []
    if len(values) not in counts or not all(abs(x) <= 1e150 for x in values):
        raise argparse.ArgumentTypeError(f"{text!r}: give {' or '.join(map(str, counts))} finite numbers with commas between")
    return values


def _three(text: str) -> list[float]:
    return _numbers(text, 3)


def _pose(text: str) -> list[float]:
    values = _numbers(text, 3, 7)
    if len(values) == 7 and not any(values[3:]):
        raise argparse.ArgumentTypeError(f"{text!r}: the quaternion is 0")
    return values if len(values) == 7 else [*values, 1.0, 0.0, 0.0, 0.0]


def pose(text: str) -> list[float]:
    """A position, a position with a quaternion, or a matrix by rows, of 12 or 16 numbers."""
    values = _numbers(text, 3, 7, 12, 16)
    if len(values) == 7 and not any(values[3:]):
        raise argparse.ArgumentTypeError(f"{text!r}: the quaternion is 0")
    return values


# ---- curved patches


def add_moves(parser: Any) -> None:
    """How bodies of patches from files move, and which contacts are listed."""
    for side in "ab":
        parser.add_argument(f"--move-{side}", metavar="X,Y,Z", help=f"how far a file's body {side.upper()} moves (0,0,0)")
    text = "list points of first contact alone, at least D from each other"
    parser.add_argument("--manifold", type=float, metavar="D", help=text)
    text = "with --manifold: contacts this much later than the earliest count too (1e-3)"
    parser.add_argument("--t-window", type=float, default=1e-3, metavar="T", help=text)
