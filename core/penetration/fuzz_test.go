package penetration_test

import (
	"encoding/binary"
	"math"
	"math/big"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/penetration"
	"ccd/core/rigid"
)

// FuzzDepth: laws W1 to W3 for two tetrahedra of any doubles, against rational arithmetic.
func FuzzDepth(f *testing.F) {
	f.Add([]byte("tetrahedra at poses, of bytes that say where the corners are, and how they turn and shift"), uint8(0))
	f.Add(make([]byte, 64), uint8(1))
	f.Fuzz(func(t *testing.T, data []byte, mode uint8) {
		next := func() float64 {
			var raw [8]byte
			n := copy(raw[:], data)
			data = data[n:]
			if mode&1 == 0 { // Small integers make ties.
				return float64(int8(raw[0])) / 16
			}
			x := math.Float64frombits(binary.LittleEndian.Uint64(raw[:]))
			if !(math.Abs(x) <= 1e20) || math.Abs(x) < 1e-20 {
				return float64(int8(raw[1]))
			}
			return x
		}
		var x [2][]float64
		var poses [2]geom.Pose
		for k := range 2 {
			for range 12 {
				x[k] = append(x[k], next())
			}
			q := quat.Number{Real: next(), Imag: next(), Jmag: next(), Kmag: next()}
			if mode&2 != 0 || q == (quat.Number{}) {
				q = quat.Number{Real: 1}
			}
			poses[k] = geom.Pose{Rotation: q, Position: r3.Vec{X: next(), Y: next(), Z: next()}}
		}
		a, err := rigid.HullBody(x[0])
		if err != nil {
			return
		}
		b, err := rigid.HullBody(x[1])
		if err != nil || !a.Solid() && !b.Solid() {
			return
		}
		var s penetration.Solver
		var d penetration.Depth
		if err := s.Depth(a, &poses[0], b, &poses[1], rigid.DistanceOptions{}, &d); err != nil {
			return
		}
		ra, rb := ratPoseOf(&poses[0]), ratPoseOf(&poses[1])
		w := truthOf(ra.all(vecs(x[0])), rb.all(vecs(x[1])))
		// Below 2^-300 of the size a way out is longer than it need be.
		size := geom.MaxAbs(poses[0].Position) + geom.MaxAbs(poses[1].Position)
		for _, c := range append(x[0], x[1]...) {
			size += math.Abs(c)
		}
		if w.h.Sign() > 0 && w.compare(new(big.Rat).Mul(rat(size), rat(0x1p-300))) < 0 {
			return
		}
		checkLaws(t, "fuzzed", &d, &w, new(big.Rat))
	})
}
