package patch

import "math"

// Patches of one form that come together over a region, as two sheets that lie on each other do,
// have contacts everywhere at once: the search for the first would have to halve both down to where
// their curvature is below the tolerance. One proof for the whole of both spares it.
//
// Let b be reparametrized (turned or transposed) so that its control points correspond to a's, with
// the same weights. Then
//
//	F(x,y,t) = A(x,t) - B(y,t) = (A(x,t) - A(y,t)) + C(y,t)
//	C(y,t)   = A(y,t) - B(y,t) = sum_i R_i(y) c_i(t),  c_i = a_i - b_i
//
// for both have the same basis. For x - y of given signs the first term is a combination, with
// factors >= 0, of the differences of a's control points along u and along v with these signs
// (docs/proofs/patches.md, "The wedge"), and the second a mean of the c_i. If on a direction n the
// products with all these are positive, n.F is. A direction for each of the signs proves the
// patches apart: a cone, as for neighbors, of vectors that move linearly. It holds up to the time
// at which the c_i vanish, where a is a graph, steep or not, over the direction from which b comes.

// sheetProof is the proof, tried now and then during a search.
type sheetProof struct {
	*query
	next  int64 // the cell at which to try it
	cone  cone
	over  overlay
	turns [2][]int32
	match []int32
}

// firstSheetProof is how many cells are taken up before the proof is tried: most queries are over
// by then. It is tried again each time that the search has become four times as long.
const firstSheetProof = 40

func (s *sheetProof) begin(q *query) {
	s.query, s.next = q, firstSheetProof
	s.over.parts, s.over.tried, s.over.gained = false, 0, 0
}

// prove moves the time from, which the whole search has come to, on to the one up to which the
// proof holds, if this is the cell to try it at. all reports that it holds to the end of the
// search.
func (s *sheetProof) prove(from float64) (until float64, all bool) {
	if s.Work.Cells != s.next || s.check.separation > 0 || s.over.parts {
		return from, false
	}
	s.next *= 4
	until, all = from, false
	if match := s.matching(from); match != nil {
		until, all = s.proveFor(0, from, match)
	}
	for k := 0; k < 4 && !(until > from) && !all; k++ { // parts of one surface that are described by other nets
		if s.overlayOn(k&1, from, k >= 2) {
			if until, all = s.proveFor(k&1, from, nil); !(until > from) && !all && s.trees[0].form.Shape == Quad &&
				!s.trees[0].rational {
				s.over.parts, s.over.tried, s.over.gained = true, 0, 0
				return from, false
			}
		}
	}
	return until, all
}

// proveFor returns the time up to which the proof holds from a time on, between a patch and the
// other, whose control points correspond to its own, or as they are overlaid. all reports that it
// holds to the end of the search, at that time too.
func (s *sheetProof) proveFor(host int, from float64, match []int32) (until float64, all bool) {
	until, all = s.until, true
	for _, signs := range signsOf(s.trees[host].form) {
		at := from
		s.cone.clear(0)
		for _, d := range signs {
			s.cone.addDifferences(&s.trees[host], 0, d, -1, 0)
		}
		if match != nil {
			s.cone.addCorresponding(&s.trees[0], &s.trees[1], match)
		} else {
			s.cone.addOverlay(&s.over)
		}
		if !s.cone.advance(&s.check, &at, until) {
			until, all = at, false
		}
		if !(until > from) && !all {
			break
		}
	}
	return until, all
}

// signsOf returns the directions along which x - y can be made up of steps: ^d for the opposite
// of d.
func signsOf(f Form) [][]int {
	switch {
	case f.U == 0:
		return nil
	case f.Shape == Curve:
		return [][]int{{0}, {^0}}
	}
	return [][]int{{0, 1}, {0, ^1}, {^0, 1}, {^0, ^1}}
}

// matching finds for every control point of the first patch the corresponding one of the second: of
// all ways to turn the parameters, that with the least sum of squared distances at time t. Nil if
// the forms or the weights are not the same, or if the differences do not point all the same way,
// and a proof is out of the question.
func (s *sheetProof) matching(t float64) []int32 {
	a, b := &s.trees[0], &s.trees[1]
	if a.form.Shape != b.form.Shape || a.n != b.n || a.rational != b.rational || a.form.U == 0 {
		return nil
	}
	s.check.a.set(a, 0)
	s.check.b.set(b, 0)
	best, least := []int32(nil), math.Inf(1)
	for k := range 8 {
		to := turned(a.form, b.form, k, s.turns[k%2][:0])
		if s.turns[k%2] = to; len(to) == 0 {
			continue
		}
		sum, mean := 0.0, vec{}
		for i, j := range to {
			d := s.check.a.point(i, t).sub(s.check.b.point(int(j), t))
			sum, mean = sum+d.dot(d), mean.add(d)
			if a.rational && a.at(0, 6)[i] != b.at(0, 6)[j] {
				sum = math.Inf(1)
			}
		}
		for i, j := range to {
			if !(s.check.a.point(i, t).sub(s.check.b.point(int(j), t)).dot(mean) > 0) {
				sum = math.Inf(1)
			}
		}
		if sum < least {
			best, least = append(s.match[:0], to...), sum
			s.match = best
		}
	}
	return best
}

// turned appends the places of control points of form g when its parameters are turned in the k-th
// of 8 ways so that they are those of form f; none if there is no such way.
func turned(f, g Form, k int, to []int32) []int32 {
	if f.Shape == Triangle {
		if k >= 6 || f.U != g.U {
			return to
		}
		for j := 0; j <= f.U; j++ {
			for i := 0; i+j <= f.U; i++ {
				c := [3]int{i, j, f.U - i - j}
				p, q := k%3, (k+1+k/3)%3
				to = append(to, int32(g.Index(c[p], c[q])))
			}
		}
		return to
	}
	if u, v := g.U, g.V; k&4 != 0 && (u != f.V || v != f.U || f.Shape == Curve) || k&4 == 0 && (u != f.U || v != f.V) ||
		f.Shape == Curve && k&2 != 0 {
		return to
	}
	for i := 0; i <= f.U; i++ {
		for j := 0; j <= f.V; j++ {
			x, y := i, j
			if k&1 != 0 {
				x = f.U - i
			}
			if k&2 != 0 {
				y = f.V - j
			}
			if k&4 != 0 {
				x, y = y, x
			}
			to = append(to, int32(g.Index(x, y)))
		}
	}
	return to
}

// addCorresponding adds the differences of the control points of two patches that correspond to
// each other. Each is off by the errors of both.
func (c *cone) addCorresponding(a, b *tree, match []int32) {
	c.addSet(a.n, a.nodes[0].err+b.nodes[0].err, func(i, k int) float64 { return a.at(0, k)[i] - b.at(0, k)[match[i]] })
}

// addOverlay adds those of an overlay.
func (c *cone) addOverlay(o *overlay) {
	c.addSet(len(o.nets[0]), o.off, func(i, k int) float64 { return o.nets[0][i].at(k) - o.nets[1][i].at(k) })
}

// addSet adds n differences, whose terms are off by lost together. Rounding adds U of its
// magnitude, positions and displacements together, to each, and so does its scaling.
func (c *cone) addSet(n int, lost float64, difference func(i, k int) float64) {
	f := c.newSet(n)
	for k := range 6 {
		x := f.x[k*f.pad : (k+1)*f.pad]
		for i := range n {
			x[i] = difference(i, k)
		}
	}
	top := f.magnitude()
	c.finish(f, toUnit(top), top, lost+float64(0x1p-51*top))
}
