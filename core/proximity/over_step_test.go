package proximity

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"ccd/core/bound"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/narrow"
)

// leastOfAll is LeastDistance by single calls for all pairs.
func leastOfAll(t *testing.T, q *LeastQuery) geom.LeastDistance {
	t.Helper()
	least, f, s := geom.LeastDistance{A: -1, B: -1, Lo: math.Inf(1), Hi: math.Inf(1)}, q.Mesh.Filter(),
		narrow.NewSolver()
	var mo geom.Trajectories
	if err := q.Mesh.Load(&mo, q.X0, q.X1); err != nil {
		t.Fatal(err)
	}
	for _, p := range products(q.Mesh, false) {
		shapes := p.kind.Info().Shapes
		for _, a := range p.a {
			for _, b := range p.b {
				if p.self && b <= a || !f.Allows(p.kind, a, b) {
					continue
				}
				var x [24]float64
				v := q.Mesh.Indices(p.kind, a, b)
				mo.Query(p.kind, &v, &x)
				var d geom.LeastDistance
				r := [2]float64{f.Radii().Of(shapes[0], a), f.Radii().Of(shapes[1], b)}
				s.LeastWithin(p.kind, x[:p.kind.Len()], r, q.Bracket, math.Inf(1), q.TMax, &d)
				if d.A, d.B = int64(a), int64(b); least.Kind == 0 || d.Compare(&least) < 0 {
					least = d
				}
			}
		}
	}
	return least
}

// twoSheets returns a step of two sheets above each other, a gap apart, the upper of which moves by
// d, and both by common.
func twoSheets(t *testing.T, r *rand.Rand, n int, gap float64, d, common [3]float64) *LeastQuery {
	t.Helper()
	noise := min(0.1*gap, 0.05)
	faces, x0 := sheet(n, func(int, int) float64 { return 0 })
	one := len(x0) / 3
	for i := range one {
		x0 = append(x0, x0[3*i]+0.3, x0[3*i+1]+0.2, gap)
	}
	for _, f := range faces[:len(faces):len(faces)] {
		faces = append(faces, f+int32(one))
	}
	x1 := make([]float64, len(x0))
	for i := range x0 {
		x0[i] += noise * (2*r.Float64() - 1)
		if x1[i] = x0[i] + common[i%3] + noise*(2*r.Float64()-1); i >= 3*one {
			x1[i] += d[i%3]
		}
	}
	m, err := mesh.New(2*one, nil, faces)
	if err != nil {
		t.Fatal(err)
	}
	return &LeastQuery{Mesh: m, X0: x0, X1: x1, TMax: 1, Bracket: narrow.LeastShare * narrow.Extent(x0, x1)}
}

// The result is that of all pairs in every bit but the lower end, which bounds them all, whether a
// sweep or the trees find it, and for any number of threads.
func TestLeastDistanceByEveryRoute(t *testing.T) {
	usual := manyCompared
	defer func() { manyCompared = usual }()
	r := rand.New(rand.NewPCG(31, 32))
	byKind := map[geom.Kind]int{}
	for i, gap := range []float64{0.01, 0.06, 0.3, 1.2, 4} {
		for j, d := range [][3]float64{{}, {0, 0, -0.5 * gap}, {7, 2, 0}, {-9, 3, -0.6 * gap}, {1, 0, 2}} {
			q := twoSheets(t, r, 5, gap, d, [3]float64{float64(5 * (j % 2)), 0, 30 * float64(i%2)})
			q.TMax = []float64{1, 1, 0.6, 0}[r.IntN(4)]
			if i == 4 || r.IntN(2) == 0 {
				if err := q.Mesh.SetComponentGroups(); err != nil {
					t.Fatal(err)
				}
			}
			if r.IntN(2) == 0 {
				radius := make([]float64, q.Mesh.NV)
				for v := range radius {
					radius[v] = 0.03 * min(gap, 1) * r.Float64()
				}
				if err := q.Mesh.SetRadii(radius); err != nil {
					t.Fatal(err)
				}
			}
			want := leastOfAll(t, q)
			byKind[want.Kind]++
			for _, manyCompared = range []int64{-1, usual} {
				for threads := 1; threads <= 3; threads += 2 {
					got, err := LeastDistance(q, &Options{CallOptions: engine.CallOptions{Threads: threads}})
					low := got.Lo // the lowest bound of all pairs that were measured
					if got.Lo = want.Lo; err != nil || got != want || low > want.Lo || low < want.Hi-q.Bracket {
						t.Errorf("gap %v, motion %v, %d threads: %+v, %v; all pairs %+v",
							gap, d, threads, got, err, want)
					}
				}
			}
		}
	}
	if byKind[geom.VertexFace] < 4 || byKind[geom.EdgeEdge] < 4 {
		t.Errorf("the nearest pairs are %v", byKind)
	}
}

