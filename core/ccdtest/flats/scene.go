// Package flats makes steps of flat meshes at rest on each other, the places at which cloth and
// stacks of boards stand still, and holds the calls of a step to their laws on them: thousands of
// pairs that are exactly as far apart as their separation, coplanar, or a rounding away from it.
package flats

import (
	"fmt"
	"math"
	"math/rand/v2"

	"ccd/core/ccdtest"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/motion"
	"ccd/core/narrow"
	"ccd/core/step"
)

// Scene is a stack of flat grids that slide on each other.
type Scene struct {
	Name   string
	Mesh   *mesh.Mesh
	X0, X1 []float64
	Paths  *motion.Motion // paths of degree 2 or 3 between both ends; nil for a plain step
	D      float64
	Flags  uint32

	Wrong float64 // a factor for the separation of the calls, to see that checks notice it; 0 is none
}

// Make draws a scene of grids of width x width vertices: two or more layers, in the planes of
// coordinates or turned, in either norm, of degree 1 to 3, the layers exactly the separation apart,
// a unit in the last place less or more, coplanar, or within rounding of that.
func Make(r *rand.Rand, width int) (*Scene, error) {
	s := &Scene{D: [...]float64{1e-3, 0.1, 0.25, 1e-3 * r.Float64()}[r.IntN(4)],
		Flags: [...]uint32{0, narrow.MaxNorm}[r.IntN(2)]}
	gap, places := s.D, [...]string{"at the separation", "an ulp nearer", "an ulp farther", "coplanar",
		"coplanar within rounding"}
	place := r.IntN(len(places))
	switch place {
	case 1, 2:
		gap = math.Nextafter(gap, float64(place-1))
	case 3:
		gap, s.D = 0, s.D*float64(r.IntN(2))
	case 4:
		gap, s.D = 1e-16, 0
	}
	layers, degree := 2+r.IntN(2), 1+r.IntN(3)
	turned := r.IntN(2) == 0
	frame := ccdtest.NewFrame(r, turned)
	shift, slide := [2]float64{0.1 * r.Float64(), 0.1 * r.Float64()},
		[2]float64{0.3 * (r.Float64() - 0.5), 0.3 * (r.Float64() - 0.5)}
	if r.IntN(3) == 0 {
		shift, slide = [2]float64{}, [2]float64{} // vertex on vertex, at rest
	}
	var faces []int32
	for layer := range layers {
		for i := range width * width {
			u, v, f := float64(i%width)/float64(width-1), float64(i/width)/float64(width-1), float64(layer)
			a, b := frame.At(u+f*shift[0], v+f*shift[1], f*gap),
				frame.At(u+f*shift[0]+f*slide[0], v+f*shift[1]+f*slide[1], f*gap)
			s.X0, s.X1 = append(s.X0, a[:]...), append(s.X1, b[:]...)
			if k := int32(layer*width*width + i); i%width < width-1 && i/width < width-1 {
				w := int32(width)
				faces = append(faces, k, k+1, k+w, k+1, k+w+1, k+w)
			}
		}
	}
	s.Name = fmt.Sprintf("%d grids of width %d, %s %v, turned %v, norm %v, degree %d", layers, width, places[place],
		s.D, turned, s.Flags, degree)
	var err error
	if s.Mesh, err = mesh.New(len(s.X0)/3, nil, faces); err == nil && degree > 1 {
		s.Paths, err = s.paths(degree, frame.At(0, 0, float64(r.IntN(3)-1)*1e-3))
	}
	return s, err
}

// paths go from X0 to X1 with the middle control points moved by the layer times bow.
func (s *Scene) paths(degree int, bow [3]float64) (*motion.Motion, error) {
	var control []float64
	layer := func(i int) float64 { return math.Floor(2 * float64(i) / float64(len(s.X0))) }
	for l := range degree + 1 {
		t := float64(l) / float64(degree)
		for i := range s.X0 {
			x := s.X0[i] + float64(t*(s.X1[i]-s.X0[i]))
			if l > 0 && l < degree {
				x += layer(i) * bow[i%3]
			}
			control = append(control, x)
		}
	}
	for i := range s.X1 {
		control[degree*len(s.X0)+i] = s.X1[i]
	}
	return motion.New(len(s.X0)/3, degree, nil, control, nil)
}

// options are those of the scene.
func (s *Scene) options(threads int) *step.Options {
	o := step.DefaultOptions()
	o.MinSeparation, o.Flags, o.Threads = s.D, s.Flags, threads
	if s.Wrong > 0 {
		o.MinSeparation *= s.Wrong
	}
	return &o
}

// pair is a pair of the mesh.
type pair struct {
	kind geom.Kind
	a, b int32
}
