package gpu

import (
	"errors"
	"fmt"
	"sync"
)

// Info describes a device.
type Info struct {
	Name    string
	Driver  string // the interface and the version of its driver
	Memory  uint64 // bytes
	Refused string // why it cannot be used; "" for a device that can

	driver, index int // the driver, and the device's position in its list
}

// Device is an open device. Its methods may be called from several goroutines; they wait for each
// other.
type Device struct {
	Info
	mu     sync.Mutex
	on     *handle
	perBox float64 // the entries in cells that a box of the last plan had; 0: there was none
}

// Counts is what a device has been called for: launches of kernels, and copies to it and from it.
type Counts struct {
	Launches, Copies int
	Bytes            int64 // Bytes are those of all copies.
}

// copied counts a copy.
func (c *Counts) copied(bytes int) {
	c.Copies++
	c.Bytes += int64(bytes)
}

// Counts returns what the device has been called for since it was opened.
func (d *Device) Counts() Counts {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.on.counts
}

// place identifies a device independently of the list, because a driver may list other devices
// later.
type place struct{ driver, index int }

// opened holds the open devices, and the errors of those that could not be opened or failed the
// self-test. Both stay until the process ends, because compiling the kernels and the self-test take
// seconds. It does not hold devices that listDevices refuses: listing them again costs little, and
// CCD_OPENCL_CPU may change.
var opened struct {
	sync.Mutex
	devices map[place]*Device
	failed  map[place]error
}

// ErrNone says that there is no device at all.
var ErrNone = errors.New("there is no graphics processor")

// Devices lists all devices; why has the reasons of drivers that list none. Without test a device
// that Open would find faulty has "" in Refused all the same; with test each is opened, which the
// first time takes seconds, and Refused is the error.
func Devices(test bool) (list []Info, why string) {
	list, why = listDevices()
	for i := range list {
		if test && list[i].Refused == "" {
			if _, err := openOf(list, why, i); err != nil {
				list[i].Refused = err.Error()
			}
		}
	}
	return list, why
}

// Open opens a device by its position in the list of Devices.
func Open(index int) (*Device, error) {
	list, why := listDevices()
	return openOf(list, why, index)
}

// openOf is Open with a list that was just made.
func openOf(list []Info, why string, index int) (*Device, error) {
	if err := usable(list, why, index); err != nil {
		return nil, err
	}
	opened.Lock()
	defer opened.Unlock()
	at := place{list[index].driver, list[index].index}
	if d := opened.devices[at]; d != nil {
		return d, nil
	}
	if err := opened.failed[at]; err != nil {
		return nil, err
	}
	d, err := open(list, index, "", buildOptions)
	if opened.devices == nil {
		opened.devices, opened.failed = map[place]*Device{}, map[place]error{}
	}
	if err != nil {
		opened.failed[at] = err
		return nil, err
	}
	opened.devices[at] = d
	return d, nil
}

// usable returns an error for a position of the list without a device that may be opened.
func usable(list []Info, why string, index int) error {
	switch {
	case len(list) == 0:
		return fmt.Errorf("%w: %s", ErrNone, why)
	case index < 0 || index >= len(list):
		return fmt.Errorf("there is no device %d: there are %d", index, len(list))
	case list[index].Refused != "":
		return fmt.Errorf("device %d (%s) is refused: %s", index, list[index].Name, list[index].Refused)
	}
	return nil
}

// open opens a device of the list and tests it, with a program of the caller's, or if it is "",
// with that of the device's driver.
func open(list []Info, index int, source, options string) (*Device, error) {
	if source == "" {
		var err error
		if source, err = programFor(&list[index]); err != nil {
			return nil, err
		}
	}
	on, err := openHandle(&list[index], source, options)
	if err != nil {
		return nil, fmt.Errorf("device %d (%s) cannot be opened: %w", index, list[index].Name, err)
	}
	d := &Device{Info: list[index], on: on}
	if err := d.selfTest(); err != nil {
		on.close()
		return nil, fmt.Errorf("device %d (%s) fails the self-test: %w", index, list[index].Name, err)
	}
	return d, nil
}

// FirstUsable opens the first device of the list that Open opens.
func FirstUsable() (*Device, error) { return firstOf(func(*Info) bool { return true }) }

// firstOf opens the first device that Open opens, of those that wanted returns true for. Without
// any in the list the error is ErrNone.
func firstOf(wanted func(*Info) bool) (*Device, error) {
	list, why := listDevices()
	var errs []error
	for i := range list {
		if !wanted(&list[i]) {
			continue
		}
		d, err := openOf(list, why, i)
		if err == nil {
			return d, nil
		}
		errs = append(errs, err)
	}
	if len(errs) == 0 {
		return nil, fmt.Errorf("%w: %s", ErrNone, why)
	}
	return nil, errors.Join(errs...)
}
