package linkage

import (
	"math"
	"math/big"
	"math/rand/v2"
	"sort"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/ccdtest/long"
	"ccd/core/geom"
	"ccd/core/robot"
)

const (
	crank, coupler, rocker, base = 1.0, 3.25, 2.75, 3.0
)

func revolute(parent, child, variable int, x float64) robot.Joint {
	return robot.Joint{Kind: robot.Revolute, Parent: parent, Child: child, Variable: variable, Factor: 1,
		Rotation: identity, Position: r3.Vec{X: x}, Axis: r3.Vec{Z: 1}}
}

func pin(a int, pointA r3.Vec, b int, pointB r3.Vec) Loop {
	return Loop{A: a, B: b, PointA: pointA, PointB: pointB, Across: []r3.Vec{{X: 1}, {Y: 1}}}
}

// fourBar is a crank, a coupler and a rocker.
func fourBar() *Chain {
	return &Chain{Links: 4, Variables: 3, Follow: []int{1, 2},
		Joints: []robot.Joint{revolute(0, 1, 0, 0), revolute(1, 2, 1, crank), revolute(0, 3, 2, base)},
		Loops:  []Loop{pin(2, r3.Vec{X: coupler}, 3, r3.Vec{X: rocker})}}
}

// exactFourBar is the joints that follow by the formula: where two circles meet.
func exactFourBar(q float64) (couples, rocks float64) {
	return formula([4]float64{crank, coupler, rocker, base}, q, 1)
}

// formula is the joints that follow in a four-bar with these lengths, on one of two branches.
func formula(bars [4]float64, q, branch float64) (couples, rocks float64) {
	ax, ay := bars[0]*math.Cos(q), bars[0]*math.Sin(q)
	ex, ey := ax-bars[3], ay
	f := math.Hypot(ex, ey)
	ex, ey = ex/f, ey/f
	along := (bars[2]*bars[2] - bars[1]*bars[1] + f*f) / (2 * f)
	h := branch * math.Sqrt(bars[2]*bars[2]-along*along)
	bx, by := bars[3]+along*ex+h*ey, along*ey-h*ex
	return math.Atan2(by-ay, bx-ax) - q, math.Atan2(by, bx-bars[3])
}

// Law R8 on four-bars of any lengths: what is closed is on one branch of the formula, within the
// radii, all along.
func FuzzLinkageLaw8FourBar(f *testing.F) {
	f.Add(1.0, 3.25, 2.75, 3.0, 0.25, 1.5, 1.0)
	f.Add(1.0, 3.25, 2.75, 3.0, 0.25, 7.5, -1.0)
	f.Add(0.5, 1.0, 1.0, 1.0, -2.0, 1.0, -1.0)
	f.Add(2.0, 1.0, 2.0, 1.2, 0.5, 1.5, 1.0)  // the crank cannot turn around
	f.Add(1.0, 3.0, 1.0, 3.0, 3.0, 3.25, 1.0) // it may fold
	f.Fuzz(func(t *testing.T, a, b, c, d, q0, q1, branch float64) {
		bars := [4]float64{a, b, c, d}
		for i, x := range bars {
			if !(x >= 0.125 && x <= 8) {
				return
			}
			bars[i] = x
		}
		if !(math.Abs(q0) <= 10 && math.Abs(q1) <= 10) {
			return
		}
		branch = math.Copysign(1, branch)
		y, z := formula(bars, q0, branch)
		if math.IsNaN(y + z) {
			return
		}
		chain := &Chain{Links: 4, Variables: 3, Follow: []int{1, 2},
			Joints: []robot.Joint{revolute(0, 1, 0, 0), revolute(1, 2, 1, bars[0]), revolute(0, 3, 2, bars[3])},
			Loops:  []Loop{pin(2, r3.Vec{X: bars[1]}, 3, r3.Vec{X: bars[2]})}}
		found, err := chain.Close([]float64{q0, 0, 0, q1, 0, 0}, 1, []float64{y, z}, 1e-6)
		if err != nil {
			return
		}
		for piece := range found.Pieces {
			for _, s := range []float64{0.125, 0.5, 0.75} {
				u, v := formula(bars, found.at(3, piece, 0, s), branch)
				for i, want := range [2]float64{u, v} {
					off := math.Abs(math.Remainder(found.at(3, piece, 1+i, s)-want, 2*math.Pi))
					// Where circles nearly touch, the formula errs by the root of its rounding.
					if !(off <= found.Errors[i]+1e-7) {
						t.Fatalf("%v from %g to %g, branch %g: piece %d at %g: variable %d is off by %g, not %g", bars,
							q0, q1, branch, piece, s, 1+i, off, found.Errors[i])
					}
				}
			}
		}
	})
}

