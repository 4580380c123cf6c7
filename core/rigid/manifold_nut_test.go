package rigid

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
)

// A nut on a bolt: the threads touch along the whole helix, and every point's normal is one of a
// flank. What is on the other flank is too far away.
func TestManifoldOfANutOnABolt(t *testing.T) {
	const gap = 1e-2
	bolt, nut := thread(t, 60, 5, 1, 1.2, 0.3, 0, false), thread(t, 60, 3, 1, 1.2, 0.3, gap, true)
	at := func(z float64) geom.Pose { return geom.Pose{Rotation: quat.Number{Real: 1}, Position: r3.Vec{Z: z}} }
	here := at(0)
	var r Ruler
	angles := map[int]bool{}
	there := at(0.3 - gap/2)
	var g Gap
	if err := r.Distance(nut, &there, bolt, &here, DistanceOptions{}, &g); err != nil || g.Flags != 0 {
		t.Fatalf("%+v, %v", g, err)
	}
	tolerance := g.Hi + gap/2
	m, err := r.Manifold(nut, &there, bolt, &here, ManifoldOptions{Tolerance: tolerance})
	if err != nil || m.Flags != 0 || len(m.Points) < 60 {
		t.Fatalf("%d points, flags %d, %v", len(m.Points), m.Flags, err)
	}
	for _, p := range m.Points {
		if p.GapLo > tolerance || p.GapHi < 0 || math.Abs(geom.Norm(p.Normal)-1) > 1e-12 {
			t.Errorf("%+v", p)
		}
		if geom.Dot(p.Normal, r3.Sub(p.PointA, p.PointB)) < 0 {
			t.Errorf("%+v: the normal does not lead from b to a", p)
		}
		angles[int(math.Floor(math.Atan2(p.PointA.Y, p.PointA.X)*4/math.Pi))] = true
	}
	if len(angles) != 8 {
		t.Errorf("points in %d eighths of a turn", len(angles))
	}
	few, err := r.Manifold(nut, &there, bolt, &here, ManifoldOptions{Tolerance: tolerance, Reduce: true})
	if err != nil || few.Groups != m.Groups || len(few.Points) > 4*few.Groups || len(few.Points) > len(m.Points) {
		t.Errorf("%d of %d points in %d groups, %v", len(few.Points), len(m.Points), few.Groups, err)
	}
	t.Logf("%d points in %d groups, reduced to %d", len(m.Points), m.Groups, len(few.Points))
}

// The four points that are left have at least 2/pi of the area of the hull of all, for polygons of
// any number of corners.
func TestLargestFour(t *testing.T) {
	for n := 3; n < 400; n += 1 + n/8 {
		var points []ManifoldPoint
		var list []int
		var flat []planar
		for i := range n {
			angle := 2 * math.Pi * float64(i) / float64(n)
			x, y := math.Cos(angle), 0.5*math.Sin(angle)+0.1*math.Cos(angle)
			points = append(points, ManifoldPoint{PointA: r3.Vec{X: x, Y: y}, Normal: r3.Vec{Z: 1}})
			list, flat = append(list, i), append(flat, planar{x, y, i})
		}
		area := func(h []planar) (sum float64) {
			for i := 2; i < len(h); i++ {
				sum += areaOf(h[0], h[i-1], h[i])
			}
			return sum
		}
		var some []planar
		for _, i := range largest(points, list, 1e-9) {
			some = append(some, flat[i])
		}
		all, few := area(rim(slices.Clone(flat))), area(rim(some))
		if len(some) > 4 || few < 0.63*all || n > 4 && n <= 30 && few > best(flat)*(1+1e-9) {
			t.Errorf("%d corners: %d left, %v of the area", n, len(some), few/all)
		}
		if n > 4 && n <= 30 && few < best(flat)*(1-0x1p-18) {
			t.Errorf("%d corners: %v, but %v is possible", n, few, best(flat))
		}
	}
}

// best is the largest area of four of some points on a convex curve, in their order.
func best(p []planar) (most float64) {
	for i := range p {
		for j := i + 1; j < len(p); j++ {
			for k := j + 1; k < len(p); k++ {
				for l := k + 1; l < len(p); l++ {
					most = max(most, areaOf(p[i], p[j], p[k])+areaOf(p[i], p[k], p[l]))
				}
			}
		}
	}
	return most
}
