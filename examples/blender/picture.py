"""The picture of docs/howto/blender.md: the frame of the first impact.

Arrows and vertex groups are not rendered: cones and dots stand for them.
"""

import bpy
from ccd_blender import show


def draw(path, ball, sheet, far):
    scene = bpy.context.scene
    scene.ccd_step.active = 0  # shows the frame of the first impact
    far.hide_render = True
    _color(ball, (0.1, 0.35, 0.8), alpha=0.4)
    _color(sheet, (0.7, 0.7, 0.68))
    _net(sheet)
    for arrow in bpy.data.collections[show.COLLECTION].objects:
        turn = arrow.rotation_euler
        middle = arrow.location + turn.to_matrix().col[2] * 0.11
        bpy.ops.mesh.primitive_cone_add(radius1=0.018, depth=0.22, location=middle, rotation=turn)
        _color(bpy.context.object, (0.9, 0.1, 0.02))
    _dots(sheet)
    bpy.ops.object.light_add(type="SUN", rotation=(0.5, 0.3, 0))
    bpy.context.object.data.energy = 1.5
    bpy.ops.object.camera_add(location=(2.1, -2.5, 1.7), rotation=(1.1, 0, 0.7))
    scene.camera = bpy.context.object
    scene.camera.data.lens = 40
    scene.world = bpy.data.worlds.new("world")
    scene.world.use_nodes = True
    scene.world.node_tree.nodes["Background"].inputs["Color"].default_value = (0.8, 0.85, 0.9, 1)
    scene.render.engine, scene.cycles.device, scene.cycles.samples = "CYCLES", "CPU", 32
    scene.cycles.seed, scene.cycles.use_denoising = 1, True
    scene.render.resolution_x, scene.render.resolution_y, scene.render.resolution_percentage = 800, 500, 100
    scene.view_settings.view_transform = "Standard"
    scene.render.image_settings.color_mode = "RGB"
    scene.render.image_settings.file_format, scene.render.image_settings.compression = "PNG", 100
    scene.render.filepath = str(path.resolve())
    bpy.ops.render.render(write_still=True)


def _net(sheet):
    """The edges of the sheet as thin bars."""
    bars = sheet.copy()
    bars.data = sheet.data.copy()
    bars.modifiers.new("Net", "WIREFRAME").thickness = 0.012
    bpy.context.scene.collection.objects.link(bars)
    _color(bars, (0.2, 0.2, 0.2))


def _dots(sheet):
    """A dot at each marked vertex."""
    evaluated = sheet.evaluated_get(bpy.context.evaluated_depsgraph_get())
    group = sheet.vertex_groups[show.GROUP].index
    for before, after in zip(sheet.data.vertices, evaluated.data.vertices):
        if any(g.group == group for g in before.groups):
            bpy.ops.mesh.primitive_uv_sphere_add(segments=12, ring_count=6, radius=0.03, location=sheet.matrix_world @ after.co)
            _color(bpy.context.object, (0.95, 0.5, 0.02))


def _color(ob, color, alpha=1.0):
    material = bpy.data.materials.new(ob.name)
    material.use_nodes = True
    inputs = material.node_tree.nodes["Principled BSDF"].inputs
    inputs["Base Color"].default_value, inputs["Alpha"].default_value = (*color, 1), alpha
    ob.data.materials.clear()
    ob.data.materials.append(material)
