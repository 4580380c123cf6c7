package patch

import (
	"math"
	"testing"
)

// pebble returns a body of 320 linear triangles: a sphere with bumps, an icosahedron refined twice.
func pebble(t testing.TB) (*Body, []float64) {
	t.Helper()
	g := (1 + math.Sqrt(5)) / 2
	v := []vec{{-1, g, 0}, {1, g, 0}, {-1, -g, 0}, {1, -g, 0}, {0, -1, g}, {0, 1, g}, {0, -1, -g}, {0, 1, -g},
		{g, 0, -1}, {g, 0, 1}, {-g, 0, -1}, {-g, 0, 1}}
	faces := [][3]int{
		{0, 11, 5}, {0, 5, 1}, {0, 1, 7}, {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4}, {11, 10, 2},
		{10, 7, 6}, {7, 1, 8},
		{3, 9, 4}, {3, 4, 2}, {3, 2, 6}, {3, 6, 8}, {3, 8, 9}, {4, 9, 5}, {2, 4, 11}, {6, 2, 10}, {8, 6, 7}, {9, 8, 1},
	}
	for range 2 {
		made := map[[2]int]int{}
		middle := func(a, b int) int {
			key := [2]int{min(a, b), max(a, b)}
			if _, ok := made[key]; !ok {
				made[key] = len(v)
				v = append(v, v[a].add(v[b]))
			}
			return made[key]
		}
		var finer [][3]int
		for _, f := range faces {
			a, b, c := middle(f[0], f[1]), middle(f[1], f[2]), middle(f[2], f[0])
			finer = append(finer, [3]int{f[0], a, c}, [3]int{a, f[1], b}, [3]int{c, b, f[2]}, [3]int{a, b, c})
		}
		faces = finer
		for i := range v {
			v[i], _ = v[i].unit()
		}
	}
	var x []float64
	for _, p := range v {
		r := 1 + 0.1*math.Sin(5*p.X+1)*math.Cos(4*p.Y)
		x = append(x, r*p.X, r*p.Y, r*p.Z)
	}
	var forms []Form
	var index []int32
	for _, f := range faces {
		forms = append(forms, Form{Triangle, 1, 1})
		index = append(index, int32(f[0]), int32(f[1]), int32(f[2]))
	}
	body, err := NewBody(len(v), forms, index, nil)
	if err != nil {
		t.Fatal(err)
	}
	return body, x
}

func turnedAbout(x []float64, k vec, angle float64, by vec) []float64 {
	k, _ = k.unit()
	c, s := math.Cos(angle), math.Sin(angle)
	y := make([]float64, len(x))
	for i := 0; i < len(x); i += 3 {
		p := vec{x[i], x[i+1], x[i+2]}
		q := p.times(c).add(k.cross(p).times(s)).add(k.times(k.dot(p) * (1 - c))).add(by)
		y[i], y[i+1], y[i+2] = q.X, q.Y, q.Z
	}
	return y
}

// BenchmarkTriangleBodyMeetsTorus is the step of the scene of the paper's figure 1 in which a body
// of 320 triangles meets a torus of 16 rational patches, all included.
func BenchmarkTriangleBodyMeetsTorus(b *testing.B) {
	one, x := pebble(b)
	two, y := torus(b, 1.4, 0.45)
	at := func(t float64) ([]float64, []float64) {
		z := turnedAbout(y, vec{0, 1, 0}, 0.9, vec{})
		return turnedAbout(x, vec{0.3, 1, 0.2}, 1.5*t, vec{3 - 3.2*t, 0.1, 0.35 + 0.1*t}),
			turnedAbout(z, vec{0, 0, 1}, -1.2*t, vec{-1.2 + 0.3*t, 0, 0.2})
	}
	var s Scene
	o := DefaultOptions()
	const dt = 0.02
	var fa, fb BodyStep
	for k := 0; ; k++ {
		p0, q0 := at(float64(k) * dt)
		p1, q1 := at(float64(k+1) * dt)
		fa, fb = BodyStep{Body: one, X0: p0, X1: p1}, BodyStep{Body: two, X0: q0, X1: q1}
		im, err := s.Earliest(&fa, &fb, &o)
		if err != nil || k > 100 {
			b.Fatal(k, err)
		}
		if im.Verdict != 1 {
			b.Logf("step %d: %+v, %d pairs", k, im, len(s.pairs))
			break
		}
	}
	from := cpu()
	b.ResetTimer()
	for range b.N {
		if _, err := s.Earliest(&fa, &fb, &o); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric((cpu()-from)*1e6/float64(b.N), "cpu-us/step")
}
