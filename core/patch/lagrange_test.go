package patch

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ccd/core/narrow"
)

// lagrangeForms returns all forms that may be given by nodes up to degree 4, and some of the
// highest.
func lagrangeForms() (forms []Form) {
	for n := 1; n <= 4; n++ {
		forms = append(forms, Form{Curve, n, 0}, Form{Triangle, n, n})
		for v := 1; v <= 4; v++ {
			forms = append(forms, Form{Quad, n, v})
		}
	}
	if testing.Short() {
		return forms
	}
	return append(forms, Form{Curve, 0, 0}, Form{Curve, 6, 0}, Form{Triangle, 6, 6}, Form{Quad, 6, 5})
}

// onLine returns the Lagrange polynomial of node i of n + 1 equidistant ones at s, by its
// definition.
func onLine(n, i int, s *big.Rat) *big.Rat {
	out := big.NewRat(1, 1)
	for j := range n + 1 {
		if j != i {
			q := new(big.Rat).Sub(s, big.NewRat(int64(j), int64(n)))
			out.Mul(out, q.Mul(q, big.NewRat(int64(n), int64(i-j))))
		}
	}
	return out
}

// upTo returns the product of (n s - m) / (i - m) for m below i: the factor of a triangle's
// Lagrange polynomial that belongs to one barycentric coordinate.
func upTo(n, i int, s *big.Rat) *big.Rat {
	out := big.NewRat(1, 1)
	for m := range i {
		q := new(big.Rat).Mul(s, big.NewRat(int64(n), 1))
		out.Mul(out, q.Sub(q, big.NewRat(int64(m), 1)).Mul(q, big.NewRat(1, int64(i-m))))
	}
	return out
}

// lagrangeAt returns one coordinate of an element at u, v from its nodes, by the definition of the
// element.
func lagrangeAt(f Form, x func(node int) *big.Rat, u, v *big.Rat) *big.Rat {
	sum, w := new(big.Rat), new(big.Rat).Sub(new(big.Rat).Sub(big.NewRat(1, 1), u), v)
	for j := 0; j <= f.V; j++ {
		for i := 0; i <= f.U; i++ {
			if f.Shape == Triangle && i+j > f.U || x(f.Index(i, j)).Sign() == 0 {
				continue
			}
			var weight *big.Rat
			switch {
			case f.Shape != Triangle:
				weight = new(big.Rat).Mul(onLine(f.U, i, u), onLine(f.V, j, v))
			default:
				weight = new(big.Rat).Mul(upTo(f.U, i, u), upTo(f.U, j, v))
				weight.Mul(weight, upTo(f.U, f.U-i-j, w))
			}
			sum.Add(sum, weight.Mul(weight, x(f.Index(i, j))))
		}
	}
	return sum
}

// bernsteinOf returns one coordinate of a patch at u, v from its control points.
func bernsteinOf(f Form, x func(point int) *big.Rat, u, v *big.Rat) *big.Rat {
	power := func(s *big.Rat, n int) *big.Rat {
		out := big.NewRat(1, 1)
		for range n {
			out.Mul(out, s)
		}
		return out
	}
	choose := func(n, k int) *big.Rat { return new(big.Rat).SetInt(new(big.Int).Binomial(int64(n), int64(k))) }
	one := big.NewRat(1, 1)
	sum := new(big.Rat)
	for j := 0; j <= f.V; j++ {
		for i := 0; i <= f.U; i++ {
			if f.Shape == Triangle && i+j > f.U || x(f.Index(i, j)).Sign() == 0 {
				continue
			}
			var weight *big.Rat
			switch {
			case f.Shape != Triangle:
				weight = new(big.Rat).Mul(choose(f.U, i),
					new(big.Rat).Mul(power(u, i), power(new(big.Rat).Sub(one, u), f.U-i)))
				weight.Mul(weight, choose(f.V, j)).Mul(weight, power(v, j)).Mul(weight,
					power(new(big.Rat).Sub(one, v), f.V-j))
			default:
				w := new(big.Rat).Sub(new(big.Rat).Sub(one, u), v)
				weight = new(big.Rat).Mul(choose(f.U, i), choose(f.U-i, j))
				weight.Mul(weight, power(u, i)).Mul(weight, power(v, j)).Mul(weight, power(w, f.U-i-j))
			}
			sum.Add(sum, weight.Mul(weight, x(f.Index(i, j))))
		}
	}
	return sum
}

