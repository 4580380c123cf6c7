package triangle

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
)

const (
	tinyVolume    = 0x1p-800    // It pays for what underflows in the volume of four corners.
	stretchLength = 1 + 0x1p-44 // It pays for the rounding of lengths and of their quotients.
)

// Pass reports whether two triangles with these sides pass through each other beyond rounding:
// their insides share points, and not in one plane, and would do so wherever within e of its place
// each corner was. If so, the near points become those where a side of one meets the face of the
// other, and Out the way out, from B to A: normal to that face, toward the longer part of the side.
//
// Each has corners on both sides of the other's plane, so it meets the line of both planes in a
// chord, the inside of which is inside of it. They pass through each other where the chords share
// more than a point.
func Pass(l *Pair, a, b *Sides, e float64) bool {
	if !a.both || !b.both {
		return false
	}
	x, y := a.chord(&l.A, e), b.chord(&l.B, e)
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
func meet(l *Pair, a, b *Sides, x, y *[2]chordEnd, way r3.Vec) {
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
		foot := FootOn(&l.B, end.at)
		l.Near = Near{PA: end.at, PB: foot, FA: end.f, FB: Face}
		l.Out, _ = geom.Unit(l.B.Normal, geom.Scale(a.longer(end.f), l.B.Normal))
	} else {
		foot := FootOn(&l.A, end.at)
		l.Near = Near{PA: foot, PB: end.at, FA: Face, FB: end.f}
		l.Out, _ = geom.Unit(l.A.Normal, geom.Scale(-b.longer(end.f), l.A.Normal))
	}
	d := r3.Sub(l.Near.PB, l.Near.PA)
	l.Near.D2 = geom.Dot(d, d)
}

// Sides says where the corners of a triangle are of the plane of another: volumes, which are above
// 0 on the side of its normal, with bounds on what they change by if all corners move by e.
type Sides struct {
	V, off [3]float64
	both   bool // each side surely has a corner
	In     int  // the number of corners that may be in the plane
}

// Set computes the sides of t.
func (s *Sides) Set(t, plane *Corners, e float64) {
	var up, down bool
	s.In = 3
	for k := range 3 {
		s.V[k], s.off[k] = VolumeOf(plane, t.P[k], e)
		switch {
		case s.V[k] > s.off[k]:
			up = true
			s.In--
		case s.V[k] < -s.off[k]:
			down = true
			s.In--
		}
	}
	s.both = up && down
}

// EdgeIn reports whether both ends of edge i may be in the plane, and the third corner surely is
// not.
func (s *Sides) EdgeIn(i int) bool { return s.In == 2 && math.Abs(s.V[(i+2)%3]) > s.off[(i+2)%3] }

// VolumeOf returns six times the volume of a triangle and p, and a bound on what it changes by if
// all four move by e, and on its rounding.
//
// A corner that moves by e changes it by e times twice the area of the opposite face, at most. Two,
// three, or four that move change it by products of e and e with lengths as well: below 16 e^2 of
// these and 16 e^3. The places are differences of doubles that round by u, as if corners moved by u
// of their lengths, the products by less than 10u of the product of the lengths.
func VolumeOf(t *Corners, p r3.Vec, e float64) (v, off float64) {
	x, y, z := r3.Sub(t.P[1], t.P[0]), r3.Sub(t.P[2], t.P[0]), r3.Sub(p, t.P[0])
	n := geom.Cross(x, y)
	areas := geom.Norm(n) + geom.Norm(geom.Cross(y, z)) + geom.Norm(geom.Cross(z, x)) +
		geom.Norm(geom.Cross(r3.Sub(x, z), r3.Sub(y, z)))
	lx, ly, lz := geom.Norm(x), geom.Norm(y), geom.Norm(z)
	off = float64(2*e*areas) + float64(16*e*e*(lx+ly+lz+e)) + float64(0x1p-49*lx*ly*lz) + tinyVolume
	return geom.Dot(n, z), off
}

// longer returns the side of the plane on which the longer part of an edge is, or of the triangle
// if the feature is a corner.
func (s *Sides) longer(f Feature) float64 {
	if f < 3 {
		return s.V[0] + s.V[1] + s.V[2]
	}
	return s.V[f-3] + s.V[(f-2)%3]
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
func (s *Sides) chord(t *Corners, e float64) (ends [2]chordEnd) {
	n := 0
	for i := range 3 {
		j := (i + 1) % 3
		v, w, a, b := s.V[i], s.V[j], s.off[i], s.off[j]
		length := math.Sqrt(t.E2[i])
		if whole := math.Abs(v - w); n < 2 && (v > a && w < -b || v < -a && w > b) {
			turn := (float64(math.Abs(v)*b) + float64(math.Abs(w)*a)) / whole / (whole - a - b)
			ends[n] = chordEnd{r3.Add(t.P[i], geom.Scale(geom.Clamp(v/(v-w)), t.E[i])),
				float64((turn+0x1p-48)*length*stretchLength) + float64(4*e), Feature(3 + i)}
			n++
		}
	}
	for k := range 3 {
		if n < 2 && math.Abs(s.V[k]) <= s.off[k] {
			away := 0.0
			// Each entry is an edge at corner k, and the corner at the edge's other end.
			for _, edge := range [2][2]int{{k, (k + 1) % 3}, {(k + 2) % 3, (k + 2) % 3}} {
				o := edge[1]
				away = max(away,
					min((math.Abs(s.V[k])+s.off[k])/(math.Abs(s.V[o])-s.off[o]), 1)*math.Sqrt(t.E2[edge[0]]))
			}
			ends[n] = chordEnd{t.P[k], float64(away*stretchLength) + float64(4*e), Feature(k)}
			n++
		}
	}
	return ends
}
