package ccd_test

import (
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"ccd"
)

// input draws arguments of calls, good and bad, from bytes; when these are used up, all are zero.
type input struct{ rest []byte }

func (in *input) byte() byte {
	if len(in.rest) == 0 {
		return 0
	}
	b := in.rest[0]
	in.rest = in.rest[1:]
	return b
}

func (in *input) below(n int) int { return int(in.byte()) % n }

var oddNumbers = []float64{
	0, 1, -1, 0.5, 2, 0.25, math.Copysign(0, -1), 1e-10, 1e10, 1e60, 1e61, 1e150, 1e151, 5e-324, math.MaxFloat64,
	math.Inf(1), math.Inf(-1), math.NaN(),
}

// number is mostly a positive multiple of 1/16, up to 1, sometimes an odd one or any.
func (in *input) number() float64 {
	switch kind := in.byte(); {
	case kind < 12:
		return oddNumbers[in.below(len(oddNumbers))]
	case kind > 251 && len(in.rest) >= 8:
		x := math.Float64frombits(binary.LittleEndian.Uint64(in.rest))
		in.rest = in.rest[8:]
		return x
	default:
		return float64(kind%16+1) / 16
	}
}

// numbers mostly are n multiples of 1/16 in [-8, 8); sometimes one is odd, or one too many or too
// few.
func (in *input) numbers(n int) []float64 {
	kind := in.byte()
	switch kind {
	case 0:
		n++
	case 1:
		n--
	}
	x := make([]float64, max(n, 0))
	for i := range x {
		x[i] = float64(int8(in.byte())) / 16
	}
	if kind > 1 && kind < 16 && len(x) > 0 {
		x[in.below(len(x))] = oddNumbers[in.below(len(oddNumbers))]
	}
	return x
}

func (in *input) vector() (v [3]float64) {
	copy(v[:], in.numbers(3))
	return v
}

// indices mostly are in [0, vertices), and neighbors differ.
func (in *input) indices(n, vertices int) []int32 {
	list, last := make([]int32, n), 0
	for i := range list {
		b := in.byte()
		if b < 2 || vertices < 2 {
			list[i] = int32(b) - 1
			continue
		}
		last = (last + 1 + int(b)%max(vertices/2, 1)) % vertices
		list[i] = int32(last)
	}
	return list
}

// options have a limit of iterations, so that no call takes long. Each part is there once in eight
// times.
func (in *input) options() *ccd.Options {
	o := &ccd.Options{MaxIterations: 1000, Threads: 1}
	now := func() bool { return in.byte() >= 224 }
	if now() {
		o.MinSeparation = in.number()
	}
	if now() {
		o.TMin, o.TMax = in.number(), in.number()
	}
	if now() {
		o.Tolerance = in.number()
	}
	if now() {
		o.Method, o.Norm = ccd.Method(in.below(6)-1), ccd.Norm(in.below(5)-1)
	}
	if now() {
		f := in.byte()
		o.NoZeroTOI, o.BruteForce, o.CheckStart, o.ApartAtTOI, o.IgnoreSeparating = f&1 != 0, f&2 != 0, f&4 != 0,
			f&8 != 0, f&16 != 0
	}
	if now() {
		o.MaxIterations, o.Threads, o.MemoryLimit = int64(in.below(40)-2), in.below(4)-1, uint64(in.below(3))
	}
	if now() {
		o.Stats = new(ccd.Stats)
	}
	if now() {
		o.Progress = func(float64) bool { return true }
	}
	return o
}

// checker holds calls to what doc.go promises of errors.
type checker struct {
	t       testing.TB
	success map[string]int // calls that succeeded, by name
}

func (c checker) call(name string, err error, results ...any) {
	c.t.Helper()
	c.success[name] += 0
	if err == nil {
		c.success[name]++
		return
	}
	known := false
	for _, kind := range []error{ccd.ErrArgument, ccd.ErrIndex, ccd.ErrNonFinite, ccd.ErrUnsupported, ccd.ErrFile,
		ccd.ErrCancelled, ccd.ErrMemory} {
		known = known || errors.Is(err, kind)
	}
	if !known || err.Error() == "" {
		c.t.Errorf("%s: %q is of no kind, or a defect", name, err)
	}
	for _, r := range results {
		if !reflect.ValueOf(r).IsZero() {
			c.t.Errorf("%s: %+v beside the error %v", name, r, err)
		}
	}
}

