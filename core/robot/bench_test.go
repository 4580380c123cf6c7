package robot

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"syscall"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
)

// The robots and scenes of bench/robots.py.

const quarter = 1.5707963

// rpy returns the rotation about x, then y, then z.
func rpy(x, y, z float64) geom.Mat {
	q := func(a float64, i, j, k float64) quat.Number {
		s, c := math.Sincos(a / 2)
		return quat.Number{Real: c, Imag: s * i, Jmag: s * j, Kmag: s * k}
	}
	return geom.Rotation(quat.Mul(q(z, 0, 0, 1), quat.Mul(q(y, 0, 1, 0), q(x, 1, 0, 0))))
}

// cylinder returns a prism of 32 sides around a cylinder along z.
func cylinder(radius, length float64, turn geom.Mat, at r3.Vec) (s Shape) {
	const n = 32
	for i := range n {
		a := 2 * math.Pi * float64(i) / n
		r := radius / math.Cos(math.Pi/n)
		for _, z := range [2]float64{-length / 2, length / 2} {
			v := r3.Vec{X: r * math.Cos(a), Y: r * math.Sin(a), Z: z}
			s.Vertices = append(s.Vertices, r3.Add(at, turn.Apply(v)))
		}
	}
	for _, z := range [2]float64{-length / 2, length / 2} {
		s.Vertices = append(s.Vertices, r3.Add(at, turn.Apply(r3.Vec{Z: z})))
	}
	for i := range int32(n) {
		a, b := 2*i, 2*((i+1)%n)
		s.Faces = append(s.Faces, [3]int32{a, b, b + 1}, [3]int32{a, b + 1, a + 1}, [3]int32{2 * n, b, a},
			[3]int32{2*n + 1, a + 1, b + 1})
	}
	return s
}

func cuboid(x, y, z float64, at r3.Vec) Shape {
	return boxShape(r3.Vec{X: x / 2, Y: y / 2, Z: z / 2}, identity, at)
}

type axis struct {
	place, turn [3]float64
	axis        r3.Vec
}

func chain(axes []axis, bodies [][]Shape, allowed [][2]int, scene []Shape) *Model {
	m := &Model{Links: len(axes) + 1, Variables: len(axes)}
	for i, a := range axes {
		m.Joints = append(m.Joints, Joint{Kind: Revolute, Parent: i, Child: i + 1, Variable: i, Factor: 1,
			Axis: a.axis, Rotation: rpy(a.turn[0], a.turn[1], a.turn[2]), Position: geom.VecOf(a.place[:])})
	}
	for i, s := range bodies {
		m.Bodies = append(m.Bodies, Body{i, s})
	}
	for _, s := range scene {
		m.Bodies = append(m.Bodies, Body{Scene, []Shape{s}})
	}
	for a := range m.Links {
		for b := a + 1; b < len(m.Bodies); b++ {
			neighbors := b == a+1 && b < m.Links
			rest := a == 0 && b >= m.Links
			if !neighbors && !rest && !slices.Contains(allowed, [2]int{a, b}) {
				m.Pairs = append(m.Pairs, [2]int{a, b})
			}
		}
	}
	return m
}

func sixAxes(scene []Shape) *Model {
	y, z := r3.Vec{Y: 1}, r3.Vec{Z: 1}
	side := rpy(quarter, 0, 0)
	bodies := [][]Shape{
		{cylinder(0.075, 0.08, identity, r3.Vec{Z: 0.04})},
		{cylinder(0.06, 0.13, identity, r3.Vec{})},
		{cylinder(0.05, 0.42, identity, r3.Vec{Z: 0.21}), cylinder(0.06, 0.13, side, r3.Vec{})},
		{cylinder(0.04, 0.36, identity, r3.Vec{Z: 0.2}), cylinder(0.05, 0.12, side, r3.Vec{})},
		{cylinder(0.04, 0.11, side, r3.Vec{})},
		{cylinder(0.04, 0.1, identity, r3.Vec{})},
		{cuboid(0.04, 0.1, 0.1, r3.Vec{Z: 0.05}), cuboid(0.02, 0.01, 0.06, r3.Vec{Y: 0.04, Z: 0.13})},
	}
	axes := []axis{{place: [3]float64{0, 0, 0.09}, axis: z}, {place: [3]float64{0, 0.136, 0}, axis: y},
		{place: [3]float64{0, -0.12, 0.425}, axis: y}, {place: [3]float64{0, 0, 0.392}, axis: y},
		{place: [3]float64{0, 0.093, 0}, axis: z}, {place: [3]float64{0, 0, 0.095}, axis: y}}
	return chain(axes, bodies, [][2]int{{0, 2}, {3, 5}, {4, 6}}, scene)
}

