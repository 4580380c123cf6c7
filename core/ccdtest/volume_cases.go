package ccdtest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"ccd/core/mesh"
)

// VolumeCase is a step of a small volume, small enough for the exact judge to be asked about every pair.
type VolumeCase struct {
	Family string
	Seed   uint64
	Volume *mesh.Volume
	X0, X1 []float64
	D      float64 // minimum separation
	TMax   float64
}

func (c *VolumeCase) String() string {
	return fmt.Sprintf("volume %s, seed %d, d = %v, t_max = %v", c.Family, c.Seed, c.D, c.TMax)
}

// VolumeFamily makes the motion of a volume of unit cells; append new ones at the end and old seeds keep their meaning.
type VolumeFamily struct {
	Name  string
	move  func(r *rand.Rand, x0, x1 []float64) // x0 and x1 are where the cells stand
	dense bool                                 // nearly all pairs touch: one cell is enough
}

// VolumeFamilies are all the sorts of motion.
var VolumeFamilies = []VolumeFamily{
	{"shaken", func(r *rand.Rand, x0, x1 []float64) { shake(r, x0, 0.3); shake(r, x1, 1) }, false},
	{"crushed", func(r *rand.Rand, x0, x1 []float64) {
		shake(r, x0, 0.01)
		along(x1, 2, func(z float64) float64 { return 0.1 * z })
	}, false},
	{"inside out", func(r *rand.Rand, x0, x1 []float64) {
		shake(r, x0, 0.1)
		along(x1, r.IntN(3), func(z float64) float64 { return 1 - z })
	}, false},
	{"on a grid", func(r *rand.Rand, x0, x1 []float64) { shake(r, x0, 1); shake(r, x1, 2); snap(x0, 0.5); snap(x1, 0.5) }, false},
	{"flat at the start", func(r *rand.Rand, x0, x1 []float64) {
		shake(r, x1, 1)
		along(x0, 2, func(float64) float64 { return 0 })
	}, true},
	{"flat throughout", func(r *rand.Rand, x0, x1 []float64) {
		shake(r, x0, 0.5)
		shake(r, x1, 1)
		along(x0, 1, func(float64) float64 { return 0.5 })
		along(x1, 1, func(float64) float64 { return 0.75 })
	}, true},
	{"to a point", func(_ *rand.Rand, _, x1 []float64) { clear(x1) }, true},
	{"all one point", func(_ *rand.Rand, x0, x1 []float64) { clear(x0); clear(x1) }, true},
	{"standing still", func(r *rand.Rand, x0, x1 []float64) { shake(r, x0, 0.7); copy(x1, x0) }, false},
	{"far away", func(r *rand.Rand, x0, x1 []float64) { shake(r, x0, 0.3); shake(r, x1, 1); shift(1e7, x0, x1) }, false},
	{"common flight", func(r *rand.Rand, x0, x1 []float64) { shake(r, x0, 0.3); shake(r, x1, 1); shift(1e4, x1) }, false},
	{"tiny", func(r *rand.Rand, x0, x1 []float64) { shake(r, x0, 0.3); shake(r, x1, 1); times(0x1p-300, x0, x1) }, false},
	{"huge", func(r *rand.Rand, x0, x1 []float64) { shake(r, x0, 0.3); shake(r, x1, 1); times(0x1p400, x0, x1) }, false},
	{"needles", func(r *rand.Rand, x0, x1 []float64) {
		shake(r, x0, 0.3)
		shake(r, x1, 1)
		along(x0, 0, func(x float64) float64 { return 1e6 * x })
		along(x1, 0, func(x float64) float64 { return 1e6 * x })
	}, false},
	{"mirrored", func(r *rand.Rand, x0, x1 []float64) {
		shake(r, x0, 0.2)
		copy(x1, x0)
		along(x1, r.IntN(3), func(x float64) float64 { return -x })
	}, false},
}

func shake(r *rand.Rand, x []float64, by float64) {
	for i := range x {
		x[i] += float64(by * (r.Float64() - 0.5))
	}
}

func snap(x []float64, grid float64) {
	for i := range x {
		x[i] = math.Round(x[i]/grid) * grid
	}
}

func along(x []float64, axis int, f func(float64) float64) {
	for i := axis; i < len(x); i += 3 {
		x[i] = f(x[i])
	}
}

func shift(by float64, frames ...[]float64) {
	for _, x := range frames {
		for i := range x {
			x[i] += by * float64(1+i%3)
		}
	}
}

func times(f float64, frames ...[]float64) {
	for _, x := range frames {
		for i := range x {
			x[i] *= f
		}
	}
}

// NewVolumeCase makes a case of a family: one or two bodies of few cells, of any kinds of element, edited now and then.
func NewVolumeCase(f *VolumeFamily, seed uint64) VolumeCase {
	r := rand.New(rand.NewPCG(seed, 0x766f6c))
	var parts []*mesh.Cells
	bodies, layers := 1+r.IntN(2), 1+r.IntN(2)
	if f.dense {
		bodies, layers = 1, 1
	}
	for i := range bodies {
		first := r.IntN(len(ElementKinds))
		b := Block(1, 1, max(1, layers+1-bodies), func(z int) mesh.Element { return ElementKinds[(first+z)%len(ElementKinds)] })
		shift(0.5*float64(i)*r.Float64(), b.Vertices)
		parts = append(parts, b)
	}
	cells := Join(parts...)
	v, err := cells.Volume()
	if err != nil {
		panic(err) // Block makes sound topology
	}
	c := VolumeCase{Family: f.Name, Seed: seed, Volume: v, TMax: 1}
	x0, x1 := slices.Clone(cells.Vertices), slices.Clone(cells.Vertices)
	f.move(r, x0, x1)
	if r.IntN(2) == 0 {
		for range 1 + r.IntN(3) {
			_ = RandomEdit(r, v, true) // some are refused
		}
	}
	for len(x0) < 3*v.NV {
		from := 3 * int(v.Origin[len(x0)/3])
		x0, x1 = append(x0, x0[from:from+3]...), append(x1, x1[from:from+3]...)
		x1[len(x1)-1-r.IntN(3)] += 0.25 * (x1[0] - x1[3]) // a crack that opens
	}
	c.X0, c.X1 = x0, x1
	if r.IntN(3) == 0 {
		c.D = math.Abs(x0[0]-x0[3]) / 64
	}
	if r.IntN(4) == 0 {
		c.TMax = r.Float64()
	}
	return c
}
