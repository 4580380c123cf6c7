package curved

import "ccd/core/geom"

// Inspection is what tests see of a path.
type Inspection struct {
	First, All int     // the first part of the current section, of how many; 0 and 1: the whole step
	Whole      bool    // the section is the whole step
	Swept      int     // the number of sections that were entered
	UpToTime   float64 // the midlines of the whole step cover [0, UpToTime] or somewhat more
	Levels     []Level // the levels of parts, once all of them are made
}

// Level is a level of parts.
type Level struct {
	Parts     int
	Deviation []float64 // how far midlines are off, by vertex; empty where parts are curves
	Off       float64   // how far the control points of curves are taken to be off
}

// Inspect returns what tests see of a path.
func (p *Path) Inspect() Inspection {
	s := &p.section
	i := Inspection{First: s.first, All: s.all, Whole: s.whole(), Swept: p.swept, UpToTime: p.upToTime}
	for _, l := range p.sieve.deep {
		level := Level{Parts: len(l.parts), Deviation: l.deviation}
		if c, isCurve := l.parts[0].filter.(*curveFilter); isCurve {
			level.Off = c.curves.Off
		}
		i.Levels = append(i.Levels, level)
	}
	return i
}

// WithoutParts keeps the sieve from making parts.
func (p *Path) WithoutParts() { p.sieve.once = nil }

// Possible returns how many pairs of a block the sieve does not prove apart.
func (p *Path) Possible(w *Worker, k geom.Kind, pairs [][2]int32, tMax float64) int {
	return len(p.sift(w, k, pairs, tMax))
}
