// Package gpu has what package capi uses of ccd/gpu, and none of it works: growth.sh links the
// library with it, to measure what the real one adds.
package gpu

import (
	"errors"

	"ccd/simd/pairs"
)

// ErrNone is the error of everything that needs a device.
var ErrNone = errors.New("there is no graphics processor")

// Info describes a device.
type Info struct {
	Name, Driver, Refused string
	Memory                uint64
}

// Device is an open device.
type Device struct{ Info }

// Devices lists none.
func Devices(bool) ([]Info, string) { return nil, "" }

// Open opens none.
func Open(int) (*Device, error) { return nil, ErrNone }

// FirstUsable finds none.
func FirstUsable() (*Device, error) { return nil, ErrNone }

// OpenShared opens none.
func OpenShared(int) (*Device, error) { return nil, ErrNone }

// Array is positions on a device.
type Array struct {
	Name   string
	Data   uintptr
	Single bool
	Stride int
	Device int
	Stream uintptr
}

// ArrayError is an error in an Array.
type ArrayError string

func (e ArrayError) Error() string { return string(e) }

// Locate finds no device.
func (*Array) Locate(int) (int, error) { return 0, ErrNone }

// OverBudget is the error of a lack of memory.
type OverBudget struct{ Need, Budget int64 }

func (*OverBudget) Error() string { return "" }

// Results is memory of a device.
type Results struct{}

// Put copies nothing.
func (*Device) Put([]byte, uint64) (*Results, error) { return nil, ErrNone }

// Device is none.
func (*Results) Device() int { return -1 }

// Address is none.
func (*Results) Address() uintptr { return 0 }

// Hold does nothing.
func (*Results) Hold() {}

// Release does nothing.
func (*Results) Release() {}

// Session is the memory of a call.
type Session struct{}

// NewSession begins a call in which everything is an error.
func (*Device) NewSession() *Session { return &Session{} }

// Close does nothing.
func (*Session) Close() {}

// Limit does nothing.
func (*Session) Limit(uint64) {}

// Used returns 0.
func (*Session) Used() (float64, int64) { return 0, 0 }

// Read is an error.
func (*Session) Read(_, _ *Array, _ int) ([]float64, error) { return nil, ErrNone }

// Keep does nothing.
func (*Session) Keep(_, _ []float64) {}

// Holds reports false.
func (*Session) Holds(_, _ []float64) bool { return false }

// Load is an error.
func (*Session) Load([]float64) error { return ErrNone }

// First is an error.
func (*Session) First(bool, [][4]int32, float64, float64, []int32, []uint8, []float64, []uint8) (int, error) {
	return 0, ErrNone
}

// LoadMesh is an error.
func (*Session) LoadMesh(*pairs.Mesh) error { return ErrNone }

// Plan is an error.
func (*Session) Plan(*pairs.Space, []pairs.Family) ([]int64, int, error) { return nil, 0, ErrNone }

// Pairs is an error.
func (*Session) Pairs(int, int64, [][2]int32) error { return ErrNone }

// FirstOf is an error.
func (*Session) FirstOf(int, bool, int64, int, float64, float64, *pairs.Found) error { return ErrNone }
