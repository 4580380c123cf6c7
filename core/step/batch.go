package step

import (
	"fmt"
	"slices"

	"ccd/core/broad"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/narrow"
	"ccd/core/status"
)

// EarliestBatch writes the earliest impact of each of several worlds to out: of the same mesh, at
// other positions. World i has the coordinates from 3 m.NV i on of x0 and x1.
//
// Law: out[i] has the bits of Earliest for these coordinates. Workers take one world after the
// other; where there are fewer worlds than threads, the threads of a world are those that remain.
// A memory limit holds for each world, which are then computed in turn. Options.Stats add up all
// worlds. An error names the first world that has one.
func EarliestBatch(m *mesh.Mesh, x0, x1 []float64, out []geom.Impact, o *Options) error {
	b, err := beginBatch(m, x0, x1, len(out), o)
	if err != nil {
		return err
	}
	if done, err := b.onDevice(x0, x1, out); done || err != nil {
		return b.call.End(err)
	}
	n, small := 3*m.NV, searchesWorlds(&b.own) && broad.WorldsPay(m, x0, x1, len(out))
	return b.run(func() batchWorker {
		s := newWorldSearch(m, &b.own, small)
		world := func(i int, stats *engine.Stats) (err error) {
			out[i], err = s.earliest(x0[n*i:n*(i+1)], x1[n*i:n*(i+1)])
			stats.Add(&s.counted)
			return err
		}
		return batchWorker{world, s.end}
	})
}

// batch is a call on several worlds, which its workers take one after the other.
type batch struct {
	m       *mesh.Mesh
	own     Options // those of the search of a world
	call    engine.Call
	workers int
	count   int // worlds
}

// batchWorker is what a worker does: world computes world i and adds up what it counted.
type batchWorker struct {
	world func(i int, stats *engine.Stats) error
	end   func()
}

// beginBatch checks the coordinates of count worlds and begins a call.
func beginBatch(m *mesh.Mesh, x0, x1 []float64, count int, o *Options) (*batch, error) {
	b := &batch{m: m, own: orDefault(o), count: count}
	for i, x := range [][]float64{x0, x1} {
		if n := 3 * m.NV; len(x) != n*count {
			return nil, status.Errorf(status.ErrArgument, "x%d has %d coordinates; %d worlds of %d vertices have %d",
				i, len(x), count, m.NV, n*count)
		}
	}
	if err := b.call.Begin(&b.own.CallOptions); err != nil {
		return nil, err
	}
	threads := b.own.Workers()
	b.workers = max(1, min(threads, count))
	if b.own.MemoryLimit != 0 {
		b.workers = 1
	}
	b.own.Threads, b.own.Progress = max(1, threads/b.workers), nil
	b.call.Progress.Part(int64(count), 1)
	return b, nil
}

// onDevice computes the impacts on the device of the options. Where there is none, or it fails, the
// CPU has to.
func (b *batch) onDevice(x0, x1 []float64, out []geom.Impact) (done bool, err error) {
	if b.own.Device != nil {
		done, err = onDevice(b.m, x0, x1, out, &b.own, &b.call)
		b.own.Device = nil
	}
	return done, err
}

// run has each worker take one world after the other, and ends the call.
func (b *batch) run(open func() batchWorker) error {
	stats, errs := make([]engine.Stats, b.workers), make([]error, b.count)
	tasks := engine.NewTasks(0, b.count)
	err := b.call.Run(b.workers, func(w int) {
		worker := open()
		defer worker.end()
		for i := range tasks.All() {
			if errs[i] = worker.world(i, &stats[w]); errs[i] != nil {
				tasks.Stop()
			}
			if !b.call.Progress.Pass(1) {
				return
			}
		}
	})
	if i := slices.IndexFunc(errs, func(err error) bool { return err != nil }); i >= 0 && err == nil {
		err = fmt.Errorf("world %d: %w", i, errs[i])
	}
	for i := range stats {
		b.call.Stats.Add(&stats[i])
	}
	b.call.Stats.Threads = int32(b.workers) * int32(b.own.Threads)
	return b.call.End(err)
}