// impact holds an impact to what holds of every impact, for all t from begin to end: times in
// order, and none when separate.
func (c checker) impact(name string, v ccd.Verdict, lo, hi, begin, end float64) {
	c.t.Helper()
	if v == ccd.Separate && (!math.IsInf(lo, 1) || !math.IsInf(hi, 1)) ||
		v == ccd.Contact && !(begin <= lo && lo <= hi && lo <= end) ||
		v != ccd.Contact && v != ccd.Separate && (v != ccd.Undecided || !(begin <= lo && lo <= end)) {
		c.t.Errorf("%s: %v in [%v, %v] of [%v, %v]", name, v, lo, hi, begin, end)
	}
}

func endOf(o *ccd.Options) float64 {
	if o.TMax == 0 {
		return 1
	}
	return o.TMax
}

// tryEverything calls the package with what it draws from data.
func tryEverything(t testing.TB, data []byte, success map[string]int) {
	in, check := &input{data}, checker{t, success}
	for range 3 {
		switch in.below(5) {
		case 0:
			tryMeshes(in, check)
		case 1:
			kind := ccd.Kind(in.below(8) - 1)
			q := in.numbers([]int{0, 24, 24, 18, 12, 30, 0, 0}[(int(kind)+8)%8])
			o := in.options()
			hit, err := ccd.Pair(kind, q, o)
			check.call("Pair", err, hit)
			if err == nil {
				check.impact("Pair", hit.Verdict, hit.TOILo, hit.TOIHi, 0, endOf(o))
			}
		case 2:
			tryRigid(in, check)
		case 3:
			tryPatches(in, check)
		case 4:
			file := in.rest
			if in.below(2) == 0 {
				file = append([]byte([]string{
					"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nl 1 3\n", "1\n1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n16\n" +
						strings.Repeat("1,2,3\n", 16),
				}[in.below(2)]), in.rest[:min(len(in.rest), in.below(4))]...)
			}
			s, err := ccd.DecodeSurface(file)
			check.call("DecodeSurface", err, s)
			if err == nil {
				m, err := s.Mesh()
				check.call("Surface.Mesh", err, m)
			}
			p, err := ccd.DecodePatches(file)
			check.call("DecodePatches", err, p)
			if err == nil {
				b, err := p.Body()
				check.call("PatchModel.Body", err, b)
			}
		}
	}
}

func tryMeshes(in *input, check checker) {
	n := in.below(12) - 1
	faces := in.indices(3*in.below(5), n)
	if in.byte() < 8 {
		faces = append(faces, 0)
	}
	var edges []int32
	if in.below(8) == 0 {
		edges = in.indices(in.below(9), n)
	}
	m, err := ccd.NewMesh(n, edges, faces)
	check.call("NewMesh", err, m)
	if err != nil && in.below(4) != 0 {
		return
	}
	switch in.below(8) {
	case 0:
		check.call("SetGroups", m.SetGroups(in.indices(max(n, 0), 3)))
	case 1:
		check.call("SetRadii", m.SetRadii(in.numbers(n)))
	case 2:
		check.call("SetStatic", m.SetStatic(make([]bool, in.below(9))))
	case 3:
		check.call("SetExcluded", m.SetExcluded(ccd.Kind(in.below(7)), [][2]int{{in.below(9) - 1, in.below(9) - 1}}))
	}
	o := in.options()
	x0, x1 := in.numbers(3*n), in.numbers(3*n)
	hit, err := ccd.Earliest(m, x0, x1, o)
	check.call("Earliest", err, hit)
	hits, errAll := ccd.Collisions(m, x0, x1, o)
	check.call("Collisions", errAll, hits)
	if err == nil && errAll == nil && (o.MaxIterations == 1000 && hit.Verdict != ccd.Undecided) {
		check.impact("Earliest", hit.Verdict, hit.TOILo, hit.TOIHi, 0, endOf(o))
		if (hit.Verdict == ccd.Separate) != (len(hits) == 0) || len(hits) > 0 && hits[0].TOILo != hit.TOILo {
			check.t.Errorf("Earliest is %+v, Collisions are %+v", hit, hits)
		}
	}
	alpha, x, err := ccd.Advance(m, x0, x1, in.number(), o)
	check.call("Advance", err, alpha, x)
	so := &ccd.SizesOptions{Share: in.number(), KeepRatio: in.number(), MaxPasses: in.below(9)}
	steps, err := ccd.NewStep(m, x0, x1).Sizes(so, o)
	check.call("Sizes", err, steps)
	known, err := ccd.FindCandidates(m, x0, x1, o)
	check.call("FindCandidates", err, known)
	size, err := known.Step(x0, x1).Size(o)
	check.call("Candidates.Size", err, size)
	near, err := ccd.Near(m, x0, in.number(), o)
	check.call("Near", err, near)
	least, err := ccd.Distance(m, x1, o)
	check.call("Distance", err, least)
	if in.below(8) == 0 {
		tryPaths(in, check, m, x0, x1, o)
	}

	s, err := ccd.NewScene(m, x0)
	check.call("NewScene", err, s)
	part, err := s.Add(m, x1)
	check.call("Scene.Add", err, part)
	check.call("Scene.Check", s.Check(o))
	moved := in.indices(in.below(4), n)
	slices.Sort(moved)
	to := in.numbers(3 * len(moved))
	if in.below(4) == 0 {
		moved, to = nil, in.numbers(3*s.Vertices())
	}
	hit, err = s.Step(moved, to).Earliest(o)
	check.call("Scene.Earliest", err, hit)
	alpha, x, err = s.Step(moved, to).Advance(in.number(), o)
	check.call("Scene.Advance", err, alpha, x)
	if in.below(2) == 0 {
		check.call("Scene.CommitProven", s.CommitProven())
	}
	check.call("Scene.Commit", s.Commit(moved, x))
	check.call("Scene.Remove", s.Remove(in.below(4)-1))
	check.call("Scene.Reset", s.Reset(x1))
	if known, crossings := s.State(); known < 0 || crossings < 0 {
		check.t.Errorf("state %d, %d", known, crossings)
	}
}

