package step

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ccd/core/constraint"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/narrow"
	"ccd/core/status"
)

// checkRespond holds a response to its laws: what it returns is proven again, static vertices and
// those without an inverse mass go where they went, and momentum is kept where all move.
func checkRespond(t *testing.T, m *mesh.Mesh, x0, x1 []float64, ro *RespondOptions, o Options) Response {
	t.Helper()
	x := make([]float64, len(x0))
	r, err := Respond(m, x0, x1, x, ro, &o)
	if err != nil {
		t.Fatal(err)
	}
	if r.Rounds > int64(ro.MaxRounds) || r.Alpha < 0 || r.Alpha > 1 {
		t.Fatalf("%+v of %d rounds", r, ro.MaxRounds)
	}
	proof := o
	proof.Method, proof.TMax, proof.MinSeparation = narrow.Exact, 1, ro.Keep*o.MinSeparation
	im, err := Earliest(m, x0, x, &proof)
	if err != nil {
		t.Fatal(err)
	}
	if r.Alpha > 0 && im.Verdict != geom.Separate || r.Alpha == 0 && !sameBits(x, x0) {
		t.Fatalf("a step of %v: %+v", r.Alpha, im)
	}
	if (r.Alpha == 1) != (r.Why.Cause == Unlimited) || r.Why.Alpha != r.Alpha || r.Why.Response != 1 {
		t.Fatalf("a step of %v: %+v", r.Alpha, r.Why)
	}
	if r.Alpha < 1 {
		checkLimit(t, m, x0, x, &r, proof)
	}
	for _, to := range [][]float64{slices.Clone(x0), slices.Clone(x1)} { // x may be x0 or x1
		from, end := x0, to
		if sameBits(to, x0) {
			from, end = to, x1
		}
		if again, err := Respond(m, from, end, to, ro, &o); err != nil || again != r || !sameBits(to, x) {
			t.Fatalf("in place %+v, %v; in an array of its own %+v", again, err, r)
		}
	}
	if r.Alpha != 1 {
		return r
	}
	var moved, sum [3]float64
	fixed := false
	static := m.Filter().Static(geom.Vertex)
	for v := range m.NV {
		mass := 1.0
		if ro.InverseMass != nil {
			mass = ro.InverseMass[v]
		}
		if static != nil && static[v] {
			mass = 0
		}
		for k := range 3 {
			by := x[3*v+k] - x1[3*v+k]
			if mass == 0 && by != 0 {
				t.Fatalf("vertex %d has the inverse mass 0 and moves by %v", v, by)
			}
			fixed = fixed || mass == 0
			if mass > 0 {
				moved[k] += by / mass
				sum[k] += math.Abs(by / mass)
			}
		}
	}
	for k := range 3 {
		if size := float64(r.Rounds) * math.Abs(x1[k]) * 0x1p-40; !fixed && math.Abs(moved[k]) > 1e-9*sum[k]+size {
			t.Fatalf("momentum changes by %v of %v", moved, sum)
		}
	}
	return r
}

// checkLimit holds the pair that limits a response to what it is: where it starts within its
// separation it does so without the response; else it comes as near as its separation when it goes
// on, and not on the way to x.
func checkLimit(t *testing.T, m *mesh.Mesh, x0, x []float64, r *Response, proof Options) {
	t.Helper()
	w := &r.Why
	q := w.Query[:w.Impact.Kind.Len()]
	var im geom.Impact
	own := narrow.DefaultOptions()
	own.MinSeparation = w.Separation
	narrow.NewSolver().Solve(w.Impact.Kind, q, &own, &im)
	if im.Verdict == geom.Separate || im.TOILo != w.Impact.TOILo || w.Alpha > im.TOILo {
		t.Fatalf("a step of %v is limited by a pair that is %v up to %v", w.Alpha, im.Verdict, im.TOILo)
	}
	if w.MinSeparation != proof.MinSeparation {
		t.Fatalf("the separation is %v, want %v", w.MinSeparation, proof.MinSeparation)
	}
	n := 3 * w.Impact.Kind.Points()
	for i, v := range w.Vertices[:w.Impact.Kind.Points()] {
		for k := range 3 {
			from, to, at := q[3*i+k], q[n+3*i+k], x[3*int(v)+k]
			if from != x0[3*int(v)+k] || at != place(from, to, r.Alpha) {
				t.Fatalf("vertex %d goes from %v to %v, and is at %v after %v", v, from, to, at, r.Alpha)
			}
		}
	}
}

