package broad

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"ccd/core/ccdtest/long"
	"ccd/core/geom"
	"ccd/core/kernel"
	"ccd/core/mesh"
	"ccd/gpu"
	"ccd/simd/pairs"
)

// Law 5 of devices, docs/numerics.md: the candidates that a device finds are those of the
// processor, within any memory, and after a failure too.

// pretended is a device that the CPU pretends to be, with the lists of package pairs. It fails from
// call number fail on, if that is positive, and a plan of more than most pairs does not fit, if
// that is positive.
type pretended struct {
	kernel.Device
	sync.Mutex
	calls, fail int
	most        int64
	rec         []float64
	mesh        *pairs.Mesh
	plan        pairs.Plan
}

var errPretended = errors.New("the pretended device is lost")

type tooMuch struct{}

func (tooMuch) Error() string       { return "too much" }
func (tooMuch) Over() (a, b int64)  { return 3, 2 }
func (d *pretended) Limit(_ uint64) {}

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
	d.rec = rec
	return d.call()
}

func (d *pretended) LoadMesh(m *pairs.Mesh) error {
	d.mesh = m
	return d.call()
}

func (d *pretended) Plan(space *pairs.Space, families []pairs.Family) (totals []int64, room int, err error) {
	d.plan.Begin(d.rec, d.mesh, space)
	sum := int64(0)
	for i := range families {
		d.plan.Add(&families[i])
	}
	for _, p := range d.plan.Passes {
		totals = append(totals, p.Total)
		sum += p.Total
	}
	if d.most > 0 && sum > d.most {
		return nil, 0, tooMuch{}
	}
	return totals, 700, d.call()
}

func (d *pretended) Pairs(list int, from int64, out [][2]int32) error {
	d.Lock()
	defer d.Unlock()
	if err := d.call(); err != nil {
		clear(out)
		return err
	}
	d.plan.Passes[list].Pairs(from, out)
	return nil
}

func (d *pretended) FirstOf(int, bool, int64, int, float64, float64, *pairs.Found) error {
	return errPretended
}

// finders are devices that find pairs: a pretended one, and the first that there is, PoCL's too. It
// must be there if CI=true.
func finders(t testing.TB) map[string]kernel.PairFinder {
	t.Helper()
	out := map[string]kernel.PairFinder{"pretended": &pretended{}}
	t.Setenv("CCD_OPENCL_CPU", "1")
	d, err := gpu.FirstUsable()
	if err != nil {
		if os.Getenv("CI") == "true" && !errors.Is(err, gpu.ErrNone) {
			t.Fatal(err)
		}
		t.Logf("without a device: %v", err)
		return out
	}
	s := d.NewSession()
	t.Cleanup(s.Close)
	out["real"] = s
	return out
}

