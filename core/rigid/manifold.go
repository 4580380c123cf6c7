package rigid

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/num"
	common "ccd/core/overlap"
	"ccd/core/rigid/skin"
	"ccd/core/rigid/triangle"
	"ccd/core/status"
)

// Flags of a Manifold.
const (
	// ManifoldCrossing: surfaces pass through each other by more than rounding. Points whose
	// overlap is within the tolerance are listed, with a gap below 0; deeper ones are not.
	ManifoldCrossing uint32 = 1 << iota
	// ManifoldInside: one of the bodies is solid and a corner of the other one is inside of it.
	ManifoldInside
	// ManifoldDeep: the points are those at the end of the way out (package penetration). Their
	// gaps are as the bodies are now.
	ManifoldDeep
)

// A ManifoldPoint is a point of contact of two bodies. Its layout is that of
// ccd_rigid_manifold_point: 128 bytes, no hidden padding.
type ManifoldPoint struct {
	GapLo, GapHi       float64 // n.(a - b) is in [GapLo, GapHi], a and b the bodies' own points
	IndexA, IndexB     int64   // triangles that have the features
	FeatureA, FeatureB Feature // what the points lie on, of these triangles
	PointA, PointB     r3.Vec  // where the point is on both bodies, in the world
	Normal             r3.Vec  // unit, from B to A
	Epsilon            float64 // how far each of the points may be from its body
	Group              int32   // points of one group have one normal
	Reserved           int32   // 0
}

// A Manifold is the contact of two bodies at poses.
type Manifold struct {
	Points []ManifoldPoint
	Flags  uint32
	Groups int
}

// ManifoldOptions are the options of a manifold.
type ManifoldOptions struct {
	Tolerance float64 // how far apart, or how deep in each other, features in contact may be; 0: rounding
	Reduce    bool    // Four points of each group are the most.
}

func (o *ManifoldOptions) check() error {
	if !(o.Tolerance >= 0 && o.Tolerance <= MaxMagnitude) {
		return status.Errorf(status.ErrArgument, "tolerance is %v: must be in [0, %v]", o.Tolerance, MaxMagnitude)
	}
	return nil
}

// spot is a pair of features in contact.
type spot struct {
	a, b   r3.Vec // seen from A's pivot, on the triangles
	n      r3.Vec // unit, from B to A
	fa, fb spotFeature
	mid    r3.Vec // between the points on the bodies
	key    float64
}

// spotFeature names a feature of a body by one of its triangles.
type spotFeature struct {
	dim     int8 // 0: a corner, 1: a sharp edge, 2: a face
	tri     int32
	feature Feature
}

// over is the nearest point of a face to a corner of the other body.
type over struct {
	side   int
	vertex int32
	face   int32 // The other body's; below 0 a triangle that is an edge or a point.
	at     r3.Vec
	foot   r3.Vec
	d      float64
	tri    int32
	on     Feature
}

type overKey struct {
	side         int8
	vertex, face int32
}

// manifold is the memory of a search.
type manifold struct {
	r       *Ruler
	o       ManifoldOptions
	skins   [2]*skin.Skin
	reach   float64 // Triangles no farther apart are looked at.
	near    float64 // places no farther apart are one
	lean    float64 // the sine of the angle by which a feature may lean into the other body
	inner   float64 // the sum of the radii
	overs   []over
	known   map[overKey]int32
	edges   map[[2]int32]bool
	seen    [2]map[int32]int32
	tri     [2][][3]r3.Vec // the triangles within reach, in the world as A's pivot sees it
	spots   []spot
	crossed bool
}

// leanLeast is the least angle by which a feature may lean into the other body: the rounding of
// directions.
const leanLeast = 0x1p-30

