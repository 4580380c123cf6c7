package trim

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"ccd/core/ccdtest/long"
)

// The reference: rational numbers, all segments, no tree, another rule for points (the sum of
// signed crossings of a ray along y, taken modulo 2), and segments cut by the box as Liang and
// Barsky do.
type reference struct {
	loops [][][2]float64
	tol   [2]float64
}

func rat(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }

// reaches reports whether a segment has a point in the box from lo to hi.
func reaches(p, q [2]float64, lo, hi [2]*big.Rat) bool {
	from, to := new(big.Rat), big.NewRat(1, 1)
	for k := range 2 {
		a, d := rat(p[k]), new(big.Rat).Sub(rat(q[k]), rat(p[k]))
		if d.Sign() == 0 {
			if a.Cmp(lo[k]) < 0 || a.Cmp(hi[k]) > 0 {
				return false
			}
			continue
		}
		s := new(big.Rat).Quo(new(big.Rat).Sub(lo[k], a), d)
		e := new(big.Rat).Quo(new(big.Rat).Sub(hi[k], a), d)
		if d.Sign() < 0 {
			s, e = e, s
		}
		if s.Cmp(from) > 0 {
			from = s
		}
		if e.Cmp(to) < 0 {
			to = e
		}
	}
	return from.Cmp(to) <= 0
}

func (r *reference) each(f func(p, q [2]float64)) {
	for _, l := range r.loops {
		for i := range l {
			f(l[i], l[(i+1)%len(l)])
		}
	}
}

// near reports whether the loops come within the tolerance, made larger by more, of a box.
func (r *reference) near(lo, hi [2]float64, more float64) (is bool) {
	var a, b [2]*big.Rat
	for k := range 2 {
		w := new(big.Rat).Add(rat(r.tol[k]), rat(more))
		a[k], b[k] = new(big.Rat).Sub(rat(lo[k]), w), new(big.Rat).Add(rat(hi[k]), w)
	}
	r.each(func(p, q [2]float64) { is = is || reaches(p, q, a, b) })
	return is
}

// surrounds reports whether the loops surround a point an odd number of times: by the ray to
// greater y.
func (r *reference) surrounds(c [2]float64) bool {
	turns := 0
	r.each(func(p, q [2]float64) {
		left, right := p[0] <= c[0], q[0] <= c[0]
		if left == right {
			return
		}
		s := new(big.Rat).Quo(new(big.Rat).Sub(rat(c[0]), rat(p[0])), new(big.Rat).Sub(rat(q[0]), rat(p[0])))
		y := new(big.Rat).Add(rat(p[1]), s.Mul(s, new(big.Rat).Sub(rat(q[1]), rat(p[1]))))
		if y.Cmp(rat(c[1])) > 0 {
			if left {
				turns++
			} else {
				turns--
			}
		}
	})
	return turns%2 != 0
}

// check compares a classification with the reference: laws F1 to F3.
func check(t *testing.T, r *Region, ref *reference, lo, hi [2]float64, size float64) Place {
	t.Helper()
	got := r.Classify(lo, hi)
	near := ref.near(lo, hi, 0)
	switch {
	case got == Crosses:
		if !near && !ref.near(lo, hi, 0x1p-50*size) {
			t.Fatalf("F3: the box %v to %v crosses, %v: no loop is near", lo, hi, ref)
		}
	case near:
		t.Fatalf("F1, F2: the box %v to %v is %v: a loop is near, %v", lo, hi, got, ref)
	case (got == Inside) != ref.surrounds(lo):
		t.Fatalf("F1, F2: the box %v to %v is %v, %v", lo, hi, got, ref)
	}
	return got
}

