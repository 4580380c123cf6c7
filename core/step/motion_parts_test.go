package step

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/motion"
)

// Midlines hold the paths up to any end of time: at no time a component is off by more than the deviation, by rational arithmetic from the control points.
// Over several pieces the midlines' time runs somewhat beyond that end, by 4u of it, which moves them by less than 2^-49 of their length.
func TestMidlinesHoldThePaths(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 21))
	bends := 0
	for _, s := range motionScenes(t, r) {
		for _, until := range []float64{1, 0.75, 1.0 / 3, r.Float64(), 1e-5, 0x1p-1074, 0} {
			x0, x1, deviation := s.mo.Midlines(until)
			for i := r.IntN(3); i < len(x0); i += 3 {
				for _, at := range []float64{0, until, until * r.Float64()} {
					off := rat(x0[i])
					if until > 0 {
						off.Add(off, new(big.Rat).Mul(new(big.Rat).Quo(rat(at), rat(max(until, 0x1p-900))), new(big.Rat).Sub(rat(x1[i]), rat(x0[i]))))
					}
					off.Sub(off, pathAt(s.mo, i, at))
					allowed := rat(deviation[i])
					if s.mo.Pieces() > 1 {
						allowed.Add(allowed, rat(0x1p-49*(math.Abs(x0[i])+math.Abs(x1[i]))))
					}
					if off.Abs(off).Cmp(allowed) > 0 {
						f, _ := off.Float64()
						t.Fatalf("%s up to %v: coordinate %d is off by %v at %v, the deviation is %v", s.name, until, i, f, at, deviation[i])
					}
					if f, _ := off.Float64(); f > 0.01*deviation[i] {
						bends++
					}
				}
			}
		}
	}
	if bends < 100 {
		t.Errorf("paths bend at %d places only", bends)
	}
}

func rat(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }

// pathAt is coordinate i of all vertices at a time, exactly: the sum of control points with Bernstein polynomials, piece by piece.
func pathAt(m *motion.Motion, i int, at float64) *big.Rat {
	j := 0
	for j+1 < m.Pieces() && m.Times()[j+1] <= at {
		j++
	}
	return piecePathAt(m, j, i, rat(at))
}

// piecePathAt is coordinate i of all vertices on piece j.
func piecePathAt(m *motion.Motion, j, i int, at *big.Rat) *big.Rat {
	times, k := m.Times(), m.Degree()
	s := new(big.Rat).Quo(new(big.Rat).Sub(at, rat(times[j])), new(big.Rat).Sub(rat(times[j+1]), rat(times[j])))
	rest, sum := new(big.Rat).Sub(rat(1), s), new(big.Rat)
	for l := range k + 1 {
		w := new(big.Rat).SetInt(new(big.Int).Binomial(int64(k), int64(l)))
		for range l {
			w.Mul(w, s)
		}
		for range k - l {
			w.Mul(w, rest)
		}
		sum.Add(sum, w.Mul(w, rat(m.Control()[3*m.Vertices()*(j*(k+1)+l)+i])))
	}
	return sum
}

// The midlines of parts of pieces hold the paths there, by rational arithmetic: a part begins and ends at exact times of its piece.
func TestPartsHoldThePaths(t *testing.T) {
	r := rand.New(rand.NewPCG(16, 25))
	bends := 0
	for _, s := range motionScenes(t, r) {
		for halvings := range motion.MaxHalvings + 1 {
			bends += holdsParts(t, r, s.name, s.mo, halvings)
		}
	}
	if bends < 100 {
		t.Errorf("paths bend at %d places only", bends)
	}
}