// Manifold returns where two bodies touch at exact poses, within a tolerance.
//
// A point is a corner over a face, or an edge across an edge, of features of the bodies: a skin has
// no features that only a cut of a face makes. The features come within the tolerance of each
// other, and the corner's own edges, or the edge's own faces, leave along the normal: it is that of
// the face, or the product of the edges. Where several such places lie within the tolerance, they
// are one; its normal is the mean of those normals that part all triangles there, as in
// Ruler.settleNormal, and if none does, as in a groove, each normal has a point of its own.
//
// Laws: M1. Each point is within Epsilon of its body; for the bodies' own points a and b there,
// n.(a - b) is in [GapLo, GapHi], at most the tolerance above 0 or below, but for Epsilon. M2. Each
// corner over a face and each pair of crossing edges that are in contact have a point within twice
// the tolerance. M3. Points and normals, but for their rounding, and their order do not depend on
// the order of triangles, nor on cuts of faces, edge to edge; with the bodies exchanged normals are
// negated. M4. The points that Reduce leaves of a group have a hull of at least 0.63 of the area of
// the hull of all.
func (r *Ruler) Manifold(a *Body, pa *geom.Pose, b *Body, pb *geom.Pose, o ManifoldOptions) (Manifold, error) {
	ma, mb := at(pa), at(pb)
	if err := o.check(); err != nil {
		return Manifold{}, err
	}
	if err := checkPoses(&ma, &mb, &DistanceOptions{}); err != nil {
		return Manifold{}, err
	}
	r.still = true
	r.prepare(a, b, &ma, &mb, 0)
	m := manifold{r: r, o: o, skins: [2]*skin.Skin{a.skinOf(), b.skinOf()}, known: map[overKey]int32{},
		edges: map[[2]int32]bool{}, seen: [2]map[int32]int32{{}, {}}}
	g := r.growth()
	m.o.Tolerance = max(o.Tolerance, float64(16*r.f.margin))
	m.inner, m.near = g.inner, m.o.Tolerance
	m.reach = num.AddUp(float64(m.o.Tolerance*(1+0x1p-40)), num.AddUp(g.outer, float64(4*r.f.margin)))
	m.lean = leanLeast + min(0.1, m.o.Tolerance/min(m.skins[0].Extent, m.skins[1].Extent))
	m.gather()
	m.corners()
	var out Manifold
	if m.crossed {
		out.Flags |= ManifoldCrossing
	}
	if nested(a, b, &ma, &mb, 0) {
		out.Flags |= ManifoldInside
	}
	m.write(&ma, &g, &out)
	if len(out.Points) == 0 && out.Flags == 0 && len(m.tri[0]) > 0 && shareVolume(a, b, &ma, &mb) {
		out.Flags |= ManifoldCrossing
	}
	return out, nil
}

// shareVolume reports whether two closed bodies are proven to have a volume in common. Faces in
// common planes hide that from pairs of triangles, as where one box is moved along another of the
// same height: no triangle passes through another, and no feature leans away from the other body.
func shareVolume(a, b *Body, ma, mb *Motion) bool {
	var out [1]common.Common
	by := common.Options{Tolerance: 0.5}
	err := Overlaps(a, b, []Motion{*ma}, []Motion{*mb}, 0, &by, out[:], &engine.CallOptions{})
	return err == nil && out[0].Volume.Lo > 0
}

// gather lists the features of triangles within reach of each other.
func (m *manifold) gather() {
	r := m.r
	r.begin(DistanceOptions{}, m.reach)
	for n := len(r.stack); n > 0; n = len(r.stack) {
		it := r.stack[n-1]
		r.stack = r.stack[:n-1]
		a, b := r.a.body.child[it.a], r.b.body.child[it.b]
		if a >= 0 || b >= 0 || it.same {
			r.open(&it, m.reach)
			continue
		}
		r.leaf.set(&r.query, &r.a.body.tri[^a], &r.b.body.tri[^b])
		d := math.Sqrt(r.leaf.Near.D2)
		m.crossed = m.crossed || d < m.inner-m.o.Tolerance || m.passes()
		if !(d <= m.reach) {
			r.leaf.Refine()
			d = math.Sqrt(r.leaf.Near.D2)
		}
		if d <= m.reach {
			m.pair(^a, ^b)
		}
	}
}

