package proximity

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/reference/oracle"
)

// distances computes the distance by every method; the results must have the same bits.
func distances(t *testing.T, m *mesh.Mesh, x []float64) NearPair {
	t.Helper()
	want, err := Distance(m, x, &Options{BruteForce: true})
	if err != nil {
		t.Fatal(err)
	}
	for threads := 1; threads <= 4; threads++ {
		got, err := Distance(m, x, &Options{CallOptions: engine.CallOptions{Threads: threads}})
		if err != nil || got != want {
			t.Fatalf("%d threads: %+v, %v; by brute force %+v", threads, got, err, want)
		}
	}
	return want
}

// The smallest distance against the oracle, over every family of points.
func TestDistanceIsTheSmallest(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	seen := 0
	for i := range 144 {
		f := families[i%len(families)]
		nv := 3 + r.IntN(4)
		x := f.make(r, nv)
		m := scene(t, r, nv, x)
		var least *big.Rat
		for _, p := range products(m, false) {
			for _, a := range p.a {
				for _, b := range p.b {
					if !m.Filter().Allows(p.kind, a, b) {
						continue
					}
					v := m.Indices(p.kind, a, b)
					var q []float64
					for _, j := range v[:p.kind.Points()] {
						q = append(q, x[3*j:3*j+3]...)
					}
					if d := oracle.Distance(p.kind, q).Squared; least == nil || d.Cmp(least) < 0 {
						least = d
					}
				}
			}
		}
		got := distances(t, m, x)
		if least == nil {
			if got.Kind != 0 || got.A != -1 || got.B != -1 || !math.IsInf(got.Lo, 1) || !math.IsInf(got.Hi, 1) {
				t.Fatalf("%s: %+v for a mesh without pairs", f.name, got)
			}
			continue
		}
		seen++
		square := func(d float64) *big.Rat {
			q := new(big.Rat).SetFloat64(d)
			return q.Mul(q, q)
		}
		if square(got.Lo).Cmp(least) > 0 || square(got.Hi).Cmp(least) < 0 || (got.Hi == 0) != (least.Sign() == 0) {
			t.Fatalf("%s: %+v does not hold the smallest distance", f.name, got)
		}
		if got.Hi-got.Lo > 0x1p-24*got.Hi && math.Nextafter(got.Lo, math.Inf(1)) != got.Hi {
			t.Fatalf("%s: %+v is not tight", f.name, got)
		}
	}
	if seen < 90 {
		t.Errorf("only %d meshes had pairs", seen)
	}
}

// Larger meshes, with ties: flat and crumpled sheets, and two of them that only the filter keeps from themselves.
func TestDistanceOfSheets(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for _, bump := range []float64{0, 1e-9, 0.3} {
		faces, x := sheet(14, func(int, int) float64 { return bump * r.NormFloat64() })
		one := len(x) / 3
		for i := range one {
			x = append(x, x[3*i], x[3*i+1], x[3*i+2]+5)
		}
		for _, f := range faces[:len(faces):len(faces)] {
			faces = append(faces, f+int32(one))
		}
		m, err := mesh.New(2*one, nil, faces)
		if err != nil {
			t.Fatal(err)
		}
		if d := distances(t, m, x); d.Hi > 1 {
			t.Errorf("bump %v: %+v", bump, d)
		}
		if err := m.SetComponentGroups(); err != nil {
			t.Fatal(err)
		}
		d := distances(t, m, x)
		if d.Hi > 5+1e-12 || bump == 0 && d.Lo < 5-1e-12 || bump == 0 && (d.Kind != geom.VertexFace || d.A != 0) {
			t.Errorf("bump %v, components: %+v", bump, d)
		}
		static := make([]bool, 2*one)
		for i := range static {
			static[i] = true
		}
		if err := m.SetStatic(static); err != nil {
			t.Fatal(err)
		}
		if d := distances(t, m, x); d.Kind != 0 {
			t.Errorf("all static: %+v", d)
		}
	}
}
