"""Blender add-on: steps of continuous collision detection on the frames of a scene. See docs/howto/blender.md."""

from . import operators, panel, properties

bl_info = {
    "name": "Continuous Collision Detection",
    "author": "libccd",
    "version": (0, 1, 0),
    "blender": (4, 2, 0),
    "location": "3D Viewport > Sidebar > CCD",
    "description": "Find when moving meshes first touch, with proof",
    "category": "Physics",
}


def register():
    for module in (properties, operators, panel):
        module.register()


def unregister():
    for module in (panel, operators, properties):
        module.unregister()
