//go:build !ccd_virtual

package engine

// turn is where a worker takes a task.
func turn() {}

// parallel is Parallel for n > 1.
func parallel(n int, work func(worker int)) error { return concurrently(n, work) }
