package proximity_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/ccdtest/long"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/motion"
	"ccd/core/proximity"
	"ccd/core/status"
)

// triangles returns a mesh of loose triangles, and a step of it; some pass through others, some are
// far from the origin, where positions round most.
func triangles(t testing.TB, seed uint64) (m *mesh.Mesh, x0, x1 []float64) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 47))
	n := 2 + r.IntN(3)
	var faces []int32
	shift := []float64{0, 0, 1e6, -3e9}[seed%4]
	for f := range n {
		faces = append(faces, int32(3*f), int32(3*f+1), int32(3*f+2))
		var at, way [3]float64
		for k := range at {
			at[k], way[k] = shift+0.8*r.Float64(), 2*r.Float64()-1
		}
		for range 3 {
			for k := range at {
				x := at[k] + r.Float64()
				x0, x1 = append(x0, x), append(x1, x+way[k]+0.1*r.Float64())
			}
		}
	}
	m, err := mesh.New(3*n, nil, faces)
	if err != nil {
		t.Fatal(err)
	}
	if seed%3 == 1 {
		radii := make([]float64, 3*n)
		for i := range radii {
			radii[i] = 0.02 * float64(i%4)
		}
		if err := m.SetRadii(radii); err != nil {
			t.Fatal(err)
		}
	}
	return m, x0, x1
}

func TestProfileLawD7(t *testing.T) {
	crossed, apart := 0, 0
	trials := long.Part(24, 4)
	for seed := range uint64(trials) {
		m, x0, x1 := triangles(t, seed)
		times := []float64{0, 1, 1.0 / 3, 0.999999}
		found := make([]geom.LeastDistance, len(times))
		if err := proximity.Profile(m, x0, x1, times, found, &proximity.Options{}); err != nil {
			t.Fatal(err)
		}
		if err := ccdtest.CheckProfile(m, x0, x1, times, found); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for i := range found {
			d := &found[i]
			if d.Kind == geom.EdgeFace {
				crossed++
			} else if d.Lo > 0 {
				apart++
			}
			x := make([]float64, len(x0))
			for j := range x {
				x[j] = x0[j] + float64(times[i]*(x1[j]-x0[j]))
			}
			if times[i] == 1 {
				x = x1
			}
			near, err := proximity.Distance(m, x, nil)
			if err != nil || near.Kind != d.Kind || near.A != d.A || near.B != d.B || near.Lo < d.Lo || near.Hi > d.Hi {
				t.Fatalf("seed %d: %+v, Distance %+v, %v", seed, *d, near, err)
			}
			if times[i] == 0 && (near.Lo != d.Lo || near.Hi != d.Hi) {
				t.Fatalf("seed %d, at the start: %+v, Distance %+v", seed, *d, near)
			}
		}
	}
	if long.On() && crossed < trials/4 || apart < trials/2 {
		t.Errorf("%d crossed, %d apart", crossed, apart)
	}
}

// An edge that passes through a face at a time is at distance 0, and both points are one.
func TestProfileOfWhatCrosses(t *testing.T) {
	m, err := mesh.New(6, nil, []int32{0, 1, 2, 3, 4, 5})
	if err != nil {
		t.Fatal(err)
	}
	x0 := []float64{0, 0, 0, 1, 0, 0, 0, 1, 0, 0.25, 0.25, 1, 0.25, 0.25, 2, 0.5, 0.25, 2}
	x1 := append([]float64(nil), x0...)
	for i := 11; i < len(x1); i += 3 {
		x1[i] -= 3
	}
	times, found := []float64{0, 0.5, 1}, make([]geom.LeastDistance, 3)
	if err := proximity.Profile(m, x0, x1, times, found, &proximity.Options{}); err != nil {
		t.Fatal(err)
	}
	if err := ccdtest.CheckProfile(m, x0, x1, times, found); err != nil {
		t.Fatal(err)
	}
	d := &found[1]
	if d.Kind != geom.EdgeFace || d.Lo != 0 || d.Hi > 1e-14 || d.PointA != d.PointB || d.PointA[2] != 0 {
		t.Errorf("%+v", *d)
	}
	if found[0].Lo > 1 || found[0].Hi < 1 || found[2].Lo > 1 || found[2].Hi < 1 || found[2].Normal[2] != -1 {
		t.Errorf("%+v and %+v: 1 apart", found[0], found[2])
	}
}

