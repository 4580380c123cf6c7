package meshfile

import (
	"math"
	"slices"

	"ccd/core/status"
)

// A polygon is cut into triangles between its corners, so that the triangles cover it and nothing
// else. A convex one becomes a fan, as ever. Another one is cut by ears [Meisters1975]: a corner
// whose triangle has no other corner in it is cut off, again and again. It takes time that grows
// with the square of the corners, so such a polygon has at most mostEars.
//
// Corners need not be in a plane: all is decided in the projection along the axis nearest to the
// polygon's normal, by exact signs. A polygon whose sides cross there has no inside. It becomes a
// fan, and is counted.

// mostEars bounds the corners of a polygon that is not convex: some 10 ms of work.
const mostEars = 1000

// latePolygon is a polygon with a corner whose coordinates come later in the file.
type latePolygon struct {
	at      int // it comes before this face
	corners []int32
}

// polygon adds the triangles of a polygon, now or at finish.
func (s *Surface) polygon(corners []int32) error {
	s.cuts.sum += len(corners)
	if int(slices.Max(corners)) >= len(s.Vertices)/3 {
		s.cuts.late = append(s.cuts.late, latePolygon{len(s.Faces), slices.Clone(corners)})
		return nil
	}
	var err error
	s.Faces, err = s.cut(s.Faces, corners)
	return err
}

// finish adds the polygons that waited for their corners.
func (s *Surface) finish() error {
	if len(s.cuts.late) == 0 {
		return nil
	}
	faces, from := make([][3]int32, 0, len(s.Faces)+len(s.cuts.late)), 0
	for _, p := range s.cuts.late {
		faces = append(faces, s.Faces[from:p.at]...)
		from = p.at
		var err error
		if faces, err = s.cut(faces, p.corners); err != nil {
			return err
		}
	}
	s.Faces, s.cuts.late = append(faces, s.Faces[from:]...), nil
	return nil
}

// cut appends the triangles of a polygon all of whose corners are there.
func (s *Surface) cut(out [][3]int32, corners []int32) ([][3]int32, error) {
	if len(corners) == 3 {
		return append(out, [3]int32(corners)), nil
	}
	out, crossed, err := s.cuts.ring.cut(out, s.Vertices, corners, status.ErrFile)
	if crossed {
		s.leave(crossedPolygons, 1)
	}
	return out, err
}

// cut appends the triangles of a polygon, and reports whether it crosses itself, in which case they
// are a fan. kind is the kind of error for a polygon of too many corners.
func (r *ring) cut(out [][3]int32, x []float64, corners []int32, kind error) ([][3]int32, bool, error) {
	r.take(corners)
	corners = r.corners
	switch n := len(corners); n {
	case 1:
		return append(out, [3]int32{corners[0], corners[0], corners[0]}), false, nil
	case 2:
		return append(out, [3]int32{corners[0], corners[1], corners[1]}), false, nil
	case 3:
		return append(out, [3]int32(corners)), false, nil
	}
	r.project(x)
	switch {
	case r.convex():
		return fan(out, corners), false, nil
	case len(corners) > mostEars:
		return nil, false, status.Errorf(kind, "a polygon of %d corners that is not convex: at most %d are cut; "+
			"split it into triangles", len(corners), mostEars)
	case r.crosses():
		return fan(out, corners), true, nil
	}
	if done, ok := r.ears(out); ok {
		return done, false, nil
	}
	return fan(out, corners), true, nil
}

