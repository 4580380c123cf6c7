package penetration_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/ccdtest/long"
	"ccd/core/rigid"
)

// leastWayOfCells returns the length of the least translation that parts the insides of two sets of
// unit cells, A's moved by at, and those of a surrounding of the width play as well. A cell of A
// and one of B overlap while the translation is in an open box. The nearest point to the origin
// outside of the union of these boxes has coordinates that are 0 or those of sides of boxes.
func leastWayOfCells(a [][3]int, at r3.Vec, b [][3]int, play float64) float64 {
	type box [3][2]float64
	var boxes []box
	sides := [3]map[float64]bool{{0: true}, {0: true}, {0: true}}
	shift := [3]float64{at.X, at.Y, at.Z}
	for _, p := range a {
		for _, q := range b {
			var c box
			for k := range 3 {
				mid := float64(q[k]-p[k]) - shift[k]
				c[k] = [2]float64{mid - 1 - play, mid + 1 + play}
				sides[k][c[k][0]], sides[k][c[k][1]] = true, true
			}
			boxes = append(boxes, c)
		}
	}
	least := math.Inf(1)
	for x := range sides[0] {
		for y := range sides[1] {
			for z := range sides[2] {
				size := math.Hypot(math.Hypot(x, y), z)
				if !(size < least) {
					continue
				}
				inside := false
				for _, c := range boxes {
					if x > c[0][0] && x < c[0][1] && y > c[1][0] && y < c[1][1] && z > c[2][0] && z < c[2][1] {
						inside = true
						break
					}
				}
				if !inside {
					least = size
				}
			}
		}
	}
	return least
}

// cellsOf draws connected cells.
func cellsOf(rnd *rand.Rand, n int) [][3]int {
	cells := [][3]int{{0, 0, 0}}
	known := map[[3]int]bool{cells[0]: true}
	for len(cells) < n {
		c := cells[rnd.IntN(len(cells))]
		c[rnd.IntN(3)] += 2*rnd.IntN(2) - 1
		if !known[c] {
			known[c] = true
			cells = append(cells, c)
		}
	}
	return cells
}

// Ways out of bodies of cells are never shorter than the least of all translations, and nearly
// always no longer: into gaps and notches too, but not into those without any play.
func TestDepthFindsPockets(t *testing.T) {
	rnd := rand.New(rand.NewPCG(51, 77))
	pairs, least := 0, 0
	for range long.Part(400, 20) {
		ca, cb := cellsOf(rnd, 2+rnd.IntN(4)), cellsOf(rnd, 4+rnd.IntN(6))
		xa, fa := grid(ca...)
		xb, fb := grid(cb...)
		a, b := must(rigid.NewBody(xa, fa, 1)), must(rigid.NewBody(xb, fb, 1))
		place := func() float64 { return float64(rnd.IntN(25)-12) / 8 }
		at := r3.Vec{X: place(), Y: place(), Z: place()}
		d := depth(t, a, unturned(at.X, at.Y, at.Z), b, unturned(0, 0, 0))
		if truth := leastWayOfCells(ca, at, cb, 0); d.Hi < truth {
			t.Errorf("%v at %v, %v: hi = %v, but the least way is %v", ca, at, cb, d.Hi, truth)
		}
		if d.Hi == 0 {
			continue
		}
		pairs++
		if truth := leastWayOfCells(ca, at, cb, 1e-7); d.Hi <= truth*(1+1e-7) {
			least++
		} else {
			t.Logf("%v at %v, %v: hi = %v, but the least way is %v", ca, at, cb, d.Hi, truth)
		}
	}
	if t.Logf("%d of %d are the least", least, pairs); float64(least) < 0.97*float64(pairs) {
		t.Errorf("only %d of %d are the least", least, pairs)
	}
}

// A bar in the wall of a box with a cavity goes into the cavity, which no way from outside reaches.
func TestDepthFindsACavity(t *testing.T) {
	var ring [][3]int
	for i := range 27 {
		if c := [3]int{i % 3, i / 3 % 3, i / 9}; c != [3]int{1, 1, 1} {
			ring = append(ring, c)
		}
	}
	x, faces := grid(ring...)
	shell := must(rigid.NewBody(x, faces, 1))
	bar := must(rigid.BoxBody([3]float64{.25, .5, .5}))
	if d := depth(t, bar, unturned(.75, 1.5, 1.5), shell, unturned(0, 0, 0)); d.Hi < .375 || d.Hi > .375001 {
		t.Errorf("%+v", d)
	}
}

// torusBody returns a torus about the z axis whose surface is made of n by m quadrilaterals.
func torusBody(major, minor float64, n, m int) *rigid.Body {
	var x []float64
	var faces [][3]int32
	for i := range n {
		for j := range m {
			u, v := 2*math.Pi*float64(i)/float64(n), 2*math.Pi*float64(j)/float64(m)
			r := major + minor*math.Cos(v)
			x = append(x, r*math.Cos(u), r*math.Sin(u), minor*math.Sin(v))
			k := func(i, j int) int32 { return int32(i%n*m + j%m) }
			faces = append(faces, [3]int32{k(i, j), k(i+1, j), k(i+1, j+1)}, [3]int32{k(i, j), k(i+1, j+1), k(i, j+1)})
		}
	}
	return must(rigid.NewBody(x, faces, 1))
}

// A ball in the tube of a torus goes out of the tube, whichever way is the nearest: into the hole
// too.
func TestDepthOfABallInATorus(t *testing.T) {
	rnd := rand.New(rand.NewPCG(51, 78))
	const major, minor, radius = 2.0, 0.75, 0.25
	torus, ball := torusBody(major, minor, 24, 12), must(rigid.Sphere(radius))
	for range long.Part(60, 20) {
		u, v, s := 2*math.Pi*rnd.Float64(), 2*math.Pi*rnd.Float64(), minor*math.Sqrt(rnd.Float64())
		r := major + s*math.Cos(v)
		d := depth(t, ball, unturned(r*math.Cos(u), r*math.Sin(u), s*math.Sin(v)), torus, unturned(0, 0, 0))
		// The facets are up to 4.3 % of both radii nearer to the circle than the torus, which holds
		// them.
		if truth := minor + radius - s; d.Hi > truth || d.Hi < truth-0.043*(major+minor) {
			t.Errorf("at %v, %v, %v: %v for %v", u, v, s, d.Hi, truth)
		}
	}
}
