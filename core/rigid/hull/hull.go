package hull

import (
	"math"
	"math/big"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/num"
)

// hullFace is a triangle of a hull in the making, seen from outside counterclockwise.
type hullFace struct {
	v       [3]int32
	next    [3]int32 // the face beyond the edge from v[i] to v[i+1]
	outside []int32  // points strictly beyond its plane
	gone    bool
	mark    int32 // the round in which the face was seen to be visible
}

// hull is the memory of quickhull [Barber1996] with exact signs.
type hull struct {
	p     []r3.Vec
	faces []hullFace
	round int32
}

// Of returns the triangles of the convex hull of points. solid: it has an inside; else the
// triangles are a polygon, a segment or a point.
//
// Each point that is not on the hull yet is kept with one face whose plane it is strictly beyond.
// The farthest of a face joins the hull: the faces that it is strictly beyond are replaced by those
// that join it to their rim. A face in its plane stays, so that no new face is flat: a point on the
// line of a rim's edge is beyond neither of the faces there.
//
// A point that was kept with a face that goes is beyond a new one, or inside. Let f and g be
// functions that are positive beyond a face that goes and one that stays, at an edge of the rim. Of
// the new face there a f + b g is one, with b > 0. It is 0 at the new point p: a f(p) = -b g(p) >=
// 0, so a >= 0. So what is beyond both faces is beyond the new one. The faces that a point is
// beyond are connected: if one of them stays, two of them meet at an edge of the rim. If none
// stays, and the point is outside of the new hull, it is beyond a new face.
func Of(p []r3.Vec) (faces [][3]int32, solid bool) {
	h := &hull{p: p}
	seed, rank := h.seed()
	switch rank {
	case 0:
		return [][3]int32{{seed[0], seed[0], seed[0]}}, false
	case 1:
		return [][3]int32{h.segment(seed[0], seed[1])}, false
	case 2:
		return h.polygon(seed), false
	}
	h.begin(seed)
	for f := 0; f < len(h.faces); f++ {
		for !h.faces[f].gone && len(h.faces[f].outside) > 0 {
			h.join(int32(f))
		}
	}
	for i := range h.faces {
		if f := &h.faces[i]; !f.gone {
			faces = append(faces, f.v)
		}
	}
	return faces, true
}

// seed returns points that span as many dimensions as all do, and the number of these.
func (h *hull) seed() (s [4]int32, rank int) {
	best := func(size func(i int32) float64, is func(i int32) bool) (int32, bool) {
		at, most := int32(-1), math.Inf(-1)
		for i := range int32(len(h.p)) {
			if x := size(i); x > most && is(i) {
				at, most = i, x
			}
		}
		return at, at >= 0
	}
	from := h.p[0]
	var ok bool
	if s[1], ok = best(func(i int32) float64 { return geom.Norm(r3.Sub(h.p[i], from)) },
		func(i int32) bool { return h.p[i] != from }); !ok {
		return s, 0
	}
	e := r3.Sub(h.p[s[1]], from)
	if s[2], ok = best(func(i int32) float64 { return geom.Norm(geom.Cross(e, r3.Sub(h.p[i], from))) },
		func(i int32) bool { return h.across(s[0], s[1], i) }); !ok {
		return s, 1
	}
	n := geom.Cross(e, r3.Sub(h.p[s[2]], from))
	if s[3], ok = best(func(i int32) float64 { return math.Abs(geom.Dot(n, r3.Sub(h.p[i], from))) },
		func(i int32) bool { return h.side(s[0], s[1], s[2], i) != 0 }); !ok {
		return s, 2
	}
	return s, 3
}

// begin makes the tetrahedron of the seed.
func (h *hull) begin(s [4]int32) {
	if h.side(s[0], s[1], s[2], s[3]) > 0 { // The fourth is behind the first three.
		s[1], s[2] = s[2], s[1]
	}
	h.faces = []hullFace{
		{v: [3]int32{s[0], s[1], s[2]}, next: [3]int32{3, 2, 1}},
		{v: [3]int32{s[0], s[2], s[3]}, next: [3]int32{0, 2, 3}},
		{v: [3]int32{s[2], s[1], s[3]}, next: [3]int32{0, 3, 1}},
		{v: [3]int32{s[1], s[0], s[3]}, next: [3]int32{0, 1, 2}},
	}
	all := make([]int32, len(h.p))
	for i := range all {
		all[i] = int32(i)
	}
	h.share(all, 0)
}

