// Command patchmethods writes a table like table 1 of [Chen2024]: the default method for curved
// patches, the paper's and the traditional one (core/reference/boxed), on the cases of data/patch,
// in one run on one thread.
//
//	go run ./bench/patchmethods > bench/reports/patch-methods.md
package main

import (
	"encoding/binary"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"ccd/bench/cputime"
	"ccd/core/geom"
	"ccd/core/patch"
	"ccd/core/reference/boxed"
)

// contestant is one method.
type contestant struct {
	name   string
	search patch.Search
}

var contestants = []contestant{
	{"default", nil},
	{"paper, oriented", boxed.Options{}},
	{"paper, oriented at t=0", boxed.Options{InitialAxes: true}},
	{"paper, axis-aligned", boxed.Options{AxisAligned: true}},
	{"traditional, oriented", boxed.Options{Traditional: true}},
	{"traditional, axis-aligned", boxed.Options{Traditional: true, AxisAligned: true}},
}

var kinds = []struct {
	name string
	form patch.Form
	aim  float64 // milliseconds of the default, mean at 1e-6: a prototype's
}{
	{"T1", patch.Form{Shape: patch.Triangle, U: 1, V: 1}, 0.007},
	{"T2", patch.Form{Shape: patch.Triangle, U: 2, V: 2}, 0.15},
	{"T3", patch.Form{Shape: patch.Triangle, U: 3, V: 3}, 0.29},
	{"Q1", patch.Form{Shape: patch.Quad, U: 1, V: 1}, 0.033},
	{"Q2", patch.Form{Shape: patch.Quad, U: 2, V: 2}, 0.13}, {"Q3", patch.Form{Shape: patch.Quad, U: 3, V: 3}, 0.19},
}

// pair is one case of the data.
type pair struct{ a, b *patch.Patch }

func main() {
	home := "../shared/data"
	if h := os.Getenv("CCD_DATA"); h != "" {
		home = h
	}
	n := flag.Int("cases", 40, "cases of each kind")
	budget := flag.Int64("budget", 100000, "checks of one case")
	flag.Parse()
	runtime.LockOSThread()
	fmt.Printf(head, *n, *budget)
	if err := aims(home, *budget); err != nil {
		fmt.Fprintln(os.Stderr, "patchmethods:", err)
		os.Exit(1)
	}
	for _, tolerance := range []float64{1e-4, 1e-6} {
		fmt.Printf("\n## Tolerance %g\n\n| kind | method | mean | median | longest | x | checks | open "+
			"|\n|---|---|---|---|---|---|---|---|\n", tolerance)
		for _, k := range kinds {
			cases, err := read(filepath.Join(home, "patch", "cases_"+k.name+".bin"), k.form)
			if err != nil {
				fmt.Fprintln(os.Stderr, "patchmethods:", err)
				os.Exit(1)
			}
			base := 0.0
			for i, c := range contestants {
				r := measure(&c, cases[:min(*n, len(cases))], tolerance, *budget)
				if i == 0 {
					base = r.mean
				}
				more := ""
				if r.open > 0 {
					more = "> "
				}
				fmt.Printf("| %s | %s | %s%.3g | %.3g | %s%.3g | %s%.3g | %d | %d |\n",
					k.name, c.name, more, r.mean, r.median, more, r.longest, more, r.mean/base, r.checks, r.open)
			}
		}
	}
}

const head = `# Methods for curved patches

Like table 1 of [Chen2024]: processor milliseconds a case on one thread, the first %d cases of each kind of
` + "`data/patch`" + `, all methods in one run; x is the mean over the default's. A case ends open after %d checks of a pair of
subpatches, so where some are open, mean and x are lower bounds. Checks: the median. The tolerance is a distance for all methods.
"Paper" is the paper's method with proven bounds (core/reference/boxed); "at t=0" keeps the axes that boxes have at t=0, as the
paper does. "Traditional" is the one in five dimensions. Written by ` + "`go run ./bench/patchmethods`" + `.
`

// aims writes the table of the default method on all cases.
func aims(home string, budget int64) error {
	fmt.Print("\n## The default on all cases\n\nAim: the mean at 1e-6, a prototype's.\n\n" +
		"| kind | aim | mean at 1e-6 | of the aim | median | longest | mean at 1e-12 | x | longest " +
		"|\n|---|---|---|---|---|---|---|---|---|\n")
	for _, k := range kinds {
		cases, err := read(filepath.Join(home, "patch", "cases_"+k.name+".bin"), k.form)
		if err != nil {
			return err
		}
		a, b := measure(&contestants[0], cases, 1e-6, budget), measure(&contestants[0], cases, 1e-12, budget)
		fmt.Printf("| %s | %.3g | %.3g | %.2f | %.3g | %.3g | %.3g | %.2f | %.3g |\n",
			k.name, k.aim, a.mean, a.mean/k.aim, a.median, a.longest, b.mean, b.mean/a.mean, b.longest)
	}
	return nil
}

// result is what one method took. Times are in milliseconds.
type result struct {
	mean, median, longest float64
	checks                int64
	open                  int
}

func measure(c *contestant, cases []pair, tolerance float64, budget int64) (r result) {
	var s patch.Solver
	o := patch.DefaultOptions()
	o.Search, o.Tolerance, o.MaxIterations = c.search, tolerance, budget
	var took []float64
	var checks []int64
	for _, q := range cases {
		var im patch.Impact
		best := time.Duration(math.MaxInt64)
		for range 3 { // a busy machine: the least counts
			from := cputime.Now()
			if err := s.Solve(q.a, q.b, &o, &im); err != nil {
				panic(err)
			}
			best = min(best, cputime.Now()-from)
			if best > 10*time.Millisecond {
				break
			}
		}
		took = append(took, float64(best)/1e6)
		checks = append(checks, s.Work.Checks)
		if im.Verdict == geom.Undecided {
			r.open++
		}
		r.mean += float64(best) / 1e6 / float64(len(cases))
	}
	slices.Sort(took)
	slices.Sort(checks)
	r.median, r.longest, r.checks = took[len(took)/2], took[len(took)-1], checks[len(checks)/2]
	return r
}

// read reads cases: positions and velocities of both patches.
func read(path string, f patch.Form) (list []pair, err error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	n := 3 * f.Points()
	for at := 0; at+4*8*n <= len(raw); at += 4 * 8 * n {
		var p [2]*patch.Patch
		for k := range p {
			x0, x1 := make([]float64, n), make([]float64, n)
			for i := range n {
				number := func(j int) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(raw[at+8*j:])) }
				x0[i] = number(2*k*n + i)
				x1[i] = x0[i] + number(2*k*n+n+i)
			}
			if p[k], err = patch.New(f, x0, x1, nil); err != nil {
				return nil, err
			}
		}
		list = append(list, pair{p[0], p[1]})
	}
	return list, nil
}
