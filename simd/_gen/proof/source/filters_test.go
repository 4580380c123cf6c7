package source

import (
	"fmt"
	"math/big"
)

// filters are the float filters of single pairs, points and edges, and what evaluates F at a time.
func filters() (all []target) {
	for _, domain := range []int{triangle, square} {
		name := map[int]string{triangle: "triangles", square: "squares"}[domain]
		all = append(all, target{Reading: Reading{Path: exactPath, Limit: 250, Scene: func(s *Scene) {
			s.Call("ends.cubicApart", loaded(s, domain))
		}}, functions: "ends.load, ends.cubicApart, " + name, constants: []string{"boundCubic"},
			means: func(in numbers) []*big.Rat { return bernstein(in, domain) }},
			target{Reading: Reading{Path: exactPath, Limit: 250, Scene: func(s *Scene) {
				f := loaded(s, domain)
				size := &array{}
				for k := range 3 {
					of := func(m string) any { return s.Get(f, fmt.Sprintf("%s[%d]", m, k)) }
					size.cells = append(size.cells, &cell{s.Plus(s.Plus(of("ma"), of("mb")), of("mc"))})
				}
				s.Call("ends.directionApart", f, s.Whole(domain), s.Pointer(s.Inputs("x", 3)),
					s.Pointer(s.Inputs("y", 3)),
					s.Pointer(size))
			}}, functions: "ends.directionApart, " + name, constants: []string{"boundDirection"}})
	}
	return append(all,
		target{Reading: Reading{Path: exactPath, Limit: 250, Ways: leaves(), Scene: func(s *Scene) {
			s.Call("apartPoints", s.Pointer(s.Inputs("q", 24)))
		}}, functions: "apartPoints, apartInTime on 8 of 64 parts of time", constants: []string{"boundCodim"}},
		target{Reading: Reading{Path: exactPath, Limit: 250, Ways: leaves(), Scene: func(s *Scene) {
			s.Call("apartPointEdge", s.Pointer(s.Inputs("q", 24)))
		}}, functions: "apartPointEdge, apartInTime on 8 of 64 parts", constants: []string{"boundCodim"}},
		target{Reading: Reading{Path: exactPath, Limit: 250, Scene: func(s *Scene) {
			f, c := s.Zero("cubic"), s.Zero("segments")
			for i := range 4 {
				s.Set(f, fmt.Sprintf("bern[%d]", i), s.Off(fmt.Sprintf("b[%d]", i), 4, ""))
			}
			s.Set(f, "err", s.Number(0x1p-900))
			s.Set(c, "n", s.Whole(2))
			for i, n := range []string{"from", "to"} {
				s.Set(c, fmt.Sprintf("at[%d]", i), s.Weight(n))
				s.Set(c, fmt.Sprintf("sign[%d]", i), s.Whole(1))
			}
			s.Call("cubic.monotone", s.Pointer(f), s.Pointer(c))
		}}, functions: "cubic.polar, cubic.monotone", constants: []string{"boundBlossom"},
			means: func(in numbers) []*big.Rat { return []*big.Rat{in("b[3]")} }}, // A blend is compared at its end.
		target{Reading: Reading{Path: exactPath, Limit: 0, Ways: signsOfFour, Scene: func(s *Scene) { inDoubles(s) }},
			functions: "double.expand: the coefficients of the cubic in double-doubles",
			constants: []string{"boundDouble"},
			means:     inDoublesMeans},
		target{Reading: Reading{Path: "ccd/simd/linear", Limit: 300, Scene: func(s *Scene) { atCorners(s) }},
			functions: "cornersGeneric, num.AffineBound", constants: []string{"affineK"},
			means: func(in numbers) (all []*big.Rat) {
				for _, u := range []string{"u0", "u1", "u3"} {
					for _, v := range []string{"v0", "v1"} {
						all = append(all, sum(in("A1"), times(in(u), in("B1")), times(in(v), in("C1"))))
					}
				}
				return all
			}},
	)
}

// loaded is the ends of a query of 24 exact numbers.
func loaded(s *Scene, domain int) any {
	f := s.Pointer(s.Zero("ends"))
	s.Call("ends.load", f, s.Whole(domain), s.Pointer(s.Inputs("q", 24)))
	return f
}

// bernstein are the coefficients of A.(B x C), those in the middle three times, as polar forms.
func bernstein(in numbers, domain int) (all []*big.Rat) {
	difference := func(end, i, j int) (v [3]*big.Rat) {
		for k := range v {
			v[k] = in.minus(fmt.Sprintf("q[%d]", 12*end+3*i+k), fmt.Sprintf("q[%d]", 12*end+3*j+k))
		}
		return v
	}
	pairs := [3][2]int{{0, 1}, {1, 2}, {1, 3}}
	if domain == square {
		pairs = [3][2]int{{0, 2}, {1, 0}, {2, 3}}
	}
	sums := [4]*big.Rat{new(big.Rat), new(big.Rat), new(big.Rat), new(big.Rat)}
	for ends := range 8 {
		var v [3][3]*big.Rat
		n := 0
		for i, p := range pairs {
			end := ends >> i & 1
			n += end
			v[i] = difference(end, p[0], p[1])
		}
		sums[n] = sum(sums[n], det(v[0], v[1], v[2]))
	}
	return sums[:]
}

