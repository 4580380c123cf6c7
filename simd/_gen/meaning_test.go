package main

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"ccd/simd/gen/proof"
)

// The formulas here are written down from docs/proofs/kernels.md and motions.md, not from the
// programs.

type formula3 [3]proof.Formula

func one(k float64) *big.Rat { return new(big.Rat).SetFloat64(k) }

func pointOf(name string) (x formula3) {
	for k := range x {
		x[k] = proof.Input(name + "xyz"[k:k+1])
	}
	return x
}

func (x formula3) dot(y formula3) proof.Formula {
	return x[0].Times(y[0]).Plus(one(1), x[1].Times(y[1])).Plus(one(1), x[2].Times(y[2]))
}

func (x formula3) cross(y formula3) (z formula3) {
	for k := range z {
		i, j := (k+1)%3, (k+2)%3
		z[k] = x[i].Times(y[j]).Plus(one(-1), x[j].Times(y[i]))
	}
	return z
}

func (x formula3) plus(k *big.Rat, y formula3) (z formula3) {
	for i := range z {
		z[i] = x[i].Plus(k, y[i])
	}
	return z
}

func binomial(n, m int) *big.Rat {
	return new(big.Rat).SetInt(new(big.Int).Binomial(int64(n), int64(m)))
}

// paths are the control points of A, B, C.
type paths [3][]formula3

func pathsOf(degree int) (p paths) {
	for v := range p {
		for l := range degree + 1 {
			p[v] = append(p[v], pointOf(fmt.Sprintf("%c%d", "ABC"[v], l)))
		}
	}
	return p
}

// normal returns the coefficients of B x C, m of degree 2k, times their binomials.
func (p paths) normal() (n []formula3) {
	k := len(p[0]) - 1
	for m := range 2*k + 1 {
		sum := formula3{proof.Formula{}, proof.Formula{}, proof.Formula{}}
		for i := max(0, m-k); i <= min(k, m); i++ {
			w := new(big.Rat).Mul(binomial(k, i), binomial(k, m-i))
			sum = sum.plus(w, p[1][i].cross(p[2][m-i]))
		}
		n = append(n, sum)
	}
	return n
}

// coplanarity returns the coefficients of A.(B x C), times their binomials.
func (p paths) coplanarity() []proof.Formula {
	k := len(p[0]) - 1
	f := make([]proof.Formula, 3*k+1)
	for m := range f {
		f[m] = proof.Formula{}
	}
	for m, n := range p.normal() {
		for i := range k + 1 {
			f[i+m] = f[i+m].Plus(binomial(k, i), p[0][i].dot(n))
		}
	}
	return f
}

// inHalves returns the Bernstein coefficients of both halves.
func inHalvesOf(x []proof.Formula) (y []proof.Formula) {
	k := len(x) - 1
	x = slices.Clone(x)
	var last []proof.Formula
	for n := range k + 1 {
		y, last = append(y, x[0]), append(last, x[k-n])
		for l := range k - n {
			x[l] = proof.Formula{}.Plus(one(0.5), x[l]).Plus(one(0.5), x[l+1])
		}
	}
	return append(y, last...)
}

// reachOf returns a + u b + v c at the corners of the domain.
func reachOf(kind string, a, b, c proof.Formula) []proof.Formula {
	found := []proof.Formula{a, a.Plus(one(1), b), a.Plus(one(1), c)}
	if kind == "EE" {
		found = append(found, found[1].Plus(one(1), c))
	}
	return found
}

// projected returns the reach of all control points along d, of both halves if halves.
func (p paths) projected(kind string, d formula3, halves bool) (found []proof.Formula) {
	var x [3][]proof.Formula
	for v := range p {
		for _, point := range p[v] {
			x[v] = append(x[v], d.dot(point))
		}
		if halves {
			x[v] = inHalvesOf(x[v])
		}
	}
	for l := range x[0] {
		found = append(found, reachOf(kind, x[0][l], x[1][l], x[2][l])...)
	}
	return found
}

// kernelKind is what a program's name says of it.
type kernelKind struct {
	kind             string
	degree           int
	single, part     bool
	curved, crossing bool
}

func familyOf(q *proof.Program) (f kernelKind) {
	name := q.Name
	f.kind, f.degree = name[len(name)-2:], 1
	f.single = q.Single
	f.part = strings.Contains(name, "Part") || strings.Contains(name, "Apart")
	f.curved, f.crossing = strings.HasPrefix(name, "curved"), name == "crossing"
	if f.curved {
		f.degree = int(name[len(name)-3] - '0')
	}
	return f
}

