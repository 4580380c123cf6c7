package broad

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ccd/core/exact"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/num"
)

// endsAt are the two frames of a motion over [0, t], each standing still.
func endsAt(mo *geom.Trajectories, t float64) [2]*geom.Trajectories {
	return ends(restartedAt(mo, t))
}

// restartedAt is the motion over [0, t], rounded as positions at t are.
func restartedAt(mo *geom.Trajectories, t float64) *geom.Trajectories {
	out := &geom.Trajectories{N: mo.N, Rec: slices.Clone(mo.Rec)}
	if t < 1 {
		for v := 0; v < len(out.Rec); v += 8 {
			for k := v; k < v+3; k++ {
				x0, x1 := mo.Rec[k], mo.Rec[k+4]
				out.Rec[k+4] = x0 + float64(t*(x1-x0))
			}
		}
	}
	return out
}

// sameByHierarchy is samePairs for a plan by the hierarchy, and for Worlds.
func sameByHierarchy(t *testing.T, name string, m *mesh.Mesh, mo *geom.Trajectories, in Input) (found, more int) {
	t.Helper()
	defer func(before Hierarchies) { UseHierarchy = before }(UseHierarchy)
	UseHierarchy = HierarchyAlways
	how := PlanOptions{Input: in, Tactic: Tactic{Hierarchy: true, Orient: AlongAxes}}
	if ok, err := HasHierarchy(m, mo, 1); err != nil || !ok {
		t.Fatalf("%s: no hierarchy, %v", name, err)
	}
	var p Plan
	if err := p.Build(m, mo, how); err != nil {
		t.Fatal(err)
	}
	if !p.Grouped() && len(p.Tasks()) > 0 {
		t.Fatalf("%s: the grid finds the pairs", name)
	}
	if in.Bands == nil && !in.AtRest {
		samePairs(t, name+", worlds", m, mo, in, worldsPairs(t, name, m, mo, in))
	}
	return samePairs(t, name, m, mo, in, plannedPairs(t, &p))
}

// worldsPairs returns the pairs that Worlds find.
func worldsPairs(t *testing.T, name string, m *mesh.Mesh, mo *geom.Trajectories, in Input) *Candidates {
	t.Helper()
	var w Worlds
	c := new(Candidates)
	if !w.Use(m, in) || !w.Each(mo, func(k geom.Kind, pairs [][2]int32) {
		if len(pairs) == 0 || len(pairs) > BlockLen {
			t.Fatalf("%s: a block of %d pairs", name, len(pairs))
		}
		for _, x := range pairs {
			c.add(k, x[0], x[1])
		}
	}) {
		t.Fatalf("%s: worlds do not serve", name)
	}
	c.sort()
	return c
}

// samePairs fails unless each pair is there once that kinetic boxes do not prove apart (law 4),
// shares no vertex and is allowed. It returns the number of pairs, and how many of them the boxes
// prove apart.
func samePairs(t *testing.T, name string, m *mesh.Mesh, mo *geom.Trajectories, in Input, planned *Candidates) (
	found, more int) {
	t.Helper()
	lo, hi, radii := endsAt(mo, in.Until), endsAt(mo, in.Until), in.Radii
	if b := in.Bands; b != nil {
		lo, hi, radii = endsAt(b.Lo, in.Until), endsAt(b.Hi, in.Until), b.Radii
	}
	filter := m.Filter()
	var memory [4]family
	for _, f := range appendFamilies(memory[:], m) {
		has, fb := planned.Of(f.kind), &f.b
		for i := 1; i < len(has); i++ {
			if has[i] == has[i-1] {
				t.Fatalf("%s: %v pair %v twice", name, f.kind, has[i])
			}
		}
		if f.self {
			fb = &f.a
		}
		n := 0
		for i := range f.a.n {
			for j := range fb.n {
				x := [2]int32{f.a.id(i), fb.id(j)}
				if f.self && j <= i || !filter.Allows(f.kind, x[0], x[1]) {
					continue
				}
				_, is := slices.BinarySearchFunc(has, x, func(x, y [2]int32) int { return slices.Compare(x[:], y[:]) })
				s := f.kind.Info().Shapes
				ra := Inflation(in.Separation, radii, radii.Of(s[0], x[0]))
				rb := Inflation(in.Separation, radii, radii.Of(s[1], x[1]))
				apart := apartBetween(m, lo, hi, f.kind, x[0], x[1], ra, rb)
				if is {
					n++
				}
				if is && apart {
					more++
				} else if !is && !apart {
					t.Fatalf("%s: %v pair %v is lost", name, f.kind, x)
				}
			}
		}
		if n != len(has) {
			t.Fatalf("%s: %d %v pairs, of which %d are of the family and allowed", name, len(has), f.kind, n)
		}
		found += n
	}
	return found, more
}

