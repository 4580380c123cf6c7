package constraint

import "math/bits"

// Colors returns each constraint a color, such that no two of a color share a vertex that moves and
// to which both give weight: a Gauss-Seidel solver may treat all constraints of a color at once. A
// vertex moves if its inverse mass is positive; inverseMass may be nil, and then all n vertices
// move. Colors returns the number of colors.
//
// A constraint has the least color that no constraint before it has at one of its vertices. So the
// result is unique, and there are at most as many colors as a constraint has others beside it, and
// one more. On an error every color is -1.
func Colors(set []Constraint, n int, inverseMass []float64, colors []int32) (int, error) {
	for i := range colors {
		colors[i] = -1
	}
	err := CheckInverseMass(inverseMass)
	if err == nil {
		err = checkConstraints(set, n)
	}
	if err != nil {
		return 0, err
	}
	c := coloring{used: make([]uint64, n), inverseMass: inverseMass}
	left := make([]int32, len(set))
	for i := range left {
		left[i] = int32(i)
	}
	for base := 0; len(left) > 0; base += 64 {
		left = c.pass(set, left, base, colors)
	}
	return c.count, nil
}

// coloring finds the colors, 64 of them in a pass. It is the greedy algorithm all the same: a
// constraint is left for the next pass if constraints before it have all colors of this one, and
// these constraints are the same in either order.
type coloring struct {
	used        []uint64 // used has for each vertex the colors of this pass that constraints at it have.
	inverseMass []float64
	count       int
}

// pass colors those of the constraints left that take one of the 64 colors from base, and returns
// the others in their order.
func (c *coloring) pass(set []Constraint, left []int32, base int, colors []int32) []int32 {
	next := left[:0]
	for _, i := range left {
		moving, count := c.moving(&set[i])
		taken := uint64(0)
		for _, v := range moving[:count] {
			taken |= c.used[v]
		}
		if taken == ^uint64(0) {
			next = append(next, i)
			continue
		}
		color := bits.TrailingZeros64(^taken)
		for _, v := range moving[:count] {
			c.used[v] |= 1 << color
		}
		colors[i] = int32(base + color)
		c.count = max(c.count, base+color+1)
	}
	for _, i := range next { // Only the vertices of these constraints matter to the next pass.
		for _, v := range set[i].Vertices {
			c.used[v] = 0
		}
	}
	return next
}

// moving returns the vertices that a solver changes for a constraint.
func (c *coloring) moving(k *Constraint) (vertices [4]int32, count int) {
	for j, v := range k.Vertices {
		if k.Weights[j] != 0 && (c.inverseMass == nil || c.inverseMass[v] > 0) {
			vertices[count] = v
			count++
		}
	}
	return vertices, count
}
