package gpu

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"ccd/simd/linear"
)

// The self-test of a device: what it computes for some thousand fixed operations and queries must
// have the bits that the processor computes. A device that differs is refused: its compiler
// contracts a product and a sum, or its arithmetic is not that of IEEE 754.

const (
	probes      = 4096
	testQueries = 1024
	probeLen    = 8
	formLen     = 6
)

func (d *Device) selfTest() error {
	d.mu.Lock()
	err := d.testOperations()
	if err == nil {
		err = d.testPack()
	}
	d.mu.Unlock()
	if err == nil {
		err = d.testBroad()
	}
	for _, face := range []bool{true, false} {
		rec, idx := testScene(face)
		if err == nil {
			d.mu.Lock()
			err = d.testValues(rec, idx, face)
			d.mu.Unlock()
		}
		for _, end := range [][2]float64{{1, 0}, {0.6, 0}, {1, 0.01}} {
			if err == nil {
				err = d.testFirst(rec, idx, face, end[0], end[1])
			}
		}
	}
	return err
}

// sequence is a generator of fixed numbers (splitmix64).
type sequence uint64

func (s *sequence) next() uint64 {
	*s += 0x9E3779B97F4A7C15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// unit returns a double in [-1, 1).
func (s *sequence) unit() float64 { return float64(float64(int64(s.next())) * 0x1p-63) }

// testOperations compares single operations. Magnitudes are such that nothing is a denormal in
// single precision, where devices may flush.
func (d *Device) testOperations() error {
	var s sequence
	x := make([]float64, 3*probes)
	for i := range x {
		x[i] = math.Ldexp(s.unit(), int(s.next()%24)-12)
		if i%3 == 2 && i%2 == 0 { // near the product of the two before: what contraction changes most
			x[i] = -x[i-1] * x[i-2] * (1 + float64(float64(s.next()%5)*0x1p-52))
		}
	}
	wide, single := make([]float64, probeLen*probes), make([]float32, probeLen*probes)
	m := memory{on: d.on}
	if err := run(&m, "probe", probes, x, wide); err != nil {
		return err
	}
	if err := run(&m, "probe32", probes, x, single); err != nil {
		return err
	}
	for i := range probes {
		a, b, c := x[3*i], x[3*i+1], x[3*i+2]
		ab, bc := float64(a*b), float64(b*c)
		for k, want := range [probeLen]float64{a + b, a - b, ab, math.FMA(a, b, c), ab + c, ab - bc, c - ab, ab + c} {
			if math.Float64bits(want) != math.Float64bits(wide[probeLen*i+k]) {
				return fmt.Errorf("operation %d in double precision gives %v for %v, %v, %v: want %v",
					k, wide[probeLen*i+k], a, b, c, want)
			}
		}
		p, q, r := float32(a), float32(b), float32(c)
		pq, qr := float32(p*q), float32(q*r)
		for k, want := range [probeLen]float32{p, p + q, p - q, pq, pq + r, pq - qr, r - pq, pq + r} {
			if math.Float32bits(want) != math.Float32bits(single[probeLen*i+k]) {
				return fmt.Errorf("operation %d in single precision gives %v for %v, %v, %v: want %v",
					k, single[probeLen*i+k], p, q, r, want)
			}
		}
	}
	return nil
}

// testPack compares what becomes of floats and of doubles whose vertices are some numbers apart.
// Floats that are denormals must become the doubles that equal them.
func (d *Device) testPack() error {
	const n, step = 300, 5
	var s sequence
	single, wide := make([]float32, step*n), make([]float64, step*n)
	for i := range single {
		wide[i] = math.Ldexp(s.unit(), int(s.next()%2000)-1000)
		single[i] = float32(math.Ldexp(s.unit(), int(s.next()%260)-145))
	}
	m := &Session{device: d, memory: memory{on: d.on}}
	var x [2]array
	defer func() {
		m.release(&x[0])
		m.release(&x[1])
		m.release(&m.rec)
	}()
	for _, err := range []error{upload(&m.memory, &x[0], single), upload(&m.memory, &x[1], wide),
		m.reserve(&m.rec, 64*n)} {
		if err != nil {
			return err
		}
	}
	rec := make([]float64, 8*n)
	for _, err := range []error{
		m.pack(x[0].on, &Array{Single: true, Stride: 4 * step}, 0, n), m.pack(x[1].on, &Array{Stride: 8 * step}, 1, n),
		download(&m.memory, rec, &m.rec),
	} {
		if err != nil {
			return err
		}
	}
	for i := range n {
		at := step * i
		want := [8]float64{float64(single[at]), float64(single[at+1]), float64(single[at+2]), 0, wide[at], wide[at+1],
			wide[at+2], 0}
		if got := [8]float64(rec[8*i:]); got != want {
			return fmt.Errorf("vertex %d becomes %v: want %v", i, got, want)
		}
	}
	return nil
}

// run runs a kernel of the form (in, n, out).
func run[T number](m *memory, kernel string, n int, in []float64, out []T) (err error) {
	var x, y array
	defer m.release(&x)
	defer m.release(&y)
	if err = upload(m, &x, in); err != nil {
		return err
	}
	if err = upload(m, &y, out); err != nil {
		return err
	}
	if err = m.launch(kernel, n, x.arg(), uintArg(n), y.arg()); err != nil {
		return err
	}
	return download(m, out, &y)
}

// testScene returns queries of which about a third touch, some at corners, some in a plane, and
// some nearly.
func testScene(face bool) (rec []float64, idx [][4]int32) {
	s := sequence(1)
	if face {
		s = 2
	}
	for i := range testQueries {
		lattice := i%4 == 0
		for v := range 4 {
			var r [8]float64
			for k := range 3 {
				x := s.unit()
				if lattice { // coordinates of two bits: coplanar, parallel and equal things
					x = float64(math.Round(2*x) / 2)
				}
				r[k], r[4+k] = x, x+float64(0.5*s.unit())
			}
			switch {
			case face && v == 0, !face && v >= 2: // through the others
				r[4] -= 2 * r[0]
			}
			if i%8 == 5 { // far from the origin, nearly touching
				for k := range 8 {
					r[k] = 1000 + float64(r[k]*0x1p-10)
				}
				r[3], r[7] = 0, 0
			}
			rec = append(rec, r[:]...)
		}
		idx = append(idx, [4]int32{int32(4 * i), int32(4*i + 1), int32(4*i + 2), int32(4*i + 3)})
	}
	return rec, idx
}

// testValues compares what the filters compute on their way.
func (d *Device) testValues(rec []float64, idx [][4]int32, face bool) error {
	m := memory{on: d.on}
	var vertices, index, weights, out, forms, kept, counts array
	defer func() {
		for _, a := range []*array{&vertices, &index, &weights, &out, &forms, &kept, &counts} {
			m.release(a)
		}
	}()
	n := len(idx)
	w := []float64{0.25, 0.75, 0.02, 0.06}
	single, wide, keep := make([]float32, traceLen*n), make([]float64, formLen*n), make([]uint32, n)
	totals := make([]uint32, (n+group-1)/group)
	for _, err := range []error{
		upload(&m, &vertices, rec), upload(&m, &index, idx), upload(&m, &weights, w), upload(&m, &out, single),
		upload(&m, &forms, wide), upload(&m, &kept, keep), upload(&m, &counts, totals),
	} {
		if err != nil {
			return err
		}
	}
	for _, err := range []error{
		m.launch("filter32_trace", n, vertices.arg(), index.arg(), uintArg(n), boolArg(face), weights.arg(), out.arg()),
		m.launch("forms", n, vertices.arg(), index.arg(), uintArg(n), boolArg(face), forms.arg()),
		m.launch("filter32", n, vertices.arg(), index.arg(), uintArg(0), uintArg(n), new(array).arg(), uintArg(0),
			facesOf(face, n), weights.arg(), kept.arg(), counts.arg()),
		download(&m, single, &out), download(&m, wide, &forms), download(&m, keep, &kept),
		download(&m, totals, &counts),
	} {
		if err != nil {
			return err
		}
	}
	var left []uint32
	for g, count := range totals {
		left = append(left, keep[group*g:group*g+int(min(count, group))]...)
	}
	for i := range idx {
		q := load32(rec, &idx[i], face, [2]float64(w[:2]))
		if !q.apart(newReach32(w[2], w[3])) {
			if len(left) == 0 || left[0] != uint32(i) {
				return fmt.Errorf("the filter in single precision differs for query %d", i)
			}
			left = left[1:]
		}
		for k, want := range q.trace() {
			if got := single[traceLen*i+k]; got != want {
				return fmt.Errorf("value %d of query %d in single precision is %v: want %v", k, i, got, want)
			}
		}
		for k, want := range linear.Form(rec, &idx[i], face) {
			if got := wide[formLen*i+k]; got != want {
				return fmt.Errorf("value %d of query %d in double precision is %v: want %v", k, i, got, want)
			}
		}
	}
	if len(left) > 0 {
		return fmt.Errorf("the filter in single precision differs for query %d", left[0])
	}
	return nil
}

// testFirst compares the narrow phase with that of the processor.
func (d *Device) testFirst(rec []float64, idx [][4]int32, face bool, tmax, sep float64) error {
	s := d.NewSession()
	defer s.Close()
	if err := s.Load(rec); err != nil {
		return err
	}
	got := newFound(len(idx))
	n, err := s.First(face, idx, tmax, sep, got.list, got.mask, got.toi, got.state)
	if err != nil {
		return err
	}
	got.cut(n)
	if want := first(rec, idx, face, tmax, sep); !got.equal(want) {
		return fmt.Errorf(
			"the narrow phase keeps %d of %d queries with other results than the processor, which keeps %d",
			len(got.list), len(idx), len(want.list))
	}
	return nil
}

// found is what First finds.
type found struct {
	list  []int32
	mask  []uint8
	toi   []float64
	state []uint8
}

func newFound(n int) *found {
	return &found{make([]int32, n), make([]uint8, n), make([]float64, n), make([]uint8, n)}
}

func (f *found) cut(n int) {
	f.list, f.mask, f.toi, f.state = f.list[:n], f.mask[:n], f.toi[:n], f.state[:n]
}

func (f *found) equal(g *found) bool {
	return slices.Equal(f.list, g.list) && slices.Equal(f.mask, g.mask) && slices.Equal(f.toi, g.toi) &&
		slices.Equal(f.state, g.state)
}

// first is Session.First on the processor: the reference.
func first(rec []float64, idx [][4]int32, face bool, tmax, sep float64) *found {
	f := newFound(len(idx))
	n := 0
	w := linear.FilterBounds(tmax, sep)
	for i := range idx {
		f.list[n] = int32(i)
		if q := load32(rec, &idx[i], face, [2]float64(w[:2])); !q.apart(newReach32(w[2], w[3])) {
			n++
		}
	}
	filter, pieces, roots := linear.FilterVF, linear.TimePiecesVF, linear.RootsVF
	if !face {
		filter, pieces, roots = linear.FilterEE, linear.TimePiecesEE, linear.RootsEE
	}
	n = filter(rec, idx, f.list[:n], tmax, sep, f.list)
	n = pieces(rec, idx, f.list[:n], tmax, sep, f.list, f.mask)
	if sep > 0 {
		return f.euclid(rec, idx, face, tmax, sep, n)
	}
	f.cut(n)
	var toi [1]float64
	var state, piece [1]uint8
	for j := range f.list {
		for f.mask[j] != 0 {
			piece[0] = uint8(bits.TrailingZeros8(f.mask[j]))
			roots(rec, idx, f.list[j:j+1], piece[:], tmax, toi[:], state[:])
			if state[0] != linear.RootNone {
				f.toi[j], f.state[j] = toi[0], state[0]
				break
			}
			f.mask[j] &= f.mask[j] - 1
		}
	}
	return f
}

// euclid leaves out those of the first n that the Euclidean certificate proves apart.
func (f *found) euclid(rec []float64, idx [][4]int32, face bool, tmax, sep float64, n int) *found {
	left := 0
	for j, i := range f.list[:n] {
		if !euclidApart(rec, &idx[i], face, tmax, sep) {
			f.list[left], f.mask[left] = i, f.mask[j]
			left++
		}
	}
	f.cut(left)
	return f
}
