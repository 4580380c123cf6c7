package rigid

import "ccd/core/order"

// pending is a pair of nodes that stays apart before its time: nodes a and b; over a mesh that
// deforms, node a and the element.
type pending struct {
	a, b int32
	same bool // look at the pair itself again at that time, before its children
}

type (
	heap = order.TimeHeap[pending]
	item = order.Timed[pending]
)
