package box

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"ccd/simd/internal/checks"
)

// treeNumbers are what rows of a test are drawn from: many that are equal, zeros of both signs,
// denormals, and numbers whose sums overflow.
var treeNumbers = [][]float32{
	{-2, -1, float32(math.Copysign(0, -1)), 0, 1, 2},
	{-0x1p-149, float32(math.Copysign(0, -1)), 0, 0x1p-149, 0x1p-148, 0x1p-127},
	{-math.MaxFloat32, -0x1p127, 1, 0x1p127, math.MaxFloat32},
	{1, 1 + 0x1p-23, 1 - 0x1p-24},
}

// treeRows draws n rows, one of the rules for all.
func treeRows(r *rand.Rand, n, rule int) []float32 {
	rows := make([]float32, rowLen*n)
	for v := range n {
		for k := range 3 {
			var lo, hi float32
			if rule < len(treeNumbers) {
				from := treeNumbers[rule]
				lo, hi = from[r.IntN(len(from))], from[r.IntN(len(from))]
				if hi < lo {
					lo, hi = hi, lo
				}
			} else {
				lo = r.Float32()
				hi = lo + 0.3*r.Float32()
			}
			rows[rowLen*v+k], rows[rowLen*v+rowHi+k] = lo, -hi
		}
	}
	return rows
}

// treeCorners draws the vertices of the places of some nodes.
func treeCorners(r *rand.Rand, nodes, width, vertices int) []int32 {
	c := make([]int32, Children*width*nodes)
	for i := range c {
		c[i] = int32(r.IntN(vertices))
	}
	return c
}

// joined is the box of some rows, computed in doubles: lo and hi.
func joined(rows []float32, numbers []int32) (lo, hi [3]float64) {
	for k := range 3 {
		lo[k], hi[k] = math.Inf(1), math.Inf(-1)
		for _, v := range numbers {
			lo[k] = math.Min(lo[k], float64(rows[rowLen*v+int32(k)]))
			hi[k] = math.Max(hi[k], -float64(rows[rowLen*v+rowHi+int32(k)]))
		}
	}
	return lo, hi
}

// childOf is the box of a child: lo and hi.
func childOf(n *Node, i int) (lo, hi [3]float64) {
	for k := range 3 {
		lo[k], hi[k] = float64(n[Children*k+i]), -float64(n[Children*(3+k)+i])
	}
	return lo, hi
}

// met reports whether two boxes of doubles overlap or touch, and whether they overlap.
func met(alo, ahi, blo, bhi [3]float64) (touching, sure bool) {
	touching, sure = true, true
	for k := range 3 {
		touching = touching && alo[k] <= bhi[k] && blo[k] <= ahi[k]
		sure = sure && alo[k] < bhi[k] && blo[k] < ahi[k]
	}
	return touching, sure
}

// Leaves and parents hold the boxes of what is below them, and nothing where that is absent.
func TestTreeHoldsItsBoxes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 45))
	checks.AtLevels(t, func(level string) {
		for trial := range 60 {
			width, vertices, count := 1+trial%3, 1+r.IntN(50), r.IntN(70)
			rows := treeRows(r, vertices, trial%5)
			nodes := make([]Node, (count+Children-1)/Children+1) // the last is absent whole
			hulls := make([]float32, rowLen*len(nodes)+1)
			hulls[len(hulls)-1] = -7
			corners := treeCorners(r, len(nodes), width, vertices)
			Leaves(nodes, hulls, rows, corners[:width*count], width, count)
			for n := range nodes {
				var own []int32
				for i := range Children {
					var of []int32
					if p := Children*n + i; p < count {
						of = corners[width*p : width*p+width]
					}
					own = append(own, of...)
					sameBox(t, level, &nodes[n], i, rows, of)
				}
				sameRow(t, level, hulls[rowLen*n:], rows, own)
			}
			up, top := make([]Node, (len(nodes)+7)/8), make([]float32, rowLen*(len(nodes)+7)/8+rowLen)
			for n := len(hulls) / rowLen; n < Children*len(up); n++ {
				hulls = append(hulls[:rowLen*n], inf32, inf32, inf32, 0, inf32, inf32, inf32, 0)
			}
			Parents(up, top, hulls)
			for n := range nodes {
				from, to := min(Children*n, count), min(Children*n+Children, count)
				sameBox(t, level, &up[n/8], n%8, rows, corners[width*from:width*to])
			}
			for n := len(nodes); n < Children*len(up); n++ {
				sameBox(t, level, &up[n/8], n%8, rows, nil)
			}
			sameRow(t, level, top, rows, corners[:width*min(count, 64)])
		}
	})
}