// randomRegion makes one to three loops: smooth ones, holes, stars that cross themselves, loops
// with corners on a grid (so that rays meet corners, and segments lie along boxes), repeated
// corners.
func randomRegion(r *rand.Rand) (*Region, *reference, float64) {
	unit := math.Ldexp(1, r.IntN(40)-20)
	ref := &reference{}
	if r.IntN(3) > 0 {
		ref.tol = [2]float64{unit * math.Ldexp(r.Float64(), -r.IntN(40)), unit * math.Ldexp(r.Float64(), -r.IntN(40))}
	}
	shift := [2]float64{}
	if r.IntN(4) == 0 {
		shift = [2]float64{unit * 1000 * r.Float64(), unit * 1000 * r.Float64()}
	}
	var corners [][2]float64
	var counts []int32
	for range 1 + r.IntN(3) {
		n, kind := 3+r.IntN(30), r.IntN(3)
		var loop [][2]float64
		radius := 0.2 + r.Float64()
		for i := range n {
			var c [2]float64
			switch kind {
			case 0:
				a := 2 * math.Pi * float64(i) / float64(n)
				c = [2]float64{radius * math.Cos(a), radius * math.Sin(a)}
			case 1:
				c = [2]float64{float64(r.IntN(9))/4 - 1, float64(r.IntN(9))/4 - 1}
			default:
				c = [2]float64{2*r.Float64() - 1, 2*r.Float64() - 1}
			}
			loop = append(loop, [2]float64{shift[0] + unit*c[0], shift[1] + unit*c[1]})
		}
		corners, counts = append(corners, loop...), append(counts, int32(n))
		ref.loops = append(ref.loops, loop)
	}
	region, err := New(corners, counts, ref.tol)
	if err != nil {
		panic(err)
	}
	return region, ref, unit + math.Abs(shift[0]) + math.Abs(shift[1])
}

// randomBox makes a box near the loops: large, small, a point, or one that touches corners of
// loops.
func randomBox(r *rand.Rand, ref *reference, size float64) (lo, hi [2]float64) {
	loop := ref.loops[r.IntN(len(ref.loops))]
	c := loop[r.IntN(len(loop))]
	d := loop[r.IntN(len(loop))]
	s := r.Float64()
	w := math.Ldexp(r.Float64(), -r.IntN(45))
	for k := range 2 {
		unit := math.Abs(c[k]-d[k]) + size*0x1p-40
		at := c[k] + s*(d[k]-c[k])
		if r.IntN(3) > 0 {
			at += unit * w * (r.Float64()*4 - 2)
		}
		wide := unit * w
		if r.IntN(3) == 0 {
			wide = 0
		}
		lo[k], hi[k] = at-wide, at+wide
		if r.IntN(4) == 0 { // A side at exactly the tolerance of a corner.
			lo[k] = c[k] + ref.tol[k]
			hi[k] = lo[k] + wide
		}
	}
	return lo, hi
}

func TestClassifyLawsF1ToF3(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var seen [4]int
	regions := long.Part(250, 2)
	for range regions {
		region, ref, size := randomRegion(r)
		for range 20 {
			lo, hi := randomBox(r, ref, size)
			seen[check(t, region, ref, lo, hi, 8*size)]++
		}
	}
	for p := Crosses; p <= Inside; p++ {
		if 5*seen[p] < 8*regions {
			t.Errorf("only %d boxes are of the kind %v", seen[p], p)
		}
	}
}

func FuzzClassify(f *testing.F) {
	f.Add(uint64(1), uint64(2), 0.0, 0.0, 0.5, 0.5)
	f.Fuzz(func(t *testing.T, a, b uint64, x, y, w, h float64) {
		r := rand.New(rand.NewPCG(a, b))
		region, ref, size := randomRegion(r)
		lo, hi := randomBox(r, ref, size)
		check(t, region, ref, lo, hi, 8*size)
		if math.Abs(x) < 4 && math.Abs(y) < 4 && w >= 0 && w < 4 && h >= 0 && h < 4 {
			lo = [2]float64{x * size, y * size}
			check(t, region, ref, lo, [2]float64{lo[0] + w*size, lo[1] + h*size}, 16*size)
		}
	})
}

