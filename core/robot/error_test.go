package robot

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/ccdtest/long"
)

// loosened returns a model whose joints have values of their own: those of random errors.
func loosened(r *rand.Rand, m *Model, size float64) *Model {
	for i := range m.Joints {
		m.Joints[i].Error = size * r.Float64()
	}
	return m
}

// shaken returns the model with joints moved by values that their errors allow, at the ends of them
// more often than not.
func shaken(r *rand.Rand, m *Model) *Model {
	out := *m
	out.Joints = append([]Joint{}, m.Joints...)
	for i := range out.Joints {
		j := &out.Joints[i]
		by := j.Error * (1 - 0x1p-20)
		switch r.IntN(4) {
		case 0:
			by *= -1
		case 1:
			by *= 2*r.Float64() - 1
		}
		j.Offset, j.Error = j.Offset+by, 0
	}
	return &out
}

// The slack holds wherever the joints are within their errors.
func TestSlackHoldsWithErrorsOfJoints(t *testing.T) {
	r := rand.New(rand.NewPCG(71, 1))
	most := 0.0
	for trial := range long.Part(120, 24) {
		m := loosened(r, randomModel(r, 2+r.IntN(6), 1, false), []float64{1e-9, 1e-3, 0.5, 4}[trial%4])
		if trial%3 == 0 { // one joint alone has an error
			for i := range m.Joints[1:] {
				m.Joints[1+i].Error = 0
			}
		}
		robot, err := New(m)
		if err != nil {
			t.Fatal(err)
		}
		degree := trial % (HighestDegree + 1)
		control := randomCurve(r, m, degree, 1)
		w := NewWorker(robot)
		if _, err := w.f.setCurve(control, degree); err != nil {
			t.Fatal(err)
		}
		for range 8 {
			other := shaken(r, m)
			way := int32(r.IntN(len(robot.ways.list)))
			w.f.lim.get(way, &w.f.kin.curve)
			step := &robot.ways.list[way]
			y := randomVec(r, 0.3)
			k := w.f.lim.slack[way].at(lengthUp(y))
			middle := float64(r.IntN(257)) / 256
			h := min(math.Ldexp(r.Float64(), -r.IntN(30)), middle, 1-middle)
			w.f.kin.at(middle)
			x, v, a := w.f.kin.get(way).at(y)
			for _, at := range [3]float64{0, h, -h} {
				pose := posesOn(other, control, degree, newBig(middle+at))
				truth := pose[step.frame].inverse(pose[step.link].place(y))
				taken := bigOf(x).plus(bigOf(v).times(newBig(at))).plus(bigOf(a).times(newBig(at * at / 2)))
				off := truth.minus(taken).norm()
				size := math.Abs(at)
				bound := k[0] + size*(k[1]+size*(k[2]+size*k[3]))
				if !(off <= bound) {
					t.Fatalf("trial %d: off %g, bound %g at h = %g, way %+v", trial, off, bound, at, step)
				}
				if at == 0 && bound > 1e-12 {
					most = max(most, off/bound)
				}
			}
		}
	}
	t.Logf("largest part taken: %.4f", most)
	if most < 0.9 {
		t.Errorf("the bound is never nearly reached: %g", most)
	}
}

