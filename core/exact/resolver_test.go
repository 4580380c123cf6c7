package exact

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"ccd/core/geom"
	"ccd/core/reference/oracle"
)

var kinds = [...]geom.Kind{geom.VertexFace, geom.EdgeEdge, geom.PointEdge, geom.PointPoint}

// Families of queries, each hostile to some part of the ladder.
var families = []struct {
	name string
	slow int // the oracle is this many times slower than usual
	fill func(r *rand.Rand, k geom.Kind, q []float64)
}{
	{"integers in -2..2", 1, func(r *rand.Rand, k geom.Kind, q []float64) { fillInts(r, q, 2) }},
	{"integers in -9..9", 1, func(r *rand.Rand, k geom.Kind, q []float64) { fillInts(r, q, 9) }},
	{"in a plane", 1, func(r *rand.Rand, k geom.Kind, q []float64) {
		fillInts(r, q, 3)
		for i := 2; i < len(q); i += 3 {
			q[i] = 0
		}
	}},
	{"on a line", 1, func(r *rand.Rand, k geom.Kind, q []float64) {
		fillInts(r, q, 4)
		for i := 0; i < len(q); i += 3 {
			q[i+1], q[i+2] = 2*q[i], -q[i]
		}
	}},
	{"in a turning plane", 1, func(r *rand.Rand, k geom.Kind, q []float64) {
		fillInts(r, q, 3)
		for i := range len(q) / 6 { // z = 0 at first, y = z at the end: 2 y - z stays what a plane allows or does not
			q[3*i+2], q[len(q)/2+3*i+2] = 0, q[len(q)/2+3*i+1]
		}
	}},
	{"shared points", 1, func(r *rand.Rand, k geom.Kind, q []float64) {
		fillInts(r, q, 5)
		i, j, n := r.IntN(k.Points()), r.IntN(k.Points()), k.Points()
		copy(q[3*i:3*i+3], q[3*j:3*j+3])
		if r.IntN(2) == 0 {
			copy(q[3*(n+i):3*(n+i)+3], q[3*(n+j):3*(n+j)+3])
		}
	}},
	{"no motion", 1, func(r *rand.Rand, k geom.Kind, q []float64) {
		fillInts(r, q, 2)
		copy(q[len(q)/2:], q[:len(q)/2])
	}},
	{"nearly parallel", 1, func(r *rand.Rand, k geom.Kind, q []float64) {
		fillInts(r, q, 3)
		if k == geom.EdgeEdge {
			for s := range 2 {
				p := q[12*s : 12*s+12]
				for c := range 3 {
					p[9+c] = p[6+c] + (p[3+c] - p[c])
				}
			}
		}
		jiggle(r, q)
	}},
	{"generic", 1, func(r *rand.Rand, k geom.Kind, q []float64) {
		for i := range q {
			q[i] = r.Float64()*2 - 1
		}
	}},
	{"through the middle", 1, func(r *rand.Rand, k geom.Kind, q []float64) { fillCrossing(r, k, q) }},
	{"through the middle, far away", 1, func(r *rand.Rand, k geom.Kind, q []float64) {
		fillCrossing(r, k, q)
		for i := range q {
			q[i] += float64(int64(1) << (20 + 7*(i%3)))
		}
	}},
	{"through the middle, jiggled integers", 1, func(r *rand.Rand, k geom.Kind, q []float64) {
		fillInts(r, q, 4)
		jiggle(r, q)
	}},
	{"wild exponents", 30, func(r *rand.Rand, k geom.Kind, q []float64) {
		for i := range q {
			q[i] = math.Ldexp(r.Float64()*2-1, r.IntN(1460)-996)
		}
	}},
	{"one wild scale", 1, func(r *rand.Rand, k geom.Kind, q []float64) {
		fillCrossing(r, k, q)
		for c := range 3 {
			e := r.IntN(1400) - 940
			for i := c; i < len(q); i += 3 {
				q[i] = math.Ldexp(q[i], e)
			}
		}
	}},
	{"denormals", 1, func(r *rand.Rand, k geom.Kind, q []float64) {
		for i := range q {
			q[i] = float64(r.IntN(9)-4) * 5e-324
		}
	}},
	{"times near zero", 1, func(r *rand.Rand, k geom.Kind, q []float64) {
		fillInts(r, q, 1)
		for i := range len(q) / 2 {
			q[i] *= 1e-290
		}
		for i := len(q) / 2; i < len(q); i++ {
			q[i] *= 1e100
		}
	}},
}

