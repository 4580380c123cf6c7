package rigid_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/ccdtest"
	"ccd/core/ccdtest/long"
	"ccd/core/contain"
	"ccd/core/engine"
	"ccd/core/geom"
	common "ccd/core/overlap"
	"ccd/core/rigid"
)

// cellsWide is how many unit cells a solid of cells has along each axis, at most.
const cellsWide = 3

// cells is a solid of unit cells, of which each may be missing: with notches, tunnels, cavities,
// and parts that share an edge or a corner. at is the least corner of the first cell. All is in
// units.
type cells struct {
	full   [cellsWide][cellsWide][cellsWide]bool
	at     [3]int
	radius float64
}

// someCells draws a solid that is not empty.
func someCells(r *rand.Rand) (c cells) {
	n, most := 0, 3+r.IntN(7)
	for n == 0 {
		for i := range cellsWide * cellsWide * cellsWide {
			c.full[i/9][i/3%3][i%3] = r.IntN(10) < most
			if c.full[i/9][i/3%3][i%3] {
				n++
			}
		}
	}
	if r.IntN(4) == 0 { // A shell about a cavity.
		for i := range cellsWide * cellsWide * cellsWide {
			c.full[i/9][i/3%3][i%3] = i != 13
		}
	}
	for k := range c.at {
		c.at[k] = r.IntN(7) - 3
	}
	c.radius = float64(r.IntN(9)) / 8
	return c
}

// has reports whether a cell, by its place in the world, is in the solid.
func (c *cells) has(x, y, z int) bool {
	x, y, z = x-c.at[0], y-c.at[1], z-c.at[2]
	return min(x, y, z) >= 0 && max(x, y, z) < cellsWide && c.full[x][y][z]
}

// each calls f with the cells of the solid, or with those about it, as far as they touch it.
func (c *cells) each(inside bool, f func(x, y, z int)) {
	for x := c.at[0] - 1; x <= c.at[0]+cellsWide; x++ {
		for y := c.at[1] - 1; y <= c.at[1]+cellsWide; y++ {
			for z := c.at[2] - 1; z <= c.at[2]+cellsWide; z++ {
				if c.has(x, y, z) == inside {
					f(x, y, z)
				}
			}
		}
	}
}

// body returns the solid as a body in which a unit has a length, with the faces between a cell and
// none alone, each cut along a random diagonal.
func (c *cells) body(r *rand.Rand, unit float64) *rigid.Body {
	var x []float64
	var faces [][3]int32
	c.each(true, func(i, j, k int) {
		at := [3]int{i, j, k}
		for axis := range 3 {
			for up := range 2 {
				next := at
				next[axis] += 2*up - 1
				if c.has(next[0], next[1], next[2]) {
					continue
				}
				first := int32(len(x) / 3)
				for q := range 4 {
					p := at
					p[axis] += up
					p[(axis+1)%3] += q&1 ^ q>>1
					p[(axis+2)%3] += q >> 1
					x = append(x, unit*float64(p[0]), unit*float64(p[1]), unit*float64(p[2]))
				}
				two := [2][3]int32{{0, 1, 2}, {0, 2, 3}}
				if r.IntN(2) == 0 {
					two = [2][3]int32{{1, 2, 3}, {1, 3, 0}}
				}
				for _, f := range two {
					if up == 0 {
						f[1], f[2] = f[2], f[1]
					}
					faces = append(faces, [3]int32{first + f[0], first + f[1], first + f[2]})
				}
			}
		}
	})
	b := must(rigid.NewBody(x, faces, 1))
	if c.radius > 0 {
		b = must(b.Padded(unit * c.radius))
	}
	return b
}

