package exact

import (
	"math"
	"unsafe"

	"ccd/core/geom"
	"ccd/core/kernel"
)

// Crosses reports whether an edge and a face share a point: the closed segment and the closed
// triangle of q = e0, e1, f0, f1, f2. inside is true if floats prove more: that they meet at one
// point, inside of both, so that no end of the edge touches the face, and the edge touches no side
// of it.
//
// If floats cannot decide, the question becomes a query in motion: whether a point that runs along
// the edge meets the face, which is at rest.
func (r *Resolver) Crosses(q *[15]float64) (crosses, inside bool) {
	p := func(i int) *geom.Vec { return (*geom.Vec)(q[3*i:]) }
	switch pierces(p(0), p(1), p(2), p(3), p(4)) {
	case Yes:
		return true, true
	case No:
		return false, false
	}
	var im geom.Impact
	r.alongEdge(q, &im)
	return im.Verdict == geom.Contact, false
}

// EachCrossing calls found, in order, for each pair of an edge and a face that share a point at t =
// 0, with inside as in Crosses. One kernel decides nearly all pairs, and another most of the rest,
// which lie in one plane. The others are tested one by one. If wanted is not nil, it is called
// before a pair is tested or found, and a pair for which it returns false is skipped. If found
// returns false, EachCrossing stops.
func (r *Resolver) EachCrossing(mo *geom.Trajectories, edges [][2]int32, faces [][3]int32, pairs [][2]int32,
	wanted func(i int) bool, found func(i int, inside bool) bool) {
	var q [15]float64
	for first := 0; first < len(pairs); first += block {
		part := pairs[first:min(first+block, len(pairs))]
		alive := r.alive[:len(part)]
		alive = alive[:kernel.Crossings(mo, edges, faces, part, alive)]
		for _, i := range r.runs.dropApart(mo, edges, faces, part, alive) {
			inside := i < 0
			if inside {
				i = ^i
			}
			if wanted != nil && !wanted(first+int(i)) {
				continue
			}
			if crosses := inside; !crosses {
				mo.EdgeAndFace(&edges[part[i][0]], &faces[part[i][1]], &q)
				if crosses, inside = r.Crosses(&q); !crosses {
					continue
				}
			}
			if !found(first+int(i), inside) {
				return
			}
		}
	}
}

// edgeRuns are edges and faces as queries in motion: a point that runs along the edge, and the face
// at rest (alongEdge).
type edgeRuns struct {
	motion    geom.Trajectories
	memory    [8*4*runsLen + 7]float64
	index     [runsLen][4]int32
	at        [runsLen]int32 // positions in the list that they come from
	list      [runsLen]int32
	batch     kernel.Batch
	survivors kernel.Survivors
}

// runsLen is the number of such queries that are filtered at a time, and fewestRuns the least
// number for which the filter pays.
const (
	runsLen    = 64
	fewestRuns = 4
)

// dropApart removes from alive, positions of pairs as kernel.Crossings writes them, the undecided
// pairs that kernels prove apart as queries in motion: a direction within the face's plane may
// separate an edge that lies or ends in it. The others keep their order.
func (e *edgeRuns) dropApart(mo *geom.Trajectories, edges [][2]int32, faces [][3]int32, pairs [][2]int32,
	alive []int32) []int32 {
	const dropped = math.MinInt32
	skip := (64 - uintptr(unsafe.Pointer(&e.memory))%64) % 64 / 8 // records are aligned
	e.motion = geom.Trajectories{N: 4 * runsLen, Rec: e.memory[skip : int(skip)+8*4*runsLen]}
	n := 0
	for j, i := range alive {
		if i < 0 {
			continue
		}
		e.load(n, mo, &edges[pairs[i][0]], &faces[pairs[i][1]])
		e.at[n] = int32(j)
		if n++; n == runsLen {
			e.drop(n, alive, dropped)
			n = 0
		}
	}
	if n >= fewestRuns {
		e.drop(n, alive, dropped)
	}
	kept := alive[:0]
	for _, i := range alive {
		if i != dropped {
			kept = append(kept, i)
		}
	}
	return kept
}

// load writes query number n.
func (e *edgeRuns) load(n int, mo *geom.Trajectories, edge *[2]int32, face *[3]int32) {
	type end = [4]float64 // An end has the numbers of a record at one time.
	v, to := int32(4*n), (*[32]float64)(e.motion.Rec[32*n:])
	e.index[n] = [4]int32{v, v + 1, v + 2, v + 3}
	at := func(v int32) *end { return (*end)(mo.Rec[8*int(v):]) }
	*(*end)(to[0:4]), *(*end)(to[4:8]) = *at(edge[0]), *at(edge[1])
	x, y, z := at(face[0]), at(face[1]), at(face[2])
	*(*end)(to[8:12]), *(*end)(to[12:16]) = *x, *x
	*(*end)(to[16:20]), *(*end)(to[20:24]) = *y, *y
	*(*end)(to[24:28]), *(*end)(to[28:32]) = *z, *z
}

