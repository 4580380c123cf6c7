package step

import (
	"math"
	"slices"
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/narrow"
	"ccd/core/reference/oracle"
)

// sizesOf runs Sizes with the default options after an edit.
func sizesOf(t *testing.T, s scene, edit func(so *SizesOptions, o *Options)) (alpha, y []float64, r SizesReport) {
	t.Helper()
	so, o := DefaultSizesOptions(), DefaultOptions()
	if edit != nil {
		edit(&so, &o)
	}
	alpha, y = make([]float64, s.m.NV), make([]float64, len(s.x0))
	r, err := Sizes(s.m, s.x0, s.x1, alpha, y, &so, &o)
	if err != nil {
		t.Fatal(err)
	}
	return alpha, y, r
}

// rain is a floor and vertices above it, each of which falls by 2.
func rain(t *testing.T, heights ...float64) scene {
	t.Helper()
	s := scene{name: "rain", x0: []float64{0, 0, 0, 4, 0, 0, 0, 4, 0}}
	for i, h := range heights {
		s.x0 = append(s.x0, 0.5+0.5*float64(i), 0.5, h)
	}
	s.x1 = slices.Clone(s.x0)
	for i := 11; i < len(s.x1); i += 3 {
		s.x1[i] -= 2
	}
	var err error
	if s.m, err = mesh.New(len(s.x0)/3, nil, []int32{0, 1, 2}); err != nil {
		t.Fatal(err)
	}
	return s
}

// A vertex that does not move has the step of its group, and at alpha 0 the bits of x0, also where
// x1 has another zero.
func TestSizesLaw2GroupsKeepTheBitsOfWhatRests(t *testing.T) {
	s := rain(t, 0) // touches the floor at x0
	s.x0[0], s.x1[0] = math.Copysign(0, -1), 0
	alpha, y, _ := sizesOf(t, s, func(so *SizesOptions, _ *Options) { so.Groups = []int32{0, -1, -1, 0} })
	if alpha[0] != 0 || alpha[3] != 0 || !sameBits(y, s.x0) {
		t.Errorf("alpha %v, y %v; x0 %v", alpha, y, s.x0)
	}
}

// Each vertex stops for its own impact, and what does not move keeps alpha 1.
func TestSizesStopEachVertexForItself(t *testing.T) {
	s := rain(t, 1, 0.25, 5)
	alpha, _, r := sizesOf(t, s, nil)
	for v, want := range []float64{1, 1, 1, 0.45, 0.1125, 1} {
		if math.Abs(alpha[v]-want) > 1e-12 {
			t.Errorf("alpha[%d] is %v, want %v", v, alpha[v], want)
		}
	}
	if r.Passes != 2 || r.Resting != 0 || math.Abs(r.Used-(0.45+0.1125+1)/3) > 1e-12 ||
		math.Abs(r.Floor-0.1125) > 1e-12 {
		t.Errorf("%+v", r)
	}
}

// A vertex that touches the floor rests; the others go on.
func TestSizesLaw1TouchingVerticesRest(t *testing.T) {
	s := rain(t, 0, 1)
	s.x0[9], s.x1[9] = math.Copysign(0, -1), 1 // Zeros differ in their sign.
	alpha, y, r := sizesOf(t, s, nil)
	if alpha[3] != 0 || y[11] != 0 || !math.Signbit(y[9]) || math.Abs(alpha[4]-0.45) > 1e-12 || r.Resting != 1 ||
		math.Abs(r.Floor-0.45) > 1e-12 {
		t.Errorf("%v, %v, %+v", alpha, y, r)
	}
	for _, v := range []int{0, 1, 2} { // they touch, but do not move
		if alpha[v] != 1 {
			t.Errorf("alpha[%d] is %v", v, alpha[v])
		}
	}
}

