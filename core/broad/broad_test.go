package broad

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/reference/stq"
)

// scene is a mesh with both frames of a step.
type scene struct {
	name   string
	nv     int
	edges  []int32 // nil: those of the faces
	faces  []int32
	x0, x1 []float64
}

func (s *scene) load(t testing.TB) (*mesh.Mesh, *geom.Trajectories) {
	t.Helper()
	m, err := mesh.New(s.nv, s.edges, s.faces)
	if err != nil {
		t.Fatalf("%s: %v", s.name, err)
	}
	mo := new(geom.Trajectories)
	if err := m.Load(mo, s.x0, s.x1); err != nil {
		t.Fatalf("%s: %v", s.name, err)
	}
	return m, mo
}

// soup is n triangles that share no vertex, and points and rods beside them: every family has
// pairs.
func soup(r *rand.Rand, n int, coordinate func() float64) scene {
	s := scene{name: "soup"}
	vertex := func() int32 {
		for range 3 {
			x := coordinate()
			s.x0, s.x1 = append(s.x0, x), append(s.x1, x+0.3*coordinate())
		}
		s.nv++
		return int32(s.nv - 1)
	}
	s.edges = []int32{}
	for range n {
		a, b, c := vertex(), vertex(), vertex()
		s.faces = append(s.faces, a, b, c)
		s.edges = append(s.edges, a, b, c, b, a, c)
	}
	for range n / 2 {
		s.edges = append(s.edges, vertex(), vertex())
		vertex()
	}
	return s
}

// sheet is a square sheet of n x n quads; height moves its vertices.
func sheet(n int, at func(i, j int) (x0, x1 [3]float64)) scene {
	s := scene{name: "sheet", nv: (n + 1) * (n + 1)}
	for i := range n + 1 {
		for j := range n + 1 {
			a, b := at(i, j)
			s.x0, s.x1 = append(s.x0, a[:]...), append(s.x1, b[:]...)
		}
	}
	for i := range n {
		for j := range n {
			v := int32(i*(n+1) + j)
			w := v + int32(n) + 1
			s.faces = append(s.faces, v, v+1, w, v+1, w+1, w)
		}
	}
	return s
}

// adversaries are the inputs on which sweeps and grids go wrong: degenerate boxes, ties, pile-ups,
// extreme scales.
func adversaries() []scene {
	r := rand.New(rand.NewPCG(7, 8))
	uniform := func(scale float64) func() float64 { return func() float64 { return scale * (2*r.Float64() - 1) } }
	few := func() float64 { return float64(r.IntN(4)) }
	var out []scene
	add := func(name string, s scene) { s.name = name; out = append(out, s) }

	add("random", soup(r, 60, uniform(1)))
	add("huge", soup(r, 30, uniform(1e149)))
	add("tiny", soup(r, 30, uniform(1e-300)))
	add("denormal", soup(r, 30, uniform(1e-320)))
	add("coincident coordinates", soup(r, 60, few))
	add("all equal", soup(r, 20, func() float64 { return 1 }))
	add("all at the origin", soup(r, 20, func() float64 { return 0 }))
	add("mixed scales", soup(r, 40, func() float64 { return anyMagnitude(r) }))
	for k := range 3 {
		s := soup(r, 40, uniform(1))
		for i := k; i < len(s.x0); i += 3 { // all on one line: one-axis pile-ups
			s.x0[i], s.x1[i] = 5, 5
			s.x0[i-k+(k+1)%3], s.x1[i-k+(k+1)%3] = -2, -2
		}
		add(fmt.Sprintf("on a line, axis %d", (k+2)%3), s)
	}
	static := soup(r, 50, uniform(1))
	copy(static.x1, static.x0)
	add("all static", static)
	fast := soup(r, 50, uniform(1))
	for i := range fast.x1 {
		fast.x1[i] = fast.x0[i] + float64(1000*(i%3+1))
	}
	add("common translation at high speed", fast)
	far := soup(r, 50, uniform(1))
	for i := range far.x1 {
		far.x0[i] += 1e9
		far.x1[i] += 1e9
	}
	add("far from the origin", far)
	one := soup(r, 80, uniform(1))
	for i := 9; i < len(one.x0); i++ {
		one.x0[i], one.x1[i] = one.x0[i]*1e-3, one.x1[i]*1e-3
	}
	add("one huge box over many small", one)
	add("sheet", sheet(12, func(i, j int) (x0, x1 [3]float64) {
		z := 0.2 * r.Float64()
		return [3]float64{float64(i), float64(j), z}, [3]float64{float64(i), float64(j), -z}
	}))
	add("sheet in line with the axes", sheet(12, func(i, j int) (x0, x1 [3]float64) {
		return [3]float64{float64(i), float64(j), 0}, [3]float64{float64(i), float64(j), 0}
	}))
	add("nothing", scene{})
	add("one vertex", scene{nv: 1, x0: make([]float64, 3), x1: make([]float64, 3)})
	add("one face", soup(r, 1, uniform(1)))
	add("two points", scene{nv: 2, x0: make([]float64, 6), x1: make([]float64, 6)})
	return out
}

