package boxed

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/ccdtest/long"
	"ccd/core/narrow"
	"ccd/core/patch"
)

// The envelope is the greatest (least) of the lines at every time, and the interval of a gap is
// where it is positive.
func TestEnvelopes(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 1))
	inside := 0
	for range 3000 {
		var s [2]side
		var order [2][maxPoints]int32
		var e [2]envelope
		t0 := 0.5 * r.Float64()
		t1 := t0 + (1-t0)*r.Float64()
		for k := range s {
			for range 1 + r.IntN(12) {
				pos, vel := r.NormFloat64(), 3*r.NormFloat64()
				if r.IntN(3) == 0 { // equal slopes and equal lines
					pos, vel = math.Round(pos), math.Round(vel)
				}
				s[k].pos, s[k].vel = append(s[k].pos, pos+float64(2*k)), append(s[k].vel, vel)
			}
			e[k].build(&s[k], bySlope(&s[k], &order[k]), float64(1-2*k), t0, t1)
		}
		from, to, ok := gapInterval(&e[0], &e[1], t0, t1, 0)
		for range 10 {
			x := t0 + (t1-t0)*r.Float64()
			high, _ := s[0].highest(x)
			low, _ := s[1].lowest(x)
			for k, want := range [2]float64{high, -low} {
				if got := e[k].value(x); math.Abs(got-want) > 1e-13 {
					t.Fatalf("the envelope is %v at %v, not %v", got, x, want)
				}
			}
			gap := low - high
			if math.Abs(gap) > 1e-12 && (gap > 0) != (ok && x > from && x < to) {
				t.Fatalf("a gap of %v at %v, but [%v, %v] %v", gap, x, from, to, ok)
			}
			if gap > 0 {
				inside++
			}
		}
	}
	if inside < 1000 {
		t.Errorf("only %d times in gaps", inside)
	}
}

// value is the envelope at a time.
func (e *envelope) value(t float64) float64 {
	k := 0
	for k+1 < e.n && e.at[k+1] <= t {
		k++
	}
	return e.pos[k] + t*e.vel[k]
}

// probe is a search that hands its query to a function.
type probe func(q *patch.Query)

func (probe) Check() error          { return nil }
func (p probe) Find(q *patch.Query) { p(q) }

// randomPatch is a patch of random control points, moved by a vector and another over the step.
func randomPatch(r *rand.Rand, at, way r3.Vec) *patch.Patch {
	f := []patch.Form{
		{Shape: patch.Curve}, {Shape: patch.Curve, U: 2}, {Shape: patch.Triangle, U: 1, V: 1},
		{Shape: patch.Triangle, U: 3, V: 3},
		{Shape: patch.Quad, U: 1, V: 1}, {Shape: patch.Quad, U: 3, V: 2},
	}[r.IntN(6)]
	p := &patch.Patch{Form: f}
	for range f.Points() {
		for _, x := range [3][2]float64{{at.X, way.X}, {at.Y, way.Y}, {at.Z, way.Z}} {
			x0 := r.Float64() + x[0]
			p.X0, p.X1 = append(p.X0, x0), append(p.X1, x0+x[1]+0.5*r.Float64())
		}
	}
	return p
}

// What a period leaves out is apart over the rationals: at every time of it some axis has a
// positive gap.
func TestPeriodIsProven(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 2))
	cut, shut, holes := 0, 0, 0
	var s patch.Solver
	trials := long.Part(1000, 4)
	for trial := range trials {
		p := randomPatch(r, r3.Vec{}, r3.Vec{})
		q := randomPatch(r, r3.Vec{X: 1.5 * r.Float64(), Y: 0.4, Z: 1},
			r3.Vec{X: r.Float64(), Y: r.Float64(), Z: 3 - 6*r.Float64()})
		o := patch.DefaultOptions()
		if trial%3 == 0 {
			o.MinSeparation = 0.2 * r.Float64()
			if trial%6 != 0 {
				o.Flags = narrow.MaxNorm
			}
		}
		o.Search = probe(func(q *patch.Query) {
			x := search{Query: q}
			x.pair.query = q
			x.take(&cell{})
			d := &x.period
			d.choose(&x.pair, trial%2 == 0, 0, 0)
			t0, t1 := 0.0, 1.0
			times := []float64{0, 0.3, 0.6, 1}
			if d.find(&x.pair, &t0, &t1) {
				times = times[:0]
				if t0 > 0 {
					times = append(times, 0, 0.5*t0, t0)
				}
				if t1 < 1 {
					times = append(times, t1, 0.5+0.5*t1, 1)
				}
				holes += len(d.cuts)
				cut += len(times)
			} else {
				shut++
			}
			for _, at := range times {
				if !apartAt(&x.pair, d.axes, at) {
					t.Fatalf("trial %d: no axis tells the hulls apart at %v, but [%v, %v] is left", trial, at, t0, t1)
				}
			}
		})
		var im patch.Impact
		if err := s.Solve(p, q, &o, &im); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d times left out, %d closed, %d holes", cut, shut, holes)
	if cut < trials/5 || shut < trials*3/100 {
		t.Errorf("only %d cuts, %d closed", cut, shut)
	}
}

// apartAt reports whether, in rational arithmetic, one hull is above the other along an axis by
// more than the separation.
func apartAt(c *pair, axes []r3.Vec, t float64) bool {
	rat := func(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }
	along := func(s *side, i int, n r3.Vec) *big.Rat {
		sum := new(big.Rat)
		for _, x := range [3][3]float64{{n.X, s.x[i].X, s.v[i].X}, {n.Y, s.x[i].Y, s.v[i].Y},
			{n.Z, s.x[i].Z, s.v[i].Z}} {
			at := new(big.Rat).Mul(rat(t), rat(x[2]))
			sum.Add(sum, at.Mul(at.Add(at, rat(x[1])), rat(x[0])))
		}
		return sum
	}
	for _, n := range axes {
		reach := rat(c.query.Separation)
		if !c.euclidean() { // the axes have length one, but for rounding, which a gap is far above
			reach.Mul(reach, rat(math.Abs(n.X)+math.Abs(n.Y)+math.Abs(n.Z)))
		}
		for k := range 2 {
			var lo, hi *big.Rat
			for i := range c.sides[k].x {
				if x := along(&c.sides[k], i, n); hi == nil || x.Cmp(hi) > 0 {
					hi = x
				}
			}
			for i := range c.sides[1-k].x {
				if x := along(&c.sides[1-k], i, n); lo == nil || x.Cmp(lo) < 0 {
					lo = x
				}
			}
			if lo.Sub(lo.Sub(lo, hi), reach).Sign() > 0 {
				return true
			}
		}
	}
	return false
}
