package ccdtest

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"

	"ccd/core/mesh"
	"ccd/core/meshfile"
)

// Sequence is a volume in motion over some steps, made from nothing: the same in every run. There
// is no response to contact: what meets goes on, through and through, which gives contacts in
// plenty.
type Sequence struct {
	Name  string
	Cells *meshfile.Cells
	Steps int

	// frame is the vertices of Cells at the time s in [0, 1] of the whole motion.
	frame func(s float64) []float64
	// edit changes the topology before a step, and places the new vertices at both ends of it.
	edit func(step int, v *mesh.Volume, x0, x1 []float64) ([]float64, []float64, error)
}

// Run calls step with both frames of every step in turn, after it has edited the volume, which must
// be that of Cells. change runs the edit (under the volume's lock, say).
func (s *Sequence) Run(change func(edit func(v *mesh.Volume) error) error,
	step func(i int, x0, x1 []float64) error) error {
	for i := range s.Steps {
		x0, x1 := s.frame(float64(i)/float64(s.Steps)), s.frame(float64(i+1)/float64(s.Steps))
		if s.edit != nil {
			err := change(func(v *mesh.Volume) (err error) {
				x0, x1, err = s.edit(i, v, x0, x1)
				return err
			})
			if err != nil {
				return err
			}
		}
		if err := step(i, x0, x1); err != nil {
			return err
		}
	}
	return nil
}

// Sequences are all that are made from nothing, at a size: 1 is that of the 2011 paper's scenes,
// smaller ones have that share of the cells along every edge.
func Sequences(size float64) []*Sequence {
	return []*Sequence{Torus(size), Bars(size), Cylinder(size), Octopus(size), Bullet(size)}
}

func share(n int, size float64) int { return max(1, int(math.Round(float64(n)*size))) }

func tetrahedra(int) mesh.Element { return mesh.Tetrahedron }

// morphed is a sequence whose vertices at a time follow from their places in the mesh.
func morphed(name string, cells *meshfile.Cells, at func(s float64, p [3]float64) [3]float64) *Sequence {
	return &Sequence{Name: name, Cells: cells, Steps: 20, frame: func(s float64) []float64 {
		return Moved(cells.Vertices, func(p [3]float64) [3]float64 { return at(s, p) })
	}}
}

// Wring is how a thing along the x axis, in [-1, 1], is wrung: by so many half turns from end to
// end, while its two strands, on the two sides of z = 0, are drawn by some way towards the axis,
// where they meet and go through each other. Within soft of z = 0 the draw is less, so that nothing
// is torn.
type Wring struct{ Turns, Draw, Soft float64 }

// Wrung is a volume that is wrung.
func Wrung(name string, cells *meshfile.Cells, w Wring) *Sequence {
	return morphed(name, cells, func(s float64, p [3]float64) [3]float64 {
		z := p[2] - w.Draw*s*max(0, 1-p[0]*p[0])*max(-1, min(1, p[2]/w.Soft))
		sin, cos := math.Sincos(s * w.Turns * math.Pi / 2 * p[0])
		return [3]float64{p[0], float64(cos*p[1]) - float64(sin*z), float64(sin*p[1]) + float64(cos*z)}
	})
}

// RingWring is for rings of about unit size: one turn, and strands that end up in one another.
var RingWring = Wring{Turns: 2, Draw: 0.75, Soft: 0.4}

// Torus is a ring of 17,280 tetrahedra at size 1, wrung by one turn.
func Torus(size float64) *Sequence {
	around, across := max(4, share(80, size)), share(6, size)
	block := Block(around, across, across, tetrahedra)
	ring := Closed(block, around)
	ring.Vertices = Moved(ring.Vertices, func(p [3]float64) [3]float64 {
		sin, cos := math.Sincos(2 * math.Pi * p[0] / float64(around))
		r := 0.82 + 0.36*(p[1]/float64(across)-0.5)
		return [3]float64{r * cos, 0.36 * (p[2]/float64(across) - 0.5), r * sin}
	})
	return Wrung("torus", ring, RingWring)
}

