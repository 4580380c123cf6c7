package penetration_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/ccdtest/long"
	"ccd/core/geom"
	"ccd/core/penetration"
	"ccd/core/rigid"
)

// grid returns a closed surface of the cells of a grid that are filled: unit cubes.
func grid(cells ...[3]int) (x []float64, faces [][3]int32) {
	filled := map[[3]int]bool{}
	for _, c := range cells {
		filled[c] = true
	}
	number := map[[3]int]int32{}
	at := func(p [3]int) int32 {
		if _, ok := number[p]; !ok {
			number[p] = int32(len(number))
			x = append(x, float64(p[0]), float64(p[1]), float64(p[2]))
		}
		return number[p]
	}
	for _, c := range cells {
		for k := range 3 {
			for side := range 2 {
				beside := c
				beside[k] += 2*side - 1
				if filled[beside] {
					continue
				}
				i, j := (k+1)%3, (k+2)%3
				var q [4]int32
				for n, s := range [4][2]int{{0, 0}, {1, 0}, {1, 1}, {0, 1}} {
					p := c
					p[k] += side
					p[i] += s[0]
					p[j] += s[1]
					q[n] = at(p)
				}
				if side == 0 {
					q[1], q[3] = q[3], q[1]
				}
				faces = append(faces, [3]int32{q[0], q[1], q[2]}, [3]int32{q[0], q[2], q[3]})
			}
		}
	}
	return x, faces
}

// Cells that share no cell touch, in slots that they fit as on flat sides: their depth is 0. If
// they share one it is not.
func TestDepthOfSurfacesThatTouch(t *testing.T) {
	count := map[bool]int{}
	for i := range long.Part(400, 10) {
		r := rand.New(rand.NewPCG(191, uint64(i)))
		some := func() (cells [][3]int) {
			for k := range 27 {
				if r.IntN(3) == 0 {
					cells = append(cells, [3]int{k / 9, k / 3 % 3, k % 3})
				}
			}
			return cells
		}
		a, b := some(), some()
		at := [3]int{r.IntN(5) - 2, r.IntN(5) - 2, r.IntN(5) - 2}
		if i%2 == 0 { // What is in both is left out of one.
			at = [3]int{}
		}
		shared, near := false, false
		for k := 0; k < len(a); k++ {
			for _, d := range b {
				off := [3]int{a[k][0] + at[0] - d[0], a[k][1] + at[1] - d[1], a[k][2] + at[2] - d[2]}
				if off == [3]int{} && i%2 == 0 {
					a = append(a[:k], a[k+1:]...)
					k--
					break
				}
				shared = shared || off == [3]int{}
				near = near || max(off[0], -off[0], off[1], -off[1], off[2], -off[2]) <= 1
			}
		}
		if len(a) == 0 || len(b) == 0 {
			continue
		}
		xa, fa := grid(a...)
		xb, fb := grid(b...)
		pa, pb := geom.Pose{Rotation: quat.Number{Real: 1}}, geom.Pose{Rotation: quat.Number{Real: 1}}
		pa.Position = r3.Vec{X: float64(at[0]), Y: float64(at[1]), Z: float64(at[2])}
		if i%3 == 0 { // All of it is turned, by rational numbers.
			q := quat.Number{Real: 1, Imag: 1, Jmag: 1, Kmag: 1}
			pa = geom.Pose{Rotation: q, Position: r3.Vec{X: pa.Position.Z, Y: pa.Position.X, Z: pa.Position.Y}}
			pb.Rotation = q
		}
		var d penetration.Depth
		err := new(penetration.Solver).Depth(must(rigid.NewBody(xa, fa, 1)), &pa, must(rigid.NewBody(xb, fb, 1)), &pb,
			rigid.DistanceOptions{}, &d)
		if err != nil || (d.Hi > 0) != shared || !shared && d.Flags != 0 || d.Lo > d.Hi {
			t.Errorf("case %d, cells %v at %v, and %v: %+v, %v", i, a, at, b, d, err)
		}
		if near {
			count[shared]++
		}
	}
	t.Log(count)
	if min(count[false], count[true]) < 5 {
		t.Error(count)
	}
}

