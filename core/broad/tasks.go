package broad

import (
	"math"

	"ccd/core/geom"
)

// Task is a unit of work: some cells of one family.
type Task struct {
	Kind   geom.Kind
	Weight int // Weight is the number of entries: a measure of the work, known before any pair is found.
	family int
	c0, c1 int      // cells, or positions among given pairs or in a list of a device, whose number is family
	keys   keyRange // keys are those of the cell, where there is only one.
	work   float32  // work is an estimate of the time that it takes.
}

// taskWeight is the least number of entries of a task, so that the cost of distributing tasks is
// negligible.
const taskWeight = 1024

// taskList is the tasks of a plan.
type taskList struct {
	list  []Task
	total int64   // total is the sum of the weights.
	turns []int32 // turns are the tasks in the order in which they are taken; empty for that of the list.
}

// clear removes all tasks, and keeps the memory.
func (l *taskList) clear() { l.list, l.total, l.turns = l.list[:0], 0, l.turns[:0] }

// add adds a task.
func (l *taskList) add(t Task) {
	l.list = append(l.list, t)
	l.total += int64(t.Weight)
}

// A keyRange is an interval of the sweep's axis within a cell. A cell with many entries is split
// into key ranges, each a task of its own; otherwise the other threads would wait for the one that
// sweeps this cell.
//
// A sweep finds a pair at the primitive that begins first. So disjoint key ranges that cover the
// axis have disjoint sets of pairs that cover all pairs. A range needs the primitives that begin in
// it, and those that begin later, up to where the former end.
//
// The entries of a split cell are in the order of its ranges, so a task reads only the entries that
// it needs: a cell of n entries has n/2048 ranges, and reading all entries for each would be
// quadratic.
type keyRange struct {
	from, to  int32 // keys, both included
	split, at int32 // it is range number at of familyPlan.splits[split], if split >= 0
}

// wholeCell is the range of all keys.
var wholeCell = keyRange{math.MinInt32, math.MaxInt32, -1, 0}

// cellSplit holds the key ranges of a cell.
type cellSplit struct {
	cell int
	from []int32 // the least key of each
	// first has by layer where the entries of each range begin in the cell, and at last their
	// number.
	first [2][]int32
}

// keyRange returns range i of the split, which is number split of its family.
func (c *cellSplit) keyRange(split, i int) keyRange {
	to := int32(math.MaxInt32)
	if i+1 < len(c.from) {
		to = c.from[i+1] - 1
	}
	return keyRange{c.from[i], to, int32(split), int32(i)}
}

// rangeOf returns the number of the range that contains a key: the last that begins at or below it.
func rangeOf(from []int32, key int32) int {
	lo, n := 0, len(from)
	for n > 1 {
		half := n / 2
		if from[lo+half] <= key {
			lo += half
		}
		n -= half
	}
	return lo
}
