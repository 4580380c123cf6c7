package penetration_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/penetration"
	"ccd/core/rigid"
)

// Boxes that were moved along each other, with faces in common planes, have the points at the end
// of the way out: on both bodies as they are, and as deep as the bodies are.
func TestManifoldOfBoxesThatWereMoved(t *testing.T) {
	box, err := rigid.BoxBody([3]float64{2, 2, 2})
	if err != nil {
		t.Fatal(err)
	}
	var s penetration.Solver
	for i := range 60 {
		r := rand.New(rand.NewPCG(157, uint64(i)))
		turn := quat.Number{Real: 1}
		if i%2 == 1 {
			turn = quat.Number{Real: r.NormFloat64(), Imag: r.NormFloat64(), Jmag: r.NormFloat64(),
				Kmag: r.NormFloat64()}
		}
		rot := geom.Rotation(turn)
		axis, sign, depth := i%3, float64(i/3%2*2-1), 0.25+0.5*r.Float64()
		way := [3]r3.Vec{{X: sign}, {Y: sign}, {Z: sign}}[axis]
		here := geom.Pose{Rotation: turn, Position: r3.Vec{X: 3 * r.NormFloat64(), Y: 1}}
		there := geom.Pose{Rotation: turn, Position: r3.Add(here.Position, rot.Apply(geom.Scale(2-depth, way)))}
		plain, err := new(rigid.Ruler).Manifold(box, &there, box, &here, rigid.ManifoldOptions{Tolerance: 1e-6})
		if err != nil || plain.Flags == 0 || len(plain.Points) > 0 {
			t.Fatal(plain, err)
		}
		m, err := s.Manifold(box, &there, box, &here, rigid.ManifoldOptions{Tolerance: 1e-6})
		if err != nil || len(m.Points) != 4 || m.Flags != plain.Flags|rigid.ManifoldDeep {
			t.Fatalf("case %d: %+v, %v", i, m, err)
		}
		n := rot.Apply(way)
		for _, p := range m.Points {
			if !(p.GapLo <= -depth+1e-12 && p.GapHi >= -depth-1e-12 && p.GapHi-p.GapLo < 1e-10) ||
				geom.Norm(r3.Sub(p.Normal, n)) > 1e-9 || p.Epsilon > 1e-10 {
				t.Fatalf("case %d: %+v for a depth of %v", i, p, depth)
			}
			for side, at := range [2]r3.Vec{p.PointA, p.PointB} {
				pose := [2]geom.Pose{there, here}[side]
				x := rot.ApplyTransposed(r3.Sub(at, pose.Position)) // a corner of a unit box
				if off := math.Abs(geom.MaxAbs(x) - 1); off > p.Epsilon+1e-12 {
					t.Errorf("case %d: point %d is %v off its face", i, side, off)
				}
			}
			if gap := geom.Dot(p.Normal, r3.Sub(p.PointA, p.PointB)); gap < p.GapLo-1e-12 || gap > p.GapHi+1e-12 {
				t.Errorf("case %d: a gap of %v: %+v", i, gap, p)
			}
		}
	}
	// Bodies that touch, that overlap by less than the tolerance, and that are apart are as before.
	here := geom.Pose{Rotation: quat.Number{Real: 1}}
	for _, x := range []float64{2, 2 - 1e-7, 3} {
		there := geom.Pose{Rotation: quat.Number{Real: 1}, Position: r3.Vec{X: x}}
		plain, _ := new(rigid.Ruler).Manifold(box, &there, box, &here, rigid.ManifoldOptions{Tolerance: 1e-6})
		m, err := s.Manifold(box, &there, box, &here, rigid.ManifoldOptions{Tolerance: 1e-6})
		if err != nil || m.Flags != plain.Flags || len(m.Points) != len(plain.Points) {
			t.Errorf("%v: %+v, %v", x, m, err)
		}
	}
}
