package patch

import "math"

// certifier proves that contacts exist.
type certifier struct {
	*query
	homogeneous homogeneous // the pair in homogeneous coordinates, where patches are rational
}

// certify reports whether a contact is proven to exist near a contact that was found, and how far
// in time at most: law 5. It must not take longer than the patches take to move against each other
// by the tolerance.
//
// Hold all parameters but two free ones; let y be these two, as steps along their directions, and
// the time, F(y) three equations for them. With C any matrix, Krawczyk's operator y - C F(y) + (I -
// C J(Y)) (Y - y) maps the cube Y of radius r around y into itself, and F has a zero in Y, if |C
// F(y)| + |I - C J(Y)| r < r in the maximum norm. F(y) and J(y) are off by at most the offsets of
// the jets (equations); over the cube an entry of J moves by less than r times the sum of all
// second derivatives, bounded by their control points, both at t=0 and by time. The factor pays for
// the roundings here, a few dozen of size U. The cube must stay within the domain and the step. Of
// rational patches F is another function with the same zeros (rational.go). Contacts with a
// separation are not certified.
func (cert *certifier) certify(in *newtonContact, until float64) (r float64, ok bool) {
	if cert.check.separation > 0 || in.t == 0 {
		return 0, false
	}
	cert.evaluate(&in.x, 1)
	var q equations
	if cert.trees[0].rational || cert.trees[1].rational {
		cert.rationalEquations(in, &q)
	} else {
		cert.equations(in, &q)
	}
	col, n, f, ft, off, turn := &q.col, q.n, q.f, q.ft, q.off, q.turn
	best, pick := 0.0, [2]int{}
	for i := range n {
		for j := range i {
			if d := math.Abs(col[i].g.cross(col[j].g).dot(ft)); d > best {
				best, pick = d, [2]int{i, j}
			}
		}
	}
	if !(best > 0x1p-200) {
		return 0, false
	}
	a, b := &col[pick[0]], &col[pick[1]]
	j := [3]vec{a.g, b.g, ft} // columns
	det := a.g.cross(b.g).dot(ft)
	c := [3]vec{b.g.cross(ft).times(1 / det), ft.cross(a.g).times(1 / det), a.g.cross(b.g).times(1 / det)} // rows of C
	const slack = 1 + 0x1p-20
	size, miss, far := 0.0, 0.0, 0.0
	for i, row := range c {
		one := math.Abs(row.X) + math.Abs(row.Y) + math.Abs(row.Z)
		size = max(size, one)
		far = max(far, math.Abs(row.dot(f))+float64(one*(q.slip+float64(0x1p-50*f.most()))))
		sum := 0.0
		for k, x := range j {
			e := 0.0
			if i == k {
				e = 1
			}
			sum += math.Abs(row.dot(x)-e) + float64(one*(off+float64(0x1p-50*x.most())))
		}
		miss = max(miss, sum)
	}
	r = float64(4 * far)
	if !(float64(slack*(far+float64(r*(miss+float64(3*size*turn*r))))) < r) {
		return 0, false
	}
	if way := r + r; !(in.t-way > 0 && in.t+way < until) {
		return 0, false
	}
	return r + r, float64((r+r)*cert.velocity().length()) <= cert.tolerance && cert.inside(in, a, r) &&
		cert.inside(in, b, r)
}

// equations holds F at a place and a time, and its derivatives by the free directions and by time.
// slip bounds the error of F, off that of any derivative, and turn the sum of all second
// derivatives.
type equations struct {
	col             [4]column
	n               int
	f, ft           vec
	slip, off, turn float64
}

func (cert *certifier) equations(in *newtonContact, q *equations) {
	for i := range cert.surf { // A rate errs by at most twice the error of a value.
		cert.surf[i].measure(cert.trees[i].nodes[0].err)
		q.slip += float64(2 * cert.surf[i].offset(value))
		q.off += float64(2*cert.surf[i].offset(value)) + float64(4*(cert.surf[i].offset(byU)+cert.surf[i].offset(byV)))
		for d := byU; d < derivatives; d++ {
			q.turn += float64(4 * (cert.surf[i].nets[d].mag + cert.surf[i].nets[d].err))
		}
	}
	q.n = cert.columns(&in.place, in.t, &q.col)
	q.f, q.ft = cert.difference(in.t), cert.velocity()
}

// inside reports whether a place may move by 2r along a column's direction, and the other's,
// without leaving the domain.
func (cert *certifier) inside(in *newtonContact, c *column, r float64) bool {
	f := cert.surf[c.patch].form
	u, v := in.x[2*c.patch], in.x[2*c.patch+1]
	for k, g := range constraints[f.Shape] {
		if in.active[c.patch]>>k&1 == 0 && !(g[0]+float64(g[1]*u)+float64(g[2]*v) > 8*r) {
			return false
		}
	}
	return true
}
