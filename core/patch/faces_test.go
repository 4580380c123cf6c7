package patch

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"ccd/core/geom"
	"ccd/core/status"
	"ccd/core/trim"
)

// plate is a flat quad with a polygon cut out of it and a hole in that, as a trimmed face and, for
// the reference, as triangles.
type plate struct {
	face, triangles *Body
	x, y            []float64 // control points of either
	loops           [][][2]float64
}

// randomPlate makes a plate whose parameters run over [-1, 1] in both directions of the face's
// plane, in a random place, skew and scaled along its sides by up to 2.
func randomPlate(t *testing.T, r *rand.Rand, tolerance float64) *plate {
	t.Helper()
	corner := func() (c [3]float64) {
		for k := range c {
			c[k] = r.Float64() - 0.5
		}
		return c
	}
	o, e1, e2 := corner(), corner(), corner()
	e1[0], e2[1] = e1[0]+1.5, e2[1]+1.5
	at := func(x, y float64) []float64 {
		p := make([]float64, 3)
		for k := range p {
			p[k] = o[k] + float64(x*e1[k]) + float64(y*e2[k])
		}
		return p
	}
	p := &plate{}
	n := 3 + r.IntN(8)
	outer, inner := make([][2]float64, n), make([][2]float64, n)
	share := 0.2 + 0.6*r.Float64()
	for i := range n {
		a := 2 * math.Pi * (float64(i) + 0.4*r.Float64()) / float64(n)
		far := 0.4 + 0.5*r.Float64()
		outer[i] = [2]float64{far * math.Cos(a), far * math.Sin(a)}
		inner[i] = [2]float64{share * outer[i][0], share * outer[i][1]}
	}
	p.loops = [][][2]float64{outer, inner}
	corners, counts := append(append([][2]float64{}, outer...), inner...), []int32{int32(n), int32(n)}
	region, err := trim.New(corners, counts, [2]float64{tolerance, tolerance})
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range []float64{-1, 1} {
		for _, v := range []float64{-1, 1} {
			p.x = append(p.x, at(u, v)...)
		}
	}
	whole, err := NewBody(4, []Form{{Quad, 1, 1}}, []int32{0, 1, 2, 3}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if p.face, err = whole.Trim([]*trim.Region{region}, []int32{0}, [][4]float64{{-1, 1, -1, 1}}); err != nil {
		t.Fatal(err)
	}
	var forms []Form
	var index []int32
	for i := range n {
		j := (i + 1) % n
		for _, c := range [][2]float64{outer[i], outer[j], inner[i], inner[i], outer[j], inner[j]} {
			index = append(index, int32(len(p.y)/3))
			p.y = append(p.y, at(c[0], c[1])...)
		}
		forms = append(forms, Form{Triangle, 1, 1}, Form{Triangle, 1, 1})
	}
	if p.triangles, err = NewBody(len(p.y)/3, forms, index, nil); err != nil {
		t.Fatal(err)
	}
	return p
}

// A trimmed flat face is the union of triangles. Laws F4 and F5: with a separation of twice the
// tolerance it is in contact no later than the triangles are without one; and the triangles, with a
// separation that pays for the tolerances of both, no later than it is.
func TestTrimmedFlatFacesAreTheirTriangles(t *testing.T) {
	r := rand.New(rand.NewPCG(50, 1))
	var s Scene
	seen := map[geom.Verdict]int{}
	for range 150 {
		const loops = 1e-7
		p, q := randomPlate(t, r, loops), randomPlate(t, r, loops)
		away := [3]float64{3*r.Float64() - 1.5, 3*r.Float64() - 1.5, 2 + r.Float64()}
		to := [3]float64{away[0] + 0.3*r.Float64(), away[1] + 0.3*r.Float64(), -2 - r.Float64()}
		step := func(b *Body, x []float64) *BodyStep { return &BodyStep{Body: b, X0: moved(x, away), X1: moved(x, to)} }
		o := DefaultOptions()
		o.Tolerance = 1e-6
		run := func(a, b *BodyStep, d float64) Impact {
			o.MinSeparation = d
			im, err := s.Earliest(a, b, &o)
			if err != nil || im.Verdict == geom.Undecided {
				t.Fatal(im, err)
			}
			return im
		}
		faces := func(d float64) Impact {
			return run(step(p.face, p.x), &BodyStep{Body: q.face, X0: q.x, X1: q.x}, d)
		}
		triangles := func(d float64) Impact {
			return run(step(p.triangles, p.y), &BodyStep{Body: q.triangles, X0: q.y, X1: q.y}, d)
		}
		got, want := faces(0), triangles(0)
		seen[got.Verdict]++
		if want.Verdict == geom.Contact {
			if near := faces(2 * o.Tolerance); !(near.TOILo <= want.TOIHi) {
				t.Fatalf("F4: triangles touch at %v, the faces with a separation at %v", want.TOIHi, near.TOILo)
			}
		}
		if got.Verdict == geom.Contact {
			if near := triangles(2*o.Tolerance + 16*loops); !(near.TOILo <= got.TOIHi) {
				t.Fatalf("F5: faces touch at %v, the triangles with a separation at %v", got.TOIHi, near.TOILo)
			}
			for i, uv := range [2][2]float64{got.UVA, got.UVB} {
				cut := &[2]*plate{p, q}[i].face.trims[0]
				if cut.region.Classify(cut.box(uv, uv)) == trim.Outside {
					t.Fatalf("F5: the contact %+v is outside of face %d", got, i)
				}
			}
		}
	}
	if seen[geom.Contact] < 40 || seen[geom.Separate] < 20 {
		t.Error(seen)
	}
}

// A dyadic part of a curved patch, cut by loops or made by halving, is the same: F4 and F5.
func TestTrimmedCurvedFacesAreTheirParts(t *testing.T) {
	r := rand.New(rand.NewPCG(50, 2))
	var s Scene
	contacts := 0
	for range 60 {
		form := Form{Quad, 1 + r.IntN(3), 1 + r.IntN(3)}
		n := form.Points()
		whole := &Patch{Form: form, X0: make([]float64, 3*n), X1: make([]float64, 3*n)}
		if r.IntN(2) == 0 {
			whole.W = make([]float64, n)
		}
		for i := 0; i <= form.U; i++ {
			for j := 0; j <= form.V; j++ {
				at := form.Index(i, j)
				u, v := float64(i)/float64(form.U), float64(j)/float64(form.V)
				copy(whole.X0[3*at:], []float64{u, v, 0.5 * r.Float64()})
				if whole.W != nil {
					whole.W[at] = 0.5 + r.Float64()
				}
			}
		}
		copy(whole.X1, moved(whole.X0, [3]float64{0.2 * r.Float64(), 0.2 * r.Float64(), 1}))
		part := restricted(whole, 0.25, 0.75)
		other, x := grid(t, 2, func(x, y float64) float64 { return 0.8 + 0.1*r.Float64() })
		bodyOf := func(p *Patch) *Body {
			index := make([]int32, n)
			for i := range index {
				index[i] = int32(i)
			}
			b, err := NewBody(n, []Form{form}, index, p.W)
			if err != nil {
				t.Fatal(err)
			}
			return b
		}
		square := [][2]float64{{4, 10}, {12, 10}, {12, 30}, {4, 30}}
		const loops = 1e-7
		region, _ := trim.New(square, []int32{4}, [2]float64{16 * loops, 40 * loops})
		cut, err := bodyOf(whole).Trim([]*trim.Region{region}, []int32{0}, [][4]float64{{0, 16, 0, 40}})
		if err != nil {
			t.Fatal(err)
		}
		world := &BodyStep{Body: other, X0: x, X1: x}
		run := func(b *Body, p *Patch, d float64) Impact {
			o := DefaultOptions()
			o.MinSeparation = d
			im, err := s.Earliest(&BodyStep{Body: b, X0: p.X0, X1: p.X1}, world, &o)
			if err != nil || im.Verdict == geom.Undecided {
				t.Fatal(im, err)
			}
			return im
		}
		got, want := run(cut, whole, 0), run(bodyOf(part), part, 0)
		if want.Verdict == geom.Contact {
			contacts++
			if near := run(cut, whole, 2e-6); !(near.TOILo <= want.TOIHi) {
				t.Fatalf("F4: the part touches at %v, the face at %v", want.TOIHi, near.TOILo)
			}
		}
		if got.Verdict == geom.Contact {
			if near := run(bodyOf(part), part, 2e-6+40*loops); !(near.TOILo <= got.TOIHi) {
				t.Fatalf("F5: the face touches at %v, the part at %v", got.TOIHi, near.TOILo)
			}
		}
	}
	if contacts < 30 {
		t.Error(contacts)
	}
}

// restricted returns a quad over [a, b] of both parameters, by the polar form in homogeneous
// coordinates.
func restricted(p *Patch, a, b float64) *Patch {
	out := &Patch{Form: p.Form, X0: make([]float64, len(p.X0)), X1: make([]float64, len(p.X1))}
	if p.W != nil {
		out.W = make([]float64, len(p.W))
	}
	m := p.Form.V + 1
	polar := func(row [][7]float64, n, k int) [7]float64 { // k times b, n - k times a
		c := append([][7]float64{}, row...)
		for j := range n {
			s := a
			if j < k {
				s = b
			}
			for i := range n - j {
				for e := range 7 {
					c[i][e] = float64((1-s)*c[i][e]) + float64(s*c[i+1][e])
				}
			}
		}
		return c[0]
	}
	net := make([][7]float64, len(p.X0)/3)
	for i := range net {
		w := 1.0
		if p.W != nil {
			w = p.W[i]
		}
		for e := range 3 {
			net[i][e], net[i][3+e] = w*p.X0[3*i+e], w*p.X1[3*i+e]
		}
		net[i][6] = w
	}
	half := make([][7]float64, len(net))
	for i := 0; i <= p.Form.U; i++ {
		for k := range m {
			half[i*m+k] = polar(net[i*m:(i+1)*m], m-1, k)
		}
	}
	for j := range m {
		column := make([][7]float64, p.Form.U+1)
		for i := range column {
			column[i] = half[i*m+j]
		}
		for k := 0; k <= p.Form.U; k++ {
			c, at := polar(column, p.Form.U, k), k*m+j
			for e := range 3 {
				out.X0[3*at+e], out.X1[3*at+e] = c[e]/c[6], c[3+e]/c[6]
			}
			if out.W != nil {
				out.W[at] = c[6]
			}
		}
	}
	return out
}

// What lies in a hole is passed, at any speed, by the others of the scene; what is as wide as the
// hole is not.
func TestHoles(t *testing.T) {
	n := 64
	var corners [][2]float64
	for i := range n {
		a := 2 * math.Pi * float64(i) / float64(n)
		corners = append(corners, [2]float64{0.5 + 0.25*math.Cos(a), 0.5 + 0.25*math.Sin(a)})
	}
	square := [][2]float64{{0, 0}, {1, 0}, {1, 1}, {0, 1}}
	region, _ := trim.New(append(square, corners...), []int32{4, int32(n)}, [2]float64{1e-9, 1e-9})
	quad, _ := NewBody(4, []Form{{Quad, 1, 1}}, []int32{0, 1, 2, 3}, nil)
	b, err := quad.Trim([]*trim.Region{region}, []int32{0}, [][4]float64{{0, 1, 0, 1}})
	if err != nil {
		t.Fatal(err)
	}
	x := []float64{0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0}
	world := &BodyStep{Body: b, X0: x, X1: x}
	var s Scene
	for _, half := range []float64{0.1, 0.17, 0.1767, 0.1768, 0.2, 0.3, 0.6} {
		lo, hi := 0.5-half, 0.5+half
		c := []float64{lo, lo, 0, lo, hi, 0, hi, lo, 0, hi, hi, 0}
		peg := &BodyStep{Body: quad, X0: moved(c, [3]float64{0, 0, 1}), X1: moved(c, [3]float64{0, 0, -1})}
		o := DefaultOptions()
		im, err := s.Earliest(peg, world, &o)
		if err != nil {
			t.Fatal(err)
		}
		passes := half*math.Sqrt2 < 0.25
		if passes != (im.Verdict == geom.Separate) || !passes && math.Abs(im.TOILo-0.5) > 1e-5 {
			t.Errorf("half width %v: %+v", half, im)
		}
	}
}

// hinge is two quads that meet at an edge, whose control points differ by rounding, as faces that
// the file joins there.
func hinge(t *testing.T, joined bool) (b *Body, x []float64) {
	t.Helper()
	const off = 3e-16
	x = []float64{
		0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0,
		off, 0, 0, 0, off, 1, 1, off, 0, 1, 0, 1,
	}
	quads, err := NewBody(8, []Form{{Quad, 1, 1}, {Quad, 1, 1}}, []int32{0, 1, 2, 3, 4, 5, 6, 7}, nil)
	if err != nil {
		t.Fatal(err)
	}
	whole, _ := trim.New(nil, nil, [2]float64{})
	windows := [][4]float64{{0, 1, 0, 1}, {5, 7, -1, 0}}
	if b, err = quads.Trim([]*trim.Region{whole, whole}, []int32{0, 1}, windows); err != nil {
		t.Fatal(err)
	}
	if !joined {
		return b, x
	}
	if b, err = b.Join([][2]int32{{1, 0}}, []int32{2}, [][4]float64{{5, -1, 0, 0}, {7, -1, 1, 0}}); err != nil {
		t.Fatal(err)
	}
	return b, x
}

// Law F6: what faces have in common in the file is no contact, whatever rounding says; what is
// beyond the neighbourhood of it is.
func TestJoinedFacesAreNeighbors(t *testing.T) {
	var s Scene
	o := DefaultOptions()
	apart, x := hinge(t, false)
	moves := func(b *Body, to []float64) *BodyStep { return &BodyStep{Body: b, X0: x, X1: to} }
	if im, _, err := s.SelfEarliest(moves(apart, moved(x, [3]float64{1, 2, 3})), 0, &o); err != nil || im.TOILo != 0 {
		t.Fatalf("without joints the faces touch: %+v, %v", im, err)
	}
	b, _ := hinge(t, true)
	im, u, err := s.SelfEarliest(moves(b, moved(x, [3]float64{1, 2, 3})), 0, &o)
	if err != nil || im.Verdict != geom.Separate || u.Pairs != 0 {
		t.Fatalf("neighbors that move as one: %+v, %+v, %v", im, u, err)
	}
	// The second quad folds onto the first: they touch all over when its far edge has come down.
	fold := append([]float64{}, x...)
	copy(fold[15:], []float64{0, 0.5, -0.5})
	copy(fold[21:], []float64{1, 0.5, -0.5})
	im, u, err = s.SelfEarliest(moves(b, fold), 0, &o)
	if err != nil || im.Verdict != geom.Contact || math.Abs(im.TOILo-2.0/3) > 1e-3 || u.Pairs == 0 || u.TFrom != 0 {
		t.Fatalf("neighbors that fold: %+v, %+v, %v", im, u, err)
	}
	// A separation counts beyond the neighbourhood: at right angles both are within 1/64 of the
	// edge where they are within 1/64 of each other.
	o.MinSeparation = 1e-3
	im, _, err = s.SelfEarliest(moves(b, moved(x, [3]float64{1, 2, 3})), 0, &o)
	if err != nil || im.Verdict != geom.Separate {
		t.Fatalf("with a separation: %+v, %v", im, err)
	}
}

func TestTrimAndJoinNameWhatIsWrong(t *testing.T) {
	whole, _ := trim.New(nil, nil, [2]float64{})
	triangle, _ := trim.New([][2]float64{{0, 0}, {1, 0}, {0, 1}}, []int32{3}, [2]float64{})
	quad, _ := NewBody(4, []Form{{Quad, 1, 1}}, []int32{0, 1, 2, 3}, nil)
	curve, _ := NewBody(2, []Form{{Curve, 1, 0}}, []int32{0, 1}, nil)
	square := [][4]float64{{0, 1, 0, 1}}
	_, err := quad.Join(nil, nil, nil)
	checkError(t, err, status.ErrArgument, "the body has no faces: trim it first")
	_, err = quad.Trim([]*trim.Region{whole}, nil, square)
	checkError(t, err, status.ErrArgument, "0 faces of patches and 1 windows: the body has 1 patches")
	_, err = quad.Trim([]*trim.Region{whole}, []int32{1}, square)
	checkError(t, err, status.ErrIndex, "of[0] is 1: there are 1 faces")
	_, err = quad.Trim([]*trim.Region{whole}, []int32{0}, [][4]float64{{0, 1, 2, 2}})
	checkError(t, err, status.ErrArgument, "windows[0] is [0 1 2 2]: its sides must be at least 1e-150")
	_, err = quad.Trim([]*trim.Region{whole}, []int32{0}, [][4]float64{{0, math.NaN(), 2, 2}})
	checkError(t, err, status.ErrNonFinite, "windows[0][1] is NaN")
	_, err = curve.Trim([]*trim.Region{triangle}, []int32{0}, square)
	checkError(t, err, status.ErrArgument, "patch 0 is a curve")
	b, err := quad.Trim([]*trim.Region{triangle}, []int32{0}, square)
	if err != nil || b.Faces() != 1 || quad.Faces() != 0 {
		t.Fatal(b, err)
	}
	_, err = b.Join([][2]int32{{0, 1}}, []int32{1}, [][4]float64{{}})
	checkError(t, err, status.ErrIndex, "joint 0 is of face 1: there are 1 faces")
	_, err = b.Join([][2]int32{{0, 0}}, []int32{2}, [][4]float64{{}})
	checkError(t, err, status.ErrArgument, "joint 0 has 2 places: must be 1 to 1")
	_, err = b.Join([][2]int32{{0, 0}}, []int32{1}, [][4]float64{{}, {}})
	checkError(t, err, status.ErrArgument, "2 places: the joints need 1")
	_, err = b.Join([][2]int32{{0, 0}}, []int32{1}, [][4]float64{{0, 0, math.Inf(1), 0}})
	checkError(t, err, status.ErrNonFinite, "joint 0: places[0][2] is +Inf")
}

func checkError(t *testing.T, err, kind error, text string) {
	t.Helper()
	if !errors.Is(err, kind) || !strings.Contains(err.Error(), text) {
		t.Errorf("got %v, want %q", err, text)
	}
}
