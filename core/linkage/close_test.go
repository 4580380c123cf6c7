package linkage

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/robot"
)

// What a chain cannot be closed for is said before anything is computed.
func TestBadLinkagesAreErrors(t *testing.T) {
	defer func(most int) { mostPieces = most }(mostPieces)
	mostPieces = 100
	erring := fourBar()
	erring.Joints[0].Error = 1e-6
	for _, c := range []struct {
		chain *Chain
		to    float64
		want  string
	}{
		{erring, 1, "joints[0].error is 1e-06: must be 0 of a joint that drives a loop"},
		{fourBar(), 0x1p41, "control: variable 0 is 2.199023255552e+12: the joint turns farther than"},
		{fourBar(), 60, "control: edge 0 needs more than 100 pieces, which are proven up to s = 0."},
		{fourBar(), 0x1p38, "control: edge 0 needs more than 100 pieces, which are proven up to s = "},
	} {
		_, err := c.chain.Close([]float64{0, 0, 0, c.to, 0, 0}, 1, []float64{1.2, 2}, 1e-9)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: must say %q", err, c.want)
		}
	}
}

// Edges whose drives differ by a rounding where they meet are joined before anything is proven.
func TestEdgesJoinBitByBit(t *testing.T) {
	control := []float64{0.25, 0, 0, 0.5, 0, 0, 0.5 + 1e-10, 0, 0, 0.75, 0, 0}
	found, err := fourBar().Close(control, 1, []float64{1.2, 2}, 1e-6)
	if err != nil {
		t.Fatal(err)
	}
	for i := 18; i < len(found.Control); i += 18 {
		for v := range 3 {
			if found.Control[i+v] != found.Control[i+v-3] {
				t.Errorf("piece %d begins at %v, the one before ends at %v: variable %d", i/18, found.Control[i+v],
					found.Control[i+v-3], v)
			}
		}
	}
}

// The unit of length does not matter to Newton's method: a crank, a rod and a slide in units of a
// 64th to 2^20, and a slide that turns about the origin, to where two others go. Of the latter all
// lengths are values.
func TestLinkageLaw8InAnyUnit(t *testing.T) {
	defer func(most int) { mostPieces = most }(mostPieces)
	mostPieces = 500
	for _, unit := range []float64{0x1p-6, 1, 0x1p10, 0x1p20} {
		tolerance := 0x1p-30 * unit
		slides := func(parent, child, variable int, axis r3.Vec) robot.Joint {
			return robot.Joint{Kind: robot.Prismatic, Parent: parent, Child: child, Variable: variable, Factor: 1,
				Rotation: identity, Axis: axis}
		}
		pushes := &Chain{Links: 4, Variables: 3, Follow: []int{1, 2}, Joints: []robot.Joint{revolute(0, 1, 0, 0),
			revolute(1, 2, 1, unit), slides(0, 3, 2, r3.Vec{X: 1})},
			Loops: []Loop{pin(2, r3.Vec{X: 3 * unit}, 3, r3.Vec{})}}
		found, err := pushes.Close([]float64{0, 0, 0, 6.5, 0, 0}, 1, []float64{0, 4 * unit}, tolerance)
		if err != nil {
			t.Fatalf("in units of %g: %v", unit, err)
		}
		for s := 0.0; s <= 1; s += 0x1p-6 {
			sin, cos := math.Sincos(6.5 * s)
			want := unit * (cos + math.Sqrt(float64(9-sin*sin)))
			if off := math.Abs(found.on(3, 2, s) - want); off > found.Errors[1]+0x1p-46*unit {
				t.Errorf("in units of %g at %g: the slide is off by %g, radius %g", unit, s, off, found.Errors[1])
			}
		}
		polar := &Chain{Links: 5, Variables: 4, Follow: []int{2, 3}, Loops: []Loop{pin(2, r3.Vec{}, 4, r3.Vec{})},
			Joints: []robot.Joint{slides(0, 1, 0, r3.Vec{X: 1}), slides(1, 2, 1, r3.Vec{Y: 1}), revolute(0, 3, 2, 0),
				slides(3, 4, 3, r3.Vec{X: 1})}}
		path := []float64{unit, -unit, 0, 0, 2 * unit, 3 * unit, 0, 0}
		found, err = polar.Close(path, 1, []float64{-0.8, 1.5 * unit}, tolerance)
		if err != nil {
			t.Fatalf("in units of %g: %v", unit, err)
		}
		for s := 0.0; s <= 1; s += 0x1p-6 {
			x, y := unit+float64(s*unit), float64(4*s*unit)-unit
			off := math.Abs(found.on(4, 2, s) - math.Atan2(y, x))
			if away := math.Abs(found.on(4, 3, s) - math.Hypot(x, y)); off > found.Errors[0]+0x1p-46 ||
				away > found.Errors[1]+0x1p-46*unit {
				t.Errorf("in units of %g at %g: off by %g and %g, radii %v", unit, s, off, away, found.Errors)
			}
		}
	}
}