// Random four-bars: half of them or more can be closed, and what is closed obeys the law.
func TestLinkageLaw8RandomFourBars(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	closed, trials := 0, long.Part(300, 50)
	for range trials {
		bars := [4]float64{0.2 + 0.3*r.Float64(), 1 + r.Float64(), 1 + r.Float64(), 1 + r.Float64()}
		branch := float64(1 - 2*r.IntN(2))
		q := [2]float64{3 * r.NormFloat64(), 3 * r.NormFloat64()}
		y, z := formula(bars, q[0], branch)
		chain := &Chain{Links: 4, Variables: 3, Follow: []int{1, 2},
			Joints: []robot.Joint{revolute(0, 1, 0, 0), revolute(1, 2, 1, bars[0]), revolute(0, 3, 2, bars[3])},
			Loops:  []Loop{pin(2, r3.Vec{X: bars[1]}, 3, r3.Vec{X: bars[2]})}}
		found, err := chain.Close([]float64{q[0], 0, 0, q[1], 0, 0}, 1, []float64{y, z}, 1e-8)
		if err != nil {
			continue
		}
		closed++
		for piece := range found.Pieces {
			s := r.Float64()
			u, v := formula(bars, found.at(3, piece, 0, s), branch)
			for i, want := range [2]float64{u, v} {
				off := math.Abs(math.Remainder(found.at(3, piece, 1+i, s)-want, 2*math.Pi))
				if !(off <= found.Errors[i]+1e-13) {
					t.Fatalf("%v, %v: piece %d at %g: variable %d is off by %g, radius %g", bars, q, piece, s, 1+i, off,
						found.Errors[i])
				}
			}
		}
	}
	if closed < trials/2 {
		t.Errorf("%d of %d were closed", closed, trials)
	}
}

// at is a value of a piece.
func (c *Closed) at(variables, piece, variable int, s float64) float64 {
	var d [6]float64
	for i := range d {
		d[i] = c.Control[(piece*6+i)*variables+variable]
	}
	return valueOf(d[:], s)
}

// Law R8: all that follows is within its radius of the exact motion, and the radii are not far from
// what they bound.
func TestLinkageLaw8FourBar(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	// Forth and back, then on, with a fourth control value each.
	control := []float64{}
	for _, x := range []float64{0.25, 1, 2, 1.5, 1.5, -0.5, 0, 0.5, 0.5, 3, 3, 6.5} {
		control = append(control, x, math.NaN(), math.NaN())
	}
	for _, tolerance := range []float64{1e-4, 1e-7, 1e-9} {
		c := fourBar()
		for i := range control {
			if i%3 != 0 {
				control[i] = r.Float64() // not read
			}
		}
		found, err := c.Close(control, 3, []float64{1.2, 2}, tolerance)
		if err != nil {
			t.Fatal(err)
		}
		most := [2]float64{}
		for piece := range found.Pieces {
			for _, s := range []float64{0, r.Float64(), r.Float64(), 1} {
				y0, y1 := exactFourBar(found.at(3, piece, 0, s))
				for i, want := range [2]float64{y0, y1} {
					off := math.Abs(math.Remainder(found.at(3, piece, 1+i, s)-want, 2*math.Pi))
					if off > found.Errors[i]+1e-14 || found.Errors[i] > tolerance {
						t.Fatalf("piece %d at %g: variable %d is off by %g, radius %g, tolerance %g", piece, s, 1+i,
							off, found.Errors[i], tolerance)
					}
					most[i] = max(most[i], off/found.Errors[i])
				}
			}
		}
		t.Logf("tolerance %g: %d pieces, errors up to %.2g of the radii", tolerance, len(found.Pieces), most)
		if most[0] < 1e-3 || most[1] < 1e-3 {
			t.Errorf("radii of a tolerance of %g are far from what they bound: %g", tolerance, most)
		}
		last := found.Pieces[len(found.Pieces)-1]
		if found.Pieces[0] != (Piece{0, 0, found.Pieces[0].S1}) || last.Edge != 2 || last.S1 != 1 {
			t.Errorf("the pieces are of %v to %v", found.Pieces[0], last)
		}
		for i := 18; i < len(found.Control); i += 18 { // what follows, and the drive, join
			for v := range 3 {
				if found.Control[i+v] != found.Control[i+v-3] {
					t.Fatalf("piece %d does not begin where the one before it ends: variable %d", i/18, v)
				}
			}
		}
	}
}

