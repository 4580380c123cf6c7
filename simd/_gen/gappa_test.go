package main

import (
	"flag"
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"

	"ccd/simd/gen/proof"
)

var byGappa = flag.Bool("gappa", false, "let Gappa prove all brackets: minutes")

// gappa runs Gappa within 4 GB and a minute on a script. A warning is a failure: Gappa takes wrong
// hints with a warning alone.
func gappa(script string) error {
	c := exec.Command("sh", "-c", "ulimit -v 4000000; exec timeout 60 gappa -Eprecision=200")
	c.Stdin = strings.NewReader(script)
	if out, err := c.CombinedOutput(); err != nil || strings.Contains(string(out), "Warning") {
		return fmt.Errorf("%w: %s\n%s", err, out, script)
	}
	return nil
}

// TestBracketsByGappa proves what package proof proves, once more, by a prover that others wrote.
// Without -gappa it proves one kernel's brackets. With a constant that is too small it fails.
func TestBracketsByGappa(t *testing.T) {
	if _, err := exec.LookPath("gappa"); err != nil {
		t.Skip("gappa is not installed: apt-get install gappa")
	}
	kernels := []*proof.Program{printedFilter("VF", false, false)}
	if *byGappa {
		kernels = printedKernels()
	}
	tests, scripts := 0, map[string]bool{}
	for _, q := range kernels {
		for _, test := range q.Tests() {
			found, err := q.Brackets(test)
			if err != nil {
				t.Fatal(err)
			}
			tests++
			for _, s := range found {
				scripts[s] = true
			}
		}
	}
	refused := refusedByGappa(slices.Sorted(maps.Keys(scripts)))
	for _, err := range refused {
		t.Error(err)
	}
	t.Logf("%d kernels, %d tests, %d different brackets, %d not proven", len(kernels), tests, len(scripts),
		len(refused))

	less := changed(printedFilter("VF", false, false), "cubicEndBound", 8.0/18)
	found, err := less.Brackets(less.Tests()[0])
	if err != nil {
		t.Fatal(err)
	}
	if len(refusedByGappa(found)) == 0 {
		t.Error("Gappa proves the first coefficient with 8 roundings")
	}
}

// refusedByGappa runs two scripts at a time and returns the errors.
func refusedByGappa(scripts []string) (refused []error) {
	var group sync.WaitGroup
	var lock sync.Mutex
	work := make(chan string)
	for range 2 {
		group.Go(func() {
			for s := range work {
				if err := gappa(s); err != nil {
					lock.Lock()
					refused = append(refused, err)
					lock.Unlock()
				}
			}
		})
	}
	for _, s := range scripts {
		work <- s
	}
	close(work)
	group.Wait()
	return refused
}