// A vertex that begins within the separation keeps the ratio of its distance, and one that comes
// from farther the separation.
func TestSizesLaw1KeepsAPartOfTheDistance(t *testing.T) {
	for _, flags := range []uint32{0, narrow.MaxNorm} {
		s := rain(t, 0.01, 0.101, 1)
		alpha, y, r := sizesOf(t, s, func(so *SizesOptions, o *Options) {
			o.MinSeparation, so.Share, so.KeepRatio, o.Flags = 0.1, 0.999, 0.5, flags
		})
		if z := y[11]; !(z > 0.005*(1-0x1p-8) && z < 0.0051) {
			t.Errorf("a vertex at 0.01 goes to %v, alpha %v", z, alpha[3])
		}
		for v := 4; v < 6; v++ {
			if z := y[3*v+2]; !(z > 0.1 && z < 0.102) {
				t.Errorf("a vertex from %v goes to %v", s.x0[3*v+2], z)
			}
		}
		if r.Resting != 0 {
			t.Errorf("%+v", r)
		}
	}
}

// The vertices of a group have one step: the least.
func TestSizesGroups(t *testing.T) {
	alpha, _, _ := sizesOf(t, rain(t, 1, 0.25, 5),
		func(so *SizesOptions, _ *Options) { so.Groups = []int32{-1, -1, -5, 2, 3, 2} })
	if alpha[3] != alpha[5] || math.Abs(alpha[5]-0.45) > 1e-12 || math.Abs(alpha[4]-0.1125) > 1e-12 || alpha[0] != 1 {
		t.Errorf("%v", alpha)
	}
}

// stack is n faces one above the other, the first two at a distance of their own, of which all but
// the first fall.
func stack(t *testing.T, n int, first, fall float64) scene {
	t.Helper()
	s, faces := scene{name: "stack"}, []int32{}
	for i := range n {
		z, end := 0.0, 0.0
		if i > 0 {
			z = first + 0.1*float64(i-1)
			end = z - fall
		}
		s.x0 = append(s.x0, 0, 0, z, 1, 0, z, 0, 1, z)
		s.x1 = append(s.x1, 0, 0, end, 1, 0, end, 0, 1, end)
		faces = append(faces, int32(3*i), int32(3*i+1), int32(3*i+2))
	}
	var err error
	if s.m, err = mesh.New(3*n, nil, faces); err != nil {
		t.Fatal(err)
	}
	return s
}

// Where passes run out, the faces that are in contact rest, one after the other; if that takes too
// many passes, all rest.
func TestSizesPassesRunOut(t *testing.T) {
	s := stack(t, 30, 0.1, 2)
	_, _, free := sizesOf(t, s, nil)
	if free.Resting != 0 || free.Passes < 4 {
		t.Errorf("%+v", free)
	}
	alpha, y, r := sizesOf(t, s, func(so *SizesOptions, _ *Options) { so.MaxPasses = 1 })
	if r.Resting == 0 || r.Used >= free.Used || r.Passes < 3 {
		t.Errorf("%+v, with more passes %+v", r, free)
	}
	if im, err := Earliest(s.m, s.x0, y, nil); err != nil || im.Verdict != geom.Separate {
		t.Errorf("%v: %+v, %v", alpha, im, err)
	}
	tall := stack(t, 60, 0.1, 0.15) // each hits the one below where that one rests
	_, y, r = sizesOf(t, tall, func(so *SizesOptions, _ *Options) { so.MaxPasses, so.Share = 1, 1e-3 })
	if r.Passes != 1+finishPasses || r.Used != 0 || !sameBits(y, tall.x0) {
		t.Errorf("a tall stack: %+v", r)
	}
}

