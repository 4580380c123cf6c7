package ccd_test

import (
	"hash"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd"
	"ccd/core/ccdtest/digest"
	"ccd/core/constraint"
	"ccd/core/geom"
	"ccd/core/patch"
	"ccd/core/proximity"
	"ccd/core/reference/d2m"
	"ccd/core/rigid"
)

// The results of this package have the bits of the core's, from which the C library copies its own:
// the same queries have the same digests.
func TestResultsHaveTheBitsOfTheCore(t *testing.T) {
	for name, run := range map[string]func(*digest.Source, hash.Hash) error{
		"pairs": pairs, "euclidean": balls, "steps": steps, "proximity": frames, "rigid": bodies,
	} {
		want, err := digest.Of(name, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := digest.Of(name, run); got != want || err != nil {
			t.Errorf("%s: digest %s, %v; the core has %s", name, got, err, want)
		}
	}
}

func impactOf(i ccd.Impact) geom.Impact {
	return geom.Impact{
		Verdict: geom.Verdict(i.Verdict), Kind: geom.Kind(i.Kind), A: int64(i.A), B: int64(i.B), TOILo: i.TOILo,
		TOIHi: i.TOIHi,
		U:     i.U, V: i.V, Point: i.Point, Normal: i.Normal, Width: i.Width, Flags: uint32(i.Flags),
	}
}

func nearOf(p ccd.NearPair) proximity.NearPair {
	return proximity.NearPair{
		Kind: geom.Kind(p.Kind), A: int64(p.A), B: int64(p.B), Lo: p.Lo, Hi: p.Hi, U: p.U, V: p.V, PointA: p.PointA,
		PointB: p.PointB,
	}
}

func each[A, B any](list []A, convert func(A) B) []B {
	out := make([]B, len(list))
	for i := range list {
		out[i] = convert(list[i])
	}
	return out
}

func pairs(r *digest.Source, to hash.Hash) error {
	options := []ccd.Options{}
	for _, m := range []ccd.Method{ccd.Exact, ccd.TightInclusion, ccd.TimeContracted} {
		for _, d := range []float64{0, 1.0 / 64} {
			o := ccd.Options{Method: m, MinSeparation: d, MaxIterations: 4000, Norm: ccd.MaxNorm}
			options = append(options, o)
			if d > 0 && m != ccd.Exact {
				o.Norm = ccd.EuclideanNorm
				options = append(options, o)
			}
		}
	}
	return queries(r, to, 90, func(int) []ccd.Options { return options })
}

func balls(r *digest.Source, to hash.Hash) error {
	return queries(r, to, 360, func(i int) []ccd.Options {
		return []ccd.Options{{MinSeparation: []float64{1.0 / 64, 1.0 / 4, 0x1p-40}[i/3%3]}}
	})
}

func queries(r *digest.Source, to hash.Hash, n int, options func(i int) []ccd.Options) error {
	for kind := ccd.VertexFace; kind <= ccd.PointPoint; kind++ {
		for i := range n {
			q := r.Numbers(geom.Kind(kind).Len(), []int{52, 2, 20}[i%3])
			for _, o := range options(i) {
				hit, err := ccd.Pair(kind, q, &o)
				if err != nil {
					return err
				}
				digest.Write(to, impactOf(hit))
			}
		}
	}
	return nil
}

func steps(r *digest.Source, to hash.Hash) error {
	x0, faces := digest.Sheets(r, 24)
	x1 := digest.Moved(r, x0, 1.0/16)
	m, err := ccd.NewMesh(len(x0)/3, nil, faces)
	if err != nil {
		return err
	}
	for _, d := range []float64{0, 1.0 / 1024} {
		for _, method := range []ccd.Method{ccd.DefaultMethod, ccd.TimeContracted} {
			o := ccd.Options{MinSeparation: d, Method: method, Norm: ccd.MaxNorm}
			known, err := ccd.FindCandidates(m, x0, x1, &o)
			if err != nil {
				return err
			}
			all, err := known.Step(x0, x1).Collisions(&o)
			if err != nil {
				return err
			}
			first, err := ccd.Earliest(m, x0, x1, &o)
			if err != nil {
				return err
			}
			size, err := known.Step(x0, x1).Size(&o)
			if err != nil {
				return err
			}
			active, err := ccd.NewStep(m, x0, x1).ActiveSet(&o)
			if err != nil {
				return err
			}
			constraints := each(active, func(c ccd.Constraint) constraint.Constraint {
				return constraint.Constraint{Impact: impactOf(c.Impact), Vertices: c.Vertices,
					Weights: c.Weights, Gap: c.Gap, Separation: c.Separation}
			})
			digest.Write(to, int64(len(all)), each(all, impactOf), impactOf(first), size,
				int64(len(active)), constraints)
		}
	}
	return nil
}

func frames(r *digest.Source, to hash.Hash) error {
	x, faces := digest.Sheets(r, 24)
	m, err := ccd.NewMesh(len(x)/3, nil, faces)
	if err != nil {
		return err
	}
	for range 2 {
		found, err := ccd.Intersections(m, x, nil)
		if err != nil {
			return err
		}
		near, err := ccd.Near(m, x, 1.0/32, nil)
		if err != nil {
			return err
		}
		least, err := ccd.Distance(m, x, nil)
		if err != nil {
			return err
		}
		crossings := each(found, func(i ccd.Intersection) proximity.Intersection {
			return proximity.Intersection{Kind: geom.Kind(i.Kind), A: int64(i.A), B: int64(i.B)}
		})
		digest.Write(to, int64(len(found)), crossings, int64(len(near)), each(near, nearOf), nearOf(least))
		for i := len(x) / 2; i < len(x); i++ {
			if i%3 == 2 {
				x[i]++ // the sheets apart
			}
		}
	}
	return nil
}

func coreVec(x [3]float64) r3.Vec { return r3.Vec{X: x[0], Y: x[1], Z: x[2]} }

func coreRotation(q [4]float64) quat.Number {
	return quat.Number{Real: q[0], Imag: q[1], Jmag: q[2], Kmag: q[3]}
}

func rigidOf(i ccd.RigidImpact) *rigid.Impact {
	return &rigid.Impact{
		Verdict: geom.Verdict(i.Verdict), Flags: uint32(i.Flags), TOILo: i.TOILo, TOIHi: i.TOIHi,
		IndexA: int64(i.IndexA), IndexB: int64(i.IndexB),
		FeatureA: rigid.Feature(i.FeatureA), FeatureB: rigid.Feature(i.FeatureB), PointA: coreVec(i.PointA),
		PointB: coreVec(i.PointB),
		Normal: coreVec(i.Normal), Distance: i.Distance, Iterations: int64(i.Iterations),
	}
}

// bodies solves its last two queries by the reference method, which this package does not have,
// with the core.
func bodies(r *digest.Source, to hash.Hash) error {
	x, faces := digest.Sheets(r, 16)
	b, err := ccd.NewRigidBody(x, faces)
	if err != nil {
		return err
	}
	triples := [][3]int32{}
	for f := range slices.Chunk(faces, 3) {
		triples = append(triples, [3]int32(f))
	}
	reference, err := rigid.NewBody(x, triples, 1)
	if err != nil {
		return err
	}
	for i := range 24 {
		var m [2]ccd.RigidMotion
		for k := range m {
			q, p := r.Numbers(4, 30), r.Numbers(2, 30)
			m[k] = ccd.RigidMotion{Rotation: [4]float64{1 + q[0], q[1], q[2], q[3]},
				Position: [3]float64{p[0] / 2, p[1] / 2, float64(3 * k)}}
			m[k].Pivot = [3]float64(r.Numbers(3, 20))
			m[k].Velocity = [3]float64(r.Numbers(3, 30))
			m[k].AngularVelocity = [3]float64(r.Numbers(3, 30))
			m[k].Velocity[2] -= float64(4 * k)
		}
		o := ccd.Options{MinSeparation: []float64{1e-10, 1e-3}[i%2], Tolerance: []float64{0, 1e-5}[i%2]}
		if i < 22 {
			hit, err := ccd.RigidEarliest(b, m[0], b, m[1], &o)
			if err != nil {
				return err
			}
			digest.Write(to, rigidOf(hit))
			continue
		}
		var c [2]rigid.Motion
		for k := range c {
			c[k] = rigid.Motion{
				Rotation: coreRotation(m[k].Rotation), Position: coreVec(m[k].Position),
				Velocity:        coreVec(m[k].Velocity),
				AngularVelocity: coreVec(m[k].AngularVelocity), Pivot: coreVec(m[k].Pivot),
			}
		}
		d := rigid.DefaultOptions()
		d.MinSeparation, d.MaxIterations, d.Search = o.MinSeparation, 20000, d2m.Search{}
		if i == 23 {
			d.Tolerance = o.Tolerance
		}
		var out rigid.Impact
		if err := new(rigid.Solver).Earliest(reference, reference, &c[0], &c[1], &d, &out); err != nil {
			return err
		}
		digest.Write(to, &out)
	}
	return nil
}

// Pairs of patches have the bits of the core's solver. (The core's own digest measures separations
// in the maximum norm, which calls on patches refuse.)
func TestPatchesHaveTheBitsOfTheCore(t *testing.T) {
	r := digest.Source{Rand: rand.New(rand.NewPCG(1, 2))}
	forms := []ccd.PatchForm{{Shape: ccd.Triangle, U: 3, V: 3}, {Shape: ccd.Quad, U: 3, V: 3},
		{Shape: ccd.Quad, U: 2, V: 1}, {Shape: ccd.Curve, U: 4}}
	contacts := 0
	for i := range 30 {
		var p [2]ccd.Patch
		var c [2]*patch.Patch
		for k := range p {
			f := forms[r.IntN(len(forms))]
			p[k] = ccd.Patch{Form: f, X0: r.Numbers(3*f.Points(), 40), X1: r.Numbers(3*f.Points(), 40)}
			for j := 2; j < len(p[k].X0); j += 3 { // two layers that change places
				p[k].X0[j] = p[k].X0[j]/4 + float64(k)
				p[k].X1[j] = p[k].X1[j]/4 + float64(1-k)
			}
			if i%3 == 0 {
				p[k].Weights = r.Numbers(f.Points(), 30)
				for j := range p[k].Weights {
					p[k].Weights[j] += 2
				}
			}
			var err error
			if c[k], err = patch.New(patch.Form{Shape: patch.Shape(f.Shape), U: f.U, V: f.V}, p[k].X0, p[k].X1,
				p[k].Weights); err != nil {
				t.Fatal(err)
			}
		}
		o := patch.DefaultOptions()
		o.MaxIterations, o.MinSeparation = 3000, float64(i%2)/64
		var want patch.Impact
		if err := new(patch.Solver).Solve(c[0], c[1], &o, &want); err != nil {
			t.Fatal(err)
		}
		hit, err := ccd.PatchPair(&p[0], &p[1], &ccd.Options{MaxIterations: 3000, MinSeparation: o.MinSeparation})
		got := patch.Impact{
			Verdict: geom.Verdict(hit.Verdict), Flags: uint32(hit.Flags), A: int64(hit.A), B: int64(hit.B),
			TOILo: hit.TOILo, TOIHi: hit.TOIHi,
			UVA: hit.UVA, UVB: hit.UVB, Point: hit.Point, Normal: hit.Normal, Width: hit.Width,
		}
		if got != want || err != nil {
			t.Errorf("pair %d: %+v, %v; the core has %+v", i, got, err, want)
		}
		if want.Verdict == geom.Contact {
			contacts++
		}
	}
	if contacts < 10 {
		t.Errorf("%d contacts in 30 pairs", contacts)
	}
}

// The calls on scenes of rigid bodies, on patches of bodies and on scenes of meshes have the bits
// of those that they stand for.
func TestScenesAgreeWithSingleCalls(t *testing.T) {
	b, moving := cube(t), ccd.RigidMotion{Position: [3]float64{0, 0, 3}, Velocity: [3]float64{0, 0, -4},
		AngularVelocity: [3]float64{1, 0.5, 0}}
	scene := ccd.RigidScene{Bodies: []*ccd.RigidBody{b, b, b},
		Motions: []ccd.RigidMotion{{}, moving, {Position: [3]float64{9, 0, 0}}}}
	one, err := ccd.RigidEarliest(b, ccd.RigidMotion{}, b, moving, nil)
	first, err2 := scene.Earliest(nil)
	all, err3 := scene.Collisions(nil)
	if err != nil || err2 != nil || err3 != nil || one.Verdict != ccd.Contact || first.RigidImpact != one ||
		first.A != 0 || first.B != 1 ||
		len(all) != 1 || all[0] != first {
		t.Errorf("rigid: %+v %v, scene: %+v %v, all: %+v %v", one, err, first, err2, all, err3)
	}
	scene.Skip = [][2]int32{{1, 0}}
	if none, err := scene.Earliest(nil); none.Verdict != ccd.Separate || none.A != -1 || err != nil {
		t.Errorf("skipped pairs: %+v %v", none, err)
	}
	scene.Skip, scene.Groups = nil, []int32{5, 5, 5}
	if none, err := scene.Earliest(nil); none.Verdict != ccd.Separate || err != nil {
		t.Errorf("one group: %+v %v", none, err)
	}

	m := mustMesh()
	x := append([]float64{}, start...)
	s, err := ccd.NewScene(m, x)
	if err != nil {
		t.Fatal(err)
	}
	want, err := ccd.Collisions(m, start, end, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, moves := range []struct {
		moved []int32
		x1    []float64
	}{{[]int32{3, 4, 5}, end[9:]}, {nil, end}} {
		if got, err := s.Step(moves.moved, moves.x1).Collisions(nil); err != nil || !slices.Equal(want, got) {
			t.Errorf("moved %v: %v %v, want %v", moves.moved, got, err, want)
		}
		first, err := s.Step(moves.moved, moves.x1).Earliest(nil)
		size, err2 := s.Step(moves.moved, moves.x1).Size(nil)
		if alone, _ := ccd.Size(m, start, end, nil); err != nil || err2 != nil || first != want[0] || size != alone ||
			size == 0 {
			t.Errorf("moved %v: %+v %v, size %v %v", moves.moved, first, err, size, err2)
		}
	}
}

// The functions, and the methods of Candidates, agree; so do Pair and Pairs.
func TestWaysToOneResultAgree(t *testing.T) {
	m := mustMesh()
	known, err := ccd.FindCandidates(m, start, end, &ccd.Options{MinSeparation: 0.25, BruteForce: true})
	if err != nil {
		t.Fatal(err)
	}
	o := ccd.Options{MinSeparation: 0.125, Stats: &ccd.Stats{}}
	a, err := ccd.Earliest(m, start, end, &o)
	b, err2 := known.Step(start, end).Earliest(&o)
	if a != b || err != nil || err2 != nil || a.Verdict != ccd.Contact {
		t.Errorf("earliest: %v %v, candidates: %v %v", a, err, b, err2)
	}
	if s := o.Stats; s.Boxes != 14 || s.Threads < 1 || s.Candidates[0] == 0 || s.PeakBytes == 0 || s.Plans < 1 {
		t.Errorf("statistics %+v", s)
	}
	alpha, x, err := ccd.Advance(m, start, end, 0.5, &o)
	beta, y, err2 := known.Step(start, end).Advance(0.5, &o)
	if alpha != beta || err != nil || err2 != nil || x[11] != y[11] || !(alpha > 0.2 && alpha < 0.22) ||
		math.Abs(x[11]-(1-2*alpha)) > 1e-15 {
		t.Errorf("advance: %v %v %v, candidates: %v %v %v", alpha, x, err, beta, y, err2)
	}
	q := append(append([]float64{}, start[9:12]...), start[:9]...)
	q = append(append(q, end[9:12]...), end[:9]...)
	one, err := ccd.Pair(ccd.VertexFace, q, &o)
	many, err2 := ccd.Pairs(ccd.VertexFace, append(q, q...), &o)
	if err != nil || err2 != nil || len(many) != 2 || many[1].A != 1 || many[1].TOILo != one.TOILo ||
		one.TOILo != a.TOILo {
		t.Errorf("pair: %v %v, pairs: %v %v", one, err, many, err2)
	}
}
