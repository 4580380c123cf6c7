"""The command `ccd schema`: what `--json` prints, as JSON schemas, one for every command.

The tests check the output of every command against its schema.
"""

from __future__ import annotations

import argparse
from typing import Any

from .. import errors
from ..audit import Verdict as AuditVerdict
from ..gradient import GradientState
from ..impact import EDGE_FACE, Kind, Reason, Verdict
from ..options import Device, Norm, Stats
from ..rigid import Containment
from ..robot import Verdict as RobotVerdict
from ..step import Cause
from . import output

Schema = dict[str, Any]


class _Maybe(dict[str, Any]):
    """A property that may be missing."""


def _obj(about: str, /, **properties: Schema) -> Schema:
    required = [name for name, p in properties.items() if not isinstance(p, _Maybe)]
    plain = {name: dict(p) for name, p in properties.items()}
    return {"type": "object", "description": about, "properties": plain, "required": required, "additionalProperties": False}


def _is(kind: str, about: str = "", **more: Any) -> Schema:
    return {"type": kind} | ({"description": about} if about else {}) | more


def _or_null(schema: Schema) -> Schema:
    return schema | ({"type": [schema["type"], "null"]} if isinstance(schema.get("type"), str) else {})


def _list(items: Schema, about: str = "", size: int | None = None) -> Schema:
    return _is("array", about, items=items, **({} if size is None else {"minItems": size, "maxItems": size}))


def _text_(about: str = "", *words: str) -> Schema:
    return _is("string", about, **({"enum": list(words)} if words else {}))


_COUNT, _NUMBER = _is("integer", minimum=0), _is("number")
_VECTOR = _list(_NUMBER, size=3)
_VERDICT = _text_("separate is a proof", *map(str, Verdict))
_KIND = _text_("what meets what", *map(str, Kind))
_FILES = _list(_text_(), "the files that were read")
_TIME = _or_null(_is("number", "a fraction of the step; null when separate"))
_FLAG = _is("boolean")

_OPTIONS = {
    "min_separation": _NUMBER,
    "norm": _text_("of min_separation", *map(str, Norm)),
    "tolerance": _NUMBER,
    "t_max": _NUMBER,
    "method": _text_(),
    "max_iterations": _is("integer"),
    "threads": _is("integer"),
}
_IMPACT = {
    "verdict": _VERDICT,
    "reason": _or_null(
        _text_("why it is undecided; null if it is decided", *map(str, Reason)) | {"enum": [*map(str, Reason), None]}
    ),
    "kind": _or_null(_KIND | {"enum": [*map(str, Kind), None]}),
    "a": _is("integer", "the first primitive: a vertex, edge or point"),
    "b": _is("integer", "the second: a face, edge or point"),
    "toi_lo": _TIME | {"description": "no contact before it: every shorter step is safe; null when separate"},
    "toi_hi": _TIME,
    "u": _NUMBER,
    "v": _NUMBER,
    "point": _VECTOR,
    "normal": _VECTOR | {"description": "unit, from b to a; zeros when separate"},
    "width": _NUMBER,
    "certified": _FLAG,
    "initial_contact": _FLAG,
    "intersecting": _FLAG | {"description": "an edge passes through a face at the start"},
}
_STATS = _obj(
    "what the call did",
    **{
        name: _COUNT if "seconds" not in name else _is("number", "seconds")
        for name in Stats.__dataclass_fields__
        if name not in ("candidates", "device_used")
    },
    device_used=_FLAG,
    candidates=_obj("pairs that the narrow phase tested", **{str(kind): _COUNT for kind in Stats().candidates}),
)
_REMARKS = {
    "notes": _list(_text_(), "what in the input is probably meant otherwise, and remarks of readers"),
    "left_out": _list(
        _obj("of one file", file=_text_(), what=_text_("a plural, as faces given twice"), count=_COUNT),
        "what readers left out of files",
    ),
}
_TALLIES = dict.fromkeys(("queries", "contacts", "undecided", "truths", "missed", "false_contacts"), _COUNT)


