package mesh

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"ccd/core/geom"
)

// A part that is built anew in place keeps the order of what it was, where its topology is the
// same, whatever moves.
func TestPartKeepsItsOrder(t *testing.T) {
	m := partMesh(t, rand.New(rand.NewPCG(93, 94)))
	p := NewPart(Assemble(m))
	p.AddAll()
	part, order := p.Build(func(int32) bool { return true }), &Order{}
	edges, faces := slices.Clone(part.Edges), slices.Clone(part.Faces)
	part.UpdateOrder(func(*Order, int) (*Order, int) { return order, 7 })
	for i := range int32(3) {
		p.AddAll()
		if p.Build(func(v int32) bool { return v%3 == i }); part.Order() != order {
			t.Fatalf("the part has the order %v", part.Order())
		}
		if !slices.Equal(part.Edges, edges) || !slices.Equal(part.Faces, faces) || len(faces) == 0 {
			t.Fatal("the part has other edges or faces")
		}
	}
	part.UpdateOrder(func(o *Order, calls int) (*Order, int) {
		if o != order || calls != 7 {
			t.Errorf("order %v after %d calls", o, calls)
		}
		return nil, 0
	})
}

// A part has none of the order of another part before it that differs in an edge's end, a corner, a
// particle or a point of an edge, also if the numbers in the assembly are the same.
func TestPartsThatDifferShareNoOrder(t *testing.T) {
	base := []any{5, []int32{0, 1, 1, 2, 2, 0, 3, 4}, []int32{0, 1, 2}}
	for name, other := range map[string][]any{
		"a vertex more": {6, []int32{0, 1, 1, 2, 2, 0, 3, 4}, []int32{0, 1, 2}},
		"a rod's end":   {5, []int32{0, 1, 1, 2, 2, 0, 2, 4}, []int32{0, 1, 2}},
		"no rod":        {5, []int32{0, 1, 1, 2, 2, 0}, []int32{0, 1, 2}},
		"a corner":      {5, []int32{0, 1, 1, 3, 3, 0, 3, 4}, []int32{0, 1, 3}},
		"a turned face": {5, []int32{0, 1, 1, 2, 2, 0, 3, 4}, []int32{0, 2, 1}},
		"no face":       {5, []int32{0, 1, 1, 2, 2, 0, 3, 4}, []int32(nil)},
		"turned edges":  {5, []int32{1, 0, 1, 2, 2, 0, 3, 4}, []int32{0, 1, 2}},
	} {
		var a *Assembly
		var p *Part
		for i, x := range [][]any{base, other, base, base} {
			m, err := New(x[0].(int), x[1].([]int32), x[2].([]int32))
			if err != nil {
				t.Fatal(err)
			}
			if a == nil {
				a = Assemble(m)
				p = NewPart(a)
			} else {
				a.Remove(a.Pieces()[0])
				if _, err := a.Add(m); err != nil || a.Pieces()[0].First(geom.Vertex) != 0 {
					t.Fatalf("the numbers are not those of the mesh before: %v", err)
				}
			}
			p.Fit()
			p.AddAll()
			part := p.Build(func(int32) bool { return true })
			if has := part.Order() != nil; has != (i == 3) {
				t.Errorf("%s: part %d has an order: %v", name, i, has)
			}
			part.UpdateOrder(func(*Order, int) (*Order, int) { return &Order{}, 0 })
		}
	}
}

// A part that is built anew in place of another has none of its order.
func TestPartForgetsItsOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(93, 94))
	m := partMesh(t, r)
	a := Assemble(m)
	p := NewPart(a)
	p.AddAll()
	part := p.Build(func(int32) bool { return true })
	part.UpdateOrder(func(o *Order, calls int) (*Order, int) { return &Order{Vertices: make([]int32, part.NV)}, 7 })
	if part.Order() == nil {
		t.Fatal("no order")
	}
	p.Add(a.Pieces()[0], 0)
	if again := p.Build(func(int32) bool { return true }); again != part || part.Order() != nil {
		t.Errorf("the part has the order %v", part.Order())
	}
	part.UpdateOrder(func(o *Order, calls int) (*Order, int) {
		if o != nil || calls != 0 {
			t.Errorf("order %v after %d calls", o, calls)
		}
		return nil, 0
	})
}

// One goroutine at a time decides about an order; meanwhile the others use the one that there is.
func TestUpdateOrder(t *testing.T) {
	m, err := New(3, nil, []int32{0, 1, 2})
	if err != nil {
		t.Fatal(err)
	}
	first := &Order{}
	if first.Bytes() != 0 || (*Order)(nil).Bytes() != 0 {
		t.Error("an empty order takes memory")
	}
	m.UpdateOrder(func(*Order, int) (*Order, int) { return first, 1 })
	inside, leave := make(chan bool), make(chan bool)
	var both sync.WaitGroup
	both.Go(func() {
		m.UpdateOrder(func(o *Order, calls int) (*Order, int) {
			if o != first || calls != 1 {
				t.Errorf("order %v, %d calls", o, calls)
			}
			inside <- true
			<-leave
			return nil, 2
		})
	})
	<-inside
	if o := m.UpdateOrder(func(*Order, int) (*Order, int) { t.Error("two at once"); return nil, 0 }); o != first {
		t.Errorf("another goroutine gets %v", o)
	}
	leave <- true
	both.Wait()
	if m.Order() != nil {
		t.Error("the order is still there")
	}
	o := Order{Edges: [][2]int32{{0, 1}, {1, 2}}, Faces: [][3]int32{{0, 1, 2}}}
	if got := o.Gather(geom.VertexFace, [][2]int32{{7, 0}}, nil); len(got) != 1 || got[0] != [4]int32{7, 0, 1, 2} {
		t.Errorf("vertex 7 and face 0: %v", got)
	}
	if got := o.Gather(geom.EdgeEdge, [][2]int32{{1, 0}}, nil); len(got) != 1 || got[0] != [4]int32{1, 2, 0, 1} {
		t.Errorf("edges 1 and 0: %v", got)
	}
}