// Law 4: a plan by the hierarchy loses no pair that boxes at both ends do not prove apart, whatever
// the time, separation, radius and frame, and has few others.
func TestHierarchyLaw4PlansLoseNoPair(t *testing.T) {
	found, more := 0, 0
	for i, s := range hierarchyScenes() {
		m, mo := s.load(t)
		if len(families(m)) == 0 || len(m.Faces) > 500 {
			continue
		}
		for j, until := range []float64{1, 0.3, 0x1p-40} {
			in := Input{Until: until, Still: (i+j)%2 == 0, Separation: []float64{0, 0.5, 1e-320, 1e140}[(i+j)%4]}
			if in.Radii = m.Filter().Radii(); in.Separation == 1e140 && len(m.Faces) > 30 { // All pairs take long.
				in.Separation = 1e-3
			}
			n, extra := sameByHierarchy(t, fmt.Sprintf("%s, until %v", s.name, until), m, mo, in)
			if s.name == "random" {
				more += extra
			}
			found += n
		}
	}
	if t.Logf("%d pairs, %d of random triangles apart", found, more); found < 10000 || more > 5 {
		t.Errorf("%d pairs, %d of random triangles apart", found, more)
	}
}

// bandsAround are bands around segments, of a width of its own for each vertex, and the radii that
// hold them. Their own radii are the mesh's, or these and others by vertex.
func bandsAround(r *rand.Rand, m *mesh.Mesh, mo *geom.Trajectories, size float64, thick bool) (*Bands, *mesh.Radii) {
	b := &Bands{Lo: new(geom.Trajectories), Hi: new(geom.Trajectories), Radii: m.Filter().Radii()}
	b.Lo.Reserve(mo.N)
	b.Hi.Reserve(mo.N)
	off, more := make([]float64, mo.N), make([]float64, mo.N)
	for v := range mo.N {
		for k := range 8 {
			x, d := mo.Rec[8*v+k], 0.0
			if k%4 < 3 && r.IntN(3) > 0 {
				d = float64(size * r.Float64())
			}
			b.Lo.Rec[8*v+k], b.Hi.Rec[8*v+k] = num.AddDown(x, -d), num.AddUp(x, d)
			off[v] = max(off[v], num.AddUp(d, 0x1p-50*(math.Abs(x)+d)))
		}
		if thick {
			more[v] = float64(size * float64(r.IntN(3)))
		}
	}
	b.Radii = b.Radii.Widened(m, more)
	return b, m.Filter().Radii().Widened(m, off, more)
}

// Law 4 with bands around the segments, of different widths, and radii that differ.
func TestHierarchyLaw4BandsLoseNoPair(t *testing.T) {
	r := rand.New(rand.NewPCG(45, 47))
	found, apart := 0, 0
	for i, s := range hierarchyScenes() {
		m, mo := s.load(t)
		if len(families(m)) == 0 || len(m.Faces) > 500 {
			continue
		}
		for j, until := range []float64{1, 0.3} {
			size := []float64{1e-3, 0.3, 1e-300}[(i+j)%3] * min(mo.Largest(), 1e100)
			in := Input{Until: until, Still: j == 0, Separation: []float64{0, 0.01, 1e-320}[i%3]}
			in.Bands, in.Radii = bandsAround(r, m, mo, size, i%2 == 0)
			n, more := sameByHierarchy(t, fmt.Sprintf("%s, until %v, bands of %v", s.name, until, size), m, mo, in)
			found, apart = found+n, apart+more
		}
	}
	if t.Logf("%d pairs, %d of them apart", found, apart); found < 10000 || apart > found/10 {
		t.Errorf("%d pairs, %d of them apart", found, apart)
	}
}

// sieveAlways has plans sieve where boxes grow as well.
func sieveAlways(t *testing.T) {
	t.Helper()
	before := SieveVolume
	SieveVolume = 0
	t.Cleanup(func() { SieveVolume = before })
}

