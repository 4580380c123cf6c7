package rigid

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
		nearest(&l.a, &l.b, &l.near)
		l.settle()
		first := math.Sqrt(l.near.d2)
		l.refine()
		want := exactDistance(&l)
		if first-want > 128*0x1p-53 {
			lost++
		}
		off := max(math.Abs(math.Sqrt(l.near.d2)-want), offFeature(&l.a, l.near.fa, l.near.pa),
			offFeature(&l.b, l.near.fb, l.near.pb))
		if worst = max(worst, off); off > 64*0x1p-53 {
			t.Fatalf("%v and %v: %v apart, not %v, or %v off: %+v",
				l.a.p, l.b.p, math.Sqrt(l.near.d2), want, off, l.near)
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
		if crossExactly(&l.a, &l.b) || crossExactly(&l.b, &l.a) {
			want = 1
		}
		count[want]++
		if l.crosses(0x1p-43) != (want == 1) {
			t.Fatalf("%v and %v: cross %v", l.a.p, l.b.p, want)
		}
		if want == 1 && !(math.Abs(geom.Norm(l.out)-1) < 1e-12) {
			t.Fatalf("%v and %v: normal %v", l.a.p, l.b.p, l.out)
		}
	}
	t.Log(count)
	if count[0] < long.Part(100, 4) || count[1] < long.Part(100, 4) {
		t.Errorf("%d apart, %d cross", count[0], count[1])
	}
}

// thinLeaf draws two triangles, one edge of each passing near one of the other at a small angle,
// and the third corners anywhere, near the edge or on its end.
func thinLeaf(r *rand.Rand) (l leaf) {
	vec := func(size float64) r3.Vec {
		return r3.Vec{X: size * (2*r.Float64() - 1), Y: size * (2*r.Float64() - 1), Z: size * (2*r.Float64() - 1)}
	}
	small := func() float64 { return math.Ldexp(1, -r.IntN(50)) }
	triangle := func(c *corners, p, q r3.Vec) {
		third := q
		switch r.IntN(3) {
		case 0:
			third = vec(1)
		case 1:
			third = r3.Add(r3.Add(p, geom.Scale(r.Float64(), r3.Sub(q, p))), vec(small()))
		}
		k := r.IntN(3)
		c.p[k], c.p[(k+1)%3], c.p[(k+2)%3] = p, q, third
		c.set()
	}
	p, q := vec(1), vec(1)
	way := r3.Add(r3.Sub(q, p), vec(small()))
	from := r3.Sub(r3.Add(p, r3.Add(geom.Scale(r.Float64(), r3.Sub(q, p)), vec(small()))), geom.Scale(r.Float64(), way))
	triangle(&l.a, p, q)
	triangle(&l.b, from, r3.Add(from, way))
	return l
}

// exactDistance returns the least distance of all pairs of edges and of corners and faces, in
// rational arithmetic.
func exactDistance(l *leaf) float64 {
	best := math.Inf(1)
	for i := range 3 {
		best = min(best, exactly(geom.VertexFace, l.a.p[i], l.b.p[0], l.b.p[1], l.b.p[2]),
			exactly(geom.VertexFace, l.b.p[i], l.a.p[0], l.a.p[1], l.a.p[2]))
		for j := range 3 {
			best = min(best, exactly(geom.EdgeEdge, l.a.p[i], l.a.p[(i+1)%3], l.b.p[j], l.b.p[(j+1)%3]))
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
func offFeature(c *corners, f Feature, p r3.Vec) float64 {
	switch {
	case f < 3:
		return geom.Norm(r3.Sub(p, c.p[f]))
	case f < Face:
		return exactly(geom.VertexFace, p, c.p[f-3], c.p[(f-2)%3], c.p[(f-2)%3])
	}
	return exactly(geom.VertexFace, p, c.p[0], c.p[1], c.p[2])
}

// crossExactly reports whether an edge of a passes through the inside of b, by signs of volumes
// over numbers of 400 bits.
func crossExactly(a, b *corners) bool {
	for i := range 3 {
		p, q := a.p[i], a.p[(i+1)%3]
		if exactVolume(b.p[0], b.p[1], b.p[2], p)*exactVolume(b.p[0], b.p[1], b.p[2], q) >= 0 {
			continue
		}
		s := exactVolume(p, q, b.p[0], b.p[1])
		if s != 0 && s == exactVolume(p, q, b.p[1], b.p[2]) && s == exactVolume(p, q, b.p[2], b.p[0]) {
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
