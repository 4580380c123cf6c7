package main

// #include "internal.h"
import "C"

import (
	"errors"
	"slices"
	"strings"
	"unsafe"

	"ccd/core/broad"
	"ccd/core/geom"
	"ccd/gpu"
)

// deviceColumns is the object of a ccd_device_columns: results in the memory of a device.
type deviceColumns struct {
	*gpu.Results
	columns []column
}

// column is a part of every record: width numbers that begin offset bytes after it.
type column struct {
	name          string
	offset, width int
	dtype         int32

	at, rows, stride int // bytes on the device: before the column, of the rows used, and from a row to the next
}

// size returns the bytes of a row.
func (c *column) size() int {
	if c.dtype == C.CCD_FLOAT64 || c.dtype == C.CCD_INT64 {
		return 8 * c.width
	}
	return 4 * c.width
}

// half returns a column of one of the numbers of a column of two.
func (c *column) half(name string, i int) column {
	h := *c
	h.name, h.width = name, 1
	h.at += i * h.size()
	return h
}

// columnAlignment is that of each column: what CUDA's own allocations have.
const columnAlignment = 256

// impactColumns are the members of a ccd_impact; a and b are halves of pairs.
var impactColumns = []column{
	{name: "verdict", offset: int(unsafe.Offsetof(C.ccd_impact{}.verdict)), width: 1, dtype: C.CCD_INT32},
	{name: "kind", offset: int(unsafe.Offsetof(C.ccd_impact{}.kind)), width: 1, dtype: C.CCD_INT32},
	{name: "pairs", offset: int(unsafe.Offsetof(C.ccd_impact{}.a)), width: 2, dtype: C.CCD_INT64},
	{name: "toi_lo", offset: int(unsafe.Offsetof(C.ccd_impact{}.toi_lo)), width: 1, dtype: C.CCD_FLOAT64},
	{name: "toi_hi", offset: int(unsafe.Offsetof(C.ccd_impact{}.toi_hi)), width: 1, dtype: C.CCD_FLOAT64},
	{name: "u", offset: int(unsafe.Offsetof(C.ccd_impact{}.u)), width: 1, dtype: C.CCD_FLOAT64},
	{name: "v", offset: int(unsafe.Offsetof(C.ccd_impact{}.v)), width: 1, dtype: C.CCD_FLOAT64},
	{name: "point", offset: int(unsafe.Offsetof(C.ccd_impact{}.point)), width: 3, dtype: C.CCD_FLOAT64},
	{name: "normal", offset: int(unsafe.Offsetof(C.ccd_impact{}.normal)), width: 3, dtype: C.CCD_FLOAT64},
	{name: "width", offset: int(unsafe.Offsetof(C.ccd_impact{}.width)), width: 1, dtype: C.CCD_FLOAT64},
	{name: "flags", offset: int(unsafe.Offsetof(C.ccd_impact{}.flags)), width: 1, dtype: C.CCD_UINT32},
}

// pairColumns are the columns of candidates.
var pairColumns = []column{{name: "pairs", width: 2, dtype: C.CCD_INT64}}

// lay places columns of n rows one after the other, and returns their bytes.
func lay(from []column, n int) (columns []column, bytes int) {
	for _, c := range from {
		c.at, c.rows, c.stride = bytes, n, c.size()
		bytes += (n*c.size() + columnAlignment - 1) / columnAlignment * columnAlignment
		columns = append(columns, c)
		if c.name == "pairs" {
			columns = append(columns, c.half("a", 0), c.half("b", 1))
		}
	}
	return columns, bytes
}

