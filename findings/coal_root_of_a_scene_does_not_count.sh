#!/bin/sh
# Coal 3.0.3 and Pinocchio 4.1.0 (PyPI pin, which brings Coal), trimesh 5.2.0, three.js 0.187.0 (npm), Python 3.11, Node.js 20, Linux x86-64.
#
# glTF files of a unit box: in a node that is moved by 5, in a child of such a node, two levels deep, under a node with scale 0.001 or a
# turn, and a scene of a moved group with a box, as three.js exports it. Read by coal.MeshLoader, by Pinocchio as the collision shape
# of a URDF, and by trimesh.
# Expected: the box where the file puts it: transforms of nodes multiply from the root down, and Coal's loader walks along the nodes.
# Seen:     right for the node with the box and for children of children, except that the transform of the top node does not count for
#           what is below it: the moved box is at 0, the scaled one is 1,000 times too large, the turned one lies as it was. It counts for
#           a mesh in the top node itself. A second, empty node at the top mends it all: assimp, which reads the file, then puts a
#           node of its own above both, and Coal leaves out the transform of whichever is uppermost. Nothing is said. trimesh is right.
# Why it matters: one node on top that moves, turns or scales the rest is how groups are exported. A link's shape is elsewhere or of
# another size in the collision model, and where the same file is drawn by another program it looks right. Compare bounding boxes with
# another reader, or apply the transforms before the export.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat >group.mjs <<'JS'
import { writeFileSync } from "node:fs";
import * as THREE from "three";
import { GLTFExporter } from "three/addons/exporters/GLTFExporter.js";

globalThis.FileReader = class {
  async readAsDataURL(blob) {
    this.result = "data:application/octet-stream;base64," + Buffer.from(await blob.arrayBuffer()).toString("base64");
    this.onloadend();
  }
};
const group = new THREE.Group();
group.position.set(5, 0, 0);
const box = new THREE.Mesh(new THREE.BoxGeometry(1, 1, 1));
box.position.set(0.5, 0.5, 0.5);
group.add(box);
writeFileSync("group.gltf", JSON.stringify(await new GLTFExporter().parseAsync(new THREE.Scene().add(group))));
JS
cat >run.py <<'PY'
import base64
import json
import sys

import coal
import numpy as np
import pinocchio
import trimesh

BOX = trimesh.creation.box(bounds=[[0, 0, 0], [1, 1, 1]])
POINTS, FACES = BOX.vertices.astype("<f4"), BOX.faces.astype("<u2")
DATA = POINTS.tobytes() + FACES.tobytes()


def write(path, nodes, tops=(0,)):
    views = [{"buffer": 0, "byteOffset": 0, "byteLength": POINTS.nbytes}, {"buffer": 0, "byteOffset": POINTS.nbytes, "byteLength": FACES.nbytes}]
    accessors = [
        {"bufferView": 0, "componentType": 5126, "count": 8, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 1]},
        {"bufferView": 1, "componentType": 5123, "count": 36, "type": "SCALAR"},
    ]
    uri = "data:application/octet-stream;base64," + base64.b64encode(DATA).decode()
    scene = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": list(tops)}], "nodes": nodes, "accessors": accessors}
    scene |= {"meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}], "bufferViews": views}
    with open(path, "w") as file:
        json.dump(scene | {"buffers": [{"byteLength": len(DATA), "uri": uri}]}, file)


def bounds(geometry):
    geometry.computeLocalAABB()
    return np.array([geometry.aabb_local.min_, geometry.aabb_local.max_])


MOVED, TURN = [5, 0, 0], [2**-0.5, 0, 0, 2**-0.5]
CASES = {  # For each: its nodes, the top ones, and whether Coal is right.
    "moved node with the box": ([{"mesh": 0, "translation": MOVED}], (0,), True),
    "child of a moved node": ([{"translation": MOVED, "children": [1]}, {"mesh": 0}], (0,), False),
    "the same, and an empty node beside": ([{"translation": MOVED, "children": [1]}, {"mesh": 0}, {}], (0, 2), True),
    "child of a child, top at rest": ([{"children": [1]}, {"translation": MOVED, "children": [2]}, {"mesh": 0}], (0,), True),
    "child of a scaled node": ([{"scale": [0.001] * 3, "children": [1]}, {"mesh": 0}], (0,), False),
    "child of a turned node": ([{"rotation": TURN, "children": [1]}, {"mesh": 0}], (0,), False),
    "exported by three.js": (None, (0,), False),
}
URDF = '<robot name="r"><link name="l"><collision><geometry><mesh filename="package://box.gltf"/></geometry></collision></link></robot>'
with open("robot.urdf", "w") as file:
    file.write(URDF)
print("Coal", coal.__version__, "Pinocchio", pinocchio.__version__, "trimesh", trimesh.__version__)
changed = False
for name, (nodes, tops, right) in CASES.items():
    if nodes:
        write("box.gltf", nodes, tops)
    else:
        with open("group.gltf") as source, open("box.gltf", "w") as file:
            file.write(source.read())
    true = trimesh.load("box.gltf").to_geometry().bounds
    seen = bounds(coal.MeshLoader().load("box.gltf", np.ones(3)))
    model = pinocchio.buildModelFromUrdf("robot.urdf")
    shapes = pinocchio.buildGeomFromUrdf(model, "robot.urdf", pinocchio.GeometryType.COLLISION, None, ["."])
    robot = bounds(shapes.geometryObjects[0].geometry)
    print(f"{name}: trimesh {true.round(3).tolist()}, Coal {seen.round(3).tolist()}, Pinocchio {robot.round(3).tolist()}")
    changed |= bool(np.allclose(seen, true, atol=1e-6)) != right or not np.allclose(robot, seen)
sys.exit("the behavior has changed" if changed else 0)
PY
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund three@0.187.0
node group.mjs
python3 -m venv venv
venv/bin/python -m pip install --quiet --no-compile --disable-pip-version-check pin==4.1.0 coal==3.0.3 trimesh==5.2.0 numpy==2.4.6
venv/bin/python run.py
