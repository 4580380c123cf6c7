package rigid

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/bvh"
	"ccd/core/geom"
	"ccd/core/num"
	"ccd/core/rigid/screw"
)

// lasting is what a search between two bodies keeps to look at their whole motion at once.
type lasting struct {
	end     float64 // the end of all parts of time
	motions [2]*Motion
	at      int64 // how many steps are taken before the motion is looked at; it is tried once
}

// A search looks for a screw once it has taken screwSteps steps and one for every screwShare
// triangles: until then it costs less than images do. A step counts as many tests of images as take
// about as long.
var screwSteps int64 = 1024

const (
	screwShare   = 2
	testsPerStep = 16
)

// mostWindows is how many windows are searched, by the level of the images, and an allowance how
// many steps that may take before images of the next level are tried.
var mostWindows = [screw.Levels]int{1 << 11, 1 << 13}

const (
	leastAllowance = 1 << 12
	stepsPerWindow = 4
)

// begin prepares a search that ends at the time end.
func (l *lasting) begin(q *query, from, end float64) {
	l.end, l.at = end, math.MaxInt64
	if n := len(q.a.body.tri) + len(q.b.body.tri); l.motions[0] != nil && from < end && n <= screw.MostTriangles {
		l.at = screwSteps + int64(n/screwShare)
	}
}

// A pictured is a body as package screw sees it.
type pictured struct{ body *Body }

func (p pictured) Triangles() []bvh.Triangle        { return p.body.tri }
func (p pictured) Box() (lo, hi r3.Vec)             { return p.body.lo, p.body.hi }
func (p pictured) RadiusAbout(point r3.Vec) float64 { return p.body.radiusAbout(point) }
func (p pictured) Kept() *screw.Kept                { return &p.body.pictures }

// screwPair returns the bodies of the query about the middle of a time.
func (q *query) screwPair(motions [2]*Motion, from, to float64) (p screw.Pair) {
	mid := float64(0.5*from) + float64(0.5*to)
	p = screw.Pair{Bodies: [2]screw.Body{pictured{q.a.body}, pictured{q.b.body}}, Motions: motions,
		From: from, Mid: mid, To: to, Way: q.between(mid)}
	for k, side := range [2]*bodyState{&q.a, &q.b} {
		sin, cos := side.angle(mid)
		side.turned(sin, cos, &p.Turns[k])
	}
	return p
}

// settle looks at the motion of both bodies at once, where nothing comes near before the time from.
// If this settles the search, the result is written.
func (l *lasting) settle(s *Solver, from float64) (settled bool) {
	l.at = math.MaxInt64
	pair := s.query.screwPair(l.motions, from, l.end)
	motion, ok := screw.Of(&pair)
	if !ok {
		return false
	}
	levels := screw.Levels
	if motion.Slides() {
		levels = 1 // The images of a slide do not bend.
	}
	goal := num.AddUp(s.separation, s.o.Tolerance)
	searched := false
	for level := range levels {
		motion.From = from
		a := screw.ImagesOf(pair.Bodies[0], motion.Axes[0], level)
		b := screw.ImagesOf(pair.Bodies[1], motion.Axes[1], level)
		windows, tests, ok := screw.Near(&motion, a, b, goal, mostWindows[level])
		s.steps += tests / testsPerStep
		if !ok {
			continue
		}
		allowance := int64(math.MaxInt64)
		if level+1 < levels {
			allowance = leastAllowance + int64(stepsPerWindow*len(windows))
		}
		searched = true
		if settled, from = searchWindows(s, windows, allowance); settled {
			return true
		}
	}
	if !searched {
		return false
	}
	s.end = s.times.parts.begin(from, l.end, s.a.rate+s.b.rate, s.steps)
	s.heap = append(s.heap[:0], item{Time: from, Item: pending{same: true}})
	return false
}

// searchWindows looks for contact of the pairs of the windows, each in its time, where no others
// come near: it is ended, with leaves alone. If it takes more steps than the allowance it stops,
// and returns a time before which nothing comes near.
func searchWindows(s *Solver, windows []screw.Window, allowance int64) (settled bool, from float64) {
	s.heap = s.heap[:0]
	for i := range windows {
		s.heap.Push(windows[i].From, pending{a: int32(i)})
	}
	budget := s.budget
	defer func() { s.budget = budget }()
	if budget == 0 || budget-s.steps > allowance {
		s.budget = s.steps + min(allowance, math.MaxInt64-s.steps)
	}
	for len(s.heap) > 0 {
		it := s.heap[0]
		if s.late = it.Time > s.until; s.late {
			return true, it.Time
		}
		if s.spent() {
			if budget == 0 || s.steps < budget {
				return false, it.Time
			}
			s.out.SetUndecided(it.Time, geom.ReasonIterations)
			return true, it.Time
		}
		w := &windows[it.Item.a]
		s.end = w.To
		s.heap.Pop()
		s.move(it.Time)
		if s.advanceLeaf(it, w.A, w.B) {
			return true, it.Time
		}
	}
	return true, 0
}