// The chain in rotated frames, with axes of other lengths, a joint that follows by -2 and one that
// is fixed between them, has the same motion.
func TestLinkageInOtherFrames(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	control := []float64{0.3, 0, 0, 1.9, 0, 0}
	plain, err := fourBar().Close(control, 1, []float64{1.2, 2}, 1e-9)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		var frames [4]geom.Mat
		for i := range frames {
			q := [4]float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
			n := math.Sqrt(q[0]*q[0] + q[1]*q[1] + q[2]*q[2] + q[3]*q[3])
			w, x, y, z := q[0]/n, q[1]/n, q[2]/n, q[3]/n
			frames[i] = geom.Mat{X: r3.Vec{X: 1 - 2*(y*y+z*z), Y: 2 * (x*y - w*z), Z: 2 * (x*z + w*y)},
				Y: r3.Vec{X: 2 * (x*y + w*z), Y: 1 - 2*(x*x+z*z), Z: 2 * (y*z - w*x)},
				Z: r3.Vec{X: 2 * (x*z - w*y), Y: 2 * (y*z + w*x), Z: 1 - 2*(x*x+y*y)}}
		}
		c := fourBar()
		// Points p of link i become frames[i] p, so a joint has F_parent position, F_parent
		// F_child^T and F_child axis.
		for i := range c.Joints {
			j := &c.Joints[i]
			from, to := frames[j.Parent], frames[j.Child]
			rows := [3]r3.Vec{to.Apply(from.X), to.Apply(from.Y), to.Apply(from.Z)}
			j.Rotation = geom.Mat{X: rows[0], Y: rows[1], Z: rows[2]}
			j.Position, j.Axis = from.Apply(j.Position), r3.Scale(3, to.Apply(j.Axis))
		}
		l := &c.Loops[0]
		l.PointA, l.PointB = frames[2].Apply(l.PointA), frames[3].Apply(l.PointB)
		l.Across = []r3.Vec{frames[3].Apply(r3.Vec{X: 1}), frames[3].Apply(r3.Vec{Y: 1})}
		c.Joints[1].Factor, c.Joints[1].Offset = -2, 0.125
		c.Joints[0].Parent, c.Links = 4, 5
		c.Joints = append(c.Joints, robot.Joint{Parent: 0, Child: 4, Rotation: identity})
		found, err := c.Close(control, 1, []float64{(1.2 - 0.125) / -2, 2}, 1e-9)
		if err != nil {
			t.Fatal(err)
		}
		if len(found.Drives) != 1 || found.Drives[0] != 0 {
			t.Fatalf("the drives are %v: must be variable 0", found.Drives)
		}
		for range 100 {
			s := r.Float64()
			a, b := plain.on(3, 1, s), 0.125-2*found.on(3, 1, s)
			c, d := plain.on(3, 2, s), found.on(3, 2, s)
			off := [2]float64{plain.Errors[0] + 2*found.Errors[0], plain.Errors[1] + found.Errors[1]}
			if math.Abs(a-b) > off[0]+1e-13 || math.Abs(c-d) > off[1]+1e-13 {
				t.Fatalf("at %g: %g and %g, %g and %g", s, a, b, c, d)
			}
		}
	}
}

// on is a value on a path of one edge.
func (c *Closed) on(variables, variable int, s float64) float64 {
	i := sort.Search(len(c.Pieces)-1, func(i int) bool { return s < c.Pieces[i].S1 })
	p := c.Pieces[i]
	return c.at(variables, i, variable, (s-p.S0)/(p.S1-p.S0))
}

