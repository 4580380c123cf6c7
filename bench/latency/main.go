// Command latency times single queries: every method, minimum separation and tolerance on every set
// of queries of the data folder. It prints one JSON document, for bench/run.py. Each query runs by
// itself on one thread through narrow.Solver, as often as its cost allows; its time is the median.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"ccd/bench/cputime"
	"ccd/core/geom"
	"ccd/core/narrow"
)

// row is the outcome of one method on one set of queries.
type row struct {
	Set        string  `json:"set"`
	Kind       string  `json:"kind"`
	Method     string  `json:"method"`
	Separation float64 `json:"d"`
	Tolerance  float64 `json:"tolerance"`
	Queries    int     `json:"queries"`
	Mean       float64 `json:"mean_us"`
	P50        float64 `json:"p50_us"`
	P90        float64 `json:"p90_us"`
	P99        float64 `json:"p99_us"`
	Worst      float64 `json:"worst_us"`
	Undecided  int     `json:"undecided"`
	Missed     int     `json:"missed"` // against the truth of the file, which is about d = 0
	False      int     `json:"false"`  // likewise; only counted for d = 0
}

var methods = []struct {
	name   string
	method narrow.Method
}{
	{"exact", narrow.Exact},
	{"time-contracted", narrow.TimeContracted},
	{"tight-inclusion", narrow.TightInclusion},
}

func main() {
	data := flag.String("data", "../shared/data", "the data folder")
	separations := flag.String("d", "0,1e-8,1e-3", "minimum separations")
	tolerances := flag.String("tolerance", "1e-6", "tolerances")
	limit := flag.Int("limit", 0, "at most this many queries of a set, evenly chosen; 0 = all")
	most := flag.Duration("time", 0, "processor time after which a method ends with a set, in a random order; 0 = none")
	flag.Parse()
	runtime.LockOSThread() // The thread is locked, because the time of the thread is measured.
	if err := run(*data, *separations, *tolerances, *limit, *most); err != nil {
		fmt.Fprintln(os.Stderr, "latency:", err)
		os.Exit(1)
	}
}

func run(data, separations, tolerances string, limit int, most time.Duration) error {
	d, err := numbers(separations)
	if err != nil {
		return err
	}
	tol, err := numbers(tolerances)
	if err != nil {
		return err
	}
	sets, err := load(data)
	if err != nil {
		return err
	}
	rows := []row{}
	for i := range sets {
		sets[i].thin(limit)
		for _, m := range methods {
			for _, d := range d {
				for _, tol := range tol {
					if r, ok := measure(&sets[i], m.name, m.method, d, tol, most); ok {
						rows = append(rows, r)
					}
					if m.method == narrow.Exact {
						break // it has no tolerance
					}
				}
			}
		}
	}
	return json.NewEncoder(os.Stdout).Encode(rows)
}

func numbers(list string) ([]float64, error) {
	var out []float64
	for _, w := range strings.Split(list, ",") {
		x, err := strconv.ParseFloat(w, 64)
		if err != nil {
			return nil, err
		}
		out = append(out, x)
	}
	return out, nil
}

// measure is false when the method does not carry out these options. It ends once the queries have
// taken the time most, if that is not 0, and the row says how many there were.
func measure(s *set, name string, method narrow.Method, d, tol float64, most time.Duration) (row, bool) {
	o := narrow.DefaultOptions()
	o.Method, o.MinSeparation, o.Tolerance = method, d, tol
	r := row{Set: s.name, Kind: s.kind.String(), Method: name, Separation: d, Tolerance: tol}
	if o.Check() != nil || o.Supported(s.kind) != nil {
		return r, false
	}
	solver := narrow.NewSolver()
	var times []float64
	start := cputime.Now()
	for _, i := range rand.New(rand.NewPCG(1, 1)).Perm(len(s.q) / 24) {
		if most > 0 && len(times) > 0 && cputime.Now()-start > most {
			break
		}
		q := s.q[24*i : 24*i+24]
		var out geom.Impact
		times = append(times, clock(func() { solver.Solve(s.kind, q, &o, &out) }))
		switch {
		case out.Verdict == geom.Undecided:
			r.Undecided++
		case s.truth == nil:
		case out.Verdict == geom.Separate && s.truth[i]:
			r.Missed++
		case out.Verdict == geom.Contact && !s.truth[i] && d == 0:
			r.False++
		}
	}
	r.Queries = len(times)
	for _, t := range times {
		r.Mean += t / float64(len(times))
	}
	slices.Sort(times)
	at := func(p float64) float64 { return times[min(len(times)-1, int(p*float64(len(times))))] }
	r.P50, r.P90, r.P99, r.Worst = at(0.5), at(0.9), at(0.99), at(1)
	return r, true
}

// clock is the time of one call in microseconds: the median of up to nine measurements, as long as
// they are short, and each of as many calls as the clock needs.
func clock(call func()) float64 {
	repeat := 1
	block := func() time.Duration {
		start := cputime.Now()
		for range repeat {
			call()
		}
		return cputime.Now() - start
	}
	t := block()
	for t < 10*time.Microsecond && repeat < 1024 {
		repeat *= 4
		t = block()
	}
	samples := []float64{float64(t) / 1e3 / float64(repeat)}
	for total := t; len(samples) < 9 && total < 300*time.Microsecond; total += t {
		t = block()
		samples = append(samples, float64(t)/1e3/float64(repeat))
	}
	slices.Sort(samples)
	return samples[len(samples)/2]
}
