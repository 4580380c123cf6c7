package volccd

import (
	"fmt"
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/ccdtest/long"
	"ccd/core/mesh"
	"ccd/core/meshfile"
	"ccd/core/narrow"
	"ccd/core/volume"
)

func sceneOf(t testing.TB, c *meshfile.Cells) *volume.Scene {
	t.Helper()
	v, err := c.Volume()
	if err != nil {
		t.Fatal(err)
	}
	return volume.New(v)
}

// volumeOf is a scene's volume.
func volumeOf(s *volume.Scene) (v *mesh.Volume) {
	_ = s.Edit(func(w *mesh.Volume) error { v = w; return nil })
	return v
}

func collisions(t testing.TB, s *volume.Scene, x0, x1 []float64, change func(o *volume.Options)) []volume.Contact {
	t.Helper()
	o := volume.DefaultOptions()
	change(&o)
	list, err := s.Collisions(x0, x1, &o)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func sameContacts(t testing.TB, what string, got, want []volume.Contact) {
	t.Helper()
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			t.Fatalf("%s: contact %d is\n%+v, want\n%+v", what, i, got[i], want[i])
		}
	}
	if len(got) != len(want) {
		t.Fatalf("%s: %d contacts, want %d", what, len(got), len(want))
	}
}

// choices are those of the method that are held to the laws.
var choices = []Options{
	{},
	{Sides: 6, Assignment: Static, Axes: NoAxes},
	{Sides: 26, Axes: PaperAxes},
	{Sides: 18, Assignment: Static, Axes: ChungWang},
}

// asked is a choice as the suite of laws asks for it.
func asked(choice Options) ccdtest.VolumeMethod {
	return func(c *ccdtest.VolumeCase, threads int) (all []ccdtest.VolumeContact, first ccdtest.VolumeContact,
		err error) {
		s, o := volume.New(c.Volume), volume.DefaultOptions()
		o.Classes, o.Threads, o.MinSeparation, o.TMax, o.Search = volume.AllClasses, threads, c.D, c.TMax, choice
		o.Flags = narrow.MaxNorm
		list, err := s.Collisions(c.X0, c.X1, &o)
		if err != nil {
			return nil, first, err
		}
		told := func(x *volume.Contact) ccdtest.VolumeContact {
			return ccdtest.VolumeContact{Impact: x.Impact, Vertices: x.Vertices, Class: uint32(x.Class)}
		}
		for i := range list {
			all = append(all, told(&list[i]))
		}
		e, err := s.Earliest(c.X0, c.X1, &o)
		return all, told(&e), err
	}
}

// The method obeys the laws of ccdtest.CheckVolume on every family of volumes, held against exact
// arithmetic.
func TestVolCCDLaws(t *testing.T) {
	long.Test(t)
	for _, choice := range choices {
		t.Run(fmt.Sprintf("%+v", choice), func(t *testing.T) { ccdtest.Volumes(t, 3, asked(choice)) })
	}
}

// FuzzVolCCDLaws holds the method to the laws.
func FuzzVolCCDLaws(f *testing.F) {
	for i := 0; i < len(ccdtest.VolumeFamilies); i += 4 / long.Part(4, 4) {
		f.Add(uint8(i), uint64(100+i))
	}
	f.Fuzz(func(t *testing.T, family uint8, seed uint64) {
		c := ccdtest.NewVolumeCase(&ccdtest.VolumeFamilies[int(family)%len(ccdtest.VolumeFamilies)], seed)
		truth := ccdtest.NewVolumeTruth(&c)
		for _, choice := range choices {
			for _, err := range ccdtest.CheckVolume(&c, truth, asked(choice)) {
				t.Errorf("%+v, %v:\n%v", choice, &c, err)
			}
		}
	})
}

// Law 9, contact data.
func TestVolCCDLaw9ContactData(t *testing.T) {
	contacts, seeds := 0, long.Part(3, 3)
	for i := range ccdtest.VolumeFamilies {
		for seed := range uint64(seeds) {
			c := ccdtest.NewVolumeCase(&ccdtest.VolumeFamilies[i], seed)
			o := volume.DefaultOptions()
			o.Classes, o.MinSeparation, o.TMax, o.MaxIterations, o.Search = volume.AllClasses, c.D, c.TMax, 1000,
				Options{}
			list, err := volume.New(c.Volume).Collisions(c.X0, c.X1, &o)
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
				if err := ccdtest.CheckContact(q, &o.Options, &x.Impact, ccdtest.Promise{Exact: o.Unique()}); err !=
					nil {
					t.Fatalf("%v: %v\n%+v", &c, err, *x)
				}
				contacts++
			}
		}
	}
	if contacts < 50*seeds {
		t.Errorf("only %d contacts", contacts)
	}
}

// The scenes of several bodies and of shells: the method finds the contacts that the tree finds.
func TestVolCCDOnMoreSequences(t *testing.T) {
	for _, q := range ccdtest.MoreSequences(0.2) {
		s := sceneOf(t, q.Cells)
		contacts := 0
		err := q.Run(s.Edit, func(i int, x0, x1 []float64) error {
			if i%4 != 3 {
				return nil
			}
			want := collisions(t, s, x0, x1, func(o *volume.Options) { o.Classes = volume.AllClasses })
			contacts += len(want)
			sameContacts(t, fmt.Sprintf("%s, step %d", q.Name, i),
				collisions(t, s, x0, x1, func(o *volume.Options) {
					o.Classes, o.Search = volume.AllClasses, Options{}
				}), want)
			return nil
		})
		if err != nil {
			t.Fatalf("%s: %v", q.Name, err)
		}
		if contacts < 60 {
			t.Errorf("%s: %d contacts show too little", q.Name, contacts)
		}
	}
}