def _where() -> dict[str, Schema]:
    """Where two bodies are nearest."""
    return {
        **dict.fromkeys(("index_a", "index_b"), _is("integer", "the triangle of the point")),
        **dict.fromkeys(("feature_a", "feature_b"), _is("integer", "of the triangle: 0-2 corner, 3-5 edge, 6 face")),
        **dict.fromkeys(("point_a", "point_b"), _VECTOR | {"description": "about nearest points, in the world"}),
        "normal": _VECTOR | {"description": "unit, from b to a, in the world; zeros where none is known"},
        "epsilon": _is("number", "how far each point may be from its triangle"),
        "unfinished": _FLAG | {"description": "max_iterations ended the search: the bracket may be wide"},
    }


def _clearance() -> Schema:
    """The clearance of `ccd rigid --clearance`."""
    return _obj(
        "with --clearance or --profile: the least distance over [t_min, t_max]",
        distance_lo=_is("number", "proven for all times"),
        distance_hi=_is("number", "the distance at t is at most this"),
        t=_NUMBER,
        intersecting=_FLAG | {"description": "the surfaces surely share a point at t"},
        **_where(),
    )


def _step_clearance() -> Schema:
    """The clearance of `ccd step --clearance`."""
    return _obj(
        "with --clearance or --profile: the least distance over [0, t_max]; null without a pair",
        distance_lo=_or_null(_is("number", "proven for all times")),
        distance_hi=_or_null(_is("number", "the distance at t is at most this")),
        t=_NUMBER,
        kind=_or_null(_KIND | {"enum": [*map(str, (*Kind, EDGE_FACE))]}),
        **dict.fromkeys(("a", "b"), _is("integer", "primitives of the mesh; -1 without a pair")),
        **dict.fromkeys(("u", "v"), _NUMBER | {"description": "parameters of the nearest points"}),
        **dict.fromkeys(("point_a", "point_b"), _VECTOR | {"description": "nearest points at t; one where they touch"}),
        normal=_VECTOR | {"description": "unit, from b to a; zeros where nothing gives one"},
        epsilon=_is("number", "how far each point may be from its surface"),
        intersecting=_FLAG | {"description": "the pair touches at t"},
    )


def _contained(when: str) -> Schema:
    """The pairs of a scene of which one body is in the other."""
    return _list(
        _obj(
            f"closed bodies of which one is in the other {when}, and which do not touch",
            a=_COUNT,
            b=_COUNT,
            containment=_text_("how a lies to b", "inside", "contains", "overlapping"),
        )
    )


def _manifold_point() -> Schema:
    """One point of `ccd pose --manifold`."""
    where = {name: schema for name, schema in _where().items() if name != "unfinished"}
    return _obj(
        "a point of contact",
        gap_lo=_is("number", "the gap along the normal is at least this"),
        gap_hi=_is("number", "it is at most this; below 0 it is an overlap"),
        **where,
        group=_COUNT | {"description": "points of one group have one normal"},
    )


def _pair_of_scene() -> Schema:
    """One pair of bodies of `ccd pose SCENE.json`."""
    return _obj(
        "the distance of two bodies of a scene",
        a=_COUNT,
        b=_COUNT,
        distance_lo=_is("number", "the distance is at least this, and this is at most --within"),
        distance_hi=_is("number", "it is at most this"),
        intersecting=_FLAG | {"description": "the surfaces share a point, which is exact"},
        **_where(),
        iterations=_COUNT,
    )


