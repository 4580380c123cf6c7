package step

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"

	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/motion"
	"ccd/core/step/curved"
)

// Midlines hold the paths up to any end of time: at no time a component is off by more than the
// deviation, by rational arithmetic from the control points. Over several pieces the midlines' time
// runs somewhat beyond that end, by 4u of it, which moves them by less than 2^-49 of their length.
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
						off.Add(off, new(big.Rat).Mul(new(big.Rat).Quo(rat(at), rat(max(until, 0x1p-900))),
							new(big.Rat).Sub(rat(x1[i]), rat(x0[i]))))
					}
					off.Sub(off, pathAt(s.mo, i, at))
					allowed := rat(deviation[i])
					if s.mo.Pieces() > 1 {
						allowed.Add(allowed, rat(0x1p-49*(math.Abs(x0[i])+math.Abs(x1[i]))))
					}
					if off.Abs(off).Cmp(allowed) > 0 {
						f, _ := off.Float64()
						t.Fatalf("%s up to %v: coordinate %d is off by %v at %v, the deviation is %v",
							s.name, until, i, f, at, deviation[i])
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

// pathAt is coordinate i of all vertices at a time, exactly: the sum of control points with
// Bernstein polynomials, piece by piece.
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
	sum := new(big.Rat)
	for l := range k + 1 {
		sum.Add(sum, new(big.Rat).Mul(bernstein(k, l, s), rat(m.Control()[3*m.Vertices()*(j*(k+1)+l)+i])))
	}
	return sum
}

// bernstein is polynomial number l of degree k at s.
func bernstein(k, l int, s *big.Rat) *big.Rat {
	w, rest := new(big.Rat).SetInt(new(big.Int).Binomial(int64(k), int64(l))), new(big.Rat).Sub(rat(1), s)
	for range l {
		w.Mul(w, s)
	}
	for range k - l {
		w.Mul(w, rest)
	}
	return w
}

// The midlines of parts of pieces hold the paths there, by rational arithmetic: a part begins and
// ends at exact times of its piece.
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

// holdsParts compares the paths of some vertices with the midlines of all parts, and returns how
// often they bend.
func holdsParts(t *testing.T, r *rand.Rand, name string, mo *motion.Motion, halvings int) (bends int) {
	t.Helper()
	count, times, k := 1<<halvings, mo.Times(), mo.Degree()
	var mid geom.Trajectories
	mid.Reserve(mo.Vertices())
	deviation, control, wrong := make([]float64, 3*mo.Vertices()), make([]float64, 3*(k+1)*mo.Vertices()),
		rat(motion.PartError(mo))
	if halvings == 0 {
		wrong = rat(0)
	}
	for p := range count * mo.Pieces() {
		j, part := p/count, motion.PartOf(mo, p, halvings)
		mo.LoadPart(p, halvings, 0, mo.Vertices(), &mid, deviation, control)
		h := new(big.Rat).Sub(rat(times[j+1]), rat(times[j]))
		for range 3 {
			within := r.Float64() // about
			t0 := times[j] + (float64(p%count)+within)/float64(count)*(times[j+1]-times[j])
			at := new(big.Rat).Sub(rat(t0), rat(times[j]))
			at.Sub(at.Quo(at.Mul(at, rat(float64(count))), h), rat(float64(p%count)))
			if x := rat(part.At(t0)); x.Cmp(at) < 0 && at.Cmp(rat(1)) <= 0 ||
				x.Cmp(at.Add(at, rat(0x1p-40))) > 0 && times[j+1] > 0x1p-900 {
				t.Fatalf("%s: part %d of %d: %v is %v of it, not %v", name, p, count, t0, x, at)
			}
		}
		for i := r.IntN(3); i < 3*mo.Vertices(); i += 5 {
			for _, s := range []float64{0, 1, r.Float64()} {
				at := new(big.Rat).Mul(new(big.Rat).Add(rat(float64(p%count)), rat(s)),
					new(big.Rat).Quo(h, rat(float64(count))))
				at.Add(at, rat(times[j]))
				if at.Cmp(rat(part.From)) < 0 {
					t.Fatalf("%s: part %d of %d has the time %v, before %v", name, p, count, at, part.From)
				}
				rec := mid.Rec[8*(i/3)+i%3:]
				path := piecePathAt(mo, j, i, at)
				off := new(big.Rat).Mul(rat(s), new(big.Rat).Sub(rat(rec[4]), rat(rec[0])))
				off.Sub(off.Add(off, rat(rec[0])), path)
				f, _ := off.Abs(off).Float64()
				if off.Cmp(rat(deviation[i])) > 0 {
					t.Fatalf("%s: part %d of %d, coordinate %d is off by %v at %v of it, the deviation is %v",
						name, p, count, i, f, s, deviation[i])
				}
				if f > 0.1*deviation[i] {
					bends++
				}
				curve := new(big.Rat)
				for l := range k + 1 {
					curve.Add(curve, new(big.Rat).Mul(bernstein(k, l, rat(s)), rat(control[3*((k+1)*(i/3)+l)+i%3])))
				}
				if curve.Sub(curve, path); curve.Abs(curve).Cmp(wrong) > 0 {
					f, _ := curve.Float64()
					t.Fatalf("%s: part %d of %d: control points of coordinate %d are off by %v at %v of it, more "+
						"than %v", name, p, count, i, f, s, wrong)
				}
			}
		}
	}
	return bends
}