// meaning compares what a program's tests compute with the formulas: every test has the values of
// its constant, each value occurs, and the bound has the separation's terms.
func meaning(q *proof.Program) error {
	switch {
	case q.Name == "roots":
		return meaningOfRoots(q)
	case strings.HasPrefix(q.Name, "times"):
		return meaningOfTimes(q)
	}
	for _, name := range []string{"near", "along", "places", "pieces"} {
		if strings.HasPrefix(q.Name, name) {
			return meaningOfSums(q)
		}
	}
	f := familyOf(q)
	p := pathsOf(f.degree)
	halves := f.curved && f.single
	seen := map[string]bool{}
	want := map[string]bool{}
	for _, t := range q.Tests() {
		r, err := q.Check(t)
		if err != nil {
			return err
		}
		constants := strings.Join(q.Constants(t), " ")
		if f.crossing {
			constants = "crossing"
		}
		expected, whole := f.expected(p, constants, r, halves)
		for _, x := range expected {
			want[constants+x] = true
		}
		var got []string
		for _, x := range r.Values {
			text := x.String()
			got = append(got, text)
			seen[constants+text] = true
			if !slices.Contains(expected, text) {
				return fmt.Errorf("%s, comparison %d (%s): no formula is %s", q.Name, t.At, constants, text)
			}
		}
		if whole {
			for _, x := range expected {
				if !slices.Contains(got, x) {
					return fmt.Errorf("%s, comparison %d (%s): %s is not compared", q.Name, t.At, constants, x)
				}
			}
		}
		for m, c := range r.Bound {
			if c.Sign() < 0 {
				return fmt.Errorf("%s, comparison %d (%s): the bound has %v times %s", q.Name, t.At, constants, c, m)
			}
		}
		if err := f.separation(q, t, r, constants); err != nil {
			return err
		}
	}
	for x := range want {
		if !seen[x] {
			return fmt.Errorf("%s: %s is not compared", q.Name, x)
		}
	}
	return f.norms(q, p)
}

// meaningOfRoots compares the values of the cubic at the ends s and e of a piece, and three times
// its Bernstein coefficients there, with the blossom of the cubic of the whole motion: f[x, y, z]
// is the sum of the Bernstein coefficients times the products of the times, or one less the time,
// in all orders.
func meaningOfRoots(q *proof.Program) error {
	b := pathsOf(1).coplanarity()
	blossom := func(times ...string) proof.Formula {
		sum := proof.Formula{}
		for m := range 8 {
			term, ends := proof.Formula{"": one(1)}, 0
			for i, t := range times {
				x := proof.Input(t)
				if m>>i&1 == 0 {
					x = proof.Formula{"": one(1)}.Plus(one(-1), x)
				} else {
					ends++
				}
				term = term.Times(x)
			}
			sum = sum.Plus(new(big.Rat).Inv(binomial(3, ends)), term.Times(b[ends]))
		}
		return sum
	}
	renamed := func(f proof.Formula) string {
		g := proof.Formula{}
		for m, c := range f { // Inputs are the high parts of pairs.
			names := strings.Fields(m)
			for i, n := range names {
				names[i] = strings.TrimSuffix(n, ".h")
			}
			slices.Sort(names)
			g[strings.Join(names, " ")] = c
		}
		return g.String()
	}
	s, e := "start", "end"
	middle := func(x, y, z string) string { return proof.Formula{}.Plus(one(3), blossom(x, y, z)).String() }
	want := map[string][]string{"endBound": {blossom(s, s, s).String(), blossom(e, e, e).String()},
		"middleBound": {middle(s, s, e), middle(s, e, e)}}
	seen := map[string]bool{}
	for _, t := range q.Tests() {
		r, err := q.Check(t)
		if err != nil {
			return err
		}
		for _, v := range r.Values {
			text, names := renamed(v), strings.Join(q.Constants(t), " ")
			if !slices.Contains(want[names], text) {
				return fmt.Errorf("%s, comparison %d (%s): no formula is %s", q.Name, t.At, names, text)
			}
			seen[text] = true
		}
	}
	if len(seen) != 4 {
		return fmt.Errorf("%s: %d of 4 values are compared", q.Name, len(seen))
	}
	return nil
}