func balls(r float64, at ...r3.Vec) Shape {
	return Shape{Vertices: at, Radii: slices.Repeat([]float64{r}, len(at))}
}

func sevenAxes(scene []Shape) *Model {
	v := func(x, y, z float64) r3.Vec { return r3.Vec{X: x, Y: y, Z: z} }
	var fingers []r3.Vec
	for k := -2; k <= 2; k++ {
		fingers = append(fingers, v(0, 0.03*float64(k), 0.12), v(0, 0.03*float64(k), 0.15))
	}
	bodies := [][]Shape{
		{balls(0.08, v(0, 0, 0.05))},
		{balls(0.06, v(0, -0.08, 0), v(0, -0.03, 0), v(0, 0, -0.12), v(0, 0, -0.17))},
		{balls(0.06, v(0, 0, 0.03), v(0, 0, 0.08), v(0, -0.12, 0), v(0, -0.17, 0))},
		{balls(0.055, v(0, 0, -0.1), v(0, 0, -0.06), v(0.08, 0.06, 0), v(0.08, 0.02, 0))},
		{balls(0.055, v(0, 0, 0.02), v(0, 0, 0.06), v(-0.08, 0.095, 0), v(-0.08, 0.06, 0))},
		{balls(0.05, v(0, 0.055, 0), v(0, 0.075, 0), v(0, 0, -0.22), v(0, 0.05, -0.18)),
			balls(0.03, v(0, 0.08, -0.13), v(0, 0.09, -0.08))},
		{balls(0.05, v(0, 0, 0), v(0.08, -0.01, 0), v(0.08, 0.035, 0))},
		{balls(0.05, v(0, 0, 0.07)), balls(0.028, fingers...)},
	}
	z := r3.Vec{Z: 1}
	axes := []axis{{[3]float64{0, 0, 0.333}, [3]float64{}, z}, {[3]float64{}, [3]float64{-quarter}, z},
		{[3]float64{0, -0.316, 0}, [3]float64{quarter}, z}, {[3]float64{0.0825, 0, 0}, [3]float64{quarter}, z},
		{[3]float64{-0.0825, 0.384, 0}, [3]float64{-quarter}, z}, {[3]float64{}, [3]float64{quarter}, z},
		{[3]float64{0.088, 0, 0}, [3]float64{quarter}, z}}
	return chain(axes, bodies, [][2]int{{5, 7}, {0, 2}, {1, 3}, {2, 4}, {3, 5}, {4, 6}}, scene)
}

func sceneOf(name string) (list []Shape) {
	r := rand.New(rand.NewPCG(1, 2))
	switch name {
	case "shelf":
		for _, z := range []float64{0.2, 0.5, 0.8} {
			list = append(list, cuboid(0.3, 0.9, 0.02, r3.Vec{X: 0.65, Z: z}))
		}
		for _, y := range []float64{-0.46, 0, 0.46} {
			list = append(list, cuboid(0.3, 0.02, 0.62, r3.Vec{X: 0.65, Y: y, Z: 0.5}))
		}
	case "bars":
		for range 10 {
			s, c := math.Sincos(6*r.Float64() - 3)
			list = append(list, cuboid(0.01, 0.01, 1.2, r3.Vec{X: 0.55 * c, Y: 0.55 * s, Z: 0.6}))
		}
	case "wires":
		for range 10 {
			list = append(list, cuboid(2, 0.002, 0.002, r3.Vec{Y: 1.4*r.Float64() - 0.7, Z: 0.2 + 0.9*r.Float64()}))
		}
	case "clutter": // 8,000 turned boxes
		for range 8000 {
			at := randomVec(r, 2)
			for geom.Norm(at) < 0.9 {
				at = randomVec(r, 2)
			}
			list = append(list, boxShape(r3.Vec{X: 0.02, Y: 0.03, Z: 0.05}, randomRotation(r), at))
		}
	}
	return list
}

