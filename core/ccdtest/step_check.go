package ccdtest

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"

	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/reference/oracle"
)

// Soup makes a step of some loose triangles, rods and points, near each other or not, moving or
// coming apart, anywhere and at any scale; now and then with slivers, nearly parallel edges, and
// primitives that rest on each other.
func Soup(r *rand.Rand) (m *mesh.Mesh, x0, x1 []float64, err error) {
	edges, faces, n := []int32{}, []int32{}, int32(0)
	spread, speed, away := 1.0, math.Pow(10, -3*r.Float64()), 0.0
	if r.IntN(3) == 0 {
		away = r.Float64()
	}
	if r.IntN(4) == 0 {
		spread = 1e-3 // nearly flat
	}
	vertex := func() int32 {
		for k := range 3 {
			x := 2*r.Float64() - 1
			if r.IntN(4) == 0 {
				x = math.Round(2*x) / 2
			}
			if k == 2 {
				x *= spread
			}
			x0 = append(x0, x)
			x1 = append(x1, x+float64(away*x)+float64(speed*(2*r.Float64()-1)))
		}
		n++
		return n - 1
	}
	for range 2 + r.IntN(8) {
		a, b, c := vertex(), vertex(), vertex()
		faces, edges = append(faces, a, b, c), append(edges, a, b, b, c, c, a)
	}
	for range r.IntN(5) {
		edges = append(edges, vertex(), vertex())
		vertex()
	}
	// A source of its own, so that the soups of old seeds are those that they were.
	if own := NewRand(math.Float64bits(x0[0]), 92); own.IntN(6) == 0 {
		g := gatherThin(own, n)
		edges, faces, n = append(edges, g.edges...), append(faces, g.faces...), n+int32(len(g.x0)/3)
		x0, x1 = append(x0, g.x0...), append(x1, g.x1...)
	}
	far, scale := 0.0, 1.0
	switch r.IntN(4) {
	case 0:
		far = math.Pow(10, 12*r.Float64())
	case 1:
		scale = math.Ldexp(1, r.IntN(1461)-996) // 2^-996 is 1e-300, 2^464 is 1e140
	}
	for i := range x0 {
		x0[i], x1[i] = (x0[i]+far)*scale, (x1[i]+far)*scale
	}
	m, err = mesh.New(int(n), edges, faces)
	return m, x0, x1, err
}

// CheckStep returns an error unless every pair of m keeps more than d, and the larger radii of its
// primitives' vertices, for all t in [0, 1] of the motion x0 -> x1, in the Euclidean or the max
// norm. It lists the pairs itself and decides them in exact arithmetic: a reference that shares no
// code with a step.
func CheckStep(m *mesh.Mesh, x0, x1 []float64, d float64, euclidean bool) error {
	return eachPair(m, func(k geom.Kind, a, b int, idx ...int32) error {
		d, q := separationOf(m, k, idx, d), motionOf(x0, x1, idx)
		if boxesApart(k, q, d) || separateBy(k, q, d, euclidean) {
			return nil
		}
		return fmt.Errorf("%v %d %d comes within %v: q = %v", k, a, b, d, q)
	})
}

// CheckSizes returns an error unless the positions y of step.Sizes obey its law 1: every pair that
// does not touch at x0 keeps more than its separation on the way from x0 to y, and the vertices of
// one that touches stay. A pair within its separation d at x0 keeps more than keep/2 times the
// largest d 2^-k that its distance exceeds, which the law implies: h is more than half of the
// distance.
//
// A point and an edge of a face are no pair of a step: point and face are, and keep their own
// separation.
func CheckSizes(m *mesh.Mesh, x0, y []float64, d, keep float64, euclidean bool) error {
	onFace := make([]bool, len(m.Edges))
	for _, edges := range m.FaceEdges {
		for _, e := range edges {
			onFace[e] = true
		}
	}
	return eachPair(m, func(k geom.Kind, a, b int, idx ...int32) error {
		if k == geom.PointEdge && onFace[b] {
			return nil
		}
		d, q, still := separationOf(m, k, idx, d), motionOf(x0, y, idx), motionOf(x0, x0, idx)
		if boxesApart(k, q, d) {
			return nil
		}
		if !boxesApart(k, still, d) && !separateBy(k, still, d, euclidean) {
			if !separateBy(k, still, 0, euclidean) {
				if i := 3 * k.Points(); !slices.Equal(q[:i], q[i:]) {
					return fmt.Errorf("%v %d %d touches at x0 and moves: q = %v", k, a, b, q)
				}
				return nil
			}
			for d /= 2; !separateBy(k, still, d, euclidean); d /= 2 { // ends at 0 at the latest
			}
			d *= keep / 2
		}
		if !separateBy(k, q, d, euclidean) {
			return fmt.Errorf("%v %d %d comes within %v: q = %v", k, a, b, d, q)
		}
		return nil
	})
}

