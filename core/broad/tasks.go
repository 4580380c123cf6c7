package broad

import "ccd/core/geom"

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

// Tasks returns the plan's units of work, in an order that depends on the step alone.
func (p *Plan) Tasks() []Task { return p.todo.list }

// Weight returns the sum of the tasks' weights.
func (p *Plan) Weight() int64 { return p.todo.total }

// workerWeight is the weight that pays for a worker: to wake a thread takes as long as some hundred
// entries.
const workerWeight = 512

// Workers returns how many workers the tasks are enough for, at least one.
func (p *Plan) Workers() int {
	return max(1, int(min(int64(len(p.todo.list)), p.todo.total/workerWeight)))
}

// LongestFirst returns the number of the task that is the i-th to take, of those that wait for no
// result of another.
func (p *Plan) LongestFirst(i int) int {
	if i >= len(p.todo.turns) {
		return i
	}
	return int(p.todo.turns[i])
}
