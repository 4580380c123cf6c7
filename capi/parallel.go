package main

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"sync"
)

// mostThreads is CCD_NUM_THREADS as it was when the library was loaded; 0 when it is absent or no positive number.
var mostThreads = func() int {
	n, err := strconv.Atoi(os.Getenv("CCD_NUM_THREADS"))
	if err != nil || n < 0 {
		return 0
	}
	return n
}()

// workers is the number of threads a call may use: those asked for, or all that this process may use, at most
// CCD_NUM_THREADS.
func (s *settings) workers() int {
	n := s.threads
	if n == 0 {
		n = runtime.GOMAXPROCS(0)
	}
	if mostThreads > 0 {
		n = min(n, mostThreads)
	}
	return n
}

// parallel runs work on so many goroutines, or on the caller's alone, and waits for all. A panic of one becomes an error.
func parallel(workers int, work func()) error {
	if workers <= 1 {
		work()
		return nil
	}
	var wait sync.WaitGroup
	panics := make(chan error, workers)
	for range workers {
		wait.Go(func() {
			defer func() {
				if r := recover(); r != nil {
					panics <- fmt.Errorf("a defect of the library, please report it: %v (%s)", r, origin())
				}
			}()
			work()
		})
	}
	wait.Wait()
	select {
	case err := <-panics:
		return err
	default:
		return nil
	}
}
