package patch

import (
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"ccd/simd/internal/checks"
)

func TestNetLayout(t *testing.T) {
	var d Net
	for _, o := range []struct{ got, want uintptr }{
		{unsafe.Offsetof(d.previous), 0}, {unsafe.Offsetof(d.next), 128}, {unsafe.Offsetof(d.weight), 256},
		{unsafe.Offsetof(d.halves), 384},
		{unsafe.Offsetof(d.stages), 448}, {unsafe.Offsetof(d.pad), 456},
	} {
		if o.got != o.want {
			t.Errorf("offset %d, the kernels have %d", o.got, o.want)
		}
	}
}

// rowsOf are rows of any lengths that share out n points in any order.
func rowsOf(r *rand.Rand, n int) (rows [][]int32) {
	order := r.Perm(n)
	for len(order) > 0 {
		k := 1 + r.IntN(min(len(order), halveStages))
		var row []int32
		for _, i := range order[:k] {
			row = append(row, int32(i))
		}
		rows, order = append(rows, row), order[k:]
	}
	return rows
}

// byTheBook halves a row by de Casteljau's scheme.
func byTheBook(row []int32, src, a, b []float64) {
	var c []float64
	for _, i := range row {
		c = append(c, src[i])
	}
	for n := len(c); n > 0; n-- {
		a[row[len(row)-n]], b[row[n-1]] = c[0], c[n-1]
		for j := range n - 1 {
			c[j] = 0.5 * (c[j] + c[j+1])
		}
	}
}

// Every level gives the bits of the scheme and of the sums, for rows of any lengths, and fills the
// padding.
func TestNetAgrees(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 1))
	for trial := range 3000 {
		n := 1 + r.IntN(halvePoints)
		if trial%10 == 0 {
			n = 1 + r.IntN(40)
		}
		pad := (n + 7) &^ 7
		rows := rowsOf(r, n)
		d := NewNet(rows, n, pad)
		src := make([]float64, 6*pad)
		for k := range 6 {
			for i := range n {
				src[k*pad+i] = r.NormFloat64() * math.Exp(float64(r.IntN(3)))
				if trial%5 == 0 {
					src[k*pad+i] = math.Copysign(float64(r.IntN(2)), r.NormFloat64())
				}
			}
			for i := n; i < pad; i++ {
				src[k*pad+i] = src[k*pad]
			}
		}
		a, b := make([]float64, 6*pad), make([]float64, 6*pad)
		for k := range 6 {
			for _, row := range rows {
				byTheBook(row, src[k*pad:], a[k*pad:], b[k*pad:])
			}
			for i := n; i < pad; i++ {
				a[k*pad+i], b[k*pad+i] = a[k*pad], b[k*pad]
			}
		}
		longest := d.longestGeneric(src)
		checks.AtLevels(t, func(level string) {
			p, q := make([]float64, 6*pad), make([]float64, 6*pad)
			d.Halve(src, p, q)
			for i := range p {
				if math.Float64bits(p[i]) != math.Float64bits(a[i]) ||
					math.Float64bits(q[i]) != math.Float64bits(b[i]) {
					t.Fatalf("%s: trial %d, rows %v: number %d is %v and %v, not %v and %v",
						level, trial, rows, i, p[i], q[i], a[i], b[i])
				}
			}
			if got := d.Longest(src); math.Float64bits(got) != math.Float64bits(longest) {
				t.Fatalf("%s: trial %d, rows %v: longest %v, not %v", level, trial, rows, got, longest)
			}
		})
	}
}

// BenchmarkNet halves and measures a quad of degree three.
func BenchmarkNet(b *testing.B) {
	var rows [][]int32
	for s := range int32(4) {
		rows = append(rows, []int32{s, 4 + s, 8 + s, 12 + s})
	}
	d := NewNet(rows, 16, 16)
	src, p, q := make([]float64, 96), make([]float64, 96), make([]float64, 96)
	r := rand.New(rand.NewPCG(33, 2))
	for i := range src {
		src[i] = r.NormFloat64()
	}
	b.Run("halve", func(b *testing.B) {
		for b.Loop() {
			d.Halve(src, p, q)
		}
	})
	b.Run("longest", func(b *testing.B) {
		for b.Loop() {
			d.Longest(src)
		}
	})
}
