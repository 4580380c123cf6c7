package step

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ccd/core/ccdtest/long"
	"ccd/core/geom"
	"ccd/core/motion"
	"ccd/core/step/curved"
)

// leastOf is the least coordinate of the control points of a primitive along an axis: the minimum
// by which a slab of a motion owns pairs.
func (s *motionScene) leastOf(of geom.Shape, id int64, axis int) float64 {
	vertices := []int32{int32(id)}
	switch of {
	case geom.Edge:
		vertices = s.m.Edges[id][:]
	case geom.Face:
		vertices = s.m.Faces[id][:]
	}
	least, n := math.Inf(1), s.m.NV
	control := s.mo.Control()
	for row := 0; row < len(control); row += 3 * n {
		for _, v := range vertices {
			least = math.Min(least, control[row+3*int(v)+axis])
		}
	}
	return least
}

// Slabs of a motion own each pair once, by the control points, whatever the sections and the memory
// limit: together they have the impacts of all pairs, bit for bit.
func TestMotionSlabsPartThePairs(t *testing.T) {
	long.Test(t)
	owned, empty := 0, 0
	eachMotion(t, 51, 4, func(t *testing.T, r *rand.Rand, s *motionScene, o Options) {
		want := everyPair(t, s, &o, nil)
		for _, n := range []int{1, 2, 7} {
			lo, hi := curved.Corners(s.mo)
			slabs := slabsOf(t, s.m, lo, hi, n)
			for _, sections := range []bool{false, true} {
				label := fmt.Sprintf("%s, %d slabs, sections %v", s.name, n, sections)
				var all []geom.Impact
				least, size := noImpact(), o.TMax
				for i := range slabs {
					with := o
					with.Region = &slabs[i]
					of := func() partImpacts { return impactsOfPart(t, s, &with, n == 7) }
					var part partImpacts
					if sections {
						part = inSections(of)
					} else {
						part = of()
					}
					for _, im := range part.all {
						shapes := im.Kind.Info().Shapes
						for axis := range 3 {
							at := math.Max(s.leastOf(shapes[0], im.A, axis), s.leastOf(shapes[1], im.B, axis))
							if !(slabs[i].Lo[axis] <= at && at < slabs[i].Hi[axis]) {
								t.Fatalf("%s: region %+v has a pair whose larger minimum is %v", label, slabs[i], at)
							}
						}
					}
					if len(part.all) == 0 {
						empty++
					}
					all, size = append(all, part.all...), math.Min(size, part.size)
					if part.first.Before(&least) {
						least = part.first
					}
				}
				slices.SortFunc(all, compare)
				sameImpacts(t, label, all, want)
				if !sameEarliest(least, want) {
					t.Fatalf("%s: the earliest is %+v", label, least)
				}
				if whole := must[float64](t)(Curved(s.m, s.mo).Size(&o)); size != whole {
					t.Fatalf("%s: size %v, of the step %v", label, size, whole)
				}
				owned += len(all)
			}
		}
	})
	if owned < 2000 || empty < 20 {
		t.Errorf("%d impacts, %d slabs without any", owned, empty)
	}
}

// partImpacts is what the calls on a slab return.
type partImpacts struct {
	all   []geom.Impact
	first geom.Impact
	size  float64
}

// impactsOfPart runs the calls on a slab, which the options select; limited ones have a memory
// limit that cuts the slab again.
func impactsOfPart(t *testing.T, s *motionScene, o *Options, limited bool) (out partImpacts) {
	t.Helper()
	out.all = must[[]geom.Impact](t)(Curved(s.m, s.mo).Collisions(o))
	if limited {
		with := *o
		with.MemoryLimit = 1
		o = &with
	}
	out.first = must[geom.Impact](t)(Curved(s.m, s.mo).Earliest(o))
	out.size = must[float64](t)(Curved(s.m, s.mo).Size(o))
	return out
}

// Paths that run along the axis of the slabs for many times their length, and turn: what a slab
// owns is far from it for most of the time.
func TestMotionSlabsOfPathsThatLeaveThem(t *testing.T) {
	r := rand.New(rand.NewPCG(52, 31))
	contacts := 0
	n := long.Part(6, 2)
	for i := range n {
		s := soup(t, "slow", 60, func() float64 { return 2*r.Float64() - 1 }, 0.1)
		ms := bent(t, r, &s, 2+i%3, 1+i%2, 0.02)
		control := slices.Clone(ms.mo.Control()) // all vertices go along x by 40 and back, on one path
		for row := 0; row < len(control); row += 3 * s.m.NV {
			l := row / (3 * s.m.NV) % (ms.mo.Degree() + 1)
			if l == 0 || l == ms.mo.Degree() {
				continue
			}
			for v := range s.m.NV {
				control[row+3*v] += 40
			}
		}
		ms.mo = must[*motion.Motion](t)(motion.New(s.m.NV, ms.mo.Degree(), ms.mo.Times(), control, nil))
		for _, d := range []float64{0, 0.01} {
			o := DefaultOptions()
			o.MinSeparation, o.Threads = d, 1+i%2
			want := must[[]geom.Impact](t)(Curved(ms.m, ms.mo).Collisions(&o))
			contacts += len(want)
			cuts := []float64{math.Inf(-1), -0.2, 0.3, 30, math.Inf(1)}
			for _, axis := range []int{0, 1} {
				var all []geom.Impact
				for j := range len(cuts) - 1 {
					with := o
					with.Region = alongAxis(axis, cuts[j], cuts[j+1])
					all = append(all, inSections(func() []geom.Impact {
						return must[[]geom.Impact](t)(Curved(ms.m,
							ms.mo).Collisions(&with))
					})...)
				}
				slices.SortFunc(all, compare)
				sameImpacts(t, fmt.Sprintf("%s, axis %d, separation %v", ms.name, axis, d), all, want)
			}
		}
	}
	if contacts < 500*n/6 {
		t.Errorf("only %d contacts", contacts)
	}
}

// A motion of degree 1 with one piece has the impacts of the plain step in each region.
func TestMotionRegionsOfDegreeOne(t *testing.T) {
	r := rand.New(rand.NewPCG(53, 32))
	s := soup(t, "soup", 40, func() float64 { return 2*r.Float64() - 1 }, 1)
	linear := linearScene(t, &s)
	regions := slabsOf(t, s.m, s.x0, s.x1, 5)
	for i := range regions {
		o := DefaultOptions()
		o.Region = &regions[i]
		a := must[[]geom.Impact](t)(Collisions(s.m, s.x0, s.x1, &o))
		b := must[[]geom.Impact](t)(Curved(s.m, linear.mo).Collisions(&o))
		sameImpacts(t, fmt.Sprint("region ", i), b, a)
	}
}
