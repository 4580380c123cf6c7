package robot

// Touching appends to list what is known of each pair of bodies that is not free on an edge: those
// that touch, or are inside of one another, and those that are undecided, each with its own time,
// in the order in which they are found; control and degree are those of CheckCurve, and the degree
// 0 is a single configuration. All other tested pairs are proven free.
//
// A result whose B is -1 is the last: the budget, which counts for each pair, was spent, or bodies
// are so far away that balls and boxes could not be opened; of the pairs that are not listed
// nothing is known.
func (w *Worker) Touching(list []Result, control []float64, degree int, o *Options) ([]Result, error) {
	if err := o.check(); err != nil {
		return list, err
	}
	var err error
	if w.speed, err = w.f.setCurve(control, degree); err != nil {
		return list, err
	}
	bodies := len(w.f.robot.model.Bodies)
	w.f.left = append(w.f.left[:0], make([]bool, bodies*len(w.f.robot.movers))...)
	defer func() { w.f.left = w.f.left[:0] }()
	for {
		found := w.decide(o, 0, 1)
		if found.Verdict == Free {
			return list, nil
		}
		if !w.f.leaveOut(found.A, found.B) {
			found.Verdict, found.B = Undecided, -1
			return append(list, found), nil
		}
		list = append(list, found)
	}
}

// leaveOut keeps the search from looking at a pair again; it returns false if nothing was left out.
func (w *front) leaveOut(a, b int) (changed bool) {
	r := w.robot
	if a < 0 || b < 0 {
		return false
	}
	for i := range r.movers {
		own := int(r.movers[i].body)
		other := a
		if own == a {
			other = b
		} else if own != b {
			continue
		}
		at := i*len(r.model.Bodies) + other
		changed = changed || r.movers[i].tested[other] && !w.left[at]
		w.left[at] = true
	}
	return changed
}
