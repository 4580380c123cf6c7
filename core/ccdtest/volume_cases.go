package ccdtest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"ccd/core/mesh"
	"ccd/core/meshfile"
)

// VolumeCase is a step of a volume that is small enough for the oracle to test every pair.
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

// VolumeFamily makes the motion of a volume of unit cells; append new ones at the end and old seeds
// keep their meaning.
type VolumeFamily struct {
	Name  string
	move  func(r *rand.Rand, x0, x1 []float64) // x0 and x1 are where the cells stand
	dense bool                                 // nearly all pairs touch: one cell is enough

	strays bool // vertices that no element has any more, and more of those that none ever had, may be anywhere
}

// VolumeFamilies are all the sorts of motion.
var VolumeFamilies = []VolumeFamily{
	{Name: "shaken", move: func(r *rand.Rand, x0, x1 []float64) { shake(r, x0, 0.3); shake(r, x1, 1) }},
	{Name: "crushed", move: func(r *rand.Rand, x0, x1 []float64) {
		shake(r, x0, 0.01)
		along(x1, 2, func(z float64) float64 { return 0.1 * z })
	}},
	{Name: "inside out", move: func(r *rand.Rand, x0, x1 []float64) {
		shake(r, x0, 0.1)
		along(x1, r.IntN(3), func(z float64) float64 { return 1 - z })
	}},
	{Name: "on a grid", move: func(r *rand.Rand, x0, x1 []float64) {
		shake(r, x0, 1)
		shake(r, x1, 2)
		snap(x0, 0.5)
		snap(x1, 0.5)
	}},
	{Name: "flat at the start", move: func(r *rand.Rand, x0, x1 []float64) {
		shake(r, x1, 1)
		along(x0, 2, func(float64) float64 { return 0 })
	}, dense: true},
	{Name: "flat throughout", move: func(r *rand.Rand, x0, x1 []float64) {
		shake(r, x0, 0.5)
		shake(r, x1, 1)
		along(x0, 1, func(float64) float64 { return 0.5 })
		along(x1, 1, func(float64) float64 { return 0.75 })
	}, dense: true},
	{Name: "to a point", move: func(_ *rand.Rand, _, x1 []float64) { clear(x1) }, dense: true},
	{Name: "all one point", move: func(_ *rand.Rand, x0, x1 []float64) { clear(x0); clear(x1) }, dense: true},
	{Name: "standing still", move: func(r *rand.Rand, x0, x1 []float64) { shake(r, x0, 0.7); copy(x1, x0) }},
	{Name: "far away", move: func(r *rand.Rand, x0, x1 []float64) {
		shake(r, x0, 0.3)
		shake(r, x1, 1)
		shift(1e7, x0, x1)
	}},
	{Name: "common flight", move: func(r *rand.Rand, x0, x1 []float64) {
		shake(r, x0, 0.3)
		shake(r, x1, 1)
		shift(1e4, x1)
	}},
	{Name: "tiny", move: func(r *rand.Rand, x0, x1 []float64) {
		shake(r, x0, 0.3)
		shake(r, x1, 1)
		times(0x1p-300, x0, x1)
	}},
	{Name: "huge", move: func(r *rand.Rand, x0, x1 []float64) {
		shake(r, x0, 0.3)
		shake(r, x1, 1)
		times(0x1p400, x0, x1)
	}},
	{Name: "needles", move: func(r *rand.Rand, x0, x1 []float64) {
		shake(r, x0, 0.3)
		shake(r, x1, 1)
		along(x0, 0, func(x float64) float64 { return 1e6 * x })
		along(x1, 0, func(x float64) float64 { return 1e6 * x })
	}},
	{Name: "mirrored", move: func(r *rand.Rand, x0, x1 []float64) {
		shake(r, x0, 0.2)
		copy(x1, x0)
		along(x1, r.IntN(3), func(x float64) float64 { return -x })
	}},
	{Name: "into a plane", move: func(r *rand.Rand, x0, x1 []float64) {
		shake(r, x0, 0.3)
		shake(r, x1, 1)
		along(x1, r.IntN(3), func(float64) float64 { return 0.25 })
	}, dense: true},
	// All of a body passes it at one time, a double or not.
	{Name: "through a plane", move: func(r *rand.Rand, x0, x1 []float64) {
		copy(x1, x0)
		by := []float64{-0.5, -1, -3}[r.IntN(3)]
		along(x1, r.IntN(3), func(x float64) float64 { return by * x })
	}, dense: true},
	{Name: "into a line", move: func(r *rand.Rand, x0, x1 []float64) {
		shake(r, x0, 0.3)
		axis := r.IntN(3)
		along(x1, axis, func(float64) float64 { return 0.5 })
		along(x1, (axis+1)%3, func(float64) float64 { return -0.125 })
	}, dense: true},
	{Name: "through a point", move: func(_ *rand.Rand, x0, x1 []float64) {
		copy(x1, x0)
		times(-3, x1)
	}, dense: true},
	// Vertex by vertex, as far as there are two bodies alike.
	{Name: "two in one place", move: func(r *rand.Rand, x0, x1 []float64) {
		shake(r, x0, 0.3)
		copy(x1, x0)
		shake(r, x1, 0.3)
		half := len(x0) / 6 * 3
		copy(x0[half:], x0[:half])
		copy(x1[half:], x1[:half])
	}},
	{Name: "by a few units in the last place", move: func(r *rand.Rand, x0, x1 []float64) {
		shake(r, x0, 0.7)
		for i, x := range x0 {
			for x1[i] = x; r.IntN(3) > 0; {
				x1[i] = math.Nextafter(x1[i], float64(2*r.IntN(2)-1)*4)
			}
		}
	}},
	{Name: "far and small", move: func(r *rand.Rand, x0, x1 []float64) {
		shake(r, x0, 0.3)
		shake(r, x1, 1)
		times(1e-4, x0, x1)
		shift(1e8, x0, x1)
	}},
	{Name: "in other units", move: func(r *rand.Rand, x0, x1 []float64) {
		shake(r, x0, 0.3)
		shake(r, x1, 1)
		times(math.Pow(10, float64(12*(2*r.IntN(2)-1))), x0, x1)
	}},
	// Quadrilaterals warp, and edges lie in each other.
	{Name: "warped along a grid", move: func(r *rand.Rand, x0, x1 []float64) {
		snap(x0, 0.5)
		copy(x1, x0)
		axis := r.IntN(3)
		for i := 0; i < len(x1); i += 3 {
			x1[i+axis] -= 3 * x0[i] * x0[i+1] * x0[i+2]
		}
	}, dense: true},
	{Name: "strays", move: func(r *rand.Rand, x0, x1 []float64) { shake(r, x0, 0.3); shake(r, x1, 1) }, strays: true},
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

// NewVolumeCase makes a case of a family: one or two bodies of few cells, of any kinds of element,
// edited now and then.
func NewVolumeCase(f *VolumeFamily, seed uint64) VolumeCase {
	r := rand.New(rand.NewPCG(seed, 0x766f6c))
	var parts []*meshfile.Cells
	bodies, layers := 1+r.IntN(2), 1+r.IntN(2)
	if f.dense {
		bodies, layers = 1, 1
	}
	for i := range bodies {
		first := r.IntN(len(ElementKinds))
		b := Block(1, 1, max(1, layers+1-bodies), func(z int) mesh.Element {
			return ElementKinds[(first+z)%len(ElementKinds)]
		})
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
	if f.strays {
		c.scatter(r, &x0, &x1)
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

// scatter adds vertices that no element has, and moves those that none has any more far away.
func (c *VolumeCase) scatter(r *rand.Rand, x0, x1 *[]float64) {
	if _, err := c.Volume.AddVertices([]int32{0, 0}); err != nil {
		panic(err)
	}
	for len(*x0) < 3*c.Volume.NV {
		*x0, *x1 = append(*x0, 0, 0, 0), append(*x1, 0, 0, 0)
	}
	for i, owner := range c.Volume.VertexOwner {
		if owner < 0 {
			for k := 3 * i; k < 3*i+3; k++ {
				(*x0)[k], (*x1)[k] = math.Ldexp(r.NormFloat64(), 80*r.IntN(5)),
					math.Ldexp(r.NormFloat64(), 80*r.IntN(5))
			}
		}
	}
}
