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

// less returns a - b.
func less(a, b *big.Float) *big.Float { return newExact(0).Sub(a, b) }

// times returns a b, exactly.
func times(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(4*exactly).Mul(a, b) }

// vectorOf returns the vector from a to b in the middle of the time.
func vectorOf(a, b exactPoint) (v [3]*big.Float) {
	for k := range v {
		v[k] = less(newExact(0).Add(b[0][k], b[1][k]), newExact(0).Add(a[0][k], a[1][k]))
	}
	return v
}

// crossOf returns a vector at right angles to two.
func crossOf(a, b [3]*big.Float) (v [3]*big.Float) {
	for k := range v {
		i, j := (k+1)%3, (k+2)%3
		v[k] = new(big.Float).SetPrec(4*exactly).Sub(times(a[i], b[j]), times(a[j], b[i]))
	}
	return v
}

// directionsOf returns directions along which an edge and an edge, or a vertex and a face, may be
// apart: normals, and directions at right angles to how they move past each other.
func directionsOf(a, b []exactPoint) (out [][3]*big.Float) {
	if len(a) == 2 && len(b) == 3 {
		e := vectorOf(a[0], a[1])
		sides := [][3]*big.Float{vectorOf(b[0], b[1]), vectorOf(b[1], b[2]), vectorOf(b[2], b[0])}
		return [][3]*big.Float{crossOf(sides[0], sides[1]), crossOf(e, sides[0]), crossOf(e, sides[1]),
			crossOf(e, sides[2])}
	}
	if len(a)+len(b) != 4 || len(a) == 3 {
		return nil
	}
	u, v := vectorOf(b[0], b[len(b)-1]), [3]*big.Float{}
	if len(a) == 2 {
		v = vectorOf(a[0], a[1])
	} else {
		v = vectorOf(b[0], b[1])
	}
	var way [3]*big.Float
	for k := range way {
		way[k] = less(less(a[0][1][k], a[0][0][k]), less(b[0][1][k], b[0][0][k]))
	}
	return [][3]*big.Float{crossOf(u, v), crossOf(u, way), crossOf(v, way)}
}

// apartAlong reports whether two primitives keep more than d in the max norm, because of a
// direction n along which they keep more than d |n|_1.
func apartAlong(n [3]*big.Float, a, b []exactPoint, d *big.Float) bool {
	wide := func() *big.Float { return new(big.Float).SetPrec(4 * exactly) }
	most := wide()
	for k := range n {
		most.Add(most, times(d, wide().Abs(n[k])))
	}
	side := 0
	for i := range a {
		for j := range b {
			for end := range 2 {
				x := wide()
				for k := range n {
					x.Add(x, times(n[k], less(a[i][end][k], b[j][end][k])))
				}
				if wide().Abs(x).Cmp(most) <= 0 || side != 0 && x.Sign() != side {
					return false
				}
				side = x.Sign()
			}
		}
	}
	return true
}

// halfTimes returns a primitive in the first and in the second half of the time.
func halfTimes(x []exactPoint) (out [2][]exactPoint) {
	for _, p := range x {
		var m [3]*big.Float
		for k := range m {
			m[k] = times(newExact(0.5), newExact(0).Add(p[0][k], p[1][k]))
		}
		out[0], out[1] = append(out[0], exactPoint{p[0], m}), append(out[1], exactPoint{m, p[1]})
	}
	return out
}

