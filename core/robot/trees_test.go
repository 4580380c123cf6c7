package robot

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/ccdtest/long"
	"ccd/core/geom"
)

// randomPoint returns a point of a primitive's triangle, edge or point, rounded.
func randomPoint(r *rand.Rand, p *primitive) r3.Vec {
	u, v := r.Float64(), r.Float64()
	if u+v > 1 {
		u, v = 1-u, 1-v
	}
	if p.n < 3 {
		v = 0
	}
	if p.n < 2 {
		u = 0
	}
	return r3.Add(p.x[0], r3.Add(geom.Scale(u, r3.Sub(p.x[1], p.x[0])), geom.Scale(v, r3.Sub(p.x[2], p.x[0]))))
}

// The law of the cover: each point of a mover's primitive, with the radius around it, is in a leaf
// whose cluster has the primitive; and so for the boxes of targets.
func TestLeavesCoverTheirPrimitives(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	for trial := range 30 {
		m := randomModel(r, 4, 4, trial%2 == 0)
		// A long needle and a large triangle as parts of a link.
		m.Bodies[1].Shapes = append(m.Bodies[1].Shapes, Shape{
			Vertices: []r3.Vec{{X: -3}, {X: 3, Y: 1e-3}, {Y: 2e-3}, {Y: 2, Z: 1}, {X: 2, Y: -1}},
			Faces:    [][3]int32{{0, 1, 2}, {0, 3, 4}}, Edges: [][2]int32{{1, 3}}})
		robot, err := New(m)
		if err != nil {
			t.Fatal(err)
		}
		for i := range robot.movers {
			mv := &robot.movers[i]
			for at := range robot.primitives {
				p := &robot.primitives[at]
				for range 20 {
					if p.body == mv.body && !inBalls(robot, mv, 0, int32(at), randomPoint(r, p), p.radius) {
						t.Fatalf("trial %d: a point of primitive %d of body %d is in no ball that has it", trial, at,
							p.body)
					}
				}
			}
		}
		for k := range robot.targets {
			for at := range robot.primitives {
				p := &robot.primitives[at]
				if !robot.isOf(int32(k), int(p.body)) || !partner(m, int(p.body)) {
					continue
				}
				x := randomPoint(r, p)
				if !inBoxes(robot, k, 0, 0, int32(at), x, p.radius) {
					t.Fatalf("trial %d: a point of primitive %d of body %d is in no box that has it", trial, at,
						p.body)
				}
			}
		}
	}
}

// partner reports whether a body that rests is in a pair.
func partner(m *Model, body int) bool {
	for _, p := range m.Pairs {
		if p[0] == body || p[1] == body {
			return m.Bodies[body].Link == Scene
		}
	}
	return false
}

func has(c *cluster, at int32) bool {
	for _, p := range c.primitives {
		if p == at {
			return true
		}
	}
	return false
}

func inBalls(robot *Robot, mv *mover, node, at int32, x r3.Vec, radius float64) bool {
	b := &mv.balls[node]
	if geom.Norm(r3.Sub(x, b.c))+radius > b.r {
		return false
	}
	if b.left == 0 {
		return has(&robot.clusters[b.cluster], at)
	}
	return inBalls(robot, mv, b.left, at, x, radius) || inBalls(robot, mv, b.right, at, x, radius)
}

func inBoxes(robot *Robot, target int, node, slot, at int32, x r3.Vec, radius float64) bool {
	n := &robot.targets[target].nodes[node]
	for k := range 3 {
		v, lo, hi := component(x, k), n.lo[k][slot]-1e-15, n.hi[k][slot]+1e-15
		if n.mask[slot] == 0 || v-radius < lo || v+radius > hi {
			return false
		}
	}
	child := n.child[slot]
	if child < 0 {
		return has(&robot.clusters[^child], at)
	}
	for i := range int32(8) {
		if inBoxes(robot, target, child, i, at, x, radius) {
			return true
		}
	}
	return false
}

