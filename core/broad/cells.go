package broad

// How the primitives of a layer get into the cells of its grid.

import "ccd/simd/box"

// beyond returns by how much a cell of the next row may lie beyond the last one.
func (g *grid) beyond() int { return g.n[1] + 2 }

// count adds the entries of some primitives to the counts of the cells and returns their number.
// Most primitives are in one cell or two neighbors, whose counters are both increased, the second
// perhaps by 0: branches on their number would often be predicted wrongly. count has room beyond
// the last cell.
func (g *grid) count(ranges []box.CellRange, count []int32) (total int) {
	row := g.n[1]
	for i := range ranges {
		r := &ranges[i]
		c := int(r.Lo[0])*row + int(r.Lo[1])
		y, z := int(r.Hi[0])-int(r.Lo[0]), int(r.Hi[1])-int(r.Lo[1])
		if y+z <= 1 {
			second := y | z
			count[c]++
			count[c+1+y*(row-1)] += int32(second)
			total += 1 + second
			continue
		}
		total += (y + 1) * (z + 1)
		for range y + 1 {
			for k := c; k <= c+z; k++ {
				count[k]++
			}
			c += row
		}
	}
	return total
}

// scatter writes the primitives from number first of a set on to their cells; at has the position
// of the next entry of each. spare is the position of an entry that takes what a primitive in one
// cell would write to a second one.
func (g *grid) scatter(s *set, first int, ranges []box.CellRange, at []int32, ent []keyed, spare int) {
	row := g.n[1]
	for i := range ranges {
		r := &ranges[i]
		c := int(r.Lo[0])*row + int(r.Lo[1])
		e := keyed{keyOf(r.X0), s.id(first + i)}
		y, z := int(r.Hi[0])-int(r.Lo[0]), int(r.Hi[1])-int(r.Lo[1])
		if y+z <= 1 {
			second := y | z
			ent[at[c]] = e
			at[c]++
			next := &at[c+1+y*(row-1)]
			p := int(*next)
			ent[spare+(p-spare)&-second] = e // The mask is 0 without a second cell, else all bits.
			*next = int32(p + second)
			continue
		}
		for range y + 1 {
			for k := c; k <= c+z; k++ {
				ent[at[k]] = e
				at[k]++
			}
			c += row
		}
	}
}