func sameBox(t *testing.T, level string, n *Node, i int, rows []float32, of []int32) {
	t.Helper()
	lo, hi := childOf(n, i)
	if wantLo, wantHi := joined(rows, of); lo != wantLo || hi != wantHi {
		t.Fatalf("%s: child %d is %v %v, want %v %v", level, i, lo, hi, wantLo, wantHi)
	}
}

func sameRow(t *testing.T, level string, row, rows []float32, of []int32) {
	t.Helper()
	wantLo, wantHi := joined(rows, of)
	for k := range 3 {
		if float64(row[k]) != wantLo[k] || -float64(row[rowHi+k]) != wantHi[k] {
			t.Fatalf("%s: the row is %v, want %v %v", level, row[:rowLen], wantLo, wantHi)
		}
	}
}

// someNodes makes n nodes of drawn boxes, some of whose children are absent, and their hulls.
func someNodes(r *rand.Rand, n, width, rule int) (nodes []Node, hulls []float32) {
	nodes, hulls = make([]Node, n), make([]float32, rowLen*n)
	for i := range n { // each node on its own, so that more than the last has absent children
		count := Children
		if r.IntN(4) == 0 {
			count = r.IntN(Children + 1)
		}
		rows := treeRows(r, 20, rule)
		Leaves(nodes[i:i+1], hulls[rowLen*i:rowLen*i+rowLen], rows, treeCorners(r, 1, width, 20), width, count)
	}
	return nodes, hulls
}

// Meet says of each pair what a comparison of the boxes says.
func TestMeetAgreesWithBoxes(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 45))
	found, left := 0, 0
	checks.AtLevels(t, func(level string) {
		for trial := range 400 {
			nodes, _ := someNodes(r, 2, 1+trial%2, trial%5)
			a, b := &nodes[0], &nodes[1]
			m := Meet(a, b)
			for i := range Children {
				for j := range Children {
					alo, ahi := childOf(a, i)
					blo, bhi := childOf(b, j)
					touching, _ := met(alo, ahi, blo, bhi)
					if got := m>>(8*i+j)&1 != 0; got != touching {
						t.Fatalf("%s: pair %d %d is %v, want %v", level, i, j, got, touching)
					}
					if touching {
						found++
					} else {
						left++
					}
				}
			}
		}
	})
	if found < 1000 || left < 1000 {
		t.Errorf("%d pairs found, %d left out: the test shows too little", found, left)
	}
}

// MeetLeaves says of each pair what a comparison of the boxes says.
func TestMeetLeavesAgreesWithBoxes(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 45))
	sures, doubts, left := 0, 0, 0
	var q Queue
	checks.AtLevels(t, func(level string) {
		for trial := range 100 {
			a, _ := someNodes(r, Children, 1, trial%5)
			b, hulls := someNodes(r, Children, 1+trial%3, trial%5)
			var of [1]Node
			Parents(of[:], make([]float32, rowLen), hulls)
			m := [...]uint64{math.MaxUint64, r.Uint64(), r.Uint64() & r.Uint64() & r.Uint64(), 1 << 63, 0}[trial%5]
			var sure, touching [64]uint64
			for k := range sure {
				sure[k], touching[k] = r.Uint64(), r.Uint64()
			}
			MeetLeaves((*[Children]Node)(a), (*[Children]Node)(b), &of[0], m, &sure, &touching, &q)
			k := 0
			for bit := range 64 {
				if m>>bit&1 == 0 {
					continue
				}
				for pair := range 64 {
					alo, ahi := childOf(&a[bit/8], pair/8)
					blo, bhi := childOf(&b[bit%8], pair%8)
					touches, overlaps := met(alo, ahi, blo, bhi)
					if touching[k]>>pair&1 != 0 != touches || sure[k]>>pair&1 != 0 != overlaps {
						t.Fatalf("%s: leaves %d, pair %d: want %v %v", level, bit, pair, touches, overlaps)
					}
					switch {
					case overlaps:
						sures++
					case touches:
						doubts++
					default:
						left++
					}
				}
				k++
			}
		}
	})
	if sures < 1000 || doubts < 1000 || left < 1000 {
		t.Errorf("%d pairs overlap, %d touch, %d are apart: the test shows too little", sures, doubts, left)
	}
}

