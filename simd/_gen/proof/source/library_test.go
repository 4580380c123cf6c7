package source

import (
	"math/big"
	"slices"
)

// target is functions of the library whose bounds are proven.
type target struct {
	Reading
	functions string
	constants []string // the constants of the bounds
	// overflows says why values of the text that overflow do no harm, where they may.
	overflows string
	// means are what the values are in exact arithmetic, up to the sign; nil where no formula is
	// known but that of the text.
	means func(in numbers) []*big.Rat
}

// numbers gives exact values to inputs by their names.
type numbers func(name string) *big.Rat

func (in numbers) minus(x, y string) *big.Rat { return new(big.Rat).Sub(in(x), in(y)) }

func (in numbers) vector(name string) (v [3]*big.Rat) {
	for k := range v {
		v[k] = in(name + []string{"[0]", "[1]", "[2]"}[k])
	}
	return v
}

func times(x ...*big.Rat) *big.Rat {
	p := big.NewRat(1, 1)
	for _, y := range x {
		p.Mul(p, y)
	}
	return p
}

func sum(x ...*big.Rat) *big.Rat {
	s := new(big.Rat)
	for _, y := range x {
		s.Add(s, y)
	}
	return s
}

func minus(x, y *big.Rat) *big.Rat { return new(big.Rat).Sub(x, y) }

func subtracted(x, y [3]*big.Rat) (v [3]*big.Rat) {
	for k := range v {
		v[k] = minus(x[k], y[k])
	}
	return v
}

func dot(x, y [3]*big.Rat) *big.Rat {
	return sum(times(x[0], y[0]), times(x[1], y[1]), times(x[2], y[2]))
}

// det is the determinant of the columns x, y, z, by its definition.
func det(x, y, z [3]*big.Rat) *big.Rat {
	s := new(big.Rat)
	for _, p := range [][4]int64{{0, 1, 2, 1}, {1, 2, 0, 1}, {2, 0, 1, 1}, {0, 2, 1, -1}, {2, 1, 0, -1}, {1, 0,
		2, -1}} {
		s.Add(s, times(x[p[0]], y[p[1]], z[p[2]], big.NewRat(p[3], 1)))
	}
	return s
}

const (
	exactPath     = "ccd/core/exact"
	clearancePath = "ccd/core/exact/clearance"
	triangle      = 3 // geom.Triangle
	square        = 4 // geom.Square
)

// coordinates are at most 1e150 in magnitude, and differences below 2^501.
const coordinates = 500

const determinantOverflows = "where a product of three overflows, the bound does, and nothing is proven"

// library are the functions whose bounds are proven.
func library() []target {
	return slices.Concat(signs(), filters(), separations(), parts())
}

// areaOf is twice the area of a triangle of points of the plane.
func areaOf(p, q, c string) func(in numbers) []*big.Rat {
	return func(in numbers) []*big.Rat {
		return []*big.Rat{minus(times(in.minus(q+"[0]", p+"[0]"), in.minus(c+"[1]", p+"[1]")),
			times(in.minus(q+"[1]", p+"[1]"), in.minus(c+"[0]", p+"[0]")))}
	}
}

