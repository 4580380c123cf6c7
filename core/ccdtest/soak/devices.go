package main

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"ccd/core/ccdtest"
	"ccd/core/geom"
	"ccd/core/narrow"
	"ccd/core/step"
	"ccd/gpu"
)

// devices compares steps of random meshes on the first graphics processor with the same steps on
// the CPU: law 4 of devices.
type devices struct {
	seeded
	device          *gpu.Device
	impacts, filled atomic.Int64 // impacts of all meshes; meshes that have any
}

// run compares so many meshes, with the seeds from first on, on several goroutines. It returns the
// number of meshes that differ.
func (d *devices) run(first uint64, meshes, workers int) int64 {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for i := next.Add(1) - 1; i < int64(meshes); i = next.Add(1) - 1 {
				seed := first + uint64(i)
				d.test(seed, fmt.Sprintf("device seed %d", seed), func() error { return d.check(seed) })
				if i%10000 == 9999 {
					fmt.Printf("%d meshes\n", i+1)
				}
			}
		})
	}
	wg.Wait()
	return d.failures()
}

// check compares the impacts, the earliest one and the step size of a mesh.
func (d *devices) check(seed uint64) error {
	r := ccdtest.NewRand(seed, 19)
	m, x0, x1, err := ccdtest.Soup(r)
	if err != nil {
		return err
	}
	size := 0.0
	for i := range x0 {
		size = max(size, math.Abs(x0[i]-x0[i%3]))
	}
	o := step.DefaultOptions()
	o.Threads, o.CheckStart = 1+r.IntN(2), r.IntN(4) == 0
	if r.IntN(3) == 0 {
		o.TMax = r.Float64()
	}
	if r.IntN(3) == 0 {
		o.MinSeparation = size * math.Pow(10, -4*r.Float64())
		o.Flags = []uint32{0, narrow.MaxNorm}[r.IntN(2)]
	}
	if r.IntN(5) == 0 {
		radii := make([]float64, m.NV)
		for v := range radii {
			radii[v] = size * 0.1 * math.Pow(r.Float64(), 4)
		}
		if err := m.SetRadii(radii); err != nil {
			return err
		}
	}
	with := o
	s := d.device.NewSession()
	defer s.Close()
	with.Device, with.DeviceOnly = s, true
	want, err := step.Collisions(m, x0, x1, &o)
	if err != nil {
		return err
	}
	if got, err := step.Collisions(m, x0, x1, &with); err != nil || !slices.EqualFunc(got, want, sameBits) {
		return fmt.Errorf("%d impacts on the device, %d on the CPU, not the same: error %w\n%+v", len(got), len(want),
			err, o.Options)
	}
	first, err := step.Earliest(m, x0, x1, &o)
	if err != nil {
		return err
	}
	if got, err := step.Earliest(m, x0, x1, &with); err != nil || !sameBits(got, first) {
		return fmt.Errorf("the earliest is %+v on the device, %+v on the CPU: error %w\n%+v", got, first, err,
			o.Options)
	}
	alpha, err := step.Size(m, x0, x1, &o)
	if err != nil {
		return err
	}
	if got, err := step.Size(m, x0, x1, &with); err != nil || got != alpha {
		return fmt.Errorf("the step size is %v on the device, %v on the CPU: error %w\n%+v", got, alpha, err, o.Options)
	}
	d.impacts.Add(int64(len(want)))
	if len(want) > 0 {
		d.filled.Add(1)
	}
	return nil
}

// sameBits tells 0 from -0, which == does not. An impact has no padding.
func sameBits(a, b geom.Impact) bool {
	const size = unsafe.Sizeof(a)
	return *(*[size]byte)(unsafe.Pointer(&a)) == *(*[size]byte)(unsafe.Pointer(&b))
}

// soakDevice is the mode -device: so many meshes on a device and on the CPU. It returns the exit
// status.
func soakDevice(dir string, first uint64, meshes, workers int) int {
	device, err := gpu.FirstUsable()
	if err != nil {
		fmt.Println("no device:", err)
		return 1
	}
	fmt.Printf("%d meshes on %s and on the CPU, seeds %d to %d\n", meshes, device.Name, first, first+uint64(meshes)-1)
	d := &devices{seeded: seeded{dir: dir, name: "device"}, device: device}
	wrong := d.run(first, meshes, workers)
	fmt.Printf("devices: %d meshes, %d of them with impacts, %d impacts, %d meshes differ\n", meshes, d.filled.Load(),
		d.impacts.Load(), wrong)
	if wrong > 0 || d.filled.Load() == 0 {
		return 1
	}
	return 0
}
