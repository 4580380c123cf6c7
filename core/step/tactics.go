package step

import "ccd/core/narrow"

// tactics are the ways in which a call may save time. They are chosen once, when it begins; none of
// them changes a bit of a result.
type tactics struct {
	order     bool // plans may use the order of the mesh
	hierarchy bool // the hierarchy of the mesh may find the pairs of plans
	excerpt   bool // an excerpt of the step may give a search its first bound
	replace   bool // a sweep may replace given pairs
	keep      bool // a search may keep the pairs that it does not prove apart (advance_kept.go)
	around    bool // a search may look for pairs around some vertices alone
	sections  bool // the step may be swept in sections
	find      bool // a device may find pairs: it knows no regions
	remember  bool // memory may grow with the pairs in contact, and one portion holds all pairs
	room      room // what the memory limit leaves to plans
}

// tacticsOf returns those of a call on segments. A method with a tolerance proves less than the
// exact one, a device does not say what it leaves out, and the number of pairs that a search keeps
// is not bounded.
func tacticsOf(o *Options) tactics {
	ample, certain, host, whole := o.MemoryLimit == 0, o.Unique(), o.Device == nil, o.Region == nil
	all := o.Flags&narrow.BruteForce != 0
	swept := o.Candidates == nil && !all
	return tactics{
		order:     ample && whole && host,
		hierarchy: ample && certain && whole && host,
		excerpt:   ample && certain,
		replace:   ample && certain,
		keep:      ample && certain && host && !all,
		around:    ample && swept,
		sections:  ample && swept,
		find:      whole,
		remember:  ample,
		room:      roomOf(ample),
	}
}

// onPaths returns what remains of them where vertices are not on the segments.
func (t tactics) onPaths() tactics {
	return tactics{
		hierarchy: t.hierarchy, replace: t.replace, sections: t.sections, remember: t.remember, room: t.room,
	}
}

// A room is what the memory of a call leaves to a plan: boundless without a limit, else bounded.
type room interface {
	// remains returns the memory of a limit that remains for a plan and its lists; 0: any. So much
	// is used, and if impacts are listed, half of the remainder is reserved for them.
	remains(limit uint64, used int64, listed bool) int64
	// forget frees the lists of the workers that were sized for another portion.
	forget(workers []*worker)
}

// roomOf returns the room of a call, which is ample without a limit.
func roomOf(ample bool) room {
	if ample {
		return boundless{}
	}
	return bounded{}
}

type boundless struct{}

func (boundless) remains(uint64, int64, bool) int64 { return 0 }
func (boundless) forget([]*worker)                  {}

type bounded struct{}

func (bounded) remains(limit uint64, used int64, listed bool) int64 {
	remaining := int64(min(limit, 1<<62)) - used
	if listed {
		remaining /= 2
	}
	return max(1, remaining)
}

func (bounded) forget(workers []*worker) {
	for _, w := range workers {
		w.sweep.Forget()
	}
}
