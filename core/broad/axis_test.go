package broad

import (
	"math"
	"slices"
	"testing"

	"ccd/core/geom"
)

// bundle is a square of side x side tubes along the coordinate axis up, twisted by turn at the
// start of the step and a tenth more at its end.
func bundle(side, rings, around, up int, turn float64) scene {
	s := scene{name: "bundle", nv: side * side * rings * around}
	put := func(out []float64, turn float64, rod, ring, k int) []float64 {
		z := float64(ring) / float64(rings-1)
		phi := 2 * math.Pi * float64(k) / float64(around)
		x := float64(rod%side) - float64(side-1)/2 + 0.4*math.Cos(phi)
		y := float64(rod/side) - float64(side-1)/2 + 0.4*math.Sin(phi)
		sin, cos := math.Sincos(turn * z)
		p := [3]float64{x*cos - y*sin, x*sin + y*cos, 100 * z}
		return append(out, p[(2-up+3)%3], p[(3-up+3)%3], p[(4-up+3)%3])
	}
	for rod := range side * side {
		for ring := range rings {
			for k := range around {
				s.x0, s.x1 = put(s.x0, turn, rod, ring, k), put(s.x1, 1.1*turn, rod, ring, k)
				if ring+1 < rings {
					a, b := int32((rod*rings+ring)*around+k), int32((rod*rings+ring)*around+(k+1)%around)
					s.faces = append(s.faces, a, b, a+int32(around), b, b+int32(around), a+int32(around))
				}
			}
		}
	}
	return s
}

// Of a tall bundle of rods the sweep is along the rods as long as cells hold few entries, and
// across where there are many. Whatever axis the rods are along, the candidates are the same.
func TestSweepAxisOfBundles(t *testing.T) {
	for _, rings := range []int{30, 700} {
		var want [2][][2]int32
		for up := range 3 {
			b := bundle(3, rings, 3, up, 1)
			m, mo := b.load(t)
			var p Plan
			if err := p.Build(m, mo, PlanOptions{Input: Input{Until: 1, Still: true},
				Work: Work{Threads: 2}}); err != nil {
				t.Fatal(err)
			}
			if along := p.space.Axis[0] == up; along != (rings == 30) {
				t.Errorf("%d rings along axis %d: the sweep is along axis %d; lengths in boxes %.2f", rings, up,
					p.space.Axis[0], p.scratch.whole.Lengths(0))
			}
			c, err := Sweep(m, mo, Options{Threads: 2})
			if err != nil {
				t.Fatal(err)
			}
			for i, k := range []geom.Kind{geom.VertexFace, geom.EdgeEdge} {
				if up == 0 {
					want[i] = slices.Clone(c.Of(k))
				} else if !slices.Equal(c.Of(k), want[i]) {
					t.Errorf("%d rings along axis %d: %d pairs %v, along axis 0 %d", rings, up, len(c.Of(k)), k,
						len(want[i]))
				}
			}
			c.Release()
		}
		if len(want[0]) < 100 || len(want[1]) < 100 {
			t.Errorf("%d rings: only %d and %d candidates", rings, len(want[0]), len(want[1]))
		}
	}
}
