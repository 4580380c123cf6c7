package patch

import (
	"math"
	"math/rand/v2"
	"testing"

	"ccd/core/geom"
	"ccd/core/narrow"
)

// within returns a random place of a node's domain.
func (t *tree) within(r *rand.Rand, id int32) (u, v float64) {
	s, w := randomPlace(r, t.form)
	if r.IntN(4) == 0 {
		s, w = math.Round(s), 0
	}
	d := &t.nodes[id].domain
	return d[0][0] + s*(d[1][0]-d[0][0]) + w*(d[2][0]-d[0][0]), d[0][1] + s*(d[1][1]-d[0][1]) + w*(d[2][1]-d[0][1])
}

// What neighbors are proven to keep, they keep: pairs of points beyond the neighbourhood are
// farther apart than the separation at every time up to the proven one, and within it they are one
// only where they always are.
func TestNeighborsKeepWhatIsProven(t *testing.T) {
	r := rand.New(rand.NewPCG(71, 1))
	var s Solver
	proven, beyond, closest := 0, 0, math.Inf(1)
	for range 600 {
		c := randomCouple(r)
		o := DefaultOptions()
		if r.IntN(3) > 0 {
			o.MinSeparation = 0.02 * r.Float64()
		}
		if r.IntN(2) == 0 {
			o.Flags |= narrow.MaxNorm
		}
		look := func(k *cell, from, to float64) {
			for range 12 {
				var x [4]float64
				x[0], x[1] = s.trees[0].within(r, k.a)
				x[2], x[3] = s.trees[1].within(r, k.b)
				at := from + (to-from)*r.Float64()
				p, q := c.a.At(x[0], x[1], at), c.b.At(x[2], x[3], at)
				d := distance(p, q)
				if o.Flags&narrow.MaxNorm != 0 {
					d = max(math.Abs(p[0]-q[0]), math.Abs(p[1]-q[1]), math.Abs(p[2]-q[2]))
				}
				proven++
				if !outside(&s.adjacency, c.a.Form, c.b.Form, &x) {
					continue
				}
				beyond++
				if d <= o.MinSeparation {
					t.Fatalf("%v and %v, same %v: %v apart at %v, proven more than %v; %v of %v %v, %+v",
						c.a.Form, c.b.Form, c.same, d, at,
						o.MinSeparation, x, s.trees[0].nodes[k.a].domain, s.trees[1].nodes[k.b].domain, k)
				}
				if o.MinSeparation > 0 {
					closest = min(closest, d/o.MinSeparation)
				}
			}
		}
		c.a, c.b = s.ordered(c.a, c.b) // The solver orders its patches in the same way.
		s.beginNear(c.a, c.b, c.same, 1.0/32, &o)
		root, ok := s.startNear()
		if !ok {
			look(&cell{class: neighbors}, 0, 1)
			continue
		}
		s.heap.Push(&root)
		for range 40 {
			if len(s.heap) == 0 {
				break
			}
			at := r.IntN(len(s.heap)) // any cell, not the first
			k := s.heap[at]
			s.heap = append(s.heap[:at], s.heap[at+1:]...)
			was := k.t0
			k.t0 = 0
			if k.class == unrelated {
				continue
			}
			if !s.adjacency.prove(&k) {
				k.t0 = k.t1
			}
			if k.t0 > 0 {
				look(&k, 0, k.t0)
			}
			if k.t0 = max(was, k.t0); k.t0 < k.t1 {
				left := len(s.adjacency.unresolved)
				if s.expandNear(k); len(s.adjacency.unresolved) > left &&
					!(s.adjacency.isNarrow(0, k.a) && s.adjacency.isNarrow(1, k.b)) {
					t.Fatalf("%v and %v: left out wider than the neighbourhood", c.a.Form, c.b.Form)
				}
			}
		}
	}
	t.Logf("%d pairs of points, %d beyond the neighbourhood, the closest at %v of the separation",
		proven, beyond, closest)
	if beyond < 20000 {
		t.Errorf("only %d pairs of points beyond the neighbourhood", beyond)
	}
}

