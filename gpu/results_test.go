package gpu

import (
	"errors"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"unsafe"
)

// Law 7: results on a device have the bytes of those on the host when Put returns, and their memory
// is freed by the last Release, after the work that reads it.

func TestDeviceLaw7SameBytes(t *testing.T) {
	d := need(t)
	r := rand.New(rand.NewPCG(6, 1))
	for _, n := range []int{0, 1, 7, 8, 255, 4096, 1 << 20} {
		want := make([]byte, n)
		for i := range want {
			want[i] = byte(r.Uint32())
		}
		x, err := d.Put(want, 0)
		if err != nil {
			t.Fatal(err)
		}
		want = slices.Clone(want)
		got := make([]byte, n)
		if err := x.read(got); err != nil || !slices.Equal(got, want) {
			t.Errorf("%d bytes: others come back (%v)", n, err)
		}
		if (x.Address() == 0) != (n == 0) {
			t.Errorf("%d bytes lie at %#x", n, x.Address())
		}
		x.Hold()
		x.Release()
		if err := x.read(got); err != nil || !slices.Equal(got, want) {
			t.Errorf("%d bytes: others come back while they are held (%v)", n, err)
		}
		x.Release()
		if x.Address() != 0 {
			t.Errorf("%d bytes lie at %#x after the last release", n, x.Address())
		}
	}
	var over *OverBudget
	if _, err := d.Put(make([]byte, 1025), 1024); !errors.As(err, &over) || over.Need != 1025 || over.Budget != 1024 {
		t.Errorf("1025 bytes with a limit of 1024: %v", err)
	}
	if _, err := OpenShared(position(d)); d.driver != cuda && !errors.Is(err, ErrForeign) {
		t.Errorf("a device of OpenCL shares its memory: %v", err)
	}
	if _, err := OpenShared(1000); err == nil || !strings.Contains(err.Error(), "1000") {
		t.Errorf("device 1000: %v", err)
	}
}

// position returns the position of an open device in the list.
func position(d *Device) int {
	list, _ := listDevices()
	return slices.IndexFunc(list, func(i Info) bool { return i.driver == d.driver && i.index == d.index })
}

// On the stand-in for NVIDIA's driver the address is one of a caller's, until the last release,
// which waits for the caller's streams. The stand-in ends the process if memory is freed while work
// on it is not done.
func TestDeviceLaw7CUDA(t *testing.T) {
	if os.Getenv("CCD_FAIL_COUNT") == "" {
		need(t)
		runWithStandIn(t, "cuda.c", "CCD_LIBCUDA")
		return
	}
	d, err := OpenShared(-1)
	if err != nil {
		t.Fatal(err)
	}
	numbers := []byte("0123456789abcdef")
	x, err := d.Put(numbers, 0)
	if err != nil || x.Device() != 0 {
		t.Fatal(x.Device(), err)
	}
	at := x.Address()
	if device, _, err := findAddress(at + 15); err != nil || device != 0 {
		t.Errorf("the last byte is on device %d: %v", device, err)
	}
	t.Setenv("CCD_STANDIN_LATE", "77")
	if err := d.on.up(buffer(at), unsafe.Pointer(unsafe.SliceData(numbers)), len(numbers)); err != nil {
		t.Fatal(err)
	}
	t.Setenv("CCD_STANDIN_LATE", "")
	x.Release()
	if _, known, err := findAddress(at); err == nil || !known {
		t.Error("the memory was not freed", err)
	}
	if _, err := OpenShared(1); err == nil {
		t.Error("the second device, PoCL, shares its memory")
	}
}

// Without a device of NVIDIA's driver there is none that shares its memory, and the error says why.
func TestDeviceLaw7WithoutCUDA(t *testing.T) {
	if d := need(t); d.driver == cuda {
		t.Skip("there is a device of NVIDIA's")
	}
	if _, err := OpenShared(-1); err == nil || !strings.Contains(err.Error(), "there is no device of NVIDIA's driver") {
		t.Error(err)
	}
}
