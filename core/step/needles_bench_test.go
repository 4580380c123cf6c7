package step

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"ccd/core/engine"
	"ccd/core/mesh"
)

// needles are n rods or thin triangles that move a little.
type needles struct {
	name string
	thin bool // the needles are thin triangles
	// end returns the ends of needle i of n.
	ends func(r *rand.Rand, n int) (a, b [3]float64)
}

// along returns a needle from a point of the unit cube, of this length.
func along(r *rand.Rand, d [3]float64, length float64) (a, b [3]float64) {
	n := math.Sqrt(d[0]*d[0] + d[1]*d[1] + d[2]*d[2])
	for k := range a {
		a[k] = r.Float64()
		b[k] = a[k] + length*d[k]/n
	}
	return a, b
}

func randomDirection(r *rand.Rand) [3]float64 {
	return [3]float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
}

var needleScenes = []needles{
	// From one side of a cube to the other: all boxes overlap.
	{"across", false, func(r *rand.Rand, n int) (a, b [3]float64) {
		x, y := r.Float64(), r.Float64()
		return [3]float64{x, y, 0}, [3]float64{x + 1, y + 1, 1}
	}},
	{"across", true, func(r *rand.Rand, n int) (a, b [3]float64) {
		x, y := r.Float64(), r.Float64()
		return [3]float64{x, y, 0}, [3]float64{x + 1, y + 1, 1}
	}},
	{"parallel", false, func(r *rand.Rand, n int) (a, b [3]float64) { return along(r, [3]float64{1, 1, 1}, 0.17) }},
	{"three directions", false, func(r *rand.Rand, n int) (a, b [3]float64) {
		return along(r, [][3]float64{{1, 1, 1}, {1, -1, 1}, {-1, 1, 1}}[r.IntN(3)], 0.17)
	}},
	{"cone", false, func(r *rand.Rand, n int) (a, b [3]float64) {
		d := randomDirection(r)
		return along(r, [3]float64{1 + 0.05*d[0], 1 + 0.05*d[1], 1 + 0.05*d[2]}, 0.17)
	}},
	{"random", false, func(r *rand.Rand, n int) (a, b [3]float64) { return along(r, randomDirection(r), 0.17) }},
	{"heap", false, func(r *rand.Rand, n int) (a, b [3]float64) { return along(r, randomDirection(r), 1) }},
	{"hair", false, func(r *rand.Rand, n int) (a, b [3]float64) { // Hair grows on a head.
		d := randomDirection(r)
		l := math.Sqrt(d[0]*d[0] + d[1]*d[1] + d[2]*d[2])
		for k := range d {
			a[k] = d[k] / l
			b[k] = a[k] + 0.3*d[k]/l + 0.03*r.NormFloat64()
		}
		return a, b
	}},
	{"random, length 0.1", false, func(r *rand.Rand, n int) (a,
		b [3]float64) {
		return along(r, randomDirection(r), 0.1)
	}},
	{"random, length a third", false, func(r *rand.Rand, n int) (a,
		b [3]float64) {
		return along(r, randomDirection(r), 1.0/3)
	}},
}

// load makes n needles whose thickness and way are a part of their mean distance.
func (s *needles) load(t testing.TB, n int) (*mesh.Mesh, []float64, []float64) {
	r := rand.New(rand.NewPCG(1, 2))
	gap := 0.01 / math.Sqrt(float64(n))
	var x0, x1, radii []float64
	var edges, faces []int32
	add := func(p, move [3]float64) {
		for k := range p {
			x0, x1 = append(x0, p[k]), append(x1, p[k]+move[k])
		}
		radii = append(radii, gap)
	}
	for range n {
		a, b := s.ends(r, n)
		var move, side [3]float64
		for k := range move {
			move[k], side[k] = gap*r.NormFloat64(), (a[k]+b[k])/2+gap*r.NormFloat64()
		}
		v := int32(len(x0) / 3)
		add(a, move)
		add(b, move)
		if s.thin {
			add(side, move)
			faces = append(faces, v, v+1, v+2)
		} else {
			edges = append(edges, v, v+1)
		}
	}
	m, err := mesh.New(len(x0)/3, edges, faces)
	if err != nil {
		t.Fatal(err)
	}
	if !s.thin {
		if err := m.SetRadii(radii); err != nil {
			t.Fatal(err)
		}
	}
	return m, x0, x1
}

// BenchmarkNeedles: CCD_NEEDLES=1000000 go test -run NONE -bench Needles -benchtime 1x ./core/step
func BenchmarkNeedles(b *testing.B) {
	n, err := strconv.Atoi(os.Getenv("CCD_NEEDLES"))
	if err != nil {
		n = 30000
	}
	for _, s := range needleScenes {
		kind := map[bool]string{false: "rods", true: "triangles"}[s.thin]
		b.Run(fmt.Sprintf("%s/%s/%d", s.name, kind, n), func(b *testing.B) {
			m, x0, x1 := s.load(b, n)
			var stats engine.Stats
			o := DefaultOptions()
			o.Threads, o.Stats = 1, &stats
			b.ResetTimer()
			for range b.N {
				im, err := Earliest(m, x0, x1, &o)
				if err != nil {
					b.Fatal(err)
				}
				b.Logf("earliest %v, candidates %v", im.TOILo, stats.Candidates)
				list, err := Collisions(m, x0, x1, &o)
				if err != nil {
					b.Fatal(err)
				}
				b.Logf("%d impacts, candidates %v, %d bytes", len(list), stats.Candidates, stats.PeakBytes)
			}
		})
	}
}
