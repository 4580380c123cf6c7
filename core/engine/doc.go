// Package engine runs one call of any domain: whole steps, one configuration, volumes, patches,
// rigid bodies. It depends on no geometry.
//
//	call.go       Call, CallOptions, Stats: what all calls share; clock.go Clock, which measures
//	              them
//	parallel.go   Parallel, the pool of workers, and Tasks, which they take
//	progress.go   Progress, the progress callback
//	budget.go     Budget, the memory of results, and List, which is counted by it
//	incumbent.go  Least and Incumbent, the time bound and the best result of a search for the
//	              earliest impact
//	team.go       the workers of a call, between its phases; trim.go returns the memory that
//	              finished calls leave
//	virtual.go, virtual_off.go   how long a call would take on more processors, for bench/threads
//
// A domain embeds CallOptions in its options and a Call in the state of a call:
//
//	if err := c.Begin(&o.CallOptions); err != nil { ... }
//	c.Progress.Part(weight, 1)
//	tasks := engine.NewTasks(0, n)
//	err := c.Run(n, func(worker int) {
//		for i := range tasks.All() {
//			... // task i, in the memory of this worker
//			if !c.Progress.Pass(1) {
//				return // cancelled
//			}
//		}
//	})
//	err = c.End(err)
package engine
