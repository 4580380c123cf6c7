"""The meshes of a scene at its frames: topology once, world coordinates at each frame."""

import bisect
from dataclasses import dataclass, field

import bpy
import numpy as np


class CaptureError(Exception):
    """The scene has no step: the message says why."""


@dataclass
class Part:
    """One object within the arrays of a capture."""

    name: str
    first: int  # vertex
    count: int
    original: bool  # evaluated vertices are those of the object's own mesh


@dataclass
class Capture:
    """Objects as one mesh, with vertices at several frames."""

    parts: list
    faces: np.ndarray  # (m, 3)
    edges: np.ndarray  # (k, 2), those of the faces too
    frames: list = field(default_factory=list)  # numbers
    x: list = field(default_factory=list)  # (n, 3) of each frame

    def part_of(self, vertex):
        """The object of a vertex, and the number of the vertex in it."""
        part = self.parts[bisect.bisect_right(self.parts, vertex, key=lambda p: p.first) - 1]
        return part, vertex - part.first

    def owners(self):
        """Number of the object of each vertex."""
        return np.repeat(np.arange(len(self.parts)), [part.count for part in self.parts])


def capture(context, objects, frames):
    """Evaluate objects with their modifiers at frames of the scene, which shows its present frame again afterwards."""
    scene = context.scene
    now, within = scene.frame_current, scene.frame_subframe
    try:
        result = None
        for frame in frames:
            scene.frame_set(frame)
            shapes = [_evaluate(context, ob) for ob in objects]
            if result is None:
                result = _topology(objects, shapes)
            _check_counts(result, shapes, frame, frames[0])
            result.frames.append(frame)
            result.x.append(np.vstack([shape["x"] for shape in shapes]))
        return result
    finally:
        scene.frame_set(now, subframe=within)


def _evaluate(context, ob):
    evaluated = ob.evaluated_get(context.evaluated_depsgraph_get())
    mesh = evaluated.to_mesh()
    try:
        mesh.calc_loop_triangles()
        x = _read(mesh.vertices, "co", np.float32, 3).astype(float)
        world = np.array(evaluated.matrix_world, float)
        return {
            "x": x @ world[:3, :3].T + world[:3, 3],
            "faces": _read(mesh.loop_triangles, "vertices", np.int32, 3),
            "edges": _read(mesh.edges, "vertices", np.int32, 2),
        }
    finally:
        evaluated.to_mesh_clear()


def _read(items, name, dtype, columns):
    array = np.empty(len(items) * columns, dtype)
    items.foreach_get(name, array)
    return array.reshape(-1, columns)


def _topology(objects, shapes):
    """One mesh of all objects. The triangles of the first frame serve for all: Blender splits polygons anew in each."""
    parts, faces, edges, first = [], [], [], 0
    for ob, shape in zip(objects, shapes):
        count = len(shape["x"])
        parts.append(Part(ob.name, first, count, count == len(ob.data.vertices)))
        triangles = shape["faces"]
        sides = np.vstack([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]], shape["edges"]])
        faces.append(triangles + first)
        edges.append(np.unique(np.sort(sides, axis=1), axis=0) + first)
        first += count
    return Capture(parts, np.vstack(faces), np.vstack(edges))


def _check_counts(result, shapes, frame, reference):
    for part, shape in zip(result.parts, shapes):
        if len(shape["x"]) != part.count:
            raise CaptureError(
                f"{part.name} has {part.count} vertices at frame {reference} and {len(shape['x'])} at frame {frame}: "
                "turn off the modifier that changes the topology"
            )


def selected_meshes(context):
    """The selected objects that have a mesh of their own."""
    return [ob for ob in context.selected_objects if ob.type == "MESH" and len(ob.data.vertices)]


def new_object(context, name, x0, x1, faces, edges, frames):
    """Add an object that moves from x0 to x1 on straight lines between two frames, by a shape key."""
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(x0.tolist(), edges.tolist(), faces.tolist())
    ob = bpy.data.objects.new(name, mesh)
    context.scene.collection.objects.link(ob)
    ob.shape_key_add(name="start", from_mix=False)
    key = ob.shape_key_add(name="end", from_mix=False)
    key.data.foreach_set("co", np.ascontiguousarray(x1, np.float32).ravel())
    for frame, value in zip(frames, (0.0, 1.0)):
        key.value = value
        key.keyframe_insert("value", frame=frame)
    for curve in _curves(mesh.shape_keys):
        for point in curve.keyframe_points:
            point.interpolation = "LINEAR"
    return ob


def _curves(keys):
    action = keys.animation_data.action
    if hasattr(action, "fcurves"):
        return list(action.fcurves)
    return [curve for layer in action.layers for strip in layer.strips for bag in strip.channelbags for curve in bag.fcurves]
