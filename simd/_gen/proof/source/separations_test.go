package source

import (
	"fmt"
	"math/big"
)

// separations are the certificates of pairs with a separation, in both norms. Lengths are in a unit
// that keeps them below 2.
func separations() (all []target) {
	for _, kind := range []int{vertexFace, edgeEdge} {
		name := map[int]string{vertexFace: "vertex-face", edgeEdge: "edge-edge"}[kind]
		resolver := func(s *Scene) any {
			r := s.Zero("SeparationResolver")
			shapes := s.Value("Shapes").(*array)
			s.Set(r, "Shape", s.Pointer(shapes.cells[kind].v))
			s.Set(r, "D", s.Size("D"))
			for k := range 3 {
				s.Set(r, fmt.Sprintf("Mp[%d]", k), s.Size(fmt.Sprintf("Mp[%d]", k)))
				for j := range 3 {
					s.Set(r, fmt.Sprintf("me[%d][%d]", j, k), s.Size(fmt.Sprintf("me[%d][%d]", j, k)))
				}
			}
			for _, end := range []string{"Fa", "fb"} {
				for c := range 4 {
					for k := range 3 {
						at := fmt.Sprintf("%s.p[%d][%d]", end, c, k)
						s.Set(r, at, s.Off(at, 7, fmt.Sprintf("Mp[%d]", k)))
						if c < 3 {
							at = fmt.Sprintf("%s.e[%d][%d]", end, c, k)
							s.Set(r, at, s.Off(at, 7, fmt.Sprintf("me[%d][%d]", c, k)))
						}
					}
				}
			}
			return r
		}
		claims := func(s *Scene, r any, degree int, form string, args ...any) {
			f := s.Pointer(s.Zero("form"))
			s.Call("SeparationResolver."+form, append(append([]any{s.Pointer(r)}, args...), f)...)
			for side := range 2 {
				for m := range degree + 1 {
					s.Claim(s.Get(f, fmt.Sprintf("c[%d][%d]", side, m)), s.Get(f, "err"))
				}
			}
		}
		all = append(all,
			target{Reading: Reading{Path: clearancePath, Limit: 1, Scene: func(s *Scene) {
				claims(s, resolver(s), 1, "axisForm", s.Whole(0))
			}}, functions: "axisForm, " + name, constants: []string{"axisError"}, means: axisMeans},
			target{Reading: Reading{Path: clearancePath, Limit: 1, Spread: true, Scene: func(s *Scene) {
				claims(s, resolver(s), 2, "crossForm", s.Whole(0), s.Whole(0))
			}}, functions: "crossForm, " + name, constants: []string{"crossError"}, means: crossMeans},
			target{Reading: Reading{Path: clearancePath, Limit: 1, Spread: true, Scene: func(s *Scene) {
				claims(s, resolver(s), 3, "normalForm")
			}}, functions: "normalForm, " + name, constants: []string{"normalError"}, means: normalMeans},
			target{Reading: Reading{Path: clearancePath, Limit: 1, Scene: func(s *Scene) {
				euclidean(s, resolver(s))
			}}, functions: "certificate, rounding, " + name, constants: []string{"euclideanError"},
				means: euclideanMeans},
		)
	}
	return append(all, target{Reading: Reading{Path: clearancePath, Limit: 1, Scene: func(s *Scene) {
		r, f := s.Zero("SeparationResolver"), s.Pointer(s.Zero("polygon"))
		s.Set(r, "Shape", s.Pointer(s.Value("Shapes").(*array).cells[vertexFace].v))
		for k := range 3 {
			for c := range 3 {
				for _, end := range []string{"At0", "At1"} {
					at := fmt.Sprintf("P[%d][%d].%s", c, k, end)
					s.Set(r, at, s.Off(at, 1, ""))
					at = fmt.Sprintf("E[%d][%d].%s", c, k, end)
					s.Set(r, at, s.Off(at, 1, ""))
				}
			}
		}
		s.Call("polygon.Set", f, s.Pointer(r), s.Weight("t"))
		x := func(end string) any { return s.Get(r, "P[1][2]."+end) }
		s.Claim(s.Get(f, "p[1][2]"), s.Bound(7, s.Larger(x("At0"), x("At1"))))
	}}, functions: "polygon.Set (7 U are what the three above take for corners and edges)",
		constants: []string{"claimed"},
		// A blend is compared at its end.
		means: func(in numbers) []*big.Rat { return []*big.Rat{in("P[1][2].At1")} }})
}

// The kinds of pairs, as in package geom.
const (
	vertexFace = 1
	edgeEdge   = 2
)

