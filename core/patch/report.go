package patch

import (
	"math"

	"ccd/core/geom"
)

// report fills in the fields of an impact other than its times, from a place at TOILo.
func (q *query) report(p *place, im *Impact) {
	t := im.TOILo
	n, width := q.oriented(p, im)
	i := 2 * q.callersFirst
	im.UVA, im.UVB = [2]float64(p.x[i:i+2]), [2]float64(p.x[2-i:4-i])
	at := q.jet[q.callersFirst].at(value, t)
	o := &q.local.origin
	for k, c := range [3]float64{at.X, at.Y, at.Z} {
		im.Point[k] = c/q.local.unit + float64((1-t)*o[0][k]) + float64(t*o[1][k])
	}
	if q.callersFirst == 1 {
		n = n.times(-1)
	}
	im.Normal = [3]float64{n.X, n.Y, n.Z}
	im.Width = width / q.local.unit
	// Where weights are far apart, a contact may be known although no time before it is proven
	// safe.
	if t == 0 && im.Verdict == geom.Contact && !(q.noZero && im.TOIHi > 0) {
		im.Flags |= geom.InitialContact
	}
}

// oriented evaluates a place and returns the normal there and the width. Law 9: along the normal of
// a contact the first point is not behind the second at TOIHi by more than the width and rounding.
// The surfaces' normal, turned against the motion, may be, where points were taken for a contact a
// part of the tolerance before Newton's method had brought them together: then it goes on, and
// where they stay apart (as they do where patches pierce each other from the start, at places of
// either) their difference says which way.
func (q *query) oriented(p *place, im *Impact) (n vec, width float64) {
	for again := !q.adjacent && !trimmed(q); ; again = false {
		q.evaluate(&p.x, 1)
		n, width = q.normal(p, im.TOILo), float64((im.TOIHi-im.TOILo)*q.velocity().length())
		if im.Verdict != geom.Contact || !(n.dot(q.difference(im.TOIHi)) < -(width + q.contactTolerance)) {
			return n, width
		}
		if !again {
			return n.times(-1), width
		}
		q.approach(p, im.TOIHi, q.contactTolerance)
	}
}

// normal returns a unit vector from the second patch to the first at the place evaluated last. With
// a separation it is along the difference. In contact it is across the directions in which the
// points are free to move, which at edges and corners are the other patch's, and against the
// motion; if they have no common normal, along the difference or against the motion.
func (q *query) normal(p *place, t float64) vec {
	f, w := q.difference(t), q.velocity()
	if q.check.separation > 0 {
		if n, ok := f.unit(); ok {
			return n
		}
	}
	loose := *p
	for i := range 2 {
		loose.active[i] = activeAt(q.surf[i].form, p.x[2*i], p.x[2*i+1])
	}
	n, ok := q.across(&loose, t).unit()
	if !ok { // At corners of both patches, smooth bodies have a normal all the same.
		loose.active = [2]uint8{}
		n, ok = q.across(&loose, t).unit()
	}
	switch {
	case ok && n.dot(w) > 0 || ok && n.dot(w) == 0 && n.dot(f) < 0:
		return n.times(-1)
	case ok:
		return n
	}
	if n, ok = f.unit(); ok && f.length() > 16*q.gapError {
		return n
	}
	if n, ok = w.times(-1).unit(); ok {
		return n
	}
	return vec{1, 0, 0}
}

// across is normal to two directions in which a place is free to move: the two nearest to a right
// angle, with a normal along which the patches do move against each other. Zero if there are no
// such directions: where smooth edges run nearly side by side, the normal of the two says nothing.
func (q *query) across(p *place, t float64) (best vec) {
	var col [4]column
	most := 0x1p-6
	w, ok := q.velocity().unit()
	for i := range q.columns(p, t, &col) {
		for j := range i {
			n := col[i].g.cross(col[j].g)
			score := 1 / (col[i].g.length() * col[j].g.length())
			if ok {
				score *= math.Abs(n.dot(w))
			} else {
				score *= n.length()
			}
			if score > most {
				best, most = n, score
			}
		}
	}
	return best
}
