package contain

import (
	"math/big"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/bvh"
	"ccd/core/geom"
	"ccd/core/reference/oracle"
)

// trueWinding returns the winding number in rational numbers: the sum of the signs of the triangles
// that a ray in a general direction passes through. It shares no arithmetic with the package.
func trueWinding(tri []bvh.Triangle, p [3]float64) (winding int32, on bool) {
	for i := range tri {
		if !inBox(p, &tri[i]) {
			continue
		}
		q := slices.Clone(p[:])
		for _, c := range tri[i] {
			q = append(q, c.X, c.Y, c.Z)
		}
		if oracle.Distance(geom.VertexFace, q).Squared.Sign() == 0 {
			return 0, true
		}
	}
	for k := int64(7); ; k += 4 {
		if w, ok := windingAlong(tri, p, [3]int64{1, k, -k * k}); ok {
			return w, false
		}
	}
}

// windingAlong counts along one ray; ok is false where it meets an edge.
func windingAlong(tri []bvh.Triangle, p [3]float64, way [3]int64) (winding int32, ok bool) {
	d := Rational{big.NewRat(way[0], 1), big.NewRat(way[1], 1), big.NewRat(way[2], 1)}
	for i := range tri {
		var v [3]Rational
		for c, x := range tri[i] {
			for k, x := range [3]float64{x.X, x.Y, x.Z} {
				a, b := new(big.Rat).SetFloat64(x), new(big.Rat).SetFloat64(p[k])
				v[c][k] = a.Sub(a, b)
			}
		}
		if flat(v) {
			continue
		}
		sides := [3]int{det(d, v[0], v[1]), det(d, v[1], v[2]), det(d, v[2], v[0])}
		least, most := min(sides[0], sides[1], sides[2]), max(sides[0], sides[1], sides[2])
		if least < 0 && most > 0 {
			continue
		}
		if least <= 0 && most >= 0 {
			return 0, false
		}
		if front := det(v[0], v[1], v[2]); front == least {
			winding += int32(front)
		}
	}
	return winding, true
}

// inBox reports whether a point is in the box of a triangle.
func inBox(p [3]float64, t *bvh.Triangle) bool {
	a, b, c := vec(t[0]), vec(t[1]), vec(t[2])
	for k, x := range p {
		if x < min(a[k], b[k], c[k]) || x > max(a[k], b[k], c[k]) {
			return false
		}
	}
	return true
}

// flat reports whether a triangle is a segment or a point, which a ray in a general direction
// misses.
func flat(v [3]Rational) bool {
	for k := range 3 {
		var axis Rational
		for l := range axis {
			axis[l] = new(big.Rat)
		}
		axis[k].SetInt64(1)
		var u, w Rational
		for l := range u {
			u[l], w[l] = new(big.Rat).Sub(v[1][l], v[0][l]), new(big.Rat).Sub(v[2][l], v[0][l])
		}
		if det(axis, u, w) != 0 {
			return false
		}
	}
	return true
}

// det returns the sign of a determinant.
func det(a, b, c Rational) int {
	sum := new(big.Rat)
	for _, o := range [6][4]int{{0, 1, 2, 1}, {1, 2, 0, 1}, {2, 0, 1, 1}, {0, 2, 1, -1}, {1, 0, 2, -1}, {2, 1, 0, -1}} {
		t := new(big.Rat).Mul(a[o[0]], b[o[1]])
		t.Mul(t, c[o[2]])
		sum.Add(sum, t.Mul(t, big.NewRat(int64(o[3]), 1)))
	}
	return sum.Sign()
}

// trianglesMeet reports whether two triangles share a point, over rational numbers.
func trianglesMeet(a, b *bvh.Triangle) bool {
	for k := range 3 {
		x, y := func(i int) float64 { return vec(a[i])[k] }, func(i int) float64 { return vec(b[i])[k] }
		if min(x(0), x(1), x(2)) > max(y(0), y(1), y(2)) || max(x(0), x(1), x(2)) < min(y(0), y(1), y(2)) {
			return false
		}
	}
	for _, t := range [2][2]*bvh.Triangle{{a, b}, {b, a}} {
		for c := range 3 {
			var q []float64
			for _, p := range [5]r3.Vec{t[0][c], t[0][(c+1)%3], t[1][0], t[1][1], t[1][2]} {
				q = append(q, p.X, p.Y, p.Z)
			}
			if oracle.Crossing(q) {
				return true
			}
		}
	}
	return false
}

// boxTriangles are those of a box, wound outwards.
func boxTriangles(lo, hi r3.Vec) (out []bvh.Triangle) {
	at := func(i int) r3.Vec {
		p := lo
		if i&1 != 0 {
			p.X = hi.X
		}
		if i&2 != 0 {
			p.Y = hi.Y
		}
		if i&4 != 0 {
			p.Z = hi.Z
		}
		return p
	}
	for _, f := range [12][3]int{
		{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4}, {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2},
		{1, 3, 7}, {1, 7, 5},
	} {
		out = append(out, bvh.Triangle{at(f[0]), at(f[1]), at(f[2])})
	}
	return out
}

