package rigid

import (
	"math"

	"ccd/core/num"
)

// turnAtOnce is the angle, in radians, by which both bodies together turn in a part of the interval
// that is searched by itself, at most.
const turnAtOnce = 1.0

// partEnd returns where the part that begins at from ends, if it is one of turnAtOnce radians.
func partEnd(from, to, rate float64) float64 {
	if part := turnAtOnce / rate; to-from > 1.5*part {
		return max(from+part, num.Up(from))
	}
	return to
}

// times is what a search between two bodies keeps of when they can meet.
type times struct {
	sweeps sweeps
	parts  parts
}

// parts chooses how long the parts of the interval are.
//
// What a search has opened stays open to the end of a part: pairs that have come near at some time
// are advanced one by one long after they have left, and pairs of nodes are opened where their
// bounds end, though new ones would last. A new part begins at the roots again. Of gears, whose
// teeth come and go, parts of a tenth of a radian take half of the time that those of a radian do.
//
// Parts are turnAtOnce long until one takes mostSteps steps, or one for each triangle. It is then
// cut where it has come to, unless it is half done. From there on the length goes up or down by a
// factor of 2 after each part, on in the direction in which an angle takes fewer steps.
//
// Any parts are sound. A part is cut at the least time of the heap, before which all pairs are
// proven apart, and that is later than its begin; the next part begins there. Numbers of steps
// depend on the query alone, and so do the parts.
type parts struct {
	from    float64 // where the part at hand begins
	steps   int64   // the steps before it
	length  float64 // how long parts are, in units of turnAtOnce
	most    int64   // the steps after which a part is cut
	chosen  bool    // whether a part has been cut
	factor  float64 // what the length was last multiplied by
	density float64 // the steps of the part before, divided by its length; 0 if there is none
}

// A part is not cut before it takes mostSteps steps.
var mostSteps int64 = 8192

const (
	fewSteps     = 256     // the next part is made longer after one of fewer
	shortestPart = 0x1p-12 // the least length of a part, in units of turnAtOnce
	leastCut     = 0x1p-3  // the least factor by which a cut shortens the parts
)

// reset prepares a search of bodies with so many triangles, which turn at a rate together.
func (p *parts) reset(triangles int, rate float64) {
	*p = parts{length: 1, most: max(mostSteps, int64(triangles))}
	if rate == 0 {
		p.most = math.MaxInt64 // There is one part.
	}
}

// begin begins a part at the time from and returns where it ends.
func (p *parts) begin(from, to, rate float64, steps int64) (end float64) {
	p.from, p.steps = from, steps
	return partEnd(from, to, rate/p.length)
}

// cut reports whether a part that ends at end is to be cut at the time t.
func (p *parts) cut(t, end float64, steps int64) bool {
	if steps-p.steps < p.most || !(t > p.from) {
		return false
	}
	if p.most < math.MaxInt64/4 {
		p.most *= 4 // What the search opens at the start of a part may take as many, however short it is.
	}
	done := (t - p.from) / (end - p.from)
	if !(done <= 0.5) {
		return false
	}
	p.length = max(p.length*max(2*done, leastCut), shortestPart)
	p.chosen, p.factor, p.density = true, 0.5, 0
	return true
}

// complete chooses the length of the next part after one that was not cut.
func (p *parts) complete(steps int64) {
	if !p.chosen {
		return
	}
	taken := steps - p.steps
	density := float64(taken) / p.length
	if p.density > 0 && density > p.density {
		p.factor = 1 / p.factor
	}
	if p.density = density; taken < fewSteps {
		p.factor = 2
	}
	p.length = min(max(p.length*p.factor, shortestPart), 1)
	p.most = max(mostSteps, 8*taken)
}
