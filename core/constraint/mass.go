package constraint

import "math"

// EffectiveMass writes the mass that each constraint opposes to an impulse: 1 / (J M^-1 J^T) on the
// diagonal, the inverse of K = sum of weight^2 x inverse mass over the vertices. All rows of a
// constraint have the same one, since normal and tangents have length 1. It is 0 where no impulse
// can move the points apart, because the inverse masses are 0, and where 1/K is above the doubles.
//
// inverseMass has a number for each vertex, out one for each constraint. On an error out is 0.
func EffectiveMass(set []Constraint, inverseMass, out []float64) error {
	clear(out)
	err := CheckInverseMass(inverseMass)
	if err == nil {
		err = checkConstraints(set, len(inverseMass))
	}
	if err != nil {
		return err
	}
	for i := range set {
		s := stencilOf(&set[i])
		sum := 0.0
		for j, v := range s.vertices[:s.count] {
			w := s.weights[j]
			sum += float64(w * float64(w*inverseMass[v]))
		}
		if mass := 1 / sum; sum > 0 && mass <= math.MaxFloat64 {
			out[i] = mass
		}
	}
	return nil
}
