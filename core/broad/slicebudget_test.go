package broad

import (
	"errors"
	"math/rand/v2"
	"testing"

	"ccd/core/ccdtest/long"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/status"
)

// manyNeedles are needles of many directions, which a plan divides.
func manyNeedles(t *testing.T, n int) (*mesh.Mesh, *geom.Trajectories) {
	t.Helper()
	r := rand.New(rand.NewPCG(91, 92))
	directions := make([][3]float64, 2*n)
	for i := range directions {
		directions[i] = [3]float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
	}
	s := needleSoup(r, n, directions, 0, 1e-3)
	return s.load(t)
}

// While slices are swept the progress rises, up to the share of the plan, and the callback cancels
// the plan.
func TestDivideProgress(t *testing.T) {
	m, mo := manyNeedles(t, 3000)
	for _, threads := range []int{1, 3} {
		for stop := range 4 {
			var progress engine.Progress
			var seen []float64
			progress.Begin(func(f float64) bool { seen = append(seen, f); return len(seen) == stop })
			var p Plan
			err := p.Build(m, mo, PlanOptions{Input: Input{Until: 1}, Tactic: Tactic{Orient: OrientIfItPays},
				Work: Work{Threads: threads, Progress: &progress, UpTo: 0.5}})
			if done := errors.Is(err, status.ErrCancelled); done != (stop > 0 && len(seen) >= stop) || !done &&
				(err != nil || !p.Given()) {
				t.Errorf("stop %d: %v after %d calls", stop, err, len(seen))
			}
			if stop > 0 && len(seen) != stop {
				t.Errorf("stop %d: %d calls", stop, len(seen))
			}
			for i, f := range seen {
				if f > 0.9*0.5 || i > 0 && f < seen[i-1] {
					t.Errorf("progress %v", seen)
				}
			}
			if stop == 0 && (len(seen) < 5 || seen[len(seen)-1] < 0.2) {
				t.Errorf("progress %v", seen)
			}
		}
	}
}

// Under a memory limit pieces are swept in slices that fit, or in slabs, or not at all; the memory
// is within the limit.
func TestDivideMemoryLimit(t *testing.T) {
	long.Test(t)
	m, mo := manyNeedles(t, 3000)
	var whole Plan
	if err := whole.Build(m, mo, PlanOptions{Input: Input{Until: 1}, Tactic: Tactic{Orient: OrientIfItPays},
		Work: Work{Threads: 1}}); err != nil {
		t.Fatal(err)
	}
	want := whole.Weight()
	given := map[bool]int{}
	for _, limit := range []int64{2 << 20, 16 << 20, 64 << 20} {
		for _, threads := range []int{1, 3} {
			var slabs SlabPlan
			pairs, parts, divided := int64(0), 0, true
			for slabs.Begin(nil); slabs.More(); slabs.Next() {
				var p Plan
				if err := slabs.Build(&p, m, mo, PlanOptions{Input: Input{Until: 1},
					Tactic: Tactic{Orient: OrientIfItPays}, Work: Work{Threads: threads, Limit: limit}}); err != nil {
					t.Fatal(err)
				}
				given[p.Given()]++
				divided = divided && p.Given()
				w := workers.Get().(*Worker)
				for i := range p.Tasks() {
					w.Sweep(&p, &p.Tasks()[i], func(_ geom.Kind,
						found [][2]int32) bool {
						pairs += int64(len(found))
						return true
					})
				}
				parts++
				if p.Given() && p.Working() > limit {
					t.Errorf("limit %d, %d threads: a plan of %d bytes", limit, threads, p.Working())
				}
			}
			t.Logf("limit %d, %d threads: %d slabs, %d pairs, of pieces: %v", limit, threads, parts, pairs, divided)
			if divided && 10*pairs > 11*want || pairs < want/2 {
				t.Errorf("limit %d, %d threads: %d pairs, %d without a limit", limit, threads, pairs, want)
			}
		}
	}
	if given[true] == 0 || given[false] == 0 {
		t.Errorf("%v: one side was not tested", given)
	}
}
