package source

import (
	"fmt"
	"go/token"
	"math/big"

	"ccd/simd/gen/proof"
)

const (
	linearPath = "ccd/simd/linear"
	minorsPath = "ccd/simd/internal/query"
)

// parts are bounds on which others rest: weights of a cubic's coefficients on pieces of time,
// minors at a root that is known within a bracket, entries of rotations, errors of balls, and more.
func parts() []target {
	return []target{
		{Reading: Reading{Path: linearPath, Limit: 1, Scene: func(s *Scene) { pieceWeights(s) }},
			functions: "formPieceBounds, weights (7 U are what pieceEndBound takes)", constants: []string{"claimed"},
			means: pieceWeightsMean},
		{Reading: Reading{Path: minorsPath, Limit: 250, Scene: func(s *Scene) { minorsAtRoot(s) }},
			functions: "rootQuery.parameters, query.Minors", constants: []string{"minorBound"}, means: minorsMean},
		{Reading: Reading{Path: minorsPath, Limit: 250, Scene: func(s *Scene) {
			curvedMinors(s, "curvedMinorBound", 8)
		}},
			functions: "query.Minors of entries off by 8 U",
			constants: []string{"curvedMinorBound"}, means: minorsMean},
		{Reading: Reading{Path: minorsPath, Limit: 250, Scene: func(s *Scene) {
			curvedMinors(s, "curvedReachBound", 6*0x1p29+16)
		}}, functions: "query.Minors of entries off by 6 of 2^-24, and 16 U",
			constants: []string{"curvedReachBound"}, means: minorsMean},
		{Reading: Reading{Path: exactPath, Limit: 1, Scene: func(s *Scene) { cramer(s) }},
			functions: "double.cramer", constants: []string{"boundCramer"}, means: minorsMean},
		{Reading: Reading{Path: exactPath, Limit: 300, Scene: func(s *Scene) { quadratic(s) }},
			functions: "quadratic.value (2 U more of `boundQuadratic` are for the way to the root)",
			constants: []string{"claimed"}, means: func(in numbers) []*big.Rat {
				t, w := in("t"), minus(big.NewRat(1, 1), in("t"))
				return []*big.Rat{sum(times(in("p[0]"), w, w), times(in("p[1]"), t, w), times(in("p[2]"), t, t))}
			}},
		{Reading: Reading{Path: "ccd/core/geom", Limit: 0, Scene: func(s *Scene) { rotation(s) }},
			functions: "Rotation: dividends and divisors (twice that, 1 U and what is left are `RotationBound`)",
			constants: []string{"claimed"}, means: rotationMean},
		{Reading: Reading{Path: "ccd/core/meshfile", Limit: coordinates,
			Stops: []string{"ccd/core/meshfile.exactDifferences"},
			Scene: func(s *Scene) { orientation(s) }},
			functions: "orientation, products (`filter` is 4 U; their difference rounds relative to itself)",
			constants: []string{"claimed"}, means: func(in numbers) []*big.Rat {
				product := func(p, q string) *big.Rat { return times(in.minus("b"+p, "a"+p), in.minus("c"+q, "a"+q)) }
				return []*big.Rat{product("[0]", "[1]"), product("[1]", "[0]")}
			}},
		{Reading: Reading{Path: clearancePath, Limit: 1, Scene: func(s *Scene) { withinReach(s) }},
			functions: "EuclideanResolver.within, a component", constants: []string{"euclideanContactError"},
			means: func(in numbers) (all []*big.Rat) {
				for k := range 3 {
					p := new(big.Rat)
					for c := range 4 {
						p = sum(p, times(in(fmt.Sprintf("w[%d]", c)), in(fmt.Sprintf("p[%d][%d]", c, k))))
					}
					all = append(all, p)
				}
				return all
			}},
		{Reading: Reading{Path: "ccd/core/num", Limit: 200, Scene: func(s *Scene) { ballErrors(s, "Add", 0) }},
			functions: "Ball.Add, the error (`ballSlack` pays 16 U)", constants: []string{"claimed"},
			means: func(in numbers) []*big.Rat {
				return []*big.Rat{sum(in("x.E"), in("y.E"), times(ballUnits(4), sum(in("x.H"), in("y.H"))))}
			}},
		{Reading: Reading{Path: "ccd/core/num", Limit: 200, Scene: func(s *Scene) { ballErrors(s, "Mul", 1) }},
			functions: "Ball.Mul, the error (`ballSlack` pays 16 U)", constants: []string{"claimed"},
			means: func(in numbers) []*big.Rat {
				return []*big.Rat{sum(times(in("x.H"), in("y.E")), times(in("y.H"), in("x.E")),
					times(in("x.E"), in("y.E")), times(ballUnits(9), in("x.H"), in("y.H")))}
			}},
	}
}