// away returns the square of the distance of a point from the solid or, if it is in the solid, from
// what is not: exact for points on a lattice of halves to 2^-20, of which squares are doubles.
func (c *cells) away(p [3]float64) (square float64, in bool) {
	from := func(inside bool) float64 {
		least := math.Inf(1)
		c.each(inside, func(x, y, z int) {
			s := 0.0
			for k, lo := range [3]int{x, y, z} {
				d := max(float64(lo)-p[k], p[k]-float64(lo+1), 0)
				s += float64(d * d)
			}
			least = min(least, s)
		})
		return least
	}
	if square = from(true); square > 0 {
		return square, false
	}
	return from(false), true
}

// beyond returns the sign of how far a point is from the solid less the radius, and less more.
func (c *cells) beyond(p [3]float64, more float64) int {
	square, in := c.away(p)
	return side(ratOf(square), in && square > 0, -more, c.radius)
}

// apart compares the distance of two solids with the sum of both radii.
func (c *cells) apart(d *cells) int {
	least := math.Inf(1)
	c.each(true, func(x, y, z int) {
		d.each(true, func(u, v, w int) {
			s := 0.0
			for _, e := range [3]int{x - u, y - v, z - w} {
				s += float64(max(e-1, -e-1, 0) * max(e-1, -e-1, 0))
			}
			least = min(least, s)
		})
	})
	return compareRoot(ratOf(least), c.radius, d.radius)
}

// within reports whether each cell is so near one of another solid that all within the radius is in
// the inside of that solid. If so, the first is inside; if not, it may be.
func (c *cells) within(d *cells) bool {
	all := true
	c.each(true, func(x, y, z int) {
		some := false
		d.each(true, func(u, v, w int) {
			// The corner of the cell that is farthest from the other one is this far from it.
			s := 0
			for _, e := range [3]int{x - u, y - v, z - w} {
				s += e * e
			}
			some = some || compareRoot(ratOf(float64(s)), d.radius, -c.radius) < 0 && d.radius > c.radius
		})
		all = all && some
	})
	return all
}

// place returns a motion that has a turn by rational numbers at all times, and where it puts points
// of a body that are at a place in units: exact, as the unit has the factor 9.
func place(r *rand.Rand, unit float64) (m rigid.Motion, at func(p [3]float64) r3.Vec) {
	m.Rotation = quat.Number{Real: 1}
	if r.IntN(2) == 0 { // The rows of its matrix, times 9, are 1, 8, 4 and the like.
		m.Rotation = quat.Number{Real: 2, Imag: 1, Jmag: 2}
	}
	rot := geom.Rotation(m.Rotation)
	m.Position = geom.Scale(unit, r3.Vec{X: float64(r.IntN(5)), Y: float64(r.IntN(5)), Z: float64(r.IntN(5))})
	return m, func(p [3]float64) r3.Vec {
		v := rot.Apply(geom.Scale(unit, r3.Vec{X: p[0], Y: p[1], Z: p[2]}))
		// What is rounded is a multiple of a unit over 9 times 2^20.
		grid := unit / (9 << 20)
		v = r3.Vec{X: math.Round(v.X/grid) * grid, Y: math.Round(v.Y/grid) * grid, Z: math.Round(v.Z/grid) * grid}
		return r3.Add(m.Position, v)
	}
}

// cellPoint draws a point near a solid, often on its border or that of what has the radius.
func (c *cells) cellPoint(r *rand.Rand) (p [3]float64) {
	for k := range p {
		p[k] = float64(c.at[k]) - 1.5 + float64(r.IntN(13))/2
		if r.IntN(3) == 0 {
			p[k] += float64(r.IntN(1<<16)) / (1 << 17)
		}
	}
	if r.IntN(2) == 0 {
		p[r.IntN(3)] += c.radius * float64(2*r.IntN(2)-1)
	}
	return p
}