// A contact away from what neighbors have in common is never missed, however near to it, and what
// is reported is none of the trivial ones: laws 1 to 3 of self-contact.
func TestSelfContactsAreFound(t *testing.T) {
	r := rand.New(rand.NewPCG(72, 1))
	var s Scene
	found, first, undecided, initial, left := 0, 0, 0, 0, int64(0)
	for trial := range 150 {
		c := randomCouple(r)
		h := []float64{0, 1.0 / 16, 1.0 / 256}[r.IntN(3)]
		shared := adjacency{width: h}
		if h == 0 {
			shared.width = Neighbourhood
		}
		shared.begin(nil, c.a, c.b, c.same)
		var x [4]float64
		for {
			x[0], x[1] = randomPlace(r, c.a.Form)
			x[2], x[3] = randomPlace(r, c.b.Form)
			if r.IntN(2) == 0 && c.same { // near each other
				x[2] = min(max(x[0]+8*shared.width*(r.Float64()-0.5), 0), 1)
				x[3] = min(max(x[1]+8*shared.width*(r.Float64()-0.5), 0), 1)
				if c.b.Form.Shape == Triangle && x[2]+x[3] > 1 {
					continue
				}
			}
			if outside(&shared, c.a.Form, c.b.Form, &x) {
				break
			}
		}
		at := 0.1 + 0.9*r.Float64()
		c.plant(&x, at)
		o := DefaultOptions()
		if trial%3 == 0 {
			o.MinSeparation = 0.2 * shared.width * r.Float64()
		}
		o.MaxIterations = 4000
		im, l, err := s.SelfEarliest(c.step(t), h, &o)
		if err != nil {
			t.Fatal(err)
		}
		if !(im.TOILo <= at+1e-9) || im.Verdict == geom.Separate {
			t.Fatalf("trial %d: %v at %v; %v and %v (same %v, h %v) meet at %v, at %v",
				trial, im.Verdict, im.TOILo, c.a.Form, c.b.Form, c.same, h, at, x)
		}
		left += l.Pairs
		if im.Verdict != geom.Contact {
			undecided++
			continue
		}
		found++
		if im.TOILo > at-1e-3 {
			first++
		}
		if im.TOILo == 0 {
			initial++
		}
		a, b := c.a, c.b
		if im.A == 1 {
			a = c.b
		}
		if im.B == 0 {
			b = c.a
		}
		y := [4]float64{im.UVA[0], im.UVA[1], im.UVB[0], im.UVB[1]}
		p, q := a.At(y[0], y[1], im.TOIHi), b.At(y[2], y[3], im.TOIHi)
		for k := range 3 {
			if d := math.Abs(p[k] - q[k]); d > o.MinSeparation+o.Tolerance+1e-12 {
				t.Fatalf("trial %d: %v apart", trial, d)
			}
		}
		shared.begin(nil, a, b, im.A == im.B)
		shared.width /= 8
		if !outside(&shared, a.Form, b.Form, &y) {
			t.Fatalf("trial %d: %v of %v and %v is a trivial contact", trial, y, a.Form, b.Form)
		}
	}
	t.Logf("%d found, %d initial, %d the planted one, %d undecided, %d left out",
		found, initial, first, undecided, left)
}

// FuzzSelf plants a contact beyond the neighbourhood, from a seed, for ever: it is not missed.
func FuzzSelf(f *testing.F) {
	for i := range uint64(8) {
		f.Add(i)
	}
	var s Scene
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 76))
		c := randomCouple(r)
		shared := adjacency{width: math.Ldexp(1, -1-r.IntN(9))}
		shared.begin(nil, c.a, c.b, c.same)
		var x [4]float64
		for tries := 0; ; tries++ {
			x[0], x[1] = randomPlace(r, c.a.Form)
			x[2], x[3] = randomPlace(r, c.b.Form)
			if outside(&shared, c.a.Form, c.b.Form, &x) {
				break
			}
			if tries == 100 {
				return
			}
		}
		at := 0.1 + 0.9*r.Float64()
		c.plant(&x, at)
		o := DefaultOptions()
		o.MaxIterations = int64(1 + r.IntN(4000))
		if r.IntN(3) == 0 {
			o.MinSeparation = shared.width * r.Float64()
		}
		im, _, err := s.SelfEarliest(c.step(t), shared.width, &o)
		if err != nil {
			t.Fatal(err)
		}
		if !(im.TOILo <= at+1e-9) || im.Verdict == geom.Separate {
			t.Fatalf("%v and %v (same %v) meet at %v: %v at %v", c.a.Form, c.b.Form, c.same, at, im.Verdict, im.TOILo)
		}
	})
}