// oneElement returns a body of one element and a step of it.
func oneElement(t *testing.T, f Form, x0, x1 []float64) *BodyStep {
	t.Helper()
	index := make([]int32, f.Points())
	for i := range index {
		index[i] = int32(i)
	}
	b, err := NewLagrange(f.Points(), []Form{f}, index)
	if err != nil {
		t.Fatal(err)
	}
	step := &BodyStep{Body: b, X0: x0, X1: x1}
	if err := step.begin(); err != nil {
		t.Fatal(err)
	}
	return step
}

// The element of the nodes and the patch of the control points are one: exact conversions, compared
// at more places than they have coefficients.
func TestLagrangeConversionsAreExact(t *testing.T) {
	for _, f := range lagrangeForms() {
		rows := conversions(f)
		if len(rows) != f.Points() {
			t.Fatalf("%v: %d rows", f, len(rows))
		}
		most, norm := 0.0, 0.0
		for node := range f.Points() { // one node at 1, the others at 0
			points := make([]*big.Rat, f.Points())
			for i, row := range rows {
				points[i] = new(big.Rat)
				for _, term := range row.terms {
					if most = max(most, math.Abs(term.numerator)); term.node == node {
						points[i].Quo(rat(term.numerator), rat(row.denominator))
					}
				}
			}
			nodes := func(i int) *big.Rat { return rat(map[bool]float64{true: 1}[i == node]) }
			for a := int64(0); a <= int64(f.U)+1; a++ {
				for b := int64(0); b <= int64(f.V)+1; b++ {
					u, v := big.NewRat(a, 7), big.NewRat(b, 7)
					if want, got := lagrangeAt(f, nodes, u, v), bernsteinOf(f, func(i int) *big.Rat {
						return points[i]
					}, u, v); want.Cmp(got) != 0 {
						t.Fatalf("%v: node %d at (%v, %v): %v, not %v", f, node, u, v, got, want)
					}
				}
			}
		}
		for _, row := range rows {
			sum := 0.0
			for _, term := range row.terms {
				sum += math.Abs(term.numerator)
			}
			norm = max(norm, sum/row.denominator)
		}
		if most >= 1<<26 || norm >= 1<<13 {
			t.Errorf("%v: numerators up to %v, rows up to %v: maxNode is derived for 2^26 and 2^13", f, most, norm)
		}
	}
}

// Control points are the doubles nearest to the true ones, and within the patch's bound of them.
func TestLagrangeBoundsHold(t *testing.T) {
	r := rand.New(rand.NewPCG(22, 6))
	worst, rational := 0.0, 0
	trials := 400
	if testing.Short() {
		trials = 100
	}
	for trial := range trials {
		forms := lagrangeForms()
		f := forms[trial%len(forms)]
		x := [2][]float64{make([]float64, 3*f.Points()), make([]float64, 3*f.Points())}
		for e := range x {
			for i := range x[e] {
				switch trial / len(forms) % 4 {
				case 0:
					x[e][i] = r.NormFloat64()
				case 1:
					x[e][i] = math.Round(8*r.NormFloat64()) / 8
				case 2:
					x[e][i] = r.NormFloat64() * math.Exp(40*r.NormFloat64())
				default:
					x[e][i] = 1 + r.NormFloat64()*0x1p-50 // halves of the last place, and their sums
				}
			}
		}
		p := oneElement(t, f, x[0], x[1]).made[0]
		for e, got := range [2][]float64{p.X0, p.X1} {
			for i, row := range conversions(f) {
				for k := range 3 {
					sum := new(big.Rat)
					for _, term := range row.terms {
						sum.Add(sum, new(big.Rat).Mul(rat(term.numerator), rat(x[e][3*term.node+k])))
					}
					sum.Quo(sum, rat(row.denominator))
					nearest, _ := sum.Float64()
					if got[3*i+k] != nearest {
						t.Fatalf("trial %d, %v: point %d is %v, not %v", trial, f, i, got[3*i+k], nearest)
					}
					off := new(big.Rat).Sub(sum, rat(got[3*i+k]))
					if off.Abs(off).Cmp(rat(p.Err)) > 0 {
						t.Fatalf("trial %d, %v: point %d is off by more than %v", trial, f, i, p.Err)
					}
					if d, _ := off.Float64(); p.Err > 0 {
						worst = max(worst, d/p.Err)
					}
					index := make([]int32, f.Points())
					for n := range index {
						index[n] = int32(n)
					}
					if z, err := row.exactly(index, x[e], k); z != nearest || off.Cmp(rat(err)) > 0 {
						t.Fatalf("trial %d: exactly is %v +- %v, not %v", trial, z, err, nearest)
					}
				}
			}
		}
		if p.Err > 0 {
			rational++
		}
	}
	t.Logf("worst error: %.3f of its bound; %d of %d with a bound", worst, rational, trials)
	if worst < 0.99 || rational < trials/4 {
		t.Error("the bound is not sharp, or was hardly tested")
	}
}

