package mesh

import (
	"math/rand/v2"
	"sync"
	"testing"

	"ccd/core/geom"
)

// A part that is built anew in place has none of the order of what it was.
func TestPartForgetsItsOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(93, 94))
	m := partMesh(t, r)
	p := NewPart(Assemble(m))
	p.AddAll()
	part := p.Build(func(int32) bool { return true })
	part.UpdateOrder(func(o *Order, calls int) (*Order, int) { return &Order{Vertices: make([]int32, part.NV)}, 7 })
	if part.Order() == nil {
		t.Fatal("no order")
	}
	p.AddAll()
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