func anyMagnitude(r *rand.Rand) float64 {
	m := []float64{1e-310, 1e-100, 1e-6, 1, 1e4, 1e9, 1e100, 1e149}
	return (2*r.Float64() - 1) * m[r.IntN(len(m))]
}

type method struct {
	name string
	find func(*mesh.Mesh, *geom.Trajectories, Options) (*Candidates, error)
}

func sameCandidates(t *testing.T, name string, got, want *Candidates) {
	t.Helper()
	for k := geom.VertexFace; k <= geom.PointPoint; k++ {
		if !slices.Equal(got.Of(k), want.Of(k)) {
			t.Errorf("%s, %v: %d candidates, brute force finds %d", name, k, len(got.Of(k)), len(want.Of(k)))
		}
	}
}

func TestSweepsAgreeWithBruteForce(t *testing.T) {
	for _, s := range adversaries() {
		m, mo := s.load(t)
		for _, d := range []float64{0, 1e-3, 0.5, 1e-320, 1e140} {
			o := Options{MinSeparation: d}
			want, err := BruteForce(m, mo, o)
			if err != nil {
				t.Fatal(err)
			}
			got, err := Sweep(m, mo, o)
			if err != nil {
				t.Fatal(err)
			}
			sameCandidates(t, fmt.Sprintf("sweep of %s, separation %v", s.name, d), got, want)
			reference := stq.Candidates(m, mo, d)
			for k := geom.VertexFace; k <= geom.PointPoint; k++ {
				if !slices.Equal(reference[k], want.Of(k)) {
					t.Errorf("sweep and tiniest queue of %s, separation %v, %v: %d candidates, brute force finds %d",
						s.name, d, k, len(reference[k]), len(want.Of(k)))
				}
			}
		}
	}
}

func TestSweepHonorsFilters(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	s := soup(r, 60, func() float64 { return 2*r.Float64() - 1 })
	m, mo := s.load(t)
	all, err := Sweep(m, mo, Options{})
	if err != nil {
		t.Fatal(err)
	}
	patch, static := make([]int32, m.NV), make([]bool, m.NV)
	for i := range patch {
		patch[i], static[i] = int32(i/9%5)-1, i < m.NV/2
	}
	set := []func() error{
		func() error { return m.SetGroups(patch) },
		func() error { return m.SetStatic(static) },
		func() error {
			p := all.Of(geom.EdgeEdge)[0]
			return m.SetExcluded(geom.EdgeEdge, [][2]int64{{int64(p[0]), int64(p[1])}})
		},
	}
	last := all.Len()
	for i, f := range set {
		if err := f(); err != nil {
			t.Fatal(err)
		}
		want, err := BruteForce(m, mo, Options{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := Sweep(m, mo, Options{})
		if err != nil {
			t.Fatal(err)
		}
		sameCandidates(t, fmt.Sprintf("filter %d", i), got, want)
		if got.Len() >= last && i < 2 {
			t.Errorf("filter %d leaves out nothing", i)
		}
		last = got.Len()
	}
}

func TestBadOptions(t *testing.T) {
	m, mo := (&scene{}).load(t)
	for _, o := range []Options{{MinSeparation: -1}, {MinSeparation: 1e300}, {Threads: -1}} {
		for _, x := range []method{{"sweep", Sweep}, {"brute force", BruteForce}} {
			if _, err := x.find(m, mo, o); err == nil {
				t.Errorf("%s accepts %+v", x.name, o)
			}
		}
	}
}
