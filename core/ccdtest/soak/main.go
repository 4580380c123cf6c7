// Command soak runs every method on every family of queries for a given time, on all cores, with
// the exact oracle as the truth, and prints queries, broken laws, budgets spent, the share of
// queries at each stage, and the slowest query of each method. Beside them it follows random
// volumes through steps and edits and compares every step with brute force, checks the contact data
// of whole steps and their active sets, plays random sequences on scenes, compares steps of meshes
// with static vertices with brute force, and sheets of patches that meet themselves with the exact
// method, checks the contact data of pairs of patches, holds gradients, intervals of contact and
// least distances of pairs and steps to their laws, and rigid bodies, two, many, and over meshes
// that deform, to theirs, and steps of flat grids that rest on each other. Cases go to files in the
// format of go test's fuzz corpus, these by their seed. It ends with status 1 when a law was
// broken.
//
//	make soak DURATION=1h
//
// With -device N it does something else: it compares the steps of N random meshes on the first
// graphics processor with those on the CPU.
//
//	CCD_OPENCL_CPU=1 go run ./core/ccdtest/soak -device 100000 -seed 1
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

func main() {
	duration := flag.Duration("duration", time.Minute, "how long to run")
	workers := flag.Int("workers", runtime.NumCPU(), "goroutines")
	seed := flag.Uint64("seed", uint64(time.Now().Unix()), "of the queries")
	out := flag.String("out", "build/soak", "folder for the cases: broken laws and slowest queries")
	every := flag.Duration("every", time.Minute, "between lines of progress")
	only := flag.String("only", "",
		"run only the domain whose files begin with this name, and no single queries: solver, say")
	meshes :=
		flag.Int("device", 0, "compare this number of meshes on a graphics processor with the CPU, and nothing else")
	flag.Parse()
	if err := os.MkdirAll(*out, 0o755); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	if *meshes > 0 {
		os.Exit(soakDevice(*out, *seed, *meshes, *workers))
	}
	fmt.Printf("soak for %v on %d workers, seed %d\n", *duration, *workers, *seed)
	start := time.Now()
	end := start.Add(*duration)
	r := &record{dir: *out, start: start}
	if *only != "" {
		*workers = 0
	}
	list := make([]*worker, *workers)
	var wg sync.WaitGroup
	for i := range list {
		list[i] = newWorker(*seed, uint64(i), r)
		wg.Go(func() {
			for time.Now().Before(end) {
				list[i].step()
			}
		})
	}
	domains := domainsOf(*out, *seed)
	domains = slices.DeleteFunc(domains, func(d domain) bool { return !strings.HasPrefix(d.title(), *only) })
	for _, d := range domains {
		wg.Go(func() {
			for time.Now().Before(end) {
				d.step()
			}
		})
	}
	done := make(chan struct{})
	go func() { wg.Wait(); close(done) }()
	if !watch(list, r, done, *every) {
		r.print(list)
		os.Exit(1)
	}
	r.print(list)
	failures := int64(r.violations)
	for _, d := range domains {
		d.print()
		failures += d.failures()
	}
	if failures > 0 {
		os.Exit(1)
	}
}

// domainsOf returns what soaks beside the single queries; failures go to dir.
func domainsOf(dir string, seed uint64) []domain {
	return []domain{
		&volumes{seeded: seeded{dir: dir, name: "volume", next: seed}},
		&steps{seeded: seeded{dir: dir, name: "step", next: seed}},
		&scenes{seeded: seeded{dir: dir, name: "scene", next: seed}},
		&statics{seeded: seeded{dir: dir, name: "static", next: seed}},
		&crumples{seeded: seeded{dir: dir, name: "crumple", next: seed}},
		&patches{seeded: seeded{dir: dir, name: "patches", next: seed << 20}},
		&solverCases{seeded: seeded{dir: dir, name: "solver", next: seed << 20}},
		&solverSteps{seeded: seeded{dir: dir, name: "solver-step", next: seed << 20}},
		&rigidCases{seeded: seeded{dir: dir, name: "rigid", next: seed << 20}},
		&flatSteps{seeded: seeded{dir: dir, name: "flat", next: seed << 20}},
	}
}

// patience is how long one query may take with its oracle before it counts as endless: the slowest
// seen took milliseconds.
const patience = 2 * time.Minute

// watch prints progress until done. It returns false when a query never ends.
func watch(list []*worker, r *record, done chan struct{}, every time.Duration) bool {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return true
		case now := <-tick.C:
			fmt.Println(r.line(list))
			for _, w := range list {
				if b := w.busy.Load(); b != nil && now.Sub(b.since) > patience+every {
					r.broken(b.method, 8, &b.c, fmt.Errorf("no answer in %v", now.Sub(b.since)))
					return false
				}
			}
		}
	}
}
