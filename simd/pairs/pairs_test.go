package pairs

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"ccd/simd/box"
)

// rods returns a mesh of n edges that share some vertices, and its vertices.
func rods(r *rand.Rand, n int) (rec []float64, m *Mesh) {
	m = new(Mesh)
	for range n {
		var x [8]float64
		for k := range 3 {
			x[k] = math.Round(8*r.Float64()) / 4
			x[4+k] = x[k] + math.Round(4*r.Float64()-2)/8
		}
		rec = append(rec, x[:]...)
		m.Group = append(m.Group, int32(r.IntN(9))-1)
		m.Static = append(m.Static, uint8(r.IntN(2)))
	}
	for i := range int32(n) {
		m.Edges = append(m.Edges, i, int32(r.IntN(n)))
		m.Faces = append(m.Faces, i, int32(r.IntN(n)), int32(r.IntN(n)))
	}
	return rec, m
}

// The lists have each pair of all that the rules allow, once; and a part of a list is that part.
func TestListsAreAllPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 1))
	total := 0
	for trial := range 60 {
		copies := 1 + trial%3
		n := copies * (1 + r.IntN(60/copies))
		rec, m := rods(r, n)
		m.Worlds, m.Vertices = copies, n
		space := Space{VertexMap: box.VertexMap{Scale: 0.5, T: []float64{1, 0.3}[trial%2], Order: [8]int32{2, 0, 1}},
			Inflation: float64(trial%3) / 100}
		if space.T == 1 && trial%4 == 0 {
			space.Exact = true
		}
		if trial%5 == 0 {
			space.Slab = &Slab{Axis: trial % 3, Lo: 0.3, Hi: 1.1}
		}
		width := float32(1 + r.IntN(3))
		grid := Grid{box.CellGrid{Lo: [2]float32{0, 0.1}, Inv: [2]float32{4 / width, 5}, Max: [2]float32{3, 4}},
			[2]int{4, 5}}
		one := Grid{N: [2]int{1, 1}}
		families := func(g Grid) []Family {
			most := int64(1 << 40)
			return []Family{
				{A: Set{Width: 1, N: n}, B: Set{Width: 3, N: n}, Grid: g, Most: most},
				{A: Set{Width: 2, N: n}, Self: true, Grid: g, Most: most, Excluded: []uint64{1<<32 | 2, 3<<32 | 5}},
			}
		}
		var p, q Plan
		p.Begin(rec, m, &space)
		q.Begin(rec, m, &space)
		for i := range families(grid) {
			p.Add(&families(grid)[i])
			q.Add(&families(one)[i])
		}
		for i, s := range p.Passes {
			got := make([][2]int32, s.Total)
			s.Pairs(0, got)
			if from := s.Total / 3; s.Total > 3 {
				part := make([][2]int32, s.Total-from-1)
				if s.Pairs(from, part); !slices.Equal(part, got[from:s.Total-1]) {
					t.Fatalf("trial %d, list %d: a part from %d differs", trial, i, from)
				}
			}
			var want [][2]int32 // A grid of one cell compares each query with each target.
			w := q.Passes[i]
			for a := range w.Query.Boxes {
				for b := range w.Target.Boxes {
					x, y := &w.Query.Boxes[a], &w.Target.Boxes[b]
					u, v := x.Min(0), y.Min(0)
					if s.Mode == Itself && b > a || s.Mode == Second && v >= u || s.Mode == First && v > u {
						home := int(x.ID&^Static) / (n / copies) // The copies follow each other, and each has one cell.
						if home == int(y.ID&^Static)/(n/copies) && w.counts(x, y, home) {
							want = append(want, w.pair(x, y))
						}
					}
				}
			}
			order := func(a, b [2]int32) int { return slices.Compare(a[:], b[:]) }
			slices.SortFunc(got, order)
			slices.SortFunc(want, order)
			if !slices.Equal(got, want) {
				t.Fatalf("trial %d, list %d: %d pairs, want %d", trial, i, len(got), len(want))
			}
			total += len(got)
		}
	}
	if total < 5000 {
		t.Errorf("%d pairs: the test shows little", total)
	}
}

func TestAddUp(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 2))
	for range 100000 {
		a, b := math.Ldexp(r.Float64()-0.5, r.IntN(80)-40), math.Ldexp(r.Float64(), r.IntN(80)-40)
		if r.IntN(8) == 0 {
			b = math.Nextafter(math.Abs(a), float64(r.IntN(3)-1))
		}
		sum := new(big.Rat).Add(new(big.Rat).SetFloat64(a), new(big.Rat).SetFloat64(b))
		got := addUp(a, b)
		below := math.Nextafter(got, math.Inf(-1))
		if new(big.Rat).SetFloat64(got).Cmp(sum) < 0 || new(big.Rat).SetFloat64(below).Cmp(sum) >= 0 {
			t.Fatalf("%v + %v is %v upwards", a, b, got)
		}
	}
}

// Every coordinate lies in the ends of its box, whatever the device does with denormal floats.
func TestEndsHoldTheVertices(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 3))
	for range 20000 {
		rec := make([]float64, 8)
		size := math.Ldexp(1, r.IntN(300)-200)
		for i := range rec {
			rec[i] = size * (2*r.Float64() - 1)
		}
		s := Space{VertexMap: box.VertexMap{Scale: 1 / size, T: 1, Order: [8]int32{0, 1, 2}}, Error: size * 0x1p-50,
			Inflation: size * r.Float64() * float64(r.IntN(2))}
		for k := range 3 {
			e := s.ends(rec, []int32{0}, k)
			for end := range 2 {
				x := rec[4*end+k] / size
				d := s.Inflation / size
				if float64(e[end]) > x-d-0x1p-124 || float64(-e[2+end]) < x+d+0x1p-124 {
					t.Fatalf("%v +- %v is not in [%v, %v]", x, d, e[end], -e[2+end])
				}
			}
		}
	}
}