// yoke is a crank of length 1 and a slide, whose height is the sine of the crank's angle.
func yoke(follow int) *Chain {
	slide := robot.Joint{Kind: robot.Prismatic, Parent: 0, Child: 2, Variable: 1, Factor: 1, Rotation: identity,
		Axis: r3.Vec{Y: 1}}
	return &Chain{Links: 3, Variables: 2, Follow: []int{follow}, Joints: []robot.Joint{revolute(0, 1, 0, 0), slide},
		Loops: []Loop{{A: 1, B: 2, PointA: r3.Vec{X: 1}, Across: []r3.Vec{{Y: 1}}}}}
}

// The crank goes along u^3 for u from -1/2 to 1/2, and so does the slide: it is off by less than
// u^9 / 6, a series whose coefficients before the ninth are 0.
func TestRadiiCountTheRestOfTaylorsSeries(t *testing.T) {
	tree, err := yoke(1).prepare()
	if err != nil {
		t.Fatal(err)
	}
	cube := bernsteinOf(3)
	for i := range cube {
		cube[i] /= 8
	}
	const u = 0.125 // u^3 at the end
	radius, ok := tree.radii([]rows{cube, cube}, 1e-3)
	if off := u - math.Sin(u); !ok || radius[0] < off || radius[0] > 1e4*off {
		t.Errorf("the radius is %g, and the slide is off by %g", radius, off)
	}
}

// Near its dead center a crank that a slide drives has two places within the tolerance. Each has
// regular slopes, and there is no proof of exactly one.
func TestTwoBranchesWithinTheToleranceAreNoProof(t *testing.T) {
	tree, err := yoke(0).prepare()
	if err != nil {
		t.Fatal(err)
	}
	for _, away := range []float64{0.1, 3e-4} {
		var crank, slide rows
		for i := range crank {
			crank[i], slide[i] = math.Pi/2-away, math.Sin(math.Pi/2-away)
		}
		if radius, ok := tree.radii([]rows{crank, slide}, 1e-3); ok != (away > 1e-3) {
			t.Errorf("%g before the dead center: the radius is %g, %v", away, radius, ok)
		}
	}
}

// The rotation of a joint is within its bound of the nearest rotation of the matrix: it is
// orthogonal, and its transpose times the matrix is symmetric.
func TestNearestRotationIsOrthogonal(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		axis := r3.Vec{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}
		turn := turned(1, &series{mid: [orders]float64{6 * r.Float64()}}, direction(axis))
		var m geom.Mat
		rows := [3]*r3.Vec{&m.X, &m.Y, &m.Z}
		for i, row := range rows {
			at := func(k int) float64 { return turn[i][k].mid[0] + 1e-7*r.NormFloat64() }
			*row = r3.Vec{X: at(0), Y: at(1), Z: at(2)}
		}
		found := nearestRotation(m)
		square := [3]r3.Vec{found.X, found.Y, found.Z}
		for i, a := range square {
			for k, b := range square {
				want := 0.0
				if i == k {
					want = 1
				}
				if off := exactDot(a, b) - want; math.Abs(off) > 0x1p-46 {
					t.Fatalf("rows %d and %d have the product %g", i, k, off+want)
				}
				one, other := exactDot(column(&found, i), column(&m, k)), exactDot(column(&found, k), column(&m, i))
				if math.Abs(one-other) > 0x1p-46 {
					t.Fatalf("not the nearest rotation: %g and %g at %d, %d", one, other, i, k)
				}
			}
		}
	}
}

func column(m *geom.Mat, i int) r3.Vec {
	c := transposed(m)
	return [3]r3.Vec{c.X, c.Y, c.Z}[i]
}

// exactDot is a product of vectors in exact arithmetic, rounded once.
func exactDot(a, b r3.Vec) float64 {
	sum := new(big.Rat)
	for _, p := range [3][2]float64{{a.X, b.X}, {a.Y, b.Y}, {a.Z, b.Z}} {
		x, y := new(big.Rat).SetFloat64(p[0]), new(big.Rat).SetFloat64(p[1])
		sum.Add(sum, x.Mul(x, y))
	}
	found, _ := sum.Float64()
	return found
}