// share gives each point to one of the faces from a number on that it is beyond; others are inside.
func (h *hull) share(points []int32, from int) {
	for _, i := range points {
		for f := from; f < len(h.faces); f++ {
			if h.beyond(int32(f), i) {
				h.faces[f].outside = append(h.faces[f].outside, i)
				break
			}
		}
	}
}

func (h *hull) beyond(face, point int32) bool {
	v := &h.faces[face].v
	return h.side(v[0], v[1], v[2], point) > 0
}

// join makes the farthest point of a face a corner of the hull.
func (h *hull) join(first int32) {
	f := &h.faces[first]
	a := h.p[f.v[0]]
	n := geom.Cross(r3.Sub(h.p[f.v[1]], a), r3.Sub(h.p[f.v[2]], a))
	point, most := f.outside[0], math.Inf(-1)
	for _, i := range f.outside {
		if d := geom.Dot(n, r3.Sub(h.p[i], a)); d > most {
			point, most = i, d
		}
	}
	h.round++
	visible := []int32{first}
	f.mark = h.round
	type edge struct {
		from, to, beyond int32
	}
	var rim []edge
	for k := 0; k < len(visible); k++ {
		face := h.faces[visible[k]]
		for i, next := range face.next {
			switch other := &h.faces[next]; {
			case other.mark == h.round:
			case h.beyond(next, point):
				other.mark = h.round
				visible = append(visible, next)
			default:
				rim = append(rim, edge{face.v[i], face.v[(i+1)%3], next})
			}
		}
	}
	begin := len(h.faces)
	starts := make(map[int32]int32, len(rim)) // the new face whose edge of the rim begins at a point
	for k, e := range rim {
		id := int32(begin + k)
		starts[e.from] = id
		h.faces = append(h.faces, hullFace{v: [3]int32{e.from, e.to, point}, next: [3]int32{e.beyond, -1, -1}})
		other := &h.faces[e.beyond]
		for i, v := range other.v {
			if v == e.to && other.v[(i+1)%3] == e.from {
				other.next[i] = id
			}
		}
	}
	for k := begin; k < len(h.faces); k++ {
		next := starts[h.faces[k].v[1]]
		h.faces[k].next[1] = next
		h.faces[next].next[2] = int32(k)
	}
	for _, i := range visible {
		h.faces[i].gone = true
		h.share(h.faces[i].outside, begin)
		h.faces[i].outside = nil
	}
}

// segment returns the ends of points on a line.
func (h *hull) segment(a, b int32) [3]int32 {
	along := func(i, j int32) int { // whether j is beyond i in the direction from a to b
		p, q, from, to := h.p[i], h.p[j], h.p[a], h.p[b]
		for k := range 3 { // All coordinates that differ at all say the same.
			x, y := geom.Components(from)[k], geom.Components(to)[k]
			if x == y {
				continue
			}
			u, v := geom.Components(p)[k], geom.Components(q)[k]
			if (y > x) == (v > u) && u != v {
				return 1
			}
			return 0
		}
		return 0
	}
	lo, hi := a, a
	for i := range int32(len(h.p)) {
		if along(hi, i) > 0 {
			hi = i
		}
		if along(i, lo) > 0 {
			lo = i
		}
	}
	return [3]int32{lo, hi, hi}
}

