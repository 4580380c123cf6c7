package broad

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"ccd/core/ccdtest/long"
	"ccd/core/geom"
	"ccd/core/mesh"
)

// needleSoup is n rods and n thin triangles, which move or turn, of some directions, and some
// points beside them.
func needleSoup(r *rand.Rand, n int, directions [][3]float64, spread, way float64) scene {
	s := scene{name: "needles", edges: []int32{}}
	vertex := func(x, move [3]float64) int32 {
		for k := range x {
			s.x0, s.x1 = append(s.x0, x[k]), append(s.x1, x[k]+move[k])
		}
		s.nv++
		return int32(s.nv - 1)
	}
	around := func(x [3]float64, by float64) [3]float64 {
		for k := range x {
			x[k] += by * r.NormFloat64()
		}
		return x
	}
	for i := range 2 * n {
		d := around(directions[r.IntN(len(directions))], spread)
		length := 0.2 + r.Float64()
		a := [3]float64{r.Float64(), r.Float64(), r.Float64()}
		b, c := a, a
		for k := range b {
			b[k] += length * d[k]
			c[k] += 0.4 * length * d[k]
		}
		move := around([3]float64{}, way)
		v, w := vertex(a, move), vertex(b, around(move, way*float64(r.IntN(2)))) // half of them turn
		if s.edges = append(s.edges, v, w); i%2 == 0 {
			u := vertex(around(c, 0.01), move)
			s.edges = append(s.edges, w, u, u, v)
			s.faces = append(s.faces, v, w, u)
		}
		if i%8 == 0 {
			vertex(around(c, 0.1), move)
		}
	}
	return s
}

// needleScenes are soups of one direction, of three and of any, and far from the origin, tiny and
// huge.
func needleScenes(r *rand.Rand) (out []scene) {
	any := make([][3]float64, 40)
	for i := range any {
		any[i] = [3]float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
	}
	for i, directions := range [][][3]float64{
		{{1, 1, 1}}, {{1, -1, 0.5}, {-1, 2, 1}}, {{1, 1, 1}, {1, -1, 1}, {-1, 1, 1}}, {{1, 1, 1}, {1, 1.3, 1.1}}, any,
	} {
		s := needleSoup(r, 30, directions, []float64{0, 1e-3, 0.1}[r.IntN(3)], []float64{0, 0.01, 0.2}[r.IntN(3)])
		scale, shift := []float64{1, 1e-300, 1e140, 1e-6, 3}[i], []float64{0, 0, 0, 1e6, -1e4}[r.IntN(5)]
		for j := range s.x0 {
			s.x0[j], s.x1[j] = scale*(s.x0[j]+shift), scale*(s.x1[j]+shift)
		}
		s.name = fmt.Sprintf("needles of %d directions at %g", len(directions), scale)
		out = append(out, s)
	}
	return out
}

// product is a row times a vertex at time t, exactly.
func product(row *[3]float64, mo *geom.Trajectories, v int32, t *big.Rat) *big.Rat {
	sum := new(big.Rat)
	for k, c := range row {
		a, b := new(big.Rat).SetFloat64(mo.Rec[8*int(v)+k]), new(big.Rat).SetFloat64(mo.Rec[8*int(v)+4+k])
		b.Sub(b, a).Mul(b, t).Add(b, a)
		sum.Add(sum, b.Mul(b, new(big.Rat).SetFloat64(c)))
	}
	return sum
}

// farAlong reports whether the vertices a lie above the vertices b by more than d along a row, at
// time t: in exact arithmetic, but where floats leave no doubt.
func farAlong(row *[3]float64, mo *geom.Trajectories, a, b []int32, t, d float64) bool {
	along := func(v int32) (x, size float64) {
		r := mo.Rec[8*int(v) : 8*int(v)+8]
		for k, c := range row {
			x += c * (r[k] + t*(r[4+k]-r[k]))
			size += math.Abs(c) * (math.Abs(r[k]) + math.Abs(r[4+k]))
		}
		return x, size
	}
	exactTime, distance := new(big.Rat).SetFloat64(t), new(big.Rat).SetFloat64(d)
	for _, v := range a {
		for _, w := range b {
			x, m := along(v)
			y, n := along(w)
			if doubt := 1e-14*(m+n+d) + 1e-320; math.Abs(x-y-d) > doubt {
				if x-y < d {
					return false
				}
				continue
			}
			gap := product(row, mo, v, exactTime)
			if gap.Sub(gap, product(row, mo, w, exactTime)).Cmp(distance) <= 0 {
				return false
			}
		}
	}
	return true
}

// proof returns the direction along which a pair stays apart by more than d over [0, t]: a row of
// the map from 0 on, an axis from 3 on, or -1.
func proof(p *Plan, mo *geom.Trajectories, a, b []int32, t, d float64) int {
	rows := [6][3]float64{3: {1, 0, 0}, 4: {0, 1, 0}, 5: {0, 0, 1}}
	if m := p.space.Map; p.Oriented() {
		copy(rows[:], m.Rows()[:])
	}
	for i := range rows {
		row := &rows[i]
		if farAlong(row, mo, a, b, 0, d) && farAlong(row, mo, a, b, t, d) || farAlong(row, mo, b, a, 0, d) &&
			farAlong(row, mo, b, a, t, d) {
			return i
		}
	}
	return -1
}

