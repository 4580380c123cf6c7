package ccdtest

import (
	"math"
	"slices"

	"ccd/core/mesh"
	"ccd/core/meshfile"
)

// MoreSequences are those of the 2011 paper's scenes that have several bodies or shells, at a size
// as in Sequences.
func MoreSequences(size float64) []*Sequence {
	return []*Sequence{ThreeOctopuses(size), Airbag(size)}
}

// ThreeOctopuses are of 217,728 tetrahedra at size 1. They stand in a triangle, one above the
// other, each turned a little, and sink into one plane while their arms curl, so that arms of one
// meet arms of the others.
func ThreeOctopuses(size float64) *Sequence {
	one := Octopus(size)
	frame := func(s float64) (x []float64) {
		for k, still := range [3]float64{0, 1, 2} {
			sin, cos := math.Sincos(0.3 * still)
			away, at := math.Sincos(2 * math.Pi * still / 3)
			// The arms curl at different speeds.
			y := Moved(one.frame(s*(1-0.15*still)), func(p [3]float64) [3]float64 {
				return [3]float64{
					float64(cos*p[0]) - float64(sin*p[1]) + 1.1*at, float64(sin*p[0]) + float64(cos*p[1]) + 1.1*away,
					p[2] + 0.6*float64(k)*(1-s),
				}
			})
			x = append(x, y...)
		}
		return x
	}
	return &Sequence{Name: "three octopuses", Cells: Join(one.Cells, one.Cells, one.Cells), Steps: one.Steps,
		frame: frame}
}

// Airbag is a bag of 9,248 quadrilateral shells at size 1, folded into eight pleats, which unfolds
// and swells over a wheel of hexahedra: the pleats press against one another, and the bag against
// the wheel.
func Airbag(size float64) *Sequence {
	n := max(8, share(68, size))
	bag, sides, places := bag(n)
	around := max(8, share(60, size))
	wheel := Closed(Block(around, 2, 2, func(int) mesh.Element { return mesh.Hexahedron }), around)
	wheel.Vertices = Moved(wheel.Vertices, func(p [3]float64) [3]float64 {
		sin, cos := math.Sincos(2 * math.Pi * p[0] / float64(around))
		r := 0.55 + 0.05*p[1]
		return [3]float64{r * cos, r * sin, -0.42 + 0.05*p[2]}
	})
	frame := func(s float64) []float64 {
		x := make([]float64, 0, len(bag.Vertices)+len(wheel.Vertices))
		for i, uv := range places {
			p := unfolded(s, uv, sides[i])
			x = append(x, p[:]...)
		}
		return append(x, wheel.Vertices...)
	}
	bag.Vertices = frame(0)[:len(bag.Vertices)]
	return &Sequence{Name: "airbag", Cells: Join(bag, wheel), Steps: 20, frame: frame}
}

// bag is two sheets of n x n quadrilaterals that share their border. It also tells of every vertex
// the side, 1 or -1, 0 on the border, and the place in [-1, 1]^2.
func bag(n int) (cells *meshfile.Cells, sides []float64, places [][2]float64) {
	cells = new(meshfile.Cells)
	number := make(map[[3]int]int32)
	at := func(x, y, side int) int32 {
		if x == 0 || y == 0 || x == n || y == n {
			side = 0
		}
		key := [3]int{x, y, side}
		v, ok := number[key]
		if !ok {
			v = int32(len(places))
			number[key] = v
			sides = append(sides, float64(side))
			places = append(places, [2]float64{2*float64(x)/float64(n) - 1, 2*float64(y)/float64(n) - 1})
		}
		return v
	}
	for side := -1; side <= 1; side += 2 {
		for y := range n {
			for x := range n {
				quad := []int32{at(x, y, side), at(x+1, y, side), at(x+1, y+1, side), at(x, y+1, side)}
				shared := slices.ContainsFunc(quad, func(v int32) bool { return sides[v] != 0 })
				if !shared { // a corner of the bag, which both sheets would have
					continue
				}
				cells.Kinds, cells.Corners = append(cells.Kinds, mesh.Quadrilateral), append(cells.Corners, quad...)
			}
		}
	}
	cells.Vertices = make([]float64, 3*len(places))
	return cells, sides, places
}

// unfolded places a point of the bag at the time s: pleats along u that open, and a thickness that
// swells.
func unfolded(s float64, uv [2]float64, side float64) [3]float64 {
	const pleats = 8
	tilt := (1 - s) * 80 * math.Pi / 180
	sin, cos := math.Sincos(tilt)
	phase := (uv[0] + 1) * pleats / 2 // one unit a pleat
	k := math.Floor(phase)
	up := 1 - 2*math.Mod(k, 2) // the way the pleat goes
	ridge := phase - k
	if up < 0 {
		ridge = 1 - ridge
	}
	thick := side * (0.004 + 0.5*s*(1-uv[0]*uv[0])*(1-uv[1]*uv[1]))
	return [3]float64{
		uv[0]*cos - thick*up*sin, uv[1], 2.0/pleats*(ridge-0.5)*sin + thick*cos,
	}
}
