package patch

// selfSearch is a search between patches that may have points in common by construction.
type selfSearch struct {
	search
	adjacency adjacency
}

// widestDirection returns the direction in which the domain of a triangle is longest: so its parts
// are all alike, however they lie in space.
func (t *tree) widestDirection(nd *node) (dir int8) {
	best := 0.0
	for d := range t.dirs {
		from, to := ends(t.form.Shape, d)
		a, b := nd.domain[from], nd.domain[to]
		x, y := b[0]-a[0], b[1]-a[1]
		if q := float64(x*x) + float64(y*y); q > best {
			best, dir = q, int8(d)
		}
	}
	return dir
}

// beginNear begins the query of two patches of one body, which may have points in common, or of a
// patch against itself.
func (s *selfSearch) beginNear(a, b *Patch, same bool, width float64, o *Options) {
	s.adjacency.width = width
	coarse := width
	if a.trimming != nil && b.trimming != nil { // Parts at joints are halved to half the neighbourhood.
		coarse *= 0.5
	}
	s.search.beginSearch(a, b, o, &s.adjacency, coarse)
	if s.callersFirst == 1 {
		a, b = b, a
	}
	s.adjacency.begin(&s.query, a, b, same)
	for i, p := range [2]*Patch{a, b} {
		t := &s.trees[i]
		t.collapsed = t.collapsed[:0]
		points, n := p.vertices(t.layout)
		for k := range n {
			if points[k].corner < 0 {
				t.collapsed = append(t.collapsed, points[k].segment)
			}
		}
	}
}

// startNear checks the whole patches; ok is false if they provably meet only where they always
// touch.
func (s *selfSearch) startNear() (root cell, ok bool) {
	root = cell{t1: s.until, class: neighbors}
	if s.adjacency.same {
		root.class = itself
	}
	return root, s.admitNear(&root)
}

// joined decides the query of patches that may have points in common by construction. Cells of
// neighbors are taken up in the same order as all others, but never tested for a contact.
type joined struct{ of *selfSearch }

func (p joined) start() (root cell, ok bool) { return p.of.startNear() }
func (p joined) expand(c cell)               { p.of.expandNear(c) }
func (p joined) find() Impact                { return p.of.run(p) }

// admitNear checks a new cell of neighbors, and returns false if it is proven.
func (s *selfSearch) admitNear(c *cell) bool {
	if cutAway(&s.query, c) {
		return false
	}
	if s.adjacency.classify(c); c.class == unrelated {
		return s.admit(c)
	}
	return s.adjacency.prove(c)
}

// expandNear halves a cell into smaller ones, or leaves it unresolved.
func (s *selfSearch) expandNear(c cell) {
	joined := c.class != unrelated && nearJoint(&s.adjacency, &c)
	least := s.adjacency.width
	if joined {
		least *= 0.5
	}
	wide := [2]bool{s.trees[0].edgeLongerThan(c.a, least) >= 0, s.trees[1].edgeLongerThan(c.b, least) >= 0}
	switch {
	case c.class == unrelated:
		s.split(&c)
	case !wide[0] && !wide[1] && joined && s.adjacency.joints.asOne:
		// What neighbors that move as one have in common they have at all times.
	case !wide[0] && !wide[1]:
		s.adjacency.unresolved = append(s.adjacency.unresolved, c.t0)
	case c.class == itself:
		s.splitSame(&c)
	default:
		which := 0
		if !wide[0] || wide[1] && s.trees[1].node(c.b).size > s.trees[0].node(c.a).size {
			which = 1
		}
		first := s.trees[which].halve([2]int32{c.a, c.b}[which])
		for k := first; k < first+2; k++ {
			part := c
			*[2]*int32{&part.a, &part.b}[which] = k
			s.offerNear(&part)
		}
	}
}

// splitSame halves a subpatch that stands against itself: each half against itself, and one against
// the other.
func (s *selfSearch) splitSame(c *cell) {
	n, t := &s.adjacency, &s.trees[0]
	n.joints.lines = append(n.joints.lines, t.cutLine(t.node(c.a)))
	a, b := t.halve(c.a), s.trees[1].halve(c.b)
	for _, k := range [3]struct {
		a, b  int32
		class adjacencyClass
	}{{a, b, itself}, {a + 1, b + 1, itself}, {a, b + 1, neighbors + adjacencyClass(len(n.joints.lines))}} {
		part := *c
		part.a, part.b, part.class = k.a, k.b, k.class
		s.offerNear(&part)
	}
}

// offerNear puts a part of a cell into the queue, unless it is proven.
func (s *selfSearch) offerNear(k *cell) {
	k.t1, k.depth = min(k.t1, s.until), k.depth+1
	if k.t0 <= k.t1 && !s.excluder.excluded(k) && s.admitNear(k) {
		s.queue(k)
	}
}

// cutLine returns the line along which a node is halved.
func (t *tree) cutLine(nd *node) domainSegment {
	from, to := ends(t.form.Shape, int(nd.dir))
	p, q := nd.domain[from], nd.domain[to]
	mid := [2]float64{0.5 * (p[0] + q[0]), 0.5 * (p[1] + q[1])}
	end := mid
	switch t.form.Shape {
	case Triangle:
		end = nd.domain[3-from-to]
	case Quad:
		o := nd.domain[3-to]
		end[0] += o[0] - nd.domain[0][0]
		end[1] += o[1] - nd.domain[0][1]
	}
	return segmentBetween(mid, end, -1)
}

// contains reports whether a place lies in a node's domain: both its coordinates along the sides
// from the first corner, found by Cramer's rule, are in it.
func (t *tree) contains(id int32, u, v float64) bool {
	d := &t.nodes[id].domain
	const much = 1 + 0x1p-30
	u, v = u-d[0][0], v-d[0][1]
	a, b, c, e := d[1][0]-d[0][0], d[1][1]-d[0][1], d[2][0]-d[0][0], d[2][1]-d[0][1]
	if t.form.Shape == Curve {
		return t.form.U == 0 || u >= 0 && u <= a*much
	}
	det := float64(a*e) - float64(b*c)
	s, r := (float64(u*e)-float64(v*c))/det, (float64(a*v)-float64(b*u))/det
	if t.form.Shape == Triangle {
		return s >= 1-much && r >= 1-much && s+r <= much
	}
	return s >= 1-much && r >= 1-much && s <= much && r <= much
}
