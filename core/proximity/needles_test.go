package proximity

import (
	"errors"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"ccd/core/broad"
	"ccd/core/ccdtest"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/num"
	"ccd/core/status"
)

// needles returns n rods and n thin triangles of any directions, with some points, hinged rods and
// random radii.
func needles(t *testing.T, r *rand.Rand, n int) (*mesh.Mesh, []float64) {
	t.Helper()
	var x, radii []float64
	edges, faces := []int32{}, []int32{}
	vertex := func(p [3]float64) int32 {
		x, radii = append(x, p[:]...), append(radii, 0.004*float64(r.IntN(3)))
		return int32(len(x)/3 - 1)
	}
	near := func(p [3]float64, by float64) [3]float64 {
		for k := range p {
			p[k] += by * r.NormFloat64()
		}
		return p
	}
	for i := range 2 * n {
		p := [3]float64{r.Float64(), r.Float64(), r.Float64()}
		v, w := vertex(p), vertex(near(p, 0.5))
		edges = append(edges, v, w)
		switch i % 4 {
		case 0, 2:
			u := vertex(near(p, 0.01))
			edges, faces = append(edges, w, u, u, v), append(faces, v, w, u)
		case 1:
			edges = append(edges, w, vertex(near(p, 0.3)))
			vertex(near(p, 0.1))
		}
	}
	m, err := mesh.New(len(x)/3, edges, faces)
	if err == nil && r.IntN(2) == 0 {
		err = m.SetRadii(radii)
	}
	if err == nil && r.IntN(3) == 0 {
		static := make([]bool, m.NV)
		for v := range static {
			static[v] = r.IntN(3) > 0
		}
		err = m.SetStatic(static)
	}
	if err != nil {
		t.Fatal(err)
	}
	return m, x
}

// Near, List and Intersections of needles are those of brute force along the axes, along other
// directions and by pieces, also where d is the Lo or the Hi of a pair, or a neighbor of these.
func TestNeedlesAgreeWithBruteForce(t *testing.T) {
	defer func(before broad.Orientation) { orientation = before }(orientation)
	r := ccdtest.NewRand(31, 32)
	near, crossings, rounds := 0, 0, 60
	if testing.Short() {
		rounds = 20
	}
	for i := range rounds {
		m, x := needles(t, r, 20)
		brute := &Options{BruteForce: true}
		all, err := Near(m, x, 0.2, brute)
		if err != nil || len(all) == 0 {
			t.Fatal(len(all), err)
		}
		some := all[r.IntN(len(all))]
		d := []float64{0, 0.05, num.Down(some.Lo), some.Lo, num.Up(some.Lo), some.Hi}[i%6]
		want, err := Near(m, x, max(d, 0), brute)
		if err != nil {
			t.Fatal(err)
		}
		crossed, err := Intersections(m, x, brute)
		if err != nil {
			t.Fatal(err)
		}
		near, crossings = near+len(want), crossings+len(crossed)
		for _, orientation = range []broad.Orientation{broad.AlongAxes, broad.OrientAlways, broad.DivideAlways} {
			for _, o := range []engine.CallOptions{{Threads: 1}, {Threads: 3}, {MemoryLimit: 1 << 20}} {
				got, err := Near(m, x, max(d, 0), &Options{CallOptions: o})
				if err != nil || !slices.Equal(got, want) {
					t.Fatalf("round %d, d %v, orientation %d: %d pairs, %v; by brute force %d",
						i, d, orientation, len(got), err, len(want))
				}
				list, err := List(m, x, max(d, 0), &Options{CallOptions: o})
				if err != nil || list.Len() != len(want) {
					t.Fatalf("round %d, d %v, orientation %d: %d pairs in a list, %v; by brute force %d",
						i, d, orientation, list.Len(), err, len(want))
				}
				cross, err := Intersections(m, x, &Options{CallOptions: o})
				if err != nil || !slices.Equal(cross, crossed) {
					t.Fatalf("round %d, orientation %d: %d intersections, %v; by brute force %d",
						i, orientation, len(cross), err, len(crossed))
				}
			}
		}
	}
	if t.Logf("%d near pairs, %d intersections", near, crossings); near < 100*rounds || crossings < rounds {
		t.Error("too few for a test")
	}
}

