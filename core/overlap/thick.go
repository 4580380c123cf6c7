package overlap

import (
	"math"
	"slices"

	"ccd/core/contain"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/num"
)

// Thick is a closed solid with a radius. It has all points within Inner of the solid, and none that
// is farther than Outer from it.
type Thick struct {
	Solid        *contain.Solid
	Inner, Outer float64
	Convex       bool // The solid is convex: it may be a point or a segment.
}

// Windings writes contain.OnSurface, contain.UnknownWinding, or 1 for points inside and 0 for
// points outside, on the threads of the call.
func (k *Thick) Windings(c *engine.Call, out []int32, point func(i int) contain.Point) error {
	return inBlocks(c, len(out), func(i int) {
		p := point(i)
		f := k.find(&p, false)
		out[i] = f.winding
	})
}

// Depths is the function Depths for a solid with a radius. U, V and Face are of the nearest point
// of the solid's surface; At is on that of the thick solid. Of a point that is inside, Hi is proven
// by a point outside, and may be more than the distance where the solid is not convex.
func (k *Thick) Depths(c *engine.Call, out []Depth, point func(i int) contain.Point) error {
	return inBlocks(c, len(out), func(i int) {
		p := point(i)
		out[i] = k.depth(&p)
	})
}

// Signed returns a bracket of the distance of a point from the solid without its radius: negative,
// its depth, inside.
func (k *Thick) Signed(p *contain.Point) (lo, hi float64) {
	f := k.find(p, false)
	return f.lo, f.hi
}

// Refined is Signed with a bracket as tight as doubles allow, if the point is known without an
// error.
func (k *Thick) Refined(p *contain.Point) (lo, hi float64) {
	f := k.find(p, true)
	return f.lo, f.hi
}

// Ways returns unit vectors that may lead out of the solid without its radius, or away from it. Of
// a point off the surface it is the one along the way to the nearest point of the surface. Of one
// on the surface they are the normals of the triangles there, in both directions.
func (k *Thick) Ways(p *contain.Point) (ways []geom.Vec) {
	f := k.find(p, false)
	if f.place != contain.On {
		return []geom.Vec{f.out}
	}
	tri := k.Solid.Triangles()
	for i := range f.list {
		t := &tri[f.list[i].i]
		b, c := geom.Sub3(&t[1], &t[0]), geom.Sub3(&t[2], &t[0])
		x := geom.Cross3(&b, &c)
		n := unit(&x)
		if n != (geom.Vec{}) && !slices.Contains(ways, n) {
			ways = append(ways, n, geom.Vec{-n[0] + 0, -n[1] + 0, -n[2] + 0})
		}
	}
	return ways
}

// spot is where a point lies.
type spot struct {
	list    []near
	place   contain.Place
	lo, hi  float64  // the signed distance from the solid without its radius
	winding int32    // that of the thick solid
	out     geom.Vec // Way
}

// find compares the distance from the surface with the radii: in integers, if the point is known
// and the bracket of the distance does not tell, or is to be refined.
func (k *Thick) find(p *contain.Point, refine bool) (f spot) {
	w, place := k.Solid.Winding(p)
	f.place = place
	f.list = candidates(k.Solid, &p.At)
	d := bracketOf(f.list)
	exactly := p.Err == 0 && (refine || !sharp(f.list) || d.Lo <= k.Outer && d.Hi >= k.Inner)
	if exactly {
		f.list = refined(k.Solid, &p.At, f.list)
		d = bracketOf(f.list)
	}
	inside := place == contain.Off && w != 0
	if f.out = unit(&f.list[0].way); inside {
		for i := range f.out {
			f.out[i] = -f.out[i] + 0
		}
	}
	if p.Err > 0 {
		off := float64(p.Err * 1.74)
		d = Bracket{max(num.SubDown(d.Lo, off), 0), num.AddUp(d.Hi, off)}
	}
	switch {
	case place == contain.On:
		f.lo, f.hi = 0, 0
	case place == contain.Unknown:
		f.lo, f.hi = -d.Hi, d.Hi
	case inside:
		f.lo, f.hi = -d.Hi, -d.Lo
	default:
		f.lo, f.hi = d.Lo, d.Hi
	}
	// A distance that is no double lies between the two that were computed.
	between := exactly && place != contain.On && d.Lo < d.Hi
	switch {
	case inside || f.hi < k.Inner || between && f.hi <= k.Inner:
		f.winding = 1
	case f.lo > k.Outer || between && f.lo >= k.Outer:
		f.winding = 0
	case f.lo == f.hi && k.Inner == k.Outer:
		f.winding = contain.OnSurface
	default:
		f.winding = contain.UnknownWinding
	}
	return f
}

