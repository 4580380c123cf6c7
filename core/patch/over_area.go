package patch

import (
	"math/bits"

	"ccd/core/geom"
)

// areaBins is how many of the 64 equal parts of a parameter's range cells must be in to be called
// an area: an eighth of a patch. The cells of one tangential contact are within sqrt(8 R tolerance)
// of it, R the radius of curvature, which is less unless the patches are within the tolerance over
// so much of them.
const areaBins = 8

// overArea returns geom.ReasonArea where the cells that may be in contact as early as c, up to the
// time in which the patches move by the tolerance, lie over an eighth of a parameter's range:
// contact over an area, or along a curve. Else 0. It is a diagnosis and no proof.
func (s *search) overArea(c *cell) uint32 {
	x := s.center(c)
	s.evaluate(&x, 1)
	late := c.t0 + s.tolerance/max(s.velocity().length(), s.tolerance)
	var seen [4]uint64
	for i := range s.heap {
		if k := &s.heap[i]; k.t0 <= late {
			for j, u := range s.center(k) {
				seen[j] |= 1 << min(uint(64*u), 63)
			}
		}
	}
	for _, of := range seen {
		if bits.OnesCount64(of) >= areaBins {
			return geom.ReasonArea
		}
	}
	return 0
}
