package step

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ccd/core/broad"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/motion"
	"ccd/core/narrow"
	"ccd/core/reference/oracle"
	"ccd/core/status"
	"ccd/core/step/curved"
)

// motionScene is a mesh whose vertices move as a motion says.
type motionScene struct {
	name string
	m    *mesh.Mesh
	mo   *motion.Motion
}

func must[T any](t testing.TB) func(x T, err error) T {
	return func(x T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
}

// bent is the scene with control points off the segments by up to bend, in so many pieces of equal
// length.
func bent(t testing.TB, r *rand.Rand, s *scene, degree, pieces int, bend float64) motionScene {
	t.Helper()
	n, count := s.m.NV, pieces*degree
	// A path of segments, whose corners at multiples of the degree two pieces share.
	points := make([][]float64, count+1)
	for l := range points {
		points[l] = make([]float64, 3*n)
		for i := range points[l] {
			f := float64(l) / float64(count)
			x := s.x0[i] + f*(s.x1[i]-s.x0[i])
			if l > 0 && l < count {
				x += bend * s.size() * (2*r.Float64() - 1)
				if strings.HasPrefix(s.name, "integers") {
					x = math.Round(x)
				}
			}
			points[l][i] = x
		}
	}
	var control, times []float64
	for j := range pieces {
		for l := range degree + 1 {
			control = append(control, points[j*degree+l]...)
		}
		times = append(times, float64(j)/float64(pieces))
	}
	mo := must[*motion.Motion](t)(motion.New(n, degree, append(times, 1), control, nil))
	return motionScene{fmt.Sprintf("%s, degree %d, %d pieces, bend %v", s.name, degree, pieces, bend), s.m, mo}
}

// everyPair solves every allowed pair of the families by itself, without boxes: the reference
// implementation of Collisions on paths.
func everyPair(t testing.TB, s *motionScene, o *Options,
	visit func(k geom.Kind, idx []int32, o *narrow.Options, im *geom.Impact)) (out []geom.Impact) {
	t.Helper()
	solver, filter := narrow.NewSolver(), s.m.Filter()
	for _, k := range geom.StepKinds {
		shapes := k.Info().Shapes
		for a := range s.m.Count(shapes[0]) {
			for b := range s.m.Count(shapes[1]) {
				if k.Info().Symmetric() && b <= a || !inFamily(s.m, k, int32(a), int32(b)) ||
					!filter.Allows(k, int32(a), int32(b)) {
					continue
				}
				idx := s.m.Indices(k, int32(a), int32(b))
				one := o.Options
				one.MinSeparation = filter.Radii().Query(k, &idx, o.MinSeparation)
				var im geom.Impact
				solver.SolveMotion(s.mo, k, idx[:k.Points()], &one, &im)
				im.A, im.B = int64(a), int64(b)
				if visit != nil {
					visit(k, idx[:k.Points()], &one, &im)
				}
				if im.Verdict != geom.Separate {
					out = append(out, im)
				}
			}
		}
	}
	slices.SortFunc(out, func(x, y geom.Impact) int {
		if x.Before(&y) {
			return -1
		}
		return 1
	})
	return out
}

// motionScenes are scenes of every degree, in one piece and in several, with and without radii, and
// of bodies that turn. They are small: contacts are decided in integers, several times each.
func motionScenes(t testing.TB, r *rand.Rand) (out []motionScene) {
	uniform := func(scale float64) func() float64 { return func() float64 { return scale * (2*r.Float64() - 1) } }
	for i, s := range []scene{
		soup(t, "fast", 5, uniform(1), 1),
		soup(t, "slow", 6, uniform(1), 0.05),
		soup(t, "integers", 4, func() float64 { return float64(r.IntN(4)) }, 1),
		soup(t, "tiny", 3, uniform(1e-300), 1),
		soup(t, "huge", 3, uniform(1e140), 1),
		soup(t, "one face", 1, uniform(1), 1),
	} {
		for degree := 1; degree <= motion.MaxDegree; degree++ {
			for _, pieces := range []int{1, 3} {
				if degree > 3 && (i > 0 || pieces > 1) || testing.Short() && (i+degree+pieces)%3 > 0 {
					continue
				}
				out = append(out, bent(t, r, &s, degree, pieces, []float64{0.1, 1, 0}[(degree+pieces+i)%3]))
			}
		}
	}
	s := soup(t, "turning", 5, func() float64 { return 2*r.Float64() - 1 }, 0)
	return append(out, turning(t, r, &s, 0), turning(t, r, &s, 5), tubes(t, r, &s))
}

// turning has bones that turn, and vertices on one or two of them.
func turning(t testing.TB, r *rand.Rand, s *scene, pieces int) motionScene {
	t.Helper()
	var bones []motion.Bone
	for range 4 {
		b := motion.Bone{Rotation: [4]float64{1}}
		for k := range 3 {
			b.AngularVelocity[k], b.Velocity[k] = 2*r.Float64()-1, 0.3*(2*r.Float64()-1)
		}
		bones = append(bones, b)
	}
	weights := make([]float64, len(bones)*s.m.NV)
	for i := range s.m.NV {
		weights[len(bones)*i+i/3%len(bones)] = 1
		if i%5 == 0 {
			weights[len(bones)*i+r.IntN(len(bones))] += 0.5
		}
	}
	return motionScene{fmt.Sprintf("turning in %d pieces", pieces), s.m,
		must[*motion.Motion](t)(motion.Skinned(s.m.NV, s.x0, bones, weights, 0, pieces))}
}

// tubes are segments with a radius of their own for each vertex.
func tubes(t testing.TB, r *rand.Rand, s *scene) motionScene {
	t.Helper()
	control := append(append([]float64(nil), s.x0...), s.x0...)
	for i := len(s.x0); i < len(control); i++ {
		control[i] += 0.5 * (2*r.Float64() - 1)
	}
	radius := make([]float64, s.m.NV)
	for i := range radius {
		radius[i] = []float64{0, 0.01, 0.1}[r.IntN(3)]
	}
	return motionScene{"tubes", s.m, must[*motion.Motion](t)(motion.New(s.m.NV, 1, nil, control, radius))}
}

// motionSettings are the options that steps of motions run through.
func motionSettings() map[string]Options {
	out := settings()
	for name, o := range out {
		if o.Method != narrow.Default {
			delete(out, name)
		}
	}
	o := DefaultOptions()
	o.MaxIterations = 3
	out["small budget"] = o
	o = DefaultOptions()
	o.MinSeparation, o.TMax = 0.1, 0.3
	out["large separation"] = o
	return out
}

// Whole steps of motions have the bits of single pairs, of all of them and without a broad phase:
// lists, the earliest impact, sizes, with brute force, slabs, a memory limit, and any number of
// threads.
func TestMotionStepsHaveTheBitsOfAllPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 18))
	contacts, turn := 0, 0
	for _, s := range motionScenes(t, r) {
		for name, o := range motionSettings() {
			if turn++; turn%2 > 0 || testing.Short() && turn%4 > 0 {
				continue
			}
			plain := scene{name: s.name[:strings.IndexByte(s.name+",", ',')], m: s.m}
			o.MinSeparation *= plain.size()
			o.Tolerance *= plain.size()
			switch turn / 4 % 3 {
			case 0:
				thickness(t, r, &plain, r.IntN(3))
			case 1:
				groupSome(t, r, s.m)
			}
			want := everyPair(t, &s, &o, nil)
			contacts += len(want)
			label := fmt.Sprintf("%s, %s, turn %d", s.name, name, turn)
			for _, threads := range []int{1, 2} {
				o.Threads = threads
				sameMotion(t, label, &s, &o, want)
			}
			brute, limited := o, o
			brute.Flags |= narrow.BruteForce
			limited.MemoryLimit = 1
			sameMotion(t, label+", brute force", &s, &brute, want)
			if got, err := Curved(s.m, s.mo).Earliest(&limited); err != nil || !sameEarliest(got, want) {
				t.Fatalf("%s, memory limit: %+v %v", label, got, err)
			}
			part := o
			var parts []geom.Impact
			for _, at := range []*Region{alongAxis(0, math.Inf(-1), 0), alongAxis(0, 0, math.Inf(1))} {
				part.Region = at
				parts = append(parts, must[[]geom.Impact](t)(Curved(s.m, s.mo).Collisions(&part))...)
			}
			if len(parts) != len(want) {
				t.Fatalf("%s: %d impacts of two regions, %d of the step", label, len(parts), len(want))
			}
			resetFilter(t, s.m)
		}
	}
	if contacts < 400 {
		t.Errorf("only %d contacts", contacts)
	}
}

