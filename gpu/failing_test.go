package gpu

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ccd/core/ccdtest/long"
	"ccd/simd/pairs"
)

// Law 4, of the driver: every call of OpenCL that opening a device and a narrow phase make fails
// once. A failure is an error or changes nothing; a device that comes out of it gives the same
// lists.
//
// The library of OpenCL is opened once a process, so this test runs itself in another one, with a
// stand-in. CCD_FAIL_ALL=1 lets it fail each of the calls; otherwise it takes every seventh, and
// fewer after the first 300.
func TestDeviceLaw4EveryOpenCLCallFails(t *testing.T) {
	long.Test(t)
	everyCallFails(t, "failing.c", "CCD_OPENCL")
}

// The same for CUDA, with a stand-in for NVIDIA's driver that runs the kernels on OpenCL.
func TestDeviceLaw4EveryCUDACallFails(t *testing.T) {
	long.Test(t)
	everyCallFails(t, "cuda.c", "CCD_LIBCUDA")
}

// Law 2 and 3 on the stand-in for NVIDIA's driver: the self-test passes, and lists are those of the
// processor.
func TestDeviceLaw2CUDA(t *testing.T) {
	if os.Getenv("CCD_FAIL_COUNT") == "" {
		need(t)
		runWithStandIn(t, "cuda.c", "CCD_LIBCUDA")
		return
	}
	list, why := Devices(true)
	if len(list) == 0 || list[0].Name != "stand-in" || list[0].Refused != "" {
		t.Fatalf("%+v, %s", list, why)
	}
	d, err := Open(0)
	if err != nil {
		t.Fatal(err)
	}
	s := d.NewSession()
	defer s.Close()
	rec, idx := randomScene(rand.New(rand.NewPCG(4, 5)), 5000)
	if err := s.Load(rec); err != nil {
		t.Fatal(err)
	}
	for _, face := range []bool{true, false} {
		for _, sep := range []float64{0, 0.01} {
			compare(t, s, rec, idx, face, 0.7, sep)
		}
	}
}

func everyCallFails(t *testing.T, source, variable string) {
	if os.Getenv("CCD_FAIL_COUNT") == "" {
		need(t)
		runWithStandIn(t, source, variable)
		return
	}
	rec, idx := randomScene(rand.New(rand.NewPCG(4, 4)), 3000)
	want := first(rec, idx, true, 1, 0)
	clean := failAt(0, rec, idx, want)
	if clean.err != "" || clean.calls < 400 {
		t.Fatalf("without a failure: %d calls, error %q", clean.calls, clean.err)
	}
	names := calledBy(t)
	if len(names) != clean.calls {
		t.Fatalf("%d names of %d calls", len(names), clean.calls)
	}
	list, refused := failures(names), 0
	for _, call := range list {
		got := failAt(call, rec, idx, want)
		if strings.HasPrefix(got.err, "other lists") {
			t.Fatalf("failure of call %d, %s: %s", call, names[call-1], got.err)
		}
		if got.err != "" {
			refused++
		}
	}
	if refused < len(list)/3 {
		t.Errorf("%d of %d failures are errors: the test shows little", refused, len(list))
	}
	t.Logf("%d calls, %d fail in turn, %d failures are errors", clean.calls, len(list), refused)
}

// calledBy returns the names of the functions that the last use called, in order.
func calledBy(t *testing.T) []string {
	text, err := os.ReadFile(os.Getenv("CCD_FAIL_COUNT") + ".names")
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(text))
}

// failures returns the calls that are to fail, one by one: all with CCD_FAIL_ALL=1; else every
// seventh of the first 300 (a plan launches the same kernels again and again, with twenty arguments
// each), every 23rd under go test -short, and the first, the second and the last of each function.
func failures(names []string) (list []int) {
	stride := 7
	if testing.Short() {
		stride = 23
	}
	seen, last := map[string]int{}, map[string]int{}
	for i, name := range names {
		last[name] = i
	}
	for i, name := range names {
		if seen[name]++; seen[name] <= 2 || i == last[name] || i < 300 && i%stride == 0 ||
			os.Getenv("CCD_FAIL_ALL") == "1" {
			list = append(list, i+1)
		}
	}
	return list
}