// Elements with a common edge have the same control points along it, whatever the order of its
// nodes: they are neighbors in a search for self-contact.
func TestLagrangeNeighborsShareTheirEdges(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for n := 1; n <= 4; n++ {
		f := Form{Triangle, n, n}
		a := make([]int32, f.Points())
		for i := range a {
			a[i] = int32(i)
		}
		b := make([]int32, f.Points()) // its edge v = 0 is that of a, backwards
		fresh := int32(f.Points())
		for j := 0; j <= n; j++ {
			for i := 0; i <= n-j; i++ {
				if j == 0 {
					b[f.Index(i, 0)] = a[f.Index(n-i, 0)]
				} else {
					b[f.Index(i, j)], fresh = fresh, fresh+1
				}
			}
		}
		body, err := NewLagrange(int(fresh), []Form{f, f}, slices.Concat(a, b))
		if err != nil {
			t.Fatal(err)
		}
		for range 50 {
			x := [2][]float64{make([]float64, 3*fresh), make([]float64, 3*fresh)}
			for e := range x {
				for i := range x[e] {
					x[e][i] = r.NormFloat64() * math.Exp(3*r.NormFloat64())
				}
			}
			step := &BodyStep{Body: body, X0: x[0], X1: x[1]}
			if err := step.begin(); err != nil {
				t.Fatal(err)
			}
			shared := findShared(step.made[0], step.made[1], false, nil)
			if len(shared) != 1 || shared[0].point {
				t.Fatalf("degree %d: %d common edges and corners", n, len(shared))
			}
		}
	}
}

// A parabola of three nodes meets a plane at a known time; the control point in its middle is
// beyond it, and is no contact.
func TestLagrangeTouches(t *testing.T) {
	curve, plane := Form{Curve, 2, 0}, Form{Quad, 1, 1}
	arc := []float64{-1, 0, 1, 0, 0, .25, 1, 0, 1} // z = .25 + .75 x^2, control point at -.5
	down := slices.Clone(arc)
	for i := 2; i < 9; i += 3 {
		down[i] -= .5
	}
	floor := []float64{-2, -2, 0, -2, 2, 0, 2, -2, 0, 2, 2, 0}
	fixed := oneElement(t, plane, floor, floor)
	var s Scene
	options := &Options{Options: narrow.Options{Tolerance: 1e-6, TMax: 1}}
	im, err := s.Earliest(oneElement(t, curve, arc, down), fixed, options)
	if err != nil || math.Abs(im.TOILo-.5) > 1e-5 || im.TOILo > .5 || math.Abs(im.UVA[0]-.5) > 1e-2 {
		t.Errorf("%+v, %v", im, err)
	}
	if im, err = s.Earliest(oneElement(t, curve, arc, arc), fixed, options); err != nil ||
		im.Verdict.String() != "separate" {
		t.Errorf("%v, %v", im.Verdict, err)
	}
}

func TestLagrangeRefuses(t *testing.T) {
	if _, err := NewLagrange(28, []Form{{Triangle, 7, 7}}, make([]int32, 36)); err == nil ||
		!strings.Contains(err.Error(), "patch 0: degrees 7 and 7") {
		t.Error(err)
	}
	if _, err := NewLagrange(2, []Form{{Curve, 1, 0}}, []int32{0, 2}); err == nil ||
		!strings.Contains(err.Error(), "index[1] is 2") {
		t.Error(err)
	}
	b, err := NewLagrange(2, []Form{{Curve, 1, 0}}, []int32{0, 1})
	if err != nil {
		t.Fatal(err)
	}
	x := []float64{0, 0, 0, 0, 0, 1e141}
	if err := (&BodyStep{Body: b, X0: make([]float64, 6), X1: x}).begin(); err == nil ||
		!strings.Contains(err.Error(), "x1[1][2] is 1e+141: nodes must be") {
		t.Error(err)
	}
}
