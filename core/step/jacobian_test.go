package step

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/geom"
	"ccd/core/status"
)

// matrix is a contact Jacobian as Jacobian writes it.
type matrix struct {
	rows, columns []int32
	values        []float64
}

func jacobianOf(t testing.TB, set []Constraint, n int, frame Frame) matrix {
	t.Helper()
	most := 12 * int(frame) * len(set)
	m := matrix{make([]int32, int(frame)*len(set)+1), make([]int32, most), make([]float64, most)}
	if err := Jacobian(set, n, frame, m.rows, m.columns, m.values); err != nil {
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

// checkEntries is laws 1 and 4: each row has the entries weight x direction, as the record has them, and no others.
func checkEntries(t testing.TB, set []Constraint, n int) {
	t.Helper()
	normal, contact := jacobianOf(t, set, n, NormalFrame), jacobianOf(t, set, n, ContactFrame)
	for i := range set {
		c := &set[i]
		both := make([]float64, 6)
		if err := Tangents(c.Normal[:], both); err != nil {
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

// checkGap is law 2: J x1 is the gap but for rounding.
func checkGap(t testing.TB, set []Constraint, x1 []float64) {
	t.Helper()
	m := jacobianOf(t, set, len(x1)/3, NormalFrame)
	for i := range set {
		sum, most := 0.0, 0.0
		for e := m.rows[i]; e < m.rows[i+1]; e++ {
			x := x1[m.columns[e]]
			sum, most = sum+float64(m.values[e]*x), max(most, math.Abs(x))
		}
		if off := math.Abs(sum - set[i].Gap); !(off <= 0x1p-46*most+0x1p-1060) {
			t.Fatalf("J x1 is %v, the gap %v: off by %v of %v\n%+v", sum, set[i].Gap, off, most, set[i])
		}
	}
}

// checkMass is law 5, against the diagonal of J M^-1 J^T over the rationals, of the rows of both frames.
func checkMass(t testing.TB, set []Constraint, inverseMass []float64) (zero int) {
	t.Helper()
	n := len(inverseMass)
	out := make([]float64, len(set))
	if err := EffectiveMass(set, inverseMass, out); err != nil {
		t.Fatal(err)
	}
	m := jacobianOf(t, set, n, ContactFrame)
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

// randomInverseMass has static vertices, and masses of many sizes.
func randomInverseMass(r *rand.Rand, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		if r.IntN(3) > 0 {
			out[i] = math.Ldexp(1+r.Float64(), r.IntN(60)-30)
		}
	}
	return out
}

func TestContactRowsLaws(t *testing.T) {
	rows, zero := 0, 0
	for seed, s := range contactScenes(t) {
		r := ccdtest.NewRand(uint64(seed), 30)
		for name, o := range contactOptions(s.size()) {
			set, err := ActiveSet(s.m, s.x0, s.x1, &o)
			if err != nil {
				t.Fatalf("%s, %s: %v", s.name, name, err)
			}
			checkEntries(t, set, s.m.NV)
			checkGap(t, set, s.x1)
			mass := randomInverseMass(r, s.m.NV)
			zero += checkMass(t, set[:min(len(set), 60)], mass)
			checkColors(t, set, s.m.NV, mass)
			checkColors(t, set, s.m.NV, nil)
			rows += len(set)
		}
	}
	if rows < 2000 || zero < 10 {
		t.Errorf("only %d rows, %d without a mass", rows, zero)
	}
}

// Law 5 where numbers are at their ends.
func TestEffectiveMassExtremes(t *testing.T) {
	c := Constraint{Impact: geom.Impact{Normal: [3]float64{0, 0, 1}}, Vertices: [4]int32{0, 1, 2, 3}, Weights: [4]float64{1, -1, 0, 0}}
	for _, k := range []struct {
		inverse []float64
		want    float64
	}{
		{[]float64{0, 0, 0, 0}, 0},
		{[]float64{0, 0, 1, 1}, 0}, // the points are of vertices that do not move
		{[]float64{2, 0, 7, 7}, 0.5},
		{[]float64{1, 1, 0, 0}, 0.5},
		{[]float64{5e-324, 0, 0, 0}, 0}, // 1/K is above the doubles
		{[]float64{0x1p-1022, 0, 0, 0}, 0x1p1022},
		{[]float64{1e150, 1e150, 0, 0}, 1 / 2e150},
	} {
		out := []float64{7}
		if err := EffectiveMass([]Constraint{c}, k.inverse, out); err != nil || out[0] != k.want {
			t.Errorf("inverse masses %v: mass %v, error %v; want %v", k.inverse, out[0], err, k.want)
		}
	}
	c.Weights = [4]float64{1e-170, -1, 0, 0} // its square underflows
	out := []float64{7}
	if err := EffectiveMass([]Constraint{c}, []float64{1, 0, 0, 0}, out); err != nil || out[0] != 0 {
		t.Errorf("mass %v, error %v: want 0", out[0], err)
	}
}

// fuzzConstraints makes constraints of bytes: of few vertices, so that many share some, of any kind, with any weights and normals.
func fuzzConstraints(r *rand.Rand, b []byte, n int) []Constraint {
	set := make([]Constraint, len(b)/8)
	for i := range set {
		c, raw := &set[i], b[8*i:]
		k := geom.StepKinds[raw[0]%4]
		from := r.Perm(n)
		for j, w := range k.Info().Widen {
			c.Vertices[j] = int32(from[w])
		}
		u := float64(raw[1]) / 255
		v := (1 - u) * float64(raw[2]) / 255
		c.Kind, c.Weights = k, k.Info().Weights(u, v)
		for c.Normal == [3]float64{} {
			for a := range 3 {
				c.Normal[a] = math.Ldexp(float64(int8(raw[3+a]))+r.Float64()-0.5, -int(raw[6]%70))
				if raw[7]>>a&1 != 0 {
					c.Normal[a] = 0
				}
			}
			raw = []byte{0, 0, 0, 1, 2, 3, 0, 0}
		}
		length := math.Hypot(math.Hypot(c.Normal[0], c.Normal[1]), c.Normal[2])
		for a := range 3 {
			c.Normal[a] /= length
		}
	}
	return set
}

// FuzzContactRows holds rows, masses and colors of any constraints to their laws.
func FuzzContactRows(f *testing.F) {
	f.Add([]byte("0123456789abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"), uint64(1))
	f.Add([]byte{0, 0, 0, 0, 0, 255, 0, 3, 3, 255, 0, 128, 1, 1, 69, 0}, uint64(2))
	f.Fuzz(func(t *testing.T, b []byte, seed uint64) {
		r := ccdtest.NewRand(seed, 31)
		n := 4 + r.IntN(12)
		set := fuzzConstraints(r, b[:min(len(b), 2400)], n)
		checkEntries(t, set, n)
		mass := randomInverseMass(r, n)
		checkMass(t, set[:min(len(set), 20)], mass)
		checkColors(t, set, n, mass)
		checkColors(t, set, n, nil)
	})
}

func TestContactRowsRefuse(t *testing.T) {
	good := Constraint{Impact: geom.Impact{Normal: [3]float64{0, 0, 1}}, Vertices: [4]int32{0, 1, 2, 3}, Weights: [4]float64{1, -1, 0, 0}}
	changed := func(change func(*Constraint)) []Constraint {
		set := []Constraint{good, good}
		change(&set[1])
		return set
	}
	mass := []float64{1, 1, 1, 1}
	for _, k := range []struct {
		set  []Constraint
		kind error
		text string
	}{
		{changed(func(c *Constraint) { c.Vertices[2] = 4 }), status.ErrIndex, "constraints[1].vertices[2] is 4: there are 4 vertices"},
		{changed(func(c *Constraint) { c.Vertices[0] = -1 }), status.ErrIndex, "constraints[1].vertices[0] is -1: there are 4 vertices"},
		{changed(func(c *Constraint) { c.Weights[3] = math.NaN() }), status.ErrNonFinite, "constraints[1].weights[3] is NaN: not finite or above 1e150"},
		{changed(func(c *Constraint) { c.Normal[1] = math.Inf(1) }), status.ErrNonFinite, "constraints[1].impact.normal[1] is +Inf: not finite or above 1e150"},
	} {
		rows, colors, out := []int32{7, 7, 7}, []int32{7, 7}, []float64{7, 7}
		count, err := Colors(k.set, 4, mass, colors)
		for _, err := range []error{
			Jacobian(k.set, 4, NormalFrame, rows, make([]int32, 24), make([]float64, 24)), EffectiveMass(k.set, mass, out), err,
		} {
			if err == nil || err.Error() != k.text || !errors.Is(err, k.kind) {
				t.Errorf("error %q, want %q", err, k.text)
			}
		}
		if count != 0 || !slices.Equal(rows, []int32{0, 0, 0}) || !slices.Equal(colors, []int32{-1, -1}) || !slices.Equal(out, []float64{0, 0}) {
			t.Errorf("%v: rows %v, colors %v, masses %v after an error", k.text, rows, colors, out)
		}
	}
	set := changed(func(c *Constraint) { c.Normal = [3]float64{} })
	refused := func(err error, text string) {
		t.Helper()
		if err == nil || err.Error() != text || errors.Is(err, status.ErrIndex) {
			t.Errorf("error %q, want %q", err, text)
		}
	}
	room, values := make([]int32, 99), make([]float64, 99)
	refused(Jacobian(set, 4, ContactFrame, room, room, values), "constraints[1].impact.normal is 0: it has no direction")
	refused(Jacobian(set, 4, 2, room, room, values), "frame is 2: must be CCD_FRAME_NORMAL or CCD_FRAME_CONTACT")
	refused(Jacobian(set, 1<<30, 1, room, room, values), "n is 1073741824: the Jacobian has 3 n columns, which are at most 2^31 - 1")
	refused(EffectiveMass(set, []float64{1, -1, 1, 1}, values), "inverse_mass[1] is -1: must not be negative")
	refused(EffectiveMass(set, []float64{1, 1, math.NaN(), 1}, values), "inverse_mass[2] is NaN: not finite or above 1e150")
}