// pieceWeights claims that each weight is within 7U of itself. Ends of pieces are doubles in [0,
// 1].
func pieceWeights(s *Scene) {
	ends := &array{}
	for k := range 9 {
		ends.cells = append(ends.cells, &cell{s.Time([]string{"s", "e"}[k%2])})
	}
	s.Hook(linearPath+".TimePieceEnds", func([]any) any { return ends })
	s.Hook(linearPath+".FilterBounds", func([]any) any {
		return &array{cells: []*cell{{whole(0)}, {whole(0)},
			{whole(0)}, {whole(0)}, {whole(0)}, {whole(0)}}}
	})
	b := s.Call("formPieceBounds", s.Whole(1), s.Whole(0))
	for i := range 16 {
		w := s.Get(b, fmt.Sprintf("[%d]", 2+8*i))
		s.Claim(w, s.Bound(7, w))
	}
}

// pieceWeightsMean are the weights of the coefficients of the whole motion, those in the middle
// times three, for each coefficient on the piece from s to e: by the blossom, the sums of the
// products of times or one less them, in all orders. A coefficient in the middle counts three
// times.
func pieceWeightsMean(in numbers) (all []*big.Rat) {
	for i, at := range [][]string{{"s", "s", "s"}, {"s", "s", "e"}, {"s", "e", "e"}, {"e", "e", "e"}} {
		var w [4]*big.Rat
		for j := range w {
			w[j] = new(big.Rat)
		}
		for chosen := range 8 {
			p, n := big.NewRat(1, 1), 0
			for k, t := range at {
				x := minus(big.NewRat(1, 1), in(t))
				if chosen>>k&1 == 1 {
					x, n = in(t), n+1
				}
				p = times(p, x)
			}
			w[n] = sum(w[n], p)
		}
		for j := range w { // Of b1 and b2 the program has three times: a third of the weight.
			third := big.NewRat([]int64{1, 3, 3, 1}[i], []int64{1, 3, 3, 1}[j])
			all = append(all, times(third, w[j]))
		}
	}
	return all
}

// minorsAtRoot claims that minors of A, B, C at x are within the bound of those at a root next
// to x. An entry at an end is off by one rounding; the way to the root is at most 2^-53, along
// which an entry changes by two roundings of its maximum at most, as if both ends were off by them.
func minorsAtRoot(s *Scene) {
	vectors := s.Of("ccd/simd/internal/vec")
	x := s.Weight("x")
	ends := s.Minus(s.Whole(1), x)
	var at, most [3]any
	for i, n := range []string{"a", "b", "c"} {
		m, size := &array{}, vectors.Zero("Vec3")
		for range 2 {
			m.cells = append(m.cells, &cell{vectors.Zero("Vec3")})
		}
		for _, k := range []string{"X", "Y", "Z"} {
			s.Set(size, k, s.Size("m"+n+k))
			for end := range 2 {
				s.Set(m, fmt.Sprintf("[%d].%s", end, k), s.Off(fmt.Sprintf("%s%d%s", n, end, k), 3, "m"+n+k))
			}
		}
		at[i], most[i] = vectors.Call("Blend", m, ends, x), size
	}
	claimMinors(s, at, most, s.Of(linearPath).Value("minorBound"))
}

// curvedMinors claims the same of entries that are off by some roundings of their maxima: what
// points on curved paths are off by, and the way to a root, are derived by people
// (simd/curve/roots.go).
func curvedMinors(s *Scene, constant string, roundings float64) {
	vectors := s.Of("ccd/simd/internal/vec")
	var at, most [3]any
	for i, n := range []string{"a", "b", "c"} {
		at[i], most[i] = vectors.Zero("Vec3"), vectors.Zero("Vec3")
		for _, k := range []string{"X", "Y", "Z"} {
			s.Set(most[i], k, s.Size("m"+n+k))
			s.Set(at[i], k, s.Off(n+"1"+k, roundings, "m"+n+k))
		}
	}
	claimMinors(s, at, most, s.Of("ccd/simd/curve").Value(constant))
}

func claimMinors(s *Scene, at, most [3]any, bound any) {
	s.Hook("math.Signbit", func([]any) any { return truth(false) })
	r := s.Call("Minors", at[0], at[1], at[2], most[0], most[1], most[2], bound).(tuple)
	for i := range 3 {
		s.Claim(r[i], r[i+3])
	}
}

// minorsMean are the components of B x C, C x A and A x B; a blend is compared at its end.
func minorsMean(in numbers) (all []*big.Rat) {
	v := func(n string) (x [3]*big.Rat) {
		for k := range x {
			x[k] = in(n + "1" + "XYZ"[k:k+1])
		}
		return x
	}
	a, b, c := v("a"), v("b"), v("c")
	for _, p := range [][2][3]*big.Rat{{b, c}, {c, a}, {a, b}} {
		for k := range 3 {
			i, j := (k+1)%3, (k+2)%3
			all = append(all, minus(times(p[0][i], p[1][j]), times(p[0][j], p[1][i])))
		}
	}
	return all
}

