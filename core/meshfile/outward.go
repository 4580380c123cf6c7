package meshfile

import (
	"cmp"
	"math"
	"math/big"
	"slices"
)

// Programs write solids of both orientations into one file, and prisms have two orders of corners
// that differ by a mirror. So sides go around outward by the sign of each solid's volume between
// its corners, not by the order of its nodes. A side of four corners is bilinear: its volume is the
// mean of those of its two divisions.

// signsOf returns for each solid 1 if its sides, as eachSide has them, go around outward, -1 if
// inward, and 0 if it has no volume. Faces of polyhedra, of which nothing is known, are made to go
// around alike before.
func signsOf(c *Cells) []int8 {
	signs := make([]int8, len(c.Kinds), len(c.Kinds)+len(c.curved.kinds))
	var f faces
	_ = c.curved.each(func(kind int, nodes []int32) error {
		if kind == vtkPolyhedron {
			f.alike(nodes)
		}
		signs = append(signs, 0)
		return nil
	})
	for i := range signs {
		signs[i] = 1 // What has no sides keeps this.
	}
	last, v := -1, volume{x: c.Vertices}
	end := func() {
		if last >= 0 {
			signs[last] = int8(v.sign())
		}
	}
	c.eachSide(func(solid int, nodes []int32, curved bool) {
		if solid != last {
			end()
			last = solid
			v.corners, v.ends = v.corners[:0], v.ends[:0]
		}
		v.corners = append(v.corners, corners(nodes, curved)...)
		v.ends = append(v.ends, len(v.corners))
	})
	end()
	return signs
}

// volume is a solid by the corners of its sides.
type volume struct {
	x       []float64
	corners []int32
	ends    []int
}

// eachTriangle calls do with triangles of the sides, and how often each counts: a side of four
// corners is divided in both ways. Those with the first corner of all are left out: it is the
// origin.
func (v *volume) eachTriangle(do func(weight float64, a, b, c int32)) {
	some := func(weight float64, a, b, c int32) {
		if o := v.corners[0]; a != o && b != o && c != o {
			do(weight, a, b, c)
		}
	}
	from := 0
	for _, to := range v.ends {
		p := v.corners[from:to]
		from = to
		if len(p) == 4 {
			some(1, p[0], p[1], p[2])
			some(1, p[0], p[2], p[3])
			some(1, p[0], p[1], p[3])
			some(1, p[1], p[2], p[3])
			continue
		}
		for i := 2; i < len(p); i++ {
			some(2, p[0], p[i-1], p[i])
		}
	}
}

// sign returns the sign of the volume, exactly; 0 where a coordinate is not finite.
func (v *volume) sign() int {
	const (
		smallest = 0x1p-460 // Products that underflow are off by 2^-1074, times a factor of 2^600: far below.
		largest  = 0x1p600
	)
	origin, total, size, terms := vec(v.x[3*v.corners[0]:]), 0.0, 0.0, 0
	finite, moderate, flat := true, true, [3]bool{true, true, true}
	for _, node := range v.corners {
		for k, x := range vec(v.x[3*node:]) {
			finite = finite && !math.IsNaN(x) && !math.IsInf(x, 0)
			moderate = moderate && math.Abs(x-origin[k]) < largest
			flat[k] = flat[k] && x == origin[k]
		}
	}
	if !finite || flat[0] || flat[1] || flat[2] {
		return 0
	}
	v.eachTriangle(func(weight float64, a, b, c int32) {
		p, q, r := v.from(origin, a), v.from(origin, b), v.from(origin, c)
		for i := range 3 {
			j, k := (i+1)%3, (i+2)%3
			first, second := float64(q[j]*r[k]), float64(q[k]*r[j])
			total += float64(weight * float64(p[i]*(first-second)))
			size += float64(weight * float64(math.Abs(p[i])*(math.Abs(first)+math.Abs(second))))
			terms++
		}
	})
	// A term is off by less than 6 units of 2^-53 of its size, and a sum of n of them by n more.
	if moderate && size > smallest && math.Abs(total) > float64(float64(terms+32)*0x1p-53)*size {
		return sign(total)
	}
	return v.exactSign()
}

func (v *volume) from(origin vec, node int32) vec {
	return sum(term{1, vec(v.x[3*node:])}, term{-1, origin})
}

// exactSign is sign in numbers of so many bits that nothing is rounded: differences of doubles take
// at most 2100, products of three thrice as many, and sums of fewer than 2^40 of them 41 more.
func (v *volume) exactSign() int {
	const bits = 6400
	number := func() *big.Float { return new(big.Float).SetPrec(bits) }
	from := func(node int32) (d [3]*big.Float) {
		for k := range d {
			x, o := number().SetFloat64(v.x[3*int(node)+k]), number().SetFloat64(v.x[3*int(v.corners[0])+k])
			d[k] = number().Sub(x, o)
		}
		return d
	}
	total := number()
	v.eachTriangle(func(weight float64, a, b, c int32) {
		p, q, r := from(a), from(b), from(c)
		for i := range 3 {
			j, k := (i+1)%3, (i+2)%3
			area := number().Sub(number().Mul(q[j], r[k]), number().Mul(q[k], r[j]))
			total.Add(total, number().Mul(number().SetFloat64(weight), number().Mul(p[i], area)))
		}
	})
	return total.Sign()
}

