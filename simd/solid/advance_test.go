package solid

import (
	"fmt"
	"math"
	"math/rand"
	"testing"

	"ccd/simd/internal/checks"
	"ccd/simd/internal/vec"
)

// someSiblings draws two boxes with orthonormal axes, of size at most size around a place.
func someSiblings(r *rand.Rand, size float64, at vec.Vec3) *SiblingBoxes {
	var t SiblingBoxes
	for k := range 2 {
		c := vec.Plus(at, vec.Vec3{X: size * r.NormFloat64(), Y: size * r.NormFloat64(), Z: size * r.NormFloat64()})
		x, y, z := someAxes(r)
		h := vec.Vec3{X: size * r.Float64(), Y: size * r.Float64(), Z: size * r.Float64()}
		if r.Intn(3) == 0 {
			h.Z = 0 // a triangle's
		}
		for row, v := range []vec.Vec3{c, x, y, z, h} {
			t[3*row][k], t[3*row+1][k], t[3*row+2][k] = v.X, v.Y, v.Z
		}
		t[BoxR][k] = math.Sqrt(vec.Dot(h, h)) * (1 + 0x1p-50)
	}
	return &t
}

func someAxes(r *rand.Rand) (x, y, z vec.Vec3) {
	if r.Intn(4) == 0 {
		return vec.Vec3{X: 1, Y: 0, Z: 0}, vec.Vec3{X: 0, Y: 1, Z: 0}, vec.Vec3{X: 0, Y: 0, Z: 1}
	}
	unit := func(v vec.Vec3) vec.Vec3 {
		l := math.Sqrt(vec.Dot(v, v))
		return vec.Vec3{X: v.X / l, Y: v.Y / l, Z: v.Z / l}
	}
	x = unit(vec.Vec3{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()})
	z = unit(vec.Cross(x, vec.Vec3{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}))
	return x, vec.Cross(z, x), z
}

// someMotions draws two motions.
func someMotions(r *rand.Rand) *RelativeMotion {
	var m RelativeMotion
	set := func(row, lane int, v vec.Vec3) {
		for l := lane; l < lane+2; l++ {
			m[row][l], m[row+1][l], m[row+2][l] = v.X, v.Y, v.Z
		}
	}
	draw := func(s float64) vec.Vec3 {
		return vec.Vec3{X: s * r.NormFloat64(), Y: s * r.NormFloat64(), Z: s * r.NormFloat64()}
	}
	for lane := 0; lane < 4; lane += 2 {
		x, y, z := someAxes(r)
		set(MotionP, lane, x)
		set(MotionP+3, lane, y)
		set(MotionP+6, lane, z)
		sin, cos := math.Sincos(6 * r.Float64())
		spin := draw(2)
		if r.Intn(4) == 0 {
			spin, sin, cos = vec.Vec3{}, 0, 1
		} else {
			for k := range 6 {
				set(MotionQ+3*k, lane, draw(0.01))
			}
		}
		set(MotionSpin, lane, spin)
		rate := math.Sqrt(vec.Dot(spin, spin)) * (1 + 0x1p-50)
		for l := lane; l < lane+2; l++ {
			m[MotionSin][l], m[MotionCos][l], m[MotionRate][l] = sin, cos, rate
		}
		if r.Intn(4) == 0 {
			set(MotionPivot, lane, draw(0.1))
		}
	}
	spins := [2]vec.Vec3{m.vec(MotionSpin, 0), m.vec(MotionSpin, 2)}
	d := vec.Minus(spins[1], spins[0])
	set(MotionD, 0, d)
	set(MotionD, 2, d)
	speed := []float64{0, 1, 1, 300}[r.Intn(4)]
	v := draw(speed)
	set(MotionV, 2, v)
	x := draw([]float64{1, 3, 0.1}[r.Intn(3)])
	set(MotionX, 2, x)
	for row, x := range map[int]float64{
		MotionGoal: 1e-10, MotionMargin: 1e-13, MotionVMargin: 1e-13, MotionKMargin: 1e-13,
		MotionSpeed: math.Sqrt(vec.Dot(v, v)), MotionSpan: []float64{1, 0.01, 1e6, 0}[r.Intn(4)],
		MotionApart: math.Sqrt(vec.Dot(d, d)) * advanceStretch, MotionWay: math.Sqrt(vec.Dot(x, x)) * advanceStretch,
	} {
		m[row] = [4]float64{x, x, x, x}
	}
	return &m
}

// TestAdvanceSameBits: all levels give the same bits, in every lane and whichever of them are
// wanted.
func TestAdvanceSameBits(t *testing.T) {
	t.Run("Advance", func(t *testing.T) { sameBits(t, Advance, false) })
	t.Run("AdvanceTurning", func(t *testing.T) { sameBits(t, AdvanceTurning, true) })
}

// advances is Advance or AdvanceTurning.
type advances func(m *RelativeMotion, a, b *SiblingBoxes, want uint8, out *[4]float64)

func sameBits(t *testing.T, run advances, turning bool) {
	r := rand.New(rand.NewSource(71))
	var zero, some, all int
	for n := range 20000 {
		m := someMotions(r)
		size := math.Ldexp(1, -r.Intn(8))
		a, b := someSiblings(r, size, vec.Vec3{}), someSiblings(r, size*math.Ldexp(1, r.Intn(5)-2), vec.Vec3{})
		want := uint8(15)
		if n%4 == 0 {
			want = []uint8{1, 2, 4, 8, 3, 12, 5, 10}[r.Intn(8)]
		}
		var whole [4]float64
		advanceGeneric(m, a, b, 15, turning, &whole)
		checks.AtLevels(t, func(level string) {
			var got [4]float64
			run(m, a, b, want, &got)
			for k := range got {
				if want>>k&1 == 1 && math.Float64bits(got[k]) != math.Float64bits(whole[k]) {
					t.Fatalf("%s, case %d: pair %d of %04b is %v, want %v", level, n, k, want, got[k], whole[k])
				}
			}
		})
		for _, x := range whole {
			switch {
			case x == 0:
				zero++
			case x < m[MotionSpan][0]:
				some++
			default:
				all++
			}
		}
	}
	t.Logf("%d pairs are not advanced, %d within the span, %d to its end", zero, some, all)
	if min(zero, some, all) < 5000 {
		t.Error("too one-sided")
	}
}

func BenchmarkAdvance(b *testing.B) {
	r := rand.New(rand.NewSource(72))
	type query struct {
		m    *RelativeMotion
		a, b *SiblingBoxes
	}
	var list [64]query
	for i := range list {
		list[i] = query{someMotions(r), someSiblings(r, 0.1, vec.Vec3{}), someSiblings(r, 0.1, vec.Vec3{})}
	}
	checks.AtLevels(b, func(level string) {
		for name, run := range map[string]advances{"short": Advance, "turning": AdvanceTurning} {
			b.Run(fmt.Sprint(level, "/", name), func(b *testing.B) {
				var out [4]float64
				for n := 0; b.Loop(); n++ {
					q := &list[n%len(list)]
					run(q.m, q.a, q.b, 15, &out)
				}
			})
		}
	})
}
