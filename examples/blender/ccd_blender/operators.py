"""The operators: run, import, clear."""

from typing import ClassVar

import bpy
from bpy_extras.io_utils import ImportHelper

from . import capture, show, steps


class CCD_OT_run(bpy.types.Operator):
    """Find when the selected meshes first touch between two frames"""

    bl_idname = "ccd.run"
    bl_label = "Find Collisions"
    bl_options: ClassVar = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        return context.mode == "OBJECT" and bool(capture.selected_meshes(context))

    def execute(self, context):
        state = context.scene.ccd_step
        if state.end <= state.start:
            self.report({"ERROR"}, f"the end, frame {state.end}, must come after the start, frame {state.start}")
            return {"CANCELLED"}
        frames = list(range(state.start, state.end + 1)) if state.every_frame else [state.start, state.end]
        manager = context.window_manager
        manager.progress_begin(0, 1)
        try:
            captured = capture.capture(context, capture.selected_meshes(context), frames)
            hits = steps.find(captured, state.min_separation, state.within_objects, manager.progress_update)
        except (capture.CaptureError, ImportError, ValueError) as error:  # ccd.ArgumentError is a ValueError
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        finally:
            manager.progress_end()
        note = show.show(context, captured, hits)
        self.report({"WARNING" if note else "INFO"}, f"{len(hits)} impacts; {state.verdict}" + (f"; {note}" if note else ""))
        return {"FINISHED"}


class CCD_OT_import(bpy.types.Operator, ImportHelper):
    """Import the two frames and the impacts of a report that ccd step A B --json --all wrote"""

    bl_idname = "ccd.import_json"
    bl_label = "Import ccd Report"
    bl_options: ClassVar = {"REGISTER", "UNDO"}
    filename_ext = ".json"
    filter_glob: bpy.props.StringProperty(default="*.json", options={"HIDDEN"})

    def execute(self, context):
        state = context.scene.ccd_step
        frames = (state.start, max(state.end, state.start + 1))
        try:
            captured, hits = steps.read_json(self.filepath, frames)
        except (OSError, ImportError, ValueError, KeyError) as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        part = captured.parts[0]
        ob = capture.new_object(context, part.name, *captured.x, captured.faces, captured.edges, frames)
        part.name = ob.name
        show.show(context, captured, hits)
        self.report({"INFO"}, f"{len(hits)} impacts; {state.verdict}")
        return {"FINISHED"}


class CCD_OT_clear(bpy.types.Operator):
    """Remove the arrows, the vertex groups and the list"""

    bl_idname = "ccd.clear"
    bl_label = "Clear"
    bl_options: ClassVar = {"REGISTER", "UNDO"}

    def execute(self, context):
        show.clear(context)
        return {"FINISHED"}


_CLASSES = (CCD_OT_run, CCD_OT_import, CCD_OT_clear)


def _menu(self, context):
    self.layout.operator(CCD_OT_import.bl_idname, text="ccd Report (.json)")


def register():
    for cls in _CLASSES:
        bpy.utils.register_class(cls)
    bpy.types.TOPBAR_MT_file_import.append(_menu)


def unregister():
    bpy.types.TOPBAR_MT_file_import.remove(_menu)
    for cls in reversed(_CLASSES):
        bpy.utils.unregister_class(cls)
