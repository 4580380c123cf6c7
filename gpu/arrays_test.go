package gpu

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Law 5: positions in the memory of a device become the records of the same positions on the host,
// after the work on their stream. What is no such array is an error that names it. The stand-in for
// NVIDIA's driver runs the kernels on OpenCL.

func TestDeviceLaw5(t *testing.T) {
	if os.Getenv("CCD_FAIL_COUNT") == "" {
		need(t)
		runWithStandIn(t, "cuda.c", "CCD_LIBCUDA")
		return
	}
	d, err := Open(0)
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]func(*testing.T, *Session){
		"records": testRecords, "narrow phase": testNarrowPhase, "streams": testStreams,
		"wrong arrays": testWrongArrays,
	} {
		t.Run(name, func(t *testing.T) {
			s := d.NewSession()
			defer s.Close()
			test(t, s)
		})
	}
}

// callers returns an array of a caller: n vertices of numbers of which a vertex has stride.
func callers[T float32 | float64](t *testing.T, s *Session, own *array, n, stride int, value func() float64) (
	numbers []T, want [][3]float64) {
	numbers = make([]T, n*stride)
	for i := range numbers {
		numbers[i] = T(value())
	}
	for i := range n {
		v := numbers[i*stride:]
		want = append(want, [3]float64{float64(v[0]), float64(v[1]), float64(v[2])})
	}
	if err := upload(&s.memory, own, numbers); err != nil {
		t.Fatal(err)
	}
	return numbers, want
}

func testRecords(t *testing.T, s *Session) {
	r := rand.New(rand.NewPCG(5, 1))
	anything := func() float64 { return math.Ldexp(r.NormFloat64(), r.IntN(280)-150) } // denormal floats too
	var own [2]array
	defer s.release(&own[0])
	defer s.release(&own[1])
	for _, n := range []int{1, 257, 3000} {
		for _, stride := range []int{3, 7} {
			_, start := callers[float32](t, s, &own[0], n, stride, anything)
			_, end := callers[float64](t, s, &own[1], n, stride, anything)
			x0 := Array{Name: "x0", Data: uintptr(own[0].on), Single: true, Stride: 4 * stride, Device: -1}
			x1 := Array{Name: "x1", Data: uintptr(own[1].on), Stride: 8 * stride, Stream: 1}
			if stride == 3 {
				x0.Stride = 0
			}
			checkRead(t, s, &x0, &x1, start, end)
			// A negative stride reads from the last vertex to the first.
			x1.Data, x1.Stride = x1.Data+uintptr((n-1)*x1.Stride), -x1.Stride
			slices.Reverse(end)
			checkRead(t, s, &x0, &x1, start, end)
			checkRead(t, s, &x0, &x0, start, start)
		}
	}
}

func checkRead(t *testing.T, s *Session, x0, x1 *Array, start, end [][3]float64) {
	t.Helper()
	for _, x := range []*Array{x0, x1} {
		if device, err := x.Locate(len(start)); err != nil || device != 0 {
			t.Fatal(device, err)
		}
	}
	rec, err := s.Read(x0, x1, len(start))
	if err != nil {
		t.Fatal(err)
	}
	for i := range start {
		want := [8]float64{start[i][0], start[i][1], start[i][2], 0, end[i][0], end[i][1], end[i][2], 0}
		if got := [8]float64(rec[8*i:]); got != want {
			t.Fatalf("%d vertices, strides %d and %d: vertex %d is %v, want %v",
				len(start), x0.Stride, x1.Stride, i, got, want)
		}
	}
}

// The narrow phase uses what was read, until other records are loaded.
func testNarrowPhase(t *testing.T, s *Session) {
	rec, idx := randomScene(rand.New(rand.NewPCG(5, 2)), 4000)
	var own array
	if err := upload(&s.memory, &own, rec); err != nil {
		t.Fatal(err)
	}
	defer s.release(&own)
	n := len(rec) / 8
	x0, x1 := Array{Name: "x0", Data: uintptr(own.on), Stride: 64},
		Array{Name: "x1", Data: uintptr(own.on) + 32, Stride: 64}
	if got, err := s.Read(&x0, &x1, n); err != nil || !slices.Equal(got, rec) {
		t.Fatal("other records", err)
	}
	if s.Holds(nil, nil) {
		t.Error("a session holds positions that nobody named")
	}
	start, end := make([]float64, 3*n), make([]float64, 3*n)
	s.Keep(start, end)
	if !s.Holds(start, end) || s.Holds(end, start) || s.Holds(start, slices.Clone(end)) {
		t.Error("a session does not know what it holds")
	}
	if left := compare(t, s, rec, idx, true, 1, 0); left == 0 {
		t.Error("no pairs are left: the test shows little")
	}
	if err := s.Load(rec); err != nil || s.Holds(start, end) {
		t.Error("a session holds what was overwritten", err)
	}
}

