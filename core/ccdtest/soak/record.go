package main

import (
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"sync"
	"time"

	"ccd/core/ccdtest"
)

// record gathers what goes into files: broken laws and slowest queries.
type record struct {
	sync.Mutex
	dir        string
	start      time.Time
	violations int
	slowest    map[string]time.Duration
}

// shown is how many broken laws are printed and saved; the rest are counted.
const shown = 50

// broken notes a broken law and saves the case.
func (r *record) broken(method string, law int, c *ccdtest.Case, err error) {
	r.Lock()
	defer r.Unlock()
	r.violations++
	if r.violations > shown {
		return
	}
	name := fmt.Sprintf("broken-%s-law%d-%03d", method, law, r.violations)
	fmt.Printf("BROKEN %s: %v\n  %v\n", name, err, c)
	r.save(name, c)
}

// slow saves the slowest query of a method so far.
func (r *record) slow(method string, took time.Duration, c *ccdtest.Case) {
	r.Lock()
	defer r.Unlock()
	if r.slowest == nil {
		r.slowest = map[string]time.Duration{}
	}
	if took > r.slowest[method] {
		r.slowest[method] = took
		r.save("slowest-"+method, c)
	}
}

func (r *record) save(name string, c *ccdtest.Case) {
	if err := os.WriteFile(filepath.Join(r.dir, name), []byte(ccdtest.CorpusFile(c)), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}

// line is one line of progress.
func (r *record) line(list []*worker) string {
	var cases, queries int64
	for _, w := range list {
		cases += w.cases.Load()
		for i := range w.queries {
			queries += w.queries[i].Load()
		}
	}
	r.Lock()
	defer r.Unlock()
	return fmt.Sprintf("%8v  %d cases, %d queries, %d violations", time.Since(r.start).Round(time.Second), cases,
		queries, r.violations)
}

// print writes the final table.
func (r *record) print(list []*worker) {
	fmt.Println(r.line(list))
	if len(list) == 0 {
		return
	}
	fmt.Printf("%-22s %12s %10s %12s %12s  stages\n", "method", "queries", "undecided", "mean", "slowest")
	for i, e := range list[0].entries {
		var queries, undecided, total int64
		stages := map[string]int64{}
		for _, w := range list {
			queries, undecided, total = queries+w.queries[i].Load(), undecided+w.undecided[i].Load(),
				total+w.nanoseconds[i].Load()
			for name, n := range w.stages[i]() {
				stages[name] += n
			}
		}
		mean := time.Duration(total / max(queries, 1))
		r.Lock()
		slow := r.slowest[e.name]
		r.Unlock()
		fmt.Printf("%-22s %12d %10d %12v %12v  %s\n", e.name, queries, undecided, mean, slow, shares(stages))
	}
	fmt.Printf("%d violations; cases are in %s\n", r.violations, r.dir)
}

// shares writes counts as percentages.
func shares(stages map[string]int64) string {
	var names []string
	total := int64(0)
	for name, n := range stages {
		names, total = append(names, name), total+n
	}
	sort.Slice(names, func(i, j int) bool { return stages[names[i]] > stages[names[j]] })
	var text []string
	for _, name := range names {
		text = append(text, fmt.Sprintf("%s %.1f %%", name, 100*float64(stages[name])/float64(max(total, 1))))
	}
	return strings.Join(text, ", ")
}