// provenApart reports whether two primitives stay more than d apart in the max norm, by the boxes
// of their parts and by directions: in exact arithmetic, and without the code of this package. It
// looks at parts of space and of time, up to a depth.
func provenApart(a, b []exactPoint, d *big.Float, depth int) bool {
	above := func(x, y []exactPoint, end, k int) bool {
		for i := range x {
			for j := range y {
				if less(x[i][end][k], y[j][end][k]).Cmp(d) <= 0 {
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
	for _, n := range directionsOf(a, b) {
		if apartAlong(n, a, b, d) {
			return true
		}
	}
	if depth%2 == 0 {
		x, y := halfTimes(a), halfTimes(b)
		return provenApart(x[0], y[0], d, depth-1) && provenApart(x[1], y[1], d, depth-1)
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

// checkDivided tests the law of pieces.go on a plan, or on those of three slabs or five regions: a
// pair that is wanted and not found stays apart, and no pair is found twice, or not wanted. It
// returns how many pairs are found, and how many that boxes along the axes would find are not.
func checkDivided(t *testing.T, name string, m *mesh.Mesh, mo *geom.Trajectories, how PlanOptions) (kept, spared int) {
	t.Helper()
	how.Tactic.Orient = DivideAlways
	slabs, regions, fs := []*Slab{nil}, []Region{{}}, families(m)
	if how.Keep.Region != nil {
		regions = randomRegions(rand.New(rand.NewPCG(89, 90)), mo, 5)
	}
	if how.Keep.Slab != nil {
		all := Slabs(m, mo, 3)
		slabs = []*Slab{&all[0], &all[1], &all[2]}
	}
	if how.Input.Intersections {
		fs = intersectionFamilies(m)
	}
	var found [geom.EdgeFace + 1][][2]int32
	for i := range max(len(slabs), len(regions)) {
		how.Keep.Slab = slabs[i%len(slabs)]
		if how.Keep.Region != nil {
			how.Keep.Region = &regions[i]
		}
		var p Plan
		if err := p.Build(m, mo, how); err != nil {
			t.Fatal(err)
		}
		if !p.Given() || p.Boxed() || p.Oriented() {
			if p.edgesWithMost() != nil && p.how.largest > 0 && name != "all equal" {
				t.Fatalf("%s: the plan has no pieces", name)
			}
			return 0, 0
		}
		for k, pairs := range sweptPairs(&p) {
			found[k] = append(found[k], pairs...)
		}
	}
	for _, f := range fs {
		second := f.b
		if f.self {
			second = f.a
		}
		has := make(map[[2]int32]bool)
		for _, x := range found[f.kind] {
			if has[x] {
				t.Fatalf("%s, %v: %v pair %v twice", name, how.Input.Until, f.kind, x)
			}
			has[x] = true
		}
		kept += len(has)
		wanted := 0
		exact := func(of *set) (out [][]exactPoint) {
			for i := range of.n {
				var v [1]int32
				out = append(out, exactVertices(mo, verticesOf(m, of.Shape, of.id(i), &v), how.Input.Until))
			}
			return out
		}
		x, y := exact(&f.a), exact(&second)
		shapes := f.kind.Info().Shapes
		for i := range f.a.n {
			for j := range second.n {
				a, b := f.a.id(i), second.id(j)
				if f.self && a >= b || !m.Filter().Allows(f.kind, a, b) {
					continue
				}
				if how.Keep.Changed != nil && !touched(m, how.Keep.Changed, shapes[0], a) &&
					!touched(m, how.Keep.Changed, shapes[1], b) {
					continue
				}
				if has[[2]int32{a, b}] {
					wanted++
					continue
				}
				d := newExact(how.Input.Radii.Pair(f.kind, a, b, how.Input.Separation))
				if d.Add(d, newExact(how.Tactic.Farther)); provenApart(x[i], y[j], d, 0) {
					continue
				}
				if spared++; !provenApart(x[i], y[j], d, 13) {
					t.Fatalf("%s, separation %v, until %v: %v pair (%d, %d) is lost", name, how.Input.Separation,
						how.Input.Until, f.kind, a, b)
				}
			}
		}
		if wanted != len(found[f.kind]) {
			t.Fatalf("%s, until %v: %d %v pairs are not wanted", name, how.Input.Until, len(found[f.kind])-wanted,
				f.kind)
		}
	}
	return kept, spared
}

// The law of pieces.go: with separations, radii, groups and excluded pairs, static and changed
// vertices, slabs, regions and intersection tests, at any scale.
func TestDivideLaw(t *testing.T) {
	r := rand.New(rand.NewPCG(85, 86))
	needles := needleScenes(r)
	kept, spared, rounds := 0, 0, 2
	if !testing.Short() {
		rounds = 6
	}
	for _, s := range append(needles, adversaries()...) {
		m, mo := s.load(t)
		if m.NV > 200 {
			continue
		}
		for i := range rounds {
			static := make([]bool, m.NV)
			if r.IntN(2) == 0 {
				static = randomStatic(r, &s)
			}
			setRandomFilter(t, r, m, static)
			how := PlanOptions{
				Input: Input{Separation: []float64{0, 1e-3, 0.01}[r.IntN(3)] * sizeOf(&s),
					Until: []float64{1, 1, 0.3, 0}[r.IntN(4)], Still: r.IntN(2) == 0},
				Tactic: Tactic{Farther: []float64{0, 0, 1e-3}[r.IntN(3)] * sizeOf(&s),
					cull: []when{never, always}[r.IntN(2)]},
				Work: Work{Threads: 1 + r.IntN(3)},
			}
			switch r.IntN(4) {
			case 0:
				how.Input.Intersections, how.Input.Until, how.Input.Still, how.Input.AtRest = true, 0, true, true
			case 1:
				how.Keep.Changed = make([]bool, m.NV)
				for v := range how.Keep.Changed {
					how.Keep.Changed[v] = r.IntN(4) == 0
				}
			case 2:
				how.Keep.Slab = new(Slab)
			case 3:
				how.Keep.Region = new(Region)
			}
			if r.IntN(2) == 0 {
				if err := m.SetRadii(randomRadii(r, m, []float64{1e-3, 0.01}[i%2]*sizeOf(&s))); err != nil {
					t.Fatal(err)
				}
			}
			how.Input.Radii = m.Filter().Radii()
			k, n := checkDivided(t, s.name, m, mo, how)
			kept, spared = kept+k, spared+n
			if err := m.SetRadii(nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	if t.Logf("%d pairs kept, %d spared", kept, spared); kept < 500*rounds || spared < 500*rounds {
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

// Needles of many directions are divided where they are many and crowded, not elsewhere; the pairs
// do not depend on threads.
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
			if err := p.Build(m, mo, PlanOptions{Input: Input{Until: 1}, Tactic: Tactic{Orient: OrientIfItPays},
				Work: Work{Threads: threads}}); err != nil {
				t.Fatal(err)
			}
			if p.Given() != x.want {
				t.Errorf("%s, %d edges: divided is %v", x.name, len(m.Edges), p.Given())
			}
			var q Plan
			if err := q.Build(m, mo, PlanOptions{Input: Input{Until: 1}, Work: Work{Threads: threads}}); err != nil {
				t.Fatal(err)
			}
			for _, bands := range []*Bands{nil, new(Bands)} {
				q.how.Input.Bands = bands
				if size := q.pieceSize(); x.want && (size > 0) != (bands == nil) {
					t.Errorf("%s: bands %v: pieces of the size %v", x.name, bands != nil, size)
				}
			}
			pairs[i] = p.Weight()
		}
		if x.want && (pairs[0] != pairs[1] || pairs[0] == 0) {
			t.Errorf("%s: %v pairs", x.name, pairs)
		}
	}
}
