package penetration

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/rigid"
)

// Limits of one walk along the surfaces.
const (
	mostSteps  = 24 // sweeps
	mostPlanes = 6  // contacts that are remembered
)

// lift, times the sum of the radii, is how far a walk keeps from the contacts that it knows: eight
// tolerances of its sweeps.
const lift = 8 * nearness

// contact is a plane that places of A are to stay beyond: n.x >= c.
type contact struct {
	n r3.Vec
	c float64
}

// follow walks along the surfaces from a place where they touch, to where the way out is shortest
// nearby [Je2012].
//
// Where A touches B the border of the places at which they share points has the contact's normal.
// So the next place is the nearest one to the origin beyond the planes of the contacts so far,
// lifted a little. A goes there on a straight line: all places before its first contact are ways
// out, which follows from the laws of the search for contact as in surfaces. A contact on the way
// is one more plane. At the place it moves on toward the origin; and where it does not get there,
// toward each of the planes that held it, one of which may have ended.
func (w *ways) follow(e stop) error {
	up := float64(lift * w.reach)
	var known []contact
	for steps := 0; steps < mostSteps && !e.end && e.n != (r3.Vec{}); steps++ {
		c := contact{e.n, geom.Dot(e.n, e.at) + up}
		if len(known) == mostPlanes {
			known = known[1:]
		}
		known = append(known, c)
		to, held := nearestBeyond(known)
		if held == nil || !(geom.Norm(to) < geom.Norm(e.at)-float64(4*up)) {
			return nil
		}
		next, ok, err := w.sweep(w.back(&e, up), to)
		if err != nil || !ok {
			return err
		}
		if !next.end {
			e = next
			continue
		}
		// A is at the place: which of the planes still hold it there?
		pushes := append([]r3.Vec{geom.Scale(-1, to)}, make([]r3.Vec, 0, len(held))...)
		for _, h := range held {
			if len(held) > 1 {
				pushes = append(pushes, geom.Scale(-geom.Norm(to), known[h].n))
			}
		}
		moved := false
		for _, d := range pushes {
			steps++
			next, ok, err := w.sweep(to, r3.Add(to, d))
			if err != nil || !ok {
				return err
			}
			if geom.Norm(r3.Sub(next.at, to)) > float64(4*up) {
				known, e, moved = fresh(known, next.at, up), next, true
				break
			}
		}
		if !moved {
			return nil
		}
	}
	return nil
}

// fresh returns the contacts whose planes a place is at.
func fresh(known []contact, at r3.Vec, up float64) (kept []contact) {
	for _, k := range known {
		if geom.Dot(k.n, at) <= k.c+up && geom.Dot(k.n, at) >= k.c-float64(4*up) {
			kept = append(kept, k)
		}
	}
	return kept
}

// back returns a place of a sweep before its end, where the contact is as far away as up, or as the
// sweep began.
func (w *ways) back(e *stop, up float64) r3.Vec {
	way := r3.Sub(e.from, e.at)
	length := geom.Norm(way)
	if !(length > 0) {
		return e.at
	}
	rise := max(geom.Dot(way, e.n)/length, 0x1p-6)
	return r3.Add(e.at, geom.Scale(min(1, float64(2*up)/float64(rise*length)), way))
}

// nearestBeyond returns the point nearest to the origin of those beyond all planes, and the planes
// on which it lies; nil if the origin is beyond all, or no point is found.
func nearestBeyond(planes []contact) (best r3.Vec, held []int) {
	least := math.Inf(1)
	take := func(x r3.Vec, on ...int) {
		size := geom.Norm(x)
		if !(size < least) {
			return
		}
		for i, p := range planes {
			inside := false
			for _, k := range on {
				inside = inside || k == i
			}
			if !inside && geom.Dot(p.n, x) < p.c-float64(0x1p-40*size) {
				return
			}
		}
		least, best, held = size, x, append([]int(nil), on...)
	}
	for i, p := range planes {
		take(geom.Scale(p.c, p.n), i)
		for j, q := range planes[:i] {
			// x = s p.n + t q.n
			cos := geom.Dot(p.n, q.n)
			det := 1 - float64(cos*cos)
			if !(det > 0x1p-30) {
				continue
			}
			s, t := (p.c-float64(cos*q.c))/det, (q.c-float64(cos*p.c))/det
			take(r3.Add(geom.Scale(s, p.n), geom.Scale(t, q.n)), i, j)
			for k, r := range planes[:j] {
				det := geom.Dot(p.n, geom.Cross(q.n, r.n))
				if !(math.Abs(det) > 0x1p-20) {
					continue
				}
				x := r3.Add(geom.Scale(p.c, geom.Cross(q.n, r.n)),
					r3.Add(geom.Scale(q.c, geom.Cross(r.n, p.n)), geom.Scale(r.c, geom.Cross(p.n, q.n))))
				take(geom.Scale(1/det, x), i, j, k)
			}
		}
	}
	return best, held
}

// pockets tries places nearer than the best way out: where nothing touches, and nothing is inside
// of anything, A goes on toward the origin from there and along the surfaces. Such a place may be
// one that no straight way reaches, or none at all.
func (w *ways) pockets() error {
	tried, followed := 0, 0
	for i := 1; tried < samples && followed < fromPlaces && !w.spent(); i++ {
		at := inCube(i)
		if geom.Dot(at, at) > 1 {
			continue
		}
		tried++
		at = geom.Scale(w.out.Hi, at)
		free, err := w.free(at)
		if err != nil {
			return err
		}
		w.out.Iterations++
		if !free {
			continue
		}
		followed++
		e, ok, err := w.sweep(at, r3.Vec{})
		if err == nil && ok {
			err = w.follow(e)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// free reports whether A at a place shares no point with B.
func (w *ways) free(at r3.Vec) (bool, error) {
	s := w.s
	pa := geom.Pose{Rotation: w.moving.Rotation, Position: at}
	pb := geom.Pose{Rotation: w.fixed.Rotation, Position: w.fixed.Position}
	meets, err := s.ruler.Intersects(s.a, &pa, s.b, &pb)
	return err == nil && !meets && !rigid.Nested(s.a, &pa, s.b, &pb), err
}

// inCube returns a point of a sequence that fills the cube [-1, 1]^3 evenly: multiples of powers of
// the root of x^4 = x + 1, without their whole parts [Roberts2018].
func inCube(i int) r3.Vec {
	part := func(x float64) float64 {
		x = float64(x * float64(i))
		return float64(2*(x-math.Floor(x))) - 1
	}
	return r3.Vec{X: part(0.8191725133961645), Y: part(0.6710436067037893), Z: part(0.5497004779019703)}
}
