package step

import (
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"ccd/core/ccdtest/long"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/kernel"
	"ccd/core/narrow"
	"ccd/core/step/device"
	"ccd/gpu"
	"ccd/simd/linear"
	"ccd/simd/pairs"
)

// The law of devices, docs/numerics.md: a device changes no bit of a result, whether it works,
// fails, or knows nothing.

// pretended is a device that the CPU pretends to be. It fails from call number fail on, if fail is
// positive.
type pretended struct {
	sync.Mutex
	rec         []float64
	calls, fail int
	know        bool // else it proves nothing and finds nothing
}

var errPretended = errors.New("the pretended device is lost")

func (d *pretended) call() error {
	d.calls++
	if d.fail > 0 && d.calls >= d.fail {
		return errPretended
	}
	return nil
}

func (d *pretended) Load(rec []float64) error {
	d.Lock()
	defer d.Unlock()
	d.rec = slices.Clone(rec)
	return d.call()
}

func (d *pretended) First(face bool, idx [][4]int32, tmax, sep float64, list []int32, mask []uint8, toi []float64,
	state []uint8) (int, error) {
	d.Lock()
	defer d.Unlock()
	if err := d.call(); err != nil {
		for i := range list { // what a failed device may leave
			list[i], mask[i], toi[i], state[i] = 1<<30, 255, -1, kernel.Contact
		}
		return 0, err
	}
	for i := range list {
		list[i], mask[i], toi[i], state[i] = int32(i), 255, 0, kernel.Unknown
	}
	if !d.know {
		return len(list), nil
	}
	filter, pieces, roots := linear.FilterVF, linear.TimePiecesVF, linear.RootsVF
	if !face {
		filter, pieces, roots = linear.FilterEE, linear.TimePiecesEE, linear.RootsEE
	}
	n := filter(d.rec, idx, list, tmax, sep, list)
	n = pieces(d.rec, idx, list[:n], tmax, sep, list, mask)
	for j := range n {
		for toi[j], state[j] = 0, kernel.Unknown; sep == 0 && mask[j] != 0; mask[j] &= mask[j] - 1 {
			roots(d.rec, idx, list[j:j+1], []uint8{uint8(bits.TrailingZeros8(mask[j]))}, tmax, toi[j:j+1], state[j:j+1])
			if state[j] != kernel.None {
				break
			}
		}
	}
	return n, nil
}

// finding is a pretended device that finds pairs too.
type finding struct {
	pretended
	mesh *pairs.Mesh
	plan pairs.Plan
	room int

	plans, firsts int // how many were made; how often FirstOf was called
}

func (d *finding) Limit(uint64) {}

func (d *finding) LoadMesh(m *pairs.Mesh) error {
	d.mesh = m
	return d.call()
}

func (d *finding) Plan(space *pairs.Space, families []pairs.Family) (totals []int64, room int, err error) {
	d.plan.Begin(d.rec, d.mesh, space)
	d.plans++
	for i := range families {
		d.plan.Add(&families[i])
	}
	for _, p := range d.plan.Passes {
		totals = append(totals, p.Total)
	}
	return totals, d.room, d.call()
}

func (d *finding) Pairs(list int, from int64, out [][2]int32) error {
	d.Lock()
	defer d.Unlock()
	if err := d.call(); err != nil {
		return err
	}
	d.plan.Passes[list].Pairs(from, out)
	return nil
}

func (d *finding) FirstOf(list int, face bool, from int64, n int, tmax, sep float64, found *pairs.Found) error {
	all, idx := make([][2]int32, n), make([][4]int32, n)
	d.Lock()
	d.firsts++
	d.plan.Passes[list].Pairs(from, all)
	d.Unlock()
	for i, p := range all {
		if face {
			f := d.mesh.Faces[3*p[1]:]
			idx[i] = [4]int32{p[0], f[0], f[1], f[2]}
		} else {
			e, f := d.mesh.Edges[2*p[0]:], d.mesh.Edges[2*p[1]:]
			idx[i] = [4]int32{e[0], e[1], f[0], f[1]}
		}
	}
	where := make([]int32, n)
	found.Resize(n)
	m, err := d.First(face, idx, tmax, sep, where, found.Masks, found.TOI, found.State)
	if err != nil {
		return err
	}
	found.Resize(m)
	for i := range m {
		found.Pairs[i] = all[where[i]]
	}
	return nil
}

