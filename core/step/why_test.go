package step

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/narrow"
)

// aVertexOverAFace is a mesh of a face and a vertex, which falls from a height to an end.
func aVertexOverAFace(t testing.TB, height, end float64) (m *mesh.Mesh, x0, x1 []float64) {
	t.Helper()
	m, err := mesh.New(4, nil, []int32{0, 1, 2})
	if err != nil {
		t.Fatal(err)
	}
	x0 = []float64{0, 0, 0, 4, 0, 0, 0, 4, 0, 1, 1, height}
	x1 = append([]float64(nil), x0...)
	x1[11] = end
	return m, x0, x1
}

// A separation in the max norm is compared with the distance in that norm: here 0.1, where the
// Euclidean one is 0.17.
func TestWhyMeasuresInTheNormOfTheSeparation(t *testing.T) {
	m, x0, _ := aVertexOverAFace(t, 0.1, 0)
	x0[9], x0[10] = -0.1, -0.1
	o := DefaultOptions()
	o.Flags, o.MinSeparation = narrow.MaxNorm, 0.12
	w, err := Straight(m, x0, x0).Why(&o)
	if err != nil {
		t.Fatal(err)
	}
	if w.Cause != WithinSeparation || !(w.Lo <= 0.1 && 0.1 <= w.Hi && w.Hi-w.Lo < 1e-15) {
		t.Errorf("%v: [%v, %v]", w.Cause, w.Lo, w.Hi)
	}
	if text := w.String(); !strings.Contains(text, "are 0.1 apart") || !strings.Contains(text, "below 0.1") {
		t.Error(text)
	}
}

// A method with a tolerance may prove no step, although the pair is apart at the start.
func TestWhyOfAMethodThatProvesNoStep(t *testing.T) {
	m, x0, x1 := aVertexOverAFace(t, 1e-7, -1)
	o := DefaultOptions()
	o.Method = narrow.TightInclusion
	w, err := Straight(m, x0, x1).Why(&o)
	if err != nil {
		t.Fatal(err)
	}
	if w.Alpha != 0 || !strings.Contains(w.String(), "use the exact method") {
		t.Errorf("alpha is %v: %v", w.Alpha, w.String())
	}
}

// Each cause is found, with its sentences.
func TestWhy(t *testing.T) {
	for name, c := range map[string]struct {
		height, end, radius, separation float64
		cause                           Cause
		words                           []string
	}{
		"free": {1, 0.5, 0, 0.25, Unlimited, []string{"No pair limits the step: alpha is 1."}},
		"meeting": {1, -1, 0, 0, Meeting,
			[]string{"Vertex 3 and face 0 (vertices 0, 1, 2) touch at t = 0.5, from a distance of 1 at the start."}},
		"separation": {1, -1, 0, 2, WithinSeparation,
			[]string{"are 1 apart at the start, within their separation 2.", "below 1"}},
		"radii": {1, 2, 0.75, 0.25, WithinRadii,
			[]string{"within the sum 1.5 of their radii 0.75 and 0.75", "smaller radii"}},
		"both": {1, 2, 0.25, 0.75, WithinSeparation,
			[]string{"separation 1.25 (min_separation 0.75, radii 0.25 and 0.25)", "below 0.5"}},
		"touching":  {0, 1, 0, 0, Touching, []string{"touch at the start"}},
		"too short": {1, 0x1p-60, 0, 1 - 0x1p-53, TooShort, []string{"round to x0", "sizes"}},
	} {
		m, x0, x1 := aVertexOverAFace(t, c.height, c.end)
		if c.radius > 0 {
			if err := m.SetRadii([]float64{c.radius, c.radius, c.radius, c.radius}); err != nil {
				t.Fatal(err)
			}
		}
		if c.cause == TooShort { // far from the origin, where the doubles are wider than the way to go
			x0[11], x1[11] = 1, 1-0x1p-53
			for _, x := range [][]float64{x0, x1} {
				for i := range 3 {
					x[3*i+2] = -0x1p-54
				}
			}
			c.separation = 1
		}
		o := DefaultOptions()
		o.MinSeparation = c.separation
		w, err := Straight(m, x0, x1).Why(&o)
		if err != nil || w.Cause != c.cause {
			t.Errorf("%s: cause %d, %v, want %d: %s", name, w.Cause, err, c.cause, w.String())
		}
		for _, words := range c.words {
			if !strings.Contains(w.String(), words) {
				t.Errorf("%s: %q lacks %q", name, w.String(), words)
			}
		}
	}
}

