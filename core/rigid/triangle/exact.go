package triangle

import (
	"math"
	"math/big"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/bvh"
	"ccd/core/exact"
	"ccd/core/geom"
	"ccd/core/num"
)

// Exact decides in integers what two triangles at exact poses do.
//
// The rotation of q/|q| is N(q)/|q|^2, N a matrix of sums of products of the components, and so
// rational. Times |qa|^2 |qb|^2 the corners of both bodies are
//
//	|qa|^2 |qb|^2 Xa + |qb|^2 N(qa) p  and  |qa|^2 |qb|^2 Xb + |qa|^2 N(qb) p,
//
// integers in some unit.
type Exact struct {
	pa, pb geom.Pose
	known  bool
	turn   [2][3]num.IntVec // rows of |qb|^2 N(qa) and |qa|^2 N(qb)
	scale  *big.Int         // |qa|^2 |qb|^2
}

func (m *Exact) Set(pa, pb geom.Pose) { m.pa, m.pb, m.known = pa, pb, false }

// load computes the rotations.
func (m *Exact) load() {
	if m.known {
		return
	}
	m.known = true
	na, rowsA := Rotated(m.pa.Rotation)
	nb, rowsB := Rotated(m.pb.Rotation)
	m.scale = new(big.Int).Mul(na, nb)
	for i := range 3 {
		for j := range 3 {
			rowsA[i][j].Mul(rowsA[i][j], nb)
			rowsB[i][j].Mul(rowsB[i][j], na)
		}
	}
	m.turn = [2][3]num.IntVec{rowsA, rowsB}
}

// Rotated returns |q|^2 and the rows of N(q), for q in a unit in which its components are integers.
func Rotated(q quat.Number) (square *big.Int, rows [3]num.IntVec) {
	var v [2]num.IntVec
	num.IntVecs([]float64{q.Real, q.Imag, q.Jmag, q.Kmag, 0, 0}, v[:])
	w, x, y, z := v[0][0], v[0][1], v[0][2], v[1][0]
	product := func(a, b *big.Int) *big.Int { return new(big.Int).Mul(a, b) }
	ww, xx, yy, zz := product(w, w), product(x, x), product(y, y), product(z, z)
	sum := func(a, b, c, d *big.Int) *big.Int { // a + b - c - d
		s := new(big.Int).Add(a, b)
		return s.Sub(s.Sub(s, c), d)
	}
	twice := func(a, b, c, d *big.Int, sign int64) *big.Int { // 2 (a b + sign c d)
		s := product(c, d)
		s.Mul(s, big.NewInt(sign))
		return s.Lsh(s.Add(s, product(a, b)), 1)
	}
	square = new(big.Int).Add(new(big.Int).Add(ww, xx), new(big.Int).Add(yy, zz))
	rows = [3]num.IntVec{
		{sum(ww, xx, yy, zz), twice(x, y, w, z, -1), twice(x, z, w, y, 1)},
		{twice(x, y, w, z, 1), sum(ww, yy, xx, zz), twice(y, z, w, x, -1)},
		{twice(x, z, w, y, -1), twice(y, z, w, x, 1), sum(ww, zz, xx, yy)},
	}
	return square, rows
}

// corners returns the corners of both triangles times the scale, in units of 2^unit.
func (m *Exact) corners(a, b *bvh.Triangle) (p [2][3]num.IntVec, unit int) {
	m.load()
	var x []float64
	for k := range 3 {
		x = append(x, a[k].X, a[k].Y, a[k].Z, b[k].X, b[k].Y, b[k].Z)
	}
	xa, xb := m.pa.Position, m.pb.Position
	x = append(x, xa.X, xa.Y, xa.Z, xb.X, xb.Y, xb.Z)
	var v [8]num.IntVec
	unit, zero := num.IntVecs(x, v[:])
	if zero {
		unit = 0
	}
	for side := range 2 {
		for k := range 3 {
			for i := range 3 {
				c := m.turn[side][i].Dot(v[2*k+side])
				p[side][k][i] = c.Add(c, new(big.Int).Mul(m.scale, v[6+side][i]))
			}
		}
	}
	return p, unit
}

// Share reports whether two closed triangles share a point: whether no direction parts them.
//
// Let the triangles be apart, and v lead from a nearest point of one to one of the other. Along v
// there is a gap. Let F and G be the features of least dimension that the points lie on. Both are
// perpendicular to v, which is therefore, up to its length: the difference of two corners; the part
// of one across an edge; the normal of a triangle with two directions; or the product of two edges.
// Parallel edges, or an edge parallel to a face, have nearest points at a corner of one. A triangle
// that is an edge or a point has only such features. So it suffices to try these directions.
func (m *Exact) Share(a, b bvh.Triangle) bool {
	p, _ := m.corners(&a, &b)
	return !parted(&p)
}