// cramer claims that components of B x C and its like are within the bound of those at a root
// between t and the next double; entries as in minorsAtRoot, in high parts.
func cramer(s *Scene) {
	f := s.Zero("double")
	for _, n := range []string{"a", "b", "c"} {
		for k := range 3 {
			most := fmt.Sprintf("m%s[%d]", n, k)
			s.Set(f, most, s.Size("m"+n+"XYZ"[k:k+1]))
			for end := range 2 {
				s.Set(f, fmt.Sprintf("%s[%d][%d].H", n, end, k),
					s.Off(fmt.Sprintf("%s%d%s", n, end, "XYZ"[k:k+1]), 3, "m"+n+"XYZ"[k:k+1]))
			}
		}
	}
	r := s.Call("double.cramer", s.Pointer(f), s.Weight("x")).(tuple)
	for i := range 3 {
		for k := range 3 {
			at := fmt.Sprintf("[%d][%d]", i, k)
			s.Claim(s.Get(r[0], at), s.Get(r[1], at))
		}
	}
}

// rotation claims that each dividend and the divisor of an entry are within b = (RotationBound - 3U
// / 2) / 2 times the divisor. Exact dividends are at most the exact divisor, so quotients differ by
// 2b, and the division rounds by U (1 + 2b): less than RotationBound in all. Components are scaled
// by a power of two, so that the largest is at least 1/2: that is exact, and the divisor at least
// 1/4.
func rotation(s *Scene) {
	s.Quotients()
	s.Hook("math.Frexp", func([]any) any { return Results(s.Whole(1), s.Whole(0)) })
	s.Hook("math.Ldexp", func(args []any) any { return args[0] })
	q := &record{fields: map[string]*cell{}}
	for _, n := range []string{"Real", "Imag", "Jmag", "Kmag"} {
		q.fields[n] = &cell{s.Input(n)}
	}
	bound, _ := s.Value("RotationBound").(literal).Float64()
	b := (bound*0x1p53 - 1.5) / 2
	m := s.Call("Rotation", q)
	for i, row := range []string{"X", "Y", "Z"} {
		for k, column := range []string{"X", "Y", "Z"} {
			parts := s.Parts(s.Get(m, row+"."+column))
			size := parts[1] // |w^2 + x^2 - y^2 - z^2| <= w^2 + x^2 + y^2 + z^2
			if i != k {      // 2 |a b| + 2 |c d| is no more than that either.
				twice := s.Parts(parts[0])
				sum := s.Parts(twice[1])
				size = s.r.arithmetic(token.MUL, twice[0], s.Plus(s.Magnitude(sum[0]), s.Magnitude(sum[1])))
			}
			s.Claim(parts[0], s.Bound(b, size))
			s.Claim(parts[1], s.Bound(b, parts[1]))
		}
	}
}

// rotationMean are the entries of the matrix of a quaternion, times the square of its length, and
// that square.
func rotationMean(in numbers) (all []*big.Rat) {
	q := [4]*big.Rat{in("Real"), in("Imag"), in("Jmag"), in("Kmag")}
	square := func(signs ...int64) *big.Rat {
		s := new(big.Rat)
		for i, sign := range signs {
			s = sum(s, times(big.NewRat(sign, 1), q[i], q[i]))
		}
		return s
	}
	all = append(all, square(1, 1, 1, 1), square(1, 1, -1, -1), square(1, -1, 1, -1), square(1, -1, -1, 1))
	two := big.NewRat(2, 1)
	for i := 1; i < 4; i++ { // The entry of i and j: 2 (q_i q_j -+ w q_k).
		j, k := i%3+1, (i+1)%3+1
		along, around := times(two, q[i], q[j]), times(two, q[0], q[k])
		all = append(all, sum(along, around), minus(along, around))
	}
	return all
}

func ballUnits(k float64) *big.Rat { return new(big.Rat).SetFloat64(k * 0x1p-106) }

// ballErrors claims that the sum which ballSlack increases is within 14U of itself: the product
// with ballSlack rounds once, so what is kept is no less than the exact sum. Where it underflows,
// ballTiny pays. Balls are positive: the error is computed from magnitudes. added is how many terms
// are added after the product.
func ballErrors(s *Scene, method string, added int) {
	s.Hook("ccd/core/num.TwoSum", func(args []any) any { return Results(args[0], s.Whole(0)) })
	s.Hook("math.FMA", func([]any) any { return s.Whole(0) })
	s.Hook("ccd/core/num.Ball.IsZero", func([]any) any { return truth(false) })
	ball := func(n string) any {
		b := s.Zero("Ball")
		for _, part := range []string{"H", "E"} {
			s.Set(b, part, s.Size(n+"."+part))
		}
		s.Set(b, "L", s.Input(n+".L"))
		return b
	}
	e := s.Get(s.Call("Ball."+method, ball("x"), ball("y")), "E")
	for range added {
		e = s.Parts(e)[0]
	}
	total := s.Parts(e)[0]
	s.ClaimWith(total, s.r.make("mul", s.r.op(proof.Op{Code: "const", Name: "claimed", Value: 14 * 0x1p-53}),
		s.r.number(total)), 0x1p-1071)
}

