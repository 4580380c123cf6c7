package proximity

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/reference/oracle"
	"ccd/core/status"
)

// thickness sets random radii: of the size of the scene and far smaller, 0 among them; sometimes
// those that make some pair just touch.
func thickness(t *testing.T, r *rand.Rand, m *mesh.Mesh, x []float64) {
	t.Helper()
	size := 0.0
	for _, c := range x {
		size = max(size, math.Abs(c))
	}
	radius := make([]float64, m.NV)
	for i := range radius {
		switch r.IntN(4) {
		case 0:
			radius[i] = math.Ldexp(size, -r.IntN(40))
		case 1:
			radius[i] = size * math.Ldexp(r.Float64(), -r.IntN(12))
		case 2: // half a coordinate's difference: integers make pairs that touch exactly
			radius[i] = math.Abs(x[r.IntN(len(x))]/2 - x[r.IntN(len(x))]/2)
		}
	}
	if err := m.SetRadii(radius); err != nil {
		t.Fatal(err)
	}
}

// thickPair is an allowed pair with its exact squared distance of the centers, and its radii.
type thickPair struct {
	square *big.Rat
	ra, rb float64
}

func exactRat(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }

// reaches compares the distance of the centers with r_a + r_b + d, exactly: its sign.
func (p *thickPair) reaches(d *big.Rat) int {
	s := exactRat(p.ra)
	s.Add(s, exactRat(p.rb))
	s.Add(s, d)
	if s.Sign() < 0 {
		return 1
	}
	return p.square.Cmp(s.Mul(s, s))
}

// exactPairs returns the exact distances of all allowed pairs.
func exactPairs(m *mesh.Mesh, x []float64) map[[3]int64]*thickPair {
	all := map[[3]int64]*thickPair{}
	radii := m.Filter().Radii()
	for _, p := range products(m, false) {
		for _, a := range p.a {
			for _, b := range p.b {
				if p.self && b <= a || !m.Filter().Allows(p.kind, a, b) {
					continue
				}
				v := m.Indices(p.kind, a, b)
				var q []float64
				most := [2]float64{}
				for i, j := range v[:p.kind.Points()] {
					q = append(q, x[3*j:3*j+3]...)
					side := min(1, i/p.kind.Info().Split)
					most[side] = max(most[side], radii.Of(geom.Vertex, j))
				}
				all[[3]int64{int64(p.kind), int64(a), int64(b)}] = &thickPair{oracle.Distance(p.kind, q).Squared,
					most[0], most[1]}
			}
		}
	}
	return all
}

// checkThick checks laws 1 to 3 of a near pair.
func checkThick(t *testing.T, name string, n *NearPair, p *thickPair) {
	t.Helper()
	touches := p.reaches(new(big.Rat)) <= 0
	if (n.Hi == 0) != touches || n.Hi == 0 && n.Lo != 0 {
		t.Fatalf("%s: %+v, touching %v, radii %v and %v", name, *n, touches, p.ra, p.rb)
	}
	if !touches && (p.reaches(exactRat(n.Lo)) < 0 || p.reaches(exactRat(n.Hi)) > 0) {
		t.Fatalf("%s: %+v does not hold the distance, radii %v and %v", name, *n, p.ra, p.rb)
	}
	if n.Hi-n.Lo > 0x1p-23*(n.Hi+p.ra+p.rb)+0x1p-1070 {
		t.Fatalf("%s: %+v is not tight, radii %v and %v", name, *n, p.ra, p.rb)
	}
}

