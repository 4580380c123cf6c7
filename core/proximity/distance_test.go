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
	seen, crossing := 0, 0
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
		cross := NearPair{A: -1, B: -1}
		for a, e := range m.Edges {
			for b, f := range m.Faces {
				var q []float64
				for _, v := range [5]int32{e[0], e[1], f[0], f[1], f[2]} {
					q = append(q, x[3*v:3*v+3]...)
				}
				if cross.Kind == 0 && m.Filter().Allows(geom.EdgeFace, int32(a), int32(b)) && oracle.Crossing(q) {
					cross = NearPair{Kind: geom.EdgeFace, A: int64(a), B: int64(b)}
				}
			}
		}
		got := distances(t, m, x)
		if cross.Kind != 0 && least.Sign() > 0 { // Where two distances are 0, the pair that touches is the answer.
			crossing++
			if got.Kind != cross.Kind || got.A != cross.A || got.B != cross.B || got.Lo != 0 || got.Hi != 0 ||
				got.PointA != got.PointB {
				t.Fatalf("%s: %+v, want the crossing %+v", f.name, got, cross)
			}
			continue
		}
		if got.Kind == geom.EdgeFace {
			t.Fatalf("%s: %+v: nothing crosses, or something touches", f.name, got)
		}
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
	if seen < 60 || crossing < 10 {
		t.Errorf("of 144 meshes %d have a distance, and %d intersect without touching", seen, crossing)
	}
}

// Larger meshes, with ties: flat and crumpled sheets, and two of them that only the filter keeps
// from themselves.
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

// An edge through a face is at distance 0, with the point where they meet; what touches comes
// before it, and near pairs have neither.
func TestDistanceOfWhatPassesThrough(t *testing.T) {
	m, err := mesh.New(7, []int32{0, 1, 1, 2, 2, 0, 3, 4, 5, 6}, []int32{0, 1, 2})
	if err != nil {
		t.Fatal(err)
	}
	x := []float64{0, 0, 0, 8, 0, 0, 0, 8, 0, 1, 2, 1, 1, 2, -3, 2, 2, 1, 2, 2, -1}
	for _, o := range []*Options{nil, {BruteForce: true}, {CallOptions: engine.CallOptions{Threads: 3}}} {
		got, err := Distance(m, x, o)
		want := NearPair{Kind: geom.EdgeFace, A: 3, B: 0, U: 0.125, V: 0.25, PointA: [3]float64{1, 2, 0},
			PointB: [3]float64{1, 2, 0}}
		if err != nil || got != want {
			t.Errorf("%+v, %v; want %+v", got, err, want)
		}
	}
	if near, err := Near(m, x, 0.5, nil); err != nil || len(near) != 0 {
		t.Errorf("%v, %v: no pair of a step is that near", near, err)
	}
	x[3*6+2] = 0 // the second edge only touches now
	if got, err := Distance(m, x, nil); err != nil || got.Kind != geom.VertexFace || got.A != 6 || got.Hi != 0 {
		t.Errorf("%+v, %v; want the vertex that touches", got, err)
	}
	x[3*6+2] = -1
	if err := m.SetExcluded(geom.EdgeFace, [][2]int64{{3, 0}, {4, 0}}); err != nil {
		t.Fatal(err)
	}
	if got, err := Distance(m, x, nil); err != nil || got.Lo > 1 || got.Hi < 1 || got.Lo < 0.99 ||
		got.Kind == geom.EdgeFace {
		t.Errorf("%+v, %v without the edges and the face", got, err)
	}
	last := 0.0
	o := &Options{CallOptions: engine.CallOptions{Progress: func(f float64) bool {
		if f < last || f > 1 {
			t.Errorf("progress %v after %v", f, last)
		}
		last = f
		return false
	}}}
	if _, err := Distance(m, x, o); err != nil || last != 1 {
		t.Errorf("progress ends with %v, %v", last, err)
	}
}
