package patch

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"ccd/core/geom"
)

// halfCylinder returns a body of n patches: the lower half of a cylinder about the y axis.
func halfCylinder(t testing.TB, r, length float64, n int) (*Body, []float64) {
	t.Helper()
	var x, w []float64
	var forms []Form
	var index []int32
	for k := range n {
		e0, e1 := math.Pi+math.Pi*float64(k)/float64(n), math.Pi+math.Pi*float64(k+1)/float64(n)
		h, m := (e1-e0)/2, (e0+e1)/2
		far := 1 / math.Cos(h)
		for i, p := range [3][2]float64{{math.Cos(e0), math.Sin(e0)}, {far * math.Cos(m), far * math.Sin(m)},
			{math.Cos(e1), math.Sin(e1)}} {
			for j := range 2 {
				index = append(index, int32(len(x)/3))
				x = append(x, r*p[0], (float64(j)-0.5)*length, r*p[1])
				w = append(w, []float64{1, math.Cos(h), 1}[i])
			}
		}
		forms = append(forms, Form{Quad, 2, 1})
	}
	return bodyOf(t, forms, index, x, w)
}

// bowl returns a body of four patches: the lower half of a sphere.
func bowl(t testing.TB, r float64) (*Body, []float64) {
	t.Helper()
	var x, w []float64
	var forms []Form
	var index []int32
	s := math.Sqrt(0.5)
	for q := range 4 {
		c, d := []float64{1, 0, -1, 0}[q], []float64{0, 1, 0, -1}[q]
		for i, p := range [3][2]float64{{c, d}, {c - d, d + c}, {-d, c}} {
			for j, m := range [3][2]float64{{0, -1}, {1, -1}, {1, 0}} {
				index = append(index, int32(len(x)/3))
				x = append(x, r*m[0]*p[0], r*m[0]*p[1], r*m[1])
				w = append(w, []float64{1, s, 1}[i]*[]float64{1, s, 1}[j])
			}
		}
		forms = append(forms, Form{Quad, 2, 2})
	}
	return bodyOf(t, forms, index, x, w)
}

func bodyOf(t testing.TB, forms []Form, index []int32, x, w []float64) (*Body, []float64) {
	t.Helper()
	b, err := NewBody(len(x)/3, forms, index, w)
	if err != nil {
		t.Fatal(err)
	}
	return b, x
}

// areaScene is a body that is lowered from the height h by v onto another, and the time of their
// first contact: over an area, along a circle or along a line.
type areaScene struct {
	name  string
	a, b  *Body
	x, y  []float64
	h, v  float64
	exact float64
}

func areaScenes(t testing.TB) (list []areaScene) {
	add := func(name string, a *Body, x []float64, b *Body, y []float64, h, exact float64) {
		list = append(list, areaScene{name, a, b, x, y, h, -2 * h, exact})
	}
	shaft, s := halfCylinder(t, 0.999, 3, 2)
	tight, u := halfCylinder(t, 1, 3, 2)
	bearing, b := halfCylinder(t, 1, 4, 3)
	add("shaft 0.999 in bearing 1", shaft, s, bearing, b, 1, 0.5005)
	add("shaft 1 in bearing 1", tight, u, bearing, b, 1, 0.5)
	socket, k := bowl(t, 1)
	for _, r := range []float64{0.9, 0.999, 1} {
		ball, x := bowl(t, r)
		add("ball in socket 1", ball, x, socket, k, 1, 0.5+0.5*(1-r))
		add("ball in bearing 1", ball, x, bearing, b, 1, 0.5+0.5*(1-r))
	}
	ring, y := torus(t, 2, 0.5)
	for _, r := range []float64{1.5, 1.6} {
		ball, x := bowl(t, r)
		add("ball through torus 2, 0.5", ball, x, ring, y, 2, (2-math.Sqrt((r+0.5)*(r+0.5)-4))/4)
	}
	return list
}

func (c *areaScene) steps() (a, b *BodyStep) {
	at := func(z float64) []float64 { return moved(c.x, [3]float64{0, 0, z}) }
	return &BodyStep{Body: c.a, X0: at(c.h), X1: at(c.h + c.v)}, &BodyStep{Body: c.b, X0: c.y, X1: c.y}
}

