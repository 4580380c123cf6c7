package ccdtest_test

import (
	"bufio"
	"encoding/binary"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/geom"
	"ccd/core/narrow"
	"ccd/core/reference/oracle"
)

// deviceHeader is a running program that answers queries with ccd/device.h.
type deviceHeader struct {
	in  io.WriteCloser
	out *bufio.Reader
}

// deviceAnswer is the filter's verdict, and verdict and time of the pair and of the pair rounded to
// floats.
type deviceAnswer struct {
	filtered bool
	verdict  geom.Verdict
	toi      float64
	verdict4 geom.Verdict
	toi4     float64
}

// startDevice compiles simd/linear/testdata/device.c; it skips the test where there is no compiler.
func startDevice(t testing.TB) *deviceHeader {
	t.Helper()
	cc, err := exec.LookPath("cc")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip("no C compiler")
	}
	for _, f := range []string{"../../include/ccd/device.h", "../../simd/linear/testdata/device.c"} {
		if _, err := os.ReadFile(f); err != nil { // so that Go knows what the test depends on
			t.Fatal(err)
		}
	}
	program := filepath.Join(t.TempDir(), "device")
	if out, err := exec.Command(cc, "-O2", "-std=c99", "-I../../include", "-o", program,
		"../../simd/linear/testdata/device.c").CombinedOutput(); err != nil {
		t.Fatalf("[build failed] %v\n%s", err, out)
	}
	cmd := exec.Command(program)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	d := &deviceHeader{in, bufio.NewReader(out)}
	t.Cleanup(func() {
		d.in.Close()
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	})
	if check := d.read(t, 1)[0]; check != 0 {
		t.Fatalf("ccd_device_check returns %v", check)
	}
	return d
}

func (d *deviceHeader) read(t testing.TB, n int) []float64 {
	raw, x := make([]byte, 8*n), make([]float64, n)
	if _, err := io.ReadFull(d.out, raw); err != nil {
		t.Fatal(err)
	}
	for i := range x {
		x[i] = math.Float64frombits(binary.NativeEndian.Uint64(raw[8*i:]))
	}
	return x
}

// ask answers one query of 24 doubles.
func (d *deviceHeader) ask(t testing.TB, k geom.Kind, q []float64) deviceAnswer {
	t.Helper()
	raw := make([]byte, 0, 200)
	kind := 0.0
	if k == geom.VertexFace {
		kind = 1
	}
	for _, x := range append([]float64{kind}, q...) {
		raw = binary.NativeEndian.AppendUint64(raw, math.Float64bits(x))
	}
	if _, err := d.in.Write(raw); err != nil {
		t.Fatal(err)
	}
	x := d.read(t, 5)
	return deviceAnswer{x[0] == 1, geom.Verdict(x[1]), x[2], geom.Verdict(x[3]), x[4]}
}

// deviceTally holds answers to their laws, and counts them.
type deviceTally struct {
	*deviceHeader
	solver *narrow.Solver
	count  map[geom.Verdict]int
	safe   int // undecided contacts whose safe time is within an eighth of the contact
}

func newTally(t testing.TB) *deviceTally {
	return &deviceTally{startDevice(t), narrow.NewSolver(), map[geom.Verdict]int{}, 0}
}

// check compares an answer with the exact method: laws 1 to 3 of the device header.
func (y *deviceTally) check(t testing.TB, k geom.Kind, q []float64) {
	t.Helper()
	o := narrow.DefaultOptions()
	o.Method = narrow.Exact
	var want geom.Impact
	y.solver.Solve(k, q, &o, &want)
	got := y.ask(t, k, q)
	y.count[got.verdict]++
	checkDevice(t, k, q, got.verdict, got.toi, want.Verdict == geom.Contact, want.TOILo)
	if got.filtered && got.verdict != geom.Separate {
		t.Errorf("%v %v: the filter says separate, the verdict is %v", k, q, got.verdict)
	}
	if got.verdict == geom.Undecided && want.Verdict == geom.Contact && want.TOILo-got.toi < 0.125 {
		y.safe++
	}
	widened := make([]float64, 24)
	for i, x := range q {
		widened[i] = float64(float32(x))
	}
	if same := y.ask(t, k, widened); got.verdict4 != same.verdict || got.toi4 != same.toi {
		t.Errorf("%v %v: floats give %v at %v, the same doubles %v at %v", k, q, got.verdict4, got.toi4, same.verdict,
			same.toi)
	}
}

