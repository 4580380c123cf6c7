package gpu

import (
	"os"
	"testing"

	"ccd/simd/pairs"
)

// TestDeviceCounts counts what a step asks of a device, on the stand-in for NVIDIA's driver. Each
// launch and each copy costs microseconds there, so none may be added: docs/howto/gpu.md has the
// numbers.
func TestDeviceCounts(t *testing.T) {
	if os.Getenv("CCD_FAIL_COUNT") == "" {
		need(t)
		runWithStandIn(t, "cuda.c", "CCD_LIBCUDA")
		return
	}
	d, err := Open(0)
	if err != nil {
		t.Fatal(err)
	}
	c := testTriangles((1 << 16) / 7) // A triangle has seven primitives.
	c.space.Each, c.space.Inflation = nil, 0
	for i := range c.families {
		c.families[i].Most *= 4
	}
	s := d.NewSession()
	defer s.Close()
	var own [2]array
	defer func() {
		s.release(&own[0])
		s.release(&own[1])
	}()
	var x [2]Array
	for end := range x {
		if err := upload(&s.memory, &own[end], c.rec); err != nil {
			t.Fatal(err)
		}
		x[end] = Array{Name: "x", Stride: 64, Device: -1, Data: uintptr(own[end].on) + uintptr(32*end)}
	}
	whole := func(first int) error {
		if err := s.LoadMesh(&c.mesh); err != nil {
			return err
		}
		s.Ahead(first, 1, 0)
		totals, _, err := s.Plan(&c.space, c.families)
		for list := range totals {
			n := s.Ready(list)
			if n < min(int(totals[list]), 8192) {
				t.Errorf("list %d of %d pairs: %d are ready", list, totals[list], n)
			}
			if err := s.FirstOf(list, list < 2, 0, n, 1, 0, new(pairs.Found)); err != nil {
				return err
			}
		}
		return err
	}
	for _, part := range []struct {
		name             string
		launches, copies int
		do               func() error
	}{
		{"a whole step", 23, 3, func() error {
			if _, err := s.Read(&x[0], &x[1], len(c.rec)/8); err != nil {
				return err
			}
			return whole(8192)
		}},
		{"vertices", 2, 1, func() error {
			_, err := s.Read(&x[0], &x[1], len(c.rec)/8)
			return err
		}},
		{"mesh", 0, 0, func() error { return s.LoadMesh(&c.mesh) }},
		{"plan", 16, 3, func() error {
			totals, _, err := s.Plan(&c.space, c.families)
			if err == nil && (len(totals) != 3 || totals[2] < 10000) {
				t.Errorf("lists of %v pairs", totals)
			}
			return err
		}},
		{"pairs of a window", 1, 1, func() error { return s.Pairs(2, 0, make([][2]int32, 8192)) }},
		{"first window", 5, 2, func() error { return s.FirstOf(2, false, 0, 8192, 1, 0, new(pairs.Found)) }},
		{"next window", 5, 1, func() error { return s.FirstOf(2, false, 1000, 8192, 1, 0, new(pairs.Found)) }},
		{"a list of the caller's", 4, 2, func() error {
			n := 8192
			idx := make([][4]int32, n)
			for i := range int32(n) {
				idx[i] = [4]int32{i, i + 3, i + 7, i + 20}
			}
			f := newFound(n)
			_, err := s.First(false, idx, 0.5, 0, f.list, f.mask, f.toi, f.state)
			return err
		}},
		{"mesh of 31 copies", 0, 0, func() error { // 9,362 triangles are 31 times 302
			c.mesh.Worlds, c.mesh.Vertices = 31, len(c.rec)/8
			return s.LoadMesh(&c.mesh)
		}},
		{"plan of the copies", 18, 3, func() error { // A launch serves all; more cells take one more pass of a sort.
			_, _, err := s.Plan(&c.space, c.families)
			return err
		}},
		{"a step of the copies", 23, 3, func() error {
			if err := s.Load(c.rec); err != nil {
				return err
			}
			return whole(1 << 18)
		}},
	} {
		before := d.Counts()
		if err := part.do(); err != nil {
			t.Fatalf("%s: %v", part.name, err)
		}
		now := d.Counts()
		launches, copies := now.Launches-before.Launches, now.Copies-before.Copies
		t.Logf("%s: %d launches, %d copies, %d bytes", part.name, launches, copies, now.Bytes-before.Bytes)
		if launches > part.launches || copies > part.copies {
			t.Errorf("%s: at most %d launches and %d copies", part.name, part.launches, part.copies)
		}
	}
}