// Cut cuts polygons into triangles between their corners, as the readers do, so that the triangles
// of each polygon cover it and nothing else. x has n x 3 coordinates, corners the vertices of one
// polygon after the other, and sizes how many each has; a polygon of k corners becomes k-2
// triangles. A polygon that crosses itself has no inside: it becomes a fan, and crossed counts it.
// Cut is an error for a coordinate that is not finite, a polygon of fewer than three corners, a
// corner that is out of range or repeats the one before it, and a polygon of more than 1000 corners
// that is not convex.
func Cut(x []float64, corners, sizes []int32) (triangles [][3]int32, crossed int, err error) {
	if err := finite(x); err != nil {
		return nil, 0, err
	}
	triangles, from := make([][3]int32, 0, max(0, len(corners)-2*len(sizes))), 0
	var r ring
	for i, size := range sizes {
		switch {
		case size < 3:
			return nil, 0, status.Errorf(status.ErrArgument, "sizes[%d] is %d: must be 3 or more", i, size)
		case int(size) > len(corners)-from:
			return nil, 0, status.Errorf(status.ErrArgument, "corners has %d items: sizes wants more", len(corners))
		}
		polygon := corners[from : from+int(size)]
		if err := checkPolygon(polygon, from, len(x)/3); err != nil {
			return nil, 0, err
		}
		crosses := false
		if triangles, crosses, err = r.cut(triangles, x, polygon, status.ErrArgument); err != nil {
			return nil, 0, err
		}
		if crosses {
			crossed++
		}
		from += int(size)
	}
	if from != len(corners) {
		return nil, 0, status.Errorf(status.ErrArgument, "corners has %d items: sizes wants %d", len(corners), from)
	}
	return triangles, crossed, nil
}

// checkPolygon returns an error for a corner that is not among n vertices or repeats the one before
// it; from is the place of the first corner.
func checkPolygon(polygon []int32, from, n int) error {
	before := polygon[len(polygon)-1]
	for k, v := range polygon {
		switch {
		case v < 0 || int(v) >= n:
			return status.Errorf(status.ErrIndex, "corners[%d] is %d: out of range for %d vertices", from+k, v, n)
		case v == before:
			return status.Errorf(status.ErrIndex, "corners[%d] is %d, as the corner before it", from+k, v)
		}
		before = v
	}
	return nil
}

// take sets the corners, without those that repeat the one before them, around the end too. At
// least one stays.
func (r *ring) take(corners []int32) {
	out := slices.Compact(append(r.corners[:0], corners...))
	for len(out) > 1 && out[0] == out[len(out)-1] {
		out = out[:len(out)-1]
	}
	r.corners = out
}

// fan appends the first corner with each side that does not contain it.
func fan(out [][3]int32, corners []int32) [][3]int32 {
	out = slices.Grow(out, len(corners)-2) // a long one at once
	for i := 2; i < len(corners); i++ {
		out = append(out, [3]int32{corners[0], corners[i-1], corners[i]})
	}
	return out
}

// ring is a polygon in its projection, turned so that it runs to the left. Its memory serves one
// polygon after the other.
type ring struct {
	corners    []int32
	p          [][2]float64
	next, prev []int
}

// project chooses the projection and finds the corners in it.
func (r *ring) project(x []float64) {
	n := len(r.corners)
	at := func(i int) [3]float64 { return [3]float64(x[3*int(r.corners[i%n]):]) }
	var normal [3]float64
	o := at(0) // the coordinates less these are as small as the polygon
	for i := range n {
		a, b := at(i), at(i+1)
		for k := range 3 {
			j, l := (k+1)%3, (k+2)%3
			normal[k] += float64((a[j]-o[j])*(b[l]-o[l])) - float64((a[l]-o[l])*(b[j]-o[j]))
		}
	}
	axis := 0
	for k := range 3 {
		if math.Abs(normal[k]) > math.Abs(normal[axis]) {
			axis = k
		}
	}
	r.p = slices.Grow(r.p[:0], n)[:n]
	j, l := (axis+1)%3, (axis+2)%3
	if normal[axis] < 0 {
		j, l = l, j
	}
	for i := range n {
		a := at(i)
		r.p[i] = [2]float64{a[j], a[l]}
	}
}

// convex reports whether the ring turns to the left or goes straight on at each corner, and goes
// around once: it has one corner that is left of both neighbors, or below them where they are as
// far left.
func (r *ring) convex() bool {
	n, least := len(r.p), 0
	for i := range n {
		a, b, c := r.p[i], r.p[(i+1)%n], r.p[(i+2)%n]
		turn := orientation(a, b, c)
		if turn < 0 || a == b || turn == 0 && before(a, b) != before(b, c) { // the last: it turns back
			return false
		}
		if before(b, a) && before(b, c) {
			least++
		}
	}
	return least == 1
}

