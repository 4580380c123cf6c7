package rigid

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/status"
)

// TestMeshAdvanceHolds: over the time that a node, or a triangle, is advanced, none of its points
// come as near to the element as the separation.
func TestMeshAdvanceHolds(t *testing.T) {
	r := rand.New(rand.NewPCG(45, 1))
	nodes, leaves := 0, 0
	for range 600 {
		d := someDrape(r)
		for _, p := range d.pairsOf()[:1] {
			var w meshSolver
			w.prepare(d.Bodies[p.body], &d.Motions[p.body], &d.o)
			_, _, corners := d.tree.element(p.element)
			w.place(d.x0, d.x1, &corners)
			at := d.o.TMin + 0.5*(d.o.TMax-d.o.TMin)*r.Float64()
			w.move(at)
			h := d.o.TMax - at
			i := r.IntN(len(w.a.body.child))
			w.placeNode(int32(i))
			step := w.advanceNode(&w.node, h)
			under := w.a.body.under(i)
			if d.hold(t, &p, under, at, step, h) {
				nodes++
			}
			if child := w.a.body.child[i]; child < 0 {
				w.setFace(^child)
				dir, ok := w.direction()
				if r.IntN(2) == 0 {
					dir.n1 = r3.Vec{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}
				}
				if ok && d.hold(t, &p, under, at, w.leaf.advance(&w.query, &w.f, &dir, h), h) {
					leaves++
				}
				if d.hold(t, &p, under, at, w.step(h), h) {
					leaves++
				}
			}
		}
	}
	if nodes < 100 || leaves < 100 {
		t.Errorf("only %d nodes and %d leaves were advanced within the interval", nodes, leaves)
	}
}

// hold checks a step from at; it reports whether there was one that ends within h.
func (d *drape) hold(t *testing.T, p *drapePair, part *Body, at, step, h float64) bool {
	t.Helper()
	if !(step > 0 && step < h) {
		return false
	}
	whole := d.Bodies[p.body]
	defer func() { d.Bodies[p.body] = whole }()
	d.Bodies[p.body] = part
	for k := range 5 {
		s := at + step*(1-math.Ldexp(1, -3*k-1))
		if s >= at+step {
			continue
		}
		if gap, rounding := d.rough(p, s); gap+rounding < d.o.MinSeparation || gap == 0 && d.distance(p, s) == 0 {
			t.Fatalf("advanced by %v from %v, distance %v at %v: %v", step, at, gap, s, d)
		}
	}
	return true
}

// TestStillMeshIsABody: over a mesh that stands still the answer is that of two bodies, but for the
// tolerance.
func TestStillMeshIsABody(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 1))
	hits := 0
	for range 150 {
		d := someDrape(r)
		if len(d.Mesh.Faces) == 0 || math.Abs(d.x0[0]) > 100 {
			continue // far from the origin a body's radius is large, and its margins
		}
		ground, err := NewBody(d.x0, d.Mesh.Faces, 1)
		if err != nil {
			t.Fatal(err)
		}
		still := Motion{Rotation: quat.Number{Real: 1}}
		for i := range d.Bodies {
			one := MeshScene{Bodies: d.Bodies[i : i+1], Motions: d.Motions[i : i+1], Mesh: d.Mesh}
			all, err := one.Collisions(d.x0, d.x0, &d.o)
			if err != nil {
				t.Fatal(err)
			}
			var got Impact
			got.setSeparate()
			for _, im := range all {
				if im.Shape == MeshFace {
					got = im.Impact
					break
				}
			}
			var s Solver
			var want Impact
			if err := s.Earliest(d.Bodies[i], ground, &d.Motions[i], &still, &d.o, &want); err != nil {
				t.Fatal(err)
			}
			same := got.TOILo == want.TOILo || math.Abs(got.TOILo-want.TOILo) < 1e-4*d.o.TMax && got.Flags == want.Flags
			if got.Verdict != want.Verdict || !same {
				t.Errorf("%+v, between bodies %+v: %v", got, want, d)
			}
			if got.Verdict == geom.Contact {
				hits++
			}
		}
	}
	if hits < 30 {
		t.Errorf("only %d contacts", hits)
	}
}