// checkCells draws two solids of cells and holds winding numbers, depths and relations to laws C7
// and V7. It returns the relation.
func checkCells(t *testing.T, r *rand.Rand) rigid.Relation {
	t.Helper()
	unit := math.Ldexp(9, r.IntN(40)-20)
	a, b := someCells(r), someCells(r)
	switch r.IntN(3) {
	case 0: // The first is a part of the second, by its cells.
		for i := range cellsWide * cellsWide * cellsWide {
			a.full[i/9][i/3%3][i%3] = b.full[i/9][i/3%3][i%3] && (a.full[i/9][i/3%3][i%3] || r.IntN(2) == 0)
		}
		a.at = b.at
		if a.radius /= 2; a.full == [cellsWide][cellsWide][cellsWide]bool{} {
			a.full = b.full
		}
	case 1: // One cell, in a gap or a cavity of the second or in its cells.
		a.full = [cellsWide][cellsWide][cellsWide]bool{}
		a.full[1][1][1] = true
		for k := range a.at {
			a.at[k] = b.at[k] + r.IntN(3) - 1
		}
	}
	a.radius = max(a.radius, 0.0625)
	if r.IntN(2) == 0 {
		a, b = b, a
	}
	m, at := place(r, unit)
	bodies := [2]*rigid.Body{a.body(r, unit), b.body(r, unit)}
	one := &engine.CallOptions{Threads: 1}
	const n = 8
	var x []float64
	var p [n][3]float64
	for i := range p {
		p[i] = a.cellPoint(r)
		v := at(p[i])
		x = append(x, v.X, v.Y, v.Z)
	}
	w, d := make([]int32, n), make([]common.Depth, n)
	if err := rigid.Winding(bodies[0], &m, 0, x, w, one); err != nil {
		t.Fatal(err)
	}
	if err := rigid.Depths(bodies[0], &m, 0, x, d, one); err != nil {
		t.Fatal(err)
	}
	for i := range p {
		want := map[int]int32{-1: 1, 0: contain.OnSurface, 1: 0}[a.beyond(p[i], 0)]
		if w[i] != want || d[i].Winding != want {
			t.Errorf("%+v, point %v: winding %v and %v, want %v", a, p[i], w[i], d[i].Winding, want)
			continue
		}
		a.checkDepth(t, &d[i], p[i], unit)
	}
	got := relationAt(t, bodies[0], bodies[1], &m, &m, 0)
	apart := a.apart(&b) > 0
	// What is undecided takes the longest. It is left to solids of which one is in the other but
	// for a part of a cell.
	if got == rigid.NotDecided {
		if apart {
			t.Errorf("%+v, %+v: undecided", a, b)
		}
	} else {
		if back := relationAt(t, bodies[1], bodies[0], &m, &m, 0); back != mirrored(got) {
			t.Errorf("%+v, %+v: %v, exchanged %v", a, b, got, back)
		}
	}
	wrong := got == rigid.Overlapping // Of cells that share none, a cavity is where another may be.
	switch {
	case got == rigid.Outside:
		wrong = !apart
	case apart:
		wrong = true
	case a.within(&b):
		wrong = got != rigid.Inside && got != rigid.NotDecided
	case b.within(&a):
		wrong = got != rigid.Contains && got != rigid.NotDecided
	}
	// Points of the first that are not in the inside of the second, and the other way round.
	for range 24 {
		p := a.cellPoint(r)
		if q := b.cellPoint(r); r.IntN(2) == 0 {
			p = q
		}
		ina, inb := a.beyond(p, 0), b.beyond(p, 0)
		wrong = wrong || got == rigid.Inside && ina <= 0 && inb >= 0 || got == rigid.Contains && inb <= 0 && ina >= 0
	}
	if wrong {
		t.Errorf("%+v, %+v: %v", a, b, got)
	}
	return got
}