// signs are determinants of points.
func signs() []target {
	threeDirections := func(in numbers) []*big.Rat {
		return []*big.Rat{det(in.vector("u"), in.vector("w"), in.vector("d"))}
	}
	off := func(s *Scene) func(string) any { return func(n string) any { return s.Off(n, 1, "") } }
	return []target{
		{Reading: Reading{Path: "ccd/core/trim", Limit: coordinates, Scene: func(s *Scene) {
			s.Call("side", s.Pointer(s.Inputs("p", 2)), s.Pointer(s.Inputs("q", 2)), s.Pointer(s.Inputs("c", 2)))
		}}, functions: "side", constants: []string{"sideError"}, means: areaOf("p", "q", "c")},
		{Reading: Reading{Path: "ccd/core/contain", Limit: coordinates, Scene: func(s *Scene) {
			s.Call("area", s.Pointer(s.Inputs("a", 3)), s.Pointer(s.Inputs("b", 3)), s.Pointer(s.Inputs("p", 3)),
				s.Whole(0), s.Whole(1), s.Whole(0))
		}}, functions: "area, of exact points", constants: []string{"round"}, means: areaOf("a", "b", "p")},
		{Reading: Reading{Path: "ccd/core/contain", Limit: coordinates, Scene: func(s *Scene) {
			s.Call("volume", s.Pointer(s.Vector("u", off(s))), s.Pointer(s.Vector("w", off(s))),
				s.Pointer(s.Vector("d", off(s))), s.Whole(0), s.Whole(0), s.Whole(0))
		}}, functions: "volume, of exact points", constants: []string{"round"}, overflows: determinantOverflows,
			means: threeDirections},
		{Reading: Reading{Path: exactPath, Limit: coordinates, Scene: func(s *Scene) {
			n := s.Call("cross", s.Pointer(s.Vector("u", off(s))), s.Pointer(s.Vector("w", off(s))))
			s.Call("sumWithBound.sign", s.Call("crossWithBound.dot", s.Pointer(n), s.Pointer(s.Vector("d", off(s)))))
		}}, functions: "crossWithBound.dot, sumWithBound.sign", constants: []string{"bound"},
			overflows: determinantOverflows, means: threeDirections},
		{Reading: Reading{Path: exactPath, Limit: coordinates, Stops: []string{"ccd/core/num.TwoProd"},
			Scene: func(s *Scene) {
				var v [2]any
				for i, n := range []string{"x", "y"} {
					a := &array{}
					for k := range 2 {
						d := s.Zero("DD")
						s.Set(d, "H", s.Off([]string{n + "[0]", n + "[1]"}[k], 1, ""))
						a.cells = append(a.cells, &cell{d})
					}
					v[i] = s.Pointer(a)
				}
				s.Call("sign2", v[0], v[1])
			}}, functions: "sign2", constants: []string{"u8"}, means: func(in numbers) []*big.Rat {
			return []*big.Rat{minus(times(in("x[0]"), in("y[1]")), times(in("x[1]"), in("y[0]")))}
		}},
		{Reading: Reading{Path: exactPath, Limit: coordinates, Stops: []string{exactPath + ".exactly",
			exactPath + ".add"},
			Scene: func(s *Scene) {
				s.Call("sideAt", s.Input("p0"), s.Input("q0"), s.Input("p1"), s.Input("q1"), s.Time("t"))
			}}, functions: "sideAt", constants: []string{"u6"}, means: func(in numbers) []*big.Rat {
			one := big.NewRat(1, 1)
			return []*big.Rat{sum(times(minus(one, in("t")), in.minus("p0", "q0")), times(in("t"),
				in.minus("p1", "q1")))}
		}},
		{Reading: Reading{Path: "ccd/core/narrow", Limit: 130, Scene: func(s *Scene) {
			s.Call("independent", s.Pointer(s.Inputs("u", 3)), s.Pointer(s.Inputs("w", 3)), s.Pointer(s.Inputs("d", 3)))
		}}, functions: "independent", constants: []string{"16 U"}, means: threeDirections}, // See normalHigh.
		{Reading: Reading{Path: "ccd/core/rigid/hull", Limit: 200, Stops: []string{"ccd/core/num.IntVecs"},
			Scene: func(s *Scene) {
				s.Call("hull.area", hullOf(s, "p", "q", "c"), s.Whole(0), s.Whole(1), s.Whole(2),
					s.Whole(0), s.Whole(1))
			}}, functions: "hull.area", constants: []string{"8 U"}, means: areaOf("p", "q", "c")},
		{Reading: Reading{Path: "ccd/core/rigid/hull", Limit: 200, Stops: []string{"ccd/core/num.IntVecs"},
			Scene: func(s *Scene) {
				s.Call("hull.side", hullOf(s, "p", "q", "r", "c"), s.Whole(0), s.Whole(1), s.Whole(2), s.Whole(3))
			}}, functions: "hull.side", constants: []string{"32 U"}, means: func(in numbers) []*big.Rat {
			p := in.vector("p")
			return []*big.Rat{det(subtracted(in.vector("q"), p), subtracted(in.vector("r"), p),
				subtracted(in.vector("c"), p))}
		}},
		{Reading: Reading{Path: "ccd/core/overlap", Limit: coordinates,
			Stops: []string{"ccd/core/overlap.corners.exactly"},
			Scene: func(s *Scene) {
				face, other := points(s, "p", "q", "r"), points(s, "c")
				s.Call("plane.sideOf", s.Call("corners.plane", s.Pointer(face), s.Whole(0)), s.Pointer(other),
					s.Whole(0))
			}}, functions: "plane.sideOf, of exact points", constants: []string{"64 U"},
			overflows: determinantOverflows,
			means: func(in numbers) []*big.Rat {
				p := in.vector("p")
				return []*big.Rat{det(subtracted(in.vector("q"), p), subtracted(in.vector("r"), p),
					subtracted(in.vector("c"), p))}
			}},
	}
}

// hullOf is a hull of points.
func hullOf(s *Scene, names ...string) any {
	h, p := s.Zero("hull"), &array{}
	for _, n := range names {
		p.cells = append(p.cells, &cell{vec(s.Input(n+"[0]"), s.Input(n+"[1]"), s.Input(n+"[2]"))})
	}
	s.Set(h, "p", p)
	return s.Pointer(h)
}

// points are corners of a surface, exact.
func points(s *Scene, names ...string) any {
	c, at := s.Zero("corners"), &array{}
	for _, n := range names {
		p := s.Of("ccd/core/contain").Zero("Point")
		s.Set(p, "At", s.Inputs(n, 3))
		at.cells = append(at.cells, &cell{p})
	}
	s.Set(c, "at", at)
	return c
}

// sameMagnitude reports whether two numbers are equal up to sign, to within 2^-150 of themselves.
func sameMagnitude(x, y *big.Rat) bool {
	d := minus(new(big.Rat).Abs(x), new(big.Rat).Abs(y))
	return d.Abs(d).Cmp(times(new(big.Rat).Abs(x), new(big.Rat).SetFloat64(0x1p-150))) <= 0
}
