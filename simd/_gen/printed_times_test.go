package main

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"ccd/simd/gen/proof"
)

// timesWeightOff is what a weight of a control point is off by, of itself: TestWeightsOfCurves
// proves it.
const timesWeightOff = 28 * 0x1p-106

// timesWeight is the name of the weight of control point i of A, B or C.
func timesWeight(v, i int) string { return fmt.Sprintf("W%c%d", "ABC"[v], i) }

// printedTimes is the part of curve.TimesVF that computes f at a double in double-doubles, from
// weights of the control points. Each of A, B and C has weights of its own, which allows for more.
func printedTimes(degree int) *proof.Program {
	p := keepingPairs()
	s := &curveTime{degree: degree}
	q := &curve{degree: degree}
	var weights [3][4]double
	for v, to := range []*[]vector3{&q.a, &q.b, &q.c} {
		for i := range degree + 1 {
			var high vector3
			for k := range 3 {
				name := fmt.Sprintf("%c%d%c", "ABC"[v], i, "xyz"[k])
				s.m = append(s.m, inputCalled(name+".h"), inputCalled(name+".l"))
				high[k] = p.load(inputCalled(name + ".h"))
			}
			*to = append(*to, high)
			w := timesWeight(v, i)
			weights[v][i] = double{p.load(inputCalled(w + ".h")), p.load(inputCalled(w + ".l"))}
		}
	}
	q.measure(p)
	volume := p.dot(q.ma, p.permanent(q.mb, q.mc))
	p.greaterEq(volume, p.bound("smallestVolume"))
	var m [3]double3
	for v := range m {
		m[v] = s.point(p, v, weights[v])
	}
	n := p.crossD(m[1], m[2])
	p.greater(p.dotD(m[0], n)[0], p.mul(volume, p.bound("curvedNearBound")))
	z := p.printed(fmt.Sprint("times", degree))
	z.Offs, z.Shares = map[string]float64{}, map[string]proof.Share{}
	for v := range 3 {
		for i := range degree + 1 {
			name := timesWeight(v, i) + ".h"
			z.Offs[name], z.Shares[name] = timesWeightOff, proof.Share{Of: "ABC"[v : v+1], Most: 1 + 0x1p-40}
		}
	}
	return z
}

// keepingPairs is a program that keeps operations on double-doubles.
func keepingPairs() *program {
	p := newProgram(nil, 512, nil)
	p.kept = map[string]bool{"pair_plus": true, "pair_minus": true, "pair_times": true, "pair_scaled": true,
		"pair_twice": true}
	return p
}

// meaningOfTimes compares the value with A.(B x C), of points that are sums of control points times
// weights.
func meaningOfTimes(q *proof.Program) error {
	degree := int(q.Name[len(q.Name)-1] - '0')
	var m [3]formula3
	for v := range m {
		for k := range 3 {
			sum := proof.Formula{}
			for i := range degree + 1 {
				x := proof.Input(fmt.Sprintf("%c%d%c.h", "ABC"[v], i, "xyz"[k]))
				sum = sum.Plus(one(1), x.Times(proof.Input(timesWeight(v, i)+".h")))
			}
			m[v][k] = sum
		}
	}
	want := m[0].dot(m[1].cross(m[2])).String()
	tests := q.Tests()
	if len(tests) != 1 {
		return fmt.Errorf("%s has %d tests", q.Name, len(tests))
	}
	r, err := q.Check(tests[0])
	if err == nil && r.Values[0].String() != want {
		err = fmt.Errorf("%s: no formula is %s", q.Name, r.Values[0])
	}
	return err
}

// TestWeightsOfCurves proves that the weights of curve.TimesVF are within timesWeightOff of those
// of Bernstein's polynomials: binomials times powers of x and of 1 - x, which is a pair without an
// error.
func TestWeightsOfCurves(t *testing.T) {
	for degree := 2; degree <= 3; degree++ {
		p := keepingPairs()
		r := double{p.load(inputCalled("r.h")), p.load(inputCalled("r.l"))}
		w := p.curveWeights(degree, r, double{p.load(inputCalled("x.h")), p.constant(0)})
		q := p.printed("weights")
		q.Weights = append(q.Weights, "x.h")
		for i := range degree + 1 {
			got, off, err := q.Product(int(w[i][0]))
			if err != nil {
				t.Fatal(err)
			}
			if off > timesWeightOff {
				t.Errorf("weight %d of degree %d is off by %g U^2", i, degree, off*0x1p106)
			}
			names := strings.TrimSpace(strings.Repeat("r.h ", degree-i) + strings.Repeat("x.h ", i))
			if c := got[names]; c == nil || c.Cmp(new(big.Rat).Set(binomial(degree, i))) != 0 {
				t.Errorf("weight %d of degree %d is %s", i, degree, got)
			}
		}
	}
}