// holdsParts compares the paths of some vertices with the midlines of all parts, and returns how often they bend.
func holdsParts(t *testing.T, r *rand.Rand, name string, mo *motion.Motion, halvings int) (bends int) {
	t.Helper()
	parts, deviation := mo.Parts(halvings)
	count, times := 1<<halvings, mo.Times()
	if len(parts) != count*mo.Pieces() {
		t.Fatalf("%s: %d parts", name, len(parts))
	}
	for p := range parts {
		j := p / count
		h := new(big.Rat).Sub(rat(times[j+1]), rat(times[j]))
		for i := r.IntN(3); i < 3*mo.Vertices(); i += 5 {
			for _, s := range []float64{0, 1, r.Float64()} {
				at := new(big.Rat).Mul(new(big.Rat).Add(rat(float64(p%count)), rat(s)), new(big.Rat).Quo(h, rat(float64(count))))
				at.Add(at, rat(times[j]))
				if at.Cmp(rat(parts[p].From)) < 0 {
					t.Fatalf("%s: part %d of %d has the time %v, before %v", name, p, len(parts), at, parts[p].From)
				}
				rec := parts[p].Midlines.Rec[8*(i/3)+i%3:]
				off := new(big.Rat).Mul(rat(s), new(big.Rat).Sub(rat(rec[4]), rat(rec[0])))
				off.Sub(off.Add(off, rat(rec[0])), piecePathAt(mo, j, i, at))
				f, _ := off.Abs(off).Float64()
				if off.Cmp(rat(deviation[i/3])) > 0 {
					t.Fatalf("%s: part %d of %d, coordinate %d is off by %v at %v of it, the deviation is %v", name, p, len(parts), i, f, s, deviation[i/3])
				}
				if f > 0.1*deviation[i/3] {
					bends++
				}
			}
		}
	}
	return bends
}

// FuzzPartsHoldThePaths cuts paths whose control points differ in size.
func FuzzPartsHoldThePaths(f *testing.F) {
	f.Add(uint64(1), uint8(2), uint8(3), 1.0, 1e-9)
	f.Add(uint64(2), uint8(5), uint8(1), 1e150, 1.0)
	f.Add(uint64(3), uint8(3), uint8(2), 1e-310, 0.0)
	f.Fuzz(func(t *testing.T, seed uint64, degree, halvings uint8, size, bend float64) {
		if !(math.Abs(size) <= geom.MaxCoordinate && math.Abs(bend) <= 1) {
			t.Skip()
		}
		r := rand.New(rand.NewPCG(seed, 2))
		k, n := 1+int(degree)%motion.MaxDegree, 2
		control := make([]float64, 3*n*(k+1))
		for i := range control {
			control[i] = size * (2*r.Float64() - 1)
			if i >= 3*n {
				control[i] = max(-geom.MaxCoordinate, min(control[i-3*n]+bend*size*(2*r.Float64()-1), geom.MaxCoordinate))
			}
		}
		mo := must[*motion.Motion](t)(motion.New(n, k, nil, control, nil))
		holdsParts(t, r, fmt.Sprintf("degree %d, size %v, bend %v", k, size, bend), mo, int(halvings)%(motion.MaxHalvings+1))
	})
}

// Parts are made where paths bend, and leave out most pairs apart that other floats keep; the bits are those of all pairs.
func TestMotionStepsInParts(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 26))
	s := soup(t, "parts", 16, func() float64 { return 2*r.Float64() - 1 }, 0.5)
	for pieces := 1; pieces <= 2; pieces++ {
		ms := bent(t, r, &s, 5-pieces, pieces, 0.2) // of one piece and a degree up to 3 kernels find the times
		o := DefaultOptions()
		o.Threads = 1
		want := everyPair(t, &ms, &o, nil)
		sameMotion(t, ms.name, &ms, &o, want)
		c := must[*call](t)(startMotion(ms.m, ms.mo, &o))
		must[[]geom.Impact](t)(c.collisions(listedBytes))
		parts := len(c.moving.cut.fine)
		c.end()
		var left [2]int // pairs, in parts and on the whole
		for _, once := range []bool{true, false} {
			c := must[*call](t)(startMotion(ms.m, ms.mo, &o))
			if !once {
				c.moving.cut.once = nil
			}
			err := c.sweepAll(func(w *worker, k geom.Kind, pairs [][2]int32) {
				n := len(w.siftMotion(c, k, pairs, 1))
				if once {
					left[0] += n
				} else {
					left[1] += n
				}
			}, nil)
			c.end()
			if err != nil {
				t.Fatal(err)
			}
		}
		t.Logf("%d pieces: %d parts; %d pairs left in parts, %d on the whole, %d impacts", pieces, parts, left[0], left[1], len(want))
		if parts < 4 || left[0] < len(want) || 2*(left[0]-len(want)) > left[1]-len(want) || len(want) == 0 {
			t.Errorf("%d pieces: %d parts; %d pairs left in parts, %d on the whole, %d impacts", pieces, parts, left[0], left[1], len(want))
		}
	}
}

