package constraint_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/ccdtest/constraints"
	"ccd/core/constraint"
	"ccd/core/geom"
	"ccd/core/status"
)

// ofTwo returns the constraint of two points, with the vertices of a pair, whose normal is the z
// axis.
func ofTwo(a, b, c, d int32) constraint.Constraint {
	return constraint.Constraint{
		Impact: geom.Impact{Normal: [3]float64{0, 0, 1}}, Vertices: [4]int32{a, b, c, d},
		Weights: [4]float64{1, -1, 0, 0},
	}
}

// Law 5 where numbers are at their ends.
func TestEffectiveMassExtremes(t *testing.T) {
	c := ofTwo(0, 1, 2, 3)
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
		if err := constraint.EffectiveMass([]constraint.Constraint{c}, k.inverse, out); err != nil || out[0] != k.want {
			t.Errorf("inverse masses %v: mass %v, error %v; want %v", k.inverse, out[0], err, k.want)
		}
	}
	c.Weights = [4]float64{1e-170, -1, 0, 0} // its square underflows
	out := []float64{7}
	err := constraint.EffectiveMass([]constraint.Constraint{c}, []float64{1, 0, 0, 0}, out)
	if err != nil || out[0] != 0 {
		t.Errorf("mass %v, error %v: want 0", out[0], err)
	}
}

// fuzzConstraints makes constraints of bytes: of few vertices, so that many share some, of any
// kind, with any weights and normals.
func fuzzConstraints(r *rand.Rand, b []byte, n int) []constraint.Constraint {
	set := make([]constraint.Constraint, len(b)/8)
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
		constraints.CheckEntries(t, set, n)
		mass := constraints.RandomInverseMass(r, n)
		constraints.CheckMass(t, set[:min(len(set), 20)], mass)
		constraints.CheckColors(t, set, n, mass)
		constraints.CheckColors(t, set, n, nil)
	})
}

func TestContactRowsRefuse(t *testing.T) {
	good := ofTwo(0, 1, 2, 3)
	changed := func(change func(*constraint.Constraint)) []constraint.Constraint {
		set := []constraint.Constraint{good, good}
		change(&set[1])
		return set
	}
	mass := []float64{1, 1, 1, 1}
	for _, k := range []struct {
		set  []constraint.Constraint
		kind error
		text string
	}{
		{
			changed(func(c *constraint.Constraint) { c.Vertices[2] = 4 }),
			status.ErrIndex, "constraints[1].vertices[2] is 4: there are 4 vertices",
		},
		{
			changed(func(c *constraint.Constraint) { c.Vertices[0] = -1 }),
			status.ErrIndex, "constraints[1].vertices[0] is -1: there are 4 vertices",
		},
		{
			changed(func(c *constraint.Constraint) { c.Weights[3] = math.NaN() }),
			status.ErrNonFinite, "constraints[1].weights[3] is NaN: not finite or above 1e150",
		},
		{
			changed(func(c *constraint.Constraint) { c.Normal[1] = math.Inf(1) }),
			status.ErrNonFinite, "constraints[1].impact.normal[1] is +Inf: not finite or above 1e150",
		},
	} {
		rows, colors, out := []int32{7, 7, 7}, []int32{7, 7}, []float64{7, 7}
		count, err := constraint.Colors(k.set, 4, mass, colors)
		for _, err := range []error{
			constraint.Jacobian(k.set, 4, constraint.NormalFrame, rows, make([]int32, 24), make([]float64, 24)),
			constraint.EffectiveMass(k.set, mass, out), err,
		} {
			if err == nil || err.Error() != k.text || !errors.Is(err, k.kind) {
				t.Errorf("error %q, want %q", err, k.text)
			}
		}
		if count != 0 || !slices.Equal(rows, []int32{0, 0, 0}) || !slices.Equal(colors, []int32{-1, -1}) ||
			!slices.Equal(out, []float64{0, 0}) {
			t.Errorf("%v: rows %v, colors %v, masses %v after an error", k.text, rows, colors, out)
		}
	}
	set := changed(func(c *constraint.Constraint) { c.Normal = [3]float64{} })
	refused := func(err error, text string) {
		t.Helper()
		if err == nil || err.Error() != text || errors.Is(err, status.ErrIndex) {
			t.Errorf("error %q, want %q", err, text)
		}
	}
	room, values := make([]int32, 99), make([]float64, 99)
	refusedRows := func(set []constraint.Constraint, n int, frame constraint.Frame, text string) {
		t.Helper()
		refused(constraint.Jacobian(set, n, frame, room, room, values), text)
	}
	refusedRows(set, 4, constraint.ContactFrame,
		"constraints[1].impact.normal is 0: it has no direction")
	refusedRows(set, 4, 2,
		"frame is 2: must be CCD_FRAME_NORMAL or CCD_FRAME_CONTACT")
	refusedRows(set, 1<<30, 1,
		"n is 1073741824: the Jacobian has 3 n columns, which are at most 2^31 - 1")
	refused(constraint.EffectiveMass(set, []float64{1, -1, 1, 1}, values),
		"inverse_mass[1] is -1: must not be negative")
	refused(constraint.EffectiveMass(set, []float64{1, 1, math.NaN(), 1}, values),
		"inverse_mass[2] is NaN: not finite or above 1e150")
}
