// Package constraints holds the laws of contact constraints as checks, for the tests of
// core/constraint and for those of core/step, which have the scenes. See docs/numerics.md, contact
// Jacobians.
package constraints

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"ccd/core/constraint"
)

// matrix is a contact Jacobian as Jacobian writes it.
type matrix struct {
	rows, columns []int32
	values        []float64
}

func jacobianOf(t testing.TB, set []constraint.Constraint, n int, frame constraint.Frame) matrix {
	t.Helper()
	most := 12 * int(frame) * len(set)
	m := matrix{make([]int32, int(frame)*len(set)+1), make([]int32, most), make([]float64, most)}
	if err := constraint.Jacobian(set, n, frame, m.rows, m.columns, m.values); err != nil {
		t.Fatal(err)
	}
	return m
}

// row is a row as numbers by column; it fails where columns do not ascend or are out of range.
func (m *matrix) row(t testing.TB, i, n int) map[int32]float64 {
	t.Helper()
	out, last := map[int32]float64{}, int32(-1)
	for e := m.rows[i]; e < m.rows[i+1]; e++ {
		if m.columns[e] <= last || int(m.columns[e]) >= 3*n {
			t.Fatalf("row %d: column %d after %d, of %d", i, m.columns[e], last, 3*n)
		}
		last = m.columns[e]
		out[last] = m.values[e]
	}
	return out
}

// CheckEntries is laws 1 and 4: each row has the entries weight x direction, as the record has
// them, and no others.
func CheckEntries(t testing.TB, set []constraint.Constraint, n int) {
	t.Helper()
	normal, contact := jacobianOf(t, set, n, constraint.NormalFrame), jacobianOf(t, set, n, constraint.ContactFrame)
	for i := range set {
		c := &set[i]
		both := make([]float64, 6)
		if err := constraint.Tangents(c.Normal[:], both); err != nil {
			t.Fatal(err)
		}
		for k, axis := range [][]float64{c.Normal[:], both[:3], both[3:]} {
			want := map[int32]float64{}
			for j, v := range c.Vertices {
				for a := range 3 {
					if _, filled := want[3*v+int32(a)]; !filled { // a vertex comes again with weight 0 only
						want[3*v+int32(a)] = c.Weights[j] * axis[a]
					}
				}
			}
			rows := []map[int32]float64{contact.row(t, 3*i+k, n)}
			if k == 0 {
				rows = append(rows, normal.row(t, i, n))
			}
			for _, got := range rows {
				if len(got) != len(want) {
					t.Fatalf("constraint %d, row %d: entries %v, want %v", i, k, got, want)
				}
				for column, x := range want {
					if y, ok := got[column]; !ok || y != x {
						t.Fatalf("constraint %d, row %d, column %d: %v, want %v\n%+v", i, k, column, y, x, *c)
					}
				}
			}
		}
	}
}

// CheckGap is law 2: J x1 less the separation is the gap but for rounding.
func CheckGap(t testing.TB, set []constraint.Constraint, x1 []float64) {
	t.Helper()
	m := jacobianOf(t, set, len(x1)/3, constraint.NormalFrame)
	for i := range set {
		sum, most := 0.0, 0.0
		for e := m.rows[i]; e < m.rows[i+1]; e++ {
			x := x1[m.columns[e]]
			sum, most = sum+float64(m.values[e]*x), max(most, math.Abs(x))
		}
		off := math.Abs(sum - set[i].Separation - set[i].Gap)
		if !(off <= 0x1p-46*most+0x1p-51*(math.Abs(set[i].Gap)+set[i].Separation)+0x1p-1060) {
			t.Fatalf("J x1 is %v, the gap %v: off by %v of %v\n%+v", sum, set[i].Gap, off, most, set[i])
		}
	}
}

// CheckMass is law 5, against the diagonal of J M^-1 J^T over the rationals, of the rows of both
// frames.
func CheckMass(t testing.TB, set []constraint.Constraint, inverseMass []float64) (zero int) {
	t.Helper()
	n := len(inverseMass)
	out := make([]float64, len(set))
	if err := constraint.EffectiveMass(set, inverseMass, out); err != nil {
		t.Fatal(err)
	}
	m := jacobianOf(t, set, n, constraint.ContactFrame)
	rat := func(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }
	for row := range 3 * len(set) {
		sum := new(big.Rat)
		for e := m.rows[row]; e < m.rows[row+1]; e++ {
			x := rat(m.values[e])
			sum.Add(sum, x.Mul(x, x).Mul(x, rat(inverseMass[m.columns[e]/3])))
		}
		mass := out[row/3]
		if k, _ := sum.Float64(); !(k > 0x1p-960) { // above, nothing underflows that counts
			if zero++; mass != 0 && !(mass > 0x1p+950) || k == 0 && mass != 0 {
				t.Fatalf("constraint %d: mass %v, where J M^-1 J^T is %v", row/3, mass, k)
			}
			continue
		}
		off := new(big.Rat).Sub(new(big.Rat).Mul(sum, rat(mass)), big.NewRat(1, 1))
		if off.Abs(off).Cmp(rat(0x1p-46)) > 0 {
			x, _ := off.Float64()
			t.Fatalf("constraint %d, row %d: the mass %v is off by %v\n%+v", row/3, row%3, mass, x, set[row/3])
		}
	}
	return zero
}

// RandomInverseMass has static vertices, and masses of many sizes.
func RandomInverseMass(r *rand.Rand, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		if r.IntN(3) > 0 {
			out[i] = math.Ldexp(1+r.Float64(), r.IntN(60)-30)
		}
	}
	return out
}

// CheckColors is law 6, pair by pair: constraints that share a moving vertex have different colors,
// and each has the least that those before it leave.
func CheckColors(t testing.TB, set []constraint.Constraint, n int, inverseMass []float64) (count int) {
	t.Helper()
	colors := make([]int32, len(set))
	count, err := constraint.Colors(set, n, inverseMass, colors)
	if err != nil {
		t.Fatal(err)
	}
	share := func(a, b *constraint.Constraint) bool {
		for i, v := range a.Vertices {
			for j, w := range b.Vertices {
				if v == w && a.Weights[i] != 0 && b.Weights[j] != 0 && (inverseMass == nil || inverseMass[v] > 0) {
					return true
				}
			}
		}
		return false
	}
	most := int32(-1)
	for i := range set {
		taken := map[int32]bool{}
		for j := range i {
			if share(&set[i], &set[j]) {
				if taken[colors[j]] = true; colors[i] == colors[j] {
					t.Fatalf("constraints %d and %d share a vertex and the color %d", i, j, colors[i])
				}
			}
		}
		least := int32(0)
		for taken[least] {
			least++
		}
		if colors[i] != least {
			t.Fatalf("constraint %d has color %d: %d is free", i, colors[i], least)
		}
		most = max(most, least)
	}
	if count != int(most)+1 {
		t.Fatalf("%d colors, the last is %d", count, most)
	}
	return count
}