// runWithStandIn compiles the stand-in and runs the test with it.
func runWithStandIn(t *testing.T, source, variable string) {
	folder := t.TempDir()
	library := filepath.Join(folder, "libfailing.so")
	if out, err := exec.Command("cc", "-shared", "-fPIC", "-O1", "-o", library, filepath.Join("testdata", source),
		"-ldl").CombinedOutput(); err != nil {
		t.Fatalf("cc: %v\n%s", err, out)
	}
	kernels := filepath.Join(folder, "all.cl")
	if err := os.WriteFile(kernels, []byte(Program()), 0o600); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(os.Args[0], "-test.run", "^"+t.Name()+"$", "-test.v", fmt.Sprintf("-test.short=%v",
		testing.Short()))
	c.Env = append(os.Environ(), variable+"="+library, "CCD_STANDIN_PROGRAM="+kernels, "CCD_OPENCL_CPU=1",
		"CCD_FAIL_COUNT="+filepath.Join(folder, "count"))
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if !strings.Contains(string(out), "--- PASS") {
		t.Fatalf("the test did not run:\n%s", out)
	}
	t.Log(string(out))
}

type outcome struct {
	calls int
	err   string
}

// failAt lets one call of the driver fail while a device is opened and used.
func failAt(call int, rec []float64, idx [][4]int32, want *found) (o outcome) {
	os.Setenv("CCD_FAIL_CALL", "") // count anew
	listDevices()
	os.Setenv("CCD_FAIL_CALL", strconv.Itoa(call))
	err := use(rec, idx, want)
	if err != "" {
		o.err = err
	}
	if b, e := os.ReadFile(os.Getenv("CCD_FAIL_COUNT")); e == nil && len(b) == 8 {
		o.calls = int(binary.NativeEndian.Uint64(b))
	}
	return o
}

// use opens a device, without the self-test, finds the lists, and closes it.
func use(rec []float64, idx [][4]int32, want *found) string {
	list, why := listDevices()
	if len(list) == 0 {
		return why
	}
	if list[0].Refused != "" {
		return list[0].Refused
	}
	source, err := programFor(&list[0])
	if err != nil {
		return err.Error()
	}
	on, err := openHandle(&list[0], source, buildOptions)
	if err != nil {
		return err.Error()
	}
	defer on.close()
	d := &Device{Info: list[0], on: on}
	s := d.NewSession()
	defer s.Close()
	if err := s.Load(rec); err != nil {
		return err.Error()
	}
	got := newFound(len(idx))
	n, err := s.First(true, idx, 1, 0, got.list, got.mask, got.toi, got.state)
	if err != nil {
		return err.Error()
	}
	if got.cut(n); !got.equal(want) {
		return "other lists"
	}
	if err := useResults(d); err != "" {
		return err
	}
	if d.driver == cuda {
		if err := useArrays(s, rec); err != "" {
			return err
		}
	}
	return useBroad(s)
}

// useResults puts numbers on a device for a caller, and reads them there.
func useResults(d *Device) string {
	want := []byte("numbers of a caller")
	r, err := d.Put(want, 0)
	if err != nil {
		return err.Error()
	}
	defer r.Release()
	got := make([]byte, len(want))
	if err := r.read(got); err != nil {
		return err.Error()
	}
	if !slices.Equal(got, want) {
		return "other lists"
	}
	return ""
}

// useArrays lets a session read positions that are on its device, as a caller's.
func useArrays(s *Session, rec []float64) string {
	var own [2]array // the caller's own arrays
	defer func() {
		s.release(&own[0])
		s.release(&own[1])
	}()
	x := [2]Array{{Name: "x0", Stride: 64, Device: -1}, {Name: "x1", Stride: 64, Stream: 2}}
	n := len(rec) / 8
	for end := range x {
		if err := upload(&s.memory, &own[end], rec); err != nil {
			return err.Error()
		}
		x[end].Data = uintptr(own[end].on) + uintptr(32*end)
		if _, err := x[end].Locate(n); err != nil {
			if _, blamed := err.(ArrayError); blamed {
				return "other lists: the array is blamed: " + err.Error()
			}
			return err.Error()
		}
	}
	got, err := s.Read(&x[0], &x[1], n)
	if err != nil {
		return err.Error()
	}
	if !slices.Equal(got, rec) {
		return "other lists"
	}
	return ""
}

// useBroad finds pairs.
func useBroad(s *Session) string {
	c := testTriangles(60)
	c.space.Each, c.space.Inflation = nil, 0.1
	c.families[0].A = pairs.Set{Width: 1, N: 2, IDs: []int32{1, 4}}
	if err := s.Load(c.rec); err != nil {
		return err.Error()
	}
	if err := s.LoadMesh(&c.mesh); err != nil {
		return err.Error()
	}
	if err := s.comparePlan(c); err != nil {
		if strings.Contains(err.Error(), "want") || strings.Contains(err.Error(), "differ") {
			return "other lists"
		}
		return err.Error()
	}
	if err := s.FirstOf(2, false, 0, 3, 1, 0, new(pairs.Found)); err != nil {
		return err.Error()
	}
	return ""
}