// depth returns where a point lies to the thick solid.
//
// Let s be the signed distance from the solid K, and r the radius. Outside, the distance from the
// border is s - r: each point of the border is within r of K, and on the way to the nearest point
// of K there is one that is r from it. Inside it is at least r - s: a ball about the point of that
// radius has points within r of K alone. Where K is convex it is r - s, as the distance from K
// grows like the way, along that from the nearest point. Else a point outside that was found bounds
// it.
func (k *Thick) depth(p *contain.Point) (d Depth) {
	f := k.find(p, false)
	best := f.list[0]
	tri := k.Solid.Triangles()
	foot := on(&tri[best.i], best.u, best.v)
	d = Depth{U: best.u, V: best.v, Face: int64(k.Solid.Faces()[best.i]), Winding: f.winding}
	d.State = state(f.list, tri, &foot, f.place)
	m := f.out
	if f.place == contain.On || m == (geom.Vec{}) {
		var alone bool
		if m, alone = k.across(f.list, &p.At); alone {
			d.State = Defined
		} else {
			d.State = Tie
		}
	}
	for i := range d.At {
		d.At[i] = foot[i] + float64(k.Inner*m[i])
	}
	switch f.winding {
	case contain.OnSurface:
		d.State = OnIt
		return d
	case 0:
		d.Lo, d.Hi = max(num.SubDown(f.lo, k.Outer), 0), num.SubUp(f.hi, k.Inner)
		if d.State == Defined {
			d.Normal = m
		}
	case 1:
		d.Lo, d.Hi = max(num.SubDown(k.Inner, f.hi), 0), num.SubUp(k.Outer, f.lo)
		if !k.Convex {
			if d.Hi = k.exit(p, &foot, &m); d.Hi-d.Lo > float64(0x1p-36*d.Hi) && d.State == Defined {
				d.State = Undetermined
			}
		}
		if d.State == Defined {
			for i := range m {
				d.Normal[i] = -m[i] + 0
			}
		}
	default:
		d.Hi, d.State = max(num.SubUp(k.Outer, f.lo), num.SubUp(f.hi, k.Inner)), Undetermined
		if !k.Convex {
			d.Hi = max(d.Hi, k.exit(p, &foot, &m))
		}
	}
	d.Hi = max(d.Hi, d.Lo, math.SmallestNonzeroFloat64)
	return d
}

// exit returns how far it is at most from a point to one that is outside of the thick solid: to the
// one above the foot, if that is outside, else out of the box.
func (k *Thick) exit(p *contain.Point, foot, m *geom.Vec) float64 {
	same := contain.Identity()
	lo, hi := same.Box(k.Solid)
	way := math.Inf(1)
	for i := range lo {
		way = min(way, num.SubUp(hi[i], p.At[i]), num.SubUp(p.At[i], lo[i]))
	}
	way = num.AddUp(max(way, 0), k.Outer)
	var z contain.Point
	above := k.Outer + float64(0x1p-46*(k.Outer+k.Solid.Far()))
	for i := range z.At {
		z.At[i] = foot[i] + float64(above*m[i])
	}
	if f := k.find(&z, false); f.winding == 0 {
		step := geom.Sub3(&z.At, &p.At)
		way = min(way, float64(math.Sqrt(geom.Dot3(&step, &step))*(1+0x1p-48))+0x1p-1000)
	}
	return num.AddUp(way, float64(p.Err*1.74))
}

// across returns a unit vector that leads out of the solid from a point on its surface: the mean of
// the normals of the triangles there or, where they have none, one across their edges. alone: all
// normals are one.
func (k *Thick) across(list []near, p *geom.Vec) (m geom.Vec, alone bool) {
	tri := k.Solid.Triangles()
	var sum, edge geom.Vec
	var first geom.Vec
	alone = true
	for i := range list {
		t := &tri[list[i].i]
		b, c := geom.Sub3(&t[1], &t[0]), geom.Sub3(&t[2], &t[0])
		x := geom.Cross3(&b, &c)
		n := unit(&x)
		if first == (geom.Vec{}) {
			first = n
		}
		off := geom.Sub3(&n, &first)
		alone = alone && math.Abs(off[0])+math.Abs(off[1])+math.Abs(off[2]) <= 0x1p-40
		for l := range sum {
			sum[l] += n[l]
		}
		if edge == (geom.Vec{}) {
			if edge = b; b == (geom.Vec{}) {
				edge = c
			}
		}
	}
	if m = unit(&sum); m == (geom.Vec{}) {
		axis := geom.Vec{1, 0, 0}
		if math.Abs(edge[0]) > math.Abs(edge[1]) {
			axis = geom.Vec{0, 1, 0}
		}
		if x := geom.Cross3(&edge, &axis); x != (geom.Vec{}) {
			return unit(&x), false
		}
		return geom.Vec{0, 0, 1}, false
	}
	// The surface may be wound inwards.
	z := contain.Point{At: *p}
	for i := range z.At {
		z.At[i] += float64(0x1p-30 * k.Solid.Far() * m[i])
	}
	if w, place := k.Solid.Winding(&z); place == contain.Off && w != 0 {
		for i := range m {
			m[i] = -m[i] + 0
		}
	}
	return m, alone
}
