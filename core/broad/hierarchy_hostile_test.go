package broad

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ccd/core/ccdtest/long"
	"ccd/core/geom"
	"ccd/core/mesh"
)

// hostileSizes are around the numbers that blocks, groups and the levels above them hold.
var hostileSizes = []int{1, 2, 3, 7, 8, 9, 15, 16, 17, 21, 22, 23, 1, 8, 9, 63, 64, 65, 129}

// hostileMesh draws a mesh whose trees have different heights, or a vertex in many faces, or
// particles and rods alone; some of its particles may be ignored.
func hostileMesh(t testing.TB, r *rand.Rand) (string, *mesh.Mesh) {
	n := hostileSizes[r.IntN(len(hostileSizes))]
	if r.IntN(500) == 0 {
		n = 511 + r.IntN(3)
	}
	var s scene
	for i := range int32(n) {
		s.faces = append(s.faces, 3*i, 3*i+1, 3*i+2)
	}
	shape := []string{"soup", "fan", "two hubs", "strip", "particles", "rods", "all", "few faces"}[r.IntN(8)]
	switch s.nv = 3 * n; shape {
	case "fan", "two hubs", "strip":
		s.nv = n + 4
		for i := range int32(n) {
			first := map[string]int32{"two hubs": r.Int32N(2), "strip": i + 1}[shape]
			copy(s.faces[3*i:], []int32{first, i + 2, i + 3})
		}
	case "particles":
		s.faces = nil
	case "rods", "all":
		first := int32(s.nv)
		if s.nv += n; shape == "rods" {
			s.faces, first = nil, 0
		}
		s.edges = slices.Clone(s.faces)[:0]
		for i := 0; i < len(s.faces); i += 3 {
			a, b, c := s.faces[i], s.faces[i+1], s.faces[i+2]
			s.edges = append(s.edges, a, b, b, c, c, a)
		}
		for i := first; int(i)+1 < s.nv-n/2; i += 1 + r.Int32N(2) {
			s.edges = append(s.edges, i, i+1)
		}
	case "few faces":
		s.faces = s.faces[:3]
	}
	ignored := make([]bool, s.nv)
	for v := range ignored {
		used := slices.Contains(s.faces, int32(v)) || slices.Contains(s.edges, int32(v))
		ignored[v] = n%2 == 0 && r.IntN(4) == 0 && !used
	}
	m, err := mesh.NewIgnoring(s.nv, s.edges, s.faces, ignored)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%s of %d", shape, n), m
}

// hostileNumbers draws what coordinates along an axis are drawn from: of any magnitude, on
// lattices, denormal, one float apart or less, of either zero, or all the same.
func hostileNumbers(r *rand.Rand) (string, func() float64) {
	u := func() float64 { return 2*r.Float64() - 1 }
	sizes := []float64{1e-320, 1e-310, 1e-300, 1e-160, 1e-40, 1, 0.02, 1e20, 1e40, 1e100, 9e149}
	size, feature := sizes[r.IntN(len(sizes))], math.Ldexp(1, -r.IntN(60))
	offset := []float64{0, 1e8, -1e8, 1e12, 1e-300, 1e100}[r.IntN(6)]
	few, part := 1+r.IntN(7), []float64{1, 3, 7, 10}[r.IntN(4)]
	last := math.Ldexp(1, -52+r.IntN(40))
	all := []struct {
		name string
		draw func() float64
	}{
		{"in a cube", u},
		{"in a small cube", func() float64 { return 0.02 * u() }},
		{fmt.Sprintf("up to %g", size), func() float64 { return size * u() }},
		{fmt.Sprintf("%d of a lattice", few), func() float64 { return float64(r.IntN(few)) / part }},
		{fmt.Sprintf("a lattice of %g", size), func() float64 { return float64(r.IntN(few)) / part * size }},
		{"equal", func() float64 { return offset }},
		{"of any magnitude", func() float64 { return math.Ldexp(u(), r.IntN(994)-498) }},
		{"denormal", func() float64 { return math.Copysign(float64(r.IntN(6))*5e-324, u()) }},
		{"about one", func() float64 { return 1 + float64(last*float64(r.IntN(5)-2)) }},
		{"far away", func() float64 { return offset + float64(feature*u()) }},
		{"signed zeros", func() float64 { return []float64{0, math.Copysign(0, -1), 1, -1}[r.IntN(4)] }},
		{"ties", func() float64 { return 1 + 0x1p-24*float64(r.IntN(7)) + 0x1p-52*float64(r.IntN(3)-1) }},
	}
	x := all[r.IntN(len(all))]
	return x.name, x.draw
}

