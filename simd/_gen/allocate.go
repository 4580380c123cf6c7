package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// allocator is the state of a program while it is emitted.
type allocator struct {
	*program
	uses  [][]int        // uses[v] lists the operations still to come that read value v.
	in    []reg.Register // in[v] is the register that holds value v, or nil.
	slot  []Mem          // slot[v] is where value v is stored, if it is.
	saved []bool
	vec   pool
	k     pool
	slots []Mem // the slots that are free
}

// pool is a register file.
type pool struct {
	free   []reg.Register
	holder map[reg.Register]value
}

func newPool(r []reg.Register) pool {
	p := pool{holder: map[reg.Register]value{}}
	for i := len(r) - 1; i >= 0; i-- {
		p.free = append(p.free, r[i])
	}
	return p
}

var kRegisters = []reg.Register{reg.K1, reg.K2, reg.K3, reg.K4, reg.K5, reg.K6, reg.K7}

// vectorRegisters are Z0-Z31 or Y0-Y15.
func vectorRegisters(w int) []reg.Register {
	n, spec := 16, reg.S256
	if w == 512 {
		n, spec = 32, reg.S512
	}
	r := make([]reg.Register, n)
	for i := range r {
		r[i] = reg.LookupPhysical(reg.KindVector, reg.Index(i), spec)
	}
	return r
}

// emit writes the program's instructions.
func (p *program) emit() {
	p.lower()
	p.checkStores()
	n := len(p.ops)
	a := &allocator{program: p, uses: make([][]int, n), in: make([]reg.Register, n), slot: make([]Mem, n),
		saved: make([]bool, n),
		vec:   newPool(vectorRegisters(p.w)), k: newPool(kRegisters)}
	// The loop runs backwards, so that values that only dead operations read are dead, too.
	for i := n - 1; i >= 0; i-- {
		if o := &p.ops[i]; !o.how.result || len(a.uses[i]) > 0 {
			for _, v := range o.args {
				a.uses[v] = append([]int{i}, a.uses[v]...)
			}
		}
	}
	used := p.frame.used
	for i := range p.ops {
		a.step(i)
	}
	p.frame.used = used // Spilled values are dead after the program.
}

// checkStores panics if a value is read from memory after the program wrote there: it may be
// fetched at any time.
func (p *program) checkStores() {
	stored := map[Mem]int{}
	for i := range p.ops {
		if p.ops[i].code == opStore {
			stored[p.ops[i].at] = i
		}
		for _, v := range p.ops[i].args {
			if at, ok := stored[p.ops[v].how.source]; ok && at < i {
				panic(fmt.Sprintf("operation %d reads what operation %d has overwritten", i, at))
			}
		}
	}
}

func (a *allocator) step(i int) {
	o := &a.ops[i]
	if o.how.source != (Mem{}) || o.how.result && len(a.uses[i]) == 0 {
		return
	}
	pinned := map[value]bool{}
	for _, v := range o.args {
		pinned[v] = true
	}
	src := make([]Op, len(o.args))
	for j, v := range o.args {
		last := j == len(o.args)-1
		if a.in[v] == nil && last && o.how.fold && a.foldable(v, i) {
			src[j] = a.home(v)
		} else {
			src[j] = a.fetch(v, pinned)
		}
	}
	for _, v := range o.args {
		for len(a.uses[v]) > 0 && a.uses[v][0] <= i {
			a.uses[v] = a.uses[v][1:]
		}
	}
	if !o.how.result {
		o.how.emit(src, nil)
		a.release(o.args)
		return
	}
	var dst reg.Register
	if o.how.inout {
		dst = a.replace(o, value(i), src, pinned)
	} else {
		a.releaseRegisters(o.args) // The result may use an argument's register, but a spill must not use its slot yet.
		dst = a.allocate(value(i), pinned)
	}
	o.how.emit(src, dst)
	a.release(o.args)
}

