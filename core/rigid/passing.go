package rigid

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
)

// passes reports whether two triangles with these sides pass through each other beyond rounding:
// their insides share points, and not in one plane, and would do so wherever within e of its place
// each corner was. If so, the near points become those where a side of one meets the face of the
// other, and out the way out, from B to A: normal to that face, toward the longer part of the side.
//
// Each has corners on both sides of the other's plane, so it meets the line of both planes in a
// chord, the inside of which is inside of it. They pass through each other where the chords share
// more than a point.
func passes(l *leaf, a, b *sides, e float64) bool {
	if !a.both || !b.both {
		return false
	}
	x, y := a.chord(&l.a, e), b.chord(&l.b, e)
	way := r3.Sub(x[1].at, x[0].at)
	if n2 := geom.Dot(way, way); n2 > float64(4*(x[0].off+x[1].off)*(x[0].off+x[1].off)) && n2 > 0x1p-900 {
		way = geom.Scale(1/math.Sqrt(n2), way)
	} else {
		return false
	}
	// way is within 30 degrees of the line, so places along it are in the order of those on the
	// line.
	if geom.Dot(way, r3.Sub(y[1].at, y[0].at)) < 0 {
		y[0], y[1] = y[1], y[0]
	}
	for _, p := range [2]*[2]chordEnd{&x, &y} {
		for _, q := range [2]*[2]chordEnd{&x, &y} {
			if !(geom.Dot(way, r3.Sub(p[1].at, q[0].at)) > p[1].off+q[0].off) {
				return false
			}
		}
	}
	meet(l, a, b, &x, &y, way)
	return true
}

// meet makes the near points those of one end of the part that two chords share: the end with the
// smaller error.
func meet(l *leaf, a, b *sides, x, y *[2]chordEnd, way r3.Vec) {
	inner := func(i int, sign float64) (end chordEnd, ofA bool) {
		if sign*geom.Dot(way, r3.Sub(x[i].at, y[i].at)) > 0 {
			return x[i], true
		}
		return y[i], false
	}
	end, ofA := inner(0, 1)
	if other, of := inner(1, -1); other.off < end.off {
		end, ofA = other, of
	}
	if ofA {
		foot := footOn(&l.b, end.at)
		l.near = near{pa: end.at, pb: foot, fa: end.f, fb: Face}
		l.out, _ = geom.Unit(l.b.normal, geom.Scale(a.longer(end.f), l.b.normal))
	} else {
		foot := footOn(&l.a, end.at)
		l.near = near{pa: foot, pb: end.at, fa: Face, fb: end.f}
		l.out, _ = geom.Unit(l.a.normal, geom.Scale(-b.longer(end.f), l.a.normal))
	}
	d := r3.Sub(l.near.pb, l.near.pa)
	l.near.d2 = geom.Dot(d, d)
}

// sides says where the corners of a triangle are of the plane of another: volumes, which are above
// 0 on the side of its normal, with bounds on what they change by if all corners move by e.
type sides struct {
	v, off [3]float64
	both   bool // each side surely has a corner
	in     int  // the number of corners that may be in the plane
}

// set computes the sides of t.
func (s *sides) set(t, plane *corners, e float64) {
	var up, down bool
	s.in = 3
	for k := range 3 {
		s.v[k], s.off[k] = volumeOf(plane, t.p[k], e)
		switch {
		case s.v[k] > s.off[k]:
			up = true
			s.in--
		case s.v[k] < -s.off[k]:
			down = true
			s.in--
		}
	}
	s.both = up && down
}

// edgeIn reports whether both ends of edge i may be in the plane, and the third corner surely is
// not.
func (s *sides) edgeIn(i int) bool { return s.in == 2 && math.Abs(s.v[(i+2)%3]) > s.off[(i+2)%3] }

// volumeOf returns six times the volume of a triangle and p, and a bound on what it changes by if
// all four move by e, and on its rounding.
//
// A corner that moves by e changes it by e times twice the area of the opposite face, at most. Two,
// three, or four that move change it by products of e and e with lengths as well: below 16 e^2 of
// these and 16 e^3. The places are differences of doubles that round by u, as if corners moved by u
// of their lengths, the products by less than 10u of the product of the lengths.
func volumeOf(t *corners, p r3.Vec, e float64) (v, off float64) {
	x, y, z := r3.Sub(t.p[1], t.p[0]), r3.Sub(t.p[2], t.p[0]), r3.Sub(p, t.p[0])
	n := geom.Cross(x, y)
	areas := geom.Norm(n) + geom.Norm(geom.Cross(y, z)) + geom.Norm(geom.Cross(z, x)) +
		geom.Norm(geom.Cross(r3.Sub(x, z), r3.Sub(y, z)))
	lx, ly, lz := geom.Norm(x), geom.Norm(y), geom.Norm(z)
	off = float64(2*e*areas) + float64(16*e*e*(lx+ly+lz+e)) + float64(0x1p-49*lx*ly*lz) + tiny
	return geom.Dot(n, z), off
}

// longer returns the side of the plane on which the longer part of an edge is, or of the triangle
// if the feature is a corner.
func (s *sides) longer(f Feature) float64 {
	if f < 3 {
		return s.v[0] + s.v[1] + s.v[2]
	}
	return s.v[f-3] + s.v[(f-2)%3]
}

// chordEnd is where a triangle's chord on a plane ends: on an edge, or near a corner that may be in
// the plane. off bounds how far the true end is, if all corners move by e, along the line as well.
type chordEnd struct {
	at  r3.Vec
	off float64
	f   Feature
}

// chord returns the chord of a triangle with corners surely on both sides of the plane.
//
// An edge whose ends have the volumes v and w on both sides, known to a and b, meets the plane at
// v/(v - w), which changes by at most (|v| b + |w| a) / (|v - w| (|v - w| - a - b)). If one corner
// may be in the plane, the chord ends on one of its edges, as far from it as the volume may be of
// that of the edge.
func (s *sides) chord(t *corners, e float64) (ends [2]chordEnd) {
	n := 0
	for i := range 3 {
		j := (i + 1) % 3
		v, w, a, b := s.v[i], s.v[j], s.off[i], s.off[j]
		length := math.Sqrt(t.e2[i])
		if whole := math.Abs(v - w); n < 2 && (v > a && w < -b || v < -a && w > b) {
			turn := (float64(math.Abs(v)*b) + float64(math.Abs(w)*a)) / whole / (whole - a - b)
			ends[n] = chordEnd{r3.Add(t.p[i], geom.Scale(clamp(v/(v-w)), t.e[i])),
				float64((turn+0x1p-48)*length*stretch) + float64(4*e), Feature(3 + i)}
			n++
		}
	}
	for k := range 3 {
		if n < 2 && math.Abs(s.v[k]) <= s.off[k] {
			away := 0.0
			// Each entry is an edge at corner k, and the corner at the edge's other end.
			for _, edge := range [2][2]int{{k, (k + 1) % 3}, {(k + 2) % 3, (k + 2) % 3}} {
				o := edge[1]
				away = max(away,
					min((math.Abs(s.v[k])+s.off[k])/(math.Abs(s.v[o])-s.off[o]), 1)*math.Sqrt(t.e2[edge[0]]))
			}
			ends[n] = chordEnd{t.p[k], float64(away*stretch) + float64(4*e), Feature(k)}
			n++
		}
	}
	return ends
}