// withinReach claims that the components of a point of the set, times the sum of the weights, are
// within the bound of the component's magnitude. The length of their errors is at most the sum over
// the components, which is what the text adds, with tinyLength for what underflows.
func withinReach(s *Scene) {
	lines, x := s.Zero("SeparationResolver"), s.Zero("nearest")
	s.Set(lines, "Shape", s.Pointer(s.Value("Shapes").(*array).cells[edgeEdge].v))
	s.Set(lines, "D", s.Size("D"))
	var weight any
	for k := range 3 {
		s.Set(lines, fmt.Sprintf("Mp[%d]", k), s.Size(fmt.Sprintf("Mp[%d]", k)))
	}
	for c := range 4 {
		w := s.Size(fmt.Sprintf("w[%d]", c))
		s.Set(x, fmt.Sprintf("w[%d]", c), w)
		if weight == nil {
			weight = w
		} else {
			weight = s.Plus(weight, w)
		}
		for k := range 3 {
			at := fmt.Sprintf("p[%d][%d]", c, k)
			s.Set(x, at, s.Off(at, 7, fmt.Sprintf("Mp[%d]", k)))
		}
	}
	s.Hook("math.Sqrt", func([]any) any { return s.Whole(0) })
	s.Hook("ccd/core/geom.Dot3", func(args []any) any {
		for k := range 3 {
			bound := s.r.arithmetic(token.MUL, s.Value("euclideanContactError"), s.Get(lines, fmt.Sprintf("Mp[%d]", k)))
			s.ClaimWith(s.Get(args[0], fmt.Sprintf("[%d]", k)), s.r.arithmetic(token.MUL, bound, weight), 0x1p-600)
		}
		return s.Whole(0)
	})
	r := s.Zero("EuclideanResolver")
	s.Set(r, "Lines", lines)
	s.Call("EuclideanResolver.within", s.Pointer(r), s.Pointer(x))
}

// orientation claims that both products are within filter, less half a rounding, of themselves.
// Where their difference as computed exceeds filter times their magnitudes, their exact difference
// exceeds filter (1 - 2U) times them, more than both products are off by.
func orientation(s *Scene) {
	s.Call("orientation", s.Inputs("a", 2), s.Inputs("b", 2), s.Inputs("c", 2))
	for _, o := range s.r.ops {
		if o.Code != "gt" || s.r.ops[o.Args[1]].Code == "const" {
			continue
		}
		difference := s.r.ops[s.r.ops[o.Args[0]].Args[0]]
		filter := s.r.ops[s.r.ops[o.Args[1]].Args[0]]
		for _, v := range difference.Args {
			c := s.r.op(proof.Op{Code: "const", Name: "claimed", Value: filter.Value - 0x1p-54})
			s.ClaimWith(operation(v), s.r.make("mul", c, s.r.number(s.Magnitude(operation(v)))), 0x1p-1070)
		}
		return
	}
}

// quadratic claims that a value at a double is within boundQuadratic, less 2U, of the coefficients'
// magnitudes, of which each has been rounded twice. Up to a root next to t, less than 2^-53 away,
// the value changes by 2U of them at most. Coefficients are integers, so only their products
// underflow.
func quadratic(s *Scene) {
	t := s.Time("t")
	s.r.weights = append(s.r.weights, "t", "(1-t)")
	p := &array{named: name{s.unit, "quadratic"}}
	var sizes any
	for i := range 3 {
		c := fmt.Sprintf("p[%d]", i)
		x := s.Off(c, 2, "")
		s.Hook(exactPath+"."+c+".Float", func([]any) any { return x })
		p.cells = append(p.cells, &cell{&record{named: name{s.unit, c}}})
		if size := s.Magnitude(x); sizes == nil {
			sizes = size
		} else {
			sizes = s.Plus(sizes, size)
		}
	}
	v := s.Call("quadratic.value", s.Pointer(p), t)
	bound, _ := s.Value("boundQuadratic").(literal).Float64()
	c := s.r.op(proof.Op{Code: "const", Name: "claimed", Value: bound - 2*0x1p-53})
	s.ClaimWith(v, s.r.make("mul", c, s.r.number(sizes)), 0x1p-700)
}