// Closed joins the end of a block of n cells along x to its beginning.
func Closed(c *meshfile.Cells, n int) *meshfile.Cells {
	first := make(map[[2]float64]int32)
	for i := 0; i < len(c.Vertices); i += 3 {
		if c.Vertices[i] == 0 {
			first[[2]float64(c.Vertices[i+1:])] = int32(i / 3)
		}
	}
	number := make([]int32, len(c.Vertices)/3)
	closed := &meshfile.Cells{Kinds: c.Kinds}
	for i := range number {
		p := c.Vertices[3*i : 3*i+3]
		if p[0] == float64(n) {
			number[i] = number[first[[2]float64(p[1:])]]
			continue
		}
		number[i] = int32(len(closed.Vertices) / 3)
		closed.Vertices = append(closed.Vertices, p...)
	}
	for _, x := range c.Corners {
		closed.Corners = append(closed.Corners, number[x])
	}
	return closed
}

// Bars are two of 24,624 tetrahedra each at size 1, wrung together by two turns.
func Bars(size float64) *Sequence {
	long, across := share(114, size), share(6, size)
	var bars []*meshfile.Cells
	for side := -1.0; side <= 1; side += 2 {
		b := Block(long, across, across, tetrahedra)
		b.Vertices = Moved(b.Vertices, func(p [3]float64) [3]float64 {
			return [3]float64{2*p[0]/float64(long) - 1, 0.1 * (p[1]/float64(across) - 0.5),
				0.08*side + 0.1*(p[2]/float64(across)-0.5)}
		})
		bars = append(bars, b)
	}
	return Wrung("bars", Join(bars...), Wring{Turns: 4, Draw: 0.05, Soft: 0.02})
}

// Cylinder is one of 14,400 tetrahedra at size 1, crushed by 60 % so that it folds.
func Cylinder(size float64) *Sequence {
	across, high := share(10, size), share(24, size)
	c := Block(across, across, high, tetrahedra)
	c.Vertices = Moved(c.Vertices, func(p [3]float64) [3]float64 { // a square becomes a disk
		u, v := 2*p[0]/float64(across)-1, 2*p[1]/float64(across)-1
		return [3]float64{0.5 * u * math.Sqrt(1-v*v/2), p[2] / float64(high), 0.5 * v * math.Sqrt(1-u*u/2)}
	})
	return Crushed("cylinder", c)
}

// Crushed is a volume from y = 0 to y = 1 about the y axis, crushed by 60 %, with folds that grow
// outwards until they lie over each other.
func Crushed(name string, cells *meshfile.Cells) *Sequence {
	const folds = 4 * math.Pi // radians of the wave from end to end
	return morphed(name, cells, func(s float64, p [3]float64) [3]float64 {
		r2 := 4 * (float64(p[0]*p[0]) + float64(p[2]*p[2]))
		sin, cos := math.Sincos(folds * p[1])
		wide := 1 + s*(0.3+0.1*cos)
		return [3]float64{p[0] * wide, p[1]*(1-0.6*s) + 1.5*s*r2*sin/folds, p[2] * wide}
	})
}

// Octopus is a body and eight arms, 72,576 tetrahedra at size 1; the arms curl up by two and a half
// turns, until they close on themselves.
func Octopus(size float64) *Sequence {
	long, across := share(40, size), share(6, size)
	body := Block(share(8, size), share(8, size), share(9, size), tetrahedra)
	nx, nz := float64(share(8, size)), float64(share(9, size))
	body.Vertices = Moved(body.Vertices, func(p [3]float64) [3]float64 {
		return [3]float64{0.5*p[0]/nx - 0.25, 0.5*p[1]/nx - 0.25, 0.5 * p[2] / nz}
	})
	first := int32(len(body.Vertices) / 3)
	parts := []*meshfile.Cells{body}
	for range 8 {
		parts = append(parts, Block(long, across, across, tetrahedra))
	}
	cells := Join(parts...)
	arm := int32((long + 1) * (across + 1) * (across + 1))
	frame := func(s float64) []float64 {
		x := slices.Clone(cells.Vertices)
		for v := first; int(v) < len(x)/3; v++ {
			p := curled(s, [3]float64(x[3*v:]), float64(long), float64(across))
			sin, cos := math.Sincos(float64((v-first)/arm) * math.Pi / 4)
			x[3*v], x[3*v+1], x[3*v+2] = float64(cos*p[0])-float64(sin*p[1]), float64(sin*p[0])+float64(cos*p[1]), p[2]
		}
		return x
	}
	return &Sequence{Name: "octopus", Cells: cells, Steps: 20, frame: frame}
}

