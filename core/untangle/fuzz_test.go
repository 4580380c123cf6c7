package untangle_test

import (
	"encoding/binary"
	"math"
	"math/big"
	"testing"

	"ccd/core/mesh"
)

type ratPoint [3]*big.Rat

func ratPointOf(x []float64, v int32) (p ratPoint) {
	for k := range p {
		p[k] = new(big.Rat).SetFloat64(x[3*int(v)+k])
	}
	return p
}

// volume is the sign of the determinant of three differences with d.
func volume(a, b, c, d ratPoint) int {
	var m [3]ratPoint
	for i, p := range [3]ratPoint{a, b, c} {
		for k := range p {
			m[i][k] = new(big.Rat).Sub(p[k], d[k])
		}
	}
	sum := new(big.Rat)
	for k := range 3 {
		x := new(big.Rat).Mul(m[1][(k+1)%3], m[2][(k+2)%3])
		y := new(big.Rat).Mul(m[1][(k+2)%3], m[2][(k+1)%3])
		sum.Add(sum, x.Sub(x, y).Mul(x, m[0][k]))
	}
	return sum.Sign()
}

// passes reports whether, in rational arithmetic, an edge of one triangle goes through the inside of
// another that shares no vertex with the edge: all signs are strict, so that it is no touch.
func passes(x []float64, faces []int32) bool {
	for i := 0; i < len(faces); i += 3 {
		var t [3]ratPoint
		for k := range t {
			t[k] = ratPointOf(x, faces[i+k])
		}
		for j := 0; j < len(faces); j += 3 {
			for k := range 3 {
				p, q := faces[j+k], faces[j+(k+1)%3]
				shared := false
				for _, v := range faces[i : i+3] {
					shared = shared || v == p || v == q
				}
				if shared {
					continue
				}
				a, b := ratPointOf(x, p), ratPointOf(x, q)
				if volume(t[0], t[1], t[2], a)*volume(t[0], t[1], t[2], b) >= 0 {
					continue
				}
				u, v, w := volume(a, b, t[0], t[1]), volume(a, b, t[1], t[2]), volume(a, b, t[2], t[0])
				if u != 0 && u == v && v == w {
					return true
				}
			}
		}
	}
	return false
}

// FuzzUntangle: laws U1 and U2 for three tetrahedra of any doubles; positions that are called clean
// have no edge through a face in rational arithmetic.
func FuzzUntangle(f *testing.F) {
	f.Add([]byte("three tetrahedra whose twelve corners are these bytes"), uint8(0))
	f.Add(make([]byte, 90), uint8(1))
	f.Fuzz(func(t *testing.T, data []byte, mode uint8) {
		x := make([]float64, 36)
		for i := range x {
			var raw [8]byte
			n := copy(raw[:], data)
			if mode&1 == 0 {
				n = min(n, 1)
				x[i] = float64(int8(raw[0])) / 8
			} else {
				v := math.Float64frombits(binary.LittleEndian.Uint64(raw[:]))
				if math.Abs(v) <= 1e20 && math.Abs(v) > 1e-20 {
					x[i] = v
				}
			}
			data = data[n:]
		}
		var faces []int32
		for o := int32(0); o < 12; o += 4 {
			faces = append(faces, o, o+2, o+1, o, o+1, o+3, o, o+3, o+2, o+1, o+2, o+3)
		}
		m, err := mesh.New(12, nil, faces)
		if err != nil {
			return
		}
		masses := fixed(12, 0, int(mode>>1&3)*2)
		r, y := run(t, "fuzzed", m, x, masses, 8)
		if r.Clean == 1 && passes(y, faces) {
			t.Errorf("called clean, but an edge passes through a face: %v to %v", x, y)
		}
		if r.Before == 0 && passes(x, faces) {
			t.Errorf("no intersection listed, but an edge passes through a face: %v", x)
		}
	})
}
