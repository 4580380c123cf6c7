package rigid

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/ccdtest"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/num"
)

// A drape is bodies over a mesh that deforms.
type drape struct {
	*MeshScene
	x0, x1 []float64
	o      Options
}

func (d *drape) String() string {
	var tri []any
	for _, b := range d.Bodies {
		tri = append(tri, b.tri)
	}
	return fmt.Sprintf("%v %+v over %v %v %v from %v to %v, %+v",
		tri, d.Motions, d.Mesh.Faces, d.Mesh.Edges, d.Mesh.CodimVertices, d.x0, d.x1, d.o)
}

// someDrape draws up to three small bodies and a mesh of a few faces, edges and vertices that bring
// each other together.
func someDrape(r *rand.Rand) *drape {
	v := func(s float64) r3.Vec {
		return r3.Vec{X: s * (2*r.Float64() - 1), Y: s * (2*r.Float64() - 1), Z: s * (2*r.Float64() - 1)}
	}
	d := &drape{MeshScene: new(MeshScene), o: DefaultOptions()}
	nv := 4 + r.IntN(5)
	d.Mesh = someMesh(r, nv)
	bend, way, grid := []float64{0, 0.3, 2}[r.IntN(3)], v(1.5), r.IntN(4) == 0
	for range nv {
		p := v(0.8)
		if grid {
			p = r3.Vec{X: math.Round(4*p.X) / 4, Y: math.Round(4*p.Y) / 4, Z: math.Round(4*p.Z) / 4}
		}
		q := r3.Add(r3.Add(p, way), v(bend))
		d.x0, d.x1 = append(d.x0, p.X, p.Y, p.Z), append(d.x1, q.X, q.Y, q.Z)
	}
	for range 1 + r.IntN(3) {
		m := Motion{Rotation: quat.Number{Real: 1}, Position: v(1.5), AngularVelocity: v(3), Velocity: v(1)}
		if r.IntN(4) > 0 {
			m.Rotation = quat.Number{Real: r.NormFloat64(), Imag: r.NormFloat64(), Jmag: r.NormFloat64(),
				Kmag: r.NormFloat64()}
		}
		switch r.IntN(8) {
		case 0:
			m.AngularVelocity = r3.Vec{}
		case 1:
			m.AngularVelocity = v(100)
		case 2:
			m.Pivot = v(1)
		case 3:
			m.Velocity, m.AngularVelocity = r3.Vec{}, r3.Vec{}
		case 4:
			m.Velocity = geom.Scale(100, m.Velocity)
		}
		if r.IntN(4) > 0 { // toward where the mesh is by then
			m.Velocity = r3.Add(m.Velocity,
				r3.Sub(geom.Scale(1/(r.Float64()+0.1), r3.Sub(v(0.3), m.Position)), geom.Scale(-1, way)))
		}
		d.Bodies, d.Motions = append(d.Bodies, soup(r, 1+r.IntN(3))), append(d.Motions, m)
	}
	switch r.IntN(8) {
	case 0: // far from the world's origin
		d.carry(v(1e6), r3.Vec{})
	case 1: // a common velocity
		d.carry(r3.Vec{}, v(1e4))
	case 2: // another interval of time
		d.o.TMin, d.o.TMax = 1000, 1000.5+r.Float64()
		for i := range d.Motions {
			m := &d.Motions[i]
			m.Position = r3.Sub(m.Position, geom.Scale(1000, m.Velocity))
		}
	case 3:
		d.o.MinSeparation, d.o.Tolerance = 0.1*r.Float64(), 1e-6
	case 4:
		d.o.MinSeparation = 0
	case 5: // the mesh stands still
		copy(d.x1, d.x0)
	}
	return d
}

