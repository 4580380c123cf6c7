package main

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"

	"ccd/simd/gen/proof"
)

// nearSpare is what may underflow in a gap of NearVF. Its square exceeds nearTiny, so this is 2^-60
// of the gap, where 2^-22 would do (nearMargin).
func nearSpare() float64 { return 0x1p-60 * math.Sqrt(bounds["nearTiny"]) }

// printedNear is the program of still.NearVF and its like: a gap is a value less its bound.
func printedNear(kind string) *proof.Program {
	p := newProgram(nil, 512, nil)
	a, b, c := p.vectorOf("A"), p.vectorOf("B"), p.vectorOf("C")
	scale := p.add3(p.add3(p.abs3(a), p.abs3(b)), p.abs3(c))
	p.isFar(kind, a, b, c, scale, p.broadcast(inputCalled("square")))
	q := withoutTests(p.printed("near" + kind))
	q.Limit = 150 // largestPiece
	q.Claims = subtracted(q, "nearBound")
	for i := range q.Claims {
		q.Claims[i].Spare = nearSpare()
	}
	return q
}

// withoutTests returns a program whose comparisons are not those of a value with its bound.
func withoutTests(q *proof.Program) *proof.Program {
	for i, o := range q.Ops {
		if slices.Contains([]string{"lt", "le", "gt", "ge"}, o.Code) {
			q.Ops[i].Code = "other"
		}
	}
	return q
}

// subtracted returns the claims of values from which a product with a constant is subtracted, as
// their bound.
func subtracted(q *proof.Program, constant string) (claims []proof.Test) {
	for i, o := range q.Ops {
		if o.Code != "sub" {
			continue
		}
		bound := q.Ops[o.Args[1]]
		has := func(a int) bool { return q.Ops[a].Name == constant }
		if bound.Code == "mul" && slices.ContainsFunc(bound.Args, has) {
			claims = append(claims, proof.Test{At: i, Value: o.Args[0], Bound: o.Args[1]})
		}
	}
	return claims
}

// enclosed is the set of differences of a query of EncloseVF and its like, of inputs.
func enclosed(kind string) *enclosing {
	e := &enclosing{still: &still{program: newProgram(nil, 512, nil)}, kind: kind}
	for i := range map[string]int{"VF": 3, "EE": 4}[kind] {
		e.corner = append(e.corner, e.vectorOf(fmt.Sprintf("F%d", i)))
	}
	e.b, e.c, e.across = e.vectorOf("B"), e.vectorOf("C"), e.vectorOf("D")
	return e
}

// encloseSpare is what may underflow of the magnitudes of a point; encloseTiny is 2^60 times it.
func encloseSpare() float64 { return 0x1p-60 * bounds["encloseTiny"] }

// printedAlong is the part of EncloseVF that projects the corners on a direction.
func printedAlong(kind string) *proof.Program {
	e := enclosed(kind)
	e.along(e.vectorOf("W"))
	q := withoutTests(e.printed("along" + kind))
	q.Limit, q.Offs = 102, map[string]float64{} // encloseMost: sums of four corners.
	for _, k := range "xyz" {
		q.Offs["W"+string(k)] = 0 // Any direction will do.
	}
	for _, o := range q.Ops { // The last difference has what underflows.
		if o.Code != "sub" || q.Ops[o.Args[1]].Name != "encloseLoss" {
			continue
		}
		s := q.Ops[o.Args[0]]
		q.Ops = append(q.Ops, proof.Op{Code: "add", Args: []int{s.Args[1], o.Args[1]}})
		q.Claims = append(q.Claims, proof.Test{At: len(q.Ops) - 1, Value: s.Args[0], Bound: len(q.Ops) - 1})
	}
	return q
}

// printedPlaces is the part of EncloseVF that computes points A + u B + v C, with the sums of their
// terms' magnitudes, and corners.
func printedPlaces(kind string) *proof.Program {
	e := enclosed(kind)
	type pair struct{ value, bound value }
	var claims []pair
	unpicked := func(v value) value { // The choice between this and another point is exact.
		if o := e.ops[v]; o.code == opPick {
			return o.args[2]
		}
		return v
	}
	claim := func() {
		for k := range 3 {
			claims = append(claims, pair{e.f[k], e.mul(e.bound("encloseSum"), unpicked(e.mag[k]))})
		}
	}
	e.inside()
	claim()
	for i, d := range []vector3{e.b, e.c} {
		e.square = e.constant(math.Inf(1))
		e.edge(i, i+1, d, func(t value) (u, v value) { return t, t })
		for k := range 3 { // The side's point is picked where it is nearer, and is no corner.
			f, mag := unpicked(e.f[k]), unpicked(unpicked(e.mag[k]))
			if o := e.ops[f]; o.code == opPick {
				f = o.args[1]
			}
			claims = append(claims, pair{f, e.mul(e.bound("encloseSum"), mag)})
		}
	}
	for k := range 3 {
		x := e.corner[0][k]
		claims = append(claims, pair{x, e.mul(e.bound("encloseCorner"), e.abs(x))})
	}
	q := withoutTests(e.printed("places" + kind))
	q.Limit, q.Offs = 102, map[string]float64{}
	for _, o := range q.Ops { // Parameters are the numbers that they are, in [0, 1].
		for _, a := range o.Args {
			if o.Code == "mul" && slices.Contains([]string{"other", "min", "max"}, q.Ops[a].Code) {
				q.Ops[a] = proof.Op{Code: "input", Name: fmt.Sprint("u", a)}
				q.Offs[q.Ops[a].Name] = 0
			}
		}
	}
	for _, c := range claims {
		q.Claims = append(q.Claims, proof.Test{At: int(c.bound), Value: int(c.value), Bound: int(c.bound),
			Spare: encloseSpare()})
	}
	return q
}