// A crossing, vertices at one place, and pairs near in the mesh are named.
func TestWhySaysWhatIsNear(t *testing.T) {
	m, err := mesh.New(6, nil, []int32{0, 1, 2, 3, 4, 5})
	if err != nil {
		t.Fatal(err)
	}
	x := []float64{0, 0, 0, 4, 0, 0, 0, 4, 0, 1, 1, 1, 1, 1, -1, 9, 9, 9}
	o := DefaultOptions()
	o.CheckStart = true
	w, err := Straight(m, x, x).Why(&o)
	const words = "Edge 3 (vertices 3, 4) passes through face 0 (vertices 0, 1, 2)"
	if err != nil || w.Cause != Crossing || !strings.HasPrefix(w.String(), words) {
		t.Errorf("%v, %d: %s", err, w.Cause, w.String())
	}
	copy(x[9:], x[3:6])
	if w, err = Straight(m, x, x).Why(nil); err != nil || w.Same != [2]int32{3, 1} && w.Same != [2]int32{1, 3} ||
		!strings.Contains(w.String(), "are at one place") || !strings.Contains(w.String(), "weld") {
		t.Errorf("%v: %+v, %s", err, w.Same, w.String())
	}
	strip, err := mesh.New(5, []int32{0, 1, 1, 2, 2, 3, 3, 4}, nil)
	if err != nil {
		t.Fatal(err)
	}
	x = []float64{0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 4, 0, 0}
	o = DefaultOptions()
	o.MinSeparation = 1.5
	w, err = Straight(strip, x, x).Why(&o)
	if err != nil || w.Rings != 1 || w.Initial != 4 || !strings.Contains(w.String(), "within 1 edge of each other") ||
		!strings.Contains(w.String(), "exclude_near") || !strings.Contains(w.String(), "4 pairs are within") {
		t.Errorf("%v, rings %d, initial %d: %s", err, w.Rings, w.Initial, w.String())
	}
}

// The impact and the step are those of Earliest and Advance, the query replays the impact, and the
// cause is that of the exact distance at the start. Random scenes, from sparse to dense.
func TestWhyHoldsOnRandomScenes(t *testing.T) {
	r, seen := rand.New(rand.NewPCG(55, 1)), map[Cause]int{}
	for range 400 {
		n := 5 + r.IntN(5)
		m, err := mesh.New(n, []int32{0, 1, 1, 2, 2, 0, 3, 4}, []int32{0, 1, 2})
		if err != nil {
			t.Fatal(err)
		}
		x0, x1, radii := make([]float64, 3*n), make([]float64, 3*n), make([]float64, n)
		for i := range x0 {
			x0[i] = float64(r.IntN(9)) / 4
			x1[i] = x0[i] + float64(r.IntN(9)-4)/8
		}
		for i := range radii {
			radii[i] = float64(r.IntN(3)) / 8
		}
		if err := m.SetRadii(radii); err != nil {
			t.Fatal(err)
		}
		o := DefaultOptions()
		o.MinSeparation, o.CheckStart = float64(r.IntN(3))/4, r.IntN(4) == 0
		w, err := Straight(m, x0, x1).Why(&o)
		if err != nil {
			t.Fatal(err)
		}
		seen[w.Cause]++
		first, err := Earliest(m, x0, x1, &o)
		if err != nil {
			t.Fatal(err)
		}
		x := make([]float64, 3*n)
		alpha, err := Advance(m, x0, x1, x, 1, &o)
		if err != nil || alpha != w.Alpha || w.Cause != Unlimited && first != w.Impact {
			t.Fatalf("alpha %v and %+v, want %v and %+v, %v", w.Alpha, w.Impact, alpha, first, err)
		}
		if (first.Verdict == geom.Separate) != (w.Cause == Unlimited) {
			t.Fatalf("cause %d of %+v", w.Cause, first)
		}
		if w.Cause == Unlimited || w.Cause == Crossing {
			continue
		}
		q := w.Query[:6*w.Impact.Kind.Points()]
		var again geom.Impact
		own := narrow.DefaultOptions()
		own.MinSeparation = w.Separation
		narrow.NewSolver().Solve(w.Impact.Kind, q, &own, &again)
		if again.TOILo != w.Impact.TOILo {
			t.Fatalf("the query has its impact at %v, not %v", again.TOILo, w.Impact.TOILo)
		}
		square, _ := ccdtest.DistanceSquared(w.Impact.Kind, q, 0).Float64()
		if square < 1e-200 { // rounding of the check
			square = 0
		}
		distance := math.Sqrt(square)
		if w.Lo > distance*(1+1e-12) || w.Hi < distance*(1-1e-12) {
			t.Fatalf("the distance %v is not in [%v, %v]", distance, w.Lo, w.Hi)
		}
		sum := new(big.Rat).Add(new(big.Rat).SetFloat64(w.Radius[0]), new(big.Rat).SetFloat64(w.Radius[1]))
		both, _ := sum.Float64()
		least := Meeting
		switch {
		case distance == 0:
			least = Touching
		case distance <= both:
			least = WithinRadii
		case distance <= both+o.MinSeparation:
			least = WithinSeparation
		}
		if w.Cause != least && !(w.Cause == TooShort && least == Meeting) {
			t.Fatalf("cause %d, want %d: distance %v, radii %v, separation %v", w.Cause, least, distance, both,
				o.MinSeparation)
		}
	}
	for cause := Unlimited; cause < Undecided; cause++ {
		if cause != TooShort && seen[cause] < 5 {
			t.Errorf("cause %d was met %d times", cause, seen[cause])
		}
	}
}