func TestRespondLaws(t *testing.T) {
	contacts, whole, all := 0, 0, 0
	causes := map[Cause]int{}
	for seed := range uint64(90) {
		r := rand.New(rand.NewPCG(seed, 5))
		m, x0, x1 := crowd(t, r)
		o := DefaultOptions()
		o.Threads, o.MinSeparation = 1, []float64{1e-3, 0.02, 0.1, 0.4}[r.IntN(4)]
		ro := RespondOptions{Friction: []float64{0, 0.3, 50}[r.IntN(3)], Keep: r.Float64(), MaxRounds: 1 + r.IntN(6)}
		ro.Keep = max(ro.Keep, float64(0.98*float64(r.IntN(2))))
		if r.IntN(2) == 0 {
			ro.InverseMass = make([]float64, m.NV)
			for v := range ro.InverseMass {
				ro.InverseMass[v] = []float64{0, 1, 1e-3 + r.Float64(), 1e6}[r.IntN(4)]
			}
		}
		found := checkRespond(t, m, x0, x1, &ro, o)
		causes[found.Why.Cause]++
		if found.Why.Cause == Meeting && !strings.HasSuffix(found.Why.String(),
			"raise max_rounds, or go on from x with the next step.") {
			t.Errorf("%s", found.Why.String())
		}
		all++
		if found.Contacts > 0 {
			contacts++
		}
		if found.Contacts > 0 && found.Alpha == 1 {
			whole++
		}
	}
	if contacts < all/2 || whole < all/4 {
		t.Errorf("%d of %d have contacts, %d of these go all the way: the test shows little", contacts, all, whole)
	}
	if causes[Meeting] < 5 || causes[WithinSeparation] < 3 {
		t.Errorf("causes %v: the test shows little", causes)
	}
}

// What is said of a response names its own arguments.
func TestRespondSaysWhatLimitsIt(t *testing.T) {
	m, x0, x1 := aVertexOverAFace(t, 0.1, 0.1)
	x := make([]float64, len(x0))
	o := DefaultOptions()
	o.MinSeparation = 0.5
	r, err := Respond(m, x0, x1, x, &RespondOptions{Keep: 0.5, MaxRounds: 1}, &o)
	const words = "Vertex 3 and face 0 (vertices 0, 1, 2) are 0.1 apart at the start, within their separation 0.25 " +
		"(min_separation times keep). Pass a min_separation times keep below 0.1, or start from positions that are " +
		"farther apart. Without this pair no pair limits the step."
	if err != nil || r.Alpha != 0 || r.Why.Cause != WithinSeparation || r.Why.String() != words {
		t.Errorf("%v, %v: %s", r.Alpha, err, r.Why.String())
	}
}

// crowd makes triangles in cells of their own that move, mostly into other cells.
func crowd(t testing.TB, r *rand.Rand) (m *mesh.Mesh, x0, x1 []float64) {
	t.Helper()
	var faces []int32
	side := 2 + r.IntN(2)
	for i := range side * side * side {
		way := [3]float64{r.NormFloat64() / 2, r.NormFloat64() / 2, r.NormFloat64() / 2}
		for k := range 3 {
			at := [3]int{i % side, i / side % side, i / side / side}
			faces = append(faces, int32(3*i+k))
			for c := range 3 {
				x := float64(at[c]) + 0.15 + 0.7*r.Float64()
				x0, x1 = append(x0, x), append(x1, x+way[c]+0.1*r.NormFloat64())
			}
		}
	}
	m, err := mesh.New(len(faces), nil, faces)
	if err != nil {
		t.Fatal(err)
	}
	if r.IntN(2) == 0 {
		radii := make([]float64, m.NV)
		for v := range radii {
			radii[v] = 0.1 * r.Float64()
		}
		err = m.SetRadii(radii)
	}
	if err == nil && r.IntN(3) == 0 {
		static := make([]bool, m.NV)
		for v := range static {
			static[v] = v%9 < 3
		}
		err = m.SetStatic(static)
	}
	if err != nil {
		t.Fatal(err)
	}
	return m, x0, x1
}

func FuzzRespond(f *testing.F) {
	f.Add(uint64(1), 0.0, 0.25, 4)
	f.Add(uint64(9), 0.5, 0.0, 100)
	f.Fuzz(func(t *testing.T, seed uint64, friction, keep float64, rounds int) {
		m, x0, x1, _, o := fuzzedWorlds(t, seed)
		o.Flags, o.CheckStart, o.MinSeparation, o.Method = 0, false, max(o.MinSeparation, 1e-3), narrow.Exact
		ro := RespondOptions{Friction: friction, Keep: keep, MaxRounds: 1 + max(rounds, -rounds, 0)%20}
		if ro.check(m, &o) != nil {
			ro.Friction, ro.Keep = 0, 0.25
		}
		checkRespond(t, m, x0[:3*m.NV], x1[:3*m.NV], &ro, o)
	})
}

