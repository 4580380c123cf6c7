package proximity

import (
	"math"
	"slices"
	"unsafe"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/num"
)

// PairList holds the near pairs of one configuration, by kind - 1 and sorted by (a, b), for calls
// at positions nearby: package neighbors. Gap is a lower bound of a pair's distance there, radii
// subtracted. Nothing changes it once it is made.
type PairList struct {
	Pairs [geom.EdgeFace - 1][][2]int32
	Gap   [geom.EdgeFace - 1][]float32
	Reach float64 // the pairs are those with Lo <= Reach

	Filter *mesh.Filter // the mesh's filter when the list was made, which allows all its pairs
}

// Len returns the number of pairs.
func (l *PairList) Len() (n int) {
	for k := range l.Pairs {
		n += len(l.Pairs[k])
	}
	return n
}

// Bytes returns the memory of the list.
func (l *PairList) Bytes() (n int64) {
	for k := range l.Pairs {
		n += int64(8*cap(l.Pairs[k]) + 4*cap(l.Gap[k]))
	}
	return n
}

// Beyond returns a distance above d such that any pair whose surfaces are farther apart has Lo > d
// and does not come within the separation d, if no radius exceeds r.
//
// By laws 1 and 3 of NearPair, Lo <= d implies a distance of at most (d + 2^-23 2r)(1 + 2^-22), or
// d and the roundings of two neighbors. A separation of d is that of the centers rounded up, at
// most (d + r_a + r_b)(1 + 2^-52). d + 2^-21 (d + 2r), rounded up, is above all of them where 2^-22
// (d + 2r) is no denormal, and the two doubles above it pay for denormals. Nothing is nearer than
// 0: Beyond(0, 0) is 0.
func Beyond(d, r float64) float64 {
	size := num.AddUp(d, num.AddUp(r, r))
	if size == 0 {
		return 0
	}
	return num.Up(num.Up(num.AddUp(d, num.MulUp(0x1p-21, size))))
}

// listed is a pair that a worker found for a list.
type listed struct {
	a, b int32
	gap  float32
}

const listedPairBytes = int(unsafe.Sizeof(listed{}))

// List returns every allowed pair with Lo <= reach where the vertices of m are at x. It contains
// all pairs that are at most reach apart.
func List(m *mesh.Mesh, x []float64, reach float64, o *Options) (*PairList, error) {
	s, err := start(m, x, o)
	if err != nil {
		return nil, err
	}
	defer s.end()
	filter := m.Filter()
	s.lists, s.near, s.radii = true, true, filter.Radii()
	if err := s.radii.CheckDistance("reach", reach); err != nil {
		return nil, err
	}
	if !s.Budget.Take(int64(8 * (max(m.NV, len(m.Edges)) + 1))) {
		return nil, s.Budget.Err()
	}
	found := make(map[*worker]*[geom.EdgeFace - 1]engine.List[listed], len(s.workers))
	for _, w := range s.workers {
		found[w] = new([geom.EdgeFace - 1]engine.List[listed])
	}
	if err := s.inside.use(s, true, false); err != nil {
		return nil, err
	}
	err = s.all(reach, false, func(w *worker, k geom.Kind, pairs [][2]int32) {
		list := &found[w][k-1]
		s.eachNear(w, k, pairs, func() float64 { return reach }, func(n *NearPair) {
			list.Add(&listed{int32(n.A), int32(n.B), below32(n.Lo)}, &s.Budget, 2*listedPairBytes+sortBytes)
		})
	})
	if err != nil {
		return nil, err
	}
	l := &PairList{Reach: reach, Filter: filter}
	for _, k := range geom.StepKinds {
		var lists []*engine.List[listed]
		for _, w := range s.workers {
			lists = append(lists, &found[w][k-1])
		}
		if err := l.sort(&s.order, k, lists, m.Count(k.Info().Shapes[0]), len(s.workers)); err != nil {
			return nil, err
		}
	}
	return l, s.finish(l.Len())
}

// below32 returns the largest float not above x >= 0.
func below32(x float64) float32 {
	f := float32(x)
	if float64(f) > x {
		f = math.Nextafter32(f, 0)
	}
	return f
}