// The vertices of an edge and a face that pass through each other rest where the start is checked;
// without the check they are not seen.
func TestSizesChecksTheStart(t *testing.T) {
	m, err := mesh.New(7, nil, []int32{0, 1, 2, 3, 4, 5})
	if err != nil {
		t.Fatal(err)
	}
	x0 := []float64{0, 0, 0, 4, 0, 0, 0, 4, 0, 1, 1, -1, 1, 1, 1, 1.5, 1, 1, 9, 9, 9}
	s := scene{name: "crossed", m: m, x0: x0, x1: slices.Clone(x0)}
	for i := 11; i < len(x0); i += 3 {
		s.x1[i] += 0.25
	}
	for _, checked := range []bool{false, true} {
		alpha, _, r := sizesOf(t, s, func(_ *SizesOptions, o *Options) { o.CheckStart = checked })
		want := []float64{1, 1, 1, 1, 1, 1, 1}
		if checked {
			want = []float64{1, 1, 1, 0, 0, 0, 1}
		}
		if !slices.Equal(alpha, want) || r.Resting != map[bool]int64{false: 0, true: 3}[checked] {
			t.Errorf("checked %v: %v, %+v", checked, alpha, r)
		}
	}
}

// The distance that a near pair has at x0 is proven, and known up to a factor of 2.
func TestNearnessIsProven(t *testing.T) {
	sharp := 0
	for seed := range uint64(400) {
		r := ccdtest.NewRand(seed, 22)
		k := geom.StepKinds[r.IntN(len(geom.StepKinds))]
		var q [24]float64
		scale, far, n := math.Ldexp(1, r.IntN(200)-100), []float64{0, 0, 1e6}[r.IntN(3)], 3*k.Points()
		for i := range n {
			q[i] = scale * (far + math.Round(16*r.Float64())/16)
			if r.IntN(2) == 0 {
				q[i] = scale * (far + r.Float64())
			}
			q[n+i] = q[i] + scale*r.Float64()
		}
		if r.IntN(4) == 0 { // nearly touching: floats do not know the distance
			weights := k.Info().Weights(r.Float64()/2, r.Float64()/2)
			for axis := range 3 {
				sum := 0.0
				for j := 1; j < k.Points(); j++ {
					sum += weights[j] * q[3*j+axis]
				}
				q[axis] = -sum / weights[0]
			}
		}
		o, w, d := narrow.DefaultOptions(), &worker{}, scale*(0.01+4*r.Float64())
		o.Flags = []uint32{0, narrow.MaxNorm}[r.IntN(2)]
		still := slices.Concat(q[:n], q[:n])
		exceeds := func(d float64) bool {
			if d == 0 {
				return oracle.Contact(k, still).Verdict == geom.Separate
			} else if o.Flags == 0 {
				return !oracle.EuclideanSeparation(k, still, d, 1).Contact
			}
			return !oracle.Separation(k, still, d, 1).Contact
		}
		if exceeds(d) {
			continue
		}
		h := w.nearness(k, &q, d, o)
		switch {
		case h < 0 && !exceeds(0):
		case h > 0 && exceeds(h) && !exceeds(2*h):
			if !exceeds(h * (1 + 0x1p-8)) {
				sharp++
			}
		default:
			t.Fatalf("seed %d: %v within %v has the distance %v, touches %v", seed, k, d, h, !exceeds(0))
		}
	}
	if sharp < 100 {
		t.Errorf("%d distances are known to 2^-8", sharp)
	}
}

// The used motion of the published scenes, as measured by the prototype of the algorithm.
func TestSizesOfPublishedScenes(t *testing.T) {
	want := map[string]float64{"cloth-funnel": 0.989, "armadillo-rollers": 0.405, "cloth-ball": 0.666}
	for _, d := range dataScenes {
		if testing.Short() && d.name != "cloth-funnel" {
			continue
		}
		t.Run(d.name, func(t *testing.T) {
			s := d.load(t)
			_, y, r := sizesOf(t, s, nil)
			if r.Used < want[d.name] {
				t.Errorf("%+v, want %v of the motion", r, want[d.name])
			}
			if im, err := Earliest(s.m, s.x0, y, nil); err != nil || im.Verdict != geom.Separate {
				t.Errorf("%+v, %v on the way to the positions", im, err)
			}
		})
	}
}
