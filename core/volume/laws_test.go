package volume

import (
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/narrow"
	"ccd/simd"
)

// methods are all ways to answer a step.
func methods() map[string]func(o *Options) {
	list := map[string]func(o *Options){
		"patches":                 func(*Options) {},
		"patches, little memory":  func(o *Options) { o.MemoryLimit = 1 },
		"brute force":             func(o *Options) { o.Flags |= narrow.BruteForce },
		"2011":                    func(o *Options) { o.Search = VolCCD },
		"2011, static, no axes":   func(o *Options) { o.Search, o.Paper = VolCCD, Paper{Sides: 6, Assignment: Static, Axes: NoAxes} },
		"2011, the paper's axes":  func(o *Options) { o.Search, o.Paper = VolCCD, Paper{Sides: 26, Axes: PaperAxes} },
		"2011, static, Chung and": func(o *Options) { o.Search, o.Paper = VolCCD, Paper{Sides: 18, Assignment: Static, Axes: ChungWang} },
	}
	return list
}

// asked is a way as the suite of laws asks for it.
func asked(change func(o *Options)) ccdtest.VolumeMethod {
	return func(c *ccdtest.VolumeCase, threads int) (all []ccdtest.VolumeContact, first ccdtest.VolumeContact, err error) {
		s := New(c.Volume)
		o := DefaultOptions()
		o.Classes, o.Threads, o.MinSeparation, o.TMax = AllClasses, threads, c.D, c.TMax
		change(&o)
		list, err := s.Collisions(c.X0, c.X1, &o)
		if err != nil {
			return nil, first, err
		}
		told := func(x *Contact) ccdtest.VolumeContact {
			return ccdtest.VolumeContact{Impact: x.Impact, Vertices: x.Vertices, Class: uint32(x.Class)}
		}
		for i := range list {
			all = append(all, told(&list[i]))
		}
		e, err := s.Earliest(c.X0, c.X1, &o)
		return all, told(&e), err
	}
}

// All methods obey the laws of ccdtest.CheckVolume on every family of volumes, held against exact arithmetic.
func TestVolumeLaws(t *testing.T) {
	for name, change := range methods() {
		t.Run(name, func(t *testing.T) { ccdtest.Volumes(t, 3, asked(change)) })
	}
}

// The same at every SIMD level.
func TestVolumeLawsAtLevels(t *testing.T) {
	for _, level := range simd.Levels() {
		t.Run(level, func(t *testing.T) {
			restore, err := simd.Force(level)
			if err != nil {
				t.Fatal(err)
			}
			defer restore()
			ccdtest.Volumes(t, 3, asked(methods()["patches"]))
		})
	}
}

// FuzzVolumeLaws holds all methods to the laws.
func FuzzVolumeLaws(f *testing.F) {
	for i := range ccdtest.VolumeFamilies {
		f.Add(uint8(i), uint64(100+i))
	}
	f.Fuzz(func(t *testing.T, family uint8, seed uint64) {
		c := ccdtest.NewVolumeCase(&ccdtest.VolumeFamilies[int(family)%len(ccdtest.VolumeFamilies)], seed)
		truth := ccdtest.JudgeVolume(&c)
		for name, change := range methods() {
			for _, err := range ccdtest.CheckVolume(&c, truth, asked(change)) {
				t.Errorf("%s, %v:\n%v", name, &c, err)
			}
		}
	})
}
