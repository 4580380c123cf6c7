// Package gpu runs a sweep and the kernels of the exact method on a graphics processor: slices in,
// lists out, no geometry.
//
//	device.go      Devices lists what there is, and why one is refused; Open opens one, after a
//	               self-test
//	session.go     Session: the buffers of one call, and First, the narrow phase of a list of pairs
//	arrays.go      Array: positions that a caller has on a device; Session.Read makes records of
//	               them
//	results.go     Results: what a call found, in memory of the device that its caller reads
//	broad.go       Plan, the broad phase: boxes, sorted, in cells, and how many pairs each has;
//	               package pairs is the reference
//	ahead.go       Ahead: a plan and the first pairs of its lists, without a wait for the host
//	window.go      Pairs and FirstOf: any part of a list of pairs, and the narrow phase of it
//	filter32.go    the filter in single precision as Go does it: the reference for
//	               kernels/filter32.cl
//	euclid.go      the Euclidean certificate as Go does it: the reference for kernels/euclid.cl
//	selftest.go    what a device must compute bit for bit before it is used; selftest_broad.go for
//	               the broad phase
//	driver.h       the functions that a driver fills in: cuda.c, opencl.c
//	kernels/       OpenCL C 1.2; the functions in double precision are those of package simd/text
//	ptx.go         the same compiled ahead of time for NVIDIA's driver: kernels/kernels.ptx.bz2
//	registers.go   reads its registers, which are written by their age
//	memory.go      buffers, and how many items a group of the kernels takes
//	program.go     how the kernels are compiled
//	device_cgo.go, device_none.go   calls of a driver, and none where there is no C compiler
//
// Drivers are opened by dlopen at the first call, so neither the build nor the library needs
// anything of a vendor. Without cgo, and on systems other than Linux, there is no device, and
// Devices says so.
//
// The device proves pairs separate and certifies times of contact with the operations of package
// simd, in the same order and with the same rounding. What it leaves undecided is the caller's. So
// a caller gets the same answers as from the CPU, bit for bit, whatever the device.
package gpu
