package patch

import (
	"cmp"
	"slices"
)

// ordered returns two patches in an order that depends on their content alone, so that the result
// for a pair has the same bits in either order. callersFirst becomes the number of the caller's
// first patch.
func (q *query) ordered(a, b *Patch) (first, second *Patch) {
	if q.callersFirst = 0; a.compare(b) > 0 {
		q.callersFirst = 1
		return b, a
	}
	return a, b
}

// compare orders patches by their form, control points and weights.
func (p *Patch) compare(q *Patch) int {
	return cmp.Or(cmp.Compare(p.Form.Shape, q.Form.Shape), cmp.Compare(p.Form.U, q.Form.U),
		cmp.Compare(p.Form.V, q.Form.V),
		slices.Compare(p.X0, q.X0), slices.Compare(p.X1, q.X1), slices.Compare(p.W, q.W), cmp.Compare(p.Err, q.Err),
		cmp.Compare(p.WErr, q.WErr), p.trimming.compare(q.trimming))
}
