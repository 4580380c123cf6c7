package volume

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"ccd/bench/cputime"
	"ccd/core/ccdtest"
	"ccd/core/narrow"
)

// Every generated sequence, small enough for brute force: the same contacts in every step, exact
// first times included.
func TestSequencesAreThoseOfBruteForce(t *testing.T) {
	for _, q := range ccdtest.Sequences(0.25) {
		s := sceneOf(t, q.Cells)
		contacts := 0
		err := q.Run(s.Edit, func(i int, x0, x1 []float64) error {
			got := collisions(t, s, x0, x1, func(o *Options) { o.Classes = AllClasses })
			contacts += len(got)
			first, err := s.Earliest(x0, x1, &Options{Options: narrow.DefaultOptions(), Classes: AllClasses})
			if err != nil || len(got) > 0 && first != got[0] {
				t.Fatalf("%s, step %d: the earliest is\n%+v, %v; the first of all\n%+v", q.Name, i, first, err, got[0])
			}
			if i%4 == 3 || !testing.Short() {
				sameContacts(t, fmt.Sprintf("%s, step %d", q.Name, i), got,
					collisions(t, s, x0, x1, func(o *Options) { o.Classes, o.Flags = AllClasses, narrow.BruteForce }))
			}
			return nil
		})
		if err != nil {
			t.Fatalf("%s: %v", q.Name, err)
		}
		if contacts < 30 {
			t.Errorf("%s: %d contacts in %d elements show too little", q.Name, contacts, len(q.Cells.Kinds))
		}
	}
}

// BenchmarkSequences runs the sequences at full size on one thread and on two: milliseconds a step,
// contacts a step.
func BenchmarkSequences(b *testing.B) {
	for _, q := range append(ccdtest.Sequences(1), dataSequences(b)...) {
		for _, threads := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/threads=%d", q.Name, threads), func(b *testing.B) {
				for b.Loop() {
					runSequence(b, q, threads)
				}
			})
		}
	}
}

func runSequence(b *testing.B, q *ccdtest.Sequence, threads int) {
	b.StopTimer()
	fresh := *q
	if q.Name == "bullet" { // it remembers its cracks
		fresh = *ccdtest.Bullet(1)
	}
	s := sceneOf(b, fresh.Cells)
	var total Stats
	var spent time.Duration
	err := fresh.Run(s.Edit, func(i int, x0, x1 []float64) error {
		var st Stats
		o := DefaultOptions()
		o.Threads, o.VolumeStats = threads, &st
		b.StartTimer()
		began := cputime.Process()
		_, err := s.Collisions(x0, x1, &o)
		spent += cputime.Process() - began
		b.StopTimer()
		total.add(&st)
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	n := float64(q.Steps)
	b.ReportMetric(spent.Seconds()*1e3/n, "cpu-ms/step")
	b.ReportMetric(float64(total.Impacts)/n, "contacts/step")
	b.ReportMetric(float64(total.PatchPairs)/n, "patchpairs/step")
	b.ReportMetric(total.SecondsBuild*1e3/n, "build-ms")
	b.ReportMetric(total.SecondsBroad*1e3/n, "broad-ms")
	b.ReportMetric(total.SecondsNarrow*1e3/n, "narrow-ms")
	b.ReportMetric(float64(total.PeakBytes)/1e6, "MB")
	b.StartTimer()
}

func (s *Stats) add(t *Stats) {
	s.PatchPairs += t.PatchPairs
	s.Impacts += t.Impacts
	for k := range t.Overlaps {
		s.Overlaps[k] += t.Overlaps[k]
	}
	for k := range t.Candidates {
		s.Candidates[k] += t.Candidates[k]
	}
	s.SecondsBuild += t.SecondsBuild
	s.SecondsBroad += t.SecondsBroad
	s.SecondsNarrow += t.SecondsNarrow
	s.PeakBytes = max(s.PeakBytes, t.PeakBytes)
}

// dataSequences returns the sequences made of the meshes in data/volume, where there are any.
func dataSequences(t testing.TB) []*ccdtest.Sequence {
	dir := os.Getenv("CCD_DATA")
	if dir == "" {
		dir = "../../../shared/data"
	}
	dir = filepath.Join(dir, "volume")
	if _, err := os.Stat(dir); err != nil {
		t.Logf("no volumes in %s: set CCD_DATA", dir)
		return nil
	}
	list, err := ccdtest.DataSequences(dir)
	if err != nil {
		t.Fatal(err)
	}
	return list
}
