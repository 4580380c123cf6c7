package mesh

import (
	"math/rand/v2"
	"testing"
)

// What calls make of a mesh or of one at rest serves both, and those at rest of that.
func TestMeshesAtRestShareWhatCallsMake(t *testing.T) {
	m := partMesh(t, rand.New(rand.NewPCG(93, 95)))
	rest := m.AtRest(make([]bool, m.NV))
	again := rest.AtRest(make([]bool, m.NV))
	all := []*Mesh{m, rest, again}
	for i, x := range all {
		x.UpdateOrder(func(o *Order, calls int) (*Order, int) {
			if o != nil || calls != i {
				t.Errorf("mesh %d: order %v after %d calls", i, o, calls)
			}
			return nil, i + 1
		})
	}
	order, hierarchy := &Order{}, Hierarchy(nil)
	again.UpdateOrder(func(*Order, int) (*Order, int) { return order, 0 })
	rest.UpdateHierarchy(func(*Hierarchy, int) (*Hierarchy, int) { return &hierarchy, 0 })
	for i, x := range all {
		if x.Order() != order || x.Hierarchy() != &hierarchy {
			t.Errorf("mesh %d: order %v, hierarchy %v", i, x.Order(), x.Hierarchy())
		}
	}
	if other := partMesh(t, rand.New(rand.NewPCG(93, 95))); other.Order() != nil || other.Hierarchy() != nil {
		t.Error("another mesh has the order, or the hierarchy")
	}
}
