"""Impacts in the scene: an empty for each, a vertex group on each object, rows for the panel."""

import bpy
from mathutils import Vector

COLLECTION = "CCD Impacts"
GROUP = "CCD impacts"


def clear(context):
    """Remove what an earlier run left."""
    collection = bpy.data.collections.get(COLLECTION)
    if collection is not None:
        for ob in list(collection.objects):
            bpy.data.objects.remove(ob)
        bpy.data.collections.remove(collection)
    for ob in bpy.data.objects:
        if ob.type == "MESH" and GROUP in ob.vertex_groups:
            ob.vertex_groups.remove(ob.vertex_groups[GROUP])
    state = context.scene.ccd_step
    state.hits.clear()
    state.verdict, state.found, state.active = "", 0, -1


def show(context, captured, hits):
    """Draw the earliest impacts and list them; return a note on what could not be marked."""
    clear(context)
    state = context.scene.ccd_step
    state.found = len(hits)
    state.verdict = f"earliest at frame {hits[0].frame:.6g}" if hits else "separate: proven"
    drawn = hits[: state.most_shown]
    if drawn:
        collection = bpy.data.collections.new(COLLECTION)
        context.scene.collection.children.link(collection)
        size = 0.03 * max(float((x.max(0) - x.min(0)).max()) for x in captured.x)
        for hit in drawn:
            _row(state, hit, _arrow(collection, hit, size))
    return _mark(captured, hits)


def _arrow(collection, hit, size):
    """An arrow at the point, along the normal."""
    ob = bpy.data.objects.new(f"{hit.kind} {hit.frame:.3f}", None)
    ob.empty_display_type, ob.empty_display_size = "SINGLE_ARROW", size
    ob.location = hit.point
    ob.rotation_euler = Vector(hit.normal).to_track_quat("Z", "Y").to_euler()
    ob["frame"], ob["toi_lo"], ob["first"], ob["second"] = hit.frame, hit.toi, hit.first, hit.second
    collection.objects.link(ob)
    return ob


def _row(state, hit, ob):
    row = state.hits.add()
    row.name, row.frame, row.kind, row.first, row.second, row.empty = ob.name, hit.frame, hit.kind, hit.first, hit.second, ob


def _mark(captured, hits):
    """Put the vertices of all impacts into a vertex group of their object."""
    vertices = sorted({vertex for hit in hits for vertex in hit.vertices})
    left = []
    for part in captured.parts:
        inside = [v - part.first for v in vertices if part.first <= v < part.first + part.count]
        if inside and part.original:
            bpy.data.objects[part.name].vertex_groups.new(name=GROUP).add(inside, 1.0, "REPLACE")
        elif inside:
            left.append(part.name)
    return f"not marked, because modifiers change the vertices: {', '.join(left)}" if left else ""
