package gpu

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
)

// Law 2: First finds what the processor finds, bit for bit. Law 3: a device that computes other
// bits is refused. Law 4: a call of the driver that fails is an error, and nothing worse.

// need opens the first device that there is, PoCL's too. Without one the test is skipped, unless
// CI=true, where there must be one.
func need(t testing.TB) *Device {
	t.Helper()
	t.Setenv("CCD_OPENCL_CPU", "1")
	d, err := FirstUsable()
	switch {
	case err == nil:
		return d
	case os.Getenv("CI") == "true":
		t.Fatal(err)
	case errors.Is(err, ErrNone):
		t.Skip(err)
	}
	t.Fatal(err)
	return nil
}

// randomScene returns n queries on shared vertices: some touch, some are degenerate.
func randomScene(r *rand.Rand, n int) (rec []float64, idx [][4]int32) {
	nv := 8 + n/4
	for range nv {
		var x [8]float64
		for k := range 3 {
			x[k] = r.Float64()
			if r.IntN(6) == 0 {
				x[k] = float64(r.IntN(3)) / 2
			}
			x[4+k] = x[k] + 0.5*(r.Float64()-0.5)
		}
		rec = append(rec, x[:]...)
	}
	for range n {
		p := r.Perm(nv)
		idx = append(idx, [4]int32{int32(p[0]), int32(p[1]), int32(p[2]), int32(p[3])})
	}
	return rec, idx
}

func compare(t *testing.T, s *Session, rec []float64, idx [][4]int32, face bool, tmax, sep float64) (left int) {
	t.Helper()
	got := newFound(len(idx))
	n, err := s.First(face, idx, tmax, sep, got.list, got.mask, got.toi, got.state)
	if err != nil {
		t.Fatal(err)
	}
	got.cut(n)
	want := first(rec, idx, face, tmax, sep)
	if !got.equal(want) {
		t.Fatalf(
			"face %v, %d queries, tmax %v, separation %v: %d left with other results than on the processor, which "+
				"leaves %d",
			face, len(idx), tmax, sep, len(got.list), len(want.list))
	}
	return n
}

func TestDeviceLaw2SameBits(t *testing.T) {
	d := need(t)
	r := rand.New(rand.NewPCG(2, 2))
	s := d.NewSession()
	defer s.Close()
	left, total := 0, 0
	sizes := []int{0, 1, 2, 255, 256, 257, 2047, 2048, 2049, 5000}
	if !testing.Short() {
		sizes = append(sizes, 40000)
	}
	for _, n := range sizes {
		rec, idx := randomScene(r, n)
		if err := s.Load(rec); err != nil {
			t.Fatal(err)
		}
		for _, tmax := range []float64{1, 0, 0.37, 1e-30} {
			for _, sep := range []float64{0, 0.01} {
				for _, face := range []bool{true, false} {
					left += compare(t, s, rec, idx, face, tmax, sep)
					total += n
				}
			}
		}
	}
	if left == 0 || left > total/2 {
		t.Errorf("%d of %d queries are left: the test shows little", left, total)
	}
}

// The adversarial queries of law 1: here the filter in single precision must have the bits of its
// reference too.
func TestDeviceLaw2HardQueries(t *testing.T) {
	d := need(t)
	r := rand.New(rand.NewPCG(2, 3))
	var rec []float64
	var idx [][4]int32
	for i := range int32(4096) {
		rec = append(rec, hard32(r)...)
		idx = append(idx, [4]int32{4 * i, 4*i + 1, 4*i + 2, 4*i + 3})
	}
	for _, face := range []bool{true, false} {
		for _, tmax := range []float64{1, 0.3} {
			s := d.NewSession()
			if err := s.Load(rec); err != nil {
				t.Fatal(err)
			}
			compare(t, s, rec, idx, face, tmax, 0)
			s.Close()
		}
	}
}