// A crank about z drives a rocker about x by a rod with a universal joint and a ball.
func TestLinkageOfBallJoints(t *testing.T) {
	c := &Chain{Links: 5, Variables: 4, Follow: []int{1, 2, 3}}
	for i, j := range []struct {
		parent         int
		axis, position r3.Vec
	}{{0, r3.Vec{Z: 1}, r3.Vec{}}, {1, r3.Vec{Y: 1}, r3.Vec{X: 0.3, Z: 0.1}}, {2, r3.Vec{Z: 1}, r3.Vec{}},
		{0, r3.Vec{X: 1}, r3.Vec{X: 0.7, Y: 0.9}}} {
		made := revolute(j.parent, i+1, i, 0)
		made.Axis, made.Position = j.axis, j.position
		c.Joints = append(c.Joints, made)
	}
	c.Loops = []Loop{{A: 3, B: 4, PointA: r3.Vec{Y: 1.1}, PointB: r3.Vec{X: 0.1, Z: 0.8},
		Across: []r3.Vec{{X: 1}, {Y: 1}, {Z: 1}}}}
	found, err := c.Close([]float64{0.25, 0, 0, 0, 0.75, 0, 0, 0}, 1, []float64{-0.7, -0.6, 0.2}, 1e-8)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := c.prepare()
	if err != nil {
		t.Fatal(err)
	}
	for piece := range found.Pieces {
		for _, s := range []float64{0.1, 0.5, 0.8} {
			var y []float64
			for v := range 3 {
				y = append(y, found.at(4, piece, 1+v, s))
			}
			exact, ok := tree.newton(y, []float64{found.at(4, piece, 0, s)}, 1e-6)
			for i := range y {
				if off := math.Abs(exact[i] - y[i]); !ok || off > found.Errors[i]+1e-13 {
					t.Fatalf("piece %d at %g: variable %d is off by %g, radius %g", piece, s, 1+i, off, found.Errors[i])
				}
			}
		}
	}
}

func TestSingularLinkagesAreRefused(t *testing.T) {
	flat := fourBar()
	flat.Loops[0] = pin(2, r3.Vec{X: 3}, 3, r3.Vec{X: 1}) // a parallelogram, which may fold at pi
	back := fourBar()
	back.Follow = []int{0, 1} // the rocker drives a crank to its dead center
	jump := []float64{0.25, 0, 0, 0.5, 0, 0, 0.75, 0, 0, 1, 0, 0}
	for _, c := range []struct {
		chain *Chain
		path  []float64
		start []float64
		want  string
	}{
		{flat, []float64{3, 0, 0, 3.25, 0, 0}, []float64{-3, 3}, "variable 0 at 3.1"},
		{back, []float64{0, 0, 2, 0, 0, 3}, []float64{0, 1.2}, "edge 0, s = 0."},
		{fourBar(), jump, []float64{1.2, 2},
			"edge 1 begins with 0.75 for variable 0, where edge 0 ends with 0.5"},
	} {
		if _, err := c.chain.Close(c.path, 1, c.start, 1e-9); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: must say %q", err, c.want)
		}
	}
}

// A joint that is off by 1e-5 (2 s - 1)^k has a radius above 1e-5, whatever coefficient sees it.
func TestRadiiHoldWhateverPowerIsOff(t *testing.T) {
	c := fourBar()
	tree, err := c.prepare()
	if err != nil {
		t.Fatal(err)
	}
	w := &walk{tree: tree, variables: 3, degree: 1, control: []float64{0.5, 0, 0, 0.5625, 0, 0}}
	y0, y1 := exactFourBar(0.5)
	z0, z1 := exactFourBar(0.5625)
	good := w.piece(0, 0, 1, []float64{y0, y1}, []float64{z0, z1})
	radius, ok := tree.radii(good, 1e-3)
	if !ok || radius[0] > 1e-9 || radius[1] > 1e-9 {
		t.Fatalf("the radii of the good piece are %g", radius)
	}
	for power := range 6 {
		for v := range 2 {
			off := append([]rows(nil), good...)
			for i := range 6 {
				off[v][i] += 1e-5 * bernsteinOf(power)[i]
			}
			radius, ok := tree.radii(off, 1e-3)
			if !ok || radius[v] < 1e-5-1e-9 || radius[v] > 2e-4 {
				t.Errorf("variable %d, off by 1e-5 (2 s - 1)^%d: the radius is %g", v, power, radius)
			}
		}
	}
	for v := range 2 { // a radius that does not fit into the tolerance is no proof
		off := append([]rows(nil), good...)
		for i := range 6 {
			off[v][i] += 0.5
		}
		if radius, ok := tree.radii(off, 1e-3); ok && radius[v] <= 1e-3 {
			t.Errorf("variable %d, off by 0.5, has the radius %g", v, radius)
		}
	}
}

// bernsteinOf is the control values of degree 5 of (2 s - 1)^k.
func bernsteinOf(k int) (found rows) {
	choose := func(n, k int) float64 { return float64(new(big.Int).Binomial(int64(n), int64(k)).Int64()) }
	for i := range found {
		for j := max(0, i-5+k); j <= min(i, k); j++ {
			found[i] += choose(k, j) * math.Pow(-1, float64(k-j)) * choose(5-k, i-j) / choose(5, i)
		}
	}
	return found
}