// apartMoving reports whether child i of a node and j of another are apart on one side at both
// ends, by their boxes in doubles.
func apartMoving(a [2]*Node, i int, b [2]*Node, j int) bool {
	above, below := [3]bool{true, true, true}, [3]bool{true, true, true}
	for end := range 2 {
		alo, ahi := childOf(a[end], i)
		blo, bhi := childOf(b[end], j)
		for axis := range 3 {
			above[axis] = above[axis] && alo[axis] > bhi[axis]
			below[axis] = below[axis] && blo[axis] > ahi[axis]
		}
	}
	return slices.Contains(above[:], true) || slices.Contains(below[:], true)
}

// movingNodes draws eight nodes of primitives of a width at both ends, some of which are absent,
// and the nodes above them.
func movingNodes(r *rand.Rand, width, rule int) (nodes [2][]Node, above [2]Node) {
	corners, count := treeCorners(r, Children, width, 60), r.IntN(65)
	for end := range 2 {
		hulls := make([]float32, rowLen*Children)
		nodes[end] = make([]Node, Children)
		Leaves(nodes[end], hulls, treeRows(r, 60, rule), corners, width, count)
		Parents(above[end:end+1], make([]float32, rowLen), hulls)
	}
	return nodes, above
}

// MeetEnds and MeetMoving drop the pairs whose boxes are apart on one side at both ends, and no
// others.
func TestMeetEndsAgreesWithBoxes(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 45))
	kept, dropped := 0, 0
	var q Queue
	count := func(apart bool) {
		if apart {
			dropped++
		} else {
			kept++
		}
	}
	checks.AtLevels(t, func(level string) {
		for trial := range 100 {
			a, _ := movingNodes(r, 1+trial%2, trial%5)
			b, of := movingNodes(r, 1+trial%2, trial%5)
			both := func(x *[2][]Node, leaf int) [2]*Node { return [2]*Node{&x[0][leaf], &x[1][leaf]} }
			m := [...]uint64{math.MaxUint64, r.Uint64(), 1 << 63, 0}[trial%4]
			var touching [64]uint64
			eight := func(nodes []Node) *[Children]Node { return (*[Children]Node)(nodes) }
			MeetEnds(eight(a[0]), eight(a[1]), eight(b[0]), eight(b[1]), &of[0], &of[1], m, &touching, &q)
			k := 0
			for bit := range 64 {
				x, y := both(&a, bit/8), both(&b, bit%8)
				met := MeetMoving(x[0], x[1], y[0], y[1])
				for pair := range 64 {
					apart := apartMoving(x, pair/8, y, pair%8)
					if met>>pair&1 != 0 == apart {
						t.Fatalf("%s: nodes %d, pair %d: want apart %v", level, bit, pair, apart)
					}
					if m>>bit&1 == 0 {
						continue
					}
					if touching[k]>>pair&1 != 0 == apart {
						t.Fatalf("%s: leaves %d, pair %d: want apart %v", level, bit, pair, apart)
					}
					count(apart)
				}
				if m>>bit&1 != 0 {
					k++
				}
			}
		}
	})
	if kept < 1000 || dropped < 1000 {
		t.Errorf("%d pairs kept, %d dropped: the test shows too little", kept, dropped)
	}
}

func TestTreeLayout(t *testing.T) {
	var q Queue
	got := [...]uintptr{unsafe.Sizeof(Node{}), unsafe.Offsetof(q.row), unsafe.Offsetof(q.leaf), unsafe.Offsetof(q.to)}
	if got != [...]uintptr{192, 0, 2080, 4160} {
		t.Fatal("the generator has other offsets")
	}
}

