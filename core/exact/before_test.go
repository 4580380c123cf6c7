package exact

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"ccd/core/geom"
	"ccd/core/reference/oracle"
)

// rationalSide is sideAt over rational numbers.
func rationalSide(p0, q0, p1, q1, t float64) int {
	rat := func(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }
	d0, d1 := rat(p0), rat(p1)
	d0.Sub(d0, rat(q0))
	d1.Sub(d1, rat(q1))
	d1.Sub(d1, d0)
	return d0.Add(d0, d1.Mul(d1, rat(t))).Sign()
}

func TestSideAtIsExact(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 5))
	exact := 0
	for n := range 40000 {
		time := []float64{0.5, 0.25, 1, 0.75, 0.1, 0x1p-40, r.Float64(), 1 - 0x1p-53}[n%8]
		scale := []float64{1, 1e100, 1e-100, 1e-290, 1e150}[n%5]
		p0, q0 := scale*r.Float64(), scale*float64(r.IntN(3))/4
		p1 := scale * r.Float64()
		q1 := p1 + (p0-q0)*(1-time)/time // about where they meet at this time
		switch n / 8 % 4 {
		case 0:
			q1 = p1
		case 1:
			p0, q0, p1, q1 = scale*float64(r.IntN(9)), 0, -scale*float64(r.IntN(9)), 0
		}
		if !(max(p0, q0, p1, q1) <= geom.MaxCoordinate && min(p0, q0, p1, q1) >= -geom.MaxCoordinate) {
			continue
		}
		got, ok := sideAt(p0, q0, p1, q1, time)
		if !ok {
			if scale > 1e-200 && time > 1e-20 && p0 > 1e-150 && p1 > 1e-150 {
				t.Fatalf("undecided: %v %v %v %v at %v", p0, q0, p1, q1, time)
			}
			continue
		}
		want := rationalSide(p0, q0, p1, q1, time)
		if got != want {
			t.Fatalf("%v %v %v %v at %v: %d, want %d", p0, q0, p1, q1, time, got, want)
		}
		if want == 0 {
			exact++
		}
	}
	if exact < 200 {
		t.Errorf("only %d sums are 0", exact)
	}
}

// A pair that the axes prove apart before its time does not touch before, by the oracle; a good
// part of those that touch then are proven.
func TestApartBeforeIsAProof(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 6))
	proven, contacts := 0, 0
	for n := range 3000 {
		kind := []geom.Kind{geom.VertexFace, geom.EdgeEdge}[n%2]
		split, height := int(kind.Info().Split), []float64{1, 0.3, 0.1}[n%3]
		q := make([]float64, 24)
		for i := range 12 {
			q[i] = float64(r.IntN(8)) / 8
			q[12+i] = q[i]
		}
		for i := range 4 {
			q[3*i+2], q[12+3*i+2] = 0, 0
			if i < split {
				q[3*i+2], q[12+3*i+2] = height, []float64{-height, -height / 3, -3 * height}[n%3]
			}
		}
		if n%5 == 0 {
			q[2] += float64(r.IntN(3)-1) * 0x1p-52
		}
		truth := oracle.Contact(kind, q)
		var mo geom.Trajectories
		if err := mo.Load(q[:12], q[12:]); err != nil {
			t.Fatal(err)
		}
		var im geom.Impact
		new(Resolver).Resolve(kind, q, 1, &im)
		if im.Verdict == geom.Separate {
			continue
		}
		contacts++
		for _, at := range []float64{im.TOILo, im.TOIHi, im.TOILo / 2, 0.5, 0.75} {
			if !(at > 0 && at <= 1) {
				continue
			}
			before := func(axis int) bool { return ApartBefore(kind, &mo, &[4]int32{0, 1, 2, 3}, at, &axis) }
			apart := before(0)
			if before(1) != apart || before(2) != apart {
				t.Fatalf("%v: the answer depends on the axis that is tried first: %v", kind, q)
			}
			if !apart {
				continue
			}
			if at == im.TOILo {
				proven++
			}
			if truth.Verdict != geom.Contact || truth.TOILo < at {
				t.Fatalf("%v %v: proven apart before %v, touches at %v", kind, q, at, im.TOILo)
			}
		}
	}
	if contacts < 300 || proven < contacts/2 {
		t.Errorf("%d of %d contacts are proven not to be earlier", proven, contacts)
	}
}

