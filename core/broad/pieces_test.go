package broad

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"ccd/core/geom"
	"ccd/core/mesh"
)

// exactly is a precision at which sums and halves of doubles of a test are exact.
const exactly = 2600

// exactPoint is a point at both ends of a time.
type exactPoint [2][3]*big.Float

func newExact(x float64) *big.Float { return new(big.Float).SetPrec(exactly).SetFloat64(x) }

// exactVertices returns vertices at the times 0 and t.
func exactVertices(mo *geom.Trajectories, verts []int32, t float64) (out []exactPoint) {
	for _, v := range verts {
		var p exactPoint
		for k := range 3 {
			a, b := newExact(mo.Rec[8*int(v)+k]), newExact(mo.Rec[8*int(v)+4+k])
			way := newExact(0).Sub(b, a)
			p[0][k], p[1][k] = a, newExact(0).Add(a, way.Mul(way, newExact(t)))
		}
		out = append(out, p)
	}
	return out
}

func exactMiddle(a, b exactPoint) (m exactPoint) {
	half := newExact(0.5)
	for end := range 2 {
		for k := range 3 {
			sum := newExact(0).Add(a[end][k], b[end][k])
			m[end][k] = sum.Mul(sum, half)
		}
	}
	return m
}

// quarters divides an edge into halves, and a face into four.
func quarters(x []exactPoint) [][]exactPoint {
	switch len(x) {
	case 2:
		m := exactMiddle(x[0], x[1])
		return [][]exactPoint{{x[0], m}, {m, x[1]}}
	case 3:
		a, b, c := exactMiddle(x[1], x[2]), exactMiddle(x[2], x[0]), exactMiddle(x[0], x[1])
		return [][]exactPoint{{x[0], c, b}, {c, x[1], a}, {b, a, x[2]}, {a, b, c}}
	}
	return [][]exactPoint{x}
}

// provenApart reports whether two primitives stay more than d apart, by the boxes of their parts: in exact arithmetic, and without the code of this
// package. It looks at parts of up to a depth.
func provenApart(a, b []exactPoint, d *big.Float, depth int) bool {
	above := func(x, y []exactPoint, end, k int) bool {
		for i := range x {
			for j := range y {
				if newExact(0).Sub(x[i][end][k], y[j][end][k]).Cmp(d) <= 0 {
					return false
				}
			}
		}
		return true
	}
	for k := range 3 {
		if above(a, b, 0, k) && above(a, b, 1, k) || above(b, a, 0, k) && above(b, a, 1, k) {
			return true
		}
	}
	if depth == 0 {
		return false
	}
	for _, x := range quarters(a) {
		for _, y := range quarters(b) {
			if !provenApart(x, y, d, depth-1) {
				return false
			}
		}
	}
	return true
}

// checkDivided tests the law of pieces.go on a plan: a pair that the filter allows and the plan does not find stays apart, and no pair is found twice,
// or not wanted. It returns how many pairs are found, and how many that boxes along the axes would find are not.
func checkDivided(t *testing.T, name string, m *mesh.Mesh, mo *geom.Trajectories, how PlanOptions) (kept, spared int) {
	t.Helper()
	how.Orient, how.cull = DivideAlways, never
	var p Plan
	if err := p.Build(m, mo, how); err != nil {
		t.Fatal(err)
	}
	if !p.Given() || p.Boxed() || p.Oriented() {
		if len(m.Edges) > 1 && p.how.largest > 0 && name != "all equal" {
			t.Fatalf("%s: the plan has no pieces", name)
		}
		return 0, 0
	}
	found := sweptPairs(&p)
	for _, f := range families(m) {
		second := f.b
		if f.self {
			second = f.a
		}
		has := make(map[[2]int32]bool)
		for _, x := range found[f.kind] {
			if has[x] {
				t.Fatalf("%s, %+v: %v pair %v twice", name, how, f.kind, x)
			}
			has[x] = true
		}
		kept += len(has)
		wanted := 0
		exact := func(of *set) (out [][]exactPoint) {
			for i := range of.n {
				var v [1]int32
				out = append(out, exactVertices(mo, verticesOf(m, of.Shape, of.id(i), &v), how.Until))
			}
			return out
		}
		x, y := exact(&f.a), exact(&second)
		for i := range f.a.n {
			for j := range second.n {
				a, b := f.a.id(i), second.id(j)
				if f.self && a >= b || !m.Filter().Allows(f.kind, a, b) {
					continue
				}
				if has[[2]int32{a, b}] {
					wanted++
					continue
				}
				d := newExact(how.Radii.Pair(f.kind, a, b, how.Separation))
				if provenApart(x[i], y[j], d, 0) {
					continue
				}
				if spared++; !provenApart(x[i], y[j], d, 7) {
					t.Fatalf("%s, %+v: %v pair (%d, %d) is lost", name, how, f.kind, a, b)
				}
			}
		}
		if wanted != len(found[f.kind]) {
			t.Fatalf("%s, %+v: %d %v pairs are not wanted", name, how, len(found[f.kind])-wanted, f.kind)
		}
	}
	return kept, spared
}