// side claims nothing that rational numbers deny, and exactSide is the sign.
func TestSideIsProven(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	open := 0
	for range 5000 {
		p, q := [2]float64{r.Float64(), r.Float64()}, [2]float64{r.Float64(), r.Float64()}
		s := math.Ldexp(r.Float64(), -r.IntN(3))
		c := [2]float64{p[0] + s*(q[0]-p[0]), p[1] + s*(q[1]-p[1])}
		if r.IntN(4) == 0 {
			scale := math.Ldexp(1, -520)
			for _, x := range []*[2]float64{&p, &q, &c} {
				x[0], x[1] = x[0]*scale, x[1]*scale
			}
		}
		if r.IntN(2) == 0 {
			c[1] = math.Nextafter(c[1], float64(r.IntN(3)-1))
		}
		l := new(big.Rat).Mul(new(big.Rat).Sub(rat(q[0]), rat(p[0])), new(big.Rat).Sub(rat(c[1]), rat(p[1])))
		l.Sub(l, new(big.Rat).Mul(new(big.Rat).Sub(rat(q[1]), rat(p[1])), new(big.Rat).Sub(rat(c[0]), rat(p[0]))))
		if got := exactSide(&p, &q, &c); got != l.Sign() {
			t.Fatalf("exactSide is %d, the sign %d", got, l.Sign())
		}
		switch got := side(&p, &q, &c); {
		case got == 0:
			open++
		case got != l.Sign():
			t.Fatalf("side of %v, %v, %v is %d, the sign %d", p, q, c, got, l.Sign())
		}
	}
	if open == 0 || open == 5000 {
		t.Errorf("%d of 5000 sides are open", open)
	}
}

// Nearest finds the point that a search of all segments finds.
func TestNearestIsNearest(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		region, ref, size := randomRegion(r)
		p := [2]float64{ref.loops[0][0][0] + size*(r.Float64()-0.5), ref.loops[0][0][1] + size*(r.Float64()-0.5)}
		scale := [2]float64{1, math.Ldexp(1, r.IntN(9)-4)}
		near, along, ok := region.Nearest(p, scale)
		far := func(q [2]float64) float64 { return math.Hypot((q[0]-p[0])/scale[0], (q[1]-p[1])/scale[1]) }
		best := math.Inf(1)
		ref.each(func(a, b [2]float64) {
			for k := range 257 {
				s := float64(k) / 256
				best = min(best, far([2]float64{a[0] + s*(b[0]-a[0]), a[1] + s*(b[1]-a[1])}))
			}
		})
		if !ok || far(near) > best*(1+1e-9) || along == ([2]float64{}) && len(ref.loops) == 1 {
			t.Fatalf("nearest of %v is %v at %v, but %v was found, along %v", p, near, far(near), best, along)
		}
	}
}

func TestNewNamesWhatIsWrong(t *testing.T) {
	square := [][2]float64{{0, 0}, {1, 0}, {1, 1}, {0, 1}}
	for _, c := range []struct {
		corners [][2]float64
		counts  []int32
		tol     [2]float64
		want    string
	}{
		{square, []int32{2}, [2]float64{}, "loop 0 has 2 corners: must have 3 or more"},
		{square, []int32{5}, [2]float64{}, "loop 0 has 5 corners: only 4 are left"},
		{square, []int32{3}, [2]float64{}, "4 corners: the loops need 3"},
		{square, []int32{4}, [2]float64{0, -1}, "tolerance[1] is -1: must be 0 or more"},
		{square, []int32{4}, [2]float64{math.NaN(), 0}, "tolerance[0] is NaN: must be 0 or more"},
		{[][2]float64{{0, 0}, {1, math.Inf(1)}, {1, 1}}, []int32{3}, [2]float64{},
			"loop 0: corner 1 is (1, +Inf): not finite"},
	} {
		_, err := New(c.corners, c.counts, c.tol)
		if err == nil || len(err.Error()) < len(c.want) || err.Error()[:len(c.want)] != c.want {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
}

// Regions compare by what they are made of.
func TestCompare(t *testing.T) {
	square := [][2]float64{{0, 0}, {1, 0}, {1, 1}, {0, 1}}
	a, _ := New(square, []int32{4}, [2]float64{})
	b, _ := New(square, []int32{4}, [2]float64{})
	c, _ := New(square, []int32{4}, [2]float64{1, 0})
	d, _ := New(nil, nil, [2]float64{})
	if a.Compare(b) != 0 || a.Compare(c) >= 0 || c.Compare(a) <= 0 || a.Compare(d) == 0 ||
		(a.Compare(d) < 0) == (d.Compare(a) < 0) {
		t.Error("the order of regions is wrong")
	}
	if !d.Whole() || d.Classify([2]float64{5, 5}, [2]float64{6, 6}) != Inside {
		t.Error("a region without loops is not the whole plane")
	}
	if lo, hi := a.Bounds(); lo != [2]float64{0, 0} || hi != [2]float64{1, 1} {
		t.Error("bounds", lo, hi)
	}
}