// replace finds the register of a result that overwrites its last argument: that argument's own if
// it is dead, else a copy.
func (a *allocator) replace(o *operation, v value, src []Op, pinned map[value]bool) reg.Register {
	last := o.args[len(o.args)-1]
	dead := len(a.uses[last]) == 0
	for _, w := range o.args[:len(o.args)-1] {
		dead = dead && w != last
	}
	if dead {
		r := a.in[last]
		a.in[last] = nil
		a.dropSlot(last)
		a.in[v] = r
		a.vec.holder[r] = v
		return r
	}
	r := a.allocate(v, pinned)
	a.c.VMOVAPD(src[len(src)-1], r)
	return r
}

// home returns where a value that is in no register lies in memory.
func (a *allocator) home(v value) Mem {
	if o := &a.ops[v]; o.how.source != (Mem{}) {
		return o.how.source
	}
	if !a.saved[v] {
		panic(fmt.Sprintf("value %d is nowhere", v))
	}
	return a.slot[v]
}

// foldable reports whether operation i may read v from memory instead of a register: a plain load
// that is not wanted soon.
func (a *allocator) foldable(v value, i int) bool {
	if a.ops[v].how.fetch != nil || a.ops[v].how.mask {
		return false
	}
	for _, u := range a.uses[v] {
		if u > i && u < i+8 {
			return false
		}
	}
	return true
}

// fetch brings v into a register.
func (a *allocator) fetch(v value, pinned map[value]bool) reg.Register {
	if a.in[v] != nil {
		return a.in[v]
	}
	m := a.home(v)
	r := a.allocate(v, pinned)
	if f := a.ops[v].how.fetch; f != nil {
		f(m, r)
	} else {
		a.c.VMOVUPD(m, r)
	}
	return r
}

// allocate returns v a register, evicting another value if it must.
func (a *allocator) allocate(v value, pinned map[value]bool) reg.Register {
	p := &a.vec
	if a.ops[v].how.mask {
		p = &a.k
	}
	if len(p.free) == 0 {
		a.evict(p, pinned)
	}
	r := p.free[len(p.free)-1]
	p.free = p.free[:len(p.free)-1]
	p.holder[r] = v
	a.in[v] = r
	return r
}

func (a *allocator) evict(p *pool, pinned map[value]bool) {
	victim, farthest := value(-1), -1
	for _, v := range p.holder {
		if pinned[v] {
			continue
		}
		next := 2 * a.uses[v][0]
		if a.saved[v] || a.ops[v].how.source != (Mem{}) {
			next++ // The odd number prefers, on a tie, a value that needs no store.
		}
		if next > farthest || next == farthest && v < victim {
			victim, farthest = v, next
		}
	}
	if victim < 0 || a.ops[victim].how.mask {
		panic("out of registers")
	}
	r := a.in[victim]
	if a.ops[victim].how.source == (Mem{}) && !a.saved[victim] {
		if len(a.slots) == 0 {
			a.slots = append(a.slots, a.frame.alloc(a.bytes()))
		}
		a.slot[victim] = a.slots[len(a.slots)-1]
		a.slots = a.slots[:len(a.slots)-1]
		a.saved[victim] = true
		a.c.VMOVUPD(r, a.slot[victim])
	}
	a.in[victim] = nil
	delete(p.holder, r)
	p.free = append(p.free, r)
}

// release frees the registers and slots of arguments that nothing reads any more.
func (a *allocator) release(args []value) {
	a.releaseRegisters(args)
	for _, v := range args {
		if len(a.uses[v]) == 0 {
			a.dropSlot(v)
		}
	}
}

func (a *allocator) releaseRegisters(args []value) {
	for _, v := range args {
		r := a.in[v]
		if r == nil || len(a.uses[v]) > 0 {
			continue
		}
		p := &a.vec
		if a.ops[v].how.mask {
			p = &a.k
		}
		a.in[v] = nil
		delete(p.holder, r)
		p.free = append(p.free, r)
	}
}

func (a *allocator) dropSlot(v value) {
	if a.saved[v] {
		a.saved[v] = false
		a.slots = append(a.slots, a.slot[v])
	}
}
