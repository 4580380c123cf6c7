package step

import "sync"

// pool holds the memory of finished calls, so that later calls use it again. Under a memory limit
// that of larger calls would count, so such a call takes none and leaves none.
type pool[T any] struct {
	idle sync.Pool
	make func() *T
}

// get returns what an earlier call has left, or a new one.
func (p *pool[T]) get(o *Options) *T {
	if o.MemoryLimit == 0 {
		if x, ok := p.idle.Get().(*T); ok {
			return x
		}
	}
	return p.make()
}

// put leaves x to later calls. reset, which is called if it does, drops what belongs to the caller.
func (p *pool[T]) put(o *Options, x *T, reset func()) {
	if o.MemoryLimit == 0 {
		reset()
		p.idle.Put(x)
	}
}