// What a remedy says the start has is not more than it has, and as near to it as six digits are.
func TestWhyRoundsTheSeparationOfTheStartDown(t *testing.T) {
	r := rand.New(rand.NewPCG(55, 2))
	for range 20000 {
		x := math.Exp(float64(60*r.Float64()) - 30)
		read, err := strconv.ParseFloat(below(x), 64)
		if err != nil || read > x || read < x*(1-1.01e-5) {
			t.Fatalf("%v is said to be %s", x, below(x))
		}
	}
	for x, want := range map[float64]string{0.125: "0.125", 0.1234567891: "0.123456", 9.9999999e-7: "9.99999e-07"} {
		if said := below(x); said != want {
			t.Errorf("%v is said to be %s, want %s", x, said, want)
		}
	}
}

// threeLimits is a mesh whose step from x0 is limited by pairs of three kinds at the start, and by
// one that meets at half of the step: two triangles at one place, two whose radii overlap, two that
// are within the separation of 0.2, and two that are 1 apart and meet.
func threeLimits(t *testing.T) (m *mesh.Mesh, x0, x1 []float64) {
	t.Helper()
	var faces []int32
	var radii []float64
	for i, c := range []struct{ apart, radius float64 }{{0, 0}, {0.25, 0.15}, {0.1, 0}, {1.2, 0}} {
		at := 10 * float64(i)
		for j, z := range []float64{0, c.apart} {
			x0 = append(x0, at, 0, z, at+1, 0, z, at, 1, z)
			if fall := float64(2 * float64(j)); i < 3 {
				fall = 0
				x1 = append(x1, at, 0, z-fall, at+1, 0, z-fall, at, 1, z-fall)
			} else {
				x1 = append(x1, at, 0, z-fall, at+1, 0, z-fall, at, 1, z-fall)
			}
			for range 3 {
				faces, radii = append(faces, int32(len(faces))), append(radii, c.radius)
			}
		}
	}
	m, err := mesh.New(len(faces), nil, faces)
	if err == nil {
		err = m.SetRadii(radii)
	}
	if err != nil {
		t.Fatal(err)
	}
	return m, x0, x1
}

// One answer names all kinds of limits of a step: whoever treats all that it names goes as far as
// it says.
func TestWhyNamesAllKindsOfLimits(t *testing.T) {
	m, x0, x1 := threeLimits(t)
	o := DefaultOptions()
	o.MinSeparation = 0.2
	w, err := Straight(m, x0, x1).Why(&o)
	if err != nil {
		t.Fatal(err)
	}
	n := w.AtStart
	if w.Cause != Touching || n[0] != 0 || n[1] < 6 || n[2] != n[1] || n[3] != n[1] || w.Initial != 3*n[1] {
		t.Errorf("cause %d, %d pairs: %v", w.Cause, w.Initial, n)
	}
	for k, cause := range []Cause{Unlimited, Unlimited, WithinRadii, WithinSeparation, Meeting} {
		if l := w.Others[k]; l.Cause != cause {
			t.Errorf("other %d has the cause %d, want %d", k, l.Cause, cause)
		}
	}
	if at := w.Others[4].TOI; math.Abs(at-0.5) > 1e-12 {
		t.Errorf("the rest meets at %v", at)
	}
	for _, words := range []string{
		fmt.Sprintf("this one included: %d touching, %d within radii, %d within separation. ", n[1], n[1], n[1]),
		"Other pairs need remedies of their own, the first of each kind: vertex 6 and face 3 (within radii); " +
			"vertex 12 and face 5 (within separation). ",
		"Without all of these the step ends at t = 0.5, where vertex 18 and face 7 meet.",
	} {
		if !strings.Contains(w.String(), words) {
			t.Errorf("%q lacks %q", w.String(), words)
		}
	}
	// What is named, done: then the step is what the answer says.
	named := append([]Limit{{Kind: w.Impact.Kind, A: w.Impact.A, B: w.Impact.B, Cause: w.Cause}}, w.Others[:4]...)
	for _, l := range named {
		if l.Cause == Unlimited {
			continue
		}
		for _, v := range m.PairVertices(l.Kind, int32(l.A), int32(l.B)) {
			if x0[3*v+2] > 0 || l.Cause == Touching && v >= 3 { // the upper triangle goes up
				up := v - v%3
				for i := range int32(3) {
					x0[3*(up+i)+2] += 5
					x1[3*(up+i)+2] += 5
				}
				break
			}
		}
	}
	if w, err = Straight(m, x0, x1).Why(&o); err != nil || w.Cause != Meeting || math.Abs(w.Impact.TOILo-0.5) > 1e-12 {
		t.Errorf("cause %d at %v, %v: %s", w.Cause, w.Impact.TOILo, err, w.String())
	}
}

