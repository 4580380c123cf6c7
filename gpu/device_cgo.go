//go:build linux && cgo

package gpu

// #cgo CFLAGS: -std=c11 -D_POSIX_C_SOURCE=200809L -Wall -Wextra -fvisibility=hidden
// #cgo !windows CFLAGS: -fstack-protector-strong
// #cgo LDFLAGS: -ldl -lpthread
// #include <stdlib.h>
// #include "driver.h"
//
// static const ccd_gpu_driver *const gpu_drivers[] = {&ccd_gpu_cuda, &ccd_gpu_opencl};
//
// static int gpu_list(int d, ccd_gpu_info *out, int cap, char *why) {
//     uint64_t saved[16];
//     ccd_gpu_signals_block(saved);
//     const int n = gpu_drivers[d]->list(out, cap, why);
//     ccd_gpu_signals_restore(saved);
//     return n;
// }
// static ccd_gpu *gpu_open(int d, int index, const char *program, size_t length,
//                          const char *options, char *log) {
//     uint64_t saved[16];
//     ccd_gpu_signals_block(saved);
//     ccd_gpu *g = gpu_drivers[d]->open(index, program, length, options, log);
//     ccd_gpu_signals_restore(saved);
//     return g;
// }
// static void gpu_close(int d, ccd_gpu *g) { gpu_drivers[d]->close(g); }
// static int gpu_alloc(int d, ccd_gpu *g, size_t n, ccd_gpu_buffer *out) {
//     return gpu_drivers[d]->alloc(g, n, out);
// }
// static void gpu_free(int d, ccd_gpu *g, ccd_gpu_buffer b) { gpu_drivers[d]->free(g, b); }
// static int gpu_up(int d, ccd_gpu *g, ccd_gpu_buffer to, const char *from, size_t n) {
//     return gpu_drivers[d]->up(g, to, from, n);
// }
// static int gpu_down(int d, ccd_gpu *g, char *to, ccd_gpu_buffer from, size_t n) {
//     return gpu_drivers[d]->down(g, to, from, n);
// }
// static int gpu_launch(int d, ccd_gpu *g, const char *name, size_t groups,
//                       const ccd_gpu_arg *args, int n) {
//     return gpu_drivers[d]->launch(g, name, groups, args, n);
// }
// static int gpu_finish(int d, ccd_gpu *g) { return gpu_drivers[d]->finish(g); }
// static int gpu_wait(int d, ccd_gpu *g, uint64_t stream) {
//     return gpu_drivers[d]->wait(g, stream);
// }
// static int gpu_find(int d, uint64_t address, int *index, int *known, char *why) {
//     uint64_t saved[16];
//     ccd_gpu_signals_block(saved);
//     const int e = gpu_drivers[d]->find(address, index, known, why);
//     ccd_gpu_signals_restore(saved);
//     return e;
// }
// static const char *gpu_error(int d, ccd_gpu *g) { return gpu_drivers[d]->error(g); }
import "C"

import (
	"errors"
	"strings"
	"sync"
	"unsafe"
)

// buffer is memory of a device; 0 is none.
type buffer C.ccd_gpu_buffer

// handle is a device as its driver knows it.
type handle struct {
	driver C.int
	c      *C.ccd_gpu
	names  map[string]*C.char
	args   [C.CCD_GPU_MAX_ARGS]C.ccd_gpu_arg
	counts Counts
}

// drivers is locked while a driver lists or opens devices.
var drivers sync.Mutex

// The drivers, in the order of their devices in a list.
const (
	cuda = iota
	opencl
	nDrivers
)

// listDevices lists the devices of NVIDIA's driver, then those of OpenCL.
func listDevices() (list []Info, why string) {
	drivers.Lock()
	defer drivers.Unlock()
	var reasons []string
	for d := range nDrivers {
		found, why := listDriver(d)
		for i := range found {
			found[i].driver, found[i].index = d, i
		}
		list = append(list, found...)
		if why != "" {
			reasons = append(reasons, why)
		}
	}
	return list, strings.Join(reasons, "; ")
}

