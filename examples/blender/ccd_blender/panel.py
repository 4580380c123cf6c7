"""The panel in the sidebar of the 3D viewport."""

import bpy


class CCD_UL_hits(bpy.types.UIList):
    """The list of impacts."""

    def draw_item(self, context, layout, data, item, icon, active_data, active_property, index):
        row = layout.row()
        row.label(text=f"{item.frame:.3f}")
        row.label(text=item.first)
        row.label(text=item.second)


class CCD_PT_panel(bpy.types.Panel):
    """Settings, the verdict, and the impacts of the last run."""

    bl_idname = "CCD_PT_panel"
    bl_label = "Continuous Collision Detection"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "CCD"

    def draw(self, context):
        layout, state = self.layout, context.scene.ccd_step
        layout.use_property_split = True
        frames = layout.column(align=True)
        frames.prop(state, "start")
        frames.prop(state, "end")
        frames.prop(state, "every_frame")
        for name in ("min_separation", "within_objects", "most_shown"):
            layout.prop(state, name)
        layout.operator("ccd.run", icon="PHYSICS")
        row = layout.row()
        row.operator("ccd.import_json", icon="IMPORT")
        row.operator("ccd.clear", icon="X")
        if state.verdict:
            layout.label(text=f"{state.found} impacts; {state.verdict}")
        if len(state.hits):
            layout.template_list("CCD_UL_hits", "", state, "hits", state, "active")
        if 0 <= state.active < len(state.hits):
            hit = state.hits[state.active]
            box = layout.column()
            for name in ("kind", "first", "second"):
                box.label(text=f"{name.capitalize()}: {getattr(hit, name)}")


def register():
    for cls in (CCD_UL_hits, CCD_PT_panel):
        bpy.utils.register_class(cls)


def unregister():
    for cls in (CCD_PT_panel, CCD_UL_hits):
        bpy.utils.unregister_class(cls)
