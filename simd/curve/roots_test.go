package curve

import (
	"fmt"
	"math"
	"math/big"
	"math/rand"
	"slices"
	"testing"

	"ccd/simd/internal/checks"
	"ccd/simd/internal/query"
	"ccd/simd/internal/vec"
	"ccd/simd/linear"
)

var curvedRootKinds = []struct {
	name  string
	roots func(rec []float64, degree int, idx [][4]int32, list []int32, from, to, toi []float64, state []uint8)
	times func(rec []float64, degree int, idx [][4]int32, list []int32, at, toi []float64, state []uint8)
	face  bool
}{{"VF", RootsVF, TimesVF, true}, {"EE", RootsEE, TimesEE, false}}

// someParts draws a part of time, with ends of few bits, for each of n queries.
func someParts(r *rand.Rand, n int) (from, to []float64) {
	from, to = make([]float64, n), make([]float64, n)
	for j := range n {
		d := r.Intn(8) * r.Intn(3)
		from[j] = math.Ldexp(float64(r.Intn(1<<d)), -d)
		to[j] = from[j] + math.Ldexp(1, -d)
	}
	return from, to
}

func TestCurvedRootsLaw7SameBits(t *testing.T) {
	r := rand.New(rand.NewSource(41))
	var counts [2][3]int
	for _, family := range checks.FamilyNames {
		for n := range 41 {
			for degree := 2; degree <= 3; degree++ {
				rec, idx := curves(r, family, degree, 25, 50)
				list := checks.Everything(50)
				r.Shuffle(50, func(i, j int) { list[i], list[j] = list[j], list[i] })
				list = list[:n]
				from, to := someParts(r, n)
				if n%2 == 1 {
					rec, idx, list, from, to = checks.Skew(rec), checks.Skew(idx), checks.Skew(list), checks.Skew(from),
						checks.Skew(to)
				}
				for _, c := range curvedRootKinds {
					near, toi, state, last := make([]float64, n), make([]float64, n), make([]uint8, n), make([]uint8, n)
					curvedRootsGeneric(rec, degree, idx, list, from, to, near, state, c.face)
					at := slices.Clone(near)
					for j := range at {
						if state[j] != linear.RootContact && r.Intn(2) == 0 {
							at[j] = r.Float64()
						}
						counts[0][state[j]]++
					}
					curvedTimesGeneric(rec, degree, idx, list, at, toi, last, c.face)
					for _, x := range last {
						counts[1][x]++
					}
					checks.AtLevels(t, func(level string) {
						got, s := append(make([]float64, n), -7), append(make([]uint8, n), 7)
						c.roots(rec, degree, idx, list, from, to, got[:n], s[:n])
						if !slices.Equal(got[:n], near) || !slices.Equal(s[:n], state) || got[n] != -7 || s[n] != 7 {
							t.Fatalf("%s %s %s, degree %d, %d queries: roots %v %v, want %v %v",
								c.name, family, level, degree, n, got, s, near, state)
						}
						c.times(rec, degree, idx, list, at, got[:n], s[:n])
						for j := range n {
							if last[j] == linear.RootUndecided {
								got[j] = toi[j] // The time of an undecided root means nothing.
							}
						}
						if !slices.Equal(got[:n], toi) || !slices.Equal(s[:n], last) || got[n] != -7 || s[n] != 7 {
							t.Fatalf("%s %s %s, degree %d, %d queries: times %v %v, want %v %v",
								c.name, family, level, degree, n, got, s, toi, last)
						}
					})
				}
			}
		}
	}
	t.Logf("roots %v, times %v", counts[0], counts[1])
	for _, c := range counts {
		if c[linear.RootNone] < 100 || c[linear.RootContact] < 100 || c[linear.RootUndecided] < 100 {
			t.Errorf("undecided, none, contact: %v: the test shows too little", c)
		}
	}
}

// rationalMinors returns f = A.(B x C) at t over rationals, and the components of B x C, C x A and
// A x B.
func rationalMinors(rec []float64, degree int, at [4]int32, face bool, t *big.Rat) (f *big.Rat, minors [3][3]*big.Rat) {
	e := exactCurve(rec, degree, at, face, 1)
	var m [3][3]*big.Rat
	for v := range m {
		for k := range 3 {
			var x [4]*big.Rat
			for l := range degree + 1 {
				x[l] = e[v][l][k]
			}
			for step := range degree {
				for l := range degree - step {
					d := new(big.Rat).Sub(x[l+1], x[l])
					x[l] = new(big.Rat).Add(x[l], d.Mul(d, t))
				}
			}
			m[v][k] = x[0]
		}
	}
	for n, v := range [3][2]int{{1, 2}, {2, 0}, {0, 1}} {
		for k := range 3 {
			i, j := (k+1)%3, (k+2)%3
			x := new(big.Rat).Mul(m[v[0]][i], m[v[1]][j])
			minors[n][k] = x.Sub(x, new(big.Rat).Mul(m[v[0]][j], m[v[1]][i]))
		}
	}
	return checks.Determinant(m[0], m[1], m[2]), minors
}

