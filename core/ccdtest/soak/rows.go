package main

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"

	"ccd/core/constraint"
)

// checkRows holds the rows, masses and colors of an active set to the laws of contact Jacobians.
func checkRows(r *rand.Rand, set []constraint.Constraint, x1 []float64) error {
	n := len(x1) / 3
	inverseMass := make([]float64, n)
	for i := range inverseMass {
		if r.IntN(3) > 0 {
			inverseMass[i] = math.Ldexp(1+r.Float64(), r.IntN(60)-30)
		}
	}
	rows, columns, values := make([]int32, 3*len(set)+1), make([]int32, 36*len(set)), make([]float64, 36*len(set))
	mass, colors := make([]float64, len(set)), make([]int32, len(set))
	if err := constraint.Jacobian(set, n, constraint.ContactFrame, rows, columns, values); err != nil {
		return err
	}
	if err := constraint.EffectiveMass(set, inverseMass, mass); err != nil {
		return err
	}
	if _, err := constraint.Colors(set, n, inverseMass, colors); err != nil {
		return err
	}
	for i := range set {
		for k := range 3 {
			from, to := rows[3*i+k], rows[3*i+k+1]
			if err := checkRow(&set[i], k, columns[from:to], values[from:to], x1, inverseMass, mass[i]); err != nil {
				return fmt.Errorf("constraint %d, row %d: %w\n%+v", i, k, err, set[i])
			}
		}
	}
	return checkColors(set, inverseMass, colors)
}

// checkRow holds row k of a constraint to laws 1, 2, 4 and 5, and its direction to law 3.
func checkRow(c *constraint.Constraint, k int, columns []int32, values, x1, inverseMass []float64, mass float64) error {
	both := make([]float64, 6)
	if err := constraint.Tangents(c.Normal[:], both); err != nil {
		return err
	}
	axes := [3][3]float64{c.Normal, [3]float64(both), [3]float64(both[3:])}
	for j := range axes {
		want := 0.0
		if j == k {
			want = 1
		}
		if dot := axes[k][0]*axes[j][0] + axes[k][1]*axes[j][1] +
			axes[k][2]*axes[j][2]; !(math.Abs(dot-want) <= 0x1p-47) {
			return fmt.Errorf("law 3: the product of directions %d and %d is %v", k, j, dot)
		}
	}
	row, most := map[int32]float64{}, 0.0
	exactly := func(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }
	// J x1 less separation and gap, and J M^-1 J^T, without rounding
	along, total := new(big.Rat).Sub(exactly(-c.Gap), exactly(c.Separation)), new(big.Rat)
	for e, column := range columns {
		if e > 0 && column <= columns[e-1] {
			return fmt.Errorf("law 1: column %d after %d", column, columns[e-1])
		}
		row[column] = values[e]
		j := exactly(values[e])
		along.Add(along, new(big.Rat).Mul(j, exactly(x1[column])))
		total.Add(total, j.Mul(j.Mul(j, j), exactly(inverseMass[column/3])))
		most = max(most, math.Abs(x1[column]))
	}
	off, _ := along.Float64()
	square, _ := total.Float64()
	vertices := map[int32]bool{}
	for j, v := range c.Vertices {
		for a := range int32(3) {
			if got, ok := row[3*v+a]; !vertices[v] && (!ok || got != c.Weights[j]*axes[k][a]) {
				return fmt.Errorf("law 1: the entry of vertex %d is %v, want %v", v, got, c.Weights[j]*axes[k][a])
			}
		}
		vertices[v] = true
	}
	switch {
	case len(columns) != 3*len(vertices):
		return fmt.Errorf("law 1: %d entries for %d vertices", len(columns), len(vertices))
	case k == 0 && !(math.Abs(off) <= 0x1p-46*most+0x1p-53*math.Abs(c.Gap)+0x1p-1060):
		return fmt.Errorf("law 2: J x1 less the separation and the gap %v is %v", c.Gap, off)
	case square > 0x1p-960 && !(math.Abs(mass*square-1) <= 0x1p-45), square == 0 && mass > 0x1p-960 && mass < 0x1p960:
		return fmt.Errorf("law 5: the mass is %v, where J M^-1 J^T is %v", mass, square)
	}
	return nil
}

// checkColors holds colors to law 6.
func checkColors(set []constraint.Constraint, inverseMass []float64, colors []int32) error {
	type place struct{ vertex, color int32 }
	taken := map[place]bool{}
	for i := range set {
		c, least := &set[i], int32(0)
		free := func(color int32) bool {
			for j, v := range c.Vertices {
				if c.Weights[j] != 0 && inverseMass[v] > 0 && taken[place{v, color}] {
					return false
				}
			}
			return true
		}
		for !free(least) {
			least++
		}
		if colors[i] != least {
			return fmt.Errorf("law 6: constraint %d has color %d, want %d\n%+v", i, colors[i], least, *c)
		}
		for j, v := range c.Vertices {
			if c.Weights[j] != 0 && inverseMass[v] > 0 {
				taken[place{v, least}] = true
			}
		}
	}
	return nil
}
