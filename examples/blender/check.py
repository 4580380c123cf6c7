"""Run the add-on in Blender's Python module, without a window, and compare it with ccd.step.

python check.py FOLDER [--picture FILE]

Needs the packages bpy and ccd in one environment. FOLDER takes the files that the program writes. The picture is the one of
docs/howto/blender.md, drawn by Cycles on the processor.
"""

import argparse
import json
import subprocess
import sys
import types
from pathlib import Path

import bpy
import numpy as np

import ccd

sys.path.insert(0, str(Path(__file__).parent))
import ccd_blender
import picture
from ccd_blender import capture, panel, show


def scene():
    """A ball falls through a subdivided sheet that waves; a second ball stays away."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.mesh.primitive_ico_sphere_add(subdivisions=3, radius=0.5, location=(0.2, 0.1, 1.2))
    ball = bpy.context.object
    ball.name = "Ball"
    ball.keyframe_insert("location", frame=1)
    ball.location.z, ball.rotation_euler.x = -0.6, 0.7
    ball.keyframe_insert("location", frame=11)
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=12, y_subdivisions=12, size=3)
    sheet = bpy.context.object
    sheet.name = "Sheet"
    wave = sheet.modifiers.new("Wave", "WAVE")
    wave.height, wave.width, wave.use_cyclic = 0.15, 1.0, True
    bpy.ops.mesh.primitive_uv_sphere_add(segments=16, ring_count=8, radius=0.3, location=(5, 0, 0))
    far = bpy.context.object
    far.name = "Far"
    return ball, sheet, far


def select(*objects):
    bpy.ops.object.select_all(action="DESELECT")
    for ob in objects:
        ob.select_set(True)


def world(ob, frame):
    """World coordinates of an object with its modifiers, one vertex at a time: not as the add-on reads them."""
    bpy.context.scene.frame_set(frame)
    evaluated = ob.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh, matrix = evaluated.to_mesh(), np.array(evaluated.matrix_world, float)
    x = np.array([matrix[:3, :3] @ np.array(v.co[:], float) + matrix[:3, 3] for v in mesh.vertices])
    mesh.calc_loop_triangles()
    faces = [list(t.vertices) for t in mesh.loop_triangles]
    evaluated.to_mesh_clear()
    return x, np.array(faces)


def expected(objects, start, end, **options):
    """The answer of ccd.step for the same frames."""
    at = {frame: [world(ob, frame) for ob in objects] for frame in (start, end)}
    counts = np.cumsum([0, *(len(x) for x, _ in at[start])])
    faces = np.vstack([f + first for (_, f), first in zip(at[start], counts)])
    x0, x1 = (np.vstack([x for x, _ in at[frame]]) for frame in (start, end))
    return ccd.step.collisions(ccd.Mesh(x0, faces), x0, x1, check_start=True, **options)


def run(start, end, every_frame=False, **settings):
    """Press the button, and return what the scene then holds."""
    state = bpy.context.scene.ccd_step
    state.start, state.end, state.every_frame = start, end, every_frame
    for name, value in settings.items():
        setattr(state, name, value)
    assert bpy.ops.ccd.run() == {"FINISHED"}
    return state


def check_one_step(ball, sheet, far):
    select(ball, sheet, far)
    truth = expected((ball, sheet, far), 1, 11)
    state = run(1, 11)
    assert len(truth) > 10 and state.found == len(truth), (state.found, len(truth))
    arrows = list(bpy.data.collections[show.COLLECTION].objects)
    assert len(arrows) == len(state.hits) == min(len(truth), state.most_shown)
    for arrow, hit, record in zip((row.empty for row in state.hits), state.hits, truth):
        assert abs(arrow["toi_lo"] - record["toi_lo"]) < 1e-6, (arrow["toi_lo"], record["toi_lo"])
        assert np.allclose(arrow.location, record["point"], atol=1e-5)
        axis = np.array(arrow.rotation_euler.to_matrix())[:, 2]
        assert np.allclose(axis, record["normal"], atol=1e-5)
        assert {hit.first.split()[-1], hit.second.split()[-1]} == {"Ball", "Sheet"}
    assert show.GROUP in ball.vertex_groups and show.GROUP in sheet.vertex_groups and show.GROUP not in far.vertex_groups
    group = sheet.vertex_groups[show.GROUP].index
    marked = {v.index for v in sheet.data.vertices if any(g.group == group for g in v.groups)}
    first = len(ball.data.vertices)
    x0 = np.zeros((first + len(sheet.data.vertices) + len(far.data.vertices), 3))
    mesh = capture.capture(bpy.context, [ball, sheet, far], [1])
    topology = ccd.Mesh(faces=mesh.faces, edges=mesh.edges, vertices=len(x0))
    assert marked and marked <= {int(v) - first for v in topology.stencils(truth)[0].ravel()}
    print(f"one step: {len(truth)} impacts as ccd.step has them, the first at t = {truth[0]['toi_lo']:.6f}")


def check_every_frame(ball, sheet, far):
    select(ball, sheet, far)
    state = run(1, 11, every_frame=True)
    steps = [expected((ball, sheet, far), frame, frame + 1) for frame in range(1, 11)]
    first = next(frame for frame, found in enumerate(steps, 1) if len(found))
    toi = steps[first - 1]["toi_lo"][0]
    crossing = [int((found["kind"] == ccd.proximity.EDGE_FACE).sum()) for found in steps]  # only the first step looks for them
    assert state.found == sum(len(found) - n for found, n in zip(steps, crossing)) + crossing[0]
    assert abs(state.hits[0].frame - (first + toi)) < 1e-5
    state.active = 0
    assert bpy.context.scene.frame_current == first and bpy.context.view_layer.objects.active == state.hits[0].empty
    state.active = 1  # the objects stay selected, so that another run needs no click
    assert set(bpy.context.selected_objects) == {ball, sheet, far, state.hits[1].empty}
    print(f"every frame: {state.found} impacts, the first at frame {state.hits[0].frame:.4f}")


def check_separate(ball, sheet, far):
    select(ball, far)
    state = run(1, 11, within_objects=False)
    assert state.found == 0 and not len(state.hits) and state.verdict == "separate: proven"
    assert show.COLLECTION not in bpy.data.collections and show.GROUP not in ball.vertex_groups
    gap = 1.2 - 0.3
    select(ball, sheet)
    assert run(1, 11, min_separation=gap).found >= run(1, 11, min_separation=0.0).found > 0
    print("separate objects: proven")


def check_errors(ball, sheet, far):
    def refused(text, call):
        try:
            call()
        except RuntimeError as error:
            assert text in str(error), error
        else:
            raise AssertionError(f"no error: {text}")

    select(ball, sheet)
    refused("the end, frame 1, must come after the start, frame 5", lambda: run(5, 1))
    build = ball.modifiers.new("Build", "BUILD")
    build.frame_start, build.frame_duration = 1, 20
    refused("Ball has", lambda: run(2, 11))
    ball.modifiers.remove(build)
    subdivide = sheet.modifiers.new("Subdivision", "SUBSURF")
    run(1, 11)
    assert show.GROUP not in sheet.vertex_groups and show.GROUP in ball.vertex_groups
    sheet.modifiers.remove(subdivide)
    select()
    assert not bpy.ops.ccd.run.poll()
    print("errors: reported")


class Layout:
    """What a panel draws into: it checks the names of properties, operators, icons and lists, and keeps the texts."""

    def __init__(self, texts):
        self.texts = texts

    def column(self, align=False):
        return Layout(self.texts)

    row = column

    def prop(self, data, name):
        assert name in data.bl_rna.properties, name

    def operator(self, name, icon):
        module, _, operator = name.partition(".")
        getattr(getattr(bpy.ops, module), operator).get_rna_type()
        assert icon in bpy.types.UILayout.bl_rna.functions["operator"].parameters["icon"].enum_items

    def label(self, text):
        self.texts.append(text)

    def template_list(self, kind, identifier, data, name, active_data, active_name):
        assert hasattr(bpy.types, kind) and len(getattr(data, name)) and isinstance(getattr(active_data, active_name), int)
        for index, item in enumerate(getattr(data, name)):
            panel.CCD_UL_hits.draw_item(None, bpy.context, self, data, item, 0, active_data, active_name, index)


def check_panel(ball, sheet, far):
    """Drawn into a stand-in, because there is no window."""
    select(ball, sheet)
    state = run(1, 11)
    state.active = 2
    texts = []
    panel.CCD_PT_panel.draw(types.SimpleNamespace(layout=Layout(texts)), bpy.context)
    assert texts[0] == f"{state.found} impacts; {state.verdict}" and len(texts) == 1 + 3 * len(state.hits) + 3, texts[:4]
    assert texts[-3:] == [f"Kind: {state.hits[2].kind}", f"First: {state.hits[2].first}", f"Second: {state.hits[2].second}"]
    bpy.ops.ccd.clear()
    texts.clear()
    panel.CCD_PT_panel.draw(types.SimpleNamespace(layout=Layout(texts)), bpy.context)
    assert texts == []
    print("panel: drawn")


def check_report(folder, ball, sheet):
    """Export both frames, let the command write its report, and import it."""
    captured = capture.capture(bpy.context, [ball, sheet], [1, 11])
    lines = [f"v {x!r} {y!r} {z!r}\n" for x, y, z in captured.x[0].tolist()]
    lines += [f"f {a} {b} {c}\n" for a, b, c in (captured.faces + 1).tolist()]
    (folder / "start.obj").write_text("".join(lines))
    np.save(folder / "end.npy", captured.x[1])
    command = [sys.executable, "-m", "ccd", "step", "start.obj", "end.npy", "--json", "--all"]
    report = subprocess.run(command, cwd=folder, capture_output=True, text=True).stdout
    (folder / "report.json").write_text(report)
    state = bpy.context.scene.ccd_step
    state.start, state.end = 1, 11
    assert bpy.ops.ccd.import_json(filepath=str(folder / "report.json")) == {"FINISHED"}
    impacts = json.loads(report)["impacts"]
    assert state.found == len(impacts) > 10
    imported = bpy.data.objects["start"]
    for frame, x in zip((1, 11), captured.x):
        assert np.allclose(world(imported, frame)[0], x, atol=1e-6)
    assert np.allclose(world(imported, 6)[0], (captured.x[0] + captured.x[1]) / 2, atol=1e-5)
    assert np.allclose(state.hits[0].empty.location, impacts[0]["point"], atol=1e-5)
    (folder / "other.json").write_text("[1, 2]")
    try:
        bpy.ops.ccd.import_json(filepath=str(folder / "other.json"))
    except RuntimeError as error:
        assert "other.json is not a report of ccd step --json" in str(error)
    else:
        raise AssertionError("another file was imported")
    bpy.data.objects.remove(imported)
    print(f"report: {len(impacts)} impacts imported")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--picture", type=Path)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    objects = scene()
    ccd_blender.register()
    for check in (check_one_step, check_every_frame, check_separate, check_errors, check_panel):
        check(*objects)
    check_report(given.folder, *objects[:2])
    if given.picture:
        select(*objects)
        run(1, 11, every_frame=True)
        picture.draw(given.picture, *objects)
    bpy.ops.ccd.clear()
    assert show.COLLECTION not in bpy.data.collections
    ccd_blender.unregister()
    assert not hasattr(bpy.types.Scene, "ccd_step") and not hasattr(bpy.types, "CCD_PT_panel")
    ccd_blender.register()  # a reload does this
    ccd_blender.unregister()
    print("ok")


if __name__ == "__main__":
    main()