// groupSome sets groups, static vertices and excluded pairs.
func groupSome(t testing.TB, r *rand.Rand, m *mesh.Mesh) {
	t.Helper()
	group, static := make([]int32, m.NV), make([]bool, m.NV)
	for i := range group {
		group[i], static[i] = int32(r.IntN(4)-1), r.IntN(3) == 0
	}
	if err := m.SetGroups(group); err != nil {
		t.Fatal(err)
	}
	if err := m.SetStatic(static); err != nil {
		t.Fatal(err)
	}
}

func resetFilter(t testing.TB, m *mesh.Mesh) {
	t.Helper()
	for _, err := range []error{m.SetGroups(nil), m.SetStatic(nil), m.SetRadii(nil)} {
		if err != nil {
			t.Fatal(err)
		}
	}
}

func sameEarliest(got geom.Impact, want []geom.Impact) bool {
	if len(want) == 0 {
		return got.Verdict == geom.Separate
	}
	return got == want[0]
}

// sameMotion compares every call with the impacts of all pairs.
func sameMotion(t *testing.T, label string, s *motionScene, o *Options, want []geom.Impact) {
	t.Helper()
	seen := curved.Tuning.SeenBefore
	curved.Tuning.SeenBefore = 0
	defer func() { curved.Tuning.SeenBefore = seen }()
	sameImpacts(t, label, must[[]geom.Impact](t)(Curved(s.m, s.mo).Collisions(o)), want)
	many := func() []geom.Impact { return must[[]geom.Impact](t)(Curved(s.m, s.mo).Collisions(o)) }
	sameImpacts(t, label+", many sections", inSections(many), want)
	earliest := func() geom.Impact { return must[geom.Impact](t)(Curved(s.m, s.mo).Earliest(o)) }
	for i, first := range []geom.Impact{earliest(), inSections(earliest)} {
		if !sameEarliest(first, want) {
			t.Fatalf("%s: the earliest is %+v (in %d), of all pairs %+v", label, first, i, want[:min(1, len(want))])
		}
	}
	sameFirstImpacts(t, label, Curved(s.m, s.mo), o, want)
	inSections(func() bool { sameFirstImpacts(t, label+", many sections", Curved(s.m, s.mo), o, want); return true })
	size, safe := must[float64](t)(Curved(s.m, s.mo).Size(o)), o.TMax
	if len(want) > 0 {
		safe = math.Max(0, math.Nextafter(want[0].TOILo, -1))
	}
	if size != safe {
		t.Fatalf("%s: size %v, not %v", label, size, safe)
	}
}