func checkDevice(t testing.TB, k geom.Kind, q []float64, verdict geom.Verdict, toi float64, contact bool, lo float64) {
	t.Helper()
	switch verdict {
	case geom.Separate:
		if contact || !math.IsInf(toi, 1) {
			t.Errorf("law 1: %v %v: separate at %v; contact is %v at %v", k, q, toi, contact, lo)
		}
	case geom.Contact:
		if !contact || toi != lo {
			t.Errorf("law 2: %v %v: contact at %v; contact is %v at %v", k, q, toi, contact, lo)
		}
	case geom.Undecided:
		if !(toi >= 0 && toi <= 1) || contact && toi > lo {
			t.Errorf("law 3: %v %v: safe to %v; contact is %v at %v", k, q, toi, contact, lo)
		}
	default:
		t.Errorf("%v %v: verdict %v", k, q, verdict)
	}
}

var deviceKinds = []geom.Kind{geom.VertexFace, geom.EdgeEdge}

// Laws 1, 2 and 3 of the device header, against the oracle in rational arithmetic and against the
// exact method.
func TestDeviceLaw123OnFamilies(t *testing.T) {
	n, hard := 2000, 20
	if testing.Short() {
		n, hard = 100, 2
	}
	y := newTally(t)
	for i, fam := range ccdtest.Families {
		y.count = map[geom.Verdict]int{}
		for _, k := range deviceKinds {
			r := ccdtest.NewRand(19, uint64(i)<<8|uint64(k))
			for j := range n {
				c := fam.Make(r, k, false)
				y.check(t, k, c.Q)
				if j < hard {
					truth, got := oracle.Separation(k, c.Q, 0, 1), y.ask(t, k, c.Q)
					checkDevice(t, k, c.Q, got.verdict, got.toi, truth.Contact, truth.Lo)
				}
			}
		}
		t.Logf("%s: %d separate, %d contact, %d undecided", fam.Name, y.count[geom.Separate], y.count[geom.Contact],
			y.count[geom.Undecided])
		if fam.Name == "offset" && (y.count[geom.Undecided]*20 > n || y.count[geom.Contact]*5 < n) {
			t.Errorf("queries that floats decide: %v", y.count)
		}
	}
	if y.safe == 0 {
		t.Error("no undecided contact has a safe time near it")
	}
}

func TestDeviceLaw123OnRecordedQueries(t *testing.T) {
	list, y := ccdtest.RecordedQueries(t), newTally(t)
	step := 1
	if testing.Short() {
		step = 17
	}
	for i := 0; i < len(list); i += step {
		y.check(t, list[i].Kind, list[i].Q[:])
	}
	t.Logf("%d separate, %d contact, %d undecided", y.count[geom.Separate], y.count[geom.Contact],
		y.count[geom.Undecided])
}

// Law 3 for input that the library rejects.
func TestDeviceLaw3NotFinite(t *testing.T) {
	y := newTally(t)
	base := []float64{0.2, 0.2, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0.2, 0.2, -1, 0, 0, 0, 1, 0, 0, 0, 1, 0}
	for _, k := range deviceKinds {
		for i := range 2 * len(base) {
			for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e308, -1e308} {
				q := append([]float64(nil), base...)
				if i >= len(base) {
					for _, far := range []int{6, 9, 18, 21} { // edges are apart on the first axis
						q[far] += 5
					}
				}
				q[i%len(base)] = x
				if got := y.ask(t, k, q); got.verdict != geom.Undecided || got.toi != 0 || got.filtered {
					t.Errorf("%v with q[%d] = %v: %v at %v, filtered is %v", k, i%len(base), x, got.verdict, got.toi,
						got.filtered)
				}
			}
		}
	}
}

func FuzzDeviceHeader(f *testing.F) {
	for i, fam := range ccdtest.Families {
		c := fam.Make(ccdtest.NewRand(23, uint64(i)), deviceKinds[i%2], false)
		f.Add(byte(i%2), ccdtest.Pack(c.Q))
	}
	y := newTally(f)
	f.Fuzz(func(t *testing.T, kind byte, raw []byte) {
		c := ccdtest.Unpack(byte(deviceKinds[kind%2]), 0, 1e-6, 1, raw)
		if k := c.Kind; k == geom.VertexFace || k == geom.EdgeEdge {
			y.check(t, k, c.Q)
		}
	})
}
