package broad

import (
	"ccd/core/bound"
	"ccd/core/geom"
	"ccd/core/mesh"
)

// How far boxes are inflated. Law: two primitives that come within their separation (mesh.Radii)
// have boxes that overlap, inflated as bound.Inflation says, or by half the separation where all
// pairs have the same.

// Inflation returns how far to inflate a box of radius r of a mesh with these radii.
func Inflation(separation float64, radii *mesh.Radii, r float64) float64 {
	if radii.Uniform() {
		return bound.Half(radii.LargestSeparation(separation))
	}
	return bound.Inflation(separation, r)
}

// InflatedRecords computes the records of the vertices from to to-1 over [0, until]: each is
// inflated by the largest radius of a primitive at the vertex. So the join of the records of a
// primitive's vertices holds its box, inflated by the primitive's own radius. The derivation of
// bound.RecordSpace.Records holds vertex by vertex.
func InflatedRecords(space *bound.RecordSpace, mo *geom.Trajectories, until, separation float64, radii *mesh.Radii,
	from, to int, out []float32) {
	inflatedRecords(space, mo, until, separation, radii, from, to, out[bound.RecordLen*from:])
}

// inflatedRecords is InflatedRecords into out, where that of vertex from is the first.
func inflatedRecords(space *bound.RecordSpace, mo *geom.Trajectories, until, separation float64, radii *mesh.Radii,
	from, to int, out []float32) {
	first := from
	for from < to {
		r, next := radii.Around(int32(from)), to
		if !radii.Uniform() {
			for next = from + 1; next < to && radii.Around(int32(next)) == r; next++ {
			}
		}
		run := geom.Trajectories{N: next - from, Rec: mo.Rec[8*from : 8*next]}
		space.Records(&run, until, Inflation(separation, radii, r),
			out[bound.RecordLen*(from-first):bound.RecordLen*(next-first)])
		from = next
	}
}

// vertexRun is the number of vertices whose records are computed at once.
const vertexRun = 16

// volumeRatio returns the volume of box a relative to box b, along the axes on which b has an
// extent.
func volumeRatio(a, b [3]float64) float64 {
	r := 1.0
	for k := range 3 {
		if b[k] > 0 {
			r *= a[k] / b[k]
		}
	}
	return r
}
