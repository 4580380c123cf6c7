package main

// #include "internal.h"
import "C"

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"unsafe"

	"ccd/core/broad"
	"ccd/core/kernel"
	"ccd/core/step"
	"ccd/gpu"
)

// checkDevice returns an error for a device that the calls of d do not support.
func (d *domain) checkDevice(raw *rawOptions) error {
	switch {
	case raw.device < C.CCD_DEVICE_CPU || raw.device > C.CCD_DEVICE_AUTO:
		return fail(C.CCD_E_ARGUMENT, "options.device is %d: not a ccd_device", raw.device)
	case raw.device == C.CCD_DEVICE_GPU && !d.devices:
		return fail(C.CCD_E_UNSUPPORTED, "options.device is CCD_DEVICE_GPU: %s compute on the CPU", d.calls)
	case raw.deviceIndex < 0:
		return fail(C.CCD_E_ARGUMENT, "options.device_index is %d: must not be negative", raw.deviceIndex)
	case raw.deviceIndex != 0 && raw.device == C.CCD_DEVICE_CPU:
		return fail(C.CCD_E_UNSUPPORTED, "options.device_index is %d: there is one CPU", raw.deviceIndex)
	case raw.deviceX0 != 0 && !d.arrays:
		return fail(C.CCD_E_UNSUPPORTED, "options.device_x0 is not NULL: %s take vertices of the host", d.calls)
	case raw.deviceX1 != 0 && !d.arrays:
		return fail(C.CCD_E_UNSUPPORTED, "options.device_x1 is not NULL: %s take vertices of the host", d.calls)
	}
	return nil
}

// deviceChoice is the device that a call computes on, from its options or from the environment.
type deviceChoice struct {
	kind, index int32
	given       bool // The options name it: then a call that cannot use the device is an error.
}

// chooseDevice reads CCD_DEVICE if the options leave the device at its default.
func (raw *rawOptions) chooseDevice() (deviceChoice, error) {
	name := os.Getenv("CCD_DEVICE")
	if raw.device != C.CCD_DEVICE_CPU || name == "" {
		return deviceChoice{raw.device, raw.deviceIndex, true}, nil
	}
	kind, index, indexed := strings.Cut(name, ":")
	number, err := strconv.ParseUint(index, 10, 31)
	value, known := map[string]int32{"cpu": C.CCD_DEVICE_CPU, "gpu": C.CCD_DEVICE_GPU, "auto": C.CCD_DEVICE_AUTO}[kind]
	if !known || indexed && (err != nil || value == C.CCD_DEVICE_CPU) {
		return deviceChoice{}, fail(C.CCD_E_ARGUMENT,
			"CCD_DEVICE in the environment is %q: must be cpu, auto, gpu or gpu:INDEX", name)
	}
	return deviceChoice{kind: value, index: int32(number)}, nil
}

// device opens the device of a step and sets it in the options. done is to be called when the call
// ends.
func (s *settings) device(o *step.Options) (done func(), err error) {
	nothing := func() {}
	choice, err := s.raw.chooseDevice()
	switch {
	case err != nil:
		return nothing, err
	case choice.kind == C.CCD_DEVICE_CPU || !choice.given && !o.Unique():
		return nothing, nil
	}
	d, err := openDevice(choice.index)
	if err != nil {
		if choice.kind == C.CCD_DEVICE_AUTO {
			return nothing, nil
		}
		return nothing, fail(C.CCD_E_UNSUPPORTED, "options.device is CCD_DEVICE_GPU: %v", err)
	}
	session := d.NewSession()
	o.Device, o.DeviceOnly = session, choice.kind == C.CCD_DEVICE_GPU
	return session.Close, nil
}

// finder opens the device of a broad phase. only is true if the call must use the device; the
// caller calls done when the call ends.
func (s *settings) finder() (remote *broad.Remote, only bool, done func(), err error) {
	o := step.Options{Options: s.narrow}
	if done, err = s.device(&o); err != nil {
		return nil, false, nil, err
	}
	if d, ok := o.Device.(kernel.PairFinder); ok {
		remote = &broad.Remote{Device: d}
	}
	return remote, o.DeviceOnly, done, nil
}

// noFinder is finder for a broad phase that no device has.
func (s *settings) noFinder() (remote *broad.Remote, only bool, done func(), err error) {
	if s.raw.device == C.CCD_DEVICE_GPU {
		err = fail(C.CCD_E_UNSUPPORTED,
			"options.device is CCD_DEVICE_GPU: ccd_broad_candidates with CCD_BRUTE_FORCE computes on the CPU")
	}
	return nil, false, func() {}, err
}

// openDevice opens a device by its position, or the first that can be used.
func openDevice(index int32) (*gpu.Device, error) {
	if index == 0 {
		return gpu.FirstUsable()
	}
	return gpu.Open(int(index))
}

// devicesText lists the devices, a line each.
func devicesText() string {
	list, why := gpu.Devices(true)
	if len(list) == 0 {
		return deviceLine(-1, gpu.Info{Refused: why})
	}
	var b strings.Builder
	for i, d := range list {
		b.WriteString(deviceLine(i, d))
	}
	return b.String()
}

// deviceLine joins columns by tabs, with single spaces for white space within them.
func deviceLine(index int, d gpu.Info) string {
	plain := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	return fmt.Sprintf("%d\t%s\t%s\t%d\t%s\n", index, plain(d.Name), plain(d.Driver), d.Memory, plain(d.Refused))
}

//export go_device_list
func go_device_list(text unsafe.Pointer, capacity uintptr, length *uintptr) status {
	return guard(func() error {
		if length == nil {
			return null("length")
		}
		if text == nil && capacity > 0 {
			return null("text")
		}
		copyText(text, capacity, length, devicesText())
		return nil
	})
}
