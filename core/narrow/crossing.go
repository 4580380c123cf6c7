package narrow

import "ccd/core/geom"

// EachCrossing calls found for each pair of an edge and a face that share a point at t = 0. inside
// is true if floats prove that they meet at one point, inside of both. See
// exact.Resolver.EachCrossing.
func (s *Solver) EachCrossing(mo *geom.Trajectories, edges [][2]int32, faces [][3]int32, pairs [][2]int32,
	wanted func(i int) bool, found func(i int, inside bool) bool) {
	s.exact.EachCrossing(mo, edges, faces, pairs, wanted, found)
}

// CrossingImpact writes the impact at t = 0 of an edge and a face that share a point. See
// exact.Resolver.CrossingImpact.
func (s *Solver) CrossingImpact(q *[15]float64, out *geom.Impact) { s.exact.CrossingImpact(q, out) }
