package overlap

import (
	"errors"
	"math"
	"math/big"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/bvh"
	"ccd/core/status"
)

// Volumes that doubles do not reach: brackets hold them, and those that are wider than the tolerance
// say so, whatever the scale.
func TestVolumesBeyondDoubles(t *testing.T) {
	for e := -1000; e <= 480; e += 20 {
		s := math.Ldexp(1, e)
		a := boxTriangles(r3.Vec{}, r3.Vec{X: s, Y: s, Z: s})
		b := boxTriangles(r3.Vec{X: s / 4, Y: s / 2}, r3.Vec{X: 2 * s, Y: 3 * s, Z: s})
		got, err := measured(t, a, b, &Options{}, 1)
		if err != nil {
			t.Fatal(err)
		}
		want := new(big.Rat).Mul(big.NewRat(3, 8), cube(e))
		for _, c := range []struct {
			name string
			v    Bracket
			want *big.Rat
		}{{"common", got.Volume, want}, {"a", got.A, cube(e)}} {
			over := math.IsInf(c.v.Hi, 1) && c.v.Lo == math.MaxFloat64 &&
				c.want.Cmp(new(big.Rat).SetFloat64(math.MaxFloat64)) > 0
			if !over && !holds(c.v, c.want) || c.v.Lo < 0 {
				t.Errorf("2^%d: %s is %v", e, c.name, c.v)
			}
		}
		wide := !(got.Volume.Hi-got.Volume.Lo <= DefaultTolerance*got.Volume.Lo)
		if unfinished := got.Flags&Unfinished != 0; unfinished != wide || wide != (3*e < -1050 || 3*e > 1024) {
			t.Errorf("2^%d: %v, flags %d", e, got.Volume, got.Flags)
		}
	}
}

func cube(e int) *big.Rat {
	x := new(big.Int).Lsh(big.NewInt(1), uint(3*max(e, -e)))
	if e < 0 {
		return new(big.Rat).SetFrac(big.NewInt(1), x)
	}
	return new(big.Rat).SetInt(x)
}

// Parts of a surface above the common box, in the direction of the columns, do not matter to whether
// it is refused: neither do those that overlap there count, nor do others hide what overlaps in it.
func TestShellsAboveTheCommonBox(t *testing.T) {
	part := func(from, to float64) []bvh.Triangle { return boxTriangles(r3.Vec{Z: from}, r3.Vec{X: 1, Y: 1, Z: to}) }
	b := part(-0.5, 0.25)
	for _, refused := range []bool{false, true} {
		a := append(part(0, 1), part(2, 3)...)
		if refused {
			a = append(a, part(0, 1)...)
		} else {
			a = append(a, part(2.5, 3.5)...)
		}
		for _, swap := range []bool{false, true} {
			x, y := a, b
			if swap {
				x, y = b, a
			}
			got, err := measured(t, x, y, &Options{}, 1)
			if errors.Is(err, status.ErrArgument) != refused ||
				!refused && (err != nil || got.Flags != 0 || !holds(got.Volume, big.NewRat(1, 4))) {
				t.Errorf("refused %v, swapped %v: %v, %v", refused, swap, got, err)
			}
		}
	}
}
