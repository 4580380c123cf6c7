package rigid

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"unsafe"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/num"
	"ccd/core/rigid/poses"
	"ccd/core/status"
)

// A SceneGap is the distance of the bodies A < B of a scene. Its layout is that of
// ccd_rigid_scene_gap.
type SceneGap struct {
	A, B int64
	Gap  Gap
}

// gapBytes is the memory of a gap until a list of all is returned: as it is found, and in the list.
const gapBytes = 2 * int(unsafe.Sizeof(SceneGap{}))

// gapWorker is the memory of one goroutine.
type gapWorker struct {
	ruler Ruler
	found engine.List[SceneGap]
	tally
}

// Within returns the distances of all pairs of bodies, at poses, that may be at most a distance
// apart, sorted by (A, B). Pairs that are not listed are farther apart; those listed have Lo at
// most the distance. The laws of Ruler.Distance hold for each. Motions are not used. The list has
// the same bits for any number of threads.
func (s *Scene) Within(poses []geom.Pose, distance float64, o DistanceOptions) ([]SceneGap, error) {
	if err := s.checkPoses(poses, distance, &o); err != nil {
		return nil, err
	}
	if s.memory == nil {
		s.memory = new(sceneMemory)
	}
	m := s.memory
	if err := m.call.Begin(&s.CallOptions); err != nil {
		return nil, err
	}
	m.sweep.boxes = m.sweep.boxes[:0]
	for i, b := range s.Bodies {
		still := at(&poses[i])
		m.sweep.boxes = append(m.sweep.boxes, swept(b, &still, 0, 0))
	}
	m.sweep.begin(distance)
	workers := make([]gapWorker, m.call.Stats.Threads)
	for i := range workers {
		workers[i].found.Clear(s.MemoryLimit)
	}
	err := m.eachPortion(s, func(worker int, tasks *engine.Tasks) {
		w := &workers[worker]
		for i := range tasks.All() {
			p := m.pairs[i]
			g := SceneGap{A: int64(p.a), B: int64(p.b)}
			w.solved++
			if w.ruler.upTo(s.Bodies[p.a], &poses[p.a], s.Bodies[p.b], &poses[p.b], distance, o, &g.Gap) {
				w.impacts++
				w.found.Add(&g, &m.call.Budget, gapBytes)
			}
			if !m.call.Progress.Pass(1) || m.call.Budget.Over() {
				return
			}
		}
	})
	for i := range workers {
		workers[i].tally.add(&m.call.Stats)
	}
	if err := m.call.End(err); err != nil {
		return nil, err
	}
	all := engine.Gather(workers, func(w *gapWorker) *engine.List[SceneGap] { return &w.found })
	slices.SortFunc(all, func(x, y SceneGap) int { return cmp.Or(cmp.Compare(x.A, y.A), cmp.Compare(x.B, y.B)) })
	return all, nil
}

// upTo measures two bodies that may be at most a distance apart; false: they are farther apart.
func (r *Ruler) upTo(a *Body, pa *geom.Pose, b *Body, pb *geom.Pose, distance float64, o DistanceOptions,
	out *Gap) bool {
	ma, mb := at(pa), at(pb)
	r.still = true
	r.prepare(a, b, &ma, &mb, 0)
	r.measure(o, num.Up(num.AddUp(distance, r.growth().outer)))
	if r.best.ta < 0 {
		if !nested(a, b, &ma, &mb, 0) {
			return false
		}
		r.measure(o, math.Inf(1))
	}
	r.settleNormal()
	r.settle(&ma, &mb, 0)
	r.write(&ma, 0, out)
	return out.Lo <= distance
}

// eachPortion lists the pairs in portions, as many as the memory limit asks for, and tests them.
func (m *sceneMemory) eachPortion(s *Scene, work func(worker int, tasks *engine.Tasks)) error {
	const pairBytes = int64(unsafe.Sizeof(pair{}))
	stats := &m.call.Stats
	stats.Boxes = int64(len(s.Bodies))
	stats.SecondsBuild = m.call.Lap()
	most := math.MaxInt
	if s.MemoryLimit > 0 {
		most = int(max(min(s.MemoryLimit/(pairsShare*uint64(pairBytes)), math.MaxInt32), leastPairs))
	}
	keep, held := s.keep(), 0
	for {
		m.pairs = m.sweep.more(m.pairs, most, keep)
		held = max(held, len(m.pairs))
		stats.SecondsBroad += m.call.Lap()
		m.call.Budget.SetWorking(int64(cap(m.pairs)) * pairBytes)
		if len(m.pairs) == 0 {
			break
		}
		m.call.Progress.Part(int64(len(m.pairs)), float64(m.sweep.at)/float64(len(s.Bodies)))
		tasks := engine.NewTasks(0, len(m.pairs))
		err := m.call.Run(len(m.pairs), func(worker int) { work(worker, tasks) })
		if stats.SecondsNarrow += m.call.Lap(); err != nil {
			return err
		}
	}
	stats.PeakBytes = int64(held)*pairBytes + int64(len(s.Bodies))*int64(unsafe.Sizeof(poses.Box{})+4)
	return nil
}

// checkPoses validates the arguments of Within; the error names the wrong one.
func (s *Scene) checkPoses(list []geom.Pose, distance float64, o *DistanceOptions) error {
	n := len(s.Bodies)
	switch {
	case len(list) != n:
		return status.Errorf(status.ErrArgument, "poses has %d items for %d bodies: the numbers must be equal",
			len(list), n)
	case !(math.Abs(distance) <= MaxMagnitude):
		return fmt.Errorf("distance is %v: %w", distance, poses.ErrMagnitude)
	case distance < 0:
		return status.Errorf(status.ErrArgument, "distance is %v: must not be negative", distance)
	case s.Groups != nil && len(s.Groups) != n:
		return status.Errorf(status.ErrArgument, "groups has %d items for %d bodies: the numbers must be equal",
			len(s.Groups), n)
	}
	if err := o.check(); err != nil {
		return err
	}
	for i := range list {
		m := at(&list[i])
		if err := m.Check(0, 0); err != nil {
			return fmt.Errorf("poses[%d]: %w", i, err)
		}
	}
	for i, p := range s.Skip {
		for k, b := range p {
			if b < 0 || int(b) >= n {
				return status.Errorf(status.ErrIndex, "skip[%d][%d] is %d: out of range for %d bodies", i, k, b, n)
			}
		}
	}
	return nil
}
