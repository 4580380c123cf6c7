// Package engine carries one call of any domain: whole steps, one configuration, volumes, patches, rigid bodies. It has the options that
// all calls share, the workers, the tasks they take, the progress callback, the statistics, and the time bound of a search for the earliest
// impact. It knows nothing of geometry.
//
// A domain embeds CallOptions in its options and a Call in what it keeps for the length of a call:
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