// The midlines of consecutive pieces hold the paths there, by rational arithmetic, whatever the
// lengths of the pieces: also such as no time of theirs can be told from.
func TestMotionSpansHoldThePaths(t *testing.T) {
	r := rand.New(rand.NewPCG(36, 45))
	bends := 0
	for round := range 60 {
		s := soup(t, "spans", 3, func() float64 { return math.Ldexp(2*r.Float64()-1, round%3*r.IntN(9)) }, 1)
		ms := bent(t, r, &s, 1+round%motion.MaxDegree, 5, 0.3)
		times := []float64{0, 0.25, 0.3, 0.5, 0.75, 1}
		switch round / 5 % 4 {
		case 1:
			times = []float64{0, 1e-320, 2e-318, 1e-300, 0x1p-20, 1}
		case 2:
			times = []float64{0, 1 - 0x1p-50, 1 - 0x1p-51, 1 - 0x1p-52, 1 - 0x1p-53, 1}
		case 3:
			times = []float64{0, r.Float64() / 9, 1.0 / 9, 0.5 + r.Float64()/9, 0.9, 1}
		}
		k := ms.mo.Degree()
		mo := must[*motion.Motion](t)(motion.New(ms.m.NV, k, times, ms.mo.Control(), nil))
		var mid geom.Trajectories
		mid.Reserve(mo.Vertices())
		deviation := make([]float64, 3*mo.Vertices())
		for first := range 5 {
			for end := first + 1; end <= 5; end++ {
				mo.LoadSpan(first, end, 0, 4, &mid, deviation)
				mo.LoadSpan(first, end, 4, mo.Vertices(), &mid, deviation)
				span := motion.SpanOf(mo, first, end)
				for range 4 {
					j := first + r.IntN(end-first)
					at := new(big.Rat).Mul(rat(r.Float64()), new(big.Rat).Sub(rat(times[j+1]), rat(times[j])))
					at.Add(at, rat(times[j]))
					share := new(big.Rat).Quo(new(big.Rat).Sub(at, rat(times[first])),
						new(big.Rat).Sub(rat(times[end]), rat(times[first])))
					rounded, _ := at.Float64()
					if exact := rat(rounded).Cmp(at); at.Cmp(rat(span.From)) < 0 ||
						exact >= 0 && share.Cmp(rat(span.At(rounded))) > 0 {
						t.Fatalf("pieces %d to %d of %v: the time %v is %v of them, not %v, from %v",
							first, end-1, times, rounded, span.At(rounded), share, span.From)
					}
					i := r.IntN(3 * mo.Vertices())
					rec := mid.Rec[8*(i/3)+i%3:]
					off := new(big.Rat).Mul(share, new(big.Rat).Sub(rat(rec[4]), rat(rec[0])))
					off.Sub(off.Add(off, rat(rec[0])), piecePathAt(mo, j, i, at))
					if off.Abs(off).Cmp(rat(deviation[i])) > 0 {
						f, _ := off.Float64()
						t.Fatalf("degree %d, pieces %d to %d of %v: coordinate %d is off by %v on piece %d, the "+
							"deviation is %v", k, first, end-1, times, i, f, j, deviation[i])
					}
					if f, _ := off.Float64(); f > 0.3*deviation[i] && f > 1e-9 {
						bends++
					}
				}
			}
		}
	}
	if bends < 500 {
		t.Errorf("paths bend at %d places only", bends)
	}
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
				control[i] = max(-geom.MaxCoordinate,
					min(control[i-3*n]+bend*size*(2*r.Float64()-1), geom.MaxCoordinate))
			}
		}
		mo := must[*motion.Motion](t)(motion.New(n, k, nil, control, nil))
		holdsParts(t, r, fmt.Sprintf("degree %d, size %v, bend %v", k, size, bend), mo,
			int(halvings)%(motion.MaxHalvings+1))
	})
}