// A position that is rounded by as much as it is apart: the bracket holds the true distance, of
// which Distance at the rounded position knows nothing.
func TestProfileAllowsForTheRoundingOfPositions(t *testing.T) {
	m, err := mesh.New(2, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	const far = 0x1p52 // neighboring doubles are 1 apart
	x0, x1 := []float64{far, 0, 0, far + 1, 0, 0}, []float64{far + 1, 0, 0, far + 1, 0, 0}
	times, found := []float64{0.25}, make([]geom.LeastDistance, 1)
	if err := proximity.Profile(m, x0, x1, times, found, &proximity.Options{}); err != nil {
		t.Fatal(err)
	}
	if d := &found[0]; d.Lo > 0.75 || d.Hi < 0.75 || d.Hi > 16 {
		t.Errorf("%+v: the points are 0.75 apart", *d)
	}
}

func TestProfileRefuses(t *testing.T) {
	m, x0, x1 := triangles(t, 0)
	for name, c := range map[string]struct {
		time float64
		want string
	}{
		"before":  {-0x1p-1074, "times[1] is -5e-324"},
		"after":   {math.Nextafter(1, 2), "times[1] is 1.0000000000000002"},
		"no time": {math.NaN(), "times[1] is NaN"},
	} {
		found := make([]geom.LeastDistance, 2)
		err := proximity.Profile(m, x0, x1, []float64{0, c.time}, found, &proximity.Options{})
		if !errors.Is(err, status.ErrArgument) || !strings.Contains(err.Error(), c.want) || found[0].Kind != 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	bad := append([]float64(nil), x1...)
	bad[4] = math.Inf(1)
	found := make([]geom.LeastDistance, 1)
	err := proximity.Profile(m, x0, bad, []float64{0}, found, &proximity.Options{})
	if err == nil || !strings.Contains(err.Error(), "x1[1][1]") {
		t.Errorf("%v", err)
	}
	var stats engine.Stats
	o := proximity.Options{CallOptions: engine.CallOptions{Stats: &stats, Progress: func(float64) bool { return true }}}
	if err := proximity.Profile(m, x0, x1, []float64{0}, found, &o); !errors.Is(err, status.ErrCancelled) {
		t.Errorf("cancelled: %v", err)
	}
}

func FuzzProfileLawD7(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(seed, 0.375)
	}
	f.Fuzz(func(t *testing.T, seed uint64, at float64) {
		if !(at >= 0 && at <= 1) {
			return
		}
		m, x0, x1 := triangles(t, seed)
		found := make([]geom.LeastDistance, 1)
		if err := proximity.Profile(m, x0, x1, []float64{at}, found, &proximity.Options{}); err != nil {
			t.Fatal(err)
		}
		if err := ccdtest.CheckProfile(m, x0, x1, []float64{at}, found); err != nil {
			t.Fatal(err)
		}
	})
}

// The distances on a motion hold its polynomials, which are among the paths, over rational numbers.
func TestProfileOnPathsLawD9(t *testing.T) {
	for seed := range uint64(long.Part(12, 3)) {
		m, x0, x1 := triangles(t, seed)
		r := rand.New(rand.NewPCG(seed, 48))
		control, radius := append([]float64(nil), x0...), []float64(nil)
		for i := range x0 {
			control = append(control, x1[i]+r.Float64())
		}
		if seed%2 == 1 {
			for range m.NV {
				radius = append(radius, 0.1*r.Float64())
			}
		}
		paths, err := motion.New(m.NV, 2, nil, append(control, x1...), radius)
		if err != nil {
			t.Fatal(err)
		}
		times := []float64{0, 1, 0.37}
		found := make([]geom.LeastDistance, len(times))
		if err := proximity.ProfileOnPaths(m, paths, times, found, &proximity.Options{}); err != nil {
			t.Fatal(err)
		}
		if err := ccdtest.CheckProfileOnPaths(m, paths, times, found); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		other, err := ccdtest.WithinRadii(paths, r)
		if err != nil {
			t.Fatal(err)
		}
		if err := ccdtest.CheckProfileOnPaths(m, other, times, found); err != nil {
			t.Fatalf("seed %d, other paths within the radii: %v", seed, err)
		}
	}
	m, x0, x1 := triangles(t, 0)
	paths, err := motion.New(m.NV, 1, nil, append(x0, x1...), nil)
	if err != nil {
		t.Fatal(err)
	}
	err = proximity.ProfileOnPaths(m, paths, []float64{0, 2}, make([]geom.LeastDistance, 2), &proximity.Options{})
	if !errors.Is(err, status.ErrArgument) || !strings.Contains(err.Error(), "times[1] is 2") {
		t.Errorf("a time of 2: %v", err)
	}
}
