package rigid

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/num/quat"

	"ccd/core/contain"
	"ccd/core/engine"
	"ccd/core/geom"
	common "ccd/core/overlap"
	"ccd/core/rigid/poses"
	"ccd/core/status"
)

// volumeWhile returns the volume of the body's solid; ok is false where goOn was.
func (e *enclosing) volumeWhile(s *contain.Solid, goOn func() bool) (v common.Bracket, ok bool) {
	if v := e.volume.Load(); v != nil {
		return *v, true
	}
	if v, ok = common.VolumeWhile(s, goOn); ok {
		e.volume.Store(&v)
	}
	return v, ok
}

// Overlaps writes the volumes that the bodies a and b have in common at the time t when they move
// by ma[i] and mb[i]: common.Measure of their poses in real arithmetic. They are taken as exact
// where t = 0 or the bodies do not turn; else the bracket holds all places within rounding.
func Overlaps(a, b *Body, ma, mb []Motion, t float64, by *common.Options, out []common.Common, o *engine.CallOptions,
) error {
	if err := by.Check(); err != nil {
		return err
	}
	if err := checkTime(t); err != nil {
		return err
	}
	for i := range ma {
		for k, m := range [2]*Motion{&ma[i], &mb[i]} {
			if err := m.Check(t, t); err != nil {
				return fmt.Errorf("m%c[%d].%w", 'a'+k, i, err)
			}
		}
	}
	var call engine.Call
	if err := call.Begin(o); err != nil {
		return err
	}
	for i, body := range [2]*Body{a, b} {
		if body.grown.outer > 0 {
			return call.End(status.Errorf(status.ErrUnsupported, "%c has a radius, padding or deviation: the volume "+
				"that its rounded parts have in common with others is not computed; ask for the volume of bodies of "+
				"triangles that are as large (a lower bound: the same body without them), or penetration_depth", 'a'+i))
		}
	}
	sa, sb, err := closedSolids(a, b, &call)
	if err != nil {
		return call.End(err)
	}
	va, ok := a.enclosing.volumeWhile(sa, call.Progress.GoOn)
	if !ok {
		return call.End(call.Progress.Err())
	}
	vb, ok := b.enclosing.volumeWhile(sb, call.Progress.GoOn)
	if !ok {
		return call.End(call.Progress.Err())
	}
	for i := range ma {
		ab, ba := seenFrom(&mb[i], &ma[i], t), seenFrom(&ma[i], &mb[i], t)
		pab, pba := ab.placement(sa.Far()), ba.placement(sb.Far())
		done := func(f float64) float64 { return (float64(i) + f) / float64(len(ma)) }
		if out[i], err = common.Measure(&call, sa, sb, &pab, &pba, va, vb, by, done); err != nil {
			if len(ma) > 1 {
				err = fmt.Errorf("pair %d: %w", i, err)
			}
			break
		}
	}
	return call.End(err)
}

// NothingInCommon reports whether two bodies without radii, where they are at t = 0, surely have no
// volume in common. Of surfaces that are refused, as their parts overlap or are wound inwards, this
// is not known.
func NothingInCommon(a *Body, ma *Motion, b *Body, mb *Motion) (bool, error) {
	var found [1]common.Common
	err := Overlaps(a, b, []Motion{*ma}, []Motion{*mb}, 0, &common.Options{Tolerance: 1}, found[:],
		&engine.CallOptions{Threads: 1})
	if errors.Is(err, status.ErrArgument) {
		return false, nil
	}
	return err == nil && found[0].Volume.Hi == 0, err
}

// Depths writes to out where points in the world lie to a closed body, at the time t of its motion.
// Of a body that turns, at another t than 0, places are known to rounding, which widens brackets.
// Of bodies that are more than their triangles they are those of common.Thick.
func Depths(b *Body, m *Motion, t float64, points []float64, out []common.Depth, o *engine.CallOptions) error {
	if err := checkTime(t); err != nil {
		return err
	}
	if err := m.Check(t, t); err != nil {
		return fmt.Errorf("motion.%w", err)
	}
	if len(points) != 3*len(out) {
		return status.Errorf(status.ErrArgument, "points has %d coordinates for %d results", len(points), len(out))
	}
	for i, x := range points {
		if !(math.Abs(x) <= MaxMagnitude) {
			return fmt.Errorf("points[%d][%d] is %v: %w", i/3, i%3, x, poses.ErrMagnitude)
		}
	}
	world := Motion{Rotation: quat.Number{Real: 1}}
	frame, back := seenFrom(m, &world, t), seenFrom(&world, m, t)
	var call engine.Call
	if err := call.Begin(o); err != nil {
		return err
	}
	s, err := b.closedSolid("body", &call)
	if err != nil {
		return call.End(err)
	}
	place := func(i int) contain.Point { return frame.point((*geom.Vec)(points[3*i:])) }
	if b.grown.outer > 0 {
		k := b.thick(s)
		err = k.Depths(&call, out, func(i int) contain.Point { return known(place(i)) })
	} else {
		err = common.Depths(&call, s, out, place)
	}
	for i := range out {
		d := &out[i]
		at := back.point(&d.At)
		n := d.Normal
		d.At = at.At
		for k := range d.Normal {
			d.Normal[k] = geom.Dot3(&back.m[k], &n)
		}
	}
	return call.End(err)
}