// passes reports whether the triangles of the leaf pass through each other.
func (m *manifold) passes() bool {
	l := &m.r.leaf
	var a, b triangle.Sides
	a.Set(&l.A, &l.B, m.r.f.margin)
	b.Set(&l.B, &l.A, m.r.f.margin)
	near := l.Near
	crossed := triangle.Pass(&l.Pair, &a, &b, m.r.f.margin)
	l.Near = near
	return crossed
}

// pair takes two triangles.
func (m *manifold) pair(ta, tb int32) {
	if m.skins[0].Filler[ta] || m.skins[1].Filler[tb] {
		return // Others hold all of its points.
	}
	l := &m.r.leaf
	own := [2]int32{ta, tb}
	p := [2]*[3]r3.Vec{&l.A.P, &l.B.P}
	for side, t := range own {
		if _, ok := m.seen[side][t]; !ok {
			m.seen[side][t] = int32(len(m.tri[side]))
			m.tri[side] = append(m.tri[side], *p[side])
		}
	}
	for side := range 2 {
		s, other, to := m.skins[side], m.skins[1-side], own[1-side]
		for k, v := range s.VertexOf[own[side]] {
			if !s.Vertices[v].Corner {
				continue
			}
			x := p[side][k]
			foot, on := triangle.NearestTo(x, p[1-side])
			d := geom.Norm(r3.Sub(x, foot))
			if !(d <= m.reach) {
				continue
			}
			face := other.FaceOf[to]
			if face < 0 {
				face = -1 - to
			}
			c := over{side, v, face, x, foot, d, to, on}
			key := overKey{int8(side), v, face}
			if i, ok := m.known[key]; !ok {
				m.known[key] = int32(len(m.overs))
				m.overs = append(m.overs, c)
			} else if d < m.overs[i].d {
				m.overs[i] = c
			}
		}
	}
	for ea := range m.skins[0].EdgesOf(ta) {
		for eb := range m.skins[1].EdgesOf(tb) {
			if key := [2]int32{ea, eb}; !m.edges[key] {
				m.edges[key] = true
				m.crossing(ea, eb)
			}
		}
	}
}

// turn turns a vector of a body's coordinates into the world, and back.
func (m *manifold) turn(side int, v r3.Vec) r3.Vec { return m.r.rot[side].Apply(v) }
func (m *manifold) back(side int, v r3.Vec) r3.Vec { return m.r.rot[side].ApplyTransposed(v) }

// leaves reports whether units of a body, in its coordinates, lead to the side of n, or along it.
func (m *manifold) leaves(side int, ways []r3.Vec, n r3.Vec) bool {
	n = m.back(side, n)
	for _, w := range ways {
		if geom.Dot(w, n) < -m.lean {
			return false
		}
	}
	return true
}

// sided reports whether a pair whose gap along n is below 0 by more than rounding has a side: of
// surfaces that are not closed it is the one on which their features are, if some leave along n.
func (m *manifold) sided(gap float64, n r3.Vec, own []r3.Vec, side int) bool {
	if m.skins[1-side].Facing != 0 || gap-m.inner >= -float64(16*m.r.f.margin) {
		return true
	}
	n = m.back(side, n)
	for _, w := range own {
		if geom.Dot(w, n) > 0.25 {
			return true
		}
	}
	return false
}

// within reports whether a gap along a normal, of the triangles, is one of a contact.
func (m *manifold) within(gap float64) bool {
	return math.Abs(gap-m.inner) <= num.AddUp(m.o.Tolerance, m.reach-m.o.Tolerance-m.inner)
}