// someMesh has faces, edges in no face, and vertices in no edge.
func someMesh(r *rand.Rand, nv int) *mesh.Mesh {
	var edges, faces []int32
	have := map[[2]int32]bool{}
	edge := func(a, b int32) {
		if e := [2]int32{min(a, b), max(a, b)}; !have[e] {
			have[e] = true
			edges = append(edges, a, b)
		}
	}
	for range r.IntN(4) {
		p := r.Perm(nv)
		f := []int32{int32(p[0]), int32(p[1]), int32(p[2])}
		if _, err := mesh.New(nv, nil, append(slices.Clone(faces), f...)); err != nil {
			continue // twice the same
		}
		faces = append(faces, f...)
		edge(f[0], f[1])
		edge(f[1], f[2])
		edge(f[2], f[0])
	}
	for range r.IntN(2) {
		edge(int32(r.IntN(nv/2)), int32(nv/2+r.IntN(nv/2)))
	}
	m, err := mesh.New(nv, edges, faces)
	if err != nil {
		panic(err)
	}
	return m
}

// carry moves everything.
func (d *drape) carry(by, velocity r3.Vec) {
	for i := range d.Motions {
		m := &d.Motions[i]
		m.Position, m.Velocity = r3.Add(m.Position, by), r3.Add(m.Velocity, velocity)
	}
	shift := func(x []float64, t float64) {
		w := geom.Components(r3.Add(by, geom.Scale(t, velocity)))
		for i := range x {
			x[i] += w[i%3]
		}
	}
	shift(d.x0, d.o.TMin)
	shift(d.x1, d.o.TMax)
}

// corner returns where a vertex of the mesh is, over numbers of 400 bits.
func (d *drape) corner(v int32, t float64) (x [3]*big.Float) {
	minus := ccdtest.Big(-1)
	from := ccdtest.Times(minus, ccdtest.Big(d.o.TMin))
	for k := range x {
		a, b := ccdtest.Big(d.x0[3*int(v)+k]), ccdtest.Big(d.x1[3*int(v)+k])
		x[k] = a
		if d.o.TMax > d.o.TMin {
			part := ccdtest.Over(ccdtest.Plus(ccdtest.Big(t), from), ccdtest.Plus(ccdtest.Big(d.o.TMax), from))
			x[k] = ccdtest.Plus(a, ccdtest.Times(part, ccdtest.Plus(b, ccdtest.Times(minus, a))))
		}
	}
	return x
}

// places returns the corners of a body's triangles and of an element at t, seen from the body's
// pivot, each rounded once.
func (d *drape) places(p *drapePair, t float64) (body [][3][3]float64, element [3][3]float64) {
	m := &d.Motions[p.body]
	origin, _, _ := truth(m, m.Pivot, ccdtest.Big(t))
	seen := func(x [3]*big.Float) (out [3]float64) {
		for i := range out {
			out[i], _ = ccdtest.Plus(x[i], ccdtest.Times(ccdtest.Big(-1), origin[i])).Float64()
		}
		return out
	}
	for _, tri := range d.Bodies[p.body].tri {
		var c [3][3]float64
		for k := range 3 {
			x, _, _ := truth(m, tri[k], ccdtest.Big(t))
			c[k] = seen(x)
		}
		body = append(body, c)
	}
	_, _, corners := d.tree.element(p.element)
	for k, v := range corners {
		element[k] = seen(d.corner(v, t))
	}
	return body, element
}

// distance returns the distance of a body and an element at t, over numbers of 400 and 512 bits: 0
// where they pierce.
func (d *drape) distance(p *drapePair, t float64) float64 {
	body, element := d.places(p, t)
	best := math.Inf(1)
	for i := range body {
		var l leaf
		for k := range 3 {
			l.A.P[k], l.B.P[k] = geom.VecOf(body[i][k][:]), geom.VecOf(element[k][:])
		}
		l.A.Set()
		l.B.Set()
		if l.Intersect(1e-9) {
			return 0
		}
		best = min(best, exactTriangles(&body[i], &element))
	}
	return best
}

