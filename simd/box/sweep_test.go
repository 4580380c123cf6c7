package box

import (
	"cmp"
	"fmt"
	"math"
	mathrand "math/rand"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"ccd/simd/internal/checks"
)

func TestSweepLayout(t *testing.T) {
	var l SweepList
	var s SweepState
	got := []uintptr{
		unsafe.Offsetof(l.Box), unsafe.Offsetof(l.Vert), unsafe.Offsetof(l.N), unsafe.Offsetof(l.HomeY),
		unsafe.Offsetof(l.HomeZ),
		unsafe.Offsetof(l.IDs), unsafe.Offsetof(l.Slack), unsafe.Offsetof(l.Ends), unsafe.Offsetof(l.Stride),
		unsafe.Offsetof(s.i), unsafe.Offsetof(s.j), unsafe.Offsetof(s.first), unsafe.Offsetof(s.doubts),
		unsafe.Offsetof(s.seen),
	}
	if want := []uintptr{0, 144, 216, 224, 228, 232, 256, 264, 288, 0, 8, 16, 32, 40}; unsafe.Sizeof(uintptr(0)) == 8 &&
		!slices.Equal(got, want) {
		t.Fatalf("offsets are %v, the generator has %v", got, want)
	}
}

// randomRecords are records of n moving points, their coordinates on a coarse lattice so that boxes
// often touch exactly.
func randomRecords(r *rand.Rand, n, lattice int) []float32 {
	rec := make([]float32, 16*n)
	for v := range n {
		for k := range 3 {
			a, b := float32(r.IntN(lattice)), float32(r.IntN(lattice))
			rec[16*v+k], rec[16*v+3+k] = a, b
			rec[16*v+6+k], rec[16*v+9+k] = -a-float32(r.IntN(2)), -b-float32(r.IntN(2))
		}
	}
	return rec
}

// stop puts both ends of all motions where the first is.
func stop(rec []float32) []float32 {
	for v := range len(rec) / 16 {
		copy(rec[16*v+3:16*v+6], rec[16*v:])
		copy(rec[16*v+9:16*v+12], rec[16*v+6:])
	}
	return rec
}

func newList(n int) (*SweepList, []float32) {
	l := new(SweepList)
	for k := range l.Box {
		l.Box[k] = make([]float32, n+SweepPad)
	}
	for k := range l.Vert {
		l.Vert[k] = make([]int32, n+SweepPad)
	}
	l.Stride = (n + 2*SweepPad - 1) / SweepPad * SweepPad
	ends := make([]float32, EndColumns*l.Stride+15)
	for i := range ends {
		ends[i] = 99
	}
	l.Ends = ends[(64-uintptr(unsafe.Pointer(&ends[0]))%64)%64/4:]
	return l, make([]float32, 16*n)
}

// boxes are n primitives of some width over v vertices, sorted as a sweep wants them.
func boxes(r *rand.Rand, rec []float32, width, n int, rest bool) (l *SweepList, records []float32, verts, ids []int32) {
	v := len(rec) / 16
	verts = make([]int32, width*n)
	for i := range verts {
		verts[i] = int32(r.IntN(v))
	}
	ids = make([]int32, n)
	for i := range ids {
		ids[i] = int32(i)
		if width == 1 {
			ids[i] %= int32(v)
		}
	}
	l, records = newList(n)
	JoinRecords(rec, verts, width, ids, records, l)
	begins := make(map[int32]float32)
	for i, id := range ids {
		begins[id] = l.Box[0][i]
	}
	slices.SortStableFunc(ids, func(a, b int32) int { return cmp.Compare(begins[a], begins[b]) })
	l, records = newList(n)
	JoinRecords(rec, verts, width, ids, records, l)
	l.AtRest = rest
	JoinEnds(rec, verts, width, ids, l)
	return l, records, verts, ids
}

func TestJoinRecordsAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{0, 1, 7, 100} {
		for width := 1; width <= 3; width++ {
			rec := randomRecords(r, 50, 20)
			verts := make([]int32, width*60)
			for i := range verts {
				verts[i] = int32(r.IntN(50))
			}
			ids := make([]int32, n)
			for i := range ids {
				ids[i] = int32(r.IntN(60 / width))
			}
			if width == 1 {
				verts = nil
				for i := range ids {
					ids[i] %= 50
				}
			}
			want, wantRec := newList(n)
			joinRecordsGeneric(rec, verts, width, ids, wantRec, want)
			checks.AtLevels(t, func(level string) {
				got, gotRec := newList(n)
				for i := range gotRec {
					gotRec[i] = 99
				}
				JoinRecords(rec, verts, width, ids, gotRec, got)
				if got.N != n || !math.IsInf(float64(got.Box[0][n]), 1) ||
					!math.IsInf(float64(got.Box[0][n+SweepPad-1]), 1) {
					t.Fatalf("%s: list is not closed", level)
				}
				if !slices.Equal(gotRec, wantRec) {
					t.Fatalf("%s, width %d: records differ", level, width)
				}
				for k := range 6 {
					if !slices.Equal(got.Box[k][:n], want.Box[k][:n]) ||
						k < 3 && !slices.Equal(got.Vert[k][:n], want.Vert[k][:n]) {
						t.Fatalf("%s, width %d: column %d differs", level, width, k)
					}
				}
			})
		}
	}
}

func TestJoinEndsAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 7, 8, 9, 100} {
		for width := 1; width <= 3; width++ {
			rec := randomRecords(r, 50, 20)
			verts := make([]int32, width*60)
			for i := range verts {
				verts[i] = int32(r.IntN(50))
			}
			ids := make([]int32, n)
			for i := range ids {
				ids[i] = int32(r.IntN(min(50, 60)))
			}
			box, records := newList(n)
			joinRecordsGeneric(rec, verts, width, ids, records, box)
			checks.AtLevels(t, func(level string) {
				l, _ := newList(n)
				JoinEnds(rec, verts, width, ids, l)
				if l.N != n || !math.IsInf(float64(l.Ends[n]), 1) || !math.IsInf(float64(l.Ends[n+SweepPad-1]), 1) {
					t.Fatalf("%s: list is not closed", level)
				}
				for i := range n {
					x, want := l.at(i), records[16*i:16*i+16]
					for k := range 3 {
						first := []int{11, 3, 7}[k]
						if x[k] != box.Box[k][i] || x[first] != want[k] || x[first+1] != want[3+k] ||
							x[first+2] != -want[6+k] ||
							x[first+3] != -want[9+k] || l.Vert[k][i] != box.Vert[k][i] {
							t.Fatalf("%s, width %d: entry %d is %v, vertices %v, for the record %v", level, width, i,
								x, l.Vert[k][i], want)
						}
					}
					if x[15] != box.Box[3][i] {
						t.Fatalf("%s, width %d: entry %d ends at %v, not %v", level, width, i, x[15], box.Box[3][i])
					}
				}
			})
			stop(rec)
			joinRecordsGeneric(rec, verts, width, ids, records, box)
			checks.AtLevels(t, func(level string) {
				l, _ := newList(n)
				l.AtRest = true
				JoinEnds(rec, verts, width, ids, l)
				for i := range n {
					x := l.at(i)
					for k, column := range []int{0, 1, 2, 15, 5, 9} {
						if x[column] != box.Box[k][i] || l.Vert[k%3][i] != box.Vert[k%3][i] {
							t.Fatalf("%s, width %d: entry %d at rest is %v, vertices %v", level, width, i, x,
								l.Vert[k%3][i])
						}
					}
				}
			})
		}
	}
}

// kineticMeet is the contract of a sweep for one pair, written out from records, by which Kinetic
// is tested too.
func kineticMeet(a, b *SweepList, aRec, bRec []float32, i, j int) bool {
	x, y := aRec[16*i:], bRec[16*j:]
	for k := range 3 {
		above, below := true, true
		for s := range 2 {
			xlo, xhi, ylo, yhi := x[3*s+k], -x[6+3*s+k], y[3*s+k], -y[6+3*s+k]
			above, below = above && ylo > xhi, below && xlo > yhi
		}
		if above || below {
			return false
		}
	}
	return atHome(a, b, i, j)
}