// sameImpacts compares two lists.
func sameImpacts(t *testing.T, label string, got, want []geom.Impact) {
	t.Helper()
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			t.Fatalf("%s: %d impacts, all pairs have %d; the first difference is at %d:\n%+v\n%+v",
				label, len(got), len(want), i, got[min(i, len(got)):min(i+1, len(got))],
				want[min(i, len(want)):min(i+1, len(want))])
		}
	}
}

// inSections calls f with as many sections as there may be.
func inSections[T any](f func() T) T { return withMargin(0, f) }

// withMargin calls f with another margin of sections.
func withMargin[T any](margin float64, f func() T) T {
	before := curved.Tuning.SectionMargin
	curved.Tuning.SectionMargin = margin
	defer func() { curved.Tuning.SectionMargin = before }()
	return f()
}

// The oracle, which shares no code with the resolvers, has the times of whole steps: no impact is
// missing, none is wrong.
func TestMotionStepsAgreeWithOracle(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 19))
	contacts := 0
	for _, s := range []scene{
		soup(t, "integers", 3, func() float64 { return float64(r.IntN(4)) }, 1),
		soup(t, "fast", 3, func() float64 { return r.Float64() }, 1),
	} {
		for degree := 2; degree <= 3; degree++ {
			ms := bent(t, r, &s, degree, 1, 1)
			for _, o := range []Options{{}, {Options: narrow.Options{MinSeparation: 0.25}},
				{Options: narrow.Options{MinSeparation: 0.25, Flags: narrow.MaxNorm}}} {
				o.TMax, o.Tolerance = 1, 1e-6
				got := must[[]geom.Impact](t)(Curved(ms.m, ms.mo).Collisions(&o))
				found := make(map[[3]int64]geom.Impact)
				for _, im := range got {
					found[[3]int64{int64(im.Kind), im.A, im.B}] = im
				}
				n := 0
				everyPair(t, &ms, &o, func(k geom.Kind, idx []int32, own *narrow.Options, im *geom.Impact) {
					if n++; testing.Short() && n%6 > 0 {
						return
					}
					control, radius := make([]float64, 3*(degree+1)*len(idx)), make([]float64, len(idx))
					ms.mo.Gather(0, idx, control, radius)
					q := oracle.Motion{Kind: k, Degree: degree, Control: control, T0: 0, T1: 1}
					var truth oracle.SeparationTruth
					switch {
					case o.MinSeparation == 0:
						truth = oracle.MotionContact(&q)
					case o.Flags&narrow.MaxNorm != 0:
						truth = oracle.MotionSeparation(&q, o.MinSeparation)
					default:
						truth = oracle.MotionEuclidean(&q, o.MinSeparation)
					}
					hit, ok := found[[3]int64{int64(k), im.A, im.B}]
					if ok != truth.Contact || ok && (hit.TOILo != truth.Lo || hit.TOIHi != truth.Hi) {
						t.Fatalf("%s, %v %v: %+v, oracle %+v", ms.name, k, idx, hit, truth)
					}
					if ok {
						contacts++
					}
				})
			}
		}
	}
	if contacts < 12 {
		t.Errorf("only %d contacts", contacts)
	}
}