// rough returns the distance in floats, and a bound on its error.
func (d *drape) rough(p *drapePair, t float64) (distance, rounding float64) {
	_, _, corners := d.tree.element(p.element)
	part := 0.0
	if d.o.TMax > d.o.TMin {
		part = (t - d.o.TMin) / (d.o.TMax - d.o.TMin)
	}
	var x []float64
	far := 4.0
	for _, v := range corners {
		a, b := geom.VecOf(d.x0[3*v:]), geom.VecOf(d.x1[3*v:])
		q := r3.Add(a, geom.Scale(part, r3.Sub(b, a)))
		x = append(x, q.X, q.Y, q.Z)
		far += geom.Norm(a) + geom.Norm(b)
	}
	element, err := NewBody(x, [][3]int32{{0, 1, 2}}, 1)
	if err != nil {
		panic(err)
	}
	m := &d.Motions[p.body]
	pose := m.At(t)
	far += geom.Norm(m.Position) + geom.Norm(m.Velocity)*math.Abs(t)
	return distanceAt(d.Bodies[p.body], element, pose, geom.Pose{Rotation: quat.Number{Real: 1}}), 64 * 0x1p-53 * far
}

// A drapePair is a body and an element that do not meet before start.
type drapePair struct {
	start         float64
	body, element int32
}

// pairsOf returns all bodies and elements, without a tree.
func (d *drape) pairsOf() (list []drapePair) {
	d.tree.load(d.Mesh, d.x0, d.x1, d.o.TMin == d.o.TMax, 1)
	for i := range d.Bodies {
		for e := range d.tree.elements() {
			list = append(list, drapePair{d.o.TMin, int32(i), int32(e)})
		}
	}
	return list
}

// approach decides whether the pair is tested.
func (d *drape) approach(p *drapePair) (a approach) {
	a.set(d.Bodies[p.body], &d.Motions[p.body], &d.o)
	a.cut(d.Bodies[p.body], &d.Motions[p.body])
	return a
}

// solve finds the impact of a pair by itself.
func (d *drape) solve(w *meshSolver, p *drapePair, o *Options, im *MeshImpact) {
	w.prepare(d.Bodies[p.body], &d.Motions[p.body], o)
	w.solve(d.MeshScene, p.element, p.start, math.Inf(1), im)
}

// check holds the answer of a pair to the laws, by samples of the true motion.
func (d *drape) check(p *drapePair, im *MeshImpact, samples int) error {
	end := d.o.TMax
	if im.Verdict != geom.Separate {
		end = im.TOILo
	}
	separation := d.o.MinSeparation
	if d.o.Search == Reference {
		separation = 0
	}
	for k := range samples {
		t := d.o.TMin + (end-d.o.TMin)*float64(k)/float64(samples-1)
		if k > samples/2 {
			t = end - (end-d.o.TMin)*math.Ldexp(1, samples/2-k)
		}
		if !(t < end || im.Verdict == geom.Separate && t <= end) {
			continue
		}
		at, rounding := d.rough(p, t)
		if at+rounding < separation || at == 0 && d.distance(p, t) == 0 {
			return fmt.Errorf("%+v: the distance is %v at %v", im, at, t)
		}
	}
	if im.Verdict != geom.Contact {
		return nil
	}
	if im.Flags&Intersecting != 0 {
		if at := d.distance(p, d.o.TMin); at != 0 || im.TOILo != d.o.TMin {
			return fmt.Errorf("%+v: said to pierce at a distance of %v", im, at)
		}
		return nil
	}
	at, most := d.distance(p, im.TOIHi), (d.o.MinSeparation+d.o.Tolerance)*(1+1e-9)
	if at > most || d.o.Search == nil && im.Distance > most {
		return fmt.Errorf("%+v: contact at a distance of %v", im, at)
	}
	if before := d.distance(p, im.TOILo); im.TOILo > d.o.TMin && before <= d.o.MinSeparation {
		return fmt.Errorf("%+v: the distance at toi_lo is %v", im, before)
	}
	if got, size := geom.Norm(r3.Sub(im.PointA, im.PointB)),
		1+geom.Norm(im.PointA); math.Abs(got-im.Distance) > 1e-14*size {
		return fmt.Errorf("%+v: the points are %v apart", im, got)
	}
	if n := geom.Norm(im.Normal); math.Abs(n-1) > 1e-12 && im.Distance > 0 {
		return fmt.Errorf("%+v: a normal of length %v", im, n)
	}
	return nil
}