// expected returns what a test may compare, and whether it has to compare all of it.
func (f kernelKind) expected(p paths, constants string, r proof.Proof, halves bool) (texts []string, whole bool) {
	var found []proof.Formula
	negatives := true
	switch {
	case f.crossing:
		b, c, at, to := pointOf("B"), pointOf("C"), pointOf("P"), pointOf("Q")
		n, m := b.cross(c), at.cross(to)
		ends, sides := n.dot(to).Plus(one(-1), n.dot(at)), m.dot(b).Plus(one(-1), m.dot(c))
		found, negatives = []proof.Formula{n.dot(at), n.dot(to), m.dot(b), m.dot(c), ends.Plus(one(-1), sides)}, false
	case strings.Contains(constants, "cubic") || strings.Contains(constants, "curvedSign") ||
		strings.Contains(constants, "PartSign"):
		found = p.coplanarity()
		negatives = false
		if strings.Contains(constants, "End") {
			found = []proof.Formula{found[0], found[3]}
		} else if strings.Contains(constants, "Middle") {
			found = found[1:3]
		}
		if halves {
			k := len(found) - 1
			for m := range found {
				found[m] = proof.Formula{}.Plus(new(big.Rat).Inv(binomial(k, m)), found[m])
			}
			found, negatives = inHalvesOf(found), true // Each half is a test of its own.
		}
	default:
		found = p.projected(f.kind, directionOf(r), halves)
		whole, negatives = !halves, !halves
	}
	for _, x := range found {
		texts = append(texts, x.String())
		if negatives {
			texts = append(texts, proof.Formula{}.Plus(one(-1), x).String())
		}
	}
	return texts, whole
}

// directionOf returns the direction on which a test projects: the factors of A's coordinates.
func directionOf(r proof.Proof) formula3 {
	d := formula3{proof.Formula{}, proof.Formula{}, proof.Formula{}}
	for m, c := range r.Values[0] {
		for name := range strings.FieldsSeq(m) {
			if name[0] != 'A' {
				continue
			}
			k := strings.IndexByte("xyz", name[len(name)-1])
			rest := strings.TrimSpace(strings.Replace(" "+m+" ", " "+name+" ", " ", 1))
			if len(d[k]) == 0 {
				d[k] = proof.Formula{rest: big.NewRat(int64(c.Sign()), 1)}
			}
		}
	}
	return d
}

// separation reports a bound that lacks a term of the separation.
func (f kernelKind) separation(q *proof.Program, t proof.Test, r proof.Proof, constants string) error {
	if !f.part || f.crossing {
		return nil
	}
	var terms []string
	switch {
	case strings.Contains(constants, "axis") || strings.Contains(constants, "Range") && !hasDirection(r):
		terms = []string{"sep"}
	case strings.Contains(constants, "direction") || strings.Contains(constants, "Range"):
		for _, d := range directionOf(r) {
			for name := range d {
				terms = append(terms, "sep |"+name+"|")
			}
		}
	default:
		return f.separationOfNormal(q, t, r, constants)
	}
	for _, m := range terms {
		names := strings.Fields(m)
		slices.Sort(names)
		if c := r.Bound[strings.Join(names, " ")]; c == nil || c.Cmp(big.NewRat(1, 1)) < 0 {
			return fmt.Errorf("%s, comparison %d (%s): the bound has no %s", q.Name, t.At, constants, m)
		}
	}
	return nil
}

func hasDirection(r proof.Proof) bool {
	for m := range r.Values[0] {
		if strings.HasPrefix(m, "d") || strings.Contains(m, " d") {
			return true
		}
	}
	return false
}

// separationOfNormal is separation for bounds that have the magnitudes of B x C.
func (f kernelKind) separationOfNormal(q *proof.Program, t proof.Test, r proof.Proof, constants string) error {
	name := "sep"
	if strings.Contains(constants, "Middle") {
		name = "sep3"
	}
	normals := 0
	for m, c := range r.Bound {
		if strings.HasSuffix(m, " "+name) || strings.HasPrefix(m, name+" ") || strings.Contains(m, " "+name+" ") {
			if strings.Contains(m, "|v") && c.Cmp(big.NewRat(1, 1)) >= 0 {
				normals++
			}
		}
	}
	if normals != 3 {
		return fmt.Errorf("%s, comparison %d (%s): the bound has %d components of the normal times %s", q.Name, t.At,
			constants, normals, name)
	}
	return nil
}

// norms compares the components of B x C with their formulas.
func (f kernelKind) norms(q *proof.Program, p paths) error {
	found, err := q.Norms()
	if err != nil || len(found) == 0 {
		return err
	}
	var want, got []string
	k := len(p[0]) - 1
	for m, n := range p.normal() {
		for _, x := range n {
			want = append(want, proof.Formula{}.Plus(new(big.Rat).Inv(binomial(2*k, m)), x).String())
		}
	}
	for _, n := range found {
		got = append(got, n.Value.String())
	}
	slices.Sort(want)
	slices.Sort(got)
	if want, got = slices.Compact(want), slices.Compact(got); !slices.Equal(want, got) {
		return fmt.Errorf("%s: the components of the normal are %v, want %v", q.Name, got, want)
	}
	return nil
}

// TestKernelsComputeTheFormulas compares each polynomial that a kernel compares with a bound with
// the formula of the documentation. That a value is a minimum or a maximum is not held here, but by
// the laws' tests.
func TestKernelsComputeTheFormulas(t *testing.T) {
	for _, q := range printedKernels() {
		if err := meaning(q); err != nil {
			t.Error(err)
		}
	}
}
