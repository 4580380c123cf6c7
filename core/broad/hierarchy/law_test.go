package hierarchy

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"ccd/core/bound"
	"ccd/core/geom"
	"ccd/simd/box"
)

// exactly returns x as a rational number.
func exactly(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }

// widened returns the nearest double to x + r that is not below it, for r >= 0.
func widened(x, r float64) float64 {
	sum := new(big.Rat).Add(exactly(x), exactly(r))
	f, _ := sum.Float64()
	for exactly(f).Cmp(sum) < 0 {
		f = math.Nextafter(f, math.Inf(1))
	}
	for y := math.Nextafter(f, math.Inf(-1)); exactly(y).Cmp(sum) >= 0; y = math.Nextafter(f, math.Inf(-1)) {
		f = y
	}
	return f
}

// checkLaw1 compares the gaps of the rows of two vertices, along one axis, with their boxes in
// rational arithmetic. a and b are where they begin and end.
func checkLaw1(t *testing.T, a, b [2]float64, center, scale, grow float64) (doubt bool) {
	t.Helper()
	space := bound.RecordSpace{Axis: [3]int{0, 1, 2}, Scale: scale}
	space.C[0][0] = center
	largest := max(math.Abs(a[0]), math.Abs(a[1]), math.Abs(b[0]), math.Abs(b[1]))
	m, ok := newRowMap(&space, grow, largest)
	if !ok {
		return false
	}
	rec := []float64{a[0], 0, 0, 0, a[1], 0, 0, 0, b[0], 0, 0, 0, b[1], 0, 0, 0}
	rows := make([]float32, 2*rowLen)
	box.StepRows(rec, &m, rows)
	for _, x := range rows {
		if !(math.Abs(float64(x)) <= 2*largestFloat) {
			t.Fatalf("a row has the float %v", x)
		}
	}
	for _, side := range []struct {
		lo, hi [2]float64
		gap    float32
	}{{a, b, rows[0] + rows[rowLen+4]}, {b, a, rows[rowLen] + rows[4]}} {
		lo, hi := -widened(-min(side.lo[0], side.lo[1]), grow), widened(max(side.hi[0], side.hi[1]), grow)
		order := exactly(lo).Cmp(exactly(hi))
		if side.gap < 0 && order >= 0 || side.gap > 0 && order <= 0 {
			t.Fatalf("a gap of %v, but lo is %v and hi %v (center %v, scale %v, grow %v)",
				side.gap, lo, hi, center, scale, grow)
		}
		doubt = doubt || side.gap == 0
	}
	return doubt
}

// number returns a double of any size, denormal or zero, often one of few.
func number(r *rand.Rand) float64 {
	switch r.IntN(4) {
	case 0:
		return float64(r.IntN(5) - 2)
	case 1:
		return math.Float64frombits(uint64(r.IntN(8))) * float64(1-2*r.IntN(2)) // denormal
	case 2:
		return 1 + float64(r.IntN(9)-4)*0x1p-52*float64(int(1)<<r.IntN(32))
	}
	return math.Ldexp(2*r.Float64()-1, r.IntN(990)-495)
}

func TestHierarchyLaw1FloatsProveTheOrderOfDoubles(t *testing.T) {
	r := rand.New(rand.NewPCG(45, 1))
	doubts := 0
	for range 40000 {
		a, b := [2]float64{number(r), number(r)}, [2]float64{number(r), number(r)}
		grow := 0.0
		if r.IntN(2) == 0 {
			grow = math.Abs(number(r))
		}
		largest := max(math.Abs(a[0]), math.Abs(a[1]), math.Abs(b[0]), math.Abs(b[1]), grow, 0x1p-1000)
		scale := math.Ldexp(1, -math.Ilogb(largest))
		if r.IntN(4) == 0 {
			scale = math.Ldexp(1, r.IntN(2000)-1000)
		}
		center := 0.0
		if r.IntN(2) == 0 {
			center = number(r)
		}
		if checkLaw1(t, a, b, center, scale, grow) {
			doubts++
		}
	}
	if doubts < 1000 || doubts > 20000 {
		t.Errorf("%d of 40000 are in doubt", doubts)
	}
}