def _pose() -> Schema:
    """One pair of poses of `ccd pose`."""
    at = _obj(
        "of the body, in the world",
        rotation=_list(_NUMBER, "quaternion w, x, y, z", 4),
        position=_VECTOR | {"description": "of its origin"},
    )
    slope = _list(_or_null(_NUMBER), "null where there is no derivative", 3)
    return _obj(
        "the distance of the surfaces at a pair of poses",
        pose_a=at,
        pose_b=at,
        distance_lo=_is(
            "number", "the distance is at least this; 0 and distance_hi 0 if and only if the surfaces share a point"
        ),
        distance_hi=_is("number", "it is at most this"),
        intersecting=_FLAG | {"description": "the surfaces share a point, which is exact"},
        **_where(),
        iterations=_COUNT,
        containment=_or_null(_text_("how A lies to B; null unless both are closed") | {"enum": [*map(str, Containment), None]}),
        manifold=_Maybe(
            _obj(
                "with --manifold: where the bodies touch",
                points=_list(_manifold_point(), "in an order that does not depend on triangles"),
                crossing=_FLAG | {"description": "surfaces pass through each other by more than rounding"},
                inside=_FLAG | {"description": "a corner of one body is inside of the other, which is solid"},
            )
        ),
        penetration=_Maybe(
            _obj(
                "with --depth: the least translation of A that separates the bodies",
                lo=_is("number", "the depth is at least this; 0 where a body is not convex"),
                hi=_is("number", "it is at most this; 0 where the bodies touch or are apart"),
                translation=_VECTOR,
                normal=_VECTOR,
                point_a=_VECTOR,
                point_b=_VECTOR,
                epsilon=_NUMBER,
                iterations=_COUNT,
                overlapping=_FLAG,
                upper_bound=_FLAG,
                flags=_COUNT,
            )
        ),
        volume_lo=_or_null(_NUMBER),
        volume_hi=_or_null(_NUMBER),
        gradient=_Maybe(
            _obj(
                "with --gradient: derivatives of the distance; by turns about a body's origin, in the axes of the world",
                state=_text_("defined, or why no derivative is", *map(str, GradientState)),
                **dict.fromkeys(("position_a", "rotation_a", "position_b", "rotation_b"), slope),
            )
        ),
    )


def _audit() -> Schema:
    verdict = _text_("the gravest of what happened; separate is a proof", *map(str, AuditVerdict))
    counts = _obj(
        "how many of each; those that are not there are left out", **dict.fromkeys(map(str, AuditVerdict), _Maybe(_COUNT))
    )
    event = _obj(
        "contacts that belong together",
        verdict=verdict,
        a=_text_("an object"),
        b=_text_("the other, or the same"),
        time=_is("number", "its first contact, a fraction of the step; 0 where it has none, and only crosses"),
        kind=_text_("of the first pair", *map(str, (*Kind, EDGE_FACE))),
        pair=_list(_COUNT, "its primitives", 2),
        point=_VECTOR,
        pairs=_COUNT | {"description": "pairs in contact"},
        before=_COUNT | {"description": "edges through faces in the earlier frame"},
        after=_COUNT | {"description": "the same in the later one"},
    )
    return _obj(
        "the frames of a sequence, and the steps between them",
        **_REMARKS,
        sequence=_FILES,
        frames_found=_COUNT | {"description": "frames that the sequence has"},
        verdict=_or_null(verdict | {"enum": [*map(str, AuditVerdict), None]}),
        complete=_is("boolean", "whether the sequence was audited to its end"),
        counts=counts,
        frames=_list(
            _obj(
                "a frame",
                number=_COUNT,
                name=_text_(),
                crossings=_COUNT | {"description": "pairs of an edge that passes through a face"},
                touching=_COUNT | {"description": "other pairs that share a point"},
                distance_lo=_or_null(_is("number", "the least distance is at least this; null: not computed, or no pair")),
                distance_hi=_or_null(_NUMBER),
                objects=_list(
                    _is("array", "a, b, crossings", minItems=3, maxItems=3, prefixItems=[_text_(), _text_(), _COUNT])
                ),
                time=_or_null(_is("number", "as the file says it")),
            )
        ),
        steps=_list(
            _obj(
                "the step from one frame to the next",
                number=_COUNT | {"description": "of the earlier frame"},
                verdict=verdict,
                events=_list(event, "at most 64, the gravest first"),
                found=counts,
                time=_or_null(_is("number", "the first contact, a fraction of the step")),
                pairs=_COUNT,
                note=_text_("why nothing is proven, or what looks wrong"),
            )
        ),
        event_files=_list(_text_(), "with --events: the files that were written"),
    )


