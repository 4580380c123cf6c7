package gpu

import (
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"ccd/core/ccdtest/long"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/status"
	"ccd/core/step"
	"ccd/core/step/device"
)

// Law 4, of whole steps: launch number k fails, then copy number k, and allocation number k, for
// every k, on the stand-in for NVIDIA's driver. A call that may use the device has the bits of the
// processor, and one that must use it those or an error without results.
func TestDeviceLaw4StepsFail(t *testing.T) {
	long.Test(t)
	if os.Getenv("CCD_FAIL_COUNT") == "" {
		need(t)
		runWithStandIn(t, "cuda.c", "CCD_LIBCUDA")
		return
	}
	d, err := Open(0)
	if err != nil {
		t.Fatal(err)
	}
	least := device.Least
	defer func() { device.Least = least }()
	device.Least.Pairs, device.Least.Boxes = 1, 1
	m, x0, x1 := fallingTriangles(t, 40)
	for name, call := range map[string]func(o *step.Options) ([]geom.Impact, error){
		"collisions": func(o *step.Options) ([]geom.Impact, error) { return step.Collisions(m, x0, x1, o) },
		"earliest with a separation": func(o *step.Options) ([]geom.Impact, error) {
			o.MinSeparation = 0.01
			im, err := step.Earliest(m, x0, x1, o)
			return []geom.Impact{im}, err
		},
		"worlds": func(o *step.Options) ([]geom.Impact, error) {
			out := make([]geom.Impact, 3)
			all := slices.Concat(x0, x1, x0)
			return out, step.EarliestBatch(m, all, slices.Concat(x1, x0, x1), out, o)
		},
	} {
		plain := step.DefaultOptions()
		plain.Threads = 1
		want, err := call(&plain)
		if err != nil || want[0].Verdict == geom.Separate {
			t.Fatalf("%s: %v", name, err)
		}
		for _, function := range []string{"cuLaunchKernel", "cuMemcpy", "cuMemAlloc"} {
			for _, must := range []bool{false, true} {
				failures := 0
				for k := 1; ; k++ {
					o := step.DefaultOptions()
					o.Threads, o.DeviceOnly = 1, must
					s := d.NewSession()
					o.Device = s
					got, made, err := failing(t, function, k, func() ([]geom.Impact, error) { return call(&o) })
					s.Close()
					if err == nil && !slices.Equal(got, want) {
						t.Fatalf("%s, %s number %d of %d: other impacts", name, function, k, made)
					}
					if made < k && err == nil {
						break
					}
					if must != (err != nil) || must && !errors.Is(err, status.ErrUnsupported) {
						t.Fatalf("%s, %s number %d, must be used: %v, error %v", name, function, k, must, err)
					}
					if failures++; name == "collisions" && must && got != nil {
						t.Fatalf("%s, %s number %d: an error and %d impacts", name, function, k, len(got))
					}
				}
				if failures < 2 {
					t.Errorf("%s: %d calls of %s fail: the test shows little", name, failures, function)
				}
				t.Logf("%s, must be used: %v: %d calls of %s fail, one by one", name, must, failures, function)
			}
		}
	}
}

// failing lets call number k of a function of the driver fail, and returns how many there were.
func failing(t *testing.T, function string, k int, call func() ([]geom.Impact, error)) ([]geom.Impact, int, error) {
	t.Helper()
	os.Setenv("CCD_FAIL_ONLY", function)
	os.Setenv("CCD_FAIL_CALL", "") // count anew
	listDevices()
	os.Setenv("CCD_FAIL_CALL", strconv.Itoa(k))
	if err := os.WriteFile(os.Getenv("CCD_FAIL_COUNT"), make([]byte, 8), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := call()
	os.Setenv("CCD_FAIL_CALL", "")
	b, e := os.ReadFile(os.Getenv("CCD_FAIL_COUNT"))
	if e != nil || len(b) != 8 {
		t.Fatal(e, len(b))
	}
	return got, int(binary.NativeEndian.Uint64(b)), err
}

// fallingTriangles returns triangles of which each falls through another.
func fallingTriangles(t *testing.T, n int) (m *mesh.Mesh, x0, x1 []float64) {
	t.Helper()
	r := rand.New(rand.NewPCG(53, 3))
	var faces []int32
	for i := range 3 * n {
		faces = append(faces, int32(i))
		for k := range 3 {
			x := r.Float64() + 0.3*float64(i/3%7)
			x0 = append(x0, x)
			if k == 2 {
				x += 2*r.Float64() - 1
			}
			x1 = append(x1, x)
		}
	}
	m, err := mesh.New(3*n, nil, faces)
	if err != nil {
		t.Fatal(err)
	}
	return m, x0, x1
}
