package volume

import (
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/ccdtest/long"
	"ccd/core/narrow"
	"ccd/simd"
)

// methods returns all methods for a step.
func methods() map[string]func(o *Options) {
	list := map[string]func(o *Options){
		"patches":                func(*Options) {},
		"patches, little memory": func(o *Options) { o.MemoryLimit = 1 },
		"brute force":            func(o *Options) { o.Flags |= narrow.BruteForce },
	}
	return list
}

// viaOptions returns the method with changed options, in the form of the suite of laws.
func viaOptions(change func(o *Options)) ccdtest.VolumeMethod {
	return func(c *ccdtest.VolumeCase, threads int) (all []ccdtest.VolumeContact,
		first ccdtest.VolumeContact, err error) {
		s := New(c.Volume)
		o := DefaultOptions()
		o.Classes, o.Threads, o.MinSeparation, o.TMax, o.Flags = AllClasses, threads, c.D, c.TMax, narrow.MaxNorm
		change(&o)
		list, err := s.Collisions(c.X0, c.X1, &o)
		if err != nil {
			return nil, first, err
		}
		converted := func(x *Contact) ccdtest.VolumeContact {
			return ccdtest.VolumeContact{Impact: x.Impact, Vertices: x.Vertices, Class: uint32(x.Class)}
		}
		for i := range list {
			all = append(all, converted(&list[i]))
		}
		e, err := s.Earliest(c.X0, c.X1, &o)
		return all, converted(&e), err
	}
}

// All methods obey the laws of ccdtest.CheckVolume on every family of volumes, held against exact
// arithmetic.
func TestVolumeLaws(t *testing.T) {
	for name, change := range methods() {
		t.Run(name, func(t *testing.T) { ccdtest.Volumes(t, 3, viaOptions(change)) })
	}
}

// The same at every SIMD level.
func TestVolumeLawsAtLevels(t *testing.T) {
	long.Test(t)
	for _, level := range simd.Levels() {
		t.Run(level, func(t *testing.T) {
			restore, err := simd.Force(level)
			if err != nil {
				t.Fatal(err)
			}
			defer restore()
			ccdtest.Volumes(t, 3, viaOptions(methods()["patches"]))
		})
	}
}

// FuzzVolumeLaws holds all methods to the laws.
func FuzzVolumeLaws(f *testing.F) {
	for i := 0; i < len(ccdtest.VolumeFamilies); i += 4 / long.Part(4, 4) {
		f.Add(uint8(i), uint64(100+i))
	}
	f.Fuzz(func(t *testing.T, family uint8, seed uint64) {
		c := ccdtest.NewVolumeCase(&ccdtest.VolumeFamilies[int(family)%len(ccdtest.VolumeFamilies)], seed)
		truth := ccdtest.NewVolumeTruth(&c)
		for name, change := range methods() {
			for _, err := range ccdtest.CheckVolume(&c, truth, viaOptions(change)) {
				t.Errorf("%s, %v:\n%v", name, &c, err)
			}
		}
	})
}

// Law 9, contact data, for every method of the narrow phase and both norms.
func TestVolumeLaw9ContactData(t *testing.T) {
	contacts, seeds := 0, uint64(3)
	if testing.Short() {
		seeds = 2
	}
	for name, change := range map[string]func(o *Options){
		"exact":      func(*Options) {},
		"tight":      func(o *Options) { o.Method = narrow.TightInclusion },
		"contracted": func(o *Options) { o.Method = narrow.TimeContracted },
		"max norm":   func(o *Options) { o.Flags |= narrow.MaxNorm },
		"positive":   func(o *Options) { o.Flags |= narrow.NoZeroTOI },
	} {
		for i := range ccdtest.VolumeFamilies {
			for seed := range seeds {
				c := ccdtest.NewVolumeCase(&ccdtest.VolumeFamilies[i], seed)
				o := DefaultOptions()
				o.Classes, o.MinSeparation, o.TMax, o.MaxIterations = AllClasses, c.D, c.TMax, 1000
				change(&o)
				list, err := New(c.Volume).Collisions(c.X0, c.X1, &o)
				if err != nil {
					t.Fatal(err)
				}
				for i := range list {
					x := &list[i]
					var q []float64
					for _, end := range [2][]float64{c.X0, c.X1} {
						for _, v := range x.Vertices {
							q = append(q, end[3*v:3*v+3]...)
						}
					}
					if err := ccdtest.CheckContact(q, &o.Options, &x.Impact,
						ccdtest.Promise{Exact: o.Unique()}); err != nil {
						t.Fatalf("%s, %v: %v\n%+v", name, &c, err, *x)
					}
					contacts++
				}
			}
		}
	}
	if contacts < 300*int(seeds) {
		t.Errorf("only %d contacts of %d cases a family", contacts, seeds)
	}
}
