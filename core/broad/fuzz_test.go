package broad

import (
	"math/rand/v2"
	"testing"

	"ccd/core/geom"
	"ccd/core/mesh"
)

// FuzzSweep builds a mesh and its motion from bytes and compares the fast sweep with brute force,
// and the pairs of a plan with what kinetic boxes of doubles leave. Few distinct values, at scales
// that the first byte picks, make ties and degenerate boxes common.
func FuzzSweep(f *testing.F) {
	f.Add([]byte{0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26,
		27, 28})
	f.Add([]byte{7, 3, 200, 100, 50, 25, 12, 6, 3, 1, 0, 255, 254, 253, 128, 127, 126, 64, 63, 62, 9, 9, 9, 9, 9, 9,
		9, 9, 9, 9, 9, 9, 9, 9})
	f.Add([]byte{0, 0x15, 1, 200, 3, 40, 50, 60, 7, 80, 9, 10, 110, 12, 13, 14, 150, 16, 17, 180, 19, 20, 21, 22, 23,
		24, 25, 26, 27, 28, 2, 3, 4, 5, 6, 7, 8})
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) < 26 || len(b) > 2000 {
			return
		}
		s, scale := fuzzedScene(b)
		d := []float64{0, 0.5, 3, 1e-9}[b[1]%4] * scale
		m, mo := s.load(t)
		if b[1]&4 != 0 { // radii of a few values, up to a quarter of the scene
			radius := make([]float64, m.NV)
			for i := range radius {
				radius[i] = scale * float64(b[i%len(b)]%4) * float64(b[1]>>3)
			}
			if err := m.SetRadii(radius); err != nil {
				t.Fatal(err)
			}
		}
		radii := m.Filter().Radii()
		o := Options{MinSeparation: d}
		want, err := BruteForce(m, mo, o)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Sweep(m, mo, o)
		if err != nil {
			t.Fatal(err)
		}
		sameCandidates(t, "sweep", got, want)
		if got = byHierarchy(t, m, mo, o); got != nil {
			sameCandidates(t, "hierarchy", got, want)
			until := []float64{1, 0.7, 0x1p-60, 0}[b[1]>>3%4]
			sameByHierarchy(t, "fuzz", m, mo, Input{Separation: d, Radii: radii, Until: until})
		}
		o.Remote = &Remote{Device: new(pretended)}
		if got, err = Sweep(m, mo, o); err != nil || o.Remote.Err() != nil {
			t.Fatal(err, o.Remote.Err())
		}
		sameCandidates(t, "sweep on a device", got, want)
		fuzzPlan(t, m, mo, PlanOptions{Input: Input{Separation: d, Radii: radii, Until: 1}}, want)
		device := &pretended{rec: mo.Rec}
		fuzzPlan(t, m, mo, PlanOptions{Input: Input{Separation: d, Radii: radii, Until: 1},
			Tactic: Tactic{Remote: &Remote{Device: device}}}, want)
	})
}

// fuzzedScene makes a scene of triangles, rods and points of bytes, and returns its scale as well.
func fuzzedScene(b []byte) (s scene, scale float64) {
	scale = []float64{1, 1e-320, 1e-300, 1e-6, 1e9, 1e140, 0x1p-149, 3}[b[0]%8]
	shift := []float64{0, 0, 1e6, -1e9}[b[0]/8%4] * scale
	if shift > 1e149 || shift < -1e149 {
		shift = 0
	}
	s = scene{name: "fuzz", edges: []int32{}}
	for c := b[2:]; len(c) >= 6; c = c[6:] {
		for k := range 3 {
			s.x0 = append(s.x0, shift+scale*float64(int8(c[k])/16))
			s.x1 = append(s.x1, shift+scale*float64(int8(c[3+k]))/16)
		}
		s.nv++
	}
	for v := int32(0); int(v)+5 <= s.nv; v += 6 { // a triangle, a rod, a point
		s.faces = append(s.faces, v, v+1, v+2)
		s.edges = append(s.edges, v, v+1, v+1, v+2, v+2, v, v+3, v+4)
	}
	return s, scale
}

// FuzzStaticCull is TestStaticCullLaw for meshes, static vertices and options made from bytes.
func FuzzStaticCull(f *testing.F) {
	f.Add([]byte{0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26,
		27, 28}, uint64(3), uint64(1))
	f.Add([]byte{7, 3, 200, 100, 50, 25, 12, 6, 3, 1, 0, 255, 254, 253, 128, 127, 126, 64, 63, 62, 9, 9, 9, 9, 9, 9,
		9, 9, 9, 9, 9, 9, 9, 9}, uint64(63), uint64(2))
	f.Fuzz(func(t *testing.T, b []byte, moving, seed uint64) {
		if len(b) < 26 || len(b) > 2000 {
			return
		}
		s, _ := fuzzedScene(b)
		m, mo := s.load(t)
		r := rand.New(rand.NewPCG(seed, 1))
		static := make([]bool, m.NV)
		for v := range static {
			static[v] = moving>>(v/6%64)&1 == 0
		}
		setRandomFilter(t, r, m, static)
		how := randomHow(r, m, mo)
		how.Tactic.cull = always
		sameWithoutStatic(t, "fuzz", m, mo, how)
	})
}

// fuzzPlan fails unless a plan has all candidates but those whose kinetic boxes of doubles are
// apart, and no pair twice.
func fuzzPlan(t *testing.T, m *mesh.Mesh, mo *geom.Trajectories, how PlanOptions, want *Candidates) {
	var p Plan
	if err := p.Build(m, mo, how); err != nil {
		t.Fatal(err)
	}
	planned, ends := plannedPairs(t, &p), ends(mo)
	for k := geom.VertexFace; k <= geom.PointPoint; k++ {
		has := make(map[[2]int32]bool)
		for _, x := range planned.Of(k) {
			if has[x] {
				t.Fatalf("%v pair %v twice", k, x)
			}
			has[x] = true
		}
		for _, x := range want.Of(k) {
			if !has[x] && !apartWith(m, ends, k, x[0], x[1],
				how.Input.Radii.Pair(k, x[0], x[1], how.Input.Separation)) {
				t.Fatalf("%v pair %v is lost", k, x)
			}
		}
	}
}

// FuzzOrient is TestOrientLaw for meshes and options made from bytes.
func FuzzOrient(f *testing.F) {
	f.Add([]byte{0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26,
		27, 28}, uint64(1))
	f.Add([]byte{7, 3, 200, 100, 50, 25, 12, 6, 3, 1, 0, 255, 254, 253, 128, 127, 126, 64, 63, 62, 9, 9, 9, 9, 9, 9,
		9, 9, 9, 9, 9, 9, 9, 9}, uint64(2))
	f.Fuzz(func(t *testing.T, b []byte, seed uint64) {
		if len(b) < 26 || len(b) > 700 {
			return
		}
		s, _ := fuzzedScene(b)
		m, mo := s.load(t)
		r := rand.New(rand.NewPCG(seed, 2))
		setRandomFilter(t, r, m, randomStatic(r, &s))
		how := randomHow(r, m, mo)
		if how.Input.Euclidean = r.IntN(2) == 0; how.Input.Intersections {
			how.Input.Until = 0
		}
		checkOriented(t, "fuzz", m, mo, how)
		if how.Input.Bands == nil && m.NV <= 40 {
			checkDivided(t, "fuzz", m, mo, how)
		}
	})
}