// A plan sieves up to a time in which boxes hardly grow, and not up to one in which they do.
func TestHierarchySievesShortTimes(t *testing.T) {
	useHierarchies(t, HierarchyAlways)
	var s scene
	for i := range int32(400) {
		x, y := float64(i%20), float64(i/20)
		z := 0.3 * float64(i*7%5)
		s.nv, s.x0, s.x1 = s.nv+1, append(s.x0, x, y, z), append(s.x1, x+3, y+2, z+float64(i*3%7))
		if i%20 < 19 && i < 380 {
			s.faces = append(s.faces, i, i+1, i+20, i+1, i+21, i+20)
		}
	}
	m, mo := s.load(t)
	if ok, err := HasHierarchy(m, mo, 1); err != nil || !ok {
		t.Fatal(ok, err)
	}
	for until, sieves := range map[float64]bool{1e-3: true, 1: false} {
		how := PlanOptions{Input: Input{Until: until}, Tactic: Tactic{Hierarchy: true, Orient: AlongAxes}}
		var all, some Plan
		err := all.Build(m, mo, how)
		how.Tactic.Sieve = true
		if err = cmp.Or(err, some.Build(m, mo, how)); err != nil {
			t.Fatal(err)
		}
		n, left := plannedPairs(t, &all).Len(), sievedPairs(&some, until).Len()
		if sieves && left > 3*n/4 || !sieves && left != n {
			t.Errorf("up to %v %d pairs of %d are left; want a sieve: %v", until, left, n, sieves)
		}
	}
}

// Law 5: a plan that sieves has each pair that comes into contact until its time, or until the
// earlier one that its sweep is given, and leaves out most others.
func TestHierarchyLaw5SieveLosesNoContact(t *testing.T) {
	useHierarchies(t, HierarchyAlways)
	sieveAlways(t)
	lost, contacts := 0, 0
	for i, s := range hierarchyScenes() {
		m, mo := s.load(t)
		if len(families(m)) == 0 || len(m.Faces) > 500 || len(mo.Rec) == 0 {
			continue
		}
		if ok, err := HasHierarchy(m, mo, 1); err != nil || !ok {
			continue
		}
		until := []float64{0.3, 0x1p-10, 0x1p-40}[i%3]
		how := PlanOptions{Input: Input{Until: until}, Tactic: Tactic{Hierarchy: true, Orient: AlongAxes}}
		var all, some Plan
		err := all.Build(m, mo, how)
		how.Tactic.Sieve = true
		if err = cmp.Or(err, some.Build(m, mo, how)); err != nil {
			t.Fatal(err)
		}
		planned := plannedPairs(t, &all)
		for _, end := range []float64{until, until / 4} {
			l, c := sieveLoses(t, s.name, m, mo, planned, sievedPairs(&some, end), end)
			lost, contacts = lost+l, contacts+c
		}
	}
	if t.Logf("%d pairs left out, %d contacts kept", lost, contacts); lost < 1000 || contacts < 100 {
		t.Errorf("%d pairs left out, %d contacts kept: the test shows too little", lost, contacts)
	}
}

// Law 5 on paths: no pair is left out of which segments between the bands come into contact.
func TestHierarchyLaw5SieveHoldsBands(t *testing.T) {
	useHierarchies(t, HierarchyAlways)
	sieveAlways(t)
	r := rand.New(rand.NewPCG(45, 49))
	lost, contacts := 0, 0
	for i, s := range hierarchyScenes() {
		m, mo := s.load(t)
		if len(families(m)) == 0 || len(m.Faces) > 200 || m.Filter().Radii() != nil {
			continue
		}
		if ok, err := HasHierarchy(m, mo, 1); err != nil || !ok {
			continue
		}
		size := []float64{1e-3, 0.05, 0.3}[i%3] * min(mo.Largest(), 1e100)
		how := PlanOptions{Input: Input{Until: 0.25}, Tactic: Tactic{Hierarchy: true, Orient: AlongAxes}}
		how.Input.Bands, how.Input.Radii = bandsAround(r, m, mo, size, false)
		var all, some Plan
		err := all.Build(m, mo, how)
		how.Tactic.Sieve = true
		if err = cmp.Or(err, some.Build(m, mo, how)); err != nil {
			t.Fatal(err)
		}
		planned, sieved := plannedPairs(t, &all), sievedPairs(&some, 0.25)
		for range 3 {
			path, b := &geom.Trajectories{N: mo.N, Rec: slices.Clone(mo.Rec)}, how.Input.Bands
			for i := range path.Rec {
				path.Rec[i] = []float64{b.Lo.Rec[i], b.Hi.Rec[i]}[r.IntN(2)]
			}
			l, c := sieveLoses(t, s.name, m, path, planned, sieved, 0.25)
			lost, contacts = lost+l, contacts+c
		}
	}
	if t.Logf("%d pairs left out, %d contacts kept", lost, contacts); lost < 1000 || contacts < 100 {
		t.Errorf("%d pairs left out, %d contacts kept: the test shows too little", lost, contacts)
	}
}

