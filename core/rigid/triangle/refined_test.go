package triangle

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/ccdtest"
	"ccd/core/ccdtest/long"
	"ccd/core/geom"
)

// TestRefinedPointsAreNearest: the points are convex combinations of the corners, and as near as
// the triangles are, up to rounding, by rational arithmetic: of edges at any angle, of slivers and
// of triangles without an area.
func TestRefinedPointsAreNearest(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 1))
	worst, lost := 0.0, 0
	for range long.Part(3000, 4) {
		l := thinLeaf(r)
		Nearest(&l.A, &l.B, &l.Near)
		l.Settle()
		first := math.Sqrt(l.Near.D2)
		l.Refine()
		want := exactDistance(&l)
		if first-want > 128*0x1p-53 {
			lost++
		}
		off := max(math.Abs(math.Sqrt(l.Near.D2)-want), offFeature(&l.A, l.Near.FA, l.Near.PA),
			offFeature(&l.B, l.Near.FB, l.Near.PB))
		if worst = max(worst, off); off > 64*0x1p-53 {
			t.Fatalf("%v and %v: %v apart, not %v, or %v off: %+v",
				l.A.P, l.B.P, math.Sqrt(l.Near.D2), want, off, l.Near)
		}
	}
	t.Logf("worst %v u; %d were lost before", worst*0x1p53, lost)
	if lost < long.Part(300, 4) {
		t.Errorf("only %d are hard", lost)
	}
}

// TestCrossingsAreFound: triangles that cross by more than rounding while their edges are at least
// 2^-40 apart have points that coincide up to rounding, and those that are as far apart at their
// nearest features and do not cross have none.
func TestCrossingsAreFound(t *testing.T) {
	r := rand.New(rand.NewPCG(32, 1))
	count := [2]int{}
	for range long.Part(4000, 4) {
		l := thinLeaf(r)
		if exactDistance(&l) < 0x1p-40 {
			continue
		}
		want := 0
		if crossExactly(&l.A, &l.B) || crossExactly(&l.B, &l.A) {
			want = 1
		}
		count[want]++
		if l.Cross(0x1p-43) != (want == 1) {
			t.Fatalf("%v and %v: cross %v", l.A.P, l.B.P, want)
		}
		if want == 1 && !(math.Abs(geom.Norm(l.Out)-1) < 1e-12) {
			t.Fatalf("%v and %v: normal %v", l.A.P, l.B.P, l.Out)
		}
	}
	t.Log(count)
	if count[0] < long.Part(100, 4) || count[1] < long.Part(100, 4) {
		t.Errorf("%d apart, %d cross", count[0], count[1])
	}
}

// thinLeaf draws two triangles, one edge of each passing near one of the other at a small angle,
// and the third corners anywhere, near the edge or on its end.
func thinLeaf(r *rand.Rand) (l Pair) {
	vec := func(size float64) r3.Vec {
		return r3.Vec{X: size * (2*r.Float64() - 1), Y: size * (2*r.Float64() - 1), Z: size * (2*r.Float64() - 1)}
	}
	small := func() float64 { return math.Ldexp(1, -r.IntN(50)) }
	place := func(c *Corners, p, q r3.Vec) {
		third := q
		switch r.IntN(3) {
		case 0:
			third = vec(1)
		case 1:
			third = r3.Add(r3.Add(p, geom.Scale(r.Float64(), r3.Sub(q, p))), vec(small()))
		}
		k := r.IntN(3)
		c.P[k], c.P[(k+1)%3], c.P[(k+2)%3] = p, q, third
		c.Set()
	}
	p, q := vec(1), vec(1)
	way := r3.Add(r3.Sub(q, p), vec(small()))
	from := r3.Sub(r3.Add(p, r3.Add(geom.Scale(r.Float64(), r3.Sub(q, p)), vec(small()))), geom.Scale(r.Float64(), way))
	place(&l.A, p, q)
	place(&l.B, from, r3.Add(from, way))
	return l
}

// exactDistance returns the least distance of all pairs of edges and of corners and faces, in
// rational arithmetic.
func exactDistance(l *Pair) float64 {
	best := math.Inf(1)
	for i := range 3 {
		best = min(best, exactly(geom.VertexFace, l.A.P[i], l.B.P[0], l.B.P[1], l.B.P[2]),
			exactly(geom.VertexFace, l.B.P[i], l.A.P[0], l.A.P[1], l.A.P[2]))
		for j := range 3 {
			best = min(best, exactly(geom.EdgeEdge, l.A.P[i], l.A.P[(i+1)%3], l.B.P[j], l.B.P[(j+1)%3]))
		}
	}
	return best
}

func exactly(k geom.Kind, points ...r3.Vec) float64 {
	var q []float64
	for range 2 {
		for _, p := range points {
			q = append(q, p.X, p.Y, p.Z)
		}
	}
	d, _ := ccdtest.DistanceSquared(k, q, 0).Float64()
	return math.Sqrt(d)
}

// offFeature returns how far a point is from the feature that it is on.
func offFeature(c *Corners, f Feature, p r3.Vec) float64 {
	switch {
	case f < 3:
		return geom.Norm(r3.Sub(p, c.P[f]))
	case f < Face:
		return exactly(geom.VertexFace, p, c.P[f-3], c.P[(f-2)%3], c.P[(f-2)%3])
	}
	return exactly(geom.VertexFace, p, c.P[0], c.P[1], c.P[2])
}

// crossExactly reports whether an edge of a passes through the inside of b, by signs of volumes
// over numbers of 400 bits.
func crossExactly(a, b *Corners) bool {
	for i := range 3 {
		p, q := a.P[i], a.P[(i+1)%3]
		if exactVolume(b.P[0], b.P[1], b.P[2], p)*exactVolume(b.P[0], b.P[1], b.P[2], q) >= 0 {
			continue
		}
		s := exactVolume(p, q, b.P[0], b.P[1])
		if s != 0 && s == exactVolume(p, q, b.P[1], b.P[2]) && s == exactVolume(p, q, b.P[2], b.P[0]) {
			return true
		}
	}
	return false
}

// exactVolume returns the sign of det(b-a, c-a, d-a).
func exactVolume(a, b, c, d r3.Vec) int {
	o := geom.Components(a)
	at := func(p r3.Vec, k int) *big.Float {
		return ccdtest.Plus(ccdtest.Big(geom.Components(p)[k]), ccdtest.Big(-o[k]))
	}
	sum := ccdtest.Big(0)
	for k := range 3 {
		i, j := (k+1)%3, (k+2)%3
		minor := ccdtest.Plus(ccdtest.Times(at(c, i), at(d, j)),
			ccdtest.Times(ccdtest.Big(-1), ccdtest.Times(at(c, j), at(d, i))))
		sum = ccdtest.Plus(sum, ccdtest.Times(at(b, k), minor))
	}
	return sum.Sign()
}