// openDevice returns a session on the first device that there is, PoCL's too; nil and the reason if
// there is none. It must be there if CI=true.
func openDevice(t testing.TB) *gpu.Session {
	t.Helper()
	t.Setenv("CCD_OPENCL_CPU", "1")
	d, err := gpu.FirstUsable()
	if err != nil {
		if os.Getenv("CI") == "true" && !errors.Is(err, gpu.ErrNone) {
			t.Fatal(err)
		}
		t.Logf("without a device: %v", err)
		return nil
	}
	s := d.NewSession()
	t.Cleanup(s.Close)
	return s
}

// devices are the pretended ones and a real one, if there is one.
func devices(t testing.TB) map[string]kernel.Device {
	out := map[string]kernel.Device{
		"knowing": &pretended{know: true}, "ignorant": &pretended{},
		"finding": &finding{pretended: pretended{know: true}, room: 61},
	}
	if s := openDevice(t); s != nil {
		out["real"] = s
	}
	return out
}

// sameWithDevice compares the calls of a step with and without the device.
func sameWithDevice(t testing.TB, label string, s *scene, o Options) (impacts int) {
	t.Helper()
	device, only := o.Device, o.DeviceOnly
	o.Device, o.DeviceOnly = nil, false
	want, err := Collisions(s.m, s.x0, s.x1, &o)
	if err != nil {
		t.Fatalf("%s: %v", label, err)
	}
	first, err := Earliest(s.m, s.x0, s.x1, &o)
	if err != nil {
		t.Fatalf("%s: %v", label, err)
	}
	size, err := Size(s.m, s.x0, s.x1, &o)
	if err != nil {
		t.Fatalf("%s: %v", label, err)
	}
	o.Device, o.DeviceOnly = device, only
	if got, err := Collisions(s.m, s.x0, s.x1, &o); err != nil || !slices.Equal(got, want) {
		t.Errorf("%s: %d impacts with the device, %d without; error %v", label, len(got), len(want), err)
	}
	if got, err := Earliest(s.m, s.x0, s.x1, &o); err != nil || got != first {
		t.Errorf("%s: earliest is %+v with the device, %+v without; error %v", label, got, first, err)
	}
	if got, err := Size(s.m, s.x0, s.x1, &o); err != nil || got != size {
		t.Errorf("%s: step size is %v with the device, %v without; error %v", label, got, size, err)
	}
	return len(want)
}

func TestDeviceLaw4SameBits(t *testing.T) {
	all := devices(t)
	for _, s := range scenes(t) {
		for name, o := range settings() {
			if o.Method == narrow.TightInclusion {
				continue
			}
			o.MinSeparation *= s.size()
			o.Tolerance *= s.size()
			for which, d := range all {
				for _, threads := range []int{1, 4} {
					o.Device, o.DeviceOnly, o.Threads = d, true, threads
					sameWithDevice(t, fmt.Sprintf("%s, %s, %s device, %d threads", s.name, name, which, threads), &s, o)
				}
			}
		}
	}
}