func fillInts(r *rand.Rand, q []float64, m int) {
	for i := range q {
		q[i] = float64(r.IntN(2*m+1) - m)
	}
}

func jiggle(r *rand.Rand, q []float64) {
	for i := range q {
		switch r.IntN(4) {
		case 0:
			q[i] = math.Nextafter(q[i], 100)
		case 1:
			q[i] = math.Nextafter(q[i], -100)
		}
	}
}

// fillCrossing makes primitives that pass through each other near the middle of the step.
func fillCrossing(r *rand.Rand, k geom.Kind, q []float64) {
	n := len(q) / 2
	for i := range n {
		x, d := r.Float64()*2-1, r.Float64()*0.2-0.1
		if i%3 == 2 {
			x *= 0.1
			h := 0.5
			if i < 3 || k == geom.EdgeEdge && i < 6 {
				h = -0.5
			}
			q[i], q[n+i] = x+h, x-h+d
			continue
		}
		q[i], q[n+i] = x, x+d
	}
	if k != geom.VertexFace && k != geom.EdgeEdge {
		copy(q[0:2], q[3:5])
		copy(q[n:n+2], q[n+3:n+5])
	}
}

func sameAnswer(t *testing.T, where string, kind geom.Kind, q []float64, got, want *geom.Impact) {
	t.Helper()
	if got.Verdict != want.Verdict || got.TOILo != want.TOILo || got.TOIHi != want.TOIHi || got.Flags != want.Flags {
		t.Fatalf("%s: %v %v\n got %+v\nwant %+v", where, kind, q, *got, *want)
	}
	if got.Verdict != geom.Contact {
		if *got != *want {
			t.Fatalf("%s: %v %v\n got %+v\nwant %+v", where, kind, q, *got, *want)
		}
		return
	}
	if err := oracle.CheckPlace(kind, q, got); err != nil {
		t.Fatalf("%s: %v %v: %v", where, kind, q, err)
	}
}

func compareWithOracle(t *testing.T, r *Resolver, n int, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 1))
	for _, f := range families {
		for range n / f.slow {
			kind := kinds[rng.IntN(len(kinds))]
			if rng.IntN(2) == 0 {
				kind = kinds[rng.IntN(2)]
			}
			q := make([]float64, kind.Len())
			f.fill(rng, kind, q)
			tMax := 1.0
			if rng.IntN(3) == 0 {
				tMax = float64(rng.IntN(9)) / 8
			}
			var got geom.Impact
			r.Resolve(kind, q, tMax, &got)
			want := oracle.Contact(kind, q).Until(tMax)
			sameAnswer(t, f.name, kind, q, &got, &want)
		}
	}
}

func TestResolveAgainstOracle(t *testing.T) {
	n := 300
	if testing.Short() {
		n = 50
	}
	var r Resolver
	compareWithOracle(t, &r, n, 7)
	t.Logf("%+v", r.Stats)
}

// TestSoakAgainstOracle goes on for as long as CCD_SOAK says, such as 10m, with queries that it has
// not seen before.
func TestSoakAgainstOracle(t *testing.T) {
	d, err := time.ParseDuration(os.Getenv("CCD_SOAK"))
	if err != nil {
		t.Skip("set CCD_SOAK to a duration to run this test")
	}
	var r Resolver
	for start := time.Now(); time.Since(start) < d; {
		compareWithOracle(t, &r, 1000, uint64(time.Now().UnixNano()))
	}
	total := int64(0)
	for s := range Stages {
		total += r.Stats.Separate[s] + r.Stats.Contact[s]
	}
	t.Logf("%d queries, no difference; by stage %+v", total, r.Stats)
}

func FuzzResolveAgainstOracle(f *testing.F) {
	rng := rand.New(rand.NewPCG(3, 5))
	for _, fam := range families {
		for _, kind := range kinds {
			q := make([]float64, kind.Len())
			fam.fill(rng, kind, q)
			b := []byte{byte(kind), 64}
			for _, x := range q {
				b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
			}
			f.Add(b)
		}
	}
	var r Resolver
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) < 2 {
			return
		}
		kind, tMax := geom.Kind(1+b[0]%4), float64(b[1]%65)/64
		q := make([]float64, kind.Len())
		for i := range q {
			if len(b) < 2+8*i+8 {
				return
			}
			q[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[2+8*i:]))
			if !(math.Abs(q[i]) <= geom.MaxCoordinate) {
				return
			}
		}
		var got geom.Impact
		r.Resolve(kind, q, tMax, &got)
		want := oracle.Contact(kind, q).Until(tMax)
		sameAnswer(t, "fuzz", kind, q, &got, &want)
	})
}