// TestMeshLaws1To4 holds every pair's answer to the laws, and the answers of the scene to those of
// its pairs, with any number of threads.
func TestMeshLaws1To4(t *testing.T) {
	n := 80
	if testing.Short() {
		n = 20
	}
	r := rand.New(rand.NewPCG(41, 1))
	count := map[geom.Verdict]int{}
	for range n {
		d := someDrape(r)
		var want []MeshImpact
		for _, p := range d.pairsOf() {
			var w meshSolver
			var im MeshImpact
			a := d.approach(&p)
			boxes, meet := d.tree.endsOf(p.element), false
			p.start, meet = a.meets(&boxes, false)
			if !meet {
				p.start = d.o.TMin
			}
			im.Body = int64(p.body)
			d.solve(&w, &p, &d.o, &im)
			count[im.Verdict]++
			if err := d.check(&p, &im, 40); err != nil {
				t.Errorf("%v\n%v", err, d)
			}
			if im.Verdict != geom.Separate {
				want = append(want, im)
				if !meet {
					t.Errorf("left out: %+v\n%v", im, d)
				}
			}
		}
		slices.SortFunc(want, func(x, y MeshImpact) int { return x.compare(&y) })
		d.agree(t, want)
	}
	t.Logf("%v", count)
	if count[geom.Contact] < n/4 || count[geom.Separate] < n/4 || count[geom.Undecided] > 0 {
		t.Errorf("verdicts %v", count)
	}
}

// agree compares the scene's answers with those of its pairs, which were computed one by one.
func (d *drape) agree(t *testing.T, want []MeshImpact) {
	t.Helper()
	for _, d.Threads = range []int{1, 3} {
		got, err := d.Collisions(d.x0, d.x1, &d.o)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("contacts %+v, one by one %+v, %v\n%v", got, want, err, d)
		}
		first, err := d.Earliest(d.x0, d.x1, &d.o)
		switch {
		case err != nil:
			t.Error(err)
		case len(want) > 0 && first != want[0]:
			t.Errorf("earliest %+v, one by one %+v\n%v", first, want[0], d)
		case len(want) == 0 && (first.Verdict != geom.Separate || first.Body != -1 || first.TOILo != math.Inf(1)):
			t.Errorf("earliest %+v of none", first)
		}
	}
}

// TestMeshD2MAgreesWithAdvancement: the root finder over all pairs of features shares nothing with
// the default but the motion, and agrees.
func TestMeshD2MAgreesWithAdvancement(t *testing.T) {
	n := 60
	if testing.Short() {
		n = 15
	}
	r := rand.New(rand.NewPCG(42, 1))
	count := map[geom.Verdict]int{}
	for range n {
		d := someDrape(r)
		other := d.o
		other.Search, other.MaxIterations = Reference, 300000
		all, err := d.Collisions(d.x0, d.x1, &other)
		if err != nil {
			t.Fatal(err)
		}
		if first, err := d.Earliest(d.x0, d.x1, &other); err != nil || len(all) > 0 && first != all[0] {
			t.Errorf("earliest %+v, not %+v, %v\n%v", first, all[0], err, d)
		}
		for _, p := range d.pairsOf() {
			if geom.MaxAbs(d.Motions[p.body].AngularVelocity) > 30 {
				continue // many turns cost the root finder its budget
			}
			var w meshSolver
			var fast, slow MeshImpact
			d.solve(&w, &p, &d.o, &fast)
			d.solve(&w, &p, &other, &slow)
			count[slow.Verdict]++
			said := *d
			said.o = other
			if err := said.check(&p, &slow, 20); err != nil {
				t.Errorf("%v\n%v", err, d)
			}
			switch {
			case slow.Verdict == geom.Contact && fast.Verdict == geom.Separate:
				t.Errorf("D2M finds %+v, advancement nothing\n%v", slow, d)
			case slow.Verdict == geom.Contact && fast.Verdict == geom.Contact && fast.TOILo > slow.TOIHi+
				2*lastInterval(&w.call):
				t.Errorf("D2M finds %+v, advancement only %+v\n%v", slow, fast, d)
			case slow.Verdict == geom.Separate && fast.Verdict == geom.Contact:
				// They may come close and not touch; then they do so at the time found.
				if at := d.distance(&p, fast.TOIHi); fast.Flags&Intersecting != 0 || at == 0 {
					t.Errorf("advancement finds %+v, D2M nothing\n%v", fast, d)
				}
			}
		}
	}
	t.Logf("%v", count)
	if count[geom.Contact] < n/4 || count[geom.Separate] < n/4 || count[geom.Undecided] > n/10 {
		t.Errorf("verdicts %v", count)
	}
}