// Radii, filters, static vertices, slabs and memory limits, on random scenes.
func TestDeviceLaw4Filters(t *testing.T) {
	all := devices(t)
	r := rand.New(rand.NewPCG(19, 2))
	n, impacts := 60, 0
	if testing.Short() {
		n = 12
	}
	for i := range n {
		s := soup(t, "soup", 6+r.IntN(20), func() float64 { return r.Float64()*2 - 1 }, []float64{1, 0.1}[i%2])
		if i%3 == 0 {
			static := make([]bool, s.m.NV)
			for v := range static {
				if static[v] = r.IntN(2) == 0; static[v] {
					copy(s.x1[3*v:3*v+3], s.x0[3*v:])
				}
			}
			if err := s.m.SetStatic(static); err != nil {
				t.Fatal(err)
			}
		}
		o := DefaultOptions()
		o.Threads = 1 + i%3
		switch i % 4 {
		case 1:
			thickness(t, r, &s, i/4%3)
			o.MinSeparation = []float64{0, 1e-3}[i/4%2]
		case 2:
			o.TMax = r.Float64()
		case 3:
			o.MemoryLimit = 1 << 20
		}
		for which, d := range all {
			o.Device, o.DeviceOnly = d, true
			impacts += sameWithDevice(t, fmt.Sprintf("scene %d, %s device", i, which), &s, o)
		}
	}
	if impacts == 0 {
		t.Error("no impacts: the test shows nothing")
	}
}

// A device that fails at any call changes nothing, but where the call must use it: that is an error
// which says so.
func TestDeviceLaw4Failures(t *testing.T) {
	s := soup(t, "soup", 40, rand.New(rand.NewPCG(19, 3)).Float64, 0.3)
	o := DefaultOptions()
	want, err := Collisions(s.m, s.x0, s.x1, &o)
	if err != nil || len(want) == 0 {
		t.Fatal(err, len(want))
	}
	first, _ := Earliest(s.m, s.x0, s.x1, &o)
	defer func(n int) { device.Least.Pairs = n }(device.Least.Pairs)
	device.Least.Pairs = 1
	for fail := 1; ; fail++ {
		d := &pretended{know: true, fail: fail}
		o.Device, o.DeviceOnly = d, false
		got, err := Collisions(s.m, s.x0, s.x1, &o)
		if err != nil || !slices.Equal(got, want) {
			t.Fatalf("failure at call %d: %d impacts, want %d; error %v", fail, len(got), len(want), err)
		}
		if d.calls < fail {
			if fail < 3 {
				t.Errorf("the device was called %d times: the test shows little", d.calls)
			}
			break
		}
		if im, err := Earliest(s.m, s.x0, s.x1, &Options{Options: o.Options,
			Device: &pretended{know: true, fail: fail}}); err != nil || im != first {
			t.Fatalf("failure at call %d: earliest is %+v, want %+v; error %v", fail, im, first, err)
		}
		o.Device, o.DeviceOnly = &pretended{know: true, fail: fail}, true
		if got, err := Collisions(s.m, s.x0, s.x1, &o); err == nil || got != nil ||
			!strings.Contains(err.Error(), errPretended.Error()) {
			t.Fatalf("failure at call %d of a device that must be used: %d impacts, error %v", fail, len(got), err)
		}
	}
}

// The same for a device that finds the pairs: what it did before it failed is kept, and no pair is
// lost or comes twice.
func TestDeviceLaw6Failures(t *testing.T) {
	s := soup(t, "soup", 40, rand.New(rand.NewPCG(19, 3)).Float64, 0.3)
	least := device.Least
	defer func() { device.Least = least }()
	device.Least.Pairs, device.Least.Boxes = 1, 1
	for _, separation := range []float64{0, 0.01} {
		o := DefaultOptions()
		o.MinSeparation = separation
		want, err := Collisions(s.m, s.x0, s.x1, &o)
		if err != nil || len(want) == 0 {
			t.Fatal(err, len(want))
		}
		first, _ := Earliest(s.m, s.x0, s.x1, &o)
		for fail, calls := 1, 1; fail <= calls; fail++ {
			device := func() *finding { return &finding{pretended: pretended{know: true, fail: fail}, room: 500} }
			d := device()
			o.Device, o.DeviceOnly, o.Threads = d, false, 1+fail%2
			got, err := Collisions(s.m, s.x0, s.x1, &o)
			if err != nil || !slices.Equal(got, want) {
				t.Fatalf("failure at call %d: %d impacts, want %d; error %v", fail, len(got), len(want), err)
			}
			if calls = d.calls; fail == 1 {
				calls = 2
			}
			o.Device = device()
			if im, err := Earliest(s.m, s.x0, s.x1, &o); err != nil || im != first {
				t.Fatalf("failure at call %d: earliest is %+v, want %+v; error %v", fail, im, first, err)
			}
			o.Device, o.DeviceOnly = device(), true
			if got, err := Collisions(s.m, s.x0, s.x1, &o); fail < calls &&
				(err == nil || got != nil || !strings.Contains(err.Error(), errPretended.Error())) {
				t.Fatalf("failure at call %d of a device that must be used: %d impacts, error %v", fail, len(got), err)
			}
			if fail == calls && fail < 10 {
				t.Errorf("the device was called %d times: the test shows little", d.calls)
			}
		}
	}
}