// A motion of degree 1 has every bit of the plain step, with CheckStart too.
func TestMotionStepsOfDegreeOneHaveTheBitsOfPlainSteps(t *testing.T) {
	for _, s := range scenes(t) {
		if s.m.NV == 0 {
			continue
		}
		mo := must[*motion.Motion](t)(motion.New(s.m.NV, 1, nil, append(append([]float64(nil), s.x0...), s.x1...), nil))
		for name, o := range motionSettings() {
			if testing.Short() && name != "separation" {
				continue
			}
			o.CheckStart = true
			want := must[[]geom.Impact](t)(Collisions(s.m, s.x0, s.x1, &o))
			if got := must[[]geom.Impact](t)(Curved(s.m, mo).Collisions(&o)); !slices.Equal(got, want) {
				t.Fatalf("%s, %s: other impacts", s.name, name)
			}
			first := must[geom.Impact](t)(Earliest(s.m, s.x0, s.x1, &o))
			if got := must[geom.Impact](t)(Curved(s.m, mo).Earliest(&o)); got != first {
				t.Fatalf("%s, %s: %+v, plain %+v", s.name, name, got, first)
			}
		}
	}
}

// Elevated to degree 3, a plain step on a grid has the same pairs, times and flags.
func TestMotionStepsElevated(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 20))
	s := soup(t, "integers", 5, func() float64 { return float64(3 * (r.IntN(5) - 2)) }, 1)
	control := make([]float64, 4*len(s.x0))
	for l := range 4 {
		for i := range s.x0 {
			control[l*len(s.x0)+i] = s.x0[i] + float64(l)*(s.x1[i]-s.x0[i])/3 // multiples of 3: no rounding
		}
	}
	mo := must[*motion.Motion](t)(motion.New(s.m.NV, 3, nil, control, nil))
	contacts := 0
	for _, d := range []float64{0, 0.5} {
		for _, flags := range []uint32{0, narrow.MaxNorm} {
			o := DefaultOptions()
			o.MinSeparation, o.Flags, o.CheckStart = d, flags, true
			want := must[[]geom.Impact](t)(Collisions(s.m, s.x0, s.x1, &o))
			got := must[[]geom.Impact](t)(Curved(s.m, mo).Collisions(&o))
			if len(got) != len(want) {
				t.Fatalf("%d impacts, the plain step has %d", len(got), len(want))
			}
			contacts += len(got)
			for i := range got {
				a, b := &got[i], &want[i]
				if a.Kind != b.Kind || a.A != b.A || a.B != b.B || a.TOILo != b.TOILo || a.TOIHi != b.TOIHi ||
					a.Flags != b.Flags {
					t.Fatalf("%+v, the plain step has %+v", a, b)
				}
			}
		}
	}
	if contacts < 60 {
		t.Errorf("only %d contacts", contacts)
	}
}

// The start is checked where the vertices are, not where midlines begin: an edge passes through a
// face at t = 0, on a path that bends there.
func TestMotionStepsCheckTheStart(t *testing.T) {
	m := must[*mesh.Mesh](t)(mesh.New(5, []int32{0, 1, 1, 2, 0, 2, 3, 4}, []int32{0, 1, 2}))
	at := func(x float64) []float64 { return []float64{0, 0, 0, 1, 0, 0, 0, 1, 0, x, 0.2, -1, x, 0.2, 1} }
	for _, c := range []struct {
		x       [3]float64 // control points of the edge
		crosses bool
	}{{[3]float64{0.2, -9, 0.2}, true}, {[3]float64{-0.1, 9, -0.1}, false}} {
		mo := must[*motion.Motion](t)(motion.New(5, 2, nil, append(append(at(c.x[0]), at(c.x[1])...), at(c.x[2])...),
			nil))
		o := DefaultOptions()
		o.CheckStart = true
		s := Curved(m, mo)
		first, all := must[geom.Impact](t)(s.Earliest(&o)), must[[]geom.Impact](t)(s.Collisions(&o))
		if crosses := first.Kind == geom.EdgeFace && first.TOILo == 0; crosses != c.crosses || len(all) == 0 ||
			all[0] != first {
			t.Errorf("%v: %+v, %d impacts", c, first, len(all))
		}
	}
}