// vary sets filters and radii of a mesh at random, or leaves them.
func vary(t testing.TB, r *rand.Rand, s *scene, m *mesh.Mesh) {
	t.Helper()
	var errs []error
	if r.IntN(3) == 0 {
		groups := make([]int32, m.NV)
		for i := range groups {
			groups[i] = int32(i*3/m.NV) + int32(r.IntN(2)*r.IntN(2))
		}
		errs = append(errs, m.SetGroups(groups))
	}
	if r.IntN(3) == 0 {
		static := make([]bool, m.NV)
		for i := range static {
			static[i] = i < m.NV/2 || r.IntN(3) == 0
		}
		errs = append(errs, m.SetStatic(static))
	}
	if r.IntN(3) == 0 {
		for _, k := range geom.StepKinds {
			n, o := m.Count(k.Info().Shapes[0]), m.Count(k.Info().Shapes[1])
			var list [][2]int64
			for range (n + o) * 4 {
				if n > 0 && o > 0 {
					list = append(list, [2]int64{int64(r.IntN(n)), int64(r.IntN(o))})
				}
			}
			errs = append(errs, m.SetExcluded(k, list))
		}
	}
	if r.IntN(3) == 0 {
		errs = append(errs, m.SetRadii(randomRadii(r, m, sizeOf(s))))
	}
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

// sameLists compares two lists of candidates.
func sameLists(t testing.TB, label string, got, want *Candidates) (n int) {
	t.Helper()
	for _, k := range geom.StepKinds {
		if !slices.Equal(got.Of(k), want.Of(k)) {
			t.Fatalf("%s: %d pairs %v on the device, %d on the processor", label, got.Count(k), k, want.Count(k))
		}
		n += want.Count(k)
	}
	return n
}

func TestDeviceLaw6Candidates(t *testing.T) {
	long.Test(t)
	devices := finders(t)
	r := rand.New(rand.NewPCG(19, 11))
	var found [4]int
	rounds := 3
	if testing.Short() {
		rounds = 1
	}
	for range rounds {
		for _, s := range adversaries() {
			m, mo := s.load(t)
			vary(t, r, &s, m)
			o := Options{MinSeparation: []float64{0, 1e-3, 0.1}[r.IntN(3)] * sizeOf(&s)}
			want, err := Sweep(m, mo, o)
			if err != nil {
				t.Fatal(err)
			}
			for name, d := range devices {
				o.Remote = &Remote{Device: d}
				got, err := Sweep(m, mo, o)
				if err != nil || o.Remote.Err() != nil {
					t.Fatalf("%s, %s: %v, %v", s.name, name, err, o.Remote.Err())
				}
				sameLists(t, s.name+", "+name, got, want)
			}
			for i, k := range geom.StepKinds {
				found[i] += want.Count(k)
			}
		}
	}
	for i, n := range found {
		if n < 100 {
			t.Errorf("%d pairs of kind %v: the test shows little", n, geom.StepKinds[i])
		}
	}
}

// The plan of a step has the processor's pairs, up to any time, and in any slab; with radii it may
// have fewer.
func TestDeviceLaw6Plans(t *testing.T) {
	devices := finders(t)
	r := rand.New(rand.NewPCG(19, 12))
	total := 0
	for i, s := range adversaries() {
		m, mo := s.load(t)
		vary(t, r, &s, m)
		radii := m.Filter().Radii()
		how := PlanOptions{Input: Input{Separation: []float64{0, 1e-3}[i%2] * sizeOf(&s), Radii: radii,
			Until: []float64{1, 0.3}[r.IntN(2)]}, Work: Work{Threads: 1}}
		slabs := append(Slabs(m, mo, 3), Slab{})
		for j := range slabs {
			if how.Keep.Slab = &slabs[j]; j == 3 {
				how.Keep.Slab = nil
			}
			var p Plan
			how.Tactic.Remote = nil
			if err := p.Build(m, mo, how); err != nil {
				t.Fatal(err)
			}
			want := plannedPairs(t, &p)
			for name, d := range devices {
				remote := &Remote{Device: d}
				if how.Tactic.Remote = remote; d.Load(mo.Rec) != nil || p.Build(m, mo, how) != nil || !p.Remote() &&
					len(p.work) > 0 {
					t.Fatalf("%s: %s: %v", s.name, name, remote.Err())
				}
				got := plannedPairs(t, &p)
				if radii.Uniform() {
					total += sameLists(t, fmt.Sprintf("%s, %s, slab %d", s.name, name, j), got, want)
					continue
				}
				for _, k := range geom.StepKinds { // boxes have the radii of their own primitives
					for _, pair := range got.Of(k) {
						if _, found := slices.BinarySearchFunc(want.Of(k), pair,
							func(a, b [2]int32) int { return slices.Compare(a[:], b[:]) }); !found {
							t.Fatalf("%s, %s: pair %v", s.name, name, pair)
						}
					}
				}
			}
		}
	}
	if total < 1000 {
		t.Errorf("%d pairs: the test shows little", total)
	}
}

// A device that fails at any call, or whose memory holds only small plans, changes no candidate.
func TestDeviceLaw6Failures(t *testing.T) {
	s := soup(rand.New(rand.NewPCG(19, 13)), 40, rand.New(rand.NewPCG(19, 14)).Float64)
	m, mo := s.load(t)
	want, err := Sweep(m, mo, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for fail := 1; ; fail++ {
		d := &pretended{fail: fail}
		o := Options{Remote: &Remote{Device: d}}
		got, err := Sweep(m, mo, o)
		if err != nil {
			t.Fatal(err)
		}
		sameLists(t, fmt.Sprintf("failure at call %d", fail), got, want)
		if d.calls < fail {
			if fail < 6 {
				t.Errorf("the device was called %d times: the test shows little", d.calls)
			}
			break
		}
		if o.Remote.Err() != errPretended {
			t.Errorf("failure at call %d: %v", fail, o.Remote.Err())
		}
	}
}

// A plan that does not fit on the device is made slab by slab.
func TestDeviceLaw6Slabs(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 15))
	s := sheet(90, func(i, j int) (a, b [3]float64) {
		a = [3]float64{float64(i), float64(j), r.Float64()}
		b = [3]float64{a[0] + r.Float64(), a[1], -r.Float64()}
		return a, b
	})
	m, mo := s.load(t)
	want, err := Sweep(m, mo, Options{})
	if err != nil {
		t.Fatal(err)
	}
	d := &pretended{most: int64(want.Len() / 3)}
	remote := &Remote{Device: d}
	got, err := Sweep(m, mo, Options{Remote: remote})
	if err != nil || remote.Err() != nil {
		t.Fatal(err, remote.Err())
	}
	if n := sameLists(t, "slabs", got, want); n < 10000 || d.calls < 20 {
		t.Errorf("%d pairs, %d calls: the test shows little", n, d.calls)
	}
	session, ok := finders(t)["real"].(*gpu.Session)
	if !ok {
		return
	}
	for _, bytes := range []uint64{3 << 20, 5 << 20, 9 << 20} {
		remote := &Remote{Device: limited{session, bytes}}
		got, err := Sweep(m, mo, Options{Remote: remote})
		if err != nil || remote.Err() != nil {
			t.Fatal(err, remote.Err())
		}
		sameLists(t, fmt.Sprintf("%d bytes", bytes), got, want)
		if _, peak := session.Used(); peak > int64(bytes) {
			t.Errorf("%d bytes: the device held %d", bytes, peak)
		}
	}
}

