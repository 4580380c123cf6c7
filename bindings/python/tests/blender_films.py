"""A scene in Blender without a window, where its objects are in each frame, and what its exporters write of it.

Run as a program: python blender_films.py FOLDER. truth.npz has the evaluated positions of each object and frame in the world.
The folder's cache.pc2 and cache.mdd are put on a mesh, and caches.npz has where Blender's Mesh Cache places them.
"""

import os
import sys

import bpy
import numpy as np

FRAMES = range(1, 7)


def evaluated(thing, local=False):
    """The vertices of an object with its modifiers, in the world or in the object."""
    graph = bpy.context.evaluated_depsgraph_get()
    graph.update()
    one = thing.evaluated_get(graph)
    mesh = one.to_mesh()
    x = np.empty(3 * len(mesh.vertices), np.float32)
    mesh.vertices.foreach_get("co", x)
    one.to_mesh_clear()
    x, m = x.reshape(-1, 3).astype(float), np.array(one.matrix_world, float)
    return x if local else x @ m[:3, :3].T + m[:3, 3]


def ball():
    """A ball with a shape key, that falls through a sheet."""
    bpy.ops.mesh.primitive_ico_sphere_add(subdivisions=2, location=(0, 0, 4))
    one = bpy.context.object
    one.name = "ball"
    one.shape_key_add(name="Basis")
    key = one.shape_key_add(name="flat")
    for vertex in key.data:
        vertex.co.z *= 0.3
    for frame, weight, z in ((1, 0, 4), (6, 1, -1)):
        key.value, one.location.z = weight, z
        key.keyframe_insert("value", frame=frame)
        one.keyframe_insert("location", frame=frame)
    return one


def bar():
    """A cylinder that two bones bend."""
    bpy.ops.object.armature_add(location=(5, 0, 0))
    rig = bpy.context.object
    rig.name = "rig"
    bpy.ops.object.mode_set(mode="EDIT")
    first = rig.data.edit_bones[0]
    first.name = "one"
    second = rig.data.edit_bones.new("two")
    second.head, second.tail, second.parent = first.tail, (0, 0, 2), first
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.ops.mesh.primitive_cylinder_add(radius=0.3, depth=2, location=(5, 0, 1))
    one = bpy.context.object
    one.name, one.parent = "bar", rig
    one.matrix_parent_inverse = rig.matrix_world.inverted()
    groups = [one.vertex_groups.new(name=name) for name in ("one", "two")]
    for vertex in one.data.vertices:
        share = min(1, max(0, vertex.co.z / 2 + 0.5))
        groups[0].add([vertex.index], 1 - share, "REPLACE")
        groups[1].add([vertex.index], share, "REPLACE")
    one.modifiers.new("rig", "ARMATURE").object = rig
    bone = rig.pose.bones["two"]
    bone.rotation_mode = "XYZ"
    for frame, angle in ((1, 0), (6, 1.2)):
        bone.rotation_euler = (angle, 0, 0)
        bone.keyframe_insert("rotation_euler", frame=frame)
    return one


def caches(folder):
    """Where Blender places the samples of caches, from scene frame 0 on."""
    found = {}
    bpy.ops.wm.obj_import(filepath=os.path.join(folder, "rest.obj"), forward_axis="Y", up_axis="Z")
    one = bpy.context.selected_objects[0]
    modifier = one.modifiers.new("cache", "MESH_CACHE")
    for kind in ("PC2", "MDD"):
        modifier.cache_format, modifier.filepath = kind, os.path.join(folder, f"cache.{kind.lower()}")
        rows = []
        for frame in range(5):
            bpy.context.scene.frame_set(frame)
            rows.append(evaluated(one, local=True))
        found[kind] = np.array(rows)
    np.savez(os.path.join(folder, "caches.npz"), **found)


def main(folder):
    """Write everything."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    if os.path.exists(os.path.join(folder, "cache.pc2")):
        caches(folder)
        bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end, scene.render.fps = FRAMES[0], FRAMES[-1], 24
    things = [ball(), bar()]
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=6, y_subdivisions=6, size=6)
    bpy.context.object.name = "sheet"
    things.append(bpy.context.object)
    truth = {}
    for frame in FRAMES:
        scene.frame_set(frame)
        truth |= {f"{one.name}.{frame}": evaluated(one) for one in things}
    np.savez(os.path.join(folder, "truth.npz"), **truth)
    scene.frame_set(1)
    for name, options in (("b.glb", {}), ("b.gltf", {"export_format": "GLTF_SEPARATE"})):
        bpy.ops.export_scene.gltf(filepath=os.path.join(folder, name), **options)
    bpy.ops.export_scene.gltf(filepath=os.path.join(folder, "draco.glb"), export_draco_mesh_compression_enable=True)
    bpy.ops.wm.usd_export(filepath=os.path.join(folder, "b.usdc"), export_animation=True)
    bpy.ops.wm.alembic_export(filepath=os.path.join(folder, "b.abc"), start=FRAMES[0], end=FRAMES[-1])
    print("ok")


main(sys.argv[1])
