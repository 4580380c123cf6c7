package broad

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ccd/core/geom"
	"ccd/core/mesh"
)

// wavySheet is a sheet of n x n vertices that moves through itself.
func wavySheet(t *testing.T, n int) (*mesh.Mesh, *geom.Trajectories) {
	t.Helper()
	var x0, x1 []float64
	var faces []int32
	for i := range n {
		for j := range n {
			z := math.Sin(float64(i) / 5)
			x0, x1 = append(x0, float64(i), float64(j), z), append(x1, float64(i)+3*z,
				float64(j)+math.Sin(float64(i*j)), -z)
			if v := int32(i*n + j); i+1 < n && j+1 < n {
				faces = append(faces, v, v+1, v+int32(n), v+1, v+int32(n)+1, v+int32(n))
			}
		}
	}
	m, err := mesh.New(n*n, nil, faces)
	if err != nil {
		t.Fatal(err)
	}
	mo, err := geom.NewTrajectories(x0, x1)
	if err != nil {
		t.Fatal(err)
	}
	return m, mo
}

// The cells of a plan, their entries and its tasks are the same for any number of threads, and the
// tasks cover the cells in their order.
func TestPlansDoNotDependOnThreads(t *testing.T) {
	m, mo := wavySheet(t, 160)
	var one Plan
	for _, orient := range []Orientation{AlongAxes, OrientIfItPays, OrientAlways} {
		how := PlanOptions{Input: Input{Until: 1, Euclidean: true}, Tactic: Tactic{Orient: orient},
			Work: Work{Threads: 1}}
		if err := one.Build(m, mo, how); err != nil {
			t.Fatal(err)
		}
		for _, threads := range []int{2, 5, 64} {
			var p Plan
			how.Work.Threads = threads
			if err := p.Build(m, mo, how); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(p.todo.list, one.todo.list) || p.todo.total != one.todo.total ||
				p.Oriented() != one.Oriented() {
				t.Fatalf("%d threads: %d tasks, %d with one", threads, len(p.todo.list), len(one.todo.list))
			}
			seen := make([]bool, len(p.todo.list))
			for i := range p.todo.list {
				at := p.LongestFirst(i)
				if seen[at] {
					t.Fatalf("%d threads: task %d comes twice", threads, at)
				}
				seen[at] = true
				if p.todo.list[at].work > p.todo.list[p.LongestFirst(0)].work {
					t.Fatalf("%d threads: task %d takes longer than the first", threads, at)
				}
			}
			for i := range p.work {
				for j, l := range p.work[i].layers {
					same := one.work[i].layers[j]
					if !slices.Equal(l.off, same.off) || !slices.Equal(l.ent, same.ent) || l.largest != same.largest {
						t.Fatalf("%d threads: layer %d of family %d has other cells", threads, j, i)
					}
				}
			}
		}
		next := make([]int, len(one.work))
		for i := range one.todo.list {
			x := &one.todo.list[i]
			if x.keys != wholeCell {
				next[x.family] = max(next[x.family], x.c1)
				continue
			}
			for c := next[x.family]; c < x.c0; c++ {
				if one.work[x.family].weight(c) > 0 {
					t.Fatalf("cell %d of family %d is in no task", c, x.family)
				}
			}
			if x.c0 < next[x.family] || x.c1 <= x.c0 {
				t.Fatalf("task %d begins at cell %d, %d is next", i, x.c0, next[x.family])
			}
			next[x.family] = x.c1
		}
	}
}

// Sums of signs count what comparisons count, also where a difference is just as large as the
// reach, or no normal number.
func TestNumbersWithinReachAreCounted(t *testing.T) {
	r := rand.New(rand.NewPCG(61, 62))
	values := []float32{0, float32(math.Copysign(0, -1)), 1, -1, 0.5, -0.5, 12.5, -12.5, math.SmallestNonzeroFloat32,
		-math.SmallestNonzeroFloat32, 0x1p-126}
	few := func() []float32 {
		x := make([]float32, r.IntN(comparedKeys+2))
		for i := range x {
			if x[i] = r.Float32(); i%2 == 0 {
				x[i] = values[r.IntN(len(values))]
			}
		}
		return x
	}
	for range 2000 {
		a, b, reach, below := few(), few(), values[r.IntN(len(values))], values[r.IntN(len(values))]
		reach, below = abs32(reach), abs32(below)
		self, across := 0, 0
		for i, x := range a {
			for _, y := range a[:i] {
				if d := x - y; -reach <= d && d <= reach {
					self++
				}
			}
			for _, y := range b {
				if d := x - y; -below <= d && d <= reach {
					across++
				}
			}
		}
		if got := withinSelf(a, reach); got != self {
			t.Fatalf("%v: %d within %v, want %d", a, got, reach, self)
		}
		if got := within(a, b, below, reach); got != across {
			t.Fatalf("%v, %v: %d within -%v and %v, want %d", a, b, got, below, reach, across)
		}
	}
}