// crossing adds two edges that come near each other and are not parallel.
func (m *manifold) crossing(ea, eb int32) {
	x, y := &m.skins[0].Edges[ea], &m.skins[1].Edges[eb]
	p := [2]r3.Vec{m.turn(0, x.P), m.turn(0, x.Q)}
	q := [2]r3.Vec{r3.Add(m.r.f.x, m.turn(1, y.P)), r3.Add(m.r.f.x, m.turn(1, y.Q))}
	d, e := r3.Sub(p[1], p[0]), r3.Sub(q[1], q[0])
	u, okU := geom.Unit(d, d)
	v, okV := geom.Unit(e, e)
	c := geom.Cross(u, v)
	sin := geom.Norm(c)
	if !okU || !okV || !(sin > m.lean+0x1p-20) {
		return
	}
	n := geom.Scale(1/sin, c)
	// p0 + s u and q0 + t v are nearest: w + s u - t v is along n.
	w := r3.Sub(p[0], q[0])
	cos, wu, wv := geom.Dot(u, v), geom.Dot(w, u), geom.Dot(w, v)
	s := (float64(cos*wv) - wu) / float64(sin*sin)
	t := (wv - float64(cos*wu)) / float64(sin*sin)
	lengthA, lengthB := geom.Norm(d), geom.Norm(e)
	if !(s >= -m.near && s <= lengthA+m.near && t >= -m.near && t <= lengthB+m.near) {
		return
	}
	a := r3.Add(p[0], geom.Scale(min(max(s, 0), lengthA), u))
	b := r3.Add(q[0], geom.Scale(min(max(t, 0), lengthB), v))
	gap := geom.Dot(n, r3.Sub(a, b))
	for _, sign := range both01(gap >= 0) {
		n, gap := geom.Scale(sign, n), float64(sign*gap)
		away := geom.Scale(-1, n)
		if !m.within(gap) || !m.leaves(0, x.Ways, n) || !m.leaves(1, y.Ways, away) ||
			m.hollow(0, x, n) || m.hollow(1, y, away) ||
			!m.sided(gap, n, x.Ways, 0) && !m.sided(gap, away, y.Ways, 1) {
			continue
		}
		one, other := x.PieceAt(m.back(0, a)), y.PieceAt(m.back(1, r3.Sub(b, m.r.f.x)))
		m.add(spot{a: a, b: b, n: n, fa: spotFeature{1, one.Tri, one.K}, fb: spotFeature{1, other.Tri, other.K}})
		return
	}
}

// both01 returns 1 and -1, in this order if first.
func both01(first bool) [2]float64 {
	if first {
		return [2]float64{1, -1}
	}
	return [2]float64{-1, 1}
}

// hollow reports whether an edge of a closed body is one of a groove, seen along n from the body.
func (m *manifold) hollow(side int, e *skin.Edge, n r3.Vec) bool {
	return float64(m.skins[side].Facing*geom.Dot(m.turn(side, e.Out), n)) > m.lean
}

// corners adds the corners over faces.
func (m *manifold) corners() {
	for i := range m.overs {
		m.corner(&m.overs[i])
	}
}