func TestTreeLaw7SameBits(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 45))
	for trial := range 200 {
		width, vertices, n := 1+trial%3, 1+r.IntN(50), 1+r.IntN(9)
		rows, corners := treeRows(r, vertices, trial%5), treeCorners(r, n, width, vertices)
		want, wantHulls := make([]Node, n), make([]float32, rowLen*n)
		leavesGeneric(want, wantHulls, rows, corners, width)
		for k := range wantHulls[rowLen*r.IntN(n):] { // some rows below a parent are absent
			if r.IntN(4) == 0 {
				wantHulls[k/8*8] = inf32
			}
		}
		below := append(wantHulls[:rowLen*n:rowLen*n], rows...)[:rowLen*min(n, 8)]
		for len(below) < Children*rowLen {
			below = append(below, inf32, inf32, inf32, 0, inf32, inf32, inf32, 0)
		}
		var up [1]Node
		top := make([]float32, rowLen)
		parentsGeneric(up[:], top, below)
		checks.AtLevels(t, func(level string) {
			got, hulls := make([]Node, n+1), make([]float32, rowLen*n+1)
			got[n][0], hulls[rowLen*n] = -7, -7
			Leaves(got[:n], hulls, rows, corners, width, Children*n)
			if got[n][0] != -7 || hulls[rowLen*n] != -7 {
				t.Fatalf("%s: written beyond the end", level)
			}
			sameNodes(t, level, got[:n], want)
			var gotUp [1]Node
			gotTop := make([]float32, rowLen)
			Parents(gotUp[:], gotTop, below)
			sameNodes(t, level, gotUp[:], up[:])
			sameFloats(t, level, gotTop, top)
		})
	}
}

func sameNodes(t *testing.T, level string, got, want []Node) {
	t.Helper()
	for i := range want {
		sameFloats(t, level, got[i][:], want[i][:])
	}
}

func sameFloats(t *testing.T, level string, got, want []float32) {
	t.Helper()
	for i, x := range want {
		if math.Float32bits(got[i]) != math.Float32bits(x) {
			t.Fatalf("%s: float %d is %v, want %v", level, i, got[i], x)
		}
	}
}

func BenchmarkTree(b *testing.B) {
	r := rand.New(rand.NewPCG(5, 45))
	const n = 512
	rows := treeRows(r, 3*n, 4)
	for v := range 3 * n { // neighbors in order are near each other
		for k := range 3 {
			x := float32(v) / 24
			rows[rowLen*v+k] += x
			rows[rowLen*v+rowHi+k] -= x
		}
	}
	corners := make([]int32, 2*Children*n)
	for i := range corners {
		corners[i] = min(int32(i*3/16+r.IntN(4)), 3*n-1)
	}
	nodes, hulls := make([]Node, n), make([]float32, rowLen*n)
	up, top := make([]Node, n/8), make([]float32, rowLen*n/8)
	var q Queue
	var sure, touching [64]uint64
	checks.AtLevels(b, func(level string) {
		b.Run(fmt.Sprintf("leaves/%s", level), func(b *testing.B) {
			for b.Loop() {
				Leaves(nodes, hulls, rows, corners, 2, Children*n)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*Children*n), "ns/primitive")
		})
		b.Run(fmt.Sprintf("parents/%s", level), func(b *testing.B) {
			for b.Loop() {
				Parents(up, top, hulls)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/row")
		})
		b.Run(fmt.Sprintf("meet/%s", level), func(b *testing.B) {
			i := 0
			for b.Loop() {
				touching[0] += Meet(&nodes[i], &nodes[n-1-i])
				i = (i + 1) % n
			}
		})
		b.Run(fmt.Sprintf("meetLeaves/%s", level), func(b *testing.B) {
			i, pairs := 0, 0
			for b.Loop() {
				m := uint64(0xf0783c1e8f47a351)
				MeetLeaves((*[8]Node)(nodes[8*i:]), (*[8]Node)(nodes[8*i:]), &up[i], m, &sure, &touching, &q)
				i = (i + 1) % (n / 8)
				pairs += 33
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(pairs), "ns/leaves")
		})
		b.Run(fmt.Sprintf("meetEnds/%s", level), func(b *testing.B) {
			i, pairs := 0, 0
			for b.Loop() {
				m, n := uint64(0xf0783c1e8f47a351), (*[8]Node)(nodes[8*i:])
				MeetEnds(n, n, n, n, &up[i], &up[i], m, &touching, &q)
				i = (i + 1) % (len(up))
				pairs += 33
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(pairs), "ns/leaves")
		})
	})
}