// Parts are made where paths bend, and leave out pairs that the section as a whole keeps; the bits
// are those of all pairs. Curved paths (degree 3) go through their kernels in halves, others
// through midlines of eighths, which leave out most of what is apart.
func TestMotionStepsInParts(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 26))
	for _, c := range []struct {
		degree, pieces, triangles, parts int
		share                            float64 // the part of the pairs apart that may be left
	}{{3, 1, 16, 2, 0.7}, {3, 2, 16, 4, 0.2}, {4, 1, 10, 8, 0.2}, {1, 2, 16, 2, 0.2}} {
		s := soup(t, "parts", c.triangles, func() float64 { return 2*r.Float64() - 1 }, 0.5)
		ms := bent(t, r, &s, c.degree, c.pieces, 0.2)
		o := DefaultOptions()
		o.Threads = 1
		if c.degree == 3 && c.pieces == 1 {
			o.MinSeparation = 1e-6 // else kernels find the times
		}
		want := everyPair(t, &ms, &o, nil)
		sameMotion(t, ms.name, &ms, &o, want)
		tuning := curved.Tuning
		curved.Tuning.SeenBefore, curved.Tuning.SectionMargin = 0, math.Inf(1)
		parts := 0
		var left [2]int // pairs, in parts and on the whole
		for i, once := range []bool{true, false} {
			call := must[*call](t)(newCourse(ms.mo).begin(ms.m, &o))
			if !once {
				call.path.(curvedPath).WithoutParts()
			}
			err := sweepAll(call, narrowed{}, &sifting{all: all{1}, path: call.path.(curvedPath), left: &left[i]},
				nil, false)
			levels := call.path.(curvedPath).Inspect().Levels
			for _, l := range levels {
				if parts = l.Parts; parts > c.pieces && len(l.Deviation) == 0 && !(l.Off >= motion.PartError(ms.mo)) {
					t.Errorf("%s: control points are taken to be off by %v only", ms.name, l.Off)
				}
			}
			holdDeviations(t, ms.name, ms.mo, levels)
			call.end()
			if err != nil {
				t.Fatal(err)
			}
		}
		curved.Tuning = tuning
		apart := [2]float64{float64(left[0] - len(want)), float64(left[1] - len(want))}
		t.Logf("%s: %d parts; %v pairs apart are left in parts, %v on the whole, %d impacts",
			ms.name, parts, apart[0], apart[1], len(want))
		if parts != c.parts || apart[0] < 0 || apart[0] > c.share*apart[1] || len(want) == 0 {
			t.Errorf("%s: %d parts; %v pairs apart are left in parts, %v on the whole, %d impacts",
				ms.name, parts, apart[0], apart[1], len(want))
		}
	}
}

// sifting wants the number of the pairs that a motion's sieve does not prove apart.
type sifting struct {
	all
	path curvedPath
	left *int
}

func (s *sifting) block(w *worker, k geom.Kind, pairs [][2]int32) {
	w.curved.Solver, w.curved.Idx = w.solver, w.idx
	*s.left += s.path.Possible(&w.curved, k, pairs, s.tMax)
}

// holdDeviations compares the deviations of levels of midlines, by vertex, with those on each axis.
func holdDeviations(t *testing.T, name string, mo *motion.Motion, levels []curved.Level) {
	t.Helper()
	n := mo.Vertices()
	var mid geom.Trajectories
	mid.Reserve(n)
	off := make([]float64, 3*n)
	for _, l := range levels {
		if len(l.Deviation) == 0 {
			continue
		}
		for i := range l.Parts {
			mo.LoadPart(i, bits.Len(uint(l.Parts/mo.Pieces()))-1, 0, n, &mid, off, nil)
			for x, d := range off {
				if d > l.Deviation[x/3] {
					t.Fatalf("%s: vertex %d is off by %v on axis %d, its deviation is %v",
						name, x/3, d, x%3, l.Deviation[x/3])
				}
			}
		}
	}
}

// Straight paths of degree 2 are left out by midlines of [0, t_max] alone; contacts up to its very
// end stay, whatever part of the step it is.
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

// An impact of a kind that is searched first ends the time of the others, whose midlines have a
// time of their own: a vertex falls on a face at 1/2, an edge on an edge at 0.45, up to t_max 3/4.
func TestMotionEarliestOfTwoKinds(t *testing.T) {
	x := []float64{0, 0, 0, 1, 0, 0, 0, 1, 0, 0.2, 0.2, 1, 0.3, 0.2, 2, 0.2, 0.3, 2, -1, 9, 0, 1, 9, 0, 0, 8, 0.9, 0,
		10, 0.9}
	m := must[*mesh.Mesh](t)(mesh.New(10, []int32{0, 1, 1, 2, 0, 2, 3, 4, 4, 5, 3, 5, 6, 7, 8, 9},
		[]int32{0, 1, 2, 3, 4, 5}))
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
	all := must[[]geom.Impact](t)(Curved(m, mo).Collisions(&o))
	if len(all) != 2 || all[0].Kind != geom.EdgeEdge || math.Abs(all[0].TOILo-0.45) > 1e-15 ||
		all[1].Kind != geom.VertexFace || all[1].TOILo != 0.5 {
		t.Fatalf("%+v", all)
	}
	if first := must[geom.Impact](t)(Curved(m, mo).Earliest(&o)); first != all[0] {
		t.Errorf("the earliest is %+v, of all %+v", first, all)
	}
}

// A search that begins anew at each impact, with midlines of what remains of the step, has the bits
// of all pairs.
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
		c := must[*call](t)(newCourse(s.mo).begin(s.m, &o))
		got := must[geom.Impact](t)(c.earliest())
		p, isCurved := c.path.(curvedPath)
		if isCurved && p.Inspect().UpToTime < o.TMax {
			again++
		}
		if s.mo.Refines() && p.Inspect().UpToTime == 1 {
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