// The law of pieces.go: with separations, radii, groups and excluded pairs, at any scale.
func TestDivideLaw(t *testing.T) {
	r := rand.New(rand.NewPCG(85, 86))
	needles := needleScenes(r)
	kept, spared := 0, 0
	for _, s := range append(needles, adversaries()...) {
		m, mo := s.load(t)
		if m.NV > 200 {
			continue
		}
		for i := range 2 {
			setRandomFilter(t, r, m, make([]bool, m.NV))
			if r.IntN(2) == 0 {
				if err := m.SetRadii(randomRadii(r, m, []float64{1e-3, 0.01}[i%2]*sizeOf(&s))); err != nil {
					t.Fatal(err)
				}
			}
			how := PlanOptions{
				Separation: []float64{0, 1e-3, 0.01}[r.IntN(3)] * sizeOf(&s), Radii: m.Filter().Radii(),
				Until: []float64{1, 1, 0.3, 0}[r.IntN(4)], Still: r.IntN(2) == 0, Threads: 1 + r.IntN(3),
			}
			k, n := checkDivided(t, s.name, m, mo, how)
			kept, spared = kept+k, spared+n
			if err := m.SetRadii(nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	if t.Logf("%d pairs kept, %d spared", kept, spared); kept < 1000 || spared < 1000 {
		t.Error("too few for a test")
	}
}

// pieceError bounds what middles lose, in exact arithmetic.
func TestPieceError(t *testing.T) {
	r := rand.New(rand.NewPCG(87, 88))
	for _, scale := range []float64{1, 1e-300, 4e-320, 1e150} {
		for range 50 {
			mo := &geom.Trajectories{N: 3, Rec: make([]float64, 24)}
			largest := 0.0
			for i := range mo.Rec {
				if i%4 < 3 {
					mo.Rec[i] = scale * (1 - 2*r.Float64())
					largest = max(largest, mo.Rec[i], -mo.Rec[i])
				}
			}
			d := &pieces{motion: geom.Trajectories{N: 3, Rec: append([]float64(nil), mo.Rec...)}}
			exact := exactVertices(mo, []int32{0, 1, 2}, 1)
			at, of := [2]int32{0, 1}, [2]exactPoint{exact[0], exact[1]}
			for range pieceDepth {
				i := r.IntN(2)
				at[i], of[i] = d.middle(at[0], at[1]), exactMiddle(of[0], of[1])
				for end := range 2 {
					for k := range 3 {
						off := newExact(d.motion.Rec[8*int(at[i])+4*end+k])
						if off.Sub(off, of[i][end][k]).Abs(off).Cmp(newExact(pieceError(largest))) > 0 {
							t.Fatalf("at %v a middle is off by %v, more than %v", scale, off, pieceError(largest))
						}
					}
				}
			}
		}
	}
}

// Needles of many directions are divided where they are many and crowded, not elsewhere; the pairs do not depend on threads.
func TestDivideWhereItPays(t *testing.T) {
	r := rand.New(rand.NewPCG(89, 90))
	many := make([][3]float64, 6000)
	for i := range many {
		many[i] = [3]float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
	}
	crossed := sheet(60, func(i, j int) (x0, x1 [3]float64) {
		x0 = [3]float64{float64(i - j), float64(i + j), 0.3 * r.Float64()}
		return x0, [3]float64{x0[0], x0[1], 1 - x0[2]}
	})
	for _, x := range []struct {
		scene
		want bool
	}{
		{needleSoup(r, 3000, many, 0, 1e-3), true},
		{needleSoup(r, 500, many, 0, 1e-3), false},
		{needleSoup(r, 3000, [][3]float64{{1, 1, 1}}, 0, 1e-3), false}, // a map suits them
		{needleSoup(r, 3000, [][3]float64{{1, 0, 0}}, 0, 1e-3), false},
		{crossed, false},
	} {
		m, mo := x.load(t)
		var pairs [2]int64
		for i, threads := range []int{1, 3} {
			var p Plan
			if err := p.Build(m, mo, PlanOptions{Until: 1, Orient: OrientIfItPays, Threads: threads}); err != nil {
				t.Fatal(err)
			}
			if p.Given() != x.want {
				t.Errorf("%s, %d edges: divided is %v", x.name, len(m.Edges), p.Given())
			}
			for _, how := range []PlanOptions{{Limit: 1 << 40}, {Changed: make([]bool, m.NV)}, {Slab: &Slab{Axis: 0, Lo: -10, Hi: 10}}} {
				how.Until, how.Orient, how.Threads = 1, OrientIfItPays, threads
				var q Plan
				if err := q.Build(m, mo, how); err != nil || q.Given() {
					t.Errorf("%s: divided with %+v: %v", x.name, how, err)
				}
			}
			pairs[i] = p.Weight()
		}
		if x.want && (pairs[0] != pairs[1] || pairs[0] == 0) {
			t.Errorf("%s: %v pairs", x.name, pairs)
		}
	}
}