// sort fills in the pairs of a kind whose first primitive is less than n.
func (l *PairList) sort(o *pairOrder, k geom.Kind, lists []*engine.List[listed], n, threads int) error {
	total := 0
	for _, list := range lists {
		total += list.Len()
	}
	if total == 0 {
		return nil
	}
	pairs, gaps := make([][2]int32, total), make([]float32, total)
	l.Pairs[k-1], l.Gap[k-1] = pairs, gaps
	return inOrder(o, lists, func(p *listed) pairKey {
		return pairKey{p.a, p.b}
	}, n, threads, func(at int, keys []sortKey) {
		for i := range keys {
			p := lists[keys[i].list()].At(keys[i].at())
			pairs[at+i], gaps[at+i] = [2]int32{p.a, p.b}, p.gap
		}
	})
}

// Within appends those pairs of a range of a kind whose gap is at most limit.
func (l *PairList) Within(k geom.Kind, from, to int, limit float64, out [][2]int32) [][2]int32 {
	pairs, gaps := l.Pairs[k-1][from:to], l.Gap[k-1][from:to]
	out = slices.Grow(out, len(pairs))
	n, room := len(out), out[len(out):cap(out)]
	kept := 0
	for i, g := range gaps { // without a branch, which would be mispredicted
		room[kept] = pairs[i]
		if float64(g) <= limit {
			kept++
		}
	}
	return out[:n+kept]
}

// listTask is a range of the pairs of a kind, and where the worker that took it has their results.
type listTask struct {
	kind           geom.Kind
	from, to       int
	worker         int
	result, nearby int // the first result, and the number of results
}

// taskPairs is the number of pairs of a listTask.
const taskPairs = 4096

// NearAmong returns Near(m, x, d, o) from a list of pairs. The caller ensures that every allowed
// pair with Lo <= d is among those of the list whose gap is at most limit. Radii are those of the
// list.
func NearAmong(m *mesh.Mesh, x []float64, d float64, l *PairList, limit float64, o *Options) ([]NearPair, error) {
	s, err := start(m, x, o)
	if err != nil {
		return nil, err
	}
	defer s.end()
	s.lists, s.radii, s.Stats.Boxes = true, l.Filter.Radii(), 0
	if err := s.radii.CheckDistance("d", d); err != nil {
		return nil, err
	}
	var list []listTask
	for _, k := range geom.StepKinds {
		n := len(l.Pairs[k-1])
		for from := 0; from < n; from += taskPairs {
			list = append(list, listTask{kind: k, from: from, to: min(from+taskPairs, n)})
		}
	}
	s.Progress.Part(int64(l.Len()), 1)
	s.Budget.SetWorking(s.fixed())
	tasks, bound := engine.NewTasks(0, len(list)), func() float64 { return d }
	err = s.Run(len(list), func(i int) {
		w := s.workers[i]
		var block [][2]int32
		for j := range tasks.All() {
			t := &list[j]
			out := &w.near[t.kind-1].pairs
			t.worker, t.result = i, out.Len()
			if block = l.Within(t.kind, t.from, t.to, limit, block[:0]); len(block) > 0 {
				s.handle(w, t.kind, block, func(w *worker, k geom.Kind, pairs [][2]int32) {
					s.eachNear(w, k, pairs, bound, func(n *NearPair) { out.Add(n, &s.Budget, 2*nearBytes) })
				})
			}
			t.nearby = out.Len() - t.result
			if !s.Progress.Pass(int64(t.to-t.from)) || s.Budget.Over() {
				return
			}
		}
	})
	if err != nil {
		return nil, err
	}
	all := s.inOrder(list)
	if err := s.finish(len(all)); err != nil {
		return nil, err
	}
	return all, nil
}

// inOrder returns the results of all tasks, one task after the other.
func (s *scan) inOrder(list []listTask) []NearPair {
	n := 0
	for i := range list {
		n += list[i].nearby
	}
	all := make([]NearPair, 0, n)
	for i := range list {
		t := &list[i]
		all = s.workers[t.worker].near[t.kind-1].pairs.AppendRange(all, t.result, t.nearby)
	}
	return all
}