// curled places a vertex of an arm: its axis is an arc in the x-z plane that bends as s grows, its
// thickness shrinks to the tip.
func curled(s float64, p [3]float64, long, across float64) [3]float64 {
	l := p[0] / long
	thick := 0.16 * (1 - 0.7*l)
	u, w := thick*(p[1]/across-0.5), thick*(p[2]/across-0.5)
	bend := 10 * math.Pi * s // the bend of the whole arm, which grows towards the tip
	x, z, steps := 0.4, 0.1, 32.0
	for k := range 32 { // along the axis: angle(l) = bend l^2 / 2 at each point
		m := l * (float64(k) + 0.5) / steps
		sin, cos := math.Sincos(bend * m * m / 2)
		x += 1.4 * l / steps * cos
		z += 1.4 * l / steps * sin
	}
	sin, cos := math.Sincos(bend * l * l / 2)
	return [3]float64{x - float64(w*sin), u + 0.05*s*l*l, z + float64(w*cos)}
}

// Bullet is a tilted block of hexahedra, fast, through a plate of hexahedra that cracks around it:
// 12,544 in all at size 1. Before every step some vertices near the bullet are split; what was
// split flies apart, its places at the step's start taken back along its velocity (paper 2011,
// section 6.3).
func Bullet(size float64) *Sequence {
	wide, thick, caliber, long := share(52, size), share(4, size), share(8, size), share(27, size)
	hexahedra := func(int) mesh.Element { return mesh.Hexahedron }
	plate := Block(wide, wide, thick, hexahedra)
	plate.Vertices = Moved(plate.Vertices, func(p [3]float64) [3]float64 {
		return [3]float64{p[0]/float64(wide) - 0.5, p[1]/float64(wide) - 0.5, 0.08 * (p[2]/float64(thick) - 0.5)}
	})
	bullet := Block(caliber, caliber, long, hexahedra)
	sin, cos := math.Sincos(0.2)
	bullet.Vertices = Moved(bullet.Vertices, func(p [3]float64) [3]float64 {
		x, z := 0.13*(p[0]/float64(caliber)-0.5), 0.05+0.44*p[2]/float64(long)
		return [3]float64{float64(cos*x) - float64(sin*z), 0.13 * (p[1]/float64(caliber) - 0.5),
			float64(sin*x) + float64(cos*z)}
	})
	ours := len(plate.Vertices) / 3
	cells := Join(plate, bullet)
	b := &cracks{r: rand.New(rand.NewPCG(7, 7)), plate: int32(len(plate.Kinds)),
		drift: make([][3]float64, len(cells.Vertices)/3)}
	frame := func(s float64) []float64 {
		x := slices.Clone(cells.Vertices)
		for v := ours; v < len(x)/3; v++ {
			x[3*v] += 0.12 * s
			x[3*v+2] -= 0.6 * s
		}
		return x
	}
	return &Sequence{Name: "bullet", Cells: cells, Steps: 20, frame: frame, edit: b.edit}
}

// cracks remembers how fast every vertex of the plate flies.
type cracks struct {
	r     *rand.Rand
	plate int32 // elements of the plate come first
	drift [][3]float64
}

func (c *cracks) edit(step int, v *mesh.Volume, x0, x1 []float64) ([]float64, []float64, error) {
	const reach = 0.14
	for e := range c.plate {
		x := v.Corners(e)[c.r.IntN(8)]
		from := v.Origin[x]
		if len(v.Star(x)) < 2 || math.Hypot(x0[3*from], x0[3*from+1]) > reach*float64(step+1)/20+0.02 {
			continue
		}
		if _, err := v.Split(x, []int32{e}); err != nil {
			return nil, nil, err
		}
		fly := [3]float64{0.02 * (c.r.Float64() - 0.5), 0.02 * (c.r.Float64() - 0.5), -0.03 * c.r.Float64()}
		for k := range fly {
			fly[k] += c.drift[x][k]
		}
		c.drift = append(c.drift, fly)
	}
	for i := len(x0) / 3; i < v.NV; i++ { // New vertices rest since the start, and then move.
		o := 3 * int(v.Origin[i])
		x0, x1 = append(x0, x0[o:o+3]...), append(x1, x1[o:o+3]...)
	}
	for i, d := range c.drift {
		for k, w := range d {
			x1[3*i+k] += w * float64(step+1) / 20
			x0[3*i+k] = x1[3*i+k] - w/20
		}
	}
	return x0, x1, nil
}

