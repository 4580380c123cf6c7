//go:build ccd_virtual

package main

import (
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"time"

	"ccd/bench/cputime"
	"ccd/core/engine"
)

const defaultThreads = "1,2,4,8,16,64"

// columns are the headings of the numbers.
func columns(threads []int) (out []string) {
	out = []string{"ms, 1"}
	for _, n := range threads[1:] {
		out = append(out, fmt.Sprintf("x, %d", n))
	}
	return append(out, "phases", "serial", "work, 2")
}

// measure prints the time of a call on one processor, what it gains on more, the number of its
// phases, what it does on one thread between them and its processor time on the second number of
// threads, both beside the time of one. Each time is the least of some calls: the garbage collector
// does not run within them.
func measure(s *scene, c *call, threads []int, rounds int, detail bool) error {
	engine.ThreadTime = cputime.Now
	result := ""
	best, phases := make([]time.Duration, len(threads)), make([][]engine.Phase, len(threads))
	for i := range best {
		best[i] = math.MaxInt64
	}
	for range rounds + 2 {
		for i, n := range threads {
			var err error
			var got string
			runtime.GC()
			keep := debug.SetGCPercent(-1)
			list, took := engine.Record(func() { got, err = c.run(s, n) })
			debug.SetGCPercent(keep)
			if err != nil {
				return err
			}
			if err := agree(&result, got); err != nil {
				return err
			}
			if took < best[i] {
				best[i], phases[i] = took, list
			}
		}
	}
	fmt.Printf("| %s | %s | %.1f |", s.name, c.name, ms(best[0]))
	for i := range threads[1:] {
		fmt.Printf(" %.2f |", best[0].Seconds()/best[i+1].Seconds())
	}
	last := phases[min(1, len(threads)-1)]
	serial, work := time.Duration(0), time.Duration(0)
	for _, p := range last {
		serial, work = serial+p.Serial, work+p.Work
	}
	fmt.Printf(" %d | %.3f | %.2f |\n", len(last)-1, serial.Seconds()/best[0].Seconds(),
		(serial+work).Seconds()/best[0].Seconds())
	if detail {
		for i, n := range threads[1:] {
			fmt.Printf("\n%d threads: serial, then work / span (ms)\n", n)
			for _, p := range phases[i+1] {
				fmt.Printf("    %7.3f %8.3f / %7.3f  %d %s\n", ms(p.Serial), ms(p.Work), ms(p.Span), p.Workers, p.Where)
			}
		}
	}
	return nil
}

func ms(d time.Duration) float64 { return 1e3 * d.Seconds() }