// checkCurvedRoot holds the bounds of one query, on a part and next to a time x, against rationals.
func checkCurvedRoot(note func(string, float64), rec []float64, degree int, at4 [4]int32, face bool,
	from, to, s, x float64) {
	q := curvedTime{curvedQuery: curvedQuery{face: face, degree: degree}}
	q.load(rec, &at4)
	q.exact(rec, &at4)
	volume := vec.Dot(q.ma, vec.Permanent(q.mb, q.mc))
	if !(volume >= query.SmallestVolume && vec.Sum(q.scale) <= query.Largest) {
		return
	}
	rational := func(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }
	checkMinors := func(name string, a, b, c vec.Vec3, bound float64, t *big.Rat) {
		_, want := rationalMinors(rec, degree, at4, face, t)
		for n, v := range [3][4]vec.Vec3{{b, c, q.mb, q.mc}, {c, a, q.mc, q.ma}, {a, b, q.ma, q.mb}} {
			got, area := vec.Cross(v[0], v[1]), vec.Permanent(v[2], v[3])
			for k := range 3 {
				note(name, checks.Share(checks.At(got, k), want[n][k], checks.At(area, k)*bound+query.LeastMinor))
			}
		}
	}

	// In doubles, on a part.
	p := q.curvedQuery
	p.between(from, to)
	form, _ := p.bernstein()
	time := func(s *big.Rat) *big.Rat {
		t := new(big.Rat).Sub(rational(to), rational(from))
		return t.Add(t.Mul(t, s), rational(from))
	}
	want, _ := rationalMinors(rec, degree, at4, face, time(rational(s)))
	note("value", checks.Share(curvedValue(form[:3*degree+1], s), want, volume*curvedPartSignBound))
	n := 3 * degree
	c := make([]*big.Rat, n+1) // what is off in the coefficients shows in their exact sum
	for m := range c {
		c[m] = rational(form[m])
		c[m].Quo(c[m], rational(curvedChoose[n][m]))
	}
	for m := range n {
		for l := range n - m {
			d := new(big.Rat).Sub(c[l+1], c[l])
			c[l] = new(big.Rat).Add(c[l], d.Mul(d, rational(s)))
		}
	}
	y, _ := new(big.Rat).Sub(c[0], want).Float64()
	note("part", math.Abs(y)/(volume*curvedPartSignBound))
	a, b, d := p.within(s)
	for _, side := range []float64{-curvedReach, curvedReach} {
		near := rational(s)
		checkMinors("reach", a, b, d, curvedReachBound, time(near.Add(near, rational(side))))
	}

	// In double-doubles.
	for range curvedTimesTurns {
		x = inStep(x)
		a, b, c := q.at(x)
		n := vec.CrossD(&b, &c)
		f := vec.DotD(&a, &n)
		want, _ := rationalMinors(rec, degree, at4, face, rational(x))
		note("near", checks.Share(f.H, want.Sub(want, rational(f.L)), volume*curvedNearBound))
		slope := q.slope(x, a.High(), b.High(), c.High(), n.High())
		for _, by := range []uint64{1, ^uint64(0)} {
			other := math.Float64frombits(math.Float64bits(x) + by)
			far := f.H + float64((other-x)*slope)
			if !(far*f.H < 0) {
				continue
			}
			want, _ := rationalMinors(rec, degree, at4, face, rational(other))
			note("far", checks.Share(far, want, volume*curvedFarBound))
			checkMinors("minor", a.High(), b.High(), c.High(), curvedMinorBound, rational(other))
		}
		x -= f.H / slope
	}
}

func TestCurvedRootBounds(t *testing.T) {
	r := rand.New(rand.NewSource(42))
	worst := map[string]float64{}
	for round := range 40 {
		for _, family := range checks.FamilyNames {
			degree, face := 2+r.Intn(2), r.Intn(2) == 0
			rec, _ := curves(r, family, degree, 4, 0)
			from, to := someParts(r, 1)
			at4 := [4]int32{0, 1, 2, 3}
			q := curvedQuery{face: face, degree: degree}
			q.load(rec, &at4)
			x := r.Float64()
			if y, state := q.root(); state == linear.RootContact && round%2 == 0 {
				x = y
			}
			checkCurvedRoot(func(name string, x float64) {
				if worst[name] = max(worst[name], x); !(x <= 1) {
					t.Errorf("%s: the %s bound: error is %g of it", family, name, x)
				}
			}, rec, degree, at4, face, from[0], to[0], r.Float64()*0.99+0.005, x)
		}
	}
	t.Log(worst)
	for _, name := range []string{"value", "part", "reach", "near", "far", "minor"} {
		if worst[name] < 0.001 {
			t.Errorf("the %s bound was not looked at", name)
		}
	}
}