// tetrahedron returns the border of a tetrahedron, wound inwards if the corners are.
func tetrahedron(p [4]r3.Vec) []bvh.Triangle {
	return []bvh.Triangle{{p[0], p[2], p[1]}, {p[0], p[1], p[3]}, {p[1], p[2], p[3]}, {p[2], p[0], p[3]}}
}

// inverted returns the triangles wound the other way.
func inverted(tri []bvh.Triangle) []bvh.Triangle {
	out := make([]bvh.Triangle, len(tri))
	for i, t := range tri {
		out[i] = bvh.Triangle{t[0], t[2], t[1]}
	}
	return out
}

// split divides each triangle at a point on it, as far as doubles know, so that edges of the
// surface lie on each other but for rounding.
func split(r *rand.Rand, tri []bvh.Triangle) (out []bvh.Triangle) {
	for _, t := range tri {
		m := geom.Scale(1./3, r3.Add(r3.Add(t[0], t[1]), t[2]))
		if r.IntN(3) == 0 {
			m = t[r.IntN(3)]
		}
		out = append(out, bvh.Triangle{t[0], t[1], m}, bvh.Triangle{t[1], t[2], m}, bvh.Triangle{t[2], t[0], m})
	}
	return out
}

// closedSurface returns a random closed surface: parts that may touch, overlap, be flat, or wound
// inwards.
func closedSurface(r *rand.Rand) (out []bvh.Triangle) {
	coordinate := func() float64 { return float64(r.IntN(7)) }
	if r.IntN(3) == 0 {
		coordinate = func() float64 { return 6 * r.Float64() }
	}
	corner := func() r3.Vec { return r3.Vec{X: coordinate(), Y: coordinate(), Z: coordinate()} }
	for range 1 + r.IntN(4) {
		var part []bvh.Triangle
		if r.IntN(2) == 0 {
			part = tetrahedron([4]r3.Vec{corner(), corner(), corner(), corner()})
		} else {
			part = boxTriangles(corner(), corner())
		}
		if r.IntN(3) == 0 {
			part = inverted(part)
		}
		if r.IntN(3) == 0 {
			part = split(r, part)
		}
		out = append(out, part...)
	}
	scaled(r, out)
	r.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

// scaled changes all corners alike, in a way that keeps equal ones equal.
func scaled(r *rand.Rand, tri []bvh.Triangle) {
	change := func(p r3.Vec) r3.Vec { return p }
	switch r.IntN(8) {
	case 0:
		s := []float64{0x1p-300, 0x1p300, 0x1p-20, 1e-150, 1e149}[r.IntN(5)]
		change = func(p r3.Vec) r3.Vec { return geom.Scale(s, p) }
	case 1:
		o := r3.Vec{X: 1e6, Y: -3e9, Z: 7.1}
		change = func(p r3.Vec) r3.Vec { return r3.Add(p, o) }
	case 2: // another lattice, whose edges and faces no axis is along
		change = func(p r3.Vec) r3.Vec {
			return r3.Vec{X: p.X + 2*p.Y - p.Z, Y: p.Y - 3*p.Z + p.X, Z: 2*p.X - p.Y - p.Z}
		}
	case 3: // rounded at another size
		change = func(p r3.Vec) r3.Vec { return geom.Scale(1./3, p) }
	}
	for i := range tri {
		for c := range tri[i] {
			tri[i][c] = change(tri[i][c])
		}
	}
}

// pointNear returns a point that is likely to be a degenerate one.
func pointNear(r *rand.Rand, tri []bvh.Triangle) r3.Vec {
	t, u := tri[r.IntN(len(tri))], tri[r.IntN(len(tri))]
	p := t[r.IntN(3)]
	switch r.IntN(6) {
	case 0:
		return p
	case 1: // coordinates of different corners: in line with edges and corners
		return r3.Vec{X: p.X, Y: u[0].Y, Z: tri[r.IntN(len(tri))][1].Z}
	case 2:
		return geom.Scale(0.5, r3.Add(p, u[r.IntN(3)]))
	case 3:
		return geom.Scale(0.25, r3.Add(r3.Add(t[0], t[1]), geom.Scale(2, t[2])))
	case 4: // beside a point of the surface
		m := geom.Scale(0.5, r3.Add(t[0], t[1]))
		m.X *= 1 + float64(r.IntN(5)-2)*0x1p-52
		m.Z *= 1 + float64(r.IntN(5)-2)*0x1p-52
		return m
	}
	a := r.Float64()
	return r3.Add(geom.Scale(a, p), geom.Scale(1-a, geom.Scale(0.5, r3.Add(u[0], u[1]))))
}