// A face hinged at two fixed vertices falls with its third onto a fixed point near the hinge: what
// the point asks for would throw the third vertex a hundred edges away.
func TestRespondIsBoundedWhereWeightsAreSmall(t *testing.T) {
	m, err := mesh.New(4, nil, []int32{0, 1, 2})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.SetStatic([]bool{true, true, false, true}); err != nil {
		t.Fatal(err)
	}
	x0 := []float64{0, 0, 0, 1, 0, 0, 0.5, 1, 0, 0.5, 0.001, -0.02}
	x1 := slices.Clone(x0)
	x1[8] = -1
	x := make([]float64, 12)
	o := DefaultOptions()
	o.MinSeparation = 0.05
	r, err := Respond(m, x0, x1, x, nil, &o)
	if err != nil || r.Contacts != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	set, err := ActiveSet(m, x0, x1, &o)
	if err != nil {
		t.Fatal(err)
	}
	y := slices.Clone(x1)
	if err := constraint.Push(set, x0, y, []float64{0, 0, 1, 0}, 0); err != nil {
		t.Fatal(err)
	}
	far := math.Hypot(math.Hypot(y[6]-x1[6], y[7]-x1[7]), y[8]-x1[8])
	if missing := -set[0].Gap; !(missing > 0.01 && far > 15*missing && far < 16.001*missing) {
		t.Errorf("%v is missing, and a vertex moves by %v", missing, far)
	}
}

func TestRespondErrors(t *testing.T) {
	s := sheets(t, 4, 0.01)
	short, negative, nan := []float64{1}, make([]float64, s.m.NV), make([]float64, s.m.NV)
	negative[3], nan[2] = -1, math.NaN()
	wrong := slices.Clone(s.x1)
	wrong[5] = math.Inf(1)
	good := DefaultRespondOptions()
	with := func(change func(*RespondOptions)) *RespondOptions {
		ro := good
		change(&ro)
		return &ro
	}
	for _, c := range []struct {
		x1         []float64
		ro         *RespondOptions
		separation float64
		kind       error
		text       string
	}{
		{s.x1, with(func(ro *RespondOptions) { ro.InverseMass = short }), 1, status.ErrArgument,
			"inverse_mass has 1 numbers: the mesh has"},
		{s.x1, with(func(ro *RespondOptions) { ro.InverseMass = negative }), 1, status.ErrArgument,
			"inverse_mass[3] is -1"},
		{s.x1, with(func(ro *RespondOptions) { ro.InverseMass = nan }), 1, status.ErrNonFinite,
			"inverse_mass[2] is NaN"},
		{s.x1, with(func(ro *RespondOptions) { ro.Friction = -1 }), 1, status.ErrArgument,
			"friction is -1: must be in [0, 1e6]"},
		{s.x1, with(func(ro *RespondOptions) { ro.Friction = math.NaN() }), 1, status.ErrArgument, "friction is NaN"},
		{s.x1, with(func(ro *RespondOptions) { ro.Keep = 1 }), 1, status.ErrArgument, "keep is 1: must be in [0, 1)"},
		{s.x1, with(func(ro *RespondOptions) { ro.MaxRounds = 0 }), 1, status.ErrArgument, "max_rounds is 0"},
		{s.x1, with(func(ro *RespondOptions) { ro.MaxRounds = 1001 }), 1, status.ErrArgument, "max_rounds is 1001"},
		{s.x1, nil, 0, status.ErrArgument, "options.min_separation is 0: must be positive"},
		{wrong, nil, 0.1, status.ErrNonFinite, "x1[1][2]"},
	} {
		o := DefaultOptions()
		o.MinSeparation = c.separation
		x := make([]float64, len(s.x0))
		r, err := Respond(s.m, s.x0, c.x1, x, c.ro, &o)
		if !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.text) {
			t.Errorf("error %v, want %q", err, c.text)
		}
		if r != (Response{}) || !sameBits(x, s.x0) {
			t.Errorf("%v: %+v, and x is not x0", err, r)
		}
	}
}

// Statistics add up all searches; progress ascends to 1, and cancels.
func TestRespondCounts(t *testing.T) {
	s := sheets(t, 8, 0.01)
	var stats engine.Stats
	var seen []float64
	o := DefaultOptions()
	o.MinSeparation, o.Stats = 0.02, &stats
	o.Progress = func(f float64) bool {
		seen = append(seen, f)
		return false
	}
	x := make([]float64, len(s.x0))
	r, err := Respond(s.m, s.x0, s.x1, x, nil, &o)
	if err != nil || r.Contacts == 0 || r.Rounds == 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	if boxes := int64(s.m.NV + len(s.m.Edges) + len(s.m.Faces)); stats.Boxes < 2*boxes {
		t.Errorf("%d boxes of %d primitives", stats.Boxes, boxes)
	}
	if !slices.IsSorted(seen) || len(seen) == 0 || seen[len(seen)-1] != 1 {
		t.Errorf("progress is %v", seen)
	}
	for _, at := range []float64{0, 0.6, 1} {
		o.Progress = func(f float64) bool { return f >= at }
		from := slices.Clone(s.x0)
		for _, x := range [][]float64{x, from} { // also where x is x0
			_, err := Respond(s.m, from, s.x1, x, nil, &o)
			if !errors.Is(err, status.ErrCancelled) || !sameBits(x, s.x0) {
				t.Errorf("cancelled at %v: %v", at, err)
			}
		}
	}
}
