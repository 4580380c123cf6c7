package mesh

import (
	"math"
	"slices"

	"ccd/core/geom"
	"ccd/core/num"
	"ccd/core/status"
)

// Radii are the radii of the primitives of a mesh: that of a vertex is given, that of an edge or a
// face is the largest of its vertices'. Nil stands for a mesh whose radii are 0. Radii are
// immutable.
//
// # The separation of a pair
//
// A pair's separation is the least double that is not below m + radius(a) + radius(b) in real
// arithmetic, m the minimum separation of the options. So no pair is nearer than the sum when it is
// reported separate; radii of 0 leave m as it is; and where every radius is r, the separation is
// that of m + 2r, rounded once. It never falls where a radius or m rises.
//
// The families of package mesh stay complete: point-edge pairs are skipped where an edge at the
// point makes an edge-edge pair, which is nearer and, since an edge has the largest radius of its
// vertices, has no smaller separation.
type Radii struct {
	// shape[s] has the radii of the primitives of shape s; vertices alone where all radii are equal
	shape   [3][]float64
	around  []float64 // around[v] is the largest radius of a primitive at vertex v; nil where all are equal
	largest float64
	mean    float64 // the mean of around
	uniform bool
}

// Separation returns the separation of a pair with these radii, for a minimum separation m, all at
// most geom.MaxCoordinate.
func Separation(m, a, b float64) float64 { return num.AddUp3(a, b, m) }

// newRadii computes the radii of edges and faces from those of the vertices; nil if all are 0. It
// keeps vertex.
func newRadii(vertex []float64, edges [][2]int32, faces [][3]int32) *Radii {
	r := &Radii{uniform: true}
	r.shape[geom.Vertex] = vertex
	for _, x := range vertex {
		r.largest = max(r.largest, x)
		r.uniform = r.uniform && x == vertex[0]
	}
	if r.largest == 0 {
		return nil
	}
	if r.uniform {
		return r
	}
	e, f := make([]float64, len(edges)), make([]float64, len(faces))
	r.around = append([]float64(nil), vertex...)
	for i, v := range edges {
		if v[0] < 0 {
			continue // The number is unused in a volume.
		}
		e[i] = max(vertex[v[0]], vertex[v[1]])
		r.around[v[0]], r.around[v[1]] = max(r.around[v[0]], e[i]), max(r.around[v[1]], e[i])
	}
	for i, v := range faces {
		if v[0] >= 0 {
			f[i] = max(vertex[v[0]], vertex[v[1]], vertex[v[2]])
		}
	}
	r.shape[geom.Edge], r.shape[geom.Face] = e, f
	// Since the edges of a face are edges of the mesh, the radius of a face is that of one of its
	// edges at all of its vertices but one.
	for _, x := range r.around {
		r.mean += x / float64(len(vertex))
	}
	return r
}

// Of returns the radius of a primitive.
func (r *Radii) Of(s geom.Shape, i int32) float64 {
	switch {
	case r == nil:
		return 0
	case r.uniform:
		return r.largest
	}
	return r.shape[s][i]
}

// Around returns the largest radius of a primitive that has the vertex.
func (r *Radii) Around(v int32) float64 {
	switch {
	case r == nil:
		return 0
	case r.uniform:
		return r.largest
	}
	return r.around[v]
}

// Largest returns the largest radius.
func (r *Radii) Largest() float64 {
	if r == nil {
		return 0
	}
	return r.largest
}

// Typical returns a mean of Around. Only speed depends on it.
func (r *Radii) Typical() float64 {
	if r == nil || r.uniform {
		return r.Largest()
	}
	return r.mean
}

// Uniform reports whether all radii are equal, so that all pairs have the separation of
// LargestSeparation.
func (r *Radii) Uniform() bool { return r == nil || r.uniform }

// LargestSeparation returns the largest separation that a pair may have, for a minimum
// separation m.
func (r *Radii) LargestSeparation(m float64) float64 {
	return Separation(m, r.Largest(), r.Largest())
}

// Pair returns the separation of the pair (a, b), for a minimum separation m.
func (r *Radii) Pair(k geom.Kind, a, b int32, m float64) float64 {
	if r.Uniform() {
		return r.LargestSeparation(m)
	}
	s := &k.Info().Shapes
	return Separation(m, r.shape[s[0]][a], r.shape[s[1]][b])
}

