package broad

import (
	"ccd/core/bound"
	"ccd/core/geom"
	"ccd/core/num"
)

// orient returns the map that suits the step, or nil for the axes. It samples the most numerous of
// edges and faces.
func (p *Plan) orient() (*bound.Map, error) {
	var w *familyPlan
	var l *layer
	for i := range p.work {
		if last := p.work[i].last(); last.Shape != geom.Vertex && (l == nil || last.n > l.n) {
			w, l = &p.work[i], last
		}
	}
	if l == nil || p.how.Tactic.Orient != OrientAlways && (l.n < orientLeast || w.crowding(p) < orientCrowd) {
		return nil, nil
	}
	c := outlines{p: p, layer: l, size: p.how.largest, outlineMemory: &p.scratch.outlined}
	best := c.candidate(min(l.n, orientSampled))
	if best == nil || p.how.Tactic.Orient == OrientAlways {
		return best, nil
	}
	pays, err := c.pays(best)
	if !pays {
		return nil, err
	}
	return best, nil
}

// suit chooses a map, or pieces, where they pay. It reports whether the plan is complete: one of
// the pairs whose pieces were found.
func (p *Plan) suit(all []family) (bool, error) {
	if p.how.Tactic.Orient == AlongAxes {
		return false, nil
	}
	if p.how.Tactic.Orient != DivideAlways {
		m, err := p.orient()
		if err != nil {
			return false, err
		}
		if err := p.useMap(m, all); err != nil {
			return false, err
		}
	}
	if p.space.Map != nil || p.how.Tactic.Orient == OrientAlways {
		return false, nil
	}
	size := p.pieceSize()
	if p.how.within > 0 { // A memory limit has no room for what the next plan would use again.
		p.scratch.outlined = outlineMemory{}
	}
	if size > 0 {
		if err := p.sampleMore(all); err != nil {
			return false, err
		}
		return p.divide(size)
	}
	return false, nil
}

// useMap changes the coordinates of the record space to those of a map, unless it is nil.
func (p *Plan) useMap(m *bound.Map, all []family) error {
	if m == nil {
		return nil
	}
	p.scratch.sampler.Map, p.scratch.sampler.Few = m, false
	p.how.Input.Separation = num.AddUp(p.how.Input.Separation, p.how.Tactic.Farther)
	return p.sampleSpace(all)
}

// Oriented reports whether the plan compares boxes along other directions than the axes, so that
// the boxes of a pair along the axes may be apart.
func (p *Plan) Oriented() bool {
	return p.space.Map != nil && len(p.work) > 0 && (p.tactic == byNumbers || p.tactic == byPlaces)
}

// Plain reports whether the plan compares the boxes of whole primitives along the axes.
func (p *Plan) Plain() bool { return !p.Given() && !p.Oriented() }
