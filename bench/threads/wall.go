//go:build !ccd_virtual

package main

import (
	"fmt"
	"slices"
	"time"

	"ccd/bench/cputime"
)

const defaultThreads = "1,2"

// columns are the headings of the numbers.
func columns(threads []int) (out []string) {
	for _, n := range threads {
		out = append(out, fmt.Sprintf("ms, %d", n))
	}
	for _, n := range threads[1:] {
		out = append(out, fmt.Sprintf("x, %d", n))
	}
	for _, n := range threads[1:] {
		out = append(out, fmt.Sprintf("processor time, %d", n))
	}
	return out
}

// inARow is how many calls with the same number of threads follow one another, as in a program.
const inARow = 4

// measure prints the medians of calls, some in a row for each number of threads: wall clock, the
// gain beside the first number of threads, and the processor time beside it. The system counts the
// time of a thread where it ends or sleeps, so the clock of the process is read after a pause.
func measure(s *scene, c *call, threads []int, rounds int, _ bool) error {
	wall, cpu, result := make([][]float64, len(threads)), make([][]float64, len(threads)), ""
	for round := range rounds + 1 {
		for i, n := range threads {
			used := cputime.Process()
			for range inARow {
				began := time.Now()
				got, err := c.run(s, n)
				if err != nil {
					return err
				}
				took := time.Since(began).Seconds()
				if err := agree(&result, got); err != nil {
					return err
				}
				if round > 0 { // the first ones make room
					wall[i] = append(wall[i], took)
				}
			}
			time.Sleep(2 * time.Millisecond)
			if round > 0 {
				cpu[i] = append(cpu[i], (cputime.Process() - used).Seconds())
			}
		}
	}
	fmt.Printf("| %s | %s |", s.name, c.name)
	for i := range threads {
		fmt.Printf(" %.1f |", 1e3*median(wall[i]))
	}
	for i := range threads[1:] {
		fmt.Printf(" %.2f |", median(wall[0])/median(wall[i+1]))
	}
	for i := range threads[1:] {
		fmt.Printf(" %.2f |", median(cpu[i+1])/median(cpu[0]))
	}
	fmt.Println()
	return nil
}

func median(x []float64) float64 {
	slices.Sort(x)
	return x[len(x)/2]
}
