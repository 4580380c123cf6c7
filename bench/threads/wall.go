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

// measure prints the medians of alternating calls: wall clock, the gain beside the first number of
// threads, and the processor time beside it.
func measure(s *scene, c *call, threads []int, rounds int, _ bool) error {
	wall, cpu, result := make([][]float64, len(threads)), make([][]float64, len(threads)), ""
	for round := range rounds + 2 {
		for i, n := range threads {
			began, used := time.Now(), cputime.Process()
			got, err := c.run(s, n)
			if err != nil {
				return err
			}
			if err := agree(&result, got); err != nil {
				return err
			}
			if round >= 2 { // the first ones make room
				wall[i] = append(wall[i], time.Since(began).Seconds())
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