// corner adds a corner over a face, or one that is beside it by the radii.
func (m *manifold) corner(c *over) {
	s, other := m.skins[c.side], m.skins[1-c.side]
	v := &s.Vertices[c.vertex]
	d := r3.Sub(c.at, c.foot)
	corner := spotFeature{0, v.Tri, v.K}
	foot := m.featureAt(1-c.side, c.tri, c.on)
	add := func(n r3.Vec) {
		if c.side == 0 {
			m.add(spot{a: c.at, b: c.foot, n: n, fa: corner, fb: foot})
		} else {
			m.add(spot{a: c.foot, b: c.at, n: geom.Scale(-1, n), fa: foot, fb: corner})
		}
	}
	if c.face >= 0 {
		n := m.turn(1-c.side, other.Faces[c.face].Normal)
		h := geom.Dot(n, d)
		if geom.Norm(r3.Sub(d, geom.Scale(h, n))) <= m.near+m.r.f.margin {
			for _, sign := range both01(h >= 0) {
				way := geom.Scale(sign, n)
				if other.Facing != 0 && sign != other.Facing || !m.within(float64(sign*h)) ||
					!m.leaves(c.side, v.Ways, way) || !m.sided(float64(sign*h), way, v.Ways, c.side) {
					continue
				}
				if other.Facing == 0 && !m.parts(1-c.side, c.foot, geom.Scale(-1, way)) {
					continue
				}
				add(way)
				return
			}
			return
		}
	}
	// The bodies are apart, by their radii or because one has no faces.
	if n, ok := geom.Unit(d, d); ok && c.d > m.r.f.margin && m.within(c.d) && m.leaves(c.side, v.Ways, n) &&
		m.parts(1-c.side, c.foot, geom.Scale(-1, n)) {
		add(n)
	}
}

// featureAt returns what a point of a triangle lies on, in terms of the body.
func (m *manifold) featureAt(side int, tri int32, on Feature) spotFeature {
	s := m.skins[side]
	switch {
	case on < 3:
		if v := &s.Vertices[s.VertexOf[tri][on]]; v.Corner {
			return spotFeature{0, v.Tri, v.K}
		}
		for k, e := range s.EdgeOf[tri] {
			if e >= 0 && (k == int(on) || (k+1)%3 == int(on)) {
				return spotFeature{1, tri, Feature(3 + k)}
			}
		}
	case on < Face:
		if s.EdgeOf[tri][on-3] >= 0 {
			return spotFeature{1, tri, on}
		}
	}
	return spotFeature{2, tri, Face}
}

// parts reports whether the triangles of a body around a place are on the side of n.
func (m *manifold) parts(side int, at, n r3.Vec) bool {
	for i := range m.tri[side] {
		t := &m.tri[side][i]
		foot, _ := triangle.NearestTo(at, t)
		if !(geom.Norm(r3.Sub(foot, at)) <= m.near+m.r.f.margin) {
			continue
		}
		for _, c := range t {
			way := r3.Sub(c, foot)
			if size := geom.Norm(way); size > m.near && geom.Dot(n, way) < -float64(m.lean*size) {
				return false
			}
		}
	}
	return true
}

// add takes a pair of features in contact.
func (m *manifold) add(s spot) {
	g := m.r.growth()
	a, b := r3.Sub(s.a, geom.Scale(g.a.inner, s.n)), r3.Add(s.b, geom.Scale(g.b.inner, s.n))
	s.mid = geom.Scale(0.5, r3.Add(a, b))
	s.key = geom.Dot(skin.Order, s.mid)
	m.spots = append(m.spots, s)
}

// write makes the points.
func (m *manifold) write(ma *Motion, g *growth, out *Manifold) {
	slices.SortStableFunc(m.spots, func(x, y spot) int { return compareSpots(&x, &y) })
	at := ma.Along(0)
	for _, c := range m.places() {
		for _, s := range m.chosen(c) {
			out.Points = append(out.Points, m.point(&s, g, at))
		}
	}
	out.Groups = grouped(out.Points)
	if m.o.Reduce {
		out.Points = reduced(out.Points, out.Groups, m.near)
	}
}

// compareSpots orders by place, then, where these are equal, by normal.
func compareSpots(x, y *spot) int {
	switch {
	case x.key < y.key:
		return -1
	case x.key > y.key:
		return 1
	}
	for k, c := range geom.Components(x.n) {
		if d := geom.Components(y.n)[k]; math.Abs(c-d) > skin.SameWay {
			if c < d {
				return -1
			}
			return 1
		}
	}
	return 0
}