// Pairs returns Pair for a list of pairs, in the memory of out. The radii are not uniform.
func (r *Radii) Pairs(k geom.Kind, pairs [][2]int32, m float64, out []float64) []float64 {
	s := &k.Info().Shapes
	a, b := r.shape[s[0]], r.shape[s[1]]
	out = out[:0]
	for _, p := range pairs {
		out = append(out, Separation(m, a[p[0]], b[p[1]]))
	}
	return out
}

// Query returns the separation of a pair of the kind with these vertices, for a minimum
// separation m.
func (r *Radii) Query(k geom.Kind, vertices *[4]int32, m float64) float64 {
	if r.Uniform() {
		return r.LargestSeparation(m)
	}
	var most [2]float64
	split := k.Info().Split
	for i, v := range vertices[:k.Points()] {
		side := 0
		if i >= split {
			side = 1
		}
		most[side] = max(most[side], r.shape[geom.Vertex][v])
	}
	return Separation(m, most[0], most[1])
}

// Widened returns radii of boxes: that of each primitive, and of each list by vertex the largest
// entry of its vertices, all added up and rounded up. Around is the largest of the primitives at a
// vertex. They are those of a call and may exceed geom.MaxCoordinate. Where r is uniform and each
// list has one value throughout, so are they.
func (r *Radii) Widened(m *Mesh, lists ...[]float64) *Radii {
	same := 0.0 // the sum of the lists that have one value
	rest := lists[:0:0]
	for _, list := range lists {
		if x, one := oneValue(list); one {
			same = num.AddUp(same, x)
		} else {
			rest = append(rest, list)
		}
	}
	if len(rest) == 0 && r.Uniform() {
		return &Radii{largest: num.AddUp(r.Largest(), same), uniform: true}
	}
	out := &Radii{around: make([]float64, m.NV)}
	for s, n := range [3]int{geom.Vertex: m.NV, geom.Edge: len(m.Edges), geom.Face: len(m.Faces)} {
		out.shape[s] = make([]float64, n)
	}
	for i := range int32(m.NV) {
		x := num.AddUp(r.Of(geom.Vertex, i), same)
		for _, list := range rest {
			x = num.AddUp(x, list[i])
		}
		out.shape[geom.Vertex][i], out.around[i] = x, x
	}
	if len(rest) == 1 && r.Uniform() {
		out.ofVertices(m)
		return out.summed()
	}
	for i, v := range m.Edges {
		x := num.AddUp(r.Of(geom.Edge, int32(i)), same)
		for _, list := range rest {
			x = num.AddUp(x, max(list[v[0]], list[v[1]]))
		}
		out.shape[geom.Edge][i] = x
		out.around[v[0]], out.around[v[1]] = max(out.around[v[0]], x), max(out.around[v[1]], x)
	}
	for i, v := range m.Faces {
		x := num.AddUp(r.Of(geom.Face, int32(i)), same)
		for _, list := range rest {
			x = num.AddUp(x, max(list[v[0]], list[v[1]], list[v[2]]))
		}
		out.shape[geom.Face][i] = x
		for _, u := range v {
			out.around[u] = max(out.around[u], x)
		}
	}
	return out.summed()
}

// ofVertices sets the radii of edges and faces, each the largest of its vertices', and around. That
// is what sums of one list are, for a sum that is rounded up never falls where a term rises; and
// the edges of a face are edges of the mesh.
func (r *Radii) ofVertices(m *Mesh) {
	vertex, edge, face, around := r.shape[geom.Vertex], r.shape[geom.Edge], r.shape[geom.Face], r.around
	for i, v := range m.Edges {
		x := larger(vertex[v[0]], vertex[v[1]])
		edge[i], around[v[0]], around[v[1]] = x, larger(around[v[0]], x), larger(around[v[1]], x)
	}
	for i, v := range m.Faces {
		face[i] = larger(larger(vertex[v[0]], vertex[v[1]]), vertex[v[2]])
	}
}

// larger is max of numbers that are 0 or more, whose order is that of their bits. Which of them it
// is is as good as random, so no branch depends on it.
func larger(x, y float64) float64 {
	return math.Float64frombits(max(math.Float64bits(x), math.Float64bits(y)))
}