// columnsOf copies n records of so many bytes to the device that the options select, as columns.
func columnsOf(records unsafe.Pointer, n int, record int, from []column,
	s *settings, o *C.ccd_options) (*deviceColumns, error) {
	d, err := s.shared(o)
	if err != nil {
		return nil, err
	}
	columns, bytes := lay(from, n)
	data := make([]byte, bytes)
	in := unsafe.Slice((*byte)(records), n*record)
	for _, c := range from {
		to := data[columns[slices.IndexFunc(columns, func(x column) bool { return x.name == c.name })].at:]
		for i, size := 0, c.size(); i < n; i++ {
			copy(to[i*size:(i+1)*size], in[i*record+c.offset:])
		}
	}
	results, err := d.Put(data, s.call.MemoryLimit)
	var over *gpu.OverBudget
	switch {
	case errors.As(err, &over):
		return nil, fail(C.CCD_E_MEMORY,
			"options.memory_limit is %d: the columns need %d bytes on the device, of which %d may be used",
			s.call.MemoryLimit, over.Need, over.Budget)
	case err != nil:
		return nil, fail(C.CCD_E_UNSUPPORTED, "options: the results cannot be copied to the device: %v", err)
	}
	return &deviceColumns{Results: results, columns: columns}, nil
}

// shared opens the device that a caller reads results on.
func (s *settings) shared(o *C.ccd_options) (*gpu.Device, error) {
	index := int(s.raw.deviceIndex)
	if index == 0 {
		index = -1
	}
	if s.raw.deviceX0 != 0 && o.device_x0.data != nil { // The address is NULL for a mesh without vertices.
		x, err := arrayOf("options.device_x0", o.device_x0)
		if err != nil {
			return nil, err
		}
		if index, err = locate(&x, 1); err != nil {
			return nil, err
		}
	}
	d, err := gpu.OpenShared(index)
	if err != nil {
		return nil, fail(C.CCD_E_UNSUPPORTED, "options.device_index is %d: %v", s.raw.deviceIndex, err)
	}
	return d, nil
}

//export go_impacts_to_device
func go_impacts_to_device(h uintptr, o unsafe.Pointer, out *uintptr) status {
	return with("impacts", h, func(l list[geom.Impact]) error {
		return toDevice(o, out, func(s *settings) (*deviceColumns, error) {
			return columnsOf(unsafe.Pointer(unsafe.SliceData(l)), len(l), C.sizeof_ccd_impact, impactColumns, s,
				(*C.ccd_options)(o))
		})
	})
}

//export go_candidates_to_device
func go_candidates_to_device(h uintptr, kind int32, o unsafe.Pointer, out *uintptr) status {
	return with("candidates", h, func(c *broad.Candidates) error {
		k, err := kindOf(kind)
		if err != nil {
			return err
		}
		return toDevice(o, out, func(s *settings) (*deviceColumns, error) {
			pairs := make([][2]int64, c.Count(k))
			c.Copy(k, pairs)
			return columnsOf(unsafe.Pointer(unsafe.SliceData(pairs)), len(pairs), 16, pairColumns, s,
				(*C.ccd_options)(o))
		})
	})
}

// toDevice reads the options of a call that copies results to a device, and makes its handle.
func toDevice(o unsafe.Pointer, out *uintptr, call func(s *settings) (*deviceColumns, error)) error {
	var s settings
	if err := s.read(&stepCalls, o); err != nil {
		return err
	}
	return created(out, func() (*deviceColumns, error) { return call(&s) })
}

//export go_device_columns_get
func go_device_columns_get(h uintptr, name *C.char, out unsafe.Pointer) status {
	return with("columns", h, func(d *deviceColumns) error {
		if name == nil {
			return null("name")
		}
		if out == nil {
			return null("out")
		}
		wanted := C.GoString(name)
		var names []string
		for _, c := range d.columns {
			if c.name == wanted {
				*(*C.ccd_device_column)(out) = d.describe(&c)
				return nil
			}
			names = append(names, c.name)
		}
		return fail(C.CCD_E_ARGUMENT, "name is %q: must be one of %s", wanted, strings.Join(names, ", "))
	})
}

// describe returns a column as C has it.
func (d *deviceColumns) describe(c *column) C.ccd_device_column {
	out := C.ccd_device_column{
		rows: C.int64_t(c.rows), stride: C.int64_t(c.stride), width: C.int32_t(c.width), dtype: C.int32_t(c.dtype),
		device: C.int32_t(d.Device()),
	}
	if c.rows > 0 {
		*(*uintptr)(unsafe.Pointer(&out.data)) = d.Address() + uintptr(c.at)
	}
	return out
}
