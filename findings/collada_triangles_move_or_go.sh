#!/bin/sh
# pycollada 0.9.3, trimesh 5.2.0, Python 3.11, Linux x86-64.
#
# A COLLADA file of one triangle. First one of its coordinates is not a number; then the file names a material that it does
# not have, as exporters leave it when textures are stripped.
# Expected: an error for the first file, and the triangle for the second.
# Seen:     pycollada reads the coordinate as 0, so the triangle reaches to a plane of the origin, and lists no error;
#           trimesh, which reads through it, does too. Of the second file trimesh has no triangle, and says nothing:
#           a broken reference to a material drops the shape that it is bound to.
# Why it matters: these packages read the collision meshes of URDF files. A shape that is not there collides with nothing.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/python" -m pip install --quiet --disable-pip-version-check pycollada==0.9.3 trimesh==5.2.0 numpy==2.4.6
cat >"$work/run.py" <<'PY'
import io
import sys

import collada
import trimesh

MATERIAL = "<bind_material><technique_common><instance_material symbol='m' target='#m'/></technique_common></bind_material>"


def file(x, material=""):
    axes = "".join(f"<param name='{a}' type='float'/>" for a in "XYZ")
    return f"""<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset>
<created>2020-01-01T00:00:00</created><modified>2020-01-01T00:00:00</modified></asset><library_geometries><geometry id="g"><mesh>
<source id="s"><float_array id="a" count="9">{x}</float_array><technique_common><accessor source="#a" count="3" stride="3">{axes}
</accessor></technique_common></source><vertices id="v"><input semantic="POSITION" source="#s"/></vertices>
<triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles></mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="w"><node><instance_geometry url="#g">{material}</instance_geometry></node></visual_scene>
</library_visual_scenes><scene><instance_visual_scene url="#w"/></scene></COLLADA>""".encode()


nan = file("nan 5 5 6 5 5 5 6 5")
model = collada.Collada(io.BytesIO(nan))
vertex = model.geometries[0].primitives[0].vertex[0].tolist()
print(f"pycollada: the vertex (nan, 5, 5) is {vertex}, with {len(model.errors)} errors")
read = trimesh.load_scene(io.BytesIO(nan), file_type="dae").to_mesh()
print(f"trimesh: the least coordinates are {read.vertices.min(axis=0).tolist()}")
lost = trimesh.load_scene(io.BytesIO(file("0 5 5 6 5 5 5 6 5", MATERIAL)), file_type="dae")
print(f"trimesh: with a material that is not there, {len(lost.geometry)} shapes are in the scene")
changed = vertex != [0, 5, 5] or model.errors or read.vertices.min(axis=0).tolist() != [0, 5, 5] or len(lost.geometry)
sys.exit("the behavior has changed" if changed else 0)
PY
"$work/venv/bin/python" "$work/run.py"
