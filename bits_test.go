package ccd_test

import (
	"hash"
	"math"
	"testing"

	"ccd"
	"ccd/core/ccdtest/digest"
	"ccd/core/geom"
	"ccd/core/proximity"
	"ccd/core/step"
)

// The results of this package have the bits of the core's, from which the C library copies its own: the same queries have the same digests.
func TestResultsHaveTheBitsOfTheCore(t *testing.T) {
	for name, run := range map[string]func(*digest.Source, hash.Hash) error{
		"pairs": pairs, "euclidean": balls, "steps": steps, "proximity": frames,
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
		Verdict: geom.Verdict(i.Verdict), Kind: geom.Kind(i.Kind), A: int64(i.A), B: int64(i.B), TOILo: i.TOILo, TOIHi: i.TOIHi,
		U: i.U, V: i.V, Point: i.Point, Normal: i.Normal, Width: i.Width, Flags: uint32(i.Flags),
	}
}

func nearOf(p ccd.NearPair) proximity.NearPair {
	return proximity.NearPair{
		Kind: geom.Kind(p.Kind), A: int64(p.A), B: int64(p.B), Lo: p.Lo, Hi: p.Hi, U: p.U, V: p.V, PointA: p.PointA, PointB: p.PointB,
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
			all, err := known.Collisions(x0, x1, &o)
			if err != nil {
				return err
			}
			first, err := ccd.Earliest(m, x0, x1, &o)
			if err != nil {
				return err
			}
			size, err := known.Size(x0, x1, &o)
			if err != nil {
				return err
			}
			active, err := ccd.ActiveSet(m, x0, x1, &o)
			if err != nil {
				return err
			}
			constraints := each(active, func(c ccd.Constraint) step.Constraint {
				return step.Constraint{Impact: impactOf(c.Impact), Vertices: c.Vertices, Weights: c.Weights, Gap: c.Gap}
			})
			digest.Write(to, int64(len(all)), each(all, impactOf), impactOf(first), size, int64(len(active)), constraints)
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

// The functions, and the methods of Candidates, agree; so do Pair and Pairs.
func TestWaysToOneResultAgree(t *testing.T) {
	m := mustMesh()
	known, err := ccd.FindCandidates(m, start, end, &ccd.Options{MinSeparation: 0.25, BruteForce: true})
	if err != nil {
		t.Fatal(err)
	}
	o := ccd.Options{MinSeparation: 0.125, Stats: &ccd.Stats{}}
	a, err := ccd.Earliest(m, start, end, &o)
	b, err2 := known.Earliest(start, end, &o)
	if a != b || err != nil || err2 != nil || a.Verdict != ccd.Contact {
		t.Errorf("earliest: %v %v, candidates: %v %v", a, err, b, err2)
	}
	if s := o.Stats; s.Boxes != 14 || s.Threads < 1 || s.Candidates[0] == 0 || s.PeakBytes == 0 {
		t.Errorf("statistics %+v", s)
	}
	alpha, x, err := ccd.Advance(m, start, end, 0.5, &o)
	beta, y, err2 := known.Advance(start, end, 0.5, &o)
	if alpha != beta || err != nil || err2 != nil || x[11] != y[11] || !(alpha > 0.2 && alpha < 0.22) || math.Abs(x[11]-(1-2*alpha)) > 1e-15 {
		t.Errorf("advance: %v %v %v, candidates: %v %v %v", alpha, x, err, beta, y, err2)
	}
	q := append(append([]float64{}, start[9:12]...), start[:9]...)
	q = append(append(q, end[9:12]...), end[:9]...)
	one, err := ccd.Pair(ccd.VertexFace, q, &o)
	many, err2 := ccd.Pairs(ccd.VertexFace, append(q, q...), &o)
	if err != nil || err2 != nil || len(many) != 2 || many[1].A != 1 || many[1].TOILo != one.TOILo || one.TOILo != a.TOILo {
		t.Errorf("pair: %v %v, pairs: %v %v", one, err, many, err2)
	}
}