func atHome(a, b *SweepList, i, j int) bool {
	return max(a.Box[1][i], b.Box[1][j]) >= a.HomeY && max(a.Box[2][i], b.Box[2][j]) >= a.HomeZ
}

// overlap is the contract of a list for one pair, written out.
func overlap(a, b *SweepList, i, j int) bool {
	for k := range 3 {
		if a.Box[k][i] > b.Box[3+k][j] || b.Box[k][j] > a.Box[3+k][i] {
			return false
		}
	}
	return atHome(a, b, i, j)
}

// inSweepingOrder is the pairs of a test in the order of the contracts.
func inSweepingOrder(a, b *SweepList, self bool, test func(i, j int) bool) (pairs [][2]int32, seen int) {
	visit := func(i, j int) {
		seen++
		if test(i, j) {
			pairs = append(pairs, [2]int32{int32(i), int32(j)})
		}
	}
	if self {
		for i := range a.N {
			for j := i + 1; a.Box[0][j] <= a.Box[3][i]; j++ {
				visit(i, j)
			}
		}
		return pairs, seen
	}
	for j := range b.N {
		for i := range a.N {
			if a.Box[0][i] >= b.Box[0][j] && a.Box[0][i] <= b.Box[3][j] {
				visit(i, j)
			}
		}
	}
	for i := range a.N {
		for j := range b.N {
			if b.Box[0][j] > a.Box[0][i] && b.Box[0][j] <= a.Box[3][i] {
				visit(i, j)
			}
		}
	}
	return pairs, seen
}

// atLevelsAndShapes calls test at all levels, where there are kernels by queries, by blocks of
// queries, and as the sweep chooses.
func atLevelsAndShapes(t *testing.T, test func(level string)) {
	usual := fewTargets
	defer func() { fewTargets = usual }()
	for _, few := range []int{usual, 0, math.MaxInt / 2} {
		fewTargets = few
		checks.AtLevels(t, func(level string) {
			if few == usual || level != "generic" {
				test(fmt.Sprintf("%s, few %d", level, few))
			}
		})
	}
}

// samePairs reports whether two lists hold the same pairs, each as often. It sorts them.
func samePairs(got, want [][2]int32) bool {
	for _, x := range [][][2]int32{got, want} {
		slices.SortFunc(x, func(p, q [2]int32) int { return cmp.Or(cmp.Compare(p[0], q[0]), cmp.Compare(p[1], q[1])) })
	}
	return slices.Equal(got, want)
}

func drain(t *testing.T, room int, step func(s *SweepState, out [][2]int32) int) (all [][2]int32) {
	t.Helper()
	var s SweepState
	out := make([][2]int32, room)
	for !s.Done() {
		n := step(&s, out)
		if n == 0 && !s.Done() {
			t.Fatal("a sweep makes no progress")
		}
		all = append(all, out[:n]...)
	}
	if step(&s, out) != 0 {
		t.Fatal("a sweep that is done finds more")
	}
	return all
}

func TestSweepSelfAgrees(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for trial := range 200 {
		n := []int{0, 1, 2, 15, 16, 17, 40, 300}[trial%8]
		rec := randomRecords(r, 1+r.IntN(60), 3+r.IntN(60))
		rest := trial%3 == 0
		if rest {
			stop(rec)
		}
		l, records, _, _ := boxes(r, rec, 2, n, rest)
		l.HomeY, l.HomeZ = float32(r.IntN(10)-2), float32(r.IntN(10)-2)
		want, seen := inSweepingOrder(l, l, true, func(i, j int) bool {
			return kineticMeet(l, l, records, records, i, j) && !shareVertex(l, l, passSelf, i, j)
		})
		for i := range n { // no pair is missed for where it begins
			for j := range n {
				if i < j && kineticMeet(l, l, records, records, i, j) && !(l.Box[0][j] <= l.Box[3][i]) {
					t.Fatalf("%d and %d meet but are not compared", i, j)
				}
			}
		}
		atLevelsAndShapes(t, func(level string) {
			saw := 0
			got := drain(t, 16+r.IntN(100), func(s *SweepState, out [][2]int32) int {
				defer func() { saw = s.Seen() }()
				return SweepSelf(l, s, out)
			})
			if !samePairs(got, want) || saw != seen {
				t.Fatalf("%s, n = %d: %d pairs of %d, want %d of %d", level, n, len(got), saw, len(want), seen)
			}
		})
	}
}