// Arguments that do not fit, options that motions do not have, a cancelled call, a memory limit.
func TestMotionStepErrors(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 22))
	s := soup(t, "fast", 12, func() float64 { return 2*r.Float64() - 1 }, 1)
	ms := bent(t, r, &s, 2, 1, 0.5)
	other := must[*motion.Motion](t)(motion.New(2, 2, nil, make([]float64, 18), nil))
	linear := must[*motion.Motion](t)(motion.New(s.m.NV, 1, nil, append(append([]float64(nil), s.x0...), s.x1...), nil))
	for name, c := range map[string]struct {
		mo     *motion.Motion
		change func(o *Options)
		is     error
		says   string
	}{
		"vertices": {other, func(*Options) {}, status.ErrArgument, "motion has 2 vertices: the mesh has"},
		"method": {ms.mo, func(o *Options) { o.Method = narrow.TightInclusion }, status.ErrUnsupported,
			"options.method"},
		"linear": {linear, func(o *Options) { o.Method = narrow.TightInclusion }, status.ErrUnsupported,
			"options.method"},
		"scene bound": {ms.mo, func(o *Options) { o.SceneBound = [3]float64{9, 9, 9} }, status.ErrUnsupported,
			"scene_bound"},
		"device": {ms.mo, func(o *Options) { o.DeviceOnly = true }, status.ErrUnsupported, "device"},
		"t_max":  {ms.mo, func(o *Options) { o.TMax = 2 }, nil, "t_max"},
		"cancelled": {ms.mo, func(o *Options) { o.Progress = func(float64) bool { return true } },
			status.ErrCancelled, ""},
	} {
		o := DefaultOptions()
		c.change(&o)
		_, err := Curved(s.m, c.mo).Collisions(&o)
		if _, first := Curved(s.m, c.mo).Earliest(&o); err == nil || first == nil ||
			c.is != nil && !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, %v", name, err, first)
		}
	}
	o := DefaultOptions()
	o.MemoryLimit = 1
	c := must[*call](t)(newCourse(ms.mo).begin(s.m, &o))
	defer c.end()
	if _, err := c.collisions(engine.LeastResults); !errors.Is(err, status.ErrMemory) { // one impact takes all
		t.Errorf("memory limit of 1 byte: %v", err)
	}
}

// FuzzMotionStep compares a step of a few triangles with all pairs.
func FuzzMotionStep(f *testing.F) {
	for i := range 4 {
		f.Add(uint64(i), uint8(i), uint8(i), 0.1*float64(i))
	}
	f.Fuzz(func(t *testing.T, seed uint64, degree, how uint8, separation float64) {
		if !(separation >= 0 && separation < 10) {
			t.Skip()
		}
		r := rand.New(rand.NewPCG(seed, 1))
		s := soup(t, "integers", 3, func() float64 { return float64(r.IntN(5) - 2) }, 1)
		var ms motionScene
		switch how % 4 {
		case 0, 1:
			ms = bent(t, r, &s, 1+int(degree)%3, 1+int(how/4)%3, 2)
		case 2:
			ms = turning(t, r, &s, int(degree)%4)
		default:
			ms = tubes(t, r, &s)
		}
		o := DefaultOptions()
		o.MinSeparation, o.Tolerance, o.Threads = separation, 1e-4, 1
		if how >= 128 {
			o.Flags = narrow.MaxNorm
		}
		sameMotion(t, ms.name, &ms, &o, everyPair(t, &ms, &o, nil))
	})
}

// The bound on the distance of a path from its midline is one along the axes, so no other
// directions serve.
func TestMotionStepsCompareBoxesAlongAxes(t *testing.T) {
	orient(t, broad.OrientAlways)
	r := rand.New(rand.NewPCG(9, 29))
	s := randomNeedles(t, r, 40)
	options := DefaultOptions()
	plain := must[*call](t)(start(s.m, s.x0, s.x1, &options))
	defer plain.end()
	bending := bent(t, r, &s, 2, 1, 0.25)
	moving := must[*call](t)(newCourse(bending.mo).begin(bending.m, &options))
	defer moving.end()
	for _, c := range []*call{plain, moving} {
		if _, err := c.collisions(listedBytes); err != nil {
			t.Fatal(err)
		}
	}
	if !plain.memory.plan.Oriented() || moving.memory.plan.Oriented() {
		t.Errorf("along other directions: plain step %v, motion %v",
			plain.memory.plan.Oriented(), moving.memory.plan.Oriented())
	}
}
