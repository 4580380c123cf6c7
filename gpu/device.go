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

// Device is an open device. Its methods may be called from several goroutines; they wait for each other.
type Device struct {
	Info
	mu sync.Mutex
	on *handle
}

// opened holds the devices that were opened, and the errors of those that were refused: an opened device stays open, because compiling the
// kernels takes a second.
var opened struct {
	sync.Mutex
	devices map[int]*Device
	refused map[int]error
}

// ErrNone says that there is no device at all.
var ErrNone = errors.New("there is no graphics processor")

// Devices lists all devices; why says why there is none. A device whose Refused is "" may still fail the self-test of Open. Test opens
// each of them and sets Refused accordingly.
func Devices(test bool) (list []Info, why string) {
	list, why = listDevices()
	for i := range list {
		if test && list[i].Refused == "" {
			if _, err := Open(i); err != nil {
				list[i].Refused = err.Error()
			}
		}
	}
	return list, why
}

// Open opens a device by its position in the list of Devices.
func Open(index int) (*Device, error) {
	opened.Lock()
	defer opened.Unlock()
	if d := opened.devices[index]; d != nil {
		return d, nil
	}
	if err := opened.refused[index]; err != nil {
		return nil, err
	}
	d, err := open(index, "", buildOptions)
	if err != nil {
		if opened.refused == nil {
			opened.refused = map[int]error{}
		}
		opened.refused[index] = err
		return nil, err
	}
	if opened.devices == nil {
		opened.devices = map[int]*Device{}
	}
	opened.devices[index] = d
	return d, nil
}

// open opens a device with a program of the caller's, or if it is "", with that of the device's driver.
func open(index int, source, options string) (*Device, error) {
	list, why := listDevices()
	switch {
	case len(list) == 0:
		return nil, fmt.Errorf("%w: %s", ErrNone, why)
	case index < 0 || index >= len(list):
		return nil, fmt.Errorf("there is no device %d: there are %d", index, len(list))
	case list[index].Refused != "":
		return nil, fmt.Errorf("device %d (%s) is refused: %s", index, list[index].Name, list[index].Refused)
	}
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

// First usable device: the position of the first that Open opens.
func FirstUsable() (*Device, error) {
	list, why := listDevices()
	if len(list) == 0 {
		return nil, fmt.Errorf("%w: %s", ErrNone, why)
	}
	var errs []error
	for i := range list {
		d, err := Open(i)
		if err == nil {
			return d, nil
		}
		errs = append(errs, err)
	}
	return nil, errors.Join(errs...)
}