// parted reports whether a direction has all corners of one triangle on one side of all corners of
// the other.
func parted(p *[2][3]num.IntVec) bool {
	var e [2][3]num.IntVec
	for side := range 2 {
		for k := range 3 {
			e[side][k] = p[side][(k+1)%3].Minus(p[side][k])
		}
	}
	try := func(n num.IntVec) bool {
		var least, most [2]*big.Int
		for side := range 2 {
			for k := range 3 {
				d := n.Dot(p[side][k])
				if k == 0 || d.Cmp(least[side]) < 0 {
					least[side] = d
				}
				if k == 0 || d.Cmp(most[side]) > 0 {
					most[side] = d
				}
			}
		}
		return most[0].Cmp(least[1]) < 0 || most[1].Cmp(least[0]) < 0
	}
	if try(e[0][0].Cross(e[0][1])) || try(e[1][0].Cross(e[1][1])) {
		return true
	}
	for i := range 3 {
		for j := range 3 {
			d := p[1][j].Minus(p[0][i])
			if try(e[0][i].Cross(e[1][j])) || try(d) || try(e[0][i].Cross(d).Cross(e[0][i])) ||
				try(e[1][j].Cross(d).Cross(e[1][j])) {
				return true
			}
		}
	}
	return false
}

// Common makes the near points one point that both triangles have, where an edge of one crosses the
// face of the other; if none does they stay.
func (m *Exact) Common(a, b bvh.Triangle, out *Near) {
	p, unit := m.corners(&a, &b)
	for side := range 2 {
		t := &p[1-side] // the face
		e, w := t[1].Minus(t[0]), t[2].Minus(t[0])
		n := e.Cross(w)
		for i := range 3 {
			from, to := p[side][i], p[side][(i+1)%3]
			d := to.Minus(from)
			above, fall := n.Dot(from.Minus(t[0])), new(big.Int).Neg(n.Dot(d))
			if fall.Sign() == 0 {
				continue
			}
			if fall.Sign() < 0 {
				above.Neg(above)
				fall.Neg(fall)
			}
			if above.Sign() < 0 || above.Cmp(fall) > 0 {
				continue
			}
			// The place is from + above/fall d: fall times as much is an integer.
			var at num.IntVec
			for k := range at {
				at[k] = new(big.Int).Mul(fall, from[k])
				at[k].Add(at[k], new(big.Int).Mul(above, d[k]))
			}
			inside := true
			for k := range 3 {
				var r num.IntVec
				for c := range r {
					r[c] = new(big.Int).Sub(at[c], new(big.Int).Mul(fall, t[k][c]))
				}
				inside = inside && n.Dot(t[(k+1)%3].Minus(t[k]).Cross(r)).Sign() >= 0
			}
			if inside {
				x := m.seen(at, fall, unit)
				*out = Near{PA: x, PB: x, FA: Feature(3 + i), FB: Face}
				if side == 1 {
					out.FA, out.FB = Face, Feature(3+i)
				}
				return
			}
		}
	}
}

// seen returns the place at/den, in units of 2^unit over the scale, as A's origin sees it, rounded.
func (m *Exact) seen(at num.IntVec, den *big.Int, unit int) r3.Vec {
	whole := new(big.Int).Mul(den, m.scale)
	var x [3]float64
	for k, c := range geom.Components(m.pa.Position) {
		o, e := num.OddPart(c)
		s := new(big.Int).Mul(whole, big.NewInt(o))
		if o != 0 {
			s.Lsh(s, uint(e-unit)) // The unit divides the position.
		}
		s.Sub(at[k], s)
		sign := s.Sign()
		x[k] = float64(sign) * math.Ldexp(exact.Quotient(s.Abs(s), whole), unit)
	}
	return geom.VecOf(x[:])
}

// Within reports whether two triangles that share no point come as near as the sum of two radii.
func (m *Exact) Within(a, b bvh.Triangle, radii [2]float64) bool {
	p, unit := m.corners(&a, &b)
	var sum [2]num.IntVec
	own, zero := num.IntVecs([]float64{radii[0], 0, 0, radii[1], 0, 0}, sum[:])
	if zero {
		return false
	}
	reach := new(big.Int).Add(sum[0][0], sum[1][0])
	reach.Mul(reach, m.scale)
	found := false
	candidates(&p, func(k geom.Kind, v [4]num.IntVec) {
		found = found || exact.NearestOfIntegers(k, &v, unit).AtMost(reach, own)
	})
	return found
}

// candidates lists the pairs of which one has the distance of two triangles that share no point:
// edges, and corners and faces.
func candidates(p *[2][3]num.IntVec, use func(k geom.Kind, v [4]num.IntVec)) {
	for i := range 3 {
		use(geom.VertexFace, [4]num.IntVec{p[0][i], p[1][0], p[1][1], p[1][2]})
		use(geom.VertexFace, [4]num.IntVec{p[1][i], p[0][0], p[0][1], p[0][2]})
		for j := range 3 {
			use(geom.EdgeEdge, [4]num.IntVec{p[0][i], p[0][(i+1)%3], p[1][j], p[1][(j+1)%3]})
		}
	}
}

// Distance encloses the distance of two triangles that share no point: the least of edges, and of
// corners and faces.
func (m *Exact) Distance(a, b bvh.Triangle) (lo, hi float64) {
	p, unit := m.corners(&a, &b)
	// The unit is made smaller by a power of two near the scale, so that distances are of their own
	// size up to a factor in [1, 2).
	bits := m.scale.BitLen() - 1
	lo, hi = math.Inf(1), math.Inf(1)
	candidates(&p, func(k geom.Kind, v [4]num.IntVec) {
		l, h := exact.NearestOfIntegers(k, &v, unit-bits).Enclose()
		lo, hi = min(lo, l), min(hi, h)
	})
	factor := exact.ToDouble(m.scale, -bits) // within half a unit in the last place
	return num.DivDown(lo, num.Up(factor)), num.DivUp(hi, num.Down(factor))
}