// Each pair alone, as a robot of its own, gives what all pairs together give: nothing is lost by
// trees, masks or tasks, with more movers than a mask has bits.
func TestPairsTogetherAreAsEachAlone(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 1))
	seen := map[Verdict]int{}
	for trial := range long.Part(12, 2) {
		links := 5
		if trial == 0 {
			links = 80
		}
		m := randomModel(r, links, 4, trial%2 == 0)
		for i := range m.Joints { // some links rest on the root
			if i%5 == 3 {
				m.Joints[i].Kind = Fixed
			}
		}
		whole, err := New(m)
		if err != nil {
			t.Fatal(err)
		}
		w, o := NewWorker(whole), DefaultOptions()
		if trial == 0 && len(whole.movers) <= 64 {
			t.Fatalf("only %d movers", len(whole.movers))
		}
		for range 5 {
			q0, q1 := randomEdge(r, m, 0.7)
			got, err := w.Check(q0, q1, &o)
			if err != nil {
				t.Fatal(err)
			}
			want, least := Free, 1.0
			for k, p := range m.Pairs {
				if links == 80 && k%40 != 0 && [2]int{got.A, got.B} != p && [2]int{got.B, got.A} != p {
					continue
				}
				one := *m
				one.Pairs = [][2]int{p}
				alone, err := New(&one)
				if err != nil {
					t.Fatal(err)
				}
				single, err := NewWorker(alone).Check(q0, q1, &o)
				if err != nil {
					t.Fatal(err)
				}
				if single.Verdict == Collides {
					want = Collides
				}
				least = min(least, single.SFree)
			}
			seen[want]++
			if got.Verdict != want {
				t.Errorf("trial %d: together %+v, alone %v", trial, got, want)
			}
			if got.Verdict == Free != (want == Free) || got.SFree > least+1e-5 {
				t.Errorf("trial %d: together free up to %g, alone up to %g", trial, got.SFree, least)
			}
		}
	}
	if seen[Free] == 0 || seen[Collides] == 0 {
		t.Errorf("%v", seen)
	}
}

// Movers share bits of masks where there are more than 64: a body is tested against its own
// partners alone.
func TestMoversThatShareABit(t *testing.T) {
	const n = 70
	m := &Model{Links: n + 1, Variables: n}
	for i := range n {
		m.Joints = append(m.Joints, Joint{Kind: Prismatic, Child: i + 1, Variable: i, Factor: 1, Axis: r3.Vec{X: 1},
			Position: r3.Vec{Y: float64(i)}, Rotation: identity})
		m.Bodies = append(m.Bodies, Body{i + 1, []Shape{balls(0.1, r3.Vec{})}})
	}
	for i := range n { // The obstacle of mover i is far away, and in the way of the mover that shares its bit.
		at := r3.Vec{X: 0.5, Y: float64((i + 64) % 128)}
		m.Bodies = append(m.Bodies, Body{Scene, []Shape{balls(0.1, at)}})
		m.Pairs = append(m.Pairs, [2]int{i, n + i})
	}
	robot, err := New(m)
	if err != nil {
		t.Fatal(err)
	}
	q0, q1 := make([]float64, n), make([]float64, n)
	for i := range q1 {
		q1[i] = 1
	}
	o := DefaultOptions()
	for _, any := range []bool{false, true} {
		o.Any = any
		if got, err := NewWorker(robot).Check(q0, q1, &o); err != nil || got.Verdict != Free {
			t.Errorf("%+v, %v", got, err)
		}
	}
	m.Pairs = append(m.Pairs, [2]int{64, n})
	if robot, err = New(m); err != nil {
		t.Fatal(err)
	}
	got, err := NewWorker(robot).Check(q0, q1, &o)
	if err != nil || got.Verdict != Collides || got.A != 64 || got.B != n {
		t.Errorf("%+v, %v", got, err)
	}
}
