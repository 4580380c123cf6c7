package linear

import (
	"math"
	"math/rand"
	"testing"

	"ccd/simd/internal/level"
)

// cornersByDefinition returns the loop of the doc comment, comparisons included.
func cornersByDefinition(coef *[6][3]float64, p *[7]float64, lim *[3]float64) (out [3][8]float64, above, below uint32) {
	for k := range 3 {
		for i := range 8 {
			t, u, v := p[i>>2], p[2+i>>1&1], p[5+i&1]
			if i&3 == 3 {
				u = p[4]
			}
			a := coef[0][k] + float64(coef[3][k]*t)
			b := coef[1][k] + float64(coef[4][k]*t)
			c := coef[2][k] + float64(coef[5][k]*t)
			out[k][i] = a + float64(b*u) + float64(c*v)
		}
		over, under := compare(&out[k], lim[k])
		above |= over << (8 * k)
		below |= under << (8 * k)
	}
	return out, above, below
}

func compare(g *[8]float64, lim float64) (above, below uint32) {
	for i, x := range g {
		if x > lim {
			above |= 1 << i
		}
		if x < -lim {
			below |= 1 << i
		}
	}
	return above, below
}

// TestCornersSameBits compares every level with the definition, values on the limit and infinite
// limits among them.
func TestCornersSameBits(t *testing.T) {
	for _, l := range level.Levels() {
		restore, err := level.Force(l)
		if err != nil {
			t.Fatal(err)
		}
		defer restore()
		r := rand.New(rand.NewSource(3))
		for range 20000 {
			number := func() float64 {
				switch r.Intn(4) {
				case 0:
					return float64(r.Intn(5) - 2)
				case 1:
					return math.Ldexp(r.NormFloat64(), r.Intn(40)-20)
				}
				return r.NormFloat64()
			}
			checkCorners(t, l, number)
		}
	}
}

func checkCorners(t *testing.T, level string, number func() float64) {
	t.Helper()
	var coef [6][3]float64
	for i := range coef {
		coef[i] = [3]float64{number(), number(), number()}
	}
	var p [7]float64
	for i := range p {
		p[i] = number()
	}
	lim := [3]float64{math.Abs(number()), math.Abs(number()), math.Inf(1)}
	want, wantAbove, wantBelow := cornersByDefinition(&coef, &p, &lim)
	var got [3][8]float64
	above, below := Corners(&coef, p[0], p[1], p[2], p[3], p[4], p[5], p[6], &lim, &got)
	if got != want {
		t.Fatalf("%s: %v %v: values\n%v, want\n%v", level, coef, p, got, want)
	}
	if above != wantAbove || below != wantBelow {
		t.Fatalf("%s: %v with limits %v: sides %x %x, want %x %x", level, want, lim, above, below, wantAbove, wantBelow)
	}
	d := [3]float64{number(), number(), number()}
	var g, h [8]float64
	for i := range g {
		g[i] = float64(d[0]*want[0][i]) + float64(d[1]*want[1][i]) + float64(d[2]*want[2][i])
	}
	e := math.Abs(g[int(math.Float64bits(d[0])&7)]) // a value on the limit
	wantAbove, wantBelow = compare(&g, e)
	above, below = Project(&want, d[0], d[1], d[2], e, &h)
	if g != h || above != wantAbove || below != wantBelow {
		t.Fatalf("%s: %v on %v: %v %x %x, want %v %x %x", level, want, d, h, above, below, g, wantAbove, wantBelow)
	}
}
