package patch

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"ccd/core/geom"
)

// hill returns a sheet over the unit square of a shape and degrees, with heights at random, high or
// low. Coordinates are dyadic.
func hill(r *rand.Rand, f Form, high float64) *Patch {
	p := &Patch{Form: f}
	for _, at := range layoutOf(f).places {
		z := math.Round(high*(2*r.Float64()-1)*0x1p20) * 0x1p-20
		p.X0 = append(p.X0, math.Round(at[0]*0x1p20)*0x1p-20, math.Round(at[1]*0x1p20)*0x1p-20, z)
	}
	if f.Shape == Curve {
		for i := range f.Points() {
			p.X0[3*i+1] = 0
		}
	}
	p.X1 = append([]float64{}, p.X0...)
	return p
}

// piece returns the part of a patch over the parameters at(u, v), an affine map, by interpolation
// in homogeneous coordinates at the places of its own control points: another net of the same
// surface, up to rounding.
func piece(p *Patch, f Form, at func(u, v float64) (float64, float64)) *Patch {
	l, n := layoutOf(f), f.Points()
	nets := [3]*Patch{{Form: p.Form}, {Form: p.Form}, {Form: p.Form}} // positions at both ends, weights
	for i := range p.Form.Points() {
		w := p.weight(int32(i))
		for k := range 3 {
			nets[0].X0 = append(nets[0].X0, w*p.X0[3*i+k])
			nets[1].X0 = append(nets[1].X0, w*p.X1[3*i+k])
			nets[2].X0 = append(nets[2].X0, w)
		}
	}
	m := make([][]float64, n) // a basis by points, and the values: Gauss with pivots
	for i, s := range l.places {
		m[i] = make([]float64, n, n+9)
		for j := range n {
			unit := &Patch{Form: f, X0: make([]float64, 3*n)}
			unit.X0[3*j] = 1
			unit.X1 = unit.X0
			m[i][j] = unit.At(s[0], s[1], 0)[0]
		}
		u, v := at(s[0], s[1])
		for _, q := range nets {
			q.X1 = q.X0
			value := q.At(u, v, 0)
			m[i] = append(m[i], value[:]...)
		}
	}
	for c := range n {
		best := c
		for i := c + 1; i < n; i++ {
			if math.Abs(m[i][c]) > math.Abs(m[best][c]) {
				best = i
			}
		}
		m[c], m[best] = m[best], m[c]
		for i := range n {
			if i != c {
				s := m[i][c] / m[c][c]
				for k := c; k < n+9; k++ {
					m[i][k] -= s * m[c][k]
				}
			}
		}
	}
	q := &Patch{Form: f}
	for i := range n {
		w := m[i][n+6] / m[i][i]
		for k := range 3 {
			q.X0, q.X1 = append(q.X0, m[i][n+k]/m[i][i]/w), append(q.X1, m[i][n+3+k]/m[i][i]/w)
		}
		if p.W != nil {
			q.W = append(q.W, w)
		}
	}
	return q
}

// pieces are parts of a sheet that are described by other control nets: in other forms, from parts
// of the parameters, turned.
var pieces = []struct {
	name  string
	whole Form
	part  Form
	at    func(u, v float64) (float64, float64)
}{
	{"left half", Form{Quad, 2, 2}, Form{Quad, 2, 2}, func(u, v float64) (float64, float64) { return u / 2, v }},
	{"right half, turned", Form{Quad, 3, 2}, Form{Quad, 3, 2}, func(u, v float64) (float64, float64) {
		return 1 - u/2, v
	}},
	{"a part inside, transposed", Form{Quad, 3, 2}, Form{Quad, 2, 3}, func(u, v float64) (float64, float64) {
		return 0.2 + 0.3*v, 0.9 - 0.7*u
	}},
	{"raised", Form{Quad, 2, 2}, Form{Quad, 3, 3}, func(u, v float64) (float64, float64) { return u, v }},
	{"raised along v, a third", Form{Quad, 3, 1}, Form{Quad, 3, 4}, func(u, v float64) (float64, float64) {
		return (1 + u) / 3, v
	}},
	{"corner of a triangle", Form{Triangle, 2, 2}, Form{Triangle, 2, 2}, func(u, v float64) (float64, float64) {
		return u / 2, v / 2
	}},
	{"middle of a triangle, raised", Form{Triangle, 2, 2}, Form{Triangle, 3, 3}, func(u, v float64) (float64, float64) {
		return 0.5 - u/2, 0.5 - v/2
	}},
	{"triangle of a triangle", Form{Triangle, 3, 3}, Form{Triangle, 3, 3}, func(u, v float64) (float64, float64) {
		return 0.1 + 0.6*v, 0.3 + 0.2*u - 0.1*v
	}},
}