// benchEdges returns edges whose start touches nothing, 0.5 to 2 radians long.
func benchEdges(tb testing.TB, r *Robot, count int) (q0, q1 [][]float64) {
	random := rand.New(rand.NewPCG(7, 7))
	w, o := NewWorker(r), DefaultOptions()
	for len(q0) < count {
		a, b := make([]float64, r.Variables()), make([]float64, r.Variables())
		norm := 0.0
		for i := range a {
			a[i] = 5*random.Float64() - 2.5
			b[i] = random.NormFloat64()
			norm += b[i] * b[i]
		}
		if rest, err := w.Check(a, a, &o); err != nil || rest.Verdict != Free {
			continue
		}
		length := (0.5 + 1.5*random.Float64()) / math.Sqrt(norm)
		for i := range b {
			b[i] = a[i] + length*b[i]
		}
		q0, q1 = append(q0, a), append(q1, b)
	}
	return q0, q1
}

func benchModels() map[string]*Model {
	out := map[string]*Model{}
	for _, scene := range []string{"shelf", "bars", "wires", "clutter"} {
		out["six/"+scene], out["seven/"+scene] = sixAxes(sceneOf(scene)), sevenAxes(sceneOf(scene))
	}
	return out
}

// processorTime returns the user time of the process in nanoseconds.
func processorTime() int64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return u.Utime.Nano()
}

func BenchmarkEdges(b *testing.B) {
	models := benchModels()
	for _, name := range []string{"six/shelf", "six/bars", "six/wires", "six/clutter", "seven/shelf", "seven/bars",
		"seven/wires"} {
		robot, err := New(models[name])
		if err != nil {
			b.Fatal(err)
		}
		q0, q1 := benchEdges(b, robot, 200)
		w := NewWorker(robot)
		for _, any := range []bool{true, false} {
			o := DefaultOptions()
			o.Any = any
			for _, verdict := range []Verdict{Free, Collides} {
				var of []int
				for i := range q0 {
					if got, _ := w.Check(q0[i], q1[i], &o); got.Verdict == verdict {
						of = append(of, i)
					}
				}
				kind := map[bool]string{true: "any", false: "first"}[any]
				as := map[Verdict]string{Free: "free", Collides: "collides"}[verdict]
				b.Run(fmt.Sprintf("%s/%s/%s", name, kind, as),
					func(b *testing.B) {
						var counts Counts
						spent := processorTime()
						for i := range b.N {
							k := of[i%len(of)]
							got, _ := w.Check(q0[k], q1[k], &o)
							counts.Intervals += got.Counts.Intervals
							counts.Tests += got.Counts.Tests
							counts.Leaves += got.Counts.Leaves
						}
						b.ReportMetric(float64(processorTime()-spent)/float64(b.N), "cpu-ns")
						b.ReportMetric(float64(counts.Intervals)/float64(b.N), "intervals")
						b.ReportMetric(float64(counts.Tests)/float64(b.N), "tests")
						b.ReportMetric(float64(counts.Leaves)/float64(b.N), "leaves")
						b.ReportMetric(float64(len(of)), "edges")
					})
			}
		}
	}
}

func BenchmarkClearance(b *testing.B) {
	for _, name := range []string{"six/shelf", "six/bars", "six/wires", "seven/shelf", "seven/bars"} {
		robot, err := New(benchModels()[name])
		if err != nil {
			b.Fatal(err)
		}
		q0, q1 := benchEdges(b, robot, 60)
		w := NewWorker(robot)
		for _, tolerance := range []float64{1e-3, 1e-4} {
			b.Run(fmt.Sprintf("%s/%g", name, tolerance), func(b *testing.B) {
				o := DefaultOptions()
				o.Tolerance = tolerance
				var counts Counts
				spent, touching := processorTime(), 0
				for i := range b.N {
					k := i % len(q0)
					got, err := w.Clearance(append(q0[k], q1[k]...), 1, 0, 1, &o)
					if err != nil || got.Unfinished {
						b.Fatalf("%+v, %v", got, err)
					}
					counts.add(&got.Counts)
					if got.Touches {
						touching++
					}
				}
				b.ReportMetric(float64(processorTime()-spent)/float64(b.N), "cpu-ns")
				b.ReportMetric(float64(counts.Intervals)/float64(b.N), "intervals")
				b.ReportMetric(float64(counts.Tests)/float64(b.N), "tests")
				b.ReportMetric(float64(counts.Leaves)/float64(b.N), "leaves")
				b.ReportMetric(float64(touching)/float64(b.N), "touching")
			})
		}
	}
}
