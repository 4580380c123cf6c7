package main

// #include "internal.h"
import "C"

import (
	"errors"

	"ccd/gpu"
)

// beginOnDevice is begin for vertices in the memory of a device.
func (s *settings) beginOnDevice(c *stepCall, x0, x1 *float64, n uintptr, o *C.ccd_options) (done func(), err error) {
	nothing := func() {}
	switch {
	case s.raw.deviceX0 == 0 || s.raw.deviceX1 == 0:
		return nothing, fail(C.CCD_E_ARGUMENT,
			"one of options.device_x0 and options.device_x1 is NULL: give both, or none")
	case x0 != nil:
		return nothing, fail(C.CCD_E_ARGUMENT,
			"x0 is not NULL, but options.device_x0 has the vertices: give one of them")
	case x1 != nil:
		return nothing, fail(C.CCD_E_ARGUMENT,
			"x1 is not NULL, but options.device_x1 has the vertices: give one of them")
	case n != uintptr(c.mesh.NV):
		return nothing, fail(C.CCD_E_ARGUMENT, "n is %d: the arrays have one row per vertex, and the mesh has %d", n,
			c.mesh.NV)
	}
	var x [2]gpu.Array
	for i, a := range []*C.ccd_device_array{o.device_x0, o.device_x1} {
		if x[i], err = arrayOf([]string{"options.device_x0", "options.device_x1"}[i], a); err != nil {
			return nothing, err
		}
	}
	choice, err := s.raw.chooseDevice()
	if err != nil {
		return nothing, err
	}
	d, err := deviceOf(&x, int(n), choice)
	if err != nil {
		return nothing, err
	}
	session := d.NewSession()
	rec, err := session.Read(&x[0], &x[1], int(n))
	if err != nil {
		session.Close()
		return nothing, fail(C.CCD_E_UNSUPPORTED, "options.device_x0 and options.device_x1 cannot be read: %v", err)
	}
	c.x0, c.x1 = split(rec)
	if choice.kind == C.CCD_DEVICE_CPU || !choice.given && !c.options.Unique() {
		session.Close()
		return nothing, nil
	}
	session.Keep(c.x0, c.x1)
	c.options.Device, c.options.DeviceOnly = session, choice.kind == C.CCD_DEVICE_GPU
	return session.Close, nil
}

// arrayOf reads an array of the caller's.
func arrayOf(name string, a *C.ccd_device_array) (gpu.Array, error) {
	switch {
	case a.dtype != C.CCD_FLOAT64 && a.dtype != C.CCD_FLOAT32:
		return gpu.Array{}, fail(C.CCD_E_ARGUMENT, "%s.dtype is %d: must be CCD_FLOAT64 or CCD_FLOAT32", name, a.dtype)
	case a.reserved != 0:
		return gpu.Array{}, fail(C.CCD_E_ARGUMENT, "%s.reserved is %d: must be 0", name, int64(a.reserved))
	}
	return gpu.Array{
		Name: name, Data: uintptr(a.data), Single: a.dtype == C.CCD_FLOAT32, Stride: int(a.stride),
		Device: int(a.device), Stream: uintptr(a.stream),
	}, nil
}

// locate returns the position of the device of an array of n vertices.
func locate(x *gpu.Array, n int) (int, error) {
	at, err := x.Locate(n)
	var wrong gpu.ArrayError
	if errors.As(err, &wrong) {
		return 0, fail(C.CCD_E_ARGUMENT, "%v", wrong)
	} else if err != nil {
		return 0, fail(C.CCD_E_UNSUPPORTED, "%v", err)
	}
	return at, nil
}

// deviceOf opens the device where both arrays are, which must be the one that the options name, if
// they name one.
func deviceOf(x *[2]gpu.Array, n int, choice deviceChoice) (*gpu.Device, error) {
	var at [2]int
	for i := range x {
		var err error
		if at[i], err = locate(&x[i], n); err != nil {
			return nil, err
		}
	}
	switch {
	case at[0] != at[1]:
		return nil, fail(C.CCD_E_ARGUMENT, "options.device_x1 is on device %d: options.device_x0 is on device %d",
			at[1], at[0])
	case choice.given && choice.index != 0 && int(choice.index) != at[0]:
		return nil, fail(C.CCD_E_ARGUMENT, "options.device_index is %d: the vertices are on device %d",
			choice.index, at[0])
	}
	d, err := gpu.Open(at[0])
	if err != nil {
		return nil, fail(C.CCD_E_UNSUPPORTED, "options.device_x0 and options.device_x1 cannot be read: %v", err)
	}
	return d, nil
}

// split makes positions at both ends of records.
func split(rec []float64) (x0, x1 []float64) {
	n := len(rec) / 8
	both := make([]float64, 6*n)
	x0, x1 = both[:3*n:3*n], both[3*n:]
	for i := range n {
		copy(x0[3*i:3*i+3], rec[8*i:])
		copy(x1[3*i:3*i+3], rec[8*i+4:])
	}
	return x0, x1
}
