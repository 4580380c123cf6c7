//go:build js && wasm

package main

import (
	"syscall/js"

	"ccd"
)

// Objects by their numbers, which are given once.
var (
	last       int
	meshes     = map[int]*ccd.Mesh{}
	motions    = map[int]*ccd.Motion{}
	candidates = map[int]*ccd.Candidates{}
	neighbors  = map[int]*ccd.Neighbors{}
	scenes     = map[int]*ccd.Scene{}
	steps      = map[int]*ccd.Step{}
)

// numbered keeps an object and returns its number.
func numbered[T any](all map[int]T, object T) int {
	last++
	all[last] = object
	return last
}

// kept keeps what a function has made, and returns its number.
func kept[T any](all map[int]T, object T, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return numbered(all, object), nil
}

// free returns the function that forgets the object of a number.
func free[T any](all map[int]T) function {
	return func(args []js.Value) (any, error) {
		delete(all, args[0].Int())
		return nil, nil
	}
}

func meshOf(v js.Value) *ccd.Mesh             { return meshes[v.Int()] }
func candidatesOf(v js.Value) *ccd.Candidates { return candidates[v.Int()] }
func stepOf(v js.Value) *ccd.Step             { return steps[v.Int()] }

func meshCreate(args []js.Value) (any, error) {
	m, err := ccd.NewMesh(args[0].Int(), list[int32](args[1]), list[int32](args[2]))
	return kept(meshes, m, err)
}

func meshEdges(args []js.Value) (any, error) {
	return array("Int32Array", meshOf(args[0]).Edges()), nil
}

func meshFaces(args []js.Value) (any, error) {
	return array("Int32Array", meshOf(args[0]).Faces()), nil
}

func setGroups(args []js.Value) (any, error) {
	return nil, meshOf(args[0]).SetGroups(list[int32](args[1]))
}

func setComponentGroups(args []js.Value) (any, error) {
	return nil, meshOf(args[0]).SetComponentGroups()
}

func setStatic(args []js.Value) (any, error) {
	bytes := list[uint8](args[1])
	var static []bool
	if bytes != nil {
		static = make([]bool, len(bytes))
	}
	for i, b := range bytes {
		static[i] = b != 0
	}
	return nil, meshOf(args[0]).SetStatic(static)
}

func setRadii(args []js.Value) (any, error) {
	return nil, meshOf(args[0]).SetRadii(list[float64](args[1]))
}

func setExcluded(args []js.Value) (any, error) {
	return nil, meshOf(args[0]).SetExcluded(ccd.Kind(args[1].Int()), pairsOf(args[2]))
}

func excludeNear(args []js.Value) (any, error) {
	o, done := optionsOf(args[3])
	added, err := meshOf(args[0]).ExcludeNear(list[float64](args[1]), args[2].Int(), o)
	return result(done, added, err, func(n int) any { return n })
}

// result writes the statistics of a call that has succeeded, and converts what it returned.
func result[T any](s func(), value T, err error, convert func(T) any) (any, error) {
	if err != nil {
		return nil, err
	}
	s()
	return convert(value), nil
}

func impacts(list []ccd.Impact) any { return rows(list, impactRow) }

// Calls on a step read (step, options), and what more they need.

func earliest(args []js.Value) (any, error) {
	o, done := optionsOf(args[1])
	hit, err := stepOf(args[0]).Earliest(o)
	return result(done, []ccd.Impact{hit}, err, impacts)
}

// earliestBatch reads (mesh, x0, x1, options).
func earliestBatch(args []js.Value) (any, error) {
	o, done := optionsOf(args[3])
	hits, err := ccd.EarliestBatch(meshOf(args[0]), list[float64](args[1]), list[float64](args[2]), o)
	return result(done, hits, err, impacts)
}

// advanceBatch reads (mesh, x0, x1, options, share).
func advanceBatch(args []js.Value) (any, error) {
	o, done := optionsOf(args[3])
	worlds, err := ccd.AdvanceBatch(meshOf(args[0]), list[float64](args[1]), list[float64](args[2]), args[4].Float(), o)
	return result(done, worlds, err, func(w ccd.WorldSteps) any {
		return map[string]any{"alpha": floats(w.Alpha), "x": floats(w.X), "impacts": impacts(w.Impacts)}
	})
}

// respond reads (mesh, x0, x1, options, inverse masses, friction, keep, rounds).
func respond(args []js.Value) (any, error) {
	o, done := optionsOf(args[3])
	how := ccd.RespondOptions{
		InverseMass: list[float64](args[4]), Friction: args[5].Float(), Keep: args[6].Float(), MaxRounds: args[7].Int(),
	}
	found, err := ccd.Respond(meshOf(args[0]), list[float64](args[1]), list[float64](args[2]), &how, o)
	return result(done, found, err, func(r ccd.Response) any {
		return map[string]any{"x": floats(r.X), "alpha": r.Alpha, "contacts": r.Contacts, "rounds": r.Rounds,
			"why": whyRow(r.Why)}
	})
}