// searchesWorlds reports whether broad.Worlds may find the pairs of a call: all of them, for a
// method whose result does not depend on the route.
func searchesWorlds(o *Options) bool {
	return o.Unique() && o.MemoryLimit == 0 && o.Region == nil && o.Candidates == nil && !o.CheckStart &&
		o.between == nil && o.Flags&narrow.BruteForce == 0
}

// worldSearch is the search of a worker for the impacts of one world after the other.
//
// Of small worlds most of the time of Earliest is that of its plan and of what a call begins and
// ends with. So one call and one search serve for all worlds of a worker, and broad.Worlds finds
// their pairs. The rest is that of Earliest: the pairs that it leaves out do not come within their
// separation, so by the argument there the answer is the same.
type worldSearch struct {
	m       *mesh.Mesh
	o       Options
	small   bool
	counts  bool         // statistics are wanted
	counted engine.Stats // those of the last world
	c       *call        // the call of small worlds; nil before the first
	least   *least       // its search
}

func newWorldSearch(m *mesh.Mesh, o *Options, small bool) *worldSearch {
	s := &worldSearch{m: m, o: *o, small: small, counts: o.Stats != nil}
	if s.counts {
		s.o.Stats = &s.counted
	}
	return s
}

// earliest returns the earliest impact of a world.
func (s *worldSearch) earliest(x0, x1 []float64) (geom.Impact, error) {
	s.counted = engine.Stats{}
	if s.small {
		if im, ok, err := s.ofSmall(x0, x1); ok || err != nil {
			return im, err
		}
	}
	return Earliest(s.m, x0, x1, &s.o)
}

// begin loads a world, for the first one into a new call. It returns false where broad.Worlds does
// not serve.
func (s *worldSearch) begin(x0, x1 []float64) (bool, error) {
	if s.c != nil {
		if err := s.m.Load(&s.c.memory.segments, x0, x1); err != nil {
			return false, err
		}
		return true, s.c.o.CheckScene(x0, x1)
	}
	o := s.o
	o.Threads, o.Stats = 1, nil
	c, err := start(s.m, x0, x1, &o)
	if err != nil {
		return false, err
	}
	if !c.memory.worlds.Use(s.m, broad.Input{Separation: o.MinSeparation, Radii: c.radii, Until: o.TMax}) {
		c.end()
		s.small = false
		return false, nil
	}
	s.c, s.least = c, newLeast(c)
	c.workers[0].solver.Boxed = true
	return true, nil
}

// ofSmall is Earliest of a small world. ok is false where broad.Worlds does not serve.
func (s *worldSearch) ofSmall(x0, x1 []float64) (im geom.Impact, ok bool, err error) {
	if ok, err = s.begin(x0, x1); !ok || err != nil {
		return noImpact(), false, err
	}
	c, l := s.c, s.least
	w := c.workers[0]
	l.bound.Set(c.o.TMax)
	w.best, w.ties, w.pairs = noImpact(), 0, [geom.EdgeFace]int64{}
	ok = c.memory.worlds.Each(&c.memory.segments, func(k geom.Kind, pairs [][2]int32) {
		w.pairs[k-1] += int64(len(pairs))
		w.of, w.idx = &c.memory.segments, s.m.Gather(k, pairs, w.idx)
		l.block(w, k, pairs)
	})
	if !ok {
		return noImpact(), false, nil
	}
	im = l.result()
	if s.counts {
		s.counted = engine.Stats{Boxes: c.Stats.Boxes, Plans: 1, Threads: 1, PeakBytes: c.heldBytes()}
		copy(s.counted.Candidates[:], w.pairs[:])
		s.counted.Count(im.Verdict != geom.Separate, im.Verdict == geom.Undecided)
	}
	return im, true, nil
}

// end ends the call of small worlds.
func (s *worldSearch) end() {
	if s.c != nil {
		s.c.end()
	}
}
