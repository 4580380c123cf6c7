//go:build !linux || !cgo

package gpu

import (
	"errors"
	"unsafe"
)

const whyNone = "this build has no graphics back end: it needs Linux and cgo"

func listDevices() ([]Info, string) { return nil, whyNone }

const cuda = 0

type (
	handle struct{ counts Counts }
	buffer uint64
)

var errNone = errors.New(whyNone)

func openHandle(*Info, string, string) (*handle, error) { return nil, errNone }
func (*handle) close()                                  {}
func (*handle) alloc(int) (buffer, error)               { return 0, errNone }
func (*handle) free(buffer)                             {}
func (*handle) up(buffer, unsafe.Pointer, int) error    { return errNone }
func (*handle) down(unsafe.Pointer, buffer, int) error  { return errNone }
func (*handle) finish() error                           { return errNone }
func (*handle) wait(uintptr) error                      { return errNone }
func findAddress(uintptr) (int, bool, error)            { return 0, false, errNone }
func (*handle) launch(string, int, ...argument) error   { return errNone }
