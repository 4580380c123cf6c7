package geom

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ccd/core/status"
)

// Positions are packed alike on any number of threads, and the largest magnitude is that of all
// coordinates.
func TestLoadParallel(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 6))
	for _, n := range []int{0, 1, packVertices, packVertices + 1, 5*packVertices + 7} {
		x := [2][]float64{make([]float64, 3*n), make([]float64, 3*n)}
		want := 0.0
		for e := range x {
			for i := range x[e] {
				x[e][i] = r.NormFloat64()
				want = max(want, math.Abs(x[e][i]))
			}
		}
		var one, many Trajectories
		for _, threads := range []int{1, 2, 5, 64} {
			if err := errors.Join(one.Load(x[0], x[1]), many.LoadParallel(x[0], x[1], threads)); err != nil {
				t.Fatal(err)
			}
			if one.N != n || !slices.Equal(one.Rec, many.Rec) || many.Largest() != want {
				t.Fatalf("%d vertices, %d threads: %d vertices, largest %v, want %v",
					n, threads, many.N, many.Largest(), want)
			}
		}
		for v := range n {
			for k := range 8 {
				if want := [8]float64{x[0][3*v], x[0][3*v+1], x[0][3*v+2], 0, x[1][3*v], x[1][3*v+1],
					x[1][3*v+2]}[k]; one.Rec[8*v+k] != want {
					t.Fatalf("vertex %d of %d: %v", v, n, one.Rec[8*v:8*v+8])
				}
			}
		}
		one.Reserve(n)
		if one.Largest() != want {
			t.Errorf("%d vertices, changed perhaps: largest %v, want %v", n, one.Largest(), want)
		}
		if n > 0 {
			one.Rec[8*(n-1)+5] = 100
			if one.Largest() != 100 {
				t.Errorf("%d vertices, changed: largest %v", n, one.Largest())
			}
		}
	}
}

// The error names the first coordinate that is out of range, whichever thread finds it.
func TestLoadParallelNamesTheFirst(t *testing.T) {
	n := 3*packVertices + 1
	x0 := make([]float64, 3*n)
	for _, bad := range []float64{math.NaN(), math.Inf(-1), 2e150, math.Nextafter(MaxCoordinate, 1e300)} {
		x1 := slices.Clone(x0)
		for v := packVertices + 1; v < n; v += 2 {
			x1[3*v+1] = bad
		}
		for _, threads := range []int{1, 2, 4} {
			err := new(Trajectories).LoadParallel(x0, x1, threads)
			if !errors.Is(err, status.ErrNonFinite) || !strings.HasPrefix(err.Error(), "x1[2049][1] is ") {
				t.Errorf("%v, %d threads: %v", bad, threads, err)
			}
		}
	}
}

// Move changes where its vertices end, and nothing else.
func TestMove(t *testing.T) {
	r := rand.New(rand.NewPCG(45, 6))
	var x [3][]float64
	for i := range 3 * 20 {
		for e := range x {
			x[e] = append(x[e], float64(i)*r.Float64()/float64(1+e/2))
		}
	}
	var m, want Trajectories
	if err := m.Load(x[0], x[1]); err != nil {
		t.Fatal(err)
	}
	largest, moved := m.Largest(), []int32{0, 7, 19}
	m.Move(moved, x[2])
	for _, v := range moved {
		copy(x[1][3*v:3*v+3], x[2][3*v:])
	}
	if err := want.Load(x[0], x[1]); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(m.Rec, want.Rec) || m.Largest() != largest || largest < want.Largest() {
		t.Errorf("%v, largest %v; want %v, %v", m.Rec, m.Largest(), want.Rec, largest)
	}
}