func TestSweepAcrossAgrees(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for trial := range 200 {
		n, m := []int{0, 1, 16, 40, 200}[trial%5], []int{0, 1, 17, 33, 150}[trial/5%5]
		rec := randomRecords(r, 1+r.IntN(60), 3+r.IntN(60))
		rest := trial%3 == 0
		if rest {
			stop(rec)
		}
		a, aRec, _, _ := boxes(r, rec, 1, n, rest)
		b, bRec, _, _ := boxes(r, rec, 3, m, rest)
		a.HomeY, a.HomeZ = float32(r.IntN(10)-2), float32(r.IntN(10)-2)
		b.HomeY, b.HomeZ = a.HomeY, a.HomeZ
		want, seen := inSweepingOrder(a, b, false, func(i, j int) bool {
			return kineticMeet(a, b, aRec, bRec, i, j) && !shareVertex(a, b, passAB, i, j)
		})
		atLevelsAndShapes(t, func(level string) {
			saw := 0
			got := drain(t, 32+r.IntN(100), func(s *SweepState, out [][2]int32) int {
				defer func() { saw = s.Seen() }()
				return SweepAcross(a, b, s, out)
			})
			if !samePairs(got, want) || saw != seen {
				t.Fatalf("%s, n = %d, m = %d: %d pairs of %d, want %d of %d", level, n, m, len(got), saw, len(want),
					seen)
			}
		})
	}
}

func TestSweepEFAgrees(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	shared := 0
	for trial := range 200 {
		n, m := []int{0, 1, 16, 40, 200}[trial%5], []int{0, 1, 17, 33, 150}[trial/5%5]
		rec := randomRecords(r, 1+r.IntN(60), 3+r.IntN(60))
		stop(rec)
		a, aRec, _, _ := boxes(r, rec, 2, n, trial%2 == 0) // at rest, whether or not the lists say so
		b, bRec, _, _ := boxes(r, rec, 3, m, trial%2 == 0)
		a.HomeY, a.HomeZ = float32(r.IntN(10)-2), float32(r.IntN(10)-2)
		b.HomeY, b.HomeZ = a.HomeY, a.HomeZ
		want, seen := inSweepingOrder(a, b, false, func(i, j int) bool {
			face := []int32{b.Vert[0][j], b.Vert[1][j], b.Vert[2][j]}
			if !kineticMeet(a, b, aRec, bRec, i, j) || slices.Contains(face, a.Vert[0][i]) {
				return false
			}
			second := slices.Contains(face, a.Vert[1][i])
			if second {
				shared++
			}
			return !second
		})
		atLevelsAndShapes(t, func(level string) {
			saw := 0
			got := drain(t, 32+r.IntN(100), func(s *SweepState, out [][2]int32) int {
				defer func() { saw = s.Seen() }()
				return SweepEF(a, b, s, out)
			})
			if !samePairs(got, want) || saw != seen {
				t.Fatalf("%s, n = %d, m = %d: %d pairs of %d, want %d of %d", level, n, m, len(got), saw, len(want),
					seen)
			}
		})
	}
	if shared < 100 {
		t.Errorf("only %d pairs share just the edge's second vertex", shared)
	}
}

func TestKineticAgrees(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for trial := range 100 {
		n := []int{0, 1, 5, 300}[trial%4]
		a, b := randomRecords(r, 40, 6), randomRecords(r, 30, 6)
		pairs := make([][2]int32, n)
		for i := range pairs {
			pairs[i] = [2]int32{int32(r.IntN(40)), int32(r.IntN(30))}
		}
		var want [][2]int32
		for _, p := range pairs {
			x, y := a[16*p[0]:], b[16*p[1]:]
			apart := false
			for k := range 3 {
				above, below := true, true
				for s := range 2 {
					xlo, xhi, ylo, yhi := x[3*s+k], -x[6+3*s+k], y[3*s+k], -y[6+3*s+k]
					above, below = above && ylo > xhi, below && xlo > yhi
				}
				apart = apart || above || below
			}
			if !apart {
				want = append(want, p)
			}
		}
		checks.AtLevels(t, func(level string) {
			got := slices.Clone(pairs)
			if got = got[:Kinetic(a, b, got, got)]; !slices.Equal(got, want) {
				t.Fatalf("%s: %d pairs, want %d", level, len(got), len(want))
			}
		})
	}
}

