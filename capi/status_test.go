package main

import (
	"errors"
	"fmt"
	"testing"

	"ccd/core/mesh"
	corestatus "ccd/core/status"
)

// The statuses of ccd.h that these tests meet. A test file cannot use cgo.
const (
	ok       = 0
	argument = -1
	finite   = -2
	index    = -3
	handle   = -4
	stopped  = -6
	internal = -9
)

func TestPanicBecomesInternal(t *testing.T) {
	call := func(f func()) (s status) {
		defer recovered(&s)
		f()
		return ok
	}
	var none []int
	var nowhere *mesh.Mesh
	for name, f := range map[string]func(){
		"value": func() { panic("a defect") },
		"index": func() { none[len(none)]++ },
		"nil":   func() { nowhere.NV++ },
	} {
		if s := call(f); s != internal {
			t.Errorf("%s: status %d, want CCD_E_INTERNAL", name, s)
		}
	}
	if s := call(func() {}); s != ok {
		t.Errorf("status %d of a call that went well", s)
	}
	h := issue(&broken)
	defer destroy("unknown", "broken", h)
	if s := with("broken", h, func(*int) error { panic("a defect") }); s != internal {
		t.Errorf("status %d of a call on a handle that panicked", s)
	}
}

var broken int

func TestStatusOfCoreErrors(t *testing.T) {
	for _, c := range []struct {
		err  error
		want status
	}{
		{nil, ok},
		{corestatus.ErrNonFinite, finite},
		{fmt.Errorf("q[3]: %w", corestatus.ErrNonFinite), finite},
		{corestatus.ErrIndex, index},
		{corestatus.ErrArgument, argument},
		{corestatus.ErrCancelled, stopped},
		{fmt.Errorf("query 3: %w", invalid(errors.New("beyond the bound"))), argument},
		{invalid(fmt.Errorf("q[3]: %w", corestatus.ErrNonFinite)), finite},
		{errors.New("of no known kind"), internal},
	} {
		if got := statusOf(c.err); got != c.want {
			t.Errorf("status of %v is %d, want %d", c.err, got, c.want)
		}
	}
}

func TestHandlesAreGivenOnce(t *testing.T) {
	seen := map[uintptr]bool{}
	for range 1000 {
		h := issue(&broken)
		if seen[h] {
			t.Fatalf("handle %#x was given twice", h)
		}
		seen[h] = true
		if v, err := resolve[*int]("broken", h); err != nil || v != &broken {
			t.Fatalf("handle %#x gives %v, %v", h, v, err)
		}
		if _, err := resolve[*mesh.Mesh]("mesh", h); statusOf(err) != handle {
			t.Fatalf("handle %#x of another type: %v", h, err)
		}
		if err := destroy("unknown", "broken", h); err != nil {
			t.Fatal(err)
		}
		if _, err := resolve[*int]("broken", h); statusOf(err) != handle {
			t.Fatalf("destroyed handle %#x: %v", h, err)
		}
	}
}