// printedPieces is the program of linear.signs: the cubic on the whole motion, and its coefficients
// on a piece of time, of which those in the middle count three times. The weights of a coefficient
// add up to 1, or to 3; package source proves what they are off by.
func printedPieces(kind string, apart bool) *proof.Program {
	p := newProgram(nil, 512, nil)
	m, s, name := p.motions(), (*separation)(nil), "pieces"
	if apart {
		s, name = p.separationOf(), "piecesApart"
	}
	q := p.newQuery(m[0], m[1], m[2])
	f, volume := p.cubicForm(q, "pieceEndBound", "pieceMiddleBound", s)
	p.greaterEq(volume, p.bound("smallest"))
	of := [4]value{f.f0, f.f1, f.f2, f.f3}
	p.pieceSign(func(j int) value { return of[j] }, f.e, f.e3,
		func(i, j int) value { return p.load(inputCalled(weightCalled(i, j))) })
	z := p.printed(name + kind)
	z.Limit, z.Offs, z.Shares = 150, map[string]float64{}, map[string]proof.Share{} // largestPiece
	for i, whole := range [4]float64{1, 3, 3, 1} {
		for j, times := range [4]float64{1, 3, 3, 1} {
			w := weightCalled(i, j)
			z.Offs[w] = 7 * 0x1p-53
			z.Shares[w] = proof.Share{Of: fmt.Sprint("W", i), Most: whole / times * (1 + 0x1p-40)}
		}
	}
	return z
}

func weightCalled(i, j int) string { return fmt.Sprintf("W%d%d", i, j) }

// meaningOfSums compares the values of the programs above with their formulas: projections on a
// direction of F at corners of the domain; points of F; coefficients on a piece.
func meaningOfSums(q *proof.Program) error {
	kind := q.Name[len(q.Name)-2:]
	a, b, c := pointOf("A"), pointOf("B"), pointOf("C")
	var want []proof.Formula
	every := true
	met := map[string]bool{}
	for _, t := range q.Tests() {
		r, err := q.Check(t)
		if err != nil {
			return err
		}
		switch {
		case strings.HasPrefix(q.Name, "near"):
			d := directionOf(r)
			want = reachOf(kind, d.dot(a), d.dot(b), d.dot(c))
		case strings.HasPrefix(q.Name, "along"):
			every = false
			for i := range map[string]int{"VF": 3, "EE": 4}[kind] {
				want = append(want, pointOf("W").dot(pointOf(fmt.Sprint("F", i))))
			}
		case strings.HasPrefix(q.Name, "places"):
			every, want = false, pointsIn(r)
		default:
			every = false
			for i := range 4 {
				sum := proof.Formula{}
				for j, f := range pathsOf(1).coplanarity() {
					sum = sum.Plus(one(1), proof.Input(weightCalled(i, j)).Times(f))
				}
				want = append(want, sum)
			}
		}
		got := map[string]bool{}
		for _, v := range r.Values {
			text := v.String()
			got[text], met[text] = true, true
			if !slices.ContainsFunc(want, func(w proof.Formula) bool {
				return w.String() == text || every && proof.Formula{}.Plus(one(-1), w).String() == text
			}) {
				return fmt.Errorf("%s, comparison %d: no formula is %s", q.Name, t.At, text)
			}
		}
		if every && len(got) != 2*len(want) {
			return fmt.Errorf("%s, comparison %d: %d of %d values are compared", q.Name, t.At, len(got), 2*len(want))
		}
	}
	if strings.HasPrefix(q.Name, "places") && len(met) != 12 {
		return fmt.Errorf("%s: %d of 12 values are compared: a corner, two sides and the plane", q.Name, len(met))
	}
	for _, w := range want {
		if !strings.HasPrefix(q.Name, "places") && !met[w.String()] {
			return fmt.Errorf("%s: %s is not compared", q.Name, w)
		}
	}
	return nil
}

// pointsIn returns the points of the plane, of two sides and of a corner that a value may be, of
// its component and with the parameters that it has.
func pointsIn(r proof.Proof) []proof.Formula {
	var component string
	var parameters []string
	for m := range r.Values[0] {
		for name := range strings.FieldsSeq(m) {
			if name[0] == 'u' {
				parameters = append(parameters, name)
			} else {
				component = name[len(name)-1:]
			}
		}
	}
	slices.Sort(parameters)
	from := func(i int) proof.Formula { return proof.Input(fmt.Sprintf("F%d%s", i, component)) }
	way := func(n, of string) proof.Formula { return proof.Input(of + component).Times(proof.Input(n)) }
	switch len(parameters) {
	case 0:
		return []proof.Formula{from(0)}
	case 1:
		return []proof.Formula{from(0).Plus(big.NewRat(1, 1), way(parameters[0], "B")),
			from(1).Plus(big.NewRat(1, 1), way(parameters[0], "C"))}
	}
	at := func(u, v string) proof.Formula {
		return from(0).Plus(one(1), way(u, "B")).Plus(one(1), way(v, "C"))
	}
	return []proof.Formula{at(parameters[0], parameters[1]), at(parameters[1], parameters[0])}
}
