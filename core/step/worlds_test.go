package step

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/narrow"
)

// fuzzedWorlds makes a mesh of triangles, rods and points, a filter, options and the positions of
// several worlds of bytes. Few different coordinates make ties and degenerate primitives common.
func fuzzedWorlds(t testing.TB, seed uint64) (m *mesh.Mesh, x0, x1 []float64, worlds int, o Options) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 17))
	nv := 3 + r.IntN(24)
	var edges, faces []int32
	for range r.IntN(2 * nv) {
		if p := r.Perm(nv)[:3]; !slices.Contains(faces, int32(p[0])) || r.IntN(3) > 0 {
			faces = append(faces, int32(p[0]), int32(p[1]), int32(p[2]))
		}
	}
	if r.IntN(2) == 0 {
		for range r.IntN(10) {
			p := r.Perm(nv)
			edges = append(edges, int32(p[0]), int32(p[1]))
		}
	}
	m, err := mesh.New(nv, edges, faces)
	if err != nil { // Some faces or edges are there twice.
		if m, err = mesh.New(nv, nil, []int32{0, 1, 2}); err != nil {
			t.Fatal(err)
		}
	}
	if r.IntN(3) == 0 {
		static := make([]bool, nv)
		for v := range static {
			static[v] = r.IntN(3) == 0
		}
		if err := m.SetStatic(static); err != nil {
			t.Fatal(err)
		}
	}
	scale := []float64{1, 1e-6, 1e9, 1e140, 1e-300}[min(r.IntN(12), 4)%5]
	if r.IntN(3) == 0 {
		radii := make([]float64, nv)
		for v := range radii { // The thickest is as wide as many ways are long.
			radii[v] = scale * []float64{0, 1.0 / 64, 0.25}[r.IntN(3)]
		}
		if err := m.SetRadii(radii); err != nil {
			t.Fatal(err)
		}
	}
	shift := []float64{0, 0, 0, 100}[r.IntN(4)]
	worlds = worldsOfTests + r.IntN(4)
	for range 3 * nv * worlds {
		x := shift + float64(r.IntN(64))/16
		x0 = append(x0, scale*x)
		if x += float64(r.IntN(9)-4) / 16; r.IntN(8) == 0 {
			x += r.Float64()
		}
		x1 = append(x1, scale*x)
	}
	o = DefaultOptions()
	o.MinSeparation = scale * []float64{0, 0, 0.03, 0.5}[r.IntN(4)]
	o.TMax = []float64{1, 1, 0.25, 0}[r.IntN(4)]
	o.Threads = 1 + r.IntN(3)
	if r.IntN(4) == 0 {
		o.Flags |= narrow.MaxNorm
	}
	if r.IntN(6) == 0 { // Some of its pairs take a second at the default budget.
		o.Method, o.MaxIterations = narrow.TightInclusion, 2000
	}
	if r.IntN(8) == 0 {
		o.CheckStart = true
	}
	return m, x0, x1, worlds, o
}

// worldsOfTests is enough for the hierarchy of a mesh to pay (broad.WorldsPay).
const worldsOfTests = 8

// sameWorlds fails unless each world has the bits of a call of its own, by the sweep and by brute
// force. It returns how many have an impact.
func sameWorlds(t *testing.T, name string, m *mesh.Mesh, x0, x1 []float64, worlds int, o Options) (hits int) {
	t.Helper()
	n := 3 * m.NV
	got := make([]geom.Impact, worlds)
	if err := EarliestBatch(m, x0, x1, got, &o); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	for w := range worlds {
		for _, flags := range []uint32{0, narrow.BruteForce} {
			one := o
			one.Flags |= flags
			want, err := Earliest(m, x0[n*w:n*(w+1)], x1[n*w:n*(w+1)], &one)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if got[w] != want {
				t.Fatalf("%s, world %d of %d, flags %d:\n%+v, alone\n%+v", name, w, worlds, flags, got[w], want)
			}
		}
		if got[w].Verdict != geom.Separate {
			hits++
		}
	}
	return hits
}

// Law J1 of docs/numerics.md: a world of a batch has the bits of a call of its own.
func TestWorldsLawSameBits(t *testing.T) {
	hits, all := 0, 0
	for seed := range uint64(150) {
		m, x0, x1, worlds, o := fuzzedWorlds(t, seed)
		hits += sameWorlds(t, fmt.Sprintf("seed %d", seed), m, x0, x1, worlds, o)
		all += worlds
	}
	if hits < all/10 || hits > all-all/10 {
		t.Errorf("%d of %d worlds have an impact: the test shows little", hits, all)
	}
}

func FuzzWorlds(f *testing.F) {
	f.Add(uint64(1))
	f.Add(uint64(1 << 40))
	f.Fuzz(func(t *testing.T, seed uint64) {
		m, x0, x1, worlds, o := fuzzedWorlds(t, seed)
		sameWorlds(t, "fuzz", m, x0, x1, worlds, o)
	})
}