func before(a, b [2]float64) bool { return a[0] < b[0] || a[0] == b[0] && a[1] < b[1] }

// crosses reports whether two sides that are not neighbors cross: each has its ends on both sides
// of the other.
func (r *ring) crosses() bool {
	n := len(r.p)
	for i := range n {
		a, b := r.p[i], r.p[(i+1)%n]
		for j := i + 2; j < n; j++ {
			c, d := r.p[j], r.p[(j+1)%n]
			if (j+1)%n == i || max(a[0], b[0]) < min(c[0], d[0]) || max(c[0], d[0]) < min(a[0], b[0]) ||
				max(a[1], b[1]) < min(c[1], d[1]) || max(c[1], d[1]) < min(a[1], b[1]) {
				continue
			}
			if orientation(a, b, c)*orientation(a, b, d) < 0 && orientation(c, d, a)*orientation(c, d, b) < 0 {
				return true
			}
		}
	}
	return false
}

// mostRounds is how often all corners are looked at. In a ring that does not touch itself once is
// enough: a triangle that holds a corner holds one at which the ring turns to the right, and
// cutting a corner off changes no other but its neighbors.
const mostRounds = 8

// ears appends the triangles; false where at some point there is no ear, as in a ring that runs to
// the right or touches itself from within.
func (r *ring) ears(out [][3]int32) ([][3]int32, bool) {
	n := len(r.p)
	r.next, r.prev = make([]int, n), make([]int, n)
	for i := range n {
		r.next[i], r.prev[i] = (i+1)%n, (i+n-1)%n
	}
	is, begin, at, left := make([]bool, n), len(out), 0, n
	for range mostRounds {
		for i, k := at, 0; k < left; i, k = r.next[i], k+1 {
			is[i] = r.ear(i)
		}
		for tried := 0; left > 3 && tried < left; {
			if !is[at] {
				at, tried = r.next[at], tried+1
				continue
			}
			before, after := r.prev[at], r.next[at]
			out = append(out, r.triangle(at))
			r.next[before], r.prev[after] = after, before
			is[before], is[after] = r.ear(before), r.ear(after)
			// From the corner after the next on, so that triangles do not become a fan of slivers
			// around one corner.
			at, tried, left = r.next[after], 0, left-1
		}
		if left == 3 {
			return append(out, r.triangle(at)), orientation(r.p[r.prev[at]], r.p[at], r.p[r.next[at]]) >= 0
		}
	}
	return out[:begin], false
}

func (r *ring) triangle(i int) [3]int32 {
	return [3]int32{r.corners[r.prev[i]], r.corners[i], r.corners[r.next[i]]}
}

// ear reports whether the corner i can be cut off: the ring turns to the left there, and no other
// corner is in the triangle or on its border. Corners at the place of one of the triangle's own do
// not count, as where a hole is joined to the outside by a cut.
func (r *ring) ear(i int) bool {
	a, b, c := r.p[r.prev[i]], r.p[i], r.p[r.next[i]]
	if orientation(a, b, c) <= 0 {
		return false
	}
	lo := [2]float64{min(a[0], b[0], c[0]), min(a[1], b[1], c[1])}
	hi := [2]float64{max(a[0], b[0], c[0]), max(a[1], b[1], c[1])}
	for j := r.next[r.next[i]]; j != r.prev[i]; j = r.next[j] {
		p := r.p[j]
		if p[0] < lo[0] || p[0] > hi[0] || p[1] < lo[1] || p[1] > hi[1] || p == a || p == b || p == c {
			continue
		}
		if orientation(a, b, p) >= 0 && orientation(b, c, p) >= 0 && orientation(c, a, p) >= 0 {
			return false
		}
	}
	return true
}