// byNeighbors gives solids without volume the sign with which common sides go around in opposite
// directions. Those that no other solid reaches keep their order.
func (l *sideList) byNeighbors(c *Cells, signs []int8) {
	loops, owner := make([]int32, 0, len(l.sorted)), make([]int32, 0, len(l.ends))
	c.eachSide(func(solid int, nodes []int32, curved bool) {
		loops = append(loops, corners(nodes, curved)...)
		owner = append(owner, int32(solid))
	})
	var p parities
	p.reset(len(signs))
	eachPair := func(do func(a, b int32, same int8)) {
		for i := 1; i < len(l.order); i++ {
			a, b := l.order[i-1], l.order[i]
			if signs[owner[a]] != 0 && signs[owner[b]] != 0 || owner[a] == owner[b] || !l.equal(i-1, i) ||
				i > 1 && l.equal(i-2, i) || i+1 < len(l.order) && l.equal(i, i+1) {
				continue
			}
			if same := direction(l.of(loops, a), l.of(loops, b)); same != 0 {
				do(owner[a], owner[b], same)
			}
		}
	}
	eachPair(func(a, b int32, same int8) {
		if signs[a] == 0 && signs[b] == 0 {
			p.join(a, b, same > 0)
		}
	})
	found := make([]int8, len(signs)) // The first of those that are joined has the sign of all.
	eachPair(func(a, b int32, same int8) {
		if signs[a] == 0 {
			a, b = b, a
		}
		if first, odd := p.find(b); signs[a] != 0 && found[first] == 0 {
			if found[first] = -signs[a] * same; odd {
				found[first] = -found[first]
			}
		}
	})
	for i, sign := range signs {
		if sign == 0 {
			first, odd := p.find(int32(i))
			if signs[i] = 1; found[first] != 0 {
				signs[i] = found[first]
			}
			if odd {
				signs[i] = -signs[i]
			}
		}
	}
}

// direction returns 1 if two loops of the same corners go around alike, -1 if in opposite
// directions, and 0 if neither.
func direction(a, b []int32) int8 {
	n, at := len(a), slices.Index(b, a[0])
	same, opposite := true, true
	for i := range n {
		same = same && a[i] == b[(at+i)%n]
		opposite = opposite && a[i] == b[(at+n-i)%n]
	}
	switch {
	case same:
		return 1
	case opposite:
		return -1
	}
	return 0
}

// faces is room for the faces of a polyhedron.
type faces struct {
	loops [][]int32
	edges []edgeOfFace
	p     parities
}

type edgeOfFace struct {
	low, high int32 // vertices
	face      int32
	along     bool // It goes from the lower to the higher vertex.
}

// alike turns faces of a polyhedron over, in its list of nodes, until all go around alike: each
// edge has one face in each direction. Faces that do not close stay as they are.
func (f *faces) alike(nodes []int32) {
	f.loops, f.edges = f.loops[:0], f.edges[:0]
	for rest := nodes[1:]; len(rest) > 0; rest = rest[1+rest[0]:] {
		loop := rest[1 : 1+rest[0]]
		for k, v := range loop {
			w := loop[(k+1)%len(loop)]
			f.edges = append(f.edges, edgeOfFace{min(v, w), max(v, w), int32(len(f.loops)), v < w})
		}
		f.loops = append(f.loops, loop)
	}
	compare := func(a, b edgeOfFace) int {
		return cmp.Or(cmp.Compare(a.low, b.low), cmp.Compare(a.high, b.high))
	}
	slices.SortFunc(f.edges, compare)
	f.p.reset(len(f.loops))
	for i := 0; i < len(f.edges); i += 2 {
		if i+1 == len(f.edges) || compare(f.edges[i], f.edges[i+1]) != 0 ||
			i+2 < len(f.edges) && compare(f.edges[i], f.edges[i+2]) == 0 {
			return
		}
		if !f.p.join(f.edges[i].face, f.edges[i+1].face, f.edges[i].along == f.edges[i+1].along) {
			return // The surface has one side.
		}
	}
	for i, loop := range f.loops {
		if _, odd := f.p.find(int32(i)); odd {
			slices.Reverse(loop[1:])
		}
	}
}

// parities joins things that are alike or opposite.
type parities struct {
	parent []int32
	odd    []bool // whether it is opposite to its parent
}

func (p *parities) reset(n int) {
	p.parent, p.odd = p.parent[:0], p.odd[:0]
	for i := range n {
		p.parent, p.odd = append(p.parent, int32(i)), append(p.odd, false)
	}
}

// find returns the first of those that i is joined with, and whether i is opposite to it.
func (p *parities) find(i int32) (first int32, odd bool) {
	for p.parent[i] != i {
		up := p.parent[i]
		p.odd[i] = p.odd[i] != p.odd[up] // A first one is never odd.
		p.parent[i] = p.parent[up]
		odd = odd != p.odd[i]
		i = p.parent[i]
	}
	return i, odd
}

// join says that a and b are alike or opposite; it returns false if they are known to be otherwise.
func (p *parities) join(a, b int32, opposite bool) bool {
	a, oddA := p.find(a)
	b, oddB := p.find(b)
	over := (oddA != oddB) != opposite
	if a == b {
		return !over
	}
	p.parent[max(a, b)], p.odd[max(a, b)] = min(a, b), over
	return true
}
