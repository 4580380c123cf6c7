package proximity

import (
	"slices"
	"unsafe"

	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/status"
)

// Intersection is a pair of primitives that share a point. Its layout is that of ccd_intersection:
// 24 bytes, no hidden padding.
type Intersection struct {
	Kind     geom.Kind // EdgeFace: a an edge, b a face; else as in geom.Impact
	Reserved int32
	A, B     int64
}

// listedBytes is the memory of an intersection until the list is returned: as found, as sorted, and
// in the list.
const listedBytes = keyBytes + sortBytes + int(unsafe.Sizeof(Intersection{}))

// Intersections returns every pair of m that intersects where its vertices are at x (row-major,
// m.NV x 3 doubles), sorted by (kind, a, b), edge-face pairs first. The package's doc lists the
// pairs that are tested.
func Intersections(m *mesh.Mesh, x []float64, o *Options) ([]Intersection, error) {
	s, err := start(m, x, o)
	if err != nil {
		return nil, err
	}
	defer s.end()
	s.lists = true
	s.Progress.Reserve()
	if err := s.inside.use(s, false, true); err != nil {
		return nil, err
	}
	err = s.eachIntersection(func(w *worker, k geom.Kind, a, b int32) {
		w.near[k-1].keys.Add(&pairKey{a, b}, &s.Budget, listedBytes)
	})
	if err != nil {
		return nil, err
	}
	all, err := s.gatherIntersections()
	if err != nil {
		return nil, err
	}
	if err := s.finish(len(all)); err != nil {
		return nil, err
	}
	return all, nil
}

// gatherIntersections merges the pairs of all workers, edge-face pairs first.
func (s *scan) gatherIntersections() (all []Intersection, err error) {
	kinds, total := append([]geom.Kind{geom.EdgeFace}, geom.StepKinds[:]...), 0
	for _, w := range s.workers {
		for k := range w.near {
			total += w.near[k].keys.Len()
		}
	}
	if total > 0 {
		all = make([]Intersection, total)
	}
	s.Progress.List(total)
	out := all
	for _, k := range kinds {
		err = s.eachInOrder(k, func(at int, keys []sortKey) {
			for i, x := range keys {
				out[at+i] = Intersection{Kind: k, A: int64(x.a), B: int64(x.b)}
			}
		})
		if err != nil {
			return nil, err
		}
		for _, w := range s.workers {
			out = out[w.near[k-1].keys.Len():]
		}
	}
	return all, nil
}

// Intersects reports whether there is any intersection, and stops at the first it finds.
func Intersects(m *mesh.Mesh, x []float64, o *Options) (bool, error) {
	s, err := start(m, x, o)
	if err != nil {
		return false, err
	}
	defer s.end()
	err = s.eachIntersection(func(*worker, geom.Kind, int32, int32) { s.stop.Store(true) })
	if err != nil {
		return false, err
	}
	found := 0
	if s.stop.Load() {
		found = 1
	}
	if err := s.finish(found); err != nil {
		return false, err
	}
	return found == 1, nil
}

// eachIntersection calls emit for every pair that intersects, on the thread that finds it.
func (s *scan) eachIntersection(emit func(w *worker, k geom.Kind, a, b int32)) error {
	handle := func(w *worker, k geom.Kind, pairs [][2]int32) {
		s.eachTouching(w, k, pairs, nil, func(i int) bool {
			emit(w, k, pairs[i][0], pairs[i][1])
			return !s.stop.Load()
		})
	}
	if err := s.hinged(handle); err != nil || s.stop.Load() {
		return err
	}
	return s.all(0, true, handle)
}

// hinged passes the hinged pairs to the handler.
func (s *scan) hinged(handle handler) error {
	filter := s.m.Filter()
	vf, ee := s.m.Hinged()
	for k, list := range map[geom.Kind][][2]int32{geom.VertexFace: vf, geom.EdgeEdge: ee} {
		for part := range slices.Chunk(list, 2048) {
			part = slices.DeleteFunc(slices.Clone(part), func(p [2]int32) bool { return !filter.Allows(k, p[0], p[1]) })
			s.handle(s.workers[0], k, part, handle)
			if !s.Progress.Pass(0) {
				return status.ErrCancelled
			}
			if s.stop.Load() || s.Budget.Over() {
				return s.Budget.Err()
			}
		}
	}
	return nil
}

// eachTouching decides exactly which pairs of a block share a point, and calls found for each of
// them, in order, until it returns false. wanted, if not nil, may skip a pair.
func (s *scan) eachTouching(w *worker, k geom.Kind, pairs [][2]int32, wanted, found func(i int) bool) {
	if k == geom.EdgeFace {
		if w.places != nil {
			o := &s.inside.ordered
			w.resolver.EachCrossing(&o.Motion, o.Order.Edges, o.Order.Faces, w.places, wanted,
				func(i int, _ bool) bool {
					return found(i)
				})
			return
		}
		w.resolver.EachCrossing(&s.mo, s.m.Edges, s.m.Faces, pairs, wanted, func(i int, _ bool) bool {
			return found(i)
		})
		return
	}
	for i, p := range pairs {
		if wanted != nil && !wanted(i) {
			continue
		}
		v := s.m.Indices(k, p[0], p[1])
		s.mo.Query(k, &v, &w.query)
		if w.touching(k, w.query[:k.Len()]) && !found(i) {
			return
		}
	}
}

// touching decides whether a pair of any other kind shares a point; q is a query of points at rest.
func (w *worker) touching(k geom.Kind, q []float64) bool {
	var im geom.Impact
	w.resolver.Resolve(k, q, 1, &im)
	return im.Verdict == geom.Contact
}