// Contacts over an area, along circles and along lines are decided at every tolerance, after a
// number of checks that does not grow with it: planes alone spend a million and more.
func TestAreaContactsAreDecided(t *testing.T) {
	for _, c := range areaScenes(t) {
		for _, tolerance := range []float64{1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-11, 1e-12} {
			var s Scene
			o := DefaultOptions()
			o.Tolerance, o.MaxIterations, o.Threads = tolerance, 3000, 1
			a, b := c.steps()
			im, err := s.Earliest(a, b, &o)
			if err != nil {
				t.Fatal(err)
			}
			if grazes := c.exact == 0.5 && c.h == 2; grazes && tolerance < 1e-11 && im.Verdict == geom.Undecided {
				continue // The ball of 1.5 fills the hole of the torus: docs/limits.md has its time.
			}
			if im.Verdict != geom.Contact || im.TOILo > c.exact+1e-14 {
				t.Errorf("%s, %v: %+v, contact at %v", c.name, tolerance, im, c.exact)
				continue
			}
			// The distance at time t before the contact is no less than that of grazing patches,
			// some (2 t)^2 / 8.
			if late := c.exact - im.TOILo; late > tolerance+math.Sqrt(8*tolerance) {
				t.Errorf("%s, %v: %v before the contact", c.name, tolerance, late)
			}
			var p, q Patch
			a.gather(int(im.A), &p)
			b.gather(int(im.B), &q)
			d := distance(p.At(im.UVA[0], im.UVA[1], im.TOIHi), q.At(im.UVB[0], im.UVB[1], im.TOIHi))
			if d > tolerance+1e-13 {
				t.Errorf("%s, %v: the points are %v apart", c.name, tolerance, d)
			}
		}
	}
}

// Where quadrics come to no end, planes decide: with few checks for quadrics the contacts are those
// that quadrics find, within the tolerance.
func TestPlanesDecideWhatQuadricsDoNot(t *testing.T) {
	defer func(most int64) { mostCurvedChecks = most }(mostCurvedChecks)
	for _, c := range areaScenes(t) {
		var times [2]float64
		for i, most := range []int64{1 << 15, 16} {
			mostCurvedChecks = most
			var s Scene
			o := DefaultOptions()
			o.Tolerance, o.Threads = 1e-3, 1
			a, b := c.steps()
			im, err := s.Earliest(a, b, &o)
			if err != nil {
				t.Fatal(err)
			}
			if im.Verdict != geom.Contact || im.TOILo > c.exact+1e-14 {
				t.Errorf("%s, %d checks: %+v, contact at %v", c.name, most, im, c.exact)
			}
			times[i] = im.TOILo
		}
		if math.Abs(times[0]-times[1]) > 1e-3+math.Sqrt(8e-3) {
			t.Errorf("%s: contact at %v, and by planes at %v", c.name, times[0], times[1])
		}
	}
	r := rand.New(rand.NewPCG(7, 7))
	gave := 0
	for trial := range 40 {
		a, b := touchingSpheres(r, trial)
		var s Solver
		var im Impact
		o := DefaultOptions()
		o.Tolerance = 1e-3
		if err := s.Solve(a, b, &o, &im); err != nil {
			t.Fatal(err)
		}
		if s.curved.pays.given {
			gave++
		}
		if im.Verdict == geom.Undecided {
			t.Errorf("spheres %d: %+v", trial, im)
		}
	}
	if gave == 0 {
		t.Error("quadrics never gave up")
	}
}

