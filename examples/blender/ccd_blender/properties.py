"""What the panel sets, and what the last run found: a group of properties on the scene."""

import bpy


def _select(state, context):
    """Show the frame of the active row, and select its arrow beside what is selected; of the other arrows none."""
    if not 0 <= state.active < len(state.hits):
        return
    row = state.hits[state.active]
    whole = int(row.frame // 1)
    context.scene.frame_set(whole, subframe=min(row.frame - whole, 0.999999))
    if row.empty is not None and row.empty.name in context.view_layer.objects:
        arrows = {hit.empty for hit in state.hits}
        for ob in context.view_layer.objects:
            if ob in arrows:
                ob.select_set(ob == row.empty)
        context.view_layer.objects.active = row.empty


class CCD_Hit(bpy.types.PropertyGroup):
    """A row of the list of impacts."""

    frame: bpy.props.FloatProperty()
    kind: bpy.props.StringProperty()
    first: bpy.props.StringProperty()
    second: bpy.props.StringProperty()
    empty: bpy.props.PointerProperty(type=bpy.types.Object)


class CCD_Step(bpy.types.PropertyGroup):
    """Settings and results."""

    start: bpy.props.IntProperty(name="Start", description="Frame at which the step begins", default=1)
    end: bpy.props.IntProperty(name="End", description="Frame at which the step ends", default=2)
    every_frame: bpy.props.BoolProperty(
        name="Every Frame",
        description="Make one step from each frame to the next. Otherwise vertices move on straight lines from start to end",
        default=True,
    )
    min_separation: bpy.props.FloatProperty(
        name="Separation",
        description="Contact means a distance of at most this",
        default=0.0,
        min=0.0,
        precision=4,
        unit="LENGTH",
    )
    within_objects: bpy.props.BoolProperty(
        name="Self-Collisions", description="Also find collisions of an object with itself", default=True
    )
    most_shown: bpy.props.IntProperty(
        name="Most Shown", description="Number of impacts that get an arrow and a row, the earliest first", default=100, min=1
    )
    verdict: bpy.props.StringProperty()
    found: bpy.props.IntProperty()
    hits: bpy.props.CollectionProperty(type=CCD_Hit)
    active: bpy.props.IntProperty(default=-1, update=_select)


def register():
    for cls in (CCD_Hit, CCD_Step):
        bpy.utils.register_class(cls)
    bpy.types.Scene.ccd_step = bpy.props.PointerProperty(type=CCD_Step)


def unregister():
    del bpy.types.Scene.ccd_step
    for cls in (CCD_Step, CCD_Hit):
        bpy.utils.unregister_class(cls)
