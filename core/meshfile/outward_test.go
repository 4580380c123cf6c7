package meshfile

import (
	"ccd/core/mesh"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// rationalSign is volume.sign in rational numbers, with corners of a side of four divided in both
// ways.
func rationalSign(v *volume) int {
	at := func(node int32, k int) *big.Rat { return new(big.Rat).SetFloat64(v.x[3*int(node)+k]) }
	total := new(big.Rat)
	add := func(weight int64, nodes ...int32) {
		det := new(big.Rat)
		for i := range 3 {
			j, k := (i+1)%3, (i+2)%3
			first := new(big.Rat).Mul(at(nodes[1], j), at(nodes[2], k))
			second := new(big.Rat).Mul(at(nodes[1], k), at(nodes[2], j))
			det.Add(det, new(big.Rat).Mul(at(nodes[0], i), first.Sub(first, second)))
		}
		total.Add(total, det.Mul(det, big.NewRat(weight, 1)))
	}
	from := 0
	for _, to := range v.ends {
		p := v.corners[from:to]
		from = to
		if len(p) == 4 {
			add(1, p[0], p[1], p[2])
			add(1, p[0], p[2], p[3])
			add(1, p[0], p[1], p[3])
			add(1, p[1], p[2], p[3])
			continue
		}
		for i := 2; i < len(p); i++ {
			add(2, p[0], p[i-1], p[i])
		}
	}
	return total.Sign()
}

// TestSignsOfVolumesAreExact compares with rational numbers, for solids that are nearly flat.
func TestSignsOfVolumesAreExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	seen := map[int]int{}
	for kind, sides := range solidSides {
		v := volume{}
		for _, side := range sides {
			for _, corner := range side {
				v.corners = append(v.corners, int32(corner))
			}
			v.ends = append(v.ends, len(v.corners))
		}
		for range 300 {
			v.x = make([]float64, 3*kind.Corners())
			scale := math.Ldexp(1, []int{-1060, -600, -160, -40, 0, 30, 400, 1000}[rng.IntN(8)])
			for i := range v.x {
				v.x[i] = float64(rng.IntN(4)) * scale
				if i%3 == 2 {
					v.x[i] = v.x[i-1] + v.x[i-2]
				}
			}
			for range rng.IntN(3) {
				i := rng.IntN(len(v.x))
				v.x[i] = math.Nextafter(v.x[i], v.x[i]+rng.NormFloat64()*scale)
			}
			got, want := v.sign(), rationalSign(&v)
			if got != want {
				t.Fatalf("%v at %v: the sign of the volume is %d, must be %d", kind, v.x, got, want)
			}
			seen[got]++
		}
	}
	if seen[-1] < 100 || seen[0] < 100 || seen[1] < 100 {
		t.Errorf("signs were %v: some hardly occur", seen)
	}
	v := volume{x: []float64{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, math.NaN()},
		corners: []int32{0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2}, ends: []int{3, 6, 9, 12}}
	if got := v.sign(); got != 0 {
		t.Errorf("a corner that is NaN has the sign %d, must be 0", got)
	}
}

// TestSidesGoAroundAlike checks the tables: in each solid each edge of two sides has both
// directions.
func TestSidesGoAroundAlike(t *testing.T) {
	check := func(name any, sides [][]uint8) {
		count := map[[2]uint8]int{}
		for _, side := range sides {
			for i, v := range side {
				count[[2]uint8{v, side[(i+1)%len(side)]}]++
			}
		}
		for edge, n := range count {
			if n != 1 || count[[2]uint8{edge[1], edge[0]}] != 1 {
				t.Errorf("%v: the edge %v occurs %d times, and %d times backwards", name, edge, n,
					count[[2]uint8{edge[1], edge[0]}])
			}
		}
	}
	for kind, sides := range solidSides {
		check(kind, sides)
	}
	for kind, shape := range curvedKinds {
		if len(shape.faces) > 1 {
			var sides [][]uint8
			for _, face := range shape.faces {
				sides = append(sides, face[:3+len(face)/8])
			}
			check(kind, sides)
		}
	}
}

// directedOnce reports whether the triangles close: each directed edge once, and once backwards.
func directedOnce(faces [][3]int32) bool {
	count := map[[2]int32]int{}
	for _, f := range faces {
		for i := range 3 {
			count[[2]int32{f[i], f[(i+1)%3]}]++
		}
	}
	for edge, n := range count {
		if n != 1 || count[[2]int32{edge[1], edge[0]}] != 1 {
			return false
		}
	}
	return true
}

// TestBoundariesGoAroundOutward has tetrahedra of order 1, of which one is flat, in any order of
// their corners, and a polyhedron whose faces go around in any direction.
func TestBoundariesGoAroundOutward(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		c := &Cells{Vertices: []float64{0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0.5, 0.5, 1, 0.5, 0.5, -1}}
		for _, corners := range [][]int32{{0, 1, 2, 5}, {0, 2, 3, 5}, {0, 1, 2, 3}, {0, 1, 3, 4}} {
			rng.Shuffle(4, func(i, j int) { corners[i], corners[j] = corners[j], corners[i] })
			c.Kinds = append(c.Kinds, mesh.Tetrahedron)
			c.Corners = append(c.Corners, corners...)
		}
		list := []int32{4}
		for _, face := range [][]int32{{1, 2, 3}, {1, 2, 4}, {2, 3, 4}, {1, 3, 4}} {
			rng.Shuffle(3, func(i, j int) { face[i], face[j] = face[j], face[i] })
			list = append(append(list, 3), face...)
		}
		if err := c.addCurved(vtkPolyhedron, list, false); err != nil {
			t.Fatal(err)
		}
		s, err := c.surface()
		if err != nil {
			t.Fatal(err)
		}
		volume := 0.0
		for _, f := range s.Faces {
			a, b, c := vec(s.Vertices[3*f[0]:]), vec(s.Vertices[3*f[1]:]), vec(s.Vertices[3*f[2]:])
			for i := range 3 {
				volume += a[i] * (float64(b[(i+1)%3]*c[(i+2)%3]) - float64(b[(i+2)%3]*c[(i+1)%3])) / 6
			}
		}
		if !directedOnce(s.Faces) || math.Abs(volume-2./3) > 1e-12 {
			t.Fatalf("faces %v of corners %v: volume %v, must be closed and 2/3", s.Faces, c.Corners, volume)
		}
	}
}

// TestFacesThatDoNotCloseStay has polyhedra with a face missing, and with a band of one side.
func TestFacesThatDoNotCloseStay(t *testing.T) {
	for _, list := range [][]int32{
		{3, 3, 0, 1, 2, 3, 0, 1, 3, 3, 1, 2, 3},
		{3, 4, 0, 1, 2, 3, 4, 2, 3, 4, 5, 4, 4, 5, 0, 1},
	} {
		before := slices.Clone(list)
		new(faces).alike(list)
		if !slices.Equal(list, before) {
			t.Errorf("faces %v became %v, must stay", before, list)
		}
	}
}