func collisions(args []js.Value) (any, error) {
	o, done := optionsOf(args[1])
	hits, err := stepOf(args[0]).Collisions(o)
	return result(done, hits, err, impacts)
}

// firstImpacts reads (step, options, count), where count is a positive integer of 31 bits.
func firstImpacts(args []js.Value) (any, error) {
	o, done := optionsOf(args[1])
	hits, err := stepOf(args[0]).FirstImpacts(args[2].Int(), o)
	return result(done, hits, err, impacts)
}

func size(args []js.Value) (any, error) {
	o, done := optionsOf(args[1])
	alpha, err := stepOf(args[0]).Size(o)
	return result(done, alpha, err, func(x float64) any { return x })
}

func advance(args []js.Value) (any, error) {
	o, done := optionsOf(args[1])
	alpha, x, err := stepOf(args[0]).Advance(args[2].Float(), o)
	return result(done, alpha, err, func(alpha float64) any { return map[string]any{"alpha": alpha, "x": floats(x)} })
}

func sizes(args []js.Value) (any, error) {
	o, done := optionsOf(args[1])
	how := ccd.DefaultSizesOptions()
	how.Groups = list[int32](args[2])
	found, err := stepOf(args[0]).Sizes(&how, o)
	return result(done, found, err, func(v ccd.VertexSteps) any {
		return map[string]any{"alpha": floats(v.Alpha), "x": floats(v.X)}
	})
}

func lineSearch(args []js.Value) (any, error) {
	o, done := optionsOf(args[1])
	bound, err := stepOf(args[0]).LineSearch(args[2].Float(), o)
	return result(done, bound, err, func(b ccd.LineSearchBound) any {
		return map[string]any{"alpha": b.Alpha, "distance": b.Distance, "separation": b.Separation}
	})
}

func activeSet(args []js.Value) (any, error) {
	o, done := optionsOf(args[1])
	set, err := stepOf(args[0]).ActiveSet(o)
	return result(done, set, err, func(set []ccd.Constraint) any { return rows(set, constraintRow) })
}

func candidatesCreate(args []js.Value) (any, error) {
	o, done := optionsOf(args[3])
	known, err := ccd.FindCandidates(meshOf(args[0]), list[float64](args[1]), list[float64](args[2]), o)
	return result(done, known, err, func(known *ccd.Candidates) any { return numbered(candidates, known) })
}

func candidatesCount(args []js.Value) (any, error) {
	return candidatesOf(args[0]).Count(ccd.Kind(args[1].Int())), nil
}

func candidatesPairs(args []js.Value) (any, error) {
	var flat []int32
	for _, p := range candidatesOf(args[0]).Pairs(ccd.Kind(args[1].Int())) {
		flat = append(flat, int32(p[0]), int32(p[1]))
	}
	return ints(flat), nil
}

func pairs(args []js.Value) (any, error) {
	o, done := optionsOf(args[2])
	hits, err := ccd.Pairs(ccd.Kind(args[0].Int()), list[float64](args[1]), o)
	return result(done, hits, err, impacts)
}

// restOf reads (mesh, x, options).
func restOf(args []js.Value) (m *ccd.Mesh, x []float64, o *ccd.Options, done func()) {
	o, done = optionsOf(args[2])
	return meshOf(args[0]), list[float64](args[1]), o, done
}

func intersections(args []js.Value) (any, error) {
	m, x, o, done := restOf(args)
	found, err := ccd.Intersections(m, x, o)
	return result(done, found, err, func(found []ccd.Intersection) any {
		return rows(found, func(out []float64, i *ccd.Intersection) []float64 {
			return append(out, float64(i.Kind), float64(i.A), float64(i.B))
		})
	})
}

func intersects(args []js.Value) (any, error) {
	m, x, o, done := restOf(args)
	some, err := ccd.Intersects(m, x, o)
	return result(done, some, err, func(some bool) any { return some })
}

func nearPairs(list []ccd.NearPair) any { return rows(list, nearRow) }

func near(args []js.Value) (any, error) {
	m, x, o, done := restOf(args)
	found, err := ccd.Near(m, x, args[3].Float(), o)
	return result(done, found, err, nearPairs)
}

func distance(args []js.Value) (any, error) {
	m, x, o, done := restOf(args)
	nearest, err := ccd.Distance(m, x, o)
	return result(done, []ccd.NearPair{nearest}, err, nearPairs)
}

// surface decodes the bytes of a file, and adds the edges that the mesh of the file has.
func surface(args []js.Value) (any, error) {
	s, err := ccd.DecodeSurface(list[byte](args[0]))
	if err != nil {
		return nil, err
	}
	m, err := s.Mesh()
	if err != nil {
		return nil, err
	}
	return map[string]any{
		"vertices": floats(s.Vertices), "faces": array("Int32Array", s.Faces), "edges": array("Int32Array", m.Edges()),
	}, nil
}