// TestCurvedRootsLaw1KeepContacts: no part in which queries touch is left behind, and no rounded
// root that is a double is one.
func TestCurvedRootsLaw1KeepContacts(t *testing.T) {
	r := rand.New(rand.NewSource(43))
	one := 0
	for round := range 300 {
		for _, c := range curvedRootKinds {
			degree := 2 + r.Intn(2)
			rec, idx, tau := curvedTouching(r, degree, 32, c.face, 0)
			n := len(idx)
			exponent := []int{0, 0, -100, 80, 450, -1000}[round%6]
			for i := range rec {
				rec[i] = math.Ldexp(rec[i], exponent)
			}
			from, to, at, toi, state := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n),
				make([]uint8, n)
			for j := range n {
				d := r.Intn(5) // the part that holds tau, or ends there
				i := math.Floor(math.Ldexp(tau, d))
				if i > 0 && (i == math.Ldexp(tau, d) && r.Intn(2) == 0 || i == math.Ldexp(1, d)) {
					i--
				}
				from[j], to[j] = math.Ldexp(i, -d), math.Ldexp(i+1, -d)
			}
			checks.AtLevels(t, func(level string) {
				list := checks.Everything(n)
				c.roots(rec, degree, idx, list, from, to, at, state)
				for j := range n {
					if state[j] == linear.RootNone {
						t.Fatalf("%s %s, degree %d, exponent %d: no contact in [%g, %g], but there is one at %g",
							c.name, level, degree, exponent, from[j], to[j], tau)
					}
					if state[j] == linear.RootContact {
						one++
					} else {
						at[j] = tau
					}
				}
				c.times(rec, degree, idx, list, at, toi, state)
				for j := range n {
					if state[j] != linear.RootUndecided && toi[j] <= tau && tau <= math.Nextafter(toi[j], 2) {
						t.Fatalf(
							"%s %s, degree %d, exponent %d: a root strictly between %g and the next double: it is %g",
							c.name, level, degree, exponent, toi[j], tau)
					}
				}
			})
		}
	}
	if t.Logf("%d parts with one root", one); one < 100 {
		t.Errorf("only %d parts with one root: the test shows too little", one)
	}
}

// FuzzCurvedRoots: all levels agree on any paths, and their bounds hold over rationals.
func FuzzCurvedRoots(f *testing.F) {
	r := rand.New(rand.NewSource(44))
	for _, family := range checks.FamilyNames {
		rec, _ := curves(r, family, 3, 4, 0)
		f.Add(checks.Packed(rec[:48]), true, false, uint16(0), uint8(0), 0.5)
		f.Add(checks.Packed(rec[:36]), false, true, uint16(3), uint8(2), 0.9)
	}
	f.Fuzz(func(t *testing.T, data []byte, cubic, face bool, i uint16, depth uint8, x float64) {
		if !(x > 0 && x < 1) || depth > 12 || int(i) >= 1<<depth {
			t.Skip()
		}
		degree := 2
		if cubic {
			degree = 3
		}
		rec := curveOf(t, data, degree)
		c := curvedRootKinds[0]
		if !face {
			c = curvedRootKinds[1]
		}
		idx, list := [][4]int32{{0, 1, 2, 3}}, []int32{0}
		from, to := []float64{math.Ldexp(float64(i), -int(depth))}, []float64{math.Ldexp(float64(i)+1, -int(depth))}
		var near, toi, time [1]float64
		var want, last, state [1]uint8
		curvedRootsGeneric(rec, degree, idx, list, from, to, near[:], want[:], face)
		at := []float64{x}
		if want[0] == linear.RootContact {
			at[0] = near[0]
		}
		curvedTimesGeneric(rec, degree, idx, list, at, toi[:], last[:], face)
		checks.AtLevels(t, func(level string) {
			if c.roots(rec, degree, idx, list, from, to, time[:], state[:]); state != want || time != near {
				t.Errorf("%s: %v at %v, generic %v at %v", level, state, time, want, near)
			}
			if c.times(rec, degree, idx, list, at, time[:], state[:]); state != last ||
				last[0] != linear.RootUndecided && time != toi {
				t.Errorf("%s: %v at %v, generic %v at %v", level, state, time, last, toi)
			}
		})
		checkCurvedRoot(func(name string, x float64) {
			if !(x <= 1) {
				t.Errorf("%s: error is %g of its bound", name, x)
			}
		}, rec, degree, idx[0], face, from[0], to[0], min(max(x, 0.001), 0.999), at[0])
	})
}

func BenchmarkCurvedRoots(b *testing.B) {
	r := rand.New(rand.NewSource(45))
	for _, degree := range []int{2, 3} {
		rec, idx := curves(r, "uniform", degree, 1000, 4096)
		n := len(idx)
		list, from, to, toi, state := checks.Everything(n), make([]float64, n), slices.Repeat([]float64{1}, n),
			make([]float64, n), make([]uint8, n)
		for _, c := range curvedRootKinds {
			checks.AtLevels(b, func(level string) {
				for name, run := range map[string]func(){
					"roots": func() { c.roots(rec, degree, idx, list, from, to, toi, state) },
					"times": func() { c.times(rec, degree, idx, list, to, toi, state) },
				} {
					b.Run(fmt.Sprintf("%s/degree=%d/%s/%s", c.name, degree, name, level), func(b *testing.B) {
						for b.Loop() {
							run()
						}
						b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/query")
					})
				}
			})
		}
	}
}
