package kernel

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ccd/core/geom"
	"ccd/simd/curve"
	"ccd/simd/linear"
)

// random is a step of n vertices near each other, and as many pairs of a kind.
func random(seed uint64, n int) (*geom.Trajectories, [][4]int32) {
	r := rand.New(rand.NewPCG(seed, 7))
	x := [2][]float64{}
	for e := range x {
		for range 3 * n {
			x[e] = append(x[e], r.Float64())
		}
	}
	step, err := geom.NewTrajectories(x[0], x[1])
	if err != nil {
		panic(err)
	}
	index := make([][4]int32, n)
	for i := range index {
		for k, v := range r.Perm(n)[:4] {
			index[i][k] = int32(v)
		}
	}
	return step, index
}

// Every subset of the stages keeps what the kernels of these stages keep, one after the other.
func TestCPUFiltersByStages(t *testing.T) {
	const n, tmax, sep = 500, 0.75, 0.01
	for seed := range uint64(4) {
		step, index := random(seed, n)
		type chain struct {
			axes   func([]float64, [][4]int32, float64, []int32) int
			floats func([]float64, [][4]int32, []int32, float64, float64, []int32) int
			plane  func([]float64, [][4]int32, []int32, float64, float64, []int32) int
			pieces func([]float64, [][4]int32, []int32, float64, float64, []int32, []uint8) int
		}
		for k, c := range map[geom.Kind]chain{
			geom.VertexFace: {linear.AxisCullVF, linear.FilterVF, linear.InPlaneVF, linear.TimePiecesVF},
			geom.EdgeEdge:   {linear.AxisCullEE, linear.FilterEE, linear.InPlaneEE, linear.TimePiecesEE},
		} {
			for stages := Stages(0); stages < 16; stages++ {
				want, masks := make([]int32, n), make([]uint8, n)
				for i := range want {
					want[i] = int32(i)
				}
				m := n
				if stages&Axes != 0 {
					m = c.axes(step.Rec, index, sep, want)
				}
				axes := n - m
				if stages&Floats != 0 {
					m = c.floats(step.Rec, index, want[:m], tmax, sep, want)
				}
				if stages&InPlane != 0 {
					m = c.plane(step.Rec, index, want[:m], tmax, sep, want)
				}
				if stages&TimePieces != 0 {
					m = c.pieces(step.Rec, index, want[:m], tmax, sep, want, masks)
				}
				out := Survivors{List: make([]int32, n), TimePieces: make([]uint8, n)}
				CPU.Filter(&Batch{Kind: k, Step: step, Index: index, TMax: tmax, Separation: sep, Stages: stages}, &out)
				if out.N != m || out.Axes != axes || !slices.Equal(out.List[:m], want[:m]) ||
					!slices.Equal(out.TimePieces[:m], masks[:m]) {
					t.Errorf("seed %d, %v, stages %b: %d pairs kept and %d dropped by axes, not %d and %d", seed,
						k, stages, out.N, out.Axes, m, axes)
				}
				if stages == Axes|Floats|InPlane|TimePieces && (m == 0 || m == n) {
					t.Errorf("seed %d, %v: %d of %d pairs kept: the test shows nothing", seed, k, m, n)
				}
			}
		}
	}
}

func TestCPUSupports(t *testing.T) {
	for k, want := range map[geom.Kind]bool{0: false, geom.VertexFace: true, geom.EdgeEdge: true, geom.PointEdge: false,
		geom.PointPoint: false, geom.EdgeFace: false} {
		if CPU.Supports(k) != want {
			t.Errorf("%v: %v", k, !want)
		}
	}
}

// The order of Floats and InPlane follows the pairs, flat or not, and changes nothing of what is
// left.
func TestOrderFollowsThePairs(t *testing.T) {
	const n = 400
	var order Order
	const rounds = (orderBatches + 2) / 2 // A round is two batches; after this many, Floats has come first again.
	first := 0                            // rounds of a sort after which InPlane comes first
	for round := range 4 * rounds {
		step, index := random(uint64(round), n)
		flat := round/rounds%2 == 1
		if flat {
			for i := 0; i < len(step.Rec); i += 8 { // all rest in a plane
				step.Rec[i+2] = 0
				copy(step.Rec[i+4:i+7], step.Rec[i:i+3])
			}
		}
		for _, k := range []geom.Kind{geom.VertexFace, geom.EdgeEdge} {
			var out [2]Survivors
			for i, o := range []*Order{nil, &order} {
				out[i] = Survivors{List: make([]int32, n), TimePieces: make([]uint8, n)}
				CPU.Filter(&Batch{Kind: k, Step: step, Index: index, TMax: 0.75,
					Stages: Axes | Floats | InPlane | TimePieces, Order: o}, &out[i])
			}
			a, b := &out[0], &out[1]
			if a.N != b.N || a.Axes != b.Axes || !slices.Equal(a.List[:a.N], b.List[:b.N]) ||
				!slices.Equal(a.TimePieces[:a.N], b.TimePieces[:b.N]) {
				t.Errorf("round %d, %v: %d pairs left, %d in the other order", round, k, a.N, b.N)
			}
		}
		if round%rounds == 0 {
			first = 0
		}
		if order.inPlaneFirst {
			first++
		}
		switch last := round%rounds == rounds-1; {
		case last && flat && first < rounds-2:
			t.Errorf("of %d rounds of flat pairs InPlane comes first in %d", rounds, first)
		case last && !flat && order.inPlaneFirst:
			t.Errorf("round %d: InPlane comes first", round)
		}
	}
}