// Points that agree in a coordinate at the start may part: the one that comes through counts.
func TestApartBeforeOfPointsThatPart(t *testing.T) {
	for _, c := range []struct {
		kind geom.Kind
		q    []float64
	}{
		{geom.VertexFace, []float64{0, 0, 1, -1, -1, 0, 0, 0, 0, 1, -1, 0, 0, 0, 1, -1, -1, 0, 0, 0, 2, 1, -1, 0}},
		{geom.EdgeEdge, []float64{-1, 0, 1, 1, 0, 1, 1, -1, 0, 1, 1, 0, -1, 0, 1, 1, 0, -1, 1, -1, 0, 1, 1, 0}},
	} {
		var mo geom.Trajectories
		if err := mo.Load(c.q[:12], c.q[12:]); err != nil {
			t.Fatal(err)
		}
		if truth := oracle.Contact(c.kind, c.q); truth.Verdict != geom.Contact || truth.TOILo != 0.5 {
			t.Fatalf("%v: %+v", c.kind, truth)
		}
		for axis := range 3 {
			for _, end := range []float64{0.25, 0.5, 0.75, 1} {
				if got := ApartBefore(c.kind, &mo, &[4]int32{0, 1, 2, 3}, end, &axis); got != (end <= 0.5) {
					t.Errorf("%v, apart before %v: %v", c.kind, end, got)
				}
			}
		}
	}
}

// Pair after pair, the kept coordinates of the last one change no answer: flat pieces at a few
// heights, some of whose points leave them.
func TestBeforeIsApartBefore(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 9))
	var f Before
	proven, again, end := 0, 0, 0.5
	for n := range 60000 {
		kind := []geom.Kind{geom.VertexFace, geom.EdgeEdge, geom.PointEdge,
			geom.PointPoint}[min(r.IntN(9)/3+r.IntN(2)*r.IntN(2), 3)]
		points, split := kind.Info().Points, kind.Info().Split
		flat, height := n/500%3, []float64{1, 1, 0.75}[r.IntN(3)]
		x := [2][12]float64{}
		for i := range 12 {
			x[0][i], x[1][i] = float64(r.IntN(4)), float64(r.IntN(4))
		}
		for i := range points {
			x[0][3*i+flat], x[1][3*i+flat] = 0, 0
			if i < split {
				x[0][3*i+flat], x[1][3*i+flat] = height, -height
			}
		}
		if r.IntN(4) == 0 { // a point of one leaves it, at one end
			x[r.IntN(2)][3*r.IntN(points)+flat] += float64(r.IntN(3)-1) / 4
		}
		var mo geom.Trajectories
		if err := mo.Load(x[0][:], x[1][:]); err != nil {
			t.Fatal(err)
		}
		if r.IntN(8) == 0 {
			end = []float64{0.5, 0.5, 0.5, 0.25, 0.625}[r.IntN(5)]
		}
		axis := r.IntN(3)
		kept := end == f.end && f.again(kind, &mo, &[4]int32{0, 1, 2, 3})
		want := ApartBefore(kind, &mo, &[4]int32{0, 1, 2, 3}, end, &axis)
		if got := f.Apart(kind, &mo, &[4]int32{0, 1, 2, 3}, end); got != want {
			t.Fatalf("pair %d, %v %v before %v: %v, alone %v", n, kind, x, end, got, want)
		}
		if kept {
			again++
		}
		if want {
			proven++
		}
	}
	if again < 5000 || proven < 2*again || proven > 55000 {
		t.Errorf("%d of 60000 pairs proven, %d by the coordinates of the last", proven, again)
	}
}
