package rigid_test

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// Flat surfaces are convex if and only if they cover their hull, however they are cut.
func TestConvexityOfFlatSurfaces(t *testing.T) {
	square := []r3.Vec{{}, {X: 1}, {X: 1, Y: 1}, {Y: 1}, {X: .5, Y: .25}, {X: .5}, {X: .5, Y: 1}, {X: 2, Y: 2}}
	line := []r3.Vec{{}, {X: 1, Y: 2, Z: 3}, {X: 2, Y: 4, Z: 6}, {X: .5, Y: 1, Z: 1.5}}
	for _, c := range []struct {
		name   string
		p      []r3.Vec
		faces  [][3]int
		convex bool
	}{
		{"one diagonal", square, [][3]int{{0, 1, 2}, {0, 2, 3}}, true},
		{"the other diagonal", square, [][3]int{{0, 1, 3}, {1, 2, 3}}, true},
		{"wound both ways", square, [][3]int{{0, 1, 3}, {1, 3, 2}}, true},
		{"both sides", square, [][3]int{{0, 1, 3}, {1, 2, 3}, {3, 1, 0}, {2, 1, 3}}, true},
		{"about a point inside", square, [][3]int{{0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}}, true},
		{"points on sides", square, [][3]int{{0, 5, 4}, {5, 1, 4}, {1, 2, 4}, {2, 6, 4}, {6, 3, 4}, {3, 0, 4}}, true},
		{"a triangle is missing", square, [][3]int{{0, 1, 4}, {1, 2, 4}, {2, 3, 4}}, false},
		{"a triangle of two", square, [][3]int{{0, 1, 2}, {1, 2, 7}}, true},
		{"an arrow", square, [][3]int{{0, 1, 7}, {0, 3, 4}}, false},
		{"two triangles at a corner", square, [][3]int{{0, 5, 4}, {4, 2, 6}}, false},
		{"half of it", square, [][3]int{{0, 5, 4}, {5, 4, 6}, {6, 4, 3}, {4, 3, 0}, {2, 2, 2}, {1, 1, 1}}, false},
		{"three of a fan twice", square, [][3]int{{0, 1, 2}, {0, 2, 3}, {0, 1, 3}, {1, 2, 3}}, false},
		{"a triangle", square, [][3]int{{0, 1, 2}}, true},
		{"a segment", line, [][3]int{{0, 2, 2}}, true},
		{"a segment of two", line, [][3]int{{2, 1, 1}, {0, 0, 1}}, true},
		{"a segment with a gap", line, [][3]int{{2, 1, 2}, {0, 3, 0}}, false},
		{"a point", line, [][3]int{{1, 1, 1}, {1, 1, 1}}, true},
	} {
		rnd := rand.New(rand.NewPCG(51, 80))
		for range 8 {
			var tri [][3]r3.Vec
			for _, f := range c.faces {
				k := rnd.IntN(3)
				tri = append(tri, [3]r3.Vec{c.p[f[k]], c.p[f[(k+1)%3]], c.p[f[(k+2)%3]]})
			}
			rnd.Shuffle(len(tri), func(i, j int) { tri[i], tri[j] = tri[j], tri[i] })
			if is := bodyOf(t, tri).Convexity(); is.Convex != c.convex {
				t.Errorf("%s: convex is %v", c.name, is.Convex)
			}
		}
	}
}

// Sheets cut at random, into strips of many triangles: each is a rectangle, and with a triangle less
// it is not.
func TestConvexityOfSheets(t *testing.T) {
	rnd := rand.New(rand.NewPCG(51, 81))
	for range 20 {
		n, m := 1+rnd.IntN(5), 1+rnd.IntN(5)
		at := func(i, j int) r3.Vec { // In one plane exactly: z = 2x + 3y, of few bits.
			x, y := float64(i), float64(j)
			return r3.Vec{X: x, Y: y, Z: 2*x + 3*y}
		}
		var tri [][3]r3.Vec
		for i := range n {
			for j := range m {
				a, b, c, d := at(i, j), at(i+1, j), at(i+1, j+1), at(i, j+1)
				if rnd.IntN(2) == 0 {
					tri = append(tri, [3]r3.Vec{a, b, c}, [3]r3.Vec{c, a, d})
				} else {
					tri = append(tri, [3]r3.Vec{b, a, d}, [3]r3.Vec{b, c, d})
				}
			}
		}
		if !bodyOf(t, tri).Convexity().Convex {
			t.Errorf("a sheet of %d by %d is not convex: %v", n, m, tri)
		}
		k := rnd.IntN(len(tri))
		less := append(append([][3]r3.Vec{}, tri[:k]...), tri[k+1:]...)
		is := bodyOf(t, less).Convexity().Convex
		// Without a triangle that has a corner to itself it is a convex polygon.
		cut := false
		for _, v := range tri[k] {
			shared := false
			for _, other := range less {
				shared = shared || other[0] == v || other[1] == v || other[2] == v
			}
			cut = cut || !shared
		}
		if is != cut {
			t.Errorf("a sheet of %d by %d without a triangle: convex is %v", n, m, is)
		}
	}
}