// Sheets that move together measure no more pairs than sheets at rest, though their boxes over the
// step overlap.
func TestLeastDistanceOfWhatMovesTogether(t *testing.T) {
	count := func(common [3]float64) (pairs int64) {
		q := twoSheets(t, rand.New(rand.NewPCG(33, 34)), 20, 4, [3]float64{}, common)
		if err := q.Mesh.SetComponentGroups(); err != nil {
			t.Fatal(err)
		}
		var stats engine.Stats
		got, err := LeastDistance(q, &Options{CallOptions: engine.CallOptions{Threads: 1, Stats: &stats}})
		if err != nil || !(got.Lo > 3) || got.Kind == 0 {
			t.Fatal(got, err)
		}
		for _, n := range stats.Candidates {
			pairs += n
		}
		return pairs
	}
	still, moving := count([3]float64{}), count([3]float64{20, 30, 40})
	if moving > 2*still || still > 5000 {
		t.Errorf("%d pairs of sheets that move together, %d of sheets at rest", moving, still)
	}
}

// pointBox holds the point, and squareOver is at most the squared distance at any time.
func TestBoxesOverAStep(t *testing.T) {
	r := rand.New(rand.NewPCG(35, 36))
	rat := func(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }
	at := func(x, y, s float64) *big.Rat {
		d := new(big.Rat).Sub(rat(y), rat(x))
		return d.Add(d.Mul(d, rat(s)), rat(x))
	}
	random := func() (v geom.Vec) {
		e := r.IntN(60) - 40
		if r.IntN(8) == 0 {
			e = -1060 - r.IntN(14)
		}
		for k := range v {
			v[k] = math.Ldexp(2*r.Float64()-1, e+r.IntN(4))
		}
		return v
	}
	tight := 0
	for range 4000 {
		end := []float64{1, r.Float64(), 0x1p-30 * r.Float64(), 0}[r.IntN(4)]
		s := end * r.Float64()
		var ends [2][2]geom.Vec   // the ends of the paths of two points
		var boxes [2][2]bound.Box // the boxes of each point at times 0 and end
		square := new(big.Rat)    // the square of the points' distance at time s
		for i := range 2 {
			ends[i] = [2]geom.Vec{random(), random()}
			for e, time := range [2]float64{0, end} {
				boxes[i][e] = pointBox(&ends[i][0], &ends[i][1], time)
				for k := range 3 {
					x := at(ends[i][0][k], ends[i][1][k], time)
					if b := &boxes[i][e]; rat(b.Min[k]).Cmp(x) > 0 || rat(b.Max[k]).Cmp(x) < 0 {
						t.Fatalf("%v at %v: [%v, %v]", ends[i], time, b.Min[k], b.Max[k])
					}
				}
			}
		}
		for k := range 3 {
			d := at(ends[0][0][k], ends[0][1][k], s)
			d.Sub(d, at(ends[1][0][k], ends[1][1][k], s))
			square.Add(square, d.Mul(d, d))
		}
		got := squareOver(&boxes[0][0], &boxes[0][1], &boxes[1][0], &boxes[1][1])
		bound := rat(math.Max(0, got*(1-8*0x1p-53)-0x1p-1000))
		if bound.Cmp(square) > 0 {
			t.Fatalf("%v, [0, %v]: %v at %v", ends, end, got, s)
		}
		if f, _ := square.Float64(); got > 0.5*f {
			tight++
		}
	}
	if tight < 400 {
		t.Errorf("%d bounds are tight", tight)
	}
}
