package screw

import "math"

// Images is a tree of the images of a body along one axis. It is not changed after it is built.
type Images struct {
	nodes []imageNode // the root is first; a node stands before its children
	parts []part
	// The members of a part stand in a row, by their turns.
	members []member
	size    float64 // bounds the distances of the body's points from the origin of the axis
	slack   float64 // what the rounding of one rectangle may be
	count   int     // how many nodes the tree would have if each member had parts of its own
}

// An imageNode is a rectangle that holds those of its children, left and right, or that of the part
// ^left.
type imageNode struct {
	rect
	hull        polygon
	left, right int32
}

// Levels is how many levels of detail images have. At the first, triangles are divided only
// where they are near to the axis; at the others, until an image bends by less than a share of the
// body's size, imageBend of it.
const Levels = 2

var imageBend = [Levels]float64{0x1p500, 0x1p-17}

// The greatest number of parts of a triangle, of parts of a body (about; each triangle has one),
// and of triangles of a body that has images.
const (
	mostParts     = 16
	mostBodyParts = 1 << 17
	MostTriangles = 1 << 18
)

// newImages draws a body.
func newImages(b Body, frame Axis, level int) *Images {
	m := imager{frame: frame, size: b.RadiusAbout(frame.point)}
	tri := b.Triangles()
	m.size += math.Abs(float64(8 * frame.advance))
	m.m, _ = frame.rows()
	m.slack = float64(0x1p-47*m.size) + 0x1p-500
	_, size := middle(b)
	m.coarse = float64(imageBend[level] * size)
	families := m.families(tri, size, level)
	m.most = max(min(mostBodyParts/len(families), mostParts), 1)
	m.out = make([]part, 0, len(families))
	for i := range families {
		m.draw(&families[i], tri)
	}
	t := &Images{nodes: make([]imageNode, 0, 2*len(m.out)-1), members: m.members, size: m.size, slack: m.slack}
	for i := range m.out {
		t.count += 2 * int(m.out[i].last-m.out[i].first)
	}
	list, traits := make([]keyed, len(m.out)), make([]traits, len(m.out))
	for i := range list {
		list[i].part = int32(i)
		traits[i] = m.out[i].traits()
	}
	t.build(&m, list, traits)
	t.parts = m.out
	return t
}

// build appends the tree of the parts in list, and returns the number of its root.
func (t *Images) build(m *imager, list []keyed, traits []traits) int32 {
	me := int32(len(t.nodes))
	t.nodes = append(t.nodes, imageNode{})
	if len(list) == 1 {
		p := &m.out[list[0].part]
		t.nodes[me] = imageNode{p.rect, polygonOf(&p.outline), ^list[0].part, 0}
		return me
	}
	m.order(list, traits)
	half := len(list) / 2
	left := t.build(m, list[:half], traits)
	right := t.build(m, list[half:], traits)
	a, b := &t.nodes[left], &t.nodes[right]
	n := imageNode{rect: m.join(&a.rect, &b.rect), left: left, right: right}
	if n.isThin() {
		n.hull = joined(&a.hull, &b.hull, t.slack)
	}
	t.nodes[me] = n
	return me
}

// angleShare is how much less a length around the axis counts than one in the plane of images:
// images tell parts apart at every time, angles only for a while.
const angleShare = 0x1p-10

// traits are what parts are ordered by: the place of the image, its slope, and the angle; and the
// length of the image.
type traits [5]float64

func (p *part) traits() traits {
	slope := p.c
	if p.f > p.e {
		slope = -p.s
	}
	if p.f <= p.e && p.s < 0 || p.f > p.e && p.c < 0 {
		slope = -slope
	}
	return traits{p.r, p.z, slope, float64(0.5*p.lo) + float64(0.5*p.hi), max(p.e, p.f)}
}

// order divides the parts of a list into two halves, by the trait in which they differ most: places
// by how far they are apart, slopes by how far from a line they lead.
func (m *imager) order(list []keyed, all []traits) {
	var lo, hi traits
	for k := range lo {
		lo[k], hi[k] = math.Inf(1), math.Inf(-1)
	}
	for i := range list {
		t := &all[list[i].part]
		for k, x := range t {
			lo[k], hi[k] = min(lo[k], x), max(hi[k], x)
		}
	}
	weight := traits{1, 1, hi[4], angleShare, 0}
	if !m.frame.slide {
		weight[3] = float64(angleShare * hi[0])
	}
	axis := 0
	for k := range weight {
		if float64(weight[k]*(hi[k]-lo[k])) > float64(weight[axis]*(hi[axis]-lo[axis])) {
			axis = k
		}
	}
	for i := range list {
		list[i].key = all[list[i].part][axis]
	}
	divide(list, len(list)/2)
}

// keyed is a part with the trait that it is ordered by.
type keyed struct {
	key  float64
	part int32
}

// divide reorders the list so that no key of the first n is above one of the others. Of equal keys
// the lesser numbers are first, so the first n do not depend on the order of the list.
func divide(list []keyed, n int) {
	before := func(x, y keyed) bool { return x.key < y.key || x.key == y.key && x.part < y.part }
	for lo, hi := 0, len(list)-1; lo < hi; {
		pivot := list[(lo+hi)/2]
		i, j := lo, hi
		for i <= j {
			for before(list[i], pivot) {
				i++
			}
			for before(pivot, list[j]) {
				j--
			}
			if i <= j {
				list[i], list[j] = list[j], list[i]
				i, j = i+1, j-1
			}
		}
		switch {
		case n <= j:
			hi = j
		case n >= i:
			lo = i
		default:
			return
		}
	}
}