// What the remedy for the first pair resolves too is not named: pairs of a mesh with itself where
// they are excluded, vertices at one place where they are welded.
func TestWhyLeavesOutWhatTheRemedyResolves(t *testing.T) {
	m, x0, _ := strips(t)
	o := DefaultOptions()
	o.MinSeparation = 1.5
	w, err := Straight(m, x0, x0).Why(&o)
	if err != nil {
		t.Fatal(err)
	}
	// The first pair is one of a strip with itself; the remedy leaves the pairs of both strips.
	if w.Rings != 1 || w.Cause != WithinSeparation || w.Others[3].Cause != WithinSeparation {
		t.Fatalf("rings %d, cause %d, others %+v", w.Rings, w.Cause, w.Others)
	}
	l := w.Others[3]
	if v := m.PairVertices(l.Kind, int32(l.A), int32(l.B)); (v[0] < 5) == (v[2] < 5) {
		t.Errorf("the remedy resolves the pair of vertices %v", v)
	}
	// Without positions nothing of one strip is left, and with those of both nothing at all.
	if _, err := ExcludeNear(m, nil, 2, nil); err != nil {
		t.Fatal(err)
	}
	again, err := Straight(m, x0, x0).Why(&o)
	if err != nil || again.Impact.A != l.A || again.Impact.B != l.B || again.Impact.Kind != l.Kind {
		t.Errorf("then %+v limits the step, not %+v, %v", again.Impact, l, err)
	}
}

// strips are two rods of four edges each, 1.2 apart.
func strips(t *testing.T) (m *mesh.Mesh, x0, x1 []float64) {
	t.Helper()
	m, err := mesh.New(10, []int32{0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 6, 7, 7, 8, 8, 9}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 10 {
		x0 = append(x0, float64(i%5), 0, float64(1.2*float64(i/5)))
	}
	return m, x0, x0
}

// The longest sentences fit into the text of the C interface.
func TestWhyHasAtMost1023Bytes(t *testing.T) {
	big := int64(math.MaxInt32)
	vertices := [5]int32{math.MaxInt32, math.MaxInt32, math.MaxInt32, math.MaxInt32, math.MaxInt32}
	for cause := Unlimited; cause <= Undecided; cause++ {
		for _, kind := range []geom.Kind{geom.VertexFace, geom.EdgeEdge, geom.EdgeFace} {
			for rings := int32(-1); rings <= 1; rings++ {
				w := nothing(1.23456e-100)
				w.Impact = geom.Impact{Kind: kind, A: big, B: big, TOILo: 1.23456e-100, Flags: geom.ReasonIterations}
				w.Lo, w.Hi, w.Separation, w.MinSeparation = 1.23456e-100, 1.23456e-100, 1.23456e-100, 1.23456e-100
				w.Radius, w.Initial, w.Vertices = [2]float64{1.23456e-100, 1.23456e-100}, 1<<20-1, vertices
				w.Cause, w.Rings, w.Response = cause, rings, 1
				w.AtStart = [startCauses]int64{1 << 18, 1 << 18, 1 << 18, 1 << 18}
				for k := range w.Others {
					w.Others[k] = Limit{1.23456e-100, big, big, geom.EdgeEdge, Crossing + Cause(k%4), vertices, 0}
				}
				if text := w.String(); len(text) > 1023 {
					t.Errorf("cause %d: %d bytes: %s", cause, len(text), text)
				}
			}
		}
	}
}