// checkDepth holds a depth of a point that is not on the border to law V7. Outside the distance is
// known; inside it is at least the way to the border of the cells and the radius, and at most the
// way to any point outside.
func (c *cells) checkDepth(t *testing.T, d *common.Depth, p [3]float64, unit float64) {
	t.Helper()
	square, in := c.away(p)
	lo, hi := d.Lo/unit, d.Hi/unit
	const off = 1e-12 // Quotients by a unit, and points that are placed by a turn, err by less.
	fail := func(what string) {
		t.Errorf("%+v, point %v: [%v, %v] %v: %s", c, p, lo, hi, d.At, what)
	}
	if !(0 <= lo && lo <= hi) {
		fail("no bracket")
	}
	switch d.Winding {
	case contain.OnSurface:
		if hi != 0 {
			fail("not 0 on the border")
		}
	case 0: // root(square) - radius is in [lo, hi].
		if side(ratOf(square), false, -lo-c.radius+off, 0) < 0 || side(ratOf(square), false, -hi-c.radius-off, 0) > 0 {
			fail("outside")
		}
		if hi-lo > 1e-9 {
			fail("wide")
		}
	default:
		if side(ratOf(square), in, hi+off, c.radius) < 0 {
			fail("less than the way to the border of the cells and the radius")
		}
		c.each(false, func(x, y, z int) {
			for _, q := range [][3]float64{{0.5, 0.5, 0.5}, {0.25, 0.5, 0.5}, {0.5, 0.875, 0.125}} {
				q[0], q[1], q[2] = q[0]+float64(x), q[1]+float64(y), q[2]+float64(z)
				way := geom.Norm(r3.Sub(geom.VecOf(q[:]), geom.VecOf(p[:])))
				if c.beyond(q, 0) >= 0 && lo > way+off {
					fail("more than the way to a point outside")
				}
			}
		})
	}
}

// TestThickCellsLawsC7AndV7: solids of cells with radii, which are not convex, whose points touch
// borders exactly. Their winding numbers are always decided.
func TestThickCellsLawsC7AndV7(t *testing.T) {
	r := ccdtest.NewRand(71, 4)
	count := map[rigid.Relation]int{}
	for range long.Part(240, 8) {
		count[checkCells(t, r)]++
	}
	t.Log(count)
	if min(count[rigid.Outside], count[rigid.Crossing], count[rigid.Inside]+count[rigid.Contains]) < 4 ||
		count[rigid.NotDecided] > 12 {
		t.Error(count)
	}
}

// FuzzThickCells holds solids of cells to laws C7 and V7: go test ./core/rigid -fuzz
// FuzzThickCells.
func FuzzThickCells(f *testing.F) {
	for i := range uint64(8) {
		f.Add(i, 7*i)
	}
	f.Fuzz(func(t *testing.T, seed, stream uint64) { checkCells(t, rand.New(rand.NewPCG(seed, stream))) })
}

// TestCellsThatFitDoNotIntersect: a solid of cells and what is left of a block fit into each other,
// also where each touches itself along edges. They touch, and do not pass through each other.
func TestCellsThatFitDoNotIntersect(t *testing.T) {
	r := ccdtest.NewRand(71, 5)
	var s rigid.Solver
	for i := range long.Part(150, 10) {
		a := someCells(r)
		a.radius = 0
		if i == 0 { // Four cells about an edge: two of each.
			a.full = [cellsWide][cellsWide][cellsWide]bool{}
			a.full[0][1][0], a.full[1][0][0] = true, true
		}
		b := a
		some := false
		for k := range cellsWide * cellsWide * cellsWide {
			b.full[k/9][k/3%3][k%3] = !a.full[k/9][k/3%3][k%3]
			some = some || b.full[k/9][k/3%3][k%3]
		}
		if !some {
			continue
		}
		unit := math.Ldexp(9, r.IntN(40)-20)
		m, _ := place(r, unit)
		x, y := a.body(r, unit), b.body(r, unit)
		o := rigid.DefaultOptions()
		o.Tolerance = 0x1p-30 * unit
		var im rigid.Impact
		if err := s.Earliest(x, y, &m, &m, &o, &im); err != nil || im.Flags&geom.InitialContact == 0 ||
			im.Flags&geom.Intersecting != 0 {
			t.Errorf("case %d, %+v: %+v, %v", i, a, im, err)
		}
	}
}