def _commands() -> dict[str, Schema]:
    impact = _obj("an impact", **_IMPACT)
    at_start = _IMPACT | {"kind": _or_null(_KIND | {"enum": [*map(str, (*Kind, EDGE_FACE)), None]})}
    of_step = _obj("an impact; edge-face: the edge a passes through the face b at the start", **at_start)
    mesh = {"vertices": _COUNT, "edges": _COUNT, "faces": _COUNT}
    volume = _obj(
        "an impact of a volume",
        **_IMPACT,
        pair_class=_text_("what the features are to each other"),
        vertices=_list(_is("integer"), "v f0 f1 f2, or a0 a1 b0 b1", 4),
        elements=_list(_is("integer"), "the element that has both; else the least of each", 2),
    )
    patch = {
        k: _IMPACT[k]
        for k in ("verdict", "reason", "toi_lo", "toi_hi", "point", "normal", "width", "certified", "initial_contact")
    }
    patch |= {"a": _is("integer", "a patch of A"), "b": _is("integer", "a patch of B"), "uv_a": _list(_NUMBER, size=2)}
    patch["uv_b"] = _list(_NUMBER, "parameters on the patches", 2)
    rigid = {k: _IMPACT[k] for k in ("verdict", "reason", "toi_lo", "toi_hi", "normal")}
    rigid |= dict.fromkeys(("index_a", "index_b", "feature_a", "feature_b"), _is("integer"))
    rigid |= {"point_a": _VECTOR, "point_b": _VECTOR, "distance": _or_null(_NUMBER), "iterations": _COUNT, "flags": _COUNT}
    near = _obj(
        "the smallest distance, in [distance_lo, distance_hi]",
        **dict.fromkeys(("distance_lo", "distance_hi", "u", "v"), _NUMBER),
        kind=_KIND | {"enum": [*map(str, (*Kind, EDGE_FACE))]},
        a=_COUNT,
        b=_COUNT,
        point_a=_VECTOR,
        point_b=_VECTOR,
    )
    pair = _is("array", "kind, a, b", minItems=3, maxItems=5, prefixItems=[_text_(), _COUNT, _COUNT, _NUMBER, _NUMBER])
    nested = _list(_is("integer"), "least face of the inner component, that of the outer one, winding number", 3)
    interval = _obj(
        "a time during which a pair is in contact",
        kind=_KIND,
        **dict.fromkeys(("a", "b"), _COUNT),
        **dict.fromkeys(("enter", "exit"), _NUMBER),
        **dict.fromkeys(("side_before", "side_after"), _is("integer", "-1, 0 or 1")),
        **dict.fromkeys(("initial_contact", "final_contact"), _FLAG),
    )
    why = _obj(
        "with --why: the first pair that limits the step; what concerns a pair is left out where none does",
        cause=_text_("what limits the step", *map(str, Cause)),
        text=_text_("sentences: which pair, why, and what to do"),
        alpha=_is("number", "the step that may be taken"),
        kind=_Maybe(_KIND | {"enum": [*map(str, (*Kind, EDGE_FACE))]}),
        a=_Maybe(_COUNT),
        b=_Maybe(_COUNT),
        vertices=_Maybe(_list(_COUNT, "of a, then of b")),
        distance=_Maybe(_is("number", "at the start, without radii")),
        separation=_Maybe(_NUMBER),
        radii=_Maybe(_list(_NUMBER, "of a and of b", 2)),
        initial=_Maybe(_is("integer", "pairs within their separation at the start", minimum=0)),
        rings=_Maybe(_is("integer", "fewest edges of the mesh between the two; -1 above 64")),
    )
    return {
        "step": {
            "anyOf": [
                _obj(
                    "the impacts of a mesh over one step",
                    **_REMARKS,
                    frames=_FILES,
                    **mesh,
                    options=_obj(
                        "as they were used",
                        **_OPTIONS,
                        check_start=_FLAG,
                        device=_text_("where it computed", *map(str, Device)),
                    ),
                    verdict=_VERDICT,
                    earliest=_or_null(of_step),
                    start_intersects=_or_null(
                        _is("boolean", "an edge passes through a face at the start; null when not checked")
                    ),
                    start_crossings=_or_null(
                        _is("integer", "how many pairs do; null where not checked or not counted", minimum=0)
                    ),
                    start_nested=_or_null(_list(nested, "components inside others at the start; null where not checked")),
                    stats=_STATS,
                    impacts=_Maybe(_list(of_step, "with --all: every one, in the order of time")),
                    certificate=_Maybe(_text_("with --certificate: the file that was written")),
                    intervals=_Maybe(_list(interval, "with --intervals: every one, in the order of time")),
                    excluded=_Maybe(_is("integer", "with --exclude-near: the pairs that it leaves out", minimum=0)),
                    why=_Maybe(why),
                    clearance=_Maybe(_step_clearance()),
                    per_vertex=_Maybe(_obj("with --per-vertex", used=_NUMBER, floor=_NUMBER, resting=_COUNT, passes=_COUNT)),
                ),
                _obj("a pair that --pair has written", pair=_text_("the file"), why=why),
            ]
        },
        "audit": _audit(),
        "query": _obj(
            "queries from files",
            options=_obj("as they were used", **_OPTIONS),
            files=_list(_obj("one file", file=_text_(), kind=_KIND, **_TALLIES, answers=_Maybe(_list(impact, "with --all")))),
            total=_obj("of all files", **_TALLIES),
        ),
        "check": _obj(
            "one frame",
            **_REMARKS,
            mesh=_text_("the file"),
            **mesh,
            intersects=_FLAG,
            intersections=_COUNT,
            distance=_or_null(near),
            nested=_list(nested, "components inside others"),
            crossings=_list(
                _obj(
                    "two objects that cross or touch, or one with itself",
                    a=_COUNT | {"description": "the least vertex of a connected component"},
                    b=_COUNT,
                    pairs=_COUNT | {"description": "intersections"},
                    edge=_is("integer", "the edge that crosses the deepest; -1 where the objects only touch", minimum=-1),
                    face=_is("integer", "the face that it crosses", minimum=-1),
                    depth=_is("number", "how far the nearer end of that edge is beyond the plane of the face"),
                ),
                "intersections by objects",
            ),
            untangled=_Maybe(
                _obj(
                    "with --untangle",
                    clean=_FLAG | {"description": "the exact check found no intersection at the positions that were written"},
                    rounds=_COUNT,
                    before=_COUNT,
                    after=_COUNT,
                    moved=_COUNT,
                    farthest=_NUMBER,
                )
            ),
            points=_Maybe(
                _list(
                    _obj(
                        "a point of --points",
                        side=_text_("of the faces", "inside", "outside", "on the surface"),
                        winding=_or_null(_is("integer", "how often the faces enclose it; null on the surface")),
                        distance_lo=_NUMBER,
                        distance_hi=_NUMBER,
                        nearest=_list(_NUMBER, "about a nearest point of the faces", size=3),
                        normal=_list(_NUMBER, "from there to the point; zeros unless state is defined", size=3),
                        face=_COUNT,
                        state=_text_("whether one point is nearest"),
                    )
                )
            ),
            near=_Maybe(_COUNT),
            near_distance=_Maybe(_NUMBER),
            intersecting_pairs=_Maybe(_list(pair, "with --all: kind, a, b")),
            near_pairs=_Maybe(_list(pair, "with --all and --near: kind, a, b, distance_lo, distance_hi")),
            seconds=_is("object", "of each question", additionalProperties=_NUMBER),
        ),
        "volume": _obj(
            "the impacts of a volume over one step",
            **_REMARKS,
            frames=_FILES,
            vertices=_COUNT,
            elements=_COUNT,
            edges=_COUNT,
            faces=_COUNT,
            options=_obj(
                "as they were used",
                **_OPTIONS,
                pair_classes=_list(_text_()),
                surface=_FLAG,
            ),
            verdict=_VERDICT,
            earliest=_or_null(volume),
            stats=_STATS,
            impacts=_Maybe(_list(volume, "with --all")),
        ),
        "rigid": {
            "anyOf": [
                _obj(
                    "two rigid bodies",
                    **_REMARKS,
                    files=_FILES,
                    triangles=_list(_COUNT, size=2),
                    options=_obj("as they were used", **_OPTIONS, t_min=_NUMBER),
                    impact=_obj("the earliest impact; times in the motions' unit, null when separate", **rigid),
                    containment=_or_null(
                        _text_("how A lies to B at t_min; null unless both are closed")
                        | {"enum": [*map(str, Containment), None]}
                    ),
                    clearance=_Maybe(_clearance()),
                    seconds=_NUMBER,
                ),
                _obj(
                    "a scene",
                    **_REMARKS,
                    scene=_text_("the file"),
                    bodies=_COUNT,
                    triangles=_COUNT,
                    options=_obj("as they were used", **_OPTIONS, t_min=_NUMBER),
                    contained=_contained("at t_min"),
                    impacts=_list(
                        _obj(
                            "body a with body b, or with the mesh",
                            a=_COUNT,
                            b=_or_null(_COUNT),
                            shape=_or_null(_text_("of the primitive of the mesh that index_b names")),
                            impact=_obj("the impact", **rigid),
                        )
                    ),
                    stats=_STATS,
                    mesh_stats=_or_null(_STATS),
                    seconds=_NUMBER,
                ),
            ]
        },
        "pose": {
            "anyOf": [
                _obj(
                    "two surfaces at poses",
                    **_REMARKS,
                    files=_FILES,
                    triangles=_list(_COUNT, size=2),
                    options=_obj(
                        "as they were used",
                        tolerance=_or_null(_is("number", "null: as narrow as doubles tell")),
                        max_iterations=_COUNT,
                        min_separation=_NUMBER,
                    ),
                    poses=_list(_pose(), "one for each pair of poses, in their order"),
                    not_closed=_or_null(_text_("why containment is not known; null if it is")),
                    no_volume=_or_null(_text_("why the common volume is not known of closed surfaces; null if it is")),
                    seconds=_NUMBER,
                ),
                _obj(
                    "a scene at t = 0",
                    **_REMARKS,
                    scene=_text_("the file"),
                    bodies=_COUNT,
                    triangles=_COUNT,
                    options=_obj(
                        "as they were used",
                        tolerance=_or_null(_is("number", "null: as narrow as doubles tell")),
                        max_iterations=_COUNT,
                        within=_NUMBER,
                    ),
                    pairs=_list(_pair_of_scene(), "those that may be within the distance of each other, by a and b"),
                    contained=_contained("at t = 0"),
                    seconds=_NUMBER,
                ),
            ]
        },
        "robot": _obj(
            "a path of a robot",
            **_REMARKS,
            robot=_text_("the file"),
            path=_text_("the file"),
            scene=_list(_text_(), "the files, as they were given"),
            joints=_list(_text_(), "names of the joints, in the order of values"),
            options=_obj(
                "as they were used",
                **dict.fromkeys(("min_separation", "tolerance"), _NUMBER),
                **dict.fromkeys(("max_steps", "threads", "segments"), _COUNT),
                interpolation=_text_("between waypoints", "linear", "spline"),
                continuous=_text_("how continuous joints go from waypoint to waypoint", "shortest", "written"),
            ),
            verdict=_text_("free and collides are proofs", *map(str, RobotVerdict)),
            edges=_COUNT,
            counts=_obj("edges by verdict", **{str(v): _COUNT for v in RobotVerdict}),
            pairs=_COUNT | {"description": "pairs of links and objects that were tested"},
            contacts=_list(
                _obj(
                    "of an edge that is not free",
                    verdict=_text_("", *(str(v) for v in RobotVerdict if v != RobotVerdict.FREE)),
                    reason=_text_("why it is undecided", "", "tolerance", "iterations", "coarse"),
                    edge=_COUNT,
                    s=_is("number", "where on the edge, in [0, 1]"),
                    s_free=_is("number", "the edge is free before it"),
                    time=_NUMBER,
                    values=_list(_NUMBER, "of the joints at s"),
                    a=_text_("a link"),
                    b=_text_("another link, or an object of the scene"),
                    how=_text_("what is proven", "crossing", "near", "inside", "overlap", "tolerance"),
                    point=_VECTOR,
                    normal=_VECTOR,
                )
            ),
            shorter=_list(
                _obj(
                    "a continuous joint that goes the short way on an edge",
                    edge=_COUNT,
                    joint=_text_(),
                    start=_is("number", "its value at the start of the edge"),
                    end=_is("number", "its value at the end"),
                    written=_is("number", "the value of the next waypoint"),
                )
            ),
            limits=_list(
                _obj(
                    "a joint that leaves its limits on an edge",
                    edge=_COUNT,
                    s=_is("number", "where on the edge it is outside"),
                    time=_NUMBER,
                    joint=_text_(),
                    value=_is("number", "farthest outside"),
                    lower=_or_null(_is("number", "null: no limit")),
                    upper=_or_null(_is("number", "null: no limit")),
                )
            ),
            untested=_list(_text_(), "links without shapes"),
            open=_list(_text_(), "links and objects that bound no solid"),
            steps=_COUNT,
            seconds=_NUMBER,
        ),
        "cad": _obj(
            "an assembly at rest, or over a drive",
            **_REMARKS,
            file=_text_("the file"),
            unit=_text_("of all lengths", "mm"),
            file_unit=_text_("the unit of the file"),
            parts=_list(
                _obj(
                    "a product at its place",
                    name=_text_(),
                    product=_text_(),
                    faces=_COUNT,
                    matrix=_list(_list(_NUMBER, size=4), "coordinates of the product to those of the assembly", 4),
                    color=_or_null(_list(_NUMBER, "red, green, blue", 3)),
                )
            ),
            motion=_or_null(_text_("the file; null at rest")),
            rest=_list(
                _obj(
                    "parts that touch, cross or are inside of each other at the first row",
                    a=_text_(),
                    b=_text_(),
                    state=_text_("crossing is a proof", "touching", "crossing", "inside"),
                    lo=_is("number", "their surfaces are at least this far apart"),
                    hi=_is("number", "and at most this far"),
                    point=_VECTOR,
                )
            ),
            pairs=_list(
                _obj(
                    "parts that come near each other",
                    a=_text_(),
                    b=_text_(),
                    verdict=_text_("clear is a proof", "clear", "contact", "undecided"),
                    lo=_is("number", "they keep at least this distance"),
                    hi=_or_null(_is("number", "their distance at time is at most this")),
                    time=_or_null(_is("number", "when they are nearest")),
                    toi_lo=_or_null(_is("number", "no contact before it; null without one")),
                    toi_hi=_or_null(_is("number", "they surely overlap at it; null if that is not proven")),
                    way=_text_("what decided", "triangles", "surface"),
                    point=_VECTOR,
                )
            ),
            skipped=_list(_obj("parts that were not tested", a=_text_(), b=_text_(), why=_text_())),
            near=_or_null(_is("number", "pairs that are not listed keep more than this")),
            tolerance=_or_null(_is("number", "the width of brackets")),
            deviation=_or_null(_is("number", "how far triangles were off at first")),
            clear=_FLAG,
            seconds=_or_null(_NUMBER),
        ),
        "patch": _obj(
            "two bodies of curved patches",
            **_REMARKS,
            bodies=_FILES,
            options=_obj("as they were used", **_OPTIONS),
            verdict=_VERDICT,
            impacts=_list(_obj("an impact of two patches", **patch)),
            neighbourhood=_Maybe(_is("number", "with --self: as it was given")),
            unresolved=_Maybe(_obj("with --self: pairs of adjacent parts", pairs=_COUNT, t_from=_or_null(_NUMBER))),
        ),
        "verify": _obj(
            "grades; with --certificate files, whose and certificate alone",
            **_REMARKS,
            files=_FILES,
            whose=_text_("whose answers: a file, a peer, a method"),
            oracle=_Maybe(_text_("the method that the answers are graded by", "exact")),
            sound=_Maybe(_is("boolean", "nothing missed, late or malformed")),
            **dict.fromkeys(
                ("answers", "contacts", "missed", "absent", "late", "false_contacts", "malformed", "unknown"), _Maybe(_COUNT)
            ),
            earliness=_Maybe(
                _is("object", "mean, median, max, as fractions of the step", additionalProperties=_NUMBER),
            ),
            worst=_Maybe(_list(_is("object", "the worst cases"), "missed first, then late, malformed, false, early")),
            certificate=_Maybe(
                _obj(
                    "what the checker says of a certificate",
                    holds=_FLAG,
                    statement=_list(_text_(), "what was proven, in words"),
                    reason=_text_("why it does not hold"),
                    mesh=_text_("digest of the mesh"),
                    claim=_text_("separate, earliest or collisions"),
                    until=_NUMBER,
                    **dict.fromkeys(("contacts", "unproven", "witnesses"), _COUNT),
                )
            ),
        ),
        "view": _obj(
            "the page that was written",
            **_REMARKS,
            page=_or_null(_text_("the file; null when only a picture or video was written")),
            png=_Maybe(_text_("the picture")),
            video=_Maybe(_text_("the video")),
            kind=_text_("what it shows", "mesh", "volume", "rigid", "patch"),
            impacts=_COUNT,
            listed=_COUNT | {"description": "of these, those on the page"},
            near=_COUNT | {"description": "near pairs on the page"},
            near_found=_COUNT | {"description": "near pairs that there are"},
            frames=_Maybe(_COUNT | {"description": "frames of a mesh or a volume"}),
        ),
        "plot": _obj("charts", files=_FILES, written=_list(_text_(), "the files that were written")),
        "info": _obj(
            "versions and where the library is",
            **dict.fromkeys(("package", "library", "library_version", "simd_level", "python", "numpy", "platform"), _text_()),
            threads=_COUNT,
            devices=_list(
                _obj(
                    "a graphics processor",
                    **dict.fromkeys(("name", "driver"), _text_()),
                    index=_COUNT,
                    memory=_COUNT | {"description": "bytes"},
                    refused=_text_("why it cannot be used; empty if it can"),
                ),
                "the graphics processors",
            ),
        ),
        "completion": _obj("a script for a shell", shell=_text_(), script=_text_()),
        "schema": {"type": "object", "description": "a JSON schema; of all commands by name when none is named"},
    }


def schema(command: str) -> Schema:
    """The schema of what a command prints with --json."""
    known = _commands()
    if command not in known:
        raise errors.ArgumentError(f"command is {command!r}: must be one of {', '.join(known)}")
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": f"ccd {command} --json"}
    return head | known[command]


def add(parser: argparse.ArgumentParser) -> None:
    """The arguments of `ccd schema`."""
    parser.add_argument("command", nargs="?", choices=sorted(_commands()), help="of this command; else of all, by their names")
    parser.add_argument("--json", action="store_true", help="the same: schemas are JSON")
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Print the schema."""
    output.emit_json(schema(given.command) if given.command else {name: schema(name) for name in _commands()})
    return 0
