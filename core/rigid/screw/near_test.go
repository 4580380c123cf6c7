package screw

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/bvh"
	"ccd/core/ccdtest"
	"ccd/core/geom"
	"ccd/core/rigid/poses"
)

// placed400 returns a triangle of a body at a time, rounded from numbers of 400 bits.
func placed400(m *poses.Motion, tri *bvh.Triangle, t float64) (out bvh.Triangle) {
	for k := range tri {
		x, _, _ := ccdtest.RigidMotion(*m).At(tri[k], ccdtest.Big(t))
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

// across is a unit across the way of B seen from A at p, in which images move the most: of some,
// the one that leads away best from other points.
func across(r *rand.Rand, ma, mb *poses.Motion, p r3.Vec, t float64, others []r3.Vec) (best r3.Vec) {
	velocity := func(m *poses.Motion) r3.Vec {
		center := r3.Add(m.Position, geom.Scale(t, m.Velocity))
		return r3.Add(m.Velocity, geom.Cross(m.AngularVelocity, r3.Sub(p, center)))
	}
	way, _ := geom.Unit(r3.Sub(velocity(mb), velocity(ma)), r3.Vec{X: 1})
	least := math.Inf(1)
	for range 16 {
		d := someUnit(r)
		d, _ = geom.Unit(r3.Sub(d, geom.Scale(geom.Dot(d, way), way)), r3.Vec{Y: 1})
		most := math.Inf(-1)
		for _, x := range others {
			most = max(most, geom.Dot(r3.Sub(x, p), d))
		}
		if most < least {
			best, least = d, most
		}
	}
	return best
}

// firstMeeting returns a body B of which each triangle is about as near as goal to one of A at a
// time: to any of its points, or to a corner from which B's triangle leads away across their way.
func firstMeeting(r *rand.Rand, a *surface, ma, mb *poses.Motion, from, to, goal float64) (
	b *surface, times []float64,
) {
	var x []float64
	var faces [][3]int32
	for i := range 1 + r.IntN(4) {
		at := from + (to-from)*r.Float64()
		times = append(times, at)
		poseA, poseB := ma.At(at), mb.At(at)
		tri := &a.tri[r.IntN(len(a.tri))]
		p := poseA.Apply(somePoint(r, tri))
		way, away := geom.Scale(r.Float64(), someUnit(r)), r3.Vec{}
		if r.IntN(2) == 0 {
			p = poseA.Apply(tri[0])
			away = across(r, ma, mb, p, at, []r3.Vec{poseA.Apply(tri[1]), poseA.Apply(tri[2])})
			way = geom.Scale(1-1e-3*r.Float64(), away)
		}
		p = r3.Add(p, geom.Scale(goal, way))
		turn := geom.Rotation(poseB.Rotation)
		size := math.Ldexp(1, -r.IntN(6))
		for range 3 {
			y := turn.ApplyTransposed(r3.Sub(p, poseB.Position))
			x = append(x, y.X, y.Y, y.Z)
			d := someUnit(r)
			if geom.Dot(d, away) < 0 {
				d = geom.Scale(-1, d)
			}
			p = r3.Add(p, geom.Scale(size, d))
		}
		faces = append(faces, [3]int32{int32(3 * i), int32(3*i + 1), int32(3*i + 2)})
	}
	return surfaceOf(x, faces), times
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
	from := math.Ldexp(r.NormFloat64(), r.IntN(6))
	to := from + math.Ldexp(r.Float64(), r.IntN(6)-2)
	goal := math.Ldexp(1, -r.IntN(12)-2)
	a := someBody(r, 1+r.IntN(4), 0.4)
	if r.IntN(2) == 0 {
		pair := pairOf(a, someBody(r, 1, 0.4), &ma, &mb, from, to)
		if s, ok := Of(&pair); ok && !s.Axes[0].slide {
			a = withCopies(r, a, &s.Axes[0])
		}
	}
	b, times := firstMeeting(r, a, &ma, &mb, from, to, goal)
	pair := pairOf(a, b, &ma, &mb, from, to)
	s, ok := Of(&pair)
	if !ok {
		return 0
	}
	level := r.IntN(Levels)
	c := newComparison(&s, ImagesOf(a, s.Axes[0], level), ImagesOf(b, s.Axes[1], level), goal)
	c.mostWindows = 1 << 20
	if !c.run() {
		return 0
	}
	checkOpen(t, &c)
	for range 24 {
		at := from + (to-from)*[]float64{0, 1, r.Float64()}[r.IntN(3)]
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
			found = found || w.A == i && w.B == j && w.From <= at && at <= w.To
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
			found = found || v.A == w.A && v.B == w.B && v.From <= w.From && w.To <= v.To
		}
		if !found {
			t.Fatalf("the trees have a window %+v that the parts do not: %v", w, all.open)
		}
		if i > 0 && c.open[i-1].A == w.A && c.open[i-1].B == w.B && c.open[i-1].To >= w.From {
			t.Fatalf("windows %+v and %+v are not joined", c.open[i-1], w)
		}
	}
}

// FuzzWindows goes on from TestWindowsHoldAllThatIsNear and TestScrewsHoldTheMotion: go test
// ./core/rigid/screw -fuzz FuzzWindows.
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