// separationOf returns the separation of a pair with these vertices.
func separationOf(m *mesh.Mesh, k geom.Kind, idx []int32, d float64) float64 {
	radius := func(vertices []int32) (r float64) {
		for _, v := range vertices {
			r = max(r, m.Filter().Radii().Of(geom.Vertex, v))
		}
		return r
	}
	split := k.Info().Split
	return sumUp(d, radius(idx[:split]), radius(idx[split:]))
}

// motionOf returns the query of some vertices.
func motionOf(x0, x1 []float64, idx []int32) []float64 {
	n := len(idx)
	q := make([]float64, 6*n)
	for i, v := range idx {
		copy(q[3*i:], x0[3*v:3*v+3])
		copy(q[3*(n+i):], x1[3*v:3*v+3])
	}
	return q
}

// eachPair calls check for every pair of a step until it returns an error.
func eachPair(m *mesh.Mesh, check func(k geom.Kind, a, b int, idx ...int32) error) error {
	used := make([]bool, m.NV) // vertices of an edge
	for _, e := range m.Edges {
		used[e[0]], used[e[1]] = true, true
	}
	for v := range m.NV {
		w := int32(v)
		for i, f := range m.Faces {
			if f[0] != w && f[1] != w && f[2] != w {
				if err := check(geom.VertexFace, v, i, w, f[0], f[1], f[2]); err != nil {
					return err
				}
			}
		}
		if used[v] {
			continue
		}
		for i, e := range m.Edges {
			if err := check(geom.PointEdge, v, i, w, e[0], e[1]); err != nil {
				return err
			}
		}
		for i := range v {
			if !used[i] {
				if err := check(geom.PointPoint, i, v, int32(i), w); err != nil {
					return err
				}
			}
		}
	}
	for i, e := range m.Edges {
		for j, f := range m.Edges[:i] {
			if e[0] != f[0] && e[0] != f[1] && e[1] != f[0] && e[1] != f[1] {
				if err := check(geom.EdgeEdge, j, i, f[0], f[1], e[0], e[1]); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// sumUp returns the least double that is not below the sum.
func sumUp(terms ...float64) float64 {
	sum := new(big.Rat)
	for _, x := range terms {
		sum.Add(sum, ratOf(x))
	}
	x, exact := sum.Float64()
	if !exact && ratOf(x).Cmp(sum) < 0 {
		x = math.Nextafter(x, math.Inf(1))
	}
	return x
}

// boxesApart reports whether the boxes around the two swept primitives are more than d apart on an
// axis.
func boxesApart(k geom.Kind, q []float64, d float64) bool {
	n, split := k.Points(), k.Info().Split
	for axis := range 3 {
		lo, hi := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
		for i := range 2 * n {
			side := 0
			if i%n >= split {
				side = 1
			}
			x := q[3*i+axis]
			lo[side], hi[side] = min(lo[side], x), max(hi[side], x)
		}
		// A rounded difference above the next double is above d in exact arithmetic too.
		if gap := math.Nextafter(d, math.Inf(1)); lo[0]-hi[1] > gap || lo[1]-hi[0] > gap {
			return true
		}
	}
	return false
}

// separateBy decides a pair in exact arithmetic.
func separateBy(k geom.Kind, q []float64, d float64, euclidean bool) bool {
	switch {
	case d == 0:
		return oracle.Contact(k, q).Verdict == geom.Separate
	case euclidean:
		return !oracle.EuclideanSeparation(k, q, d, 1).Contact
	}
	return !oracle.Separation(k, q, d, 1).Contact
}
