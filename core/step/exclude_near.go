package step

import (
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/status"
)

// ExcludeNear excludes pairs that are near in the mesh, beside those that are excluded, and returns
// how many it added. Thick cloth, whose radius exceeds half the distance of its vertices, would be
// in contact with itself at rest.
//
// With positions x the pairs are those that are within their separation there: the smallest list
// after which a step from x begins without contact. With rings above 0 only those of which a vertex
// of one primitive is within so many edges of a vertex of the other, so that layers that lie on
// each other stay tested. Without positions all pairs within rings are excluded.
func ExcludeNear(m *mesh.Mesh, x []float64, rings int32, o *Options) (added int, err error) {
	if err := mesh.CheckRings(rings); err != nil {
		return 0, err
	}
	if x == nil {
		if rings == 0 {
			return 0, status.Errorf(status.ErrArgument,
				"x is NULL and rings is 0: give positions at rest, rings, or both")
		}
		for k := geom.VertexFace; k <= geom.PointPoint; k++ {
			added += m.AddExcluded(k, m.RingPairs(k, int(rings)))
		}
		return added, nil
	}
	if o == nil {
		d := DefaultOptions()
		o = &d
	}
	err = o.refuse(unsupported{
		checkStart: "edges that pass through faces are not excluded",
		region:     "an exclusion concerns all pairs of a step",
	})
	if err != nil {
		return 0, err
	}
	touching, err := Collisions(m, x, x, o)
	if err != nil {
		return 0, err
	}
	var pairs [geom.PointPoint + 1][][2]int64
	for i := range touching {
		im := &touching[i]
		pairs[im.Kind] = append(pairs[im.Kind], [2]int64{im.A, im.B})
	}
	for k := geom.VertexFace; k <= geom.PointPoint; k++ {
		list := pairs[k]
		if rings > 0 {
			list = m.Within(k, list, int(rings))
		}
		added += m.AddExcluded(k, list)
	}
	return added, nil
}