// A search that knows an impact makes a new plan on the device, up to its time, where that pays.
func TestDeviceLaw6Restarts(t *testing.T) {
	defer func(n int) { rebuildPairs = n }(rebuildPairs)
	r := rand.New(rand.NewPCG(19, 7))
	plans := 0
	for range 20 {
		s := soup(t, "soup", 60, func() float64 { return 2 * r.Float64() }, 4)
		o := DefaultOptions()
		want, err := Earliest(s.m, s.x0, s.x1, &o)
		if err != nil {
			t.Fatal(err)
		}
		for _, rebuildPairs = range []int{1 << 21, 1} {
			d := &finding{pretended: pretended{know: true}, room: 50}
			o.Device, o.DeviceOnly, o.Threads = d, true, 1+r.IntN(3)
			if got, err := Earliest(s.m, s.x0, s.x1, &o); err != nil || got != want {
				t.Fatalf("earliest is %+v with the device, %+v without; error %v", got, want, err)
			}
			if plans += d.plans - 1; rebuildPairs > 1 && d.plans != 1 {
				t.Errorf("%d plans for few pairs", d.plans)
			}
			o.Device = nil
		}
	}
	if plans < 10 {
		t.Errorf("%d new plans: the test shows little", plans)
	}
}

func TestDeviceRefusesOtherMethods(t *testing.T) {
	s := soup(t, "soup", 4, rand.Float64, 1)
	o := DefaultOptions()
	o.Method, o.Device = narrow.TightInclusion, &pretended{know: true, fail: 1}
	if _, err := Collisions(s.m, s.x0, s.x1, &o); err != nil {
		t.Errorf("a device that may be used: %v", err)
	}
	o.DeviceOnly = true
	if _, err := Collisions(s.m, s.x0, s.x1, &o); err == nil || !strings.Contains(err.Error(), "options.device") {
		t.Errorf("a device that must be used: %v", err)
	}
}

// A call that is cancelled leaves nothing behind for the next one.
func TestDeviceAfterCancel(t *testing.T) {
	s := soup(t, "soup", 60, rand.New(rand.NewPCG(19, 4)).Float64, 1)
	o := DefaultOptions()
	o.Threads = 1
	want, err := Collisions(s.m, s.x0, s.x1, &o)
	if err != nil {
		t.Fatal(err)
	}
	for stop := range 20 {
		o.Device, o.DeviceOnly = &pretended{know: true}, true
		calls := 0
		o.Progress = func(float64) bool { calls++; return calls > stop }
		Collisions(s.m, s.x0, s.x1, &o)
		o.Progress = nil
		if got, err := Collisions(s.m, s.x0, s.x1, &o); err != nil || !slices.Equal(got, want) {
			t.Fatalf("after a call that was stopped at %d: %d impacts, want %d; error %v",
				stop, len(got), len(want), err)
		}
	}
}

