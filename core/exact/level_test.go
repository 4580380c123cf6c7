package exact

import (
	"math"
	"math/rand/v2"
	"testing"

	"ccd/core/geom"
)

// levelQuery returns a pair of which the points of each primitive have one coordinate along an
// axis: on a grid, where many edges are parallel or meet at ends, at rest in the plane or not, with
// coordinates that are multiples of a seventieth, whose differences are no doubles.
func levelQuery(r *rand.Rand, n int) (kind geom.Kind, q []float64) {
	kind, q = []geom.Kind{geom.VertexFace, geom.EdgeEdge, geom.VertexFace, geom.EdgeEdge, geom.PointEdge}[n%5],
		make([]float64, 24)
	k, unit := r.IntN(3), []float64{1, 1.0 / 71, 0x1p-30, 1e100, 0.1}[r.IntN(5)]
	i, j := (k+1)%3, (k+2)%3
	heights := [][4]float64{{1, 0, -1, 0}, {0.1, 0, -0.1, 0}, {0.1, 0, -0.2, 0}, {0.3, 0.1, 0.1, 0.1},
		{0.1, 0.7, 0.6, 0.1}, {1, 0, 2, 0}, {0, 0, 1, 0}}[r.IntN(7)]
	drift := []float64{0, 0, 1, 0.5}[r.IntN(4)]
	points, split := int(kind.Info().Points), int(kind.Info().Split)
	parallel := r.IntN(3) == 0
	var at [4][2]int
	for p := range at {
		at[p] = [2]int{r.IntN(5), r.IntN(5)}
	}
	if parallel && kind == geom.EdgeEdge {
		d, m := [2]int{r.IntN(3), 1 + r.IntN(2)}, 1+r.IntN(3)
		at[1] = [2]int{at[0][0] + d[0], at[0][1] + d[1]}
		s := r.IntN(7) - 3
		at[2] = [2]int{at[0][0] + s*d[0], at[0][1] + s*d[1]}
		at[3] = [2]int{at[2][0] + m*d[0], at[2][1] + m*d[1]}
		if r.IntN(4) == 0 {
			at[3] = [2]int{at[3][0] + 1, at[3][1]}
		}
	}
	for p := range points {
		x, y := float64(at[p][0])*unit, float64(at[p][1])*unit
		if r.IntN(6) == 0 {
			x = math.Nextafter(x, float64(r.IntN(3)-1)*1e300)
		}
		side := 0
		if p >= split {
			side = 1
		}
		moved := drift * float64(1-side)
		q[3*p+i], q[3*p+j], q[3*p+k] = x, y, heights[side]*unit
		q[3*(points+p)+i], q[3*(points+p)+j], q[3*(points+p)+k] = x+moved*unit, y, heights[2+side]*unit
	}
	if r.IntN(40) == 0 { // no longer level
		q[3*points+k] += unit / 8
	}
	return kind, q[:kind.Len()]
}

// What level decides, and what follows from it, has the bits of the stages after it: of integers of
// fixed width, or of any.
func TestLevelHasTheBitsOfIntegers(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 12))
	var fast, slow Resolver
	said := map[string]int{}
	count := 40000
	if testing.Short() {
		count = 10000
	}
	for n := range count {
		kind, q := levelQuery(r, n)
		var got, want geom.Impact
		geom.Widen(kind, q, &fast.query)
		domain, tMax := widened[kind], []float64{1, 0.5, 0.7}[r.IntN(3)]
		if r.IntN(4) == 0 { // up to the time itself, or the double below it
			slow.query = fast.query
			if slow.decideByIntegers(kind, 1, &want); want.Verdict == geom.Contact {
				tMax = want.TOILo
			}
		}
		fast.double.load(domain, &fast.query)
		answer := fast.double.level(&fast.query, tMax, &fast.found)
		fast.decide(kind, tMax, &got)
		slow.query = fast.query
		slow.decideByIntegers(kind, tMax, &want)
		if got != want {
			t.Fatalf("query %d: %v %v up to %v: level says %d\n%+v, integers\n%+v", n, kind, q, tMax, answer, got, want)
		}
		name := map[int]string{int(Unknown): "unknown", int(No): "no", int(Yes): "yes"}[int(answer)]
		if answer == Yes {
			name = map[int]string{1: "on a line", 2: "in a plane"}[fast.found.shape]
			if fast.found.shape == 2 && !fast.found.plain(domain) {
				name += ", not plain"
			}
		}
		said[name]++
	}
	for _, name := range []string{"unknown", "no", "on a line", "in a plane", "in a plane, not plain"} {
		if said[name] < count/200 {
			t.Errorf("%q %d times of %d", name, said[name], count)
		}
	}
	t.Log(said)
}

// Edges on one line, of which differences have more bits than doubles, some more than 64: u and v
// have the bits of integers.
func TestLevelOverlapsHaveTheBitsOfIntegers(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 13))
	var fast, slow Resolver
	short, long := 0, 0
	for n := range 60000 {
		q := make([]float64, 24)
		k, i := n%3, (n+1+n/3%2)%3
		for p := range 4 {
			x := math.Ldexp(r.Float64(), -r.IntN(24))
			if n%8 == 0 { // a difference just above the middle of two doubles, which 64 bits do not show
				x = []float64{1 + float64(2*r.IntN(1<<40))*0x1p-52, -1 - x, -0x1p-53 - 0x1p-70, x}[p]
			}
			q[3*p+i], q[12+3*p+i] = x, x
			if p < 2 {
				q[3*p+k], q[12+3*p+k] = 0.5, -0.25
			}
		}
		var got, want geom.Impact
		geom.Widen(geom.EdgeEdge, q, &fast.query)
		slow.query = fast.query
		fast.double.load(geom.Square, &fast.query)
		if fast.double.level(&fast.query, 1, &fast.found) == Unknown {
			long++
			continue
		}
		short++
		fast.decide(geom.EdgeEdge, 1, &got)
		if slow.decideByIntegers(geom.EdgeEdge, 1, &want); got != want {
			t.Fatalf("query %d: %v\n%+v, integers\n%+v", n, q, got, want)
		}
	}
	if short < 10000 || long < 5000 {
		t.Errorf("%d queries decided, %d left to integers", short, long)
	}
}

// decideByIntegers is decide without stages in floats, but for where the primitives touch.
func (r *Resolver) decideByIntegers(kind geom.Kind, tMax float64, out *geom.Impact) {
	domain := widened[kind]
	r.double.load(domain, &r.query)
	out.SetSeparate(kind)
	if r.wide.decide(domain, &r.query, tMax, &r.double, &r.found) {
		r.report(kind, out)
	}
}
