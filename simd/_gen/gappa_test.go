package main

import (
	"bufio"
	"crypto/sha256"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"ccd/simd/gen/proof"
)

var (
	byGappa = flag.Bool("gappa", false, "let Gappa prove all brackets: two minutes of processor time")
	keptIn  = flag.String("kept", "", "a file of the brackets that are proven: a run that was stopped goes on")
	within  = flag.Duration("within", time.Hour, "begin no bracket after this time")
)

// gappa runs Gappa within 4 GB and two minutes of processor time on a script. A warning is a
// failure: Gappa takes wrong hints with a warning alone.
func gappa(script string) error {
	c := exec.Command("sh", "-c", "ulimit -v 4000000; ulimit -t 120; exec gappa -Eprecision=200")
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
	kept := readKept(t, scripts)
	for s := range kept.proven {
		delete(scripts, s)
	}
	all := len(scripts) + len(kept.proven)
	refused, left := refusedByGappa(slices.Sorted(maps.Keys(scripts)), kept)
	for _, err := range refused {
		t.Error(err)
	}
	t.Logf("%d kernels, %d tests, %d different claims, %d not proven, %d left", len(kernels), tests, all,
		len(refused), left)

	for _, less := range []*proof.Program{changed(printedFilter("VF", false, false), "cubicEndBound", 8.0/18),
		changed(printedPieces("VF", false), "pieceEndBound", 0.6)} {
		found, err := less.Brackets(less.Tests()[0])
		if err != nil {
			t.Fatal(err)
		}
		if refused, _ := refusedByGappa(found, &keptBrackets{}); len(refused) == 0 {
			t.Errorf("%s: Gappa proves the first coefficient with too few roundings", less.Name)
		}
	}
}

// TestClaimsRestOnClaims shows that the scripts of a test leave nothing out: whatever one of them
// takes a coefficient or a part of a sum to be within, another one proves.
func TestClaimsRestOnClaims(t *testing.T) {
	for _, q := range []*proof.Program{printedFilter("VF", false, false), printedCurve("EE", 2, true, true),
		printedPieces("VF", true)} {
		for _, test := range q.Tests() {
			scripts, err := q.Brackets(test)
			if err != nil {
				t.Fatal(err)
			}
			proven, last := map[string]bool{}, 0
			for _, s := range scripts {
				_, conclusion, ok := strings.Cut(s, "-> ")
				if !ok {
					conclusion = s
				}
				if _, within, ok := strings.Cut(conclusion, " in "); ok {
					proven[strings.TrimSuffix(within, " }\n")] = true
				} else {
					last++
				}
			}
			for _, s := range scripts {
				hypotheses, _, _ := strings.Cut(strings.TrimPrefix(s, "{ "), "\n")
				for h := range strings.SplitSeq(hypotheses, " /\\ ") {
					name, within, _ := strings.Cut(h, " in ")
					low, high, _ := strings.Cut(strings.Trim(within, "[]"), ",")
					if (name[0] == 'k' || name[0] == 'b') && low != high && !proven[within] {
						t.Errorf("%s, comparison %d: no claim is that something is in %s, as in %s", q.Name, test.At,
							within, s)
					}
				}
			}
			if last == 0 {
				t.Errorf("%s, comparison %d: no claim is of the bound", q.Name, test.At)
			}
		}
	}
}

// keptBrackets are the brackets of this code that an earlier run has proven.
type keptBrackets struct {
	proven map[string]bool
	file   *os.File
}

// readKept opens the file of the brackets that are proven. A bracket is kept as its digest with the
// version of Gappa.
func readKept(t *testing.T, scripts map[string]bool) *keptBrackets {
	k := &keptBrackets{proven: map[string]bool{}}
	if *keptIn == "" {
		return k
	}
	file, err := os.OpenFile(*keptIn, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	known := map[string]bool{}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		known[lines.Text()] = true
	}
	for s := range scripts {
		if known[digest(s)] {
			k.proven[s] = true
		}
	}
	k.file = file
	return k
}

var gappaVersion = sync.OnceValue(func() string {
	out, _ := exec.Command("gappa", "--version").CombinedOutput()
	return string(out)
})

func digest(script string) string {
	return fmt.Sprintf("%x", sha256.Sum256([]byte(gappaVersion()+script)))
}

// refusedByGappa runs two scripts at a time and returns the errors, and how many scripts are left
// because their time has passed.
func refusedByGappa(scripts []string, kept *keptBrackets) (refused []error, left int) {
	var group sync.WaitGroup
	var lock sync.Mutex
	work := make(chan string)
	for range 2 {
		group.Go(func() {
			for s := range work {
				err := gappa(s)
				lock.Lock()
				if err != nil {
					refused = append(refused, err)
				} else if kept.file != nil {
					fmt.Fprintln(kept.file, digest(s))
				}
				lock.Unlock()
			}
		})
	}
	begun := time.Now()
	for i, s := range scripts {
		if time.Since(begun) > *within {
			left = len(scripts) - i
			break
		}
		work <- s
	}
	close(work)
	group.Wait()
	return refused, left
}