// Laws R1, R2 and R5 hold for every robot whose joints are within the errors: compared with
// crossings in numbers of 300 bits.
func TestVerdictsHoldWithErrorsOfJoints(t *testing.T) {
	r := rand.New(rand.NewPCG(72, 1))
	seen := map[Verdict]int{}
	for trial := range long.Part(60, 15) {
		m := loosened(r, randomModel(r, 3+r.IntN(3), 2, false), []float64{1e-9, 1e-5, 1e-2}[trial%3])
		robot, err := New(m)
		if err != nil {
			t.Fatal(err)
		}
		w := NewWorker(robot)
		q0, q1 := randomEdge(r, m, 0.7)
		o := DefaultOptions()
		got, err := w.Check(q0, q1, &o)
		if err != nil {
			t.Fatal(err)
		}
		seen[got.Verdict]++
		gap, err := w.Clearance(append(append([]float64{}, q0...), q1...), 1, 0, 1, &o)
		if err != nil {
			t.Fatal(err)
		}
		if gap.Lo > 0 && got.Verdict == Collides {
			t.Fatalf("trial %d: apart by %g, and %+v", trial, gap.Lo, got)
		}
		for range 2 {
			other := shaken(r, m)
			for i := range 5 {
				s := got.SFree * float64(i) / 4
				if pair, ok := bigTouches(other, q0, q1, s); ok && s < got.SFree {
					t.Fatalf("trial %d: the bodies %v cross at %g, free until %g", trial, pair, s, got.SFree)
				}
			}
			if got.Verdict == Collides && got.How == Crossing {
				if _, ok := bigTouches(other, q0, q1, got.S); !ok {
					t.Fatalf("trial %d: nothing crosses at %g: %+v", trial, got.S, got)
				}
			}
		}
	}
	t.Logf("%v", seen)
	if seen[Free] == 0 || seen[Collides] == 0 {
		t.Errorf("verdicts %v: must have both", seen)
	}
}

// A ball on a turning arm and a wall: the least distance with an error of the angle is known.
func TestClearanceWithAnErrorOfAnAngle(t *testing.T) {
	const off, height = 0x1p-12, 1.5
	m := &Model{Links: 2, Variables: 1, Pairs: [][2]int{{0, 1}},
		Joints: []Joint{{Kind: Revolute, Child: 1, Factor: 1, Axis: r3.Vec{Z: 1}, Rotation: identity, Error: off}},
		Bodies: []Body{{1, []Shape{{Vertices: []r3.Vec{{X: 1}}, Radii: []float64{0.125}}}},
			{Scene, []Shape{{Vertices: []r3.Vec{{X: -9, Y: height, Z: -9}, {X: 9, Y: height, Z: -9}, {Y: height, Z: 9}},
				Faces: [][3]int32{{0, 1, 2}}}}}}}
	robot, err := New(m)
	if err != nil {
		t.Fatal(err)
	}
	o := DefaultOptions()
	gap, err := NewWorker(robot).Clearance([]float64{0, 1}, 1, 0, 1, &o)
	if err != nil {
		t.Fatal(err)
	}
	near, far := height-0.125-math.Sin(1+off), height-0.125-math.Sin(1-off)
	if !(gap.Lo <= near && gap.Hi >= far && gap.Hi-gap.Lo <= 64*2*off) {
		t.Errorf("[%g, %g]: must hold all distances from %g to %g", gap.Lo, gap.Hi, near, far)
	}
	// A separation that only some of the angles keep is undecided, neither free nor a contact.
	o.Separation = (near + far) / 2
	for _, c := range []struct {
		by   float64
		want Verdict
	}{{-4 * off, Free}, {0, Undecided}, {4 * off, Collides}} {
		o.Separation = (near+far)/2 + c.by
		got, err := NewWorker(robot).Check([]float64{0}, []float64{1}, &o)
		if err != nil || got.Verdict != c.want {
			t.Errorf("separation %g: %+v, %v: must be %v", o.Separation, got, err, c.want)
		}
	}
}

func TestErrorsOfJointsThatAreNone(t *testing.T) {
	for _, bad := range []float64{-1e-300, math.NaN(), math.Inf(1), 2e60} {
		m := &Model{Links: 2, Variables: 1, Joints: []Joint{{Kind: Revolute, Child: 1, Factor: 1,
			Axis: r3.Vec{Z: 1}, Rotation: identity, Error: bad}}}
		if _, err := New(m); err == nil || !strings.Contains(err.Error(), "joints[0].error is") {
			t.Errorf("%g: %v", bad, err)
		}
	}
}