// The impacts of these scenes, and of bodies that turn and grow on the way, have the same bits on
// any number of threads, and the first contact has the same time whatever the order of the patches:
// several pairs of a scene meet nearly at once, and each of them may end the search of the others.
func TestAreasOnThreads(t *testing.T) {
	shaft, x := halfCylinder(t, 0.999, 3, 7)
	bearing, y := halfCylinder(t, 1, 4, 9)
	scenes := append(areaScenes(t),
		areaScene{"7 patches in 9", shaft, bearing, x, y, 1, -2, 0.5005})
	r := rand.New(rand.NewPCG(468, 1))
	pairs, curved := 0, false
	for k, c := range scenes {
		for _, turn := range []float64{0, 0.05} {
			a, b := c.steps()
			if turn != 0 {
				a.X1 = turnedAbout(a.X1, vec{0, 1, 0.2}, turn, vec{})
				for i := range a.X1 {
					a.X1[i] *= 1 + turn
				}
			}
			var s Scene
			o := DefaultOptions()
			o.Tolerance, o.MaxIterations = []float64{1e-4, 1e-9}[k%2], 1000
			o.MinSeparation = []float64{0, 0, 1e-3}[k%3]
			calls := func(threads int) (im Impact, all string) { // Hexadecimal figures show every bit.
				o.Threads = threads
				im, err := s.Earliest(a, b, &o)
				list, err2 := s.Collisions(a, b, &o)
				if err != nil || err2 != nil || im.Verdict == geom.Separate || len(list) < 2 {
					t.Fatalf("%s: %+v and %d impacts, %v, %v", c.name, im, len(list), err, err2)
				}
				pairs += len(list)
				return im, fmt.Sprintf("%x %x", im, list)
			}
			first, want := calls(1)
			for _, threads := range []int{2, 3, 8} {
				if _, got := calls(threads); got != want {
					t.Errorf("%s, turned by %v: %s on %d threads, %s on one", c.name, turn, got, threads, want)
				}
			}
			for _, w := range s.workers {
				curved = curved || w.solver.curved.used
			}
			for range 2 {
				a.Body, b.Body = shuffled(t, r, a.Body), shuffled(t, r, b.Body)
				if im, _ := calls(2); im.TOILo != first.TOILo || im.Verdict != first.Verdict {
					t.Errorf("%s, turned by %v: %+v in another order, %+v before", c.name, turn, im, first)
				}
			}
		}
	}
	if pairs < 100*len(scenes) || !curved {
		t.Errorf("%d impacts; quadrics were used: %v", pairs, curved)
	}
}

// shuffled returns a body of the same patches in another order.
func shuffled(t *testing.T, r *rand.Rand, b *Body) *Body {
	t.Helper()
	var forms []Form
	var index []int32
	var weights []float64
	for _, k := range r.Perm(b.Patches()) {
		p := &b.patches[k]
		forms, index = append(forms, p.form), append(index, b.indices(k)...)
		weights = append(weights, b.weights[p.first:p.first+p.form.Points()]...)
	}
	out, err := NewBody(b.points, forms, index, weights)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// What is known of other pairs changes no bit of the answer for patches over an area, whether they
// translate, turn or grow, at whatever time another pair is known to meet: so the order does not
// matter in which threads come to them.
func TestAreasUpToAnotherContact(t *testing.T) {
	r := rand.New(rand.NewPCG(466, 1))
	var s Solver
	used, trials := 0, 300
	if testing.Short() {
		trials = 40
	}
	for trial := range trials {
		p, q := touchingSpheres(r, trial)
		o := DefaultOptions()
		o.Tolerance, o.MaxIterations = []float64{1e-4, 1e-9}[trial%2], 3000
		if trial%3 == 0 {
			o.MinSeparation = 0.01 * r.Float64()
		}
		var im Impact
		s.incumbent = rival(math.Inf(1))
		if err := s.Solve(p, q, &o, &im); err != nil {
			t.Fatal(err)
		}
		if im.Verdict == geom.Separate || !s.curved.used {
			continue
		}
		used++
		for _, after := range []float64{0, 1e-12, 1e-9, 1e-6, 1e-4, 1e-3, 1e-2, 0.1} {
			s.incumbent = rival(im.TOILo + after)
			var got Impact
			if err := s.Solve(p, q, &o, &got); err != nil || got != im {
				t.Fatalf("trial %d, %v after the contact %+v: %+v, %v", trial, after, im, got, err)
			}
		}
	}
	if 5*used < trials {
		t.Errorf("quadrics were used in %d", used)
	}
}

// BenchmarkArea measures these scenes.
func BenchmarkArea(b *testing.B) {
	for _, c := range areaScenes(b) {
		for _, tolerance := range []float64{1e-3, 1e-6, 1e-10} {
			b.Run(fmt.Sprintf("%s/%g", c.name, tolerance), func(b *testing.B) {
				var s Scene
				o := DefaultOptions()
				o.Tolerance, o.Threads = tolerance, 1
				p, q := c.steps()
				from := cpu()
				for range b.N {
					if _, err := s.Earliest(p, q, &o); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric((cpu()-from)*1e6/float64(b.N), "cpu-us")
			})
		}
	}
}