func TestVertexMapLayout(t *testing.T) {
	var m VertexMap
	got := []uintptr{unsafe.Offsetof(m.C), unsafe.Offsetof(m.Scale), unsafe.Offsetof(m.T), unsafe.Offsetof(m.Grow),
		unsafe.Offsetof(m.Order)}
	if want := []uintptr{0, 64, 72, 80, 88}; !slices.Equal(got, want) {
		t.Fatalf("offsets are %v, the generator has %v", got, want)
	}
}

func TestVertexRecordsAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for _, name := range checks.FamilyNames {
		draw := checks.Families[name]
		for _, until := range []float64{1, 0, 0.3} {
			const n = 37
			old := mathrand.New(mathrand.NewSource(1))
			m := VertexMap{T: until, Grow: r.Float32(), Order: [8]int32{2, 0, 1, 6, 4, 5, 3, 3}}
			rec := make([]float64, 8*n)
			for i := range rec {
				if i%4 < 3 {
					rec[i] = draw(old)
					m.C[i%8] = draw(old)
					m.Scale = max(m.Scale, math.Abs(rec[i]), math.Abs(m.C[i%8]))
				}
			}
			m.Scale = math.Ldexp(1, -max(-1000, math.Ilogb(m.Scale+0x1p-1000))) // no float overflows
			want := make([]float32, 16*n)
			vertexRecordsGeneric(rec, &m, want)
			checks.AtLevels(t, func(level string) {
				got := make([]float32, 16*n)
				for i := range got {
					got[i] = 99
				}
				VertexRecords(rec, &m, got)
				if !slices.Equal(got, want) {
					t.Fatalf("%s, %s, until %v: records differ", level, name, until)
				}
			})
		}
	}
}

func TestCellLayout(t *testing.T) {
	var g CellGrid
	var c CellRange
	got := []uintptr{
		unsafe.Offsetof(g.Lo), unsafe.Offsetof(g.Inv), unsafe.Offsetof(g.Max),
		unsafe.Offsetof(c.X0), unsafe.Offsetof(c.X1), unsafe.Offsetof(c.Lo), unsafe.Offsetof(c.Hi), unsafe.Sizeof(c),
	}
	if want := []uintptr{0, 8, 16, 0, 4, 8, 12, 16}; !slices.Equal(got, want) {
		t.Fatalf("offsets are %v, the generator has %v", got, want)
	}
}

func TestCellRangesAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	for trial := range 60 {
		rec := randomRecords(r, 50, 30)
		g := CellGrid{Lo: [2]float32{r.Float32() * 10, -r.Float32()}, Inv: [2]float32{r.Float32(), 3e37 * r.Float32()},
			Max: [2]float32{9, 1023}}
		if trial%5 == 0 {
			g.Inv[0], g.Max[0] = 0, 0
		}
		for width := 1; width <= 3; width++ {
			n := []int{0, 1, 40}[trial%3]
			verts := make([]int32, width*n)
			for i := range verts {
				verts[i] = int32(r.IntN(50))
			}
			want := make([]CellRange, n)
			CellRangesOf(rec, verts, width, nil, &g, want)
			for i, c := range want {
				for k := range 2 {
					if c.Lo[k] > c.Hi[k] || float32(c.Hi[k]) > g.Max[k] {
						t.Fatalf("range %d is %+v in %+v", i, c, g)
					}
				}
			}
			checks.AtLevels(t, func(level string) {
				got := make([]CellRange, n)
				CellRanges(rec, verts, width, &g, got)
				if !slices.Equal(got, want) {
					t.Fatalf("%s, width %d: ranges differ", level, width)
				}
			})
		}
	}
}