// An upright bar in the notch of an L, whose hull it is inside of, goes out of the notch, not of
// the hull, along both walls at once; in a closed box with a cavity it goes through the wall.
func TestDepthOfSurfaces(t *testing.T) {
	x, faces := grid([3]int{0, 0, 0}, [3]int{1, 0, 0}, [3]int{2, 0, 0}, [3]int{0, 1, 0}, [3]int{0, 2, 0})
	ell := must(rigid.NewBody(x, faces, 1))
	cube := must(rigid.BoxBody([3]float64{1, 1, 1}))
	d := depth(t, cube, unturned(1.375, 1.375, 0.5), ell, unturned(0, 0, 0))
	if d.Flags != penetration.UpperBound || d.Lo != 0 || d.Hi < math.Sqrt2/8 || d.Hi > math.Sqrt2/8+1e-6 {
		t.Errorf("in the notch: %+v", d)
	}
	if d := depth(t, cube, unturned(1.75, 1.75, 0.5), ell, unturned(0, 0, 0)); d.Hi != 0 || d.Flags != 0 {
		t.Errorf("beside the notch, inside of the hull: %+v", d)
	}
	var ring [][3]int
	for i := range 27 {
		if c := [3]int{i % 3, i / 3 % 3, i / 9}; c != [3]int{1, 1, 1} {
			ring = append(ring, c)
		}
	}
	x, faces = grid(ring...)
	shell := must(rigid.NewBody(x, faces, 1))
	small := must(rigid.BoxBody([3]float64{.5, .5, .5}))
	if d := depth(t, small, unturned(1.5, 1.5, 1.5), shell, unturned(0, 0, 0)); d.Hi != 0 {
		t.Errorf("in a cavity, without contact: %+v", d)
	}
	if d := depth(t, small, unturned(.5, 1.5, 1.5), shell, unturned(0, 0, 0)); d.Hi < .75 || d.Hi > .7501 {
		t.Errorf("in the wall: %+v", d)
	}
	// Inside of the wall without touching its surfaces: solids overlap.
	pin := must(rigid.BoxBody([3]float64{.25, .25, .25}))
	if d := depth(t, pin, unturned(.5, 1.5, 1.5), shell, unturned(0, 0, 0)); d.Hi < .625 || d.Hi > .6251 {
		t.Errorf("inside of the wall: %+v", d)
	}
}

// Law W4: moved by the translation, surfaces that are not convex are apart, by exact signs.
func TestDepthLawL4(t *testing.T) {
	rnd := rand.New(rand.NewPCG(51, 4))
	var ruler rigid.Ruler
	overlaps := 0
	for range long.Part(40, 4) {
		body := func() *rigid.Body {
			cells := [][3]int{{0, 0, 0}}
			for range 3 {
				c := cells[rnd.IntN(len(cells))]
				c[rnd.IntN(3)] += 2*rnd.IntN(2) - 1
				new := true
				for _, d := range cells {
					new = new && c != d
				}
				if new {
					cells = append(cells, c)
				}
			}
			x, faces := grid(cells...)
			return must(rigid.NewBody(x, faces, 1))
		}
		a, b := body(), body()
		pa := geom.Pose{Rotation: randomTurn(rnd)}
		pb := geom.Pose{Rotation: randomTurn(rnd), Position: r3.Vec{X: rnd.NormFloat64(), Y: rnd.NormFloat64()}}
		if rnd.IntN(3) == 0 {
			pa.Rotation, pb.Rotation = quat.Number{Real: 1}, quat.Number{Real: 1}
		}
		d := depth(t, a, pa, b, pb)
		meets, err := ruler.Intersects(a, &pa, b, &pb)
		if err != nil {
			t.Fatal(err)
		}
		if d.Hi == 0 {
			if meets && d.Iterations == 0 {
				t.Errorf("surfaces meet, and nothing was searched: %+v", d)
			}
			continue
		}
		overlaps++
		// The place keeps an eighth of the tolerance, so its rounding does not matter.
		moved := pa
		moved.Position = r3.Add(pa.Position, d.Translation)
		meets, err = ruler.Intersects(a, &moved, b, &pb)
		if err != nil || meets && d.Flags&penetration.UpperBound != 0 {
			t.Errorf("moved by %v they meet: %+v, %v", d.Translation, d, err)
		}
		if math.Abs(geom.Norm(d.Translation)-d.Hi) > 1e-12 {
			t.Errorf("%v is not of the length %v", d.Translation, d.Hi)
		}
		if moved := rigid.Nested(a, &moved, b, &pb); moved && d.Flags&penetration.UpperBound != 0 {
			t.Errorf("moved by %v one is inside: %+v", d.Translation, d)
		}
	}
	if overlaps < 5 {
		t.Errorf("only %d overlap", overlaps)
	}
}