// Law 5 of radii: near pairs against exact arithmetic and brute force, over every family of points.
func TestRadiiLaw5Near(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 17))
	found, touching := 0, 0
	for i := range 140 {
		f := families[i%len(families)]
		x := f.make(r, 3+r.IntN(4))
		m := scene(t, r, len(x)/3, x)
		thickness(t, r, m, x)
		exact := exactPairs(m, x)
		d := []float64{0, math.Abs(x[0]), math.Abs(x[1] / 64)}[r.IntN(3)]
		want, err := Near(m, x, d, &Options{BruteForce: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range []engine.CallOptions{{Threads: 1}, {Threads: 3}, {MemoryLimit: 1}} {
			if got, err := Near(m, x, d, &Options{CallOptions: o}); err != nil || !slices.Equal(got, want) {
				t.Fatalf("%s: %d pairs, %v; by brute force %d", f.name, len(got), err, len(want))
			}
		}
		listed := map[[3]int64]bool{}
		for j := range want {
			n := &want[j]
			k := [3]int64{int64(n.Kind), n.A, n.B}
			listed[k] = true
			checkThick(t, f.name, n, exact[k])
			v := m.Indices(n.Kind, int32(n.A), int32(n.B))
			var q []float64
			for _, j := range v[:n.Kind.Points()] {
				q = append(q, x[3*j:3*j+3]...)
			}
			if err := ccdtest.CheckNearest(n.Kind, q, n.U, n.V, n.Hi+exact[k].ra+exact[k].rb, n.PointA,
				n.PointB); err != nil {
				t.Fatal(err)
			}
			if n.Lo > d {
				t.Fatalf("%s: %+v beyond %v", f.name, *n, d)
			}
			if n.Hi == 0 {
				touching++
			}
		}
		found += len(want)
		for k, p := range exact {
			if far := d + 0x1p-22*(d+p.ra+p.rb) + 0x1p-1070; !listed[k] && p.reaches(exactRat(d)) <= 0 ||
				listed[k] && p.reaches(exactRat(far)) > 0 {
				t.Fatalf("%s: pair %v, listed %v within %v", f.name, k, listed[k], d)
			}
		}
	}
	if found < 500 || touching < 100 {
		t.Errorf("only %d pairs, %d of them touching", found, touching)
	}
}

// Law 5 of radii: the smallest distance against exact arithmetic, by every method.
func TestRadiiLaw5Distance(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 17))
	apart := 0
	for i := range 280 {
		f := families[i%len(families)]
		x := f.make(r, 3+r.IntN(4))
		m := scene(t, r, len(x)/3, x)
		thickness(t, r, m, x)
		if i%2 == 0 { // thin enough to stay apart
			radius := make([]float64, m.NV)
			for j := range radius {
				radius[j] = m.Filter().Radii().Of(geom.Vertex, int32(j)) / 256
			}
			if err := m.SetRadii(radius); err != nil {
				t.Fatal(err)
			}
		}
		exact := exactPairs(m, x)
		got := distances(t, m, x)
		if got.Kind == 0 {
			continue
		}
		lo, hi := exactRat(got.Lo), exactRat(got.Hi)
		for k, p := range exact {
			if got.Lo > 0 && p.reaches(lo) < 0 {
				t.Fatalf("%s: %+v, but pair %v is nearer, radii %v and %v", f.name, got, k, p.ra, p.rb)
			}
		}
		if got.Kind == geom.EdgeFace {
			var q []float64
			for _, v := range slices.Concat(m.Edges[got.A][:], m.Faces[got.B][:]) {
				q = append(q, x[3*v:3*v+3]...)
			}
			if got.Hi != 0 || !oracle.Crossing(q) {
				t.Fatalf("%s: %+v, but they do not cross", f.name, got)
			}
			continue
		}
		best := exact[[3]int64{int64(got.Kind), got.A, got.B}]
		if best.reaches(hi) > 0 || (got.Hi == 0) != (best.reaches(new(big.Rat)) <= 0) {
			t.Fatalf("%s: %+v, radii %v and %v", f.name, got, best.ra, best.rb)
		}
		if got.Lo > 0 {
			apart++
		}
	}
	if apart < 40 {
		t.Errorf("only %d meshes whose surfaces are apart", apart)
	}
}

// Two sheets with thickness: 5 apart, so 5 less the radii of the nearest pair.
func TestRadiiDistanceOfSheets(t *testing.T) {
	faces, x := sheet(14, func(int, int) float64 { return 0 })
	one := len(x) / 3
	for i := range one {
		x = append(x, x[3*i], x[3*i+1], x[3*i+2]+5)
	}
	for _, f := range faces[:len(faces):len(faces)] {
		faces = append(faces, f+int32(one))
	}
	m, err := mesh.New(2*one, nil, faces)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.SetComponentGroups(); err != nil {
		t.Fatal(err)
	}
	radius := make([]float64, 2*one)
	for i := range radius {
		radius[i] = 0.5
	}
	radius[40], radius[one+40] = 1, 1.5
	if err := m.SetRadii(radius); err != nil {
		t.Fatal(err)
	}
	if d := distances(t, m, x); d.Lo > 2.5 || d.Hi < 2.5 || d.Hi-d.Lo > 1e-6 {
		t.Errorf("%+v, want 2.5", d)
	}
	radius[40] = 4
	if err := m.SetRadii(radius); err != nil {
		t.Fatal(err)
	}
	if d := distances(t, m, x); d.Lo != 0 || d.Hi != 0 {
		t.Errorf("%+v, want 0: the surfaces overlap", d)
	}
}

// Radii that exceed the range together with a distance are an error that names the distance as the
// caller does.
func TestErrorsOfRadiiNameTheDistance(t *testing.T) {
	m, err := mesh.New(4, nil, []int32{0, 1, 2})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.SetRadii([]float64{0, 0, 0, 4e149}); err != nil {
		t.Fatal(err)
	}
	x := []float64{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}
	if _, err := Near(m, x, 1e149, nil); err != nil {
		t.Errorf("within the range: %v", err)
	}
	_, near := Near(m, x, 3e149, nil)
	_, list := List(m, x, 3e149, nil)
	if err := m.SetRadii([]float64{0, 0, 0, 6e149}); err != nil {
		t.Fatal(err)
	}
	_, distance := Distance(m, x, nil)
	for want, err := range map[string]error{
		"d is 3e+149 and twice the largest radius is 8e+149: their sum must be at most 1e+150":     near,
		"reach is 3e+149 and twice the largest radius is 8e+149: their sum must be at most 1e+150": list,
		"the distance at contact is 0 and twice the largest radius is " +
			"1.2e+150: their sum must be at most 1e+150": distance,
	} {
		if !errors.Is(err, status.ErrArgument) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