// hostileStep draws where n vertices begin and end.
func hostileStep(r *rand.Rand, n int) (name string, x0, x1 []float64) {
	var draw [3]func() float64
	name, draw[0] = hostileNumbers(r)
	for k := 1; k < 3; k++ {
		if draw[k] = draw[0]; r.IntN(2) == 0 {
			var other string
			other, draw[k] = hostileNumbers(r)
			name += ", " + other
		}
	}
	x0, x1 = make([]float64, 3*n), make([]float64, 3*n)
	way := r.IntN(4)
	for i := range x0 {
		x0[i] = draw[i%3]()
		x1[i] = x0[i]
		switch {
		case way == 1 || way == 2 && r.IntN(9) == 0:
			x1[i] = draw[i%3]()
		case way == 3:
			x1[i] += 0.1 * draw[i%3]()
		}
	}
	if r.IntN(8) == 0 {
		x0[r.IntN(len(x0))], name = 1e12, name+", one far"
	}
	if r.IntN(8) == 0 {
		x1[r.IntN(len(x1))], name = -9e149, name+", one flies far"
	}
	return fmt.Sprintf("%s, way %d", name, way), x0, x1
}

// hostileFilter gives a mesh groups, excluded pairs or a radius.
func hostileFilter(t testing.TB, r *rand.Rand, m *mesh.Mesh, mo *geom.Trajectories) (name string) {
	var err error
	switch name = []string{"", "", "groups", "one group", "radius", "excluded", "radii", "static"}[r.IntN(8)]; name {
	case "groups", "one group":
		group := make([]int32, m.NV)
		for i := range group {
			if name == "groups" {
				group[i] = r.Int32N(4) - 1
			}
		}
		err = m.SetGroups(group)
	case "radius":
		err = m.SetRadii(slices.Repeat([]float64{math.Ldexp(r.Float64(), -r.IntN(60))}, m.NV))
	case "radii":
		radii := make([]float64, m.NV)
		for v := range radii {
			radii[v] = math.Ldexp(float64(r.IntN(3)), -r.IntN(60))
		}
		err = m.SetRadii(radii)
	case "static":
		static, some := make([]bool, m.NV), 1+r.IntN(12)
		for v := range static {
			static[v] = v/9%some > 0 || r.IntN(9) == 0
		}
		err = m.SetStatic(static)
	case "excluded":
		var c *Candidates
		if c, err = BruteForce(m, mo, Options{}); err != nil {
			return "" // The boxes are too large.
		}
		var pairs [][2]int64
		for i, x := range c.Of(geom.EdgeEdge) {
			if i%2 == 0 {
				pairs = append(pairs, [2]int64{int64(x[0]), int64(x[1])})
			}
		}
		err = m.SetExcluded(geom.EdgeEdge, pairs)
	}
	if err != nil {
		t.Fatal(err)
	}
	return name
}

// hostileCalls draws meshes, and makes three calls on each: the order is made at the first, for its
// positions; later ones have other positions and filters.
func hostileCalls(t *testing.T, trials int, call func(name string, r *rand.Rand, m *mesh.Mesh, mo *geom.Trajectories)) {
	for seed := range long.Part(trials, 20) {
		r := rand.New(rand.NewPCG(uint64(seed), 45))
		shape, m := hostileMesh(t, r)
		for i := range 3 {
			name, x0, x1 := hostileStep(r, m.NV)
			mo := new(geom.Trajectories)
			if err := m.Load(mo, x0, x1); err != nil { // A coordinate is too large.
				continue
			}
			filter := ""
			if i == 1 {
				filter = hostileFilter(t, r, m, mo)
			}
			call(fmt.Sprintf("seed %d, call %d: %s, %s, %s", seed, i, shape, name, filter), r, m, mo)
		}
	}
}

