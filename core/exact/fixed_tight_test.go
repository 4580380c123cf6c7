package exact

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"ccd/core/exact/internal/algebra"
	"ccd/core/geom"
	"ccd/core/reference/oracle"
)

// regular makes a query such as regular and symmetric meshes make: all in a plane, or a corner or
// side met exactly.
func regular(r *rand.Rand) (kind geom.Kind, q []float64) {
	kind = geom.Kind(1 + r.IntN(2))
	q = make([]float64, 24)
	number := []func() float64{
		func() float64 { return 2*r.Float64() - 1 },
		func() float64 { return float64(r.IntN(9)-4) / 4 },
		func() float64 { return float64(r.IntN(2001)-1000) / 1024 },
	}[r.IntN(3)]
	for i := range q {
		q[i] = number()
	}
	at := func(end, vertex, k int) *float64 { return &q[12*end+3*vertex+k] }
	sort, axis := r.IntN(4), r.IntN(3)
	first, second := 0, 1+r.IntN(3) // two vertices of different primitives
	if kind == geom.EdgeEdge {
		first, second = r.IntN(2), 2+r.IntN(2)
	}
	shift := [2]float64{number(), number()}
	for vertex := range 4 {
		for end := range 2 {
			x := at(end, vertex, axis)
			switch {
			case sort == 0: // all points lie in a plane that moves
				*x = shift[end]
			case sort == 1: // all points lie in a plane at 45 degrees
				*x = *at(end, vertex, (axis+1)%3)
			case sort == 2 && vertex != 3 && (kind == geom.VertexFace || vertex != 1): // a vertex and a side in a plane
				*x = 0
			case sort == 3 && vertex == second: // two vertices on a line
				*x = *at(end, first, axis)
				y := at(end, vertex, (axis+1)%3)
				*y = *at(end, first, (axis+1)%3)
			}
		}
	}
	return kind, q
}

// What the stage of fixed width says of contacts on borders and in planes is what integers of any
// width say, in all bits, and the oracle agrees; and nearly all of them it does decide.
func TestBordersAndPlanesAreThoseOfIntegers(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 1))
	var r, last Resolver
	n := 60000
	if testing.Short() {
		n = 6000
	}
	planar, border := 0, 0
	for i := range n {
		kind, q := regular(rng)
		tMax := 1.0
		if i%5 == 0 {
			tMax = rng.Float64()
		}
		var got, want geom.Impact
		r.Resolve(kind, q, tMax, &got)
		copy(last.query[:], q)
		domain := widened[kind]
		last.double.load(domain, &last.query)
		want.SetSeparate(kind)
		if last.wide.decide(domain, &last.query, tMax, &last.double, &last.found) {
			last.report(kind, &want)
			zeros := 0
			for _, s := range last.found.slack[:3] {
				if s == 0 && last.found.shape == 2 && !last.found.exact {
					zeros++
				}
			}
			if last.found.planar {
				planar++
			} else if zeros > 0 {
				border++
			}
		}
		if got != want {
			t.Fatalf("%v %v, t <= %v\n staged %+v\nintegers %+v", kind, q, tMax, got, want)
		}
		if i%200 == 0 && tMax == 1 {
			if j := oracle.Contact(kind, q); j.Verdict != got.Verdict || got.Verdict == geom.Contact &&
				(j.TOILo != got.TOILo || j.TOIHi != got.TOIHi) {
				t.Fatalf("%v %v\nstaged %+v\noracle %+v", kind, q, got, j)
			}
		}
	}
	if planar < n/20 || border < n/50 {
		t.Errorf("%d contacts in planes and %d on borders of %d show too little", planar, border, n)
	}
	answered := func(s Stage) int64 { return r.Stats.Separate[s] + r.Stats.Contact[s] }
	if wide, fixed := answered(StageWide), answered(StageFixed); 2*wide > fixed {
		t.Errorf("%d queries went to integers of any width, %d were decided before", wide, fixed)
	}
	t.Logf("%d in planes, %d on borders; %+v", planar, border, r.Stats)
}

func TestProductOfWideIntegers(t *testing.T) {
	r := rand.New(rand.NewPCG(32, 1))
	number := func() algebra.Int128 {
		x := algebra.Int128{Hi: int64(r.Uint64()) >> (2 + r.IntN(63)), Lo: r.Uint64()}
		if r.IntN(4) == 0 {
			x.Lo = 0
		}
		return x
	}
	whole := func(words []uint64) *big.Int { // whole reads words in two's complement.
		z := new(big.Int)
		for i := len(words) - 1; i >= 0; i-- {
			z.Add(z.Lsh(z, 64), new(big.Int).SetUint64(words[i]))
		}
		if int64(words[len(words)-1]) < 0 {
			z.Sub(z, new(big.Int).Lsh(big.NewInt(1), uint(64*len(words))))
		}
		return z
	}
	for range 20000 {
		x, y := number(), number()
		p := product(x, y)
		want := new(big.Int).Mul(whole([]uint64{x.Lo, uint64(x.Hi)}), whole([]uint64{y.Lo, uint64(y.Hi)}))
		if whole(p[:]).Cmp(want) != 0 {
			t.Fatalf("%v times %v is %v, want %v", x, y, p, want)
		}
		if p.Shl2(); want.BitLen() < 252 && whole(p[:]).Cmp(want.Lsh(want, 2)) != 0 {
			t.Fatalf("%v times %v times 4 is %v, want %v", x, y, p, want)
		}
	}
}