// sheet returns a grid of n x n quads in [-1, 1]^2, and ball a body about the origin.
func sheet(t testing.TB, n int) (*mesh.Mesh, []float64) {
	var x []float64
	var faces []int32
	for i := range n + 1 {
		for j := range n + 1 {
			x = append(x, 2*float64(i)/float64(n)-1, 2*float64(j)/float64(n)-1, 0)
			if at := int32(i*(n+1) + j); i < n && j < n {
				faces = append(faces, at, at+1, at+int32(n)+1, at+1, at+int32(n)+2, at+int32(n)+1)
			}
		}
	}
	m, err := mesh.New(len(x)/3, nil, faces)
	if err != nil {
		t.Fatal(err)
	}
	return m, x
}

func ball(t testing.TB, n int, radius float64) *Body {
	var v []float64
	var faces [][3]int32
	for i := range n + 1 {
		for j := range n {
			s, c := math.Sincos(math.Pi * float64(i) / float64(n))
			u, x := math.Sincos(2 * math.Pi * float64(j) / float64(n))
			v = append(v, radius*s*u, radius*s*x, radius*c)
			if i < n {
				at := func(i, j int) int32 { return int32(i*n + j%n) }
				faces = append(faces, [3]int32{at(i, j), at(i+1, j), at(i, j+1)},
					[3]int32{at(i, j+1), at(i+1, j), at(i+1, j+1)})
			}
		}
	}
	b, err := NewBody(v, faces, 1)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestBallOverACloth: the cloth rises as a dome against a ball that falls and spins; when they meet
// is known.
func TestBallOverACloth(t *testing.T) {
	m, x0 := sheet(t, 40)
	x1 := append([]float64{}, x0...)
	for i := 0; i < len(x1); i += 3 {
		x1[i+2] = 1 - 0.5*(x1[i]*x1[i]+x1[i+1]*x1[i+1])
	}
	motion := Motion{Rotation: quat.Number{Real: 1}, Position: r3.Vec{Z: 1.5}, Velocity: r3.Vec{Z: -1},
		AngularVelocity: r3.Vec{Z: 20}}
	s := MeshScene{Bodies: []*Body{ball(t, 40, 0.5)}, Motions: []Motion{motion}, Mesh: m}
	im, err := s.Earliest(x0, x1, nil)
	if err != nil {
		t.Fatal(err)
	}
	// The lowest point of the ball, 1 - t, meets the top of the dome, t: at 1/2, at the pole and
	// the middle vertex.
	if im.Verdict != geom.Contact || !(im.TOILo < 0.5 && im.TOILo > 0.5-1e-9) || im.Body != 0 || im.Shape != MeshFace ||
		im.Flags != 0 ||
		!(im.Normal.Z > 1-1e-6) || !(im.Distance >= 0.125e-10 && im.Distance <= 1e-10) {
		t.Errorf("%+v", im)
	}
	all, err := s.Collisions(x0, x1, nil)
	if err != nil || len(all) < 100 || all[0] != im {
		t.Errorf("%d contacts, %v", len(all), err)
	}
	if n := testing.AllocsPerRun(5, func() {
		if _, err := s.Earliest(x0, x1, nil); err != nil {
			t.Fatal(err)
		}
	}); n > 8 { // what starting the goroutines takes, however many pairs there are
		t.Errorf("%v allocations", n)
	}
}

// TestMeshStart: what touches, or intersects, at TMin is said to at once; just after a bounce what
// parts may be passed over.
func TestMeshStart(t *testing.T) {
	m, x0 := sheet(t, 4)
	x1 := append([]float64{}, x0...)
	for i := 2; i < len(x1); i += 3 {
		x1[i] = -1
	}
	s := MeshScene{Bodies: []*Body{ball(t, 8, 0.5)}, Motions: make([]Motion, 1), Mesh: m}
	motion := &s.Motions[0]
	motion.Rotation.Real = 1
	for _, c := range []struct {
		height, velocity float64
		flags            uint32
		ignore           bool
		verdict          geom.Verdict
	}{
		{0.5, 0, InitialContact, false, geom.Contact},
		{0.5 + 0.9e-10, 0, InitialContact, false, geom.Contact},
		{0.3, 0, InitialContact | Intersecting, false, geom.Contact},
		{0.5 + 0.6e-10, 0, 0, true, geom.Separate},
		{0.5 + 0.6e-10, -2, InitialContact, true, geom.Contact},
		{0.5 + 1.2e-10, -2, 0, true, geom.Contact},
		{0.5 + 1e-9, -1, 0, false, geom.Separate},
		{0.75, -2, 0, true, geom.Contact},
	} {
		motion.Position.Z, motion.Velocity.Z, motion.AngularVelocity.Z = c.height, c.velocity, 30
		o := DefaultOptions()
		if c.ignore {
			o.Flags = IgnoreSeparating
		}
		im, err := s.Earliest(x0, x1, &o)
		if err != nil || im.Verdict != c.verdict ||
			c.verdict == geom.Contact && (im.Flags != c.flags || (im.TOILo == 0) != (c.flags != 0)) {
			t.Errorf("%+v: %+v, %v", c, im, err)
		}
	}
}

func TestMeshErrorsNameTheArgument(t *testing.T) {
	m, x := sheet(t, 2)
	bad := append([]float64{}, x...)
	bad[4] = math.Inf(1)
	good := func() *MeshScene {
		s := &MeshScene{Bodies: []*Body{ball(t, 4, 0.1)}, Motions: make([]Motion, 1), Mesh: m}
		s.Motions[0].Rotation.Real = 1
		return s
	}
	for text, c := range map[string]struct {
		change func(*MeshScene, *Options)
		x0, x1 []float64
		kind   error
	}{
		"x0 has 3 coordinates": {nil, x[:3], x, status.ErrArgument},
		"x1 has 0 coordinates": {nil, x, nil, status.ErrArgument},
		"x1[1][1] is +Inf":     {nil, x, bad, status.ErrNonFinite},
		"options.t_max":        {func(_ *MeshScene, o *Options) { o.TMax = -1 }, x, x, status.ErrArgument},
		"options.method": {
			func(_ *MeshScene, o *Options) { o.Search = ReferenceSpheres }, x, x, status.ErrUnsupported,
		},
		"motions[0]: velocity": {
			func(s *MeshScene, _ *Options) { s.Motions[0].Velocity.X = math.NaN() }, x, x, status.ErrNonFinite,
		},
		"motions has 0 items": {func(s *MeshScene, _ *Options) { s.Motions = nil }, x, x, status.ErrArgument},
		"the call was cancelled": {func(s *MeshScene, _ *Options) {
			s.Progress = func(float64) bool { return true }
		}, x, x, status.ErrCancelled},
	} {
		s, o := good(), DefaultOptions()
		if c.change != nil {
			c.change(s, &o)
		}
		im, err := s.Earliest(c.x0, c.x1, &o)
		if !errors.Is(err, c.kind) ||
			c.kind != status.ErrCancelled && (len(err.Error()) < len(text) || err.Error()[:len(text)] != text) {
			t.Errorf("%s: %v", text, err)
		}
		if im.Verdict != geom.Undecided || !math.IsInf(im.TOILo, -1) || im.Body != -1 {
			t.Errorf("%s: an error leaves %+v", text, im)
		}
	}
	empty := MeshScene{Mesh: m}
	if im, err := empty.Earliest(x, x, nil); err != nil || im.Verdict != geom.Separate {
		t.Errorf("no bodies: %+v, %v", im, err)
	}
	nothing, _ := mesh.New(0, nil, nil)
	s := good()
	s.Mesh = nothing
	if im, err := s.Earliest(nil, nil, nil); err != nil || im.Verdict != geom.Separate {
		t.Errorf("no mesh: %+v, %v", im, err)
	}
}

func BenchmarkBallOverACloth(b *testing.B) {
	for _, n := range []int{20, 100} {
		m, x0 := sheet(b, n)
		x1 := append([]float64{}, x0...)
		for i := 0; i < len(x1); i += 3 {
			x1[i+2] = 1 - 0.5*(x1[i]*x1[i]+x1[i+1]*x1[i+1])
		}
		motion := Motion{Rotation: quat.Number{Real: 1}, Position: r3.Vec{Z: 1.5}, Velocity: r3.Vec{Z: -1},
			AngularVelocity: r3.Vec{Z: 20}}
		s := MeshScene{Bodies: []*Body{ball(b, 40, 0.5)}, Motions: []Motion{motion}, Mesh: m}
		b.Run("earliest", func(b *testing.B) {
			for b.Loop() {
				if _, err := s.Earliest(x0, x1, nil); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(len(s.pairs)), "pairs")
		})
		b.Run("collisions", func(b *testing.B) {
			for b.Loop() {
				if _, err := s.Collisions(x0, x1, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