// Parts of one surface that are described by different nets and come together over all of the
// smaller one meet when they do, to the tolerance, at any speed; at rest they stay apart.
func TestPiecesMeet(t *testing.T) {
	r := rand.New(rand.NewPCG(95, 1))
	var s Solver
	o := DefaultOptions()
	for trial := range 6 * len(pieces) {
		w := pieces[trial%len(pieces)]
		a := hill(r, w.whole, 0.25*r.Float64())
		if trial%4 == 3 && w.whole.Shape == Quad { // weights that are products: others are for smaller parts
			along := []float64{1 + r.Float64(), 1 + r.Float64(), 1, 1 + r.Float64()}
			for i := range w.whole.Points() {
				a.W = append(a.W, along[i/(w.whole.V+1)]*along[3-i%(w.whole.V+1)])
			}
		}
		b := piece(a, w.part, w.at)
		if trial%2 == 0 {
			a, b = b, a
		}
		for _, way := range [][2]float64{{0.25, -0.25}, {0x1p-7, -0x1p-7}, {0x1p-13, -0x1p-13}, {1e-5, 1e-5}} {
			up := *b
			up.X0, up.X1 = slices.Clone(b.X0), slices.Clone(b.X1)
			up.move([3]float64{0, 0, way[0]}, [3]float64{0, 0, way[1]})
			var im Impact
			if err := s.Solve(a, &up, &o, &im); err != nil {
				t.Fatal(err)
			}
			name := fmt.Sprintf("%s, rational %v, from %v to %v", w.name, a.W != nil, way[0], way[1])
			if s.Work.Checks > 2500 {
				t.Errorf("%s: %d checks", name, s.Work.Checks)
			}
			if way[0] == way[1] {
				if im.Verdict != geom.Separate {
					t.Errorf("%s: %+v", name, im)
				}
				continue
			}
			if speed := way[0] - way[1]; im.Verdict != geom.Contact || im.TOILo > 0.5+1e-13/speed ||
				im.TOILo < 0.5-o.Tolerance/speed {
				t.Errorf("%s: %+v after %d checks", name, im, s.Work.Checks)
			}
		}
	}
}