// leaves are the ways to eight of the 64 parts of time that apartInTime reaches, with both halves
// at each level: on the way no component keeps its sign, which takes six comparisons, and the first
// halves of what is passed are apart by the first component, which takes three.
func leaves() (ways [][]bool) {
	for leaf := 0; leaf < 64; leaf += 9 {
		way := []bool{true, true, true} // The entries are small enough.
		for level := 5; level >= 0; level-- {
			way = append(way, false, false, false, false, false, false)
			if leaf>>level&1 == 1 {
				way = append(way, true, true, true)
			}
		}
		// At the leaf each comparison of a component is met, the last of them after two that hold.
		for k := range 3 {
			if k > 0 && leaf > 0 {
				break // The components are read alike.
			}
			for _, first := range [][]bool{{true, true, false, false}, {false, true, true, false}} {
				end := make([]bool, 0, 6)
				for j := range 3 {
					if j == k {
						end = append(end, first...)
						break
					}
					end = append(end, false, false)
				}
				ways = append(ways, append(append([]bool{}, way...), end...))
			}
		}
	}
	return ways
}

// signsOfFour are the ways on which four coefficients are certainly positive, and certainly
// negative.
var signsOfFour = [][]bool{{true, true, true, true}, {false, true, false, true, false, true, false, true}}

// inDoubles claims that the coefficients of the cubic, in both forms, are within a bound.
// Magnitudes are below 1.
func inDoubles(s *Scene) {
	s.Pairs("DD")
	f := s.Zero("double")
	for _, v := range []string{"a", "b", "c"} {
		for k := range 3 {
			var ends [2]any
			for end := range ends {
				at := fmt.Sprintf("%s[%d][%d]", v, end, k)
				d := s.Pair("DD", at)
				s.Set(f, at, d)
				ends[end] = s.Get(d, "H")
			}
			s.Set(f, fmt.Sprintf("m%s[%d]", v, k), s.Larger(ends[0], ends[1]))
		}
	}
	s.Call("double.expand", s.Pointer(f))
	for i := range 4 {
		if h := s.Get(f, fmt.Sprintf("power[%d].H", i)); !isZero(h) { // A sign was not certain.
			s.Claim(h, s.Get(f, "err"))
		}
	}
}

// inDoublesMeans are the coefficients of A.(B x C) in Bernstein form, those in the middle three
// times, and in power form.
func inDoublesMeans(in numbers) []*big.Rat {
	var b [4]*big.Rat
	for i := range b {
		b[i] = new(big.Rat)
	}
	for ends := range 8 {
		var v [3][3]*big.Rat
		n := 0
		for i, name := range []string{"a", "b", "c"} {
			end := ends >> i & 1
			n += end
			for k := range 3 {
				v[i][k] = in(fmt.Sprintf("%s[%d][%d].h", name, end, k))
			}
		}
		b[n] = sum(b[n], det(v[0], v[1], v[2]))
	}
	three, two := big.NewRat(3, 1), big.NewRat(2, 1)
	return append(b[:], minus(b[1], times(three, b[0])), sum(b[2], times(big.NewRat(-1, 1), two, b[1]),
		times(three, b[0])),
		sum(b[3], times(big.NewRat(-1, 1), b[2]), b[1], times(big.NewRat(-1, 1), b[0])))
}

// atCorners claims that F at the corners of a box is within AffineBound.
func atCorners(s *Scene) {
	s.Hook("ccd/simd/linear.sides", func([]any) any { return Results(s.Whole(0), s.Whole(0)) })
	coef, lim, out := s.Zero2(6, 3), s.Inputs("lim", 3), s.Zero2(3, 8)
	var size any
	for i, n := range []string{"A", "B", "C"} {
		x0, x1 := s.Off(n+"0", 1, ""), s.Off(n+"1", 1, "")
		s.Set(coef, fmt.Sprintf("%d[0]", i), x0)
		s.Set(coef, fmt.Sprintf("%d[0]", i+3), s.Minus(x1, x0))
		if m := s.Larger(x0, x1); size == nil {
			size = m
		} else {
			size = s.Plus(size, m)
		}
	}
	s.Call("cornersGeneric", s.Pointer(coef), s.Weight("t0"), s.Weight("t1"), s.Weight("u0"), s.Weight("u1"),
		s.Weight("u3"),
		s.Weight("v0"), s.Weight("v1"), s.Pointer(lim), s.Pointer(out))
	bound := s.Of("ccd/core/num").Call("AffineBound", size)
	for i := range 8 {
		s.Claim(s.Get(out, fmt.Sprintf("0[%d]", i)), bound)
	}
}