// Blocks of pairs that wait for the device are as long as it wants, whatever the sweep's.
func TestDeviceGetsLongLists(t *testing.T) {
	s := soup(t, "soup", 400, rand.New(rand.NewPCG(19, 5)).Float64, 0.5)
	d := &longest{pretended: pretended{know: true}}
	o := DefaultOptions()
	o.Device, o.DeviceOnly, o.Threads = d, true, 1
	var counted engine.Stats
	o.Stats = &counted
	if sameWithDevice(t, "long lists", &s, o) == 0 {
		t.Error("no impacts")
	}
	total := int64(0)
	for _, n := range counted.Candidates {
		total += n
	}
	if d.most < 20000 || int64(d.most) > total || d.most > device.Batch+1<<16 {
		t.Errorf("the longest list has %d pairs", d.most)
	}
	if !counted.DeviceUsed {
		t.Error("the statistics say that no device was used")
	}
}

// Pairs whose separations differ reach the device in long lists too, with the largest separation;
// the real one finds them.
func TestDeviceGetsPairsOfDifferingRadii(t *testing.T) {
	long.Test(t)
	r := rand.New(rand.NewPCG(19, 11))
	s := soup(t, "soup", 200, r.Float64, 0.3)
	radii := make([]float64, s.m.NV)
	for v := range radii {
		radii[v] = 0.01 * r.Float64()
	}
	if err := s.m.SetRadii(radii); err != nil {
		t.Fatal(err)
	}
	all := map[string]kernel.Device{"longest": &longest{pretended: pretended{know: true}},
		"finding": &finding{pretended: pretended{know: true}, room: 5000}}
	if real := openDevice(t); real != nil {
		all["real"] = real
	}
	for name, d := range all {
		for _, threads := range []int{1, 3} {
			o := DefaultOptions()
			var counted engine.Stats
			o.Device, o.DeviceOnly, o.Threads, o.Stats = d, true, threads, &counted
			if n := sameWithDevice(t, fmt.Sprintf("%s device, %d threads", name, threads), &s, o); n < 100 {
				t.Errorf("%d impacts: the test shows little", n)
			}
			if !counted.DeviceUsed {
				t.Errorf("%s: the statistics say that no device was used", name)
			}
		}
	}
	if d := all["longest"].(*longest); d.most < 5000 {
		t.Errorf("the longest list has %d pairs", d.most)
	}
	if d := all["finding"].(*finding); d.firsts == 0 {
		t.Error("no window went through the narrow phase of the device that finds pairs")
	}
}

// Given pairs reach the device in blocks of a worker's share, of at most device.Batch pairs;
// without a device a block is short, as it is where the device takes no pairs of their kind.
func TestDeviceGetsLongListsOfGivenPairs(t *testing.T) {
	s := soup(t, "soup", 200, rand.New(rand.NewPCG(19, 7)).Float64, 0.5)
	var pairs [][2]int64
	for a := range int64(len(s.m.Edges)) {
		for b := range int64(100) {
			pairs = append(pairs, [2]int64{a, (a + 7*b + 3) % int64(len(s.m.Edges))})
		}
	}
	o := DefaultOptions()
	want, err := Pairs(s.m, s.x0, s.x1, geom.EdgeEdge, pairs, &o)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		threads     int
		limit       uint64
		least, most int
	}{{1, 0, len(pairs), len(pairs)}, {4, 0, len(pairs) / 4, len(pairs)/4 + 1}, {2, 1 << 26, 1 << 12, 1 << 12}} {
		d := &longest{pretended: pretended{know: true}}
		o.Device, o.DeviceOnly, o.Threads, o.MemoryLimit = d, true, c.threads, c.limit
		if got, err := Pairs(s.m, s.x0, s.x1, geom.EdgeEdge, pairs, &o); err != nil || !slices.Equal(got, want) {
			t.Errorf("%+v: other impacts with the device; error %v", c, err)
		}
		if d.most < c.least || d.most > c.most {
			t.Errorf("%+v: the longest list has %d pairs of %d", c, d.most, len(pairs))
		}
	}
	long := must[device.Device](t)(device.Begin(device.Setup{Handle: &pretended{}, Queues: true}, nil, nil, nil))
	for name, r := range map[string]*kernel.Remote{"none": nil,
		"for longer lists": {Device: &pretended{}, Least: device.Batch + 1}} {
		if n := long.BlockOf(r, 1, geom.EdgeEdge, len(pairs)); n != 128 {
			t.Errorf("device %s: blocks of %d pairs", name, n)
		}
	}
	r := &kernel.Remote{Device: &pretended{}, Least: 1}
	if n := long.BlockOf(r, 1, geom.PointPoint, len(pairs)); n != 128 {
		t.Errorf("points: blocks of %d pairs", n)
	}
	if n := long.BlockOf(r, 1, geom.VertexFace, 5*device.Batch); n != device.Batch {
		t.Errorf("blocks of %d pairs", n)
	}
}