// What is proven of parts of surfaces that are not quite one, and move at random, holds: Newton's
// method from dense samples finds no contact before.
func TestOverlaysHold(t *testing.T) {
	r := rand.New(rand.NewPCG(96, 1))
	var s, probe Solver
	o := DefaultOptions()
	moved, early := 0, 0
	for trial := range 400 {
		w := pieces[trial%len(pieces)]
		a := hill(r, w.whole, 0.5*r.Float64())
		if trial%4 == 3 {
			for range w.whole.Points() {
				a.W = append(a.W, 1+0.02*r.Float64())
			}
		}
		b := piece(a, w.part, w.at)
		rough := 0.1 * r.Float64() * r.Float64()
		for i := range b.X0 {
			b.X0[i] += rough * (r.Float64() - 0.5)
			b.X1[i] += rough * (r.Float64() - 0.5)
		}
		b.move([3]float64{0.2 * dyadic(r, 5), 0.2 * dyadic(r, 5), 0.25},
			[3]float64{0.2 * dyadic(r, 5), 0.2 * dyadic(r, 5), -0.25})
		a, b = s.ordered(a, b)
		s.begin(a, b, &o)
		s.Work.Cells = s.sheets.next
		if !s.sheetsApart(0) {
			continue
		}
		moved++
		end := s.until
		if len(s.heap) > 0 {
			end = s.heap[0].t0
		}
		if end < 0.45 {
			early++
		}
		probe.begin(a, b, &o)
		for _, part := range []float64{0, 0.3, 0.6, 0.9, 0.999} {
			if far := probe.sampled(a, b, part*end); far <= 4*probe.gapError {
				t.Fatalf("trial %d, %v: %v from contact at %v of %v", trial, w.name, far, part, end)
			}
		}
	}
	t.Logf("%d proofs, %d of them early", moved, early)
	if moved < 60 || early < 20 {
		t.Errorf("%d proofs, %d of them of less than 0.45", moved, early)
	}
}

// arch returns an arc of about a half circle or more, as a quad of degree 3 in u and v in v: a
// graph over no direction.
func arch(v int, wide float64) *Patch {
	p := &Patch{Form: Form{Quad, 3, v}}
	for i := range 4 {
		for j := range v + 1 {
			x := [4]float64{-1, -wide, wide, 1}[i]
			z := [4]float64{-0.25, 1.5, 1.5, -0.25}[i]
			p.X0 = append(p.X0, x, float64(j)/float64(v), z)
		}
	}
	p.X1 = slices.Clone(p.X0)
	return p
}

// Parts of an arch that shrink on it meet it when they do: the proof for whole patches fails there.
func TestPiecesOfArchesMeet(t *testing.T) {
	var s Solver
	o := DefaultOptions()
	for _, wide := range []float64{1, 1.5, 2} {
		for _, w := range pieces {
			if w.whole.Shape != Quad {
				continue
			}
			a := arch(w.whole.V, wide)
			f := w.part
			if f.U < 3 && f.V < 3 {
				f.U = 3
			}
			b := piece(a, f, w.at)
			for i := range b.X0 {
				if i%3 != 1 {
					b.X0[i], b.X1[i] = 1.25*b.X0[i], 0.75*b.X1[i]
				}
			}
			var im Impact
			if err := s.Solve(a, b, &o, &im); err != nil {
				t.Fatal(err)
			}
			if im.Verdict != geom.Contact || im.TOILo > 0.5 || im.TOILo < 0.5-o.Tolerance || s.Work.Checks > 2500 ||
				s.sheets.over.gained == 0 {
				t.Errorf("%s, %v wide: %+v after %d checks, %d parts proven",
					w.name, wide, im, s.Work.Checks, s.sheets.over.gained)
			}
		}
	}
}

// What is proven of parts holds: up to the answer's time Newton's method from dense samples finds
// no contact of arches and steep hills that are not quite alike and move at random.
func TestPartsHold(t *testing.T) {
	r := rand.New(rand.NewPCG(98, 1))
	var s, probe Solver
	o := DefaultOptions()
	o.MaxIterations = 1500
	used := 0
	for trial := range 240 {
		w := pieces[trial%5]
		a := hill(r, w.whole, 2)
		if trial%2 == 0 {
			a = arch(w.whole.V, 1+r.Float64())
		}
		f := w.part
		if trial%2 == 0 && f.U < 3 && f.V < 3 {
			f.U = 3
		}
		b := piece(a, f, w.at)
		rough := 0.05 * r.Float64() * r.Float64()
		from, to := 1+0.25*r.Float64(), 1-0.25*r.Float64()
		by := [3]float64{0.1 * dyadic(r, 5), 0.1 * dyadic(r, 5), 0.1 * dyadic(r, 5)}
		for i := range b.X0 {
			if i%3 != 1 {
				b.X0[i], b.X1[i] = from*b.X0[i], to*b.X1[i]
			}
			b.X0[i] += rough * (r.Float64() - 0.5)
			b.X1[i] += rough*(r.Float64()-0.5) + by[i%3]
		}
		a, b = s.ordered(a, b)
		var im Impact
		if err := s.Solve(a, b, &o, &im); err != nil {
			t.Fatal(err)
		}
		if s.sheets.over.gained == 0 {
			continue
		}
		used++
		probe.begin(a, b, &o)
		end := min(im.TOILo, 1)
		for _, part := range []float64{0, 0.5, 0.9, 0.99, 0.999} {
			if far := probe.sampled(a, b, part*end); far <= 4*probe.gapError {
				t.Fatalf("trial %d, %v: %v from contact at %v of %v", trial, w.name, far, part, end)
			}
		}
	}
	t.Logf("%d used", used)
	if used < 50 {
		t.Errorf("parts were proven in only %d trials", used)
	}
}

