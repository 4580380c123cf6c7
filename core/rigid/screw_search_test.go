package rigid

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/bvh"
	"ccd/core/ccdtest"
	"ccd/core/geom"
)

// ScrewsAtOnce makes searches look at the whole motion at once, and not after a thousand steps.
func ScrewsAtOnce(t *testing.T) {
	t.Helper()
	steps := screwSteps
	screwSteps = 0
	t.Cleanup(func() { screwSteps = steps })
}

// placed400 returns a triangle of a body at a time, rounded from numbers of 400 bits.
func placed400(m *Motion, tri *bvh.Triangle, t float64) (out bvh.Triangle) {
	for k := range tri {
		x, _, _ := truth(m, tri[k], ccdtest.Big(t))
		out[k].X, _ = x[0].Float64()
		out[k].Y, _ = x[1].Float64()
		out[k].Z, _ = x[2].Float64()
	}
	return out
}

// nearAtSamples bounds the distance of two triangles from above, by points of both.
func nearAtSamples(r *rand.Rand, a, b *bvh.Triangle) float64 {
	least := math.Inf(1)
	for range 8 {
		p, q := somePoint(r, a), somePoint(r, b)
		for range 12 { // alternating projections
			q = nearestOf(b, p)
			p = nearestOf(a, q)
		}
		least = min(least, geom.Norm(r3.Sub(p, q)))
	}
	return least
}

// nearestOf is a point of a triangle near p: the best of its plane's foot, its edges and corners.
func nearestOf(tri *bvh.Triangle, p r3.Vec) (best r3.Vec) {
	least := math.Inf(1)
	try := func(q r3.Vec) {
		if d := geom.Norm(r3.Sub(q, p)); d < least {
			best, least = q, d
		}
	}
	for k := range 3 {
		a, e := tri[k], r3.Sub(tri[(k+1)%3], tri[k])
		s := 0.0
		if e2 := geom.Dot(e, e); e2 > 0 {
			s = min(max(geom.Dot(r3.Sub(p, a), e)/e2, 0), 1)
		}
		try(r3.Add(a, geom.Scale(s, e)))
	}
	e, f, d := r3.Sub(tri[1], tri[0]), r3.Sub(tri[2], tri[0]), r3.Sub(p, tri[0])
	ee, ef, ff, de, df := geom.Dot(e, e), geom.Dot(e, f), geom.Dot(f, f), geom.Dot(d, e), geom.Dot(d, f)
	if det := ee*ff - ef*ef; det > 1e-12*ee*ff {
		u, v := (de*ff-df*ef)/det, (df*ee-de*ef)/det
		if u >= 0 && v >= 0 && u+v <= 1 {
			try(r3.Add(tri[0], r3.Add(geom.Scale(u, e), geom.Scale(v, f))))
		}
	}
	return best
}

// firstMeeting returns a body B of which each triangle is about as near as goal to one of A at a
// time.
func firstMeeting(t *testing.T, r *rand.Rand, a *Body, ma, mb *Motion, o *Options, goal float64) (
	b *Body, times []float64,
) {
	t.Helper()
	var x []float64
	var faces [][3]int32
	for i := range 1 + r.IntN(4) {
		at := o.TMin + (o.TMax-o.TMin)*r.Float64()
		times = append(times, at)
		poseA, poseB := ma.At(at), mb.At(at)
		p := poseA.Apply(somePoint(r, &a.tri[r.IntN(len(a.tri))]))
		p = r3.Add(p, geom.Scale(goal*r.Float64(), someUnit(r)))
		turn := geom.Rotation(poseB.Rotation)
		p = turn.ApplyTransposed(r3.Sub(p, poseB.Position))
		size := math.Ldexp(1, -r.IntN(6))
		for range 3 {
			x = append(x, p.X, p.Y, p.Z)
			p = r3.Add(p, geom.Scale(size, someUnit(r)))
		}
		faces = append(faces, [3]int32{int32(3 * i), int32(3*i + 1), int32(3*i + 2)})
	}
	b, err := NewBody(x, faces, 1)
	if err != nil {
		t.Fatal(err)
	}
	return b, times
}

// TestWindowsHoldAllThatIsNear looks for pairs of triangles that are near each other at a time
// outside of their windows.
func TestWindowsHoldAllThatIsNear(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 34))
	n, seen := 300, 0
	if testing.Short() {
		n = 100
	}
	for i := range n {
		seen += checkWindows(t, r, kindsOfScrew[i%len(kindsOfScrew)])
	}
	t.Logf("%d near pairs", seen)
	if seen < n/2 {
		t.Errorf("only %d near pairs were seen", seen)
	}
}