func listDriver(d int) (list []Info, why string) {
	const most = 64
	out := (*[most]C.ccd_gpu_info)(C.calloc(most, C.sizeof_ccd_gpu_info))
	defer C.free(unsafe.Pointer(out))
	var text [C.CCD_GPU_TEXT]C.char
	n := C.gpu_list(C.int(d), &out[0], most, &text[0])
	for i := range out[:n] {
		d := &out[i]
		list = append(list, Info{
			Name: C.GoString(&d.name[0]), Driver: C.GoString(&d.driver[0]), Memory: uint64(d.memory),
			Refused: C.GoString(&d.refused[0]),
		})
	}
	return list, C.GoString(&text[0])
}

// openHandle opens a device with a program: for OpenCL its text, for CUDA PTX.
func openHandle(of *Info, source, options string) (*handle, error) {
	drivers.Lock()
	defer drivers.Unlock()
	text, flags := C.CString(source), C.CString(options)
	defer C.free(unsafe.Pointer(text))
	defer C.free(unsafe.Pointer(flags))
	var log [C.CCD_GPU_LOG]C.char
	c := C.gpu_open(C.int(of.driver), C.int(of.index), text, C.size_t(len(source)), flags, &log[0])
	if c == nil {
		return nil, errors.New(C.GoString(&log[0]))
	}
	return &handle{driver: C.int(of.driver), c: c, names: map[string]*C.char{}}, nil
}

func (h *handle) close() {
	C.gpu_close(h.driver, h.c)
	for _, s := range h.names {
		C.free(unsafe.Pointer(s))
	}
}

func (h *handle) check(code C.int) error {
	if code == 0 {
		return nil
	}
	return errors.New(C.GoString(C.gpu_error(h.driver, h.c)))
}

func (h *handle) alloc(bytes int) (buffer, error) {
	var b C.ccd_gpu_buffer
	err := h.check(C.gpu_alloc(h.driver, h.c, C.size_t(bytes), &b))
	return buffer(b), err
}

func (h *handle) free(b buffer) { C.gpu_free(h.driver, h.c, C.ccd_gpu_buffer(b)) }

func (h *handle) up(to buffer, from unsafe.Pointer, bytes int) error {
	h.counts.copied(bytes)
	return h.check(C.gpu_up(h.driver, h.c, C.ccd_gpu_buffer(to), (*C.char)(from), C.size_t(bytes)))
}

func (h *handle) down(to unsafe.Pointer, from buffer, bytes int) error {
	h.counts.copied(bytes)
	return h.check(C.gpu_down(h.driver, h.c, (*C.char)(to), C.ccd_gpu_buffer(from), C.size_t(bytes)))
}

// finish waits for all work on the device, that of other libraries in its context too.
func (h *handle) finish() error { return h.check(C.gpu_finish(h.driver, h.c)) }

// wait lets what is launched from now on wait for the work on a stream of the caller's.
func (h *handle) wait(stream uintptr) error {
	return h.check(C.gpu_wait(h.driver, h.c, C.uint64_t(stream)))
}

// findAddress returns the position of the device of NVIDIA's driver in whose memory an address is.
// An error with known says that it is in none; else the driver cannot say.
func findAddress(address uintptr) (index int, known bool, err error) {
	drivers.Lock()
	defer drivers.Unlock()
	var at, sure C.int
	var why [C.CCD_GPU_TEXT]C.char
	if C.gpu_find(cuda, C.uint64_t(address), &at, &sure, &why[0]) != 0 {
		return 0, sure != 0, errors.New(C.GoString(&why[0]))
	}
	return int(at), true, nil
}

func (h *handle) launch(kernel string, groups int, args ...argument) error {
	name := h.names[kernel]
	if name == nil {
		name = C.CString(kernel)
		h.names[kernel] = name
	}
	for i, a := range args {
		h.args[i] = C.ccd_gpu_arg{value: C.uint64_t(a.value), size: C.uint32_t(a.size)}
	}
	h.counts.Launches++
	return h.check(C.gpu_launch(h.driver, h.c, name, C.size_t(groups), &h.args[0], C.int(len(args))))
}