// Large are sequences of a few steps at sizes that show how cost grows: a ring of 129,600
// tetrahedra that is wrung, and a sheet of 1,000,000 triangles that is rolled up until its layers
// meet along a band.
func Large() []*Sequence {
	ring := Closed(Block(150, 12, 12, tetrahedra), 150)
	ring.Vertices = Moved(ring.Vertices, func(p [3]float64) [3]float64 {
		sin, cos := math.Sincos(2 * math.Pi * p[0] / 150)
		r := 0.82 + 0.36*(p[1]/12-0.5)
		return [3]float64{r * cos, 0.36 * (p[2]/12 - 0.5), r * sin}
	})
	sheet := Block(1000, 500, 1, func(int) mesh.Element { return mesh.Triangle })
	rolled := morphed("sheet, 1,000,000 shells", sheet, func(s float64, p [3]float64) [3]float64 {
		turn := 6 * math.Pi * p[0] / 1000
		band := max(0, 1-4*math.Abs(p[1]/250-1))
		r := 1 + (1-s*(0.9+0.12*band))*0.02*turn + 2e-4*math.Sin(p[1]+40*turn)
		sin, cos := math.Sincos(turn)
		return [3]float64{r * cos, p[1] / 100, r * sin}
	})
	large := []*Sequence{Wrung("ring, 129,600 tetrahedra", ring, RingWring), rolled}
	for _, q := range large {
		q.Steps = 4
	}
	return large
}

// Collision is two copies of a thing, the second one turned around, that meet at speed along the
// longest axis and squash.
func Collision(name string, one *meshfile.Cells) *Sequence {
	lo, hi := [3]float64(one.Vertices), [3]float64(one.Vertices)
	for i := 0; i < len(one.Vertices); i += 3 {
		for k := range 3 {
			lo[k], hi[k] = min(lo[k], one.Vertices[i+k]), max(hi[k], one.Vertices[i+k])
		}
	}
	axis := 0
	for k := range 3 {
		if hi[k]-lo[k] < hi[axis]-lo[axis] {
			axis = k
		}
	}
	size := hi[axis] - lo[axis]
	other := &meshfile.Cells{Kinds: one.Kinds, Corners: one.Corners}
	// Turned about the next axis, and beside the first.
	other.Vertices = Moved(one.Vertices, func(p [3]float64) [3]float64 {
		p[axis] = 2*hi[axis] - p[axis] + 0.05*size
		p[(axis+2)%3] = lo[(axis+2)%3] + hi[(axis+2)%3] - p[(axis+2)%3]
		return p
	})
	cells := Join(one, other)
	middle := hi[axis] + 0.025*size
	return morphed(name, cells, func(s float64, p [3]float64) [3]float64 {
		side := 1.0
		if p[axis] > middle {
			side = -1
		}
		p[axis] += side * 0.3 * s * size
		p[(axis+1)%3] *= 1 + 0.1*s*math.Sin(8*math.Pi*(p[axis]-lo[axis])/size)
		return p
	})
}

// DataSequences are those made of the meshes in data/volume: the torus wrung, the cylinder crushed,
// armadillos colliding.
func DataSequences(dir string) ([]*Sequence, error) {
	cells := map[string]*meshfile.Cells{}
	for _, name := range []string{"torus4K", "cylinder4K", "Armadillo2.5K", "Armadillo13K"} {
		c, err := meshfile.ReadCells(filepath.Join(dir, name+".vtk"))
		if err != nil {
			return nil, err
		}
		cells[name] = c
	}
	torus, cylinder := cells["torus4K"], cells["cylinder4K"]
	torus.Vertices = Moved(torus.Vertices, func(p [3]float64) [3]float64 { // x to [-1, 1], about
		return [3]float64{1.3 * p[0], 1.3 * p[1], 1.3 * p[2]}
	})
	lo, hi := math.Inf(1), math.Inf(-1)
	for i := 1; i < len(cylinder.Vertices); i += 3 {
		lo, hi = min(lo, cylinder.Vertices[i]), max(hi, cylinder.Vertices[i])
	}
	cylinder.Vertices = Moved(cylinder.Vertices, func(p [3]float64) [3]float64 { // y to [0, 1]
		return [3]float64{p[0], (p[1] - lo) / (hi - lo), p[2]}
	})
	return []*Sequence{
		Wrung("data-torus", torus, RingWring),
		Crushed("data-cylinder", cylinder),
		Collision("armadillos-2.5K", cells["Armadillo2.5K"]),
		Collision("armadillos-13K", cells["Armadillo13K"]),
	}, nil
}