// summed sets the largest and the mean of around.
func (r *Radii) summed() *Radii {
	sum := 0.0
	for _, x := range r.around {
		r.largest = larger(r.largest, x)
		sum += x
	}
	r.mean = sum / float64(len(r.around))
	return r
}

// oneValue returns the value that all entries have, if they do.
func oneValue(list []float64) (x float64, one bool) {
	for i, y := range list {
		if i == 0 {
			x = y
		} else if y != x {
			return 0, false
		}
	}
	return x, true
}

// Bytes returns the memory of the radii.
func (r *Radii) Bytes() int64 {
	if r == nil {
		return 0
	}
	return int64(8 * (cap(r.shape[0]) + cap(r.shape[1]) + cap(r.shape[2]) + cap(r.around)))
}

// Check returns an error if the minimum separation m and two radii together exceed
// geom.MaxCoordinate, where no distance would.
func (r *Radii) Check(m float64) error { return r.CheckDistance("options.min_separation", m) }

// CheckDistance is Check for a distance d that is another argument than the minimum separation.
func (r *Radii) CheckDistance(argument string, d float64) error {
	if r != nil && r.LargestSeparation(d) > geom.MaxCoordinate {
		return status.Errorf(status.ErrArgument,
			"%s is %v and twice the largest radius is %v: their sum must be at most %v; set smaller radii",
			argument, d, 2*r.largest, float64(geom.MaxCoordinate))
	}
	return nil
}

// Exceeds returns the first vertex whose radius is larger than in s, and both radii. s has as many
// vertices as r, or is nil.
func (r *Radii) Exceeds(s *Radii) (vertex int, now, then float64, found bool) {
	if r == nil || r == s {
		return 0, 0, 0, false
	}
	for i, x := range r.shape[geom.Vertex] {
		if y := s.Of(geom.Vertex, int32(i)); x > y {
			return i, x, y, true
		}
	}
	return 0, 0, 0, false
}

// checkRadii returns an error for the first radius that is not a length.
func checkRadii(radius []float64, what string, vertices int) error {
	if len(radius) != vertices {
		return status.Errorf(status.ErrArgument, "radius has %d values; the %s has %d vertices",
			len(radius), what, vertices)
	}
	for i, r := range radius {
		switch {
		case math.IsNaN(r) || math.IsInf(r, 0):
			return status.Errorf(status.ErrNonFinite, "radius[%d] is %v: not finite", i, r)
		case !(r >= 0 && r <= geom.MaxCoordinate):
			return status.Errorf(status.ErrArgument, "radius[%d] is %v: must be in [0, %v]",
				i, r, float64(geom.MaxCoordinate))
		}
	}
	return nil
}

// SetRadii makes the vertices balls of these radii, edges capsules and faces plates with the
// largest radius of their vertices: thickness. Nil removes them.
func (m *Mesh) SetRadii(radius []float64) error {
	if radius == nil {
		m.change(func(f *Filter) { f.radii = nil })
		return nil
	}
	if err := checkRadii(radius, "mesh", m.NV); err != nil {
		return err
	}
	r := newRadii(append([]float64(nil), radius...), m.Edges, m.Faces)
	m.change(func(f *Filter) { f.radii = r })
	return nil
}

// SetRadii does the same for the vertices of a volume. A vertex that is added later has the radius
// of the vertex that it is split from, else 0.
func (v *Volume) SetRadii(radius []float64) error {
	if radius != nil {
		if err := checkRadii(radius, "volume", v.NV); err != nil {
			return err
		}
	}
	v.radius, v.radii, v.radiiVersion = slices.Clone(radius), nil, -1
	return nil
}

// Radii returns the radii of the volume as it is now; nil if all are 0.
func (v *Volume) Radii() *Radii {
	if v.radius == nil {
		return nil
	}
	if v.radiiVersion != v.version {
		v.radii, v.radiiVersion = newRadii(slices.Clone(v.radius), v.Edges, v.Faces), v.version
	}
	return v.radii
}

// Radii returns the radii of the mesh; nil if all are 0.
func (f *Filter) Radii() *Radii { return f.radii }