// holder is a device that has the positions of a call already: where it is asked to load others, it
// knows those.
type holder struct {
	pretended
	x0, x1 []float64
	loads  int
}

func (d *holder) Holds(x0, x1 []float64) bool {
	return &x0[0] == &d.x0[0] && &x1[0] == &d.x1[0] && d.loads == 0
}

func (d *holder) Load(rec []float64) error {
	d.loads++
	return d.pretended.Load(rec)
}

// Positions that are on the device are not loaded again; those that a call tries beside them are.
func TestDeviceHoldsPositions(t *testing.T) {
	s := soup(t, "soup", 40, rand.New(rand.NewPCG(19, 8)).Float64, 0.3)
	var mo geom.Trajectories
	if err := s.m.Load(&mo, s.x0, s.x1); err != nil {
		t.Fatal(err)
	}
	o := DefaultOptions()
	want, err := Collisions(s.m, s.x0, s.x1, &o)
	if err != nil || len(want) == 0 {
		t.Fatal(len(want), err)
	}
	d := &holder{pretended: pretended{know: true, rec: mo.Rec}, x0: s.x0, x1: s.x1}
	o.Device, o.DeviceOnly = d, true
	if got, err := Collisions(s.m, s.x0, s.x1, &o); err != nil || !slices.Equal(got, want) || d.loads != 0 ||
		d.calls == 0 {
		t.Errorf("%d impacts, want %d; %d loads, %d calls; error %v", len(got), len(want), d.loads, d.calls, err)
	}
	x := make([]float64, len(s.x0))
	alpha, err := Advance(s.m, s.x0, s.x1, x, 0.9, &o)
	if err != nil || d.loads == 0 {
		t.Errorf("%d loads of the positions that Advance tries; error %v", d.loads, err)
	}
	o.Device, o.DeviceOnly = nil, false
	if want, err := Advance(s.m, s.x0, s.x1, slices.Clone(x), 0.9, &o); err != nil || alpha != want {
		t.Errorf("step %v, want %v; error %v", alpha, want, err)
	}
}

// longest keeps the length of the longest list.
type longest struct {
	pretended
	most int
}

func (d *longest) First(face bool, idx [][4]int32, tmax, sep float64, list []int32, mask []uint8, toi []float64,
	state []uint8) (int, error) {
	d.Lock()
	d.most = max(d.most, len(idx))
	d.Unlock()
	return d.pretended.First(face, idx, tmax, sep, list, mask, toi, state)
}

// A mesh that grows many candidates, on the real device.
func TestDeviceLaw4ManyPairs(t *testing.T) {
	long.Test(t)
	d := openDevice(t)
	if d == nil {
		t.Skip("no device")
	}
	s := soup(t, "soup", 900, rand.New(rand.NewPCG(19, 6)).Float64, 0.3)
	o := DefaultOptions()
	o.Device, o.DeviceOnly = d, true
	if n := sameWithDevice(t, "many pairs", &s, o); n == 0 {
		t.Error("no impacts")
	}
}