// limited is a device with so many bytes.
type limited struct {
	*gpu.Session
	bytes uint64
}

func (l limited) Limit(uint64) { l.Session.Limit(l.bytes) }

// Many pairs in little memory: none is lost, and none comes twice. By hand: CCD_DEVICE_PAIRS=1e9
// CCD_DEVICE_BYTES=268435456.
func TestDeviceLaw6ManyPairs(t *testing.T) {
	session, ok := finders(t)["real"].(*gpu.Session)
	if !ok {
		t.Skip("no device")
	}
	want, bytes := number("CCD_DEVICE_PAIRS", 2e6), uint64(number("CCD_DEVICE_BYTES", 2<<20))
	r := rand.New(rand.NewPCG(19, 16))
	s := scene{name: "triangles", nv: 3 * int(math.Sqrt(want/1.75))}
	for v := range int32(s.nv) {
		for range 3 {
			s.x0 = append(s.x0, r.Float64())
			s.x1 = append(s.x1, s.x0[len(s.x0)-1]+0.05*r.Float64())
		}
		s.faces = append(s.faces, v)
	}
	m, mo := s.load(t)
	how := PlanOptions{Input: Input{Until: 1}, Work: Work{Threads: 1}}
	cpu := sumOfPlan(t, m, mo, how)
	how.Tactic.Remote = &Remote{Device: session}
	session.Limit(bytes)
	if err := session.Load(mo.Rec); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	got := sumOfPlan(t, m, mo, how)
	_, peak := session.Used()
	t.Logf("%d triangles, %d pairs, %d slabs, %d bytes on the device, %v", s.nv/3, got.pairs, got.slabs, peak,
		time.Since(began))
	if err := how.Tactic.Remote.Err(); err != nil || got.pairs != cpu.pairs || got.sum != cpu.sum ||
		peak > int64(bytes) {
		t.Errorf("%d pairs and the sum %x on the device, %d and %x on the processor; %d bytes; %v", got.pairs,
			got.sum, cpu.pairs, cpu.sum, peak, err)
	}
	if float64(got.pairs) < want || got.windows < 10 || got.emulated > 0 {
		t.Errorf("%d pairs in %d windows, %d of them on the processor: the test shows little", got.pairs, got.windows,
			got.emulated)
	}
}

// number reads a number of the environment.
func number(name string, standard float64) float64 {
	if x, err := strconv.ParseFloat(os.Getenv(name), 64); err == nil {
		return x
	}
	return standard
}

// planSum is the number of the pairs of a plan, and a sum over them that does not depend on their
// order.
type planSum struct {
	pairs, windows, slabs, emulated int
	sum                             uint64
}

// sumOfPlan sweeps a plan slab by slab.
func sumOfPlan(t *testing.T, m *mesh.Mesh, mo *geom.Trajectories, how PlanOptions) (out planSum) {
	t.Helper()
	var p Plan
	var slabs SlabPlan
	w := NewWorker()
	add := func(_ geom.Kind, pairs [][2]int32) bool {
		for _, x := range pairs {
			h := (uint64(uint32(x[0]))<<32 | uint64(uint32(x[1]))) * 0x9E3779B97F4A7C15
			out.sum += (h ^ h>>29) * 0xBF58476D1CE4E5B9
		}
		out.pairs += len(pairs)
		return true
	}
	for slabs.Begin(nil); slabs.More(); slabs.Next() {
		if err := slabs.Build(&p, m, mo, how); err != nil {
			t.Fatal(err)
		}
		out.slabs++
		for i := range p.Tasks() {
			task := &p.Tasks()[i]
			if !p.Remote() {
				w.Sweep(&p, task, add)
				if how.Tactic.Remote != nil {
					out.emulated++
				}
				continue
			}
			block, most := make([][2]int32, 0), 1<<18
			p.Windows(task, &most, func(from int64, n int) bool {
				block = grow(&block, n)
				p.Pairs(task, from, block)
				out.windows++
				return add(task.Kind, block)
			})
		}
	}
	return out
}
