#!/bin/sh
# IfcOpenShell 0.9.0.post1 (PyPI ifcopenshell), the clash test that ifcclash 0.9.0 calls, Python 3.11, Linux x86-64.
#
# Clearance between two square bars of a building, 0.2 x 0.2 x 4 m, one across the other: clash_clearance_many with a
# clearance of 0.3 and check_all, for gaps from 0.05 m down to an overlap of 0.05 m.
# Expected: the gap, and 0 (or the depth with a minus) once the bars cross.
# Seen:     0.05, 0.01 and 0 for these gaps, then up again: an overlap of 0.01 gives 0.01, one of 0.02 gives 0.02, one of 0.05
#           gives 0.045, with the type and sign of a gap: it is the distance from the top of the lower bar to the bottom of
#           the upper one, which lies below it. An overlap of 0.01 and a gap of 0.01 are the same result.
#           clash_intersection_many lists the bars that cross, as "pierce".
# Why it matters: a list of clearances sorted by distance puts pipes that run through a beam behind pipes that nearly touch,
# and a limit such as "repair what is nearer than 5 mm" lets them pass. Ask for intersections as well, first.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/python" -m pip install --quiet --disable-pip-version-check ifcopenshell==0.9.0.post1 numpy==2.4.6
cat >"$work/run.py" <<'PY'
import sys

import ifcopenshell
import ifcopenshell.geom
import ifcopenshell.guid


def two_bars(gap):
    """A model in meters: a bar along x below one along y, apart by a gap along z."""
    model = ifcopenshell.file(schema="IFC4")

    def point(*xyz):
        return model.createIfcCartesianPoint([float(c) for c in xyz])

    def toward(*xyz):
        return model.createIfcDirection([float(c) for c in xyz])

    origin = model.createIfcAxis2Placement3D(point(0, 0, 0))
    context = model.createIfcGeometricRepresentationContext(None, "Model", 3, 1e-5, origin)
    meter = model.createIfcSIUnit(None, "LENGTHUNIT", None, "METRE")
    project = model.createIfcProject(ifcopenshell.guid.new(), None, "bars")
    project.RepresentationContexts, project.UnitsInContext = [context], model.createIfcUnitAssignment([meter])
    bars = []
    for start, along in ((point(-2, 0, 0), toward(1, 0, 0)), (point(0, -2, 0.2 + gap), toward(0, 1, 0))):
        square = model.createIfcRectangleProfileDef("AREA", None, model.createIfcAxis2Placement2D(point(0, 0)), 0.2, 0.2)
        solid = model.createIfcExtrudedAreaSolid(square, origin, toward(0, 0, 1), 4.0)
        body = model.createIfcShapeRepresentation(context, "Body", "SweptSolid", [solid])
        place = model.createIfcLocalPlacement(None, model.createIfcAxis2Placement3D(start, along, toward(0, 0, 1)))
        shape = model.createIfcProductDefinitionShape(None, None, [body])
        bars.append(model.createIfcBeam(ifcopenshell.guid.new(), None, "bar", None, None, place, shape))
    return model, bars


def seen(gap):
    model, (below, above) = two_bars(gap)
    tree = ifcopenshell.geom.tree(backend="opencascade.trianglebvh")
    shapes = ifcopenshell.geom.iterator(ifcopenshell.geom.settings(), model, 1)
    more = shapes.initialize()
    while more:
        tree.add_element(shapes.get())
        more = shapes.next()
    clear = tree.clash_clearance_many([below], [above], clearance=0.3, check_all=True)
    cross = tree.clash_intersection_many([below], [above], tolerance=0.002, check_all=True)
    return [round(c.distance, 3) for c in clear], [tree.get_clash_type(c.clash_type) for c in cross]


changed = False
for gap, distance in ((0.05, 0.05), (0.01, 0.01), (0.0, 0.0), (-0.01, 0.01), (-0.02, 0.02), (-0.05, 0.045)):
    distances, crossing = seen(gap)
    print(f"gap {gap}: clearance reports {distances}, intersection reports {crossing}")
    changed |= distances != [distance] or crossing != (["pierce"] if gap < 0 else [])
sys.exit("the behavior has changed" if changed else 0)
PY
"$work/venv/bin/python" "$work/run.py"