// Lists that are longer than the stages take at once.
func TestDeviceLaw2LongLists(t *testing.T) {
	d := need(t)
	r := rand.New(rand.NewPCG(2, 4))
	s := d.NewSession()
	defer s.Close()
	rec, some := randomScene(r, 3000)
	if err := s.Load(rec); err != nil {
		t.Fatal(err)
	}
	of := make([]int32, mostQueries+2500)
	idx := make([][4]int32, len(of))
	for i := range idx {
		of[i] = int32(r.IntN(len(some)))
		idx[i] = some[of[i]]
	}
	each := map[int32]int{} // where the reference has what is left
	want := first(rec, some, true, 0.9, 0)
	for j, i := range want.list {
		each[i] = j
	}
	got := newFound(len(idx))
	n, err := s.First(true, idx, 0.9, 0, got.list, got.mask, got.toi, got.state)
	if err != nil {
		t.Fatal(err)
	}
	for i, next := int32(0), 0; int(i) < len(idx); i++ {
		j, left := each[of[i]]
		if !left {
			continue
		}
		if next == n || got.list[next] != i || got.mask[next] != want.mask[j] || got.toi[next] != want.toi[j] ||
			got.state[next] != want.state[j] {
			t.Fatalf("query %d is left by the reference; the device has %d results", i, n)
		}
		next++
		if next == n && n < 1000 {
			t.Errorf("%d queries are left: the test shows little", n)
		}
	}
	// All queries are left: more than the first packet holds.
	for i := range idx[:9000] {
		idx[i] = [4]int32{0, 0, 1, 2}
	}
	if left := compare(t, s, rec, idx[:9000], true, 1, 0.01); left != 9000 {
		t.Errorf("%d queries of 9000 are left", left)
	}
}

// The control: the same kernels with contraction allowed, or with one operation changed, must be
// refused.
func TestDeviceLaw3RefusesOtherBits(t *testing.T) {
	need(t)
	list, _ := listDevices()
	index := slices.IndexFunc(list, func(d Info) bool { return d.driver != cuda && d.Refused == "" })
	if index < 0 {
		t.Skip("no device of OpenCL, whose driver compiles what is changed here")
	}
	source := Program()
	for name, change := range map[string][2]string{
		"contraction": {"#pragma OPENCL FP_CONTRACT OFF", "#pragma OPENCL FP_CONTRACT ON"},
		"a bound in single": {
			"#define F32_CUBIC_END_BOUND (9 * F32_U)", "#define F32_CUBIC_END_BOUND (900000 * F32_U)",
		},
		"a fused product": {
			"MUL32(a.x, b.x) + MUL32(a.y, b.y) + MUL32(a.z, b.z)", "fma(a.z, b.z, fma(a.y, b.y, a.x * b.x))",
		},
		"a list in disorder": {
			"return GROUP() * WG + upto - keep;", "return GROUP() * WG + part[WG - 1] - upto;",
		},
		"a time of other bits": {"to->toi = s == 2 ? t : 0;", "to->toi = s == 2 ? t + t * 0x1p-52 : 0;"},
	} {
		if !strings.Contains(source, change[0]) {
			t.Fatalf("%s: the program has no %q", name, change[0])
		}
		if d, err := open(list, index, strings.ReplaceAll(source, change[0], change[1]), buildOptions); err == nil {
			d.on.close()
			t.Errorf("%s: the device passes the self-test", name)
		} else if !strings.Contains(err.Error(), "self-test") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := open(list, index, source+"\nno kernel", buildOptions); err == nil ||
		!strings.Contains(err.Error(), "clBuildProgram") {
		t.Errorf("a program with an error: %v", err)
	}
}

func TestDevicesAreListed(t *testing.T) {
	list, why := Devices(false)
	if len(list) == 0 {
		if why == "" {
			t.Error("no device, and no reason")
		}
		t.Skip(why)
	}
	for i, d := range list {
		if d.Name == "" || d.Driver == "" || d.Memory == 0 {
			t.Errorf("device %d: %+v", i, d)
		}
	}
	t.Setenv("CCD_OPENCL_CPU", "0")
	list, _ = Devices(false)
	for i, d := range list {
		if strings.Contains(d.Name, "pthread") && !strings.Contains(d.Refused, "processor") {
			t.Errorf("device %d is a processor, and is not refused: %+v", i, d)
		}
	}
	for _, index := range []int{-1, 1000} {
		if _, err := Open(index); err == nil || !strings.Contains(err.Error(), fmt.Sprint(index)) {
			t.Errorf("device %d: %v", index, err)
		}
	}
}