// Of closed rows a gap below 0 proves lo <= hi, one above 0 lo > hi, and equal bounds have one
// below 0: on lattices whose numbers have no floats, and with bounds that differ by their last
// bits.
func TestHierarchyLaw1ClosedRows(t *testing.T) {
	r := rand.New(rand.NewPCG(45, 4))
	space := bound.RecordSpace{Axis: [3]int{0, 1, 2}, Scale: 1}
	var seen seenNumbers
	told := [2]int{}
	for trial := range 300 {
		grow := []float64{0, 0.1, 1.0 / 3}[trial%3]
		m, _ := newRowMap(&space, grow, 10)
		m.C[0] = float64(r.IntN(2)) * 0.7
		const n = 30
		rec, rows := make([]float64, 8*n), make([]float32, rowLen*n)
		for v := range n {
			rec[8*v], rec[8*v+4] = float64(r.IntN(9)-4)/7, float64(r.IntN(9)-4)/7
			if trial%2 == 0 && v == n/2 { // near another, so that floats are equal
				rec[8*v] = math.Nextafter(rec[0], 9)
			}
			if trial%5 == 0 && v == n/3 { // about one float farther
				rec[8*v] = rec[0] + float64(rec[0]*0x1p-23)
			}
		}
		box.StepRows(rec, &m, rows)
		is := distinct(0, rec, rows, grow, &seen)
		if !is {
			told[0]++
			continue
		}
		told[1]++
		closed(0, rows)
		for a := range n {
			for b := range n {
				lo := -widened(-min(rec[8*a], rec[8*a+4]), grow)
				hi := widened(max(rec[8*b], rec[8*b+4]), grow)
				gap := rows[rowLen*a] + rows[rowLen*b+4]
				if gap < 0 && lo > hi || gap > 0 && lo <= hi || lo <= hi && gap >= 0 {
					t.Fatalf("a gap of %v, but lo is %v and hi %v", gap, lo, hi)
				}
			}
		}
	}
	if told[0] < 50 || told[1] < 100 {
		t.Errorf("of %v steps bounds are not distinct, and distinct", told)
	}
	many := make([]float64, 8*(fewNumbers+1))
	rows := make([]float32, len(many))
	for v := range fewNumbers + 1 {
		many[8*v], many[8*v+4] = float64(v), float64(v)
		rows[8*v], rows[8*v+4] = float32(v), -float32(v)
	}
	if !distinct(0, many[8:], rows[8:], 0, &seen) || distinct(0, many, rows, 0, &seen) {
		t.Errorf("%d numbers are too many, or one more are not", fewNumbers)
	}
}

func FuzzHierarchyLaw1(f *testing.F) {
	f.Add(0.0, 1.0, 1.0, 2.0, 0.5, 1.0, 0.0)
	f.Add(5e-324, 1e-320, -5e-324, 0.0, 0.0, 0x1p1000, 1e-322)
	f.Add(1e150, -1e150, 1e149, 1.0, 1e150, 0x1p-498, 1e150)
	f.Add(1.0, 1+0x1p-52, 1+0x1p-40, 1+0x1p-23, 1.0, 0x1p30, 0.25)
	f.Fuzz(func(t *testing.T, a0, a1, b0, b1, center, scale, grow float64) {
		for _, x := range []float64{a0, a1, b0, b1, center, grow} {
			if !(math.Abs(x) <= 1e150) {
				return
			}
		}
		if !(scale >= 0) || math.IsInf(scale, 1) {
			return
		}
		checkLaw1(t, [2]float64{a0, a1}, [2]float64{b0, b1}, center, scale, math.Abs(grow))
	})
}

