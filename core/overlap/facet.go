package overlap

import (
	"math"

	"ccd/core/contain"
)

// facet is a triangle of a solid in a frame, as the top of a column: of the points below it, whose
// projections are in its own. It is turned so that its corners go counterclockwise as seen from
// above.
type facet[T number[T]] struct {
	c       [3][3]T
	n       [3]T       // the normal, as computed; n[2] >= 0
	way     int        // 1 where the triangle is seen from above in its own order, else -1
	lo, hi  [2]float64 // A box that holds the projection, cut to the frame.
	outline []vertex[T]
	weight  float64 // the weight of the outline: see polygon.weight
	size    float64 // The magnitudes of coordinates are at most this, which is at least 1.
	off     float64 // a bound on the error of coordinates
	height  float64 // a bound on the error of heights on the plane above the frame; +Inf where it is not known
}

// spread returns at least the diameter of the outline.
func (f *facet[T]) spread() float64 { return f.hi[0] - f.lo[0] + (f.hi[1] - f.lo[1]) }

// facets returns the triangles of a solid whose columns may reach into the frame.
func facets[T number[T]](ar *arithmetic[T], fr *frame, s *contain.Solid, by *contain.Placement) (out []facet[T]) {
	tri := s.Triangles()
	for i := range tri {
		var f facet[T]
		f.way = 1
		f.size = 1
		for c := range tri[i] {
			p := by.Point(&tri[i][c])
			var off [3]float64
			f.c[c], off = local(ar, fr, &p)
			for n, x := range f.c[c] {
				f.size = max(f.size, math.Abs(x.float()))
				f.off = max(f.off, off[n])
			}
		}
		if f.reaches(fr) && f.measure(ar, fr) {
			out = append(out, f)
		}
	}
	return out
}

// reaches computes the box of the projection, and reports whether the column may reach into the
// frame: whether the projection meets the frame's, and some corner is not below the frame.
//
// float is within 2^-53 of a number, relatively.
func (f *facet[T]) reaches(fr *frame) bool {
	margin := f.off + float64(f.size*0x1p-52)
	if !(margin < math.Inf(1)) {
		margin = math.Inf(1)
	}
	for k := range 3 {
		lo, hi := math.Inf(1), math.Inf(-1)
		for c := range f.c {
			x := f.c[c][k].float()
			if x != x {
				lo, hi = math.Inf(-1), math.Inf(1)
			}
			lo, hi = min(lo, x), max(hi, x)
		}
		lo, hi = lo-margin, hi+margin
		if hi < 0 || k < 2 && lo > fr.size[k] {
			return false
		}
		if k < 2 {
			f.lo[k], f.hi[k] = max(lo, 0), min(hi, fr.size[k])
		}
	}
	return true
}

// measure computes the normal, the outline and the errors. It returns false where the projection
// has no area, exactly.
//
// With e1, e2 the sides at the first corner p, the height of the plane above (x, y) is p_z - (n_x
// dx + n_y dy)/n_z. A component of n errs by at most 5u m, m the sum of the magnitudes of its two
// products. Above the frame |dx| and |dy| are at most 1 + size. With s the sum of the magnitudes of
// n_x and n_y over n_z, the quotient errs by (8u (m_x + m_y) + 8u s m_z)(1 + size)/n_z, if n_z is
// more than 16u m_z; and the last difference, and interpolation between heights, by 8u (size + s (1
// + size)). Corners that err by off move the plane by at most 2 off (1 + s) where the triangle is.
func (f *facet[T]) measure(ar *arithmetic[T], fr *frame) bool {
	var a, b [3]T
	for k := range a {
		a[k], b[k] = f.c[1][k].minus(f.c[0][k]), f.c[2][k].minus(f.c[0][k])
	}
	var m [3]float64
	for k := range 3 {
		i, j := (k+1)%3, (k+2)%3
		x, y := a[i].times(b[j]), a[j].times(b[i])
		f.n[k] = x.minus(y)
		m[k] = math.Abs(x.float()) + math.Abs(y.float())
	}
	if f.n[2].sign() < 0 {
		f.way = -1
		f.c[1], f.c[2] = f.c[2], f.c[1]
		for k := range f.n {
			f.n[k] = ar.of(0).minus(f.n[k])
		}
	}
	u, nz := ar.unit, f.n[2].float()
	switch {
	case u == 0 && f.n[2].sign() == 0:
		return false
	case u > 0 && !(nz > float64(32*u*m[2])+0x1p-400):
		f.height = math.Inf(1)
	case u > 0:
		s := (math.Abs(f.n[0].float()) + math.Abs(f.n[1].float())) / nz
		f.height = 8 * u * (m[0] + m[1] + float64(s*m[2])) * (1 + f.size) / nz
		f.height += float64(8*u*(f.size+float64(s*(1+f.size)))) + float64(2*f.off*(1+s))
		if !(f.height < math.Inf(1)) {
			f.height = math.Inf(1)
		}
	}
	p := polygon[T]{ar: ar, size: f.size}
	p.v = make([]vertex[T], 0, 8)
	for c := range f.c {
		p.v = append(p.v, vertex[T]{x: f.c[c][0], y: f.c[c][1]})
	}
	for side := range 4 {
		edge := ar.of(0)
		if side >= 2 {
			edge = ar.of(fr.size[side%2])
		}
		p.cut(func(v *vertex[T]) T {
			x := v.x
			if side%2 == 1 {
				x = v.y
			}
			if side < 2 {
				return x
			}
			return edge.minus(x)
		}, p.slack()+float64(2*f.off))
	}
	f.outline, f.weight = p.v, p.weight
	return u > 0 || len(p.v) > 2
}

// at returns the height of the plane above a point.
func (f *facet[T]) at(v *vertex[T]) T {
	x := f.n[0].times(v.x.minus(f.c[0][0])).plus(f.n[1].times(v.y.minus(f.c[0][1])))
	return f.c[0][2].minus(x.over(f.n[2]))
}
