//go:build js && wasm

package main

import (
	"syscall/js"

	"ccd"
)

// Calls on a step that concern given pairs, times and derivatives. They read (step, options), and
// what more they need.

// stepVisit reads (step, options, visit).
func stepVisit(args []js.Value) (any, error) {
	o, done := optionsOf(args[1])
	err := stepOf(args[0]).Visit(o, func(some []ccd.Impact) bool { return args[2].Invoke(impacts(some)).Bool() })
	return result(done, struct{}{}, err, func(struct{}) any { return nil })
}

// stepPairs reads (step, options, kind, pairs).
func stepPairs(args []js.Value) (any, error) {
	o, done := optionsOf(args[1])
	hits, err := stepOf(args[0]).Pairs(ccd.Kind(args[2].Int()), pairsOf(args[3]), o)
	return result(done, hits, err, impacts)
}

func intervalRows(list []ccd.Interval) any {
	return rows(list, func(out []float64, i *ccd.Interval) []float64 {
		return append(out, float64(i.Kind), float64(i.A), float64(i.B), i.Enter, i.Exit,
			float64(i.SideBefore), float64(i.SideAfter), float64(i.Flags))
	})
}

func intervals(args []js.Value) (any, error) {
	o, done := optionsOf(args[1])
	list, err := stepOf(args[0]).Intervals(o)
	return result(done, list, err, intervalRows)
}

// pairIntervals reads (step, options, kind, pairs).
func pairIntervals(args []js.Value) (any, error) {
	o, done := optionsOf(args[1])
	list, err := stepOf(args[0]).PairIntervals(ccd.Kind(args[2].Int()), pairsOf(args[3]), o)
	return result(done, list, err, intervalRows)
}

func clearance(args []js.Value) (any, error) {
	o, done := optionsOf(args[1])
	d, err := stepOf(args[0]).Clearance(o)
	return result(done, d, err, func(d ccd.Clearance) any {
		out := []float64{float64(d.Kind), float64(d.A), float64(d.B), d.Time, d.Lo, d.Hi, d.U, d.V}
		for _, x := range [3][3]float64{d.PointA, d.PointB, d.Normal} {
			out = append(out, x[:]...)
		}
		return floats(append(out, d.Epsilon))
	})
}

// why calls Step.Why.
func why(args []js.Value) (any, error) {
	o, done := optionsOf(args[1])
	w, err := stepOf(args[0]).Why(o)
	return result(done, w, err, whyRow)
}

// whyRow returns an impact and eleven numbers, four counts by cause, and six numbers with vertices
// of each other pair; the vertices with their places at the start and the end; and the sentences.
func whyRow(w ccd.Why) any {
	row := append(impactRow(nil, &w.Impact), float64(w.Cause), w.Alpha, w.DistanceLo, w.DistanceHi, w.Separation,
		w.Radius[0], w.Radius[1], float64(w.Initial), float64(w.Rings), float64(w.Same[0]), float64(w.Same[1]))
	for cause := ccd.CauseCrossing; cause <= ccd.CauseSeparation; cause++ {
		row = append(row, float64(w.AtStart[cause]))
	}
	var pair []float64
	for _, v := range w.Vertices {
		pair = append(pair, float64(v))
	}
	for _, x := range append(w.X0, w.X1...) {
		pair = append(pair, x[:]...)
	}
	var others []float64
	for i := range w.Others {
		l := &w.Others[i]
		others = append(others, float64(l.Cause), l.TOILo, float64(l.Kind), float64(l.A), float64(l.B),
			float64(len(l.Vertices)))
		for _, v := range l.Vertices {
			others = append(others, float64(v))
		}
	}
	return map[string]any{"row": floats(row), "pair": floats(pair), "others": floats(others), "text": w.String()}
}

// gradients reads (step, options, impacts), where an impact is (verdict, kind, a, b).
func gradients(args []js.Value) (any, error) {
	o, done := optionsOf(args[1])
	numbers := list[float64](args[2])
	given := make([]ccd.Impact, len(numbers)/4)
	for i := range given {
		n := numbers[4*i:]
		given[i] = ccd.Impact{Verdict: ccd.Verdict(n[0]), Kind: ccd.Kind(n[1]), A: int(n[2]), B: int(n[3])}
	}
	found, err := stepOf(args[0]).Gradients(given, o)
	return result(done, found, err, func(found []ccd.Gradient) any { return rows(found, gradientRow) })
}

func gradientRow(out []float64, g *ccd.Gradient) []float64 {
	out = append(out, float64(g.State), float64(g.Kind))
	for _, x := range append(g.X0[:], g.X1[:]...) {
		out = append(out, x[:]...)
	}
	out = append(out, g.TOI, g.Conditioning)
	out = append(append(out, g.Weights[:]...), g.Normal[:]...)
	for _, v := range g.Vertices {
		out = append(out, float64(v))
	}
	return out
}