// Two rods that cross at a distance along an axis: kernels know it better than Lo does, which may
// be at most d where the distance is more.
func TestNeedlesNearBorder(t *testing.T) {
	defer func(before broad.Orientation) { orientation = before }(orientation)
	r := ccdtest.NewRand(35, 36)
	m, err := mesh.New(4, []int32{0, 1, 2, 3}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for range 300 {
		h := r.Float64()
		x := []float64{-r.Float64(), 0, 0, r.Float64(), 0, 0, 0, -r.Float64(), h, 0, r.Float64(), h}
		all, err := Near(m, x, 10, &Options{BruteForce: true})
		if err != nil || len(all) != 1 {
			t.Fatal(len(all), err)
		}
		for _, d := range []float64{num.Down(all[0].Lo), all[0].Lo, num.Up(all[0].Lo), all[0].Hi} {
			want, err := Near(m, x, d, &Options{BruteForce: true})
			if err != nil {
				t.Fatal(err)
			}
			for _, orientation = range []broad.Orientation{broad.OrientAlways, broad.DivideAlways} {
				if got, err := Near(m, x, d, nil); err != nil || !slices.Equal(got, want) {
					t.Fatalf("x %v, d %v: %d pairs, %v; by brute force %d", x, d, len(got), err, len(want))
				}
			}
		}
	}
}

// A call looks at its progress while pieces are swept: the callback cancels it there.
func TestNeedlesAreCancelled(t *testing.T) {
	defer func(before broad.Orientation) { orientation = before }(orientation)
	orientation = broad.DivideAlways
	m, x := needles(t, ccdtest.NewRand(37, 38), 40)
	for name, call := range map[string]func(o *Options) error{
		"near":          func(o *Options) error { _, err := Near(m, x, 0.01, o); return err },
		"list":          func(o *Options) error { _, err := List(m, x, 0.01, o); return err },
		"intersections": func(o *Options) error { _, err := Intersections(m, x, o); return err },
	} {
		swept, last := false, 0.0
		err := call(&Options{CallOptions: engine.CallOptions{Threads: 2, Progress: func(f float64) bool {
			last, swept = f, swept || strings.Contains(string(debug.Stack()), "pieceSweeper")
			return swept
		}}})
		if !swept || !errors.Is(err, status.ErrCancelled) || last >= 0.9 {
			t.Errorf("%s: %v, progress up to %v, looked at in pieces: %v", name, err, last, swept)
		}
	}
}

// Of crowded needles few pairs are tested, and those that are near are the same.
func TestNeedlesPay(t *testing.T) {
	defer func(before broad.Orientation) { orientation = before }(orientation)
	r := ccdtest.NewRand(33, 34)
	const n = 6000
	var x []float64
	var edges []int32
	for i := range int32(n) {
		p, d := [3]float64{r.Float64(), r.Float64(), r.Float64()},
			[3]float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		x = append(x, p[0], p[1], p[2], p[0]+0.3*d[0], p[1]+0.3*d[1], p[2]+0.3*d[2])
		edges = append(edges, 2*i, 2*i+1)
	}
	m, err := mesh.New(2*n, edges, nil)
	if err != nil {
		t.Fatal(err)
	}
	var want []NearPair
	var before int64
	for _, orientation = range []broad.Orientation{broad.AlongAxes, broad.OrientIfItPays} {
		var stats engine.Stats
		got, err := Near(m, x, 1e-4, &Options{CallOptions: engine.CallOptions{Stats: &stats, Threads: 2}})
		if err != nil {
			t.Fatal(err)
		}
		pairs := stats.Candidates[geom.EdgeEdge-1]
		if t.Logf("%d candidates, %d near", pairs, len(got)); orientation == broad.AlongAxes {
			want, before = got, pairs
		} else if !slices.Equal(got, want) || len(got) == 0 || 20*pairs > before {
			t.Errorf("%d near pairs, %d along the axes; %d of %d candidates are left",
				len(got), len(want), pairs, before)
		}
	}
}