// Law 5, the separation: of two equal triangles over each other, nearer than the separation, no
// pair is left out.
func TestHierarchyLaw5SieveKeepsTheSeparation(t *testing.T) {
	useHierarchies(t, HierarchyAlways)
	sieveAlways(t)
	for apart, separation := range map[float64]float64{0.9: 1, 1.01: 1.02} {
		s := scene{nv: 6, faces: []int32{0, 1, 2, 3, 4, 5}}
		for v := range 6 {
			x := [3]float64{float64(v % 3 & 1), float64(v % 3 / 2), apart * float64(v/3)}
			s.x0, s.x1 = append(s.x0, x[:]...), append(s.x1, x[0], x[1], x[2]+1e-3*float64(v/3))
		}
		m, mo := s.load(t)
		how := PlanOptions{
			Input:  Input{Until: 0.5, Separation: separation, Radii: m.Filter().Radii()},
			Tactic: Tactic{Hierarchy: true, Orient: AlongAxes, Sieve: true},
		}
		if ok, err := HasHierarchy(m, mo, 1); err != nil || !ok {
			t.Fatal(ok, err)
		}
		var p Plan
		if err := p.Build(m, mo, how); err != nil {
			t.Fatal(err)
		}
		if n := sievedPairs(&p, 0.5).Len(); n != 15 { // Six of vertices and faces, nine of edges.
			t.Errorf("%v apart, separation %v: %d pairs, want 15", apart, separation, n)
		}
	}
}

// sievedPairs are the pairs of a plan that its sweep until some time emits.
func sievedPairs(p *Plan, until float64) *Candidates {
	c, w := new(Candidates), NewWorker()
	for i := range p.Tasks() {
		w.SweepUntil(p, &p.Tasks()[i], until, func(k geom.Kind, pairs [][2]int32) bool {
			for _, x := range pairs {
				c.add(k, x[0], x[1])
			}
			return true
		})
	}
	c.sort()
	return c
}

// sieveLoses fails where one of the pairs of a plan that a sieve leaves out is a contact until some
// time. It returns how many are left out, and how many contacts are kept.
func sieveLoses(
	t *testing.T, name string, m *mesh.Mesh, mo *geom.Trajectories, all, some *Candidates, until float64,
) (lost, contacts int) {
	t.Helper()
	var resolver exact.Resolver
	for _, k := range []geom.Kind{geom.VertexFace, geom.EdgeEdge, geom.PointEdge, geom.PointPoint} {
		kept := some.Of(k)
		for i, at := range m.Gather(k, all.Of(k), nil) {
			x := all.Of(k)[i]
			_, is := slices.BinarySearchFunc(kept, x, func(x, y [2]int32) int { return slices.Compare(x[:], y[:]) })
			if is && i%100 != 0 { // Enough to tell that there are contacts.
				continue
			}
			var q [24]float64
			var im geom.Impact
			mo.Query(k, &at, &q)
			resolver.Resolve(k, q[:k.Len()], until, &im)
			switch {
			case im.Verdict == geom.Contact && !is:
				t.Fatalf("%s: %v pair %v is lost, in contact at %v of %v", name, k, x, im.TOILo, until)
			case !is:
				lost++
			case im.Verdict == geom.Contact:
				contacts++
			}
		}
	}
	return lost, contacts
}

// The grid finds the pairs of plans that the hierarchy does not fit.
func TestHierarchyLeavesPlansToTheGrid(t *testing.T) {
	useHierarchies(t, HierarchyAlways)
	s := roughSheet(12)
	m, mo := s.load(t)
	radii := m.Filter().Radii()
	if ok, err := HasHierarchy(m, mo, 1); err != nil || !ok {
		t.Fatal(ok, err)
	}
	changed := make([]bool, m.NV)
	changed[5] = true
	for name, change := range map[string]func(how *PlanOptions){
		"":                func(*PlanOptions) {},
		"the grid wanted": func(how *PlanOptions) { how.Tactic.Hierarchy = false },
		"a limit":         func(how *PlanOptions) { how.Work.Limit = 1 << 30 },
		"a region":        func(how *PlanOptions) { how.Keep.Region = &Region{Hi: [3]float64{9, 9, 9}} },
		"changed":         func(how *PlanOptions) { how.Keep.Changed = changed },
		"intersections":   func(how *PlanOptions) { how.Input.Intersections, how.Input.Until = true, 0 },
	} {
		how := PlanOptions{Input: Input{Radii: radii, Until: 1}, Tactic: Tactic{Hierarchy: true, Orient: AlongAxes}}
		change(&how)
		var p Plan
		if err := p.Build(m, mo, how); err != nil {
			t.Fatal(err)
		}
		if p.Grouped() != (name == "") {
			t.Errorf("%s: by the hierarchy: %v", name, p.Grouped())
		}
	}
}