// polygon returns triangles of the hull of points in a plane, of which the seed are three that are
// not on a line: a fan, by Andrew's monotone chain along axes on which the plane has an area.
func (h *hull) polygon(s [4]int32) (faces [][3]int32) {
	i, j := h.axes(s)
	order := make([]int32, len(h.p))
	for k := range order {
		order[k] = int32(k)
	}
	slices.SortFunc(order, func(x, y int32) int {
		p, q := geom.Components(h.p[x]), geom.Components(h.p[y])
		for _, k := range [2]int{i, j} {
			if p[k] < q[k] {
				return -1
			}
			if p[k] > q[k] {
				return 1
			}
		}
		return int(x - y)
	})
	chain := func() (out []int32) {
		for _, v := range order {
			for len(out) > 1 && h.area(out[len(out)-2], out[len(out)-1], v, i, j) <= 0 {
				out = out[:len(out)-1]
			}
			out = append(out, v)
		}
		return out[:len(out)-1]
	}
	lower := chain()
	slices.Reverse(order)
	rim := append(lower, chain()...)
	for k := 1; k+1 < len(rim); k++ {
		faces = append(faces, [3]int32{rim[0], rim[k], rim[k+1]})
	}
	return faces
}

// axes returns two axes on which the first three points of a seed have an area.
func (h *hull) axes(s [4]int32) (i, j int) {
	for k := range 3 {
		if i, j = (k+1)%3, (k+2)%3; h.area(s[0], s[1], s[2], i, j) != 0 {
			break
		}
	}
	return i, j
}

// across reports whether three points are not on a line.
func (h *hull) across(a, b, c int32) bool {
	return h.area(a, b, c, 0, 1) != 0 || h.area(a, b, c, 1, 2) != 0 || h.area(a, b, c, 2, 0) != 0
}

// area returns the sign of the area of three points on two axes: positive counterclockwise.
func (h *hull) area(a, b, c int32, i, j int) int {
	p, q, r := geom.Components(h.p[a]), geom.Components(h.p[b]), geom.Components(h.p[c])
	x, y := float64((q[i]-p[i])*(r[j]-p[j])), float64((q[j]-p[j])*(r[i]-p[i]))
	if d, off := x-y, float64(8*0x1p-53*(math.Abs(x)+math.Abs(y)))+0x1p-1000; d > off {
		return 1
	} else if d < -off {
		return -1
	}
	var v [2]num.IntVec
	num.IntVecs([]float64{p[i], p[j], q[i], q[j], r[i], r[j]}, v[:])
	minus := func(a, b *big.Int) *big.Int { return new(big.Int).Sub(a, b) }
	px, py, qx, qy, rx, ry := v[0][0], v[0][1], v[0][2], v[1][0], v[1][1], v[1][2]
	return num.Minor(minus(qx, px), minus(ry, py), minus(qy, py), minus(rx, px)).Sign()
}

// side returns on which side of the plane of a, b and c the point d is: positive on that from which
// they are counterclockwise, 0 in the plane.
//
// The six products of three differences each err by 6u of themselves, the differences' 3u included,
// and sums by less than 5u of the sum of all magnitudes. A product that underflows errs by less
// than 2^-1022, times a difference of at most 2^201.
func (h *hull) side(a, b, c, d int32) int {
	p := h.p[a]
	u, v, w := r3.Sub(h.p[b], p), r3.Sub(h.p[c], p), r3.Sub(h.p[d], p)
	det, sum := 0.0, 0.0
	x, y, z := geom.Components(u), geom.Components(v), geom.Components(w)
	for k := range 3 {
		i, j := (k+1)%3, (k+2)%3
		s, t := float64(x[i]*y[j]), float64(x[j]*y[i])
		det += float64(z[k] * (s - t))
		sum += float64(math.Abs(z[k]) * (math.Abs(s) + math.Abs(t)))
	}
	if off := float64(32*0x1p-53*sum) + 0x1p-800; det > off {
		return 1
	} else if det < -off {
		return -1
	}
	var e [4]num.IntVec
	q, r, t := h.p[b], h.p[c], h.p[d]
	num.IntVecs([]float64{p.X, p.Y, p.Z, q.X, q.Y, q.Z, r.X, r.Y, r.Z, t.X, t.Y, t.Z}, e[:])
	return e[1].Minus(e[0]).Cross(e[2].Minus(e[0])).Dot(e[3].Minus(e[0])).Sign()
}