// The nets of an overlay are those of the host's part and the guest, within the bound: at random
// places, in rational arithmetic.
func TestOverlayBoundsHold(t *testing.T) {
	r := rand.New(rand.NewPCG(97, 1))
	var s Solver
	worst := 0.0
	for trial := range 120 {
		shape := []Shape{Triangle, Quad}[trial%2]
		f := Form{shape, 1 + r.IntN(5), 1 + r.IntN(5)}
		g := Form{shape, min(f.U+r.IntN(3), MaxDegree), min(f.V+r.IntN(3), MaxDegree)}
		if shape == Triangle {
			f.V, g.V = f.U, g.U
		}
		a := randomPatch(r, f, trial%3 == 0)
		o := DefaultOptions()
		s.begin(a, a, &o)
		v := &s.sheets.over
		v.load(0, &s.trees[0], 0)
		levels := 1
		var onHost func(y [2]*big.Rat) [2]*big.Rat
		number := func(lo, hi float64) float64 { return lo + float64((hi-lo)*r.Float64()) }
		mix := func(x, y, by *big.Rat) *big.Rat { // x + by (y - x)
			d := new(big.Rat).Sub(y, x)
			return d.Add(d.Mul(d, by), x)
		}
		if shape == Triangle {
			at := [4][2]float64{{number(0, 0.3), number(0, 0.3)}, {number(0.4, 1), 0}, {0, number(0.4, 1)}}
			if !inTriangle(&at) {
				t.Fatal(at)
			}
			v.within(f, &at)
			levels += f.U
			onHost = func(y [2]*big.Rat) (x [2]*big.Rat) {
				for k := range 2 {
					p := [3]*big.Rat{rat(at[0][k]), rat(at[1][k]), rat(at[2][k])}
					x[k] = new(big.Rat).Add(mix(p[0], p[1], y[0]), new(big.Rat).Mul(y[1], new(big.Rat).Sub(p[2], p[0])))
				}
				return x
			}
		} else {
			ranges := [2]interval{{number(0, 0.5), number(0.5, 1)}, {0, number(0.1, 1)}}
			v.shrink(f, ranges[0], ranges[1])
			levels += 2 * (f.U + f.V)
			onHost = func(y [2]*big.Rat) (x [2]*big.Rat) {
				for k, q := range ranges {
					lo := new(big.Rat).Mul(rat(min(q.lo/q.hi, 1)), rat(q.hi)) // the range that comes out
					x[k] = mix(lo, rat(q.hi), y[k])
				}
				return x
			}
		}
		v.form = g
		for h := f; h != g; levels++ {
			v.raise(0, &h)
		}
		tree := &s.trees[0]
		bound := float64(levels) * levelError * tree.mag * tree.weightRatio()
		if tree.rational {
			bound += float64(levels) * levelError * tree.weightRatio() * 2 * tree.extent(0)
		}
		net := func(points []homogeneousPoint) [][4]*big.Rat {
			var list [][4]*big.Rat
			for i := range points {
				p := &points[i]
				w := rat(p[6])
				list = append(list, [4]*big.Rat{new(big.Rat).Mul(rat(p.at(0)), w), new(big.Rat).Mul(rat(p.at(1)), w),
					new(big.Rat).Mul(rat(p.at(2)), w), w})
			}
			return list
		}
		var given []homogeneousPoint
		for i := range tree.n {
			p := homogeneousPoint{6: 1}
			if tree.rational {
				p[6] = tree.at(0, 6)[i]
			}
			for k := range 3 {
				p[k] = tree.at(0, k)[i]
			}
			given = append(given, p)
		}
		exact := make([][4]*big.Rat, 0, tree.n)
		for _, p := range given {
			w := rat(p[6])
			exact = append(exact, [4]*big.Rat{new(big.Rat).Mul(rat(p[0]), w), new(big.Rat).Mul(rat(p[1]), w),
				new(big.Rat).Mul(rat(p[2]), w), w})
		}
		for range 3 {
			y := [2]*big.Rat{rat(float64(r.IntN(64)) / 64), rat(float64(r.IntN(64)) / 64)}
			if sum := new(big.Rat).Add(y[0], y[1]); shape == Triangle && sum.Cmp(big.NewRat(1, 1)) > 0 {
				y[0].Sub(big.NewRat(1, 1), y[0])
				y[1].Sub(big.NewRat(1, 1), y[1])
			}
			p, q := netAt(f, exact, onHost(y)), netAt(g, net(v.nets[0]), y)
			for k := range 3 {
				d, _ := new(big.Rat).Sub(p[k], q[k]).Float64()
				if worst = max(worst, math.Abs(d)/bound); math.Abs(d) > bound {
					t.Fatalf("%v within %v, rational %v: off by %v, bound %v", g, f, tree.rational, d, bound)
				}
			}
		}
	}
	t.Logf("worst error: %.3f of the bound", worst)
	if worst < 1e-3 {
		t.Errorf("worst error %v of the bound: is anything tested?", worst)
	}
}

