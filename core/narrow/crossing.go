package narrow

import "ccd/core/geom"

// Crosses reports whether an edge and a face share a point, q = e0, e1, f0, f1, f2; inside, whether floats prove that they meet at one
// point, inside of both. See exact.Resolver.Crosses.
func (s *Solver) Crosses(q *[15]float64) (crosses, inside bool) { return s.exact.Crosses(q) }

// CrossingImpact writes the impact at t = 0 of an edge and a face that share a point. See exact.Resolver.CrossingImpact.
func (s *Solver) CrossingImpact(q *[15]float64, out *geom.Impact) { s.exact.CrossingImpact(q, out) }