// tryPaths calls what concerns motions, lists and given pairs.
func tryPaths(in *input, check checker, m *ccd.Mesh, x0, x1 []float64, o *ccd.Options) {
	n, degree := m.Vertices(), 1+in.below(3)
	paths, err := ccd.NewMotion(n, degree, nil, in.numbers(3*n*(degree+1)), nil)
	check.call("NewMotion", err, paths)
	for i, create := range []func() (*ccd.Motion, error){
		func() (*ccd.Motion, error) { return ccd.NewAcceleratedMotion(x0, x1, in.numbers(3*n)) },
		func() (*ccd.Motion, error) { return ccd.NewHermiteMotion(n, nil, in.numbers(6*n), in.numbers(6*n)) },
		func() (*ccd.Motion, error) { return ccd.NewAffineMotion(1, x0, in.numbers(18), in.numbers(6)) },
		func() (*ccd.Motion, error) {
			return ccd.RigidMotion{Velocity: in.vector(), AngularVelocity: in.vector()}.Paths(x0, 0, in.below(3))
		},
	} {
		if in.below(4) == i {
			paths, err = create()
			check.call("other motions", err, paths)
		}
	}
	hit, err := ccd.NewStepOn(m, paths).Earliest(o)
	check.call("NewStepOn.Earliest", err, hit)
	among, err := ccd.FindCandidatesOn(m, paths, o)
	check.call("FindCandidatesOn", err, among)
	size, err := among.StepOn(paths).Size(o)
	check.call("Candidates.StepOn.Size", err, size)
	list, err := ccd.NewNeighbors(m, x0, in.number(), o)
	check.call("NewNeighbors", err, list)
	all, err := list.Step(x0, x1).Collisions(o)
	check.call("Neighbors.Step.Collisions", err, all)
	step := ccd.NewStep(m, x0, x1)
	pairs := [][2]int{{in.below(6) - 1, in.below(6) - 1}}
	some, err := step.Pairs(ccd.Kind(in.below(6)), pairs, o)
	check.call("Step.Pairs", err, some)
	times, err := step.Intervals(o)
	check.call("Step.Intervals", err, times)
	least, err := step.Clearance(o)
	check.call("Step.Clearance", err, least)
	gradients, err := step.Gradients(some, o)
	check.call("Step.Gradients", err, gradients)
}

func tryRigid(in *input, check checker) {
	n := in.below(8)
	b, err := ccd.NewRigidBody(in.numbers(3*n), in.indices(3*in.below(5), n))
	check.call("NewRigidBody", err, b)
	if err != nil && in.below(4) != 0 {
		return
	}
	motion := func() (m ccd.RigidMotion) {
		switch in.below(4) {
		case 0:
			m.Rotation = [4]float64{in.number(), in.number(), in.number(), in.number()}
			fallthrough
		case 1:
			m.AngularVelocity, m.Pivot = in.vector(), in.vector()
			fallthrough
		case 2:
			m.Position, m.Velocity = in.vector(), in.vector()
		}
		return m
	}
	o, ma, mb := in.options(), motion(), motion()
	hit, err := ccd.RigidEarliest(b, ma, b, mb, o)
	check.call("RigidEarliest", err, hit)
	if err == nil {
		check.impact("RigidEarliest", hit.Verdict, hit.TOILo, hit.TOIHi, o.TMin, endOf(o))
	}
	scene := ccd.RigidScene{Bodies: []*ccd.RigidBody{b, b, b}, Motions: []ccd.RigidMotion{ma, mb, motion()}}
	if in.below(3) == 0 {
		scene.Groups, scene.Skip = in.indices(in.below(5), 3),
			[][2]int32{{int32(in.below(5)) - 1, int32(in.below(5)) - 1}}
	}
	first, err := scene.Earliest(o)
	check.call("RigidScene.Earliest", err, first)
	all, errAll := scene.Collisions(o)
	check.call("RigidScene.Collisions", errAll, all)
	if err == nil && errAll == nil &&
		((first.Verdict == ccd.Separate) != (len(all) == 0) || len(all) > 0 && all[0] != first) {
		check.t.Errorf("RigidScene.Earliest is %+v, Collisions are %+v", first, all)
	}
	m, err := ccd.NewMesh(4, nil, []int32{0, 1, 2})
	check.call("NewMesh", err)
	onMesh, err := scene.MeshEarliest(m, in.numbers(12), in.numbers(12), o)
	check.call("RigidScene.MeshEarliest", err, onMesh)
	pose, err := ma.Pose(in.number())
	check.call("Pose", err, pose)
	between, err := ccd.RigidMotionBetween(pose, ccd.RigidPose{Rotation: mb.Rotation, Position: mb.Position},
		in.number(), ma.Pivot)
	check.call("RigidMotionBetween", err, between)
	screw, err := ccd.RigidMotionScrew(pose, mb.Position, mb.AngularVelocity, in.number())
	check.call("RigidMotionScrew", err, screw)
}