// drop filters the first n queries and marks the positions of those that are apart.
func (e *edgeRuns) drop(n int, alive []int32, mark int32) {
	e.batch = kernel.Batch{Kind: geom.VertexFace, Step: &e.motion, Index: e.index[:n], TMax: 1, Stages: kernel.InPlane}
	e.survivors = kernel.Survivors{List: e.list[:n]}
	kernel.CPU.Filter(&e.batch, &e.survivors)
	next := 0
	for k := range n {
		if next < e.survivors.N && e.list[next] == int32(k) {
			next++
			continue
		}
		alive[e.at[k]] = mark
	}
}

// alongEdge resolves the query of a point that runs from e0 to e1, and the face at rest.
func (r *Resolver) alongEdge(q *[15]float64, out *geom.Impact) {
	var moving [24]float64
	copy(moving[:3], q[:3])
	copy(moving[3:12], q[6:])
	copy(moving[12:15], q[3:6])
	copy(moving[15:], q[6:])
	r.Resolve(geom.VertexFace, moving[:], 1, out)
}

// CrossingImpact writes the impact at t = 0 of an edge and a face that share a point. U, V and
// Point are those of the vertex-face contact at which a point that runs along the edge first meets
// the face; law 9 holds for them with that query. The normal is the face's, and points to the side
// on which the longer part of the edge lies; if both are equally long, to that of e0.
func (r *Resolver) CrossingImpact(q *[15]float64, out *geom.Impact) {
	r.alongEdge(q, out)
	if out.TOILo < 0.5 { // The normal points against the way from e0 to e1: the longer part is behind the face.
		for k := range out.Normal {
			out.Normal[k] = -out.Normal[k]
		}
	}
	out.Kind, out.TOILo, out.TOIHi, out.Width = geom.EdgeFace, 0, 0, 0
	out.Flags = geom.Certified | geom.InitialContact | geom.Intersecting
}

// sumWithBound is a rounded determinant a.(b x c), and a bound on the sum of the magnitudes of its
// six terms.
type sumWithBound struct{ det, perm float64 }

// crossWithBound is a vector b x c in floats, and the same with every term taken at its magnitude.
type crossWithBound struct{ x, mag geom.Vec }

func cross(b, c *geom.Vec) (n crossWithBound) {
	for k := range 3 {
		i, j := (k+1)%3, (k+2)%3
		s, t := float64(b[i]*c[j]), float64(b[j]*c[i])
		n.x[k], n.mag[k] = s-t, math.Abs(s)+math.Abs(t)
	}
	return n
}

func (n *crossWithBound) dot(a *geom.Vec) sumWithBound {
	return sumWithBound{
		geom.Dot3(a, &n.x),
		float64(math.Abs(a[0])*n.mag[0]) + float64(math.Abs(a[1])*n.mag[1]) + float64(math.Abs(a[2])*n.mag[2]),
	}
}

// sign returns the sign of the exact determinant of the three differences of points, or 0 when
// floats cannot decide it.
//
// Each of the six terms is a product of three differences. Roundings on its way into det: one for
// each difference, two for the products, one for the subtraction in the cross product, two for the
// sums: a factor of (1+e)^8 with |e| <= u, so det errs by at most ((1+u)^8 - 1) S, S the sum of the
// exact terms' magnitudes. perm is made of the same terms with the same number of roundings: S <=
// perm (1-u)^-8. Together (8u + O(u^2)) perm < 10u perm (1-u), the last factor for the rounding of
// the product below. What underflows adds at most eta/2 for each of the six inner products, times a
// difference of at most 2e150 < 2^501, and eta/2 for each outer one: less than 2^-570, in det and
// in perm each.
//
// Differences are at most 2e150, so a product of two is finite; where one of three overflows, perm
// does, and the comparison fails.
func (s sumWithBound) sign() int {
	const (
		bound = 10 * 0x1p-53
		tiny  = 0x1p-560
	)
	if e := float64(bound*s.perm) + tiny; s.det > e {
		return 1
	} else if s.det < -e {
		return -1
	}
	return 0
}

// pierces decides in floats whether the closed segment p q and the closed triangle a b c share a
// point. It returns yes or no only when this is proven; where the segment or its line touch the
// plane or the border of the triangle it returns unknown.
//
// If the ends are strictly on one side of the plane there is no common point. If they are strictly
// on either side, there is one point of the segment on the plane, and it is in the triangle exactly
// when the line passes all three edges on the same side; floats can decide strictly inside or
// strictly outside.
func pierces(p, q, a, b, c *geom.Vec) Answer {
	ab, ac, ap, aq := geom.Sub3(b, a), geom.Sub3(c, a), geom.Sub3(p, a), geom.Sub3(q, a)
	n := cross(&ab, &ac)
	sp, sq := n.dot(&ap).sign(), n.dot(&aq).sign()
	if sp == 0 || sq == 0 {
		return Unknown
	}
	if sp == sq {
		return No
	}
	pq, pa, pb, pc := geom.Sub3(q, p), geom.Sub3(a, p), geom.Sub3(b, p), geom.Sub3(c, p)
	m := cross(&pa, &pb)
	s0 := m.dot(&pq).sign()
	m = cross(&pb, &pc)
	s1 := m.dot(&pq).sign()
	if s0*s1 < 0 {
		return No
	}
	m = cross(&pc, &pa)
	s2 := m.dot(&pq).sign()
	if s0*s2 < 0 || s1*s2 < 0 {
		return No
	}
	if s0*s1*s2 == 0 {
		return Unknown
	}
	return Yes
}