// give returns a number plus and minus D times another one: of the two, values are the least over
// both signs of a direction.
func give(in numbers, q, d *big.Rat) []*big.Rat {
	return []*big.Rat{sum(q, times(in("D"), d)), minus(q, times(in("D"), d))}
}

func axisMeans(in numbers) (all []*big.Rat) {
	for _, end := range []string{"Fa", "fb"} {
		for c := range 4 {
			all = append(all, give(in, in(fmt.Sprintf("%s.p[%d][0]", end, c)), big.NewRat(1, 1))...)
		}
	}
	return all
}

// crossMeans are the Bernstein coefficients of E1 P2 - E2 P1 and of |E1| + |E2|, E an edge and P a
// corner.
func crossMeans(in numbers) (all []*big.Rat) {
	of := func(end, what string, k int) *big.Rat { return in(fmt.Sprintf("%s.%s[%d]", end, what, k)) }
	for c := range 4 {
		product := func(e, p string) *big.Rat {
			corner := fmt.Sprintf("p[%d]", c)
			return minus(times(of(e, "e[0]", 1), of(p, corner, 2)), times(of(e, "e[0]", 2), of(p, corner, 1)))
		}
		length := func(e string) *big.Rat { return sum(of(e, "e[0]", 1), of(e, "e[0]", 2)) }
		half := big.NewRat(1, 2)
		all = append(all, give(in, product("Fa", "Fa"), length("Fa"))...)
		all = append(all, give(in, product("fb", "fb"), length("fb"))...)
		all = append(all, give(in, times(half, sum(product("Fa", "fb"), product("fb", "Fa"))),
			times(half, sum(length("Fa"), length("fb"))))...)
	}
	return all
}

// normalMeans are the Bernstein coefficients of A.(B x C), and of |B x C| with all terms positive,
// raised by one degree.
func normalMeans(in numbers) (all []*big.Rat) {
	ends := []string{"Fa", "fb"}
	var q, d [4]*big.Rat
	for i := range q {
		q[i], d[i] = new(big.Rat), new(big.Rat)
	}
	for which := range 8 {
		a, b, c := which&1, which>>1&1, which>>2&1
		x, y, z := in.vector(ends[a]+".p[0]"), in.vector(ends[b]+".e[0]"), in.vector(ends[c]+".e[1]")
		n := a + b + c
		q[n].Add(q[n], det(x, y, z))
		for k := range 3 {
			i, j := (k+1)%3, (k+2)%3
			d[n].Add(d[n], sum(times(y[i], z[j]), times(y[j], z[i])))
		}
	}
	for n := range q {
		third := big.NewRat([]int64{1, 3, 3, 1}[n], 1)
		third.Inv(third)
		all = append(all, give(in, times(third, q[n]), times(third, d[n]))...)
	}
	return all
}

// euclideanMeans are the Bernstein coefficients of n.p - d |n|, for a direction and corners that
// are linear in time.
func euclideanMeans(in numbers) (all []*big.Rat) {
	for c := range 4 {
		ahead := func(n, p string) *big.Rat {
			return minus(dot(in.vector(n+".n"), in.vector(fmt.Sprintf("%s.p[%d]", p, c))), times(in("D"),
				in(n+".size")))
		}
		all = append(all, ahead("x", "x"), ahead("y", "y"), times(big.NewRat(1, 2), sum(ahead("x", "y"),
			ahead("y", "x"))))
	}
	return all
}

// euclidean claims that the coefficients of a certificate are within its bound before that is
// subtracted. The length of a direction is a root of a sum of three squares: off by 2.5 roundings,
// to first order.
func euclidean(s *Scene, lines any) {
	r := s.Zero("EuclideanResolver")
	s.Set(r, "Lines", lines)
	var at [2]any
	for i, n := range []string{"x", "y"} {
		v := s.Zero("nearest")
		for k := range 3 {
			s.Set(v, fmt.Sprintf("n[%d]", k), s.Input(fmt.Sprintf("%s.n[%d]", n, k)))
			for c := range 4 {
				name := fmt.Sprintf("%s.p[%d][%d]", n, c, k)
				s.Set(v, fmt.Sprintf("p[%d][%d]", c, k), s.Off(name, 7, fmt.Sprintf("Mp[%d]", k)))
			}
		}
		s.Set(v, "size", s.OffSize(n+".size", 2.51))
		at[i] = s.Pointer(v)
	}
	p := s.Call("EuclideanResolver.certificate", s.Pointer(r), at[0], at[1], at[0], at[1])
	for k := range 3 {
		s.Claim(s.Less(s.Get(p, fmt.Sprintf("[%d]", k))))
	}
}