// Errors name what is wrong; a budget leaves a bracket.
func TestDepthErrorsAndBudgets(t *testing.T) {
	cube := must(rigid.BoxBody([3]float64{2, 2, 2}))
	var s penetration.Solver
	var d penetration.Depth
	good, bad := unturned(0, 0, 0), unturned(math.NaN(), 0, 0)
	if err := s.Depth(cube, &good, cube, &bad, rigid.DistanceOptions{}, &d); err == nil {
		t.Error("NaN is no position")
	}
	if err := s.Depth(cube, &good, cube, &good, rigid.DistanceOptions{Tolerance: -1}, &d); err == nil {
		t.Error("a tolerance below 0")
	}
	rnd := rand.New(rand.NewPCG(51, 5))
	points := make([]float64, 3*200)
	for i := range points {
		points[i] = rnd.NormFloat64()
	}
	a := must(rigid.HullBody(points))
	pb := geom.Pose{Rotation: randomTurn(rnd), Position: r3.Vec{X: 1}}
	full := depth(t, a, good, a, pb)
	var exact penetration.Depth
	if err := s.ExactDepth(a, &good, a, &pb, rigid.DistanceOptions{}, &exact); err != nil {
		t.Fatal(err)
	}
	draft, whole := full.Iterations, exact.Iterations
	if draft < 4 || whole < 4 || draft == whole {
		t.Fatalf("%d and %d steps tell little", draft, whole)
	}
	last := 0.0
	for _, n := range []int64{1, 2, 3, draft - 1, draft, whole - 1, whole, 1000} {
		if err := s.Depth(a, &good, a, &pb, rigid.DistanceOptions{MaxIterations: n}, &d); err != nil {
			t.Fatal(err)
		}
		switch {
		case n >= draft: // The draft ends, with its answer.
			if d != full {
				t.Errorf("budget %d: %+v, full %+v", n, d, full)
			}
		case n >= whole: // The exact search does.
			if d != exact {
				t.Errorf("budget %d: %+v, exact %+v", n, d, exact)
			}
		case d.Flags&penetration.Unfinished == 0 || d.Iterations > n+1 || d.Lo > full.Lo || d.Hi < full.Hi*(1-1e-15):
			t.Errorf("budget %d: %+v, full %+v", n, d, full)
		}
		if d.Lo < last*(1-1e-15) {
			t.Errorf("budget %d: %v is below %v of a smaller budget", n, d.Lo, last)
		}
		last = d.Lo
	}
	for _, tolerance := range []float64{1e-1, 1e-3} {
		if err := s.Depth(a, &good, a, &pb, rigid.DistanceOptions{Tolerance: tolerance}, &d); err != nil {
			t.Fatal(err)
		}
		if d.Lo > full.Hi || d.Hi < full.Lo || d.Hi-d.Lo > tolerance*1.001 || d.Iterations > full.Iterations {
			t.Errorf("tolerance %v: %+v, full %+v", tolerance, d, full)
		}
	}
}