// netAt returns the point of a homogeneous net, in rational arithmetic.
func netAt(f Form, net [][4]*big.Rat, at [2]*big.Rat) (x [3]*big.Rat) {
	one := big.NewRat(1, 1)
	power := func(x *big.Rat, n int) *big.Rat {
		p := big.NewRat(1, 1)
		for range n {
			p.Mul(p, x)
		}
		return p
	}
	var sum [4]big.Rat
	for i := 0; i <= f.U; i++ {
		for j := 0; j <= f.V; j++ {
			b := big.NewRat(1, 1)
			if f.Shape == Triangle {
				if i+j > f.U {
					continue
				}
				rest := new(big.Rat).Sub(new(big.Rat).Sub(one, at[0]), at[1])
				b.SetInt(new(big.Int).Mul(new(big.Int).Binomial(int64(f.U), int64(i)),
					new(big.Int).Binomial(int64(f.U-i), int64(j))))
				b.Mul(b, power(at[0], i)).Mul(b, power(at[1], j)).Mul(b, power(rest, f.U-i-j))
			} else {
				b.SetInt(new(big.Int).Mul(new(big.Int).Binomial(int64(f.U), int64(i)),
					new(big.Int).Binomial(int64(f.V), int64(j))))
				b.Mul(b, power(at[0], i)).Mul(b, power(new(big.Rat).Sub(one, at[0]), f.U-i))
				b.Mul(b, power(at[1], j)).Mul(b, power(new(big.Rat).Sub(one, at[1]), f.V-j))
			}
			for k, c := range net[f.Index(i, j)] {
				sum[k].Add(&sum[k], new(big.Rat).Mul(b, c))
			}
		}
	}
	for k := range x {
		x[k] = new(big.Rat).Quo(&sum[k], &sum[3])
	}
	return x
}