var hostileSeparations = []float64{0, 0, 0, 5e-324, 1e-320, 1e-300, 0x1p-26, 1e-3, 1.0 / 3, 1, 1e20, 9e149}

// Law 3 holds whatever the numbers and the shape of the mesh, and errors are those of brute force.
func TestHierarchyLaw3HostileMeshes(t *testing.T) {
	useHierarchies(t, HierarchyAlways)
	calls, pairs := 0, 0
	hostileCalls(t, 4000, func(name string, r *rand.Rand, m *mesh.Mesh, mo *geom.Trajectories) {
		o := Options{Threads: 1 + 2*r.IntN(2), MinSeparation: hostileSeparations[r.IntN(len(hostileSeparations))]}
		want, err := BruteForce(m, mo, o)
		got, other := Sweep(m, mo, o)
		if fmt.Sprint(err) != fmt.Sprint(other) {
			t.Fatalf("%s: the error is %v, want %v", name, other, err)
		}
		if err != nil {
			return
		}
		if got.Len() != want.Len() {
			t.Errorf("%s: %d pairs, want %d", name, got.Len(), want.Len())
		}
		sameCandidates(t, fmt.Sprintf("%s, separation %v", name, o.MinSeparation), got, want)
		got.Release()
		calls, pairs = calls+1, pairs+want.Len()
	})
	if t.Logf("%d calls, %d pairs", calls, pairs); calls < 300 || pairs < 100000 {
		t.Errorf("%d calls, %d pairs: the test shows too little", calls, pairs)
	}
}

// Law 4 holds whatever the numbers, the shape of the mesh and the time, also where that is tiny.
func TestHierarchyLaw4HostileMeshes(t *testing.T) {
	times := []float64{1, 1, 0.5, 1.0 / 3, 0x1p-30, 0x1p-60, 1e-300, 5e-324, 1 - 0x1p-53}
	found := 0
	hostileCalls(t, 2000, func(name string, r *rand.Rand, m *mesh.Mesh, mo *geom.Trajectories) {
		if len(families(m)) == 0 || m.NV > 100 { // To compare all pairs takes long.
			return
		}
		in := Input{Until: times[r.IntN(len(times))], Still: r.IntN(2) == 0, Radii: m.Filter().Radii()}
		in.Separation = hostileSeparations[r.IntN(len(hostileSeparations)-1)]
		n, _ := sameByHierarchy(t, fmt.Sprintf("%s, %+v", name, in), m, mo, in)
		found += n
	})
	if found < 50000 {
		t.Errorf("%d pairs: the test shows too little", found)
	}
}

// Law 7 holds whatever the numbers and the shape of the mesh: where the step begins, no pair is
// lost that boxes of doubles do not prove apart.
func TestHierarchyLaw7HostileMeshes(t *testing.T) {
	found := 0
	hostileCalls(t, 1500, func(name string, r *rand.Rand, m *mesh.Mesh, mo *geom.Trajectories) {
		if len(families(m)) == 0 || m.NV > 100 { // All pairs take long.
			return
		}
		for v := 0; v < len(mo.Rec); v += 8 {
			copy(mo.Rec[v+4:v+7], mo.Rec[v:])
		}
		in := Input{Until: 1, Still: true, AtRest: true, Radii: m.Filter().Radii()}
		in.Separation = hostileSeparations[r.IntN(len(hostileSeparations)-1)]
		n, _ := sameByHierarchy(t, fmt.Sprintf("%s, %+v", name, in), m, mo, in)
		found += n
	})
	if t.Logf("%d pairs", found); found < 30000 {
		t.Errorf("%d pairs: the test shows too little", found)
	}
}
