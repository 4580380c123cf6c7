package step

import (
	"math"
	"testing"

	"ccd/core/ccdtest/long"
	"ccd/core/geom"
	"ccd/core/mesh"
)

// fallingSheet is two grids of n x n vertices with heights, of which the upper one falls by 20
// edges from about a gap above the lower.
func fallingSheet(t *testing.T, n int, gap float64) (m *mesh.Mesh, x0, x1 []float64) {
	t.Helper()
	var faces []int32
	for layer := range 2 {
		for i := range n {
			for j := range n {
				h := float64(0.2*math.Sin(3.7*float64(i))*math.Cos(2.3*float64(j))) +
					float64(layer)*(gap+float64(0.02*math.Sin(5.1*float64(i+2*j))))
				x, y := float64(i), float64(j)
				x0, x1 = append(x0, x, y, h), append(x1, x, y, h-20*float64(layer))
				if v := int32((layer*n+i)*n + j); i+1 < n && j+1 < n {
					faces = append(faces, v, v+1, v+int32(n), v+1, v+int32(n)+1, v+int32(n))
				}
			}
		}
	}
	m, err := mesh.New(2*n*n, nil, faces)
	if err != nil {
		t.Fatal(err)
	}
	return m, x0, x1
}

// A first bound changes no answer, whether or not the excerpt has an impact; where sheets are near
// it has one.
func TestFirstBound(t *testing.T) {
	long.Test(t)
	for _, c := range []struct {
		name       string
		gap        float64
		n          int
		separation float64
		bounded    bool
	}{
		{"near", 0.05, 76, 0, true},
		{"near, with a separation", 0.2, 76, 0.05, true},
		{"far", 10, 76, 0, false},
		{"small", 0.05, 62, 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, x0, x1 := fallingSheet(t, c.n, c.gap)
			o := DefaultOptions()
			o.MinSeparation, o.Threads = c.separation, 1
			o.TMax = (c.gap - c.separation) / 20 // some pairs touch, most do not yet
			all, err := Collisions(m, x0, x1, &o)
			if err != nil || len(all) == 0 {
				t.Fatal(len(all), err)
			}
			o.TMax = 1
			for _, threads := range []int{1, 2} {
				o.Threads = threads
				if got, err := Earliest(m, x0, x1, &o); err != nil || got != all[0] {
					t.Errorf("%d threads: %+v, the first of the list is %+v (%v)", threads, got, all[0], err)
				}
			}
			o.TMax = all[0].TOILo / 2
			if got, err := Earliest(m, x0, x1, &o); err != nil || got.Verdict != geom.Separate {
				t.Errorf("before the first impact: %+v (%v)", got, err)
			}
			o.TMax, o.Threads = 1, 1
			bound := firstBoundOf(t, m, x0, x1, &o)
			if (bound < 1) != c.bounded {
				t.Errorf("the first plan ends at %v", bound)
			}
			if bound < all[0].TOILo {
				t.Errorf("the first plan ends at %v, before the first impact at %v", bound, all[0].TOILo)
			}
		})
	}
}

// firstBoundOf returns the end of the first plan of a step.
func firstBoundOf(t *testing.T, m *mesh.Mesh, x0, x1 []float64, o *Options) float64 {
	t.Helper()
	call, err := start(m, x0, x1, o)
	if err != nil {
		t.Fatal(err)
	}
	defer call.end()
	l := newLeast(call)
	if err := l.firstBound(newRun(call, call.path, must[source](t)(newSource(call, narrowed{})), l)); err != nil {
		t.Fatal(err)
	}
	return l.horizon()
}

// The first bound of a region is a time of its own pairs: an excerpt leaves the others out.
func TestFirstBoundOfARegion(t *testing.T) {
	m, x0, x1 := fallingSheet(t, 76, 0.05)
	for v := len(x0) / 2; v < len(x0); v += 3 { // The farther along the axis, the later it falls.
		x1[v+2] += 0.2 * x0[v]
	}
	for from := 5.0; from < 70; from += 5 {
		o := DefaultOptions()
		o.TMax = 0.05 / 4
		o.Region = alongAxis(0, from, from+0.5)
		all, err := Collisions(m, x0, x1, &o)
		if err != nil || len(all) == 0 {
			t.Fatal(len(all), err)
		}
		o.TMax = 1
		if bound := firstBoundOf(t, m, x0, x1, &o); bound <= all[0].TOILo {
			t.Errorf("from %v: the first plan ends at %v, before the first impact, %v", from, bound, all[0].TOILo)
		}
		if got, err := Earliest(m, x0, x1, &o); err != nil || got != all[0] {
			t.Errorf("from %v: %+v, the first of the region's list is %+v (%v)", from, got, all[0], err)
		}
	}
}