func checkWindows(t *testing.T, r *rand.Rand, kind string) (seen int) {
	t.Helper()
	ma, mb := someScrew(r, kind)
	o := DefaultOptions()
	o.TMin = math.Ldexp(r.NormFloat64(), r.IntN(6))
	o.TMax = o.TMin + math.Ldexp(r.Float64(), r.IntN(6)-2)
	goal := math.Ldexp(1, -r.IntN(12)-2)
	a := someBody(t, r, 1+r.IntN(4), 0.4)
	if r.IntN(2) == 0 {
		var q query
		q.set(a, someBody(t, r, 1, 0.4), &ma, &mb, &o)
		if s, ok := newScrew(&q, &ma, &mb, o.TMin, o.TMax); ok && !s.axes[0].slide {
			a = withCopies(t, r, a, &s.axes[0])
		}
	}
	b, times := firstMeeting(t, r, a, &ma, &mb, &o, goal)
	var q query
	q.set(a, b, &ma, &mb, &o)
	s, ok := newScrew(&q, &ma, &mb, o.TMin, o.TMax)
	if !ok {
		return 0
	}
	level := r.IntN(imageLevels)
	c := newComparison(&s, a.images(s.axes[0], level), b.images(s.axes[1], level), goal)
	c.mostWindows = 1 << 20
	if !c.run() {
		return 0
	}
	checkOpen(t, &c)
	for range 24 {
		at := o.TMin + (o.TMax-o.TMin)*[]float64{0, 1, r.Float64()}[r.IntN(3)]
		if r.IntN(3) > 0 {
			at = times[r.IntN(len(times))]
		}
		i, j := int32(r.IntN(len(a.tri))), int32(r.IntN(len(b.tri)))
		ta, tb := placed400(&ma, &a.tri[i], at), placed400(&mb, &b.tri[j], at)
		if nearAtSamples(r, &ta, &tb) > goal*(1-1e-9) {
			continue
		}
		seen++
		found := false
		for _, w := range c.open {
			found = found || w.a == i && w.b == j && w.from <= at && at <= w.to
		}
		if !found {
			t.Fatalf("%s, level %d, goal %v: triangles %d and %d are near at %v, in none of %v\n%+v\n%+v\n%v\n%v",
				kind, level, goal, i, j, at, c.open, ma, mb, a.tri, b.tri)
		}
	}
	return seen
}

// checkOpen compares the windows with those of all pairs of parts, without the trees: trees find no
// others, and windows of one pair are apart.
func checkOpen(t *testing.T, c *comparison) {
	t.Helper()
	all := *c
	all.open, all.crowds = nil, nil
	least, most, _ := c.shiftBounds()
	for k := least; k <= most; k++ {
		for i := range c.a.parts {
			for j := range c.b.parts {
				x, y := &c.a.parts[i], &c.b.parts[j]
				if !all.outlinesApart(x, y, k) && all.meet(&x.rect, &y.rect, k) {
					all.tests = 0
					all.listMembers(x, y, k)
				}
			}
		}
	}
	all.merge()
	for i, w := range c.open {
		found := false
		for _, v := range all.open {
			found = found || v.a == w.a && v.b == w.b && v.from <= w.from && w.to <= v.to
		}
		if !found {
			t.Fatalf("the trees have a window %+v that the parts do not: %v", w, all.open)
		}
		if i > 0 && c.open[i-1].a == w.a && c.open[i-1].b == w.b && c.open[i-1].to >= w.from {
			t.Fatalf("windows %+v and %+v are not joined", c.open[i-1], w)
		}
	}
}

// FuzzWindows goes on from TestWindowsHoldAllThatIsNear and TestScrewsHoldTheMotion: go test
// ./core/rigid -fuzz FuzzWindows.
func FuzzWindows(f *testing.F) {
	for i := range uint64(5) {
		f.Add(i, uint8(i))
	}
	f.Fuzz(func(t *testing.T, seed uint64, kind uint8) {
		k := kindsOfScrew[int(kind)%len(kindsOfScrew)]
		checkScrew(t, ccdtest.NewRand(seed, 3), k)
		checkWindows(t, ccdtest.NewRand(seed, 4), k)
		checkImages(t, ccdtest.NewRand(seed, 5))
	})
}