// A batch that may be in single precision: a trial takes both precisions, the next batches that
// which pays, and everything is tried again after a while.
func TestCPUChoosesThePrecision(t *testing.T) {
	if !linear.Single() {
		t.Skip("no kernels in single precision at this level")
	}
	const n = 500
	step, index := random(5, n)
	every := make([]int32, n)
	for i := range every {
		every[i] = int32(i)
	}
	left := func(f func([]float64, [][4]int32, []int32, float64, float64, []int32) int, step *geom.Trajectories,
		list []int32) []int32 {
		out := make([]int32, len(list))
		return out[:f(step.Rec, index, list, 1, 0, out)]
	}
	for name, exponent := range map[string]int{"ordinary": 0, "beyond the range": 60} {
		x := [2][]float64{}
		for v := range step.N {
			for k := range 3 {
				x[0] = append(x[0], math.Ldexp(step.Rec[8*v+k], exponent))
				x[1] = append(x[1], math.Ldexp(step.Rec[8*v+4+k], exponent))
			}
		}
		scaled, err := geom.NewTrajectories(x[0], x[1])
		if err != nil {
			t.Fatal(err)
		}
		single := left(linear.Filter32VF, scaled, every)
		both := left(linear.FilterVF, scaled, single)
		double := left(linear.FilterVF, scaled, every)
		if small := len(single) < n/2; small != (exponent == 0) || len(double) > n/2 {
			t.Fatalf("%s: %d and %d of %d pairs are left", name, len(single), len(double), n)
		}
		var order Order
		for batch := range 3 * trialBatches {
			out := Survivors{List: make([]int32, n)}
			b := Batch{Kind: geom.VertexFace, Step: scaled, Index: index, TMax: 1, Stages: Floats, Order: &order,
				Single: true}
			CPU.Filter(&b, &out)
			want := both
			if batch%trialBatches != 0 {
				want = map[int][]int32{0: single, 60: double}[exponent]
			}
			if !slices.Equal(out.List[:out.N], want) {
				t.Fatalf("%s: batch %d leaves %d pairs, want %d", name, batch, out.N, len(want))
			}
		}
	}
	p := Precision{}
	for _, c := range []struct {
		n, single, double  int
		noSingle, noDouble bool
	}{{100, 20, 20, false, true}, {100, 20, 10, false, false}, {100, 100, 10, true, false}, {100, 90, 10, true, false},
		{0, 0, 0, false, true}} {
		if p.learn(c.n, c.single, c.double); p.noSingle != c.noSingle || p.noDouble != c.noDouble {
			t.Errorf("%+v: %+v", c, p)
		}
	}
}

// Curved paths go through both precisions in a trial, and then through that which pays: the answers
// are those of the kernels.
func TestCurvesChooseThePrecision(t *testing.T) {
	if !linear.Single() {
		t.Skip("no kernels in single precision at this level")
	}
	const n = 500
	step, index := random(7, n)
	for name, exponent := range map[string]int{"ordinary": 0, "beyond the range": 60} {
		c := Curves{Degree: 2}
		for v := range step.N {
			for _, w := range []float64{0, 0.5, 1} {
				for k := range 3 {
					x := step.Rec[8*v+k]
					c.Rec = append(c.Rec, math.Ldexp(x+w*(step.Rec[8*v+4+k]-x), exponent))
				}
			}
		}
		c.Rec = append(c.Rec, 0)
		every := make([]int32, n)
		for i := range every {
			every[i] = int32(i)
		}
		single, double, both := slices.Clone(every), slices.Clone(every), slices.Clone(every)
		single = single[:curve.Filter32VF(c.Rec, 2, index, single, 1, 0, 0, single)]
		both = both[:curve.FilterVF(c.Rec, 2, index, single, 1, 0, both)]
		double = double[:curve.AxesVF(c.Rec, 2, index, 0, double)]
		double = double[:curve.FilterVF(c.Rec, 2, index, double, 1, 0, double)]
		if small := len(single) < n/2; small != (exponent == 0) || len(double) > n/2 {
			t.Fatalf("%s: %d and %d of %d pairs are left", name, len(single), len(double), n)
		}
		var p Precision
		for batch := range 3 * trialBatches {
			out := make([]int32, n)
			got := out[:c.Filter(geom.VertexFace, index, 1, 0, &p, out)]
			want := both
			if batch%trialBatches != 0 {
				want = map[int][]int32{0: single, 60: double}[exponent]
			}
			if !slices.Equal(got, want) {
				t.Fatalf("%s: batch %d leaves %d pairs, want %d", name, batch, len(got), len(want))
			}
		}
	}
	c := Curves{Degree: 2, Rec: make([]float64, 37), Off: 0.3} // a vertex at 0.5 above a face at rest
	for i, x := range [][3]float64{{0.2, 0.2, 0.5}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}} {
		for l := range 3 {
			copy(c.Rec[9*i+3*l:], x[:])
		}
	}
	for i, want := range []int{1, 1, 0, 0} { // Off is 0.3 in a trial and after it, then 0.2 in both.
		p := []Precision{{}, {noSingle: true, batches: 1}}[i%2]
		if c.Off = []float64{0.3, 0.2}[i/2]; c.Filter(geom.VertexFace, [][4]int32{{0, 1, 2, 3}}, 1, 0, &p,
			make([]int32, 1)) != want {
			t.Errorf("off by %v, precision %+v: want %d pairs left", c.Off, p, want)
		}
	}
}
