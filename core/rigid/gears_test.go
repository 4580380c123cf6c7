package rigid

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/ccdtest/long"
	"ccd/core/geom"
)

// PartsCutAt makes searches cut a part of time after so many steps.
func PartsCutAt(t testing.TB, steps int64) {
	t.Helper()
	old := mostSteps
	mostSteps = steps
	t.Cleanup(func() { mostSteps = old })
}

// gear returns the flanks of an involute gear of module 1 about z, of which each has some facets
// and is moved back by half the gap along its normal. It has a pressure angle of 20 degrees.
func gear(t testing.TB, teeth, facets int, gap, phase float64) *Body {
	t.Helper()
	const pressure = math.Pi / 9
	base := float64(teeth) / 2 * math.Cos(pressure)
	root, tip := float64(teeth)/2-1.25, float64(teeth)/2+1
	half := math.Pi/float64(2*teeth) + math.Tan(pressure) - pressure - gap/2/base
	roll := func(r float64) float64 { return math.Sqrt(max(r/base, 1)*max(r/base, 1) - 1) }
	var outline []r3.Vec
	for k := range teeth {
		middle := phase + 2*math.Pi*float64(k)/float64(teeth)
		for _, side := range []float64{-1, 1} {
			for i := range facets + 2 { // The first point is one of the root's circle.
				if side > 0 {
					i = facets + 1 - i
				}
				u, r := roll(root)+(roll(tip)-roll(root))*float64(max(i-1, 0))/float64(facets), root
				if i > 0 {
					r = base * math.Sqrt(1+u*u)
				}
				sin, cos := math.Sincos(middle + side*(half-u+math.Atan(u)))
				outline = append(outline, r3.Vec{X: r * cos, Y: r * sin})
			}
		}
	}
	var vertices []float64
	var faces [][3]int32
	n := len(outline)
	for _, z := range []float64{-2, 0, 2} {
		for _, p := range outline {
			vertices = append(vertices, p.X, p.Y, z)
		}
	}
	for layer := range 2 {
		for i := range n {
			a, b := int32(layer*n+i), int32(layer*n+(i+1)%n)
			up := int32(n)
			faces = append(faces, [3]int32{a, b, a + up}, [3]int32{b, b + up, a + up})
		}
	}
	body, err := NewBody(vertices, faces, 1)
	if err != nil {
		t.Fatal(err)
	}
	return body
}

// gears returns two gears that run in each other for a turn of the first.
func gears(t testing.TB, facets int, gap float64) *course {
	const small, large = 17, 23
	c := &course{a: gear(t, small, facets, gap, 0), b: gear(t, large, facets, gap, math.Pi+math.Pi/large),
		o: DefaultOptions()}
	c.ma = Motion{Rotation: quat.Number{Real: 1}, AngularVelocity: r3.Vec{Z: 2 * math.Pi}}
	c.mb = Motion{Rotation: quat.Number{Real: 1}, Position: r3.Vec{X: (small + large) / 2},
		AngularVelocity: r3.Vec{Z: -2 * math.Pi * small / large}}
	c.o.MaxIterations = 0
	return c
}

// TestGearsAreSearchedInShortParts: gears that run free are proven apart for a turn in no more
// steps where parts of time are cut, but for a tenth, and gears that jam meet at the same time.
func TestGearsAreSearchedInShortParts(t *testing.T) {
	var s Solver
	for _, gap := range []float64{2e-4, 1e-4, -1e-4} {
		var found [2]Impact
		for i, most := range []int64{math.MaxInt64 / 4, 1} { // A part takes a step for each triangle at least.
			PartsCutAt(t, most)
			c := gears(t, 16, gap)
			if gap < 0 { // One turns too fast: they jam on the way.
				c = gears(t, 16, 1e-4)
				c.mb.AngularVelocity.Z *= 1 + 1e-4
			}
			if err := s.Earliest(c.a, c.b, &c.ma, &c.mb, &c.o, &found[i]); err != nil {
				t.Fatal(err)
			}
			if cut := s.times.parts.chosen; cut != (i == 1) {
				t.Errorf("a gap of %v, at most %d steps: parts are cut: %v", gap, most, cut)
			}
		}
		long, short := &found[0], &found[1]
		t.Logf("a gap of %v: %v at %v, %d steps, and %d in short parts", gap, long.Verdict, long.TOILo, long.Iterations,
			short.Iterations)
		want := geom.Separate
		if gap < 0 {
			want = geom.Contact
		}
		if long.Verdict != want || short.Verdict != want {
			t.Errorf("a gap of %v: %+v and %+v", gap, *long, *short)
		}
		if want == geom.Contact && math.Abs(long.TOILo-short.TOILo) > 1e-8 {
			t.Errorf("they meet at %v and at %v", long.TOILo, short.TOILo)
		}
		if float64(short.Iterations) > 1.1*float64(long.Iterations) {
			t.Errorf("a gap of %v: %d steps, and %d in short parts", gap, long.Iterations, short.Iterations)
		}
	}
}