// Straight paths of degree 2 are left out by midlines of [0, t_max] alone; contacts up to its very end stay, whatever part of the step it is.
func TestMotionStepsUpToAnEnd(t *testing.T) {
	r := rand.New(rand.NewPCG(18, 27))
	s := soup(t, "end", 16, func() float64 { return 2*r.Float64() - 1 }, 0.5)
	late := 0
	for _, end := range []float64{1, 0.75, 0.5} {
		ms := bent(t, r, &s, 2, 1, 0)
		o := DefaultOptions()
		o.TMax, o.Threads = end, 1
		want := everyPair(t, &ms, &o, nil)
		sameMotion(t, ms.name, &ms, &o, want)
		for i := range want {
			if want[i].TOILo > end*end {
				late++
			}
		}
	}
	if late < 20 {
		t.Errorf("only %d contacts late in [0, t_max]", late)
	}
}

// An impact of a kind that is searched first ends the time of the others, whose midlines have a time of their own: a vertex falls on a face at 1/2, an edge
// on an edge at 0.45, up to t_max 3/4.
func TestMotionEarliestOfTwoKinds(t *testing.T) {
	x := []float64{0, 0, 0, 1, 0, 0, 0, 1, 0, 0.2, 0.2, 1, 0.3, 0.2, 2, 0.2, 0.3, 2, -1, 9, 0, 1, 9, 0, 0, 8, 0.9, 0, 10, 0.9}
	m := must[*mesh.Mesh](t)(mesh.New(10, []int32{0, 1, 1, 2, 0, 2, 3, 4, 4, 5, 3, 5, 6, 7, 8, 9}, []int32{0, 1, 2, 3, 4, 5}))
	var control []float64
	for l := range 3 {
		for i, c := range x {
			if v := i / 3; i%3 == 2 && (v > 2 && v < 6 || v > 7) {
				c -= float64(l)
			}
			control = append(control, c)
		}
	}
	mo := must[*motion.Motion](t)(motion.New(10, 2, nil, control, nil))
	o := DefaultOptions()
	o.TMax, o.Threads = 0.75, 1
	all := must[[]geom.Impact](t)(CollisionsOf(m, mo, &o))
	if len(all) != 2 || all[0].Kind != geom.EdgeEdge || math.Abs(all[0].TOILo-0.45) > 1e-15 || all[1].Kind != geom.VertexFace || all[1].TOILo != 0.5 {
		t.Fatalf("%+v", all)
	}
	if first := must[geom.Impact](t)(EarliestOf(m, mo, &o)); first != all[0] {
		t.Errorf("the earliest is %+v, of all %+v", first, all)
	}
}

// A search that begins anew at each impact, with midlines of what remains of the step, has the bits of all pairs.
func TestMotionEarliestRestarts(t *testing.T) {
	margin := restartMargin
	restartMargin = 0
	defer func() { restartMargin = margin }()
	r := rand.New(rand.NewPCG(15, 24))
	again, whole := 0, 0
	for i, s := range motionScenes(t, r) {
		o := DefaultOptions()
		o.Threads = 1 + i%2
		if i%3 == 0 {
			o.TMax = 0.75
		}
		if i%4 == 0 {
			o.MinSeparation = 0.05 * (&scene{name: s.name[:strings.IndexByte(s.name+",", ',')], m: s.m}).size()
		}
		want := everyPair(t, &s, &o, nil)
		c := must[*call](t)(startMotion(s.m, s.mo, &o))
		got := must[geom.Impact](t)(c.earliest())
		if c.moves() && c.upTo < o.TMax {
			again++
		}
		if s.mo.Refines() && c.upTo == 1 {
			whole++
		}
		c.end()
		if !sameEarliest(got, want) {
			t.Fatalf("%s: %+v, of all pairs %+v", s.name, got, want[:min(1, len(want))])
		}
		if o.TMax < 1 {
			sameMotion(t, s.name, &s, &o, want)
		}
	}
	if again < 5 || whole == 0 {
		t.Errorf("%d searches began anew, %d on paths that are enclosed anew covered the whole step", again, whole)
	}
}