// Work on a caller's stream that is late is waited for, on either array's.
func testStreams(t *testing.T, s *Session) {
	numbers := []float64{1, 2, 3, 4, 5, 6}
	for _, streams := range [][2]uintptr{{77, 77}, {77, 88}, {88, 77}, {0, 0}} {
		var own [2]array
		for i := range own {
			t.Setenv("CCD_STANDIN_LATE", strconv.Itoa(int(streams[i])))
			if err := upload(&s.memory, &own[i], numbers); err != nil {
				t.Fatal(err)
			}
		}
		t.Setenv("CCD_STANDIN_LATE", "")
		var now [1]float64
		if err := download(&s.memory, now[:], &own[0]); err != nil || now[0] == 1 {
			t.Fatalf("streams %v: the work is not late: %v, %v", streams, now, err)
		}
		x0 := Array{Name: "x0", Data: uintptr(own[0].on), Stream: streams[0]}
		x1 := Array{Name: "x1", Data: uintptr(own[1].on), Stream: streams[1]}
		if rec, err := s.Read(&x0, &x1, 2); err != nil ||
			!slices.Equal(rec, []float64{1, 2, 3, 0, 1, 2, 3, 0, 4, 5, 6, 0, 4, 5, 6, 0}) {
			t.Errorf("streams %v: %v, %v", streams, rec, err)
		}
		s.release(&own[0])
		s.release(&own[1])
	}
}

func testWrongArrays(t *testing.T, s *Session) {
	var own array
	if err := upload(&s.memory, &own, make([]float64, 300)); err != nil {
		t.Fatal(err)
	}
	defer s.release(&own)
	pinned := uintptr(0x7700)
	t.Setenv("CCD_STANDIN_PINNED", strconv.Itoa(int(pinned)))
	at := uintptr(own.on)
	for want, a := range map[string]Array{
		"x0.data is NULL, but there are 100 vertices":            {Name: "x0"},
		"x0.data is 0x10: not memory that CUDA knows":            {Name: "x0", Data: 0x10},
		"x0.data is 0x7700: memory of the host":                  {Name: "x0", Data: pinned},
		fmt.Sprintf("x0.data is %#x: not a multiple of 8", at+4): {Name: "x0", Data: at + 4},
		fmt.Sprintf("x1.data is %#x: not a multiple of 4", at+2): {Name: "x1", Data: at + 2, Single: true},
		"x0.stride is 28: not a multiple of 8":                   {Name: "x0", Data: at, Stride: 28},
		"x0.stride is 8589934592: more than 2^31 coordinates": {Name: "x0", Data: at, Stride: 1 << 33,
			Single: true},
		"x0.device is -2: must be -1 or a position":                          {Name: "x0", Data: at, Device: -2},
		"x0.device is 3: the memory is on device 0":                          {Name: "x0", Data: at, Device: 3},
		"x0: vertex 99, at ":                                                 {Name: "x0", Data: at, Stride: 32},
		"is not in the memory of device 0: the array has fewer than 100 ver": {Name: "x0", Data: at + 8},
	} {
		_, err := a.Locate(100)
		var wrong ArrayError
		if !errors.As(err, &wrong) || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", a, err, want)
		}
	}
	for _, a := range []Array{{Data: at, Device: -1}, {Data: at, Device: 0, Single: true, Stride: 24},
		{Data: at + 99*24, Stride: -24}} {
		if d, err := a.Locate(100); err != nil || d != 0 {
			t.Errorf("%+v: device %d, %v", a, d, err)
		}
	}
	if d, err := (&Array{Device: 4}).Locate(0); err != nil || d != 4 {
		t.Errorf("no vertices: device %d, %v", d, err)
	}
	bad := Array{Name: "x0", Data: at, Stream: 0xBAD}
	if _, err := s.Read(&bad, &bad, 1); err == nil ||
		!strings.Contains(err.Error(), "cuEventRecord failed with CUDA's error 400") {
		t.Errorf("a stream of another context: %v", err)
	}
}

// Without NVIDIA's driver an array is no ArrayError but a driver that is missing; a device of
// OpenCL waits for no stream.
func TestDeviceLaw5WithoutCUDA(t *testing.T) {
	d := need(t)
	a := Array{Name: "x0", Data: 0x1000}
	_, err := a.Locate(1)
	if d.driver == cuda {
		t.Skip("there is a device of NVIDIA's")
	}
	var wrong ArrayError
	if err == nil || errors.As(err, &wrong) || !strings.HasPrefix(err.Error(), "x0: ") {
		t.Error(err)
	}
	if err := d.on.wait(0); err == nil || !strings.Contains(err.Error(), "OpenCL") {
		t.Error(err)
	}
}