// TestManyTurnsInShortParts: parts that are cut early change no verdict of bodies that turn for
// long, and contact by no more than the tolerance allows. Numbers of steps are those of all scales.
func TestManyTurnsInShortParts(t *testing.T) {
	PartsCutAt(t, 8)
	TestManyTurnsAreSearchedInParts(t)
	TestPartsCoverTheInterval(t)
}

// TestShortPartsKeepTheLaws: bodies that turn about each other, whose parts of time are cut after
// some steps, stay apart before TOILo, at samples, and meet at the time at which they do in long
// parts, up to what the tolerance allows.
func TestShortPartsKeepTheLaws(t *testing.T) {
	r := rand.New(rand.NewPCG(69, 1))
	var s Solver
	cut, met, separate := 0, 0, 0
	trials := long.Part(150, 3)
	for trial := range trials {
		c := manyTurns(r, 0.35+0.6*r.Float64())
		c.o.TMax = 1 + 9*r.Float64()
		c.ma.Velocity = geom.Scale(0.05*r.NormFloat64(), c.mb.Position)
		var long, short Impact
		if err := s.Earliest(c.a, c.b, &c.ma, &c.mb, &c.o, &long); err != nil {
			t.Fatal(err)
		}
		PartsCutAt(t, int64(1+r.IntN(40)))
		if err := s.Earliest(c.a, c.b, &c.ma, &c.mb, &c.o, &short); err != nil {
			t.Fatal(err)
		}
		PartsCutAt(t, 8192)
		if s.times.parts.chosen {
			cut++
		}
		switch short.Verdict {
		case geom.Separate:
			separate++
		case geom.Contact:
			met++
		}
		if short.Verdict != long.Verdict || math.Abs(short.TOILo-long.TOILo) > 1e-5 {
			t.Errorf("trial %d: %+v in long parts, %+v in short ones", trial, long, short)
		}
		if err := c.sampled(&short, min(short.TOILo, c.o.TMax)); err != nil {
			t.Errorf("trial %d: %+v: %v", trial, short, err)
		}
	}
	if most := trials / 5; cut < most || met < most || separate < most {
		t.Errorf("%d with short parts, %d in contact, %d separate", cut, met, separate)
	}
}

// TestPartsFindTheirLength: where steps for an angle are fewest at some length, the parts come to
// about that length, whatever a part costs at first; and what costs the same however short it is
// is searched in long parts.
func TestPartsFindTheirLength(t *testing.T) {
	for _, best := range []float64{1, 0x1p-3, 0x1p-6} {
		var p parts
		p.reset(1000, 1)
		at, steps, sum, n := 0.0, int64(0), 0.0, 0
		for range 300 {
			end := p.begin(at, 1e6, 1, steps)
			length := end - at
			cost := int64(4000 * (1 + length/best*length/best))
			if cost > p.most && p.cut(at+length*float64(p.most)/float64(cost), end, steps+p.most) {
				at, steps = at+length*float64(p.most)/float64(cost), steps+p.most/2
				continue
			}
			at, steps = end, steps+cost
			p.complete(steps)
			if n++; n > 20 {
				sum += math.Log2(length / best)
			}
		}
		if mean := sum / float64(n-20); math.Abs(mean) > 1 {
			t.Errorf("parts of %v are best: they are 2^%.2f times as long", best, mean)
		}
	}
}