func tryPatches(in *input, check checker) {
	form := func() ccd.PatchForm {
		f := ccd.PatchForm{Shape: ccd.PatchShape(1 + in.byte()%7/2), U: in.below(4), V: in.below(4)}
		switch f.Shape {
		case ccd.Curve:
			f.V = 0
		case ccd.Triangle:
			f.V = f.U
		}
		return f
	}
	patch := func() *ccd.Patch {
		f := form()
		p := &ccd.Patch{Form: f, X0: in.numbers(3 * f.Points()), X1: in.numbers(3 * f.Points())}
		if in.below(4) == 0 {
			p.Weights = in.numbers(f.Points())
			for i, w := range p.Weights {
				if w < 0 && in.byte() > 1 {
					p.Weights[i] = -w
				}
			}
		}
		return p
	}
	o, a, b := in.options(), patch(), patch()
	o.MaxIterations = max(o.MaxIterations, 1)
	hit, err := ccd.PatchPair(a, b, o)
	check.call("PatchPair", err, hit)
	if err == nil {
		check.impact("PatchPair", hit.Verdict, hit.TOILo, hit.TOIHi, 0, endOf(o))
	}
	n := in.below(10)
	body, err := ccd.NewPatchBody(n, []ccd.PatchForm{a.Form}, in.indices(a.Form.Points(), n), nil)
	check.call("NewPatchBody", err, body)
	step := ccd.PatchStep{Body: body, X0: in.numbers(3 * n), X1: in.numbers(3 * n)}
	first, err := ccd.PatchEarliest(step, step, o)
	check.call("PatchEarliest", err, first)
	self, unresolved, err := ccd.PatchSelfEarliest(step, in.number(), o)
	check.call("PatchSelfEarliest", err, self, unresolved)
	some, err := ccd.PatchManifold(step, step, in.number(), in.number(), o)
	check.call("PatchManifold", err, some)
	knots := func(n int) []float64 {
		k := in.numbers(n)
		if slices.Sort(k); in.below(3) == 0 {
			return nil
		}
		return k
	}
	nurbs, err := ccd.NewNURBS(ccd.NURBS{U: in.below(4), V: in.below(3), KnotsU: knots(6), KnotsV: knots(4),
		Weights: a.Weights})
	check.call("NewNURBS", err, nurbs)
}

// FuzzCalls: whatever the arguments, no call panics, errors have a kind, and nothing stands beside
// them; what calls return instead is in order.
func FuzzCalls(f *testing.F) {
	r := rand.New(rand.NewPCG(1, 1))
	for i := range 40 {
		f.Add(randomBytes(r, 60+20*i))
	}
	f.Fuzz(func(t *testing.T, data []byte) { tryEverything(t, data, map[string]int{}) })
}

func randomBytes(r *rand.Rand, n int) []byte {
	data := make([]byte, n)
	for i := range data {
		data[i] = byte(r.Uint32())
	}
	return data
}

// The same for many random arguments, a part of which must get through.
func TestRandomCalls(t *testing.T) {
	r, success := rand.New(rand.NewPCG(2, 1)), map[string]int{}
	for i := range 2000 {
		data := randomBytes(r, 300)
		tryEverything(t, data, success)
		if t.Failed() {
			t.Fatalf("case %d: %x", i, data)
		}
	}
	for name, n := range success {
		if n < 5 {
			t.Errorf("%s succeeded %d times: bad arguments before it hide it", name, n)
		}
	}
}
