package kernel

import "ccd/core/geom"

// Device is the narrow phase of the exact method on a graphics processor: package gpu. Workers of a
// call share it.
type Device interface {
	// Load copies the records of the vertices to the device. It is called once, before First.
	Load(rec []float64) error
	// First writes to list, ascending, the positions of the queries idx that it cannot prove to
	// keep more than sep throughout [0, tmax], and returns how many there are. For position
	// list[j], mask[j] has the eighths of [0, tmax] that may hold the first contact (0: none, a
	// proof), and state[j] is Contact if toi[j] is the largest double not above its time, else
	// Unknown. With sep > 0 all states are Unknown.
	First(face bool, idx [][4]int32, tmax, sep float64, list []int32, mask []uint8, toi []float64, state []uint8) (int,
		error)
}

// Remote is a device as one worker of a call uses it. After the first error it is not used any
// more: the CPU goes on, with the same answers.
type Remote struct {
	Device Device
	Least  int // lists that are shorter stay on the CPU
	Used   bool
	Err    error

	List  []int32 // what First found
	Masks []uint8
	TOI   []float64
	State []uint8

	ready bool    // what is in them was found before the call of First
	all   []int32 // 0, 1, 2, ...
}

// Bytes returns the memory of the lists.
func (r *Remote) Bytes() int64 {
	if r == nil {
		return 0
	}
	return int64(4*(cap(r.List)+cap(r.all)) + cap(r.Masks) + 8*cap(r.TOI) + cap(r.State))
}

// Takes reports whether the device would be used for so many pairs of a kind.
func (r *Remote) Takes(k geom.Kind, n int) bool {
	return r != nil && r.Device != nil && r.Err == nil && n > 0 && n >= r.Least && CPU.Supports(k)
}

// First asks the device and reports whether it did the work; the lists hold until the next call.
func (r *Remote) First(k geom.Kind, idx [][4]int32, tmax, sep float64) bool {
	n := len(idx)
	if r != nil && r.ready && len(r.List) == n {
		r.ready = false
		return true
	}
	if r.Drop(); !r.Takes(k, n) {
		return false
	}
	if cap(r.List) < n {
		r.List, r.Masks, r.TOI, r.State = make([]int32, n), make([]uint8, n), make([]float64, n), make([]uint8, n)
	}
	list, masks, toi, state := r.List[:n], r.Masks[:n], r.TOI[:n], r.State[:n]
	m, err := r.Device.First(k == geom.VertexFace, idx, tmax, sep, list, masks, toi, state)
	if err != nil {
		r.Err = err
		return false
	}
	r.Used = true
	r.List, r.Masks, r.TOI, r.State = list[:m], masks[:m], toi[:m], state[:m]
	return true
}