// TestMeshMargins compares places and velocities of an element with numbers of 400 bits: the errors
// lie within the margins.
func TestMeshMargins(t *testing.T) {
	r := rand.New(rand.NewPCG(43, 1))
	worst, worstV := 0.0, 0.0
	for range 300 {
		d := someDrape(r)
		for _, p := range d.pairsOf()[:1] {
			var w meshSolver
			w.prepare(d.Bodies[p.body], &d.Motions[p.body], &d.o)
			_, _, corners := d.tree.element(p.element)
			w.place(d.x0, d.x1, &corners)
			at := d.o.TMin + (d.o.TMax-d.o.TMin)*r.Float64()
			w.move(at)
			m := &d.Motions[p.body]
			origin, _, _ := truth(m, m.Pivot, ccdtest.Big(at))
			r2 := w.f.margin - float64(posMargin*w.a.radius)
			v2 := w.vMargin - float64(posMargin*(w.a.rate*w.a.radius))
			for k, v := range corners {
				x := d.corner(v, at)
				for i := range 3 {
					e := off(ccdtest.Plus(x[i], origin[i].Neg(origin[i])), geom.Components(w.leaf.B.P[k])[i])
					origin[i].Neg(origin[i])
					worst = max(worst, e/r2)
					rate := ccdtest.Over(ccdtest.Plus(ccdtest.Big(d.x1[3*int(v)+i]), ccdtest.Big(-d.x0[3*int(v)+i])),
						ccdtest.Plus(ccdtest.Big(d.o.TMax), ccdtest.Big(-d.o.TMin)))
					rate = ccdtest.Plus(rate, ccdtest.Big(-geom.Components(m.Velocity)[i]))
					worstV = max(worstV, off(rate, geom.Components(w.leaf.vb[k])[i])/v2)
				}
			}
		}
	}
	t.Logf("places: %.3f of the margin, velocities: %.3f", worst, worstV)
	if worst > 0.5 || worstV > 0.5 {
		t.Error("beyond the margin")
	}
	if worst < 0.01 || worstV < 0.005 {
		t.Error("the test does not look where errors are")
	}
}

// TestApproachHolds: where a body is said not to meet an element, or not before some time, its
// corners and the element's boxes are farther apart than the tolerance; and the tree does not leave
// out what a leaf would not.
func TestApproachHolds(t *testing.T) {
	r := rand.New(rand.NewPCG(44, 1))
	apart, late := 0, 0
	for range 500 {
		d := someDrape(r)
		for _, p := range d.pairsOf() {
			a := d.approach(&p)
			boxes := d.tree.endsOf(p.element)
			start, meet := a.meets(&boxes, false)
			if s, m := a.meets(&boxes, true); meet && !m || m && s > start {
				t.Fatalf("a node with the same boxes begins at %v, %v, not %v", s, m, start)
			}
			if meet && start == d.o.TMin {
				continue
			}
			if apart++; meet {
				late++
			} else {
				start = num.Up(d.o.TMax)
			}
			for k := range 6 {
				at := d.o.TMin + (d.o.TMax-d.o.TMin)*float64(k)/5
				if k == 5 {
					at = num.Down(start)
				}
				if !(at >= d.o.TMin && at < start) {
					continue
				}
				if gap, rounding := d.rough(&p, at); gap+rounding < d.o.MinSeparation+d.o.Tolerance {
					t.Fatalf("apart until %v, %v, but close at %v: %v", start, meet, at, d)
				}
			}
		}
	}
	if apart < 300 || late < 100 {
		t.Errorf("only %d pairs apart, %d of them for a while", apart, late)
	}
}
