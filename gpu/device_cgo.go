//go:build linux && cgo

package gpu

// #cgo CFLAGS: -std=c11 -D_POSIX_C_SOURCE=200809L -Wall -Wextra -fvisibility=hidden
// #cgo LDFLAGS: -ldl -lpthread
// #include <stdlib.h>
// #include "driver.h"
//
// static int gpu_list(ccd_gpu_info *out, int cap, char *why) {
//     uint64_t saved[16];
//     ccd_gpu_signals_block(saved);
//     const int n = ccd_gpu_opencl.list(out, cap, why);
//     ccd_gpu_signals_restore(saved);
//     return n;
// }
// static ccd_gpu *gpu_open(int index, const char *program, size_t length, const char *options, char *log) {
//     uint64_t saved[16];
//     ccd_gpu_signals_block(saved);
//     ccd_gpu *g = ccd_gpu_opencl.open(index, program, length, options, log);
//     ccd_gpu_signals_restore(saved);
//     return g;
// }
// static void gpu_close(ccd_gpu *g) { ccd_gpu_opencl.close(g); }
// static int gpu_alloc(ccd_gpu *g, size_t n, ccd_gpu_buffer *out) { return ccd_gpu_opencl.alloc(g, n, out); }
// static void gpu_free(ccd_gpu *g, ccd_gpu_buffer b) { ccd_gpu_opencl.free(g, b); }
// static int gpu_up(ccd_gpu *g, ccd_gpu_buffer to, const char *from, size_t n) { return ccd_gpu_opencl.up(g, to, from, n); }
// static int gpu_down(ccd_gpu *g, char *to, ccd_gpu_buffer from, size_t n) { return ccd_gpu_opencl.down(g, to, from, n); }
// static int gpu_launch(ccd_gpu *g, const char *name, size_t groups, const ccd_gpu_arg *args, int n) {
//     return ccd_gpu_opencl.launch(g, name, groups, args, n);
// }
// static const char *gpu_error(ccd_gpu *g) { return ccd_gpu_opencl.error(g); }
import "C"

import (
	"errors"
	"sync"
	"unsafe"
)

// buffer is memory of a device; 0 is none.
type buffer C.ccd_gpu_buffer

// handle is a device as its driver knows it.
type handle struct {
	c     *C.ccd_gpu
	names map[string]*C.char
	args  [C.CCD_GPU_MAX_ARGS]C.ccd_gpu_arg
}

// drivers is held while a driver lists or opens devices.
var drivers sync.Mutex

func listDevices() (list []Info, why string) {
	drivers.Lock()
	defer drivers.Unlock()
	const most = 64
	out := (*[most]C.ccd_gpu_info)(C.calloc(most, C.sizeof_ccd_gpu_info))
	defer C.free(unsafe.Pointer(out))
	var text [C.CCD_GPU_TEXT]C.char
	n := C.gpu_list(&out[0], most, &text[0])
	for i := range out[:n] {
		d := &out[i]
		list = append(list, Info{
			Name: C.GoString(&d.name[0]), Driver: C.GoString(&d.driver[0]), Memory: uint64(d.memory), Refused: C.GoString(&d.refused[0]),
		})
	}
	return list, C.GoString(&text[0])
}

func openHandle(index int, source, options string) (*handle, error) {
	drivers.Lock()
	defer drivers.Unlock()
	text, flags := C.CString(source), C.CString(options)
	defer C.free(unsafe.Pointer(text))
	defer C.free(unsafe.Pointer(flags))
	var log [C.CCD_GPU_LOG]C.char
	c := C.gpu_open(C.int(index), text, C.size_t(len(source)), flags, &log[0])
	if c == nil {
		return nil, errors.New(C.GoString(&log[0]))
	}
	return &handle{c: c, names: map[string]*C.char{}}, nil
}

func (h *handle) close() {
	C.gpu_close(h.c)
	for _, s := range h.names {
		C.free(unsafe.Pointer(s))
	}
}

func (h *handle) check(code C.int) error {
	if code == 0 {
		return nil
	}
	return errors.New(C.GoString(C.gpu_error(h.c)))
}

func (h *handle) alloc(bytes int) (buffer, error) {
	var b C.ccd_gpu_buffer
	err := h.check(C.gpu_alloc(h.c, C.size_t(bytes), &b))
	return buffer(b), err
}

func (h *handle) free(b buffer) { C.gpu_free(h.c, C.ccd_gpu_buffer(b)) }

func (h *handle) up(to buffer, from unsafe.Pointer, bytes int) error {
	return h.check(C.gpu_up(h.c, C.ccd_gpu_buffer(to), (*C.char)(from), C.size_t(bytes)))
}

func (h *handle) down(to unsafe.Pointer, from buffer, bytes int) error {
	return h.check(C.gpu_down(h.c, (*C.char)(to), C.ccd_gpu_buffer(from), C.size_t(bytes)))
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
	return h.check(C.gpu_launch(h.c, name, C.size_t(groups), &h.args[0], C.int(len(args))))
}