// places gathers the pairs whose places are one.
func (m *manifold) places() (list [][]spot) {
	cells := map[[3]int64][]int{}
	size := float64(2 * m.near)
	cell := func(v r3.Vec, dx, dy, dz int64) [3]int64 {
		at := func(x float64) int64 { return int64(math.Floor(x / size)) }
		return [3]int64{at(v.X) + dx, at(v.Y) + dy, at(v.Z) + dz}
	}
	for _, s := range m.spots {
		home := -1
		for i := range int64(27) {
			for _, k := range cells[cell(s.mid, i%3-1, i/3%3-1, i/9-1)] {
				if geom.Norm(r3.Sub(list[k][0].mid, s.mid)) <= m.near && (home < 0 || k < home) {
					home = k
				}
			}
		}
		if home < 0 {
			home = len(list)
			list = append(list, nil)
			key := cell(s.mid, 0, 0, 0)
			cells[key] = append(cells[key], home)
		}
		list[home] = append(list[home], s)
	}
	return list
}

// chosen returns what is listed of one place.
func (m *manifold) chosen(place []spot) (list []spot) {
	var sums []r3.Vec
	for _, s := range place {
		i := slices.IndexFunc(list, func(t spot) bool { return geom.Norm(r3.Sub(s.n, t.n)) <= oneNormal })
		if i < 0 {
			i, list, sums = len(list), append(list, s), append(sums, r3.Vec{})
		}
		sums[i] = r3.Add(sums[i], s.n)
	}
	// Faces that lean by less than that have one normal, their mean: no order tells which comes
	// first.
	for i := range list {
		if n, ok := geom.Unit(sums[i], sums[i]); ok {
			list[i].n = n
		}
	}
	if len(list) > 1 {
		mean, ok := r3.Vec{}, false
		for _, s := range list {
			if m.parts(0, s.a, s.n) && m.parts(1, s.b, geom.Scale(-1, s.n)) {
				mean, ok = r3.Add(mean, s.n), true
			}
		}
		if n, good := geom.Unit(mean, mean); ok && good {
			list = list[:1]
			list[0].n = n
		}
	}
	for i := range list {
		m.settle(&list[i], place, len(list) == 1)
	}
	return list
}

// settle chooses the features of a point: of each body those of the least dimension of its place.
// all: of all pairs there, else of those with its normal.
func (m *manifold) settle(s *spot, place []spot, all bool) {
	first := *s
	for i := range place {
		p := &place[i]
		if !all && geom.Norm(r3.Sub(p.n, s.n)) > oneNormal {
			continue
		}
		if p.fa.dim < s.fa.dim {
			s.a, s.fa = p.a, p.fa
		}
		if p.fb.dim < s.fb.dim {
			s.b, s.fb = p.b, p.fb
		}
	}
	if !m.within(geom.Dot(s.n, r3.Sub(s.a, s.b))) {
		n := s.n
		*s = first
		s.n = n
	}
}

// point writes a point.
func (m *manifold) point(s *spot, g *growth, at r3.Vec) ManifoldPoint {
	off := float64(4 * m.r.f.margin)
	gap := geom.Dot(s.n, r3.Sub(s.a, s.b))
	a, b := r3.Sub(s.a, geom.Scale(g.a.inner, s.n)), r3.Add(s.b, geom.Scale(g.b.inner, s.n))
	far := geom.Norm(at) + geom.Norm(a) + geom.Norm(b)
	return ManifoldPoint{
		GapLo:  num.SubDown(num.SubDown(gap, g.outer), off),
		GapHi:  num.AddUp(num.SubUp(gap, g.inner), off),
		IndexA: int64(s.fa.tri), IndexB: int64(s.fb.tri), FeatureA: s.fa.feature, FeatureB: s.fb.feature,
		PointA: r3.Add(a, at), PointB: r3.Add(b, at), Normal: s.n,
		Epsilon: off + float64(0x1p-50*far) + max(g.a.deviation(), g.b.deviation()),
	}
}