// thread is a helix with a profile of two flanks, n points a turn, between radii in and out, moved
// outward by gap along the normals of the flanks; nut: its chords stay outside of a bolt's corners.
func thread(t *testing.T, n, turns int, in, out, pitch, gap float64, nut bool) *Body {
	t.Helper()
	wide := math.Hypot(pitch/2, out-in) / (pitch / 2)
	var x []float64
	for i := range n*turns + 1 {
		angle := 2 * math.Pi * float64(i) / float64(n)
		for j, r := range [2]float64{in, out} {
			if nut {
				r = (r + gap*wide) / math.Cos(math.Pi/float64(n))
			}
			x = append(x, r*math.Cos(angle), r*math.Sin(angle), pitch*(0.5*float64(j)+float64(i)/float64(n)))
		}
	}
	var faces [][3]int32
	for i := range int32(n * turns) {
		a, b, c, d := 2*i, 2*i+1, 2*i+2, 2*i+3
		faces = append(faces, [3]int32{a, c, b}, [3]int32{b, c, d})
		if up := 2 * (i + int32(n)); int(i)+n < n*turns {
			faces = append(faces, [3]int32{b, d, up}, [3]int32{up, d, up + 2})
		}
	}
	b, err := NewBody(x, faces, 1)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// tube is the side of a cylinder about z of n facets, with rings at both ends from its radius to
// another one.
func tube(t *testing.T, n int, radius, rim, lo, hi float64) *Body {
	t.Helper()
	var x []float64
	for i := range n {
		angle := 2 * math.Pi * float64(i) / float64(n)
		for _, p := range [4][2]float64{{rim, lo}, {radius, lo}, {radius, hi}, {rim, hi}} {
			x = append(x, p[0]*math.Cos(angle), p[0]*math.Sin(angle), p[1])
		}
	}
	var faces [][3]int32
	for i := range int32(n) {
		j := (i + 1) % int32(n)
		for k := range int32(3) {
			faces = append(faces, [3]int32{4*i + k, 4*j + k, 4*i + k + 1}, [3]int32{4*i + k + 1, 4*j + k, 4*j + k + 1})
		}
	}
	b, err := NewBody(x, faces, 1)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// turnOfZ is a motion about z that begins at a height.
func turnOfZ(z, speed, rate float64) Motion {
	return Motion{Rotation: quat.Number{Real: 1}, Position: r3.Vec{Z: z}, Velocity: r3.Vec{Z: speed},
		AngularVelocity: r3.Vec{Z: rate}}
}

// lastingScenes are pairs of bodies that stay near each other for a whole turn, or way.
func lastingScenes(t *testing.T, gap float64) map[string]struct {
	a, b   *Body
	ma, mb Motion
} {
	n := 40
	shaft := tube(t, n, 1, 0, -1, 1)
	sleeve := tube(t, n, (1+gap)/math.Cos(math.Pi/float64(n)), 1.5, -0.8, 0.8)
	knuckle := tube(t, n, 1, 0, 1+gap, 2)
	rail := tube(t, 4, 1, 0, -3, 3)
	slider := tube(t, 4, 1+gap*math.Sqrt2, 1.5, -0.8, 0.8)
	return map[string]struct {
		a, b   *Body
		ma, mb Motion
	}{
		"nut on bolt": {thread(t, 60, 5, 1, 1.2, 0.3, 0, false), thread(t, 60, 3, 1, 1.2, 0.3, gap, true),
			turnOfZ(0, 0, 0), turnOfZ(0.3, 0.3, 2*math.Pi)},
		"shaft in sleeve": {shaft, sleeve, turnOfZ(0, 0, 5), turnOfZ(0, 0, 0)},
		"spindle":         {shaft, sleeve, turnOfZ(0, 0.1, 5), turnOfZ(0, 0, 0)},
		"hinge":           {shaft, knuckle, turnOfZ(0, 0, 1), turnOfZ(0, 0, -2)},
		"slider":          {rail, slider, turnOfZ(0, 0, 0), turnOfZ(-1, 2, 0)},
	}
}

// TestContactThatLastsIsDecided: bodies that stay near each other while one moves as a screw are
// proven separate in a number of steps that the gap hardly changes.
func TestContactThatLastsIsDecided(t *testing.T) {
	for _, gap := range []float64{1e-2, 1e-4, 1e-6} {
		for name, c := range lastingScenes(t, gap) {
			if name == "nut on bolt" && gap < 1e-3 {
				continue // the facets of a nut that coarse pass through those of the bolt
			}
			var s Solver
			var im Impact
			if err := s.Earliest(c.a, c.b, &c.ma, &c.mb, nil, &im); err != nil {
				t.Fatal(err)
			}
			t.Logf("%s, gap %v: %v, %d steps", name, gap, im.Verdict, im.Iterations)
			if im.Verdict != geom.Separate || im.Iterations > 20000 {
				t.Errorf("%s, gap %v: %+v", name, gap, im)
			}
		}
	}
}

// TestImagesChangeTimeAlone: results have the same bits for a body that has images of many axes,
// for one that has none, and for threads that share bodies.
func TestImagesChangeTimeAlone(t *testing.T) {
	first := map[string]Impact{}
	for name, c := range lastingScenes(t, 1e-3) {
		var s Solver
		var im Impact
		if err := s.Earliest(c.a, c.b, &c.ma, &c.mb, nil, &im); err != nil {
			t.Fatal(err)
		}
		first[name] = im
	}
	scenes := lastingScenes(t, 1e-3)
	r := rand.New(rand.NewPCG(46, 35))
	for _, c := range scenes {
		for range 2 * mostKeptTrees {
			c.a.images(someFrame(r, c.a), 0)
		}
		if n := len(c.a.pictures.list); n > mostKeptTrees {
			t.Errorf("a body keeps %d trees", n)
		}
	}
	var wait sync.WaitGroup
	failed := make(chan string, 64)
	for i := range 4 {
		for name, c := range scenes {
			wait.Add(1)
			go func() {
				defer wait.Done()
				var s Solver
				var im Impact
				if err := s.Earliest(c.a, c.b, &c.ma, &c.mb, nil, &im); err != nil || im != first[name] {
					failed <- fmt.Sprintf("%s, thread %d: %+v, first %+v, %v", name, i, im, first[name], err)
				}
			}()
		}
	}
	wait.Wait()
	close(failed)
	for text := range failed {
		t.Error(text)
	}
}

// TestScrewsAgreeWithTheSearch compares answers with those of the search in time alone: of threads
// that jam, of tubes that are not round enough for their gap, near and far from the start.
func TestScrewsAgreeWithTheSearch(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 36))
	n, count := 60, map[geom.Verdict]int{}
	if testing.Short() {
		n = 16
	}
	for i := range n {
		facets, gap := 8+r.IntN(12), math.Ldexp(1, -2-r.IntN(9))
		a, b := thread(t, facets, 3, 1, 1.2, 0.3, 0, false), thread(t, facets, 2, 1, 1.2, 0.3, gap, true)
		ma, mb := turnOfZ(0, 0, 0), turnOfZ(0.3, 0.3*r.Float64(), 2*math.Pi*r.Float64())
		if i%2 == 0 {
			hole := (1 + gap*(r.Float64()-0.2)) / math.Cos(math.Pi/float64(facets))
			a, b = tube(t, facets, 1, 0, -1, 1), tube(t, facets+r.IntN(2), hole, 1.5, -0.8, 0.8)
			ma, mb = turnOfZ(0, 0, 4*r.Float64()), turnOfZ(0, 0.1*r.NormFloat64(), -r.Float64())
		}
		var s Solver
		var im, other Impact
		o := DefaultOptions()
		o.MaxIterations, o.Tolerance = 400000, 1e-6
		steps := screwSteps
		if r.IntN(2) == 0 {
			screwSteps = 0
		}
		err := s.Earliest(a, b, &ma, &mb, &o, &im)
		screwSteps = math.MaxInt64 / 2
		if e := s.Earliest(a, b, &ma, &mb, &o, &other); err != nil || e != nil {
			t.Fatal(err, e)
		}
		screwSteps = steps
		count[im.Verdict]++
		switch {
		case other.Verdict == geom.Undecided: // then it says how far the bodies are apart for certain
			if im.Verdict == geom.Contact && im.TOIHi < other.TOILo {
				t.Errorf("contact at %v, though the bodies are apart until %v", im.TOIHi, other.TOILo)
			}
		case im.Verdict == geom.Undecided:
		case im.Verdict != other.Verdict:
			t.Errorf("%v, else %v: gap %v, %+v, %+v", im, other, gap, ma, mb)
		case im.Verdict == geom.Contact && math.Abs(im.TOILo-other.TOILo) > 1e-3:
			t.Errorf("contact at %v, else at %v", im.TOILo, other.TOILo)
		}
	}
	t.Logf("%v", count)
	if count[geom.Contact] < n/8 || count[geom.Separate] < n/8 {
		t.Errorf("verdicts %v", count)
	}
}