// checkOriented tests the law of orient.go on a plan: a pair that it does not find stays apart by
// more than its separation along a row of the map, or along an axis where primitives are left out;
// and no pair is found twice, or not wanted. It returns the number of pairs that rows alone prove
// apart.
func checkOriented(t *testing.T, name string, m *mesh.Mesh, mo *geom.Trajectories, how PlanOptions) (byRows int) {
	t.Helper()
	how.Tactic.Orient = OrientAlways
	var p Plan
	if err := p.Build(m, mo, how); err != nil {
		t.Fatal(err)
	}
	found, least := sweptPairs(&p), minima(m, mo)
	fs := families(m)
	if how.Input.Intersections {
		fs = intersectionFamilies(m)
	}
	for _, f := range fs {
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
		wanted := 0
		for i := range f.a.n {
			for j := range second.n {
				a, b := f.a.id(i), second.id(j)
				corner := cornerOf(&least, f.kind, a, b)
				if f.self && a >= b || !m.Filter().Allows(f.kind, a, b) || how.Keep.Changed != nil &&
					!p.keeps.concerns(f.kind, a, b) || how.Keep.Slab != nil && !inSlab(how.Keep.Slab, corner) ||
					how.Keep.Region != nil && !how.Keep.Region.in(corner) {
					continue
				}
				if has[[2]int32{a, b}] {
					wanted++
					continue
				}
				var v, w [1]int32
				d := how.Input.Radii.Pair(f.kind, a, b, how.Input.Separation)
				x := proof(&p, mo, verticesOf(m, f.a.Shape, a, &v), verticesOf(m, second.Shape, b, &w),
					how.Input.Until, d)
				if x < 0 {
					t.Fatalf("%s, %+v: %v pair (%d, %d) is lost", name, how, f.kind, a, b)
				}
				if x < 3 {
					byRows++
				} else if how.Keep.Slab == nil && how.Keep.Region == nil && !p.still.pays && p.Oriented() {
					t.Fatalf("%s, %+v: %v pair (%d, %d) is apart along an axis only, and not found", name, how,
						f.kind, a, b)
				}
			}
		}
		if wanted != len(found[f.kind]) {
			t.Fatalf("%s, %+v: %d %v pairs are not wanted", name, how, len(found[f.kind])-wanted, f.kind)
		}
	}
	return byRows
}

// The law of orient.go: with separations, radii, slabs, regions, changed and static vertices,
// groups and excluded pairs, at any scale.
func TestOrientLaw(t *testing.T) {
	r := rand.New(rand.NewPCG(81, 82))
	needles := needleScenes(r)
	for number, s := range append(needles, adversaries()...) {
		m, mo := s.load(t)
		byRows, rounds, shown := 0, long.Part(2, 2), s.name == "needles of 1 directions at 1" || s.name == "random"
		if shown {
			rounds = 2
		}
		if number < len(needles) && !testing.Short() {
			rounds = 8
		}
		for i := range rounds {
			static := make([]bool, m.NV)
			if r.IntN(2) == 0 {
				static = randomStatic(r, &s)
			}
			setRandomFilter(t, r, m, static)
			if r.IntN(2) == 0 {
				if err := m.SetRadii(randomRadii(r, m, []float64{1e-3, 0.1}[(number+i)%2]*sizeOf(&s))); err != nil {
					t.Fatal(err)
				}
			}
			how := randomHow(r, m, mo)
			how.Input.Radii = m.Filter().Radii()
			how.Tactic.cull = []when{never, always}[r.IntN(2)]
			how.Input.Euclidean = r.IntN(2) == 0
			if (number+i)%4 == 1 {
				how.Keep.Region = &randomRegions(r, mo, 4)[r.IntN(4)]
			}
			if how.Input.Intersections { // The test is of a configuration at rest.
				how.Input.Until = 0
			}
			byRows += checkOriented(t, s.name, m, mo, how)
			if err := m.SetRadii(nil); err != nil {
				t.Fatal(err)
			}
		}
		if shown && byRows == 0 {
			t.Errorf("%s: rows prove no pair apart", s.name)
		}
	}
}

// A plan has a map where it pays, and not elsewhere: not for few primitives, for sheets, or for
// needles along an axis or of many directions.
func TestOrientWhereItPays(t *testing.T) {
	r := rand.New(rand.NewPCG(83, 84))
	crossed := sheet(60, func(i, j int) (x0, x1 [3]float64) {
		x0 = [3]float64{float64(i - j), float64(i + j), 0.3 * r.Float64()}
		return x0, [3]float64{x0[0], x0[1], 1 - x0[2]}
	})
	many := make([][3]float64, 3000)
	for i := range many {
		many[i] = [3]float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
	}
	diagonal := [][3]float64{{1, 1, 1}}
	for _, x := range []struct {
		scene
		want bool
	}{
		{needleSoup(r, 3000, diagonal, 0, 1e-3), true},
		{needleSoup(r, 3000, diagonal, 0.02, 1e-3), true},
		{needleSoup(r, 3000, [][3]float64{{1, 1, 1}, {1, -1, 1}, {-1, 1, 1}}, 0, 1e-3), true},
		{needleSoup(r, 500, diagonal, 0, 1e-3), false},
		{needleSoup(r, 3000, [][3]float64{{1, 0, 0}}, 0, 1e-3), false},
		{needleSoup(r, 3000, many, 0, 1e-3), false},
		{crossed, false},
	} {
		m, mo := x.load(t)
		for _, threads := range []int{1, 3} {
			var p Plan
			if err := p.Build(m, mo, PlanOptions{Input: Input{Until: 1}, Tactic: Tactic{Orient: OrientIfItPays},
				Work: Work{Threads: threads}}); err != nil {
				t.Fatal(err)
			}
			if p.Oriented() != x.want {
				t.Errorf("%s, %d edges: oriented is %v", x.name, len(m.Edges), p.Oriented())
			}
		}
	}
}