// The rows of a set of vertices have the minimum of each column in that of their joint box.
func TestHierarchyLaw2RowsOfHullsAreMinima(t *testing.T) {
	r := rand.New(rand.NewPCG(45, 2))
	for range 2000 {
		space := bound.RecordSpace{Axis: [3]int{0, 1, 2}, Scale: 1}
		m, _ := newRowMap(&space, 0, 1)
		m.Scale, m.C[0] = math.Ldexp(1, -r.IntN(30)), number(r)
		const n = 5
		var rec [8 * (n + 1)]float64
		for i := range n {
			rec[8*i], rec[8*i+4] = number(r), number(r)
		}
		rec[8*n], rec[8*n+4] = rec[0], rec[0]
		for i := range 8 * n {
			if i%4 == 0 {
				rec[8*n], rec[8*n+4] = min(rec[8*n], rec[i]), max(rec[8*n+4], rec[i])
			}
		}
		var rows [rowLen * (n + 1)]float32
		box.StepRows(rec[:], &m, rows[:])
		for k := range rowLen {
			least := rows[k]
			for i := range n {
				least = min(least, rows[rowLen*i+k])
			}
			if least != rows[rowLen*n+k] {
				t.Fatalf("column %d: the least is %v, that of the joint box %v", k, least, rows[rowLen*n+k])
			}
		}
	}
}

// A step whose floats might overflow, and one in the coordinates of a map, are refused.
func TestRowsThatMightOverflowAreRefused(t *testing.T) {
	space := bound.RecordSpace{Axis: [3]int{2, 0, 1}, Scale: 1}
	if _, ok := newRowMap(&space, 0, 1e30); !ok {
		t.Error("1e30 is refused")
	}
	for name, refused := range map[string]struct {
		space         bound.RecordSpace
		grow, largest float64
	}{
		"a large coordinate": {space, 0, 1e31},
		"a large inflation":  {space, 1e31, 1},
		"a large scale":      {bound.RecordSpace{Scale: 0x1p200}, 0, 1},
		"a large center":     {bound.RecordSpace{Axis: space.Axis, Scale: 1, C: [2][3]float64{{0, 0, -1e31}}}, 0, 1},
		"no scale":           {bound.RecordSpace{Axis: space.Axis}, 0, 1},
		"an infinite scale":  {bound.RecordSpace{Scale: math.Inf(1)}, 0, 0},
		"a map":              {bound.RecordSpace{Scale: 1, Map: new(bound.Map)}, 0, 1},
	} {
		if _, ok := newRowMap(&refused.space, refused.grow, refused.largest); ok {
			t.Errorf("%s is not refused", name)
		}
	}
}

// Threads close the rows along the same axes as one: where a float stands for two bounds that
// different threads see, or all of them see too many, the axis stays open.
func TestHierarchyLaw1RowsAreClosedOnThreads(t *testing.T) {
	const n = 3000
	rec, rows := make([]float64, 8*n), make([]float32, rowLen*n)
	for v := range n {
		for _, axis := range []int{0, 1, 2} {
			x := float64(v % 50)
			switch {
			case axis == 1 && v == n-1:
				x = 1 + 0x1p-40 // The float is that of 1.
			case axis == 2:
				x = float64(v) // With upper bounds there are more numbers than fewNumbers.
			}
			hi := x
			if axis == 2 {
				hi += 0.5
			}
			rec[8*v+axis], rec[8*v+4+axis] = x, hi
			rows[rowLen*v+axis], rows[rowLen*v+4+axis] = float32(x), -float32(hi)
		}
	}
	for threads := 1; threads <= 5; threads++ {
		s := Search{order: &Order{}, rows: slices.Clone(rows)}
		s.order.doubtful.Store(true)
		s.in.Motion = &geom.Trajectories{N: n, Rec: rec}
		if err := s.closeRows(threads); err != nil {
			t.Fatal(err)
		}
		for i, x := range s.rows {
			want := rows[i]
			if i%rowLen == 4 {
				want = math.Nextafter32(want, float32(math.Inf(-1)))
			}
			if x != want {
				t.Fatalf("%d threads: float %d is %v, want %v", threads, i, x, want)
			}
		}
	}
}
